//! Exits whose values leave by themselves, and the ends of inclusive ranges.
// Such code is odd on purpose.
#![allow(clippy::needless_return, clippy::diverging_sub_expression, unreachable_code)]

use warp::prelude::*;
use warp_test_devices::{device, ended, on_every_device};

#[func]
fn early(c: bool) -> u32 {
    return if c { return 1 } else { 2 };
}

#[kernel]
fn exits(out: &mut [u32]) {
    let i = tid();
    let mut n = 0u32;
    let r = loop {
        n += 1;
        break if n < 4 { continue } else { n };
    };
    out[i] = r * 10 + early(i == 0);
}

#[func]
fn total(a: &[u32]) -> u32 {
    let mut s = 0;
    for x in a.iter() {
        s += *x;
    }
    s
}

#[kernel]
fn last(a: &[u32], out: &mut [u32]) {
    let i = tid();
    out[i] = total(&a[..=i - 1]);
}

/// A value that leaves by itself keeps the exit that it took.
#[on_every_device]
fn values_of_exits_may_leave() {
    let device = device();
    let mut out = Array::from_slice(&device, &[0u32; 2]).unwrap();
    exits::launch(2, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [41, 42]);
}

/// `..=usize::MAX` is out of range, not empty.
#[on_every_device]
fn an_inclusive_end_does_not_wrap() {
    let device = device();
    let a = Array::from_slice(&device, &[1u32, 2, 3]).unwrap();
    let mut out = Array::from_slice(&device, &[0u32; 4]).unwrap();
    let error = ended(last::launch(4, &a, &mut out)).unwrap_err();
    assert!(error.to_string().contains("in thread 0"), "{error}");
    assert_eq!(out.to_vec().unwrap()[1..], [1, 3, 6]);
}
