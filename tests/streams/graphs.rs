//! Graphs as graphs of the driver.

use warp::prelude::*;
use warp::{Error, capture_output};

use super::{add_one, copy, cuda};

/// Particles in a bowl: each step reads what the step before left.
#[kernel]
fn roll(at: &mut [Vec3], speed: &mut [Vec3], dt: f32) {
    let i = tid();
    let pull = -(at[i] * (1.0 + at[i].length_squared()));
    speed[i] += pull * dt;
    at[i] += speed[i] * dt;
}

#[kernel]
fn scaled(a: &mut [f32], by: f32) {
    a[tid()] *= by;
}

#[kernel]
fn say(a: &[f32]) {
    println!("{}", a[tid()]);
}

fn bits(a: &Array<Vec3>) -> Result<Vec<[u32; 3]>, Error> {
    Ok(a.to_vec()?.iter().map(|v| v.to_array().map(f32::to_bits)).collect())
}

fn particles(device: &Device, n: usize) -> Result<(Array<Vec3>, Array<Vec3>), Error> {
    let place = |k: usize| Vec3::new((k as f32).sin(), 0.1 * k as f32, 1.0 / (k as f32 + 1.0));
    let at: Vec<Vec3> = (0..n).map(place).collect();
    Ok((Array::from_slice(device, &at)?, Array::zeros(device, n)?))
}

#[test]
fn a_thousand_steps_have_the_bits_of_plain_launches() -> Result<(), Error> {
    const N: usize = 19;
    let cpu = Device::cpu();
    let (mut plain_at, mut plain_speed) = particles(&cpu, N)?;
    for _ in 0..2000 {
        roll::launch(N, &mut plain_at, &mut plain_speed, 0.01)?;
    }
    let (fake, device) = cuda(4);
    let (mut at, mut speed) = particles(&device, N)?;
    // Captured once with all its steps, and launched twice.
    let (graph, ()) = device.capture(|| (0..1000).try_for_each(|_| roll::launch(N, &mut at, &mut speed, 0.01)))?;
    graph.launch()?;
    assert_eq!(fake.live().execs, 1, "it is a graph of the driver");
    let before = fake.calls();
    graph.launch()?;
    assert!(fake.calls() - before < 30, "a launch of a graph makes {} calls", fake.calls() - before);
    assert_eq!((bits(&at)?, bits(&speed)?), (bits(&plain_at)?, bits(&plain_speed)?));
    Ok(())
}

#[test]
fn all_kinds_of_work_are_replayed() -> Result<(), Error> {
    let (_fake, device) = cuda(9);
    let streams = [Stream::new(&device)?, Stream::new(&device)?];
    let source = Array::from_fn(&device, 100, |[k]| k as f32)?;
    let (graph, (copied, mut filled, vectors, given)) = streams[0].capture(|| {
        let mut copied = source.try_clone()?;
        add_one::launch(100, &mut copied)?;
        let filled = Array::full(&device, 9000, 2.5f32)?;
        let mut vectors = Array::<Vec3>::zeros(&device, 1001)?;
        vectors.fill(Vec3::new(1.0, 2.0, 3.0))?;
        let given = Array::from_slice(&device, &[1u8, 2, 3])?;
        Ok::<_, Error>((copied, filled, vectors, given))
    })?;
    for round in 0..4 {
        filled.fill(0.0)?;
        graph.launch_on(&streams[round % 2])?;
        assert_eq!(copied.to_vec()?, (1..101).map(|k| k as f32).collect::<Vec<_>>());
        assert_eq!(filled.to_vec()?, [2.5; 9000]);
        assert_eq!(vectors.to_vec()?, [Vec3::new(1.0, 2.0, 3.0); 1001]);
        assert_eq!(given.to_vec()?, [1, 2, 3]);
    }
    Ok(())
}

#[test]
fn an_update_takes_other_values_and_other_work() -> Result<(), Error> {
    let (fake, device) = cuda(6);
    let mut a = Array::full(&device, 3, 1.0f32)?;
    let (mut graph, ()) = device.capture(|| scaled::launch(3, &mut a, 2.0))?;
    graph.launch()?;
    graph.update(|| scaled::launch(3, &mut a, 5.0))?;
    graph.launch()?;
    assert_eq!(a.to_vec()?, [10.0; 3]);
    assert_eq!(fake.live().execs, 1);
    // Of another form.
    graph.update(|| scaled::launch(3, &mut a, 0.5).and_then(|()| add_one::launch(2, &mut a)))?;
    graph.launch()?;
    assert_eq!(a.to_vec()?, [6.0, 6.0, 5.0]);
    assert_eq!(fake.live().execs, 1);
    graph.update(|| Ok::<(), Error>(()))?;
    graph.launch()?;
    assert_eq!(a.to_vec()?, [6.0, 6.0, 5.0]);
    Ok(())
}

#[test]
fn faults_of_graphs_are_told_and_each_launch_starts_anew() -> Result<(), Error> {
    let (_fake, device) = cuda(8);
    let streams = [Stream::new(&device)?, Stream::new(&device)?];
    let (mut a, mut b) = (Array::<f32>::zeros(&device, 4)?, Array::<f32>::zeros(&device, 4)?);
    let (bad, ()) = device.capture(|| {
        add_one::launch(4, &mut a)?;
        copy::launch(6, &a, &mut b)?;
        add_one::launch(5, &mut a)
    })?;
    for stream in streams.iter().chain(&streams) {
        bad.launch_on(stream)?;
        let Err(Error::Fault(fault)) = stream.synchronize() else { panic!("two threads find nothing") };
        assert_eq!((&fault.kernel[..], fault.thread, fault.count), ("copy", 4, 2));
        device.check()?;
    }
    assert_eq!(a.to_vec()?, [8.0; 4]);
    // Ten launches of one kernel: the first that stops is told, with its own threads.
    let mut few = Array::<f32>::zeros(&device, 2)?;
    let (often, ()) = streams[0].capture(|| {
        add_one::launch(2, &mut few)?;
        (1..10).try_for_each(|k| add_one::launch(2 + k, &mut few))
    })?;
    often.launch()?;
    let Err(Error::Fault(fault)) = streams[0].synchronize() else { panic!("nine of ten stop") };
    assert_eq!((fault.thread, fault.count), (2, 1));
    // Several in flight, of which one wait tells the first.
    bad.launch_on(&streams[0])?;
    bad.launch_on(&streams[1])?;
    let Err(Error::Fault(fault)) = device.check() else { panic!("both stopped") };
    assert_eq!((&fault.kernel[..], fault.count), ("copy", 2));
    device.check()
}

#[test]
fn a_graph_that_prints_is_launched_piece_by_piece() -> Result<(), Error> {
    let (fake, device) = cuda(0);
    let mut a = Array::full(&device, 1, 1.0f32)?;
    let (graph, ()) = device.capture(|| {
        add_one::launch(1, &mut a)?;
        say::launch(1, &a)
    })?;
    let (done, text) = capture_output(|| graph.launch().and_then(|()| graph.launch()));
    done?;
    assert_eq!((&text[..], fake.live().execs), ("2\n3\n", 0));
    let (done, profile) = warp::profile(|| graph.launch());
    done?;
    assert_eq!(profile.kernels().count(), 2);
    Ok(())
}

/// Recorded allocations end with the last of graph and array.
fn thrown_away(device: &Device, n: usize, rounds: usize, used: impl Fn() -> u64) -> Result<(), Error> {
    let x = Array::from_fn(device, n, |[k]| k as f32)?;
    let mut flat = None;
    for round in 0..rounds {
        let (graph, kept) = device.capture(|| {
            let mut t = x.try_clone()?;
            add_one::launch(n, &mut t)?;
            Ok::<_, Error>(t)
        })?;
        graph.launch()?;
        graph.launch()?;
        let found = kept.to_vec()?;
        assert!(found.iter().enumerate().all(|(k, found)| *found == k as f32 + 1.0), "round {round}");
        match round % 2 {
            0 => drop((kept, graph)),
            _ => drop((graph, kept)),
        }
        if round >= 10 {
            assert_eq!(*flat.get_or_insert(used()), used(), "round {round}");
        }
    }
    Ok(())
}

#[test]
fn graphs_recorded_and_thrown_away_do_not_grow_memory() -> Result<(), Error> {
    let cpu = Device::cpu_with_threads(1);
    thrown_away(&cpu, 1 << 20, 200, || cpu.memory().now as u64)?;
    let (fake, device) = cuda(3);
    let used = || {
        let live = fake.live();
        warp::cuda::backend(&device).unwrap().device().memory_use().bytes
            + (live.allocations + live.graphs + live.execs + live.events + live.streams)
    };
    thrown_away(&device, 64, 200, used)
}

#[test]
fn a_profile_sees_the_launches_of_a_graph() -> Result<(), Error> {
    let (fake, device) = cuda(2);
    let mut a = Array::<f32>::zeros(&device, 4)?;
    let (graph, ()) = device.capture(|| (0..3).try_for_each(|_| add_one::launch(4, &mut a)))?;
    graph.launch()?;
    assert_eq!(fake.live().execs, 1);
    let (done, profile) = warp::profile(|| graph.launch());
    done?;
    assert_eq!(profile.kernels().map(|kernel| kernel.launches).collect::<Vec<_>>(), [3]);
    assert_eq!(a.to_vec()?, [6.0; 4]);
    Ok(())
}

#[test]
fn what_a_graph_writes_is_waited_for_though_it_reads_it_later() -> Result<(), Error> {
    for seed in 0..10 {
        let (_fake, device) = cuda(seed);
        let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
        let [mut a, mut b, mut c] =
            [Array::<f32>::zeros(&device, 4)?, Array::zeros(&device, 4)?, Array::zeros(&device, 4)?];
        let (graph, ()) = stream.capture(|| add_one::launch(4, &mut a).and_then(|()| copy::launch(4, &a, &mut b)))?;
        graph.launch()?;
        copy::on(&other).launch(4, &a, &mut c)?;
        assert_eq!((c.to_vec()?, b.to_vec()?), (vec![1.0; 4], vec![1.0; 4]), "seed {seed}");
    }
    Ok(())
}

/// A kernel that writes nothing, so that no array puts its launches in order.
#[kernel]
fn all_small(a: &[f32]) {
    assert!(a[tid()] < 5.0);
}

/// Launches of one graph share its fault blocks: each is told its own fault, in whatever streams they are.
#[test]
fn a_graph_in_several_streams_loses_no_fault() -> Result<(), Error> {
    for seed in 0..20 {
        let (_fake, device) = cuda(seed);
        let streams = [Stream::new(&device)?, Stream::new(&device)?, Stream::new(&device)?];
        let a = Array::from_slice(&device, &[1.0f32, 2.0, 7.0, 3.0])?;
        let (graph, ()) = device.capture(|| all_small::launch(3, &a).and_then(|()| all_small::launch(2, &a)))?;
        for stream in &streams {
            graph.launch_on(stream)?;
        }
        let mut told = 0;
        for stream in &streams {
            match stream.synchronize() {
                Err(Error::Fault(fault)) => {
                    assert_eq!((fault.thread, fault.count), (2, 1), "seed {seed}");
                    told += 1;
                }
                // It came behind one that was told.
                other => other?,
            }
        }
        assert!(told > 0, "seed {seed}");
        graph.launch_on(&streams[1])?;
        graph.launch_on(&streams[2])?;
        streams[1].synchronize().expect_err("the first of two");
        streams[2].synchronize()?;
        graph.launch_on(&streams[2])?;
        streams[2].synchronize().expect_err("and once more");
    }
    Ok(())
}

/// What a graph brings along, bytes of the host and arguments that do not fit, stays until its last launch is done.
#[test]
fn a_graph_may_go_or_change_while_it_runs() -> Result<(), Error> {
    const N: usize = 1000;
    let values: Vec<f32> = (0..N).map(|k| k as f32).collect();
    for seed in 0..20 {
        let (_fake, device) = cuda(seed);
        let stream = Stream::new(&device)?;
        let (mut a, mut busy) = (Array::<f32>::zeros(&device, N)?, Array::<f32>::zeros(&device, 4)?);
        for changed in [false, true] {
            a.fill(0.0)?;
            let (mut graph, ()) = device.capture(|| a.copy_from_slice(&values))?;
            (0..20).try_for_each(|_| add_one::on(&stream).launch(4, &mut busy))?;
            graph.launch_on(&stream)?;
            let mut spare = Array::<f32>::zeros(&device, 8)?;
            match changed {
                false => drop(graph),
                true => {
                    graph.update(|| spare.copy_from_slice(&[1.0; 8]))?;
                    graph.launch_on(&Stream::of(&device))?;
                }
            }
            // In the memory that is free now, in the order of the device's own stream.
            let others: Vec<Array<f32>> = (0..8).map(|_| Array::full(&device, N, 9.0)).collect::<Result<_, _>>()?;
            Stream::of(&device).synchronize()?;
            assert_eq!(a.to_vec()?, values, "seed {seed}");
            drop(others);
        }
    }
    Ok(())
}

/// Making a graph of the driver disturbs nobody who waits for the device meanwhile.
#[test]
fn others_wait_while_graphs_are_made() -> Result<(), Error> {
    let (_fake, device) = cuda(3);
    std::thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                let mut a = Array::<f32>::zeros(&device, 8).unwrap();
                for round in 1..100 {
                    let (graph, ()) = device.capture(|| add_one::launch(8, &mut a)).unwrap();
                    graph.launch().unwrap();
                    assert_eq!(a.get(3).unwrap(), round as f32);
                }
            });
            s.spawn(|| (0..300).try_for_each(|_| device.check()).unwrap());
        }
    });
    Ok(())
}
