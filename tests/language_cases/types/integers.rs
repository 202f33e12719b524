//! Integers that wrap, shifts by amounts of other types, sizes.

use super::*;

agree! {
    compound_bytes([0u8, 1, 127, 128, 200, 255]);
    compound_signed_bytes([0i8, 1, -1, 127, -128, 100]);
    compound_shorts([0i16, 1, -1, i16::MAX, i16::MIN, 12345]);
    compound_unsigned_shorts([0u16, 1, 255, 32768, u16::MAX]);
    shifts_by_other_types([0u32, 1, 5, 7]);
    shifts_of_narrow_types([0u8, 1, 3, 7]);
    clamped_integers(WIDE);
    sizes([0usize, 1, 5, 1 << 40, usize::MAX]);
    signed_sizes([0isize, -1, 7, isize::MIN, isize::MAX]);
    bits_of_numbers(WIDE);
    euclid(WIDE);
    wrapping_and_checked(WIDE);
}

#[kernel]
fn compound_bytes(x: &[u8], out: &mut [[u8; 10]]) {
    let i = tid();
    let mut a = [x[i]; 10];
    a[0] += 200;
    a[1] -= 3;
    a[2] *= 17;
    a[3] /= 7;
    a[4] %= 5;
    a[5] <<= 3;
    a[6] >>= 1;
    a[7] ^= 0xf0;
    a[8] = !a[8] - a[0] * a[1];
    a[9] |= (a[0] > a[1]) as u8 + a[2] / 3;
    out[i] = a;
}

#[kernel]
fn compound_signed_bytes(x: &[i8], out: &mut [[i8; 10]]) {
    let i = tid();
    let mut a = [x[i]; 10];
    a[0] += 100;
    a[1] -= 100;
    a[2] *= -3;
    a[3] /= 7;
    a[4] %= 5;
    a[5] <<= 3;
    a[6] >>= 1;
    a[7] = -a[7];
    a[8] = (a[0] + a[1]) / 2;
    a[9] = if a[0] * 2 > a[1] { a[2] >> 2 } else { a[0] - a[2] };
    out[i] = a;
}

#[kernel]
fn compound_shorts(x: &[i16], out: &mut [[i16; 8]]) {
    let i = tid();
    let mut a = [x[i]; 8];
    a[0] += 30000;
    a[1] *= a[0];
    a[2] -= a[1] / 3;
    a[3] >>= 5;
    a[4] <<= 9;
    a[5] = a[5].pow(2) % 1000;
    a[6] = (a[0] as i32 + a[1] as i32) as i16;
    a[7] = -(a[0] ^ a[1]) & 0x7ff;
    out[i] = a;
}

#[kernel]
fn compound_unsigned_shorts(x: &[u16], out: &mut [[u16; 6]]) {
    let i = tid();
    let mut s = x[i];
    let mut a = [0u16; 6];
    for k in 0..6 {
        s *= 31;
        s += k as u16;
        s ^= s >> 7;
        a[k] = s / (1 + k as u16) + (s < 30000) as u16;
    }
    out[i] = a;
}

#[kernel]
fn shifts_by_other_types(n: &[u32], out: &mut [[i64; 10]]) {
    let i = tid();
    let n = n[i];
    out[i] = [
        1i64 << n,
        (-5i64) >> n as u8,
        3i64 << n as i16,
        7i64 >> n as u64,
        (1u32 << n as usize) as i64,
        (-100i32 >> n as isize) as i64,
        (200u8 << n as i64) as i64,
        (-100i8 >> n) as i64,
        (!0u16 >> n as i8) as i64,
        1i64 << (n as i32 + 1),
    ];
}

#[kernel]
fn shifts_of_narrow_types(n: &[u8], out: &mut [[i32; 8]]) {
    let i = tid();
    let n = n[i];
    let (mut a, mut b) = (0x81u8, -0x40i8);
    a <<= n;
    b >>= n as u64;
    out[i] = [
        a as i32,
        b as i32,
        (0x81u8 >> n) as i32,
        (0x81u8 as i8 >> n) as i32,
        (0x8001u16 << n) as i32,
        (0x8001u16 as i16 >> n as i32) as i32,
        (a << 1 >> 1) as i32,
        (b << 1 >> 1) as i32,
    ];
}

#[kernel]
fn clamped_integers(x: &[i64], out: &mut [[i64; 6]]) {
    let i = tid();
    let x = x[i];
    out[i] = [
        x.clamp(-5, 300),
        (x as u8).clamp(3, 200) as i64,
        (x as i8).clamp(-100, 100) as i64,
        (x as u64).clamp(1, u64::MAX - 1) as i64,
        (x as i16).min(-7).max(-9000) as i64,
        (x as usize).min(7) as i64,
    ];
}

#[kernel]
fn sizes(n: &[usize], out: &mut [[u64; 8]]) {
    let i = tid();
    let n = n[i];
    let mut m = n;
    m += n;
    m -= 3;
    out[i] = [
        m as u64,
        (n * 3) as u64,
        (n / 3 - n % 7) as u64,
        (!n >> 3) as u64,
        n.leading_zeros() as u64,
        (n as isize - 9) as u64,
        (n as isize > -1) as u64,
        n.abs_diff(100) as u64,
    ];
}

#[kernel]
fn signed_sizes(n: &[isize], out: &mut [[i64; 8]]) {
    let i = tid();
    let n = n[i];
    out[i] = [
        (n + 1) as i64,
        (n - 1) as i64,
        (n / 2) as i64,
        (n % 3) as i64,
        (n >> 5) as i64,
        (-n) as i64,
        n.signum() as i64,
        (n as usize / 2) as i64,
    ];
}

#[kernel]
fn bits_of_numbers(x: &[i64], out: &mut [[i64; 10]]) {
    let i = tid();
    let x = x[i];
    out[i] = [
        (x as i8).count_ones() as i64,
        (x as i8).leading_zeros() as i64,
        (x as u16).trailing_zeros() as i64,
        (x as i16).swap_bytes() as i64,
        (x as u8).reverse_bits() as i64,
        (x as i8).rotate_left(11) as i64,
        x.count_zeros() as i64,
        (x as u8).leading_ones() as i64,
        (x as i16).wrapping_shl(19) as i64,
        (x as i8).wrapping_shr(9) as i64,
    ];
}

#[kernel]
fn euclid(x: &[i64], out: &mut [[i64; 6]]) {
    let i = tid();
    let x = x[i];
    out[i] = [
        x.rem_euclid(7),
        x.div_euclid(-7),
        (x as i8).rem_euclid(-13) as i64,
        (x as i16).div_euclid(9) as i64,
        (x as u8).div_ceil(3) as i64,
        (x as i8 / -7 + x as i8 % -7) as i64,
    ];
}

#[kernel]
fn wrapping_and_checked(x: &[i64], out: &mut [[i64; 9]]) {
    let i = tid();
    let x = x[i];
    let (a, b) = (x as i8, x as u8);
    out[i] = [
        a.wrapping_neg() as i64,
        a.wrapping_abs() as i64,
        a.wrapping_mul(3) as i64,
        a.saturating_add(100) as i64,
        b.saturating_sub(100) as i64,
        a.checked_add(100).unwrap_or(-1) as i64,
        b.checked_sub(128).map_or(7, |v| v as i64 * 2),
        a.unsigned_abs() as i64 + a.abs_diff(100) as i64,
        x.wrapping_pow(3) ^ b.pow(2) as i64,
    ];
}
