//! Making a failing kernel small.

use crate::ir::{Kernel, Op, Region, Scalar, Value};
use crate::validate::{Valid, guarded};

/// A smaller kernel that still fails: ops are replaced by constants, branches by one of their arms, loops by one turn, as
/// long as `fails` says so. What comes out is valid and guarded.
pub fn minimise(kernel: &Valid<Kernel>, fails: impl Fn(&Valid<Kernel>) -> bool) -> Valid<Kernel> {
    let mut best = kernel.clone();
    loop {
        let mut improved = false;
        let mut at = 0;
        while at < count(&best.function.body) {
            let smaller = (0..3).filter_map(|how| without(&best, at, how)).find(|k| guarded(k).is_ok() && fails(k));
            match smaller {
                Some(kernel) => {
                    best = kernel;
                    improved = true;
                }
                None => at += 1,
            }
        }
        if !improved {
            return best;
        }
    }
}

fn count(region: &Region) -> usize {
    region.ops.iter().map(|op| 1 + op.shape().regions.into_iter().map(count).sum::<usize>()).sum()
}

/// The kernel without its op number `at`: 0 drops it, 1 and 2 put a region of an `If` or the body of a `Loop` in its place.
fn without(kernel: &Valid<Kernel>, at: usize, how: usize) -> Option<Valid<Kernel>> {
    let mut kernel = (**kernel).clone();
    let values = kernel.function.values.clone();
    let mut left = at;
    let mut body = std::mem::take(&mut kernel.function.body);
    let changed = change(&mut body, &mut left, how, &values);
    kernel.function.body = body;
    if !changed {
        return None;
    }
    Valid::<Kernel>::new(kernel).ok()
}

fn change(region: &mut Region, left: &mut usize, how: usize, values: &[Scalar]) -> bool {
    for k in 0..region.ops.len() {
        if *left == 0 {
            return replace(region, k, how, values);
        }
        *left -= 1;
        for nested in region.ops[k].regions_mut() {
            let inside = count(nested);
            if *left < inside {
                return change(nested, left, how, values);
            }
            *left -= inside;
        }
    }
    false
}

fn replace(region: &mut Region, k: usize, how: usize, values: &[Scalar]) -> bool {
    let op = region.ops.remove(k);
    let instead = match (how, &op) {
        (0, Op::Const { .. }) => return uses_nothing(region, &op),
        (0, _) => op.shape().results.iter().map(|&result| Op::Const { bits: 0, result }).collect(),
        (1 | 2, Op::If { then, otherwise, results, .. }) => {
            let arm = if how == 1 { then } else { otherwise };
            [arm.ops.clone(), copies(results, &arm.yields, values)].concat()
        }
        (1, Op::Loop { inits, body, results, .. }) => {
            [copies(&body.params, inits, values), body.ops.clone(), copies(results, &body.yields, values)].concat()
        }
        _ => return false,
    };
    region.ops.splice(k..k, instead);
    true
}

/// Ops that make each value what another one is, or a constant where its type has no op for that.
fn copies(to: &[Value], from: &[Value], values: &[Scalar]) -> Vec<Op> {
    let copy = |(&result, &from): (&Value, &Value)| match values[result.0 as usize] {
        scalar if scalar.is_int() || scalar == Scalar::Bool => {
            Op::Pure { builtin: crate::builtins::Builtin::Or, args: vec![from, from], result }
        }
        _ => Op::Const { bits: 0, result },
    };
    to.iter().zip(from).map(copy).collect()
}

/// A constant goes when nothing after it in the region names it; the validator says whether something nested does.
fn uses_nothing(region: &Region, op: &Op) -> bool {
    let Op::Const { result, .. } = op else { return false };
    !region.yields.contains(result) && !region.ops.iter().any(|op| op.shape().operands.contains(result))
}
