//! Swarms of oscillators, each in a stream of its own: they may go side by side, and hold what they hold in one stream.
//!
//! A step is recorded in a graph a hundred times. Events tell how long a swarm took. On the CPU work is done when the call
//! returns, whichever its stream; there the example shows that nothing changes.

use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use warp::Event;
use warp::prelude::*;
use warp_examples_support::failure::{Outcome, exit};
use warp_examples_support::options::count;
use warp_examples_support::output;

/// One step of `x'' = -x`.
#[kernel]
fn swing(place: &mut [f32], speed: &mut [f32], dt: f32) {
    let i = tid();
    speed[i] -= place[i] * dt;
    place[i] += speed[i] * dt;
}

/// Let swarms of oscillators swing, each in a stream of its own.
#[derive(Parser)]
struct Options {
    /// Oscillators of a swarm.
    #[arg(long, default_value_t = 1 << 16, value_parser = count(1 << 26))]
    n: usize,
    /// Steps, a millisecond each; rounded up to hundreds.
    #[arg(long, default_value_t = 1000)]
    steps: usize,
    /// Swarms, and streams.
    #[arg(long, default_value_t = 4, value_parser = count(64))]
    streams: usize,
    /// Where they swing.
    #[arg(long, value_enum, default_value_t = Place::Cpu)]
    device: Place,
}

#[derive(Clone, Copy, ValueEnum)]
enum Place {
    /// The CPU.
    Cpu,
    /// The first NVIDIA GPU.
    Cuda,
}

/// Seconds of a step.
const STEP: f32 = 1e-3;
/// Steps of a graph.
const RECORDED: usize = 100;

fn main() -> ExitCode {
    exit(run(&Options::parse()))
}

fn run(options: &Options) -> Outcome {
    let device = match options.device {
        Place::Cpu => Device::cpu(),
        Place::Cuda => Device::cuda(0)?,
    };
    let launches = options.steps.div_ceil(RECORDED);
    let own: Vec<Stream> = (0..options.streams).map(|_| Stream::new(&device)).collect::<Result<_, _>>()?;
    let beside = swarms(&device, options.n, launches, &own)?;
    let one = vec![own[0].clone(); options.streams];
    let behind = swarms(&device, options.n, launches, &one)?;
    for (k, (swarm, alone)) in beside.iter().zip(&behind).enumerate() {
        if swarm.places != alone.places {
            return Err(format!("Swarm {k} depends on its stream.").into());
        }
        check(k, swarm, launches * RECORDED)?;
        output::line(format!("swarm {k}: {:.3} ms, the first one is at {:+.4}", 1e3 * swarm.seconds, swarm.places[0]))?;
    }
    Ok(())
}

/// What became of a swarm.
struct Swarm {
    places: Vec<f32>,
    /// From when its stream began with it to when it had ended.
    seconds: f64,
}

/// Lets a swarm swing in each of the streams. The host asks for all of it before it waits for any.
fn swarms(device: &Device, n: usize, launches: usize, streams: &[Stream]) -> Result<Vec<Swarm>, warp::Error> {
    let mut running: Vec<(Array<f32>, Event, Event)> = Vec::new();
    for (k, stream) in streams.iter().enumerate() {
        let start = stream.record()?;
        let mut place = Array::full(device, n, start_of(k))?;
        let mut speed = Array::zeros(device, n)?;
        let (steps, ()) =
            device.capture(|| (0..RECORDED).try_for_each(|_| swing::launch(n, &mut place, &mut speed, STEP)))?;
        for _ in 0..launches {
            steps.launch_on(stream)?;
        }
        // The graph and the speeds go while the stream still works on them, and their memory after that.
        running.push((place, start, stream.record()?));
    }
    let ended = |(place, start, end): (Array<f32>, Event, Event)| {
        Ok(Swarm { places: place.to_vec()?, seconds: end.seconds_since(&start)? })
    };
    running.into_iter().map(ended).collect()
}

/// Where the oscillators of a swarm start.
fn start_of(swarm: usize) -> f32 {
    1.0 + swarm as f32
}

/// The cosine of the time; the steps lag by half of one, and rounding adds up.
fn check(k: usize, swarm: &Swarm, steps: usize) -> Outcome {
    let time = steps as f64 * f64::from(STEP);
    let expected = f64::from(start_of(k)) * time.cos();
    let allowed = f64::from(start_of(k)) * (f64::from(STEP) + 1e-6 * steps as f64);
    let off = |place: f32| (f64::from(place) - expected).abs();
    match swarm.places.iter().find(|place| place.is_nan() || off(**place) > allowed) {
        Some(place) => Err(format!("An oscillator of swarm {k} is at {place}, expected is {expected:.4}.").into()),
        None => Ok(()),
    }
}
