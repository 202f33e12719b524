//! Kernels on which a backward pass easily goes wrong.

use super::super::harness::{Bits, arr};
use super::{f, gives, zeros};

#[test]
fn a_value_from_before_a_loop_is_used_after_it() {
    let text = "fn k(x: &[f32], w: &[f32], n: usize, out: &mut [f32]) {
        let i = tid();
        let area = x[i] * x[i];
        let mut acc = 5.0;
        for j in 0..n { acc += w[j] * x[i]; }
        out[i] = acc * area;
    }";
    let arrays = [f(&[3.]), f(&[1., 2., 0.5]), zeros(1)];
    gives(text, &[1], &arrays, &[3], &[(2, &[139.5])], &[(0, &[124.5]), (1, &[27., 27., 27.])]);
    gives(text, &[1], &arrays, &[0], &[(2, &[45.])], &[(0, &[30.]), (1, &[0., 0., 0.])]);
}

#[test]
fn ragged_nested_loops() {
    let text = "fn k(first: &[u32], angle: &[f32], off: &[f32], out: &mut [f32]) {
        let mut p = 1.0;
        for b in 0..off.len() {
            p = 1.1 * p + off[b];
            for j in first[b] as usize..first[b + 1] as usize { p = p + angle[j].sin() * p; }
        }
        out[tid()] = p;
    }";
    let arrays = [arr(&[0u32, 2, 2, 5]), f(&[0.1, -0.2, 0.3, 0.4, -0.5]), f(&[0.5, -0.25, 2.]), zeros(1)];
    gives(
        text,
        &[1],
        &arrays,
        &[],
        &[(3, &[3.215237939])],
        &[
            (1, &[1.446445564, 1.955455425, 2.370965816, 2.131417271, 5.420236597]),
            (2, &[0.999272932, 1.030748622, 0.937044201]),
        ],
    );
}

#[test]
fn a_running_maximum_with_continue() {
    let text = "fn k(c: &[f32], x: &[f32], out: &mut [f32]) {
        let i = tid();
        let mut best = -1.0e20;
        for p in 0..3 {
            for q in 0..4 {
                let a = c[p * 4 + q];
                if a == 0.0 { continue; }
                let v = x[i] * a * (1 + p + q) as f32;
                if v > best { best = v; }
            }
        }
        out[i] = best;
    }";
    let c = [0., 1., 0., -2., 3., 0., 0., 0.5, -1., 0., 2., 0.];
    let mut dc = [0.0; 12];
    (dc[3], dc[10]) = (-6.0, 11.25);
    let arrays = [f(&c), f(&[2., -1.5, 0.25]), zeros(3)];
    gives(text, &[3], &arrays, &[], &[(2, &[20., 12., 2.5])], &[(0, &dc), (1, &[10., -8., 10.])]);
}

#[test]
fn strided_and_reversed_loops() {
    let text = "fn k(x: &[f32], n: usize, out: &mut [f32]) {
        let mut s = 1.0;
        for j in (1..n).step_by(3) { s = s * s * 0.5 + x[j]; }
        for j in (0..n).rev().step_by(4) { s = s * 0.5 + x[j] * x[j]; }
        out[tid()] = s;
    }";
    let x: Vec<f32> = (1..=11).map(|k| k as f32 * 0.1).collect();
    let dx = [0., 0.070240346, 0.6, 0., 0.100343352, 0., 0.7, 0.134689062, 0., 0., 0.675];
    gives(text, &[1], &[f(&x), zeros(1)], &[11], &[(1, &[0.847564574])], &[(0, &dx)]);
}

#[test]
fn an_array_element_that_a_loop_adds_to() {
    let text = "fn k(y: &[f32], acc: &mut [f32]) {
        let i = tid();
        for j in 0..y.len() { acc[i] += y[j] * (i + 1) as f32; }
    }";
    let arrays = [f(&[1., 2., 3.]), f(&[1., 0., 0., 0., 0.])];
    gives(text, &[5], &arrays, &[], &[(1, &[7., 12., 18., 24., 30.])], &[(0, &[15.; 3]), (1, &[1.; 5])]);
}

#[test]
fn an_element_that_is_squared_in_place() {
    let text = "fn k(a: &mut [f32]) { let i = tid(); a[i] = a[i] * a[i] + 1.0; }";
    gives(text, &[3], &[f(&[0.5, -1., 2.])], &[], &[(0, &[1.25, 2., 5.])], &[(0, &[1., -2., 4.])]);
    // A loop does it three times over: the values between are needed again.
    let text = "fn k(a: &mut [f32]) { let i = tid(); for _ in 0..3 { a[i] = a[i] * a[i] * 0.5 + 1.0; } }";
    let slope = |mut a: f64| {
        let mut d = 1.0;
        for _ in 0..3 {
            d *= a;
            a = a * a * 0.5 + 1.0;
        }
        d
    };
    gives(text, &[3], &[f(&[0.5, -1., 2.])], &[], &[], &[(0, &[slope(0.5), slope(-1.), slope(2.)])]);
}

#[test]
fn an_overwritten_element_has_no_gradient() {
    let text = "fn k(b: &[f32], y: &mut [f32]) { let i = tid(); y[i] = 3.0 * b[i]; }";
    gives(text, &[2], &[f(&[1., 2.]), f(&[2., 2.])], &[], &[], &[(0, &[3., 3.]), (1, &[0., 0.])]);
}

#[test]
fn entries_of_a_local_matrix() {
    let text = "fn k(x: &[f32], w: &[f32], out: &mut [f32]) {
        let i = tid();
        let mut m = Mat2::ZERO;
        for g in 0..4 {
            m.x_axis.x = m.x_axis.x + w[g] * x[i];
            m.x_axis.y += m.x_axis.x * 0.5;
        }
        out[i] = m.x_axis.x * m.x_axis.x + m.x_axis.y;
    }";
    let arrays = [f(&[0.7]), f(&[0.1, 0.2, 0.3, 0.4]), zeros(1)];
    gives(text, &[1], &arrays, &[], &[(2, &[1.19])], &[(0, &[2.4]), (1, &[2.38, 2.03, 1.68, 1.33])]);
}

#[test]
fn components_of_an_element() {
    let text = "fn k(x: &[f32], y: &mut [Vec3]) {
        let i = tid();
        y[i].x = 2.0 * x[i];
        y[i].y = x[i] * x[i];
        y[i].z = y[i].x * x[i];
    }";
    gives(text, &[3], &[f(&[1., 2., -0.5]), zeros(9)], &[], &[], &[(0, &[8., 14., -1.])]);
}

#[test]
fn a_struct_that_a_function_returns() {
    let text = "struct Item { v: Vec3, count: u32 }
    fn make(x: Vec3) -> Item { Item { v: x * 2.0, count: 3 } }
    fn k(x: &[Vec3], out: &mut [f32]) {
        let i = tid();
        let s = make(x[i]);
        out[i] = s.v.dot(s.v) * s.count as f32;
    }";
    gives(text, &[1], &[f(&[1., 2., 3.]), zeros(1)], &[], &[(1, &[168.])], &[(0, &[24., 48., 72.])]);
}

#[test]
fn a_copy_that_a_branch_overwrites() {
    let text = "fn f(a: f32) -> f32 {
        let mut b = a;
        if b > 0.0 { b = a * a + b; } else { b = a * a * a - b; }
        b
    }
    fn k(a: &[f32], out: &mut [f32]) { let i = tid(); out[i] = f(a[i]); }";
    gives(text, &[3], &[f(&[-2., 0.5, 3.]), zeros(3)], &[], &[(1, &[-6., 0.75, 12.])], &[(0, &[11., 2., 7.])]);
}

#[test]
fn the_arm_that_did_not_run() {
    let text = "fn k(a: &[f32], t: &[f32], flag: &[bool], out: &mut [f32]) {
        let i = tid();
        out[i] = if flag[i] { a[i] / t[i] } else { a[i] * a[i] };
    }";
    let arrays = [f(&[1., 2., -3.]), f(&[4., 0., 2.]), arr(&[true, false, true]), zeros(3)];
    gives(text, &[3], &arrays, &[], &[(3, &[0.25, 4., -1.5])], &[(0, &[0.25, 4., 0.5]), (1, &[-0.0625, 0., 0.75])]);
    let text = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = if x[i] < 1.0 { x[i].acos() } else { 0.0 };
    }";
    let dx = [0., -1.154700538, 0., -1.032795559];
    gives(text, &[4], &[f(&[1., 0.5, 2., -0.25]), zeros(4)], &[], &[], &[(0, &dx)]);
}

#[test]
fn clamps_and_steps() {
    let text = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = 2.0 * x[i].clamp(-1.0, 1.0) + 3.0 * x[i].max(0.25);
    }";
    let out = [-1.25, -0.25, 0.95, 4.5, 11.];
    gives(text, &[5], &[f(&[-2., -0.5, 0.1, 0.9, 3.]), zeros(5)], &[], &[(1, &out)], &[(0, &[0., 2., 2., 5., 3.])]);
    let text = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        let n = x[i] as i32;
        out[i] = n as f32 * x[i] + x[i].floor() * x[i] + x[i].signum() * x[i] * x[i];
    }";
    gives(text, &[3], &[f(&[2.7, -1.3, 0.5]), zeros(3)], &[], &[(1, &[18.09, 2.21, 0.25])], &[(0, &[9.4, -0.4, 1.])]);
}

#[test]
fn vectors_and_rotations() {
    let text = "fn k(s: &[f32], v: &[Vec3], c: &[Vec3], out: &mut [f32]) {
        let i = tid();
        let r = s[i] / v[i];
        out[i] = r.dot(c[i]);
    }";
    let arrays = [f(&[3.]), f(&[1., -2., 4.]), f(&[1., 2., -1.]), zeros(1)];
    gives(text, &[1], &arrays, &[], &[(3, &[-0.75])], &[(0, &[-0.25]), (1, &[-3., -1.5, 0.1875])]);
    let text = "fn k(v: &[Vec3], out: &mut [f32]) {
        let i = tid();
        out[i] = v[i].length() * v[i].length() + v[i].length_squared();
    }";
    let arrays = [f(&[0., 0., 0., 3., 0., 4.]), zeros(2)];
    gives(text, &[2], &arrays, &[], &[], &[(0, &[0., 0., 0., 12., 0., 16.])]);
    let text = "fn k(y: &[f32], x: &[f32], out: &mut [f32]) {
        let i = tid();
        let r2 = x[i] * x[i] + y[i] * y[i];
        out[i] = if r2 > 0.0 { y[i].atan2(x[i]) } else { 0.0 };
    }";
    let arrays = [f(&[1., 0., -3., 0.]), f(&[2., -1., 0., 0.]), zeros(4)];
    gives(text, &[4], &arrays, &[], &[], &[(0, &[0.4, -1., 0., 0.]), (1, &[-0.2, 0., 0.333333333, 0.])]);
    let text = "fn k(theta: &[f32], v: &[Vec3], c: Vec3, out: &mut [f32]) {
        let i = tid();
        let q = Quat::from_axis_angle(Vec3::new(0.0, 0.6, 0.8), theta[i]);
        out[i] = (q * v[i]).dot(c);
    }";
    let arrays = [f(&[0., 0.7, std::f32::consts::PI]), f(&[1., 2., 3., 1., 2., 3., 1., 2., 3.]), zeros(3)];
    let c = [0.5f32.bits(), (-1.0f32).bits(), 2.0f32.bits()];
    gives(
        text,
        &[3],
        &arrays,
        &c,
        &[(2, &[4.5, 3.064344363, 2.7])],
        &[
            (0, &[-1.9, -2.032996074, 1.9]),
            (1, &[0.5, -1., 2., -0.906014281, -0.881434575, 1.911075931, -0.5, 2.2, -0.4]),
        ],
    );
}

#[test]
fn determinants_of_singular_matrices() {
    // Columns first.
    let text = "fn k(a: &[Mat2], out: &mut [f32]) { let i = tid(); out[i] = a[i].determinant(); }";
    gives(text, &[1], &[f(&[0., 0., 1., 1.]), zeros(1)], &[], &[(1, &[0.])], &[(0, &[1., -1., 0., 0.])]);
    let text = "fn k(a: &[Mat3], out: &mut [f32]) { let i = tid(); out[i] = a[i].determinant(); }";
    let da = [4., -2., 0., 4., -2., 0., -4., 2., 0.];
    gives(text, &[1], &[f(&[1., 2., 1., 2., 4., 0., 3., 6., 1.]), zeros(1)], &[], &[(1, &[0.])], &[(0, &da)]);
}

#[test]
fn elements_that_several_threads_read() {
    let text = "fn k(table: &[f32], ids: &[u32], w: &[f32], out: &mut [f32]) {
        let i = tid();
        let t = table[ids[i] as usize];
        atomic_add(&mut out[0], t * t * w[i]);
    }";
    let arrays = [f(&[1., 2., 3., 4., 5., 6.]), arr(&[1u32, 3, 1, 5]), f(&[0.25, 0.5, 1., 2.]), zeros(1)];
    let grad: [(usize, &[f64]); 2] = [(0, &[0., 5., 0., 4., 0., 24.]), (2, &[4., 16., 4., 36.])];
    gives(text, &[4], &arrays, &[], &[(3, &[85.])], &grad);
    let text = "fn k(x: &[f32], out: &mut [f32]) {
        let (i, j) = tid2();
        atomic_add(&mut out[0], x[i] * (j % 7) as f32);
    }";
    let arrays = [f(&[1., 2., 3.]), zeros(1)];
    gives(text, &[3, 40_000], &arrays, &[], &[(1, &[719_970.])], &[(0, &[119_995.; 3])]);
}

/// The product is infinite, but it is overwritten: nothing comes back to it.
#[test]
fn infinite_values_that_are_overwritten() {
    let text = "fn k(x: &[f32], w: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = w[i] * (1.0 / x[i]);
        if x[i] == 0.0 { out[i] = w[i]; }
    }";
    let arrays = [f(&[0., 2.]), f(&[3., 4.]), zeros(2)];
    gives(text, &[2], &arrays, &[], &[(2, &[3., 2.])], &[(0, &[0., -1.]), (1, &[1., 0.5])]);
    let text = "fn k(x: &[f32], w: &[f32], out: &mut [f32]) {
        let i = tid();
        for turn in 0..3 {
            out[i] = if turn < 2 { w[i] * (1.0 / x[i]) } else { w[i] };
        }
    }";
    gives(text, &[2], &arrays, &[], &[(2, &[3., 4.])], &[(0, &[0., 0.]), (1, &[1., 1.])]);
    let text = "fn k(x: &[f32], w: &[f32], out: &mut [f32]) {
        let i = tid();
        atomic_min(&mut out[0], w[i] * (1.0 / x[i]));
    }";
    let arrays = [f(&[0., 2.]), f(&[3., 4.]), f(&[9.])];
    gives(text, &[2], &arrays, &[], &[(2, &[2.])], &[(0, &[0., -1.]), (1, &[0., 0.5])]);
}

/// Something infinite on the way to a finite result: beyond it all is flat.
#[test]
fn infinite_values_that_end_finite() {
    let text = "fn k(x: &[f32], a: &[f32], y: &mut [f32]) {
        let i = tid();
        y[i] = 1.0 / (1.0 + a[i] * (-x[i]).exp());
    }";
    let arrays = [f(&[-100., 0.]), f(&[2., 1.]), zeros(2)];
    gives(text, &[2], &arrays, &[], &[(2, &[0., 0.5])], &[(0, &[0., 0.25]), (1, &[0., -0.25])]);
    let text = "fn k(r: &[f32], w: &[f32], y: &mut [f32]) {
        let i = tid();
        y[i] = (w[i] * (1.0 / r[i])).tanh() + 1.0 / (r[i] * r[i] * r[i] * r[i] * w[i]);
    }";
    let arrays = [f(&[1e20]), f(&[1.]), zeros(1)];
    gives(text, &[1], &arrays, &[], &[(2, &[0.])], &[(0, &[0.]), (1, &[0.])]);
    let text = "fn k(r: &[f32], w: &[f32], y: &mut [f32]) { let i = tid(); y[i] = (w[i] * (1.0 / r[i])).tanh(); }";
    let arrays = [f(&[0.]), f(&[1.]), zeros(1)];
    gives(text, &[1], &arrays, &[], &[(2, &[1.])], &[(1, &[0.])]);
    let text =
        "fn k(v: &[f32], w: &[f32], y: &mut [f32]) { let i = tid(); y[i] = (-(w[i] / v[i])).exp() + w[i].powf(v[i]); }";
    let arrays = [f(&[1e-45]), f(&[2.]), zeros(1)];
    gives(text, &[1], &arrays, &[], &[(2, &[1.])], &[(1, &[0.])]);
}
