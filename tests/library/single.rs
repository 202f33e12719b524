//! Decompositions in f32 against NumPy's tables, which are f64.
//!
//! The matrices lose digits when they become f32, and the algorithms lose some more: each bound is a number of units of
//! rounding, for as many operations as an element goes through, times the condition number of what is computed: 1 for
//! singular and eigenvalues (Weyl), the ratio of singular values for polar factors, the norm of matrix and inverse for
//! solutions and triangular factors.

use warp::math::{Mat2x2, Mat3x3, Mat4x4, Mat5x5, Mat6x6};
use warp::prelude::*;

use crate::references::rows;

const UNIT: f64 = f32::EPSILON as f64;

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Whether no number differs by more than `units` of rounding at `size`.
#[track_caller]
fn close(found: &[f32], expected: &[f64], units: f64, size: f64, about: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let near = found.iter().zip(expected).all(|(f, e)| (f64::from(*f) - e).abs() <= units * UNIT * size);
    assert!(near, "{found:?}, expected {expected:?} within {:e}, of {about:?}", units * UNIT * size);
}

fn exact(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().map(|x| f64::from(*x)).collect()
}

fn mat3(rows: &[f64]) -> Mat3 {
    DMat3::from_cols_slice(rows).transpose().as_mat3()
}

fn mat2(rows: &[f64]) -> Mat2 {
    DMat2::from_cols_slice(rows).transpose().as_mat2()
}

#[test]
fn singular_values() {
    for (a, expected) in rows("singular3") {
        let (m, size) = (mat3(&a), norm(&a));
        let (u, s, v) = m.svd();
        close(&s.abs().to_array(), &expected, 16.0, size, &a);
        assert!(s.x >= s.y && s.y >= s.z.abs(), "{s} of {a:?}");
        let back = u * Mat3::from_diagonal(s) * v.transpose();
        close(&back.to_cols_array(), &exact(&m.to_cols_array()), 16.0, size, &a);
        for rotation in [u, v] {
            let one = (rotation * rotation.transpose()).to_cols_array();
            close(&one, &DMat3::IDENTITY.to_cols_array(), 16.0, 1.0, &a);
            assert!(rotation.determinant() > 0.0, "{rotation} of {a:?}");
        }
    }
    for (a, expected) in rows("singular2") {
        let (m, size) = (mat2(&a), norm(&a));
        let (u, s, v) = m.svd();
        close(&s.to_array(), &expected, 8.0, size, &a);
        let back = u * Mat2::from_diagonal(s) * v.transpose();
        close(&back.to_cols_array(), &exact(&m.to_cols_array()), 8.0, size, &a);
        for orthogonal in [u, v] {
            let one = (orthogonal * orthogonal.transpose()).to_cols_array();
            close(&one, &DMat2::IDENTITY.to_cols_array(), 8.0, 1.0, &a);
        }
    }
}

#[test]
fn eigenvalues() {
    for (a, expected) in rows("eigen3") {
        let (m, size) = ((mat3(&a) + mat3(&a).transpose()) * 0.5, norm(&a));
        let (values, vectors) = mat3(&a).symmetric_eigen();
        close(&values.to_array(), &expected, 16.0, size, &a);
        let back = vectors * Mat3::from_diagonal(values) * vectors.transpose();
        close(&back.to_cols_array(), &exact(&m.to_cols_array()), 32.0, size, &a);
        let one = (vectors * vectors.transpose()).to_cols_array();
        close(&one, &DMat3::IDENTITY.to_cols_array(), 16.0, 1.0, &a);
    }
    for (a, expected) in rows("eigen2") {
        let (m, size) = ((mat2(&a) + mat2(&a).transpose()) * 0.5, norm(&a));
        let (values, vectors) = mat2(&a).symmetric_eigen();
        close(&values.to_array(), &expected, 8.0, size, &a);
        let back = vectors * Mat2::from_diagonal(values) * vectors.transpose();
        close(&back.to_cols_array(), &exact(&m.to_cols_array()), 8.0, size, &a);
    }
}

#[test]
fn polar_factors() {
    for (a, expected) in rows("polar3") {
        let (_, s, _) = DMat3::from_cols_slice(&a).svd();
        // How much the rotation moves with the matrix.
        let magnified = s.x / (s.y + s.z.abs());
        let (r, stretch) = mat3(&a).polar();
        close(&r.transpose().to_cols_array(), &expected[..9], 32.0 * magnified, 1.0, &a);
        close(&stretch.transpose().to_cols_array(), &expected[9..], 32.0, norm(&a), &a);
    }
    for (a, expected) in rows("polar2") {
        let (_, s, _) = DMat2::from_cols_slice(&a).svd();
        let (r, stretch) = mat2(&a).polar();
        close(&r.transpose().to_cols_array(), &expected[..4], 8.0, s.x / (s.x + s.y) * 2.0, &a);
        close(&stretch.transpose().to_cols_array(), &expected[4..], 8.0, norm(&a), &a);
    }
}

macro_rules! linear {
    ($($test:ident $general:literal $positive:literal $type:ident $n:literal;)*) => {$(
        #[test]
        fn $test() {
            let n = $n as f64;
            for (given, expected) in rows($general) {
                let m = $type::from_rows(std::array::from_fn(|r| std::array::from_fn(|c| given[r * $n + c] as f32)));
                let b: [f32; $n] = std::array::from_fn(|k| given[$n * $n + k] as f32);
                let (matrix, _) = given.split_at($n * $n);
                let (det, rest) = expected.split_at(1);
                let (x, rest) = rest.split_at($n);
                let (q, rest) = rest.split_at($n * $n);
                let (r, inverse) = rest.split_at($n * $n);
                let condition = norm(matrix) * norm(inverse);
                // Hadamard: no determinant is larger than the product of the rows' lengths.
                let volume: f64 = matrix.chunks($n).map(norm).product();
                close(&[m.determinant()], det, 2.0 * n, volume, &given);
                close(&m.solve(b).expect("regular"), x, 2.0 * n * condition, norm(x), &given);
                close(m.qr().0.m.as_flattened(), q, 2.0 * n * condition, 1.0, &given);
                close(m.qr().1.m.as_flattened(), r, 2.0 * n * condition, norm(matrix), &given);
                close(m.try_inverse().expect("regular").m.as_flattened(), inverse, 2.0 * n * condition, norm(inverse), &given);
                let (l, u, rows) = m.lu().expect("regular");
                let sorted: Vec<f64> = rows.iter().flat_map(|r| m.m[*r]).map(f64::from).collect();
                close((l * u).m.as_flattened(), &sorted, 2.0 * n, norm(&exact(u.m.as_flattened())), &given);
            }
            for (given, expected) in rows($positive) {
                let m = $type::from_rows(std::array::from_fn(|r| std::array::from_fn(|c| given[r * $n + c] as f32)));
                let b: [f32; $n] = std::array::from_fn(|k| given[$n * $n + k] as f32);
                let (l, x) = expected.split_at($n * $n);
                // The smallest eigenvalue of these is not below 1.
                let condition = norm(&given[..$n * $n]);
                close(m.cholesky().expect("positive").m.as_flattened(), l, 2.0 * n * condition, norm(l), &given);
                close(&m.solve_positive(b).expect("positive"), x, 2.0 * n * condition, norm(x), &given);
                let (l, d) = m.ldlt().expect("positive");
                let back = l * $type::from_diagonal(d) * l.transpose();
                close(back.m.as_flattened(), &exact(m.m.as_flattened()), 2.0 * n, norm(&given[..$n * $n]), &given);
                assert!((-m).cholesky().is_none() && (-m).solve_positive(b).is_none());
            }
        }
    )*};
}
linear! {
    matrices_of_2 "general2" "positive2" Mat2x2 2;
    matrices_of_3 "general3" "positive3" Mat3x3 3;
    matrices_of_4 "general4" "positive4" Mat4x4 4;
    matrices_of_5 "general5" "positive5" Mat5x5 5;
    matrices_of_6 "general6" "positive6" Mat6x6 6;
}

/// Matrices times a power of two have the same vectors, bit for bit, and values times that power: squares of their elements
/// would overflow or vanish.
#[test]
fn sizes_do_not_matter() {
    let ordinary = |a: &[f64]| a.iter().all(|x| *x == 0.0 || (1e-4..1e4).contains(&x.abs()));
    let mut counts = [0; 2];
    for scale in [2f32.powi(-80), 2f32.powi(80)] {
        for (a, _) in rows("singular3").into_iter().filter(|(a, _)| ordinary(a)) {
            let (m, huge) = (mat3(&a), mat3(&a) * scale);
            let ((u, s, v), (p, t, q)) = (m.svd(), huge.svd());
            assert!(u == p && v == q && s * scale == t, "{t}, expected {s} times {scale:e} of {a:?}");
            let ((s, v), (t, q)) = (m.symmetric_eigen(), huge.symmetric_eigen());
            assert!(v == q && s * scale == t, "{t}, expected {s} times {scale:e} of {a:?}");
            let ((q, r), (p, t)) = (m.qr(), huge.qr());
            assert!(q == p && r * scale == t, "{t}, expected {r} times {scale:e} of {a:?}");
            let ((r, s), (p, t)) = (m.polar(), huge.polar());
            assert!(r == p && (s * scale).abs_diff_eq(t, 4.0 * f32::EPSILON * scale * 8.0), "{t} of {a:?}");
            counts[0] += 1;
        }
        for (a, _) in rows("singular2").into_iter().filter(|(a, _)| ordinary(a)) {
            let (m, huge) = (mat2(&a), mat2(&a) * scale);
            let ((u, s, v), (p, t, q)) = (m.svd(), huge.svd());
            assert!(u == p && v == q && s * scale == t, "{t}, expected {s} times {scale:e} of {a:?}");
            let ((s, v), (t, q)) = (m.symmetric_eigen(), huge.symmetric_eigen());
            assert!(v == q && s * scale == t, "{t}, expected {s} times {scale:e} of {a:?}");
            let ((r, s), (p, t)) = (m.polar(), huge.polar());
            assert!(r == p && s * scale == t, "{t} of {a:?}");
            counts[1] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

/// Jordan's blocks, which have too few eigenvectors, and a shift, of which no power but the last is zero: closed forms.
#[test]
fn defective_matrices() {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let block = Mat2::from_cols(Vec2::new(1.0, 0.0), Vec2::new(1.0, 1.0));
    let (u, s, v) = block.svd();
    close(&s.to_array(), &[golden, 1.0 / golden], 4.0, golden, &[]);
    close(&(u * Mat2::from_diagonal(s) * v.transpose()).to_cols_array(), &[1.0, 0.0, 1.0, 1.0], 8.0, golden, &[]);
    let (r, _) = block.polar();
    let (c, d) = (2.0 / 5f64.sqrt(), 1.0 / 5f64.sqrt());
    close(&r.to_cols_array(), &[c, -d, d, c], 8.0, 1.0, &[]);
    let shift = Mat3::from_cols(Vec3::ZERO, Vec3::X, Vec3::Y);
    let (u, s, v) = shift.svd();
    assert_eq!(s.abs(), Vec3::new(1.0, 1.0, 0.0));
    close(&(u * Mat3::from_diagonal(s) * v.transpose()).to_cols_array(), &exact(&shift.to_cols_array()), 4.0, 1.0, &[]);
    let (r, stretch) = shift.polar();
    assert!((r * stretch).abs_diff_eq(shift, 1e-6) && (r * r.transpose()).abs_diff_eq(Mat3::IDENTITY, 1e-6), "{r}");
    assert!(stretch.abs_diff_eq(Mat3::from_diagonal(Vec3::new(0.0, 1.0, 1.0)), 1e-6), "{stretch}");
    let (q, up) = shift.qr();
    assert!((q * up).abs_diff_eq(shift, 1e-6) && (q * q.transpose()).abs_diff_eq(Mat3::IDENTITY, 1e-6), "{q}");
    // Refused, where there is nothing right to give.
    assert!(shift.lu().is_none() && shift.solve(Vec3::X).is_none() && shift.try_inverse().is_none());
    assert!(shift.cholesky().is_none() && shift.ldlt().is_none());
    assert_eq!(shift.inverse_or_zero(), Mat3::ZERO);
    let not_finite = Mat3::from_cols(Vec3::NAN, Vec3::X, Vec3::Y);
    assert!(not_finite.cholesky().is_none() && not_finite.lu().is_none() && not_finite.svd().1.is_nan());
}
