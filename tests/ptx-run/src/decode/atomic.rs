//! `atom` and `red`.

use super::body::Body;
use super::modifiers::Modifiers;
use crate::arithmetic::{Binary, bits, float, integer};
use crate::code::{Atomic, Class, Op, Update};
use crate::error::ParseError;
use crate::text::syntax::Instruction;
use crate::types::{Space, Type};

impl Body<'_> {
    pub(super) fn atomic(&mut self, instruction: &Instruction) -> Result<(Op, Class), ParseError> {
        let mut m = Modifiers::of(instruction);
        let gives = instruction.root == "atom";
        let orders: &[&str] =
            if gives { &["relaxed", "acquire", "release", "acq_rel"] } else { &["relaxed", "release"] };
        // Threads run one by one, so every order and scope is kept.
        m.eat_any(orders);
        m.eat_any(&["cta", "gpu", "sys"]);
        let space = match m.eat_any(&["global", "shared", "shared::cta"]) {
            Some("global") => Space::Global,
            Some(_) => Space::Shared,
            None => Space::Generic,
        };
        let Some(name) = m.next() else { return m.wrong("an operation is missing.") };
        let kind = m.last_kind()?;
        let update = m.form(update(name, kind, gives))?;
        let operands = instruction.operands.as_slice();
        let (d, rest) = match operands {
            [d, rest @ ..] if gives => (Some(self.discardable(d, kind, &m)?), rest),
            rest => (None, rest),
        };
        let swaps = matches!(update, Update::CompareAndSwap);
        let (address, b, c) = match rest {
            [address, b] if !swaps => (address, b, None),
            [address, b, c] if swaps => (address, b, Some(c)),
            _ => return m.wrong(format!("a wrong number of operands: {}.", operands.len())),
        };
        let access = self.access(address, space, 1, kind, &m)?;
        let b = self.source(b, kind, &m)?;
        let c = c.map(|c| self.source(c, kind, &m)).transpose()?;
        Ok((Op::Atomic(Box::new(Atomic { access, d, b, c, update })), Class::Atomic))
    }
}

/// What an operation writes; none where the language has no such form.
fn update(name: &str, kind: Type, gives: bool) -> Option<Update> {
    let same = |f: Binary| Some(Update::Function { global: f, elsewhere: f });
    match name {
        "cas" if gives && matches!(kind, Type::B32 | Type::B64) => Some(Update::CompareAndSwap),
        "exch" if gives && matches!(kind, Type::B32 | Type::B64) => same(|_, b| b),
        "and" | "or" | "xor" if matches!(kind, Type::B32 | Type::B64) => same(bits::logic(name, kind)?),
        "add" if matches!(kind, Type::F32 | Type::F64) => Some(Update::Function {
            global: float::atomic_add(kind, true)?,
            elsewhere: float::atomic_add(kind, false)?,
        }),
        "add" if matches!(kind, Type::U32 | Type::S32 | Type::U64) => same(integer::binary(name, kind)?),
        "min" | "max" if matches!(kind, Type::U32 | Type::S32 | Type::U64 | Type::S64) => {
            same(integer::binary(name, kind)?)
        }
        // Up to the operand and then from zero again; down to zero and then from the operand again.
        "inc" if kind == Type::U32 => same(|old, b| if old >= b { 0 } else { old + 1 }),
        "dec" if kind == Type::U32 => same(|old, b| if old == 0 || old > b { b } else { old - 1 }),
        _ => None,
    }
}
