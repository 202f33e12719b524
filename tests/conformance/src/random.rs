//! Random kernels. `WARP_RANDOM_KERNELS` says how many are tried.

use warp_ir::ir::Kernel;
use warp_ir::random;
use warp_ir::validate::Valid;

use crate::evaluated::agrees;
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
