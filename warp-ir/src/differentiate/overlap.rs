//! Threads that provably touch each other's elements: one stores where another one loads or stores.
//!
//! Such a launch depends on the order of threads, and has no gradient. Looked at are accesses at indices that are sums
//! of multiples of the thread's coordinates and of what is the same in all threads, anywhere outside of loops.
//!
//! * **Proven**: two such accesses whose indices differ by what is known here. Where both move alike with the thread, how
//!   far apart the two threads are is solved for, however far that is; where one index moves otherwise, one of the two
//!   threads is looked for near zero, and the other one is solved for ([`solve`](super::solve) says what is tried where
//!   several coordinates make up one index).
//! * **Proven by the launch**: the same under conditions that threads compute from their coordinates, scalar parameters,
//!   constants and extents, such as `i + 1 < a.len()`. They go along ([`Overlap`]) and are computed for threads of the
//!   launch, so that nobody is refused whose conditions keep threads apart. Not all threads are tried, but those at the
//!   ends of what the comparisons leave, and of all distances the smallest.
//! * **Let be**: accesses in loops, through index arrays, under conditions on what was loaded, and indices whose
//!   distance depends on a parameter. Whether threads meet there, nobody says.

use std::collections::{BTreeMap, BTreeSet};

use super::activity::Activity;
use super::condition::{self, Conditions};
use super::linear::{Atom, Linear, Uniform, linear};
use super::needs::Needs;
use super::place::Place;
use super::solve::{Equation, solutions};
use super::tree::{OpId, Tree, carries};
use super::{Overlap, refusal};
use crate::ir::*;

/// How many coordinates of one of two threads are tried where their indices move differently, by the launch's
/// dimensions.
const THREADS: [u64; 5] = [0, 64, 8, 4, 3];

/// How many looks at pairs of accesses there are: one where both move alike, more where threads near zero are tried.
/// What a kernel has beyond them is let be.
const LOOKS: usize = 1 << 15;
const NEAR_ZERO: usize = 16;

/// The most overlaps under conditions that are kept of a kernel, and of two accesses.
const GUARDED: usize = 64;
const OF_TWO: usize = 8;

/// The launches of a kernel that have no gradient.
pub(super) fn overlaps(
    tree: &Tree<'_>,
    activity: &Activity,
    needs: &Needs,
    places: &BTreeMap<OpId, Place>,
    rank: u8,
) -> Vec<Overlap> {
    let all = touches(tree, activity, needs, places);
    let partners = Partners::new(&all);
    let (mut found, mut left) = (vec![], LOOKS);
    for (k, store) in all.iter().enumerate().filter(|(_, touch)| touch.stores) {
        for (j, looks) in partners.of(store) {
            let other = &all[j];
            // Of two stores one order is enough.
            let seen = other.stores && j < k;
            let benign = store.uniform.is_some() && store.uniform == other.uniform;
            if seen || benign {
                continue;
            }
            if left < looks {
                return found;
            }
            left -= looks;
            add(&mut found, tree, store, other, rank);
        }
    }
    found
}

/// Accesses to the same memory at indices that differ by constants, so that large kernels are not compared all with all.
struct Partners {
    /// Those that move alike, by what threads that meet have in common.
    alike: BTreeMap<(Leaf, Vec<Linear>), Vec<usize>>,
    /// All, by what their indices have beside coordinates, and by how they move.
    all: BTreeMap<(Leaf, Vec<Atoms>), BTreeMap<Moves, Vec<usize>>>,
}

impl Partners {
    fn new(touches: &[Touch]) -> Partners {
        let mut partners = Partners { alike: BTreeMap::new(), all: BTreeMap::new() };
        for (k, touch) in touches.iter().enumerate() {
            partners.alike.entry((touch.of, touch.residues())).or_default().push(k);
            let by_move = partners.all.entry((touch.of, touch.atoms())).or_default();
            by_move.entry(touch.scales()).or_default().push(k);
        }
        partners
    }

    /// The partners of an access, and what a look at each costs.
    fn of(&self, touch: &Touch) -> impl Iterator<Item = (usize, usize)> {
        let scales = touch.scales();
        let alike = self.alike.get(&(touch.of, touch.residues())).into_iter().flatten();
        let all = self.all.get(&(touch.of, touch.atoms())).into_iter().flatten();
        let others = all.filter(move |(moves, _)| **moves != scales).flat_map(|(_, others)| others);
        alike.map(|&k| (k, 1)).chain(others.map(|&k| (k, NEAR_ZERO)))
    }
}

/// A leaf of the elements of an array.
type Leaf = (ArrayId, u16);
/// What an index has beside coordinates.
type Atoms = BTreeMap<Atom, u64>;
/// How an index moves with each coordinate, in each dimension of the array.
type Moves = Vec<[u64; 4]>;

/// An access that every thread makes whose conditions hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Touch {
    of: Leaf,
    /// Its index in each dimension.
    forms: Vec<Linear>,
    /// It is a store, and no atomic.
    stores: bool,
    /// The stored value, where that is the same in all threads: then it is no matter who writes it.
    uniform: Option<Same>,
    conditions: Conditions,
    /// The first such access.
    op: OpId,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Same {
    Bits(u64),
    Value(Value),
}

impl Touch {
    fn residues(&self) -> Vec<Linear> {
        self.forms.iter().map(Linear::residue).collect()
    }

    fn atoms(&self) -> Vec<Atoms> {
        self.forms.iter().map(|form| form.atoms.clone()).collect()
    }

    fn scales(&self) -> Moves {
        self.forms.iter().map(|form| form.scales).collect()
    }
}

/// One access of each kind.
fn touches(tree: &Tree<'_>, activity: &Activity, needs: &Needs, places: &BTreeMap<OpId, Place>) -> Vec<Touch> {
    let uniform = Uniform::new(tree);
    let mut computable = BTreeMap::new();
    let (mut all, mut known, mut read) = (vec![], BTreeSet::new(), BTreeSet::new());
    for op in 0..tree.ops.len() {
        let (of, counts, stored) = match tree.ops[op].op {
            Op::Load { mem: Mem::Array(array), leaf, result, .. } => {
                ((*array, *leaf), activity.of(*result) || needs.loads.contains_key(&op), None)
            }
            Op::Store { mem: Mem::Array(array), leaf, value, .. } => ((*array, *leaf), true, Some(*value)),
            Op::Atomic { mem: Mem::Array(array), leaf, .. } => ((*array, *leaf), true, None),
            _ => continue,
        };
        let Some(conditions) = condition::around(tree, op, &mut computable).filter(|_| counts) else { continue };
        let forms: Option<Vec<Linear>> = places[&op].iter().map(|term| linear(tree, &uniform, term)).collect();
        let Some(forms) = forms else { continue };
        if matches!(tree.ops[op].op, Op::Load { .. }) {
            read.insert(of);
        }
        let same = |v: Value| tree.constant(v).map_or(Same::Value(v), Same::Bits);
        let (stores, uniform) = (stored.is_some(), stored.filter(|&v| uniform.is(v)).map(same));
        let touch = Touch { of, forms, stores, uniform, conditions, op: 0 };
        if known.insert(touch.clone()) {
            all.push(Touch { op, ..touch });
        }
    }
    // Who writes integers last is nothing to the gradient; what is read of them may be.
    let floats = |of: Leaf| carries(tree.function.arrays[of.0.0 as usize].leaves[of.1 as usize]);
    all.retain(|touch| floats(touch.of) || read.contains(&touch.of));
    all
}

/// Adds the launches in which these two meet to those that are found.
fn add(found: &mut Vec<Overlap>, tree: &Tree<'_>, store: &Touch, other: &Touch, rank: u8) {
    let alike = store.scales() == other.scales();
    let pairs = if alike { at_a_distance(store, other, rank) } else { near_zero(store, other, rank) };
    let Some((steps, conditions)) = condition::computed(tree, [&store.conditions, &other.conditions]) else { return };
    let guarded = conditions.iter().any(|c| !c.is_empty());
    let is_guarded = |of: &Overlap| of.conditions.iter().any(|c| !c.is_empty());
    for threads in pairs.into_iter().take(if guarded { OF_TWO } else { usize::MAX }) {
        let names = refusal::threads(&threads[0], &threads[1], alike);
        let refusal = refusal::overlap(tree, store.op, &names, other.stores);
        let (steps, conditions) = (steps.clone(), conditions.clone());
        let overlap = Overlap { threads, alike, steps, conditions, refusal };
        let least = overlap.least();
        if found.iter().any(|f| !is_guarded(f) && within(&f.least(), &least)) {
            continue;
        }
        if !guarded {
            found.retain(|f| !within(&least, &f.least()));
        } else if found.iter().filter(|f| is_guarded(f)).count() >= GUARDED {
            return;
        }
        found.push(overlap);
    }
}

/// Whether the first is nowhere larger.
fn within(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}

type Pair = [Vec<u64>; 2];

/// The first pairs of threads at each distance at which an access that moves as a store does is where that one is.
fn at_a_distance(store: &Touch, other: &Touch, rank: u8) -> Vec<Pair> {
    let forms = store.forms.iter().zip(&other.forms);
    let equations: Option<Vec<Equation>> = forms.map(|(a, b)| a.equation(a.at(&[]).wrapping_sub(b.at(&[])))).collect();
    let Some(equations) = equations else { return vec![] };
    let same = store.forms == other.forms && store.conditions == other.conditions;
    let mut distances: Vec<Vec<i64>> = solutions(&equations, rank as usize, true).into_iter().collect();
    // Of two accesses that are alike, each distance comes in both directions.
    distances.retain(|d| d.iter().find(|d| **d != 0).is_some_and(|first| !same || *first > 0));
    let far = |d: &Vec<i64>| -> Vec<u64> { d.iter().map(|d| d.unsigned_abs()).collect() };
    let all: Vec<Vec<u64>> = distances.iter().map(far).collect();
    distances.retain(|d| all.iter().all(|other| *other == far(d) || !within(other, &far(d))));
    let pair = |d: Vec<i64>| {
        [d.iter().map(|&d| d.min(0).unsigned_abs()).collect(), d.iter().map(|&d| d.max(0) as u64).collect()]
    };
    in_order(distances.into_iter().map(pair).collect())
}

/// Pairs of threads of which the first stores where the second is, one of them near zero.
fn near_zero(store: &Touch, other: &Touch, rank: u8) -> Vec<Pair> {
    let mut pairs = BTreeSet::new();
    for (fixed, free, turn) in [(store, other, false), (other, store, true)] {
        for thread in threads(rank) {
            let to = fixed.forms.iter().zip(&free.forms);
            let equations: Option<Vec<Equation>> =
                to.map(|(to, form)| form.equation(to.at(&thread).wrapping_sub(form.at(&[])))).collect();
            let Some(equations) = equations else { continue };
            for found in solutions(&equations, rank as usize, false) {
                let found: Vec<u64> = found.into_iter().map(|t| t as u64).collect();
                if found != thread {
                    pairs.insert(if turn { [found, thread.clone()] } else { [thread.clone(), found] });
                }
            }
        }
    }
    in_order(pairs.into_iter().collect())
}

/// The smallest launches first, and of two threads the earlier one first.
fn in_order(mut pairs: Vec<Pair>) -> Vec<Pair> {
    pairs.sort_by_key(|[a, b]| (a.iter().zip(b).map(|(a, b)| a.max(b)).sum::<u64>(), a > b));
    pairs
}

fn threads(rank: u8) -> impl Iterator<Item = Vec<u64>> {
    let side = THREADS[rank as usize];
    (0..side.pow(u32::from(rank))).map(move |n| (0..u32::from(rank)).rev().map(|k| n / side.pow(k) % side).collect())
}
