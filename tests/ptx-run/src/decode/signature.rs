//! What a function takes and gives, and where parameters lie.

use crate::code::Slot;
use crate::error::ParseError;
use crate::module::Param;
use crate::text::syntax::{Formal, Function};
use crate::types::Type;

/// The most bytes of parameters.
const MOST_BYTES: usize = 32764;

/// Parameters and results of a function with their places in its frame.
#[derive(Debug)]
pub(super) struct Signature {
    pub is_entry: bool,
    pub results: Vec<Passed>,
    pub parameters: Vec<Passed>,
    /// Bytes of all that lies in the param space.
    pub param_size: usize,
    /// How many of the first slots of a frame are registers of the signature.
    pub registers: Slot,
}

/// One parameter or result.
#[derive(Debug)]
pub(super) struct Passed {
    pub line: usize,
    pub name: String,
    pub kind: Type,
    pub place: PassedIn,
}

/// How it is passed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum PassedIn {
    Register(Slot),
    Bytes { offset: usize, size: usize, align: usize },
}

impl Signature {
    pub(super) fn of(function: &Function) -> Result<Self, ParseError> {
        let mut signature = Self {
            is_entry: function.is_entry,
            results: Vec::new(),
            parameters: Vec::new(),
            param_size: 0,
            registers: 0,
        };
        for formal in &function.results {
            let passed = signature.place(formal)?;
            signature.results.push(passed);
        }
        for formal in &function.parameters {
            let passed = signature.place(formal)?;
            signature.parameters.push(passed);
        }
        Ok(signature)
    }

    fn place(&mut self, formal: &Formal) -> Result<Passed, ParseError> {
        match formal {
            Formal::Register { line, name, .. } if self.is_entry => {
                Err(ParseError::new(*line, format!("the parameter `{name}` of an entry must be a `.param`.")))
            }
            Formal::Register { line, name, kind } => {
                let slot = self.registers;
                self.registers += 1;
                Ok(Passed { line: *line, name: name.clone(), kind: *kind, place: PassedIn::Register(slot) })
            }
            Formal::Variable(variable) => {
                if variable.count.is_none() {
                    let text = format!("the parameter `{}` needs a length.", variable.name);
                    return Err(ParseError::new(variable.line, text));
                }
                let align = variable.align as usize;
                let offset = self.param_size.next_multiple_of(align);
                let size = usize::try_from(variable.size()).ok().filter(|size| *size <= MOST_BYTES);
                let Some(size) = size.filter(|size| offset + size <= MOST_BYTES) else {
                    let text =
                        format!("with `{}` there are more than {MOST_BYTES} bytes of parameters.", variable.name);
                    return Err(ParseError::new(variable.line, text));
                };
                self.param_size = offset + size;
                let place = PassedIn::Bytes { offset, size, align };
                Ok(Passed { line: variable.line, name: variable.name.clone(), kind: variable.kind, place })
            }
        }
    }

    /// The parameters as those who launch see them.
    pub(super) fn entry_params(&self) -> Vec<Param> {
        let param = |passed: &Passed| match passed.place {
            PassedIn::Bytes { offset, size, align } => Some(Param { name: passed.name.clone(), offset, size, align }),
            PassedIn::Register(_) => None,
        };
        self.parameters.iter().filter_map(param).collect()
    }
}
