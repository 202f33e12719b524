//! Gradients where something is exactly zero or infinite, and gradients that something hides: each of these kernels once
//! had a wrong one.

use warp_ir::differentiate::{Options, Refusal, differentiate, tangent};
use warp_ir::evaluate::{Array, Inputs, run};
use warp_ir::ir::{Kernel, Op};
use warp_ir::validate::Valid;

use super::harness::{Data, Source, arr, fill};

/// The gradients of single precision arrays, with ones as seeds.
fn gradients(text: &str, arrays: &[Data], scalars: &[u64]) -> Result<Vec<Vec<f64>>, Refusal> {
    Source::new(text).backward(&[1], arrays, scalars, &[]).map(|(_, gradients)| gradients)
}

#[track_caller]
fn gives(text: &str, arrays: &[Data], expected: &[f64]) {
    let found = gradients(text, arrays, &[]).unwrap_or_else(|e| panic!("{e}"));
    let near = |(f, e): (&f64, &f64)| (f - e).abs() <= 1e-5 * e.abs();
    let same = found[0].len() == expected.len() && found[0].iter().zip(expected).all(near);
    assert!(same, "{:?}, expected {expected:?}", found[0]);
}

fn simplified(text: &str) -> Valid<Kernel> {
    let mut kernel = Source::new(text).kernel();
    warp_ir::passes::simplify(&mut kernel);
    Valid::<Kernel>::new(kernel).unwrap_or_else(|e| panic!("{e}"))
}

/// The second derivative of `y[0]` by `x[0]`: the tangent of the gradient.
#[track_caller]
fn second(text: &str, x: f64, expected: f64) {
    let kernel = simplified(text);
    let adjoint = differentiate(&kernel, &Options::of(&kernel)).unwrap_or_else(|e| panic!("{e}"));
    let twice = tangent(&adjoint.kernel).unwrap_or_else(|e| panic!("{e}"));
    let one = |k: usize, value: f64| fill(&twice.kernel.function.arrays[k], &arr(&[value]));
    let mut arrays: Vec<Array> = (0..twice.kernel.function.arrays.len()).map(|k| one(k, 0.0)).collect();
    let gradient = |k: usize| adjoint.arrays[k].gradient.unwrap().0 as usize;
    arrays[0] = one(0, x);
    arrays[gradient(1)] = one(gradient(1), 1.0);
    let moved = twice.arrays[0].unwrap().0 as usize;
    arrays[moved] = one(moved, 1.0);
    let mut inputs = Inputs { dims: vec![1], arrays, ..Inputs::default() };
    let outcome = run(&twice.kernel, &mut inputs, 1 << 20).unwrap();
    assert!(outcome.fault.is_none(), "{:?}", outcome.fault);
    let result = twice.arrays[gradient(0)].unwrap().0 as usize;
    let found = f64::from_bits(inputs.arrays[result].get(&twice.kernel.function.arrays[result], 0, 0).unwrap());
    assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{found}, expected {expected}");
}

#[test]
fn second_derivatives_where_the_adjoint_is_zero() {
    let exponential = "fn k(x: &[f64], y: &mut [f64]) { let i = tid(); let d = x[i].exp() - 1.0; y[i] = d * d; }";
    second(exponential, 0.0, 2.0);
    let root = "fn k(x: &[f64], y: &mut [f64]) { let i = tid(); let d = x[i].sqrt() - 2.0; y[i] = d * d; }";
    second(root, 4.0, 0.125);
    let quotient = "fn k(x: &[f64], y: &mut [f64]) { let i = tid(); let d = 1.0 / x[i] - 0.5; y[i] = d * d; }";
    second(quotient, 2.0, 0.125);
    let chosen = "fn k(x: &[f64], y: &mut [f64]) {
        let i = tid();
        let d = x[i] * x[i] - 4.0;
        y[i] = if x[i] > 0.0 { d * d } else { 0.0 };
    }";
    second(chosen, 2.0, 32.0);
}

/// What is computed before a branch and used only in the arm that did not run has an adjoint of zero, which meets an
/// infinite factor here.
#[test]
fn values_that_go_unused_make_no_nan() {
    let arrays = |x: f32| [arr(&[x]), arr(&[0f32])];
    let branch = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        let r = x[i] * (1.0 / x[i]);
        out[i] = if x[i] > 0.0 { r * r } else { 3.0 * x[i] };
    }";
    gives(branch, &arrays(0.0), &[3.0]);
    let statement = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        let r = x[i] * (1.0 / x[i]);
        let mut y = 3.0 * x[i];
        if x[i] > 0.0 { y += r.sin(); }
        out[i] = y;
    }";
    gives(statement, &arrays(0.0), &[3.0]);
    let carried = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        let mut p = x[i] * (1.0 / x[i]);
        let mut j = 0;
        while j < 3 { if p.is_nan() { p = x[i]; } else { p = 2.0 * x[i]; } j += 1; }
        out[i] = p;
    }";
    gives(carried, &arrays(0.0), &[2.0]);
    let never = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        let p = x[i] * (1.0 / x[i]);
        let mut sum = x[i];
        for j in 0..x[i] as usize { sum += p * j as f32; }
        out[i] = sum;
    }";
    gives(never, &arrays(0.0), &[1.0]);
    let limited = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        let p = if x[i] < 1.0 { x[i] * (1.0 / x[i]) } else { 1.0 };
        out[i] = x[i] + p.max(2.0);
    }";
    gives(limited, &arrays(0.0), &[1.0]);
    let overwritten = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        let mut a = [x[i] * (1.0 / x[i]), 1.0];
        a[x[i] as usize % 2] = x[i];
        out[i] = a[0] + a[1];
    }";
    gives(overwritten, &arrays(0.0), &[1.0]);
}

#[test]
fn atomics_on_local_arrays() {
    let arrays = || [arr(&[1f32, 2., 3.]), arr(&[0u32, 1, 0]), arr(&[0f32])];
    let sums = "fn k(x: &[f32], ids: &[u32], out: &mut [f32]) {
        let i = tid();
        let mut bins = [0.0f32; 4];
        for j in 0..3 { atomic_add(&mut bins[ids[j] as usize % 4], x[j]); }
        out[i] = bins[0] * bins[0];
    }";
    gives(sums, &arrays(), &[8., 0., 8.]);
    let old = "fn k(x: &[f32], ids: &[u32], out: &mut [f32]) {
        let i = tid();
        let mut bins = [0.0f32; 4];
        let mut sum = 0.0;
        for j in 0..3 { let before = atomic_sub(&mut bins[ids[j] as usize % 4], x[j]); sum += before * x[j]; }
        out[i] = sum;
    }";
    // The sum is -x0 * x2.
    gives(old, &arrays(), &[-3., 0., -1.]);
    let swapped = "fn k(x: &[f32], ids: &[u32], out: &mut [f32]) {
        let i = tid();
        let mut last = [1.0f32; 2];
        let mut sum = 0.0;
        for j in 0..3 { sum += x[j] * atomic_exchange(&mut last[ids[j] as usize % 2], x[j]); }
        out[i] = sum;
    }";
    // The sum is x0 + x1 + x2 * x0.
    gives(swapped, &arrays(), &[4., 1., 1.]);
}

#[test]
fn remainders_know_their_exact_quotient() {
    let by_divisor = "fn k(x: &[f32], out: &mut [f32]) { let i = tid(); out[i] = 1.0 % x[i]; }";
    gives(by_divisor, &[arr(&[0.1f32]), arr(&[0f32])], &[-9.]);
}

#[test]
fn slopes_of_flat_tails() {
    let text = "fn k(x: &[f32], out: &mut [f32]) { let i = tid(); out[i] = x[i].tanh(); }";
    // 1 / cosh(9)^2 and 1 / cosh(20)^2.
    gives(text, &[arr(&[9f32]), arr(&[0f32])], &[6.091_991_8e-8]);
    gives(text, &[arr(&[-20f32]), arr(&[0f32])], &[1.699_341_7e-17]);
    let text = "fn k(x: &[f32], out: &mut [f32]) { let i = tid(); out[i] = x[i].exp_m1(); }";
    gives(text, &[arr(&[-20f32]), arr(&[0f32])], &[2.061_153_6e-9]);
}

#[test]
fn a_tie_gives_to_the_operand_that_was_written_first() {
    let text = "fn k(x: &[f32], z: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = 2.0 * x[i].min(z[i]) + 3.0 * z[i].min(x[i]);
    }";
    gives(text, &[arr(&[1f32]), arr(&[1f32]), arr(&[0f32])], &[2.]);
}

#[test]
fn numbers_as_bits_are_refused() {
    let masked = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = f32::from_bits((x[i].to_bits() as u64 & 0x7fff_ffff) as u32);
    }";
    let added = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = f32::from_bits((x[i].to_bits() & 0x7f_ffff) + 0x3f80_0000);
    }";
    let turned = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        let mut b = x[i].to_bits();
        for _ in 0..x[i] as usize { b ^= 0x8000_0000; }
        out[i] = f32::from_bits(b);
    }";
    let stored = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        let mut b = [0u32; 2];
        b[x[i] as usize % 2] = x[i].to_bits();
        out[i] = f32::from_bits(b[out[i] as usize % 2]);
    }";
    for text in [masked, added, turned, stored] {
        let refused = gradients(text, &[arr(&[2f32]), arr(&[0f32])], &[]).expect_err(text);
        assert!(refused.message.contains("taken apart into bits"), "{refused}");
        let refused = tangent(&simplified(text)).expect_err(text);
        assert!(refused.message.contains("taken apart into bits"), "{refused}");
    }
    // What decides something by its bits has none of their derivative, and needs none.
    let decided = "fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = if x[i].to_bits() >> 31 == 1 { -x[i] } else { 2.0 * x[i] };
    }";
    gives(decided, &[arr(&[-2f32]), arr(&[0f32])], &[-1.]);
}

/// Threads may see the value and its tangent in different orders.
#[test]
fn forward_mode_refuses_atomics_that_depend_on_the_order_of_threads() {
    let exchange = "fn k(x: &[f32], slot: &mut [f32]) { let i = tid(); atomic_exchange(&mut slot[0], x[i]); }";
    let old = "fn k(x: &[f32], s: &mut [f32], y: &mut [f32]) {
        let i = tid();
        let old = atomic_add(&mut s[0], x[i]);
        y[i] = old * old;
    }";
    assert!(tangent(&simplified(exchange)).expect_err("exchange").message.contains("no derivative"));
    assert!(tangent(&simplified(old)).expect_err("old").message.contains("order of threads"));
    let sum = "fn k(x: &[f32], s: &mut [f32]) { let i = tid(); atomic_add(&mut s[0], x[i]); }";
    assert!(tangent(&simplified(sum)).is_ok());
}

/// Each instance of a generic function brings its own list of sources.
#[test]
fn forward_mode_through_sources_that_are_listed_twice() {
    let text = "fn k(x: &[f32], y: &mut [f32]) { let i = tid(); y[i] = x[i] * x[i]; }";
    let mut kernel = simplified(text).into_inner();
    let count = kernel.function.sources.len();
    kernel.function.sources.extend(kernel.function.sources.clone());
    for op in &mut kernel.function.body.ops {
        if let Op::Check { source, .. } = op {
            source.0 += count as u32;
        }
    }
    let tangent = tangent(&Valid::<Kernel>::new(kernel).unwrap()).unwrap_or_else(|e| panic!("{e}"));
    let one = |k: usize, value: f32| fill(&tangent.kernel.function.arrays[k], &arr(&[value]));
    let arrays = vec![one(0, 2.0), one(1, 0.0), one(2, 1.0), one(3, 0.0)];
    let mut inputs = Inputs { dims: vec![2], arrays, ..Inputs::default() };
    let fault = run(&tangent.kernel, &mut inputs, 1000).unwrap().fault.expect("two threads for one element");
    assert_eq!(tangent.kernel.function.sources[fault.source.0 as usize].text, "x[i]");
}
