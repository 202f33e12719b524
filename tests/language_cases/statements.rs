//! Loops, names, blocks.

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

/// Each `let` and each loop makes a new variable.
#[kernel]
fn one_name(out: &mut [i32]) {
    let mut acc = 0;
    for i in 0..3 {
        acc += i;
    }
    let mut i = 0;
    while i < 4 {
        acc += 10;
        i += 1;
    }
    for i in 0..2 {
        acc += 100 * i;
    }
    out[0] = acc;
    out[1] = i;
}

#[on_every_device]
fn one_name_for_several_loops_and_a_counter() {
    let mut out = Array::zeros(&device(), 2).unwrap();
    one_name::launch(1, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [143, 4]);
}

/// What was assigned before `continue` is what the next turn sees; the counter still moves.
#[kernel]
fn carried(n: &[i32], out: &mut [i32]) {
    let t = tid();
    let (mut a, mut b) = (7, 0);
    for i in 0..n[t] {
        b += a;
        if i % 3 == 1 {
            a = i;
            continue;
        }
        if i == 8 {
            break;
        }
        a = 50;
    }
    out[t] = b + 1000 * a;
}

#[on_every_device]
fn continue_and_break_in_one_loop() {
    let device = device();
    let n = Array::from_slice(&device, &[0, 1, 2, 5, 6, 9, 20]).unwrap();
    let mut out = Array::zeros(&device, 7).unwrap();
    carried::launch(7, &n, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [7000, 50007, 1057, 4158, 50162, 7269, 7269]);
}

/// The right side of `&&` and `||` runs only when it decides.
#[kernel]
fn early(a: &[f32], hit: &mut [bool], calls: &mut [u32]) {
    let j = tid();
    let mut n = 0;
    hit[j] = j >= a.len() || {
        n += 1;
        a[j] < 0.0
    };
    if j < a.len() && a[j] > 0.0 {
        n += 10;
    }
    calls[j] = n;
}

#[on_every_device]
fn and_and_or_stop_early() {
    let device = device();
    let a = Array::from_slice(&device, &[1.0, -1.0]).unwrap();
    let mut hit = Array::zeros(&device, 4).unwrap();
    let mut calls = Array::zeros(&device, 4).unwrap();
    early::launch(4, &a, &mut hit, &mut calls).unwrap();
    assert_eq!(hit.to_vec().unwrap(), [false, true, true, true]);
    assert_eq!(calls.to_vec().unwrap(), [11, 1, 0, 0]);
}

/// Words of C and of PTX, raw identifiers, other scripts, leading underscores, names of built-in registers.
#[kernel]
fn double(reg: &[f32], global: &mut [f32]) {
    let ld = tid();
    let (mov, add, bra, ret) = (reg[ld], 1.0, 2.0, 3.0);
    let (float, int, long, template, class) = (mov, add, bra, ret, 4.0);
    let (r#type, r#match, _x, __y, größe) = (float, int, long, template, class);
    let (param, entry, shared, ntid, laneid) = (r#type, r#match, _x, __y, größe);
    global[ld] = param + entry + shared + ntid + laneid;
}

#[on_every_device]
fn names_that_mean_something_to_the_target() {
    let device = device();
    let reg = Array::from_slice(&device, &[10.0, 20.0]).unwrap();
    let mut global = Array::zeros(&device, 2).unwrap();
    double::launch(2, &reg, &mut global).unwrap();
    assert_eq!(global.to_vec().unwrap(), [20.0, 30.0]);
}

/// Each digit string records the order of the visits.
#[kernel]
fn ranges(lo: i32, hi: i32, out: &mut [i32]) {
    let (mut a, mut b, mut c, mut d) = (0, 0, 7, 0);
    for j in (lo..hi).rev().step_by(3) {
        a = a * 10 + j;
    }
    for j in (0..hi).step_by(4) {
        b = b * 10 + j;
    }
    for j in hi..lo {
        c = c * 10 + j;
    }
    for j in -lo..lo {
        d += j;
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}

#[on_every_device]
fn empty_backward_stepped_and_negative_ranges() {
    let mut out = Array::zeros(&device(), 4).unwrap();
    ranges::launch(1, 3, 10, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [963, 48, 7, -3]);
}

/// Values return to what they were when a block ends.
#[kernel]
fn shadows(a: &[f32], out: &mut [f32], second: &mut [f32]) {
    let i = tid();
    let x = a[i];
    let mut acc = x;
    {
        let x = x * 10.0;
        acc += x;
        let mut acc = 1000.0;
        acc += x;
        second[i] = acc;
    }
    let x = if x > 1.0 {
        let x = x - 1.0;
        x * x
    } else {
        x
    };
    for x in 0..3 {
        acc += x as f32;
    }
    out[i] = acc + x;
}

#[on_every_device]
fn shadowing_in_blocks_arms_and_loops() {
    let device = device();
    let a = Array::from_slice(&device, &[3.0, 0.5]).unwrap();
    let mut out = Array::zeros(&device, 2).unwrap();
    let mut second = Array::zeros(&device, 2).unwrap();
    shadows::launch(2, &a, &mut out, &mut second).unwrap();
    assert_eq!(out.to_vec().unwrap(), [40.0, 9.0]);
    assert_eq!(second.to_vec().unwrap(), [1030.0, 1005.0]);
}
