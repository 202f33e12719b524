//! Threads that provably touch each other's elements: one stores where another one loads or stores.
//!
//! Such a launch depends on the order of threads, and has no gradient. What is shown here is shown of two threads by
//! name, such as 0 and 1: where a launch has both, they meet. Accesses under a condition, in loops or through index
//! arrays are let be: whether threads meet there is for the launch to know.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::Activity;
use super::linear::{Linear, Uniform, linear};
use super::needs::Needs;
use super::place::Place;
use super::tree::{OpId, Tree, carries};
use super::{Overlap, refusal};
use crate::ir::*;

/// Coordinates that are looked at, by the launch's dimensions.
const THREADS: [u64; 5] = [0, 64, 8, 4, 3];

/// The launches of a kernel that have no gradient, each with least extents.
pub(super) fn overlaps(
    tree: &Tree<'_>,
    activity: &Activity,
    needs: &Needs,
    places: &BTreeMap<OpId, Place>,
    rank: u8,
) -> Vec<Overlap> {
    let uniform = Uniform::new(tree);
    let all = accesses(tree, activity, needs, places, &uniform);
    let mut found: Vec<Overlap> = vec![];
    let mut known = BTreeSet::new();
    for store in all.iter().filter(|a| a.stores) {
        for other in all.iter().filter(|a| a.of == store.of) {
            let benign = other.stores && store.same_value(other, tree, &uniform);
            if benign || !store.may_meet(other) || !known.insert((store.of, &store.forms, &other.forms, other.stores)) {
                continue;
            }
            for [mine, others] in meetings(&store.forms, &other.forms, rank) {
                let dims: Vec<u64> = mine.iter().zip(&others).map(|(a, b)| a.max(b) + 1).collect();
                if !found.iter().any(|f| f.dims.iter().zip(&dims).all(|(known, dim)| known <= dim)) {
                    let alike = store.forms.iter().zip(&other.forms).all(|(a, b)| a.scales == b.scales);
                    let threads = refusal::threads(&mine, &others, alike);
                    let refusal = refusal::overlap(tree, store.op, &threads, other.stores);
                    found.retain(|f| !dims.iter().zip(&f.dims).all(|(dim, known)| dim <= known));
                    found.push(Overlap { dims, refusal });
                }
            }
        }
    }
    found
}

/// An access that every thread makes.
struct Touch {
    op: OpId,
    of: (ArrayId, u16),
    /// Its index in each dimension.
    forms: Vec<Linear>,
    /// It is a store, and no atomic.
    stores: bool,
}

impl Touch {
    /// Whether both write one value that is the same in all threads.
    fn same_value(&self, other: &Touch, tree: &Tree<'_>, uniform: &Uniform) -> bool {
        match (tree.ops[self.op].op, tree.ops[other.op].op) {
            (Op::Store { value: a, .. }, Op::Store { value: b, .. }) => a == b && uniform.is(*a),
            _ => false,
        }
    }

    /// Whether the indices differ by what is known.
    fn may_meet(&self, other: &Touch) -> bool {
        self.forms.iter().zip(&other.forms).all(|(a, b)| a.atoms == b.atoms)
    }
}

fn accesses(
    tree: &Tree<'_>,
    activity: &Activity,
    needs: &Needs,
    places: &BTreeMap<OpId, Place>,
    uniform: &Uniform,
) -> Vec<Touch> {
    let mut all = vec![];
    for op in tree.top() {
        let (of, counts, stores) = match tree.ops[op].op {
            Op::Load { mem: Mem::Array(array), leaf, result, .. } => {
                ((*array, *leaf), activity.of(*result) || needs.loads.contains_key(&op), false)
            }
            Op::Store { mem: Mem::Array(array), leaf, .. } => ((*array, *leaf), true, true),
            Op::Atomic { mem: Mem::Array(array), leaf, .. } => ((*array, *leaf), true, false),
            _ => continue,
        };
        let forms: Option<Vec<Linear>> = places[&op].iter().map(|term| linear(tree, uniform, term)).collect();
        if let Some(forms) = forms.filter(|_| counts) {
            all.push(Touch { op, of, forms, stores });
        }
    }
    // Who writes integers last is nothing to the gradient; what is read of them may be.
    let floats = |of: (ArrayId, u16)| carries(tree.function.arrays[of.0.0 as usize].leaves[of.1 as usize]);
    let read: BTreeSet<(ArrayId, u16)> =
        all.iter().filter(|touch| matches!(tree.ops[touch.op].op, Op::Load { .. })).map(|touch| touch.of).collect();
    all.retain(|touch| floats(touch.of) || read.contains(&touch.of));
    all
}

/// Pairs of threads of which the first stores where the second is.
fn meetings(store: &[Linear], other: &[Linear], rank: u8) -> Vec<[Vec<u64>; 2]> {
    let side = THREADS[rank as usize];
    let threads = || (0..side.pow(u32::from(rank))).map(|n| thread(n, side, rank));
    let address = |forms: &[Linear], thread: &[u64]| -> Vec<u64> { forms.iter().map(|f| f.at(thread)).collect() };
    let mut stored: BTreeMap<Vec<u64>, Vec<Vec<u64>>> = BTreeMap::new();
    for thread in threads() {
        stored.entry(address(store, &thread)).or_default().push(thread);
    }
    let mut pairs: Vec<[Vec<u64>; 2]> = vec![];
    for thread in threads() {
        let Some(writers) = stored.get(&address(other, &thread)) else { continue };
        pairs.extend(writers.iter().filter(|w| **w != thread).map(|w| [w.clone(), thread.clone()]));
    }
    // The smallest launches first, and of two threads the earlier one first.
    pairs.sort_by_key(|[a, b]| (a.iter().zip(b).map(|(a, b)| a.max(b)).sum::<u64>(), a > b));
    pairs
}

fn thread(mut number: u64, side: u64, rank: u8) -> Vec<u64> {
    let mut coordinates = vec![0; rank as usize];
    for coordinate in coordinates.iter_mut().rev() {
        *coordinate = number % side;
        number /= side;
    }
    coordinates
}
