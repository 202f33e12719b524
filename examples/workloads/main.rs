//! Runs one measured workload and prints one JSON line: `workloads w2 --n 100000 --steps 1000 --threads 1 --json`.
//!
//! One repetition puts the inputs back (not timed), then runs all steps (timed). The first repetition is not timed.

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use warp::prelude::*;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::{all_threads, count};
use warp_examples_support::output;
use warp_examples_support::report::{Measured, Report};
use warp_examples_support::workload::maps::Map;

mod arrays;
mod functions;
mod grids;
mod measure;
mod points;

#[path = "../cloth/simulation.rs"]
mod cloth;
#[path = "../cloth_grad/simulation.rs"]
#[expect(dead_code, reason = "only the gradient is measured")]
mod cloth_grad;
#[path = "../heat/simulation.rs"]
mod heat;
#[path = "../heat_control/simulation.rs"]
#[expect(dead_code, reason = "only the gradient is measured")]
mod heat_control;
#[path = "../mandelbrot/simulation.rs"]
mod mandelbrot;
#[path = "../nbody/simulation.rs"]
mod nbody;
#[path = "../particles/simulation.rs"]
mod particles;

/// Measure one workload.
#[derive(Parser)]
struct Options {
    /// Which workload.
    workload: Name,
    /// Size; the workload's own when not given.
    #[arg(long, value_parser = count(u64::MAX))]
    n: Option<usize>,
    /// Steps of one repetition; the workload's own when not given.
    #[arg(long, value_parser = count(1 << 32))]
    steps: Option<usize>,
    /// Timed repetitions; 0 means 5 to 25, as they take.
    #[arg(long, default_value_t = 0)]
    reps: usize,
    /// Variant of the workload: w4 and w5 have `grad`, forward and back; w14 has `shuffled`, w15 needs its function: sin, cos, exp, log, pow, atan2, sqrt or div.
    #[arg(long, default_value = "")]
    mode: String,
    /// Threads of the machine that take part at most.
    #[arg(long, default_value_t = all_threads(), value_parser = count(1 << 16))]
    threads: usize,
    /// Print the result on one line.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Name {
    /// y = 2.5 x + y.
    W1,
    /// Particles in a central field.
    W2,
    /// Bodies that all pull each other.
    W3,
    /// A cloth of masses and springs.
    W4,
    /// Heat on a plate.
    W5,
    /// A formula with six functions.
    W8,
    /// Launches of one thread.
    W9,
    /// The Mandelbrot set.
    W14,
    /// One function of each number.
    W15,
}

/// Everything that a workload needs to know.
struct Job {
    device: Device,
    n: usize,
    steps: usize,
    reps: usize,
    threads: usize,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let name = options.workload.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let (usual, most, steps) = options.workload.sizes(&options.mode);
    let n = options.n.unwrap_or(usual);
    if n > most {
        return Err(format!("The largest size of {name} is {most}, not {n}.").into());
    }
    let job = Job {
        device: Device::cpu(),
        n,
        steps: options.steps.unwrap_or(steps),
        reps: options.reps,
        threads: options.threads,
    };
    let measured = options.workload.measure(&options.mode, &job)?;
    let report = Report::new(&name, &options.mode, (job.n, job.steps), job.threads, measured);
    output::line(report.line(!options.json))?;
    Ok(report.verdict()?)
}

impl Name {
    /// The usual size, the largest, and the usual number of steps. Sides of a grid count, not its cells.
    fn sizes(self, mode: &str) -> (usize, usize, usize) {
        match self {
            Name::W1 => (16_777_216, 1 << 28, 10),
            Name::W2 => (100_000, 1 << 28, 1000),
            Name::W3 => (4096, 1 << 20, 10),
            Name::W4 => (128, 2048, 200),
            Name::W5 if mode == "grad" => (512, 8192, 50),
            Name::W5 => (1024, 8192, 200),
            Name::W8 => (4_194_304, 1 << 28, 1),
            Name::W9 => (1, 1 << 28, 100_000),
            Name::W14 => (1024, 8192, 256),
            Name::W15 => (1_048_576, 1 << 28, 16),
        }
    }

    fn measure(self, mode: &str, job: &Job) -> Outcome<Measured> {
        match (self, mode) {
            (Name::W1, "") => arrays::saxpy(job),
            (Name::W2, "") => points::particles(job),
            (Name::W3, "") => points::nbody(job),
            (Name::W4, "") => points::cloth(job),
            (Name::W4, "grad") => points::cloth_gradient(job),
            (Name::W5, "") => grids::heat(job),
            (Name::W5, "grad") => grids::heat_gradient(job),
            (Name::W8, "") => functions::blend(job),
            (Name::W9, "") => arrays::launches(job),
            (Name::W14, "") => grids::mandelbrot(job, false),
            (Name::W14, "shuffled") => grids::mandelbrot(job, true),
            (Name::W15, _) => match Map::named(mode) {
                Some(map) => functions::map(job, map),
                None => {
                    Err(format!("The modes of w15 are {}, not \"{mode}\".", Map::ALL.map(|(name, _)| name).join(", "))
                        .into())
                }
            },
            _ => Err(format!("The workload has no mode \"{mode}\".").into()),
        }
    }
}
