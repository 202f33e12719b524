//! Constants of the user's crate: one slot for each scalar, whose bits rustc hands over.

use proc_macro2::TokenStream;
use quote::quote;
use warp_ir::ir::Value;

use super::Lower;
use crate::env::SlotUse;
use crate::front::ast::ExprId;
use crate::front::library;
use crate::front::types::Ty;

impl Lower<'_> {
    pub(super) fn constant(&mut self, id: ExprId, tokens: &TokenStream) -> Vec<Value> {
        let ty = self.ty(id).clone();
        if !has_layout(&ty) {
            let sentence =
                "kernels read no constants that are options or tuples: write a constant for each part, or a struct";
            self.errors.refuse(self.body.expr(id).span, sentence);
        }
        let scalars = self.leaves(&ty);
        if self.names.library {
            let sentence = format!("the library's constant `{tokens}` has no known value");
            self.errors.refuse(self.body.expr(id).span, sentence);
        }
        let key = format!("{tokens}: {}", ty.name());
        let slots = match self.known_slots.get(&key) {
            Some(slots) => slots.clone(),
            None => {
                let slots: Vec<u32> = (0..scalars.len())
                    .map(|leaf| {
                        self.slots.push(SlotUse {
                            expression: tokens.clone(),
                            rust_type: rust_type(&ty),
                            leaf: leaf as u16,
                        });
                        self.slots.len() as u32 - 1
                    })
                    .collect();
                self.known_slots.insert(key, slots.clone());
                slots
            }
        };
        slots.into_iter().zip(scalars).map(|(slot, scalar)| self.slot(slot, scalar)).collect()
    }

    fn slot(&mut self, slot: u32, scalar: warp_ir::ir::Scalar) -> Value {
        match slot == self.b.function().slots {
            true => self.b.slot(scalar),
            false => self.b.slot_again(slot, scalar),
        }
    }
}

/// Whether rustc hands over the scalars of a constant of this type: those of options and tuples have no fixed places.
fn has_layout(ty: &Ty) -> bool {
    match ty {
        Ty::Option(_) | Ty::Tuple(_) => false,
        Ty::Array(element, _) => has_layout(element),
        _ => true,
    }
}

/// The Rust type as tokens, where its name is known here.
fn rust_type(ty: &Ty) -> Option<TokenStream> {
    Some(match ty {
        Ty::Scalar(s) if s.is_half() => {
            let name = quote::format_ident!("{}", s.name());
            quote!(::warp::#name)
        }
        Ty::Scalar(_) | Ty::Usize | Ty::Isize => {
            let name = quote::format_ident!("{}", ty.name());
            quote!(::core::primitive::#name)
        }
        Ty::Struct(id, _) if library::types().contains_key(id) && id != library::ANYTHING => {
            let name = quote::format_ident!("{}", id);
            quote!(::warp::math::#name)
        }
        Ty::Array(element, len) => {
            let element = rust_type(element)?;
            let len = proc_macro2::Literal::u64_unsuffixed(*len);
            quote!([#element; #len])
        }
        _ => return None,
    })
}
