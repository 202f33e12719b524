//! Memory: array parameters, parts of them, local arrays, bundles.

use warp_ir::ir::{ArrayArg, CheckKind, Mem, SourceId, Value};

use super::order::Ready;
use super::place::Place;
use super::{Alias, Lower};
use crate::front::ast::*;
use crate::front::types::Ty;

/// What an expression of slice, view or bundle type stands for.
#[derive(Clone, Debug)]
pub(crate) enum Memory {
    /// A whole array parameter, or a local array of `len` elements.
    Whole { mem: Mem, len: Option<u64> },
    /// Elements `start .. start + len` of a one-dimensional array.
    Part { mem: Mem, start: Value, len: Value },
    /// Elements `start .. start + len`, or all, of an array of `of` elements that stands at a place, as a field does.
    Within { place: Place, of: u64, part: Option<(Value, Value)> },
    /// The fields of a bundle, in order.
    Bundle(Vec<(String, Field)>),
}

/// A field of a bundle.
#[derive(Clone, Debug)]
pub(crate) enum Field {
    Memory(Memory),
    Values(Vec<Value>),
}

impl Memory {
    /// The local array, if it is one.
    pub(crate) fn local(&self) -> Option<Mem> {
        match self {
            Memory::Whole { mem: mem @ Mem::Local(_), .. } => Some(*mem),
            _ => None,
        }
    }

    fn field(&self, name: &str) -> Option<&Field> {
        match self {
            Memory::Bundle(fields) => fields.iter().find(|(n, _)| n == name).map(|(_, f)| f),
            _ => None,
        }
    }
}

impl Lower<'_> {
    /// The memory that an expression names.
    pub(super) fn memory(&mut self, id: ExprId) -> Option<Memory> {
        if let Some(Ready::Memory(memory)) = self.ready.get(&id) {
            return memory.clone();
        }
        let body = self.body;
        match &body.expr(id).kind {
            Kind::Var(var) => match self.aliases.get(var) {
                Some(Alias::Memory(memory)) => Some(memory.clone()),
                _ => None,
            },
            Kind::Borrow { place: e, .. } | Kind::Deref(e) => self.memory(*e),
            Kind::Field { base, name, .. } => match self.memory(*base)?.field(name)? {
                Field::Memory(memory) => Some(memory.clone()),
                Field::Values(_) => None,
            },
            Kind::Index { base, index } => match &body.expr(*index).kind {
                Kind::Range { start, end, inclusive } => self.cut(id, *base, *start, *end, *inclusive),
                _ => None,
            },
            _ => None,
        }
    }

    /// `let view = view;`, `let mesh = world.mesh;`: another name for the same memory. False when it is something else.
    pub(super) fn memory_renamed(&mut self, pat: PatId, init: ExprId) -> bool {
        if self.is_split(init) {
            return self.halves_named(pat, init);
        }
        let PatKind::Bind { var, sub: None } = self.body.pat(pat).kind else { return false };
        // `let part: &mut [f32] = &mut array;`
        let whole = matches!((self.ty(init), self.var_type(var)), (Ty::Array(..), Ty::Slice { .. }));
        if !whole && !matches!(self.ty(init), Ty::Slice { .. } | Ty::View { .. } | Ty::Planes { .. } | Ty::Bundle(_)) {
            return false;
        }
        let memory = match whole {
            true => self.slice_of(init, self.effects.references.is_reference(self.body, init)),
            false => self.memory(init),
        };
        match memory {
            Some(memory) => {
                self.aliases.insert(var, Alias::Memory(memory));
                true
            }
            None => self.unnamed_variable(var, init),
        }
    }

    /// A scalar or struct that a bundle carries.
    pub(super) fn bundle_value(&mut self, id: ExprId, base: ExprId, name: &str) -> Place {
        let ty = self.ty(id).clone();
        let found = self.wanted(base).and_then(|m| m.field(name).cloned());
        match found {
            Some(Field::Values(leaves)) => Place::Value { leaves, ty },
            _ => Place::Value { leaves: self.zeros(&ty), ty },
        }
    }

    /// Length of a one-dimensional memory.
    pub(super) fn memory_len(&mut self, memory: &Memory) -> Value {
        match memory {
            Memory::Whole { len: Some(len), .. } => self.b.u64(*len),
            Memory::Whole { mem, .. } => self.b.len(*mem),
            Memory::Part { len, .. } | Memory::Within { part: Some((_, len)), .. } => *len,
            Memory::Within { of, .. } => self.b.u64(*of),
            Memory::Bundle(_) => self.b.u64(0),
        }
    }

    /// `base[start..end]`, checked.
    fn cut(
        &mut self,
        id: ExprId,
        base: ExprId,
        start: Option<ExprId>,
        end: Option<ExprId>,
        inclusive: bool,
    ) -> Option<Memory> {
        let memory = self.slice_of(base, self.written_parts.contains(&id))?;
        let len = self.memory_len(&memory);
        let low = match start {
            Some(start) => self.scalar(start),
            None => self.b.u64(0),
        };
        // The last index of `a[lo..=hi]` is checked by itself: one more would wrap for the largest.
        let last = match end {
            Some(end) if inclusive => Some(self.scalar(end)),
            _ => None,
        };
        let high = match (end, last) {
            (_, Some(last)) => {
                let one = self.b.u64(1);
                self.b.add(last, one)
            }
            (Some(end), None) => self.scalar(end),
            (None, None) => len,
        };
        if let Some(last) = last {
            let (mem, source) = (self.reported(&memory)?, self.source(id));
            let reached = self.b.lt(last, len);
            self.b.check(reached, CheckKind::SliceRange { mem }, &[low, high, len], source);
        }
        self.part(id, &memory, low, high)
    }

    /// The elements `low .. high` of a memory, checked.
    pub(super) fn part(&mut self, id: ExprId, memory: &Memory, low: Value, high: Value) -> Option<Memory> {
        let (mem, source, len) = (self.reported(memory)?, self.source(id), self.memory_len(memory));
        let (ordered, inside) = (self.b.le(low, high), self.b.le(high, len));
        let cond = self.b.and(ordered, inside);
        self.b.check(cond, CheckKind::SliceRange { mem }, &[low, high, len], source);
        let (start, end) = match memory {
            Memory::Part { start, .. } => self.part_of_part(mem, *start, (low, high), source),
            Memory::Within { part: Some((start, _)), .. } => (self.b.add(*start, low), self.b.add(*start, high)),
            _ => (low, high),
        };
        let len = self.b.sub(end, start);
        Some(match memory {
            Memory::Within { place, of, .. } => {
                Memory::Within { place: place.clone(), of: *of, part: Some((start, len)) }
            }
            _ => Memory::Part { mem, start, len },
        })
    }

    /// The memory that a failed check names.
    pub(super) fn reported(&mut self, memory: &Memory) -> Option<Mem> {
        match memory {
            Memory::Whole { mem, .. } | Memory::Part { mem, .. } => Some(*mem),
            Memory::Within { of, .. } => Some(self.report_memory("array", *of)),
            Memory::Bundle(_) => None,
        }
    }

    /// A part of a part that begins at `start`, by numbers of the whole array.
    pub(super) fn part_of_part(
        &mut self,
        mem: Mem,
        start: Value,
        within: (Value, Value),
        source: SourceId,
    ) -> (Value, Value) {
        let (low, high) = (self.b.add(start, within.0), self.b.add(start, within.1));
        // Both lie inside the array, as the outer part does; this says so to whoever checks the program.
        let len = self.b.len(mem);
        let (ordered, inside) = (self.b.le(low, high), self.b.le(high, len));
        let cond = self.b.and(ordered, inside);
        self.b.check(cond, CheckKind::SliceRange { mem }, &[low, high, len], source);
        (low, high)
    }

    /// The memory of a slice or array. An array that is a value is put into memory, unless it is `written`: then its
    /// elements stay where they are.
    pub(super) fn slice_of(&mut self, base: ExprId, written: bool) -> Option<Memory> {
        if let Some(memory) = self.memory(base) {
            return Some(memory);
        }
        let Ty::Array(_, of) = *self.ty(base) else { return None };
        let place = self.place(base);
        if written && !matches!(place, Place::Block { .. } | Place::Value { .. }) {
            return Some(Memory::Within { place, of, part: None });
        }
        Some(self.slice_at(&place, base))
    }

    /// The memory of an array that stands at a place; one that is a value is put into memory first.
    pub(super) fn slice_at(&mut self, place: &Place, at: ExprId) -> Memory {
        if let Place::Block { mem, start, ty } = place {
            let (_, count) = super::array::units(ty);
            return match start {
                Some(start) => {
                    let (none, all, source) = (self.b.u64(0), self.b.u64(count), self.source(at));
                    let (start, end) = self.part_of_part(*mem, *start, (none, all), source);
                    Memory::Part { mem: *mem, start, len: self.b.sub(end, start) }
                }
                None => Memory::Whole { mem: *mem, len: Some(count) },
            };
        }
        let ty = place.ty().clone();
        let values = self.read(place);
        let memory = self.fresh_local("array", &ty);
        if let Some(mem) = memory.local() {
            self.write_block(mem, None, &ty, &values);
        }
        memory
    }

    /// The arguments that hand a memory to a callee.
    pub(super) fn array_arguments(&mut self, memory: &Memory, arrays: &mut Vec<ArrayArg>, scalars: &mut Vec<Value>) {
        match memory {
            // An array without elements has memory for one.
            Memory::Whole { mem, len: Some(0) } => {
                let none = self.b.u64(0);
                arrays.push(ArrayArg { mem: *mem, part: Some((none, none)), copied: false });
            }
            Memory::Whole { mem, .. } => arrays.push(ArrayArg { mem: *mem, part: None, copied: false }),
            Memory::Part { mem, start, len } => {
                arrays.push(ArrayArg { mem: *mem, part: Some((*start, *len)), copied: false })
            }
            // It was lent: see `lend`.
            Memory::Within { .. } => {}
            Memory::Bundle(fields) => {
                for (_, field) in fields {
                    match field {
                        Field::Memory(memory) => self.array_arguments(memory, arrays, scalars),
                        Field::Values(values) => scalars.extend(values),
                    }
                }
            }
        }
    }

    /// The element of a memory at an index that was checked against its length.
    pub(super) fn element(&mut self, memory: &Memory, index: Value, ty: Ty, at: ExprId) -> Place {
        match memory {
            Memory::Part { mem, start, .. } => {
                let flat = self.b.add(*start, index);
                // The part lies inside the array; this says so to whoever checks the program.
                let source = self.source(at);
                self.b.check_index(*mem, 0, flat, source);
                Place::Memory { mem: *mem, index: flat, leaf: 0, ty }
            }
            Memory::Whole { mem, .. } => Place::Memory { mem: *mem, index, leaf: 0, ty },
            Memory::Within { place, of, part } => {
                let index = match part {
                    Some((start, _)) => self.b.add(*start, index),
                    None => index,
                };
                let stride = self.count(&ty);
                Place::Element { base: Box::new(place.clone()), index, count: *of as usize, stride, at: 0, ty }
            }
            Memory::Bundle(_) => Place::Value { leaves: vec![], ty },
        }
    }
}
