//! The reverse sweep: from the last op to the first, adjoints of results become adjoints of operands.

use std::collections::BTreeSet;

use super::emit::Emit;
use super::needs;
use super::refusal;
use super::tree::{OpId, adjoint_scalar, carries};
use crate::builtins::Builtin;
use crate::ir::*;
use crate::planted::{self, Bug};

impl Emit<'_, '_> {
    /// The reverse of a region's ops.
    pub(super) fn reverse(&mut self, ops: &[OpId]) {
        for &id in ops.iter().rev().filter(|&&id| self.needs.relevant[id]) {
            self.at_statement(id);
            match self.op(id) {
                Op::Pure { .. } => self.reverse_pure(id),
                Op::Load { mem, index, leaf, result } => {
                    if let Some(adjoint) = self.take_adjoint(*result) {
                        self.add_to_memory(id, *mem, *index, *leaf, adjoint);
                    }
                }
                Op::Store { mem, index, leaf, value } => {
                    if self.is_replayed(id) && !planted::is(Bug::AdjointTakesNothingBack) {
                        self.take_back(id);
                    }
                    if !carries(self.scalar(*value)) {
                        continue;
                    }
                    if let Some(adjoint) = self.take_memory(id, *mem, *index, *leaf) {
                        self.add_adjoint(*value, adjoint);
                    }
                }
                Op::Fill { local, leaf, value } => self.reverse_fill(*local, *leaf, *value),
                Op::Atomic { .. } => self.reverse_atomic(id),
                Op::If { .. } => self.reverse_if(id),
                Op::Loop { .. } => self.reverse_loop(id),
                Op::Custom { .. } => self.reverse_custom(id),
                _ => {}
            }
        }
    }

    fn reverse_pure(&mut self, id: OpId) {
        let op = self.op(id);
        let Op::Pure { builtin, args, result } = op else { return };
        let Some(adjoint) = self.take_adjoint(*result) else { return };
        if *builtin == Builtin::Cast {
            if carries(self.scalar(args[0])) {
                let narrow = self.b.cast(adjoint_scalar(self.scalar(args[0])), adjoint);
                self.add_adjoint(args[0], narrow);
            }
            return;
        }
        let rule = needs::rule(self.tree, self.activity, op, self.needs.guarded[id]);
        let Some(rule) = rule else { return };
        let outputs = self.expression(&rule, |emit, input| {
            let Some(&value) = args.iter().chain([result]).nth(input) else { return adjoint };
            let primal = emit.get(value);
            emit.b.cast(adjoint_scalar(emit.scalar(value)), primal)
        });
        for (&arg, output) in args.iter().zip(outputs) {
            output.into_iter().for_each(|more| self.add_adjoint(arg, more));
        }
    }

    /// All elements took the value: it gets their sum.
    fn reverse_fill(&mut self, local: LocalId, leaf: u16, value: Value) {
        let Some(twin) = self.twins[local.0 as usize] else { return };
        let len = u64::from(self.tree.function.locals[local.0 as usize].len);
        let zero = self.b.zero(self.b.function().locals[twin.0 as usize].leaves[leaf as usize]);
        if self.activity.of(value) {
            let sum = self.sum_of(twin, leaf, len, zero);
            self.add_adjoint(value, sum);
        }
        if !planted::is(Bug::AdjointForgetsFill) {
            self.b.fill(twin, leaf, zero);
        }
    }

    fn sum_of(&mut self, twin: LocalId, leaf: u16, len: u64, zero: Value) -> Value {
        let scalars = [Scalar::U64, self.b.scalar(zero)];
        let (start, mem) = (self.b.u64(0), Mem::Local(twin));
        let params = self.b.open(&scalars);
        let bound = self.b.u64(len);
        let go = self.b.lt(params[0], bound);
        let cond = self.b.close(&[go]);
        let params = self.b.open(&scalars);
        self.inside(mem, 0, params[0]);
        let element = self.b.load(mem, params[0], leaf);
        let sum = self.b.add(params[1], element);
        let one = self.b.u64(1);
        let next = self.b.add(params[0], one);
        let body = self.b.close(&[next, sum]);
        self.b.push_loop(&[start, zero], cond, body)[1]
    }

    /// An `If` on the same condition. An arm that did not run contributes nothing at all.
    fn reverse_if(&mut self, id: OpId) {
        let Op::If { cond, then, otherwise, results } = self.op(id) else { return };
        let cond = self.get(*cond);
        let seeds: Vec<(usize, Value)> =
            (0..results.len()).filter_map(|k| Some((k, self.take_adjoint(results[k])?))).collect();
        let before = self.adjoints.clone();
        let mut arms = vec![];
        let mut ends = vec![];
        for (k, region) in [then, otherwise].into_iter().enumerate() {
            self.b.open(&[]);
            let scope = self.enter();
            self.adjoints = before.clone();
            seeds.iter().for_each(|&(r, seed)| self.add_adjoint(region.yields[r], seed));
            self.reverse(&self.tree.ops[id].regions[k]);
            arms.push(self.b.close(&[]));
            self.leave(scope);
            ends.push(std::mem::take(&mut self.adjoints));
        }
        let outside = |v: &&Value| !self.tree.is_hidden_in(**v, id);
        let changed: BTreeSet<Value> = ends.iter().flat_map(|end| end.keys()).filter(outside).copied().collect();
        let changed: Vec<Value> =
            changed.into_iter().filter(|v| ends.iter().any(|end| end.get(v) != before.get(v))).collect();
        for (arm, end) in arms.iter_mut().zip(&ends) {
            for v in &changed {
                let at_end = end.get(v).copied();
                let value = at_end.unwrap_or_else(|| {
                    let zero = self.b.value(adjoint_scalar(self.tree.function.scalar(*v)));
                    arm.ops.push(Op::Const { bits: 0, result: zero });
                    zero
                });
                arm.yields.push(value);
            }
        }
        let [then, otherwise] = arms.try_into().unwrap_or_default();
        let cond = if planted::is(Bug::AdjointTakesOtherArm) { self.b.not(cond) } else { cond };
        let fresh = self.b.push_if(cond, then, otherwise);
        self.adjoints = before;
        self.adjoints.extend(changed.into_iter().zip(fresh));
    }

    /// The turns from the last to the first.
    fn reverse_loop(&mut self, id: OpId) {
        let Some(plan) = self.needs.loops.get(&id) else {
            return self.fail(refusal::gap("a loop has no plan"));
        };
        let parts = self.tree.parts(id);
        let carried = needs::active_carried(self.tree, self.activity, id);
        let free = needs::active_free(self.tree, self.activity, id);
        let begin = self.begin_turns(id, plan);
        let counters = begin.counters.len();
        let mut inits = begin.counters.clone();
        inits.extend(
            carried.iter().map(|&k| parts.results[k]).collect::<Vec<_>>().iter().map(|&r| self.take_or_zero(r)),
        );
        inits.extend(free.iter().map(|&f| self.take_or_zero(f)).collect::<Vec<_>>());
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.b.scalar(v)).collect();

        let params = self.b.open(&scalars);
        let zero = self.b.u64(0);
        let go = self.b.lt(zero, params[0]);
        let cond = self.b.close(&[go]);

        let params = self.b.open(&scalars);
        let scope = self.enter();
        let outer = std::mem::take(&mut self.adjoints);
        let mut yields = self.go_to_turn(id, plan, &begin, &params[..counters]);
        let (of_carried, of_free) = params[counters..].split_at(carried.len());
        self.adjoints = free.iter().copied().zip(of_free.iter().copied()).collect();
        for (&k, &seed) in carried.iter().zip(of_carried) {
            self.add_adjoint(parts.body.yields[k], seed);
        }
        let body = &self.tree.ops[id].regions[1];
        self.record(body, &plan.keep);
        self.reverse(body);
        yields.extend(carried.iter().map(|&k| self.take_or_zero(parts.body.params[k])).collect::<Vec<_>>());
        if planted::is(Bug::AdjointForgetsTurns) {
            yields.extend(of_free);
        } else {
            yields.extend(free.iter().map(|&f| self.take_or_zero(f)).collect::<Vec<_>>());
        }
        let body = self.b.close(&yields);
        self.leave(scope);
        self.adjoints = outer;

        let fresh = self.b.push_loop(&inits, cond, body);
        let (of_carried, of_free) = fresh[counters..].split_at(carried.len());
        self.adjoints.extend(free.iter().copied().zip(of_free.iter().copied()));
        for (&k, &adjoint) in carried.iter().zip(of_carried) {
            self.add_adjoint(parts.inits[k], adjoint);
        }
    }
}
