//! Random kernels. `WARP_RANDOM_KERNELS` says how many are tried.

use warp_ir::differentiate::{Options, differentiate};
use warp_ir::evaluate::{Array, way_back};
use warp_ir::ir::{Kernel, Mem, Op, Region};
use warp_ir::random;
use warp_ir::validate::Valid;

use crate::evaluated::{agrees, agrees_on};
use crate::rig::Rig;

/// Launches of each kernel: a backend may choose another way once it has seen the first.
const LAUNCHES: usize = 2;

/// What a random kernel does to arrays, prints and faults is what the evaluator of the IR does, bit for bit. A failure is
/// shown with the smallest kernel that still has it.
pub fn kernels_do_what_the_evaluator_does(rig: &Rig) {
    let tried = random::search(0, random::count(1000), |seed| agrees(rig, &random::kernel(seed), seed, LAUNCHES));
    if let Err((seed, message)) = tried {
        let fails = |kernel: &Valid<Kernel>| agrees(rig, kernel, seed, LAUNCHES).is_err();
        let small = random::minimise(&random::kernel(seed), fails);
        panic!("seed {seed}: {message}\n{}", warp_ir::text::print_kernel(&small));
    }
}

/// Random kernels with gradients: what they and their adjoints do is what the evaluator does. Kernels with atomics run
/// in one thread, as the order of several is left open, and shows in sums of floats and in old values.
pub fn adjoints_do_what_the_evaluator_does(rig: &Rig) {
    // Code for the CPU takes longer to make.
    let tried = random::count(if rig.device().host_memory() { 40 } else { 100 });
    if let Err((seed, message)) = random::search(0, tried, |seed| way_back_agrees(rig, seed)) {
        panic!("smooth kernel {seed}: {message}\n{}", warp_ir::text::print_kernel(&random::smooth(seed)));
    }
}

fn way_back_agrees(rig: &Rig, seed: u64) -> Result<(), String> {
    let kernel = random::smooth(seed);
    let adjoint = differentiate(&kernel, &Options::of(&kernel)).map_err(|refusal| refusal.message)?;
    let mut inputs = random::smooth_inputs(seed);
    if has_atomics(&kernel.function.body) || has_atomics(&adjoint.kernel.function.body) {
        inputs.dims.fill(1);
    }
    agrees_on(rig, &kernel, &inputs, LAUNCHES)?;
    let seeds: Vec<Option<Array>> = inputs.arrays.iter().cloned().map(Some).collect();
    let (_, launch, _) =
        way_back(&kernel, &adjoint, &mut inputs, &seeds, 10 * random::STEPS).map_err(|trouble| trouble.to_string())?;
    agrees_on(rig, &adjoint.kernel, &launch, LAUNCHES)
        .map_err(|message| format!("its adjoint: {message}\n{}", warp_ir::text::print_kernel(&adjoint.kernel)))
}

fn has_atomics(region: &Region) -> bool {
    let on_array = |op: &Op| matches!(op, Op::Atomic { mem: Mem::Array(_), .. });
    region.ops.iter().any(|op| on_array(op) || op.shape().regions.into_iter().any(has_atomics))
}
