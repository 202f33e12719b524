//! Launches: words of every kind of argument, borrow states, errors, prints, faults, cold starts.

extern crate warp_core as warp;

mod borrows;
mod devices;
#[path = "../mock/mod.rs"]
mod mock;
mod refusals;
mod reports;
mod words;

use std::sync::{Arc, Mutex};

use warp::__private::{Definition, Element, Launcher, Options};
use warp::Error;
use warp::layout::Layout;
use warp::prelude::*;
use warp_ir::builder::Builder;
use warp_ir::ir::{Access, Kernel as Ir, Mem, Scalar, Source};

pub(crate) const F32: &Layout = &<f32 as Element>::LAYOUT;

/// A kernel `f(a: &mut [f32], b: &[f32])`.
pub(crate) fn two_slices() -> &'static Definition {
    let mut b = Builder::new("two_slices");
    b.slice("a", Scalar::F32, Access::Write);
    b.slice("b", Scalar::F32, Access::Read);
    mock::definition(b.finish_kernel(1), &[F32, F32], &[])
}

pub(crate) fn launch(kernel: &'static Definition, n: usize, a: &mut Array<f32>, b: &Array<f32>) -> Result<(), Error> {
    launch_on(Options::new(), kernel, n, a, b)
}

pub(crate) fn launch_on(
    o: Options,
    k: &'static Definition,
    n: usize,
    a: &mut Array<f32>,
    b: &Array<f32>,
) -> Result<(), Error> {
    // SAFETY: the definitions used here take two slices of `f32`, or refuse.
    let mut launcher = unsafe { Launcher::new(k, &o) };
    launcher.array_mut(a);
    launcher.array(b);
    launcher.run([n])
}

pub(crate) fn words_of(device: &Device, n: usize) -> Array<f32> {
    Array::from_fn(device, n, |[i]| i as f32).unwrap()
}

/// Words, dims and threads of a launch.
pub(crate) type Recorded = (Vec<u64>, Vec<u64>, Option<usize>);

/// A device that keeps the words and dims of each launch.
pub(crate) fn recorder() -> (Device, Arc<Mutex<Vec<Recorded>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let device = mock::device("mock", true, move |_, call| {
        log.lock().unwrap().push((call.words.to_vec(), call.dims.to_vec(), call.how.threads));
        Ok(())
    });
    (device, seen)
}

/// A kernel with an index check, a print, and rank 2.
pub(crate) fn checked() -> Ir {
    let mut b = Builder::new("gather");
    let src = Mem::Array(b.slice("src", Scalar::F32, Access::Write));
    b.slice("dst", Scalar::F32, Access::Read);
    let source = b.source(Source { file: "src/main.rs".into(), line: 12, column: 3, text: "src[i]".into() });
    let i = b.tid(0);
    b.check_index(src, 0, i, source);
    b.finish_kernel(1)
}
