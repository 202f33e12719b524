//! Casts between all types, and literals however they are written.

use super::*;

agree! {
    floats_to_integers(FLOATS);
    doubles_to_integers(DOUBLES);
    integers_to_integers(WIDE);
    integers_to_floats(WIDE);
    large_unsigned_to_floats([0u64, 1, u64::MAX, 1 << 63, (1 << 63) + 1025, (1 << 53) + 1, 33554435]);
    between_floats(DOUBLES);
    characters_and_booleans([0u8, 65, 97, 255, 128]);
    half_casts(DOUBLES);
    large_literals([0u64, 1, u64::MAX]);
    written_in_many_ways([0u32, 1, 0xffff_ffff]);
    float_literals([0.0f64, 1.0, -3.5]);
}

#[kernel(no_fma)]
fn floats_to_integers(x: &[f32], out: &mut [[i64; 12]]) {
    let i = tid();
    let x = x[i];
    out[i] = [
        x as u8 as i64,
        x as i8 as i64,
        x as u16 as i64,
        x as i16 as i64,
        x as u32 as i64,
        x as i32 as i64,
        x as u64 as i64,
        x as i64,
        x as usize as i64,
        x as isize as i64,
        (x * 2.0) as u8 as i8 as i64,
        -x as u16 as i64,
    ];
}

#[kernel(no_fma)]
fn doubles_to_integers(x: &[f64], out: &mut [[i64; 12]]) {
    let i = tid();
    let x = x[i];
    out[i] = [
        x as u8 as i64,
        x as i8 as i64,
        x as u16 as i64,
        x as i16 as i64,
        x as u32 as i64,
        x as i32 as i64,
        x as u64 as i64,
        x as i64,
        x as usize as i64,
        x as isize as i64,
        x as f32 as u32 as i64,
        -x as i8 as i64,
    ];
}

#[kernel]
fn integers_to_integers(x: &[i64], out: &mut [[i64; 14]]) {
    let i = tid();
    let x = x[i];
    out[i] = [
        x as u8 as i64,
        x as i8 as i64,
        x as u16 as i64,
        x as i16 as i64,
        x as u32 as i64,
        x as i32 as i64,
        x as u64 as i64,
        x as usize as isize as i64,
        x as u8 as i8 as u16 as i64,
        x as i8 as u8 as i32 as i64,
        x as i16 as u64 as i64,
        x as u16 as i16 as usize as i64,
        x as i32 as u64 as u8 as i64,
        (x as u8 as i8 as u32 as f32) as u16 as i64,
    ];
}

#[kernel(no_fma)]
fn integers_to_floats(x: &[i64], out: &mut [[u64; 10]]) {
    let i = tid();
    let x = x[i];
    out[i] = [
        (x as f64).to_bits(),
        (x as f32).to_bits() as u64,
        (x as i32 as f32).to_bits() as u64,
        (x as u32 as f32).to_bits() as u64,
        (x as i8 as f64).to_bits(),
        (x as u8 as f32).to_bits() as u64,
        (x as u64 as f32).to_bits() as u64,
        (x as usize as f64).to_bits(),
        (x as i16 as f32 as f64).to_bits(),
        (x as isize as f32 as i64) as u64,
    ];
}

#[kernel(no_fma)]
fn large_unsigned_to_floats(x: &[u64], out: &mut [[u64; 4]]) {
    let i = tid();
    let x = x[i];
    out[i] = [(x as f64).to_bits(), (x as f32).to_bits() as u64, (x as f32 as u64), (x as f64 as u64)];
}

#[kernel(no_fma)]
fn between_floats(x: &[f64], out: &mut [[u64; 4]]) {
    let i = tid();
    let x = if x[i].is_nan() { 7.0 } else { x[i] };
    let y = x as f32;
    let (narrow, wide) = (y * y + y, x * x - y as f64);
    // Which NaN, Rust leaves open.
    let narrow = if narrow.is_nan() { 1 } else { narrow.to_bits() as u64 };
    let wide = if wide.is_nan() { 1 } else { wide.to_bits() };
    out[i] = [y.to_bits() as u64, (y as f64).to_bits(), narrow, wide];
}

#[kernel]
fn characters_and_booleans(x: &[u8], out: &mut [[u32; 6]]) {
    let i = tid();
    let x = x[i];
    let (low, flag) = (x < b'a', x as i8 > 0);
    out[i] = [
        (x == b'A') as u32,
        flag as u8 as u32 + low as u32,
        (flag as i64 - low as i64) as u32,
        (flag > low) as u32,
        (flag & low | !flag ^ low) as u32,
        u32::from(flag) << (low as u32),
    ];
}

#[kernel(no_fma)]
fn half_casts(x: &[f64], out: &mut [[u64; 6]]) {
    let i = tid();
    let x = if x[i].is_nan() { 1.0 / 3.0 } else { x[i] };
    let (a, b) = (f16::from_f64(x), bf16::from_f64(x));
    out[i] = [
        a.to_bits() as u64,
        b.to_bits() as u64,
        a.to_f32().to_bits() as u64,
        b.to_f64().to_bits(),
        (a < f16::from_f32(2.0)) as u64,
        (b == b) as u64 + 2 * (b > bf16::from_bits(0x8000)) as u64,
    ];
}

#[kernel]
fn large_literals(n: &[u64], out: &mut [[u64; 7]]) {
    let i = tid();
    let n = n[i];
    let high = 18446744073709551615;
    out[i] = [
        n ^ high,
        n + 9_223_372_036_854_775_808,
        (n > 0xffff_ffff_ffff_fffe) as u64,
        1u64 << 63 | n,
        (-9223372036854775808i64) as u64 + n,
        match n {
            18446744073709551615 => 1,
            0..=0x8000_0000_0000_0000 => 2,
            _ => 3,
        },
        (u64::MAX - n) / 10_000_000_000_000_000_000,
    ];
}

#[kernel]
fn written_in_many_ways(n: &[u32], out: &mut [[u32; 8]]) {
    let i = tid();
    let n = n[i];
    out[i] = [
        n ^ 0xDEAD_beef,
        n + 0b1010_0101,
        n & 0o777_u32,
        n | 1__000_,
        b'\n' as u32 + b'\x7f' as u32,
        n - 0xffu32,
        0x8000_0000u32 as i32 as u32 >> 4,
        (-0x80i8) as u32,
    ];
}

#[kernel(no_fma)]
fn float_literals(x: &[f64], out: &mut [[u64; 10]]) {
    let i = tid();
    let x = x[i];
    out[i] = [
        (x + 1e-3).to_bits(),
        (x * 2.5E+2).to_bits(),
        (x - 1_000.000_1e-1_0).to_bits(),
        (1e308 * 10.0 * x).is_nan() as u64,
        (0.1f32 as f64 + x).to_bits(),
        1f32.to_bits() as u64,
        (x as f32 * 1e-45).to_bits() as u64,
        5e-324f64.to_bits(),
        3.40282347e38_f32.to_bits() as u64,
        (x + 123456789012345678901234567890.0).to_bits(),
    ];
}
