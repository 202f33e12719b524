//! Integers as rows of bits. Those of 8 and 16 bits lie in registers of 32, extended as their sign asks for.

use super::builtin::suffix;
use super::emitter::{Emitted, Emitter, Operand, Val};
use super::text::{Class, Reg};
use crate::builtins::Builtin;
use crate::ir::{Scalar, Value};
use crate::planted::{self, Bug};

impl Emitter<'_, '_> {
    /// Shifts. PTX takes amounts of the width and more at their word, the IR masks them.
    pub(super) fn shift(
        &mut self,
        builtin: Builtin,
        operands: &[Operand],
        result: Scalar,
        value: Option<Value>,
    ) -> Val {
        let mask = u64::from(result.bits() - 1);
        let amount = match &operands[1].0 {
            Val::Bits(bits) => (bits & mask).to_string(),
            _ if planted::is(Bug::PtxForgetsShiftMask) => self.low(&operands[1]),
            _ => {
                let amount = self.low(&operands[1]);
                let masked = self.fresh(Class::B32, "amount");
                self.ins(format!("and.b32 {masked}, {amount}, {mask};"));
                masked.to_string()
            }
        };
        let short = value.is_some_and(|value| self.ranges.is_short(value));
        // A register of 32 bits is all zero when it is shifted down by more, as the 64 bits are.
        let halves = short && matches!(operands[0].0, Val::Short(_));
        let a = if halves { self.low(&operands[0]) } else { self.text(&operands[0]) };
        let is = self.result(value, result, builtin.name());
        let Some(reg) = register(&is) else { return is };
        let cut = matches!(is, Val::Short(_)) && !halves;
        let to = if cut { self.fresh(Class::B64, builtin.name()) } else { reg.clone() };
        let bits = if halves || result.size() < 8 { "b32" } else { "b64" };
        match (builtin, halves) {
            (Builtin::Shl, _) => self.ins(format!("shl.{bits} {to}, {a}, {amount};")),
            (_, true) => self.ins(format!("shr.u32 {to}, {a}, {amount};")),
            _ => self.ins(format!("shr.{} {to}, {a}, {amount};", suffix(result))),
        }
        if cut {
            self.ins(format!("cvt.u32.u64 {reg}, {to};"));
        }
        if builtin == Builtin::Shl {
            self.extend(result, &reg);
        }
        is
    }

    /// A small integer with zeros above.
    fn zero_extended(&mut self, operand: &Operand) -> String {
        let text = self.text(operand);
        let mask = match operand.1 {
            Scalar::I8 => 255,
            Scalar::I16 => 65535,
            _ => return text,
        };
        let bits = self.fresh(Class::B32, "bits");
        self.ins(format!("and.b32 {bits}, {text}, {mask};"));
        bits.to_string()
    }

    /// Ones, or zeros before the first one.
    pub(super) fn count_bits(&mut self, builtin: Builtin, operand: &Operand, value: Option<Value>) -> Val {
        let bits = self.zero_extended(operand);
        let is = self.result(value, Scalar::U32, builtin.name());
        let Some(reg) = register(&is) else { return is };
        match builtin {
            Builtin::CountOnes => self.ins(format!("popc.b32 {reg}, {bits};")),
            _ => {
                self.ins(format!("clz.b32 {reg}, {bits};"));
                self.ins(format!("sub.u32 {reg}, {reg}, {};", 32 - operand.1.bits()));
            }
        }
        is
    }

    /// Bits or bytes in reverse order, where that is no instruction.
    pub(super) fn reverse(&mut self, builtin: Builtin, operand: &Operand, value: Option<Value>) -> Emitted<Val> {
        let scalar = operand.1;
        match (builtin, scalar.size()) {
            (Builtin::SwapBytes, 1) => Ok(match value {
                Some(value) => self.alias(value, operand),
                None => operand.0.clone(),
            }),
            (Builtin::SwapBytes, 8) => Ok(self.swap_words(operand, value)),
            (Builtin::SwapBytes, 2) => {
                let bits = self.text(operand);
                let is = self.result(value, scalar, "swap_bytes");
                let Some(reg) = register(&is) else { return Ok(is) };
                self.ins(format!("prmt.b32 {reg}, {bits}, 0, 0x4401;"));
                self.extend(scalar, &reg);
                Ok(is)
            }
            (Builtin::ReverseBits, 1 | 2) => {
                let bits = self.zero_extended(operand);
                let is = self.result(value, scalar, "reverse_bits");
                let Some(reg) = register(&is) else { return Ok(is) };
                self.ins(format!("brev.b32 {reg}, {bits};"));
                self.ins(format!("shr.u32 {reg}, {reg}, {};", 32 - scalar.bits()));
                self.extend(scalar, &reg);
                Ok(is)
            }
            _ => Err(format!("`{}` of {} has no form in PTX", builtin.name(), scalar.name())),
        }
    }

    fn swap_words(&mut self, operand: &Operand, value: Option<Value>) -> Val {
        let bits = self.text(operand);
        let [low, high, low_swapped, high_swapped] =
            ["low", "high", "low", "high"].map(|name| self.fresh(Class::B32, name));
        self.ins(format!("mov.b64 {{{low}, {high}}}, {bits};"));
        self.ins(format!("prmt.b32 {low_swapped}, {low}, 0, 0x0123;"));
        self.ins(format!("prmt.b32 {high_swapped}, {high}, 0, 0x0123;"));
        let is = self.result(value, operand.1, "swap_bytes");
        match &is {
            Val::Short(reg) => self.ins(format!("mov.b32 {reg}, {high_swapped};")),
            _ => {
                if let Some(reg) = register(&is) {
                    self.ins(format!("mov.b64 {reg}, {{{high_swapped}, {low_swapped}}};"));
                }
            }
        }
        is
    }
}

/// The register of a value that is in one.
pub(super) fn register(val: &Val) -> Option<Reg> {
    match val {
        Val::Bits(_) => None,
        Val::Reg(reg) | Val::Short(reg) | Val::Pred(reg, _) => Some(reg.clone()),
    }
}
