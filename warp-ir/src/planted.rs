//! Planted bugs: mistakes that passes, backends and the validator make on request, so that tests can show that the test
//! suites find them. Without the feature `testing` none can be asked for, and [`is`] is a constant.

/// A mistake that can be asked for. The name says where and what.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bug {
    /// Folding subtracts the other way round.
    FoldSubtractsBackwards,
    /// `x + 0.0` becomes `x`, also for `-0.0`.
    FoldAddsZeroAway,
    /// What an arm of an `If` knows of its condition is believed after it too.
    FoldKeepsFactsOfArms,
    /// `if !c` becomes `if c` with the arms left in place.
    FoldForgetsToSwapArms,
    /// An `If` with a division becomes a select, and the division runs unguarded.
    FoldSpeculatesDivision,
    /// A loop's condition is believed to hold after the loop.
    FoldTrustsConditionAfterLoop,
    /// `a - b` and `b - a` are taken for one.
    CommonSubtractionCommutes,
    /// Casts of one value to different types are taken for one.
    CommonIgnoresResultType,
    /// Values of a nested region are reused after it.
    CommonLeaksFromRegions,
    /// Unused prints go.
    DeadDropsPrints,
    /// Checks go.
    DeadDropsChecks,
    /// A local array's stores inside loops go, though it is read.
    DeadDropsLocalStores,
    /// Atomics whose old value is unused go.
    DeadDropsAtomics,
    /// Ops are taken out of a loop though they depend on what it carries.
    HoistIgnoresCarriedValues,
    /// Loops are unrolled one turn short.
    UnrollStopsEarly,
    /// A load takes the value of an earlier load, past a store between.
    ForwardPassesStores,
    /// A load takes the value of a store to another leaf.
    ForwardIgnoresLeaf,
    /// A promoted element is not written back.
    PromoteForgetsStore,
    /// A product is contracted into a sum though something else needs it rounded.
    ContractSharedProduct,
    /// `a * b - c` becomes `fma(a, b, c)`.
    ContractForgetsSign,
    /// An `If` that an earlier one decides goes into the wrong arm.
    ThreadTakesOtherArm,
    /// What an arm of an `If` knows of its condition is believed by elision after it too.
    ElideKeepsFactsOfArms,
    /// `<=` counts as `<` when checks are elided.
    ElideTakesEqualForLess,
    /// `a - b` is taken to be at most `a`, also where it wraps.
    ElideForgetsWrap,
    /// Carried values are taken never to fall below their first value.
    ElideTrustsCounters,
    /// What a loop's condition says of invariant values is believed by elision of a loop that ran no turn.
    ElideTrustsConditionAfterLoop,
    /// A covered variant names one of its conditions only.
    CoverForgetsCondition,
    LengthsForgetCondition,
    LengthsTrustArms,
    /// The validator lets values be used outside their region.
    ValidateIgnoresScope,
    /// The validator lets read-only arrays be stored to.
    ValidateIgnoresAccess,
    /// A check against the extent of the first dimension is enough.
    GuardIgnoresDimension,
    /// A check after the branch counts as one before it.
    GuardKeepsFactsOfArms,
    /// `<=` counts as `<`.
    GuardTakesEqualForLess,
    /// Divisions of `MIN / -1` need no check.
    GuardForgetsOverflow,
    /// A branch that only passes values on is left out of the reverse sweep.
    AdjointForgetsPassThrough,
    /// A store leaves the gradient of what it overwrote in place.
    AdjointKeepsOverwritten,
    /// The reverse of a branch takes the other arm.
    AdjointTakesOtherArm,
    /// A turn starts from the state of the turn after it.
    AdjointRestoresLateState,
    /// Carried values that only count are taken to be where the last turn left them.
    AdjointForgetsClosedForms,
    /// Local arrays are no part of a turn's state.
    AdjointForgetsLocals,
    /// Own stores are not taken back.
    AdjointTakesNothingBack,
    /// A value from outside a loop gets the gradient of one turn alone.
    AdjointForgetsTurns,
    /// Filling a local array leaves its adjoints.
    AdjointForgetsFill,
    /// Every thread whose value is the maximum gets all of its gradient.
    AdjointSharesMaximum,
    /// Loads see the array before the launch, though an own store came before.
    AdjointReadsBefore,
    /// Derivatives of the user's own are left out.
    AdjointForgetsCustom,
    /// Signed right shifts are logical on the CPU.
    CpuShiftsLogically,
    /// Shift amounts are not masked on the CPU (8 and 16 bits).
    CpuForgetsShiftMask,
    /// `min` of a number and NaN is NaN on the CPU.
    CpuMinTakesNan,
    /// Casts from float to small integers wrap on the CPU.
    CpuCastWraps,
    /// Divisions that share an instruction get each other's results.
    CpuSwapsLanes,
    CpuTestsFirstGuard,
    /// The results of a loop are what it began with, on the CPU.
    CpuForgetsLoopResults,
    /// The fault of the last thread is reported on the CPU.
    CpuReportsLastFault,
    /// Assertions stop their thread on the CPU, and nobody hears of it.
    CpuIgnoresFault,
    /// Every leaf is taken from the offset of the first on the CPU.
    CpuShiftsOffsets,
    /// Threads are numbered by their first coordinate alone on the CPU.
    CpuMisnumbersThreads,
    /// Unsigned comparisons of less than 64 bits are signed on the CPU.
    CpuComparesSigned,
    /// An atomic gives the new value on the CPU.
    CpuAtomicGivesNew,
    /// All local arrays of a kernel lie at one place on the CPU.
    CpuSharesLocals,
    /// Signed integers are widened with zeros on the CPU.
    CpuZeroExtends,
    /// A fill leaves the last sixteen bytes out on the CPU.
    CpuFillsTooLittle,
    /// What an arm at the end of a loop's body knows of its condition is believed after the loop, on the CPU.
    CpuKeepsConditionAfterLoop,
    /// Groups of threads on the CPU go on where a check fails.
    CpuGroupsSkipChecks,
    /// At a branch all threads of a group on the CPU go where the first one goes.
    CpuGroupsFollowTheFirst,
    /// Threads of a group on the CPU load what an element held before they wrote to it.
    CpuGroupsForgetWrites,
    /// The last thread of a group on the CPU writes first.
    CpuGroupsWriteBackwards,
    /// The last threads of a launch on the CPU do not run where they are no whole group.
    CpuGroupsForgetTheTail,
    /// Threads of a group on the CPU that have left a loop go on changing what they carry.
    CpuGroupsForgetLeavers,
    /// Threads of a group on the CPU write in arms that they do not go through.
    CpuGroupsWriteUnmasked,
    /// Threads that are not here write to arrays of their own, too.
    CpuGroupsStoreForAll,
    /// Groups that run side by side have one array of their own together.
    CpuGroupsShareOwn,
    /// Threads of a group on the CPU stay in a loop that they break out of.
    CpuGroupsForgetExits,
    /// After arms that threads of a group on the CPU took apart, all have what the first arm gave.
    CpuGroupsMixArms,
    /// The first of the last threads of a launch on the CPU that are no whole group does not run.
    CpuGroupsSkipOneOfTheTail,
    /// Lanes on the CPU that take up another thread go on with what the last one read from outside of the loop.
    CpuRefillsKeepValues,
    /// Lanes on the CPU that take up another thread lay down the results of the last one in its neighbour's place.
    CpuRefillsSwapPlaces,
    /// When lanes on the CPU take up other threads, one thread is left out.
    CpuRefillsSkipThreads,
    /// Shift amounts are not masked in PTX.
    PtxForgetsShiftMask,
    /// Values handed to the next turn or out of a branch are copied one after another in PTX.
    PtxCopiesInOrder,
    /// A turn's last value is written where its first one lies, which is still needed, in PTX.
    PtxOverwritesTooEarly,
    /// Every index is taken to fit in 32 bits in PTX.
    PtxTakesAllForShort,
    /// The first two coordinates are exchanged in PTX.
    PtxSwapsCoordinates,
    /// Every thread that lowers the key of the fault block writes its operands, at any time, in PTX.
    PtxTellsOfOthers,
    /// Addresses computed in an arm of a branch are used after it in PTX.
    PtxLeaksAddresses,
    /// Addresses are counted from sums of which only the lower half is known, and which are no index of any access.
    PtxCountsFromHalves,
    /// Results of 8 and 16 bits are left as they come out in PTX.
    PtxLeavesOverflow,
    /// A negated truth is taken for the truth in a branch of PTX.
    PtxForgetsNot,
    /// Atomics on bytes write the bytes beside them in PTX.
    PtxWritesNeighbours,
}

#[cfg(feature = "testing")]
thread_local! {
    static PLANTED: std::cell::Cell<Option<Bug>> = const { std::cell::Cell::new(None) };
}

/// Plants a bug for this thread, or none.
#[cfg(feature = "testing")]
pub fn set(bug: Option<Bug>) {
    PLANTED.set(bug);
}

/// Whether any bug is planted in this thread.
#[cfg(feature = "testing")]
pub fn any() -> bool {
    PLANTED.get().is_some()
}

/// Whether this bug is planted in this thread.
#[cfg(feature = "testing")]
pub fn is(bug: Bug) -> bool {
    PLANTED.get() == Some(bug)
}

/// Whether this bug is planted: never, without the feature `testing`.
#[cfg(not(feature = "testing"))]
#[inline(always)]
pub const fn is(_bug: Bug) -> bool {
    false
}
