//! What `#[kernel]` emits, written by hand, against a backend that runs a closure: the contract at the head of
//! `kernel.rs`, compiled.

extern crate warp_core as warp;

mod mock;

use std::sync::LazyLock;

use warp::__private::{
    Argument, Arguments, Definition, Dims, Element, Exp, Kernel, Launcher, Layout, Link, Options, Spec, plain, slot,
};
use warp::backend::Call;
use warp::math::Vec3;
use warp::prelude::{Array, tid};
use warp::{Error, Fault, FaultKind};
use warp_ir::builder::Builder;
use warp_ir::encode::Encode;
use warp_ir::ir::{Access, ArrayParam, Mem, Scalar, Source, Storage};
use warp_ir::validate::Valid;

const GRAVITY: Vec3 = Vec3::new(0.5, -9.81, 2.0);

/// The kernel, as the user wrote it.
fn integrate(pos: &mut [Vec3], vel: &[Vec3], dt: f32) {
    let i = tid();
    pos[i] += (vel[i] + GRAVITY) * dt;
}

/// The same as IR, by hand: only the x component is moved, which is enough for the block of arguments.
fn ir() -> Vec<u8> {
    let mut b = Builder::new("integrate");
    let array = |name: &str, access| ArrayParam {
        name: name.into(),
        leaves: vec![Scalar::F32; 3],
        rank: 1,
        strided: false,
        access,
        storage: Storage::Elements,
    };
    let pos = Mem::Array(b.array(array("pos", Access::Write)));
    let vel = Mem::Array(b.array(array("vel", Access::Read)));
    let dt = b.param("dt", Scalar::F32);
    let source = b.source(Source { file: "src/main.rs".into(), line: 7, column: 5, text: "pos[i]".into() });
    let (gravity, i) = (b.slot(Scalar::F32), b.tid(0));
    b.check_index(pos, 0, i, source);
    b.check_index(vel, 0, i, source);
    let (x, v) = (b.load(pos, i, 0), b.load(vel, i, 0));
    let v = b.pure(warp_ir::builtins::Builtin::Add, &[v, gravity]);
    let v = b.pure(warp_ir::builtins::Builtin::Mul, &[v, dt]);
    let x = b.pure(warp_ir::builtins::Builtin::Add, &[x, v]);
    b.store(pos, i, 0, x);
    Kernel_::to_bytes(&Valid::<Kernel_>::new(b.finish_kernel(1)).unwrap())
}

use warp_ir::ir::Kernel as Kernel_;

mod generated {
    #![allow(non_camel_case_types)]
    use super::*;

    pub struct integrate {}

    // The macro has the bytes as a literal; here they are made at run time.
    static IR: LazyLock<&'static [u8]> = LazyLock::new(|| ir().leak());
    static DEFINITION: LazyLock<Definition> = LazyLock::new(|| {
        const CONSTANTS: Exp = Exp { slots: &[slot::<Vec3>(GRAVITY, 0), slot::<Vec3>(GRAVITY, 1)], ..Exp::EMPTY };
        static E: Exp = CONSTANTS;
        const LINK: Link = Link::to(&E);
        // SAFETY: the spec describes the kernel, and the launcher below follows it.
        unsafe {
            Definition::new(Spec {
                name: "integrate",
                module: module_path!(),
                file: file!(),
                line: line!(),
                ir: *IR,
                adjoint: &[],
                slots: const { &[LINK.slot(0), LINK.slot(1)] },
                arrays: &[&<Vec3 as Element>::LAYOUT, &<Vec3 as Element>::LAYOUT],
                plain: Some(|arguments| {
                    // The arguments are those of a launch of this kernel.
                    let (pos, vel, dt) = (arguments.slice_mut(), arguments.slice(), arguments.value());
                    integrate::plain(arguments.dims::<1>(), pos, vel, dt)
                }),
            })
        }
    });

    // SAFETY: as the macro promises.
    unsafe impl Kernel for integrate {
        fn definition() -> &'static Definition {
            &DEFINITION
        }
    }

    impl integrate {
        pub fn launch(d: impl Dims<1>, pos: &mut Array<Vec3>, vel: &Array<Vec3>, dt: f32) -> Result<(), Error> {
            Self::on(Options::new()).launch(d, pos, vel, dt)
        }
        pub fn on(target: impl Into<Options>) -> __warp_on_integrate {
            __warp_on_integrate(target.into())
        }
        pub fn plain(d: impl Dims<1>, pos: &mut [Vec3], vel: &[Vec3], dt: f32) -> Result<(), Box<Fault>> {
            plain(Self::definition(), d.extents(), || super::integrate(&mut *pos, vel, dt))
        }
    }

    pub struct __warp_on_integrate(Options);
    impl __warp_on_integrate {
        pub fn block(self, n: u32) -> Self {
            Self(self.0.block(n))
        }
        pub fn threads(self, n: usize) -> Self {
            Self(self.0.threads(n))
        }
        pub fn launch(&self, d: impl Dims<1>, p: &mut Array<Vec3>, v: &Array<Vec3>, dt: f32) -> Result<(), Error> {
            // SAFETY: the arguments follow the signature.
            let mut launcher = unsafe { Launcher::new(integrate::definition(), &self.0) };
            launcher.array_mut(p);
            launcher.array(v);
            launcher.value(&dt);
            launcher.run(d.extents())
        }
    }
}

use generated::integrate as kernel;

/// The closure in place of compiled code.
fn body(program: &warp::backend::Program, call: &Call<'_>) -> Result<(), warp::backend::LaunchStop> {
    let [pos, pos_len, vel, vel_len, dt] = *call.words else { panic!("five words, not {:?}", call.words) };
    assert_eq!((pos_len, vel_len), (call.dims[0], call.dims[0]));
    assert_eq!(program.layouts[0].offsets, [0, 4, 8]);
    let (dt, gravity) = (f32::from_bits(dt as u32), f32::from_bits(program.slots[0] as u32));
    for i in 0..call.dims[0] {
        // SAFETY: the arrays have as many elements as the launch has threads.
        unsafe { *mock::element(pos, 3 * i) += (*mock::element(vel, 3 * i) + gravity) * dt };
    }
    Ok(())
}

#[test]
fn a_launch_passes_words_slots_and_layouts() {
    for host in [true, false] {
        let device = mock::device("mock", host, body);
        let mut pos = Array::from_slice(&device, &[Vec3::ZERO, Vec3::splat(2.0)]).unwrap();
        let vel = Array::from_slice(&device, &[Vec3::splat(1.5), Vec3::splat(-1.0)]).unwrap();
        kernel::launch(2, &mut pos, &vel, 0.5).unwrap();
        assert_eq!(pos.to_vec().unwrap(), [Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.75, 2.0, 2.0)]);
        kernel::on(&device).block(64).threads(1).launch(2, &mut pos, &vel, 0.5).unwrap();
        assert_eq!(pos.get(0).unwrap().x, 2.0);
    }
}

#[test]
fn the_plain_function_runs_thread_by_thread() {
    let mut pos = [Vec3::ZERO; 3];
    kernel::plain(3, &mut pos, &[Vec3::X, Vec3::Y, Vec3::Z], 2.0).unwrap();
    assert_eq!(pos, [Vec3::X, Vec3::Y, Vec3::Z].map(|v| (v + GRAVITY) * 2.0));
    assert_eq!(tid(), 0, "outside of a run");
}

#[test]
fn a_panic_of_the_plain_function_is_a_fault_of_its_thread() {
    let mut pos = [Vec3::ZERO; 2];
    let fault = kernel::plain(5, &mut pos, &[Vec3::X; 5], 1.0).unwrap_err();
    assert_eq!((fault.thread, &fault.index[..], fault.count), (2, &[2][..], 3));
    assert!(fault.file.ends_with("contract.rs"), "{fault:?}");
    assert!(matches!(&fault.kind, FaultKind::Panic { message } if message.contains("the len is 2")), "{fault:?}");
    assert_eq!(pos, [Vec3::X + GRAVITY; 2], "the other threads ran");
}

#[test]
fn constants_are_read_by_leaf() {
    const B: bool = true;
    const H: half::f16 = half::f16::ONE;
    const A: [[i16; 2]; 2] = [[1, -2], [3, 4]];
    const BITS: [u64; 6] =
        [slot(B, 0), slot(H, 0), slot(A, 1), slot(A, 2), slot(-1i64, 0), slot(glam::Mat3::from_diagonal(GRAVITY), 4)];
    assert_eq!(BITS, [1, 0x3c00, 0xfffe, 3, u64::MAX, (-9.81f32).to_bits() as u64]);
}

/// What `#[derive(Args)]` emits for a bundle of the user's.
struct Mesh<'a> {
    points: &'a mut [Vec3],
    faces: &'a [u32],
    scale: f32,
}

struct MeshArrays<'a> {
    points: &'a mut Array<Vec3>,
    faces: &'a Array<u32>,
    scale: f32,
}

// SAFETY: arrays and values come in the order of the fields.
unsafe impl Argument for Mesh<'_> {
    type Host<'a> = MeshArrays<'a>;
    type Again<'again>
        = Mesh<'again>
    where
        Self: 'again;
    const ARRAYS: &'static [&'static Layout] = &[&<Vec3 as Element>::LAYOUT, &<u32 as Element>::LAYOUT];

    fn push<'long: 'host, 'host>(host: MeshArrays<'long>, launcher: &mut Launcher<'host, '_>) {
        launcher.array_mut(host.points);
        launcher.array(host.faces);
        <f32 as Argument>::push(host.scale, launcher);
    }

    fn again(&mut self) -> Mesh<'_> {
        Mesh { points: &mut *self.points, faces: self.faces, scale: self.scale }
    }

    unsafe fn pull(arguments: &mut Arguments<'_>) -> Self {
        // SAFETY: the same contract, for each field in order.
        unsafe { Mesh { points: arguments.slice_mut(), faces: arguments.slice(), scale: arguments.value() } }
    }
}

fn swell(mesh: Mesh, by: f32) {
    let i = mesh.faces[tid()] as usize;
    mesh.points[i] *= mesh.scale + by;
}

fn swell_launch(mesh: <Mesh<'_> as Argument>::Host<'_>, by: <f32 as Argument>::Host<'_>) -> Result<(), Error> {
    const LAYOUTS: &[&Layout] = &[<Mesh<'static> as Argument>::ARRAYS[0], <Mesh<'static> as Argument>::ARRAYS[1]];
    static DEFINITION: LazyLock<&'static Definition> = LazyLock::new(|| {
        let mut b = Builder::new("swell");
        for (name, leaves, access) in
            [("mesh.points", vec![Scalar::F32; 3], Access::Write), ("mesh.faces", vec![Scalar::U32], Access::Read)]
        {
            let storage = Storage::Elements;
            b.array(ArrayParam { name: name.into(), leaves, rank: 1, strided: false, access, storage });
        }
        b.param("mesh.scale", Scalar::F32);
        b.param("by", Scalar::F32);
        mock::definition(b.finish_kernel(1), LAYOUTS, &[])
    });
    let options = Options::new();
    // SAFETY: the arguments follow the signature.
    let mut launcher = unsafe { Launcher::new(&DEFINITION, &options) };
    <Mesh as Argument>::push(mesh, &mut launcher);
    <f32 as Argument>::push(by, &mut launcher);
    launcher.run([1])
}

#[test]
fn bundles_are_taken_apart() {
    let device = mock::device("bundles", true, |_, call| {
        assert_eq!((call.words[1], call.words[3]), (2, 5));
        assert_eq!(call.words[4..], [3.0f32.to_bits() as u64, 0.5f32.to_bits() as u64]);
        Ok(())
    });
    let (mut points, faces) = (Array::full(&device, 2, Vec3::ONE).unwrap(), Array::full(&device, 5, 1u32).unwrap());
    swell_launch(MeshArrays { points: &mut points, faces: &faces, scale: 3.0 }, 0.5).unwrap();
    let far = Array::full(&mock::idle("elsewhere", true), 5, 1u32).unwrap();
    let error = swell_launch(MeshArrays { points: &mut points, faces: &far, scale: 3.0 }, 0.5).unwrap_err();
    assert!(error.to_string().contains("argument `mesh.faces` is on device elsewhere"), "{error}");
}

#[test]
fn bundles_are_lent_to_each_thread_of_a_plain_run() {
    let mut points = [Vec3::ONE; 2];
    let mut mesh = Mesh { points: &mut points, faces: &[1, 1, 0], scale: 1.0 };
    plain(kernel::definition(), [3], || swell(mesh.again(), 1.0)).unwrap();
    assert_eq!(points, [Vec3::splat(2.0), Vec3::splat(4.0)]);
}
