//! Division, casts, widths.

use warp::prelude::*;
use warp::{Error, FaultKind};
use warp_test_devices::{device, ended, on_every_device};

/// Division truncates, the remainder has the sign of the dividend, the Euclidean forms differ.
#[kernel]
fn divide(a: &[i32], b: &[i32], q: &mut [i32], r: &mut [i32], qe: &mut [i32], re: &mut [i32]) {
    let i = tid();
    q[i] = a[i] / b[i];
    r[i] = a[i] % b[i];
    qe[i] = a[i].div_euclid(b[i]);
    re[i] = a[i].rem_euclid(b[i]);
}

/// What `divide` gives: quotient, remainder, and their Euclidean forms.
fn divided(a: &[i32], b: &[i32]) -> Result<[Vec<i32>; 4], Error> {
    let device = device();
    let (a, b) = (Array::from_slice(&device, a)?, Array::from_slice(&device, b)?);
    let mut out: [Array<i32>; 4] = std::array::from_fn(|_| Array::zeros(&device, a.len()).unwrap());
    let [q, r, qe, re] = &mut out;
    ended(divide::launch(a.len(), &a, &b, q, r, qe, re))?;
    Ok(out.map(|values| values.to_vec().unwrap()))
}

#[on_every_device]
fn division_and_remainder_of_negative_numbers() {
    let [q, r, qe, re] = divided(&[-7, 7, -8, -1], &[2, -2, 4, 2]).unwrap();
    assert_eq!(q, [-3, -3, -2, 0]);
    assert_eq!(r, [-1, 1, 0, -1]);
    assert_eq!(qe, [-4, -3, -2, -1]);
    assert_eq!(re, [1, 1, 0, 1]);
}

#[on_every_device]
fn divisions_without_a_result_are_faults() {
    let kind = |a, b| match divided(&[a], &[b]) {
        Err(Error::Fault(fault)) => fault.kind,
        other => panic!("{other:?}"),
    };
    assert_eq!(kind(i32::MIN, -1), FaultKind::DivideOverflow);
    assert_eq!(kind(5, 0), FaultKind::DivideByZero);
}

#[kernel]
fn float_remainder(x: f32, y: f32, lowest: i32, out: &mut [f32], wrapped: &mut [i32]) {
    out[0] = x % y;
    out[1] = x.rem_euclid(y);
    wrapped[0] = lowest.wrapping_div(-1);
}

#[on_every_device]
fn remainders_of_floats_and_a_wrapping_division() {
    let device = device();
    let (mut out, mut wrapped) = (Array::zeros(&device, 2).unwrap(), Array::zeros(&device, 1).unwrap());
    float_remainder::launch(1, -5.5, 2.0, i32::MIN, &mut out, &mut wrapped).unwrap();
    assert_eq!(out.to_vec().unwrap(), [-1.5, 0.5]);
    assert_eq!(wrapped.to_vec().unwrap(), [i32::MIN]);
}

/// `as` saturates at the bounds of its own type, and NaN becomes 0.
#[kernel]
fn casts(x: &[f32], a: &mut [i32], b: &mut [u32], c: &mut [u8], d: &mut [i8], e: &mut [i64]) {
    let i = tid();
    a[i] = x[i] as i32;
    b[i] = x[i] as u32;
    c[i] = x[i] as u8;
    d[i] = x[i] as i8;
    e[i] = x[i] as i64;
}

#[on_every_device]
fn float_to_integer_casts_out_of_range() {
    let device = device();
    let x = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.5, 300.0, 3e9, 1e20, -0.9];
    let x = Array::from_slice(&device, &x).unwrap();
    let (mut a, mut b) = (Array::zeros(&device, 8).unwrap(), Array::zeros(&device, 8).unwrap());
    let (mut c, mut d) = (Array::zeros(&device, 8).unwrap(), Array::zeros(&device, 8).unwrap());
    let mut e = Array::zeros(&device, 8).unwrap();
    casts::launch(8, &x, &mut a, &mut b, &mut c, &mut d, &mut e).unwrap();
    assert_eq!(a.to_vec().unwrap(), [0, 2147483647, -2147483648, -1, 300, 2147483647, 2147483647, 0]);
    assert_eq!(b.to_vec().unwrap(), [0, 4294967295, 0, 0, 300, 3000000000, 4294967295, 0]);
    assert_eq!(c.to_vec().unwrap(), [0, 255, 0, 0, 255, 255, 255, 0]);
    assert_eq!(d.to_vec().unwrap(), [0, 127, -128, -1, 127, 127, 127, 0]);
    let wide = [0, 9223372036854775807, -9223372036854775808, -1, 300, 3000000000, 9223372036854775807, 0];
    assert_eq!(e.to_vec().unwrap(), wide);
}

/// Extension follows the sign of the source's type, comparison the operands' type.
#[kernel]
#[allow(clippy::cast_lossless, clippy::too_many_arguments, clippy::unnecessary_cast)]
fn widths(w: &[u16], b: &[u8], s: &[i8], u: &[u64], out: &mut [i64], big: &mut [u64], less: &mut [bool]) {
    out[0] = (w[0] - b[0] as u16) as i64;
    out[1] = (s[0] as u32) as i64;
    out[2] = (b[1] as i8) as i64;
    out[3] = (3_000_000_000u32 as i32) as i64;
    out[4] = (((1i64 << 40) + 1) as i32) as i64;
    big[0] = u[0] + (u[0] - 1);
    big[1] = s[0] as u64;
    less[0] = u[0] < 5;
}

#[on_every_device]
fn widening_and_narrowing_signed_and_unsigned() {
    let device = device();
    let w = Array::from_slice(&device, &[1000u16]).unwrap();
    let b = Array::from_slice(&device, &[255u8, 200]).unwrap();
    let s = Array::from_slice(&device, &[-1i8]).unwrap();
    let u = Array::from_slice(&device, &[1u64 << 63]).unwrap();
    let (mut out, mut big) = (Array::zeros(&device, 5).unwrap(), Array::zeros(&device, 2).unwrap());
    let mut less = Array::zeros(&device, 1).unwrap();
    widths::launch(1, &w, &b, &s, &u, &mut out, &mut big, &mut less).unwrap();
    assert_eq!(out.to_vec().unwrap(), [745, 4294967295, -56, -1294967296, 1]);
    assert_eq!(big.to_vec().unwrap(), [18446744073709551615, 18446744073709551615]);
    assert_eq!(less.to_vec().unwrap(), [false]);
}
