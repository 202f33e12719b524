//! Forms of integer operations at and beyond the ends of the types: each launch against the same kernel as plain Rust.

use warp::prelude::*;

use crate::agree::{Samples, agree};

/// A kernel of forms of a type with a sign, and its test. The other type has the same width and no sign.
macro_rules! signed {
    ($kernel:ident $test:ident $int:ident $other:ident) => {
        #[kernel]
        fn $kernel(a_in: &[$int], b_in: &[$int], n_in: &[u32], x: &mut [$int]) {
            let t = tid();
            let a = a_in[t];
            let b = b_in[t];
            let n = n_in[t];
            let c = if b == 0 { -1 } else { b };
            x[t * 21] = a.saturating_pow(n % 9);
            x[t * 21 + 1] = a.overflowing_pow(n % 9).0;
            x[t * 21 + 2] = a.unbounded_shl(n);
            x[t * 21 + 3] = a.unbounded_shr(n);
            x[t * 21 + 4] = a.checked_div_euclid(b).unwrap_or(77);
            x[t * 21 + 5] = a.checked_rem_euclid(b).unwrap_or(77);
            x[t * 21 + 6] = a.wrapping_div_euclid(c);
            x[t * 21 + 7] = a.wrapping_rem_euclid(c);
            x[t * 21 + 8] = a.overflowing_div(c).0;
            x[t * 21 + 9] = a.overflowing_rem(c).0;
            x[t * 21 + 10] = a.overflowing_div_euclid(c).0;
            x[t * 21 + 11] = a.overflowing_rem_euclid(c).0;
            x[t * 21 + 12] = a.midpoint(b);
            x[t * 21 + 13] = a.checked_ilog10().unwrap_or(77) as $int;
            x[t * 21 + 14] = a.checked_ilog(b).unwrap_or(77) as $int;
            x[t * 21 + 15] = a.overflowing_pow(n % 9).1 as $int;
            x[t * 21 + 16] = a.overflowing_div(c).1 as $int;
            x[t * 21 + 17] = a.checked_isqrt().unwrap_or(77);
            x[t * 21 + 18] = a.overflowing_add_unsigned(b as $other).0;
            x[t * 21 + 19] = a.overflowing_sub_unsigned(b as $other).0;
            x[t * 21 + 20] = a.overflowing_add_unsigned(b as $other).1 as $int;
        }

        #[test]
        fn $test() {
            let mut samples = Samples(28);
            let mut integers = || (0..800).map(|_| samples.integer() as $int).collect::<Vec<_>>();
            let (a, b) = (integers(), integers());
            let n: Vec<u32> = (0..800).map(|k| k * 7 % 131).collect();
            agree!($kernel, a, b, n; x: 0, 21);
        }
    };
}

/// A kernel of forms of a type without a sign, and its test. The other type has the same width and a sign.
macro_rules! unsigned {
    ($kernel:ident $test:ident $int:ident $other:ident) => {
        #[kernel]
        fn $kernel(a_in: &[$int], b_in: &[$int], n_in: &[u32], x: &mut [$int]) {
            let t = tid();
            let a = a_in[t];
            let b = b_in[t];
            let n = n_in[t];
            let c = if b == 0 { 3 } else { b };
            x[t * 24] = a.saturating_pow(n % 9);
            x[t * 24 + 1] = a.overflowing_pow(n % 9).0;
            x[t * 24 + 2] = a.unbounded_shl(n);
            x[t * 24 + 3] = a.unbounded_shr(n);
            x[t * 24 + 4] = a.checked_div_euclid(b).unwrap_or(77);
            x[t * 24 + 5] = a.checked_rem_euclid(b).unwrap_or(77);
            x[t * 24 + 6] = a.wrapping_div_euclid(c);
            x[t * 24 + 7] = a.wrapping_rem_euclid(c);
            x[t * 24 + 8] = a.overflowing_div(c).0;
            x[t * 24 + 9] = a.overflowing_rem(c).0;
            x[t * 24 + 10] = a.overflowing_div_euclid(c).0;
            x[t * 24 + 11] = a.overflowing_rem_euclid(c).0;
            x[t * 24 + 12] = a.midpoint(b);
            x[t * 24 + 13] = a.checked_ilog10().unwrap_or(77) as $int;
            x[t * 24 + 14] = a.checked_ilog(b).unwrap_or(77) as $int;
            x[t * 24 + 15] = a.overflowing_pow(n % 9).1 as $int;
            x[t * 24 + 16] = a.overflowing_div(c).1 as $int;
            x[t * 24 + 17] = a.checked_next_power_of_two().unwrap_or(77);
            x[t * 24 + 18] = a.checked_next_multiple_of(b).unwrap_or(77);
            x[t * 24 + 19] = a.overflowing_add_signed(b as $other).0;
            x[t * 24 + 20] = a.wrapping_sub_signed(b as $other);
            x[t * 24 + 21] = a.checked_sub_signed(b as $other).unwrap_or(77);
            x[t * 24 + 22] = a.saturating_sub_signed(b as $other);
            x[t * 24 + 23] = a.overflowing_sub_signed(b as $other).1 as $int;
        }

        #[test]
        fn $test() {
            let mut samples = Samples(28);
            let mut integers = || (0..800).map(|_| samples.integer() as $int).collect::<Vec<_>>();
            let (a, b) = (integers(), integers());
            let n: Vec<u32> = (0..800).map(|k| k * 7 % 131).collect();
            agree!($kernel, a, b, n; x: 0, 24);
        }
    };
}

signed!(i8_forms i8_forms_agree i8 u8);
signed!(i16_forms i16_forms_agree i16 u16);
signed!(i32_forms i32_forms_agree i32 u32);
signed!(i64_forms i64_forms_agree i64 u64);
signed!(isize_forms isize_forms_agree isize usize);
unsigned!(u8_forms u8_forms_agree u8 i8);
unsigned!(u16_forms u16_forms_agree u16 i16);
unsigned!(u32_forms u32_forms_agree u32 i32);
unsigned!(u64_forms u64_forms_agree u64 i64);
unsigned!(usize_forms usize_forms_agree usize isize);
