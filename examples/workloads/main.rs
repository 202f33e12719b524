//! Runs one measured workload and prints one JSON line: `workloads w2 --n 100000 --steps 1000 --threads 1 --json`.
//!
//! One repetition puts the inputs back (not timed), then runs all steps (timed). The first repetition is not timed.
//!
//! `workloads --ptx FOLDER` runs nothing, and writes the texts that the kernels have for NVIDIA's driver.

use std::path::PathBuf;
use std::process::ExitCode;

use catalogue::{Job, Name};
use clap::{Parser, ValueEnum};
use warp::prelude::*;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::{all_threads, count};
use warp_examples_support::output;
use warp_examples_support::report::Report;

mod arrays;
mod catalogue;
mod functions;
mod grids;
mod measure;
mod planes;
mod points;
mod texts;

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
    #[arg(required_unless_present = "ptx")]
    workload: Option<Name>,
    /// Size; the workload's own when not given.
    #[arg(long, value_parser = count(u64::MAX))]
    n: Option<usize>,
    /// Steps of one repetition; the workload's own when not given.
    #[arg(long, value_parser = count(1 << 32))]
    steps: Option<usize>,
    /// Timed repetitions; 0 means 5 to 25, as they take.
    #[arg(long, default_value_t = 0)]
    reps: usize,
    /// Variant of the workload: w2 has `planes`, each coordinate in a plane of its own; w4 and w5 have `grad`, forward and back; w14 has `shuffled`, w15 needs its function: sin, cos, exp, log, pow, atan2, sqrt or div.
    #[arg(long, default_value = "")]
    mode: String,
    /// Threads of the machine that take part at most.
    #[arg(long, default_value_t = all_threads(), value_parser = count(1 << 16))]
    threads: usize,
    /// Print the result on one line.
    #[arg(long)]
    json: bool,
    /// Measure nothing: write the PTX of all workloads' kernels, forward and back, into this folder.
    #[arg(long, value_name = "FOLDER", conflicts_with = "workload")]
    ptx: Option<PathBuf>,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    match (&options.ptx, options.workload) {
        (Some(folder), _) => texts::write(folder),
        (None, Some(workload)) => measure_one(workload, options),
        // The parser has seen to it that one of them is there.
        (None, None) => Ok(()),
    }
}

fn measure_one(workload: Name, options: &Options) -> Outcome {
    let name = workload.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
    let (usual, most, steps) = workload.sizes(&options.mode);
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
    let measured = workload.measure(&options.mode, &job)?;
    let report = Report::new(&name, &options.mode, (job.n, job.steps), job.threads, measured);
    output::line(report.line(!options.json))?;
    Ok(report.verdict()?)
}
