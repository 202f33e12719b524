//! Energy of each world, with gradients.

use warp::Array;
use warp::math::{Mat3, Transform, Twist};
use warp::prelude::*;

use crate::Error;
use crate::model::{Bodies, Model, State};

/// Energy of the bodies and joints of a world, J.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
pub struct Energy {
    /// Of motion, with that of the rotors that armature means.
    pub kinetic: f32,
    /// In the field of gravity, zero at the world's origin.
    pub potential: f32,
    /// In the springs of joints with one coordinate a degree of freedom.
    pub elastic: f32,
}

/// The joints' share.
#[derive(Args)]
struct Springs<'a> {
    armature: &'a [f32],
    stiffness: &'a [f32],
    rest: &'a [f32],
    /// The coordinate of each degree of freedom of a row, or none.
    coordinate: &'a [u32],
    strides: SpringStrides,
}

#[derive(Clone, Copy, Debug, Struct)]
#[repr(C)]
struct SpringStrides {
    armature: u32,
    stiffness: u32,
    rest: u32,
    coordinates: u32,
    dofs: u32,
    /// Whether each row is a world.
    alike: bool,
}

#[kernel]
fn add_up(
    bodies: Bodies,
    springs: Springs,
    body_start: &[u32],
    dof_start: &[u32],
    body_q: &[Transform],
    body_qd: &[Twist],
    q: &[f32],
    qd: &[f32],
    energy: &mut [Energy],
) {
    let world = tid();
    let s = bodies.strides;
    let (mut kinetic, mut potential, mut elastic) = (0.0, 0.0, 0.0);
    for body in body_start[world]..body_start[world + 1] {
        let body = body as usize;
        let (row, i) = if springs.strides.alike { (world, body - world * s.bodies as usize) } else { (0, body) };
        if bodies.kinematic[row * s.kinematic as usize + i] == 0 {
            let mass = bodies.mass[row * s.mass as usize + i];
            let (pose, twist) = (body_q[body], body_qd[body]);
            let turn = Mat3::from_quat(pose.q);
            let spin = turn.transpose() * twist.angular;
            kinetic += 0.5 * mass * twist.linear.length_squared()
                + 0.5 * spin.dot(bodies.inertia[row * s.inertia as usize + i] * spin);
            let pull = bodies.gravity[world] * bodies.gravity_scale[row * s.gravity_scale as usize + i];
            potential -= mass * pull.dot(pose.transform_point(bodies.com[row * s.com as usize + i]));
        }
    }
    let of = springs.strides;
    for dof in dof_start[world]..dof_start[world + 1] {
        let dof = dof as usize;
        let (row, i) = if of.alike { (world, dof - world * of.dofs as usize) } else { (0, dof) };
        kinetic += 0.5 * springs.armature[row * of.armature as usize + i] * qd[dof] * qd[dof];
        let coordinate = springs.coordinate[i];
        if coordinate != u32::MAX {
            let stretch = q[row * of.coordinates as usize + coordinate as usize]
                - springs.rest[row * of.rest as usize + coordinate as usize];
            elastic += 0.5 * springs.stiffness[row * of.stiffness as usize + i] * stretch * stretch;
        }
    }
    energy[world] = Energy { kinetic, potential, elastic };
}

/// The energy of bodies and joints of each world, on the device and with gradients. Kinematic bodies do not count, nor do
/// particles; [`Model::measure`] has all, in double precision, without gradients.
pub fn energy(model: &Model, state: &State) -> Result<Array<Energy>, Error> {
    model.parameters_fit()?;
    model.fits(state)?;
    let mut energy = Array::zeros(model.device(), model.worlds())?;
    let (armature, stiffness, rest) = (&model.joint_armature, &model.joint_stiffness, &model.joint_rest);
    let springs = SpringsArrays {
        armature: armature.array(),
        stiffness: stiffness.array(),
        rest: rest.array(),
        coordinate: &model.joints.coordinate,
        strides: SpringStrides {
            armature: armature.stride(),
            stiffness: stiffness.stride(),
            rest: rest.stride(),
            coordinates: model.worlds.coordinates.grid().1 as u32,
            dofs: model.worlds.dofs.grid().1 as u32,
            alike: model.worlds.bodies.is_alike(),
        },
    };
    add_up::launch(
        model.worlds(),
        model.bodies_args(),
        springs,
        &model.worlds.body_start,
        &model.worlds.dof_start,
        &state.body_q,
        &state.body_qd,
        &state.joint_q,
        &state.joint_qd,
        &mut energy,
    )?;
    Ok(energy)
}
