//! Inverse kinematics: coordinates of joints that bring bodies where they should be, in all worlds at once.

mod evaluate;
mod improve;

use warp::math::{Quat, Transform, Vec3};
use warp::{Array, Device};

use self::evaluate::{Target, TargetKind, columns, misses};
use self::improve::{Best, Rest, improve, moved};
use crate::Error;
use crate::articulation::{At, Scratch, find_motions, place_bodies};
use crate::model::{BodyId, Model, ModelError, State};

/// Finds joint coordinates for goals, by Levenberg and Marquardt's method with limits: steps that the goals' Jacobian asks for, damped
/// as much as each world needs, and never beyond what joints allow. A world that gets no further starts again elsewhere, at random
/// but the same each time, and the best of all starts counts.
///
/// Goals are for all worlds, or one for each. What cannot be reached is come near to in the sense of least squares: metres and
/// radians count alike, each times its weight. All worlds are solved at once, one lane each; they have to be alike.
///
/// ```
/// use warp::prelude::*;
/// use warp::sim::ik::Ik;
/// use warp::sim::{ModelBuilder, Shape};
///
/// let mut b = ModelBuilder::new();
/// let mut arm = None;
/// for k in 0..3 {
///     let link = b.body(format!("link {k}")).at([0.5 * f64::from(k), 0.0, 0.0]).shape(Shape::sphere(0.05)).id();
///     b.revolute(format!("hinge {k}"), arm, link, [0.0, 1.0, 0.0]).position(0.1).limits(-2.0, 2.0);
///     arm = Some(link);
/// }
/// let model = b.finalize(&Device::cpu())?;
/// let mut state = model.state()?;
/// let hand = model.body("link 2")?;
/// let found = Ik::new(&model)?
///     .position(hand, Vec3::new(0.5, 0.0, 0.0), &[Vec3::new(0.8, 0.0, 0.6)])?
///     .solve(&mut state)?;
/// assert!(found[0].distance < 1e-4);
/// # Ok::<(), warp::sim::Error>(())
/// ```
#[derive(Debug)]
pub struct Ik<'m> {
    model: &'m Model,
    targets: Vec<Target>,
    /// By target and row.
    goals: Vec<Vec<Transform>>,
    /// Where joints should stay near, and how much that counts.
    rest: Option<(Vec<f32>, f32)>,
    iterations: u32,
}

/// How far a world is from its goals: the worst of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Missed {
    /// Of points, m.
    pub distance: f32,
    /// Of rotations, rad.
    pub angle: f32,
}

impl<'m> Ik<'m> {
    /// Without goals yet.
    ///
    /// # Errors
    /// Where worlds are not alike.
    pub fn new(model: &'m Model) -> Result<Ik<'m>, Error> {
        if !model.worlds.joints.is_alike() {
            return Err(ModelError::Unlike { what: "inverse kinematics" }.into());
        }
        Ok(Ik { model, targets: vec![], goals: vec![], rest: None, iterations: 100 })
    }

    /// Wants a point of a body, in its link frame, at a place in the world, m: one for all worlds, or one for each.
    pub fn position(self, body: BodyId, point: Vec3, goals: &[Vec3]) -> Result<Self, Error> {
        let goals = goals.iter().map(|goal| Transform { p: *goal, q: Quat::IDENTITY }).collect();
        self.target(body, TargetKind::Position, point, goals)
    }

    /// Wants a body turned like this, from its link frame to the world: one rotation for all worlds, or one for each.
    pub fn orientation(self, body: BodyId, goals: &[Quat]) -> Result<Self, Error> {
        let goals = goals.iter().map(|goal| Transform { p: Vec3::ZERO, q: goal.normalize() }).collect();
        self.target(body, TargetKind::Orientation, Vec3::ZERO, goals)
    }

    /// Wants coordinates near these, laid out as one world's part of [`State::joint_q`]: of all that reach the goals, those that bend
    /// the least. `weight` is how much a radian counts beside one of orientation: small, such as 0.01. Ball and free joints are left
    /// alone.
    pub fn near(mut self, joint_q: &[f32], weight: f32) -> Result<Self, Error> {
        let expected = self.model.worlds.coordinates.grid().1;
        if joint_q.len() != expected {
            let (what, unit, found) = ("the coordinates to stay near", "joint coordinates of a world", joint_q.len());
            return Err(Error::OtherModel { what, unit, expected, found });
        }
        self.rest = Some((joint_q.to_vec(), weight));
        Ok(self)
    }

    /// How much the goal that was given last counts beside others, in place of 1.
    pub fn weight(mut self, weight: f32) -> Self {
        if let Some(last) = self.targets.last_mut() {
            last.weight = weight;
        }
        self
    }

    /// How many steps are taken, 100 unless said otherwise.
    pub fn iterations(mut self, iterations: u32) -> Self {
        self.iterations = iterations;
        self
    }

    fn target(mut self, body: BodyId, kind: TargetKind, point: Vec3, mut goals: Vec<Transform>) -> Result<Self, Error> {
        self.model.body_at(0, body)?;
        let worlds = self.model.worlds();
        if goals.len() == 1 {
            goals = goals.repeat(worlds);
        }
        if goals.len() != worlds {
            let (what, unit, found) = ("the list of goals", "worlds, or one goal for all,", goals.len());
            return Err(Error::OtherModel { what, unit, expected: worlds, found });
        }
        let joint = self.model.joint_in_row(0, body);
        self.targets.push(Target { joint, body: body.0, turns: kind == TargetKind::Orientation, weight: 1.0, point });
        self.goals.push(goals);
        Ok(self)
    }

    /// Changes the coordinates of a state, from where they are, and puts the bodies there. Says how far each world is from its goals
    /// in the end.
    pub fn solve(&self, state: &mut State) -> Result<Vec<Missed>, Error> {
        let model = self.model;
        model.parameters_fit()?;
        model.fits(state)?;
        let mut work = Work::new(self, model.device())?;
        if model.dofs() > 0 && !self.targets.is_empty() {
            let rest = Rest::new(model, &self.rest)?;
            let mut best = Best::new(model, state)?;
            work.look(self, state, false)?;
            best.choose(model, &rest, &work.residuals, &mut state.joint_q, 0)?;
            for round in 1..=self.iterations {
                work.look(self, state, true)?;
                let Work { residuals, jacobian, matrix, pinned, change, .. } = &mut work;
                improve(model, &rest, &best, residuals, jacobian, (matrix, pinned, change))?;
                moved(model, &rest, &best, change, &mut state.joint_q)?;
                work.look(self, state, false)?;
                best.choose(model, &rest, &work.residuals, &mut state.joint_q, round)?;
            }
            state.joint_q.copy_from(&best.record)?;
        }
        place_bodies(model, &state.joint_q, &state.joint_qd, &mut state.body_q, &mut state.body_qd)?;
        self.missed(state)
    }

    fn missed(&self, state: &State) -> Result<Vec<Missed>, Error> {
        let poses = state.body_q.to_vec()?;
        let bodies = self.model.worlds.bodies.grid().1;
        let mut all = vec![Missed::default(); self.model.worlds()];
        for (target, goals) in self.targets.iter().zip(&self.goals) {
            for (world, (missed, goal)) in all.iter_mut().zip(goals).enumerate() {
                let pose = poses[world * bodies + target.body as usize];
                if target.turns {
                    missed.angle = missed.angle.max(pose.q.angle_between(goal.q));
                } else {
                    missed.distance = missed.distance.max(pose.transform_point(target.point).distance(goal.p));
                }
            }
        }
        Ok(all)
    }
}

/// Arrays on the way to a solution.
struct Work {
    targets: Array<Target>,
    goals: Array<Transform>,
    scratch: Scratch,
    /// Three numbers for each target, by row.
    residuals: Array<f32>,
    /// Three for each target and degree of freedom, by row.
    jacobian: Array<f32>,
    matrix: Array<f32>,
    /// Changes that limits leave, by degree of freedom and row; infinite where they leave it free.
    pinned: Array<f32>,
    change: Array<f32>,
}

impl Work {
    fn new(of: &Ik<'_>, on: &Device) -> Result<Work, Error> {
        let (rows, dofs) = of.model.worlds.dofs.grid();
        let targets = of.targets.len();
        Ok(Work {
            targets: Array::from_slice(on, &of.targets)?,
            goals: Array::from_vec(on, of.goals.concat())?,
            scratch: Scratch::new(of.model)?,
            residuals: Array::zeros(on, 3 * targets * rows)?,
            jacobian: Array::zeros(on, 3 * targets * dofs * rows)?,
            matrix: Array::zeros(on, dofs * dofs * rows)?,
            pinned: Array::zeros(on, dofs * rows)?,
            change: Array::zeros(on, dofs * rows)?,
        })
    }

    /// Finds how far the state's coordinates are from the goals, and with `jacobian` how that changes with them.
    fn look(&mut self, of: &Ik<'_>, state: &mut State, jacobian: bool) -> Result<(), Error> {
        let model = of.model;
        place_bodies(model, &state.joint_q, &state.joint_qd, &mut state.body_q, &mut state.body_qd)?;
        misses(model, &self.targets, &self.goals, &state.body_q, &mut self.residuals)?;
        if jacobian {
            find_motions(model, &At::state(state), &mut self.scratch)?;
            columns(model, &self.targets, &state.body_q, &self.scratch, &mut self.jacobian)?;
        }
        Ok(())
    }
}
