//! What can go wrong with gradients, in sentences.

use crate::error::Error;
use crate::fault::Fault;

/// Why there is no gradient.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// A loss that is not one number.
    #[error(
        "`backward` starts from an array of one float, the loss, and this one has {found}; sum it up in a kernel, or use `backward_with` and say the gradient of each element"
    )]
    Loss {
        /// What it has.
        found: String,
    },

    /// A gradient to start from that lies on another device than its array.
    #[error(
        "`backward_with`: the gradient is on device {gradient}, but its array on device {array}; copy it over with `copy_from`"
    )]
    SeedDevice {
        /// The array's.
        array: String,
        /// The gradient's.
        gradient: String,
    },

    /// An array without floats.
    #[error("{doing}: the elements of this array hold no floats, so they have no gradient")]
    NoFloats {
        /// What was tried.
        doing: &'static str,
    },

    /// A gradient that nobody computed.
    #[error(
        "this array has no gradient: it is on no tape whose `backward` has run; launches count from `Tape::record`'s closure, on the thread that runs it"
    )]
    NoGradient,

    /// An array that the recording did not meet, or a gradient that nobody computed yet.
    #[error("{array} {}", if *ran {
        "is not on this tape: no launch, copy or write that it recorded used it. A tape records what its closure does, on the thread that runs it; and a copy of an array is another array"
    } else {
        "has no gradient on this tape: `backward` has not run, or failed"
    })]
    NotOnTape {
        /// The array, in words.
        array: &'static str,
        /// False where it would be known if a backward pass had run.
        ran: bool,
    },

    /// A value that the way back needs was overwritten unseen.
    #[error(
        "`{argument}`: the value that launch `{kernel}` ({position} on the tape) read is gone; it was written outside the tape. Call `backward` before, or write to a copy of the array"
    )]
    Gone {
        /// The argument.
        argument: String,
        /// The kernel.
        kernel: String,
        /// Where on the tape: "3rd".
        position: String,
    },

    /// As [`Gone`](TapeError::Gone), of what a copy or a function read.
    #[error(
        "the value that {step} ({position} on the tape) read is gone; it was written outside the tape. Call `backward` before, or write to a copy of the array"
    )]
    GoneSource {
        /// The operation: "`copy_from`".
        step: String,
        /// Where on the tape.
        position: String,
    },

    /// A function of the host while tangents are computed.
    #[error(
        "function `{name}` runs where tangents are computed, and `record_fn` brings a way back alone; write it as kernels, or call it outside `Tangents::run`"
    )]
    FunctionTangent {
        /// The function.
        name: String,
    },

    /// A gradient of a gradient.
    #[error(
        "the gradient has to go back through a `backward` that ran inside the recording ({position} on the tape), and a gradient of a gradient is not found that way; second derivatives come from `hvp`, or from a tape around `Tangents::run`. Or detach what depends on its gradients"
    )]
    SecondOrder {
        /// Where on the tape.
        position: String,
    },

    /// A kernel without a gradient on the way.
    #[error(
        "the gradient has to go back through launch `{kernel}` ({position} on the tape), whose kernel has none ({place}): {reason}"
    )]
    Refused {
        /// The kernel.
        kernel: String,
        /// Where on the tape.
        position: String,
        /// File, line and expression of the reason.
        place: String,
        /// The reason and the way out.
        reason: String,
    },

    /// A launch overwrites more in its loops than can be taken back.
    #[error(
        "going back through launch `{kernel}` ({position} on the tape) has to take back what its loops overwrite, above all in `{array}`{place}: {bytes} bytes, and the limit is {limit}. Raise it, `#[kernel(undo_bytes = {bytes})]`, or write to another array than is read"
    )]
    LogTooLarge {
        /// The kernel.
        kernel: String,
        /// Where on the tape.
        position: String,
        /// The array that takes most.
        array: String,
        /// Where a loop overwrites it, in brackets.
        place: String,
        /// What all of it would take.
        bytes: u64,
        /// What there is.
        limit: u64,
    },

    /// More derivatives than memory has room for.
    #[error(
        "`jacobian`: {rows} floats by {columns} floats, and memory has no room for so many derivatives; ask for those of parts of the two arrays, or go back from a weighted sum with `backward_with`"
    )]
    JacobianTooLarge {
        /// Floats of the one array.
        rows: usize,
        /// Floats of the other.
        columns: usize,
    },

    /// A parameter without a gradient.
    #[error("kernel `{kernel}` has no gradient by `{parameter}`: {reason}")]
    NoValueGradient {
        /// The kernel.
        kernel: String,
        /// The parameter.
        parameter: String,
        /// Why.
        reason: String,
    },

    /// An operation failed while it was recorded.
    #[error("{step} ({position} on the tape) failed when it was recorded, so what follows has no gradient")]
    Failed {
        /// The operation: "launch `step`".
        step: String,
        /// Where on the tape.
        position: String,
    },

    /// A thread stopped on the way back.
    #[error("on the way back through the launch that is {position} on the tape, {fault}")]
    Fault {
        /// Where on the tape.
        position: String,
        /// What stopped it.
        fault: Box<Fault>,
    },

    /// A kernel without a tangent in a run that computes tangents.
    #[error("kernel `{kernel}` has no tangent ({place}): {reason}")]
    NoTangent {
        /// The kernel.
        kernel: String,
        /// File, line and expression of the reason.
        place: String,
        /// The reason and the way out.
        reason: String,
    },

    /// A value whose tangent cannot be given.
    #[error("kernel `{kernel}` has no tangent by `{parameter}`: {reason}")]
    NoValueTangent {
        /// The kernel.
        kernel: String,
        /// The parameter.
        parameter: String,
        /// Why.
        reason: String,
    },

    /// Second derivatives of something else than one number.
    #[error(
        "`hvp` takes the second derivatives of one float, the loss, and this array has {found}; sum it up in a kernel"
    )]
    HvpLoss {
        /// What it has.
        found: String,
    },

    /// Tangents of tangents.
    #[error(
        "`Tangents::run` inside `Tangents::run`: a launch has one direction. For second derivatives record a tape around the run, and go back from a tangent"
    )]
    NestedTangents,

    /// A way back where tangents are computed.
    #[error(
        "`backward` inside `Tangents::run`: gradients that are found there have no tangents. Record a tape around the run, and go back from a tangent"
    )]
    BackwardTangent,

    /// A way back that goes back through itself.
    #[error(
        "`backward` of this tape runs already: a `record_fn` on it called it from its way back. Go back through another tape there, or use the gradients of the outputs that it gets"
    )]
    BackwardInside,

    /// A step that a comparison of gradients cannot run again.
    #[error(
        "`grad_check` runs launches, copies and writes again, and not {step}; check what comes before and behind it by itself"
    )]
    NotAgain {
        /// The step.
        step: String,
    },

    /// The host writes in place while a tape records, or tangents are computed.
    #[error(
        "`write()` while a tape records or tangents are computed: what the host does to the array cannot be followed back. Use `copy_from_slice`, `set` or `fill` for values that count as constants, and `warp::record_fn` for a computation with a gradient"
    )]
    WriteGuard,
}

impl From<TapeError> for Error {
    fn from(error: TapeError) -> Error {
        Error::Tape(Box::new(error))
    }
}
