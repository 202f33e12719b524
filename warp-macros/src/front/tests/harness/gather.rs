//! What a kernel of a source may use, as expansion would find it.

use quote::ToTokens;
use warp_ir::ir::Scalar;

use super::Source;
use crate::env::{Derived, Env, Face, Signature, Type, TypeDef};
use crate::front::names::{Names, type_arguments};
use crate::front::types::Ty;

impl Source {
    pub(super) fn gather(&self) {
        let mut env = self.env.borrow_mut();
        for name in BUILTINS {
            env.faces.insert((*name).into(), Face::Builtin((*name).into()));
        }
        for name in warp_ir::library::type_names() {
            let constructor = name.to_lowercase();
            env.faces.insert(constructor.clone(), Face::Builtin(constructor));
        }
        for item in &self.file.items {
            if let Some(name) = type_name(item) {
                env.faces.insert(name.clone(), Face::Type(name.clone()));
                let placeholder = match item {
                    syn::Item::Enum(e) => TypeDef::Enum {
                        name: name.clone(),
                        repr: Scalar::I32,
                        variants: e
                            .variants
                            .iter()
                            .enumerate()
                            .map(|(k, v)| (v.ident.to_string(), k as i128))
                            .collect(),
                        derived: derived(item),
                    },
                    _ => TypeDef::Struct {
                        name: name.clone(),
                        generics: vec![],
                        fields: vec![],
                        tuple: false,
                        derived: derived(item),
                    },
                };
                env.types.insert(name, placeholder);
            }
        }
        for item in &self.file.items {
            if let syn::Item::Struct(s) = item {
                let bundle = s.generics.lifetimes().next().is_some();
                let name = s.ident.to_string();
                let fields: Vec<(String, Type)> = s
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(k, f)| {
                        let name = f.ident.as_ref().map_or_else(|| k.to_string(), |i| i.to_string());
                        (name, type_of(&env, None, &f.ty))
                    })
                    .collect();
                let tuple = matches!(s.fields, syn::Fields::Unnamed(_));
                let def = match bundle {
                    true => TypeDef::Bundle { name: name.clone(), fields },
                    false => {
                        TypeDef::Struct { name: name.clone(), generics: vec![], fields, tuple, derived: derived(item) }
                    }
                };
                env.types.insert(name, def);
            }
        }
        for item in &self.file.items {
            match item {
                syn::Item::Fn(f) if f.sig.ident != "k" => {
                    let signature = signature(&env, None, &f.sig, &f.sig.ident.to_string());
                    env.faces.insert(f.sig.ident.to_string(), Face::Func(signature));
                }
                syn::Item::Impl(block) => gather_impl(&mut env, block),
                _ => {}
            }
        }
    }
}

const BUILTINS: &[&str] = &[
    "tid",
    "tid2",
    "tid3",
    "tid4",
    "atomic_add",
    "atomic_sub",
    "atomic_min",
    "atomic_max",
    "atomic_and",
    "atomic_or",
    "atomic_xor",
    "atomic_exchange",
    "atomic_compare_exchange",
    "detach",
];

/// The comparisons in the derives of a type.
fn derived(item: &syn::Item) -> Derived {
    let (syn::Item::Struct(syn::ItemStruct { attrs, .. }) | syn::Item::Enum(syn::ItemEnum { attrs, .. })) = item else {
        return Derived::default();
    };
    let list: String = attrs.iter().map(|attribute| attribute.to_token_stream().to_string()).collect();
    Derived { equal: list.contains("PartialEq"), ordered: list.contains("PartialOrd") }
}

fn type_name(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Struct(s) => Some(s.ident.to_string()),
        syn::Item::Enum(e) => Some(e.ident.to_string()),
        _ => None,
    }
}

fn type_of(env: &Env, owner: Option<&Ty>, ty: &syn::Type) -> Type {
    let mut names = Names::new(env);
    names.owner = owner.cloned();
    if let syn::Type::Path(p) = ty
        && let Some(ident) = p.path.get_ident()
        && ident.to_string().len() == 1
        && !env.faces.contains_key(&ident.to_string())
    {
        return Type::Param(ident.to_string());
    }
    let inner = |t: &syn::Type| Box::new(type_of(env, owner, t));
    match ty {
        syn::Type::Array(t) if matches!(&t.len, syn::Expr::Path(_)) => {
            Type::ArrayOf(inner(&t.elem), t.len.to_token_stream().to_string())
        }
        syn::Type::Tuple(t) if !t.elems.is_empty() => {
            Type::Tuple(t.elems.iter().map(|t| type_of(env, owner, t)).collect())
        }
        syn::Type::Reference(r) if !matches!(&*r.elem, syn::Type::Slice(_)) => {
            let plain = names.ty(ty).unwrap_or_else(|(_, m)| panic!("{m}")).to_type().unwrap();
            match (&plain, r.mutability.is_some()) {
                (Type::Planes { .. } | Type::View { .. } | Type::Bundle(_), _) => plain,
                (_, true) => Type::MutRef(inner(&r.elem)),
                (_, false) => Type::Ref(inner(&r.elem)),
            }
        }
        _ => names.ty(ty).unwrap_or_else(|(_, m)| panic!("{m}")).to_type().unwrap(),
    }
}

fn signature(env: &Env, owner: Option<&Ty>, sig: &syn::Signature, id: &str) -> Signature {
    let params = sig.inputs.iter().map(|input| match input {
        syn::FnArg::Receiver(r) => {
            let own = owner.expect("a method has an owner").to_type().unwrap();
            let by_mut = matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
            ("self".to_string(), if by_mut { Type::MutRef(Box::new(own)) } else { own })
        }
        syn::FnArg::Typed(t) => (t.pat.to_token_stream().to_string(), type_of(env, owner, &t.ty)),
    });
    let generics = sig
        .generics
        .params
        .iter()
        .filter_map(|p| match p {
            syn::GenericParam::Type(t) => Some((t.ident.to_string(), "Scalar".to_string())),
            syn::GenericParam::Const(c) => Some((c.ident.to_string(), "usize".to_string())),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    Signature {
        id: id.into(),
        name: sig.ident.to_string(),
        generics,
        of_block: 0,
        owner: None,
        params: params.collect(),
        result: match &sig.output {
            syn::ReturnType::Default => Type::Unit,
            syn::ReturnType::Type(_, ty) => type_of(env, owner, ty),
        },
    }
}

pub(super) fn method_key(env: &Env, block: &syn::ItemImpl, method: &syn::ImplItemFn) -> (String, String) {
    let names = Names::new(env);
    let owner = names.ty(&block.self_ty).unwrap();
    let plain = method.sig.ident.to_string();
    let Some((path, _)) = &block.trait_ else { return (owner.name(), plain) };
    if method.sig.inputs.len() < 2 {
        return (owner.name(), plain);
    }
    let operand = type_arguments(path.segments.last().unwrap()).first().map_or(owner.clone(), |t| names.ty(t).unwrap());
    match (&owner, &operand) {
        (left, Ty::Struct(right, _)) if left.scalar().is_some() => {
            (right.clone(), format!("{plain} {} Self", left.name()))
        }
        _ => (owner.name(), format!("{plain} {}", operand.name())),
    }
}

fn gather_impl(env: &mut Env, block: &syn::ItemImpl) {
    for item in &block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        let key = method_key(env, block, method);
        let owner = Names::new(env).ty(&block.self_ty).unwrap();
        let id = format!("{} {}", key.0, key.1);
        let signature = signature(env, Some(&owner), &method.sig, &id);
        env.methods.insert(key, signature);
    }
}
