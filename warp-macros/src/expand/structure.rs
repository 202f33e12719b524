//! `#[derive(Struct)]`: structs and fieldless enums.
//!
//! A derive, not an attribute, since derives see fields after `#[cfg]`.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Expr, ExprLit, Fields, Lit, UnOp, parse_quote};
use warp_ir::ir::Scalar;

use super::answers::{Answer, Hub, Known, poison};
use super::attributes::Options;
use super::chain::{BATCH, Chain, Step};
use super::constants::parts_of_type;
use super::func::{face_macro, hubs_of, payload_of, ways};
use super::identity::Identity;
use super::types::{self, Names};
use super::{agreement, argument_types, derives, names, parameters, refused, unmarked, written};
use crate::env::{Derived, Face, Type, TypeDef};
use crate::errors::Errors;
use crate::paths::Root;

/// The derive.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let mut item: DeriveInput = match syn::parse2(input) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::new();
    let root = Options::root_of_derive(&item.attrs, &mut errors);
    let identity = Identity::new("struct", &item.to_token_stream(), item.ident.span());
    item.attrs.extend(derives::of_own_list(Span::call_site()));
    names::check_type(&item.ident, &mut errors);
    parameters::of_struct(&item.generics, &mut errors);
    check_fields(&item, &mut errors);
    let element = match &item.data {
        Data::Struct(data) => {
            check_repr_c(&item, &mut errors);
            struct_element(&item, &data.fields, &root)
        }
        Data::Enum(_) => match enum_shape(&item) {
            Ok(_) if !item.generics.params.is_empty() => {
                errors.at(&item.generics, "enums that kernels know have no parameters");
                TokenStream::new()
            }
            Ok(shape) => enum_element(&item, &shape, &root),
            Err(list) => {
                list.into_iter().for_each(|error| errors.push(error));
                TokenStream::new()
            }
        },
        Data::Union(union) => {
            errors.at(union.union_token, "kernels have no unions: use a struct");
            TokenStream::new()
        }
    };
    if names::is_macro_of_rust(&item.ident.to_string()) && item.generics.params.is_empty() {
        let (owner, errors) = (refused::owner(&item.ident), errors.to_items());
        return quote!(#element #owner #errors);
    }
    if !errors.is_empty() {
        let (face, errors) = (face_macro(&identity, &item.ident, &item.vis, &poison()), errors.to_items());
        let silent = item.generics.params.is_empty().then(|| silent_element(&item.ident, &root));
        return quote!(#silent #face #errors);
    }
    let face = start_face(item, &identity, &root);
    quote!(#element #face)
}

/// What fields cannot hold, before rustc tells it in terms of layouts.
fn check_fields(item: &DeriveInput, errors: &mut Errors) {
    if item.generics.lifetimes().next().is_some() {
        // It is refused for them, and its references follow.
        return;
    }
    let fields = field_types(item);
    for ty in &fields {
        errors.take(argument_types::element(ty));
    }
    let unmarked = unmarked::sentences(&types::asks(fields, &parameter_names(item)), &item.ident);
    unmarked.into_iter().for_each(|error| errors.push(error));
}

/// What keeps those silent who use a type that was refused.
fn silent_element(name: &Ident, root: &Root) -> TokenStream {
    let private = root.private();
    quote! {
        // SAFETY: nothing is compiled with this, as the type is an error.
        unsafe impl #private::Element for #name {
            const LAYOUT: #private::Layout = #private::Layout::of::<#name>(#private::LayoutKind::Fields(&[]));
            const VALIDITY: #private::Validity = #private::Validity::Some;
        }
    }
}

fn check_repr_c(item: &DeriveInput, errors: &mut Errors) {
    if !reprs(item).iter().any(|repr| repr == "C") {
        errors.at(
            &item.ident,
            format!("kernels and the host share the memory of `{}`: add `#[repr(C)]` to it", item.ident),
        );
    }
    if reprs(item).iter().any(|repr| repr == "packed") {
        let sentence = format!(
            "the fields of `{}` are packed, and kernels read and write numbers at their own alignment: take `packed` away",
            item.ident
        );
        errors.at(&item.ident, sentence);
    }
}

/// The words in `#[repr(..)]`.
fn reprs(item: &DeriveInput) -> Vec<String> {
    let mut words = Vec::new();
    for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        // rustc itself reports what it does not know here.
        let _ = attribute.parse_nested_meta(|meta| {
            words.extend(meta.path.get_ident().map(ToString::to_string));
            if meta.input.peek(syn::token::Paren) {
                let inner;
                syn::parenthesized!(inner in meta.input);
                let _: TokenStream = inner.parse()?;
            }
            Ok(())
        });
    }
    words
}

fn struct_element(item: &DeriveInput, fields: &Fields, root: &Root) -> TokenStream {
    let (name, private) = (&item.ident, root.private());
    let mut generics = item.generics.clone();
    generics.type_params_mut().for_each(|parameter| parameter.bounds.push(parse_quote!(#private::Element)));
    let (parameters, arguments, conditions) = generics.split_for_impl();
    let conditions = conditions.map(|clause| clause.predicates.iter().collect::<Vec<_>>()).unwrap_or_default();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let places = fields.members();
    quote! {
        // SAFETY: rustc gives size, alignment and offsets; each field is an element itself.
        unsafe impl #parameters #private::Element for #name #arguments where #(#conditions),* {
            const LAYOUT: #private::Layout = #private::Layout::of::<Self>(#private::LayoutKind::Fields(&[
                #((::core::mem::offset_of!(#name #arguments, #places), &<#types as #private::Element>::LAYOUT)),*
            ]));
            const VALIDITY: #private::Validity =
                #private::Validity::all(&[#(<#types as #private::Element>::VALIDITY),*]);
        }
        // The quantifier makes rustc take a bound that does not hold: then the type is not `Zeroed`.
        // SAFETY: its fields are.
        unsafe impl #parameters #private::Zeroed for #name #arguments
        where
            #(#conditions,)*
            #(for<'warp> #types: #private::Zeroed),*
        {}
    }
}

/// The integer type and the variants of a fieldless enum.
struct EnumShape {
    repr: Scalar,
    variants: Vec<(String, i128)>,
}

fn enum_shape(item: &DeriveInput) -> Result<EnumShape, Vec<syn::Error>> {
    let Data::Enum(data) = &item.data else { return Err(vec![]) };
    let mut errors = Vec::new();
    let repr = reprs(item).iter().find_map(|word| match word.as_str() {
        "C" => Some(Scalar::I32),
        word => Scalar::from_name(word).filter(|scalar| scalar.is_int()),
    });
    if repr.is_none() {
        let sentence = format!(
            "kernels and the host share the memory of `{}`: say which integer it is, `#[repr(u32)]` or another",
            item.ident
        );
        errors.push(syn::Error::new(item.ident.span(), sentence));
    }
    let mut next = 0i128;
    let mut variants = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            errors.push(syn::Error::new(
                variant.fields.span(),
                "variants of enums that kernels know hold no fields: keep the values in a struct beside the enum",
            ));
        }
        if let Some((_, expression)) = &variant.discriminant {
            match integer(expression) {
                Some(value) => next = value,
                None => errors.push(syn::Error::new(
                    expression.span(),
                    "the value of a variant is a number here: kernels compare it before rustc evaluates constants",
                )),
            }
        }
        variants.push((syn::ext::IdentExt::unraw(&variant.ident).to_string(), next));
        next += 1;
    }
    // What is beyond 32 bits would give the enum another type in Rust.
    let fits = |value: i128| repr != Some(Scalar::I32) || i32::try_from(value).is_ok();
    if let Some((variant, _)) = variants.iter().find(|(_, value)| !fits(*value)) {
        let sentence =
            format!("the value of `{variant}` is no `i32`: say which integer it is, `#[repr(i64)]` or another");
        errors.push(syn::Error::new(item.ident.span(), sentence));
    }
    match (repr, errors.is_empty()) {
        (Some(repr), true) => Ok(EnumShape { repr, variants }),
        _ => Err(errors),
    }
}

fn integer(expression: &Expr) -> Option<i128> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => integer(&unary.expr).map(|value| -value),
        Expr::Paren(paren) => integer(&paren.expr),
        Expr::Group(group) => integer(&group.expr),
        _ => None,
    }
}

fn enum_element(item: &DeriveInput, shape: &EnumShape, root: &Root) -> TokenStream {
    let (name, private) = (&item.ident, root.private());
    let scalar = format_ident!("{}", format!("{:?}", shape.repr));
    let zero = shape.variants.iter().any(|(_, value)| *value == 0);
    let validity = Ident::new(if zero { "Zero" } else { "Some" }, Span::call_site());
    let zeroed = zero.then(|| {
        quote! {
            // SAFETY: a variant is 0.
            unsafe impl #private::Zeroed for #name {}
        }
    });
    let one = shape.variants.first().map(|(variant, _)| {
        let variant = format_ident!("r#{}", variant);
        quote! {
            impl #name {
                /// A value for rustc to say whether the variants are compared as derived.
                #[doc(hidden)]
                #[allow(dead_code)]
                pub const __WARP_ONE: #name = #name::#variant;
            }
        }
    });
    quote! {
        #one
        // SAFETY: a fieldless enum with an integer for its representation is that integer.
        unsafe impl #private::Element for #name {
            const LAYOUT: #private::Layout =
                #private::Layout::of::<#name>(#private::LayoutKind::Scalar(#private::Scalar::#scalar));
            const VALIDITY: #private::Validity = #private::Validity::#validity;
        }
        #zeroed
        const _: () = ::core::assert!(
            ::core::mem::size_of::<#name>() == #private::Scalar::#scalar.size(),
            "an enum has the size of the integer that it stands for",
        );
    }
}

fn field_types(item: &DeriveInput) -> Vec<&syn::Type> {
    match &item.data {
        Data::Struct(data) => data.fields.iter().map(|field| &field.ty).collect(),
        _ => vec![],
    }
}

fn start_face(item: DeriveInput, identity: &Identity, root: &Root) -> TokenStream {
    let asks = types::asks(field_types(&item), &parameter_names(&item));
    if asks.is_empty() {
        return face_items(&item, identity, &mut Known::default(), root);
    }
    if let Some(users) = refused::users(&asks, &item.ident, root) {
        let face = face_macro(identity, &item.ident, &item.vis, &poison());
        return quote!(#face #users);
    }
    let text = identity.text();
    Chain {
        identity,
        part: "face".into(),
        root,
        origin: item.ident.to_token_stream(),
        batch: BATCH,
        asks: asks.iter().map(ToTokens::to_token_stream).collect(),
        step: "structure",
        state: quote!(#text { #item }),
    }
    .ask()
}

/// The names of a struct's parameters. A bundle has lifetimes alone.
fn parameter_names(item: &DeriveInput) -> HashSet<String> {
    parameters::of_struct(&item.generics, &mut Errors::new()).into_iter().map(|(name, _)| name).collect()
}

/// The step `structure`: the types of the fields have answered.
pub(crate) fn face(step: &Step) -> TokenStream {
    let Some(identity) = step.state.text(0).map(Identity::from_text) else { return TokenStream::new() };
    let item: DeriveInput = match syn::parse2(step.state.group(1)) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    match answered(step, &types::asks(field_types(&item), &parameter_names(&item))) {
        Ok(known) if known.poisoned => face_macro(&identity, &item.ident, &item.vis, &poison()),
        Ok(mut known) => face_items(&item, &identity, &mut known, &step.root),
        Err(error) => failed(&item, &identity, error),
    }
}

/// The answers of some types' names.
pub(super) fn answered(step: &Step, asked: &[syn::Path]) -> syn::Result<Known> {
    let mut known = Known::default();
    for (path, group) in asked.iter().zip(&step.answers) {
        known.add_face(path, group)?;
    }
    Ok(known)
}

fn failed(item: &DeriveInput, identity: &Identity, error: syn::Error) -> TokenStream {
    let (face, error) = (face_macro(identity, &item.ident, &item.vis, &poison()), error.to_compile_error());
    quote!(#face #error)
}

fn face_items(item: &DeriveInput, identity: &Identity, known: &mut Known, root: &Root) -> TokenStream {
    let def = match definition(item, known) {
        Ok(def) => def,
        Err(error) => return failed(item, identity, error),
    };
    type_items(item, identity, def, known, &field_types(item), root)
}

/// The face of a type whose definition is known, and the ways to the types of its fields.
pub(super) fn type_items(
    item: &DeriveInput,
    identity: &Identity,
    def: TypeDef,
    known: &mut Known,
    fields: &[&syn::Type],
    root: &Root,
) -> TokenStream {
    let id = identity.text().to_string();
    let parts = parts_of_type(&def);
    known.env.types.insert(id.clone(), def);
    known.type_hubs.insert(id.clone(), Hub::here());
    let payload = payload_of(Face::Type(id.clone()), &[id], known);
    let hubs = hubs_of(&payload, known);
    let face = face_macro(identity, &item.ident, &item.vis, &Answer::tokens(&payload, &hubs, None));
    let name = &item.ident;
    let (whole, own) = match known.env.types.get(identity.text()) {
        Some(TypeDef::Struct { generics, .. }) if !generics.is_empty() => {
            let example = written::example(&quote!(#name), identity.text(), known);
            (example, agreement::identity_of_generic(item, generics, identity, root))
        }
        Some(TypeDef::Bundle { .. }) => {
            let lifetimes = item.generics.lifetimes().map(|_| quote!('_));
            let whole = quote!(#name<#(#lifetimes),*>);
            let own = agreement::identity_of_type(&whole, identity, root);
            (whole, own)
        }
        _ => {
            let whole = quote!(#name);
            let own = agreement::identity_of_type(&whole, identity, root);
            let value = agreement::type_itself(&whole, root);
            (whole, quote!(#own #value))
        }
    };
    let ways = ways(fields, &parts, known, &whole, 0, None, root);
    let agreement = agreement::of_types(fields, &parameter_names(item), known, root);
    quote!(#face #ways #own #agreement)
}

/// The comparisons in the derives that are in sight: in one list with this one, and below it.
fn derived(item: &DeriveInput) -> Derived {
    let mut derived = Derived::default();
    for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        // rustc itself reports what is no list of paths.
        let _ = attribute.parse_nested_meta(|meta| {
            if let Some(last) = meta.path.segments.last() {
                derived.equal |= last.ident == "PartialEq";
                derived.ordered |= last.ident == "PartialOrd";
            }
            Ok(())
        });
    }
    derived
}

fn definition(item: &DeriveInput, known: &Known) -> syn::Result<TypeDef> {
    let name = syn::ext::IdentExt::unraw(&item.ident).to_string();
    match &item.data {
        Data::Enum(_) => match enum_shape(item) {
            Ok(EnumShape { repr, variants }) => Ok(TypeDef::Enum { name, repr, variants, derived: derived(item) }),
            Err(errors) => {
                Err(errors.into_iter().next().unwrap_or_else(|| syn::Error::new(item.span(), "not an enum")))
            }
        },
        Data::Struct(data) => {
            let generics = parameters::of_struct(&item.generics, &mut Errors::new());
            let names = generics.iter().map(|(name, _)| name.clone()).collect();
            let fields = fields(&data.fields, &names, known)?;
            let tuple = matches!(data.fields, Fields::Unnamed(_));
            Ok(TypeDef::Struct { name, generics, fields, tuple, derived: derived(item) })
        }
        Data::Union(_) => Err(syn::Error::new(item.span(), "kernels have no unions")),
    }
}

/// Names and types of fields; those of tuple structs are `0`, `1`, ..
pub(super) fn fields(fields: &Fields, generics: &HashSet<String>, known: &Known) -> syn::Result<Vec<(String, Type)>> {
    let names = Names { env: &known.env, generics, owner: None };
    fields
        .iter()
        .enumerate()
        .map(|(number, field)| {
            let name = match &field.ident {
                Some(ident) => syn::ext::IdentExt::unraw(ident).to_string(),
                None => number.to_string(),
            };
            Ok((name, names.resolve(&field.ty)?))
        })
        .collect()
}
