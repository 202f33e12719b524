//! Half floats travel as bits; the processor's own conversions are not within Cranelift's reach. All steps are integer
//! operations and exact float ones, so they round once, to nearest even.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use warp_core::backend::BackendError;
use warp_ir::ir::Scalar;

use super::Lowering;

impl Lowering<'_, '_> {
    /// A half float as an `f32`, exactly.
    pub(super) fn from_half(&mut self, from: Scalar, a: clif::Value) -> clif::Value {
        let wide = self.builder.ins().uextend(types::I32, a);
        if from == Scalar::BF16 {
            let bits = self.builder.ins().ishl_imm_s(wide, 16);
            return self.from_bits(types::F32, bits);
        }
        let ins = |lowering: &mut Self, bits: clif::Value| lowering.from_bits(types::F32, bits);
        let sign = self.builder.ins().band_imm_s(wide, 0x8000);
        let sign = self.builder.ins().ishl_imm_s(sign, 16);
        let magnitude = self.builder.ins().band_imm_s(wide, 0x7fff);
        let shifted = self.builder.ins().ishl_imm_s(magnitude, 13);
        // The exponent's bias is 112 less; the product is exact, for subnormal ones too.
        let small = ins(self, shifted);
        let scale = self.builder.ins().f32const(2f32.powi(112));
        let scaled = self.builder.ins().fmul(small, scale);
        let finite = self.to_bits(scaled);
        let infinite = self.builder.ins().bor_imm_s(shifted, 0x7f80_0000);
        let is_infinite = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, magnitude, 0x7c00);
        let bits = self.builder.ins().select(is_infinite, infinite, finite);
        let bits = self.builder.ins().bor(bits, sign);
        self.from_bits(types::F32, bits)
    }

    /// Any scalar as a half float, rounded once.
    pub(super) fn to_half(&mut self, from: Scalar, to: Scalar, a: clif::Value) -> Result<clif::Value, BackendError> {
        let single = match from {
            Scalar::F32 => a,
            Scalar::F64 => self.narrow_to_odd(a),
            Scalar::F16 | Scalar::BF16 => self.from_half(from, a),
            _ => self.int_to_odd(from, a)?,
        };
        let bits = self.to_bits(single);
        Ok(if to == Scalar::F16 { self.f16_of(bits) } else { self.bf16_of(bits) })
    }

    /// An `f64` as an `f32` rounded to odd: where inexact, the last bit is set. Rounding that once more to a format with at
    /// least two bits less is the same as rounding the `f64`.
    fn narrow_to_odd(&mut self, a: clif::Value) -> clif::Value {
        let near = self.builder.ins().fdemote(types::F32, a);
        let back = self.builder.ins().fpromote(types::F64, near);
        let near_bits = self.to_bits(near);
        let (back_bits, bits) = (self.to_bits(back), self.to_bits(a));
        let mask = i64::MAX;
        let back_magnitude = self.builder.ins().band_imm_s(back_bits, mask);
        let magnitude = self.builder.ins().band_imm_s(bits, mask);
        // Magnitudes compare as their bits; too large by rounding up: one down, towards zero.
        let too_large = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, back_magnitude, magnitude);
        let too_large = self.builder.ins().uextend(types::I32, too_large);
        let towards_zero = self.builder.ins().isub(near_bits, too_large);
        let inexact = self.builder.ins().icmp(IntCC::NotEqual, back_magnitude, magnitude);
        let inexact = self.builder.ins().uextend(types::I32, inexact);
        let odd = self.builder.ins().bor(towards_zero, inexact);
        // A NaN is not exact either when its payload is cut; setting its last bit leaves it a NaN.
        self.from_bits(types::F32, odd)
    }

    /// An integer as an `f32` rounded to odd.
    fn int_to_odd(&mut self, from: Scalar, a: clif::Value) -> Result<clif::Value, BackendError> {
        if from.size() < 8 {
            let double = self.cast(from, Scalar::F64, a)?;
            return Ok(self.narrow_to_odd(double));
        }
        // 64 bits do not fit an f64: bits below the last that counts are gathered in it. Magnitudes of 2^53 and more keep
        // their upper 53 bits' worth when the low 11 are replaced by one sticky bit.
        let low = self.builder.ins().band_imm_s(a, 0x7ff);
        let any = self.builder.ins().icmp_imm_s(IntCC::NotEqual, low, 0);
        let any = self.builder.ins().uextend(types::I64, any);
        let sticky = self.builder.ins().ishl_imm_s(any, 11);
        let upper = self.builder.ins().band_imm_s(a, !0x7ff);
        let gathered = self.builder.ins().bor(upper, sticky);
        let magnitude = if from.is_signed() { self.builder.ins().iabs(a) } else { a };
        let large = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, magnitude, 1 << 53);
        let exact = self.builder.ins().select(large, gathered, a);
        let double = self.cast(from, Scalar::F64, exact)?;
        Ok(self.narrow_to_odd(double))
    }

    /// The bits of an `f32` rounded to `bf16`.
    fn bf16_of(&mut self, bits: clif::Value) -> clif::Value {
        let magnitude = self.builder.ins().band_imm_s(bits, 0x7fff_ffff);
        let last = self.builder.ins().ushr_imm_s(bits, 16);
        let odd = self.builder.ins().band_imm_s(last, 1);
        let moved = self.builder.ins().iadd_imm_s(bits, 0x7fff);
        let moved = self.builder.ins().iadd(moved, odd);
        let rounded = self.builder.ins().ushr_imm_s(moved, 16);
        let quiet = self.builder.ins().bor_imm_s(last, 0x40);
        let is_nan = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, magnitude, 0x7f80_0000);
        let chosen = self.builder.ins().select(is_nan, quiet, rounded);
        self.builder.ins().ireduce(types::I16, chosen)
    }

    /// The bits of an `f32` rounded to `f16`.
    fn f16_of(&mut self, bits: clif::Value) -> clif::Value {
        let sign = self.builder.ins().ushr_imm_s(bits, 16);
        let sign = self.builder.ins().band_imm_s(sign, 0x8000);
        let magnitude = self.builder.ins().band_imm_s(bits, 0x7fff_ffff);
        // Normal: the bias is 112 less, 13 bits of the fraction go.
        let last = self.builder.ins().ushr_imm_s(magnitude, 13);
        let odd = self.builder.ins().band_imm_s(last, 1);
        let moved = self.builder.ins().iadd_imm_s(magnitude, 0xfff - (112 << 23));
        let moved = self.builder.ins().iadd(moved, odd);
        let normal = self.builder.ins().ushr_imm_s(moved, 13);
        // Subnormal: adding one half moves the last bit that counts to the end of an f32, which rounds there.
        let value = self.from_bits(types::F32, magnitude);
        let half = self.builder.ins().f32const(0.5f32);
        let sum = self.builder.ins().fadd(value, half);
        let sum = self.builder.ins().bitcast(types::I32, MemFlagsData::new(), sum);
        let subnormal = self.builder.ins().iadd_imm_s(sum, -i64::from(0.5f32.to_bits()));
        let is_subnormal = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, magnitude, 113 << 23);
        let finite = self.builder.ins().select(is_subnormal, subnormal, normal);
        let [infinity, nan] = [0x7c00, 0x7e00].map(|bits| self.builder.ins().iconst(types::I32, bits));
        let is_nan = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, magnitude, 0x7f80_0000);
        let special = self.builder.ins().select(is_nan, nan, infinity);
        let is_special = self.builder.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, magnitude, 143 << 23);
        let rounded = self.builder.ins().select(is_special, special, finite);
        let bits = self.builder.ins().bor(rounded, sign);
        self.builder.ins().ireduce(types::I16, bits)
    }
}
