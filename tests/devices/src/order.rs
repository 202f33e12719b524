//! Whether the order of threads shows in what they leave.

use std::collections::HashSet;

use warp_ir::ir::{ArrayId, AtomicKind, Function, Mem, Op, Region, Value};

/// Whether a function adds floats by atomics, exchanges values, or uses what was in memory before or after an atomic.
pub fn order_counts(function: &Function) -> bool {
    let mut seen = Seen::default();
    seen.walk(&function.body);
    seen.atomics.iter().any(|atomic| {
        let adds = matches!(atomic.kind, AtomicKind::Add | AtomicKind::Sub) && function.scalar(atomic.value).is_float();
        let exchanges = matches!(atomic.kind, AtomicKind::Exchange | AtomicKind::CompareExchange);
        adds || exchanges || seen.used.contains(&atomic.result) || seen.touched.contains(&atomic.array)
    })
}

struct Atomic {
    kind: AtomicKind,
    array: ArrayId,
    value: Value,
    result: Value,
}

/// What the ops of a function do.
#[derive(Default)]
struct Seen {
    atomics: Vec<Atomic>,
    /// Values that something is made of.
    used: HashSet<Value>,
    /// Arrays with plain loads and stores.
    touched: HashSet<ArrayId>,
}

impl Seen {
    fn walk(&mut self, region: &Region) {
        for op in &region.ops {
            match *op {
                Op::Atomic { kind, mem: Mem::Array(array), value, result, .. } => {
                    self.atomics.push(Atomic { kind, array, value, result });
                }
                Op::Load { mem: Mem::Array(array), .. } | Op::Store { mem: Mem::Array(array), .. } => {
                    self.touched.insert(array);
                }
                _ => {}
            }
            let shape = op.shape();
            self.used.extend(shape.operands);
            shape.regions.into_iter().for_each(|inner| self.walk(inner));
        }
        self.used.extend(&region.yields);
    }
}
