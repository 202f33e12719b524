//! Sizes of launches from nothing to very large, many threads of the host, devices.

use warp::prelude::*;
use warp::{Error, FaultKind};
use warp_test_devices::{device, ended, on_every_device};

#[kernel]
fn doubled(a: &[f32], out: &mut [f32]) {
    let i = tid();
    if i < a.len() {
        out[i] = a[i] * 2.0;
    } else {
        out[i] = a.len() as f32 - 1.0;
    }
}

#[kernel]
fn bare(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i];
}

#[kernel]
fn in_space(out: &mut [f32]) {
    let (i, j, k) = tid3();
    out[i + j + k] = 1.0;
}

#[on_every_device]
fn nothing_to_do() {
    let device = device();
    let a = Array::from_slice(&device, &[1.0, 2.0]).unwrap();
    let mut out = Array::full(&device, 3, 9.0f32).unwrap();
    doubled::launch(0, &a, &mut out).unwrap();
    in_space::launch((4, 0, 2), &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [9.0; 3]);
}

#[on_every_device]
fn empty_arrays() {
    let device = device();
    let empty = Array::zeros(&device, 0).unwrap();
    let mut out = Array::full(&device, 3, 9.0f32).unwrap();
    doubled::launch(3, &empty, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [-1.0; 3]);
    let reached = ended(bare::launch(1, &empty, &mut out));
    let Err(Error::Fault(fault)) = reached else { panic!("an index into nothing") };
    assert_eq!(fault.kind, FaultKind::Index { array: "a".into(), dim: None, index: 0, extent: 0 });
    assert_eq!(out.to_vec().unwrap(), [-1.0; 3]);
}

#[kernel]
fn flat(out: &mut [u32]) {
    let i = tid();
    if i >= 1 << 31 {
        out[i - (1 << 31)] = 1;
    }
}

#[kernel]
fn grid(out: &mut [u64]) {
    let (i, j) = tid2();
    if i == 65535 && j == 65536 {
        out[0] = i as u64 * 65537 + j as u64;
    }
}

#[test]
fn more_threads_than_32_bits_count() {
    let device = Device::cpu();
    let mut ones = Array::zeros(&device, 8).unwrap();
    flat::launch((1 << 31) + 8, &mut ones).unwrap();
    assert_eq!(ones.to_vec().unwrap(), [1; 8]);
    let mut last = Array::zeros(&device, 1).unwrap();
    grid::launch((65536, 65537), &mut last).unwrap();
    assert_eq!(last.to_vec().unwrap(), [4295032831]);
}

#[kernel]
fn numbered3(out: &mut [u32]) {
    let (i, j, k) = tid3();
    let n = (i * 66_000 + j) + k;
    out[n] += n as u32;
}

#[kernel]
fn numbered4(out: &mut [u32]) {
    let (i, j, k, l) = tid4();
    let n = ((i * 2 + j) + k) * 2 + l;
    out[n] += n as u32;
}

/// Grids of GPUs have 65,535 blocks at most in all directions but one.
#[on_every_device]
fn extents_beyond_the_limits_of_grids() {
    let mut out = Array::zeros(&device(), 2 * 66_000).unwrap();
    for launches in 1..3u32 {
        numbered3::launch((2, 66_000, 1), &mut out).unwrap();
        let found = out.to_vec().unwrap();
        assert!((0u32..).zip(&found).all(|(n, x)| *x == launches * n), "{launches}");
    }
    let mut out = Array::zeros(&device(), 4 * 33_000).unwrap();
    numbered4::launch((33_000, 2, 1, 2), &mut out).unwrap();
    assert!((0u32..).zip(out.to_vec().unwrap()).all(|(n, x)| x == n));
}

#[kernel]
fn fill(value: u32, out: &mut [u32]) {
    let i = tid();
    out[i] = value + i as u32;
}

#[kernel]
fn fill_backwards(value: u32, out: &mut [u32]) {
    let i = tid();
    out[out.len() - 1 - i] = value + (out.len() - 1 - i) as u32;
}

#[kernel]
fn fill_twice(value: u32, out: &mut [u32]) {
    let i = tid();
    out[i] = value;
    out[i] += i as u32;
}

#[kernel]
fn fill_by_loop(value: u32, out: &mut [u32]) {
    let i = tid();
    let mut sum = value;
    for _ in 0..i {
        sum += 1;
    }
    out[i] = sum;
}

/// Four kernels in turn, each first met by many threads at once.
#[test]
fn eight_threads_of_the_host_from_a_cold_start() {
    std::thread::scope(|scope| {
        for t in 0..8u32 {
            scope.spawn(move || {
                let mut out = Array::<u32>::zeros(&Device::cpu(), 1000).unwrap();
                for r in 0..100 {
                    let value = t * 1000 + r;
                    match (t + r) % 4 {
                        0 => fill::launch(1000, value, &mut out),
                        1 => fill_backwards::launch(1000, value, &mut out),
                        2 => fill_twice::launch(1000, value, &mut out),
                        _ => fill_by_loop::launch(1000, value, &mut out),
                    }
                    .unwrap();
                    let values = out.to_vec().unwrap();
                    assert!(values.iter().enumerate().all(|(i, v)| *v == value + i as u32), "thread {t}, round {r}");
                }
            });
        }
    });
}

#[test]
fn arrays_of_two_devices_in_one_launch() {
    let here = Device::cpu();
    let there = Device::cpu_with_threads(1);
    for (a, b) in [(&here, &there), (&there, &here)] {
        let source = Array::full(a, 4, 1.0).unwrap();
        let mut out = Array::zeros(b, 4).unwrap();
        let told = bare::launch(4, &source, &mut out).unwrap_err();
        assert!(matches!(&told, Error::MixedDevices { kernel, second, .. } if kernel == "bare" && second == "out"));
        let told = bare::on(b).launch(4, &source, &mut out).unwrap_err();
        assert!(matches!(&told, Error::MixedDevices { second, .. } if second == "a"), "{told}");
        let source = Array::full(b, 4, 1.0).unwrap();
        bare::launch(4, &source, &mut out).unwrap();
        assert_eq!(out.to_vec().unwrap(), [1.0; 4]);
    }
}
