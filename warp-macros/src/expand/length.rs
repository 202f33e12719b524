//! `#[func] const N: usize = 8;`: a constant whose value the macros know, so that it may be the length of an array.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::ItemConst;

use super::answers::{Answer, Hub, Known, poison};
use super::chain::{BATCH, Chain, Step};
use super::func::face_macro;
use super::identity::Identity;
use super::{ascii, names, unmarked};
use crate::env::{Face, FacePayload};
use crate::errors::Errors;
use crate::front::length;
use crate::paths::Root;

/// The attribute on a constant.
pub(super) fn attribute(item: &ItemConst, root: &Root, mut errors: Errors) -> TokenStream {
    let identity = Identity::new("length", &item.to_token_stream(), item.ident.span());
    names::check(&item.ident, &mut errors);
    if item.ty.to_token_stream().to_string() != "usize" {
        errors.at(
            &item.ty,
            "`#[func]` makes a `usize` known as the length of arrays; kernels read constants of other types without it",
        );
    }
    let asks = length::paths(&item.expr);
    unmarked::sentences(&asks, &item.ident).into_iter().for_each(|error| errors.push(error));
    if !errors.is_empty() {
        return refused(item, &identity, &errors);
    }
    let items = match asks.is_empty() {
        true => face_items(item, &identity, &Known::default()),
        false => {
            let text = identity.text();
            Chain {
                identity: &identity,
                part: "face".into(),
                root,
                origin: item.ident.to_token_stream(),
                batch: BATCH,
                asks: asks.iter().map(ToTokens::to_token_stream).collect(),
                step: "length",
                state: quote!(#text { #item }),
            }
            .ask()
        }
    };
    quote!(#item #items)
}

fn refused(item: &ItemConst, identity: &Identity, errors: &Errors) -> TokenStream {
    let (face, errors) = (face_macro(identity, &item.ident, &item.vis, &poison()), errors.to_items());
    quote!(#item #face #errors)
}

/// The step `length`: the constants that the value is made of have answered.
pub(super) fn face(step: &Step) -> TokenStream {
    let Some(identity) = step.state.text(0).map(Identity::from_text) else { return TokenStream::new() };
    let item: ItemConst = match syn::parse2(step.state.group(1)) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let mut known = Known::default();
    for (path, group) in length::paths(&item.expr).iter().zip(&step.answers) {
        if let Err(error) = known.add_face(path, group) {
            return failed(&item, &identity, &error);
        }
    }
    match known.poisoned {
        true => face_macro(&identity, &item.ident, &item.vis, &poison()),
        false => face_items(&item, &identity, &known),
    }
}

fn face_items(item: &ItemConst, identity: &Identity, known: &Known) -> TokenStream {
    let value = match length::value(&item.expr, &|path| known.env.length(path)) {
        Ok(value) => value,
        Err((span, message)) => return failed(item, identity, &syn::Error::new(span, message)),
    };
    let payload = FacePayload { format: ascii::FORMAT, face: Face::Length(value), types: vec![] };
    let answer = Answer::tokens(&payload, &[Hub::here()], None);
    let face = face_macro(identity, &item.ident, &item.vis, &answer);
    let (name, value) = (&item.ident, Literal::u64_unsuffixed(value));
    // rustc agrees with our arithmetic.
    quote!(#face const _: [(); #name] = [(); #value];)
}

fn failed(item: &ItemConst, identity: &Identity, error: &syn::Error) -> TokenStream {
    let (face, error) = (face_macro(identity, &item.ident, &item.vis, &poison()), error.to_compile_error());
    quote!(#face #error)
}
