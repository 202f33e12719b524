//! `#[func]`.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::{FnArg, ItemFn, Pat, ReturnType, Visibility};

use super::answers::{Answer, Hub, Known, poison as poison_answer};
use super::attributes::Options;
use super::bodies::{Header, Table, Template, generic_payload, payload};
use super::chain::{BATCH, Chain, Step, answering_macro};
use super::constants::{Constants, call_key, parts_of_signature};
use super::groups::Ungrouped;
use super::hygiene::Apart;
use super::identity::{self, Identity};
use super::job::{Job, Kind};
use super::parameters::Generics;
use super::types::{self, Names};
use super::{agreement, ascii, body, copy, gradient, kernel, length, names, pull, refused, written};
use crate::env::{Env, Face, FacePayload, Lowered, Signature, Type, TypeDef, TypeId};
use crate::errors::Errors;
use crate::front::derivative;
use crate::paths::Root;

/// The attribute.
pub(crate) fn attribute(arguments: TokenStream, input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let options = Options::of_func(arguments, &mut errors);
    let item: ItemFn = match syn::parse2(input.clone()).map(ItemFn::ungrouped) {
        Ok(item) => item,
        Err(_) => {
            if let Ok(item) = syn::parse2::<syn::ItemConst>(input.clone()) {
                return length::attribute(&item.ungrouped(), &options.root, errors);
            }
            if let Some((vis, signature)) = signature_of_broken(&input) {
                // rustc has told the error in its syntax.
                let item: ItemFn = syn::parse_quote!(#vis #signature {});
                let identity = Identity::new("func", &input, item.sig.ident.span());
                names::check(&item.sig.ident, &mut errors);
                let (silence, errors) = (silence(&item, &identity, &companion(&item)), errors.to_items());
                return quote!(#input #silence #errors);
            }
            if is_function(&input) {
                return input;
            }
            errors.at_span(
                Span::call_site(),
                "`#[func]` stands on a function, `#[func] fn name(..) -> T { .. }`, or on a constant that is the length of \
                 an array, `#[func] const N: usize = 8;`",
            );
            let errors = errors.to_items();
            return quote!(#input #errors);
        }
    };
    names::check(&item.sig.ident, &mut errors);
    names::check_qualifiers(&item.sig, &mut errors);
    let generics = Generics::of(&item.sig.generics, &mut errors);
    let identity = Identity::new("func", &item.to_token_stream(), item.sig.ident.span());
    identity::made_here(&identity::body_macro(&identity, &item.sig.ident.unraw().to_string()));
    let plain = kernel::plain_item(&item);
    let companion = companion(&item);
    if !errors.is_empty() {
        let (errors, silence) = (errors.to_items(), silence(&item, &identity, &companion));
        return quote!(#plain #silence #errors);
    }
    let of_list = agreement::arguments(&generics.list);
    let own = agreement::identity_of_function(&item, &identity, &of_list, &options.root);
    let face = start_face(&item, &identity, &options.root, &generics, options.own_gradient.as_ref());
    let kind = match generics.arguments() {
        Some(arguments) => Kind::Generic(arguments),
        None => Kind::Func,
    };
    let mut item = item.apart();
    options.own_gradient.iter().for_each(|path| derivative::mark(&mut item, path));
    let body = body::start(&Job { kind, identity, root: options.root, item });
    quote!(#plain #companion #own #face #body)
}

/// The head of a function whose body is broken; `None` where none can be read.
pub(super) fn signature_of_broken(input: &TokenStream) -> Option<(Visibility, syn::Signature)> {
    let head = |tokens: syn::parse::ParseStream| {
        syn::Attribute::parse_outer(tokens)?;
        let head = (tokens.parse()?, tokens.parse()?);
        tokens.parse::<TokenStream>()?;
        Ok(head)
    };
    syn::parse::Parser::parse2(head, input.clone()).ok()
}

/// Whether it is meant to be a function, by the word.
pub(super) fn is_function(input: &TokenStream) -> bool {
    input.clone().into_iter().any(|token| matches!(&token, TokenTree::Ident(word) if word == "fn"))
}

/// What keeps the callers of a refused function silent: a face and a body, as far as rustc allows them under its name.
fn silence(item: &ItemFn, identity: &Identity, companion: &TokenStream) -> TokenStream {
    let name = &item.sig.ident;
    let text = name.unraw().to_string();
    if names::is_of_the_language(&text) {
        return TokenStream::new();
    }
    if names::is_macro_of_rust(&text) {
        let owner = refused::owner(name);
        return quote!(#companion #owner);
    }
    let companion = (!names::is_primitive_type(&text)).then_some(companion);
    let (face, poison) = (silent_face(item, identity), poison(identity, name));
    quote!(#companion #face #poison)
}

/// The hidden type beside the function: what rustc evaluates hangs on it.
fn companion(item: &ItemFn) -> TokenStream {
    let (vis, name) = (&item.vis, &item.sig.ident);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #name {}
    }
}

/// Starts the face: at once where the signature names no type of the user's.
fn start_face(
    item: &ItemFn,
    identity: &Identity,
    root: &Root,
    generics: &Generics,
    gradient: Option<&syn::Path>,
) -> TokenStream {
    let asks = types::asks(signature_types(&item.sig), &generics.names());
    if refused::users(&asks, &item.sig.ident, root).is_some() {
        return silent_face(item, identity);
    }
    let mut head = item.clone();
    *head.block = syn::parse_quote!({});
    let text = identity.text();
    let state = quote!(#text { #head } { #gradient });
    if asks.is_empty() {
        return match face_items(&head, identity, &Known::default(), root, gradient) {
            Ok(items) => items,
            Err(error) => failed_face(&head, identity, error),
        };
    }
    Chain {
        identity,
        part: "face".into(),
        root,
        origin: item.sig.ident.to_token_stream(),
        batch: BATCH,
        asks: asks.iter().map(ToTokens::to_token_stream).collect(),
        step: "face",
        state,
    }
    .ask()
}

/// The types in a signature.
pub(crate) fn signature_types(signature: &syn::Signature) -> Vec<&syn::Type> {
    let inputs = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(&*typed.ty),
        FnArg::Receiver(_) => None,
    });
    let output = match &signature.output {
        ReturnType::Type(_, ty) => Some(&**ty),
        ReturnType::Default => None,
    };
    inputs.chain(output).collect()
}

/// The step `face`: the types in a signature have answered.
pub(crate) fn face(step: &Step) -> TokenStream {
    let Some(identity) = step.state.text(0).map(Identity::from_text) else { return TokenStream::new() };
    let head: ItemFn = match syn::parse2(step.state.group(1)) {
        Ok(head) => head,
        Err(error) => return error.to_compile_error(),
    };
    let generics = Generics::of(&head.sig.generics, &mut Errors::new());
    let mut known = Known::default();
    for (path, group) in types::asks(signature_types(&head.sig), &generics.names()).iter().zip(&step.answers) {
        if let Err(error) = known.add_face(path, group) {
            return failed_face(&head, &identity, error);
        }
    }
    if known.poisoned {
        return silent_face(&head, &identity);
    }
    let gradient: Option<syn::Path> = syn::parse2(step.state.group(2)).ok();
    match face_items(&head, &identity, &known, &step.root, gradient.as_ref()) {
        Ok(items) => items,
        Err(error) => failed_face(&head, &identity, error),
    }
}

fn failed_face(head: &ItemFn, identity: &Identity, error: syn::Error) -> TokenStream {
    let (face, error) = (silent_face(head, identity), error.to_compile_error());
    quote!(#face #error)
}

/// The signature, and the ways to the types in it.
fn face_items(
    head: &ItemFn,
    identity: &Identity,
    known: &Known,
    root: &Root,
    gradient: Option<&syn::Path>,
) -> syn::Result<TokenStream> {
    let generics = Generics::of(&head.sig.generics, &mut Errors::new());
    let signature = signature(&head.sig, identity, &generics, &known.env, None)?;
    let gradient = gradient.map(|path| gradient::check(head, &signature, path, &known.env, root));
    let parts = parts_of_signature(&signature);
    let payload = payload_of(Face::Func(signature), &parts, known);
    let name = &head.sig.ident;
    let body = body_name(identity, name);
    let hubs = hubs_of(&payload, known);
    let tokens = Answer::tokens(&payload, &hubs, Some(&body));
    let face = face_macro(identity, name, &head.vis, &tokens);
    let ways = ways(&signature_types(&head.sig), &parts, known, &name.to_token_stream(), 0, None, root);
    Ok(quote!(#face #ways #gradient))
}

/// The name of the macro that holds a function's body, at the place of the function's name.
pub(crate) fn body_name(identity: &Identity, name: &Ident) -> Ident {
    let mut body = identity::body_macro(identity, &name.unraw().to_string());
    body.set_span(name.span());
    body
}

/// A face and all the types that it reaches.
pub(crate) fn payload_of(face: Face, parts: &[String], known: &Known) -> FacePayload {
    FacePayload { format: ascii::FORMAT, face, types: reached(parts, known) }
}

/// Definitions of all types that these reach.
pub(super) fn reached(parts: &[TypeId], known: &Known) -> Vec<(TypeId, TypeDef)> {
    let mut types = Vec::new();
    let mut open: Vec<String> = parts.to_vec();
    while let Some(id) = open.pop() {
        if types.iter().any(|(other, _)| other == &id) {
            continue;
        }
        if let Some(def) = known.env.types.get(&id) {
            open.extend(super::constants::parts_of_type(def));
            types.push((id, def.clone()));
        }
    }
    types
}

/// This crate, then those of the payload's types.
pub(crate) fn hubs_of(payload: &FacePayload, known: &Known) -> Vec<Hub> {
    let others = payload.types.iter().map(|(id, _)| known.type_hubs.get(id).cloned().unwrap_or_else(Hub::here));
    std::iter::once(Hub::here()).chain(others).collect()
}

/// The face's macro and the import that gives it its name.
pub(crate) fn face_macro(identity: &Identity, name: &Ident, vis: &Visibility, payload: &TokenStream) -> TokenStream {
    let face = identity.name("face");
    let exported = matches!(vis, Visibility::Public(_));
    let definition = answering_macro(&face, exported, payload);
    quote! {
        #definition
        #[doc(hidden)]
        #[allow(unused_imports)]
        #vis use #face as #name;
    }
}

/// The face of a function that failed.
fn silent_face(item: &ItemFn, identity: &Identity) -> TokenStream {
    face_macro(identity, &item.sig.ident, &item.vis, &poison_answer())
}

/// Traits that lead from a function or type to the types that it names, for those who cannot name them.
pub(crate) fn ways(
    types: &[&syn::Type],
    parts: &[String],
    known: &Known,
    whole: &TokenStream,
    base: u64,
    owner: Option<(&syn::Type, &str)>,
    root: &Root,
) -> TokenStream {
    let private = root.private();
    let ways: Vec<TokenStream> = parts
        .iter()
        .enumerate()
        // Bundles have no methods, so nobody looks for a way to one.
        .filter(|(_, id)| !matches!(known.env.types.get(*id), Some(TypeDef::Bundle { .. })))
        .filter_map(|(number, id)| {
            let written = match owner {
                Some((ty, owner_id)) if owner_id == id => Some(ty.to_token_stream()),
                _ => written_name(types, id, known),
            }?;
            let number = base.wrapping_add(number as u64);
            Some(quote! {
                impl #private::Part<#number, #written> for #whole {
                    type Type = #written;
                }
            })
        })
        .collect();
    if ways.is_empty() {
        return TokenStream::new();
    }
    quote!(#(#ways)*)
}

fn written_name(types: &[&syn::Type], id: &str, known: &Known) -> Option<TokenStream> {
    types::asks(types.iter().copied(), &HashSet::new()).into_iter().find_map(|path| {
        match known.env.faces.get(&path.to_token_stream().to_string()) {
            Some(Face::Type(other)) if other == id => Some(written::example(&path.to_token_stream(), id, known)),
            _ => None,
        }
    })
}

/// A signature as data.
pub(crate) fn signature(
    signature: &syn::Signature,
    identity: &Identity,
    generics: &Generics,
    env: &Env,
    owner: Option<&Type>,
) -> syn::Result<Signature> {
    let parameter_names = generics.names();
    let names = Names { env, generics: &parameter_names, owner };
    let mut params = Vec::new();
    for (number, input) in signature.inputs.iter().enumerate() {
        params.push(match input {
            FnArg::Receiver(receiver) => ("self".into(), receiver_type(receiver, owner)?),
            FnArg::Typed(typed) => {
                let name = match &*typed.pat {
                    Pat::Ident(ident) => ident.ident.unraw().to_string(),
                    _ => format!("argument{number}"),
                };
                (name, names.resolve(&typed.ty)?)
            }
        });
    }
    let result = match &signature.output {
        ReturnType::Default => Type::Unit,
        ReturnType::Type(_, ty) => names.resolve(ty)?,
    };
    Ok(Signature {
        id: identity.text().into(),
        name: signature.ident.unraw().to_string(),
        generics: generics.list.clone(),
        of_block: 0,
        owner: None,
        params,
        result,
    })
}

/// The type of `self`, given the tokens of `Self`.
pub(crate) fn receiver_tokens(receiver: &syn::Receiver, owner: &TokenStream) -> TokenStream {
    match reference_of(receiver) {
        Some(true) => quote!(&mut #owner),
        Some(false) => quote!(&#owner),
        None => owner.clone(),
    }
}

/// Whether `self` is a reference, and then whether it is a mutable one: `&self`, `self: &mut Self`.
fn reference_of(receiver: &syn::Receiver) -> Option<bool> {
    match &receiver.kind {
        syn::ReceiverKind::Reference(_, _, mutability) => Some(mutability.is_some()),
        syn::ReceiverKind::Typed(_, ty) => match &**ty {
            syn::Type::Reference(reference) => Some(reference.mutability.is_some()),
            _ => None,
        },
        _ => None,
    }
}

fn receiver_type(receiver: &syn::Receiver, owner: Option<&Type>) -> syn::Result<Type> {
    let owner = owner
        .cloned()
        .ok_or_else(|| syn::Error::new_spanned(receiver, "`self` stands in methods: `#[methods] impl Type { .. }`"))?;
    Ok(match reference_of(receiver) {
        Some(true) => Type::MutRef(Box::new(owner)),
        Some(false) => Type::Ref(Box::new(owner)),
        None => owner,
    })
}

/// What the constants of a function hang on.
pub(crate) struct Holder<'a> {
    /// The type that has them.
    pub carrier: TokenStream,
    /// Their names there.
    pub constants: Vec<TokenStream>,
    /// For a method, the type of its `impl`.
    pub owner: Option<&'a syn::Type>,
}

/// Of a free function, its own hidden type.
pub(crate) fn own_holder(job: &Job) -> Holder<'_> {
    Holder { carrier: job.name().to_token_stream(), constants: vec![quote!(__WARP_EXP)], owner: None }
}

/// A function or method that was lowered: its constants, and its IR; of a generic one itself as tokens.
pub(crate) fn done(
    job: &Job,
    holder: &Holder<'_>,
    mut lowered: Lowered,
    known: &Known,
    faces: &TokenStream,
    methods: &TokenStream,
) -> TokenStream {
    let generic = job.arguments().is_some();
    if generic {
        // Instances share the constants, whatever their types.
        lowered.slots.iter_mut().for_each(|slot| slot.rust_type = None);
    }
    match done_parts(job, &lowered, known, holder.owner) {
        Ok((header, constants, callees)) => {
            let name = body_name(&job.identity, job.name());
            let payload = match generic {
                true => template(job, holder, header, &lowered, &name, faces, methods),
                false => payload(&header, &lowered.function, &callees, &name),
            };
            finish(job, &checks(job, &lowered, known), &constants, holder, &name, &payload)
        }
        Err(message) => {
            let mut errors = Errors::new();
            errors.at(job.name(), message);
            job.failed(&errors)
        }
    }
}

/// The payload of a generic function, which was lowered with arguments of our choice.
fn template(
    job: &Job,
    holder: &Holder<'_>,
    mut header: Header,
    lowered: &Lowered,
    name: &Ident,
    faces: &TokenStream,
    methods: &TokenStream,
) -> TokenStream {
    header.generic = Some(Table {
        slots: lowered.slots.iter().map(|slot| (slot.expression.to_string(), slot.leaf)).collect(),
        calls: lowered.calls.iter().map(call_key).collect(),
    });
    header.callees.clear();
    let item = &job.item;
    let item = match holder.owner {
        Some(owner) => quote!(impl #owner { #item }),
        None => quote!(#item),
    };
    generic_payload(&header, name, &Template { item, faces: faces.clone(), methods: methods.clone() })
}

/// Header, constants and callees of a lowered function or method.
fn done_parts(
    job: &Job,
    lowered: &Lowered,
    known: &Known,
    owner: Option<&syn::Type>,
) -> Result<(Header, Constants, Vec<super::answers::BodyRef>), String> {
    let constants = Constants::of(lowered, known, &job.root, owner)?;
    let (callees, bodies) = pull::callees(&lowered.function, &lowered.calls, known)?;
    let header = Header {
        id: job.identity.text().into(),
        name: job.name().unraw().to_string(),
        poison: false,
        callees,
        slots: vec![],
        generic: None,
    };
    Ok((header, constants, bodies))
}

/// What rustc is asked about a lowered item: whether names and types are to it what they were to us.
pub(super) fn checks(job: &Job, lowered: &Lowered, known: &Known) -> TokenStream {
    let (names, types) = (agreement::of_job(job, known), copy::items(job, &lowered.bindings, known));
    quote!(#names #types)
}

/// The constants and the body's macro.
fn finish(
    job: &Job,
    checks: &TokenStream,
    constants: &Constants,
    holder: &Holder<'_>,
    name: &Ident,
    payload: &TokenStream,
) -> TokenStream {
    let Holder { carrier, constants: names, .. } = holder;
    let private = job.root.private();
    let hoisted = body::hoisted(&job.item);
    let recursion = constants.has_calls().then(|| {
        let span = job.name().span();
        let private = agreement::at(private.clone(), span);
        quote_spanned!(span=> const _: () = #private::refuse_recursion(&__WARP_EXP);)
    });
    let constants = constants.tokens(job);
    let body = answering_macro(name, true, payload);
    quote! {
        #body
        const _: () = {
            #hoisted
            #checks
            #constants
            #recursion
            impl #carrier {
                #(
                    #[doc(hidden)]
                    #[allow(dead_code)]
                    pub const #names: #private::Link = #private::Link::to(&__WARP_EXP);
                )*
            }
        };
    }
}

/// The body of a function that failed: kernels above it stay silent.
pub(crate) fn poison(identity: &Identity, name: &Ident) -> TokenStream {
    let header = ascii::encode(&Header::poison(identity.text(), &name.unraw().to_string()));
    let macro_name = body_name(identity, name);
    answering_macro(&macro_name, true, &quote!({ #header "" [] #macro_name }))
}
