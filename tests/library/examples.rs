//! The examples of the reference pages as Rust, by the names and values that a program on the host has.
//! `warp-macros` runs the same ones as kernels.

#![allow(clippy::all, unused_parens, unused_comparisons, arithmetic_overflow, deprecated, unstable_name_collisions)]

use warp::math::*;
use warp_test_reference::{examples_of_rows, examples_of_the_library};

/// What is documented, the condition as it is written, and whether it holds.
type Example = (&'static str, &'static str, fn() -> bool);

const LIBRARY: &[Example] = examples_of_the_library!();
const ROWS: &[Example] = examples_of_rows!();

fn all_hold(examples: &[Example]) {
    let holds = |condition: fn() -> bool| std::panic::catch_unwind(condition).unwrap_or(false);
    let failed: Vec<String> = examples
        .iter()
        .filter(|(_, _, condition)| !holds(*condition))
        .map(|(of, condition, _)| format!("{of}: `{condition}`"))
        .collect();
    assert!(failed.is_empty(), "{} of {} do not hold\n{}", failed.len(), examples.len(), failed.join("\n"));
}

#[test]
fn examples_of_the_library_hold() {
    all_hold(LIBRARY);
}

#[test]
fn examples_of_rows_hold() {
    all_hold(ROWS);
}
