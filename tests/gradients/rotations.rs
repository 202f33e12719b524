//! Rotations by axis and angle.

use super::*;

#[kernel]
fn rotated(theta: &[f32], v: &[Vec3], c: Vec3, out: &mut [f32]) {
    let i = tid();
    let q = Quat::from_axis_angle(Vec3::new(0.0, 0.6, 0.8), theta[i]);
    out[i] = (q * v[i]).dot(c);
}

/// Nothing is special at the identity and at half a turn.
#[on_every_device]
fn rotations_at_the_identity_and_at_half_a_turn() {
    let theta = array(&[0.0f32, 0.7, std::f32::consts::PI]);
    let (v, mut out) = (array(&[Vec3::new(1.0, 2.0, 3.0); 3]), zeros(3));
    back(&mut out, 1.0f32, |out| rotated::launch(3, &theta, &v, Vec3::new(0.5, -1.0, 2.0), out));
    close(&all(&out), &[4.5, 3.064344363, 2.7]);
    close(&gradient(&theta), &[-1.9, -2.032996074, 1.9]);
    let expected = [0.5, -1.0, 2.0, -0.906014281, -0.881434575, 1.911075931, -0.5, 2.2, -0.4];
    close(&gradient(&v), &expected);
}
