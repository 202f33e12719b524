//! Arithmetic, literals and inference.

use super::agree::agree;

agree! { integers_of_all_widths: {
    fn k(a: &[i32], b: &mut [i8], c: &mut [u8], d: &mut [i16], e: &mut [u64], f: &mut [i64]) {
        let t = tid();
        let x = a[t];
        b[t] = (x as i8).wrapping_mul(7) + 100;
        c[t] = (x as u8) * 3 - 200;
        d[t] = (x as i16) << 3 ^ 0x55;
        e[t] = (x as u64).rotate_left(13) >> (x & 63) | 1 << 40;
        f[t] = -(x as i64) * 1_000_000_007 % 1013 + !(x as i64);
    }
} 5, (a: i32 = [0, 1, -1, 77, -12345], b: i8 = [0; 5], c: u8 = [0; 5], d: i16 = [0; 5], e: u64 = [0; 5], f: i64 = [0; 5]),
  k(&a, &mut b, &mut c, &mut d, &mut e, &mut f) }

agree! { methods_of_integers: {
    fn k(a: &[i32], b: &[u32], out: &mut [i32], u: &mut [u32]) {
        let t = tid();
        let (x, y) = (a[t], b[t]);
        out[t] = x.abs().min(1000) + x.signum() * 10 + x.pow(3) + x.wrapping_abs() - x.max(-5).clamp(-3, 50);
        out[t] += x.saturating_add(i32::MAX - 2).wrapping_neg() ^ x.saturating_sub(2);
        out[t] += x.checked_div(x - 77).unwrap_or(5) + x.checked_add(i32::MAX).map_or(3, |v| v % 7);
        out[t] += x.wrapping_div(-1) + x.wrapping_rem(-1) + x.rem_euclid(7) + x.div_euclid(-7);
        out[t] += x.is_negative() as i32 + (x.unsigned_abs() >> 3) as i32;
        u[t] = y.count_ones() + y.leading_zeros() * 2 + y.trailing_zeros() * 3 + y.count_zeros() + y.leading_ones();
        u[t] += y.reverse_bits() ^ y.swap_bytes() ^ y.rotate_right(x as u32 & 31);
        u[t] += y.abs_diff(1000) + y.is_power_of_two() as u32 + y.div_ceil(7) + y.saturating_sub(500);
        u[t] += x.abs_diff(-40) + y.pow(y & 7) + (y >> 3 << 1) + y.checked_sub(9).unwrap_or(1);
    }
} 6, (a: i32 = [0, 1, -1, 77, i32::MIN, i32::MAX], b: u32 = [0, 1, 8, 999, u32::MAX, 0x80000001], out: i32 = [0; 6], u: u32 = [0; 6]),
  k(&a, &b, &mut out, &mut u) }

agree! { floats: {
    fn k(a: &[f32], out: &mut [f32], flags: &mut [bool]) {
        let t = tid();
        let x = a[t];
        let y = x.sqrt() + x.abs() * 2.5 - x.floor() / 3.0;
        out[4 * t] = if y.is_nan() { -1.0 } else { y };
        out[4 * t + 1] = x.trunc() + x.round() * 10.0 + x.ceil() * 0.5 + x.fract();
        out[4 * t + 2] = x.mul_add(2.0, 1.0) + x.copysign(-3.0) + x.signum() + x.powi(3) + x.min(1.5).max(-1.0);
        out[4 * t + 3] = x % 0.7 + x.clamp(-1.0, 1.0) + x.recip().clamp(-9.0, 9.0) + x.to_radians() + x.to_degrees();
        flags[t] = x.is_finite() && !x.is_infinite() && x.is_sign_negative() && x.to_bits() != 5 && x < 1e3;
    }
} 5, (a: f32 = [0.3, -2.5, 17.25, 1e-3, -0.75], out: f32 = [0.0; 20], flags: bool = [false; 5]),
  k(&a, &mut out, &mut flags) }

agree! { doubles: {
    fn k(a: &[f64], out: &mut [f64]) {
        let t = tid();
        let x = a[t];
        let z = 2.0 * x + 1.0 / 3.0;
        out[t] = z.sqrt() * x.rem_euclid(0.9) + x.div_euclid(0.4) + (x as f32 as f64) + f64::EPSILON * 4.0
            + std::f64::consts::PI + x.to_degrees() + x.to_radians() + x.powi(-2) + x.round_ties_even();
    }
} 3, (a: f64 = [0.1, 2.5, 1e5], out: f64 = [0.0; 3]), k(&a, &mut out) }

agree! { literals_take_their_type_from_later_use: {
    fn takes(x: u8, y: f64) -> f64 { x as f64 + y }
    fn k(out: &mut [f64], b: &mut [u8], n: &mut [usize]) {
        let x = 250;
        let y = 0.1;
        let z = 3;
        let w = -z;
        let i = 2;
        let big = 300;
        out[0] = takes(x, y);
        b[0] = x - 10;
        out[1] = w as f64 + 0.1f32 as f64;
        n[i] = 1 + big;
        let mut acc = 0;
        for k in 0..4 { acc += k; }
        n[0] = acc;
        out[2] = (1 << 20) as f64 + 7 as f64 + (1.5 as f32) as f64;
        let (p, q) = (1, 2.0);
        n[1] = p;
        out[3] = q;
        let arr = [1, 2, 3];
        b[1] = arr[2];
        let mut o = None;
        if x > 3 { o = Some(5); }
        n[3] = o.unwrap_or(0);
        let s = if x > 1 { 4 } else { 5 };
        b[2] = s << 6u32;
    }
} 1, (out: f64 = [0.0; 4], b: u8 = [0; 3], n: usize = [0; 4]), k(&mut out, &mut b, &mut n) }

agree! { casts: {
    fn k(a: &[i64], out: &mut [i64]) {
        let t = tid();
        let x = a[t];
        out[t] = (x as u8) as i64 + (x as i8) as i64 + (x as u16 as i16) as i64 + (x as u32) as i64 + (x as f32) as i64
            + (x as f64 as u32) as i64 + (x > 3) as i64 + x as usize as i64 + (x as i32 as u64) as i64 + (x as isize) as i64
            + -1 as i64 + 300i32 as u8 as i64 + (x as f32 as f64 * 1e300) as i64;
    }
} 6, (a: i64 = [0, 5, -1, 300, 1 << 40, i64::MIN + 3], out: i64 = [0; 6]), k(&a, &mut out) }

agree! { vectors: {
    fn k(a: &[Vec3], out: &mut [Vec3], s: &mut [f32]) {
        let t = tid();
        let p = a[t];
        let mut q = -p * 2.0 + p / 4.0 - 0.5 * Vec3::ONE;
        q.x += p.y;
        q[1] -= p[2];
        q += p * p;
        q *= 0.5;
        let c = p.cross(q) + Vec3::new(1.0, 2.0, 3.0) + Vec3::splat(s[t]) + vec3s(0.1);
        let d = Vec3 { x: 1.0, ..c };
        out[t] = d + Vec3::Z;
        out[t].y -= 1.0;
        s[t] = p.dot(q) + c.length() + p.length_squared() + if p == q { 1.0 } else { 0.0 };
        let i = t % 3;
        s[t] += out[t][i];
        out[t][(i + 1) % 3] *= 2.0;
    }
    fn vec3s(x: f32) -> Vec3 { Vec3::new(x, x + 1.0, x + 2.0) }
} 3, (a: Vec3 = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-0.5, 0.25, 9.0), Vec3::new(0.1, 0.2, 0.3)], out: Vec3 = [Vec3::ZERO; 3], s: f32 = [0.5; 3]),
  k(&a, &mut out, &mut s) }

agree! { the_library_of_vectors: {
    fn k(a: &[Vec3], out: &mut [Vec3], s: &mut [f32]) {
        let t = tid();
        let p = a[t];
        out[t] = p.normalize() + p.min(Vec3::ONE).max(Vec3::NEG_ONE) + p.abs() + p.lerp(Vec3::X, 0.25) + p.floor();
        let m = Mat3::from_cols(p, Vec3::Y, Vec3::new(1.0, 0.0, 2.0));
        out[t] += m * p + m.transpose() * Vec3::X * 2.0;
        s[t] = p.element_sum() + p.max_element() + p.distance(Vec3::ONE) + p.xy().length() + m.determinant();
        let q = Quat::from_xyzw(0.0, 0.6, 0.0, 0.8);
        out[t] += q * p + (q * q) * Vec3::X;
        if p.cmplt(Vec3::ONE).any() { s[t] += 1.0; }
    }
} 3, (a: Vec3 = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-0.5, 0.25, 9.0), Vec3::new(0.1, 0.2, 0.3)], out: Vec3 = [Vec3::ZERO; 3], s: f32 = [0.5; 3]),
  k(&a, &mut out, &mut s) }

agree! { half_floats: {
    fn scaled(x: f16, by: f32) -> f16 { f16::from_f32(x.to_f32() * by) }
    fn k(a: &[f16], b: &mut [bf16], out: &mut [f16], f: &mut [f32]) {
        let t = tid();
        let x = a[t];
        let mut y = x * x + x / f16::from_f32(3.0) - scaled(x, 0.1);
        y += x;
        y = -y;
        out[t] = if x < y { y } else { x % f16::from_f32(0.7) };
        b[t] = bf16::from_f32(y.to_f32()) * b[t];
        f[t] = b[t].to_f32() + (x == y) as i32 as f32 + x.to_f64() as f32 + x.to_bits() as f32;
    }
} 4, (a: f16 = [0.1f32, -2.5, 300.0, 0.0007].map(f16::from_f32), b: bf16 = [1.5f32, 2.0, -0.3, 7.0].map(bf16::from_f32), out: f16 = [f16::ZERO; 4], f: f32 = [0.0; 4]),
  k(&a, &mut b, &mut out, &mut f) }

agree! { inference_across_statements: {
    fn wide(x: i64) -> i64 { x * 2 }
    fn k(a: &mut [u16], f: &mut [f64], l: &mut [i64]) {
        let mut acc = 0;
        let mut best = None;
        let mut list = [0; 4];
        let pair = (1, 0.5);
        let mut steps = 0;
        for i in 0..a.len() {
            acc += a[i];
            list[i % 4] = a[i] as i64 - 7;
            if best.is_none() || list[i % 4] > best.unwrap() { best = Some(list[i % 4]); }
            steps += 1;
        }
        a[0] = acc;
        a[1] = pair.0;
        f[0] = pair.1 + 1.0;
        l[0] = wide(best.unwrap_or(-1)) + list[1];
        let k = if l[0] > 10 { 3 } else { -3 };
        l[1] = k;
        let z = { let q = 7; q + 1 };
        l[2] = wide(z) + steps;
        let (mut p, q);
        p = 1;
        q = 2;
        p += q;
        f[1] = p as f64;
        let w = match l[0] { 0 => 0, n if n > 5 => 200, _ => 100 };
        a[2] = w + 300;
        let e = [1.0, 2.0];
        f[2] = e[0] * e[1] + 1e-3;
        let s = 1 << 4 | 3;
        a[3] = s;
        let big = 0xffff_ffff_u32 as f32;
        f[3] = big as f64;
    }
} 1, (a: u16 = [5, 6, 7, 8], f: f64 = [0.0; 4], l: i64 = [0; 3]), k(&mut a, &mut f, &mut l) }
