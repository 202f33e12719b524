//! What a kernel's parameters, a bundle's fields and the elements of arrays may be, as far as their form tells.
//!
//! The host's side of a launch follows from the types alone, and rustc would tell what is wrong there three times, in
//! terms of the runtime. So it is said first, at the user's type.

use quote::ToTokens;
use syn::{Error, GenericArgument, PathArguments, PathSegment, Result, Type, TypePath};

use super::types::is_view;
use crate::front::{missing, one_line};

/// Checks the type of a kernel's parameter or of a bundle's field.
pub(super) fn check(ty: &Type) -> Result<()> {
    match strip(ty) {
        Type::Reference(reference) => by_reference(reference),
        Type::Path(path) => named(path),
        Type::Array(array) => element(&array.elem),
        Type::Slice(_) => {
            let slice = written(ty);
            refuse(ty, format!("a kernel takes an array by reference: `&{slice}`, or `&mut {slice}` to write to it"))
        }
        Type::Tuple(_) => refuse(
            ty,
            "a kernel takes no tuples: write a parameter for each part, or a struct with \
             `#[derive(Clone, Copy, Struct)]` and `#[repr(C)]`",
        ),
        other => no_value(other),
    }
}

/// Checks the type of what an array holds.
pub(super) fn element(ty: &Type) -> Result<()> {
    match strip(ty) {
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Ok(()) };
            let name = last.ident.to_string();
            match missing::sentence(&name) {
                Some(sentence) => refuse(path, sentence),
                None if name == "Option" && argument(last).is_some() => refuse(
                    path,
                    "arrays hold no `Option`: hold a struct with the value and a flag, or a value that means none",
                ),
                None if (is_view(&name) || name == "Soa") && argument(last).is_some() => {
                    refuse(path, format!("arrays hold values, and a `{name}` is an array itself"))
                }
                None => Ok(()),
            }
        }
        Type::Array(array) => element(&array.elem),
        Type::Tuple(tuple) => refuse(
            tuple,
            "arrays hold no tuples: name the parts in a struct with `#[derive(Clone, Copy, Struct)]` and `#[repr(C)]`",
        ),
        Type::Slice(slice) => {
            let inside = written(&slice.elem);
            refuse(
                slice,
                format!(
                    "arrays hold values, not arrays of any length: take a `View2<{inside}>`, or fixed arrays `[{inside}; 3]`"
                ),
            )
        }
        Type::Reference(reference) => {
            refuse(reference, "arrays hold values, not references: hold the value, or an index into another array")
        }
        other => no_value(other),
    }
}

fn by_reference(reference: &syn::TypeReference) -> Result<()> {
    let mutable = if reference.mutability.is_some() { "mut " } else { "" };
    let inner = strip(&reference.elem);
    match inner {
        Type::Slice(slice) => element(&slice.elem),
        Type::Array(_) | Type::Tuple(_) => by_value(reference, inner, mutable),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Ok(()) };
            match (last.ident.to_string().as_str(), argument(last)) {
                ("Soa", Some(inside)) => element(inside),
                ("Array" | "SoaArray" | "Vec", Some(inside)) => refuse(reference, of_host(last, inside, mutable)),
                (name, Some(_)) if is_view(name) => {
                    refuse(reference, format!("a view is a reference already: take it by value, `{}`", written(inner)))
                }
                (name, _) => match missing::sentence(name) {
                    Some(sentence) => refuse(inner, sentence),
                    None => by_value(reference, inner, mutable),
                },
            }
        }
        other => no_value(other),
    }
}

/// What stands for an array of the host's inside a kernel.
fn of_host(last: &PathSegment, inside: &Type, mutable: &str) -> String {
    let (host, inside) = (&last.ident, written(inside));
    match host == "SoaArray" {
        true => format!("a `{host}` is what the host passes: the kernel takes `&{mutable}Soa<{inside}>`"),
        false if host == "Array" => {
            format!("an `{host}` is what the host passes: the kernel takes a slice, `&{mutable}[{inside}]`")
        }
        false => format!("a kernel takes a slice, `&{mutable}[{inside}]`, and its launch an `Array` with the values"),
    }
}

fn by_value(reference: &syn::TypeReference, inner: &Type, mutable: &str) -> Result<()> {
    let ty = written(inner);
    match mutable.is_empty() {
        true => refuse(reference, format!("a kernel takes arrays by reference and all else by value: write `{ty}`")),
        false => refuse(
            reference,
            format!(
                "a kernel takes arrays by reference and all else by value: write `{ty}`; what a kernel gives goes to \
                 the elements of a `&mut [T]`, which may be a field of a bundle"
            ),
        ),
    }
}

fn named(path: &TypePath) -> Result<()> {
    let Some(last) = path.path.segments.last() else { return Ok(()) };
    let name = last.ident.to_string();
    match (name.as_str(), argument(last)) {
        (name, Some(inside)) if is_view(name) => element(inside),
        ("Array" | "SoaArray" | "Vec", Some(inside)) => refuse(path, of_host(last, inside, "")),
        ("Soa", Some(inside)) => {
            let inside = written(inside);
            refuse(path, format!("`Soa` is passed by reference: `&Soa<{inside}>` or `&mut Soa<{inside}>`"))
        }
        ("Option", Some(_)) => {
            refuse(path, "a kernel takes no `Option`: pass the value, and a `bool` that says whether there is one")
        }
        (name, _) => missing::sentence(name).map_or(Ok(()), |sentence| refuse(path, sentence)),
    }
}

/// Types that are no values to kernels at all.
fn no_value(ty: &Type) -> Result<()> {
    match ty {
        Type::FnPtr(_) => refuse(ty, "kernels take no functions: call a `#[func]` by its name"),
        Type::ImplTrait(_) | Type::TraitObject(_) => refuse(
            ty,
            "kernels take no trait objects and no `impl Trait`: name the type, or call a `#[func]` by its name",
        ),
        Type::Ptr(_) => refuse(ty, "kernels take no raw pointers: take a slice and index it"),
        _ => Ok(()),
    }
}

/// A type as one would write it.
pub(super) fn written(ty: &Type) -> String {
    one_line(ty.to_token_stream()).replace(" < ", "<").replace(" >", ">").trim_end().into()
}

fn refuse(at: &impl ToTokens, sentence: impl Into<String>) -> Result<()> {
    Err(Error::new_spanned(at, sentence.into()))
}

fn strip(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => strip(&inner.elem),
        Type::Group(inner) => strip(&inner.elem),
        other => other,
    }
}

/// The last type argument of a name.
fn argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.last()
}
