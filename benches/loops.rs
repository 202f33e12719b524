//! How long the way back through a loop takes, in times of the launch, for numbers of turns and of checkpoint slots.
//!
//! `cargo bench --bench loops` prints a table; `docs/loop-cost.md` says how many turns run. It judges nothing.

use std::error::Error;
use std::time::Instant;

use warp::Tape;
use warp::prelude::*;

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

/// Turns of all threads together, and rounds of which the best counts.
const WORK: (usize, usize) = (400_000, 7);

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::cpu_with_threads(1);
    println!("| turns of | slots |{}", TURNS.map(|turns| format!(" {turns} turns |")).concat());
    println!("|---|---|{}", "---|".repeat(TURNS.len()));
    for (name, slots, run) in KERNELS {
        let mut cells = String::new();
        for turns in TURNS {
            let (launch, back) = times(&device, run, turns)?;
            let turn = 1e9 / WORK.0 as f64;
            cells += &format!(" {:.1} ({:.1} to {:.1} ns) |", back / launch, launch * turn, back * turn);
        }
        println!("| {name} | {slots} |{cells}");
    }
    Ok(())
}

/// Best seconds of a launch, and of the way back through it.
fn times(device: &Device, run: Run, turns: usize) -> Result<(f64, f64), warp::Error> {
    let threads = WORK.0 / turns;
    let start = Array::from_fn(device, threads, |[i]| 0.2 + 0.6 * i as f32 / threads as f32)?;
    let (mut x, seed) = (start.try_clone()?, Array::full(device, threads, 1.0f32)?);
    let (mut launch, mut back) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..WORK.1 {
        x.copy_from(&start)?;
        let now = Instant::now();
        run(threads, &mut x, turns)?;
        launch = launch.min(now.elapsed().as_secs_f64());
        x.copy_from(&start)?;
        let tape = Tape::record(|| run(threads, &mut x, turns))?;
        let now = Instant::now();
        tape.backward_with([(&x, &seed)])?;
        back = back.min(now.elapsed().as_secs_f64());
    }
    Ok((launch, back))
}
