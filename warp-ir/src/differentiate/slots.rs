//! Checkpoints of a loop: states of some turns, from which the others are run again.
//!
//! The first sweep does not know how many turns there will be. It stores every turn until three quarters of the slots
//! are full, then drops every second one and doubles the stride. The reverse sweep fills the rest by the binomial rule,
//! so that a turn is run again as seldom as the slots allow.

use super::emit::Emit;
use super::needs::Plan;
use super::tree::OpId;
use crate::ir::*;

/// How a loop is reversed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Turns start from nothing, and their number is known: no first sweep.
    Free,
    /// Turns start from nothing, and the first sweep counts them.
    Counted,
    /// Few turns, one slot each.
    Static,
    /// Any number of turns.
    Dynamic,
}

/// The slots of one loop.
#[derive(Clone)]
pub(super) struct Slots {
    /// The turn, then the state.
    local: LocalId,
    pub(super) count: u64,
    state: Vec<usize>,
    copies: Vec<Copies>,
    /// The logs whose heights follow the state.
    logs: Vec<(ArrayId, u16)>,
}

/// Copies of one leaf of a local array.
#[derive(Clone, Copy)]
struct Copies {
    of: LocalId,
    leaf: u16,
    copy: LocalId,
    len: u64,
}

/// A first sweep under way.
pub(super) struct Recording {
    pub(super) kind: Kind,
    pub(super) slots: Option<Slots>,
}

impl Emit<'_, '_> {
    pub(super) fn kind(&self, id: OpId, plan: &Plan) -> Kind {
        match self.shares.get(&id) {
            Some(share) if share.all_turns => Kind::Static,
            Some(_) => Kind::Dynamic,
            None if plan.count.is_some() => Kind::Free,
            None => Kind::Counted,
        }
    }

    pub(super) fn make_slots(&mut self, id: OpId, plan: &Plan) -> Slots {
        let count = self.shares.get(&id).map_or(1, |share| share.slots);
        let params = &self.tree.parts(id).body.params;
        let mut leaves = vec![Scalar::U64];
        leaves.extend(plan.state.iter().map(|&k| self.scalar(params[k])));
        leaves.extend(plan.logs.iter().map(|_| Scalar::U64));
        let local = self.b.local(&format!("checkpoints {id}"), &leaves, count as u32);
        self.zeroed.push(local);
        let mut copies = vec![];
        for &(of, leaf) in &plan.keep.locals {
            let array = self.tree.function.locals[of.0 as usize].clone();
            let len = u64::from(array.len);
            let name = format!("checkpoints {id} of {}", array.name);
            let copy = self.b.local(&name, &[array.leaves[leaf as usize]], (len * count) as u32);
            self.zeroed.extend([of, copy]);
            copies.push(Copies { of, leaf, copy, len });
        }
        Slots { local, count, state: plan.state.clone(), copies, logs: plan.logs.clone() }
    }

    /// Stores the state of the turn that is about to run.
    pub(super) fn save_state(&mut self, id: OpId, slots: &Slots, at: Value, turn: Value) {
        let mem = Mem::Local(slots.local);
        self.inside(mem, 0, at);
        self.b.store(mem, at, 0, turn);
        for (leaf, &k) in slots.state.iter().enumerate() {
            let value = self.get(self.tree.parts(id).body.params[k]);
            self.b.store(mem, at, leaf as u16 + 1, value);
        }
        for (k, &leaf) in slots.logs.iter().enumerate() {
            let height = self.height(leaf);
            self.b.store(mem, at, (slots.state.len() + 1 + k) as u16, height);
        }
        for &copies in &slots.copies {
            self.each(copies.len, |emit, j| {
                let value = emit.element(copies.of, copies.leaf, j);
                let to = emit.copy_at(copies, at, j);
                emit.b.store(Mem::Local(copies.copy), to, 0, value);
            });
        }
    }

    /// Brings a state back: names what the loop carries, and gives the turn.
    pub(super) fn restore_state(&mut self, id: OpId, slots: &Slots, at: Value) -> Value {
        let mem = Mem::Local(slots.local);
        self.inside(mem, 0, at);
        for (leaf, &k) in slots.state.iter().enumerate() {
            let value = self.b.load(mem, at, leaf as u16 + 1);
            self.name(self.tree.parts(id).body.params[k], value);
        }
        for (k, &leaf) in slots.logs.iter().enumerate() {
            let height = self.b.load(mem, at, (slots.state.len() + 1 + k) as u16);
            self.take_back_to(leaf, height);
        }
        for &copies in &slots.copies {
            self.each(copies.len, |emit, j| {
                let from = emit.copy_at(copies, at, j);
                let value = emit.b.load(Mem::Local(copies.copy), from, 0);
                emit.inside(Mem::Local(copies.of), 0, j);
                emit.b.store(Mem::Local(copies.of), j, copies.leaf, value);
            });
        }
        self.b.load(mem, at, 0)
    }

    /// The turn whose state a slot holds.
    pub(super) fn turn_in(&mut self, slots: &Slots, at: Value) -> Value {
        let mem = Mem::Local(slots.local);
        self.inside(mem, 0, at);
        self.b.load(mem, at, 0)
    }

    /// Where an element of a copy lies.
    fn copy_at(&mut self, copies: Copies, slot: Value, j: Value) -> Value {
        let len = self.b.u64(copies.len);
        let row = self.b.mul(slot, len);
        let at = self.b.add(row, j);
        self.inside(Mem::Local(copies.copy), 0, at);
        at
    }

    fn element(&mut self, local: LocalId, leaf: u16, at: Value) -> Value {
        self.inside(Mem::Local(local), 0, at);
        self.b.load(Mem::Local(local), at, leaf)
    }

    /// A loop over `0..len`.
    pub(super) fn each(&mut self, len: u64, turn: impl FnOnce(&mut Self, Value)) {
        let zero = self.b.u64(0);
        let params = self.b.open(&[Scalar::U64]);
        let bound = self.b.u64(len);
        let go = self.b.lt(params[0], bound);
        let cond = self.b.close(&[go]);
        let params = self.b.open(&[Scalar::U64]);
        turn(self, params[0]);
        let one = self.b.u64(1);
        let next = self.b.add(params[0], one);
        let body = self.b.close(&[next]);
        self.b.push_loop(&[zero], cond, body);
    }

    /// Stores a turn's state where its number is a multiple of the stride; first halves what is stored when three
    /// quarters of the slots are full. Gives the number of filled slots and the stride.
    pub(super) fn save_thinning(
        &mut self,
        id: OpId,
        slots: &Slots,
        turn: Value,
        filled: Value,
        stride: Value,
    ) -> Vec<Value> {
        let full = ((slots.count * 3 / 4) & !1).max(2);
        let hit = self.is_multiple(turn, stride);
        self.b.open(&[]);
        let limit = self.b.u64(full);
        let is_full = self.b.eq(filled, limit);
        self.b.open(&[]);
        self.each(full / 2, |emit, j| emit.thin(slots, j));
        let (half, two) = (self.b.u64(full / 2), self.b.u64(2));
        let doubled = self.b.mul(stride, two);
        let thin = self.b.close(&[half, doubled]);
        self.b.open(&[]);
        let leave = self.b.close(&[filled, stride]);
        let thinned = self.b.push_if(is_full, thin, leave);
        let still = self.is_multiple(turn, thinned[1]);
        self.b.open(&[]);
        self.save_state(id, slots, thinned[0], turn);
        let one = self.b.u64(1);
        let more = self.b.add(thinned[0], one);
        let save = self.b.close(&[more]);
        self.b.open(&[]);
        let leave = self.b.close(&[thinned[0]]);
        let saved = self.b.push_if(still, save, leave);
        let there = self.b.close(&[saved[0], thinned[1]]);
        self.b.open(&[]);
        let not = self.b.close(&[filled, stride]);
        self.b.push_if(hit, there, not)
    }

    fn is_multiple(&mut self, turn: Value, stride: Value) -> Value {
        let (zero, one) = (self.b.u64(0), self.b.u64(1));
        let mask = self.b.sub(stride, one);
        let rest = self.b.and(turn, mask);
        self.b.eq(rest, zero)
    }

    /// Slot `j` takes what slot `2 j` holds.
    fn thin(&mut self, slots: &Slots, j: Value) {
        let two = self.b.u64(2);
        let from = self.b.mul(j, two);
        let mem = Mem::Local(slots.local);
        self.inside(mem, 0, from);
        self.inside(mem, 0, j);
        for leaf in 0..=(slots.state.len() + slots.logs.len()) as u16 {
            let value = self.b.load(mem, from, leaf);
            self.b.store(mem, j, leaf, value);
        }
        for &copies in &slots.copies {
            self.each(copies.len, |emit, k| {
                let source = emit.copy_at(copies, from, k);
                let value = emit.b.load(Mem::Local(copies.copy), source, 0);
                let to = emit.copy_at(copies, j, k);
                emit.b.store(Mem::Local(copies.copy), to, 0, value);
            });
        }
    }

    /// How far from a stored turn the next one is stored, with `turns` to go and `free` slots: the binomial rule.
    pub(super) fn spacing(&mut self, turns: Value, free: Value) -> Value {
        let zero = self.b.u64(0);
        let none = self.b.eq(free, zero);
        self.b.open(&[]);
        let all = self.b.close(&[turns]);
        self.b.open(&[]);
        let one = self.b.u64(1);
        let room = self.b.add(free, one);
        let short = self.b.le(turns, room);
        self.b.open(&[]);
        let single = self.b.close(&[one]);
        self.b.open(&[]);
        let far = self.binomial(turns, room);
        let far = self.b.close(&[far]);
        let some = self.b.push_if(short, single, far);
        let some = self.b.close(&some);
        self.b.push_if(none, all, some)[0]
    }

    /// `max(1, turns r / (room + r))` with the least `r` for which `room + r` over `r` reaches `turns`.
    fn binomial(&mut self, turns: Value, room: Value) -> Value {
        let (zero, one) = (self.b.u64(0), self.b.u64(1));
        let both = [Scalar::U64; 2];
        let params = self.b.open(&both);
        let go = self.b.lt(params[1], turns);
        let cond = self.b.close(&[go]);
        let params = self.b.open(&both);
        let r = self.b.add(params[0], one);
        let sum = self.b.add(room, r);
        let product = self.b.mul(params[1], sum);
        let ways = self.divide(product, r);
        let body = self.b.close(&[r, ways]);
        let r = self.b.push_loop(&[zero, one], cond, body)[0];
        let (sum, product) = (self.b.add(room, r), self.b.mul(turns, r));
        let far = self.divide(product, sum);
        self.b.max(one, far)
    }
}
