//! Single rules of passes, on small kernels whose results are known.

use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::evaluate::{self, Array, Inputs, Layout, Trouble};
use warp_ir::ir::*;
use warp_ir::passes;
use warp_ir::planted::{self, Bug};
use warp_ir::text::print_kernel;
use warp_ir::validate::{Valid, guarded};

fn here(b: &mut Builder) -> SourceId {
    b.source(Source { file: "k.rs".into(), line: 1, column: 1, text: "here".into() })
}

fn count(region: &Region, wanted: &impl Fn(&Op) -> bool) -> usize {
    let nested = |op: &Op| op.shape().regions.into_iter().map(|r| count(r, wanted)).sum::<usize>();
    region.ops.iter().map(|op| wanted(op) as usize + nested(op)).sum()
}

fn checks(kernel: &Kernel) -> usize {
    count(&kernel.function.body, &|op| matches!(op, Op::Check { .. }))
}

/// The bits that one thread writes into the first array, of one element, for these scalars.
fn result(kernel: &Kernel, scalars: &[u64]) -> Result<u64, Trouble> {
    let array = &kernel.function.arrays[0];
    let size = array.leaves[0].size();
    let out = Array {
        buffers: vec![vec![0; size]],
        start: 0,
        extents: vec![1],
        strides: vec![],
        layout: Layout { size, offsets: vec![0] },
    };
    let mut inputs = Inputs { dims: vec![1], scalars: scalars.to_vec(), slots: vec![], arrays: vec![out] };
    evaluate::run(&Valid::<Kernel>::new(kernel.clone()).unwrap(), &mut inputs, 100_000)?;
    Ok(inputs.arrays[0].get(array, 0, 0).unwrap())
}

/// A kernel of scalar parameters that stores one value.
fn kernel_of(params: &[Scalar], out: Scalar, value: impl FnOnce(&mut Builder, &[Value]) -> Value) -> Kernel {
    let mut b = Builder::new("k");
    let array = b.slice("out", out, Access::Write);
    let params: Vec<Value> = params.iter().enumerate().map(|(k, &s)| b.param(&format!("p{k}"), s)).collect();
    let place = here(&mut b);
    let zero = b.u64(0);
    let value = value(&mut b, &params);
    b.check_index(Mem::Array(array), 0, zero, place);
    b.store(Mem::Array(array), zero, 0, value);
    b.finish_kernel(1)
}

fn simplified(mut kernel: Kernel) -> Kernel {
    passes::simplify(&mut kernel);
    kernel
}

fn f32s(values: &[f32]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits() as u64).collect()
}

/// `x == y` and `x != x` are never both true, and what a guard would choose then is never chosen; a NaN is one still where
/// nothing else is asked, and where the comparison is about others.
#[test]
fn a_number_is_not_nan_where_it_compares() {
    let select = |compare: fn(&mut Builder, Value, Value) -> Value, of: usize| {
        let kernel = kernel_of(&[Scalar::F32; 3], Scalar::F32, |b, p| {
            let (holds, nan) = (compare(b, p[0], p[1]), b.ne(p[of], p[of]));
            let both = b.and(holds, nan);
            let chosen = b.f32(7.0);
            b.select(both, chosen, p[of])
        });
        simplified(kernel)
    };
    let selects = |kernel: &Kernel| {
        count(&kernel.function.body, &|op| matches!(op, Op::Pure { builtin: Builtin::Select | Builtin::Ne, .. }))
    };
    for compare in [Builder::eq, Builder::lt, Builder::le] {
        for (of, left) in [(0, 0), (1, 0), (2, 2)] {
            assert_eq!(selects(&select(compare, of)), left, "{}", print_kernel(&select(compare, of)));
        }
    }
    assert_eq!(selects(&select(Builder::ne, 0)), 3);
    let kernel = select(Builder::le, 2);
    let given = |c: f32| f32::from_bits(result(&kernel, &f32s(&[1.0, 2.0, c])).unwrap() as u32);
    assert_eq!((given(f32::NAN), given(3.0)), (7.0, 3.0));
}

/// Sums of negatives are differences, down to the sign of zero.
#[test]
fn atomics_add_no_negatives() {
    for (kind, turned) in [(AtomicKind::Add, AtomicKind::Sub), (AtomicKind::Sub, AtomicKind::Add)] {
        let mut b = Builder::new("k");
        let out = b.slice("out", Scalar::F32, Access::Write);
        let x = b.param("x", Scalar::F32);
        let place = here(&mut b);
        let zero = b.u64(0);
        let negative = b.neg(x);
        b.check_index(Mem::Array(out), 0, zero, place);
        b.atomic(kind, Mem::Array(out), zero, 0, negative);
        let plain = b.finish_kernel(1);
        let kernel = simplified(plain.clone());
        let left = |wanted: AtomicKind| {
            count(&kernel.function.body, &|op| matches!(op, Op::Atomic { kind, .. } if *kind == wanted))
        };
        assert_eq!((left(kind), left(turned)), (0, 1), "{}", print_kernel(&kernel));
        assert_eq!(count(&kernel.function.body, &|op| matches!(op, Op::Pure { .. })), 1, "the check's comparison");
        for bits in f32s(&[0.0, -0.0, 1.5, f32::INFINITY, -3e-45]) {
            assert_eq!(result(&kernel, &[bits]).unwrap(), result(&plain, &[bits]).unwrap(), "{bits:x}");
        }
    }
}

fn guarded_division() -> Kernel {
    kernel_of(&[Scalar::I32, Scalar::I32], Scalar::I32, |b, p| {
        let zero = b.i32(0);
        let usable = b.lt(zero, p[1]);
        b.if_(usable, |b| vec![b.div(p[0], p[1])], |_| vec![zero])[0]
    })
}

#[test]
fn a_guarded_division_stays_under_its_guard() {
    let kernel = simplified(guarded_division());
    assert_eq!(result(&kernel, &[7, 2]), Ok(3));
    assert_eq!(result(&kernel, &[7, 0]), Ok(0));
    planted::set(Some(Bug::FoldSpeculatesDivision));
    let broken = simplified(guarded_division());
    planted::set(None);
    assert!(result(&broken, &[7, 0]).is_err(), "the test would not notice");
}

/// `let mut l = [x; 2]; if x < y { l[0] = y } ; l[0] - l[1]`
fn promoted() -> Kernel {
    kernel_of(&[Scalar::F32, Scalar::F32], Scalar::F32, |b, p| {
        let local = b.local("l", &[Scalar::F32], 2);
        b.fill(local, 0, p[0]);
        let (zero, one) = (b.u64(0), b.u64(1));
        let less = b.lt(p[0], p[1]);
        b.if_then(less, |b| b.store(Mem::Local(local), zero, 0, p[1]));
        let first = b.load(Mem::Local(local), zero, 0);
        let second = b.load(Mem::Local(local), one, 0);
        b.sub(first, second)
    })
}

#[test]
fn a_local_array_with_constant_indices_becomes_values() {
    let kernel = simplified(promoted());
    assert!(kernel.function.locals.is_empty(), "{}", print_kernel(&kernel));
    let run = |k: &Kernel, x, y| result(k, &f32s(&[x, y])).map(|bits| f32::from_bits(bits as u32));
    assert_eq!(run(&kernel, 1.0, 5.0), Ok(4.0));
    assert_eq!(run(&kernel, 5.0, 1.0), Ok(0.0));
    planted::set(Some(Bug::PromoteForgetsStore));
    let broken = simplified(promoted());
    planted::set(None);
    assert_ne!(run(&broken, 1.0, 5.0), Ok(4.0), "the test would not notice");
}

/// `x` by bits, so that a sum of a product is rounded twice or once visibly.
const X: f32 = 1.000_000_1;
const Y: f32 = 0.333_333_34;
const Z: f32 = -0.333_333_4;

fn contracted(no_fma: bool, value: impl FnOnce(&mut Builder, &[Value]) -> Value) -> f32 {
    let mut kernel = kernel_of(&[Scalar::F32; 3], Scalar::F32, value);
    kernel.attributes.no_fma = no_fma;
    passes::simplify(&mut kernel);
    f32::from_bits(result(&kernel, &f32s(&[X, Y, Z])).unwrap() as u32)
}

#[test]
fn products_and_sums_become_one_rounding() {
    let product = |b: &mut Builder, p: &[Value]| b.mul(p[0], p[1]);
    let plus = |b: &mut Builder, p: &[Value]| {
        let m = product(b, p);
        b.add(m, p[2])
    };
    let minus = |b: &mut Builder, p: &[Value]| {
        let m = product(b, p);
        b.sub(m, p[2])
    };
    let from = |b: &mut Builder, p: &[Value]| {
        let m = product(b, p);
        b.sub(p[2], m)
    };
    let negated = |b: &mut Builder, p: &[Value]| {
        let m = product(b, p);
        let n = b.neg(m);
        b.sub(n, p[2])
    };
    assert_ne!(X * Y + Z, X.mul_add(Y, Z), "the numbers would not notice");
    assert_eq!(contracted(false, plus), X.mul_add(Y, Z));
    assert_eq!(contracted(false, minus), X.mul_add(Y, -Z));
    assert_eq!(contracted(false, from), (-X).mul_add(Y, Z));
    assert_eq!(contracted(false, negated), (-X).mul_add(Y, -Z));
    assert_eq!(contracted(true, plus), X * Y + Z);
    planted::set(Some(Bug::ContractForgetsSign));
    let broken = contracted(false, minus);
    planted::set(None);
    assert_ne!(broken, X.mul_add(Y, -Z), "the test would not notice");
}

#[test]
fn a_shared_product_is_rounded_and_the_left_one_goes_first() {
    let shared = |b: &mut Builder, p: &[Value]| {
        let m = b.mul(p[0], p[1]);
        let sum = b.add(m, p[2]);
        b.div(sum, m)
    };
    assert_eq!(contracted(false, shared), (X * Y + Z) / (X * Y));
    let two = |b: &mut Builder, p: &[Value]| {
        let left = b.mul(p[0], p[1]);
        let right = b.mul(p[1], p[2]);
        b.add(left, right)
    };
    assert_eq!(contracted(false, two), X.mul_add(Y, Y * Z));
    planted::set(Some(Bug::ContractSharedProduct));
    let broken = contracted(false, shared);
    planted::set(None);
    assert_ne!(broken, (X * Y + Z) / (X * Y), "the test would not notice");
}

#[test]
fn nested_loops_of_constant_turns_become_straight_code() {
    // sum over i < 3, j < i + 1 of l[i] * l[j], with l = [x, x + 1, x + 2]
    let kernel = simplified(kernel_of(&[Scalar::F32], Scalar::F32, |b, p| {
        let local = b.local("l", &[Scalar::F32], 3);
        let three = b.u64(3);
        b.counted(three, &[], |b, t, _| {
            let t_f = b.cast(Scalar::F32, t);
            let x = b.add(p[0], t_f);
            b.store(Mem::Local(local), t, 0, x);
            vec![]
        });
        let zero = b.f32(0.0);
        b.counted(three, &[zero], |b, i, c| {
            let one = b.u64(1);
            let next = b.add(i, one);
            b.counted(next, c, |b, j, c| {
                let (x, y) = (b.load(Mem::Local(local), i, 0), b.load(Mem::Local(local), j, 0));
                let product = b.mul(x, y);
                vec![b.add(c[0], product)]
            })
        })[0]
    }));
    let loops = count(&kernel.function.body, &|op| matches!(op, Op::Loop { .. } | Op::Load { .. }));
    assert_eq!(loops, 0, "{}", print_kernel(&kernel));
    // x = 2: 2*2 + 3*2 + 3*3 + 4*2 + 4*3 + 4*4
    assert_eq!(result(&kernel, &f32s(&[2.0])), Ok(55f32.to_bits() as u64));
}

#[test]
fn a_break_in_an_unrolled_loop_leaves_no_flag() {
    // for t in 0..4 { if x < t { break } k += 1 }
    let kernel = simplified(kernel_of(&[Scalar::U64], Scalar::U64, |b, p| {
        let (zero, four, no, yes) = (b.u64(0), b.u64(4), b.bool(false), b.bool(true));
        b.loop_(
            &[zero, zero, no],
            |b, c| {
                let more = b.lt(c[0], four);
                let live = b.not(c[2]);
                b.and(more, live)
            },
            |b, c| {
                let stop = b.lt(p[0], c[0]);
                let flag = b.if_(stop, |_| vec![yes], |_| vec![c[2]])[0];
                let live = b.not(flag);
                let one = b.u64(1);
                let k = b.if_(live, |b| vec![b.add(c[1], one)], |_| vec![c[1]])[0];
                let t = b.add(c[0], one);
                vec![t, k, flag]
            },
        )[1]
    }));
    assert_eq!(count(&kernel.function.body, &|op| matches!(op, Op::Loop { .. })), 0, "{}", print_kernel(&kernel));
    for (x, expected) in [(0, 1), (1, 2), (2, 3), (3, 4), (9, 4)] {
        assert_eq!(result(&kernel, &[x]), Ok(expected), "x = {x}");
    }
}

/// Checks left of a kernel that reads `a` at indices that `body` makes from its length.
fn checks_left(body: impl FnOnce(&mut Builder, ArrayId, Value, &mut dyn FnMut(&mut Builder, Value))) -> usize {
    let mut b = Builder::new("k");
    let a = b.slice("a", Scalar::F32, Access::Write);
    let place = here(&mut b);
    let n = b.extent(a, 0);
    let zero = b.f32(0.0);
    let mut touch = |b: &mut Builder, index: Value| {
        b.check_index(Mem::Array(a), 0, index, place);
        b.store(Mem::Array(a), index, 0, zero);
    };
    body(&mut b, a, n, &mut touch);
    let mut kernel = b.finish_kernel(1);
    passes::simplify(&mut kernel);
    passes::elide(&mut kernel);
    checks(&kernel)
}

/// How the front end counts `low..high`.
fn span(b: &mut Builder, low: Value, high: Value) -> Value {
    let (any, span, none) = (b.lt(low, high), b.sub(high, low), b.u64(0));
    b.select(any, span, none)
}

#[test]
fn loops_over_an_array_check_nothing() {
    let up = checks_left(|b, _, n, touch| {
        b.counted(n, &[], |b, t, _| {
            touch(b, t);
            vec![]
        });
    });
    let from = checks_left(|b, _, n, touch| {
        let low = b.param("low", Scalar::U64);
        let turns = span(b, low, n);
        b.counted(turns, &[], |b, t, _| {
            let j = b.add(low, t);
            touch(b, j);
            vec![]
        });
    });
    let neighbours = checks_left(|b, _, n, touch| {
        let one = b.u64(1);
        let turns = span(b, one, n);
        b.counted(turns, &[], |b, t, _| {
            let j = b.add(one, t);
            touch(b, j);
            let before = b.sub(j, one);
            touch(b, before);
            vec![]
        });
    });
    let down = checks_left(|b, _, n, touch| {
        let (zero, one) = (b.u64(0), b.u64(1));
        b.loop_(
            &[n],
            |b, c| b.lt(zero, c[0]),
            |b, c| {
                let i = b.sub(c[0], one);
                touch(b, i);
                vec![i]
            },
        );
    });
    let wrapped = checks_left(|b, _, n, touch| {
        let x = b.param("x", Scalar::U64);
        let zero = b.u64(0);
        let some = b.lt(zero, n);
        b.if_then(some, |b| {
            let i = b.rem(x, n);
            touch(b, i);
        });
    });
    assert_eq!([up, from, neighbours, down, wrapped], [0; 5]);
}

#[test]
fn what_may_wrap_stays_checked() {
    // `i + 1 < n` says nothing of an `i` that may be the largest number.
    let next = checks_left(|b, _, n, touch| {
        let (i, one) = (b.param("i", Scalar::U64), b.u64(1));
        let next = b.add(i, one);
        let inside = b.lt(next, n);
        b.if_then(inside, |b| touch(b, i));
    });
    // `0..n - 1` of an empty array is long.
    let before = checks_left(|b, _, n, touch| {
        let one = b.u64(1);
        let last = b.sub(n, one);
        b.counted(last, &[], |b, t, _| {
            touch(b, t);
            vec![]
        });
    });
    // A signed index may be negative.
    let signed = checks_left(|b, _, n, touch| {
        let (i, n32) = (b.param("i", Scalar::I32), b.cast(Scalar::I32, n));
        let inside = b.lt(i, n32);
        b.if_then(inside, |b| {
            let index = b.cast(Scalar::U64, i);
            touch(b, index);
        });
    });
    assert_eq!([next, before, signed], [1; 3]);
}

#[test]
fn certain_failures_stay() {
    let mut b = Builder::new("k");
    let place = here(&mut b);
    let no = b.bool(false);
    b.check(no, CheckKind::Assert { message: vec![] }, &[], place);
    let mut kernel = b.finish_kernel(1);
    passes::simplify(&mut kernel);
    passes::elide(&mut kernel);
    assert_eq!(checks(&kernel), 1);
}

#[test]
fn a_longer_kernel_costs_more() {
    let one = kernel_of(&[Scalar::F32], Scalar::F32, |b, p| b.pure(Builtin::Sqrt, &[p[0]]));
    let many = kernel_of(&[Scalar::F32], Scalar::F32, |b, p| {
        let turns = b.u64(1000);
        b.counted(turns, &[p[0]], |b, _, c| vec![b.pure(Builtin::Sqrt, &[c[0]])])[0]
    });
    assert!(passes::cost(&many) > 500.0 * passes::cost(&one));
}

/// Where `condition` holds of `j`, which begins as the parameter, `j` becomes `next`, as long as that goes on; then `t[j]` is
/// read in range of a local array of 32, under its check.
fn read_behind_loop(
    condition: impl FnOnce(&mut Builder, Value, Value) -> Value,
    next: impl FnOnce(&mut Builder, Value) -> Value,
) -> Kernel {
    let mut kernel = kernel_of(&[Scalar::U64], Scalar::U64, |b, p| {
        let local = b.local("t", &[Scalar::U64], 32);
        let seven = b.u64(7);
        b.fill(local, 0, seven);
        let place = here(b);
        let j = b.loop_(&[p[0]], |b, c| condition(b, p[0], c[0]), |b, c| vec![next(b, c[0])])[0];
        b.check_index(Mem::Local(local), 0, j, place);
        b.load(Mem::Local(local), j, 0)
    });
    passes::simplify(&mut kernel);
    passes::elide(&mut kernel);
    kernel
}

#[test]
fn a_loop_that_never_ran_says_nothing_of_its_condition() {
    // `while k < 10 && j != 3 { j = 3 }`, with `j` of `k` at first.
    let invariant = read_behind_loop(
        |b, k, j| {
            let (ten, three) = (b.u64(10), b.u64(3));
            let (small, other) = (b.lt(k, ten), b.ne(j, three));
            b.and(small, other)
        },
        |b, _| b.u64(3),
    );
    // `while j < 10 { j = j + 1 }`: only turns say that `j` is below 10.
    let carried = read_behind_loop(
        |b, _, j| {
            let ten = b.u64(10);
            b.lt(j, ten)
        },
        |b, j| {
            let one = b.u64(1);
            b.add(j, one)
        },
    );
    for kernel in [invariant, carried] {
        assert_eq!(result(&kernel, &[5]), Ok(7));
        let far = result(&kernel, &[1_000_000]);
        assert_eq!(checks(&kernel), 2, "the check of `t[j]` is gone; at 1000000: {far:?}\n{}", print_kernel(&kernel));
    }
}

#[test]
fn a_check_that_an_arm_has_made_needless_leaves_evidence() {
    // `if i < 3 { } else { stop }; t[i]`, where the stop is known to fail by its own condition.
    let kernel = simplified(kernel_of(&[Scalar::U64], Scalar::U64, |b, p| {
        let local = b.local("t", &[Scalar::U64], 3);
        let (seven, three) = (b.u64(7), b.u64(3));
        b.fill(local, 0, seven);
        let place = here(b);
        let inside = b.lt(p[0], three);
        let stop = |b: &mut Builder| {
            b.check(inside, CheckKind::Assert { message: vec![] }, &[], place);
            vec![]
        };
        b.if_(inside, |_| vec![], stop);
        b.check_index(Mem::Local(local), 0, p[0], place);
        b.load(Mem::Local(local), p[0], 0)
    }));
    assert_eq!(checks(&kernel), 2, "{}", print_kernel(&kernel));
    guarded(&Valid::<Kernel>::new(kernel.clone()).unwrap()).unwrap();
    assert_eq!(result(&kernel, &[2]), Ok(7));
}

#[test]
fn what_a_function_left_alone_is_not_stored_back() {
    // Both leaves of an element are loaded, one is changed, both are stored.
    let mut b = Builder::new("k");
    let cells = b.array(ArrayParam {
        name: "cells".into(),
        leaves: vec![Scalar::F32, Scalar::U32],
        rank: 1,
        strided: false,
        access: Access::Write,
        storage: Storage::Elements,
    });
    let (place, i, mem) = (here(&mut b), b.tid(0), Mem::Array(cells));
    b.check_index(mem, 0, i, place);
    let (x, count) = (b.load(mem, i, 0), b.load(mem, i, 1));
    let more = b.add(x, x);
    b.store(mem, i, 0, more);
    b.store(mem, i, 1, count);
    let kernel = simplified(b.finish_kernel(1));
    let stores = |of: u16| count_ops(&kernel, &|op| matches!(op, Op::Store { leaf, .. } if *leaf == of));
    assert_eq!([stores(0), stores(1)], [1, 0], "{}", print_kernel(&kernel));
}

fn count_ops(kernel: &Kernel, wanted: &impl Fn(&Op) -> bool) -> usize {
    count(&kernel.function.body, wanted)
}

#[test]
fn conditions_that_share_their_parts_cost_little() {
    // Sixty times `odd = (odd && !b) || (!odd && b)`: more ways through it than there are steps in a lifetime.
    let kernel = kernel_of(&[Scalar::Bool; 4], Scalar::U64, |b, p| {
        let (zero, mut odd) = (b.u64(0), p[0]);
        for k in 0..60 {
            let (no, not) = (b.not(p[k % 4]), b.not(odd));
            let (one, other) = (b.and(odd, no), b.and(not, p[k % 4]));
            odd = b.or(one, other);
        }
        let place = here(b);
        b.check(odd, CheckKind::Assert { message: vec![] }, &[], place);
        b.if_(odd, |b| vec![b.u64(5)], |_| vec![zero])[0]
    });
    let mut kernel = simplified(kernel);
    passes::elide(&mut kernel);
    // Fifteen times each: an odd number of times, so what counts is how many are true.
    assert_eq!(result(&kernel, &[0, 1, 0, 0]), Ok(5));
}

#[test]
fn chains_as_long_as_a_function_need_no_stack() {
    let long = 50_000;
    let mut b = Builder::new("k");
    let view = b.array(ArrayParam {
        name: "a".into(),
        leaves: vec![Scalar::F32],
        rank: 1,
        strided: true,
        access: Access::Write,
        storage: Storage::Elements,
    });
    let (place, i, x, yes) =
        (here(&mut b), b.param("i", Scalar::U64), b.param("x", Scalar::Bool), b.param("y", Scalar::Bool));
    let (mut all, mut sum) = (x, i);
    for _ in 0..long {
        all = b.and(all, yes);
        sum = b.add(sum, i);
    }
    b.check(all, CheckKind::Assert { message: vec![] }, &[], place);
    let negated = b.not(all);
    b.if_then(negated, |b| b.check(x, CheckKind::Assert { message: vec![] }, &[], place));
    b.load(Mem::Array(view), sum, 0);
    let mut kernel = b.finish_kernel(1);
    let valid = Valid::<Kernel>::new(kernel.clone()).unwrap();
    assert!(guarded(&valid).is_err(), "nothing shows that the sum is in range");
    passes::simplify(&mut kernel);
    passes::elide(&mut kernel);
    passes::cover(&kernel);
}

#[test]
fn a_check_that_a_loop_has_made_needless_leaves_evidence() {
    // Dividing 10 does not overflow, whatever the divisor.
    let divide = |b: &mut Builder, a: Value, d: Value| {
        let (zero, min, minus, place) = (b.i32(0), b.i32(i32::MIN), b.i32(-1), here(b));
        let some = b.ne(d, zero);
        b.check(some, CheckKind::DivideByZero, &[], place);
        let (smallest, negates) = (b.eq(a, min), b.eq(d, minus));
        let both = b.and(smallest, negates);
        let fits = b.not(both);
        b.check(fits, CheckKind::DivideOverflow, &[], place);
        b.div(a, d)
    };
    let stays_guarded = |params: &[i32], expected: i32, value: &dyn Fn(&mut Builder, &[Value]) -> Value| {
        let kernel = simplified(kernel_of(&vec![Scalar::I32; params.len()], Scalar::I32, value));
        assert_eq!(checks(&kernel), 2, "those for zero and of the array are left: {}", print_kernel(&kernel));
        guarded(&Valid::<Kernel>::new(kernel.clone()).unwrap()).unwrap_or_else(|e| panic!("{e}"));
        let params: Vec<u64> = params.iter().map(|&p| p as u32 as u64).collect();
        assert_eq!(result(&kernel, &params), Ok(expected as u32 as u64));
    };
    // `while i < 7 && x == 10 { i += x / d }`
    let invariant = |b: &mut Builder, p: &[Value]| {
        let (zero, seven, ten) = (b.i32(0), b.i32(7), b.i32(10));
        let go = |b: &mut Builder, c: &[Value]| {
            let (more, right) = (b.lt(c[0], seven), b.eq(p[0], ten));
            b.and(more, right)
        };
        let step = |b: &mut Builder, c: &[Value]| {
            let step = divide(b, p[0], p[1]);
            vec![b.add(c[0], step)]
        };
        b.loop_(&[zero], go, step)[0]
    };
    stays_guarded(&[10, 3], 9, &invariant);
    stays_guarded(&[i32::MIN, -1], 0, &invariant);
    // `while y == 10 { y = y / d }`
    stays_guarded(&[10, 3], 3, &|b, p| {
        let ten = b.i32(10);
        b.loop_(&[p[0]], |b, c| b.eq(c[0], ten), |b, c| vec![divide(b, c[0], p[1])])[0]
    });
    // `while y != 10 { y += 1 }; y / d`
    stays_guarded(&[7, 3], 3, &|b, p| {
        let (one, ten) = (b.i32(1), b.i32(10));
        let y = b.loop_(&[p[0]], |b, c| b.ne(c[0], ten), |b, c| vec![b.add(c[0], one)])[0];
        divide(b, y, p[1])
    });
}
