//! Steps towards the goals, one lane a world.

use warp::Array;
use warp::math::{Rng, Transform, Vec3};
use warp::prelude::*;

use crate::Error;
use crate::articulation::walk::{Trees, rotation_at, vec3_at, write_rotation, write_vec3};
use crate::model::record::{AXES, BALL, NONE};
use crate::model::{Model, State};
use crate::solver::integrate::{nearly_normalized, rotation_by};

/// How much steps are damped at first, and how that changes after good and bad ones.
const DAMPING: f32 = 1e-2;
const EASED: f32 = 0.3;
const STIFFENED: f32 = 4.0;

/// Where joints should stay near, and how much that counts.
#[derive(Debug)]
pub(super) struct Rest {
    q: Array<f32>,
    weight: f32,
}

impl Rest {
    pub fn new(model: &Model, rest: &Option<(Vec<f32>, f32)>) -> Result<Rest, Error> {
        let (q, weight) = rest.clone().unwrap_or_else(|| (vec![0.0; model.worlds.coordinates.grid().1], 0.0));
        Ok(Rest { q: Array::from_vec(model.device(), q)?, weight })
    }
}

/// How many steps may bring nearly nothing before a world starts again somewhere else.
const PATIENCE: u32 = 4;

/// The best that was found so far.
#[derive(Debug)]
pub(super) struct Best {
    /// Since the last start.
    pub q: Array<f32>,
    /// The sum of squares there, by row.
    loss: Array<f32>,
    damping: Array<f32>,
    /// How many steps have brought nearly nothing.
    idle: Array<u32>,
    /// What became of the last step, by row.
    verdict: Array<u32>,
    /// The coordinates that were tried.
    tried: Array<f32>,
    /// Of all starts.
    pub record: Array<f32>,
    record_loss: Array<f32>,
}

/// The step was no good, or good, or better than all before, or there is no going on from here.
const BAD: u32 = 0;
const GOOD: u32 = 1;
const RECORD: u32 = 2;
const STUCK: u32 = 3;

impl Best {
    pub fn new(model: &Model, state: &State) -> Result<Best, Error> {
        let (on, rows) = (model.device(), model.worlds.coordinates.grid().0);
        Ok(Best {
            q: state.joint_q.try_clone()?,
            loss: Array::zeros(on, rows)?,
            damping: Array::full(on, rows, DAMPING)?,
            idle: Array::zeros(on, rows)?,
            verdict: Array::zeros(on, rows)?,
            tried: state.joint_q.try_clone()?,
            record: state.joint_q.try_clone()?,
            record_loss: Array::full(on, rows, f32::INFINITY)?,
        })
    }

    /// Keeps what was tried where it is better than the best so far, and goes back to that elsewhere; where nothing gets better any
    /// more, coordinates start again at random. The `round` zero is the start.
    pub fn choose(
        &mut self,
        model: &Model,
        rest: &Rest,
        residuals: &Array<f32>,
        joint_q: &mut Array<f32>,
        round: u32,
    ) -> Result<(), Error> {
        let (rows, coordinates) = model.worlds.coordinates.grid();
        let of = || freedoms(model, rest);
        let Best { q, loss, damping, idle, verdict, tried, record, record_loss } = self;
        judge::launch(rows, of(), residuals, &*joint_q, round, loss, record_loss, damping, idle, verdict)?;
        tried.copy_from(joint_q)?;
        keep::launch((rows, coordinates), verdict, tried, coordinates as u32, q, record, joint_q)?;
        let dofs = model.worlds.dofs.grid().1;
        restart::launch((rows, dofs), of(), &model.joints.offsets, verdict, round, q, joint_q)?;
        Ok(())
    }
}

#[kernel(no_adjoint)]
fn keep(verdict: &[u32], tried: &[f32], coordinates: u32, best: &mut [f32], record: &mut [f32], q: &mut [f32]) {
    let (row, i) = tid2();
    let at = row * coordinates as usize + i;
    let (bad, is_record): (u32, u32) = (BAD, RECORD);
    if verdict[row] == bad {
        q[at] = best[at];
    } else {
        best[at] = tried[at];
    }
    if verdict[row] == is_record {
        record[at] = tried[at];
    }
}

/// Puts what is stuck somewhere between its limits; without limits, within a turn or a metre of where it is.
#[kernel(no_adjoint)]
fn restart(of: Freedoms, offset: &[f32], verdict: &[u32], round: u32, best: &mut [f32], q: &mut [f32]) {
    let (row, dof) = tid2();
    let stuck: u32 = STUCK;
    let coordinate = of.coordinate[dof];
    if verdict[row] == stuck && coordinate != NONE {
        let lead = of.leader[dof] as usize;
        let first = row * of.coordinates as usize;
        let lower = of.lower[row * of.lower_stride as usize + lead].max(-3.1);
        let upper = of.upper[row * of.upper_stride as usize + lead].min(3.1);
        let mut random = Rng::with_offset(round, (row * of.dofs as usize + lead) as u32);
        let place = lower + (upper - lower) * random.f32();
        let moved = of.ratio[dof] * place + offset[dof];
        best[first + coordinate as usize] = moved;
        q[first + coordinate as usize] = moved;
    }
}

/// What the solver knows of degrees of freedom.
#[derive(Args)]
struct Freedoms<'a> {
    coordinate: &'a [u32],
    leader: &'a [u32],
    /// Whether nothing but its own velocity moves it.
    held: &'a [bool],
    ratio: &'a [f32],
    lower: &'a [f32],
    upper: &'a [f32],
    rest: &'a [f32],
    lower_stride: u32,
    upper_stride: u32,
    coordinates: u32,
    dofs: u32,
    rows: u32,
    weight: f32,
}

fn freedoms<'a>(model: &'a Model, rest: &'a Rest) -> FreedomsArrays<'a> {
    let (rows, dofs) = model.worlds.dofs.grid();
    FreedomsArrays {
        coordinate: &model.joints.coordinate,
        leader: &model.joints.leaders,
        held: &model.joints.prescribed,
        ratio: &model.joints.ratios,
        lower: model.joint_limit_lower.array(),
        upper: model.joint_limit_upper.array(),
        rest: &rest.q,
        lower_stride: model.joint_limit_lower.stride(),
        upper_stride: model.joint_limit_upper.stride(),
        coordinates: model.worlds.coordinates.grid().1 as u32,
        dofs: dofs as u32,
        rows: rows as u32,
        weight: rest.weight,
    }
}

/// The sum of squares of what is missing.
#[func]
fn missing_of(of: &Freedoms, row: usize, residuals: &[f32]) -> f32 {
    let mut sum = 0.0;
    for k in 0..residuals.len() / of.rows as usize {
        let r = residuals[k * of.rows as usize + row];
        sum += r * r;
    }
    sum
}

/// The same of what bending counts.
#[func]
fn bending_of(of: &Freedoms, row: usize, q: &[f32]) -> f32 {
    let mut sum = 0.0;
    for dof in 0..of.dofs as usize {
        let coordinate = of.coordinate[dof];
        if coordinate != NONE {
            let r = of.weight * (of.rest[coordinate as usize] - q[row * of.coordinates as usize + coordinate as usize]);
            sum += r * r;
        }
    }
    sum
}

#[kernel(no_adjoint)]
fn judge(
    of: Freedoms,
    residuals: &[f32],
    q: &[f32],
    round: u32,
    loss: &mut [f32],
    record_loss: &mut [f32],
    damping: &mut [f32],
    idle: &mut [u32],
    verdict: &mut [u32],
) {
    let row = tid();
    let missing = missing_of(&of, row, residuals);
    let (now, before) = (missing + bending_of(&of, row, q), loss[row]);
    let (start, eased, stiffened, patience): (f32, f32, f32, u32) = (DAMPING, EASED, STIFFENED, PATIENCE);
    let (bad, good, is_record, stuck): (u32, u32, u32, u32) = (BAD, GOOD, RECORD, STUCK);
    let mut found = bad;
    if round == 0 || now < before {
        loss[row] = now;
        found = good;
        damping[row] = (damping[row] * eased).max(1e-7);
        if now < record_loss[row] {
            record_loss[row] = now;
            found = is_record;
        }
    } else {
        damping[row] = (damping[row] * stiffened).min(1e6);
    }
    idle[row] = if round == 0 || now < 0.7 * before { 0 } else { idle[row] + 1 };
    // Within a millimetre there is nothing to look for elsewhere.
    if found != is_record && idle[row] > patience && missing > 1e-6 {
        found = stuck;
        idle[row] = 0;
        damping[row] = start;
        loss[row] = f32::INFINITY;
    }
    verdict[row] = found;
}

/// Writes the damped normal equations of a row: the matrix by its lower triangle, the right side in `change`.
#[func]
fn assemble(
    of: &Freedoms,
    row: usize,
    residuals: &[f32],
    jacobian: &[f32],
    q: &[f32],
    damping: f32,
    matrix: &mut [f32],
    change: &mut [f32],
) {
    let (dofs, rows) = (of.dofs as usize, of.rows as usize);
    for i in 0..dofs {
        change[i * rows + row] = 0.0;
        for j in 0..i + 1 {
            matrix[(i * dofs + j) * rows + row] = 0.0;
        }
    }
    // What followers do counts at their leaders.
    for k in 0..residuals.len() / rows {
        let r = residuals[k * rows + row];
        for a in 0..dofs {
            let i = of.leader[a] as usize;
            let left = of.ratio[a] * jacobian[(k * dofs + a) * rows + row];
            change[i * rows + row] += left * r;
            for b in 0..dofs {
                let j = of.leader[b] as usize;
                if j <= i {
                    let right = of.ratio[b] * jacobian[(k * dofs + b) * rows + row];
                    matrix[(i * dofs + j) * rows + row] += left * right;
                }
            }
        }
    }
    for i in 0..dofs {
        let coordinate = of.coordinate[i];
        let pivot = (i * dofs + i) * rows + row;
        if coordinate != NONE {
            let missing = of.rest[coordinate as usize] - q[row * of.coordinates as usize + coordinate as usize];
            change[i * rows + row] += of.weight * of.weight * missing;
            matrix[pivot] += of.weight * of.weight;
        }
        matrix[pivot] += damping * (matrix[pivot] + 0.01);
    }
}

/// Takes what is pinned to a change out of the equations.
#[func]
fn pin(of: &Freedoms, row: usize, pinned: &[f32], matrix: &mut [f32], change: &mut [f32]) {
    let (dofs, rows) = (of.dofs as usize, of.rows as usize);
    for i in 0..dofs {
        let by = pinned[i * rows + row];
        if by.is_finite() {
            for j in 0..dofs {
                let entry = if j <= i { i * dofs + j } else { j * dofs + i };
                let slot = entry * rows + row;
                change[j * rows + row] -= matrix[slot] * by;
                matrix[slot] = if j == i { 1.0 } else { 0.0 };
            }
            change[i * rows + row] = by;
        }
    }
    for i in 0..dofs {
        let by = pinned[i * rows + row];
        if by.is_finite() {
            change[i * rows + row] = by;
        }
    }
}

/// Solves the equations in place, by Cholesky's factors.
#[func]
fn solve(of: &Freedoms, row: usize, matrix: &mut [f32], change: &mut [f32]) {
    let (dofs, rows) = (of.dofs as usize, of.rows as usize);
    for i in 0..dofs {
        for j in 0..i + 1 {
            let mut sum = matrix[(i * dofs + j) * rows + row];
            for k in 0..j {
                sum -= matrix[(i * dofs + k) * rows + row] * matrix[(j * dofs + k) * rows + row];
            }
            matrix[(i * dofs + j) * rows + row] =
                if i == j { sum.max(1e-12).sqrt() } else { sum / matrix[(j * dofs + j) * rows + row] };
        }
    }
    for i in 0..dofs {
        let mut sum = change[i * rows + row];
        for k in 0..i {
            sum -= matrix[(i * dofs + k) * rows + row] * change[k * rows + row];
        }
        change[i * rows + row] = sum / matrix[(i * dofs + i) * rows + row];
    }
    for step in 0..dofs {
        let i = dofs - 1 - step;
        let mut sum = change[i * rows + row];
        for k in i + 1..dofs {
            sum -= matrix[(k * dofs + i) * rows + row] * change[k * rows + row];
        }
        change[i * rows + row] = sum / matrix[(i * dofs + i) * rows + row];
    }
}

/// A step: what would go beyond a limit is pinned there, and the others make up for it.
#[kernel(no_adjoint)]
fn step(
    of: Freedoms,
    residuals: &[f32],
    jacobian: &[f32],
    q: &[f32],
    damping: &[f32],
    matrix: &mut [f32],
    pinned: &mut [f32],
    change: &mut [f32],
) {
    let row = tid();
    let (dofs, rows) = (of.dofs as usize, of.rows as usize);
    for i in 0..dofs {
        let stays = of.leader[i] as usize != i || of.held[i];
        pinned[i * rows + row] = if stays { 0.0 } else { f32::INFINITY };
    }
    for _ in 0..3 {
        assemble(&of, row, residuals, jacobian, q, damping[row], matrix, change);
        pin(&of, row, pinned, matrix, change);
        solve(&of, row, matrix, change);
        let mut beyond = false;
        for i in 0..dofs {
            let coordinate = of.coordinate[i];
            let free = !pinned[i * rows + row].is_finite();
            if free && coordinate != NONE {
                let now = q[row * of.coordinates as usize + coordinate as usize];
                let lower = of.lower[row * of.lower_stride as usize + i];
                let upper = of.upper[row * of.upper_stride as usize + i];
                let after = now + change[i * rows + row];
                if after < lower || after > upper {
                    pinned[i * rows + row] = if after < lower { lower - now } else { upper - now };
                    beyond = true;
                }
            }
        }
        if !beyond {
            break;
        }
    }
}

/// Finds the change of each degree of freedom.
pub(super) fn improve(
    model: &Model,
    rest: &Rest,
    best: &Best,
    residuals: &Array<f32>,
    jacobian: &Array<f32>,
    (matrix, pinned, change): (&mut Array<f32>, &mut Array<f32>, &mut Array<f32>),
) -> Result<(), Error> {
    let rows = model.worlds.dofs.grid().0;
    step::launch(rows, freedoms(model, rest), residuals, jacobian, &best.q, &best.damping, matrix, pinned, change)?;
    Ok(())
}

#[func]
fn change_at(change: &[f32], dof: usize, rows: usize, row: usize) -> Vec3 {
    Vec3::new(change[dof * rows + row], change[(dof + 1) * rows + row], change[(dof + 2) * rows + row])
}

#[kernel(no_adjoint)]
fn move_axes(of: Freedoms, offset: &[f32], change: &[f32], from: &[f32], q: &mut [f32]) {
    let (dof, row) = tid2();
    let coordinate = of.coordinate[dof];
    if coordinate != NONE {
        let lead = of.leader[dof] as usize;
        let first = row * of.coordinates as usize;
        let lower = of.lower[row * of.lower_stride as usize + lead];
        let upper = of.upper[row * of.upper_stride as usize + lead];
        let moved = from[first + of.coordinate[lead] as usize] + change[lead * of.rows as usize + row];
        let within = if moved < lower {
            lower
        } else if moved > upper {
            upper
        } else {
            moved
        };
        q[first + coordinate as usize] = of.ratio[dof] * within + offset[dof];
    }
}

#[kernel(no_adjoint)]
fn move_rotations(trees: Trees, change: &[f32], rows: u32, from: &[f32], q: &mut [f32]) {
    let (joint, row) = tid2();
    let rows = rows as usize;
    let record = trees.records[joint];
    let at = row * trees.strides.coordinates as usize + record.q as usize;
    let dof = record.qd as usize;
    if record.kind == BALL {
        let turn = nearly_normalized(rotation_by(change_at(change, dof, rows, row)) * rotation_at(from, at));
        write_rotation(q, at, turn);
    } else if record.kind != AXES {
        let start = Transform { p: vec3_at(from, at), q: rotation_at(from, at + 3) };
        let turn = nearly_normalized(rotation_by(change_at(change, dof + 3, rows, row)) * start.q);
        let anchor = trees.child_anchor[row * trees.strides.child_anchor as usize + joint];
        let com = anchor.inverse().transform_point(trees.com[row * trees.strides.com as usize + record.body as usize]);
        let place = start.transform_point(com) + change_at(change, dof, rows, row) - turn * com;
        write_vec3(q, at, place);
        write_rotation(q, at + 3, turn);
    }
}

/// Moves coordinates from the best so far by a change, within limits.
pub(super) fn moved(
    model: &Model,
    rest: &Rest,
    best: &Best,
    change: &Array<f32>,
    joint_q: &mut Array<f32>,
) -> Result<(), Error> {
    let ((rows, dofs), joints) = (model.worlds.dofs.grid(), model.worlds.joints.grid().1);
    move_axes::launch((dofs, rows), freedoms(model, rest), &model.joints.offsets, change, &best.q, joint_q)?;
    if model.joints.turn {
        move_rotations::launch((joints, rows), model.trees_args(), change, rows as u32, &best.q, joint_q)?;
    }
    Ok(())
}
