//! How many objects are alive, to find what a program forgot.

use super::State;

/// Objects that are alive.
#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Live {
    /// Pieces of device memory.
    pub allocations: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// Pieces of pinned memory.
    pub pinned: u64,
    /// Pools.
    pub pools: u64,
    /// Streams.
    pub streams: u64,
    /// Events.
    pub events: u64,
    /// Modules.
    pub modules: u64,
    /// Graphs.
    pub graphs: u64,
    /// Graphs that can be launched.
    pub execs: u64,
    /// Captures under way.
    pub captures: u64,
    /// Shares in primary contexts.
    pub shares: u64,
}

impl Live {
    pub fn add(&mut self, other: Live) {
        self.allocations += other.allocations;
        self.bytes += other.bytes;
        self.streams += other.streams;
        self.events += other.events;
        self.modules += other.modules;
    }
}

impl State {
    /// What is alive now, or was when its context went.
    pub fn live(&self) -> Live {
        let mut live = Live {
            pinned: self.space.pinned.len() as u64,
            pools: self.pools.len() as u64,
            graphs: self.graphs.len() as u64,
            execs: self.execs.len() as u64,
            captures: self.captures.len() as u64,
            shares: self.contexts.iter().map(|context| context.shares).sum(),
            ..self.leaked
        };
        (0..self.contexts.len()).for_each(|device| live.add(self.live_on(device)));
        live
    }

    /// What is alive in a device's context.
    pub fn live_on(&self, device: usize) -> Live {
        let own = self.space.allocations.values().filter(|a| a.device == device && a.module == 0 && !a.leaving);
        Live {
            allocations: own.clone().count() as u64,
            bytes: own.map(|a| a.bytes.len() as u64).sum(),
            streams: self.streams.values().filter(|s| s.device == device).count() as u64,
            events: self.events.values().filter(|e| e.device == device).count() as u64,
            modules: self.modules.values().filter(|m| m.device == device).count() as u64,
            ..Live::default()
        }
    }
}
