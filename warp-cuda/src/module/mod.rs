//! Loaded code.

mod function;
mod image;
mod jit;

use std::ffi::CString;
use std::fmt;
use std::sync::Arc;

pub use function::{Attributes, Function, Grid};
use image::Image;
pub use jit::{JitOptions, Optimization};

use crate::device::{Dead, Device};
use crate::error::Error;
use crate::result;
use crate::sys::{CUmodule, CUresult};

/// Loaded code: PTX that the driver has compiled for its device, or machine code. A handle that is cheap to clone.
#[derive(Clone)]
pub struct Module(Arc<Inner>);

struct Inner {
    device: Device,
    handle: CUmodule,
    log: String,
}

impl Module {
    /// Loads PTX text, or machine code (a cubin or fatbin). What the driver's compiler says of it is in the error.
    ///
    /// # Safety
    /// Loading runs nothing, but the driver trusts machine code; and functions of the module that are launched do to
    /// memory what they do.
    pub unsafe fn load(device: &Device, image: &[u8], options: &JitOptions) -> Result<Module, Error> {
        let image = Image::new(image)?;
        let mut jit = jit::Call::new(options);
        let loaded = {
            let _current = device.enter()?;
            let (options, values) = jit.arguments();
            // SAFETY: the device's context is current; the image is whole and, if text, ends with a zero; the values are
            // what the options take, and their buffers live in `jit`.
            unsafe { result::module::load(device.cuda(), image.start(), options, values) }
        };
        match loaded {
            Ok(handle) => Ok(Module(Arc::new(Inner { device: device.clone(), handle, log: jit.info() }))),
            Err(error) => Err(Error::Module { error: Box::new(error), log: jit.error() }),
        }
    }

    /// An entry of the module.
    pub fn function(&self, name: &str) -> Result<Function, Error> {
        let text = CString::new(name).map_err(|_| Error::Refused("a function's name holds a zero".into()))?;
        let _current = self.device().enter()?;
        // SAFETY: the module is alive.
        let handle = unsafe { result::module::function(self.device().cuda(), self.0.handle, &text) }
            .map_err(|error| named("function", name, error))?;
        Ok(Function::new(self.clone(), handle, name))
    }

    /// Where a global variable of the module lies, and its bytes.
    pub fn global(&self, name: &str) -> Result<(u64, usize), Error> {
        let text = CString::new(name).map_err(|_| Error::Refused("a variable's name holds a zero".into()))?;
        let _current = self.device().enter()?;
        // SAFETY: the module is alive.
        unsafe { result::module::global(self.device().cuda(), self.0.handle, &text) }
            .map_err(|error| named("variable", name, error))
    }

    /// What the driver's compiler said while it was loaded: registers and spills, with [`JitOptions::verbose`].
    pub fn log(&self) -> &str {
        &self.0.log
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// The driver's handle.
    pub fn raw(&self) -> CUmodule {
        self.0.handle
    }
}

/// The driver does not say what it was asked for.
fn named(what: &'static str, name: &str, error: Error) -> Error {
    match error.is(CUresult::NOT_FOUND) {
        true => Error::NoSuchName { what, name: name.into(), error: Box::new(error) },
        false => error,
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.device.dispose(Dead::Module(self.handle));
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module({} of {})", self.0.handle.0.addr(), self.device().label())
    }
}
