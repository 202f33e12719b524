//! Instructions on vectors. `None` where there is none for a type; it is then computed lane by lane.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use warp_ir::builtins::{Builtin, Clif};
use warp_ir::ir::Scalar;

use super::Lanes;
use super::expression::Operand;
use super::wide::{Wide, vector_type};

impl Lanes<'_, '_> {
    /// Builtins that have a form here which their row does not name.
    pub(super) fn special(&mut self, builtin: Builtin, args: &[Operand], result: Scalar) -> Option<Wide> {
        let scalar = args[0].1;
        match (builtin, args) {
            (Builtin::Select, [(cond, _), (a, scalar), (b, _)]) => self.choose(cond, a, b, *scalar),
            (Builtin::Min | Builtin::Max, [(a, _), (b, _)]) if scalar.is_float() => {
                let (a, b) = (self.vectors(scalar, a), self.vectors(scalar, b));
                let minimum = builtin == Builtin::Min;
                let both = a.into_iter().zip(b).map(|(a, b)| self.one.extremum_of_vectors(minimum, a, b));
                Some(Wide::Vectors(both.collect()))
            }
            (Builtin::Round, [(a, _)]) => {
                let a = self.vectors(scalar, a);
                Some(Wide::Vectors(a.into_iter().map(|a| self.round(scalar, a)).collect()))
            }
            (Builtin::And, [(a, Scalar::Bool), (b, _)]) => Some(self.both(a, b)),
            (Builtin::Or, [(a, Scalar::Bool), (b, _)]) => Some(self.either(a, b)),
            (Builtin::Not, [(a, Scalar::Bool)]) => Some(self.negated(a)),
            (Builtin::Xor | Builtin::Ne, [(a, Scalar::Bool), (b, _)]) => {
                let (a, b) = (self.mask(a), self.mask(b));
                Some(Wide::Vectors(vec![self.one.builder.ins().bxor(a, b)]))
            }
            (Builtin::Eq, [(a, Scalar::Bool), (b, _)]) => {
                let (a, b) = (self.mask(a), self.mask(b));
                Some(Wide::Vectors(vec![self.one.builder.ins().icmp(IntCC::Equal, a, b)]))
            }
            (Builtin::Add | Builtin::Sub | Builtin::Mul, [(a, _), (b, _)]) if is_wide_int(scalar) => {
                self.linear(builtin, a, b, scalar)
            }
            (Builtin::Cast, [(a, from)]) => self.cast(*from, result, a),
            (Builtin::Bitcast, [(a, from)]) => self.reinterpret(*from, result, a),
            _ => None,
        }
    }

    /// The instruction that a row names.
    pub(super) fn instruction(&mut self, instruction: Clif, args: &[Operand], result: Scalar) -> Option<Wide> {
        let scalar = args[0].1;
        if let (Some(condition), [(a, _), (b, _)]) = (integer_condition(instruction), args) {
            return self.compare_integers(condition, scalar, a, b);
        }
        if let (Some(condition), [(a, _), (b, _)]) = (float_condition(instruction), args) {
            let (a, b) = (self.vectors(scalar, a), self.vectors(scalar, b));
            let masks: Vec<_> =
                a.into_iter().zip(b).map(|(a, b)| self.one.builder.ins().fcmp(condition, a, b)).collect();
            return Some(Wide::Vectors(vec![match masks[..] {
                [low, high] => self.narrow_mask([low, high]),
                _ => masks[0],
            }]));
        }
        let has_vectors = match result {
            Scalar::F32 | Scalar::F64 => scalar == result,
            Scalar::I32 | Scalar::U32 => scalar == result && has_integer_form(instruction),
            Scalar::I64 | Scalar::U64 => {
                let in_vectors = |(wide, _): &Operand| matches!(wide, Wide::Vectors(_));
                scalar == result && has_long_form(instruction) && args.iter().any(in_vectors)
            }
            _ => false,
        };
        if !has_vectors || (instruction == Clif::Fma && !has_fma()) {
            return None;
        }
        if let (Clif::Ishl | Clif::Sshr | Clif::Ushr, [(a, _), (amount, _)]) = (instruction, args) {
            let Wide::Same(amount) = amount else { return None };
            let a = self.vectors(scalar, a);
            return Some(Wide::Vectors(a.into_iter().map(|a| self.shift(instruction, a, *amount)).collect()));
        }
        let columns: Vec<Vec<clif::Value>> = args.iter().map(|(wide, scalar)| self.vectors(*scalar, wide)).collect();
        let mut vectors = vec![];
        for k in 0..columns[0].len() {
            vectors.push(match columns[..] {
                [ref a] => self.unary(instruction, a[k])?,
                [ref a, ref b] => self.binary(instruction, a[k], b[k])?,
                [ref a, ref b, ref c] if instruction == Clif::Fma => self.one.builder.ins().fma(a[k], b[k], c[k]),
                _ => return None,
            });
        }
        Some(Wide::Vectors(vectors))
    }

    fn unary(&mut self, instruction: Clif, a: clif::Value) -> Option<clif::Value> {
        let ins = self.one.builder.ins();
        Some(match instruction {
            Clif::Ineg => ins.ineg(a),
            Clif::Iabs => ins.iabs(a),
            Clif::Fneg => {
                // Cranelift's own `fneg` makes this mask anew each time, by two instructions.
                let signs = self.signs(self.one.value_type(a));
                self.one.builder.ins().bxor(a, signs)
            }
            Clif::Fabs => ins.fabs(a),
            Clif::Sqrt => ins.sqrt(a),
            Clif::Floor => ins.floor(a),
            Clif::Ceil => ins.ceil(a),
            Clif::Trunc => ins.trunc(a),
            Clif::Nearest => ins.nearest(a),
            Clif::Bnot => ins.bnot(a),
            Clif::Nothing => a,
            _ => return None,
        })
    }

    fn binary(&mut self, instruction: Clif, a: clif::Value, b: clif::Value) -> Option<clif::Value> {
        if instruction == Clif::Fcopysign {
            return Some(self.copy_sign(a, b));
        }
        let ins = self.one.builder.ins();
        Some(match instruction {
            Clif::Iadd => ins.iadd(a, b),
            Clif::Isub => ins.isub(a, b),
            Clif::Imul => ins.imul(a, b),
            Clif::Smin => ins.smin(a, b),
            Clif::Umin => ins.umin(a, b),
            Clif::Smax => ins.smax(a, b),
            Clif::Umax => ins.umax(a, b),
            Clif::Fadd => ins.fadd(a, b),
            Clif::Fsub => ins.fsub(a, b),
            Clif::Fmul => ins.fmul(a, b),
            Clif::Fdiv => ins.fdiv(a, b),
            Clif::Band => ins.band(a, b),
            Clif::Bor => ins.bor(a, b),
            Clif::Bxor => ins.bxor(a, b),
            _ => return None,
        })
    }

    /// All lanes by one amount, modulo the width of a lane.
    fn shift(&mut self, instruction: Clif, a: clif::Value, amount: clif::Value) -> clif::Value {
        let ins = self.one.builder.ins();
        match instruction {
            Clif::Ishl => ins.ishl(a, amount),
            Clif::Sshr => ins.sshr(a, amount),
            _ => ins.ushr(a, amount),
        }
    }

    /// The magnitude of `a` with the sign of `b`.
    fn copy_sign(&mut self, a: clif::Value, b: clif::Value) -> clif::Value {
        let ty = self.one.value_type(a);
        let signs = self.signs(ty);
        let magnitude = self.one.builder.ins().band_not(a, signs);
        let sign = self.one.builder.ins().band(b, signs);
        self.one.builder.ins().bor(magnitude, sign)
    }

    /// The sign bit in all lanes: minus zero.
    fn signs(&mut self, ty: clif::Type) -> clif::Value {
        let zero = match ty.lane_type() {
            types::F32 => self.one.constant(Scalar::F32, 1 << 31),
            _ => self.one.constant(Scalar::F64, 1 << 63),
        };
        self.one.builder.ins().splat(ty, zero)
    }

    /// As for a single thread: the largest value below one half is added, with the sign, and the rest cut off.
    fn round(&mut self, scalar: Scalar, a: clif::Value) -> clif::Value {
        let below_half = match scalar {
            Scalar::F32 => u64::from(0.5f32.next_down().to_bits()),
            _ => 0.5f64.next_down().to_bits(),
        };
        let ty = self.one.value_type(a);
        let below_half = self.one.constant(scalar, below_half);
        let below_half = self.one.builder.ins().splat(ty, below_half);
        let shift = self.copy_sign(below_half, a);
        let moved = self.one.builder.ins().fadd(a, shift);
        self.one.builder.ins().trunc(moved)
    }

    /// `Select` of lanes in vectors; of truths by their masks.
    fn choose(&mut self, cond: &Wide, a: &Wide, b: &Wide, scalar: Scalar) -> Option<Wide> {
        let in_vectors = |wide: &Wide| matches!(wide, Wide::Vectors(_) | Wide::Same(_));
        match scalar {
            Scalar::I64 | Scalar::U64 => match (a, b) {
                (Wide::Extended { from: a, signed: x }, Wide::Extended { from: b, signed: y }) if x == y => {
                    let narrow = if *x { Scalar::I32 } else { Scalar::U32 };
                    let from = Box::new(self.choose(cond, a, b, narrow)?);
                    return Some(Wide::Extended { from, signed: *x });
                }
                (Wide::Same(_), Wide::Same(_)) => return None,
                _ if !in_vectors(a) || !in_vectors(b) => return None,
                _ => {}
            },
            Scalar::Bool => {}
            _ => drop(vector_type(scalar)?),
        }
        let mask = self.mask(cond);
        let zeros = [a, b].map(|wide| matches!(wide, Wide::Same(is) if self.one.constant_bits(*is) == Some(0)));
        let (a, b) = (self.vectors(scalar, a), self.vectors(scalar, b));
        let masks = if a.len() == 2 { self.widen_mask(mask).to_vec() } else { vec![mask] };
        let chosen = masks.into_iter().zip(a.into_iter().zip(b)).map(|(mask, (a, b))| match zeros {
            [true, _] => self.masked(b, mask, false),
            [_, true] => self.masked(a, mask, true),
            _ => self.blend(mask, a, b),
        });
        Some(Wide::Vectors(chosen.collect()))
    }

    /// The lanes where a mask says `keeps`, and zeros.
    fn masked(&mut self, a: clif::Value, mask: clif::Value, keeps: bool) -> clif::Value {
        let ty = self.one.value_type(a);
        let mask = self.bits_as(ty, mask);
        if keeps { self.one.builder.ins().band(a, mask) } else { self.one.builder.ins().band_not(a, mask) }
    }

    /// `mask ? a : b`. It is one instruction where the code generator sees that the mask is one, which it does of
    /// comparisons alone: of those of floats as any type, of those of integers as they are.
    pub(super) fn blend(&mut self, mask: clif::Value, a: clif::Value, b: clif::Value) -> clif::Value {
        use clif::Opcode::{Fcmp, Icmp};
        if let Some(sum) = self.masked_sum(mask, a, b) {
            return sum;
        }
        let dfg = &self.one.builder.func.dfg;
        let opcode = dfg.value_def(mask).inst().map(|inst| dfg.insts[inst].opcode());
        let (ty, masks) = (self.one.value_type(a), self.one.value_type(mask));
        if opcode == Some(Fcmp) {
            let mask = self.bits_as(ty, mask);
            return self.one.builder.ins().bitselect(mask, a, b);
        }
        let mask = if opcode == Some(Icmp) {
            mask
        } else if let Some(chosen) = self.blend_by_sign(mask, a, b) {
            return chosen;
        } else {
            let zero = self.one.builder.ins().iconst(masks.lane_type(), 0);
            let zero = self.one.builder.ins().splat(masks, zero);
            self.one.builder.ins().icmp(IntCC::SignedLessThan, mask, zero)
        };
        let (a, b) = (self.bits_as(masks, a), self.bits_as(masks, b));
        let chosen = self.one.builder.ins().bitselect(mask, a, b);
        self.bits_as(ty, chosen)
    }

    /// The same by an instruction that looks at the signs of a mask's lanes alone, where the machine has it.
    fn blend_by_sign(&mut self, mask: clif::Value, a: clif::Value, b: clif::Value) -> Option<clif::Value> {
        if !has_blend() {
            return None;
        }
        let (ty, masks) = (self.one.value_type(a), self.one.value_type(mask));
        let [a, b] = [a, b].map(|vector| self.bits_as(masks, vector));
        let chosen = self.one.builder.ins().blendv(mask, a, b);
        Some(self.bits_as(ty, chosen))
    }

    /// `mask ? b + s : b` as a sum, where that is what is chosen: `s` where the mask says so, and zero elsewhere.
    fn masked_sum(&mut self, mask: clif::Value, a: clif::Value, b: clif::Value) -> Option<clif::Value> {
        let dfg = &self.one.builder.func.dfg;
        let inst = dfg.value_def(a).inst().filter(|inst| dfg.insts[*inst].opcode() == clif::Opcode::Iadd)?;
        let other = match *dfg.inst_args(inst) {
            [x, other] | [other, x] if x == b => other,
            _ => return None,
        };
        let mask = self.bits_as(self.one.value_type(other), mask);
        if self.is_one(other) {
            return Some(self.one.builder.ins().isub(b, mask));
        }
        let other = self.one.builder.ins().band(other, mask);
        Some(self.one.builder.ins().iadd(b, other))
    }

    /// Whether a vector holds the integer 1 in all lanes.
    fn is_one(&self, vector: clif::Value) -> bool {
        let dfg = &self.one.builder.func.dfg;
        let splat = dfg.value_def(vector).inst().filter(|inst| dfg.insts[*inst].opcode() == clif::Opcode::Splat);
        splat.is_some_and(|inst| self.one.constant_bits(dfg.inst_args(inst)[0]) == Some(1))
    }

    /// Sums and products of integers that rise by a constant from lane to lane.
    fn linear(&mut self, builtin: Builtin, a: &Wide, b: &Wide, scalar: Scalar) -> Option<Wide> {
        let parts = |wide: &Wide| match wide {
            Wide::Same(is) => Some((*is, 0)),
            Wide::Linear { first, stride } => Some((*first, *stride)),
            _ => None,
        };
        let ((x, rise_x), (y, rise_y)) = (parts(a)?, parts(b)?);
        let factor = |is: clif::Value, rise: i64| (rise == 0).then(|| self.one.constant_bits(is)).flatten();
        let stride = match builtin {
            Builtin::Add => rise_x.wrapping_add(rise_y),
            Builtin::Sub => rise_x.wrapping_sub(rise_y),
            _ => match (factor(x, rise_x), factor(y, rise_y)) {
                (_, Some(factor)) => rise_x.wrapping_mul(factor as i64),
                (Some(factor), None) => rise_y.wrapping_mul(factor as i64),
                (None, None) => return None,
            },
        };
        let first = self.one.pure(builtin, &[(x, scalar), (y, scalar)], scalar).ok()?;
        Some(if stride == 0 { Wide::Same(first) } else { Wide::Linear { first, stride } })
    }

    fn compare_integers(&mut self, condition: IntCC, scalar: Scalar, a: &Wide, b: &Wide) -> Option<Wide> {
        match scalar {
            Scalar::I64 | Scalar::U64 => Some(self.compare_wide(condition, scalar, a, b)),
            Scalar::I32 | Scalar::U32 => {
                let (a, b) = (self.vectors(scalar, a)[0], self.vectors(scalar, b)[0]);
                Some(Wide::Vectors(vec![self.one.builder.ins().icmp(condition, a, b)]))
            }
            _ => None,
        }
    }

    fn cast(&mut self, from: Scalar, to: Scalar, a: &Wide) -> Option<Wide> {
        use Scalar::*;
        let is = match (from, to) {
            _ if from == to => a.clone(),
            (I64 | U64, I64 | U64) | (I32, U32) | (U32, I32) => return self.reinterpret(from, to, a),
            (I32 | U32, I64 | U64) => Wide::Extended { from: Box::new(a.clone()), signed: from == I32 },
            (I64 | U64, I32 | U32) => match a {
                Wide::Extended { from, .. } => (**from).clone(),
                Wide::Linear { .. } | Wide::Vectors(_) => {
                    let parts = self.vectors(from, a);
                    let parts = [0, 1].map(|k| self.bits_as(types::I32X4, parts[k]));
                    Wide::Vectors(vec![self.shuffle(parts[0], parts[1], [0, 2, 4, 6])])
                }
                _ => return None,
            },
            (I32, F32) => self.converted(I32, a, |lanes, a| lanes.one.builder.ins().fcvt_from_sint(types::F32X4, a)),
            (U32, F32) => self.converted(U32, a, |lanes, a| lanes.one.builder.ins().fcvt_from_uint(types::F32X4, a)),
            (F32, I32) => self.converted(F32, a, |lanes, a| lanes.one.builder.ins().fcvt_to_sint_sat(types::I32X4, a)),
            (F32, U32) => self.converted(F32, a, |lanes, a| lanes.one.builder.ins().fcvt_to_uint_sat(types::I32X4, a)),
            (F32, F64) => {
                let low = self.vectors(F32, a)[0];
                let high = self.shuffle(low, low, [2, 3, 2, 3]);
                Wide::Vectors([low, high].map(|half| self.one.builder.ins().fvpromote_low(half)).to_vec())
            }
            (F64, F32) => {
                let halves = self.vectors(F64, a);
                let halves = [0, 1].map(|k| self.one.builder.ins().fvdemote(halves[k]));
                Wide::Vectors(vec![self.shuffle(halves[0], halves[1], [0, 1, 4, 5])])
            }
            _ => return None,
        };
        Some(is)
    }

    fn converted(&mut self, from: Scalar, a: &Wide, to: impl FnOnce(&mut Self, clif::Value) -> clif::Value) -> Wide {
        let a = self.vectors(from, a)[0];
        Wide::Vectors(vec![to(self, a)])
    }

    /// The same bits as another type.
    fn reinterpret(&mut self, from: Scalar, to: Scalar, a: &Wide) -> Option<Wide> {
        let (Some(_), Some(ty)) = (vector_type(from), vector_type(to)) else { return None };
        if from.is_int() && to.is_int() {
            return Some(a.clone());
        }
        let vectors = self.vectors(from, a);
        Some(Wide::Vectors(vectors.into_iter().map(|vector| self.bits_as(ty, vector)).collect()))
    }
}

fn is_wide_int(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I64 | Scalar::U64)
}

/// Whether a machine has fused multiply-adds of vectors.
fn has_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return cfg!(target_arch = "aarch64");
}

/// Whether a machine has blends by the signs of lanes.
fn has_blend() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("sse4.1");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Instructions on vectors of four integers.
fn has_integer_form(instruction: Clif) -> bool {
    use Clif::*;
    matches!(
        instruction,
        Iadd | Isub
            | Imul
            | Ineg
            | Iabs
            | Smin
            | Umin
            | Smax
            | Umax
            | Band
            | Bor
            | Bxor
            | Bnot
            | Ishl
            | Sshr
            | Ushr
            | Nothing
    )
}

/// Instructions on vectors of two integers.
fn has_long_form(instruction: Clif) -> bool {
    use Clif::*;
    matches!(instruction, Iadd | Isub | Ineg | Band | Bor | Bxor | Bnot | Ishl | Ushr)
}

fn integer_condition(instruction: Clif) -> Option<IntCC> {
    Some(match instruction {
        Clif::IcmpEq => IntCC::Equal,
        Clif::IcmpNe => IntCC::NotEqual,
        Clif::IcmpSlt => IntCC::SignedLessThan,
        Clif::IcmpUlt => IntCC::UnsignedLessThan,
        Clif::IcmpSle => IntCC::SignedLessThanOrEqual,
        Clif::IcmpUle => IntCC::UnsignedLessThanOrEqual,
        _ => return None,
    })
}

fn float_condition(instruction: Clif) -> Option<FloatCC> {
    Some(match instruction {
        Clif::FcmpEq => FloatCC::Equal,
        Clif::FcmpNe => FloatCC::NotEqual,
        Clif::FcmpLt => FloatCC::LessThan,
        Clif::FcmpLe => FloatCC::LessThanOrEqual,
        _ => return None,
    })
}
