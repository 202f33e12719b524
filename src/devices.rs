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

    /// An NVIDIA GPU, by its number among those that the driver sees. Every call gives the same device. A machine without
    /// the NVIDIA driver is a normal one, and gets an error that says what was looked for.
    fn cuda(index: usize) -> Result<Self, Error>;

    /// All devices that this build can use on this machine: the CPU first, then GPUs by number.
    fn all() -> Vec<Self>;

    /// The fastest device there is: of several GPUs the one with most multiprocessors, else the CPU.
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
        gpu::device(index).map_err(|why| Error::Unavailable(format!("device cuda:{index} cannot be opened: {why}")))
    }

    fn all() -> Vec<Device> {
        let mut all = vec![
            #[cfg(feature = "cpu")]
            Device::cpu(),
        ];
        // A GPU that cannot be opened is none; who asks for it by number hears why.
        all.extend((0..gpu::count()).filter_map(|index| gpu::device(index).ok()));
        all
    }

    fn best() -> Result<Device, Error> {
        let gpu = gpu::by_speed().into_iter().find_map(|index| gpu::device(index).ok());
        gpu.or_else(|| Device::all().into_iter().next()).ok_or_else(|| {
            Error::Unavailable(
                "there is no device: no NVIDIA GPU was found, and this build has no backend for the CPU; enable the \
                 feature `cpu` of warp-kernel"
                    .into(),
            )
        })
    }
}

/// GPUs, by the driver.
#[cfg(feature = "cuda")]
mod gpu {
    use std::cmp::Reverse;
    use std::collections::BTreeMap;
    use std::sync::{Arc, Mutex, PoisonError};

    use warp_core::Device;
    use warp_cuda::{Cuda, Driver};

    /// How many the driver sees; none without a driver.
    pub fn count() -> usize {
        Driver::get().and_then(|driver| driver.device_count()).unwrap_or(0)
    }

    /// The device of that number, the same each time; else a sentence.
    pub fn device(index: usize) -> Result<Device, String> {
        static OPEN: Mutex<BTreeMap<usize, Device>> = Mutex::new(BTreeMap::new());
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(device) = open.get(&index) {
            return Ok(device.clone());
        }
        let backend = Driver::get().and_then(|driver| Cuda::new(&driver.device(index)?));
        let device = Device::new(Arc::new(backend.map_err(|error| error.to_string())?));
        Ok(open.entry(index).or_insert(device).clone())
    }

    /// Numbers of the devices, the fastest first.
    pub fn by_speed() -> Vec<usize> {
        let Ok(driver) = Driver::get() else { return vec![] };
        let known = (0..count()).filter_map(|index| Some((driver.properties(index).ok()?, index)));
        let mut speeds: Vec<(u64, usize)> = known
            .map(|(device, index)| (u64::from(device.multiprocessors) * u64::from(device.clock.max(1)), index))
            .collect();
        speeds.sort_by_key(|&(speed, index)| (Reverse(speed), index));
        speeds.into_iter().map(|(_, index)| index).collect()
    }
}

/// A build without them.
#[cfg(not(feature = "cuda"))]
mod gpu {
    use warp_core::Device;

    pub fn count() -> usize {
        0
    }

    pub fn device(_: usize) -> Result<Device, String> {
        Err("this build has no CUDA backend; enable the feature `cuda` of warp-kernel, or use `Device::cpu()`".into())
    }

    pub fn by_speed() -> Vec<usize> {
        vec![]
    }
}
