//! The types that kernels share with the host without being asked: vectors, matrices, quaternions.

mod functions;

use std::collections::HashMap;
use std::sync::OnceLock;

use warp_ir::ir::Scalar;

use super::types::Ty;
use crate::env::{Derived, Type, TypeDef, TypeId};

#[cfg(test)]
pub(crate) use functions::all;
pub(crate) use functions::{function, lowered};

/// Definitions of all library types, by name.
pub(crate) fn types() -> &'static HashMap<TypeId, TypeDef> {
    static TYPES: OnceLock<HashMap<TypeId, TypeDef>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let mut types = HashMap::new();
        for (prefix, scalar) in VECTORS.into_iter().chain([("BVec", Scalar::Bool)]) {
            for n in 2..=4usize {
                let fields = ["x", "y", "z", "w"][..n].iter().map(|f| (f.to_string(), Type::Scalar(scalar)));
                insert(&mut types, format!("{prefix}{n}"), fields.collect());
            }
        }
        for (prefix, vector, scalar) in [("", "Vec", Scalar::F32), ("D", "DVec", Scalar::F64)] {
            for n in 2..=4usize {
                let columns = ["x_axis", "y_axis", "z_axis", "w_axis"][..n].iter();
                let fields = columns.map(|f| (f.to_string(), Type::plain(format!("{vector}{n}"))));
                insert(&mut types, format!("{prefix}Mat{n}"), fields.collect());
            }
            let fields = ["x", "y", "z", "w"].iter().map(|f| (f.to_string(), Type::Scalar(scalar)));
            insert(&mut types, format!("{prefix}Quat"), fields.collect());
            own(&mut types, prefix, scalar);
        }
        let variants = warp_ir::library::EULER_ORDERS.iter().zip(0..).map(|(order, k)| (order.to_string(), k));
        let orders = TypeDef::Enum {
            name: "EulerRot".into(),
            repr: Scalar::U8,
            variants: variants.collect(),
            derived: Derived::default(),
        };
        types.insert("EulerRot".into(), orders);
        insert(&mut types, ANYTHING.into(), vec![("0".into(), Type::Scalar(Scalar::F32))]);
        types
    })
}

/// What stands for a parameter that only `Copy` bounds, where a generic function is lowered for its own sake. No path can
/// name it.
pub(crate) const ANYTHING: &str = "a type that is only copied";

/// The types that glam lacks, of one precision.
fn own(types: &mut HashMap<TypeId, TypeDef>, prefix: &str, scalar: Scalar) {
    for (name, fields) in warp_ir::library::OWN_TYPES {
        let field = |ty: &str| match (ty, Scalar::from_name(ty)) {
            ("f32", _) => Type::Scalar(scalar),
            (_, Some(other)) => Type::Scalar(other),
            (name, None) => Type::plain(format!("{prefix}{name}")),
        };
        let fields = fields.iter().map(|(name, ty)| (name.to_string(), field(ty)));
        insert(types, format!("{prefix}{name}"), fields.collect());
    }
    let names = warp_ir::library::own_type_names();
    for name in names.iter().filter(|name| name.starts_with('D') != prefix.is_empty()) {
        if let Some((rows, columns)) = warp_ir::library::matrix_shape(name) {
            let row = Type::Array(Box::new(Type::Scalar(scalar)), columns as u64);
            insert(types, name.clone(), vec![("m".into(), Type::Array(Box::new(row), rows as u64))]);
        }
    }
}

/// Whether a type is glam's: its name means the same in every crate, and is asked of nobody. The library's own types
/// are imported from `warp::math`, so that users may have types of these names.
pub(crate) fn is_shared(name: &str) -> bool {
    types().contains_key(name) && name != ANYTHING && !warp_ir::library::is_own(name) && name != "EulerRot"
}

const VECTORS: [(&str, Scalar); 4] =
    [("Vec", Scalar::F32), ("DVec", Scalar::F64), ("IVec", Scalar::I32), ("UVec", Scalar::U32)];

fn insert(types: &mut HashMap<TypeId, TypeDef>, name: String, fields: Vec<(String, Type)>) {
    types.insert(
        name.clone(),
        TypeDef::Struct { name, generics: vec![], fields, tuple: false, derived: Derived::default() },
    );
}

/// A vector type: its component and how many. Operators on them work component by component.
pub(crate) fn vector(ty: &Ty) -> Option<(Ty, usize)> {
    let Ty::Struct(id, _) = ty else { return None };
    VECTORS.iter().find_map(|(prefix, scalar)| {
        let n = id.strip_prefix(prefix)?.parse().ok().filter(|n| (2..=4).contains(n))?;
        Some((Ty::Scalar(*scalar), n))
    })
}

/// The column of one of glam's square matrices, and how many it has.
pub(crate) fn column(ty: &Ty) -> Option<(Ty, usize)> {
    let Ty::Struct(id, _) = ty else { return None };
    let (prefix, n) = id.split_once("Mat").filter(|(prefix, _)| matches!(*prefix, "" | "D"))?;
    let n: usize = n.parse().ok().filter(|n| (2..=4).contains(n))?;
    Some((Ty::plain(format!("{prefix}Vec{n}")), n))
}

/// A matrix of the library's own: its component, rows and columns. It is indexed by a pair.
pub(crate) fn matrix(ty: &Ty) -> Option<(Ty, u64, u64)> {
    let Ty::Struct(id, _) = ty else { return None };
    let (rows, columns) = warp_ir::library::matrix_shape(id)?;
    let scalar = if id.starts_with('D') { Scalar::F64 } else { Scalar::F32 };
    Some((Ty::Scalar(scalar), rows as u64, columns as u64))
}

/// The vector type of a component and a length.
pub(crate) fn vector_of(scalar: Scalar, n: usize) -> Option<Ty> {
    let (prefix, _) = VECTORS.iter().find(|(_, s)| *s == scalar)?;
    (2..=4).contains(&n).then(|| Ty::plain(format!("{prefix}{n}")))
}

/// The bits of the leaves of an associated constant: `Vec3::ZERO`, `Vec3::X`, `Mat3::IDENTITY`.
pub(crate) fn constant(id: &str, name: &str) -> Option<Vec<u64>> {
    let (scalar, count, columns) = shape(id)?;
    let one = match scalar {
        Scalar::F32 => 1f32.to_bits() as u64,
        Scalar::F64 => 1f64.to_bits(),
        _ => 1,
    };
    let minus = match scalar {
        Scalar::F32 => (-1f32).to_bits() as u64,
        Scalar::F64 => (-1f64).to_bits(),
        Scalar::I32 => u32::MAX as u64,
        _ => 0,
    };
    let signed = scalar != Scalar::U32;
    let axis = |letter: &str, bits: u64| {
        let at = ["X", "Y", "Z", "W"].iter().position(|l| *l == letter).filter(|at| *at < count)?;
        Some((0..count).map(|k| if k == at { bits } else { 0 }).collect())
    };
    let quaternion = id.ends_with("Quat");
    match (name, columns) {
        ("IDENTITY", 0) if quaternion => Some(vec![0, 0, 0, one]),
        (_, 0) if quaternion => None,
        ("ZERO", _) => Some(vec![0; count]),
        ("ONE", 0) => Some(vec![one; count]),
        ("NEG_ONE", 0) if signed => Some(vec![minus; count]),
        ("IDENTITY", 2..) => Some((0..count).map(|k| if k % columns == k / columns { one } else { 0 }).collect()),
        (letter, 0) => match letter.strip_prefix("NEG_") {
            Some(letter) if signed => axis(letter, minus),
            Some(_) => None,
            None => axis(letter, one),
        },
        _ => None,
    }
}

/// Scalar, number of leaves, and columns (0 unless a matrix) of a library type.
fn shape(id: &str) -> Option<(Scalar, usize, usize)> {
    if let Some((ty, n)) = vector(&Ty::plain(id)) {
        return Some((ty.scalar()?, n, 0));
    }
    let (name, scalar) = match id.strip_prefix('D') {
        Some(name) => (name, Scalar::F64),
        None => (id, Scalar::F32),
    };
    match name {
        "Quat" => Some((scalar, 4, 0)),
        "Mat2" | "Mat3" | "Mat4" => {
            let n = (name.as_bytes()[3] - b'0') as usize;
            Some((scalar, n * n, n))
        }
        _ => None,
    }
}
