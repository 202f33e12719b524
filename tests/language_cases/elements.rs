//! Parts of elements: threads that share an element and write components of their own do not undo each other's writes.

use warp::prelude::*;

/// Threads that write the same element are far apart, so that threads of the machine meet there.
#[kernel]
fn own_components(rows: &mut [[u32; 16]], points: &mut [Vec3], turn: &[u32]) {
    let t = tid();
    let (n, m) = (rows.len(), points.len());
    rows[t % n][t / n] = turn[0] + t as u32;
    if t < 3 * m {
        points[t % m][t / m] += t as f32;
    }
}

#[test]
fn many_threads_write_components_of_one_element() {
    let n = 1000;
    let device = Device::cpu_with_threads(4);
    let mut rows = Array::from_slice(&device, &vec![[0u32; 16]; n]).unwrap();
    let mut points = Array::from_slice(&device, &vec![Vec3::ZERO; n]).unwrap();
    for turn in 1..=100u32 {
        let number = Array::from_slice(&device, &[turn]).unwrap();
        own_components::on(&device).threads(4).launch(16 * n, &mut rows, &mut points, &number).unwrap();
        let row = |k: usize| std::array::from_fn(|c| turn + (c * n + k) as u32);
        assert_eq!(rows.to_vec().unwrap(), (0..n).map(row).collect::<Vec<[u32; 16]>>(), "turn {turn}");
        let point = |k: usize| Vec3::from_array(std::array::from_fn(|c| (turn as usize * (c * n + k)) as f32));
        assert_eq!(points.to_vec().unwrap(), (0..n).map(point).collect::<Vec<_>>(), "turn {turn}");
    }
}
