//! Boxes that spin freely about their middle axis, which is unstable: they flip over and over. Energy and angular momentum
//! stay what they were.
//!
//! Prints when the first box flips and how far energy and angular momentum have drifted, beside the times of the exact
//! motion where it is the usual box, and draws its rates about its own axes.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use warp::prelude::*;
use warp::sim::record::{GltfRecorder, UsdaRecorder};
use warp::sim::{Model, ModelBuilder, SemiImplicit, Shape, Stepper};
use warp_examples_support::chart::Chart;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;
use warp_examples_support::progress::Progress;

/// Let boxes spin about their middle axis, and watch what should not change.
#[derive(Parser)]
struct Options {
    /// Number of boxes, each in a world of its own and a little faster than the one before.
    #[arg(long, default_value_t = 8, value_parser = count(1 << 20))]
    n: usize,
    /// Number of steps, 1 ms each.
    #[arg(long, default_value_t = 20_000)]
    steps: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/spinning_box.png")]
    picture: PathBuf,
    /// Write the first box's motion to this file: a USD stage by the ending `.usda`, else glTF, `.glb`.
    #[arg(long, value_name = "FILE")]
    film: Option<PathBuf>,
}

/// Length of a step, s.
const DT: f32 = 1e-3;
/// The exact motion of the first box flips for the first time, and then after each of these (Jacobi's elliptic functions).
const FIRST_FLIP: f64 = 1.7637;
const BETWEEN_FLIPS: f64 = 3.5274215;

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let model = boxes(options.n)?;
    let mut sim = Stepper::new(&model, SemiImplicit::new(&model)?)?;
    let before = model.measure(&sim.state)?;
    let mut rates: Vec<[f64; 4]> = vec![];
    let mut progress = Progress::new("spinning", options.steps);
    let (mut stage, mut animation) = (UsdaRecorder::new(&model, 0)?, GltfRecorder::new(&model, 0)?);
    for step in 0..options.steps {
        // Sixty frames a second, nearly.
        if options.film.is_some() && step % 16 == 0 {
            stage.frame(&model, &sim.state, sim.time())?;
            animation.frame(&model, &sim.state, sim.time())?;
        }
        sim.step(DT)?;
        let (q, qd) = (sim.state.body_q.get(0)?, sim.state.body_qd.get(0)?);
        let [x, y, z] = (q.q.conjugate() * qd.angular).to_array().map(f64::from);
        rates.push([sim.time(), x, y, z]);
        progress.step();
    }
    sim.check()?;
    let after = model.measure(&sim.state)?;

    for (number, flip) in (0u32..).zip(flips(&rates)) {
        let exact = FIRST_FLIP + BETWEEN_FLIPS * f64::from(number);
        output::line(format!("flip at {flip:.4} s, and exactly at {exact:.4} s"))?;
    }
    let energy = before.iter().zip(&after).map(|(a, b)| (b.kinetic / a.kinetic - 1.0).abs());
    let momentum = before
        .iter()
        .zip(&after)
        .map(|(a, b)| (b.angular_momentum - a.angular_momentum).length() / a.angular_momentum.length());
    let (energy, momentum) = (energy.fold(0.0, f64::max), momentum.fold(0.0, f64::max));
    let (n, steps) = (options.n, options.steps);
    output::line(format!(
        "{n} boxes, {steps} steps: energy drifts by {energy:.1e}, angular momentum by {momentum:.1e}"
    ))?;
    if let Some(file) = &options.film {
        match file.extension().is_some_and(|kind| kind == "usda") {
            true => stage.save(file)?,
            false => animation.save(file)?,
        }
        output::line(format!("film: {}", file.display()))?;
    }
    draw(&rates).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    if energy > 1e-4 || momentum > 1e-4 {
        return Err("Energy or angular momentum drifts by more than 1e-4.".to_owned().into());
    }
    Ok(())
}

/// The same box in each world, a little faster in each.
fn boxes(n: usize) -> Result<Model, warp::sim::Error> {
    let mut b = ModelBuilder::new();
    b.gravity([0.0; 3]);
    b.body("box").spin([0.2, 5.0, 0.0]).shape(Shape::cuboid([0.1, 0.2, 0.3])).mass(1.0).id();
    let mut model = b.replicate(n).finalize(&Device::cpu())?;
    model.body_qd_start.spread()?;
    let mut starts = model.body_qd_start.array().to_vec()?;
    for (number, start) in (0u16..).zip(&mut starts) {
        start.angular *= 1.0 + 0.01 * f32::from(number);
    }
    model.body_qd_start.array_mut().copy_from_slice(&starts)?;
    Ok(model)
}

/// When the rate about the middle axis changes its sign.
fn flips(rates: &[[f64; 4]]) -> Vec<f64> {
    let crosses = |pair: &&[[f64; 4]]| (pair[0][2] < 0.0) != (pair[1][2] < 0.0);
    let time = |pair: &[[f64; 4]]| pair[0][0] + pair[0][2] / (pair[0][2] - pair[1][2]) * f64::from(DT);
    rates.windows(2).filter(crosses).map(time).collect()
}

fn draw(rates: &[[f64; 4]]) -> warp_examples_support::picture::Picture {
    let axis = |k: usize| rates.iter().step_by(10).map(|rate| [rate[0], rate[k]]).collect();
    Chart::new("A box that spins about its middle axis", "time, s", "rate, rad/s")
        .line("about x", axis(1))
        .line("about y, the middle one", axis(2))
        .line("about z", axis(3))
        .draw()
}
