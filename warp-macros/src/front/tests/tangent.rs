//! Forward derivatives of a lowered kernel: each value with how fast it changes, by the rows' adjoint rules.
//!
//! A rule is asked with an adjoint of 1 and gives each operand's partial; the sum of partials times changes is the
//! result's change. A partial of zero drops what it is multiplied with, as a zero adjoint does in the reverse direction;
//! nothing else is dropped, so an infinite partial of an operand that stands still shows as NaN.

use warp_ir::ir::{Function, Mem, Op, Region, Scalar, Value};

/// A kernel of one thread with one input array of f64 and one output array of f64, run at a point in a direction.
pub(super) struct Tangent<'k> {
    function: &'k Function,
    values: Vec<(u64, f64)>,
    locals: Vec<Vec<(u64, f64)>>,
    input: Vec<(u64, f64)>,
    output: Vec<(u64, f64)>,
}

/// Outputs and how fast they change, where the inputs change as `direction` says.
pub(super) fn run(function: &Function, x: &[f64], direction: &[f64], outputs: usize) -> (Vec<f64>, Vec<f64>) {
    let locals = function.locals.iter().map(|l| vec![(0, 0.0); l.len as usize * l.leaves.len()]).collect();
    let mut machine = Tangent {
        function,
        values: vec![(0, 0.0); function.values.len()],
        locals,
        input: x.iter().zip(direction).map(|(x, d)| (x.to_bits(), *d)).collect(),
        output: vec![(0, 0.0); outputs],
    };
    machine.region(&function.body);
    machine.output.iter().map(|(bits, change)| (f64::from_bits(*bits), *change)).unzip()
}

impl<'k> Tangent<'k> {
    fn get(&self, value: Value) -> (u64, f64) {
        self.values[value.0 as usize]
    }

    fn region(&mut self, region: &'k Region) {
        region.ops.iter().for_each(|op| self.op(op));
    }

    fn copy(&mut self, from: &[Value], to: &[Value]) {
        let values: Vec<_> = from.iter().map(|&v| self.get(v)).collect();
        to.iter().zip(values).for_each(|(v, value)| self.values[v.0 as usize] = value);
    }

    fn place(&mut self, mem: Mem, index: Value, leaf: u16) -> &mut (u64, f64) {
        let at = self.get(index).0 as usize;
        match mem {
            Mem::Array(array) if array.0 == 0 => &mut self.input[at],
            Mem::Array(_) => &mut self.output[at],
            Mem::Local(local) => {
                let len = self.function.locals[local.0 as usize].len as usize;
                &mut self.locals[local.0 as usize][leaf as usize * len + at]
            }
        }
    }

    fn op(&mut self, op: &'k Op) {
        match op {
            Op::Const { bits, result } => self.values[result.0 as usize] = (*bits, 0.0),
            Op::Tid { result, .. } => self.values[result.0 as usize] = (0, 0.0),
            Op::Extent { array, result, .. } => {
                let extent = if array.0 == 0 { self.input.len() } else { self.output.len() };
                self.values[result.0 as usize] = (extent as u64, 0.0);
            }
            Op::Table { table, index, result } => {
                let at = self.get(*index).0 as usize;
                self.values[result.0 as usize] = (self.function.tables[*table as usize].1[at], 0.0);
            }
            Op::Pure { builtin, args, result } => {
                let scalars: Vec<Scalar> = args.iter().map(|&v| self.function.scalar(v)).collect();
                let given: Vec<(u64, f64)> = args.iter().map(|&v| self.get(v)).collect();
                let bits: Vec<u64> = given.iter().map(|g| g.0).collect();
                let to = self.function.scalar(*result);
                let value = builtin.eval(&scalars, to, &bits).expect("a defined op");
                let changes: Vec<f64> = given.iter().map(|g| g.1).collect();
                self.values[result.0 as usize] = (value, change(*builtin, &scalars, to, &bits, value, &changes));
            }
            Op::Load { mem, index, leaf, result } => {
                self.values[result.0 as usize] = *self.place(*mem, *index, *leaf);
            }
            Op::Store { mem, index, leaf, value } => {
                let value = self.get(*value);
                *self.place(*mem, *index, *leaf) = value;
            }
            Op::Fill { local, leaf, value } => {
                let (value, len) = (self.get(*value), self.function.locals[local.0 as usize].len as usize);
                self.locals[local.0 as usize][*leaf as usize * len..][..len].fill(value);
            }
            Op::Check { cond, .. } => assert_eq!(self.get(*cond).0, 1, "no check fails at these points"),
            Op::If { cond, then, otherwise, results } => {
                let region = if self.get(*cond).0 == 1 { then } else { otherwise };
                self.region(region);
                self.copy(&region.yields, results);
            }
            Op::Loop { inits, cond, body, results } => {
                self.copy(inits, &cond.params);
                loop {
                    self.region(cond);
                    if self.get(cond.yields[0]).0 == 0 {
                        return self.copy(&cond.params, results);
                    }
                    self.copy(&cond.params, &body.params);
                    self.region(body);
                    self.copy(&body.yields, &cond.params);
                }
            }
            // The derivative of the code: what is said of it is for the reverse.
            Op::Custom { values, results, .. } => self.copy(values, results),
            other => panic!("not in these kernels: {other:?}"),
        }
    }
}

fn change(
    builtin: warp_ir::builtins::Builtin,
    scalars: &[Scalar],
    to: Scalar,
    bits: &[u64],
    value: u64,
    changes: &[f64],
) -> f64 {
    let Some(rule) = builtin.row().adjoint(scalars, to, true) else { return 0.0 };
    let one = if to == Scalar::F64 { 1f64.to_bits() } else { u64::from(1f32.to_bits()) };
    let inputs: Vec<u64> = bits.iter().copied().chain([value, one]).collect();
    let partials = rule.eval(&inputs);
    let float = |bits: u64, scalar: Scalar| match scalar {
        Scalar::F64 => f64::from_bits(bits),
        _ => f64::from(f32::from_bits(bits as u32)),
    };
    let terms = partials.iter().zip(changes).zip(scalars).map(|((partial, change), &scalar)| match partial {
        Some(bits) if float(*bits, scalar) != 0.0 => float(*bits, scalar) * change,
        _ => 0.0,
    });
    terms.sum()
}
