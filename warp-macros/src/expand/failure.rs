//! What an item becomes that the front end did not take.
//!
//! What kernels do not have is said at once. What rustc may say better (a wrong type, a missing method) is said by a
//! constant that panics at the user's token and holds a copy of the user's body: if rustc finds an error in that copy,
//! it reports it in its own words and never evaluates the constant; the same error in the plain function is merged.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, ItemFn, ReturnType};

use super::func::receiver_tokens;
use super::job::{Job, Kind};
use super::plain;
use crate::front::{Error, ErrorKind};

/// How many deferred errors of one item are told.
const MOST: usize = 4;

/// The sentences, as items.
pub(crate) fn items(job: &Job, list: &[Error]) -> TokenStream {
    let refused: Vec<&Error> = list.iter().filter(|error| error.kind == ErrorKind::Refused).collect();
    if !refused.is_empty() {
        return refused.into_iter().map(compile_error).collect();
    }
    let copy = copy(job);
    list.iter().take(MOST).map(|error| deferred(error, &copy)).collect()
}

/// The sentence at the token.
pub(crate) fn compile_error(error: &Error) -> TokenStream {
    syn::Error::new(error.span, &error.message).to_compile_error()
}

fn deferred(error: &Error, copy: &TokenStream) -> TokenStream {
    let message = &error.message;
    let panic = quote_spanned!(error.span=> ::core::panic!("{}", #message));
    quote! {
        #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            #copy
            #panic
        };
    }
}

/// The user's body as a closure: part of the constant, so that an error in it keeps the constant from being evaluated.
fn copy(job: &Job) -> TokenStream {
    let mut item: ItemFn = job.item.clone();
    plain::rewrite(&mut item.block);
    Elide.visit_item_fn_mut(&mut item);
    let owner = match &job.kind {
        Kind::Method(method) => Some(&method.owner),
        _ => None,
    };
    let parameters = item.sig.inputs.iter().map(|input| match input {
        FnArg::Receiver(receiver) => receiver_parameter(receiver, owner),
        FnArg::Typed(typed) => {
            let (pattern, ty) = (&typed.pat, &typed.ty);
            quote!(#pattern: #ty)
        }
    });
    let result = match &item.sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => ty.to_token_stream(),
    };
    let block = &item.block;
    let generics = job.arguments().map(|arguments| arguments.aliases(&job.root));
    let traits = job.root.tokens();
    let closure = quote!(let _ = |#(#parameters),*| -> #result #block;);
    let closure = match owner {
        Some(owner) => without_self_value(closure, owner),
        None => closure,
    };
    // An instance names functions of these traits by its type.
    quote! {
        #[allow(unused_imports)]
        use #traits::{Float as _, Int as _, Scalar as _};
        #generics
        #closure
    }
}

/// The parameter that stands for `self`, `&self` or `mut self` outside of a method.
pub(super) fn receiver_parameter(receiver: &syn::Receiver, owner: Option<&syn::Type>) -> TokenStream {
    let ty = receiver_tokens(receiver, &owner.map(ToTokens::to_token_stream).unwrap_or_default());
    let (mutability, name) = (&receiver.mutability, itself(receiver.self_token.span));
    quote!(#mutability #name: #ty)
}

fn itself(span: Span) -> Ident {
    Ident::new("__warp_self", span)
}

/// Outside of a method there is neither `self` nor `Self`.
pub(super) fn without_self_value(tokens: TokenStream, owner: &syn::Type) -> TokenStream {
    // `Pair::<T>`, which may stand in types, expressions and patterns.
    let mut owner = owner.clone();
    if let syn::Type::Path(path) = &mut owner {
        for segment in &mut path.path.segments {
            if let syn::PathArguments::AngleBracketed(list) = &mut segment.arguments {
                list.colon2_token.get_or_insert_default();
            }
        }
    }
    replace_self(tokens, &owner)
}

fn replace_self(tokens: TokenStream, owner: &syn::Type) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) if ident == "self" => itself(ident.span()).to_token_stream(),
            TokenTree::Ident(ident) if ident == "Self" => owner.to_token_stream(),
            TokenTree::Group(group) => {
                let mut changed = proc_macro2::Group::new(group.delimiter(), replace_self(group.stream(), owner));
                changed.set_span(group.span());
                TokenTree::Group(changed).to_token_stream()
            }
            other => other.to_token_stream(),
        })
        .collect()
}

/// A closure has no lifetime parameters.
struct Elide;

impl VisitMut for Elide {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        reference.lifetime = None;
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        lifetime.ident = Ident::new("_", lifetime.ident.span());
    }

    // Labels of loops look like lifetimes.
    fn visit_label_mut(&mut self, _: &mut syn::Label) {}

    fn visit_expr_break_mut(&mut self, expression: &mut syn::ExprBreak) {
        if let Some(value) = &mut expression.expr {
            self.visit_expr_mut(value);
        }
    }

    fn visit_expr_continue_mut(&mut self, _: &mut syn::ExprContinue) {}
}
