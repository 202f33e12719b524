//! Arms that were not taken, and functions that are flat in places.

use super::*;

#[kernel]
fn arms(a: &[f32], t: &[f32], flag: &[bool], out: &mut [f32]) {
    let i = tid();
    out[i] = if flag[i] { a[i] / t[i] } else { a[i] * a[i] };
}

/// The arm that was not taken divides by zero, which must not leak.
#[on_every_device]
fn only_the_arm_that_was_taken_contributes() {
    let (a, t) = (array(&[1.0f32, 2.0, -3.0]), array(&[4.0f32, 0.0, 2.0]));
    let (flag, mut out) = (array(&[true, false, true]), zeros(3));
    back(&mut out, 1.0f32, |out| arms::launch(3, &a, &t, &flag, out));
    close(&all(&out), &[0.25, 4.0, -1.5]);
    close(&gradient(&a), &[0.25, 4.0, 0.5]);
    close(&gradient(&t), &[-0.0625, 0.0, 0.75]);
}

#[kernel]
fn bounded(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = 2.0 * x[i].clamp(-1.0, 1.0) + 3.0 * x[i].max(0.25);
}

#[on_every_device]
fn bounds_stop_the_derivative() {
    let (x, mut out) = (array(&[-2.0f32, -0.5, 0.1, 0.9, 3.0]), zeros(5));
    back(&mut out, 1.0f32, |out| bounded::launch(5, &x, out));
    close(&all(&out), &[-1.25, -0.25, 0.95, 4.5, 11.0]);
    close(&gradient(&x), &[0.0, 2.0, 2.0, 5.0, 3.0]);
}

#[kernel]
fn flat(x: &[f32], out: &mut [f32]) {
    let i = tid();
    let n = x[i] as i32;
    out[i] = n as f32 * x[i] + x[i].floor() * x[i] + x[i].signum() * x[i] * x[i];
}

/// Whole numbers count as constants; the rest of the product has its derivative.
#[on_every_device]
fn casts_and_rounding_are_flat() {
    let (x, mut out) = (array(&[2.7f32, -1.3, 0.5]), zeros(3));
    back(&mut out, 1.0f32, |out| flat::launch(3, &x, out));
    close(&all(&out), &[18.09, 2.21, 0.25]);
    close(&gradient(&x), &[9.4, -0.4, 1.0]);
}

#[kernel]
fn guarded_acos(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = if x[i] < 1.0 { x[i].acos() } else { 0.0 };
}

#[on_every_device]
fn a_guard_keeps_infinite_slopes_out() {
    let (x, mut out) = (array(&[1.0f32, 0.5, 2.0, -0.25]), zeros(4));
    back_at_kinks(1, &mut out, 1.0f32, |out| guarded_acos::launch(4, &x, out));
    close(&gradient(&x), &[0.0, -1.154700538, 0.0, -1.032795559]);
}

#[kernel]
fn angles(y: &[f32], x: &[f32], out: &mut [f32]) {
    let i = tid();
    let r2 = x[i] * x[i] + y[i] * y[i];
    out[i] = if r2 > 0.0 { y[i].atan2(x[i]) } else { 0.0 };
}

/// Right on the axes, where one of the slopes is zero, and silent at the origin.
#[on_every_device]
fn angles_on_the_axes_and_at_the_origin() {
    let (y, x) = (array(&[1.0f32, 0.0, -3.0, 0.0]), array(&[2.0f32, -1.0, 0.0, 0.0]));
    let mut out = zeros(4);
    // Where the angle jumps from half a turn to minus half a turn, and both numbers at the origin.
    back_at_kinks(3, &mut out, 1.0f32, |out| angles::launch(4, &y, &x, out));
    close(&gradient(&y), &[0.4, -1.0, 0.0, 0.0]);
    close(&gradient(&x), &[-0.2, 0.0, 1.0 / 3.0, 0.0]);
}
