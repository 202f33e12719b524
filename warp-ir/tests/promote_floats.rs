//! Kernels in double precision: valid, the same where nothing is narrow, and with the results of a computation in `f64`.

use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::evaluate::{Array, Inputs, Layout, run};
use warp_ir::ir::*;
use warp_ir::passes::{promote_floats, simplify};
use warp_ir::random::{self, count, smooth};
use warp_ir::text::{parse_kernel, print_kernel};
use warp_ir::validate::{Valid, guarded};

fn valid(text: &str) -> Valid<Kernel> {
    let kernel = parse_kernel(text).unwrap_or_else(|e| panic!("{e}"));
    guarded(&kernel).unwrap();
    kernel
}

fn array<const N: usize>(elements: &[[u8; N]]) -> Array {
    let layout = Layout { size: N, offsets: vec![0] };
    let extents = vec![elements.len() as u64];
    Array { buffers: vec![elements.concat()], start: 0, extents, strides: vec![], layout }
}

fn doubles(numbers: &[f64]) -> Array {
    array(&numbers.iter().map(|n| n.to_le_bytes()).collect::<Vec<_>>())
}

/// Single and half precision in every place: parameters, arrays, a local array, constants, a table, a constant of the
/// user's, casts, a loop, what an assertion prints.
const NARROW: &str = r#"kernel "narrow" rank 1
attributes no_fma
param v0: f32 "scale"
array0 "x": read elements rank 1 [f32]
array1 "h": read elements rank 1 [f16]
array2 "y": write elements rank 1 [f32]
local0 "sums": 2 x [f32]
table0: f32 [0.5, 0.1]
source0 "a.rs" 1 1 "x[i]"
slots 1
body {
  v1: u64 = tid 0
  v2: u64 = extent array0 0
  v3: bool = lt v1, v2
  check v3 index array0 0 (v1, v2) source0
  v4: u64 = extent array1 0
  v5: bool = lt v1, v4
  check v5 index array1 0 (v1, v4) source0
  v6: u64 = extent array2 0
  v7: bool = lt v1, v6
  check v7 index array2 0 (v1, v6) source0
  v8: f32 = load array0[v1].0
  v9: f16 = load array1[v1].0
  v10: f32 = cast v9
  v11: f32 = const 0.1
  fill local0.0 = v11
  v12: u64 = const 0
  v13: u64 = const 1
  v14: f32 = slot 0
  v15: u64 = const 5
  v16: u64, v17: f32 = loop v12, v8 while |v18: u64, v19: f32| {
    v20: bool = lt v18, v15
    yield v20
  } do |v21: u64, v22: f32| {
    v23: f32 = sin v22
    v24: f32 = mul v23, v0
    v25: f32 = load local0[v13].0
    v26: f32 = add v25, v24
    store local0[v13].0 = v26
    v27: u64 = add v21, v13
    yield v27, v26
  }
  v28: f32 = table table0[v13]
  v29: f32 = mul v17, v28
  v30: f32 = add v29, v10
  v31: f64 = cast v30
  v32: f64 = exp v31
  v33: f32 = cast v32
  v34: f32 = mul v33, v14
  v35: f32 = const 1000000000.0
  v36: bool = lt v34, v35
  check v36 assert ["large: ", f32 ".3"] (v34) source0
  v37: u32 = const 1056964608
  v38: f32 = bitcast v37
  v39: f32 = add v34, v38
  store array2[v1].0 = v39
}
"#;

#[test]
fn every_float_becomes_a_double() {
    let kernel = valid(NARROW);
    let wide = promote_floats(&kernel).unwrap();
    guarded(&wide).unwrap();
    let text = print_kernel(&wide);
    let narrow: Vec<&str> = text.lines().filter(|l| l.contains("f32") || l.contains("f16")).map(str::trim).collect();
    // The user's constant, and the number that is made of bits.
    assert_eq!(narrow.len(), 2, "{text}");
    assert!(narrow[0].contains("= slot 0") && narrow[1].contains("= bitcast"), "{text}");

    let (x, h, scale, slot) = ([0.3f32, -2.0, 7.5], [0x3800u16, 0xb400, 0x2e66], 1.3f32, 0.7f32);
    let halves = [0.5, -0.25, 0.099975586];
    let wide_inputs = [x.map(f64::from), halves, [0.0; 3]].map(|numbers| doubles(&numbers));
    let (scalars, slots) = (vec![f64::from(scale).to_bits()], vec![u64::from(slot.to_bits())]);
    let mut inputs = Inputs { dims: vec![3], scalars, slots, arrays: wide_inputs.into() };
    assert_eq!(run(&wide, &mut inputs, 10_000).unwrap().fault, None);
    let found: Vec<f64> =
        inputs.arrays[2].buffers[0].chunks(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect();

    let arrays =
        vec![array(&x.map(f32::to_le_bytes)), array(&h.map(u16::to_le_bytes)), array(&[0f32; 3].map(f32::to_le_bytes))];
    let (scalars, slots) = (vec![u64::from(scale.to_bits())], vec![u64::from(slot.to_bits())]);
    let mut inputs = Inputs { dims: vec![3], scalars, slots, arrays };
    assert_eq!(run(&kernel, &mut inputs, 10_000).unwrap().fault, None);
    let single: Vec<f32> =
        inputs.arrays[2].buffers[0].chunks(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect();

    for i in 0..3 {
        let (mut sum, mut v) = (f64::from(0.1f32), f64::from(x[i]));
        for _ in 0..5 {
            sum += v.sin() * f64::from(scale);
            v = sum;
        }
        let expected = (v * f64::from(0.1f32) + halves[i]).exp() * f64::from(slot) + 0.5;
        assert!((found[i] - expected).abs() <= 1e-14 * expected.abs(), "{}, expected {expected}", found[i]);
        assert!((f64::from(single[i]) - expected).abs() <= 1e-5 * expected.abs(), "{}, near {expected}", single[i]);
    }
}

#[test]
fn bits_of_floats_are_refused() {
    let mut b = Builder::new("bits");
    let x = b.slice("x", Scalar::F32, Access::Read);
    let n = b.slice("n", Scalar::U32, Access::Write);
    let source = b.source(Source { file: "a.rs".into(), line: 7, ..Source::default() });
    let i = b.tid(0);
    b.check_index(Mem::Array(x), 0, i, source);
    b.check_index(Mem::Array(n), 0, i, source);
    let value = b.load(Mem::Array(x), i, 0);
    b.at(Some(source));
    let bits = b.bitcast(Scalar::U32, value);
    b.store(Mem::Array(n), i, 0, bits);
    let refusal = promote_floats(&Valid::<Kernel>::new(b.finish_kernel(1)).unwrap()).unwrap_err();
    assert_eq!(refusal.source, Some(source));
    let words = "this kernel takes the bits of an `f32`, which are others in the double precision that its gradient is \
        compared in. Compute with the number itself (`abs`, `copysign`, `signum`), or leave the kernel unchecked";
    assert_eq!(refusal.message, words);
}

#[test]
fn kernels_of_doubles_stay_as_they_are() {
    for seed in 0..count(100) {
        let mut kernel = smooth(seed).into_inner();
        simplify(&mut kernel);
        let kernel = Valid::<Kernel>::new(kernel).unwrap();
        assert!(promote_floats(&kernel).unwrap() == kernel, "{}", print_kernel(&kernel));
    }
}

/// Random kernels of all types: what comes out is valid and guarded, and stays as it is.
#[test]
fn promoted_kernels_are_valid_and_promoted_for_good() {
    let (mut promoted, most) = (0, count(300));
    for seed in 0..most {
        let kernel = random::kernel(seed);
        match promote_floats(&kernel) {
            Ok(wide) => {
                promoted += 1;
                guarded(&wide).unwrap_or_else(|e| panic!("{e}\n{}", print_kernel(&wide)));
                // Numbers made of bits, and the user's constants, are narrow where they come from: those are widened again.
                let text = print_kernel(&wide);
                let made = text.contains("bitcast") || text.contains("= slot");
                assert!(made || promote_floats(&wide).unwrap() == wide, "{}", print_kernel(&wide));
            }
            Err(refusal) => assert!(refusal.message.starts_with("this kernel takes the bits"), "{refusal}"),
        }
    }
    assert!(promoted * 4 > most, "{promoted} of {most} kernels");
}

/// Narrowed kernels come back, with the constants that single precision has.
#[test]
fn narrowed_kernels_come_back() {
    for seed in 0..count(100) {
        let mut kernel = smooth(seed).into_inner();
        simplify(&mut kernel);
        let mut narrow = kernel.clone();
        let function = &mut narrow.function;
        let down = |scalar: &mut Scalar| {
            if *scalar == Scalar::F64 {
                *scalar = Scalar::F32;
            }
        };
        function.values.iter_mut().for_each(down);
        function.arrays.iter_mut().for_each(|a| a.leaves.iter_mut().for_each(down));
        function.locals.iter_mut().for_each(|l| l.leaves.iter_mut().for_each(down));
        rounded(&kernel.function.values, &mut narrow.function.body, |x| u64::from((x as f32).to_bits()));
        rounded(&kernel.function.values.clone(), &mut kernel.function.body, |x| f64::from(x as f32).to_bits());
        let wide = promote_floats(&Valid::<Kernel>::new(narrow).unwrap()).unwrap();
        assert!(*wide == kernel, "{}\n{}", print_kernel(&wide), print_kernel(&kernel));
    }
}

fn rounded(types: &[Scalar], region: &mut Region, bits_of: fn(f64) -> u64) {
    for op in &mut region.ops {
        match op {
            Op::Const { bits, result } if types[result.0 as usize] == Scalar::F64 => {
                *bits = bits_of(f64::from_bits(*bits))
            }
            Op::Pure { builtin, .. } => assert_ne!(*builtin, Builtin::Bitcast),
            _ => {}
        }
        op.regions_mut().into_iter().for_each(|inner| rounded(types, inner, bits_of));
    }
}
