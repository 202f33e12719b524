//! What names mean.

use std::collections::HashMap;

use super::signature::Signature;
use crate::code::Slot;
use crate::error::ParseError;
use crate::text::syntax::{Function, Level};
use crate::types::{Space, Type};

/// What a name within a function means.
#[derive(Debug, Clone)]
pub(super) enum Symbol {
    Register {
        slot: Slot,
        kind: Type,
    },
    Variable(Place),
    /// Its number among the labels of the function.
    Label(usize),
}

/// Where a variable lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub space: Space,
    /// Bytes; none for an array of open length.
    pub size: Option<u64>,
    pub at: At,
}

/// A place within a space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum At {
    /// Bytes from the begin of the space, of the module's variables, of parameters or of the frame.
    Offset(u64),
    /// One of the program's shared variables.
    Shared(usize),
}

/// The names of a module.
#[derive(Debug, Default)]
pub(super) struct ModuleScope {
    pub level: Level,
    variables: HashMap<String, Place>,
    functions: HashMap<String, FunctionSymbol>,
}

#[derive(Debug)]
struct FunctionSymbol {
    /// None: only declared.
    index: Option<usize>,
    signature: Signature,
}

impl ModuleScope {
    pub(super) fn of(level: Level) -> Self {
        Self { level, ..Self::default() }
    }

    pub(super) fn define_variable(&mut self, line: usize, name: &str, place: Place) -> Result<(), ParseError> {
        if self.variables.insert(name.to_owned(), place).is_some() {
            return Err(ParseError::new(line, format!("the variable `{name}` is defined twice.")));
        }
        Ok(())
    }

    pub(super) fn variable(&self, name: &str) -> Option<Place> {
        self.variables.get(name).copied()
    }

    pub(super) fn declare_function(&mut self, function: &Function) -> Result<(), ParseError> {
        let signature = Signature::of(function)?;
        self.functions.insert(function.name.clone(), FunctionSymbol { index: None, signature });
        Ok(())
    }

    pub(super) fn define_function(&mut self, function: &Function, index: usize) -> Result<(), ParseError> {
        let symbol = FunctionSymbol { index: Some(index), signature: Signature::of(function)? };
        let before = self.functions.insert(function.name.clone(), symbol);
        if before.is_some_and(|before| before.index.is_some()) || self.variables.contains_key(&function.name) {
            return Err(ParseError::new(function.line, format!("`{}` is defined twice.", function.name)));
        }
        Ok(())
    }

    /// The signature of a function that is known to be defined.
    pub(super) fn signature_of(&self, name: &str) -> &Signature {
        &self.functions[name].signature
    }

    /// The number and signature of a function that can be called; else what is wrong.
    pub(super) fn callable(&self, name: &str) -> Result<(usize, &Signature), String> {
        match self.functions.get(name) {
            Some(FunctionSymbol { index: Some(index), signature }) if !signature.is_entry => Ok((*index, signature)),
            Some(FunctionSymbol { index: None, .. }) => {
                Err(format!("the function `{name}` has no body in this text, and other texts are not linked to it."))
            }
            Some(_) => Err(format!("`{name}` is an entry; calls of entries are not handled.")),
            None => Err(format!("no function `{name}` is declared; calls through a register are not handled.")),
        }
    }
}
