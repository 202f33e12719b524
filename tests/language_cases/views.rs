//! Methods of views, slices and arrays: the same in kernels as on the host.

use warp::prelude::*;
use warp_test_devices::{device, ended, on_every_device};

#[kernel]
fn turned(mut grid: ViewMut2<i32>, cube: View3<u8>, out: &mut [usize]) {
    let i = tid();
    grid.swap((0, i), (1, i));
    out[4 * i] = grid.extent(0) * 10 + grid.dim(1);
    out[4 * i + 1] = cube.extent(2) * 100 + cube.rows() * 10 + cube.cols();
    out[4 * i + 2] = cube.len() + cube.shape()[1];
    out[4 * i + 3] = cube.is_empty() as usize;
}

#[on_every_device]
fn views_have_the_same_methods_in_kernels_and_on_the_host() {
    let device = device();
    let mut grid = Array::from_fn(&device, (2, 3), |[r, c]| (10 * r + c) as i32).unwrap();
    let cube = Array::zeros(&device, (2, 4, 5)).unwrap();
    let mut out = Array::zeros(&device, 12).unwrap();
    turned::launch(3, &mut grid, &cube, &mut out).unwrap();
    let expected = ([10, 11, 12, 0, 1, 2], [23, 524, 44, 0].repeat(3));
    assert_eq!((&grid.to_vec().unwrap()[..], out.to_vec().unwrap()), (&expected.0[..], expected.1.clone()));

    let mut grid = [0, 1, 2, 10, 11, 12];
    let mut out = [0; 12];
    turned::plain(3, ViewMut2::new(&mut grid, [2, 3]), View3::new(&[0; 40], [2, 4, 5]), &mut out).unwrap();
    assert_eq!((grid, out.to_vec()), expected);
}

#[func]
fn sum_of_ends(part: &[f32]) -> f32 {
    let last = match part.last() {
        Some(x) => *x,
        None => -2.0,
    };
    part.first().copied().unwrap_or(-1.0) + 100.0 * last
}

#[kernel]
fn ends(a: &[f32], starts: &[usize], out: &mut [f32]) {
    let i = tid();
    let small = [i as f32, (a.len() - starts[i]) as f32];
    out[2 * i] = sum_of_ends(&a[starts[i]..]);
    out[2 * i + 1] = small.last().copied().unwrap() * 10.0 + *small.first().unwrap();
}

#[on_every_device]
fn slices_and_arrays_have_ends_unless_they_are_empty() {
    let (a, starts) = ([3.0, 4.0, 5.0], [0, 2, 3]);
    let expected = [503.0, 30.0, 505.0, 11.0, -201.0, 2.0];
    let device = device();
    let arrays = (Array::from_slice(&device, &a).unwrap(), Array::from_slice(&device, &starts).unwrap());
    let mut out = Array::zeros(&device, 6).unwrap();
    ends::launch(3, &arrays.0, &arrays.1, &mut out).unwrap();
    let mut plain = [0.0; 6];
    ends::plain(3, &a, &starts, &mut plain).unwrap();
    assert_eq!((out.to_vec().unwrap(), plain), (expected.to_vec(), expected));
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Struct)]
#[repr(C)]
struct Bins {
    seen: u32,
    counts: [[u32; 3]; 2],
    sums: [Vec2; 2],
}

/// Threads meet in one component, which an index chooses.
#[kernel]
fn gather(values: &[u32], bins: &mut [Bins], lists: &mut [[i64; 5]], old: &mut [u32]) {
    let i = tid();
    let v = values[i] as usize;
    old[i] = atomic_add(&mut bins[v % 2].counts[v / 3 % 2][v % 3], 1);
    atomic_max(&mut bins[v % 2].counts[1][v % 3], v as u32);
    atomic_add(&mut bins[v % 2].sums[v % 2], Vec2::new(1.0, v as f32));
    atomic_sub(&mut lists[v % 2][v % 5], v as i64);
}

#[on_every_device]
fn atomics_reach_components_by_index() -> Result<(), Error> {
    let device = device();
    let values: Vec<u32> = (0..4000).map(|i| i * i % 97).collect();
    let (mut bins, mut lists, mut old) = ([Bins::default(); 2], [[0; 5]; 2], vec![0; 4000]);
    gather::plain(4000, &values, &mut bins, &mut lists, &mut old)?;
    let mut own = Array::from_slice(&device, &[Bins::default(); 2])?;
    let mut own_lists = Array::zeros(&device, 2)?;
    let mut own_old = Array::zeros(&device, 4000)?;
    let values = Array::from_slice(&device, &values)?;
    gather::on(&device).threads(1).launch(4000, &values, &mut own, &mut own_lists, &mut own_old)?;
    assert_eq!((own.to_vec()?, own_lists.to_vec()?, own_old.to_vec()?), (bins.to_vec(), lists.to_vec(), old));
    // An index beyond the inner array is a fault, and nothing is counted.
    let far = Array::from_slice(&device, &[0u32, 7])?;
    let error = ended(beyond::launch(2, &far, &mut own)).unwrap_err().to_string();
    assert!(error.contains("index 7 is out of range") && error.contains("in thread 1"), "{error}");
    Ok(())
}

#[kernel]
fn beyond(at: &[u32], bins: &mut [Bins]) {
    atomic_add(&mut bins[0].counts[1][at[tid()] as usize], 1);
}
