//! Sums that threads of the machine make apart: what they are is computed here, stretch by stretch.

use warp_conformance::Rig;
use warp_conformance::rig::{Compiled, source};
use warp_core::backend::How;
use warp_cpu::Cpu;
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::*;

/// Threads of the launches, which leave the last stretch shorter.
const N: usize = 5003;
/// Elements that they add to.
const BINS: usize = 21;
/// Stretches of deterministic launches.
const STRETCHES: usize = 8;

/// How the threads come to their elements.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Slice,
    /// Seven rows of three, with gaps behind elements and rows, rows from the last to the first.
    View,
    Planes,
}

/// Each thread adds its number to a float of its element, and subtracts it from another one; and it adds 1 to an integer
/// between these: `to[place[i]].a += x[i]; to[place[i]].n += 1; to[place[i]].b -= x[i]`. Numbers below 0.2 are only added,
/// also when the launch has them in lanes.
fn kernel(shape: Shape) -> Kernel {
    let mut b = Builder::new("sums");
    let x = b.slice("x", Scalar::F32, Access::Read);
    let place = b.slice("place", Scalar::U64, Access::Read);
    let to = b.array(ArrayParam {
        name: "to".into(),
        leaves: vec![Scalar::F32, Scalar::I32, Scalar::F32, Scalar::F64],
        rank: if let Shape::View = shape { 2 } else { 1 },
        strided: matches!(shape, Shape::View),
        access: Access::Write,
        storage: if let Shape::Planes = shape { Storage::Planes } else { Storage::Elements },
    });
    let (i, at) = (b.tid(0), source(&mut b, "to[place[i]]"));
    b.check_index(Mem::Array(x), 0, i, at);
    b.check_index(Mem::Array(place), 0, i, at);
    let (value, bin) = (b.load(Mem::Array(x), i, 0), b.load(Mem::Array(place), i, 0));
    let element = match shape {
        Shape::View => {
            let three = b.u64(3);
            let (row, column) = (b.pure(Builtin::Div, &[bin, three]), b.pure(Builtin::Rem, &[bin, three]));
            b.check_index(Mem::Array(to), 0, row, at);
            b.check_index(Mem::Array(to), 1, column, at);
            let (down, along) = (b.stride(to, 0), b.stride(to, 1));
            let (down, along) = (b.mul(row, down), b.mul(column, along));
            b.add(down, along)
        }
        _ => {
            b.check_index(Mem::Array(to), 0, bin, at);
            bin
        }
    };
    let (one, limit) = (b.const_(Scalar::I32, 1), b.const_(Scalar::F32, u64::from(0.2f32.to_bits())));
    b.atomic(AtomicKind::Add, Mem::Array(to), element, 0, value);
    b.atomic(AtomicKind::Add, Mem::Array(to), element, 1, one);
    let small = b.lt(value, limit);
    let subtract = |b: &mut Builder| {
        b.atomic(AtomicKind::Sub, Mem::Array(to), element, 2, value);
        vec![]
    };
    b.if_(small, |_| vec![], subtract);
    b.finish_kernel(1)
}

/// What the threads add, and where: nobody adds to the last element.
fn numbers() -> (Vec<f32>, Vec<u64>) {
    let x = (0..N).map(|i| 1.0 / (3.0 + (i * i % 17) as f32)).collect();
    (x, (0..N).map(|i| (i * 7919 % 1009 % (BINS - 1)) as u64).collect())
}

/// An element: the leaf that nobody adds to is last.
type Element = (f32, i32, f32, f64);

const START: Element = (0.1, -5, -0.0, f64::NAN);

/// What the elements hold after threads in so many stretches.
fn expected(x: &[f32], places: &[u64], stretches: usize) -> Vec<Element> {
    let length = match N.div_ceil(stretches) {
        short @ ..64 => short,
        long => long.next_multiple_of(64),
    };
    let mut sums = vec![START; BINS];
    for stretch in 0..stretches {
        let mut own = if stretch == 0 { sums.clone() } else { vec![(-0.0, 0, -0.0, 0.0); BINS] };
        for i in N.min(stretch * length)..N.min((stretch + 1) * length) {
            let (a, n, b, _) = &mut own[places[i] as usize];
            (*a, *n) = (*a + x[i], *n + 1);
            if x[i] >= 0.2 {
                *b -= x[i];
            }
        }
        let join =
            |sum: &mut Element, own: Element| (sum.0, sum.1, sum.2) = (sum.0 + own.0, sum.1 + own.1, sum.2 + own.2);
        match stretch {
            0 => sums = own,
            _ => sums.iter_mut().zip(own).for_each(|(sum, own)| join(sum, own)),
        }
    }
    sums
}

/// What lies in memory where nobody should write.
const GAP: u8 = 0xa5;

/// The bytes of elements of 24 bytes, at a distance of so many bytes.
fn bytes(elements: &[Element], distance: usize) -> Vec<u8> {
    let mut bytes = vec![GAP; elements.len() * distance];
    for ((a, n, b, rest), to) in elements.iter().zip(bytes.chunks_mut(distance)) {
        to[..4].copy_from_slice(&a.to_ne_bytes());
        to[4..8].copy_from_slice(&n.to_ne_bytes());
        to[8..12].copy_from_slice(&b.to_ne_bytes());
        to[16..24].copy_from_slice(&rest.to_ne_bytes());
    }
    bytes
}

/// The rows of a view, last one first, each with two bytes of elements behind it that are not part of it.
fn rows(elements: &[Element]) -> Vec<u8> {
    let row = |row: &[Element]| [bytes(row, 48), vec![GAP; 48]].concat();
    elements.chunks(3).rev().flat_map(row).collect()
}

fn planes(elements: &[Element]) -> [Vec<u8>; 4] {
    let plane = |of: &dyn Fn(&Element) -> Vec<u8>| elements.iter().flat_map(of).collect();
    [
        plane(&|e| e.0.to_ne_bytes().to_vec()),
        plane(&|e| e.1.to_ne_bytes().to_vec()),
        plane(&|e| e.2.to_ne_bytes().to_vec()),
        plane(&|e| e.3.to_ne_bytes().to_vec()),
    ]
}

/// Runs a launch and holds its arrays against `expected`.
fn check(rig: &Rig, compiled: &Compiled, shape: Shape, how: How, stretches: usize) {
    let (x, places) = numbers();
    let (start, expected) = (vec![START; BINS], expected(&x, &places, stretches));
    let (x, places) = (rig.buffer(&x), rig.buffer(&places));
    let ends = |start: Vec<Vec<u8>>, expected: Vec<Vec<u8>>, words: &dyn Fn(&[u64]) -> Vec<u64>| {
        let memory: Vec<_> = start.iter().map(|bytes| rig.buffer(bytes)).collect();
        let addresses: Vec<u64> = memory.iter().map(|memory| memory.address()).collect();
        let words = [&x.words()[..], &places.words(), &words(&addresses)].concat();
        compiled.launch_so(&[N as u64], &words, how).unwrap();
        for (memory, expected) in memory.iter().zip(expected) {
            assert!(memory.read() == expected, "{shape:?} in {stretches} stretches, {how:?}");
        }
    };
    let bins = BINS as u64;
    match shape {
        Shape::Slice => ends(vec![bytes(&start, 24)], vec![bytes(&expected, 24)], &|at| vec![at[0], bins]),
        // Elements of 24 bytes at a distance of 2, rows at a distance of 8 towards the front.
        Shape::View => ends(vec![rows(&start)], vec![rows(&expected)], &|at| {
            vec![at[0] + 6 * 8 * 24, 7, 3, 8u64.wrapping_neg(), 2]
        }),
        Shape::Planes => ends(planes(&start).into(), planes(&expected).into(), &|at| [at, &[bins]].concat()),
    }
}

#[test]
fn launches_on_several_cores_add_in_as_many_stretches() {
    for shape in [Shape::Slice, Shape::View, Shape::Planes] {
        for threads in [1, 2, 3, 7] {
            let eager = || Cpu::with_threads(threads).verifying().eager();
            for backend in [eager(), eager().scalar()] {
                let rig = Rig::new(backend);
                check(&rig, &rig.compile(kernel(shape)), shape, How::default(), threads);
            }
        }
    }
}

#[test]
fn deterministic_launches_add_in_stretches_that_no_machine_changes() {
    let how = How { deterministic: true, ..How::default() };
    for shape in [Shape::Slice, Shape::View, Shape::Planes] {
        for threads in [1, 2, 16] {
            let many = || Cpu::with_threads(threads).verifying();
            for backend in [many(), many().eager().lanes(), many().lanes().side_by_side(4), many().scalar()] {
                let rig = Rig::new(backend);
                let compiled = rig.compile(kernel(shape));
                check(&rig, &compiled, shape, how, STRETCHES);
                check(&rig, &compiled, shape, How { threads: Some(2), ..how }, STRETCHES);
            }
        }
    }
}

#[test]
fn learned_costs_do_not_change_sums() {
    // Long enough for two cores by what is measured, whatever is estimated: all launches have the bits of the first one.
    let (x, places) = numbers();
    let rig = Rig::new(Cpu::with_threads(2).verifying());
    let compiled = rig.compile(kernel(Shape::Slice));
    let (x, places) = (rig.buffer(&x), rig.buffer(&places));
    let sums = |_| {
        let to = rig.buffer(&bytes(&vec![START; BINS], 24));
        let words = [&x.words()[..], &places.words(), &[to.address(), BINS as u64]].concat();
        compiled.launch_so(&[N as u64], &words, How::default()).unwrap();
        to.read()
    };
    let first = sums(0);
    assert!((1..40).map(sums).all(|again| again == first));
}

#[test]
fn no_elements_are_nothing_to_add_to() {
    let how = How { deterministic: true, ..How::default() };
    let rig = Rig::new(Cpu::with_threads(2).verifying().eager());
    let compiled = rig.compile(kernel(Shape::View));
    // Extents whose product alone is too large: each thread stops at its check, and nothing else happens.
    let (x, places) = numbers();
    let (x, places) = (rig.buffer(&x), rig.buffer(&places));
    for extents in [[0, 1 << 47], [1 << 47, 0]] {
        let words = [&x.words()[..], &places.words(), &[64, extents[0], extents[1], 1, 1]].concat();
        assert!(compiled.launch_so(&[N as u64], &words, how).is_err());
    }
}

#[test]
fn memory_without_worth_is_not_taken() {
    // More elements than additions: thread by thread, deterministic or not.
    let (x, places) = numbers();
    let many = 3 * N;
    for how in [How::default(), How { deterministic: true, ..How::default() }] {
        let rig = Rig::new(Cpu::with_threads(2).verifying().eager());
        let compiled = rig.compile(kernel(Shape::Slice));
        let (x, places) = (rig.buffer(&x), rig.buffer(&places));
        let to = rig.buffer(&bytes(&vec![START; many], 24));
        let words = [&x.words()[..], &places.words(), &[to.address(), many as u64]].concat();
        compiled.launch_so(&[N as u64], &words, how).unwrap();
        let (x, places) = numbers();
        let mut all = expected(&x, &places, 1);
        all.resize(many, START);
        assert!(to.read() == bytes(&all, 24), "{how:?}");
    }
}
