//! The remainder of floats, exact: whole numbers of the divisor's last place are divided, as many bits at a time as a
//! register has room for. The steps are those of [`soft::rem_f64`](crate::builtins::soft::rem_f64).

use super::emitter::{Emitted, Emitter, Operand, Val};
use super::integer::register;
use super::text::{Class, Reg};
use crate::builtins::Builtin;
use crate::ir::{Scalar, Value};

/// Bits that a 64-bit register has free above the 53 of a remainder.
const STEP: u32 = 11;

impl Emitter<'_, '_> {
    /// `a % b`: floats here; integers have an instruction.
    pub(super) fn remainder(&mut self, operands: &[Operand], result: Scalar, value: Option<Value>) -> Emitted<Val> {
        if !result.is_float() {
            return Err("the remainder of integers is an instruction".into());
        }
        let single = result == Scalar::F32;
        // A single is a double, exactly, and so is the remainder of two.
        let [x, y] = match single {
            true => [
                self.compute(Builtin::Cast, &operands[..1], Scalar::F64, None)?,
                self.compute(Builtin::Cast, &operands[1..], Scalar::F64, None)?,
            ],
            false => [operands[0].0.clone(), operands[1].0.clone()],
        };
        let (x, y) = (self.double(x), self.double(y));
        let rest = self.fresh(Class::F64, "remainder");
        self.double_remainder(&x, &y, &rest);
        if single {
            return self.cast(&(Val::Reg(rest), Scalar::F64), Scalar::F32, value);
        }
        let is = self.result(value, result, "rem");
        if let Some(reg) = register(&is) {
            self.ins(format!("mov.f64 {reg}, {rest};"));
        }
        Ok(is)
    }

    fn double(&mut self, val: Val) -> Reg {
        if let Val::Reg(reg) = val {
            return reg;
        }
        let reg = self.fresh(Class::F64, "number");
        let to = Val::Reg(reg.clone());
        self.assign(&to, &(val, Scalar::F64));
        reg
    }

    fn double_remainder(&mut self, x: &Reg, y: &Reg, rest: &Reg) {
        let (end, again, last) = (self.fresh_label("whole"), self.fresh_label("divide"), self.fresh_label("last"));
        let [a, b] = ["size", "size"].map(|name| self.fresh(Class::F64, name));
        let [undefined, small] = ["undefined", "small"].map(|name| self.fresh(Class::Pred, name));
        self.ins(format!("abs.f64 {a}, {x};"));
        self.ins(format!("abs.f64 {b}, {y};"));
        // An infinite or undefined dividend, an undefined divisor, or zero: not a number.
        self.ins(format!("mov.f64 {rest}, 0d7FF8000000000000;"));
        for condition in [
            format!("setp.geu.f64 {undefined}, {a}, 0d7FF0000000000000;"),
            format!("setp.leu.f64 {undefined}, {b}, 0d0000000000000000;"),
        ] {
            self.ins(condition);
            self.ins(format!("@{undefined} bra {end};"));
        }
        self.ins(format!("mov.f64 {rest}, {x};"));
        self.ins(format!("setp.lt.f64 {small}, {a}, {b};"));
        self.ins(format!("@{small} bra {end};"));
        let (mx, ex) = self.parts(&a);
        let (my, ey) = self.parts(&b);
        let left = self.fresh(Class::B64, "left");
        let steps = self.fresh(Class::B32, "steps");
        self.ins(format!("rem.u64 {left}, {mx}, {my};"));
        self.ins(format!("sub.s32 {steps}, {ex}, {ey};"));
        let done = self.fresh(Class::Pred, "done");
        let step = self.fresh(Class::B32, "step");
        self.place(&again);
        self.ins(format!("setp.le.s32 {done}, {steps}, 0;"));
        self.ins(format!("@{done} bra {last};"));
        self.ins(format!("min.s32 {step}, {steps}, {STEP};"));
        self.ins(format!("shl.b64 {left}, {left}, {step};"));
        self.ins(format!("rem.u64 {left}, {left}, {my};"));
        self.ins(format!("sub.s32 {steps}, {steps}, {step};"));
        self.ins(format!("bra.uni {again};"));
        self.place(&last);
        let unit = self.power_of_two(&ey);
        self.ins(format!("cvt.rn.f64.u64 {rest}, {left};"));
        self.ins(format!("mul.rn.f64 {rest}, {rest}, {unit};"));
        self.ins(format!("copysign.f64 {rest}, {x}, {rest};"));
        self.place(&end);
    }

    /// A magnitude as a whole number and a power of two.
    fn parts(&mut self, magnitude: &Reg) -> (Reg, Reg) {
        let [bits, field, fraction, whole] =
            ["bits", "field", "fraction", "whole"].map(|name| self.fresh(Class::B64, name));
        let exponent = self.fresh(Class::B32, "exponent");
        let denormal = self.fresh(Class::Pred, "denormal");
        self.ins(format!("mov.b64 {bits}, {magnitude};"));
        self.ins(format!("shr.u64 {field}, {bits}, 52;"));
        self.ins(format!("and.b64 {fraction}, {bits}, 0x000FFFFFFFFFFFFF;"));
        self.ins(format!("cvt.u32.u64 {exponent}, {field};"));
        self.ins(format!("setp.eq.u32 {denormal}, {exponent}, 0;"));
        self.ins(format!("or.b64 {whole}, {fraction}, 0x0010000000000000;"));
        self.ins(format!("selp.b64 {whole}, {fraction}, {whole}, {denormal};"));
        // The smallest normal numbers have the exponent of the denormal ones.
        self.ins(format!("max.s32 {exponent}, {exponent}, 1;"));
        self.ins(format!("sub.s32 {exponent}, {exponent}, 1075;"));
        (whole, exponent)
    }

    /// A power of two, also a denormal one.
    fn power_of_two(&mut self, exponent: &Reg) -> Reg {
        let [normal, denormal, shift] = ["field", "place", "shift"].map(|name| self.fresh(Class::B32, name));
        let [above, below, one] = ["bits", "bits", "one"].map(|name| self.fresh(Class::B64, name));
        let small = self.fresh(Class::Pred, "small");
        let power = self.fresh(Class::F64, "unit");
        self.ins(format!("add.s32 {normal}, {exponent}, 1023;"));
        self.ins(format!("cvt.u64.u32 {above}, {normal};"));
        self.ins(format!("shl.b64 {above}, {above}, 52;"));
        self.ins(format!("add.s32 {denormal}, {exponent}, 1074;"));
        self.ins(format!("min.s32 {shift}, {denormal}, 63;"));
        self.ins(format!("mov.b64 {one}, 1;"));
        self.ins(format!("shl.b64 {below}, {one}, {shift};"));
        self.ins(format!("setp.lt.s32 {small}, {exponent}, -1022;"));
        self.ins(format!("selp.b64 {above}, {below}, {above}, {small};"));
        self.ins(format!("mov.b64 {power}, {above};"));
        power
    }
}
