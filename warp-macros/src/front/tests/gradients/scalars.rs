//! Gradients of scalar parameters.

use super::super::harness::Bits;
use super::{f, gives, refused, zeros};

#[test]
fn a_scalar_that_every_thread_uses() {
    // y = x dt + dt², so that its derivative by dt is the sum of x + 2 dt over the threads.
    let text = "#[grad(dt)] fn k(x: &[f32], dt: f32, y: &mut [f32]) { let i = tid(); y[i] = x[i] * dt + dt * dt; }";
    let arrays = [f(&[1., 2., 4.]), zeros(3)];
    gives(text, &[3], &arrays, &[0.5f32.bits()], &[], &[(0, &[0.5; 3]), (1, &[0.; 3]), (2, &[10.])]);
}

#[test]
fn a_scalar_in_loops_and_branches() {
    // x a^n where a thread's number is odd, else x + n: by a, n x a^(n-1) and nothing.
    let text = "#[grad(a)] fn k(x: &[f32], a: f32, n: u32, y: &mut [f32]) {
        let i = tid();
        let mut v = x[i];
        if i % 2 == 1 {
            for _ in 0..n { v = v * a; }
        } else {
            for j in 0..n { if j % 2 == 0 { v += 2.0; } }
        }
        y[i] = v;
    }";
    let arrays = [f(&[1., 2., 3., 4.]), zeros(4)];
    let scalars = [1.5f32.bits(), 4];
    let by_a = (2. + 4.) * 4. * 1.5 * 1.5 * 1.5;
    let a4 = 1.5f64.powi(4);
    gives(text, &[4], &arrays, &scalars, &[(1, &[5., 2. * a4, 7., 4. * a4])], &[(0, &[1., a4, 1., a4]), (2, &[by_a])]);
}

#[test]
fn the_floats_of_structs_and_vectors() {
    let text = "struct Material { stiffness: f32, layers: u32, axis: Vec3, damping: [f32; 2] }
    #[grad(m)] fn k(x: &[f32], other: f32, m: Material, y: &mut [f32]) {
        let i = tid();
        y[i] = m.stiffness * x[i] * m.layers as f32 + m.axis.dot(Vec3::new(x[i], 1.0, other)) + m.damping[1];
    }";
    let arrays = [f(&[1., 2.]), zeros(2)];
    let scalars = [3f32.bits(), 10f32.bits(), 2, 1f32.bits(), 2f32.bits(), 4f32.bits(), 5f32.bits(), 6f32.bits()];
    // stiffness: the sum of 2 x; axis: the sums of x, 1, other; damping: only the second.
    let grad: [(usize, &[f64]); 8] =
        [(0, &[21.; 2]), (1, &[0.; 2]), (2, &[6.]), (3, &[3.]), (4, &[2.]), (5, &[6.]), (6, &[0.]), (7, &[2.])];
    gives(text, &[2], &arrays, &scalars, &[], &grad);
}

#[test]
fn scalars_have_no_gradient_unless_asked_for() {
    let text = "fn k(x: &[f32], dt: f32, y: &mut [f32]) { let i = tid(); y[i] = x[i] * dt; }";
    let (_, found) = super::Source::new(text).backward(&[1], &[f(&[2.]), zeros(1)], &[3f32.bits()], &[]).unwrap();
    assert_eq!(found, [vec![3.], vec![0.]]);
}

#[test]
fn names_that_have_no_gradient() {
    let of = |names: &str| {
        let text = format!("#[grad({names})] fn k(x: &[f32], dt: f32, n: u32, y: &mut [f32]) {{ y[0] = x[0] * dt; }}");
        refused(&text, &[1], &[f(&[2.]), zeros(1)], &[3f32.bits(), 1])
    };
    let nothing = "`grad(time)` names no scalar parameter of `k`; it has `dt`, `n`";
    assert_eq!(of("time"), (nothing.into(), None));
    let array = "`x` is an array, and those have gradients without being asked. Take it out of `grad(..)`, which names \
        scalar parameters";
    assert_eq!(of("dt, x"), (array.into(), None));
    assert_eq!(of("n"), ("`n` holds no floats, so that it has no gradient. Take it out of `grad(..)`".into(), None));
    let text = "#[grad(a)] fn k(y: &mut [f32]) { y[0] = 1.0; }";
    let nothing = "`grad(a)` names no scalar parameter of `k`; it has none";
    assert_eq!(refused(text, &[1], &[zeros(1)], &[]), (nothing.into(), None));
}
