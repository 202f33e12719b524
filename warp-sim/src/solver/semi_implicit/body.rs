//! Bodies under forces from outside and gravity.

use warp::math::{Transform, Twist, Wrench};
use warp::prelude::*;

use crate::Error;
use crate::model::record::NONE;
use crate::model::{Bodies, Model, State};
use crate::solver::integrate::{RigidBody, carried, moved};

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
    // What a joint holds is moved by that.
    if of.joint[i] != NONE {
        return;
    }
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

pub(in crate::solver) fn integrate(model: &Model, from: &State, to: &mut State, dt: f32) -> Result<(), Error> {
    let grid = model.worlds.bodies.grid();
    integrate_bodies::launch(
        grid,
        model.bodies_args(),
        &from.body_q,
        &from.body_qd,
        &from.body_f,
        &mut to.body_q,
        &mut to.body_qd,
        dt,
    )?;
    Ok(())
}
