//! Rust's `as`, and the same bits as another type.

use super::builtin::suffix;
use super::emitter::{Emitted, Emitter, Operand, Val};
use super::integer::register;
use super::text::Class;
use crate::ir::{Scalar, Value};

impl Emitter<'_, '_> {
    /// Any conversion but those of BF16, which are expansions, since older devices have no instructions for it.
    pub(super) fn cast(&mut self, operand: &Operand, to: Scalar, value: Option<Value>) -> Emitted<Val> {
        let from = operand.1;
        Ok(match (from, to) {
            _ if from == to => self.same(operand, value),
            (Scalar::F16, _) => self.widened_half(operand, to, value),
            (_, Scalar::F16) => self.narrowed_to_half(operand, value),
            (Scalar::Bool, _) => self.truth_to_int(operand, to, value),
            _ if from.is_float() && to.is_float() => {
                let rounding = if from == Scalar::F64 { ".rn" } else { "" };
                self.converted(&format!("cvt{rounding}.{}.{}", suffix(to), suffix(from)), operand, to, value)
            }
            _ if from.is_float() => self.float_to_int(operand, to, value),
            _ if to.is_float() => match &operand.0 {
                // A value below 2^32 is a number of 32 bits.
                Val::Short(reg) => {
                    let low = (Val::Reg(reg.clone()), Scalar::U32);
                    self.converted(&format!("cvt.rn.{}.u32", suffix(to)), &low, to, value)
                }
                _ => self.converted(&format!("cvt.rn.{}.{}", suffix(to), suffix(from)), operand, to, value),
            },
            _ => self.int_to_int(operand, to, value),
        })
    }

    fn same(&mut self, operand: &Operand, value: Option<Value>) -> Val {
        match value {
            Some(value) => self.alias(value, operand),
            None => operand.0.clone(),
        }
    }

    /// One instruction.
    fn converted(&mut self, instruction: &str, operand: &Operand, to: Scalar, value: Option<Value>) -> Val {
        let text = self.text(operand);
        let is = self.result(value, to, "as");
        if let Some(reg) = register(&is) {
            self.ins(format!("{instruction} {reg}, {text};"));
        }
        is
    }

    fn truth_to_int(&mut self, operand: &Operand, to: Scalar, value: Option<Value>) -> Val {
        let one_first = !matches!(operand.0, Val::Pred(_, true));
        let truth = match &operand.0 {
            Val::Pred(reg, _) => reg.clone(),
            other => self.predicate(other),
        };
        let is = self.result(value, to, "as");
        if let Some(reg) = register(&is) {
            let (a, b) = if one_first { (1, 0) } else { (0, 1) };
            let class = if matches!(is, Val::Short(_)) { Class::B32 } else { Class::of(to) };
            self.ins(format!("selp.{} {reg}, {a}, {b}, {truth};", class.name()));
        }
        is
    }

    fn int_to_int(&mut self, operand: &Operand, to: Scalar, value: Option<Value>) -> Val {
        let from = operand.1;
        match (&operand.0, from.size(), to.size()) {
            // The same register holds it.
            (Val::Short(reg), _, 8) => {
                let short = value.is_some_and(|value| self.ranges.is_short(value));
                match (to, short) {
                    (Scalar::U64, true) => self.same(operand, value),
                    _ => self.converted("cvt.u64.u32", &(Val::Reg(reg.clone()), Scalar::U32), to, value),
                }
            }
            (Val::Short(reg), _, 4) => self.same(&(Val::Reg(reg.clone()), to), value),
            (_, 8, 8) | (_, 4, 4) => self.same(&(operand.0.clone(), to), value),
            (_, 8, 4) => {
                let low = self.low(operand);
                self.moved(&low, to, value)
            }
            (_, 8, _) => {
                let low = self.low(operand);
                self.moved(&low, to, value)
            }
            // From 32 bits and less.
            (_, _, 8) => {
                let short = value.is_some_and(|value| self.ranges.is_short(value));
                match (from.is_signed(), short, &operand.0) {
                    (false, true, Val::Reg(reg)) => self.same(&(Val::Short(reg.clone()), to), value),
                    (true, _, _) => self.converted("cvt.s64.s32", operand, to, value),
                    _ => self.converted("cvt.u64.u32", operand, to, value),
                }
            }
            // An extended small integer is right in 32 bits, and in a larger type of its own sign.
            (_, a, b) if a < b && (b == 4 || from.is_signed() == to.is_signed() || !from.is_signed()) => {
                self.same(&(operand.0.clone(), to), value)
            }
            _ => {
                let text = self.text(operand);
                self.moved(&text, to, value)
            }
        }
    }

    /// The low bits of a register of 32, extended as the type asks for.
    fn moved(&mut self, from: &str, to: Scalar, value: Option<Value>) -> Val {
        let is = self.result(value, to, "as");
        let Some(reg) = register(&is) else { return is };
        match to {
            Scalar::I8 => self.ins(format!("cvt.s32.s8 {reg}, {from};")),
            Scalar::I16 => self.ins(format!("cvt.s32.s16 {reg}, {from};")),
            Scalar::U8 => self.ins(format!("and.b32 {reg}, {from}, 255;")),
            Scalar::U16 | Scalar::F16 | Scalar::BF16 => self.ins(format!("and.b32 {reg}, {from}, 65535;")),
            _ => self.ins(format!("mov.b32 {reg}, {from};")),
        }
        is
    }

    /// Conversions to integers saturate by themselves. A NaN becomes 0 in some only, so that it is looked for in the
    /// others.
    fn float_to_int(&mut self, operand: &Operand, to: Scalar, value: Option<Value>) -> Val {
        let from = operand.1;
        let wide = to.size() == 8;
        let (ty, zero_ty) = match to {
            Scalar::I64 => ("s64", "b64"),
            Scalar::U64 => ("u64", "b64"),
            Scalar::U32 => ("u32", "b32"),
            _ => ("s32", "b32"),
        };
        let text = self.text(operand);
        let is = self.result(value, to, "as");
        let Some(reg) = register(&is) else { return is };
        self.ins(format!("cvt.rzi.{ty}.{} {reg}, {text};", suffix(from)));
        if from == Scalar::F64 || wide {
            let nan = self.fresh(Class::Pred, "nan");
            self.ins(format!("setp.nan.{} {nan}, {text}, {text};", suffix(from)));
            self.ins(format!("selp.{zero_ty} {reg}, 0, {reg}, {nan};"));
        }
        let limits = match to {
            Scalar::I8 => Some((i64::from(i8::MIN), i64::from(i8::MAX))),
            Scalar::I16 => Some((i64::from(i16::MIN), i64::from(i16::MAX))),
            Scalar::U8 => Some((0, i64::from(u8::MAX))),
            Scalar::U16 => Some((0, i64::from(u16::MAX))),
            _ => None,
        };
        if let Some((low, high)) = limits {
            self.ins(format!("max.s32 {reg}, {reg}, {low};"));
            self.ins(format!("min.s32 {reg}, {reg}, {high};"));
        }
        is
    }

    fn widened_half(&mut self, operand: &Operand, to: Scalar, value: Option<Value>) -> Val {
        let bits = self.text(operand);
        let half = self.fresh(Class::B16, "half");
        self.ins(format!("cvt.u16.u32 {half}, {bits};"));
        let is = self.result(value, to, "as");
        if let Some(reg) = register(&is) {
            self.ins(format!("cvt.{}.f16 {reg}, {half};", suffix(to)));
        }
        is
    }

    fn narrowed_to_half(&mut self, operand: &Operand, value: Option<Value>) -> Val {
        let text = self.text(operand);
        let half = self.fresh(Class::B16, "half");
        self.ins(format!("cvt.rn.f16.{} {half}, {text};", suffix(operand.1)));
        let is = self.result(value, Scalar::F16, "as");
        if let Some(reg) = register(&is) {
            self.ins(format!("cvt.u32.u16 {reg}, {half};"));
        }
        is
    }

    /// The same bits as another type of the same size.
    pub(super) fn bitcast(&mut self, operand: &Operand, to: Scalar, value: Option<Value>) -> Val {
        let from = operand.1;
        match (from.size(), Class::of(from) == Class::of(to)) {
            _ if from == to => self.same(operand, value),
            (1 | 2, _) if from.is_signed() != to.is_signed() => {
                let text = self.text(operand);
                self.moved(&text, to, value)
            }
            (_, true) => match &operand.0 {
                Val::Short(_) if to != Scalar::U64 => {
                    let text = self.text(operand);
                    let is = self.result(value, to, "bits");
                    if let Some(reg) = register(&is) {
                        self.ins(format!("mov.b64 {reg}, {text};"));
                    }
                    is
                }
                _ => self.same(&(operand.0.clone(), to), value),
            },
            (size, false) => self.converted(if size == 8 { "mov.b64" } else { "mov.b32" }, operand, to, value),
        }
    }
}
