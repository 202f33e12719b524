//! The Mandelbrot set: a pixel is a thread.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use warp::prelude::*;
use warp_examples_support::color;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::{all_threads, count};
use warp_examples_support::output;
use warp_examples_support::picture::Picture;
use warp_examples_support::workload::mandelbrot::{checksum, reference, share_that_differs};

mod simulation;

/// Draw the Mandelbrot set.
#[derive(Parser)]
struct Options {
    /// Width and height of the picture in pixels.
    #[arg(long, default_value_t = 1024, value_parser = count(8192))]
    n: usize,
    /// Turns after which a point counts as inside.
    #[arg(long, default_value_t = 256, value_parser = count(1 << 20))]
    limit: usize,
    /// Threads of the machine that take part at most.
    #[arg(long, default_value_t = all_threads(), value_parser = count(1 << 16))]
    threads: usize,
    /// Write the picture to this PNG file.
    #[arg(long, value_name = "FILE", default_value = "out/mandelbrot.png")]
    picture: PathBuf,
}

/// Contraction to fused multiply-add moves the count of a few pixels at the edge.
const MAY_DIFFER: f64 = 0.005;

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let (n, limit) = (options.n, options.limit as i32);
    let device = Device::cpu();
    let mut counts = Array::zeros(&device, n * n)?;
    let start = Instant::now();
    simulation::rows::on(&device).threads(options.threads).launch(n * n, &mut counts, n as i32, limit)?;
    let seconds = start.elapsed().as_secs_f64();
    let counts = counts.to_vec()?;
    let differ = share_that_differs(&counts, &reference(n, limit));
    let (turns, percent) = (checksum(&counts), 100.0 * differ);
    output::line(format!("{n} x {n} pixels: {seconds:.3} s, {turns:.0} turns, {percent:.3} % of the pixels differ"))?;
    if differ > MAY_DIFFER {
        return Err("More pixels differ from the reference than rounding explains.".into());
    }
    picture(&counts, n, limit).save(&options.picture)?;
    output::line(format!("picture: {}", options.picture.display()))?;
    Ok(())
}

/// Points inside are black; outside, the colour tells the turns on a logarithmic scale.
fn picture(counts: &[i32], n: usize, limit: i32) -> Picture {
    let full = (1.0 + limit as f32).ln();
    Picture::from_fn(n, n, |x, y| match counts[y * n + x] {
        k if k == limit => [0; 3],
        k => color::heat((1.0 + k as f32).ln() / full),
    })
}
