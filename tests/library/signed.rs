//! Methods of integers with a sign in kernels: each launch against the same kernel as plain Rust.

use warp::prelude::*;

use crate::agree::{Samples, agree};

/// A kernel of all methods of a type, and its test. The other type has the same width and no sign.
macro_rules! signed {
    ($kernel:ident $test:ident $int:ident $other:ident) => {
        #[kernel(no_fma)]
        fn $kernel(a_in: &[$int], b_in: &[$int], n_in: &[u32], x: &mut [$int], o: &mut [$other], u: &mut [u32]) {
            let t = tid();
            let a = a_in[t];
            let b = b_in[t];
            let n = n_in[t];
            let c = (b & 7) | 1;
            let sum = a.overflowing_add(b);
            let difference = a.overflowing_sub(b);
            let product = a.overflowing_mul(b);
            x[t * 38] = a.wrapping_add(b);
            x[t * 38 + 1] = a.wrapping_sub(b);
            x[t * 38 + 2] = a.wrapping_mul(b);
            x[t * 38 + 3] = a.wrapping_neg();
            x[t * 38 + 4] = a.saturating_add(b);
            x[t * 38 + 5] = a.saturating_sub(b);
            x[t * 38 + 6] = a.saturating_mul(b);
            x[t * 38 + 7] = a.checked_add(b).unwrap_or(77);
            x[t * 38 + 8] = a.checked_sub(b).unwrap_or(77);
            x[t * 38 + 9] = a.checked_mul(b).unwrap_or(77);
            x[t * 38 + 10] = a.checked_div(b).unwrap_or(77);
            x[t * 38 + 11] = a.checked_rem(b).unwrap_or(77);
            x[t * 38 + 12] = a.checked_neg().unwrap_or(77);
            x[t * 38 + 13] = a.checked_pow(n % 5).unwrap_or(77);
            x[t * 38 + 14] = a.wrapping_pow(n % 9);
            x[t * 38 + 15] = a.wrapping_shl(n);
            x[t * 38 + 16] = a.wrapping_shr(n);
            x[t * 38 + 17] = a.checked_shl(n).unwrap_or(77);
            x[t * 38 + 18] = a.checked_shr(n).unwrap_or(77);
            x[t * 38 + 19] = a.min(b);
            x[t * 38 + 20] = a.max(b);
            x[t * 38 + 21] = a.clamp(a.min(b), b);
            x[t * 38 + 22] = a.rotate_left(n);
            x[t * 38 + 23] = a.rotate_right(n);
            x[t * 38 + 24] = a.swap_bytes();
            x[t * 38 + 25] = a.reverse_bits();
            x[t * 38 + 26] = sum.0;
            x[t * 38 + 27] = difference.0;
            x[t * 38 + 28] = product.0;
            x[t * 38 + 29] = a.wrapping_div(c);
            x[t * 38 + 30] = a.wrapping_rem(c);
            x[t * 38 + 31] = a.signum();
            x[t * 38 + 32] = a.wrapping_abs();
            x[t * 38 + 33] = a.checked_abs().unwrap_or(77);
            x[t * 38 + 34] = a.saturating_abs();
            x[t * 38 + 35] = a.saturating_neg();
            x[t * 38 + 36] = a.div_euclid(c);
            x[t * 38 + 37] = a.rem_euclid(c);
            o[t * 3] = a.abs_diff(b);
            o[t * 3 + 1] = a.unsigned_abs();
            o[t * 3 + 2] = a.cast_unsigned();
            u[t * 12] = a.count_ones();
            u[t * 12 + 1] = a.count_zeros();
            u[t * 12 + 2] = a.leading_zeros();
            u[t * 12 + 3] = a.trailing_zeros();
            u[t * 12 + 4] = a.leading_ones();
            u[t * 12 + 5] = a.trailing_ones();
            u[t * 12 + 6] = sum.1 as u32;
            u[t * 12 + 7] = difference.1 as u32;
            u[t * 12 + 8] = product.1 as u32;
            u[t * 12 + 9] = a.checked_ilog2().unwrap_or(77);
            u[t * 12 + 10] = a.is_negative() as u32;
            u[t * 12 + 11] = a.is_positive() as u32;
        }

        #[test]
        fn $test() {
            let mut samples = Samples(27);
            let mut integers = || (0..800).map(|_| samples.integer() as $int).collect::<Vec<_>>();
            let (a, b) = (integers(), integers());
            let n: Vec<u32> = (0..800).map(|k| k * 7 % 131).collect();
            agree!($kernel, a, b, n; x: 0, 38, o: 0, 3, u: 0u32, 12);
        }
    };
}

signed!(i8_methods i8_agrees i8 u8);
signed!(i16_methods i16_agrees i16 u16);
signed!(i32_methods i32_agrees i32 u32);
signed!(i64_methods i64_agrees i64 u64);
signed!(isize_methods isize_agrees isize usize);
