//! Queues of work on a device, and marks in them.
//!
//! `order` keeps what streams do with one buffer in order, `event` are the marks that users have.

mod event;
pub(crate) mod order;

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use crate::backend::Priority;
use crate::backend::Queue;
use crate::device::Device;
use crate::error::Error;
use crate::graph::{Graph, capture};
pub use event::Event;

/// A queue of work on a device: launches, copies and fills of one stream are done in the order in which they were asked for;
/// those of different streams may be done at the same time.
///
/// What arrays hold does not depend on it: work on an array waits for what other streams do with it. So streams need no care;
/// they are for work on different arrays that can go side by side. [`Event`]s make an order that no array makes.
///
/// Without a stream, work goes into one that the device has from the start. On the CPU work is done when the call returns,
/// whichever its stream.
///
/// Calls that queue work on a GPU return before it is done. What goes wrong in a kernel then is told by the next call that
/// waits for it: reading an array, [`synchronize`](Stream::synchronize), [`Event::synchronize`], [`Device::check`]. What came
/// behind it in order is not told besides, since it may be its consequence.
///
/// Launches that a [`Tape`](crate::Tape) or [`Tangents`](crate::Tangents) follow, that [`profile`](crate::profile())
/// or `WARP_PROFILE` measures, or that print, come after all that is queued in any stream, and
/// wait for their end; so does what goes back along a tape. Copies from the host and to it wait for their stream, and so do
/// fills with a value that is not one byte or four repeated, and launches with more than 4 KB of arguments. Inside of a recording of a graph streams have no part: a graph is one
/// sequence.
///
/// ```
/// use warp_core::{Array, Device, Error, Stream}; // `warp::` where the facade is used
/// fn both(device: &Device, a: &mut Array<f32>, b: &mut Array<f32>) -> Result<(), Error> {
///     let side = Stream::new(device)?;
///     side.scope(|| a.fill(1.0))?; // may go beside the next one
///     b.fill(2.0)?;
///     side.synchronize()
/// }
/// ```
#[derive(Clone)]
pub struct Stream {
    device: Device,
    /// `None` where nothing is queued.
    queue: Option<Arc<dyn Queue>>,
    /// Its number on such a device, else that of the queue.
    id: u64,
}

thread_local! {
    /// The streams that this thread works in, the innermost last.
    static SCOPES: RefCell<Vec<Stream>> = const { RefCell::new(Vec::new()) };
}

impl Stream {
    /// A new stream. What it is given comes after all that is in the device's own stream now.
    pub fn new(device: &Device) -> Result<Stream, Error> {
        Stream::with_priority(device, Priority::Normal)
    }

    /// As [`new`](Stream::new), with a priority.
    pub fn with_priority(device: &Device, priority: Priority) -> Result<Stream, Error> {
        // Before the stream is there, so that nobody leaves a use without a mark that it would have to know.
        device.note_stream();
        let queue = device.backend().new_queue(priority).map_err(|e| device.failed("making a stream", e))?;
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = queue.as_ref().map_or_else(|| NEXT.fetch_add(1, Ordering::Relaxed), |queue| queue.id());
        Ok(Stream { device: device.clone(), queue, id })
    }

    /// The stream that a device has from the start: what names no other goes there.
    pub fn of(device: &Device) -> Stream {
        let queue = device.backend().queue().cloned();
        let id = queue.as_ref().map_or(0, |queue| queue.id());
        Stream { device: device.clone(), queue, id }
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Runs `body`, whose work on this device goes into this stream, as far as it is this thread's and names no other.
    pub fn scope<A>(&self, body: impl FnOnce() -> A) -> A {
        /// Leaves the stream, also when `body` panics.
        struct Leave;
        impl Drop for Leave {
            fn drop(&mut self) {
                let _there_or_gone = SCOPES.try_with(|scopes| scopes.borrow_mut().pop());
            }
        }
        // In the last destructors of a thread there are no scopes any more; the device's own stream does as well.
        let _leave = SCOPES.try_with(|scopes| scopes.borrow_mut().push(self.clone())).is_ok().then_some(Leave);
        body()
    }

    /// Records what `body` asks for into a [`Graph`], as [`Device::capture`] does; [`Graph::launch`] puts that into this stream.
    pub fn capture<A, E: From<Error>>(&self, body: impl FnOnce() -> Result<A, E>) -> Result<(Graph, A), E> {
        let (mut graph, value) = self.scope(|| self.device.capture(body))?;
        graph.set_stream(self);
        Ok((graph, value))
    }

    /// Waits until all that it was given is done, and reports a fault that no call has reported yet.
    pub fn synchronize(&self) -> Result<(), Error> {
        capture::refuse("waiting for a stream")?;
        let Some(queue) = &self.queue else { return Ok(()) };
        queue.synchronize().map_err(|source| self.device.failed("waiting for a stream", source))?;
        self.device.tell(queue.stopped())
    }

    /// Whether all that it was given is done.
    pub fn is_done(&self) -> Result<bool, Error> {
        let Some(queue) = &self.queue else { return Ok(true) };
        queue.is_done().map_err(|source| self.device.failed("asking a stream", source))
    }

    /// A mark behind all that it was given so far.
    pub fn record(&self) -> Result<Event, Error> {
        capture::refuse("recording an event")?;
        Event::behind(&self.device, self.queue.as_ref())
    }

    /// Lets what comes next in this stream wait for an event, of whatever device. The host waits only where the two devices
    /// do not know each other.
    pub fn wait(&self, event: &Event) -> Result<(), Error> {
        capture::refuse("waiting for an event")?;
        let Some(mark) = event.mark() else { return Ok(()) };
        let waits = self.queue.as_ref().map_or(Ok(false), |queue| queue.wait(&**mark));
        match waits.map_err(|source| self.device.failed("waiting for an event", source))? {
            true => Ok(()),
            false => event.wait_on_the_host(),
        }
    }
}

/// The queue that this thread's work on a device goes into. `None` where nothing is queued.
pub(crate) fn current(device: &Device) -> Option<Arc<dyn Queue>> {
    let own = device.backend().queue()?;
    let innermost = |scopes: &RefCell<Vec<Stream>>| {
        scopes.borrow().iter().rfind(|stream| stream.device == *device).and_then(|stream| stream.queue.clone())
    };
    let scoped = SCOPES.try_with(innermost).unwrap_or_default();
    Some(scoped.unwrap_or_else(|| own.clone()))
}

/// The queue of a stream that a launch names, or else of this thread.
pub(crate) fn chosen(device: &Device, named: Option<&Stream>) -> Option<Arc<dyn Queue>> {
    named.map_or_else(|| current(device), |stream| stream.queue.clone())
}

/// Two handles are equal when they mean the same stream.
impl PartialEq for Stream {
    fn eq(&self, other: &Stream) -> bool {
        self.device == other.device && self.id == other.id
    }
}

impl Eq for Stream {}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({} of {})", self.id, self.device)
    }
}
