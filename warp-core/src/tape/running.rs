//! The backward passes that run on this thread.

use std::cell::RefCell;

use super::Tape;
use super::error::TapeError;
use crate::error::Error;

thread_local! {
    /// The places of the tapes that go back on this thread.
    static RUNNING: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// A pass, while it runs.
pub(super) struct Running(());

impl Running {
    /// Notes that `tape` goes back; refused while it does so on this thread: a function's way back that goes back through
    /// itself would never end.
    pub(super) fn begin(tape: &Tape) -> Result<Running, Error> {
        let place = std::ptr::from_ref(tape).addr();
        RUNNING.with_borrow_mut(|running| {
            if running.contains(&place) {
                return Err(TapeError::BackwardInside.into());
            }
            running.push(place);
            Ok(Running(()))
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(Vec::pop);
    }
}
