//! Atomics on local arrays are plain reads and writes, and are taken apart into them before anything else.

use std::borrow::Cow;

use super::{Refusal, refusal};
use crate::builtins::Builtin;
use crate::ir::*;
use crate::validate::Valid;

/// The kernel without atomics on local arrays.
pub(super) fn plain(kernel: &Valid<Kernel>) -> Result<Cow<'_, Valid<Kernel>>, Refusal> {
    if !has_any(&kernel.function.body) {
        return Ok(Cow::Borrowed(kernel));
    }
    let mut plain = Kernel::clone(kernel);
    let mut body = std::mem::take(&mut plain.function.body);
    region(&mut plain.function, &mut body);
    plain.function.body = body;
    Valid::<Kernel>::new(plain).map(Cow::Owned).map_err(|e| refusal::gap(&e.to_string()))
}

fn is_local(op: &Op) -> bool {
    matches!(op, Op::Atomic { mem: Mem::Local(_), .. })
}

fn has_any(region: &Region) -> bool {
    region.ops.iter().any(|op| is_local(op) || op.shape().regions.into_iter().any(has_any))
}

fn region(function: &mut Function, within: &mut Region) {
    for mut op in std::mem::take(&mut within.ops) {
        op.regions_mut().into_iter().for_each(|inner| region(function, inner));
        match op {
            Op::Atomic { kind, mem: mem @ Mem::Local(_), index, leaf, value, compare, result } => {
                within.ops.push(Op::Load { mem, index, leaf, result });
                let new = match (kind, compare) {
                    (AtomicKind::Exchange, _) => value,
                    (_, Some(compare)) => exchanged(function, &mut within.ops, [result, compare, value]),
                    _ => pure(function, &mut within.ops, builtin(kind), &[result, value], result),
                };
                within.ops.push(Op::Store { mem, index, leaf, value: new });
            }
            op => within.ops.push(op),
        }
    }
}

fn builtin(kind: AtomicKind) -> Builtin {
    match kind {
        AtomicKind::Add => Builtin::Add,
        AtomicKind::Sub => Builtin::Sub,
        AtomicKind::Min => Builtin::Min,
        AtomicKind::Max => Builtin::Max,
        AtomicKind::And => Builtin::And,
        AtomicKind::Or => Builtin::Or,
        AtomicKind::Xor => Builtin::Xor,
        AtomicKind::Exchange | AtomicKind::CompareExchange => unreachable!("exchanges combine nothing"),
    }
}

fn pure(function: &mut Function, ops: &mut Vec<Op>, builtin: Builtin, args: &[Value], like: Value) -> Value {
    let result = function.value(function.scalar(like));
    ops.push(Op::Pure { builtin, args: args.into(), result });
    result
}

/// `value` where the old bits are those of `compare`, else what was there.
fn exchanged(function: &mut Function, ops: &mut Vec<Op>, [old, compare, value]: [Value; 3]) -> Value {
    let mut sides = [old, compare];
    if let Some(bits) = bits_of(function.scalar(old)) {
        for side in &mut sides {
            let result = function.value(bits);
            ops.push(Op::Pure { builtin: Builtin::Bitcast, args: vec![*side], result });
            *side = result;
        }
    }
    let same = function.value(Scalar::Bool);
    ops.push(Op::Pure { builtin: Builtin::Eq, args: sides.into(), result: same });
    pure(function, ops, Builtin::Select, &[same, value, old], old)
}

/// The integer with as many bits as a float.
pub(super) fn bits_of(scalar: Scalar) -> Option<Scalar> {
    match scalar {
        Scalar::F16 | Scalar::BF16 => Some(Scalar::U16),
        Scalar::F32 => Some(Scalar::U32),
        Scalar::F64 => Some(Scalar::U64),
        _ => None,
    }
}
