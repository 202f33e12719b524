//! The evaluator against results worked out by hand.

use warp_ir::evaluate::{Array, Inputs, Layout, Trouble, run};
use warp_ir::ir::Kernel;
use warp_ir::text::parse_kernel;
use warp_ir::validate::{Valid, guarded};

fn kernel(text: &str) -> Valid<Kernel> {
    let kernel = parse_kernel(text).unwrap_or_else(|e| panic!("{e}"));
    guarded(&kernel).unwrap_or_else(|e| panic!("{e}"));
    kernel
}

fn u32s(values: &[u32]) -> Array {
    Array {
        buffers: vec![values.iter().flat_map(|v| v.to_le_bytes()).collect()],
        extents: vec![values.len() as u64],
        layout: Layout { size: 4, offsets: vec![0] },
        ..Array::default()
    }
}

fn back(array: &Array) -> Vec<u32> {
    array.buffers[0].chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

/// Collatz: steps until 1, by a loop with two carried values and an if inside.
#[test]
fn a_loop_carries_its_values() {
    let kernel = kernel(
        r#"kernel "collatz" rank 1
array0 "a": write elements rank 1 [u32]
source0 "k.rs" 1 1 "a[i]"
body {
  v0: u64 = tid 0
  v1: u64 = extent array0 0
  v2: bool = lt v0, v1
  check v2 index array0 0 (v0, v1) source0
  v3: u32 = load array0[v0].0
  v4: u32 = const 0
  v5: u32 = const 1
  v6: u32 = const 3
  v7: u32, v8: u32 = loop v3, v4 while |v9: u32, v10: u32| {
    v11: bool = ne v9, v5
    yield v11
  } do |v12: u32, v13: u32| {
    v14: u32 = add v13, v5
    v15: u32 = and v12, v5
    v16: bool = eq v15, v5
    v17: u32 = if v16 {
      v18: u32 = mul v12, v6
      v19: u32 = add v18, v5
      yield v19
    } else {
      v20: u32 = shr v12, v5
      yield v20
    }
    yield v17, v14
  }
  store array0[v0].0 = v8
}
"#,
    );
    let start = [1, 2, 3, 7, 27, 97];
    let mut inputs = Inputs { dims: vec![6], arrays: vec![u32s(&start)], ..Inputs::default() };
    let outcome = run(&kernel, &mut inputs, 100_000).unwrap();
    assert_eq!(outcome.fault, None);
    let expected = start.map(|mut n| {
        let mut steps = 0;
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    });
    assert_eq!(back(&inputs.arrays[0]), expected);
    assert_eq!(back(&inputs.arrays[0])[4], 111, "27 is known for its 111 steps");

    let mut inputs = Inputs { dims: vec![6], arrays: vec![u32s(&[0; 6])], ..Inputs::default() };
    assert_eq!(run(&kernel, &mut inputs, 100_000), Err(Trouble::Steps), "0 never gets to 1");
}

#[test]
fn yields_are_exchanged_at_once() {
    let kernel = kernel(
        r#"kernel "fibonacci" rank 1
array0 "a": write elements rank 1 [u32]
source0 "k.rs" 1 1 "a[i]"
body {
  v0: u64 = tid 0
  v1: u64 = extent array0 0
  v2: bool = lt v0, v1
  check v2 index array0 0 (v0, v1) source0
  v3: u64 = const 0
  v4: u64 = const 1
  v5: u32 = const 0
  v6: u32 = const 1
  v7: u64, v8: u32, v9: u32 = loop v3, v5, v6 while |v10: u64, v11: u32, v12: u32| {
    v13: bool = lt v10, v0
    yield v13
  } do |v14: u64, v15: u32, v16: u32| {
    v17: u64 = add v14, v4
    v18: u32 = add v15, v16
    yield v17, v16, v18
  }
  store array0[v0].0 = v8
}
"#,
    );
    let mut inputs = Inputs { dims: vec![9], arrays: vec![u32s(&[99; 9])], ..Inputs::default() };
    run(&kernel, &mut inputs, 10_000).unwrap();
    assert_eq!(back(&inputs.arrays[0]), [0, 1, 1, 2, 3, 5, 8, 13, 21]);
}

#[test]
fn the_first_thread_to_fault_is_told_and_effects_before_stay() {
    let kernel = kernel(
        r#"kernel "faults" rank 2
array0 "a": write elements rank 1 [u32]
source0 "k.rs" 1 1 "a[i]"
source1 "k.rs" 2 1 "j < 2"
print0 ["seen"] newline
body {
  v0: u64 = tid 0
  v1: u64 = tid 1
  v2: u64 = extent array0 0
  v3: bool = lt v0, v2
  check v3 index array0 0 (v0, v2) source0
  v4: u32 = const 1
  v5: u32 = atomic add array0[v0].0 = v4
  v6: u64 = const 2
  v7: bool = lt v1, v6
  check v7 assert ["small", u64 ""] (v1) source1
  print print0 ()
}
"#,
    );
    let mut inputs = Inputs { dims: vec![3, 4], arrays: vec![u32s(&[0; 2])], ..Inputs::default() };
    let outcome = run(&kernel, &mut inputs, 10_000).unwrap();
    // Row 0 faults at columns 2 and 3, row 1 too, and all of row 2 finds no element.
    assert_eq!(outcome.faults, 8);
    let fault = outcome.fault.unwrap();
    assert_eq!((fault.thread, fault.source.0), (2, 1));
    assert_eq!(fault.operands, [(warp_ir::ir::Scalar::U64, 2)]);
    assert_eq!(back(&inputs.arrays[0]), [4, 4]);
    assert_eq!(outcome.prints.iter().map(|p| p.thread).collect::<Vec<_>>(), [0, 1, 4, 5]);
}

#[test]
fn strides_offsets_and_planes_place_leaves() {
    let kernel = kernel(
        r#"kernel "place" rank 1
array0 "grid": read elements rank 2 strided [u8, u16]
array1 "soa": write planes rank 1 [u16, u8]
source0 "k.rs" 1 1 "grid[(1, i)]"
body {
  v0: u64 = tid 0
  v1: u64 = extent array0 0
  v2: u64 = extent array0 1
  v3: u64 = const 1
  v4: bool = lt v3, v1
  check v4 index array0 0 (v3, v1) source0
  v5: bool = lt v0, v2
  check v5 index array0 1 (v0, v2) source0
  v6: u64 = stride array0 0
  v7: u64 = stride array0 1
  v8: u64 = mul v0, v7
  v9: u64 = add v6, v8
  v10: u8 = load array0[v9].0
  v11: u16 = load array0[v9].1
  v12: u64 = extent array1 0
  v13: bool = lt v0, v12
  check v13 index array1 0 (v0, v12) source0
  store array1[v0].0 = v11
  store array1[v0].1 = v10
}
"#,
    );
    // Two rows of three elements of four bytes, read from the last row to the first, columns from the end.
    let bytes: Vec<u8> = (0..24).collect();
    let grid = Array {
        buffers: vec![bytes],
        start: 20,
        extents: vec![2, 3],
        strides: vec![3u64.wrapping_neg(), 1u64.wrapping_neg()],
        layout: Layout { size: 4, offsets: vec![0, 2] },
    };
    let soa = Array { buffers: vec![vec![0; 6], vec![0; 3]], extents: vec![3], ..Array::default() };
    let mut inputs = Inputs { dims: vec![3], arrays: vec![grid, soa], ..Inputs::default() };
    assert_eq!(run(&kernel, &mut inputs, 10_000).unwrap().fault, None);
    assert_eq!(inputs.arrays[1].buffers, [vec![10, 11, 6, 7, 2, 3], vec![8, 4, 0]]);
}

#[test]
fn inputs_that_do_not_suit_are_named() {
    let kernel = kernel("kernel \"k\" rank 1\nparam v0: f32 \"x\"\nbody {\n}\n");
    let mut inputs = Inputs { dims: vec![1], ..Inputs::default() };
    let trouble = run(&kernel, &mut inputs, 10).unwrap_err();
    assert_eq!(trouble.to_string(), "the inputs do not suit the kernel: scalars: expected 1, found 0");
    let mut inputs = Inputs { dims: vec![0], scalars: vec![0], ..Inputs::default() };
    assert_eq!(run(&kernel, &mut inputs, 10).unwrap().faults, 0);
}
