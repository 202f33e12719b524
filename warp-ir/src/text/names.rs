//! Words of the text form that stand for variants.

use crate::ir::{AtomicKind, CheckKind};

const ATOMICS: [(AtomicKind, &str); 9] = [
    (AtomicKind::Add, "add"),
    (AtomicKind::Sub, "sub"),
    (AtomicKind::Min, "min"),
    (AtomicKind::Max, "max"),
    (AtomicKind::And, "and"),
    (AtomicKind::Or, "or"),
    (AtomicKind::Xor, "xor"),
    (AtomicKind::Exchange, "exchange"),
    (AtomicKind::CompareExchange, "compare_exchange"),
];

pub(super) fn atomic_name(kind: AtomicKind) -> &'static str {
    ATOMICS.iter().find(|a| a.0 == kind).map_or("", |a| a.1)
}

pub(super) fn atomic_from_name(name: &str) -> Option<AtomicKind> {
    ATOMICS.iter().find(|a| a.1 == name).map(|a| a.0)
}

/// The word of a check's kind; its parameters follow.
pub(super) fn check_name(kind: &CheckKind) -> &'static str {
    match kind {
        CheckKind::Index { .. } => "index",
        CheckKind::SliceRange { .. } => "slice_range",
        CheckKind::DivideByZero => "divide_by_zero",
        CheckKind::DivideOverflow => "divide_overflow",
        CheckKind::ClampBounds => "clamp_bounds",
        CheckKind::StepZero => "step_zero",
        CheckKind::Unwrap { .. } => "unwrap",
        CheckKind::Assert { .. } => "assert",
    }
}
