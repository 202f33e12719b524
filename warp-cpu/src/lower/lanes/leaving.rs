//! How threads leave a loop by `break`, and what they carry then.
//!
//! `break` arrives as a branch one of whose arms sets a flag that the condition of the loop reads, and hands on what was
//! carried. Under masks the flag is one more mask of those that are still in the loop; and what the branch would choose for
//! the others need not be chosen: either it is not needed after the loop, or it stays what it was, as all else that is
//! carried does for those who have left.

use std::collections::HashMap;

use warp_ir::builtins::Builtin;
use warp_ir::ir::{Op, Region, Value};

/// A loop under masks.
pub(super) struct Loop<'k> {
    pub cond: &'k Region,
    pub body: &'k Region,
    pub inits: &'k [Value],
    /// For each of the values that it carries, whether it is needed afterwards.
    pub needed: Vec<bool>,
}

/// How threads leave a loop in its body.
pub(super) struct Break {
    /// The condition of the branch, and which of its arms they go through then.
    pub cond: Value,
    pub arm: usize,
    /// For results of the branch: they may be what the other arm computes, for all threads.
    pub decided: HashMap<Value, usize>,
    /// For each of the values that the loop carries, whether it stays what it was for those that leave.
    pub stays: Vec<bool>,
    /// Which of the carried values is false as long as a thread is in the loop, and true if it has left in this way.
    pub flag: Option<usize>,
}

impl Loop<'_> {
    /// How threads leave by the first branch through which they do. `uses` says how often values are used, `constants` has
    /// the bits of those that are constants.
    pub(super) fn by_break(&self, uses: &[u32], constants: &HashMap<Value, u64>) -> Option<Break> {
        self.body.ops.iter().find_map(|op| self.leaves(op, uses, constants))
    }

    fn leaves(&self, op: &Op, uses: &[u32], constants: &HashMap<Value, u64>) -> Option<Break> {
        let Op::If { cond, then, otherwise, results } = op else { return None };
        let arms = [then, otherwise];
        let carried = |value: Value| self.body.yields.iter().position(|yielded| *yielded == value);
        // What is carried on from an arm, where that is a constant.
        let flags = |arm: usize| {
            let own = carried(*cond).map(|position| (position, 1 - arm as u64));
            let given = results.iter().zip(&arms[arm].yields);
            let given = given.filter_map(|(result, value)| Some((carried(*result)?, *constants.get(value)?)));
            own.into_iter().chain(given).collect::<Vec<_>>()
        };
        let flags = [flags(0), flags(1)];
        let leaves = |arm: usize| flags[arm].iter().any(|(position, bits)| self.ends(*position, *bits, constants));
        let arm = match [leaves(0), leaves(1)] {
            [true, false] => 0,
            [false, true] => 1,
            _ => return None,
        };
        let mut decided = HashMap::new();
        let mut stays = vec![false; self.needed.len()];
        for (result, value) in results.iter().zip(&arms[arm].yields) {
            let Some(position) = carried(*result).filter(|_| uses[result.0 as usize] == 1) else { continue };
            stays[position] = *value == self.body.params[position];
            if stays[position] || !self.needed[position] {
                decided.insert(*result, 1 - arm);
            }
        }
        let is_flag = |position: usize| {
            !self.needed[position]
                && constants.get(&self.inits[position]) == Some(&0)
                && flags[arm].contains(&(position, 1))
                && flags[1 - arm].contains(&(position, 0))
        };
        let flag = (0..self.needed.len()).find(|position| is_flag(*position));
        Some(Break { cond: *cond, arm, decided, stays, flag })
    }

    /// Whether the loop does not go on where one of the values that it carries is a constant.
    fn ends(&self, position: usize, bits: u64, constants: &HashMap<Value, u64>) -> bool {
        let mut known: HashMap<Value, bool> = HashMap::from([(self.cond.params[position], bits == 1)]);
        for op in &self.cond.ops {
            let Op::Pure { builtin, args, result } = op else { continue };
            let is = |at: usize| known.get(&args[at]).copied().or(constants.get(&args[at]).map(|bits| *bits == 1));
            let value = match builtin {
                Builtin::Not => is(0).map(|a| !a),
                Builtin::And if is(0) == Some(false) || is(1) == Some(false) => Some(false),
                _ => None,
            };
            known.extend(value.map(|value| (*result, value)));
        }
        known.get(&self.cond.yields[0]) == Some(&false)
    }
}

/// The bits of the constants of a region.
pub(super) fn constants(region: &Region) -> HashMap<Value, u64> {
    let mut found = HashMap::new();
    note_constants(region, &mut found);
    found
}

fn note_constants(region: &Region, found: &mut HashMap<Value, u64>) {
    for op in &region.ops {
        if let Op::Const { bits, result } = op {
            found.insert(*result, *bits);
        }
        op.shape().regions.into_iter().for_each(|inner| note_constants(inner, found));
    }
}
