//! Floats: zeros with a sign, NaN, halves, rounding.

use super::*;

agree! {
    negative_zero(FLOATS);
    least_and_largest(FLOATS);
    clamped(FLOATS);
    half_arithmetic(FLOATS);
    brain_arithmetic(FLOATS);
    half_methods(FLOATS);
    brain_methods(FLOATS);
    comparisons_at_the_edges(FLOATS);
    remainders(DOUBLES);
    rounding(DOUBLES);
}

#[kernel(no_fma)]
fn negative_zero(x: &[f32], out: &mut [[u32; 9]]) {
    let i = tid();
    let x = if x[i].is_nan() { -0.0 } else { x[i] };
    let zero = x - x;
    let zero = if zero.is_nan() { 0.0 } else { zero };
    out[i] = [
        (-x).to_bits(),
        (x + -0.0).to_bits(),
        (-0.0f32).to_bits(),
        (-zero).to_bits(),
        (x == -x) as u32,
        (0.0 - x).to_bits(),
        (x * -1.0).to_bits(),
        x.is_sign_negative() as u32,
        x.abs().copysign(-zero).to_bits(),
    ];
}

#[kernel(no_fma)]
fn least_and_largest(x: &[f32], out: &mut [[u32; 8]]) {
    let i = tid();
    let (a, b) = (x[i], x[(i + 3) % x.len()]);
    let bits = [a.min(b), a.max(b), b.min(0.25), a.max(0.25), a.min(a).max(b), a.max(b.min(1.0))];
    let mut all = [0; 8];
    for k in 0..6 {
        // Which of two zeros, Rust leaves open; which NaN, too.
        all[k] = if bits[k].is_nan() { 1 } else { (bits[k] + 0.0).to_bits() };
    }
    all[6] = (a as f64).min(b as f64).is_nan() as u32;
    all[7] = (a < b) as u32 + 2 * (a >= b) as u32 + 4 * (a != b) as u32 + 8 * (a == a) as u32 + 16 * !(a > b) as u32;
    out[i] = all;
}

#[kernel(no_fma)]
fn clamped(x: &[f32], out: &mut [[u32; 3]]) {
    let i = tid();
    let c = x[i].clamp(-1.0, 100.5);
    let d = (x[i] as f64).clamp(-0.25, 0.25) as f32;
    out[i] = [c.is_nan() as u32, if c.is_nan() { 0 } else { c.to_bits() }, if d.is_nan() { 0 } else { d.to_bits() }];
}

#[kernel(no_fma)]
fn half_arithmetic(x: &[f32], out: &mut [[u16; 9]]) {
    let i = tid();
    let x = if x[i].is_nan() { 3.25 } else { x[i] };
    let (a, b) = (f16::from_f32(x), f16::from_f32(0.3));
    let all = [a, a + b, a * b, a - b, a / b, -a, a % b, a.min(b), a.max(b)];
    let mut bits = [0; 9];
    for k in 0..9 {
        bits[k] = if all[k].is_nan() { 1 } else { all[k].to_bits() };
    }
    out[i] = bits;
}

#[kernel(no_fma)]
fn brain_arithmetic(x: &[f32], out: &mut [[u16; 9]]) {
    let i = tid();
    let x = if x[i].is_nan() { 3.25 } else { x[i] };
    let (mut a, b) = (bf16::from_f32(x), bf16::from_f32(-1.7));
    let all = [
        a,
        a + b,
        a * b,
        a - b,
        a / b,
        -a,
        {
            a += b;
            a
        },
        {
            a *= b;
            a
        },
        {
            a -= b;
            a
        },
    ];
    let mut bits = [0; 9];
    for k in 0..9 {
        bits[k] = if all[k].is_nan() { 1 } else { all[k].to_bits() };
    }
    out[i] = bits;
}

/// The bits of a half float's methods, and what it says of itself; for both formats.
macro_rules! half_methods {
    ($name:ident $half:ident) => {
        #[kernel(no_fma)]
        fn $name(x: &[f32], out: &mut [[u32; 5]]) {
            let i = tid();
            // Also halves that are smaller than normal ones, whatever the numbers are.
            let x = if x[i].is_nan() { 3.25 } else { x[i] };
            let a = if i % 3 == 0 { $half::from_bits((i * 37 % 1200) as u16) } else { $half::from_f32(x) };
            let b = $half::from_f32(if i % 2 == 0 { -0.0 } else { 2.5 });
            let all = [a.signum(), a.copysign(b), b.copysign(a), a.clamp($half::from_f32(-1.5), $half::from_f32(0.75))];
            let mut bits = [0; 5];
            for k in 0..4 {
                bits[k] = all[k].to_bits() as u32;
            }
            bits[4] = a.is_normal() as u32
                + 2 * a.is_sign_negative() as u32
                + 4 * a.is_sign_positive() as u32
                + 8 * $half::from_bits(0xffff).is_sign_negative() as u32
                + 16 * $half::from_bits(0x7fff).signum().is_nan() as u32
                + 32 * $half::from_bits(0x7fff).is_normal() as u32;
            out[i] = bits;
        }
    };
}
half_methods!(half_methods f16);
half_methods!(brain_methods bf16);

#[kernel(no_fma)]
fn comparisons_at_the_edges(x: &[f32], out: &mut [u32]) {
    let i = tid();
    let (a, b) = (x[i], x[(i + 1) % x.len()]);
    let all = [
        a < b,
        a <= b,
        a == b,
        a != b,
        !(a >= b),
        (a as i32) < b as i32,
        (a as u32) < b as u32,
        (a as i8) < b as i8,
        (a as u8) < b as u8,
        (a as u64) > b as u64,
        (a, 1) < (b, 0),
        [a, b] == [b, a],
        Some(a) < None,
        Some(a) >= Some(b),
        (a as usize) < (b as usize),
        (a > b) < (a < b),
    ];
    let mut bits = 0;
    for k in 0..16 {
        bits |= (all[k] as u32) << k;
    }
    out[i] = bits;
}

#[kernel(no_fma)]
fn remainders(x: &[f64], out: &mut [[u64; 4]]) {
    let i = tid();
    let x = if x[i].abs() < 1e30 { x[i] } else { 12.75 };
    out[i] =
        [(x % 0.3).to_bits(), (-x % 7.0).to_bits(), (x as f32 % -0.7).to_bits() as u64, (1.0 % (x + 0.5)).to_bits()];
}

#[kernel(no_fma)]
fn rounding(x: &[f64], out: &mut [[u64; 8]]) {
    let i = tid();
    let x = if x[i].is_nan() { -2.5 } else { x[i] };
    let y = x as f32;
    let whole = if x.is_infinite() { 0.5 } else { x };
    out[i] = [
        x.floor().to_bits(),
        x.ceil().to_bits(),
        x.round().to_bits(),
        x.trunc().to_bits(),
        x.round_ties_even().to_bits(),
        whole.fract().to_bits(),
        y.round().to_bits() as u64,
        y.signum().to_bits() as u64,
    ];
}
