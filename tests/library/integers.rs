//! Methods of integers in kernels: each launch against the same kernel as plain Rust.

use warp::prelude::*;

use crate::agree::{Samples, agree};

/// A kernel of the methods that all integers have, and of those that only some have, and its test. The other type has
/// the same width, and a sign where this one has none. The names are those that the lines at the end may use.
macro_rules! integers {
    ($kernel:ident $test:ident $int:ident $other:ident
     ($t:ident $a:ident $b:ident $c:ident $x:ident $o:ident $u:ident) { $($more:tt)* }) => {
        #[kernel(no_fma)]
        fn $kernel(a_in: &[$int], b_in: &[$int], n_in: &[u32], $x: &mut [$int], $o: &mut [$other], $u: &mut [u32]) {
            let $t = tid();
            let $a = a_in[$t];
            let $b = b_in[$t];
            let n = n_in[$t];
            let $c = ($b & 7) | 1;
            let sum = $a.overflowing_add($b);
            let difference = $a.overflowing_sub($b);
            let product = $a.overflowing_mul($b);
            $x[$t * 40] = $a.wrapping_add($b);
            $x[$t * 40 + 1] = $a.wrapping_sub($b);
            $x[$t * 40 + 2] = $a.wrapping_mul($b);
            $x[$t * 40 + 3] = $a.wrapping_neg();
            $x[$t * 40 + 4] = $a.saturating_add($b);
            $x[$t * 40 + 5] = $a.saturating_sub($b);
            $x[$t * 40 + 6] = $a.saturating_mul($b);
            $x[$t * 40 + 7] = $a.checked_add($b).unwrap_or(77);
            $x[$t * 40 + 8] = $a.checked_sub($b).unwrap_or(77);
            $x[$t * 40 + 9] = $a.checked_mul($b).unwrap_or(77);
            $x[$t * 40 + 10] = $a.checked_div($b).unwrap_or(77);
            $x[$t * 40 + 11] = $a.checked_rem($b).unwrap_or(77);
            $x[$t * 40 + 12] = $a.checked_neg().unwrap_or(77);
            $x[$t * 40 + 13] = $a.checked_pow(n % 5).unwrap_or(77);
            $x[$t * 40 + 14] = $a.wrapping_pow(n % 9);
            $x[$t * 40 + 15] = $a.wrapping_shl(n);
            $x[$t * 40 + 16] = $a.wrapping_shr(n);
            $x[$t * 40 + 17] = $a.checked_shl(n).unwrap_or(77);
            $x[$t * 40 + 18] = $a.checked_shr(n).unwrap_or(77);
            $x[$t * 40 + 19] = $a.min($b);
            $x[$t * 40 + 20] = $a.max($b);
            $x[$t * 40 + 21] = $a.clamp($a.min($b), $b);
            $x[$t * 40 + 22] = $a.rotate_left(n);
            $x[$t * 40 + 23] = $a.rotate_right(n);
            $x[$t * 40 + 24] = $a.swap_bytes();
            $x[$t * 40 + 25] = $a.reverse_bits();
            $x[$t * 40 + 26] = sum.0;
            $x[$t * 40 + 27] = difference.0;
            $x[$t * 40 + 28] = product.0;
            $x[$t * 40 + 29] = $a.wrapping_div($c);
            $x[$t * 40 + 30] = $a.wrapping_rem($c);
            $u[$t * 12] = $a.count_ones();
            $u[$t * 12 + 1] = $a.count_zeros();
            $u[$t * 12 + 2] = $a.leading_zeros();
            $u[$t * 12 + 3] = $a.trailing_zeros();
            $u[$t * 12 + 4] = $a.leading_ones();
            $u[$t * 12 + 5] = $a.trailing_ones();
            $u[$t * 12 + 6] = sum.1 as u32;
            $u[$t * 12 + 7] = difference.1 as u32;
            $u[$t * 12 + 8] = product.1 as u32;
            $u[$t * 12 + 9] = $a.checked_ilog2().unwrap_or(77);
            $($more)*
        }

        #[test]
        fn $test() {
            let mut samples = Samples(27);
            let mut integers = || (0..800).map(|_| samples.integer() as $int).collect::<Vec<_>>();
            let (a, b) = (integers(), integers());
            let n: Vec<u32> = (0..800).map(|k| k * 7 % 131).collect();
            agree!($kernel, a, b, n; x: 0, 40, o: 0, 3, u: 0u32, 12);
        }
    };
}

/// Integers with a sign.
macro_rules! signed {
    ($($kernel:ident $test:ident $int:ident $other:ident)*) => { $(
        integers!($kernel $test $int $other (t a b c x o u) {
            x[t * 40 + 31] = a.signum();
            x[t * 40 + 32] = a.wrapping_abs();
            x[t * 40 + 33] = a.checked_abs().unwrap_or(77);
            x[t * 40 + 34] = a.saturating_abs();
            x[t * 40 + 35] = a.saturating_neg();
            x[t * 40 + 36] = a.div_euclid(c);
            x[t * 40 + 37] = a.rem_euclid(c);
            o[t * 3] = a.abs_diff(b);
            o[t * 3 + 1] = a.unsigned_abs();
            o[t * 3 + 2] = a.cast_unsigned();
            u[t * 12 + 10] = a.is_negative() as u32;
            u[t * 12 + 11] = a.is_positive() as u32;
        });
    )* };
}

/// Integers without a sign.
macro_rules! unsigned {
    ($($kernel:ident $test:ident $int:ident $other:ident)*) => { $(
        integers!($kernel $test $int $other (t a b c x o u) {
            x[t * 40 + 31] = a.div_euclid(c);
            x[t * 40 + 32] = a.rem_euclid(c);
            x[t * 40 + 33] = a.div_ceil(c);
            x[t * 40 + 34] = (a >> 1).next_power_of_two();
            x[t * 40 + 35] = a.isqrt();
            x[t * 40 + 36] = (a >> 1).next_multiple_of(c);
            o[t * 3] = a.abs_diff(b) as $other;
            o[t * 3 + 1] = a.cast_signed();
            u[t * 12 + 10] = a.is_power_of_two() as u32;
            u[t * 12 + 11] = a.is_multiple_of(b) as u32;
        });
    )* };
}

signed! {
    i8_methods i8_agrees i8 u8
    i16_methods i16_agrees i16 u16
    i32_methods i32_agrees i32 u32
    i64_methods i64_agrees i64 u64
    isize_methods isize_agrees isize usize
}

unsigned! {
    u8_methods u8_agrees u8 i8
    u16_methods u16_agrees u16 i16
    u32_methods u32_agrees u32 i32
    u64_methods u64_agrees u64 i64
    usize_methods usize_agrees usize isize
}
