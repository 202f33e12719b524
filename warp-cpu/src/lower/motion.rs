//! Loads that may move to where their value is used.
//!
//! A load that stays where it stands keeps its register until its use, which may be a hundred instructions on: a gradient
//! that gathers four vectors first spills them all. What no thread of the launch writes may be read later just as well, so
//! such loads are made free to move, and the code generator makes them where they are needed.
//!
//! Free to move, a load could also leave its loop when its address does not change there, and so run before the check that
//! makes it valid. Only loads whose address changes from thread to thread, outside the kernel's own loops, are made free;
//! and [`Motion::stayed_inside`] holds the finished code to it, since the code generator may know better what changes.
//! What a loop of the kernel needs is loaded before it, and not in each turn.

use cranelift_codegen::ir as clif;
use warp_ir::ir::{ArrayId, Kernel, Mem, Op, Region, Value};

use super::survey::written;

/// The loads of a kernel that may move.
#[derive(Clone, Default)]
pub(crate) struct Motion {
    /// Whether a value is the result of such a load.
    free: Vec<bool>,
    /// The blocks from which a thread's code is entered.
    pub before: Vec<clif::Block>,
}

impl Motion {
    pub fn of(kernel: &Kernel) -> Motion {
        let function = &kernel.function;
        let written = written(function, false);
        let values = function.values.len();
        let last = kernel.rank.saturating_sub(1);
        let mut needed = vec![false; values];
        needs_of_loops(&function.body, false, &mut needed);
        let mut search = Search { last, written, needed, varies: vec![false; values], free: vec![false; values] };
        search.region(&function.body, false);
        Motion { free: search.free, before: vec![] }
    }

    /// Whether the load that gives a value may move.
    pub fn is_free(&self, result: Value) -> bool {
        self.free.get(result.0 as usize).is_some_and(|&free| free)
    }

    /// Whether no load has left the loop over threads.
    pub fn stayed_inside(&self, function: &clif::Function) -> bool {
        let dfg = &function.dfg;
        let moved = |inst| dfg.insts[inst].memflags_data(dfg).is_some_and(|flags| flags.can_move());
        self.before.iter().all(|&block| !function.layout.block_insts(block).any(moved))
    }
}

struct Search {
    /// The dimension that the innermost loop over threads walks.
    last: u8,
    written: Vec<bool>,
    /// Values that loops need.
    needed: Vec<bool>,
    /// Values that are another in each turn of that loop, as far as one can see.
    varies: Vec<bool>,
    free: Vec<bool>,
}

impl Search {
    fn region(&mut self, region: &Region, in_loop: bool) {
        for op in &region.ops {
            let shape = op.shape();
            let varies = match op {
                Op::Tid { dim, .. } => *dim == self.last,
                // Where they are the same in all threads they stay where they stand, and what depends on them does.
                Op::Load { .. } | Op::Atomic { .. } | Op::If { .. } | Op::Loop { .. } => true,
                _ => shape.operands.iter().any(|&operand| self.varies(operand)),
            };
            shape.results.iter().for_each(|result| self.varies[result.0 as usize] = varies);
            if let Op::Load { mem: Mem::Array(ArrayId(array)), index, result, .. } = op {
                let stays = in_loop || self.needed[result.0 as usize] || self.written[*array as usize];
                self.free[result.0 as usize] = !stays && self.varies(*index);
            }
            for inner in shape.regions {
                inner.params.iter().for_each(|param| self.varies[param.0 as usize] = true);
                self.region(inner, in_loop || matches!(op, Op::Loop { .. }));
            }
        }
    }

    fn varies(&self, value: Value) -> bool {
        self.varies[value.0 as usize]
    }
}

/// The values from outside that loops need, and what those are computed from.
fn needs_of_loops(region: &Region, in_loop: bool, needed: &mut [bool]) {
    for op in region.ops.iter().rev() {
        let shape = op.shape();
        for inner in shape.regions {
            let in_loop = in_loop || matches!(op, Op::Loop { .. });
            inner.yields.iter().for_each(|value| needed[value.0 as usize] |= in_loop);
            needs_of_loops(inner, in_loop, needed);
        }
        let moves = op.is_pure() || matches!(op, Op::Load { .. });
        let needs = in_loop || moves && shape.results.iter().any(|result| needed[result.0 as usize]);
        shape.operands.iter().for_each(|operand| needed[operand.0 as usize] |= needs);
    }
}
