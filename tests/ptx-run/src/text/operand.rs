//! Reads operands.

use super::lexer::Token;
use super::parser::Parser;
use super::syntax::{Base, Literal, Operand};
use crate::error::ParseError;

impl Parser<'_> {
    pub(super) fn operand(&mut self) -> Result<Operand, ParseError> {
        let first = self.simple()?;
        if self.eat('|') {
            let second = self.simple()?;
            return Ok(Operand::Pair(Box::new(first), Box::new(second)));
        }
        Ok(first)
    }

    fn simple(&mut self) -> Result<Operand, ParseError> {
        match *self.peek() {
            Token::Mark('{') => Ok(Operand::Vector(self.list('{', '}')?)),
            Token::Mark('(') => Ok(Operand::List(self.list('(', ')')?)),
            Token::Mark('[') => self.address(),
            Token::Mark('!') => {
                self.next();
                Ok(Operand::Not(self.word("a predicate")?.to_owned()))
            }
            Token::Word("_") => {
                self.next();
                Ok(Operand::Sink)
            }
            Token::Word("WARP_SZ") => {
                self.next();
                Ok(Operand::Number(Literal::Integer { magnitude: 32, negative: false }))
            }
            Token::Word(word) => {
                self.next();
                self.named(word)
            }
            _ => Ok(Operand::Number(self.literal()?)),
        }
    }

    /// A name, with the part behind the dot of a special register, or a distance behind a variable.
    fn named(&mut self, word: &str) -> Result<Operand, ParseError> {
        if let Token::Dotted(part) = *self.peek() {
            self.next();
            return Ok(Operand::Name(format!("{word}.{part}")));
        }
        Ok(match self.distance()? {
            0 => Operand::Name(word.to_owned()),
            offset => Operand::Offset(word.to_owned(), offset),
        })
    }

    fn list(&mut self, open: char, close: char) -> Result<Vec<Operand>, ParseError> {
        self.expect(open)?;
        let mut list = Vec::new();
        while !self.eat(close) {
            if !list.is_empty() {
                self.expect(',')?;
            }
            list.push(self.simple()?);
        }
        Ok(list)
    }

    fn address(&mut self) -> Result<Operand, ParseError> {
        self.expect('[')?;
        let (base, offset) = if let Token::Word(word) = *self.peek() {
            self.next();
            (Base::Name(word.to_owned()), self.distance()?)
        } else {
            match self.literal()? {
                Literal::Integer { magnitude, negative: false } => (Base::Nothing, magnitude as i64),
                _ => return self.wrong("an address is a register, a variable or a whole number."),
            }
        };
        self.expect(']')?;
        Ok(Operand::Address(base, offset))
    }

    /// `+4`, `+-4`, or nothing.
    pub(super) fn distance(&mut self) -> Result<i64, ParseError> {
        if !self.eat('+') {
            return Ok(0);
        }
        let negative = self.eat('-');
        let magnitude = self.integer("a distance in bytes")?;
        let Ok(distance) = i64::try_from(magnitude) else {
            return self.wrong(format!("the distance {magnitude} is too large."));
        };
        Ok(if negative { -distance } else { distance })
    }

    /// A number, perhaps with a minus.
    pub(super) fn literal(&mut self) -> Result<Literal, ParseError> {
        let negative = self.eat('-');
        match *self.peek() {
            Token::Integer(magnitude) => {
                self.next();
                Ok(Literal::Integer { magnitude, negative })
            }
            Token::Single(_) if negative => self.wrong("the sign of a number in the form 0f is one of its bits."),
            Token::Single(bits) => {
                self.next();
                Ok(Literal::Single(bits))
            }
            Token::Double(bits) => {
                self.next();
                Ok(Literal::Double(bits ^ (u64::from(negative) << 63)))
            }
            _ => self.wrong(format!("expected an operand, found {}.", self.peek().said())),
        }
    }
}
