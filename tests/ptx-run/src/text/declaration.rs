//! Reads declarations: registers, variables and their initial values.

use super::lexer::Token;
use super::parser::{Linking, Parser};
use super::syntax::{Initial, Statement, Variable};
use crate::error::ParseError;
use crate::types::{Space, Type};

/// More registers than this in one range are surely a slip of the pen.
const MOST_REGISTERS: u64 = 1 << 16;

impl Parser<'_> {
    /// A type behind its dot.
    pub(super) fn kind(&mut self) -> Result<Type, ParseError> {
        if let Token::Dotted(name) = *self.peek() {
            if let Some(kind) = Type::named(name) {
                self.next();
                return Ok(kind);
            }
            return self.wrong(format!("the type `.{name}` is not handled here."));
        }
        self.wrong(format!("expected a type, found {}.", self.peek().said()))
    }

    /// `.reg .type a, b, %r<9>;`
    pub(super) fn registers(&mut self) -> Result<Statement, ParseError> {
        let line = self.line();
        self.next();
        let kind = self.kind()?;
        if kind.size() == 1 || kind == Type::Bf16 {
            return self.wrong(format!("registers of type {kind} are not handled: use one of type .b16."));
        }
        let mut names = Vec::new();
        loop {
            let name = self.word("the name of a register")?.to_owned();
            let count = if self.eat('<') {
                let count = self.integer("a number of registers")?;
                if count > MOST_REGISTERS {
                    return self.wrong(format!("{count} registers are too many."));
                }
                self.expect('>')?;
                Some(count as u32)
            } else {
                None
            };
            names.push((name, count));
            if !self.eat(',') {
                self.expect(';')?;
                return Ok(Statement::Registers { line, kind, names });
            }
        }
    }

    /// One or more variables of one space and type, from the name of the space on.
    pub(super) fn variables(&mut self, linking: Linking) -> Result<Vec<Variable>, ParseError> {
        let space = match self.next() {
            Token::Dotted("global") => Space::Global,
            Token::Dotted("const") => Space::Const,
            Token::Dotted("shared") => Space::Shared,
            Token::Dotted("local") => Space::Local,
            Token::Dotted("param") => Space::Param,
            other => return self.wrong(format!("expected a state space, found {}.", other.said())),
        };
        let first = self.variable_of(space, linking)?;
        let mut variables = vec![first];
        while self.eat(',') {
            let like = variables[0].clone();
            variables.push(self.declarator(like)?);
        }
        self.expect(';')?;
        Ok(variables)
    }

    /// One variable, from what follows its space on.
    pub(super) fn variable_of(&mut self, space: Space, linking: Linking) -> Result<Variable, ParseError> {
        let line = self.line();
        let mut align = None;
        let mut kind = None;
        let mut is_pointer = false;
        while let Token::Dotted(name) = *self.peek() {
            match name {
                "align" => {
                    self.next();
                    let value = self.integer("an alignment")?;
                    if !value.is_power_of_two() || value > 1 << 20 {
                        return self.wrong(format!("{value} is no alignment: a power of two is."));
                    }
                    // The second alignment of `.ptr .global .align 4` speaks of what the pointer leads to.
                    if !is_pointer {
                        align = Some(value);
                    }
                }
                "ptr" if kind.is_some() && space == Space::Param => {
                    self.next();
                    is_pointer = true;
                }
                "global" | "shared" | "const" | "local" if is_pointer => drop(self.next()),
                _ if kind.is_none() => kind = Some(self.kind()?),
                _ => return self.wrong(format!("`.{name}` of a variable is not handled.")),
            }
        }
        let Some(kind) = kind else { return self.wrong("a variable needs a type.") };
        if kind == Type::Pred {
            return self.wrong("a variable cannot be a predicate.");
        }
        let align = align.unwrap_or(kind.size() as u64);
        let external = linking.external;
        let blank = Variable { line, name: String::new(), space, kind, count: Some(1), align, external, values: None };
        self.declarator(blank)
    }

    /// The name, extents and initialiser of a variable like `like`.
    fn declarator(&mut self, like: Variable) -> Result<Variable, ParseError> {
        let mut variable = Variable { count: Some(1), values: None, line: self.line(), ..like };
        variable.name = self.word("the name of a variable")?.to_owned();
        while self.eat('[') {
            if self.eat(']') {
                variable.count = None;
                continue;
            }
            let extent = self.integer("a number of elements")?;
            if extent == 0 {
                return self.wrong("an array without elements.");
            }
            variable.count = variable.count.and_then(|count| count.checked_mul(extent));
            if variable.count.is_none() {
                return self.wrong("an array whose extents are too large, or open but for the first.");
            }
            self.expect(']')?;
        }
        if self.eat('=') {
            if !matches!(variable.space, Space::Global | Space::Const) {
                return self.wrong(format!("a .{} variable has no initial value.", variable.space.name()));
            }
            let mut values = Vec::new();
            self.initial(&mut values)?;
            match variable.count {
                Some(count) if values.len() as u64 > count => {
                    return self.wrong(format!("{} initial values for {count} elements.", values.len()));
                }
                Some(_) => {}
                None => variable.count = Some(values.len() as u64),
            }
            variable.values = Some(values);
        }
        Ok(variable)
    }

    fn initial(&mut self, values: &mut Vec<Initial>) -> Result<(), ParseError> {
        if self.eat('{') {
            loop {
                if *self.peek() == Token::Mark('{') {
                    return self.wrong("initial values in nested braces are not handled: write them in one row.");
                }
                self.initial(values)?;
                if !self.eat(',') {
                    return self.expect('}');
                }
            }
        }
        let Token::Word(word) = *self.peek() else {
            values.push(Initial::Number(self.literal()?));
            return Ok(());
        };
        self.next();
        let generic = word == "generic" && self.eat('(');
        let name = if generic { self.word("the name of a variable")? } else { word }.to_owned();
        if generic {
            self.expect(')')?;
        }
        let offset = self.distance()?;
        values.push(Initial::Address { name, generic, offset });
        Ok(())
    }
}
