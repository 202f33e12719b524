//! The kernels by which emitted PTX is measured.

use warp::prelude::*;

/// y = a x + y
#[kernel]
pub fn saxpy(x: &[f32], y: &mut [f32], a: f32) {
    let i = tid();
    y[i] = a * x[i] + y[i];
}

/// Particles under gravity over a floor at y = 0; the kinetic energy of all is summed into `e[0]`.
#[kernel]
pub fn gravity(x: &[Vec3], v: &[Vec3], x1: &mut [Vec3], v1: &mut [Vec3], e: &mut [f32], g: Vec3, dt: f32, rest: f32) {
    let i = tid();
    let mut vn = v[i] + g * dt;
    let mut xn = x[i] + vn * dt;
    if xn.y < 0.0 {
        xn.y = 0.0;
        vn.y = -rest * vn.y;
    }
    x1[i] = xn;
    v1[i] = vn;
    atomic_add(&mut e[0], 0.5 * vn.dot(vn));
}

/// All pairs; square root and division are rounded.
#[kernel]
pub fn nbody(x: &[Vec3], v: &[Vec3], m: &[f32], x1: &mut [Vec3], v1: &mut [Vec3], dt: f32, eps2: f32) {
    let i = tid();
    let xi = x[i];
    let mut a = Vec3::ZERO;
    for j in 0..x.len() {
        let d = x[j] - xi;
        let r2 = d.dot(d) + eps2;
        a += d * (m[j] / (r2.sqrt() * r2));
    }
    let vn = v[i] + a * dt;
    x1[i] = xi + vn * dt;
    v1[i] = vn;
}

/// One thread a spring, from `ia[t]` to `ib[t]`; forces are scattered with atomics.
#[kernel]
pub fn spring(x: &[Vec3], v: &[Vec3], ia: &[u32], ib: &[u32], rest: &[f32], ke: f32, kd: f32, f: &mut [Vec3]) {
    let t = tid();
    let i = ia[t] as usize;
    let j = ib[t] as usize;
    let d = x[i] - x[j];
    let l = d.length();
    let u = d / l;
    let s = ke * (l - rest[t]) + kd * u.dot(v[i] - v[j]);
    atomic_sub(&mut f[i], u * s);
    atomic_add(&mut f[j], u * s);
}

/// A stencil of five points; the border is copied.
#[kernel]
pub fn heat(u: View2<f32>, mut o: ViewMut2<f32>, n: usize, al: f32) {
    let (i, j) = tid2();
    let mut c = u[(i, j)];
    if i > 0 && i < n - 1 && j > 0 && j < n - 1 {
        c = c + al * (u[(i - 1, j)] + u[(i + 1, j)] + u[(i, j - 1)] + u[(i, j + 1)] - 4.0 * c);
    }
    o[(i, j)] = c;
}
