//! How far bodies are from where they should be, and how that changes with each degree of freedom.

use warp::Array;
use warp::math::{Transform, Vec3};
use warp::prelude::*;

use crate::Error;
use crate::articulation::motion::{leads_over, velocity_of};
use crate::articulation::{Motion, Scratch};
use crate::model::Model;

/// What should be somewhere.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(super) struct Target {
    /// The joint of the body, or none.
    pub joint: u32,
    pub body: u32,
    /// Whether it is about how the body is turned.
    pub turns: bool,
    pub weight: f32,
    pub point: Vec3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TargetKind {
    Position,
    Orientation,
}

#[kernel(no_adjoint)]
fn find_misses(
    targets: &[Target],
    goals: &[Transform],
    body_q: &[Transform],
    bodies: u32,
    rows: u32,
    residuals: &mut [f32],
) {
    let (number, row) = tid2();
    let rows = rows as usize;
    let target = targets[number];
    let pose = body_q[row * bodies as usize + target.body as usize];
    let goal = goals[number * rows + row];
    let miss = if target.turns {
        let turn = goal.q * pose.q.conjugate();
        let shortest = if turn.w < 0.0 { -turn } else { turn };
        shortest.to_scaled_axis()
    } else {
        goal.p - pose.transform_point(target.point)
    };
    let first = 3 * number * rows + row;
    residuals[first] = target.weight * miss.x;
    residuals[first + rows] = target.weight * miss.y;
    residuals[first + 2 * rows] = target.weight * miss.z;
}

pub(super) fn misses(
    model: &Model,
    targets: &Array<Target>,
    goals: &Array<Transform>,
    body_q: &Array<Transform>,
    residuals: &mut Array<f32>,
) -> Result<(), Error> {
    let rows = model.worlds.joints.grid().0;
    let bodies = model.worlds.bodies.grid().1 as u32;
    find_misses::launch((targets.len(), rows), targets, goals, body_q, bodies, rows as u32, residuals)?;
    Ok(())
}

#[kernel(no_adjoint)]
fn fill_columns(
    targets: &[Target],
    of_dof: &[u32],
    path_start: &[u32],
    path: &[u32],
    motions: &[Motion],
    body_q: &[Transform],
    bodies: u32,
    rows: u32,
    dofs: u32,
    jacobian: &mut [f32],
) {
    let (number, dof, row) = tid3();
    let rows = rows as usize;
    let target = targets[number];
    let motion = motions[dof * rows + row];
    let at = body_q[row * bodies as usize + target.body as usize].transform_point(target.point);
    let mut column = Vec3::ZERO;
    if leads_over(path_start, path, target.joint, of_dof[dof]) {
        column = target.weight * if target.turns { motion.angular } else { velocity_of(motion, at) };
    }
    let first = 3 * number * dofs as usize + dof;
    jacobian[first * rows + row] = column.x;
    jacobian[(first + dofs as usize) * rows + row] = column.y;
    jacobian[(first + 2 * dofs as usize) * rows + row] = column.z;
}

pub(super) fn columns(
    model: &Model,
    targets: &Array<Target>,
    body_q: &Array<Transform>,
    scratch: &Scratch,
    jacobian: &mut Array<f32>,
) -> Result<(), Error> {
    let (rows, dofs) = model.worlds.dofs.grid();
    fill_columns::launch(
        (targets.len(), dofs, rows),
        targets,
        &model.joints.of_dof,
        &model.joints.paths.start,
        &model.joints.paths.entries,
        &scratch.motions,
        body_q,
        model.worlds.bodies.grid().1 as u32,
        rows as u32,
        dofs as u32,
        jacobian,
    )?;
    Ok(())
}
