//! Finds the accelerations of joints: which limits act, and what follows.
//!
//! Whatever switches has a mark. A solution with some marks shows which of them are wrong; then it is solved again, up to
//! [`ROUNDS`] times. No gradient flows through this: `refine` takes the solution as a constant and adds its derivative.

use warp::math::Vec3;
use warp::prelude::*;

use super::bounds::{Bound, Bounds};
use super::forces::{Acting, Asked, CONE, Dofs, TWIST, acting, first_mark, is_held, next_mark};
use super::linear::{factor, substitute};
use super::pattern::{Column, Component, System};
use crate::articulation::walk::{component, vec3_at};
use crate::model::record::NONE;

/// How often marks are set anew in a step, at most.
const ROUNDS: u32 = 24;

/// What the step has found before.
#[derive(Args)]
pub(super) struct Found<'a> {
    /// The mass matrix, pair by pair.
    pub masses: &'a [f32],
    /// What bodies take, by degree of freedom.
    pub bias: &'a [f32],
    /// Of ball joints.
    pub bounds: &'a [Bounds],
    pub rows: u32,
    pub dt: f32,
}

/// What a marked ball joint adds to its block of the matrix.
#[func]
pub(super) fn block_entry(found: &Found, row: usize, joint: u32, mark: u32, a: u32, b: u32) -> f32 {
    let bounds = found.bounds[joint as usize * found.rows as usize + row];
    let mut sum = 0.0;
    if mark & CONE != 0 {
        sum += bounds.cone.gain * component(bounds.cone.along, a) * component(bounds.cone.along, b);
    }
    if mark & TWIST != 0 {
        sum += bounds.twist.gain * component(bounds.twist.along, a) * component(bounds.twist.along, b);
    }
    sum
}

/// What a marked ball joint adds to the right side of one of its columns; `speed` is its speed.
#[func]
pub(super) fn block_force(found: &Found, row: usize, joint: u32, mark: u32, a: u32, speed: Vec3) -> f32 {
    let bounds = found.bounds[joint as usize * found.rows as usize + row];
    let mut sum = 0.0;
    if mark & CONE != 0 {
        sum += pushed(bounds.cone, speed, found.dt) * component(bounds.cone.along, a);
    }
    if mark & TWIST != 0 {
        sum += pushed(bounds.twist, speed, found.dt) * component(bounds.twist.along, a);
    }
    sum
}

#[func]
fn pushed(bound: Bound, speed: Vec3, dt: f32) -> f32 {
    bound.gain * (bound.room / (dt * dt) - bound.along.dot(speed) / dt)
}

/// The mark of a column's degree of freedom.
#[func]
pub(super) fn mark_of(column: Column, marks: &[u32], rows: usize, row: usize) -> u32 {
    marks[column.dof as usize * rows + row]
}

/// Writes the matrix and the right side of a component, with what its marks hold taken out.
#[func]
fn assemble(
    of: &System,
    dofs: &Dofs,
    asked: &Asked,
    found: &Found,
    component: Component,
    row: usize,
    marks: &[u32],
    matrix: &mut [f32],
    right: &mut [f32],
    x: &mut [f32],
) {
    let rows = found.rows as usize;
    for number in component.first..component.end {
        let column = of.columns[number as usize];
        let slot = number as usize * rows + row;
        let (mut force, mut slope) = (0.0, 0.0);
        for k in column.members.first..column.members.end {
            let member = of.members[k as usize];
            let dof = member.dof as usize;
            let act = acting(dofs, asked, row, dof, marks[dof * rows + row], found.dt);
            force += member.ratio * (act.force - found.bias[dof * rows + row]);
            slope += member.ratio * member.ratio * act.slope;
        }
        right[slot] = force;
        matrix[column.pivot as usize * rows + row] = slope;
    }
    for number in component.first..component.end {
        let column = of.columns[number as usize];
        if column.ball != NONE {
            let mark = mark_of(column, marks, rows, row);
            let at = row * dofs.strides.dofs as usize + column.dof as usize;
            let speed = vec3_at(asked.qd, at);
            for a in 0..3 {
                right[(number + a) as usize * rows + row] += block_force(found, row, column.ball, mark, a, speed);
            }
        }
        for k in column.below.first..column.below.end {
            let link = of.below[k as usize];
            matrix[link.entry as usize * rows + row] = 0.0;
            add_entry(of, found, row, link.entry, marks, matrix);
        }
        add_entry(of, found, row, column.pivot, marks, matrix);
    }
    hold(of, dofs, asked, found, component, row, marks, matrix, right, x);
}

#[func]
fn add_entry(of: &System, found: &Found, row: usize, number: u32, marks: &[u32], matrix: &mut [f32]) {
    let rows = found.rows as usize;
    let entry = of.entries[number as usize];
    let slot = number as usize * rows + row;
    let mut sum = matrix[slot];
    for k in entry.sources.first..entry.sources.end {
        let source = of.sources[k as usize];
        sum += source.weight * found.masses[source.pair as usize * rows + row];
    }
    if entry.ball != NONE {
        let first = of.columns[(entry.row - entry.a) as usize];
        sum += block_entry(found, row, entry.ball, mark_of(first, marks, rows, row), entry.a, entry.b);
    }
    matrix[slot] = sum;
}

/// The acceleration of a column that is held.
#[func]
pub(super) fn held_rate(column: Column, act: Acting) -> f32 {
    if column.prescribed { 0.0 } else { act.held }
}

/// Takes what is held out of the system: its own equation says what it does, and the others count that on the right.
#[func]
fn hold(
    of: &System,
    dofs: &Dofs,
    asked: &Asked,
    found: &Found,
    component: Component,
    row: usize,
    marks: &[u32],
    matrix: &mut [f32],
    right: &mut [f32],
    x: &mut [f32],
) {
    let rows = found.rows as usize;
    for number in component.first..component.end {
        x[number as usize * rows + row] = right[number as usize * rows + row];
    }
    for number in component.first..component.end {
        let column = of.columns[number as usize];
        let dof = column.dof as usize;
        let mark = marks[dof * rows + row];
        if column.prescribed || is_held(dofs, row, dof, mark) {
            let rate = held_rate(column, acting(dofs, asked, row, dof, mark, found.dt));
            for k in column.near.first..column.near.end {
                let link = of.near[k as usize];
                let slot = link.entry as usize * rows + row;
                let other = of.columns[link.column as usize];
                let other_mark = mark_of(other, marks, rows, row);
                let free = !(other.prescribed || is_held(dofs, row, other.dof as usize, other_mark));
                if link.column == number {
                    matrix[slot] = 1.0;
                } else {
                    if free {
                        x[link.column as usize * rows + row] -= matrix[slot] * rate;
                    }
                    matrix[slot] = 0.0;
                }
            }
            x[number as usize * rows + row] = rate;
        }
    }
}

/// The effort that holds a column, from the equation that was taken out: what its accelerations take less what acts.
#[func]
fn holding(
    of: &System,
    dofs: &Dofs,
    asked: &Asked,
    found: &Found,
    row: usize,
    number: u32,
    marks: &[u32],
    right: &[f32],
    x: &[f32],
) -> f32 {
    let rows = found.rows as usize;
    let column = of.columns[number as usize];
    let mut sum = -right[number as usize * rows + row];
    for k in column.members.first..column.members.end {
        let member = of.members[k as usize];
        let dof = member.dof as usize;
        let act = acting(dofs, asked, row, dof, marks[dof * rows + row], found.dt);
        sum += member.ratio * member.ratio * act.slope * x[number as usize * rows + row];
    }
    for k in column.near.first..column.near.end {
        let link = of.near[k as usize];
        let entry = of.entries[link.entry as usize];
        let other = x[link.column as usize * rows + row];
        for j in entry.sources.first..entry.sources.end {
            let source = of.sources[j as usize];
            sum += source.weight * found.masses[source.pair as usize * rows + row] * other;
        }
        if entry.ball != NONE {
            let first = of.columns[(entry.row - entry.a) as usize];
            let mark = mark_of(first, marks, rows, row);
            sum += block_entry(found, row, entry.ball, mark, entry.a, entry.b) * other;
        }
    }
    sum
}

/// Solves a component in one row: accelerations of its columns in `x`, factors in `matrix`, and the marks.
#[kernel(no_adjoint)]
pub(super) fn solve(
    of: System,
    dofs: Dofs,
    asked: Asked,
    found: Found,
    marks: &mut [u32],
    matrix: &mut [f32],
    right: &mut [f32],
    x: &mut [f32],
) {
    let (number, row) = tid2();
    let component = of.components[number];
    let rows = found.rows as usize;
    for number in component.first..component.end {
        let column = of.columns[number as usize];
        for k in column.members.first..column.members.end {
            let dof = of.members[k as usize].dof as usize;
            marks[dof * rows + row] = first_mark(asked.qd[row * dofs.strides.dofs as usize + dof]);
        }
    }
    let rounds: u32 = ROUNDS;
    for _ in 0..rounds {
        assemble(&of, &dofs, &asked, &found, component, row, marks, matrix, right, x);
        factor(&of, component, rows, row, matrix);
        substitute(&of, component, rows, row, matrix, x);
        let mut changed = false;
        for number in component.first..component.end {
            let column = of.columns[number as usize];
            let slot = column.dof as usize * rows + row;
            let mark = marks[slot];
            let qdd = x[number as usize * rows + row];
            let mut hold = 0.0;
            if is_held(&dofs, row, column.dof as usize, mark) {
                hold = holding(&of, &dofs, &asked, &found, row, number, marks, right, x);
            }
            let mut next = next_mark(&dofs, &asked, row, column.dof as usize, mark, found.dt, qdd, hold);
            if column.ball != NONE {
                let bounds = found.bounds[column.ball as usize * rows + row];
                let at = row * dofs.strides.dofs as usize + column.dof as usize;
                let first = number as usize * rows + row;
                let speed =
                    vec3_at(asked.qd, at) + found.dt * Vec3::new(x[first], x[first + rows], x[first + 2 * rows]);
                next |= beyond(bounds.cone, speed, found.dt, CONE) | beyond(bounds.twist, speed, found.dt, TWIST);
            }
            if column.prescribed {
                next = mark;
            }
            if next != mark {
                changed = true;
            }
            marks[slot] = next;
        }
        if !changed {
            break;
        }
    }
}

/// The mark of a bound that a step would go beyond.
#[func]
fn beyond(bound: Bound, speed: Vec3, dt: f32, mark: u32) -> u32 {
    if bound.room - dt * bound.along.dot(speed) < 0.0 { mark } else { 0 }
}
