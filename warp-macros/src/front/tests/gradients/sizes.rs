//! How large adjoints are: ops that compute, of both kernels as backends see them.

use warp_ir::ir::{Kernel, Op, Region};
use warp_ir::passes;

use super::super::harness::Source;

/// Ops of an elided kernel but for checks.
fn size(mut kernel: Kernel) -> usize {
    fn ops(region: &Region) -> usize {
        region
            .ops
            .iter()
            .map(|op| {
                usize::from(!matches!(op, Op::Check { .. })) + op.shape().regions.into_iter().map(ops).sum::<usize>()
            })
            .sum()
    }
    passes::elide(&mut kernel);
    if let Some((covered, _)) = passes::cover(&kernel) {
        kernel = covered;
    }
    ops(&kernel.function.body)
}

/// The sizes of a kernel and of its adjoint.
fn sizes(text: &str) -> [usize; 2] {
    let (kernel, adjoint) = Source::new(text).adjoint();
    let adjoint = adjoint.unwrap_or_else(|e| panic!("{e}")).kernel;
    if std::env::var("SHOW").is_ok() {
        eprintln!("{}", super::super::harness::show(&adjoint));
    }
    [size(kernel.into_inner()), size(adjoint.into_inner())]
}

const INTEGRATE: &str = "fn k(f: &[f32], v: &mut [f32], p: &mut [f32], dt: f32) {
    let i = tid();
    v[i] += f[i] * dt;
    p[i] += v[i] * dt;
}";

const AXPY: &str = "fn k(x: &[f32], y: &mut [f32], a: f32) { let i = tid(); y[i] += a * x[i]; }";

const SQUARE: &str = "fn k(a: &mut [f32]) { let i = tid(); a[i] = a[i] * a[i] + 1.0; }";

const SUM: &str = "fn k(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for j in 0..x.len() { s += x[j] * x[j]; }
    y[tid()] = s;
}";

const OWN_ELEMENTS: &str = "fn k(a: &mut [f32], n: usize) {
    let i = tid();
    for j in 0..n { a[i * n + j] = a[i * n + j] * a[i * n + j]; }
}";

const RECURRENCE: &str = "fn k(x: &mut [f32], n: usize) {
    let i = tid();
    let mut v = x[i];
    for _ in 0..n { v = v * v + 0.1; }
    x[i] = v;
}";

/// Forces of the springs of a cloth.
const PULL: &str = "fn k(
    places: &[Vec3], speeds: &[Vec3], from: &[i32], to: &[i32], rest: &[f32], stiffness: f32, damping: f32,
    forces: &mut [Vec3],
) {
    let s = tid();
    let a = from[s] as usize;
    let b = to[s] as usize;
    let d = places[a] - places[b];
    let length = d.length();
    let u = d / length;
    let strength = stiffness * (length - rest[s]) + damping * u.dot(speeds[a] - speeds[b]);
    atomic_sub(&mut forces[a], u * strength);
    atomic_add(&mut forces[b], u * strength);
}";

/// A step of the particles of a cloth.
const ADVANCE: &str = "fn k(
    places: &mut [Vec3], speeds: &mut [Vec3], forces: &[Vec3], inverse_masses: &[f32], gravity: Vec3, dt: f32,
) {
    let i = tid();
    let w = inverse_masses[i];
    let mut v = speeds[i];
    if w > 0.0 { v += (forces[i] * w + gravity) * dt; }
    speeds[i] = v;
    places[i] += v * dt;
}";

/// A step of heat on a plate.
const SPREAD: &str = "fn k(from: View2<f32>, to: ViewMut2<f32>, flow: f32) {
    let (i, j) = tid2();
    let (rows, cols) = (from.rows(), from.cols());
    let mut c = from[(i, j)];
    if i > 0 && i < rows - 1 && j > 0 && j < cols - 1 {
        c = c + flow * (from[(i - 1, j)] + from[(i + 1, j)] + from[(i, j - 1)] + from[(i, j + 1)] - 4.0 * c);
    }
    to[(i, j)] = c;
}";

#[test]
fn adjoints_are_at_most_three_times_as_large() {
    let kernels = [INTEGRATE, AXPY, SQUARE, SUM, OWN_ELEMENTS, PULL, ADVANCE, SPREAD];
    for text in kernels {
        let [primal, adjoint] = sizes(text);
        assert!(adjoint <= 3 * primal, "{primal} ops become {adjoint}: {text}");
    }
}

/// Most of it are the checkpoints: about a hundred ops, however small the loop.
#[test]
fn checkpoints_take_a_hundred_ops() {
    let [primal, adjoint] = sizes(RECURRENCE);
    assert!(adjoint <= primal + 110, "{primal} ops become {adjoint}");
}
