//! `#[func(grad = f_grad)]`: the own derivative of a function has a signature that follows from the function's.
//!
//! It takes the function's arguments, and then the adjoint of each result that holds floats. It gives the adjoint of
//! each argument that holds floats: one value, or a tuple in the order of the arguments. An adjoint has the type of what
//! it belongs to. Slices and views are passed on, and no adjoint is given for them.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, ReturnType};

use super::agreement::at;
use crate::env::{Argument, Env, Parameter, Signature, Type, TypeDef};
use crate::errors::Errors;
use crate::front;
use crate::paths::Root;

/// Asks rustc whether the function that `path` names has the signature of a derivative.
pub(super) fn check(item: &ItemFn, signature: &Signature, path: &syn::Path, env: &Env, root: &Root) -> TokenStream {
    let floats = Floats { env, generics: &signature.generics };
    let mut errors = Errors::new();
    let (mut taken, mut given) = (Vec::new(), Vec::new());
    for (input, (_, ty)) in item.sig.inputs.iter().zip(&signature.params) {
        let FnArg::Typed(typed) = input else { continue };
        let written = &typed.ty;
        taken.push(written.to_token_stream());
        match ty {
            Type::MutRef(_) | Type::Slice { mutable: true, .. } | Type::Planes { mutable: true, .. } => errors.at(
                written,
                "a function with a derivative of its own changes none of its arguments: return the new value",
            ),
            Type::View { mutable: true, .. } | Type::Bundle(_) => errors
                .at(written, "a function with a derivative of its own takes values and read-only slices and views"),
            ty if floats.in_value(ty) => given.push(by_value(written)),
            _ => {}
        }
    }
    taken.extend(adjoints_of_result(&item.sig.output, &signature.result, &floats));
    if given.is_empty() && errors.is_empty() {
        errors.at(path, "no argument of this function holds floats, so it has no derivative");
    }
    if !errors.is_empty() {
        return errors.to_items();
    }
    let result = match given.as_slice() {
        [one] => one.clone(),
        several => quote!((#(#several),*)),
    };
    question(item, path, &taken, &result, root)
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

fn adjoints_of_result(output: &ReturnType, ty: &Type, floats: &Floats<'_>) -> Vec<TokenStream> {
    let ReturnType::Type(_, written) = output else { return vec![] };
    match (&**written, ty) {
        (syn::Type::Tuple(written), Type::Tuple(list)) => {
            let both = written.elems.iter().zip(list);
            both.filter(|(_, ty)| floats.in_value(ty)).map(|(written, _)| written.to_token_stream()).collect()
        }
        (written, ty) if floats.in_value(ty) => vec![written.to_token_stream()],
        _ => vec![],
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
