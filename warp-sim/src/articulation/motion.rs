//! How each degree of freedom moves what hangs on it, and what each body takes to go on as it does.

use warp::Array;
use warp::math::{Mat3, SpatialInertia, Transform, Vec3, Wrench};
use warp::prelude::*;

use super::walk::{Moving, Starts, Trees, child_of, entered, fixed_to, moved_along, starts, walked};
use crate::Error;
use crate::model::record::{AXES, BALL, JointRecord};
use crate::model::{Bodies, Model, State};

/// How things move at a unit speed of one degree of freedom: what is at `x` moves by `linear + angular × (x - at)`.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(crate) struct Motion {
    pub linear: Vec3,
    pub angular: Vec3,
    /// A point of the axis, in the world.
    pub at: Vec3,
}

/// What the kernels of articulations leave for each other. It lies thing by thing, and in these row by row, so that the lanes
/// of neighbouring rows read side by side.
#[derive(Debug)]
pub(crate) struct Scratch {
    /// By degree of freedom.
    pub motions: Array<Motion>,
    /// By joint: that of its child, with the centre of mass in the world and the inertia along the world's axes.
    pub inertias: Array<SpatialInertia>,
    /// By joint: force and torque about the centre of mass that its child takes, less gravity and what pulls from outside.
    pub wrenches: Array<Wrench>,
}

impl Scratch {
    pub fn new(model: &Model) -> Result<Scratch, Error> {
        let (joints, dofs) = (model.joints(), model.dofs());
        Ok(Scratch {
            motions: Array::zeros(model.device(), dofs)?,
            inertias: Array::zeros(model.device(), joints)?,
            wrenches: Array::zeros(model.device(), joints)?,
        })
    }
}

/// What is asked for besides where things are.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(crate) struct Wanted {
    pub rows: u32,
    /// Whether there are accelerations to count.
    pub accelerated: bool,
    /// Whether gravity and forces from outside count.
    pub gravity: bool,
    pub outside: bool,
}

/// Accelerations where there are any; else anything of that type.
pub(crate) struct At<'a> {
    pub q: &'a Array<f32>,
    pub qd: &'a Array<f32>,
    pub qdd: Option<&'a Array<f32>>,
    pub gravity: bool,
    /// Forces from outside that count.
    pub outside: Option<&'a Array<Wrench>>,
    /// Any forces, for where none count.
    pub body_f: &'a Array<Wrench>,
}

impl<'a> At<'a> {
    /// A state with what pulls at it.
    pub fn state(state: &'a State) -> At<'a> {
        At {
            q: &state.joint_q,
            qd: &state.joint_qd,
            qdd: None,
            gravity: true,
            outside: Some(&state.body_f),
            body_f: &state.body_f,
        }
    }
}

#[func]
fn axis_motion(frame: Transform, angular: bool, axis: Vec3) -> Motion {
    let along = frame.q * axis;
    if angular {
        Motion { linear: Vec3::ZERO, angular: along, at: frame.p }
    } else {
        Motion { linear: along, angular: Vec3::ZERO, at: frame.p }
    }
}

/// Writes how the degrees of freedom of a joint move its child. `frame` is the joint's on its parent's side, `com` the
/// child's centre of mass in the world.
#[func]
fn write_motions(
    of: &Trees,
    row: usize,
    rows: usize,
    record: JointRecord,
    frame: Moving,
    com: Vec3,
    q: &[f32],
    qd: &[f32],
    at: Starts,
    motions: &mut [Motion],
) {
    let first = record.qd as usize;
    if record.kind == AXES {
        let mut moved = frame;
        for k in 0..record.dofs {
            let axis = of.axis[row * of.strides.axis as usize + first + k as usize];
            let angular = k >= record.linear;
            motions[(first + k as usize) * rows + row] = axis_motion(moved.pose, angular, axis);
            let coordinate = q[at.q + record.q as usize + k as usize];
            moved = moved_along(moved, angular, axis, coordinate, qd[at.qd + first + k as usize], 0.0);
        }
    } else {
        let turning = if record.kind == BALL { 0 } else { 3 };
        let center = if record.kind == BALL { frame.pose.p } else { com };
        let placed = Transform { p: center, q: frame.pose.q };
        for k in 0..turning {
            let axis = unit(k);
            motions[(first + k as usize) * rows + row] = axis_motion(placed, false, axis);
        }
        for k in 0..3 {
            motions[(first + (turning + k) as usize) * rows + row] = axis_motion(placed, true, unit(k));
        }
    }
}

#[func]
fn unit(k: u32) -> Vec3 {
    Vec3::new(if k == 0 { 1.0 } else { 0.0 }, if k == 1 { 1.0 } else { 0.0 }, if k == 2 { 1.0 } else { 0.0 })
}

#[kernel]
fn move_bodies(
    of: Trees,
    bodies: Bodies,
    wanted: Wanted,
    q: &[f32],
    qd: &[f32],
    qdd: &[f32],
    f: &[Wrench],
    motions: &mut [Motion],
    inertias: &mut [SpatialInertia],
    wrenches: &mut [Wrench],
) {
    let (joint, row) = tid2();
    let rows = wanted.rows as usize;
    let at = starts(&of, row, wanted.accelerated);
    let record = of.records[joint];
    let parent = walked(&of, row, joint, 1, q, qd, qdd, at);
    let child = child_of(&of, row, joint, parent, q, qd, qdd, at);

    let number = record.body as usize;
    let s = bodies.strides;
    let body = row * s.bodies as usize + number;
    let center = fixed_to(child, Transform::from_translation(bodies.com[row * s.com as usize + number]));
    let mass = bodies.mass[row * s.mass as usize + number];
    let turn = Mat3::from_quat(child.pose.q);
    let inertia = turn * bodies.inertia[row * s.inertia as usize + number] * turn.transpose();

    let mut acceleration = center.acceleration.linear;
    if wanted.gravity {
        acceleration -=
            bodies.gravity[bodies.world[body] as usize] * bodies.gravity_scale[row * s.gravity_scale as usize + number];
    }
    let (w, rate) = (child.velocity.angular, child.acceleration.angular);
    let mut wrench = Wrench { force: mass * acceleration, torque: inertia * rate + w.cross(inertia * w) };
    if wanted.outside {
        wrench = wrench - f[body];
    }
    let slot = joint * rows + row;
    inertias[slot] = SpatialInertia { mass, com: center.pose.p, inertia };
    wrenches[slot] = wrench;
    let frame = entered(&of, row, joint, parent);
    write_motions(&of, row, rows, record, frame, center.pose.p, q, qd, at, motions);
}

/// Fills the scratch.
pub(crate) fn find_motions(model: &Model, at: &At<'_>, scratch: &mut Scratch) -> Result<(), Error> {
    let (rows, joints) = model.worlds.joints.grid();
    if joints == 0 {
        return Ok(());
    }
    let wanted =
        Wanted { rows: rows as u32, accelerated: at.qdd.is_some(), gravity: at.gravity, outside: at.outside.is_some() };
    move_bodies::launch(
        (joints, rows),
        model.trees_args(),
        model.bodies_args(),
        wanted,
        at.q,
        at.qd,
        at.qdd.unwrap_or(at.qd),
        at.outside.unwrap_or(at.body_f),
        &mut scratch.motions,
        &mut scratch.inertias,
        &mut scratch.wrenches,
    )?;
    Ok(())
}
