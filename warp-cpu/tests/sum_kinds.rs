//! Sums that threads of the machine make apart, of all kinds: types of numbers, dimensions of launches, several arrays, and
//! what else the threads do meanwhile. What they are is computed here, stretch by stretch.

use bytemuck::{Pod, Zeroable};
use warp_conformance::Rig;
use warp_conformance::rig::{Compiled, Line, Lines, number, source};
use warp_core::backend::{Call, How, LaunchStop};
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::*;

/// The launches, of 5005 threads each.
const LAUNCHES: [&[u64]; 4] = [&[5005], &[385, 13], &[35, 11, 13], &[7, 5, 11, 13]];
const N: usize = 5005;
/// Elements that they add to.
const BINS: usize = 21;
/// Stretches of deterministic launches.
const STRETCHES: usize = 8;
/// Threads between those that print.
const PRINTS: usize = 700;

/// Numbers of all types, and one that nobody adds to.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default, Pod, Zeroable)]
struct Numbers {
    f64: f64,
    i64: i64,
    u64: u64,
    f32: f32,
    i32: i32,
    u16: u16,
    i16: i16,
    u8: u8,
    i8: i8,
    rest: u16,
}

const LEAVES: [Scalar; 10] = [
    Scalar::F64,
    Scalar::I64,
    Scalar::U64,
    Scalar::F32,
    Scalar::I32,
    Scalar::U16,
    Scalar::I16,
    Scalar::U8,
    Scalar::I8,
    Scalar::U16,
];

impl Numbers {
    /// What changes none of them.
    const NOTHING: Numbers =
        Numbers { f64: -0.0, f32: -0.0, i64: 0, u64: 0, i32: 0, u16: 0, i16: 0, u8: 0, i8: 0, rest: 0 };

    /// Each but the rest and one more.
    fn plus(self, other: Numbers) -> Numbers {
        Numbers {
            f64: self.f64 + other.f64,
            i64: self.i64.wrapping_add(other.i64),
            u64: self.u64.wrapping_add(other.u64),
            f32: self.f32 + other.f32,
            i32: self.i32.wrapping_add(other.i32),
            u16: self.u16.wrapping_add(other.u16),
            i16: self.i16.wrapping_add(other.i16),
            u8: self.u8.wrapping_add(other.u8),
            i8: self.i8.wrapping_add(other.i8),
            rest: self.rest,
        }
    }

    fn bits(&self) -> &[u8] {
        bytemuck::bytes_of(self)
    }

    /// Large and small ones of both signs, that differ from thread to thread.
    fn of(thread: usize) -> Numbers {
        let noise = (thread as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let fraction = 1.0 / (3.0 + (thread * thread % 17) as f64);
        Numbers {
            f64: fraction - 0.2,
            i64: noise as i64,
            u64: noise.rotate_left(7),
            f32: fraction as f32,
            i32: noise as i32,
            u16: (noise >> 3) as u16,
            i16: (noise >> 5) as i16,
            u8: (noise >> 7) as u8,
            i8: (noise >> 9) as i8,
            rest: 1,
        }
    }
}

/// Each thread adds its numbers to an element: `to[place[n]] += from[n]`. Some print their number.
fn kernel(dims: &[u64]) -> Kernel {
    let mut b = Builder::new("sums");
    let (from, place) = (b.elements("from", &LEAVES, Access::Read), b.slice("place", Scalar::U64, Access::Read));
    let to = b.elements("to", &LEAVES, Access::Write);
    let (n, at) = (number(&mut b, dims), source(&mut b, "to[place[n]]"));
    b.check_index(Mem::Array(from), 0, n, at);
    b.check_index(Mem::Array(place), 0, n, at);
    let bin = b.load(Mem::Array(place), n, 0);
    b.check_index(Mem::Array(to), 0, bin, at);
    for leaf in 0..9 {
        let value = b.load(Mem::Array(from), n, leaf);
        b.atomic(AtomicKind::Add, Mem::Array(to), bin, leaf, value);
    }
    b.finish_kernel(dims.len() as u8)
}

/// As `kernel`, of one dimension and one float, where one of `PRINTS` threads prints its number.
fn printing_kernel() -> Kernel {
    let mut b = Builder::new("printing");
    let pieces = vec![PrintPiece::Arg { scalar: Scalar::U64, spec: String::new() }];
    let site = b.print_site(PrintSite { pieces, newline: true });
    let (from, place) = (b.elements("from", &LEAVES, Access::Read), b.slice("place", Scalar::U64, Access::Read));
    let to = b.elements("to", &LEAVES, Access::Write);
    let (n, at) = (b.tid(0), source(&mut b, "to[place[n]]"));
    b.check_index(Mem::Array(from), 0, n, at);
    b.check_index(Mem::Array(place), 0, n, at);
    let (bin, value) = (b.load(Mem::Array(place), n, 0), b.load(Mem::Array(from), n, 0));
    let (some, zero) = (b.u64(PRINTS as u64), b.u64(0));
    let rest = b.pure(Builtin::Rem, &[n, some]);
    let speaks = b.eq(rest, zero);
    b.if_then(speaks, |b| b.print(site, &[n]));
    b.check_index(Mem::Array(to), 0, bin, at);
    b.atomic(AtomicKind::Add, Mem::Array(to), bin, 0, value);
    b.finish_kernel(1)
}

/// Where the threads add: nobody to the last element.
fn places() -> Vec<u64> {
    (0..N).map(|i| (i * 7919 % 1009 % (BINS - 1)) as u64).collect()
}

/// What elements hold after threads in so many stretches; those without a place add nothing.
fn expected(
    start: &[Numbers],
    places: &[u64],
    stretches: usize,
    add: impl Fn(Numbers, usize) -> Numbers,
) -> Vec<Numbers> {
    let length = match N.div_ceil(stretches) {
        short @ ..64 => short,
        long => long.next_multiple_of(64),
    };
    let mut sums = start.to_vec();
    for stretch in 0..stretches {
        let mut own = if stretch == 0 { sums.clone() } else { vec![Numbers::NOTHING; start.len()] };
        for (i, place) in places.iter().enumerate().skip(stretch * length).take(length) {
            if let Some(sum) = own.get_mut(*place as usize) {
                *sum = add(*sum, i);
            }
        }
        match stretch {
            0 => sums = own,
            _ => sums.iter_mut().zip(own).for_each(|(sum, own)| *sum = sum.plus(own)),
        }
    }
    sums
}

fn start() -> Vec<Numbers> {
    (0..BINS).map(|k| Numbers { rest: 0xa5a5, f64: 0.1, ..Numbers::of(k + N) }).collect()
}

/// Whether memory holds these, bit for bit.
fn same(found: &[Numbers], expected: &[Numbers]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| a.bits() == b.bits())
}

/// How launches are made, with the stretches of each.
fn ways() -> Vec<(Cpu, How, usize)> {
    let deterministic = How { deterministic: true, ..How::default() };
    let cpu = |threads| Cpu::with_threads(threads).verifying().eager();
    let mut ways = vec![];
    for threads in [1, 2, 3, 7] {
        ways.extend([(cpu(threads), How::default(), threads), (cpu(threads).scalar(), How::default(), threads)]);
        ways.extend([(cpu(threads).lanes(), How::default(), threads), (cpu(threads), deterministic, STRETCHES)]);
        ways.push((cpu(threads).lanes().side_by_side(3), deterministic, STRETCHES));
    }
    ways
}

/// A launch of a kernel on these elements; gives what it ends with, what they hold then, and the lines that it printed.
fn launch(
    rig: &Rig,
    compiled: &Compiled,
    dims: &[u64],
    places: &[u64],
    how: How,
) -> (Result<(), LaunchStop>, Vec<Numbers>, Vec<Line>) {
    let from: Vec<Numbers> = (0..N).map(Numbers::of).collect();
    let (from, places, to) = (rig.buffer(&from), rig.buffer(places), rig.buffer(&start()));
    let words = [from.words(), places.words(), to.words()].concat();
    let lines = Lines::default();
    let outcome = compiled.call(&Call { words: &words, dims, how, printer: &lines, queued: None });
    let mut lines = lines.0.into_inner().unwrap();
    lines.sort();
    (outcome, to.read(), lines)
}

#[test]
fn all_types_are_added_in_launches_of_all_dimensions() {
    let places = places();
    for (cpu, how, stretches) in ways() {
        let rig = Rig::new(cpu);
        let sums = expected(&start(), &places, stretches, |sum, i| sum.plus(Numbers::of(i)));
        for dims in LAUNCHES {
            let (outcome, found, _) = launch(&rig, &rig.compile(kernel(dims)), dims, &places, how);
            assert!(outcome.is_ok());
            assert!(same(&found, &sums), "{dims:?}, {how:?}, {stretches} stretches: {found:?}, not {sums:?}");
        }
    }
}

#[test]
fn what_threads_print_is_told_once() {
    let places = places();
    let told: Vec<_> = (0..N as u64).step_by(PRINTS).map(|n| (n, vec![n])).collect();
    for (cpu, how, stretches) in ways() {
        let rig = Rig::new(cpu);
        let f64 = |sum: Numbers, i| Numbers { f64: sum.f64 + Numbers::of(i).f64, ..sum };
        let sums = expected(&start(), &places, stretches, f64);
        let (outcome, found, lines) = launch(&rig, &rig.compile(printing_kernel()), &[N as u64], &places, how);
        assert!(outcome.is_ok());
        assert_eq!(lines, told, "{how:?}, {stretches} stretches");
        assert!(same(&found, &sums), "{how:?}, {stretches} stretches");
    }
}

#[test]
fn threads_that_fail_add_nothing_and_are_told() {
    let mut places = places();
    for thread in [64, 3000, N - 1] {
        places[thread] = BINS as u64;
    }
    for (cpu, how, stretches) in ways() {
        let rig = Rig::new(cpu);
        let sums = expected(&start(), &places, stretches, |sum, i| sum.plus(Numbers::of(i)));
        for dims in LAUNCHES {
            let (outcome, found, _) = launch(&rig, &rig.compile(kernel(dims)), dims, &places, how);
            let Err(LaunchStop::Fault { thread, count, .. }) = outcome else { panic!("{outcome:?}") };
            assert_eq!((thread, count), (64, 3), "{dims:?}, {how:?}, {stretches} stretches");
            assert!(same(&found, &sums), "{dims:?}, {how:?}, {stretches} stretches");
        }
    }
}

/// `a[place[n]] += from[n]; b[n % len(b)] += from[n]`, of the 64-bit numbers.
fn two_targets() -> Kernel {
    let mut b = Builder::new("two");
    let (from, place) = (b.elements("from", &LEAVES, Access::Read), b.slice("place", Scalar::U64, Access::Read));
    let [one, other] = ["one", "other"].map(|name| b.elements(name, &LEAVES, Access::Write));
    let (n, at) = (b.tid(0), source(&mut b, "one[place[n]]"));
    b.check_index(Mem::Array(from), 0, n, at);
    b.check_index(Mem::Array(place), 0, n, at);
    let bin = b.load(Mem::Array(place), n, 0);
    let bins = b.u64(BINS as u64);
    let next = b.pure(Builtin::Rem, &[n, bins]);
    b.check_index(Mem::Array(one), 0, bin, at);
    b.check_index(Mem::Array(other), 0, next, at);
    for leaf in 0..2 {
        let value = b.load(Mem::Array(from), n, leaf);
        b.atomic(AtomicKind::Add, Mem::Array(one), bin, leaf, value);
        b.atomic(AtomicKind::Sub, Mem::Array(other), next, leaf, value);
    }
    b.finish_kernel(1)
}

#[test]
fn two_arrays_may_be_one() {
    let places = places();
    // Floats that are whole: their sums do not depend on the order.
    let number = |i: usize| Numbers { f64: (i * i % 1000) as f64, ..Numbers::of(i) };
    let mut sums = start();
    sums.iter_mut().for_each(|sum| sum.f64 = 7.0);
    let start = sums.clone();
    for (i, place) in places.iter().enumerate() {
        let sum = &mut sums[*place as usize];
        (sum.f64, sum.i64) = (sum.f64 + number(i).f64, sum.i64.wrapping_add(number(i).i64));
        let sum = &mut sums[i % BINS];
        (sum.f64, sum.i64) = (sum.f64 - number(i).f64, sum.i64.wrapping_sub(number(i).i64));
    }
    let from: Vec<Numbers> = (0..N).map(number).collect();
    for (cpu, how, stretches) in ways() {
        let rig = Rig::new(cpu);
        let compiled = rig.compile(two_targets());
        let (from, places, to) = (rig.buffer(&from), rig.buffer(&places), rig.buffer(&start));
        let words = [from.words(), places.words(), to.words(), to.words()].concat();
        compiled.launch_so(&[N as u64], &words, how).unwrap();
        assert!(same(&to.read(), &sums), "{how:?}, {stretches} stretches");
    }
}
