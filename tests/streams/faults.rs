//! A fault is told by the next call that waits for its launch, once.

use warp::prelude::*;
use warp::{Error, FaultKind, capture_output};

use super::{add_one, copy, cuda};

#[kernel]
fn say(a: &[f32]) {
    println!("a[{}] = {}", tid(), a[tid()]);
}

#[kernel]
fn small(a: &[f32], limit: f32, out: &mut [f32]) {
    let i = tid();
    assert!(a[i] < limit, "{} is not small", a[i]);
    out[i] = a[i];
}

/// A launch over more threads than an array has elements.
fn reach_too_far(stream: &Stream, a: &mut Array<f32>, by: usize) -> Result<(), Error> {
    add_one::on(stream).launch(a.len() + by, a)
}

fn thread_of(told: Result<(), Error>) -> u64 {
    match told {
        Err(Error::Fault(fault)) => fault.thread,
        other => panic!("no fault: {other:?}"),
    }
}

#[test]
fn each_call_that_waits_tells() -> Result<(), Error> {
    let (_fake, device) = cuda(3);
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let mut a = Array::<f32>::zeros(&device, 5)?;
    for way in 0..6 {
        reach_too_far(&stream, &mut a, 2)?;
        let event = stream.record()?;
        let told = match way {
            0 => device.check(),
            1 => stream.synchronize(),
            2 => event.synchronize(),
            3 => a.to_vec().map(drop),
            4 => other.scope(|| a.get(1)).map(drop),
            _ => capture_output(|| say::launch(1, &a)).0,
        };
        let Err(Error::Fault(fault)) = told else { panic!("way {way}: {told:?}") };
        assert_eq!((fault.thread, fault.count, &fault.kernel[..]), (5, 2, "add_one"), "way {way}");
        assert_eq!(fault.kind, FaultKind::Index { array: "a".into(), dim: None, index: 5, extent: 5 });
        // Once, and the device goes on.
        device.check()?;
    }
    assert_eq!(a.to_vec()?, [6.0; 5], "the threads that found their element did their work");
    Ok(())
}

#[test]
fn a_wait_tells_what_other_streams_waited_for() -> Result<(), Error> {
    for seed in 0..20 {
        let (_fake, device) = cuda(seed);
        let [first, second, third, aside] =
            [Stream::new(&device)?, Stream::new(&device)?, Stream::new(&device)?, Stream::new(&device)?];
        let (mut a, mut b, mut c) =
            (Array::<f32>::zeros(&device, 4)?, Array::<f32>::zeros(&device, 4)?, Array::<f32>::zeros(&device, 4)?);
        let mut lonely = Array::<f32>::zeros(&device, 9)?;
        reach_too_far(&first, &mut a, 1)?;
        copy::on(&second).launch(4, &a, &mut b)?;
        reach_too_far(&aside, &mut lonely, 1)?;
        third.scope(|| c.copy_from(&b))?;
        assert_eq!(thread_of(third.synchronize()), 4, "the fault lies two streams back");
        assert_eq!(thread_of(aside.synchronize()), 9, "and this one had nothing to do with it");
        device.check()?;
    }
    Ok(())
}

#[test]
fn the_first_of_many_is_told_and_its_consequences_are_not() -> Result<(), Error> {
    let (fake, device) = cuda(1);
    let stream = Stream::new(&device)?;
    let mut a = Array::<f32>::zeros(&device, 4)?;
    // More than wait to be asked for at once.
    for round in 0..1500 {
        let by = if round < 700 { 0 } else { 1 + round % 3 };
        reach_too_far(&stream, &mut a, by)?;
    }
    let Err(Error::Fault(fault)) = stream.synchronize() else { panic!("most of them reach too far") };
    assert_eq!((fault.thread, fault.count), (4, 1 + 700 % 3));
    device.check()?;
    let live = fake.live();
    assert!(live.pinned < 40 && live.allocations < 40, "what waits to be asked for is bounded: {live:?}");
    assert_eq!(a.to_vec()?, [1500.0; 4]);
    Ok(())
}

#[test]
fn messages_are_those_of_the_cpu() -> Result<(), Error> {
    let told = |device: &Device| {
        let a = Array::from_slice(device, &[1.0f32, 2.0, 7.0, 9.0])?;
        let mut out = Array::<f32>::zeros(device, 4)?;
        let done = small::launch(4, &a, 5.0, &mut out).and_then(|()| device.check());
        assert_eq!(out.to_vec()?[..2], [1.0, 2.0]);
        Ok::<_, Error>(done.unwrap_err().to_string())
    };
    let (_fake, device) = cuda(5);
    let said = told(&device)?;
    assert_eq!(said, told(&Device::cpu())?);
    assert!(said.contains("7 is not small"), "{said}");
    Ok(())
}

#[test]
fn a_launch_that_prints_tells_what_came_before() -> Result<(), Error> {
    let (_fake, device) = cuda(0);
    let mut a = Array::<f32>::zeros(&device, 3)?;
    add_one::launch(4, &mut a)?;
    let (told, text) = capture_output(|| say::launch(3, &a));
    assert_eq!(thread_of(told), 3);
    assert_eq!(text, "a[0] = 1\na[1] = 1\na[2] = 1\n");
    say::launch(4, &a).expect_err("it prints, so that it waits, and tells of itself");
    device.check()
}

#[test]
fn what_waits_anyway_tells_at_once() -> Result<(), Error> {
    let (_fake, device) = cuda(0);
    let mut a = Array::<f32>::zeros(&device, 3)?;
    let recorded = Tape::record(|| add_one::launch(4, &mut a)).map(drop);
    assert_eq!(thread_of(recorded), 3);
    let (told, profile) = warp::profile(|| add_one::launch(4, &mut a));
    assert_eq!(thread_of(told), 3);
    assert_eq!(profile.kernels().count(), 1);
    let tangents = warp::Tangents::new().run(|| add_one::launch(4, &mut a));
    assert_eq!(thread_of(tangents.map(drop)), 3);
    device.check()
}

#[test]
fn a_dropped_stream_keeps_its_faults() -> Result<(), Error> {
    let (_fake, device) = cuda(7);
    let mut a = Array::<f32>::zeros(&device, 3)?;
    {
        let stream = Stream::new(&device)?;
        reach_too_far(&stream, &mut a, 1)?;
    }
    assert_eq!(thread_of(a.to_vec().map(drop)), 3);
    {
        let stream = Stream::new(&device)?;
        reach_too_far(&stream, &mut a, 2)?;
    }
    drop(a);
    assert_eq!(thread_of(device.check()), 3);
    Ok(())
}

#[test]
fn faults_that_have_nothing_to_do_with_each_other_are_all_told() -> Result<(), Error> {
    let (_fake, device) = cuda(2);
    let streams = [Stream::new(&device)?, Stream::new(&device)?, Stream::new(&device)?];
    let mut arrays = [Array::<f32>::zeros(&device, 3)?, Array::zeros(&device, 5)?, Array::zeros(&device, 7)?];
    for (stream, array) in streams.iter().zip(&mut arrays) {
        reach_too_far(stream, array, 1)?;
        // A consequence, perhaps.
        reach_too_far(stream, array, 2)?;
    }
    // The second stream is told of its own.
    assert_eq!(thread_of(streams[1].synchronize()), 5);
    assert_eq!(thread_of(device.check()), 3);
    assert_eq!(thread_of(device.check()), 7);
    device.check()?;
    // What somebody else waits for does not come out here.
    reach_too_far(&streams[0], &mut arrays[0], 1)?;
    while !streams[0].is_done()? {
        streams[0].record()?.is_done()?;
    }
    assert_eq!(arrays[2].to_vec()?.len(), 7);
    assert_eq!(thread_of(streams[0].synchronize()), 3);
    Ok(())
}

#[test]
fn a_launch_that_waits_tells_what_came_first() -> Result<(), Error> {
    let (_fake, device) = cuda(2);
    let (mut a, b) = (Array::<f32>::zeros(&device, 3)?, Array::<f32>::zeros(&device, 2)?);
    add_one::launch(4, &mut a)?;
    let (told, _) = capture_output(|| say::launch(4, &b));
    assert_eq!(thread_of(told), 3, "the other one came behind it");
    device.check()?;
    add_one::launch(4, &mut a)?;
    let (told, _) = warp::profile(|| copy::launch(3, &b, &mut a));
    assert_eq!(thread_of(told), 3);
    device.check()?;
    // A good step stands on the tape, though something before it was wrong.
    add_one::launch(4, &mut a)?;
    let mut out = Array::<f32>::zeros(&device, 2)?;
    let mut told = Ok(());
    let tape = Tape::record(|| {
        told = copy::launch(2, &b, &mut out);
        Ok::<(), Error>(())
    })?;
    assert_eq!(thread_of(told), 3);
    tape.backward_with([(&out, &Array::full(&device, 2, 1.0f32)?)])?;
    assert_eq!(b.grad()?.to_vec()?, [1.0; 2]);
    Ok(())
}

/// What was told is not told again by what came behind it and ends later.
#[test]
fn consequences_that_end_later_are_not_told() -> Result<(), Error> {
    let (_fake, device) = cuda(4);
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let mut a = Array::<f32>::zeros(&device, 3)?;
    let mut b = Array::<f32>::zeros(&device, 3)?;
    reach_too_far(&stream, &mut a, 1)?;
    let event = stream.record()?;
    reach_too_far(&stream, &mut a, 2)?;
    copy::on(&other).launch(4, &a, &mut b)?;
    assert_eq!(thread_of(event.synchronize()), 3);
    stream.synchronize()?;
    other.synchronize()?;
    device.check()
}

/// The order of faults is that in which the host asked for the launches, whichever is found first.
#[test]
fn the_first_fault_is_the_first_that_was_queued() -> Result<(), Error> {
    let (_fake, device) = cuda(5);
    let [first, second, aside] = [Stream::new(&device)?, Stream::new(&device)?, Stream::new(&device)?];
    let (mut a, mut b) = (Array::<f32>::zeros(&device, 3)?, Array::<f32>::zeros(&device, 5)?);
    reach_too_far(&first, &mut a, 1)?;
    reach_too_far(&second, &mut b, 1)?;
    while !second.is_done()? {}
    aside.synchronize()?;
    assert_eq!(thread_of(device.check()), 3);
    assert_eq!(thread_of(device.check()), 5);
    device.check()
}

/// A fault that the host could know of, and has told nobody, is not forgotten by who waited for it.
#[test]
fn a_fault_is_kept_while_many_other_streams_end() -> Result<(), Error> {
    let (_fake, device) = cuda(3);
    let (own, faulty) = (Stream::of(&device), Stream::new(&device)?);
    let (mut a, mut b) = (Array::<f32>::zeros(&device, 3)?, Array::<f32>::zeros(&device, 3)?);
    reach_too_far(&faulty, &mut a, 1)?;
    own.wait(&faulty.record()?)?;
    while !faulty.is_done()? {}
    for _ in 0..40 {
        let stream = Stream::new(&device)?;
        add_one::on(&stream).launch(3, &mut b)?;
        own.wait(&stream.record()?)?;
        while !stream.is_done()? {}
    }
    assert_eq!(thread_of(own.synchronize()), 3);
    device.check()
}

/// However many streams there were, each launch has its own place.
#[test]
fn faults_are_found_after_many_streams() -> Result<(), Error> {
    let (_fake, device) = cuda(6);
    let own = Stream::of(&device);
    let mut a = Array::<f32>::zeros(&device, 3)?;
    for round in 0..60 {
        let stream = Stream::new(&device)?;
        add_one::on(&stream).launch(3, &mut a)?;
        own.wait(&stream.record()?)?;
        add_one::launch(3, &mut a)?;
        if round % 3 == 0 {
            own.synchronize()?;
        }
        reach_too_far(if round % 2 == 0 { &own } else { &stream }, &mut a, 1)?;
        let last = stream.record()?;
        while round % 5 == 0 && !last.is_done()? {}
        assert_eq!(thread_of(a.get(0).map(drop)), 3, "round {round}");
        device.check()?;
    }
    assert_eq!(a.to_vec()?, [180.0; 3]);
    Ok(())
}

/// A thread that measures its launches waits for them, and no other thread does.
#[test]
fn a_profile_is_of_its_own_thread() -> Result<(), Error> {
    let (_fake, device) = cuda(0);
    let mut a = Array::<f32>::zeros(&device, 3)?;
    let elsewhere = || std::thread::scope(|s| s.spawn(|| add_one::launch(4, &mut a)).join().expect("no panic"));
    let (queued, profile) = warp::profile(elsewhere);
    queued?;
    assert_eq!(profile.kernels().count(), 0);
    assert_eq!(thread_of(device.check()), 3);
    Ok(())
}
