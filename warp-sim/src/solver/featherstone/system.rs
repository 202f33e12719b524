//! The accelerations of joints: what a step solves for.

use warp::math::SpatialInertia;
use warp::{Array, Tape};

use super::bounds::{Bounds, find_bounds};
use super::forces;
use super::pattern::Pattern;
use super::refine::{refine, residual};
use super::solve::{FoundArrays, solve};
use crate::Error;
use crate::articulation::{At, DofStrides, Scratch, find_efforts, find_motions, find_pairs};
use crate::model::record::BALL;
use crate::model::{Control, Model, State};

/// What a step finds on its way.
#[derive(Debug)]
pub(super) struct Work {
    scratch: Scratch,
    composites: Array<SpatialInertia>,
    masses: Array<f32>,
    bias: Array<f32>,
    bounds: Array<Bounds>,
    marks: Array<u32>,
    factors: Array<f32>,
    right: Array<f32>,
    residual: Array<f32>,
    /// The solution without a derivative.
    found: Array<f32>,
    /// Accelerations of the columns.
    pub x: Array<f32>,
    /// Where joints are in the middle of the step, and how they move.
    pub middle_q: Array<f32>,
    pub middle_qd: Array<f32>,
}

impl Work {
    pub fn new(model: &Model, pattern: &Pattern) -> Result<Work, Error> {
        let on = model.device();
        let rows = model.worlds.joints.grid().0;
        let (columns, entries) = (pattern.columns.len() * rows, pattern.entries.len() * rows);
        let balls = model.joints.row.iter().any(|record| record.kind == BALL);
        Ok(Work {
            scratch: Scratch::new(model)?,
            composites: Array::zeros(on, model.joints())?,
            masses: Array::zeros(on, model.joints.pairs.len() * rows)?,
            bias: Array::zeros(on, model.dofs())?,
            bounds: Array::zeros(on, if balls { model.joints() } else { 0 })?,
            marks: Array::zeros(on, model.dofs())?,
            factors: Array::zeros(on, entries)?,
            right: Array::zeros(on, columns)?,
            residual: Array::zeros(on, columns)?,
            found: Array::zeros(on, columns)?,
            x: Array::zeros(on, columns)?,
            middle_q: Array::zeros(on, model.coordinates())?,
            middle_qd: Array::zeros(on, model.dofs())?,
        })
    }

    /// Finds the accelerations that a step from `from` has, with masses and velocities as they are at `(q, qd)`, or in the middle
    /// that the work holds.
    pub fn accelerate(
        &mut self,
        model: &Model,
        pattern: &Pattern,
        from: &State,
        control: &Control,
        dt: f32,
        in_the_middle: bool,
    ) -> Result<(), Error> {
        let at = match in_the_middle {
            true => At { q: &self.middle_q, qd: &self.middle_qd, ..At::state(from) },
            false => At::state(from),
        };
        find_motions(model, &at, &mut self.scratch)?;
        find_efforts(model, &self.scratch, DofStrides::of_scratch(model), &mut self.bias)?;
        find_pairs(model, &self.scratch, &mut self.composites, &mut self.masses)?;
        if !self.bounds.is_empty() {
            find_bounds(model, &from.joint_q, &self.scratch, &self.composites, &mut self.bounds)?;
        }
        let rows = model.worlds.joints.grid().0;
        let found =
            || FoundArrays { masses: &self.masses, bias: &self.bias, bounds: &self.bounds, rows: rows as u32, dt };
        let (system, dofs, asked) = (|| pattern.args(), || forces::dofs(model), || forces::asked(from, control));
        let (components, columns) = (pattern.components.len(), pattern.columns.len());
        let differentiated = Tape::is_recording();
        let solution = if differentiated { &mut self.found } else { &mut self.x };
        let (marks, factors, right) = (&mut self.marks, &mut self.factors, &mut self.right);
        solve::launch((components, rows), system(), dofs(), asked(), found(), marks, factors, right, solution)?;
        if differentiated {
            let (x, factors) = (self.found.detach(), self.factors.detach());
            let left = &mut self.residual;
            residual::launch((columns, rows), system(), dofs(), asked(), found(), &self.marks, &x, left)?;
            let (left, constant, out) = (&self.residual, self.residual.detach(), &mut self.x);
            refine::launch((components, rows), system(), rows as u32, &factors, &x, left, &constant, out)?;
        }
        Ok(())
    }
}
