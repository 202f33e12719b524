//! What the way back through a loop costs beside the launch, for numbers of turns and of checkpoint slots: nanoseconds of
//! processor time a turn. `docs/loop-cost.md` says how many turns run.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use measure::Clock;
use warp::Tape;
use warp::prelude::*;

mod measure;

/// Kernels that differ in the memory that their threads have for states alone.
macro_rules! kernels {
    ($($module:ident: $one_float:tt, $two_floats:tt;)*) => {
        $(mod $module {
            use warp::prelude::*;

            /// Turns of four operations. A state is the number of the turn and one float: 12 bytes.
            #[kernel(checkpoint_bytes = $one_float)]
            pub(super) fn growth(x: &mut [f32], turns: usize) {
                let i = tid();
                let mut v = x[i];
                for _ in 0..turns {
                    v += 0.001 * v * (1.0 - v);
                }
                x[i] = v;
            }

            /// Turns with a sine, a root and a division. A state is 16 bytes.
            #[kernel(checkpoint_bytes = $two_floats)]
            pub(super) fn pendulum(x: &mut [f32], turns: usize) {
                let i = tid();
                let (mut v, mut speed) = (x[i], 0.0);
                for _ in 0..turns {
                    speed -= 0.001 * v.sin() / (1.0 + speed * speed).sqrt();
                    v += 0.001 * speed;
                }
                x[i] = v;
            }
        })*
    };
}

kernels! {
    slots_8: 96, 128;
    slots_16: 192, 256;
    slots_32: 384, 512;
    slots_64: 768, 1024;
}

type Run = fn(usize, &mut Array<f32>, usize) -> Result<(), warp::Error>;

/// Name, slots, kernel.
const KERNELS: [(&str, u32, Run); 8] = [
    ("growth", 8, |n, x, turns| slots_8::growth::launch(n, x, turns)),
    ("growth", 16, |n, x, turns| slots_16::growth::launch(n, x, turns)),
    ("growth", 32, |n, x, turns| slots_32::growth::launch(n, x, turns)),
    ("growth", 64, |n, x, turns| slots_64::growth::launch(n, x, turns)),
    ("pendulum", 8, |n, x, turns| slots_8::pendulum::launch(n, x, turns)),
    ("pendulum", 16, |n, x, turns| slots_16::pendulum::launch(n, x, turns)),
    ("pendulum", 32, |n, x, turns| slots_32::pendulum::launch(n, x, turns)),
    ("pendulum", 64, |n, x, turns| slots_64::pendulum::launch(n, x, turns)),
];

const TURNS: [usize; 4] = [10, 100, 1_000, 10_000];

/// Turns of all threads together.
const WORK: usize = 400_000;

fn loops(c: &mut Criterion<Clock>) {
    let device = Device::cpu_with_threads(1);
    for (name, slots, run) in KERNELS {
        for turns in TURNS {
            let threads = WORK / turns;
            let numbers = |[i]: [usize; 1]| 0.2 + 0.6 * i as f32 / threads as f32;
            let mut x = Array::from_fn(&device, threads, numbers).expect("memory");
            let seed = Array::full(&device, threads, 1.0f32).expect("memory");
            // The states that the way back starts from are those that the launch read.
            let tape = Tape::record(|| run(threads, &mut x, turns)).expect("a launch");
            let mut group = c.benchmark_group(format!("{name}/{slots} slots/{turns} turns"));
            group.throughput(Throughput::Elements(WORK as u64));
            group.bench_function("back", |bench| bench.iter(|| tape.backward_with([(&x, &seed)]).expect("gradients")));
            // Both kernels stay near where they are, however often they run: turns cost the same.
            group.bench_function("launch", |bench| bench.iter(|| run(threads, &mut x, turns).expect("a launch")));
            group.finish();
        }
    }
}

criterion_group! { name = benches; config = measure::criterion(Clock::Processor); targets = loops }
criterion_main!(benches);
