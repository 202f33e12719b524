//! Many threads of the host at once, from a cold start.

use std::sync::Barrier;

use warp::Error;
use warp::prelude::*;
use warp_test_devices::{device, on_device, on_every_device};

#[kernel]
fn fill(value: usize, out: &mut [u64]) {
    let i = tid();
    out[i] = (value + i) as u64;
}

/// A twin, so that several kernels are compiled at once.
macro_rules! more {
    ($($name:ident + $by:literal),*) => { $(
        #[kernel]
        fn $name(value: usize, out: &mut [u64]) {
            let i = tid();
            out[i] = (value + i) as u64 + $by;
        }
    )* };
}
more!(fill_1 + 1, fill_2 + 2, fill_3 + 3);

#[kernel]
fn square(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * a[i];
}

/// The work of one thread of the host.
fn work(device: &Device, thread: usize, rounds: usize, n: usize, stream: Option<&Stream>) -> Result<(), Error> {
    let mut mine = Array::<u64>::zeros(device, n)?;
    for round in 0..rounds {
        let value = 1000 * thread + round;
        let mut launch = || match round % 4 {
            0 => fill::launch(n, value, &mut mine),
            1 => fill_1::launch(n, value, &mut mine),
            2 => fill_2::launch(n, value, &mut mine),
            _ => fill_3::launch(n, value, &mut mine),
        };
        match stream {
            Some(stream) => stream.scope(launch)?,
            None => launch()?,
        }
        let expected: Vec<u64> = (0..n).map(|i| (value + i + round % 4) as u64).collect();
        assert_eq!(mine.to_vec()?, expected, "thread {thread}, round {round}");
    }
    let a = Array::from_fn(device, 9, |[i]| (thread + i) as f32)?;
    let mut squares = Array::<f32>::zeros(device, 9)?;
    let tape = Tape::record(|| square::launch(9, &a, &mut squares))?;
    tape.backward_with([(&squares, &Array::full(device, 9, 1.0f32)?)])?;
    assert_eq!(a.grad()?.to_vec()?, (0..9).map(|i| 2.0 * (thread + i) as f32).collect::<Vec<_>>());
    Ok(())
}

#[on_every_device]
fn eight_threads_start_cold() -> Result<(), Error> {
    let device = device();
    let (rounds, n) = if device.host_memory() { (100, 1000) } else { (12, 50) };
    let start = Barrier::new(8);
    std::thread::scope(|s| {
        let threads: Vec<_> = (0..8)
            .map(|thread| {
                let (device, start) = (&device, &start);
                s.spawn(move || {
                    on_device(device, || {
                        start.wait();
                        let stream = if thread % 2 == 0 { Some(Stream::new(device)?) } else { None };
                        work(device, thread, rounds, n, stream.as_ref())
                    })
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    device.check()
}
