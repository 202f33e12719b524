//! What atomics on arrays leave in memory, and how far it depends on the order of threads.

use crate::ir::{ArrayId, AtomicKind, Kernel, Mem, Op, Region, Value};

/// What atomics on arrays a kernel has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AtomicUse {
    /// None.
    None,
    /// What they leave in memory does not depend on the order of threads.
    OrderFree,
    /// Exchanges, or old values that somebody wants: who comes first makes a difference.
    Ordered,
    /// Sums of floats, whose last bits depend on the order, and perhaps such as before.
    FloatSums,
}

/// An array to which threads add and with which they do nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summed {
    /// Which.
    pub array: ArrayId,
    /// The leaves of its elements to which they add, each once, in order.
    pub leaves: Vec<u16>,
}

impl AtomicUse {
    /// What a kernel has.
    pub fn of(kernel: &Kernel) -> AtomicUse {
        let used = used(kernel);
        let mut most = AtomicUse::None;
        each_op(&kernel.function.body, &mut |op| {
            if let Op::Atomic { kind, mem: Mem::Array(array), leaf, result, .. } = op {
                let scalar = kernel.function.arrays[array.0 as usize].leaves[*leaf as usize];
                let exchanges = matches!(kind, AtomicKind::Exchange | AtomicKind::CompareExchange);
                most = most.max(match () {
                    () if is_sum(*kind) && scalar.is_float() => AtomicUse::FloatSums,
                    () if exchanges || used[result.0 as usize] => AtomicUse::Ordered,
                    () => AtomicUse::OrderFree,
                });
            }
        });
        most
    }

    /// Whether what a launch leaves depends on the order of its threads.
    pub fn is_ordered(self) -> bool {
        self >= AtomicUse::Ordered
    }
}

/// The arrays to which threads add, where that is all that the kernel does with them, nobody wants what was there before,
/// and the kernel has no atomics beside these. Sums may then be made in memory apart, and be added to the arrays when all
/// threads are through.
pub fn summed(kernel: &Kernel) -> Option<Vec<Summed>> {
    let arrays = &kernel.function.arrays;
    let used = used(kernel);
    let mut leaves = vec![vec![]; arrays.len()];
    let mut otherwise = vec![false; arrays.len()];
    let mut sums_alone = true;
    each_op(&kernel.function.body, &mut |op| match op {
        Op::Atomic { kind, mem: Mem::Array(array), leaf, result, .. } => {
            sums_alone &= is_sum(*kind) && !used[result.0 as usize];
            leaves[array.0 as usize].push(*leaf);
        }
        Op::Load { mem: Mem::Array(array), .. } | Op::Store { mem: Mem::Array(array), .. } => {
            otherwise[array.0 as usize] = true;
        }
        _ => {}
    });
    let mut found = vec![];
    for (number, mut leaves) in leaves.into_iter().enumerate().filter(|(_, leaves)| !leaves.is_empty()) {
        sums_alone &= !otherwise[number];
        leaves.sort_unstable();
        leaves.dedup();
        found.push(Summed { array: ArrayId(number as u32), leaves });
    }
    (sums_alone && !found.is_empty()).then_some(found)
}

fn is_sum(kind: AtomicKind) -> bool {
    matches!(kind, AtomicKind::Add | AtomicKind::Sub)
}

fn each_op(region: &Region, visit: &mut impl FnMut(&Op)) {
    for op in &region.ops {
        visit(op);
        op.shape().regions.into_iter().for_each(|inner| each_op(inner, visit));
    }
}

/// For each value, whether something takes it.
fn used(kernel: &Kernel) -> Vec<bool> {
    let mut used = vec![false; kernel.function.values.len()];
    note_used(&kernel.function.body, &mut used);
    used
}

fn note_used(region: &Region, used: &mut [bool]) {
    let mut note = |value: &Value| used[value.0 as usize] = true;
    region.yields.iter().for_each(&mut note);
    for op in &region.ops {
        let shape = op.shape();
        shape.operands.iter().for_each(|value| used[value.0 as usize] = true);
        shape.regions.into_iter().for_each(|inner| note_used(inner, used));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Builder;
    use crate::ir::{Access, ArrayParam, Scalar, Storage};

    /// A kernel of one thread a place with two arrays of pairs, and what `body` does at that place.
    fn kernel(body: impl FnOnce(&mut Builder, [Mem; 2], Value)) -> Kernel {
        let mut b = Builder::new("k");
        let [p, q] = ["p", "q"].map(|name| {
            let leaves = vec![Scalar::F32, Scalar::I32];
            let access = Access::Write;
            Mem::Array(b.array(ArrayParam {
                name: name.into(),
                leaves,
                rank: 1,
                strided: false,
                access,
                storage: Storage::Elements,
            }))
        });
        let i = b.tid(0);
        body(&mut b, [p, q], i);
        b.finish_kernel(1)
    }

    fn one(b: &mut Builder, scalar: Scalar) -> Value {
        b.const_(scalar, if scalar == Scalar::F32 { u64::from(1f32.to_bits()) } else { 1 })
    }

    fn add(b: &mut Builder, mem: Mem, i: Value, leaf: u16) -> Value {
        let value = one(b, if leaf == 0 { Scalar::F32 } else { Scalar::I32 });
        b.atomic(AtomicKind::Add, mem, i, leaf, value)
    }

    #[test]
    fn sums_alone_are_found_with_their_leaves() {
        let sums = kernel(|b, [p, q], i| {
            add(b, q, i, 1);
            add(b, p, i, 1);
            add(b, p, i, 0);
            add(b, p, i, 1);
        });
        let summed_p = Summed { array: ArrayId(0), leaves: vec![0, 1] };
        let summed_q = Summed { array: ArrayId(1), leaves: vec![1] };
        assert_eq!(summed(&sums), Some(vec![summed_p, summed_q]));
        assert_eq!(AtomicUse::of(&sums), AtomicUse::FloatSums);
        let counts = kernel(|b, [p, _], i| {
            add(b, p, i, 1);
        });
        assert_eq!(AtomicUse::of(&counts), AtomicUse::OrderFree);
    }

    #[test]
    fn who_comes_first_matters_where_old_values_are_taken() {
        let counts = kernel(|b, [p, q], i| {
            let old = add(b, p, i, 1);
            b.store(q, i, 1, old);
        });
        assert_eq!(AtomicUse::of(&counts), AtomicUse::Ordered);
        let exchanges = kernel(|b, [p, _], i| {
            let x = one(b, Scalar::I32);
            b.atomic(AtomicKind::Exchange, p, i, 1, x);
        });
        assert_eq!(AtomicUse::of(&exchanges), AtomicUse::Ordered);
        let most = kernel(|b, [p, _], i| {
            let x = one(b, Scalar::I32);
            b.atomic(AtomicKind::Max, p, i, 1, x);
        });
        assert_eq!(AtomicUse::of(&most), AtomicUse::OrderFree);
    }

    #[test]
    fn anything_else_with_the_array_or_its_old_value_counts_against_it() {
        let none = kernel(|_, _, _| {});
        assert_eq!((summed(&none), AtomicUse::of(&none)), (None, AtomicUse::None));
        let loads = kernel(|b, [p, q], i| {
            add(b, p, i, 0);
            let x = b.load(p, i, 1);
            b.store(q, i, 1, x);
        });
        assert_eq!(summed(&loads), None);
        let stores = kernel(|b, [p, _], i| {
            add(b, p, i, 0);
            let x = one(b, Scalar::I32);
            b.store(p, i, 1, x);
        });
        assert_eq!(summed(&stores), None);
        let old = kernel(|b, [p, q], i| {
            let old = add(b, p, i, 0);
            b.store(q, i, 0, old);
        });
        assert_eq!(summed(&old), None);
        let beside = kernel(|b, [p, q], i| {
            add(b, p, i, 0);
            let x = one(b, Scalar::I32);
            b.atomic(AtomicKind::Max, q, i, 1, x);
        });
        assert_eq!(summed(&beside), None);
    }
}
