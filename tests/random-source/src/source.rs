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
             #[kernel(no_fma)]\npub fn exact({real_parameters}) {real_text}\n\
             #[kernel]\npub fn fused({real_parameters}) {real_text}\n\
             pub fn bounded(__thread: usize, {}) {{\nlet tid = || __thread;\n{}\n}}\n}}\n",
            parameters(bounded),
            bounded.block(&body)
        );
    }
    out += "fn main() {\nharness::main(&[\n";
    for seed in seeds {
        let _ = writeln!(out, "case!(k{seed}, {seed}),");
    }
    out + "]);\n}\n"
}
