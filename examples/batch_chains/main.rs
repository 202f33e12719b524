//! Carts that each pull a chain of three links, a thousand worlds at once: how many steps a second, how far the energy drifts, and
//! with `--grad` what the way back takes beside the way forward.

mod chain;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use warp::prelude::*;
use warp::sim::{Featherstone, Solver, State, Stepper};
use warp_examples_support::chart::Chart;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;

use self::chain::chains;

/// Move many chains at once.
#[derive(Parser)]
struct Options {
    /// Number of worlds.
    #[arg(long, default_value_t = 1024, value_parser = count(1 << 24))]
    n: usize,
    /// Number of steps, 5 ms each.
    #[arg(long, default_value_t = 200, value_parser = count(1 << 32))]
    steps: usize,
    /// How often all steps are measured; the median counts.
    #[arg(long, default_value_t = 5, value_parser = count(10_000))]
    reps: usize,
    /// Threads; as many as the machine has unless said.
    #[arg(long, value_parser = count(1024))]
    threads: Option<usize>,
    /// Measure the gradient too: of where all chains end, by all forces on the way.
    #[arg(long)]
    grad: bool,
    /// Write the coordinates of all worlds at the end to this file, as numbers of four bytes.
    #[arg(long, value_name = "FILE")]
    coordinates: Option<PathBuf>,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/batch_chains.png")]
    picture: PathBuf,
}

/// Length of a step, s.
const DT: f32 = 0.005;

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let device = match options.threads {
        Some(threads) => Device::cpu_with_threads(threads),
        None => Device::cpu(),
    };
    let begun = Instant::now();
    let model = chains(options.n, &device)?;
    let built = begun.elapsed();
    let mut sim = Stepper::new(&model, Featherstone::new(&model)?)?;
    let start = sim.state.try_clone()?;
    sim.step(DT)?;
    sim.check()?;
    output::line(format!(
        "{} worlds built in {:.1} ms, first step after {:.0} ms",
        options.n,
        built.as_secs_f64() * 1e3,
        begun.elapsed().as_secs_f64() * 1e3
    ))?;

    let (mut times, mut energies) = (vec![], vec![]);
    let before = model.measure(&start)?;
    for rep in 0..options.reps {
        sim.state = start.try_clone()?;
        device.check()?;
        let begun = Instant::now();
        for step in 0..options.steps {
            sim.step(DT)?;
            // Looking at the energy takes time of its own.
            if rep == 0 && step % 10 == 0 {
                energies.push([f64::from(DT) * (step + 1) as f64, model.measure(&sim.state)?[0].energy()]);
            }
        }
        device.check()?;
        times.push(begun.elapsed().as_secs_f64());
    }
    sim.check()?;
    let forward = median(&times[options.reps.min(2) - 1..]);
    let steps = (options.n * options.steps) as f64;
    output::line(format!("forward: {:.3} million steps of a world a second", steps / forward / 1e6))?;
    let after = model.measure(&sim.state)?;
    let drift = before.iter().zip(&after).map(|(a, b)| (b.energy() - a.energy()).abs()).fold(0.0, f64::max);
    output::line(format!("the energy drifts by {drift:.1e} J at most, of about {:.1} J", before[0].energy().abs()))?;
    if let Some(file) = &options.coordinates {
        let bytes: Vec<u8> = sim.state.joint_q.to_vec()?.into_iter().flat_map(f32::to_le_bytes).collect();
        std::fs::write(file, bytes)?;
    }
    if options.grad {
        let backward = gradient(options, &model)?;
        output::line(format!("backward: {:.2} times the forward", backward / forward))?;
    }
    Chart::new("A chain of three links on a cart", "time, s", "energy of the first world, J")
        .line("", energies)
        .draw()
        .save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    if drift > 0.05 * options.steps as f64 / 200.0 {
        return Err(format!("The energy drifts by {drift} J.").into());
    }
    Ok(())
}

#[kernel]
fn sum_of_squares(q: &[f32], sum: &mut [f32]) {
    let i = tid();
    atomic_add(&mut sum[0], q[i] * q[i]);
}

/// The time that the way back takes, s: the gradient of the sum of all coordinates squared by the forces of each step.
fn gradient(options: &Options, model: &warp::sim::Model) -> Outcome<f64> {
    let solver = Featherstone::new(model)?;
    let mut times = vec![];
    for _ in 0..options.reps {
        let mut states: Vec<State> = (0..=options.steps).map(|_| model.state()).collect::<Result<_, _>>()?;
        let controls = (0..options.steps).map(|_| model.control()).collect::<Result<Vec<_>, _>>()?;
        let mut sum = Array::zeros(model.device(), 1)?;
        let ((), tape) = Tape::record_with(|| {
            for (step, control) in controls.iter().enumerate() {
                let (from, to) = states.split_at_mut(step + 1);
                solver.step(model, &from[step], &mut to[0], control, DT)?;
            }
            sum_of_squares::launch(model.coordinates(), &states[options.steps].joint_q, &mut sum)?;
            Ok::<_, warp::sim::Error>(())
        })?;
        let begun = Instant::now();
        tape.backward(&sum)?;
        model.device().check()?;
        times.push(begun.elapsed().as_secs_f64());
        if !controls[0].joint_f.grad()?.to_vec()?.iter().all(|slope| slope.is_finite()) {
            return Err("A gradient is no number.".to_owned().into());
        }
    }
    Ok(median(&times))
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
