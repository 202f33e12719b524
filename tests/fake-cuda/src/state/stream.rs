//! Streams.

use std::collections::VecDeque;

use super::work::Work;
use super::{Handle, State, context};
use crate::code::{self, Code};

/// A stream: what is asked of it waits until somebody waits for it.
pub struct Stream {
    pub device: usize,
    /// Whether the default stream waits for it, and it for the default stream.
    pub blocking: bool,
    pub priority: i32,
    pub queue: VecDeque<Work>,
    /// The capture that it takes part in; 0 for none.
    pub capture: Handle,
    /// Whether its name is gone: what it has to do is done all the same.
    pub destroyed: bool,
}

/// Where work goes.
pub enum Target {
    /// At once: the default stream.
    Default(usize),
    /// Behind what the stream has.
    Stream(Handle),
    /// Into a graph.
    Capture(Handle),
}

impl State {
    /// A stream by its name.
    pub fn stream(&mut self, handle: Handle) -> Result<&mut Stream, Code> {
        self.streams.get_mut(&handle).filter(|stream| !stream.destroyed).ok_or(code::ERROR_INVALID_HANDLE)
    }

    /// Where work for a stream goes, asked by this thread.
    pub fn target(&mut self, handle: Handle) -> Result<Target, Code> {
        let current = self.current()?;
        if handle == 0 {
            self.refuse_implicit(current)?;
            return Ok(Target::Default(current));
        }
        let stream = self.stream(handle)?;
        let (device, capture) = (stream.device, stream.capture);
        if device != current {
            return Err(code::ERROR_INVALID_HANDLE);
        }
        match capture {
            0 => Ok(Target::Stream(handle)),
            capture => {
                self.valid_capture(capture)?;
                Ok(Target::Capture(capture))
            }
        }
    }

    /// Asks for work.
    pub fn submit(&mut self, handle: Handle, work: Work) -> Result<(), Code> {
        match self.target(handle)? {
            Target::Stream(handle) => {
                self.stream(handle)?.queue.push_back(work);
                Ok(())
            }
            Target::Capture(capture) => self.capture_work(capture, handle, work),
            Target::Default(device) => {
                self.drain_blocking(device);
                self.healthy(device)?;
                self.run(device, work)
            }
        }
    }

    /// The default stream would wait for blocking streams, which a capture cannot.
    fn refuse_implicit(&mut self, device: usize) -> Result<(), Code> {
        let captured = self.streams.values().find(|s| s.device == device && s.blocking && s.capture != 0);
        match captured.map(|stream| stream.capture) {
            Some(capture) => Err(self.invalidate(capture, code::ERROR_STREAM_CAPTURE_IMPLICIT)),
            None => Ok(()),
        }
    }

    /// Waits for a stream.
    pub fn wait_for_stream(&mut self, handle: Handle) -> Result<(), Code> {
        if handle == 0 {
            let device = self.current()?;
            self.refuse_implicit(device)?;
            self.drain_blocking(device);
            return self.healthy(device);
        }
        let stream = self.stream(handle)?;
        let (device, capture) = (stream.device, stream.capture);
        if capture != 0 {
            return Err(self.invalidate(capture, code::ERROR_STREAM_CAPTURE_UNSUPPORTED));
        }
        self.healthy(device)?;
        self.drain_stream(handle);
        self.healthy(device)
    }

    /// Destroys a stream's name. Work that it has is done later, by who waits for anything.
    pub fn destroy_stream(&mut self, handle: Handle) -> Result<(), Code> {
        let stream = self.stream(handle)?;
        let capture = stream.capture;
        if capture != 0 {
            self.invalidate(capture, code::ERROR_STREAM_CAPTURE_INVALIDATED);
            self.end_capture_of(capture);
        }
        let stream = self.stream(handle)?;
        match stream.queue.is_empty() {
            true => {
                self.streams.remove(&handle);
            }
            false => stream.destroyed = true,
        }
        Ok(())
    }

    /// The thread's context, for handles in messages of hooks.
    pub fn here(&self) -> Handle {
        context::current_handle()
    }
}
