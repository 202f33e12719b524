//! `#[derive(Args)]`: several slices and values as one argument of a kernel.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Data, DataStruct, DeriveInput, Fields, GenericParam};

use super::answers::poison;
use super::attributes::Options;
use super::chain::{BATCH, Chain, Step};
use super::func::face_macro;
use super::identity::Identity;
use super::launch::Parameter;
use super::{argument_types, names, structure, types, unmarked};
use crate::env::TypeDef;
use crate::errors::Errors;
use crate::paths::Root;

/// The derive.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(input) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = Errors::new();
    let root = Options::root_of_derive(&item.attrs, &mut errors);
    let identity = Identity::new("bundle", &item.to_token_stream(), item.ident.span());
    names::check_type(&item.ident, &mut errors);
    if item.generics.params.iter().any(|parameter| !matches!(parameter, GenericParam::Lifetime(_))) {
        errors.at(&item.generics, "a bundle of arguments has lifetimes and no other parameters");
    }
    let data = match &item.data {
        Data::Struct(DataStruct { fields: Fields::Named(fields), .. }) => Some(fields),
        _ => {
            errors.at(&item.ident, "a bundle of arguments is a struct with named fields: slices, views and values");
            None
        }
    };
    if let Some(fields) = data
        && !parameters(fields).iter().any(|field| field.is_array() || field.may_be_bundle())
    {
        errors.at(
            &item.ident,
            "a bundle of arguments holds at least one slice, view or bundle: use `#[derive(Struct)]` for values",
        );
    }
    if let Some(fields) = data {
        let types: Vec<&syn::Type> = fields.named.iter().map(|field| &field.ty).collect();
        for ty in &types {
            errors.take(argument_types::check(ty));
        }
        let unmarked = unmarked::sentences(&types::asks(types, &HashSet::new()), &item.ident);
        unmarked.into_iter().for_each(|error| errors.push(error));
    }
    match data {
        Some(fields) if errors.is_empty() => {
            let mirror = mirror(&item, fields, &root);
            let face = start_face(&item, &identity, &root);
            quote!(#mirror #face)
        }
        _ => {
            let (face, errors) = (face_macro(&identity, &item.ident, &item.vis, &poison()), errors.to_items());
            quote!(#face #errors)
        }
    }
}

fn parameters(fields: &syn::FieldsNamed) -> Vec<Parameter> {
    fields.named.iter().filter_map(|field| Some(Parameter::field(field.ident.clone()?, field.ty.clone()))).collect()
}

/// What the host passes: the same fields with arrays in the place of slices.
fn mirror(item: &DeriveInput, fields: &syn::FieldsNamed, root: &Root) -> TokenStream {
    let (name, vis, private) = (&item.ident, &item.vis, root.private());
    let host = format_ident!("{}Arrays", name);
    let about = format!("The arguments of [`{name}`] as the host passes them.");
    let parameters = parameters(fields);
    let names: Vec<_> = fields.named.iter().map(|field| &field.ident).collect();
    let visibilities = fields.named.iter().map(|field| &field.vis);
    let docs = fields.named.iter().map(|field| {
        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let own: Vec<_> = field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
        match own.is_empty() {
            true => {
                let text = format!("`{name}` of the bundle.");
                quote!(#[doc = #text])
            }
            false => quote!(#(#own)*),
        }
    });
    let hosts = parameters.iter().map(|parameter| parameter.host_type(root, &quote!('warp)));
    let launcher = format_ident!("launcher", span = proc_macro2::Span::mixed_site());
    let pushes = parameters.iter().map(|parameter| parameter.push(&launcher, Some(&quote!(host)), root));
    let agains = parameters.iter().map(|parameter| parameter.again(Some(&quote!(self)), root));
    let arguments = format_ident!("arguments", span = proc_macro2::Span::mixed_site());
    let pulls = parameters.iter().map(|parameter| parameter.pull(&arguments, root));
    let arrays = parameters.iter().filter_map(|parameter| parameter.arrays(root));
    let any = item.generics.lifetimes().map(|_| quote!('_));
    let scoped = item.generics.lifetimes().map(|_| quote!('again));
    quote! {
        #[doc = #about]
        #[allow(dead_code)]
        #vis struct #host<'warp> {
            #(#docs #visibilities #names: #hosts,)*
        }

        // SAFETY: each field is handed over as its parameter is lowered, in order.
        unsafe impl #private::Argument for #name<#(#any),*> {
            type Host<'warp> = #host<'warp>;
            type Again<'again> = #name<#(#scoped),*> where Self: 'again;
            const ARRAYS: &'static [&'static #private::Layout] = {
                const PARTS: &[&[&#private::Layout]] = &[#(#arrays),*];
                const COUNT: usize = #private::count(PARTS);
                const ALL: [&#private::Layout; COUNT] = #private::joined(PARTS);
                &ALL
            };
            fn push<'long: 'warp, 'warp>(host: #host<'long>, #launcher: &mut #private::Launcher<'warp, '_>) {
                #(#pushes)*
            }
            fn again(&mut self) -> Self::Again<'_> {
                #name { #(#names: #agains),* }
            }
            unsafe fn pull(#arguments: &mut #private::Arguments<'_>) -> Self {
                // SAFETY: the same contract, for each field in order.
                unsafe { #name { #(#names: #pulls),* } }
            }
        }
    }
}

fn start_face(item: &DeriveInput, identity: &Identity, root: &Root) -> TokenStream {
    let text = identity.text();
    let asks = types::asks(field_types(item), &HashSet::new());
    Chain {
        identity,
        part: "face".into(),
        root,
        origin: item.ident.to_token_stream(),
        batch: BATCH,
        asks: asks.iter().map(ToTokens::to_token_stream).collect(),
        step: "bundle",
        state: quote!(#text { #item }),
    }
    .ask()
}

fn field_types(item: &DeriveInput) -> Vec<&syn::Type> {
    match &item.data {
        Data::Struct(data) => data.fields.iter().map(|field| &field.ty).collect(),
        _ => vec![],
    }
}

/// The step `bundle`: the types of the fields have answered.
pub(crate) fn face(step: &Step) -> TokenStream {
    let Some(identity) = step.state.text(0).map(Identity::from_text) else { return TokenStream::new() };
    let item: DeriveInput = match syn::parse2(step.state.group(1)) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let silent = || face_macro(&identity, &item.ident, &item.vis, &poison());
    let failed = |error: syn::Error| {
        let (face, error) = (silent(), error.to_compile_error());
        quote!(#face #error)
    };
    let Data::Struct(data) = &item.data else { return silent() };
    let mut known = match structure::answered(step, &types::asks(field_types(&item), &HashSet::new())) {
        Ok(known) if known.poisoned => return silent(),
        Ok(known) => known,
        Err(error) => return failed(error),
    };
    let fields = match structure::fields(&data.fields, &HashSet::new(), &known) {
        Ok(fields) => fields,
        Err(error) => return failed(error),
    };
    let def = TypeDef::Bundle { name: syn::ext::IdentExt::unraw(&item.ident).to_string(), fields };
    structure::type_items(&item, &identity, def, &mut known, &field_types(&item), &step.root)
}
