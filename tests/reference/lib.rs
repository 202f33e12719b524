//! What the rows and the texts of the library say, as tokens for tests.

use std::fmt::Write;

use proc_macro::TokenStream;
use warp_ir::builtins::Builtin;
use warp_ir::library::reference::{Example, examples, row_examples};

/// The examples of the rows, as a slice of name, condition and a function that evaluates it.
#[proc_macro]
pub fn examples_of_rows(_: TokenStream) -> TokenStream {
    list(&row_examples())
}

/// The examples of the library likewise.
#[proc_macro]
pub fn examples_of_the_library(_: TokenStream) -> TokenStream {
    list(&examples())
}

fn list(examples: &[Example]) -> TokenStream {
    let mut text = String::from("&[");
    for Example { of, condition } in examples {
        let _ = write!(text, "({of:?}, {condition:?}, || {condition}),");
    }
    text.push(']');
    text.parse().unwrap_or_else(|error| panic!("an example is no Rust: {error}"))
}

/// `functions_of_floats!(kernels f32 one two)` calls `kernels!` with `f32 one two:`, the names of all functions of one
/// float, `;`, and those of two.
#[proc_macro]
pub fn functions_of_floats(input: TokenStream) -> TokenStream {
    let words: Vec<String> = input.into_iter().map(|word| word.to_string()).collect();
    let of = |operands: usize| {
        let rows = Builtin::ALL.iter().map(|builtin| builtin.row());
        let rows = rows.filter(|row| row.is_function() && row.params.len() == operands);
        rows.map(|row| row.name).collect::<Vec<_>>().join(" ")
    };
    let [one, two] = [1, 2].map(of);
    let functions = Builtin::ALL.iter().filter(|builtin| builtin.row().is_function()).count();
    let text = format!("{}! {{ {}: {one}; {two} }}", words[0], words[1..].join(" "));
    let listed = one.split(' ').count() + two.split(' ').count();
    assert_eq!(listed, functions, "a function has more than two operands, and the tests have no place for it");
    text.parse().expect("names are tokens")
}
