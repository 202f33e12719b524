//! Energy and momentum of a state.

use warp::math::{DMat3, DQuat, DVec3};

use super::{Model, State};
use crate::Error;

/// Energy and momentum of one world, in double precision: what a program looks at to see whether a simulation drifts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// Of bodies and particles, J.
    pub kinetic: f64,
    /// In the field of gravity, zero at the world's origin, J.
    pub potential: f64,
    /// In springs, J.
    pub elastic: f64,
    /// Momentum, N s.
    pub momentum: DVec3,
    /// Angular momentum about the world's origin, N m s.
    pub angular_momentum: DVec3,
}

impl Measures {
    /// Kinetic, potential and elastic energy together, J.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

impl Model {
    /// Energy and momentum of each world. Computed by the host, which waits for the state; kinematic bodies and held
    /// particles do not count.
    pub fn measure(&self, state: &State) -> Result<Vec<Measures>, Error> {
        self.parameters_fit()?;
        self.fits(state)?;
        let gravity = self.gravity.to_vec()?;
        let mut all: Vec<Measures> = gravity.iter().map(|_| Measures::NOTHING).collect();
        self.measure_bodies(state, &gravity, &mut all)?;
        self.measure_particles(state, &gravity, &mut all)?;
        Ok(all)
    }

    fn measure_bodies(&self, state: &State, gravity: &[warp::Vec3], all: &mut [Measures]) -> Result<(), Error> {
        let (q, qd) = (state.body_q.to_vec()?, state.body_qd.to_vec()?);
        let (mass, com) = (self.body_mass.array().to_vec()?, self.body_com.array().to_vec()?);
        let (inertia, scale) = (self.body_inertia.array().to_vec()?, self.body_gravity_scale.array().to_vec()?);
        let kinematic = self.body_kinematic.array().to_vec()?;
        for (world, sum) in all.iter_mut().enumerate() {
            for (number, body) in self.worlds.bodies.of(world).enumerate() {
                if kinematic[self.body_kinematic.index(number, body)] != 0 {
                    continue;
                }
                let mass = f64::from(mass[self.body_mass.index(number, body)]);
                let turn = DQuat::from_array(q[body].q.to_array().map(f64::from)).normalize();
                let com = q[body].p.as_dvec3() + turn * com[self.body_com.index(number, body)].as_dvec3();
                let inertia = inertia[self.body_inertia.index(number, body)].as_dmat3();
                let turn = DMat3::from_quat(turn);
                let (v, w) = (qd[body].linear.as_dvec3(), qd[body].angular.as_dvec3());
                let spin = turn * (inertia * (turn.transpose() * w));
                let pull = gravity[world].as_dvec3() * f64::from(scale[self.body_gravity_scale.index(number, body)]);
                sum.kinetic += 0.5 * mass * v.length_squared() + 0.5 * w.dot(spin);
                sum.potential -= mass * pull.dot(com);
                sum.momentum += mass * v;
                sum.angular_momentum += com.cross(mass * v) + spin;
            }
        }
        Ok(())
    }

    fn measure_particles(&self, state: &State, gravity: &[warp::Vec3], all: &mut [Measures]) -> Result<(), Error> {
        let (q, qd) = (state.particle_q.to_vec()?, state.particle_qd.to_vec()?);
        let mass = self.particle_mass.array().to_vec()?;
        let (nodes, rest) = (self.spring_nodes.array().to_vec()?, self.spring_rest.array().to_vec()?);
        let stiffness = self.spring_ke.array().to_vec()?;
        let alike = self.worlds.particles.is_alike();
        for (world, sum) in all.iter_mut().enumerate() {
            let first = self.worlds.particles.of(world).start;
            for (number, particle) in self.worlds.particles.of(world).enumerate() {
                let mass = f64::from(mass[self.particle_mass.index(number, particle)]);
                let (x, v) = (q[particle].as_dvec3(), qd[particle].as_dvec3());
                if mass > 0.0 {
                    sum.kinetic += 0.5 * mass * v.length_squared();
                    sum.potential -= mass * gravity[world].as_dvec3().dot(x);
                    sum.momentum += mass * v;
                    sum.angular_momentum += x.cross(mass * v);
                }
            }
            for (number, spring) in self.worlds.springs.of(world).enumerate() {
                let row = if alike { first } else { 0 };
                let [a, b] = nodes[self.spring_nodes.index(number, spring)].map(|end| q[row + end as usize].as_dvec3());
                let stretch = a.distance(b) - f64::from(rest[self.spring_rest.index(number, spring)]);
                sum.elastic += 0.5 * f64::from(stiffness[self.spring_ke.index(number, spring)]) * stretch * stretch;
            }
        }
        Ok(())
    }
}

impl Measures {
    const NOTHING: Measures =
        Measures { kinetic: 0.0, potential: 0.0, elastic: 0.0, momentum: DVec3::ZERO, angular_momentum: DVec3::ZERO };
}
