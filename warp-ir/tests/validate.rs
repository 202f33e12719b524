//! One broken rule a case, each turned away with its sentence at its op.

use warp_ir::ir::{Function, Kernel, Source, SourceId, Value};
use warp_ir::planted::{self, Bug};
use warp_ir::text::{read, read_kernel};
use warp_ir::validate::{Valid, limits};

/// A kernel with something of everything; `HERE` is where a case puts its ops.
const FRAME: &str = r#"kernel "k" rank 2
param v0: f32 "x"
param v1: u64 "i"
param v2: bool "c"
array0 "read": read elements rank 1 [f32, i32]
array1 "write": write elements rank 2 strided [f32, f16]
local0 "tmp": 4 x [u8]
table0: f32 [1.0, 2.0]
source0 "k.rs" 3 7 "a[i]"
print0 ["x = ", f32 ""] newline
slots 1
body {
  HERE
}
"#;

/// Ops, the op at fault (its beginning), and the message.
const CASES: &[(&str, &str, &str)] = &[
    // Scope.
    ("v3: f32 = add v4, v0 v4: f32 = const 1.0", "v3: f32 = add v4, v0", "v4 is used before it is defined"),
    (
        "if v2 { v3: f32 = const 1.0 } v4: f32 = neg v3",
        "v4: f32 = neg",
        "v3 is used outside the region that defines it",
    ),
    ("if v2 { v3: f32 = const 1.0 } else { v4: f32 = neg v3 }", "v4", "v3 is used outside the region that defines it"),
    ("v3: f32 = const 1.0 v3: f32 = const 2.0", "v3", "v3 is defined a second time"),
    ("v0: f32 = const 1.0", "v0", "v0 is defined a second time"),
    ("v3: f32 = add v3, v0", "v3", "v3 is used before it is defined"),
    ("v3: f32 = neg v99", "v3", "v99 does not exist; there are 4"),
    // Regions.
    ("v3: f32 = if v2 { yield v0 } else { }", "v3: f32 = if v2", "yields of a region: found 0, expected 1"),
    ("v3: f32 = if v2 { yield v0 } else { yield v1 }", "v3: f32 = if v2", "v1 is u64, expected f32"),
    ("if v2 |v3: f32| { }", "if v2", "parameters of a region: found 1, expected 0"),
    ("if v0 { }", "if v0", "the condition of an if (v0) is f32, expected bool"),
    (
        "v3: f32 = loop v0 while |v4: f32| { yield v2 } do |v5: f32| { yield v5, v5 }",
        "v3: f32 = loop",
        "yields of a region: found 2, expected 1",
    ),
    (
        "v3: u64 = loop v0 while |v4: f32| { yield v2 } do |v5: f32| { yield v5 }",
        "v3: u64 = loop",
        "results of a loop: v3 is u64, expected f32",
    ),
    ("loop while { yield v1 } do { }", "loop", "v1 is u64, expected bool"),
    ("loop while { check v2 step_zero () source0 yield v2 } do { }", "check v2", "stands in the condition of a loop"),
    ("loop while { if v2 { } yield v2 } do { }", "if v2", "stands in the condition of a loop"),
    ("yield v0", "", "a kernel has no results, and this one yields 1"),
    // Derivatives of the user's own.
    ("custom () by () { }", "custom", "a custom derivative has no results"),
    (
        "v3: u64 = custom (v0) by (v0) |v4: f32| { yield v4 }",
        "v3: u64 = custom",
        "results of a custom derivative: v3 is u64, expected f32",
    ),
    (
        "v3: f32 = custom (v0) by (v1) |v4: f32| { yield v1 }",
        "v3: f32 = custom",
        "a derivative is by v1, which is no float",
    ),
    ("v3: f32 = custom (v0) by (v0) { yield v0 }", "v3: f32 = custom", "parameters of a region: found 0, expected 1"),
    ("v3: u64 = custom (v1) by (v0) { yield v1 }", "v3: u64 = custom", "yields of a region: v1 is u64, expected f32"),
    (
        "v3: f32 = custom (v0) by (v0) |v4: f32| { store array1[v1].0 = v4 yield v4 }",
        "store array1",
        "a derivative writes to an array parameter",
    ),
    (
        "v3: f32 = custom (v0) by (v0) |v4: f32| { if v2 { v5: f32 = custom (v0) by () |v6: f32| { } } yield v4 }",
        "v5: f32 = custom",
        "a derivative stands inside another one",
    ),
    (
        "v3: u8 = const 0 fill local0.0 = v3
         v4: f32 = custom (v0) by (v0) |v5: f32| { v6: u8 = load local0[v1].0 yield v5 }",
        "",
        "local0 is used inside and outside of a custom derivative",
    ),
    (
        "v3: f32 = custom (v0) by (v0) |v4: f32| { yield v4 } v5: f32 = neg v4",
        "v5",
        "v4 is used outside the region that defines it",
    ),
    // Handles.
    ("v3: f32 = slot 1", "v3", "slot1 does not exist; there are 1"),
    ("v3: u64 = tid 2", "v3", "the launch has 2 dimensions, and this is number 2"),
    ("v3: u64 = extent array2 0", "v3", "array2 does not exist; there are 2"),
    ("v3: u64 = extent array0 1", "v3", "array0 has 1 dimensions, and this asks for number 1"),
    ("v3: f32 = table table1[v1]", "v3", "table1 does not exist; there are 1"),
    ("v3: f32 = load array0[v1].2", "v3", "leaf 2 does not exist; there are 2"),
    ("v3: u8 = load local1[v1].0", "v3", "local1 does not exist; there are 1"),
    ("check v2 step_zero () source1", "check v2", "source1 does not exist; there are 1"),
    ("check v2 index array0 1 (v1, v1) source0", "check v2", "the memory has 1 dimensions, and this checks number 1"),
    ("print print1 ()", "print", "print1 does not exist; there are 1"),
    ("call callee0 () [] source0", "call", "a kernel has no calls left after linking"),
    // Types.
    ("v3: u32 = tid 0", "v3", "a thread's coordinate (v3) is u32, expected u64"),
    ("v3: bool = const 0x2", "v3", "the bits 0x2 are more than bool has"),
    ("v3: u8 = const 0x100", "v3", "the bits 0x100 are more than u8 has"),
    ("v3: f32 = add v0, v1", "v3: f32 = add v0, v1", "`add`"),
    ("v3: f32 = add v0", "v3", "`add` takes 2 operands, not 1"),
    ("v3: f32 = and v0, v0", "v3", "`and`"),
    ("v3: bool = cast v1", "v3", "`cast` does not take u64 to bool"),
    ("v3: f16 = cast v1", "v3", "`cast` does not take u64 to f16"),
    ("v3: bool = bitcast v2 v4: u8 = bitcast v2", "v4", "`bitcast` does not take bool to u8"),
    ("v3: i32 = load array0[v1].0", "v3", "the value of the leaf (v3) is i32, expected f32"),
    ("v3: f32 = load array0[v0].0", "v3", "an index (v0) is f32, expected u64"),
    ("fill local0.0 = v0", "fill", "the value of a fill (v0) is f32, expected u8"),
    ("store array1[v1].0 = v1", "store", "the value of the leaf (v1) is u64, expected f32"),
    ("v3: i32 = table table0[v1]", "v3", "an element of the table (v3) is i32, expected f32"),
    ("check v0 step_zero () source0", "check", "the condition of a check (v0) is f32, expected bool"),
    ("check v2 index array0 0 (v1) source0", "check", "prints 2 operands, found 1"),
    ("check v2 slice_range array0 (v1, v1, v0) source0", "check", "(v0) is f32, expected u64"),
    ("check v2 divide_by_zero (v1) source0", "check", "prints 0 operands, found 1"),
    ("check v2 clamp_bounds (v0, v1) source0", "check", "the upper bound (v1) is u64, expected f32"),
    ("print print0 (v1)", "print", "an argument of the site (v1) is u64, expected f32"),
    ("print print0 ()", "print", "the site prints 1 arguments, found 0"),
    // Access and atomics.
    ("store array0[v1].0 = v0", "store array0[v1].0 = v0", "array0 (`read`) is for reading only"),
    ("v3: f32 = atomic add array0[v1].0 = v0", "v3", "array0 (`read`) is for reading only"),
    ("v3: f32 = atomic xor array1[v1].0 = v0", "v3", "there is no atomic Xor of f32"),
    ("v3: f32 = atomic compare_exchange array1[v1].0 = v0", "v3", "a compare-exchange needs a value to compare with"),
    ("v3: f32 = atomic add array1[v1].0 = v0 if v0", "v3", "an atomic Add compares with nothing"),
    (
        "v4: f16 = load array1[v1].1 v3: f16 = atomic add array1[v1].1 = v4",
        "v3: f16 = atomic add",
        "there is no atomic Add of f16",
    ),
];

/// The first case that is not turned away as it should be.
fn wrongly_taken() -> Option<String> {
    for (ops, at, message) in CASES {
        let kernel = read_kernel(&FRAME.replace("HERE", ops)).unwrap_or_else(|e| panic!("{ops}: {e}"));
        let Err(error) = Valid::<Kernel>::new(kernel) else { return Some(format!("{ops}: taken")) };
        if !error.op.starts_with(at) || !error.message.contains(message) || (at.is_empty() && !error.op.is_empty()) {
            return Some(format!("{ops}: {error}"));
        }
    }
    None
}

#[test]
fn each_broken_rule_is_named_at_its_op() {
    assert_eq!(wrongly_taken(), None);
    let frame = read_kernel(&FRAME.replace("HERE", "")).unwrap();
    assert!(Valid::<Kernel>::new(frame).is_ok());
}

#[test]
fn planted_bugs_of_the_validator_are_found() {
    for bug in [Bug::ValidateIgnoresScope, Bug::ValidateIgnoresAccess] {
        planted::set(Some(bug));
        let found = wrongly_taken();
        planted::set(None);
        assert!(found.is_some_and(|case| case.ends_with("taken")), "{bug:?} is not found");
    }
}

#[test]
fn an_error_names_function_op_and_source() {
    let mut kernel = read_kernel(&FRAME.replace("HERE", "v3: u32 = extent array0 0")).unwrap();
    kernel.function.spans = vec![None, None, None, Some(SourceId(0))];
    let error = Valid::<Kernel>::new(kernel).unwrap_err();
    let expected = "invalid IR in `k`, at `v3@0: u32 = extent array0 0` (k.rs:3: `a[i]`): \
                    an extent (v3) is u32, expected u64";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn tables_are_checked() {
    type Damage = fn(&mut Function);
    let cases: [(Damage, &str); 13] = [
        (|f| f.arrays[0].rank = 5, "array parameter `read` has 5 dimensions, expected 1 to 4"),
        (|f| f.arrays[0].rank = 0, "has 0 dimensions"),
        (|f| f.arrays[1].storage = warp_ir::ir::Storage::Planes, "lies in planes"),
        (|f| f.arrays[0].leaves = vec![warp_ir::ir::Scalar::U8; limits::LEAVES + 1], "more than the limit of 4096"),
        (|f| f.locals[0].len = 0, "local array `tmp` has 0 elements"),
        (|f| f.locals[0].len = 65_537, "takes 65537 bytes, more than the limit of 65536"),
        (|f| f.locals[0].len = u32::MAX, "takes 4294967295 bytes"),
        (
            |f| (0..17).for_each(|_| f.locals.push(warp_ir::ir::LocalArray { len: 65_536, ..f.locals[0].clone() })),
            "local arrays take",
        ),
        (|f| f.tables[0].1.clear(), "table0 is empty"),
        (|f| f.tables[0].1[0] = 1 << 32, "table0 holds bits that f32 does not have"),
        (|f| f.spans = vec![None], "1 spans for 3 values"),
        (|f| f.spans = vec![Some(SourceId(1)); 3], "a span names source1, of 1 sources"),
        (|f| f.slots = u32::MAX, "4294967295 slots are more than the limit"),
    ];
    for (damage, message) in cases {
        let mut kernel = read_kernel(&FRAME.replace("HERE", "")).unwrap();
        damage(&mut kernel.function);
        let error = Valid::<Kernel>::new(kernel).unwrap_err();
        assert!(error.message.contains(message), "{error}");
    }
    let mut kernel = read_kernel(&FRAME.replace("HERE", "")).unwrap();
    kernel.rank = 0;
    assert!(Valid::<Kernel>::new(kernel.clone()).unwrap_err().message.contains("1 to 4 launch dimensions, not 0"));
    kernel.rank = 2;
    kernel.function.params[1].value = Value(0);
    assert!(Valid::<Kernel>::new(kernel).unwrap_err().message.contains("v0 is defined a second time"));
}

#[test]
fn functions_may_call_and_yield() {
    let text = |call: &str| {
        format!(
            "function \"f\"\nparam v0: u64 \"n\"\narray0 \"a\": read elements rank 1 [f32]\n\
             array1 \"b\": read elements rank 2 strided [f32]\nsource0 \"f.rs\" 1 1 \"g(n)\"\ncallee0 \"g\" \"g\"\n\
             body {{ {call} yield v0 }}"
        )
    };
    let cases = [
        ("v1: f32 = call callee0 (v0) [array0, array0 (v0, v0), array1] source0", ""),
        ("call callee1 () [] source0", "callee1 does not exist; there are 1"),
        ("call callee0 () [array2] source0", "array2 does not exist; there are 2"),
        ("call callee0 () [array1 (v0, v0)] source0", "a part of an array with 2 dimensions is handed over"),
        ("v1: f32 = const 1.0 call callee0 () [array0 (v1, v0)] source0", "the start of a part (v1) is f32"),
    ];
    for (call, message) in cases {
        match Valid::<Function>::new(read(&text(call)).unwrap()) {
            Ok(function) => {
                assert!(message.is_empty(), "{call}");
                assert_eq!(function.into_inner().callees, [warp_ir::ir::Callee { id: "g".into(), name: "g".into() }]);
            }
            Err(error) => assert!(!message.is_empty() && error.message.contains(message), "{call}: {error}"),
        }
    }
    assert_eq!(Source::default().line, 0);
}
