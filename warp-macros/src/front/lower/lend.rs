//! Parts of arrays that stand inside values: to a function they are lent in memory of their own, and what it leaves there
//! is put back, element by element, so that neighbours stay untouched.

use warp_ir::ir::{CheckKind, Mem, Value};

use super::Lower;
use super::memory::Memory;
use super::place::Place;
use super::print::Said;
use crate::front::ast::*;
use crate::front::types::Ty;

/// Where the elements that were lent go back to.
pub(super) struct Home {
    place: Place,
    lent: Mem,
    /// First element, and the one after the last; all of them when `None`.
    part: Option<(Value, Value)>,
}

impl Home {
    /// Whether it lies in an array that other threads may write at the same time.
    pub(super) fn is_shared(&self) -> bool {
        self.place.is_shared()
    }
}

impl Lower<'_> {
    /// A memory that functions and loops can take, and where its elements go back to.
    pub(super) fn lend(&mut self, memory: Memory, at: ExprId) -> (Memory, Option<Home>) {
        let Memory::Within { place, of, part } = memory else { return (memory, None) };
        let ty = place.ty().clone();
        let values = self.read(&place);
        let lent = self.fresh_local("array", &ty);
        let Some(mem) = lent.local() else { return (lent, None) };
        self.write_block(mem, None, &ty, &values);
        let Some((start, len)) = part else {
            return (Memory::Whole { mem, len: Some(of) }, Some(Home { place, lent: mem, part: None }));
        };
        let (none, source) = (self.b.u64(0), self.source(at));
        let (start, end) = self.part_of_part(mem, start, (none, len), source);
        let len = self.b.sub(end, start);
        (Memory::Part { mem, start, len }, Some(Home { place, lent: mem, part: Some((start, end)) }))
    }

    /// Puts back what was lent.
    pub(super) fn take_back(&mut self, home: &Home) {
        let Home { place, lent, part } = home;
        let ty = place.ty().clone();
        let values = self.read_block(*lent, None, &ty);
        let Some((start, end)) = *part else { return self.write(place, &values) };
        let Ty::Array(element, count) = ty else { return };
        let stride = self.count(&element);
        let shared = place.is_shared();
        let mut all = if shared { vec![] } else { self.read(place) };
        for (k, new) in (0..count).zip(values.chunks_exact(stride.max(1))) {
            let number = self.b.u64(k);
            let (reached, open) = (self.b.le(start, number), self.b.lt(number, end));
            let inside = self.b.and(reached, open);
            let at = k as usize * stride;
            if shared {
                let one = place.clone().part(at, stride, (*element).clone());
                let put = |lower: &mut Self| {
                    lower.write(&one, new);
                    vec![]
                };
                self.either(inside, &Ty::Unit, put, |_| vec![]);
                continue;
            }
            for (old, new) in all[at..at + stride].iter_mut().zip(new) {
                *old = self.b.select(inside, *new, *old);
            }
        }
        if !shared {
            self.write(place, &all);
        }
    }

    /// A memory that is only read, from an argument that is a slice or an array.
    fn read_only(&mut self, arg: ExprId) -> Option<Memory> {
        match self.slice_of(arg, false) {
            Some(memory) => Some(self.lend(memory, arg).0),
            None => {
                self.refuse_unnamed(arg);
                None
            }
        }
    }

    /// The slice that a method changes.
    fn changed(&mut self, receiver: ExprId) -> Option<Memory> {
        let memory = self.slice_of(receiver, true);
        if memory.is_none() {
            self.refuse_unnamed(receiver);
        }
        memory
    }

    /// `slice.fill(value)`.
    pub(super) fn fill_slice(&mut self, id: ExprId, receiver: ExprId, value: ExprId, element: &Ty) -> Vec<Value> {
        let Some(memory) = self.changed(receiver) else { return vec![] };
        let values = self.value(value, element);
        let (memory, home) = self.lend(memory, id);
        self.each(id, &memory, element, |_, _| values.clone());
        home.iter().for_each(|home| self.take_back(home));
        vec![]
    }

    /// `slice.copy_from_slice(source)`.
    pub(super) fn copy_from_slice(&mut self, id: ExprId, receiver: ExprId, from: ExprId, element: &Ty) -> Vec<Value> {
        let Some(memory) = self.changed(receiver) else { return vec![] };
        let Some(from) = self.read_only(from) else { return vec![] };
        let (theirs, ours) = (self.memory_len(&from), self.memory_len(&memory));
        let same = self.b.eq(theirs, ours);
        let mut said = Said::default();
        said.text("copy_from_slice: source slice length (");
        said.scalar(warp_ir::ir::Scalar::U64, theirs, "");
        said.text(") does not match destination slice length (");
        said.scalar(warp_ir::ir::Scalar::U64, ours, "");
        said.text(")");
        let source = self.source(id);
        self.b.check(same, CheckKind::Assert { message: said.pieces }, &said.args, source);
        let (memory, home) = self.lend(memory, id);
        self.each(id, &memory, element, |lower, t| {
            lower.check_against(id, &from, t);
            let place = lower.element(&from, t, element.clone(), id);
            lower.read(&place)
        });
        home.iter().for_each(|home| self.take_back(home));
        vec![]
    }

    /// Writes each element of a memory, in a loop.
    fn each(&mut self, id: ExprId, memory: &Memory, element: &Ty, value: impl FnOnce(&mut Self, Value) -> Vec<Value>) {
        let count = self.memory_len(memory);
        let scalar = self.b.scalar(count);
        let zero = self.b.u64(0);
        let params = self.b.open(&[scalar]);
        let go = self.b.lt(params[0], count);
        let cond = self.b.close(&[go]);
        let params = self.b.open(&[scalar]);
        let values = value(self, params[0]);
        self.check_against(id, memory, params[0]);
        let place = self.element(memory, params[0], element.clone(), id);
        self.write(&place, &values);
        let one = self.b.u64(1);
        let next = self.b.add(params[0], one);
        let body = self.b.close(&[next]);
        self.b.push_loop(&[zero], cond, body);
    }

    /// Whether an expression is `slice.split_at(middle)` or `split_at_mut`.
    pub(super) fn is_split(&self, id: ExprId) -> bool {
        let Kind::Method { receiver, name, .. } = &self.body.expr(id).kind else { return false };
        matches!(name.as_str(), "split_at" | "split_at_mut")
            && matches!(self.ty(*receiver), Ty::Slice { .. } | Ty::Array(..))
    }

    /// `let (a, b) = slice.split_at_mut(middle);`: two names for the halves. False when the pattern is no pair of names.
    pub(super) fn halves_named(&mut self, pat: PatId, init: ExprId) -> bool {
        let body = self.body;
        let Kind::Method { receiver, name, args, .. } = &body.expr(init).kind else { return false };
        let PatKind::Tuple(halves) = &body.pat(pat).kind else { return false };
        let is_name = |p: &PatId| matches!(body.pat(*p).kind, PatKind::Bind { sub: None, .. } | PatKind::Wild);
        if halves.len() != 2 || !halves.iter().all(is_name) {
            return false;
        }
        let Some(memory) = self.slice_of(*receiver, name == "split_at_mut") else {
            self.refuse_unnamed(*receiver);
            return true;
        };
        let (none, middle) = (self.b.u64(0), self.scalar(args[0]));
        let end = self.memory_len(&memory);
        for (half, (low, high)) in halves.iter().zip([(none, middle), (middle, end)]) {
            let part = self.part(init, &memory, low, high);
            if let (PatKind::Bind { var, .. }, Some(part)) = (&body.pat(*half).kind, part) {
                self.aliases.insert(*var, super::Alias::Memory(part));
            }
        }
        true
    }
}
