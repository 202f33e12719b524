//! From a joint's parent to its child: where things are, how they move, and how that changes.
//!
//! Velocities and accelerations are those of a point of the frame, its origin, along the world's axes. Everything is told from
//! there and from differences of places, so that a robot far from the world's origin loses nothing.

use warp::math::{Quat, Transform, Twist, Vec3};
use warp::prelude::*;

use crate::model::Model;
use crate::model::record::{AXES, BALL, JointRecord};
use crate::solver::integrate::nearly_normalized;

/// What a model knows of its joints.
#[derive(Args)]
pub(crate) struct Trees<'a> {
    pub records: &'a [JointRecord],
    pub path_start: &'a [u32],
    pub path: &'a [u32],
    pub parent_anchor: &'a [Transform],
    pub child_anchor: &'a [Transform],
    pub axis: &'a [Vec3],
    pub com: &'a [Vec3],
    pub strides: TreeStrides,
}

/// How far apart the parameters of neighbouring worlds are, and their coordinates and degrees of freedom.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(crate) struct TreeStrides {
    pub parent_anchor: u32,
    pub child_anchor: u32,
    pub axis: u32,
    pub com: u32,
    pub coordinates: u32,
    pub dofs: u32,
}

impl TreeStrides {
    /// Whether all worlds share all parameters.
    pub(crate) fn are_shared(&self) -> bool {
        [self.parent_anchor, self.child_anchor, self.axis, self.com] == [0; 4]
    }
}

impl Model {
    pub(crate) fn trees_args(&self) -> TreesArrays<'_> {
        TreesArrays {
            records: &self.joints.records,
            path_start: &self.joints.paths.start,
            path: &self.joints.paths.entries,
            parent_anchor: self.joint_parent_anchor.array(),
            child_anchor: self.joint_child_anchor.array(),
            axis: self.joint_axis.array(),
            com: self.body_com.array(),
            strides: TreeStrides {
                parent_anchor: self.joint_parent_anchor.stride(),
                child_anchor: self.joint_child_anchor.stride(),
                axis: self.joint_axis.stride(),
                com: self.body_com.stride(),
                coordinates: self.worlds.coordinates.grid().1 as u32,
                dofs: self.worlds.dofs.grid().1 as u32,
            },
        }
    }
}

/// A frame that moves.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(crate) struct Moving {
    /// Where it is in the world.
    pub pose: Transform,
    /// How its origin moves, and how it turns.
    pub velocity: Twist,
    /// How that changes.
    pub acceleration: Twist,
}

/// The world itself.
#[func]
pub(crate) fn at_rest() -> Moving {
    Moving { pose: Transform::IDENTITY, velocity: Twist::ZERO, acceleration: Twist::ZERO }
}

/// A frame fixed to another one, at this pose in it.
#[func]
pub(crate) fn fixed_to(frame: Moving, pose: Transform) -> Moving {
    let r = frame.pose.q * pose.p;
    let (v, a) = (frame.velocity, frame.acceleration);
    Moving {
        pose: Transform { p: frame.pose.p + r, q: frame.pose.q * pose.q },
        velocity: Twist { linear: v.linear + v.angular.cross(r), angular: v.angular },
        acceleration: Twist {
            linear: a.linear + a.angular.cross(r) + v.angular.cross(v.angular.cross(r)),
            angular: a.angular,
        },
    }
}

/// A frame that has slid by `shift`, at a speed and a rate of that, all along the world's axes.
#[func]
pub(crate) fn slid(frame: Moving, shift: Vec3, speed: Vec3, rate: Vec3) -> Moving {
    let (v, a) = (frame.velocity, frame.acceleration);
    Moving {
        pose: Transform { p: frame.pose.p + shift, q: frame.pose.q },
        velocity: Twist { linear: v.linear + v.angular.cross(shift) + speed, angular: v.angular },
        acceleration: Twist {
            linear: a.linear + a.angular.cross(shift) + v.angular.cross(v.angular.cross(shift) + 2.0 * speed) + rate,
            angular: a.angular,
        },
    }
}

/// A frame that has turned in itself by `turn`, at a speed and a rate of that along the world's axes.
#[func]
pub(crate) fn turned(frame: Moving, turn: Quat, speed: Vec3, rate: Vec3) -> Moving {
    let (v, a) = (frame.velocity, frame.acceleration);
    Moving {
        pose: Transform { p: frame.pose.p, q: frame.pose.q * turn },
        velocity: Twist { linear: v.linear, angular: v.angular + speed },
        acceleration: Twist { linear: a.linear, angular: a.angular + v.angular.cross(speed) + rate },
    }
}

/// The frame of a joint on its parent's side, where `parent` is the parent's.
#[func]
pub(crate) fn entered(of: &Trees, row: usize, joint: usize, parent: Moving) -> Moving {
    fixed_to(parent, of.parent_anchor[row * of.strides.parent_anchor as usize + joint])
}

/// The rotation by an angle about an axis of length 1.
#[func]
pub(crate) fn turn_about(axis: Vec3, angle: f32) -> Quat {
    let (sine, cosine) = (0.5 * angle).sin_cos();
    Quat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// A joint frame moved along one of its axes.
#[func]
pub(crate) fn moved_along(frame: Moving, angular: bool, axis: Vec3, q: f32, qd: f32, qdd: f32) -> Moving {
    let along = frame.pose.q * axis;
    if angular {
        turned(frame, turn_about(axis, q), along * qd, along * qdd)
    } else {
        slid(frame, along * q, along * qd, along * qdd)
    }
}

/// The same of its pose alone.
#[func]
pub(crate) fn moved_pose(frame: Transform, angular: bool, axis: Vec3, q: f32) -> Transform {
    if angular {
        Transform { p: frame.p, q: frame.q * turn_about(axis, q) }
    } else {
        Transform { p: frame.p + frame.q * axis * q, q: frame.q }
    }
}

/// The child's link frame, where `frame` is the joint's on the child's side. Long chains would lose the length of their
/// rotations, and with it that of everything.
#[func]
pub(crate) fn left(of: &Trees, row: usize, joint: usize, frame: Moving) -> Moving {
    let anchor = of.child_anchor[row * of.strides.child_anchor as usize + joint];
    let link = fixed_to(frame, anchor.inverse());
    let pose = Transform { p: link.pose.p, q: nearly_normalized(link.pose.q) };
    Moving { pose, ..link }
}

#[func]
pub(crate) fn vec3_at(values: &[f32], at: usize) -> Vec3 {
    Vec3::new(values[at], values[at + 1], values[at + 2])
}

/// The rotation that starts at an element, made a little nearer to length 1.
#[func]
pub(crate) fn rotation_at(values: &[f32], at: usize) -> Quat {
    nearly_normalized(Quat::from_xyzw(values[at], values[at + 1], values[at + 2], values[at + 3]))
}

/// One of the three numbers of a vector.
#[func]
pub(crate) fn component(v: Vec3, k: u32) -> f32 {
    if k == 0 {
        v.x
    } else if k == 1 {
        v.y
    } else {
        v.z
    }
}

#[func]
pub(crate) fn write_vec3(values: &mut [f32], at: usize, v: Vec3) {
    values[at] = v.x;
    values[at + 1] = v.y;
    values[at + 2] = v.z;
}

#[func]
pub(crate) fn write_rotation(values: &mut [f32], at: usize, q: Quat) {
    values[at] = q.x;
    values[at + 1] = q.y;
    values[at + 2] = q.z;
    values[at + 3] = q.w;
}

/// Where the coordinates of a row begin, and its degrees of freedom in the speeds and in the accelerations.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(crate) struct Starts {
    pub q: usize,
    pub qd: usize,
    /// Which times the acceleration counts: 1, or 0 where there is none to read.
    pub qdd: usize,
}

#[func]
pub(crate) fn starts(of: &Trees, row: usize, accelerated: bool) -> Starts {
    let s = of.strides;
    Starts { q: row * s.coordinates as usize, qd: row * s.dofs as usize, qdd: if accelerated { 1 } else { 0 } }
}

/// The child of a joint, where `parent` is the frame of its parent.
#[func]
pub(crate) fn child_of(
    of: &Trees,
    row: usize,
    joint: usize,
    parent: Moving,
    q: &[f32],
    qd: &[f32],
    qdd: &[f32],
    at: Starts,
) -> Moving {
    let record = of.records[joint];
    let mut frame = entered(of, row, joint, parent);
    let (first_q, first) = (at.q + record.q as usize, at.qd + record.qd as usize);
    if record.kind == AXES {
        for k in 0..record.dofs {
            let dof = k as usize;
            let axis = of.axis[row * of.strides.axis as usize + record.qd as usize + dof];
            let rate = if at.qdd == 1 { qdd[first + dof] } else { 0.0 };
            frame = moved_along(frame, k >= record.linear, axis, q[first_q + dof], qd[first + dof], rate);
        }
        left(of, row, joint, frame)
    } else if record.kind == BALL {
        let to_world = frame.pose.q;
        let speed = to_world * vec3_at(qd, first);
        let rate = if at.qdd == 1 { to_world * vec3_at(qdd, first) } else { Vec3::ZERO };
        left(of, row, joint, turned(frame, rotation_at(q, first_q), speed, rate))
    } else {
        freed(of, row, joint, frame, q, qd, qdd, Starts { q: first_q, qd: first, qdd: at.qdd })
    }
}

/// The child of a free joint, whose speeds are those of its centre of mass. `at` is where its own numbers begin.
#[func]
fn freed(
    of: &Trees,
    row: usize,
    joint: usize,
    frame: Moving,
    q: &[f32],
    qd: &[f32],
    qdd: &[f32],
    at: Starts,
) -> Moving {
    let to_world = frame.pose.q;
    let com = of.com[row * of.strides.com as usize + of.records[joint].body as usize];
    let (mut rate, mut turn_rate) = (Vec3::ZERO, Vec3::ZERO);
    if at.qdd == 1 {
        rate = to_world * vec3_at(qdd, at.qd);
        turn_rate = to_world * vec3_at(qdd, at.qd + 3);
    }
    let (speed, spin) = (to_world * vec3_at(qd, at.qd), to_world * vec3_at(qd, at.qd + 3));
    // The child's link frame in the joint's frame of the parent's side, and its centre of mass from there.
    let placed = Transform { p: vec3_at(q, at.q), q: rotation_at(q, at.q + 3) };
    let link = placed * of.child_anchor[row * of.strides.child_anchor as usize + joint].inverse();
    let center = link.transform_point(com);
    let at_center = turned(slid(frame, to_world * center, speed, rate), link.q, spin, turn_rate);
    fixed_to(at_center, Transform { p: -com, q: Quat::IDENTITY })
}

/// The frame that the first joints of the path to a joint lead to; `last` is the end of those in the path.
#[func]
pub(crate) fn walked(
    of: &Trees,
    row: usize,
    joint: usize,
    skipped: u32,
    q: &[f32],
    qd: &[f32],
    qdd: &[f32],
    at: Starts,
) -> Moving {
    let mut frame = at_rest();
    for k in of.path_start[joint]..of.path_start[joint + 1] - skipped {
        frame = child_of(of, row, of.path[k as usize] as usize, frame, q, qd, qdd, at);
    }
    frame
}
