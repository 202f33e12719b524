//! Types as signatures and fields write them.

use std::collections::HashSet;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, GenericArgument, PathArguments};
use warp_ir::ir::Scalar;

use super::argument_types;
use crate::env::{Argument, Env, Face, Parameter, Type, TypeDef};
use crate::front::{length, missing};

/// The library's vectors, matrices and quaternions: they mean the same in every crate.
const LIBRARY: &[&str] = &[
    "Vec2", "Vec3", "Vec4", "DVec2", "DVec3", "DVec4", "IVec2", "IVec3", "IVec4", "UVec2", "UVec3", "UVec4", "I64Vec2",
    "I64Vec3", "I64Vec4", "U64Vec2", "U64Vec3", "U64Vec4", "Mat2", "Mat3", "Mat4", "DMat2", "DMat3", "DMat4", "Quat",
    "DQuat", "BVec2", "BVec3", "BVec4",
];

const VIEWS: &[(&str, u8, bool)] = &[
    ("View2", 2, false),
    ("View3", 3, false),
    ("View4", 4, false),
    ("ViewMut2", 2, true),
    ("ViewMut3", 3, true),
    ("ViewMut4", 4, true),
];

/// Whether it is the name of a view.
pub(crate) fn is_view(name: &str) -> bool {
    VIEWS.iter().any(|(view, ..)| *view == name)
}

const OTHER: &[&str] = &["Option", "Soa", "Self"];

/// What type names mean where a type stands.
pub(crate) struct Names<'a> {
    pub env: &'a Env,
    /// Type parameters in scope.
    pub generics: &'a HashSet<String>,
    /// The type that `Self` stands for.
    pub owner: Option<&'a Type>,
}

/// The paths of types whose faces must be asked, in order of appearance.
pub(crate) fn asks<'a>(types: impl IntoIterator<Item = &'a syn::Type>, generics: &HashSet<String>) -> Vec<syn::Path> {
    struct Paths<'g> {
        found: Vec<syn::Path>,
        generics: &'g HashSet<String>,
    }
    impl Paths<'_> {
        fn lengths(&mut self, expr: &Expr) {
            for path in length::paths(expr) {
                let generic = path.get_ident().is_some_and(|name| self.generics.contains(&name.to_string()));
                if !generic && !self.found.contains(&path) {
                    self.found.push(path);
                }
            }
        }
    }
    impl Visit<'_> for Paths<'_> {
        fn visit_type_path(&mut self, ty: &syn::TypePath) {
            if ty.qself.is_none() && !is_known(&ty.path, self.generics) {
                let path = bare(&ty.path);
                if self.found.iter().all(|other| other != &path) {
                    self.found.push(path);
                }
            }
            visit::visit_type_path(self, ty);
        }

        fn visit_type_array(&mut self, ty: &syn::TypeArray) {
            self.visit_type(&ty.elem);
            self.lengths(&ty.len);
        }

        fn visit_generic_argument(&mut self, argument: &GenericArgument) {
            match argument {
                GenericArgument::Const(expr) => self.lengths(expr),
                other => visit::visit_generic_argument(self, other),
            }
        }
    }
    let mut paths = Paths { found: vec![], generics };
    types.into_iter().for_each(|ty| paths.visit_type(ty));
    paths.found
}

/// The path without generic arguments.
pub(super) fn bare(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    path.segments.iter_mut().for_each(|segment| segment.arguments = PathArguments::None);
    path
}

fn is_known(path: &syn::Path, generics: &HashSet<String>) -> bool {
    let Some(last) = path.segments.last() else { return false };
    let name = last.ident.to_string();
    (path.segments.len() == 1 && generics.contains(&name))
        || Scalar::from_name(&name).is_some()
        || LIBRARY.contains(&name.as_str())
        || OTHER.contains(&name.as_str())
        || missing::sentence(&name).is_some()
        || is_view(&name)
}

impl Names<'_> {
    /// The type that `ty` means.
    pub(crate) fn resolve(&self, ty: &syn::Type) -> syn::Result<Type> {
        match ty {
            syn::Type::Path(path) if path.qself.is_none() => self.path(&path.path),
            syn::Type::Paren(inner) => self.resolve(&inner.elem),
            syn::Type::Group(inner) => self.resolve(&inner.elem),
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => Ok(Type::Unit),
            syn::Type::Tuple(tuple) => {
                Ok(Type::Tuple(tuple.elems.iter().map(|t| self.resolve(t)).collect::<syn::Result<_>>()?))
            }
            syn::Type::Never(_) => Ok(Type::Never),
            syn::Type::Array(array) => self.array(array),
            syn::Type::Reference(reference) => self.reference(reference),
            other => Err(syn::Error::new(
                other.span(),
                "kernels do not know this kind of type: they take scalars, vectors, structs with `#[derive(Struct)]`, \
                 tuples, arrays, `Option`, slices and views",
            )),
        }
    }

    fn array(&self, array: &syn::TypeArray) -> syn::Result<Type> {
        let element = Box::new(self.resolve(&array.elem)?);
        match self.length_parameter(&array.len) {
            Some(name) => Ok(Type::ArrayOf(element, name)),
            None => Ok(Type::Array(element, self.length(&array.len)?)),
        }
    }

    fn length(&self, len: &Expr) -> syn::Result<u64> {
        length::value(len, &|path| self.env.length(path)).map_err(|(span, message)| syn::Error::new(span, message))
    }

    fn path(&self, path: &syn::Path) -> syn::Result<Type> {
        let Some(last) = path.segments.last() else {
            return Err(syn::Error::new(path.span(), "this path has no name"));
        };
        let name = last.ident.to_string();
        if path.segments.len() == 1 && self.generics.contains(&name) {
            return Ok(Type::Param(name));
        }
        match name.as_str() {
            "Self" => {
                return self.owner.cloned().ok_or_else(|| syn::Error::new(last.span(), "there is no `Self` here"));
            }
            "usize" => return Ok(Type::Usize),
            "isize" => return Ok(Type::Isize),
            "Option" => return Ok(Type::Option(Box::new(self.argument(last)?))),
            "Soa" => {
                return Err(syn::Error::new(last.span(), "`Soa` is passed by reference: `&Soa<T>` or `&mut Soa<T>`"));
            }
            _ => {}
        }
        if let Some(scalar) = Scalar::from_name(&name) {
            return Ok(Type::Scalar(scalar));
        }
        if LIBRARY.contains(&name.as_str()) {
            return Ok(Type::plain(name));
        }
        if let Some(&(_, rank, mutable)) = VIEWS.iter().find(|(view, ..)| *view == name) {
            return Ok(Type::View { element: Box::new(self.argument(last)?), rank, mutable });
        }
        if let Some(sentence) = missing::sentence(&name) {
            return Err(syn::Error::new(path.span(), sentence));
        }
        self.user_type(path)
    }

    fn user_type(&self, path: &syn::Path) -> syn::Result<Type> {
        match self.env.faces.get(&bare(path).to_token_stream().to_string()) {
            Some(Face::Type(id)) => match self.env.types.get(id).or_else(|| crate::front::library::types().get(id)) {
                Some(TypeDef::Enum { .. }) => Ok(Type::Enum(id.clone())),
                Some(TypeDef::Bundle { .. }) => Ok(Type::Bundle(id.clone())),
                Some(TypeDef::Struct { name, generics, .. }) => {
                    Ok(Type::Struct(id.clone(), self.struct_arguments(path, name, generics)?))
                }
                None => Ok(Type::plain(id.clone())),
            },
            Some(Face::Length(_)) => Err(syn::Error::new(path.span(), "this is a constant, and a type is expected")),
            Some(_) => Err(syn::Error::new(path.span(), "this is a function, and a type is expected")),
            None => Err(syn::Error::new(path.span(), "kernels do not know this type")),
        }
    }

    /// The arguments behind the name of a struct.
    fn struct_arguments(&self, path: &syn::Path, name: &str, parameters: &[Parameter]) -> syn::Result<Vec<Argument>> {
        let written: Vec<&GenericArgument> = match path.segments.last().map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(list)) => {
                list.args.iter().filter(|argument| !matches!(argument, GenericArgument::Lifetime(_))).collect()
            }
            _ => vec![],
        };
        if written.len() != parameters.len() {
            let parameter = if parameters.len() == 1 { "parameter" } else { "parameters" };
            let list = parameters.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
            let (count, given) = (parameters.len(), written.len());
            let sentence = match count {
                0 => format!("`{name}` has no parameters, and {given} stand here"),
                _ => format!("`{name}<{list}>` has {count} {parameter}, and {given} stand here"),
            };
            return Err(syn::Error::new(path.span(), sentence));
        }
        parameters.iter().zip(written).map(|((_, bound), written)| self.struct_argument(bound, written)).collect()
    }

    fn struct_argument(&self, bound: &str, written: &GenericArgument) -> syn::Result<Argument> {
        let length = match (bound, written) {
            ("usize", GenericArgument::Const(expr)) => expr.clone(),
            // A lone name looks like a type.
            ("usize", GenericArgument::Type(syn::Type::Path(lone))) => {
                Expr::Path(syn::ExprPath { attrs: vec![], qself: None, path: lone.path.clone() })
            }
            ("usize", other) => return Err(syn::Error::new(other.span(), "a length is expected here")),
            (_, GenericArgument::Type(ty)) => {
                return match self.resolve(ty)? {
                    Type::Ref(_)
                    | Type::MutRef(_)
                    | Type::Slice { .. }
                    | Type::Planes { .. }
                    | Type::View { .. }
                    | Type::Bundle(_) => {
                        let sentence = "structs that kernels know hold values, and no references";
                        Err(syn::Error::new(ty.span(), sentence))
                    }
                    value => Ok(Argument::Type(value)),
                };
            }
            (_, other) => return Err(syn::Error::new(other.span(), "a type is expected here")),
        };
        match self.length_parameter(&length) {
            Some(name) => Ok(Argument::LengthOf(name)),
            None => Ok(Argument::Length(self.length(&length)?)),
        }
    }

    /// The length parameter that an expression names.
    fn length_parameter(&self, len: &Expr) -> Option<String> {
        let Expr::Path(path) = len else { return None };
        path.path.get_ident().map(ToString::to_string).filter(|name| self.generics.contains(name))
    }

    fn argument(&self, segment: &syn::PathSegment) -> syn::Result<Type> {
        if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
            let types = arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            if let Some(ty) = types.last() {
                return self.resolve(ty);
            }
        }
        Err(syn::Error::new(segment.span(), format!("write what is inside: `{}<f32>`", segment.ident)))
    }

    fn reference(&self, reference: &syn::TypeReference) -> syn::Result<Type> {
        let mutable = reference.mutability.is_some();
        match &*reference.elem {
            syn::Type::Slice(slice) => {
                argument_types::element(&slice.elem)?;
                return Ok(Type::Slice { element: Box::new(self.resolve(&slice.elem)?), mutable });
            }
            syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Soa") => {
                let last = path.path.segments.last().expect("a path has a last segment");
                return Ok(Type::Planes { element: Box::new(self.argument(last)?), mutable });
            }
            _ => {}
        }
        let inner = self.resolve(&reference.elem)?;
        Ok(match inner {
            memory @ (Type::View { .. } | Type::Bundle(_)) => memory,
            value if mutable => Type::MutRef(Box::new(value)),
            value => Type::Ref(Box::new(value)),
        })
    }
}
