//! Effects: memory, checks, prints and calls.

use super::Builder;
use crate::ir::*;

/// Effects.
impl Builder {
    /// Reads a leaf.
    pub fn load(&mut self, mem: Mem, index: Value, leaf: u16) -> Value {
        let result = self.value(self.leaf(mem, leaf));
        self.push(Op::Load { mem, index, leaf, result });
        result
    }

    /// Writes a leaf.
    pub fn store(&mut self, mem: Mem, index: Value, leaf: u16, value: Value) {
        self.push(Op::Store { mem, index, leaf, value });
    }

    /// Writes a leaf of all elements of a local array.
    pub fn fill(&mut self, local: LocalId, leaf: u16, value: Value) {
        self.push(Op::Fill { local, leaf, value });
    }

    /// An atomic without comparison; gives the old value.
    pub fn atomic(&mut self, kind: AtomicKind, mem: Mem, index: Value, leaf: u16, value: Value) -> Value {
        let result = self.value(self.leaf(mem, leaf));
        self.push(Op::Atomic { kind, mem, index, leaf, value, compare: None, result });
        result
    }

    /// Writes `value` where `compare` stands; gives the old value.
    pub fn compare_exchange(&mut self, mem: Mem, index: Value, leaf: u16, compare: Value, value: Value) -> Value {
        let result = self.value(self.leaf(mem, leaf));
        let kind = AtomicKind::CompareExchange;
        self.push(Op::Atomic { kind, mem, index, leaf, value, compare: Some(compare), result });
        result
    }

    /// Stops the thread unless `cond` holds.
    pub fn check(&mut self, cond: Value, kind: CheckKind, operands: &[Value], source: SourceId) {
        self.push(Op::Check { cond, kind, operands: operands.into(), source });
    }

    /// Checks `index` against a dimension of an array parameter, or the length of a local array.
    pub fn check_index(&mut self, mem: Mem, dim: u8, index: Value, source: SourceId) {
        let extent = match mem {
            Mem::Array(a) => self.extent(a, dim),
            Mem::Local(_) => self.len(mem),
        };
        let cond = self.lt(index, extent);
        self.check(cond, CheckKind::Index { mem, dim }, &[index, extent], source);
    }

    /// Prints.
    pub fn print(&mut self, site: PrintId, args: &[Value]) {
        self.push(Op::Print { site, args: args.into() });
    }

    /// Calls a function that gives values of these types.
    pub fn call(
        &mut self,
        callee: CalleeId,
        args: &[Value],
        arrays: Vec<ArrayArg>,
        results: &[Scalar],
        source: SourceId,
    ) -> Vec<Value> {
        let results: Vec<Value> = results.iter().map(|&s| self.value(s)).collect();
        self.push(Op::Call { callee, args: args.into(), arrays, results: results.clone(), source });
        results
    }
}
