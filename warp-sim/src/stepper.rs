//! Goes on from step to step.

use crate::Error;
use crate::model::{Control, Model, State};
use crate::solver::{Solver, check_time};

/// Takes a model from one frame to the next: it holds two states and swaps them, for programs that want no gradients.
///
/// ```
/// use warp::prelude::*;
/// use warp::sim::{ModelBuilder, SemiImplicit, Shape, Stepper};
///
/// let mut b = ModelBuilder::new();
/// let ball = b.body("ball").at([0.0, 0.0, 100.0]).shape(Shape::sphere(0.1)).id();
/// let model = b.finalize(&Device::cpu())?;
/// let mut sim = Stepper::new(&model, SemiImplicit::new(&model)?)?.substeps(4);
/// for _ in 0..60 {
///     sim.step(1.0 / 60.0)?;
/// }
/// sim.check()?;
/// let height = sim.state.body_q.get(model.body_at(0, ball)?)?.p.z;
/// assert!((height - (100.0 - 9.81 / 2.0)).abs() < 0.03);
/// # Ok::<(), warp::sim::Error>(())
/// ```
#[derive(Debug)]
pub struct Stepper<'m, S: Solver> {
    /// Where things are now.
    pub state: State,
    /// What drives go to.
    pub control: Control,
    model: &'m Model,
    solver: S,
    next: State,
    substeps: u32,
    time: f64,
}

impl<'m, S: Solver> Stepper<'m, S> {
    /// At the model's start.
    pub fn new(model: &'m Model, solver: S) -> Result<Self, Error> {
        solver.supports(model)?;
        Ok(Stepper {
            state: model.state()?,
            control: model.control()?,
            model,
            solver,
            next: model.state()?,
            substeps: 1,
            time: 0.0,
        })
    }

    /// Cuts each step into so many equal ones; at least one.
    pub fn substeps(mut self, substeps: u32) -> Self {
        self.substeps = substeps.max(1);
        self
    }

    /// Goes on by `dt` seconds. Forces from outside stay as they were set. Where a substep fails, those before it count.
    pub fn step(&mut self, dt: f32) -> Result<(), Error> {
        check_time(dt)?;
        let part = dt / self.substeps as f32;
        for _ in 0..self.substeps {
            self.solver.step(self.model, &self.state, &mut self.next, &self.control, part)?;
            // The forces are the program's, and go on with the state that it sees.
            std::mem::swap(&mut self.state.body_f, &mut self.next.body_f);
            std::mem::swap(&mut self.state.particle_f, &mut self.next.particle_f);
            std::mem::swap(&mut self.state, &mut self.next);
            self.time += f64::from(dt) / f64::from(self.substeps);
        }
        Ok(())
    }

    /// The time that it has gone on since it was made, s; resets of worlds do not change it.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Looks for faults of earlier steps and for numbers that are not finite, and names the first. It waits for the device.
    pub fn check(&self) -> Result<(), Error> {
        self.model.device().check()?;
        self.model.check(&self.state)
    }
}
