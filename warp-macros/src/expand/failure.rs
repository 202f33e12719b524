//! What an item becomes that the front end did not take.

use proc_macro2::TokenStream;

use super::job::Job;

/// The sentences.
pub(crate) fn items(_job: &Job, list: Vec<syn::Error>) -> TokenStream {
    list.iter().map(syn::Error::to_compile_error).collect()
}
