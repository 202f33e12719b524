//! The constants that a lowered item reads, and the ways to those of its callees, for rustc to evaluate.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::answers::Known;
use super::job::Job;
use super::written::{example_of, type_tokens};
use super::{agreement, identity};
use crate::env::{Argument, CallUse, LiteralUse, Lowered, Signature, SlotUse, Type, TypeDef, TypeId};
use crate::paths::Root;

/// The table of one item.
pub(crate) struct Constants {
    slots: Vec<TokenStream>,
    calls: Vec<TokenStream>,
    /// What rustc has to vouch for.
    questions: Vec<TokenStream>,
    has_calls: bool,
    derivatives: usize,
}

impl Constants {
    /// The table of a lowered item. `owner` stands for `Self`.
    pub(crate) fn of(
        lowered: &Lowered,
        known: &Known,
        root: &Root,
        owner: Option<&syn::Type>,
    ) -> Result<Constants, String> {
        let slots = lowered.slots.iter().map(|slot| slot_value(slot, root, owner)).collect();
        let calls = lowered.calls.iter().map(|call| link(call, known, root, owner)).collect::<Result<_, _>>()?;
        let mut asked: Vec<&TypeId> = vec![];
        let mut questions = vec![];
        for (id, at) in &lowered.compared {
            if !asked.contains(&id) {
                asked.push(id);
                questions.push(compared(id, *at, known, root, owner)?);
            }
        }
        let mut met: Vec<&LiteralUse> = vec![];
        for literal in &lowered.literals {
            if !met.iter().any(|other| other.asks_the_same(literal)) {
                met.push(literal);
                questions.push(literal_type(literal, known, root, owner)?);
            }
        }
        let has_calls = lowered.calls.iter().any(|call| !matches!(call, CallUse::Library));
        Ok(Constants { slots, calls, questions, has_calls, derivatives: lowered.derivatives })
    }

    /// Whether the item calls functions that may call others.
    pub(crate) fn has_calls(&self) -> bool {
        self.has_calls
    }

    /// `static __WARP_EXP`.
    pub(crate) fn tokens(&self, job: &Job) -> TokenStream {
        let private = job.root.private();
        let (slots, calls, questions) = (&self.slots, &self.calls, &self.questions);
        let questions = (!questions.is_empty()).then(|| {
            quote! {
                #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery)]
                const _: () = { #(#questions)* };
            }
        });
        let derivatives = self.derivatives;
        let (name, id) = (job.name().unraw().to_string(), job.identity.number());
        quote! {
            #questions
            #[allow(unused_imports, dead_code, clippy::all)]
            static __WARP_EXP: #private::Exp = #private::Exp {
                name: #name,
                id: #id,
                line: ::core::line!(),
                slots: &[#(#slots),*],
                calls: &[#(#calls),*],
                derivatives: #derivatives,
            };
        }
    }
}

fn slot_value(slot: &SlotUse, root: &Root, owner: Option<&syn::Type>) -> TokenStream {
    let private = root.private();
    let expression = without_self(slot.expression.clone(), owner);
    let leaf = usize::from(slot.leaf);
    match &slot.rust_type {
        Some(ty) => {
            let ty = root.replace_facade(without_self(ty.clone(), owner));
            quote!(#private::slot::<#ty>(#expression, #leaf))
        }
        None => quote!(#private::slot(#expression, #leaf)),
    }
}

/// Outside its `impl` block an expression cannot say `Self`.
pub(crate) fn without_self(tokens: TokenStream, owner: Option<&syn::Type>) -> TokenStream {
    let Some(owner) = owner else { return tokens };
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) if ident == "Self" => quote!(<#owner>),
            TokenTree::Group(group) => {
                let inner = without_self(group.stream(), Some(owner));
                let mut changed = proc_macro2::Group::new(group.delimiter(), inner);
                changed.set_span(group.span());
                TokenTree::Group(changed).to_token_stream()
            }
            other => other.to_token_stream(),
        })
        .collect()
}

/// The constant of a type that leads to the constants of one of its methods.
pub(crate) fn method_constant(owner: &str, method: &str) -> Ident {
    let name = identity::method_macro(owner, method).to_string();
    format_ident!("__WARP_EXP{}", name)
}

/// What a call is called in the table of a generic function.
pub(crate) fn call_key(call: &CallUse) -> String {
    match call {
        CallUse::Path { path, .. } => super::body::path_key(path),
        CallUse::Method { owner, method, .. } => format!("{owner} {method}"),
        CallUse::Library => String::new(),
    }
}

/// Kernels compare the variants of an enum by their numbers, as a derived `PartialEq` does. Whether it is derived rustc
/// knows alone: only then may a constant of the type stand in a pattern.
fn compared(id: &str, at: Span, known: &Known, root: &Root, owner: Option<&syn::Type>) -> Result<TokenStream, String> {
    let ty = example_of(id, known, root, owner)
        .ok_or("the type of the variants that are compared here must be in sight: import it")?;
    Ok(quote_spanned!(at=> let _ = |__warp_value| match __warp_value { <#ty>::__WARP_ONE => true, _ => false };))
}

/// Rustc takes a literal for the type that was taken here.
fn literal_type(
    literal: &LiteralUse,
    known: &Known,
    root: &Root,
    owner: Option<&syn::Type>,
) -> Result<TokenStream, String> {
    let ty = type_tokens(&literal.owner, known, root, owner)
        .ok_or("the type whose operator meets a literal here must be in sight: import it")?;
    let at = literal.at;
    let private = agreement::at(root.private(), at);
    let taken = format_ident!("{}", literal.taken);
    let number = if literal.float { quote!(2.0) } else { quote!(2) };
    let operator: TokenStream = literal.operator.parse().map_err(|_| "an operator without tokens")?;
    let (met, value) = (Ident::new("__warp_owner", at), Ident::new("__warp_literal", at));
    let meeting = match literal.owner_first {
        true => quote_spanned!(at=> #met #operator #value),
        false => quote_spanned!(at=> #value #operator #met),
    };
    // All of it stands at the operator, where rustc then reports.
    Ok(quote_spanned! {at=>
        #private::literal::<::core::primitive::#taken, _, _>(|mut #met: #ty| {
            let #value = #number;
            let _ = #meeting;
            #value
        });
    })
}

fn link(call: &CallUse, known: &Known, root: &Root, owner: Option<&syn::Type>) -> Result<TokenStream, String> {
    let private = root.private();
    match call {
        CallUse::Path { path, .. } => {
            let mut path = path.clone();
            path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
            // An error here is about the call: two copies of the runtime meet.
            let place = path.span();
            let private = agreement::at(private, place);
            Ok(quote_spanned!(place=> { #[allow(unused_imports)] use #private::Late as _; <#path>::__WARP_EXP }))
        }
        CallUse::Library => Ok(quote!(#private::Link::NOTHING)),
        CallUse::Method { owner: id, method, .. } => {
            let constant = method_constant(id, method);
            let ty = example_of(id, known, root, owner)
                .ok_or_else(|| format!("the type whose `{method}` is called here must be in sight: import it"))?;
            Ok(quote!(<#ty>::#constant))
        }
    }
}

/// The user's types that a definition names, in order of first appearance.
pub(crate) fn parts_of_type(def: &TypeDef) -> Vec<TypeId> {
    let mut parts = Vec::new();
    if let TypeDef::Struct { fields, .. } | TypeDef::Bundle { fields, .. } = def {
        fields.iter().for_each(|(_, ty)| named(ty, &mut parts));
    }
    parts
}

/// The user's types that a signature names, in order of first appearance.
pub(crate) fn parts_of_signature(signature: &Signature) -> Vec<TypeId> {
    let mut parts = Vec::new();
    signature.params.iter().for_each(|(_, ty)| named(ty, &mut parts));
    named(&signature.result, &mut parts);
    parts
}

/// Adds the user's types inside a type. Types of the library have their names for identity, shorter than ours.
pub(crate) fn named(ty: &Type, parts: &mut Vec<TypeId>) {
    match ty {
        Type::Struct(id, _) | Type::Enum(id) | Type::Bundle(id) => {
            if identity::is_definition(id) && !parts.contains(id) {
                parts.push(id.clone());
            }
            let arguments = if let Type::Struct(_, arguments) = ty { &arguments[..] } else { &[] };
            for argument in arguments {
                if let Argument::Type(ty) = argument {
                    named(ty, parts);
                }
            }
        }
        Type::Tuple(list) => list.iter().for_each(|ty| named(ty, parts)),
        Type::Array(inner, _) | Type::ArrayOf(inner, _) => named(inner, parts),
        Type::Option(inner) | Type::MutRef(inner) | Type::Ref(inner) => named(inner, parts),
        Type::Slice { element, .. } | Type::Planes { element, .. } | Type::View { element, .. } => {
            named(element, parts)
        }
        Type::Unit | Type::Never | Type::Scalar(_) | Type::Usize | Type::Isize | Type::Param(_) => {}
    }
}
