//! The differentiate pass: small kernels against gradients by hand.

use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::differentiate::{Options, differentiate, tangent};
use warp_ir::evaluate::{Array, Inputs, Layout, reverse, run};
use warp_ir::ir::*;
use warp_ir::link::{DERIVATIVE_READS, Linked, link, link_plain};
use warp_ir::passes::{simplify, specialize};
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

/// `z[i] = x[i] / sqrt(y[i])`: the adjoint multiplies by the reciprocal of the root, which no root makes overflow.
#[test]
fn quotients_by_roots_reach_both_ends_of_the_range() {
    let mut b = Builder::new("quotient");
    let [x, y] = ["x", "y"].map(|name| b.slice(name, Scalar::F64, Access::Read));
    let z = b.slice("z", Scalar::F64, Access::Write);
    let s = b.source(Source::default());
    let i = b.tid(0);
    [x, y, z].into_iter().for_each(|array| b.check_index(Mem::Array(array), 0, i, s));
    let (above, below) = (b.load(Mem::Array(x), i, 0), b.load(Mem::Array(y), i, 0));
    let root = b.sqrt(below);
    let quotient = b.div(above, root);
    b.store(Mem::Array(z), i, 0, quotient);
    let kernel = b.finish_kernel(1);

    // A seed, and a number under the root: the ends of both ranges, and where only the quotient of both is in range.
    let points = [(1., 4.), (1., 5e-324), (1e-160, 1e-320), (1e308, 1e300), (5e-324, 1.), (0., 0.), (1., f64::MAX)];
    let column = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).collect::<Vec<f64>>();
    let (seeds, under) = (column(|p| p.0), column(|p| p.1));
    let zero = vec![0.; points.len()];
    let (_, g) = backward(kernel, None, 7, &[zero.clone(), under, zero.clone()], &[zero.clone(), zero.clone(), seeds]);
    for (&(seed, under), found) in points.iter().zip(&g[0]) {
        let expected = if seed == 0. { 0. } else { seed / under.sqrt() };
        assert!((found - expected).abs() <= 4e-16 * expected.abs(), "{seed} / sqrt({under}): {found}, not {expected}");
    }
    assert!(g[1].iter().all(|slope| *slope == 0.), "of nothing above: {:?}", g[1]);
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

/// Second derivatives of squares of functions that are zero: the adjoint is zero there, its own derivative is not.
#[test]
fn a_zero_adjoint_has_second_derivatives() {
    let square_of = |f: &dyn Fn(&mut Builder, Value) -> Value| {
        let mut b = Builder::new("square");
        let x = Mem::Array(b.slice("x", Scalar::F64, Access::Read));
        let y = Mem::Array(b.slice("y", Scalar::F64, Access::Write));
        let s = b.source(Source::default());
        let i = b.tid(0);
        b.check_index(x, 0, i, s);
        b.check_index(y, 0, i, s);
        let at = b.load(x, i, 0);
        let v = f(&mut b, at);
        let v = b.mul(v, v);
        b.store(y, i, 0, v);
        let mut kernel = b.finish_kernel(1);
        simplify(&mut kernel);
        let kernel = Valid::<Kernel>::new(kernel).unwrap();
        let adjoint = differentiate(&kernel, &Options::of(&kernel)).unwrap();
        tangent(&adjoint.kernel).unwrap()
    };
    let one = |b: &mut Builder| b.f64(1.0);
    let minus_one = |b: &mut Builder, v| {
        let one = b.f64(1.0);
        b.sub(v, one)
    };
    // At x = 1 or 0, f is 0 and has the slope that stands behind it; the second derivative of f f is 2 f' f'.
    type Of<'a> = &'a dyn Fn(&mut Builder, Value) -> Value;
    let cases: [(&str, f64, f64, Of<'_>); 5] = [
        ("exp(x) - 1", 0.0, 1.0, &|b, x| {
            let e = b.pure(Builtin::Exp, &[x]);
            minus_one(b, e)
        }),
        ("1 / x - 1", 1.0, -1.0, &|b, x| {
            let one = one(b);
            let v = b.div(one, x);
            minus_one(b, v)
        }),
        ("sqrt(x) - 1", 1.0, 0.5, &|b, x| {
            let v = b.sqrt(x);
            minus_one(b, v)
        }),
        ("ln(x)", 1.0, 1.0, &|b, x| b.pure(Builtin::Ln, &[x])),
        ("x x - x, for x > 0", 1.0, 1.0, &|b, x| {
            let (v, zero) = (b.mul(x, x), b.f64(0.0));
            let (v, some) = (b.sub(v, x), b.lt(zero, x));
            b.select(some, v, x)
        }),
    ];
    for (name, at, slope, f) in cases {
        let second = square_of(f);
        // x, y, their gradients, and how all of these change: x by one.
        let arrays: Vec<Array> = [at, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0].iter().map(|&v| doubles(&[v])).collect();
        let mut inputs = Inputs { dims: vec![1], arrays, ..Inputs::default() };
        assert!(run(&second.kernel, &mut inputs, STEPS).unwrap().fault.is_none());
        let (gradient, curvature) = (numbers(&inputs.arrays[2])[0], numbers(&inputs.arrays[6])[0]);
        assert_eq!(gradient, 0.0, "{name}");
        assert!((curvature - 2.0 * slope * slope).abs() < 1e-12, "{name}: {curvature}");
    }
}

/// `y[i] = custom(x[i] * x[i])`, whose derivative is said to be seven times the true one.
fn sevenfold(loops: bool) -> Kernel {
    let mut b = Builder::new("sevenfold");
    let x = Mem::Array(b.slice("x", Scalar::F64, Access::Read));
    let y = Mem::Array(b.slice("y", Scalar::F64, Access::Write));
    let s = b.source(Source::default());
    let i = b.tid(0);
    b.check_index(x, 0, i, s);
    b.check_index(y, 0, i, s);
    let at = b.load(x, i, 0);
    let of = |b: &mut Builder, v: Value| {
        let square = b.mul(v, v);
        let adjoint = b.open(&[Scalar::F64])[0];
        let fourteen = b.f64(14.0);
        let slope = b.mul(v, fourteen);
        let part = b.mul(adjoint, slope);
        let gradient = b.close(&[part]);
        b.push_custom(&[square], &[v], gradient)[0]
    };
    let value = match loops {
        false => of(&mut b, at),
        true => {
            let turns = b.len(x);
            b.counted(turns, &[at], |b, _, carried| {
                let half = b.f64(0.5);
                let value = of(b, carried[0]);
                vec![b.mul(value, half)]
            })[0]
        }
    };
    b.store(y, i, 0, value);
    b.finish_kernel(1)
}

/// The derivative that is said is the one that is taken, also where values come from turn to turn, and in forward mode.
#[test]
fn a_derivative_of_ones_own_is_taken_at_its_word() {
    let seeds = [vec![0.0; 3], vec![1.0, 10.0, 0.0]];
    let (y, g) = backward(sevenfold(false), None, 3, &[vec![1.0, -2.0, 3.0], vec![0.0; 3]], &seeds);
    assert_eq!((&y[1][..], &g[0][..]), (&[1.0, 4.0, 9.0][..], &[14.0, -280.0, 0.0][..]));
    // v -> v v / 2, three times: 2 -> 2 -> 2 -> 2, with a factor of 14 v / 2 each time.
    let seeds = [vec![0.0; 3], vec![1.0, 0.0, 0.0]];
    let (y, g) = backward(sevenfold(true), None, 1, &[vec![2.0; 3], vec![0.0; 3]], &seeds);
    assert_eq!((y[1][0], g[0][0]), (2.0, 14.0 * 14.0 * 14.0));

    let mut kernel = sevenfold(false);
    simplify(&mut kernel);
    let tangent = tangent(&Valid::<Kernel>::new(kernel).unwrap()).unwrap();
    let arrays = [3.0, 0.0, 1.0, 0.0].iter().map(|&v| doubles(&[v])).collect();
    let mut inputs = Inputs { dims: vec![1], arrays, ..Inputs::default() };
    assert!(run(&tangent.kernel, &mut inputs, STEPS).unwrap().fault.is_none());
    assert_eq!(numbers(&inputs.arrays[3]), [42.0]);
}

/// What runs forward knows nothing of it: backends get plain code, the text form keeps it.
#[test]
fn a_derivative_of_ones_own_is_no_part_of_a_launch() {
    let mut kernel = sevenfold(true);
    let text = print_kernel(&kernel);
    assert_eq!(*warp_ir::text::parse_kernel(&text).unwrap(), kernel, "{text}");
    assert!(text.contains("custom ("), "{text}");
    specialize(&mut kernel, &[]);
    let text = print_kernel(&kernel);
    assert!(!text.contains("custom") && !text.contains("const 14"), "{text}");
    let kernel = Valid::<Kernel>::new(kernel).unwrap();
    guarded(&kernel).unwrap();
    let arrays = [2.0, 0.0].iter().map(|&v| doubles(&[v])).collect();
    let mut inputs = Inputs { dims: vec![1], arrays, ..Inputs::default() };
    assert!(run(&kernel, &mut inputs, STEPS).unwrap().fault.is_none());
    assert_eq!(numbers(&inputs.arrays[1]), [2.0]);
}

/// Where no adjoint comes in, a derivative that divides by zero makes no NaN; with one it does.
#[test]
fn a_derivative_of_ones_own_makes_no_nan_of_nothing() {
    let mut b = Builder::new("pole");
    let x = Mem::Array(b.slice("x", Scalar::F64, Access::Read));
    let y = Mem::Array(b.slice("y", Scalar::F64, Access::Write));
    let s = b.source(Source::default());
    let i = b.tid(0);
    b.check_index(x, 0, i, s);
    b.check_index(y, 0, i, s);
    let at = b.load(x, i, 0);
    let adjoint = b.open(&[Scalar::F64])[0];
    let part = b.div(adjoint, at);
    let gradient = b.close(&[part]);
    let value = b.push_custom(&[at], &[at], gradient)[0];
    b.store(y, i, 0, value);
    let seeds = [vec![0.0; 3], vec![0.0, 1.0, 3.0]];
    let (_, g) = backward(b.finish_kernel(1), None, 3, &[vec![0.0, 0.0, 2.0], vec![0.0; 3]], &seeds);
    assert_eq!(g[0], [0.0, f64::INFINITY, 1.5]);
}

/// `y[i]` is `x[i]` through four derivatives of one's own, by an element of `t` each. The first two are instances of
/// one function: their checks stand at the same place of the source.
fn instances() -> Kernel {
    let mut b = Builder::new("instances");
    let x = Mem::Array(b.slice("x", Scalar::F64, Access::Read));
    let t = Mem::Array(b.slice("t", Scalar::F64, Access::Read));
    let y = Mem::Array(b.slice("y", Scalar::F64, Access::Write));
    let at = |b: &mut Builder, line: u32, text: &str| {
        b.source(Source { file: "k.rs".into(), line, column: 1, text: text.into() })
    };
    let s = at(&mut b, 1, "x[i]");
    let i = b.tid(0);
    b.check_index(x, 0, i, s);
    b.check_index(y, 0, i, s);
    let mut value = b.load(x, i, 0);
    for (line, index, text) in [(2, 3, "t[j]"), (3, 2, "t[j]"), (4, 1, "t[1]"), (5, 0, "t[0]")] {
        let source = at(&mut b, line, text);
        let adjoint = b.open(&[Scalar::F64])[0];
        let index = b.u64(index);
        b.check_index(t, 0, index, source);
        let weight = b.load(t, index, 0);
        let part = b.mul(adjoint, weight);
        let gradient = b.close(&[part]);
        value = b.push_custom(&[value], &[value], gradient)[0];
    }
    b.store(y, i, 0, value);
    let mut kernel = b.finish_kernel(1);
    kernel.function.sources[2] = kernel.function.sources[1].clone();
    kernel
}

#[test]
fn a_derivative_of_ones_own_in_two_instances_keeps_its_places() {
    let t = vec![2.0, 3.0, 5.0, 7.0];
    let (_, g) = backward(instances(), None, 1, &[vec![1.5], t, vec![0.0]], &[vec![0.0], vec![0.0; 4], vec![1.0]]);
    assert_eq!(g[0], [2.0 * 3.0 * 5.0 * 7.0]);

    let mut kernel = instances();
    simplify(&mut kernel);
    let kernel = Valid::<Kernel>::new(kernel).unwrap();
    let adjoint = differentiate(&kernel, &Options::of(&kernel)).unwrap();
    for (len, text) in [(0, "t[0]"), (1, "t[1]"), (2, "t[j]"), (3, "t[j]")] {
        let arrays = [vec![1.5], vec![1.0; len], vec![0.0]].map(|numbers| doubles(&numbers));
        let mut inputs = Inputs { dims: vec![1], scalars: vec![], slots: vec![], arrays: arrays.to_vec() };
        let seeds = [vec![0.0], vec![0.0; len], vec![1.0]].map(|seed| Some(doubles(&seed)));
        let reversed = reverse(&kernel, &adjoint, &mut inputs, &seeds, STEPS).unwrap();
        let fault = reversed.backward.fault.unwrap();
        assert_eq!(adjoint.kernel.function.sources[fault.source.0 as usize].text, text, "{len} elements");
    }
}

/// `fn weigh(v: f64, w: &[f64]) -> f64 { v * w[0] }`, whose slope is said to be `w[1]`.
fn weigh() -> Function {
    let mut b = Builder::new("weigh");
    let v = b.param("v", Scalar::F64);
    let w = Mem::Array(b.slice("w", Scalar::F64, Access::Read));
    let s = b.source(Source { file: "k.rs".into(), line: 7, column: 1, text: "w[k]".into() });
    let element = |b: &mut Builder, k: u64| {
        let k = b.u64(k);
        b.check_index(w, 0, k, s);
        b.load(w, k, 0)
    };
    let first = element(&mut b, 0);
    let value = b.mul(v, first);
    let adjoint = b.open(&[Scalar::F64])[0];
    let second = element(&mut b, 1);
    let part = b.mul(adjoint, second);
    let gradient = b.close(&[part]);
    let value = b.push_custom(&[value], &[v], gradient)[0];
    b.finish(&[value])
}

/// `w = [t[0], t[1], 0, ..]; v = x[i]; for _ in 0..x.len() { w[1] += 1; v = weigh(v, &w) } y[i] = v`
fn weighs(len: u32) -> Function {
    let mut b = Builder::new("weighs");
    let x = Mem::Array(b.slice("x", Scalar::F64, Access::Read));
    let t = Mem::Array(b.slice("t", Scalar::F64, Access::Read));
    let y = Mem::Array(b.slice("y", Scalar::F64, Access::Write));
    let s = b.source(Source { file: "k.rs".into(), line: 12, column: 5, text: "weigh(v, &w)".into() });
    let callee = b.callee("crate::weigh", "weigh");
    let local = b.local("w", &[Scalar::F64], len);
    let w = Mem::Local(local);
    let (i, zero, one) = (b.tid(0), b.u64(0), b.u64(1));
    b.check_index(x, 0, i, s);
    b.check_index(y, 0, i, s);
    let nothing = b.f64(0.0);
    b.fill(local, 0, nothing);
    for at in [zero, one] {
        b.check_index(t, 0, at, s);
        let weight = b.load(t, at, 0);
        b.store(w, at, 0, weight);
    }
    let start = b.load(x, i, 0);
    let turns = b.len(x);
    let last = b.counted(turns, &[start], |b, _, carried| {
        let (one, more) = (b.u64(1), b.f64(1.0));
        let before = b.load(w, one, 0);
        let after = b.add(before, more);
        b.store(w, one, 0, after);
        b.call(callee, carried, vec![ArrayArg { mem: w, part: None, copied: false }], &[Scalar::F64], s)
    })[0];
    b.store(y, i, 0, last);
    b.finish(&[])
}

/// The derivative sees the array as it was when the function was called, whatever has become of it since.
#[test]
fn a_derivative_of_ones_own_reads_an_array_of_the_caller() {
    let function = weigh();
    let linked = |len: u32| link(&weighs(len), |_| Some(&function));
    let kernel = |linked: Linked| Kernel { function: linked.function, rank: 1, attributes: Attributes::default() };
    for (slots, len) in [(None, 8), (Some(2), DERIVATIVE_READS as u32)] {
        let arrays = [vec![2.0; 5], vec![0.5, 3.0], vec![0.0; 5]];
        let seeds = [vec![0.0; 5], vec![0.0; 2], vec![1.0; 5]];
        let (y, g) = backward(kernel(linked(len).unwrap()), slots, 1, &arrays, &seeds);
        assert_eq!((y[2][0], g[0][0]), (2.0 * 0.5f64.powi(5), 4.0 * 5.0 * 6.0 * 7.0 * 8.0));
        // By what is read of memory no derivative is given.
        assert_eq!(g[1], [0.0, 0.0]);
    }

    let words = "the derivative of `weigh`, which is called with `w` (`weigh(v, &w)` at k.rs:12), reads 257 numbers of that \
        array, and of one inside a kernel 256 are the most: make it smaller, pass an array of the host, or mark the kernel \
        `no_adjoint`";
    assert_eq!(linked(DERIVATIVE_READS as u32 + 1).unwrap_err().to_string(), words);
    // A kernel without a gradient has no use for it.
    let plain = link_plain(&weighs(257), |_| Some(&function)).unwrap();
    let plain = kernel(plain);
    assert!(!print_kernel(&plain).contains("custom"));
    guarded(&Valid::<Kernel>::new(plain).unwrap()).unwrap();
}
