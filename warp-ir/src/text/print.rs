//! From the IR to text: headers. Ops are printed by `print_op.rs`.

use std::fmt::Write;

use super::literal;
use super::print_op::Body;
use crate::ir::{Access, ArrayParam, Function, Kernel, LocalArray, PrintPiece, Region, Scalar, Storage, Value};

/// The text of a kernel.
pub fn print_kernel(kernel: &Kernel) -> String {
    let mut out = format!("kernel {} rank {}\n", quoted(&kernel.function.name), kernel.rank);
    let attributes = &kernel.attributes;
    let mut words = Vec::new();
    words.extend(attributes.fast_math.then(|| "fast_math".to_string()));
    words.extend(attributes.no_fma.then(|| "no_fma".to_string()));
    words.extend(attributes.no_adjoint.then(|| "no_adjoint".to_string()));
    words.extend(attributes.checkpoint_bytes.map(|bytes| format!("checkpoint_bytes {bytes}")));
    words.extend(attributes.undo_bytes.map(|bytes| format!("undo_bytes {bytes}")));
    words.extend(attributes.block.map(|threads| format!("block {threads}")));
    words.extend(attributes.min_blocks.map(|blocks| format!("min_blocks {blocks}")));
    words.extend(attributes.grad.iter().map(|name| format!("grad {}", quoted(name))));
    if !words.is_empty() {
        line(&mut out, format_args!("attributes {}", words.join(", ")));
    }
    tables(&mut out, &kernel.function);
    Body::new(&kernel.function, &mut out).whole();
    out
}

/// The text of a function.
pub fn print(function: &Function) -> String {
    let mut out = format!("function {}\n", quoted(&function.name));
    tables(&mut out, function);
    Body::new(function, &mut out).whole();
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = out.write_fmt(text);
    out.push('\n');
}

fn tables(out: &mut String, function: &Function) {
    for param in &function.params {
        let def = super::print_op::definition(function, param.value);
        line(out, format_args!("param {def} {}", quoted(&param.name)));
    }
    for (k, array) in function.arrays.iter().enumerate() {
        line(out, format_args!("array{k} {}: {}", quoted(&array.name), array_text(array)));
    }
    for (k, LocalArray { name, leaves, len }) in function.locals.iter().enumerate() {
        line(out, format_args!("local{k} {}: {len} x {}", quoted(name), leaves_text(leaves)));
    }
    for (k, (scalar, elements)) in function.tables.iter().enumerate() {
        let elements: Vec<String> = elements.iter().map(|&bits| literal::print(*scalar, bits)).collect();
        line(out, format_args!("table{k}: {} [{}]", scalar.name(), elements.join(", ")));
    }
    for (k, s) in function.sources.iter().enumerate() {
        line(out, format_args!("source{k} {} {} {} {}", quoted(&s.file), s.line, s.column, quoted(&s.text)));
    }
    for (k, site) in function.prints.iter().enumerate() {
        let end = if site.newline { " newline" } else { "" };
        line(out, format_args!("print{k} {}{end}", pieces_text(&site.pieces)));
    }
    for (k, callee) in function.callees.iter().enumerate() {
        line(out, format_args!("callee{k} {} {}", quoted(&callee.id), quoted(&callee.name)));
    }
    if function.slots > 0 {
        line(out, format_args!("slots {}", function.slots));
    }
    if !function.spans.is_empty() {
        line(out, format_args!("spans"));
    }
    for value in undefined(function) {
        line(out, format_args!("unused {}", super::print_op::definition(function, value)));
    }
}

fn array_text(array: &ArrayParam) -> String {
    let access = match array.access {
        Access::Read => "read",
        Access::Write => "write",
    };
    let storage = match array.storage {
        Storage::Elements => "elements",
        Storage::Planes => "planes",
    };
    let strided = if array.strided { " strided" } else { "" };
    format!("{access} {storage} rank {}{strided} {}", array.rank, leaves_text(&array.leaves))
}

fn leaves_text(leaves: &[Scalar]) -> String {
    let names: Vec<&str> = leaves.iter().map(|l| l.name()).collect();
    format!("[{}]", names.join(", "))
}

fn piece_text(piece: &PrintPiece) -> String {
    match piece {
        PrintPiece::Text(text) => quoted(text),
        PrintPiece::Arg { scalar, spec } => format!("{} {}", scalar.name(), quoted(spec)),
        PrintPiece::Choice { scalar, cases } => {
            let cases: Vec<String> = cases.iter().map(|(value, count)| format!("{value} {count}")).collect();
            format!("choice {} [{}]", scalar.name(), cases.join(", "))
        }
    }
}

/// Pieces of a print site or a message.
pub(super) fn pieces_text(pieces: &[PrintPiece]) -> String {
    let pieces: Vec<String> = pieces.iter().map(piece_text).collect();
    format!("[{}]", pieces.join(", "))
}

/// Values that nothing defines; they have a type all the same.
fn undefined(function: &Function) -> Vec<Value> {
    fn mark(region: &Region, defined: &mut [bool]) {
        let mut define = |value: &Value| {
            if let Some(there) = defined.get_mut(value.0 as usize) {
                *there = true;
            }
        };
        region.params.iter().for_each(&mut define);
        for op in &region.ops {
            let shape = op.shape();
            shape.results.iter().for_each(&mut define);
        }
        for op in &region.ops {
            op.shape().regions.into_iter().for_each(|nested| mark(nested, defined));
        }
    }
    let mut defined = vec![false; function.values.len()];
    for param in &function.params {
        if let Some(there) = defined.get_mut(param.value.0 as usize) {
            *there = true;
        }
    }
    mark(&function.body, &mut defined);
    (0..defined.len()).filter(|&k| !defined[k]).map(|k| Value(k as u32)).collect()
}

/// A string literal; the escapes are Rust's.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
