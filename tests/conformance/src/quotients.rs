//! Divisions and square roots of floats close to each other, which a backend may run in one instruction.

use warp_ir::builder::Builder;
use warp_ir::ir::Scalar::{self, F32, F64};
use warp_ir::ir::{Access, Kernel, Mem, Value};
use warp_ir::random::{Rng, edges};

use crate::rig::{Rig, source};
use crate::scalars::{pack, ulps, unpack};

/// An op on the values so far: inputs have the numbers 0 to 5, the results of the steps those from 6 on.
#[derive(Clone, Copy, Debug)]
enum Step {
    Quotient(usize, usize),
    Root(usize),
    Product(usize, usize),
    /// The value as the other float type.
    Other(usize),
    Sum(usize, usize),
    /// The first value, or zero where it is NaN and the second one is zero: the guard of gradients.
    Guarded(usize, usize),
}
use Step::*;

const INPUTS: usize = 6;
const THREADS: usize = 4000;

/// Divisors that are one value, all of them or some, first or later; dividends that are one value.
pub fn with_a_shared_divisor(rig: &Rig) {
    compare(rig, &[Quotient(0, 3), Quotient(1, 3), Quotient(2, 3)]);
    compare(rig, &[Quotient(0, 3), Quotient(1, 3), Quotient(2, 3), Quotient(4, 3)]);
    compare(rig, &[Quotient(0, 1), Quotient(2, 3), Quotient(4, 1), Quotient(5, 3)]);
    compare(rig, &[Quotient(0, 1), Quotient(2, 3), Quotient(4, 3), Quotient(5, 3)]);
    compare(rig, &[Quotient(0, 3), Quotient(0, 4), Quotient(0, 5)]);
    compare(rig, &[Quotient(0, 0), Quotient(1, 1), Quotient(0, 1), Quotient(1, 0)]);
}

/// Divisors of their own: too few to share an instruction, as many as fit, and more.
pub fn with_divisors_of_their_own(rig: &Rig) {
    let all = [(0, 3), (1, 4), (2, 5), (3, 0), (4, 1), (5, 2), (0, 5), (5, 0), (1, 3)];
    for count in 1..=all.len() {
        let quotients: Vec<Step> = all[..count].iter().map(|(a, b)| Quotient(*a, *b)).collect();
        compare(rig, &quotients);
    }
}

/// Square roots alone, and among divisions.
pub fn roots(rig: &Rig) {
    for count in 1..=INPUTS {
        let roots: Vec<Step> = (0..count).map(Root).collect();
        compare(rig, &roots);
    }
    compare(rig, &[Root(0), Quotient(1, 0), Root(2), Quotient(3, 2), Root(4), Quotient(5, 4)]);
}

/// Divisions and roots that wait for each other.
pub fn that_depend_on_each_other(rig: &Rig) {
    // A chain, by the dividend and by the divisor.
    compare(rig, &[Quotient(0, 1), Quotient(6, 2), Quotient(7, 3), Quotient(8, 4)]);
    compare(rig, &[Quotient(0, 1), Quotient(2, 6), Quotient(3, 7), Quotient(4, 8)]);
    // The third needs the first, the fifth the second.
    compare(rig, &[Quotient(0, 1), Quotient(2, 1), Quotient(6, 1), Quotient(3, 1), Quotient(7, 4), Quotient(5, 1)]);
    compare(rig, &[Root(0), Root(6), Root(1), Root(8), Root(2), Root(10)]);
    // Lengths, and what is divided by them.
    compare(rig, &[Root(0), Root(1), Root(2), Quotient(3, 6), Quotient(4, 7), Quotient(5, 8)]);
    compare(rig, &[Root(0), Quotient(1, 6), Quotient(2, 6), Quotient(3, 6)]);
    compare(rig, &[Quotient(0, 3), Quotient(1, 3), Quotient(2, 3), Root(6), Root(7), Root(8)]);
}

/// Other ops between, which need a quotient or which a quotient needs.
pub fn with_other_ops_between(rig: &Rig) {
    compare(rig, &[Quotient(0, 3), Product(0, 1), Quotient(7, 3), Product(6, 2), Quotient(1, 4), Quotient(9, 5)]);
    compare(rig, &[Product(0, 1), Quotient(6, 2), Product(6, 3), Quotient(8, 4), Product(8, 6), Quotient(10, 5)]);
    // More ops between than anyone looks ahead.
    let mut far = vec![Quotient(0, 3)];
    far.extend((0..40).map(|k| Product(k % INPUTS, INPUTS + k)));
    far.extend([Quotient(1, 4), Quotient(2, 5), Quotient(20, 3)]);
    compare(rig, &far);
}

/// Divisions and roots of both widths in turn.
pub fn of_both_widths(rig: &Rig) {
    let wide = [Other(0), Other(1), Other(2)];
    let in_turn = [Quotient(0, 3), Quotient(6, 7), Quotient(1, 4), Quotient(7, 8), Quotient(2, 5), Quotient(8, 6)];
    compare(rig, &[&wide[..], &in_turn].concat());
    compare(rig, &[&wide[..], &[Root(0), Root(6), Root(1), Root(7), Root(2), Root(8)]].concat());
    // Each narrow one needs a wide one before it.
    compare(rig, &[Other(0), Quotient(0, 1), Quotient(6, 6), Other(8), Quotient(9, 2), Quotient(3, 1), Quotient(4, 1)]);
}

/// Guards among them, which a backend may test together: of numbers that are made of each other and that are not, of both
/// widths, used at once and later.
pub fn with_guards(rig: &Rig) {
    compare(rig, &[Guarded(0, 1), Guarded(2, 3)]);
    compare(rig, &[Guarded(0, 1), Guarded(0, 2), Guarded(1, 0)]);
    compare(rig, &[Quotient(0, 3), Guarded(6, 0), Quotient(1, 3), Guarded(8, 1), Quotient(2, 3), Guarded(10, 2)]);
    let row = [Quotient(0, 3), Product(6, 4), Guarded(6, 0), Guarded(7, 0), Sum(8, 5), Product(10, 9)];
    compare(rig, &[&row[..], &[Guarded(11, 1), Guarded(10, 2), Sum(12, 13), Quotient(14, 9)]].concat());
    compare(rig, &[Other(0), Guarded(6, 1), Guarded(2, 6), Product(7, 6), Guarded(9, 8), Root(10), Guarded(11, 7)]);
    // One guard is an op between divisions, and so does not wait for the others of its number.
    let row = [Quotient(0, 3), Guarded(6, 0), Guarded(1, 2), Quotient(4, 3), Quotient(5, 3)];
    compare(rig, &[&row[..], &[Product(2, 2), Guarded(1, 11), Sum(8, 2), Guarded(13, 0)]].concat());
    // More than one stretch holds.
    let chain = (0..60)
        .map(|k| if k % 2 == 0 { Product(k % INPUTS, INPUTS + k - 1) } else { Guarded(INPUTS + k - 1, k % INPUTS) });
    compare(rig, &[&[Product(0, 1)][..], &chain.skip(1).collect::<Vec<_>>()].concat());
}

fn compare(rig: &Rig, steps: &[Step]) {
    [F32, F64].into_iter().for_each(|scalar| compare_in(rig, scalar, steps));
}

fn compare_in(rig: &Rig, scalar: Scalar, steps: &[Step]) {
    let (columns, types) = (inputs(scalar), types(scalar, steps));
    let compiled = rig.compile(kernel(scalar, steps, &types));
    let given: Vec<_> = columns.iter().map(|column| rig.buffer(&pack(scalar, column))).collect();
    let outs: Vec<_> = types.iter().map(|ty| rig.buffer(&vec![0u8; THREADS * ty.size()])).collect();
    let n = THREADS as u64;
    let words: Vec<u64> = given.iter().chain(&outs).flat_map(|buffer| [buffer.address(), n]).collect();
    compiled.launch(&[n], &words).unwrap_or_else(|stop| panic!("{stop:?}"));
    let found: Vec<Vec<u64>> = outs.iter().zip(&types).map(|(out, ty)| unpack(*ty, &out.read())).collect();
    for thread in 0..THREADS {
        let row: Vec<u64> = columns.iter().map(|column| column[thread]).collect();
        let expected = on_the_host(scalar, &row, steps);
        for (k, ty) in types.iter().enumerate() {
            let (expected, found) = (expected[k], found[k][thread]);
            assert!(
                ulps(*ty, expected, found) == 0,
                "{scalar:?} {row:x?}: value {k} of {steps:?} is {found:#x}, Rust gives {expected:#x}"
            );
        }
    }
}

/// All inputs are read, then come the steps, then all values are written.
fn kernel(scalar: Scalar, steps: &[Step], types: &[Scalar]) -> Kernel {
    let mut b = Builder::new("quotients");
    let given: Vec<_> = (0..INPUTS).map(|k| Mem::Array(b.slice(&format!("a{k}"), scalar, Access::Read))).collect();
    let out = |(k, ty): (usize, &Scalar)| Mem::Array(b.slice(&format!("out{k}"), *ty, Access::Write));
    let outs: Vec<_> = types.iter().enumerate().map(out).collect();
    let (i, at) = (b.tid(0), source(&mut b, "x"));
    given.iter().for_each(|array| b.check_index(*array, 0, i, at));
    let mut values: Vec<Value> = given.iter().map(|array| b.load(*array, i, 0)).collect();
    for (step, ty) in steps.iter().zip(&types[INPUTS..]) {
        values.push(match *step {
            Quotient(x, y) => b.div(values[x], values[y]),
            Root(x) => b.sqrt(values[x]),
            Product(x, y) => b.mul(values[x], values[y]),
            Other(x) => b.cast(*ty, values[x]),
            Sum(x, y) => b.add(values[x], values[y]),
            Guarded(x, dr) => {
                let [none, zero] = [types[dr], types[x]].map(|ty| b.const_(ty, 0));
                let (nothing, nan) = (b.eq(values[dr], none), b.ne(values[x], values[x]));
                let dropped = b.and(nothing, nan);
                b.select(dropped, zero, values[x])
            }
        });
    }
    for (out, value) in outs.iter().zip(&values) {
        b.check_index(*out, 0, i, at);
        b.store(*out, i, 0, *value);
    }
    b.finish_kernel(1)
}

/// A column of each input: zeros, infinities, NaN, denormals and the like, and numbers of ordinary size.
fn inputs(scalar: Scalar) -> Vec<Vec<u64>> {
    let (mut rng, edges) = (Rng::new(7), edges(scalar));
    let mut value = || {
        let bits = rng.bits();
        let ordinary = 0.5 + (bits >> 40) as f64 / 1e5;
        match (bits % 3, scalar) {
            (0, F32) => u64::from((ordinary as f32).to_bits()),
            (0, _) => ordinary.to_bits(),
            _ => edges[(bits >> 20) as usize % edges.len()],
        }
    };
    (0..INPUTS).map(|_| (0..THREADS).map(|_| value()).collect()).collect()
}

/// The type of each value.
fn types(scalar: Scalar, steps: &[Step]) -> Vec<Scalar> {
    let mut types = vec![scalar; INPUTS];
    for step in steps {
        types.push(match *step {
            Quotient(x, _) | Root(x) | Product(x, _) | Sum(x, _) | Guarded(x, _) => types[x],
            Other(x) if types[x] == F32 => F64,
            Other(_) => F32,
        });
    }
    types
}

/// A float of either width.
#[derive(Clone, Copy)]
enum Float {
    Narrow(f32),
    Wide(f64),
}
use Float::*;

impl Float {
    fn of(scalar: Scalar, bits: u64) -> Float {
        if scalar == F32 { Narrow(f32::from_bits(bits as u32)) } else { Wide(f64::from_bits(bits)) }
    }

    fn is_zero(self) -> bool {
        match self {
            Narrow(x) => x == 0.0,
            Wide(x) => x == 0.0,
        }
    }

    fn bits(self) -> u64 {
        match self {
            Narrow(x) => u64::from(x.to_bits()),
            Wide(x) => x.to_bits(),
        }
    }
}

/// All values, as Rust's own operators give them.
fn on_the_host(scalar: Scalar, row: &[u64], steps: &[Step]) -> Vec<u64> {
    let mut values: Vec<Float> = row.iter().map(|bits| Float::of(scalar, *bits)).collect();
    for step in steps {
        values.push(match *step {
            Quotient(x, y) => match (values[x], values[y]) {
                (Narrow(x), Narrow(y)) => Narrow(x / y),
                (Wide(x), Wide(y)) => Wide(x / y),
                _ => panic!("{step:?} of two types"),
            },
            Product(x, y) => match (values[x], values[y]) {
                (Narrow(x), Narrow(y)) => Narrow(x * y),
                (Wide(x), Wide(y)) => Wide(x * y),
                _ => panic!("{step:?} of two types"),
            },
            Root(x) => match values[x] {
                Narrow(x) => Narrow(x.sqrt()),
                Wide(x) => Wide(x.sqrt()),
            },
            Other(x) => match values[x] {
                Narrow(x) => Wide(f64::from(x)),
                Wide(x) => Narrow(x as f32),
            },
            Sum(x, y) => match (values[x], values[y]) {
                (Narrow(x), Narrow(y)) => Narrow(x + y),
                (Wide(x), Wide(y)) => Wide(x + y),
                _ => panic!("{step:?} of two types"),
            },
            Guarded(x, dr) => match (values[x], values[dr].is_zero()) {
                (Narrow(x), true) if x.is_nan() => Narrow(0.0),
                (Wide(x), true) if x.is_nan() => Wide(0.0),
                (x, _) => x,
            },
        });
    }
    values.into_iter().map(Float::bits).collect()
}
