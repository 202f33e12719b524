//! Many steps with gradients.

use warp::Tape;

use crate::Error;
use crate::model::{Control, Model, State};
use crate::solver::{Solver, check_time};

/// A stretch of steps that a tape records: with a control of its own for each step, whose gradients say what to do otherwise.
///
/// ```
/// use warp::prelude::*;
/// use warp::sim::{Featherstone, ModelBuilder, Rollout, Shape};
///
/// #[kernel]
/// fn miss(q: &[f32], loss: &mut [f32]) {
///     loss[0] = (q[0] - 1.0) * (q[0] - 1.0);
/// }
///
/// let mut b = ModelBuilder::new();
/// let rod = b.body("rod").shape(Shape::capsule(0.05, 0.5).at([0.0, 0.0, -0.5])).id();
/// b.revolute("hinge", None, rod, [0.0, 1.0, 0.0]);
/// let model = b.finalize(&Device::cpu())?;
/// let mut rollout = Rollout::new(&model, Featherstone::new(&model)?, 100)?;
/// let mut loss = Array::zeros(model.device(), 1)?;
/// let tape = rollout.record(0.01, |end| Ok(miss::launch(1, &end.joint_q, &mut loss)?))?;
/// tape.backward(&loss)?;
/// // More torque near the end would have brought the rod further.
/// assert!(rollout.controls[90].joint_f.grad()?.get(0)? < 0.0);
/// # Ok::<(), warp::sim::Error>(())
/// ```
#[derive(Debug)]
pub struct Rollout<'m, S: Solver> {
    /// Where it starts: a leaf for gradients.
    pub start: State,
    /// What drives go to and what pulls at joints, step by step: leaves for gradients.
    pub controls: Vec<Control>,
    model: &'m Model,
    solver: S,
    states: Vec<State>,
    ends: [State; 2],
}

impl<'m, S: Solver> Rollout<'m, S> {
    /// So many steps, from the model's start and with its drives as described.
    pub fn new(model: &'m Model, solver: S, steps: usize) -> Result<Self, Error> {
        solver.supports(model)?;
        let controls = (0..steps).map(|_| model.control()).collect::<Result<_, _>>()?;
        let (start, ends) = (model.state()?, [model.state()?, model.state()?]);
        Ok(Rollout { start, controls, model, solver, states: vec![], ends })
    }

    /// Takes all steps, `dt` seconds each, and then what `loss` launches on the last state. `backward` of the tape brings gradients to
    /// the start, to the controls and to the model's parameters. All states stay, as [`states`](Rollout::states).
    pub fn record(&mut self, dt: f32, loss: impl FnOnce(&State) -> Result<(), Error>) -> Result<Tape, Error> {
        check_time(dt)?;
        while self.states.len() < self.controls.len() {
            self.states.push(self.model.state()?);
        }
        let Rollout { start, controls, model, solver, states, .. } = self;
        let ((), tape) = Tape::record_with(|| {
            for (step, control) in controls.iter().enumerate() {
                let (before, after) = states.split_at_mut(step);
                let from = before.last().unwrap_or(start);
                solver.step(model, from, &mut after[0], control, dt)?;
            }
            loss(states.last().unwrap_or(start))
        })?;
        Ok(tape)
    }

    /// The same for long stretches: the tape keeps about twice the root of the number of steps in states, in place of all, and takes each
    /// step twice. Gradients are the same to the bit. Of the states only the last stays.
    pub fn record_checkpointed(
        &mut self,
        dt: f32,
        loss: impl FnOnce(&State) -> Result<(), Error>,
    ) -> Result<Tape, Error> {
        check_time(dt)?;
        self.states.clear();
        let Rollout { start, controls, model, solver, ends: [one, other], .. } = self;
        let ((), tape) = Tape::checkpointed_with(|| {
            let mut last: Option<bool> = None;
            for control in controls.iter() {
                match last {
                    None => solver.step(model, start, one, control, dt)?,
                    Some(false) => solver.step(model, one, other, control, dt)?,
                    Some(true) => solver.step(model, other, one, control, dt)?,
                }
                last = Some(last == Some(false));
            }
            loss(match last {
                None => start,
                Some(false) => one,
                Some(true) => other,
            })
        })?;
        Ok(tape)
    }

    /// The states after each step, as [`record`](Rollout::record) left them.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }
}
