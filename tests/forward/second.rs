//! Second derivatives: a tape of tangents, and `hvp`.

use warp::hvp;

use super::*;

#[kernel]
fn valley(x: &[f64], loss: &mut [f64]) {
    let i = tid();
    let a = 1.0 - x[i];
    let b = x[i + 1] - x[i] * x[i];
    atomic_add(&mut loss[0], a * a + 100.0 * b * b);
}

/// Compares with the matrix of second derivatives of `valley` at a point, by hand, times a direction.
fn is_hessian_of_valley_times(found: &[f64], at: &[f64], v: &[f64]) {
    let mut expected = vec![0.0; N];
    for k in 0..N - 1 {
        let mixed = -400.0 * at[k];
        expected[k] += (2.0 + 1200.0 * at[k] * at[k] - 400.0 * at[k + 1]) * v[k] + mixed * v[k + 1];
        expected[k + 1] += mixed * v[k] + 200.0 * v[k + 1];
    }
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{found} {expected}");
    }
}

fn curvature(x: &[f64], v: &[f64]) -> Result<Vec<f64>, Error> {
    let mut program = Program::new(x)?;
    let mut along = Tangents::new();
    along.seed(&program.x, &Array::from_slice(&device(), v)?)?;
    let tape = Tape::record(|| along.run(|| program.run()))?;
    tape.backward(&along.of(&program.loss)?)?;
    tape.grad(&program.x)?.to_vec()
}

#[on_every_device]
fn second_derivatives_are_symmetric_and_those_of_differences() -> Result<(), Error> {
    let (x, u, v) = (numbers(3), numbers(4), numbers(5));
    let (hu, hv) = (curvature(&x, &u)?, curvature(&x, &v)?);
    let (a, b) = (dot(&v, &hu), dot(&u, &hv));
    assert!((a - b).abs() <= 1e-12 * a.abs() && a != 0.0, "{a} {b}");
    let gradient = |h: f64| {
        let moved: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + h * v).collect();
        let mut program = Program::new(&moved)?;
        let tape = Tape::record(|| program.run())?;
        tape.backward(&program.loss)?;
        tape.grad(&program.x)?.to_vec()
    };
    let h = 1e-5;
    for (k, (more, less)) in gradient(h)?.iter().zip(gradient(-h)?).enumerate() {
        let difference = (more - less) / (2.0 * h);
        assert!((hv[k] - difference).abs() < 1e-6 * difference.abs().max(1.0), "{k}: {} {difference}", hv[k]);
    }
    Ok(())
}

#[on_every_device]
fn rosenbrocks_second_derivatives_in_closed_form() -> Result<(), Error> {
    let device = device();
    let (at, v) = (numbers(6), numbers(7));
    let x = Array::from_slice(&device, &at)?;
    let mut loss = Array::zeros(&device, 1)?;
    let mut along = Tangents::new();
    along.seed(&x, &Array::from_slice(&device, &v)?)?;
    let tape = Tape::record(|| along.run(|| valley::launch(N - 1, &x, &mut loss)))?;
    tape.backward(&along.of(&loss)?)?;
    let found = tape.grad(&x)?.to_vec()?;
    is_hessian_of_valley_times(&found, &at, &v);
    // The other half of the tape: the loss itself still has its gradient.
    tape.backward(&loss)?;
    let slope = dot(&tape.grad(&x)?.to_vec()?, &v);
    assert!((slope - along.of(&loss)?.get(0)?).abs() <= 1e-12 * slope.abs());
    Ok(())
}

/// The loss x . A x / 2 with its row of A for each thread.
#[kernel]
fn quadratic(a: View2<f64>, x: &[f64], loss: &mut [f64]) {
    let i = tid();
    let mut row = 0.0;
    for j in 0..x.len() {
        row += a[(i, j)] * x[j];
    }
    atomic_add(&mut loss[0], 0.5 * x[i] * row);
}

/// Its second derivatives are the mean of A and of A turned over, wherever x is.
#[on_every_device]
fn the_hessian_of_a_quadratic_is_its_matrix() -> Result<(), Error> {
    let device = device();
    let entry = |i: usize, j: usize| ((i * 31 + j * 17) % 13) as f64 / 13.0 - 0.5;
    let a = Array::from_fn(&device, (N, N), |[i, j]| entry(i, j))?;
    let (at, v) = (numbers(8), numbers(9));
    let (x, direction) = (Array::from_slice(&device, &at)?, Array::from_slice(&device, &v)?);
    let mut loss = Array::zeros(&device, 1)?;
    let found = hvp(&mut loss, &x, &direction, |loss| quadratic::launch(N, &a, &x, loss))?.to_vec()?;
    for (i, found) in found.iter().enumerate() {
        let expected: f64 = (0..N).map(|j| 0.5 * (entry(i, j) + entry(j, i)) * v[j]).sum();
        assert!((found - expected).abs() < 1e-14, "{i}: {found} {expected}");
    }
    let expected: f64 =
        (0..N).flat_map(|i| (0..N).map(move |j| (i, j))).map(|(i, j)| at[i] * entry(i, j) * at[j]).sum();
    assert!((loss.get(0)? - 0.5 * expected).abs() < 1e-14, "the loss holds what the launches wrote");
    // A part of an array has the products of the part.
    let (part, other) = (x.slice(2..5)?, direction.slice(2..5)?);
    let found = hvp(&mut loss, &part, &other, |loss| quadratic::launch(N, &a, &x, loss))?.to_vec()?;
    assert_eq!(found.len(), 3);
    for (i, found) in (2..5).zip(found) {
        let expected: f64 = (2..5).map(|j| 0.5 * (entry(i, j) + entry(j, i)) * v[j]).sum();
        assert!((found - expected).abs() < 1e-14, "{i}: {found} {expected}");
    }
    Ok(())
}

#[on_every_device]
fn products_with_rosenbrocks_hessian_in_closed_form() -> Result<(), Error> {
    let device = device();
    let (at, v) = (numbers(10), numbers(11));
    let (x, direction) = (Array::from_slice(&device, &at)?, Array::from_slice(&device, &v)?);
    let mut loss = Array::zeros(&device, 1)?;
    let found = hvp(&mut loss, &x, &direction, |loss| valley::launch(N - 1, &x, loss))?.to_vec()?;
    is_hessian_of_valley_times(&found, &at, &v);
    Ok(())
}

/// Multiplies by itself as often as the data says: x to the power of 2^n.
#[kernel]
fn squared_often(x: &[f32], times: &[u32], loss: &mut [f64]) {
    let i = tid();
    let mut v = x[i] as f64;
    for _ in 0..times[i] {
        v *= v;
    }
    atomic_add(&mut loss[0], v);
}

#[kernel]
fn sum_of(x: &[f32], loss: &mut [f64]) {
    atomic_add(&mut loss[0], x[tid()] as f64);
}

#[on_every_device]
fn second_derivatives_go_through_loops() -> Result<(), Error> {
    let device = device();
    let (at, v) = ([1.25f32, -0.5, 0.75, 1.5], [1.0f32, -2.0, 0.5, 3.0]);
    let x = Array::from_slice(&device, &at)?;
    let direction = Array::from_slice(&device, &v)?;
    let times = Array::from_slice(&device, &[2u32, 3, 0, 1])?;
    let mut loss = Array::zeros(&device, 1)?;
    let found = hvp(&mut loss, &x, &direction, |loss| squared_often::launch(4, &x, &times, loss))?.to_vec()?;
    for (k, (found, power)) in found.iter().zip([4, 8, 1, 2]).enumerate() {
        let expected = f64::from(power * (power - 1)) * f64::from(at[k]).powi((power - 2).max(0)) * f64::from(v[k]);
        assert!((f64::from(*found) - expected).abs() <= 1e-6 * expected.abs(), "{k}: {found} {expected}");
    }
    // What is linear has none.
    let found = hvp(&mut loss, &x, &direction, |loss| sum_of::launch(4, &x, loss))?;
    assert_eq!(found.to_vec()?, [0.0; 4]);
    Ok(())
}

#[on_every_device]
fn what_has_no_hessian_is_a_sentence() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[1.0f64, 2.0])?;
    let mut loss = Array::zeros(&device, 1)?;
    let none = |_: &mut Array<f64>| -> Result<(), Error> { panic!("nothing runs") };
    let error = hvp(&mut Array::zeros(&device, 2)?, &x, &x, none).unwrap_err().to_string();
    assert!(error.starts_with("`hvp` takes the second derivatives of one float, the loss"), "{error}");
    assert!(error.contains("this array has 2 elements"), "{error}");
    let short = Array::zeros(&device, 1)?;
    let error = hvp(&mut loss, &x, &short, none).unwrap_err().to_string();
    assert!(error.contains("`hvp`") && error.contains("a direction of shape 2, as the array's"), "{error}");
    let integers = Array::<i32>::zeros(&device, 2)?;
    let error = hvp(&mut loss, &integers, &integers, none).unwrap_err().to_string();
    assert!(error.starts_with("`hvp`: the elements of this array hold no floats"), "{error}");
    let error = hvp(&mut loss, &x, &x, |_| Ok(())).unwrap_err().to_string();
    assert!(
        error.starts_with("the loss is not on this tape: no launch, copy or write that it recorded used it"),
        "{error}"
    );
    let error = hvp(&mut loss, &x, &x, |most| largest::launch(2, &x, most)).unwrap_err().to_string();
    assert!(error.starts_with("kernel `largest` has no tangent ("), "{error}");
    let error = Tangents::new().run(|| hvp(&mut loss, &x, &x, |_| Ok(()))).unwrap_err().to_string();
    assert!(error.contains("`Tangents::run` inside `Tangents::run`"), "{error}");
    Ok(())
}

#[kernel]
fn detached_squares(x: &[f64], loss: &mut [f64]) {
    let i = tid();
    atomic_add(&mut loss[0], x[i] * detach(x[i]));
}

/// x times itself as a constant is a line: its second derivative is zero, and its gradient that of the tape alone.
#[on_every_device]
fn detached_values_stay_constants_in_second_derivatives() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[2.0, 3.0])?;
    let mut loss = Array::zeros(&device, 1)?;
    let mut along = Tangents::new();
    let direction = Array::from_slice(&device, &[1.0, 0.0])?;
    along.seed(&x, &direction)?;
    let tape = Tape::record(|| along.run(|| detached_squares::launch(2, &x, &mut loss)))?;
    assert_eq!(along.of(&loss)?.to_vec()?, [2.0]);
    tape.backward(&loss)?;
    assert_eq!(tape.grad(&x)?.to_vec()?, [2.0, 3.0]);
    tape.backward(&along.of(&loss)?)?;
    assert_eq!(tape.grad(&x)?.to_vec()?, [0.0, 0.0]);
    Ok(())
}
