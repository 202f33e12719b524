//! Particles under springs, forces from outside and gravity.

use warp::math::Vec3;
use warp::prelude::*;

use crate::Error;
use crate::model::{Model, State};

#[derive(Args)]
struct Particles<'a> {
    mass: &'a [f32],
    gravity: &'a [Vec3],
    world: &'a [u32],
    /// Where the springs of each particle of a row are in `spring_ends`.
    spring_start: &'a [u32],
    spring_ends: &'a [u32],
    spring_force: &'a [Vec3],
    mass_stride: u32,
    particles: u32,
    springs: u32,
}

/// What all springs pull at a particle, in their order.
#[func]
fn spring_pull(of: &Particles, row: usize, i: usize) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for k in of.spring_start[i]..of.spring_start[i + 1] {
        let end = of.spring_ends[k as usize];
        let force = of.spring_force[row * of.springs as usize + (end >> 1) as usize];
        sum += if end & 1 == 0 { force } else { -force };
    }
    sum
}

#[kernel]
fn integrate_particles(
    of: Particles,
    q: &[Vec3],
    qd: &[Vec3],
    f: &[Vec3],
    q_out: &mut [Vec3],
    qd_out: &mut [Vec3],
    dt: f32,
) {
    let (row, i) = tid2();
    let at = row * of.particles as usize + i;
    let mass = of.mass[row * of.mass_stride as usize + i];
    let mut v = qd[at];
    if mass > 0.0 {
        let pull = f[at] + spring_pull(&of, row, i);
        v += dt * (pull / mass + of.gravity[of.world[at] as usize]);
    }
    q_out[at] = q[at] + dt * v;
    qd_out[at] = v;
}

pub(in crate::solver) fn integrate(model: &Model, from: &State, to: &mut State, dt: f32) -> Result<(), Error> {
    let grid = model.worlds.particles.grid();
    let particles = ParticlesArrays {
        mass: model.particle_mass.array(),
        gravity: &model.gravity,
        world: &model.worlds.particle_world,
        spring_start: &model.adjacency.start,
        spring_ends: &model.adjacency.ends,
        spring_force: &to.spring_f,
        mass_stride: model.particle_mass.stride(),
        particles: grid.1 as u32,
        springs: model.worlds.springs.grid().1 as u32,
    };
    integrate_particles::launch(
        grid,
        particles,
        &from.particle_q,
        &from.particle_qd,
        &from.particle_f,
        &mut to.particle_q,
        &mut to.particle_qd,
        dt,
    )?;
    Ok(())
}
