//! The front end: from `syn` items to IR. Pure; it works outside of a macro as well, which the tests use.
//!
//! `asks` says which names an item needs answers for; `lower` parses, checks, infers and lowers, in this order, and
//! stops after a phase that reported errors.

mod asks;
mod ast;
mod check;
pub(crate) mod derivative;
mod errors;
mod infer;
pub(crate) mod length;
pub(crate) mod library;
mod lower;
pub(crate) mod missing;
mod names;
mod parse;
mod planted;
mod text;
mod types;
mod walk;

#[cfg(test)]
mod tests;

use crate::env::{Binding, Env, Item, Lowered, Outcome};
use names::Names;
use types::Ty;

pub(crate) use asks::asks;
pub(crate) use errors::{Error, ErrorKind};
pub(crate) use text::{identifiers, one_line};

/// Lowers an item with what is known of its names.
pub(crate) fn lower(item: &Item<'_>, env: &Env) -> Outcome {
    let mut names = Names::new(env);
    let (signature, block, kernel) = match item {
        Item::Kernel(f) => (&f.sig, &*f.block, true),
        Item::Func(f) => (&f.sig, &*f.block, false),
        Item::Instance { item, types, lengths } => {
            names.of_instance(types, lengths);
            (&item.sig, &*item.block, false)
        }
        Item::Method { owner, method, types, lengths } => {
            names.of_instance(types, lengths);
            match names.ty(owner) {
                Ok(ty) => names.owner = Some(ty),
                Err((span, message)) => {
                    return Outcome::Failed(vec![Error { span, message, kind: ErrorKind::Refused }]);
                }
            }
            (&method.sig, &method.block, false)
        }
    };
    lower_function(&names, signature, block, kernel)
}

/// All phases on one function.
pub(crate) fn lower_function(
    names: &Names<'_>,
    signature: &syn::Signature,
    block: &syn::Block,
    kernel: bool,
) -> Outcome {
    let mut refused = check::check(signature, block);
    if !refused.is_empty() {
        return Outcome::Failed(refused.take());
    }
    let inside = names.with_constants_of(block);
    let (body, mut errors) = parse::function(names, &inside, signature, block);
    if !errors.is_empty() {
        return Outcome::Failed(errors.take());
    }
    let typed = match infer::infer(names, &body) {
        infer::Inferred::Typed(typed) => typed,
        infer::Inferred::Need(asks) => return Outcome::Need(asks),
        infer::Inferred::Failed(mut errors) => return Outcome::Failed(errors.take()),
    };
    let name = parse::unraw(&signature.ident);
    let mut output = lower::lower(names, &body, &typed, &name, kernel);
    if !output.errors.is_empty() {
        return Outcome::Failed(output.errors.take());
    }
    let rank = match (kernel, output.rank) {
        (true, 0) => 1,
        (_, rank) => rank,
    };
    Outcome::Done(Box::new(Lowered {
        function: output.function,
        rank,
        slots: output.slots,
        calls: output.calls,
        derivatives: 0,
        bindings: bindings(&body, &typed),
        compared: typed.compared,
        literals: typed.literals,
    }))
}

/// The variables of a body, for rustc to compare their types.
fn bindings(body: &ast::Body, typed: &infer::Typed) -> Vec<Binding> {
    let of = |(variable, ty): (&ast::Variable, &Ty)| {
        Some(Binding { name: variable.name.clone(), at: variable.span, ty: ty.to_type()? })
    };
    body.vars.iter().zip(&typed.vars).filter_map(of).collect()
}

/// The lowered function of the library with this id, as `function.callees` names it; `None` for ids of users' functions.
pub(crate) fn library_function(id: &str) -> Option<&'static warp_ir::ir::Function> {
    library::lowered(id)
}

/// The name of a type in the keys of operators: `f32`, `Vec3`, the identity of a user's type.
pub(crate) fn type_key(ty: &crate::env::Type) -> String {
    Ty::from_type(ty).key()
}
