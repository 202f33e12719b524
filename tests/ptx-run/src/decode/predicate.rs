//! `setp set testp`.

use super::body::Body;
use super::modifiers::Modifiers;
use super::operand::exactly;
use crate::arithmetic::{bits, compare};
use crate::code::{Class, Comparison, Op};
use crate::error::ParseError;
use crate::text::syntax::{Instruction, Operand};
use crate::types::Type;

impl Body<'_> {
    pub(super) fn question(&mut self, instruction: &Instruction) -> Result<(Op, Class), ParseError> {
        let m = Modifiers::of(instruction);
        let op = match instruction.root.as_str() {
            "setp" => self.setp(instruction, m)?,
            "set" => self.set(instruction, m)?,
            _ => self.testp(instruction, m)?,
        };
        Ok((op, Class::Comparison))
    }

    fn setp(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let Some(name) = m.next() else { return m.wrong("a comparison is missing.") };
        let combine = m.eat_any(&["and", "or", "xor"]);
        let kind = m.last_kind()?;
        let f = m.form(compare::comparison(name, kind))?;
        let with = match combine {
            Some(how) => {
                let [.., last] = exactly::<4>(instruction, &m)?;
                Some((m.form(bits::logic(how, Type::Pred))?, self.condition(last, &m)?))
            }
            None => {
                exactly::<3>(instruction, &m)?;
                None
            }
        };
        let (p, q) = self.pair(&instruction.operands[0], Type::Pred, &m)?;
        let a = self.source(&instruction.operands[1], kind, &m)?;
        let b = self.source(&instruction.operands[2], kind, &m)?;
        Ok(match (q, with) {
            (None, None) => Op::Compare { f, d: p, a, b },
            _ => Op::CompareWith(Box::new(Comparison { f, p, q, a, b, with })),
        })
    }

    fn set(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let Some(name) = m.next() else { return m.wrong("a comparison is missing.") };
        let result = m.kind()?;
        let kind = m.last_kind()?;
        let truth = match result {
            Type::U32 | Type::S32 => 0xffff_ffff,
            Type::F32 => u64::from(1.0f32.to_bits()),
            _ => return m.wrong("the result has type .u32, .s32 or .f32."),
        };
        let f = m.form(compare::comparison(name, kind))?;
        let [d, a, b] = exactly(instruction, &m)?;
        let d = self.destination(d, result, &m)?;
        let (a, b) = (self.source(a, kind, &m)?, self.source(b, kind, &m)?);
        Ok(Op::Set { f, d, a, b, truth })
    }

    fn testp(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let Some(name) = m.next() else { return m.wrong("a question is missing.") };
        let kind = m.last_kind()?;
        let f = m.form(compare::class(name, kind))?;
        let [d, a]: &[Operand; 2] = exactly(instruction, &m)?;
        let d = self.destination(d, Type::Pred, &m)?;
        Ok(Op::Unary { f, d, a: self.source(a, kind, &m)? })
    }
}
