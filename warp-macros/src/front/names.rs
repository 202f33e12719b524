//! What the names of an item mean: types, paths of functions, parameters of an instance.

use std::collections::HashMap;

use syn::spanned::Spanned;

use super::library;
use super::types::{Argument, LENGTH_HOLE, Ty, UNKNOWN_LENGTH};
use crate::env::{Env, Face, Parameter, Type, TypeDef};

/// Everything that a path may resolve to, for one item.
#[derive(Clone)]
pub(crate) struct Names<'a> {
    pub env: &'a Env,
    /// What `Self` is, inside a method.
    pub owner: Option<Ty>,
    /// Type parameters of an instance.
    pub types: HashMap<String, Ty>,
    /// Length parameters of an instance.
    pub lengths: HashMap<String, u64>,
    /// Constants that the body defines, which may be lengths; `None` for other types.
    pub constants: HashMap<String, Option<syn::Expr>>,
    /// Whether the item is a source of the library: then its names are the library's.
    pub library: bool,
}

/// A sentence about a place.
pub(crate) type Named<T> = Result<T, (proc_macro2::Span, String)>;

impl<'a> Names<'a> {
    pub(crate) fn new(env: &'a Env) -> Names<'a> {
        Names {
            env,
            owner: None,
            types: HashMap::new(),
            lengths: HashMap::new(),
            constants: HashMap::new(),
            library: false,
        }
    }

    /// Gives the parameters of a generic item their values.
    pub(crate) fn of_instance(&mut self, types: &[(String, Type)], lengths: &[(String, u64)]) {
        self.types = types.iter().map(|(name, ty)| (name.clone(), Ty::from_type(ty))).collect();
        self.lengths = lengths.iter().cloned().collect();
    }

    /// The face of a path, if it has one.
    pub(crate) fn face(&self, path: &syn::Path) -> Option<&'a Face> {
        self.env.faces.get(&path_key(path))
    }

    /// The definition of a struct, enum or bundle.
    pub(crate) fn definition(&self, id: &str) -> Option<&'a TypeDef> {
        self.env.types.get(id).or_else(|| library::types().get(id))
    }

    /// The fields of a struct or bundle in declaration order.
    pub(crate) fn fields(&self, ty: &Ty) -> Option<Vec<(&'a str, Ty)>> {
        let (Ty::Struct(id, _) | Ty::Bundle(id)) = ty else { return None };
        let (fields, instance) = match (self.definition(id)?, ty) {
            (TypeDef::Struct { fields, generics, .. }, Ty::Struct(_, arguments)) => {
                let names = generics.iter().map(|(name, _)| name.clone());
                (fields, names.zip(arguments.iter().cloned()).collect())
            }
            (TypeDef::Bundle { fields, .. }, _) => (fields, vec![]),
            _ => return None,
        };
        Some(fields.iter().map(|(name, ty)| (name.as_str(), Ty::of(ty, &instance))).collect())
    }

    /// How many fields a struct or bundle has.
    pub(crate) fn field_count(&self, ty: &Ty) -> usize {
        let (Ty::Struct(id, _) | Ty::Bundle(id)) = ty else { return 0 };
        match self.definition(id) {
            Some(TypeDef::Struct { fields, .. } | TypeDef::Bundle { fields, .. }) => fields.len(),
            _ => 0,
        }
    }

    /// The parameters of a struct.
    pub(crate) fn parameters(&self, id: &str) -> &'a [Parameter] {
        match self.definition(id) {
            Some(TypeDef::Struct { generics, .. }) => generics,
            _ => &[],
        }
    }

    /// Whether a type as it is written leaves arguments of generic structs to inference.
    pub(crate) fn is_open(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(id, given) => {
                given.len() != self.parameters(id).len()
                    || given.iter().any(|argument| match argument {
                        Argument::Type(ty) => self.is_open(ty),
                        Argument::Length(len) => *len == LENGTH_HOLE,
                    })
            }
            Ty::Tuple(list) => list.iter().any(|ty| self.is_open(ty)),
            Ty::Array(ty, _) | Ty::Option(ty) => self.is_open(ty),
            other => *other == Ty::HOLE,
        }
    }

    /// The user's name of a struct, enum or bundle.
    pub(crate) fn name_of(&self, id: &str) -> String {
        match self.definition(id) {
            Some(TypeDef::Struct { name, .. } | TypeDef::Bundle { name, .. } | TypeDef::Enum { name, .. }) => {
                name.clone()
            }
            None => id.into(),
        }
    }

    /// The user's name of a type, for messages.
    pub(crate) fn display(&self, ty: &Ty) -> String {
        match ty {
            Ty::Struct(id, arguments) if !arguments.is_empty() => {
                let each = arguments.iter().map(|argument| match argument {
                    Argument::Type(ty) => self.display(ty),
                    Argument::Length(len) if *len < UNKNOWN_LENGTH => len.to_string(),
                    Argument::Length(_) => "_".into(),
                });
                format!("{}<{}>", self.name_of(id), each.collect::<Vec<_>>().join(", "))
            }
            Ty::Struct(id, _) | Ty::Enum(id) | Ty::Bundle(id) => self.name_of(id),
            Ty::Option(t) => format!("Option<{}>", self.display(t)),
            Ty::Array(t, n) => format!("[{}; {n}]", self.display(t)),
            Ty::Tuple(list) => format!("({})", list.iter().map(|t| self.display(t)).collect::<Vec<_>>().join(", ")),
            Ty::Slice { element, mutable: false } => format!("&[{}]", self.display(element)),
            Ty::Slice { element, mutable: true } => format!("&mut [{}]", self.display(element)),
            other => other.name(),
        }
    }

    /// The type of an identity, without arguments.
    pub(crate) fn named_type(&self, id: &str) -> Option<Ty> {
        Some(match self.definition(id)? {
            TypeDef::Struct { .. } => Ty::plain(id),
            TypeDef::Bundle { .. } => Ty::Bundle(id.into()),
            TypeDef::Enum { .. } => Ty::Enum(id.into()),
        })
    }

    /// What a type in the source means.
    pub(crate) fn ty(&self, ty: &syn::Type) -> Named<Ty> {
        match ty {
            syn::Type::Paren(t) => self.ty(&t.elem),
            syn::Type::Group(t) => self.ty(&t.elem),
            syn::Type::Never(_) => {
                Err((ty.span(), "`!` is the result of a function that never returns, and no type of a value".into()))
            }
            syn::Type::Tuple(t) if t.elems.is_empty() => Ok(Ty::Unit),
            syn::Type::Tuple(t) => Ok(Ty::Tuple(t.elems.iter().map(|t| self.ty(t)).collect::<Named<_>>()?)),
            syn::Type::Array(t) => Ok(Ty::Array(Box::new(self.ty(&t.elem)?), self.length(&t.len)?)),
            syn::Type::Reference(t) => self.reference(t),
            syn::Type::Path(t) if t.qself.is_none() => self.path_type(&t.path),
            syn::Type::Slice(t) => Ok(Ty::Slice { element: Box::new(self.ty(&t.elem)?), mutable: false }),
            syn::Type::TraitObject(_) | syn::Type::ImplTrait(_) => Err((
                ty.span(),
                "kernels have no trait objects or `impl Trait`: name the type, or write a generic `#[func]`".into(),
            )),
            syn::Type::FnPtr(_) => {
                Err((ty.span(), "kernels have no function pointers: call the `#[func]` by its name".into()))
            }
            syn::Type::Ptr(_) => Err((ty.span(), "kernels have no raw pointers: take a slice and index it".into())),
            _ => Err((ty.span(), "kernels do not have this kind of type".into())),
        }
    }

    fn reference(&self, t: &syn::TypeReference) -> Named<Ty> {
        let mutable = t.mutability.is_some();
        if let syn::Type::Slice(s) = &*t.elem {
            return Ok(Ty::Slice { element: Box::new(self.ty(&s.elem)?), mutable });
        }
        Ok(match self.ty(&t.elem)? {
            Ty::Planes { element, .. } => Ty::Planes { element, mutable },
            other => other,
        })
    }

    /// What a path in the place of a type means.
    pub(crate) fn path_type(&self, path: &syn::Path) -> Named<Ty> {
        let Some(last) = path.segments.last() else { return Err((path.span(), "an empty path".into())) };
        let name = super::parse::unraw(&last.ident);
        let lone = path.segments.len() == 1;
        if lone && let Some(known) = self.lone_type(&name) {
            return Ok(known);
        }
        if let Some(Face::Type(id)) = self.face(path) {
            let named = self.named_type(id);
            let named = named.ok_or_else(|| (path.span(), format!("the definition of `{name}` did not arrive")))?;
            return self.with_arguments(named, last);
        }
        let arguments = type_arguments(last);
        let argument = |k: usize| match arguments.get(k) {
            Some(t) => self.ty(t).map(Box::new),
            None => Err((path.span(), format!("`{name}` needs its type argument, as in `{name}<f32>`"))),
        };
        match (name.as_str(), ()) {
            ("Option", ()) => Ok(Ty::Option(argument(0)?)),
            ("Soa", ()) => Ok(Ty::Planes { element: argument(0)?, mutable: false }),
            ("View2" | "View3" | "View4", ()) => {
                Ok(Ty::View { element: argument(0)?, rank: rank_of(&name), mutable: false })
            }
            ("ViewMut2" | "ViewMut3" | "ViewMut4", ()) => {
                Ok(Ty::View { element: argument(0)?, rank: rank_of(&name), mutable: true })
            }
            _ => match library::types().contains_key(&name).then(|| self.named_type(&name)).flatten() {
                Some(known) => Ok(known),
                None => Ty::primitive(&name).ok_or_else(|| {
                    let unknown =
                        || format!("kernels do not know the type `{name}`: give it `#[derive(warp::Struct)]`");
                    (path.span(), super::missing::sentence(&name).unwrap_or_else(unknown))
                }),
            },
        }
    }

    /// A generic struct with the arguments that are written behind its name. Where there are none, as an expression
    /// may have it, inference finds them; a wrong number of them is rustc's to report.
    fn with_arguments(&self, named: Ty, segment: &syn::PathSegment) -> Named<Ty> {
        let (Ty::Struct(id, _), syn::PathArguments::AngleBracketed(list)) = (&named, &segment.arguments) else {
            return Ok(named);
        };
        let parameters = self.parameters(id);
        let written: Vec<&syn::GenericArgument> =
            list.args.iter().filter(|a| !matches!(a, syn::GenericArgument::Lifetime(_))).collect();
        if written.len() != parameters.len() {
            return Ok(named);
        }
        let arguments = parameters.iter().zip(written).map(|((_, bound), written)| {
            Ok(match (bound.as_str(), written) {
                ("usize", syn::GenericArgument::Type(syn::Type::Infer(_))) => Argument::Length(LENGTH_HOLE),
                (_, syn::GenericArgument::Type(syn::Type::Infer(_))) => Argument::Type(Ty::HOLE),
                ("usize", syn::GenericArgument::Const(expr)) => Argument::Length(self.length(expr)?),
                ("usize", syn::GenericArgument::Type(syn::Type::Path(lone))) => {
                    let path = syn::ExprPath { attrs: vec![], qself: None, path: lone.path.clone() };
                    Argument::Length(self.length(&syn::Expr::Path(path))?)
                }
                ("usize", other) => return Err((other.span(), "a length is expected here".into())),
                (_, syn::GenericArgument::Type(ty)) => Argument::Type(self.ty(ty)?),
                (_, other) => return Err((other.span(), "a type is expected here".into())),
            })
        });
        Ok(Ty::Struct(id.clone(), arguments.collect::<Named<_>>()?))
    }

    fn lone_type(&self, name: &str) -> Option<Ty> {
        if name == "Self" {
            return self.owner.clone();
        }
        self.types.get(name).cloned().or_else(|| Ty::primitive(name))
    }

    /// The length of an array.
    pub(crate) fn length(&self, expr: &syn::Expr) -> Named<u64> {
        super::length::value(expr, &|path| self.known_length(path))
    }

    /// The value of a length parameter, or of a constant that the item or its face tells.
    pub(crate) fn known_length(&self, path: &syn::Path) -> Option<u64> {
        if let Some(name) = path.get_ident().map(super::parse::unraw) {
            if let Some(&length) = self.lengths.get(&name) {
                return Some(length);
            }
            if let Some(value) = self.constants.get(&name) {
                // Without its own name, so that a constant made of itself ends.
                let mut others = self.clone();
                others.constants.insert(name, None);
                return others.length(value.as_ref()?).ok();
            }
        }
        self.env.length(path)
    }

    /// The same names, with the constants that `block` itself defines.
    pub(crate) fn with_constants_of(&self, block: &syn::Block) -> Names<'a> {
        Names { constants: super::length::local_constants(block), ..self.clone() }
    }
}

fn rank_of(name: &str) -> u8 {
    name.as_bytes()[name.len() - 1] - b'0'
}

/// The type arguments of a segment.
pub(crate) fn type_arguments(segment: &syn::PathSegment) -> Vec<&syn::Type> {
    match &segment.arguments {
        syn::PathArguments::AngleBracketed(list) => list
            .args
            .iter()
            .filter_map(|a| match a {
                syn::GenericArgument::Type(t) => Some(t),
                _ => None,
            })
            .collect(),
        _ => vec![],
    }
}

/// A path without generic arguments: what faces are asked by.
pub(crate) fn bare_path(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.arguments = syn::PathArguments::None;
    }
    path
}

/// The key of a path in [`Env::faces`].
pub(crate) fn path_key(path: &syn::Path) -> String {
    quote::ToTokens::to_token_stream(&bare_path(path)).to_string()
}
