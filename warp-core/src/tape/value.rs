//! Values that the way back reads: in place while they last, and copies of what was overwritten.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::array::borrow::Span;
use crate::array::buffer::{Buffer, Hold};
use crate::array::watch::Watch;
use crate::backend::Address;
use crate::error::Error;

/// What a part of memory held at some time.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) span: Span,
    version: u64,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    InPlace(Watch),
    Copied(Copied),
    /// It was overwritten by somebody who is not on the tape.
    Gone,
}

/// A copy, counted.
#[derive(Debug)]
struct Copied {
    memory: Arc<Buffer>,
    meter: Arc<Meter>,
}

impl Drop for Copied {
    fn drop(&mut self) {
        self.meter.take_off(self.memory.bytes());
    }
}

/// Where a value is found.
pub(crate) struct Located {
    /// Of its first byte.
    pub(crate) address: Address,
    /// Whether it is a copy of the tape's own.
    pub(crate) copied: bool,
    _hold: Option<Hold>,
}

/// A use of memory by the operation that is about to run.
pub(crate) type Own<'a> = (&'a Arc<Buffer>, Span);

impl Value {
    /// What `span` holds now.
    pub(crate) fn now(home: &Arc<Buffer>, span: Span) -> Value {
        let watch = Watch::new(home);
        let version = home.writes().version(span);
        Value { span, version, state: Mutex::new(State::InPlace(watch)) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Whether it is what `span` holds now.
    pub(crate) fn is_now(&self, home: &Arc<Buffer>, span: Span) -> bool {
        let in_place = matches!(&*self.state(), State::InPlace(watch) if Arc::ptr_eq(&watch.buffer, home));
        in_place && self.span == span && self.version == home.writes().version(span)
    }

    /// Copies it before it is overwritten, unless it is copied or gone. `copies` has those that were made for others
    /// just now.
    pub(crate) fn keep(
        &self,
        own: &[Own<'_>],
        meter: &Arc<Meter>,
        copies: &mut Vec<(usize, Span, Arc<Buffer>)>,
    ) -> Result<(), Error> {
        let mut state = self.state();
        let State::InPlace(watch) = &*state else { return Ok(()) };
        let home = watch.buffer.clone();
        let key = Arc::as_ptr(&home) as usize;
        let known = copies.iter().find(|(k, span, _)| (*k, *span) == (key, self.span));
        let memory = match known {
            Some((_, _, memory)) if home.writes().version(self.span) == self.version => Some(memory.clone()),
            _ => copy(&home, self.span, own, || home.writes().version(self.span) == self.version)?,
        };
        *state = match memory {
            Some(memory) => {
                copies.push((key, self.span, memory.clone()));
                meter.put_on(memory.bytes());
                State::Copied(Copied { memory, meter: meter.clone() })
            }
            None => State::Gone,
        };
        Ok(())
    }

    /// Finds it; none when it is gone.
    pub(crate) fn locate(&self) -> Result<Option<Located>, Error> {
        match &*self.state() {
            State::Gone => Ok(None),
            State::Copied(Copied { memory, .. }) => {
                Ok(Some(Located { address: memory.address(), copied: true, _hold: None }))
            }
            State::InPlace(watch) => {
                let home = &watch.buffer;
                if home.writes().version(self.span) != self.version {
                    return Ok(None);
                }
                let hold = home.hold(self.span, false)?;
                if home.writes().version(self.span) != self.version {
                    return Ok(None);
                }
                let address = home.address() + self.span.start as u64;
                Ok(Some(Located { address, copied: false, _hold: Some(hold) }))
            }
        }
    }
}

/// Copies `span` on its device. What the running operation uses itself is its own to read; none when somebody else
/// writes there, or has written.
fn copy(
    home: &Arc<Buffer>,
    span: Span,
    own: &[Own<'_>],
    intact: impl Fn() -> bool,
) -> Result<Option<Arc<Buffer>>, Error> {
    let mut others = vec![span];
    for (_, used) in own.iter().filter(|(buffer, _)| Arc::ptr_eq(buffer, home)) {
        others = others.into_iter().flat_map(|part| without(part, *used)).collect();
    }
    let mut holds = Vec::with_capacity(others.len());
    for part in others {
        match home.hold(part, false) {
            Ok(hold) => holds.push(hold),
            Err(Error::Busy { .. }) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    if !intact() {
        return Ok(None);
    }
    let bytes = span.end - span.start;
    let memory = Buffer::zeroed(home.device(), bytes)?;
    // SAFETY: both have these bytes; the new memory is nobody else's, and the old is held here or by the caller.
    unsafe { home.device().backend().copy(home.address() + span.start as u64, memory.address(), bytes) }
        .map_err(|source| home.device().failed("keeping a value for the gradient", source))?;
    Ok(Some(memory))
}

/// The parts of `span` outside `cut`.
fn without(span: Span, cut: Span) -> impl Iterator<Item = Span> {
    let low = Span { start: span.start, end: span.end.min(cut.start) };
    let high = Span { start: span.start.max(cut.end), end: span.end };
    [low, high].into_iter().filter(|part| part.start < part.end)
}

/// Counts the bytes of a tape's copies.
#[derive(Default, Debug)]
pub(crate) struct Meter {
    now: AtomicUsize,
    peak: AtomicUsize,
}

impl Meter {
    pub(crate) fn put_on(&self, bytes: usize) {
        let now = self.now.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    pub(crate) fn take_off(&self, bytes: usize) {
        self.now.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn now(&self) -> usize {
        self.now.load(Ordering::Relaxed)
    }

    pub(crate) fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }
}
