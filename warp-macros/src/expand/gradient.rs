//! `#[func(grad = f_grad)]`: the own derivative of a function has a signature that follows from the function's.
//!
//! It takes the function's arguments, and then the adjoint of each result that holds floats. It gives the adjoint of
//! each argument that holds floats: one value, or a tuple in the order of the arguments. An adjoint has the type of what
//! it belongs to. Slices and views are passed on, and no adjoint is given for them.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, ReturnType};

use super::agreement::at;
use super::func;
use super::identity::Identity;
use super::parameters::Generics;
use crate::env::{Argument, Env, Face, Item, Outcome, Parameter, Signature, Type, TypeDef};
use crate::errors::Errors;
use crate::front::{self, Error, ErrorKind, derivative};
use crate::paths::Root;

/// Asks rustc whether the function that `path` names has the signature of a derivative.
pub(super) fn check(item: &ItemFn, signature: &Signature, path: &syn::Path, env: &Env, root: &Root) -> TokenStream {
    let mut errors = Errors::new();
    let shape = Shape::of(item, signature, env, &mut errors);
    if shape.given.is_empty() && errors.is_empty() {
        errors.at(path, "no argument of this function holds floats, so it has no derivative");
    }
    if !errors.is_empty() {
        return errors.to_items();
    }
    question(item, path, &shape.taken(), &shape.result(), root)
}

/// The way of an item to IR; of a function with a derivative of its own, with that.
pub(super) fn lower(item: &Item<'_>, env: &Env) -> Outcome {
    let (Item::Func(function) | Item::Instance { item: function, .. }) = *item else { return front::lower(item, env) };
    let (mut lowered, path) = match (front::lower(item, env), derivative::named(function)) {
        (Outcome::Done(lowered), Some(path)) => (lowered, path),
        (outcome, _) => return outcome,
    };
    // Where there is no bridge, the face has told why.
    let Some(bridge) = Bridge::new(function, &path, env) else { return Outcome::Done(lowered) };
    let bridged = match *item {
        Item::Instance { types, lengths, .. } => Item::Instance { item: &bridge.item, types, lengths },
        _ => Item::Func(&bridge.item),
    };
    let message = match front::lower(&bridged, env) {
        Outcome::Done(of_bridge) => match derivative::graft(&mut lowered, *of_bridge, &bridge.given) {
            Ok(()) => return Outcome::Done(lowered),
            Err(message) => message,
        },
        Outcome::Need(asks) => return Outcome::Need(asks),
        Outcome::Failed(errors) => match errors.into_iter().next() {
            Some(error) if bridge.fits => error.message,
            // rustc tells that it does not fit.
            _ => return Outcome::Failed(vec![]),
        },
    };
    Outcome::Failed(vec![Error { span: path.span(), message, kind: ErrorKind::Refused }])
}

/// The types that the derivative of a function takes and gives.
struct Shape {
    /// The arguments as they are written.
    arguments: Vec<TokenStream>,
    /// The results, and whether each holds floats.
    results: Vec<(TokenStream, bool)>,
    /// By number the arguments that hold floats, and their types by value.
    given: Vec<(usize, TokenStream)>,
}

impl Shape {
    fn of(item: &ItemFn, signature: &Signature, env: &Env, errors: &mut Errors) -> Shape {
        let floats = Floats { env, generics: &signature.generics };
        let mut shape = Shape { arguments: vec![], results: vec![], given: vec![] };
        for (number, (input, (_, ty))) in item.sig.inputs.iter().zip(&signature.params).enumerate() {
            let FnArg::Typed(typed) = input else { continue };
            let written = &typed.ty;
            shape.arguments.push(written.to_token_stream());
            match ty {
                Type::MutRef(_) | Type::Slice { mutable: true, .. } | Type::Planes { mutable: true, .. } => errors.at(
                    written,
                    "a function with a derivative of its own changes none of its arguments: return the new value",
                ),
                Type::View { mutable: true, .. } | Type::Bundle(_) => errors
                    .at(written, "a function with a derivative of its own takes values and read-only slices and views"),
                ty if floats.in_value(ty) => shape.given.push((number, by_value(written))),
                _ => {}
            }
        }
        if let ReturnType::Type(_, written) = &item.sig.output {
            shape.results = match (&**written, &signature.result) {
                (syn::Type::Tuple(written), Type::Tuple(list)) => {
                    let both = written.elems.iter().zip(list);
                    both.map(|(written, ty)| (written.to_token_stream(), floats.in_value(ty))).collect()
                }
                (written, ty) => vec![(written.to_token_stream(), floats.in_value(ty))],
            };
        }
        shape
    }

    /// What the derivative takes: the arguments, and the adjoints of results.
    fn taken(&self) -> Vec<TokenStream> {
        let adjoints = self.results.iter().filter(|(_, floats)| *floats).map(|(ty, _)| ty);
        self.arguments.iter().chain(adjoints).cloned().collect()
    }

    /// What it gives.
    fn result(&self) -> TokenStream {
        match &self.given[..] {
            [(_, one)] => one.clone(),
            several => {
                let several = several.iter().map(|(_, ty)| ty);
                quote!((#(#several),*))
            }
        }
    }
}

/// A function that takes the arguments of another one and then its results, and calls its derivative.
struct Bridge {
    item: ItemFn,
    /// The arguments whose adjoints it gives.
    given: Vec<usize>,
    /// Whether the derivative has the right signature, as far as that is known here.
    fits: bool,
}

impl Bridge {
    fn new(function: &ItemFn, path: &syn::Path, env: &Env) -> Option<Bridge> {
        let generics = Generics::of(&function.sig.generics, &mut Errors::new());
        let signature =
            func::signature(&function.sig, &Identity::from_text(String::new()), &generics, env, None).ok()?;
        let mut errors = Errors::new();
        let shape = Shape::of(function, &signature, env, &mut errors);
        if !errors.is_empty() || shape.given.is_empty() {
            return None;
        }
        let name = |text: String| format_ident!("{}", text, span = path.span());
        let arguments: Vec<_> = (0..shape.arguments.len()).map(|k| name(derivative::argument(k))).collect();
        let results: Vec<_> = (0..shape.results.len()).map(|k| name(format!("result{k}"))).collect();
        let adjoints = results.iter().zip(&shape.results).filter(|(_, (_, floats))| *floats).map(|(name, _)| name);
        let (of_arguments, of_results) = (&shape.arguments, shape.results.iter().map(|(ty, _)| ty));
        let (own, parameters, result) = (&function.sig.ident, &function.sig.generics, shape.result());
        let conditions = &function.sig.generics.where_clause;
        let item = syn::parse_quote! {
            fn #own #parameters (#(#arguments: #of_arguments,)* #(#results: #of_results),*) -> #result #conditions {
                #path(#(#arguments,)* #(#adjoints),*)
            }
        };
        let fits = fits(&signature, env.faces.get(&super::body::path_key(path)), &shape);
        Some(Bridge { item, given: shape.given.into_iter().map(|(number, _)| number).collect(), fits })
    }
}

/// Whether a face is that of a derivative. Of a generic function only the number of parameters is compared.
fn fits(of: &Signature, face: Option<&Face>, shape: &Shape) -> bool {
    let Some(Face::Func(own)) = face else { return false };
    let results = match &of.result {
        Type::Tuple(list) => list.clone(),
        one => vec![one.clone()],
    };
    let adjoints = results.into_iter().zip(&shape.results).filter(|(_, (_, floats))| *floats).map(|(ty, _)| ty);
    let taken: Vec<Type> = of.params.iter().map(|(_, ty)| ty.clone()).chain(adjoints).collect();
    if !of.generics.is_empty() || !own.generics.is_empty() {
        return own.params.len() == taken.len();
    }
    let value = |ty: &Type| match ty {
        Type::Ref(inner) => (**inner).clone(),
        other => other.clone(),
    };
    let given: Vec<Type> = shape.given.iter().map(|(number, _)| value(&of.params[*number].1)).collect();
    let result = match &given[..] {
        [one] => one.clone(),
        _ => Type::Tuple(given),
    };
    own.params.iter().map(|(_, ty)| ty).eq(&taken) && own.result == result
}

/// A function that is never called, in which the derivative is assigned to a pointer of the expected type.
fn question(item: &ItemFn, path: &syn::Path, taken: &[TokenStream], result: &TokenStream, root: &Root) -> TokenStream {
    let span = path.span();
    let (parameters, _, conditions) = item.sig.generics.split_for_impl();
    let private = at(root.private(), span);
    let expected = all_at(quote!(fn(#(#taken),*) -> #result), span);
    // The type beside the function tells that kernels know it.
    let known = quote_spanned!(span=> let _ = <#path>::__WARP_FN;);
    let same = quote_spanned!(span=> let _: #expected = #path;);
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = {
            use #private::Late as _;
            fn __warp_gradient #parameters () #conditions {
                #known
                #same
            }
        };
    }
}

/// Tokens of the user's at one place, so that an error is about that place alone.
fn all_at(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), all_at(group.stream(), span)).into();
            }
            token.set_span(span);
            token
        })
        .collect()
}

/// An argument that is passed by reference has an adjoint that is a value.
fn by_value(ty: &syn::Type) -> TokenStream {
    match ty {
        syn::Type::Reference(reference) => reference.elem.to_token_stream(),
        syn::Type::Paren(inner) => by_value(&inner.elem),
        syn::Type::Group(inner) => by_value(&inner.elem),
        other => other.to_token_stream(),
    }
}

/// Which values hold floats.
struct Floats<'a> {
    env: &'a Env,
    generics: &'a [Parameter],
}

impl Floats<'_> {
    fn in_value(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(scalar) => scalar.is_float(),
            Type::Struct(id, arguments) => match self.env.types.get(id).or_else(|| front::library::types().get(id)) {
                Some(TypeDef::Struct { fields, .. }) => {
                    // Each parameter is the type of a field, or of a part of one.
                    let given = arguments.iter().any(|a| matches!(a, Argument::Type(ty) if self.in_value(ty)));
                    given || fields.iter().any(|(_, ty)| Floats { generics: &[], ..*self }.in_value(ty))
                }
                _ => false,
            },
            Type::Tuple(list) => list.iter().any(|ty| self.in_value(ty)),
            Type::Array(inner, _) | Type::ArrayOf(inner, _) | Type::Option(inner) | Type::Ref(inner) => {
                self.in_value(inner)
            }
            // A `Scalar` may be one: its adjoint is asked for.
            Type::Param(name) => self.generics.iter().any(|(other, bound)| other == name && bound != "Int"),
            Type::Unit
            | Type::Never
            | Type::Usize
            | Type::Isize
            | Type::Enum(_)
            | Type::Slice { .. }
            | Type::Planes { .. }
            | Type::View { .. }
            | Type::Bundle(_)
            | Type::MutRef(_) => false,
        }
    }
}
