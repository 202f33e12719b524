//! Which values are constants.

use crate::ir::{Op, Region};

/// The bits of each value that a `Const` in `body` defines, for `count` values.
pub(super) fn constants_of(body: &Region, count: usize) -> Vec<Option<u64>> {
    let mut found = vec![None; count];
    add_constants(body, &mut found);
    found
}

/// Adds the constants of a region.
pub(super) fn add_constants(region: &Region, found: &mut [Option<u64>]) {
    for op in &region.ops {
        match op {
            Op::Const { bits, result } => found[result.0 as usize] = Some(*bits),
            Op::If { then, otherwise, .. } => {
                add_constants(then, found);
                add_constants(otherwise, found);
            }
            Op::Loop { cond, body, .. } => {
                add_constants(cond, found);
                add_constants(body, found);
            }
            _ => {}
        }
    }
}
