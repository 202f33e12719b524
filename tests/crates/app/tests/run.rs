//! Runs every kernel on the CPU device; expected values are worked out by hand or by the plain Rust functions.

use app::{orders, values};
use midlib::all::{Interval, Leg, Spring, Stuff, Window};
use midlib::{Dual, Gait, Robot};
use warp::prelude::*;

fn device() -> Device {
    Device::cpu()
}

fn out<T: Element + Zeroed + Default>(n: usize) -> Array<T> {
    Array::zeros(&device(), n).unwrap()
}

#[test]
fn struct_operators_functions_and_constants_of_another_crate() {
    let x = Array::from_slice(&device(), &[1.0f32, 2.0, 3.0]).unwrap();
    let zero = Dual { value: 0.0, slope: 0.0 };
    let mut numbers = Array::from_slice(&device(), &[zero; 3]).unwrap();
    app::dual::launch(3, &x, &mut numbers).unwrap();
    // number = x^2 * 2, halved; drag = (8 v + 3) / 2; lerp with 1 at one half; plus 100.
    let expected: Vec<Dual> = [1.0f32, 2.0, 3.0]
        .map(|x| Dual { value: ((8.0 * x * x + 3.0) * 0.5 + 1.0) * 0.5 + 100.0, slope: 2.0 * x })
        .to_vec();
    assert_eq!(numbers.to_vec().unwrap(), expected);
    let mut plain = [zero; 3];
    app::dual::plain(3, &[1.0, 2.0, 3.0], &mut plain).unwrap();
    assert_eq!(plain.to_vec(), expected);
}

#[test]
fn constants_two_crates_away_behind_types_without_a_name() {
    let leg = Leg { number: 7, spring: Spring { stiffness: 4.0, rest: 1.0 } };
    let robots = Array::from_slice(&device(), &[Robot { mass: 2.0, left: leg }]).unwrap();
    let mut forces = out::<f32>(1);
    app::robots::launch(1, &robots, &mut forces).unwrap();
    // stance 4 * 2 / 2 - 20; push: force 2 * 2 / 2, energy 2 * 2 / 2; energy at 2: force 2, times 1, halved.
    assert_eq!(forces.to_vec().unwrap(), [4.0 - 20.0 + 2.0 + 1.0]);
}

#[test]
fn methods_of_two_blocks() {
    let mut forces = out::<f32>(2);
    app::springs::launch(2, &mut forces).unwrap();
    // Rest 1 + i: force = 5 - rest; energy = force * (5 - rest) / 2.
    assert_eq!(forces.to_vec().unwrap(), [4.0 + 8.0, 3.0 + 4.5]);
}

#[test]
fn enums_of_another_crate() {
    let mut stuff = Array::from_slice(&device(), &[Stuff::Air, Stuff::Water, Stuff::Rock]).unwrap();
    let mut weights = out::<f32>(3);
    app::weigh::launch(3, &mut stuff, &mut weights).unwrap();
    assert_eq!(weights.to_vec().unwrap(), [0.0, 1.0, 2.5]);
    assert_eq!(stuff.to_vec().unwrap(), [Stuff::Rock, Stuff::Water, Stuff::Rock]);
}

#[test]
fn generic_functions_at_two_types_and_two_lengths() {
    let mut values = out::<f64>(2);
    app::generics::launch(2, &mut values).unwrap();
    let both = |i: f64| (i + (1.0 - i) * 0.25) + (i + (1.0 - i) * 0.5);
    let sums = 10.5 * 10.0 + 3.5;
    assert_eq!(values.to_vec().unwrap(), [both(0.0) + 2.0 + sums, both(1.0) + 2.0 + sums]);
}

#[test]
fn generic_methods_of_another_crate() {
    let mut values = out::<f64>(2);
    app::generic_methods::launch(2, &mut values).unwrap();
    // The rest length is 1: (8 + 3) / 2 + 0.5, from both.
    let expected = |i: f64| 1.25 + ((1.0 + i) / 2.0 + 8.0) / 2.0 * 100.0 + 12.0 * 10000.0;
    assert_eq!(values.to_vec().unwrap(), [expected(0.0), expected(1.0)]);
    let mut plain = [0.0; 2];
    app::generic_methods::plain(2, &mut plain).unwrap();
    assert_eq!(plain.to_vec(), values.to_vec().unwrap());
}

#[test]
fn equal_tokens_with_different_constants() {
    let mut values = out::<f32>(2);
    app::twins::launch(2, &mut values).unwrap();
    assert_eq!(values.to_vec().unwrap(), [0.0, 302.0]);
}

#[test]
fn one_function_by_several_paths() {
    let mut values = out::<f32>(2);
    app::paths::launch(2, &mut values).unwrap();
    let drag = |x: f32| (x * 8.0 + 3.0) * 0.5;
    let expected = |x: f32| drag(x) + drag(1.0) + drag(2.0) + drag(x) + 4.0;
    assert_eq!(values.to_vec().unwrap(), [expected(0.0), expected(1.0)]);
}

#[test]
fn every_order_of_definitions() {
    let mut values = out::<f32>(2);
    orders::early::launch(2, &mut values).unwrap();
    let one = (1.0 * 3.0 + 5.0) * 0.5 + 3.0;
    let rest = one + (4.0 + 6.0) + 300.0 + (12.0 + 5.0);
    assert_eq!(values.to_vec().unwrap(), [11.0 + rest, 13.0 + rest]);
    orders::through_siblings::launch(2, &mut values).unwrap();
    assert_eq!(values.to_vec().unwrap(), [14.0, 114.0]);
    assert_eq!(orders::inside_a_function(&device()).unwrap(), [3.5, 103.5, 203.5]);
}

#[test]
fn constants_by_every_kind_of_path() {
    let mut values = out::<f32>(1);
    values::inner::constants::launch(1, &mut values).unwrap();
    assert_eq!(values.to_vec().unwrap(), [16.0 + 0.5 + 64.0 + 4.0 - 10.0 + 0.5]);
    values::own_names::launch(1, &mut values).unwrap();
    assert_eq!(values.to_vec().unwrap(), [14.0]);
    values::names::launch(1, 1, 2, 3.0, 4.0, &mut values).unwrap();
    assert_eq!(values.to_vec().unwrap(), [10.0]);
    values::helper_names::sum::launch(1, &mut values).unwrap();
    assert_eq!(values.to_vec().unwrap(), [63.0 + 40.0]);
}

#[test]
fn one_array_on_both_sides() {
    let points = [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];
    let mut a = Array::from_slice(&device(), &points).unwrap();
    let mut sum = Array::from_slice(&device(), &[1.0f32, 2.0]).unwrap();
    values::in_place::launch(1, &mut a, &mut sum).unwrap();
    assert_eq!(a.to_vec().unwrap(), [Vec3::new(1.0, 1.0, 0.0), points[1]]);
    assert_eq!(sum.to_vec().unwrap(), [3.0, 2.0]);
    let (mut plain, mut plain_sum) = (points, [1.0, 2.0]);
    values::in_place::plain(1, &mut plain, &mut plain_sum).unwrap();
    assert_eq!((plain[0], plain_sum), (Vec3::new(1.0, 1.0, 0.0), [3.0, 2.0]));
}

#[test]
fn a_bundle_of_arguments() {
    let points = Array::from_slice(&device(), &[Vec3::X, Vec3::X * 2.0]).unwrap();
    let mut lengths = out::<f32>(2);
    let mesh = values::MeshArrays { points: &points, lengths: &mut lengths, factor: 3.0 };
    values::measure::launch(2, mesh, 0.5).unwrap();
    assert_eq!(lengths.to_vec().unwrap(), [3.5, 6.5]);
    let mut plain = [0.0f32; 2];
    let mesh = values::Mesh { points: &[Vec3::X, Vec3::X * 2.0], lengths: &mut plain, factor: 3.0 };
    values::measure::plain(2, mesh, 0.5).unwrap();
    assert_eq!(plain, [3.5, 6.5]);
}

#[test]
fn a_generic_kernel_at_two_types() {
    let (x, mut y) = (Array::from_slice(&device(), &[1.0f32, 2.0]).unwrap(), out::<f32>(2));
    app::axpy::launch(2, &x, &mut y, 0.5).unwrap();
    assert_eq!(y.to_vec().unwrap(), [100.5, 101.0]);
    let (x, mut y) = (Array::from_slice(&device(), &[1.0f64, 3.0]).unwrap(), out::<f64>(2));
    app::axpy::launch(2, &x, &mut y, 0.25).unwrap();
    assert_eq!(y.to_vec().unwrap(), [100.75, 102.25]);
    let mut plain = [0.0f64];
    app::axpy::plain(1, &[1.0], &mut plain, 0.5).unwrap();
    assert_eq!(plain, [100.5]);
}

// An integration test is a crate of its own, with items of its own.
#[func]
fn local(x: f32) -> f32 {
    midlib::march(x) * 2.0
}

#[kernel]
fn here(values: &mut [f32]) {
    let i = tid();
    values[i] = local(i as f32) + midlib::all::twice::apply(1.0);
}

#[test]
fn items_of_an_integration_test() {
    let mut values = out::<f32>(1);
    here::launch(1, &mut values).unwrap();
    assert_eq!(values.to_vec().unwrap(), [2.0 * (1.5 + 4.0) + 2.0]);
}

#[test]
fn generic_structs_of_two_crates() {
    let range = |low, high| Interval { low, high };
    let steps = Window { values: [range(1.0f32, 3.0), range(8.0, 10.0), range(0.0, 0.0)], at: 0 };
    let given = [Gait { range: range(0.5f32, 1.5), steps }; 2];
    let mut gaits = Array::from_slice(&device(), &given).unwrap();
    let mut found = out::<f64>(2);
    app::gaits::launch(2, &mut gaits, &mut found).unwrap();
    // The step moves the range to 1.5 .. 2.5 and keeps its double; 9 is the middle of the second.
    let steps = Window { values: [range(3.0, 5.0), range(8.0, 10.0), range(0.0, 0.0)], at: 1 };
    assert_eq!(gaits.to_vec().unwrap(), [Gait { range: range(1.5 - 9.0, 2.5), steps }; 2]);
    // The middle of 1 .. 3; the one of 4 around 1, moved by 4, times 3; what was pushed; 1.5 * 2.5.
    assert_eq!(found.to_vec().unwrap(), [2.0 + 1500.0 + 7.0 + 3.75; 2]);
    let (mut plain, mut plain_out) = (given, [0.0; 2]);
    app::gaits::plain(2, &mut plain, &mut plain_out).unwrap();
    assert_eq!((gaits.to_vec().unwrap(), found.to_vec().unwrap()), (plain.to_vec(), plain_out.to_vec()));
}

#[test]
fn a_generic_kernel_on_two_instances_of_another_crate() {
    let mut single = out::<f32>(1);
    let ranges = Array::from_slice(&device(), &[Interval { low: 1.0f32, high: 4.0 }]).unwrap();
    app::middles::launch(1, &ranges, &mut single).unwrap();
    assert_eq!(single.to_vec().unwrap(), [2.5]);
    let mut double = out::<f64>(1);
    let ranges = Array::from_slice(&device(), &[Interval { low: -1.0, high: 4.0 }]).unwrap();
    app::middles::launch(1, &ranges, &mut double).unwrap();
    assert_eq!(double.to_vec().unwrap(), [1.5]);
}
