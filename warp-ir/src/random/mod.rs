//! Random kernels and inputs, for tests: of this crate, of passes and of backends.
//!
//! [`kernel`] makes a valid, guarded kernel from a seed, [`inputs`] something to launch it on. Threads of such a kernel
//! share nothing whose order could be seen: arrays are read only, or belong to each thread by its coordinates, or are
//! updated by atomics of one commuting kind whose old values are not used. So every backend, with any number of
//! threads, has to give what [`evaluate::run`](crate::evaluate::run) gives; [`same`] compares, with all NaNs alike. The
//! kernels ask for no contraction, so that this holds to the bit.

mod bits;
mod compare;
mod edges;
mod expression;
mod features;
mod inputs;
mod memory;
mod minimise;
mod pool;
mod rng;
mod smooth;
mod statement;

use crate::ir::{Attributes, Kernel};
use crate::validate::Valid;

pub use compare::{alike, same};
pub use edges::{edges, instances};
pub use features::Features;
pub use inputs::inputs;
pub use minimise::minimise;
pub use rng::Rng;
pub use smooth::{CUSTOMS, doubles, smooth, smooth_inputs, smooth_with_maxima};

/// Steps that suffice for each random kernel on its random inputs, with room to spare.
pub const STEPS: u64 = 2_000_000;

/// A random kernel. It is guarded.
pub fn kernel(seed: u64) -> Valid<Kernel> {
    let mut maker = statement::Maker::new(seed);
    let rank = maker.rank();
    maker.body();
    let attributes = Attributes { no_fma: true, ..Attributes::default() };
    let kernel = Kernel { function: maker.finish(), rank, attributes };
    match Valid::<Kernel>::new(kernel) {
        Ok(kernel) => kernel,
        Err(e) => panic!("random kernel {seed} is not valid: {e}"),
    }
}

/// How many random kernels a test runs: the environment variable `WARP_RANDOM_KERNELS`, or `default`.
pub fn count(default: u64) -> u64 {
    std::env::var("WARP_RANDOM_KERNELS").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Tries a property on seeds from `first` on, on all cores; the first failure found, as its seed and message.
pub fn search(
    first: u64,
    count: u64,
    property: impl Fn(u64) -> Result<(), String> + Sync,
) -> Result<(), (u64, String)> {
    let next = std::sync::atomic::AtomicU64::new(0);
    let failed = std::sync::Mutex::new(None);
    let work = || {
        loop {
            let k = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if k >= count {
                return;
            }
            if let Err(message) = property(first + k) {
                next.store(count, std::sync::atomic::Ordering::Relaxed);
                failed.lock().expect("no property panics").get_or_insert((first + k, message));
                return;
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    match failed.into_inner().expect("no property panics") {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}
