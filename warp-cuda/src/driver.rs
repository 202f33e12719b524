//! The driver: found once, started once.

use std::ffi::OsStr;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::device::{Device, Properties};
use crate::error::Error;
use crate::result;
use crate::sys::{CUresult, Library, Table};

/// How many failures of things that nobody waited for are kept.
const KEPT: usize = 16;

/// The CUDA driver, started. A handle that is cheap to clone.
#[derive(Clone)]
pub struct Driver(Arc<Inner>);

struct Inner {
    table: Table,
    version: (u32, u32),
    /// What failed where no call could tell it.
    untold: Mutex<Vec<Error>>,
}

impl Driver {
    /// The driver of this process: the system's, or the one that `WARP_LIBCUDA` names. Not to have one is a normal state
    /// of a machine, and an error that says what was looked for. What is found stays; a failure is looked at anew.
    pub fn get() -> Result<Driver, Error> {
        static FOUND: Mutex<Option<Driver>> = Mutex::new(None);
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(driver) = &*found {
            return Ok(driver.clone());
        }
        Ok(found.insert(Driver::start(Library::find()?)?).clone())
    }

    /// A driver by the name or path of its library, apart from that of the process.
    ///
    /// # Safety
    /// The library's start-up code is sound, and the functions that it has in common with the driver mean the same.
    pub unsafe fn open(library: &OsStr) -> Result<Driver, Error> {
        // SAFETY: the caller's contract.
        Driver::start(unsafe { Library::open(library) }?)
    }

    fn start(library: Library) -> Result<Driver, Error> {
        let table = Table::new(library);
        match result::device::init(&table) {
            // A driver without devices is there all the same: who asks for a device hears it.
            Err(error) if !error.is(CUresult::NO_DEVICE) => return Err(error),
            _ => {}
        }
        let version = result::device::version(&table)?.unsigned_abs();
        let version = (version / 1000, version % 1000 / 10);
        Ok(Driver(Arc::new(Inner { table, version, untold: Mutex::new(Vec::new()) })))
    }

    /// The newest CUDA version that the driver knows, major and minor.
    pub fn version(&self) -> (u32, u32) {
        self.0.version
    }

    /// How many devices there are.
    pub fn device_count(&self) -> Result<usize, Error> {
        match result::device::count(&self.0.table) {
            Err(error) if error.is(CUresult::NO_DEVICE) || error.is(CUresult::NOT_INITIALIZED) => Ok(0),
            count => count,
        }
    }

    /// Opens a device.
    pub fn device(&self, index: usize) -> Result<Device, Error> {
        let count = self.device_count()?;
        if index >= count {
            return Err(Error::NoSuchDevice { index, count });
        }
        Device::open(self.clone(), index)
    }

    /// What a device is, without opening it.
    pub fn properties(&self, index: usize) -> Result<Properties, Error> {
        let count = self.device_count()?;
        if index >= count {
            return Err(Error::NoSuchDevice { index, count });
        }
        let ordinal = i32::try_from(index).unwrap_or(i32::MAX);
        Properties::of(&self.0.table, result::device::get(&self.0.table, ordinal)?)
    }

    /// Opens all devices.
    pub fn devices(&self) -> Result<Vec<Device>, Error> {
        (0..self.device_count()?).map(|index| Device::open(self.clone(), index)).collect()
    }

    /// Failures that no call could tell, since they came while something was given back: the oldest few, and each once.
    pub fn take_untold(&self) -> Vec<Error> {
        std::mem::take(&mut *self.0.untold.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn keep_untold(&self, error: Error) {
        let mut untold = self.0.untold.lock().unwrap_or_else(PoisonError::into_inner);
        if untold.len() < KEPT {
            untold.push(error);
        }
    }

    /// The driver's functions as they are.
    pub fn table(&self) -> &Table {
        &self.0.table
    }

    pub(crate) fn is(&self, other: &Driver) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.version();
        write!(f, "Driver({}, CUDA {major}.{minor})", self.0.table.library().name())
    }
}
