//! Graphs: work with what each piece waits for.

use super::State;
use super::work::{Place, Work};
use crate::code::Code;

/// A piece of work in a graph.
#[derive(Clone)]
pub struct Node {
    pub work: Work,
    /// The nodes that come before, by number; all are smaller than its own.
    pub after: Vec<usize>,
}

/// Kinds of nodes, as the driver numbers them.
pub fn kind(work: &Work) -> i32 {
    match work {
        Work::Launch(_) => 0,
        Work::Copy { .. } => 1,
        Work::Set { .. } => 2,
        Work::Call { .. } => 3,
        Work::Graph(_) => 4,
        Work::Wait(..) => 6,
        Work::Record(..) => 7,
        Work::Take(_) => 10,
        Work::Give(_) => 11,
        Work::Nothing => 5,
    }
}

impl State {
    /// Does all work of a graph, in an order that chance chooses among the right ones.
    pub fn run_graph(&mut self, device: usize, nodes: &[Node]) -> Result<(), Code> {
        let mut done = vec![false; nodes.len()];
        for _ in nodes {
            let ready: Vec<usize> =
                (0..nodes.len()).filter(|&k| !done[k] && nodes[k].after.iter().all(|&before| done[before])).collect();
            let at = match self.settings.seed {
                0 => ready[0],
                _ => ready[self.random.below(ready.len())],
            };
            self.run(device, nodes[at].work.clone())?;
            done[at] = true;
        }
        Ok(())
    }

    /// What differs between two graphs so that the one cannot take the other's parameters; 0 for nothing.
    pub fn difference(&self, old: &[Node], new: &[Node]) -> i32 {
        let same_form = old.len() == new.len() && old.iter().zip(new).all(|(a, b)| a.after == b.after);
        if !same_form {
            return 2;
        }
        let pairs = || old.iter().zip(new).map(|(a, b)| (&a.work, &b.work));
        if pairs().any(|(a, b)| kind(a) != kind(b)) {
            return 3;
        }
        let moved = |a: &Place, b: &Place| match (a, b) {
            (Place::Device(a), Place::Device(b)) => self.owner(*a) != self.owner(*b),
            (Place::Device(_), _) | (_, Place::Device(_)) => true,
            _ => false,
        };
        let copies = pairs().any(|pair| match pair {
            (Work::Copy { from: f, to: t, .. }, Work::Copy { from: g, to: u, .. }) => moved(f, g) || moved(t, u),
            (Work::Set { to: t, pattern: p, .. }, Work::Set { to: u, pattern: q, .. }) => {
                self.owner(*t) != self.owner(*u) || p.len() != q.len()
            }
            _ => false,
        });
        if copies { 5 } else { 0 }
    }

    /// The device of an address.
    fn owner(&self, address: u64) -> Option<usize> {
        self.space.find(address).map(|(start, _)| self.space.allocations[&start].device)
    }
}
