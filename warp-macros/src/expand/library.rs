//! The host's side of the library's own texts: what `warp::math` has besides glam.
//!
//! Own types become what the text says, and an element of arrays; methods of glam's types become a trait, which the
//! prelude brings along. So a kernel and its plain function run the same source.

use std::collections::BTreeMap;

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, Ident, ImplItem, Item, ItemFn, ItemImpl, ItemStruct, Visibility};
use warp_ir::builtins::Builtin;
use warp_ir::library;

/// The items of `warp::math` that glam lacks, for the module of the runtime that holds them.
pub(crate) fn items() -> TokenStream {
    let (mut out, mut methods) = (TokenStream::new(), BTreeMap::<String, Vec<ImplItem>>::new());
    let mut of_numbers = BTreeMap::<String, Vec<ItemFn>>::new();
    for text in library::texts().iter().filter(|text| text.source.ours) {
        let file = match syn::parse_file(text.text()) {
            Ok(file) => file,
            Err(error) => {
                let message = format!("`{}` of the library is no Rust: {error}", text.source.name);
                out.extend(syn::Error::new(Span::call_site(), message).to_compile_error());
                continue;
            }
        };
        for item in file.items {
            match item {
                Item::Struct(item) => out.extend(own_type(item)),
                Item::Impl(mut block) => {
                    let owner = block.self_ty.to_token_stream().to_string();
                    if block.trait_.is_some() || library::is_own(&owner) {
                        inline(&mut block);
                        out.extend(block.into_token_stream());
                    } else {
                        methods.entry(owner).or_default().extend(block.items);
                    }
                }
                Item::Fn(function) if text.is_primitive() => {
                    of_numbers.entry(text.owners[0].clone()).or_default().push(function);
                }
                other => out.extend(other.into_token_stream()),
            }
        }
    }
    out.extend(safe_float(&of_numbers));
    out.extend(methods.into_iter().map(|(owner, items)| extension(&owner, items)));
    out.extend(face("library", &format_ident!("EulerRot")));
    // glam's constructors: `vec3`.
    out.extend(library::type_names().iter().map(|name| face("builtin", &format_ident!("{}", name.to_lowercase()))));
    out
}

/// Small functions that nobody calls cost nothing; and the texts are written for kernels, not for lints.
fn inline(block: &mut ItemImpl) {
    block.attrs.push(syn::parse_quote!(#[allow(clippy::all)]));
    for item in &mut block.items {
        if let ImplItem::Fn(function) = item {
            function.attrs.push(syn::parse_quote!(#[inline]));
        }
    }
}

fn own_type(mut item: ItemStruct) -> TokenStream {
    item.attrs.push(syn::parse_quote!(#[repr(C)]));
    let name = &item.ident;
    let (face, index) = (face("library", name), index_by_pairs(name));
    let fields: Vec<&Ident> = item.fields.iter().filter_map(|field| field.ident.as_ref()).collect();
    let types: Vec<&syn::Type> = item.fields.iter().map(|field| &field.ty).collect();
    quote! {
        #item
        // SAFETY: rustc gives the offsets, and all of the value is in the fields.
        #[diagnostic::do_not_recommend]
        unsafe impl crate::element::Element for #name {
            const LAYOUT: crate::layout::Layout =
                crate::layout::Layout::of::<#name>(crate::layout::LayoutKind::Fields(&[
                    #((::core::mem::offset_of!(#name, #fields), &<#types as crate::element::Element>::LAYOUT)),*
                ]));
            const VALIDITY: crate::element::Validity = crate::element::Validity::Any;
        }
        // SAFETY: all bits are numbers.
        #[diagnostic::do_not_recommend]
        unsafe impl crate::element::Zeroed for #name {}
        impl crate::__private::Itself for #name {
            type It = #name;
        }
        #face
        #index
    }
}

/// `m[(r, c)]` on the host; in kernels lowering does it.
fn index_by_pairs(name: &Ident) -> Option<TokenStream> {
    library::matrix_shape(&name.to_string())?;
    let scalar = if name.to_string().starts_with('D') { quote!(f64) } else { quote!(f32) };
    Some(quote! {
        impl ::core::ops::Index<(usize, usize)> for #name {
            type Output = #scalar;
            #[inline]
            fn index(&self, at: (usize, usize)) -> &#scalar {
                &self.m[at.0][at.1]
            }
        }
        impl ::core::ops::IndexMut<(usize, usize)> for #name {
            #[inline]
            fn index_mut(&mut self, at: (usize, usize)) -> &mut #scalar {
                &mut self.m[at.0][at.1]
            }
        }
    })
}

/// The hidden macro of a name, which kernels ask at expansion time: it answers what the name is.
fn face(kind: &str, name: &Ident) -> TokenStream {
    let (kind, face) = (format_ident!("{}", kind), format_ident!("__warp_face_{}", name));
    let dollar = proc_macro2::Punct::new('$', proc_macro2::Spacing::Alone);
    quote! {
        #[doc(hidden)]
        #[macro_export]
        macro_rules! #face {
            ([{#dollar(#dollar next:tt)*} #dollar(#dollar more:tt)*] #dollar(#dollar answers:tt)*) => {
                #dollar(#dollar next)* ! { [#dollar(#dollar more)*] #dollar(#dollar answers)* {#kind #name} }
            };
        }
        #[doc(hidden)]
        pub use #face as #name;
    }
}

/// The functions that are rows of the table, as methods of floats: how they are declared, and what they are.
fn of_the_table() -> (TokenStream, TokenStream) {
    let rows = Builtin::ALL.iter().map(|builtin| builtin.row()).filter(|row| row.is_function());
    rows.map(|row| {
        let (name, documentation) = (format_ident!("{}", row.name), row.doc);
        let others: Vec<Ident> = row.params[1..].iter().map(|param| format_ident!("{}", param.name)).collect();
        let signature = quote!(fn #name(self #(, #others: Self)*) -> Self);
        (
            quote!(#[doc = #documentation] #signature;),
            quote!(#[inline] #signature { crate::math::#name(self #(, #others)*) }),
        )
    })
    .unzip()
}

/// Methods of f32 and f64 as a trait: in the texts they are functions, with the receiver first, and others are rows.
fn safe_float(of_numbers: &BTreeMap<String, Vec<ItemFn>>) -> TokenStream {
    let Some((number, functions)) = of_numbers.first_key_value() else { return TokenStream::new() };
    let (rows_declared, rows_defined) = of_the_table();
    let declared = functions.iter().map(|function| {
        let documentation = &function.attrs;
        let signature = with_self(method(function).0, number);
        quote!(#(#documentation)* #signature;)
    });
    let defined = of_numbers.iter().map(|(number, functions)| {
        let number = format_ident!("{}", number);
        let methods = functions.iter().map(|function| {
            let ((signature, receiver), block) = (method(function), &function.block);
            quote!(#[inline] #signature { let #receiver = self; #block })
        });
        quote! {
            #[allow(clippy::all)]
            impl SafeFloat for #number {
                #(#methods)*
                #rows_defined
            }
        }
    });
    quote! {
        /// What the library adds to `f32` and `f64`: operations that have a value and a finite derivative where the plain
        /// ones have none, and every function of [`math`](crate::math) as a method. The prelude brings it along, and
        /// [`Float`](crate::number::Float) includes it.
        pub trait SafeFloat: Sized {
            #(#declared)*
            #rows_declared
        }
        #(#defined)*
    }
}

/// The signature of a function as that of a method, and the name of its receiver.
fn method(function: &ItemFn) -> (TokenStream, TokenStream) {
    let mut signature = function.sig.clone();
    let Some(FnArg::Typed(receiver)) =
        signature.inputs.first_mut().map(|first| std::mem::replace(first, syn::parse_quote!(self)))
    else {
        return (signature.into_token_stream(), TokenStream::new());
    };
    (signature.into_token_stream(), receiver.pat.into_token_stream())
}

/// The tokens with `Self` for a type's name.
fn with_self(tokens: TokenStream, name: &str) -> TokenStream {
    let replaced = |token| match token {
        TokenTree::Ident(ident) if ident == name => TokenTree::Ident(Ident::new("Self", ident.span())),
        TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), with_self(group.stream(), name))),
        other => other,
    };
    tokens.into_iter().map(replaced).collect()
}

/// Methods of a type of glam's as a trait: `QuatExt`.
fn extension(owner: &str, items: Vec<ImplItem>) -> TokenStream {
    let (owner, name) = (format_ident!("{}", owner), format_ident!("{}Ext", owner));
    let about = format!("What the library adds to glam's [`{owner}`]. The prelude brings it along.");
    let functions = items.into_iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function),
        _ => None,
    });
    let (mut declared, mut defined) = (TokenStream::new(), TokenStream::new());
    for mut function in functions {
        let (documentation, mut signature) = (std::mem::take(&mut function.attrs), function.sig.clone());
        for input in &mut signature.inputs {
            match input {
                FnArg::Receiver(receiver) => receiver.mutability = None,
                FnArg::Typed(typed) => {
                    if let syn::Pat::Ident(pattern) = &mut *typed.pat {
                        pattern.mutability = None;
                    }
                }
            }
        }
        // What only the library's own functions call.
        let hidden = matches!(function.vis, Visibility::Inherited).then(|| quote!(#[doc(hidden)]));
        function.vis = Visibility::Inherited;
        declared.extend(quote!(#(#documentation)* #hidden #signature;));
        defined.extend(quote!(#[inline] #function));
    }
    quote! {
        #[doc = #about]
        #[allow(clippy::all)]
        pub trait #name: Sized {
            #declared
        }
        #[allow(clippy::all)]
        impl #name for #owner {
            #defined
        }
    }
}
