//! Balls learn to hit targets: the gradient of the miss goes back through 200 steps that overwrite places and speeds.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use simulation::Throws;
use warp::prelude::*;
use warp_examples_support::chart::Chart;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;
use warp_examples_support::picture::Picture;
use warp_examples_support::progress::Progress;

mod simulation;

/// Throw balls at targets, and correct the throws by gradients.
#[derive(Parser)]
struct Options {
    /// Balls, each with a target of its own.
    #[arg(long, default_value_t = 5, value_parser = count(1 << 20))]
    n: usize,
    /// Steps of one flight.
    #[arg(long, default_value_t = 200, value_parser = count(100_000))]
    steps: usize,
    /// Throws of each ball.
    #[arg(long, default_value_t = 200, value_parser = count(100_000))]
    throws: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/trajectory.png")]
    picture: PathBuf,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let targets: Vec<Vec2> = (0..options.n).map(target).collect();
    let mut throws = Throws::new(&Device::cpu(), &targets, options.steps)?;
    let mut progress = Progress::new("throwing", options.throws);
    let mut losses = Vec::new();
    for _ in 0..options.throws {
        losses.push(f64::from(throws.correct()?));
        progress.step();
    }
    drop(progress);
    let miss = |loss: f64| (loss / options.n as f64).sqrt();
    let (first, last) = (miss(losses[0]), miss(losses[losses.len() - 1]));
    output::line(format!("{} balls, {} throws of {} steps each", options.n, options.throws, options.steps))?;
    output::line(format!("root mean square miss: {first:.3} m at first, {last:.2e} m at last"))?;
    if options.throws >= 200 && (last.is_nan() || last > 1e-3 * first) {
        return Err("The throws did not get near enough to the targets.".into());
    }
    picture(&throws.paths()?, &targets, &losses).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    Ok(())
}

/// Targets on a bow, farther and higher one after the other.
fn target(k: usize) -> Vec2 {
    let part = (k % 5) as f32;
    Vec2::new(6.0 + 2.0 * part, 1.0 + 1.5 * (0.9 * part).sin() - 0.001 * (k / 5) as f32)
}

/// The last flights of the first balls, and the loss.
fn picture(paths: &[Vec<Vec2>], targets: &[Vec2], losses: &[f64]) -> Picture {
    const SHOWN: usize = 4;
    let wide = |v: &Vec2| [f64::from(v.x), f64::from(v.y)];
    let chart =
        Chart::new("last throws", "metres", "height").dots("targets", targets.iter().take(SHOWN).map(wide).collect());
    let flights = paths.iter().take(SHOWN).map(|path| path.iter().map(wide).collect());
    let flights = flights.fold(chart, |chart, path| chart.line("", path));
    flights.draw().beside(&Chart::of_losses("sum of squared misses", losses.iter().copied()))
}
