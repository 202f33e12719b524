//! Methods of integers against Rust's own: all pairs of 8 bits, edge values of the others.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::host::{i8s, i16s, i32s, i64s, isizes, u8s, u16s, u32s, u64s, usizes};
use crate::same::{Samples, agree};

/// A result, or nothing where it panics.
fn fallible<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

/// All values of 8 bits; of others the ends, small ones and random ones.
macro_rules! values {
    ($type:ident) => {{
        let mut samples = Samples(71);
        let small = match $type::BITS {
            8 => 256,
            _ => 20,
        };
        let mut values: Vec<$type> = (0..small).map(|v: i128| v as $type).collect();
        values.extend((0..small).map(|v: i128| ($type::MAX as i128 - v) as $type));
        values.extend((0..small).map(|v: i128| ($type::MIN as i128 + v) as $type));
        values.extend((0..20).map(|_| samples.word() as $type));
        values.sort();
        values.dedup();
        values
    }};
}

macro_rules! common {
    ($module:ident $type:ident $x:ident $y:ident) => {
        agree!($module::div_euclid($x, $y), $x.div_euclid($y), $x, $y);
        agree!($module::rem_euclid($x, $y), $x.rem_euclid($y), $x, $y);
        agree!($module::wrapping_div($x, $y), $x.wrapping_div($y), $x, $y);
        agree!($module::wrapping_rem($x, $y), $x.wrapping_rem($y), $x, $y);
        agree!($module::saturating_div($x, $y), $x.saturating_div($y), $x, $y);
    };
}

macro_rules! all {
    ($module:ident $type:ident $values:ident) => {
        for &x in &$values {
            agree!($module::count_zeros(x), x.count_zeros(), x);
            agree!($module::leading_ones(x), x.leading_ones(), x);
            agree!($module::trailing_ones(x), x.trailing_ones(), x);
            agree!($module::checked_neg(x), x.checked_neg(), x);
            agree!($module::overflowing_neg(x), x.overflowing_neg(), x);
            agree!($module::checked_ilog2(x), x.checked_ilog2(), x);
            agree!($module::checked_ilog10(x), x.checked_ilog10(), x);
            if x > 0 {
                agree!($module::ilog2(x), x.ilog2(), x);
                agree!($module::ilog10(x), x.ilog10(), x);
            }
            for n in 0..70u32 {
                agree!($module::pow(x, n), x.wrapping_pow(n), x, n);
                agree!($module::wrapping_pow(x, n), x.wrapping_pow(n), x, n);
                agree!($module::checked_pow(x, n), x.checked_pow(n), x, n);
                agree!($module::saturating_pow(x, n), x.saturating_pow(n), x, n);
                agree!($module::overflowing_pow(x, n), x.overflowing_pow(n), x, n);
                agree!($module::unbounded_shl(x, n), x.unbounded_shl(n), x, n);
                agree!($module::unbounded_shr(x, n), x.unbounded_shr(n), x, n);
                agree!($module::wrapping_shl(x, n), x.wrapping_shl(n), x, n);
                agree!($module::wrapping_shr(x, n), x.wrapping_shr(n), x, n);
                agree!($module::checked_shl(x, n), x.checked_shl(n), x, n);
                agree!($module::checked_shr(x, n), x.checked_shr(n), x, n);
                agree!($module::overflowing_shl(x, n), x.overflowing_shl(n), x, n);
                agree!($module::overflowing_shr(x, n), x.overflowing_shr(n), x, n);
            }
            for &y in &$values {
                agree!($module::abs_diff(x, y), x.abs_diff(y), x, y);
                agree!($module::checked_add(x, y), x.checked_add(y), x, y);
                agree!($module::checked_sub(x, y), x.checked_sub(y), x, y);
                agree!($module::checked_mul(x, y), x.checked_mul(y), x, y);
                agree!($module::checked_div(x, y), x.checked_div(y), x, y);
                agree!($module::checked_rem(x, y), x.checked_rem(y), x, y);
                agree!($module::checked_div_euclid(x, y), x.checked_div_euclid(y), x, y);
                agree!($module::checked_rem_euclid(x, y), x.checked_rem_euclid(y), x, y);
                agree!($module::checked_ilog(x, y), x.checked_ilog(y), x, y);
                agree!($module::midpoint(x, y), x.midpoint(y), x, y);
                if y != 0 {
                    agree!($module::wrapping_div_euclid(x, y), x.wrapping_div_euclid(y), x, y);
                    agree!($module::wrapping_rem_euclid(x, y), x.wrapping_rem_euclid(y), x, y);
                    agree!($module::overflowing_div(x, y), x.overflowing_div(y), x, y);
                    agree!($module::overflowing_rem(x, y), x.overflowing_rem(y), x, y);
                    agree!($module::overflowing_div_euclid(x, y), x.overflowing_div_euclid(y), x, y);
                    agree!($module::overflowing_rem_euclid(x, y), x.overflowing_rem_euclid(y), x, y);
                }
                agree!($module::overflowing_add(x, y), x.overflowing_add(y), x, y);
                agree!($module::overflowing_sub(x, y), x.overflowing_sub(y), x, y);
                agree!($module::overflowing_mul(x, y), x.overflowing_mul(y), x, y);
                agree!($module::saturating_add(x, y), x.saturating_add(y), x, y);
                agree!($module::saturating_sub(x, y), x.saturating_sub(y), x, y);
                agree!($module::saturating_mul(x, y), x.saturating_mul(y), x, y);
                if x <= y {
                    agree!($module::clamp(y, x, y), y.clamp(x, y), x, y);
                    agree!($module::clamp($values[7], x, y), $values[7].clamp(x, y), x, y);
                }
            }
        }
        // Faults are where Rust's are.
        for x in [$type::MIN, $type::MIN + 1, 0, 5, $type::MAX] {
            for y in [0, 1, 3, $type::MAX, (0 as $type).wrapping_sub(1)] {
                let found = fallible(|| ($module::div_euclid(x, y), $module::rem_euclid(x, y)));
                agree!(found, fallible(|| (x.div_euclid(y), x.rem_euclid(y))), x, y);
                let found = fallible(|| ($module::wrapping_div(x, y), $module::wrapping_rem(x, y)));
                agree!(found, fallible(|| (x.wrapping_div(y), x.wrapping_rem(y))), x, y);
            }
            agree!(fallible(|| $module::ilog2(x)), fallible(|| x.ilog2()), x);
            agree!(fallible(|| $module::ilog10(x)), fallible(|| x.ilog10()), x);
            for base in [0, 1, 2, 7] {
                agree!(fallible(|| $module::ilog(x, base)), fallible(|| x.ilog(base)), x, base);
            }
            agree!(fallible(|| $module::isqrt(x)), fallible(|| x.isqrt()), x);
            agree!(fallible(|| $module::clamp(x, 6, 5)), None::<$type>, x);
        }
    };
}

macro_rules! signed {
    ($($test:ident: $module:ident $type:ident $unsigned:ident;)+) => {$(
        #[test]
        fn $test() {
            let values = values!($type);
            all!($module $type values);
            for &x in &values {
                agree!($module::signum(x), x.signum(), x);
                agree!($module::is_positive(x), x.is_positive(), x);
                agree!($module::is_negative(x), x.is_negative(), x);
                agree!($module::cast_unsigned(x), x as $unsigned, x);
                agree!($module::unsigned_abs(x), x.unsigned_abs(), x);
                agree!($module::checked_abs(x), x.checked_abs(), x);
                agree!($module::saturating_abs(x), x.saturating_abs(), x);
                agree!($module::overflowing_abs(x), x.overflowing_abs(), x);
                agree!($module::saturating_neg(x), x.saturating_neg(), x);
                agree!($module::checked_isqrt(x), x.checked_isqrt(), x);
                for &y in &values {
                    if y != 0 && !(x == $type::MIN && y == -1) {
                        common!($module $type x y);
                    }
                    let u = y as $unsigned;
                    agree!($module::wrapping_add_unsigned(x, u), x.wrapping_add_unsigned(u), x, u);
                    agree!($module::checked_add_unsigned(x, u), x.checked_add_unsigned(u), x, u);
                    agree!($module::checked_sub_unsigned(x, u), x.checked_sub_unsigned(u), x, u);
                    agree!($module::saturating_add_unsigned(x, u), x.saturating_add_unsigned(u), x, u);
                    agree!($module::saturating_sub_unsigned(x, u), x.saturating_sub_unsigned(u), x, u);
                    agree!($module::wrapping_sub_unsigned(x, u), x.wrapping_sub_unsigned(u), x, u);
                    agree!($module::overflowing_add_unsigned(x, u), x.overflowing_add_unsigned(u), x, u);
                    agree!($module::overflowing_sub_unsigned(x, u), x.overflowing_sub_unsigned(u), x, u);
                }
            }
            let min = $type::MIN;
            assert_eq!(($module::saturating_div(min, -1), $module::wrapping_rem(min, -1)), ($type::MAX, 0));
        }
    )+};
}

signed! {
    i8_agrees: i8s i8 u8;
    i16_agrees: i16s i16 u16;
    i32_agrees: i32s i32 u32;
    i64_agrees: i64s i64 u64;
    isize_agrees: isizes isize usize;
}

macro_rules! unsigned {
    ($($test:ident: $module:ident $type:ident $signed:ident;)+) => {$(
        #[test]
        fn $test() {
            let values = values!($type);
            all!($module $type values);
            for &x in &values {
                agree!($module::cast_signed(x), x as $signed, x);
                agree!($module::is_power_of_two(x), x.is_power_of_two(), x);
                agree!($module::next_power_of_two(x), x.checked_next_power_of_two().unwrap_or(0), x);
                agree!($module::checked_next_power_of_two(x), x.checked_next_power_of_two(), x);
                agree!($module::isqrt(x), x.isqrt(), x);
                for &y in &values {
                    if y != 0 {
                        common!($module $type x y);
                        agree!($module::div_ceil(x, y), x.div_ceil(y), x, y);
                        if let Some(next) = x.checked_next_multiple_of(y) {
                            agree!($module::next_multiple_of(x, y), next, x, y);
                        }
                    }
                    agree!($module::checked_next_multiple_of(x, y), x.checked_next_multiple_of(y), x, y);
                    agree!($module::is_multiple_of(x, y), x.is_multiple_of(y), x, y);
                    let s = y as $signed;
                    agree!($module::wrapping_add_signed(x, s), x.wrapping_add_signed(s), x, s);
                    agree!($module::checked_add_signed(x, s), x.checked_add_signed(s), x, s);
                    agree!($module::saturating_add_signed(x, s), x.saturating_add_signed(s), x, s);
                    agree!($module::overflowing_add_signed(x, s), x.overflowing_add_signed(s), x, s);
                    agree!($module::wrapping_sub_signed(x, s), x.wrapping_sub_signed(s), x, s);
                    agree!($module::overflowing_sub_signed(x, s), x.overflowing_sub_signed(s), x, s);
                    agree!($module::checked_sub_signed(x, s), x.checked_sub_signed(s), x, s);
                    agree!($module::saturating_sub_signed(x, s), x.saturating_sub_signed(s), x, s);
                }
            }
        }
    )+};
}

unsigned! {
    u8_agrees: u8s u8 i8;
    u16_agrees: u16s u16 i16;
    u32_agrees: u32s u32 i32;
    u64_agrees: u64s u64 i64;
    usize_agrees: usizes usize isize;
}
