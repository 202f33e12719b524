//! Kernels that do not fit their launch.

use warp::__private::{Definition, Element, Launcher, Options};
use warp::SoaArray;
use warp::layout::Layout;
use warp::prelude::*;
use warp_ir::builder::Builder;
use warp_ir::ir::{Access, ArrayParam, Kernel as Ir, Scalar, Storage};

use super::{F32, checked, launch, mock, recorder, words_of};

#[test]
fn kernels_that_do_not_fit_are_refused() {
    let device = mock::idle("mock", true);
    let (mut a, b) = (words_of(&device, 3), words_of(&device, 3));
    let mut fits = |kernel: &'static Definition| launch(kernel, 1, &mut a, &b).unwrap_err().to_string();
    let rank = |rank| {
        let mut b = Builder::new("k");
        b.slice("a", Scalar::F32, Access::Write);
        b.slice("b", Scalar::F32, Access::Read);
        b.finish_kernel(rank)
    };
    assert!(fits(mock::definition(rank(2), &[F32, F32], &[])).contains("takes 2 dimensions"));
    assert!(fits(mock::definition(rank(1), &[F32], &[])).contains("has 2 array parameters, its signature 1"));
    let doubles: &'static Layout = &<f64 as Element>::LAYOUT;
    let words = fits(mock::definition(rank(1), &[F32, doubles], &[]));
    assert!(words.contains("the elements of `b` are [F32] in its code and [F64] in memory"), "{words}");
    let mut slots = Builder::new("k");
    slots.slot(Scalar::F32);
    assert!(fits(mock::definition(slots.finish_kernel(1), &[], &[])).contains("uses 1 constants, and 0 came"));
    let mut more = Builder::new("k");
    more.param("x", Scalar::F32);
    assert!(fits(mock::definition(more.finish_kernel(1), &[], &[])).contains("(0, 1) words"));
}

/// As many words as the code takes are not enough: each array must be of the kind that stands in its place.
#[test]
fn arrays_of_another_kind_are_refused() {
    #[derive(Clone, Copy, Struct)]
    #[repr(C)]
    struct Late {
        pad: f32,
        x: f32,
        y: f32,
    }
    #[derive(Clone, Copy, Struct)]
    #[repr(C, align(8))]
    struct Wide {
        x: f32,
        y: f32,
        z: f32,
    }
    let array = |leaves: usize, form: (u8, bool, Storage), access| ArrayParam {
        name: "a".into(),
        leaves: vec![Scalar::F32; leaves],
        rank: form.0,
        strided: form.1,
        access,
        storage: form.2,
    };
    let kernel = |of: ArrayParam, layout: &'static Layout| {
        let mut b = Builder::new("k");
        b.array(of);
        mock::definition(b.finish_kernel(1), vec![layout].leak(), &[])
    };
    let (device, seen) = recorder();
    let options = Options::from(&device);
    fn run<'a>(
        options: &'a Options,
        kernel: &'static Definition,
        add: impl FnOnce(&mut Launcher<'a, '_>),
    ) -> Result<(), String> {
        // SAFETY: it is refused, or of the right kind and run by the recorder.
        let mut launcher = unsafe { Launcher::new(kernel, options) };
        add(&mut launcher);
        launcher.run([1]).map_err(|e| e.to_string())
    }
    const SLICE: (u8, bool, Storage) = (1, false, Storage::Elements);
    const VIEW: (u8, bool, Storage) = (2, true, Storage::Elements);
    const PLANES: (u8, bool, Storage) = (1, false, Storage::Planes);
    const THREE: &Layout = &<Late as Element>::LAYOUT;

    // Another size of element: 12 bytes and 16, three floats each.
    let wide = Array::from_slice(&device, &[Wide { x: 1.0, y: 2.0, z: 3.0 }]).unwrap();
    let words = run(&options, kernel(array(3, SLICE, Access::Read), THREE), |l| l.array(&wide)).unwrap_err();
    assert_eq!(
        words,
        "kernel `k` cannot be loaded: its code takes a read slice with elements of 12 bytes that hold [F32, F32, F32] \
         for `a`, and its launch gives a read slice with elements of 16 bytes that hold [F32, F32, F32]; rebuild the \
         crate that defines it with the same version of warp"
    );
    // A read array where the code writes.
    let late = Array::from_slice(&device, &[Late { pad: 0.0, x: 1.0, y: 2.0 }]).unwrap();
    let words = run(&options, kernel(array(3, SLICE, Access::Write), THREE), |l| l.array(&late)).unwrap_err();
    assert!(words.contains("takes a written slice") && words.contains("gives a read slice"), "{words}");
    // Five words each: a view of two dimensions, and four planes.
    let four: &'static Layout = &<[f32; 4] as Element>::LAYOUT;
    let planes = SoaArray::from_slice(&device, &[[1.0f32; 4]]).unwrap();
    let words = run(&options, kernel(array(4, VIEW, Access::Read), four), |l| l.planes(&planes)).unwrap_err();
    assert!(words.contains("takes a read view of 2 dimensions") && words.contains("gives a read array of planes"));
    assert!(seen.lock().unwrap().is_empty(), "nothing ran");
    run(&options, kernel(array(4, PLANES, Access::Read), four), |l| l.planes(&planes)).unwrap();
    run(&options, kernel(array(3, SLICE, Access::Read), THREE), |l| l.array(&late)).unwrap();
    assert_eq!(seen.lock().unwrap().len(), 2);
}

/// IR of another version, damaged IR, and a kernel that failed to lower: each is told, and none is run.
#[test]
fn bytes_that_are_no_kernel_are_refused() {
    let good = warp_ir::validate::Valid::<Ir>::new(checked()).unwrap();
    let good = <Ir as warp_ir::encode::Encode>::to_bytes(&good);
    let next = (warp_ir::encode::FORMAT + 1).to_le_bytes();
    let other = [&next[..], &good[2..]].concat();
    for (bytes, why) in [(other, "version"), (good[..good.len() / 2].to_vec(), "damaged"), (vec![], "damaged")] {
        let spec = warp::__private::Spec {
            name: "gather",
            module: "tests",
            file: "tests/launches/refusals.rs",
            line: 1,
            ir: bytes.leak(),
            adjoint: &[],
            slots: &[],
            arrays: &[F32, F32],
            plain: None,
        };
        // SAFETY: it is refused.
        let kernel = Box::leak(Box::new(unsafe { Definition::new(spec) }));
        let device = mock::idle("mock", true);
        let words = launch(kernel, 1, &mut words_of(&device, 1), &words_of(&device, 1)).unwrap_err().to_string();
        assert!(words.starts_with("kernel `gather` cannot be loaded: ") && words.contains(why), "{words}");
    }
}
