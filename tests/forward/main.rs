//! Tangents of launches, and second derivatives by a tape of tangents.

mod own;

use warp::prelude::*;
use warp::{Tangents, Tape, hvp};
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

#[derive(Struct, Clone, Copy)]
#[repr(C)]
struct Air {
    layers: u32,
    drag: f64,
    wind: DVec2,
}

#[kernel]
fn fall(height: &mut [f64], speed: &mut [f64], dt: f64, air: Air) {
    let i = tid();
    speed[i] += (air.wind.y - air.drag * speed[i]) * dt * air.layers as f64;
    height[i] += speed[i] * dt;
}

/// Along dt and the fields of a struct, against differences of the same steps in plain Rust.
#[on_every_device]
fn scalar_arguments_have_tangents_where_they_are_seeded() -> Result<(), Error> {
    let (air, dt) = (Air { layers: 2, drag: 0.3, wind: DVec2::new(5.0, -9.81) }, 0.05);
    let at = |h: f64| {
        let (mut height, mut speed, dt) = (10.0, 0.5, dt + 0.5 * h);
        for _ in 0..4 {
            speed += (air.wind.y - 3.0 * h - (air.drag + 2.0 * h) * speed) * dt * 2.0;
            height += speed * dt;
        }
        height
    };
    let expected = (8.0 * (at(1e-3) - at(-1e-3)) - (at(2e-3) - at(-2e-3))) / 12e-3;
    let device = device();
    let run = |along: &mut Tangents| -> Result<(f64, f64), Error> {
        let mut height = Array::from_slice(&device, &[10.0])?;
        let mut speed = Array::from_slice(&device, &[0.5])?;
        along.run(|| (0..4).try_for_each(|_| fall::launch(1, &mut height, &mut speed, dt, air)))?;
        Ok((height.get(0)?, along.of(&height)?.get(0)?))
    };
    let mut along = Tangents::new();
    along.seed_value::<fall, f64>("dt", 7.0)?;
    along.seed_value::<fall, _>("dt", 0.5)?;
    along.seed_value::<fall, _>("air", Air { layers: 9, drag: 2.0, wind: DVec2::new(11.0, -3.0) })?;
    for _ in 0..2 {
        let (height, slope) = run(&mut along)?;
        assert!((height - at(0.0)).abs() < 1e-14, "{height}");
        assert!((slope - expected).abs() < 1e-8 * expected.abs(), "{slope} {expected}");
    }
    assert_eq!(run(&mut Tangents::new())?.1, 0.0, "seeds are of the run that has them");
    Ok(())
}

#[kernel]
fn scaled(x: &[f64], by: f16, times: u32, y: &mut [f64]) {
    let i = tid();
    y[i] = x[i] * by.to_f64() * times as f64;
}

#[on_every_device]
fn seeds_of_values_are_of_their_types() -> Result<(), Error> {
    let device = device();
    let (x, mut y) = (Array::from_slice(&device, &[3.0])?, Array::zeros(&device, 1)?);
    let mut along = Tangents::new();
    along.seed_value::<scaled, _>("by", f16::from_f32(0.25))?;
    let message = |seeded: Result<(), Error>| seeded.unwrap_err().to_string();
    let error = message(along.seed_value::<scaled, f64>("by", 1.0));
    assert_eq!(error, "kernel `scaled` has no tangent by `by`: it consists of f16, and the type asked for of f64");
    let error = message(along.seed_value::<scaled, f64>("b", 1.0));
    assert_eq!(error, "kernel `scaled` has no tangent by `b`: it takes no such value; it takes `by`, `times`");
    let error = message(along.seed_value::<scaled, u32>("times", 1));
    assert!(error.contains("`times`: it holds no floats"), "{error}");
    along.run(|| scaled::launch(1, &x, f16::from_f32(2.0), 4, &mut y))?;
    assert_eq!((y.get(0)?, along.of(&y)?.get(0)?), (24.0, 3.0));
    let error = message(along.seed_value::<largest, f64>("x", 1.0));
    assert!(error.starts_with("kernel `largest` has no tangent ("), "{error}");
    Ok(())
}

#[kernel]
fn squares(x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = x[i] * x[i];
}

type Write = fn(&mut Array<f64>) -> Result<(), Error>;

/// Ways for somebody else to set element 1 of three, and whether all elements count as written.
const WRITES: [(Write, bool); 4] = [
    (|x| x.slice_mut(1..2)?.fill(5.0), false),
    (|x| x.set(1, 5.0), false),
    (|x| x.write().map(|mut x| x[1] = 5.0), true),
    (|x| std::thread::scope(|scope| scope.spawn(|| x.slice_mut(1..2)?.fill(5.0)).join().unwrap()), false),
];

/// What is written between two runs, or unseen in one, is a constant: it has no tangent, whoever reads it next.
///
/// On the CPU, as guards are for memory of the host.
#[on_the_cpu]
fn what_is_written_outside_has_no_tangent() -> Result<(), Error> {
    let device = device();
    let array = |values: &[f64]| Array::from_slice(&device, values);
    for (k, (write, all)) in WRITES.into_iter().enumerate() {
        for copied in [false, true] {
            let (mut x, mut y, mut between) = (array(&[2.0, 3.0, 4.0])?, array(&[0.0; 3])?, array(&[0.0; 3])?);
            let mut along = Tangents::new();
            along.seed(&x, &array(&[1.0, 10.0, 100.0])?)?;
            along.run(|| squares::launch(3, &x, &mut y))?;
            assert_eq!(along.of(&y)?.to_vec()?, [4.0, 60.0, 800.0]);
            write(&mut x)?;
            // Tangents are those of what the last run left.
            assert_eq!(along.of(&x)?.to_vec()?, [1.0, 10.0, 100.0]);
            let tape = Tape::record(|| {
                along.run(|| {
                    match copied {
                        true => between.copy_from(&x)?,
                        false => squares::launch(3, &x, &mut between)?,
                    }
                    squares::launch(3, &between, &mut y)
                })
            })?;
            let kept = |k: usize| if all || k == 1 { 0.0 } else { [1.0, 10.0, 100.0][k] };
            let slope = |k: usize, x: f64| if copied { 2.0 * x } else { [32.0, 0.0, 256.0][k] };
            let expected: Vec<f64> = x.to_vec()?.into_iter().enumerate().map(|(k, x)| kept(k) * slope(k, x)).collect();
            assert_eq!(along.of(&y)?.to_vec()?, expected, "write {k}");
            assert_eq!(along.of(&x)?.to_vec()?, [0, 1, 2].map(kept), "write {k}");
            // The tape goes back through the same.
            let ones = array(&[1.0; 3])?;
            tape.backward_with([(&along.of(&y)?, &ones)])?;
            let curvature = |k: usize, x: f64| if copied { 2.0 } else { 12.0 * x * x } * kept(k);
            let expected: Vec<f64> = x.to_vec()?.into_iter().enumerate().map(|(k, x)| curvature(k, x)).collect();
            assert_eq!(tape.grad(&x)?.to_vec()?, expected, "write {k}");
            // What runs write themselves goes on.
            along.run(|| squares::launch(3, &y, &mut between))?;
            let (y, dy) = (y.to_vec()?, along.of(&y)?.to_vec()?);
            let expected: Vec<f64> = y.iter().zip(&dy).map(|(y, dy)| 2.0 * y * dy).collect();
            assert_eq!(along.of(&between)?.to_vec()?, expected, "write {k}");
        }
    }
    Ok(())
}

/// A write by another thread while a run is going on.
#[on_every_device]
fn what_another_thread_writes_during_a_run_has_no_tangent() -> Result<(), Error> {
    let device = device();
    let (x, mut y, mut z) =
        (Array::from_slice(&device, &[2.0, 3.0])?, Array::zeros(&device, 2)?, Array::zeros(&device, 2)?);
    let mut along = Tangents::new();
    along.seed(&x, &Array::from_slice(&device, &[1.0, 10.0])?)?;
    along.run(|| {
        squares::launch(2, &x, &mut y)?;
        std::thread::scope(|scope| scope.spawn(|| y.slice_mut(..1)?.fill(7.0)).join().unwrap())?;
        squares::launch(2, &y, &mut z)
    })?;
    assert_eq!(z.to_vec()?, [49.0, 81.0]);
    // d (x x)^2 = 4 x^3.
    assert_eq!(along.of(&z)?.to_vec()?, [0.0, 4.0 * 27.0 * 10.0]);
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

#[on_every_device]
fn a_seed_has_the_shape_of_its_array() -> Result<(), Error> {
    let device = device();
    let (x, short) = (Array::from_slice(&device, &[2.0, 3.0])?, Array::from_slice(&device, &[1.0])?);
    let said = Tangents::new().seed(&x, &short).unwrap_err().to_string();
    assert_eq!(said, "`Tangents::seed`: expected a direction of shape 2, as the array's, found shape 1");
    Ok(())
}
