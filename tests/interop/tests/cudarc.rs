//! cudarc and arrays.

use std::mem;
use std::sync::Arc;

use ::cudarc::driver::{CudaSlice, CudaStream, sys};
use warp::cudarc::{adopt, borrow, borrow_all, borrow_mut, context, lend, lend_all, lend_mut, release, stream};
use warp::prelude::*;
use warp::{Error, Graph};

use crate::cases;
use crate::driver::Driver;
use crate::theirs::{NUMBERS, device, double, doubled, scale_by, twice_balanced};

cases! {
    arrays_are_lent => arrays;
    several_arrays_are_lent_together => together;
    a_device_has_one_context => contexts;
    other_streams_are_waited_for => several;
    slices_are_borrowed => slices;
    several_slices_are_borrowed_together => several_slices;
    slices_become_arrays_and_slices_again => moves;
    arrays_become_slices => releases;
    our_streams_are_theirs => our_streams;
    captured_streams_are_refused => captured;
    strangers_are_refused => strangers;
}

fn new_stream() -> Arc<CudaStream> {
    context(&device()).unwrap().new_stream().unwrap()
}

fn arrays(driver: &Driver) {
    let (device, stream) = (device(), new_stream());
    twice_balanced(driver, || {
        let mut array = Array::zeros(&device, 5).unwrap();
        // Nobody waits between these.
        lend_mut(&mut array, &stream, |mut view| stream.memcpy_htod(&NUMBERS, &mut view)).unwrap().unwrap();
        double::launch(5, &mut array).unwrap();
        let found = lend(&array, &stream, |slice| stream.clone_dtoh(slice)).unwrap().unwrap();
        assert_eq!(found, doubled());
        let copy = lend(&array, &stream, |slice| slice.try_clone()).unwrap().unwrap();
        array.fill(0.0).unwrap();
        assert_eq!(stream.clone_dtoh(&copy).unwrap(), doubled());
        assert_eq!(array.to_vec().unwrap(), [0.0; 5]);
    });
}

fn together(driver: &Driver) {
    let (device, stream) = (device(), new_stream());
    twice_balanced(driver, || {
        let mut array = Array::from_slice(&device, &NUMBERS).unwrap();
        let (mut copy, mut pairs) = (Array::zeros(&device, 5).unwrap(), Array::<Vec2>::zeros(&device, 3).unwrap());
        double::launch(5, &mut array).unwrap();
        // Nobody waits between these.
        let mut middle = pairs.slice_mut(1..2).unwrap();
        let parts = (&array, &mut copy, middle.cast_mut::<[f32; 2]>());
        let copied = lend_all(parts, &stream, |(from, mut to, mut pair)| {
            stream.memcpy_dtod(from, &mut to)?;
            stream.memcpy_htod(&[[7.0, 8.0]], &mut pair)
        });
        copied.unwrap().unwrap();
        double::launch(5, &mut copy).unwrap();
        assert_eq!(copy.to_vec().unwrap(), NUMBERS.map(|x| 4.0 * x));
        assert_eq!(pairs.to_vec().unwrap(), [Vec2::ZERO, Vec2::new(7.0, 8.0), Vec2::ZERO]);
        // One may be read twice; one loan stands inside of another.
        let lens = lend_all((&array, &array), &stream, |(one, same)| {
            let inner = lend_all((&array, &mut copy), &stream, |(again, written)| again.len() + written.len());
            (one.len() + same.len(), inner.unwrap())
        });
        assert_eq!(lens.unwrap(), (10, 10));
        let all = (&copy, &copy, &copy, &copy, &copy, &copy, &copy, &array);
        let eighth = lend_all(all, &stream, |(.., eighth)| stream.clone_dtoh(eighth));
        assert_eq!(eighth.unwrap().unwrap(), doubled());
    });
    let mut array = Array::from_slice(&device, &NUMBERS).unwrap();
    let detached = array.try_clone().unwrap();
    let elsewhere = Array::from_slice(&Device::cuda(1).unwrap(), &NUMBERS).unwrap();
    let words = lend_all((&mut array, &detached, &elsewhere), &stream, |_| ()).unwrap_err().to_string();
    let expected =
        "of the arrays that are to be lent together one is on cuda:0 and one on cuda:1; lend those of one device";
    assert_eq!(words, expected);
}

/// Whatever cudarc keeps of a context is known to all that works in it.
fn contexts(_: &Driver) {
    let (first, second) = (device(), Device::cuda(1).unwrap());
    let here = context(&first).unwrap();
    assert!(Arc::ptr_eq(&here, &context(&first).unwrap()));
    assert!(!Arc::ptr_eq(&here, &context(&second).unwrap()));
    let slice = here.new_stream().unwrap().clone_htod(&NUMBERS).unwrap();
    // SAFETY: no slice is used on several streams.
    unsafe { context(&first).unwrap().disable_event_tracking() };
    drop(here);
    assert!(Arc::ptr_eq(slice.context(), &context(&first).unwrap()), "the slice needs it still");
    assert!(!slice.context().is_event_tracking());
    drop(slice);
    assert!(context(&first).unwrap().is_event_tracking(), "it is another one");
}

/// A view that goes to another stream than the one that it is lent to.
fn several(_: &Driver) {
    let (device, stream) = (device(), new_stream());
    let other = stream.fork().unwrap();
    let numbers = other.clone_htod(&NUMBERS).unwrap();
    for _ in 0..20 {
        let mut array = Array::zeros(&device, 5).unwrap();
        lend_mut(&mut array, &stream, |mut view| other.memcpy_dtod(&numbers, &mut view)).unwrap().unwrap();
        double::launch(5, &mut array).unwrap();
        assert_eq!(array.to_vec().unwrap(), doubled());
        let mut out: CudaSlice<f32> = other.alloc_zeros(5).unwrap();
        lend(&array, &stream, |slice| other.memcpy_dtod(slice, &mut out)).unwrap().unwrap();
        array.fill(-1.0).unwrap();
        drop(array);
        assert_eq!(other.clone_dtoh(&out).unwrap(), doubled());

        // A slice that becomes an array is still read by the other stream, and what was an array is read by it soon.
        let slice = stream.clone_htod(&NUMBERS).unwrap();
        other.memcpy_dtod(&slice, &mut out).unwrap();
        let mut array = adopt(&device, slice).unwrap();
        array.fill(7.0).unwrap();
        let slice = release(array, &stream).unwrap();
        let copy = other.clone_dtod(&slice).unwrap();
        assert_eq!(other.clone_dtoh(&out).unwrap(), NUMBERS);
        assert_eq!(other.clone_dtoh(&copy).unwrap(), [7.0; 5]);
        let fresh = release(Array::<f32>::zeros(&device, 5).unwrap(), &stream).unwrap();
        assert_eq!(other.clone_dtoh(&fresh).unwrap(), [0.0; 5]);
    }
}

/// A stream that is captured draws nobody into its graph.
fn captured(_: &Driver) {
    let (device, stream) = (device(), new_stream());
    let mut array = Array::from_slice(&device, &NUMBERS).unwrap();
    let mut slice = stream.clone_htod(&NUMBERS).unwrap();
    stream.synchronize().unwrap();
    stream.begin_capture(sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL).unwrap();
    let words = lend_mut(&mut array, &stream, |_| ()).unwrap_err().to_string();
    assert!(words.starts_with("memory cannot be shared with a stream that is being captured"), "{words}");
    assert!(borrow_mut(&device, &mut slice, |_| ()).is_err());
    let mut graph = std::ptr::null_mut();
    // SAFETY: the stream is captured; its graph is destroyed once.
    unsafe {
        sys::cuStreamEndCapture(stream.cu_stream(), &mut graph).result().unwrap();
        sys::cuGraphDestroy(graph).result().unwrap();
    }
    double::launch(5, &mut array).unwrap();
    assert_eq!(array.to_vec().unwrap(), doubled());
}

fn slices(driver: &Driver) {
    let (device, stream) = (device(), new_stream());
    twice_balanced(driver, || {
        let mut slice = stream.clone_htod(&NUMBERS).unwrap();
        let mut kept = Array::zeros(&device, 1).unwrap();
        let launch = |array: &mut Array<f32>| {
            double::launch(5, array)?;
            let copy = array.try_clone()?;
            array.copy_from(&copy)?;
            mem::swap(array, &mut kept);
            Ok::<(), Error>(())
        };
        borrow_mut(&device, &mut slice, launch).unwrap().unwrap();
        assert_eq!(stream.clone_dtoh(&slice).unwrap(), doubled());
        assert_eq!(borrow(&device, &slice, |array| array.to_vec()).unwrap().unwrap(), doubled());
        assert!(matches!(kept.to_vec(), Err(Error::LoanEnded)));
    });
}

/// Of two streams.
fn several_slices(driver: &Driver) {
    let (device, stream) = (device(), new_stream());
    let other = stream.fork().unwrap();
    twice_balanced(driver, || {
        let (by, mut numbers) = (stream.clone_htod(&[3.0f32; 5]).unwrap(), other.clone_htod(&NUMBERS).unwrap());
        let mut kept = Array::zeros(&device, 1).unwrap();
        let launched = borrow_all(&device, (&by, &mut numbers, &by), |(by, numbers, again)| {
            scale_by::launch(5, by, numbers)?;
            let inner = borrow(&device, &stream.clone_htod(&[2.0f32]).unwrap(), |two| two.to_vec())??;
            scale_by::launch(1, again, &mut *numbers.slice_mut(2..3)?)?;
            mem::swap(numbers, &mut kept);
            Ok::<_, Error>(inner)
        });
        assert_eq!(launched.unwrap().unwrap(), [2.0]);
        let expected = [0, 1, 2, 3, 4].map(|k| NUMBERS[k] * if k == 2 { 9.0 } else { 3.0 });
        assert_eq!(other.clone_dtoh(&numbers).unwrap(), expected);
        assert!(matches!(kept.to_vec(), Err(Error::LoanEnded)));
    });
    // One that is elsewhere: the others are as they were.
    let elsewhere = context(&Device::cuda(1).unwrap()).unwrap().new_stream().unwrap().clone_htod(&NUMBERS).unwrap();
    let mut numbers = stream.clone_htod(&NUMBERS).unwrap();
    let refused = borrow_all(&device, (&mut numbers, &elsewhere), |_| ()).unwrap_err().to_string();
    assert!(refused.starts_with("the context of cudarc belongs to another CUDA context than cuda:0"), "{refused}");
    assert_eq!(borrow_all(&device, (&mut numbers,), |(numbers,)| numbers.to_vec()).unwrap().unwrap(), NUMBERS);
}

fn moves(driver: &Driver) {
    let (device, stream) = (device(), new_stream());
    twice_balanced(driver, || {
        let mut array = adopt(&device, stream.clone_htod(&NUMBERS).unwrap()).unwrap();
        double::launch(5, &mut array).unwrap();
        let address = array.with_address(|address| address).unwrap();
        let slice = release(array, &stream).unwrap();
        let array = adopt(&device, slice).unwrap();
        array.with_address(|at| assert_eq!(at, address, "no copy")).unwrap();
        assert_eq!(array.to_vec().unwrap(), doubled());
        // A copy that is still under way reads what it is to read, though the array goes.
        let copy = array.try_clone().unwrap();
        drop(array);
        let _elsewhere = stream.clone_htod(&[0.0f32; 5]).unwrap();
        assert_eq!(copy.to_vec().unwrap(), doubled());
        stream.synchronize().unwrap();
    });
    let mut array = adopt(&device, stream.clone_htod(&NUMBERS).unwrap()).unwrap();
    let (graph, ()): (Graph, ()) = device.capture(|| double::launch(5, &mut array)).unwrap();
    let array = release(array, &stream).unwrap_err().value;
    graph.launch().unwrap();
    drop(graph);
    assert_eq!(stream.clone_dtoh(&release(array, &stream).unwrap()).unwrap(), doubled());
}

fn releases(driver: &Driver) {
    let (device, stream) = (device(), new_stream());
    // What launches keep is there then.
    double::launch(5, &mut Array::from_slice(&device, &NUMBERS).unwrap()).unwrap();
    let used = || warp::cuda::backend(&device).unwrap().device().memory_use().bytes;
    twice_balanced(driver, || {
        let (before, bytes) = (used(), device.memory().now);
        let mut array = Array::from_slice(&device, &NUMBERS).unwrap();
        double::launch(5, &mut array).unwrap();
        let slice = release(array, &stream).unwrap();
        assert_eq!((used(), device.memory().now), (before, bytes), "it is not the device's any more");
        assert_eq!(stream.clone_dtoh(&slice).unwrap(), doubled());
        drop(slice);
        stream.synchronize().unwrap();
    });
    let array = Array::from_slice(&device, &NUMBERS).unwrap();
    let part = array.slice(1..).unwrap().try_clone().unwrap();
    assert_eq!(stream.clone_dtoh(&release(part, &stream).unwrap()).unwrap(), NUMBERS[1..]);
}

fn our_streams(_: &Driver) {
    let (device, context) = (device(), context(&device()).unwrap());
    let ours = warp::cuda::backend(&device).unwrap().device().stream().unwrap();
    // SAFETY: our stream is dropped last.
    let theirs = unsafe { stream(&context, &ours) }.unwrap();
    let mut array = Array::zeros(&device, 5).unwrap();
    lend_mut(&mut array, &theirs, |mut view| theirs.memcpy_htod(&NUMBERS, &mut view)).unwrap().unwrap();
    double::launch(5, &mut array).unwrap();
    assert_eq!(array.to_vec().unwrap(), doubled());
    drop(theirs);
    ours.synchronize().unwrap();
}

fn strangers(_: &Driver) {
    let (first, second) = (device(), Device::cuda(1).unwrap());
    let elsewhere = context(&second).unwrap().new_stream().unwrap();
    let slice = elsewhere.clone_htod(&NUMBERS).unwrap();
    let expected = "the context of cudarc belongs to another CUDA context than cuda:0, which uses the primary context of \
                    its device; make it in that one";
    assert_eq!(borrow(&first, &slice, |_| ()).unwrap_err().to_string(), expected);
    let refused = adopt(&first, slice).unwrap_err();
    assert_eq!(refused.to_string(), expected);
    let array = Array::from_slice(&first, &NUMBERS).unwrap();
    assert_eq!(lend(&array, &elsewhere, |_| ()).unwrap_err().to_string(), expected);
    assert_eq!(release(array, &elsewhere).unwrap_err().value.to_vec().unwrap(), NUMBERS);
    drop(refused.value);
    assert!(matches!(context(&Device::cpu()), Err(Error::Foreign(_))));
}
