//! Mistakes planted in the lowering, each found by random kernels, which all pass without it: most within a few hundred.

use warp_conformance::{Rig, agrees};
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
    let rig = Rig::new(Cpu::with_threads(1).verifying());
    let bugs = [
        Bug::CpuShiftsLogically,
        Bug::CpuForgetsShiftMask,
        Bug::CpuMinTakesNan,
        Bug::CpuCastWraps,
        Bug::CpuSwapsLanes,
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
