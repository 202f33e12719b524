//! Threads in the lanes of vectors: how many kernels run so, and that nobody can tell but by the clock. That they do what
//! every backend must do is in `conformance.rs`.

use std::cell::Cell;

use warp_conformance::rig::{layout, noise, source};
use warp_conformance::{Rig, agrees};
use warp_core::backend::{LaunchStop, Program};
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::ir::*;
use warp_ir::planted::{self, Bug};
use warp_ir::random;

thread_local! {
    /// How many groups run side by side.
    static GROUPS: Cell<usize> = const { Cell::new(2) };
}

fn cpu() -> Cpu {
    Cpu::with_threads(1).verifying().lanes().side_by_side(GROUPS.get())
}

/// Runs a test with one group of threads at a time, with two, and with three.
fn for_all_bundles(test: impl Fn()) {
    for groups in 1..=3 {
        GROUPS.set(groups);
        test();
    }
}

fn why_not(kernel: Kernel) -> Option<String> {
    let layouts = kernel.function.arrays.iter().map(|array| layout(&array.leaves)).collect();
    cpu().no_lanes(&Program { kernel, slots: vec![], layouts }).unwrap()
}

/// Springs: each thread adds a triple to one element, and takes it from another one.
fn springs() -> Kernel {
    let mut b = Builder::new("springs");
    let ends = b.elements("ends", &[Scalar::U32, Scalar::I32], Access::Read);
    let places = b.elements("places", &[Scalar::F32; 3], Access::Read);
    let sums = b.elements("sums", &[Scalar::F32; 3], Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "ends[i]"));
    b.check_index(Mem::Array(ends), 0, i, at);
    let (from, to) = (b.load(Mem::Array(ends), i, 0), b.load(Mem::Array(ends), i, 1));
    let (from, to) = (b.cast(Scalar::U64, from), b.cast(Scalar::U64, to));
    let at = source(&mut b, "places[from]");
    b.check_index(Mem::Array(places), 0, from, at);
    b.check_index(Mem::Array(places), 0, to, at);
    let pulls: Vec<Value> = (0..3)
        .map(|k| {
            let (a, c) = (b.load(Mem::Array(places), from, k), b.load(Mem::Array(places), to, k));
            b.sub(a, c)
        })
        .collect();
    let at = source(&mut b, "sums[from]");
    for (end, kind) in [(from, AtomicKind::Sub), (to, AtomicKind::Add)] {
        b.check_index(Mem::Array(sums), 0, end, at);
        for (k, pull) in pulls.iter().enumerate() {
            b.atomic(kind, Mem::Array(sums), end, k as u16, *pull);
        }
    }
    b.finish_kernel(1)
}

/// Whether sums over springs are those of one thread after the other, for any number of springs.
fn springs_add_up_in_order() -> bool {
    let rig = Rig::new(cpu());
    let compiled = rig.compile(springs());
    for n in 1..40usize {
        for points in [1usize, 2, 3, 11] {
            let ends: Vec<[u32; 2]> = noise(n as u32, 2 * n)
                .chunks(2)
                .map(|ends| [ends[0], ends[1]].map(|end| end % points as u32))
                .collect();
            let places: Vec<[f32; 3]> =
                noise(7, 3 * points).chunks(3).map(|place| std::array::from_fn(|k| place[k] as f32 / 1e9)).collect();
            let mut expected = vec![[0f32; 3]; points];
            for &[from, to] in &ends {
                let pull: [f32; 3] = std::array::from_fn(|k| places[from as usize][k] - places[to as usize][k]);
                (0..3).for_each(|k| expected[from as usize][k] -= pull[k]);
                (0..3).for_each(|k| expected[to as usize][k] += pull[k]);
            }
            let (ends, places) = (rig.buffer(&ends), rig.buffer(&places));
            let sums = rig.buffer(&vec![[0f32; 3]; points]);
            compiled.launch(&[n as u64], &[ends.words(), places.words(), sums.words()].concat()).unwrap();
            if sums.read() != expected {
                return false;
            }
        }
    }
    true
}

#[test]
fn triples_that_meet_are_added_in_the_order_of_threads() {
    for_all_bundles(|| {
        assert_eq!(why_not(springs()), None);
        assert!(springs_add_up_in_order());
        planted::set(Some(Bug::CpuGroupsWriteBackwards));
        let without_order = springs_add_up_in_order();
        planted::set(None);
        assert!(!without_order);
    });
}

#[test]
fn an_end_that_is_none_stops_its_thread_alone() {
    for_all_bundles(|| {
        let rig = Rig::new(cpu());
        let compiled = rig.compile(springs());
        for (bad, value) in [(5usize, 3u32), (0, u32::MAX), (10, 1 << 31)] {
            let mut ends = vec![[0u32, 1]; 11];
            ends[bad] = [1, value];
            let (ends, places) = (rig.buffer(&ends), rig.buffer(&[[1f32, 2.0, 3.0], [0.0; 3], [0.0; 3]]));
            let sums = rig.buffer(&[[0f32; 3]; 3]);
            let stop = compiled.launch(&[11], &[ends.words(), places.words(), sums.words()].concat()).unwrap_err();
            let LaunchStop::Fault { thread, operands, count, .. } = stop else { panic!("{stop:?}") };
            let seen = value as i32 as i64 as u64;
            assert_eq!((thread, operands[0], count), (bad as u64, (Scalar::U64, seen), 1));
            assert_eq!(sums.read(), [[-10f32, -20.0, -30.0], [10.0, 20.0, 30.0], [0.0; 3]]);
        }
    });
}

/// Threads go two ways, which write to different leaves.
fn parting() -> Kernel {
    let mut b = Builder::new("parting");
    let a = b.slice("a", Scalar::U32, Access::Read);
    let out = b.elements("out", &[Scalar::U32, Scalar::F32], Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
    b.check_index(Mem::Array(a), 0, i, at);
    b.check_index(Mem::Array(out), 0, i, at);
    let x = b.load(Mem::Array(a), i, 0);
    let (mask, zero) = (b.const_(Scalar::U32, 15), b.zero(Scalar::U32));
    let low = b.pure(warp_ir::builtins::Builtin::And, &[x, mask]);
    let rare = b.eq(low, zero);
    let (then, otherwise) = (b.const_(Scalar::U32, 77), b.add(x, mask));
    b.if_(
        rare,
        |b| {
            b.store(Mem::Array(out), i, 0, then);
            vec![]
        },
        |b| {
            let root = b.cast(Scalar::F32, x);
            b.store(Mem::Array(out), i, 0, otherwise);
            b.store(Mem::Array(out), i, 1, root);
            vec![]
        },
    );
    b.finish_kernel(1)
}

#[test]
fn groups_whose_threads_part_do_what_each_would() {
    for_all_bundles(|| {
        assert_eq!(why_not(parting()), None);
        let rig = Rig::new(cpu());
        let compiled = rig.compile(parting());
        for n in (1..30).chain([1000, 4001]) {
            // Where some are rare, and where runs of threads go the same way.
            for run in [1usize, 3, 64] {
                let some = noise(n as u32, n);
                let a: Vec<u32> = (0..n).map(|i| some[i / run] & !3).collect();
                let (input, out) = (rig.buffer(&a), rig.buffer(&vec![[5u32, 6]; n]));
                compiled.launch(&[n as u64], &[input.words(), out.words()].concat()).unwrap();
                let expected: Vec<[u32; 2]> = a
                    .iter()
                    .map(|x| if x & 15 == 0 { [77, 6] } else { [x.wrapping_add(15), (*x as f32).to_bits()] })
                    .collect();
                assert_eq!(out.read(), expected, "{n} threads in runs of {run}");
            }
        }
    });
}

/// A place in a table that a truth of each thread and one of all hold in range together.
#[test]
fn a_table_is_read_behind_its_checks() {
    for_all_bundles(|| {
        let mut b = Builder::new("table");
        let x = b.slice("x", Scalar::U32, Access::Read);
        let out = b.slice("out", Scalar::U32, Access::Write);
        let place = b.param("place", Scalar::U64);
        let table = b.table(Scalar::U32, vec![10, 11, 12, 13]);
        let (i, at) = (b.tid(0), source(&mut b, "table[place]"));
        b.check_index(Mem::Array(x), 0, i, at);
        b.check_index(Mem::Array(out), 0, i, at);
        let v = b.load(Mem::Array(x), i, 0);
        let (five, four) = (b.const_(Scalar::U32, 5), b.u64(4));
        let (low, inside) = (b.lt(v, five), b.lt(place, four));
        let both = b.and(low, inside);
        b.check(both, CheckKind::Assert { message: vec![] }, &[], at);
        let found = b.lookup(table, place);
        b.store(Mem::Array(out), i, 0, found);
        let kernel = b.finish_kernel(1);
        assert_eq!(why_not(kernel.clone()), None);

        let rig = Rig::new(cpu());
        let compiled = rig.compile(kernel);
        let (x, out) = (rig.buffer(&[4u32; 9]), rig.buffer(&[0u32; 9]));
        let launch = |place: u64| {
            let words = [&x.words()[..], &out.words()[..], &[place]].concat();
            compiled.launch(&[9], &words)
        };
        launch(3).unwrap();
        assert_eq!(out.read(), [13; 9]);
        let LaunchStop::Fault { thread, count, .. } = launch(1 << 40).unwrap_err() else {
            panic!("it is out of range")
        };
        assert_eq!((thread, count), (0, 9));
    });
}

/// Truths of each thread that are made of both of the last two, so often that no tree of them would fit a machine.
#[test]
fn truths_of_truths_stay_small() {
    for_all_bundles(|| {
        const STEPS: usize = 40;
        let mut b = Builder::new("truths");
        let out = b.slice("out", Scalar::U32, Access::Write);
        let (first, second) = (b.param("first", Scalar::U64), b.param("second", Scalar::U64));
        let (i, at) = (b.tid(0), source(&mut b, "out[i]"));
        b.check_index(Mem::Array(out), 0, i, at);
        let four = b.u64(4);
        let (p, q) = (b.lt(first, four), b.lt(second, four));
        let (mut e, mut f) = (b.lt(i, first), b.lt(i, second));
        for k in 0..STEPS {
            let (both, other) = (b.and(e, p), b.and(f, q));
            let (either, another) = (b.or(both, f), b.or(other, e));
            (e, f) = (either, if k % 3 == 0 { b.not(another) } else { another });
        }
        let truth = b.and(e, f);
        let bits = b.cast(Scalar::U32, truth);
        b.store(Mem::Array(out), i, 0, bits);
        let kernel = b.finish_kernel(1);
        assert_eq!(why_not(kernel.clone()), None);

        let rig = Rig::new(cpu());
        let compiled = rig.compile(kernel);
        for (first, second) in [(3u64, 20u64), (20, 3), (3, 2), (7, 30)] {
            let out = rig.buffer(&[9u32; 23]);
            compiled.launch(&[23], &[&out.words()[..], &[first, second]].concat()).unwrap();
            let truth = |i: u64| {
                let (p, q) = (first < 4, second < 4);
                let (mut e, mut f) = (i < first, i < second);
                for k in 0..STEPS {
                    let (either, another) = ((e && p) || f, (f && q) || e);
                    (e, f) = (either, another ^ (k % 3 == 0));
                }
                u32::from(e && f)
            };
            assert_eq!(out.read(), std::array::from_fn::<u32, 23, _>(|i| truth(i as u64)), "{first}, {second}");
        }
    });
}

/// Each thread takes as many turns as an array says, adds what it finds, and faults where there is nothing more.
fn turns() -> Kernel {
    let mut b = Builder::new("turns");
    let counts = b.slice("counts", Scalar::U32, Access::Read);
    let a = b.slice("a", Scalar::F32, Access::Read);
    let out = b.elements("out", &[Scalar::F32, Scalar::U32], Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
    b.check_index(Mem::Array(counts), 0, i, at);
    let count = b.load(Mem::Array(counts), i, 0);
    let (zero, none, sum) = (b.zero(Scalar::U32), b.zero(Scalar::F32), b.zero(Scalar::F32));
    let results = b.loop_(
        &[zero, sum],
        |b, carried| b.lt(carried[0], count),
        |b, carried| {
            let index = b.cast(Scalar::U64, carried[0]);
            b.check_index(Mem::Array(a), 0, index, at);
            let x = b.load(Mem::Array(a), index, 0);
            // Only half of them count.
            let above = b.lt(none, x);
            let added = b.if_(
                above,
                |b| {
                    let other = b.load(Mem::Array(a), index, 0);
                    vec![b.add(carried[1], other)]
                },
                |_| vec![carried[1]],
            );
            let one = b.const_(Scalar::U32, 1);
            vec![b.add(carried[0], one), added[0]]
        },
    );
    b.check_index(Mem::Array(out), 0, i, at);
    b.store(Mem::Array(out), i, 0, results[1]);
    b.store(Mem::Array(out), i, 1, results[0]);
    b.finish_kernel(1)
}

#[test]
fn threads_leave_loops_at_different_turns() {
    for_all_bundles(|| {
        assert_eq!(why_not(turns()), None);
        let rig = Rig::new(cpu());
        let compiled = rig.compile(turns());
        let a: Vec<f32> = noise(3, 20).iter().map(|x| *x as i32 as f32 / 1e8).collect();
        for n in 1..30usize {
            for most in [1u32, 3, 20, 21] {
                let counts: Vec<u32> = noise(n as u32, n).iter().map(|x| x % (most + 1)).collect();
                let (input, list, out) = (rig.buffer(&counts), rig.buffer(&a), rig.buffer(&vec![[0u32; 2]; n]));
                let outcome = compiled.launch(&[n as u64], &[input.words(), list.words(), out.words()].concat());
                let bad = counts.iter().filter(|count| **count > 20).count() as u64;
                match outcome {
                    Ok(()) => assert_eq!(bad, 0),
                    Err(LaunchStop::Fault { thread, count, .. }) => {
                        assert_eq!((Some(thread as usize), count), (counts.iter().position(|count| *count > 20), bad));
                    }
                    Err(stop) => panic!("{stop:?}"),
                }
                let found = out.read();
                for (k, count) in counts.iter().enumerate().filter(|(_, count)| **count <= 20) {
                    let sum = a[..*count as usize].iter().filter(|x| **x > 0.0).fold(0f32, |sum, x| sum + x);
                    assert_eq!(found[k], [sum.to_bits(), *count], "thread {k} of {n}, {count} turns");
                }
            }
        }
    });
}

/// Launches that are long enough for a trial of both ways have the results of either, time and again.
#[test]
fn trials_leave_results_alone() {
    const N: usize = 20_000;
    for backend in [Cpu::with_threads(1).verifying(), Cpu::with_threads(3).verifying().eager()] {
        let rig = Rig::new(backend);
        let compiled = rig.compile(turns());
        let a: Vec<f32> = noise(3, 400).iter().map(|x| *x as i32 as f32 / 1e8).collect();
        // Hardly any thread takes many turns, at first; then many do.
        for rarity in [64, 1] {
            let counts: Vec<u32> = noise(5, N).iter().map(|x| if x % rarity == 0 { x % 400 } else { x % 3 }).collect();
            let expected: Vec<[u32; 2]> = counts
                .iter()
                .map(|count| {
                    let sum = a[..*count as usize].iter().filter(|x| **x > 0.0).fold(0f32, |sum, x| sum + x);
                    [sum.to_bits(), *count]
                })
                .collect();
            for _ in 0..6 {
                let (input, list, out) = (rig.buffer(&counts), rig.buffer(&a), rig.buffer(&vec![[0u32; 2]; N]));
                compiled.launch(&[N as u64], &[input.words(), list.words(), out.words()].concat()).unwrap();
                assert_eq!(out.read(), expected);
            }
        }
    }
}

/// Of random kernels, most of which have prints or old values of atomics.
#[test]
fn many_random_kernels_run_in_lanes() {
    let taken = |seed: u64| {
        let kernel = random::kernel(seed);
        let inputs = random::inputs(&kernel, seed);
        let layouts = kernel.function.arrays.iter().zip(&inputs.arrays).map(|(param, array)| match param.storage {
            Storage::Planes => layout(&param.leaves),
            Storage::Elements => warp_core::backend::ElementLayout {
                size: array.layout.size,
                align: 1,
                offsets: array.layout.offsets.clone(),
            },
        });
        let program = Program { layouts: layouts.collect(), slots: inputs.slots.clone(), kernel: (*kernel).clone() };
        cpu().no_lanes(&program).unwrap().is_none()
    };
    let taken = (0..400).filter(|seed| taken(*seed)).count();
    assert!(taken > 130, "{taken} of 400");
}

#[test]
fn planted_bugs_of_groups_are_found() {
    // Of more groups, the first bug would write far beyond the memory that tests keep around arrays.
    GROUPS.set(1);
    let rig = Rig::new(cpu());
    let found = |bug: Bug| {
        (0..20_000).find(|&seed| {
            let kernel = random::kernel(seed);
            planted::set(Some(bug));
            let with = agrees(&rig, &kernel, seed, 1);
            planted::set(None);
            with.is_err() && agrees(&rig, &kernel, seed, 1).is_ok()
        })
    };
    let bugs = [
        Bug::CpuGroupsSkipChecks,
        Bug::CpuGroupsFollowTheFirst,
        Bug::CpuGroupsForgetWrites,
        Bug::CpuGroupsForgetTheTail,
        Bug::CpuGroupsForgetLeavers,
        Bug::CpuGroupsMixArms,
        Bug::CpuGroupsSkipOneOfTheTail,
    ];
    let missed: Vec<Bug> = bugs.into_iter().filter(|&bug| found(bug).is_none()).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}
