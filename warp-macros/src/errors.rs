//! Errors of one phase, gathered so that a user sees all of them at once, each at the tokens it is about.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// A list of sentences, each at a place in the user's source.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// An empty list.
    pub(crate) fn new() -> Errors {
        Errors::default()
    }

    /// Adds a sentence about some tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Into<String>) {
        self.0.push(syn::Error::new_spanned(tokens, message.into()));
    }

    /// Adds a sentence about a place.
    pub(crate) fn at_span(&mut self, span: Span, message: impl Into<String>) {
        self.0.push(syn::Error::new(span, message.into()));
    }

    /// Adds an error made elsewhere.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// The value of `result`, or nothing and one more error.
    pub(crate) fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Whether nothing went wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `compile_error!` items, one a sentence.
    pub(crate) fn to_items(&self) -> TokenStream {
        self.0.iter().map(syn::Error::to_compile_error).collect()
    }
}

impl From<syn::Error> for Errors {
    fn from(error: syn::Error) -> Errors {
        Errors(vec![error])
    }
}
