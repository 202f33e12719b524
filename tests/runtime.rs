//! The runtime on the CPU: devices, launches of every size, arguments of every kind, faults, prints, host threads.

use std::sync::Barrier;

use rayon::prelude::*;
use warp::prelude::*;
use warp::{FaultKind, capture_output};

#[kernel]
fn copy(from: &[f32], to: &mut [f32]) {
    let i = tid();
    to[i] = from[i];
}

#[kernel]
fn gather(src: &[f32], idx: &[u32], dst: &mut [f32]) {
    let i = tid();
    dst[i] = src[idx[i] as usize];
}

#[kernel]
fn number(out: &mut [u64], add: u64) {
    let i = tid();
    out[i] = i as u64 + add;
}

#[kernel]
fn mark(out: &mut [u64], at: usize) {
    let i = tid();
    if i == at {
        out[0] = i as u64;
    }
}

#[kernel]
fn mark_byte(out: &mut [u8], at: usize) {
    out[at + tid()] = 7;
}

#[kernel]
fn alone(n: u32) {
    assert!(n < 10, "n is too large");
}

#[kernel]
fn transpose(from: View2<f32>, mut to: ViewMut2<f32>) {
    let (i, j) = tid2();
    to[(j, i)] = from[(i, j)];
}

#[kernel]
fn count(total: &mut [u32]) {
    atomic_add(&mut total[tid() % 3], 1);
}

#[kernel]
#[allow(clippy::manual_is_multiple_of)]
fn shout(n: u32) {
    let i = tid();
    if i as u32 % n == 0 {
        println!("thread {i}");
        println!("  {:>8.3}|{:#06x}", i as f32 / 3.0, i);
    }
}

fn numbers(device: &Device, n: usize) -> Array<f32> {
    Array::from_fn(device, n, |[i]| i as f32).unwrap()
}

#[test]
fn the_shared_device_is_one_and_others_are_their_own() {
    assert_eq!(Device::cpu(), Device::cpu());
    assert_ne!(Device::cpu(), Device::cpu_with_threads(1));
    assert_eq!(Device::all()[0], Device::cpu());
    assert!(Device::all().contains(&Device::best().unwrap()));
    Device::cpu().check().unwrap();
}

#[test]
fn mixed_devices_are_refused_and_copies_help() {
    let (one, two) = (Device::cpu(), Device::cpu_with_threads(2));
    let (a, mut b) = (numbers(&one, 4), Array::zeros(&two, 4).unwrap());
    let words = copy::launch(4, &a, &mut b).unwrap_err().to_string();
    let (first, second) = (one.name(), two.name());
    assert_eq!(
        words,
        format!(
            "kernel `copy`: argument `to` is on device {second}, but argument `from` on device {first}; copy it over \
             with `copy_from`"
        )
    );
    let mut over = Array::zeros(&two, 4).unwrap();
    over.copy_from(&a).unwrap();
    copy::launch(4, &over, &mut b).unwrap();
    assert_eq!(b.to_vec().unwrap(), [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn a_wrong_length_is_a_fault_and_writes_nothing_out_of_range() {
    let device = Device::cpu();
    let src = numbers(&device, 4);
    let idx = Array::from_slice(&device, &[3u32, 0, 1000, 1, 4, u32::MAX]).unwrap();
    let mut dst = Array::full(&device, 6, -1.0f32).unwrap();
    let error = gather::launch(6, &src, &idx, &mut dst).unwrap_err();
    let Error::Fault(fault) = &error else { panic!("{error}") };
    assert_eq!(fault.kind, FaultKind::Index { array: "src".into(), dim: None, index: 1000, extent: 4 });
    assert_eq!((fault.thread, fault.count, &fault.index[..]), (2, 3, &[2][..]));
    assert!(fault.file.ends_with("runtime.rs") && fault.line > 10, "{fault:?}");
    let words = error.to_string();
    assert!(words.starts_with("kernel `gather` (tests/runtime.rs:"), "{words}");
    let end = "index 1000 is out of range for `src` of length 4, in thread 2: `src[idx[i] as usize]`; 2 more threads failed too";
    assert!(words.ends_with(end), "{words}");
    assert_eq!(dst.to_vec().unwrap(), [3.0, 0.0, -1.0, 1.0, -1.0, -1.0]);
    dst.fill(0.0).expect("the launch holds nothing any more");
}

#[test]
fn no_threads_and_no_elements_are_nothing_to_do() {
    let device = Device::cpu();
    let (a, mut b) = (numbers(&device, 4), Array::full(&device, 4, 9.0f32).unwrap());
    copy::launch(0, &a, &mut b).unwrap();
    assert_eq!(b.to_vec().unwrap(), [9.0; 4]);
    let (none, mut nowhere) = (numbers(&device, 0), numbers(&device, 0));
    copy::launch(0, &none, &mut nowhere).unwrap();
    let error = copy::launch(1, &none, &mut nowhere).unwrap_err();
    assert!(error.to_string().contains("index 0 is out of range for `from` of length 0"), "{error}");
}

#[test]
fn launches_and_arrays_go_beyond_32_bits() {
    let device = Device::cpu();
    let n = (1usize << 31) + 3;
    let mut out = Array::<u64>::zeros(&device, 1).unwrap();
    mark::launch(n, &mut out, n - 1).unwrap();
    assert_eq!(out.get(0).unwrap(), n as u64 - 1);
    let far = (1usize << 32) + 5;
    let mut bytes = Array::<u8>::zeros(&device, far + 2).unwrap();
    mark_byte::launch(2, &mut bytes, far).unwrap();
    assert_eq!((bytes.get(far).unwrap(), bytes.get(far + 1).unwrap(), bytes.get(5).unwrap()), (7, 7, 0));
    let error = mark_byte::launch(3, &mut bytes, far).unwrap_err();
    assert!(error.to_string().contains("index 4294967303 is out of range for `out` of length 4294967303"), "{error}");
    let error = mark::launch(1 << 50, &mut out, 0).unwrap_err();
    assert!(error.to_string().ends_with("the limit is 2^48 threads in all"), "{error}");
}

#[test]
fn a_kernel_without_arrays_names_its_device() {
    let error = alone::launch(1, 3).unwrap_err();
    assert!(matches!(error, Error::NoDevice { .. }), "{error}");
    alone::on(&Device::cpu()).launch(5, 3).unwrap();
    let error = alone::on(&Device::cpu()).threads(1).launch(5, 30).unwrap_err();
    let Error::Fault(fault) = &error else { panic!("{error}") };
    assert_eq!((fault.count, fault.thread), (5, 0));
    assert!(error.to_string().contains("n is too large"), "{error}");
}

#[test]
fn parts_and_views_go_where_arrays_go() {
    let device = Device::cpu();
    let a = Array::from_fn(&device, (3, 5), |[i, j]| (10 * i + j) as f32).unwrap();
    let mut t = Array::zeros(&device, (5, 3)).unwrap();
    transpose::launch((3, 5), &a, &mut t).unwrap();
    assert_eq!(t.to_vec().unwrap(), a.transpose().unwrap().to_vec().unwrap());
    let mut wide = Array::<f32, 2>::zeros(&device, (10, 6)).unwrap();
    transpose::launch((3, 3), &a.step_along(1, 2).unwrap(), &mut wide.slice_along_mut(1, 3..).unwrap()).unwrap();
    assert_eq!(wide.get((2, 4)).unwrap(), 14.0);
    let error = transpose::launch((3, 6), &a, &mut t).unwrap_err();
    assert!(
        error.to_string().contains("index 5 is out of range for dimension 1 of `from`, which is 5 long"),
        "{error}"
    );
    assert!(error.to_string().contains("in thread (0, 5)"), "{error}");
    let error = copy::launch(3, &a.column(0).unwrap(), &mut numbers(&device, 3)).unwrap_err();
    assert!(matches!(&error, Error::ArgumentStrided { argument, .. } if argument == "from"), "{error}");
    let mut halves = numbers(&device, 8);
    let (low, mut high) = halves.split_at_mut(4).unwrap();
    copy::launch(4, &low, &mut high).unwrap();
    drop((low, high));
    assert_eq!(halves.to_vec().unwrap(), [0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn memory_in_use_is_refused_by_name() {
    let device = Device::cpu();
    let (mut all, mut stray) = (numbers(&device, 8), numbers(&device, 1));
    std::mem::swap(&mut *all.slice_mut(2..6).unwrap(), &mut stray);
    let error = copy::launch(4, &all, &mut stray).unwrap_err().to_string();
    assert!(error.contains("arguments `from` and `to` overlap in memory, and one of them is written"), "{error}");
    let guard = all.read().unwrap();
    let error = copy::launch(4, &numbers(&device, 4), &mut stray).unwrap_err().to_string();
    assert!(error.contains("argument `to` is in use"), "{error}");
    drop(guard);
    copy::launch(4, &numbers(&device, 4), &mut stray).unwrap();
    assert_eq!(all.to_vec().unwrap(), [0.0, 1.0, 0.0, 1.0, 2.0, 3.0, 6.0, 7.0]);
}

#[test]
fn the_plain_run_is_the_launch() {
    let device = Device::cpu();
    let mut out = Array::<u64>::zeros(&device, 100).unwrap();
    number::launch(100, &mut out, 5).unwrap();
    let mut plain = [0; 100];
    number::plain(100, &mut plain, 5).unwrap();
    assert_eq!(out.to_vec().unwrap(), plain);
    let fault = number::plain(102, &mut plain, 5).unwrap_err();
    assert_eq!((fault.thread, fault.count), (100, 2));
    let (a, mut t) = ([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0; 6]);
    transpose::plain((2, 3), View2::new(&a, [2, 3]), ViewMut2::new(&mut t, [3, 2])).unwrap();
    assert_eq!(t, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
}

/// Eight threads meet kernels that nothing has compiled yet.
#[test]
fn eight_host_threads_start_cold() {
    #[kernel]
    fn first(out: &mut [u64], by: u64) {
        let i = tid();
        out[i] += by * i as u64;
    }
    for device in [Device::cpu(), Device::cpu_with_threads(3)] {
        let start = Barrier::new(8);
        std::thread::scope(|s| {
            for t in 0..8u64 {
                let (device, start) = (&device, &start);
                s.spawn(move || {
                    let mut mine = Array::full(device, 10_000, t).unwrap();
                    start.wait();
                    for _ in 0..20 {
                        first::launch(10_000, &mut mine, t + 1).unwrap();
                    }
                    let expected: Vec<u64> = (0..10_000).map(|i| t + 20 * (t + 1) * i).collect();
                    assert_eq!(mine.to_vec().unwrap(), expected);
                });
            }
        });
    }
}

#[test]
fn launches_from_the_threads_of_another_pool_end() {
    let device = Device::cpu_with_threads(4);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let totals: Vec<Vec<u32>> = pool.install(|| {
        let total = |_| {
            let mut total = Array::<u32>::zeros(&device, 3).unwrap();
            for _ in 0..5 {
                // Jobs of that pool inside, which its threads may take while they wait for each other.
                rayon::join(|| count::launch(30_000, &mut total).unwrap(), || fill_some(&device));
            }
            total.to_vec().unwrap()
        };
        (0..64).into_par_iter().map(total).collect()
    });
    assert!(totals.iter().all(|total| *total == [50_000; 3]), "{totals:?}");
}

/// A launch of another kernel, large enough for several threads.
fn fill_some(device: &Device) {
    let mut numbers = Array::<u64>::zeros(device, 50_000).unwrap();
    number::launch(50_000, &mut numbers, 3).unwrap();
    assert_eq!(numbers.to_vec().unwrap()[49_999], 50_002);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let device = Device::cpu_with_threads(4);
    for threads in [1, 2, 4, 100] {
        let mut total = Array::<u32>::zeros(&device, 3).unwrap();
        count::on(&device).threads(threads).launch(100_000, &mut total).unwrap();
        assert_eq!(total.to_vec().unwrap(), [33_334, 33_333, 33_333]);
    }
}

#[test]
fn prints_come_in_the_order_of_threads() {
    let device = Device::cpu_with_threads(4);
    let (result, text) = capture_output(|| shout::on(&device).launch(100_000, 20_000));
    result.unwrap();
    let expected: String = (0..5usize)
        .map(|k| 20_000 * k)
        .map(|i| format!("thread {i}\n  {:>8.3}|{:#06x}\n", i as f32 / 3.0, i))
        .collect();
    assert_eq!(text, expected);
}

#[kernel]
fn axpy(y: &mut [f32], x: &[f32], z: &[f32], a: f32) {
    let i = tid();
    y[i] = a * x[i] + z[i];
}

/// What a launch costs beyond its threads: the best of many runs, for machines that do other things too.
#[test]
fn a_small_launch_costs_little() {
    let device = Device::cpu();
    let (mut y, x, z) = (numbers(&device, 4), numbers(&device, 4), numbers(&device, 4));
    let best = (0..300)
        .map(|_| {
            let start = std::time::Instant::now();
            (0..100).for_each(|_| axpy::launch(4, &mut y, &x, &z, 2.0).unwrap());
            start.elapsed().as_nanos() as f64 / 100.0
        })
        .fold(f64::INFINITY, f64::min);
    println!("{best:.0} ns a launch");
    let limit = if cfg!(debug_assertions) { 2000.0 } else { 200.0 };
    assert!(best < limit, "{best:.0} ns a launch");
}
