//! Places: what can be read, assigned, and handed over as `&mut`.

use warp_ir::ir::{Mem, Value};

use super::order::Ready;
use super::state::Held;
use super::{Alias, Cell, Lower};
use crate::front::ast::*;
use crate::front::types::Ty;

/// Where a value stands.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// Scalars `at ..` of a variable.
    Var { var: VarId, at: usize, ty: Ty },
    /// Scalars `leaf ..` of an element in memory.
    Memory { mem: Mem, index: Value, leaf: usize, ty: Ty },
    /// A whole array of elements in a local array, from element `start` (0 when `None`).
    Block { mem: Mem, start: Option<Value>, ty: Ty },
    /// Scalars `at ..` of the element `index` among `count` elements of `stride` scalars each, all of them in `base`.
    Element { base: Box<Place>, index: Value, count: usize, stride: usize, at: usize, ty: Ty },
    /// A temporary.
    Value { leaves: Vec<Value>, ty: Ty },
}

impl Place {
    pub(crate) fn ty(&self) -> &Ty {
        match self {
            Place::Var { ty, .. }
            | Place::Memory { ty, .. }
            | Place::Block { ty, .. }
            | Place::Element { ty, .. }
            | Place::Value { ty, .. } => ty,
        }
    }

    /// Whether it lies in an array that other threads may write at the same time.
    pub(super) fn is_shared(&self) -> bool {
        match self {
            Place::Memory { mem, .. } => matches!(mem, Mem::Array(_)),
            Place::Element { base, .. } => base.is_shared(),
            _ => false,
        }
    }

    /// Whether it is an element of an array in memory, or a part of one.
    pub(super) fn is_memory(&self) -> bool {
        match self {
            Place::Memory { .. } => true,
            Place::Element { base, .. } => base.is_memory(),
            _ => false,
        }
    }

    /// The part of it that starts `offset` scalars in.
    pub(crate) fn part(self, offset: usize, count: usize, part: Ty) -> Place {
        match self {
            Place::Var { var, at, .. } => Place::Var { var, at: at + offset, ty: part },
            Place::Memory { mem, index, leaf, .. } => Place::Memory { mem, index, leaf: leaf + offset, ty: part },
            Place::Element { base, index, count, stride, at, .. } => {
                Place::Element { base, index, count, stride, at: at + offset, ty: part }
            }
            Place::Value { leaves, .. } => Place::Value { leaves: leaves[offset..offset + count].to_vec(), ty: part },
            Place::Block { .. } => unreachable!("an array has elements, not fields"),
        }
    }
}

impl Lower<'_> {
    /// The place of an expression; evaluates its indices.
    pub(super) fn place(&mut self, id: ExprId) -> Place {
        match self.ready.get(&id) {
            Some(Ready::Place(place)) => return place.clone(),
            Some(Ready::Values(_)) => return self.temporary(id),
            _ => {}
        }
        let body = self.body;
        match &body.expr(id).kind {
            Kind::Var(var) => self.var_place(*var),
            Kind::Deref(e) | Kind::Borrow { place: e, .. } => self.place(*e),
            Kind::Field { base, name, .. } => {
                let of = self.ty(*base).clone();
                if let Ty::Bundle(_) = of {
                    return self.bundle_value(id, *base, name);
                }
                let base = self.place(*base);
                match self.field(&of, name) {
                    Some((at, ty)) => {
                        let count = self.count(&ty);
                        base.part(at, count, ty)
                    }
                    None => Place::Value { leaves: vec![], ty: Ty::Unit },
                }
            }
            Kind::Index { base, index } => self.index_place(id, *base, *index),
            Kind::Method { receiver, args, .. } if self.is_column(id) => self.column(id, *receiver, args[0]),
            _ => self.temporary(id),
        }
    }

    pub(super) fn var_place(&mut self, var: VarId) -> Place {
        let ty = self.var_type(var);
        match self.aliases.get(&var) {
            Some(Alias::Place(place)) => place.clone(),
            Some(Alias::Memory(memory)) => match memory.local() {
                Some(mem) => Place::Block { mem, start: None, ty },
                None => Place::Value { leaves: vec![], ty: Ty::Unit },
            },
            None => Place::Var { var, at: 0, ty },
        }
    }

    pub(super) fn read_var(&mut self, var: VarId, ty: &Ty) -> Vec<Value> {
        let place = self.var_place(var);
        let values = self.read(&place);
        if values.len() == self.count(ty) { values } else { self.zeros(ty) }
    }

    /// The values that stand at a place.
    pub(super) fn read(&mut self, place: &Place) -> Vec<Value> {
        let count = self.count(place.ty());
        match place {
            Place::Value { leaves, .. } => leaves.clone(),
            Place::Var { var, at, .. } => {
                let whole = self.held(Cell::var(*var));
                match whole.get(*at..at + count) {
                    Some(values) => values.to_vec(),
                    None => self.zeros(place.ty()),
                }
            }
            Place::Memory { mem, index, leaf, .. } => {
                (*leaf..leaf + count).map(|leaf| self.b.load(*mem, *index, leaf as u16)).collect()
            }
            Place::Block { mem, start, ty } => self.read_block(*mem, *start, ty),
            // Its check has failed.
            Place::Element { count: 0, ty, .. } => self.zeros(&ty.clone()),
            Place::Element { base, index, count: n, stride, at, .. } => {
                let all = self.read(base);
                (0..count).map(|k| self.select_element(&all, *index, *n, *stride, at + k)).collect()
            }
        }
    }

    fn select_element(&mut self, all: &[Value], index: Value, n: usize, stride: usize, at: usize) -> Value {
        let mut value = all[at];
        for k in 1..n {
            let number = self.b.u64(k as u64);
            let here = self.b.eq(index, number);
            value = self.b.select(here, all[k * stride + at], value);
        }
        value
    }

    /// Puts values at a place.
    pub(super) fn write(&mut self, place: &Place, values: &[Value]) {
        match place {
            Place::Value { .. } => {}
            Place::Var { var, at, .. } => {
                let cell = Cell::var(*var);
                let of = self.var_type(*var);
                let mut whole = match self.state.get(cell) {
                    Held::Values(values) => values.clone(),
                    _ if *at == 0 && values.len() == self.count(&of) => values.to_vec(),
                    _ => self.zeros(&of),
                };
                if at + values.len() <= whole.len() {
                    whole[*at..at + values.len()].copy_from_slice(values);
                }
                self.state.set(cell, Held::Values(whole));
            }
            Place::Memory { mem, index, leaf, .. } => {
                for (k, &value) in values.iter().enumerate() {
                    self.b.store(*mem, *index, (leaf + k) as u16, value);
                }
            }
            Place::Block { mem, start, ty } => self.write_block(*mem, *start, ty, values),
            Place::Element { base, count, .. } if base.is_shared() => self.write_component(place, 0..*count, values),
            Place::Element { base, index, count, stride, at, .. } => {
                let mut all = self.read(base);
                for k in 0..*count {
                    let number = self.b.u64(k as u64);
                    let here = self.b.eq(*index, number);
                    for (j, &value) in values.iter().enumerate() {
                        let slot = &mut all[k * stride + at + j];
                        *slot = self.b.select(here, value, *slot);
                    }
                }
                self.write(base, &all);
            }
        }
    }

    /// Puts values at one of the components `range` of an element: only that one is touched, since other threads may
    /// write its neighbours.
    fn write_component(&mut self, place: &Place, range: std::ops::Range<usize>, values: &[Value]) {
        let Place::Element { base, index, stride, at, ty, .. } = place else { return };
        if range.len() < 2 {
            if let Some(k) = range.into_iter().next() {
                let one = base.as_ref().clone().part(k * stride + at, values.len(), ty.clone());
                self.write(&one, values);
            }
            return;
        }
        let middle = range.start + range.len() / 2;
        let number = self.b.u64(middle as u64);
        let lower_half = self.b.lt(*index, number);
        let half = |range: std::ops::Range<usize>| {
            move |lower: &mut Self| {
                lower.write_component(place, range, values);
                vec![]
            }
        };
        self.either(lower_half, &Ty::Unit, half(range.start..middle), half(middle..range.end));
    }
}
