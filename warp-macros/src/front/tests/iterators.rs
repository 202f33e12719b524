//! What loops walk over: ranges to the very ends of their types, adaptors on them, elements that are written.

use super::agree::agree;
use super::harness::{arr, run};

agree! { two_fields_are_written_side_by_side: {
    #[derive(Clone, Copy)]
    struct S { a: [i32; 3], b: [i32; 3] }
    fn k(n: &[u32], out: &mut [i32]) {
        let t = tid();
        let mut s = S { a: [1, 2, 3], b: [10, 20, 30] };
        let mut c = [5, 6, 7];
        let mut d = [7u32, 8, 9];
        for _ in 0..n[t] {
            for (a, b) in s.a.iter_mut().zip(s.b.iter_mut()) { *a += 1; *b += 2; }
            for (a, b) in s.a.iter_mut().zip(c.iter_mut()) { *a += *b; *b += 1; }
            for ((a, b), c) in c.iter_mut().zip(s.b.iter_mut()).zip(d.iter_mut()) { *a += 1; *b *= 3; *c += 1; }
            for (k, (c, b)) in d.iter_mut().zip(s.b.iter_mut()).enumerate() { *c += k as u32; *b -= 1; }
        }
        for i in 0..3 {
            out[t * 12 + i] = s.a[i];
            out[t * 12 + 3 + i] = s.b[i];
            out[t * 12 + 6 + i] = c[i];
            out[t * 12 + 9 + i] = d[i] as i32;
        }
    }
} 3, (n: u32 = [0, 1, 3], out: i32 = [0; 36]), k(&n, &mut out) }

agree! { pairs_of_two_variables_in_a_loop: {
    fn k(n: &[u32], out: &mut [i32]) {
        let t = tid();
        let mut p = (1, [2, 3]);
        let mut q = [4, 5];
        let mut i = 0;
        while i < n[t] {
            for (x, y) in p.1.iter_mut().zip(q.iter_mut()) { *x += *y; *y -= 1; }
            i += 1;
        }
        out[t] = p.0 + p.1[0] * 10 + p.1[1] * 100 + q[0] * 1000 + q[1] * 10000;
    }
} 3, (n: u32 = [0, 1, 4], out: i32 = [0; 3]), k(&n, &mut out) }

agree! { whole_ranges_of_bytes: {
    fn k(out: &mut [i64]) {
        let (mut n, mut s) = (0, 0i64);
        for i in i8::MIN..=i8::MAX { n += 1; s = s * 3 + i as i64; }
        out[0] = n; out[1] = s;
        s = 0; n = 0;
        for i in (0..=u8::MAX).rev() { n += 1; s = s * 3 + i as i64; }
        out[2] = n; out[3] = s;
        s = 0; n = 0;
        for i in (i8::MIN..=i8::MAX).step_by(5) { n += 1; s = s * 3 + i as i64; }
        out[4] = n; out[5] = s;
        s = 0; n = 0;
        for i in (i8::MIN..=i8::MAX).rev().step_by(200) { n += 1; s = s * 3 + i as i64; }
        out[6] = n; out[7] = s;
        s = 0; n = 0;
        for i in (i8::MIN..i8::MAX).rev().step_by(100).rev() { n += 1; s = s * 3 + i as i64; }
        out[8] = n; out[9] = s;
        for (k, i) in (100..=u8::MAX).rev().skip(5).step_by(50).enumerate() { out[10] = out[10] * 7 + k as i64 + i as i64; }
        for i in (5..=4u8).rev() { out[11] = 1; }
        for i in (5..4i32).step_by(3) { out[11] = 2; }
    }
} 1, (out: i64 = [0; 12]), k(&mut out) }

agree! { ranges_that_end_at_the_largest_numbers: {
    fn k(ends: &[u64], out: &mut [u64]) {
        let (low, high) = (ends[0], ends[1]);
        let mut s = 0u64;
        for i in (low..=high).rev() { s = s.wrapping_mul(31).wrapping_add(i); if i < high - 3 { break; } }
        out[0] = s; s = 0;
        for i in (low..=high).step_by(1 << 61) { s = s.wrapping_mul(31).wrapping_add(i); }
        out[1] = s; s = 0;
        for i in (low..=high).rev().step_by(usize::MAX) { s = s.wrapping_mul(31).wrapping_add(i); }
        out[2] = s; s = 0;
        for i in (low..=high).skip(usize::MAX) { s = s.wrapping_mul(31).wrapping_add(i); }
        out[3] = s; s = 0;
        for i in (low..=high).skip(usize::MAX).skip(1) { s += 1; }
        out[4] = s; s = 0;
        for (i, j) in (low..=high).rev().zip((low..=high).step_by(1 << 60)).take(9) {
            s = s.wrapping_mul(31).wrapping_add(i ^ j.rotate_left(7));
        }
        out[5] = s; s = 0;
        for i in (i64::MIN..=i64::MAX).step_by(1 << 62) { s = s.wrapping_mul(31).wrapping_add(i as u64); }
        out[6] = s; s = 0;
        for i in (i64::MIN..=i64::MAX).rev().step_by(1 << 62) { s = s.wrapping_mul(31).wrapping_add(i as u64); }
        out[7] = s; s = 0;
        for i in (low as usize..=usize::MAX).skip(usize::MAX - 2).take(5).step_by(2) { s = s.wrapping_mul(31).wrapping_add(i as u64); }
        out[8] = s; s = 0;
        for i in high - 1..=high { s = s.wrapping_mul(31).wrapping_add(i); }
        out[9] = s; s = 0;
        for i in (high - 1..=high).rev().rev().step_by(1) { s = s.wrapping_mul(31).wrapping_add(i); }
        out[10] = s; s = 0;
        for i in (low..=high).rev().step_by(1) { s = s.wrapping_mul(31).wrapping_add(i); if i < high - 3 { break; } }
        out[11] = s; s = 0;
        for i in low..=high { s = s.wrapping_mul(31).wrapping_add(i); if i > 3 { break; } }
        out[12] = s;
        for i in (low..high).rev().step_by(1 << 63) { out[13] += i; }
        for i in (low..=high).take(0) { out[14] += 1; }
        for i in (low..=high).take(2).step_by(7).skip(1) { out[14] += 1; }
    }
} 1, (ends: u64 = [0, u64::MAX], out: u64 = [0; 15]), k(&ends, &mut out) }

agree! { steps_that_leave: {
    fn k(n: &[u64], out: &mut [u64]) {
        let t = tid();
        let k = n[t];
        out[t] = 7;
        for i in (0..10u64).step_by(if k == 0 { return } else { k as usize }) { out[t] += i; }
        for i in (if k == 1 { return } else { 3 }..20u64).skip(if k == 2 { return } else { k as usize }) { out[t] += i; }
        'outer: for j in 0..3 {
            for i in (0..j).take(if j == k { break 'outer } else { 2 }).step_by(if j == 4 { continue 'outer } else { 1 }) {
                out[t] += 100 * i;
            }
            out[t] += 1000;
        }
    }
} 5, (n: u64 = [0, 1, 2, 3, 4], out: u64 = [0; 5]), k(&n, &mut out) }

#[test]
fn a_step_of_zero_is_a_fault() {
    let text = "fn k(n: &[u64], out: &mut [u64]) { for i in (0..=u64::MAX).step_by(n[0] as usize) { out[0] += i; } }";
    let report = run(text, 1, &[arr(&[0u64]), arr(&[0u64])]);
    assert_eq!(report.fault().unwrap(), "StepZero [] `(0..=u64::MAX).step_by(n[0] as usize)`");
}

agree! { an_array_that_its_own_loop_changes: {
    fn k(n: &[usize], out: &mut [i32]) {
        let t = tid();
        let mut a = [1, 2, 3, 4];
        for x in a { a[3] = 100 * x; out[t] += x; }
        let mut s = ([1, 2, 3], 5);
        for (i, x) in s.0.into_iter().enumerate() { s.0 = [9, 9, 9]; out[t] += x * i as i32; }
        let mut m = [[1, 2], [3, 4]];
        for row in m { m[1][n[t]] += 10; out[t] += row[0] * 7 + row[1] * 3; }
        for row in m.iter_mut() { for x in *row { row[1] += x; out[t] = out[t] * 3 + x; } }
        for (x, y) in a.iter_mut().zip(s.0) { *x += y; s.0[2] = 50; }
        for r in m.iter_mut().rev() { let b = *r; r[0] = 3; out[t] += b[0]; }
        out[t] += a[0] + a[1] * 2 + a[2] * 3 + a[3] * 5 + m[0][0] + m[1][1];
    }
} 2, (n: usize = [0, 1], out: i32 = [0; 2]), k(&n, &mut out) }

agree! { ranges_without_an_end: {
    fn k(n: &[i32], out: &mut [i32]) {
        let t = tid();
        for (i, x) in (n[t]..).zip(n.iter()) { out[t] = out[t] * 3 + i * *x; }
        for (x, i) in n.iter().zip((5u64..).step_by(3)) { out[t] = out[t].wrapping_mul(3) + i as i32 * *x; }
        for i in 250u8.. { if i == n[t] as u8 { break; } if i > 253 { out[t] += 7; break; } out[t] += i as i32; }
        for i in (n[t]..).skip(2).take(3) { out[t] ^= i; }
    }
} 4, (n: i32 = [1, 252, -4, 9], out: i32 = [0; 4]), k(&n, &mut out) }
