//! L-BFGS walks down Rosenbrock's valley; products with the matrix of second derivatives tell how steep its sides are.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use simulation::{Valley, curvature};
use warp::optim::{Lbfgs, Stop};
use warp::prelude::*;
use warp_examples_support::chart::Chart;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;

mod simulation;

/// Find the lowest point of Rosenbrock's valley.
#[derive(Parser)]
struct Options {
    /// Dimensions, two at least.
    #[arg(long, default_value_t = 2, value_parser = count(1_000_000))]
    n: usize,
    /// Steps at most.
    #[arg(long, default_value_t = 1000)]
    steps: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/rosenbrock.png")]
    picture: PathBuf,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let n = options.n.max(2);
    let mut valley = Valley::new(&Device::cpu(), n)?;
    let start: Vec<f64> = (0..n).map(|k| if k % 2 == 0 { -1.2 } else { 1.0 }).collect();
    let mut path = Vec::new();
    let stop = Stop { iterations: options.steps, gradient: 1e-8, ..Stop::default() };
    let found = Lbfgs::new().try_minimize(&start, &stop, |x| {
        path.push([x[0], x[1]]);
        valley.gradient(x)
    })?;
    output::line(&found)?;
    let (steepest, off) = steepest(&mut valley, &found.x)?;
    output::line(format!("largest curvature there: {steepest:.3}; products off by {off:.1e} of the closed form"))?;
    let distance = found.x.iter().map(|x| (x - 1.0).abs()).fold(0.0, f64::max);
    if found.status.failed() || off.is_nan() || off > 1e-12 || (options.steps >= 1000 && distance > 1e-6) {
        return Err(format!("The lowest point was missed by {distance:.1e}.").into());
    }
    let walk = Chart::new("points looked at", "first number", "second number")
        .line("floor of the valley", (-30..=30).map(|k| f64::from(k) / 20.0).map(|x| [x, x * x]).collect())
        .dots("looked at", path);
    let losses = Chart::of_losses("height above the lowest point", found.history.iter().map(|record| record.loss));
    walk.draw().beside(&losses).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    Ok(())
}

/// The largest curvature at a point, by powers of the matrix of second derivatives, which nobody writes down. And how far
/// its products are off those of the closed form, at most, as a share.
fn steepest(valley: &mut Valley, x: &[f64]) -> Result<(f64, f64), Error> {
    let length = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
    let mut v: Vec<f64> = (0..x.len()).map(|k| 1.0 / (1.0 + k as f64)).collect();
    let (mut steepest, mut off) = (0.0, 0.0f64);
    for _ in 0..50 {
        let size = length(&v);
        v.iter_mut().for_each(|v| *v /= size);
        let product = valley.curvature(x, &v)?;
        let difference: Vec<f64> = product.iter().zip(curvature(x, &v)).map(|(a, b)| a - b).collect();
        off = off.max(length(&difference) / length(&product));
        steepest = length(&product);
        v = product;
    }
    Ok((steepest, off))
}
