//! Arrays go while kernels still use them.

use std::cell::RefCell;

use warp::prelude::*;
use warp::{Error, Event, Graph};

use super::{add_one, copy, cuda, sum};

/// A copy that takes its time.
#[kernel]
fn slow_copy(from: &[f32], to: &mut [f32]) {
    let i = tid();
    let mut x = from[i];
    for k in 0..64 {
        x = if k % 2 == 0 { x + 1.0 } else { x - 1.0 };
    }
    to[i] = x;
}

/// Rounds of two arrays that are dropped with work in flight, here or on another thread of the host.
fn rounds(device: &Device, n: usize, rounds: usize, elsewhere: bool) -> Result<(), Error> {
    let streams = [Stream::new(device)?, Stream::new(device)?];
    let before = device.memory().now;
    let mut sums = vec![];
    std::thread::scope(|s| {
        for round in 0..rounds {
            let a = Array::from_vec(device, vec![round as f32; n])?;
            let mut b = Array::zeros(device, n)?;
            let stream = &streams[round % 2];
            slow_copy::on(device).stream(stream).launch(n, &a, &mut b)?;
            let mut total = Array::<f64>::zeros(device, 1)?;
            sum::on(stream).launch(n, &b, &mut total)?;
            sums.push(total);
            if elsewhere {
                s.spawn(move || drop((b, a)));
            }
        }
        Ok::<(), Error>(())
    })?;
    for (round, total) in sums.iter().enumerate() {
        assert_eq!(total.get(0)?, (round * n) as f64, "round {round}");
    }
    drop(sums);
    device.check()?;
    assert_eq!(device.memory().now, before);
    Ok(())
}

#[test]
fn arrays_are_dropped_while_kernels_run() -> Result<(), Error> {
    for elsewhere in [false, true] {
        rounds(&Device::cpu_with_threads(2), 1 << 20, 200, elsewhere)?;
        let (fake, device) = cuda(11);
        rounds(&device, 64, 200, elsewhere)?;
        let used = |device: &Device| warp::cuda::backend(device).unwrap().device().memory_use().bytes;
        let (before, live) = (used(&device), fake.live().allocations);
        rounds(&device, 64, 200, elsewhere)?;
        assert_eq!((used(&device), fake.live().allocations), (before, live), "the device has what it had before");
    }
    Ok(())
}

#[test]
fn allocations_in_a_loop_do_not_grow_memory() -> Result<(), Error> {
    let (_fake, device) = cuda(2);
    let stream = Stream::new(&device)?;
    let from = Array::full(&device, 256, 2.0f32)?;
    let mut used = None;
    for round in 0..100 {
        let mut to = Array::<f32>::zeros(&device, 256)?;
        copy::on(&stream).launch(256, &from, &mut to)?;
        assert_eq!(to.get(round)?, 2.0);
        drop(to);
        let now = warp::cuda::backend(&device).unwrap().device().memory_use().bytes;
        assert_eq!(*used.get_or_insert(now), now, "round {round}");
    }
    Ok(())
}

/// What goes in a thread's last destructors, when its other thread-local values may be gone.
struct Last(Option<(Array<f32>, Stream, Event, Graph)>);

impl Drop for Last {
    fn drop(&mut self) {
        let Some((mut a, stream, ..)) = self.0.take() else { return };
        stream.scope(|| add_one::launch(5, &mut a)).expect("a launch in its stream works");
        add_one::on(&stream).launch(5, &mut a).expect("and by its name");
        assert_eq!(a.to_vec().expect("both can be read"), [5.0; 5]);
    }
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

#[test]
fn arrays_streams_and_graphs_may_go_with_their_thread() -> Result<(), Error> {
    let (_fake, cuda) = cuda(1);
    for device in [Device::cpu_with_threads(1), cuda] {
        let work = || {
            // First of all, so that it goes after what the library keeps for the thread.
            LAST.set(None);
            let stream = Stream::new(&device)?;
            let mut a = Array::<f32>::zeros(&device, 5)?;
            let (graph, ()) = stream.capture(|| add_one::launch(5, &mut a))?;
            graph.launch()?;
            stream.scope(|| add_one::launch(5, &mut a))?;
            let (told, _profile) = warp::profile(|| graph.launch());
            told?;
            LAST.set(Some(Last(Some((a, stream.clone(), stream.record()?, graph)))));
            Ok::<(), Error>(())
        };
        std::thread::scope(|s| s.spawn(work).join().expect("nothing panics"))?;
        device.check()?;
        assert_eq!(device.memory().now, 0);
    }
    Ok(())
}
