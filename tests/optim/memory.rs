//! How much memory L-BFGS holds at most, by an allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use warp::optim::{Lbfgs, Status, Stop};

struct Counting;

thread_local! {
    /// Bytes that this thread holds, and the most that it held.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(change: isize) {
    // Threads that end free memory after their counters are gone.
    let _ = HELD.try_with(|held| {
        let (now, most) = held.get();
        held.set((now + change, most.max(now + change)));
    });
}

// SAFETY: all calls go to the system's allocator unchanged; counting neither allocates nor touches the memory. `realloc`
// is the trait's own, which calls the two below.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's contract is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: `memory` came from `alloc` above, which is the system's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Numbers of a point: enough that nothing else counts.
const N: usize = 1 << 16;

/// The most that `work` held beyond what there was before, in numbers of a point in single floats.
fn most(work: impl FnOnce()) -> f64 {
    let before = HELD.get().0;
    HELD.set((before, before));
    work();
    (HELD.get().1 - before) as f64 / (4 * N) as f64
}

/// Of a search, which may look at 40 points, the lowest and the one looked at are kept: their points and gradients are 4.
/// The start, the best, the current point and its gradient are 4 more, and a direction in double precision is 2.
#[test]
fn a_search_keeps_two_points() {
    let held = most(|| {
        let found = Lbfgs::new().memory(0).minimize(&vec![0.0f32; N], &Stop::after(1), |x| {
            // All entries move alike, so this is their sum.
            (N as f32 * x[0], vec![1.0; N])
        });
        assert_eq!((found.status, found.evaluations), (Status::IterationsUsed, 41), "{found}");
    });
    assert!(held <= 12.0, "{held}");
}

/// Each remembered step has two vectors of the parameters' own type.
#[test]
fn pairs_are_as_narrow_as_the_parameters() {
    let held = most(|| {
        let found = Lbfgs::new().memory(20).minimize(&vec![0.0f32; N], &Stop::after(25), |x| {
            let scale = |k: usize| 1.0 + (k % 1000) as f32;
            let slopes: Vec<f32> = x.iter().enumerate().map(|(k, x)| scale(k) * (x - 1.0)).collect();
            (x.iter().zip(&slopes).map(|(x, g)| 0.5 * (x - 1.0) * g).sum(), slopes)
        });
        assert_eq!(found.iterations, 25, "{found}");
    });
    assert!(held <= 40.0 + 16.0, "{held}");
}
