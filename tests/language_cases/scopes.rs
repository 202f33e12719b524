//! Constants of blocks: each holds in its own block and hides what stands outside.
#![allow(non_upper_case_globals)]

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

const SCALE: u32 = 2;
const N: u32 = 5;

const fn thrice(x: u32) -> u32 {
    x * 3
}

#[kernel]
fn scoped(x: &[u32], out: &mut [u32]) {
    const BASE: u32 = thrice(100);
    let i = tid();
    let mut s = SCALE;
    {
        const SCALE: u32 = 10;
        const OTHER: u32 = SCALE + 1;
        s += SCALE * OTHER;
        let untyped = OTHER;
        s += untyped;
    }
    if i > 0 {
        const SCALE: u32 = BASE + 7;
        s += SCALE;
        for k in 0..2 {
            const SCALE: u32 = 1000;
            const step: u32 = SCALE / 2;
            s += SCALE * k + step;
        }
        s += match x[i] {
            SCALE => 50_000,
            N => 60_000,
            _ => 70_000,
        };
    }
    out[i] = s + SCALE;
}

#[on_every_device]
fn constants_of_blocks_hold_there_alone() {
    let device = device();
    let given = [0, 307, 5, 2];
    let x = Array::from_slice(&device, &given).unwrap();
    let mut out = Array::zeros(&device, 4).unwrap();
    scoped::launch(4, &x, &mut out).unwrap();
    let mut plain = [0; 4];
    scoped::plain(4, &given, &mut plain).unwrap();
    // 2 + 10 * 11 + 11 + 2, and in the branch 307 + (0 + 500) + (1000 + 500) and the arm.
    assert_eq!(plain, [125, 125 + 2307 + 50_000, 125 + 2307 + 60_000, 125 + 2307 + 70_000]);
    assert_eq!(out.to_vec().unwrap(), plain);
}

/// Where a pattern must match, a name in capitals is a variable, as to rustc.
#[kernel]
#[allow(non_snake_case)]
fn capitals(DT: f32, COUNT: u32, out: &mut [f32]) {
    let I = tid();
    let KE = 0.5 * DT * 9.0;
    let (PE, [X1, ..]) = (KE * 2.0, [1.0f32, 2.0]);
    for STEP in 0..COUNT {
        out[I] += PE + X1 * DT + STEP as f32;
    }
    let KE = Some(KE).map(|OLD| OLD + 1.0);
    out[I] -= KE.unwrap_or(0.0);
}

#[on_every_device]
fn variables_in_capitals_are_variables() {
    let mut plain = [0.5; 2];
    capitals::plain(2, 0.5, 3, &mut plain).unwrap();
    assert_eq!(plain, [0.5 + 3.0 * 5.0 + 3.0 - 3.25; 2]);
    let mut out = Array::full(&device(), 2, 0.5).unwrap();
    capitals::launch(2, 0.5, 3, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), plain);
}

/// Of one name are a variable of the macro's and one that its caller names.
macro_rules! two_of_a_name {
    ($kernel:ident, $func:ident, $taken:ident, $value:expr) => {
        #[func]
        fn $func($taken: i32) -> i32 {
            let x = $taken * 2;
            let y = {
                let x = 5;
                x + $taken
            };
            x + y
        }

        #[kernel]
        fn $kernel(out: &mut [i32]) {
            let i = tid();
            let x = $func(10);
            let pair = Pair { x, y: 1 };
            {
                let $taken = 3;
                let Pair { x: whole, y } = pair;
                println!("{x} {} {}", x + $taken, pair.x);
                out[i] = x + 100 * $taken + whole * y + $value;
            }
            out[i] += Some(i as i32).map(|$taken| x * $taken).unwrap_or(0);
        }
    };
}

#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Pair {
    x: i32,
    y: i32,
}

two_of_a_name!(named_alike, twice_alike, x, x * 1000);
two_of_a_name!(named_apart, twice_apart, z, z * 1000);

#[on_every_device]
fn macros_keep_variables_of_one_name_apart() {
    let device = device();
    let (mut plain, mut out) = ([0; 2], Array::zeros(&device, 2).unwrap());
    named_apart::plain(2, &mut plain).unwrap();
    // 10 * 2 + 5 + 10 = 35.
    assert_eq!(plain, [35 + 300 + 35 + 3000, 35 + 300 + 35 + 3000 + 35]);
    let (_, text) = warp::capture_output(|| named_apart::launch(2, &mut out).unwrap());
    assert_eq!((out.to_vec().unwrap(), &text[..]), (plain.to_vec(), "35 38 35\n35 38 35\n"));
    let mut alike = [0; 2];
    named_alike::plain(2, &mut alike).unwrap();
    assert_eq!(alike, plain);
    let (_, text) = warp::capture_output(|| named_alike::launch(2, &mut out).unwrap());
    assert_eq!((out.to_vec().unwrap(), &text[..]), (plain.to_vec(), "35 38 35\n35 38 35\n"));
}

/// Variants with the names of `Option`'s, behind the name of their type.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(u32)]
enum Shape {
    None,
    Some,
}

#[kernel]
fn shapes(given: &[Shape], out: &mut [u32]) {
    let i = tid();
    out[i] = match given[i] {
        Shape::None => 1,
        Shape::Some => 2,
    };
    let other = if out[i] == 1 { Shape::Some } else { Shape::None };
    let found: Option<u32> = if other == Shape::None { Option::None } else { Option::Some(10) };
    out[i] += match found {
        Option::Some(more) => more + 1,
        None => 100,
    };
}

#[on_every_device]
fn variants_may_have_the_names_of_options() {
    let given = [Shape::None, Shape::Some];
    let mut plain = [0; 2];
    shapes::plain(2, &given, &mut plain).unwrap();
    assert_eq!(plain, [12, 102]);
    let device = device();
    let mut out = Array::zeros(&device, 2).unwrap();
    shapes::launch(2, &Array::from_slice(&device, &given).unwrap(), &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), plain);
}
