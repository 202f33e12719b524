//! `grad_check` runs kernels as plain Rust too, and finds where that gives something else.

use warp::__private::{Arguments, Definition, LateKernel, Launcher, Options, Plain, Spec};
use warp::Fault;
use warp::grad_check;
use warp::grad_check::Unlike;
use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

#[derive(Struct, Clone, Copy)]
#[repr(u8)]
enum Side {
    Left = 2,
    Right = 5,
}

#[derive(Struct, Clone, Copy)]
#[repr(C)]
struct Ball {
    heavy: bool,
    place: Vec3,
    mass: f64,
}

#[derive(Args)]
struct Balls<'a> {
    balls: &'a [Ball],
    planes: &'a mut Soa<Ball>,
    side: Side,
    more: More<'a>,
}

#[derive(Args)]
struct More<'a> {
    grid: View2<'a, f32>,
    out: ViewMut3<'a, f32>,
}

/// Each kind of argument, each in several places of the row.
#[kernel]
fn everything(
    by: f32,
    balls: Balls,
    kinds: &[Side],
    weights: [f64; 3],
    planes: &Soa<Vec3>,
    sums: &mut [Vec3],
    half: f16,
    ball: Ball,
) {
    let i = tid();
    let j = i % 2;
    let at = match kinds[i] {
        Side::Left => 0,
        Side::Right => 1,
    };
    let heavy = if balls.balls[at].heavy { 2.0 } else { 0.5 };
    let mut own = balls.planes[i];
    own.mass += weights[at] * balls.balls[at].mass;
    own.heavy = !own.heavy;
    balls.planes[i] = own;
    sums[i] += planes[i] * by + ball.place * half.to_f32();
    let side = match balls.side {
        Side::Left => -1.0,
        Side::Right => 1.0,
    };
    let mut out = balls.more.out;
    out[(j, i, 0)] += side * heavy * balls.more.grid[(i, j)] * balls.balls[at].place.x;
}

/// Strided views, planes, structs, enums, bundles and values arrive in the plain function as a launch takes them.
#[on_every_device]
fn each_kind_of_argument_reaches_the_plain_function() -> Result<(), Error> {
    let device = device();
    let ball = |k: usize| Ball { heavy: k.is_multiple_of(2), place: Vec3::splat(k as f32 + 0.5), mass: k as f64 };
    let balls = Array::from_fn(&device, 2, |[k]| ball(k))?;
    let mut planes = SoaArray::from_slice(&device, &[ball(0), ball(1), ball(2)])?;
    let grid = Array::from_fn(&device, [3, 3], |[i, j]| (3 * i + j) as f32 * 0.25)?;
    let mut out = Array::<f32, 3>::zeros(&device, [2, 3, 1])?;
    let kinds = Array::from_slice(&device, &[Side::Right, Side::Left, Side::Right])?;
    let places = SoaArray::from_slice(&device, &[Vec3::X, Vec3::Y, Vec3::ONE])?;
    let mut sums = Array::full(&device, 3, Vec3::splat(0.125))?;
    // Its columns as rows, from the second on.
    let columns = grid.slice(1..)?;
    let part = columns.transpose()?;
    let report = grad_check(|| {
        for side in [Side::Left, Side::Right] {
            let more = MoreArrays { grid: &part, out: &mut out };
            let bundle = BallsArrays { balls: &balls, planes: &mut planes, side, more };
            let weights = [0.5, 2.0, 0.0];
            everything::launch(3, 1.5, bundle, &kinds, weights, &places, &mut sums, f16::from_f32(0.5), ball(3))?;
        }
        Ok(())
    })?;
    assert!(report.passes(), "{report}");
    assert_eq!((report.without_plain.as_ref(), report.plain < 1e-6), (None, true), "{report}");
    Ok(())
}

#[kernel(T = [f32, f64])]
fn squares<T: warp::Float>(x: &[T], y: &mut [T]) {
    let i = tid();
    y[i] = x[i] * x[i];
}

#[on_every_device]
fn instances_of_generic_kernels_have_functions_of_their_own() -> Result<(), Error> {
    let device = device();
    let (x, mut y) = (Array::from_slice(&device, &[1.0f32, 2.5])?, Array::zeros(&device, 2)?);
    let (a, mut b) = (Array::from_slice(&device, &[-1.5f64])?, Array::zeros(&device, 1)?);
    let report = grad_check(|| {
        squares::launch(2, &x, &mut y)?;
        squares::launch(1, &a, &mut b)
    })?;
    assert!(report.passes() && report.without_plain.is_none() && report.worst_plain.is_none(), "{report}");
    Ok(())
}

#[kernel]
fn below(x: &[f32], c: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = (x[i] * x[i] - c[i]).floor() + 0.25 * x[i];
}

/// Kernels multiply and subtract in one rounding, and Rust in two. Where the square is a little below `c`, that is the
/// difference between -1 and 0; the run in double precision is on the kernel's side.
#[on_every_device]
fn a_result_that_the_plain_function_does_not_give_is_named() -> Result<(), Error> {
    let x = (1..4000).map(|k| 1.0 + k as f32 / 8191.0).find(|&x| f64::from(x * x) > f64::from(x) * f64::from(x));
    let x = x.expect("half of all squares are rounded up");
    let device = device();
    let (x, c) = (Array::from_slice(&device, &[x])?, Array::from_slice(&device, &[x * x])?);
    let mut y = Array::zeros(&device, 1)?;
    let report = grad_check(|| below::launch(1, &x, &c.detach(), &mut y))?;
    let worst = report.worst_plain.as_ref().expect("results differ");
    assert!((worst.again - worst.launched - 1.0).abs() < 1e-6, "{report}");
    assert!(!report.passes() && report.primal < 1e-6, "{report}");
    let words = report.to_string();
    assert!(words.starts_with("gradients are right, and results are WRONG"), "{words}");
    assert!(
        words.contains("those of the plain functions differ most at `y[0]` (`below`): launches wrote -"),
        "{words}"
    );
    Ok(())
}

#[kernel]
fn doubled(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = 2.0 * x[i];
}

/// The kernel `doubled`, with another function beside it.
fn with(plain: Option<Plain>) -> &'static Definition {
    with_code(doubled::__WARP_KERNEL, plain)
}

fn with_code(late: LateKernel, plain: Option<Plain>) -> &'static Definition {
    let spec = Spec {
        name: "doubled",
        module: module_path!(),
        file: file!(),
        line: line!(),
        ir: late.ir,
        adjoint: late.adjoint,
        slots: late.slots,
        arrays: late.arrays,
        plain,
    };
    // SAFETY: it is launched with the arguments that the code has, and so are the functions.
    Box::leak(Box::new(unsafe { Definition::new(spec) }))
}

fn launch(kernel: &'static Definition, x: &Array<f32>, y: &mut Array<f32>) -> Result<(), Error> {
    let options = Options::new();
    // SAFETY: `x` and `y` are the arguments of `doubled`.
    let mut launcher = unsafe { Launcher::new(kernel, &options) };
    launcher.array(x);
    launcher.array_mut(y);
    launcher.run([x.len()])
}

/// A function that writes one number too large, at the last thread.
fn wrong(arguments: &mut Arguments<'_>) -> Result<(), Box<Fault>> {
    // SAFETY: they are those of a launch of `doubled`.
    let (x, y) = unsafe { (arguments.slice::<f32>(), arguments.slice_mut::<f32>()) };
    doubled::plain(arguments.dims::<1>(), x, &mut *y)?;
    y[x.len() - 1] += 0.5;
    Ok(())
}

/// A function that reads past the end.
fn faulty(arguments: &mut Arguments<'_>) -> Result<(), Box<Fault>> {
    // SAFETY: as above.
    let (x, y) = unsafe { (arguments.slice::<f32>(), arguments.slice_mut::<f32>()) };
    doubled::plain(arguments.dims::<1>(), &x[1..], y)
}

#[on_every_device]
fn another_function_than_the_kernel_is_found() -> Result<(), Error> {
    let device = device();
    let (x, mut y) = (Array::from_slice(&device, &[1.0f32, 2.0, 3.0])?, Array::zeros(&device, 3)?);
    let report = grad_check(|| launch(with(Some(wrong)), &x, &mut y))?;
    let worst = report.worst_plain.as_ref().expect("one number differs");
    let found = (worst.index, worst.launched, worst.again, worst.kernel.as_str(), worst.array.as_str());
    assert_eq!((found, report.passes()), ((2, 6.0, 6.5, "doubled", "y"), false), "{report}");

    let report = grad_check(|| launch(with(Some(faulty)), &x, &mut y))?;
    let words = report.to_string();
    assert!(!report.passes() && words.contains("plain functions: one faults where its launch did not: "), "{words}");
    assert!(words.contains("index out of bounds: the len is 2 but the index is 2"), "{words}");

    let report = grad_check(|| launch(with(None), &x, &mut y))?;
    assert_eq!(report.without_plain, Some(Unlike::NoFunction { kernel: "doubled".into() }));
    assert!(report.passes(), "{report}");
    Ok(())
}

#[kernel]
fn append(x: &[f32], count: &mut [u32], y: &mut [f32]) {
    let i = tid();
    let at = atomic_add(&mut count[0], 1);
    y[at as usize] = x[i] * x[i];
}

/// Which place each thread gets is another matter in each run.
#[on_every_device]
fn results_that_depend_on_the_order_of_threads_are_not_compared_and_the_report_says_so() -> Result<(), Error> {
    let device = device();
    let x = Array::from_slice(&device, &[1.0f32, 2.0, 3.0])?;
    let (mut count, mut y) = (Array::zeros(&device, 1)?, Array::zeros(&device, 3)?);
    let report = grad_check(|| append::on(&device).threads(1).launch(3, &x, &mut count, &mut y))?;
    assert_eq!(report.without_plain, Some(Unlike::Order { kernel: "append".into() }), "{report}");
    let words = "were not compared with those of the plain functions: what kernel `append` gives depends on the order of its threads, by atomics";
    assert!(report.passes() && report.to_string().contains(words), "{report}");
    Ok(())
}

#[kernel]
fn places(x: &[f32], y: &mut [f32], at: &mut [u64]) {
    let i = tid();
    y[i] = x[i] * 3.0;
    at[i] = u64::MAX - i as u64;
}

fn wrong_places(arguments: &mut Arguments<'_>) -> Result<(), Box<Fault>> {
    // SAFETY: they are those of a launch of `places`.
    let (x, y, at) = unsafe { (arguments.slice(), arguments.slice_mut(), arguments.slice_mut::<u64>()) };
    places::plain(arguments.dims::<1>(), x, y, &mut *at)?;
    at[1] -= 1;
    Ok(())
}

/// What is no float has to be the same to the bit, though as floats both numbers are one.
#[on_every_device]
fn integers_are_compared_to_the_bit() -> Result<(), Error> {
    let device = device();
    let (x, mut y) = (Array::from_slice(&device, &[1.0f32, 2.0])?, Array::zeros(&device, 2)?);
    let mut at = Array::zeros(&device, 2)?;
    let report = grad_check(|| places::launch(2, &x, &mut y, &mut at))?;
    assert!(report.passes() && report.worst_plain.is_none(), "{report}");

    let late = places::__WARP_KERNEL;
    let report = grad_check(|| {
        let kernel = with_code(late, Some(wrong_places));
        let options = Options::new();
        // SAFETY: they are the arguments of `places`.
        let mut launcher = unsafe { Launcher::new(kernel, &options) };
        launcher.array(&x);
        launcher.array_mut(&mut y);
        launcher.array_mut(&mut at);
        launcher.run([2])
    })?;
    let worst = report.worst_plain.as_ref().expect("one number differs");
    assert_eq!((worst.array.as_str(), worst.index, report.passes()), ("at", 1, false), "{report}");
    Ok(())
}
