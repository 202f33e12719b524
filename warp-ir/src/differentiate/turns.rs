//! Going to the turn that is reversed next: from the nearest state that is stored, by running the turns between again.

use super::emit::Emit;
use super::needs::Plan;
use super::record::Count;
use super::refusal;
use super::slots::{Kind, Slots};
use super::tree::OpId;
use crate::ir::*;
use crate::planted::{self, Bug};

/// What a reverse loop starts with.
pub(super) struct Begin {
    kind: Kind,
    slots: Option<Slots>,
    /// How many turns are left, and for checkpoints of any number of turns how many slots are filled.
    pub(super) counters: Vec<Value>,
}

impl Emit<'_, '_> {
    pub(super) fn begin_turns(&mut self, id: OpId, plan: &Plan) -> Begin {
        let kind = self.kind(id, plan);
        let turns = match (kind, plan.count) {
            (Kind::Free, Some(count)) => {
                let count = self.get(count);
                self.turns_from(count)
            }
            _ => self.counted(id, Count::Turns),
        };
        let mut counters = vec![turns];
        if kind == Kind::Dynamic {
            counters.push(self.counted(id, Count::Filled));
        }
        Begin { kind, slots: self.slots.get(&id).cloned(), counters }
    }

    fn counted(&mut self, id: OpId, count: Count) -> Value {
        match self.known(self.count_of(id, count)) {
            Some(value) => value,
            None => {
                self.fail(refusal::gap("the turns of a loop are not counted"));
                self.b.u64(0)
            }
        }
    }

    /// A bound as a number of turns: none below zero.
    fn turns_from(&mut self, bound: Value) -> Value {
        let scalar = self.b.scalar(bound);
        let zero = self.b.zero(scalar);
        let least = if scalar.is_signed() { self.b.max(bound, zero) } else { bound };
        self.b.cast(Scalar::U64, least)
    }

    /// Brings the state at the start of the turn before the `counters` back; gives the counters of the next round.
    pub(super) fn go_to_turn(&mut self, id: OpId, plan: &Plan, begin: &Begin, counters: &[Value]) -> Vec<Value> {
        let one = self.b.u64(1);
        let turn = self.b.sub(counters[0], one);
        let mut next = vec![turn];
        match (&begin.slots, begin.kind) {
            (Some(slots), Kind::Static) => drop(self.restore_state(id, slots, turn)),
            (Some(slots), Kind::Dynamic) => {
                let filled = self.run_forward(id, plan, slots, turn, counters[0], counters[1]);
                next.push(filled);
            }
            _ => {}
        }
        self.name_closed(id, plan, turn);
        next
    }

    /// Names the carried values that follow from the number of the turn.
    fn name_closed(&mut self, id: OpId, plan: &Plan, turn: Value) {
        let parts = self.tree.parts(id);
        for &(k, step) in &plan.closed {
            let mut value = self.get(parts.inits[k]);
            if let Some(step) = step.filter(|_| !planted::is(Bug::AdjointForgetsClosedForms)) {
                let turn = self.b.cast(self.scalar(parts.inits[k]), turn);
                let step = self.get(step);
                let way = self.b.mul(turn, step);
                value = self.b.add(value, way);
            }
            self.name(parts.body.params[k], value);
        }
    }

    /// From the last stored state to `turn`, storing on the way; gives the slots that are filled then.
    fn run_forward(&mut self, id: OpId, plan: &Plan, slots: &Slots, turn: Value, turns: Value, filled: Value) -> Value {
        let parts = self.tree.parts(id);
        let (one, all) = (self.b.u64(1), self.b.u64(slots.count));
        let last = self.b.sub(filled, one);
        let from = self.restore_state(id, slots, last);
        let next = self.next_stored(from, turns, all, filled);
        let mut inits = vec![from, filled, next];
        inits.extend(plan.state.iter().map(|&k| self.get(parts.body.params[k])).collect::<Vec<_>>());
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.b.scalar(v)).collect();

        let params = self.b.open(&scalars);
        let go = match planted::is(Bug::AdjointRestoresLateState) {
            true => self.b.le(params[0], turn),
            false => self.b.lt(params[0], turn),
        };
        let cond = self.b.close(&[go]);

        let params = self.b.open(&scalars);
        let scope = self.enter();
        let name_state = |emit: &mut Self, values: &[Value]| {
            plan.state.iter().zip(values).for_each(|(&k, &v)| emit.name(parts.body.params[k], v));
        };
        name_state(self, &params[3..]);
        self.name_closed(id, plan, params[0]);
        self.replay(&self.tree.ops[id].regions[1], &plan.keep);
        let state: Vec<Value> = plan.state.iter().map(|&k| self.get(parts.body.yields[k])).collect();
        let at = self.b.add(params[0], one);
        let (due, before) = (self.b.eq(at, params[2]), self.b.lt(at, turn));
        let stores = self.b.and(due, before);
        self.b.open(&[]);
        name_state(self, &state);
        self.save_state(id, slots, params[1], at);
        let filled = self.b.add(params[1], one);
        let next = self.next_stored(at, turns, all, filled);
        let save = self.b.close(&[filled, next]);
        self.b.open(&[]);
        let leave = self.b.close(&[params[1], params[2]]);
        let counters = self.b.push_if(stores, save, leave);
        let mut yields = vec![at, counters[0], counters[1]];
        yields.extend(state);
        let body = self.b.close(&yields);
        self.leave(scope);

        let there = self.b.push_loop(&inits, cond, body);
        name_state(self, &there[3..]);
        // The state of this very turn is not wanted again.
        let last = self.b.sub(there[1], one);
        let stored = self.turn_in(slots, last);
        let done = self.b.eq(stored, turn);
        self.b.select(done, last, there[1])
    }

    /// The turn that is stored next after one that is.
    fn next_stored(&mut self, from: Value, turns: Value, all: Value, filled: Value) -> Value {
        let (left, free) = (self.b.sub(turns, from), self.b.sub(all, filled));
        let far = self.spacing(left, free);
        self.b.add(from, far)
    }
}
