//! Where and how a launch runs.

use crate::backend::{self, How};
use crate::device::Device;
use crate::stream::Stream;

/// Where and how a kernel runs: made from a `&Device` or a `&Stream`.
#[derive(Clone, Default, Debug)]
pub struct Options {
    pub(super) device: Option<Device>,
    how: How,
    pub(super) stream: Option<Stream>,
}

impl Options {
    /// The device of the first array, and all its threads.
    pub const fn new() -> Options {
        let how = How { threads: None, block: None, deterministic: false };
        Options { device: None, how, stream: None }
    }

    /// An upper bound on the threads of the machine that take part. Results do not depend on it, but for sums of floats by
    /// atomics, unless they are [`deterministic`](Options::deterministic).
    pub fn threads(mut self, n: usize) -> Options {
        self.how.threads = Some(n.max(1));
        self
    }

    /// Threads of a block on devices that have blocks; others take no notice. Results do not depend on it. It is taken for
    /// the most that the kernel allows, where it is more: by the registers it takes, or by `#[kernel(block = ..)]`.
    pub fn block(mut self, n: u32) -> Options {
        self.how.block = Some(n);
        self
    }

    /// What atomics leave has the same bits each time, on every machine and for any number of its threads, here and in the
    /// gradients of this launch. On CPUs sums of floats are made in up to eight parts of the launch, each in the order of its
    /// threads, which are added up in order; that is slower where there are few cores. Kernels with exchanges, or that use
    /// the old value of an atomic, run on one core in the order of threads. GPUs refuse all these kernels. What has no
    /// atomics has the same bits in any case. `WARP_DETERMINISTIC=1` asks this of all launches of a process.
    ///
    /// Not for sums that only have to be right to a few digits: those are faster without.
    pub fn deterministic(mut self) -> Options {
        self.how.deterministic = true;
        self
    }

    /// The stream that the launch goes into, in place of the one of this thread. A graph that is recorded takes no notice, nor
    /// does a launch that waits for its end (see [`Stream`]).
    pub fn stream(self, stream: &Stream) -> Options {
        Options { stream: Some(stream.clone()), ..self }
    }

    /// What [`block`](Options::block) asked for.
    pub fn block_size(&self) -> Option<u32> {
        self.how.block
    }

    /// What is asked of the device.
    pub(super) fn how(&self) -> How {
        How { deterministic: self.how.deterministic || backend::deterministic_wanted(), ..self.how }
    }
}

impl From<&Device> for Options {
    fn from(device: &Device) -> Options {
        Options { device: Some(device.clone()), ..Options::new() }
    }
}

impl From<&Stream> for Options {
    fn from(stream: &Stream) -> Options {
        Options::from(stream.device()).stream(stream)
    }
}
