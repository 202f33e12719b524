//! The differentiate pass: small kernels against gradients by hand.

use warp_ir::builder::Builder;
use warp_ir::differentiate::{Options, differentiate};
use warp_ir::evaluate::{Array, Inputs, Layout, reverse};
use warp_ir::ir::*;
use warp_ir::passes::simplify;
use warp_ir::planted::{self, Bug};
use warp_ir::text::print_kernel;
use warp_ir::validate::{Valid, guarded};

const STEPS: u64 = 100_000_000;

fn doubles(numbers: &[f64]) -> Array {
    let bytes = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    let layout = Layout { size: 8, offsets: vec![0] };
    Array { buffers: vec![bytes], start: 0, extents: vec![numbers.len() as u64], strides: vec![], layout }
}

fn numbers(array: &Array) -> Vec<f64> {
    array.buffers[0].chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
}

/// Differentiates a kernel of arrays of f64, runs it and its adjoint, and gives outputs and gradients.
fn backward(
    kernel: Kernel,
    slots: Option<u32>,
    threads: u64,
    arrays: &[Vec<f64>],
    seeds: &[Vec<f64>],
) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let mut kernel = kernel;
    guarded(&Valid::<Kernel>::new(kernel.clone()).unwrap()).unwrap();
    simplify(&mut kernel);
    let kernel = Valid::<Kernel>::new(kernel).unwrap();
    let options = Options { slots, ..Options::of(&kernel) };
    let adjoint = differentiate(&kernel, &options).unwrap_or_else(|e| panic!("{e}\n{}", print_kernel(&kernel)));
    let arrays = arrays.iter().map(|a| doubles(a)).collect();
    let mut inputs = Inputs { dims: vec![threads], scalars: vec![], slots: vec![], arrays };
    let seeds: Vec<Option<Array>> = seeds.iter().map(|seed| Some(doubles(seed))).collect();
    let reversed = reverse(&kernel, &adjoint, &mut inputs, &seeds, STEPS).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((reversed.forward.fault, &reversed.backward.fault), (None, &None), "{}", print_kernel(&adjoint.kernel));
    let gradients = reversed.gradients.iter().flatten().map(numbers).collect();
    (inputs.arrays.iter().map(numbers).collect(), gradients)
}

/// `y[i] = x[i] * x[i]`
#[test]
fn squares() {
    let mut b = Builder::new("square");
    let x = b.slice("x", Scalar::F64, Access::Read);
    let y = b.slice("y", Scalar::F64, Access::Write);
    let s = b.source(Source::default());
    let i = b.tid(0);
    b.check_index(Mem::Array(x), 0, i, s);
    b.check_index(Mem::Array(y), 0, i, s);
    let v = b.load(Mem::Array(x), i, 0);
    let w = b.mul(v, v);
    b.store(Mem::Array(y), i, 0, w);
    let (_, g) =
        backward(b.finish_kernel(1), None, 3, &[vec![1., 2., 3.], vec![0.; 3]], &[vec![0.; 3], vec![1., 10., 100.]]);
    assert_eq!(g[0], [2., 40., 600.]);
    assert_eq!(g[1], [0.; 3]);
}

/// A product of a value with itself and a constant in a loop whose number of turns is data: `x = x * (1 + a x)`.
fn recurrence(counted: bool) -> Kernel {
    let mut b = Builder::new("recurrence");
    let x = b.slice("x", Scalar::F64, Access::Write);
    let n = b.slice("n", Scalar::F64, Access::Read);
    let s = b.source(Source::default());
    let i = b.tid(0);
    b.check_index(Mem::Array(x), 0, i, s);
    b.check_index(Mem::Array(n), 0, i, s);
    let v = b.load(Mem::Array(x), i, 0);
    let count = b.load(Mem::Array(n), i, 0);
    let count = b.cast(Scalar::U64, count);
    let body = |b: &mut Builder, v: Value| {
        let (one, a) = (b.f64(1.0), b.f64(1e-3));
        let ax = b.mul(a, v);
        let f = b.add(one, ax);
        b.mul(v, f)
    };
    let last = if counted {
        b.counted(count, &[v], |b, _, c| vec![body(b, c[0])])[0]
    } else {
        let zero = b.u64(0);
        b.loop_(
            &[v, zero],
            |b, c| {
                let more = b.lt(c[1], count);
                let small = b.f64(1e6);
                let small = b.lt(c[0], small);
                b.and(more, small)
            },
            |b, c| {
                let next = body(b, c[0]);
                let one = b.u64(1);
                vec![next, b.add(c[1], one)]
            },
        )[0]
    };
    b.store(Mem::Array(x), i, 0, last);
    b.finish_kernel(1)
}

#[test]
fn recurrences_of_any_number_of_turns() {
    for counted in [true, false] {
        for slots in [None, Some(2), Some(3), Some(4), Some(8), Some(32)] {
            let turns = [0., 1., 2., 5., 17., 100., 777.];
            let x0 = [0.5; 7];
            let (out, g) =
                backward(recurrence(counted), slots, 7, &[x0.to_vec(), turns.to_vec()], &[vec![1.; 7], vec![0.; 7]]);
            for k in 0..7 {
                let (mut x, mut d) = (0.5f64, 1.0f64);
                for _ in 0..turns[k] as usize {
                    d *= 1.0 + 2e-3 * x;
                    x *= 1.0 + 1e-3 * x;
                }
                assert!((out[0][k] - x).abs() <= 1e-12 * x, "{} {x}", out[0][k]);
                assert!((g[0][k] - d).abs() <= 1e-12 * d, "{counted} {slots:?} turns {}: {} {d}", turns[k], g[0][k]);
            }
        }
    }
}

/// Of equal maxima one thread takes all of the gradient; a thread that only reads it would give it to each.
#[test]
fn a_maximum_has_one_winner() {
    let mut b = Builder::new("maximum");
    let x = b.slice("x", Scalar::F64, Access::Read);
    let y = b.slice("y", Scalar::F64, Access::Write);
    let source = b.source(Source::default());
    let (i, zero) = (b.tid(0), b.u64(0));
    b.check_index(Mem::Array(x), 0, i, source);
    b.check_index(Mem::Array(y), 0, zero, source);
    let v = b.load(Mem::Array(x), i, 0);
    b.atomic(AtomicKind::Max, Mem::Array(y), zero, 0, v);
    let kernel = b.finish_kernel(1);
    let of = || {
        let (out, g) = backward(kernel.clone(), None, 3, &[vec![2., 5., 5.], vec![1.]], &[vec![0.; 3], vec![7.]]);
        assert_eq!(out[1], [5.]);
        g[0].iter().sum::<f64>()
    };
    assert_eq!(of(), 7.0);
    planted::set(Some(Bug::AdjointSharesMaximum));
    let shared = of();
    planted::set(None);
    assert_eq!(shared, 14.0);
}
