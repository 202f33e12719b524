//! Vectors and matrices, at singular places too.

use super::*;

#[kernel]
fn quotients(s: &[f32], v: &[Vec3], c: &[Vec3], out: &mut [f32]) {
    let i = tid();
    let r = s[i] / v[i];
    out[i] = r.dot(c[i]);
}

#[on_every_device]
fn a_number_is_divided_by_a_vector() {
    let (s, v) = (array(&[3.0f32]), array(&[Vec3::new(1.0, -2.0, 4.0)]));
    let (c, mut out) = (array(&[Vec3::new(1.0, 2.0, -1.0)]), zeros(1));
    back(&mut out, 1.0f32, |out| quotients::launch(1, &s, &v, &c, out));
    close(&all(&out), &[-0.75]);
    close(&gradient(&s), &[-0.25]);
    close(&gradient(&v), &[-3.0, -1.5, 0.1875]);
    close(&gradient(&c), &[3.0, -1.5, 0.75]);
}

#[kernel]
fn lengths(v: &[Vec3], out: &mut [f32]) {
    let i = tid();
    out[i] = v[i].length() * v[i].length() + v[i].length_squared();
}

/// Whatever the slope of the length is at zero, zero times it is zero.
#[on_every_device]
fn the_length_of_the_zero_vector() {
    let (v, mut out) = (array(&[Vec3::ZERO, Vec3::new(3.0, 0.0, 4.0)]), zeros(2));
    back(&mut out, 1.0f32, |out| lengths::launch(2, &v, out));
    close(&gradient(&v), &[0.0, 0.0, 0.0, 12.0, 0.0, 16.0]);
}

#[kernel]
fn determinants2(a: &[Mat2], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i].determinant();
}

#[kernel]
fn determinants3(a: &[Mat3], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i].determinant();
}

/// The gradient is the matrix of cofactors, which needs no inverse.
#[on_every_device]
fn the_determinant_of_a_singular_matrix() {
    let (a, mut out) = (array(&[Mat2::from_cols_array(&[0.0, 0.0, 1.0, 1.0])]), zeros(1));
    back(&mut out, 1.0f32, |out| determinants2::launch(1, &a, out));
    close(&all(&out), &[0.0]);
    close(&gradient(&a), &[1.0, 0.0, -1.0, 0.0]);

    let rows = Mat3::from_cols_array(&[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 1.0, 0.0, 1.0]);
    let (a, mut out) = (array(&[rows.transpose()]), zeros(1));
    back(&mut out, 1.0f32, |out| determinants3::launch(1, &a, out));
    close(&all(&out), &[0.0]);
    close(&gradient(&a), &[4.0, 4.0, -4.0, -2.0, -2.0, 2.0, 0.0, 0.0, 0.0]);
}

#[kernel]
fn singular2(a: &[Mat2], out: &mut [f32], back: &mut [Mat2]) {
    let i = tid();
    let (u, s, v) = a[i].svd();
    out[i] = s.x + s.y;
    back[i] = u * Mat2::from_diagonal(s) * v.transpose();
}

#[kernel]
fn singular3(a: &[Mat3], out: &mut [f32], back: &mut [Mat3]) {
    let i = tid();
    let (u, s, v) = a[i].svd();
    out[i] = s.x + s.y + s.z;
    back[i] = u * Mat3::from_diagonal(s) * v.transpose();
}

#[kernel]
fn sums2(a: &[Mat2], out: &mut [f32]) {
    let (_, s, _) = a[tid()].svd();
    out[tid()] = s.x + s.y;
}

#[kernel]
fn sums3(a: &[Mat3], out: &mut [f32]) {
    let (_, s, _) = a[tid()].svd();
    out[tid()] = s.x + s.y + s.z;
}

/// The sum of singular values is smooth where they are equal: its gradient is the rotation of the polar decomposition.
/// That of the factors is not, so that it is compared with differences by itself.
#[on_every_device]
fn singular_values_coincide() {
    let turned = Mat2::from_angle(0.5);
    let a = array(&[turned * 2.0, -Mat2::IDENTITY, Mat2::from_cols_array(&[1.0, 0.0, 0.0, -1.0])]);
    let (mut out, mut again) = (zeros(3), zeros(3));
    agree(0, || sums2::launch(3, &a, &mut out));
    back_alone(&mut out, 1.0f32, |out| singular2::launch(3, &a, out, &mut again));
    close_to(&all(&again), &all(&a), 1e-5);
    close(&all(&out), &[4.0, 2.0, 2.0]);
    let expected = [0.877582562, -0.479425539, 0.479425539, 0.877582562];
    close_to(&gradient(&a)[..4], &expected, 1e-3);

    let turned = Mat3::from_axis_angle(Vec3::new(0.0, 0.6, 0.8), 1.1);
    let a = array(&[turned * Mat3::from_diagonal(Vec3::new(3.0, 3.0, 1.0))]);
    let (mut out, mut again) = (zeros(1), zeros(1));
    agree(0, || sums3::launch(1, &a, &mut out));
    back_alone(&mut out, 1.0f32, |out| singular3::launch(1, &a, out, &mut again));
    close_to(&all(&again), &all(&a), 1e-5);
    close(&all(&out), &[7.0]);
    let expected = [
        0.453596121,
        -0.712965888,
        0.534724416,
        0.712965888,
        0.650301518,
        0.262273862,
        -0.534724416,
        0.262273862,
        0.803294604,
    ];
    close_to(&gradient(&a), &expected, 1e-3);
}

#[func]
fn of_factors2(u: DMat2, s: DVec2, v: DMat2) -> f64 {
    s.x - 2.0 * s.y + u.x_axis.y * (1.0 + v.y_axis.x) + 0.5 * v.x_axis.x
}

#[func]
fn of_factors3(u: DMat3, s: DVec3, v: DMat3) -> f64 {
    s.x - 2.0 * s.y + 0.3 * s.z * s.z + u.x_axis.y * (1.0 + v.y_axis.z) + 0.5 * u.z_axis.x * v.x_axis.x
}

#[func]
fn of_eigen(l: DVec3, v: DMat3) -> f64 {
    l.x * l.y - 2.0 * l.z + v.x_axis.y * v.x_axis.z + 0.5 * v.z_axis.x * v.z_axis.y
}

#[kernel]
fn factors(a: &[DMat2], b: &[DMat3], out: &mut [f64]) {
    let (u, s, v) = a[0].svd();
    out[0] = of_factors2(u, s, v);
    let (u, s, v) = b[0].svd();
    out[1] = of_factors3(u, s, v);
    let (l, v) = b[1].symmetric_eigen();
    out[2] = of_eigen(l, v);
}

/// Against differences of the same functions on the host.
#[on_every_device]
fn factors_of_matrices_go_back() {
    let two = DMat2::from_cols_array(&[0.7, -1.2, 0.4, 2.0]);
    let three = [
        DMat3::from_cols_array(&[1.0, 0.2, -0.7, 0.5, -1.5, 0.3, 0.9, 0.1, 2.2]),
        DMat3::from_cols_array(&[2.0, 0.5, -0.3, 0.1, -1.0, 0.8, 0.6, 0.2, 0.4]),
    ];
    let (a, b, mut out) = (array(&[two]), array(&three), zeros(3));
    back(&mut out, 1.0f64, |out| factors::launch(1, &a, &b, out));
    let of_two = slopes(&two.to_cols_array(), |at| {
        let (u, s, v) = DMat2::from_cols_slice(at).svd();
        of_factors2(u, s, v)
    });
    let of_three = slopes(&three[0].to_cols_array(), |at| {
        let (u, s, v) = DMat3::from_cols_slice(at).svd();
        of_factors3(u, s, v)
    });
    let of_symmetric = slopes(&three[1].to_cols_array(), |at| {
        let (l, v) = DMat3::from_cols_slice(at).symmetric_eigen();
        of_eigen(l, v)
    });
    close_to(&gradient(&a), &of_two, 1e-6);
    close_to(&gradient(&b), &[of_three, of_symmetric].concat(), 1e-6);
}

#[kernel]
fn turned(a: &[Mat3], p: &[Mat2], out: &mut [f32]) {
    let i = tid();
    let (u, _, v) = a[i].svd();
    let r = u * v.transpose();
    let (u, _, v) = p[i].svd();
    let q = u * v.transpose();
    out[i] = r.x_axis.y + 2.0 * r.z_axis.x + 3.0 * q.x_axis.y;
}

/// What the factors make of a rotation of equal singular values is smooth, though they are not: at the identity it is half
/// of the difference of a matrix and its transpose.
#[on_every_device]
fn the_rotation_of_equal_singular_values() {
    let (a, p, mut out) = (array(&[Mat3::IDENTITY]), array(&[Mat2::IDENTITY]), zeros(1));
    let tape = Tape::record(|| turned::launch(1, &a, &p, &mut out)).unwrap();
    tape.backward(&out).unwrap();
    close(&gradient(&a), &[0.0, -0.5, 1.0, 0.5, 0.0, 0.0, -1.0, 0.0, 0.0]);
    close(&gradient(&p), &[0.0, -1.5, 1.5, 0.0]);
}
