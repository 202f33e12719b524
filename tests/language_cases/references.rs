//! What stands behind references: kernels and functions that write through them, launched and as plain Rust.

#![allow(clippy::into_iter_on_ref, reason = "what it does is tested")]

use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

#[derive(Clone, Copy, Debug, Default, PartialEq, Struct)]
#[repr(C)]
struct Row {
    vals: [f32; 3],
    count: u32,
}

/// Counts up to `end`.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Count {
    at: u32,
    end: u32,
}

#[methods]
impl Count {
    fn next(&mut self) -> Option<u32> {
        if self.at >= self.end {
            return None;
        }
        self.at += 1;
        Some(self.at)
    }
}

impl Iterator for Count {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        Count::next(self)
    }
}

#[derive(Args)]
struct Pair<'a> {
    left: &'a mut [f32],
    right: &'a mut [f32],
}

#[func]
fn scaled(a: &mut [f32], by: f32) {
    for x in a {
        *x *= by;
    }
}

#[func]
fn raised(v: &mut [f32; 3], by: f32) -> f32 {
    let mut sum = 0.0;
    for (k, x) in v.into_iter().enumerate() {
        sum += *x;
        *x += by * k as f32;
    }
    sum
}

#[func]
fn touched(rows: &mut [Row], i: usize) {
    rows[i].vals[2] += 100.0;
    rows[i].count += 1;
}

#[func]
fn read_while_touched(rows: &mut [Row], i: usize) -> f32 {
    let mut sum = 0.0;
    for v in rows[i].vals {
        touched(rows, i);
        sum = sum * 2.0 + v;
    }
    sum
}

#[func]
fn turned(row: &mut Row) {
    let &mut Row { vals: [a, b, c], count } = row;
    row.vals = [b, c, a];
    row.count = count + 10;
}

#[func]
fn two(it: &mut Count) -> u32 {
    let mut taken = 0;
    for x in it {
        taken = taken * 10 + x;
        if taken > 9 {
            break;
        }
    }
    taken
}

#[kernel]
fn mixed(rows: &mut [Row], out: &mut [f32]) {
    let i = tid();
    scaled(&mut out[4 * i..4 * i + 4], 0.5);
    out[4 * i] += read_while_touched(rows, i);
    turned(&mut rows[i]);
    out[4 * i + 1] += raised(&mut rows[i].vals, 0.25);
    let mut it = Count { at: i as u32, end: 7 };
    let (first, second) = (two(&mut it), two(&mut it));
    out[4 * i + 2] += (first * 1000 + second) as f32;
    for &mut mut x in rows[i].vals.iter_mut() {
        x *= 2.0;
        out[4 * i + 3] += x;
    }
}

#[on_every_device]
fn what_is_written_through_references_is_what_rust_writes() {
    let device = device();
    let rows: Vec<Row> =
        (0..3u32).map(|k| Row { vals: [k as f32, k as f32 + 0.5, 4.0 - k as f32], count: k }).collect();
    let (mut expected, mut expected_out) = (rows.clone(), vec![8.0; 12]);
    mixed::plain(3, &mut expected, &mut expected_out).unwrap();
    let mut found = Array::from_slice(&device, &rows).unwrap();
    let mut out = Array::from_slice(&device, &[8.0; 12]).unwrap();
    mixed::launch(3, &mut found, &mut out).unwrap();
    assert_eq!(found.to_vec().unwrap(), expected);
    assert_eq!(out.to_vec().unwrap(), expected_out);
    // By hand, for the first thread: `0 * 4 + 0.5 * 2 + 4`, `0.5 + 304 + 0`, 12 and 34, twice what stands there.
    assert_eq!(expected_out[..4], [4.0 + 5.0, 4.0 + 304.5, 4.0 + 12_034.0, 4.0 + 2.0 * (304.5 + 0.75)]);
}

#[kernel]
fn halves(pair: Pair<'_>, whole: &mut [f32]) {
    if tid() == 0 {
        for (x, y) in pair.left.iter_mut().zip(pair.right) {
            (*x, *y) = (*y, *x + 1.0);
        }
        for x in whole {
            *x += 0.5;
        }
    }
}

#[on_every_device]
fn a_slice_is_walked_by_its_name() {
    let device = device();
    let data = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]];
    let mut arrays = data.map(|values| Array::from_slice(&device, &values).unwrap());
    let [left, right, whole] = &mut arrays;
    halves::launch(1, PairArrays { left, right }, whole).unwrap();
    assert_eq!(arrays.map(|array| array.to_vec().unwrap()), [[4.0, 5.0, 6.0], [2.0, 3.0, 4.0], [7.5, 8.5, 9.5]]);
}
