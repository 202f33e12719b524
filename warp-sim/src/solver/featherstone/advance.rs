//! Moves joints on by their accelerations.
//!
//! Speeds change first, and coordinates follow the new ones. Rotations of ball and free joints turn by the speed in the middle of
//! the step, where their accelerations are found too.

use warp::Array;
use warp::math::{Quat, Transform, Vec3};
use warp::prelude::*;

use super::pattern::Pattern;
use crate::Error;
use crate::articulation::walk::{Trees, rotation_at, vec3_at, write_rotation, write_vec3};
use crate::model::record::{AXES, BALL, FREE};
use crate::model::{Model, State};
use crate::solver::integrate::{nearly_normalized, rotation_by};

/// How each degree of freedom follows from the solution.
#[derive(Args)]
struct Follows<'a> {
    column: &'a [u32],
    /// The degree of freedom that it follows, itself or another, with ratio and offset.
    leader: &'a [u32],
    coordinate: &'a [u32],
    ratio: &'a [f32],
    offset: &'a [f32],
    rows: u32,
    /// The time, and whether it is that to the middle of a step.
    dt: f32,
    middle: bool,
}

/// The speed of a degree of freedom at the end.
#[func]
fn speed_after(of: &Follows, x: &[f32], qd: &[f32], first: usize, row: usize, dof: usize) -> f32 {
    let slot = of.column[dof] as usize * of.rows as usize + row;
    of.ratio[dof] * (qd[first + of.leader[dof] as usize] + of.dt * x[slot])
}

#[func]
fn speeds_after(of: &Follows, x: &[f32], qd: &[f32], first: usize, row: usize, dof: usize) -> Vec3 {
    Vec3::new(
        speed_after(of, x, qd, first, row, dof),
        speed_after(of, x, qd, first, row, dof + 1),
        speed_after(of, x, qd, first, row, dof + 2),
    )
}

/// A rotation turned by the mean of two speeds, which it has before and after: in the middle, by that after.
#[func]
fn turned_on(of: &Follows, from: Quat, before: Vec3, after: Vec3) -> Quat {
    let mean = if of.middle { after } else { 0.5 * (before + after) };
    nearly_normalized(rotation_by(of.dt * mean) * from)
}

/// What slides along axes and turns about them.
#[kernel]
fn advance_axes(
    trees: Trees,
    of: Follows,
    of_dof: &[u32],
    x: &[f32],
    q: &[f32],
    qd: &[f32],
    q_out: &mut [f32],
    qd_out: &mut [f32],
) {
    let (dof, row) = tid2();
    if trees.records[of_dof[dof] as usize].kind == AXES {
        let (first_q, first) = (row * trees.strides.coordinates as usize, row * trees.strides.dofs as usize);
        let lead = of.leader[dof] as usize;
        let led = q[first_q + of.coordinate[lead] as usize];
        // In the middle of a step axes stay, since their coordinates follow the speed at its end.
        let slot = of.column[dof] as usize * of.rows as usize + row;
        let moved = if of.middle { led } else { led + of.dt * (qd[first + lead] + of.dt * x[slot]) };
        qd_out[first + dof] = speed_after(&of, x, qd, first, row, dof);
        q_out[first_q + of.coordinate[dof] as usize] = of.ratio[dof] * moved + of.offset[dof];
    }
}

/// What turns about no axis of its own.
#[kernel]
fn advance_rotations(
    trees: Trees,
    of: Follows,
    x: &[f32],
    q: &[f32],
    qd: &[f32],
    q_out: &mut [f32],
    qd_out: &mut [f32],
) {
    let (joint, row) = tid2();
    let record = trees.records[joint];
    let (first_q, first) = (row * trees.strides.coordinates as usize, row * trees.strides.dofs as usize);
    let dof = record.qd as usize;
    let (at_q, at_qd) = (first_q + record.q as usize, first + dof);
    if record.kind == BALL {
        let after = speeds_after(&of, x, qd, first, row, dof);
        write_vec3(qd_out, at_qd, after);
        write_rotation(q_out, at_q, turned_on(&of, rotation_at(q, at_q), vec3_at(qd, at_qd), after));
    } else if record.kind == FREE {
        let (speed, spin) = (speeds_after(&of, x, qd, first, row, dof), speeds_after(&of, x, qd, first, row, dof + 3));
        write_vec3(qd_out, at_qd, speed);
        write_vec3(qd_out, at_qd + 3, spin);
        let from = Transform { p: vec3_at(q, at_q), q: rotation_at(q, at_q + 3) };
        let turn = turned_on(&of, from.q, vec3_at(qd, at_qd + 3), spin);
        // The centre of mass moves as the speed says, and the frame turns about it.
        let anchor = trees.child_anchor[row * trees.strides.child_anchor as usize + joint];
        let com = anchor.inverse().transform_point(trees.com[row * trees.strides.com as usize + record.body as usize]);
        write_vec3(q_out, at_q, from.transform_point(com) + of.dt * speed - turn * com);
        write_rotation(q_out, at_q + 3, turn);
    }
}

/// Writes coordinates and speeds after `dt`, or in the middle of a step of twice that.
pub(super) fn advance(
    model: &Model,
    pattern: &Pattern,
    from: &State,
    x: &Array<f32>,
    (q_out, qd_out): (&mut Array<f32>, &mut Array<f32>),
    (dt, middle): (f32, bool),
) -> Result<(), Error> {
    let (rows, joints) = model.worlds.joints.grid();
    let follows = || FollowsArrays {
        column: &pattern.column_of,
        leader: &model.joints.leaders,
        coordinate: &model.joints.coordinate,
        ratio: &pattern.ratio_of,
        offset: &model.joints.offsets,
        rows: rows as u32,
        dt,
        middle,
    };
    let (trees, of_dof, q, qd) = (|| model.trees_args(), &model.joints.of_dof, &from.joint_q, &from.joint_qd);
    let dofs = model.worlds.dofs.grid().1;
    advance_axes::launch((dofs, rows), trees(), follows(), of_dof, x, q, qd, q_out, qd_out)?;
    if model.joints.turn {
        advance_rotations::launch((joints, rows), trees(), follows(), x, q, qd, q_out, qd_out)?;
    }
    Ok(())
}
