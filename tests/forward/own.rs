//! Functions with derivatives of their own: forward mode takes them as gradients do, and not those of the code.

use warp::hvp;

use super::*;

/// A product, which says that its slopes are 3 and 5.
#[func(grad = odd_grad)]
fn odd(x: f64, y: f64) -> f64 {
    x * y
}

#[func]
fn odd_grad(_x: f64, _y: f64, d: f64) -> (f64, f64) {
    (3.0 * d, 5.0 * d)
}

#[kernel]
fn odds(x: &[f64], y: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = 2.0 * odd(x[i], y[i]);
}

fn array(values: &[f64]) -> Array<f64> {
    Array::from_slice(&device(), values).unwrap()
}

#[on_every_device]
fn tangents_are_those_of_the_function_itself() -> Result<(), Error> {
    let (x, y, mut out) = (array(&[7.0, -1.0]), array(&[2.0, 4.0]), array(&[0.0; 2]));
    let mut along = Tangents::new();
    along.seed(&x, &array(&[1.0, 0.0]))?;
    along.seed(&y, &array(&[10.0, 1.0]))?;
    along.run(|| odds::launch(2, &x, &y, &mut out))?;
    assert_eq!(out.to_vec()?, [28.0, -8.0]);
    assert_eq!(along.of(&out)?.to_vec()?, [106.0, 10.0]);
    Ok(())
}

/// A matrix of derivatives without zeros or symmetry, by a loop over an array of its own.
#[func(grad = mixed_grad)]
fn mixed(v: DVec3, weights: &[f64], n: u32) -> (DVec2, f64) {
    (DVec2::new(v.x, v.y * weights[n as usize]), v.z)
}

#[func]
fn mixed_grad(v: DVec3, weights: &[f64], n: u32, d: DVec2, e: f64) -> DVec3 {
    let mut sums = [0.0; 3];
    for k in 0..3 {
        let w = weights[(k + n as usize) % weights.len()];
        sums[k] += w * d.x + v.x * d.y * (k as f64 + 1.0);
        if k != 1 {
            sums[k] += e * v.y;
        }
    }
    DVec3::new(sums[0], sums[1], sums[2])
}

#[kernel]
fn mixes(v: &[DVec3], weights: &[f64], out: &mut [DVec3]) {
    let i = tid();
    let (a, b) = mixed(v[i], weights, i as u32);
    out[i] = DVec3::new(a.x.sin(), a.y, b * b);
}

/// The rows that forward mode finds are the columns of the way back's matrix.
#[on_every_device]
fn both_modes_have_one_matrix_of_derivatives() -> Result<(), Error> {
    let device = device();
    let v = Array::from_slice(&device, &[DVec3::new(0.3, 2.0, -0.7), DVec3::new(1.1, -0.4, 0.2)])?;
    let weights = array(&[0.5, -1.5, 2.5]);
    let mut out = Array::<DVec3>::zeros(&device, 2)?;
    let tape = Tape::record(|| mixes::launch(2, &v, &weights.detach(), &mut out))?;
    let matrix = tape.jacobian(&out, &v)?;
    for column in 0..6 {
        let mut unit = [[0.0; 3]; 2];
        unit[column / 3][column % 3] = 1.0;
        let mut along = Tangents::new();
        along.seed(&v, &Array::from_slice(&device, &unit.map(DVec3::from_array))?)?;
        along.run(|| mixes::launch(2, &v, &weights, &mut out))?;
        let found = along.of(&out)?.to_vec()?;
        for row in 0..6 {
            let (found, expected) = (found[row / 3][row % 3], matrix.get(row, column).unwrap());
            assert!((found - expected).abs() <= 1e-14, "{row} by {column}: {found}, {expected}");
        }
    }
    // By hand: row 1 of the first element is `v.x` times 1, 2 and 3.
    assert_eq!([0, 1, 2].map(|column| matrix.get(1, column).unwrap()), [0.3, 0.6, 0.3 * 3.0]);
    Ok(())
}

/// `x`, which says that its slope is `cos(x)`.
#[func(grad = bent_grad)]
fn bent(x: f64) -> f64 {
    x
}

#[func]
fn bent_grad(x: f64, d: f64) -> f64 {
    d * x.cos()
}

#[kernel]
fn bent_squares(x: &[f64], loss: &mut [f64]) {
    let i = tid();
    let b = bent(x[i]);
    atomic_add(&mut loss[0], b * b);
}

/// The gradient is `2 x cos(x)`, and what of it changes is `x`, again with the slope that it says, and `cos(x)`.
#[on_every_device]
fn second_derivatives_are_those_of_the_derivative() -> Result<(), Error> {
    let points = [0.4f64, -1.3, 2.0];
    let (x, mut loss) = (array(&points), array(&[0.0]));
    let product = hvp(&mut loss, &x, &array(&[1.0; 3]), |loss| bent_squares::launch(3, &x, loss))?;
    for (found, x) in product.to_vec()?.into_iter().zip(points) {
        let expected = 2.0 * x.cos() * x.cos() - 2.0 * x * x.sin();
        assert!((found - expected).abs() <= 1e-14, "{found}, {expected}");
    }
    let (mut along, mut loss) = (Tangents::new(), array(&[0.0]));
    along.seed(&x, &array(&[1.0, 0.0, 0.0]))?;
    let tape = Tape::record(|| along.run(|| bent_squares::launch(3, &x, &mut loss)))?;
    tape.backward(&loss)?;
    let expected = points.map(|x| 2.0 * x * x.cos());
    assert!(tape.grad(&x)?.to_vec()?.iter().zip(expected).all(|(f, e)| (f - e).abs() <= 1e-14));
    assert!((along.of(&loss)?.get(0)? - expected[0]).abs() <= 1e-14);
    Ok(())
}

/// A length, with a derivative that is none at the origin.
#[func(grad = plain_length_grad)]
fn plain_length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

#[func]
fn plain_length_grad(x: f64, y: f64, d: f64) -> (f64, f64) {
    let n = (x * x + y * y).sqrt();
    (x / n * d, y / n * d)
}

#[kernel]
fn lengths(x: &[f64], y: &[f64], out: &mut [f64]) {
    let i = tid();
    out[i] = plain_length(x[i], y[i]);
}

#[on_every_device]
fn what_does_not_change_gives_nothing_where_there_is_no_derivative() -> Result<(), Error> {
    let (x, y, mut out) = (array(&[0.0, 3.0]), array(&[0.0, 4.0]), array(&[0.0; 2]));
    let mut along = Tangents::new();
    along.seed(&x, &array(&[0.0, 1.0]))?;
    along.run(|| lengths::launch(2, &x, &y, &mut out))?;
    assert_eq!(along.of(&out)?.to_vec()?, [0.0, 0.6]);
    Ok(())
}
