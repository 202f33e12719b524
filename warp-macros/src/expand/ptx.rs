//! The text that a kernel's type carries for NVIDIA's driver, forward and back: `PTX` and `PTX_ADJOINT`.
//!
//! It is made here, from the linked kernel. What only rustc knows is left open in it, and put in by constants that are
//! evaluated where somebody names them, and nowhere else: the user's constants, and how elements of the user's types lie.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use serde::{Deserialize, Serialize};
use syn::ext::IdentExt;
use warp_ir::abi::ElementLayout;
use warp_ir::differentiate::{Adjoint, Reverse};
use warp_ir::emit::ptx::{Elements, Module, emit_early, emit_early_wide};
use warp_ir::ir::{ArrayParam, Kernel, Scalar};
use warp_ir::validate::Valid;

use super::pull::Target;
use crate::paths::Root;

/// Values of a kernel up to which its text has all entries unasked. Texts of larger ones would take longer to make than all
/// else that expansion does, in every build, so that they have one entry only.
const SMALL: usize = 512;
/// Values up to which there is a text at all unasked.
const MIDDLING: usize = 1024;

/// What is known of a kernel's text where the kernel stands.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Wish {
    /// `#[kernel(ptx)]`: whatever its size.
    pub asked: bool,
    /// For each array, the first one whose elements have the same type; none where that is one of the language's own, whose
    /// scalars lie side by side everywhere.
    pub elements: Vec<Option<u32>>,
}

/// Where the constants belong.
pub(super) struct Place<'a> {
    pub target: &'a Target<'a>,
    pub origin: &'a Ident,
    pub root: &'a Root,
}

/// The constants of a kernel's type.
pub(super) fn constants(kernel: &Valid<Kernel>, reverse: &Reverse, place: &Place<'_>) -> TokenStream {
    let (name, wish) = (&kernel.function.name, &place.target.wish);
    let elements = elements(&kernel.function.arrays, wish);
    let forward = text("__WARP_TEXT", kernel, &elements, place);
    let back = match reverse {
        Reverse::Adjoint(adjoint) => {
            let elements = of_adjoint(adjoint, &elements);
            text("__WARP_BACK", &adjoint.kernel, &elements, place)
        }
        Reverse::Refused(refusal) => {
            missing("__WARP_BACK", &format!("kernel `{name}` has no adjoint: {}", refusal.message), place)
        }
        // Nobody can name it.
        Reverse::LeftOut => TokenStream::new(),
    };
    quote!(#forward #back)
}

/// How elements lie, as far as that can be told.
fn elements(arrays: &[ArrayParam], wish: &Wish) -> Vec<Elements> {
    let of = |(number, array): (usize, &ArrayParam)| match wish.elements.get(number) {
        Some(None) => dense(&array.leaves).map_or(Elements::Later(number as u32), Elements::Known),
        Some(&Some(like)) => Elements::Later(like),
        None => Elements::Later(number as u32),
    };
    arrays.iter().enumerate().map(of).collect()
}

/// Scalars of one type side by side. More than their own alignment is not certain.
fn dense(leaves: &[Scalar]) -> Option<ElementLayout> {
    let scalar = *leaves.first()?;
    let alike = leaves.iter().all(|leaf| *leaf == scalar);
    let each = scalar.size();
    let offsets = (0..leaves.len()).map(|leaf| leaf * each).collect();
    alike.then(|| ElementLayout { size: leaves.len() * each, align: each, offsets })
}

/// An adjoint has the arrays of its kernel, gradients that lie as these do, and arrays of scalars.
fn of_adjoint(adjoint: &Adjoint, primal: &[Elements]) -> Vec<Elements> {
    let arrays = &adjoint.kernel.function.arrays;
    let like = |number: usize| {
        let gradient =
            |need: &warp_ir::differentiate::ArrayNeed| need.gradient.is_some_and(|at| at.0 as usize == number);
        if number < adjoint.arrays.len() { Some(number) } else { adjoint.arrays.iter().position(gradient) }
    };
    let of = |(number, array): (usize, &ArrayParam)| match like(number).and_then(|like| primal.get(like)) {
        Some(elements) => elements.clone(),
        None => dense(&array.leaves).map_or(Elements::Later(number as u32), Elements::Known),
    };
    arrays.iter().enumerate().map(of).collect()
}

/// A constant with the text of a kernel.
fn text(constant: &str, kernel: &Valid<Kernel>, elements: &[Elements], place: &Place<'_>) -> TokenStream {
    let values = if place.target.wish.asked { 0 } else { kernel.function.values.len() };
    if values > MIDDLING {
        let name = place.origin.unraw();
        let sentence = format!(
            "kernel `{name}` is large, and making its PTX while it is compiled takes long: ask for it with `#[kernel(ptx)]`"
        );
        return missing(constant, &sentence, place);
    }
    let emit = if values > SMALL { emit_early_wide } else { emit_early };
    match emit(kernel, elements) {
        Ok(module) => present(constant, &module, elements, place),
        Err(error) => missing(constant, &error.to_string(), place),
    }
}

fn present(
    constant: &str,
    module: &Module,
    elements: &[Elements],
    Place { target, root, .. }: &Place<'_>,
) -> TokenStream {
    let private = root.private();
    let (kernel, text) = (target.kernel, Literal::string(&module.text));
    let name = Ident::new(constant, Span::call_site());
    let known = (0..target.wish.elements.len()).filter(|&k| matches!(elements.get(k), Some(Elements::Known(_))));
    let known = known.map(Literal::usize_unsuffixed);
    let arrays = quote!(<#kernel>::__WARP_KERNEL.arrays);
    let dense = quote!(#private::ptx::dense(#arrays, &[#(#known),*]));
    if module.slots.is_empty() {
        return quote! {
            impl #kernel {
                #[doc(hidden)]
                pub const #name: #private::ptx::Text = #private::ptx::Text::of(#text, #dense);
            }
        };
    }
    let holes = module.slots.iter().map(|hole| Literal::u64_unsuffixed(hole.packed()));
    let measures = module.measures.iter().map(|measure| {
        let (elements, steps) = (Literal::u32_unsuffixed(measure.elements), Literal::i64_unsuffixed(measure.steps));
        let leaf = Literal::u32_unsuffixed(measure.leaf.map_or(0, |leaf| u32::from(leaf) + 1));
        quote!((#elements, #leaf, #steps))
    });
    let guesses = module.guesses.iter().map(|guess| {
        let elements = Literal::u32_unsuffixed(guess.elements);
        let (size, align) = (guess.layout.size, guess.layout.align);
        let offsets = guess.layout.offsets.iter().map(|offset| Literal::usize_unsuffixed(*offset));
        quote!((#elements, #size, #align, &[#(#offsets),*]))
    });
    let bytes = Ident::new(&format!("{constant}_BYTES"), Span::call_site());
    let size = module.text.len();
    let count = module.constants + module.measures.len() + module.guesses.len();
    let whole = named_only(&quote!({ <#kernel>::#bytes.text() }));
    quote! {
        impl #kernel {
            const #bytes: #private::ptx::Filled<#size> = #private::ptx::Filled::new(
                #text,
                &[#(#holes),*],
                // Variables of ours could meet constants of the user's.
                &#private::ptx::bits::<#count>(<#kernel>::__WARP_KERNEL.slots, #arrays, &[#(#measures),*], &[#(#guesses),*]),
            );
            #[doc(hidden)]
            pub const #name: #private::ptx::Text = #private::ptx::Text::of(#whole, #dense);
        }
    }
}

/// A text made of other constants, which are evaluated only where somebody names it. Of constants that stand in the value of
/// an associated one rustc evaluates all, to warn of what goes wrong. Those that stand in a generic function have to wait, and
/// where rustc optimises, those that depend on what the function is generic over: hence the size.
pub(super) fn named_only(block: &TokenStream) -> TokenStream {
    quote! {{
        const fn text<__Warp>() -> &'static str {
            const {
                ::core::assert!(::core::mem::size_of::<__Warp>() == 0);
                #block
            }
        }
        text::<()>()
    }}
}

/// A constant that nobody can name, and the reason.
fn missing(constant: &str, reason: &str, Place { target, root, .. }: &Place<'_>) -> TokenStream {
    let (kernel, name, private) = (target.kernel, Ident::new(constant, Span::call_site()), root.private());
    quote! {
        impl #kernel {
            #[doc(hidden)]
            pub const #name: #private::ptx::Text = #private::ptx::Text::Missing(#reason);
        }
    }
}
