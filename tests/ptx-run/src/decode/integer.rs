//! Arithmetic and logic of whole numbers, and logic of predicates.

use super::body::Body;
use super::modifiers::Modifiers;
use super::operand::exactly;
use crate::arithmetic::{Binary, Ternary, Unary, bits, carry, integer};
use crate::code::{Class, Op};
use crate::error::ParseError;
use crate::text::syntax::{Instruction, Operand};
use crate::types::Type;

/// The type of twice the width.
fn doubled(kind: Type) -> Type {
    match kind {
        Type::U16 => Type::U32,
        Type::S16 => Type::S32,
        Type::U32 => Type::U64,
        Type::S32 => Type::S64,
        other => other,
    }
}

impl Body<'_> {
    pub(super) fn integer(&mut self, instruction: &Instruction) -> Result<(Op, Class), ParseError> {
        let mut m = Modifiers::of(instruction);
        let op = match instruction.root.as_str() {
            root @ ("add" | "sub") => self.sum(root, instruction, m),
            "addc" => self.carried("add", true, instruction, m),
            "subc" => self.carried("sub", true, instruction, m),
            "mul" => self.product(instruction, m),
            root @ ("mad" | "madc") => self.product_sum(root, instruction, m),
            root @ ("div" | "rem" | "min" | "max") => {
                let kind = m.last_kind()?;
                self.two(m.form(integer::binary(root, kind))?, kind, instruction, &m)
            }
            root @ ("neg" | "abs") => {
                let kind = m.last_kind()?;
                self.one(m.form(integer::unary(root, kind))?, kind, kind, instruction, &m)
            }
            root @ ("and" | "or" | "xor") => {
                let kind = m.last_kind()?;
                self.two(m.form(bits::logic(root, kind))?, kind, instruction, &m)
            }
            root @ ("not" | "brev") => {
                let kind = m.last_kind()?;
                self.one(m.form(bits::unary(root, kind))?, kind, kind, instruction, &m)
            }
            root @ ("popc" | "clz") => {
                let kind = m.last_kind()?;
                self.one(m.form(bits::unary(root, kind))?, Type::B32, kind, instruction, &m)
            }
            root @ ("shl" | "shr") => self.shift(root, instruction, m),
            "bfe" => {
                let kind = m.last_kind()?;
                let f = m.form(bits::extract(kind))?;
                let [d, a, start, length] = exactly(instruction, &m)?;
                let (d, a) = (self.destination(d, kind, &m)?, self.source(a, kind, &m)?);
                Ok(Op::Ternary { f, d, a, b: self.byte(start, &m)?, c: self.byte(length, &m)? })
            }
            "bfi" => self.insert(instruction, m),
            "lop3" => self.lookup(instruction, m),
            "prmt" => self.permute(instruction, m),
            "shf" => self.funnel(instruction, m),
            _ => m.wrong("this instruction is not handled."),
        }?;
        Ok((op, Class::Integer))
    }

    pub(super) fn one(
        &mut self,
        f: Unary,
        result: Type,
        kind: Type,
        instruction: &Instruction,
        m: &Modifiers<'_>,
    ) -> Result<Op, ParseError> {
        let [d, a] = exactly(instruction, m)?;
        Ok(Op::Unary { f, d: self.destination(d, result, m)?, a: self.source(a, kind, m)? })
    }

    pub(super) fn two(
        &mut self,
        f: Binary,
        kind: Type,
        instruction: &Instruction,
        m: &Modifiers<'_>,
    ) -> Result<Op, ParseError> {
        let [d, a, b] = exactly(instruction, m)?;
        let d = self.destination(d, kind, m)?;
        Ok(Op::Binary { f, d, a: self.source(a, kind, m)?, b: self.source(b, kind, m)? })
    }

    pub(super) fn three(
        &mut self,
        f: Ternary,
        result: Type,
        kinds: [Type; 3],
        instruction: &Instruction,
        m: &Modifiers<'_>,
    ) -> Result<Op, ParseError> {
        let [d, a, b, c] = exactly(instruction, m)?;
        let d = self.destination(d, result, m)?;
        let (a, b) = (self.source(a, kinds[0], m)?, self.source(b, kinds[1], m)?);
        Ok(Op::Ternary { f, d, a, b, c: self.source(c, kinds[2], m)? })
    }

    fn sum(&mut self, root: &str, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        if m.peek() == Some("cc") {
            return self.carried(root, false, instruction, m);
        }
        let saturate = m.eat("sat");
        let kind = m.last_kind()?;
        let found = if saturate { integer::saturating(root, kind) } else { integer::binary(root, kind) };
        self.two(m.form(found)?, kind, instruction, &m)
    }

    fn carried(
        &mut self,
        root: &str,
        takes: bool,
        instruction: &Instruction,
        mut m: Modifiers<'_>,
    ) -> Result<Op, ParseError> {
        let gives = m.eat("cc");
        let kind = m.last_kind()?;
        let f = m.form(carry::carrying(root, kind))?;
        let [d, a, b] = exactly(instruction, &m)?;
        let d = self.destination(d, kind, &m)?;
        let (a, b) = (self.source(a, kind, &m)?, self.source(b, kind, &m)?);
        Ok(Op::Carry { f, d, operands: [a, b, a], takes, gives })
    }

    fn product(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let Some(part) = m.eat_any(&["lo", "hi", "wide"]) else { return m.wrong(".lo, .hi or .wide is missing.") };
        let kind = m.last_kind()?;
        let found = match part {
            "lo" => integer::binary("mul", kind),
            "hi" => integer::multiply_high(kind),
            _ => integer::multiply_wide(kind),
        };
        let f = m.form(found)?;
        let [d, a, b] = exactly(instruction, &m)?;
        let d = self.destination(d, if part == "wide" { doubled(kind) } else { kind }, &m)?;
        Ok(Op::Binary { f, d, a: self.source(a, kind, &m)?, b: self.source(b, kind, &m)? })
    }

    fn product_sum(&mut self, root: &str, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let Some(part) = m.eat_any(&["lo", "hi", "wide"]) else { return m.wrong(".lo, .hi or .wide is missing.") };
        let gives = part != "wide" && m.eat("cc");
        let kind = m.last_kind()?;
        if gives || root == "madc" {
            let f = m.form(carry::carrying(if part == "lo" { "mad.lo" } else { "mad.hi" }, kind))?;
            let [d, a, b, c] = exactly(instruction, &m)?;
            let d = self.destination(d, kind, &m)?;
            let mut slot = |operand: &Operand| self.source(operand, kind, &m);
            return Ok(Op::Carry { f, d, operands: [slot(a)?, slot(b)?, slot(c)?], takes: root == "madc", gives });
        }
        match part {
            "lo" => self.three(m.form(integer::multiply_add_low(kind))?, kind, [kind; 3], instruction, &m),
            "hi" => self.three(m.form(integer::multiply_add_high(kind))?, kind, [kind; 3], instruction, &m),
            _ => {
                let wide = doubled(kind);
                self.three(m.form(integer::multiply_add_wide(kind))?, wide, [kind, kind, wide], instruction, &m)
            }
        }
    }

    fn shift(&mut self, root: &str, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let kind = m.last_kind()?;
        let f = m.form(bits::shift(root, kind))?;
        let [d, a, amount] = exactly(instruction, &m)?;
        let d = self.destination(d, kind, &m)?;
        Ok(Op::Binary { f, d, a: self.source(a, kind, &m)?, b: self.source(amount, Type::U32, &m)? })
    }

    fn insert(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let f: fn(u64, u64, u64, u64) -> u64 = match m.last_kind()? {
            Type::B32 => |a, b, c, d| bits::insert(a, b, c, d, 32),
            Type::B64 => |a, b, c, d| bits::insert(a, b, c, d, 64),
            _ => return m.wrong("the types .b32 and .b64 are handled."),
        };
        let mut again = Modifiers::of(instruction);
        let kind = again.kind()?;
        let [d, a, b, start, length] = exactly(instruction, &m)?;
        let d = self.destination(d, kind, &m)?;
        let (a, b) = (self.source(a, kind, &m)?, self.source(b, kind, &m)?);
        let (start, length) = (self.byte(start, &m)?, self.byte(length, &m)?);
        Ok(Op::Quaternary { f, d, operands: [a, b, start, length] })
    }

    fn lookup(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        if m.last_kind()? != Type::B32 {
            return m.wrong("the type .b32 is handled.");
        }
        let [d, a, b, c, table] = exactly(instruction, &m)?;
        if !matches!(table, Operand::Number(_)) {
            return m.wrong("the table is a number.");
        }
        let d = self.destination(d, Type::B32, &m)?;
        let mut slot = |operand: &Operand| self.source(operand, Type::B32, &m);
        Ok(Op::Quaternary { f: bits::lookup, d, operands: [slot(a)?, slot(b)?, slot(c)?, slot(table)?] })
    }

    fn permute(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let kind = m.kind()?;
        let mode = m.next().unwrap_or_default();
        m.finish()?;
        if kind != Type::B32 {
            return m.wrong("the type .b32 is handled.");
        }
        self.three(m.form(bits::permute(mode))?, kind, [kind; 3], instruction, &m)
    }

    fn funnel(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let (Some(direction), Some(end)) = (m.eat_any(&["l", "r"]), m.eat_any(&["clamp", "wrap"])) else {
            return m.wrong(".l or .r and .clamp or .wrap are missing.");
        };
        if m.last_kind()? != Type::B32 {
            return m.wrong("the type .b32 is handled.");
        }
        let kinds = [Type::B32, Type::B32, Type::U32];
        self.three(bits::funnel(direction == "l", end == "wrap"), Type::B32, kinds, instruction, &m)
    }
}
