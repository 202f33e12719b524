//! What a thread costs, roughly: enough to tell whether a launch is worth sharing among machine threads.

use super::constants::constants_of;
use crate::builtins::Builtin;
use crate::ir::*;

/// Turns of a loop whose number is not constant.
const TURNS: f64 = 16.0;

/// How likely each arm of an `If` is.
const ARM: f64 = 0.5;

/// A rough estimate of nanoseconds a thread, on one lane of a present-day core.
pub fn cost(kernel: &Kernel) -> f64 {
    let function = &kernel.function;
    let estimate = Estimate { function, constants: constants_of(&function.body, function.values.len()) };
    0.3 + estimate.region(&function.body)
}

/// How many values a thread adds to arrays by atomics, roughly.
pub fn additions(kernel: &Kernel) -> f64 {
    let function = &kernel.function;
    let estimate = Estimate { function, constants: constants_of(&function.body, function.values.len()) };
    estimate.additions(&function.body)
}

struct Estimate<'f> {
    function: &'f Function,
    constants: Vec<Option<u64>>,
}

impl Estimate<'_> {
    fn region(&self, region: &Region) -> f64 {
        region.ops.iter().map(|op| self.op(op)).sum()
    }

    fn op(&self, op: &Op) -> f64 {
        match op {
            Op::Const { .. } | Op::Slot { .. } | Op::Tid { .. } | Op::Extent { .. } | Op::Stride { .. } => 0.0,
            Op::Pure { builtin, args, result } => self.pure(*builtin, args.len(), *result),
            Op::Table { .. } | Op::Load { .. } | Op::Store { .. } => 0.4,
            Op::Check { .. } => 0.2,
            Op::Fill { local, .. } => 0.1 * f64::from(self.function.locals[local.0 as usize].len),
            Op::Atomic { .. } => 5.0,
            Op::Print { .. } => 200.0,
            Op::Call { .. } => 5.0,
            Op::Custom { .. } => 0.0,
            Op::If { then, otherwise, .. } => 0.3 + ARM * (self.region(then) + self.region(otherwise)),
            Op::Loop { inits, cond, body, .. } => {
                self.turns(inits, cond, body) * (0.3 + self.region(cond) + self.region(body))
            }
        }
    }

    fn additions(&self, region: &Region) -> f64 {
        let of_op = |op: &Op| match op {
            Op::Atomic { kind: AtomicKind::Add | AtomicKind::Sub, mem: Mem::Array(_), .. } => 1.0,
            Op::If { then, otherwise, .. } => ARM * (self.additions(then) + self.additions(otherwise)),
            Op::Loop { inits, cond, body, .. } => self.turns(inits, cond, body) * self.additions(body),
            _ => 0.0,
        };
        region.ops.iter().map(of_op).sum()
    }

    fn pure(&self, builtin: Builtin, args: usize, result: Value) -> f64 {
        let wide = if self.function.scalar(result).size() == 8 { 1.5 } else { 1.0 };
        match builtin {
            Builtin::Div | Builtin::Sqrt => 1.5 * wide,
            Builtin::Rem => 4.0 * wide,
            _ if builtin.row().is_function() => 6.0 * wide,
            _ => 0.1 * args.max(1) as f64,
        }
    }

    /// The turns of a loop that counts to a constant; else a guess.
    fn turns(&self, inits: &[Value], cond: &Region, body: &Region) -> f64 {
        let bound = cond.ops.iter().find_map(|op| match op {
            Op::Pure { builtin: Builtin::Lt, args, .. } => {
                let k = cond.params.iter().position(|p| *p == args[0])?;
                let counts = body.yields[k] != body.params[k] && self.constants[inits[k].0 as usize] == Some(0);
                self.constants[args[1].0 as usize].filter(|_| counts)
            }
            _ => None,
        });
        bound.map_or(TURNS, |turns| turns as f64)
    }
}
