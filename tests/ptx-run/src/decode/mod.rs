//! From syntax to code: looks up names, checks types, and picks the function of each instruction.

mod atomic;
mod body;
mod control;
mod convert;
mod data;
mod feature;
mod float;
mod integer;
mod modifiers;
mod operand;
mod predicate;
mod scope;
mod shared;
mod signature;
mod sync;
mod variables;
mod warp;

use self::body::Body;
use self::scope::ModuleScope;
pub(crate) use self::shared::MOST_SHARED;
use crate::code::Program;
use crate::error::ParseError;
use crate::module::{Entry, Module};
use crate::text::syntax::Source;

/// A module out of its syntax.
pub(crate) fn module(source: Source) -> Result<Module, ParseError> {
    feature::check_level(source.level)?;
    let mut program = Program::default();
    let mut scope = ModuleScope::of(source.level);
    let globals = variables::lay_out(&source.variables, &mut scope, &mut program)?;
    // A declaration may stand before the definition; the definition is what counts.
    for function in source.functions.iter().filter(|f| f.body.is_none()) {
        scope.declare_function(function)?;
    }
    let defined: Vec<_> = source.functions.iter().filter(|f| f.body.is_some()).collect();
    for (index, function) in defined.iter().enumerate() {
        scope.define_function(function, index)?;
    }
    let mut entries = Vec::new();
    for (index, function) in defined.iter().enumerate() {
        let signature = scope.signature_of(&function.name);
        let code = Body::new(&scope, &mut program, function, signature).decode()?;
        program.functions.push(code);
        if function.is_entry {
            entries.push(Entry {
                name: function.name.clone(),
                function: index,
                params: signature.entry_params(),
                threads: function.threads,
            });
        }
    }
    Ok(Module { program, entries, globals, base: None })
}
