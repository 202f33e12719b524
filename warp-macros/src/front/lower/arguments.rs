//! Arguments of calls: values, places that are copied in and out, memory.

use warp_ir::ir::{ArrayArg, Value};

use super::Lower;
use super::lend::Home;
use super::memory::Memory;
use super::place::Place;
use crate::env::Type;
use crate::front::ast::*;
use crate::front::types::Ty;

/// An evaluated argument.
enum Argument {
    Values(Vec<Value>),
    /// `&mut T`: what stands there goes in, what comes back is written.
    Place(Place),
    /// An array; what was lent for the call is put back to `home`.
    Memory {
        memory: Option<Memory>,
        home: Option<Home>,
    },
}

impl Lower<'_> {
    /// Calls the function of an expression with these arguments; gives its value.
    ///
    /// Arguments are evaluated from left to right, as Rust does; what a `&mut` stands for is read when the call is made.
    pub(super) fn function_of(&mut self, id: ExprId, args: &[ExprId]) -> Vec<Value> {
        let function = self.typed.functions[&id].clone();
        let mut prepared: Vec<(usize, Argument)> = vec![];
        for k in self.order_of(args) {
            let Some(param) = function.params.get(k) else { continue };
            prepared.push((k, self.prepare(args[k], param)));
        }
        prepared.sort_by_key(|(k, _)| *k);
        let (mut scalars, mut arrays): (Vec<Value>, Vec<ArrayArg>) = (vec![], vec![]);
        for (k, argument) in &prepared {
            match argument {
                Argument::Values(values) => scalars.extend(values),
                Argument::Place(place) => scalars.extend(self.read(place)),
                Argument::Memory { memory: Some(memory), home } => {
                    let first = arrays.len();
                    self.array_arguments(memory, &mut arrays, &mut scalars);
                    // No atomics there: linking looks for them.
                    let copied = home.as_ref().is_some_and(Home::is_shared)
                        || self.effects.references.is_handed_back(self.body, args[*k]);
                    arrays[first..].iter_mut().for_each(|array| array.copied = copied);
                }
                Argument::Memory { memory: None, .. } => {}
            }
        }
        let source = self.source(id);
        let results = self.emit_call(&function, &scalars, arrays, source);
        let mut at = self.count(&Ty::from_type(&function.result));
        for (_, argument) in &prepared {
            match argument {
                Argument::Place(place) => {
                    let count = self.count(place.ty());
                    self.write(place, &results[at..at + count]);
                    at += count;
                }
                Argument::Memory { home: Some(home), .. } => self.take_back(home),
                _ => {}
            }
        }
        results[..self.count(&Ty::from_type(&function.result))].to_vec()
    }

    fn prepare(&mut self, arg: ExprId, param: &Type) -> Argument {
        match param {
            Type::MutRef(inner) if !matches!(**inner, Type::Slice { .. }) => {
                // Its index is evaluated here, what stands there is read when the call is made.
                Argument::Place(self.place(arg))
            }
            Type::Slice { mutable, .. } => {
                let Some(memory) = self.slice_of(arg, *mutable) else {
                    self.refuse_unnamed(arg);
                    return Argument::Memory { memory: None, home: None };
                };
                if *mutable {
                    self.hand_over(&memory);
                }
                let (memory, home) = self.lend(memory, arg);
                Argument::Memory { memory: Some(memory), home: home.filter(|_| *mutable) }
            }
            Type::Planes { mutable, .. } | Type::View { mutable, .. } => {
                let memory = self.wanted(arg);
                if *mutable {
                    memory.iter().for_each(|memory| self.hand_over(memory));
                }
                Argument::Memory { memory, home: None }
            }
            Type::Bundle(_) => Argument::Memory { memory: self.wanted(arg), home: None },
            Type::Ref(inner) => self.prepare(arg, inner),
            other => {
                let ty = Ty::from_type(other);
                Argument::Values(self.value(arg, &ty))
            }
        }
    }
}
