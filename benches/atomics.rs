//! What additions to elements that threads share cost: on one thread of the machine, in parts that two of them make apart, and
//! each to an element of its own.

use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use measure::Clock;
use warp::prelude::*;
use warp_cpu::Cpu;

mod measure;

const THREADS: usize = 1 << 16;

#[kernel]
fn one_sum(x: &[f32], _place: &[u32], to: &mut [f32]) {
    atomic_add(&mut to[0], x[tid()]);
}

#[kernel]
fn bins(x: &[f32], place: &[u32], to: &mut [f32]) {
    let i = tid();
    atomic_add(&mut to[place[i] as usize % to.len()], x[i]);
}

#[kernel]
fn old_values(x: &[f32], place: &[u32], to: &mut [f32]) {
    let i = tid();
    let old = atomic_add(&mut to[place[i] as usize % to.len()], x[i]);
    if old > 1e30 {
        to[0] = 0.0;
    }
}

/// Nobody else adds to the element: the compiler sees it.
#[kernel]
fn own_element(x: &[f32], _place: &[u32], to: &mut [f32]) {
    let i = tid();
    atomic_add(&mut to[i], x[i]);
}

/// Name, elements that are added to, kernel.
type Case = (&'static str, usize, fn(&Device, &Array<f32>, &Array<u32>, &mut Array<f32>) -> Result<(), warp::Error>);

const CASES: [Case; 5] = [
    ("one sum", 1, |device, x, place, to| one_sum::on(device).launch(THREADS, x, place, to)),
    ("100 bins", 100, |device, x, place, to| bins::on(device).launch(THREADS, x, place, to)),
    ("a bin a thread", THREADS, |device, x, place, to| bins::on(device).launch(THREADS, x, place, to)),
    ("old values", 100, |device, x, place, to| old_values::on(device).launch(THREADS, x, place, to)),
    ("its own element", THREADS, |device, x, place, to| own_element::on(device).launch(THREADS, x, place, to)),
];

fn additions(c: &mut Criterion<Clock>) {
    let devices = [("serial", Cpu::with_threads(1)), ("two threads", Cpu::with_threads(2).eager())]
        .map(|(name, cpu)| (name, Device::new(Arc::new(cpu))));
    for (case, elements, launch) in CASES {
        let mut group = c.benchmark_group(format!("additions/{case}"));
        group.throughput(Throughput::Elements(THREADS as u64));
        for (name, device) in &devices {
            let x = Array::from_fn(device, THREADS, |[i]| 1e-6 * i as f32).expect("memory");
            let place = Array::from_fn(device, THREADS, |[i]| (i as u32).wrapping_mul(2_654_435_769)).expect("memory");
            let mut to = Array::<f32>::zeros(device, elements).expect("memory");
            group.bench_function(*name, |bench| bench.iter(|| launch(device, &x, &place, &mut to).expect("a launch")));
        }
        group.finish();
    }
}

criterion_group! { name = benches; config = measure::criterion(Clock::Wall); targets = additions }
criterion_main!(benches);
