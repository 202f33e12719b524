//! Each builtin on each list of types that its row takes, at operands where things go wrong, against the row's meaning on
//! the host; and each kind of atomic on each type, thread after thread.

use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::evaluate::{Array, Inputs, Layout, run};
use warp_ir::ir::{Access, AtomicKind, Attributes, CheckKind, Kernel, Mem, Scalar, Source};
use warp_ir::random::{Rng, alike, edges, instances, same};
use warp_ir::validate::Valid;

use crate::assemble::{Known, emitted};
use crate::run::{How, Ready, numbered};

/// Tuples of operands for one list of types, at most.
const MOST: usize = 300;

/// An array of scalars.
fn array(scalar: Scalar, bits: &[u64]) -> Array {
    let size = scalar.size();
    let buffer = bits.iter().flat_map(|bits| bits.to_le_bytes()[..size].to_vec()).collect();
    let layout = Layout { size, offsets: vec![0] };
    Array { buffers: vec![buffer], start: 0, extents: vec![bits.len() as u64], strides: vec![], layout }
}

/// `out[i] = builtin(a[i], ..)`, under a check where an integer division needs one.
fn kernel(builtin: Builtin, args: &[Scalar], result: Scalar, attributes: Attributes) -> Valid<Kernel> {
    let mut b = Builder::new(builtin.name());
    let source = b.source(Source { text: "row".into(), ..Source::default() });
    let arrays: Vec<_> = args.iter().map(|&scalar| b.slice("a", scalar, Access::Read)).collect();
    let out = b.slice("out", result, Access::Write);
    let i = b.tid(0);
    let mut operands = vec![];
    for &array in &arrays {
        b.check_index(Mem::Array(array), 0, i, source);
        operands.push(b.load(Mem::Array(array), i, 0));
    }
    if matches!(builtin, Builtin::Div | Builtin::Rem) && result.is_int() {
        let zero = b.const_(result, 0);
        let some = b.ne(operands[1], zero);
        b.check(some, CheckKind::DivideByZero, &[], source);
        if result.is_signed() {
            let (least, minus) = (b.const_(result, 1 << (result.bits() - 1)), b.const_(result, result.mask()));
            let (above, other) = (b.ne(operands[0], least), b.ne(operands[1], minus));
            let fits = b.or(above, other);
            b.check(fits, CheckKind::DivideOverflow, &[], source);
        }
    }
    let value = b.pure_as(result, builtin, &operands);
    b.check_index(Mem::Array(out), 0, i, source);
    b.store(Mem::Array(out), i, 0, value);
    let kernel = Kernel { attributes, ..b.finish_kernel(1) };
    Valid::<Kernel>::new(kernel).expect("the kernel is valid")
}

/// Operands at which the builtin is defined: edges of all types together, or some of them.
fn tuples(builtin: Builtin, args: &[Scalar], result: Scalar) -> Vec<Vec<u64>> {
    let lists: Vec<Vec<u64>> = args.iter().map(|&scalar| edges(scalar)).collect();
    let all: usize = lists.iter().map(Vec::len).product();
    let mut rng = Rng::new(all as u64);
    let tuple = |mut at: usize| -> Vec<u64> {
        let mut pick = |list: &Vec<u64>| {
            let bits = list[at % list.len()];
            at /= list.len();
            bits
        };
        lists.iter().map(&mut pick).collect()
    };
    let chosen: Vec<usize> = match all <= MOST {
        true => (0..all).collect(),
        false => (0..MOST).map(|_| rng.below(all as u64) as usize).collect(),
    };
    chosen.into_iter().map(tuple).filter(|bits| builtin.eval(args, result, bits).is_some()).collect()
}

#[test]
fn each_row_computes_what_it_means_on_the_host() {
    let mut wrong = vec![];
    for &builtin in Builtin::ALL {
        for (args, result) in instances(builtin.row()) {
            let kernel = kernel(builtin, &args, result, Attributes::default());
            let tuples = tuples(builtin, &args, result);
            let column = |k: usize| tuples.iter().map(|tuple| tuple[k]).collect::<Vec<_>>();
            let mut arrays: Vec<Array> = args.iter().enumerate().map(|(k, &s)| array(s, &column(k))).collect();
            arrays.push(array(result, &vec![0; tuples.len()]));
            let mut inputs = Inputs { dims: vec![tuples.len() as u64], arrays, ..Inputs::default() };
            let module = emitted(&kernel, &inputs, Known::All).unwrap_or_else(|e| panic!("{e}"));
            let mut ready = Ready::new(&module).unwrap_or_else(|e| panic!("{builtin:?} {args:?}: {e}"));
            let how = How { block: 64, seed: None };
            let launched = ready.launch(&module.entries[0], &kernel, &mut inputs, how);
            let (outcome, _) = launched.unwrap_or_else(|e| panic!("{e}")).expect("it is right for the launch");
            assert_eq!(outcome.fault, None, "{builtin:?} {args:?}");
            let out = &kernel.function.arrays[args.len()];
            for (k, tuple) in tuples.iter().enumerate() {
                let expected = builtin.eval(&args, result, tuple).expect("it is defined");
                let found = inputs.arrays[args.len()].get(out, k as u64, 0).expect("the index is in range");
                if !alike(result, expected, found) {
                    wrong.push(format!("{builtin:?} {args:?} of {tuple:x?}: {found:x}, expected {expected:x}"));
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Eight bins that threads combine into, and what each found there.
fn bins(kind: AtomicKind, scalar: Scalar, with_old: bool) -> Valid<Kernel> {
    let mut b = Builder::new("bins");
    let source = b.source(Source { text: "atomic".into(), ..Source::default() });
    let values = b.slice("values", scalar, Access::Read);
    let bins = b.slice("bins", scalar, Access::Write);
    let old = b.slice("old", scalar, Access::Write);
    let i = b.tid(0);
    b.check_index(Mem::Array(values), 0, i, source);
    let value = b.load(Mem::Array(values), i, 0);
    let seven = b.u64(7);
    let bin = b.and(i, seven);
    b.check_index(Mem::Array(bins), 0, bin, source);
    let found = match kind {
        AtomicKind::CompareExchange => {
            let compare = b.load(Mem::Array(bins), bin, 0);
            b.compare_exchange(Mem::Array(bins), bin, 0, compare, value)
        }
        _ => b.atomic(kind, Mem::Array(bins), bin, 0, value),
    };
    b.check_index(Mem::Array(old), 0, i, source);
    if with_old {
        b.store(Mem::Array(old), i, 0, found);
    }
    Valid::<Kernel>::new(b.finish_kernel(1)).expect("the kernel is valid")
}

#[test]
fn each_atomic_combines_as_the_evaluator_does() {
    use AtomicKind::*;
    for kind in [Add, Sub, Min, Max, And, Or, Xor, Exchange, CompareExchange] {
        for scalar in Scalar::ALL {
            let bits = matches!(kind, And | Or | Xor) && (scalar.is_int() || scalar == Scalar::Bool);
            let numbers = matches!(kind, Add | Sub | Min | Max) && (scalar.is_int() || scalar.is_float());
            if !(bits || numbers || matches!(kind, Exchange | CompareExchange)) {
                continue;
            }
            // An addition to memory makes zeros of denormal floats.
            let normal = |bits: &u64| match scalar {
                Scalar::F32 if matches!(kind, Add | Sub) => !f32::from_bits(*bits as u32).is_subnormal(),
                _ => true,
            };
            let values: Vec<u64> = edges(scalar).into_iter().filter(normal).cycle().take(100).collect();
            for with_old in [true, false] {
                let kernel = bins(kind, scalar, with_old);
                let arrays = [&values[..], &values[1..9], &values].map(|bits| array(scalar, bits)).to_vec();
                let inputs = Inputs { dims: vec![100], arrays, ..Inputs::default() };
                let mut expected = inputs.clone();
                let outcome = run(&kernel, &mut expected, 100_000).expect("the kernel runs");
                let module = emitted(&kernel, &inputs, Known::All).unwrap_or_else(|e| panic!("{e}"));
                let mut ready = Ready::new(&module).unwrap_or_else(|e| panic!("{e}"));
                for entry in &module.entries {
                    let mut found = inputs.clone();
                    let how = How { block: 32, seed: None };
                    let launched = ready.launch(entry, &kernel, &mut found, how).unwrap_or_else(|e| panic!("{e}"));
                    let (told, _) = launched.expect("it is right for the launch");
                    let alike = same(&kernel, (&expected, &outcome), (&found, &told));
                    alike.unwrap_or_else(|e| panic!("{kind:?} of {scalar:?}: {e}\n{}", numbered(&module.text)));
                }
            }
        }
    }
}

/// Approximations, where a kernel allows them, are near what they approximate, and take fewer instructions.
#[test]
fn fast_math_is_near_and_short() {
    use Builtin::*;
    for builtin in [Div, Sqrt, Sin, Cos, Tan, Exp, Exp2, Ln, Log2, Log10] {
        let args = vec![Scalar::F32; builtin.row().params.len()];
        let numbers: Vec<u64> = (1..=100u16).map(|k| u64::from((f32::from(k) / 32.0).to_bits())).collect();
        let columns =
            [array(Scalar::F32, &numbers), array(Scalar::F32, &numbers.iter().rev().copied().collect::<Vec<_>>())];
        let mut arrays = columns[..args.len()].to_vec();
        arrays.push(array(Scalar::F32, &[0; 100]));
        let inputs = Inputs { dims: vec![100], arrays, ..Inputs::default() };
        let executed = [true, false].map(|fast_math| {
            let attributes = Attributes { fast_math, ..Attributes::default() };
            let kernel = kernel(builtin, &args, Scalar::F32, attributes);
            let module = emitted(&kernel, &inputs, Known::All).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(
                module.text.contains(".approx.f32") || module.text.contains(".full.f32"),
                fast_math,
                "{builtin:?}"
            );
            let mut found = inputs.clone();
            let mut ready = Ready::new(&module).unwrap_or_else(|e| panic!("{e}"));
            let launched = ready.launch(&module.entries[0], &kernel, &mut found, How { block: 32, seed: None });
            let (_, counts) = launched.unwrap_or_else(|e| panic!("{e}")).expect("it is right for the launch");
            for k in 0..100 {
                let given: Vec<u64> = (0..args.len()).map(|a| get(&kernel, &inputs, a, k)).collect();
                let expected = builtin.eval(&args, Scalar::F32, &given).expect("it is defined");
                let [expected, found] =
                    [expected, get(&kernel, &found, args.len(), k)].map(|b| f32::from_bits(b as u32));
                let off = (found - expected).abs();
                assert!(
                    off <= 1e-5 * expected.abs().max(1.0),
                    "{builtin:?} of {given:x?}: {found}, expected {expected}"
                );
            }
            counts.total
        });
        assert!(executed[0] <= executed[1], "{builtin:?}: {executed:?}");
    }
}

fn get(kernel: &Kernel, inputs: &Inputs, array: usize, index: u64) -> u64 {
    let param = &kernel.function.arrays[array];
    inputs.arrays[array].get(param, index, 0).expect("the index is in range")
}
