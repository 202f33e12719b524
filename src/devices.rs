//! Opening devices.

use warp_core::{Device, Error};

/// Opens devices: `Device::cpu()` and its relatives. In the prelude.
pub trait Devices: Sized {
    /// The CPU, on all cores that the process may use. Every call gives the same device.
    #[cfg(feature = "cpu")]
    fn cpu() -> Self;

    /// A CPU device of its own, with so many threads (at least one: the caller's). Arrays of other devices, the shared
    /// CPU included, have to be copied over.
    #[cfg(feature = "cpu")]
    fn cpu_with_threads(threads: usize) -> Self;

    /// An NVIDIA GPU. This version has no backend for it, so it is always an error.
    fn cuda(index: usize) -> Result<Self, Error>;

    /// All devices that this build can use on this machine.
    fn all() -> Vec<Self>;

    /// The fastest device there is.
    fn best() -> Result<Self, Error>;
}

impl Devices for Device {
    #[cfg(feature = "cpu")]
    fn cpu() -> Device {
        static CPU: std::sync::OnceLock<Device> = std::sync::OnceLock::new();
        CPU.get_or_init(|| Device::new(warp_cpu::Cpu::shared())).clone()
    }

    #[cfg(feature = "cpu")]
    fn cpu_with_threads(threads: usize) -> Device {
        Device::new(std::sync::Arc::new(warp_cpu::Cpu::with_threads(threads)))
    }

    fn cuda(index: usize) -> Result<Device, Error> {
        Err(Error::Unavailable(format!(
            "device cuda:{index} cannot be opened: this build has no CUDA backend; use `Device::cpu()`"
        )))
    }

    fn all() -> Vec<Device> {
        vec![
            #[cfg(feature = "cpu")]
            Device::cpu(),
        ]
    }

    fn best() -> Result<Device, Error> {
        Device::all().into_iter().next().ok_or_else(|| {
            Error::Unavailable(
                "there is no device: this build has no backend; enable the feature `cpu` of warp-kernel".into(),
            )
        })
    }
}
