//! The state of one thread.

use super::bytes::Bytes;
use crate::code::{Condition, Slot};

/// What a slot of a frame holds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Value {
    pub bits: u64,
    /// Nothing was written yet where this is false.
    pub known: bool,
}

/// Why a thread cannot go on; the block says where and which.
#[derive(Debug)]
pub(super) enum Trouble {
    /// A register was read before it was written.
    Unwritten(Slot),
    Text(String),
}

/// Errors are rare and results pass through every instruction, so they are kept small.
pub(super) type Checked<T> = Result<T, Box<Trouble>>;

/// An error with that sentence.
pub(super) fn trouble<T>(message: impl Into<String>) -> Checked<T> {
    Err(Box::new(Trouble::Text(message.into())))
}

/// Whether a thread may run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum State {
    #[default]
    Ready,
    /// At the barrier of its next instruction.
    AtBarrier,
    /// At what a warp does together, in its next instruction.
    AtWarp,
    Exited,
}

/// Where a caller goes on.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Frame {
    pub return_to: usize,
    pub function: usize,
    pub site: usize,
    pub values: usize,
    pub params: usize,
    pub locals: usize,
}

/// One thread.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// Its number in the block.
    pub index: u32,
    pub id: [u32; 3],
    pub state: State,
    /// Whether it has its first frame.
    pub begun: bool,
    /// The next instruction.
    pub at: usize,
    pub values: Vec<Value>,
    /// Where the frame of the running function begins, in values, parameters and local memory.
    pub frame: Frame,
    pub callers: Vec<Frame>,
    pub params: Bytes,
    pub locals: Bytes,
    /// The carry of `.cc`, unknown before the first.
    pub carry: Option<bool>,
    pub executed: u64,
}

impl Thread {
    /// The threads of a block of that shape.
    pub(super) fn all(shape: [u32; 3]) -> Vec<Self> {
        let [x, y, z] = shape;
        let id = |k: u32| [k % x, k / x % y, k / x / y];
        (0..x * y * z).map(|index| Self { index, id: id(index), ..Self::default() }).collect()
    }

    /// Makes it a thread of the next block.
    pub(super) fn reset(&mut self) {
        self.state = State::Ready;
        self.begun = false;
        self.carry = None;
        self.executed = 0;
    }

    /// Takes over the memory of another, which needs it no more.
    pub(super) fn take_memory(&mut self, other: &mut Self) {
        self.values = std::mem::take(&mut other.values);
        self.params = std::mem::take(&mut other.params);
        self.locals = std::mem::take(&mut other.locals);
    }

    /// A slot's value.
    #[inline(always)]
    pub(super) fn get(&self, slot: Slot) -> Checked<u64> {
        let value = self.values[self.frame.values + slot as usize];
        if value.known { Ok(value.bits) } else { Err(unwritten(slot)) }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, slot: Slot, bits: u64) {
        self.values[self.frame.values + slot as usize] = Value { bits, known: true };
    }

    /// Copies a slot as it is. Compilers write `selp` of registers that hold nothing yet, where the result is not used;
    /// it holds nothing then.
    pub(super) fn copy(&mut self, to: Slot, from: Slot) {
        self.values[self.frame.values + to as usize] = self.values[self.frame.values + from as usize];
    }

    /// A result that the manual leaves open: nobody may read it.
    pub(super) fn forget(&mut self, slot: Slot) {
        self.values[self.frame.values + slot as usize].known = false;
    }

    #[inline(always)]
    pub(super) fn holds(&self, condition: Condition) -> Checked<bool> {
        Ok((self.get(condition.slot)? != 0) != condition.negated)
    }
}

#[cold]
fn unwritten(slot: Slot) -> Box<Trouble> {
    Box::new(Trouble::Unwritten(slot))
}
