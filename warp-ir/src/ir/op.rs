//! Ops and regions.

use serde::{Deserialize, Serialize};

use super::{ArrayId, CalleeId, CheckKind, LocalId, Mem, PrintId, SourceId, Value};
use crate::builtins::Builtin;

/// A list of ops with parameters and yields.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Region {
    /// Values that the region gets on entry (carried values of a loop; none for `If`).
    pub params: Vec<Value>,
    /// The ops, in order of evaluation.
    pub ops: Vec<Op>,
    /// Values that the region hands out at its end.
    pub yields: Vec<Value>,
}

/// One operation. Types of values are in [`Function::values`](super::Function::values).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Op {
    /// A literal; the type is the result's, the bits are zero-extended.
    Const {
        /// The value.
        bits: u64,
        /// Defined here.
        result: Value,
    },
    /// A constant of the user's crate, by position in the table of slots.
    Slot {
        /// Position in the table.
        slot: u32,
        /// Defined here.
        result: Value,
    },
    /// The thread's coordinate in one dimension of the launch (`U64`); dimension 0 is the slowest.
    Tid {
        /// The dimension.
        dim: u8,
        /// Defined here.
        result: Value,
    },
    /// Length of one dimension of an array parameter (`U64`, below 2^48).
    Extent {
        /// The array.
        array: ArrayId,
        /// The dimension.
        dim: u8,
        /// Defined here.
        result: Value,
    },
    /// Distance in elements between neighbours in one dimension of an array parameter (`U64`, wrapping): an argument of
    /// a strided one, the product of the extents further in of another.
    Stride {
        /// The array.
        array: ArrayId,
        /// The dimension.
        dim: u8,
        /// Defined here.
        result: Value,
    },
    /// A pure builtin. What it takes and gives is its row's business.
    Pure {
        /// Which.
        builtin: Builtin,
        /// Its operands.
        args: Vec<Value>,
        /// Defined here; its type decides between instances where the operands do not (casts).
        result: Value,
    },
    /// An element of a constant table of the function.
    Table {
        /// Position in [`Function::tables`](super::Function::tables).
        table: u32,
        /// Index (`U64`), below the table's length by construction of the index.
        index: Value,
        /// Defined here.
        result: Value,
    },
    /// Reads a leaf of an element.
    Load {
        /// From where.
        mem: Mem,
        /// Flat element index (`U64`).
        index: Value,
        /// Leaf of the element.
        leaf: u16,
        /// Defined here.
        result: Value,
    },
    /// Writes a leaf of an element.
    Store {
        /// Where to.
        mem: Mem,
        /// Flat element index (`U64`).
        index: Value,
        /// Leaf of the element.
        leaf: u16,
        /// What.
        value: Value,
    },
    /// Writes one leaf of all elements of a local array.
    Fill {
        /// Where to.
        local: LocalId,
        /// Leaf of the elements.
        leaf: u16,
        /// What.
        value: Value,
    },
    /// Reads, combines and writes a leaf in one step; gives the old value.
    Atomic {
        /// How to combine.
        kind: AtomicKind,
        /// Where; only array parameters are shared, on a local array it is a plain read and write.
        mem: Mem,
        /// Flat element index (`U64`).
        index: Value,
        /// Leaf of the element.
        leaf: u16,
        /// The right-hand operand, or the new value of an exchange.
        value: Value,
        /// The value to compare with, for `CompareExchange` alone.
        compare: Option<Value>,
        /// The old value.
        result: Value,
    },
    /// Stops the thread and reports unless `cond` holds.
    Check {
        /// The condition (`Bool`).
        cond: Value,
        /// What is guarded.
        kind: CheckKind,
        /// Values that the report prints.
        operands: Vec<Value>,
        /// The user's expression.
        source: SourceId,
    },
    /// Records a line for the host to print.
    Print {
        /// The site.
        site: PrintId,
        /// Bits of the arguments, in the order of the site's `Arg` pieces.
        args: Vec<Value>,
    },
    /// Calls another function. Gone after linking.
    Call {
        /// Who.
        callee: CalleeId,
        /// Scalar arguments.
        args: Vec<Value>,
        /// Array arguments, one for each array parameter of the callee.
        arrays: Vec<ArrayArg>,
        /// Defined here.
        results: Vec<Value>,
        /// The user's expression.
        source: SourceId,
    },
    /// Runs one of two regions without parameters.
    If {
        /// The condition (`Bool`).
        cond: Value,
        /// When it holds.
        then: Region,
        /// When it does not.
        otherwise: Region,
        /// Defined here, from the yields of the region that ran.
        results: Vec<Value>,
    },
    /// `while cond(carried) { carried = body(carried) }`.
    Loop {
        /// First carried values.
        inits: Vec<Value>,
        /// Pure region; takes the carried values, yields one `Bool`.
        cond: Region,
        /// Takes the carried values, yields the next ones.
        body: Region,
        /// The carried values when the condition failed.
        results: Vec<Value>,
    },
    /// Hands values on, and says by itself what their derivative is: what becomes of `#[func(grad = ..)]`. How the values
    /// were computed counts for no gradient.
    Custom {
        /// What is handed on.
        values: Vec<Value>,
        /// The floats that the derivative is by.
        by: Vec<Value>,
        /// Takes the adjoints of the floats among the results, and yields those of `by`. It runs in the reverse sweep
        /// alone; it loads and computes, and stores to local arrays of its own.
        gradient: Region,
        /// Defined here: the values.
        results: Vec<Value>,
    },
}

/// How an atomic combines.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum AtomicKind {
    Add,
    Sub,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
}

/// An array handed to a callee: a whole array of the caller, or a part of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ArrayArg {
    /// The caller's memory.
    pub mem: Mem,
    /// For a sub-slice: flat index of its first element, and its length (both `U64`). Rank 1 only.
    pub part: Option<(Value, Value)>,
    /// It is a copy of memory that other threads may write at the same time, and goes back after the call.
    pub copied: bool,
}

/// The nested regions and the operands of an op, in order. See [`Op::shape`].
#[derive(Debug)]
pub struct Shape<'a> {
    /// Values read by the op itself, not by its regions.
    pub operands: Vec<Value>,
    /// Values defined by the op in the enclosing region.
    pub results: &'a [Value],
    /// Nested regions.
    pub regions: Vec<&'a Region>,
}

impl Op {
    /// Operands, results and regions in one form, so that passes need no list of all ops of their own.
    pub fn shape(&self) -> Shape<'_> {
        use std::slice::from_ref;
        let (operands, results, regions): (Vec<Value>, &[Value], Vec<&Region>) = match self {
            Op::Const { result, .. }
            | Op::Slot { result, .. }
            | Op::Tid { result, .. }
            | Op::Extent { result, .. }
            | Op::Stride { result, .. } => (vec![], from_ref(result), vec![]),
            Op::Pure { args, result, .. } => (args.clone(), from_ref(result), vec![]),
            Op::Table { index, result, .. } | Op::Load { index, result, .. } => {
                (vec![*index], from_ref(result), vec![])
            }
            Op::Store { index, value, .. } => (vec![*index, *value], &[], vec![]),
            Op::Fill { value, .. } => (vec![*value], &[], vec![]),
            Op::Atomic { index, value, compare, result, .. } => {
                let mut operands = vec![*index, *value];
                operands.extend(compare);
                (operands, from_ref(result), vec![])
            }
            Op::Check { cond, operands, .. } => {
                let mut all = vec![*cond];
                all.extend(operands);
                (all, &[], vec![])
            }
            Op::Print { args, .. } => (args.clone(), &[], vec![]),
            Op::Call { args, arrays, results, .. } => {
                let mut all = args.clone();
                all.extend(arrays.iter().filter_map(|a| a.part).flat_map(|(start, len)| [start, len]));
                (all, results, vec![])
            }
            Op::If { cond, then, otherwise, results } => (vec![*cond], results, vec![then, otherwise]),
            Op::Loop { inits, cond, body, results } => (inits.clone(), results, vec![cond, body]),
            Op::Custom { values, by, gradient, results } => ([&values[..], by].concat(), results, vec![gradient]),
        };
        Shape { operands, results, regions }
    }

    /// Applies `f` to each operand of the op itself, in the order of [`Shape::operands`]; regions are left alone.
    pub fn map_operands(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            Op::Const { .. } | Op::Slot { .. } | Op::Tid { .. } | Op::Extent { .. } | Op::Stride { .. } => {}
            Op::Pure { args, .. } | Op::Print { args, .. } => args.iter_mut().for_each(f),
            Op::Table { index, .. } | Op::Load { index, .. } => f(index),
            Op::Store { index, value, .. } => {
                f(index);
                f(value);
            }
            Op::Fill { value, .. } => f(value),
            Op::Atomic { index, value, compare, .. } => {
                f(index);
                f(value);
                compare.iter_mut().for_each(f);
            }
            Op::Check { cond, operands, .. } => {
                f(cond);
                operands.iter_mut().for_each(f);
            }
            Op::Call { args, arrays, .. } => {
                args.iter_mut().for_each(&mut f);
                for (start, len) in arrays.iter_mut().filter_map(|a| a.part.as_mut()) {
                    f(start);
                    f(len);
                }
            }
            Op::If { cond, .. } => f(cond),
            Op::Loop { inits, .. } => inits.iter_mut().for_each(f),
            Op::Custom { values, by, .. } => values.iter_mut().chain(by).for_each(f),
        }
    }

    /// Applies `f` to each value that the op defines in the enclosing region.
    pub fn map_results(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            Op::Const { result, .. }
            | Op::Slot { result, .. }
            | Op::Tid { result, .. }
            | Op::Extent { result, .. }
            | Op::Stride { result, .. }
            | Op::Pure { result, .. }
            | Op::Table { result, .. }
            | Op::Load { result, .. }
            | Op::Atomic { result, .. } => f(result),
            Op::Call { results, .. }
            | Op::If { results, .. }
            | Op::Loop { results, .. }
            | Op::Custom { results, .. } => results.iter_mut().for_each(f),
            Op::Store { .. } | Op::Fill { .. } | Op::Check { .. } | Op::Print { .. } => {}
        }
    }

    /// Applies `f` to the local array that the op itself uses, where it uses one; those that calls lend are left alone.
    pub fn map_local(&mut self, mut f: impl FnMut(&mut LocalId)) {
        match self {
            Op::Load { mem: Mem::Local(local), .. }
            | Op::Store { mem: Mem::Local(local), .. }
            | Op::Atomic { mem: Mem::Local(local), .. }
            | Op::Fill { local, .. } => f(local),
            Op::Check {
                kind: CheckKind::Index { mem: Mem::Local(local), .. } | CheckKind::SliceRange { mem: Mem::Local(local) },
                ..
            } => f(local),
            _ => {}
        }
    }

    /// The nested regions, mutably.
    pub fn regions_mut(&mut self) -> Vec<&mut Region> {
        match self {
            Op::If { then, otherwise, .. } => vec![then, otherwise],
            Op::Loop { cond, body, .. } => vec![cond, body],
            Op::Custom { gradient, .. } => vec![gradient],
            _ => vec![],
        }
    }

    /// Whether the op itself depends on operands alone and changes nothing: it may be dropped when unused, and
    /// computed once where two are alike. Ops with regions are not pure themselves; loads depend on memory.
    pub fn is_pure(&self) -> bool {
        matches!(
            self,
            Op::Const { .. }
                | Op::Slot { .. }
                | Op::Tid { .. }
                | Op::Extent { .. }
                | Op::Stride { .. }
                | Op::Pure { .. }
                | Op::Table { .. }
        )
    }
}
