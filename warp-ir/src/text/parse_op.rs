//! From text to the IR: regions and ops.

use super::names::atomic_from_name;
use super::parse::{Parser, Read, constant};
use super::scan::Scan;
use crate::builtins::Builtin;
use crate::ir::{
    ArrayArg, ArrayId, AtomicKind, CalleeId, CheckKind, LocalId, Mem, Op, PrintId, Region, SourceId, Value,
};
use crate::validate::limits;

impl Parser<'_> {
    /// `|v1: f32| { .. }`.
    pub(super) fn region(&mut self) -> Read<Region> {
        self.depth += 1;
        if self.depth > limits::DEPTH {
            return self.scan.error(format!("regions are nested deeper than the limit of {}", limits::DEPTH));
        }
        let mut region = Region::default();
        if self.scan.takes('|') {
            region.params = self.definitions()?;
            self.scan.mark('|')?;
        }
        self.scan.mark('{')?;
        while !self.scan.takes('}') {
            if self.scan.takes_word("yield") {
                region.yields = values(&mut self.scan)?;
                self.scan.mark('}')?;
                break;
            }
            region.ops.push(self.op()?);
        }
        self.depth -= 1;
        Ok(region)
    }

    fn definitions(&mut self) -> Read<Vec<Value>> {
        let mut list = vec![self.definition()?];
        while self.scan.takes(',') {
            list.push(self.definition()?);
        }
        Ok(list)
    }

    fn op(&mut self) -> Read<Op> {
        let word = self.scan.peek();
        let defines = word.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit()));
        let mut results = Vec::new();
        if defines {
            results = self.definitions()?;
            self.scan.mark('=')?;
        }
        let word = self.scan.word()?;
        match word {
            "if" => self.if_(results),
            "loop" => self.loop_(results),
            "custom" => self.custom(results),
            "call" => self.call(results),
            "store" | "fill" | "check" | "print" => {
                if !results.is_empty() {
                    return self.scan.error(format!("`{word}` defines no values"));
                }
                self.effect(word)
            }
            _ => match results[..] {
                [result] => self.value_op(word, result),
                _ => self.scan.error(format!("`{word}` defines one value")),
            },
        }
    }

    /// Ops that define one value.
    fn value_op(&mut self, word: &str, result: Value) -> Read<Op> {
        let scan = &mut self.scan;
        Ok(match word {
            "const" => {
                let scalar = self.scalar(result)?;
                Op::Const { bits: constant(&mut self.scan, scalar)?, result }
            }
            "slot" => Op::Slot { slot: scan.number()?, result },
            "tid" => Op::Tid { dim: scan.number()?, result },
            "extent" => Op::Extent { array: ArrayId(scan.handle("array")?), dim: scan.number()?, result },
            "stride" => Op::Stride { array: ArrayId(scan.handle("array")?), dim: scan.number()?, result },
            "table" => {
                let table = scan.handle("table")?;
                scan.mark('[')?;
                let index = value(scan)?;
                scan.mark(']')?;
                Op::Table { table, index, result }
            }
            "load" => {
                let (mem, index, leaf) = place(scan)?;
                Op::Load { mem, index, leaf, result }
            }
            "atomic" => {
                let kind = atomic_kind(scan)?;
                let (mem, index, leaf) = place(scan)?;
                scan.mark('=')?;
                let new = value(scan)?;
                let compare = compared(scan)?;
                Op::Atomic { kind, mem, index, leaf, value: new, compare, result }
            }
            _ => match Builtin::from_name(word) {
                Some(builtin) => Op::Pure { builtin, args: values(scan)?, result },
                None => return scan.error(format!("`{word}` is no op")),
            },
        })
    }

    /// Ops that define nothing and have no regions.
    fn effect(&mut self, word: &str) -> Read<Op> {
        let scan = &mut self.scan;
        Ok(match word {
            "store" => {
                let (mem, index, leaf) = place(scan)?;
                scan.mark('=')?;
                Op::Store { mem, index, leaf, value: value(scan)? }
            }
            "fill" => {
                let local = LocalId(scan.handle("local")?);
                scan.mark('.')?;
                let leaf = scan.number()?;
                scan.mark('=')?;
                Op::Fill { local, leaf, value: value(scan)? }
            }
            "print" => Op::Print { site: PrintId(scan.handle("print")?), args: scan.list('(', ')', value)? },
            _ => {
                let cond = value(scan)?;
                let kind = check_kind(scan)?;
                let operands = scan.list('(', ')', value)?;
                Op::Check { cond, kind, operands, source: SourceId(scan.handle("source")?) }
            }
        })
    }

    fn if_(&mut self, results: Vec<Value>) -> Read<Op> {
        let cond = value(&mut self.scan)?;
        let then = self.region()?;
        let otherwise = if self.scan.takes_word("else") { self.region()? } else { Region::default() };
        Ok(Op::If { cond, then, otherwise, results })
    }

    fn loop_(&mut self, results: Vec<Value>) -> Read<Op> {
        let inits = if self.scan.peek() == "while" { vec![] } else { values(&mut self.scan)? };
        self.scan.keyword("while")?;
        let cond = self.region()?;
        self.scan.keyword("do")?;
        Ok(Op::Loop { inits, cond, body: self.region()?, results })
    }

    fn custom(&mut self, results: Vec<Value>) -> Read<Op> {
        let values = self.scan.list('(', ')', value)?;
        self.scan.keyword("by")?;
        let by = self.scan.list('(', ')', value)?;
        Ok(Op::Custom { values, by, gradient: self.region()?, results })
    }

    fn call(&mut self, results: Vec<Value>) -> Read<Op> {
        let scan = &mut self.scan;
        let callee = CalleeId(scan.handle("callee")?);
        let args = scan.list('(', ')', value)?;
        let arrays = scan.list('[', ']', array_arg)?;
        Ok(Op::Call { callee, args, arrays, results, source: SourceId(scan.handle("source")?) })
    }
}

fn value(scan: &mut Scan<'_>) -> Read<Value> {
    Ok(Value(scan.handle("v")?))
}

fn values(scan: &mut Scan<'_>) -> Read<Vec<Value>> {
    let mut list = vec![value(scan)?];
    while scan.takes(',') {
        list.push(value(scan)?);
    }
    Ok(list)
}

fn memory(scan: &mut Scan<'_>) -> Read<Mem> {
    if scan.peek().starts_with("array") {
        return Ok(Mem::Array(ArrayId(scan.handle("array")?)));
    }
    Ok(Mem::Local(LocalId(scan.handle("local")?)))
}

/// `array0[v3].0`.
fn place(scan: &mut Scan<'_>) -> Read<(Mem, Value, u16)> {
    let mem = memory(scan)?;
    scan.mark('[')?;
    let index = value(scan)?;
    scan.mark(']')?;
    scan.mark('.')?;
    Ok((mem, index, scan.number()?))
}

/// The value behind an `if` that belongs to an atomic; with a region behind it, the `if` is the next op.
fn compared(scan: &mut Scan<'_>) -> Read<Option<Value>> {
    let before = scan.position();
    if scan.takes_word("if") {
        let value = value(scan)?;
        if !scan.is_at('{') {
            return Ok(Some(value));
        }
        scan.go_back(before);
    }
    Ok(None)
}

fn atomic_kind(scan: &mut Scan<'_>) -> Read<AtomicKind> {
    let word = scan.word()?;
    match atomic_from_name(word) {
        Some(kind) => Ok(kind),
        None => scan.error(format!("`{word}` is no kind of atomic")),
    }
}

fn check_kind(scan: &mut Scan<'_>) -> Read<CheckKind> {
    Ok(match scan.word()? {
        "index" => CheckKind::Index { mem: memory(scan)?, dim: scan.number()? },
        "slice_range" => CheckKind::SliceRange { mem: memory(scan)? },
        "divide_by_zero" => CheckKind::DivideByZero,
        "divide_overflow" => CheckKind::DivideOverflow,
        "clamp_bounds" => CheckKind::ClampBounds,
        "step_zero" => CheckKind::StepZero,
        "unwrap" => CheckKind::Unwrap { message: scan.string()? },
        "assert" => CheckKind::Assert { message: scan.list('[', ']', super::parse::piece)? },
        word => return scan.error(format!("`{word}` is no kind of check")),
    })
}

fn array_arg(scan: &mut Scan<'_>) -> Read<ArrayArg> {
    let copied = scan.takes_word("copied");
    let mem = memory(scan)?;
    if !scan.takes('(') {
        return Ok(ArrayArg { mem, part: None, copied });
    }
    let start = value(scan)?;
    scan.mark(',')?;
    let len = value(scan)?;
    scan.mark(')')?;
    Ok(ArrayArg { mem, part: Some((start, len)), copied })
}
