//! Arithmetic of `f32` and `f64`.

use super::body::Body;
use super::modifiers::Modifiers;
use super::operand::exactly;
use crate::arithmetic::{approximate, float};
use crate::code::{Class, Op, class_of};
use crate::error::ParseError;
use crate::text::syntax::Instruction;
use crate::types::{Rounding, Type};

impl Body<'_> {
    pub(super) fn float(&mut self, instruction: &Instruction) -> Result<(Op, Class), ParseError> {
        let m = Modifiers::of(instruction);
        let kind = instruction.modifiers.last().and_then(|part| Type::named(part));
        let Some(kind @ (Type::F32 | Type::F64)) = kind else {
            return m.wrong("arithmetic of numbers of 16 bits is not handled.");
        };
        let op = match instruction.root.as_str() {
            root @ ("add" | "sub" | "mul") => self.rounded_two(root, instruction, m),
            "fma" | "mad" => self.fused(instruction, m),
            "div" => self.quotient(instruction, m),
            root @ ("sqrt" | "rcp") => self.root_or_reciprocal(root, instruction, m),
            root @ ("rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh") => self.approximate(root, instruction, m),
            root @ ("min" | "max") => self.extreme(root, instruction, m),
            root @ ("neg" | "abs") => {
                let mut m = m;
                let kind = m.last_kind()?;
                self.one(m.form(float::sign(root, kind))?, kind, kind, instruction, &m)
            }
            _ => {
                let mut m = m;
                let kind = m.last_kind()?;
                self.two(m.form(float::copysign(kind))?, kind, instruction, &m)
            }
        }?;
        Ok((op, class_of(kind)))
    }

    /// Puts `.sat` behind an operation.
    fn then_saturate(&mut self, op: Op, kind: Type, saturate: bool, m: &Modifiers<'_>) -> Result<Op, ParseError> {
        if !saturate {
            return Ok(op);
        }
        let f = m.form(float::saturate(kind))?;
        let d = match op {
            Op::Binary { d, .. } | Op::Ternary { d, .. } => d,
            _ => return m.wrong("`.sat` is not handled here."),
        };
        Ok(Op::Then { first: Box::new(op), d, f })
    }

    fn rounded_two(&mut self, root: &str, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let rounding = m.rounding().unwrap_or(Rounding::Nearest);
        let saturate = m.eat("sat");
        let kind = m.last_kind()?;
        let op = self.two(m.form(float::arithmetic(root, kind, rounding))?, kind, instruction, &m)?;
        self.then_saturate(op, kind, saturate, &m)
    }

    fn fused(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let Some(rounding) = m.rounding() else { return m.wrong("a rounding must be said: .rn, .rz, .rm or .rp.") };
        let saturate = m.eat("sat");
        let kind = m.last_kind()?;
        let op = self.three(m.form(float::fused(kind, rounding))?, kind, [kind; 3], instruction, &m)?;
        self.then_saturate(op, kind, saturate, &m)
    }

    fn quotient(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        if m.eat_any(&["approx", "full"]).is_some() {
            let flush = m.eat("ftz");
            let kind = m.last_kind()?;
            return self.two(m.form(approximate::divide(kind, flush))?, kind, instruction, &m);
        }
        let Some(rounding) = m.rounding() else {
            return m.wrong("a rounding must be said, .rn, .rz, .rm or .rp, or for .f32 .approx or .full.");
        };
        let kind = m.last_kind()?;
        self.two(m.form(float::arithmetic("div", kind, rounding))?, kind, instruction, &m)
    }

    fn root_or_reciprocal(
        &mut self,
        root: &str,
        instruction: &Instruction,
        mut m: Modifiers<'_>,
    ) -> Result<Op, ParseError> {
        if m.peek() == Some("approx") {
            return self.approximate(root, instruction, m);
        }
        let Some(rounding) = m.rounding() else {
            return m.wrong("a rounding must be said, .rn, .rz, .rm or .rp, or for .f32 .approx.");
        };
        let kind = m.last_kind()?;
        self.one(m.form(float::root_or_reciprocal(root, kind, rounding))?, kind, kind, instruction, &m)
    }

    fn approximate(&mut self, root: &str, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        if !m.eat("approx") {
            return m.wrong("`.approx` must be said.");
        }
        let flush = m.eat("ftz");
        let kind = m.last_kind()?;
        self.one(m.form(approximate::unary(root, kind, flush))?, kind, kind, instruction, &m)
    }

    fn extreme(&mut self, root: &str, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let keep_nan = m.eat("NaN");
        let kind = m.last_kind()?;
        exactly::<3>(instruction, &m)?;
        self.two(m.form(float::extreme(root, kind, keep_nan))?, kind, instruction, &m)
    }
}
