//! Launches: words of every kind of argument, borrow states, errors, prints, faults, cold starts.

extern crate warp_core as warp;

mod mock;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};

use warp::__private::{Definition, Element, Launcher, Options};
use warp::backend::{BackendError, LaunchStop};
use warp::layout::Layout;
use warp::prelude::*;
use warp::{Error, FaultKind, SoaArray, capture_output};
use warp_ir::builder::Builder;
use warp_ir::ir::{
    Access, ArrayId, ArrayParam, CheckKind, Kernel as Ir, Mem, PrintPiece, PrintSite, Scalar, Source, Storage,
};

const F32: &Layout = &<f32 as Element>::LAYOUT;

/// A kernel `f(a: &mut [f32], b: &[f32])`.
fn two_slices() -> &'static Definition {
    let mut b = Builder::new("two_slices");
    b.slice("a", Scalar::F32, Access::Write);
    b.slice("b", Scalar::F32, Access::Read);
    mock::definition(b.finish_kernel(1), &[F32, F32], &[])
}

fn launch(kernel: &'static Definition, n: usize, a: &mut Array<f32>, b: &Array<f32>) -> Result<(), Error> {
    launch_on(Options::new(), kernel, n, a, b)
}

fn launch_on(o: Options, k: &'static Definition, n: usize, a: &mut Array<f32>, b: &Array<f32>) -> Result<(), Error> {
    // SAFETY: the definitions used here take two slices of `f32`, or refuse.
    let mut launcher = unsafe { Launcher::new(k, &o) };
    launcher.array_mut(a);
    launcher.array(b);
    launcher.run([n])
}

fn words_of(device: &Device, n: usize) -> Array<f32> {
    Array::from_fn(device, n, |[i]| i as f32).unwrap()
}

/// Words, dims and threads of a launch.
type Recorded = (Vec<u64>, Vec<u64>, Option<usize>);

/// A device that keeps the words and dims of each launch.
fn recorder() -> (Device, Arc<Mutex<Vec<Recorded>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let device = mock::device("mock", true, move |_, call| {
        log.lock().unwrap().push((call.words.to_vec(), call.dims.to_vec(), call.threads));
        Ok(())
    });
    (device, seen)
}

#[test]
fn every_kind_of_argument_has_its_words() {
    let mut b = Builder::new("kinds");
    let param = |name: &str, leaves: &[Scalar], rank, strided, storage| ArrayParam {
        name: name.into(),
        leaves: leaves.to_vec(),
        rank,
        strided,
        access: if name == "slice" { Access::Read } else { Access::Write },
        storage,
    };
    b.array(param("view", &[Scalar::F32], 2, true, Storage::Elements));
    b.array(param("planes", &[Scalar::F32; 3], 1, false, Storage::Planes));
    b.array(param("slice", &[Scalar::I16], 1, false, Storage::Elements));
    for (name, scalar) in [("x", Scalar::F32), ("y", Scalar::I8), ("flag", Scalar::Bool), ("m0", Scalar::F64)] {
        b.param(name, scalar);
    }
    b.param("m1", Scalar::F64);
    let layouts: [&'static Layout; 3] = [F32, &<Vec3 as Element>::LAYOUT, &<i16 as Element>::LAYOUT];
    let kernel = mock::definition(b.finish_kernel(2), &layouts, &[]);

    let (device, seen) = recorder();
    let mut matrix = Array::<f32, 2>::zeros(&device, (4, 6)).unwrap();
    let mut planes = SoaArray::<Vec3>::zeros(&device, 20).unwrap();
    let slice = Array::from_slice(&device, &[1i16, 2, 3]).unwrap();
    let options = Options::new().threads(3);
    {
        let mut columns = matrix.step_along_mut(1, 2).unwrap();
        let tail = slice.slice(1..).unwrap();
        // SAFETY: the arguments are those of the kernel.
        let mut launcher = unsafe { Launcher::new(kernel, &options) };
        // Values may come between arrays.
        launcher.value(&1.5f32);
        launcher.view_mut(&mut columns);
        launcher.value(&-1i8);
        launcher.planes_mut(&mut planes);
        launcher.value(&true);
        launcher.array(&tail);
        launcher.value(&[2.0f64, -2.0]);
        launcher.run([5, 1 << 33]).unwrap();
    }
    let (words, dims, threads) = seen.lock().unwrap().pop().unwrap();
    assert_eq!((dims, threads), (vec![5, 1 << 33], Some(3)));
    let host = |array: &Array<i16>| array.read().unwrap().as_ptr() as u64;
    assert_eq!(words.len(), 1 + 2 + 2 + 3 + 1 + 2 + 5);
    assert_eq!((words[0] % 64, &words[1..5]), (0, &[4u64, 3, 6, 2][..]), "address, extents, strides");
    assert_eq!((words[6] - words[5], words[7] - words[6], words[8]), (128, 128, 20), "planes start at cache lines");
    assert_eq!((words[9], words[10]), (host(&slice) + 2, 2));
    let bits = [1.5f32.to_bits() as u64, 0xff, 1, 2.0f64.to_bits(), (-2.0f64).to_bits()];
    assert_eq!(words[11..], bits);
}

#[test]
fn hundreds_of_parameters_arrive_in_order() {
    let mut b = Builder::new("many");
    for k in 0..300 {
        b.slice(&format!("a{k}"), Scalar::F32, if k % 2 == 0 { Access::Write } else { Access::Read });
        b.param(&format!("x{k}"), Scalar::U32);
    }
    let kernel = mock::definition(b.finish_kernel(1), &[F32; 300], &[]);
    let (device, seen) = recorder();
    let mut arrays: Vec<_> = (0..300).map(|k| words_of(&device, k + 1)).collect();
    let options = Options::new();
    // SAFETY: the arguments are those of the kernel.
    let mut launcher = unsafe { Launcher::new(kernel, &options) };
    for (k, array) in arrays.iter_mut().enumerate() {
        if k % 2 == 0 {
            launcher.array_mut(array)
        } else {
            launcher.array(array)
        }
        launcher.value(&(k as u32 * 7));
    }
    launcher.run([1]).unwrap();
    let (words, ..) = seen.lock().unwrap().pop().unwrap();
    assert_eq!(words.len(), 900);
    for k in 0..300 {
        assert_eq!((words[2 * k + 1], words[600 + k]), (k as u64 + 1, k as u64 * 7));
    }
    arrays.iter_mut().for_each(|a| a.fill(0.0).unwrap());
}

#[test]
fn no_threads_run_nothing_and_are_no_error() {
    let device = mock::device("mock", true, |_, _| panic!("nothing may run"));
    let (mut a, b) = (words_of(&device, 3), words_of(&device, 3));
    launch(two_slices(), 0, &mut a, &b).unwrap();
    let options = Options::from(&device);
    // SAFETY: nothing is launched.
    unsafe { Launcher::new(two_slices(), &options) }.run([3, 0, 2]).unwrap();
}

#[test]
fn launches_beyond_the_limit_say_the_limit() {
    let device = mock::device("mock", true, |_, _| panic!("nothing may run"));
    let (mut a, b) = (words_of(&device, 3), words_of(&device, 3));
    let words = launch(two_slices(), 1 << 48, &mut a, &b).unwrap_err().to_string();
    let limit = "is too large: the limit is 2^48 threads in all";
    assert_eq!(words, format!("kernel `two_slices`: a launch over 281474976710656 threads {limit}"));
    let options = Options::from(&device);
    // SAFETY: nothing is launched.
    let error = unsafe { Launcher::new(two_slices(), &options) }.run([1 << 30, 1 << 20]).unwrap_err();
    assert_eq!(error.to_string(), format!("kernel `two_slices`: a launch over 1073741824 x 1048576 threads {limit}"));
}

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

/// A kernel with an index check, a print, and rank 2.
fn checked() -> Ir {
    let mut b = Builder::new("gather");
    let src = Mem::Array(b.slice("src", Scalar::F32, Access::Write));
    b.slice("dst", Scalar::F32, Access::Read);
    let source = b.source(Source { file: "src/main.rs".into(), line: 12, column: 3, text: "src[i]".into() });
    let i = b.tid(0);
    b.check_index(src, 0, i, source);
    b.finish_kernel(1)
}

#[test]
fn a_fault_is_a_sentence() {
    let device = mock::device("mock", true, |program, _| {
        let function = &program.kernel.function;
        Err(LaunchStop::Fault {
            thread: 2,
            kind: CheckKind::Index { mem: Mem::Array(ArrayId(0)), dim: 0 },
            source: function.sources[0].clone(),
            operands: vec![(Scalar::U64, 1000), (Scalar::U64, 4)],
            count: 2,
        })
    });
    let kernel = mock::definition(checked(), &[F32, F32], &[]);
    let (mut a, b) = (words_of(&device, 4), words_of(&device, 4));
    let error = launch(kernel, 7, &mut a, &b).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `gather` (src/main.rs:12): index 1000 is out of range for `src` of length 4, in thread 2: `src[i]`; \
         one more thread failed too"
    );
    let Error::Fault(fault) = error else { panic!() };
    assert_eq!(fault.kind, FaultKind::Index { array: "src".into(), dim: None, index: 1000, extent: 4 });
    assert_eq!((fault.thread, &fault.index[..], fault.count), (2, &[2][..], 2));
    a.fill(0.0).expect("the launch has ended");
}

#[test]
fn a_failing_backend_is_told_in_its_words() {
    let device = mock::device("hot", true, |_, _| Err(LaunchStop::Backend(BackendError("the fan is off".into()))));
    let words = launch(two_slices(), 1, &mut words_of(&device, 1), &words_of(&device, 1)).unwrap_err().to_string();
    assert_eq!(words, "device hot failed while running kernel `two_slices`: the fan is off");
}

#[test]
fn prints_come_by_thread_and_then_in_order() {
    let site = PrintSite {
        pieces: vec![
            PrintPiece::Text("x = ".into()),
            PrintPiece::Arg { scalar: Scalar::F32, spec: ".2".into() },
            PrintPiece::Text(", n = ".into()),
            PrintPiece::Arg { scalar: Scalar::U8, spec: "#04x".into() },
        ],
        newline: true,
    };
    let device = mock::device("mock", true, move |_, call| {
        for (thread, x) in [(2, 0.5f32), (0, 1.0), (2, 1.5), (1, -2.0)] {
            call.printer.print(thread, &site, &[x.to_bits() as u64, thread]);
        }
        Ok(())
    });
    let (mut a, b) = (words_of(&device, 1), words_of(&device, 1));
    let (result, text) = capture_output(|| launch(two_slices(), 3, &mut a, &b));
    result.unwrap();
    assert_eq!(text, "x = 1.00, n = 0x00\nx = -2.00, n = 0x01\nx = 0.50, n = 0x02\nx = 1.50, n = 0x02\n");
    assert_eq!(capture_output(|| ()).1, "");
}

#[test]
fn kernels_that_do_not_fit_are_refused() {
    let device = mock::idle("mock", true);
    let (mut a, b) = (words_of(&device, 3), words_of(&device, 3));
    let mut fits = |kernel: &'static Definition| launch(kernel, 1, &mut a, &b).unwrap_err().to_string();
    let rank = |rank| {
        let mut b = Builder::new("k");
        b.slice("a", Scalar::F32, Access::Write);
        b.slice("b", Scalar::F32, Access::Read);
        b.finish_kernel(rank)
    };
    assert!(fits(mock::definition(rank(2), &[F32, F32], &[])).contains("takes 2 dimensions"));
    assert!(fits(mock::definition(rank(1), &[F32], &[])).contains("has 2 array parameters, its signature 1"));
    let doubles: &'static Layout = &<f64 as Element>::LAYOUT;
    let words = fits(mock::definition(rank(1), &[F32, doubles], &[]));
    assert!(words.contains("the elements of `b` are [F32] in its code and [F64] in memory"), "{words}");
    let mut slots = Builder::new("k");
    slots.slot(Scalar::F32);
    assert!(fits(mock::definition(slots.finish_kernel(1), &[], &[])).contains("uses 1 constants, and 0 came"));
    let mut more = Builder::new("k");
    more.param("x", Scalar::F32);
    assert!(fits(mock::definition(more.finish_kernel(1), &[], &[])).contains("(0, 1) words"));
}

/// As many words as the code takes are not enough: each array must be of the kind that stands in its place.
#[test]
fn arrays_of_another_kind_are_refused() {
    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    struct Late {
        pad: f32,
        x: f32,
        y: f32,
    }
    #[derive(Clone, Copy, Struct)]
    #[repr(C, align(8))]
    struct Wide {
        x: f32,
        y: f32,
        z: f32,
    }
    let array = |leaves: usize, form: (u8, bool, Storage), access| ArrayParam {
        name: "a".into(),
        leaves: vec![Scalar::F32; leaves],
        rank: form.0,
        strided: form.1,
        access,
        storage: form.2,
    };
    let kernel = |of: ArrayParam, layout: &'static Layout| {
        let mut b = Builder::new("k");
        b.array(of);
        mock::definition(b.finish_kernel(1), vec![layout].leak(), &[])
    };
    let (device, seen) = recorder();
    let options = Options::from(&device);
    fn run<'a>(
        options: &'a Options,
        kernel: &'static Definition,
        add: impl FnOnce(&mut Launcher<'a, '_>),
    ) -> Result<(), String> {
        // SAFETY: it is refused, or of the right kind and run by the recorder.
        let mut launcher = unsafe { Launcher::new(kernel, options) };
        add(&mut launcher);
        launcher.run([1]).map_err(|e| e.to_string())
    }
    const SLICE: (u8, bool, Storage) = (1, false, Storage::Elements);
    const VIEW: (u8, bool, Storage) = (2, true, Storage::Elements);
    const PLANES: (u8, bool, Storage) = (1, false, Storage::Planes);
    const THREE: &Layout = &<Late as Element>::LAYOUT;

    // Another size of element: 12 bytes and 16, three floats each.
    let wide = Array::from_slice(&device, &[Wide { x: 1.0, y: 2.0, z: 3.0 }]).unwrap();
    let words = run(&options, kernel(array(3, SLICE, Access::Read), THREE), |l| l.array(&wide)).unwrap_err();
    assert_eq!(
        words,
        "kernel `k` cannot be loaded: its code takes a read slice with elements of 12 bytes that hold [F32, F32, F32] \
         for `a`, and its launch gives a read slice with elements of 16 bytes that hold [F32, F32, F32]; rebuild the \
         crate that defines it with the same version of warp"
    );
    // A read array where the code writes.
    let late = Array::from_slice(&device, &[Late { pad: 0.0, x: 1.0, y: 2.0 }]).unwrap();
    let words = run(&options, kernel(array(3, SLICE, Access::Write), THREE), |l| l.array(&late)).unwrap_err();
    assert!(words.contains("takes a written slice") && words.contains("gives a read slice"), "{words}");
    // Five words each: a view of two dimensions, and four planes.
    let four: &'static Layout = &<[f32; 4] as Element>::LAYOUT;
    let planes = SoaArray::from_slice(&device, &[[1.0f32; 4]]).unwrap();
    let words = run(&options, kernel(array(4, VIEW, Access::Read), four), |l| l.planes(&planes)).unwrap_err();
    assert!(words.contains("takes a read view of 2 dimensions") && words.contains("gives a read array of planes"));
    assert!(seen.lock().unwrap().is_empty(), "nothing ran");
    run(&options, kernel(array(4, PLANES, Access::Read), four), |l| l.planes(&planes)).unwrap();
    run(&options, kernel(array(3, SLICE, Access::Read), THREE), |l| l.array(&late)).unwrap();
    assert_eq!(seen.lock().unwrap().len(), 2);
}

/// IR of another version, damaged IR, and a kernel that failed to lower: each is told, and none is run.
#[test]
fn bytes_that_are_no_kernel_are_refused() {
    let good = warp_ir::validate::Valid::<Ir>::new(checked()).unwrap();
    let good = <Ir as warp_ir::encode::Encode>::to_bytes(&good);
    let next = (warp_ir::encode::FORMAT + 1).to_le_bytes();
    let other = [&next[..], &good[2..]].concat();
    for (bytes, why) in [(other, "version"), (good[..good.len() / 2].to_vec(), "damaged"), (vec![], "damaged")] {
        let spec = warp::__private::Spec {
            name: "gather",
            module: "tests",
            file: "tests/launches.rs",
            line: 1,
            ir: bytes.leak(),
            slots: &[],
            arrays: &[F32, F32],
        };
        // SAFETY: it is refused.
        let kernel = Box::leak(Box::new(unsafe { Definition::new(spec) }));
        let device = mock::idle("mock", true);
        let words = launch(kernel, 1, &mut words_of(&device, 1), &words_of(&device, 1)).unwrap_err().to_string();
        assert!(words.starts_with("kernel `gather` cannot be loaded: ") && words.contains(why), "{words}");
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
