//! One op.

use super::atomic::Atomic;
use super::emitter::{Emitted, Emitter, Val};
use super::neighbours::Groups;
use super::text::{self, Class};
use crate::ir::{Mem, Op, Scalar, SourceId, Value};

impl Emitter<'_, '_> {
    /// The op at a position of a region, whose accesses in groups are known.
    pub(super) fn op(&mut self, ops: &[Op], at: usize, groups: &Groups) -> Emitted {
        let op = &ops[at];
        if groups.part.contains(&at) {
            return Ok(());
        }
        self.come_from(op);
        if let Some(members) = groups.at.get(&at) {
            self.vector(ops, members);
            return Ok(());
        }
        match op {
            Op::Const { bits, result } => {
                let scalar = self.scalar(*result);
                self.alias(*result, &(Val::Bits(*bits), scalar));
            }
            Op::Slot { slot, result } => self.slot(*slot, *result),
            Op::Tid { dim, result } => {
                let operand = (self.coordinates[*dim as usize].clone(), Scalar::U64);
                self.alias(*result, &operand);
            }
            Op::Extent { array, dim, result } => {
                let words = &self.words.arrays[array.0 as usize];
                let name = format!("{}_len", super::name::identifier(&self.function().arrays[array.0 as usize].name));
                self.length(words.extents + *dim as usize, *result, &name);
            }
            Op::Stride { array, dim, result } => match self.words.arrays[array.0 as usize].strides {
                Some(strides) => {
                    let name =
                        format!("{}_step", super::name::identifier(&self.function().arrays[array.0 as usize].name));
                    self.length(strides + *dim as usize, *result, &name);
                }
                None => self.packed_stride(*array, *dim, *result)?,
            },
            Op::Pure { builtin, args, result } => {
                if !self.note_sum(*builtin, args, *result) {
                    self.pure(*builtin, args, *result)?;
                }
            }
            Op::Table { table, index, result } => self.table(*table, *index, *result),
            Op::Load { mem, index, leaf, result } => self.load(*mem, *index, *leaf, *result),
            Op::Store { mem, index, leaf, value } => self.store(*mem, *index, *leaf, *value),
            Op::Fill { local, leaf, value } => self.fill(*local, *leaf, *value),
            Op::Atomic { kind, mem, index, leaf, value, compare, result } => self.atomic(&Atomic {
                kind: *kind,
                mem: *mem,
                index: *index,
                leaf: *leaf,
                value: *value,
                compare: *compare,
                result: *result,
            })?,
            Op::Check { cond, kind, operands, source } => self.check(*cond, kind, operands, *source)?,
            Op::Print { site, args } => self.print(*site, args)?,
            Op::Call { callee, .. } => {
                return Err(format!(
                    "it is not linked: it calls `{}`",
                    self.function().callees[callee.0 as usize].name
                ));
            }
            Op::If { cond, then, otherwise, results } => self.branch(*cond, then, otherwise, results)?,
            Op::Loop { inits, cond, body, results } => self.repeat(inits, cond, body, results)?,
            Op::Custom { .. } => return Err("a derivative is left, which no device runs".into()),
        }
        Ok(())
    }

    /// Says where an op comes from: its statement, or the expression that a check guards.
    fn come_from(&mut self, op: &Op) {
        self.beside = matches!(op, Op::Check { .. });
        self.source = match op {
            Op::Check { source, .. } => Some(*source),
            // They are of the statements in them.
            Op::If { .. } | Op::Loop { .. } => None,
            // No instruction of its own, or one that goes before all others.
            Op::Const { .. } | Op::Extent { .. } | Op::Stride { .. } | Op::Tid { .. } => None,
            _ => self.statement_of(op),
        };
    }

    /// The statement of an op. A store has that of what it writes, if it says the array's name: the value may be an older one.
    fn statement_of(&self, op: &Op) -> Option<SourceId> {
        let function = self.function();
        let statement = function.statement(op)?;
        let text = &function.sources[statement.0 as usize].text;
        match op {
            Op::Store { mem: Mem::Array(array), .. } => {
                super::name::says(text, &function.arrays[array.0 as usize].name).then_some(statement)
            }
            _ => Some(statement),
        }
    }

    /// An extent or stride.
    fn length(&mut self, word: usize, result: Value, name: &str) {
        let val = match self.ranges.is_short(result) {
            true => Val::Short(self.word(word, Class::B32, name)),
            false => Val::Reg(self.word(word, Class::B64, name)),
        };
        self.alias(result, &(val, Scalar::U64));
    }

    /// The stride of an array that lies packed: the product of the extents further in.
    fn packed_stride(&mut self, array: crate::ir::ArrayId, dim: u8, result: Value) -> Emitted {
        let param = &self.function().arrays[array.0 as usize];
        let extents = self.words.arrays[array.0 as usize].extents;
        let name = format!("{}_len", super::name::identifier(&param.name));
        let short = self.ranges.is_short(result);
        let class = if short { Class::B32 } else { Class::B64 };
        let scalar = if short { Scalar::U32 } else { Scalar::U64 };
        let mut stride = (Val::Bits(1), scalar);
        for inner in dim + 1..param.rank {
            let extent = (Val::Reg(self.word(extents + inner as usize, class, &name)), scalar);
            stride = match stride.0 {
                Val::Bits(1) => extent,
                _ => (self.compute(crate::builtins::Builtin::Mul, &[stride, extent], scalar, None)?, scalar),
            };
        }
        let val = match stride.0 {
            Val::Reg(reg) if short => Val::Short(reg),
            other => other,
        };
        self.alias(result, &(val, Scalar::U64));
        Ok(())
    }

    /// A constant of the user's crate, whose bits are put in later.
    fn slot(&mut self, slot: u32, result: Value) {
        let scalar = self.scalar(result);
        let digits = 2 * scalar.size();
        let (prefix, ty, class) = match scalar {
            Scalar::F32 => ("0f", "f32", Class::F32),
            Scalar::F64 => ("0d", "f64", Class::F64),
            Scalar::I64 | Scalar::U64 => ("0x", "b64", Class::B64),
            _ => ("0x", "b32", Class::B32),
        };
        let reg = match scalar {
            Scalar::Bool => self.fresh(class, "constant"),
            _ => self.register(result, class, "constant"),
        };
        let hole = text::slot(slot, digits);
        self.ins(format!("mov.{ty} {reg}, {prefix}{hole};"));
        match scalar {
            Scalar::Bool => {
                let truth = self.register(result, Class::Pred, "constant");
                self.ins(format!("setp.ne.u32 {truth}, {reg}, 0;"));
                self.set(result, Val::Pred(truth, false));
            }
            _ => {
                if scalar.is_signed() {
                    self.extend(scalar, &reg);
                }
                self.set(result, Val::Reg(reg));
            }
        }
    }
}
