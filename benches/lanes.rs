//! Kernels whose threads part, meet in memory, or have little that vectors could do: nanoseconds of processor time a thread,
//! one thread after the other, in the lanes of vectors, in lanes that take up other threads, and as the backend chooses by itself.
//!
//! The choice should be near the best one. Kernels without a loop of their own have no lanes that take up other threads, and run
//! in lanes there.

use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use measure::Clock;
use warp::prelude::*;
use warp_cpu::Cpu;

mod measure;

/// One of two formulas.
#[kernel]
fn choices(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let v = x[i];
    if key[i] & 1 == 0 {
        y[i] = (v * v + 1.0).sqrt() / (v + 3.0);
    } else {
        y[i] = v * (1.0 - v) * (2.0 - v) / (v * v + 0.5);
    }
}

/// One of eight functions.
#[kernel]
fn functions(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let v = x[i];
    y[i] = match key[i] % 8 {
        0 => v.sin(),
        1 => v.exp(),
        2 => (v + 1.0).ln(),
        3 => v.cos(),
        4 => v.tan(),
        5 => v.atan(),
        6 => (v + 2.0).powf(0.7),
        _ => v.tanh(),
    };
}

/// Up to 64 turns.
#[kernel]
fn turns(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let mut v = x[i];
    for _ in 0..key[i] % 64 {
        v += 0.01 * v * (1.0 - v);
    }
    y[i] = v;
}

/// Few turns, hardly ever many.
#[kernel]
fn stragglers(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let turns = if key[i] & 63 == 0 { 400 } else { 3 };
    let mut v = x[i];
    for _ in 0..turns {
        v += 0.01 * v * (1.0 - v);
    }
    y[i] = v;
}

/// Points of the plane without order: turns until they leave a circle.
#[kernel]
fn orbits(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let cx = 2.6 * x[i] - 2.0;
    let cy = key[i] as f32 * (2.6 / 4294967296.0) - 1.3;
    let (mut a, mut b, mut k) = (0.0, 0.0, 0);
    while k < 256 {
        let (a2, b2) = (a * a, b * b);
        if a2 + b2 > 4.0 {
            break;
        }
        b = (a + a) * b + cy;
        a = (a2 - b2) + cx;
        k += 1;
    }
    y[i] = k as f32;
}

/// Elements that lie anywhere.
#[kernel]
fn gathers(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[key[i] as usize % x.len()] + x[i];
}

/// A sum in turns that threads leave, of elements that lie anywhere.
#[kernel]
fn walks(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let mut at = key[i] as usize % x.len();
    let mut sum = 0.0;
    let mut left = key[i] % 16;
    while left > 0 {
        sum += x[at];
        at = key[at] as usize % x.len();
        left -= 1;
    }
    y[i] = sum;
}

/// Integers of 64 bits.
#[kernel]
fn hashes(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let mut z = key[i] as u64;
    for _ in 0..4 {
        z = (z ^ (z >> 30)) * 0xbf58_476d_1ce4_e5b9;
        z ^= z >> 27;
    }
    y[i] = (z >> 40) as f32 + x[i];
}

/// Divisions of integers.
#[kernel]
fn quotients(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let k = key[i];
    y[i] = (k / (k % 100 + 1) + k % (k % 77 + 3)) as f32 + x[i];
}

/// Additions to elements that many threads share.
#[kernel]
fn counts(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    atomic_add(&mut y[key[i] as usize % 1000], x[i]);
}

/// Nine of ten threads have nothing to do.
#[kernel]
fn returns(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    if key[i] % 10 < 9 {
        return;
    }
    y[i] = x[i].sin() + x[i].cos();
}

/// Double precision.
#[kernel]
fn doubles(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let v = x[i] as f64 + key[i] as f64;
    y[i] = (v.sqrt() / (v + 1.0) + v * 1e-3) as f32;
}

/// An array of the thread's own, sorted by a network: all threads use the same elements.
#[kernel]
fn medians(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let mut w = [0.0f32; 5];
    for (k, element) in w.iter_mut().enumerate() {
        *element = x[i + k];
    }
    for end in 0..4 {
        for k in 0..4 - end {
            let (a, b) = (w[k], w[k + 1]);
            w[k] = a.min(b);
            w[k + 1] = a.max(b);
        }
    }
    y[i] = w[2] + (key[i] & 1) as f32;
}

/// Four equations by elimination, in an array of the thread's own.
#[kernel]
fn solves(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let mut m = [0.0f32; 20];
    for r in 0..4 {
        for c in 0..5 {
            m[5 * r + c] = x[i + 5 * r + c] + if r == c { 4.0 } else { 0.0 };
        }
    }
    for p in 0..4 {
        for r in p + 1..4 {
            let factor = m[5 * r + p] / m[5 * p + p];
            for c in p..5 {
                m[5 * r + c] -= factor * m[5 * p + c];
            }
        }
    }
    let mut z = [0.0f32; 4];
    for q in 0..4 {
        let r = 3 - q;
        let mut sum = m[5 * r + 4];
        for c in r + 1..4 {
            sum -= m[5 * r + c] * z[c];
        }
        z[r] = sum / m[5 * r + r];
    }
    y[i] = z[0] + z[3] + (key[i] & 1) as f32;
}

/// An array of the thread's own, sorted by insertion: each thread stops elsewhere.
#[kernel]
fn insertions(x: &[f32], key: &[u32], y: &mut [f32]) {
    let i = tid();
    let mut w = [0.0f32; 8];
    for k in 0..8 {
        let v = x[i + k] + (key[i] >> 31) as f32;
        let mut at = k;
        while at > 0 && w[at - 1] > v {
            w[at] = w[at - 1];
            at -= 1;
        }
        w[at] = v;
    }
    y[i] = w[4];
}

/// A function of the bench's own name for launches.
type Launch = fn(&Device, usize, &Array<f32>, &Array<u32>, &mut Array<f32>) -> Result<(), warp::Error>;

macro_rules! kernels {
    ($($name:ident)*) => {
        [$((stringify!($name), (|device, n, x, key, y| $name::on(device).launch(n, x, key, y)) as Launch)),*]
    };
}

const THREADS: usize = 1 << 17;

/// Launches of each kernel before it is measured: by then the backend has made its choice.
const WARM: usize = 6;

fn kernels(c: &mut Criterion<Clock>) {
    let cpu = || Cpu::with_threads(1);
    let devices = [
        ("one by one", cpu().scalar()),
        ("in lanes", cpu().lanes()),
        ("that take up others", cpu().refilling()),
        ("as chosen", cpu()),
    ]
    .map(|(name, cpu)| (name, Device::new(Arc::new(cpu))));
    let mut state = 7u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    // Some kernels read a few elements beyond their own.
    let keys: Vec<u32> = (0..THREADS + 32).map(|_| next()).collect();
    let numbers: Vec<f32> = (0..THREADS + 32).map(|_| next() as f32 / u32::MAX as f32).collect();
    let kernels = kernels![choices functions turns stragglers orbits gathers walks hashes quotients counts returns doubles
            medians solves insertions];
    for (kernel, launch) in kernels {
        let mut group = c.benchmark_group(kernel);
        group.throughput(Throughput::Elements(THREADS as u64));
        for (name, device) in &devices {
            let x = Array::from_slice(device, &numbers).expect("memory");
            let key = Array::from_slice(device, &keys).expect("memory");
            let mut y = Array::<f32>::zeros(device, THREADS).expect("memory");
            let mut launch = || launch(device, THREADS, &x, &key, &mut y).expect("a launch");
            (0..WARM).for_each(|_| launch());
            group.bench_function(*name, |bench| bench.iter(&mut launch));
        }
        group.finish();
    }
}

criterion_group! { name = benches; config = measure::criterion(Clock::Processor); targets = kernels }
criterion_main!(benches);
