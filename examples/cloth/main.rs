//! A cloth of masses and springs that hangs by two corners: springs add their pull to particles by atomics.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use simulation::Sheet;
use warp::prelude::*;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::{all_threads, count};
use warp_examples_support::output;
use warp_examples_support::progress::Progress;
use warp_examples_support::workload::cloth::{Cloth, reference};
use warp_examples_support::workload::{largest_difference, sum_of_magnitudes};

mod draw;
mod simulation;

/// Let a cloth fall that hangs by two corners, and draw it.
#[derive(Parser)]
struct Options {
    /// Particles on each side.
    #[arg(long, default_value_t = 128, value_parser = count(2048))]
    n: usize,
    /// Number of steps, 0.001 s each.
    #[arg(long, default_value_t = 200)]
    steps: usize,
    /// Threads of the machine that take part at most.
    #[arg(long, default_value_t = all_threads(), value_parser = count(1 << 16))]
    threads: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/cloth.png")]
    picture: PathBuf,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let (n, steps) = (options.n, options.steps);
    let cloth = Cloth::new(n);
    let mut sheet = Sheet::new(&Device::cpu(), options.threads, &cloth)?;
    let mut progress = Progress::new("hanging", steps);
    let clock = Instant::now();
    for _ in 0..steps {
        sheet.step()?;
        progress.step();
    }
    let seconds = clock.elapsed().as_secs_f64();
    drop(progress);
    let places = sheet.places()?;
    let springs = cloth.springs.rest.len();
    let rate = springs as f64 * steps as f64 / seconds / 1e6;
    output::line(format!("{springs} springs, {steps} steps: {seconds:.3} s, {rate:.1} million spring steps a second"))?;
    let off = largest_difference(places.as_flattened(), reference(&cloth, steps).as_flattened());
    let sum = sum_of_magnitudes(places.as_flattened());
    output::line(format!("checksum {sum:.4}; largest difference from 64-bit arithmetic {off:.1e}"))?;
    // Rounding errors grow as the cloth swings, so a long run proves nothing.
    if off.is_nan() || (steps <= 200 && off > 1e-3) {
        return Err("The places differ from the reference by more than rounding explains.".into());
    }
    draw::picture(&places, n).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    Ok(())
}
