//! Everything that can go wrong, in sentences.

use std::error::Error as _;
use std::fmt;
use std::path::PathBuf;

use crate::backend::BackendError;
use crate::fault::Fault;
use crate::tape::TapeError;

/// Why a call of the runtime failed. `{:?}` gives the sentence too, since it is what a `main` that returns a `Result`
/// prints.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Threads of a kernel stopped. What the other threads wrote before stands.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),

    /// Two arguments of a launch live on different devices.
    #[error(
        "kernel `{kernel}`: argument `{second}` is on device {second_device}, but {first} on device {first_device}; copy it over with `copy_from`"
    )]
    MixedDevices {
        /// The kernel.
        kernel: String,
        /// What came first: an argument, or the device that the launch names.
        first: String,
        /// Where that is.
        first_device: String,
        /// The argument that differs.
        second: String,
        /// Where it is.
        second_device: String,
    },

    /// A launch has neither an array nor a device.
    #[error("kernel `{kernel}` has no array arguments, so say where it runs: `{kernel}::on(&device).launch(..)`")]
    NoDevice {
        /// The kernel.
        kernel: String,
    },

    /// An array is in use.
    #[error(
        "the array is in use: {}",
        if *write { "another guard or launch reads or writes it, so it cannot be written now" }
        else { "another guard or launch writes it, so it cannot be read now" }
    )]
    Busy {
        /// Whether it was to be written.
        write: bool,
    },

    /// An array in memory that another library had lent.
    #[error(
        "the array lies in memory that another library had lent, and the loan has ended; copy it into an array of its own \
         while the loan lasts"
    )]
    LoanEnded,

    /// Memory, a stream or a context of another library that does not go together with a device.
    #[error("{0}")]
    Foreign(String),

    /// An argument of a launch is in use.
    #[error("kernel `{kernel}`: argument `{argument}` is in use by another launch or guard; let that end first")]
    ArgumentBusy {
        /// The kernel.
        kernel: String,
        /// The argument.
        argument: String,
    },

    /// Two arguments of a launch share memory, and one of them is written.
    #[error(
        "kernel `{kernel}`: arguments `{first}` and `{second}` overlap in memory, and {} written; give each its own array or disjoint slices",
        if *both { "both are" } else { "one of them is" }
    )]
    Overlap {
        /// The kernel.
        kernel: String,
        /// The earlier argument.
        first: String,
        /// The later one.
        second: String,
        /// Whether both are written.
        both: bool,
    },

    /// A slice parameter got elements that lie apart.
    #[error(
        "kernel `{kernel}`: argument `{argument}` is a strided view, but the parameter is a slice, whose elements lie one after another; copy the view into an array, or let the kernel take a `View2`"
    )]
    ArgumentStrided {
        /// The kernel.
        kernel: String,
        /// The argument.
        argument: String,
    },

    /// Elements that lie apart where they must lie one after another.
    #[error("{doing} needs elements that lie one after another, and this view is strided; copy it into an array first")]
    Strided {
        /// What was tried.
        doing: String,
    },

    /// The way back of a function of the host failed.
    #[error("on the way back through function `{function}` ({position} on the tape): {source}")]
    WayBack {
        /// The function.
        function: String,
        /// Where on the tape: "3rd".
        position: String,
        /// What it says.
        source: Box<Error>,
    },

    /// Extents that do not fit.
    #[error("{doing}: expected {expected}, found {found}")]
    Shape {
        /// What was tried.
        doing: String,
        /// What would fit.
        expected: String,
        /// What came.
        found: String,
    },

    /// An index or range beyond an array.
    #[error("{what} is out of range for {extent} elements in dimension {dim}")]
    Range {
        /// The index or range.
        what: String,
        /// The dimension.
        dim: usize,
        /// Its extent.
        extent: usize,
    },

    /// More elements than an array can have.
    #[error("{what} is too large: the limit is 2^48 bytes and 2^48 elements a dimension")]
    TooLarge {
        /// What was asked for.
        what: String,
    },

    /// More threads than a launch can have.
    #[error("kernel `{kernel}`: a launch over {dims} threads is too large: the limit is 2^48 threads in all")]
    LaunchTooLarge {
        /// The kernel.
        kernel: String,
        /// The extents asked for.
        dims: String,
    },

    /// The device has not that much memory.
    #[error("device {device} could not give {bytes} bytes of memory: {source}")]
    Memory {
        /// The device.
        device: String,
        /// How much was asked for.
        bytes: usize,
        /// Its words.
        source: BackendError,
    },

    /// The device failed at something else.
    #[error("device {device} failed while {doing}: {source}")]
    Backend {
        /// The device.
        device: String,
        /// At what.
        doing: String,
        /// Its words.
        source: BackendError,
    },

    /// The host cannot see the device's memory.
    #[error("the memory of device {device} is not the host's: use `to_vec` and `copy_from_slice` instead of guards")]
    NotHostMemory {
        /// The device.
        device: String,
    },

    /// Something inside a recording of a graph that needs what has not run.
    #[error(
        "{doing} is not possible while a graph is captured: nothing runs before `graph.launch()`, so do it before the capture or after a launch"
    )]
    WhileCapturing {
        /// What was tried.
        doing: String,
    },

    /// Work on another device than that of the graph that is recorded.
    #[error(
        "{what} is for device {found}, and the graph that is captured for device {device}: do that work outside, or capture a graph of each device"
    )]
    OutsideGraph {
        /// The work.
        what: String,
        /// Its device.
        found: String,
        /// The graph's device.
        device: String,
    },

    /// A launch in a stream of another device.
    #[error(
        "kernel `{kernel}`: the launch is for device {device}, and its stream is one of device {found}; make a stream of \
         {device} with `Stream::new`"
    )]
    OtherStream {
        /// The kernel.
        kernel: String,
        /// The device of the launch.
        device: String,
        /// The stream's device.
        found: String,
    },

    /// Things of two devices that have to be of one.
    #[error("{what} cannot be had: one is of device {found}, the other of device {device}")]
    OtherDevice {
        /// What was asked for.
        what: String,
        /// The device of the one.
        found: String,
        /// The device of the other.
        device: String,
    },

    /// A graph where derivatives are followed.
    #[error(
        "a graph cannot be captured or launched while {}: launch its kernels by themselves there",
        if *tape { "a tape records, which would not see them" } else { "tangents run, which would not follow them" }
    )]
    GraphUnderTape {
        /// Whether it was a tape.
        tape: bool,
    },

    /// The kernel in the binary does not fit this version of the runtime, or is damaged: not the caller's fault.
    #[error(
        "kernel `{kernel}` cannot be loaded: {reason}; rebuild the crate that defines it with the same version of warp"
    )]
    BadKernel {
        /// The kernel.
        kernel: String,
        /// What does not fit.
        reason: String,
    },

    /// A gradient that cannot be had.
    #[error(transparent)]
    Tape(Box<TapeError>),

    /// No such device in this build or on this machine.
    #[error("{0}")]
    Unavailable(String),

    /// A file that cannot be read, written or understood.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was wrong.
        reason: String,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut said = self.to_string();
        // What the sentence does not say itself.
        let mut source = self.source();
        while let Some(error) = source {
            let more = error.to_string();
            if !said.contains(&more) {
                said = format!("{said}: {more}");
            }
            source = error.source();
        }
        f.write_str(&said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_the_sentence_has_is_not_said_twice() {
        let source = BackendError("no room".into());
        let error = Error::Memory { device: "toy".into(), bytes: 7, source };
        assert_eq!(format!("{error:?}"), "device toy could not give 7 bytes of memory: no room");
        assert_eq!(format!("{error:?}"), error.to_string());
    }
}
