//! Solves the system of a component, one after the other row.

use warp::prelude::*;

use super::pattern::{Component, System};

/// Factors a matrix in its own place as `Lᵀ D L`, the inverse of `D` on the diagonal.
#[func]
pub(super) fn factor(of: &System, component: Component, rows: usize, row: usize, matrix: &mut [f32]) {
    let count = component.end - component.first;
    for step in 0..count {
        let column = of.columns[(component.end - 1 - step) as usize];
        let pivot = column.pivot as usize * rows + row;
        let inverse = 1.0 / matrix[pivot];
        matrix[pivot] = inverse;
        for k in column.updates.first..column.updates.end {
            let update = of.updates[k as usize];
            let product = matrix[update.a as usize * rows + row] * matrix[update.b as usize * rows + row];
            matrix[update.target as usize * rows + row] -= product * inverse;
        }
        for k in column.below.first..column.below.end {
            matrix[of.below[k as usize].entry as usize * rows + row] *= inverse;
        }
    }
}

/// Solves with the factors, in the right side's own place.
#[func]
pub(super) fn substitute(of: &System, component: Component, rows: usize, row: usize, factors: &[f32], x: &mut [f32]) {
    let count = component.end - component.first;
    for step in 0..count {
        let number = component.end - 1 - step;
        let column = of.columns[number as usize];
        let value = x[number as usize * rows + row];
        for k in column.below.first..column.below.end {
            let link = of.below[k as usize];
            x[link.column as usize * rows + row] -= factors[link.entry as usize * rows + row] * value;
        }
        x[number as usize * rows + row] = value * factors[column.pivot as usize * rows + row];
    }
    for number in component.first..component.end {
        let column = of.columns[number as usize];
        let mut value = x[number as usize * rows + row];
        for k in column.below.first..column.below.end {
            let link = of.below[k as usize];
            value -= factors[link.entry as usize * rows + row] * x[link.column as usize * rows + row];
        }
        x[number as usize * rows + row] = value;
    }
}
