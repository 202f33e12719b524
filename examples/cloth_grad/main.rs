//! A cloth learns how to be thrown, so that it comes down flat half a metre below: gradients through atomics and steps in
//! place.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use simulation::Fall;
use warp::optim::{Lbfgs, Stop};
use warp::prelude::*;
use warp_examples_support::chart::Chart;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::{all_threads, count};
use warp_examples_support::output;
use warp_examples_support::progress::Progress;
use warp_examples_support::workload::cloth::{Cloth, reference_gradient};

#[path = "../cloth/simulation.rs"]
mod cloth;
#[path = "../cloth/draw.rs"]
mod draw;
mod simulation;

/// Find the speeds at which a cloth has to be thrown.
#[derive(Parser)]
struct Options {
    /// Particles on each side.
    #[arg(long, default_value_t = 32, value_parser = count(512))]
    n: usize,
    /// Steps of one fall, 0.001 s each.
    #[arg(long, default_value_t = 200, value_parser = count(10_000))]
    steps: usize,
    /// Improvements of the throw at most.
    #[arg(long, default_value_t = 40)]
    rounds: usize,
    /// Threads of the machine that take part at most.
    #[arg(long, default_value_t = all_threads(), value_parser = count(1 << 16))]
    threads: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/cloth_grad.png")]
    picture: PathBuf,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let cloth = Cloth::new(options.n);
    let mut fall = Fall::new(&Device::cpu(), options.threads, &cloth, options.steps)?;
    let mut progress = Progress::new("falls", options.rounds);
    let mut first = None;
    let stop = Stop { iterations: options.rounds, ..Stop::default() };
    let found = Lbfgs::new().try_minimize(cloth.speeds.as_flattened(), &stop, |speeds| {
        fall.reset(&vectors(speeds))?;
        let tape = fall.forward()?;
        let gradient: Vec<f32> = fall.backward(&tape)?.to_vec()?.iter().flat_map(Vec3::to_array).collect();
        first.get_or_insert_with(|| gradient.clone());
        progress.step();
        Ok::<_, Error>((fall.loss()?, gradient))
    })?;
    drop(progress);
    output::line(&found)?;
    let off = difference(&first.unwrap_or_default(), reference_gradient(&cloth, options.steps).as_flattened());
    output::line(format!(
        "the first gradient differs from that of 64-bit arithmetic by {off:.1e} of its largest entry"
    ))?;
    if off.is_nan() || off > 1e-3 {
        return Err("The gradient differs from the reference by more than rounding explains.".into());
    }
    let losses: Vec<f64> = found.history.iter().map(|record| record.loss).collect();
    if found.status.failed() || (options.rounds >= 40 && found.loss > 1e-2 * losses[0]) {
        return Err("The throw did not become good enough.".into());
    }
    fall.reset(&vectors(&found.x))?;
    drop(fall.forward()?);
    let end = draw::picture(&fall.places()?, options.n);
    end.beside(&Chart::of_losses("mean square distance", losses)).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    Ok(())
}

fn vectors(flat: &[f32]) -> Vec<Vec3> {
    flat.chunks_exact(3).map(Vec3::from_slice).collect()
}

/// The largest difference, as a share of the largest entry.
fn difference(found: &[f32], reference: &[f64]) -> f64 {
    let largest = reference.iter().fold(0.0, |most: f64, r| most.max(r.abs()));
    warp_examples_support::workload::largest_difference(found, reference) / largest
}
