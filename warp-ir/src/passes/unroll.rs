//! Unrolling: loops with a small constant number of turns and a small body become straight code.

use super::constants::constants_of;
use super::copy::Copier;
use super::replace::Replacements;
use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

/// The most turns.
const TURNS: u64 = 16;

/// The most ops that a loop may become.
const OPS: usize = 128;

/// The same where the body works on local arrays, whose elements may become values then.
const OPS_WITH_LOCALS: usize = 640;

/// Unrolls loops of a function, inner ones first; tells whether any was.
pub(super) fn unroll(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let count = function.values.len();
    let (constants, to) = (constants_of(&body, count), Replacements::new(count));
    let mut pass = Unroll { function, constants, to, changed: false };
    pass.region(&mut body);
    let changed = pass.changed;
    function.body = body;
    changed
}

struct Unroll<'f> {
    function: &'f mut Function,
    constants: Vec<Option<u64>>,
    to: Replacements,
    changed: bool,
}

/// How a loop counts.
struct Turns {
    count: u64,
    /// The condition is nothing but the comparison of the counter.
    certain: bool,
}

impl Unroll<'_> {
    fn region(&mut self, region: &mut Region) {
        let ops = std::mem::take(&mut region.ops);
        region.ops.reserve(ops.len());
        for mut op in ops {
            self.to.operands(&mut op);
            op.regions_mut().into_iter().for_each(|r| self.region(r));
            match op {
                Op::Loop { inits, cond, body, results } => match self.turns(&inits, &cond, &body) {
                    Some(turns) => self.unrolled(turns, inits, &cond, &body, &results, &mut region.ops),
                    None => region.ops.push(Op::Loop { inits, cond, body, results }),
                },
                _ => region.ops.push(op),
            }
        }
        self.to.all(&mut region.yields);
    }

    /// The turns of a loop that is worth unrolling.
    fn turns(&self, inits: &[Value], cond: &Region, body: &Region) -> Option<Turns> {
        let conjuncts = conjuncts(cond);
        let count = conjuncts.iter().find_map(|&c| self.count(c, inits, cond, body))?;
        let size = Size::of(body);
        let limit = if size.locals { OPS_WITH_LOCALS } else { OPS };
        let fits = count <= 1 || (count <= TURNS && size.ops * count as usize <= limit);
        fits.then_some(Turns { count, certain: conjuncts.len() == 1 })
    }

    /// How often `counter < bound` holds, when that is this conjunct and both are known.
    fn count(&self, conjunct: Value, inits: &[Value], cond: &Region, body: &Region) -> Option<u64> {
        let (Builtin::Lt, &[counter, bound]) = pure(&cond.ops, conjunct)? else { return None };
        let k = cond.params.iter().position(|&p| p == counter)?;
        let (Builtin::Add, &[a, b]) = pure(&body.ops, body.yields[k])? else { return None };
        let step = match (a == body.params[k], b == body.params[k]) {
            (true, _) => self.number(b)?,
            (_, true) => self.number(a)?,
            _ => return None,
        };
        let (from, bound) = (self.number(inits[k])?, self.number(bound)?);
        let last = bound + step - 1;
        let representable = last <= i128::from(self.function.scalar(counter).mask() >> 1);
        (step > 0 && representable).then(|| (bound - from).max(0)).map(|way| ((way + step - 1) / step) as u64)
    }

    /// The number of an integer constant.
    fn number(&self, value: Value) -> Option<i128> {
        let bits = self.constants.get(value.0 as usize).copied().flatten()?;
        let scalar = self.function.scalar(value);
        let shift = 64 - scalar.bits();
        scalar.is_int().then(|| match scalar.is_signed() {
            true => i128::from(((bits << shift) as i64) >> shift),
            false => i128::from(bits),
        })
    }

    fn unrolled(
        &mut self,
        turns: Turns,
        inits: Vec<Value>,
        cond: &Region,
        body: &Region,
        results: &[Value],
        out: &mut Vec<Op>,
    ) {
        self.changed = true;
        let mut carried = inits;
        for _ in planted::is(Bug::UnrollStopsEarly) as u64..turns.count {
            let mut copier = Copier::default();
            let inside = cond.params.iter().chain(&body.params).zip(carried.iter().cycle());
            inside.for_each(|(&param, &value)| copier.name(param, value));
            if turns.certain {
                out.extend(copier.ops(self.function, &body.ops));
                carried = body.yields.iter().map(|&y| copier.get(y)).collect();
            } else {
                out.extend(copier.ops(self.function, &cond.ops));
                let go = copier.get(cond.yields[0]);
                let ops = copier.ops(self.function, &body.ops);
                let yields = body.yields.iter().map(|&y| copier.get(y)).collect();
                let then = Region { params: vec![], ops, yields };
                let stay = Region { params: vec![], ops: vec![], yields: carried };
                carried = results.iter().map(|&r| self.function.value(self.function.scalar(r))).collect();
                out.push(Op::If { cond: go, then, otherwise: stay, results: carried.clone() });
            }
        }
        for (&result, &value) in results.iter().zip(&carried) {
            self.to.set(result, value);
        }
    }
}

/// The values of which a condition is the conjunction.
fn conjuncts(cond: &Region) -> Vec<Value> {
    let mut found = vec![];
    let mut open = vec![cond.yields[0]];
    while let Some(value) = open.pop() {
        match pure(&cond.ops, value) {
            Some((Builtin::And, &[a, b])) if found.len() + open.len() < 16 => open.extend([b, a]),
            _ => found.push(value),
        }
    }
    found
}

fn pure(ops: &[Op], value: Value) -> Option<(Builtin, &[Value])> {
    ops.iter().find_map(|op| match op {
        Op::Pure { builtin, args, result } if *result == value => Some((*builtin, &args[..])),
        _ => None,
    })
}

/// How large a region is.
struct Size {
    ops: usize,
    locals: bool,
}

impl Size {
    fn of(region: &Region) -> Size {
        let mut size = Size { ops: 0, locals: false };
        for op in &region.ops {
            size.ops += !matches!(op, Op::Const { .. }) as usize;
            size.locals |= matches!(op, Op::Load { mem: Mem::Local(_), .. } | Op::Store { mem: Mem::Local(_), .. });
            for inner in op.shape().regions {
                let inner = Size::of(inner);
                size.ops += inner.ops;
                size.locals |= inner.locals;
            }
        }
        size
    }
}
