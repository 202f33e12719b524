//! Puts worlds back to their start.

use warp::math::{Transform, Twist, Vec3, Wrench};
use warp::prelude::*;

use super::{Model, State};
use crate::Error;

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

impl Model {
    /// Puts the worlds whose entry of `mask` is true back to the start ([`body_q_start`](Model::body_q_start) and its
    /// like), without forces, and leaves all others as they are. The mask has an entry for each world. What the last step said
    /// of springs, [`spring_f`](State::spring_f), stays until the next one.
    pub fn reset(&self, state: &mut State, mask: &Array<bool>) -> Result<(), Error> {
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
        Ok(())
    }

    /// Whether a state was made for a model of this size, and the parameters still have theirs.
    pub(crate) fn fits(&self, state: &State) -> Result<(), Error> {
        self.parameters_fit()?;
        let fit = |unit, expected, found| {
            (expected == found).then_some(()).ok_or(Error::OtherModel { what: "the state", unit, expected, found })
        };
        fit("bodies", self.bodies(), state.body_q.len())?;
        fit("bodies", self.bodies(), state.body_qd.len())?;
        fit("bodies", self.bodies(), state.body_f.len())?;
        fit("particles", self.particles(), state.particle_q.len())?;
        fit("particles", self.particles(), state.particle_qd.len())?;
        fit("particles", self.particles(), state.particle_f.len())?;
        fit("springs", self.springs(), state.spring_f.len())
    }

    /// Whether parameters still have the lengths that they were made with.
    fn parameters_fit(&self) -> Result<(), Error> {
        if self.gravity.len() != self.worlds() {
            let (expected, found) = (self.worlds(), self.gravity.len());
            return Err(Error::OtherModel { what: "gravity", unit: "worlds", expected, found });
        }
        self.body_mass.fits("body_mass")?;
        self.body_com.fits("body_com")?;
        self.body_inertia.fits("body_inertia")?;
        self.body_gravity_scale.fits("body_gravity_scale")?;
        self.body_q_start.fits("body_q_start")?;
        self.body_qd_start.fits("body_qd_start")?;
        self.particle_mass.fits("particle_mass")?;
        self.particle_radius.fits("particle_radius")?;
        self.particle_q_start.fits("particle_q_start")?;
        self.particle_qd_start.fits("particle_qd_start")?;
        self.spring_rest.fits("spring_rest")?;
        self.spring_ke.fits("spring_ke")?;
        self.spring_kd.fits("spring_kd")
    }

    /// Looks for numbers that are not finite, and names the first. It waits for the state.
    pub fn check(&self, state: &State) -> Result<(), Error> {
        self.fits(state)?;
        let bad = state.body_q.to_vec()?.iter().position(|q| !(q.p.is_finite() && q.q.is_finite()));
        self.tell_body("body_q", bad)?;
        let bad = state.body_qd.to_vec()?.iter().position(|v| !(v.linear.is_finite() && v.angular.is_finite()));
        self.tell_body("body_qd", bad)?;
        let bad = state.particle_q.to_vec()?.iter().position(|x| !x.is_finite());
        self.tell_particle("particle_q", bad)?;
        let bad = state.particle_qd.to_vec()?.iter().position(|v| !v.is_finite());
        self.tell_particle("particle_qd", bad)
    }

    fn tell_body(&self, what: &'static str, bad: Option<usize>) -> Result<(), Error> {
        let Some(bad) = bad else { return Ok(()) };
        let (world, number) = self.worlds.bodies.find(bad);
        Err(self.not_finite(what, world, self.worlds.kind(world).bodies.call("body", number)))
    }

    fn tell_particle(&self, what: &'static str, bad: Option<usize>) -> Result<(), Error> {
        let Some(bad) = bad else { return Ok(()) };
        let (world, number) = self.worlds.particles.find(bad);
        Err(self.not_finite(what, world, self.worlds.kind(world).particles.call("particle", number)))
    }

    fn not_finite(&self, what: &'static str, world: usize, label: String) -> Error {
        Error::NotFinite { what, label, world: (self.worlds() > 1).then_some(world) }
    }
}
