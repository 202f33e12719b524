//! Fixed arrays: values while their elements are named by literals, local arrays as soon as an index is computed.

use std::collections::HashSet;

use warp_ir::ir::{Mem, Value};

use super::memory::Memory;
use super::order::Ready;
use super::place::Place;
use super::{Alias, Lower};
use crate::env::Type;
use crate::front::ast::*;
use crate::front::infer::Typed;
use crate::front::types::Ty;
use crate::front::walk::{children, root_variable};

/// Arrays with more scalars than this are always in memory.
const MOST_VALUES: usize = 64;

/// The innermost element that is not an array, and how many there are.
pub(crate) fn units(ty: &Ty) -> (Ty, u64) {
    match ty {
        Ty::Array(element, len) => {
            let (unit, count) = units(element);
            (unit, count.saturating_mul(*len))
        }
        other => (other.clone(), 1),
    }
}

/// Variables of array type that are indexed by computed values, handed over as slices, or large.
pub(crate) fn in_memory(body: &Body, typed: &Typed) -> HashSet<VarId> {
    let mut found = HashSet::new();
    for (k, ty) in typed.vars.iter().enumerate() {
        if matches!(ty, Ty::Array(..)) && units(ty).1 as usize > MOST_VALUES {
            found.insert(VarId(k as u32));
        }
    }
    let is_array = |var: &VarId| matches!(typed.vars[var.0 as usize], Ty::Array(..));
    let array_root = |id: ExprId| root_variable(body, id).filter(is_array);
    for (k, expr) in body.exprs.iter().enumerate() {
        match &expr.kind {
            Kind::Index { base, index } if !matches!(body.expr(*index).kind, Kind::Int { .. }) => {
                found.extend(array_root(*base));
            }
            Kind::For { iter, .. } => found.extend(walked(iter).filter_map(array_root)),
            Kind::Method { receiver, args, name, .. } if name == "copy_from_slice" => {
                found.extend(array_root(*receiver));
                found.extend(args.iter().filter_map(|arg| array_root(*arg)));
            }
            Kind::Method { receiver, name, .. }
                if matches!(
                    name.as_str(),
                    "get" | "first" | "last" | "swap" | "fill" | "split_at" | "split_at_mut"
                ) =>
            {
                found.extend(array_root(*receiver));
            }
            Kind::Call { args, .. } | Kind::Method { args, .. } => {
                let Some(function) = typed.functions.get(&ExprId(k as u32)) else { continue };
                let method = matches!(expr.kind, Kind::Method { .. });
                for (param, arg) in function.params.iter().skip(method as usize).zip(args) {
                    if matches!(param, Type::Slice { .. }) {
                        found.extend(array_root(*arg));
                    }
                }
            }
            _ => {}
        }
    }
    // A parameter's array arrives as values and is copied where it is bound.
    found
}

/// The places whose elements, or the values whose parts, a loop walks over.
fn walked(iter: &Iter) -> impl Iterator<Item = ExprId> {
    iter.sources().into_iter().filter_map(|source| match source {
        Iter::Elements { place, .. } | Iter::Chunks { place, .. } => Some(*place),
        Iter::Value(value) => Some(*value),
        _ => None,
    })
}

impl Lower<'_> {
    /// A local array for a variable, filled with zeros.
    pub(super) fn new_local(&mut self, var: VarId, ty: &Ty) -> Memory {
        let name = self.body.vars[var.0 as usize].name.clone();
        self.fresh_local(&name, ty)
    }

    pub(super) fn fresh_local(&mut self, name: &str, ty: &Ty) -> Memory {
        let (unit, count) = units(ty);
        let leaves = self.leaves(&unit);
        let local = self.b.local(name, &leaves, count.clamp(1, u32::MAX as u64) as u32);
        for (leaf, scalar) in leaves.iter().enumerate() {
            let zero = self.b.zero(*scalar);
            self.b.fill(local, leaf as u16, zero);
        }
        Memory::Whole { mem: Mem::Local(local), len: if let Ty::Array(_, n) = ty { Some(*n) } else { Some(count) } }
    }

    /// `let a = [..]` where `a` lives in memory; false when it does not.
    pub(super) fn array_variable(&mut self, pat: PatId, init: ExprId) -> bool {
        let PatKind::Bind { var, sub: None } = self.body.pat(pat).kind else { return false };
        if !self.in_memory.contains(&var) || self.effects.leaves(init) {
            return false;
        }
        let ty = self.var_type(var);
        if let Some(one) = self.repeated(init) {
            let (_, values) = one;
            let memory = self.memory_of_array(var, &ty);
            if let Some(Mem::Local(local)) = memory.local() {
                for (leaf, value) in values.into_iter().enumerate() {
                    self.b.fill(local, leaf as u16, value);
                }
            }
            return true;
        }
        if let Some(from) = self.block_of(init) {
            let memory = self.memory_of_array(var, &ty);
            if let Some(mem) = memory.local() {
                self.copy_block(&from, &Place::Block { mem, start: None, ty: ty.clone() }, init);
            }
            return true;
        }
        false
    }

    /// A (nested) `[value; n]`: the value that fills it.
    fn repeated(&mut self, id: ExprId) -> Option<(Ty, Vec<Value>)> {
        let Kind::Repeat { value, .. } = self.body.expr(id).kind else { return None };
        if let Some(inner) = self.repeated(value) {
            return Some(inner);
        }
        let ty = self.ty(value).clone();
        if matches!(ty, Ty::Array(..)) {
            return None;
        }
        let values = self.value(value, &ty);
        Some((ty, values))
    }

    /// Puts a value of array type into a variable that lives in memory.
    pub(super) fn bind_array(&mut self, var: VarId, ty: &Ty, values: &[Value]) {
        let memory = self.memory_of_array(var, ty);
        if let Some(mem) = memory.local() {
            self.write_block(mem, None, ty, values);
        }
    }

    /// The block that an expression names, when it is one and large enough for a loop to be better than single copies.
    fn block_of(&mut self, id: ExprId) -> Option<Place> {
        if !matches!(self.ty(id), Ty::Array(..)) || root_variable(self.body, id).is_none() {
            return None;
        }
        // Known beforehand: a place that is none after all would be evaluated again.
        if self.count(self.ty(id)) <= 16 || !self.is_block(id) {
            return None;
        }
        Some(self.place(id))
    }

    /// Whether the place of an expression is a block of memory; evaluates nothing.
    fn is_block(&self, id: ExprId) -> bool {
        match self.ready.get(&id) {
            Some(Ready::Place(place)) => return matches!(place, Place::Block { .. }),
            Some(_) => return false,
            None => {}
        }
        match &self.body.expr(id).kind {
            Kind::Var(var) => match self.aliases.get(var) {
                Some(Alias::Place(place)) => matches!(place, Place::Block { .. }),
                Some(Alias::Memory(memory)) => memory.local().is_some(),
                None => false,
            },
            Kind::Deref(e) | Kind::Borrow { place: e, .. } => self.is_block(*e),
            Kind::Index { base, .. } => matches!(self.ty(*base), Ty::Array(..)) && self.is_block(*base),
            _ => false,
        }
    }

    /// `a = b` between large arrays: a loop. False when it is something else.
    pub(super) fn assign_array(&mut self, place: ExprId, value: ExprId) -> bool {
        if !matches!(self.ty(value), Ty::Array(..)) || self.effects.leaves(value) {
            return false;
        }
        if !self.is_block(place) {
            return false;
        }
        let Some(from) = self.block_of(value) else { return false };
        // Rust reads the value before it looks for the place, which may change it on the way.
        let from = if self.place_is_quiet(place) { from } else { self.copied_block(&from, value) };
        let to = self.place(place);
        self.copy_block(&from, &to, place);
        true
    }

    /// A copy of a block in memory of its own.
    pub(super) fn copied_block(&mut self, from: &Place, at: ExprId) -> Place {
        let ty = from.ty().clone();
        let Some(mem) = self.fresh_local("array", &ty).local() else { return from.clone() };
        let to = Place::Block { mem, start: None, ty };
        self.copy_block(from, &to, at);
        to
    }

    /// Whether looking for a place changes nothing.
    fn place_is_quiet(&self, id: ExprId) -> bool {
        match &self.body.expr(id).kind {
            Kind::Var(_) => true,
            Kind::Field { base: e, .. } | Kind::Deref(e) | Kind::Borrow { place: e, .. } => self.place_is_quiet(*e),
            Kind::Index { base, index } => self.place_is_quiet(*base) && self.is_quiet(*index),
            _ => false,
        }
    }

    fn is_quiet(&self, id: ExprId) -> bool {
        let own = match self.body.expr(id).kind {
            Kind::Assign { .. } | Kind::Compound { .. } | Kind::Call { .. } => false,
            Kind::Method { .. } => self.effects.is_simple(id),
            Kind::Borrow { mutable, .. } => !mutable,
            Kind::For { .. } => false,
            _ => true,
        };
        let mut quiet = own;
        children(self.body, id, &mut |child| quiet &= self.is_quiet(child));
        quiet
    }

    pub(super) fn copy_block(&mut self, from: &Place, to: &Place, at: ExprId) {
        let (Place::Block { mem: from, start: from_start, ty }, Place::Block { mem: to, start: to_start, .. }) =
            (from, to)
        else {
            return;
        };
        let (unit, count) = units(ty);
        let leaves = self.count(&unit);
        let source = self.source(at);
        let count = self.b.u64(count);
        self.b.counted(count, &[], |b, t, _| {
            let mut index = |start: &Option<Value>, mem: Mem| {
                let index = match start {
                    Some(start) => b.add(*start, t),
                    None => t,
                };
                b.check_index(mem, 0, index, source);
                index
            };
            let (source_index, target_index) = (index(from_start, *from), index(to_start, *to));
            for leaf in 0..leaves {
                let value = b.load(*from, source_index, leaf as u16);
                b.store(*to, target_index, leaf as u16, value);
            }
            vec![]
        });
    }

    pub(super) fn read_block(&mut self, mem: Mem, start: Option<Value>, ty: &Ty) -> Vec<Value> {
        let (unit, count) = units(ty);
        let leaves = self.count(&unit);
        let mut all = vec![];
        for k in 0..count {
            let index = self.block_index(mem, start, k);
            for leaf in 0..leaves {
                all.push(self.b.load(mem, index, leaf as u16));
            }
        }
        all
    }

    pub(super) fn write_block(&mut self, mem: Mem, start: Option<Value>, ty: &Ty, values: &[Value]) {
        let (unit, count) = units(ty);
        let leaves = self.count(&unit);
        if values.len() != leaves * count as usize {
            return;
        }
        for k in 0..count {
            let index = self.block_index(mem, start, k);
            for leaf in 0..leaves {
                self.b.store(mem, index, leaf as u16, values[k as usize * leaves + leaf]);
            }
        }
    }

    /// The element of a block whose scalars begin at `scalar`.
    pub(super) fn block_part(&mut self, mem: Mem, start: Option<Value>, scalar: usize, ty: Ty) -> Place {
        let (unit, _) = units(&ty);
        let index = self.block_index(mem, start, (scalar / self.count(&unit).max(1)) as u64);
        match ty {
            Ty::Array(..) => Place::Block { mem, start: Some(index), ty },
            _ => Place::Memory { mem, index, leaf: 0, ty },
        }
    }

    fn block_index(&mut self, mem: Mem, start: Option<Value>, k: u64) -> Value {
        let number = self.b.u64(k);
        let Some(start) = start else { return number };
        let index = if k == 0 { start } else { self.b.add(start, number) };
        let source = self.b.source(warp_ir::ir::Source::default());
        self.b.check_index(mem, 0, index, source);
        index
    }
}
