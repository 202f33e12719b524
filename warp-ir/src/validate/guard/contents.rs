//! Which leaves of which local arrays have contents.

use std::collections::{HashMap, HashSet};

use crate::ir::{Function, LocalId};

type Leaf = (LocalId, u16);

/// What has been filled or stored on every way to here. Scopes are undone by [`leave`](Contents::leave).
pub(super) struct Contents {
    lens: Vec<u64>,
    full: HashSet<Leaf>,
    elements: HashMap<Leaf, HashSet<u64>>,
    trail: Vec<Step>,
    scopes: Vec<usize>,
}

enum Step {
    Full(Leaf),
    Element(Leaf, u64),
}

impl Contents {
    pub(super) fn new(function: &Function) -> Contents {
        Contents {
            lens: function.locals.iter().map(|l| u64::from(l.len)).collect(),
            full: HashSet::new(),
            elements: HashMap::new(),
            trail: Vec::new(),
            scopes: Vec::new(),
        }
    }

    /// Every element of these leaves has contents.
    pub(super) fn filled(&mut self, leaves: impl IntoIterator<Item = Leaf>) {
        for leaf in leaves {
            if self.full.insert(leaf) {
                self.trail.push(Step::Full(leaf));
            }
        }
    }

    /// One element has contents; when all have, the leaf is filled.
    pub(super) fn stored(&mut self, local: LocalId, leaf: u16, element: u64) {
        let key = (local, leaf);
        if self.full.contains(&key) {
            return;
        }
        let elements = self.elements.entry(key).or_default();
        if elements.insert(element) {
            self.trail.push(Step::Element(key, element));
            if elements.len() as u64 == self.lens[local.0 as usize] {
                self.filled([key]);
            }
        }
    }

    /// Whether a read finds contents, at a constant element or at any.
    pub(super) fn read(&self, local: LocalId, leaf: u16, element: Option<u64>) -> Result<(), String> {
        let key = (local, leaf);
        let there = self.full.contains(&key)
            || element.is_some_and(|e| self.elements.get(&key).is_some_and(|elements| elements.contains(&e)));
        match there {
            true => Ok(()),
            false => {
                Err(format!("leaf {leaf} of local{} is read, and no fill or stores before give it contents", local.0))
            }
        }
    }

    pub(super) fn enter(&mut self) {
        self.scopes.push(self.trail.len());
    }

    /// Forgets what was learnt since the last [`enter`](Contents::enter); the leaves that were filled in between.
    pub(super) fn leave(&mut self) -> Vec<Leaf> {
        let start = self.scopes.pop().unwrap_or(0);
        let mut filled = Vec::new();
        for step in self.trail.drain(start..) {
            match step {
                Step::Full(leaf) => {
                    self.full.remove(&leaf);
                    filled.push(leaf);
                }
                Step::Element(leaf, element) => {
                    self.elements.get_mut(&leaf).map(|elements| elements.remove(&element));
                }
            }
        }
        filled
    }
}
