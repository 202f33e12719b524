//! Passes change nothing that can be seen: random kernels do the same before and after, to the bit.

use std::panic::{RefUnwindSafe, catch_unwind};

use warp_ir::evaluate::{self, Inputs, Outcome};
use warp_ir::ir::{CheckKind, Function, Kernel, Mem, Op, Region};
use warp_ir::passes;
use warp_ir::planted::{self, Bug};
use warp_ir::random::{self, STEPS};
use warp_ir::text::print_kernel;
use warp_ir::validate::{Valid, guarded};

/// What a launch leaves behind, with places and local arrays named as the original names them.
fn launch(original: &Kernel, kernel: &Valid<Kernel>, inputs: &Inputs) -> Result<(Inputs, Outcome), String> {
    let mut inputs = inputs.clone();
    let mut outcome = evaluate::run(kernel, &mut inputs, STEPS * 4).map_err(|e| e.to_string())?;
    if let Some(fault) = &mut outcome.fault {
        let source = &kernel.function.sources[fault.source.0 as usize];
        let at = original.function.sources.iter().position(|s| s == source).ok_or("a place is new")?;
        fault.source.0 = at as u32;
        if let CheckKind::Index { mem: Mem::Local(local), .. } | CheckKind::SliceRange { mem: Mem::Local(local) } =
            &mut fault.kind
        {
            let name = &kernel.function.locals[local.0 as usize].name;
            let at = original.function.locals.iter().position(|l| l.name == *name).ok_or("a local is new")?;
            local.0 = at as u32;
        }
    }
    Ok((inputs, outcome))
}

fn compare(original: &Valid<Kernel>, changed: &Kernel, inputs: &Inputs) -> Result<(), String> {
    let changed = Valid::<Kernel>::new(changed.clone()).map_err(|e| e.to_string())?;
    // What made a kernel smaller may have made it endless; that is not what the test is about.
    let Ok((expected, expected_outcome)) = launch(original, original, inputs) else { return Ok(()) };
    let (found, found_outcome) = launch(original, &changed, inputs)?;
    random::same(original, (&expected, &expected_outcome), (&found, &found_outcome))
}

/// A pass or several, on a kernel that will be launched on these inputs.
trait Change: Fn(&mut Kernel, &Inputs) -> Result<(), String> + Sync + RefUnwindSafe {}

impl<F: Fn(&mut Kernel, &Inputs) -> Result<(), String> + Sync + RefUnwindSafe> Change for F {}

/// The kernel after the change and whether it still does the same; a panic of a pass is a failure too.
fn changed(original: &Valid<Kernel>, seed: u64, change: &impl Change) -> (Kernel, Result<(), String>) {
    let inputs = random::inputs(original, seed);
    let result = catch_unwind(|| {
        let mut kernel = (**original).clone();
        let done = change(&mut kernel, &inputs);
        (kernel, done)
    });
    match result {
        Err(panic) => {
            let message = panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "a pass panicked".into());
            ((**original).clone(), Err(message))
        }
        Ok((kernel, Err(message))) => (kernel, Err(message)),
        Ok((kernel, Ok(()))) => {
            let same = compare(original, &kernel, &inputs);
            (kernel, same)
        }
    }
}

fn holds(name: &str, change: impl Change) {
    let count = random::count(4_000);
    if let Err((seed, message)) = random::search(0, count, |seed| changed(&random::kernel(seed), seed, &change).1) {
        let small = random::minimise(&random::kernel(seed), |k| changed(k, seed, &change).1.is_err());
        let (after, small_message) = changed(&small, seed, &change);
        let (small, after) = (print_kernel(&small), print_kernel(&after));
        panic!("{name}, seed {seed}: {message}\nsmall: {small_message:?}\n{small}\nbecomes\n{after}");
    }
}

#[test]
fn simplified_kernels_do_the_same_and_stay_guarded() {
    holds("simplify", |kernel, _| {
        passes::simplify(kernel);
        let valid = Valid::<Kernel>::new(kernel.clone()).map_err(|e| e.to_string())?;
        guarded(&valid).map_err(|e| e.to_string())
    });
}

#[test]
fn specialized_kernels_do_the_same() {
    holds("specialize", |kernel, inputs| {
        passes::specialize(kernel, &inputs.slots);
        Ok(())
    });
}

#[test]
fn kernels_without_needless_checks_do_the_same() {
    holds("elide", |kernel, _| {
        passes::simplify(kernel);
        passes::elide(kernel);
        Ok(())
    });
}

#[test]
fn covered_launches_need_fewer_checks() {
    let covered = std::sync::atomic::AtomicU64::new(0);
    holds("cover", |kernel, inputs| {
        passes::simplify(kernel);
        passes::elide(kernel);
        if let Some((variant, covers)) = passes::cover(kernel)
            && covers.iter().all(|cover| is_covered(inputs, cover))
        {
            covered.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            *kernel = variant;
        }
        Ok(())
    });
    assert!(covered.into_inner() > 100, "hardly any launch was covered");
}

#[test]
fn launches_of_long_arrays_need_fewer_checks() {
    let even = std::sync::atomic::AtomicU64::new(0);
    holds("compare lengths", |kernel, inputs| {
        passes::simplify(kernel);
        passes::elide(kernel);
        if let Some((variant, lengths)) = passes::compare_lengths(kernel)
            && lengths.iter().all(|lengths| are_long(inputs, lengths))
        {
            assert!(checks(&variant.function.body) < checks(&kernel.function.body));
            even.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            *kernel = variant;
        }
        Ok(())
    });
    assert!(even.into_inner() > 100, "hardly any launch had long arrays");
}

fn is_covered(inputs: &Inputs, cover: &passes::Cover) -> bool {
    let extents = &inputs.arrays[cover.array.0 as usize].extents;
    inputs.dims[cover.tid_dim as usize] <= extents[cover.dim as usize]
}

fn are_long(inputs: &Inputs, lengths: &passes::AtLeast) -> bool {
    let extent = |(array, dim): passes::Dimension| inputs.arrays[array.0 as usize].extents[dim as usize];
    extent(lengths.short) <= extent(lengths.long)
}

fn checks(region: &Region) -> usize {
    let nested = |op: &Op| op.shape().regions.into_iter().map(checks).sum::<usize>();
    region.ops.iter().map(|op| matches!(op, Op::Check { .. }) as usize + nested(op)).sum()
}

#[test]
fn passes_make_kernels_smaller() {
    let size = |f: &Function| f.values.len();
    let (mut before, mut after, mut kept, mut left) = (0, 0, 0, 0);
    for seed in 0..300 {
        let mut kernel = (*random::kernel(seed)).clone();
        before += size(&kernel.function);
        kept += checks(&kernel.function.body);
        passes::simplify(&mut kernel);
        passes::elide(&mut kernel);
        after += size(&kernel.function);
        left += checks(&kernel.function.body);
    }
    println!("values {before} -> {after}, checks {kept} -> {left}");
    assert!(after * 10 < before * 9 && left * 10 < kept * 9);
}

/// All that passes do to a kernel, for inputs that are known.
fn everything(kernel: &mut Kernel, inputs: &Inputs) {
    passes::simplify(kernel);
    passes::specialize(kernel, &inputs.slots);
    passes::elide(kernel);
    if let Some((variant, covers)) = passes::cover(kernel)
        && covers.iter().all(|cover| is_covered(inputs, cover))
    {
        *kernel = variant;
    }
    if let Some((variant, lengths)) = passes::compare_lengths(kernel)
        && lengths.iter().all(|lengths| are_long(inputs, lengths))
    {
        *kernel = variant;
    }
}

#[test]
fn planted_bugs_of_passes_are_found() {
    use Bug::*;
    let bugs = [
        FoldSubtractsBackwards,
        FoldAddsZeroAway,
        FoldKeepsFactsOfArms,
        FoldForgetsToSwapArms,
        FoldTrustsConditionAfterLoop,
        CommonSubtractionCommutes,
        CommonIgnoresResultType,
        CommonLeaksFromRegions,
        DeadDropsPrints,
        DeadDropsChecks,
        DeadDropsLocalStores,
        DeadDropsAtomics,
        HoistIgnoresCarriedValues,
        UnrollStopsEarly,
        ForwardPassesStores,
        ForwardIgnoresLeaf,
        ThreadTakesOtherArm,
        ElideKeepsFactsOfArms,
        ElideTakesEqualForLess,
        ElideForgetsWrap,
        ElideTrustsCounters,
        ElideTrustsConditionAfterLoop,
        CoverForgetsCondition,
        LengthsForgetCondition,
        LengthsTrustArms,
    ];
    let missed: Vec<Bug> = bugs.into_iter().filter(|&bug| !is_found(bug)).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// Whether some random kernel shows a planted bug.
fn is_found(bug: Bug) -> bool {
    random::search(0, 20_000, |seed| {
        let change = |kernel: &mut Kernel, inputs: &Inputs| {
            planted::set(Some(bug));
            everything(kernel, inputs);
            planted::set(None);
            Ok(())
        };
        let result = changed(&random::kernel(seed), seed, &change).1;
        planted::set(None);
        result
    })
    .is_err()
}
