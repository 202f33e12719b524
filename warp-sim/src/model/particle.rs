//! Describes particles and springs.

use warp::math::DVec3;

use super::builder::ModelBuilder;
use super::label::{ParticleId, SpringId};
use super::scene::{Particle, Spring};

impl Particle {
    pub(super) fn new(position: DVec3) -> Particle {
        Particle { position, velocity: DVec3::ZERO, mass: Some(1.0), radius: 0.0 }
    }
}

/// Describes a particle, one call after the other; [`id`](ParticleBuilder::id) ends it.
#[derive(Debug)]
pub struct ParticleBuilder<'a> {
    builder: &'a mut ModelBuilder,
    id: ParticleId,
}

impl<'a> ParticleBuilder<'a> {
    pub(super) fn new(builder: &'a mut ModelBuilder, id: ParticleId) -> Self {
        ParticleBuilder { builder, id }
    }

    fn described(self, describe: impl FnOnce(&mut Particle)) -> Self {
        describe(&mut self.builder.scene.particles[self.id.index()]);
        self
    }

    /// Its velocity at the start, m/s.
    pub fn velocity(self, velocity: impl Into<DVec3>) -> Self {
        self.described(|particle| particle.velocity = velocity.into())
    }

    /// Its mass, kg.
    pub fn mass(self, mass: impl Into<f64>) -> Self {
        self.described(|particle| particle.mass = Some(mass.into()))
    }

    /// Holds it: no force moves it, and it goes on as its velocity says.
    pub fn fixed(self) -> Self {
        self.described(|particle| particle.mass = None)
    }

    /// How large it is, m; a point unless said otherwise.
    pub fn radius(self, radius: impl Into<f64>) -> Self {
        self.described(|particle| particle.radius = radius.into())
    }

    /// What it is called by from now on.
    pub fn id(self) -> ParticleId {
        self.id
    }
}

/// Describes a spring, one call after the other; [`id`](SpringBuilder::id) ends it.
#[derive(Debug)]
pub struct SpringBuilder<'a> {
    builder: &'a mut ModelBuilder,
    id: SpringId,
}

impl<'a> SpringBuilder<'a> {
    pub(super) fn new(builder: &'a mut ModelBuilder, id: SpringId) -> Self {
        SpringBuilder { builder, id }
    }

    fn described(self, describe: impl FnOnce(&mut Spring)) -> Self {
        describe(&mut self.builder.scene.springs[self.id.index()]);
        self
    }

    /// Its length without a force, m, in place of the distance of its ends.
    pub fn rest(self, length: impl Into<f64>) -> Self {
        self.described(|spring| spring.rest = Some(length.into()))
    }

    /// How it brakes its ends along itself, N s/m.
    pub fn damping(self, damping: impl Into<f64>) -> Self {
        self.described(|spring| spring.damping = damping.into())
    }

    /// What it is called by from now on.
    pub fn id(self) -> SpringId {
        self.id
    }
}
