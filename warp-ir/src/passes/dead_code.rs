//! Dead code: what neither reaches an effect nor a result of the function goes. A value carried by a loop is live when
//! something reads it, not merely because the next turn needs it; a store to a local array that nothing reads is dead.
//! Checks, prints, and stores and atomics to array parameters always stay.

use crate::ir::*;
use crate::planted::{self, Bug};

/// Removes dead code.
pub(super) fn remove_dead(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let mut liveness = Liveness::new(function);
    liveness.scan(&body, NOWHERE);
    for &value in &body.yields {
        liveness.mark(value);
    }
    liveness.spread();
    Sweep { liveness, next: 0, loops: 0 }.region(&mut body);
    function.body = body;
}

/// An `If` or `Loop` by its number in the order of a walk; `NOWHERE` is the function's body.
type Place = u32;
const NOWHERE: Place = u32::MAX;

/// A range of `Liveness::lists`.
type List = (u32, u32);

#[derive(Clone, Copy)]
enum Def {
    /// A parameter of the function, or never defined.
    Given,
    /// By an op of these operands.
    Op(List),
    /// By a load from a local array, or an atomic on one.
    Local(LocalId, Value),
    /// By the k-th result of an `If`, or as the k-th carried value of a `Loop` in any of its three names.
    Slot(Place, u32),
}

struct Branching {
    parent: Place,
    /// The condition of an `If`, the condition's yield of a `Loop`.
    guard: Value,
    /// For each slot two values: the yields of both arms, or init and next of a carried value.
    slots: List,
    live: bool,
    /// Which slots are live, from here in `Liveness::live_slots`.
    first_slot: u32,
}

struct Liveness {
    defs: Vec<Def>,
    /// Where each value is defined.
    homes: Vec<Place>,
    live: Vec<bool>,
    live_slots: Vec<bool>,
    branchings: Vec<Branching>,
    lists: Vec<Value>,
    locals: Vec<Local>,
    work: Vec<Value>,
}

/// Writes to a local array, which count once something reads it.
#[derive(Clone, Default)]
struct Local {
    live: bool,
    writes: Vec<(Place, List)>,
}

impl Liveness {
    fn new(function: &Function) -> Liveness {
        let count = function.values.len();
        Liveness {
            defs: vec![Def::Given; count],
            homes: vec![NOWHERE; count],
            live: vec![false; count],
            live_slots: vec![],
            branchings: vec![],
            lists: vec![],
            locals: vec![Local::default(); function.locals.len()],
            work: vec![],
        }
    }

    fn list(&mut self, values: impl IntoIterator<Item = Value>) -> List {
        let begin = self.lists.len();
        self.lists.extend(values);
        (begin as u32, self.lists.len() as u32)
    }

    fn define(&mut self, value: Value, home: Place, def: Def) {
        self.homes[value.0 as usize] = home;
        self.defs[value.0 as usize] = def;
    }

    fn scan(&mut self, region: &Region, here: Place) {
        for op in &region.ops {
            match op {
                Op::If { cond, then, otherwise, results } => {
                    let pairs = then.yields.iter().zip(&otherwise.yields).flat_map(|(&t, &o)| [t, o]);
                    let place = self.branching(here, *cond, pairs);
                    for (k, &result) in results.iter().enumerate() {
                        self.define(result, here, Def::Slot(place, k as u32));
                    }
                    self.scan(then, place);
                    self.scan(otherwise, place);
                }
                Op::Loop { inits, cond, body, results } => {
                    let pairs = inits.iter().zip(&body.yields).flat_map(|(&i, &y)| [i, y]);
                    let place = self.branching(here, cond.yields[0], pairs);
                    for (list, home) in [(results, here), (&cond.params, place), (&body.params, place)] {
                        for (k, &value) in list.iter().enumerate() {
                            self.define(value, home, Def::Slot(place, k as u32));
                        }
                    }
                    self.scan(cond, place);
                    self.scan(body, place);
                }
                _ => self.simple(op, here),
            }
        }
    }

    fn branching(&mut self, parent: Place, guard: Value, pairs: impl IntoIterator<Item = Value>) -> Place {
        let slots = self.list(pairs);
        let first_slot = self.live_slots.len() as u32;
        self.live_slots.resize(first_slot as usize + (slots.1 - slots.0) as usize / 2, false);
        self.branchings.push(Branching { parent, guard, slots, live: false, first_slot });
        self.branchings.len() as Place - 1
    }

    fn simple(&mut self, op: &Op, here: Place) {
        if let Op::Load { mem: Mem::Local(local), index, result, .. } = op {
            return self.define(*result, here, Def::Local(*local, *index));
        }
        let shape = op.shape();
        let mut read = shape.operands;
        shape.regions.iter().for_each(|region| reads(region, &mut read));
        let operands = self.list(read);
        for &result in shape.results {
            let def = match op {
                Op::Atomic { mem: Mem::Local(local), index, .. } => Def::Local(*local, *index),
                _ => Def::Op(operands),
            };
            self.define(result, here, def);
        }
        match written(op) {
            Some(Mem::Local(local)) => self.locals[local.0 as usize].writes.push((here, operands)),
            Some(Mem::Array(_)) => self.root(here, operands),
            None if has_effect(op) => self.root(here, operands),
            None => {}
        }
    }

    /// An effect: its operands are live, and so is each branching around it.
    fn root(&mut self, here: Place, operands: List) {
        self.mark_place(here);
        self.mark_list(operands);
    }

    fn mark_list(&mut self, list: List) {
        for at in list.0..list.1 {
            self.mark(self.lists[at as usize]);
        }
    }

    fn mark(&mut self, value: Value) {
        if !std::mem::replace(&mut self.live[value.0 as usize], true) {
            self.work.push(value);
        }
    }

    fn mark_place(&mut self, mut place: Place) {
        while place != NOWHERE && !std::mem::replace(&mut self.branchings[place as usize].live, true) {
            let Branching { parent, guard, .. } = self.branchings[place as usize];
            self.mark(guard);
            place = parent;
        }
    }

    fn mark_local(&mut self, local: LocalId) {
        let local = &mut self.locals[local.0 as usize];
        if std::mem::replace(&mut local.live, true) {
            return;
        }
        for (place, operands) in std::mem::take(&mut local.writes) {
            self.root(place, operands);
        }
    }

    fn spread(&mut self) {
        while let Some(value) = self.work.pop() {
            self.mark_place(self.homes[value.0 as usize]);
            match self.defs[value.0 as usize] {
                Def::Given => {}
                Def::Op(operands) => self.mark_list(operands),
                Def::Local(local, index) => {
                    self.mark(index);
                    self.mark_local(local);
                }
                Def::Slot(place, k) => {
                    self.mark_place(place);
                    let Branching { slots, first_slot, .. } = self.branchings[place as usize];
                    self.live_slots[(first_slot + k) as usize] = true;
                    self.mark_list((slots.0 + 2 * k, slots.0 + 2 * k + 2));
                }
            }
        }
    }
}

/// Everything that a derivative of the user's own names.
fn reads(region: &Region, found: &mut Vec<Value>) {
    for op in &region.ops {
        let shape = op.shape();
        found.extend(shape.operands);
        shape.regions.into_iter().for_each(|inner| reads(inner, found));
    }
    found.extend(&region.yields);
}

/// The memory that an op writes.
pub(super) fn written(op: &Op) -> Option<Mem> {
    match op {
        Op::Store { mem, .. } | Op::Atomic { mem, .. } => Some(*mem),
        Op::Fill { local, .. } => Some(Mem::Local(*local)),
        _ => None,
    }
}

/// Whether an op that writes no memory does something nevertheless.
fn has_effect(op: &Op) -> bool {
    match op {
        Op::Check { .. } => !planted::is(Bug::DeadDropsChecks),
        Op::Print { .. } => !planted::is(Bug::DeadDropsPrints),
        Op::Call { .. } => true,
        _ => false,
    }
}

/// Removes what is not live, in the order in which `Liveness` numbered the branchings.
struct Sweep {
    liveness: Liveness,
    next: Place,
    /// Loops around.
    loops: u32,
}

impl Sweep {
    fn region(&mut self, region: &mut Region) {
        region.ops.retain_mut(|op| self.keeps(op));
    }

    fn keeps(&mut self, op: &mut Op) -> bool {
        let live = |v: &Value| self.liveness.live[v.0 as usize];
        match op {
            Op::If { then, otherwise, results, .. } => {
                let (kept, marks) = self.enter(results.len());
                self.region(then);
                self.region(otherwise);
                for list in [&mut then.yields, &mut otherwise.yields, results] {
                    super::retain_marked(list, &marks);
                }
                kept
            }
            Op::Loop { inits, cond, body, results } => {
                let (kept, marks) = self.enter(results.len());
                self.loops += 1;
                self.region(cond);
                self.region(body);
                self.loops -= 1;
                for list in [inits, &mut cond.params, &mut body.params, &mut body.yields, results] {
                    super::retain_marked(list, &marks);
                }
                kept
            }
            _ => match written(op) {
                Some(Mem::Array(_)) => {
                    !planted::is(Bug::DeadDropsAtomics)
                        || op.shape().results.is_empty()
                        || op.shape().results.iter().any(live)
                }
                Some(Mem::Local(_)) if planted::is(Bug::DeadDropsLocalStores) && self.loops > 0 => false,
                Some(Mem::Local(local)) => self.liveness.locals[local.0 as usize].live,
                None => has_effect(op) || op.shape().results.iter().any(live),
            },
        }
    }

    /// Whether the next branching stays, and which of its slots do.
    fn enter(&mut self, slots: usize) -> (bool, Vec<bool>) {
        let branching = &self.liveness.branchings[self.next as usize];
        self.next += 1;
        let first = branching.first_slot as usize;
        (branching.live, self.liveness.live_slots[first..first + slots].to_vec())
    }
}
