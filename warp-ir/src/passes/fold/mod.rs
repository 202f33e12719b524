//! Folding: ops whose operands are known become constants, identities vanish, branches on known conditions disappear.
//!
//! One walk forward. Inside an arm its condition is known, after a check its condition is known, and inside a loop's body
//! what the loop's condition demands of the carried flags.

mod branch;
mod repeat;

use super::identity::{Simpler, simpler};
use super::known::Known;
use super::replace::Replacements;
use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

/// Folds a function; tells whether anything changed.
pub(super) fn fold(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut pass = Fold {
        known: Known::new(function),
        to: Replacements::new(function.values.len()),
        changed: false,
        stopped: false,
        function,
    };
    pass.region(&mut body);
    let changed = pass.changed;
    function.body = body;
    changed
}

struct Fold<'f> {
    function: &'f mut Function,
    known: Known,
    to: Replacements,
    changed: bool,
    /// A check that fails for certain has been met: no thread comes to the rest of the region.
    stopped: bool,
}

impl Fold<'_> {
    /// Folds a region in place, yields included. What is learned inside is forgotten after it.
    fn region(&mut self, region: &mut Region) {
        let scope = self.known.enter();
        self.stopped = false;
        let ops = std::mem::take(&mut region.ops);
        region.ops.reserve(ops.len());
        self.ops(ops, &mut region.ops);
        for at in 0..region.yields.len() {
            region.yields[at] = match self.stopped {
                true => self.constant(self.known.scalar(region.yields[at]), 0, &mut region.ops),
                false => self.constant_for(region.yields[at], &mut region.ops),
            };
        }
        self.stopped = false;
        self.known.leave(scope);
    }

    /// Folds ops, up to one that stops every thread.
    fn ops(&mut self, ops: Vec<Op>, out: &mut Vec<Op>) {
        for op in ops {
            if self.stopped {
                self.changed = true;
                return;
            }
            self.op(op, out);
        }
    }

    /// What stands for a yield. A value that is known here, but elsewhere not, becomes a constant.
    fn constant_for(&mut self, value: Value, ops: &mut Vec<Op>) -> Value {
        let value = self.to.get(value);
        match self.known.bits(value) {
            Some(bits) if self.known.only_here(value) => {
                self.changed = true;
                let scalar = self.known.scalar(value);
                self.constant(scalar, bits, ops)
            }
            _ => value,
        }
    }

    fn op(&mut self, mut op: Op, out: &mut Vec<Op>) {
        self.to.operands(&mut op);
        match op {
            Op::Const { bits, result } => {
                self.known.set_constant(result, bits);
                out.push(op);
            }
            Op::Pure { builtin, args, result } => self.pure(builtin, args, result, out),
            Op::Table { table, index, result } => self.lookup(table, index, result, out),
            Op::Check { cond, kind, operands, source } => match self.known.truth(cond) {
                Some(true) => self.changed = true,
                // It stops every thread that comes here. It stays, since it reports, and says by itself that it fails.
                Some(false) => {
                    let never = self.known.only_here(cond);
                    self.changed |= never;
                    let cond = if never { self.constant(Scalar::Bool, 0, out) } else { cond };
                    out.push(Op::Check { cond, kind, operands, source });
                    self.stopped = true;
                }
                None => {
                    out.push(Op::Check { cond, kind, operands, source });
                    self.known.learn(cond, 1);
                }
            },
            Op::Atomic { ref mut kind, ref mut value, .. } => {
                if let (Some(turned), Some((Builtin::Neg, &[x]))) = (turned(*kind), self.known.pure(*value)) {
                    (*kind, *value) = (turned, x);
                    self.changed = true;
                }
                out.push(op);
            }
            Op::If { cond, then, otherwise, results } => self.branch(cond, then, otherwise, results, out),
            Op::Loop { inits, cond, body, results } => self.repeat(inits, cond, body, results, out),
            _ => out.push(op),
        }
    }

    fn pure(&mut self, builtin: Builtin, args: Vec<Value>, result: Value, out: &mut Vec<Op>) {
        if let Some(bits) = self.evaluated(builtin, &args, result) {
            return self.become_constant(result, bits, out);
        }
        match simpler(&self.known, builtin, &args, self.known.scalar(result)) {
            Some(Simpler::Const(bits)) => self.become_constant(result, bits, out),
            Some(Simpler::Same(value)) => {
                self.changed = true;
                self.to.set(result, value);
            }
            Some(Simpler::Op(builtin, args)) => {
                self.changed = true;
                self.pure(builtin, args, result, out);
            }
            None => {
                self.known.set_pure(result, builtin, &args);
                out.push(Op::Pure { builtin, args, result });
            }
        }
    }

    /// The result's bits when all operands are known.
    fn evaluated(&self, builtin: Builtin, args: &[Value], result: Value) -> Option<u64> {
        let mut bits = [0; 4];
        let mut scalars = [Scalar::Bool; 4];
        if args.len() > 4 {
            return None;
        }
        for (at, &arg) in args.iter().enumerate() {
            bits[at] = self.known.bits(arg)?;
            scalars[at] = self.known.scalar(arg);
        }
        if planted::is(Bug::FoldSubtractsBackwards) && builtin == Builtin::Sub {
            bits.swap(0, 1);
        }
        builtin.eval(&scalars[..args.len()], self.known.scalar(result), &bits[..args.len()])
    }

    fn lookup(&mut self, table: u32, index: Value, result: Value, out: &mut Vec<Op>) {
        let elements = &self.function.tables[table as usize].1;
        match self.known.bits(index).and_then(|i| elements.get(i as usize)) {
            Some(&bits) => self.become_constant(result, bits, out),
            None => out.push(Op::Table { table, index, result }),
        }
    }

    fn become_constant(&mut self, result: Value, bits: u64, out: &mut Vec<Op>) {
        self.changed = true;
        self.known.set_constant(result, bits);
        out.push(Op::Const { bits, result });
    }

    /// A new constant.
    fn constant(&mut self, scalar: Scalar, bits: u64, out: &mut Vec<Op>) -> Value {
        let result = self.fresh(scalar);
        self.known.set_constant(result, bits);
        out.push(Op::Const { bits, result });
        result
    }

    fn fresh(&mut self, scalar: Scalar) -> Value {
        let value = self.function.value(scalar);
        self.known.add(value, scalar);
        value
    }
}

/// What an atomic does that adds the negative.
fn turned(kind: AtomicKind) -> Option<AtomicKind> {
    match kind {
        AtomicKind::Add => Some(AtomicKind::Sub),
        AtomicKind::Sub => Some(AtomicKind::Add),
        _ => None,
    }
}
