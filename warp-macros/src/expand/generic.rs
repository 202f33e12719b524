//! Generic kernels: `#[kernel(T = [f32, f64])]` lowers one kernel for each type of the list.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{GenericParam, ItemFn, Type};

use super::launch::{kernel_impl, plain_run};
use crate::errors::Errors;
use crate::paths::Root;

/// A generic kernel lists its types, and is generic over nothing else.
pub(super) fn check(item: &ItemFn, instances: Option<&(Ident, Vec<Type>)>, errors: &mut Errors) {
    for parameter in &item.sig.generics.params {
        match (parameter, instances) {
            (GenericParam::Lifetime(_), _) => {}
            (GenericParam::Type(ty), Some((name, _))) if ty.ident == *name => {}
            (GenericParam::Type(ty), None) => errors
                .at(ty, format!("say for which types this kernel is compiled: `#[kernel({} = [f32, f64])]`", ty.ident)),
            (GenericParam::Type(ty), Some(_)) => errors.at(ty, "a kernel is generic over one type"),
            (GenericParam::Const(length), _) => {
                errors.at(length, "a kernel has no length parameters: pass the length, or write a generic `#[func]`");
            }
        }
    }
    if let Some((name, _)) = instances
        && !item.sig.generics.type_params().any(|parameter| parameter.ident == *name)
    {
        errors.at(name, format!("this kernel has no type parameter `{name}`"));
    }
}

/// The kernel for one type.
pub(super) fn instance(item: &ItemFn, parameter: &Ident, ty: &Type) -> syn::Result<ItemFn> {
    let mut instance = item.clone();
    let lifetimes = instance.sig.generics.params.into_iter().filter(|p| matches!(p, GenericParam::Lifetime(_)));
    instance.sig.generics.params = lifetimes.collect();
    instance.sig.generics.where_clause = None;
    syn::parse2(substitute(instance.to_token_stream(), parameter, &ty.to_token_stream()))
}

fn substitute(tokens: TokenStream, parameter: &Ident, ty: &TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) if ident == *parameter => at(ty, ident.span()),
            TokenTree::Group(group) => {
                let mut changed = Group::new(group.delimiter(), substitute(group.stream(), parameter, ty));
                changed.set_span(group.span());
                TokenTree::Group(changed).to_token_stream()
            }
            other => other.to_token_stream(),
        })
        .collect()
}

fn at(tokens: &TokenStream, place: Span) -> TokenStream {
    tokens
        .clone()
        .into_iter()
        .map(|mut token| {
            token.set_span(place);
            token
        })
        .collect()
}

/// The hidden type of one instance.
pub(super) fn carrier(name: &Ident, number: usize) -> Ident {
    format_ident!("__warp_{}_{}", name.unraw(), number, span = Span::call_site())
}

/// The hidden trait of the types that a kernel is compiled for.
pub(super) fn instances_trait(name: &Ident) -> Ident {
    format_ident!("__warp_types_of_{}", name.unraw(), span = Span::call_site())
}

/// The parameters of a launch: those of the kernel, the type bounded by the list.
pub(super) fn launch_generics(item: &ItemFn, instances: Option<&(Ident, Vec<Type>)>) -> TokenStream {
    let mut generics = item.sig.generics.clone();
    if instances.is_some() {
        let of = instances_trait(&item.sig.ident);
        let bounds = generics.where_clause.take();
        for parameter in generics.type_params_mut() {
            parameter.bounds.push(syn::parse_quote!(#of));
        }
        for predicate in bounds.into_iter().flat_map(|clause| clause.predicates) {
            if let syn::WherePredicate::Type(predicate) = predicate {
                generics.type_params_mut().for_each(|parameter| parameter.bounds.extend(predicate.bounds.clone()));
            }
        }
    }
    generics.to_token_stream()
}

/// A type for each instance, and the way to it from the type that the kernel is generic over.
pub(super) fn kernels(item: &ItemFn, (parameter, types): (&Ident, &[Type]), text: &str, root: &Root) -> TokenStream {
    let (vis, private) = (&item.vis, root.private());
    let of = instances_trait(&item.sig.ident);
    let about = format!("The types that the kernel `{text}` is compiled for.");
    let instances = types.iter().enumerate().map(|(number, ty)| {
        let carrier = carrier(&item.sig.ident, number);
        let plain = match instance(item, parameter, ty) {
            Ok(item) => plain_run(&item, Some(ty), root),
            // What is wrong with the instance is told where it is lowered.
            Err(_) => quote!(::core::option::Option::None),
        };
        let kernel = kernel_impl(&carrier, text, &plain, root);
        let text = |late: TokenStream| {
            quote!({
                #[allow(unused_imports)]
                use #private::Late as _;
                <#carrier>::#late
            })
        };
        let (forward, back) = (text(quote!(__WARP_TEXT)), text(quote!(__WARP_BACK)));
        quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types, dead_code)]
            #vis struct #carrier {}
            #kernel
            // SAFETY: the definition is that of the kernel as it was lowered for this type.
            unsafe impl #of for #ty {
                const __WARP_TEXT: #private::ptx::Text = #forward;
                const __WARP_BACK: #private::ptx::Text = #back;
                fn __warp_definition() -> &'static #private::Definition {
                    <#carrier as #private::Kernel>::definition()
                }
            }
        }
    });
    quote! {
        #[doc = #about]
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis unsafe trait #of {
            #[doc(hidden)]
            const __WARP_TEXT: #private::ptx::Text;
            #[doc(hidden)]
            const __WARP_BACK: #private::ptx::Text;
            #[doc(hidden)]
            fn __warp_definition() -> &'static #private::Definition;
        }
        #(#instances)*
    }
}
