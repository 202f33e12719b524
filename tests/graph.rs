//! Graphs: recorded once, run again, with the memory and the faults of plain launches.

use warp::prelude::*;
use warp::{Error, FaultKind, SoaArray, Tangents, capture_output};
use warp_test_devices::{device, on_every_device};

/// Particles in a bowl: each step reads what the step before left.
#[kernel]
fn roll(at: &mut [Vec3], speed: &mut [Vec3], dt: f32) {
    let i = tid();
    let pull = -(at[i] * (1.0 + at[i].length_squared()));
    speed[i] += pull * dt;
    at[i] += speed[i] * dt;
}

#[kernel]
fn add_one(a: &mut [f32]) {
    a[tid()] += 1.0;
}

#[kernel]
fn copy(from: &[f32], to: &mut [f32]) {
    let i = tid();
    to[i] = from[i];
}

#[kernel]
fn spoken(a: &[f32]) {
    println!("a[{}] = {}", tid(), a[tid()]);
}

#[kernel]
fn scaled(a: &mut [f32], by: f32) {
    a[tid()] *= by;
}

#[kernel]
fn moved(a: &mut Soa<Vec3>) {
    let i = tid();
    let here = a[i];
    a[i] = here + Vec3::X;
}

fn particles(device: &Device) -> Result<(Array<Vec3>, Array<Vec3>), Error> {
    let place = |k: usize| Vec3::new((k as f32).sin(), 0.1 * k as f32, 1.0 / (k as f32 + 1.0));
    let at: Vec<Vec3> = (0..257).map(place).collect();
    Ok((Array::from_slice(device, &at)?, Array::zeros(device, 257)?))
}

#[test]
fn a_thousand_steps_have_the_bits_of_plain_launches() -> Result<(), Error> {
    let device = Device::cpu();
    let (mut at, mut speed) = particles(&device)?;
    let (mut plain_at, mut plain_speed) = particles(&device)?;
    let (graph, ()) = device.capture(|| (0..10).try_for_each(|_| roll::launch(257, &mut at, &mut speed, 0.01)))?;
    assert_eq!(at.to_vec()?, plain_at.to_vec()?, "nothing has run");
    for _ in 0..100 {
        graph.launch()?;
    }
    for _ in 0..1000 {
        roll::launch(257, &mut plain_at, &mut plain_speed, 0.01)?;
    }
    let bits = |a: &Array<Vec3>| -> Vec<[u32; 3]> {
        a.to_vec().unwrap().iter().map(|v| v.to_array().map(f32::to_bits)).collect()
    };
    assert_eq!(bits(&at), bits(&plain_at));
    assert_eq!(bits(&speed), bits(&plain_speed));
    assert_eq!(graph.len(), 10);
    assert_eq!(graph.to_string().lines().next(), Some("kernel `roll` over 257 threads"));
    Ok(())
}

#[test]
fn recorded_memory_ends_with_the_last_of_graph_and_array() -> Result<(), Error> {
    // A device of its own, whose memory no other test takes.
    let device = Device::new(std::sync::Arc::new(warp_cpu::Cpu::with_threads(1)));
    let n = 1 << 12;
    let mut x = Array::from_fn(&device, n, |[k]| k as f32)?;
    let mut flat = None;
    for round in 0..200 {
        let (graph, kept) = device.capture(|| {
            let mut t = x.try_clone()?;
            add_one::launch(n, &mut t)?;
            Ok::<_, Error>(t)
        })?;
        x.set(7, round as f32)?;
        graph.launch()?;
        graph.launch()?;
        assert_eq!(kept.get(7)?, round as f32 + 1.0, "the copy is a part of the graph");
        match round % 2 {
            0 => {
                drop(graph);
                assert_eq!(kept.get(9)?, 10.0);
            }
            _ => {
                drop(kept);
                graph.launch()?;
            }
        }
        let now = device.memory().now;
        assert_eq!(*flat.get_or_insert(now), now, "round {round}");
    }
    assert!(device.memory().peak >= 2 * 4 * n);
    Ok(())
}

#[on_every_device]
fn arrays_made_inside_start_anew_each_time() -> Result<(), Error> {
    let device = device();
    let (graph, (zeros, ones, given, filled, planes)) = device.capture(|| {
        let mut zeros = Array::<f32>::zeros(&device, 5)?;
        let mut ones = Array::full(&device, 5, 1.0f32)?;
        let mut given = Array::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
        let mut filled = Array::<f32>::zeros(&device, 5)?;
        filled.fill(9.0)?;
        filled.set(2, 4.0)?;
        let mut planes = SoaArray::from_slice(&device, &[Vec3::ONE; 5])?;
        for a in [&mut zeros, &mut ones, &mut given, &mut filled] {
            add_one::launch(5, a)?;
        }
        moved::launch(5, &mut planes)?;
        Ok::<_, Error>((zeros, ones, given, filled, planes))
    })?;
    for _ in 0..3 {
        graph.launch()?;
        assert_eq!(zeros.to_vec()?, [1.0; 5]);
        assert_eq!(ones.to_vec()?, [2.0; 5]);
        assert_eq!(given.to_vec()?, [2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(filled.to_vec()?, [10.0, 10.0, 5.0, 10.0, 10.0]);
        assert_eq!(planes.to_vec()?, [Vec3::new(2.0, 1.0, 1.0); 5]);
    }
    Ok(())
}

/// A type of which zeros are no value.
#[derive(Struct, Clone, Copy, PartialEq, Debug)]
#[repr(u8)]
enum Phase {
    Solid = 1,
    Fluid = 2,
}

#[on_every_device]
fn arrays_made_inside_have_values_at_once() -> Result<(), Error> {
    let device = device();
    let phases = [Phase::Fluid, Phase::Solid, Phase::Fluid];
    let outside = Array::from_slice(&device, &phases)?;
    let (_graph, (given, full, copied, planes)) = device.capture(|| {
        let given = Array::from_slice(&device, &phases)?;
        let full = Array::full(&device, 3, Phase::Solid)?;
        let copied = outside.try_clone()?;
        Ok::<_, Error>((given, full, copied, SoaArray::from_slice(&device, &phases)?))
    })?;
    assert_eq!(given.to_vec()?, phases);
    assert_eq!(full.to_vec()?, [Phase::Solid; 3]);
    assert_eq!(copied.to_vec()?, phases);
    assert_eq!(planes.to_vec()?, phases);
    Ok(())
}

#[kernel]
fn length_of(a: &Soa<Vec3>, out: &mut [f32]) {
    let i = tid();
    out[i] = a[i].length();
}

#[kernel]
fn descend(slope: &Soa<Vec3>, a: &mut Soa<Vec3>) {
    let i = tid();
    let here = a[i];
    a[i] = here - slope[i];
}

#[on_every_device]
fn gradients_of_planes_are_copied_each_time() -> Result<(), Error> {
    let device = device();
    let mut a = SoaArray::from_slice(&device, &[Vec3::X * 3.0, Vec3::Y * 5.0])?;
    let mut lengths = Array::<f32>::zeros(&device, 2)?;
    let tape = Tape::record(|| length_of::launch(2, &a, &mut lengths))?;
    tape.backward_with([(&lengths, &Array::full(&device, 2, 1.0f32)?)])?;
    let (graph, ()) = device.capture(|| {
        let slope = a.grad()?;
        descend::launch(2, &slope, &mut a)
    })?;
    graph.launch()?;
    graph.launch()?;
    assert_eq!(a.to_vec()?, [Vec3::X, Vec3::Y * 3.0]);
    Ok(())
}

/// A read of all of an array and a write of a part of it, in one graph: the rest is as it was for tapes.
#[on_every_device]
fn what_a_graph_only_reads_is_not_written() -> Result<(), Error> {
    let device = device();
    let mut a = Array::full(&device, 8, 2.0f32)?;
    let (mut out, mut loss) = (Array::<f32>::zeros(&device, 8)?, Array::<f32>::zeros(&device, 2)?);
    let tape = Tape::record(|| copy::launch(2, &*a.slice(6..8)?, &mut loss))?;
    let (graph, ()) = device.capture(|| {
        copy::launch(8, &a, &mut out)?;
        add_one::launch(1, &mut *a.slice_mut(0..1)?)
    })?;
    let squares = Tape::record(|| squared::launch(2, &*a.slice(6..8)?, &mut loss))?;
    graph.launch()?;
    tape.backward_with([(&loss, &Array::full(&device, 2, 1.0f32)?)])?;
    squares.backward_with([(&loss, &Array::full(&device, 2, 1.0f32)?)])?;
    assert_eq!(a.grad()?.to_vec()?[6..], [4.0, 4.0]);
    Ok(())
}

#[kernel]
fn squared(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * a[i];
}

#[on_every_device]
fn graphs_are_updated_and_put_into_graphs() -> Result<(), Error> {
    let device = device();
    let mut a = Array::full(&device, 3, 1.0f32)?;
    let (mut double, ()) = device.capture(|| scaled::launch(3, &mut a, 2.0))?;
    let (twice, ()) = device.capture(|| {
        double.launch()?;
        double.launch()
    })?;
    twice.launch()?;
    assert_eq!(a.to_vec()?, [4.0; 3]);
    double.update(|| scaled::launch(3, &mut a, 10.0))?;
    double.launch()?;
    assert_eq!(a.to_vec()?, [40.0; 3]);
    twice.launch()?;
    assert_eq!(a.to_vec()?, [160.0; 3], "it has the work that it was given");
    let failed = double.update(|| {
        scaled::launch(3, &mut a, 0.0)?;
        Err::<(), Error>(Error::Unavailable("no".into()))
    });
    assert_eq!(failed.unwrap_err().to_string(), "no");
    double.launch()?;
    assert_eq!(a.to_vec()?, [1600.0; 3]);
    Ok(())
}

#[test]
fn faults_and_prints_are_those_of_plain_launches() -> Result<(), Error> {
    let device = Device::cpu();
    let (from, mut to) = (Array::full(&device, 2, 5.0f32)?, Array::<f32>::zeros(&device, 4)?);
    let mut after = Array::<f32>::zeros(&device, 1)?;
    let (graph, ()) = device.capture(|| {
        copy::launch(4, &from, &mut to)?;
        add_one::launch(1, &mut after)
    })?;
    let Err(Error::Fault(fault)) = graph.launch() else { panic!("two threads find nothing") };
    assert_eq!((fault.thread, fault.count), (2, 2));
    assert_eq!(fault.kind, FaultKind::Index { array: "from".into(), dim: None, index: 2, extent: 2 });
    assert_eq!(after.to_vec()?, [0.0], "what comes behind does not run");

    let (graph, ()) = device.capture(|| spoken::launch(2, &from))?;
    let (done, text) = capture_output(|| graph.launch().and_then(|()| graph.launch()));
    done?;
    assert_eq!(text, "a[0] = 5\na[1] = 5\n".repeat(2));
    Ok(())
}

#[test]
fn what_needs_results_is_refused() -> Result<(), Error> {
    let (device, other) = (Device::cpu(), Device::new(std::sync::Arc::new(warp_cpu::Cpu::with_threads(1))));
    let mut a = Array::full(&device, 3, 1.0f32)?;
    let mut far = Array::full(&other, 3, 1.0f32)?;
    let tape = Tape::record(|| add_one::launch(3, &mut a))?;
    let said = |body: &mut dyn FnMut() -> Result<(), Error>| device.capture(body).unwrap_err().to_string();
    let nothing = "is not possible while a graph is captured: nothing runs before `graph.launch()`";
    for (doing, body) in [
        ("reading an array", &mut || a.to_vec().map(drop) as Result<(), Error>),
        ("reading an array", &mut || a.get(0).map(drop)),
        ("reading in place", &mut || a.read().map(drop)),
        ("going back along a tape", &mut || tape.backward(&a)),
        ("capturing another graph", &mut || device.capture(|| Ok::<_, Error>(())).map(drop)),
        ("computing tangents", &mut || Tangents::new().run(|| Ok(()))),
        ("seeding tangents", &mut || Tangents::new().seed(&a, &a)),
        ("recording a function on a tape", &mut || {
            let mut out = Array::<f32>::zeros(&device, 3)?;
            Tape::record(|| warp::record_fn("f", (&a,), (&mut out,), |_, _| Ok(()), |_| Ok(()))).map(drop)
        }),
        ("copying elements that lie apart, or on another device,", &mut || {
            Array::<f32>::zeros(&device, 3)?.copy_from(&far)
        }),
    ] as [(&str, &mut dyn FnMut() -> Result<(), Error>); 9]
    {
        let found = said(body);
        assert!(found.starts_with(&format!("{doing} {nothing}")), "{found}");
    }
    assert_eq!(
        said(&mut || add_one::launch(3, &mut far)),
        "kernel `add_one` over 3 threads is for device cpu#2, and the graph that is captured for device cpu: do that work \
         outside, or capture a graph of each device"
            .replace("cpu#2", other.name())
            .replace("device cpu:", &format!("device {device}:"))
    );
    let mixed = said(&mut || copy::launch(3, &a, &mut far));
    assert!(mixed.contains("argument `to` is on device") && mixed.contains("argument `from` on device"), "{mixed}");
    let taped = said(&mut || Tape::record(|| copy::launch(0, &a, &mut far)).map(drop));
    assert!(taped.contains("is on device"), "{taped}");
    let mut b = Array::<f32>::zeros(&device, 3)?;
    let taped = said(&mut || Tape::record(|| copy::launch(3, &a, &mut b)).map(drop));
    assert!(taped.starts_with("a graph cannot be captured or launched while a tape records"), "{taped}");

    let (graph, ()) = device.capture(|| add_one::launch(3, &mut a))?;
    let taped = Tape::record(|| graph.launch()).unwrap_err().to_string();
    assert!(taped.contains("while a tape records, which would not see them"), "{taped}");
    let tangents = Tangents::new().run(|| graph.launch()).unwrap_err().to_string();
    assert!(tangents.contains("while tangents run"), "{tangents}");
    let guard = a.read()?;
    assert!(matches!(graph.launch(), Err(Error::Busy { write: true })));
    drop(guard);
    graph.launch()?;
    assert_eq!(a.to_vec()?, [3.0; 3]);
    assert_eq!(far.to_vec()?, [1.0; 3]);
    Ok(())
}

/// A tape that needs what a graph overwrote afterwards must not go back with other numbers.
#[on_every_device]
fn tapes_notice_what_graphs_write() -> Result<(), Error> {
    let device = device();
    let mut a = Array::full(&device, 3, 2.0f32)?;
    let mut loss = Array::<f32>::zeros(&device, 1)?;
    let (graph, ()) = device.capture(|| add_one::launch(3, &mut a))?;
    #[kernel]
    fn squared(a: &[f32], out: &mut [f32]) {
        atomic_add(&mut out[0], a[tid()] * a[tid()]);
    }
    let tape = Tape::record(|| squared::launch(3, &a, &mut loss))?;
    graph.launch()?;
    let error = tape.backward(&loss).unwrap_err().to_string();
    assert!(error.contains("`a`") && error.contains("written outside the tape"), "{error}");
    Ok(())
}

#[on_every_device]
fn a_panic_ends_the_recording() -> Result<(), Error> {
    let device = device();
    let mut a = Array::full(&device, 3, 2.0f32)?;
    let body = std::panic::AssertUnwindSafe(|| device.capture(|| -> Result<(), Error> { panic!("out") }));
    assert!(std::panic::catch_unwind(body).is_err());
    add_one::launch(3, &mut a)?;
    assert_eq!(a.to_vec()?, [3.0; 3]);
    Ok(())
}

#[test]
fn graphs_run_on_other_threads() -> Result<(), Error> {
    let device = Device::cpu();
    let mut arrays: Vec<Array<f32>> = (0..4).map(|_| Array::zeros(&device, 100)).collect::<Result<_, _>>()?;
    let graphs = arrays
        .iter_mut()
        .map(|a| Ok(device.capture(|| add_one::launch(100, a))?.0))
        .collect::<Result<Vec<_>, Error>>()?;
    std::thread::scope(|s| {
        for graph in &graphs {
            s.spawn(move || (0..250).for_each(|_| graph.launch().unwrap()));
        }
    });
    for a in &arrays {
        assert_eq!(a.to_vec()?, [250.0; 100]);
    }
    Ok(())
}
