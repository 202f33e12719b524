//! Methods of integers without a sign in kernels: each launch against the same kernel as plain Rust.

use warp::prelude::*;

use crate::agree::{Samples, agree};

/// A kernel of all methods of a type, and its test. The other type has the same width and a sign.
macro_rules! unsigned {
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
            x[t * 37] = a.wrapping_add(b);
            x[t * 37 + 1] = a.wrapping_sub(b);
            x[t * 37 + 2] = a.wrapping_mul(b);
            x[t * 37 + 3] = a.wrapping_neg();
            x[t * 37 + 4] = a.saturating_add(b);
            x[t * 37 + 5] = a.saturating_sub(b);
            x[t * 37 + 6] = a.saturating_mul(b);
            x[t * 37 + 7] = a.checked_add(b).unwrap_or(77);
            x[t * 37 + 8] = a.checked_sub(b).unwrap_or(77);
            x[t * 37 + 9] = a.checked_mul(b).unwrap_or(77);
            x[t * 37 + 10] = a.checked_div(b).unwrap_or(77);
            x[t * 37 + 11] = a.checked_rem(b).unwrap_or(77);
            x[t * 37 + 12] = a.checked_neg().unwrap_or(77);
            x[t * 37 + 13] = a.checked_pow(n % 5).unwrap_or(77);
            x[t * 37 + 14] = a.wrapping_pow(n % 9);
            x[t * 37 + 15] = a.wrapping_shl(n);
            x[t * 37 + 16] = a.wrapping_shr(n);
            x[t * 37 + 17] = a.checked_shl(n).unwrap_or(77);
            x[t * 37 + 18] = a.checked_shr(n).unwrap_or(77);
            x[t * 37 + 19] = a.min(b);
            x[t * 37 + 20] = a.max(b);
            x[t * 37 + 21] = a.clamp(a.min(b), b);
            x[t * 37 + 22] = a.rotate_left(n);
            x[t * 37 + 23] = a.rotate_right(n);
            x[t * 37 + 24] = a.swap_bytes();
            x[t * 37 + 25] = a.reverse_bits();
            x[t * 37 + 26] = sum.0;
            x[t * 37 + 27] = difference.0;
            x[t * 37 + 28] = product.0;
            x[t * 37 + 29] = a.wrapping_div(c);
            x[t * 37 + 30] = a.wrapping_rem(c);
            x[t * 37 + 31] = a.div_euclid(c);
            x[t * 37 + 32] = a.rem_euclid(c);
            x[t * 37 + 33] = a.div_ceil(c);
            x[t * 37 + 34] = (a >> 1).next_power_of_two();
            x[t * 37 + 35] = a.isqrt();
            x[t * 37 + 36] = (a >> 1).next_multiple_of(c);
            o[t * 2] = a.abs_diff(b) as $other;
            o[t * 2 + 1] = a.cast_signed();
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
            u[t * 12 + 10] = a.is_power_of_two() as u32;
            u[t * 12 + 11] = a.is_multiple_of(b) as u32;
        }

        #[test]
        fn $test() {
            let mut samples = Samples(27);
            let mut integers = || (0..800).map(|_| samples.integer() as $int).collect::<Vec<_>>();
            let (a, b) = (integers(), integers());
            let n: Vec<u32> = (0..800).map(|k| k * 7 % 131).collect();
            agree!($kernel, a, b, n; x: 0, 37, o: 0, 2, u: 0u32, 12);
        }
    };
}

unsigned!(u8_methods u8_agrees u8 i8);
unsigned!(u16_methods u16_agrees u16 i16);
unsigned!(u32_methods u32_agrees u32 i32);
unsigned!(u64_methods u64_agrees u64 i64);
unsigned!(usize_methods usize_agrees usize isize);
