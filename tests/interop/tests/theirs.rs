//! What the cases share: kernels, and a device.

use warp::prelude::*;

use crate::driver::Driver;

#[kernel]
pub fn double(numbers: &mut [f32]) {
    let i = tid();
    if i < numbers.len() {
        numbers[i] *= 2.0;
    }
}

#[kernel]
pub fn scale_by(by: &[f32], numbers: &mut [f32]) {
    let i = tid();
    numbers[i] *= by[i];
}

#[kernel]
pub fn shift(points: &mut [Vec3], by: Vec3) {
    points[tid()] += by;
}

/// The first device.
pub fn device() -> Device {
    Device::cuda(0).expect("the driver has devices")
}

/// Runs `work`, after which no more memory is taken and no more events are there than before.
pub fn balanced(driver: &Driver, work: impl FnOnce()) {
    let before = driver.live();
    work();
    device().check().expect("nothing failed");
    let after = driver.live();
    assert_eq!((after.allocations, after.bytes), (before.allocations, before.bytes), "memory is left");
    assert_eq!((after.events, after.streams), (before.events, before.streams), "events or streams are left");
}

/// Runs `work` once, so that what is made at its first time is there, and then once more with an eye on what it leaves.
pub fn twice_balanced(driver: &Driver, work: impl Fn()) {
    work();
    balanced(driver, work);
}

/// The numbers that the cases work with.
pub const NUMBERS: [f32; 5] = [1.0, -2.0, 3.5, 0.25, 1e9];

/// They and their doubles.
pub fn doubled() -> Vec<f32> {
    NUMBERS.iter().map(|x| x + x).collect()
}
