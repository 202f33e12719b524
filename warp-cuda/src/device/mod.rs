//! A device with its share in the primary context.

mod current;
mod dead;
mod ledger;
mod properties;

use std::ffi::c_int;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub(crate) use current::Current;
pub(crate) use dead::Dead;
pub use ledger::MemoryUse;
pub use properties::Properties;

use self::ledger::Ledger;
use crate::driver::Driver;
use crate::error::Error;
use crate::result;
use crate::sys::{
    CUcontext, CUdevice, CUmemoryPool, CUresult, POOL_RELEASE_THRESHOLD, POOL_RESERVED_CURRENT, POOL_USED_HIGH, Table,
};

/// An open device. A handle that is cheap to clone; the last one gives the primary context back.
///
/// Any thread may use it. A thread that works in no context gets the device's; a thread that works in another one has
/// that back after each call.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

/// A failure that no call could tell.
pub(crate) type Untold = Arc<Mutex<Option<Error>>>;

/// What goes when nothing of the driver's runs around it.
pub(crate) type Spent = Arc<Mutex<Vec<Box<dyn FnMut() + Send>>>>;

struct Inner {
    driver: Driver,
    index: usize,
    handle: CUdevice,
    context: CUcontext,
    properties: Properties,
    /// Null where the device has no pools.
    pool: CUmemoryPool,
    ledger: Ledger,
    /// What could not be given back yet.
    left: Mutex<Vec<Dead>>,
    /// How many captures are under way on the device's streams, on any thread.
    captures: RwLock<usize>,
    /// Held for captures of this crate's own, which others wait for and are not refused.
    inside: RwLock<()>,
    /// Host functions that have been called, with what they captured.
    spent: Spent,
    /// The first failure that no call could tell.
    untold: Untold,
}

impl Device {
    pub(crate) fn open(driver: Driver, index: usize) -> Result<Device, Error> {
        let cuda = driver.table();
        let handle = result::device::get(cuda, c_int::try_from(index).unwrap_or(c_int::MAX))?;
        let properties = Properties::of(cuda, handle)?;
        // SAFETY: given back when `Inner` goes.
        let context = unsafe { result::context::retain(cuda, handle) }?;
        let mut inner = Inner {
            driver,
            index,
            handle,
            context,
            properties,
            pool: CUmemoryPool::NULL,
            ledger: Ledger::default(),
            left: Mutex::default(),
            captures: RwLock::default(),
            inside: RwLock::default(),
            spent: Spent::default(),
            untold: Untold::default(),
        };
        if inner.properties.pools {
            inner.pool = result::memory::create_pool(inner.driver.table(), handle)?;
            // Memory goes back to the system when the pool goes, not each time that somebody waits.
            // SAFETY: the pool was just made, and the attribute has 64 bits.
            unsafe {
                result::memory::set_pool_bytes(inner.driver.table(), inner.pool, POOL_RELEASE_THRESHOLD, u64::MAX)
            }?;
        }
        Ok(Device(Arc::new(inner)))
    }

    /// Its number among the devices that the driver sees.
    pub fn index(&self) -> usize {
        self.0.index
    }

    /// Its name in messages: `cuda:0`.
    pub fn label(&self) -> String {
        format!("cuda:{}", self.0.index)
    }

    /// What it is.
    pub fn properties(&self) -> &Properties {
        &self.0.properties
    }

    /// The driver.
    pub fn driver(&self) -> &Driver {
        &self.0.driver
    }

    /// The primary context.
    pub fn context(&self) -> CUcontext {
        self.0.context
    }

    /// Waits for all work of all streams of its context, and tells what failed where no call could tell it. Refused while
    /// a stream of the device is captured, whose capture it would spoil.
    pub fn synchronize(&self) -> Result<(), Error> {
        self.wait().and_then(|()| self.told())
    }

    /// Waits for all work, and tells nothing else.
    pub(crate) fn wait(&self) -> Result<(), Error> {
        self.0.sweep();
        self.wait_if_quiet().unwrap_or_else(|| {
            Err(Error::Refused(format!(
                "{} cannot be waited for during a capture; wait for a stream, or end the capture first",
                self.label()
            )))
        })
    }

    /// Keeps everything that waits for the device waiting itself, for a capture that nobody asked for and that ends soon.
    pub(crate) fn alone(&self) -> RwLockWriteGuard<'_, ()> {
        self.0.inside.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for all work, where no capture is under way.
    pub(crate) fn wait_if_quiet(&self) -> Option<Result<(), Error>> {
        let _quiet = self.0.quiet()?;
        Some(self.enter().and_then(|_current| {
            // SAFETY: the context is current.
            unsafe { self.cuda().cuCtxSynchronize() }
        }))
    }

    /// A capture begins, by what `begin` does.
    pub(crate) fn begin_capture(&self, begin: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
        let mut captures = self.0.captures.write().unwrap_or_else(PoisonError::into_inner);
        begin()?;
        *captures += 1;
        Ok(())
    }

    /// A capture has ended.
    pub(crate) fn end_capture(&self) {
        *self.0.captures.write().unwrap_or_else(PoisonError::into_inner) -= 1;
    }

    /// The first failure of something that was given back, which no call could tell.
    pub(crate) fn told(&self) -> Result<(), Error> {
        self.0.untold.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Memory that this device has of ours, now and at most so far.
    pub fn memory_use(&self) -> MemoryUse {
        self.0.ledger.read()
    }

    /// Lets the high-water mark start at what is in use now.
    pub fn reset_high_water(&self) {
        self.0.ledger.reset();
    }

    /// Bytes of the device's memory that are free, and bytes in all, with all processes counted.
    pub fn memory(&self) -> Result<(usize, usize), Error> {
        let _current = self.enter()?;
        // SAFETY: the context is current.
        unsafe { result::memory::info(self.cuda()) }
    }

    /// Bytes that the pool has of the device, and most bytes of it that were in use; `None` without pools.
    pub fn pool_use(&self) -> Result<Option<(u64, u64)>, Error> {
        if self.0.pool.is_null() {
            return Ok(None);
        }
        // SAFETY: the pool lives as long as the device, and both attributes have 64 bits.
        let get = |attribute| unsafe { result::memory::pool_bytes(self.cuda(), self.0.pool, attribute) };
        Ok(Some((get(POOL_RESERVED_CURRENT)?, get(POOL_USED_HIGH)?)))
    }

    /// Gives memory of the pool that nobody uses back to the system, down to `keep` bytes.
    pub fn trim(&self, keep: usize) -> Result<(), Error> {
        match self.0.pool.is_null() {
            true => Ok(()),
            // SAFETY: the pool lives as long as the device.
            false => unsafe { self.cuda().cuMemPoolTrimTo(self.0.pool, keep) },
        }
    }

    /// Whether kernels of this device can use the memory of another.
    pub fn can_access(&self, peer: &Device) -> Result<bool, Error> {
        self.same_driver("the device", "its peer", peer)?;
        result::device::can_access(self.cuda(), self.0.handle, peer.0.handle)
    }

    /// Lets kernels of this device use memory that [`allocate`](Device::allocate) takes on another. Once is enough.
    pub fn enable_access(&self, peer: &Device) -> Result<(), Error> {
        self.same_driver("the device", "its peer", peer)?;
        let _current = self.enter()?;
        // SAFETY: both contexts are alive.
        match unsafe { self.cuda().cuCtxEnablePeerAccess(peer.0.context, 0) } {
            Err(error) if error.is(CUresult::PEER_ACCESS_ALREADY_ENABLED) => Ok(()),
            done => done,
        }
    }

    /// Two handles of one driver may be used together.
    pub(crate) fn same_driver(&self, what: &'static str, other: &'static str, peer: &Device) -> Result<(), Error> {
        match self.0.driver.is(&peer.0.driver) {
            true => Ok(()),
            false => Err(Error::Mixed { what, first: self.label(), other, second: format!("{:?}", peer.driver()) }),
        }
    }

    /// Complains about things of two devices.
    pub(crate) fn same(&self, what: &'static str, other: &'static str, device: &Device) -> Result<(), Error> {
        match self == device {
            true => Ok(()),
            false => Err(Error::Mixed { what, first: self.label(), other, second: device.label() }),
        }
    }

    pub(crate) fn cuda(&self) -> &Table {
        self.0.driver.table()
    }

    pub(crate) fn pool(&self) -> CUmemoryPool {
        self.0.pool
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.0.ledger
    }

    /// Makes the context current until the guard goes.
    pub(crate) fn enter(&self) -> Result<Current<'_>, Error> {
        self.0.enter()
    }

    /// Gives something back. What fails now is tried again later, and told by a call that can tell it.
    pub(crate) fn dispose(&self, dead: Dead) {
        self.0.dispose(dead);
    }

    /// Gives back what could not be given back before.
    pub(crate) fn sweep(&self) {
        self.0.sweep();
    }

    pub(crate) fn keep_untold(&self, error: Error) {
        self.0.keep_untold(error);
    }

    pub(crate) fn spent(&self) -> Spent {
        self.0.spent.clone()
    }

    /// Where failures are kept, for who must not hold the device.
    pub(crate) fn untold(&self) -> Untold {
        self.0.untold.clone()
    }
}

impl Inner {
    /// No capture is under way, and none begins while the guard lasts.
    fn quiet(&self) -> Option<(RwLockReadGuard<'_, ()>, RwLockReadGuard<'_, usize>)> {
        let inside = self.inside.read().unwrap_or_else(PoisonError::into_inner);
        let captures = self.captures.read().unwrap_or_else(PoisonError::into_inner);
        (*captures == 0).then_some((inside, captures))
    }

    fn keep_untold(&self, error: Error) {
        self.untold.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.sweep();
        let cuda = self.driver.table();
        if !self.pool.is_null() {
            // SAFETY: nobody uses the pool any more: whoever has memory of it holds the device.
            self.twice(|| unsafe { cuda.cuMemPoolDestroy(self.pool) });
        }
        // SAFETY: this is the share that `open` took.
        self.twice(|| unsafe { cuda.cuDevicePrimaryCtxRelease_v2(self.handle) });
        if let Some(error) = self.untold.lock().unwrap_or_else(PoisonError::into_inner).take() {
            self.driver.keep_untold(error);
        }
    }
}

/// The same device of the same driver, however often it was opened.
impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        self.0.driver.is(&other.0.driver) && self.0.handle == other.0.handle
    }
}

impl Eq for Device {}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({}, {})", self.label(), self.0.properties.name)
    }
}
