//! How to write a type with what is in sight at an item: by its name, or as a part of something that has one.
//!
//! What belongs to a generic struct as such, and not to one of its instances, hangs on one instance of our choice, its
//! *example*: the constants of its methods, the ways to the types of its fields. From there a trait leads to the others.

use std::collections::{HashMap, VecDeque};

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::answers::Known;
use super::constants::{parts_of_signature, parts_of_type};
use super::identity;
use crate::env::{Argument, Face, Parameter, Type, TypeDef, TypeId};
use crate::front::library::ANYTHING;
use crate::paths::Root;

/// A type as rustc may be asked for it; `None` for memory, and for what has no name here.
pub(super) fn type_tokens(ty: &Type, known: &Known, root: &Root, owner: Option<&syn::Type>) -> Option<TokenStream> {
    let tokens = |ty: &Type| type_tokens(ty, known, root, owner);
    let primitive = |name: &str| {
        let name = format_ident!("{}", name);
        quote!(::core::primitive::#name)
    };
    let (ours, private) = (root.tokens(), root.private());
    Some(match ty {
        Type::Scalar(scalar) => match scalar.name() {
            name @ ("f16" | "bf16") => {
                let name = format_ident!("{}", name);
                quote!(#ours::#name)
            }
            name => primitive(name),
        },
        Type::Usize => primitive("usize"),
        Type::Isize => primitive("isize"),
        Type::Struct(id, arguments) if !arguments.is_empty() => {
            let example = example_of(id, known, root, owner)?;
            let list = arguments.iter().map(|argument| match argument {
                Argument::Type(ty) => tokens(ty),
                Argument::Length(len) => {
                    let len = *len as usize;
                    Some(quote!(#private::Len<#len>))
                }
                Argument::LengthOf(_) => None,
            });
            let list = list.collect::<Option<Vec<_>>>()?;
            quote!(<#example as #private::Family<(#(#list,)*)>>::With)
        }
        Type::Struct(id, _) | Type::Enum(id) if identity::is_definition(id) => example_of(id, known, root, owner)?,
        Type::Struct(name, _) if name == ANYTHING => quote!(#private::Anything),
        Type::Struct(name, _) => {
            let name = format_ident!("{}", name);
            quote!(#ours::math::#name)
        }
        Type::Tuple(list) => {
            let list = list.iter().map(tokens).collect::<Option<Vec<_>>>()?;
            quote!((#(#list,)*))
        }
        Type::Array(element, len) => {
            let (element, len) = (tokens(element)?, *len as usize);
            quote!([#element; #len])
        }
        Type::Option(inner) => {
            let inner = tokens(inner)?;
            quote!(::core::option::Option<#inner>)
        }
        Type::Unit
        | Type::Never
        | Type::Enum(_)
        | Type::ArrayOf(..)
        | Type::Slice { .. }
        | Type::Planes { .. }
        | Type::View { .. }
        | Type::Bundle(_)
        | Type::MutRef(_)
        | Type::Ref(_)
        | Type::Param(_) => return None,
    })
}

/// The type `wanted`, or of a generic struct its example.
pub(super) fn example_of(wanted: &str, known: &Known, root: &Root, owner: Option<&syn::Type>) -> Option<TokenStream> {
    let mut queue: VecDeque<(TypeId, TokenStream)> = VecDeque::new();
    let mut seen: HashMap<TypeId, ()> = HashMap::new();
    let mut faces: Vec<(&String, &Face)> = known.env.faces.iter().collect();
    faces.sort_by_key(|(key, _)| key.as_str());
    for (key, face) in faces {
        let path: TokenStream = key.parse().ok()?;
        match face {
            Face::Type(id) => queue.push_back((id.clone(), example(&path, id, known))),
            Face::Func(signature) => push_parts(&mut queue, &parts_of_signature(signature), &path, 0, root),
            Face::Builtin(_) | Face::Length(_) => {}
        }
    }
    if let (Some(ty), Some(id)) = (owner, &known.owner) {
        queue.push_front((id.clone(), ty.to_token_stream()));
    }
    while let Some((id, expression)) = queue.pop_front() {
        if id == wanted {
            return Some(expression);
        }
        if seen.insert(id.clone(), ()).is_some() {
            continue;
        }
        if let Some(def) = known.env.types.get(&id) {
            push_parts(&mut queue, &parts_of_type(def), &expression, 0, root);
        }
        let mut methods: Vec<_> = known.env.methods.iter().filter(|((owner, _), _)| owner == &id).collect();
        methods.sort_by_key(|((_, name), _)| name.clone());
        for ((_, name), signature) in methods {
            let base = identity::part_number(&id, name);
            push_parts(&mut queue, &parts_of_signature(signature), &expression, base, root);
        }
    }
    None
}

fn push_parts(
    queue: &mut VecDeque<(TypeId, TokenStream)>,
    parts: &[TypeId],
    whole: &TokenStream,
    base: u64,
    root: &Root,
) {
    let private = root.private();
    for (number, id) in parts.iter().enumerate() {
        let number = base.wrapping_add(number as u64);
        queue.push_back((id.clone(), quote!(<#whole as #private::Part<#number, _>>::Type)));
    }
}

/// The type that a path without arguments names, with those of the example.
pub(super) fn example(path: &TokenStream, id: &str, known: &Known) -> TokenStream {
    let arguments = example_arguments(parameters(id, known));
    match arguments.is_empty() {
        true => path.clone(),
        false => quote!(#path<#(#arguments),*>),
    }
}

/// The parameters of a type.
pub(super) fn parameters<'a>(id: &str, known: &'a Known) -> &'a [Parameter] {
    match known.env.types.get(id) {
        Some(TypeDef::Struct { generics, .. }) => generics,
        _ => &[],
    }
}

/// The arguments of an example.
pub(super) fn example_arguments(generics: &[Parameter]) -> Vec<TokenStream> {
    generics.iter().map(|(_, bound)| argument(bound, false)).collect()
}

/// Lists of arguments of which each has another one at one place, for what must hold whatever the order of parameters.
pub(super) fn telling_arguments(generics: &[Parameter]) -> impl Iterator<Item = Vec<TokenStream>> {
    let of = |other: usize| {
        generics.iter().enumerate().map(move |(place, (_, bound))| argument(bound, place == other)).collect()
    };
    (0..generics.len()).map(of)
}

fn argument(bound: &str, other: bool) -> TokenStream {
    match (bound, other) {
        ("usize", false) => quote!(4),
        ("usize", true) => quote!(5),
        ("Int", false) => quote!(::core::primitive::i32),
        ("Int", true) => quote!(::core::primitive::i64),
        (_, false) => quote!(::core::primitive::f32),
        (_, true) => quote!(::core::primitive::f64),
    }
}

/// Arguments as one type: `(f32, Len<4>,)`.
pub(super) fn tuple(generics: &[Parameter], arguments: &[TokenStream], root: &Root) -> TokenStream {
    let private = root.private();
    let each = generics.iter().zip(arguments).map(|((_, bound), argument)| match bound.as_str() {
        "usize" => quote!(#private::Len<#argument>),
        _ => argument.clone(),
    });
    quote!((#(#each,)*))
}
