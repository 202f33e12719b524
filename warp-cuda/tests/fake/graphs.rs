//! Captures and graphs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use warp_cuda::Error;
use warp_cuda::sys::CUresult;

use super::rig::{filled, launch, module, numbers, rig};

#[test]
fn captured_work_runs_when_the_graph_is_launched() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let module = module(&device).unwrap();
    let (add, scale) = (module.function("add").unwrap(), module.function("scale").unwrap());
    let memory = filled(&stream, &[1, 2]).unwrap();
    let graph = stream
        .capture(|| {
            launch(&add, &stream, &memory, 1, 2)?;
            launch(&scale, &stream, &memory, 2, 2)
        })
        .unwrap();
    assert_eq!(graph.len(), Ok(2));
    assert_eq!(numbers(&stream, &memory).unwrap(), [1, 2]);
    let ready = graph.instantiate().unwrap();
    drop(graph);
    for _ in 0..3 {
        // SAFETY: memory and module are alive.
        unsafe { ready.launch(&stream) }.unwrap();
    }
    assert_eq!(numbers(&stream, &memory).unwrap(), [22, 30]);
    drop((ready, memory, add, scale, module, stream, device));
    rig.assert_clean();
}

/// Whatever the order in which independent work is done.
#[test]
fn a_capture_holds_the_streams_that_wait_for_it() {
    let rig = rig();
    let device = rig.device();
    let (main, side) = (device.stream().unwrap(), device.stream().unwrap());
    let module = module(&device).unwrap();
    let (add, scale) = (module.function("add").unwrap(), module.function("scale").unwrap());
    let (a, b) = (filled(&main, &[1]).unwrap(), filled(&main, &[5]).unwrap());
    let graph = main.capture(|| {
        launch(&add, &main, &a, 1, 1)?;
        side.follow(&main)?;
        launch(&scale, &side, &a, 10, 1)?;
        launch(&scale, &main, &b, 10, 1)?;
        main.follow(&side)?;
        launch(&add, &main, &a, 3, 1)?;
        launch(&add, &main, &b, 3, 1)
    });
    let ready = graph.unwrap().instantiate().unwrap();
    for seed in 1..30 {
        rig.fake.seed(seed);
        let before = (numbers(&main, &a).unwrap()[0], numbers(&main, &b).unwrap()[0]);
        // SAFETY: memory and module are alive.
        unsafe { ready.launch(&main) }.unwrap();
        let after = (numbers(&main, &a).unwrap()[0], numbers(&main, &b).unwrap()[0]);
        let step = |x: u32, y: u32| x.wrapping_add(y).wrapping_mul(10).wrapping_add(3);
        assert_eq!(after, (step(before.0, 1), step(before.1, 0)));
    }
}

#[test]
fn work_that_nobody_waits_for_spoils_the_capture() {
    let rig = rig();
    let device = rig.device();
    let (main, side) = (device.stream().unwrap(), device.stream().unwrap());
    let mut memory = device.allocate(4).unwrap();
    let error = main.capture(|| {
        main.fill(&mut memory, 0..4, 0)?;
        side.follow(&main)?;
        side.fill(&mut memory, 0..4, 1)
    });
    let words = error.unwrap_err().to_string();
    assert!(words.contains("CUDA_ERROR_STREAM_CAPTURE_UNJOINED") && words.contains("nothing waits for it"), "{words}");
}

#[test]
fn waiting_during_a_capture_is_refused() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let words = stream.capture(|| device.synchronize()).unwrap_err().to_string();
    assert!(words.starts_with("cuda:0 cannot be waited for during a capture"), "{words}");
    let mut plain = device.allocate(4).unwrap();
    let words = stream.capture(|| stream.upload(&mut plain, 0, &[1])).unwrap_err().to_string();
    assert!(words.starts_with("an upload waits for its end, which a capture cannot"), "{words}");
    drop(plain);
    let error = stream.capture(|| stream.synchronize()).unwrap_err();
    assert!(error.is(CUresult::STREAM_CAPTURE_UNSUPPORTED), "{error}");
    let error = stream.capture(|| device.allocate(4).map(|_| ())).unwrap_err();
    assert!(error.is(CUresult::STREAM_CAPTURE_UNSUPPORTED), "{error}");
    let words = stream.capture(|| stream.allocate(4).map(|_| ())).unwrap_err().to_string();
    assert_eq!(words, "memory cannot be taken during a capture; take it before");
    // The error may be dropped inside; then the end of the capture tells.
    let error = stream.capture(|| stream.synchronize().or(Ok::<(), Error>(()))).unwrap_err();
    assert_eq!(error.code().map(|code| code.0), Some(901), "{error}");
    stream.synchronize().unwrap();
    drop((stream, device));
    rig.assert_clean();
}

/// The driver would refuse to take it back then, and spoil the capture.
#[test]
fn what_goes_during_a_capture_is_given_back_afterwards() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let mut memory = device.allocate(8).unwrap();
    let (plain, ordered) = (device.allocate(8).unwrap(), stream.allocate(8).unwrap());
    let graph = stream.capture(|| {
        drop((plain, ordered, device.event()?));
        stream.fill(&mut memory, 0..8, 0)
    });
    assert_eq!(graph.unwrap().len(), Ok(1));
    device.synchronize().unwrap();
    assert_eq!((rig.fake.live().allocations, rig.fake.live().events), (1, 0));
}

/// Memory of a pool whose stream is captured goes when the capture is over and the device has done its work.
#[test]
fn memory_of_a_captured_stream_waits_for_those_who_use_it() {
    let rig = rig();
    let device = rig.device();
    let (stream, other) = (device.stream().unwrap(), device.stream().unwrap());
    let module = module(&device).unwrap();
    let add = module.function("add").unwrap();
    let memory = filled(&stream, &[1, 2]).unwrap();
    launch(&add, &other, &memory, 1, 2).unwrap();
    let graph = stream.capture(|| {
        std::thread::scope(|scope| scope.spawn(|| drop(memory)).join().expect("it does not panic"));
        Ok::<(), Error>(())
    });
    drop(graph.unwrap());
    assert_eq!(rig.fake.live().allocations, 0);
    other.synchronize().unwrap();
}

#[test]
fn another_thread_goes_on_during_a_capture() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let mut memory = device.allocate(4).unwrap();
    let graph = stream.capture(|| {
        stream.fill(&mut memory, 0..4, 0)?;
        std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                let stream = device.stream()?;
                numbers(&stream, &filled(&stream, &[1, 2])?)
            });
            assert_eq!(other.join().expect("it does not panic"), Ok(vec![1, 2]));
        });
        Ok::<(), Error>(())
    });
    assert_eq!(graph.unwrap().len(), Ok(1));
}

#[test]
fn a_capture_ends_when_its_work_fails_or_panics() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let refused = || Error::Refused("not today".into());
    assert_eq!(stream.capture(|| Err::<(), Error>(refused())).unwrap_err(), refused());
    let panicked = catch_unwind(AssertUnwindSafe(|| stream.capture(|| -> Result<(), Error> { panic!("on purpose") })));
    assert!(panicked.is_err());
    let words = stream.capture(|| stream.capture(|| Ok::<(), Error>(())).map(|_| ())).unwrap_err().to_string();
    assert_eq!(words, "the stream is being captured already; end that capture first");
    stream.synchronize().unwrap();
    drop((stream, device));
    rig.assert_clean();
}

#[test]
fn a_graph_takes_the_arguments_of_another_one_of_its_form() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let module = module(&device).unwrap();
    let add = module.function("add").unwrap();
    let memory = filled(&stream, &[1, 1]).unwrap();
    let once = |value| stream.capture(|| launch(&add, &stream, &memory, value, 2)).unwrap();
    let mut ready = once(1).instantiate().unwrap();
    ready.update(&once(100)).unwrap();
    // SAFETY: memory and module are alive.
    unsafe { ready.launch(&stream) }.unwrap();
    assert_eq!(numbers(&stream, &memory).unwrap(), [101, 101]);

    let twice = stream.capture(|| {
        launch(&add, &stream, &memory, 1, 2)?;
        launch(&add, &stream, &memory, 1, 2)
    });
    let words = ready.update(&twice.unwrap()).unwrap_err().to_string();
    assert!(words.starts_with("the graph cannot be updated in place: it has other work"), "{words}");
    let mut other = device.allocate(8).unwrap();
    let words = ready.update(&stream.capture(|| stream.fill(&mut other, 0..8, 0)).unwrap()).unwrap_err().to_string();
    assert!(words.contains("a piece of its work is of another kind"), "{words}");
    // It is what it was.
    // SAFETY: memory and module are alive.
    unsafe { ready.launch(&stream) }.unwrap();
    assert_eq!(numbers(&stream, &memory).unwrap(), [201, 201]);
}

/// A thousand launches, captured once, give the numbers of a thousand plain ones.
#[test]
fn a_long_capture_does_what_plain_launches_do() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let module = module(&device).unwrap();
    let (add, scale) = (module.function("add").unwrap(), module.function("scale").unwrap());
    let (plain, captured) = (filled(&stream, &[1, 2, 3]).unwrap(), filled(&stream, &[1, 2, 3]).unwrap());
    let rollout = |memory| {
        for k in 0..500 {
            launch(&add, &stream, memory, k, 3)?;
            launch(&scale, &stream, memory, k | 1, 3)?;
        }
        Ok::<(), Error>(())
    };
    let ready = stream.capture(|| rollout(&captured)).unwrap().instantiate().unwrap();
    for _ in 0..2 {
        rollout(&plain).unwrap();
        // SAFETY: memory and module are alive.
        unsafe { ready.launch(&stream) }.unwrap();
        assert_eq!(numbers(&stream, &captured).unwrap(), numbers(&stream, &plain).unwrap());
    }
}
