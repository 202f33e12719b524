//! What a launch executed.

use crate::code::Class;
use crate::types::Space;

/// Counts of a launch: instructions are counted once for each thread that executes them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// All instructions that threads executed; those whose guard was false are not among them.
    pub total: u64,
    /// Instructions whose guard was false.
    pub skipped: u64,
    /// The most instructions that one thread executed.
    pub most_in_a_thread: u64,
    /// Threads of the launch.
    pub threads: u64,
    /// `mov`, `selp`, `cvta`.
    pub moves: u64,
    /// Arithmetic and logic of whole numbers and predicates.
    pub integer: u64,
    /// Arithmetic of `f32`.
    pub fp32: u64,
    /// Arithmetic of `f64`.
    pub fp64: u64,
    /// `cvt`.
    pub conversions: u64,
    /// `setp`, `set`, `testp`.
    pub comparisons: u64,
    /// `ld`, `st`.
    pub memory: u64,
    /// `atom`, `red`.
    pub atomics: u64,
    /// Branches, calls, returns.
    pub control: u64,
    /// Barriers, fences, and what warps do together.
    pub synchronisation: u64,
    /// Accesses to global memory, by generic addresses too.
    pub global: Accesses,
    /// Accesses to shared memory.
    pub shared: Accesses,
    /// Accesses to local memory.
    pub local: Accesses,
    /// Accesses to const memory.
    pub constant: Accesses,
    /// Accesses to parameters.
    pub param: Accesses,
}

/// Accesses to one kind of memory; a vector access is one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Loads.
    pub loads: u64,
    /// Stores.
    pub stores: u64,
    /// Atomic operations.
    pub atomics: u64,
    /// Bytes that loads read.
    pub bytes_loaded: u64,
    /// Bytes that stores wrote.
    pub bytes_stored: u64,
}

impl Counts {
    /// Adds `times` executions of an instruction.
    pub(crate) fn add(&mut self, class: Class, times: u64) {
        self.total += times;
        *match class {
            Class::Move => &mut self.moves,
            Class::Integer => &mut self.integer,
            Class::Fp32 => &mut self.fp32,
            Class::Fp64 => &mut self.fp64,
            Class::Conversion => &mut self.conversions,
            Class::Comparison => &mut self.comparisons,
            Class::Memory => &mut self.memory,
            Class::Atomic => &mut self.atomics,
            Class::Control => &mut self.control,
            Class::Synchronisation => &mut self.synchronisation,
        } += times;
    }

    /// The accesses of a space that an address was found to lie in.
    pub(crate) fn of(&mut self, space: Space) -> &mut Accesses {
        match space {
            Space::Generic | Space::Global => &mut self.global,
            Space::Shared => &mut self.shared,
            Space::Local => &mut self.local,
            Space::Const => &mut self.constant,
            Space::EntryParam | Space::Param => &mut self.param,
        }
    }
}
