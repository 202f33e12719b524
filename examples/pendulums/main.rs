//! Pendulums that are let go from several heights: how long they take, beside the exact periods, and how well they keep their energy.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use warp::math::DMat3;
use warp::prelude::*;
use warp::sim::{Featherstone, Model, ModelBuilder, Stepper};
use warp_examples_support::chart::Chart;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;

/// Let pendulums swing.
#[derive(Parser)]
struct Options {
    /// Number of pendulums, from half a radian to two and a half.
    #[arg(long, default_value_t = 4, value_parser = count(1000))]
    n: usize,
    /// Number of steps, 1 ms each.
    #[arg(long, default_value_t = 6_000, value_parser = count(1 << 32))]
    steps: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/pendulums.png")]
    picture: PathBuf,
}

const DT: f32 = 1e-3;

/// Where the pendulums start, rad.
fn starts(n: usize) -> Vec<f64> {
    (0..n).map(|k| 0.5 + 2.0 * k as f64 / (n.max(2) - 1) as f64).collect()
}

/// How long a pendulum of 1 m takes from an angle, exactly: `4 sqrt(l / g) K(sin²(a / 2))`, K the complete elliptic integral, by the
/// mean of means of Gauss.
fn period(angle: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    2.0 * std::f64::consts::PI / a / f64::sqrt(9.81)
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

/// Masses of 1 kg on massless rods of 1 m, side by side in one world.
fn pendulums(starts: &[f64]) -> Result<Model, warp::sim::Error> {
    let mut b = ModelBuilder::new();
    for (k, angle) in starts.iter().enumerate() {
        let bob = b.body(format!("bob {k}")).at([0.0, k as f64, 0.0]);
        let bob = bob.mass_properties(1.0, [0.0, 0.0, -1.0], DMat3::ZERO).id();
        b.revolute(format!("hinge {k}"), None, bob, [0.0, 1.0, 0.0]).position(*angle);
    }
    b.finalize(&Device::cpu())
}

fn run(options: &Options) -> Outcome {
    let starts = starts(options.n);
    let model = pendulums(&starts)?;
    let mut sim = Stepper::new(&model, Featherstone::new(&model)?)?;
    // By pendulum: the crossings of the lowest point, and the energy over time.
    let mut crossings = vec![vec![]; starts.len()];
    let mut energies = vec![vec![]; starts.len()];
    let mut last = sim.state.joint_q.to_vec()?;
    for step in 0..options.steps {
        sim.step(DT)?;
        let (q, qd) = (sim.state.joint_q.to_vec()?, sim.state.joint_qd.to_vec()?);
        for k in 0..starts.len() {
            if (q[k] < 0.0) != (last[k] < 0.0) {
                crossings[k].push(sim.time() - f64::from(q[k] / (q[k] - last[k]) * DT));
            }
            if step % 10 == 0 {
                let energy = 0.5 * f64::from(qd[k]).powi(2) + 9.81 * (1.0 - f64::from(q[k]).cos());
                let start = 9.81 * (1.0 - starts[k].cos());
                energies[k].push([sim.time(), 100.0 * (energy / start - 1.0)]);
            }
        }
        last = q;
    }
    sim.check()?;
    let mut wrong = 0;
    for (k, angle) in starts.iter().enumerate() {
        let exact = period(*angle);
        let [first, _, third, ..] = crossings[k][..] else { continue };
        let period = third - first;
        output::line(format!("from {angle:.2} rad: a period of {period:.4} s, and exactly {exact:.4} s"))?;
        wrong += usize::from((period / exact - 1.0).abs() > 1e-3);
    }
    let mut chart = Chart::new("Energy of pendulums", "time, s", "off the start by, %");
    for (angle, energies) in starts.iter().zip(energies).take(5) {
        chart = chart.line(&format!("from {angle:.2} rad"), energies);
    }
    chart.draw().save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    if wrong > 0 {
        return Err("A period is off by more than a thousandth.".to_owned().into());
    }
    Ok(())
}
