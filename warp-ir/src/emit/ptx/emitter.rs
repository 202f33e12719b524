//! The state of writing one entry: lines, registers, and where values are.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::abi::{LaunchWords, Width};
use super::check::Tail;
use super::elements::{Elements, Size};
use super::name;
use super::range::Ranges;
use super::shared::Shared;
use super::text::{Class, Line, Reg, Registers};
use crate::abi::ArgWords;
use crate::ir::{Function, Kernel, Scalar, SourceId, Value};
use crate::planted::{self, Bug};

/// Where a value is, as instructions take it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Val {
    /// A constant's bits.
    Bits(u64),
    /// A register of the type's class. Integers of 8 and 16 bits are extended to 32 as their sign asks for.
    Reg(Reg),
    /// 64 bits of which the upper half is zero, in a register of 32.
    Short(Reg),
    /// A truth, or its negation.
    Pred(Reg, bool),
}

/// A value with its type.
pub(super) type Operand = (Val, Scalar);

/// Why a kernel cannot be emitted.
pub(super) type Emitted<T = ()> = Result<T, String>;

/// Writes one entry.
pub(super) struct Emitter<'a, 's> {
    pub(super) kernel: &'a Kernel,
    pub(super) elements: &'a [Elements],
    pub(super) words: ArgWords,
    pub(super) launch: LaunchWords,
    pub(super) width: Width,
    /// Bytes to which the address at an argument word is aligned at least.
    pub(super) aligned: &'a HashMap<usize, u64>,
    pub(super) ranges: Ranges<'a>,
    pub(super) shared: &'s mut Shared,
    /// Lines that go before the others: the words of the launch that they need.
    pub(super) prologue: Vec<Line>,
    /// The lines that are being written.
    pub(super) out: Vec<Line>,
    /// Blocks that are seldom entered, for the end.
    pub(super) cold: Vec<Vec<Line>>,
    pub(super) registers: Registers,
    /// For each beginning of a name, how many registers have it.
    pub(super) names: HashMap<String, u32>,
    pub(super) labels: u32,
    pub(super) values: Vec<Option<Val>>,
    /// How often each value is used.
    pub(super) uses: Vec<u32>,
    /// How often of these as the index of an element of an array parameter.
    pub(super) index_uses: Vec<u32>,
    /// Values that are another one and a constant.
    pub(super) sums: HashMap<Value, (Value, i64)>,
    /// Those of them that nothing but addresses needs, which are not computed.
    pub(super) left_out: HashSet<Value>,
    /// Registers in which values are wanted.
    pub(super) targets: HashMap<Value, Reg>,
    /// Registers that hold words of the launch.
    pub(super) loaded: HashMap<(usize, Class), Reg>,
    /// Registers computed in the enclosing regions, outermost first.
    pub(super) scopes: Vec<Scope>,
    /// The source of what is being written.
    pub(super) source: Option<SourceId>,
    /// Whether the source is that of a check, which stands beside each of its instructions.
    pub(super) beside: bool,
    /// The statement whose text stands above what is being written.
    pub(super) statement: Option<SourceId>,
    /// The coordinates of the thread.
    pub(super) coordinates: Vec<Val>,
    /// For each number of operands of checks: where the ones that fail go on, and the registers they pass.
    pub(super) tails: BTreeMap<usize, Tail>,
}

/// What may be computed once in a region.
#[derive(Default)]
pub(super) struct Scope {
    /// Addresses, by the word they start from, the element and its size.
    pub(super) addresses: HashMap<(Base, Option<Value>, Size), Reg>,
    /// For two values, the first sum of them, with constants that are part of it.
    pub(super) pairs: HashMap<(Value, Value), (Value, i64)>,
    /// Distances in bytes, by index and size of an element.
    pub(super) ways: HashMap<(Value, Size), Reg>,
    /// 64-bit registers of values that are in 32 bits, by these.
    pub(super) wide: HashMap<Reg, Reg>,
    /// The lower halves of values that are in 64 bits, by these.
    pub(super) low: HashMap<Reg, Reg>,
}

/// What an address starts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Base {
    /// An argument word.
    Word(usize),
    /// A plane of a local array: array and leaf.
    Local(u32, u16),
}

impl<'a> Emitter<'a, '_> {
    pub(super) fn function(&self) -> &'a Function {
        &self.kernel.function
    }

    pub(super) fn scalar(&self, value: Value) -> Scalar {
        self.function().scalar(value)
    }

    /// Where a value is. The kernel is valid, so it has been defined.
    pub(super) fn get(&self, value: Value) -> Val {
        self.values[value.0 as usize].clone().expect("a valid kernel defines values before their use")
    }

    pub(super) fn operand(&self, value: Value) -> Operand {
        (self.get(value), self.scalar(value))
    }

    pub(super) fn set(&mut self, value: Value, is: Val) {
        self.values[value.0 as usize] = Some(is);
    }

    /// An instruction.
    pub(super) fn ins(&mut self, text: impl AsRef<str>) {
        self.ins_behind("  ", text);
    }

    /// An instruction on a line that begins with two characters, or with something that stands for them.
    pub(super) fn ins_behind(&mut self, start: &str, text: impl AsRef<str>) {
        let text = text.as_ref();
        let comment = match self.source {
            Some(id) if self.beside => name::comment(self.said(id)),
            Some(id) => {
                self.begin_statement(id);
                None
            }
            None => None,
        };
        let line = format!("{start}  {text}{}", comment.unwrap_or_default());
        self.out.push(Line::new(line, self.source));
    }

    /// The user's text at a place.
    fn said(&self, id: SourceId) -> &'a str {
        &self.kernel.function.sources[id.0 as usize].text
    }

    /// What follows is a statement's: its text goes above it, unless it stands there.
    fn begin_statement(&mut self, id: SourceId) {
        if self.statement.is_some_and(|before| before == id || self.said(before) == self.said(id)) {
            return;
        }
        self.statement = Some(id);
        if let Some(comment) = name::comment(self.said(id)) {
            self.out.push(Line::new(format!("   {comment}"), Some(id)));
        }
    }

    /// A label of its own.
    pub(super) fn fresh_label(&mut self, hint: &str) -> String {
        self.labels += 1;
        format!("{hint}_{}", self.labels)
    }

    pub(super) fn place(&mut self, label: &str) {
        self.out.push(Line::new(format!("{label}:"), None));
    }

    /// Writes lines that are seldom reached behind all others. What is computed there is not known elsewhere.
    pub(super) fn out_of_line<T>(&mut self, write: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        let saved = (std::mem::take(&mut self.out), self.statement.take());
        self.scopes.push(Scope::default());
        let result = write(self);
        self.scopes.pop();
        let block;
        (block, self.statement) = (std::mem::replace(&mut self.out, saved.0), saved.1);
        self.cold.push(block);
        result
    }

    /// A register of its own.
    pub(super) fn fresh(&mut self, class: Class, hint: &str) -> Reg {
        let number = self.names.entry(hint.to_owned()).or_default();
        // With the number at its end it is neither a special register nor that of a value.
        let reg: Reg = Rc::from(format!("%{hint}_{number}"));
        *number += 1;
        self.registers.add(class, &reg);
        reg
    }

    /// What to call the register of a value: what the user calls it, else what made it.
    fn hint(&self, value: Value, made_by: &str) -> String {
        let function = self.function();
        let span = function.spans.get(value.0 as usize).copied().flatten();
        let named = span.and_then(|id| name::of_expression(&function.sources[id.0 as usize].text));
        named.unwrap_or_else(|| made_by.to_owned())
    }

    /// The register of a value; the same one when it is defined in more than one place.
    pub(super) fn register(&mut self, value: Value, class: Class, made_by: &str) -> Reg {
        if let Some(reg) = self.targets.get(&value) {
            return reg.clone();
        }
        let reg: Reg = Rc::from(format!("%{}_v{}", self.hint(value, made_by), value.0));
        self.registers.add(class, &reg);
        reg
    }

    /// A register for a value that is about to be computed, and how it is held there.
    pub(super) fn define(&mut self, value: Value, made_by: &str) -> Val {
        let scalar = self.scalar(value);
        let short = self.ranges.is_short(value);
        let class = if short { Class::B32 } else { Class::of(scalar) };
        let reg = self.register(value, class, made_by);
        let is = match (scalar, short) {
            (Scalar::Bool, _) => Val::Pred(reg, false),
            (_, true) => Val::Short(reg),
            _ => Val::Reg(reg),
        };
        self.set(value, is.clone());
        is
    }

    /// Lets a value be where another one is, unless that is overwritten while this one may still be needed.
    pub(super) fn alias(&mut self, value: Value, operand: &Operand) -> Val {
        let moves = match &operand.0 {
            Val::Reg(reg) | Val::Short(reg) | Val::Pred(reg, _) => self.changes(reg),
            Val::Bits(_) => false,
        };
        if moves || self.targets.contains_key(&value) {
            let to = self.define(value, "copy");
            let operand = (operand.0.clone(), self.scalar(value));
            self.assign(&to, &operand);
            return to;
        }
        self.set(value, operand.0.clone());
        operand.0.clone()
    }

    /// A register for a result: that of a value, or one of its own.
    pub(super) fn result(&mut self, value: Option<Value>, scalar: Scalar, made_by: &str) -> Val {
        match value {
            Some(value) => self.define(value, made_by),
            None => {
                let reg = self.fresh(Class::of(scalar), made_by);
                if scalar == Scalar::Bool { Val::Pred(reg, false) } else { Val::Reg(reg) }
            }
        }
    }

    /// A word of the launch in a register, loaded before everything else.
    pub(super) fn word(&mut self, word: usize, class: Class, name: &str) -> Reg {
        if let Some(reg) = self.loaded.get(&(word, class)) {
            return reg.clone();
        }
        let reg = self.fresh(class, name);
        let load = self.load_word(word, class, &reg);
        self.prologue.push(Line::new(load, None));
        self.loaded.insert((word, class), reg.clone());
        reg
    }

    /// The instruction that loads a word of the launch.
    pub(super) fn load_word(&self, word: usize, class: Class, reg: &Reg) -> String {
        let offset = if word == 0 { String::new() } else { format!("+{}", 8 * word) };
        match self.launch.by_address() {
            true => format!("    ld.global.nc.{} {reg}, [%words{offset}];", class.name()),
            false => format!("    ld.param.{} {reg}, [args{offset}];", class.name()),
        }
    }

    /// A constant as an instruction takes it.
    pub(super) fn immediate(scalar: Scalar, bits: u64) -> String {
        match scalar {
            Scalar::F32 => format!("0f{:08X}", bits as u32),
            Scalar::F64 => format!("0d{bits:016X}"),
            s if s.is_signed() => {
                let shift = 64 - s.bits();
                let number = ((bits << shift) as i64) >> shift;
                // The smallest number has no positive counterpart, which some readers of text want.
                if number == i64::MIN { "0x8000000000000000".into() } else { number.to_string() }
            }
            _ if bits > i64::MAX as u64 => format!("0x{bits:016X}"),
            _ => bits.to_string(),
        }
    }

    /// An operand of an instruction of the type's own width; a truth in a predicate register.
    pub(super) fn text(&mut self, (val, scalar): &Operand) -> String {
        match val {
            Val::Bits(bits) if *scalar == Scalar::Bool => self.predicate(&Val::Bits(*bits)).to_string(),
            Val::Bits(bits) => Self::immediate(*scalar, *bits),
            Val::Reg(reg) => reg.to_string(),
            Val::Short(reg) => self.widen(&reg.clone()).to_string(),
            Val::Pred(..) => self.predicate(val).to_string(),
        }
    }

    /// The lower half of a 64-bit operand.
    pub(super) fn low(&mut self, (val, scalar): &Operand) -> String {
        match val {
            Val::Bits(bits) => Self::immediate(Scalar::U32, bits & 0xffff_ffff),
            Val::Reg(reg) if scalar.size() == 8 => self.lower_half(&reg.clone()).to_string(),
            Val::Reg(reg) | Val::Short(reg) | Val::Pred(reg, _) => reg.to_string(),
        }
    }

    fn lower_half(&mut self, reg: &Reg) -> Reg {
        if let Some(low) = self.scopes.iter().find_map(|scope| scope.low.get(reg)) {
            return low.clone();
        }
        let low = self.fresh(Class::B32, &format!("{}_low", &reg[1..]));
        self.ins(format!("cvt.u32.u64 {low}, {reg};"));
        if !self.changes(reg) {
            self.scope().low.insert(reg.clone(), low.clone());
        }
        low
    }

    /// A register of 64 bits for a value in one of 32.
    fn widen(&mut self, reg: &Reg) -> Reg {
        if let Some(wide) = self.scopes.iter().find_map(|scope| scope.wide.get(reg)) {
            return wide.clone();
        }
        let wide = self.fresh(Class::B64, &format!("{}_wide", &reg[1..]));
        self.ins(format!("cvt.u64.u32 {wide}, {reg};"));
        if !self.changes(reg) {
            self.scope().wide.insert(reg.clone(), wide.clone());
        }
        wide
    }

    /// Whether a register is written more than once, so that what was made of it may be out of date.
    fn changes(&self, reg: &Reg) -> bool {
        self.shared.changing.contains(reg)
    }

    pub(super) fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        self.scopes.last_mut().expect("there is one")
    }

    /// A truth in a register of its own sign.
    pub(super) fn predicate(&mut self, val: &Val) -> Reg {
        match val {
            Val::Pred(reg, false) => reg.clone(),
            Val::Pred(reg, true) => {
                let not = self.fresh(Class::Pred, "not");
                self.ins(format!("not.pred {not}, {reg};"));
                not
            }
            Val::Bits(bits) => {
                let truth = self.fresh(Class::Pred, "truth");
                self.ins(format!("mov.pred {truth}, {};", bits & 1));
                truth
            }
            Val::Reg(reg) | Val::Short(reg) => reg.clone(),
        }
    }

    /// Goes to a label if a truth is `wanted`. Nothing is written where it is known not to be.
    pub(super) fn branch_if(&mut self, cond: &Val, wanted: bool, label: &str) {
        match cond {
            Val::Bits(bits) if (bits & 1 == 1) == wanted => self.ins(format!("bra.uni {label};")),
            Val::Bits(_) => {}
            Val::Pred(reg, negated) => {
                let negated = *negated && !planted::is(Bug::PtxForgetsNot);
                let sign = if negated == wanted { "!" } else { "" };
                self.ins(format!("@{sign}{reg} bra {label};"));
            }
            Val::Reg(reg) | Val::Short(reg) => self.ins(format!("@{reg} bra {label};")),
        }
    }

    /// Copies a value into where another one is held; nothing if it is there already.
    pub(super) fn assign(&mut self, to: &Val, (from, scalar): &Operand) {
        if to == from {
            return;
        }
        match (to, from) {
            (Val::Pred(to, _), Val::Pred(from, true)) => self.ins(format!("not.pred {to}, {from};")),
            (Val::Pred(to, _), Val::Pred(from, false)) => self.ins(format!("mov.pred {to}, {from};")),
            (Val::Pred(to, _), Val::Bits(bits)) => {
                self.ins(format!("mov.pred {to}, {};", bits & 1));
            }
            (Val::Short(to), _) => {
                let from = match from {
                    Val::Reg(from) => return self.ins(format!("cvt.u32.u64 {to}, {from};")),
                    _ => self.low(&(from.clone(), *scalar)),
                };
                self.ins(format!("mov.b32 {to}, {from};"));
            }
            (Val::Reg(to), Val::Short(from)) => self.ins(format!("cvt.u64.u32 {to}, {from};")),
            (Val::Reg(to), _) => {
                let from = self.text(&(from.clone(), *scalar));
                self.ins(format!("mov.{} {to}, {from};", Class::of(*scalar).name()));
            }
            (Val::Pred(..) | Val::Bits(_), _) => {}
        }
    }
}
