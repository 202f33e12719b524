//! The smallest program: balls fall on a floor, each in a thread of its own.

use std::process::ExitCode;

use clap::Parser;
use warp::prelude::*;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;

/// Each thread moves one ball.
#[kernel]
fn fall(height: &mut [f32], speed: &mut [f32], dt: f32) {
    let i = tid();
    speed[i] -= 9.81 * dt;
    height[i] += speed[i] * dt;
    if height[i] < 0.0 {
        height[i] = 0.0;
        speed[i] *= -0.5;
    }
}

/// Let balls fall from 1 m, 2 m, 3 m and so on, and print their heights.
#[derive(Parser)]
struct Options {
    /// Number of balls.
    #[arg(long, default_value_t = 8, value_parser = count(1 << 24))]
    n: usize,
    /// Number of steps, 0.01 s each.
    #[arg(long, default_value_t = 50)]
    steps: usize,
    /// Threads of the launch; more than there are balls is a fault, which shows how faults look.
    #[arg(long, value_name = "N", value_parser = count(1 << 24))]
    launch: Option<usize>,
}

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let device = Device::cpu();
    let starts: Vec<f32> = (1..=options.n).map(|k| k as f32).collect();
    let mut height = Array::from_slice(&device, &starts)?;
    let mut speed = Array::zeros(&device, options.n)?;
    for _ in 0..options.steps {
        fall::launch(options.launch.unwrap_or(options.n), &mut height, &mut speed, 0.01)?;
    }
    let heights = height.to_vec()?;
    check(&starts, &heights, options.steps)?;
    for (start, height) in starts.iter().zip(&heights).take(8) {
        output::line(format!("from {start:>3} m: {height:.4} m"))?;
    }
    Ok(())
}

/// Balls that have not met the floor have the height of the closed form of the steps: h - g dt^2 k (k + 1) / 2.
fn check(starts: &[f32], heights: &[f32], steps: usize) -> Outcome {
    let fallen = 9.81 * 0.01 * 0.01 * (steps as f64 * (steps as f64 + 1.0) / 2.0);
    for (start, height) in starts.iter().zip(heights) {
        let expected = f64::from(*start) - fallen;
        let wrong = (f64::from(*height) - expected).abs() > 1e-4 * expected;
        if height.is_nan() || *height < 0.0 || (expected > 0.0 && wrong) {
            return Err(format!("The ball from {start} m is at {height} m, expected is {expected:.4} m.").into());
        }
    }
    Ok(())
}
