//! Several turns at a time: a loop that counts to a limit becomes one that takes a few turns before it tests the limit
//! again, and one for the turns that are left. The turns are the same ones, in their order.

use super::constants::constants_of;
use super::copy::Copier;
use crate::builtins::Builtin;
use crate::ir::*;

/// Turns that are taken at a time.
const TURNS: u64 = 4;
/// Bodies with more ops are left alone.
const LONGEST: usize = 48;

/// Splits the loops of a function that are worth it; tells whether any was.
pub(super) fn stride(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let constants = constants_of(&body, function.values.len());
    let mut pass = Strides { function, constants, changed: false };
    pass.region(&mut body);
    let changed = pass.changed;
    function.body = body;
    changed
}

struct Strides<'f> {
    function: &'f mut Function,
    constants: Vec<Option<u64>>,
    changed: bool,
}

/// How a loop counts.
struct Count {
    /// Which carried value is the counter.
    at: usize,
    /// What it counts to: a value from outside, or an extent or constant that the condition asks for.
    limit: Limit,
}

enum Limit {
    Outside(Value),
    Asked(Op),
}

impl Strides<'_> {
    fn region(&mut self, region: &mut Region) {
        let ops = std::mem::take(&mut region.ops);
        region.ops.reserve(ops.len());
        for mut op in ops {
            op.regions_mut().into_iter().for_each(|nested| self.region(nested));
            match op {
                Op::Loop { inits, cond, body, results } => match self.count(&cond, &body) {
                    Some(count) => self.split(count, inits, cond, body, results, &mut region.ops),
                    None => region.ops.push(Op::Loop { inits, cond, body, results }),
                },
                op => region.ops.push(op),
            }
        }
    }

    /// How a loop counts, if it is one of single steps of an unsigned counter, with a body that is short and straight.
    fn count(&self, cond: &Region, body: &Region) -> Option<Count> {
        let (Builtin::Lt, [counter, limit]) = pure(&cond.ops, cond.yields[0])? else { return None };
        let at = cond.params.iter().position(|&p| p == counter)?;
        let scalar = self.function.scalar(counter);
        if !scalar.is_int() || scalar.is_signed() || scalar.size() < 4 {
            return None;
        }
        let straight = |op: &Op| op.is_pure() || matches!(op, Op::Load { .. } | Op::Store { .. });
        let (Builtin::Add, [a, b]) = pure(&body.ops, body.yields[at])? else { return None };
        let by_one = a == body.params[at] && self.constants.get(b.0 as usize) == Some(&Some(1));
        if !by_one || body.ops.len() > LONGEST || !body.ops.iter().all(straight) {
            return None;
        }
        let inside = cond.ops.iter().find(|op| op.shape().results.contains(&limit));
        let limit = match inside {
            Some(op @ (Op::Extent { .. } | Op::Const { .. })) => Limit::Asked(op.clone()),
            None if !cond.params.contains(&limit) => Limit::Outside(limit),
            _ => return None,
        };
        Some(Count { at, limit })
    }

    fn split(
        &mut self,
        count: Count,
        inits: Vec<Value>,
        cond: Region,
        body: Region,
        results: Vec<Value>,
        out: &mut Vec<Op>,
    ) {
        self.changed = true;
        let scalar = self.function.scalar(inits[count.at]);
        let limit = match count.limit {
            Limit::Outside(limit) => limit,
            Limit::Asked(mut op) => {
                let limit = self.function.value(scalar);
                op.map_results(|result| *result = limit);
                out.push(op);
                limit
            }
        };
        // The last counter from which a whole stride stays below the limit: none for a limit of fewer turns than that.
        let less = self.number(TURNS - 1, scalar, out);
        let enough = self.pure(Builtin::Max, vec![limit, less], scalar, out);
        let last = self.pure(Builtin::Sub, vec![enough, less], scalar, out);
        let carried: Vec<Scalar> = inits.iter().map(|&init| self.function.scalar(init)).collect();
        let fresh = |function: &mut Function| carried.iter().map(|&s| function.value(s)).collect::<Vec<_>>();
        let (tested, turned, between) = (fresh(self.function), fresh(self.function), fresh(self.function));
        let mut test = Region { params: tested.clone(), ..Region::default() };
        let goes_on = self.pure(Builtin::Lt, vec![tested[count.at], last], Scalar::Bool, &mut test.ops);
        test.yields = vec![goes_on];
        let turns = self.turns(count.at, &body, turned);
        out.push(Op::Loop { inits, cond: test, body: turns, results: between.clone() });
        out.push(Op::Loop { inits: between, cond, body, results });
    }

    /// The body, several times over.
    fn turns(&mut self, at: usize, body: &Region, params: Vec<Value>) -> Region {
        let scalar = self.function.scalar(params[at]);
        let mut ops = vec![];
        let mut carried = params.clone();
        for turn in 0..TURNS {
            if turn > 0 {
                let by = self.number(turn, scalar, &mut ops);
                carried[at] = self.pure(Builtin::Add, vec![params[at], by], scalar, &mut ops);
            }
            let mut copier = Copier::default();
            body.params.iter().zip(&carried).for_each(|(&param, &value)| copier.name(param, value));
            ops.extend(copier.ops(self.function, &body.ops));
            carried = body.yields.iter().map(|&value| copier.get(value)).collect();
        }
        let by = self.number(TURNS, scalar, &mut ops);
        carried[at] = self.pure(Builtin::Add, vec![params[at], by], scalar, &mut ops);
        Region { params, ops, yields: carried }
    }

    fn number(&mut self, bits: u64, scalar: Scalar, out: &mut Vec<Op>) -> Value {
        let result = self.function.value(scalar);
        out.push(Op::Const { bits, result });
        result
    }

    fn pure(&mut self, builtin: Builtin, args: Vec<Value>, scalar: Scalar, out: &mut Vec<Op>) -> Value {
        let result = self.function.value(scalar);
        out.push(Op::Pure { builtin, args, result });
        result
    }
}

fn pure(ops: &[Op], value: Value) -> Option<(Builtin, [Value; 2])> {
    ops.iter().find_map(|op| match op {
        Op::Pure { builtin, args, result } if *result == value => {
            Some((*builtin, <[Value; 2]>::try_from(&args[..]).ok()?))
        }
        _ => None,
    })
}
