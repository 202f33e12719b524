//! From text to the IR: headers. Ops are read by `parse_op.rs`.

use std::fmt;

use super::literal;
use super::scan::Scan;
use crate::ir::{
    Access, ArrayParam, Attributes, Callee, Function, Kernel, LocalArray, Param, PrintPiece, PrintSite, Scalar, Source,
    SourceId, Storage, Value,
};
use crate::validate::{Invalid, Valid, limits};

/// Reads and validates a kernel.
pub fn parse_kernel(text: &str) -> Result<Valid<Kernel>, TextError> {
    Ok(Valid::<Kernel>::new(read_kernel(text)?)?)
}

/// Reads and validates a function.
pub fn parse(text: &str) -> Result<Valid<Function>, TextError> {
    Ok(Valid::<Function>::new(read(text)?)?)
}

/// Reads a kernel without validating it: for tests of the validator.
pub fn read_kernel(text: &str) -> Result<Kernel, ParseError> {
    let mut parser = Parser::new(text);
    parser.scan.keyword("kernel")?;
    parser.function.name = parser.scan.string()?;
    parser.scan.keyword("rank")?;
    let rank = parser.scan.number()?;
    let attributes = parser.attributes()?;
    Ok(Kernel { function: parser.function()?, rank, attributes })
}

/// Reads a function without validating it: for tests of the validator.
pub fn read(text: &str) -> Result<Function, ParseError> {
    let mut parser = Parser::new(text);
    parser.scan.keyword("function")?;
    parser.function.name = parser.scan.string()?;
    parser.function()
}

/// Text that is not the text form of anything.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the IR's text: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Why text gave no valid IR.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextError {
    /// It could not be read.
    Parse(ParseError),
    /// It could be read, and is not valid.
    Invalid(Invalid),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Parse(e) => e.fmt(f),
            TextError::Invalid(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for TextError {}

impl From<ParseError> for TextError {
    fn from(e: ParseError) -> Self {
        TextError::Parse(e)
    }
}

impl From<Invalid> for TextError {
    fn from(e: Invalid) -> Self {
        TextError::Invalid(e)
    }
}

pub(super) type Read<T> = Result<T, ParseError>;

pub(super) struct Parser<'t> {
    pub(super) scan: Scan<'t>,
    pub(super) function: Function,
    /// Type and span of each value seen so far, by number.
    values: Vec<Option<(Scalar, Option<SourceId>)>>,
    pub(super) depth: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        Parser { scan: Scan::new(text), function: Function::default(), values: Vec::new(), depth: 0 }
    }

    fn attributes(&mut self) -> Read<Attributes> {
        let mut attributes = Attributes::default();
        if !self.scan.takes_word("attributes") {
            return Ok(attributes);
        }
        loop {
            match self.scan.word()? {
                "fast_math" => attributes.fast_math = true,
                "no_fma" => attributes.no_fma = true,
                "no_adjoint" => attributes.no_adjoint = true,
                "checkpoint_bytes" => attributes.checkpoint_bytes = Some(self.scan.number()?),
                "undo_bytes" => attributes.undo_bytes = Some(self.scan.number()?),
                "block" => attributes.block = Some(self.scan.number()?),
                "min_blocks" => attributes.min_blocks = Some(self.scan.number()?),
                "grad" => attributes.grad.push(self.scan.string()?),
                word => return self.scan.error(format!("`{word}` is no attribute")),
            }
            if !self.scan.takes(',') {
                return Ok(attributes);
            }
        }
    }

    fn function(mut self) -> Read<Function> {
        let mut spans = false;
        while !self.scan.takes_word("body") {
            match self.scan.peek() {
                "param" => {
                    self.scan.word()?;
                    let value = self.definition()?;
                    self.function.params.push(Param { name: self.scan.string()?, value });
                }
                "slots" => {
                    self.scan.word()?;
                    self.function.slots = self.scan.number()?;
                }
                "spans" => {
                    self.scan.word()?;
                    spans = true;
                }
                "unused" => {
                    self.scan.word()?;
                    self.definition()?;
                }
                word => self.table(word)?,
            }
        }
        self.function.body = self.region()?;
        if !self.scan.at_end() {
            return self.scan.error("something follows the body");
        }
        self.settle(spans)
    }

    /// Moves what was seen of values into the function.
    fn settle(self, spans: bool) -> Read<Function> {
        let Parser { scan, mut function, values, .. } = self;
        for (k, value) in values.into_iter().enumerate() {
            let Some((scalar, span)) = value else {
                return scan.error(format!("v{k} is missing; a value without definition is written `unused v{k}: ..`"));
            };
            function.values.push(scalar);
            match span {
                _ if spans => function.spans.push(span),
                None => {}
                Some(_) => return scan.error(format!("v{k} has a span, and `spans` is missing in the header")),
            }
        }
        Ok(function)
    }

    /// A numbered row of one of the tables, in order.
    fn table(&mut self, word: &str) -> Read<()> {
        let kind = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: usize = self.scan.handle(kind)? as usize;
        let expected = match kind {
            "array" => self.function.arrays.len(),
            "local" => self.function.locals.len(),
            "table" => self.function.tables.len(),
            "source" => self.function.sources.len(),
            "print" => self.function.prints.len(),
            "callee" => self.function.callees.len(),
            _ => return self.scan.error(format!("expected a row of a table or `body`, found `{word}`")),
        };
        if number != expected {
            return self.scan.error(format!("expected `{kind}{expected}`, found `{word}`"));
        }
        match kind {
            "array" => {
                let array = self.array()?;
                self.function.arrays.push(array);
            }
            "local" => {
                let name = self.scan.string()?;
                self.scan.mark(':')?;
                let len = self.scan.number()?;
                self.scan.keyword("x")?;
                let leaves = self.scan.list('[', ']', scalar)?;
                self.function.locals.push(LocalArray { name, leaves, len });
            }
            "table" => self.constants()?,
            "source" => {
                let file = self.scan.string()?;
                let (line, column) = (self.scan.number()?, self.scan.number()?);
                self.function.sources.push(Source { file, line, column, text: self.scan.string()? });
            }
            "print" => {
                let pieces = self.scan.list('[', ']', piece)?;
                self.function.prints.push(PrintSite { pieces, newline: self.scan.takes_word("newline") });
            }
            _ => {
                let id = self.scan.string()?;
                self.function.callees.push(Callee { id, name: self.scan.string()? });
            }
        }
        Ok(())
    }

    fn array(&mut self) -> Read<ArrayParam> {
        let name = self.scan.string()?;
        self.scan.mark(':')?;
        let access = match self.scan.word()? {
            "read" => Access::Read,
            "write" => Access::Write,
            word => return self.scan.error(format!("expected `read` or `write`, found `{word}`")),
        };
        let storage = match self.scan.word()? {
            "elements" => Storage::Elements,
            "planes" => Storage::Planes,
            word => return self.scan.error(format!("expected `elements` or `planes`, found `{word}`")),
        };
        self.scan.keyword("rank")?;
        let rank = self.scan.number()?;
        let strided = self.scan.takes_word("strided");
        let leaves = self.scan.list('[', ']', scalar)?;
        Ok(ArrayParam { name, leaves, rank, strided, access, storage })
    }

    fn constants(&mut self) -> Read<()> {
        self.scan.mark(':')?;
        let scalar = scalar(&mut self.scan)?;
        let elements = self.scan.list('[', ']', |scan| constant(scan, scalar))?;
        self.function.tables.push((scalar, elements));
        Ok(())
    }

    /// `v3: f32` or `v3@5: f32`.
    pub(super) fn definition(&mut self) -> Read<Value> {
        let number = self.scan.handle("v")?;
        let span = if self.scan.takes('@') { Some(SourceId(self.scan.number()?)) } else { None };
        self.scan.mark(':')?;
        let scalar = scalar(&mut self.scan)?;
        let at = number as usize;
        if at >= limits::VALUES {
            return self.scan.error(format!("v{number} is beyond the limit of {} values", limits::VALUES));
        }
        if at >= self.values.len() {
            self.values.resize(at + 1, None);
        }
        self.values[at] = Some((scalar, span));
        Ok(Value(number))
    }

    /// The type of a value that has been seen.
    pub(super) fn scalar(&self, value: Value) -> Read<Scalar> {
        match self.values.get(value.0 as usize).copied().flatten() {
            Some((scalar, _)) => Ok(scalar),
            None => self.scan.error(format!("v{} has no type", value.0)),
        }
    }
}

fn scalar(scan: &mut Scan<'_>) -> Read<Scalar> {
    let word = scan.word()?;
    match Scalar::from_name(word) {
        Some(scalar) => Ok(scalar),
        None => scan.error(format!("`{word}` is no scalar type")),
    }
}

/// A constant of a type.
pub(super) fn constant(scan: &mut Scan<'_>, scalar: Scalar) -> Read<u64> {
    let text = scan.literal();
    match literal::parse(scalar, text) {
        Some(bits) => Ok(bits),
        None => scan.error(format!("`{text}` is no constant of {}", scalar.name())),
    }
}

/// A piece of a print site or a message.
pub(super) fn piece(scan: &mut Scan<'_>) -> Read<PrintPiece> {
    if scan.peek().is_empty() {
        return Ok(PrintPiece::Text(scan.string()?));
    }
    if scan.takes_word("choice") {
        let scalar = scalar(scan)?;
        let cases = scan.list('[', ']', |scan| Ok((scan.number()?, scan.number()?)))?;
        return Ok(PrintPiece::Choice { scalar, cases });
    }
    Ok(PrintPiece::Arg { scalar: scalar(scan)?, spec: scan.string()? })
}
