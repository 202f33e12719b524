//! The same steps on arrays, by kernels.

use warp::optim::{Adam, AdamW, FirstOrder, Sgd};
use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

use crate::first_order::expected;
use crate::{START, valley};

fn check(name: &str, method: impl FirstOrder) -> Result<(), Error> {
    let device = device();
    let mut x = Array::from_slice(&device, &[DVec3::from_array(START)])?;
    let mut steps = method.for_array(&x)?;
    for expected in expected(name) {
        let gradient = valley(&x.get(0)?.to_array()).1;
        let gradient = Array::from_slice(&device, &[DVec3::from_slice(&gradient)])?;
        steps.take(&mut x, &gradient)?;
        let off = (x.get(0)? - DVec3::from_array(expected)).abs().max_element();
        assert!(off <= 1e-13 * 2.0, "{name}: {off}");
    }
    Ok(())
}

#[on_every_device]
fn arrays_take_the_published_steps() -> Result<(), Error> {
    check("sgd-decay", Sgd::new(0.05).weight_decay(0.3))?;
    check("dampened", Sgd::new(0.02).momentum(0.9).dampening(0.4).weight_decay(0.1))?;
    check("nesterov", Sgd::new(0.02).momentum(0.8).nesterov())?;
    check("adam-betas", Adam::new(0.3).betas(0.6, 0.8).epsilon(1e-3))?;
    check("adam-decay", Adam::new(0.1).weight_decay(0.5))?;
    check("adamw-decay", AdamW::new(0.1).weight_decay(2.0))
}

/// Single floats, two dimensions, and elements of several: each entry moves as on the host.
#[on_every_device]
fn every_entry_of_an_array_moves() -> Result<(), Error> {
    let device = device();
    let value = |[i, j]: [usize; 2]| [Vec2::new(i as f32, j as f32), Vec2::new(0.5, -1.0 - i as f32)];
    let mut x = Array::from_fn(&device, (3, 4), value)?;
    let gradient = Array::from_fn(&device, (3, 4), |at| value(at).map(|v| 2.0 * v))?;
    let mut steps = Sgd::new(0.25).for_array(&x)?;
    steps.take(&mut x, &gradient)?;
    for (k, found) in x.to_vec()?.iter().enumerate() {
        assert_eq!(*found, value([k / 4, k % 4]).map(|v| 0.5 * v));
    }
    Ok(())
}

#[on_every_device]
fn what_does_not_fit_is_a_sentence() -> Result<(), Error> {
    let device = device();
    let whole = Array::<i32>::zeros(&device, 3)?;
    let error = Sgd::new(0.1).for_array(&whole).unwrap_err().to_string();
    assert!(error.contains("optimising an array: expected elements that are made of `f32` alone"), "{error}");
    let mut x = Array::<f32>::zeros(&device, 3)?;
    let longer = Array::<f32>::zeros(&device, 4)?;
    let mut steps = Adam::new(0.1).for_array(&x)?;
    let error = steps.take(&mut x, &longer).unwrap_err().to_string();
    assert!(error.contains("a step of its gradient: expected shape [3], found [4]"), "{error}");
    Ok(())
}
