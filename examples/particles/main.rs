//! Particles fall towards the centre of a field of gravitation: a step is one launch, a particle one thread.
//!
//! Prints throughput and a checksum, which is held against a known one where the sizes are the usual ones, and draws
//! where the particles are at the end.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use simulation::Particles;
use warp::prelude::*;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::{all_threads, count};
use warp_examples_support::picture::Picture;
use warp_examples_support::progress::Progress;
use warp_examples_support::workload::particles;
use warp_examples_support::{output, points, report};

mod simulation;

/// Let particles fall in a central field, and draw them.
#[derive(Parser)]
struct Options {
    /// Number of particles.
    #[arg(long, default_value_t = 100_000, value_parser = count(1 << 28))]
    n: usize,
    /// Number of steps, 0.01 s each.
    #[arg(long, default_value_t = 1000)]
    steps: usize,
    /// Start from the points of this .ply, .obj or .xyz file instead of random ones.
    #[arg(long, value_name = "FILE", conflicts_with = "n")]
    points: Option<PathBuf>,
    /// Threads of the machine that take part at most.
    #[arg(long, default_value_t = all_threads(), value_parser = count(1 << 16))]
    threads: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/particles.png")]
    picture: PathBuf,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let starts = match &options.points {
        Some(file) => points::read(file)?,
        None => particles::starts(options.n),
    };
    let (ends, seconds) = fall(&starts, options)?;
    let (n, steps) = (starts.len(), options.steps);
    let rate = n as f64 * steps as f64 / seconds / 1e6;
    output::line(format!("{n} particles, {steps} steps: {seconds:.3} s, {rate:.1} million particle steps a second"))?;
    output::line(checked(options, &starts, &ends)?)?;
    Picture::density(512, extent(&starts), ends.iter().copied()).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    Ok(())
}

/// Where the particles are after all steps, and the seconds that the steps took.
fn fall(starts: &[[f32; 3]], options: &Options) -> Outcome<(Vec<[f32; 3]>, f64)> {
    let starts: Vec<Vec3> = starts.iter().map(|p| Vec3::from_array(*p)).collect();
    let mut particles = Particles::new(&Device::cpu(), options.threads, &starts)?;
    let mut progress = Progress::new("falling", options.steps);
    let start = Instant::now();
    for _ in 0..options.steps {
        particles.step()?;
        progress.step();
    }
    Ok((particles.positions()?, start.elapsed().as_secs_f64()))
}

/// The line with the checksum; an error where it must be another.
fn checked(options: &Options, starts: &[[f32; 3]], ends: &[[f32; 3]]) -> Outcome<String> {
    let sum = particles::checksum(starts, ends);
    if !sum.is_finite() {
        return Err(format!("The checksum is {sum}: a particle left the range of numbers.").into());
    }
    let known = report::expected("w2", "", starts.len(), options.steps).filter(|_| options.points.is_none());
    Ok(match known {
        Some(known) => {
            let off = known.check(sum)?;
            format!("checksum {sum:.4}, the reference has {:.4}: off by {off:.1e}", known.checksum)
        }
        None => format!("checksum {sum:.4}; no reference is known for these sizes"),
    })
}

/// Half the side of the square that the picture shows: three root mean squares of a coordinate.
fn extent(points: &[[f32; 3]]) -> f32 {
    let squares: f64 = points.as_flattened().iter().map(|c| f64::from(*c).powi(2)).sum();
    (3.0 * (squares / (3 * points.len()) as f64).sqrt() as f32).max(f32::MIN_POSITIVE)
}
