//! Reads a module: what stands at its top, functions, and the statements of their bodies.

use super::lexer::{Token, tokens};
use super::syntax::{Formal, Function, Instruction, Level, Source, Statement};
use crate::error::ParseError;
use crate::module::BlockShape;
use crate::types::Space;

/// Reads a whole text.
pub(crate) fn parse(text: &str) -> Result<Source, ParseError> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0 };
    parser.module()
}

/// The tokens, and how far they are read.
pub(super) struct Parser<'a> {
    tokens: Vec<(Token<'a>, usize)>,
    at: usize,
}

/// `.visible`, `.extern` and the like, as they stood before a definition.
#[derive(Default, Clone, Copy)]
pub(super) struct Linking {
    pub external: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> &Token<'a> {
        &self.tokens[self.at].0
    }

    pub(super) fn peek_behind(&self) -> &Token<'a> {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    pub(super) fn line(&self) -> usize {
        self.tokens[self.at].1
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn wrong<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::new(self.line(), message))
    }

    pub(super) fn eat(&mut self, mark: char) -> bool {
        let found = *self.peek() == Token::Mark(mark);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect(&mut self, mark: char) -> Result<(), ParseError> {
        if self.eat(mark) {
            return Ok(());
        }
        self.wrong(format!("expected `{mark}`, found {}.", self.peek().said()))
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, ParseError> {
        match *self.peek() {
            // That stands for results that are discarded.
            Token::Word(word) if word != "_" => {
                self.next();
                Ok(word)
            }
            _ => self.wrong(format!("expected {what}, found {}.", self.peek().said())),
        }
    }

    pub(super) fn integer(&mut self, what: &str) -> Result<u64, ParseError> {
        match *self.peek() {
            Token::Integer(value) => {
                self.next();
                Ok(value)
            }
            _ => self.wrong(format!("expected {what}, found {}.", self.peek().said())),
        }
    }

    /// Passes over what is left of this line: debug information ends there, without a semicolon.
    fn skip_line(&mut self) {
        let line = self.line();
        while self.line() == line && *self.peek() != Token::End {
            self.next();
        }
    }

    /// Passes over a group in braces.
    fn skip_braces(&mut self) -> Result<(), ParseError> {
        while *self.peek() != Token::Mark('{') && *self.peek() != Token::End {
            self.next();
        }
        self.expect('{')?;
        while !self.eat('}') {
            if *self.peek() == Token::End {
                return self.wrong("a group in braces is never closed.");
            }
            self.next();
        }
        Ok(())
    }

    fn module(&mut self) -> Result<Source, ParseError> {
        let mut source = Source { level: self.header()?, ..Source::default() };
        loop {
            if *self.peek() == Token::End {
                return Ok(source);
            }
            let linking = self.linking();
            let Token::Dotted(directive) = *self.peek() else {
                return self.wrong(format!("expected a directive, found {}.", self.peek().said()));
            };
            match directive {
                "entry" | "func" => {
                    self.next();
                    source.functions.push(self.function(directive == "entry")?);
                }
                "file" | "loc" => self.skip_line(),
                "section" => self.skip_braces()?,
                "pragma" => self.pragma()?,
                "global" | "const" | "shared" => source.variables.append(&mut self.variables(linking)?),
                _ => return self.wrong(format!("the directive `.{directive}` is not handled here.")),
            }
        }
    }

    /// `.version`, `.target` and `.address_size`, which begin every text.
    fn header(&mut self) -> Result<Level, ParseError> {
        self.directive("version", "the text begins with `.version major.minor`")?;
        let Token::Double(bits) = *self.peek() else {
            return self.wrong(format!("expected a version such as 7.0, found {}.", self.peek().said()));
        };
        self.next();
        // All minor versions have one digit.
        let tenths = (f64::from_bits(bits) * 10.0).round() as u32;
        self.directive("target", "`.target sm_NN` follows the version")?;
        let mut least = None;
        loop {
            let target = self.word("a target such as sm_70")?;
            // Letters behind the number add features, none of which are handled.
            let number = target.strip_prefix("sm_").map(|rest| rest.trim_end_matches(['a', 'f']));
            match number.and_then(|number| number.parse::<u32>().ok()) {
                Some(number) => least = Some(least.map_or(number, |least: u32| least.min(number))),
                None if matches!(target, "debug" | "texmode_independent") => {}
                None => return self.wrong(format!("the target `{target}` is not handled: sm_NN is.")),
            }
            if !self.eat(',') {
                break;
            }
        }
        let Some(target) = least else { return self.wrong("a target such as sm_70 is missing.") };
        self.directive("address_size", "`.address_size 64` follows the target")?;
        match self.integer("64")? {
            64 => Ok(Level { version: (tenths / 10, tenths % 10), target }),
            other => self.wrong(format!("addresses of {other} bits are not handled: 64 is.")),
        }
    }

    fn directive(&mut self, name: &str, rule: &str) -> Result<(), ParseError> {
        if *self.peek() == Token::Dotted(name) {
            self.next();
            return Ok(());
        }
        self.wrong(format!("{rule}, found {}.", self.peek().said()))
    }

    fn linking(&mut self) -> Linking {
        let mut linking = Linking::default();
        loop {
            match self.peek() {
                Token::Dotted("extern") => linking.external = true,
                Token::Dotted("visible" | "weak" | "common") => {}
                _ => return linking,
            }
            self.next();
        }
    }

    fn pragma(&mut self) -> Result<(), ParseError> {
        self.next();
        match self.next() {
            Token::Text(_) => self.expect(';'),
            other => self.wrong(format!("expected a text in quotation marks, found {}.", other.said())),
        }
    }

    fn function(&mut self, is_entry: bool) -> Result<Function, ParseError> {
        let results = if !is_entry && *self.peek() == Token::Mark('(') { self.formals()? } else { Vec::new() };
        let line = self.line();
        let name = self.word("the name of the function")?.to_owned();
        let parameters = if *self.peek() == Token::Mark('(') { self.formals()? } else { Vec::new() };
        let threads = self.performance()?;
        let body = if self.eat(';') { None } else { Some(self.block()?) };
        Ok(Function { line, name, is_entry, results, parameters, threads, body })
    }

    /// Directives between the head and the body of a function.
    fn performance(&mut self) -> Result<BlockShape, ParseError> {
        let mut shape = BlockShape::default();
        while let Token::Dotted(name) = *self.peek() {
            match name {
                "maxntid" | "reqntid" => {
                    self.next();
                    let threads = Some(self.threads()?);
                    *(if name == "maxntid" { &mut shape.most } else { &mut shape.required }) = threads;
                }
                "minnctapersm" | "maxnctapersm" | "maxnreg" => {
                    self.next();
                    self.integer("a number")?;
                }
                "noreturn" => drop(self.next()),
                "pragma" => self.pragma()?,
                _ => return self.wrong(format!("the directive `.{name}` of a function is not handled.")),
            }
        }
        Ok(shape)
    }

    fn threads(&mut self) -> Result<[u32; 3], ParseError> {
        let mut threads = [1; 3];
        for (k, extent) in threads.iter_mut().enumerate() {
            if k > 0 && !self.eat(',') {
                break;
            }
            let value = self.integer("a number of threads")?;
            match u32::try_from(value) {
                Ok(value) if value > 0 => *extent = value,
                _ => return self.wrong(format!("{value} is no number of threads of a block.")),
            }
        }
        Ok(threads)
    }

    fn formals(&mut self) -> Result<Vec<Formal>, ParseError> {
        self.expect('(')?;
        let mut formals = Vec::new();
        while !self.eat(')') {
            if !formals.is_empty() {
                self.expect(',')?;
            }
            let line = self.line();
            match self.next() {
                Token::Dotted("reg") => {
                    let kind = self.kind()?;
                    formals.push(Formal::Register { line, name: self.word("a name")?.to_owned(), kind });
                }
                Token::Dotted("param") => {
                    formals.push(Formal::Variable(self.variable_of(Space::Param, Linking::default())?));
                }
                other => return self.wrong(format!("expected `.param` or `.reg`, found {}.", other.said())),
            }
        }
        Ok(formals)
    }

    fn block(&mut self) -> Result<Vec<Statement>, ParseError> {
        self.expect('{')?;
        let mut statements = Vec::new();
        while !self.eat('}') {
            self.statement(&mut statements)?;
        }
        Ok(statements)
    }

    fn statement(&mut self, statements: &mut Vec<Statement>) -> Result<(), ParseError> {
        let line = self.line();
        match *self.peek() {
            Token::End => return self.wrong("the text ends within a function: a `}` is missing."),
            Token::Mark('{') => statements.push(Statement::Block(self.block()?)),
            Token::Dotted("reg") => statements.push(self.registers()?),
            Token::Dotted("loc") => self.skip_line(),
            Token::Dotted("pragma") => self.pragma()?,
            Token::Dotted("local" | "shared" | "param" | "global" | "const") => {
                statements.extend(self.variables(Linking::default())?.into_iter().map(Statement::Variable));
            }
            Token::Dotted(name) => return self.wrong(format!("the directive `.{name}` is not handled in a function.")),
            Token::Word(name) if *self.peek_behind() == Token::Mark(':') => {
                self.next();
                self.next();
                statements.push(Statement::Label { line, name: name.to_owned() });
            }
            _ => statements.push(Statement::Instruction(self.instruction()?)),
        }
        Ok(())
    }

    fn instruction(&mut self) -> Result<Instruction, ParseError> {
        let guard = if self.eat('@') {
            let negated = self.eat('!');
            Some((self.word("a predicate")?.to_owned(), negated))
        } else {
            None
        };
        let line = self.line();
        let root = self.word("an instruction")?.to_owned();
        let mut modifiers = Vec::new();
        while let Token::Dotted(name) = *self.peek() {
            modifiers.push(name.to_owned());
            self.next();
        }
        let mut operands = Vec::new();
        while !self.eat(';') {
            if !operands.is_empty() {
                self.expect(',')?;
            }
            operands.push(self.operand()?);
        }
        Ok(Instruction { line, guard, root, modifiers, operands })
    }
}
