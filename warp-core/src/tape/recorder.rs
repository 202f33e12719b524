//! Recording: this thread's launches, copies and writes, as they happen.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, Weak};

use super::error::TapeError;
use super::step::{Entry, Step};
use super::value::{Meter, Own, Value};
use crate::adjoint::Reverse;
use crate::array::borrow::Span;
use crate::array::buffer::Buffer;
use crate::error::Error;

thread_local! {
    /// How many tapes record on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Those tapes, the outermost first.
    static STACK: RefCell<Vec<Recorder>> = const { RefCell::new(Vec::new()) };
}

/// Whether some tape records on this thread.
#[inline]
pub(crate) fn recording() -> bool {
    DEPTH.get() != 0
}

/// A tape that grows.
#[derive(Default, Debug)]
pub(crate) struct Recorder {
    pub(crate) entries: Vec<Entry>,
    /// Values that are needed, and in place as far as is known, by their buffers.
    open: HashMap<usize, Vec<Weak<Value>>>,
    pub(crate) meter: Arc<Meter>,
}

impl Recorder {
    /// A value that is in memory now.
    fn value(&mut self, home: &Arc<Buffer>, span: Span) -> Arc<Value> {
        let open = self.open.entry(Arc::as_ptr(home) as usize).or_default();
        open.retain(|value| value.strong_count() > 0);
        if let Some(known) = open.iter().filter_map(Weak::upgrade).find(|value| value.is_now(home, span)) {
            return known;
        }
        let value = Arc::new(Value::now(home, span));
        open.push(Arc::downgrade(&value));
        value
    }

    /// Copies the values that are about to be overwritten.
    fn keep(&mut self, home: &Arc<Buffer>, span: Span, own: &[Own<'_>], copies: &mut Copies) -> Result<(), Error> {
        let Some(open) = self.open.get_mut(&(Arc::as_ptr(home) as usize)) else { return Ok(()) };
        let mut failure = None;
        open.retain(|value| {
            let Some(value) = value.upgrade() else { return false };
            if !value.span.overlaps(span) || failure.is_some() {
                return true;
            }
            failure = value.keep(own, &self.meter, copies).err();
            failure.is_some()
        });
        failure.map_or(Ok(()), Err)
    }

    /// Whether something needs what the span holds now.
    fn needs_of(&mut self, step: &Step, own: &[Own<'_>], after: bool) -> Result<Vec<Option<Arc<Value>>>, Error> {
        let Step::Launch(launch) = step else { return Ok(vec![]) };
        let Reverse::Adjoint(adjoint) = launch.definition.reverse(false)? else { return Ok(vec![]) };
        if launch.is_empty() {
            return Ok(vec![]);
        }
        let wanted = adjoint.arrays.iter().zip(own);
        let values = wanted.map(|(need, &(buffer, span))| {
            let wants = if after { false } else { need.contents };
            (wants && span.start < span.end).then(|| self.value(buffer, span))
        });
        Ok(values.collect())
    }
}

type Copies = Vec<(usize, Span, Arc<Buffer>)>;

/// An operation between its announcement and its end: the needs of each tape that records.
pub(crate) struct Pending {
    needs: Vec<Vec<Option<Arc<Value>>>>,
}

/// A use of memory, and whether it is written.
pub(crate) type Use<'a> = (&'a Arc<Buffer>, Span, bool);

/// Runs what the host does to arrays, and puts it on all tapes that record.
pub(crate) fn host(step: Step, uses: &[Use<'_>], run: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
    let pending = begin(&step, uses, false)?;
    let done = run();
    end(pending, step, done.is_err());
    done
}

/// Announces an operation: values that it overwrites are copied. `own` is what it uses, the arguments of a launch in
/// order; `held` says that it has taken them already.
#[cold]
pub(crate) fn begin(step: &Step, own: &[Use<'_>], held: bool) -> Result<Pending, Error> {
    let all = own.iter().filter(|_| held);
    let uses: Vec<Own<'_>> = all.map(|&(buffer, span, _)| (buffer, span)).collect();
    STACK.with_borrow_mut(|stack| {
        let mut pending = Pending { needs: vec![] };
        for recorder in stack.iter_mut() {
            pending.needs.push(recorder.needs_of(step, &uses, false)?);
        }
        let mut copies = Copies::new();
        for recorder in stack.iter_mut() {
            for &(buffer, span, _) in own.iter().filter(|(_, _, write)| *write) {
                recorder.keep(buffer, span, &uses, &mut copies)?;
            }
        }
        Ok(pending)
    })
}

/// Puts an operation on all tapes that record.
#[cold]
pub(crate) fn end(pending: Pending, step: Step, failed: bool) {
    let step = Arc::new(step);
    STACK.with_borrow_mut(|stack| {
        for (recorder, needs) in stack.iter_mut().zip(pending.needs) {
            recorder.entries.push(Entry { step: step.clone(), needs, failed });
        }
    });
}

/// Runs `body` with a recorder on this thread, and gives it back; also when `body` panics it goes.
pub(crate) fn with<T>(recorder: Recorder, body: impl FnOnce() -> T) -> (T, Recorder) {
    struct Depth(usize);
    impl Drop for Depth {
        fn drop(&mut self) {
            DEPTH.set(self.0);
            STACK.with_borrow_mut(|stack| stack.truncate(self.0));
        }
    }
    let depth = STACK.with_borrow_mut(|stack| {
        stack.push(recorder);
        Depth(stack.len() - 1)
    });
    DEPTH.set(depth.0 + 1);
    let done = body();
    let recorder = STACK.with_borrow_mut(|stack| stack.pop()).unwrap_or_default();
    (done, recorder)
}

/// Refuses what a tape could not follow.
#[inline]
pub(crate) fn refuse_guard() -> Result<(), Error> {
    match recording() {
        true => Err(TapeError::WriteGuard.into()),
        false => Ok(()),
    }
}
