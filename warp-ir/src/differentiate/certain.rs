//! Which values are certain to be used by what uses them.
//!
//! Where a value is used in an arm that did not run, was dropped by a choice or is overwritten in memory, its adjoint is
//! zero. So it is where an infinite value made a finite one, as in `1 / (1 + exp(x))`. A rule that multiplies it with
//! something infinite would make a NaN of that, so such ops get the guarded form of their rules. All others are spared the
//! comparison: if there is something infinite in them, then what the kernel leaves in memory is not finite either, and the
//! variant of the adjoint whose ops are all guarded is for that.

use super::tree::{Def, OpId, Tree};
use crate::builtins::Builtin;
use crate::ir::*;

/// For each op, whether its result may go unused although the op ran, or lose an infinity on the way to memory.
pub(super) fn droppable(tree: &Tree<'_>) -> Vec<bool> {
    let mut certain = Certain { tree, values: vec![true; tree.function.values.len()] };
    // From "all are" down to what holds: an accumulator is used by the next turn's, and the last one behind the loop.
    while certain.walk() {}
    let dropped = |site: &super::tree::Site<'_>| match site.op {
        Op::Pure { result, .. } => !certain.of(*result),
        _ => false,
    };
    tree.ops.iter().map(dropped).collect()
}

struct Certain<'a, 'k> {
    tree: &'a Tree<'k>,
    values: Vec<bool>,
}

impl Certain<'_, '_> {
    fn of(&self, value: Value) -> bool {
        self.values[value.0 as usize]
    }

    /// One walk over all uses; whether some value turned out not to be certain of any.
    fn walk(&mut self) -> bool {
        let mut used = vec![false; self.values.len()];
        for at in 0..self.tree.ops.len() {
            self.uses(at, &mut used);
        }
        let changed = used != self.values;
        self.values = used;
        changed
    }

    fn uses(&self, at: OpId, used: &mut [bool]) {
        let mut use_if = |value: Value, certain: bool| used[value.0 as usize] |= certain;
        match self.tree.ops[at].op {
            Op::Pure { builtin, args, result } => {
                let passed = args.iter().take(keeps_infinity(*builtin));
                passed.for_each(|&arg| use_if(arg, self.of(*result) && self.is_beside(arg, at)));
            }
            Op::Store { mem: Mem::Array(array), leaf, value, .. } => {
                use_if(*value, self.is_beside(*value, at) && self.stays(at, *array, *leaf));
            }
            Op::Atomic { kind: AtomicKind::Add | AtomicKind::Sub, mem: Mem::Array(array), leaf, value, .. } => {
                use_if(*value, self.is_beside(*value, at) && self.stays(at, *array, *leaf));
            }
            Op::If { then, otherwise, results, .. } => {
                for (k, &result) in results.iter().enumerate() {
                    let (a, b) = (then.yields[k], otherwise.yields[k]);
                    for yielded in [a, b] {
                        let through = a == b && self.is_beside(yielded, at);
                        use_if(yielded, self.of(result) && (through || self.is_made_in(yielded, at)));
                    }
                }
            }
            Op::Loop { inits, body, results, .. } => {
                for k in 0..inits.len() {
                    // Used by the next turn, and by what follows the last.
                    let always = self.of(results[k]) && self.of(body.params[k]);
                    use_if(inits[k], always && self.is_beside(inits[k], at));
                    use_if(body.yields[k], always && self.is_made_in(body.yields[k], at));
                }
            }
            _ => {}
        }
    }

    /// Whether nothing can overwrite what an op leaves in a leaf: no other op behind it, and no other turn.
    fn stays(&self, at: OpId, array: ArrayId, leaf: u16) -> bool {
        let mut owner = self.tree.ops[at].owner;
        while let Some(outer) = owner {
            if matches!(self.tree.ops[outer].op, Op::Loop { .. }) {
                return false;
            }
            owner = self.tree.ops[outer].owner;
        }
        let adds =
            |other: OpId| matches!(self.tree.ops[other].op, Op::Atomic { kind: AtomicKind::Add | AtomicKind::Sub, .. });
        !self.tree.writes(Mem::Array(array), leaf).iter().any(|&other| other > at && !adds(other))
    }

    /// Whether a value is made by the region in which the op stands, so that it is made only where the op runs.
    fn is_beside(&self, value: Value, at: OpId) -> bool {
        self.region_of(value) == self.tree.ops[at].owner
    }

    /// Whether a value is made by a region of the op.
    fn is_made_in(&self, value: Value, at: OpId) -> bool {
        self.region_of(value) == Some(at)
    }

    /// The op in whose region a value is made.
    fn region_of(&self, value: Value) -> Option<OpId> {
        match self.tree.def(value) {
            Def::Param => None,
            Def::Result(op, _) => self.tree.ops[op].owner,
            Def::Cond(op, _) | Def::Carried(op, _) => Some(op),
        }
    }
}

/// How many of the first operands are such that the result is not finite if they are not. Choices drop those of one side,
/// what is divided by something infinite is zero, and what has no rule drops all.
fn keeps_infinity(builtin: Builtin) -> usize {
    match builtin {
        Builtin::Add | Builtin::Sub | Builtin::Mul => 2,
        Builtin::Fma => 3,
        Builtin::Neg | Builtin::Abs | Builtin::Sqrt | Builtin::Cast | Builtin::Div => 1,
        Builtin::Sin | Builtin::Cos | Builtin::Ln => 1,
        _ => 0,
    }
}
