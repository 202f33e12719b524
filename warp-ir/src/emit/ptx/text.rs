//! Lines of an entry while it is written.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

use super::{Fill, Hole};
use crate::hash::QuickSet;
use crate::ir::{Scalar, Source, SourceId};

/// A register's name.
pub(super) type Reg = Rc<str>;

/// What a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Class {
    Pred,
    B16,
    B32,
    B64,
    F32,
    F64,
}

impl Class {
    /// The class of a value, unless it is one of 64 bits that fits in 32.
    pub(super) fn of(scalar: Scalar) -> Class {
        match scalar {
            Scalar::Bool => Class::Pred,
            Scalar::F32 => Class::F32,
            Scalar::F64 => Class::F64,
            Scalar::I64 | Scalar::U64 => Class::B64,
            _ => Class::B32,
        }
    }

    /// The type of declarations and of moves.
    pub(super) fn name(self) -> &'static str {
        match self {
            Class::Pred => "pred",
            Class::B16 => "b16",
            Class::B32 => "b32",
            Class::B64 => "b64",
            Class::F32 => "f32",
            Class::F64 => "f64",
        }
    }
}

/// A line of text. What is put into it later stands between [`OPEN`] and [`CLOSE`].
#[derive(Clone, Debug)]
pub(super) struct Line {
    text: String,
    source: Option<SourceId>,
}

impl Line {
    pub(super) fn new(text: String, source: Option<SourceId>) -> Line {
        Line { text, source }
    }
}

const OPEN: char = '\u{1}';
const CLOSE: char = '\u{2}';
/// Digits of a number of bytes: those that an address may be counted from are smaller.
const BYTES_DIGITS: usize = 8;

/// What stands in a line for the digits of a user constant.
pub(super) fn slot(slot: u32, digits: usize) -> String {
    format!("{OPEN}s{digits} {slot}{CLOSE}")
}

/// What stands in a line for a number of bytes.
pub(super) fn measure(number: usize) -> String {
    format!("0x{OPEN}m{BYTES_DIGITS} {number}{CLOSE}")
}

/// What stands before a line for the case that a guess holds, and before one for the case that it does not.
pub(super) fn either(number: usize) -> [String; 2] {
    ["i", "u"].map(|kind| format!("{OPEN}{kind}2 {number}{CLOSE}"))
}

/// What stands before the next hole of a line, inside of it, and after it.
fn next_hole(line: &str) -> Option<(&str, (&str, &str))> {
    let (before, rest) = line.split_once(OPEN)?;
    Some((before, rest.split_once(CLOSE)?))
}

/// What goes between [`OPEN`] and [`CLOSE`], and its number among all that comes later.
fn hole(inside: &str, counts: &Counts) -> Option<(Fill, u32)> {
    let (digits, number) = inside.get(1..)?.split_once(' ')?;
    let (fill, first) = match inside.as_bytes()[0] {
        b'i' => (Fill::If, counts.slots + counts.measures),
        b'u' => (Fill::Unless, counts.slots + counts.measures),
        b'm' => (Fill::Digits(digits.parse().ok()?), counts.slots),
        _ => (Fill::Digits(digits.parse().ok()?), 0),
    };
    Some((fill, first + number.parse::<u32>().ok()?))
}

/// How much of each kind comes later, in the order of the numbers; guesses are the last.
#[derive(Default)]
pub(super) struct Counts {
    /// User constants that the kernel reads.
    pub(super) slots: u32,
    pub(super) measures: u32,
}

impl Line {
    /// This comparison, if it is one that sets a register, with another truth taken in: `to = (a < b) and other`.
    pub(super) fn joined(&self, register: &str, to: &str, operator: &str, other: &str) -> Option<Line> {
        let (name, rest) = self.text.strip_prefix("    setp.")?.split_once(' ')?;
        let (question, ty) = name.split_once('.').filter(|(_, ty)| !ty.contains('.'))?;
        let (operands, comment) = rest.strip_prefix(register)?.strip_prefix(", ")?.split_once(';')?;
        let text = format!("    setp.{question}.{operator}.{ty} {to}, {operands}, {other};{comment}");
        Some(Line::new(text, self.source))
    }
}

/// Registers by class, in the order in which they came up.
#[derive(Default)]
pub(super) struct Registers {
    lists: BTreeMap<Class, Vec<Reg>>,
    known: QuickSet<Reg>,
}

impl Registers {
    pub(super) fn add(&mut self, class: Class, reg: &Reg) {
        if self.known.insert(reg.clone()) {
            self.lists.entry(class).or_default().push(reg.clone());
        }
    }

    /// Declarations of those that lines use, a few registers a line.
    pub(super) fn declare(&self, lines: &[Line]) -> Vec<Line> {
        let mut used = QuickSet::default();
        lines.iter().for_each(|line| used.extend(registers(&line.text)));
        let mut declared = vec![];
        for (class, list) in &self.lists {
            let list: Vec<&str> = list.iter().map(|reg| &**reg).filter(|reg| used.contains(reg)).collect();
            let chunks = list.chunks(8).map(|chunk| format!("    .reg .{} {};", class.name(), chunk.join(", ")));
            declared.extend(chunks.map(|line| Line::new(line, None)));
        }
        declared
    }
}

/// What a line calls registers.
fn registers(line: &str) -> impl Iterator<Item = &str> {
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let starts = line.match_indices('%').map(|(at, _)| at);
    starts.map(move |at| {
        let len = line.as_bytes()[at + 1..].iter().take_while(|byte| inside(byte)).count();
        &line[at..=at + len]
    })
}

/// A module's text, with what is known of its lines.
#[derive(Default)]
pub(super) struct Text {
    pub(super) counts: Counts,
    pub(super) text: String,
    pub(super) holes: Vec<Hole>,
    pub(super) lines: Vec<Option<Source>>,
}

impl Text {
    pub(super) fn push(&mut self, line: &Line, sources: &[Source]) {
        let mut rest = line.text.as_str();
        while let Some((before, (inside, after))) = next_hole(rest) {
            self.text.push_str(before);
            if let Some((fill, slot)) = hole(inside, &self.counts) {
                self.holes.push(Hole { at: self.text.len(), fill, slot });
                self.text.extend(std::iter::repeat_n(char::from(fill.before()), fill.width()));
            }
            rest = after;
        }
        let _ = writeln!(self.text, "{rest}");
        self.lines.push(line.source.and_then(|id| sources.get(id.0 as usize)).cloned());
    }

    pub(super) fn plain(&mut self, text: &str) {
        self.push(&Line::new(text.to_owned(), None), &[]);
    }
}
