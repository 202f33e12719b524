//! Signatures of the methods of primitive types that lowering knows itself. All others come from the library.

use warp_ir::ir::Scalar;
use warp_ir::library::row_of;

use crate::front::types::Ty;

/// Parameters after `self`, and the result.
pub(crate) fn method(ty: &Ty, name: &str) -> Option<(Vec<Ty>, Ty)> {
    let scalar = ty.scalar()?;
    let own = ty.clone();
    let common = match name {
        "clone" => Some((vec![], own.clone())),
        _ => None,
    };
    common.or_else(|| match scalar {
        Scalar::Bool => bool_method(name),
        Scalar::F16 | Scalar::BF16 => half_method(&own, name),
        Scalar::F32 | Scalar::F64 => float_method(&own, name),
        _ => int_method(&own, name),
    })
}

fn bool_method(name: &str) -> Option<(Vec<Ty>, Ty)> {
    match name {
        "eq" | "ne" => Some((vec![Ty::BOOL], Ty::BOOL)),
        _ => None,
    }
}

fn half_method(own: &Ty, name: &str) -> Option<(Vec<Ty>, Ty)> {
    Some(match name {
        "to_f32" => (vec![], Ty::F32),
        "to_f64" => (vec![], Ty::F64),
        "to_bits" => (vec![], Ty::Scalar(Scalar::U16)),
        "is_nan" | "is_infinite" | "is_finite" | "is_normal" | "is_sign_negative" | "is_sign_positive" => {
            (vec![], Ty::BOOL)
        }
        "signum" => (vec![], own.clone()),
        "min" | "max" | "copysign" => (vec![own.clone()], own.clone()),
        "clamp" => (vec![own.clone(), own.clone()], own.clone()),
        _ => return None,
    })
}

fn float_method(own: &Ty, name: &str) -> Option<(Vec<Ty>, Ty)> {
    let bits = if *own == Ty::F32 { Ty::U32 } else { Ty::Scalar(Scalar::U64) };
    let o = || own.clone();
    Some(match name {
        "sqrt" | "abs" | "floor" | "ceil" | "trunc" | "round" | "round_ties_even" | "fract" | "signum" | "recip"
        | "to_degrees" | "to_radians" => (vec![], o()),
        "min" | "max" | "copysign" | "rem_euclid" | "div_euclid" => (vec![o()], o()),
        "mul_add" | "clamp" => (vec![o(), o()], o()),
        "powi" => (vec![Ty::I32], o()),
        "is_nan" | "is_infinite" | "is_finite" | "is_sign_negative" | "is_sign_positive" => (vec![], Ty::BOOL),
        "to_bits" => (vec![], bits),
        _ => {
            let row = row_of(own.scalar()?, name)?.row();
            (vec![o(); row.params.len() - 1], o())
        }
    })
}

fn int_method(own: &Ty, name: &str) -> Option<(Vec<Ty>, Ty)> {
    let signed = own.scalar()?.is_signed();
    let o = || own.clone();
    let opposite = || opposite(own);
    Some(match name {
        "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "leading_ones" | "trailing_ones" => {
            (vec![], Ty::U32)
        }
        "reverse_bits" | "swap_bytes" => (vec![], o()),
        "rotate_left" | "rotate_right" | "wrapping_shl" | "wrapping_shr" => (vec![Ty::U32], o()),
        "min" | "max" | "div_euclid" | "rem_euclid" | "wrapping_add" | "wrapping_sub" | "wrapping_mul"
        | "wrapping_div" | "wrapping_rem" | "saturating_add" | "saturating_sub" => (vec![o()], o()),
        "wrapping_neg" => (vec![], o()),
        "clamp" => (vec![o(), o()], o()),
        "pow" | "wrapping_pow" => (vec![Ty::U32], o()),
        "abs_diff" => (vec![o()], if signed { opposite() } else { o() }),
        "checked_add" | "checked_sub" | "checked_div" | "checked_rem" => (vec![o()], Ty::Option(Box::new(o()))),
        "abs" | "signum" | "wrapping_abs" if signed => (vec![], o()),
        "unsigned_abs" if signed => (vec![], opposite()),
        "cast_unsigned" if signed => (vec![], opposite()),
        "cast_signed" if !signed => (vec![], opposite()),
        "is_negative" | "is_positive" if signed => (vec![], Ty::BOOL),
        "is_power_of_two" if !signed => (vec![], Ty::BOOL),
        "div_ceil" if !signed => (vec![o()], o()),
        _ => return None,
    })
}

/// The type of the same width and the other sign.
fn opposite(own: &Ty) -> Ty {
    use Scalar::*;
    match own {
        Ty::Usize => Ty::Isize,
        Ty::Isize => Ty::Usize,
        Ty::Scalar(s) => Ty::Scalar(match s {
            I8 => U8,
            I16 => U16,
            I32 => U32,
            I64 => U64,
            U8 => I8,
            U16 => I16,
            U32 => I32,
            U64 => I64,
            other => *other,
        }),
        other => other.clone(),
    }
}

/// `f32::from_bits` and the like.
pub(crate) fn associated(ty: &Ty, name: &str) -> Option<(Vec<Ty>, Ty)> {
    let bits = match ty.scalar()? {
        Scalar::F32 => Ty::U32,
        Scalar::F64 => Ty::Scalar(Scalar::U64),
        Scalar::F16 | Scalar::BF16 => Ty::Scalar(Scalar::U16),
        _ => return None,
    };
    match name {
        "from_bits" => Some((vec![bits], ty.clone())),
        _ => None,
    }
}
