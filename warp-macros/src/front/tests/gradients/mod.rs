//! Gradients of kernels from source, with values by hand and from f64.

mod atomics;
mod cases;
mod checkpoints;
mod overlaps;
mod records;
mod refusals;
mod scalars;
mod sizes;

use super::harness::{Data, Source, arr};

/// Checks outputs and gradients of single precision: `(array, values)`.
#[track_caller]
fn gives(
    text: &str,
    dims: &[u64],
    arrays: &[Data],
    scalars: &[u64],
    out: &[(usize, &[f64])],
    grad: &[(usize, &[f64])],
) {
    seeded(text, dims, arrays, scalars, &[], out, grad);
}

#[track_caller]
fn seeded(
    text: &str,
    dims: &[u64],
    arrays: &[Data],
    scalars: &[u64],
    seeds: &[Option<Data>],
    out: &[(usize, &[f64])],
    grad: &[(usize, &[f64])],
) {
    let (report, gradients) =
        Source::new(text).backward(dims, arrays, scalars, seeds).unwrap_or_else(|e| panic!("{e}"));
    for (array, expected) in out {
        let found: Vec<f64> = report.get::<f32>(*array).into_iter().map(f64::from).collect();
        close("out", *array, &found, expected);
    }
    for (array, expected) in grad {
        close("gradient of", *array, &gradients[*array], expected);
    }
}

#[track_caller]
fn close(what: &str, array: usize, found: &[f64], expected: &[f64]) {
    let near = |(f, e): (&f64, &f64)| (f - e).abs() <= 1e-4 * e.abs().max(1e-2);
    let same = found.len() == expected.len() && found.iter().zip(expected).all(near);
    assert!(same, "{what} {array}: {found:?}, expected {expected:?}");
}

fn f(values: &[f32]) -> Data {
    arr(values)
}

fn zeros(count: usize) -> Data {
    arr(&vec![0.0f32; count])
}

/// What a refused kernel is told, and the user's expression that it is about.
#[track_caller]
fn refused(text: &str, dims: &[u64], arrays: &[Data], scalars: &[u64]) -> (String, Option<String>) {
    let source = Source::new(text);
    match source.backward(dims, arrays, scalars, &[]) {
        Ok(_) => panic!("it has a gradient"),
        Err(refusal) => {
            let mut kernel = source.kernel();
            warp_ir::passes::simplify(&mut kernel);
            let place = refusal.source.map(|id| kernel.function.sources[id.0 as usize].text.clone());
            (refusal.message, place)
        }
    }
}
