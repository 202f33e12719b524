//! A kernel as a tree of numbered ops: who defines a value, and what stands inside what.

use std::collections::{BTreeMap, BTreeSet};

use crate::builtins::Builtin;
use crate::ir::*;

/// An op, by its position in the order of the text; a region's ops follow the op that owns the region.
pub(super) type OpId = usize;

/// The kernel's regions and ops in order.
pub(super) struct Tree<'k> {
    pub(super) function: &'k Function,
    pub(super) ops: Vec<Site<'k>>,
    defs: Vec<Def>,
    /// Values that cost next to nothing to compute again from parameters and coordinates.
    again: Vec<bool>,
    /// The stores, fills and atomics of each leaf, in order.
    writes: BTreeMap<(Mem, u16), Vec<OpId>>,
    /// The leaves that atomics write.
    atomics: BTreeSet<(Mem, u16)>,
}

/// An op and its place.
pub(super) struct Site<'k> {
    pub(super) op: &'k Op,
    /// The op whose region it stands in.
    pub(super) owner: Option<OpId>,
    /// The innermost loop around it.
    pub(super) inside: Option<OpId>,
    /// One behind the last op inside it.
    pub(super) end: OpId,
    /// The ops of each of its regions.
    pub(super) regions: Vec<Vec<OpId>>,
}

/// What defines a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Def {
    /// A scalar parameter.
    Param,
    /// A result of an op, by position.
    Result(OpId, usize),
    /// A parameter of a loop's condition.
    Cond(OpId, usize),
    /// A parameter of a loop's body.
    Carried(OpId, usize),
}

/// Largest expression that is computed again in place of being kept.
const AGAIN: usize = 6;

impl<'k> Tree<'k> {
    pub(super) fn new(function: &'k Function) -> Tree<'k> {
        let defs = vec![Def::Param; function.values.len()];
        let again = vec![false; function.values.len()];
        let (writes, atomics) = (BTreeMap::new(), BTreeSet::new());
        let mut tree = Tree { function, ops: vec![], defs, again, writes, atomics };
        tree.region(&function.body, None, None);
        let mut sizes = vec![None; function.values.len()];
        for param in &function.params {
            sizes[param.value.0 as usize] = Some(0);
        }
        for at in 0..tree.ops.len() {
            tree.size_up(at, &mut sizes);
        }
        tree
    }

    fn region(&mut self, region: &'k Region, owner: Option<OpId>, inside: Option<OpId>) -> Vec<OpId> {
        region.ops.iter().map(|op| self.op(op, owner, inside)).collect()
    }

    fn op(&mut self, op: &'k Op, owner: Option<OpId>, inside: Option<OpId>) -> OpId {
        let id = self.ops.len();
        self.ops.push(Site { op, owner, inside, end: 0, regions: vec![] });
        let written = match op {
            Op::Store { mem, leaf, .. } | Op::Atomic { mem, leaf, .. } => Some((*mem, *leaf)),
            Op::Fill { local, leaf, .. } => Some((Mem::Local(*local), *leaf)),
            _ => None,
        };
        if let Some(leaf) = written {
            self.writes.entry(leaf).or_default().push(id);
            if matches!(op, Op::Atomic { .. }) {
                self.atomics.insert(leaf);
            }
        }
        let shape = op.shape();
        for (k, result) in shape.results.iter().enumerate() {
            self.defs[result.0 as usize] = Def::Result(id, k);
        }
        if let Op::Loop { cond, body, .. } = op {
            for (k, (c, b)) in cond.params.iter().zip(&body.params).enumerate() {
                self.defs[c.0 as usize] = Def::Cond(id, k);
                self.defs[b.0 as usize] = Def::Carried(id, k);
            }
        }
        let around = if matches!(op, Op::Loop { .. }) { Some(id) } else { inside };
        let regions = shape.regions.into_iter().map(|r| self.region(r, Some(id), around)).collect();
        self.ops[id].regions = regions;
        self.ops[id].end = self.ops.len();
        id
    }

    /// Notes whether an op's result may be computed again wherever it is wanted.
    fn size_up(&mut self, at: OpId, sizes: &mut [Option<usize>]) {
        let (size, result) = match self.ops[at].op {
            Op::Const { result, .. }
            | Op::Slot { result, .. }
            | Op::Tid { result, .. }
            | Op::Extent { result, .. }
            | Op::Stride { result, .. } => (Some(1), *result),
            Op::Pure { builtin, args, result } if !carries(self.function.scalar(*result)) => {
                let parts: Option<Vec<usize>> = args.iter().map(|a| sizes[a.0 as usize]).collect();
                let faults = matches!(builtin, Builtin::Div | Builtin::Rem);
                (parts.filter(|_| !faults).map(|p| p.into_iter().sum::<usize>() + 1), *result)
            }
            _ => return,
        };
        sizes[result.0 as usize] = size.filter(|s| *s <= AGAIN);
        self.again[result.0 as usize] = sizes[result.0 as usize].is_some();
    }

    pub(super) fn def(&self, value: Value) -> Def {
        self.defs[value.0 as usize]
    }

    /// Whether a value is computed again where it is wanted, and so never kept.
    pub(super) fn is_again(&self, value: Value) -> bool {
        self.again[value.0 as usize]
    }

    /// The ops around an op, innermost first.
    pub(super) fn owners(&self, op: OpId) -> impl Iterator<Item = OpId> + '_ {
        std::iter::successors(self.ops[op].owner, |&o| self.ops[o].owner)
    }

    /// Whether `op` stands in a region of `outer`.
    pub(super) fn is_inside(&self, op: OpId, outer: OpId) -> bool {
        outer < op && op < self.ops[outer].end
    }

    /// The region of `outer` that an op inside it stands in.
    pub(super) fn arm(&self, op: OpId, outer: OpId) -> usize {
        let begins = |region: &Vec<OpId>| region.first().is_some_and(|&first| first <= op);
        self.ops[outer].regions.iter().rposition(begins).unwrap_or(0)
    }

    /// The stores, fills and atomics of a leaf, in order.
    pub(super) fn writes(&self, mem: Mem, leaf: u16) -> &[OpId] {
        self.writes.get(&(mem, leaf)).map_or(&[], Vec::as_slice)
    }

    /// Whether atomics write a leaf.
    pub(super) fn has_atomics(&self, mem: Mem, leaf: u16) -> bool {
        self.atomics.contains(&(mem, leaf))
    }

    /// Whether a value is defined in the body of a loop, or is carried by it; everything is inside no loop at all.
    pub(super) fn is_within(&self, value: Value, body: Option<OpId>) -> bool {
        let Some(body) = body else { return true };
        match self.def(value) {
            Def::Param => false,
            Def::Result(op, _) => self.is_inside(op, body),
            Def::Cond(op, _) | Def::Carried(op, _) => op == body || self.is_inside(op, body),
        }
    }

    /// Whether a value is defined by a region of `op`, so that nothing outside sees it.
    pub(super) fn is_hidden_in(&self, value: Value, op: OpId) -> bool {
        match self.def(value) {
            Def::Param => false,
            Def::Result(by, _) => self.is_inside(by, op),
            Def::Cond(by, _) | Def::Carried(by, _) => by == op || self.is_inside(by, op),
        }
    }

    /// The innermost loop whose turns define a value.
    pub(super) fn turns_of(&self, value: Value) -> Option<OpId> {
        match self.def(value) {
            Def::Param => None,
            Def::Result(op, _) => self.ops[op].inside,
            Def::Cond(op, _) | Def::Carried(op, _) => Some(op),
        }
    }

    /// The parts of a loop.
    pub(super) fn parts(&self, id: OpId) -> Parts<'k> {
        match self.ops[id].op {
            Op::Loop { inits, cond, body, results } => Parts { inits, cond, body, results },
            op => unreachable!("{op:?} is no loop"),
        }
    }

    /// The bits of a constant.
    pub(super) fn constant(&self, value: Value) -> Option<u64> {
        match self.def(value) {
            Def::Result(op, _) => match self.ops[op].op {
                Op::Const { bits, .. } => Some(*bits),
                _ => None,
            },
            _ => None,
        }
    }

    /// The builtin and operands that define a value.
    pub(super) fn pure(&self, value: Value) -> Option<(Builtin, &'k [Value])> {
        match self.def(value) {
            Def::Result(op, _) => match self.ops[op].op {
                Op::Pure { builtin, args, .. } => Some((*builtin, args)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The ops of the kernel's body itself.
    pub(super) fn top(&self) -> Vec<OpId> {
        (0..self.ops.len()).filter(|&at| self.ops[at].owner.is_none()).collect()
    }

    /// The ops inside an op, in order, without those inside inner loops.
    pub(super) fn turn_of(&self, op: OpId) -> Vec<OpId> {
        let around = if matches!(self.ops[op].op, Op::Loop { .. }) { Some(op) } else { self.ops[op].inside };
        (op + 1..self.ops[op].end).filter(|&inner| self.ops[inner].inside == around).collect()
    }
}

/// A loop.
#[derive(Clone, Copy)]
pub(super) struct Parts<'k> {
    pub(super) inits: &'k [Value],
    pub(super) cond: &'k Region,
    pub(super) body: &'k Region,
    pub(super) results: &'k [Value],
}

/// Whether values of this type have derivatives.
pub(super) fn carries(scalar: Scalar) -> bool {
    scalar.is_float() || scalar.is_half()
}

/// The type of an adjoint: sums of halves are made in single precision.
pub(super) fn adjoint_scalar(scalar: Scalar) -> Scalar {
    if scalar.is_half() { Scalar::F32 } else { scalar }
}
