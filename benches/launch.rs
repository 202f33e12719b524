//! What a launch costs through the public API: an ordinary one, one that a tape records, one of a graph, one that two threads
//! of the machine share, and the first one of a kernel, which makes native code of it.

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use measure::Clock;
use warp::Tape;
use warp::prelude::*;
use warp_cpu::Cpu;

mod measure;

#[kernel]
fn add(a: &[f32], b: &[f32], sum: &mut [f32]) {
    let i = tid();
    sum[i] = a[i] + b[i];
}

#[kernel]
fn waves(a: &[f32], sum: &mut [f32]) {
    let i = tid();
    sum[i] = a[i].sin() * a[i].exp();
}

/// A particle in a central field: what a first launch compiles.
#[kernel]
fn fall(pos: &mut [Vec3], vel: &mut [Vec3], strength: f32, dt: f32) {
    let i = tid();
    let r = pos[i].length();
    if r > 1e-6 {
        vel[i] -= pos[i] * (strength * dt / (r * r * r));
        pos[i] += vel[i] * dt;
    }
}

/// Launches that a tape or a graph holds.
const MANY: usize = 1000;

/// Launches of one thread with three arrays.
fn floor(c: &mut Criterion<Clock>) {
    let device = Device::cpu();
    let one = || Array::<f32>::full(&device, 1, 1.0).expect("memory");
    let (a, b, mut sum) = (one(), one(), one());
    let mut many = || (0..MANY).try_for_each(|_| add::launch(1, &a, &b, &mut sum));
    let mut group = c.benchmark_group("launch");
    group.throughput(Throughput::Elements(MANY as u64));
    group.bench_function("plain", |bench| bench.iter(|| many().expect("launches")));
    group.bench_function("recorded", |bench| bench.iter(|| Tape::record(&mut many).expect("launches")));
    let (graph, ()) = device.capture(many).expect("launches");
    group.bench_function("replayed", |bench| bench.iter(|| graph.launch().expect("launches")));
    group.finish();
}

/// Launches that one thread of the machine makes alone, and that two share, whether it pays or not.
fn fan_out(c: &mut Criterion<Clock>) {
    let devices = [("alone", Cpu::with_threads(1)), ("shared by two", Cpu::with_threads(2).eager())]
        .map(|(name, cpu)| (name, Device::new(Arc::new(cpu))));
    for threads in [2, 1 << 10, 1 << 14, 1 << 18] {
        let mut group = c.benchmark_group(format!("fan-out of {threads} threads"));
        for (name, device) in &devices {
            let a = Array::from_fn(device, threads, |[i]| 1e-3 * i as f32 % 10.0).expect("memory");
            let mut sum = Array::zeros(device, threads).expect("memory");
            group.bench_function(*name, |bench| {
                bench.iter(|| waves::on(device).launch(threads, &a, &mut sum).expect("a launch"));
            });
        }
        group.finish();
    }
}

/// First launches: on a device of its own each, which has no code of the kernel.
fn first(c: &mut Criterion<Clock>) {
    let cpu = || Cpu::with_threads(1);
    let mut group = c.benchmark_group("first launch");
    for (name, lanes) in [("one by one", false), ("in lanes", true)] {
        let fresh = || {
            // With lanes the code for single threads is made as well: bundles that leave, and the rest behind them, run it.
            let device = Device::new(Arc::new(if lanes { cpu().lanes() } else { cpu().scalar() }));
            let arrays = [(); 2].map(|()| Array::<Vec3>::full(&device, 64, Vec3::ONE).expect("memory"));
            (device, arrays)
        };
        let launch = |(device, [mut pos, mut vel]): (Device, [Array<Vec3>; 2])| {
            fall::on(&device).launch(64, &mut pos, &mut vel, 0.5, 0.01).expect("a launch");
            black_box((device, pos, vel))
        };
        group.bench_function(name, |bench| bench.iter_batched(fresh, launch, BatchSize::PerIteration));
    }
    group.finish();
}

criterion_group! { name = benches; config = measure::criterion(Clock::Wall); targets = floor, fan_out, first }
criterion_main!(benches);
