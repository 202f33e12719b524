//! Values that a kernel leaves infinite, and whose gradient is zero: it stays zero on the way to what they were made of.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

#[kernel]
fn growth(x: &[f32], a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * x[i].exp();
}

/// What is finite.
#[kernel]
fn keep(from: &[f32], out: &mut [f32]) {
    let i = tid();
    if from[i] < 1e30 {
        out[i] = from[i];
    }
}

/// `e^100` is too large for an `f32`.
const X: [f32; 3] = [0.0, 100.0, -1.0];

const A: [f32; 3] = [2.0, 3.0, 4.0];

#[track_caller]
fn close(found: &[f32], expected: &[f32]) {
    let near = |(f, e): (&f32, &f32)| (f - e).abs() <= 1e-6 * e.abs();
    assert!(found.len() == expected.len() && found.iter().zip(expected).all(near), "{found:?}, not {expected:?}");
}

fn gradient<const R: usize>(of: &Array<f32, R>) -> Vec<f32> {
    of.grad().unwrap().to_vec().unwrap()
}

/// The sum of what `growth` leaves finite.
fn kept(x: &Array<f32>, a: &Array<f32>) -> Result<Array<f32>, warp::Error> {
    let [mut grown, mut kept] = [array(&[0.0; 3]), array(&[0.0; 3])];
    growth::launch(3, x, a, &mut grown)?;
    keep::launch(3, &grown, &mut kept)?;
    total(&kept)
}

#[on_every_device]
fn what_a_later_kernel_masks_has_no_part() {
    for checkpointed in [false, true] {
        let (x, a) = (array(&X), array(&A));
        let (loss, tape) = record(checkpointed, || kept(&x, &a));
        assert_eq!(loss.get(0).unwrap(), 2.0 + 4.0 / std::f32::consts::E);
        for _ in 0..2 {
            tape.backward(&loss).unwrap();
            close(&gradient(&a), &[1.0, 0.0, (-1f32).exp()]);
            close(&gradient(&x), &[2.0, 0.0, 4.0 * (-1f32).exp()]);
        }
        let by_row = tape.jacobian(&loss, &a).unwrap();
        close(&by_row.values.iter().map(|&v| v as f32).collect::<Vec<_>>(), &[1.0, 0.0, (-1f32).exp()]);
    }
}

/// Both arguments have the same gradient, to which threads add atomically.
#[on_every_device]
fn gradients_that_overlap_are_guarded_too() {
    let x = array(&X);
    let (loss, tape) = record(false, || kept(&x, &x));
    tape.backward(&loss).unwrap();
    close(&gradient(&x), &[1.0, 0.0, 0.0]);
}

#[kernel]
fn two(x: &[f32], small: &mut [f32], large: &mut [f32]) {
    let i = tid();
    small[i] = 3.0 * x[i];
    large[i] = x[i] * 1e38 * x[i];
}

#[on_every_device]
fn an_output_that_nothing_uses_has_no_part() {
    let (x, mut small, mut large) = (array(&[5.0, 7.0]), array(&[0.0; 2]), array(&[0.0; 2]));
    gradient_of_sum(|| {
        two::launch(2, &x, &mut small, &mut large)?;
        small.try_clone()
    });
    assert_eq!(large.to_vec().unwrap(), [f32::INFINITY; 2]);
    assert_eq!(gradient(&x), [3.0, 3.0]);
}

#[kernel]
fn first_of(from: &[Vec2], out: &mut [f32]) {
    let i = tid();
    out[i] = from[i].x;
}

#[kernel]
fn scaled_vectors(x: &[f32], a: &[Vec2], out: &mut [Vec2]) {
    let i = tid();
    out[i] = Vec2::new(a[i].x, a[i].y * x[i].exp());
}

#[kernel]
fn scaled_planes(x: &[f32], a: &Soa<Vec2>, out: &mut [Vec2]) {
    let i = tid();
    out[i] = Vec2::new(a[i].x, a[i].y * x[i].exp());
}

/// One component of an element is infinite, and the other one is used; the gradient lies in elements, and in planes.
#[on_every_device]
fn a_component_that_nothing_uses_has_no_part() {
    let device = device();
    let (x, vectors) = (array(&X), [Vec2::new(1.0, 2.0); 3]);
    let a = Array::from_slice(&device, &vectors).unwrap();
    let planes = SoaArray::from_slice(&device, &vectors).unwrap();
    for of_planes in [false, true] {
        gradient_of_sum(|| {
            let (mut scaled, mut out) = (Array::<Vec2>::zeros(&device, 3)?, array(&[0.0; 3]));
            match of_planes {
                true => scaled_planes::launch(3, &x.detach(), &planes, &mut scaled)?,
                false => scaled_vectors::launch(3, &x.detach(), &a, &mut scaled)?,
            }
            first_of::launch(3, &scaled, &mut out)?;
            Ok(out)
        });
    }
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [Vec2::X; 3]);
    assert_eq!(planes.grad().unwrap().to_vec().unwrap(), [Vec2::X; 3]);
}

#[kernel]
fn growth_of_halves(x: &[f32], a: &[f16], out: &mut [f32]) {
    let i = tid();
    out[i] = f32::from(a[i]) * x[i].exp();
}

#[kernel]
fn growth_of_doubles(x: &[f32], a: View2<f64>, out: &mut [f32]) {
    let i = tid();
    out[i] = a[(i, 0)] as f32 * x[i].exp();
}

/// Only `a` has a gradient, so that a NaN has to be seen in that one.
#[on_every_device]
fn floats_of_every_width_are_looked_through() {
    let device = device();
    let x = array(&X);
    let halves = Array::from_slice(&device, &[f16::ONE; 3]).unwrap();
    let doubles = Array::from_shaped(&device, (2, 3), &[1.0f64; 6]).unwrap();
    let columns = doubles.transpose().unwrap();
    let masked = |grown: Array<f32>| -> Result<Array<f32>, warp::Error> {
        let mut kept = array(&[0.0; 3]);
        keep::launch(3, &grown, &mut kept)?;
        Ok(kept)
    };
    gradient_of_sum(|| {
        let mut grown = array(&[0.0; 3]);
        growth_of_halves::launch(3, &x.detach(), &halves, &mut grown)?;
        masked(grown)
    });
    gradient_of_sum(|| {
        let mut grown = array(&[0.0; 3]);
        growth_of_doubles::launch(3, &x.detach(), &columns, &mut grown)?;
        masked(grown)
    });
    let found: Vec<f32> = halves.grad().unwrap().to_vec().unwrap().iter().map(|h| h.to_f32()).collect();
    assert!((found[2] - (-1f32).exp()).abs() < 1e-3 && found[..2] == [1.0, 0.0], "{found:?}");
    let found = doubles.grad().unwrap().to_vec().unwrap();
    close(&found.iter().map(|&d| d as f32).collect::<Vec<_>>(), &[1.0, 0.0, (-1f32).exp(), 0.0, 0.0, 0.0]);
}

#[kernel(grad(k))]
fn scaled_growth(x: &[f32], k: f32, out: &mut [f32]) {
    let i = tid();
    out[i] = k * x[i].exp();
}

#[on_every_device]
fn a_parameter_has_the_sum_of_what_is_used() {
    let x = array(&X);
    let (_, tape) = gradient_of_sum(|| {
        let [mut grown, mut kept] = [array(&[0.0; 3]), array(&[0.0; 3])];
        scaled_growth::launch(3, &x.detach(), 2.0, &mut grown)?;
        keep::launch(3, &grown, &mut kept)?;
        Ok(kept)
    });
    close(&tape.value_grads::<scaled_growth, f32>("k").unwrap(), &[1.0 + (-1f32).exp()]);
}

/// Takes for nothing what is no number.
#[func(grad = clean_grad)]
fn clean(x: f32) -> f32 {
    x
}

#[func]
fn clean_grad(_x: f32, d: f32) -> f32 {
    if d.abs() < 1e9 { d } else { 0.0 }
}

#[kernel]
fn cleaned(x: &[f32], large: &[f32], used: &mut [f32], unused: &mut [f32]) {
    let i = tid();
    let c = clean(x[i]);
    used[i] = 3.0 * c;
    unused[i] = c * large[i].exp();
}

/// A derivative of the user's own may make a number of a NaN, and never gets one that a guard would have kept out.
#[on_every_device]
fn derivatives_of_ones_own_get_no_nan_of_ours() {
    let (x, large) = (array(&[1.0, 2.0]), array(&[0.0, 100.0]));
    let [mut used, mut unused] = [array(&[0.0; 2]), array(&[0.0; 2])];
    gradient_of_sum(|| {
        cleaned::launch(2, &x, &large.detach(), &mut used, &mut unused)?;
        used.try_clone()
    });
    assert_eq!(gradient(&x), [3.0, 3.0]);
}

/// A derivative that is found in steps, and asserts that it is small.
#[func(grad = patient_grad)]
fn patient(x: f32) -> f32 {
    x
}

#[func]
fn patient_grad(_x: f32, d: f32) -> f32 {
    assert!(d.abs() < 1e6);
    let mut rest = d;
    let mut found = 0.0;
    loop {
        if rest.abs() <= 1e-6 * d.abs() {
            break;
        }
        found += rest * 0.5;
        rest *= 0.5;
    }
    found
}

#[kernel]
fn patiently(x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = patient(x[i]);
}

/// With a NaN for an adjoint, which only an unguarded product made, its derivative would fault, or never end.
#[on_every_device]
fn derivatives_in_steps_do_not_wait_for_a_nan() {
    let (x, a) = (array(&X), array(&A));
    let mut y = array(&[0.0; 3]);
    let (loss, tape) = record(false, || {
        patiently::launch(3, &a, &mut y)?;
        kept(&x, &y)
    });
    tape.backward(&loss).unwrap();
    close(&gradient(&a), &[1.0 - 9.5e-7, 0.0, (-1f32).exp() * (1.0 - 9.5e-7)]);
}

/// As `clean`, on the host; counts how often its way back runs.
fn clean_on_host(x: &Array<f32>, y: &mut Array<f32>, calls: &Arc<AtomicUsize>) -> Result<(), warp::Error> {
    let calls = calls.clone();
    warp::record_fn(
        "clean",
        (x,),
        (y,),
        |(x,), (y,)| y.copy_from(x),
        move |back| {
            calls.fetch_add(1, Ordering::Relaxed);
            let d = back.output_gradients.0.to_vec()?;
            let d: Vec<f32> = d.into_iter().map(|d| if d.is_nan() { 0.0 } else { d }).collect();
            back.input_gradients.0.copy_from_slice(&d)
        },
    )
}

#[on_every_device]
fn functions_of_the_host_get_no_nan_of_ours() {
    for (large, checkpointed) in [(0.0, false), (100.0, false), (100.0, true)] {
        let calls = Arc::new(AtomicUsize::new(0));
        let (x, large) = (array(&[1.0, 2.0]), array(&[0.0, large]));
        let (loss, tape) = record(checkpointed, || {
            let [mut y, mut used, mut unused] = [array(&[0.0; 2]), array(&[0.0; 2]), array(&[0.0; 2])];
            clean_on_host(&x, &mut y, &calls)?;
            cleaned::launch(2, &y, &large.detach(), &mut used, &mut unused)?;
            total(&used)
        });
        tape.backward(&loss).unwrap();
        assert_eq!(gradient(&x), [3.0, 3.0]);
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }
}

/// What is no number by itself stays none, also where all is guarded.
#[on_every_device]
fn a_gradient_that_is_no_number_stays_so() {
    let (x, a, mut out) = (array(&[0.0, 1.0]), array(&[1.0, 1.0]), array(&[0.0; 2]));
    let tape = Tape::record(|| growth::launch(2, &x, &a, &mut out)).unwrap();
    tape.backward_with([(&out, &array(&[f32::NAN, 1.0]))]).unwrap();
    let found = gradient(&a);
    assert!(found[0].is_nan());
    close(&found[1..], &[1f32.exp()]);
}

/// Second derivatives go the same way: by `x` twice, `a e^x` where it is used.
#[on_every_device]
fn second_derivatives_are_guarded() {
    let (x, a, mut loss) = (array(&X), array(&A), array(&[0.0]));
    let product = warp::hvp(&mut loss, &x, &array(&[1.0; 3]), |loss| loss.copy_from(&kept(&x, &a)?)).unwrap();
    close(&product.to_vec().unwrap(), &[2.0, 0.0, 4.0 * (-1f32).exp()]);
}
