//! Instructions as they run: names resolved to slots, types to functions.

use crate::arithmetic::carry::Carrying;
use crate::arithmetic::convert::Conversion;
use crate::arithmetic::{Binary, Ternary, Test, Unary};
use crate::types::{Space, Type};

/// Where a value of a thread lies in its frame: a register, a number of the text, an address or a special register.
pub(crate) type Slot = u32;

/// In place of the slot of a predicate: always.
pub(crate) const ALWAYS: Slot = Slot::MAX;

/// One instruction with its guard.
#[derive(Debug, Clone)]
pub(crate) struct Instruction {
    /// The predicate that must be true, or [`ALWAYS`].
    pub guard: Slot,
    /// The predicate must be false instead.
    pub negated: bool,
    pub op: Op,
}

/// A predicate as an operand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Condition {
    pub slot: Slot,
    pub negated: bool,
}

/// What an instruction does. `d` is where the result goes, `a`, `b`, `c` are the operands.
#[derive(Debug, Clone)]
pub(crate) enum Op {
    Move {
        d: Slot,
        a: Slot,
    },
    Unary {
        f: Unary,
        d: Slot,
        a: Slot,
    },
    Binary {
        f: Binary,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    Ternary {
        f: Ternary,
        d: Slot,
        a: Slot,
        b: Slot,
        c: Slot,
    },
    Quaternary {
        f: fn(u64, u64, u64, u64) -> u64,
        d: Slot,
        operands: [Slot; 4],
    },
    /// A second function follows the first: what `.sat` does.
    Then {
        first: Box<Op>,
        d: Slot,
        f: Unary,
    },
    Compare {
        f: Test,
        d: Slot,
        a: Slot,
        b: Slot,
    },
    /// `setp` with a second result or a third operand.
    CompareWith(Box<Comparison>),
    /// `set`: `truth` where the comparison holds, 0 elsewhere.
    Set {
        f: Test,
        d: Slot,
        a: Slot,
        b: Slot,
        truth: u64,
    },
    Select {
        d: Slot,
        a: Slot,
        b: Slot,
        p: Condition,
    },
    Carry {
        f: Carrying,
        d: Slot,
        operands: [Slot; 3],
        takes: bool,
        gives: bool,
    },
    Convert {
        how: Conversion,
        d: Slot,
        a: Slot,
    },
    /// Values of `bits` each, the first one lowest, into one.
    Pack {
        d: Slot,
        parts: Box<[Slot]>,
        bits: u32,
    },
    Unpack {
        parts: Box<[Slot]>,
        a: Slot,
        bits: u32,
    },
    Load {
        access: Access,
        parts: [Slot; 4],
        extend: Unary,
        /// Nobody writes there while the kernel runs: `.nc`.
        constant: bool,
    },
    Store {
        access: Access,
        parts: [Slot; 4],
    },
    Atomic(Box<Atomic>),
    /// The address in another space, or as a generic one.
    ToGeneric {
        space: Space,
        d: Slot,
        a: Slot,
    },
    FromGeneric {
        space: Space,
        d: Slot,
        a: Slot,
    },
    Branch {
        target: u32,
    },
    Call {
        site: u32,
    },
    Return,
    Exit,
    Trap,
    Barrier(Box<Barrier>),
    Warp(Box<WarpOp>),
    /// Fences and waits: threads run one by one, so they change nothing.
    Nothing,
}

/// Where a load, store or atomic operation goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub space: Space,
    /// Bytes of one element.
    pub size: u8,
    /// Elements: 1, 2 or 4.
    pub count: u8,
    pub base: Slot,
    pub offset: i64,
}

/// `setp` in full.
#[derive(Debug, Clone)]
pub(crate) struct Comparison {
    pub f: Test,
    pub p: Slot,
    /// Where the result for the opposite of the comparison goes.
    pub q: Option<Slot>,
    pub a: Slot,
    pub b: Slot,
    /// How results are combined with a third operand.
    pub with: Option<(Binary, Condition)>,
}

/// An atomic operation: reads, computes, writes, and gives what was there.
#[derive(Debug, Clone)]
pub(crate) struct Atomic {
    pub access: Access,
    /// None for `red`.
    pub d: Option<Slot>,
    pub b: Slot,
    pub c: Option<Slot>,
    pub update: Update,
}

/// What an atomic operation writes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Update {
    /// A function of the old value and the operand, in global memory and elsewhere.
    Function { global: Binary, elsewhere: Binary },
    /// `c` where the old value equals `b`.
    CompareAndSwap,
}

/// `bar.sync`, and `bar.red` with what it asks.
#[derive(Debug, Clone)]
pub(crate) struct Barrier {
    pub number: Slot,
    /// How many threads; none: all of the block.
    pub count: Option<Slot>,
    pub reduction: Option<(Slot, Condition, Reduction)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Count,
    All,
    Any,
}

/// What threads of a warp do together.
#[derive(Debug, Clone)]
pub(crate) enum WarpOp {
    Shuffle { mode: Shuffle, d: Slot, p: Option<Slot>, a: Slot, b: Slot, c: Slot, mask: Slot },
    Vote { mode: Vote, d: Slot, p: Condition, mask: Slot },
    MatchAny { d: Slot, a: Slot, mask: Slot },
    MatchAll { d: Slot, p: Option<Slot>, a: Slot, mask: Slot },
    Reduce { f: Binary, d: Slot, a: Slot, mask: Slot },
    Barrier { mask: Slot },
    Active { d: Slot },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vote {
    All,
    Any,
    Uniform,
    Ballot,
}

/// What an instruction counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Move,
    Integer,
    Fp32,
    Fp64,
    Conversion,
    Comparison,
    Memory,
    Atomic,
    Control,
    Synchronisation,
}

/// A value that is known before a thread runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Fixed {
    Bits(u64),
    Special(Special),
    /// An address in global memory, from where the module's variables begin.
    Global(u64),
    /// A shared variable and a distance.
    Shared(usize, i64),
    /// From where the local variables of the frame begin.
    Local(u64),
}

/// Special registers that are the same for all of a thread's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Thread(usize),
    ThreadCount(usize),
    Block(usize),
    BlockCount(usize),
    Lane,
    Warp,
    LanesEqual,
    LanesBelow,
    LanesUpTo,
    LanesAbove,
    LanesFrom,
    DynamicShared,
    TotalShared,
}

/// A function's code and what its frames need.
#[derive(Debug, Default)]
pub(crate) struct FunctionCode {
    /// The first instruction.
    pub start: usize,
    /// Behind the last one.
    pub end: usize,
    /// The names of slots that are registers; the rest are fixed values.
    pub names: Vec<String>,
    pub fixed: Vec<(Slot, Fixed)>,
    /// Bytes of parameters, results and those that it prepares for others.
    pub param_size: usize,
    pub local_size: usize,
    /// Shared variables that its instructions name.
    pub shared: Vec<usize>,
    /// Functions that it calls.
    pub callees: Vec<usize>,
}

impl FunctionCode {
    /// All slots of a frame.
    pub(crate) fn slots(&self) -> usize {
        self.names.len() + self.fixed.len()
    }
}

/// How a call hands values over.
#[derive(Debug, Default)]
pub(crate) struct CallSite {
    pub callee: usize,
    pub inputs: Vec<Transfer>,
    pub outputs: Vec<Transfer>,
}

/// From one frame to another.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Transfer {
    Register {
        from: Slot,
        to: Slot,
    },
    Bytes {
        from: usize,
        to: usize,
        size: usize,
    },
    /// A register into bytes.
    Value {
        from: Slot,
        to: usize,
        size: usize,
    },
}

/// A variable in shared memory.
#[derive(Debug)]
pub(crate) struct SharedVariable {
    pub size: u64,
    pub align: u64,
    /// Lies behind all others, in what the launch adds.
    pub dynamic: bool,
}

/// All code of a module.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub instructions: Vec<Instruction>,
    /// The line of each instruction.
    pub lines: Vec<u32>,
    pub classes: Vec<Class>,
    pub functions: Vec<FunctionCode>,
    pub sites: Vec<CallSite>,
    pub shared: Vec<SharedVariable>,
    /// The content of const memory.
    pub constants: Vec<u8>,
}

/// Whether a class of arithmetic is of integers or of which floats.
pub(crate) fn class_of(kind: Type) -> Class {
    match kind {
        Type::F32 => Class::Fp32,
        Type::F64 => Class::Fp64,
        _ => Class::Integer,
    }
}
