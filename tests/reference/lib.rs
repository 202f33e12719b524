//! What the rows and the texts of the library say, as tokens for tests; and tests that run on every device.

use std::fmt::Write;

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};
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

/// Makes a test of a function, which runs on each kind of device: its body becomes what
/// `warp_test_devices::on_every_device` calls. Outside of tests it is a function like others, for programs that run the
/// suite on a device of their own.
#[proc_macro_attribute]
pub fn on_every_device(_: TokenStream, test: TokenStream) -> TokenStream {
    inside_of("::warp_test_devices::on_every_device", test)
}

/// The same for what only the CPU has, or what would take a device of the tests minutes.
#[proc_macro_attribute]
pub fn on_the_cpu(_: TokenStream, test: TokenStream) -> TokenStream {
    inside_of("::warp_test_devices::on_the_cpu", test)
}

fn inside_of(runner: &str, test: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = test.into_iter().collect();
    let Some(TokenTree::Group(body)) = tokens.pop().filter(is_body) else {
        panic!("a test has a body");
    };
    let mut inside: TokenStream = runner.parse().expect("a path is tokens");
    let closure = ["||".parse().expect("bars are tokens"), TokenStream::from(TokenTree::Group(body))];
    let call = Group::new(Delimiter::Parenthesis, closure.into_iter().collect());
    inside.extend([TokenTree::Group(call)]);
    tokens.push(TokenTree::Group(Group::new(Delimiter::Brace, inside)));
    let is_fn = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word.to_string() == "fn");
    let at = tokens.iter().position(is_fn).expect("a test is a function");
    let attributes_and_pub: TokenStream = "#[cfg_attr(test, test)] pub(crate)".parse().expect("an attribute is tokens");
    tokens.splice(at..at, attributes_and_pub);
    tokens.into_iter().collect()
}

fn is_body(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}
