//! Loops and branches.

use warp_ir::builder::Builder;
use warp_ir::ir::{Access, Mem, Scalar};

use crate::rig::{Rig, source};

/// Two loops with a flag each, one after the other, and a condition from outside that is used again afterwards.
pub fn flags_end_loops(rig: &Rig) {
    let mut b = Builder::new("flags");
    let out = b.slice("out", Scalar::U64, Access::Write);
    let (limit, outside) = (b.param("limit", Scalar::U64), b.param("outside", Scalar::Bool));
    let (i, at) = (b.tid(0), source(&mut b, "out[i]"));
    let (zero, one, running) = (b.u64(0), b.u64(1), b.bool(true));
    let search = |b: &mut Builder, start, step: u64| {
        b.loop_(
            &[start, zero, running],
            |b, c| {
                let more = b.lt(c[1], limit);
                b.and(more, c[2])
            },
            |b, c| {
                let step = b.u64(step);
                let next = b.add(c[0], step);
                let turns = b.add(c[1], one);
                let hundred = b.u64(100);
                let beyond = b.lt(hundred, next);
                b.if_(
                    outside,
                    |b| {
                        let stop = b.if_(beyond, |b| vec![b.bool(false)], |b| vec![b.bool(true)]);
                        vec![next, turns, stop[0]]
                    },
                    |b| vec![next, turns, b.bool(true)],
                )
            },
        )
    };
    let first = search(&mut b, i, 3);
    let second = search(&mut b, first[0], 50);
    let turns = b.add(first[1], second[1]);
    let thousand = b.u64(1000);
    let scaled = b.mul(turns, thousand);
    let sum = b.add(scaled, second[0]);
    let extra = b.u64(1 << 40);
    let more = b.add(sum, extra);
    let value = b.select(outside, more, sum);
    b.check_index(Mem::Array(out), 0, i, at);
    b.store(Mem::Array(out), i, 0, value);
    let compiled = rig.compile(b.finish_kernel(1));
    for outside in [false, true] {
        for limit in [0u64, 1, 5, 40, 1000] {
            let out = rig.buffer(&[0u64; 120]);
            let words = [&out.words()[..], &[limit, u64::from(outside)]].concat();
            compiled.launch(&[120], &words).unwrap_or_else(|stop| panic!("{stop:?}"));
            for (i, found) in (0u64..).zip(out.read()) {
                let (first, a) = searched(i, 3, limit, outside);
                let (second, b) = searched(first, 50, limit, outside);
                let expected = 1000 * (a + b) + second + if outside { 1 << 40 } else { 0 };
                assert_eq!(found, expected, "thread {i}, limit {limit}, {outside}");
            }
        }
    }
}

fn searched(start: u64, step: u64, limit: u64, outside: bool) -> (u64, u64) {
    let (mut x, mut turns) = (start, 0);
    while turns < limit {
        x += step;
        turns += 1;
        if outside && x > 100 {
            break;
        }
    }
    (x, turns)
}

/// The steps that a number needs to reach 1, for all numbers below that of the thread.
pub fn loops_nest(rig: &Rig) {
    let mut b = Builder::new("collatz");
    let out = b.slice("out", Scalar::U32, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "out[i]"));
    let (none, one) = (b.const_(Scalar::U32, 0), b.u64(1));
    let sums = b.counted(i, &[none], |b, k, sums| {
        let start = b.add(k, one);
        let path = b.loop_(
            &[start, sums[0]],
            |b, c| b.lt(one, c[0]),
            |b, c| {
                let odd = b.and(c[0], one);
                let zero = b.u64(0);
                let even = b.eq(odd, zero);
                let next = b.if_(
                    even,
                    |b| vec![b.shr(c[0], one)],
                    |b| {
                        let three = b.u64(3);
                        let triple = b.mul(c[0], three);
                        vec![b.add(triple, one)]
                    },
                );
                let step = b.const_(Scalar::U32, 1);
                vec![next[0], b.add(c[1], step)]
            },
        );
        vec![path[1]]
    });
    b.check_index(Mem::Array(out), 0, i, at);
    b.store(Mem::Array(out), i, 0, sums[0]);
    let compiled = rig.compile(b.finish_kernel(1));
    let out = rig.buffer(&[0u32; 60]);
    compiled.launch(&[60], &out.words()).unwrap_or_else(|stop| panic!("{stop:?}"));
    let steps = |start: u64| {
        let (mut x, mut steps) = (start, 0);
        while x > 1 {
            x = if x.is_multiple_of(2) { x / 2 } else { 3 * x + 1 };
            steps += 1;
        }
        steps
    };
    let expected: Vec<u32> = (0..60).map(|i| (1..=i).map(steps).sum()).collect();
    assert_eq!(out.read(), expected);
}

/// Four values out of each arm, crosswise, and a branch inside a branch.
pub fn arms_give_values(rig: &Rig) {
    let mut b = Builder::new("arms");
    let out = b.slice("out", Scalar::I32, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "out[i]"));
    let x = b.cast(Scalar::I32, i);
    let (three, seven, ten) = (b.i32(3), b.i32(7), b.i32(10));
    let (low, middle) = (b.lt(x, three), b.lt(x, seven));
    let arms = b.if_(
        low,
        |_| vec![x, three, seven, ten],
        |b| b.if_(middle, |_| vec![ten, seven, three, x], |_| vec![seven, x, ten, three]),
    );
    let digits = arms.into_iter().reduce(|number, digit| {
        let scaled = b.mul(number, ten);
        b.add(scaled, digit)
    });
    b.check_index(Mem::Array(out), 0, i, at);
    b.store(Mem::Array(out), i, 0, digits.expect("there are four values"));
    let compiled = rig.compile(b.finish_kernel(1));
    let out = rig.buffer(&[0i32; 9]);
    compiled.launch(&[9], &out.words()).unwrap_or_else(|stop| panic!("{stop:?}"));
    let expected = |x: i32| match x {
        ..3 => 1000 * x + 300 + 70 + 10,
        3..7 => 10000 + 700 + 30 + x,
        _ => 7000 + 100 * x + 100 + 3,
    };
    assert_eq!(out.read(), (0..9).map(expected).collect::<Vec<i32>>());
}
