//! Common subexpressions: a pure op that was computed before, in the same region or one around it, is not computed again.

use super::replace::Replacements;
use crate::builtins::Builtin;
use crate::hash::QuickMap;
use crate::ir::*;
use crate::planted::{self, Bug};

/// Removes common subexpressions.
pub(super) fn eliminate_common(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let mut pass =
        Eliminate { function, to: Replacements::new(function.values.len()), seen: QuickMap::default(), order: vec![] };
    pass.region(&mut body);
    function.body = body;
}

/// What makes two pure ops alike.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Const(Scalar, u64),
    Slot(u32),
    Tid(u8),
    Extent(ArrayId, u8),
    Stride(ArrayId, u8),
    Table(u32, Value),
    Pure(Builtin, Scalar, [Value; 3]),
    Long(Builtin, Scalar, Vec<Value>),
}

struct Eliminate<'f> {
    function: &'f Function,
    to: Replacements,
    seen: QuickMap<Key, Value>,
    /// Keys in the order in which they came, so that a region takes its own away again.
    order: Vec<Key>,
}

impl Eliminate<'_> {
    fn region(&mut self, region: &mut Region) {
        let begin = self.order.len();
        region.ops.retain_mut(|op| {
            self.to.operands(op);
            op.regions_mut().into_iter().for_each(|r| self.region(r));
            !self.is_known(op)
        });
        self.to.all(&mut region.yields);
        if planted::is(Bug::CommonLeaksFromRegions) {
            return;
        }
        for key in self.order.drain(begin..) {
            self.seen.remove(&key);
        }
    }

    /// Whether an op repeats an earlier one; its result then stands for that one's.
    fn is_known(&mut self, op: &Op) -> bool {
        let Some((key, result)) = self.key(op) else { return false };
        if let Some(&earlier) = self.seen.get(&key) {
            self.to.set(result, earlier);
            return true;
        }
        self.order.push(key.clone());
        self.seen.insert(key, result);
        false
    }

    fn key(&self, op: &Op) -> Option<(Key, Value)> {
        Some(match op {
            Op::Const { bits, result } => (Key::Const(self.function.scalar(*result), *bits), *result),
            Op::Slot { slot, result } => (Key::Slot(*slot), *result),
            Op::Tid { dim, result } => (Key::Tid(*dim), *result),
            Op::Extent { array, dim, result } => (Key::Extent(*array, *dim), *result),
            Op::Stride { array, dim, result } => (Key::Stride(*array, *dim), *result),
            Op::Table { table, index, result } => (Key::Table(*table, *index), *result),
            Op::Pure { builtin, args, result } => (self.pure(*builtin, args, *result), *result),
            _ => return None,
        })
    }

    fn pure(&self, builtin: Builtin, args: &[Value], result: Value) -> Key {
        let scalar = match planted::is(Bug::CommonIgnoresResultType) {
            true => Scalar::Bool,
            false => self.function.scalar(result),
        };
        if args.len() > 3 {
            return Key::Long(builtin, scalar, args.into());
        }
        let mut three = [Value(u32::MAX); 3];
        three[..args.len()].copy_from_slice(args);
        if commutes(builtin, scalar) && three[0] > three[1] {
            three.swap(0, 1);
        }
        Key::Pure(builtin, scalar, three)
    }
}

/// Whether the first two operands may change places, exactly. At a tie the first operand of a minimum of floats gets the
/// gradient.
fn commutes(builtin: Builtin, scalar: Scalar) -> bool {
    use Builtin::*;
    match builtin {
        Sub => planted::is(Bug::CommonSubtractionCommutes),
        Min | Max => scalar.is_int(),
        _ => matches!(builtin, Add | Mul | And | Or | Xor | Eq | Ne | Fma),
    }
}
