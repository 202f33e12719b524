//! Tangents of launches, and second derivatives by a tape of tangents.

mod own;
mod second;
mod seeds;
mod writes;

use warp::prelude::*;
use warp::{Tangents, Tape};
use warp_test_devices::{device, on_every_device, on_the_cpu};

/// Neighbours meet, in place and over a loop whose length the data decides.
#[kernel]
fn mix(x: &[f64], y: &mut [f64], turns: &[i32]) {
    let i = tid();
    let mut v = x[i] * x[(i + 1) % x.len()];
    let mut k = 0;
    while k < turns[i] {
        v = (v + x[i]).sin() + 0.5 * v;
        k += 1;
    }
    y[i] *= v;
}

#[kernel]
fn sum_of_squares(y: &[f64], loss: &mut [f64]) {
    let i = tid();
    atomic_add(&mut loss[0], y[i] * y[i]);
}

#[kernel]
fn largest(x: &[f64], most: &mut [f64]) {
    atomic_max(&mut most[0], x[tid()]);
}

const N: usize = 7;

/// A program with launches in place, copies and fills: from x and y to y and the loss.
struct Program {
    x: Array<f64>,
    y: Array<f64>,
    kept: Array<f64>,
    loss: Array<f64>,
    turns: Array<i32>,
}

impl Program {
    fn new(x: &[f64]) -> Result<Program, Error> {
        let device = device();
        Ok(Program {
            x: Array::from_slice(&device, x)?,
            y: Array::from_fn(&device, N, |[i]| 1.0 + 0.25 * i as f64)?,
            kept: Array::zeros(&device, N)?,
            loss: Array::full(&device, 1, 3.0)?,
            turns: Array::from_slice(&device, &[3, 0, 1, 9, 2, 4, 1])?,
        })
    }

    fn run(&mut self) -> Result<(), Error> {
        self.loss.fill(0.0)?;
        mix::launch(N, &self.x, &mut self.y, &self.turns)?;
        self.kept.copy_from(&self.y)?;
        mix::launch(N, &self.kept, &mut self.y, &self.turns)?;
        mix::launch(N, &self.x, &mut self.y, &self.turns)?;
        self.y.set(2, 0.5)?;
        sum_of_squares::launch(N, &self.y, &mut self.loss)
    }
}

fn numbers(seed: u64) -> Vec<f64> {
    (0..N as u64).map(|k| ((seed * 37 + k * 61) % 101) as f64 / 101.0 - 0.5).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Tangents of loss and y along directions of x and of y.
fn tangents(x: &[f64], dx: &[f64], dy: &[f64]) -> Result<(f64, f64, Vec<f64>), Error> {
    let mut program = Program::new(x)?;
    let device = device();
    let mut along = Tangents::new();
    along.seed(&program.x, &Array::from_slice(&device, dx)?)?;
    along.seed(&program.y, &Array::from_slice(&device, dy)?)?;
    along.run(|| program.run())?;
    Ok((program.loss.get(0)?, along.of(&program.loss)?.get(0)?, along.of(&program.y)?.to_vec()?))
}

#[on_every_device]
fn tangents_are_those_of_differences() -> Result<(), Error> {
    let (x, dx) = (numbers(1), numbers(2));
    let zeros = vec![0.0; N];
    let (loss, slope, of_y) = tangents(&x, &dx, &zeros)?;
    let at = |h: f64| {
        let moved: Vec<f64> = x.iter().zip(&dx).map(|(x, d)| x + h * d).collect();
        let mut program = Program::new(&moved)?;
        program.run()?;
        Ok::<_, Error>((program.loss.get(0)?, program.y.to_vec()?))
    };
    let mut plain = Program::new(&x)?;
    plain.run()?;
    assert_eq!(loss, plain.loss.get(0)?, "a run with tangents computes what a plain one does");
    let h = 1e-4;
    let (more, less) = (at(h)?, at(-h)?);
    let (twice, half) = (at(2.0 * h)?, at(-2.0 * h)?);
    let difference = |a: f64, b: f64, c: f64, d: f64| (8.0 * (a - b) - (c - d)) / (12.0 * h);
    assert!((slope - difference(more.0, less.0, twice.0, half.0)).abs() < 1e-9 * slope.abs().max(1.0), "{slope}");
    for (k, found) in of_y.iter().enumerate() {
        let expected = difference(more.1[k], less.1[k], twice.1[k], half.1[k]);
        assert!((found - expected).abs() < 1e-9, "{k}: {found} {expected}");
    }
    assert_eq!(of_y[2], 0.0, "what the host wrote does not change");
    Ok(())
}

/// Forward along a direction, and back from the result: the same number.
#[on_every_device]
fn both_modes_agree() -> Result<(), Error> {
    for seed in 0..5 {
        let (x, dx, dy) = (numbers(seed), numbers(seed + 10), numbers(seed + 20));
        let (_, slope, _) = tangents(&x, &dx, &dy)?;
        let mut program = Program::new(&x)?;
        let tape = Tape::record(|| program.run())?;
        tape.backward(&program.loss)?;
        let back = dot(&tape.grad(&program.x)?.to_vec()?, &dx) + dot(&tape.grad(&program.y)?.to_vec()?, &dy);
        assert!((slope - back).abs() <= 1e-13 * back.abs().max(1.0), "{slope} {back}");
    }
    Ok(())
}

#[kernel]
fn turned(x: &[Vec2], y: &mut [f32], angle: f32) {
    let i = tid();
    y[i] = x[i].x * angle.cos() + x[i].y * x[(i + 1) % x.len()].y;
}

/// Rows by going back, against the closed form and against tangents along each axis.
#[on_every_device]
fn jacobians_have_a_row_for_each_result() -> Result<(), Error> {
    let device = device();
    let list = [Vec2::new(0.5, 2.0), Vec2::new(-1.0, 3.0), Vec2::new(4.0, -0.25)];
    let (x, mut y) = (Array::from_slice(&device, &list)?, Array::zeros(&device, 3)?);
    let tape = Tape::record(|| turned::launch(3, &x, &mut y, 0.75))?;
    let found = tape.jacobian(&y, &x)?;
    assert_eq!((found.rows, found.columns), (3, 6));
    for i in 0..3 {
        let next = (i + 1) % 3;
        let mut row = [0.0; 6];
        row[2 * i] = f64::from(0.75f32.cos());
        row[2 * i + 1] = f64::from(list[next].y);
        row[2 * next + 1] = f64::from(list[i].y);
        for (column, expected) in row.iter().enumerate() {
            assert!((found.get(i, column).unwrap() - expected).abs() < 1e-6, "{i} {column}: {found:?}");
        }
    }
    for column in 0..6 {
        let unit = |k: usize| if column == k { 1.0 } else { 0.0 };
        let direction = Array::from_fn(&device, 3, |[i]| Vec2::new(unit(2 * i), unit(2 * i + 1)))?;
        let mut along = Tangents::new();
        along.seed(&x, &direction)?;
        along.run(|| turned::launch(3, &x, &mut y, 0.75))?;
        for (row, tangent) in along.of(&y)?.to_vec()?.iter().enumerate() {
            assert!((found.get(row, column).unwrap() - f64::from(*tangent)).abs() < 1e-6, "{row} {column}");
        }
    }
    // Parts of arrays have the columns of the part.
    let part = tape.jacobian(&*y.slice(1..2)?, &*x.slice(2..)?)?;
    assert_eq!(part.values, [found.get(1, 4).unwrap(), found.get(1, 5).unwrap()]);
    assert_eq!((found.get(3, 0), found.get(0, 6), found.get(usize::MAX, 1)), (None, None, None));
    Ok(())
}

// Guards are for memory of the host.
#[on_the_cpu]
fn what_has_no_tangent_is_a_sentence() -> Result<(), Error> {
    let device = device();
    let (mut x, mut most) = (Array::from_slice(&device, &[1.0f64, 2.0])?, Array::zeros(&device, 1)?);
    let mut along = Tangents::new();
    along.seed(&x, &Array::from_slice(&device, &[1.0, 0.0])?)?;
    let error = along.run(|| largest::launch(2, &x, &mut most)).unwrap_err().to_string();
    assert!(error.starts_with("kernel `largest` has no tangent (") && error.contains("forward/main.rs:"), "{error}");
    let nested = along.run(|| Tangents::new().run(|| Ok(()))).unwrap_err().to_string();
    assert!(nested.contains("`Tangents::run` inside `Tangents::run`"), "{nested}");
    let guard = along.run(|| x.write().map(drop)).unwrap_err().to_string();
    assert!(guard.contains("tangents are computed"), "{guard}");
    let integers = Array::<i32>::zeros(&device, 2)?;
    let error = along.seed(&integers, &integers).unwrap_err().to_string();
    assert!(error.contains("`seed`: the elements of this array hold no floats"), "{error}");
    // Afterwards launches are plain ones again.
    largest::launch(2, &x, &mut most)?;
    assert_eq!(most.get(0)?, 2.0);
    Ok(())
}

#[kernel]
fn logistic(x: &[f32], a: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = 1.0 / (1.0 + a[i] * (-x[i]).exp());
}

/// What does not change makes no NaN of what is infinite on the way.
#[on_every_device]
fn infinite_values_that_end_finite_have_finite_tangents() -> Result<(), Error> {
    let device = device();
    let (x, a) = (Array::from_slice(&device, &[-100.0f32, 0.0])?, Array::from_slice(&device, &[2.0f32, 1.0])?);
    let mut y = Array::<f32>::zeros(&device, 2)?;
    let mut along = Tangents::new();
    along.seed(&x, &Array::from_slice(&device, &[0.0, 1.0])?)?;
    along.run(|| logistic::launch(2, &x, &a, &mut y))?;
    assert_eq!(along.of(&y)?.to_vec()?, [0.0, 0.25]);
    Ok(())
}

#[kernel]
fn filled(x: &[f64], level: &mut [f64], y: &mut [f64]) {
    let i = tid();
    let before = atomic_add(&mut level[i], x[i]);
    let known = detach(before);
    y[i] = if before > 1.0 { x[i] * x[i] } else { known * x[i] };
}

/// What an atomic returns may decide, and count as a constant.
#[on_every_device]
fn old_values_that_are_detached_or_compared() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[3.0, 5.0])?;
    let (mut level, mut y) = (Array::from_slice(&device, &[2.0, 0.5])?, Array::zeros(&device, 2)?);
    let mut along = Tangents::new();
    along.seed(&x, &Array::from_slice(&device, &[1.0, 10.0])?)?;
    along.run(|| filled::launch(2, &x, &mut level, &mut y))?;
    assert_eq!(along.of(&y)?.to_vec()?, [6.0, 5.0]);
    assert_eq!(along.of(&level)?.to_vec()?, [1.0, 10.0]);
    Ok(())
}
