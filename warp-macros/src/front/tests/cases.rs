//! The rules of Rust that are most easily got wrong; expected values were printed by rustc.

use super::harness::{Source, arr, run};

#[test]
fn particles_in_a_central_field() {
    let text = "fn k(pos: &mut [Vec3], vel: &mut [Vec3], dt: f32) {
        let i = tid();
        if i >= pos.len() { return; }
        let p = pos[i];
        let r = p.length();
        if r < 1e-6 { return; }
        let a = -p / r * (0.5 * 1.0 / (r * r));
        let v = vel[i] + a * dt;
        vel[i] = v;
        pos[i] = p + v * dt;
    }";
    let p = [3.0f32, 4.0, 0.0, 0.0, 0.0, 0.0];
    let report = Source::new(text).run_with(&[3], &[arr(&p), arr(&[0.0f32; 6])], &[0.01f32.to_bits() as u64], &[]);
    let (r, dt) = (5.0f32, 0.01f32);
    let a: Vec<f32> = p[..3].iter().map(|&c| -c / r * (0.5 * 1.0 / (r * r))).collect();
    let v: Vec<f32> = a.iter().map(|a| 0.0 + a * dt).collect();
    let mut expected: Vec<f32> = (0..3).map(|c| p[c] + v[c] * dt).collect();
    expected.extend([0.0; 3]);
    assert_eq!(report.get::<f32>(0), expected);
    assert_eq!(&report.get::<f32>(1)[..3], &v[..]);
}

#[test]
fn one_name_for_several_loops_and_a_counter() {
    let text = "fn k(out: &mut [i32]) {
        let mut acc = 0;
        for i in 0..3 { acc += i; }
        let mut i = 0;
        while i < 4 { acc += 10; i += 1; }
        for i in 0..2 { acc += 100 * i; }
        out[0] = acc;
        out[1] = i;
    }";
    assert_eq!(run(text, 1, &[arr(&[0i32; 2])]).get::<i32>(0), [143, 4]);
}

#[test]
fn continue_and_break_in_one_loop() {
    let text = "fn k(n: &[i32], out: &mut [i32]) {
        let t = tid();
        let (mut a, mut b) = (7, 0);
        for i in 0..n[t] {
            b += a;
            if i % 3 == 1 { a = i; continue; }
            if i == 8 { break; }
            a = 50;
        }
        out[t] = b + 1000 * a;
    }";
    let report = run(text, 7, &[arr(&[0, 1, 2, 5, 6, 9, 20]), arr(&[0i32; 7])]);
    assert_eq!(report.get::<i32>(1), [7000, 50007, 1057, 4158, 50162, 7269, 7269]);
}

#[test]
fn division_of_negative_numbers() {
    let text = "fn k(a: &[i32], b: &[i32], q: &mut [i32], r: &mut [i32], qe: &mut [i32], re: &mut [i32]) {
        let i = tid();
        q[i] = a[i] / b[i];
        r[i] = a[i] % b[i];
        qe[i] = a[i].div_euclid(b[i]);
        re[i] = a[i].rem_euclid(b[i]);
    }";
    let zeros = arr(&[0i32; 4]);
    let out = [zeros.clone(), zeros.clone(), zeros.clone(), zeros];
    let mut arrays = vec![arr(&[-7, 7, -8, -1]), arr(&[2, -2, 4, 2])];
    arrays.extend(out.clone());
    let report = run(text, 4, &arrays);
    assert_eq!(report.get::<i32>(2), [-3, -3, -2, 0]);
    assert_eq!(report.get::<i32>(3), [-1, 1, 0, -1]);
    assert_eq!(report.get::<i32>(4), [-4, -3, -2, -1]);
    assert_eq!(report.get::<i32>(5), [1, 1, 0, 1]);
    arrays[0] = arr(&[i32::MIN]);
    arrays[1] = arr(&[-1]);
    assert_eq!(run(text, 1, &arrays).fault().unwrap(), "DivideOverflow [] `a[i] / b[i]`");
    arrays[1] = arr(&[0]);
    assert_eq!(run(text, 1, &arrays).fault().unwrap(), "DivideByZero [] `a[i] / b[i]`");
}

#[test]
fn remainders_of_floats() {
    let text = "fn k(x: &[f32], out: &mut [f32]) { out[0] = x[0] % x[1]; out[1] = x[0].rem_euclid(x[1]); }";
    assert_eq!(run(text, 1, &[arr(&[-5.5f32, 2.0]), arr(&[0f32; 2])]).get::<f32>(1), [-1.5, 0.5]);
}

#[test]
fn logic_stops_early() {
    let text = "fn k(a: &[f32], hit: &mut [bool], calls: &mut [u32]) {
        let j = tid();
        let mut n = 0;
        hit[j] = j >= a.len() || { n += 1; a[j] < 0.0 };
        if j < a.len() && a[j] > 0.0 { n += 10; }
        calls[j] = n;
    }";
    let report = run(text, 4, &[arr(&[1f32, -1.0]), arr(&[false; 4]), arr(&[0u32; 4])]);
    assert_eq!(report.get::<bool>(1), [false, true, true, true]);
    assert_eq!(report.get::<u32>(2), [11, 1, 0, 0]);
    assert_eq!(report.fault(), None);
}

#[test]
fn casts_out_of_range() {
    let text = "fn k(x: &[f32], a: &mut [i32], b: &mut [u32], c: &mut [u8], d: &mut [i8], e: &mut [i64]) {
        let i = tid();
        a[i] = x[i] as i32; b[i] = x[i] as u32; c[i] = x[i] as u8; d[i] = x[i] as i8; e[i] = x[i] as i64;
    }";
    let x = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.5, 300.0, 3e9, 1e20, -0.9];
    let arrays = [arr(&x), arr(&[0i32; 8]), arr(&[0u32; 8]), arr(&[0u8; 8]), arr(&[0i8; 8]), arr(&[0i64; 8])];
    let report = run(text, 8, &arrays);
    assert_eq!(report.get::<i32>(1), [0, 2147483647, -2147483648, -1, 300, 2147483647, 2147483647, 0]);
    assert_eq!(report.get::<u32>(2), [0, 4294967295, 0, 0, 300, 3000000000, 4294967295, 0]);
    assert_eq!(report.get::<u8>(3), [0, 255, 0, 0, 255, 255, 255, 0]);
    assert_eq!(report.get::<i8>(4), [0, 127, -128, -1, 127, 127, 127, 0]);
    let wide = [0, 9223372036854775807, -9223372036854775808, -1, 300, 3000000000, 9223372036854775807, 0];
    assert_eq!(report.get::<i64>(5), wide);
}

#[test]
fn widening_and_narrowing() {
    let text = "fn k(w: &[u16], b: &[u8], s: &[i8], u: &[u64], out: &mut [i64], big: &mut [u64], less: &mut [bool]) {
        out[0] = (w[0] - b[0] as u16) as i64;
        out[1] = (s[0] as u32) as i64;
        out[2] = (b[1] as i8) as i64;
        out[3] = (3_000_000_000u32 as i32) as i64;
        out[4] = (((1i64 << 40) + 1) as i32) as i64;
        big[0] = u[0] + (u[0] - 1);
        big[1] = s[0] as u64;
        less[0] = u[0] < 5;
    }";
    let arrays = [
        arr(&[1000u16]),
        arr(&[255u8, 200]),
        arr(&[-1i8]),
        arr(&[1u64 << 63]),
        arr(&[0i64; 5]),
        arr(&[0u64; 2]),
        arr(&[true]),
    ];
    let report = run(text, 1, &arrays);
    assert_eq!(report.get::<i64>(4), [745, 4294967295, -56, -1294967296, 1]);
    assert_eq!(report.get::<u64>(5), [u64::MAX, u64::MAX]);
    assert_eq!(report.get::<bool>(6), [false]);
}

#[test]
fn names_that_mean_something_elsewhere() {
    let text = "fn k(reg: &[f32], global: &mut [f32]) {
        let ld = tid();
        let (mov, add, bra, ret) = (reg[ld], 1.0, 2.0, 3.0);
        let (float, int, long, template, class) = (mov, add, bra, ret, 4.0);
        let (r#type, r#match, _x, __y, größe) = (float, int, long, template, class);
        let (param, entry, shared, ntid, laneid) = (r#type, r#match, _x, __y, größe);
        global[ld] = param + entry + shared + ntid + laneid;
    }";
    assert_eq!(run(text, 2, &[arr(&[10f32, 20.0]), arr(&[0f32; 2])]).get::<f32>(1), [20.0, 30.0]);
}

#[test]
fn empty_arrays() {
    let text = "fn k(a: &[f32], out: &mut [f32]) {
        let i = tid();
        if i < a.len() { out[i] = a[i] * 2.0; } else { out[i] = a.len() as f32 - 1.0; }
    }";
    let report = run(text, 3, &[arr::<f32>(&[]), arr(&[0f32; 3])]);
    assert_eq!(report.get::<f32>(1), [-1.0; 3]);
    let bare = "fn k(a: &[f32], out: &mut [f32]) { let i = tid(); out[i] = a[i]; }";
    assert_eq!(run(bare, 1, &[arr::<f32>(&[]), arr(&[0f32])]).fault().unwrap(), "Index [0, 0] `a[i]`");
}

#[test]
fn ranges_of_all_kinds() {
    let text = "fn k(out: &mut [i32], lo: i32, hi: i32) {
        let (mut a, mut b, mut c, mut d) = (0, 0, 7, 0);
        for j in (lo..hi).rev().step_by(3) { a = a * 10 + j; }
        for j in (0..hi).step_by(4) { b = b * 10 + j; }
        for j in hi..lo { c = c * 10 + j; }
        for j in -lo..lo { d += j; }
        out[0] = a; out[1] = b; out[2] = c; out[3] = d;
    }";
    let report = Source::new(text).run_with(&[1], &[arr(&[0i32; 4])], &[3, 10], &[]);
    assert_eq!(report.get::<i32>(0), [963, 48, 7, -3]);
}

#[test]
fn shadowing() {
    let text = "fn k(a: &[f32], out: &mut [f32], second: &mut [f32]) {
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
        let x = if x > 1.0 { let x = x - 1.0; x * x } else { x };
        for x in 0..3 { acc += x as f32; }
        out[i] = acc + x;
    }";
    let report = run(text, 2, &[arr(&[3f32, 0.5]), arr(&[0f32; 2]), arr(&[0f32; 2])]);
    assert_eq!(report.get::<f32>(1), [40.0, 9.0]);
    assert_eq!(report.get::<f32>(2), [1030.0, 1005.0]);
}

#[test]
fn an_index_out_of_range() {
    let gather = "fn k(src: &[f32], idx: &[u32], out: &mut [f32]) { let i = tid(); out[i] = src[idx[i] as usize]; }";
    let unused = "fn k(src: &[f32], idx: &[u32], out: &mut [f32]) { let i = tid(); let _v = src[idx[i] as usize]; out[i] = 1.0; }";
    let scatter = "fn k(src: &[f32], idx: &[u32], out: &mut [f32]) { let i = tid(); out[idx[i] as usize] = src[i]; }";
    let arrays = [arr(&[1f32; 4]), arr(&[0u32, 3, 1000, u32::MAX]), arr(&[0f32; 4])];
    for (text, source) in [(gather, "src"), (unused, "src"), (scatter, "out")] {
        let report = run(text, 4, &arrays);
        assert_eq!(report.fault().unwrap(), format!("Index [1000, 4] `{source}[idx[i] as usize]`"));
        assert_eq!(report.outcome.faults, 2);
    }
}
