//! Streams as queues of the runtime, and events as their marks.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use warp_core::backend::{Address, BackendError, Mark, Queue, Stopped};

use super::later::{Clock, Later};
use super::{PADDING, failed};
use crate::error::Error;
use crate::event::Event;
use crate::stream::Stream;

/// A stream with what is known of its order.
pub(crate) struct CudaQueue {
    id: u64,
    stream: Stream,
    later: Arc<Later>,
    /// Locked while launches are queued, so that a count never runs ahead of the stream.
    known: Mutex<Known>,
}

/// Launches that are done when all that is in a stream is done.
#[derive(Default)]
struct Known {
    /// Its own: so many were queued.
    count: u64,
    /// Those of others, that it waits for.
    others: Clock,
}

/// An event, with the launches that are done when it is reached.
pub(super) struct CudaMark {
    event: Event,
    clock: Clock,
    later: Arc<Later>,
}

impl CudaQueue {
    pub(super) fn new(stream: Stream, later: Arc<Later>) -> CudaQueue {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        CudaQueue { id: NEXT.fetch_add(1, Ordering::Relaxed), stream, later, known: Mutex::default() }
    }

    pub(crate) fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Queues what `work` queues as one more launch; `note` gets its number, and what is done when it is. Nobody else queues
    /// a launch here meanwhile.
    pub(super) fn count(
        &self,
        work: impl FnOnce() -> Result<(), Error>,
        note: impl FnOnce(u64, Clock),
    ) -> Result<(), Error> {
        let mut known = self.known();
        work()?;
        known.count += 1;
        note(known.count, self.clock(&known));
        Ok(())
    }

    /// A mark behind all that is queued now.
    pub(super) fn place(&self, timed: bool) -> Result<CudaMark, Error> {
        let device = self.stream.device();
        let event = if timed { device.timing_event() } else { device.event() }?;
        let mut known = self.known();
        event.record(&self.stream)?;
        self.later.forget_done(&mut known.others);
        Ok(CudaMark { event, clock: self.clock(&known), later: self.later.clone() })
    }

    /// Lets what comes next wait for a mark of the same driver.
    pub(super) fn follow(&self, mark: &CudaMark) -> Result<(), Error> {
        let mut known = self.known();
        self.stream.wait(&mark.event)?;
        known.others.join(&mark.clock);
        self.later.forget_done(&mut known.others);
        Ok(())
    }

    /// Waits until all is done.
    pub(super) fn finish(&self) -> Result<(), Error> {
        let clock = self.now();
        self.stream.synchronize()?;
        self.later.reached(&clock);
        Ok(())
    }

    /// Zeroed memory in the order of the stream, with room past its end.
    pub(super) fn take(&self, bytes: usize) -> Result<Address, Error> {
        let (device, stream) = (self.stream.device(), &self.stream);
        let too_large = |why: String| {
            Error::Refused(format!("{} has no {bytes} bytes of memory for an array: {why}", device.label()))
        };
        let padded = bytes.checked_add(PADDING).ok_or_else(|| too_large("no device has".into()))?;
        let address = device.take(Some(stream), padded).map_err(|error| too_large(error.to_string()))?;
        // SAFETY: the memory was just taken on this stream.
        unsafe { stream.fill_raw(address, 0, padded) }.inspect_err(|_| device.give(Some(stream), address, padded))?;
        Ok(address)
    }

    /// What is done when all is done that is queued now.
    fn now(&self) -> Clock {
        self.clock(&self.known())
    }

    fn clock(&self, known: &Known) -> Clock {
        let mut clock = known.others.clone();
        clock.join(&Clock::of(self.id, known.count));
        clock
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes are written once, and then doubled.
    ///
    /// # Safety
    /// As of [`Queue::fill`].
    unsafe fn fill_by_copies(&self, to: Address, value: &[u8], bytes: usize) -> Result<(), Error> {
        let first = Pattern::first(value, bytes);
        // SAFETY: the first part of the caller's range; the host's bytes are lent until the copy is done.
        unsafe { self.stream.upload_raw(to, first.as_ptr(), first.len()) }?;
        self.finish()?;
        // SAFETY: parts of the caller's range that do not overlap.
        Pattern::doubled(first.len(), bytes)
            .try_for_each(|(at, more)| unsafe { self.stream.copy_raw(to + at as u64, to, more) })
    }
}

impl Queue for CudaQueue {
    fn id(&self) -> u64 {
        self.id
    }

    fn mark(&self, timed: bool) -> Result<Arc<dyn Mark>, BackendError> {
        Ok(Arc::new(self.place(timed).map_err(failed)?))
    }

    fn wait(&self, mark: &dyn Mark) -> Result<bool, BackendError> {
        let mark: &dyn Any = mark;
        match mark.downcast_ref::<CudaMark>() {
            Some(mark) if self.stream.device().driver().is(mark.event.device().driver()) => {
                self.follow(mark).map_err(failed)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn synchronize(&self) -> Result<(), BackendError> {
        self.finish().map_err(failed)
    }

    fn stopped(&self) -> Option<Stopped> {
        self.later.stopped(Some(&self.now()))
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        self.take(bytes).map_err(failed)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        // `allocate` gave it, so the sum is a number.
        self.stream.device().give(Some(&self.stream), address, bytes.saturating_add(PADDING));
    }

    fn is_done(&self) -> Result<bool, BackendError> {
        let clock = self.now();
        let done = self.stream.is_done().map_err(failed)?;
        if done {
            self.later.reached(&clock);
        }
        Ok(done)
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        if from.is_empty() {
            return Ok(());
        }
        // SAFETY: by contract `to` is valid for so many bytes; the host's memory is lent until the copy is done.
        unsafe { self.stream.upload_raw(to, from.as_ptr(), from.len()) }.and_then(|()| self.finish()).map_err(failed)
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        if to.is_empty() {
            return Ok(());
        }
        // SAFETY: by contract `from` is valid for so many bytes; the host's memory is lent until the copy is done.
        unsafe { self.stream.download_raw(to.as_mut_ptr(), from, to.len()) }
            .and_then(|()| self.finish())
            .map_err(failed)
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: by contract both are valid for so many bytes until it is done.
        unsafe { self.stream.copy_raw(to, from, bytes) }.map_err(failed)
    }

    unsafe fn fill(&self, to: Address, value: &[u8], times: usize) -> Result<(), BackendError> {
        let bytes = value.len() * times;
        if bytes == 0 {
            return Ok(());
        }
        // SAFETY: by contract `to` is valid for so many bytes until it is done.
        let filled = match Pattern::of(to, value) {
            Pattern::Byte(byte) => unsafe { self.stream.fill_raw(to, byte, bytes) },
            Pattern::Word(word) => unsafe { self.stream.fill_words_raw(to, word, bytes / 4) },
            Pattern::Other => unsafe { self.fill_by_copies(to, value, bytes) },
        };
        filled.map_err(failed)
    }
}

/// What a fill repeats.
pub(super) enum Pattern {
    Byte(u8),
    /// Four bytes, in the order of memory.
    Word(u32),
    Other,
}

impl Pattern {
    /// The simplest form of a value that is repeated from a place on.
    pub(super) fn of(to: Address, value: &[u8]) -> Pattern {
        let words = value.as_chunks::<4>();
        match value.first() {
            Some(&first) if value.iter().all(|byte| *byte == first) => Pattern::Byte(first),
            _ => match words {
                (&[first, ref rest @ ..], []) if to.is_multiple_of(4) && rest.iter().all(|word| *word == first) => {
                    Pattern::Word(u32::from_le_bytes(first))
                }
                _ => Pattern::Other,
            },
        }
    }

    /// So many of the values that they are worth a copy, of all that are `bytes` long together.
    pub(super) fn first(value: &[u8], bytes: usize) -> Vec<u8> {
        const FIRST: usize = 1 << 12;
        value.repeat((FIRST / value.len()).clamp(1, bytes / value.len()))
    }

    /// Copies from the start that fill the rest: where to, and how much.
    pub(super) fn doubled(first: usize, bytes: usize) -> impl Iterator<Item = (usize, usize)> {
        let doubles = std::iter::successors(Some(first), |filled| filled.checked_mul(2));
        doubles.take_while(move |filled| *filled < bytes).map(move |filled| (filled, filled.min(bytes - filled)))
    }
}

impl Mark for CudaMark {
    fn synchronize(&self) -> Result<(), BackendError> {
        self.event.synchronize().map_err(failed)?;
        self.later.reached(&self.clock);
        Ok(())
    }

    fn is_done(&self) -> Result<bool, BackendError> {
        let done = self.event.is_done().map_err(failed)?;
        if done {
            self.later.reached(&self.clock);
        }
        Ok(done)
    }

    fn stopped(&self) -> Option<Stopped> {
        self.later.stopped(Some(&self.clock))
    }

    fn seconds_since(&self, earlier: &dyn Mark) -> Result<f64, BackendError> {
        let earlier: &dyn Any = earlier;
        let earlier: &CudaMark =
            earlier.downcast_ref().ok_or_else(|| BackendError("the earlier event is not one of CUDA".into()))?;
        let milliseconds = self.event.milliseconds_since(&earlier.event).map_err(failed)?;
        Ok(f64::from(milliseconds) / 1000.0)
    }
}
