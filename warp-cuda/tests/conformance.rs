//! What every backend must do, on the driver that needs no GPU: with all threads in their order, and shuffled.

use fake_cuda::Fake;
use warp_cuda::{Cuda, Driver};

/// A device of a driver of its own.
fn backend(seed: u64) -> Cuda {
    let fake = Fake::new();
    fake.seed(seed);
    // SAFETY: the library has the driver's functions.
    let driver = unsafe { Driver::open(fake.path().as_os_str()) }.expect("the driver starts");
    driver.device(0).and_then(|device| Cuda::new(&device)).expect("the device opens")
}

mod in_order {
    warp_conformance::suite!(|| super::backend(0));
}

mod shuffled {
    warp_conformance::suite!(|| super::backend(11));
}
