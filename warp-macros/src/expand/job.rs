//! An item on its way to IR: what it is, and what to emit when the way ends.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{ImplItemFn, ItemFn, Type};

use super::answers::Known;
use super::bodies::Arguments;
use super::chain::Step;
use super::identity::Identity;
use super::{ascii, failure, func, kernel, method};
use crate::env::{Item, Lowered, TypeId};
use crate::errors::Errors;
use crate::front;
use crate::paths::Root;

/// What kind of item it is.
pub(crate) enum Kind {
    /// The attribute's tokens, and the type that carries what comes out.
    Kernel {
        attribute: TokenStream,
        carrier: Ident,
    },
    Func,
    /// A generic function: lowered once with arguments of our choice, for its errors and its constants.
    Generic(Arguments),
    /// A method of `#[methods] impl owner`.
    Method(Box<Method>),
}

/// What a method has besides its function.
pub(crate) struct Method {
    /// The type of the `impl`.
    pub owner: Type,
    /// The identity of that type, or of the right operand's where only that is a user's.
    pub id: TypeId,
    /// The name under which others ask for it.
    pub key: String,
    /// The names under which they may ask as well.
    pub other_keys: Vec<String>,
    /// The type that carries the method's constants.
    pub carrier: Type,
    pub item: ImplItemFn,
    /// Of a generic method, the arguments that it is lowered with where it is defined.
    pub arguments: Option<Arguments>,
}

/// An item on its way to IR.
pub(crate) struct Job {
    pub kind: Kind,
    pub identity: Identity,
    pub root: Root,
    pub item: ItemFn,
}

impl Job {
    /// As the state of a chain.
    pub(crate) fn tokens(&self) -> TokenStream {
        let (identity, item) = (self.identity.text(), &self.item);
        let kind = match &self.kind {
            Kind::Kernel { attribute, carrier } => quote!(kernel { #carrier { #attribute } }),
            Kind::Func => quote!(func {}),
            Kind::Generic(arguments) => {
                let arguments = ascii::encode(arguments);
                quote!(generic { #arguments })
            }
            Kind::Method(method) => {
                let Method { owner, id, key, other_keys, carrier, arguments, .. } = &**method;
                let arguments = ascii::encode(&(other_keys, arguments));
                quote!(method { #id #key { #owner } { #carrier } #arguments })
            }
        };
        quote!(#identity { #item } #kind)
    }

    /// The inverse of [`Job::tokens`], from the first group of a state.
    pub(crate) fn parse(step: &Step) -> syn::Result<Job> {
        let inner = step.state.inner(0);
        let fault = || syn::Error::new(step.origin.span(), "a hidden macro got tokens that it did not make");
        let identity = inner.text(0).map(Identity::from_text).ok_or_else(fault)?;
        let item: ItemFn = syn::parse2(inner.group(1))?;
        let extra = inner.inner(3);
        let kind = match inner.ident(2).map(Ident::to_string).as_deref() {
            Some("kernel") => {
                Kind::Kernel { attribute: extra.group(1), carrier: extra.ident(0).cloned().ok_or_else(fault)? }
            }
            Some("func") => Kind::Func,
            Some("generic") => {
                let arguments = extra.text(0).and_then(|text| ascii::decode(&text).ok());
                Kind::Generic(arguments.ok_or_else(fault)?)
            }
            Some("method") => {
                let (id, key) = extra.text(0).zip(extra.text(1)).ok_or_else(fault)?;
                let (owner, carrier) = (syn::parse2(extra.group(2))?, syn::parse2(extra.group(3))?);
                let item = syn::parse2(inner.group(1))?;
                let (other_keys, arguments) =
                    extra.text(4).and_then(|text| ascii::decode(&text).ok()).ok_or_else(fault)?;
                Kind::Method(Box::new(Method { owner, id, key, other_keys, carrier, item, arguments }))
            }
            _ => return Err(fault()),
        };
        Ok(Job { kind, identity, root: step.root.clone(), item })
    }

    /// The item's name.
    pub(crate) fn name(&self) -> &Ident {
        &self.item.sig.ident
    }

    /// The arguments that a generic item is lowered with where it is defined.
    pub(crate) fn arguments(&self) -> Option<&Arguments> {
        match &self.kind {
            Kind::Generic(arguments) => Some(arguments),
            Kind::Method(method) => method.arguments.as_ref(),
            Kind::Kernel { .. } | Kind::Func => None,
        }
    }

    /// The names of all parameters of a generic item.
    pub(crate) fn parameter_names(&self) -> HashSet<String> {
        let arguments = self.arguments();
        let types = arguments.iter().flat_map(|arguments| arguments.types.iter().map(|(name, _)| name.clone()));
        let lengths = arguments.iter().flat_map(|arguments| arguments.lengths.iter().map(|(name, _)| name.clone()));
        types.chain(lengths).collect()
    }

    /// The item as the front end takes it.
    pub(crate) fn item(&self) -> Item<'_> {
        match &self.kind {
            Kind::Kernel { .. } => Item::Kernel(&self.item),
            Kind::Func => Item::Func(&self.item),
            Kind::Generic(Arguments { types, lengths }) => Item::Instance { item: &self.item, types, lengths },
            Kind::Method(method) => {
                let (types, lengths) = method.arguments.as_ref().map_or((&[][..], &[][..]), |a| (&a.types, &a.lengths));
                Item::Method { owner: &method.owner, method: &method.item, types, lengths }
            }
        }
    }

    /// Everything is known: the IR and what goes with it.
    pub(crate) fn done(
        &self,
        lowered: Lowered,
        known: &Known,
        faces: &TokenStream,
        methods: &TokenStream,
        depth: usize,
    ) -> TokenStream {
        match &self.kind {
            Kind::Kernel { attribute, carrier } => kernel::done(self, attribute, carrier, lowered, known, depth),
            Kind::Func | Kind::Generic(_) => func::done(self, &func::own_holder(self), lowered, known, faces, methods),
            Kind::Method(method) => func::done(self, &method::holder(method), lowered, known, faces, methods),
        }
    }

    /// Something is wrong: the sentences, and what keeps everybody else silent.
    pub(crate) fn failed(&self, errors: &Errors) -> TokenStream {
        let (errors, poison) = (errors.to_items(), self.poison());
        quote!(#errors #poison)
    }

    /// The front end did not take it.
    pub(crate) fn rejected(&self, list: &[front::Error]) -> TokenStream {
        let (errors, poison) = (failure::items(self, list), self.poison());
        quote!(#errors #poison)
    }

    /// Something that the item names has failed, and was told there.
    pub(crate) fn silenced(&self) -> TokenStream {
        self.poison()
    }

    /// A body that tells callers to be silent.
    fn poison(&self) -> TokenStream {
        match &self.kind {
            Kind::Kernel { .. } => TokenStream::new(),
            Kind::Func | Kind::Generic(_) => func::poison(&self.identity, self.name()),
            Kind::Method(method) => method::poison(&self.identity, self.name(), method, &self.root),
        }
    }
}
