//! What the front end finds: texts by type, words replaced, builtins by method.

use std::collections::HashSet;

use warp_ir::builtins::Builtin;
use warp_ir::ir::Scalar;
use warp_ir::library::{function_owner, row_of, sources, texts, texts_of, type_names};

fn all_of(name: &str) -> String {
    texts_of(name).map(|text| text.text()).collect()
}

#[test]
fn every_type_has_its_text() {
    let names = type_names();
    assert_eq!(names.len(), 23);
    for name in &names {
        let text = all_of(name);
        assert!(text.contains(&format!("pub struct {name} {{")), "{name} is not declared");
        assert!(text.contains(&format!("impl {name} {{")), "{name} has no methods");
        let constructor = name.to_lowercase();
        assert_eq!(function_owner(&constructor).as_deref(), Some(name.as_str()));
        assert!(text.contains(&format!("pub fn {constructor}(")), "{name} has no function `{constructor}`");
    }
    for name in ["f32", "f64", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"] {
        let texts: Vec<_> = texts_of(name).collect();
        assert!(!texts.is_empty() && texts.iter().all(|t| t.is_primitive()), "{name}");
        let text = all_of(name);
        let declared = text.contains(&format!("pub fn clamp(x: {name}, min: {name}, max: {name}) -> {name}"));
        assert!(declared, "{name} has no clamp");
    }
    assert_eq!(texts_of("Vec5").count(), 0);
    assert_eq!(function_owner("vec5"), None);
}

#[test]
fn words_are_replaced_whole() {
    let dvec3 = all_of("DVec3");
    assert!(dvec3.contains("impl Mul<DVec3> for f64 {"));
    assert!(dvec3.contains("pub fn extend(self, w: f64) -> DVec4 {"));
    assert!(dvec3.contains("fn select(mask: BVec3, if_true: DVec3, if_false: DVec3)"));
    let uvec2 = all_of("UVec2");
    assert!(uvec2.contains("pub fn perp_dot").eq(&false) && uvec2.contains("pub fn wrapping_add(self, rhs: UVec2)"));
    let i8_text = all_of("i8");
    assert!(i8_text.contains("pub fn abs_diff(x: i8, rhs: i8) -> u8 {"));
    assert!(i8_text.contains("pub fn pow(x: i8, exp: u32) -> i8 {"));
    assert!(all_of("u64").contains("pub fn cast_signed(x: u64) -> i64 {"));
    assert!(all_of("isize").contains("pub fn unsigned_abs(x: isize) -> usize {"));
    assert!(all_of("DMat3").contains("pub fn from_quat(rotation: DQuat) -> DMat3 {"));
    // Another family's words are gone from an instance, but for conversions.
    for text in texts().iter().filter(|t| t.source.name != "casts") {
        if text.owners.iter().any(|o| o.starts_with('D')) {
            // Examples of files with letters for lengths name one type.
            let code = text.text().lines().filter(|line| !line.trim_start().starts_with("///")).collect::<String>();
            let words: HashSet<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            assert!(!words.contains("f32") && !words.contains("Vec3"), "{:?}", text.owners);
        }
    }
}

#[test]
fn every_file_is_used() {
    let used: HashSet<&str> = texts().iter().map(|t| t.source.name).collect();
    for source in sources() {
        assert!(used.contains(source.name), "{} belongs to no type", source.name);
        assert!(source.text.starts_with("// "), "{} has no head", source.name);
    }
}

#[test]
fn methods_that_are_builtins_are_found() {
    assert_eq!(row_of(Scalar::F32, "mul_add"), Some(Builtin::Fma));
    assert_eq!(row_of(Scalar::I8, "wrapping_add"), Some(Builtin::Add));
    assert_eq!(row_of(Scalar::U32, "leading_zeros"), Some(Builtin::LeadingZeros));
    assert_eq!(row_of(Scalar::U32, "abs"), None);
    assert_eq!(row_of(Scalar::F16, "min"), None);
    assert_eq!(row_of(Scalar::Bool, "min"), None);
    // No method is both a builtin and a text.
    let scalars = Scalar::ALL.into_iter().filter(|s| s.is_int() || s.is_float());
    for scalar in scalars {
        let text = all_of(scalar.name());
        let methods = text.lines().filter_map(|l| l.strip_prefix("pub fn ")).filter_map(|l| l.split('(').next());
        for method in methods {
            assert_eq!(row_of(scalar, method), None, "{}::{method}", scalar.name());
        }
    }
}
