//! Streams and events.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use warp_cuda::Priority;

use super::rig::{bytes, filled, launch, module, numbers, rig};

#[test]
fn priorities_are_the_drivers() {
    let rig = rig();
    let device = rig.device();
    for (priority, number) in [(Priority::Low, 0), (Priority::Normal, 0), (Priority::High, -5)] {
        assert_eq!(device.stream_with(priority).unwrap().priority(), Ok(number));
    }
}

/// One stream scales what another one adds to. Whether the second waits for the first decides, whatever the order of work.
#[test]
fn streams_that_follow_each_other_keep_the_order_and_others_do_not() {
    let rig = rig();
    let device = rig.device();
    let module = module(&device).unwrap();
    let (add, scale) = (module.function("add").unwrap(), module.function("scale").unwrap());
    let (one, two) = (device.stream().unwrap(), device.stream().unwrap());
    let mut wrong = 0;
    for seed in 1..60 {
        rig.fake.seed(seed);
        for follows in [true, false] {
            let memory = filled(&one, &[1, 2]).unwrap();
            launch(&add, &one, &memory, 1, 2).unwrap();
            if follows {
                two.follow(&one).unwrap();
            }
            launch(&scale, &two, &memory, 10, 2).unwrap();
            two.synchronize().unwrap();
            one.synchronize().unwrap();
            let found = numbers(&one, &memory).unwrap();
            assert!(!follows || found == [20, 30], "{found:?}");
            wrong += u32::from(found != [20, 30]);
        }
    }
    assert!((10..50).contains(&wrong), "without waiting, the order was wrong {wrong} times of 59");
}

/// Memory belongs to a stream; a copy on another one waits for it, and its end for the copy.
#[test]
fn memory_is_used_on_other_streams_in_order() {
    let rig = rig();
    let device = rig.device();
    let (one, two) = (device.stream().unwrap(), device.stream().unwrap());
    for seed in 0..40 {
        rig.fake.seed(seed);
        let mut memory = one.allocate_zeroed(8).unwrap();
        two.fill(&mut memory, 0..4, 1).unwrap();
        one.fill(&mut memory, 0..2, 2).unwrap();
        let mut copy = two.allocate(8).unwrap();
        two.copy(&memory, 0, &mut copy, 0, 8).unwrap();
        drop(memory);
        assert_eq!(numbers(&two, &copy).unwrap(), [0x0101_0202, 0]);
    }
}

#[test]
fn events_know_their_times() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let function = module(&device).unwrap().function("add").unwrap();
    let (start, end) = (device.timing_event().unwrap(), device.timing_event().unwrap());
    assert!(end.milliseconds_since(&start).is_err(), "neither was recorded");
    let memory = filled(&stream, &[0; 1000]).unwrap();
    start.record(&stream).unwrap();
    launch(&function, &stream, &memory, 1, 1000).unwrap();
    end.record(&stream).unwrap();
    assert!(end.milliseconds_since(&start).is_err(), "neither was reached");
    let mut asked = 0;
    while !end.is_done().unwrap() {
        asked += 1;
    }
    assert!(asked > 0, "nothing is done before somebody asks");
    let time = end.milliseconds_since(&start).unwrap();
    assert!(time > 0.0 && time < 1.0, "{time}");
    assert!(device.event().unwrap().milliseconds_since(&start).is_err(), "the event has no time");
}

#[test]
fn a_stream_is_done_when_its_work_is() {
    let rig = rig();
    let stream = rig.device().stream().unwrap();
    assert_eq!(stream.is_done(), Ok(true));
    let mut memory = stream.allocate(4).unwrap();
    stream.fill(&mut memory, 0..4, 0).unwrap();
    assert_eq!(stream.is_done(), Ok(false));
    stream.synchronize().unwrap();
    assert_eq!(stream.is_done(), Ok(true));
}

#[test]
fn host_functions_are_called_in_their_place() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let seen = Arc::new(AtomicU32::new(0));
    for k in 0..3 {
        let seen = seen.clone();
        stream.call(move || assert_eq!(seen.swap(k + 1, SeqCst), k)).unwrap();
    }
    assert_eq!(seen.load(SeqCst), 0);
    stream.synchronize().unwrap();
    assert_eq!(seen.load(SeqCst), 3);
    device.synchronize().unwrap();
    stream.call(|| panic!("on purpose")).unwrap();
    let words = device.synchronize().unwrap_err().to_string();
    assert_eq!(words, "a host function in a stream panicked");
    device.synchronize().unwrap();
}

/// The driver must not be called where a host function runs, so what it captured goes later.
#[test]
fn what_a_host_function_captured_goes_outside_of_it() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let event = device.event().unwrap();
    stream.call(move || assert!(!event.raw().is_null())).unwrap();
    stream.synchronize().unwrap();
    assert_eq!(rig.fake.live().events, 1);
    device.synchronize().unwrap();
    drop((stream, device));
    rig.assert_clean();
}

/// A stream that goes with work in it has that work done.
#[test]
fn work_of_a_dropped_stream_is_done() {
    let rig = rig();
    let device = rig.device();
    let mut memory = device.allocate(8).unwrap();
    {
        let stream = device.stream().unwrap();
        stream.upload(&mut memory, 0, &bytes(&[1, 1])).unwrap();
        stream.fill(&mut memory, 4..8, 0).unwrap();
    }
    device.synchronize().unwrap();
    assert_eq!(numbers(&device.stream().unwrap(), &memory).unwrap(), [1, 0]);
}
