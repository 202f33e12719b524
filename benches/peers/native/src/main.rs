//! Measures one workload in plain Rust and prints one JSON line, as the example `workloads` does:
//! `warp-native-peer w2 rust-aos --n 100000 --steps 1000 --threads 1`.

use std::process::ExitCode;

use clap::Parser;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;
use warp_examples_support::report::{Measured, Report};
use warp_examples_support::timing::repeat;

mod arrays;
mod cloth;
mod functions;
mod heat;
mod mandelbrot;
mod nbody;
mod particles;
mod roofline;

/// Measure one workload in plain Rust.
#[derive(Parser)]
struct Job {
    /// Which workload.
    workload: String,
    /// Which way of writing it.
    program: String,
    /// Size.
    #[arg(long, value_parser = count(1 << 32))]
    n: usize,
    /// Steps of one repetition.
    #[arg(long, value_parser = count(1 << 32))]
    steps: usize,
    /// Timed repetitions; 0 means 5 to 25, as they take.
    #[arg(long, default_value_t = 0)]
    reps: usize,
    /// Variant of the workload.
    #[arg(long, default_value = "")]
    mode: String,
    /// Threads that take part.
    #[arg(long, default_value_t = 1, value_parser = count(1 << 10))]
    threads: usize,
}

type Run = fn(&Job) -> Outcome<Measured>;

/// Workload, name of the program, program.
const PROGRAMS: [(&str, &str, Run); 13] = [
    ("w1", "rust", arrays::saxpy),
    ("w2", "rust", particles::planes),
    ("w2", "rust-aos", particles::vectors),
    ("w3", "rust", nbody::blocks),
    ("w4", "rust", cloth::gather),
    ("w4", "rust-scatter", cloth::scatter),
    ("w5", "rust", heat::rows),
    ("w8", "rust", functions::blend),
    ("w13", "triad", roofline::triad),
    ("w13", "fma", roofline::multiply_and_add),
    ("w14", "rust", mandelbrot::side_by_side),
    ("w14", "rust-scalar", mandelbrot::one_by_one),
    ("w15", "rust", functions::map),
];

fn main() -> ExitCode {
    exit(run(&Job::parse()))
}

fn run(job: &Job) -> Outcome {
    let found = PROGRAMS.iter().find(|(workload, name, _)| (*workload, *name) == (&job.workload, &job.program));
    let (workload, name, program) = found.ok_or_else(|| format!("{} has no program {}.", job.workload, job.program))?;
    rayon::ThreadPoolBuilder::new().num_threads(job.threads).build_global()?;
    let mut report = Report::new(workload, &job.mode, (job.n, job.steps), job.threads, program(job)?);
    (report.peer, report.version) = (name, env!("RUSTC_OF_THIS_BUILD"));
    output::line(report.line(false))?;
    Ok(report.verdict()?)
}

impl Job {
    /// Times a program. `reset` puts its inputs back, `work` does all steps, `judge` gives checksum and largest deviation.
    fn measure<S>(
        &self,
        mut state: S,
        mut reset: impl FnMut(&mut S),
        mut work: impl FnMut(&mut S),
        judge: impl FnOnce(&S) -> (f64, f64),
    ) -> Outcome<Measured> {
        let times = repeat(
            self.reps,
            &mut state,
            |state| {
                reset(state);
                Outcome::Ok(())
            },
            |state| {
                work(state);
                Ok(())
            },
        )?;
        let (checksum, max_err) = judge(&state);
        Ok(Measured { times, compile_seconds: None, checksum, max_err: Some(max_err) })
    }

    /// Elements of a part of `n`, so that each thread has about `parts` of them and none is smaller than `least`.
    fn part(&self, n: usize, parts: usize, least: usize) -> usize {
        n.div_ceil(self.threads * parts).max(least)
    }
}
