//! Instances of generic functions, lowered where a kernel pulls them.

use proc_macro2::Span;
use quote::ToTokens;
use syn::ImplItem;

use super::answers::{Known, groups};
use super::bodies::{Body, Callee, Header, Table, Template};
use super::chain::place;
use super::constants::call_key;
use super::{body, gradient, pull};
use crate::env::{Item, Lowered, Outcome};
use crate::front;

/// Lowers `template` with the arguments of `callee`. Tokens get the context of `origin`, so that equal errors of
/// several kernels are one.
pub(crate) fn lower(
    header: &Header,
    template: &Template,
    callee: &Callee,
    origin: Span,
) -> Result<Body, Vec<syn::Error>> {
    let source: syn::Item = syn::parse2(place(template.item.clone(), origin)).map_err(|error| vec![error])?;
    let at = |message: String| vec![syn::Error::new(name_span(&source, origin), message)];
    let instance = instance_of(&source, callee).ok_or_else(|| at(differs(&header.name)))?;
    let mut known = Known::default();
    for (ask, group) in front::asks(&instance).iter().zip(groups(template.faces.clone())) {
        known.add_face(&ask.path, &group).map_err(|error| vec![error])?;
    }
    for (key, group) in body::method_entries(template.methods.clone()) {
        known.add_method(key, &group).map_err(|message| at(message.into()))?;
    }
    known.env.types.extend(callee.types.iter().cloned());
    match gradient::lower(&instance, &known.env) {
        Outcome::Done(lowered) => finish(header, callee, *lowered, &known).map_err(at),
        Outcome::Need(_) => Err(at(format!(
            "`{}` calls a method whose type depends on the instance: call a function instead",
            header.name
        ))),
        Outcome::Failed(list) => Err(list.iter().map(|error| syn::Error::new(error.span, &error.message)).collect()),
    }
}

/// What is lowered: a function, or the one method of an `impl` block.
fn instance_of<'a>(source: &'a syn::Item, callee: &'a Callee) -> Option<Item<'a>> {
    let (types, lengths) = (&callee.arguments.types[..], &callee.arguments.lengths[..]);
    match source {
        syn::Item::Fn(item) => Some(Item::Instance { item, types, lengths }),
        syn::Item::Impl(block) => match block.items.first()? {
            ImplItem::Fn(method) => Some(Item::Method { owner: &block.self_ty, method, types, lengths }),
            _ => None,
        },
        _ => None,
    }
}

fn name_span(source: &syn::Item, origin: Span) -> Span {
    match source {
        syn::Item::Fn(item) => item.sig.ident.span(),
        syn::Item::Impl(block) => match block.items.first() {
            Some(ImplItem::Fn(method)) => method.sig.ident.span(),
            _ => origin,
        },
        _ => origin,
    }
}

fn finish(header: &Header, callee: &Callee, mut lowered: Lowered, known: &Known) -> Result<Body, String> {
    let table = header.generic.clone().unwrap_or_default();
    let slots = slot_numbers(&table, &lowered)?;
    let (mut callees, bodies) = pull::callees(&lowered.function, &lowered.calls, known)?;
    for (entry, call) in callees.iter_mut().zip(&lowered.calls) {
        let key = call_key(call);
        let number = table.calls.iter().position(|other| other == &key);
        entry.link = number.ok_or_else(|| differs(&header.name))? as u32;
    }
    lowered.function.slots = slots.len() as u32;
    let header =
        Header { id: callee.id.clone(), name: header.name.clone(), poison: false, callees, slots, generic: None };
    Ok(Body::instance(header, &lowered.function, bodies))
}

/// Where each slot of the instance is in the definition's table.
fn slot_numbers(table: &Table, lowered: &Lowered) -> Result<Vec<u32>, String> {
    lowered
        .slots
        .iter()
        .map(|slot| {
            let key = (slot.expression.to_token_stream().to_string(), slot.leaf);
            let number = table.slots.iter().position(|other| other == &key);
            number.map(|number| number as u32).ok_or_else(|| differs(&lowered.function.name))
        })
        .collect()
}

fn differs(name: &str) -> String {
    format!("the instances of `{name}` use different constants or functions: write them out as separate functions")
}
