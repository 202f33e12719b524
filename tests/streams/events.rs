//! Events: order between streams, and time.

use warp::prelude::*;
use warp::{Error, Priority};
use warp_test_devices::{device, on_every_device};

use super::add_one;

#[on_every_device]
fn events_are_reached_and_tell_time() -> Result<(), Error> {
    let device = device();
    let stream = Stream::with_priority(&device, Priority::High)?;
    let mut a = Array::<f32>::zeros(&device, 1000)?;
    let start = stream.record()?;
    for _ in 0..20 {
        add_one::on(&stream).launch(1000, &mut a)?;
    }
    let end = stream.record()?;
    end.synchronize()?;
    assert!(start.is_done()? && end.is_done()?);
    let seconds = end.seconds_since(&start)?;
    assert!((0.0..60.0).contains(&seconds), "{seconds}");
    assert!(start.seconds_since(&end)? <= 0.0);
    assert_eq!(end.device(), &device);
    let low = Stream::with_priority(&device, Priority::Low)?;
    low.wait(&end)?;
    low.synchronize()
}

#[test]
fn streams_wait_for_events_of_any_device() -> Result<(), Error> {
    let ((_one, cuda), (_two, other), cpu) = (super::cuda(1), super::cuda(2), Device::cpu());
    let streams = [Stream::new(&cuda)?, Stream::new(&other)?, Stream::new(&cpu)?];
    for from in &streams {
        let mut a = Array::<f32>::zeros(from.device(), 10)?;
        add_one::on(from).launch(10, &mut a)?;
        let event = from.record()?;
        for to in &streams {
            to.wait(&event)?;
            to.synchronize()?;
            // Whoever waited knows that it was reached.
            assert!(event.is_done()?);
        }
    }
    let (first, second) = (streams[0].record()?, streams[2].record()?);
    let said = first.seconds_since(&second).unwrap_err().to_string();
    assert!(said.starts_with("the time between two events cannot be had: one is of device cpu"), "{said}");
    Ok(())
}

#[on_every_device]
fn a_capture_refuses_what_waits() -> Result<(), Error> {
    let device = device();
    let stream = Stream::new(&device)?;
    let event = stream.record()?;
    let said = |body: &dyn Fn() -> Result<(), Error>| device.capture(body).unwrap_err().to_string();
    for (doing, body) in [
        ("waiting for a stream", &(|| stream.synchronize()) as &dyn Fn() -> Result<(), Error>),
        ("recording an event", &|| stream.record().map(drop)),
        ("waiting for an event", &|| stream.wait(&event)),
        ("waiting for an event", &|| event.synchronize()),
        ("asking an event for its time", &|| event.seconds_since(&event).map(drop)),
    ] {
        let found = said(body);
        assert!(found.starts_with(&format!("{doing} is not possible while a graph is captured")), "{found}");
    }
    Ok(())
}

#[test]
fn what_is_queued_is_not_done_yet() -> Result<(), Error> {
    let (_fake, device) = super::cuda(0);
    let stream = Stream::new(&device)?;
    let mut a = Array::<f32>::zeros(&device, 10)?;
    (0..50).try_for_each(|_| add_one::on(&stream).launch(10, &mut a))?;
    let event = stream.record()?;
    assert!(!event.is_done()? && !stream.is_done()?);
    event.synchronize()?;
    assert!(event.is_done()? && stream.is_done()?);
    Ok(())
}

#[test]
fn a_new_stream_comes_behind_the_own_one() -> Result<(), Error> {
    for seed in 0..10 {
        let (_fake, device) = super::cuda(seed);
        let own = Stream::of(&device);
        let mut a = Array::<f32>::zeros(&device, 10)?;
        (0..50).try_for_each(|_| add_one::launch(10, &mut a))?;
        add_one::launch(11, &mut a)?;
        let stream = Stream::new(&device)?;
        assert!(!own.is_done()?, "nobody has waited");
        stream.synchronize().expect_err("what the own stream was given before is told");
        assert!(own.is_done()?);
    }
    Ok(())
}
