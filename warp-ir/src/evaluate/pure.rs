//! What each builtin computes, on bits: the meaning that constant folding, backends and tests agree on.

use half::{bf16, f16};

use crate::builtins::Builtin;
use crate::ir::Scalar;

/// The result bits of a builtin, or `None` where it is undefined (integer division by zero, `MIN / -1`) or the types do
/// not fit its signature.
///
/// `operand` is the type of the last argument (all but the condition of a select have it, and rotation amounts, whose
/// result type serves instead); `result` is the type of the result.
pub fn apply(builtin: Builtin, operand: Scalar, args: &[u64], result: Scalar) -> Option<u64> {
    use Builtin::*;
    match (builtin, args) {
        (Select, &[c, a, b]) => Some(if c & 1 == 1 { a } else { b }),
        (Bitcast, &[a]) => Some(a),
        (Cast, &[a]) => cast(operand, a, result),
        (Eq | Ne | Lt | Le, &[a, b]) => compare(builtin, operand, a, b).map(u64::from),
        (RotateLeft | RotateRight, &[a, n]) => rotate(builtin, result, a, n as u32),
        (CountOnes | LeadingZeros | TrailingZeros, &[a]) => count(builtin, operand, a),
        _ if result == Scalar::Bool => logic(builtin, args),
        _ if result.is_int() => integer(builtin, result, args),
        _ if result == Scalar::F32 => f32_op(builtin, args),
        _ if result == Scalar::F64 => f64_op(builtin, args),
        _ => None,
    }
}

/// The value as a mathematical integer.
fn widen(scalar: Scalar, bits: u64) -> i128 {
    match scalar {
        Scalar::I8 => i128::from(bits as i8),
        Scalar::I16 => i128::from(bits as i16),
        Scalar::I32 => i128::from(bits as i32),
        Scalar::I64 => i128::from(bits as i64),
        _ => i128::from(bits & scalar.mask()),
    }
}

/// Wraps a mathematical integer into the type.
fn narrow(scalar: Scalar, value: i128) -> u64 {
    value as u64 & scalar.mask()
}

/// Smallest and largest value of an integer type.
fn range(scalar: Scalar) -> (i128, i128) {
    let bits = scalar.bits();
    if scalar.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn integer(builtin: Builtin, scalar: Scalar, args: &[u64]) -> Option<u64> {
    use Builtin::*;
    let value = match *args {
        [a] => {
            let a = widen(scalar, a);
            match builtin {
                Neg => -a,
                Abs => a.abs(),
                Not => !a,
                ReverseBits => i128::from((narrow(scalar, a)).reverse_bits() >> (64 - scalar.bits())),
                SwapBytes => i128::from((narrow(scalar, a)).swap_bytes() >> (64 - scalar.bits())),
                _ => return None,
            }
        }
        [a, b] => {
            let amount = b as u32 & (scalar.bits() - 1);
            let (a, b) = (widen(scalar, a), widen(scalar, b));
            let divides = b != 0 && !(scalar.is_signed() && b == -1 && a == range(scalar).0);
            match builtin {
                Add => a + b,
                Sub => a - b,
                Mul => a.wrapping_mul(b),
                Div if divides => a / b,
                Rem if divides => a % b,
                Min => a.min(b),
                Max => a.max(b),
                And => a & b,
                Or => a | b,
                Xor => a ^ b,
                Shl => a << amount,
                Shr => a >> amount,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(narrow(scalar, value))
}

fn logic(builtin: Builtin, args: &[u64]) -> Option<u64> {
    let value = match (builtin, args) {
        (Builtin::And, &[a, b]) => a & b,
        (Builtin::Or, &[a, b]) => a | b,
        (Builtin::Xor, &[a, b]) => a ^ b,
        (Builtin::Not, &[a]) => a ^ 1,
        _ => return None,
    };
    Some(value & 1)
}

fn count(builtin: Builtin, scalar: Scalar, a: u64) -> Option<u64> {
    let a = a & scalar.mask();
    let spare = 64 - scalar.bits();
    let n = match builtin {
        Builtin::CountOnes => a.count_ones(),
        Builtin::LeadingZeros => a.leading_zeros() - spare,
        _ => a.trailing_zeros().min(scalar.bits()),
    };
    Some(u64::from(n))
}

fn rotate(builtin: Builtin, scalar: Scalar, a: u64, n: u32) -> Option<u64> {
    let bits = scalar.bits();
    let left = if builtin == Builtin::RotateLeft { n % bits } else { (bits - n % bits) % bits };
    let a = u128::from(a & scalar.mask());
    Some((a << left | a >> (bits - left)) as u64 & scalar.mask())
}

fn compare(builtin: Builtin, scalar: Scalar, a: u64, b: u64) -> Option<bool> {
    fn by<T: PartialOrd>(builtin: Builtin, a: T, b: T) -> Option<bool> {
        Some(match builtin {
            Builtin::Eq => a == b,
            Builtin::Ne => a != b,
            Builtin::Lt => a < b,
            Builtin::Le => a <= b,
            _ => return None,
        })
    }
    match scalar {
        Scalar::F32 => by(builtin, f32::from_bits(a as u32), f32::from_bits(b as u32)),
        Scalar::F64 => by(builtin, f64::from_bits(a), f64::from_bits(b)),
        Scalar::F16 | Scalar::BF16 => None,
        _ => by(builtin, widen(scalar, a), widen(scalar, b)),
    }
}

fn cast(from: Scalar, bits: u64, to: Scalar) -> Option<u64> {
    if from == to {
        return Some(bits);
    }
    Some(match from {
        // Each pair of floats converts directly, so that each conversion rounds once.
        Scalar::F32 => from_float(f64::from(f32::from_bits(bits as u32)), to)?,
        Scalar::F64 => from_float(f64::from_bits(bits), to)?,
        Scalar::F16 => from_float(f16::from_bits(bits as u16).to_f64(), to)?,
        Scalar::BF16 => from_float(bf16::from_bits(bits as u16).to_f64(), to)?,
        _ => from_int(widen(from, bits), to)?,
    })
}

/// From a float that `f64` holds exactly.
fn from_float(value: f64, to: Scalar) -> Option<u64> {
    Some(match to {
        Scalar::Bool => return None,
        Scalar::F16 => u64::from(f16::from_f64(value).to_bits()),
        Scalar::BF16 => u64::from(bf16::from_f64(value).to_bits()),
        Scalar::F32 => u64::from((value as f32).to_bits()),
        Scalar::F64 => value.to_bits(),
        _ => {
            let (low, high) = range(to);
            narrow(to, (value as i128).clamp(low, high))
        }
    })
}

fn from_int(value: i128, to: Scalar) -> Option<u64> {
    Some(match to {
        Scalar::F16 | Scalar::BF16 | Scalar::Bool => return None,
        Scalar::F32 => u64::from((value as f32).to_bits()),
        Scalar::F64 => (value as f64).to_bits(),
        _ => narrow(to, value),
    })
}

macro_rules! float_op {
    ($name:ident, $float:ident, $bits:ident) => {
        fn $name(builtin: Builtin, args: &[u64]) -> Option<u64> {
            use Builtin::*;
            let get = |k: usize| $float::from_bits(args[k] as $bits);
            let value = match (builtin, args.len()) {
                (Neg, 1) => -get(0),
                (Abs, 1) => get(0).abs(),
                (Sqrt, 1) => get(0).sqrt(),
                (Floor, 1) => get(0).floor(),
                (Ceil, 1) => get(0).ceil(),
                (Trunc, 1) => get(0).trunc(),
                (Round, 1) => get(0).round(),
                (RoundEven, 1) => get(0).round_ties_even(),
                (Add, 2) => get(0) + get(1),
                (Sub, 2) => get(0) - get(1),
                (Mul, 2) => get(0) * get(1),
                (Div, 2) => get(0) / get(1),
                (Rem, 2) => get(0) % get(1),
                (Copysign, 2) => get(0).copysign(get(1)),
                (Min, 2) => match (get(0), get(1)) {
                    (a, b) if a.is_nan() => b,
                    (a, b) if b.is_nan() => a,
                    (a, b) if a.total_cmp(&b).is_le() => a,
                    (_, b) => b,
                },
                (Max, 2) => match (get(0), get(1)) {
                    (a, b) if a.is_nan() => b,
                    (a, b) if b.is_nan() => a,
                    (a, b) if a.total_cmp(&b).is_ge() => a,
                    (_, b) => b,
                },
                (Fma, 3) => get(0).mul_add(get(1), get(2)),
                _ => return None,
            };
            Some(u64::from(value.to_bits()))
        }
    };
}

float_op!(f32_op, f32, u32);
float_op!(f64_op, f64, u64);
