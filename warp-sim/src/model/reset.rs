//! Puts worlds back to their start.

use warp::math::{Transform, Twist, Vec3, Wrench};
use warp::prelude::*;

use super::record::NONE;
use super::{Model, State};
use crate::Error;
use crate::articulation::place_bodies;

#[kernel]
fn reset_bodies(
    mask: &[bool],
    world: &[u32],
    q_start: &[Transform],
    q_stride: u32,
    qd_start: &[Twist],
    qd_stride: u32,
    q: &mut [Transform],
    qd: &mut [Twist],
    f: &mut [Wrench],
    row_length: u32,
) {
    let (row, i) = tid2();
    let body = row * row_length as usize + i;
    if mask[world[body] as usize] {
        q[body] = q_start[row * q_stride as usize + i];
        qd[body] = qd_start[row * qd_stride as usize + i];
        f[body] = Wrench::ZERO;
    }
}

#[kernel]
fn reset_particles(
    mask: &[bool],
    world: &[u32],
    q_start: &[Vec3],
    q_stride: u32,
    qd_start: &[Vec3],
    qd_stride: u32,
    q: &mut [Vec3],
    qd: &mut [Vec3],
    f: &mut [Vec3],
    row_length: u32,
) {
    let (row, i) = tid2();
    let particle = row * row_length as usize + i;
    if mask[world[particle] as usize] {
        q[particle] = q_start[row * q_stride as usize + i];
        qd[particle] = qd_start[row * qd_stride as usize + i];
        f[particle] = Vec3::ZERO;
    }
}

#[kernel]
fn take_places(
    mask: &[bool],
    world: &[u32],
    joint: &[u32],
    q_start: &[Transform],
    qd_start: &[Twist],
    q: &mut [Transform],
    qd: &mut [Twist],
    row_length: u32,
) {
    let (row, i) = tid2();
    let body = row * row_length as usize + i;
    if joint[i] != NONE && mask[world[body] as usize] {
        q[body] = q_start[body];
        qd[body] = qd_start[body];
    }
}

#[kernel]
fn reset_numbers(mask: &[bool], world: &[u32], start: &[f32], stride: u32, row_length: u32, values: &mut [f32]) {
    let (row, i) = tid2();
    let at = row * row_length as usize + i;
    if mask[world[at] as usize] {
        values[at] = start[row * stride as usize + i];
    }
}

impl Model {
    /// Puts the worlds whose entry of `mask` is true back to the start ([`body_q_start`](Model::body_q_start) and its
    /// like), without forces, and leaves all others as they are. The mask has an entry for each world. What the last step said
    /// of springs, [`spring_f`](State::spring_f), stays until the next one.
    pub fn reset(&self, state: &mut State, mask: &Array<bool>) -> Result<(), Error> {
        self.parameters_fit()?;
        self.fits(state)?;
        if mask.len() != self.worlds() {
            let (expected, found) = (self.worlds(), mask.len());
            return Err(Error::OtherModel { what: "the mask", unit: "worlds", expected, found });
        }
        let (q, qd) = (&self.body_q_start, &self.body_qd_start);
        let grid = self.worlds.bodies.grid();
        reset_bodies::launch(
            grid,
            mask,
            &self.worlds.body_world,
            q.array(),
            q.stride(),
            qd.array(),
            qd.stride(),
            &mut state.body_q,
            &mut state.body_qd,
            &mut state.body_f,
            grid.1 as u32,
        )?;
        let (q, qd) = (&self.particle_q_start, &self.particle_qd_start);
        let grid = self.worlds.particles.grid();
        reset_particles::launch(
            grid,
            mask,
            &self.worlds.particle_world,
            q.array(),
            q.stride(),
            qd.array(),
            qd.stride(),
            &mut state.particle_q,
            &mut state.particle_qd,
            &mut state.particle_f,
            grid.1 as u32,
        )?;
        let (q, qd) = (&self.joint_q_start, &self.joint_qd_start);
        let grid = self.worlds.coordinates.grid();
        let world = &self.worlds.coordinate_world;
        reset_numbers::launch(grid, mask, world, q.array(), q.stride(), grid.1 as u32, &mut state.joint_q)?;
        let grid = self.worlds.dofs.grid();
        let world = &self.worlds.dof_world;
        reset_numbers::launch(grid, mask, world, qd.array(), qd.stride(), grid.1 as u32, &mut state.joint_qd)?;
        self.place_reset(state, mask)
    }

    /// Puts the bodies of joints of the worlds that were reset where their coordinates say.
    fn place_reset(&self, state: &mut State, mask: &Array<bool>) -> Result<(), Error> {
        if self.joints() == 0 {
            return Ok(());
        }
        let (mut q, mut qd) = (Array::zeros(&self.device, self.bodies())?, Array::zeros(&self.device, self.bodies())?);
        place_bodies(self, &state.joint_q, &state.joint_qd, &mut q, &mut qd)?;
        let grid = self.worlds.bodies.grid();
        take_places::launch(
            grid,
            mask,
            &self.worlds.body_world,
            &self.joints.of_body,
            &q,
            &qd,
            &mut state.body_q,
            &mut state.body_qd,
            grid.1 as u32,
        )?;
        Ok(())
    }
}
