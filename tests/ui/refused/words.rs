// What Rust has and kernels have not: one sentence each, with the way out.
use std::mem::swap;

use warp::prelude::*;

macro_rules! twice {
    ($x:expr) => {
        $x * 2.0
    };
}

#[kernel]
fn closure(a: &mut [f32]) {
    let f = |x: f32| x * 2.0;
    a[tid()] = f(1.0);
}

#[kernel]
fn inner_function(a: &mut [f32]) {
    fn h(x: f32) -> f32 {
        x
    }
    a[tid()] = h(1.0);
}

#[kernel]
fn own_macro(a: &mut [f32]) {
    a[tid()] = twice!(1.0);
}

#[kernel]
fn standard_function(a: &mut [f32]) {
    a[tid()] = std::cmp::max(1, 2) as f32;
}

#[kernel]
fn imported_function(a: &mut [f32]) {
    let (mut x, mut y) = (1.0, 2.0);
    swap(&mut x, &mut y);
    a[tid()] = x;
}

#[func]
fn fails(x: f32) -> Result<f32, u32> {
    Ok(x)
}

#[kernel]
fn result(a: &mut [f32]) {
    let r: Result<f32, u32> = Ok(1.0);
    match r {
        Ok(x) => a[tid()] = x,
        Err(_) => {}
    }
    a[tid()] = fails(1.0).unwrap();
}

#[func]
fn tried(x: Option<f32>) -> Option<f32> {
    let y = x?;
    Some(y)
}

#[kernel]
fn heap(a: &mut [f32]) {
    let b = Box::new(1.0f32);
    a[tid()] = *b;
}

#[kernel]
fn text(a: &mut [f32]) {
    let s = String::new();
    a[tid()] = s.len() as f32;
}

#[kernel]
fn wide(a: &mut [f32]) {
    let x: i128 = 1;
    a[tid()] = x as f32;
}

#[kernel]
fn waits(a: &mut [f32]) {
    let f = async { 1.0 };
    a[tid()] = 1.0;
}

#[kernel]
fn unchecked(a: &mut [f32]) {
    unsafe { *a.get_unchecked_mut(0) = 1.0 };
}

fn main() {}
