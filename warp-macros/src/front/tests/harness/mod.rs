//! Runs kernels from Rust source: a small stand-in for expansion, then linking and the evaluator.

mod data;
mod gather;
mod launch;

use std::cell::RefCell;
use std::collections::HashMap;

use quote::ToTokens;
use warp_ir::ir::{Attributes, Function, Kernel};
use warp_ir::validate::{Valid, guarded};

pub(super) use self::data::{Bits, Data, arr, fill, raw, view};
use self::gather::method_key;
pub(super) use self::launch::run;
use crate::env::{CallUse, Env, Item, Lowered, Outcome};
use crate::front::{Error, library_function, lower};

/// What comes of a kernel and the functions that it calls.
pub(super) enum Linked {
    /// The kernel, with all of them inside.
    Kernel(Box<Valid<Kernel>>),
    /// One of them is refused, or asks for what is not there; users read about it at that function.
    Refused(String),
}

/// A linked kernel from source: the function named `k`; all else are types and functions that it may use.
pub(super) struct Source {
    file: syn::File,
    env: RefCell<Env>,
}

impl Source {
    pub(super) fn new(text: &str) -> Source {
        let file = syn::parse_file(text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let source = Source { file, env: RefCell::default() };
        source.gather();
        source
    }

    fn item_fn(&self, name: &str) -> Option<&syn::ItemFn> {
        self.file.items.iter().find_map(|i| match i {
            syn::Item::Fn(f) if f.sig.ident == name => Some(f),
            _ => None,
        })
    }

    /// The scalars that `#[grad(..)]` on the kernel names.
    fn grad(&self) -> Vec<String> {
        let attributes = self.item_fn("k").map_or(&[][..], |item| &item.attrs);
        let lists = attributes.iter().filter(|a| a.path().is_ident("grad")).filter_map(|a| a.meta.require_list().ok());
        let words = lists.flat_map(|list| list.tokens.clone());
        words.map(|word| word.to_string()).filter(|word| word != ",").collect()
    }

    /// What `#[checkpoint_bytes(..)]` on the kernel says.
    fn checkpoint_bytes(&self) -> Option<u32> {
        let attributes = &self.item_fn("k")?.attrs;
        let given = attributes.iter().find(|a| a.path().is_ident("checkpoint_bytes"))?;
        given.parse_args::<syn::LitInt>().ok()?.base10_parse().ok()
    }

    /// Lowers the kernel alone.
    pub(super) fn outcome(&self) -> Outcome {
        self.outcome_of(self.item_fn("k").expect("the kernel is named `k`"))
    }

    /// Lowers another function as the kernel, among the same types and functions.
    pub(super) fn outcome_of(&self, kernel: &syn::ItemFn) -> Outcome {
        lower(&Item::Kernel(kernel), &self.env.borrow())
    }

    pub(super) fn errors(&self) -> Vec<Error> {
        self.errors_in(self.outcome())
    }

    /// What is wrong with a function that is no kernel; nothing where it is lowered.
    pub(super) fn errors_of(&self, name: &str) -> Vec<Error> {
        let item = self.item_fn(name).unwrap_or_else(|| panic!("no function `{name}`"));
        match lower(&Item::Instance { item, types: &[], lengths: &[] }, &self.env.borrow()) {
            Outcome::Done(_) => vec![],
            failed => self.errors_in(failed),
        }
    }

    fn errors_in(&self, outcome: Outcome) -> Vec<Error> {
        match outcome {
            Outcome::Failed(errors) => errors,
            Outcome::Need(asks) => {
                panic!("asks for {:?}", asks.iter().map(|a| (&a.owner, &a.method)).collect::<Vec<_>>())
            }
            Outcome::Done(_) => panic!("it was lowered"),
        }
    }

    pub(super) fn lowered(&self) -> Box<Lowered> {
        match self.outcome() {
            Outcome::Done(lowered) => lowered,
            Outcome::Failed(errors) => panic!("{:#?}", errors.iter().map(|e| &e.message).collect::<Vec<_>>()),
            Outcome::Need(asks) => {
                panic!("asks for {:?}", asks.iter().map(|a| (&a.owner, &a.method)).collect::<Vec<_>>())
            }
        }
    }

    /// Lowers a function and all that it calls; the error is what a user would read.
    fn lower_callee(&self, how: &CallUse, functions: &mut HashMap<String, Function>, id: &str) -> Result<(), String> {
        if functions.contains_key(id) {
            return Ok(());
        }
        let env = self.env.borrow();
        let outcome = match how {
            CallUse::Library => {
                let function = library_function(id).unwrap_or_else(|| panic!("no `{id}` in the library")).clone();
                let callees = function.callees.clone();
                functions.insert(id.into(), function);
                for callee in callees {
                    self.lower_callee(&CallUse::Library, functions, &callee.id)?;
                }
                return Ok(());
            }
            CallUse::Path { path, types, lengths } => {
                let name = path.to_token_stream().to_string();
                let item = self.item_fn(&name).unwrap_or_else(|| panic!("no function `{name}`"));
                lower(&Item::Instance { item, types, lengths }, &env)
            }
            CallUse::Method { owner, method, types, lengths } => {
                let (owner, method) = self.method(owner, method);
                lower(&Item::Method { owner, method, types, lengths }, &env)
            }
        };
        match outcome {
            Outcome::Done(lowered) => {
                assert!(lowered.slots.is_empty(), "constants in tests stand in the kernel");
                let callees = lowered.function.callees.clone();
                functions.insert(id.into(), lowered.function);
                for (callee, how) in callees.iter().zip(&lowered.calls) {
                    self.lower_callee(how, functions, &callee.id)?;
                }
                Ok(())
            }
            Outcome::Failed(errors) => Err(format!("{id}: {}", errors[0].message)),
            Outcome::Need(asks) => Err(format!("{id} asks for {:?} {:?}", asks[0].owner, asks[0].method)),
        }
    }

    fn method(&self, owner: &str, key: &str) -> (&syn::Type, &syn::ImplItemFn) {
        for item in &self.file.items {
            let syn::Item::Impl(block) = item else { continue };
            for item in &block.items {
                let syn::ImplItem::Fn(method) = item else { continue };
                if method_key(&self.env.borrow(), block, method) == (owner.to_string(), key.to_string()) {
                    return (&block.self_ty, method);
                }
            }
        }
        panic!("no method {owner} {key}")
    }

    /// The kernel with everything that it calls inside.
    pub(super) fn kernel(&self) -> Kernel {
        match self.link(*self.lowered()) {
            Ok(Linked::Kernel(kernel)) => kernel.into_inner(),
            Ok(Linked::Refused(words)) | Err(words) => panic!("{words}"),
        }
    }

    /// A lowered kernel with everything that it calls inside, valid and guarded.
    pub(super) fn link(&self, lowered: Lowered) -> Result<Linked, String> {
        let mut functions = HashMap::new();
        for (callee, how) in lowered.function.callees.iter().zip(&lowered.calls) {
            if let Err(words) = self.lower_callee(how, &mut functions, &callee.id) {
                return Ok(Linked::Refused(words));
            }
        }
        let linked = warp_ir::link::link(&lowered.function, |id| functions.get(id)).map_err(|e| format!("{e:?}"))?;
        let attributes =
            Attributes { grad: self.grad(), checkpoint_bytes: self.checkpoint_bytes(), ..Attributes::default() };
        let kernel = Kernel { function: linked.function, rank: lowered.rank, attributes };
        let text = show(&kernel);
        let valid = Valid::<Kernel>::new(kernel).map_err(|e| format!("{e:?}\n{text}"))?;
        guarded(&valid).map_err(|e| format!("{e:?}\n{text}"))?;
        Ok(Linked::Kernel(Box::new(valid)))
    }
}

pub(super) fn show(kernel: &Kernel) -> String {
    warp_ir::text::print_kernel(kernel)
}
