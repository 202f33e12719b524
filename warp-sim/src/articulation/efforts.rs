//! What joints have to do.

use warp::Array;
use warp::math::{SpatialInertia, Vec3, Wrench};
use warp::prelude::*;

use super::motion::{At, Motion, Scratch, find_motions};
use crate::Error;
use crate::model::{Model, State};

/// How the numbers of degrees of freedom lie in an array: how far apart those of neighbouring rows are, and those of
/// neighbouring degrees of freedom.
#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
pub(crate) struct DofStrides {
    pub row: u32,
    pub dof: u32,
}

impl DofStrides {
    /// As states have them: row by row.
    pub fn of_states(model: &Model) -> DofStrides {
        DofStrides { row: model.worlds.dofs.grid().1 as u32, dof: 1 }
    }

    /// As scratch has them: one degree of freedom after the other.
    pub fn of_scratch(model: &Model) -> DofStrides {
        DofStrides { row: 1, dof: model.worlds.dofs.grid().0 as u32 }
    }
}

#[kernel]
fn gather_efforts(
    of_dof: &[u32],
    start: &[u32],
    subtree: &[u32],
    motions: &[Motion],
    inertias: &[SpatialInertia],
    wrenches: &[Wrench],
    rows: u32,
    strides: DofStrides,
    efforts: &mut [f32],
) {
    let (dof, row) = tid2();
    let rows = rows as usize;
    let motion = motions[dof * rows + row];
    let joint = of_dof[dof] as usize;
    let (mut force, mut torque) = (Vec3::ZERO, Vec3::ZERO);
    for k in start[joint]..start[joint + 1] {
        let hanging = subtree[k as usize] as usize * rows + row;
        let wrench = wrenches[hanging];
        force += wrench.force;
        torque += wrench.torque + (inertias[hanging].com - motion.at).cross(wrench.force);
    }
    efforts[row * strides.row as usize + dof * strides.dof as usize] =
        motion.linear.dot(force) + motion.angular.dot(torque);
}

/// What the bodies' wrenches in the scratch ask of each degree of freedom.
pub(crate) fn find_efforts(
    model: &Model,
    scratch: &Scratch,
    strides: DofStrides,
    efforts: &mut Array<f32>,
) -> Result<(), Error> {
    let (rows, dofs) = model.worlds.dofs.grid();
    if dofs > 0 {
        let joints = &model.joints;
        gather_efforts::launch(
            (dofs, rows),
            &joints.of_dof,
            &joints.subtrees.start,
            &joints.subtrees.entries,
            &scratch.motions,
            &scratch.inertias,
            &scratch.wrenches,
            rows as u32,
            strides,
            efforts,
        )?;
    }
    Ok(())
}

#[kernel]
fn add_armature(armature: &[f32], stride: u32, dofs: u32, qdd: &[f32], efforts: &mut [f32]) {
    let (row, dof) = tid2();
    let at = row * dofs as usize + dof;
    efforts[at] += armature[row * stride as usize + dof] * qdd[at];
}

/// The effort along each degree of freedom (N, N m) that makes joints accelerate by `qdd` (m/s², rad/s²) from a state, against
/// gravity and the forces from outside of that state. Drives, springs, damping, friction and limits are not counted: it is
/// what all of these have to add up to.
///
/// `qdd` and the result are laid out as [`State::joint_qd`]; an array of another length is an error. Gradients go through.
/// The sums are those of the recursive Newton-Euler algorithm (Featherstone, *Rigid Body Dynamics Algorithms*, 2008, chapter 5),
/// written as one sum over bodies for each degree of freedom.
pub fn inverse_dynamics(model: &Model, state: &State, qdd: &Array<f32>) -> Result<Array<f32>, Error> {
    if qdd.len() != model.dofs() {
        let (expected, found) = (model.dofs(), qdd.len());
        return Err(Error::OtherModel { what: "qdd", unit: "degrees of freedom", expected, found });
    }
    let mut efforts = efforts_at(model, state, &At { qdd: Some(qdd), ..At::state(state) })?;
    let armature = &model.joint_armature;
    let (rows, dofs) = model.worlds.dofs.grid();
    add_armature::launch((rows, dofs), armature.array(), armature.stride(), dofs as u32, qdd, &mut efforts)?;
    Ok(efforts)
}

/// The effort along each degree of freedom that keeps its speed: what gravity, forces from outside and the motion itself ask
/// for, N and N m. `mass_matrix · qdd + bias` is [`inverse_dynamics`].
pub fn bias(model: &Model, state: &State) -> Result<Array<f32>, Error> {
    efforts_at(model, state, &At::state(state))
}

/// The effort along each degree of freedom that holds a robot still against gravity alone, N and N m.
pub fn gravity_effort(model: &Model, state: &State) -> Result<Array<f32>, Error> {
    let still = Array::zeros(model.device(), model.dofs())?;
    efforts_at(model, state, &At { qd: &still, outside: None, ..At::state(state) })
}

fn efforts_at(model: &Model, state: &State, at: &At<'_>) -> Result<Array<f32>, Error> {
    model.parameters_fit()?;
    model.fits(state)?;
    let mut scratch = Scratch::new(model)?;
    find_motions(model, at, &mut scratch)?;
    let mut efforts = Array::zeros(model.device(), model.dofs())?;
    find_efforts(model, &scratch, DofStrides::of_states(model), &mut efforts)?;
    Ok(efforts)
}
