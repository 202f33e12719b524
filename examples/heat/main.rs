//! Heat spreads over a square plate: a step is one launch over two dimensions, a cell is a thread.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use simulation::Plate;
use warp::prelude::*;
use warp_examples_support::color;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::{all_threads, count};
use warp_examples_support::output;
use warp_examples_support::picture::Picture;
use warp_examples_support::progress::Progress;
use warp_examples_support::workload::{heat, largest_difference};

mod simulation;

/// Let heat spread over a plate with random temperatures, and draw it.
#[derive(Parser)]
struct Options {
    /// Cells on each side.
    #[arg(long, default_value_t = 1024, value_parser = count(8192))]
    n: usize,
    /// Number of steps.
    #[arg(long, default_value_t = 200)]
    steps: usize,
    /// Threads of the machine that take part at most.
    #[arg(long, default_value_t = all_threads(), value_parser = count(1 << 16))]
    threads: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/heat.png")]
    picture: PathBuf,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let (n, steps) = (options.n, options.steps);
    let start = heat::start(n);
    let mut plate = Plate::new(&Device::cpu(), options.threads, n, &start)?;
    let mut progress = Progress::new("spreading", steps);
    let clock = Instant::now();
    for _ in 0..steps {
        plate.step()?;
        progress.step();
    }
    let seconds = clock.elapsed().as_secs_f64();
    drop(progress);
    let end = plate.temperatures()?;
    let rate = (n * n) as f64 * steps as f64 / seconds / 1e6;
    output::line(format!("{n} x {n} cells, {steps} steps: {seconds:.3} s, {rate:.1} million cell steps a second"))?;
    let off = largest_difference(&end, &heat::reference(&start, n, steps));
    output::line(format!("checksum {:.4}; largest difference from 64-bit arithmetic {off:.1e}", heat::checksum(&end)))?;
    if off.is_nan() || off > 1e-5 {
        return Err("The temperatures differ from the reference by more than rounding explains.".into());
    }
    picture(&end, n).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    Ok(())
}

/// Two standard deviations below the mean are dark, two above light. The border, which stays noisy, goes beyond.
fn picture(plate: &[f32], n: usize) -> Picture {
    let inner = |k: &usize| (1..n - 1).contains(&(k % n)) && (1..n - 1).contains(&(k / n));
    let inside: Vec<f64> = (0..n * n).filter(inner).map(|k| f64::from(plate[k])).collect();
    let mean = inside.iter().sum::<f64>() / inside.len().max(1) as f64;
    let variance = inside.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / inside.len().max(1) as f64;
    let (low, width) = (mean - 2.0 * variance.sqrt(), (4.0 * variance.sqrt()).max(1e-12));
    Picture::from_fn(n, n, |x, y| color::heat(((f64::from(plate[y * n + x]) - low) / width) as f32))
}
