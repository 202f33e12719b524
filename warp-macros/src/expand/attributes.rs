//! What stands in the parentheses of `#[kernel(..)]` and `#[func(..)]`.

use std::fmt::Display;
use std::str::FromStr;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Meta, Token};
use warp_ir::ir::Attributes;
use warp_ir::validate::bounds;

use crate::errors::Errors;
use crate::paths::Root;

/// Options of an item.
pub(crate) struct Options {
    pub root: Root,
    pub attributes: Attributes,
    /// `ptx`: the kernel's text is wanted in the binary, whatever its size.
    pub ptx: bool,
    /// `T = [f32, f64]`: the type parameter and its instances.
    pub instances: Option<(syn::Ident, Vec<syn::Type>)>,
    /// `grad(dt)` of a kernel: the names, which `attributes` has as text.
    pub grad: Vec<syn::Ident>,
    /// `grad = f_grad` of a function.
    pub own_gradient: Option<syn::Path>,
}

const KERNEL_OPTIONS: &str = "`#[kernel]` takes `no_fma`, `fast_math`, `no_adjoint`, `ptx`, `checkpoint_bytes = 1024`, \
     `undo_bytes = 1_000_000`, `block = 128`, `min_blocks = 4`, `grad(dt)`, `T = [f32, f64]` for a generic kernel, and `crate = path`";

const FUNC_OPTIONS: &str = "`#[func]` takes `grad = function` and `crate = path`";

impl Options {
    fn none() -> Options {
        Options {
            root: Root::facade(),
            attributes: Attributes::default(),
            ptx: false,
            instances: None,
            grad: vec![],
            own_gradient: None,
        }
    }

    /// Options of a kernel.
    pub(crate) fn of_kernel(tokens: TokenStream, errors: &mut Errors) -> Options {
        let mut options = Options::none();
        let mut min_blocks = None;
        for meta in metas(tokens, errors) {
            min_blocks = min_blocks.or(meta.path().is_ident("min_blocks").then(|| meta.clone()));
            options.kernel_option(meta, errors);
        }
        if let (Some(meta), Err(sentence)) = (min_blocks, bounds::check(&options.attributes)) {
            errors.at(&meta, sentence);
        }
        options
    }

    /// Options of a function or of an `impl`.
    pub(crate) fn of_func(tokens: TokenStream, errors: &mut Errors) -> Options {
        let mut options = Options::none();
        for meta in metas(tokens, errors) {
            match &meta {
                Meta::NameValue(pair) if meta.path().is_ident("crate") => options.set_root(&pair.value, errors),
                Meta::NameValue(pair) if meta.path().is_ident("grad") => match &pair.value {
                    Expr::Path(path) => options.own_gradient = Some(path.path.clone()),
                    other => {
                        errors.at(other, "`grad` names the function that computes the derivative: `grad = f_grad`")
                    }
                },
                other => errors.at(other, FUNC_OPTIONS),
            }
        }
        options
    }

    /// Where the library is for a derive: `#[warp(crate = path)]` among its item's attributes.
    pub(crate) fn root_of_derive(attributes: &[syn::Attribute], errors: &mut Errors) -> Root {
        let mut options = Options::none();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("warp")) {
            let tokens = match &attribute.meta {
                Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            match &metas(tokens, errors)[..] {
                [Meta::NameValue(pair)] if pair.path.is_ident("crate") => options.set_root(&pair.value, errors),
                _ => errors.at(attribute, "`#[warp(..)]` takes `crate = path`, where this library has another name"),
            }
        }
        options.root
    }

    fn kernel_option(&mut self, meta: Meta, errors: &mut Errors) {
        let Some(name) = meta.path().get_ident().map(ToString::to_string) else {
            return errors.at(&meta, KERNEL_OPTIONS);
        };
        match (&meta, name.as_str()) {
            (Meta::Path(_), "no_fma") => self.attributes.no_fma = true,
            (Meta::Path(_), "fast_math") => self.attributes.fast_math = true,
            (Meta::Path(_), "ptx") => self.ptx = true,
            (Meta::Path(_), "no_adjoint") => self.attributes.no_adjoint = true,
            (Meta::NameValue(pair), "checkpoint_bytes") => match number(&pair.value) {
                Some(bytes) => self.attributes.checkpoint_bytes = Some(bytes),
                None => errors.at(&pair.value, "`checkpoint_bytes` is a number of bytes, such as 1024"),
            },
            (Meta::NameValue(pair), "undo_bytes") => match number(&pair.value) {
                Some(bytes) => self.attributes.undo_bytes = Some(bytes),
                None => errors.at(&pair.value, "`undo_bytes` is a number of bytes, such as 1_000_000"),
            },
            (Meta::NameValue(pair), "block") => match number(&pair.value) {
                Some(threads) => self.set_bound(pair, |attributes| attributes.block = Some(threads), errors),
                None => errors.at(&pair.value, "`block` is a number of threads, such as 128"),
            },
            (Meta::NameValue(pair), "min_blocks") => match number(&pair.value) {
                Some(blocks) => self.set_bound(pair, |attributes| attributes.min_blocks = Some(blocks), errors),
                None => errors.at(&pair.value, "`min_blocks` is a number of blocks, such as 4"),
            },
            (Meta::NameValue(pair), "crate") => self.set_root(&pair.value, errors),
            (Meta::List(list), "grad") => {
                match Punctuated::<syn::Ident, Token![,]>::parse_terminated.parse2(list.tokens.clone()) {
                    Ok(names) => {
                        self.attributes.grad.extend(names.iter().map(|name| name.unraw().to_string()));
                        self.grad.extend(names);
                    }
                    Err(_) => errors.at(list, "`grad` lists scalar parameters by name: `grad(dt, mass)`"),
                }
            }
            (Meta::NameValue(pair), _) if matches!(pair.value, Expr::Array(_)) => self.set_instances(pair, errors),
            _ => errors.at(&meta, KERNEL_OPTIONS),
        }
    }

    /// A launch bound. Those that no device has are refused.
    fn set_bound(&mut self, pair: &syn::MetaNameValue, set: impl FnOnce(&mut Attributes), errors: &mut Errors) {
        set(&mut self.attributes);
        // The size may stand behind the number.
        let alone = self.attributes.min_blocks.is_some() && self.attributes.block.is_none();
        if !alone && let Err(sentence) = bounds::check(&self.attributes) {
            errors.at(&pair.value, sentence);
            (self.attributes.block, self.attributes.min_blocks) = (None, None);
        }
    }

    fn set_root(&mut self, value: &Expr, errors: &mut Errors) {
        match value {
            Expr::Path(path) => self.root = Root::named(&path.path),
            other => {
                errors.at(other, "`crate` is the path of this library as this crate sees it: `crate = ::engine::warp`")
            }
        }
    }

    fn set_instances(&mut self, pair: &syn::MetaNameValue, errors: &mut Errors) {
        let Expr::Array(list) = &pair.value else { return };
        let types: Vec<syn::Type> = list
            .elems
            .iter()
            .filter_map(|element| match element {
                Expr::Path(path) => Some(syn::parse_quote!(#path)),
                other => {
                    errors.at(other, "instances of a generic kernel are types: `T = [f32, f64]`");
                    None
                }
            })
            .collect();
        match pair.path.get_ident() {
            Some(_) if types.is_empty() => errors.at(pair, "name at least one type: `T = [f32, f64]`"),
            Some(name) if self.instances.is_none() => self.instances = Some((name.clone(), types)),
            _ => errors.at(pair, "a kernel is generic over one type"),
        }
    }
}

fn metas(tokens: TokenStream, errors: &mut Errors) -> Vec<Meta> {
    let parsed = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens);
    errors.take(parsed).map(|metas| metas.into_iter().collect()).unwrap_or_default()
}

fn number<N: FromStr<Err: Display>>(value: &Expr) -> Option<N> {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}
