//! Devices: what they are, whose context a thread has, what is given back.

use warp_cuda::sys::{CUcontext, CUresult};
use warp_cuda::{Error, result};

use super::rig::{filled, launch, module, numbers, open, rig};

#[test]
fn a_device_says_what_it_is() {
    let rig = rig();
    assert_eq!(rig.driver.version(), (12, 8));
    assert_eq!(rig.driver.device_count(), Ok(2));
    let device = rig.driver.device(1).unwrap();
    let properties = device.properties();
    assert_eq!((properties.name.as_str(), properties.bus.as_str()), ("Fake GPU 1", "0000:02:00.0"));
    assert_eq!((properties.capability, properties.memory, properties.warp_size), ((9, 0), 1 << 30, 32));
    assert_eq!(properties.grid_extents, [i32::MAX as u32, 65535, 65535]);
    assert_eq!(properties.block_extents, [1024, 1024, 64]);
    // 2 GHz, two transfers a clock, 1024 bits.
    assert_eq!(properties.bandwidth(), Some(2.0 * 2e9 * 128.0));
}

#[test]
fn a_device_that_is_not_there_is_told_with_those_that_are() {
    let words = rig().driver.device(2).unwrap_err().to_string();
    assert_eq!(words, "there is no device cuda:2: the driver sees cuda:0 to cuda:1");
}

#[test]
fn a_machine_without_devices_has_a_driver_and_no_device() {
    let fake = fake_cuda::Fake::new();
    fake.devices(0);
    let driver = open(&fake).unwrap();
    assert_eq!(driver.device_count(), Ok(0));
    assert_eq!(driver.devices(), Ok(vec![]));
    let words = driver.device(0).unwrap_err().to_string();
    assert!(words.starts_with("there is no device cuda:0: the driver sees none"), "{words}");
}

#[test]
fn handles_on_one_device_are_equal_and_give_everything_back() {
    let rig = rig();
    let (a, b, other) = (rig.device(), rig.device(), rig.driver.device(1).unwrap());
    assert_eq!(a, b);
    assert_ne!(a, other);
    assert_eq!(rig.fake.live().shares, 3);
    drop((a, b, other));
    rig.assert_clean();
}

/// A thread that works in no context keeps the device's; one that works in another gets it back.
#[test]
fn a_thread_keeps_its_own_context() {
    let rig = rig();
    let (ours, theirs) = (rig.device(), rig.driver.device(1).unwrap());
    let cuda = rig.driver.table();
    assert_eq!(result::context::current(cuda), Ok(CUcontext::NULL));
    ours.stream().unwrap().synchronize().unwrap();
    assert_eq!(result::context::current(cuda), Ok(ours.context()));
    // SAFETY: the context is alive.
    unsafe { cuda.cuCtxSetCurrent(theirs.context()) }.unwrap();
    let stream = ours.stream().unwrap();
    let memory = filled(&stream, &[1, 2]).unwrap();
    assert_eq!(result::context::current(cuda), Ok(theirs.context()));
    drop((memory, stream));
    assert_eq!(result::context::current(cuda), Ok(theirs.context()));
}

#[test]
fn things_of_two_devices_do_not_go_together() {
    let rig = rig();
    let (a, b) = (rig.device(), rig.driver.device(1).unwrap());
    let event = a.event().unwrap();
    let words = event.record(&b.stream().unwrap()).unwrap_err().to_string();
    assert_eq!(words, "the event is on cuda:0, and the stream on cuda:1; both must be on one device");
    let (stream, memory) = (b.stream().unwrap(), a.allocate(4).unwrap());
    let function = module(&a).unwrap().function("add").unwrap();
    assert!(matches!(launch(&function, &stream, &memory, 1, 1), Err(Error::Mixed { .. })));
    let mut memory = memory;
    assert!(matches!(stream.fill(&mut memory, 0..4, 0), Err(Error::Mixed { .. })));
    assert!(matches!(stream.upload(&mut memory, 0, &[1]), Err(Error::Mixed { .. })));
    assert!(matches!(stream.download(&memory, 0, &mut [1]), Err(Error::Mixed { .. })));
    let other = super::rig::rig();
    assert!(matches!(stream.wait(&other.device().event().unwrap()), Err(Error::Mixed { .. })));
    assert!(matches!(a.can_access(&other.device()), Err(Error::Mixed { .. })));
}

/// A kernel may use another device's memory only when it was let.
#[test]
fn peers_reach_each_others_memory_when_they_are_let() {
    let rig = rig();
    let (a, b) = (rig.device(), rig.driver.device(1).unwrap());
    assert_eq!(a.can_access(&b), Ok(true));
    a.enable_access(&b).unwrap();
    a.enable_access(&b).unwrap();
    let (sa, sb) = (a.stream().unwrap(), b.stream().unwrap());
    let mut memory = b.allocate(8).unwrap();
    sb.upload(&mut memory, 0, &super::rig::bytes(&[5, 6])).unwrap();
    launch(&module(&a).unwrap().function("add").unwrap(), &sa, &memory, 10, 2).unwrap();
    sa.synchronize().unwrap();
    assert_eq!(numbers(&sb, &memory).unwrap(), [15, 16]);

    let foreign = a.allocate(8).unwrap();
    launch(&module(&b).unwrap().function("add").unwrap(), &sb, &foreign, 10, 2).unwrap();
    let error = sb.synchronize().expect_err("nobody let it");
    assert!(error.to_string().contains("are memory of device 0"), "{error}");
}

#[test]
fn copies_go_between_devices() {
    let rig = rig();
    let (a, b) = (rig.device(), rig.driver.device(1).unwrap());
    let (sa, sb) = (a.stream().unwrap(), b.stream().unwrap());
    for seed in 0..20 {
        rig.fake.seed(seed);
        let from = filled(&sa, &[seed as u32, 2, 3]).unwrap();
        let mut to = sb.allocate_zeroed(12).unwrap();
        sb.copy(&from, 4, &mut to, 0, 8).unwrap();
        drop(from);
        assert_eq!(numbers(&sb, &to).unwrap(), [2, 3, 0]);
        let back = filled(&sa, &[0, 0, 0]).unwrap();
        let mut back = back;
        sa.copy(&to, 0, &mut back, 4, 8).unwrap();
        assert_eq!(numbers(&sa, &back).unwrap(), [0, 2, 3]);
    }
}

/// What a kernel must not do costs the context, and only that: the device opens again.
#[test]
fn an_illegal_address_is_told_with_its_line_and_the_device_opens_again() {
    let rig = rig();
    {
        let device = rig.device();
        let stream = device.stream().unwrap();
        let memory = filled(&stream, &[1, 2, 3]).unwrap();
        let function = module(&device).unwrap().function("add").unwrap();
        launch(&function, &stream, &memory, 1, 4).unwrap();
        let error = stream.synchronize().expect_err("there are three numbers");
        assert_eq!(error.code(), Some(CUresult::ILLEGAL_ADDRESS));
        let words = error.to_string();
        assert!(words.contains("kernel `add`: PTX line 24: thread (3, 0, 0)"), "{words}");
        assert!(words.contains("the device's context is lost"), "{words}");
        assert!(stream.synchronize().is_err() && device.allocate(4).is_err());
    }
    // The context went with all that was in it; what could not be given back is told once.
    let untold = rig.driver.take_untold();
    assert_eq!(untold.len(), 1, "{untold:?}");
    let device = rig.device();
    let stream = device.stream().unwrap();
    assert_eq!(numbers(&stream, &filled(&stream, &[4]).unwrap()).unwrap(), [4]);
}

#[test]
fn everything_goes_to_any_thread() {
    fn anywhere<T: Send + Sync>() {}
    anywhere::<warp_cuda::Driver>();
    anywhere::<warp_cuda::Device>();
    anywhere::<warp_cuda::Stream>();
    anywhere::<warp_cuda::Event>();
    anywhere::<warp_cuda::Memory>();
    anywhere::<warp_cuda::Pinned>();
    anywhere::<warp_cuda::Module>();
    anywhere::<warp_cuda::Function>();
    anywhere::<warp_cuda::Graph>();
    anywhere::<warp_cuda::ReadyGraph>();

    let rig = rig();
    let device = rig.device();
    let function = module(&device).unwrap().function("add").unwrap();
    std::thread::scope(|scope| {
        for t in 0..8u32 {
            let (device, function) = (&device, &function);
            scope.spawn(move || {
                let stream = device.stream().unwrap();
                for round in 0..10 {
                    let memory = filled(&stream, &[t, round]).unwrap();
                    launch(function, &stream, &memory, 100, 2).unwrap();
                    assert_eq!(numbers(&stream, &memory).unwrap(), [t + 100, round + 100]);
                }
            });
        }
    });
    drop((function, device));
    rig.assert_clean();
}
