//! What changes from step to step.

use warp::Array;
use warp::math::{Transform, Twist, Vec3, Wrench};

use super::Model;
use crate::Error;

/// Where everything is and how it moves, at one moment, and what pulls at it.
///
/// A solver reads one state and writes another, so a tape that records steps needs no copies beyond the states. Forces are
/// inputs: they stay as they are set, and a step reads those of the state that it starts from.
#[derive(Debug)]
pub struct State {
    /// Pose of bodies: link frame in the world, m.
    pub body_q: Array<Transform>,
    /// Velocity of bodies: of the centre of mass, along the world's axes, m/s and rad/s.
    pub body_qd: Array<Twist>,
    /// Force and torque from outside on bodies, the torque about the centre of mass, along the world's axes, N and N m.
    pub body_f: Array<Wrench>,
    /// Position of particles, m.
    pub particle_q: Array<Vec3>,
    /// Velocity of particles, m/s.
    pub particle_qd: Array<Vec3>,
    /// Force from outside on particles, N.
    pub particle_f: Array<Vec3>,
    /// Force with which each spring pulled at its first particle in the step that led here, N; at its second the opposite.
    pub spring_f: Array<Vec3>,
    /// Coordinates of joints, m and rad; quaternions as x, y, z, w.
    pub joint_q: Array<f32>,
    /// Speed of each degree of freedom of joints, m/s and rad/s.
    pub joint_qd: Array<f32>,
}

impl Model {
    /// The state at the start, [`body_q_start`](Model::body_q_start) and its like, without forces. A tape that records it
    /// brings gradients back to these.
    pub fn state(&self) -> Result<State, Error> {
        let (on, bodies, particles) = (&self.device, self.bodies(), self.particles());
        let mut state = State {
            body_q: Array::zeros(on, bodies)?,
            body_qd: Array::zeros(on, bodies)?,
            body_f: Array::zeros(on, bodies)?,
            particle_q: Array::zeros(on, particles)?,
            particle_qd: Array::zeros(on, particles)?,
            particle_f: Array::zeros(on, particles)?,
            spring_f: Array::zeros(on, self.springs())?,
            joint_q: Array::zeros(on, self.coordinates())?,
            joint_qd: Array::zeros(on, self.dofs())?,
        };
        self.reset(&mut state, &Array::full(on, self.worlds(), true)?)?;
        Ok(state)
    }
}

impl State {
    /// Takes all forces from outside away.
    pub fn clear_forces(&mut self) -> Result<(), Error> {
        self.body_f.fill(Wrench::ZERO)?;
        self.particle_f.fill(Vec3::ZERO)?;
        Ok(())
    }

    /// A state of its own with the same values.
    pub fn try_clone(&self) -> Result<State, Error> {
        Ok(State {
            body_q: self.body_q.try_clone()?,
            body_qd: self.body_qd.try_clone()?,
            body_f: self.body_f.try_clone()?,
            particle_q: self.particle_q.try_clone()?,
            particle_qd: self.particle_qd.try_clone()?,
            particle_f: self.particle_f.try_clone()?,
            spring_f: self.spring_f.try_clone()?,
            joint_q: self.joint_q.try_clone()?,
            joint_qd: self.joint_qd.try_clone()?,
        })
    }
}
