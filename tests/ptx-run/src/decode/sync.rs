//! `bar barrier membar fence nanosleep`.

use super::body::Body;
use super::modifiers::Modifiers;
use super::operand::exactly;
use crate::arithmetic::convert::low_bytes;
use crate::code::{Barrier, Class, Fixed, Op, Reduction, Slot, WarpOp};
use crate::error::ParseError;
use crate::text::syntax::{Instruction, Literal, Operand};
use crate::types::Type;

impl Body<'_> {
    pub(super) fn synchronisation(&mut self, instruction: &Instruction) -> Result<(Op, Class), ParseError> {
        let mut m = Modifiers::of(instruction);
        let op = match instruction.root.as_str() {
            "bar" | "barrier" => self.barrier(instruction, m)?,
            "nanosleep" => {
                if m.last_kind()? != Type::U32 {
                    return m.wrong("the time has type .u32.");
                }
                let [time] = exactly(instruction, &m)?;
                self.source(time, Type::U32, &m)?;
                Op::Nothing
            }
            root => {
                let known = if root == "membar" {
                    m.eat_any(&["cta", "gl", "sys"]).is_some()
                } else {
                    m.eat_any(&["sc", "acq_rel"]);
                    m.eat_any(&["cta", "gpu", "sys"]).is_some()
                };
                m.finish()?;
                let []: &[Operand; 0] = exactly(instruction, &m)?;
                if !known {
                    return m.wrong("a scope is missing.");
                }
                Op::Nothing
            }
        };
        Ok((op, Class::Synchronisation))
    }

    fn barrier(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        m.eat("cta");
        match m.next() {
            Some("sync") => {
                if instruction.root == "barrier" {
                    m.eat("aligned");
                }
                m.finish()?;
                let (number, count) = match instruction.operands.as_slice() {
                    [number] => (number, None),
                    [number, count] => (number, Some(count)),
                    _ => return m.wrong("takes the number of the barrier and perhaps a number of threads."),
                };
                let number = self.barrier_number(number, &m)?;
                let count = count.map(|count| self.barrier_count(count, &m)).transpose()?;
                Ok(Op::Barrier(Box::new(Barrier { number, count, reduction: None })))
            }
            Some("warp") => {
                if !m.eat("sync") {
                    return m.wrong("`.sync` is missing.");
                }
                m.finish()?;
                let [mask] = exactly(instruction, &m)?;
                let mask = self.source(mask, Type::B32, &m)?;
                Ok(Op::Warp(Box::new(WarpOp::Barrier { mask })))
            }
            Some("red") => self.reducing_barrier(instruction, m),
            _ => m.wrong("`.sync`, `.red` and `.warp.sync` are handled."),
        }
    }

    fn reducing_barrier(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let (reduction, kind) = match m.next() {
            Some("popc") => (Reduction::Count, Type::U32),
            Some("and") => (Reduction::All, Type::Pred),
            Some("or") => (Reduction::Any, Type::Pred),
            _ => return m.wrong("`.popc`, `.and` and `.or` are handled."),
        };
        if instruction.root == "barrier" {
            m.eat("aligned");
        }
        if m.last_kind()? != kind {
            return m.wrong(format!("the result has type {kind}."));
        }
        let (d, number, count, p) = match instruction.operands.as_slice() {
            [d, number, p] => (d, number, None, p),
            [d, number, count, p] => (d, number, Some(count), p),
            _ => {
                return m
                    .wrong("takes a result, the number of the barrier, perhaps a number of threads, and a predicate.");
            }
        };
        let d = self.destination(d, kind, &m)?;
        let number = self.barrier_number(number, &m)?;
        let count = count.map(|count| self.barrier_count(count, &m)).transpose()?;
        let condition = self.condition(p, &m)?;
        Ok(Op::Barrier(Box::new(Barrier { number, count, reduction: Some((d, condition, reduction)) })))
    }

    fn barrier_count(&mut self, operand: &Operand, m: &Modifiers<'_>) -> Result<Slot, ParseError> {
        if let Operand::Number(Literal::Integer { magnitude, .. }) = *operand
            && (magnitude == 0 || !magnitude.is_multiple_of(32))
        {
            return m.wrong("the number of threads must be a multiple of 32.");
        }
        self.source(operand, Type::U32, m)
    }

    fn barrier_number(&mut self, operand: &Operand, m: &Modifiers<'_>) -> Result<Slot, ParseError> {
        if let Operand::Number(Literal::Integer { magnitude, negative }) = *operand {
            if negative || magnitude > 15 {
                return m.wrong("barriers are numbered from 0 to 15.");
            }
            return Ok(self.fixed(Fixed::Bits(low_bytes(magnitude, 4))));
        }
        self.source(operand, Type::U32, m)
    }
}
