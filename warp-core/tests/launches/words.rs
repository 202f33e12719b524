//! The words that a launch hands over, and its limits.

use warp::__private::{Launcher, Options};
use warp::SoaArray;
use warp::layout::Layout;
use warp::prelude::*;
use warp_ir::builder::Builder;
use warp_ir::ir::{Access, ArrayParam, Scalar, Storage};

use super::{F32, launch, mock, recorder, two_slices, words_of};

#[test]
fn every_kind_of_argument_has_its_words() {
    let mut b = Builder::new("kinds");
    let param = |name: &str, leaves: &[Scalar], rank, strided, storage| ArrayParam {
        name: name.into(),
        leaves: leaves.to_vec(),
        rank,
        strided,
        access: if name == "slice" { Access::Read } else { Access::Write },
        storage,
    };
    b.array(param("view", &[Scalar::F32], 2, true, Storage::Elements));
    b.array(param("planes", &[Scalar::F32; 3], 1, false, Storage::Planes));
    b.array(param("slice", &[Scalar::I16], 1, false, Storage::Elements));
    for (name, scalar) in [("x", Scalar::F32), ("y", Scalar::I8), ("flag", Scalar::Bool), ("m0", Scalar::F64)] {
        b.param(name, scalar);
    }
    b.param("m1", Scalar::F64);
    let layouts: [&'static Layout; 3] = [F32, &<Vec3 as Element>::LAYOUT, &<i16 as Element>::LAYOUT];
    let kernel = mock::definition(b.finish_kernel(2), &layouts, &[]);

    let (device, seen) = recorder();
    let mut matrix = Array::<f32, 2>::zeros(&device, (4, 6)).unwrap();
    let mut planes = SoaArray::<Vec3>::zeros(&device, 20).unwrap();
    let slice = Array::from_slice(&device, &[1i16, 2, 3]).unwrap();
    let options = Options::new().threads(3);
    {
        let mut columns = matrix.step_along_mut(1, 2).unwrap();
        let tail = slice.slice(1..).unwrap();
        // SAFETY: the arguments are those of the kernel.
        let mut launcher = unsafe { Launcher::new(kernel, &options) };
        // Values may come between arrays.
        launcher.value(&1.5f32);
        launcher.view_mut(&mut columns);
        launcher.value(&-1i8);
        launcher.planes_mut(&mut planes);
        launcher.value(&true);
        launcher.array(&tail);
        launcher.value(&[2.0f64, -2.0]);
        launcher.run([5, 1 << 33]).unwrap();
    }
    let (words, dims, threads) = seen.lock().unwrap().pop().unwrap();
    assert_eq!((dims, threads), (vec![5, 1 << 33], Some(3)));
    let host = |array: &Array<i16>| array.read().unwrap().as_ptr() as u64;
    assert_eq!(words.len(), 1 + 2 + 2 + 3 + 1 + 2 + 5);
    assert_eq!((words[0] % 64, &words[1..5]), (0, &[4u64, 3, 6, 2][..]), "address, extents, strides");
    assert_eq!((words[6] - words[5], words[7] - words[6], words[8]), (128, 128, 20), "planes start at cache lines");
    assert_eq!((words[9], words[10]), (host(&slice) + 2, 2));
    let bits = [1.5f32.to_bits() as u64, 0xff, 1, 2.0f64.to_bits(), (-2.0f64).to_bits()];
    assert_eq!(words[11..], bits);
}

#[test]
fn hundreds_of_parameters_arrive_in_order() {
    let mut b = Builder::new("many");
    for k in 0..300 {
        b.slice(&format!("a{k}"), Scalar::F32, if k % 2 == 0 { Access::Write } else { Access::Read });
        b.param(&format!("x{k}"), Scalar::U32);
    }
    let kernel = mock::definition(b.finish_kernel(1), &[F32; 300], &[]);
    let (device, seen) = recorder();
    let mut arrays: Vec<_> = (0..300).map(|k| words_of(&device, k + 1)).collect();
    let options = Options::new();
    // SAFETY: the arguments are those of the kernel.
    let mut launcher = unsafe { Launcher::new(kernel, &options) };
    for (k, array) in arrays.iter_mut().enumerate() {
        if k % 2 == 0 {
            launcher.array_mut(array)
        } else {
            launcher.array(array)
        }
        launcher.value(&(k as u32 * 7));
    }
    launcher.run([1]).unwrap();
    drop(launcher);
    let (words, ..) = seen.lock().unwrap().pop().unwrap();
    assert_eq!(words.len(), 900);
    for k in 0..300 {
        assert_eq!((words[2 * k + 1], words[600 + k]), (k as u64 + 1, k as u64 * 7));
    }
    arrays.iter_mut().for_each(|a| a.fill(0.0).unwrap());
}

#[test]
fn no_threads_run_nothing_and_are_no_error() {
    let device = mock::device("mock", true, |_, _| panic!("nothing may run"));
    let (mut a, b) = (words_of(&device, 3), words_of(&device, 3));
    launch(two_slices(), 0, &mut a, &b).unwrap();
    let options = Options::from(&device);
    // SAFETY: nothing is launched.
    unsafe { Launcher::new(two_slices(), &options) }.run([3, 0, 2]).unwrap();
}

#[test]
fn launches_beyond_the_limit_say_the_limit() {
    let device = mock::device("mock", true, |_, _| panic!("nothing may run"));
    let (mut a, b) = (words_of(&device, 3), words_of(&device, 3));
    let words = launch(two_slices(), 1 << 48, &mut a, &b).unwrap_err().to_string();
    let limit = "is too large: the limit is 2^48 threads in all";
    assert_eq!(words, format!("kernel `two_slices`: a launch over 281474976710656 threads {limit}"));
    let options = Options::from(&device);
    // SAFETY: nothing is launched.
    let error = unsafe { Launcher::new(two_slices(), &options) }.run([1 << 30, 1 << 20]).unwrap_err();
    assert_eq!(error.to_string(), format!("kernel `two_slices`: a launch over 1073741824 x 1048576 threads {limit}"));
}
