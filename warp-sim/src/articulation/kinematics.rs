//! From joint coordinates to bodies.

use warp::Array;
use warp::math::{Transform, Twist};
use warp::prelude::*;

use super::walk::{Trees, fixed_to, starts, walked};
use crate::Error;
use crate::model::{Model, State};

#[kernel]
fn place(of: Trees, q: &[f32], qd: &[f32], bodies: u32, body_q: &mut [Transform], body_qd: &mut [Twist]) {
    let (joint, row) = tid2();
    place_child(&of, row, row, joint, q, qd, bodies, body_q, body_qd);
}

/// The same where all rows share all parameters: what is the same in all lanes is read once.
#[kernel]
fn place_alike(of: Trees, q: &[f32], qd: &[f32], bodies: u32, body_q: &mut [Transform], body_qd: &mut [Twist]) {
    let (joint, row) = tid2();
    place_child(&of, row, 0, joint, q, qd, bodies, body_q, body_qd);
}

/// `own` is the row whose parameters count.
#[func]
fn place_child(
    of: &Trees,
    row: usize,
    own: usize,
    joint: usize,
    q: &[f32],
    qd: &[f32],
    bodies: u32,
    body_q: &mut [Transform],
    body_qd: &mut [Twist],
) {
    let frame = walked(of, own, joint, 0, q, qd, qd, starts(of, row, false));
    let number = of.records[joint].body as usize;
    let body = row * bodies as usize + number;
    let com = of.com[own * of.strides.com as usize + number];
    body_q[body] = frame.pose;
    body_qd[body] = fixed_to(frame, Transform::from_translation(com)).velocity;
}

/// Puts bodies where the coordinates of their joints say, with the velocities that follow: `joint_q` and `joint_qd` of a state
/// give its `body_q` and `body_qd`. Bodies that no joint holds stay as they are. Gradients go through.
///
/// Solvers do that by themselves; a program calls it after it has changed coordinates.
pub fn forward_kinematics(model: &Model, state: &mut State) -> Result<(), Error> {
    model.parameters_fit()?;
    model.fits(state)?;
    place_bodies(model, &state.joint_q, &state.joint_qd, &mut state.body_q, &mut state.body_qd)
}

pub(crate) fn place_bodies(
    model: &Model,
    joint_q: &Array<f32>,
    joint_qd: &Array<f32>,
    body_q: &mut Array<Transform>,
    body_qd: &mut Array<Twist>,
) -> Result<(), Error> {
    let (rows, joints) = model.worlds.joints.grid();
    if joints > 0 {
        let bodies = model.worlds.bodies.grid().1 as u32;
        let (grid, trees) = ((joints, rows), model.trees_args());
        match trees.strides.are_shared() || rows == 1 {
            true => place_alike::launch(grid, trees, joint_q, joint_qd, bodies, body_q, body_qd)?,
            false => place::launch(grid, trees, joint_q, joint_qd, bodies, body_q, body_qd)?,
        }
    }
    Ok(())
}
