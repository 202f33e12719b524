//! From bodies back to joint coordinates.

use warp::math::{Quat, Transform, Twist, Vec3};
use warp::prelude::*;

use super::walk::{Trees, component, write_rotation, write_vec3};
use crate::Error;
use crate::model::record::{AXES, BALL, NONE};
use crate::model::{Model, State};

/// The part of a rotation that is about an axis: its angle, between -π and π.
#[func]
fn angle_about(q: Quat, axis: Vec3) -> f32 {
    let along = q.xyz().dot(axis);
    let (s, c) = if q.w < 0.0 { (-along, -q.w) } else { (along, q.w) };
    2.0 * s.atan2(c)
}

/// The angles about up to three axes, each turned by those before, whose product is the rotation `q`. It finds the turn about the
/// second axis from how the third leans against the first, and then the others.
#[func]
fn angles_about(q: Quat, count: u32, a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    if count == 1 {
        Vec3::new(angle_about(q, a), 0.0, 0.0)
    } else if count == 2 {
        // What q does to the second axis is what the first turn does.
        let first = turn_between(a, b, q * b);
        let rest = Quat::from_axis_angle(a, -first) * q;
        Vec3::new(first, angle_about(rest, b), 0.0)
    } else {
        // Along b, c is carried round the cone about b; its part along a tells how far.
        let target = q * c;
        let (parallel, across, height) = (a.dot(b) * b.dot(c), a.dot(c) - a.dot(b) * b.dot(c), a.dot(b.cross(c)));
        // a · (turn of c about b by t) = parallel + across cos t + height sin t.
        let size = (across * across + height * height).sqrt();
        let along = a.dot(target) - parallel;
        let lean = (size * size - along * along).max(0.0).sqrt().atan2(along);
        let start = height.atan2(across);
        // Two turns do it; the one nearer to none is the coordinate.
        let (one, other) = (wrapped(start - lean), wrapped(start + lean));
        let second = if one.abs() <= other.abs() { one } else { other };
        let first = turn_between(a, Quat::from_axis_angle(b, second) * c, target);
        let rest = Quat::from_axis_angle(b, -second) * (Quat::from_axis_angle(a, -first) * q);
        Vec3::new(first, second, angle_about(rest, c))
    }
}

/// An angle between -π and π.
#[func]
fn wrapped(angle: f32) -> f32 {
    let turn: f32 = std::f32::consts::TAU;
    angle - turn * (angle / turn).round()
}

/// The angle about an axis that takes one vector to another, as far as a turn about it can.
#[func]
fn turn_between(axis: Vec3, from: Vec3, to: Vec3) -> f32 {
    let (x, y) = (from - axis * axis.dot(from), to - axis * axis.dot(to));
    axis.dot(x.cross(y)).atan2(x.dot(y))
}

/// Speeds along three directions that add up to `v`; the directions need not be at right angles.
#[func]
fn parts_along(v: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let volume = a.dot(b.cross(c));
    Vec3::new(v.dot(b.cross(c)), a.dot(v.cross(c)), a.dot(b.cross(v))) / volume
}

/// Two directions more, at right angles, where there are fewer than three.
#[func]
fn completed(count: u32, a: Vec3, b: Vec3) -> Vec3 {
    if count == 1 { a.any_orthonormal_vector() } else { b }
}

#[func]
fn axis_or_zero(of: &Trees, row: usize, first: u32, count: u32, k: u32) -> Vec3 {
    if k < count { of.axis[row * of.strides.axis as usize + (first + k) as usize] } else { Vec3::ZERO }
}

#[kernel]
fn read_joints(of: Trees, bodies: u32, body_q: &[Transform], body_qd: &[Twist], q: &mut [f32], qd: &mut [f32]) {
    let (joint, row) = tid2();
    let record = of.records[joint];
    let first_body = row * bodies as usize;
    let com_stride = row * of.strides.com as usize;
    // Frames of both sides of the joint, and how the child's moves against the parent's.
    let mut parent = Transform::IDENTITY;
    let mut parent_qd = Twist::ZERO;
    let mut parent_com = Vec3::ZERO;
    if record.parent != NONE {
        let number = of.records[record.parent as usize].body as usize;
        parent = body_q[first_body + number];
        parent_qd = body_qd[first_body + number];
        parent_com = parent.transform_point(of.com[com_stride + number]);
    }
    let child = body_q[first_body + record.body as usize];
    let child_qd = body_qd[first_body + record.body as usize];
    let child_com = child.transform_point(of.com[com_stride + record.body as usize]);
    let base = parent * of.parent_anchor[row * of.strides.parent_anchor as usize + joint];
    let tip = child * of.child_anchor[row * of.strides.child_anchor as usize + joint];
    let between = base.inverse() * tip;
    let back = base.q.conjugate();
    let spin = back * (child_qd.angular - parent_qd.angular);
    let (at_q, at_qd) = (
        row * of.strides.coordinates as usize + record.q as usize,
        row * of.strides.dofs as usize + record.qd as usize,
    );
    if record.kind == AXES {
        let slide = back * (child_qd.velocity_at(tip.p - child_com) - parent_qd.velocity_at(tip.p - parent_com));
        let (first, linear, angular) = (record.qd, record.linear, record.dofs - record.linear);
        if linear > 0 {
            let a = axis_or_zero(&of, row, first, linear, 0);
            let b = if linear > 1 { axis_or_zero(&of, row, first, linear, 1) } else { completed(1, a, a) };
            let c = if linear > 2 { axis_or_zero(&of, row, first, linear, 2) } else { a.cross(b) };
            let (place, speed) = (parts_along(between.p, a, b, c), parts_along(slide, a, b, c));
            for k in 0..linear {
                q[at_q + k as usize] = component(place, k);
                qd[at_qd + k as usize] = component(speed, k);
            }
        }
        if angular > 0 {
            let first = first + linear;
            let a = axis_or_zero(&of, row, first, angular, 0);
            let b = axis_or_zero(&of, row, first, angular, 1);
            let c = axis_or_zero(&of, row, first, angular, 2);
            let angles = angles_about(between.q, angular, a, b, c);
            // The axes as the angles have turned them, in the parent's frame.
            let turn = Quat::from_axis_angle(a, angles.x);
            let second = if angular > 1 { turn * b } else { completed(1, a, a) };
            let third = if angular > 2 { turn * (Quat::from_axis_angle(b, angles.y) * c) } else { a.cross(second) };
            let speed = parts_along(spin, a, second, third);
            for k in 0..angular {
                q[at_q + (linear + k) as usize] = component(angles, k);
                qd[at_qd + (linear + k) as usize] = component(speed, k);
            }
        }
    } else if record.kind == BALL {
        write_rotation(q, at_q, between.q.normalize());
        write_vec3(qd, at_qd, spin);
    } else {
        write_vec3(q, at_q, between.p);
        write_rotation(q, at_q + 3, between.q.normalize());
        let carried = parent_qd.velocity_at(child_com - parent_com);
        write_vec3(qd, at_qd, back * (child_qd.linear - carried));
        write_vec3(qd, at_qd + 3, spin);
    }
}

/// Reads the coordinates and speeds of joints off their bodies: the way back of
/// [`forward_kinematics`](super::forward_kinematics). `body_q` and `body_qd` of a state give its `joint_q` and `joint_qd`.
///
/// Where bodies are not quite where joints can have them, what the joint cannot do is left out. An angle comes out between -π
/// and π, so a joint that was wound up further is unwound, and a quaternion may change its sign. Three axes that turn have two
/// sets of angles for one rotation: it is the one with the smaller turn about the second axis. Where they have become two
/// (gimbal lock) the speeds are not finite. Gradients go through elsewhere.
pub fn joint_coordinates(model: &Model, state: &mut State) -> Result<(), Error> {
    model.parameters_fit()?;
    model.fits(state)?;
    let (rows, joints) = model.worlds.joints.grid();
    if joints > 0 {
        read_joints::launch(
            (joints, rows),
            model.trees_args(),
            model.worlds.bodies.grid().1 as u32,
            &state.body_q,
            &state.body_qd,
            &mut state.joint_q,
            &mut state.joint_qd,
        )?;
    }
    Ok(())
}
