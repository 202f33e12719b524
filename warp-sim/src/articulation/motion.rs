//! How each degree of freedom moves what hangs on it, and what each body takes to go on as it does.

use warp::Array;
use warp::math::{Mat3, SpatialInertia, Transform, Vec3, Wrench};
use warp::prelude::*;

use super::walk::{Trees, child_of, entered, fixed_to, moved_pose, starts, walked};
use crate::Error;
use crate::model::record::{AXES, BALL, NONE};
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
    /// By joint: its frame on its parent's side.
    pub frames: Array<Transform>,
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
            frames: Array::zeros(model.device(), joints)?,
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

/// How fast a point moves with it that goes along.
#[func]
pub(crate) fn velocity_of(motion: Motion, point: Vec3) -> Vec3 {
    motion.linear + motion.angular.cross(point - motion.at)
}

/// Whether the path to a joint leads over another one, or is that itself; there is none where there is no joint.
#[func]
pub(crate) fn leads_over(path_start: &[u32], path: &[u32], joint: u32, over: u32) -> bool {
    let mut leads = false;
    if joint != NONE {
        for k in path_start[joint as usize]..path_start[joint as usize + 1] {
            leads = leads || path[k as usize] == over;
        }
    }
    leads
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

/// How each degree of freedom of a joint moves its child. `frames` are those of joints on their parents' sides.
#[kernel]
fn find_axes(
    of: Trees,
    of_dof: &[u32],
    rows: u32,
    q: &[f32],
    frames: &[Transform],
    inertias: &[SpatialInertia],
    motions: &mut [Motion],
) {
    let (dof, row) = tid2();
    let rows = rows as usize;
    let joint = of_dof[dof] as usize;
    let record = of.records[joint];
    let slot = joint * rows + row;
    let mut frame = frames[slot];
    let number = dof as u32 - record.qd;
    let motion = if record.kind == AXES {
        let first_q = row * of.strides.coordinates as usize + record.q as usize;
        let first_axis = row * of.strides.axis as usize + record.qd as usize;
        for k in 0..number {
            let axis = of.axis[first_axis + k as usize];
            frame = moved_pose(frame, k >= record.linear, axis, q[first_q + k as usize]);
        }
        axis_motion(frame, number >= record.linear, of.axis[first_axis + number as usize])
    } else if record.kind == BALL {
        axis_motion(frame, true, unit(number))
    } else {
        let placed = Transform { p: inertias[slot].com, q: frame.q };
        axis_motion(placed, number >= 3, unit(number % 3))
    };
    motions[dof * rows + row] = motion;
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
    frames: &mut [Transform],
    inertias: &mut [SpatialInertia],
    wrenches: &mut [Wrench],
) {
    let (joint, row) = tid2();
    move_child(&of, &bodies, wanted, row, row, joint, q, qd, qdd, f, frames, inertias, wrenches);
}

/// The same where all rows share all parameters: what is the same in all lanes is read once.
#[kernel]
fn move_bodies_alike(
    of: Trees,
    bodies: Bodies,
    wanted: Wanted,
    q: &[f32],
    qd: &[f32],
    qdd: &[f32],
    f: &[Wrench],
    frames: &mut [Transform],
    inertias: &mut [SpatialInertia],
    wrenches: &mut [Wrench],
) {
    let (joint, row) = tid2();
    move_child(&of, &bodies, wanted, row, 0, joint, q, qd, qdd, f, frames, inertias, wrenches);
}

/// `own` is the row whose parameters count.
#[func]
fn move_child(
    of: &Trees,
    bodies: &Bodies,
    wanted: Wanted,
    row: usize,
    own: usize,
    joint: usize,
    q: &[f32],
    qd: &[f32],
    qdd: &[f32],
    f: &[Wrench],
    frames: &mut [Transform],
    inertias: &mut [SpatialInertia],
    wrenches: &mut [Wrench],
) {
    let rows = wanted.rows as usize;
    let at = starts(of, row, wanted.accelerated);
    let record = of.records[joint];
    let parent = walked(of, own, joint, 1, q, qd, qdd, at);
    let child = child_of(of, own, joint, parent, q, qd, qdd, at);

    let number = record.body as usize;
    let s = bodies.strides;
    let body = row * s.bodies as usize + number;
    let center = fixed_to(child, Transform::from_translation(bodies.com[own * s.com as usize + number]));
    let mass = bodies.mass[own * s.mass as usize + number];
    let turn = Mat3::from_quat(child.pose.q);
    let inertia = turn * bodies.inertia[own * s.inertia as usize + number] * turn.transpose();

    let mut acceleration = center.acceleration.linear;
    if wanted.gravity {
        acceleration -=
            bodies.gravity[bodies.world[body] as usize] * bodies.gravity_scale[own * s.gravity_scale as usize + number];
    }
    let (w, rate) = (child.velocity.angular, child.acceleration.angular);
    let mut wrench = Wrench { force: mass * acceleration, torque: inertia * rate + w.cross(inertia * w) };
    if wanted.outside {
        wrench = wrench - f[body];
    }
    let slot = joint * rows + row;
    inertias[slot] = SpatialInertia { mass, com: center.pose.p, inertia };
    wrenches[slot] = wrench;
    frames[slot] = entered(of, own, joint, parent).pose;
}

/// Fills the scratch.
pub(crate) fn find_motions(model: &Model, at: &At<'_>, scratch: &mut Scratch) -> Result<(), Error> {
    let (rows, joints) = model.worlds.joints.grid();
    if joints == 0 {
        return Ok(());
    }
    let wanted =
        Wanted { rows: rows as u32, accelerated: at.qdd.is_some(), gravity: at.gravity, outside: at.outside.is_some() };
    let (trees, bodies, grid) = (model.trees_args(), model.bodies_args(), (joints, rows));
    let alike = rows == 1 || (trees.strides.are_shared() && bodies.strides.are_shared());
    let (q, qd, qdd, f) = (at.q, at.qd, at.qdd.unwrap_or(at.qd), at.outside.unwrap_or(at.body_f));
    let Scratch { frames, inertias, wrenches, .. } = scratch;
    match alike {
        true => move_bodies_alike::launch(grid, trees, bodies, wanted, q, qd, qdd, f, frames, inertias, wrenches)?,
        false => move_bodies::launch(grid, trees, bodies, wanted, q, qd, qdd, f, frames, inertias, wrenches)?,
    }
    let dofs = model.worlds.dofs.grid().1;
    find_axes::launch(
        (dofs, rows),
        model.trees_args(),
        &model.joints.of_dof,
        rows as u32,
        at.q,
        &scratch.frames,
        &scratch.inertias,
        &mut scratch.motions,
    )?;
    Ok(())
}
