//! W13: what the machine does at most. `n` numbers from memory and back, or `n` multiplications with an addition each.

use rayon::prelude::*;
use warp_examples_support::failure::Outcome;
use warp_examples_support::report::Measured;

use crate::Job;

/// `a = b + 3 c`: twelve bytes a number, less what a store reads before it writes.
pub fn triad(job: &Job) -> Outcome<Measured> {
    let (b, c) = (vec![1f32; job.n], vec![2f32; job.n]);
    let part = job.part(job.n, 1, 4096);
    let sweep = |a: &mut Vec<f32>| {
        a.par_chunks_mut(part).zip(b.par_chunks(part)).zip(c.par_chunks(part)).for_each(|((a, b), c)| {
            for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
                *a = *b + 3.0 * *c;
            }
        });
    };
    job.measure(
        vec![0f32; job.n],
        |_| (),
        |a| (0..job.steps).for_each(|_| sweep(a)),
        |a| (a.iter().map(|v| f64::from(*v)).sum(), f64::from((a[job.n / 2] - 7.0).abs())),
    )
}

/// Chains of fused operations in registers, enough of them to hide how long one takes.
pub fn multiply_and_add(job: &Job) -> Outcome<Measured> {
    let turns = job.n * job.steps / (job.threads * CHAINS * LANES);
    job.measure(
        0f32,
        |_| (),
        |sum| *sum = rayon::broadcast(|_| chains(turns)).into_iter().sum(),
        |sum| (f64::from(*sum), 0.0),
    )
}

const CHAINS: usize = 12;
const LANES: usize = 16;
/// What a turn multiplies by and adds: numbers stay between 0 and 1.
const TURN: (f32, f32) = (0.999_999, 1e-6);

fn chains(turns: usize) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { widest(turns) };
    }
    let mut chains: [[f32; LANES]; CHAINS] = std::array::from_fn(|k| [start(k); LANES]);
    for _ in 0..turns {
        chains.as_flattened_mut().iter_mut().for_each(|v| *v = v.mul_add(TURN.0, TURN.1));
    }
    chains.iter().map(|chain| chain[0]).sum()
}

/// Sixteen numbers at once, which compilers do not choose by themselves.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn widest(turns: usize) -> f32 {
    use std::arch::x86_64::{_mm512_cvtss_f32, _mm512_fmadd_ps, _mm512_set1_ps};
    let (factor, summand) = (_mm512_set1_ps(TURN.0), _mm512_set1_ps(TURN.1));
    let mut chains: [_; CHAINS] = std::array::from_fn(|k| _mm512_set1_ps(start(k)));
    for _ in 0..turns {
        for chain in &mut chains {
            *chain = _mm512_fmadd_ps(*chain, factor, summand);
        }
    }
    chains.into_iter().map(|chain| _mm512_cvtss_f32(chain)).sum()
}

fn start(k: usize) -> f32 {
    0.5 + k as f32 * 1e-3
}
