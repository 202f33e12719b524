//! Kernels as the front end lowers them, and what is left of them.

mod workloads;

use super::*;
use crate::builder::Builder;
use crate::ir::*;
use crate::text::print_kernel;

/// Ops of a region and those nested in it that `wanted` picks.
fn count(region: &Region, wanted: &impl Fn(&Op) -> bool) -> usize {
    let nested = |op: &Op| op.shape().regions.into_iter().map(|r| count(r, wanted)).sum::<usize>();
    region.ops.iter().map(|op| wanted(op) as usize + nested(op)).sum()
}

fn checks(kernel: &Kernel) -> usize {
    count(&kernel.function.body, &|op| matches!(op, Op::Check { .. }))
}

fn place(b: &mut Builder) -> SourceId {
    b.source(Source { file: "k.rs".into(), line: 1, column: 1, text: "here".into() })
}
