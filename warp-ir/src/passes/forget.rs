//! Forgetting derivatives: for code that only runs forward, what a `Custom` hands on stands for its results.

use super::replace::Replacements;
use crate::ir::{Function, Op, Region};

/// Takes derivatives of the user's own out.
pub(super) fn forget(function: &mut Function) {
    let mut to = Replacements::new(function.values.len());
    region(&mut function.body, &mut to);
}

fn region(within: &mut Region, to: &mut Replacements) {
    within.ops.retain_mut(|op| {
        to.operands(op);
        op.regions_mut().into_iter().for_each(|inner| region(inner, to));
        let Op::Custom { values, results, .. } = op else { return true };
        results.iter().zip(values).for_each(|(&result, &mut value)| to.set(result, value));
        false
    });
    to.all(&mut within.yields);
}
