//! Lengths: a variant of a kernel for launches some of whose arrays are at least as long as others.
//!
//! `x[j]` and `v[j]` are two checks of one index. The second is needless where `v` is no shorter than `x`, as it is of
//! most launches, and as the gradient of an array always is. The variant says which lengths to compare.

use std::collections::HashMap;

use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

/// A dimension of an array.
pub type Dimension = (ArrayId, u8);

/// A condition on the arrays of a launch: the extent of `long` is at least that of `short`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtLeast {
    /// The dimension whose checks are gone.
    pub long: Dimension,
    /// The dimension whose checks stay.
    pub short: Dimension,
}

/// Drops each check of an index that has been checked before against another extent; gives what that takes for granted.
pub(super) fn compare_lengths(function: &mut Function) -> Vec<AtLeast> {
    let mut pass = Lengths::default();
    pass.region(&mut function.body);
    let mut taken = pass.taken;
    taken.sort_unstable();
    taken.dedup();
    if planted::is(Bug::LengthsForgetCondition) {
        taken.truncate(1);
    }
    taken
}

#[derive(Default)]
struct Lengths {
    extents: HashMap<Value, Dimension>,
    /// Comparisons of an index with an extent.
    below: HashMap<Value, (Value, Dimension)>,
    /// The indices that have been checked on the way here, and against what.
    passed: HashMap<Value, Dimension>,
    trail: Vec<Value>,
    taken: Vec<AtLeast>,
}

impl Lengths {
    fn region(&mut self, region: &mut Region) {
        let outside = self.trail.len();
        region.ops.retain_mut(|op| self.keeps(op));
        if !planted::is(Bug::LengthsTrustArms) {
            for index in self.trail.drain(outside..) {
                self.passed.remove(&index);
            }
        }
    }

    fn keeps(&mut self, op: &mut Op) -> bool {
        match op {
            Op::Extent { array, dim, result } => drop(self.extents.insert(*result, (*array, *dim))),
            Op::Pure { builtin: Builtin::Lt, args, result } => {
                if let Some(&extent) = self.extents.get(&args[1]) {
                    self.below.insert(*result, (args[0], extent));
                }
            }
            Op::Check { cond, .. } => {
                let Some(&(index, extent)) = self.below.get(cond) else { return true };
                if let Some(&short) = self.passed.get(&index) {
                    if short != extent {
                        self.taken.push(AtLeast { long: extent, short });
                    }
                    return false;
                }
                self.passed.insert(index, extent);
                self.trail.push(index);
            }
            Op::Loop { cond, body, .. } => {
                self.region(cond);
                // A turn begins with what the condition says of the counter.
                let counter = self.below.get(&cond.yields[0]).and_then(|&(index, extent)| {
                    let at = cond.params.iter().position(|&param| param == index)?;
                    (!self.passed.contains_key(&body.params[at])).then_some((body.params[at], extent))
                });
                if let Some((param, extent)) = counter {
                    self.passed.insert(param, extent);
                }
                self.region(body);
                if let Some((param, _)) = counter {
                    self.passed.remove(&param);
                }
            }
            _ => op.regions_mut().into_iter().for_each(|region| self.region(region)),
        }
        true
    }
}
