//! Writes a program of random kernels.

use std::fmt::Write;
use std::ops::Range;

use crate::generate;
use crate::text::{Numbers, parameters};

/// A whole `main.rs` with the kernels of these seeds.
pub fn program(seeds: Range<u64>) -> String {
    let mut out = String::from(
        "#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals, clippy::all)]\n\
         use warp::prelude::*;\nuse warp_random_source::{bounded::*, case, harness, shared::*};\n",
    );
    for seed in seeds.clone() {
        let body = generate::program(seed).body;
        let (real, bounded) = (Numbers::Real, Numbers::Bounded);
        let (real_text, real_parameters) = (real.block(&body), parameters(real));
        let _ = write!(
            out,
            "mod k{seed} {{\nuse super::*;\n\
             #[kernel(no_fma)]\npub fn exact({real_parameters}) {real_text}\n"
        );
        if is_contracted(seed) {
            let _ = write!(
                out,
                "#[kernel]\npub fn fused({real_parameters}) {real_text}\n\
                 pub fn bounded(__thread: usize, {}) {{\nlet tid = || __thread;\n{}\n}}\n",
                parameters(bounded),
                bounded.block(&body)
            );
        }
        out += "}\n";
    }
    out += "fn main() {\nharness::main(&[\n";
    for seed in seeds {
        let kind = if is_contracted(seed) { "contracted" } else { "exact" };
        let _ = writeln!(out, "case!({kind} k{seed}, {seed}),");
    }
    out + "]);\n}\n"
}

/// Whether a kernel is also compiled with contraction, and as a function of bounded numbers: three of five, since that
/// costs more than the rest and most of what random source finds shows without.
fn is_contracted(seed: u64) -> bool {
    seed % 5 < 3
}
