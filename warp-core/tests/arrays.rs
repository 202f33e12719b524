//! Arrays: contents in and out, shapes, parts, guards, files; on memory that the host shares, and on memory that it
//! does not.

extern crate warp_core as warp;

mod mock;

use glam::{Mat3, Vec3, Vec4};
use warp::math::f16;
use warp::prelude::*;
use warp::{Error, SoaArray};

fn devices() -> [Device; 2] {
    [mock::idle("near", true), mock::idle("far", false)]
}

fn counted(device: &Device) -> Array<f32, 2> {
    Array::from_fn(device, (3, 4), |[i, j]| (10 * i + j) as f32).unwrap()
}

#[test]
fn contents_go_in_and_come_out() {
    for device in devices() {
        let mut a = Array::from_slice(&device, &[1.5f32, -2.0, 3.0]).unwrap();
        assert_eq!(a.to_vec().unwrap(), [1.5, -2.0, 3.0]);
        assert_eq!((a.len(), a.shape(), a.is_empty(), a.device()), (3, [3], false, &device));
        a.copy_from_slice(&[4.0, 5.0, 6.0]).unwrap();
        a.set(1, 7.0).unwrap();
        assert_eq!((a.to_vec().unwrap(), a.get(2).unwrap()), (vec![4.0, 7.0, 6.0], 6.0));
        for n in [2, 4] {
            let wrong = a.copy_from_slice(&vec![1.0; n]).unwrap_err().to_string();
            assert_eq!(wrong, format!("copying into an array: expected 3 elements, found {n} elements"));
        }
        a.fill(8.0).unwrap();
        assert_eq!(a.to_vec().unwrap(), [8.0; 3]);
        assert_eq!(Array::<Vec3>::zeros(&device, 2).unwrap().to_vec().unwrap(), [Vec3::ZERO; 2]);
        assert_eq!(Array::full(&device, 2, Vec4::ONE).unwrap().to_vec().unwrap(), [Vec4::ONE; 2]);
        assert_eq!(Array::from_vec(&device, vec![true, false]).unwrap().to_vec().unwrap(), [true, false]);
        assert_eq!(Array::full(&device, [2, 1, 2], 7u8).unwrap().to_vec().unwrap(), [7; 4]);
    }
}

#[test]
fn arrays_copy_within_and_between_devices() {
    let [near, far] = devices();
    for (from, to) in [(&near, &near), (&near, &far), (&far, &near), (&far, &far)] {
        let a = counted(from);
        let mut b = Array::<f32, 2>::zeros(to, (3, 4)).unwrap();
        b.copy_from(&a).unwrap();
        assert_eq!(b.to_vec().unwrap(), a.to_vec().unwrap());
        let mut t = Array::<f32, 2>::zeros(to, (4, 3)).unwrap();
        t.copy_from(&a.transpose().unwrap()).unwrap();
        assert_eq!(t.get((1, 2)).unwrap(), 21.0);
        // Into elements that lie apart, and from such.
        b.transpose_mut().unwrap().copy_from(&t).unwrap();
        assert_eq!((b.get((2, 1)).unwrap(), b.get((1, 3)).unwrap()), (21.0, 13.0));
        t.column_mut(0).unwrap().copy_from(&b.row(2).unwrap()).unwrap();
        assert_eq!(t.to_vec().unwrap()[..6], [20.0, 10.0, 20.0, 21.0, 11.0, 21.0]);
        let wrong = b.copy_from(&t).unwrap_err().to_string();
        assert_eq!(wrong, "copying an array: expected shape 3 x 4, found shape 4 x 3");
        assert_eq!(a.try_clone().unwrap().to_vec().unwrap(), a.to_vec().unwrap());
    }
}

#[test]
fn parts_are_the_right_elements() {
    for device in devices() {
        let mut a = counted(&device);
        assert_eq!(a.row(1).unwrap().to_vec().unwrap(), [10.0, 11.0, 12.0, 13.0]);
        assert_eq!(a.column(2).unwrap().to_vec().unwrap(), [2.0, 12.0, 22.0]);
        assert!(a.row(1).unwrap().is_contiguous() && !a.column(2).unwrap().is_contiguous());
        assert_eq!(a.slice(1..).unwrap().shape(), [2, 4]);
        assert_eq!(a.slice(1..=1).unwrap().to_vec().unwrap(), [10.0, 11.0, 12.0, 13.0]);
        let corner = a.slice_along(1, 2..4).unwrap();
        assert_eq!(corner.slice(..2).unwrap().to_vec().unwrap(), [2.0, 3.0, 12.0, 13.0]);
        assert_eq!(a.step_along(1, 3).unwrap().to_vec().unwrap(), [0.0, 3.0, 10.0, 13.0, 20.0, 23.0]);
        assert_eq!(a.reshape((2, 2, 3)).unwrap().get((1, 0, 2)).unwrap(), 20.0);
        assert_eq!(a.reshape(12).unwrap().slice(3..6).unwrap().to_vec().unwrap(), [3.0, 10.0, 11.0]);
        a.column_mut(1).unwrap().fill(-1.0).unwrap();
        a.row_mut(2).unwrap().copy_from_slice(&[5.0; 4]).unwrap();
        let expected = [0.0, -1.0, 2.0, 3.0, 10.0, -1.0, 12.0, 13.0, 5.0, 5.0, 5.0, 5.0];
        assert_eq!(a.to_vec().unwrap(), expected);
        let cube = Array::from_fn(&device, (2, 3, 4), |[i, j, k]| 100 * i + 10 * j + k).unwrap();
        assert_eq!(cube.pick(1, 2).unwrap().to_vec().unwrap(), [20, 21, 22, 23, 120, 121, 122, 123]);
        assert_eq!(cube.transpose().unwrap().get((3, 1, 1)).unwrap(), 113);
    }
}

#[test]
fn parts_out_of_range_are_refused() {
    let [device, _] = devices();
    let mut a = counted(&device);
    for (result, words) in [
        (a.slice(2..5).err(), "the range 2..5 is out of range for 3 elements in dimension 0"),
        (a.slice(2..4).err(), "the range 2..4 is out of range for 3 elements in dimension 0"),
        (a.slice_along(1, ..=4).err(), "the range ..=4 is out of range for 4 elements in dimension 1"),
        (a.reshape(11).err(), "giving an array another shape: expected extents with 12 elements in all, found 11"),
        (a.row(3).err(), "index 3 is out of range for 3 elements in dimension 0"),
        (a.column(4).err(), "index 4 is out of range for 4 elements in dimension 1"),
        (a.get((0, 4)).err(), "index 4 is out of range for 4 elements in dimension 1"),
        (a.set((3, 0), 1.0).err(), "index 3 is out of range for 3 elements in dimension 0"),
        (a.step_along(0, 0).err(), "a step of 0 is out of range for 3 elements in dimension 0"),
        (a.slice_along(2, ..).err(), "taking a part of an array: expected a dimension below 2, found dimension 2"),
        (a.reshape(13).err(), "giving an array another shape: expected extents with 12 elements in all, found 13"),
        (a.slice(..usize::MAX).err(), "the range ..18446744073709551615 is out of range for 3 elements in dimension 0"),
        (
            a.transpose().unwrap().reshape(12).err(),
            "another shape needs elements that lie one after another, and this view is strided; copy it into an array first",
        ),
    ] {
        assert_eq!(result.expect(words).to_string(), words);
    }
    #[allow(clippy::reversed_empty_ranges)]
    let crossed = a.slice(2..1).err();
    assert!(matches!(crossed, Some(Error::Range { .. })));
    assert!(matches!(a.slice(..=usize::MAX), Err(Error::Range { .. })));
}

#[test]
fn empty_arrays_are_arrays() {
    for device in devices() {
        let mut a = Array::<f32>::zeros(&device, 0).unwrap();
        assert!(a.is_empty() && a.to_vec().unwrap().is_empty());
        a.fill(1.0).unwrap();
        a.copy_from_slice(&[]).unwrap();
        assert!(a.slice(..).unwrap().is_empty());
        let mut b = Array::<f32, 3>::zeros(&device, (4, 0, 5)).unwrap();
        assert_eq!((b.len(), b.pick(0, 3).unwrap().shape()), (0, [0, 5]));
        b.copy_from(&Array::zeros(&device, (4, 0, 5)).unwrap()).unwrap();
        assert!(SoaArray::<Vec3>::zeros(&device, 0).unwrap().to_vec().unwrap().is_empty());
        let five = Array::full(&device, 5, 1u32).unwrap();
        assert!(five.slice(5..).unwrap().to_vec().unwrap().is_empty());
    }
    let [near, _] = devices();
    // Empty parts of parts stay inside the buffer, however far out their index would lie.
    let full = counted(&near);
    let start = full.read().unwrap().as_ptr();
    let low = full.slice(3..).unwrap();
    assert_eq!(low.read().unwrap().as_ptr(), start);
    assert_eq!(low.slice_along(1, 4..).unwrap().read().unwrap().as_ptr(), start);
    assert_eq!(low.column(3).unwrap().read().unwrap().as_ptr(), start);
    assert!(Array::<f32>::zeros(&near, 0).unwrap().write().unwrap().is_empty());
}

#[test]
fn sizes_beyond_memory_are_errors() {
    let device = mock::idle("small", true);
    let words = Array::<f64>::zeros(&device, 1 << 40).unwrap_err().to_string();
    assert_eq!(words, "device small could not give 8796093022208 bytes of memory: that is more than this machine has");
    for extents in [[usize::MAX, 2, 2], [1 << 47, 1 << 47, 1], [1 << 40, 0, usize::MAX]] {
        let words = Array::<f64, 3>::zeros(&device, extents).unwrap_err().to_string();
        assert!(words.ends_with("is too large: the limit is 2^48 bytes and 2^48 elements a dimension"), "{words}");
    }
    assert!(matches!(SoaArray::<Vec3>::zeros(&device, usize::MAX / 2), Err(Error::TooLarge { .. })));
    // The elements are few enough, their bytes are not.
    assert!(matches!(Array::<f64>::zeros(&device, 1 << 46), Err(Error::TooLarge { .. })));
    let wrong = Array::from_shaped(&device, (2, 2), &[1.0f32; 3]).unwrap_err().to_string();
    assert_eq!(wrong, "making an array: expected 4 elements (2 x 2), found 3 elements");
}

#[test]
fn guards_show_the_memory_and_keep_others_out() {
    let [near, far] = devices();
    let mut a = counted(&near);
    a.write().unwrap()[5] = 42.0;
    assert_eq!(a.read().unwrap()[5], 42.0);
    assert_eq!(a.get((1, 1)).unwrap(), 42.0);
    assert!(matches!(a.column(0).unwrap().read(), Err(Error::Strided { .. })));
    assert!(matches!(counted(&far).read(), Err(Error::NotHostMemory { .. })));
    let reading = a.read().unwrap();
    assert_eq!((a.read().unwrap().len(), a.to_vec().unwrap().len()), (12, 12));
    drop(reading);
    a.fill(0.0).unwrap();
}

/// A tape that gets ready for a copy may have to copy what is overwritten: nobody writes the source meanwhile, which the
/// tape has looked at already.
#[test]
fn nobody_writes_in_the_middle_of_a_recorded_step() {
    for part in [false, true] {
        let device = mock::idle("near", true);
        let mut from = Array::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
        let mut to = Array::from_slice(&device, &[0.0f32; 4]).unwrap();
        // Safe code can have two handles on an array: swapped out of a slice.
        let mut stray = Array::zeros(&device, 4).unwrap();
        std::mem::swap(&mut *from.slice_mut(..).unwrap(), &mut stray);
        let (tell, told) = std::sync::mpsc::channel();
        let tape = Tape::record(|| {
            let mut out = Array::<f32>::zeros(&device, 1)?;
            // What it read it needs to go back.
            warp::record_fn("read", (&to,), (&mut out,), |_, _| Ok(()), |_| Ok(()))?;
            mock::on_copy(move || {
                let write = std::thread::spawn(move || stray.slice_mut(1..2)?.fill(7.0));
                tell.send(write.join().unwrap()).unwrap();
            });
            match part {
                false => to.copy_from(&from),
                true => to.slice_mut(..2)?.copy_from(&*from.slice(..2)?),
            }
        })
        .unwrap();
        assert!(matches!(told.try_recv(), Ok(Err(Error::Busy { write: true }))), "part: {part}");
        assert_eq!(to.to_vec().unwrap()[..2], [1.0, 2.0]);
        assert_eq!(tape.to_string().lines().next(), Some("a tape of 2 steps that keeps 16 bytes"));
    }
}

/// Safe code can take a handle out of a part and keep it. The borrow state then keeps uses apart.
#[test]
fn handles_swapped_out_of_slices_stay_sound() {
    for device in devices() {
        let mut a = Array::from_slice(&device, &[1.0f32, 2.0, 3.0]).unwrap();
        let mut stray = Array::from_slice(&device, &[9.0f32]).unwrap();
        std::mem::swap(&mut *a.slice_mut(1..).unwrap(), &mut stray);
        assert_eq!(stray.to_vec().unwrap(), [2.0, 3.0]);
        if device.host_memory() {
            let mut guard = a.write().unwrap();
            assert!(matches!(stray.fill(0.0), Err(Error::Busy { write: true })));
            assert!(matches!(stray.copy_from_slice(&[0.0; 2]), Err(Error::Busy { write: true })));
            assert!(matches!(stray.set(1, 0.0), Err(Error::Busy { write: true })));
            assert!(matches!(stray.to_vec(), Err(Error::Busy { write: false })));
            assert!(matches!(stray.get(0), Err(Error::Busy { write: false })));
            assert!(matches!(stray.read().err(), Some(Error::Busy { write: false })));
            assert!(matches!(stray.write().err(), Some(Error::Busy { write: true })));
            let mut other = Array::from_slice(&device, &[5.0f32, 6.0]).unwrap();
            assert!(matches!(other.copy_from(&stray), Err(Error::Busy { write: false })));
            assert!(matches!(stray.copy_from(&other), Err(Error::Busy { write: true })));
            guard[2] = 4.0;
            drop(guard);
            // Readers share, and keep writers out.
            let guard = a.read().unwrap();
            assert_eq!((stray.to_vec().unwrap(), stray.get(0).unwrap()), (vec![2.0, 4.0], 2.0));
            assert!(other.copy_from(&stray).is_ok() && stray.read().is_ok());
            assert!(matches!(stray.fill(0.0), Err(Error::Busy { write: true })));
            assert!(matches!(stray.copy_from_slice(&[0.0; 2]), Err(Error::Busy { write: true })));
            assert!(matches!(stray.copy_from(&other), Err(Error::Busy { write: true })));
            drop(guard);
        } else {
            a.set(2, 4.0).unwrap();
        }
        drop(a);
        assert_eq!(stray.to_vec().unwrap(), [2.0, 4.0], "the memory lives as long as a handle");
    }
}

/// What a device gets of a value is its scalars: what stands between them in the host's memory stays there.
#[test]
fn padding_is_sent_as_zeros() {
    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    struct Padded {
        small: u8,
        large: u32,
    }
    let device = mock::idle("far", false);
    let mut memory = [u64::MAX; 2];
    let values = memory.as_mut_ptr().cast::<Padded>();
    for k in 0..2 {
        // SAFETY: both values lie in the memory, which is aligned for them; only their fields are written.
        unsafe {
            (&raw mut (*values.add(k)).small).write(1 + k as u8);
            (&raw mut (*values.add(k)).large).write(7);
        }
    }
    // SAFETY: all fields are initialised, and all bytes between them.
    let values = unsafe { std::slice::from_raw_parts(values, 2) };
    let mut array = Array::<Padded>::zeros(&device, 2).unwrap();
    let address = mock::last_address();
    array.copy_from_slice(values).unwrap();
    assert_eq!(mock::bytes(address, 16), [1, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
}

#[test]
fn disjoint_parts_are_used_at_once() {
    let [device, _] = devices();
    let mut a = Array::from_slice(&device, &[0u32; 10]).unwrap();
    let (mut low, mut high) = a.split_at_mut(4).unwrap();
    let (mut l, mut h) = (low.write().unwrap(), high.write().unwrap());
    l.fill(1);
    h.fill(2);
    drop((l, h));
    assert_eq!(a.to_vec().unwrap(), [1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
}

#[test]
fn planes_hold_the_same_elements() {
    for device in devices() {
        let values: Vec<_> = (0..5).map(|i| [Vec3::splat(i as f32), Vec3::X]).collect();
        let mut a = SoaArray::from_slice(&device, &values).unwrap();
        assert_eq!((a.to_vec().unwrap(), a.len()), (values.clone(), 5));
        a.copy_from_slice(&[[Vec3::Y; 2]; 5]).unwrap();
        assert_eq!(a.to_vec().unwrap(), [[Vec3::Y; 2]; 5]);
        for n in [4, 6] {
            let wrong = a.copy_from_slice(&vec![[Vec3::Y; 2]; n]).unwrap_err().to_string();
            assert_eq!(wrong, format!("copying into an array: expected 5 elements, found {n} elements"));
        }
    }
}

#[test]
fn memory_is_given_back() {
    let counts = std::sync::Arc::<mock::Counts>::default();
    let body: std::sync::Arc<_> = std::sync::Arc::new(|_: &_, _: &warp::backend::Call<'_>| Ok(()));
    let device = Device::new(std::sync::Arc::new(mock::Mock { name: "m", host: true, body, counts: counts.clone() }));
    let a = counted(&device);
    let b = a.try_clone().unwrap();
    assert_eq!(counts.live.load(std::sync::atomic::Ordering::Relaxed), 2);
    drop((a, b));
    assert_eq!(counts.live.load(std::sync::atomic::Ordering::Relaxed), 0);
}

#[test]
fn debug_shows_shape_device_and_the_first_elements() {
    let device = mock::idle("shown", true);
    let a = Array::from_slice(&device, &[1u8, 2]).unwrap();
    assert_eq!(format!("{a:?} {device:?}"), "Array(2 on shown) [1, 2] Device(shown)");
    assert_eq!(mock::idle("shown", true).to_string(), "shown#2");
    let long = format!("{:?}", Array::from_fn(&device, 20, |[i]| i).unwrap());
    assert_eq!(long, "Array(20 on shown) [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, ..]");
}

fn scratch(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("npy");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

#[test]
fn npy_files_round_trip() {
    for device in devices() {
        let a = counted(&device);
        let path = scratch(&format!("a-{}.npy", device.name()));
        a.transpose().unwrap().save_npy(&path).unwrap();
        let b = Array::<f32, 2>::load_npy(&device, &path).unwrap();
        assert_eq!((b.shape(), b.get((3, 1)).unwrap()), ([4, 3], 13.0));
        let v = Array::from_slice(&device, &[Vec3::new(1.0, 2.0, 3.0), Vec3::Z]).unwrap();
        v.save_npy(&path).unwrap();
        assert_eq!(Array::<Vec3>::load_npy(&device, &path).unwrap().to_vec().unwrap(), v.to_vec().unwrap());
        assert_eq!(Array::<f32, 2>::load_npy(&device, &path).unwrap().shape(), [2, 3], "a trailing axis");
        let flags = Array::from_slice(&device, &[true, false]).unwrap();
        flags.save_npy(&path).unwrap();
        assert_eq!(Array::<bool>::load_npy(&device, &path).unwrap().to_vec().unwrap(), [true, false]);
        Array::full(&device, 1, Mat3::IDENTITY).unwrap().save_npy(&path).unwrap();
        assert!(Array::<Mat3>::load_npy(&device, &path).is_ok());
        Array::full(&device, 3, f16::ONE).unwrap().save_npy(&path).unwrap();
        assert_eq!(Array::<f16>::load_npy(&device, &path).unwrap().to_vec().unwrap(), [f16::ONE; 3]);
    }
}

/// The bytes that NumPy 1.x and 2.x write for `np.save(f, np.arange(3, dtype='<i4'))`.
#[test]
fn npy_files_are_numpys() {
    let [device, _] = devices();
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }".to_vec();
    bytes.resize(127, b' ');
    bytes.push(b'\n');
    bytes.extend([0i32, 1, 2].iter().flat_map(|n| n.to_le_bytes()));
    let path = scratch("numpy.npy");
    std::fs::write(&path, &bytes).unwrap();
    let a = Array::<i32>::load_npy(&device, &path).unwrap();
    assert_eq!(a.to_vec().unwrap(), [0, 1, 2]);
    a.save_npy(&path).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    let wrong = |result: Result<(), Error>| result.unwrap_err().to_string();
    let text = wrong(Array::<f32>::load_npy(&device, &path).map(drop));
    assert!(text.ends_with("it holds elements of type '<i4', and the array has '<f4' (f32)"), "{text}");
    let text = wrong(Array::<i32, 2>::load_npy(&device, &path).map(drop));
    assert!(text.ends_with("it has shape [3], and the array has 2 dimensions"), "{text}");
    for cut in [0, 5, 7, 9, 60, 130] {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        wrong(Array::<i32>::load_npy(&device, &path).map(drop));
    }
    let text = wrong(Array::<i32>::load_npy(&device, scratch("none.npy")).map(drop));
    assert!(text.contains("none.npy: "), "{text}");
}
