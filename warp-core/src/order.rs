//! Whether what a launch leaves depends on the order of its threads.

use std::collections::HashSet;

use warp_ir::ir::{AtomicKind, Function, Mem, Op, Region, Value};

/// Whether some thread may read what another one left by an atomic: then a second launch need not give what the first
/// gave. Sums whose old values nobody reads are the same in any order, but for the rounding of floats, which the
/// device decides; plain races are the program's own business.
pub(crate) fn depends_on_order(function: &Function) -> bool {
    let mut found = Atomics::default();
    found.region(&function.body);
    found.exchanges || found.updated.iter().any(|at| found.loaded.contains(at)) || !found.old.is_disjoint(&found.read)
}

#[derive(Default)]
struct Atomics {
    /// Whether the last thread's value stays.
    exchanges: bool,
    /// Leaves of arrays that atomics update, and those that are loaded.
    updated: HashSet<(Mem, u16)>,
    loaded: HashSet<(Mem, u16)>,
    /// Old values, and values that something reads.
    old: HashSet<Value>,
    read: HashSet<Value>,
}

impl Atomics {
    fn region(&mut self, region: &Region) {
        self.read.extend(&region.yields);
        for op in &region.ops {
            let shape = op.shape();
            self.read.extend(shape.operands);
            match op {
                Op::Atomic { kind, mem: mem @ Mem::Array(_), leaf, result, .. } => {
                    self.exchanges |= matches!(kind, AtomicKind::Exchange | AtomicKind::CompareExchange);
                    self.updated.insert((*mem, *leaf));
                    self.old.insert(*result);
                }
                Op::Load { mem: mem @ Mem::Array(_), leaf, .. } => {
                    self.loaded.insert((*mem, *leaf));
                }
                _ => {}
            }
            shape.regions.into_iter().for_each(|inner| self.region(inner));
        }
    }
}
