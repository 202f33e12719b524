//! How bodies and particles move on under a force: shared by all solvers.
//!
//! Positions follow the new velocity (semi-implicit Euler). Rotations take a midpoint step that adds an increment to the
//! angular velocity: forms that make the velocity from the momentum in each step lose some of it to rounding each time.

use warp::math::{Mat3, Quat, Transform, Twist, Vec3, Wrench};
use warp::prelude::*;

/// A rigid body for one step.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub struct RigidBody {
    /// Link frame in the world, m.
    pub q: Transform,
    /// Velocity of the centre of mass, along the world's axes.
    pub qd: Twist,
    /// kg.
    pub mass: f32,
    /// Centre of mass in the link frame, m.
    pub com: Vec3,
    /// About the centre of mass, along the link's axes, kg m².
    pub inertia: Mat3,
}

/// The rotation about `turn` by its length in radians. Smooth at zero, where its derivative is that of `turn / 2`.
#[func]
pub fn rotation_by(turn: Vec3) -> Quat {
    let half = 0.25 * turn.length_squared();
    // sin(h) / h and cos(h) of half the angle h, whose square is `half`: a series where a root would have no derivative.
    let (ratio, cosine) = if half < 1e-4 {
        (1.0 - half / 6.0 + half * half / 120.0, 1.0 - half / 2.0 + half * half / 24.0)
    } else {
        let h = half.sqrt();
        (h.sin() / h, h.cos())
    };
    let v = turn * (0.5 * ratio);
    Quat::from_xyzw(v.x, v.y, v.z, cosine)
}

/// One step of Newton's method towards length 1, which is exact to rounding where the length is nearly 1 already.
#[func]
pub fn nearly_normalized(q: Quat) -> Quat {
    let scale = 1.5 - 0.5 * q.length_squared();
    Quat::from_xyzw(q.x * scale, q.y * scale, q.z * scale, q.w * scale)
}

/// The inverse of an inertia. Products of three moments of small or large bodies leave the range of single precision, so
/// it is made about as large as 1 first.
#[func]
pub fn inverse_inertia(inertia: Mat3) -> Mat3 {
    let scale = 1.0 / (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z);
    (inertia * scale).inverse() * scale
}

/// Euler's equation: how the angular velocity `w` changes under a torque, all along the body's axes.
#[func]
pub fn angular_acceleration(inertia: Mat3, inverse: Mat3, w: Vec3, torque: Vec3) -> Vec3 {
    inverse * (torque - w.cross(inertia * w))
}

/// A body `dt` seconds later, under a wrench about its centre of mass along the world's axes and an acceleration of
/// gravity.
#[func]
pub fn moved(body: RigidBody, wrench: Wrench, gravity: Vec3, dt: f32) -> RigidBody {
    let rotation = body.q.q;
    let back = rotation.conjugate();
    let linear = body.qd.linear + dt * (wrench.force / body.mass + gravity);
    let center = body.q.p + rotation * body.com + dt * linear;

    let inverse = inverse_inertia(body.inertia);
    let w = back * body.qd.angular;
    let torque = back * wrench.torque;
    // The velocity in the middle of the step, from a first guess made better three times.
    let mut middle = w + 0.5 * dt * angular_acceleration(body.inertia, inverse, w, torque);
    for _ in 0..3 {
        middle = w + 0.5 * dt * angular_acceleration(body.inertia, inverse, middle, torque);
    }
    let half_way = rotation * rotation_by(0.5 * dt * middle);
    // The torque keeps its direction in the world while the body turns under it.
    let torque = half_way.conjugate() * wrench.torque;
    let gain = half_way * angular_acceleration(body.inertia, inverse, middle, torque);
    let turned = nearly_normalized(rotation * rotation_by(dt * middle));

    RigidBody {
        q: Transform { p: center - turned * body.com, q: turned },
        qd: Twist { linear, angular: body.qd.angular + dt * gain },
        ..body
    }
}

/// A body that goes on as its velocity says, whatever pulls at it.
#[func]
pub fn carried(body: RigidBody, dt: f32) -> RigidBody {
    let center = body.q.p + body.q.q * body.com + dt * body.qd.linear;
    let turned = nearly_normalized(rotation_by(dt * body.qd.angular) * body.q.q);
    RigidBody { q: Transform { p: center - turned * body.com, q: turned }, ..body }
}
