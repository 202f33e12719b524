//! Addresses of elements of grids, which count in 32 bits where that is enough.

use warp_ir::abi::ElementLayout;
use warp_ir::emit::ptx::{Input, Module, emit};
use warp_ir::evaluate::{Array, Inputs, Layout, run};
use warp_ir::ir::Kernel;
use warp_ir::planted::{self, Bug};
use warp_ir::random::same;
use warp_ir::text::parse_kernel;
use warp_ir::validate::Valid;

use crate::run::{How, Ready};

/// Each element and the one five columns before it, where there is one. That one's index is computed in any case.
const BEFORE: &str = r#"kernel "before" rank 2
array0 "u": read elements rank 2 strided [f32]
array1 "o": write elements rank 2 strided [f32]
source0 "src/lib.rs" 1 1 "u[(i, j)]"
body {
  v0: u64 = tid 0
  v1: u64 = tid 1
  v2: u64 = extent array0 0
  v3: u64 = extent array0 1
  v4: u64 = stride array0 0
  v5: u64 = stride array0 1
  v6: u64 = mul v0, v4
  v7: u64 = const 5
  v8: u64 = sub v1, v7
  v9: u64 = mul v8, v5
  v10: u64 = add v6, v9
  v11: bool = le v7, v1
  v12: bool = lt v0, v2
  check v12 index array0 0 (v0, v2) source0
  v13: f32 = if v11 {
    v14: bool = lt v8, v3
    check v14 index array0 1 (v8, v3) source0
    v15: f32 = load array0[v10].0
    yield v15
  } else {
    v16: f32 = const 0.0
    yield v16
  }
  v17: bool = lt v1, v3
  check v17 index array0 1 (v1, v3) source0
  v18: u64 = mul v1, v5
  v19: u64 = add v6, v18
  v20: f32 = load array0[v19].0
  v21: f32 = add v13, v20
  v22: u64 = extent array1 0
  v23: bool = lt v0, v22
  check v23 index array1 0 (v0, v22) source0
  v24: u64 = extent array1 1
  v25: bool = lt v1, v24
  check v25 index array1 1 (v1, v24) source0
  v26: u64 = stride array1 0
  v27: u64 = mul v0, v26
  v28: u64 = stride array1 1
  v29: u64 = mul v1, v28
  v30: u64 = add v27, v29
  store array1[v30].0 = v21
}
"#;

fn module(kernel: &Valid<Kernel>) -> Module {
    let layouts = vec![ElementLayout { size: 4, align: 4, offsets: vec![0] }; 2];
    emit(&Input { kernel, layouts: &layouts, slots: Some(&[]) }).unwrap_or_else(|error| panic!("{error}"))
}

fn array(first: f32, strides: [u64; 2]) -> Array {
    let bytes = (0..64u8).flat_map(|k| (first + f32::from(k)).to_le_bytes()).collect();
    let layout = Layout { size: 4, offsets: vec![0] };
    // Where rows lie before each other, the first one is the last in memory.
    let start = if strides[0] > u64::MAX / 2 { 24 * 4 } else { 0 };
    Array { buffers: vec![bytes], start, extents: vec![4, 8], strides: strides.to_vec(), layout }
}

/// The entries that ran with these strides, or what went wrong.
fn ran(kernel: &Valid<Kernel>, strides: [u64; 2]) -> Result<Vec<String>, String> {
    let inputs =
        Inputs { dims: vec![4, 8], arrays: vec![array(0.5, strides), array(0.0, [8, 1])], ..Inputs::default() };
    let mut expected = inputs.clone();
    let outcome = run(kernel, &mut expected, 100_000).map_err(|error| error.to_string())?;
    let module = module(kernel);
    let mut ready = Ready::new(&module)?;
    let mut ran = vec![];
    for entry in &module.entries {
        let mut found = inputs.clone();
        let Some((told, _)) = ready.launch(entry, kernel, &mut found, How { block: 32, seed: None })? else { continue };
        same(kernel, (&expected, &outcome), (&found, &told))?;
        ran.push(entry.name.clone());
    }
    Ok(ran)
}

#[test]
fn strides_that_are_not_negative_count_in_32_bits() {
    let kernel = Valid::<Kernel>::new(parse_kernel(BEFORE).expect("the text is a kernel").into_inner());
    let kernel = kernel.expect("the kernel is valid");
    let [narrow, checked, wide] = ["before_narrow", "before_checked", "before_wide"];
    assert_eq!(ran(&kernel, [8, 1]), Ok(vec![narrow.into(), checked.into(), wide.into()]));
    assert_eq!(ran(&kernel, [1, 4]), Ok(vec![checked.into(), wide.into()]));
    // The same row each time.
    assert_eq!(ran(&kernel, [0, 1]), Ok(vec![narrow.into(), checked.into(), wide.into()]));
    assert_eq!(ran(&kernel, [8u64.wrapping_neg(), 1]), Ok(vec![wide.into()]));
    let text = module(&kernel).text;
    for name in [narrow, checked] {
        let from = text.find(&format!(".entry {name}(")).expect("the entry is there");
        let body = &text[from..from + text[from..].find("    ret;").expect("it ends")];
        assert!(!body.contains("mul.lo.u64") && !body.contains("mad.lo.u64"), "{body}");
    }
}

#[test]
fn addresses_are_not_counted_from_an_index_that_may_be_none() {
    let kernel = Valid::<Kernel>::new(parse_kernel(BEFORE).expect("the text is a kernel").into_inner());
    let kernel = kernel.expect("the kernel is valid");
    planted::set(Some(Bug::PtxCountsFromHalves));
    let wrong = ran(&kernel, [8, 1]);
    planted::set(None);
    assert!(wrong.is_err(), "{wrong:?}");
}
