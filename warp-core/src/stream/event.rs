//! Marks in streams.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::backend::{BackendError, Mark, Queue};
use crate::device::Device;
use crate::error::Error;
use crate::graph::capture;

/// A place in a stream, made by [`Stream::record`](super::Stream::record): reached when all that the stream was given before
/// is done. Streams and the host can wait for it, and two of them tell the time between.
///
/// ```
/// use warp_core::{Array, Device, Error, Stream}; // `warp::` where the facade is used
/// fn seconds(device: &Device, a: &mut Array<f32>) -> Result<f64, Error> {
///     let stream = Stream::new(device)?;
///     let start = stream.record()?;
///     stream.scope(|| a.fill(1.0))?;
///     let end = stream.record()?;
///     end.synchronize()?;
///     end.seconds_since(&start)
/// }
/// ```
#[derive(Clone)]
pub struct Event {
    device: Device,
    at: At,
}

#[derive(Clone)]
enum At {
    /// In a queue.
    Mark(Arc<dyn Mark>),
    /// On a device that queues nothing it was reached when it was made.
    Time(Instant),
}

impl Event {
    pub(super) fn behind(device: &Device, queue: Option<&Arc<dyn Queue>>) -> Result<Event, Error> {
        let at = match queue {
            Some(queue) => {
                let mark = queue.mark(true);
                At::Mark(mark.map_err(|source| device.failed("recording an event", source))?)
            }
            None => At::Time(Instant::now()),
        };
        Ok(Event { device: device.clone(), at })
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Waits until it is reached, and reports a fault that no call has reported yet.
    pub fn synchronize(&self) -> Result<(), Error> {
        capture::refuse("waiting for an event")?;
        self.wait_on_the_host()?;
        self.device.tell(self.mark().and_then(|mark| mark.stopped()))
    }

    /// Whether it is reached.
    pub fn is_done(&self) -> Result<bool, Error> {
        self.mark().map_or(Ok(true), |mark| mark.is_done()).map_err(|source| self.failed("asking an event", source))
    }

    /// Seconds from when `earlier` was reached until this one was: negative where it was reached later. Both are of one
    /// device; the host waits until they are reached. Kernels that the device runs at the same time are not told apart.
    pub fn seconds_since(&self, earlier: &Event) -> Result<f64, Error> {
        if self.device != earlier.device {
            return Err(Error::OtherDevice {
                what: "the time between two events".into(),
                found: earlier.device.name().into(),
                device: self.device.name().into(),
            });
        }
        capture::refuse("asking an event for its time")?;
        earlier.wait_on_the_host()?;
        self.wait_on_the_host()?;
        match (&self.at, &earlier.at) {
            (At::Time(end), At::Time(start)) => Ok(match end.checked_duration_since(*start) {
                Some(time) => time.as_secs_f64(),
                None => -start.duration_since(*end).as_secs_f64(),
            }),
            (At::Mark(end), At::Mark(start)) => {
                end.seconds_since(&**start).map_err(|source| self.failed("measuring a time", source))
            }
            // A device queues, or it does not.
            _ => Err(self.failed("measuring a time", BackendError("the events are of two kinds".into()))),
        }
    }

    /// Without telling faults.
    pub(super) fn wait_on_the_host(&self) -> Result<(), Error> {
        let waited = self.mark().map_or(Ok(()), |mark| mark.synchronize());
        waited.map_err(|source| self.failed("waiting for an event", source))
    }

    pub(super) fn mark(&self) -> Option<&Arc<dyn Mark>> {
        match &self.at {
            At::Mark(mark) => Some(mark),
            At::Time(_) => None,
        }
    }

    fn failed(&self, doing: &str, source: BackendError) -> Error {
        self.device.failed(doing, source)
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event(of {})", self.device)
    }
}
