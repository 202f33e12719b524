//! Operands: the slots that they stand for, checked against the type of the instruction.

use super::body::Body;
use super::modifiers::Modifiers;
use super::scope::{At, Place, Symbol};
use crate::code::{Condition, Fixed, Slot, Special};
use crate::error::ParseError;
use crate::text::syntax::{Instruction, Literal, Operand};
use crate::types::{Space, Type};

/// The operands, which must be `N`.
pub(super) fn exactly<'a, const N: usize>(
    instruction: &'a Instruction,
    modifiers: &Modifiers<'_>,
) -> Result<&'a [Operand; N], ParseError> {
    match instruction.operands.as_slice().try_into() {
        Ok(operands) => Ok(operands),
        Err(_) => modifiers.wrong(format!("takes {N} operands, found {}.", instruction.operands.len())),
    }
}

/// The bits of a number as one of a type; else what is wrong.
pub(super) fn literal_bits(literal: Literal, kind: Type) -> Result<u64, String> {
    let size = kind.size();
    match literal {
        // Compilers write true as 1 or as -1.
        Literal::Integer { magnitude, .. } if kind == Type::Pred => Ok(u64::from(magnitude != 0)),
        Literal::Integer { .. } if kind.is_float() => {
            Err(format!("a whole number stands where {kind} is wanted: write 0f or 0d and its bits, or a fraction."))
        }
        Literal::Integer { magnitude, negative } => {
            let bits = if negative { magnitude.wrapping_neg() } else { magnitude };
            let unused = 64 - 8 * size as u32;
            let fits = if negative { magnitude <= 1 << (63 - unused) } else { magnitude <= u64::MAX >> unused };
            if !fits {
                let sign = if negative { "-" } else { "" };
                return Err(format!("{sign}{magnitude} does not fit into {kind}."));
            }
            Ok(bits << unused >> unused)
        }
        Literal::Single(bits) => match kind {
            Type::F32 | Type::B32 => Ok(u64::from(bits)),
            Type::F64 => Ok(f64::from(f32::from_bits(bits)).to_bits()),
            _ => Err(format!("a number of 32 bits in the form 0f stands where {kind} is wanted.")),
        },
        Literal::Double(bits) => match kind {
            Type::F64 | Type::B64 => Ok(bits),
            Type::F32 => Ok(u64::from((f64::from_bits(bits) as f32).to_bits())),
            _ => Err(format!("a fraction or a number in the form 0d stands where {kind} is wanted.")),
        },
    }
}

/// Special registers that threads have, by name; all have 32 bits.
fn special(name: &str) -> Option<Special> {
    let axis = |part: &str| match part {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    };
    if let Some((register, part)) = name.split_once('.') {
        let axis = axis(part)?;
        return match register {
            "%tid" => Some(Special::Thread(axis)),
            "%ntid" => Some(Special::ThreadCount(axis)),
            "%ctaid" => Some(Special::Block(axis)),
            "%nctaid" => Some(Special::BlockCount(axis)),
            _ => None,
        };
    }
    match name {
        "%laneid" => Some(Special::Lane),
        "%warpid" => Some(Special::Warp),
        "%lanemask_eq" => Some(Special::LanesEqual),
        "%lanemask_lt" => Some(Special::LanesBelow),
        "%lanemask_le" => Some(Special::LanesUpTo),
        "%lanemask_gt" => Some(Special::LanesAbove),
        "%lanemask_ge" => Some(Special::LanesFrom),
        "%dynamic_smem_size" => Some(Special::DynamicShared),
        "%total_smem_size" => Some(Special::TotalShared),
        _ => None,
    }
}

impl Body<'_> {
    fn register(&self, name: &str, modifiers: &Modifiers<'_>) -> Result<(Slot, Type), ParseError> {
        match self.find(name) {
            Some(Symbol::Register { slot, kind }) => Ok((slot, kind)),
            Some(Symbol::Variable(_)) => {
                modifiers.wrong(format!("`{name}` is a variable; a register or a number is wanted here."))
            }
            Some(Symbol::Label(_)) => modifiers.wrong(format!("`{name}` is a label; a register is wanted here.")),
            None if special(name).is_some() => {
                modifiers.wrong(format!("the special register `{name}` is read by mov and cvt alone."))
            }
            None if name.starts_with('%') && name.contains('.') => {
                modifiers.wrong(format!("`{name}` is not declared, or a special register that is not handled."))
            }
            None => modifiers.wrong(format!("`{name}` is not declared.")),
        }
    }

    fn mismatch<T>(&self, name: &str, found: Type, wanted: Type, modifiers: &Modifiers<'_>) -> Result<T, ParseError> {
        modifiers.wrong(format!("the register `{name}` has type {found}; {wanted} is wanted."))
    }

    /// The slot of a register or number of a type.
    pub(super) fn source(&mut self, operand: &Operand, kind: Type, m: &Modifiers<'_>) -> Result<Slot, ParseError> {
        self.read(operand, kind, Type::takes, m)
    }

    /// The same, where an integer register may be wider than the type.
    pub(super) fn source_or_wider(
        &mut self,
        operand: &Operand,
        kind: Type,
        m: &Modifiers<'_>,
    ) -> Result<Slot, ParseError> {
        self.read(operand, kind, Type::takes_wider, m)
    }

    fn read(
        &mut self,
        operand: &Operand,
        kind: Type,
        takes: fn(Type, Type) -> bool,
        m: &Modifiers<'_>,
    ) -> Result<Slot, ParseError> {
        match operand {
            Operand::Name(name) => {
                let (slot, found) = self.register(name, m)?;
                if !takes(kind, found) {
                    return self.mismatch(name, found, kind, m);
                }
                Ok(slot)
            }
            Operand::Number(literal) => match literal_bits(*literal, kind) {
                Ok(bits) => Ok(self.fixed(Fixed::Bits(bits))),
                Err(why) => m.wrong(why),
            },
            _ => m.wrong("a register or a number is wanted here."),
        }
    }

    /// The bytes of a register, where the operand is one.
    pub(super) fn register_size(&self, operand: &Operand) -> Option<usize> {
        match operand {
            Operand::Name(name) => match self.find(name)? {
                Symbol::Register { kind, .. } => Some(kind.size()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The slot of a special register, where the operand is one.
    pub(super) fn special(&mut self, operand: &Operand) -> Option<Slot> {
        match operand {
            Operand::Name(name) if self.find(name).is_none() => {
                let special = special(name)?;
                Some(self.fixed(Fixed::Special(special)))
            }
            _ => None,
        }
    }

    /// The slot of a register of a type that takes a result.
    pub(super) fn destination(&mut self, operand: &Operand, kind: Type, m: &Modifiers<'_>) -> Result<Slot, ParseError> {
        Ok(self.written(operand, kind, Type::takes, m)?.0)
    }

    /// The same, where an integer register may be wider than the type; with the bytes of the register.
    pub(super) fn destination_or_wider(
        &mut self,
        operand: &Operand,
        kind: Type,
        m: &Modifiers<'_>,
    ) -> Result<(Slot, usize), ParseError> {
        self.written(operand, kind, Type::takes_wider, m)
    }

    fn written(
        &mut self,
        operand: &Operand,
        kind: Type,
        takes: fn(Type, Type) -> bool,
        m: &Modifiers<'_>,
    ) -> Result<(Slot, usize), ParseError> {
        match operand {
            Operand::Name(name) => {
                let (slot, found) = self.register(name, m)?;
                if !takes(kind, found) {
                    return self.mismatch(name, found, kind, m);
                }
                Ok((slot, found.size()))
            }
            Operand::Sink => m.wrong("this result cannot be discarded."),
            _ => m.wrong("the result goes to a register."),
        }
    }

    /// The slot of a result that `_` may discard.
    pub(super) fn discardable(&mut self, operand: &Operand, kind: Type, m: &Modifiers<'_>) -> Result<Slot, ParseError> {
        match operand {
            Operand::Sink => Ok(self.sink()),
            _ => self.destination(operand, kind, m),
        }
    }

    /// A predicate, perhaps negated.
    pub(super) fn condition(&mut self, operand: &Operand, m: &Modifiers<'_>) -> Result<Condition, ParseError> {
        match operand {
            Operand::Not(name) => {
                let (slot, kind) = self.register(name, m)?;
                if kind != Type::Pred {
                    return self.mismatch(name, kind, Type::Pred, m);
                }
                Ok(Condition { slot, negated: true })
            }
            _ => Ok(Condition { slot: self.source(operand, Type::Pred, m)?, negated: false }),
        }
    }

    /// A result and perhaps a predicate beside it, `d|p`.
    pub(super) fn pair(
        &mut self,
        operand: &Operand,
        kind: Type,
        m: &Modifiers<'_>,
    ) -> Result<(Slot, Option<Slot>), ParseError> {
        match operand {
            Operand::Pair(first, second) => {
                let first = self.discardable(first, kind, m)?;
                Ok((first, Some(self.discardable(second, Type::Pred, m)?)))
            }
            _ => Ok((self.discardable(operand, kind, m)?, None)),
        }
    }

    /// A register or a number below 256.
    pub(super) fn byte(&mut self, operand: &Operand, m: &Modifiers<'_>) -> Result<Slot, ParseError> {
        match operand {
            Operand::Number(Literal::Integer { magnitude: 0..=255, negative: false }) | Operand::Name(_) => {
                self.source(operand, Type::U32, m)
            }
            _ => m.wrong("a register or a number from 0 to 255 is wanted here."),
        }
    }

    /// The address of a variable, from the begin of its space, as a value.
    pub(super) fn address_of(&mut self, place: Place, offset: i64, m: &Modifiers<'_>) -> Result<Slot, ParseError> {
        let value = match (place.space, place.at) {
            (Space::Param, _) => return m.wrong("the address of a parameter of a function or call is not handled."),
            (_, At::Shared(variable)) => Fixed::Shared(variable, offset),
            (Space::Global, At::Offset(at)) => Fixed::Global(at.wrapping_add_signed(offset)),
            (Space::Local, At::Offset(at)) => Fixed::Local(at.wrapping_add_signed(offset)),
            (_, At::Offset(at)) => Fixed::Bits(at.wrapping_add_signed(offset)),
        };
        Ok(self.fixed(value))
    }
}
