//! Events: marks in streams.

use std::fmt;

use crate::device::{Dead, Device};
use crate::error::Error;
use crate::result;
use crate::stream::Stream;
use crate::sys::{CUevent, EVENT_DISABLE_TIMING};

/// A mark in a stream, which other streams and the host can wait for.
pub struct Event {
    device: Device,
    handle: CUevent,
}

impl Device {
    /// An event to wait for.
    pub fn event(&self) -> Result<Event, Error> {
        self.event_with(EVENT_DISABLE_TIMING)
    }

    /// An event that also knows when it was reached.
    pub fn timing_event(&self) -> Result<Event, Error> {
        self.event_with(0)
    }

    fn event_with(&self, flags: u32) -> Result<Event, Error> {
        let _current = self.enter()?;
        // SAFETY: the device's context is current.
        let handle = unsafe { result::event::create(self.cuda(), flags) }?;
        Ok(Event { device: self.clone(), handle })
    }
}

impl Event {
    /// Puts the mark behind all that is in the stream now. An earlier mark is forgotten.
    pub fn record(&self, stream: &Stream) -> Result<(), Error> {
        self.device.same("the event", "the stream", stream.device())?;
        let _current = self.device.enter()?;
        // SAFETY: both are alive.
        unsafe { self.device.cuda().cuEventRecord(self.handle, stream.raw()) }
    }

    /// Waits until all before the mark is done.
    pub fn synchronize(&self) -> Result<(), Error> {
        let _current = self.device.enter()?;
        // SAFETY: the event is alive.
        unsafe { self.device.cuda().cuEventSynchronize(self.handle) }
    }

    /// Whether all before the mark is done.
    pub fn is_done(&self) -> Result<bool, Error> {
        let _current = self.device.enter()?;
        // SAFETY: the event is alive.
        unsafe { result::event::is_done(self.device.cuda(), self.handle) }
    }

    /// Milliseconds since another event; both have been reached, and were made to know their times.
    pub fn milliseconds_since(&self, start: &Event) -> Result<f32, Error> {
        self.device.same("the event", "the earlier event", &start.device)?;
        let _current = self.device.enter()?;
        // SAFETY: both are alive.
        unsafe { result::event::milliseconds(self.device.cuda(), start.handle, self.handle) }
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The driver's handle.
    pub fn raw(&self) -> CUevent {
        self.handle
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // The driver keeps a destroyed event until what waits for it has it.
        self.device.dispose(Dead::Event(self.handle));
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event({} of {})", self.handle.0.addr(), self.device.label())
    }
}
