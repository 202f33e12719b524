//! From text to syntax: tokens, declarations, statements and operands, without meaning yet.

mod declaration;
mod lexer;
mod operand;
mod parser;
pub(crate) mod syntax;

pub(crate) use parser::parse;
