//! The library's own functions against NumPy, SciPy and Featherstone's matrices: `references/make.py` made the table.

use warp::math::{DMat2x2, DMat3x3, DMat4x4, DMat5x5, DMat6x6, DSpatialInertia, DTransform, DTwist, DWrench};
use warp::prelude::*;

/// The rows of the table with this name: numbers in, numbers out.
pub(crate) fn rows(name: &str) -> Vec<(Vec<f64>, Vec<f64>)> {
    rows_in(include_str!("references/tables.txt"), name)
}

/// The rows of a table with this name.
pub(crate) fn rows_in(table: &str, name: &str) -> Vec<(Vec<f64>, Vec<f64>)> {
    let numbers = |text: &str| text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let rows: Vec<_> = table
        .lines()
        .map(|line| line.split(" | ").collect::<Vec<_>>())
        .filter(|parts| parts[0] == name)
        .map(|parts| (numbers(parts[1]), numbers(parts[2])))
        .collect();
    assert!(!rows.is_empty(), "the table has no `{name}`");
    rows
}

/// Whether two lists differ by no more than `tolerance` times the largest number in the second, or that itself.
pub(crate) fn close(found: &[f64], expected: &[f64], tolerance: f64, about: &[f64]) {
    assert_eq!(found.len(), expected.len());
    let size = expected.iter().fold(0.0f64, |size, x| size.max(x.abs()));
    let near = found.iter().zip(expected).all(|(f, e)| (f - e).abs() <= tolerance * size);
    assert!(near, "{found:?}, expected {expected:?}, of {about:?}");
}

fn mat3(rows: &[f64]) -> DMat3 {
    DMat3::from_cols_slice(rows).transpose()
}

fn mat2(rows: &[f64]) -> DMat2 {
    DMat2::from_cols_slice(rows).transpose()
}

fn rows_of(m: DMat3) -> [f64; 9] {
    m.transpose().to_cols_array()
}

/// Rounding of a product of three matrices.
const SMALL: f64 = 4e-15;

#[test]
fn singular_values_are_numpys() {
    for (a, expected) in rows("singular3") {
        let m = mat3(&a);
        let (u, s, v) = m.svd();
        close(&s.abs().to_array(), &expected, SMALL, &a);
        assert!(s.x >= s.y && s.y >= s.z.abs(), "{s}");
        let back = u * DMat3::from_diagonal(s) * v.transpose();
        close(&rows_of(back), &rows_of(m), SMALL, &a);
        for rotation in [u, v] {
            close(&rows_of(rotation * rotation.transpose()), &rows_of(DMat3::IDENTITY), SMALL, &a);
            assert!(rotation.determinant() > 0.0, "{rotation}");
        }
    }
    for (a, expected) in rows("singular2") {
        let m = mat2(&a);
        let (u, s, v) = m.svd();
        close(&s.to_array(), &expected, SMALL, &a);
        let back = u * DMat2::from_diagonal(s) * v.transpose();
        close(&back.to_cols_array(), &m.to_cols_array(), SMALL, &a);
        for orthogonal in [u, v] {
            let one = orthogonal * orthogonal.transpose();
            close(&one.to_cols_array(), &DMat2::IDENTITY.to_cols_array(), SMALL, &a);
        }
        assert!(v.determinant() > 0.0, "{v}");
    }
}

#[test]
fn eigenvalues_are_numpys() {
    for (a, expected) in rows("eigen3") {
        let m = (mat3(&a) + mat3(&a).transpose()) * 0.5;
        let (values, vectors) = mat3(&a).symmetric_eigen();
        close(&values.to_array(), &expected, SMALL, &a);
        close(&rows_of(vectors * DMat3::from_diagonal(values) * vectors.transpose()), &rows_of(m), SMALL, &a);
        close(&rows_of(vectors * vectors.transpose()), &rows_of(DMat3::IDENTITY), SMALL, &a);
        assert!(vectors.determinant() > 0.0, "{vectors}");
    }
    for (a, expected) in rows("eigen2") {
        let m = (mat2(&a) + mat2(&a).transpose()) * 0.5;
        let (values, vectors) = mat2(&a).symmetric_eigen();
        close(&values.to_array(), &expected, SMALL, &a);
        let back = vectors * DMat2::from_diagonal(values) * vectors.transpose();
        close(&back.to_cols_array(), &m.to_cols_array(), SMALL, &a);
        assert!(vectors.determinant() > 0.0, "{vectors}");
    }
}

#[test]
fn polar_factors_are_scipys() {
    for (a, expected) in rows("polar3") {
        let (r, s) = mat3(&a).polar();
        close(&rows_of(r), &expected[..9], 1e-13, &a);
        close(&rows_of(s), &expected[9..], 1e-13, &a);
    }
    for (a, expected) in rows("polar2") {
        let (r, s) = mat2(&a).polar();
        close(&r.transpose().to_cols_array(), &expected[..4], 1e-14, &a);
        close(&s.transpose().to_cols_array(), &expected[4..], 1e-14, &a);
    }
}

#[test]
fn singular_matrices_have_a_rotation_as_polar_factor() {
    for a in [
        DMat3::ZERO,
        DMat3::from_diagonal(DVec3::new(1.0, 0.0, 0.0)),
        DMat3::from_diagonal(DVec3::new(1.0, 0.0, 2.0)),
        DVec3::new(1.0, 2.0, 3.0).outer(DVec3::new(-1.0, 0.5, 2.0)),
    ] {
        let (r, s) = a.polar();
        close(&rows_of(r * r.transpose()), &rows_of(DMat3::IDENTITY), SMALL, &[]);
        assert!((r * s).abs_diff_eq(a, 1e-14), "{a}");
        assert!(s.symmetric_eigen().0.x > -1e-14, "{a}");
    }
}

macro_rules! linear {
    ($($test:ident $general:literal $positive:literal $type:ident $n:literal;)*) => {$(
        #[test]
        fn $test() {
            for (given, expected) in rows($general) {
                let m: [[f64; $n]; $n] = std::array::from_fn(|r| std::array::from_fn(|c| given[r * $n + c]));
                let b: [f64; $n] = std::array::from_fn(|k| given[$n * $n + k]);
                let m = $type::from_rows(m);
                let (det, rest) = expected.split_at(1);
                let (x, rest) = rest.split_at($n);
                let (q, rest) = rest.split_at($n * $n);
                let (r, inverse) = rest.split_at($n * $n);
                close(&[m.determinant()], det, 1e-12, &given);
                close(&m.solve(b).expect("regular"), x, 1e-12, &given);
                close(m.qr().0.m.as_flattened(), q, 1e-12, &given);
                close(m.qr().1.m.as_flattened(), r, 1e-13, &given);
                close(m.try_inverse().expect("regular").m.as_flattened(), inverse, 1e-12, &given);
                let (l, u, rows) = m.lu().expect("regular");
                let sorted: Vec<f64> = rows.iter().flat_map(|r| m.m[*r]).collect();
                close((l * u).m.as_flattened(), &sorted, 1e-14, &given);
                assert!(l.m.as_flattened().iter().all(|x| x.abs() <= 1.0), "pivots are the largest");
            }
            for (given, expected) in rows($positive) {
                let m: [[f64; $n]; $n] = std::array::from_fn(|r| std::array::from_fn(|c| given[r * $n + c]));
                let b: [f64; $n] = std::array::from_fn(|k| given[$n * $n + k]);
                let m = $type::from_rows(m);
                let (l, x) = expected.split_at($n * $n);
                close(m.cholesky().expect("positive").m.as_flattened(), l, 1e-14, &given);
                close(&m.solve_positive(b).expect("positive"), x, 1e-13, &given);
                let (l, d) = m.ldlt().expect("positive");
                let back = l * $type::from_diagonal(d) * l.transpose();
                close(back.m.as_flattened(), m.m.as_flattened(), 1e-14, &given);
                assert!((-m).cholesky().is_none() && (-m).solve_positive(b).is_none());
                assert!((-m).ldlt().is_some_and(|(_, d)| d.iter().all(|x| *x < 0.0)));
            }
            let mut singular = $type::splat(1.0);
            singular[(0, 1)] = 3.0;
            assert_eq!(singular.determinant(), if $n == 2 { -2.0 } else { 0.0 });
            assert_eq!(singular.try_inverse().is_none(), $n > 2);
            assert!($type::ZERO.lu().is_none() && $type::ZERO.ldlt().is_none() && $type::ZERO.cholesky().is_none());
            assert_eq!($type::ZERO.inverse_or_zero(), $type::ZERO);
            assert_eq!($type::ZERO.qr(), ($type::IDENTITY, $type::ZERO));
            let mut broken = $type::IDENTITY;
            broken[(1, 1)] = f64::NAN;
            assert!(broken.cholesky().is_none() && broken.is_nan() && !broken.is_finite());
        }
    )*};
}
linear! {
    matrices_of_2_are_numpys "general2" "positive2" DMat2x2 2;
    matrices_of_3_are_numpys "general3" "positive3" DMat3x3 3;
    matrices_of_4_are_numpys "general4" "positive4" DMat4x4 4;
    matrices_of_5_are_numpys "general5" "positive5" DMat5x5 5;
    matrices_of_6_are_numpys "general6" "positive6" DMat6x6 6;
}

#[test]
fn spatial_matrices_are_featherstones() {
    for (given, expected) in rows("spatial") {
        let x = DTransform::new(DVec3::from_slice(&given), DQuat::from_slice(&given[3..]));
        let body = DSpatialInertia::new(given[7], DVec3::from_slice(&given[8..]), mat3(&given[11..]));
        let wanted: Vec<&[f64]> = expected.chunks(36).collect();
        close(x.adjoint().m.as_flattened(), wanted[0], 1e-14, &given);
        close(x.adjoint_dual().m.as_flattened(), wanted[1], 1e-14, &given);
        close(body.to_mat().m.as_flattened(), wanted[2], 1e-14, &given);
        close(x.transform_inertia(body).to_mat().m.as_flattened(), wanted[3], 1e-13, &given);

        // What the structs do is what the matrices do to columns.
        let twist = DTwist::from_array([0.3, -1.0, 2.0, 0.7, 0.1, -0.4]);
        let wrench = DWrench::from_array([1.0, 2.0, -0.5, 0.2, -0.9, 3.0]);
        close(&x.transform_twist(twist).to_array(), &(x.adjoint() * twist.to_array()), 1e-14, &given);
        close(&x.transform_wrench(wrench).to_array(), &(x.adjoint_dual() * wrench.to_array()), 1e-14, &given);
        close(&(body * twist).to_array(), &(body.to_mat() * twist.to_array()), 1e-14, &given);
        close(&body.solve(body * twist).to_array(), &twist.to_array(), 1e-12, &given);
        close(&[x.transform_twist(twist).dot(x.transform_wrench(wrench))], &[twist.dot(wrench)], 1e-12, &given);
        let two = body + x.transform_inertia(body);
        let sum = body.to_mat() + x.transform_inertia(body).to_mat();
        close(two.to_mat().m.as_flattened(), sum.m.as_flattened(), 1e-13, &given);
        assert!(twist.cross(twist).abs_diff_eq(DTwist::ZERO, 1e-15));
        // The cross products are adjoint: what one adds to the power the other takes away.
        let other = DTwist::from_array([0.5, 0.25, -1.5, 2.0, 1.0, 0.75]);
        let power = twist.cross(other).dot(wrench) + other.dot(twist.cross_dual(wrench));
        assert!(power.abs() < 1e-14, "{power}");
        // Told from another point, a motion and a wrench keep their power.
        close(&[twist.about(x.p).dot(wrench.about(x.p))], &[twist.dot(wrench)], 1e-12, &given);
    }
}
