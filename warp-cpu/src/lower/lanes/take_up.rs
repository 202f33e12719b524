//! The head of a turn where threads leave the loop: their results are laid down, and their lanes take up other threads.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use warp_ir::ir::{Scalar, Value};
use warp_ir::planted::{self, Bug};

use super::parts::Parts;
use super::refill::{Block, State};
use super::shelf::Hand;
use super::wide::{Wide, canonical_types};
use super::{LANES, Lanes, Masks, Stop};

/// For each set of lanes, given as bits, a shuffle of bytes that gives each of these lanes one word after the other.
#[repr(align(16))]
struct Shuffles([[u8; 4 * LANES]; 1 << LANES]);

static SHUFFLES: Shuffles = shuffles();

const fn shuffles() -> Shuffles {
    let mut all = [[0; 4 * LANES]; 1 << LANES];
    let mut bits = 0;
    while bits < 1 << LANES {
        let (mut lane, mut word) = (0, 0);
        while lane < LANES {
            let mut byte = 0;
            while byte < 4 {
                all[bits][4 * lane + byte] = (4 * word + byte) as u8;
                byte += 1;
            }
            word += bits >> lane & 1;
            lane += 1;
        }
        bits += 1;
    }
    Shuffles(all)
}

/// How a group takes up threads.
struct Taking {
    /// The lanes that do.
    leaving: clif::Value,
    /// Brings the next threads' words to them.
    shuffle: clif::Value,
    /// The first of these threads.
    next: clif::Value,
    /// For each lane the thread that it has now.
    slots: [clif::Value; LANES],
}

impl Lanes<'_, '_> {
    /// Lays down the results of threads that are `leaving`, and takes up as many of the block's other threads. Gives what
    /// lanes carry then, and whether none of them has a thread.
    pub(super) fn take_up(
        &mut self,
        parts: &Parts<'_>,
        carried: &[usize],
        state: &State,
        leaving: &Masks,
        block: &Block,
    ) -> Result<(State, clif::Value), Stop> {
        let (mut live, mut next) = (vec![], state.next);
        let mut values: Vec<(Scalar, Vec<Wide>)> = state.values.iter().map(|(scalar, _)| (*scalar, vec![])).collect();
        for group in 0..self.groups {
            self.group = group;
            let leaving = leaving[group];
            let old = self.vector_in_hand(&block.hand, block.base, Hand::SLOTS);
            let mut had = self.slots_of_lanes(old);
            if planted::is(Bug::CpuRefillsSwapPlaces) {
                had.swap(0, 1);
            }
            // Threads that stay lay down what they have, too, and once more when they leave.
            for (k, shelf) in &parts.shelves.results {
                let result = self.get(parts.cond.params[*k]);
                self.lay_down(*shelf, block.base, &had, &result);
            }
            let bits = self.mask_bits(leaving);
            let shuffle = self.shuffle_for(bits);
            let new = self.numbers_from(next);
            let new = self.shuffled(new, shuffle);
            let slots = self.blend(leaving, new, old);
            self.take_in_hand(&block.hand, block.base, Hand::SLOTS, &Wide::Vectors(vec![slots]));
            let end = self.one.builder.ins().ireduce(types::I32, block.count);
            let end = self.one.builder.ins().splat(types::I32X4, end);
            let found = self.one.builder.ins().icmp(IntCC::SignedLessThan, slots, end);
            let had_thread = self.vector_in_hand(&block.hand, block.base, Hand::LIVE);
            let has_thread = self.one.builder.ins().band(had_thread, found);
            self.take_in_hand(&block.hand, block.base, Hand::LIVE, &Wide::Vectors(vec![has_thread]));
            live.push(has_thread);
            let taking = Taking { leaving, shuffle, next, slots: self.slots_of_lanes(slots) };
            for (at, k) in carried.iter().enumerate() {
                let (scalar, each) = &state.values[at];
                let is = self.taken(parts, parts.inits[*k], *scalar, &each[group], &taking, block)?;
                values[at].1.push(is);
            }
            for (at, value) in parts.outside.iter().enumerate() {
                if planted::is(Bug::CpuRefillsKeepValues) {
                    continue;
                }
                let (entry, scalar) = (Hand::OUTSIDE + at, self.one.scalar(*value));
                let old = self.in_hand(&block.hand, block.base, entry);
                let is = self.taken(parts, *value, scalar, &old, &taking, block)?;
                self.take_in_hand(&block.hand, block.base, entry, &is);
            }
            let count = self.one.builder.ins().popcnt(bits);
            let count = self.one.builder.ins().uextend(types::I64, count);
            next = self.one.builder.ins().iadd(next, count);
            if planted::is(Bug::CpuRefillsSkipThreads) {
                next = self.one.builder.ins().iadd_imm_s(next, 1);
            }
            next = self.one.builder.ins().umin(next, block.count);
        }
        self.group = 0;
        let none = self.none_in(live.clone());
        Ok((State { values, staying: live, next }, none))
    }

    /// A value of the threads that this group's lanes have now, of which `old` are those that it had.
    fn taken(
        &mut self,
        parts: &Parts<'_>,
        origin: Value,
        scalar: Scalar,
        old: &Wide,
        taking: &Taking,
        block: &Block,
    ) -> Result<Wide, Stop> {
        let new = match parts.shelves.of(origin) {
            None => self.get(origin),
            Some(shelf) if canonical_types(scalar).len() == 1 => {
                let words = self.pick_up_words(shelf, block.base, taking.next);
                Wide::Vectors(vec![self.shuffled(words, taking.shuffle)])
            }
            Some(shelf) => self.pick_up(shelf, block.base, &taking.slots),
        };
        self.select(&Wide::Vectors(vec![taking.leaving]), &new, old, scalar)
    }

    fn slots_of_lanes(&mut self, slots: clif::Value) -> [clif::Value; LANES] {
        std::array::from_fn(|lane| {
            let slot = self.one.builder.ins().extractlane(slots, lane as u8);
            self.one.builder.ins().uextend(types::I64, slot)
        })
    }

    /// `next`, and the numbers after it.
    fn numbers_from(&mut self, next: clif::Value) -> clif::Value {
        let next = self.one.builder.ins().ireduce(types::I32, next);
        let next = self.one.builder.ins().splat(types::I32X4, next);
        let steps = self.constant_words(std::array::from_fn(|k| k as u32));
        self.one.builder.ins().iadd(next, steps)
    }

    fn shuffle_for(&mut self, bits: clif::Value) -> clif::Value {
        let table = self.one.builder.ins().iconst(types::I64, SHUFFLES.0.as_ptr() as i64);
        let bits = self.one.builder.ins().uextend(types::I64, bits);
        let distance = self.one.builder.ins().imul_imm_s(bits, 4 * LANES as i64);
        let address = self.one.builder.ins().iadd(table, distance);
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        self.one.builder.ins().load(types::I8X16, flags, address, 0)
    }

    /// The words of a vector, as a shuffle of bytes has them.
    fn shuffled(&mut self, words: clif::Value, shuffle: clif::Value) -> clif::Value {
        let ty = self.one.value_type(words);
        let bytes = self.bits_as(types::I8X16, words);
        let bytes = self.one.builder.ins().swizzle(bytes, shuffle);
        self.bits_as(ty, bytes)
    }

    /// Four integers.
    pub(super) fn constant_words(&mut self, lanes: [u32; LANES]) -> clif::Value {
        let bytes: Vec<u8> = lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect();
        let constant = self.one.builder.func.dfg.constants.insert(clif::ConstantData::from(&bytes[..]));
        self.one.builder.ins().vconst(types::I32X4, constant)
    }
}
