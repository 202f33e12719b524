//! Elements of several scalars: in one access where they are aligned, and through the cache for what nobody writes.

use warp_ir::abi::ElementLayout;
use warp_ir::builder::Builder;
use warp_ir::emit::ptx::{Input, emit};
use warp_ir::evaluate::{Array, Inputs, Layout, run};
use warp_ir::ir::{Access, ArrayParam, Kernel, Mem, Scalar, Source, Storage};
use warp_ir::random::same;
use warp_ir::validate::Valid;

use crate::run::{How, Ready};

/// `b[i] = a[i]`, for elements of so many scalars.
fn copy(scalar: Scalar, leaves: u16) -> Valid<Kernel> {
    let mut b = Builder::new("copy");
    let place = b.source(Source { text: "b[i] = a[i]".into(), ..Source::default() });
    let array = |name: &str, access| ArrayParam {
        name: name.into(),
        leaves: vec![scalar; leaves as usize],
        rank: 1,
        strided: false,
        access,
        storage: Storage::Elements,
    };
    let from = b.array(array("a", Access::Read));
    let to = b.array(array("b", Access::Write));
    let i = b.tid(0);
    b.check_index(Mem::Array(from), 0, i, place);
    let values: Vec<_> = (0..leaves).map(|leaf| b.load(Mem::Array(from), i, leaf)).collect();
    b.check_index(Mem::Array(to), 0, i, place);
    values.iter().zip(0..).for_each(|(&value, leaf)| b.store(Mem::Array(to), i, leaf, value));
    Valid::<Kernel>::new(b.finish_kernel(1)).expect("the kernel is valid")
}

/// The loads and stores of global memory in the best entry of a copy, which does copy.
fn accesses(scalar: Scalar, leaves: u16, align: usize) -> Vec<String> {
    let kernel = copy(scalar, leaves);
    let offsets: Vec<usize> = (0..leaves as usize).map(|k| k * scalar.size()).collect();
    let size = leaves as usize * scalar.size();
    let layouts = vec![ElementLayout { size, align, offsets: offsets.clone() }; 2];
    let module =
        emit(&Input { kernel: &kernel, layouts: &layouts, slots: Some(&[]) }).unwrap_or_else(|e| panic!("{e}"));
    let array = |first: u8| Array {
        buffers: vec![(0..size * 5).map(|k| first.wrapping_add(k as u8)).collect()],
        start: 0,
        extents: vec![5],
        strides: vec![],
        layout: Layout { size, offsets: offsets.clone() },
    };
    let inputs = Inputs { dims: vec![5], arrays: vec![array(1), array(100)], ..Inputs::default() };
    let (mut expected, mut found) = (inputs.clone(), inputs);
    let outcome = run(&kernel, &mut expected, 10_000).expect("the kernel runs");
    let mut ready = Ready::new(&module).unwrap_or_else(|e| panic!("{e}"));
    let how = How { block: 32, seed: None };
    let launched = ready.launch(&module.entries[0], &kernel, &mut found, how).unwrap_or_else(|e| panic!("{e}"));
    let (told, _) = launched.expect("the best entry is right for the launch");
    same(&kernel, (&expected, &outcome), (&found, &told)).unwrap_or_else(|e| panic!("{e}"));
    let best = module.text.split("\ndone:").next().expect("there is a first entry");
    let names = best.lines().filter_map(|line| line.trim().split(' ').next());
    names.filter(|name| name.contains(".global")).map(str::to_owned).collect()
}

#[test]
fn aligned_neighbours_move_together() {
    let twice =
        |load: &str, store: &str, times: usize| [vec![load.to_owned(); times], vec![store.to_owned(); times]].concat();
    // Vectors of the host are aligned as their scalars, except for four floats; the start of an array is better aligned.
    assert_eq!(accesses(Scalar::F32, 2, 4), twice("ld.global.nc.v2.f32", "st.global.v2.f32", 1));
    assert_eq!(accesses(Scalar::F32, 3, 4), twice("ld.global.nc.f32", "st.global.f32", 3));
    assert_eq!(accesses(Scalar::F32, 4, 16), twice("ld.global.nc.v4.f32", "st.global.v4.f32", 1));
    assert_eq!(accesses(Scalar::F64, 2, 8), twice("ld.global.nc.v2.f64", "st.global.v2.f64", 1));
    assert_eq!(accesses(Scalar::F64, 4, 16), twice("ld.global.nc.v2.f64", "st.global.v2.f64", 2));
    assert_eq!(accesses(Scalar::U32, 8, 4), twice("ld.global.nc.v4.b32", "st.global.v4.b32", 2));
}

#[test]
fn halves_are_stored_in_two_bytes() {
    for scalar in [Scalar::F16, Scalar::BF16] {
        assert_eq!(accesses(scalar, 1, 2), ["ld.global.nc.u16", "st.global.u16"]);
    }
}
