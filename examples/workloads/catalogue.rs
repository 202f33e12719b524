//! The measured workloads: their names, their usual sizes, and how each is run.

use clap::ValueEnum;
use warp::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;
use warp_examples_support::workload::maps::Map;

use crate::{arrays, functions, grids, planes, points};

/// A workload.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Name {
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
    /// The first result of a process.
    W10,
    /// The Mandelbrot set.
    W14,
    /// One function of each number.
    W15,
}

/// Everything that a workload needs to know.
pub struct Job {
    pub device: Device,
    pub n: usize,
    pub steps: usize,
    pub reps: usize,
    pub threads: usize,
}

impl Name {
    /// The usual size, the largest, and the usual number of steps. Sides of a grid count, not its cells.
    pub fn sizes(self, mode: &str) -> (usize, usize, usize) {
        match self {
            Name::W1 => (16_777_216, 1 << 28, 10),
            Name::W2 => (100_000, 1 << 28, 1000),
            Name::W3 => (4096, 1 << 20, 10),
            Name::W4 => (128, 2048, 200),
            Name::W5 if mode == "grad" => (512, 8192, 50),
            Name::W5 => (1024, 8192, 200),
            Name::W8 => (4_194_304, 1 << 28, 1),
            Name::W9 => (1, 1 << 28, 100_000),
            Name::W10 => (1024, 1 << 24, 1),
            Name::W14 => (1024, 8192, 256),
            Name::W15 => (1_048_576, 1 << 28, 16),
        }
    }

    /// Runs it.
    pub fn measure(self, mode: &str, job: &Job) -> Outcome<Measured> {
        match (self, mode) {
            (Name::W1, "") => arrays::saxpy(job),
            (Name::W2, "") => points::particles(job),
            (Name::W2, "planes") => planes::particles(job),
            (Name::W3, "") => points::nbody(job),
            (Name::W4, "") => points::cloth(job),
            (Name::W4, "grad") => points::cloth_gradient(job),
            (Name::W5, "") => grids::heat(job),
            (Name::W5, "grad") => grids::heat_gradient(job),
            (Name::W8, "") => functions::blend(job),
            (Name::W9, "") => arrays::launches(job),
            (Name::W10, "") => arrays::first_result(job),
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
