//! The parts of an instruction behind its root, which must all be understood, in their order.

use crate::error::ParseError;
use crate::text::syntax::Instruction;
use crate::types::{Rounding, Type};

/// How far the parts are read.
pub(super) struct Modifiers<'a> {
    instruction: &'a Instruction,
    at: usize,
}

impl<'a> Modifiers<'a> {
    pub(super) fn of(instruction: &'a Instruction) -> Self {
        Self { instruction, at: 0 }
    }

    pub(super) fn line(&self) -> usize {
        self.instruction.line
    }

    /// The instruction's name with all its parts.
    pub(super) fn full_name(&self) -> String {
        let mut name = self.instruction.root.clone();
        for part in &self.instruction.modifiers {
            name.push('.');
            name.push_str(part);
        }
        name
    }

    pub(super) fn wrong<T>(&self, why: impl AsRef<str>) -> Result<T, ParseError> {
        Err(ParseError::new(self.line(), format!("`{}`: {}", self.full_name(), why.as_ref())))
    }

    pub(super) fn peek(&self) -> Option<&'a str> {
        self.instruction.modifiers.get(self.at).map(String::as_str)
    }

    /// Reads one part.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        let part = self.peek();
        self.at += usize::from(part.is_some());
        part
    }

    /// Reads the part where it is next.
    pub(super) fn eat(&mut self, part: &str) -> bool {
        let found = self.peek() == Some(part);
        self.at += usize::from(found);
        found
    }

    /// Reads one of several parts where it is next.
    pub(super) fn eat_any(&mut self, parts: &[&str]) -> Option<&'a str> {
        let part = self.peek().filter(|part| parts.contains(part))?;
        self.at += 1;
        Some(part)
    }

    /// Reads a rounding where one is next.
    pub(super) fn rounding(&mut self) -> Option<Rounding> {
        let rounding = Rounding::named(self.peek()?)?;
        self.at += 1;
        Some(rounding)
    }

    /// Reads a type.
    pub(super) fn kind(&mut self) -> Result<Type, ParseError> {
        match self.peek() {
            Some(part) => match Type::named(part) {
                Some(kind) => {
                    self.at += 1;
                    Ok(kind)
                }
                None => self.wrong(format!("`.{part}` is not handled here; a type was expected.")),
            },
            None => self.wrong("a type is missing."),
        }
    }

    /// Nothing may be left.
    pub(super) fn finish(&self) -> Result<(), ParseError> {
        match self.peek() {
            Some(part) => self.wrong(format!("`.{part}` is not handled here.")),
            None => Ok(()),
        }
    }

    /// Reads the type that ends the name.
    pub(super) fn last_kind(&mut self) -> Result<Type, ParseError> {
        let kind = self.kind()?;
        self.finish()?;
        Ok(kind)
    }

    /// What a table of forms has for this instruction.
    pub(super) fn form<T>(&self, found: Option<T>) -> Result<T, ParseError> {
        match found {
            Some(found) => Ok(found),
            None => self.wrong("there is no such form, or it is not handled."),
        }
    }
}
