//! From the IR to text: regions and ops.

use std::fmt::Write;

use super::literal;
use super::names::{atomic_name, check_name};
use super::print::{pieces_text, quoted};
use crate::ir::{ArrayArg, CheckKind, Function, LocalId, Mem, Op, Region, SourceId, Value};

/// The first line of an op, without the comment.
pub(crate) fn first_line(function: &Function, op: &Op) -> String {
    let mut out = String::new();
    let mut body = Body::new(function, &mut out);
    body.results(op.shape().results);
    body.head(op);
    out
}

/// `v3@5: f32`: a value where it is defined, with its span.
pub(super) fn definition(function: &Function, value: Value) -> String {
    let scalar = function.values.get(value.0 as usize).map_or("?", |s| s.name());
    match function.spans.get(value.0 as usize).copied().flatten() {
        Some(span) => format!("v{}@{}: {scalar}", value.0, span.0),
        None => format!("v{}: {scalar}", value.0),
    }
}

/// Prints the body of a function.
pub(super) struct Body<'a> {
    function: &'a Function,
    out: &'a mut String,
    indent: usize,
}

impl<'a> Body<'a> {
    pub(super) fn new(function: &'a Function, out: &'a mut String) -> Body<'a> {
        Body { function, out, indent: 0 }
    }

    pub(super) fn whole(&mut self) {
        self.put("body ");
        self.region(&self.function.body);
        self.put("\n");
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn args(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.out.write_fmt(text);
    }

    fn new_line(&mut self) {
        self.put("\n");
        for _ in 0..self.indent {
            self.put("  ");
        }
    }

    fn region(&mut self, region: &Region) {
        if !region.params.is_empty() {
            let params: Vec<String> = region.params.iter().map(|&v| definition(self.function, v)).collect();
            self.args(format_args!("|{}| ", params.join(", ")));
        }
        self.put("{");
        self.indent += 1;
        for op in &region.ops {
            self.new_line();
            self.op(op);
        }
        if !region.yields.is_empty() {
            self.new_line();
            self.args(format_args!("yield {}", list(&region.yields)));
        }
        self.indent -= 1;
        self.new_line();
        self.put("}");
    }

    fn op(&mut self, op: &Op) {
        self.results(op.shape().results);
        self.head(op);
        match op {
            Op::If { then, otherwise, .. } => {
                self.put(" ");
                self.region(then);
                if *otherwise != Region::default() {
                    self.put(" else ");
                    self.region(otherwise);
                }
            }
            Op::Loop { cond, body, .. } => {
                self.put(" while ");
                self.region(cond);
                self.put(" do ");
                self.region(body);
            }
            Op::Custom { gradient, .. } => {
                self.put(" ");
                self.region(gradient);
            }
            _ => self.comment(op),
        }
    }

    fn results(&mut self, results: &[Value]) {
        if !results.is_empty() {
            let results: Vec<String> = results.iter().map(|&v| definition(self.function, v)).collect();
            self.args(format_args!("{} = ", results.join(", ")));
        }
    }

    /// The user's source of an op.
    fn comment(&mut self, op: &Op) {
        let span = |v: &Value| self.function.spans.get(v.0 as usize).copied().flatten();
        let id = match op {
            Op::Check { source, .. } | Op::Call { source, .. } => Some(*source),
            _ => op.shape().results.first().and_then(span),
        };
        let Some(source) = id.and_then(|SourceId(k)| self.function.sources.get(k as usize)) else { return };
        let text: String = source.text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let file: String = source.file.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        self.args(format_args!(" // {file}:{} `{text}`", source.line));
    }

    /// An op without results and regions.
    fn head(&mut self, op: &Op) {
        match op {
            Op::Const { bits, result } => {
                let scalar = self.function.values.get(result.0 as usize).copied();
                let text = scalar.map_or(format!("{bits:#x}"), |s| literal::print(s, *bits));
                self.args(format_args!("const {text}"));
            }
            Op::Slot { slot, .. } => self.args(format_args!("slot {slot}")),
            Op::Tid { dim, .. } => self.args(format_args!("tid {dim}")),
            Op::Extent { array, dim, .. } => self.args(format_args!("extent array{} {dim}", array.0)),
            Op::Stride { array, dim, .. } => self.args(format_args!("stride array{} {dim}", array.0)),
            Op::Pure { builtin, args, .. } => {
                self.args(format_args!("{} {}", builtin.name(), list(args)));
            }
            Op::Table { table, index, .. } => self.args(format_args!("table table{table}[v{}]", index.0)),
            Op::Load { mem, index, leaf, .. } => self.args(format_args!("load {}", place(*mem, *index, *leaf))),
            Op::Store { mem, index, leaf, value } => {
                self.args(format_args!("store {} = v{}", place(*mem, *index, *leaf), value.0));
            }
            Op::Fill { local: LocalId(local), leaf, value } => {
                self.args(format_args!("fill local{local}.{leaf} = v{}", value.0));
            }
            Op::Atomic { kind, mem, index, leaf, value, compare, .. } => {
                let place = place(*mem, *index, *leaf);
                self.args(format_args!("atomic {} {place} = v{}", atomic_name(*kind), value.0));
                if let Some(compare) = compare {
                    self.args(format_args!(" if v{}", compare.0));
                }
            }
            Op::Check { cond, kind, operands, source } => {
                self.args(format_args!("check v{} {}", cond.0, check_name(kind)));
                match kind {
                    CheckKind::Index { mem, dim } => self.args(format_args!(" {} {dim}", memory(*mem))),
                    CheckKind::SliceRange { mem } => self.args(format_args!(" {}", memory(*mem))),
                    CheckKind::Unwrap { message } => self.args(format_args!(" {}", quoted(message))),
                    CheckKind::Assert { message } => self.args(format_args!(" {}", pieces_text(message))),
                    _ => {}
                }
                self.args(format_args!(" ({}) source{}", list(operands), source.0));
            }
            Op::Print { site, args } => self.args(format_args!("print print{} ({})", site.0, list(args))),
            Op::Call { callee, args, arrays, source, .. } => {
                let arrays: Vec<String> = arrays.iter().map(array_arg).collect();
                let arrays = arrays.join(", ");
                self.args(format_args!("call callee{} ({}) [{arrays}] source{}", callee.0, list(args), source.0));
            }
            Op::If { cond, .. } => self.args(format_args!("if v{}", cond.0)),
            Op::Loop { inits, .. } if inits.is_empty() => self.put("loop"),
            Op::Loop { inits, .. } => self.args(format_args!("loop {}", list(inits))),
            Op::Custom { values, by, .. } => self.args(format_args!("custom ({}) by ({})", list(values), list(by))),
        }
    }
}

fn list(values: &[Value]) -> String {
    values.iter().map(|v| format!("v{}", v.0)).collect::<Vec<_>>().join(", ")
}

fn memory(mem: Mem) -> String {
    match mem {
        Mem::Array(array) => format!("array{}", array.0),
        Mem::Local(local) => format!("local{}", local.0),
    }
}

fn place(mem: Mem, index: Value, leaf: u16) -> String {
    format!("{}[v{}].{leaf}", memory(mem), index.0)
}

fn array_arg(arg: &ArrayArg) -> String {
    let copied = if arg.copied { "copied " } else { "" };
    match arg.part {
        None => format!("{copied}{}", memory(arg.mem)),
        Some((start, len)) => format!("{copied}{} (v{}, v{})", memory(arg.mem), start.0, len.0),
    }
}
