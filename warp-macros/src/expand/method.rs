//! `#[methods] impl`: methods, associated functions and operators of the user's types.
//!
//! Each function gets a macro in the root of the crate whose name follows from the type's identity and the function's
//! key, so that who knows the type can ask, and several `impl` blocks need not know of each other.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{ImplItem, ImplItemFn, ItemFn, ItemImpl};
use warp_ir::ir::Scalar;

use super::answers::{Answer, Known, poison as poison_answer};
use super::attributes::Options;
use super::chain::{BATCH, Chain, Step, answering_macro};
use super::constants::{method_constant, parts_of_signature};
use super::func::{self, Holder, body_name, hubs_of, payload_of, signature_types, ways};
use super::groups::Ungrouped;
use super::hygiene::Apart;
use super::identity::{self, Identity};
use super::job::{Job, Kind, Method};
use super::parameters::Generics;
use super::types::{self, Names};
use super::{agreement, body, plain, refused, written};
use crate::env::{Argument, Face, Parameter, Signature, Type, TypeId};
use crate::errors::Errors;
use crate::front;
use crate::paths::Root;

/// The attribute.
pub(crate) fn attribute(arguments: TokenStream, input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let options = Options::of_func(arguments, &mut errors);
    if let Some(path) = &options.own_gradient {
        errors.at(
            path,
            "methods have no derivatives of their own: write a function with `#[func(grad = ..)]`, and call it from the \
             method",
        );
    }
    let item: ItemImpl = match syn::parse2(input.clone()).map(ItemImpl::ungrouped) {
        Ok(item) => item,
        Err(_) => {
            errors.at_span(Span::call_site(), "`#[methods]` stands on an `impl` block: `#[methods] impl Type { .. }`");
            let errors = errors.to_items();
            return quote!(#input #errors);
        }
    };
    check(&item, &mut errors);
    let plain = plain_item(&item);
    if !errors.is_empty() {
        let errors = errors.to_items();
        return quote!(#plain #errors);
    }
    let identity = Identity::new("methods", &item.to_token_stream(), Span::call_site());
    let text = identity.text();
    let item = item.apart();
    let asks = asked(&item);
    if let Some(users) = asker(&item).and_then(|asker| refused::users(&asks, asker, &options.root)) {
        return quote!(#plain #users);
    }
    let chain = Chain {
        identity: &identity,
        part: "methods".into(),
        root: &options.root,
        origin: origin(&item),
        batch: BATCH,
        asks: asks.iter().map(ToTokens::to_token_stream).collect(),
        step: "methods",
        state: quote!(#text { #item }),
    }
    .ask();
    quote!(#plain #chain)
}

/// An identifier of the user's that stands for the place of the whole.
fn origin(item: &ItemImpl) -> TokenStream {
    asker(item).map_or_else(|| quote!(Self), ToTokens::to_token_stream)
}

/// The name of the type that the block is for.
fn asker(item: &ItemImpl) -> Option<&Ident> {
    match &*item.self_ty {
        syn::Type::Path(path) => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}

fn plain_item(item: &ItemImpl) -> TokenStream {
    let mut plain = item.clone();
    for function in plain.items.iter_mut() {
        if let ImplItem::Fn(function) = function {
            plain::rewrite(&mut function.block);
        }
    }
    quote!(#[allow(unstable_name_collisions)] #plain)
}

fn check(item: &ItemImpl, errors: &mut Errors) {
    Generics::of(&item.generics, errors);
    if let Some(lifetime) = item.generics.lifetimes().next() {
        errors.at(
            lifetime,
            "`impl` blocks of methods that kernels call have no lifetimes: give them to the method itself",
        );
    }
    if !matches!(&*item.self_ty, syn::Type::Path(path) if path.qself.is_none()) {
        errors.at(&item.self_ty, "methods that kernels call belong to a struct or enum with `#[derive(Struct)]`");
    }
    for function in functions(item) {
        super::names::check_qualifiers(&function.sig, errors);
        // What is wrong with their parameters.
        Generics::of(&function.sig.generics, errors);
    }
}

fn functions(item: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    item.items.iter().filter_map(|function| match function {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    })
}

/// The paths of the types of the block, its trait's argument, and its functions' signatures, each once.
fn asked(item: &ItemImpl) -> Vec<syn::Path> {
    let of_block = Generics::of(&item.generics, &mut Errors::new()).names();
    let mut all = types::asks(heads(item), &of_block);
    for function in functions(item) {
        let own = Generics::of_method(&item.generics, &function.sig.generics).names();
        for path in types::asks(signature_types(&function.sig), &own) {
            if !all.contains(&path) {
                all.push(path);
            }
        }
    }
    all
}

/// The type of the block, and its trait's argument.
fn heads(item: &ItemImpl) -> Vec<&syn::Type> {
    let right = item.trait_.as_ref().and_then(|(path, ..)| trait_argument(path));
    std::iter::once(&*item.self_ty).chain(right).collect()
}

/// `Vec3` in `Mul<Vec3>`.
fn trait_argument(path: &syn::Path) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &path.segments.last()?.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The step `methods`: all types in sight have answered.
pub(crate) fn answered(step: &Step) -> TokenStream {
    let item: ItemImpl = match syn::parse2(step.state.group(1)) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let known = super::structure::answered(step, &asked(&item));
    match known {
        Ok(known) if known.poisoned => TokenStream::new(),
        Ok(mut known) => match block(&item, &mut known, &step.root) {
            Ok(items) => {
                let own = Generics::of(&item.generics, &mut Errors::new()).names();
                let agreement = agreement::of_types(&heads(&item), &own, &known, &step.root);
                let bounds = agreement::bounds(&item.generics, &step.root);
                quote!(#agreement #bounds #items)
            }
            Err(error) => error.to_compile_error(),
        },
        Err(error) => error.to_compile_error(),
    }
}

/// Whose methods they are.
struct Owner {
    ty: Type,
    /// The user's type under which they are found.
    id: TypeId,
    /// How that type is written here; of a generic struct the example.
    carrier: syn::Type,
    /// For an operator whose left operand is no type of the user's: that operand's name.
    left: Option<String>,
}

fn block(item: &ItemImpl, known: &mut Known, root: &Root) -> syn::Result<TokenStream> {
    let generics = Generics::of(&item.generics, &mut Errors::new()).names();
    let names = Names { env: &known.env, generics: &generics, owner: None };
    let ty = names.resolve(&item.self_ty)?;
    let names = Names { env: &known.env, generics: &generics, owner: Some(&ty) };
    let right_type = item.trait_.as_ref().and_then(|(path, ..)| trait_argument(path));
    let right = right_type.map(|ty| names.resolve(ty)).transpose()?;
    let owner = match (user_id(&ty), right.as_ref().and_then(user_id)) {
        (Some(id), _) => Owner { carrier: example(&item.self_ty, &id, known), ty, id, left: None },
        (None, Some(id)) => {
            let left = front::type_key(&ty);
            Owner { carrier: example(right_type.unwrap_or(&item.self_ty), &id, known), ty, id, left: Some(left) }
        }
        (None, None) => {
            return Err(syn::Error::new_spanned(
                &item.self_ty,
                "methods that kernels call belong to a struct or enum with `#[derive(Struct)]`",
            ));
        }
    };
    known.owner = Some(owner.id.clone());
    let operator = item.trait_.as_ref().is_some_and(|(path, ..)| is_operator(path));
    Ok(functions(item).map(|function| method(item, function, &owner, right.as_ref(), operator, known, root)).collect())
}

/// The example of a generic struct that is named with arguments.
fn example(ty: &syn::Type, id: &str, known: &Known) -> syn::Type {
    match ty {
        syn::Type::Path(path) if !written::parameters(id, known).is_empty() => {
            let bare = types::bare(&path.path).to_token_stream();
            syn::Type::Verbatim(written::example(&bare, id, known))
        }
        other => other.clone(),
    }
}

fn user_id(ty: &Type) -> Option<TypeId> {
    match ty {
        Type::Struct(id, _) | Type::Enum(id) if identity::is_definition(id) => Some(id.clone()),
        _ => None,
    }
}

/// Traits of `core::ops` and comparison: their functions are operators.
fn is_operator(path: &syn::Path) -> bool {
    const BINARY: &[&str] = &["Add", "Sub", "Mul", "Div", "Rem", "BitAnd", "BitOr", "BitXor", "Shl", "Shr"];
    const OTHER: &[&str] = &["Neg", "Not", "PartialEq", "PartialOrd"];
    path.segments.last().is_some_and(|last| {
        let name = last.ident.to_string();
        let base = name.strip_suffix("Assign").unwrap_or(&name);
        BINARY.contains(&base) || OTHER.contains(&name.as_str())
    })
}

/// Under which names others ask: `energy`; operators with their right-hand type: `add Vec3`, `mul f32 Self`.
///
/// A right-hand type that is an argument of a generic struct is named after it, `mul #0`. Where it is another type, which
/// an argument may be in some instances, it has both names.
fn method_keys(
    function: &ImplItemFn,
    owner: &Owner,
    right: Option<&Type>,
    operator: bool,
    generics: &[Parameter],
) -> (String, Vec<String>) {
    let name = function.sig.ident.unraw().to_string();
    let unary = function.sig.inputs.len() == 1;
    if !operator || unary {
        return (name, vec![]);
    }
    if let Some(left) = &owner.left {
        return (format!("{name} {left} Self"), vec![]);
    }
    let right = right.unwrap_or(&owner.ty);
    let arguments = if let Type::Struct(_, arguments) = &owner.ty { &arguments[..] } else { &[] };
    let is_right = |argument: &Argument| matches!(argument, Argument::Type(ty) if ty == right);
    if let Some(number) = arguments.iter().position(is_right) {
        return (format!("{name} #{number}"), vec![]);
    }
    let may_be_right = |argument: &Argument| match argument {
        Argument::Type(Type::Param(parameter)) => {
            generics.iter().any(|(other, bound)| other == parameter && may_be(bound, right))
        }
        _ => false,
    };
    let others = arguments.iter().enumerate().filter(|(_, argument)| may_be_right(argument));
    let others = others.map(|(number, _)| format!("{name} #{number}")).collect();
    (format!("{name} {}", front::type_key(right)), others)
}

/// Whether it is a generic struct with arguments.
fn is_instance(ty: &Type) -> bool {
    matches!(ty, Type::Struct(_, arguments) if !arguments.is_empty())
}

/// Whether a type parameter with this bound may be `ty`.
fn may_be(bound: &str, ty: &Type) -> bool {
    let scalar = match ty {
        Type::Scalar(scalar) => Some(*scalar),
        Type::Usize | Type::Isize => Some(Scalar::I64),
        _ => None,
    };
    match bound {
        "Float" => scalar.is_some_and(Scalar::is_float),
        "Int" => scalar.is_some_and(Scalar::is_int),
        "Scalar" => scalar.is_some_and(|scalar| scalar.is_float() || scalar.is_int()),
        _ => true,
    }
}

/// The macro under which others ask for a method.
fn asked_macro(owner: &Owner, key: &str, place: Span) -> Ident {
    let mut name = identity::method_macro(&owner.id, key);
    name.set_span(place);
    name
}

/// Whether another function of the crate stands under this name. Of a struct without parameters rustc says so itself.
fn is_second(item: &ItemImpl, function: &ImplItemFn, owner: &Owner, key: &str) -> bool {
    let self_type = &item.self_ty;
    let name = identity::method_macro(&owner.id, key);
    !identity::made_once(&name, &quote!(#self_type #function))
}

fn method(
    item: &ItemImpl,
    function: &ImplItemFn,
    owner: &Owner,
    right: Option<&Type>,
    operator: bool,
    known: &Known,
    root: &Root,
) -> TokenStream {
    let (name, place) = (&function.sig.ident, function.sig.ident.span());
    if operator && name == "ne" {
        let sentence = "kernels compute `!=` as what `eq` denies: leave `ne` out";
        return syn::Error::new(place, sentence).to_compile_error();
    }
    let of_block = Generics::of(&item.generics, &mut Errors::new()).list;
    let (key, mut other_keys) = method_keys(function, owner, right, operator, &of_block);
    if !written::parameters(&owner.id, known).is_empty() && is_second(item, function, owner, &key) {
        let sentence = format!(
            "kernels find the functions of a generic struct by its name and theirs, and another `{name}` of this struct \
             stands elsewhere: write one for all instances, `impl<T: Float> ..`, or give this one another name"
        );
        return syn::Error::new(place, sentence).to_compile_error();
    }
    other_keys.retain(|key| !is_second(item, function, owner, key));
    let whole = quote!(#function).to_string();
    let identity = Identity::new(&format!("method {} {key}", owner.id), &whole.parse().unwrap_or_default(), place);
    identity::made_here(&body_name(&identity, name));
    let generics = Generics::of_method(&item.generics, &function.sig.generics);
    let signature = match func::signature(&function.sig, &identity, &generics, &known.env, Some(&owner.ty)) {
        Ok(signature) => signature,
        Err(error) => {
            let face = answering_macro(&asked_macro(owner, &key, place), true, &poison_answer());
            let error = error.to_compile_error();
            return quote!(#face #error);
        }
    };
    let of_instance = std::iter::once(&owner.ty).chain(right).any(is_instance);
    let signature = Signature {
        of_block: of_block.len(),
        owner: (of_instance || !of_block.is_empty()).then(|| owner.ty.clone()),
        ..signature
    };
    let keys = std::iter::once(&key).chain(&other_keys);
    let faces: TokenStream =
        keys.map(|key| face(function, owner, key, signature.clone(), &identity, known, root)).collect();
    let as_item: ItemFn = ItemFn {
        attrs: function.attrs.clone(),
        vis: function.vis.clone(),
        modifiers: function.modifiers.clone(),
        sig: function.sig.clone(),
        block: Box::new(function.block.clone()),
    };
    let method = Method {
        owner: (*item.self_ty).clone(),
        id: owner.id.clone(),
        key,
        other_keys,
        carrier: owner.carrier.clone(),
        item: function.clone(),
        arguments: generics.arguments(),
    };
    let job = Job { kind: Kind::Method(Box::new(method)), identity, root: root.clone(), item: as_item };
    let body = body::start(&job);
    quote!(#faces #body)
}

/// What answers for a method under one of its names, and the ways to the types in its signature.
fn face(
    function: &ImplItemFn,
    owner: &Owner,
    key: &str,
    signature: Signature,
    identity: &Identity,
    known: &Known,
    root: &Root,
) -> TokenStream {
    let macro_name = asked_macro(owner, key, function.sig.ident.span());
    identity::made_here(&macro_name);
    let parts = parts_of_signature(&signature);
    let payload = payload_of(Face::Func(signature), &parts, known);
    let body = body_name(identity, &function.sig.ident);
    let face = answering_macro(&macro_name, true, &Answer::tokens(&payload, &hubs_of(&payload, known), Some(&body)));
    let (carrier, base) = (&owner.carrier, identity::part_number(&owner.id, key));
    let carried = (carrier, owner.id.as_str());
    let types = signature_types(&function.sig);
    let ways = ways(&types, &parts, known, &carrier.to_token_stream(), base, Some(carried), root);
    quote!(#face #ways)
}

/// The constants of a method hang on its type.
pub(super) fn holder(method: &Method) -> Holder<'_> {
    Holder {
        carrier: method.carrier.to_token_stream(),
        constants: constants(method).map(|constant| constant.to_token_stream()).collect(),
        owner: Some(&method.owner),
    }
}

/// The names of these constants.
fn constants(method: &Method) -> impl Iterator<Item = Ident> {
    let keys = std::iter::once(&method.key).chain(&method.other_keys);
    keys.map(|key| method_constant(&method.id, key))
}

/// The body of a method that failed, and a constant for those who look.
pub(super) fn poison(identity: &Identity, name: &Ident, method: &Method, root: &Root) -> TokenStream {
    let body = func::poison(identity, name);
    let (carrier, private) = (&method.carrier, root.private());
    let constants = constants(method);
    quote! {
        #body
        impl #carrier {
            #(
                #[doc(hidden)]
                #[allow(dead_code, non_upper_case_globals)]
                pub const #constants: #private::Link = #private::Link::NOTHING;
            )*
        }
    }
}
