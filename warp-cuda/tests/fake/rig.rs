//! A driver of one's own, and kernels for it.

use std::ffi::c_void;

use fake_cuda::{Fake, Live};
use warp_cuda::{Device, Driver, Error, Function, Grid, JitOptions, Memory, Module, Stream};

/// `add(to, value, count)`: adds the value to so many numbers. `scale` multiplies. `far` writes what `to` does not have.
pub const KERNELS: &str = include_str!("kernels.ptx");

/// A driver and the copy of the library behind it.
pub struct Rig {
    pub fake: Fake,
    pub driver: Driver,
}

pub fn rig() -> Rig {
    let fake = Fake::new();
    let driver = open(&fake).expect("the driver starts");
    Rig { fake, driver }
}

pub fn open(fake: &Fake) -> Result<Driver, Error> {
    // SAFETY: the library has the driver's functions.
    unsafe { Driver::open(fake.path().as_os_str()) }
}

impl Rig {
    pub fn device(&self) -> Device {
        self.driver.device(0).expect("there is a device")
    }

    /// Nothing is left.
    pub fn assert_clean(&self) {
        assert_eq!(self.fake.live(), Live::default());
        assert_eq!(self.driver.take_untold(), vec![]);
    }
}

pub fn module(device: &Device) -> Result<Module, Error> {
    // SAFETY: the kernels use what they are given.
    unsafe { Module::load(device, KERNELS.as_bytes(), &JitOptions::new()) }
}

/// Queues `to[i] op= value` for `count` numbers.
pub fn launch(function: &Function, stream: &Stream, to: &Memory, value: u32, count: u32) -> Result<(), Error> {
    let (mut address, mut value, mut count) = (to.address(), value, count);
    let mut parameters: [*mut c_void; 3] =
        [(&raw mut address).cast(), (&raw mut value).cast(), (&raw mut count).cast()];
    // SAFETY: those are the function's parameters; the memory holds so many numbers, or the test wants to see it refused.
    unsafe { function.launch(stream, &Grid::linear(count.div_ceil(64), 64), &mut parameters) }
}

pub fn bytes(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}

pub fn numbers(stream: &Stream, memory: &Memory) -> Result<Vec<u32>, Error> {
    let mut bytes = vec![0; memory.len()];
    stream.download(memory, 0, &mut bytes)?;
    Ok(bytes.as_chunks().0.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect())
}

/// Memory of a stream that holds these numbers.
pub fn filled(stream: &Stream, values: &[u32]) -> Result<Memory, Error> {
    let mut memory = stream.allocate(4 * values.len())?;
    stream.upload(&mut memory, 0, &bytes(values))?;
    Ok(memory)
}
