//! That names mean to rustc what they mean to us.
//!
//! We find an item by a macro of its name; rustc finds types and functions by themselves. These are different
//! namespaces, and a user's alias, or an import of one of them alone, can lead them apart. So each definition says who
//! it is ([`identity_of_type`], [`identity_of_function`]), and each item that uses names asks rustc about all of them.
//! The names of the language itself (`Vec3`, `f32`, `tid`) are asked in the same way.

use std::collections::HashSet;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{ItemFn, PathArguments};
use warp_ir::ir::Scalar;

use super::answers::Known;
use super::constants::without_self;
use super::identity::{self, Identity};
use super::job::{Job, Kind};
use super::{types, written};
use crate::env::{Face, Parameter, Signature};
use crate::front;
use crate::paths::Root;

/// What a generic struct says of itself.
pub(super) fn identity_of_generic(
    item: &syn::DeriveInput,
    generics: &[Parameter],
    identity: &Identity,
    root: &Root,
) -> TokenStream {
    let (name, private, number) = (&item.ident, root.private(), identity.number());
    let (parameters, arguments, conditions) = item.generics.split_for_impl();
    let own: Vec<TokenStream> = generics.iter().map(|(name, _)| format_ident!("{}", name).to_token_stream()).collect();
    let list = written::tuple(generics, &own, root);
    let example = written::example_arguments(generics);
    quote! {
        // SAFETY: this is the type's own definition.
        unsafe impl #parameters #private::Instance<#number, #list> for #name #arguments #conditions {}
        impl #parameters #private::Itself for #name #arguments #conditions {
            type It = #name #arguments;
        }
        impl #parameters #private::Family<#list> for #name<#(#example),*> #conditions {
            type With = #name #arguments;
        }
    }
}

/// What a type says of itself.
pub(super) fn identity_of_type(ty: &TokenStream, identity: &Identity, root: &Root) -> TokenStream {
    let (private, number) = (root.private(), identity.number());
    quote! {
        // SAFETY: this is the type's own definition.
        unsafe impl #private::Is<#number> for #ty {}
    }
}

/// What a type of values says of itself besides.
pub(super) fn type_itself(ty: &TokenStream, root: &Root) -> TokenStream {
    let private = root.private();
    quote! {
        impl #private::Itself for #ty {
            type It = #ty;
        }
    }
}

/// What the hidden type of a function says of it; `arguments` are those of a generic function.
pub(super) fn identity_of_function(
    item: &ItemFn,
    identity: &Identity,
    arguments: &TokenStream,
    root: &Root,
) -> TokenStream {
    let name = &item.sig.ident;
    let is = identity_of_type(&name.to_token_stream(), identity, root);
    quote! {
        #is
        impl #name {
            #[doc(hidden)]
            #[allow(dead_code)]
            pub const __WARP_FN: *const () = #name #arguments as *const ();
        }
    }
}

/// What a lowered item asks rustc about the names that it uses.
pub(super) fn of_job(job: &Job, known: &Known) -> TokenStream {
    let owner = match &job.kind {
        Kind::Method(method) => Some(&method.owner),
        _ => None,
    };
    let mut names = LanguageNames::with(job.parameter_names());
    names.visit_item_fn(&job.item);
    if let Some(owner) = owner {
        names.visit_type(owner);
    }
    let asked = front::asks(&job.item());
    // A constant of the body hides one that the signature names from the questions, which stand in the body's place.
    let hidden = front::length::local_constants(&job.item.block);
    let is_hidden = |path: &syn::Path| path.get_ident().is_some_and(|name| hidden.contains_key(&name.to_string()));
    let paths: Vec<&syn::Path> = asked.iter().map(|ask| &ask.path).filter(|path| !is_hidden(path)).collect();
    let bounds = bounds(&job.item.sig.generics, &job.root);
    let questions = questions(&paths, &names.found, known, &job.root);
    match owner {
        Some(owner) => without_self(quote!(#questions #bounds), Some(owner)),
        None => quote!(#questions #bounds),
    }
}

/// What a type's definition asks about the types that it names; `generics` are its parameters.
pub(super) fn of_types(list: &[&syn::Type], generics: &HashSet<String>, known: &Known, root: &Root) -> TokenStream {
    let paths = types::asks(list.iter().copied(), generics);
    let mut names = LanguageNames::with(generics.clone());
    list.iter().for_each(|ty| names.visit_type(ty));
    questions(&paths.iter().collect::<Vec<_>>(), &names.found, known, root)
}

fn questions(asked: &[&syn::Path], language: &[syn::Path], known: &Known, root: &Root) -> TokenStream {
    let of_faces = asked.iter().filter_map(|path| match known.env.faces.get(&super::body::path_key(path))? {
        Face::Type(id) => Some(is_type(path, id, known, root)),
        Face::Func(signature) => Some(is_function(path, signature, known, root)),
        Face::Builtin(name) => Some(is_builtin(path, name, root)),
        Face::Length(value) => Some(is_length(path, *value)),
    });
    let of_language = language.iter().filter_map(|path| is_ours(path, root));
    let all: TokenStream = of_faces.chain(of_language).collect();
    match all.is_empty() {
        true => TokenStream::new(),
        false => quote! {
            #[allow(unused_imports, elided_lifetimes_in_paths, clippy::all, clippy::pedantic, clippy::nursery)]
            const _: () = { #all };
        },
    }
}

fn is_type(path: &syn::Path, id: &str, known: &Known, root: &Root) -> TokenStream {
    if !identity::is_definition(id) {
        // A type of the library, perhaps under another name.
        let (private, tokens) = (at(root.private(), path.span()), at(root.tokens().clone(), path.span()));
        let name = format_ident!("{}", id, span = path.span());
        return quote_spanned!(path.span()=> #private::same::<#tokens::math::#name, #path>(););
    }
    let (private, number) = (at(root.private(), path.span()), identity::number(id));
    let generics = written::parameters(id, known);
    if generics.is_empty() {
        return quote_spanned!(path.span()=> #private::is::<#number, #path>(););
    }
    let questions = written::telling_arguments(generics).map(|arguments| {
        let (list, root) = (written::tuple(generics, &arguments, root), quote_spanned!(path.span()=> #private));
        quote_spanned!(path.span()=> #root::instance::<#number, #list, #path<#(#arguments),*>>();)
    });
    questions.collect()
}

fn is_function(path: &syn::Path, signature: &Signature, known: &Known, root: &Root) -> TokenStream {
    let (private, span) = (at(root.private(), path.span()), path.span());
    let is = is_type(path, &signature.id, known, root);
    let arguments = arguments(&signature.generics);
    let call = quote_spanned! {span=>
        #private::the_function_of_this_name_is_another_one_to_rustc_than_to_kernels(
            { use #private::Late as _; <#path>::__WARP_FN },
            #path #arguments as *const (),
        )
    };
    // `unsafe` is at a place of ours: a crate may forbid its own.
    quote! {
        #is
        // SAFETY: both are functions, and this is a constant.
        unsafe { #call };
    }
}

/// Arguments for a generic function, to speak of one of its instances.
pub(super) fn arguments(generics: &[Parameter]) -> TokenStream {
    let list = written::example_arguments(generics);
    match list.is_empty() {
        true => TokenStream::new(),
        false => quote!(::<#(#list),*>),
    }
}

fn is_builtin(path: &syn::Path, name: &str, root: &Root) -> TokenStream {
    let (private, tokens) = (at(root.private(), path.span()), at(root.tokens().clone(), path.span()));
    let module = warp_ir::library::function_owner(name).map(|_| quote!(math::));
    let name = format_ident!("{}", name, span = path.span());
    let arguments =
        (name == "detach" || name.to_string().starts_with("atomic")).then(|| quote!(::<::core::primitive::u32>));
    quote_spanned!(path.span()=> #private::same_builtin(#tokens::#module #name #arguments, #path #arguments);)
}

/// A constant has the value that its face tells.
fn is_length(path: &syn::Path, value: u64) -> TokenStream {
    let number = Literal::u64_unsuffixed(value);
    let name = path.to_token_stream().to_string().replace(' ', "");
    let sentence =
        format!("rustc knows another constant `{name}` here than kernels do: give this one `#[func]`, or another name");
    quote_spanned!(path.span()=> const { ::core::assert!(#path == #number, #sentence) };)
}

/// A name of the language: the type that we take it for is the one that it names.
fn is_ours(path: &syn::Path, root: &Root) -> Option<TokenStream> {
    let last = path.segments.last()?;
    let span = path.span();
    let (private, tokens) = (at(root.private(), span), at(root.tokens().clone(), span));
    let name = format_ident!("{}", last.ident, span = span);
    let text = last.ident.to_string();
    let byte = quote_spanned!(span=> ::core::primitive::u8);
    Some(match text.as_str() {
        "Option" => quote_spanned!(span=> #private::same::<::core::option::Option<#byte>, #path<#byte>>();),
        "Soa" => quote_spanned!(span=> #private::same::<#tokens::Soa<#byte>, #path<#byte>>();),
        "f16" | "bf16" => quote_spanned!(span=> #private::same::<#tokens::#name, #path>();),
        _ if types::is_view(&text) => {
            quote_spanned!(span=> #private::same::<#tokens::#name<'static, #byte>, #path<'static, #byte>>();)
        }
        _ if front::library::is_shared(&text) => {
            quote_spanned!(span=> #private::same::<#tokens::math::#name, #path>();)
        }
        _ if is_primitive(&text) => quote_spanned!(span=> #private::same::<::core::primitive::#name, #path>();),
        _ => return None,
    })
}

fn is_primitive(name: &str) -> bool {
    matches!(name, "usize" | "isize") || Scalar::from_name(name).is_some()
}

/// The trait bounds of a generic item are ours: `T: Float` is no `Float` of another library.
pub(super) fn bounds(generics: &syn::Generics, root: &Root) -> TokenStream {
    let questions: TokenStream = generics
        .type_params()
        .filter_map(|parameter| {
            let bound = super::parameters::bound_of(generics, parameter)?;
            let (name, span) = (&parameter.ident, bound.span());
            let private = at(root.private(), span);
            let bound = Ident::new(&bound.to_string().to_lowercase(), span);
            Some(quote_spanned!(span=> #private::#bound::<#name>();))
        })
        .collect();
    if questions.is_empty() {
        return TokenStream::new();
    }
    let (parameters, _, conditions) = generics.split_for_impl();
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic, clippy::nursery)]
        const _: () = { fn __warp_bounds #parameters () #conditions { #questions } };
    }
}

/// Tokens of ours at a place of the user's, so that an error is about that place alone.
pub(super) fn at(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if token.to_string() != "$crate" {
                token.set_span(span);
            }
            token
        })
        .collect()
}

/// The paths in an item that name types of the language, each once.
#[derive(Default)]
struct LanguageNames {
    found: Vec<syn::Path>,
    seen: HashSet<String>,
    /// The item's parameters.
    own: HashSet<String>,
}

impl LanguageNames {
    fn with(own: HashSet<String>) -> LanguageNames {
        LanguageNames { own, ..LanguageNames::default() }
    }

    fn name(&mut self, path: &syn::Path) {
        let Some(last) = path.segments.last() else { return };
        let text = last.ident.to_string();
        let ours = matches!(text.as_str(), "Option" | "Soa")
            || types::is_view(&text)
            || is_primitive(&text)
            || front::library::is_shared(&text);
        if !ours || path.segments.len() == 1 && self.own.contains(&text) {
            return;
        }
        let mut path = path.clone();
        path.segments.iter_mut().for_each(|segment| segment.arguments = PathArguments::None);
        if self.seen.insert(path.to_token_stream().to_string()) {
            self.found.push(path);
        }
    }

    /// `Vec3` of `Vec3::ZERO`. Names in small letters may be modules there.
    fn owner(&mut self, path: &syn::Path) {
        let mut owner = path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        if owner.segments.last().is_some_and(|last| last.ident.to_string().starts_with(char::is_uppercase)) {
            self.name(&owner);
        }
    }
}

impl<'ast> Visit<'ast> for LanguageNames {
    fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
        if ty.qself.is_none() {
            self.name(&ty.path);
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if path.qself.is_none() {
            self.owner(&path.path);
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_expr_struct(&mut self, value: &'ast syn::ExprStruct) {
        self.name(&value.path);
        visit::visit_expr_struct(self, value);
    }

    fn visit_pat_struct(&mut self, pattern: &'ast syn::PatStruct) {
        self.name(&pattern.path);
        visit::visit_pat_struct(self, pattern);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        use syn::parse::Parser;
        let parser = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(arguments) = parser.parse2(mac.tokens.clone()) {
            let mut inner = LanguageNames { own: self.own.clone(), seen: self.seen.clone(), found: vec![] };
            arguments.iter().for_each(|argument| inner.visit_expr(argument));
            self.seen = inner.seen;
            self.found.extend(inner.found);
        }
    }

    // Items inside a body are not ours.
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    // Nor are attributes.
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}
