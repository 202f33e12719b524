//! The parameters of generic functions, methods and structs.

use std::collections::HashSet;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{GenericParam, TypeParam, TypeParamBound};
use warp_ir::ir::Scalar;

use super::bodies::Arguments;
use crate::env::{Parameter, Type};
use crate::errors::Errors;
use crate::front::library::ANYTHING;

/// Type and length parameters of a function.
pub(crate) struct Generics {
    pub list: Vec<Parameter>,
}

impl Generics {
    pub(crate) fn of(generics: &syn::Generics, errors: &mut Errors) -> Generics {
        let mut list = Vec::new();
        for parameter in &generics.params {
            match parameter {
                GenericParam::Lifetime(_) => {}
                GenericParam::Type(ty) => match bound_of(generics, ty) {
                    Some(bound) => {
                        check_bounds(generics, ty, &bound, errors);
                        list.push((ty.ident.to_string(), bound.to_string()));
                    }
                    None => errors.at(
                        ty,
                        "a type parameter of a kernel function is bounded by `Float`, `Int` or `Scalar`, or by `Copy` \
                         where its values are only handed on",
                    ),
                },
                GenericParam::Const(length) if is_length(length) => {
                    list.push((length.ident.to_string(), "usize".into()));
                }
                GenericParam::Const(other) => errors.at(other, "a const parameter of a kernel function is a `usize`"),
            }
        }
        Generics { list }
    }

    /// Those of an `impl` block, and behind them those of one of its functions.
    pub(crate) fn of_method(block: &syn::Generics, function: &syn::Generics) -> Generics {
        let mut generics = Generics::of(block, &mut Errors::new());
        generics.list.extend(Generics::of(function, &mut Errors::new()).list);
        generics
    }

    /// The names of all parameters.
    pub(crate) fn names(&self) -> HashSet<String> {
        self.list.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Arguments to lower the function with where it is defined; `None` when it is not generic.
    pub(crate) fn arguments(&self) -> Option<Arguments> {
        if self.list.is_empty() {
            return None;
        }
        let mut arguments = Arguments::default();
        for (name, bound) in &self.list {
            let ty = match bound.as_str() {
                "usize" => {
                    arguments.lengths.push((name.clone(), 4));
                    continue;
                }
                "Int" => Type::Scalar(Scalar::I32),
                // It has no methods and no operators, so that a body which has one for all types is refused.
                "Copy" => Type::plain(ANYTHING),
                _ => Type::Scalar(Scalar::F32),
            };
            arguments.types.push((name.clone(), ty));
        }
        Some(arguments)
    }
}

/// The parameters of a struct, whose arguments rustc checks: where no trait of ours bounds one, any value may stand.
pub(crate) fn of_struct(generics: &syn::Generics, errors: &mut Errors) -> Vec<Parameter> {
    let mut list = Vec::new();
    for parameter in &generics.params {
        match parameter {
            GenericParam::Lifetime(lifetime) => {
                errors.at(lifetime, "structs that kernels know hold values, and no references: they have no lifetimes");
            }
            GenericParam::Type(ty) => {
                if let Some((_, default)) = &ty.default {
                    errors.at(default, "parameters of structs that kernels know have no defaults: write the argument where the struct is named");
                }
                let bound = bound_of(generics, ty).filter(|bound| bound != "Copy");
                for other in bounds(generics, ty).filter(|bound| !is_harmless(bound)) {
                    errors.at(
                        other,
                        "a type parameter of a struct that kernels know is bounded by `Float`, `Int`, `Scalar`, or by \
                         traits that all numbers have: `Copy`, `PartialEq`, `Debug`; bound the functions that need more",
                    );
                }
                list.push((ty.ident.to_string(), bound.map(|bound| bound.to_string()).unwrap_or_default()));
            }
            GenericParam::Const(length) => {
                if !is_length(length) {
                    errors.at(
                        length,
                        "a const parameter of a struct that kernels know is a `usize`: the length of an array",
                    );
                }
                if let Some((_, default)) = &length.default {
                    errors.at(default, "parameters of structs that kernels know have no defaults: write the argument where the struct is named");
                }
                list.push((length.ident.to_string(), "usize".into()));
            }
        }
    }
    for condition in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if !is_about_parameter(condition, generics) {
            errors
                .at(condition, "structs that kernels know have conditions on their parameters alone: `where T: Float`");
        }
    }
    list
}

fn is_length(parameter: &syn::ConstParam) -> bool {
    parameter.ty.to_token_stream().to_string() == "usize"
}

fn is_about_parameter(condition: &syn::WherePredicate, generics: &syn::Generics) -> bool {
    match condition {
        syn::WherePredicate::Type(condition) => {
            let about = condition.bounded_ty.to_token_stream().to_string();
            condition.lifetimes.is_none() && generics.type_params().any(|parameter| parameter.ident == about)
        }
        _ => false,
    }
}

/// Traits that `f32`, `i32` and all other numbers have, and that bring no methods which kernels would take for others.
fn is_harmless(bound: &TypeParamBound) -> bool {
    const HARMLESS: &[&str] = &[
        "Float",
        "Int",
        "Scalar",
        "Copy",
        "Clone",
        "PartialEq",
        "PartialOrd",
        "Debug",
        "Default",
        "Element",
        "Send",
        "Sync",
        "Sized",
    ];
    match bound {
        TypeParamBound::Trait(bound) => {
            bound.maybe.is_none()
                && bound.path.segments.last().is_some_and(|last| HARMLESS.iter().any(|name| last.ident == name))
        }
        TypeParamBound::Lifetime(lifetime) => lifetime.ident == "static",
        _ => false,
    }
}

/// A function of values that are only copied asks nothing else of them.
fn check_bounds(generics: &syn::Generics, parameter: &TypeParam, bound: &Ident, errors: &mut Errors) {
    if bound != "Copy" {
        return;
    }
    for other in bounds(generics, parameter).filter(|bound| !is_harmless(bound)) {
        errors.at(
            other,
            "kernels know what a type can do that is bounded by `Float`, `Int` or `Scalar`; one that is bounded by `Copy` \
             is handed on and compared, and no more",
        );
    }
}

/// The bounds of a type parameter, in its list or in a `where` clause.
fn bounds<'a>(generics: &'a syn::Generics, parameter: &'a TypeParam) -> impl Iterator<Item = &'a TypeParamBound> {
    let conditions = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let conditions = conditions.filter_map(|predicate| match predicate {
        syn::WherePredicate::Type(p) if parameter.ident == p.bounded_ty.to_token_stream().to_string() => {
            Some(&p.bounds)
        }
        _ => None,
    });
    std::iter::once(&parameter.bounds).chain(conditions).flatten()
}

/// The name of the trait that says what kernels may do with values of a type parameter.
pub(super) fn bound_of(generics: &syn::Generics, parameter: &TypeParam) -> Option<Ident> {
    let names: Vec<Ident> = bounds(generics, parameter)
        .filter_map(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last().map(|last| last.ident.clone()),
            _ => None,
        })
        .collect();
    let ours = names.iter().find(|name| ["Float", "Int", "Scalar"].iter().any(|ours| *name == ours));
    ours.or_else(|| names.iter().find(|name| *name == "Copy")).cloned()
}
