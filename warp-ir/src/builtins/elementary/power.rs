//! Powers and roots.

use super::exponential::{natural_power, signed_number};
use super::format::{Format, WHOLE_F64, bits_of, by_type, flip_sign, nearest_whole, power_of_two, sign_bit};
use super::logarithm::split;
use super::polynomial::polynomial;
use crate::builtins::coefficients as c;
use crate::builtins::value::Value;
use crate::ir::Scalar;

/// x to the power y.
#[inline(always)]
pub(in crate::builtins) fn powf<V: Value>(args: &[V], _result: Scalar) -> V {
    let (x, y) = (args[0], args[1]);
    let format = Format::of(x);
    // A positive normal number, and a power of 2 well within what F64 holds, need nothing: the logarithm of 1 is 0, and
    // so is that of a power to 0.
    let odd_base = x.literal(format.word, format.infinity() - format.smallest()).le(bits_of(x) - format.smallest());
    let (power, number, most) = match x.scalar() {
        Scalar::F32 => {
            let (power, number) = single_power(single_product(x, y.cast(Scalar::F64)));
            (power, number, 200u64)
        }
        _ => {
            let (part, exponent) = split(x);
            let (product, rest) = double_product(part, exponent, y);
            let (power, number) = natural_power(product, rest);
            ((bits_of(power + 1.0) + (number << format.fraction)).bitcast(x.scalar()), number, 1020)
        }
    };
    // The number of powers of 2 as `nearest_whole` gives it; of a NaN and of what is too large it is far away.
    let least = WHOLE_F64 - most;
    let odd_power = number.literal(Scalar::U64, 2 * most).le(number - least);
    (odd_base | odd_power).rarely(|| any_power(x, y), power)
}

/// The power of any base: a negative one, zero, an infinity, and with a result that may not be a number of normal size.
#[inline(always)]
fn any_power<V: Value>(x: V, y: V) -> V {
    let (size, one) = (x.abs(), x.lit(1.0));
    let power = match x.scalar() {
        Scalar::F32 => any_single_power(size, y),
        _ => any_double_power(size, y),
    };
    let half = y * 0.5;
    let odd = y.trunc().eq(y) & half.trunc().ne(half) & y.abs().lt(x.lit(f64::INFINITY));
    let signed = odd.select(flip_sign(power, sign_bit(x)), power);
    let undefined = x.lt(x.lit(0.0)) & y.trunc().ne(y) & x.lit(f64::NEG_INFINITY).lt(x);
    let value = undefined.select(x.lit(f64::NAN), signed);
    let unit = x.eq(one) | y.eq(x.lit(0.0)) | (size.eq(one) & y.abs().eq(x.lit(f64::INFINITY)));
    unit.select(one, value)
}

/// The logarithm to base 2 of a positive normal F32, times an F64, with more than enough digits.
#[inline(always)]
fn single_product<V: Value>(x: V, y: V) -> V {
    // As `split` of F64 does.
    let exponent = (bits_of(x) - 0x3f35_04f3u64).bitcast(Scalar::I32) >> 23u64;
    let mantissa = (bits_of(x).bitcast(Scalar::I32) - (exponent << 23u64)).bitcast(Scalar::F32);
    let part = (mantissa - 1.0).cast(Scalar::F64);
    let s = part / (part + 2.0);
    (s * y).mul_add(polynomial(s * s, &c::LOG2_SHORT_F64), exponent.cast(Scalar::F64) * y)
}

/// 2 to the power of an F64 of at most 1000, as an F32, and the whole powers of 2 as [`nearest_whole`] gives them.
#[inline(always)]
fn single_power<V: Value>(product: V) -> (V, V) {
    let (whole, number) = nearest_whole(product, 1.0);
    let part = product - whole;
    let scale = ((number << 52u64) + 1f64.to_bits()).bitcast(Scalar::F64);
    let power = (part * scale).mul_add(polynomial(part, &c::EXP2_SHORT_F64), scale);
    (power.cast(Scalar::F32), number)
}

#[inline(always)]
fn any_single_power<V: Value>(size: V, y: V) -> V {
    let (zero, infinity) = (size.lit(0.0), size.lit(f64::INFINITY));
    let small = bits_of(size).lt(size.literal(Scalar::U32, 0x80_0000));
    let normal = small.select(size * (1u64 << 24) as f64, size);
    let logarithm = single_product(normal, normal.literal(Scalar::F64, 1f64.to_bits()));
    let logarithm = small.select(logarithm - 24.0, logarithm);
    let huge = logarithm.lit(f64::INFINITY);
    let logarithm = size.eq(zero).select(-huge, logarithm);
    let logarithm = size.lt(infinity).select(logarithm, size.cast(Scalar::F64));
    let product = logarithm * y.cast(Scalar::F64);
    let (low, high) = (product.lit(-200.0), product.lit(200.0));
    let above = product.lt(low).select(low, product);
    single_power(high.lt(above).select(high, above)).0
}

/// The logarithm of `(1 + part) 2^exponent` times y as a pair, the logarithm with twice the digits.
#[inline(always)]
fn double_product<V: Value>(part: V, exponent: V, y: V) -> (V, V) {
    let (high, low) = double_logarithm(part, exponent);
    let product = high * y;
    (product, high.mul_add(y, -product) + low * y)
}

#[inline(always)]
fn any_double_power<V: Value>(size: V, y: V) -> V {
    let format = Format::of(size);
    let small = bits_of(size).lt(size.literal(format.word, format.smallest()));
    let scaled = small.select(size * (1u64 << 54) as f64, size);
    let (part, exponent) = split(scaled);
    let exponent = exponent + small.select(size.lit(-54.0), size.lit(0.0));
    let (product, rest) = double_product(part, exponent, y);
    // Zero and infinity have infinite logarithms, of which the rest is nothing.
    let infinity = size.lit(f64::INFINITY);
    let zero = size.lit(0.0);
    let end = size.eq(zero) | size.eq(infinity);
    let product = end.select(size.eq(zero).select(-infinity, infinity) * y, product);
    let (bottom, top) = (size.lit(-760.0), size.lit(720.0));
    let above = product.lt(bottom).select(bottom, product);
    let bounded = top.lt(above).select(top, above);
    let rest = bounded.ne(product).select(zero, rest);
    let (power, number) = natural_power(bounded, rest);
    let number = signed_number(size, number);
    let half = number >> 1u64;
    let value = (power + 1.0) * power_of_two(size, half) * power_of_two(size, number - half);
    size.ne(size).select(size, value)
}

/// `ln(1 + part) + exponent ln 2` as a pair, to about 2^-68 of it.
#[inline(always)]
fn double_logarithm<V: Value>(part: V, exponent: V) -> (V, V) {
    // s = part / (2 + part), and 2s + 2/3 s^3 + s^5 (..).
    let sum = part + 2.0;
    let sum_low = part - (sum - 2.0);
    let s = part / sum;
    let s_low = (-s).mul_add(sum_low, (-s).mul_add(sum, part)) / sum;
    let z = s * s;
    let z_low = s.mul_add(s, -z) + (s + s) * s_low;
    let tail = z * z * polynomial(z, &c::ATANH_TAIL_F64);
    // 2/3 z + tail as a pair.
    let two_thirds = [0.6666666666666666, 3.700743415417188e-17];
    let first = z * two_thirds[0];
    let first_low = z.mul_add(z.lit(two_thirds[0]), -first) + z.mul_add(z.lit(two_thirds[1]), z_low * two_thirds[0]);
    let inner = first + tail;
    let inner_low = (first - inner) + tail + first_low;
    // Times s, and 2s more.
    let product = inner * s;
    let product_low = inner.mul_add(s, -product) + inner.mul_add(s_low, inner_low * s);
    let double = s + s;
    let high = double + product;
    let low = (double - high) + product + (product_low + (s_low + s_low));
    // The exponent's share: a product that is exact, and what that leaves out.
    let [coarse, fine] = [0.6931471805598903, 5.497923018708371e-14];
    let large = exponent * coarse;
    let total = large + high;
    let total_low = (large - total) + high + exponent.mul_add(part.lit(fine), low);
    let result = total + total_low;
    (result, (total - result) + total_low)
}

/// The cube root.
#[inline(always)]
pub(in crate::builtins) fn cbrt<V: Value>(args: &[V], _result: Scalar) -> V {
    let x = args[0];
    let size = x.abs();
    let format = Format::of(x);
    // All but the largest and the smallest numbers, where cubes overflow and what they leave is lost.
    let (low, high) = (64 * format.smallest(), format.infinity() - 2 * format.smallest());
    let low = x.literal(format.word, low);
    let usual = (bits_of(size) - low).lt(x.literal(format.word, high) - low);
    let seldom = || {
        let (scale, back) = by_type(x, (2f64.powi(72), 2f64.powi(24)), (2f64.powi(162), 2f64.powi(54)));
        let small = size.lt(x.lit(1.0));
        let scaled = size * small.select(x.lit(scale), x.lit(1.0 / scale));
        let root = cube_root(scaled) * small.select(x.lit(1.0 / back), x.lit(back));
        let number = size.lt(x.lit(f64::INFINITY)) & size.ne(x.lit(0.0));
        number.select(root, size)
    };
    usual.eq(usual.lit(0.0)).rarely(seldom, cube_root(size)).copysign(x)
}

/// Of a positive normal number: a third of the exponent gives a first guess, Halley's steps the rest, Newton's the last
/// bits, with the cube as a pair.
#[inline(always)]
fn cube_root<V: Value>(x: V) -> V {
    // A third of the bits above 2^-126 (2^-1022), by a multiplication in twice the width or of the upper half.
    let third = match x.scalar() {
        Scalar::F32 => ((bits_of(x).cast(Scalar::U64) * 0x5555_5556u64) >> 32u64).cast(Scalar::U32) + 709_958_130u64,
        _ => (((bits_of(x) >> 32u64) * 0x5555_5556u64) & 0xffff_ffff_0000_0000u64) + (715_094_163u64 << 32),
    };
    let guess = third.bitcast(x.scalar());
    let halley = |t: V| {
        let ratio = x / (t * t * t);
        t * (ratio.mul_add(x.lit(2.0), x.lit(1.0)) / (ratio + 2.0))
    };
    let near = match x.scalar() {
        Scalar::F32 => halley(guess),
        _ => halley(halley(guess)),
    };
    let square = near * near;
    let left = near.mul_add(near, -square);
    let excess = square.mul_add(near, -x) + left * near;
    let slope = match x.scalar() {
        Scalar::F32 => square + square + x / near,
        _ => square * 3.0,
    };
    near - excess / slope
}

/// The length of (x, y).
#[inline(always)]
pub(in crate::builtins) fn hypot<V: Value>(args: &[V], _result: Scalar) -> V {
    let (x, y) = (args[0].abs(), args[1].abs());
    let shorter = y.lt(x);
    let (long, short) = (shorter.select(x, y), shorter.select(y, x));
    let (low, high) = by_type(x, (2f64.powi(-40), 2f64.powi(60)), (2f64.powi(-450), 2f64.powi(500)));
    // Squares that neither overflow nor lose digits.
    let usual = x.lit(low).lt(short) & long.lt(x.lit(high));
    let seldom = || {
        let (down, up) = by_type(x, (2f64.powi(-70), 2f64.powi(100)), (2f64.powi(-560), 2f64.powi(600)));
        let (large, small) = (x.lit(high).le(long), long.lt(x.lit(low)));
        let choose = |down: f64, up: f64| large.select(x.lit(down), small.select(x.lit(up), x.lit(1.0)));
        let scale = choose(down, up);
        let scaled = length(long * scale, short * scale) * choose(1.0 / down, 1.0 / up);
        let infinity = x.lit(f64::INFINITY);
        let unless_zero = (long + short).eq(x.lit(0.0)).select(long, scaled);
        (x.eq(infinity) | y.eq(infinity)).select(infinity, unless_zero)
    };
    usual.eq(usual.lit(0.0)).rarely(seldom, length(long, short))
}

/// The root of the sum of squares, less what the roundings of the squares and of the root made too much.
#[inline(always)]
fn length<V: Value>(long: V, short: V) -> V {
    let root = long.mul_add(long, short * short).sqrt();
    let (square, long_square) = (root * root, long * long);
    let excess =
        (-short).mul_add(short, square - long_square) + root.mul_add(root, -square) - long.mul_add(long, -long_square);
    root - excess / (root + root)
}
