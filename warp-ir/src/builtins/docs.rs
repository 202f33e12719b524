//! The reference page of the builtins, from the rows.

use std::fmt::Write;

use super::{Adjoint, Builtin, Row, Value};
use crate::library::reference::folded;

/// The text of `docs/builtins.md`.
pub fn page() -> String {
    let mut page = String::from(HEAD);
    let mut topic = "";
    for row in Builtin::ALL.iter().map(|b| b.row()) {
        if row.topic != topic {
            topic = row.topic;
            let _ = write!(page, "\n## {}{}\n", topic[..1].to_uppercase(), &topic[1..]);
        }
        section(&mut page, row);
    }
    page
}

const HEAD: &str = "\
# Builtins

Every pure operation of the IR. This page is made from the rows in `warp-ir/src/builtins/`; do not edit it.
`BLESS=1 cargo test -p warp-ir --test builtins` renews it.

Letters in signatures stand for types, the same letter for the same type: `S` an integer, f32 or f64; `I` an integer;
`F` f32 or f64; `L` an integer or bool; `C` an integer, f32, f64 or bool; `T` any scalar; `R` any scalar that the
operands do not decide. The gradient says what each operand's adjoint receives when the result `r` has the adjoint
`dr`. All results are the same bits on every device, for large arguments and small ones.

The functions from trigonometry on are lists of operations of our own, used by kernels on every device, by the compiler
where an argument is known, and by `warp::math` on the host: `warp::math::sin(x)` has the bits of `x.sin()` in a kernel.
In the plain function, which Rust compiles, `x.sin()` is Rust's own and may differ in the last places. Special values
(infinities, NaN, the signs of zeros) are those of C99's Annex F, and stand with each function. They are made of `fma`:
on a processor without that instruction (x86-64 of before 2013) those of f64 have the same bits and are many times slower.

Each example is run by tests, on the host and in kernels, as it stands here; \"about\" means within 1e-5. What is made of
these operations is in the [library](library/README.md).
";

fn section(page: &mut String, row: &Row) {
    let _ = write!(page, "\n### `{}`\n\n```\n{}\n```\n\n", row.name, signature(row));
    for line in row.doc.lines() {
        let _ = writeln!(page, "{}", line.trim());
    }
    if !row.values.is_empty() {
        let _ = write!(page, "\n{}", folded(&values(row.values)));
    }
    match row.adjoint {
        Adjoint::None(reason) => {
            let _ = writeln!(page, "\nNo gradient: {reason}.");
        }
        Adjoint::Rule { text, bounded, .. } => {
            let note = if bounded { "" } else { ", zero wherever `dr` is zero" };
            let _ = write!(page, "\nGradient{note}:\n\n```\n{text}```\n");
        }
    }
    for fixed in row.fixed {
        let _ = writeln!(page, "\nAt {} the gradient is {}.", tuple(fixed.at), tuple(fixed.gradient));
    }
    if let Some([single, double]) = row.accuracy {
        let _ = writeln!(page, "\nWithin {single} (f32) and {double} (f64) units of the last place of the true value.");
    }
    if row.ulp > 0 {
        let _ = writeln!(page, "\nDevices agree within {} units of the last place.", row.ulp);
    }
}

fn signature(row: &Row) -> String {
    let params: Vec<String> = row.params.iter().map(|p| format!("{}: {}", p.name, p.class)).collect();
    format!("{}({}) -> {}", row.name, params.join(", "), row.result)
}

/// The special values, each with all the places where it is.
fn values(all: &[Value]) -> String {
    let mut places: Vec<(String, Vec<String>)> = vec![];
    for Value { at, value } in all {
        let (value, at) = (number(*value), if let [one] = at { number(*one) } else { format!("`{}`", tuple(at)) });
        match places.iter_mut().find(|(known, _)| *known == value) {
            Some((_, places)) => places.push(at),
            None => places.push((value, vec![at])),
        }
    }
    let list: Vec<String> = places.iter().map(|(value, places)| format!("{value} at {}", places.join(", "))).collect();
    format!("Values: {}.", list.join("; "))
}

fn tuple(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|v| number(*v)).collect();
    format!("({})", values.join(", "))
}

/// As Rust writes it, and infinity in full.
fn number(value: f64) -> String {
    format!("{value:?}").replace("inf", "infinity")
}
