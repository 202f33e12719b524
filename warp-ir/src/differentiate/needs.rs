//! What the reverse sweep reads, and what has to run to have it.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::Activity;
use super::certain;
use super::memory::{Version, closed_count, step, version};
use super::place::{Place, values};
use super::tree::{Def, OpId, Tree, adjoint_scalar, carries};
use super::{Refusal, atomics, custom, refusal, root};
use crate::builtins::{Builtin, Expression};
use crate::ir::*;
use crate::planted::{self, Bug};

/// Needs of the whole kernel.
pub(super) struct Needs {
    /// Values of the primal that the reverse sweep reads.
    pub(super) values: BTreeSet<Value>,
    /// Ops that the reverse sweep visits.
    pub(super) relevant: Vec<bool>,
    /// What runs outside loops and in their first sweeps.
    pub(super) top: Keep,
    /// The relevant loops.
    pub(super) loops: BTreeMap<OpId, Plan>,
    /// Ops whose rules are guarded against an adjoint of zero times something infinite.
    pub(super) guarded: Vec<bool>,
    /// Loads that run, and the versions that they see.
    pub(super) loads: BTreeMap<OpId, Version>,
    /// Atomics whose old values the launch has to record.
    pub(super) returned: BTreeSet<OpId>,
    /// Leaves of arrays that the adjoint writes as the primal did, and takes back, since loads see own stores.
    pub(super) replayed: BTreeSet<(ArrayId, u16)>,
}

impl Needs {
    /// Whether a rule without a guard may make a NaN of an adjoint of zero, or a derivative of the user's own may be given
    /// one and give back something else.
    pub(super) fn has_unguarded(&self, tree: &Tree<'_>, activity: &Activity) -> bool {
        (0..tree.ops.len()).filter(|&at| self.relevant[at]).any(|at| match tree.ops[at].op {
            Op::Custom { by, .. } => !by.is_empty(),
            op @ Op::Pure { args, result, .. } if !self.guarded[at] => {
                let Some(plain) = rule(tree, activity, op, false) else { return false };
                let varies = |value: &Value| {
                    tree.constant(*value).is_none_or(|bits| !is_finite(tree.function.scalar(*value), bits))
                };
                let reads = |output: usize| {
                    let inputs = args.iter().chain([result]).enumerate();
                    inputs.filter(|(_, value)| varies(value)).any(|(input, _)| plain.reads(output, input))
                };
                let reads = (0..args.len()).any(|output| plain.outputs[output].is_some() && reads(output));
                reads && rule(tree, activity, op, true).as_ref() != Some(&plain)
            }
            _ => false,
        })
    }
}

/// Whether a constant is neither infinite nor NaN.
fn is_finite(scalar: Scalar, bits: u64) -> bool {
    let wide = Builtin::Cast.eval(&[scalar], Scalar::F64, &[bits]);
    wide.is_some_and(|bits| f64::from_bits(bits).is_finite())
}

/// What runs again of a region: where all of it is left out that no need leads to.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Keep {
    pub(super) ops: BTreeSet<OpId>,
    /// Carried values of inner loops.
    pub(super) carried: BTreeSet<(OpId, usize)>,
    /// Carried values of the loop itself that a turn starts from.
    params: BTreeSet<usize>,
    /// Leaves of local arrays of outside that a turn starts from.
    pub(super) locals: BTreeSet<(LocalId, u16)>,
    seen: BTreeSet<Value>,
}

impl Keep {
    pub(super) fn has(&self, value: Value) -> bool {
        self.seen.contains(&value)
    }

    /// All that stands inside an op.
    pub(super) fn all_inside(tree: &Tree<'_>, id: OpId) -> Keep {
        let mut keep = Keep { ops: (id + 1..tree.ops[id].end).collect(), ..Keep::default() };
        for &at in &keep.ops {
            keep.seen.extend(tree.ops[at].op.shape().results);
            if let Op::Loop { inits, .. } = tree.ops[at].op {
                keep.carried.extend((0..inits.len()).map(|k| (at, k)));
            }
        }
        keep
    }
}

/// How a loop is reversed.
#[derive(Clone, PartialEq)]
pub(super) struct Plan {
    pub(super) keep: Keep,
    /// Carried values that a turn starts from, and that have to be stored.
    pub(super) state: Vec<usize>,
    /// Carried values that follow from the number of the turn, with their steps.
    pub(super) closed: Vec<(usize, Option<Value>)>,
    /// Leaves of arrays whose stores in the loop are taken back.
    pub(super) logs: Vec<(ArrayId, u16)>,
    /// The number of turns, where it is known before the loop.
    pub(super) count: Option<Value>,
}

impl Plan {
    /// Whether a turn starts from anything that the one before it left.
    pub(super) fn has_state(&self) -> bool {
        !(self.state.is_empty() && self.keep.locals.is_empty() && self.logs.is_empty())
    }
}

/// The adjoint rule of a pure op for the operands that have adjoints; none where nothing flows.
pub(super) fn rule(tree: &Tree<'_>, activity: &Activity, op: &Op, guard: bool) -> Option<Expression> {
    let function = tree.function;
    let Op::Pure { builtin, args, result } = op else { return None };
    if *builtin == Builtin::Cast || !activity.of(*result) {
        return None;
    }
    let scalars: Vec<Scalar> = args.iter().map(|&a| adjoint_scalar(function.scalar(a))).collect();
    let rule = builtin.row().adjoint(&scalars, adjoint_scalar(function.scalar(*result)), guard)?;
    let mut rule = root::by_reciprocal(tree, op, rule);
    for (output, &arg) in rule.outputs.iter_mut().zip(args) {
        if !activity.of(arg) {
            *output = None;
        }
    }
    rule.outputs.iter().any(Option::is_some).then_some(rule)
}

/// Finds the needs of a kernel, whose rules are all guarded, or only those of results that the kernel may leave unused.
pub(super) fn needs(
    tree: &Tree<'_>,
    activity: &Activity,
    places: &BTreeMap<OpId, Place>,
    guarded: bool,
) -> Result<Needs, Refusal> {
    let mut search = Search {
        tree,
        activity,
        places,
        needs: Needs {
            values: BTreeSet::new(),
            relevant: relevant(tree, activity),
            top: Keep::default(),
            loops: BTreeMap::new(),
            guarded: if guarded { vec![true; tree.ops.len()] } else { certain::droppable(tree) },
            loads: BTreeMap::new(),
            returned: BTreeSet::new(),
            replayed: BTreeSet::new(),
        },
    };
    search.direct();
    search.loads_of_customs()?;
    loop {
        let before = (search.needs.values.len(), search.needs.replayed.len(), search.needs.loops.clone());
        search.stores_are_taken_back();
        for id in search.relevant_loops() {
            let keep = search.closure(Some(id))?;
            let plan = search.plan(id, keep);
            search.needs.loops.insert(id, plan);
        }
        search.needs.top = search.closure(None)?;
        if before == (search.needs.values.len(), search.needs.replayed.len(), search.needs.loops.clone()) {
            return Ok(search.needs);
        }
    }
}

/// Ops that touch adjoints, and those that contain any or pass one on.
fn relevant(tree: &Tree<'_>, activity: &Activity) -> Vec<bool> {
    let function = tree.function;
    let mut relevant = vec![false; tree.ops.len()];
    for at in (0..tree.ops.len()).rev() {
        let own = match tree.ops[at].op {
            Op::Pure { result, .. } | Op::Load { result, .. } => activity.of(*result),
            Op::Store { mem, leaf, .. } | Op::Atomic { mem, leaf, .. } => activity.of_leaf(function, *mem, *leaf),
            Op::Fill { local, leaf, .. } => activity.of_local(*local, *leaf),
            Op::If { .. } if planted::is(Bug::AdjointForgetsPassThrough) => false,
            Op::If { results, .. } => results.iter().any(|&r| activity.of(r)),
            Op::Loop { results, body, .. } => results.iter().chain(&body.params).any(|&r| activity.of(r)),
            Op::Custom { results, .. } => results.iter().any(|&r| activity.of(r)),
            _ => false,
        };
        if own || relevant[at] {
            relevant[at] = true;
            tree.ops[at].owner.into_iter().for_each(|o| relevant[o] = true);
        }
    }
    relevant
}

struct Search<'a, 'k> {
    tree: &'a Tree<'k>,
    activity: &'a Activity,
    places: &'a BTreeMap<OpId, Place>,
    needs: Needs,
}

impl Search<'_, '_> {
    fn need(&mut self, value: Value) {
        self.needs.values.insert(value);
    }

    fn relevant_loops(&self) -> Vec<OpId> {
        let is_loop = |&at: &OpId| matches!(self.tree.ops[at].op, Op::Loop { .. }) && self.needs.relevant[at];
        (0..self.tree.ops.len()).rev().filter(is_loop).collect()
    }

    /// What the reverse sweep reads at each op.
    fn direct(&mut self) {
        let tree = self.tree;
        for at in (0..tree.ops.len()).filter(|&at| self.needs.relevant[at]).collect::<Vec<_>>() {
            match tree.ops[at].op {
                op @ Op::Pure { args, result, .. } => {
                    let Some(rule) = rule(tree, self.activity, op, self.needs.guarded[at]) else { continue };
                    for output in (0..args.len()).filter(|&o| rule.outputs[o].is_some()) {
                        for (input, value) in args.iter().chain([result]).enumerate() {
                            if rule.reads(output, input) {
                                self.need(*value);
                            }
                        }
                    }
                }
                op @ (Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. }) => {
                    let places = self.places;
                    values(&places[&at]).for_each(|v| self.need(v));
                    if let Op::Atomic { value, .. } = op
                        && atomics::chooses(tree.function, op)
                    {
                        self.need(*value);
                    }
                }
                Op::If { cond, .. } => self.need(*cond),
                Op::Custom { .. } => custom::needed(tree, self.places, at).into_iter().for_each(|v| self.need(v)),
                _ => {}
            }
        }
    }

    /// A load from an array runs again, or is the user's own derivative's.
    fn load(&mut self, id: OpId) -> Result<(), Refusal> {
        let Op::Load { mem: Mem::Array(array), leaf, .. } = self.tree.ops[id].op else { return Ok(()) };
        // Closures of several loops, and each round, come by the same loads.
        if self.needs.loads.contains_key(&id) {
            return Ok(());
        }
        let version = version(self.tree, self.places, id);
        self.needs.loads.insert(id, version);
        match version {
            Version::ReadOnly | Version::Before => {}
            Version::After if planted::is(Bug::AdjointReadsBefore) => {}
            Version::After => {
                self.needs.replayed.insert((*array, *leaf));
            }
            Version::Shared => return Err(refusal::added_and_read(self.tree, id)),
        }
        Ok(())
    }

    /// What the user's own derivatives load.
    fn loads_of_customs(&mut self) -> Result<(), Refusal> {
        let relevant = |&at: &OpId| self.needs.relevant[at] && matches!(self.tree.ops[at].op, Op::Custom { .. });
        let customs: Vec<OpId> = (0..self.tree.ops.len()).filter(relevant).collect();
        customs.into_iter().flat_map(|at| custom::loads(self.tree, at)).try_for_each(|load| self.load(load))
    }

    fn plan(&mut self, id: OpId, keep: Keep) -> Plan {
        let (mut state, mut closed) = (vec![], vec![]);
        for &k in &keep.params {
            match step(self.tree, id, k) {
                Some(by) => {
                    closed.push((k, by));
                    self.need(self.tree.parts(id).inits[k]);
                    by.into_iter().for_each(|step| self.need(step));
                }
                None => state.push(k),
            }
        }
        let inside = |at: &OpId| self.tree.is_inside(*at, id);
        let logs: BTreeSet<(ArrayId, u16)> =
            self.replayed_stores().into_iter().filter(|(at, _)| inside(at)).map(|(_, leaf)| leaf).collect();
        let logs = logs.into_iter().collect();
        let count = closed_count(self.tree, id);
        count.into_iter().for_each(|count| self.need(count));
        Plan { keep, state, closed, logs, count }
    }

    /// The stores to replayed leaves, in order.
    fn replayed_stores(&self) -> Vec<(OpId, (ArrayId, u16))> {
        let store = |at: OpId| match self.tree.ops[at].op {
            Op::Store { mem: Mem::Array(array), leaf, .. } => Some((at, (*array, *leaf))),
            _ => None,
        };
        let all = (0..self.tree.ops.len()).filter_map(store);
        all.filter(|(_, leaf)| self.needs.replayed.contains(leaf)).collect()
    }

    /// The reverse visits stores to replayed leaves, whatever they hold.
    fn stores_are_taken_back(&mut self) {
        for (at, _) in self.replayed_stores() {
            let places = self.places;
            values(&places[&at]).for_each(|v| self.need(v));
            self.needs.relevant[at] = true;
            for owner in self.tree.owners(at).collect::<Vec<_>>() {
                self.needs.relevant[owner] = true;
                if let Op::If { cond, .. } = self.tree.ops[owner].op {
                    self.need(*cond);
                }
            }
        }
    }

    /// What has to run of the body of a loop, or of the kernel, to have the values that its reverse reads.
    fn closure(&mut self, body: Option<OpId>) -> Result<Keep, Refusal> {
        let seeds: Vec<Value> = self.needs.values.iter().copied().filter(|&v| self.tree.turns_of(v) == body).collect();
        let loops: Vec<OpId> = self.relevant_loops().into_iter().filter(|&l| self.tree.ops[l].inside == body).collect();
        let mut closure = Closure { search: self, body, keep: Keep::default(), work: seeds, read: BTreeSet::new() };
        for inner in loops {
            closure.inner(inner);
        }
        for (at, _) in closure.search.replayed_stores() {
            if body.is_none_or(|body| closure.search.tree.is_inside(at, body)) {
                closure.replayed_store(at);
            }
        }
        closure.run()?;
        Ok(closure.keep)
    }
}

struct Closure<'s, 'a, 'k> {
    search: &'s mut Search<'a, 'k>,
    body: Option<OpId>,
    keep: Keep,
    work: Vec<Value>,
    /// Leaves of local arrays whose contents count.
    read: BTreeSet<(LocalId, u16)>,
}

impl Closure<'_, '_, '_> {
    /// What the first sweep of an inner loop that is reversed has to run.
    fn inner(&mut self, id: OpId) {
        let Some(plan) = self.search.needs.loops.get(&id).cloned() else { return };
        if plan.count.is_none() {
            self.op(id);
            self.work.push(self.search.tree.parts(id).cond.yields[0]);
        }
        for &k in &plan.state {
            self.carried(id, k);
        }
        for &(local, leaf) in &plan.keep.locals {
            self.local(local, leaf);
            self.op(id);
        }
    }

    /// A store to memory that later loads see.
    fn replayed_store(&mut self, at: OpId) {
        let Op::Store { value, .. } = self.search.tree.ops[at].op else { return };
        self.op(at);
        self.work.push(*value);
        self.work.extend(values(&self.search.places[&at]));
    }

    fn run(&mut self) -> Result<(), Refusal> {
        while let Some(value) = self.work.pop() {
            self.value(value)?;
        }
        Ok(())
    }

    fn value(&mut self, value: Value) -> Result<(), Refusal> {
        let tree = self.search.tree;
        if tree.is_again(value) {
            return Ok(());
        }
        if !tree.is_within(value, self.body) {
            self.search.need(value);
            return Ok(());
        }
        if !self.keep.seen.insert(value) {
            return Ok(());
        }
        match tree.def(value) {
            Def::Param => {}
            Def::Carried(id, k) if Some(id) == self.body => {
                self.keep.params.insert(k);
                // Turns that are run again have to reach the next one.
                if step(tree, id, k).is_none() {
                    self.work.push(tree.parts(id).body.yields[k]);
                }
            }
            Def::Cond(id, k) | Def::Carried(id, k) => self.carried(id, k),
            Def::Result(id, k) => self.result(id, k)?,
        }
        Ok(())
    }

    fn result(&mut self, id: OpId, k: usize) -> Result<(), Refusal> {
        let tree = self.search.tree;
        self.op(id);
        match tree.ops[id].op {
            Op::If { cond, then, otherwise, .. } => self.work.extend([*cond, then.yields[k], otherwise.yields[k]]),
            Op::Loop { .. } => self.carried(id, k),
            Op::Custom { values, .. } => self.work.push(values[k]),
            Op::Load { mem: Mem::Array(_), .. } => {
                self.work.extend(values(&self.search.places[&id]));
                self.search.load(id)?;
            }
            Op::Atomic { mem: Mem::Array(_), .. } if tree.ops[id].inside.is_some() => {
                return Err(refusal::old_value_in_loop(tree, id));
            }
            Op::Atomic { mem: Mem::Array(_), .. } => drop(self.search.needs.returned.insert(id)),
            op => self.work.extend(op.shape().operands),
        }
        if let Op::Load { mem: Mem::Local(local), leaf, .. } = tree.ops[id].op {
            self.local(*local, *leaf);
        }
        Ok(())
    }

    /// Everything that gives a leaf of a local array its contents runs.
    fn local(&mut self, local: LocalId, leaf: u16) {
        if !self.read.insert((local, leaf)) {
            return;
        }
        let tree = self.search.tree;
        for &at in tree.writes(Mem::Local(local), leaf) {
            match self.body {
                Some(body) if !tree.is_inside(at, body) => {
                    if !planted::is(Bug::AdjointForgetsLocals) {
                        self.keep.locals.insert((local, leaf));
                    }
                }
                _ => {
                    self.op(at);
                    self.work.extend(tree.ops[at].op.shape().operands);
                }
            }
        }
    }

    /// An op runs, and with it what decides whether it does.
    fn op(&mut self, id: OpId) {
        let tree = self.search.tree;
        if !self.keep.ops.insert(id) {
            return;
        }
        let around: Vec<OpId> = tree.owners(id).take_while(|&o| Some(o) != self.body).collect();
        for owner in around {
            if self.keep.ops.insert(owner) {
                self.decides(owner);
            }
        }
        self.decides(id);
    }

    fn decides(&mut self, id: OpId) {
        match self.search.tree.ops[id].op {
            Op::If { cond, .. } => self.work.push(*cond),
            Op::Loop { cond, .. } => self.work.extend(&cond.yields),
            _ => {}
        }
    }

    fn carried(&mut self, id: OpId, k: usize) {
        if self.keep.carried.insert((id, k)) {
            let parts = self.search.tree.parts(id);
            self.op(id);
            self.work.extend([parts.inits[k], parts.body.yields[k]]);
        }
    }
}

/// The carried values of a loop that have adjoints.
pub(super) fn active_carried(tree: &Tree<'_>, activity: &Activity, id: OpId) -> Vec<usize> {
    let parts = tree.parts(id);
    let active = |k: &usize| activity.of(parts.results[*k]) || activity.of(parts.body.params[*k]);
    (0..parts.inits.len()).filter(active).collect()
}

/// The values from outside a loop's body that have adjoints and that its turns use.
pub(super) fn active_free(tree: &Tree<'_>, activity: &Activity, id: OpId) -> Vec<Value> {
    let mut free = BTreeSet::new();
    let mut look = |v: Value| {
        if activity.of(v) && !tree.is_within(v, Some(id)) {
            free.insert(v);
        }
    };
    tree.parts(id).body.yields.iter().for_each(|&v| look(v));
    for at in id + 1..tree.ops[id].end {
        let shape = tree.ops[at].op.shape();
        shape.operands.iter().chain(shape.regions.iter().flat_map(|r| &r.yields)).for_each(|&v| look(v));
    }
    free.into_iter().filter(|&v| carries(tree.function.scalar(v))).collect()
}
