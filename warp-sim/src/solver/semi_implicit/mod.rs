//! Forces, then motion: the simplest solver, and the one whose gradients are all there.

pub(super) mod body;
pub(super) mod particle;
pub(super) mod spring;

use super::{Solver, Unsupported, check_time};
use crate::Error;
use crate::model::{Control, Model, State};

/// Adds up forces and moves everything on by them: bodies in maximal coordinates, particles, springs.
///
/// Velocities change first, and positions follow the new ones. Springs are explicit, so a step has to be short beside their
/// periods: stable below `2 sqrt(mass / stiffness)`. Gradients go through all of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SemiImplicit;

impl SemiImplicit {
    /// The solver, where the model has nothing that it does not do.
    pub fn new(model: &Model) -> Result<SemiImplicit, Error> {
        SemiImplicit.supports(model)?;
        Ok(SemiImplicit)
    }
}

impl Solver for SemiImplicit {
    fn name(&self) -> &'static str {
        "SemiImplicit"
    }

    fn supports(&self, model: &Model) -> Result<(), Unsupported> {
        let Some(what) = model.first_joint() else { return Ok(()) };
        let (solver, feature) = (self.name(), "joints");
        Err(Unsupported { solver, feature, what, instead: "`Featherstone` does" })
    }

    fn step(
        &self,
        model: &Model,
        state_in: &State,
        state_out: &mut State,
        control: &Control,
        dt: f32,
    ) -> Result<(), Error> {
        check_time(dt)?;
        self.supports(model)?;
        model.parameters_fit()?;
        model.fits(state_in)?;
        model.fits(state_out)?;
        model.fits_control(control)?;
        spring::pull(model, state_in, state_out)?;
        body::integrate(model, state_in, state_out, dt)?;
        particle::integrate(model, state_in, state_out, dt)
    }
}
