//! A graph as one object of its device.

use std::sync::{Arc, Mutex, PoisonError};

use super::capture::Captured;
use crate::backend::{Origin, Queue, Replay, Step};
use crate::device::Device;
use crate::error::Error;
use crate::profile;

/// What the device has made of a graph.
#[derive(Default)]
pub(super) struct Native(Mutex<Made>);

#[derive(Default)]
enum Made {
    /// Nobody has launched it.
    #[default]
    Not,
    /// It does not, or not of this graph.
    Refused,
    /// For what is recorded.
    Ready(Box<dyn Replay>),
    /// For what was recorded before.
    Old(Box<dyn Replay>),
}

impl Native {
    /// Something else is recorded now.
    pub(super) fn is_old(&mut self) {
        let made = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        *made = match std::mem::take(made) {
            Made::Ready(replay) | Made::Old(replay) => Made::Old(replay),
            Made::Not | Made::Refused => Made::Not,
        };
    }

    /// Queues the work as one; `false` where each piece has to be queued by itself: that is also so while somebody measures
    /// launches, which are measured one by one.
    ///
    /// # Safety
    /// The memory of the work is held, and in order.
    pub(super) unsafe fn launch(
        &self,
        device: &Device,
        work: &Captured,
        queue: &Arc<dyn Queue>,
    ) -> Result<bool, Error> {
        if profile::is_heard() || work.nodes.is_empty() {
            return Ok(false);
        }
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(*made, Made::Ready(_) | Made::Refused) {
            let old = std::mem::take(&mut *made);
            *made = make(device, work, old).map_err(|source| device.failed("preparing a graph", source))?;
        }
        let Made::Ready(replay) = &*made else { return Ok(false) };
        // SAFETY: launches were checked in full when they were recorded; the rest is the caller's contract.
        unsafe { replay.launch(queue) }.map_err(|source| device.failed("launching a graph", source))?;
        Ok(true)
    }
}

fn make(device: &Device, work: &Captured, old: Made) -> Result<Made, crate::backend::BackendError> {
    let origins: Vec<Origin> = work.nodes.iter().map(|node| node.origin()).collect();
    let steps: Vec<Step<'_>> = work.nodes.iter().zip(&origins).map(|(node, origin)| node.step(origin)).collect();
    if let Made::Old(mut replay) = old
        && replay.update(&steps)?
    {
        return Ok(Made::Ready(replay));
    }
    Ok(device.backend().replay(&steps)?.map_or(Made::Refused, Made::Ready))
}
