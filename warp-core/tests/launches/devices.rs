//! Which device runs a launch, and what a first and a warm launch cost there.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Barrier};

use warp::__private::{Launcher, Options};
use warp::prelude::*;
use warp_ir::builder::Builder;

use super::{launch, launch_on, mock, recorder, two_slices, words_of};

#[test]
fn mixed_devices_are_named_with_their_arguments() {
    let (one, two) = (mock::idle("one", true), mock::idle("two", true));
    let (mut a, b) = (words_of(&one, 3), words_of(&two, 3));
    assert_eq!(
        launch(two_slices(), 3, &mut a, &b).unwrap_err().to_string(),
        "kernel `two_slices`: argument `b` is on device two, but argument `a` on device one; copy it over with `copy_from`"
    );
    assert_eq!(
        launch_on(Options::from(&two), two_slices(), 3, &mut a, &b).unwrap_err().to_string(),
        "kernel `two_slices`: argument `a` is on device one, but the launch on device two; copy it over with `copy_from`"
    );
    launch(two_slices(), 3, &mut a, &words_of(&one, 1)).unwrap();
}

#[test]
fn a_launch_without_arrays_needs_a_device() {
    let kernel = mock::definition(Builder::new("alone").finish_kernel(1), &[], &[]);
    let options = Options::new();
    // SAFETY: the kernel has no arguments.
    let error = unsafe { Launcher::new(kernel, &options) }.run([1]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `alone` has no array arguments, so say where it runs: `alone::on(&device).launch(..)`"
    );
    let (device, seen) = recorder();
    let options = Options::from(&device);
    // SAFETY: the kernel has no arguments.
    unsafe { Launcher::new(kernel, &options) }.run([1]).unwrap();
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[test]
fn each_device_compiles_for_itself() {
    let kernel = two_slices();
    for name in ["one", "two", "three"] {
        let (device, seen) = recorder();
        for _ in 0..3 {
            launch(kernel, 1, &mut words_of(&device, 1), &words_of(&device, 1)).expect(name);
        }
        assert_eq!(seen.lock().unwrap().len(), 3);
    }
}

#[test]
fn eight_threads_start_cold_and_compile_once() {
    for _ in 0..20 {
        let counts = Arc::<mock::Counts>::default();
        let body: Arc<_> = Arc::new(|_: &_, _: &warp::backend::Call<'_>| Ok(()));
        let device = Device::new(Arc::new(mock::Mock { name: "m", host: true, body, counts: counts.clone() }));
        let (kernel, start) = (two_slices(), Barrier::new(8));
        std::thread::scope(|s| {
            for _ in 0..8 {
                s.spawn(|| {
                    let (mut a, b) = (words_of(&device, 3), words_of(&device, 3));
                    start.wait();
                    launch(kernel, 3, &mut a, &b).unwrap();
                });
            }
        });
        assert_eq!(counts.compiled.load(Ordering::Relaxed), 1);
    }
}

/// The cost of a launch's own work: words, borrows, lookup. The bound is loose, for unoptimised and busy machines.
#[test]
fn a_warm_launch_costs_little() {
    let device = mock::idle("mock", true);
    let (mut a, b, kernel) = (words_of(&device, 1), words_of(&device, 1), two_slices());
    launch(kernel, 1, &mut a, &b).unwrap();
    let mut best = f64::INFINITY;
    for _ in 0..50 {
        let start = std::time::Instant::now();
        (0..100).for_each(|_| launch(kernel, 1, &mut a, &b).unwrap());
        best = best.min(start.elapsed().as_secs_f64() / 100.0);
    }
    println!("{:.0} ns a launch", best * 1e9);
    assert!(best < 5e-6, "{:.0} ns a launch", best * 1e9);
}
