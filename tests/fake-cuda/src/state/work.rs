//! Pieces of work, and doing them.

use std::ffi::c_void;
use std::sync::Arc;

use super::event::Event;
use super::graph::Node;
use super::memory::{View, host};
use super::module::Code as Program;
use super::{Handle, State};
use crate::code::{self, Code};
use crate::machine;

/// Something that a stream has to do.
#[derive(Clone)]
pub enum Work {
    Copy {
        from: Place,
        to: Place,
        bytes: usize,
    },
    Set {
        to: u64,
        pattern: Vec<u8>,
        count: usize,
    },
    Launch(Launch),
    /// Memory of a pool is there from here on.
    Take(u64),
    /// And gone from here on.
    Give(u64),
    Record(Arc<Event>, u64),
    Wait(Arc<Event>, u64),
    Call {
        function: unsafe extern "C" fn(*mut c_void),
        data: *mut c_void,
    },
    Graph(Arc<Vec<Node>>),
    Nothing,
}

// SAFETY: what it points to on the host is the caller's, who vouches for it from any thread, as the driver asks.
unsafe impl Send for Work {}
// SAFETY: as above.
unsafe impl Sync for Work {}

/// One end of a copy.
#[derive(Clone)]
pub enum Place {
    Device(u64),
    Host(u64),
    /// Bytes of the host that were taken when the copy was asked for.
    Staged(Vec<u8>),
}

/// A launch with its parameters.
#[derive(Clone)]
pub struct Launch {
    pub module: Handle,
    pub program: Arc<Program>,
    pub entry: String,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared: u32,
    pub params: Vec<u8>,
}

thread_local! {
    /// Whether a host function runs on this thread, which may call nothing.
    pub static CALLING: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl State {
    /// Does a piece of work now. A failure is the context's from then on.
    pub fn run(&mut self, device: usize, work: Work) -> Result<(), Code> {
        if self.contexts[device].poison.is_some() {
            return Ok(());
        }
        self.clock += 1_000;
        let done = match work {
            Work::Copy { from, to, bytes } => self.copy(from, to, bytes),
            Work::Set { to, pattern, count } => self.set(to, &pattern, count),
            Work::Launch(launch) => self.launch(device, &launch),
            Work::Take(address) => {
                self.space.allocations.get_mut(&address).into_iter().for_each(|a| a.here = true);
                Ok(())
            }
            Work::Give(address) => {
                self.space.allocations.remove(&address);
                Ok(())
            }
            Work::Record(event, record) => {
                event.reach(record, self.clock);
                Ok(())
            }
            Work::Wait(..) | Work::Nothing => Ok(()),
            Work::Call { function, data } => {
                CALLING.set(true);
                // SAFETY: who asked for the call vouched for both.
                unsafe { function(data) };
                CALLING.set(false);
                Ok(())
            }
            Work::Graph(nodes) => self.run_graph(device, &nodes),
        };
        if let Err(code) = done {
            self.contexts[device].poison = Some(code);
            self.streams.values_mut().filter(|s| s.device == device).for_each(|s| s.queue.clear());
        }
        done
    }

    fn failed(&mut self, code: Code, what: impl Into<String>) -> Result<(), Code> {
        self.last_fault = what.into();
        Err(code)
    }

    fn copy(&mut self, from: Place, to: Place, bytes: usize) -> Result<(), Code> {
        self.clock += bytes as u64 / 10;
        let data = match from {
            Place::Staged(data) => data,
            Place::Host(address) => {
                let mut data = vec![0u8; bytes];
                // SAFETY: who asked for the copy vouched for the host's memory until it is done.
                unsafe { data.as_mut_ptr().copy_from(host(address), bytes) };
                data
            }
            Place::Device(address) => match self.device_bytes(address, bytes) {
                Some(data) => data.to_vec(),
                None => {
                    return self
                        .failed(code::ERROR_ILLEGAL_ADDRESS, "a copy reads memory that is not there (any more)");
                }
            },
        };
        match to {
            Place::Device(address) => match self.device_bytes(address, bytes) {
                Some(target) => target.copy_from_slice(&data),
                None => {
                    return self
                        .failed(code::ERROR_ILLEGAL_ADDRESS, "a copy writes memory that is not there (any more)");
                }
            },
            // SAFETY: as above.
            Place::Host(address) => unsafe { host(address).copy_from(data.as_ptr(), bytes) },
            Place::Staged(_) => {}
        }
        Ok(())
    }

    fn device_bytes(&mut self, address: u64, bytes: usize) -> Option<&mut [u8]> {
        let (start, offset) = self.space.range(address, bytes)?;
        let allocation = self.space.allocations.get_mut(&start)?;
        allocation.here.then(|| &mut allocation.bytes[offset..offset + bytes])
    }

    fn set(&mut self, to: u64, pattern: &[u8], count: usize) -> Result<(), Code> {
        self.clock += (count * pattern.len()) as u64 / 20;
        match self.device_bytes(to, count * pattern.len()) {
            Some(bytes) => bytes.chunks_exact_mut(pattern.len()).for_each(|chunk| chunk.copy_from_slice(pattern)),
            None => {
                return self.failed(code::ERROR_ILLEGAL_ADDRESS, "a fill writes memory that is not there (any more)");
            }
        }
        Ok(())
    }

    fn launch(&mut self, device: usize, launch: &Launch) -> Result<(), Code> {
        if !self.modules.contains_key(&launch.module) {
            let what = format!("a launch of `{}`, whose module was unloaded", launch.entry);
            return self.failed(code::ERROR_LAUNCH_FAILED, what);
        }
        let seed = (self.settings.seed != 0).then(|| self.random.below(usize::MAX) as u64);
        let mut view =
            View { space: &mut self.space, device, peers: &self.contexts[device].peers, refused: false.into() };
        match machine::launch(launch, seed, &mut view) {
            Ok(instructions) => {
                self.clock += instructions / 100;
                Ok(())
            }
            Err(fault) => {
                let refused = view.refused.get();
                let code = match (refused, fault.contains("aligned")) {
                    (true, _) => code::ERROR_ILLEGAL_ADDRESS,
                    (false, true) => code::ERROR_MISALIGNED_ADDRESS,
                    (false, false) => code::ERROR_LAUNCH_FAILED,
                };
                self.failed(code, format!("kernel `{}`: {fault}", launch.entry))
            }
        }
    }
}
