//! Each driver call of a whole example is made to fail once: the example returns an error or is told of it afterwards, and
//! leaves nothing behind.

use fake_cuda::{Fake, Live};
use warp_core::backend::{Backend, BackendError, LaunchStop};

use super::kernels::{Buffer, Lines, increment, launch, open, program};

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
    for pools in [true, false] {
        let fake = Fake::new();
        fake.pools(pools);
        let run = |nth| {
            fake.fail_call(nth, 999);
            let mut errors = vec![];
            (example(&fake, &mut errors), errors)
        };
        let good: (Result<Found, BackendError>, Vec<String>) = (Ok((vec![3, 4, 5, 6], 12, 4)), vec![]);
        assert_eq!(run(0), good);
        let before = fake.calls();
        assert_eq!(run(0), good);
        let calls = fake.calls() - before;
        assert!(calls > 100, "the example makes {calls} calls");
        for nth in 1..=calls {
            let (found, errors) = run(nth);
            assert!(
                found.is_err() || !errors.is_empty(),
                "call {nth} of {calls} failed, {}, and nobody heard of it",
                fake.failed()
            );
            assert_eq!(fake.live(), Live::default(), "call {nth} of {calls} failed: {found:?} {errors:?}");
        }
        assert_eq!(run(0), good);
    }
}
