//! How a launch ended, in words.

use warp_ir::ir::Kernel;

use crate::backend::{BackendError, LaunchStop, Stopped};
use crate::device::Device;
use crate::error::Error;
use crate::fault::Fault;
use crate::kernel::Definition;
use crate::program::Loaded;

/// How a launch ended that came behind all that was queued, and was waited for: where something stopped before, that is told,
/// and a fault of the launch may be its consequence.
pub(crate) fn told_first(device: &Device, done: Result<(), Error>) -> Result<(), Error> {
    match done {
        Ok(()) | Err(Error::Fault(_)) => device.tell(device.backend().stopped()).and(done),
        other => other,
    }
}

/// A launch that is told later how it ended.
pub(crate) struct Launched {
    pub definition: &'static Definition,
    pub loaded: &'static Loaded,
    pub dims: Vec<u64>,
}

/// Why a queued launch stopped, in words.
#[cold]
pub(crate) fn told_late(device: &Device, stopped: Stopped) -> Error {
    match stopped.origin.downcast_ref::<Launched>() {
        Some(launched) => {
            self::stopped(launched.definition, stopped.stop, &launched.loaded.program.kernel, device, &launched.dims)
        }
        None => device.failed("running a kernel", BackendError("it stopped, and nobody knows which one it was".into())),
    }
}

/// Why a launch of a kernel stopped, in words.
#[cold]
pub(crate) fn stopped(
    definition: &Definition,
    stop: LaunchStop,
    kernel: &Kernel,
    device: &Device,
    dims: &[u64],
) -> Error {
    match stop {
        LaunchStop::Fault { thread, kind, source, operands, count } => Error::Fault(Box::new(Fault::of_launch(
            &definition.spec,
            &kernel.function,
            dims,
            thread,
            kind,
            source,
            operands,
            count,
        ))),
        LaunchStop::Backend(source) => device.failed(&format!("running kernel `{}`", definition.name()), source),
    }
}
