//! Random kernels do in PTX what the evaluator says, forward and back, with every entry that is right for the launch.
//! `WARP_RANDOM_KERNELS` sets how many.

use warp_ir::differentiate::{Options, differentiate};
use warp_ir::evaluate::{Array, Inputs, run, way_back};
use warp_ir::ir::Kernel;
use warp_ir::planted::{self, Bug};
use warp_ir::random::{STEPS, count, inputs, kernel, same, search, smooth, smooth_inputs};
use warp_ir::text::print_kernel;
use warp_ir::validate::Valid;

use crate::assemble::{Known, emitted, layouts};
use crate::run::{How, Ready, first_of, numbered};

/// Runs a kernel both ways, and compares.
fn agree(kernel: &Valid<Kernel>, inputs: &Inputs, known: Known, how: How) -> Result<(), String> {
    let mut expected = inputs.clone();
    let mut outcome = run(kernel, &mut expected, STEPS).map_err(|e| e.to_string())?;
    for printed in &mut outcome.prints {
        printed.site = first_of(kernel, &kernel.function.prints[printed.site.0 as usize]);
    }
    let module = emitted(kernel, inputs, known)?;
    let mut stitched = module.clone();
    let filled = module.filled(&inputs.slots, &layouts(kernel, inputs));
    stitched.text = filled.ok_or("something is missing that the text asks for")?;
    let mut ready = Ready::new(&stitched)?;
    let mut ran = 0;
    for entry in &stitched.entries {
        let mut found = inputs.clone();
        let Some((told, _)) = ready.launch(entry, kernel, &mut found, how)? else { continue };
        ran += 1;
        same(kernel, (&expected, &outcome), (&found, &told))
            .map_err(|e| format!("{}: {e}\n{}", entry.name, numbered(&stitched.text)))?;
    }
    if ran == 0 { Err("no entry is right for the launch".into()) } else { Ok(()) }
}

fn how(seed: u64) -> How {
    How { block: [1, 32, 7, 128][seed as usize % 4], seed: (!seed.is_multiple_of(3)).then_some(seed) }
}

#[test]
fn random_kernels_do_what_they_mean() {
    let property = |seed| {
        let kernel = kernel(seed);
        agree(
            &kernel,
            &inputs(&kernel, seed),
            [Known::All, Known::Layouts, Known::Nothing][seed as usize % 3],
            how(seed),
        )
    };
    if let Err((seed, message)) = search(0, count(2_000), property) {
        panic!("random kernel {seed}: {message}\n{}", print_kernel(&kernel(seed)));
    }
}

/// The launch of a random kernel's adjoint.
fn backward(seed: u64) -> Result<(Valid<Kernel>, Inputs), String> {
    let kernel = smooth(seed);
    let adjoint = differentiate(&kernel, &Options::of(&kernel)).map_err(|e| e.message)?;
    let mut inputs = smooth_inputs(seed);
    let seeds: Vec<Option<Array>> = inputs.arrays.iter().cloned().map(Some).collect();
    let (outcome, launch, _) =
        way_back(&kernel, &adjoint, &mut inputs, &seeds, 10 * STEPS).map_err(|e| e.to_string())?;
    match outcome.fault {
        Some(fault) => Err(format!("{fault:?}")),
        None => Ok((adjoint.kernel, launch)),
    }
}

/// Threads in their order, so that sums of floats have the bits of the evaluator.
#[test]
fn adjoints_of_random_kernels_do_what_they_mean() {
    let property = |seed| {
        let (kernel, inputs) = backward(seed)?;
        agree(&kernel, &inputs, Known::All, How { block: 1, seed: None })
            .map_err(|e| format!("{e}\n{}", print_kernel(&kernel)))
    };
    if let Err((seed, message)) = search(0, count(300), property) {
        panic!("smooth kernel {seed}: {message}");
    }
}

/// The first kernel that gives a mistake away: it fails with it, and passes without.
fn gives_away(bug: Bug) -> Option<u64> {
    (1_000_000..1_003_000).find(|&seed| {
        let kernel = kernel(seed);
        let inputs = inputs(&kernel, seed);
        planted::set(Some(bug));
        let with = agree(&kernel, &inputs, Known::All, how(seed));
        planted::set(None);
        with.is_err() && agree(&kernel, &inputs, Known::All, how(seed)).is_ok()
    })
}

#[test]
fn planted_bugs_of_the_emitter_are_found() {
    let bugs = [
        Bug::PtxForgetsShiftMask,
        Bug::PtxCopiesInOrder,
        Bug::PtxOverwritesTooEarly,
        Bug::PtxTakesAllForShort,
        Bug::PtxSwapsCoordinates,
        Bug::PtxTellsOfOthers,
        Bug::PtxLeaksAddresses,
        Bug::PtxLeavesOverflow,
        Bug::PtxForgetsNot,
        Bug::PtxWritesNeighbours,
    ];
    let missed: Vec<Bug> = bugs.into_iter().filter(|&bug| gives_away(bug).is_none()).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
}
