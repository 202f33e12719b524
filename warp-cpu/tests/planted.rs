//! Mistakes planted in the lowering, each found by random kernels, which all pass without it: most within a few hundred.

use std::panic::{AssertUnwindSafe, catch_unwind};

use warp_conformance::{ALL, Rig, agrees};
use warp_cpu::Cpu;
use warp_ir::planted::{self, Bug};
use warp_ir::random;

/// Seeds tried for each mistake.
const SEEDS: std::ops::Range<u64> = 2_000_000..2_010_000;

/// The first kernel that gives a mistake away: it fails with it, and passes without.
fn found(rig: &Rig, bug: Bug) -> Option<u64> {
    SEEDS.into_iter().find(|&seed| {
        let kernel = random::kernel(seed);
        planted::set(Some(bug));
        let with = agrees(rig, &kernel, seed, 1);
        planted::set(None);
        with.is_err() && agrees(rig, &kernel, seed, 1).is_ok()
    })
}

#[test]
fn planted_bugs_of_the_lowering_are_found() {
    // On the machine thread of the test, where the mistake is planted.
    let rig = Rig::new(Cpu::with_threads(1).verifying().scalar());
    let bugs = [
        Bug::CpuShiftsLogically,
        Bug::CpuForgetsShiftMask,
        Bug::CpuMinTakesNan,
        Bug::CpuCastWraps,
        Bug::CpuForgetsLoopResults,
        Bug::CpuReportsLastFault,
        Bug::CpuIgnoresFault,
        Bug::CpuShiftsOffsets,
        Bug::CpuMisnumbersThreads,
        Bug::CpuComparesSigned,
        Bug::CpuAtomicGivesNew,
        Bug::CpuSharesLocals,
        Bug::CpuZeroExtends,
        Bug::CpuFillsTooLittle,
        Bug::CpuKeepsConditionAfterLoop,
    ];
    let missed: Vec<Bug> = bugs.into_iter().filter(|&bug| found(&rig, bug).is_none()).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// Random kernels seldom have two divisions side by side, or guards.
#[test]
fn checks_of_neighbouring_ops_find_swapped_lanes_and_untested_guards() {
    let rig = Rig::new(Cpu::with_threads(1).verifying().scalar());
    let finds = |bug: Bug, name: &str| {
        planted::set(Some(bug));
        let check = ALL.iter().find(|check| check.name == format!("quotients::{name}"));
        let found = catch_unwind(AssertUnwindSafe(|| (check.expect("it is in the list").run)(&rig))).is_err();
        planted::set(None);
        found
    };
    let divide = ["with_a_shared_divisor", "with_divisors_of_their_own", "roots"];
    let mixed = ["that_depend_on_each_other", "with_other_ops_between", "of_both_widths"];
    for name in divide.into_iter().chain(mixed) {
        assert!(finds(Bug::CpuSwapsLanes, name), "{name}");
    }
    assert!(finds(Bug::CpuTestsFirstGuard, "with_guards"));
}
