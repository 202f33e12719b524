//! How stiff are the springs of a chain whose motion was seen? Gradients through the motion lead to them.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use simulation::Chain;
use warp::optim::{Lbfgs, Stop};
use warp::prelude::*;
use warp_examples_support::chart::Chart;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;
use warp_examples_support::progress::Progress;
use warp_examples_support::random::uniform;

mod simulation;

/// Fit the stiffnesses of springs to a recorded motion.
#[derive(Parser)]
struct Options {
    /// Masses of the chain.
    #[arg(long, default_value_t = 8, value_parser = count(1000))]
    n: usize,
    /// Steps of the motion, 0.005 s each.
    #[arg(long, default_value_t = 200, value_parser = count(100_000))]
    steps: usize,
    /// Improvements at most.
    #[arg(long, default_value_t = 200)]
    rounds: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/inverse_spring.png")]
    picture: PathBuf,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let n = options.n;
    let hidden: Vec<f64> = (0..n as u64).map(|k| 150.0 + 300.0 * uniform(40, k)).collect();
    let mut chain = Chain::new(&Device::cpu(), n, options.steps)?;
    chain.record(&hidden)?;
    let mut progress = Progress::new("motions", options.rounds);
    let stop = Stop { iterations: options.rounds, gradient: 1e-9, ..Stop::default() };
    let found = Lbfgs::new().memory(20).try_minimize(&vec![250f64.ln(); n], &stop, |logs| {
        progress.step();
        chain.difference(logs)
    })?;
    drop(progress);
    output::line(&found)?;
    let stiffnesses: Vec<f64> = found.x.iter().map(|log| log.exp()).collect();
    let off = stiffnesses.iter().zip(&hidden).map(|(found, hidden)| (found / hidden - 1.0).abs()).fold(0.0, f64::max);
    output::line(format!("{n} springs, {} steps: stiffnesses off by {off:.1e} at most", options.steps))?;
    if found.status.failed() || (options.steps >= 200 && options.rounds >= 200 && off > 1e-3) {
        return Err("The stiffnesses were not found.".into());
    }
    let numbered = |values: &[f64]| values.iter().enumerate().map(|(k, v)| [(k + 1) as f64, *v]).collect();
    let fit = Chart::new("stiffness", "spring", "N/m")
        .line("hidden", numbered(&hidden))
        .dots("found", numbered(&stiffnesses));
    let losses = Chart::of_losses("distance from the recording", found.history.iter().map(|record| record.loss));
    fit.draw().beside(&losses).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    Ok(())
}
