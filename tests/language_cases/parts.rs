//! Parts of arrays inside structs and elements: lent to functions, named, walked in chunks, filled, copied and split.

use warp::prelude::*;
use warp_test_devices::{device, ended, on_every_device};

/// Holds arrays.
#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
struct Chain {
    mass: [f32; 5],
    links: [[i32; 2]; 3],
    frame: Mat3,
}

#[func]
fn spread(part: &mut [f32], by: f32) -> f32 {
    let mut sum = 0.0;
    for x in part.iter_mut() {
        *x += by;
        sum += *x;
    }
    sum
}

#[func]
fn first_and_last(part: &[f32]) -> f32 {
    let (head, tail) = part.split_at(1);
    head[0] * 10.0 + tail[tail.len() - 1]
}

/// Everything at once, in an element of an array and in a variable.
#[kernel]
fn work(chains: &mut [Chain], out: &mut [f32]) {
    let t = tid();
    let mut own = chains[t];
    {
        let part = &mut own.mass[1..4];
        part[t % 3] = 7.0;
        out[t] = spread(part, 0.5);
        let rest = &mut part[1..];
        rest.swap(0, 1);
    }
    chains[t].mass[t..].fill(t as f32);
    for x in chains[t].mass[..2].iter_mut() {
        *x -= 3.0;
    }
    out[t] += spread(&mut chains[t].mass[2..], 1.0) + first_and_last(&own.mass[t..]);
    chains[t].mass[1..3].copy_from_slice(&own.mass[2..4]);
    let (left, right) = own.mass.split_at_mut(2);
    left[0] = right[t];
    right[0] = left[1] * 2.0;
    for (n, pair) in own.mass.chunks_exact_mut(2).enumerate() {
        pair[n] += pair[1 - n];
    }
    let link = &mut own.links[t];
    link[1] = 5;
    chains[t].links[1..].swap(0, 1);
    own.frame.col_mut(t).y += 4.0;
    let column = own.frame.col_mut((t + 1) % 3);
    column.x = 2.0;
    *chains[t].frame.col_mut(2) *= 3.0;
    let whole: &mut [f32] = &mut own.mass;
    whole[4] = first_and_last(whole);
    out[t] += own.mass[0] + own.links[t][1] as f32 + own.frame.x_axis.dot(own.frame.y_axis);
    chains[t].mass[3..].copy_from_slice(&own.mass[3..]);
}

#[on_every_device]
fn parts_of_fields_mean_what_they_mean_in_rust() {
    let device = device();
    let chain = Chain {
        mass: [1.0, 2.0, 3.0, 4.0, 5.0],
        links: [[1, 2], [3, 4], [5, 6]],
        frame: Mat3::from_cols_array(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
    };
    let (mut chains, mut out) = (vec![chain; 3], vec![0.0; 3]);
    let (mut a, mut b) = (Array::from_slice(&device, &chains).unwrap(), Array::from_slice(&device, &out).unwrap());
    work::launch(3, &mut a, &mut b).unwrap();
    work::plain(3, &mut chains, &mut out).unwrap();
    assert_eq!(a.to_vec().unwrap(), chains);
    assert_eq!(b.to_vec().unwrap(), out);
    // By hand for the first thread: [1, 2, 3, 4, 5] becomes [1, 7.5, 4.5, 3.5, 5] after the named part.
    assert_eq!(chains[0].links, [[1, 2], [5, 6], [3, 4]]);
    assert_eq!(chains[0].mass[..3], [-3.0, 4.5, 3.5]);
}

/// Threads that share an element, each with a half of it.
#[kernel]
fn halves(rows: &mut [[f32; 8]]) {
    let t = tid();
    let low = 4 * (t % 2);
    spread(&mut rows[t / 2][low..low + 4], 1.0);
}

#[test]
fn halves_of_one_element_belong_to_different_threads() {
    let device = Device::cpu_with_threads(4);
    let n = 4000;
    let mut rows = Array::from_slice(&device, &vec![[0.0; 8]; n]).unwrap();
    for _ in 0..50 {
        halves::on(&device).threads(4).launch(2 * n, &mut rows).unwrap();
    }
    assert_eq!(rows.to_vec().unwrap(), vec![[50.0; 8]; n]);
}

#[kernel]
fn misfit(chains: &mut [Chain], n: usize) {
    let t = tid();
    chains[t].mass[n..].copy_from_slice(&[1.0, 2.0]);
}

#[on_every_device]
fn a_copy_of_another_length_is_a_fault() {
    let device = device();
    let mut chains = Array::zeros(&device, 1).unwrap();
    misfit::launch(1, &mut chains, 3).unwrap();
    let launched = ended(misfit::launch(1, &mut chains, 4)).unwrap_err().to_string();
    let words = "copy_from_slice: source slice length (2) does not match destination slice length (1)";
    assert!(launched.contains(words), "{launched}");
    let mut host = chains.to_vec().unwrap();
    let plain = misfit::plain(1, &mut host, 4).unwrap_err().to_string();
    assert!(plain.contains(words), "{plain}");
    let beyond = ended(misfit::launch(1, &mut chains, 6)).unwrap_err().to_string();
    assert!(beyond.contains("6"), "{beyond}");
}
