//! Names that are not asked: what stands for the questions of an item that uses them.
//!
//! Names of macros of Rust's prelude are one kind: no item of ours may have such a name, and nobody can be asked under it.
//! Who uses it is silent where its owner was refused for the name, which the owner's type tells rustc, and says so
//! otherwise. Names that the source file shows to be plain are the other, see [`unmarked`].

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::agreement::at;
use super::{names, unmarked};
use crate::paths::Root;

/// What the type of a refused item says of itself.
pub(super) fn owner(name: &Ident) -> TokenStream {
    quote! {
        impl #name {
            #[doc(hidden)]
            #[allow(dead_code)]
            pub const __WARP_REFUSED: bool = true;
        }
    }
}

/// What stands for the questions of the item `asker` if it uses such names; `None` when all its names can be asked.
pub(super) fn users<'a>(
    paths: impl IntoIterator<Item = &'a syn::Path>,
    asker: &Ident,
    root: &Root,
) -> Option<TokenStream> {
    let paths: Vec<&syn::Path> = paths.into_iter().collect();
    let mut users: TokenStream = paths.iter().filter_map(|path| user(path, root)).collect();
    users.extend(unmarked::sentences(paths, asker).iter().map(syn::Error::to_compile_error));
    (!users.is_empty()).then_some(users)
}

fn user(path: &syn::Path, root: &Root) -> Option<TokenStream> {
    let last = path.segments.last()?.ident.unraw().to_string();
    if !names::is_macro_of_rust(&last) {
        return None;
    }
    let name = path.to_token_stream().to_string().replace(' ', "");
    let sentence = format!(
        "`{last}` is a macro of Rust's prelude, so kernels know no function or type `{name}`: choose another name for it"
    );
    let private = at(root.private(), path.span());
    let panic = quote_spanned!(path.span()=> ::core::panic!("{}", #sentence));
    Some(quote! {
        const _: () = {
            #[allow(unused_imports)]
            use #private::Late as _;
            if !<#path>::__WARP_REFUSED {
                #panic
            }
        };
    })
}
