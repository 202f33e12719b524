//! Threading: an `If` whose outcome an earlier `If` decides moves into that one's arms.
//!
//! Early returns, breaks and continues arrive as flags: `if c { flag = true }` and then `if !flag { rest }`. Threading makes
//! `if c {} else { rest }` of it, so the flag dies, and the facts of `!c` hold in the rest. A select counts as an `If` of
//! two values.

use super::constants::{add_constants, constants_of};
use super::copy::Copier;
use super::replace::Replacements;
use crate::builtins::Builtin;
use crate::hash::QuickMap;
use crate::ir::*;
use crate::planted::{self, Bug};

/// Ops that may be copied into a second arm, and ops between two `If`s that may be copied into both.
const COPIED_OPS: usize = 6;

/// How deep a condition is looked into.
const DEPTH: u32 = 8;

/// Threads all regions of a function; tells whether anything changed.
pub(super) fn thread(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let count = function.values.len();
    let truths = Truths { constants: constants_of(&body, count), logic: vec![None; count] };
    let mut pass = Thread { function, to: Replacements::new(count), truths, changed: false };
    pass.region(&mut body);
    let changed = pass.changed;
    function.body = body;
    changed
}

struct Thread<'f> {
    function: &'f mut Function,
    to: Replacements,
    truths: Truths,
    changed: bool,
}

/// An op while its region is put together. What stands for what inside an arm waits until the arm is visited.
struct Pending {
    op: Op,
    then_names: Names,
    otherwise_names: Names,
}

type Names = QuickMap<Value, Value>;

/// Which region of a later `If` an arm of the earlier one leads to; none where that is not certain.
type Leads = (Option<bool>, Option<bool>);

impl Thread<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut pending: Vec<Pending> = Vec::with_capacity(region.ops.len());
        for mut op in std::mem::take(&mut region.ops) {
            self.to.operands(&mut op);
            self.truths.note(&op);
            match self.truths.decider(&op, &pending) {
                Some((at, leads)) => self.join(at, leads, as_if(op), &mut pending),
                None => pending.push(Pending { op, then_names: Names::default(), otherwise_names: Names::default() }),
            }
        }
        for mut entry in pending {
            self.visit(&mut entry);
            region.ops.push(entry.op);
        }
        self.to.all(&mut region.yields);
    }

    fn visit(&mut self, entry: &mut Pending) {
        match &mut entry.op {
            Op::If { then, otherwise, .. } => {
                self.arm(then, &entry.then_names);
                self.arm(otherwise, &entry.otherwise_names);
            }
            Op::Loop { cond, body, .. } => {
                self.region(cond);
                self.region(body);
            }
            _ => {}
        }
    }

    fn arm(&mut self, region: &mut Region, names: &Names) {
        for (&from, &to) in names {
            self.to.set(from, to);
        }
        self.region(region);
        for &from in names.keys() {
            self.to.set(from, from);
        }
    }

    /// Moves `later` into the arms of the `If` at `at`. Of what stands between, that which needs results of the earlier
    /// one is copied into the arms and follows it; the rest goes before.
    fn join(&mut self, at: usize, leads: Leads, later: Op, pending: &mut Vec<Pending>) {
        self.changed = true;
        let Op::If { cond, then: yes, otherwise: no, results: later_results } = later else { return };
        let between = pending.split_off(at + 1);
        let Some(mut joined) = pending.pop() else { return };
        let Op::If { then, otherwise, results, .. } = &mut joined.op else { return };
        let (needing, free) = split_needing(between, results);
        pending.extend(free);

        let mut parts = Parts { cond, regions: [yes, no], taken: [false; 2] };
        let arms = [(then, leads.0, &mut joined.then_names), (otherwise, leads.1, &mut joined.otherwise_names)];
        for (arm, lead, names) in arms {
            names.extend(results.iter().copied().zip(arm.yields.iter().copied()));
            for entry in &needing {
                // What an earlier join has copied already has its name in this arm.
                if entry.op.shape().results.iter().any(|r| names.contains_key(r)) {
                    continue;
                }
                let mut copier = Copier::default();
                arm.ops.extend(copier.ops(self.function, std::slice::from_ref(&entry.op)));
                names.extend(entry.op.shape().results.iter().map(|&r| (r, copier.get(r))));
            }
            parts.lead_into(self.function, arm, lead, &later_results);
            self.truths.grow(self.function.values.len(), arm);
        }
        results.extend(later_results);
        pending.push(joined);
        pending.extend(needing);
    }
}

/// The ops that need one of `results`, directly or through each other, and the others.
fn split_needing(between: Vec<Pending>, results: &[Value]) -> (Vec<Pending>, Vec<Pending>) {
    let mut tainted = results.to_vec();
    between.into_iter().partition(|entry| {
        let shape = entry.op.shape();
        let needs = shape.operands.iter().any(|v| tainted.contains(v));
        if needs {
            tainted.extend(shape.results);
        }
        needs
    })
}

/// A select as an `If`; an `If` as it is.
fn as_if(op: Op) -> Op {
    match op {
        Op::Pure { args, result, .. } => {
            let arm = |value| Region { yields: vec![value], ..Region::default() };
            Op::If { cond: args[0], then: arm(args[1]), otherwise: arm(args[2]), results: vec![result] }
        }
        op => op,
    }
}

/// The regions of a later `If` on their way into the arms of an earlier one.
struct Parts {
    cond: Value,
    regions: [Region; 2],
    taken: [bool; 2],
}

impl Parts {
    fn lead_into(&mut self, function: &mut Function, arm: &mut Region, lead: Option<bool>, results: &[Value]) {
        let mut part = match lead {
            Some(truth) => self.take(function, (truth == planted::is(Bug::ThreadTakesOtherArm)) as usize),
            None => {
                let (then, otherwise) = (self.take(function, 0), self.take(function, 1));
                let results: Vec<Value> = results.iter().map(|&r| function.value(function.scalar(r))).collect();
                let yields = results.clone();
                let whole = Op::If { cond: self.cond, then, otherwise, results };
                Region { params: vec![], ops: vec![whole], yields }
            }
        };
        arm.ops.append(&mut part.ops);
        arm.yields.append(&mut part.yields);
    }

    /// A region itself the first time, a copy after that.
    fn take(&mut self, function: &mut Function, which: usize) -> Region {
        let region = &mut self.regions[which];
        if std::mem::replace(&mut self.taken[which], true) {
            return Copier::default().region(function, region);
        }
        if is_little(region) { region.clone() } else { std::mem::take(region) }
    }
}

/// What is known of conditions.
struct Truths {
    constants: Vec<Option<u64>>,
    /// Conditions that are `Not`, `And` or `Or` of others.
    logic: Vec<Option<(Builtin, Value, Value)>>,
}

impl Truths {
    fn note(&mut self, op: &Op) {
        if let Op::Pure { builtin: builtin @ (Builtin::Not | Builtin::And | Builtin::Or), args, result } = op {
            let entry = Some((*builtin, args[0], args[args.len() - 1]));
            match self.logic.get_mut(result.0 as usize) {
                Some(place) => *place = entry,
                None => {
                    self.logic.resize(result.0 as usize, None);
                    self.logic.push(entry);
                }
            }
        }
    }

    /// Takes in what copying has made.
    fn grow(&mut self, count: usize, arm: &Region) {
        self.constants.resize(count, None);
        add_constants(arm, &mut self.constants);
    }

    /// The position of an earlier `If` that decides `op` at least in one arm, and where its arms lead; only where little
    /// has to be copied.
    fn decider(&self, op: &Op, pending: &[Pending]) -> Option<(usize, Leads)> {
        let cond = match op {
            Op::If { cond, .. } => *cond,
            Op::Pure { builtin: Builtin::Select, args, .. } => args[0],
            _ => return None,
        };
        let at = pending.iter().rposition(|p| !moves_freely(&p.op))?;
        let Op::If { results, .. } = &pending[at].op else { return None };
        let leads = self.leads(&pending[at].op, cond)?;
        let between = &pending[at + 1..];
        let needing = between.iter().filter(|p| p.op.shape().operands.iter().any(|v| results.contains(v))).count();
        (needing == 0 || between.len() <= COPIED_OPS).then_some(())?;
        is_worth(leads, op).then_some((at, leads))
    }

    /// What `cond` is after each arm of `earlier`, when at least one is certain.
    fn leads(&self, earlier: &Op, cond: Value) -> Option<Leads> {
        let Op::If { cond: decided, then, otherwise, results } = earlier else { return None };
        let then = self.truth(cond, &After { decided: *decided, truth: true, results, yields: &then.yields }, DEPTH);
        let otherwise =
            self.truth(cond, &After { decided: *decided, truth: false, results, yields: &otherwise.yields }, DEPTH);
        (then.is_some() || otherwise.is_some()).then_some((then, otherwise))
    }

    fn truth(&self, cond: Value, after: &After<'_>, depth: u32) -> Option<bool> {
        let constant = |v: Value| self.constants.get(v.0 as usize).copied().flatten().map(|bits| bits & 1 == 1);
        if cond == after.decided {
            return Some(after.truth);
        }
        if let Some(k) = after.results.iter().position(|&r| r == cond) {
            return constant(after.yields[k]);
        }
        if let Some(truth) = constant(cond) {
            return Some(truth);
        }
        let depth = depth.checked_sub(1)?;
        let (builtin, a, b) = self.logic.get(cond.0 as usize).copied().flatten()?;
        let a = self.truth(a, after, depth);
        let b = || self.truth(b, after, depth);
        match (builtin, a) {
            (Builtin::Not, a) => a.map(|a| !a),
            (Builtin::And, Some(false)) => Some(false),
            (Builtin::Or, Some(true)) => Some(true),
            (_, Some(_)) => b(),
            (builtin, None) => b().filter(|&b| b == (builtin == Builtin::Or)),
        }
    }
}

/// The place after one arm of an `If`.
struct After<'a> {
    decided: Value,
    truth: bool,
    results: &'a [Value],
    yields: &'a [Value],
}

/// Joining copies a region that both arms reach; that must be little. A select is worth it where no select is left.
fn is_worth(leads: Leads, op: &Op) -> bool {
    let Op::If { then, otherwise, .. } = op else { return leads.0.is_some() && leads.1.is_some() };
    let reaches = |lead: Option<bool>, region: bool| lead.is_none_or(|lead| lead == region);
    let twice = |region: bool| reaches(leads.0, region) && reaches(leads.1, region);
    (!twice(true) || is_little(then)) && (!twice(false) || is_little(otherwise))
}

/// Whether an op may be computed a little earlier: integer divisions and tables stay behind what guards them.
fn moves_freely(op: &Op) -> bool {
    match op {
        Op::Table { .. } | Op::Pure { builtin: Builtin::Div | Builtin::Rem, .. } => false,
        _ => op.is_pure(),
    }
}

fn is_little(region: &Region) -> bool {
    region.ops.len() <= COPIED_OPS && region.ops.iter().all(|op| op.shape().regions.is_empty())
}
