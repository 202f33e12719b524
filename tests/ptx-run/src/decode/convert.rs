//! `cvt`.

use super::body::Body;
use super::modifiers::Modifiers;
use super::operand::exactly;
use crate::arithmetic::convert::Conversion;
use crate::code::{Class, Op};
use crate::error::ParseError;
use crate::text::syntax::Instruction;
use crate::types::{Rounding, Type};

impl Body<'_> {
    pub(super) fn conversion(&mut self, instruction: &Instruction) -> Result<(Op, Class), ParseError> {
        let mut m = Modifiers::of(instruction);
        let float_rounding = m.rounding();
        let whole_rounding = m.peek().and_then(Rounding::to_integer);
        if whole_rounding.is_some() {
            m.next();
        }
        let saturate = m.eat("sat");
        let to = m.kind()?;
        let from = m.last_kind()?;
        for kind in [to, from] {
            if !kind.is_integer() && !kind.is_float() {
                return m.wrong(format!("{kind} is no type of numbers."));
            }
        }
        if saturate && to == Type::Bf16 {
            return m.wrong("there is no such form.");
        }
        let rounding = rounding_of(from, to, float_rounding, whole_rounding, &m)?;
        let [d, a] = exactly(instruction, &m)?;
        let (d, register) = self.destination_or_wider(d, to, &m)?;
        let a = match self.special(a) {
            Some(slot) if from == Type::U32 => slot,
            _ => self.source_or_wider(a, from, &m)?,
        };
        let to_whole = from.is_float() && to.is_float() && whole_rounding.is_some();
        let how = Conversion { from, to, rounding, to_whole, saturate, register };
        Ok((Op::Convert { how, d, a }, Class::Conversion))
    }
}

/// The rounding that a conversion must have, and must not have where none is needed.
fn rounding_of(
    from: Type,
    to: Type,
    float: Option<Rounding>,
    whole: Option<Rounding>,
    m: &Modifiers<'_>,
) -> Result<Rounding, ParseError> {
    // Every value of the first type is one of the second.
    let exact = match (from, to) {
        _ if from == to => true,
        (Type::F16 | Type::Bf16, Type::F32 | Type::F64) | (Type::F32, Type::F64) => true,
        _ => from.is_integer() && to.is_integer(),
    };
    match (from.is_float(), to.is_float()) {
        (true, false) => match (whole, float) {
            (Some(rounding), None) => Ok(rounding),
            _ => m.wrong("floats become integers by a rounding that is said: .rni, .rzi, .rmi or .rpi."),
        },
        (true, true) if from == to => match (whole, float) {
            (rounding, None) => Ok(rounding.unwrap_or(Rounding::Nearest)),
            _ => m.wrong("there is nothing to round but to whole numbers: .rni, .rzi, .rmi or .rpi."),
        },
        _ if exact => match (whole, float) {
            (None, None) => Ok(Rounding::Nearest),
            _ => m.wrong("every value has its own in the new type, so no rounding is allowed."),
        },
        _ => match (whole, float) {
            (None, Some(rounding)) => Ok(rounding),
            _ => m.wrong("a rounding must be said: .rn, .rz, .rm or .rp."),
        },
    }
}
