//! Arrays that go while work is under way elsewhere: dropping is always safe.

use std::sync::mpsc;

use warp::prelude::*;

#[kernel]
fn copy(from: &[f32], to: &mut [f32]) {
    let i = tid();
    to[i] = from[i];
}

const N: usize = 1 << 18;

/// Makes two arrays, copies one into the other, and gives back the copy's sum and the arrays.
fn round(number: usize) -> (f64, [Array<f32>; 2]) {
    let device = Device::cpu();
    let a = Array::from_slice(&device, &vec![number as f32; N]).unwrap();
    let mut b = Array::zeros(&device, N).unwrap();
    copy::launch(N, &a, &mut b).unwrap();
    let sum = b.read().unwrap().iter().map(|x| f64::from(*x)).sum();
    (sum, [a, b])
}

#[test]
fn arrays_go_where_they_were_made_or_elsewhere() {
    for elsewhere in [false, true] {
        let (sender, receiver) = mpsc::channel::<[Array<f32>; 2]>();
        std::thread::scope(|scope| {
            scope.spawn(move || receiver.into_iter().for_each(drop));
            for half in 0..2 {
                let sender = sender.clone();
                scope.spawn(move || {
                    for number in (half..60).step_by(2) {
                        let (sum, arrays) = round(number);
                        assert_eq!(sum, (number * N) as f64);
                        if elsewhere {
                            sender.send(arrays).expect("somebody takes them");
                        }
                    }
                });
            }
            drop(sender);
        });
    }
}
