//! `bra call ret exit trap`.

use super::body::Body;
use super::modifiers::Modifiers;
use super::operand::exactly;
use super::scope::{At, Place, Symbol};
use super::signature::{Passed, PassedIn};
use crate::code::{CallSite, Class, Op, Program, Transfer};
use crate::error::ParseError;
use crate::text::syntax::{Instruction, Operand};
use crate::types::Space;

/// Labels of a function, its branches and its calls, until all are known.
#[derive(Debug, Default)]
pub(super) struct Branching {
    /// Where each label leads.
    labels: Vec<Option<usize>>,
    /// Branches, whose targets are still numbers of labels.
    branches: Vec<usize>,
    sites: Vec<usize>,
}

impl Branching {
    pub(super) fn new_label(&mut self) -> usize {
        self.labels.push(None);
        self.labels.len() - 1
    }

    pub(super) fn place(&mut self, label: usize, at: usize) {
        self.labels[label] = Some(at);
    }

    /// The function's calls.
    pub(super) fn sites(&self) -> impl Iterator<Item = usize> {
        self.sites.iter().copied()
    }

    /// Puts instructions in the place of labels.
    pub(super) fn resolve(&self, program: &mut Program) -> Result<(), ParseError> {
        for &at in &self.branches {
            if let Op::Branch { target } = &mut program.instructions[at].op {
                // A label is declared where a block begins and placed where it stands in it.
                let Some(place) = self.labels[*target as usize] else {
                    return Err(ParseError::new(program.lines[at] as usize, "the label leads nowhere."));
                };
                *target = place as u32;
            }
        }
        Ok(())
    }
}

impl Body<'_> {
    pub(super) fn control(&mut self, instruction: &Instruction) -> Result<(Op, Class), ParseError> {
        let mut m = Modifiers::of(instruction);
        let op = match instruction.root.as_str() {
            "bra" => self.branch(instruction, m)?,
            "call" => self.call(instruction, m)?,
            root => {
                if root == "ret" {
                    m.eat("uni");
                }
                m.finish()?;
                let []: &[Operand; 0] = exactly(instruction, &m)?;
                match root {
                    "ret" => Op::Return,
                    "exit" => Op::Exit,
                    _ => Op::Trap,
                }
            }
        };
        Ok((op, Class::Control))
    }

    fn branch(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        m.eat("uni");
        m.finish()?;
        let [Operand::Name(name)] = exactly(instruction, &m)? else { return m.wrong("a label is wanted.") };
        let Some(Symbol::Label(label)) = self.find(name) else {
            return m.wrong(format!("the label `{name}` is not in reach."));
        };
        self.branching.branches.push(self.program.instructions.len());
        Ok(Op::Branch { target: label as u32 })
    }

    /// `call (results), function, (arguments);` where both lists may be missing.
    fn call(&mut self, instruction: &Instruction, mut m: Modifiers<'_>) -> Result<Op, ParseError> {
        m.eat("uni");
        m.finish()?;
        let none: &[Operand] = &[];
        let (results, name, arguments) = match instruction.operands.as_slice() {
            [Operand::Name(name)] => (none, name, none),
            [Operand::Name(name), Operand::List(arguments)] => (none, name, arguments.as_slice()),
            [Operand::List(results), Operand::Name(name)] => (results.as_slice(), name, none),
            [Operand::List(results), Operand::Name(name), Operand::List(arguments)] => {
                (results.as_slice(), name, arguments.as_slice())
            }
            _ => return m.wrong("a call reads `call (results), function, (arguments);`."),
        };
        let (callee, signature) = match self.module.callable(name) {
            Ok(found) => found,
            Err(why) => return m.wrong(why),
        };
        let counts = (results.len(), arguments.len());
        if counts != (signature.results.len(), signature.parameters.len()) {
            return m.wrong(format!(
                "`{name}` gives {} results and takes {} arguments; the call has {} and {}.",
                signature.results.len(),
                signature.parameters.len(),
                counts.0,
                counts.1
            ));
        }
        let mut site = CallSite { callee, ..CallSite::default() };
        for (operand, passed) in arguments.iter().zip(&signature.parameters) {
            site.inputs.push(self.passed(operand, passed, true, &m)?);
        }
        for (operand, passed) in results.iter().zip(&signature.results) {
            site.outputs.push(self.passed(operand, passed, false, &m)?);
        }
        self.program.sites.push(site);
        let index = self.program.sites.len() - 1;
        self.branching.sites.push(index);
        self.calls(callee);
        Ok(Op::Call { site: index as u32 })
    }

    /// How one argument goes in, or one result comes out.
    fn passed(
        &mut self,
        operand: &Operand,
        passed: &Passed,
        into: bool,
        m: &Modifiers<'_>,
    ) -> Result<Transfer, ParseError> {
        match passed.place {
            PassedIn::Register(theirs) if into => {
                Ok(Transfer::Register { from: self.source(operand, passed.kind, m)?, to: theirs })
            }
            PassedIn::Register(theirs) => {
                Ok(Transfer::Register { from: theirs, to: self.destination(operand, passed.kind, m)? })
            }
            PassedIn::Bytes { offset: theirs, size, .. } => {
                let found = match operand {
                    Operand::Name(name) => self.find(name),
                    _ => None,
                };
                let scalar = into && size == passed.kind.size();
                match found {
                    Some(Symbol::Variable(Place { space: Space::Param, size: Some(found), at: At::Offset(ours) })) => {
                        if found != size as u64 {
                            return m.wrong(format!("a parameter of {found} bytes; the function's has {size}."));
                        }
                        let ours = ours as usize;
                        let (from, to) = if into { (ours, theirs) } else { (theirs, ours) };
                        Ok(Transfer::Bytes { from, to, size })
                    }
                    _ if scalar && !matches!(found, Some(Symbol::Variable(_))) => {
                        Ok(Transfer::Value { from: self.source(operand, passed.kind, m)?, to: theirs, size })
                    }
                    _ => m.wrong("a variable of the space param of this function is wanted."),
                }
            }
        }
    }
}
