//! From the typed tree to IR: composite values are taken apart into scalars, variables become values, and leaving a
//! loop or the function early becomes flags.

mod access;
mod arguments;
mod arms;
mod array;
pub(crate) mod builtin;
mod call;
mod compare;
mod conditional;
mod constant;
mod effects;
mod exits;
mod expr;
mod index;
mod iter;
mod lend;
mod loops;
mod memory;
mod operator;
mod option;
mod order;
mod pat;
mod place;
mod print;
mod reference;
mod scalar;
mod signature;
mod size;
mod source;
mod state;
mod stmt;
mod unnamed;
mod value;
mod vector;

use std::collections::{BTreeSet, HashMap, HashSet};

use warp_ir::builder::Builder;
use warp_ir::ir::{ArrayId, Scalar, Value};

use super::ast::*;
use super::errors::Errors;
use super::infer::Typed;
use super::names::Names;
use super::types::Ty;
use crate::env::{CallUse, SlotUse};
use effects::Effects;
use memory::Memory;
use order::Ready;
use place::Place;
use state::{Cell, Held, State};

/// What lowering gives: the function, with the constants and calls that it names.
pub(crate) struct Output {
    pub function: warp_ir::ir::Function,
    pub rank: u8,
    pub slots: Vec<SlotUse>,
    pub calls: Vec<CallUse>,
    pub errors: Errors,
}

struct Lower<'a> {
    names: &'a Names<'a>,
    body: &'a Body,
    typed: &'a Typed,
    b: Builder,
    /// Values of variables and flags at this point.
    state: State,
    /// Variables that stand for memory or for another place.
    aliases: HashMap<VarId, Alias>,
    /// What each expression may do to variables and control.
    effects: Effects,
    /// Variables whose arrays live in memory.
    in_memory: HashSet<VarId>,
    /// Variables of alternatives that have their memory already: binding writes into it.
    declared: HashSet<VarId>,
    /// Parts of arrays, `a[i..j]`, that are written through.
    written_parts: HashSet<ExprId>,
    /// Operands that were evaluated before their expression.
    ready: HashMap<ExprId, Ready>,
    /// Targets that enclose this point, the innermost last.
    enclosing: Vec<Target>,
    slots: Vec<SlotUse>,
    known_slots: HashMap<String, Vec<u32>>,
    calls: Vec<CallUse>,
    /// Arrays that functions are given to write to.
    handed: BTreeSet<ArrayId>,
    rank: u8,
    /// Whether the function is a kernel, which knows its thread.
    kernel: bool,
    /// How many branches enclose this point.
    depth: usize,
    told_depth: bool,
    errors: Errors,
}

/// A variable that is not a value.
#[derive(Clone, Debug)]
enum Alias {
    /// A slice, view, bundle, or a local array.
    Memory(Memory),
    /// The element that a loop over `iter_mut` stands at.
    Place(Place),
}

/// Lowers a typed body.
pub(crate) fn lower(names: &Names<'_>, body: &Body, typed: &Typed, name: &str, kernel: bool) -> Output {
    if let Some(errors) = size::too_large(names, body, typed) {
        let function = Builder::new(name).finish(&[]);
        return Output { function, rank: 0, slots: vec![], calls: vec![], errors };
    }
    let effects = effects::find(body, typed);
    let in_memory = array::in_memory(body, typed);
    let mut lower = Lower {
        names,
        body,
        typed,
        b: Builder::new(name),
        state: State::new(body.vars.len()),
        aliases: HashMap::new(),
        effects,
        in_memory,
        declared: HashSet::new(),
        written_parts: HashSet::new(),
        ready: HashMap::new(),
        enclosing: vec![],
        slots: vec![],
        known_slots: HashMap::new(),
        calls: vec![],
        handed: BTreeSet::new(),
        rank: 0,
        kernel,
        depth: 0,
        told_depth: false,
        errors: Errors::default(),
    };
    lower.refuse_bundles_taken_apart();
    lower.find_written(body.root);
    if !lower.errors.is_empty() {
        let Lower { b, errors, .. } = lower;
        return Output { function: b.finish(&[]), rank: 0, slots: vec![], calls: vec![], errors };
    }
    let outputs = lower.parameters();
    let results = lower.run(&outputs);
    let Lower { b, rank, slots, calls, handed, mut errors, .. } = lower;
    let function = b.finish(&results);
    access::check(&function, &handed, body, &mut errors);
    Output { function, rank, slots, calls, errors }
}

impl Lower<'_> {
    /// The body, then the results: the function's value, then what `&mut` parameters hold.
    fn run(&mut self, outputs: &[VarId]) -> Vec<Value> {
        let result = self.body.result.clone();
        let held = self.uninit(&result);
        self.state.set(Cell::Result, held);
        self.state.set(Cell::Returned, Held::Known(false));
        let value = self.value(self.body.root, &result);
        let mut results = self.joined_result(value, &result);
        for &var in outputs {
            let ty = self.var_type(var);
            results.extend(self.read_var(var, &ty));
        }
        results
    }

    fn ty(&self, id: ExprId) -> &Ty {
        &self.typed.exprs[id.0 as usize]
    }

    fn var_type(&self, var: VarId) -> Ty {
        self.typed.vars[var.0 as usize].clone()
    }

    fn leaves(&self, ty: &Ty) -> Vec<Scalar> {
        value::leaves(self.names, ty)
    }

    fn zeros(&mut self, ty: &Ty) -> Vec<Value> {
        self.leaves(ty).into_iter().map(|s| self.b.zero(s)).collect()
    }
}
