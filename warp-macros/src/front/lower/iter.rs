//! What `for` walks over, as a count and a rule that gives the item of turn `t`.

use warp_ir::ir::{CheckKind, PrintPiece, Scalar, Value};

use super::array::units;
use super::memory::Memory;
use super::place::Place;
use super::{Alias, Lower};
use crate::front::ast::*;
use crate::front::planted::{self, Bug};
use crate::front::types::Ty;
use crate::front::walk::root_variable;

/// A counted sequence.
pub(super) struct Sequence {
    /// Number of turns (`U64`). A range with 2^64 numbers has one turn less here: nobody waits for the last one.
    pub count: Value,
    /// Number of the last turn, exact, where `count` may not be; meaningless while `count` is 0.
    last: Option<Value>,
    pub item: Item,
}

/// The item of turn `t`.
#[derive(Clone)]
pub(super) enum Item {
    /// `first + t * stride`, wrapping in the type of the numbers.
    Number {
        first: Option<Value>,
        stride: Option<Value>,
        scalar: Scalar,
    },
    /// The element at that index.
    Element {
        of: Elements,
        first: Option<Value>,
        stride: Option<Value>,
        ty: Ty,
        mutable: bool,
    },
    /// The part of that number among parts of `size` elements.
    Chunk {
        of: Memory,
        size: Value,
        first: Option<Value>,
        stride: Option<Value>,
    },
    Pair(Box<Item>, Box<Item>),
}

impl Item {
    /// Whether it is no value: then it must be named where it is taken out of a pair.
    fn is_mutable(&self) -> bool {
        match self {
            Item::Number { .. } => false,
            Item::Chunk { .. } => true,
            Item::Element { mutable, .. } => *mutable,
            Item::Pair(a, b) => a.is_mutable() || b.is_mutable(),
        }
    }
}

/// Whose elements.
#[derive(Clone)]
pub(super) enum Elements {
    Memory(Memory),
    /// An array among the scalars of a variable or element.
    Place(Place, u64),
}

impl Lower<'_> {
    pub(super) fn sequence(&mut self, id: ExprId, iter: &Iter) -> Option<Sequence> {
        Some(match iter {
            Iter::Range { start, end, inclusive } => self.range(*start, *end, *inclusive)?,
            Iter::Rev(inner) => {
                let sequence = self.sequence(id, inner)?;
                let last = self.last_turn(&sequence);
                Sequence { item: self.reversed(sequence.item, last), ..sequence }
            }
            Iter::StepBy(inner, step) => {
                let sequence = self.sequence(id, inner)?;
                let literal = matches!(self.body.expr(*step).kind, Kind::Int { value, .. } if value > 0);
                let step = self.scalar(*step);
                if !literal {
                    self.check_step(id, step);
                }
                self.stepped(sequence, step)
            }
            Iter::Take(inner, n) => {
                let Sequence { count, last, item } = self.sequence(id, inner)?;
                let n = self.scalar(*n);
                let last = last.map(|last| {
                    let one = self.b.u64(1);
                    let most = self.b.sub(n, one);
                    self.b.min(last, most)
                });
                Sequence { count: self.b.min(count, n), last, item }
            }
            Iter::Skip(inner, n) => {
                let sequence = self.sequence(id, inner)?;
                let n = self.scalar(*n);
                self.without_first(sequence, n)
            }
            Iter::Enumerate(inner) => {
                let Sequence { count, last, item } = self.sequence(id, inner)?;
                let number = Item::Number { first: None, stride: None, scalar: Scalar::U64 };
                Sequence { count, last, item: Item::Pair(Box::new(number), Box::new(item)) }
            }
            Iter::Zip(a, b) => {
                let (a, b) = (self.sequence(id, a)?, self.sequence(id, b)?);
                let last = match (a.last, b.last) {
                    (None, None) => None,
                    _ => {
                        let (first, second) = (self.last_turn(&a), self.last_turn(&b));
                        Some(self.b.min(first, second))
                    }
                };
                let item = Item::Pair(Box::new(a.item), Box::new(b.item));
                Sequence { count: self.b.min(a.count, b.count), last, item }
            }
            Iter::Elements { place, mutable } => self.elements(*place, *mutable)?,
            Iter::Chunks { place, size, mutable } => self.chunks(id, *place, *size, *mutable)?,
            Iter::Value(value) if self.effects.references.walked(self.body, self.typed, iter).is_some() => {
                self.elements(*value, true)?
            }
            Iter::Value(value) => {
                let changed = root_variable(self.body, *value).is_some_and(|v| self.effects.writes(id, v));
                match changed && matches!(self.ty(*value), Ty::Array(..)) {
                    true => self.copied_elements(*value)?,
                    false => self.elements(*value, false)?,
                }
            }
        })
    }

    fn last_turn(&mut self, sequence: &Sequence) -> Value {
        match sequence.last {
            Some(last) => last,
            None => {
                let one = self.b.u64(1);
                self.b.sub(sequence.count, one)
            }
        }
    }

    /// The number of turns up to the turn `last`, where there are `any`.
    fn turns_until(&mut self, any: Value, last: Value) -> Value {
        let (most, one, none) = (self.b.u64(u64::MAX - 1), self.b.u64(1), self.b.u64(0));
        let last = self.b.min(last, most);
        let count = self.b.add(last, one);
        self.b.select(any, count, none)
    }

    fn range(&mut self, start: ExprId, end: Option<ExprId>, inclusive: bool) -> Option<Sequence> {
        let scalar = self.ty(start).scalar()?;
        let from_zero = matches!(self.body.expr(start).kind, Kind::Int { value: 0, .. });
        let Some(end) = end else {
            let item = Item::Number { first: Some(self.scalar(start)), stride: None, scalar };
            return Some(Sequence { count: self.b.u64(u64::MAX), last: None, item });
        };
        // An end that is never reached has no value: then neither has what follows.
        let ty = self.ty(start).clone();
        let (low, high) = (self.scalar(start), self.value(end, &ty)[0]);
        let item = Item::Number { first: (!from_zero).then_some(low), stride: None, scalar };
        if from_zero && !inclusive {
            let high = if scalar.is_signed() { self.b.max(high, low) } else { high };
            let high = self.b.cast(unsigned(scalar), high);
            return Some(Sequence { count: self.b.cast(Scalar::U64, high), last: None, item });
        }
        let any = if inclusive { self.b.le(low, high) } else { self.b.lt(low, high) };
        let span = self.b.sub(high, low);
        let span = self.b.cast(unsigned(scalar), span);
        let span = self.b.cast(Scalar::U64, span);
        if inclusive && !planted::is(Bug::RangeLosesLastTurn) {
            return Some(Sequence { count: self.turns_until(any, span), last: Some(span), item });
        }
        let none = self.b.u64(0);
        Some(Sequence { count: self.b.select(any, span, none), last: None, item })
    }

    fn elements(&mut self, id: ExprId, mutable: bool) -> Option<Sequence> {
        let ty = self.ty(id).clone();
        let (Ty::Slice { element, .. } | Ty::Planes { element, .. } | Ty::Array(element, _)) = &ty else { return None };
        let element = (**element).clone();
        let whole = |of: Elements| Item::Element { of, first: None, stride: None, ty: element.clone(), mutable };
        let Ty::Array(_, len) = ty else {
            let memory = self.wanted(id)?;
            let count = self.memory_len(&memory);
            return Some(Sequence { count, last: None, item: whole(Elements::Memory(memory)) });
        };
        let count = self.b.u64(len);
        let flat = units(&element).1 == 1;
        if flat && let Some(memory) = self.memory(id) {
            return Some(Sequence { count, last: None, item: whole(Elements::Memory(memory)) });
        }
        let place = self.place(id);
        Some(Sequence { count, last: None, item: whole(Elements::Place(place, len)) })
    }

    /// `place.chunks_exact(size)`: what does not fill a chunk is left out.
    fn chunks(&mut self, id: ExprId, place: ExprId, size: ExprId, mutable: bool) -> Option<Sequence> {
        let Some(of) = self.slice_of(place, mutable) else {
            self.refuse_unnamed(place);
            return None;
        };
        let (size, none, source) = (self.scalar(size), self.b.u64(0), self.source(id));
        let some = self.b.ne(size, none);
        let message = vec![PrintPiece::Text("chunk size must be non-zero".into())];
        self.b.check(some, CheckKind::Assert { message }, &[], source);
        let len = self.memory_len(&of);
        let count = self.b.div(len, size);
        Some(Sequence { count, last: None, item: Item::Chunk { of, size, first: None, stride: None } })
    }

    /// The elements of an array that the loop changes: Rust walks over a copy.
    fn copied_elements(&mut self, id: ExprId) -> Option<Sequence> {
        let Ty::Array(element, len) = self.ty(id).clone() else { return None };
        let place = match self.place(id) {
            from @ Place::Block { .. } => self.copied_block(&from, id),
            from => Place::Value { leaves: self.read(&from), ty: from.ty().clone() },
        };
        let count = self.b.u64(len);
        let of = Elements::Place(place, len);
        Some(Sequence {
            count,
            last: None,
            item: Item::Element { of, first: None, stride: None, ty: *element, mutable: false },
        })
    }

    /// Every `step`th turn: the last one is `last / step`.
    fn stepped(&mut self, sequence: Sequence, step: Value) -> Sequence {
        let zero = self.b.u64(0);
        let any = self.b.ne(sequence.count, zero);
        let last = self.last_turn(&sequence);
        let last = self.b.div(last, step);
        let count = self.turns_until(any, last);
        Sequence { count, last: Some(last), item: self.strided(sequence.item, step) }
    }

    /// All but the first `n` turns.
    fn without_first(&mut self, sequence: Sequence, n: Value) -> Sequence {
        let Sequence { count, last, item } = sequence;
        let Some(last) = last else {
            let skipped = self.b.min(count, n);
            return Sequence { count: self.b.sub(count, skipped), last: None, item: self.skipped(item, skipped) };
        };
        let zero = self.b.u64(0);
        let (some, reached) = (self.b.ne(count, zero), self.b.le(n, last));
        let any = self.b.and(some, reached);
        let last = self.b.sub(last, n);
        Sequence { count: self.turns_until(any, last), last: Some(last), item: self.skipped(item, n) }
    }

    fn reversed(&mut self, item: Item, last: Value) -> Item {
        let mut item = if planted::is(Bug::ReversedStartsInFront) { item } else { self.skipped(item, last) };
        self.map_strides(&mut item, &mut |lower, stride, scalar| match stride {
            Some(stride) => lower.b.neg(stride),
            None => lower.b.const_(scalar, u64::MAX),
        });
        item
    }

    fn strided(&mut self, mut item: Item, step: Value) -> Item {
        self.map_strides(&mut item, &mut |lower, stride, scalar| {
            let step = lower.b.cast(scalar, step);
            match stride {
                Some(stride) => lower.b.mul(stride, step),
                None => step,
            }
        });
        item
    }

    /// The item `n` turns later.
    fn skipped(&mut self, item: Item, n: Value) -> Item {
        match item {
            Item::Number { first, stride, scalar } => {
                let offset = self.offset(n, stride, scalar);
                Item::Number { first: Some(self.plus(first, offset)), stride, scalar }
            }
            Item::Element { of, first, stride, ty, mutable } => {
                let offset = self.offset(n, stride, Scalar::U64);
                Item::Element { of, first: Some(self.plus(first, offset)), stride, ty, mutable }
            }
            Item::Chunk { of, size, first, stride } => {
                let offset = self.offset(n, stride, Scalar::U64);
                Item::Chunk { of, size, first: Some(self.plus(first, offset)), stride }
            }
            Item::Pair(a, b) => Item::Pair(Box::new(self.skipped(*a, n)), Box::new(self.skipped(*b, n))),
        }
    }

    fn map_strides(&mut self, item: &mut Item, change: &mut impl FnMut(&mut Self, Option<Value>, Scalar) -> Value) {
        match item {
            Item::Number { stride, scalar, .. } => *stride = Some(change(self, *stride, *scalar)),
            Item::Element { stride, .. } | Item::Chunk { stride, .. } => {
                *stride = Some(change(self, *stride, Scalar::U64));
            }
            Item::Pair(a, b) => {
                self.map_strides(a, change);
                self.map_strides(b, change);
            }
        }
    }

    fn offset(&mut self, t: Value, stride: Option<Value>, scalar: Scalar) -> Value {
        let t = self.b.cast(scalar, t);
        match stride {
            Some(stride) => self.b.mul(t, stride),
            None => t,
        }
    }

    /// Binds the item of turn `t`.
    pub(super) fn bind_item(&mut self, id: ExprId, pat: PatId, item: &Item, t: Value) {
        let body = self.body;
        match (item, &body.pat(pat).kind) {
            (Item::Pair(a, b), PatKind::Tuple(list)) if list.len() == 2 => {
                self.bind_item(id, list[0], a, t);
                self.bind_item(id, list[1], b, t);
            }
            (_, PatKind::Wild) => {}
            (Item::Element { mutable: true, ty, .. }, _) => {
                let place = self.item_place(id, item, t);
                self.bind_place(pat, ty, &place);
            }
            (Item::Chunk { of, size, first, stride }, PatKind::Bind { var, sub: None }) => {
                let offset = self.offset(t, *stride, Scalar::U64);
                let number = self.plus(*first, offset);
                let low = self.b.mul(number, *size);
                let high = self.b.add(low, *size);
                if let Some(part) = self.part(id, of, low, high) {
                    self.aliases.insert(*var, Alias::Memory(part));
                }
            }
            (Item::Chunk { .. }, _) => {
                let span = body.pat(pat).span;
                self.errors.refuse(span, "kernels give a chunk a name: `for chunk in a.chunks_exact(n)`");
            }
            (Item::Pair(..), PatKind::Bind { .. }) if item.is_mutable() => {
                let span = body.pat(pat).span;
                self.errors.refuse(span, "kernels take pairs of a loop apart at once: `for (i, x) in ..`");
            }
            _ => {
                let (values, ty) = self.item_values(id, item, t);
                self.bind(pat, &ty, &values);
            }
        }
    }

    fn item_values(&mut self, id: ExprId, item: &Item, t: Value) -> (Vec<Value>, Ty) {
        match item {
            Item::Number { first, stride, scalar } => {
                let offset = self.offset(t, *stride, *scalar);
                (vec![self.plus(*first, offset)], Ty::Scalar(*scalar))
            }
            Item::Element { ty, .. } => {
                let place = self.item_place(id, item, t);
                (self.read(&place), ty.clone())
            }
            Item::Pair(a, b) => {
                let (mut values, first) = self.item_values(id, a, t);
                let (more, second) = self.item_values(id, b, t);
                values.extend(more);
                (values, Ty::Tuple(vec![first, second]))
            }
            Item::Chunk { .. } => unreachable!("chunks are named"),
        }
    }

    fn item_place(&mut self, id: ExprId, item: &Item, t: Value) -> Place {
        let Item::Element { of, first, stride, ty, .. } = item else { unreachable!("only elements are places") };
        let offset = self.offset(t, *stride, Scalar::U64);
        let index = self.plus(*first, offset);
        match of {
            Elements::Memory(memory) => {
                self.check_against(id, memory, index);
                self.element(memory, index, ty.clone(), id)
            }
            Elements::Place(place, len) => self.computed_element(id, place.clone(), *len, index, ty.clone()),
        }
    }

    fn plus(&mut self, first: Option<Value>, offset: Value) -> Value {
        match first {
            Some(first) => self.b.add(first, offset),
            None => offset,
        }
    }
}

/// The unsigned type of the same width.
pub(super) fn unsigned(scalar: Scalar) -> Scalar {
    use Scalar::*;
    match scalar {
        I8 => U8,
        I16 => U16,
        I32 => U32,
        I64 => U64,
        other => other,
    }
}
