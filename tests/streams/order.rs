//! What arrays hold does not depend on streams.

use warp::Error;
use warp::prelude::*;
use warp_test_devices::{device, on_every_device};

use super::{add_one, copy, cuda, sum};

#[kernel]
fn mix(a: &[f32], b: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = 3.0 * a[i] - 2.0 * b[i];
}

/// Numbers from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// Launches, copies, fills and graphs on random arrays of five in random streams of three; host writes and reads between.
fn wander(device: &Device, streams: &[Stream], seed: u64, steps: usize) -> Result<Vec<Vec<f32>>, Error> {
    const N: usize = 37;
    let mut random = Numbers(seed);
    let mut arrays: Vec<Array<f32>> =
        (0..5).map(|k| Array::from_fn(device, N, |[i]| (k * N + i) as f32)).collect::<Result<_, _>>()?;
    let mut seen = vec![];
    for step in 0..steps {
        let stream = &streams[random.below(streams.len())];
        let (from, other, to) = (random.below(5), random.below(5), random.below(5));
        let mut target = std::mem::replace(&mut arrays[to], Array::zeros(device, N)?);
        match random.below(7) {
            0 if from != to && other != to => {
                mix::on(stream).launch(N, &arrays[from], &arrays[other], &mut target)?;
            }
            1 if from != to => stream.scope(|| target.copy_from(&arrays[from]))?,
            2 => stream.scope(|| target.fill(step as f32))?,
            3 => {
                let (graph, ()) = device.capture(|| add_one::launch(N, &mut target))?;
                graph.launch_on(stream)?;
                graph.launch()?;
            }
            4 => stream.scope(|| target.set(random.below(N), -1.0))?,
            5 => seen.push(stream.scope(|| target.to_vec())?),
            _ => add_one::on(device).stream(stream).launch(N, &mut target)?,
        }
        arrays[to] = target;
    }
    for array in &arrays {
        seen.push(array.to_vec()?);
    }
    device.check()?;
    Ok(seen)
}

#[test]
fn any_work_in_any_streams_gives_what_one_stream_gives() -> Result<(), Error> {
    let cpu = Device::cpu();
    for seed in 1..=60 {
        let expected = wander(&cpu, &[Stream::new(&cpu)?], seed, 40)?;
        let (_fake, device) = cuda(seed);
        let streams = [Stream::new(&device)?, Stream::new(&device)?, Stream::new(&device)?];
        assert_eq!(wander(&device, &streams, seed, 40)?, expected, "seed {seed}");
    }
    Ok(())
}

#[on_every_device]
fn a_stream_hands_on_to_another() -> Result<(), Error> {
    let device = device();
    let streams = [Stream::new(&device)?, Stream::new(&device)?];
    let (mut a, mut b) = (Array::<f32>::zeros(&device, 64)?, Array::<f32>::zeros(&device, 64)?);
    for round in 0..30 {
        add_one::on(&streams[round % 2]).launch(64, &mut a)?;
        copy::on(&device).stream(&streams[(round + 1) % 2]).launch(64, &a, &mut b)?;
    }
    assert_eq!(b.to_vec()?, [30.0; 64]);
    let mut total = Array::<f64>::zeros(&device, 1)?;
    streams[0].scope(|| sum::launch(64, &b, &mut total))?;
    assert_eq!(total.get(0)?, 30.0 * 64.0);
    Ok(())
}

#[on_every_device]
fn scopes_nest_and_end_with_a_panic() -> Result<(), Error> {
    let device = device();
    let (outer, inner) = (Stream::new(&device)?, Stream::new(&device)?);
    let mut a = Array::<f32>::zeros(&device, 8)?;
    outer.scope(|| {
        add_one::launch(8, &mut a)?;
        inner.scope(|| add_one::launch(8, &mut a))?;
        a.fill(a.get(3)? + 1.0)
    })?;
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| outer.scope(|| panic!("out"))));
    assert!(panicked.is_err());
    add_one::launch(8, &mut a)?;
    assert_eq!(a.to_vec()?, [4.0; 8]);
    assert_eq!(outer, outer.clone());
    assert_ne!(outer, inner);
    assert_eq!(outer.device(), &device);
    outer.synchronize()?;
    assert!(outer.is_done()?);
    Ok(())
}

#[on_every_device]
fn gradients_flow_in_streams() -> Result<(), Error> {
    let device = device();
    let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
    let a = Array::from_slice(&device, &[1.0f32, 2.0, 3.0])?;
    let (mut b, mut c) = (Array::<f32>::zeros(&device, 3)?, Array::<f32>::zeros(&device, 3)?);
    first.scope(|| b.fill(5.0))?;
    let tape = Tape::record(|| {
        mix::on(&first).launch(3, &a, &b, &mut c)?;
        second.scope(|| add_one::launch(3, &mut c))
    })?;
    second.scope(|| tape.backward_with([(&c, &Array::full(&device, 3, 1.0f32)?)]))?;
    assert_eq!(a.grad()?.to_vec()?, [3.0; 3]);
    assert_eq!(b.grad()?.to_vec()?, [-2.0; 3]);
    assert_eq!(c.to_vec()?, [-6.0, -3.0, 0.0]);
    Ok(())
}

#[test]
fn streams_of_other_devices_are_refused() -> Result<(), Error> {
    let ((_one, cuda), cpu) = (super::cuda(0), Device::cpu());
    let (here, far) = (Stream::new(&cuda)?, Stream::new(&cpu)?);
    let mut a = Array::<f32>::zeros(&cuda, 4)?;
    let said = add_one::on(&cuda).stream(&far).launch(4, &mut a).unwrap_err().to_string();
    assert!(said.starts_with("kernel `add_one`: the launch is for device cuda"), "{said}");
    assert!(said.contains("its stream is one of device cpu"), "{said}");
    let mixed = add_one::on(&far).launch(4, &mut a).unwrap_err().to_string();
    assert!(mixed.contains("argument `a` is on device cuda"), "{mixed}");
    let (graph, ()) = cuda.capture(|| add_one::launch(4, &mut a))?;
    let said = graph.launch_on(&far).unwrap_err().to_string();
    assert!(said.starts_with("the launch of a graph in a stream cannot be had: one is of device cpu"), "{said}");
    graph.launch_on(&here)?;
    assert_eq!(a.to_vec()?, [1.0; 4]);
    Ok(())
}

/// Halves of one array are written at once, each in a stream of its own by a thread of its own, beside readers of a third
/// part; whoever comes next waits for all of them.
#[test]
fn parts_are_used_at_once_and_none_is_forgotten() -> Result<(), Error> {
    for seed in 0..40 {
        let (_fake, device) = cuda(seed);
        let streams = [Stream::new(&device)?, Stream::new(&device)?, Stream::new(&device)?];
        let shared = Array::full(&device, 8, 5.0f32)?;
        let mut outs = [Array::<f32>::zeros(&device, 8)?, Array::<f32>::zeros(&device, 8)?, Array::zeros(&device, 8)?];
        let mut whole = Array::<f32>::zeros(&device, 48)?;
        for _ in 0..3 {
            let (mut low, mut high) = whole.split_at_mut(24)?;
            std::thread::scope(|s| {
                let parts = [(&mut low, &streams[0]), (&mut high, &streams[1])];
                for (part, stream) in parts {
                    s.spawn(move || add_one::on(stream).launch(24, part).unwrap());
                }
                for out in &mut outs {
                    // All in one stream, by several threads.
                    let (shared, stream) = (&shared, &streams[2]);
                    s.spawn(move || copy::on(stream).launch(8, shared, out).unwrap());
                }
            });
        }
        assert_eq!(whole.to_vec()?, [3.0; 48], "seed {seed}");
        let mut shared = shared;
        Stream::of(&device).scope(|| shared.fill(7.0))?;
        for out in &outs {
            assert_eq!(out.to_vec()?, [5.0; 8], "seed {seed}: they were read before they were written");
        }
    }
    Ok(())
}

#[kernel]
fn grow(a: &mut [f32], steps: &[u32]) {
    let i = tid();
    let mut x = a[i];
    for _ in 0..steps[i] {
        x = if x > 2.0 { x * 0.5 } else { x * x + 0.1 };
    }
    a[i] = x;
}

/// What a recorded launch writes for its way back lies in memory that the device's own stream zeroes.
#[test]
fn records_are_in_order_with_streams() -> Result<(), Error> {
    let gradient = |device: &Device, stream: &Stream| {
        let steps = Array::from_slice(device, &[3u32, 0, 7, 20])?;
        let start = Array::from_slice(device, &[0.5f32, 1.0, 1.5, 1.25])?;
        let mut a = Array::<f32>::zeros(device, 4)?;
        let mut busy = Array::<f32>::zeros(device, 64)?;
        for _ in 0..5 {
            add_one::launch(64, &mut busy)?;
        }
        let tape = Tape::record(|| {
            stream.scope(|| a.copy_from(&start))?;
            grow::on(stream).launch(4, &mut a, &steps)
        })?;
        tape.backward_with([(&a, &Array::full(device, 4, 1.0f32)?)])?;
        Ok::<_, Error>((start.grad()?.to_vec()?, a.to_vec()?))
    };
    let cpu = Device::cpu();
    let expected = gradient(&cpu, &Stream::new(&cpu)?)?;
    for seed in 0..20 {
        let (_fake, device) = cuda(seed);
        let stream = Stream::new(&device)?;
        assert_eq!(gradient(&device, &stream)?, expected, "seed {seed}");
    }
    Ok(())
}

/// Many short-lived streams that read one array leave nothing behind.
#[test]
fn streams_that_have_gone_are_forgotten() -> Result<(), Error> {
    let (fake, device) = cuda(1);
    let weights = Array::full(&device, 4, 2.0f32)?;
    for round in 0..200 {
        let stream = Stream::new(&device)?;
        let mut out = Array::<f32>::zeros(&device, 4)?;
        copy::on(&stream).launch(4, &weights, &mut out)?;
        assert_eq!(stream.scope(|| out.get(1))?, 2.0);
        let live = fake.live();
        assert!(live.streams < 20 && live.events < 40, "round {round}: {live:?}");
    }
    Ok(())
}
