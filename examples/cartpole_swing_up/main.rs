//! A cart swings its pole up: gradients through two seconds of simulation say which force to use at each moment.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use warp::math::DMat3;
use warp::optim::{Adam, FirstOrder, Stop};
use warp::prelude::*;
use warp::sim::{Featherstone, Model, ModelBuilder, Rollout};
use warp_examples_support::chart::Chart;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;

/// Swing a pole up.
#[derive(Parser)]
struct Options {
    /// Number of steps of Adam's method, at most.
    #[arg(long, default_value_t = 300, value_parser = count(1 << 20))]
    n: usize,
    /// Number of steps of the simulation, 20 ms each.
    #[arg(long, default_value_t = 100, value_parser = count(1 << 16))]
    steps: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/cartpole_swing_up.png")]
    picture: PathBuf,
}

const DT: f32 = 0.02;

/// The pole should stand, the cart in the middle, and both be still.
#[kernel]
fn disorder(q: &[f32], qd: &[f32], loss: &mut [f32]) {
    let lean = q[1] - std::f32::consts::PI;
    loss[0] = lean * lean + 0.1 * qd[1] * qd[1] + 0.3 * q[0] * q[0] + 0.1 * qd[0] * qd[0];
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn cartpole() -> Result<Model, warp::sim::Error> {
    let mut b = ModelBuilder::new();
    let cart = b.body("cart").mass_properties(1.0, [0.0; 3], DMat3::IDENTITY).id();
    b.prismatic("rail", None, cart, [1.0, 0.0, 0.0]);
    let inertia = DMat3::from_diagonal([0.01, 0.01, 1e-4].into());
    let pole = b.body("pole").mass_properties(0.3, [0.0, 0.0, -0.5], inertia).id();
    b.revolute("hinge", cart, pole, [0.0, 1.0, 0.0]);
    b.finalize(&Device::cpu())
}

/// A loss and its gradient by the force of each step, and cart and pole over time.
type Tried = (f64, Vec<f64>, Vec<[f64; 3]>);

fn tried(model: &Model, forces: &[f64]) -> Result<Tried, warp::sim::Error> {
    let mut rollout = Rollout::new(model, Featherstone::new(model)?, forces.len())?;
    for (control, force) in rollout.controls.iter_mut().zip(forces) {
        control.joint_f.copy_from_slice(&[*force as f32, 0.0])?;
    }
    let mut loss = Array::zeros(model.device(), 1)?;
    let tape = rollout.record(DT, |end| Ok(disorder::launch(1, &end.joint_q, &end.joint_qd, &mut loss)?))?;
    tape.backward(&loss)?;
    let gradient = rollout.controls.iter().map(|control| Ok(f64::from(control.joint_f.grad()?.get(0)?)));
    let gradient = gradient.collect::<Result<_, warp::sim::Error>>()?;
    let mut path = vec![];
    for (step, state) in rollout.states().iter().enumerate() {
        let q = state.joint_q.to_vec()?;
        path.push([f64::from(DT) * (step + 1) as f64, f64::from(q[0]), f64::from(q[1])]);
    }
    Ok((f64::from(loss.get(0)?), gradient, path))
}

fn run(options: &Options) -> Outcome {
    let model = cartpole()?;
    let mut failure = None;
    let stop = Stop { iterations: options.n, ..Stop::default() };
    // The same push at all times goes nowhere, so the first guess already swings.
    let start: Vec<f64> = (0..options.steps).map(|k| 2.0 * (0.08 * k as f64).cos()).collect();
    let found = Adam::new(0.5f64).minimize(&start, &stop, |forces| match tried(&model, forces) {
        Ok((loss, gradient, _)) => (loss, gradient),
        Err(error) => {
            failure = Some(error);
            (f64::NAN, vec![0.0; forces.len()])
        }
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    let (loss, _, path) = tried(&model, &found.x)?;
    let [time, cart, pole] = path.last().copied().unwrap_or_default();
    let lean = pole - std::f64::consts::PI;
    output::line(format!(
        "after {time:.2} s the pole leans by {lean:.4} rad, the cart is at {cart:.4} m; loss {loss:.2e}"
    ))?;
    Chart::new("A cart swings its pole up", "time, s", "m, rad, N")
        .line("cart, m", path.iter().map(|at| [at[0], at[1]]).collect())
        .line("pole, rad", path.iter().map(|at| [at[0], at[2]]).collect())
        .line("force, N", path.iter().zip(&found.x).map(|(at, force)| [at[0], *force]).collect())
        .draw()
        .save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    if options.n >= 300 && options.steps >= 100 && (lean.abs() > 0.1 || cart.abs() > 1.0) {
        return Err("The pole does not stand.".to_owned().into());
    }
    Ok(())
}
