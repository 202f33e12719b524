//! Arrays of threads' own in the lanes of vectors: each thread has what it would have alone.

use warp_conformance::Rig;
use warp_conformance::rig::{layout, source};
use warp_core::backend::Program;
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::*;
use warp_ir::planted::{self, Bug};

const TYPES: [Scalar; 12] = [
    Scalar::Bool,
    Scalar::U8,
    Scalar::I16,
    Scalar::U16,
    Scalar::U32,
    Scalar::I32,
    Scalar::U64,
    Scalar::I64,
    Scalar::F16,
    Scalar::F32,
    Scalar::F64,
    Scalar::I8,
];

/// Elements of the small array; the large one is filled by a loop.
const SMALL: u32 = 5;
const LARGE: u32 = 23;

fn cpu(groups: usize) -> Cpu {
    Cpu::with_threads(1).verifying().lanes().side_by_side(groups)
}

/// Each thread writes to an array of `len` elements of its own in as many turns as its number says, at places that are
/// the same for all threads or not, and adds the elements up.
fn kernel(scalar: Scalar, len: u32, varying: bool) -> Kernel {
    let mut b = Builder::new("own");
    let a = b.slice("a", Scalar::U32, Access::Read);
    let out = b.slice("out", Scalar::U32, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
    for each in [a, out] {
        b.check_index(Mem::Array(each), 0, i, at);
    }
    let own = b.local("own", &[Scalar::F32, scalar], len);
    let (nothing, unit) = (b.zero(Scalar::F32), b.const_(Scalar::F32, u64::from(1f32.to_bits())));
    b.fill(own, 0, nothing);
    let turns = b.load(Mem::Array(a), i, 0);
    let one = b.const_(Scalar::U32, 1);
    let odd = b.pure(Builtin::And, &[turns, one]);
    let first = from_bit(&mut b, scalar, odd);
    b.fill(own, 1, first);
    let (zero, most) = (b.zero(Scalar::U32), b.const_(Scalar::U32, len.into()));
    let at = source(&mut b, "own[k]");
    b.loop_(
        &[zero],
        |b, carried| b.lt(carried[0], turns),
        |b, carried| {
            let place = if varying { b.add(carried[0], turns) } else { carried[0] };
            let place = b.pure(Builtin::Rem, &[place, most]);
            let place = b.cast(Scalar::U64, place);
            b.check_index(Mem::Local(own), 0, place, at);
            let old = b.load(Mem::Local(own), place, 1);
            let old = to_bit(b, old);
            let sum = b.add(old, carried[0]);
            let one = b.const_(Scalar::U32, 1);
            let low = b.pure(Builtin::And, &[sum, one]);
            let new = from_bit(b, scalar, low);
            b.store(Mem::Local(own), place, 1, new);
            let writes = b.load(Mem::Local(own), place, 0);
            let writes = b.add(writes, unit);
            b.store(Mem::Local(own), place, 0, writes);
            vec![b.add(carried[0], one)]
        },
    );
    let mut sum = zero;
    for k in 0..len.min(SMALL) {
        let k_th = b.const_(Scalar::U64, u64::from(k));
        b.check_index(Mem::Local(own), 0, k_th, at);
        let element = b.load(Mem::Local(own), k_th, 1);
        let element = to_bit(&mut b, element);
        let weight = b.const_(Scalar::U32, 1 << k);
        let part = b.mul(element, weight);
        sum = b.add(sum, part);
        let writes = b.load(Mem::Local(own), k_th, 0);
        let writes = b.cast(Scalar::U32, writes);
        let weight = b.const_(Scalar::U32, 1000 << k);
        let part = b.mul(writes, weight);
        sum = b.add(sum, part);
    }
    b.store(Mem::Array(out), i, 0, sum);
    b.finish_kernel(1)
}

/// A number that is 0 or 1, as another type.
fn from_bit(b: &mut Builder, scalar: Scalar, bit: Value) -> Value {
    let zero = b.zero(Scalar::U32);
    match scalar {
        Scalar::Bool => b.lt(zero, bit),
        Scalar::F16 => {
            let wide = b.cast(Scalar::F32, bit);
            b.cast(scalar, wide)
        }
        _ => b.cast(scalar, bit),
    }
}

/// And back.
fn to_bit(b: &mut Builder, value: Value) -> Value {
    let value = if b.scalar(value) == Scalar::F16 { b.cast(Scalar::F32, value) } else { value };
    b.cast(Scalar::U32, value)
}

/// The same by a list.
fn expected(turns: u32, len: u32, varying: bool) -> u32 {
    let mut own = vec![turns & 1; len as usize];
    let mut writes = vec![0; len as usize];
    for k in 0..turns {
        let place = if varying { k + turns } else { k } % len;
        own[place as usize] = (own[place as usize] + k) & 1;
        writes[place as usize] += 1;
    }
    (0..len.min(SMALL)).map(|k| (own[k as usize] << k) + ((1000 * writes[k as usize]) << k)).sum()
}

fn works(scalar: Scalar, len: u32, varying: bool, groups: usize, n: usize) -> bool {
    let rig = Rig::new(cpu(groups));
    let compiled = rig.compile(kernel(scalar, len, varying));
    let turns: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).map(|x| x % 31).collect();
    let (input, out) = (rig.buffer(&turns), rig.buffer(&vec![99u32; n]));
    compiled.launch(&[n as u64], &[input.words(), out.words()].concat()).unwrap();
    out.read() == turns.iter().map(|turns| expected(*turns, len, varying)).collect::<Vec<u32>>()
}

fn why_not(kernel: Kernel) -> Option<String> {
    why_not_on(&cpu(2), kernel)
}

fn why_not_on(cpu: &Cpu, kernel: Kernel) -> Option<String> {
    let layouts = kernel.function.arrays.iter().map(|array| layout(&array.leaves)).collect();
    cpu.no_lanes(&Program { kernel, slots: vec![], layouts }).unwrap()
}

#[test]
fn each_thread_has_its_own_elements() {
    for scalar in TYPES {
        for (len, varying) in [(SMALL, false), (SMALL, true), (LARGE, true), (LARGE, false)] {
            assert_eq!(why_not(kernel(scalar, len, varying)), None, "{scalar:?}");
            for (groups, n) in [(1, 1), (1, 3), (1, 4), (1, 5), (1, 7), (1, 203), (2, 8), (2, 203), (3, 13), (3, 1023)]
            {
                assert!(works(scalar, len, varying, groups, n), "{scalar:?}, {len} elements, {groups} groups, {n}");
            }
        }
    }
}

#[test]
fn elements_of_threads_that_have_left_stay() {
    planted::set(Some(Bug::CpuGroupsStoreForAll));
    let works = works(Scalar::F32, SMALL, false, 1, 203);
    planted::set(None);
    assert!(!works);
}

#[test]
fn groups_that_share_an_array_are_found() {
    planted::set(Some(Bug::CpuGroupsShareOwn));
    let works = works(Scalar::F32, SMALL, true, 2, 203);
    planted::set(None);
    assert!(!works);
}

/// 32 bytes an element in a group of four threads, of 16 KiB: as many groups run as find room, and none where one does not.
#[test]
fn arrays_that_are_large_leave_room_for_fewer_groups() {
    let chosen = Cpu::with_threads(1).verifying().lanes();
    for (len, fits) in [(200, true), (500, true), (520, false)] {
        let why = why_not_on(&chosen, kernel(Scalar::F32, len, false));
        assert_eq!(why.is_none(), fits, "{len}: {why:?}");
    }
    assert!(works(Scalar::F32, 500, false, 1, 41));
    let why = why_not(kernel(Scalar::F32, 500, false)).expect("two groups take 32 KiB");
    assert!(why.contains("large arrays"), "{why}");
}

/// An index that is out of range in one thread stops that thread alone.
#[test]
fn a_wrong_index_is_that_of_its_thread() {
    let mut b = Builder::new("wrong");
    let a = b.slice("a", Scalar::U64, Access::Read);
    let out = b.slice("out", Scalar::F32, Access::Write);
    let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
    for each in [a, out] {
        b.check_index(Mem::Array(each), 0, i, at);
    }
    let own = b.local("own", &[Scalar::F32], SMALL);
    let nothing = b.zero(Scalar::F32);
    b.fill(own, 0, nothing);
    let place = b.load(Mem::Array(a), i, 0);
    let at = source(&mut b, "own[a[i]]");
    b.check_index(Mem::Local(own), 0, place, at);
    let one = b.const_(Scalar::F32, u64::from(1f32.to_bits()));
    b.store(Mem::Local(own), place, 0, one);
    let last = b.const_(Scalar::U64, u64::from(SMALL) - 1);
    b.check_index(Mem::Local(own), 0, last, at);
    let is = b.load(Mem::Local(own), last, 0);
    b.store(Mem::Array(out), i, 0, is);
    let kernel = b.finish_kernel(1);
    assert_eq!(why_not(kernel.clone()), None);

    let rig = Rig::new(cpu(2));
    let compiled = rig.compile(kernel);
    let places: Vec<u64> = (0..40).map(|i| if i == 21 { 1 << 40 } else { i % 5 }).collect();
    let (input, out) = (rig.buffer(&places), rig.buffer(&[9f32; 40]));
    assert!(compiled.launch(&[40], &[input.words(), out.words()].concat()).is_err());
    let expected = places.iter().map(|place| if *place > 4 { 9.0 } else { f32::from(u8::from(*place == 4)) });
    assert_eq!(out.read(), expected.collect::<Vec<f32>>());
}

/// Numbers come back with all their bits, from arms that some threads do not take, too.
#[test]
fn all_bits_come_back() {
    for scalar in [Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64, Scalar::I64, Scalar::F32, Scalar::F64] {
        let mut b = Builder::new("bits");
        let a = b.slice("a", scalar, Access::Read);
        let out = b.slice("out", scalar, Access::Write);
        let (i, at) = (b.tid(0), source(&mut b, "a[i]"));
        for each in [a, out] {
            b.check_index(Mem::Array(each), 0, i, at);
        }
        let own = b.local("own", &[scalar], 3);
        let nothing = b.zero(scalar);
        b.fill(own, 0, nothing);
        let is = b.load(Mem::Array(a), i, 0);
        let three = b.const_(Scalar::U64, 3);
        let place = b.pure(Builtin::Rem, &[i, three]);
        let at = source(&mut b, "own[i % 3]");
        b.check_index(Mem::Local(own), 0, place, at);
        b.store(Mem::Local(own), place, 0, is);
        let one = b.const_(Scalar::U64, 1);
        b.check_index(Mem::Local(own), 0, one, at);
        let middle = b.load(Mem::Local(own), one, 0);
        b.store(Mem::Array(out), i, 0, middle);
        let kernel = b.finish_kernel(1);
        assert_eq!(why_not(kernel.clone()), None, "{scalar:?}");

        let rig = Rig::new(cpu(2));
        let compiled = rig.compile(kernel);
        let size = scalar.size();
        // A NaN with a payload, minus zero and noise.
        let mut bytes: Vec<u8> = (0..40 * size as u32).map(|k| (k.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        bytes[size..2 * size].fill(0xff);
        bytes[4 * size..5 * size].fill(0);
        bytes[5 * size - 1] = 0x80;
        let (input, out) = (rig.buffer(&bytes), rig.buffer(&vec![9u8; bytes.len()]));
        let words = |words: [u64; 2]| [words[0], 40];
        let arguments = [words(input.words()), words(out.words())].concat();
        compiled.launch(&[40], &arguments).unwrap();
        let expected: Vec<u8> = (0..40)
            .flat_map(|i| (0..size).map(move |k| (i, k)))
            .map(|(i, k)| if i % 3 == 1 { bytes[i * size + k] } else { 0 })
            .collect();
        assert_eq!(out.read(), expected, "{scalar:?}");
    }
}
