//! Writes of neighbouring threads to neighbouring elements, as vectors.
//!
//! One such write never meets another one of the same op. Those of several ops may: `a[i] += x; a[i + 1] += y`. Sums of floats
//! depend on the order of their parts, and so that they are those of threads that run one after the other, rows that lie
//! further on are written first: what an element gets there comes from an earlier thread. Rows of which it is not known
//! how far they lie apart, as those of a grid, are written so where they lie apart by more than the threads of a bundle.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, InstructionData, Opcode, types};
use warp_ir::ir::{AtomicKind, Scalar};

use super::super::Atomics;
use super::effects::{Effect, Write, elements_of};
use super::memory::Places;
use super::wide::{Wide, vector_type};
use super::{Lanes, Stop};

/// Rows at unknown distances from each other, at most: each two of them are compared.
const MOST_CLASSES: usize = 6;
/// Terms of a sum, at most.
const MOST_TERMS: usize = 8;
/// Distances above are none between rows of one place.
const FARTHEST: u64 = 1 << 32;

/// Rows that lie at known distances from each other.
struct Class {
    /// What the indices of all of them are the sum of, beside a constant.
    terms: Vec<(clif::Value, i64)>,
    /// The rows: the constant, the number of the row, and its first index.
    rows: Vec<(i64, usize, clif::Value)>,
}

impl Lanes<'_, '_> {
    /// Whether threads write to neighbours, as vectors.
    pub(super) fn are_in_rows(&self, effects: &[Effect]) -> bool {
        let plain = self.one.input.atomics == Atomics::Plain;
        effects.iter().all(|effect| {
            let adds = matches!(effect.write, Write::Atomic(AtomicKind::Add | AtomicKind::Sub)) && plain;
            let wide = vector_type(effect.scalar).is_some();
            matches!(effect.at, Wide::Linear { stride: 1, .. }) && wide && (adds || effect.write == Write::Store)
        })
    }

    /// All writes to one array, of each group, which are all in rows.
    pub(super) fn write_rows(&mut self, effects: &[Vec<Effect>]) -> Result<(), Stop> {
        let each: Vec<Vec<&[Effect]>> = effects.iter().map(|own| elements_of(own)).collect();
        let float_sum = |effect: &Effect| effect.write != Write::Store && effect.scalar.is_float();
        if each[0].len() == 1 || !effects[0].iter().any(float_sum) {
            return self.rows_in_order(&each, 0..each[0].len());
        }
        let Some(mut classes) = self.classes(&each[0]) else {
            self.each(|lanes| lanes.write_one_by_one(&effects[lanes.group]))?;
            return Ok(());
        };
        classes.iter_mut().for_each(|class| class.rows.sort_by_key(|(constant, ..)| std::cmp::Reverse(*constant)));
        let order = classes.iter().flat_map(|class| &class.rows).map(|(_, number, _)| *number);
        let Some(apart) = self.lie_apart(&classes) else { return self.rows_in_order(&each, order) };
        let [rows, meeting, after] = std::array::from_fn(|_| self.one.builder.create_block());
        self.one.builder.set_cold_block(meeting);
        self.one.builder.ins().brif(apart, rows, &[], meeting, &[]);
        self.one.builder.switch_to_block(meeting);
        self.each(|lanes| lanes.write_one_by_one(&effects[lanes.group]))?;
        self.one.builder.ins().jump(after, &[]);
        self.one.builder.switch_to_block(rows);
        self.rows_in_order(&each, order)?;
        self.one.builder.ins().jump(after, &[]);
        self.one.builder.switch_to_block(after);
        Ok(())
    }

    fn rows_in_order(&mut self, each: &[Vec<&[Effect]>], mut order: impl Iterator<Item = usize>) -> Result<(), Stop> {
        order.try_for_each(|number| self.each(|lanes| lanes.write_row(each[lanes.group][number])).map(drop))
    }

    /// The rows by what is known of their distances. `None` if there are too many.
    fn classes(&self, rows: &[&[Effect]]) -> Option<Vec<Class>> {
        let mut classes: Vec<Class> = vec![];
        for (number, row) in rows.iter().enumerate() {
            let Wide::Linear { first, .. } = row[0].at else { unreachable!("a row") };
            let (terms, constant) = self.sum(first);
            if constant.unsigned_abs() > FARTHEST {
                return None;
            }
            match classes.iter_mut().find(|class| class.terms == terms) {
                Some(class) => class.rows.push((constant, number, first)),
                None => classes.push(Class { terms, rows: vec![(constant, number, first)] }),
            }
        }
        (classes.len() <= MOST_CLASSES).then_some(classes)
    }

    /// Whether no two classes of rows, each of which is sorted, reach into each other. `None` if there is one only.
    fn lie_apart(&mut self, classes: &[Class]) -> Option<clif::Value> {
        let threads = self.threads() as i64;
        let ends = |class: &Class| {
            let (last, first) = (class.rows[0], class.rows[class.rows.len() - 1]);
            (first.2, last.0 - first.0 + threads)
        };
        let mut apart = None;
        for (k, class) in classes.iter().enumerate() {
            for other in &classes[..k] {
                let ((a, length_a), (b, length_b)) = (ends(class), ends(other));
                // `b` starts behind the end of `a`, and, round the whole of 2^64, `a` behind that of `b`.
                let distance = self.one.builder.ins().isub(b, a);
                let distance = self.one.builder.ins().iadd_imm_s(distance, -length_a);
                let most = self.one.builder.ins().iconst(types::I64, -(length_a + length_b));
                let both = self.one.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, distance, most);
                apart = Some(match apart {
                    Some(apart) => self.one.builder.ins().band(apart, both),
                    None => both,
                });
            }
        }
        apart
    }

    /// An index as a sum of multiples and a constant.
    fn sum(&self, index: clif::Value) -> (Vec<(clif::Value, i64)>, i64) {
        let (mut terms, mut constant) = (vec![], 0);
        self.add_terms(index, 1, &mut terms, &mut constant);
        terms.sort_unstable();
        let mut merged: Vec<(clif::Value, i64)> = vec![];
        for (value, factor) in terms {
            match merged.last_mut().filter(|(last, _)| *last == value) {
                Some((_, sum)) => *sum = sum.wrapping_add(factor),
                None => merged.push((value, factor)),
            }
        }
        merged.retain(|(_, factor)| *factor != 0);
        (merged, constant)
    }

    fn add_terms(&self, value: clif::Value, factor: i64, terms: &mut Vec<(clif::Value, i64)>, constant: &mut i64) {
        let dfg = &self.one.builder.func.dfg;
        let value = dfg.resolve_aliases(value);
        let inst = dfg.value_def(value).inst().filter(|_| terms.len() < MOST_TERMS);
        let args = inst.map_or(&[][..], |inst| dfg.inst_args(inst));
        match (inst.map(|inst| &dfg.insts[inst]), args) {
            (Some(InstructionData::UnaryImm { opcode: Opcode::Iconst, imm }), _) => {
                *constant = constant.wrapping_add(factor.wrapping_mul(imm.bits()));
            }
            (Some(InstructionData::Binary { opcode: Opcode::Iadd, .. }), &[a, b]) => {
                self.add_terms(a, factor, terms, constant);
                self.add_terms(b, factor, terms, constant);
            }
            (Some(InstructionData::Binary { opcode: Opcode::Isub, .. }), &[a, b]) => {
                self.add_terms(a, factor, terms, constant);
                self.add_terms(b, factor.wrapping_neg(), terms, constant);
            }
            _ => terms.push((value, factor)),
        }
    }

    fn write_row(&mut self, element: &[Effect]) -> Result<(), Stop> {
        let array = element[0].array;
        let plane = self.plane(array, element[0].leaf);
        let Places::Row(first) = self.places(plane, &element[0].at) else { unreachable!("a row") };
        let leaves = self.one.function().arrays[array.0 as usize].leaves.len();
        if !self.is_block(array) || element.len() < leaves {
            return element.iter().try_for_each(|effect| self.write_leaf(effect));
        }
        let start = self.start_of_row(plane);
        let mut words = vec![first; leaves];
        for effect in element {
            let word = self.vectors(effect.scalar, &effect.value)[0];
            words[self.position(array, effect.leaf)] = word;
        }
        let float = element.iter().all(|effect| effect.scalar == Scalar::F32);
        let Write::Atomic(kind) = element[0].write else {
            let words: Vec<_> = words.into_iter().map(|word| self.bits_as(types::F32X4, word)).collect();
            let block = self.block_of_leaves(&words);
            for (k, part) in block.into_iter().enumerate() {
                self.one.builder.ins().store(plane.flags, part, first, start + 16 * k as i32);
            }
            return Ok(());
        };
        if !float {
            return element.iter().try_for_each(|effect| self.write_leaf(effect));
        }
        for (k, part) in self.block_of_leaves(&words).into_iter().enumerate() {
            let offset = start + 16 * k as i32;
            let old = self.one.builder.ins().load(types::F32X4, plane.flags, first, offset);
            let new = self.added(kind, old, part);
            self.one.builder.ins().store(plane.flags, new, first, offset);
        }
        Ok(())
    }

    /// One leaf of elements in a row.
    fn write_leaf(&mut self, effect: &Effect) -> Result<(), Stop> {
        let plane = self.plane(effect.array, effect.leaf);
        let places = self.places(plane, &effect.at);
        if let (Places::Row(first), true) = (&places, self.is_dense(plane)) {
            let values = self.vectors(effect.scalar, &effect.value);
            for (k, value) in values.into_iter().enumerate() {
                let offset = plane.offset + self.start_of_row(plane) + 16 * k as i32;
                let value = match effect.write {
                    Write::Store => value,
                    Write::Atomic(kind) => {
                        let ty = self.one.value_type(value);
                        let old = self.one.builder.ins().load(ty, plane.flags, *first, offset);
                        self.added(kind, old, value)
                    }
                };
                self.one.builder.ins().store(plane.flags, value, *first, offset);
            }
            return Ok(());
        }
        let values = self.scalars(effect.scalar, &effect.value);
        for (lane, value) in values.into_iter().enumerate() {
            self.write_scalar(effect.write, plane, &places, lane, value)?;
        }
        Ok(())
    }
}
