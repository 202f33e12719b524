//! Each driver call of a whole example is made to fail once: the example returns an error or is told of it afterwards, and
//! leaves nothing behind.

use std::fmt::Debug;
use std::sync::Arc;

use fake_cuda::{Fake, Live};
use warp_core::backend::{Backend, BackendError, Call, How, LaunchStop, Origin, Priority, Queue, Queued, Step};
use warp_cuda::Cuda;

use super::kernels::{Buffer, Lines, increment, launch, open, program, silent};

/// What the example finds: the numbers after a good launch, and the thread that a bad one reports.
type Found = (Vec<u32>, usize, u64);

fn stopped(stop: LaunchStop) -> BackendError {
    BackendError(format!("{stop:?}"))
}

/// Arrays, copies, a launch that prints, a launch that faults, and a last look.
fn example(fake: &Fake, errors: &mut Vec<String>) -> Result<Found, BackendError> {
    let (driver, cuda) = open(fake).map_err(|error| BackendError(error.to_string()))?;
    let found = (|| {
        let executable = cuda.compile(&program(increment("increment")))?;
        let (from, to) = (Buffer::new(&cuda, &[1, 2, 3, 4])?, Buffer::new(&cuda, &[0; 4])?);
        // SAFETY: both have sixteen bytes.
        unsafe { cuda.copy(from.address, to.address, 16) }?;
        let lines = Lines::default();
        launch(&executable, 4, &[to.address, 4], None, &lines).map_err(stopped)?;
        let fault = launch(&executable, 6, &[from.address, 4], None, &lines);
        let thread = match fault {
            Err(LaunchStop::Fault { thread, .. }) => thread,
            Err(stop) => return Err(stopped(stop)),
            Ok(()) => return Err(BackendError("the launch reaches too far, and nobody noticed".into())),
        };
        launch(&executable, 4, &[to.address, 4], None, &lines).map_err(stopped)?;
        cuda.check()?;
        let count = lines.printed.lock().unwrap().len();
        Ok((to.read()?, count, thread))
    })();
    // Arrays have gone; what their going met is told here, or by the driver.
    errors.extend(cuda.check().err().map(|error| error.to_string()));
    drop(cuda);
    errors.extend(driver.take_untold().iter().map(|error| error.to_string()));
    found
}

#[test]
fn a_failure_of_any_call_is_an_error_and_leaves_nothing() {
    kills(example, (vec![3, 4, 5, 6], 12, 4), 100);
}

/// Runs an example once for each of its calls, of which there are more than so many, and makes that call fail.
fn kills<F: Debug + PartialEq>(example: fn(&Fake, &mut Vec<String>) -> Result<F, BackendError>, good: F, least: u64) {
    let good: (Result<F, BackendError>, Vec<String>) = (Ok(good), vec![]);
    for pools in [true, false] {
        let fake = Fake::new();
        fake.pools(pools);
        let run = |nth| {
            fake.fail_call(nth, 999);
            let mut errors = vec![];
            (example(&fake, &mut errors), errors)
        };
        assert_eq!(run(0), good);
        let before = fake.calls();
        assert_eq!(run(0), good);
        let calls = fake.calls() - before;
        assert!(calls > least, "the example makes {calls} calls");
        for nth in 1..=calls {
            let (found, errors) = run(nth);
            assert!(found.is_err() || !errors.is_empty(), "call {nth} of {calls} failed, and nobody heard of it");
            assert_eq!(fake.live(), Live::default(), "call {nth} of {calls} failed: {found:?} {errors:?}");
        }
        assert_eq!(run(0), good);
    }
}

/// What the example of streams finds: numbers, and threads that were reported.
type Queues = (Vec<u32>, Vec<u64>);

/// Two queues with marks between them, launches that are told later, copies, fills, a graph that is updated; and what is
/// dropped while it is in flight.
fn queues(fake: &Fake, errors: &mut Vec<String>) -> Result<Queues, BackendError> {
    let (driver, cuda) = open(fake).map_err(|error| BackendError(error.to_string()))?;
    let found = Buffer::new(&cuda, &[1, 2, 3, 4]).and_then(|a| {
        let b = Buffer::new(&cuda, &[0; 4])?;
        let found = in_queues(&cuda, &a, &b);
        // Nothing is in flight any more when they go.
        errors.extend(cuda.check().err().map(|error| error.to_string()));
        found
    });
    errors.extend(cuda.check().err().map(|error| error.to_string()));
    drop(cuda);
    errors.extend(driver.take_untold().iter().map(|error| error.to_string()));
    found
}

fn in_queues(cuda: &Cuda, a: &Buffer, b: &Buffer) -> Result<Queues, BackendError> {
    let executable = cuda.compile(&program(silent("silent")))?;
    let own = cuda.queue().expect("a GPU queues").clone();
    let side = cuda.new_queue(Priority::High)?.expect("a GPU queues");
    let mut threads = vec![];
    let origin: Origin = Arc::new(());
    let lines = Lines::default();
    let run = |queue: &Arc<dyn Queue>, n: u64, words: &[u64]| {
        let queued = Some(Queued { queue, origin: &origin });
        let call = Call { words, dims: &[n], how: How::default(), printer: &lines, queued };
        // SAFETY: the words are an address of four numbers and their count.
        unsafe { executable.launch(&call) }.map_err(stopped)
    };
    let told = |cuda: &Cuda| {
        cuda.stopped().map(|stopped| match stopped.stop {
            LaunchStop::Fault { thread, .. } => Ok(thread),
            LaunchStop::Backend(error) => Err(error),
        })
    };
    run(&side, 4, &[a.address, 4])?;
    assert!(own.wait(&*side.mark(true)?)?, "both are of one driver");
    // SAFETY (of all): both have sixteen bytes, and the queues are in order.
    unsafe { own.copy(a.address, b.address, 16) }?;
    run(&own, 6, &[b.address, 4])?;
    own.synchronize()?;
    threads.extend(told(cuda).transpose()?);
    unsafe { own.fill(a.address, &[7, 0, 0, 0], 4) }?;
    unsafe { own.fill(a.address + 8, &[9, 0, 0, 0, 8, 0, 0, 0], 1) }?;
    let steps = |words: &'static [u64]| Step::Launch {
        executable: &*executable,
        words,
        dims: &[5],
        how: How::default(),
        origin: &origin,
    };
    let words: &'static [u64] = vec![b.address, 4].leak();
    let others: &'static [u64] = vec![a.address, 4].leak();
    let fill = Step::Fill { to: b.address, value: &[1, 0, 0, 0], times: 2 };
    let mut replay = cuda.replay(&[fill, steps(words)])?.expect("nothing prints");
    assert!(side.wait(&*own.mark(false)?)?);
    unsafe { replay.launch(&side) }?;
    let bytes: Vec<u8> = [5u32, 5].iter().flat_map(|n| n.to_le_bytes()).collect();
    let upload = Step::Upload { to: a.address, bytes: &bytes };
    if !replay.update(&[Step::Fill { to: b.address, value: &[3, 0, 0, 0], times: 2 }, steps(others)])? {
        return Err(BackendError("an update of the same form was refused".into()));
    }
    unsafe { replay.launch(&side) }?;
    drop(replay);
    let other = cuda.replay(&[upload, Step::Transfer { from: a.address, to: b.address + 8, bytes: 8 }])?;
    let other = other.expect("nothing prints");
    unsafe { other.launch(&side) }?;
    let mark = side.mark(false)?;
    drop((other, side));
    mark.synchronize()?;
    threads.extend(told(cuda).transpose()?);
    assert!(own.wait(&*mark)?);
    cuda.check()?;
    let numbers = [a.read()?, b.read()?].concat();
    Ok((numbers, threads))
}

#[test]
fn a_failure_of_any_call_in_streams_is_an_error_and_leaves_nothing() {
    kills(queues, (vec![5, 5, 10, 9, 3, 3, 5, 5], vec![4, 4]), 200);
}
