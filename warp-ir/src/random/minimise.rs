//! Making a failing kernel small.

use crate::ir::{Kernel, Op, Region, Scalar, Value};
use crate::validate::{Valid, guarded};

/// A smaller kernel that still fails: ops are replaced by constants, branches by one of their arms, as long as `fails`
/// says so. What comes out is valid and guarded.
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

/// The kernel without its op number `at`: 0 drops it, 1 and 2 put a region of an `If` in its place.
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
    let constants =
        |results: &[Value]| -> Vec<Op> { results.iter().map(|&result| Op::Const { bits: 0, result }).collect() };
    let instead = match (how, &op) {
        (0, Op::Const { .. }) => return uses_nothing(region, &op),
        (0, _) => constants(op.shape().results),
        (1 | 2, Op::If { then, otherwise, results, .. }) => {
            let arm = if how == 1 { then } else { otherwise };
            let mut ops = arm.ops.clone();
            // The results become copies of the yields, by a select that always takes them.
            for (&result, &from) in results.iter().zip(&arm.yields) {
                let args = vec![from, from];
                let builtin = crate::builtins::Builtin::Or;
                match values[result.0 as usize].is_int() || values[result.0 as usize] == Scalar::Bool {
                    true => ops.push(Op::Pure { builtin, args, result }),
                    false => ops.extend(constants(&[result])),
                }
            }
            ops
        }
        _ => return false,
    };
    region.ops.splice(k..k, instead);
    true
}

/// A constant goes when nothing after it in the region names it; the validator says whether something nested does.
fn uses_nothing(region: &Region, op: &Op) -> bool {
    let Op::Const { result, .. } = op else { return false };
    !region.yields.contains(result) && !region.ops.iter().any(|op| op.shape().operands.contains(result))
}
