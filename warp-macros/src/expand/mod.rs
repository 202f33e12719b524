//! Around the front end: the protocol of faces and bodies, and the tokens that items become.
//!
//! # How a kernel learns what it calls
//!
//! One name, three namespaces. For `fn drag` the *value* is the plain function, a hidden *macro* of the same name (its
//! face) hands the signature to whoever asks at expansion time, and a hidden *type* of the same name carries what rustc
//! evaluates. A `use` imports all three, so renames, globs, re-exports, visibility and crates are rustc's own business.
//!
//! A face is early: it waits for nothing but the types in its signature, so orders and recursion cannot block name
//! resolution. It names a second, late macro in the root of its crate, which holds the function's own IR and the
//! places of its callees' late macros. Kernels alone pull their whole call tree, in rounds ([`pull`]).
//!
//! | file | what it does |
//! |---|---|
//! | [`chain`] | asks macros and gets their answers |
//! | [`answers`], [`bodies`] | what faces and late macros hand over |
//! | [`body`], [`job`] | from answers to IR, for kernels, functions, methods |
//! | [`kernel`], [`generic`], [`func`], [`method`], [`structure`], [`bundle`], [`length`] | one kind of item each |
//! | [`parameters`] | the parameters of generic items |
//! | [`pull`], [`instance`] | the call tree of a kernel |
//! | [`derives`] | the derives in one list with ours |
//! | [`groups`] | expressions that a user's macro took, as operands of one |
//! | [`hygiene`] | variables that a user's macro keeps apart |
//! | [`constants`], [`written`] | what rustc evaluates, and the ways to it |
//! | [`library`] | what `warp::math` has besides glam |
//! | [`agreement`], [`copy`] | that names and types are to rustc what they are here |
//! | [`gradient`] | that an own derivative has the right signature |
//! | [`argument_types`] | what a kernel's parameters may be |
//! | [`refused`], [`failure`] | what stands for items that kernels do not take |
//! | [`unmarked`], [`scope`] | names that the source file shows to be plain |

mod agreement;
mod answers;
mod argument_types;
mod ascii;
mod attributes;
mod bodies;
mod body;
mod bundle;
mod chain;
mod constants;
mod copy;
mod derives;
mod failure;
mod func;
mod generic;
mod gradient;
mod groups;
mod hygiene;
mod identity;
mod instance;
mod job;
mod kernel;
mod launch;
mod length;
mod library;
mod method;
mod names;
mod parameters;
mod plain;
mod ptx;
mod pull;
mod refused;
mod scope;
mod structure;
mod types;
mod unmarked;
mod written;

use proc_macro2::TokenStream;

pub(crate) use bundle::derive as derive_args;
pub(crate) use func::attribute as func;
pub(crate) use kernel::attribute as kernel;
pub(crate) use library::items as library_items;
pub(crate) use method::attribute as methods;
pub(crate) use plain::{evaluated_first, right_first};
pub(crate) use structure::derive as derive_struct;

/// What comes next after some macros have answered.
pub(crate) fn step(input: TokenStream) -> TokenStream {
    let Some(step) = chain::Step::parse(input) else {
        return quote::quote!(::core::compile_error! { "this macro is called by other macros of this crate only" });
    };
    match step.word.as_str() {
        "stash" => chain::stash(&step),
        "face" => func::face(&step),
        "structure" => structure::face(&step),
        "bundle" => bundle::face(&step),
        "length" => length::face(&step),
        "methods" => method::answered(&step),
        "lower" => body::lower(&step),
        "pull" => pull::pull(&step),
        "link" => pull::link(&step),
        _ => TokenStream::new(),
    }
}
