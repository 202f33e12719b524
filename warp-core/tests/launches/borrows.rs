//! Arguments that share memory or are in use.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use warp::__private::{Launcher, Options};
use warp::Error;
use warp::prelude::*;
use warp_ir::builder::Builder;
use warp_ir::ir::{Access, Scalar};

use super::{F32, launch, mock, two_slices, words_of};

#[test]
fn strided_views_do_not_go_where_slices_go() {
    let device = mock::idle("mock", true);
    let mut matrix = Array::<f32, 2>::zeros(&device, (4, 6)).unwrap();
    let b = words_of(&device, 4);
    let error = launch(two_slices(), 4, &mut matrix.column_mut(1).unwrap(), &b).unwrap_err();
    assert!(matches!(&error, Error::ArgumentStrided { argument, .. } if argument == "a"), "{error}");
    launch(two_slices(), 4, &mut matrix.row_mut(1).unwrap(), &b).unwrap();
    launch(two_slices(), 4, &mut words_of(&device, 4), &matrix.row(0).unwrap()).unwrap();
}

/// Handles that share memory, as safe code can make them with `swap`.
fn sharing(device: &Device) -> (Array<f32>, Array<f32>) {
    let (mut all, mut stray) = (words_of(device, 10), words_of(device, 1));
    std::mem::swap(&mut *all.slice_mut(4..8).unwrap(), &mut stray);
    (all, stray)
}

#[test]
fn overlapping_arguments_are_refused_by_name() {
    let device = mock::idle("mock", true);
    let (mut all, mut stray) = sharing(&device);
    let words = launch(two_slices(), 1, &mut all, &stray).unwrap_err().to_string();
    assert_eq!(
        words,
        "kernel `two_slices`: arguments `a` and `b` overlap in memory, and one of them is written; give each its own \
         array or disjoint slices"
    );
    let (low, high) = (all.slice(..4).unwrap(), all.slice(8..).unwrap());
    launch(two_slices(), 1, &mut stray, &low).unwrap();
    launch(two_slices(), 1, &mut stray, &high).unwrap();
    drop((low, high));
    let options = Options::new();
    let mut b = Builder::new("both");
    b.slice("first", Scalar::F32, Access::Write);
    b.slice("second", Scalar::F32, Access::Write);
    let both = mock::definition(b.finish_kernel(1), &[F32, F32], &[]);
    // SAFETY: the arguments are those of the kernel.
    let mut launcher = unsafe { Launcher::new(both, &options) };
    launcher.array_mut(&mut all);
    launcher.array_mut(&mut stray);
    let words = launcher.run([1]).unwrap_err().to_string();
    assert!(words.contains("`first` and `second` overlap in memory, and both are written"), "{words}");
    drop(launcher);
    all.fill(1.0).expect("a refused launch holds nothing");
}

#[test]
fn one_array_may_be_read_twice() {
    let mut b = Builder::new("reads");
    b.slice("a", Scalar::F32, Access::Read);
    b.slice("b", Scalar::F32, Access::Read);
    let kernel = mock::definition(b.finish_kernel(1), &[F32, F32], &[]);
    let device = mock::idle("mock", true);
    let a = words_of(&device, 4);
    let guard = a.read().unwrap();
    let options = Options::new();
    // SAFETY: the arguments are those of the kernel.
    let mut launcher = unsafe { Launcher::new(kernel, &options) };
    launcher.array(&a);
    launcher.array(&a);
    launcher.run([1]).unwrap();
    assert_eq!(guard.len(), 4);
}

#[test]
fn arguments_in_use_are_busy() {
    let device = mock::idle("mock", true);
    let (mut all, mut stray) = sharing(&device);
    let b = words_of(&device, 3);
    let guard = all.write().unwrap();
    let words = launch(two_slices(), 1, &mut stray, &b).unwrap_err().to_string();
    assert_eq!(words, "kernel `two_slices`: argument `a` is in use by another launch or guard; let that end first");
    drop(guard);
    launch(two_slices(), 1, &mut stray, &b).unwrap();
    launch(two_slices(), 1, &mut all, &b).unwrap();
}

#[test]
fn launches_of_many_threads_keep_apart() {
    let inside = Arc::new(AtomicUsize::new(0));
    let count = inside.clone();
    let device = mock::device("mock", true, move |_, call| {
        // The first word is the address of `a`, of which there are two handles: only one launch may be here.
        assert_eq!(count.fetch_add(1, Ordering::SeqCst), 0);
        std::thread::yield_now();
        count.fetch_sub(1, Ordering::SeqCst);
        assert_eq!(call.words.len(), 4);
        Ok(())
    });
    let (all, stray) = sharing(&device);
    let (b, kernel) = (words_of(&device, 3), two_slices());
    let done = AtomicUsize::new(0);
    std::thread::scope(|s| {
        for mut handle in [all, stray] {
            let (b, done) = (&b, &done);
            s.spawn(move || {
                for _ in 0..2000 {
                    match launch(kernel, 1, &mut handle, b) {
                        Ok(()) => _ = done.fetch_add(1, Ordering::Relaxed),
                        Err(Error::ArgumentBusy { argument, .. }) => assert_eq!(argument, "a"),
                        Err(other) => panic!("{other}"),
                    }
                }
            });
        }
    });
    assert!(done.into_inner() > 0);
}
