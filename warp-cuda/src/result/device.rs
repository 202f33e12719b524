//! Devices before they are used.

use std::ffi::{CStr, c_char, c_int};

use crate::error::Error;
use crate::sys::{CUdevice, CUuuid, Table};

/// Starts the driver, once a process; more often is fine.
pub fn init(cuda: &Table) -> Result<(), Error> {
    // SAFETY: it asks nothing of its caller.
    unsafe { cuda.cuInit(0) }
}

/// The newest CUDA version that the driver knows: 1000 times major plus 10 times minor.
pub fn version(cuda: &Table) -> Result<c_int, Error> {
    let mut version = 0;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuDriverGetVersion(&mut version) }?;
    Ok(version)
}

/// How many devices there are.
pub fn count(cuda: &Table) -> Result<usize, Error> {
    let mut count = 0;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuDeviceGetCount(&mut count) }?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// The device of that number.
pub fn get(cuda: &Table, ordinal: c_int) -> Result<CUdevice, Error> {
    let mut device = 0;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuDeviceGet(&mut device, ordinal) }?;
    Ok(device)
}

/// Its name.
pub fn name(cuda: &Table, device: CUdevice) -> Result<String, Error> {
    let mut name = [0u8; 256];
    // SAFETY: there are so many bytes.
    unsafe { cuda.cuDeviceGetName(name.as_mut_ptr().cast::<c_char>(), name.len() as c_int, device) }?;
    Ok(text(&name))
}

/// Where it is plugged in: `0000:17:00.0`.
pub fn bus(cuda: &Table, device: CUdevice) -> Result<String, Error> {
    let mut id = [0u8; 32];
    // SAFETY: there are so many bytes.
    unsafe { cuda.cuDeviceGetPCIBusId(id.as_mut_ptr().cast::<c_char>(), id.len() as c_int, device) }?;
    Ok(text(&id))
}

/// Bytes of its memory.
pub fn memory(cuda: &Table, device: CUdevice) -> Result<usize, Error> {
    let mut bytes = 0;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuDeviceTotalMem_v2(&mut bytes, device) }?;
    Ok(bytes)
}

/// One of [`attribute`](crate::sys::types::attribute).
pub fn attribute(cuda: &Table, device: CUdevice, attribute: c_int) -> Result<c_int, Error> {
    let mut value = 0;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuDeviceGetAttribute(&mut value, attribute, device) }?;
    Ok(value)
}

/// What no other device has.
pub fn uuid(cuda: &Table, device: CUdevice) -> Result<CUuuid, Error> {
    let mut uuid = CUuuid::default();
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuDeviceGetUuid(&mut uuid, device) }?;
    Ok(uuid)
}

/// Whether kernels of one can use the memory of the other.
pub fn can_access(cuda: &Table, device: CUdevice, peer: CUdevice) -> Result<bool, Error> {
    let mut can = 0;
    // SAFETY: the pointer is valid.
    unsafe { cuda.cuDeviceCanAccessPeer(&mut can, device, peer) }?;
    Ok(can != 0)
}

/// A text up to its zero.
fn text(bytes: &[u8]) -> String {
    CStr::from_bytes_until_nul(bytes).map_or_else(|_| String::new(), |text| text.to_string_lossy().into_owned())
}
