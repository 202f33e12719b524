//! A value in the lanes of a group, in the form in which it came, and turned into others where an op wants them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, Endianness, InstBuilder, MemFlagsData, Type, types};
use warp_ir::ir::Scalar;

use super::super::clif_type;
use super::{LANES, Lanes};

/// A value that may differ between the threads of a group.
#[derive(Clone, Debug)]
pub(super) enum Wide {
    /// The same in all lanes of all groups, as a scalar.
    Same(clif::Value),
    /// Lanes in vectors of 128 bits: one of four lanes for types of 32 bits, two of two for those of 64. Truths are a
    /// mask of four integers, 0 or -1.
    Vectors(Vec<clif::Value>),
    /// One vector of 32-bit integers that lies in memory which does not change meanwhile.
    Stored { vector: clif::Value, address: clif::Value, offset: i32, flags: MemFlagsData },
    /// A scalar for each lane.
    Scalars([clif::Value; LANES]),
    /// A 64-bit integer that is an extended 32-bit one.
    Extended { from: Box<Wide>, signed: bool },
    /// A 64-bit integer that rises by a constant from lane to lane, from the first lane of the first group on.
    Linear { first: clif::Value, stride: i64 },
    /// A truth of which scalars tell whether it holds in all lanes of all groups, and whether in none. Both may be false
    /// where one of them could be true.
    Edge { all: clif::Value, none: clif::Value, of: Box<Edge> },
}

/// What an [`Wide::Edge`] says, for those who need to know it lane by lane.
#[derive(Clone, Debug)]
pub(super) enum Edge {
    Compare(IntCC, Wide, Wide),
    Both(Wide, Wide),
    Either(Wide, Wide),
    Not(Wide),
}

/// Edges that are made of more comparisons are masks: what stands in two places of one is made twice.
pub(super) const LARGEST_EDGE: usize = 16;

impl Wide {
    /// Whether the form is that of all groups of a bundle. Whether it is depends on the op and the forms of its operands
    /// alone, so that each group would come to the same.
    pub(super) fn is_of_all_groups(&self) -> bool {
        matches!(self, Wide::Same(_) | Wide::Linear { .. } | Wide::Edge { .. })
    }

    /// How many comparisons and other truths an edge is made of.
    pub(super) fn truths(&self) -> usize {
        let Wide::Edge { of, .. } = self else { return 1 };
        match &**of {
            Edge::Compare(..) => 1,
            Edge::Both(a, b) | Edge::Either(a, b) => a.truths() + b.truths(),
            Edge::Not(a) => a.truths() + 1,
        }
    }
}

/// How a value of a type is held where its form must not depend on how it came to be: in parameters of blocks.
pub(super) fn canonical_types(scalar: Scalar) -> Vec<Type> {
    match scalar {
        Scalar::Bool => vec![types::I32X4],
        _ => match vector_type(scalar) {
            Some(vector) if scalar.size() == 4 || scalar == Scalar::F64 => vec![vector; scalar.size() / 4],
            _ => vec![clif_type(scalar); LANES],
        },
    }
}

/// The vector whose lanes hold a type of 32 or 64 bits.
pub(super) fn vector_type(scalar: Scalar) -> Option<Type> {
    match scalar {
        Scalar::I32 | Scalar::U32 => Some(types::I32X4),
        Scalar::F32 => Some(types::F32X4),
        Scalar::I64 | Scalar::U64 => Some(types::I64X2),
        Scalar::F64 => Some(types::F64X2),
        _ => None,
    }
}

impl Lanes<'_, '_> {
    /// In vectors. For types of 32 and 64 bits, and truths.
    pub(super) fn vectors(&mut self, scalar: Scalar, wide: &Wide) -> Vec<clif::Value> {
        if scalar == Scalar::Bool {
            return vec![self.mask(wide)];
        }
        let vector = vector_type(scalar).expect("asked for types of 32 and 64 bits only");
        let count = scalar.size() / 4;
        match wide {
            Wide::Vectors(vectors) => vectors.clone(),
            Wide::Stored { vector, .. } => vec![*vector],
            Wide::Same(is) => vec![self.one.builder.ins().splat(vector, *is); count],
            Wide::Scalars(lanes) => lanes.chunks(LANES / count).map(|lanes| self.side_by_side(vector, lanes)).collect(),
            Wide::Extended { from, signed } => {
                let narrow = if *signed { Scalar::I32 } else { Scalar::U32 };
                let from = self.vectors(narrow, from)[0];
                let builder = &mut self.one.builder;
                match signed {
                    true => vec![builder.ins().swiden_low(from), builder.ins().swiden_high(from)],
                    false => vec![builder.ins().uwiden_low(from), builder.ins().uwiden_high(from)],
                }
            }
            Wide::Linear { first, stride } => {
                let first = self.one.builder.ins().splat(types::I64X2, *first);
                let lane = (LANES * self.group) as i64;
                let steps = |k: i64| [2 * k, 2 * k + 1].map(|k| stride.wrapping_mul(lane + k));
                (0..2)
                    .map(|k| {
                        let steps = self.constant_vector(steps(k));
                        self.one.builder.ins().iadd(first, steps)
                    })
                    .collect()
            }
            Wide::Edge { .. } => unreachable!("truths are masks"),
        }
    }

    /// A truth as a mask of four integers.
    pub(super) fn mask(&mut self, wide: &Wide) -> clif::Value {
        match wide {
            Wide::Vectors(vectors) => vectors[0],
            Wide::Same(is) => match self.one.constant_bits(*is) {
                Some(bits) => self.mask_of(bits != 0),
                None => {
                    let mask = self.mask_of_scalar(*is);
                    self.one.builder.ins().splat(types::I32X4, mask)
                }
            },
            Wide::Scalars(lanes) => {
                let lanes = lanes.map(|lane| self.mask_of_scalar(lane));
                self.side_by_side(types::I32X4, &lanes)
            }
            Wide::Edge { of, .. } => match &**of {
                Edge::Compare(condition, a, b) => {
                    let (a, b) = (self.vectors(Scalar::U64, a), self.vectors(Scalar::U64, b));
                    self.compare_vectors(*condition, &a, &b)
                }
                Edge::Both(a, b) => {
                    let (a, b) = (self.mask(a), self.mask(b));
                    self.one.builder.ins().band(a, b)
                }
                Edge::Either(a, b) => {
                    let (a, b) = (self.mask(a), self.mask(b));
                    self.one.builder.ins().bor(a, b)
                }
                Edge::Not(a) => {
                    let a = self.mask(a);
                    self.one.builder.ins().bnot(a)
                }
            },
            Wide::Stored { .. } | Wide::Extended { .. } | Wide::Linear { .. } => unreachable!("forms of integers"),
        }
    }

    /// The mask of all lanes, or of none.
    pub(super) fn mask_of(&mut self, all: bool) -> clif::Value {
        let mask = self.one.builder.ins().iconst(types::I32, if all { 0xffff_ffff } else { 0 });
        self.one.builder.ins().splat(types::I32X4, mask)
    }

    fn mask_of_scalar(&mut self, truth: clif::Value) -> clif::Value {
        let wide = self.one.builder.ins().uextend(types::I32, truth);
        self.one.builder.ins().ineg(wide)
    }

    /// A scalar for each lane.
    pub(super) fn scalars(&mut self, scalar: Scalar, wide: &Wide) -> [clif::Value; LANES] {
        match wide {
            Wide::Same(is) => [*is; LANES],
            Wide::Scalars(lanes) => *lanes,
            Wide::Vectors(_) | Wide::Edge { .. } if scalar == Scalar::Bool => {
                let mask = self.mask(wide);
                std::array::from_fn(|lane| {
                    let lane = self.one.builder.ins().extractlane(mask, lane as u8);
                    self.one.builder.ins().icmp_imm_s(IntCC::NotEqual, lane, 0)
                })
            }
            Wide::Vectors(vectors) => {
                let each = LANES / vectors.len();
                std::array::from_fn(|k| self.one.builder.ins().extractlane(vectors[k / each], (k % each) as u8))
            }
            Wide::Stored { address, offset, flags, .. } => std::array::from_fn(|k| {
                self.one.builder.ins().load(types::I32, *flags, *address, offset + 4 * k as i32)
            }),
            Wide::Extended { from, signed } => {
                if let Wide::Stored { address, offset, flags, .. } = **from {
                    let ins = |builder: &mut cranelift_frontend::FunctionBuilder<'_>, k: usize| match signed {
                        true => builder.ins().sload32(flags, address, offset + 4 * k as i32),
                        false => builder.ins().uload32(flags, address, offset + 4 * k as i32),
                    };
                    return std::array::from_fn(|k| ins(&mut self.one.builder, k));
                }
                let narrow = if *signed { Scalar::I32 } else { Scalar::U32 };
                self.scalars(narrow, from).map(|lane| match signed {
                    true => self.one.builder.ins().sextend(types::I64, lane),
                    false => self.one.builder.ins().uextend(types::I64, lane),
                })
            }
            Wide::Linear { first, stride } => std::array::from_fn(|k| match LANES * self.group + k {
                0 => *first,
                lane => self.one.builder.ins().iadd_imm_s(*first, stride.wrapping_mul(lane as i64)),
            }),
            Wide::Edge { .. } => unreachable!("an edge is a truth"),
        }
    }

    /// In the form of [`canonical_types`].
    pub(super) fn canonical(&mut self, scalar: Scalar, wide: &Wide) -> Vec<clif::Value> {
        if canonical_types(scalar).len() < LANES {
            self.vectors(scalar, wide)
        } else {
            self.scalars(scalar, wide).to_vec()
        }
    }

    /// The inverse of [`Lanes::canonical`].
    pub(super) fn of_canonical(&self, values: &[clif::Value]) -> Wide {
        match <[clif::Value; LANES]>::try_from(values) {
            Ok(lanes) => Wide::Scalars(lanes),
            Err(_) => Wide::Vectors(values.to_vec()),
        }
    }

    /// Scalars in a vector.
    pub(super) fn side_by_side(&mut self, vector: Type, lanes: &[clif::Value]) -> clif::Value {
        let first = self.one.builder.ins().scalar_to_vector(vector, lanes[0]);
        let others = lanes.iter().enumerate().skip(1);
        others.fold(first, |vector, (k, lane)| self.one.builder.ins().insertlane(vector, *lane, k as u8))
    }

    /// Two integers of 64 bits.
    fn constant_vector(&mut self, lanes: [i64; 2]) -> clif::Value {
        let bytes: Vec<u8> = lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect();
        let constant = self.one.builder.func.dfg.constants.insert(clif::ConstantData::from(&bytes[..]));
        self.one.builder.ins().vconst(types::I64X2, constant)
    }

    /// A vector in another type, its bits as they are.
    pub(super) fn bits_as(&mut self, ty: Type, value: clif::Value) -> clif::Value {
        if self.one.value_type(value) == ty {
            return value;
        }
        self.one.builder.ins().bitcast(ty, MemFlagsData::new().with_endianness(Endianness::Little), value)
    }
}
