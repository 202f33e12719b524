//! The derivative of a solution.
//!
//! A solution `x` of `A x = b` has the derivative `A⁻¹ (db - dA x)`. So `x + A⁻¹ (y - ȳ)` with `y = x + b - A x`, the value of that
//! as a constant in `ȳ`, and constants for `x` and the factors of `A⁻¹`, has the value and the derivative of the solution, bit for
//! bit, and no gradient goes through the elimination. Marks are constants too: the derivative is that of the step with what acts
//! now.

use warp::prelude::*;

use super::forces::{Asked, Dofs, acting, is_held};
use super::linear::substitute;
use super::pattern::System;
use super::solve::{Found, block_entry, block_force, held_rate, mark_of};
use crate::articulation::walk::vec3_at;
use crate::model::record::NONE;

/// Each column's acceleration, with what is left of its equation.
#[kernel]
pub(super) fn residual(of: System, dofs: Dofs, asked: Asked, found: Found, marks: &[u32], x: &[f32], out: &mut [f32]) {
    let (number, row) = tid2();
    let rows = found.rows as usize;
    let column = of.columns[number];
    let slot = number * rows + row;
    let mark = mark_of(column, marks, rows, row);
    let held = column.prescribed || is_held(&dofs, row, column.dof as usize, mark);
    let mut left = 0.0;
    if held {
        out[slot] = held_rate(column, acting(&dofs, &asked, row, column.dof as usize, mark, found.dt));
    } else {
        for k in column.members.first..column.members.end {
            let member = of.members[k as usize];
            let dof = member.dof as usize;
            let act = acting(&dofs, &asked, row, dof, marks[dof * rows + row], found.dt);
            left += member.ratio * (act.force - found.bias[dof * rows + row])
                - member.ratio * member.ratio * act.slope * x[slot];
        }
        for k in column.near.first..column.near.end {
            let link = of.near[k as usize];
            let other = of.columns[link.column as usize];
            let other_mark = mark_of(other, marks, rows, row);
            let other_held = other.prescribed || is_held(&dofs, row, other.dof as usize, other_mark);
            let mut rate = x[link.column as usize * rows + row];
            if other_held {
                rate = held_rate(other, acting(&dofs, &asked, row, other.dof as usize, other_mark, found.dt));
            }
            let entry = of.entries[link.entry as usize];
            for j in entry.sources.first..entry.sources.end {
                let source = of.sources[j as usize];
                left -= source.weight * found.masses[source.pair as usize * rows + row] * rate;
            }
            if entry.ball != NONE {
                let first = of.columns[(entry.row - entry.a) as usize];
                let mark = mark_of(first, marks, rows, row);
                left -= block_entry(&found, row, entry.ball, mark, entry.a, entry.b) * rate;
                if link.entry == column.pivot {
                    let at = row * dofs.strides.dofs as usize + first.dof as usize;
                    let speed = vec3_at(asked.qd, at);
                    left += block_force(&found, row, entry.ball, mark, entry.a, speed);
                }
            }
        }
        out[slot] = x[slot] + left;
    }
}

/// The solution with its derivative.
#[kernel]
pub(super) fn refine(
    of: System,
    rows: u32,
    factors: &[f32],
    x: &[f32],
    residual: &[f32],
    constant: &[f32],
    out: &mut [f32],
) {
    let (number, row) = tid2();
    let component = of.components[number];
    let rows = rows as usize;
    for number in component.first..component.end {
        let slot = number as usize * rows + row;
        out[slot] = residual[slot] - constant[slot];
    }
    substitute(&of, component, rows, row, factors, out);
    for number in component.first..component.end {
        let slot = number as usize * rows + row;
        out[slot] += x[slot];
    }
}
