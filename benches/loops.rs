//! How long the way back through a loop takes, in times of the launch, for numbers of turns and of checkpoint slots; and
//! nanoseconds of processor time a turn of both.
//!
//! `cargo bench --bench loops` prints a table; `docs/loop-cost.md` says how many turns run. It judges nothing.

use std::error::Error;

use warp::Tape;
use warp::prelude::*;
use warp_examples_support::timing::{median, processor_seconds};

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

/// Turns of all threads together, and rounds. Each round measures both, one behind the other; medians are printed.
const WORK: (usize, usize) = (400_000, 31);

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let device = Device::cpu_with_threads(1);
    println!("| turns of | slots |{}", TURNS.map(|turns| format!(" {turns} turns |")).concat());
    println!("|---|---|{}", "---|".repeat(TURNS.len()));
    for (name, slots, run) in KERNELS {
        let mut cells = String::new();
        for turns in TURNS {
            let rounds = rounds(&device, run, turns)?;
            let middle = |of: fn(&(f64, f64)) -> f64| median(&rounds.iter().map(of).collect::<Vec<_>>());
            let [ratio, launch, back] = [middle(|(a, b)| b / a), middle(|(a, _)| *a), middle(|(_, b)| *b)]
                .map(|middle| middle.unwrap_or(f64::NAN));
            cells += &format!(" {ratio:.1} ({launch:.1}, {back:.1}) |");
        }
        println!("| {name} | {slots} |{cells}");
    }
    Ok(())
}

/// Nanoseconds of processor time a turn, of a launch and of the way back through it, of each round.
fn rounds(device: &Device, run: Run, turns: usize) -> Result<Vec<(f64, f64)>, Failure> {
    let threads = WORK.0 / turns;
    let start = Array::from_fn(device, threads, |[i]| 0.2 + 0.6 * i as f32 / threads as f32)?;
    let (mut x, seed) = (start.try_clone()?, Array::full(device, threads, 1.0f32)?);
    let round = |_| {
        x.copy_from(&start)?;
        let launch = timed(|| run(threads, &mut x, turns))?;
        x.copy_from(&start)?;
        let tape = Tape::record(|| run(threads, &mut x, turns))?;
        Ok((launch, timed(|| tape.backward_with([(&x, &seed)]))?))
    };
    (0..WORK.1).map(round).collect()
}

fn timed(body: impl FnOnce() -> Result<(), warp::Error>) -> Result<f64, Failure> {
    let now = || processor_seconds().ok_or("This system does not tell the time that a process has used.");
    let start = now()?;
    body()?;
    Ok((now()? - start) * 1e9 / WORK.0 as f64)
}
