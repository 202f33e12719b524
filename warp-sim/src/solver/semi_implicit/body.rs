//! Bodies under forces from outside and gravity.

use warp::math::{Mat3, Transform, Twist, Vec3, Wrench};
use warp::prelude::*;

use crate::Error;
use crate::model::{Model, State};
use crate::solver::integrate::{RigidBody, carried, moved};

#[derive(Args)]
struct Bodies<'a> {
    mass: &'a [f32],
    com: &'a [Vec3],
    inertia: &'a [Mat3],
    gravity_scale: &'a [f32],
    kinematic: &'a [u32],
    gravity: &'a [Vec3],
    world: &'a [u32],
    strides: Strides,
}

/// How far apart the parameters of neighbouring worlds are, and their bodies.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Strides {
    mass: u32,
    com: u32,
    inertia: u32,
    gravity_scale: u32,
    kinematic: u32,
    bodies: u32,
}

#[kernel]
fn integrate_bodies(
    of: Bodies,
    q: &[Transform],
    qd: &[Twist],
    f: &[Wrench],
    q_out: &mut [Transform],
    qd_out: &mut [Twist],
    dt: f32,
) {
    let (row, i) = tid2();
    let s = of.strides;
    let at = row * s.bodies as usize + i;
    let body = RigidBody {
        q: q[at],
        qd: qd[at],
        mass: of.mass[row * s.mass as usize + i],
        com: of.com[row * s.com as usize + i],
        inertia: of.inertia[row * s.inertia as usize + i],
    };
    let after = if of.kinematic[row * s.kinematic as usize + i] == 0 {
        let pull = of.gravity[of.world[at] as usize] * of.gravity_scale[row * s.gravity_scale as usize + i];
        moved(body, f[at], pull, dt)
    } else {
        carried(body, dt)
    };
    q_out[at] = after.q;
    qd_out[at] = after.qd;
}

pub(super) fn integrate(model: &Model, from: &State, to: &mut State, dt: f32) -> Result<(), Error> {
    let grid = model.worlds.bodies.grid();
    let bodies = BodiesArrays {
        mass: model.body_mass.array(),
        com: model.body_com.array(),
        inertia: model.body_inertia.array(),
        gravity_scale: model.body_gravity_scale.array(),
        kinematic: model.body_kinematic.array(),
        gravity: &model.gravity,
        world: &model.worlds.body_world,
        strides: Strides {
            mass: model.body_mass.stride(),
            com: model.body_com.stride(),
            inertia: model.body_inertia.stride(),
            gravity_scale: model.body_gravity_scale.stride(),
            kinematic: model.body_kinematic.stride(),
            bodies: grid.1 as u32,
        },
    };
    integrate_bodies::launch(
        grid,
        bodies,
        &from.body_q,
        &from.body_qd,
        &from.body_f,
        &mut to.body_q,
        &mut to.body_qd,
        dt,
    )?;
    Ok(())
}
