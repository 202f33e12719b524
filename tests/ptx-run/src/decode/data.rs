//! `mov ld st cvta selp`.

use super::body::Body;
use super::modifiers::Modifiers;
use super::operand::exactly;
use super::scope::{At, Place, Symbol};
use crate::arithmetic::Unary;
use crate::arithmetic::convert::low_bytes;
use crate::code::{Access, Class, Fixed, Op, Slot};
use crate::error::ParseError;
use crate::text::syntax::{Base, Instruction, Operand};
use crate::types::{Space, Type};

impl Body<'_> {
    pub(super) fn data(&mut self, instruction: &Instruction) -> Result<(Op, Class), ParseError> {
        let modifiers = Modifiers::of(instruction);
        match instruction.root.as_str() {
            "mov" => Ok((self.mov(instruction, modifiers)?, Class::Move)),
            "ld" => Ok((self.load(instruction, modifiers)?, Class::Memory)),
            "st" => Ok((self.store(instruction, modifiers)?, Class::Memory)),
            "cvta" => Ok((self.cvta(instruction, modifiers)?, Class::Move)),
            "selp" => Ok((self.selp(instruction, modifiers)?, Class::Move)),
            _ => modifiers.wrong("this instruction is not handled."),
        }
    }

    fn mov(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let kind = m.last_kind()?;
        if kind.size() == 1 || matches!(kind, Type::F16 | Type::Bf16) {
            return m.wrong("there is no such form.");
        }
        let [to, from] = exactly(instruction, &m)?;
        match (to, from) {
            (_, Operand::Vector(parts)) => {
                let (kinds, bits) = part_kind(kind, parts, &m)?;
                let d = self.destination(to, kind, &m)?;
                let parts = parts.iter().map(|part| self.source(part, kinds, &m)).collect::<Result<_, _>>()?;
                Ok(Op::Pack { d, parts, bits })
            }
            (Operand::Vector(parts), _) => {
                let (kinds, bits) = part_kind(kind, parts, &m)?;
                let a = self.source(from, kind, &m)?;
                let parts = parts.iter().map(|part| self.discardable(part, kinds, &m)).collect::<Result<_, _>>()?;
                Ok(Op::Unpack { parts, a, bits })
            }
            _ => {
                let d = self.destination(to, kind, &m)?;
                Ok(Op::Move { d, a: self.moved(from, kind, &m)? })
            }
        }
    }

    /// What `mov` may read beside registers and numbers: special registers and addresses of variables.
    fn moved(&mut self, from: &Operand, kind: Type, m: &Modifiers<'_>) -> Result<Slot, ParseError> {
        if let Some(slot) = self.special(from) {
            if kind.size() != 4 || kind.is_float() {
                return m.wrong("special registers have 32 bits.");
            }
            return Ok(slot);
        }
        let (name, offset) = match from {
            Operand::Name(name) => (name, 0),
            Operand::Offset(name, offset) => (name, *offset),
            _ => return self.source(from, kind, m),
        };
        match self.find(name) {
            Some(Symbol::Variable(place)) => {
                if !addresses(kind, place.space) {
                    return m.wrong(format!("the address of `{name}` does not fit into {kind}."));
                }
                self.address_of(place, offset, m)
            }
            _ if offset != 0 => m.wrong(format!("`{name}` is no variable, so nothing can be added to it.")),
            _ => self.source(from, kind, m),
        }
    }

    fn load(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let (space, count, kind, constant) = access_of(&mut m, true)?;
        let [to, from] = exactly(instruction, &m)?;
        let access = self.access(from, space, count, kind, &m)?;
        let mut parts = [0; 4];
        let mut width = None;
        for (slot, part) in parts.iter_mut().zip(elements(to, count, &m)?) {
            if *part == Operand::Sink {
                *slot = self.sink();
                continue;
            }
            let (register, size) = self.destination_or_wider(part, kind, &m)?;
            *slot = register;
            if *width.get_or_insert(size) != size {
                return m.wrong("the registers of a vector must be of one size.");
            }
        }
        Ok(Op::Load { access, parts, extend: extension(kind, width.unwrap_or(kind.size())), constant })
    }

    fn store(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let (space, count, kind, _) = access_of(&mut m, false)?;
        let [to, from] = exactly(instruction, &m)?;
        let access = self.access(to, space, count, kind, &m)?;
        if access.space == Space::EntryParam {
            return m.wrong("the parameters of an entry are not written.");
        }
        let mut parts = [0; 4];
        let mut width = None;
        for (slot, part) in parts.iter_mut().zip(elements(from, count, &m)?) {
            *slot = self.source_or_wider(part, kind, &m)?;
            if let Some(size) = self.register_size(part)
                && *width.get_or_insert(size) != size
            {
                return m.wrong("the registers of a vector must be of one size.");
            }
        }
        Ok(Op::Store { access, parts })
    }

    /// An address, and all else that is known of an access.
    pub(super) fn access(
        &mut self,
        operand: &Operand,
        space: Space,
        count: usize,
        kind: Type,
        m: &Modifiers<'_>,
    ) -> Result<Access, ParseError> {
        let Operand::Address(base, offset) = operand else { return m.wrong("an address in brackets is wanted.") };
        let access = |space, base, offset| Access { space, size: kind.size() as u8, count: count as u8, base, offset };
        let bytes = (kind.size() * count) as u64;
        let Base::Name(name) = base else {
            if space != Space::Local {
                return m.wrong("an address is a number in local memory alone.");
            }
            let base = self.fixed(Fixed::Bits(0));
            return Ok(access(space, base, *offset));
        };
        match self.find(name) {
            Some(Symbol::Register { slot, kind }) => {
                let wide = kind.size() == 8;
                let narrow = kind.size() == 4 && !matches!(space, Space::Generic | Space::Global);
                if kind.is_float() || !(wide || narrow) {
                    return m.wrong(format!(
                        "the register `{name}` of type {kind} cannot hold a {} address.",
                        space.name()
                    ));
                }
                match space {
                    Space::Param if self.signature.is_entry => Ok(access(Space::EntryParam, slot, *offset)),
                    Space::Param => m.wrong("parameters of functions are not reached through registers here."),
                    _ => Ok(access(space, slot, *offset)),
                }
            }
            Some(Symbol::Variable(place)) => {
                let found = if place.space == Space::EntryParam { Space::Param } else { place.space };
                let unknown = space == Space::Generic && found == Space::Global;
                if found != space && !unknown {
                    let (wanted, found) = (space.name(), found.name());
                    return m.wrong(format!("`{name}` lies in {found} memory; this reaches {wanted} memory."));
                }
                if place.size.is_some_and(|size| *offset < 0 || *offset as u64 + bytes > size) {
                    return m.wrong(format!("{bytes} bytes from byte {offset} on do not lie within `{name}`."));
                }
                self.access_to(place, *offset, access, m)
            }
            _ => m.wrong(format!("`{name}` is not declared.")),
        }
    }

    /// An access to a variable.
    fn access_to(
        &mut self,
        place: Place,
        offset: i64,
        access: impl Fn(Space, Slot, i64) -> Access,
        m: &Modifiers<'_>,
    ) -> Result<Access, ParseError> {
        match (place.space, place.at) {
            (Space::Param | Space::EntryParam, At::Offset(at)) => {
                let base = self.fixed(Fixed::Bits(at));
                Ok(access(place.space, base, offset))
            }
            _ => {
                let base = self.address_of(place, 0, m)?;
                Ok(access(place.space, base, offset))
            }
        }
    }

    fn cvta(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let from_generic = m.eat("to");
        let space = match m.next() {
            Some("global") => Space::Global,
            Some("shared" | "shared::cta") => Space::Shared,
            Some("local") => Space::Local,
            Some("const") => Space::Const,
            _ => return m.wrong("the spaces global, shared, local and const are handled."),
        };
        if m.last_kind()? != Type::U64 {
            return m.wrong("addresses have type .u64.");
        }
        let [to, from] = exactly(instruction, &m)?;
        let d = self.destination(to, Type::U64, &m)?;
        if from_generic {
            let a = self.source(from, Type::U64, &m)?;
            return Ok(Op::FromGeneric { space, d, a });
        }
        let (name, offset) = match from {
            Operand::Name(name) => (name, 0),
            Operand::Offset(name, offset) => (name, *offset),
            _ => return m.wrong("a register or a variable is wanted."),
        };
        let a = match self.find(name) {
            Some(Symbol::Variable(place)) if place.space == space => self.address_of(place, offset, &m)?,
            Some(Symbol::Variable(place)) => {
                return m.wrong(format!("`{name}` lies in {} memory.", place.space.name()));
            }
            _ => self.source(from, Type::U64, &m)?,
        };
        Ok(Op::ToGeneric { space, d, a })
    }

    fn selp(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        let kind = m.last_kind()?;
        if kind.size() < 2 || matches!(kind, Type::F16 | Type::Bf16) {
            return m.wrong("there is no such form.");
        }
        let [to, a, b, p] = exactly(instruction, &m)?;
        let d = self.destination(to, kind, &m)?;
        let (a, b) = (self.source(a, kind, &m)?, self.source(b, kind, &m)?);
        let Operand::Name(_) = p else { return m.wrong("the last operand is a predicate without `!`.") };
        Ok(Op::Select { d, a, b, p: self.condition(p, &m)? })
    }
}

/// Whether an address in a space fits into a value of a type.
fn addresses(kind: Type, space: Space) -> bool {
    let wide = kind.size() == 8;
    let narrow = kind.size() == 4 && space != Space::Global;
    (wide || narrow) && !kind.is_float()
}

/// The type and bits of the parts that a value of `kind` is packed of.
fn part_kind(kind: Type, parts: &[Operand], m: &Modifiers<'_>) -> Result<(Type, u32), ParseError> {
    if parts.iter().all(|part| *part == Operand::Sink) {
        return m.wrong("all parts are discarded.");
    }
    match (kind, parts.len()) {
        (Type::B32, 2) | (Type::B64, 4) => Ok((Type::B16, 16)),
        (Type::B64, 2) => Ok((Type::B32, 32)),
        _ => m.wrong("packs two halves or four quarters of .b64, or two halves of .b32."),
    }
}

/// What `ld` and `st` say of an access: the space, the number of elements, their type, and whether it is `.nc`.
fn access_of(m: &mut Modifiers<'_>, is_load: bool) -> Result<(Space, usize, Type, bool), ParseError> {
    let strong = m.eat_any(&["weak", "volatile", "relaxed", "acquire", "release"]);
    let ordered = match strong {
        Some("acquire") if !is_load => return m.wrong("a store does not acquire."),
        Some("release") if is_load => return m.wrong("a load does not release."),
        Some("relaxed" | "acquire" | "release") => {
            if m.eat_any(&["cta", "gpu", "sys"]).is_none() {
                return m.wrong("a scope is missing: .cta, .gpu or .sys.");
            }
            true
        }
        other => other == Some("volatile"),
    };
    let space = match m.eat_any(&["global", "shared", "shared::cta", "local", "param", "const"]) {
        Some("global") => Space::Global,
        Some("shared" | "shared::cta") => Space::Shared,
        Some("local") => Space::Local,
        Some("param") => Space::Param,
        Some("const") if is_load => Space::Const,
        Some(_) => return m.wrong("const memory is not written."),
        None => Space::Generic,
    };
    if ordered && matches!(space, Space::Param | Space::Const) {
        return m.wrong("there is no such form.");
    }
    // How caches are used changes no value.
    let caches: &[&str] = if is_load { &["ca", "cg", "cs", "lu", "cv"] } else { &["wb", "cg", "cs", "wt"] };
    let mut constant = false;
    if !ordered {
        m.eat_any(caches);
        constant = is_load && m.eat("nc");
        if constant && space != Space::Global {
            return m.wrong("`.nc` is for global memory.");
        }
    }
    let count = match m.eat_any(&["v2", "v4"]) {
        Some("v2") => 2,
        Some(_) => 4,
        None => 1,
    };
    let kind = m.last_kind()?;
    if matches!(kind, Type::Pred | Type::F16 | Type::Bf16) || count * kind.size() > 16 {
        return m.wrong("there is no such form.");
    }
    Ok((space, count, kind, constant))
}

/// The registers of a vector, or the one of a plain access.
fn elements<'a>(operand: &'a Operand, count: usize, m: &Modifiers<'_>) -> Result<&'a [Operand], ParseError> {
    match operand {
        Operand::Vector(parts) if count > 1 && parts.len() == count => Ok(parts),
        Operand::Vector(_) => m.wrong(format!("a vector of {count} registers is wanted.")),
        _ if count > 1 => m.wrong(format!("a vector of {count} registers in braces is wanted.")),
        Operand::Sink => m.wrong("a register is wanted."),
        other => Ok(std::slice::from_ref(other)),
    }
}

/// How a loaded value fills a register of `width` bytes: signed ones with their sign.
fn extension(kind: Type, width: usize) -> Unary {
    match (kind, width) {
        (Type::S8, 2) => |a| low_bytes(a as u8 as i8 as u64, 2),
        (Type::S8, 4) => |a| low_bytes(a as u8 as i8 as u64, 4),
        (Type::S8, 8) => |a| a as u8 as i8 as u64,
        (Type::S16, 4) => |a| low_bytes(a as u16 as i16 as u64, 4),
        (Type::S16, 8) => |a| a as u16 as i16 as u64,
        (Type::S32, 8) => |a| a as u32 as i32 as u64,
        _ => |a| a,
    }
}
