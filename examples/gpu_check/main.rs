//! Whether a GPU computes what the CPU does, and how fast: the conformance suite of backends, the suite of gradients and
//! the measured workloads, on one device, as a table.
//!
//! ```text
//! cargo run --release --example gpu_check
//! ```
//!
//! It ends with 0 where all results are those of the CPU, with 1 where one is not, and with 3 where there is no GPU. What
//! counts as equal: all bits, but any NaN for another; where a workload adds up floats by atomics, whose order no GPU
//! promises, sums to a tolerance of its own.

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use warp::cuda::{Cuda, Device, Driver, Properties};
use warp_examples_support::check::{Limits, Table};
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::output;

mod attempt;
mod suites;
mod workloads;

#[path = "../workloads/arrays.rs"]
mod arrays;
#[path = "../workloads/catalogue.rs"]
mod catalogue;
#[path = "../cloth/simulation.rs"]
mod cloth;
#[path = "../cloth_grad/simulation.rs"]
#[expect(dead_code, reason = "only the gradient is measured")]
mod cloth_grad;
#[path = "../workloads/functions.rs"]
mod functions;
#[path = "../../tests/gradients/main.rs"]
mod gradients;
#[path = "../workloads/grids.rs"]
mod grids;
#[path = "../heat/simulation.rs"]
mod heat;
#[path = "../heat_control/simulation.rs"]
#[expect(dead_code, reason = "only the gradient is measured")]
mod heat_control;
#[path = "../mandelbrot/simulation.rs"]
mod mandelbrot;
#[path = "../workloads/measure.rs"]
mod measure;
#[path = "../nbody/simulation.rs"]
mod nbody;
#[path = "../particles/simulation.rs"]
mod particles;
#[path = "../workloads/planes.rs"]
mod planes;
#[path = "../workloads/points.rs"]
mod points;

use catalogue::Job;

/// How the program ends where there is no GPU.
const NO_DEVICE: u8 = 3;

/// Hold a GPU against the CPU: kernels, gradients, and the measured workloads with their speed.
#[derive(Parser)]
struct Options {
    /// Which of the GPUs that the driver sees.
    #[arg(long, default_value_t = 0)]
    device: usize,
    /// What to run; all parts when none is named.
    #[arg(long, value_enum)]
    part: Vec<Part>,
    /// Sizes for a driver that interprets kernels (named by WARP_LIBCUDA): all is run, and times mean nothing.
    #[arg(long)]
    small: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Part {
    /// What every backend must do.
    Conformance,
    /// Gradients of small kernels on which a way back easily goes wrong.
    Gradients,
    /// The measured workloads.
    Workloads,
}

fn main() -> ExitCode {
    let options = Options::parse();
    match Driver::get().and_then(|driver| driver.device(options.device)) {
        Ok(device) => match check(&options, &device) {
            Ok(0) => exit(Ok(())),
            Ok(count) => exit(Err(told(count).into())),
            Err(error) => exit(Err(error)),
        },
        Err(why) => {
            eprintln!("error: device cuda:{} cannot be checked: {why}", options.device);
            ExitCode::from(NO_DEVICE)
        }
    }
}

fn told(differences: usize) -> String {
    match differences {
        1 => "1 of these differs from the CPU".into(),
        n => format!("{n} of these differ from the CPU"),
    }
}

/// Runs what was asked for, and prints the table; gives how many lines of it differ.
fn check(options: &Options, device: &Device) -> Outcome<usize> {
    let properties = device.properties();
    output::line(heading(device, properties))?;
    let wanted = |part| options.part.is_empty() || options.part.contains(&part);
    let mut table = Table { limits: limits(properties), rows: Vec::new() };
    if wanted(Part::Conformance) {
        table.rows.extend(suites::conformance(device));
    }
    if wanted(Part::Gradients) {
        table.rows.extend(suites::gradients(device));
    }
    if wanted(Part::Workloads) {
        let backend = Cuda::new(device).map_err(|error| error.to_string())?;
        table.rows.extend(workloads::all(device, &warp::Device::new(std::sync::Arc::new(backend)), options.small)?);
    }
    output::line(table.to_string().trim_end())?;
    Ok(table.differences())
}

fn heading(device: &Device, properties: &Properties) -> String {
    let (major, minor) = properties.capability;
    let version = device.driver().version();
    format!(
        "{}: {}, sm_{major}{minor}, {} multiprocessors, {:.1} GiB, driver of CUDA {}.{}\n",
        device.label(),
        properties.name,
        properties.multiprocessors,
        properties.memory as f64 / (1u64 << 30) as f64,
        version.0,
        version.1
    )
}

/// What the device can do, by its properties.
fn limits(properties: &Properties) -> Limits {
    // Lanes of `f32` arithmetic of a multiprocessor; each multiplies and adds in a clock.
    let lanes = match properties.capability {
        (7, _) | (8, 0) => Some(64.0),
        (8 | 9 | 10 | 12, _) => Some(128.0),
        _ => None,
    };
    let clock = (properties.clock > 0).then(|| 1000.0 * f64::from(properties.clock));
    let operations = lanes.zip(clock).map(|(lanes, clock)| 2.0 * lanes * clock * f64::from(properties.multiprocessors));
    Limits { bytes: properties.bandwidth(), operations }
}
