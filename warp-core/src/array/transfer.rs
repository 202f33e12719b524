//! Bytes into buffers and out of them: queued in the stream of this thread, or recorded into a graph.

use std::sync::Arc;

use super::borrow::Span;
use super::buffer::Buffer;
use crate::backend::BackendError;
use crate::error::Error;
use crate::graph::capture;
use crate::graph::node::Node;
use crate::stream::{self, order};

impl Buffer {
    /// Host to device, for a call that `doing` tells of where it fails.
    ///
    /// # Safety
    /// The range lies inside, and is held for writing.
    pub(crate) unsafe fn upload(self: &Arc<Buffer>, at: usize, bytes: &[u8], doing: &str) -> Result<(), Error> {
        let (device, to) = (self.device(), self.address() + at as u64);
        let span = Span { start: at, end: at + bytes.len() };
        let failed = |source: BackendError| device.failed(doing, source);
        match stream::current(device) {
            // SAFETY: the caller's contract.
            None => unsafe { device.backend().upload(to, bytes) }.map_err(failed),
            Some(queue) => order::ordered(device, &queue, [(self, span, true)].into_iter(), || {
                // SAFETY: as above; the queue waits for what others do there, and they for it.
                unsafe { queue.upload(to, bytes) }.map_err(failed)
            }),
        }
    }

    /// Device to host, for a call that `doing` tells of where it fails. Tells a fault of what comes before.
    ///
    /// # Safety
    /// The range lies inside, and is held for reading.
    pub(crate) unsafe fn download(self: &Arc<Buffer>, at: usize, bytes: &mut [u8], doing: &str) -> Result<(), Error> {
        let (device, from) = (self.device(), self.address() + at as u64);
        let span = Span { start: at, end: at + bytes.len() };
        let failed = |source: BackendError| device.failed(doing, source);
        let Some(queue) = stream::current(device) else {
            // SAFETY: the caller's contract.
            return unsafe { device.backend().download(from, bytes) }.map_err(failed);
        };
        order::ordered(device, &queue, [(self, span, false)].into_iter(), || {
            // SAFETY: as above; the queue waits for what others do there, and they for it.
            unsafe { queue.download(from, bytes) }.map_err(failed)
        })?;
        device.tell(queue.stopped())
    }

    /// Some of its bytes, after all that is queued on whatever stream.
    ///
    /// # Safety
    /// As of [`download`](Buffer::download).
    pub(crate) unsafe fn bytes_of(&self, span: Span, doing: &str) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; span.end - span.start];
        if !bytes.is_empty() {
            // SAFETY: the caller's contract.
            unsafe { self.device().backend().download(self.address() + span.start as u64, &mut bytes) }
                .map_err(|source| self.device().failed(doing, source))?;
        }
        Ok(bytes)
    }

    /// Bytes of another buffer of the same device.
    ///
    /// # Safety
    /// Both ranges lie inside, do not overlap, and are held, the one of this buffer for writing.
    pub(crate) unsafe fn copy(
        self: &Arc<Buffer>,
        at: usize,
        from: &Arc<Buffer>,
        start: usize,
        bytes: usize,
        doing: &str,
    ) -> Result<(), Error> {
        let device = self.device();
        let (source, target) = (from.address() + start as u64, self.address() + at as u64);
        let (read, written) = (Span { start, end: start + bytes }, Span { start: at, end: at + bytes });
        let uses = [(from, read, false), (self, written, true)];
        let failed = |source: BackendError| device.failed(doing, source);
        match stream::current(device) {
            // SAFETY: the caller's contract.
            None => unsafe { device.backend().copy(source, target, bytes) }.map_err(failed),
            Some(queue) => order::ordered(device, &queue, uses.into_iter(), || {
                // SAFETY: as above; the queue waits for what others do there, and they for it.
                unsafe { queue.copy(source, target, bytes) }.map_err(failed)
            }),
        }
    }

    /// The same bytes so many times.
    ///
    /// # Safety
    /// The range lies inside, and is held for writing.
    pub(crate) unsafe fn fill(
        self: &Arc<Buffer>,
        at: usize,
        value: &[u8],
        times: usize,
        doing: &str,
    ) -> Result<(), Error> {
        let device = self.device();
        let span = Span { start: at, end: at + value.len() * times };
        let Some(queue) = stream::current(device) else {
            // SAFETY: the caller's contract.
            return unsafe { fill_by_uploads(self, at, value, times, doing) };
        };
        order::ordered(device, &queue, [(self, span, true)].into_iter(), || {
            // SAFETY: as above; the queue waits for what others do there, and they for it.
            unsafe { queue.fill(self.address() + at as u64, value, times) }
                .map_err(|source| device.failed(doing, source))
        })
    }

    /// A graph that is recorded writes the same bytes so many times.
    pub(crate) fn capture_fill(self: &Arc<Buffer>, at: usize, value: &[u8], times: usize) -> Result<(), Error> {
        let span = Span { start: at, end: at + value.len() * times };
        let node = Node::Fill { to: self.clone(), at, value: value.to_vec(), times };
        capture::push(self.device(), node, [(self, span, true)])
    }

    /// A graph that is recorded copies bytes from a place in another buffer.
    pub(crate) fn capture_copy(
        self: &Arc<Buffer>,
        at: usize,
        from: &Arc<Buffer>,
        start: usize,
        bytes: usize,
    ) -> Result<(), Error> {
        let (read, written) = (Span { start, end: start + bytes }, Span { start: at, end: at + bytes });
        let node = Node::Copy { from: from.clone(), start, to: self.clone(), at, bytes };
        capture::push(self.device(), node, [(from, read, false), (self, written, true)])
    }

    /// A graph that is recorded writes bytes of the host.
    pub(crate) fn capture_upload(self: &Arc<Buffer>, at: usize, bytes: &[u8]) -> Result<(), Error> {
        let span = Span { start: at, end: at + bytes.len() };
        let node = Node::Upload { to: self.clone(), at, bytes: bytes.to_vec() };
        capture::push(self.device(), node, [(self, span, true)])
    }
}

/// Bytes that are written at once.
const CHUNK: usize = 1 << 16;

/// A fill of a device that queues nothing.
///
/// # Safety
/// As of [`Buffer::fill`].
unsafe fn fill_by_uploads(to: &Arc<Buffer>, at: usize, value: &[u8], times: usize, doing: &str) -> Result<(), Error> {
    let at_once = (CHUNK / value.len().max(1)).clamp(1, times.max(1));
    let chunk = value.repeat(at_once);
    for first in (0..times).step_by(at_once) {
        let n = at_once.min(times - first);
        // SAFETY: a part of the caller's range.
        unsafe { to.upload(at + first * value.len(), &chunk[..n * value.len()], doing) }?;
    }
    Ok(())
}
