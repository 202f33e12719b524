//! Which values neighbouring threads share, by small kernels in the text form.

use warp_ir::text::parse_kernel;
use warp_ir::uniformity::Uniformity;

/// Compares the kinds of values with what comments say of them: `// v4 linear 1, v5 varying`.
fn check(text: &str) {
    let kernel = parse_kernel(text).unwrap_or_else(|error| panic!("{error}"));
    let found = Uniformity::of(&kernel).to_string();
    let said = text.lines().filter_map(|line| line.split_once(" // ")).flat_map(|(_, said)| said.split(", "));
    let wrong: Vec<&str> = said.filter(|said| !found.lines().any(|line| line == *said)).collect();
    assert!(wrong.is_empty(), "not so: {wrong:?}\n{found}");
}

#[test]
fn coordinates_and_sums_of_them() {
    check(
        r#"kernel "k" rank 2
param v0: u64 "n"
body {
  v1: u64 = tid 0 // v1 uniform
  v2: u64 = tid 1 // v2 linear 1
  v3: u64 = mul v1, v0 // v3 uniform
  v4: u64 = add v3, v2 // v4 linear 1
  v5: u64 = const 3
  v6: u64 = mul v4, v5 // v6 linear 3
  v7: u64 = sub v0, v6 // v7 linear -3
  v8: u64 = add v6, v7 // v8 uniform
  v9: u64 = mul v2, v0 // v9 varying
  v10: i64 = cast v2 // v10 linear 1
  v11: u32 = cast v2 // v11 varying
  v12: u64 = mul v2, v2 // v12 varying
  v13: bool = lt v2, v0 // v13 varying
  v14: bool = lt v1, v0 // v14 uniform
  v15: u64 = select v14, v2, v4 // v15 varying
}
"#,
    );
}

#[test]
fn loads_are_uniform_where_nothing_is_written() {
    check(
        r#"kernel "k" rank 1
array0 "a": read elements rank 1 [f32]
array1 "b": write elements rank 1 [f32]
source0 "k.rs" 1 1 "a[0]"
body {
  v0: u64 = const 0
  v1: u64 = extent array0 0 // v1 uniform
  v2: bool = lt v0, v1
  check v2 index array0 0 (v0, v1) source0
  v3: f32 = load array0[v0].0 // v3 uniform
  v4: u64 = tid 0
  v5: bool = lt v4, v1
  check v5 index array0 0 (v4, v1) source0
  v6: f32 = load array0[v4].0 // v6 varying
  v7: u64 = extent array1 0
  v8: bool = lt v0, v7
  check v8 index array1 0 (v0, v7) source0
  v9: f32 = load array1[v0].0 // v9 varying
  store array1[v0].0 = v3
}
"#,
    );
}

#[test]
fn branches_that_threads_take_differently_mix_their_results() {
    check(
        r#"kernel "k" rank 1
param v0: f32 "x"
param v1: f32 "y"
param v2: bool "p"
body {
  v3: u64 = tid 0
  v4: u64 = const 5
  v5: bool = lt v3, v4
  v6: f32 = if v5 { // v6 varying
    yield v0
  } else {
    yield v1
  }
  v7: f32, v8: u64 = if v2 { // v7 uniform, v8 varying
    yield v0, v3
  } else {
    yield v1, v4
  }
  v9: u64 = add v8, v4 // v9 varying
}
"#,
    );
}

#[test]
fn loops_carry_what_all_turns_share() {
    check(
        r#"kernel "k" rank 1
param v0: u64 "n"
param v1: f32 "x"
body {
  v2: u64 = tid 0
  v3: u64 = const 0
  v4: u64 = const 1
  v5: f32 = cast v2
  v6: u64, v7: u64, v8: f32, v9: u64 = loop v3, v2, v1, v3 while |v10: u64, v11: u64, v12: f32, v13: u64| { // v6 uniform, v7 linear 1, v8 varying, v9 varying, v10 uniform
    v14: bool = lt v10, v0 // v14 uniform
    yield v14
  } do |v15: u64, v16: u64, v17: f32, v18: u64| {
    v19: u64 = add v15, v4 // v15 uniform, v19 uniform
    v20: u64 = add v16, v4 // v16 linear 1, v20 linear 1
    v21: f32 = add v17, v5 // v17 varying
    v22: u64 = add v18, v2 // v18 varying
    yield v19, v20, v21, v22
  }
}
"#,
    );
}

#[test]
fn loops_that_threads_leave_at_different_turns_mix_all_that_they_carry() {
    check(
        r#"kernel "k" rank 1
body {
  v0: u64 = tid 0
  v1: u64 = const 0
  v2: u64 = const 1
  v3: u64 = loop v1 while |v4: u64| { // v3 varying, v4 varying
    v5: bool = lt v4, v0
    yield v5
  } do |v6: u64| {
    v7: u64 = add v6, v2
    yield v7
  }
}
"#,
    );
}
