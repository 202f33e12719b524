//! Arrays that go while work is under way elsewhere: dropping is always safe.

use std::sync::mpsc;

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

#[kernel]
fn copy(from: &[f32], to: &mut [f32]) {
    let i = tid();
    to[i] = from[i];
}

/// Makes two arrays, copies one into the other, and gives back the copy's sum and the arrays.
fn round(device: &Device, n: usize, number: usize) -> (f64, [Array<f32>; 2]) {
    let a = Array::from_slice(device, &vec![number as f32; n]).unwrap();
    let mut b = Array::zeros(device, n).unwrap();
    copy::launch(n, &a, &mut b).unwrap();
    let sum = b.to_vec().unwrap().iter().map(|x| f64::from(*x)).sum();
    (sum, [a, b])
}

#[on_every_device]
fn arrays_go_where_they_were_made_or_elsewhere() {
    let device = &device();
    // Large, but for the interpreter.
    let n = if device.host_memory() { 1 << 18 } else { 1 << 10 };
    for elsewhere in [false, true] {
        let (sender, receiver) = mpsc::channel::<[Array<f32>; 2]>();
        std::thread::scope(|scope| {
            scope.spawn(move || receiver.into_iter().for_each(drop));
            for half in 0..2 {
                let sender = sender.clone();
                scope.spawn(move || {
                    for number in (half..60).step_by(2) {
                        let (sum, arrays) = round(device, n, number);
                        assert_eq!(sum, (number * n) as f64);
                        if elsewhere {
                            sender.send(arrays).expect("somebody takes them");
                        }
                    }
                });
            }
            drop(sender);
        });
    }
    assert_eq!(device.memory().now, 0);
}
