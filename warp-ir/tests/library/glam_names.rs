//! glam's list of public methods, compared with the library's: what is left out has a reason.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use warp_ir::library::texts_of;

/// Why kernels do not have a method of glam's, by its name's beginning and end.
const LEFT_OUT: &[(&str, &str, &str)] = &[
    ("from_slice", "", "kernels take elements of slices one by one"),
    ("write_to_slice", "", "kernels write elements of slices one by one"),
    ("from_cols_slice", "", "kernels take elements of slices one by one"),
    ("from_rows_slice", "", "kernels take elements of slices one by one"),
    ("write_cols_to_slice", "", "kernels write elements of slices one by one"),
    ("map", "", "it takes a function as a value"),
    ("set", "", "it changes a part in place: assign to the component"),
    ("set_row", "", "it changes a part in place: assign to the components"),
    ("col_mut", "", "it lends a part, which no function of kernels can: the front end knows it"),
    ("from_affine3a", "", "kernels have no affine types: take a `Transform` or a matrix"),
    ("to_vec3a", "", "kernels have no type of this layout"),
    ("from_mat3a_minor", "", "kernels have no type of this layout"),
    ("from_affine3", "", "kernels have no affine types: take a `Transform` or a matrix"),
    ("as_i8vec", "", "kernels have no vectors of i8"),
    ("as_u8vec", "", "kernels have no vectors of u8"),
    ("as_i16vec", "", "kernels have no vectors of i16"),
    ("as_u16vec", "", "kernels have no vectors of u16"),
    ("as_i64vec", "", "kernels have no vectors of i64"),
    ("as_u64vec", "", "kernels have no vectors of u64"),
    ("as_isizevec", "", "kernels have no vectors of isize"),
    ("as_usizevec", "", "kernels have no vectors of usize"),
    ("as_", "3a", "kernels have no type of this layout"),
    ("from_mat3a", "", "kernels have no type of this layout"),
    ("mul_vec3a", "", "kernels have no type of this layout"),
    ("transform_point3a", "", "kernels have no type of this layout"),
    ("transform_vector3a", "", "kernels have no type of this layout"),
    ("project_point3a", "", "kernels have no type of this layout"),
    ("is_near_identity", "", "glam's bound depends on the type: compare `angle_between` with one of yours"),
];

/// glam's folder, as Cargo knows it: of the versions in the workspace the newest.
///
/// Only crates of this machine's platform are asked for: others are nowhere on a machine that has only built this.
fn glam() -> PathBuf {
    let run = |program: &str, arguments: &[&str]| {
        let out = Command::new(program).args(arguments).output().expect("the program runs");
        assert!(out.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).expect("text")
    };
    let version = run("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc knows its host");
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let metadata = ["metadata", "--format-version", "1", "--offline", "--filter-platform", host];
    let text = run(env!("CARGO"), &[&metadata[..], &["--manifest-path", manifest]].concat());
    let paths = text.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let glams = paths.map(PathBuf::from).filter_map(|path| {
        let folder = path.parent()?;
        let version = folder.file_name()?.to_str()?.strip_prefix("glam-")?;
        let numbers: Vec<u32> = version.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
        Some((numbers, folder.join("src")))
    });
    glams.max().expect("glam is a dependency").1
}

/// Names of the public functions in a file, with and without a receiver.
fn public_functions(text: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let line = line.trim_start().strip_prefix("pub ")?;
        let line = line.strip_prefix("const ").unwrap_or(line);
        let name: String = line.strip_prefix("fn ")?.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        Some(name)
    };
    text.lines().filter_map(name).collect()
}

/// The functions of a trait, which have no `pub`.
fn trait_functions(text: &str) -> BTreeSet<String> {
    let name = |line: &str| Some(line.trim_start().strip_prefix("fn ")?.split('(').next()?.to_string());
    text.lines().filter_map(name).collect()
}

#[test]
fn what_is_left_out_of_glam_has_a_reason() {
    let glam = glam();
    let read = |file: &str| std::fs::read_to_string(glam.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut used = BTreeSet::new();
    let mut missing = vec![];
    for (owner, file) in [
        ("Vec2", "f32/vec2.rs"),
        ("Vec3", "f32/vec3.rs"),
        ("Vec4", "f32/scalar/vec4.rs"),
        ("DVec2", "f64/dvec2.rs"),
        ("DVec3", "f64/dvec3.rs"),
        ("DVec4", "f64/dvec4.rs"),
        ("IVec2", "i32/ivec2.rs"),
        ("IVec3", "i32/ivec3.rs"),
        ("IVec4", "i32/ivec4.rs"),
        ("UVec2", "u32/uvec2.rs"),
        ("UVec3", "u32/uvec3.rs"),
        ("UVec4", "u32/uvec4.rs"),
        ("BVec2", "bool/bvec2.rs"),
        ("BVec3", "bool/bvec3.rs"),
        ("BVec4", "bool/bvec4.rs"),
        ("Mat2", "f32/scalar/mat2.rs"),
        ("Mat3", "f32/mat3.rs"),
        ("Mat4", "f32/scalar/mat4.rs"),
        ("DMat2", "f64/dmat2.rs"),
        ("DMat3", "f64/dmat3.rs"),
        ("DMat4", "f64/dmat4.rs"),
        ("Quat", "f32/scalar/quat.rs"),
        ("DQuat", "f64/dquat.rs"),
    ] {
        let ours: String = texts_of(owner).map(|text| text.text()).collect();
        let ours = public_functions(&ours);
        for name in public_functions(&read(file)).difference(&ours) {
            let reason = LEFT_OUT.iter().position(|(start, end, _)| match end.is_empty() {
                true => name == start || start.starts_with("as_") && name.starts_with(start),
                false => name.starts_with(start) && name.ends_with(end),
            });
            match reason {
                Some(k) => _ = used.insert(k),
                None => missing.push(format!("{owner}::{name}")),
            }
        }
    }
    assert!(missing.is_empty(), "the library lacks {missing:?}");
    let unused: Vec<_> = (0..LEFT_OUT.len()).filter(|k| !used.contains(k)).map(|k| LEFT_OUT[k].0).collect();
    assert!(unused.is_empty(), "nothing is left out by {unused:?}");
}

/// `zyx` is known to the front end for every vector; `with_xy` stands in the texts.
#[test]
fn swizzles_are_complete() {
    let text = std::fs::read_to_string(glam().join("swizzles/vec_traits.rs")).expect("glam's swizzles");
    for (owner, name) in [("Vec2", "Vec2Swizzles"), ("Vec3", "Vec3Swizzles"), ("Vec4", "Vec4Swizzles")] {
        let part = text.split(&format!("pub trait {name}")).nth(1).expect("the trait");
        let part = part.split("pub trait ").next().expect("its end");
        let ours: String = texts_of(owner).map(|text| text.text()).collect();
        let ours = public_functions(&ours);
        let components = &"xyzw"[..owner.as_bytes()[3] as usize - '0' as usize];
        for swizzle in trait_functions(part) {
            let picks = (2..=4).contains(&swizzle.len()) && swizzle.chars().all(|c| components.contains(c));
            assert!(picks || ours.contains(&swizzle), "{owner}::{swizzle}");
        }
    }
}
