//! All that streams do, mixed at random, on two devices: what comes out is what comes out where nothing is queued.

use warp::prelude::*;
use warp::{Error, Event, Graph};

use super::{add_one, copy, two};

const N: usize = 12;
const ARRAYS: usize = 8;

#[kernel]
fn mix(a: &[f32], b: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = 0.5 * a[i] - 0.25 * b[i] + 0.125 * out[i];
}

#[kernel]
fn square(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * a[i];
}

#[kernel]
fn turned(a: View2<f32>, mut out: ViewMut2<f32>) {
    let (i, j) = tid2();
    out[(j, i)] = a[(i, j)] + 1.0;
}

/// Numbers from a seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// What there is on the way: arrays by turns on each device, three streams of each, graphs and events of some of them.
struct World {
    devices: [Device; 2],
    arrays: Vec<Array<f32>>,
    streams: [Vec<Stream>; 2],
    graphs: Vec<Graph>,
    events: Vec<Event>,
    seen: Vec<Vec<f32>>,
    random: Numbers,
}

impl World {
    fn new(devices: [Device; 2], seed: u64) -> Result<World, Error> {
        let array = |k: usize| Array::from_fn(&devices[k % 2], N, |[i]| (k * N + i) as f32);
        let arrays = (0..ARRAYS).map(array).collect::<Result<_, _>>()?;
        let streams = |device| Ok::<_, Error>(vec![Stream::of(device), Stream::new(device)?, Stream::new(device)?]);
        let streams = [streams(&devices[0])?, streams(&devices[1])?];
        Ok(World { devices, arrays, streams, graphs: vec![], events: vec![], seen: vec![], random: Numbers(seed) })
    }

    /// A stream of a device.
    fn stream(&mut self, device: usize) -> Stream {
        self.streams[device][self.random.below(3)].clone()
    }

    /// Some work on an array, which it takes out meanwhile, and another one of its device.
    fn step(&mut self, step: usize) -> Result<(), Error> {
        let (to, away) = (self.random.below(ARRAYS), 2 * (1 + self.random.below(ARRAYS / 2 - 1)));
        let (from, device) = ((to + away) % ARRAYS, to % 2);
        let stream = self.stream(device);
        let nothing = Array::zeros(&self.devices[device], 0)?;
        let mut target = std::mem::replace(&mut self.arrays[to], nothing);
        let source = &self.arrays[from];
        match self.random.below(14) {
            0 => mix::on(&stream).launch(N, source, source, &mut target)?,
            1 => stream.scope(|| target.copy_from(source))?,
            2 => stream.scope(|| target.copy_from(&self.arrays[(to + 1) % ARRAYS]))?,
            3 => stream.scope(|| target.fill(step as f32))?,
            4 => stream.scope(|| target.set(step % N, -1.0))?,
            5 => self.seen.push(stream.scope(|| target.to_vec())?),
            6 => self.graphs.push(recorded(&stream, source, &mut target)?),
            7 | 8 => self.replay(&mut target, step)?,
            9 => in_parts(&self.streams[device], &mut target, step)?,
            10 => target = replaced(&self.streams[device], target, step)?,
            11 => self.mark(device)?,
            12 => stream.scope(|| gradient(&self.streams[device], source, &mut target))?,
            _ => {
                let mut out = Array::<f32, 2>::zeros(&self.devices[device], [4, 3])?;
                turned::on(&stream).launch((3, 4), &*target.reshape([3, 4])?, &mut out)?;
                target.copy_from(&*out.reshape([N])?)?;
            }
        }
        self.arrays[to] = target;
        Ok(())
    }

    /// Launches a graph, gives it other work, or drops it.
    fn replay(&mut self, target: &mut Array<f32>, step: usize) -> Result<(), Error> {
        let Some(at) = (!self.graphs.is_empty()).then(|| self.random.below(self.graphs.len())) else { return Ok(()) };
        let device = usize::from(*self.graphs[at].device() == self.devices[1]);
        let (first, second) = (self.stream(device), self.stream(device));
        let graph = &mut self.graphs[at];
        graph.launch_on(&first)?;
        graph.launch_on(&second)?;
        match step % 4 {
            0 if graph.device() == target.device() => graph.update(|| {
                add_one::launch(step % N, target)?;
                if step.is_multiple_of(3) { target.fill(step as f32) } else { target.set(0, 0.5) }
            }),
            1 if self.graphs.len() > 4 => {
                self.graphs.swap_remove(at);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Records an event, has a stream of some device wait for one, or puts a new stream in the place of one.
    fn mark(&mut self, device: usize) -> Result<(), Error> {
        let event = self.stream(device).record()?;
        self.events.push(event);
        let (at, other) = (self.random.below(self.events.len()), self.random.below(2));
        self.stream(other).wait(&self.events[at])?;
        if self.events.len() > 5 {
            self.events.swap_remove(at).synchronize()?;
            self.streams[device][2] = Stream::new(&self.devices[device])?;
        }
        Ok(())
    }
}

fn recorded(stream: &Stream, source: &Array<f32>, target: &mut Array<f32>) -> Result<Graph, Error> {
    let (graph, ()) = stream.capture(|| {
        add_one::launch(N, target)?;
        mix::launch(N, source, source, target)?;
        let kept = target.try_clone()?;
        target.fill(3.0)?;
        copy::launch(N - 1, &kept, target)
    })?;
    Ok(graph)
}

fn in_parts(streams: &[Stream], target: &mut Array<f32>, step: usize) -> Result<(), Error> {
    let part = target.slice_mut(step % N..)?.len();
    add_one::on(&streams[0]).launch(part, &mut *target.slice_mut(step % N..)?)?;
    let (mut low, mut high) = target.split_at_mut(N / 2)?;
    streams[1].scope(|| low.copy_from(&high))?;
    streams[2].scope(|| high.fill(4.0))
}

/// An array in the place of another, which goes with work on it under way.
fn replaced(streams: &[Stream], mut old: Array<f32>, step: usize) -> Result<Array<f32>, Error> {
    let mut new = streams[1].scope(|| Array::full(old.device(), N, step as f32))?;
    add_one::on(&streams[2]).launch(N, &mut old)?;
    mix::on(&streams[0]).launch(N, &old, &old, &mut new)?;
    Ok(new)
}

fn gradient(streams: &[Stream], source: &Array<f32>, target: &mut Array<f32>) -> Result<(), Error> {
    let (x, mut y) = (source.try_clone()?, target.try_clone()?);
    let tape = Tape::record(|| {
        square::on(&streams[1]).launch(N, &x, &mut y)?;
        add_one::on(&streams[2]).launch(N, &mut y)
    })?;
    tape.backward_with([(&y, &Array::full(target.device(), N, 1.0f32)?)])?;
    target.copy_from(&x.grad()?)
}

/// The bits of all that was seen on the way, and of all arrays in the end.
fn wander(devices: [Device; 2], seed: u64, steps: usize) -> Result<Vec<Vec<u32>>, Error> {
    let mut world = World::new(devices, seed)?;
    (0..steps).try_for_each(|step| world.step(step))?;
    for array in &world.arrays {
        world.seen.push(array.to_vec()?);
    }
    world.devices.iter().try_for_each(Device::check)?;
    Ok(world.seen.iter().map(|values| values.iter().map(|value| value.to_bits()).collect()).collect())
}

fn plain(seed: u64, steps: usize) -> Vec<Vec<u32>> {
    let devices = [Device::cpu_with_threads(1), Device::cpu_with_threads(1)];
    wander(devices, seed, steps).expect("all of it is allowed")
}

#[test]
fn streams_graphs_and_events_of_two_devices_change_no_bit() -> Result<(), Error> {
    for seed in 1..=60 {
        let (_fake, devices) = two(seed);
        assert_eq!(wander(devices.clone(), seed, 60)?, plain(seed, 60), "seed {seed}");
        assert_eq!(devices.map(|device| device.memory().now), [0, 0], "seed {seed}");
    }
    Ok(())
}

#[test]
fn threads_that_share_devices_change_no_bit_of_each_other() {
    for seed in 1..=8 {
        let (_fake, devices) = two(seed);
        std::thread::scope(|s| {
            for thread in 0..3 {
                let (devices, seed) = (devices.clone(), 100 * seed + thread);
                s.spawn(move || {
                    let found = wander(devices, seed, 40).expect("all of it is allowed");
                    assert_eq!(found, plain(seed, 40), "seed {seed}");
                });
            }
        });
    }
}
