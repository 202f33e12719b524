//! One thread: regions, ops, effects.

use super::{Fault, Inputs, Outcome, Printed, Trouble};
use crate::builtins::Builtin;
use crate::ir::{AtomicKind, Function, Kernel, Mem, Op, Region, Scalar, Value};

/// Runs threads of one launch, one after another.
pub(super) struct Machine<'l> {
    function: &'l Function,
    inputs: &'l mut Inputs,
    /// Bits of each value, of the thread that runs.
    values: Vec<u64>,
    /// Bits of local arrays, leaf after leaf.
    locals: Vec<Vec<u64>>,
    /// The row-major number of the thread that runs, and its coordinates.
    number: u64,
    tid: Vec<u64>,
    steps: u64,
    pub(super) outcome: Outcome,
}

/// Why a thread ends early.
enum Stop {
    Fault(Box<Fault>),
    Trouble(Trouble),
}

type Flow<T = ()> = Result<T, Stop>;

impl<'l> Machine<'l> {
    pub(super) fn new(kernel: &'l Kernel, inputs: &'l mut Inputs, steps: u64) -> Machine<'l> {
        let function = &kernel.function;
        let locals = function.locals.iter().map(|l| vec![0; l.len as usize * l.leaves.len()]).collect();
        let values = vec![0; function.values.len()];
        Machine { function, inputs, values, locals, number: 0, tid: vec![], steps, outcome: Outcome::default() }
    }

    pub(super) fn thread(&mut self, number: u64) -> Result<(), Trouble> {
        self.number = number;
        let mut rest = number;
        self.tid = self.inputs.dims.clone();
        for coordinate in self.tid.iter_mut().rev() {
            let extent = *coordinate;
            *coordinate = rest % extent;
            rest /= extent;
        }
        for (param, &bits) in self.function.params.iter().zip(&self.inputs.scalars) {
            self.values[param.value.0 as usize] = bits;
        }
        let function = self.function;
        match self.region(&function.body) {
            Ok(()) => Ok(()),
            Err(Stop::Trouble(trouble)) => Err(trouble),
            Err(Stop::Fault(fault)) => {
                self.outcome.faults += 1;
                self.outcome.fault.get_or_insert(*fault);
                Ok(())
            }
        }
    }

    fn region(&mut self, region: &'l Region) -> Flow {
        region.ops.iter().try_for_each(|op| self.op(op))
    }

    fn get(&self, value: Value) -> u64 {
        self.values[value.0 as usize]
    }

    fn set(&mut self, value: Value, bits: u64) {
        self.values[value.0 as usize] = bits;
    }

    /// `to[k] = from[k]` for all k at once: a region's yields may be its own parameters, exchanged.
    fn copy(&mut self, from: &[Value], to: &[Value]) {
        match (from, to) {
            (&[from], &[to]) => self.set(to, self.get(from)),
            _ => {
                let bits: Vec<u64> = from.iter().map(|&v| self.get(v)).collect();
                to.iter().zip(bits).for_each(|(&v, bits)| self.set(v, bits));
            }
        }
    }

    fn op(&mut self, op: &'l Op) -> Flow {
        self.steps = self.steps.checked_sub(1).ok_or(Stop::Trouble(Trouble::Steps))?;
        match op {
            Op::Const { bits, result } => self.set(*result, *bits),
            Op::Slot { slot, result } => self.set(*result, self.inputs.slots[*slot as usize]),
            Op::Tid { dim, result } => self.set(*result, self.tid[*dim as usize]),
            Op::Extent { array, dim, result } => {
                self.set(*result, self.inputs.arrays[array.0 as usize].extents[*dim as usize]);
            }
            Op::Stride { array, dim, result } => {
                self.set(*result, self.inputs.arrays[array.0 as usize].stride(*dim as usize));
            }
            Op::Pure { builtin, args, result } => self.pure(*builtin, args, *result)?,
            Op::Table { table, index, result } => {
                let index = usize::try_from(self.get(*index)).ok();
                let element = index.and_then(|i| self.function.tables[*table as usize].1.get(i).copied());
                let bits = element.ok_or_else(|| undefined(format!("table{table} has no such element")))?;
                self.set(*result, bits);
            }
            Op::Load { mem, index, leaf, result } => {
                let bits = self.load(*mem, *index, *leaf)?;
                self.set(*result, bits);
            }
            Op::Store { mem, index, leaf, value } => self.store(*mem, *index, *leaf, self.get(*value))?,
            Op::Fill { local, leaf, value } => {
                let len = self.function.locals[local.0 as usize].len as usize;
                let bits = self.get(*value);
                self.locals[local.0 as usize][*leaf as usize * len..][..len].fill(bits);
            }
            Op::Atomic { kind, mem, index, leaf, value, compare, result } => {
                let old = self.load(*mem, *index, *leaf)?;
                let compare = compare.map(|v| self.get(v));
                let new = combine(*kind, self.function.scalar(*value), old, self.get(*value), compare);
                let new = new.ok_or_else(|| undefined(format!("there is no atomic {kind:?} of this type")))?;
                self.store(*mem, *index, *leaf, new)?;
                self.set(*result, old);
            }
            Op::Check { cond, kind, operands, source } => {
                if self.get(*cond) == 0 {
                    let operands = operands.iter().map(|&v| (self.function.scalar(v), self.get(v))).collect();
                    let (thread, kind, source) = (self.number, kind.clone(), *source);
                    return Err(Stop::Fault(Box::new(Fault { thread, kind, source, operands })));
                }
            }
            Op::Print { site, args } => {
                let args = args.iter().map(|&v| self.get(v)).collect();
                self.outcome.prints.push(Printed { thread: self.number, site: *site, args });
            }
            Op::Call { .. } => return Err(undefined("a call is left".into())),
            Op::If { cond, then, otherwise, results } => {
                let region = if self.get(*cond) == 1 { then } else { otherwise };
                self.region(region)?;
                self.copy(&region.yields, results);
            }
            Op::Loop { inits, cond, body, results } => self.repeat(inits, cond, body, results)?,
            Op::Custom { values, results, .. } => self.copy(values, results),
        }
        Ok(())
    }

    fn repeat(&mut self, inits: &'l [Value], cond: &'l Region, body: &'l Region, results: &'l [Value]) -> Flow {
        self.copy(inits, &cond.params);
        loop {
            self.steps = self.steps.checked_sub(1).ok_or(Stop::Trouble(Trouble::Steps))?;
            self.region(cond)?;
            if self.get(cond.yields[0]) == 0 {
                self.copy(&cond.params, results);
                return Ok(());
            }
            self.copy(&cond.params, &body.params);
            self.region(body)?;
            self.copy(&body.yields, &cond.params);
        }
    }

    fn pure(&mut self, builtin: Builtin, args: &[Value], result: Value) -> Flow {
        let (mut bits, mut scalars) = ([0; 3], [Scalar::Bool; 3]);
        for (k, &arg) in args.iter().enumerate().take(3) {
            (bits[k], scalars[k]) = (self.get(arg), self.function.scalar(arg));
        }
        let count = args.len().min(3);
        let value = builtin.eval(&scalars[..count], self.function.scalar(result), &bits[..count]);
        let value = value.ok_or_else(|| undefined(format!("{builtin:?} has no result (v{})", result.0)))?;
        self.set(result, value);
        Ok(())
    }

    fn load(&self, mem: Mem, index: Value, leaf: u16) -> Flow<u64> {
        let at = self.get(index);
        let bits = match mem {
            Mem::Array(array) => {
                let k = array.0 as usize;
                self.inputs.arrays[k].get(&self.function.arrays[k], at, leaf)
            }
            Mem::Local(local) => {
                let len = u64::from(self.function.locals[local.0 as usize].len);
                let place = (u64::from(leaf) * len + at) as usize;
                self.locals[local.0 as usize].get(place).copied().filter(|_| at < len)
            }
        };
        bits.ok_or_else(|| escaped(mem, at))
    }

    fn store(&mut self, mem: Mem, index: Value, leaf: u16, bits: u64) -> Flow {
        let at = self.get(index);
        let stored = match mem {
            Mem::Array(array) => {
                let k = array.0 as usize;
                self.inputs.arrays[k].set(&self.function.arrays[k], at, leaf, bits)
            }
            Mem::Local(local) => {
                let len = u64::from(self.function.locals[local.0 as usize].len);
                let place = (u64::from(leaf) * len + at) as usize;
                self.locals[local.0 as usize].get_mut(place).filter(|_| at < len).map(|place| *place = bits)
            }
        };
        stored.ok_or_else(|| escaped(mem, at))
    }
}

/// The new value of an atomic.
fn combine(kind: AtomicKind, scalar: Scalar, old: u64, value: u64, compare: Option<u64>) -> Option<u64> {
    let builtin = match kind {
        AtomicKind::Exchange => return Some(value),
        AtomicKind::CompareExchange => return Some(if Some(old) == compare { value } else { old }),
        AtomicKind::Add => Builtin::Add,
        AtomicKind::Sub => Builtin::Sub,
        AtomicKind::Min => Builtin::Min,
        AtomicKind::Max => Builtin::Max,
        AtomicKind::And => Builtin::And,
        AtomicKind::Or => Builtin::Or,
        AtomicKind::Xor => Builtin::Xor,
    };
    builtin.eval(&[scalar, scalar], scalar, &[old, value])
}

fn undefined(what: String) -> Stop {
    Stop::Trouble(Trouble::Undefined(what))
}

fn escaped(mem: Mem, index: u64) -> Stop {
    undefined(format!("index {index} is out of range of {mem:?}"))
}
