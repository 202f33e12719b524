//! How heavy robots are along their joints: composite rigid bodies.

use warp::Array;
use warp::math::{Mat3, SpatialInertia, Vec3};
use warp::prelude::*;

use super::motion::{At, Motion, Scratch, find_motions};
use crate::Error;
use crate::model::record::Pair;
use crate::model::{Model, State};

/// Everything that hangs on a joint, as one body.
#[kernel]
fn compose(start: &[u32], subtree: &[u32], inertias: &[SpatialInertia], rows: u32, composites: &mut [SpatialInertia]) {
    let (joint, row) = tid2();
    let rows = rows as usize;
    // Places are told from the joint's own child, and not from a far origin.
    let near = inertias[joint * rows + row].com;
    let (mut mass, mut first) = (0.0, Vec3::ZERO);
    for k in start[joint]..start[joint + 1] {
        let part = inertias[subtree[k as usize] as usize * rows + row];
        mass += part.mass;
        first += part.mass * (part.com - near);
    }
    let com = near + if mass > 0.0 { first / mass } else { Vec3::ZERO };
    let mut inertia = Mat3::ZERO;
    for k in start[joint]..start[joint + 1] {
        let part = inertias[subtree[k as usize] as usize * rows + row];
        let r = part.com - com;
        let around = Mat3::from_diagonal(Vec3::splat(r.length_squared())) - r.outer(r);
        inertia = inertia + part.inertia + around * part.mass;
    }
    composites[joint * rows + row] = SpatialInertia { mass, com, inertia };
}

/// The momentum that the inner degree of freedom gives what hangs on it, along the outer one.
#[kernel]
fn fill_pairs(pairs: &[Pair], motions: &[Motion], composites: &[SpatialInertia], rows: u32, matrix: &mut [f32]) {
    let (number, row) = tid2();
    let rows = rows as usize;
    let pair = pairs[number];
    let body = composites[pair.joint as usize * rows + row];
    let (outer, inner) = (motions[pair.outer as usize * rows + row], motions[pair.inner as usize * rows + row]);
    let momentum = body.mass * (inner.linear + inner.angular.cross(body.com - inner.at));
    let spin = body.inertia * inner.angular;
    matrix[number * rows + row] =
        outer.linear.dot(momentum) + outer.angular.dot(spin + (body.com - outer.at).cross(momentum));
}

/// The entries of the mass matrix that are not zero by structure, pair by pair, without armature.
pub(crate) fn find_pairs(
    model: &Model,
    scratch: &Scratch,
    composites: &mut Array<SpatialInertia>,
    matrix: &mut Array<f32>,
) -> Result<(), Error> {
    let (rows, joints) = model.worlds.joints.grid();
    let pairs = model.joints.pairs.len();
    if pairs > 0 {
        let subtrees = &model.joints.subtrees;
        let (start, subtree, rows_number) = (&subtrees.start, &subtrees.entries, rows as u32);
        compose::launch((joints, rows), start, subtree, &scratch.inertias, rows_number, composites)?;
        let pair_list = &model.joints.pairs;
        fill_pairs::launch((pairs, rows), pair_list, &scratch.motions, composites, rows_number, matrix)?;
    }
    Ok(())
}

#[kernel]
fn spread_pairs(
    pairs: &[Pair],
    number_in_world: &[u32],
    world: &[u32],
    matrix: &[f32],
    armature: &[f32],
    armature_stride: u32,
    rows: u32,
    dofs: u32,
    mut out: ViewMut3<f32>,
) {
    let (number, row) = tid2();
    let pair = pairs[number];
    let (outer, inner) = (number_in_world[pair.outer as usize], number_in_world[pair.inner as usize]);
    let of = world[row * dofs as usize + pair.outer as usize] as usize;
    let mut value = matrix[number * rows as usize + row];
    if pair.outer == pair.inner {
        value += armature[row * armature_stride as usize + pair.outer as usize];
    } else {
        out[(of, inner as usize, outer as usize)] = value;
    }
    out[(of, outer as usize, inner as usize)] = value;
}

/// The mass matrix of the joints of each world, kg, kg m and kg m², with armature: an array of worlds by degrees of freedom by
/// degrees of freedom, symmetric, and padded with zeros where worlds have fewer than others.
///
/// Kinetic energy is half of `qdᵀ · M · qd`. Gradients go through. By composite rigid bodies (Featherstone, *Rigid Body
/// Dynamics Algorithms*, 2008, chapter 6).
pub fn mass_matrix(model: &Model, state: &State) -> Result<Array<f32, 3>, Error> {
    model.parameters_fit()?;
    model.fits(state)?;
    let mut scratch = Scratch::new(model)?;
    find_motions(model, &At::state(state), &mut scratch)?;
    let (rows, dofs) = model.worlds.dofs.grid();
    let pairs = &model.joints.pairs;
    let mut composites = Array::zeros(model.device(), model.joints())?;
    let mut matrix = Array::zeros(model.device(), pairs.len() * rows)?;
    find_pairs(model, &scratch, &mut composites, &mut matrix)?;
    let most = model.worlds.dofs.most();
    let mut out = Array::zeros(model.device(), [model.worlds(), most, most])?;
    spread_pairs::launch(
        (pairs.len(), rows),
        pairs,
        &model.joints.dof_number,
        &model.worlds.dof_world,
        &matrix,
        model.joint_armature.array(),
        model.joint_armature.stride(),
        rows as u32,
        dofs as u32,
        &mut out,
    )?;
    Ok(out)
}
