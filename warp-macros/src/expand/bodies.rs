//! What the late macro of a function hands over: its IR, and where the bodies of its callees are.
//!
//! A payload is `{ "header" "function" [ {callee}.. ] name }`, and for a generic function
//! `{ "header" "" [] name { item } { answers of names } { answers of methods } }`.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use serde::{Deserialize, Serialize};
use warp_ir::ir::Function;

use super::answers::{BodyRef, Known, groups};
use super::ascii::{self, Unread};
use super::chain::string;
use super::written::type_tokens;
use crate::env::{Type, TypeDef, TypeId};
use crate::paths::Root;

/// The arguments of an instance of a generic function, by parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Arguments {
    pub types: Vec<(String, Type)>,
    pub lengths: Vec<(String, u64)>,
}

/// A call of another function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Callee {
    /// Identity, with the instance's arguments for a generic function.
    pub id: String,
    pub arguments: Arguments,
    /// Definitions of the user's types that the arguments reach.
    pub types: Vec<(TypeId, TypeDef)>,
    /// Position of its constants among the calls of the caller's `Exp`.
    pub link: u32,
    /// A function of the library: it has no body macro, and no constants.
    pub library: bool,
}

impl Arguments {
    /// Items that give the parameters of a generic function these values.
    pub(crate) fn aliases(&self, root: &Root) -> TokenStream {
        let types = self.types.iter().map(|(name, ty)| {
            let name = format_ident!("{}", name);
            // Those of our choice are numbers, or the type that is nothing else than copied.
            let ty = type_tokens(ty, &Known::default(), root, None);
            quote!(type #name = #ty;)
        });
        let lengths = self.lengths.iter().map(|(name, value)| {
            let (name, value) = (format_ident!("{}", name), *value as usize);
            quote!(const #name: usize = #value;)
        });
        quote!(#(#types)* #(#lengths)*)
    }
}

/// What must be known of a body to pull its callees; read before its IR.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    /// Identity of the definition, or of the instance.
    pub id: String,
    pub name: String,
    /// It failed to lower, which is reported where it is.
    pub poison: bool,
    pub callees: Vec<Callee>,
    /// For each slot of the function, its position in the definition's `Exp`; empty when they are the same.
    pub slots: Vec<u32>,
    /// For a generic function, the slots and the calls of its `Exp`, by their tokens.
    pub generic: Option<Table>,
}

/// The constants and calls of a generic definition, in the order of its `Exp`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Table {
    pub slots: Vec<(String, u16)>,
    pub calls: Vec<String>,
}

impl Header {
    /// The header of an item that failed to lower.
    pub(crate) fn poison(id: &str, name: &str) -> Header {
        Header { id: id.into(), name: name.into(), poison: true, callees: vec![], slots: vec![], generic: None }
    }
}

/// A body as it arrived.
pub(crate) struct Body {
    pub header: Header,
    /// The header and the IR, still as text.
    header_text: String,
    function_text: String,
    pub callees: Vec<BodyRef>,
    /// Of a generic function.
    pub template: Option<Template>,
}

/// A generic function, to be lowered for each instance.
pub(crate) struct Template {
    pub item: TokenStream,
    pub faces: TokenStream,
    pub methods: TokenStream,
}

impl Body {
    /// Reads a payload.
    pub(crate) fn parse(group: &Group) -> Result<Body, Unread> {
        const DAMAGED: &str = "the hidden macro of a function's body gave something else";
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let [header, function, TokenTree::Group(callees), rest @ ..] = tokens.as_slice() else {
            return Err(DAMAGED.into());
        };
        let (header_text, function_text) = string(header).zip(string(function)).ok_or(DAMAGED)?;
        let callees: Vec<BodyRef> =
            groups(callees.stream()).iter().map(BodyRef::parse).collect::<Option<_>>().ok_or(DAMAGED)?;
        let template = match rest {
            [_, TokenTree::Group(item), TokenTree::Group(faces), TokenTree::Group(methods)] => {
                Some(Template { item: item.stream(), faces: faces.stream(), methods: methods.stream() })
            }
            _ => None,
        };
        Ok(Body { header: ascii::decode(&header_text)?, header_text, function_text, callees, template })
    }

    /// The body of an instance.
    pub(crate) fn instance(header: Header, function: &Function, callees: Vec<BodyRef>) -> Body {
        let (header_text, function_text) = (ascii::encode(&header), ascii::encode(function));
        Body { header, header_text, function_text, callees, template: None }
    }

    /// As a stash keeps it: callees are known by then.
    pub(crate) fn stashed(&self) -> TokenStream {
        let (header, function) = (&self.header_text, &self.function_text);
        quote!({ #header #function [] })
    }

    /// The IR.
    pub(crate) fn function(&self) -> Result<Function, Unread> {
        ascii::decode(&self.function_text)
    }
}

/// The payload of a function that was lowered.
pub(crate) fn payload(header: &Header, function: &Function, callees: &[BodyRef], name: &Ident) -> TokenStream {
    let (header, function) = (ascii::encode(header), ascii::encode(function));
    let callees = callees.iter().map(BodyRef::tokens);
    quote!({ #header #function [#(#callees)*] #name })
}

/// The payload of a generic function.
pub(crate) fn generic_payload(header: &Header, name: &Ident, template: &Template) -> TokenStream {
    let header = ascii::encode(header);
    let Template { item, faces, methods } = template;
    quote!({ #header "" [] #name { #item } { #faces } { #methods } })
}
