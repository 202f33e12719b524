//! A test of the tests: mistakes planted in lowering, each found by kernels that are compared with rustc's own reading.

use std::panic::catch_unwind;

use super::agree::agree;
use super::{control, references};
use crate::front::planted::{self, Bug};

/// Programs that are tests themselves.
const PROGRAMS: &[fn()] = &[
    control::early_return_in_nested_loops,
    control::labelled_break_and_continue,
    control::while_with_effects_in_the_condition,
    control::ranges_in_loops,
    control::iterating_over_arrays,
    control::many_guards_one_after_another,
    fields_behind_a_nested_struct,
    right_sides_run_where_they_must,
    references::loops_over_a_mutable_slice_by_its_name,
    references::reference_patterns_copy,
    references::loops_by_value_keep_what_functions_overwrite,
];

agree! { fields_behind_a_nested_struct: {
    #[derive(Clone, Copy)]
    struct Inner { a: i32, b: i32 }
    #[derive(Clone, Copy)]
    struct Outer { x: i32, inner: Inner, y: i32, z: i32 }
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut all = Outer { x: a[t], inner: Inner { a: 10, b: 200 }, y: 3000, z: 40000 };
        all.y += all.inner.a;
        out[t] = all.x + all.inner.b + all.y + all.z * 2;
    }
} 2, (a: i32 = [1, 2], out: i32 = [0; 2]), k(&a, &mut out) }

agree! { right_sides_run_where_they_must: {
    fn k(a: &[i32], out: &mut [i32]) {
        let t = tid();
        let mut n = 0;
        let small = t >= a.len() || { n += 1; a[t] < 0 };
        if small && { n += 10; t > 1 } { n += 100; }
        out[t] = n;
    }
} 4, (a: i32 = [1, -1], out: i32 = [0; 4]), k(&a, &mut out) }

/// Whether a program gives other results than Rust, or faults. A panic of the front end itself is no such thing.
fn differs(program: fn()) -> bool {
    let Err(words) = catch_unwind(program) else { return false };
    words.downcast_ref::<String>().is_some_and(|words| words.starts_with("assertion `left == right` failed"))
}

#[test]
fn mistakes_in_lowering_are_found() {
    let bugs = [
        Bug::CompoundSubtractsBackwards,
        Bug::RangeLosesLastTurn,
        Bug::ContinueBreaks,
        Bug::FieldForgetsNestedScalar,
        Bug::LogicRunsBothSides,
        Bug::GuardForgetsReturn,
        Bug::ReversedStartsInFront,
        Bug::LoopCopiesReferences,
        Bug::PatternNamesCopies,
        Bug::LoopForgetsHandedSlices,
    ];
    let found = |bug: Option<Bug>| {
        planted::set(bug);
        let found = PROGRAMS.iter().any(|program| differs(*program));
        planted::set(None);
        found
    };
    assert!(!found(None), "a program differs without any");
    let missed: Vec<Bug> = bugs.into_iter().filter(|bug| !found(Some(*bug))).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}
