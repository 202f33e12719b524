//! Each driver call of an example with each of the crates is made to fail once: the example returns an error or is told of it
//! afterwards, or had a second way and its numbers are right; nothing is left behind, nothing panics, nothing waits for ever.

use std::cell::Cell;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use std::{process, thread};

use cudarc::driver::CudaContext;
use warp::Error;
use warp::prelude::*;

use crate::cases;
use crate::driver::{Driver, Live};
use crate::theirs::{NUMBERS, device, double, scale_by};

cases! {
    loans_to_cust => |driver: &Driver| kills(driver, with_cust);
    loans_to_rustacuda => |driver: &Driver| kills(driver, with_rustacuda);
    loans_to_cudarc => |driver: &Driver| kills(driver, with_cudarc);
}

/// What an example finds, or why it does not.
type Found = Result<Vec<f32>, String>;

/// `CUDA_ERROR_UNKNOWN`.
const UNKNOWN: i32 = 999;

/// An example runs once for each of its calls.
fn kills(driver: &Driver, example: fn(&Device, &Watch) -> Found) {
    thread::spawn(|| {
        thread::sleep(Duration::from_secs(300));
        eprintln!("the example waits for ever");
        process::abort();
    });
    let device = device();
    let backend = warp::cuda::backend(&device).expect("a CUDA device");
    let told = || {
        let waited = backend.device().synchronize().map_err(said).and_then(|()| device.check().map_err(said));
        let untold = backend.device().driver().take_untold().into_iter().map(said);
        waited.err().into_iter().chain(untold).collect::<Vec<String>>()
    };
    let watch = Watch { driver, elsewhere: Cell::new(false) };
    let example = || example(&device, &watch);
    let good = example().expect("the example runs");
    let before = driver.calls();
    assert_eq!(example(), Ok(good.clone()));
    let calls = driver.calls() - before;
    assert!(calls > 60 && told().is_empty(), "the example makes {calls} calls");
    let mut balance = driver.live();
    for nth in 1..=calls {
        driver.fail_call(nth, UNKNOWN);
        watch.elsewhere.set(false);
        let found = example();
        let said = [found.clone().err().into_iter().collect(), told()].concat();
        let which = format!("call {nth} of {calls} failed, {}: {said:?}", driver.failed());
        assert!(!driver.failed().is_empty(), "{which}");
        assert!(found.as_ref() == Ok(&good) || !said.is_empty(), "{which}: {found:?}");
        // What was given back beside the failure is there again.
        assert_eq!(example().as_ref(), Ok(&good), "after {which}");
        assert_eq!(told(), [""; 0], "after {which}");
        let now = driver.live();
        balance = if watch.elsewhere.get() { now } else { left(&driver.failed(), balance, now) };
        assert_eq!(now, balance, "{which}");
    }
}

/// What may be alive: as much as before, and what another library could not give back, which it does not try again.
fn left(failed: &str, before: Live, now: Live) -> Live {
    let mut expected = before;
    if failed.starts_with("cuMemFree") && now.allocations == before.allocations + 1 {
        (expected.allocations, expected.bytes) = (now.allocations, now.bytes);
    }
    if failed.starts_with("cuEventDestroy") && now.events == before.events + 1 {
        expected.events = now.events;
    }
    if failed.starts_with("cuStreamDestroy") && now.streams == before.streams + 1 {
        expected.streams = now.streams;
    }
    if failed.starts_with("cuDevicePrimaryCtxRelease") && now.shares == before.shares + 1 {
        expected.shares = now.shares;
    }
    expected
}

/// Sees whether the failure came where this library had no part: what is left then is the other one's.
struct Watch<'a> {
    driver: &'a Driver,
    elsewhere: Cell<bool>,
}

impl Watch<'_> {
    /// A call of the other library's alone.
    fn outside<A>(&self, call: impl FnOnce() -> A) -> A {
        let before = self.driver.failed();
        let answer = call();
        self.elsewhere.set(self.elsewhere.get() || before != self.driver.failed());
        answer
    }
}

fn said(error: impl Debug) -> String {
    format!("{error:?}")
}

/// An array of doubled numbers.
fn doubles(device: &Device) -> Result<Array<f32>, Error> {
    let mut array = Array::from_slice(device, &NUMBERS)?;
    double::launch(5, &mut array)?;
    Ok(array)
}

fn with_cust(device: &Device, _: &Watch) -> Found {
    use cust::memory::{AsyncCopyDestination, CopyDestination, DeviceBuffer};
    use cust::stream::{Stream, StreamFlags};
    use warp::cust::{adopt, borrow, borrow_mut, context, lend, lend_all, lend_mut, release};

    let _context = context(device).map_err(said)?;
    let stream = Stream::new(StreamFlags::NON_BLOCKING, None).map_err(said)?;
    let (mut array, mut found) = (doubles(device).map_err(said)?, [0.0; 5]);
    // SAFETY: the buffers stay inside; the host's numbers outlive the stream's work, which launches below wait for.
    unsafe { lend_mut(&mut array, Some(&stream), |buffer| buffer.async_copy_from(&NUMBERS, &stream)).map_err(said)? }
        .map_err(said)?;
    let mut copy = doubles(device).map_err(said)?;
    // SAFETY: as above.
    unsafe { lend_all((&array, &mut copy), None, |(from, to)| from.copy_to(to)) }.map_err(said)?.map_err(said)?;
    // SAFETY: as above.
    unsafe { lend(&copy, None, |buffer| buffer.copy_to(&mut found)) }.map_err(said)?.map_err(said)?;

    let mut buffer = DeviceBuffer::from_slice(&found).map_err(said)?;
    borrow_mut(device, &mut buffer, |array| double::launch(5, array)).map_err(said)?.map_err(said)?;
    let borrowed = borrow(device, &buffer, |array| array.to_vec()).map_err(said)?.map_err(said)?;
    let mut array = adopt(device, buffer).map_err(said)?;
    double::launch(5, &mut array).map_err(said)?;
    let buffer = release(array).map_err(said)?;
    let array = adopt(device, buffer).map_err(said)?;
    Ok([borrowed, array.to_vec().map_err(said)?].concat())
}

fn with_rustacuda(device: &Device, _: &Watch) -> Found {
    use rustacuda::memory::{CopyDestination, DeviceBuffer};
    use warp::rustacuda::{adopt, borrow, borrow_mut, context, lend, lend_all, lend_mut, release};

    context(device).map_err(said)?;
    let (mut array, mut found) = (doubles(device).map_err(said)?, [0.0; 5]);
    lend_mut(&mut array, |slice| slice.copy_from(&NUMBERS)).map_err(said)?.map_err(said)?;
    let mut copy = doubles(device).map_err(said)?;
    lend_all((&array, &mut copy), |(from, to)| from.copy_to(to)).map_err(said)?.map_err(said)?;
    lend(&copy, |slice| slice.copy_to(&mut found)).map_err(said)?.map_err(said)?;

    let mut buffer = DeviceBuffer::from_slice(&found).map_err(said)?;
    borrow_mut(device, &mut buffer, |array| double::launch(5, array)).map_err(said)?.map_err(said)?;
    let borrowed = borrow(device, &buffer, |array| array.to_vec()).map_err(said)?.map_err(said)?;
    let mut array = adopt(device, buffer).map_err(said)?;
    double::launch(5, &mut array).map_err(said)?;
    let buffer = release(array).map_err(said)?;
    let array = adopt(device, buffer).map_err(said)?;
    Ok([borrowed, array.to_vec().map_err(said)?].concat())
}

/// cudarc keeps what goes wrong while something is dropped.
fn with_cudarc(device: &Device, watch: &Watch) -> Found {
    // Of the calls there cudarc makes all.
    let context = watch.outside(|| warp::cudarc::context(device)).map_err(said)?;
    let found = in_context(device, &context, watch);
    let found = found.and_then(|found| context.check_err().map(|()| found).map_err(said));
    watch.outside(|| drop(context));
    found
}

fn in_context(device: &Device, context: &Arc<CudaContext>, watch: &Watch) -> Found {
    use warp::cudarc::{adopt, borrow, borrow_all, borrow_mut, lend, lend_all, lend_mut, release};

    let stream = context.new_stream().map_err(said)?;
    let other = stream.fork().map_err(said)?;
    let (mut array, mut copy) = (doubles(device).map_err(said)?, doubles(device).map_err(said)?);
    lend_mut(&mut array, &stream, |mut view| stream.memcpy_htod(&NUMBERS, &mut view)).map_err(said)?.map_err(said)?;
    // On another stream than the one that it is lent to.
    lend_all((&array, &mut copy), &stream, |(from, mut to)| other.memcpy_dtod(from, &mut to))
        .map_err(said)?
        .map_err(said)?;
    let found = lend(&copy, &stream, |slice| stream.clone_dtoh(slice)).map_err(said)?.map_err(said)?;

    let mut slice = watch.outside(|| stream.clone_htod(&found)).map_err(said)?;
    borrow_mut(device, &mut slice, |array| double::launch(5, array)).map_err(said)?.map_err(said)?;
    let by = watch.outside(|| other.clone_htod(&[0.5f32; 5])).map_err(said)?;
    borrow_all(device, (&by, &mut slice), |(by, array)| scale_by::launch(5, by, array)).map_err(said)?.map_err(said)?;
    let borrowed = borrow(device, &slice, |array| array.to_vec()).map_err(said)?.map_err(said)?;
    let mut array = adopt(device, slice).map_err(said)?;
    double::launch(5, &mut array).map_err(said)?;
    let slice = release(array, &stream).map_err(said)?;
    let back = other.clone_dtoh(&slice).map_err(said)?;
    drop(adopt(device, slice).map_err(said)?);
    let mut array = doubles(device).map_err(said)?;
    double::launch(5, &mut array).map_err(said)?;
    let own = release(array, &stream).map_err(said)?;
    Ok([borrowed, back, other.clone_dtoh(&own).map_err(said)?].concat())
}
