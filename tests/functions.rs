//! Every function of floats in kernels: reached as a method, with the bits of `warp::math` on every device, and near
//! what Rust's own methods give in the plain function. The rows say which functions there are.

use std::collections::BTreeSet;

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

/// The functions of the reference page, which is made from the rows as the kernels here are.
fn documented() -> Vec<&'static str> {
    let page = include_str!("../docs/builtins.md");
    let sections = page.split("\n### `").skip(1).filter(|text| text.contains("units of the last place of the true"));
    sections.filter_map(|text| text.split_once('`')).map(|(name, _)| name).collect()
}

/// A row of the table is found by kernels and by the host, stands on the page and in the index, and has true values that
/// tests compare with, without that anybody lists it: the kernels below and the host's functions are made from the rows.
#[test]
fn a_function_appears_everywhere() {
    let names = |list: &mut dyn Iterator<Item = &'static str>| list.collect::<BTreeSet<_>>();
    let page = names(&mut documented().into_iter());
    let values = include_str!("../warp-ir/references/values.txt").lines();
    assert_eq!(page, names(&mut values.filter_map(|line| line.split(' ').next())), "values.py makes the true values");
    let index = include_str!("../docs/library/README.md");
    let missing = page.iter().filter(|name| !index.contains(&format!("[`{name}`](../builtins.md#{name})")));
    assert_eq!(missing.count(), 0);
    assert_eq!(page, names(&mut f32::names()));
    assert_eq!(page, names(&mut f64::names()));
    assert!(page.len() >= 27);
}

/// Kernels of one type that write each function of `x[i]`, or of `x[i]` and `y[i]`, behind each other.
macro_rules! kernels {
    ($ty:ident $unary:ident $binary:ident: $($one:ident)*; $($two:ident)*) => {
        #[kernel]
        fn $unary(x: &[$ty], out: &mut [$ty]) {
            let i = tid();
            let mut at = i * out.len() / x.len();
            $( out[at] = x[i].$one(); at += 1; )*
            assert!(at == (i + 1) * out.len() / x.len());
        }

        #[kernel]
        fn $binary(x: &[$ty], y: &[$ty], out: &mut [$ty]) {
            let i = tid();
            let mut at = i * out.len() / x.len();
            $( out[at] = x[i].$two(y[i]); at += 1; )*
            assert!(at == (i + 1) * out.len() / x.len());
        }

        mod $ty {
            use super::*;

            const ONE: [(&str, fn($ty) -> $ty); [$(stringify!($one)),*].len()] =
                [$((stringify!($one), warp::math::$one)),*];
            const TWO: [(&str, fn($ty, $ty) -> $ty); [$(stringify!($two)),*].len()] =
                [$((stringify!($two), warp::math::$two)),*];

            /// Numbers of all sizes and signs, and what is special.
            fn samples() -> Vec<$ty> {
                let special = [0.0, -0.0, $ty::INFINITY, -$ty::INFINITY, $ty::NAN, $ty::MIN_POSITIVE / 8.0, 1.0, -1.0];
                let powers = (-60..60).map(|k| (1.37 as $ty).powi(k));
                special.into_iter().chain(powers.clone()).chain(powers.map(|x| -x)).collect()
            }

            fn same(a: $ty, b: $ty) -> bool {
                a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
            }

            #[on_every_device]
            fn kernels_have_the_bits_of_the_host() {
                let device = device();
                let x = samples();
                let array = Array::from_slice(&device, &x).unwrap();
                let mut out = Array::<$ty>::zeros(&device, x.len() * ONE.len()).unwrap();
                $unary::launch(x.len(), &array, &mut out).unwrap();
                for (found, k) in out.to_vec().unwrap().iter().zip(0..) {
                    let (x, (name, function)) = (x[k / ONE.len()], ONE[k % ONE.len()]);
                    assert!(same(*found, function(x)), "{name}({x:e}): {found:e}, {:e}", function(x));
                }
            }

            #[test]
            fn kernels_of_two_have_the_bits_of_the_host() {
                let device = Device::cpu();
                let all = samples();
                let (x, y): (Vec<$ty>, Vec<$ty>) = all.iter().flat_map(|x| all.iter().map(move |y| (*x, *y))).unzip();
                let arrays = [&x, &y].map(|values| Array::from_slice(&device, values).unwrap());
                let mut out = Array::<$ty>::zeros(&device, x.len() * TWO.len()).unwrap();
                $binary::launch(x.len(), &arrays[0], &arrays[1], &mut out).unwrap();
                for (found, k) in out.to_vec().unwrap().iter().zip(0..) {
                    let (x, y, (name, function)) = (x[k / TWO.len()], y[k / TWO.len()], TWO[k % TWO.len()]);
                    assert!(same(*found, function(x, y)), "{name}({x:e}, {y:e}): {found:e}, {:e}", function(x, y));
                }
            }

            /// Rust's own functions differ in the last places, and agree on what is special.
            #[test]
            fn plain_functions_are_near() {
                let x = samples();
                let mut out = vec![0.0; x.len() * ONE.len()];
                $unary::plain(x.len(), &x, &mut out).unwrap();
                for (found, k) in out.iter().zip(0..) {
                    let (x, (name, function)) = (x[k / ONE.len()], ONE[k % ONE.len()]);
                    let expected = function(x);
                    let near = (found - expected).abs() <= 8.0 * $ty::EPSILON * expected.abs();
                    assert!(near || same(*found, expected), "{name}({x:e}): {found:e}, {expected:e}");
                }
            }

            /// Those of which there are kernels here.
            pub(super) fn names() -> impl Iterator<Item = &'static str> {
                ONE.iter().map(|function| function.0).chain(TWO.iter().map(|function| function.0))
            }
        }
    };
}

warp_test_reference::functions_of_floats!(kernels f32 unary_f32 binary_f32);
warp_test_reference::functions_of_floats!(kernels f64 unary_f64 binary_f64);

#[kernel]
fn both(x: &[f32], out: &mut [Vec2]) {
    let (sine, cosine) = x[tid()].sin_cos();
    out[tid()] = Vec2::new(sine, cosine);
}

#[on_every_device]
fn the_sine_and_the_cosine_come_together() {
    let device = device();
    let x = [0.0, 1.5, -4e5, 1e30];
    let array = Array::from_slice(&device, &x).unwrap();
    let mut out = Array::from_slice(&device, &[Vec2::ZERO; 4]).unwrap();
    both::launch(4, &array, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), x.map(|x| Vec2::new(warp::math::sin(x), warp::math::cos(x))));
}

#[func]
fn one_more(x: f32) -> f32 {
    x + 1.0
}

/// Calls the library before a function that nobody else calls.
#[func]
fn turned_and_more(turn: Quat, v: Vec3, x: f32) -> Vec3 {
    turn * v * one_more(x)
}

#[kernel]
fn turn_all(turn: Quat, v: &mut [Vec3]) {
    let i = tid();
    v[i] = turned_and_more(turn, v[i], 1.0);
}

#[test]
fn functions_below_others_are_found_beside_those_of_the_library() {
    let device = Device::cpu();
    let mut v = Array::from_slice(&device, &[Vec3::X]).unwrap();
    turn_all::launch(1, Quat::from_xyzw(0.0, 0.0, 1.0, 0.0), &mut v).unwrap();
    assert_eq!(v.get(0).unwrap(), Vec3::new(-2.0, 0.0, 0.0));
}
