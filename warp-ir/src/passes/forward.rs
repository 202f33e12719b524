//! Forwarding: a load of what was loaded or stored before is that value. A store that a later one overwrites goes, and so
//! does one of what stands there already: a function that is given a struct hands all of it back, and what it left alone
//! may be written by other threads meanwhile.
//!
//! A leaf of an element is known by its memory, its leaf and its index value. A store makes all else that was known of
//! its memory and leaf unknown, since indices may be equal; so does an atomic, and a loop that has one. Other leaves
//! and other memories never overlap.

use super::replace::Replacements;
use crate::hash::QuickMap;
use crate::ir::*;
use crate::planted::{self, Bug};

/// Forwards loads and stores of a function.
pub(super) fn forward(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let mut pass = Forward { to: Replacements::new(function.values.len()), ..Forward::default() };
    pass.region(&mut body);
    function.body = body;
}

/// One leaf of one memory.
type Plane = (Mem, u16);

#[derive(Default)]
struct Forward {
    to: Replacements,
    /// What an element of a plane holds, and the state of the plane in which it does.
    held: QuickMap<(Plane, Value), (Value, u32)>,
    /// The current state of each plane.
    states: QuickMap<Plane, u32>,
    next_state: u32,
    /// What to undo when a region is left.
    trail: Vec<Undo>,
}

enum Undo {
    Held((Plane, Value), Option<(Value, u32)>),
    State(Plane, u32),
}

/// Stores of a straight run of ops that nothing has read yet: positions by place.
type Unread = QuickMap<(Plane, Value), usize>;

impl Forward {
    /// Forwards within a region; gives the planes that it writes.
    fn region(&mut self, region: &mut Region) -> Vec<Plane> {
        let begin = self.trail.len();
        let mut out: Vec<Option<Op>> = Vec::with_capacity(region.ops.len());
        let mut unread = Unread::default();
        for mut op in std::mem::take(&mut region.ops) {
            self.to.operands(&mut op);
            if self.op(&mut op, &mut out, &mut unread) {
                out.push(Some(op));
            }
        }
        region.ops = out.into_iter().flatten().collect();
        self.to.all(&mut region.yields);
        self.leave(begin)
    }

    /// Looks at an op; whether it stays.
    fn op(&mut self, op: &mut Op, out: &mut [Option<Op>], unread: &mut Unread) -> bool {
        match op {
            Op::Load { mem, index, leaf, result } => {
                let plane = plane(*mem, *leaf);
                if let Some(value) = self.value(plane, *index) {
                    self.to.set(*result, value);
                    return false;
                }
                self.hold(plane, *index, *result);
                unread.retain(|(p, _), _| *p != plane);
            }
            Op::Store { mem, index, leaf, value } => {
                let plane = plane(*mem, *leaf);
                if self.value(plane, *index) == Some(*value) {
                    return false;
                }
                self.change(plane);
                self.hold(plane, *index, *value);
                if let Some(at) = unread.insert((plane, *index), out.len()) {
                    out[at] = None;
                }
            }
            Op::Fill { local, leaf, .. } => self.change((Mem::Local(*local), *leaf)),
            Op::Atomic { mem, leaf, .. } => {
                let plane = (*mem, *leaf);
                self.change(plane);
                unread.retain(|(p, _), _| *p != plane);
            }
            Op::If { then, otherwise, .. } => {
                unread.clear();
                let mut written = self.region(then);
                written.extend(self.region(otherwise));
                written.into_iter().for_each(|plane| self.change(plane));
            }
            Op::Loop { body, cond, .. } => {
                unread.clear();
                let mut written = vec![];
                planes_written(body, &mut written);
                written.iter().for_each(|&plane| self.change(plane));
                self.region(cond);
                self.region(body);
                written.into_iter().for_each(|plane| self.change(plane));
            }
            // It may read what was stored, when its time comes.
            Op::Custom { .. } => unread.clear(),
            _ => {}
        }
        true
    }

    fn value(&self, plane: Plane, index: Value) -> Option<Value> {
        let &(value, state) = self.held.get(&(plane, index))?;
        (state == self.state(plane)).then_some(value)
    }

    fn state(&self, plane: Plane) -> u32 {
        self.states.get(&plane).copied().unwrap_or(0)
    }

    fn hold(&mut self, plane: Plane, index: Value, value: Value) {
        let key = (plane, index);
        let before = self.held.insert(key, (value, self.state(plane)));
        self.trail.push(Undo::Held(key, before));
    }

    fn change(&mut self, plane: Plane) {
        if planted::is(Bug::ForwardPassesStores) {
            return;
        }
        self.trail.push(Undo::State(plane, self.state(plane)));
        self.next_state += 1;
        self.states.insert(plane, self.next_state);
    }

    /// Goes back to what was known before a region; gives the planes that it changed.
    fn leave(&mut self, begin: usize) -> Vec<Plane> {
        let mut changed = vec![];
        for undo in self.trail.drain(begin..).rev() {
            match undo {
                Undo::Held(key, Some(before)) => drop(self.held.insert(key, before)),
                Undo::Held(key, None) => drop(self.held.remove(&key)),
                Undo::State(plane, before) => {
                    self.states.insert(plane, before);
                    if !changed.contains(&plane) {
                        changed.push(plane);
                    }
                }
            }
        }
        changed
    }
}

fn plane(mem: Mem, leaf: u16) -> Plane {
    (mem, if planted::is(Bug::ForwardIgnoresLeaf) { 0 } else { leaf })
}

fn planes_written(region: &Region, found: &mut Vec<Plane>) {
    for op in &region.ops {
        match op {
            Op::Store { mem, leaf, .. } | Op::Atomic { mem, leaf, .. } => found.push((*mem, *leaf)),
            Op::Fill { local, leaf, .. } => found.push((Mem::Local(*local), *leaf)),
            Op::If { then, otherwise, .. } => {
                planes_written(then, found);
                planes_written(otherwise, found);
            }
            Op::Loop { body, .. } => planes_written(body, found),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
}
