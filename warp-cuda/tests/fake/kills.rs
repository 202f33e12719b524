//! Each call of a whole program is made to fail once: the program returns an error or tells it afterwards, leaves nothing
//! behind, and nothing panics.

use std::cell::RefCell;

use fake_cuda::{Fake, Live};
use warp_cuda::{Device, Driver, Error, Priority};

use super::rig::{filled, launch, module, numbers, open};

/// Waits when it goes: also when something failed, launches are done before their memory goes.
struct Wait<'a>(&'a Device, &'a RefCell<Vec<Error>>);

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        while let Err(error) = self.0.synchronize() {
            self.1.borrow_mut().push(error);
        }
    }
}

/// Something of everything.
fn program(driver: &Driver, heard: &RefCell<Vec<Error>>) -> Result<Vec<u32>, Error> {
    let [device, peer] = [driver.device(0)?, driver.device(1)?];
    let (stream, side) = (device.stream()?, device.stream_with(Priority::High)?);
    assert_eq!(side.priority()?, -5);
    let module = module(&device)?;
    let (add, scale) = (module.function("add")?, module.function("scale")?);
    assert_eq!(add.attributes()?.block_threads, 1024);
    assert_eq!(add.best_block(0, 64)?.0, 64);
    let (start, end) = (device.timing_event()?, device.timing_event()?);

    let memory = filled(&stream, &[1, 2, 3])?;
    let _waits_before_the_memory_goes = Wait(&device, heard);
    start.record(&stream)?;
    launch(&add, &stream, &memory, 1, 3)?;
    side.follow(&stream)?;
    launch(&scale, &side, &memory, 3, 3)?;
    stream.follow(&side)?;
    end.record(&stream)?;
    end.synchronize()?;
    assert!(end.milliseconds_since(&start)? > 0.0);

    let mut plain = device.allocate(12)?;
    stream.copy(&memory, 0, &mut plain, 0, 12)?;
    let mut graph = stream.capture(|| launch(&add, &stream, &plain, 1, 3))?.instantiate()?;
    graph.update(&stream.capture(|| launch(&add, &stream, &plain, 10, 3))?)?;
    // SAFETY: memory and module are alive.
    unsafe { graph.launch(&stream) }?;

    let away = peer.stream()?;
    let mut there = away.allocate_zeroed(12)?;
    device.enable_access(&peer)?;
    away.follow(&stream)?;
    away.copy(&plain, 0, &mut there, 0, 12)?;
    let mut pinned = peer.pinned(12)?;
    // SAFETY: both have twelve bytes until the stream is waited for.
    unsafe { away.download_raw(pinned.as_mut_ptr(), there.address(), 12) }?;
    away.synchronize()?;
    stream.call(|| ())?;
    device.trim(0)?;
    let found = numbers(&away, &there)?;
    assert_eq!(*pinned, *super::rig::bytes(&found));
    device.synchronize()?;
    peer.synchronize()?;
    Ok(found)
}

/// What becomes of the program when its n-th call fails: its answer, and what was told afterwards.
fn run(fake: &Fake, nth: u64) -> (Result<Vec<u32>, Error>, Vec<Error>) {
    const UNKNOWN: i32 = 999;
    fake.fail_call(nth, UNKNOWN);
    let driver = match open(fake) {
        Ok(driver) => driver,
        Err(error) => return (Err(error), vec![]),
    };
    let heard = RefCell::default();
    let answer = program(&driver, &heard);
    (answer, [heard.into_inner(), driver.take_untold()].concat())
}

#[test]
fn a_failure_of_any_call_is_an_error_and_leaves_nothing() {
    for pools in [true, false] {
        let fake = Fake::new();
        fake.pools(pools);
        assert_eq!(run(&fake, 0), (Ok(vec![16, 19, 22]), vec![]));
        // From now on this thread has a context, which the program need not set.
        let before = fake.calls();
        assert_eq!(run(&fake, 0), (Ok(vec![16, 19, 22]), vec![]));
        let calls = fake.calls() - before;
        assert!(calls > 200, "the program makes {calls} calls");
        for nth in 1..=calls {
            let (answer, untold) = run(&fake, nth);
            assert!(
                answer.is_err() || !untold.is_empty(),
                "call {nth} of {calls} failed, {}, and nobody heard of it",
                fake.failed()
            );
            let error = answer.err().or_else(|| untold.into_iter().next()).map(|error| error.to_string());
            assert_eq!(fake.live(), Live::default(), "call {nth} of {calls} failed: {error:?}");
        }
        assert_eq!(run(&fake, 0), (Ok(vec![16, 19, 22]), vec![]));
    }
}

/// The same for allocations; what is tried again finds memory then.
#[test]
fn an_allocation_without_memory_leaves_nothing() {
    let fake = Fake::new();
    let driver = open(&fake).unwrap();
    for nth in 1..10 {
        fake.fail_allocation(nth);
        if let Err(error) = program(&driver, &RefCell::default()) {
            assert!(error.to_string().contains("CUDA_ERROR_OUT_OF_MEMORY"), "{error}");
        }
        assert_eq!(fake.live(), Live::default());
        assert_eq!(driver.take_untold(), vec![]);
    }
}
