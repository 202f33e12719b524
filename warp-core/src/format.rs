//! Rust's formatting of scalars whose type and format string are known only at run time.

use std::fmt::{self, Display};

use half::{bf16, f16};
use warp_ir::ir::{PrintPiece, Scalar};

/// Appends what pieces say when these are the arguments.
pub(crate) fn pieces(text: &mut String, pieces: &[PrintPiece], args: &[u64]) {
    for (piece, bits) in PrintPiece::shown(pieces, args) {
        match piece {
            PrintPiece::Text(words) => text.push_str(words),
            PrintPiece::Arg { scalar: kind, spec } => text.push_str(&scalar(*kind, bits, spec)),
            PrintPiece::Choice { .. } => {}
        }
    }
}

/// A scalar as `{:spec}` formats it. A spec that the type does not have (`{:x}` of a float) falls back to `{}`.
pub fn scalar(scalar: Scalar, bits: u64, spec: &str) -> String {
    let spec = Spec::parse(spec);
    match scalar {
        Scalar::Bool => spec.padded_text(if bits & 1 == 1 { "true" } else { "false" }),
        Scalar::I8 => spec.integer(&(bits as i8)),
        Scalar::I16 => spec.integer(&(bits as i16)),
        Scalar::I32 => spec.integer(&(bits as i32)),
        Scalar::I64 => spec.integer(&(bits as i64)),
        Scalar::U8 => spec.integer(&(bits as u8)),
        Scalar::U16 => spec.integer(&(bits as u16)),
        Scalar::U32 => spec.integer(&(bits as u32)),
        Scalar::U64 => spec.integer(&bits),
        // As half's own types: they format as the `f32` they are.
        Scalar::F16 => spec.float(&f16::from_bits(bits as u16).to_f32()),
        Scalar::BF16 => spec.float(&bf16::from_bits(bits as u16).to_f32()),
        Scalar::F32 => spec.float(&f32::from_bits(bits as u32)),
        Scalar::F64 => spec.float(&f64::from_bits(bits)),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Align {
    Left,
    Center,
    Right,
}

/// `[[fill]align][sign]['#']['0'][width]['.' precision][type]`, as `std::fmt` describes it.
struct Spec {
    fill: char,
    align: Option<Align>,
    plus: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Display,
    Debug,
    DebugLowerHex,
    DebugUpperHex,
    LowerHex,
    UpperHex,
    Octal,
    Binary,
    LowerExp,
    UpperExp,
}

/// Formats by one of the formatting traits, with the flags that change digits; fill, align and width come after.
macro_rules! by_flags {
    ($value:expr, $spec:expr, $kind:literal) => {{
        let (v, p) = ($value, $spec.precision);
        match ($spec.plus, $spec.alternate, p) {
            (false, false, None) => format!(concat!("{:", $kind, "}"), v),
            (true, false, None) => format!(concat!("{:+", $kind, "}"), v),
            (false, true, None) => format!(concat!("{:#", $kind, "}"), v),
            (true, true, None) => format!(concat!("{:+#", $kind, "}"), v),
            (false, false, Some(p)) => format!(concat!("{:.*", $kind, "}"), p, v),
            (true, false, Some(p)) => format!(concat!("{:+.*", $kind, "}"), p, v),
            (false, true, Some(p)) => format!(concat!("{:#.*", $kind, "}"), p, v),
            (true, true, Some(p)) => format!(concat!("{:+#.*", $kind, "}"), p, v),
        }
    }};
}

impl Spec {
    fn parse(text: &str) -> Spec {
        let mut rest = text;
        let align_of = |c: char| match c {
            '<' => Some(Align::Left),
            '^' => Some(Align::Center),
            '>' => Some(Align::Right),
            _ => None,
        };
        let (mut fill, mut align) = (' ', None);
        let mut chars = rest.chars();
        match (chars.next(), chars.next()) {
            (Some(first), Some(second)) if align_of(second).is_some() => {
                (fill, align) = (first, align_of(second));
                rest = &rest[first.len_utf8() + 1..];
            }
            (Some(first), _) if align_of(first).is_some() => {
                align = align_of(first);
                rest = &rest[1..];
            }
            _ => {}
        }
        let mut flag = |c: char| match rest.strip_prefix(c) {
            Some(after) => {
                rest = after;
                true
            }
            None => false,
        };
        let plus = flag('+');
        let _minus = flag('-');
        let (alternate, zero) = (flag('#'), flag('0'));
        let number = |text: &mut &str| {
            let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let n = text[..digits].parse().ok();
            *text = &text[digits..];
            n
        };
        let width = number(&mut rest).unwrap_or(0);
        let precision = rest.strip_prefix('.').and_then(|after| {
            rest = after;
            number(&mut rest)
        });
        let kind = match rest {
            "?" => Kind::Debug,
            "x?" => Kind::DebugLowerHex,
            "X?" => Kind::DebugUpperHex,
            "x" => Kind::LowerHex,
            "X" => Kind::UpperHex,
            "o" => Kind::Octal,
            "b" => Kind::Binary,
            "e" => Kind::LowerExp,
            "E" => Kind::UpperExp,
            _ => Kind::Display,
        };
        Spec { fill, align, plus, alternate, zero, width, precision, kind }
    }

    fn integer<T>(&self, v: &T) -> String
    where
        T: Display
            + fmt::Debug
            + fmt::LowerHex
            + fmt::UpperHex
            + fmt::Octal
            + fmt::Binary
            + fmt::LowerExp
            + fmt::UpperExp,
    {
        let digits = match self.kind {
            Kind::Display | Kind::Debug => by_flags!(v, self.without_precision(), ""),
            Kind::LowerHex | Kind::DebugLowerHex => by_flags!(v, self.without_precision(), "x"),
            Kind::UpperHex | Kind::DebugUpperHex => by_flags!(v, self.without_precision(), "X"),
            Kind::Octal => by_flags!(v, self.without_precision(), "o"),
            Kind::Binary => by_flags!(v, self.without_precision(), "b"),
            Kind::LowerExp => by_flags!(v, self, "e"),
            Kind::UpperExp => by_flags!(v, self, "E"),
        };
        self.padded_number(digits)
    }

    fn float<T: Display + fmt::Debug + fmt::LowerExp + fmt::UpperExp>(&self, v: &T) -> String {
        let digits = match self.kind {
            Kind::Debug | Kind::DebugLowerHex | Kind::DebugUpperHex => by_flags!(v, self, "?"),
            Kind::LowerExp => by_flags!(v, self, "e"),
            Kind::UpperExp => by_flags!(v, self, "E"),
            _ => by_flags!(v, self, ""),
        };
        self.padded_number(digits)
    }

    /// Precision means nothing to an integer.
    fn without_precision(&self) -> Spec {
        Spec { precision: None, ..*self }
    }

    /// With the `0` flag zeros go between sign and prefix and the digits, and fill and align are ignored.
    fn padded_number(&self, digits: String) -> String {
        if !self.zero {
            return self.padded(digits, Align::Right);
        }
        let missing = self.width.saturating_sub(digits.len());
        let sign = digits.len() - digits.trim_start_matches(['+', '-']).len();
        let prefix = ["0x", "0o", "0b"].iter().any(|p| self.alternate && digits[sign..].starts_with(p));
        let at = sign + if prefix { 2 } else { 0 };
        format!("{}{}{}", &digits[..at], "0".repeat(missing), &digits[at..])
    }

    /// Text is cut to the precision, and to the left by default.
    fn padded_text(&self, text: &str) -> String {
        let cut = self.precision.unwrap_or(text.len()).min(text.len());
        self.padded(text[..cut].into(), Align::Left)
    }

    fn padded(&self, text: String, default: Align) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        let before = match self.align.unwrap_or(default) {
            Align::Left => 0,
            Align::Center => missing / 2,
            Align::Right => missing,
        };
        let fill = |n: usize| self.fill.to_string().repeat(n);
        format!("{}{text}{}", fill(before), fill(missing - before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with Rust's own formatting of the same literal spec.
    macro_rules! same {
        ($scalar:ident, $bits:expr, $value:expr, $($spec:literal)*) => { $(
            assert_eq!(
                scalar(Scalar::$scalar, $bits, $spec),
                format!(concat!("{:", $spec, "}"), $value),
                "spec {:?} of {:?}", $spec, $value
            );
        )* };
    }

    #[test]
    fn integers_as_rust_formats_them() {
        for v in [0i32, 7, -7, 123456, i32::MIN, i32::MAX] {
            same!(I32, v as u32 as u64, v, "" "?" "+" "08" "+08" "8" "<8" "^9" ">8" "*^9" "x" "X" "#x" "#010x" "08b" "#b"
                "o" "e" "E" ".2e" "+e" "#?" "x?" "-08" "<08" "é>8" "=>+9" "0" "1");
        }
        for v in [0u8, 200] {
            same!(U8, v as u64, v, "" "04" "#06b" "#04X" "?" "e");
        }
        same!(I8, 0xff, -1i8, "" "x" "b" "04");
        same!(U64, u64::MAX, u64::MAX, "" "x" "30");
    }

    #[test]
    fn floats_as_rust_formats_them() {
        for v in
            [0.0f32, -0.0, 1.5, -2.75, 1e10, 1e-10, 123456.79, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN]
        {
            same!(F32, v.to_bits() as u64, v, "" "?" ".3" ".0" "8.2" "08.2" "+.1" "+" "<10" "^10.1" "e" ".2e" "E" "#?" "+08.1"
                "_>12" ".1?" "010" "08e" "+010.3?");
        }
        for v in [1.0f64, 0.1, 1e300, 1e16, 1e-7, f64::NAN] {
            same!(F64, v.to_bits(), v, "" "?" ".5" "e" "12.3" "012");
        }
    }

    #[test]
    fn bools_are_text() {
        for v in [false, true] {
            same!(Bool, v as u64, v, "" "?" "8" ">8" "^8" ".2" "*<9" "08");
        }
    }
}
