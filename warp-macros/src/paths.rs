//! The one place that knows where the runtime is.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// The path of the facade: `::warp`, or what `crate = path` in an attribute says.
#[derive(Clone)]
pub(crate) struct Root(TokenStream);

impl Root {
    /// `::warp`.
    pub(crate) fn facade() -> Root {
        Root(quote!(::warp))
    }

    /// What an attribute names.
    pub(crate) fn named(path: &syn::Path) -> Root {
        Root(path.to_token_stream())
    }

    /// The tokens that a chain of macros carried along.
    pub(crate) fn from_tokens(tokens: TokenStream) -> Root {
        Root(tokens)
    }

    /// The path itself.
    pub(crate) fn tokens(&self) -> &TokenStream {
        &self.0
    }

    /// Tokens of the front end, which knows the facade by its usual name only: `::warp::Vec3`.
    pub(crate) fn replace_facade(&self, tokens: TokenStream) -> TokenStream {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        match all.as_slice() {
            [TokenTree::Punct(_), TokenTree::Punct(_), TokenTree::Ident(warp), rest @ ..] if *warp == "warp" => {
                let (root, rest): (_, TokenStream) = (&self.0, rest.iter().cloned().collect());
                quote!(#root #rest)
            }
            _ => all.into_iter().collect(),
        }
    }

    /// What generated code uses and no user should.
    pub(crate) fn private(&self) -> TokenStream {
        let root = &self.0;
        quote!(#root::__private)
    }
}
