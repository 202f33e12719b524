//! The library: methods and operators of the shared types as plain Rust, carried as text.
//!
//! Vectors, matrices and quaternions (glam's, by value) and the primitive types have methods that are made of others.
//! They are written once, here, in the kernel language. The front end parses the text of a type when a kernel first
//! uses it, and lowers a function on demand, found by receiver and name. `warp-ir/tests/library` compiles the same
//! files as host functions and compares them with glam and with Rust's own methods.
//!
//! # Conventions
//!
//! * A file is valid Rust; what it names besides the library is `core::ops` (`impl Add for Vec3`).
//! * A **struct** is declared with its fields in glam's order. Its methods stand in `impl Vec3 { .. }`, its operators
//!   in `impl Mul<Vec3> for Mat3 { type Output = Vec3; fn mul(self, rhs: Vec3) -> Vec3 { .. } }`. An operator stands
//!   in the text of its left operand's type, or of the right one's where the left one is a primitive
//!   (`impl Mul<Vec3> for f32`). Everything is by value but the `&mut self` of a method that changes its receiver.
//!   Compound assignments are the operator and a store.
//! * Methods of a **primitive type** are free functions in that type's own text, with the receiver as their first
//!   parameter: `x.fract()` on f32 is `fract(x)` of [`texts_of`]`("f32")`. Inside a body, methods are called by method
//!   syntax, so that on the host Rust's own stand in. Methods that are one builtin have no text: [`row_of`] names the
//!   builtin.
//! * Types that glam lacks ([`OWN_TYPES`], the small matrices), and methods that its types lack, stand in files of their
//!   own ([`Source::ours`]). `warp::math` is made from these same texts: the types as they are, the methods of glam's
//!   types as a trait (`QuatExt`), those of f32 and f64 as one trait, `SafeFloat`.
//! * Free functions in the text of a struct are constructors that users import: `vec3`, `dmat4`; [`function_owner`]
//!   says where one is.
//! * A function that `warp::math` has as a row, written `sin(x)`, is the method in kernels and that function on the host:
//!   the same bits. `x.sin()` is Rust's own on the host.
//! * `assert!` and `panic!` are faults. `clamp_bounds(min, max)` stands for the check `min <= max` of kind
//!   `ClampBounds` with both as operands; it is no function of the library.
//! * The order of operations is that of glam's scalar code, and of Rust's `core` for primitives.
//! * A file is a template: it is written for one type (`Vec3` of `f32`, `IVec3` of `i32`, `i32` beside `u32`), and
//!   whole words are replaced for the others. Each [`Text`] is such an instance.

pub mod reference;

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::builtins::Builtin;
use crate::ir::Scalar;

/// A file of the library, as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Its name without extension.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Whether the host's meaning is this text too; else it is glam's, or Rust's.
    pub ours: bool,
}

/// A file of the library for one family of types.
#[derive(Debug)]
pub struct Text {
    /// The file.
    pub source: &'static Source,
    /// The types whose methods stand in it.
    pub owners: Vec<String>,
    words: Vec<(&'static str, String)>,
    text: OnceLock<String>,
}

impl Text {
    /// The Rust text.
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| replaced(self.source.text, &self.words))
    }

    /// Whether it holds the methods of a primitive type, as free functions.
    pub fn is_primitive(&self) -> bool {
        self.owners.iter().any(|owner| PRIMITIVES.contains(&owner.as_str()))
    }
}

macro_rules! sources {
    ($($name:ident)+; ours $($own:ident)+) => {
        static SOURCES: &[Source] = &[$(source!($name, false),)+ $(source!($own, true),)+];
    };
}

macro_rules! source {
    ($name:ident, $ours:literal) => {
        Source { name: stringify!($name), text: include_str!(concat!(stringify!($name), ".rs")), ours: $ours }
    };
}

sources! {
    vec2 vec3 vec4 vec2_float vec3_float vec4_float vec2_signed vec3_signed vec4_signed vec2_int vec3_int vec4_int
    vec3_with vec4_with bvec2 bvec3 bvec4 mat2 mat3 mat3_maps mat4 mat4_maps quat casts mixed euler float int signed
    unsigned;
    ours
    float_ours quat_ours vec3_ours mat_ours mat2_ours mat3_ours matrix matrix_square matrix_product transform spatial geometry
    rng perlin simplex sequences
}

/// The structs that glam lacks, for f32, with their fields; the f64 forms have a `D` before the names.
pub const OWN_TYPES: &[(&str, &[(&str, &str)])] = &[
    ("Transform", &[("p", "Vec3"), ("q", "Quat")]),
    ("Twist", &[("linear", "Vec3"), ("angular", "Vec3")]),
    ("Wrench", &[("force", "Vec3"), ("torque", "Vec3")]),
    ("SpatialInertia", &[("mass", "f32"), ("com", "Vec3"), ("inertia", "Mat3")]),
    ("Segment", &[("a", "Vec3"), ("b", "Vec3")]),
    ("Triangle", &[("a", "Vec3"), ("b", "Vec3"), ("c", "Vec3")]),
    ("Ray", &[("origin", "Vec3"), ("direction", "Vec3")]),
    ("Rng", &[("state", "u32")]),
    ("Noise", &[("state", "u32")]),
    ("HaltonSequence", &[("key", "u32")]),
    ("HammersleySet", &[("count", "u32"), ("key", "u32")]),
    ("RSequence", &[("key", "u32")]),
    ("SobolSequence", &[("key", "u32")]),
];

/// The orders of Euler angles, which is glam's enum; in glam's order.
pub const EULER_ORDERS: [&str; 24] = [
    "ZYX", "ZXY", "YXZ", "YZX", "XYZ", "XZY", "ZYZ", "ZXZ", "YXY", "YZY", "XYX", "XZX", "ZYXEx", "ZXYEx", "YXZEx",
    "YZXEx", "XYZEx", "XZYEx", "ZYZEx", "ZXZEx", "YXYEx", "YZYEx", "XYXEx", "XZXEx",
];

/// The lengths that own matrices have: `Mat2x2` to `Mat6x6`, each row an array.
pub const MATRIX_LENGTHS: std::ops::RangeInclusive<usize> = 2..=6;

/// Whether it is a struct that glam lacks, of either precision.
pub fn is_own(type_name: &str) -> bool {
    let single = type_name.strip_prefix('D').unwrap_or(type_name);
    OWN_TYPES.iter().any(|(name, _)| *name == single) || matrix_shape(type_name).is_some()
}

/// Rows and columns of an own matrix: `DMat3x6` has 3 and 6.
pub fn matrix_shape(type_name: &str) -> Option<(usize, usize)> {
    let single = type_name.strip_prefix('D').unwrap_or(type_name);
    let (rows, columns) = single.strip_prefix("Mat")?.split_once('x')?;
    let length = |text: &str| text.parse().ok().filter(|n| text.len() == 1 && MATRIX_LENGTHS.contains(n));
    Some((length(rows)?, length(columns)?))
}

/// The files of the library.
pub fn sources() -> &'static [Source] {
    SOURCES
}

/// All texts, each made when it is first read.
pub fn texts() -> &'static [Text] {
    static TEXTS: OnceLock<Vec<Text>> = OnceLock::new();
    TEXTS.get_or_init(|| SOURCES.iter().flat_map(instances).collect())
}

/// The texts that hold methods of a type: `Vec3`, `DQuat`, `f32`, `usize`.
pub fn texts_of(type_name: &str) -> impl Iterator<Item = &'static Text> {
    static BY_TYPE: OnceLock<HashMap<String, Vec<usize>>> = OnceLock::new();
    let by_type = BY_TYPE.get_or_init(|| {
        let mut by_type: HashMap<String, Vec<usize>> = HashMap::new();
        for (k, text) in texts().iter().enumerate() {
            text.owners.iter().for_each(|owner| by_type.entry(owner.clone()).or_default().push(k));
        }
        by_type
    });
    by_type.get(type_name).into_iter().flatten().map(|&k| &texts()[k])
}

/// The structs of the library that are glam's.
pub fn type_names() -> Vec<String> {
    let vectors = ["Vec", "DVec", "IVec", "UVec", "BVec", "Mat", "DMat"];
    let sized = vectors.iter().flat_map(|v| (2..=4).map(move |n| format!("{v}{n}")));
    sized.chain(["Quat".into(), "DQuat".into()]).collect()
}

/// The structs of the library that glam lacks.
pub fn own_type_names() -> Vec<String> {
    let shapes = MATRIX_LENGTHS.flat_map(|r| MATRIX_LENGTHS.map(move |c| format!("Mat{r}x{c}")));
    let single: Vec<String> = OWN_TYPES.iter().map(|(name, _)| name.to_string()).chain(shapes).collect();
    ["", "D"].iter().flat_map(|prefix| single.iter().map(move |name| format!("{prefix}{name}"))).collect()
}

/// The struct in whose text a free function stands: `dvec3` stands with `DVec3`.
pub fn function_owner(function: &str) -> Option<String> {
    type_names().into_iter().find(|name| name.to_lowercase() == function)
}

/// The builtin that a method of a primitive type is, receiver first.
pub fn row_of(receiver: Scalar, method: &str) -> Option<Builtin> {
    use Builtin::*;
    let float = receiver.is_float();
    let int = receiver.is_int();
    Some(match method {
        "min" if float || int => Min,
        "max" if float || int => Max,
        "abs" if float || receiver.is_signed() => Abs,
        "sqrt" if float => Sqrt,
        "floor" if float => Floor,
        "ceil" if float => Ceil,
        "trunc" if float => Trunc,
        "round" if float => Round,
        "round_ties_even" if float => RoundEven,
        "copysign" if float => Copysign,
        "mul_add" if float => Fma,
        "wrapping_abs" if receiver.is_signed() => Abs,
        "wrapping_add" if int => Add,
        "wrapping_sub" if int => Sub,
        "wrapping_mul" if int => Mul,
        "wrapping_neg" if int => Neg,
        "count_ones" if int => CountOnes,
        "leading_zeros" if int => LeadingZeros,
        "trailing_zeros" if int => TrailingZeros,
        "reverse_bits" if int => ReverseBits,
        "swap_bytes" if int => SwapBytes,
        "rotate_left" if int => RotateLeft,
        "rotate_right" if int => RotateRight,
        // Functions have the names of Rust's methods, or none there.
        _ if float => return Builtin::from_name(method).filter(|builtin| builtin.row().is_function()),
        _ => return None,
    })
}

const PRIMITIVES: [&str; 12] = ["f32", "f64", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];

/// Pairs of one width: with and without sign.
const PAIRS: [(&str, &str); 5] = [("i8", "u8"), ("i16", "u16"), ("i32", "u32"), ("i64", "u64"), ("isize", "usize")];

/// What a file becomes for each of its families.
fn instances(source: &'static Source) -> Vec<Text> {
    let text =
        |owners: Vec<String>, words: Vec<(&'static str, String)>| Text { source, owners, words, text: OnceLock::new() };
    let vectors = |base: &str, bases: &[(&str, &str)]| -> Vec<Text> {
        let size = source.name.trim_start_matches(|c: char| !c.is_ascii_digit()).chars().next().unwrap_or('4');
        let owner = |prefix: &str| match source.name {
            name if name.starts_with("quat") => format!("{prefix}Quat"),
            name if name.starts_with("mat") => format!("{prefix}Mat{size}"),
            _ => format!("{prefix}Vec{size}"),
        };
        bases.iter().map(|(prefix, scalar)| text(vec![owner(prefix)], family(base, prefix, scalar))).collect()
    };
    match source.name {
        "vec2" | "vec3" | "vec4" | "vec3_with" | "vec4_with" => {
            vectors("", &[("", "f32"), ("D", "f64"), ("I", "i32"), ("U", "u32")])
        }
        "vec2_signed" | "vec3_signed" | "vec4_signed" => vectors("", &[("", "f32"), ("D", "f64"), ("I", "i32")]),
        "vec2_int" | "vec3_int" | "vec4_int" => vectors("I", &[("I", "i32"), ("U", "u32")]),
        "bvec2" | "bvec3" | "bvec4" => vec![text(vec![source.name.replace("bvec", "BVec")], vec![])],
        "casts" => {
            let cast = |name: &String| !name.starts_with("BVec");
            vec![text(type_names().into_iter().filter(cast).collect(), vec![])]
        }
        "mixed" => {
            let integers = |name: &String| name.starts_with("IVec") || name.starts_with("UVec");
            vec![text(type_names().into_iter().filter(integers).collect(), vec![])]
        }
        "euler" => vec![text(vec!["EulerRot".into()], vec![])],
        "matrix" | "matrix_product" | "matrix_square" | "mat_ours" => matrices(source),
        "float" | "float_ours" => ["f32", "f64"].map(|f| text(vec![f.into()], vec![("f32", f.into())])).into(),
        "int" => PRIMITIVES[2..].iter().map(|i| text(vec![i.to_string()], vec![("i32", i.to_string())])).collect(),
        "signed" => PAIRS.map(|(i, u)| text(vec![i.into()], vec![("i32", i.into()), ("u32", u.into())])).into(),
        "unsigned" => PAIRS.map(|(i, u)| text(vec![u.into()], vec![("i32", i.into()), ("u32", u.into())])).into(),
        name => match OWN_FILES.iter().find(|(file, _)| *file == name) {
            Some((_, types)) => [("", "f32"), ("D", "f64")]
                .map(|(prefix, f)| text(types.iter().map(|t| format!("{prefix}{t}")).collect(), own_family(prefix, f)))
                .into(),
            None => vectors("", &[("", "f32"), ("D", "f64")]),
        },
    }
}

/// The types in a file of own types, or of methods of glam's types that need own types.
const OWN_FILES: &[(&str, &[&str])] = &[
    ("transform", &["Transform"]),
    ("spatial", &["Twist", "Wrench", "SpatialInertia", "Transform", "Mat6x6"]),
    ("geometry", &["Segment", "Triangle", "Ray"]),
    ("rng", &["Rng"]),
    ("perlin", &["Noise"]),
    ("simplex", &["Noise"]),
    ("sequences", &["HaltonSequence", "HammersleySet", "RSequence", "SobolSequence"]),
];

/// The words of files that name own types.
fn own_family(prefix: &str, scalar: &str) -> Vec<(&'static str, String)> {
    let own = OWN_TYPES.iter().map(|(name, _)| *name).chain(["Mat6x6"]).map(|name| (name, format!("{prefix}{name}")));
    own.chain(family("", prefix, scalar)).collect()
}

/// What a file about matrices becomes: `R` rows, `C` columns, `K` columns of a right factor, `N` where rows and columns
/// are as many.
fn matrices(source: &'static Source) -> Vec<Text> {
    let mut found = vec![];
    for (prefix, scalar) in [("", "f32"), ("D", "f64")] {
        for (r, c) in MATRIX_LENGTHS.flat_map(|r| MATRIX_LENGTHS.map(move |c| (r, c))) {
            let (owner, factors) = match source.name {
                "matrix" => (format!("{prefix}Mat{r}x{c}"), 1),
                "matrix_product" => (format!("{prefix}Mat{r}x{c}"), 5),
                "matrix_square" if r == c => (format!("{prefix}Mat{r}x{c}"), 1),
                "mat_ours" if r == c && r <= 4 => (format!("{prefix}Mat{r}"), 1),
                _ => continue,
            };
            for k in MATRIX_LENGTHS.take(factors) {
                let words = matrix_words(prefix, scalar, r, c, k);
                let vector = (source.name == "mat_ours").then(|| format!("{prefix}Vec{r}"));
                let owners = vector.into_iter().chain([owner.clone()]).collect();
                found.push(Text { source, owners, words, text: OnceLock::new() });
            }
        }
    }
    found
}

fn matrix_words(prefix: &str, scalar: &str, r: usize, c: usize, k: usize) -> Vec<(&'static str, String)> {
    let name = |rows: usize, columns: usize| format!("{prefix}Mat{rows}x{columns}");
    vec![
        ("f32", scalar.into()),
        ("R", r.to_string()),
        ("C", c.to_string()),
        ("K", k.to_string()),
        ("N", r.to_string()),
        ("SETS", (1 << r).to_string()),
        ("MatRxC", name(r, c)),
        ("MatCxR", name(c, r)),
        ("MatCxK", name(c, k)),
        ("MatRxK", name(r, k)),
        ("MatNxN", name(r, r)),
        ("MatN", format!("{prefix}Mat{r}")),
        ("VecN", format!("{prefix}Vec{r}")),
    ]
}

/// The words of a family: the component, and the names of the structs and of their constructors.
fn family(base: &str, prefix: &str, scalar: &str) -> Vec<(&'static str, String)> {
    if base == "I" {
        let names = ["IVec2", "IVec3", "IVec4"].map(|name| (name, name.replacen('I', prefix, 1)));
        return names.into_iter().chain([("i32", scalar.into())]).collect();
    }
    let structs =
        ["Vec2", "Vec3", "Vec4", "Mat2", "Mat3", "Mat4", "Quat"].map(|name| (name, format!("{prefix}{name}")));
    let functions = ["vec2", "vec3", "vec4", "mat2", "mat3", "mat4", "quat"]
        .map(|name| (name, format!("{}{name}", prefix.to_lowercase())));
    structs.into_iter().chain(functions).chain([("f32", scalar.into())]).collect()
}

/// The text with whole words replaced.
fn replaced(text: &str, words: &[(&'static str, String)]) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_number = |text: &str| text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit());
    let mut out = String::with_capacity(text.len() + 256);
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_word(c)).unwrap_or(from.len()));
        out.push_str(before);
        match words.iter().find(|(w, _)| word.strip_suffix(w).is_some_and(is_number)) {
            // The type behind a number, as in `2f32`, is a word too.
            Some((w, to)) => out.extend([&word[..word.len() - w.len()], to]),
            None => out.push_str(word),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
