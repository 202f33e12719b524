//! Paths in the place of values and of callees.

use quote::ToTokens;
use syn::spanned::Spanned;
use warp_ir::builtins::Builtin;

use super::{Parser, primitive_constant, unraw};
use crate::env::{Face, TypeDef};
use crate::front::ast::*;
use crate::front::library;
use crate::front::lower::builtin;
use crate::front::missing;
use crate::front::names::{path_key, type_arguments};
use crate::front::types::Ty;

/// The convention for constants: capitals, digits and underscores.
pub(crate) fn is_screaming(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}

/// The convention for types and variants.
pub(crate) fn is_camel(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase) && !is_screaming(name)
}

/// Whether a name in front of `::name(..)` is that of a type, not of a module: `Aabb`, `AABB`, `T`.
pub(crate) fn is_type_name(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

impl Parser<'_> {
    /// A path as a value: a variable, a constant, a variant, a length parameter.
    pub(super) fn path(&mut self, p: &syn::ExprPath) -> ExprId {
        let span = p.path.segments.last().map_or_else(|| p.span(), |s| s.ident.span());
        let Some(last) = p.path.segments.last() else { return self.bad(span, "an empty path") };
        let name = unraw(&last.ident);
        if p.qself.is_some() {
            return self.constant(p.to_token_stream(), None, span);
        }
        if p.path.get_ident().is_some() {
            if let Some(var) = self.lookup(&name) {
                return self.push(span, Kind::Var(var));
            }
            if let Some(&len) = self.names.lengths.get(&name) {
                return self.push(span, Kind::Int { value: len as u128, suffix: Some(Ty::Usize) });
            }
        }
        // What is the length of an array here is the same number elsewhere in the body.
        if let Some(&Face::Length(len)) = self.names.face(&p.path)
            && !self.names.constants.contains_key(&name)
        {
            return self.push(span, Kind::Int { value: len as u128, suffix: Some(Ty::Usize) });
        }
        if names_option(&p.path, "None") {
            let none = self.push(span, Kind::None);
            return self.of_option(none, &p.path);
        }
        if let Some(expr) = self.member_of_type(&p.path, &name, span) {
            return expr;
        }
        let of_block = p.path.get_ident().and_then(|_| self.block_constant(&name));
        if is_screaming(&name) || of_block.is_some() {
            return self.constant(p.to_token_stream(), of_block, span);
        }
        let message = match self.names.face(&p.path) {
            Some(Face::Func(_) | Face::Builtin(_)) => {
                format!("kernels have no function values: call `{name}(..)` here")
            }
            Some(Face::Type(_)) => format!("`{name}` is a type; write a value of it: `{name} {{ .. }}`"),
            Some(Face::Length(_)) | None => {
                self.errors.defer(
                    span,
                    format!("kernels do not know `{name}`: it is no variable, and constants are written in capitals"),
                );
                return self.push(span, Kind::Bad);
            }
        };
        self.bad(span, message)
    }

    /// `None::<i32>`, `Option::<i32>::None`: an option whose type is written out.
    fn of_option(&mut self, value: ExprId, path: &syn::Path) -> ExprId {
        let written = path.segments.iter().find_map(|s| type_arguments(s).first().copied().cloned());
        let Some(written) = written else { return value };
        let ty = Ty::Option(Box::new(self.ty(&written)));
        let span = self.body.expr(value).span;
        self.push(span, Kind::Ascribed { value, ty })
    }

    /// `Type::CONST` and `Type::Variant`.
    fn member_of_type(&mut self, path: &syn::Path, name: &str, span: proc_macro2::Span) -> Option<ExprId> {
        let (owner_type, group) = self.owner_type(path)?;
        if let Some((ty, bits)) = primitive_constant(&owner_type, group, name) {
            return Some(self.push(span, Kind::Bits { ty, bits }));
        }
        if let Ty::Enum(id) = &owner_type
            && let Some(TypeDef::Enum { variants, .. }) = self.names.definition(id)
            && let Some((_, value)) = variants.iter().find(|(n, _)| n == name)
        {
            return Some(self.push(span, Kind::Variant { ty: owner_type.clone(), value: *value }));
        }
        if let Ty::Struct(id, _) = &owner_type
            && is_screaming(name)
        {
            if let Some(bits) = library::constant(id, name) {
                return Some(self.filled(&owner_type, span, &bits));
            }
            // A constant of a library type has that type; of a user's, any.
            let ty = library::types().contains_key(id).then(|| owner_type.clone()).filter(|_| name != "AXES");
            return Some(self.constant(path.to_token_stream(), ty, span));
        }
        None
    }

    /// The type whose member a path names, and the module inside it (`consts`).
    pub(super) fn owner_type(&self, path: &syn::Path) -> Option<(Ty, &'static str)> {
        let count = path.segments.len();
        if count < 2 {
            return None;
        }
        let owner = unraw(&path.segments[count - 2].ident);
        if owner == "consts" && count >= 3 {
            return Some((Ty::primitive(&unraw(&path.segments[count - 3].ident))?, "consts"));
        }
        let prefix = prefix(path);
        let lone = if prefix.segments.len() <= 3 { Ty::primitive(&owner) } else { None };
        Some((lone.or_else(|| self.names.path_type(&prefix).ok())?, ""))
    }

    /// A struct of scalars by the bits of its leaves.
    fn filled(&mut self, ty: &Ty, span: proc_macro2::Span, bits: &[u64]) -> ExprId {
        let mut bits = bits.iter().copied();
        self.fill(ty, span, &mut bits)
    }

    fn fill(&mut self, ty: &Ty, span: proc_macro2::Span, bits: &mut impl Iterator<Item = u64>) -> ExprId {
        let Some(fields) = self.names.fields(ty) else {
            let bits = bits.next().unwrap_or(0);
            return self.push(span, Kind::Bits { ty: ty.clone(), bits });
        };
        let fields =
            fields.into_iter().map(|(name, field)| (name.to_string(), self.fill(&field, span, bits))).collect();
        self.push(span, Kind::Struct { ty: ty.clone(), fields, base: None })
    }

    /// A call of something named by a path.
    pub(super) fn call(&mut self, call: &syn::ExprCall, text: String) -> ExprId {
        let span = call.func.span();
        let syn::Expr::Path(p) = strip(&call.func) else {
            return self.bad(span, "kernels call functions by their names only");
        };
        let Some(last) = p.path.segments.last() else { return self.bad(span, "an empty path") };
        let name_span = last.ident.span();
        let name = unraw(&last.ident);
        if names_option(&p.path, "Some") && call.args.len() == 1 {
            let value = self.expr(&call.args[0]);
            let some = self.push(name_span, Kind::Some(value));
            return self.of_option(some, &p.path);
        }
        if p.path.get_ident().is_some() && self.lookup(&name).is_some() {
            // What the variable holds was refused where it comes from, or rustc says that it is no function.
            self.errors.defer(name_span, "kernels cannot call values: closures may stand only as direct arguments");
            return self.push(name_span, Kind::Bad);
        }
        let generics = match &last.arguments {
            syn::PathArguments::AngleBracketed(list) => self.generics(list),
            _ => vec![],
        };
        let Some(callee) = self.callee(p, &name, name_span) else { return self.push(name_span, Kind::Bad) };
        if let Callee::Assoc { ty, name, .. } = &callee
            && name.is_empty()
        {
            return self.constructor(ty.clone(), call, name_span);
        }
        let args: Vec<ExprId> = call.args.iter().map(|a| self.argument(a)).collect();
        if self.names.library
            && let Callee::Func { key, .. } = &callee
            && let Some((&receiver, rest)) = args.split_first()
            && Builtin::from_name(key).is_some_and(|builtin| builtin.row().is_function())
        {
            // On the host a function of `warp::math`, which has the bits of the method in kernels.
            let (name, args) = (name, rest.to_vec());
            return self.push_text(name_span, text, Kind::Method { receiver, name, name_span, generics, args });
        }
        let early = crate::expand::evaluated_first(call);
        self.body.hoisted.extend(args.iter().zip(early).filter(|(_, early)| *early).map(|(arg, _)| *arg));
        self.push_text(name_span, text, Kind::Call { callee, generics, args })
    }

    /// The generic arguments that are written out.
    pub(super) fn generics(&mut self, list: &syn::AngleBracketedGenericArguments) -> Vec<Generic> {
        let mut generics = vec![];
        for argument in &list.args {
            generics.push(match argument {
                syn::GenericArgument::Type(syn::Type::Infer(_)) => Generic::Infer,
                // A lone name may be a length.
                syn::GenericArgument::Type(syn::Type::Path(p)) if self.names.known_length(&p.path).is_some() => {
                    self.names.known_length(&p.path).map_or(Generic::Infer, Generic::Length)
                }
                syn::GenericArgument::Type(ty) => Generic::Type(self.ty(ty)),
                syn::GenericArgument::Const(expr) => {
                    let found = self.names.length(expr);
                    self.named(found).map_or(Generic::Infer, Generic::Length)
                }
                _ => continue,
            });
        }
        generics
    }

    /// Who a path in front of parentheses names. An empty name in `Assoc` is a tuple struct's constructor.
    fn callee(&mut self, p: &syn::ExprPath, name: &str, span: proc_macro2::Span) -> Option<Callee> {
        if let Some(qself) = &p.qself {
            let ty = self.ty(&qself.ty);
            return Some(Callee::Assoc { ty, name: name.into(), span });
        }
        match self.names.face(&p.path) {
            Some(Face::Func(_)) => {
                let tokens = crate::front::names::bare_path(&p.path).to_token_stream();
                return Some(Callee::Func { key: path_key(&p.path), span, tokens });
            }
            // A function of the library's texts: `vec3`.
            Some(Face::Builtin(original)) if builtin::free(original).is_none() => {
                let tokens = crate::front::names::bare_path(&p.path).to_token_stream();
                return Some(Callee::Func { key: original.clone(), span, tokens });
            }
            Some(Face::Builtin(original)) => return Some(Callee::Builtin { name: original.clone(), span }),
            Some(Face::Type(_)) => {
                let found = self.names.path_type(&p.path);
                return self.named(found).map(|ty| Callee::Assoc { ty, name: String::new(), span });
            }
            Some(Face::Length(_)) | None => {}
        }
        if p.path.segments.len() == 1 && name == "Self" {
            return self.names.owner.clone().map(|ty| Callee::Assoc { ty, name: String::new(), span });
        }
        if p.path.segments.len() >= 2 && !is_camel(name) {
            let owner = &p.path.segments[p.path.segments.len() - 2].ident;
            let owner_name = unraw(owner);
            if is_type_name(&owner_name)
                || Ty::primitive(&owner_name).is_some()
                || self.names.types.contains_key(&owner_name)
            {
                let found = self.names.path_type(&prefix(&p.path));
                let ty = self.named(found)?;
                return Some(Callee::Assoc { ty, name: name.into(), span });
            }
        }
        if self.names.library && name == "clamp_bounds" {
            return Some(Callee::Builtin { name: name.into(), span });
        }
        if self.names.library && p.path.segments.len() == 1 {
            return Some(Callee::Func { key: name.into(), span, tokens: p.path.to_token_stream() });
        }
        match name {
            "Ok" | "Err" => self.no_result(span),
            _ if missing::is_of_std(&p.path) => self.errors.refuse(span, missing::std_function(&p.path)),
            _ => self.errors.defer(span, format!("kernels do not know the function `{name}`: mark it `#[func]`")),
        }
        None
    }

    /// Says once in a body that there is no `Result`.
    pub(super) fn no_result(&mut self, span: proc_macro2::Span) {
        self.errors.refuse_once(span, missing::sentence("Result").unwrap_or_default());
    }

    fn constructor(&mut self, ty: Ty, call: &syn::ExprCall, span: proc_macro2::Span) -> ExprId {
        let fields = call.args.iter().enumerate().map(|(k, a)| (k.to_string(), self.expr(a))).collect();
        self.push(span, Kind::Struct { ty, fields, base: None })
    }
}

/// The path without its last segment.
pub(crate) fn prefix(path: &syn::Path) -> syn::Path {
    let segments = path.segments.iter().take(path.segments.len() - 1).cloned().collect();
    syn::Path { leading_colon: path.leading_colon, segments }
}

/// An expression without parentheses and invisible groups.
pub(crate) fn strip(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(e) => strip(&e.expr),
        syn::Expr::Group(e) => strip(&e.expr),
        other => other,
    }
}

/// Whether a path names this variant of `Option`, alone or behind the type; another type may have one of that name.
pub(super) fn names_option(path: &syn::Path, variant: &str) -> bool {
    let mut segments = path.segments.iter().rev();
    segments.next().is_some_and(|s| s.ident == variant) && segments.next().is_none_or(|s| s.ident == "Option")
}
