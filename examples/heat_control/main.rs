//! Which temperatures at the start give a certain picture at the end? Gradients through the spread of heat tell.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use simulation::Control;
use warp::optim::{Lbfgs, Stop};
use warp::prelude::*;
use warp_examples_support::chart::Chart;
use warp_examples_support::color;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::{all_threads, count};
use warp_examples_support::output;
use warp_examples_support::picture::Picture;
use warp_examples_support::progress::Progress;

#[path = "../heat/simulation.rs"]
#[expect(dead_code, reason = "its plate only goes forward")]
mod heat;
mod simulation;

/// Find the first temperatures of a plate from the last ones.
#[derive(Parser)]
struct Options {
    /// Cells on each side.
    #[arg(long, default_value_t = 140, value_parser = count(4096))]
    n: usize,
    /// Steps from the first temperatures to the last.
    #[arg(long, default_value_t = 100, value_parser = count(100_000))]
    steps: usize,
    /// Improvements at most.
    #[arg(long, default_value_t = 60)]
    rounds: usize,
    /// Threads of the machine that take part at most.
    #[arg(long, default_value_t = all_threads(), value_parser = count(1 << 16))]
    threads: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/heat_control.png")]
    picture: PathBuf,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let n = options.n;
    let goal: Vec<f32> = (0..n * n).map(|k| ring((k % n) as f32 / n as f32, (k / n) as f32 / n as f32)).collect();
    let mut control = Control::new(&Device::cpu(), options.threads, n, options.steps, &goal)?;
    let mut progress = Progress::new("runs", options.rounds);
    let stop = Stop { iterations: options.rounds, ..Stop::default() };
    let found = Lbfgs::new().try_minimize(&vec![0.5f32; n * n], &stop, |start| {
        control.reset(start)?;
        let tape = control.forward()?;
        progress.step();
        Ok::<_, Error>((control.loss()?, control.backward(&tape)?.to_vec()?))
    })?;
    drop(progress);
    output::line(&found)?;
    let losses: Vec<f64> = found.history.iter().map(|record| record.loss).collect();
    if found.status.failed() || (options.rounds >= 60 && found.loss > 1e-4 * losses[0]) {
        return Err("The temperatures did not come near enough to the goal.".into());
    }
    control.reset(&found.x)?;
    drop(control.forward()?);
    let plates = [&found.x[..], &control.temperatures()?, &goal].map(|plate| picture(plate, n));
    let side_by_side = plates[0].beside(&plates[1]).beside(&plates[2]);
    side_by_side.beside(&Chart::of_losses("sum of squares", losses)).save(&options.picture)?;
    output::line(format!("picture (start, end, goal, loss): {}", options.picture.display()))?;
    Ok(())
}

/// A warm ring with soft edges, and a warm spot beside it.
fn ring(x: f32, y: f32) -> f32 {
    let soft = |distance: f32, width: f32| (-(distance / width).powi(2)).exp();
    let around = ((x - 0.45).powi(2) + (y - 0.5).powi(2)).sqrt() - 0.25;
    let spot = ((x - 0.82).powi(2) + (y - 0.2).powi(2)).sqrt();
    0.2 + 0.6 * (soft(around, 0.08) + soft(spot, 0.09))
}

/// 0 is dark and 1 light.
fn picture(plate: &[f32], n: usize) -> Picture {
    Picture::from_fn(n, n, |x, y| color::heat(plate[y * n + x])).enlarged((420 / n).max(1))
}
