//! One op for all threads of a bundle.

use warp_ir::builtins::Builtin;
use warp_ir::ir::{ArrayId, Mem, Op, Scalar, Value};

use super::effects::{Held, Write};
use super::wide::Wide;
use super::{Lanes, Stop, refused};

impl Lanes<'_, '_> {
    pub(super) fn op(&mut self, op: &Op) -> Result<(), Stop> {
        match op {
            Op::Tid { dim, result } => {
                let tid = self.tid(*dim);
                self.set(*result, tid);
            }
            Op::Const { .. } | Op::Slot { .. } | Op::Extent { .. } | Op::Stride { .. } => self.one.op(op)?,
            Op::Pure { builtin, args, result } => {
                if self.is_same(args) {
                    self.settle_before(op);
                    return Ok(self.one.op(op)?);
                }
                self.settle_before(op);
                let divides = self.divides(op);
                self.set_each(*result, |lanes| lanes.builtin(*builtin, args, *result, divides))?;
            }
            Op::Table { table, index, result } => {
                // The index is in range by what has been asked for so far.
                self.settle();
                if self.is_same(&[*index]) {
                    return Ok(self.one.op(op)?);
                }
                self.set_each(*result, |lanes| {
                    let index = lanes.get(*index);
                    let index = lanes.index_of_live(index);
                    let each = lanes.scalars(Scalar::U64, &index).map(|index| lanes.one.table_element(*table, index));
                    Ok(Wide::Scalars(each))
                })?;
            }
            Op::Load { mem: Mem::Array(array), index, leaf, result } => self.load(*array, *index, *leaf, *result)?,
            Op::Store { mem: Mem::Array(array), index, leaf, value } => {
                self.write(Write::Store, *array, *index, *leaf, *value)?;
            }
            Op::Atomic { kind, mem: Mem::Array(array), index, leaf, value, compare, result } => {
                let unused = self.one.survey.uses[result.0 as usize] == 0;
                match compare {
                    None if unused => self.write(Write::Atomic(*kind), *array, *index, *leaf, *value)?,
                    _ => return refused("the old value of an atomic is used"),
                }
            }
            Op::Check { cond, .. } => {
                let conds = self.get_each(*cond);
                self.require(&conds)?;
            }
            Op::If { cond, then, otherwise, results } => self.branch(*cond, then, otherwise, results)?,
            Op::Loop { inits, cond, body, results } => self.repeat(inits, cond, body, results)?,
            Op::Load { mem: Mem::Local(local), index, leaf, result } => {
                self.load_own(*local, *index, *leaf, *result)?
            }
            Op::Store { mem: Mem::Local(local), index, leaf, value } => {
                self.store_own(*local, *index, *leaf, *value)?
            }
            Op::Fill { local, leaf, value } => self.fill_own(*local, *leaf, *value)?,
            Op::Atomic { .. } => return refused("atomics on arrays of threads' own"),
            Op::Print { .. } => return refused("threads print"),
            Op::Call { .. } | Op::Custom { .. } => return Ok(self.one.op(op)?),
        }
        Ok(())
    }

    /// A builtin of values in this group, which `divides` integers or does not.
    fn builtin(&mut self, builtin: Builtin, args: &[Value], result: Value, divides: bool) -> Result<Wide, Stop> {
        let mut args: Vec<(Wide, Scalar)> = args.iter().map(|arg| (self.get(*arg), self.one.scalar(*arg))).collect();
        if let (true, Some(live)) = (divides, self.live()) {
            // A thread that is not here may divide by anything.
            let (divisor, scalar) = args[1].clone();
            let one = Wide::Same(self.one.constant(scalar, 1));
            args[1].0 = self.select(&Wide::Vectors(vec![live]), &divisor, &one, scalar)?;
        }
        self.pure(builtin, &args, self.one.scalar(result))
    }

    /// Whether all of these are the same for the threads of a bundle, in the form that single threads have.
    pub(super) fn is_same(&self, values: &[Value]) -> bool {
        values.iter().all(|value| self.kinds.is_uniform(*value))
    }

    /// Divisions of integers are defined only where their checks hold.
    fn settle_before(&mut self, op: &Op) {
        if self.divides(op) {
            self.settle();
        }
    }

    /// Whether an op is a division of integers.
    fn divides(&self, op: &Op) -> bool {
        match op {
            Op::Pure { builtin: Builtin::Div | Builtin::Rem, result, .. } => self.one.scalar(*result).is_int(),
            _ => false,
        }
    }

    /// Holds a write back.
    fn write(&mut self, write: Write, array: ArrayId, index: Value, leaf: u16, value: Value) -> Result<(), Stop> {
        let scalar = self.one.function().arrays[array.0 as usize].leaves[leaf as usize];
        let (at, value) = (self.get_each(index), self.get_each(value));
        self.hold_back(Held { write, array, index, leaf, scalar, at, value });
        Ok(())
    }
}
