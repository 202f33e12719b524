//! Memory.

use warp_cuda::Error;
use warp_cuda::sys::CUresult;

use super::rig::{bytes, filled, numbers, open, rig};

#[test]
fn bytes_come_back_as_they_went() {
    let rig = rig();
    let stream = rig.device().stream().unwrap();
    let mut memory = filled(&stream, &[1, 2, 3, 4]).unwrap();
    stream.upload(&mut memory, 4, &bytes(&[20])).unwrap();
    stream.fill(&mut memory, 12..16, 0xff).unwrap();
    assert_eq!(numbers(&stream, &memory).unwrap(), [1, 20, 3, u32::MAX]);
    let mut other = stream.allocate_zeroed(16).unwrap();
    stream.copy(&memory, 4, &mut other, 8, 8).unwrap();
    assert_eq!(numbers(&stream, &other).unwrap(), [0, 0, 20, 3]);
    let nothing = stream.allocate(0).unwrap();
    assert!(nothing.is_empty() && numbers(&stream, &nothing).unwrap().is_empty());
    drop((memory, other, nothing, stream));
    rig.assert_clean();
}

#[test]
fn fresh_memory_holds_anything() {
    let rig = rig();
    let stream = rig.device().stream().unwrap();
    assert!(numbers(&stream, &stream.allocate(64).unwrap()).unwrap().iter().all(|n| *n != 0));
}

#[test]
fn ranges_stay_inside() {
    let rig = rig();
    let stream = rig.device().stream().unwrap();
    let mut memory = stream.allocate(8).unwrap();
    let words = stream.upload(&mut memory, 4, &[0; 5]).unwrap_err().to_string();
    assert_eq!(words, "an upload needs bytes 4 to 9 of memory that has 8");
    assert!(matches!(stream.download(&memory, usize::MAX, &mut [0; 2]), Err(Error::Range { .. })));
    assert!(matches!(stream.fill(&mut memory, 8..9, 0), Err(Error::Range { .. })));
}

#[test]
fn the_high_water_mark_stays_when_memory_goes() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let a = stream.allocate(1000).unwrap();
    let b = device.allocate(500).unwrap();
    drop(a);
    assert_eq!((device.memory_use().bytes, device.memory_use().high_water), (500, 1500));
    device.reset_high_water();
    drop(b);
    assert_eq!((device.memory_use().bytes, device.memory_use().high_water), (0, 500));
}

/// With pools and without: what was given back is used again.
#[test]
fn a_hundred_allocations_in_a_loop_do_not_grow_memory() {
    for pools in [true, false] {
        let fake = fake_cuda::Fake::new();
        fake.pools(pools);
        let device = open(&fake).unwrap().device(0).unwrap();
        assert_eq!(device.properties().pools, pools);
        let stream = device.stream().unwrap();
        for k in 0..100u32 {
            let memory = stream.allocate(1 << 20).unwrap();
            assert_eq!(memory.len(), 1 << 20);
            if k % 10 == 9 {
                stream.synchronize().unwrap();
            }
        }
        assert_eq!(device.memory_use().high_water, 1 << 20);
        let reserved = device.pool_use().unwrap();
        assert_eq!(reserved, pools.then_some((1 << 20, 1 << 20)));
        device.trim(0).unwrap();
        let (free, total) = device.memory().unwrap();
        assert_eq!(free, total);
    }
}

#[test]
fn no_memory_is_an_error_with_the_way_out() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    for error in [stream.allocate(1 << 31).unwrap_err(), device.allocate(usize::MAX).unwrap_err()] {
        assert!(error.is(CUresult::OUT_OF_MEMORY));
        assert!(error.to_string().ends_with("free arrays, or make them smaller"), "{error}");
    }
    assert_eq!(device.memory_use().bytes, 0);
}

/// What lies unused in the pool, or waits to be given back, is no reason to have no memory.
#[test]
fn memory_that_nobody_uses_any_more_is_found() {
    let rig = rig();
    rig.fake.memory(3 << 20);
    let device = rig.device();
    let stream = device.stream().unwrap();
    drop(stream.allocate(2 << 20).unwrap());
    // The pool has two thirds now; this does not come from the pool.
    let plain = device.allocate(2 << 20).unwrap();
    assert!(stream.allocate(2 << 20).is_err());
    drop(plain);
    rig.fake.fail_allocation(1);
    assert!(stream.allocate(2 << 20).is_ok(), "the second try finds it");
}

#[test]
fn pinned_memory_is_read_when_the_copy_is_done() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let mut pinned = device.pinned(8).unwrap();
    assert_eq!(*pinned, [0; 8]);
    pinned.copy_from_slice(&bytes(&[1, 2]));
    let memory = stream.allocate(8).unwrap();
    // SAFETY: both have 8 bytes until the stream is waited for.
    unsafe { stream.upload_raw(memory.address(), pinned.as_ptr(), 8) }.unwrap();
    // Too early: the copy has not run.
    pinned.copy_from_slice(&bytes(&[3, 4]));
    assert_eq!(numbers(&stream, &memory).unwrap(), [3, 4]);
    drop((memory, pinned, stream, device));
    rig.assert_clean();
}
