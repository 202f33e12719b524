//! Throws balls at goals: the gradient of where a throw ends says how to throw better.
//!
//! Each world has a ball and a goal of its own; all are aimed at once.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use warp::optim::{Adam, FirstOrder, Stop};
use warp::prelude::*;
use warp::sim::{Model, ModelBuilder, Rollout, SemiImplicit};
use warp_examples_support::chart::Chart;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;

/// Aim balls at goals.
#[derive(Parser)]
struct Options {
    /// Number of balls.
    #[arg(long, default_value_t = 3, value_parser = count(1 << 16))]
    n: usize,
    /// Number of steps of each throw, a sixtieth of a second each.
    #[arg(long, default_value_t = 60, value_parser = count(1 << 16))]
    steps: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/throw.png")]
    picture: PathBuf,
}

const DT: f32 = 1.0 / 60.0;

#[kernel]
fn misses(q: &[Vec3], goals: &[Vec3], loss: &mut [f32]) {
    let i = tid();
    let miss = q[i] - goals[i];
    atomic_add(&mut loss[0], miss.length_squared());
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let device = Device::cpu();
    let mut b = ModelBuilder::new();
    b.particle([0.0, 0.0, 1.0]).velocity([2.0, 0.0, 3.0]).id();
    let model = b.replicate(options.n).finalize(&device)?;
    let goal = |k: usize| Vec3::new(3.0 + 0.5 * (k % 7) as f32, 0.3 * (k % 5) as f32 - 0.6, 0.5);
    let goals: Vec<Vec3> = (0..options.n).map(goal).collect();
    let goals = Array::from_vec(&device, goals)?;
    let start: Vec<f64> = (0..options.n).flat_map(|_| [2.0, 0.0, 3.0]).collect();
    let stop = Stop { iterations: 400, ..Stop::default() };
    let mut failure = None;
    let found = Adam::new(0.1f64).minimize(&start, &stop, |v| match thrown(&model, &goals, v, options.steps) {
        Ok((loss, gradient, _)) => (loss, gradient),
        Err(error) => {
            failure = Some(error);
            (f64::NAN, vec![0.0; v.len()])
        }
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    let (loss, _, paths) = thrown(&model, &goals, &found.x, options.steps)?;
    let [x, y, z] = [found.x[0], found.x[1], found.x[2]];
    output::line(format!("{} balls miss by {:.2e} m in the mean", options.n, (loss / options.n as f64).sqrt()))?;
    output::line(format!("the first is thrown at ({x:.4}, {y:.4}, {z:.4}) m/s"))?;
    let mut chart = Chart::new("Throws at goals", "x, m", "height, m");
    for (k, path) in paths.into_iter().take(5).enumerate() {
        chart = chart.line(&format!("ball {k}"), path);
    }
    chart.draw().save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    // A throw of very few steps cannot get there at any sensible speed.
    if loss / options.n as f64 > 1e-4 && options.steps >= 30 {
        return Err(format!("The balls miss: {loss} m² in all.").into());
    }
    Ok(())
}

/// A loss, its gradient by all velocities, and the paths by x and height.
type Thrown = (f64, Vec<f64>, Vec<Vec<[f64; 2]>>);

fn thrown(model: &Model, goals: &Array<Vec3>, v: &[f64], steps: usize) -> Result<Thrown, warp::sim::Error> {
    let mut rollout = Rollout::new(model, SemiImplicit::new(model)?, steps)?;
    let speeds: Vec<Vec3> = v.chunks_exact(3).map(|v| Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)).collect();
    rollout.start.particle_qd.copy_from_slice(&speeds)?;
    let mut loss = Array::zeros(model.device(), 1)?;
    let tape = rollout.record(DT, |end| Ok(misses::launch(speeds.len(), &end.particle_q, goals, &mut loss)?))?;
    tape.backward(&loss)?;
    let gradient = rollout.start.particle_qd.grad()?.to_vec()?;
    let gradient = gradient.iter().flat_map(|slope| slope.to_array().map(f64::from)).collect();
    let mut paths = vec![vec![[0.0, 1.0]]; speeds.len()];
    for state in rollout.states() {
        for (path, at) in paths.iter_mut().zip(state.particle_q.to_vec()?) {
            path.push([f64::from(at.x), f64::from(at.z)]);
        }
    }
    Ok((f64::from(loss.get(0)?), gradient, paths))
}
