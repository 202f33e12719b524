//! The text form: exact round trips of every op, readable, errors with a line.

use warp_ir::ir::{Function, Kernel};
use warp_ir::text::{ParseError, parse, parse_kernel, print, print_kernel, read_kernel};

/// Every table and attribute, and each kind of op that a kernel has.
const EVERYTHING: &str = r#"kernel "every\"thing\\" rank 2
attributes fast_math, no_fma, no_adjoint, checkpoint_bytes 1024, undo_bytes 5000000000, grad "dt", grad "p.mass"
param v0: f32 "dt"
param v1@0: bool "flag"
array0 "pos": write elements rank 1 [f32, f32, u8]
array1 "grid": read elements rank 2 strided [f64]
array2 "soa": write planes rank 1 [i16]
local0 "tmp": 4 x [i64, bf16]
table0: i8 [-128, 127, 0]
table1: f32 [0.1, -0.0, inf, -inf, 0x7fc00001]
source0 "src/a \u{1}.rs" 12 5 "pos[i]"
source1 "b.rs" 0 0 ""
print0 ["x = ", f32 ".3", ", ", bool ""] newline
print1 []
slots 3
spans
unused v3: u32
body {
  v2@0: u64 = tid 1 // src/a  .rs:12 `pos[i]`
  v4: u64 = extent array0 0
  v5: bool = lt v2, v4
  check v5 index array0 0 (v2, v4) source0 // src/a  .rs:12 `pos[i]`
  v6: f32 = load array0[v2].1
  v7: f32 = fma v6, v0, v6
  store array0[v2].1 = v7
  v8: u64 = const 3
  v9: u64 = and v2, v8
  v10: i64 = const -9223372036854775808
  fill local0.0 = v10
  v11: f64 = slot 2
  v12: u64 = stride array1 1
  v13: i8 = table table0[v9]
  v14: i16 = const -5
  v15: bool = const true
  check v15 unwrap "there\u{a}" () source1 // b.rs:0 ``
  check v15 assert ["", choice u64 [0 1, 7 1], "none", "seven"] (v8) source0 // src/a  .rs:12 `pos[i]`
  check v15 divide_by_zero () source0 // src/a  .rs:12 `pos[i]`
  check v15 divide_overflow () source0 // src/a  .rs:12 `pos[i]`
  check v15 step_zero () source0 // src/a  .rs:12 `pos[i]`
  check v15 clamp_bounds (v6, v7) source0 // src/a  .rs:12 `pos[i]`
  check v15 slice_range array2 (v2, v2, v4) source0 // src/a  .rs:12 `pos[i]`
  v16: i64 = atomic add local0[v9].0 = v10
  v17: i64 = atomic compare_exchange local0[v9].0 = v10 if v16
  print print0 (v7, v1)
  print print1 ()
  v18: f32, v19: u64 = if v1 {
    yield v6, v2
  } else {
    v20: f32 = const 1e-45
    yield v20, v9
  }
  if v1 {
    v21: f64 = const 0x7ff8000000000001
  }
  v22: u64, v23: f32 = loop v2, v18 while |v24: u64, v25: f32| {
    v26: bool = lt v24, v4
    yield v26
  } do |v27: u64, v28: f32| {
    v29: u64 = add v27, v8
    v30: f32 = mul v28, v28
    yield v29, v30
  }
}
"#;

#[test]
fn everything_is_read_and_printed_as_it_stands() {
    let kernel = parse_kernel(EVERYTHING).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print_kernel(&kernel), EVERYTHING);
    assert_eq!(kernel.function.name, "every\"thing\\");
    assert_eq!(kernel.function.tables[0].1, [0x80, 0x7f, 0]);
    assert_eq!(kernel.function.tables[1].1[1], 0x8000_0000);
    assert_eq!(kernel.attributes.grad, ["dt", "p.mass"]);
}

#[test]
fn functions_with_calls_are_read_and_printed_as_they_stand() {
    let text = r#"function "outer"
param v0: u64 "start"
array0 "a": read elements rank 1 [f32]
source0 "a.rs" 1 1 "f(a)"
callee0 "crate::f<f32>" "f"
body {
  v1: f32, v2: f32 = call callee0 (v0) [array0, array0 (v0, v0)] source0 // a.rs:1 `f(a)`
  call callee0 () [] source0 // a.rs:1 `f(a)`
  loop while {
    v3: bool = const false
    yield v3
  } do {
  }
  yield v1, v2
}
"#;
    let function = parse(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print(&function), text);
    assert_eq!(parse(&print(&Function::default())).unwrap().into_inner(), Function::default());
}

#[test]
fn an_error_names_its_line() {
    let cases = [
        ("v4: u64 = extent array0 0", "v4: u64 = extent local0 0", "expected `array` with a number, found `local0`"),
        ("v7: f32 = fma", "v7: f32 = fna", "`fna` is no op"),
        ("v8: u64 = const 3", "v8: u64 = const -3", "`-3` is no constant of u64"),
        ("v8: u64 = const 3", "v8: u64 = const 0x1ffffffffffffffff", "is no constant of u64"),
        ("v14: i16 =", "v14: i17 =", "`i17` is no scalar type"),
        ("v14: i16 = const -5", "v14: i16 = const -32769", "`-32769` is no constant of i16"),
        ("store array0[v2].1 = v7", "store array0[v2].1 v7", "expected `=`, found `v7`"),
        ("fill local0.0", "v99: u8 = fill local0.0", "`fill` defines no values"),
    ];
    for (line, wrong, message) in cases {
        assert!(EVERYTHING.contains(line));
        let text = EVERYTHING.replacen(line, wrong, 1);
        let expected = EVERYTHING[..EVERYTHING.find(line).unwrap()].lines().count();
        let ParseError { line, message: found } = read_kernel(&text).unwrap_err();
        assert!(found.contains(message), "{wrong}: {found}");
        assert_eq!(line, expected, "{wrong}");
    }
}

#[test]
fn damaged_text_is_an_error_and_never_a_panic() {
    for cut in 0..EVERYTHING.len() {
        assert!(read_kernel(&EVERYTHING[..cut]).is_err() || EVERYTHING[cut..].trim().is_empty(), "cut at {cut}");
    }
    // A value number that would take much memory, and nesting that would take much stack.
    assert!(read_kernel("kernel \"k\" rank 1 unused v4294967295: u8 body { }").unwrap_err().message.contains("limit"));
    let deep = format!("kernel \"k\" rank 1 param v0: bool \"c\" body {{ {}", "if v0 { ".repeat(100_000));
    assert!(read_kernel(&deep).unwrap_err().message.contains("nested deeper"));
    let gap = read_kernel("kernel \"k\" rank 1 unused v2: u8 body { }").unwrap_err();
    assert!(gap.message.starts_with("v0 is missing"));
}

#[test]
fn invalid_kernels_print_too() {
    let mut kernel: Kernel = parse_kernel(EVERYTHING).unwrap().into_inner();
    kernel.function.values.truncate(3);
    kernel.function.spans.truncate(1);
    kernel.function.sources.clear();
    assert!(print_kernel(&kernel).contains("v7: ? = fma v6, v0, v6"));
}
