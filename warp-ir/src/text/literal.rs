//! Constants as people write them, wherever that gives the same bits back; else as bits in hexadecimal.

use std::fmt::Display;
use std::str::FromStr;

use crate::ir::Scalar;

/// The text of a constant.
pub(super) fn print(scalar: Scalar, bits: u64) -> String {
    let friendly = match scalar {
        Scalar::Bool => (bits == 1).to_string(),
        Scalar::F32 => float(f32::from_bits(bits as u32)),
        Scalar::F64 => float(f64::from_bits(bits)),
        Scalar::F16 | Scalar::BF16 => String::new(),
        _ if scalar.is_signed() => {
            let spare = 64 - scalar.bits();
            ((bits << spare) as i64 >> spare).to_string()
        }
        _ => bits.to_string(),
    };
    match parse(scalar, &friendly) {
        Some(back) if back == bits => friendly,
        _ => format!("{bits:#x}"),
    }
}

/// The bits of a constant's text.
pub(super) fn parse(scalar: Scalar, text: &str) -> Option<u64> {
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    match scalar {
        Scalar::Bool => bool::from_str(text).ok().map(u64::from),
        Scalar::F32 => f32::from_str(text).ok().map(|x| u64::from(x.to_bits())),
        Scalar::F64 => f64::from_str(text).ok().map(f64::to_bits),
        Scalar::F16 | Scalar::BF16 => None,
        _ if scalar.is_signed() => {
            let value = i64::from_str(text).ok()?;
            let spare = 64 - scalar.bits();
            ((value << spare) >> spare == value).then_some(value as u64 & scalar.mask())
        }
        _ => u64::from_str(text).ok().filter(|bits| bits & !scalar.mask() == 0),
    }
}

/// Rust's shortest form, with a point or an exponent.
fn float(value: impl Display + std::fmt::Debug) -> String {
    format!("{value:?}")
}
