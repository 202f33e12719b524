//! `docs/warp-names.md`: every name of ours in it is one that a kernel finds.

use std::collections::BTreeSet;

use warp_ir::ir::Scalar;
use warp_ir::library::{OWN_TYPES, function_owner, matrix_shape, own_type_names, row_of, texts_of, type_names};

const PAGE: &str = include_str!("../../../docs/warp-names.md");

/// The rows of the tables: Warp's name, ours.
fn rows() -> Vec<(&'static str, Vec<&'static str>)> {
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    PAGE.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| Warp "))
        .map(cells)
        .map(|row| (row[0], row[1].split('`').skip(1).step_by(2).collect()))
        .collect()
}

fn texts(owner: &str) -> String {
    texts_of(owner).map(|text| text.text()).collect()
}

fn exists(name: &str) -> bool {
    if let Some((left, right)) = name.split_once(" * ").map(|ops| (ops.0, ops.1)) {
        return operator("Mul", left, right);
    }
    if let Some((left, right)) = name.split_once(" / ") {
        return operator("Div", left, right);
    }
    if let Some((owner, field)) = name.split_once('.') {
        let known = OWN_TYPES.iter().find(|(own, _)| *own == owner);
        return known.is_some_and(|(_, fields)| fields.iter().any(|(name, _)| *name == field));
    }
    let Some((owner, member)) = name.split_once("::") else { return function_owner(name).is_some() };
    if let Some(scalar) = Scalar::from_name(owner) {
        return row_of(scalar, member).is_some() || texts(owner).contains(&format!("pub fn {member}(x: "));
    }
    if member.chars().all(char::is_uppercase) {
        // rustc evaluates constants for kernels; glam's and those of the texts.
        let glams = ["Mat2", "Mat3", "Mat4", "Quat"].contains(&owner) && member == "IDENTITY";
        return glams || texts(owner).contains(&format!("pub const {member}: "));
    }
    texts(owner).contains(&format!("pub fn {member}("))
}

fn operator(of: &str, left: &str, right: &str) -> bool {
    let text = texts(left);
    text.contains(&format!("impl {of}<{right}> for {left} "))
        || left == right && text.contains(&format!("impl {of} for {left} "))
}

#[test]
fn every_name_is_found() {
    let missing: Vec<&str> = rows().into_iter().flat_map(|(_, ours)| ours).filter(|name| !exists(name)).collect();
    assert!(missing.is_empty(), "no kernel finds {missing:?}");
    assert!(!exists("Vec3::length_of") && !exists("Quat * Mat3") && !exists("Twist.top") && !exists("vec5"));
}

#[test]
fn every_name_of_warp_has_a_row() {
    let count = |heading: &str| {
        let section = PAGE.split("\n## ").find(|section| section.starts_with(heading)).expect("the section");
        let rows = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| Warp "));
        // Each name once.
        rows.filter_map(|line| line.split('|').nth(1)).collect::<BTreeSet<_>>().len()
    };
    let found = ["Scalars", "Vectors", "Quaternions", "Transforms", "Spatial", "Random"].map(count);
    assert_eq!(found, [41, 42, 18, 14, 11, 19]);
    // A row names something of ours, or says why nothing does.
    for line in PAGE.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| Warp ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert!(cells.len() == 3 && !(cells[1].is_empty() && cells[2].is_empty()), "{line}");
    }
}

#[test]
fn own_types_are_declared_as_the_front_end_knows_them() {
    for name in own_type_names() {
        let text = texts(&name);
        let declared = text.split(&format!("pub struct {name} {{\n")).nth(1).expect("a declaration");
        let body = declared.split("\n}").next().expect("its end");
        let fields: Vec<String> = body
            .lines()
            .filter_map(|line| line.trim().strip_prefix("pub "))
            .map(|f| f.trim_end_matches(',').into())
            .collect();
        let prefix = if name.starts_with('D') { "D" } else { "" };
        let scalar = if prefix.is_empty() { "f32" } else { "f64" };
        let expected: Vec<String> = match matrix_shape(&name) {
            Some((rows, columns)) => vec![format!("m: [[{scalar}; {columns}]; {rows}]")],
            None => {
                let known = OWN_TYPES.iter().find(|(own, _)| format!("{prefix}{own}") == name).expect("known");
                let ty = |ty: &str| match (ty, Scalar::from_name(ty)) {
                    ("f32", _) => scalar.into(),
                    (_, Some(_)) => ty.into(),
                    (_, None) => format!("{prefix}{ty}"),
                };
                known.1.iter().map(|(field, of)| format!("{field}: {}", ty(of))).collect()
            }
        };
        assert_eq!(fields, expected, "{name}");
        assert!(!type_names().contains(&name), "{name} is glam's too");
    }
}
