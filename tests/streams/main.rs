//! Streams, events and graphs on every device: the same numbers whatever goes at the same time, memory that is given back in
//! order, and faults that are told by the next call that waits.
#![cfg(all(feature = "cpu", feature = "cuda"))]

mod events;
mod faults;
mod graphs;
mod memory;
mod order;
mod threads;
mod wander;

use std::sync::Arc;

use fake_cuda::Fake;
use warp::cuda::{Cuda, Driver};
use warp::prelude::*;

#[kernel]
fn copy(from: &[f32], to: &mut [f32]) {
    let i = tid();
    to[i] = from[i];
}

#[kernel]
fn add_one(a: &mut [f32]) {
    a[tid()] += 1.0;
}

#[kernel]
fn sum(a: &[f32], total: &mut [f64]) {
    atomic_add(&mut total[0], a[tid()] as f64);
}

/// A CUDA device of a driver that needs no GPU, and the driver; streams are done in an order of their own.
fn cuda(seed: u64) -> (Fake, Device) {
    let (fake, driver) = driver(seed);
    let device = open(&driver, 0);
    (fake, device)
}

/// Two devices of one such driver.
fn two(seed: u64) -> (Fake, [Device; 2]) {
    let (fake, driver) = driver(seed);
    let devices = [open(&driver, 0), open(&driver, 1)];
    (fake, devices)
}

fn driver(seed: u64) -> (Fake, Driver) {
    let fake = Fake::new();
    fake.seed(seed);
    // SAFETY: the library has the driver's functions.
    let driver = unsafe { Driver::open(fake.path().as_os_str()) }.expect("the driver starts");
    (fake, driver)
}

fn open(driver: &Driver, number: usize) -> Device {
    let cuda = driver.device(number).and_then(|device| Cuda::new(&device)).expect("the device opens");
    Device::new(Arc::new(cuda))
}
