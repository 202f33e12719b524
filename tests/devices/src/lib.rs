//! Tests that run on every kind of device.
//!
//! ```ignore
//! #[on_every_device]
//! fn numbers_are_doubled() {
//!     let mut a = Array::from_slice(&device(), &[1.0, 2.0]).unwrap();
//!     double::launch(2, &mut a).unwrap();
//!     assert_eq!(a.to_vec().unwrap(), [2.0, 4.0]);
//! }
//! ```
//!
//! The test runs once on the CPU as users have it; once on [`Twins`], a CUDA device on the driver that needs no GPU beside a
//! CPU that does the same: after each launch, whatever the test looks at, both have to agree bit for bit in arrays, prints
//! and faults; and once on such a CUDA device by itself.

mod compare;
mod far;
mod memory;
mod order;
mod twins;

use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

use warp_core::{Device, Error};
use warp_cpu::Cpu;

pub use far::Far;
pub use twins::Twins;
pub use warp_test_reference::{on_every_device, on_the_cpu};

thread_local! {
    static DEVICE: RefCell<Option<Device>> = const { RefCell::new(None) };
}

/// Runs a test on the CPU, on a CUDA device of its own that is compared with the CPU, and on one by itself.
///
/// When it fails, the last line of its output that starts with `on device` names the device; without one it is the CPU.
pub fn on_every_device<T: Outcome>(test: impl Fn() -> T) -> T {
    if let Some(make) = CHOSEN.get() {
        return on_device(&make(), test);
    }
    let mut outcome = on_the_cpu(&test);
    let twins = || Device::new(Arc::new(Twins::new()));
    let cuda = || Device::new(Arc::new(twins::interpreted().0));
    for make in [&twins as &dyn Fn() -> Device, &cuda] {
        if outcome.passed() {
            let device = make();
            // Shown where the test fails.
            println!("on device {device}");
            outcome = on_device(&device, &test);
        }
    }
    outcome
}

/// Has the tests of this process run on a device that `make` gives, one each, in place of the usual ones.
///
/// # Panics
/// The second time.
pub fn choose_device(make: impl Fn() -> Device + Send + Sync + 'static) {
    assert!(CHOSEN.set(Box::new(make)).is_ok(), "the device of this process is chosen once");
}

/// Makes the device of a test.
type Make = Box<dyn Fn() -> Device + Send + Sync>;

static CHOSEN: OnceLock<Make> = OnceLock::new();

/// Runs a test on the CPU alone.
pub fn on_the_cpu<T>(test: impl Fn() -> T) -> T {
    on_device(&Device::new(Cpu::shared()), test)
}

/// What a test may give back.
pub trait Outcome {
    /// Whether the test goes on.
    fn passed(&self) -> bool;
}

impl Outcome for () {
    fn passed(&self) -> bool {
        true
    }
}

impl<E> Outcome for Result<(), E> {
    fn passed(&self) -> bool {
        self.is_ok()
    }
}

/// The device that the test of this thread is running on.
///
/// # Panics
/// Outside of [`on_every_device`](fn@on_every_device) and [`on_device`]; threads that a test starts are outside, too.
pub fn device() -> Device {
    DEVICE.with_borrow(Clone::clone).expect("a test asks for its device inside of `on_every_device`")
}

/// How a launch on this thread's device has ended, once it has: a CUDA device starts launches and goes on, and tells a fault
/// to whoever waits next.
///
/// ```ignore
/// let error = ended(gather::launch(6, &src, &idx, &mut dst)).unwrap_err();
/// ```
pub fn ended(launch: Result<(), Error>) -> Result<(), Error> {
    launch.and_then(|()| device().check())
}

/// Runs a part of a test on a device: in threads that the test starts, and where only one device will do.
pub fn on_device<T>(device: &Device, part: impl FnOnce() -> T) -> T {
    /// Puts back what was before, also when the test panics.
    struct Reset(Option<Device>);
    impl Drop for Reset {
        fn drop(&mut self) {
            DEVICE.set(self.0.take());
        }
    }
    let _reset = Reset(DEVICE.replace(Some(device.clone())));
    part()
}
