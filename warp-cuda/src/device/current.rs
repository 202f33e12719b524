//! Which context a thread works in.

use super::Inner;
use crate::error::Error;
use crate::result;

/// The device's context is current on this thread while this lasts.
pub(crate) struct Current<'a> {
    device: &'a Inner,
    /// Whether another context lies below and gets its place back.
    pushed: bool,
}

impl Inner {
    pub(super) fn enter(&self) -> Result<Current<'_>, Error> {
        let cuda = self.driver.table();
        let now = result::context::current(cuda)?;
        let pushed = now != self.context && !now.is_null();
        // SAFETY: the context is alive as long as the device is.
        match (pushed, now.is_null()) {
            (true, _) => unsafe { cuda.cuCtxPushCurrent_v2(self.context) }?,
            (false, true) => unsafe { cuda.cuCtxSetCurrent(self.context) }?,
            (false, false) => {}
        }
        Ok(Current { device: self, pushed })
    }
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if self.pushed {
            let cuda = self.device.driver.table();
            self.device.twice(|| result::context::pop(cuda).map(|_| ()));
        }
    }
}
