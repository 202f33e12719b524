//! `shfl vote match redux activemask`.

use super::body::Body;
use super::modifiers::Modifiers;
use super::operand::exactly;
use crate::arithmetic::{bits, integer};
use crate::code::{Class, Op, Shuffle, Slot, Vote, WarpOp};
use crate::error::ParseError;
use crate::text::syntax::{Instruction, Operand};
use crate::types::Type;

impl Body<'_> {
    pub(super) fn warp_operation(&mut self, instruction: &Instruction) -> Result<(Op, Class), ParseError> {
        let mut m = Modifiers::of(instruction);
        let root = instruction.root.as_str();
        if root != "activemask" && !(root == "match" || m.eat("sync")) {
            return m.wrong("the form without `.sync` is not handled: newer devices have none.");
        }
        let op = match root {
            "shfl" => self.shuffle(instruction, m)?,
            "vote" => self.vote(instruction, m)?,
            "match" => self.matching(instruction, m)?,
            "redux" => self.reduce(instruction, m)?,
            _ => {
                if m.last_kind()? != Type::B32 {
                    return m.wrong("the result has type .b32.");
                }
                let [d] = exactly(instruction, &m)?;
                WarpOp::Active { d: self.destination(d, Type::B32, &m)? }
            }
        };
        Ok((Op::Warp(Box::new(op)), Class::Synchronisation))
    }

    fn shuffle(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<WarpOp, ParseError> {
        let mode = match m.next() {
            Some("up") => Shuffle::Up,
            Some("down") => Shuffle::Down,
            Some("bfly") => Shuffle::Butterfly,
            Some("idx") => Shuffle::Index,
            _ => return m.wrong("`.up`, `.down`, `.bfly` or `.idx` is missing."),
        };
        if m.last_kind()? != Type::B32 {
            return m.wrong("the type is .b32.");
        }
        let [d, a, b, c, mask] = exactly(instruction, &m)?;
        if matches!(d, Operand::Pair(first, _) if **first == Operand::Sink) || *d == Operand::Sink {
            return m.wrong("this result cannot be discarded.");
        }
        let (d, p) = self.pair(d, Type::B32, &m)?;
        let a = self.source(a, Type::B32, &m)?;
        let (b, c) = (self.source(b, Type::B32, &m)?, self.source(c, Type::B32, &m)?);
        Ok(WarpOp::Shuffle { mode, d, p, a, b, c, mask: self.source(mask, Type::B32, &m)? })
    }

    fn vote(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<WarpOp, ParseError> {
        let (mode, kind) = match m.next() {
            Some("all") => (Vote::All, Type::Pred),
            Some("any") => (Vote::Any, Type::Pred),
            Some("uni") => (Vote::Uniform, Type::Pred),
            Some("ballot") => (Vote::Ballot, Type::B32),
            _ => return m.wrong("`.all`, `.any`, `.uni` or `.ballot` is missing."),
        };
        if m.last_kind()? != kind {
            return m.wrong(format!("the result has type {kind}."));
        }
        let [d, p, mask] = exactly(instruction, &m)?;
        let d = self.destination(d, kind, &m)?;
        Ok(WarpOp::Vote { mode, d, p: self.condition(p, &m)?, mask: self.source(mask, Type::B32, &m)? })
    }

    fn matching(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<WarpOp, ParseError> {
        let Some(mode) = m.eat_any(&["any", "all"]) else { return m.wrong("`.any` or `.all` is missing.") };
        if !m.eat("sync") {
            return m.wrong("`.sync` is missing.");
        }
        let kind = m.last_kind()?;
        if !matches!(kind, Type::B32 | Type::B64) {
            return m.wrong("the operand has type .b32 or .b64.");
        }
        let [d, a, mask] = exactly(instruction, &m)?;
        let (d, p) = self.pair(d, Type::B32, &m)?;
        let a = self.source(a, kind, &m)?;
        let mask = self.source(mask, Type::B32, &m)?;
        match (mode, p) {
            ("any", None) => Ok(WarpOp::MatchAny { d, a, mask }),
            ("any", _) => m.wrong("there is no predicate beside the result of `.any`."),
            _ => Ok(WarpOp::MatchAll { d, p, a, mask }),
        }
    }

    fn reduce(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<WarpOp, ParseError> {
        let name = m.next().unwrap_or_default();
        let kind = m.last_kind()?;
        let f = match (name, kind) {
            ("add" | "min" | "max", Type::U32 | Type::S32) => integer::binary(name, kind),
            ("and" | "or" | "xor", Type::B32) => bits::logic(name, kind),
            _ => None,
        };
        let f = m.form(f)?;
        let [d, a, mask] = exactly(instruction, &m)?;
        let d = self.destination(d, kind, &m)?;
        Ok(WarpOp::Reduce { f, d, a: self.source(a, kind, &m)?, mask: self.source(mask, Type::B32, &m)? })
    }
}

impl WarpOp {
    /// Calls `visit` with all slots.
    pub(super) fn slots(&mut self, visit: &mut impl FnMut(&mut Slot)) {
        match self {
            Self::Shuffle { d, p, a, b, c, mask, .. } => [d, a, b, c, mask].into_iter().chain(p).for_each(visit),
            Self::Vote { d, p, mask, .. } => [d, &mut p.slot, mask].into_iter().for_each(visit),
            Self::MatchAny { d, a, mask } | Self::Reduce { d, a, mask, .. } => [d, a, mask].into_iter().for_each(visit),
            Self::MatchAll { d, p, a, mask } => [d, a, mask].into_iter().chain(p).for_each(visit),
            Self::Barrier { mask } => visit(mask),
            Self::Active { d } => visit(d),
        }
    }
}
