//! What compiled kernels are kept by: all that ends up in their code, and nothing else.
//!
//! Edits of a program are played by modules that hold the same kernel before and after. A device of CUDA keeps modules by
//! their text, which the driver keeps beyond the process, too; on the CPU a kernel is compiled once in each process.
#![cfg(feature = "cuda")]

use std::sync::Arc;

use fake_cuda::Fake;
use warp::cuda::{Cuda, Driver};
use warp::prelude::*;
use warp_test_devices::Far;

mod before {
    use warp::prelude::*;
    const LIMIT: f32 = 5.0;
    #[func]
    fn helper(x: f32) -> f32 {
        x + 1.0
    }
    #[kernel]
    pub fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = helper(x[i]).min(LIMIT);
    }
}

mod other_limit {
    use warp::prelude::*;
    const LIMIT: f32 = 10.0;
    #[func]
    fn helper(x: f32) -> f32 {
        x + 1.0
    }
    #[kernel]
    pub fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = helper(x[i]).min(LIMIT);
    }
}

mod other_helper {
    use warp::prelude::*;
    const LIMIT: f32 = 10.0;
    #[func]
    fn helper(x: f32) -> f32 {
        x + 2.0
    }
    #[kernel]
    pub fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = helper(x[i]).min(LIMIT);
    }
}

/// The same as the last one, elsewhere: ten lines further down, and in another order.
mod moved {
    use warp::prelude::*;

    // A
    // comment
    // of
    // some
    // lines
    // that
    // move
    // what
    // follows
    // it

    #[kernel]
    pub fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();

        out[i] = helper(x[i]).min(LIMIT);
    }

    #[func]
    fn helper(x: f32) -> f32 {
        x + 2.0
    }

    const LIMIT: f32 = 10.0;
}

/// Another kernel of that name.
mod namesake {
    use warp::prelude::*;
    #[kernel]
    pub fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = x[i] * 2.0;
    }
}

/// The same with another attribute, which is in no instruction.
mod bounded {
    use warp::prelude::*;
    #[kernel(block = 64)]
    pub fn k(x: &[f32], out: &mut [f32]) {
        let i = tid();
        out[i] = x[i] * 2.0;
    }
}

type Launch = fn(&Device, &Array<f32>, &mut Array<f32>) -> Result<(), warp::Error>;

/// The kernels in their order, what they give for 3 and 9, and how many have been compiled after each where code is kept
/// by what it is.
const EDITS: [(&str, Launch, [f32; 2], usize); 6] = [
    ("before", |device, x, out| before::k::on(device).launch(2, x, out), [4.0, 5.0], 1),
    ("other limit", |device, x, out| other_limit::k::on(device).launch(2, x, out), [4.0, 10.0], 2),
    ("other helper", |device, x, out| other_helper::k::on(device).launch(2, x, out), [5.0, 10.0], 3),
    ("moved", |device, x, out| moved::k::on(device).launch(2, x, out), [5.0, 10.0], 3),
    ("namesake", |device, x, out| namesake::k::on(device).launch(2, x, out), [6.0, 18.0], 4),
    ("bounded", |device, x, out| bounded::k::on(device).launch(2, x, out), [6.0, 18.0], 5),
];

/// Runs all kernels twice, and the first ones again; `compiled` counts compilations so far, `expected` says how many they
/// should be after each kernel.
fn run(device: &Device, compiled: impl Fn() -> usize, expected: impl Fn(usize) -> usize) {
    let x = Array::from_slice(device, &[3.0f32, 9.0]).unwrap();
    for (number, (name, launch, result, _)) in EDITS.iter().enumerate() {
        for round in 0..3 {
            let mut out = Array::zeros(device, 2).unwrap();
            launch(device, &x, &mut out).unwrap();
            assert_eq!(out.to_vec().unwrap(), result, "{name}, round {round}");
            assert_eq!(compiled(), expected(number), "{name}, round {round}");
        }
    }
    for (name, launch, result, _) in EDITS {
        let mut out = Array::zeros(device, 2).unwrap();
        launch(device, &x, &mut out).unwrap();
        assert_eq!((out.to_vec().unwrap(), compiled()), (result.to_vec(), expected(EDITS.len() - 1)), "{name}");
    }
}

#[test]
fn devices_of_cuda_compile_what_is_new() {
    let fake = Fake::new();
    // SAFETY: the library has the driver's functions.
    let driver = unsafe { Driver::open(fake.path().as_os_str()) }.unwrap();
    let device = Device::new(Arc::new(Cuda::new(&driver.device(0).unwrap()).unwrap()));
    // Modules stay for as long as the device.
    run(&device, || fake.live().modules as usize, |number| EDITS[number].3);
}

#[test]
fn the_cpu_compiles_each_kernel_once() {
    let far = Far::new();
    run(&Device::new(far.clone()), || far.compiled(), |number| number + 1);
}

#[test]
fn moving_a_kernel_changes_no_text() {
    assert_eq!(moved::k::PTX, other_helper::k::PTX);
    assert_eq!(moved::k::PTX_ADJOINT, other_helper::k::PTX_ADJOINT);
    assert_ne!(before::k::PTX, other_limit::k::PTX);
    assert_ne!(other_limit::k::PTX, other_helper::k::PTX);
    assert_ne!(namesake::k::PTX, bounded::k::PTX);
}
