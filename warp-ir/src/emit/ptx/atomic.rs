//! Atomics: an instruction where there is one, a reduction where the old value is of no use, and for the rest a loop of
//! compare-and-swap. Bytes and halves are swapped within the word of 32 bits that they lie in.

use super::builtin::suffix;
use super::emitter::{Emitted, Emitter, Operand, Val};
use super::memory::Place;
use super::text::{Class, Reg};
use crate::builtins::Builtin;
use crate::ir::{AtomicKind, Mem, Scalar, Value};
use crate::planted::{self, Bug};

/// An atomic op.
pub(super) struct Atomic {
    pub(super) kind: AtomicKind,
    pub(super) mem: Mem,
    pub(super) index: Value,
    pub(super) leaf: u16,
    pub(super) value: Value,
    pub(super) compare: Option<Value>,
    pub(super) result: Value,
}

impl Emitter<'_, '_> {
    pub(super) fn atomic(&mut self, atomic: &Atomic) -> Emitted {
        let place = self.place_of(atomic.mem, atomic.index, atomic.leaf);
        let value = self.operand(atomic.value);
        let compare = atomic.compare.map(|compare| self.operand(compare));
        let result = atomic.result;
        if place.space == "local" {
            return self.alone(atomic.kind, &place, &value, compare.as_ref(), result);
        }
        match place.scalar.size() {
            1 | 2 => self.within_word(atomic.kind, &place, &value, compare.as_ref(), result),
            _ => match (atomic.kind, instruction(atomic.kind, place.scalar)) {
                (AtomicKind::CompareExchange, _) => self.compare_and_swap(&place, &value, compare.as_ref(), result),
                (AtomicKind::Exchange, _) => self.exchange(&place, &value, result),
                (_, Some(op)) => self.instruction_of(atomic.kind, op, &place, &value, result),
                _ => self.swap_loop(atomic.kind, &place, &value, result),
            },
        }
    }

    /// On memory of the thread's own: a read and a write.
    fn alone(
        &mut self,
        kind: AtomicKind,
        place: &Place,
        value: &Operand,
        compare: Option<&Operand>,
        result: Value,
    ) -> Emitted {
        let scalar = place.scalar;
        let class = if scalar == Scalar::Bool { Class::B32 } else { Class::of(scalar) };
        let reg = self.fresh(class, "old");
        self.load_into(&reg, place);
        let old = match scalar {
            Scalar::Bool => {
                let truth = self.fresh(Class::Pred, "old");
                self.ins(format!("setp.ne.u32 {truth}, {reg}, 0;"));
                Val::Pred(truth, false)
            }
            _ => Val::Reg(reg),
        };
        let old = (old, scalar);
        let new = self.combine(kind, &old, value, compare)?;
        self.store_to(place, &(new, scalar));
        self.alias(result, &old);
        Ok(())
    }

    /// What the place holds afterwards.
    fn combine(&mut self, kind: AtomicKind, old: &Operand, value: &Operand, compare: Option<&Operand>) -> Emitted<Val> {
        let scalar = old.1;
        let builtin = match kind {
            AtomicKind::Add => Builtin::Add,
            AtomicKind::Sub => Builtin::Sub,
            AtomicKind::Min => Builtin::Min,
            AtomicKind::Max => Builtin::Max,
            AtomicKind::And => Builtin::And,
            AtomicKind::Or => Builtin::Or,
            AtomicKind::Xor => Builtin::Xor,
            AtomicKind::Exchange => return Ok(value.0.clone()),
            AtomicKind::CompareExchange => {
                let compare = compare.ok_or("a compare-exchange compares with nothing")?;
                let (a, b) = (self.bits_of(old), self.bits_of(compare));
                let same = self.compute(Builtin::Eq, &[a, b], Scalar::Bool, None)?;
                return self.compute(
                    Builtin::Select,
                    &[(same, Scalar::Bool), value.clone(), old.clone()],
                    scalar,
                    None,
                );
            }
        };
        self.compute(builtin, &[old.clone(), value.clone()], scalar, None)
    }

    /// A value as bits, which are compared as such.
    fn bits_of(&mut self, operand: &Operand) -> Operand {
        let word = match operand.1 {
            Scalar::F32 => Scalar::U32,
            Scalar::F64 => Scalar::U64,
            Scalar::F16 | Scalar::BF16 => Scalar::U16,
            _ => return operand.clone(),
        };
        (self.bitcast(operand, word, None), word)
    }

    /// A register for the old value.
    fn old(&mut self, result: Value, scalar: Scalar) -> Reg {
        let reg = self.register(result, Class::of(scalar), "old");
        self.set(result, Val::Reg(reg.clone()));
        reg
    }

    fn instruction_of(&mut self, kind: AtomicKind, op: &str, place: &Place, value: &Operand, result: Value) -> Emitted {
        let scalar = place.scalar;
        let value = match kind {
            AtomicKind::Sub => (self.compute(Builtin::Neg, std::slice::from_ref(value), scalar, None)?, scalar),
            _ => value.clone(),
        };
        let ty = match kind {
            AtomicKind::And | AtomicKind::Or | AtomicKind::Xor => {
                if scalar.size() == 8 {
                    "b64"
                } else {
                    "b32"
                }
            }
            // Sums of two's complement have no sign, and only the unsigned ones of 64 bits have an instruction.
            AtomicKind::Add | AtomicKind::Sub if scalar == Scalar::I64 => "u64",
            _ => suffix(scalar),
        };
        let text = self.text(&value);
        if self.uses[result.0 as usize] == 0 {
            self.ins(format!("red.global.{op}.{ty} [{}], {text};", place.address));
        } else {
            let old = self.old(result, scalar);
            self.ins(format!("atom.global.{op}.{ty} {old}, [{}], {text};", place.address));
        }
        Ok(())
    }

    fn exchange(&mut self, place: &Place, value: &Operand, result: Value) -> Emitted {
        let scalar = place.scalar;
        let bits = self.bits_of(value);
        let text = self.text(&bits);
        let old = self.fresh(Class::of(bits.1), "old");
        let ty = if scalar.size() == 8 { "b64" } else { "b32" };
        self.ins(format!("atom.global.exch.{ty} {old}, [{}], {text};", place.address));
        self.give(&old, bits.1, scalar, result);
        Ok(())
    }

    fn compare_and_swap(
        &mut self,
        place: &Place,
        value: &Operand,
        compare: Option<&Operand>,
        result: Value,
    ) -> Emitted {
        let scalar = place.scalar;
        let compare = compare.ok_or("a compare-exchange compares with nothing")?;
        let (compare, value) = (self.bits_of(compare), self.bits_of(value));
        let (compare_text, value_text) = (self.text(&compare), self.text(&value));
        let old = self.fresh(Class::of(value.1), "old");
        let ty = if scalar.size() == 8 { "b64" } else { "b32" };
        self.ins(format!("atom.global.cas.{ty} {old}, [{}], {compare_text}, {value_text};", place.address));
        self.give(&old, value.1, scalar, result);
        Ok(())
    }

    /// Old bits as the result.
    fn give(&mut self, old: &Reg, word: Scalar, scalar: Scalar, result: Value) {
        let val = self.bitcast(&(Val::Reg(old.clone()), word), scalar, Some(result));
        self.set(result, val);
    }

    /// Combines until nobody came between.
    fn swap_loop(&mut self, kind: AtomicKind, place: &Place, value: &Operand, result: Value) -> Emitted {
        let scalar = place.scalar;
        let word = if scalar.size() == 8 { Scalar::U64 } else { Scalar::U32 };
        let (class, ty) = (Class::of(word), if scalar.size() == 8 { "b64" } else { "b32" });
        let [seen, expected] = ["seen", "expected"].map(|name| self.fresh(class, name));
        let again = self.fresh_label("swap");
        self.ins(format!("ld.volatile.global.{ty} {seen}, [{}];", place.address));
        self.place(&again);
        self.ins(format!("mov.{ty} {expected}, {seen};"));
        self.scopes.push(Default::default());
        let old = self.bitcast(&(Val::Reg(expected.clone()), word), scalar, None);
        let new = self.combine(kind, &(old, scalar), value, None)?;
        let new = self.bits_of(&(new, scalar));
        let new = self.text(&new);
        self.scopes.pop();
        self.ins(format!("atom.global.cas.{ty} {seen}, [{}], {expected}, {new};", place.address));
        let other = self.fresh(Class::Pred, "other");
        self.ins(format!("setp.ne.{} {other}, {seen}, {expected};", suffix(word)));
        self.ins(format!("@{other} bra {again};"));
        self.give(&seen, word, scalar, result);
        Ok(())
    }

    /// A byte or a half, in its word of 32 bits.
    fn within_word(
        &mut self,
        kind: AtomicKind,
        place: &Place,
        value: &Operand,
        compare: Option<&Operand>,
        result: Value,
    ) -> Emitted {
        let scalar = place.scalar;
        let [exact, aligned] = ["exact", "word"].map(|name| self.fresh(Class::B64, name));
        let [low, shift, seen, expected, part, mask, new_word] =
            ["low", "shift", "seen", "expected", "part", "mask", "new"].map(|name| self.fresh(Class::B32, name));
        let (again, other) = (self.fresh_label("swap"), self.fresh(Class::Pred, "other"));
        let bits = scalar.bits();
        let (start, offset) = place.address.split_once('+').unwrap_or((&place.address, "0"));
        self.ins(format!("add.s64 {exact}, {start}, {offset};"));
        self.ins(format!("and.b64 {aligned}, {exact}, -4;"));
        self.ins(format!("cvt.u32.u64 {low}, {exact};"));
        self.ins(format!("and.b32 {low}, {low}, 3;"));
        self.ins(format!("shl.b32 {shift}, {low}, 3;"));
        self.ins(format!("mov.b32 {mask}, {};", (1u64 << bits) - 1));
        self.ins(format!("shl.b32 {mask}, {mask}, {shift};"));
        self.ins(format!("not.b32 {mask}, {mask};"));
        self.ins(format!("ld.volatile.global.b32 {seen}, [{aligned}];"));
        self.place(&again);
        self.ins(format!("mov.b32 {expected}, {seen};"));
        self.ins(format!("shr.u32 {part}, {expected}, {shift};"));
        self.scopes.push(Default::default());
        let old = match scalar {
            Scalar::Bool => {
                let truth = self.fresh(Class::Pred, "old");
                self.ins(format!("and.b32 {part}, {part}, 255;"));
                self.ins(format!("setp.ne.u32 {truth}, {part}, 0;"));
                Val::Pred(truth, false)
            }
            _ => {
                self.extend(scalar, &part);
                Val::Reg(part.clone())
            }
        };
        let new = self.combine(kind, &(old.clone(), scalar), value, compare)?;
        let new = match scalar {
            Scalar::Bool => (self.compute(Builtin::Cast, &[(new, scalar)], Scalar::U32, None)?, Scalar::U32),
            _ => (new, scalar),
        };
        let text = self.text(&new);
        self.scopes.pop();
        self.ins(format!("and.b32 {new_word}, {text}, {};", (1u64 << bits) - 1));
        self.ins(format!("shl.b32 {new_word}, {new_word}, {shift};"));
        let kept = if planted::is(Bug::PtxWritesNeighbours) { "0" } else { &mask };
        self.ins(format!("and.b32 {low}, {expected}, {kept};"));
        self.ins(format!("or.b32 {new_word}, {new_word}, {low};"));
        self.ins(format!("atom.global.cas.b32 {seen}, [{aligned}], {expected}, {new_word};"));
        self.ins(format!("setp.ne.u32 {other}, {seen}, {expected};"));
        self.ins(format!("@{other} bra {again};"));
        let old = (old, scalar);
        let to = self.define(result, "old");
        self.assign(&to, &old);
        Ok(())
    }
}

/// The operation of an instruction, where there is one. The smaller and the larger float have none.
fn instruction(kind: AtomicKind, scalar: Scalar) -> Option<&'static str> {
    match kind {
        AtomicKind::Add | AtomicKind::Sub => Some("add"),
        AtomicKind::Min | AtomicKind::Max if scalar.is_float() => None,
        AtomicKind::Min => Some("min"),
        AtomicKind::Max => Some("max"),
        AtomicKind::And => Some("and"),
        AtomicKind::Or => Some("or"),
        AtomicKind::Xor => Some("xor"),
        AtomicKind::Exchange | AtomicKind::CompareExchange => None,
    }
}
