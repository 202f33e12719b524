//! Factors of matrices, also where values meet.

use super::{IDENTITY, Map, samples, smooth};

#[test]
fn matrix_factors_are_differentiated() {
    smooth("y[0] = a.determinant(); y[1] = a.inverse().ddot(a.transpose()) + a.trace();", 9, 2);
    smooth(
        "let (q, r) = a.qr();
        y[0] = q.x_axis.z; y[1] = q.z_axis.y; y[2] = r.y_axis.x; y[3] = r.z_axis.z; y[4] = q.y_axis.x;",
        9,
        5,
    );
    smooth(
        "let b = a * a.transpose() + DMat3::IDENTITY;
        if let Some(l) = b.cholesky() { y[0] = l.x_axis.z; y[1] = l.z_axis.z; }
        if let Some((l, d)) = b.ldlt() { y[2] = l.y_axis.z; y[3] = d.z; }
        if let Some(s) = a.solve(v) { y[4] = s.x; }
        if let Some(s) = b.solve(w) { y[5] = s.y; }",
        9,
        6,
    );
    smooth(
        "let (l, e) = a.symmetric_eigen();
        y[0] = l.x; y[1] = l.y; y[2] = l.z; y[3] = e.x_axis.y; y[4] = e.y_axis.z; y[5] = e.z_axis.x;",
        9,
        6,
    );
    smooth(
        "let (u, s, v) = a.svd();
        y[0] = s.x; y[1] = s.y; y[2] = s.z; y[3] = u.x_axis.y; y[4] = u.z_axis.z; y[5] = v.y_axis.x; y[6] = v.z_axis.y;",
        9,
        7,
    );
    smooth("let (r, s) = a.polar(); y[0] = r.x_axis.y; y[1] = r.z_axis.x; y[2] = s.x_axis.x; y[3] = s.z_axis.y;", 9, 4);
    smooth(
        "let (l, e) = a2.symmetric_eigen(); let (u, s, v) = a2.svd(); let (r, t) = a2.polar();
        y[0] = l.x; y[1] = l.y; y[2] = e.x_axis.y; y[3] = s.x; y[4] = s.y; y[5] = u.x_axis.x; y[6] = v.y_axis.x;
        y[7] = r.x_axis.y; y[8] = t.y_axis.x;",
        4,
        9,
    );
}

#[test]
fn six_by_six_is_differentiated() {
    let determinant = Map::new(
        "let mut m = [[0.0; 6]; 6];
        for r in 0..6 { for c in 0..6 { m[r][c] = x[r * 6 + c]; } }
        y[0] = DMat6x6::from_rows(m).determinant();",
        1,
    );
    let regular = samples(3, 36);
    determinant.is_smooth_at(&regular);
    // One row is another's double: the derivative is that of the cofactors, not zero.
    let mut singular = regular.clone();
    (0..6).for_each(|c| singular[c] = 2.0 * singular[6 + c]);
    determinant.is_smooth_at(&singular);
    assert!(determinant.value(&singular)[0].abs() < 1e-12 && determinant.derivative(&singular, 0)[0].abs() > 0.1);
    determinant.has_derivative(&[0.0; 36], &[&[0.0][..]; 36]);
    let solve = Map::new(
        "let mut m = [[0.0; 6]; 6];
        for r in 0..6 { for c in 0..6 { m[r][c] = x[r * 6 + c]; } }
        let b = DMat6x6::from_rows(m);
        if let Some(s) = b.solve(b.row(2)) { y[0] = s[1]; }
        if let Some(s) = b.solve([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) { y[1] = s[4]; }
        y[2] = b.inverse_or_zero()[(3, 2)];
        let (q, r) = b.qr();
        y[3] = q[(1, 4)]; y[4] = r[(2, 5)];",
        5,
    );
    solve.is_smooth_at(&regular);
}

#[test]
fn equal_and_zero_singular_values_have_finite_derivatives() {
    let svd = Map::new(
        "let (u, s, v) = a.svd();
        y[0] = s.x + s.y + s.z; y[1] = u.x_axis.y; y[2] = v.z_axis.z; y[3] = s.z; y[4] = u.y_axis.y;
        y[5] = s.x * s.y * s.z; y[6] = s.length_squared();",
        7,
    );
    let eigen = Map::new(
        "let (l, e) = a.symmetric_eigen();
        y[0] = l.x + l.y + l.z; y[1] = e.x_axis.y; y[2] = e.z_axis.z; y[3] = l.length_squared();",
        4,
    );
    let plane = Map::new(
        "let (l, e) = a2.symmetric_eigen(); let (u, s, v) = a2.svd(); let (r, t) = a2.polar();
        y[0] = l.x + l.y; y[1] = e.x_axis.y; y[2] = s.x; y[3] = s.y; y[4] = u.x_axis.x; y[5] = v.y_axis.x;
        y[6] = r.x_axis.y; y[7] = t.y_axis.x;",
        8,
    );
    let others = Map::new(
        "let (q, r) = a.qr(); let (o, s) = a.polar();
        y[0] = q.x_axis.y; y[1] = r.z_axis.z; y[2] = o.x_axis.y; y[3] = s.z_axis.z; y[4] = a.inverse_or_zero().x_axis.x;",
        5,
    );
    let rank_one: Vec<f64> = (0..9).map(|k| [1.0, -2.0, 0.5][k % 3] * [0.3, 1.0, -1.0][k / 3]).collect();
    let mut twice = IDENTITY;
    twice[8] = 3.0;
    for at in [&IDENTITY[..], &[0.0; 9], &twice, &rank_one, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0]] {
        svd.is_finite_at(at);
        eigen.is_finite_at(at);
        others.is_finite_at(at);
    }
    for at in [[1.0, 0.0, 0.0, 1.0], [0.0; 4], [1.0, 2.0, 2.0, 4.0], [1.0, 0.0, 0.0, -1.0], [0.0, 1.0, 1.0, 0.0]] {
        plane.is_finite_at(&at);
    }
    // Functions that do not depend on the choice of vectors: the sum, the product, the squares.
    for by in 0..9 {
        let on = if by % 4 == 0 { 1.0 } else { 0.0 };
        let found = svd.derivative(&IDENTITY, by);
        for (k, expected) in [(0, on), (5, on), (6, 2.0 * on)] {
            assert!((found[k] - expected).abs() < 1e-14, "{k} by {by}: {found:?}");
        }
        let found = eigen.derivative(&IDENTITY, by);
        assert!((found[0] - on).abs() < 1e-14 && (found[3] - 2.0 * on).abs() < 1e-14, "by {by}: {found:?}");
    }
}

/// At the identity all singular values are the same, and the polar factor is smooth all the same: what changes it is
/// the part that turns.
#[test]
fn polar_factors_are_differentiated_at_equal_singular_values() {
    let polar = Map::new(
        "let (r, s) = a.polar(); y[0] = r.x_axis.y; y[1] = r.y_axis.x; y[2] = r.x_axis.x; y[3] = s.x_axis.y; y[4] = s.z_axis.z;",
        5,
    );
    polar.is_smooth_at(&IDENTITY);
    polar.is_smooth_at(&IDENTITY.map(|x| -3.0 * x));
    polar.is_smooth_at(&[2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, -2.0, 0.0]);
    let half = [0.5, 0.0, -0.5, 0.0];
    let found =
        [polar.derivative(&IDENTITY, 1)[0], polar.derivative(&IDENTITY, 0)[0], polar.derivative(&IDENTITY, 3)[0]];
    assert!(found.iter().zip([half[0], half[1], half[2]]).all(|(f, e)| (f - e).abs() < 1e-14), "{found:?}");
}

/// Blocks of Jordan, whose eigenvectors are too few, and shifts: what is smooth there agrees with differences, and the rest
/// is finite.
#[test]
fn defective_matrices_have_derivatives() {
    let block = [1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    let shift = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let factors = Map::new(
        "let (u, s, v) = a.svd(); let (r, p) = a.polar(); let (o, t) = a.qr();
        y[0] = s.x; y[1] = s.z; y[2] = u.x_axis.y; y[3] = v.z_axis.x; y[4] = r.y_axis.x; y[5] = p.x_axis.y;
        y[6] = o.y_axis.x; y[7] = t.z_axis.y; y[8] = a.determinant(); y[9] = a.inverse_or_zero().z_axis.x;
        if let Some(s) = a.solve(DVec3::new(1.0, 2.0, 3.0)) { y[10] = s.x; }",
        11,
    );
    factors.is_smooth_at(&block);
    factors.is_finite_at(&shift);
    let determinant = Map::new("y[0] = a.determinant();", 1);
    determinant.is_smooth_at(&shift);
    // A vector may change its sign from one step to the next: what does not see that.
    let eigen =
        Map::new("let (l, e) = a.symmetric_eigen(); y[0] = l.x; y[1] = l.z; y[2] = e.x_axis.y * e.x_axis.z;", 3);
    eigen.is_smooth_at(&block);
    eigen.is_smooth_at(&shift);
}

/// Eigenvalues 1 and 3: half of each moves with either element of the diagonal, though their difference has a kink's form.
#[test]
fn eigenvalues_of_equal_diagonals() {
    let map = Map::new("let (l, e) = a2.symmetric_eigen(); y[0] = l.x; y[1] = l.y; y[2] = e.x_axis.x;", 3);
    // The first vector is (1, -1) / root 2; of it first order theory says (v2 dA v1) / (1 - 3) times v2.
    let turn = 0.125f64.sqrt() / 2.0;
    map.has_derivative(
        &[2.0, 1.0, 1.0, 2.0],
        &[&[0.5, 0.5, -turn], &[-0.5, 0.5, 0.0], &[-0.5, 0.5, 0.0], &[0.5, 0.5, turn]],
    );
    // The vectors change their signs here; what does not depend on these is smooth.
    let unsigned =
        "let (l, e) = a2.symmetric_eigen(); let v = e.x_axis; y[0] = l.x * l.x; y[1] = v.x * v.y; y[2] = v.x * v.x;";
    let map = Map::new(unsigned, 3);
    map.is_smooth_at(&[2.0, 1.0, 1.0, 2.0]);
    map.is_smooth_at(&[2.0, -1.0, -1.0, 2.0]);
}
