//! Bodies that all pull each other: a step is one launch, a body is a thread, which looks at all others.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use simulation::Bodies;
use warp::prelude::*;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::{all_threads, count};
use warp_examples_support::output;
use warp_examples_support::picture::Picture;
use warp_examples_support::progress::Progress;
use warp_examples_support::workload::{largest_difference, nbody, sum_of_magnitudes};

mod simulation;

/// Let bodies pull each other, and draw them.
#[derive(Parser)]
struct Options {
    /// Number of bodies.
    #[arg(long, default_value_t = 4096, value_parser = count(1 << 20))]
    n: usize,
    /// Number of steps, 0.01 s each.
    #[arg(long, default_value_t = 10)]
    steps: usize,
    /// Threads of the machine that take part at most.
    #[arg(long, default_value_t = all_threads(), value_parser = count(1 << 16))]
    threads: usize,
    /// Do not run the reference, which takes about as long on one thread.
    #[arg(long)]
    unchecked: bool,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/nbody.png")]
    picture: PathBuf,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let (n, steps) = (options.n, options.steps);
    let starts = nbody::starts(n);
    let vectors: Vec<Vec3> = starts.iter().map(|p| Vec3::from_array(*p)).collect();
    let mut bodies = Bodies::new(&Device::cpu(), options.threads, &vectors)?;
    let mut progress = Progress::new("pulling", steps);
    let clock = Instant::now();
    for _ in 0..steps {
        bodies.step()?;
        progress.step();
    }
    let seconds = clock.elapsed().as_secs_f64();
    drop(progress);
    let ends = bodies.positions()?;
    let rate = (n * n) as f64 * steps as f64 / seconds / 1e6;
    output::line(format!("{n} bodies, {steps} steps: {seconds:.3} s, {rate:.1} million interactions a second"))?;
    output::line(format!("checksum {:.6}", sum_of_magnitudes(ends.as_flattened())))?;
    if !options.unchecked {
        let off = largest_difference(ends.as_flattened(), nbody::reference(&starts, steps).as_flattened());
        output::line(format!("largest difference from 64-bit arithmetic {off:.1e}"))?;
        if steps <= 100 && (off.is_nan() || off > 1e-4) {
            return Err("The positions differ from the reference by more than rounding explains.".into());
        }
    }
    Picture::density(256, 1.2, ends.iter().copied()).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    Ok(())
}
