//! Random kernels: compiled code does what the evaluator of the IR does, bit for bit, on one machine thread and on more.
//! `WARP_RANDOM_KERNELS` says how many are tried.

mod support;

use support::cpu;
use support::evaluated::agrees;
use warp_cpu::Cpu;
use warp_ir::ir::Kernel;
use warp_ir::random;
use warp_ir::validate::Valid;

fn check(cpu: Cpu, first: u64, count: u64, launches: usize) {
    let tried = random::search(first, count, |seed| agrees(&cpu, &random::kernel(seed), seed, launches));
    if let Err((seed, message)) = tried {
        let fails = |kernel: &Valid<Kernel>| agrees(&cpu, kernel, seed, launches).is_err();
        let small = random::minimise(&random::kernel(seed), fails);
        panic!("seed {seed}: {message}\n{}", warp_ir::text::print_kernel(&small));
    }
}

#[test]
fn on_one_machine_thread() {
    check(cpu(1), 0, random::count(1500), 1);
}

/// Costs are measured on the way; a pool that is always used would need larger launches than the evaluator can walk, so
/// the backend is told that any launch is worth its while.
#[test]
fn on_several_machine_threads() {
    check(cpu(4).eager(), 1_000_000, random::count(600), 2);
}
