//! Robots in joint coordinates: exact joints, implicit drives, limits, friction.

mod advance;
mod bounds;
mod forces;
mod linear;
mod pattern;
mod refine;
mod solve;
mod system;

use std::sync::Mutex;

use self::advance::advance;
use self::pattern::{Pattern, largest};
use self::system::Work;
use super::semi_implicit::{body, particle, spring};
use super::{Solver, Unsupported, check_time};
use crate::Error;
use crate::articulation::place_bodies;
use crate::model::{Control, Model, State};

/// The most degrees of freedom that one tree has.
const MOST: usize = 64;

/// How often the middle of a step is found again where rotations have no axis of their own.
const MIDDLES: usize = 2;

/// Moves robots on in the coordinates of their joints, so that joints never come apart; bodies that no joint holds, particles and
/// springs move as [`SemiImplicit`](super::SemiImplicit) moves them.
///
/// The accelerations of a tree solve `M qdd = efforts - bias`, with the mass matrix by composite rigid bodies, factored along the
/// tree (Featherstone, *Rigid Body Dynamics Algorithms*, 2008). Drives, springs and damping are implicit, so stiff ones are
/// stable at any step. Hard limits stop without a bounce, drives give no more than their limit, dry friction holds what it can, and
/// followers follow exactly: all inside the same solve. Ball joints turn by a midpoint step, so that tops and satellites
/// keep their energy.
///
/// Gradients go through all of it, with what acts at a moment (which limit, which friction) taken as it is. Trees have up to 64
/// degrees of freedom.
#[derive(Debug)]
pub struct Featherstone {
    pattern: Pattern,
    /// The sizes of the model that it was made for: rows, joints, degrees of freedom, entries of the mass matrix.
    sizes: [usize; 4],
    /// What steps left for the next one.
    idle: Mutex<Vec<Work>>,
}

impl Featherstone {
    /// The solver for a model, if it does all that the model has.
    pub fn new(model: &Model) -> Result<Featherstone, Error> {
        limited(model)?;
        Ok(Featherstone { pattern: Pattern::new(model)?, sizes: sizes(model), idle: Mutex::new(vec![]) })
    }

    /// Arrays to work with: those of an earlier step, of which a tape copies what it needs as they are overwritten.
    fn work(&self, model: &Model) -> Result<Work, Error> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        idle.map_or_else(|| Work::new(model, &self.pattern), Ok)
    }

    fn put_back(&self, work: Work) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(work);
        }
    }

    fn step_joints(
        &self,
        model: &Model,
        from: &State,
        to: &mut State,
        control: &Control,
        dt: f32,
    ) -> Result<(), Error> {
        let mut work = self.work(model)?;
        work.accelerate(model, &self.pattern, from, control, dt, false)?;
        if model.joints.turn {
            for _ in 0..MIDDLES {
                let Work { x, middle_q, middle_qd, .. } = &mut work;
                advance(model, &self.pattern, from, x, (middle_q, middle_qd), (0.5 * dt, true))?;
                work.accelerate(model, &self.pattern, from, control, dt, true)?;
            }
        }
        advance(model, &self.pattern, from, &work.x, (&mut to.joint_q, &mut to.joint_qd), (dt, false))?;
        self.put_back(work);
        place_bodies(model, &to.joint_q, &to.joint_qd, &mut to.body_q, &mut to.body_qd)
    }
}

impl Solver for Featherstone {
    fn name(&self) -> &'static str {
        NAME
    }

    fn supports(&self, model: &Model) -> Result<(), Unsupported> {
        limited(model)
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
        model.parameters_fit()?;
        model.fits(state_in)?;
        model.fits(state_out)?;
        model.fits_control(control)?;
        for ((unit, expected), found) in ["rows", "joints", "degrees of freedom", "entries of the mass matrix"]
            .into_iter()
            .zip(sizes(model))
            .zip(self.sizes)
        {
            if expected != found {
                return Err(Error::OtherModel { what: "the solver", unit, expected, found });
            }
        }
        spring::pull(model, state_in, state_out)?;
        particle::integrate(model, state_in, state_out, dt)?;
        if model.joints() < model.bodies() {
            body::integrate(model, state_in, state_out, dt)?;
        }
        if model.joints() > 0 {
            self.step_joints(model, state_in, state_out, control, dt)?;
        }
        Ok(())
    }
}

const NAME: &str = "Featherstone";

fn limited(model: &Model) -> Result<(), Unsupported> {
    let (dofs, joint) = largest(model);
    if dofs <= MOST {
        return Ok(());
    }
    Err(Unsupported {
        solver: NAME,
        feature: "trees of more than 64 degrees of freedom",
        what: format!("the tree of {}, which has {dofs},", model.joint_in_row_called(joint)),
        instead: "Take fewer joints, or fix some of them",
    })
}

fn sizes(model: &Model) -> [usize; 4] {
    let grid = model.worlds.joints.grid();
    [grid.0, grid.1, model.worlds.dofs.grid().1, model.joints.pairs.len()]
}
