//! What a text says, before names and types are looked up.

use crate::module::BlockShape;
use crate::types::{Space, Type};

/// A whole text.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub level: Level,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
}

/// The version of the language and the target that a text names.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Level {
    pub version: (u32, u32),
    /// The number behind `sm_`; the smallest where there are several.
    pub target: u32,
}

/// A variable, or a parameter in the param space.
#[derive(Debug, Clone)]
pub(crate) struct Variable {
    pub line: usize,
    pub name: String,
    pub space: Space,
    pub kind: Type,
    /// Elements; none for an array of open length, `name[]`.
    pub count: Option<u64>,
    pub align: u64,
    pub external: bool,
    /// Initial values, in order; what they do not cover is zero. None: no initialiser.
    pub values: Option<Vec<Initial>>,
}

impl Variable {
    /// Bytes of the variable; an array of open length has none of its own.
    pub(crate) fn size(&self) -> u64 {
        self.count.unwrap_or(0).saturating_mul(self.kind.size() as u64)
    }
}

/// One value of an initialiser.
#[derive(Debug, Clone)]
pub(crate) enum Initial {
    Number(Literal),
    /// The address of a variable, in its own space or as a generic one, and a distance.
    Address {
        name: String,
        generic: bool,
        offset: i64,
    },
}

/// A number as it was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Literal {
    /// A whole number and whether a minus stands before it.
    Integer {
        magnitude: u64,
        negative: bool,
    },
    Single(u32),
    Double(u64),
}

/// A parameter or result of a function.
#[derive(Debug, Clone)]
pub(crate) enum Formal {
    Register { line: usize, name: String, kind: Type },
    Variable(Variable),
}

/// An entry or a function.
#[derive(Debug)]
pub(crate) struct Function {
    pub line: usize,
    pub name: String,
    pub is_entry: bool,
    pub results: Vec<Formal>,
    pub parameters: Vec<Formal>,
    pub threads: BlockShape,
    /// None: only declared.
    pub body: Option<Vec<Statement>>,
}

/// What stands in a body, with its line.
#[derive(Debug)]
pub(crate) enum Statement {
    /// `.reg .type a, b<n>;`
    Registers {
        line: usize,
        kind: Type,
        names: Vec<(String, Option<u32>)>,
    },
    Variable(Variable),
    Label {
        line: usize,
        name: String,
    },
    Block(Vec<Statement>),
    Instruction(Instruction),
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    pub line: usize,
    /// The predicate that guards it, and whether it is negated.
    pub guard: Option<(String, bool)>,
    pub root: String,
    pub modifiers: Vec<String>,
    pub operands: Vec<Operand>,
}

/// An operand as written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand {
    /// A register, special register (with its dot), variable, label or function.
    Name(String),
    /// A variable's address and a distance.
    Offset(String, i64),
    Number(Literal),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `[base + offset]`
    Address(Base, i64),
    /// `!p`
    Not(String),
    /// `a|b`
    Pair(Box<Operand>, Box<Operand>),
    /// `(a, b)`, of calls.
    List(Vec<Operand>),
    /// `_`
    Sink,
}

/// What an address begins with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Base {
    /// A register or a variable.
    Name(String),
    /// An address that is a number; the offset holds it.
    Nothing,
}
