//! Elements: the index is evaluated, checked against each dimension, and turned into a flat one.

use warp_ir::ir::{CheckKind, Mem, Value};

use super::Lower;
use super::array::units;
use super::memory::Memory;
use super::place::Place;
use crate::front::ast::*;
use crate::front::library;
use crate::front::types::Ty;

impl Lower<'_> {
    /// `base[index]` as a place.
    pub(super) fn index_place(&mut self, id: ExprId, base: ExprId, index: ExprId) -> Place {
        let of = self.ty(base).clone();
        let ty = self.ty(id).clone();
        match &of {
            Ty::Slice { .. } | Ty::Planes { .. } => {
                let Some(memory) = self.wanted(base) else { return self.nothing(id, &ty) };
                let index = self.scalar(index);
                self.check_against(id, &memory, index);
                self.element(&memory, index, ty, id)
            }
            Ty::View { rank, .. } => {
                let Some(Memory::Whole { mem, .. }) = self.wanted(base) else { return self.nothing(id, &ty) };
                let rank = *rank;
                let position = self.expr(index);
                self.view_element(id, mem, rank, &position, ty)
            }
            Ty::Array(_, len) => self.array_element(id, base, *len, index, ty),
            other => match library::vector(other) {
                Some((_, n)) => self.array_element(id, base, n as u64, index, ty),
                None => match library::matrix(other) {
                    Some((_, rows, columns)) => self.matrix_element(id, base, (rows, columns), index, ty),
                    None => {
                        self.expr(base);
                        self.nothing(id, &ty)
                    }
                },
            },
        }
    }

    /// What stands where an error was reported, or behind code that never ends.
    pub(super) fn nothing(&mut self, id: ExprId, ty: &Ty) -> Place {
        let body = self.body;
        let unreachable = match &body.expr(id).kind {
            Kind::Index { base, .. } | Kind::Method { receiver: base, .. } => *self.ty(*base) == Ty::Never,
            _ => false,
        };
        if self.errors.is_empty() && !unreachable {
            self.errors
                .refuse(body.expr(id).span, "kernels cannot tell which element this is: index a variable by its name");
        }
        Place::Value { leaves: self.zeros(ty), ty: ty.clone() }
    }

    /// Checks an index against a memory's length.
    pub(super) fn check_against(&mut self, id: ExprId, memory: &Memory, index: Value) {
        let source = self.source(id);
        match memory {
            Memory::Whole { mem, .. } => self.b.check_index(*mem, 0, index, source),
            Memory::Part { mem, len, .. } => self.check_extent(*mem, index, *len, source),
            Memory::Within { of, .. } => {
                let (mem, len) = (self.report_memory("array", *of), self.memory_len(memory));
                self.check_extent(mem, index, len, source);
            }
            Memory::Bundle(_) => {}
        }
    }

    fn check_extent(&mut self, mem: Mem, index: Value, extent: Value, source: warp_ir::ir::SourceId) {
        let cond = self.b.lt(index, extent);
        self.b.check(cond, CheckKind::Index { mem, dim: 0 }, &[index, extent], source);
    }

    /// An element of a view: each dimension is checked, the flat index follows the strides.
    pub(super) fn view_element(&mut self, id: ExprId, mem: Mem, rank: u8, position: &[Value], ty: Ty) -> Place {
        let Mem::Array(array) = mem else { return self.nothing(id, &ty) };
        if position.len() != rank as usize {
            return self.nothing(id, &ty);
        }
        let source = self.source(id);
        for (dim, &index) in position.iter().enumerate() {
            self.b.check_index(mem, dim as u8, index, source);
        }
        let mut flat: Option<Value> = None;
        for (dim, &index) in position.iter().enumerate() {
            let stride = self.b.stride(array, dim as u8);
            let step = self.b.mul(index, stride);
            flat = Some(match flat {
                None => step,
                Some(sum) => self.b.add(sum, step),
            });
        }
        match flat {
            Some(index) => Place::Memory { mem, index, leaf: 0, ty },
            None => self.nothing(id, &ty),
        }
    }

    /// An element of a fixed array, or a component of a vector.
    fn array_element(&mut self, id: ExprId, base: ExprId, len: u64, index: ExprId, ty: Ty) -> Place {
        let place = self.place(base);
        let stride = self.count(&ty);
        if let Kind::Int { value, .. } = self.body.expr(index).kind
            && value < len as u128
            && !matches!(place, Place::Block { .. })
        {
            return place.part(value as usize * stride, stride, ty);
        }
        let index = self.scalar(index);
        self.computed_element(id, place, len, index, ty)
    }

    /// `m[(r, c)]` of an own matrix, which is its rows one after another.
    fn matrix_element(&mut self, id: ExprId, base: ExprId, shape: (u64, u64), index: ExprId, ty: Ty) -> Place {
        let place = self.place(base);
        let (rows, columns) = shape;
        if let Kind::Tuple(list) = &self.body.expr(index).kind
            && let [r, c] = list.as_slice()
            && let (Kind::Int { value: r, .. }, Kind::Int { value: c, .. }) =
                (&self.body.expr(*r).kind, &self.body.expr(*c).kind)
            && *r < rows as u128
            && *c < columns as u128
        {
            return place.part((*r * columns as u128 + *c) as usize, 1, ty);
        }
        let position = self.expr(index);
        let [r, c] = position.as_slice() else { return self.nothing(id, &ty) };
        let row = Ty::Array(Box::new(ty.clone()), columns);
        let row = self.computed_element(id, place, rows, *r, row);
        self.computed_element(id, row, columns, *c, ty)
    }

    /// Whether an expression is `m.col_mut(index)`, which lends a column.
    pub(super) fn is_column(&self, id: ExprId) -> bool {
        let Kind::Method { receiver, name, .. } = &self.body.expr(id).kind else { return false };
        name == "col_mut" && !self.typed.functions.contains_key(&id) && library::column(self.ty(*receiver)).is_some()
    }

    /// The column of one of glam's matrices as a place.
    pub(super) fn column(&mut self, id: ExprId, matrix: ExprId, index: ExprId) -> Place {
        let Some((column, n)) = library::column(self.ty(matrix)) else { return self.temporary(id) };
        let place = self.place(matrix);
        if let Kind::Int { value, .. } = self.body.expr(index).kind
            && value < n as u128
        {
            return place.part(value as usize * n, n, column);
        }
        let index = self.scalar(index);
        self.computed_element(id, place, n as u64, index, column)
    }

    /// An element by a computed index.
    pub(super) fn computed_element(&mut self, id: ExprId, place: Place, len: u64, index: Value, ty: Ty) -> Place {
        let source = self.source(id);
        if let Place::Block { mem, start, .. } = place {
            return self.block_element(mem, start, len, index, ty, source);
        }
        let stride = self.count(&ty);
        let extent = self.b.u64(len);
        let cond = self.b.lt(index, extent);
        let mem = self.report_memory("array", len);
        self.b.check(cond, CheckKind::Index { mem, dim: 0 }, &[index, extent], source);
        Place::Element { base: Box::new(place), index, count: len as usize, stride, at: 0, ty }
    }

    fn block_element(
        &mut self,
        mem: Mem,
        start: Option<Value>,
        len: u64,
        index: Value,
        ty: Ty,
        source: warp_ir::ir::SourceId,
    ) -> Place {
        let (_, inner) = units(&ty);
        // An array without elements has memory for one.
        let whole = start.is_none() && inner == 1 && len > 0;
        if whole {
            self.b.check_index(mem, 0, index, source);
            return Place::Memory { mem, index, leaf: 0, ty };
        }
        let extent = self.b.u64(len);
        self.check_extent(mem, index, extent, source);
        let inner = self.b.u64(inner);
        let offset = self.b.mul(index, inner);
        let flat = match start {
            Some(start) => self.b.add(start, offset),
            None => offset,
        };
        if matches!(ty, Ty::Array(..)) {
            return Place::Block { mem, start: Some(flat), ty };
        }
        // Both indices are in range, and so is this; said for whoever checks the program.
        self.b.check_index(mem, 0, flat, source);
        Place::Memory { mem, index: flat, leaf: 0, ty }
    }

    /// A memory to name in the report of an index into an array that is not in memory.
    pub(super) fn report_memory(&mut self, name: &str, len: u64) -> Mem {
        let len = len.clamp(1, u32::MAX as u64) as u32;
        let known = self.b.function().locals.iter().position(|l| l.leaves.len() == 1 && l.len == len && l.name == name);
        match known {
            Some(at) => Mem::Local(warp_ir::ir::LocalId(at as u32)),
            None => Mem::Local(self.b.local(name, &[warp_ir::ir::Scalar::U8], len)),
        }
    }
}
