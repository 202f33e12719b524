//! Pendulums that are let go from three heights: how long they take, beside the exact periods, and how well they keep their energy.

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
    /// Number of steps, 1 ms each.
    #[arg(long, default_value_t = 6_000, value_parser = count(1 << 32))]
    steps: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/pendulums.png")]
    picture: PathBuf,
}

const DT: f32 = 1e-3;
/// Where they start, rad, and their exact periods, s: `4 sqrt(l / g) K(sin²(a / 2))`, K the complete elliptic integral.
const STARTS: [(f64, f64); 3] = [(0.5, 2.03786792), (1.0, 2.13913760), (2.0, 2.66587094)];

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

/// Masses of 1 kg on massless rods of 1 m, side by side in one world.
fn pendulums() -> Result<Model, warp::sim::Error> {
    let mut b = ModelBuilder::new();
    for (k, (angle, _)) in STARTS.into_iter().enumerate() {
        let bob = b.body(format!("bob {k}")).at([0.0, k as f64, 0.0]);
        let bob = bob.mass_properties(1.0, [0.0, 0.0, -1.0], DMat3::ZERO).id();
        b.revolute(format!("hinge {k}"), None, bob, [0.0, 1.0, 0.0]).position(angle);
    }
    b.finalize(&Device::cpu())
}

fn run(options: &Options) -> Outcome {
    let model = pendulums()?;
    let mut sim = Stepper::new(&model, Featherstone::new(&model)?)?;
    // By pendulum: the crossings of the lowest point, and the energy over time.
    let mut crossings = vec![vec![]; STARTS.len()];
    let mut energies = vec![vec![]; STARTS.len()];
    let mut last = sim.state.joint_q.to_vec()?;
    for step in 0..options.steps {
        sim.step(DT)?;
        let (q, qd) = (sim.state.joint_q.to_vec()?, sim.state.joint_qd.to_vec()?);
        for k in 0..STARTS.len() {
            if (q[k] < 0.0) != (last[k] < 0.0) {
                crossings[k].push(sim.time() - f64::from(q[k] / (q[k] - last[k]) * DT));
            }
            if step % 10 == 0 {
                let energy = 0.5 * f64::from(qd[k]).powi(2) + 9.81 * (1.0 - f64::from(q[k]).cos());
                let start = 9.81 * (1.0 - STARTS[k].0.cos());
                energies[k].push([sim.time(), 100.0 * (energy / start - 1.0)]);
            }
        }
        last = q;
    }
    sim.check()?;
    let mut wrong = 0;
    for (k, (angle, exact)) in STARTS.into_iter().enumerate() {
        let [first, _, third, ..] = crossings[k][..] else { continue };
        let period = third - first;
        output::line(format!("from {angle} rad: a period of {period:.4} s, and exactly {exact:.4} s"))?;
        wrong += usize::from((period / exact - 1.0).abs() > 1e-3);
    }
    let mut chart = Chart::new("Energy of pendulums", "time, s", "off the start by, %");
    for ((angle, _), energies) in STARTS.into_iter().zip(energies) {
        chart = chart.line(&format!("from {angle} rad"), energies);
    }
    chart.draw().save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    if wrong > 0 {
        return Err("A period is off by more than a thousandth.".to_owned().into());
    }
    Ok(())
}
