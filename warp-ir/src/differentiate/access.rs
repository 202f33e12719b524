//! Accesses to memory: loads of the primal's arrays, and gradients.

use std::collections::BTreeMap;

use super::emit::Emit;
use super::place;
use super::tree::{OpId, adjoint_scalar};
use super::{Detached, refusal, shared};
use crate::ir::*;
use crate::planted::{self, Bug};
use crate::validate::Term;

impl Emit<'_, '_> {
    /// The flat index of an access in an array of the adjoint kernel, checked in each dimension.
    fn index_in(&mut self, id: OpId, array: ArrayId) -> Value {
        let indices = self.indices(id);
        self.flat_in(array, &indices)
    }

    /// The index of an access in each dimension.
    pub(super) fn indices(&mut self, id: OpId) -> Vec<Value> {
        let place = self.places[&id].clone();
        place.iter().map(|term| self.term(term)).collect()
    }

    /// The flat index of an element, checked in each dimension.
    pub(super) fn flat_in(&mut self, array: ArrayId, indices: &[Value]) -> Value {
        place::flat(&mut self.b, array, indices, self.source)
    }

    fn term(&mut self, term: &Term) -> Value {
        match *term {
            Term::Const(bits) => self.b.u64(bits),
            Term::Extent(array, dim) => self.b.extent(array, dim),
            Term::Value(value) => self.get(value),
        }
    }

    /// A load of the primal.
    pub(super) fn load(&mut self, id: OpId) {
        let Op::Load { mem, index, leaf, result } = self.op(id) else { return };
        let at = match mem {
            Mem::Array(array) => self.index_in(id, *array),
            Mem::Local(local) => {
                self.zeroed.push(*local);
                let index = self.get(*index);
                self.inside(*mem, 0, index);
                index
            }
        };
        let value = self.b.load(*mem, at, *leaf);
        self.name(*result, value);
    }

    /// A store of the primal: to a local array, or to a replayed leaf of an array.
    pub(super) fn store(&mut self, id: OpId) {
        let Op::Store { mem, index, leaf, value } = self.op(id) else { return };
        if self.is_replayed(id) {
            return self.store_logging(id);
        }
        let (index, value) = (self.get(*index), self.get(*value));
        self.inside(*mem, 0, index);
        self.b.store(*mem, index, *leaf, value);
    }

    /// Where the adjoint of an element lies, and whether other threads may be there too; none without a gradient.
    fn adjoint_place(&mut self, id: OpId, mem: Mem, index: Value) -> Option<(Mem, Value, bool)> {
        match mem {
            Mem::Array(array) => {
                let (grad, shared) = self.grads[array.0 as usize]?;
                Some((Mem::Array(grad), self.index_in(id, grad), shared))
            }
            Mem::Local(local) => {
                let twin = Mem::Local(self.twins[local.0 as usize]?);
                let index = self.get(index);
                self.inside(twin, 0, index);
                Some((twin, index, false))
            }
        }
    }

    /// Adds to the adjoint of the element that an op accesses.
    pub(super) fn add_to_memory(&mut self, id: OpId, mem: Mem, index: Value, leaf: u16, more: Value) {
        let Some((mem, at, shared)) = self.adjoint_place(id, mem, index) else { return };
        if shared {
            self.b.atomic(AtomicKind::Add, mem, at, leaf, more);
            return;
        }
        let before = self.b.load(mem, at, leaf);
        let stored = self.b.scalar(before);
        let wide = self.b.cast(adjoint_scalar(stored), before);
        let sum = self.b.add(wide, more);
        let sum = self.b.cast(stored, sum);
        self.b.store(mem, at, leaf, sum);
    }

    /// The adjoint of the element that an op accesses.
    pub(super) fn read_memory(&mut self, id: OpId, mem: Mem, index: Value, leaf: u16) -> Option<Value> {
        let (mem, at, _) = self.adjoint_place(id, mem, index)?;
        let found = self.b.load(mem, at, leaf);
        Some(self.b.cast(adjoint_scalar(self.b.scalar(found)), found))
    }

    /// The adjoint of the element that an op accesses, which is left zero.
    pub(super) fn take_memory(&mut self, id: OpId, mem: Mem, index: Value, leaf: u16) -> Option<Value> {
        let (mem, at, shared) = self.adjoint_place(id, mem, index)?;
        let scalar = match mem {
            Mem::Array(array) => self.b.function().arrays[array.0 as usize].leaves[leaf as usize],
            Mem::Local(local) => self.b.function().locals[local.0 as usize].leaves[leaf as usize],
        };
        let zero = self.b.zero(scalar);
        let found = if shared {
            self.b.atomic(AtomicKind::Exchange, mem, at, leaf, zero)
        } else {
            let found = self.b.load(mem, at, leaf);
            if !planted::is(Bug::AdjointKeepsOverwritten) {
                self.b.store(mem, at, leaf, zero);
            }
            found
        };
        Some(self.b.cast(adjoint_scalar(scalar), found))
    }

    /// Makes the gradient of each array parameter, and the twins of local arrays. Gives the gradients, and what to say of
    /// those that nobody can add to: the kernel leaves them alone.
    pub(super) fn make_gradients(&mut self, shared: &[bool]) -> (Vec<Option<ArrayId>>, Vec<Detached>) {
        let touched = |&at: &OpId| shared::touched(self.tree, self.activity, at);
        let touched: BTreeMap<(ArrayId, u16), OpId> =
            self.places.keys().rev().filter_map(|at| Some((touched(at)?, *at))).collect();
        let (mut gradients, mut detached) = (vec![None; shared.len()], vec![]);
        for (k, array) in self.tree.function.arrays.iter().enumerate() {
            if !array.leaves.iter().any(|&l| l.is_float() || l.is_half()) {
                continue;
            }
            let grad = ArrayParam { name: format!("{} gradient", array.name), access: Access::Write, ..array.clone() };
            let grad = self.b.array(grad);
            gradients[k] = Some(grad);
            let id = ArrayId(k as u32);
            let halves = (0..array.leaves.len()).filter(|&leaf| array.leaves[leaf].is_half());
            match halves.filter_map(|leaf| touched.get(&(id, leaf as u16))).min() {
                Some(&access) if shared[k] => {
                    detached.push(Detached { array: id, refusal: refusal::shared_halves(self.tree, access) });
                }
                _ => self.grads[k] = Some((grad, shared[k])),
            }
        }
        for (local, _) in self.activity.locals() {
            let of = &self.tree.function.locals[local.0 as usize];
            if self.twins[local.0 as usize].is_none() {
                let leaves: Vec<Scalar> = of.leaves.iter().map(|&l| adjoint_scalar(l)).collect();
                let twin = self.b.local(&format!("{} adjoint", of.name), &leaves, of.len);
                self.twins[local.0 as usize] = Some(twin);
                self.zeroed.push(twin);
            }
        }
        (gradients, detached)
    }
}
