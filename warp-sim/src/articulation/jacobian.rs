//! How a point of a body moves with each degree of freedom.

use warp::Array;
use warp::math::{Transform, Twist, Vec3};
use warp::prelude::*;

use super::motion::{At, Motion, Scratch, find_motions, leads_over, velocity_of};
use crate::Error;
use crate::model::{BodyId, Model, State};

#[kernel]
fn fill_columns(
    of_dof: &[u32],
    path_start: &[u32],
    path: &[u32],
    motions: &[Motion],
    target: &[u32],
    target_body: &[u32],
    point: Vec3,
    number_in_world: &[u32],
    world: &[u32],
    body_q: &[Transform],
    rows: u32,
    dofs: u32,
    mut out: ViewMut2<Twist>,
) {
    let (dof, row) = tid2();
    let of = world[row * dofs as usize + dof] as usize;
    let joint = target[of];
    if leads_over(path_start, path, joint, of_dof[dof]) {
        let motion = motions[dof * rows as usize + row];
        let at = body_q[target_body[of] as usize].transform_point(point);
        let linear = velocity_of(motion, at);
        out[(of, number_in_world[dof] as usize)] = Twist { linear, angular: motion.angular };
    }
}

/// The Jacobian of a point of a body, given in its link frame, in each world: how fast the point moves, and the body turns, at a
/// unit speed of each degree of freedom, along the world's axes. An array of worlds by degrees of freedom, padded with zeros
/// where worlds have fewer than others.
///
/// The sum of its entries times `joint_qd` is the velocity of the point; the sum of an entry's [`Twist::dot`] with a wrench at
/// the point is the effort that the wrench makes along that degree of freedom. The bodies have to be where the coordinates say
/// ([`forward_kinematics`](super::forward_kinematics)). Gradients go through. Where no joint holds the body, all is zero.
pub fn jacobian(model: &Model, state: &State, body: BodyId, point: Vec3) -> Result<Array<Twist, 2>, Error> {
    model.parameters_fit()?;
    model.fits(state)?;
    let mut joints = Vec::with_capacity(model.worlds());
    let mut bodies = Vec::with_capacity(model.worlds());
    for world in 0..model.worlds() {
        bodies.push(model.body_at(world, body)? as u32);
        joints.push(model.joint_in_row(world, body));
    }
    let target = Array::from_vec(model.device(), joints)?;
    let target_body = Array::from_vec(model.device(), bodies)?;
    let mut scratch = Scratch::new(model)?;
    find_motions(model, &At::state(state), &mut scratch)?;
    let (rows, dofs) = model.worlds.dofs.grid();
    let most = model.worlds.dofs.most();
    let mut out = Array::zeros(model.device(), [model.worlds(), most])?;
    fill_columns::launch(
        (dofs, rows),
        &model.joints.of_dof,
        &model.joints.paths.start,
        &model.joints.paths.entries,
        &scratch.motions,
        &target,
        &target_body,
        point,
        &model.joints.dof_number,
        &model.worlds.dof_world,
        &state.body_q,
        rows as u32,
        dofs as u32,
        &mut out,
    )?;
    Ok(out)
}
