//! cust and arrays.

use std::mem;

use ::cust::memory::{AsyncCopyDestination, CopyDestination, DeviceBuffer};
use ::cust::stream::{Stream, StreamFlags};
use warp::cust::{adopt, borrow, borrow_all, borrow_mut, context, lend, lend_all, lend_mut, release};
use warp::prelude::*;
use warp::{Error, Graph};

use crate::cases;
use crate::driver::Driver;
use crate::theirs::{NUMBERS, device, double, doubled, scale_by, shift, twice_balanced};

cases! {
    arrays_are_lent => arrays;
    several_arrays_are_lent_together => together;
    parts_and_vectors_are_lent => parts;
    buffers_are_borrowed => buffers;
    handles_end_with_their_loan => ends;
    buffers_become_arrays_and_buffers_again => moves;
    streams_wait_for_each_other => streams;
    a_panic_ends_a_loan => panics;
    strangers_are_refused => strangers;
    no_context_is_left_behind => contexts;
}

fn stream() -> Stream {
    Stream::new(StreamFlags::NON_BLOCKING, None).expect("the driver makes one")
}

fn arrays(driver: &Driver) {
    let device = device();
    let _context = context(&device).unwrap();
    twice_balanced(driver, || {
        let mut array = Array::from_slice(&device, &NUMBERS).unwrap();
        double::launch(5, &mut array).unwrap();
        let mut found = [0.0; 5];
        // SAFETY: the buffer stays inside.
        unsafe { lend(&array, None, |buffer| buffer.copy_to(&mut found)) }.unwrap().unwrap();
        assert_eq!(found.to_vec(), doubled());
        // SAFETY: as above.
        unsafe { lend_mut(&mut array, None, |buffer| buffer.copy_from(&NUMBERS)) }.unwrap().unwrap();
        double::launch(5, &mut array).unwrap();
        assert_eq!(array.to_vec().unwrap(), doubled());
        // SAFETY: as above. The array is in use inside.
        let busy = unsafe { lend(&array, None, |_| lend(&array, None, |buffer| buffer.len())) };
        assert_eq!(busy.unwrap().unwrap(), 5, "two may read");
    });
}

fn together(driver: &Driver) {
    let device = device();
    let _context = context(&device).unwrap();
    let stream = stream();
    twice_balanced(driver, || {
        let (mut array, mut copy) = (Array::from_slice(&device, &NUMBERS).unwrap(), Array::zeros(&device, 5).unwrap());
        double::launch(5, &mut array).unwrap();
        // SAFETY: the buffers stay inside.
        let copied = unsafe { lend_all((&array, &mut copy), None, |(from, to)| from.copy_to(to)) };
        copied.unwrap().unwrap();
        double::launch(5, &mut array).unwrap();
        assert_eq!(copy.to_vec().unwrap(), doubled());
        // SAFETY: as above; both arrays are alive until the device has been waited for.
        let queued =
            unsafe { lend_all((&array, &mut copy), Some(&stream), |(from, to)| from.async_copy_to(to, &stream)) };
        queued.unwrap().unwrap();
        double::launch(5, &mut array).unwrap();
        assert_eq!(copy.to_vec().unwrap(), NUMBERS.map(|x| 4.0 * x));
    });
}

fn parts(_: &Driver) {
    let device = device();
    let _context = context(&device).unwrap();
    let mut points = Array::from_fn(&device, 4, |[i]| Vec3::splat(i as f32)).unwrap();
    let (mut first, mut rows) = ([[0.0f32; 3]; 2], [0.0f32; 3]);
    let middle = points.slice(1..3).unwrap();
    // SAFETY: the buffer stays inside.
    unsafe { lend(&middle.cast::<[f32; 3]>(), None, |buffer| buffer.copy_to(&mut first)) }.unwrap().unwrap();
    assert_eq!(first, [[1.0; 3], [2.0; 3]]);
    let mut middle = points.slice_mut(1..3).unwrap();
    // SAFETY: as above.
    let copied =
        unsafe { lend_mut(&mut middle.cast_mut::<[f32; 3]>(), None, |buffer| buffer.copy_from(&[[7.0; 3], [8.0; 3]])) };
    copied.unwrap().unwrap();
    shift::launch(4, &mut points, Vec3::X).unwrap();
    let expected = [Vec3::X, Vec3::splat(7.0) + Vec3::X, Vec3::splat(8.0) + Vec3::X, Vec3::splat(3.0) + Vec3::X];
    assert_eq!(points.to_vec().unwrap(), expected);

    let matrix = Array::<f32, 2>::from_fn(&device, (2, 3), |[i, j]| (3 * i + j) as f32).unwrap();
    // SAFETY: as above.
    unsafe { lend(&matrix.row(1).unwrap(), None, |buffer| buffer.copy_to(&mut rows)) }.unwrap().unwrap();
    assert_eq!(rows, [3.0, 4.0, 5.0]);
    // SAFETY: as above.
    let words = unsafe { lend(&matrix.column(1).unwrap(), None, |_| ()) }.unwrap_err().to_string();
    assert!(words.starts_with("lending an array needs elements that lie one after another"), "{words}");
}

fn buffers(driver: &Driver) {
    let device = device();
    let _context = context(&device).unwrap();
    twice_balanced(driver, || {
        let mut buffer = DeviceBuffer::from_slice(&NUMBERS).unwrap();
        assert_eq!(borrow(&device, &buffer, |array| array.to_vec()).unwrap().unwrap(), NUMBERS);
        borrow_mut(&device, &mut buffer, |array| double::launch(5, array)).unwrap().unwrap();
        assert_eq!(buffer.as_host_vec().unwrap(), doubled());
        // Exactly so much memory as vectors need: nothing is read past its end.
        let mut points = DeviceBuffer::from_slice(&[[1.0f32; 3]; 43]).unwrap();
        let moved = borrow_mut(&device, &mut points, |array| shift::launch(43, &mut array.cast_mut(), Vec3::Y));
        moved.unwrap().unwrap();
        assert_eq!(points.as_host_vec().unwrap(), [[1.0, 2.0, 1.0]; 43]);
        let by = DeviceBuffer::from_slice(&[0.5f32; 5]).unwrap();
        let launched = borrow_all(&device, (&by, &mut buffer), |(by, buffer)| scale_by::launch(5, by, buffer));
        launched.unwrap().unwrap();
        assert_eq!(buffer.as_host_vec().unwrap(), NUMBERS);
        // No elements need no memory.
        let none = DeviceBuffer::<f32>::from_slice(&[]).unwrap();
        assert_eq!(borrow(&device, &none, |array| array.to_vec()).unwrap().unwrap(), [0.0f32; 0]);
    });
}

fn ends(_: &Driver) {
    let device = device();
    let _context = context(&device).unwrap();
    let mut buffer = DeviceBuffer::from_slice(&NUMBERS).unwrap();
    let mut mine = Array::from_slice(&device, &[9.0f32]).unwrap();
    borrow_mut(&device, &mut buffer, |array| mem::swap(array, &mut mine)).unwrap();
    assert_eq!(mine.len(), 5);
    assert!(matches!(mine.to_vec(), Err(Error::LoanEnded)));
    assert!(matches!(mine.fill(0.0), Err(Error::LoanEnded)));
    assert!(matches!(double::launch(5, &mut mine), Err(Error::LoanEnded)));
    // SAFETY: nothing is used.
    assert!(matches!(unsafe { lend(&mine, None, |_| ()) }, Err(Error::LoanEnded)));

    let capture = |array: &mut Array<f32>| device.capture(|| double::launch(5, array));
    let (graph, ()): (Graph, ()) = borrow_mut(&device, &mut buffer, capture).unwrap().unwrap();
    assert!(matches!(graph.launch(), Err(Error::LoanEnded)));
    let record = |array: &mut Array<f32>| Tape::record(|| double::launch(5, array));
    let tape = borrow_mut(&device, &mut buffer, record).unwrap().unwrap();
    drop(tape);
    let outside = Tape::record(|| {
        // To a tape the memory would be that of another array each time.
        let words = borrow_mut(&device, &mut buffer, |_| ()).unwrap_err().to_string();
        assert!(words.contains("while a tape records"), "{words}");
        let adopted = adopt(&device, DeviceBuffer::from_slice(&NUMBERS).unwrap()).unwrap();
        assert!(release(adopted).unwrap_err().to_string().contains("while a tape records"));
        Ok::<(), Error>(())
    });
    outside.unwrap();
    assert_eq!(buffer.as_host_vec().unwrap(), doubled(), "the loans did what they did");

    // Another thread that is at work is waited for.
    let other = borrow_mut(&device, &mut buffer, |array| {
        let (mut taken, device) = (Array::from_slice(&device, &[0.0f32]).unwrap(), device.clone());
        mem::swap(array, &mut taken);
        std::thread::spawn(move || {
            let results: Vec<bool> = (0..200).map(|_| double::on(&device).launch(5, &mut taken).is_ok()).collect();
            // Once it has ended it stays so.
            results.windows(2).all(|pair| pair[0] || !pair[1])
        })
    });
    let now = buffer.as_host_vec().unwrap();
    assert!(other.unwrap().join().unwrap());
    assert_eq!(buffer.as_host_vec().unwrap(), now, "nobody writes after the loan");
}

fn moves(driver: &Driver) {
    let device = device();
    let _context = context(&device).unwrap();
    twice_balanced(driver, || {
        let buffer = DeviceBuffer::from_slice(&NUMBERS).unwrap();
        let address = buffer.as_device_ptr().as_raw();
        let mut array = adopt(&device, buffer).unwrap();
        double::launch(5, &mut array).unwrap();
        array.with_address(|at| assert_eq!(at, address, "no copy")).unwrap();

        let part = array.slice(1..).unwrap();
        drop(part);
        let buffer = release(array).unwrap();
        assert_eq!((buffer.as_device_ptr().as_raw(), buffer.as_host_vec().unwrap()), (address, doubled()));

        // As an array it goes by itself.
        let array = adopt(&device, buffer).unwrap();
        drop(array);
        assert_eq!(release(adopt(&device, DeviceBuffer::<f32>::from_slice(&[]).unwrap()).unwrap()).unwrap().len(), 0);
    });

    // What has another use stays.
    let array = adopt(&device, DeviceBuffer::from_slice(&NUMBERS).unwrap()).unwrap();
    let mut array = array;
    let (graph, ()): (Graph, ()) = device.capture(|| double::launch(5, &mut array)).unwrap();
    let refused = release(array).unwrap_err();
    assert!(refused.to_string().contains("a tape, a graph or a launch still needs its memory"), "{refused}");
    graph.launch().unwrap();
    assert_eq!(refused.value.to_vec().unwrap(), doubled());
    drop(graph);
    release(refused.value).unwrap();
    let words = release(Array::from_slice(&device, &NUMBERS).unwrap()).unwrap_err().to_string();
    assert!(words.contains("memory did not come from there"), "{words}");
}

/// Copies that cust queues and nobody waits for stand between launches.
fn streams(_: &Driver) {
    let device = device();
    let _context = context(&device).unwrap();
    let stream = stream();
    for _ in 0..20 {
        let mut array = Array::zeros(&device, 5).unwrap();
        // SAFETY: the buffer stays inside; the numbers live on.
        unsafe { lend_mut(&mut array, Some(&stream), |buffer| buffer.async_copy_from(&NUMBERS, &stream)) }
            .unwrap()
            .unwrap();
        double::launch(5, &mut array).unwrap();
        let mut found = [0.0; 5];
        // SAFETY: as above; the stream is waited for.
        unsafe { lend(&array, Some(&stream), |buffer| buffer.async_copy_to(&mut found, &stream)) }.unwrap().unwrap();
        stream.synchronize().unwrap();
        assert_eq!(found.to_vec(), doubled());

        let mut theirs = DeviceBuffer::from_slice(&[0.0; 5]).unwrap();
        // SAFETY: both live until the stream has been waited for.
        unsafe { theirs.async_copy_from(&NUMBERS, &stream) }.unwrap();
        let launch = |array: &mut Array<f32>| {
            double::launch(5, array)?;
            let copy = array.try_clone()?;
            array.copy_from(&copy)
        };
        borrow_mut(&device, &mut theirs, launch).unwrap().unwrap();
        let mut found = [0.0; 5];
        // SAFETY: as above.
        unsafe { theirs.async_copy_to(&mut found, &stream) }.unwrap();
        stream.synchronize().unwrap();
        assert_eq!(found.to_vec(), doubled());
    }
}

fn panics(_: &Driver) {
    let device = device();
    let _context = context(&device).unwrap();
    let mut array = Array::from_slice(&device, &NUMBERS).unwrap();
    let mut buffer = DeviceBuffer::from_slice(&NUMBERS).unwrap();
    let mut kept = Array::zeros(&device, 1).unwrap();
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        // SAFETY: nothing is used.
        unsafe { lend_mut(&mut array, None, |_| panic!("inside")) }
    }));
    assert!(thrown.is_err());
    double::launch(5, &mut array).unwrap();
    assert_eq!(array.to_vec().unwrap(), doubled());
    let thrown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        borrow_mut(&device, &mut buffer, |array| {
            mem::swap(array, &mut kept);
            panic!("inside")
        })
    }));
    assert!(thrown.is_err());
    assert!(matches!(kept.to_vec(), Err(Error::LoanEnded)));
}

fn strangers(_: &Driver) {
    let (first, second) = (device(), Device::cuda(1).unwrap());
    let other = context(&second).unwrap();
    let stream_there = stream();
    let there = DeviceBuffer::from_slice(&NUMBERS).unwrap();
    let _context = context(&first).unwrap();
    let words = borrow(&first, &there, |_| ()).unwrap_err().to_string();
    let expected = "the buffer of cust is on cuda:1, and what it is wanted for on cuda:0; both must be on one device";
    assert_eq!(words, expected);
    let refused = adopt(&first, there).unwrap_err();
    assert_eq!(refused.to_string(), expected);
    assert_eq!(adopt(&second, refused.value).unwrap().to_vec().unwrap(), NUMBERS);

    let array = Array::from_slice(&first, &NUMBERS).unwrap();
    // SAFETY: nothing is used.
    let words = unsafe { lend(&array, Some(&stream_there), |_| ()) }.unwrap_err().to_string();
    assert!(words.starts_with("the stream of cust belongs to another CUDA context than cuda:0"), "{words}");
    let on_cpu = Array::from_slice(&Device::cpu(), &NUMBERS).unwrap();
    // SAFETY: nothing is used.
    let words = unsafe { lend(&on_cpu, None, |_| ()) }.unwrap_err().to_string();
    assert_eq!(words, "device cpu is no CUDA device, and memory is shared with other libraries there alone");
    assert!(context(&Device::cpu()).is_err());
    // SAFETY: there is no such memory, and nobody looks there: it is refused.
    let gone = unsafe { DeviceBuffer::<f32>::from_raw_parts(::cust::memory::DevicePointer::from_raw(0x10), 4) };
    let words = borrow(&first, &gone, |_| ()).unwrap_err().to_string();
    assert!(words.starts_with("the buffer of cust is no memory that the driver of cuda:0 knows"), "{words}");
    mem::forget(gone);
    drop(other);
}

fn contexts(_: &Driver) {
    let device = device();
    let array = Array::from_slice(&device, &NUMBERS).unwrap();
    let mut found = [0.0; 5];
    ::cust::init(::cust::CudaFlags::empty()).unwrap();
    // Inside of a loan cust has the context, without one of its own.
    // SAFETY: the buffer stays inside.
    unsafe { lend(&array, None, |buffer| buffer.copy_to(&mut found)) }.unwrap().unwrap();
    assert_eq!(found, NUMBERS);
    let context = context(&device).unwrap();
    drop(context);
    assert_eq!(array.to_vec().unwrap(), NUMBERS, "the device has its own share of the context");
}
