//! The order of work: each stream in its own, all else by chance.
//!
//! Nothing is done before somebody waits, and then no more than chance wants beyond what is waited for: so a program that
//! forgets to wait, or lets a stream read what another one has not written, finds other bytes than it hopes.

use super::work::Work;
use super::{Handle, State};

impl State {
    /// Does all that a stream has now.
    pub fn drain_stream(&mut self, handle: Handle) {
        self.drain(|state| state.streams.get(&handle).is_none_or(|stream| stream.queue.is_empty()), Some(handle));
    }

    /// Does all that a device's streams have.
    pub fn drain_device(&mut self, device: usize) {
        self.drain(|state| state.streams.values().all(|s| s.device != device || s.queue.is_empty()), None);
    }

    /// Does all that the streams have that the default stream waits for.
    pub fn drain_blocking(&mut self, device: usize) {
        self.drain(
            |state| state.streams.values().all(|s| s.device != device || !s.blocking || s.queue.is_empty()),
            None,
        );
    }

    /// Does work until an event's record is reached.
    pub fn drain_event(&mut self, event: &super::event::Event, record: u64) {
        self.drain(|_| event.has_reached(record), None);
    }

    /// Does work until it is enough. Without a seed the stream that is waited for goes first.
    fn drain(&mut self, enough: impl Fn(&State) -> bool, first: Option<Handle>) {
        while !enough(self) {
            let ready: Vec<Handle> =
                self.streams.iter().filter(|(_, stream)| can_go_on(&stream.queue)).map(|(handle, _)| *handle).collect();
            if ready.is_empty() {
                // What is waited for was thrown away with a lost context, or waits for such work.
                return;
            }
            let chosen = match (self.settings.seed, first.filter(|first| ready.contains(first))) {
                (0, Some(first)) => first,
                (0, None) => ready[0],
                _ => ready[self.random.below(ready.len())],
            };
            self.step(chosen);
        }
        let done = |_: &Handle, stream: &mut super::stream::Stream| !(stream.destroyed && stream.queue.is_empty());
        self.streams.retain(done);
    }

    /// Does the next piece of work of a stream.
    fn step(&mut self, handle: Handle) {
        let Some(stream) = self.streams.get_mut(&handle) else { return };
        let device = stream.device;
        if let Some(work) = stream.queue.pop_front() {
            // A failure is kept by the context.
            let _kept = self.run(device, work);
        }
    }
}

/// Whether there is work, and nothing that it waits for.
fn can_go_on(queue: &std::collections::VecDeque<Work>) -> bool {
    match queue.front() {
        None => false,
        Some(Work::Wait(event, record)) => event.has_reached(*record),
        Some(_) => true,
    }
}
