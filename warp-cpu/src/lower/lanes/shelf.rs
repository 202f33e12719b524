//! Where the threads of a block lay down values: for each value a shelf with a place for each thread.

use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use warp_ir::ir::{Scalar, Value};

use super::super::clif_type;
use super::wide::{Wide, canonical_types, vector_type};
use super::{LANES, Lanes};

/// Threads of a block, at most.
pub(super) const LONGEST_BLOCK: usize = 512;
/// A shelf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shelf {
    pub scalar: Scalar,
    /// Where it begins.
    start: usize,
}

/// All shelves of a kernel.
#[derive(Default)]
pub(super) struct Shelves {
    /// Those of values from before the loop.
    pub inputs: Vec<(Value, Shelf)>,
    /// Those of results of the loop, by position.
    pub results: Vec<(usize, Shelf)>,
    /// Bytes of one thread's places.
    pub bytes_of_thread: usize,
    /// Places on a shelf.
    places: usize,
}

impl Shelves {
    pub(super) fn add_input(&mut self, value: Value, scalar: Scalar) {
        let shelf = self.add(scalar);
        self.inputs.push((value, shelf));
    }

    pub(super) fn add_result(&mut self, position: usize, scalar: Scalar) {
        let shelf = self.add(scalar);
        self.results.push((position, shelf));
    }

    fn add(&mut self, scalar: Scalar) -> Shelf {
        // Where it would begin if there were one place on each.
        let start = self.bytes_of_thread;
        self.bytes_of_thread += size(scalar);
        Shelf { scalar, start }
    }

    /// Makes all shelves as long as blocks of so many threads need them, once all are there. Behind the last thread's place,
    /// lanes that found no thread lay down what nobody reads.
    pub(super) fn lay_out(&mut self, threads: usize) {
        self.places = threads + LANES;
        let inputs = self.inputs.iter_mut().map(|(_, shelf)| shelf);
        inputs.chain(self.results.iter_mut().map(|(_, shelf)| shelf)).for_each(|shelf| shelf.start *= self.places);
    }

    /// Bytes of all of them.
    pub(super) fn bytes(&self) -> usize {
        self.bytes_of_thread * self.places
    }

    /// The shelf of a value from before the loop, if it has one.
    pub(super) fn of(&self, value: Value) -> Option<Shelf> {
        self.inputs.iter().find(|(input, _)| *input == value).map(|(_, shelf)| *shelf)
    }
}

/// What lanes have in hand: all that changes only when they take up other threads. It lies in memory, so that turns have the
/// registers for what they carry.
pub(super) struct Hand {
    /// Where it begins.
    start: usize,
    /// The types of values, and which part is the first of each.
    entries: Vec<(Scalar, usize)>,
    parts: usize,
    groups: usize,
}

/// Bytes of a part.
const PART: usize = 16;

impl Hand {
    /// The place of the mask of lanes that have a thread.
    pub(super) const LIVE: usize = 0;
    /// That of the numbers of these threads in their block.
    pub(super) const SLOTS: usize = 1;
    /// That of the first of the values that turns read.
    pub(super) const OUTSIDE: usize = 2;

    /// Room behind the shelves for values of these types, in each group.
    pub(super) fn of(shelves: &Shelves, outside: impl Iterator<Item = Scalar>, groups: usize) -> Hand {
        let start = shelves.bytes().next_multiple_of(PART);
        let mut hand = Hand { start, entries: vec![], parts: 0, groups };
        for scalar in [Scalar::Bool, Scalar::U32].into_iter().chain(outside) {
            hand.entries.push((scalar, hand.parts));
            hand.parts += canonical_types(scalar).len();
        }
        hand
    }

    /// Where it ends.
    pub(super) fn end(&self) -> usize {
        self.start + self.parts * self.groups * PART
    }

    fn offset(&self, group: usize, part: usize) -> i32 {
        (self.start + (group * self.parts + part) * PART) as i32
    }
}

/// Truths lie as masks.
fn type_of_place(scalar: Scalar) -> clif::Type {
    if scalar == Scalar::Bool { types::I32 } else { clif_type(scalar) }
}

fn size(scalar: Scalar) -> usize {
    type_of_place(scalar).bytes() as usize
}

impl Shelf {
    /// How far behind the first place of a shelf that of a thread lies.
    fn offset(&self, thread: usize) -> i32 {
        (self.start + thread * size(self.scalar)) as i32
    }
}

/// Shelves lie on the stack.
fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

impl Lanes<'_, '_> {
    /// Lays down the values of this group of a bundle whose first thread is the `slot`th.
    pub(super) fn lay_down_row(&mut self, shelf: Shelf, base: clif::Value, slot: clif::Value, wide: &Wide) {
        let address = self.address_of_place(shelf, base, slot);
        let parts = self.canonical(shelf.scalar, wide);
        let each = LANES / parts.len();
        for (k, part) in parts.into_iter().enumerate() {
            let offset = shelf.offset(self.group * LANES + k * each);
            self.one.builder.ins().store(flags(), part, address, offset);
        }
    }

    /// The inverse of [`Lanes::lay_down_row`].
    pub(super) fn pick_up_row(&mut self, shelf: Shelf, base: clif::Value, slot: clif::Value) -> Wide {
        let address = self.address_of_place(shelf, base, slot);
        let types = canonical_types(shelf.scalar);
        let each = LANES / types.len();
        let parts = types.iter().enumerate().map(|(k, ty)| {
            let offset = shelf.offset(self.group * LANES + k * each);
            self.one.builder.ins().load(*ty, flags(), address, offset)
        });
        let parts: Vec<clif::Value> = parts.collect();
        self.of_canonical(&parts)
    }

    /// Four words of the threads from the `next`th on.
    pub(super) fn pick_up_words(&mut self, shelf: Shelf, base: clif::Value, next: clif::Value) -> clif::Value {
        let address = self.address_of_place(shelf, base, next);
        self.one.builder.ins().load(canonical_types(shelf.scalar)[0], flags(), address, shelf.offset(0))
    }

    /// Lays down a value of each lane, for the thread that the lane has.
    pub(super) fn lay_down(&mut self, shelf: Shelf, base: clif::Value, slots: &[clif::Value; LANES], wide: &Wide) {
        let lanes: Vec<clif::Value> = match (shelf.scalar, wide) {
            (Scalar::Bool, _) => {
                let mask = self.mask(wide);
                (0..LANES).map(|lane| self.one.builder.ins().extractlane(mask, lane as u8)).collect()
            }
            _ => self.scalars(shelf.scalar, wide).to_vec(),
        };
        for (slot, value) in slots.iter().zip(lanes) {
            let address = self.address_of_place(shelf, base, *slot);
            self.one.builder.ins().store(flags(), value, address, shelf.offset(0));
        }
    }

    /// A value for each lane, of the thread that the lane has.
    pub(super) fn pick_up(&mut self, shelf: Shelf, base: clif::Value, slots: &[clif::Value; LANES]) -> Wide {
        let lanes = slots.map(|slot| {
            let address = self.address_of_place(shelf, base, slot);
            self.one.builder.ins().load(type_of_place(shelf.scalar), flags(), address, shelf.offset(0))
        });
        match vector_type(shelf.scalar) {
            Some(vector) if shelf.scalar == Scalar::F64 => {
                Wide::Vectors(lanes.chunks(2).map(|lanes| self.side_by_side(vector, lanes)).collect())
            }
            _ => Wide::Scalars(lanes),
        }
    }

    /// Takes a value of this group in hand.
    pub(super) fn take_in_hand(&mut self, hand: &Hand, base: clif::Value, entry: usize, wide: &Wide) {
        let (scalar, first) = hand.entries[entry];
        for (k, part) in self.canonical(scalar, wide).into_iter().enumerate() {
            let offset = hand.offset(self.group, first + k);
            self.one.builder.ins().store(flags().with_aligned(), part, base, offset);
        }
    }

    /// A value of this group that is in hand.
    pub(super) fn in_hand(&mut self, hand: &Hand, base: clif::Value, entry: usize) -> Wide {
        let (scalar, first) = hand.entries[entry];
        let parts = canonical_types(scalar).into_iter().enumerate().map(|(k, ty)| {
            let offset = hand.offset(self.group, first + k);
            self.one.builder.ins().load(ty, flags().with_aligned(), base, offset)
        });
        let parts: Vec<clif::Value> = parts.collect();
        self.of_canonical(&parts)
    }

    /// A vector of this group that is in hand.
    pub(super) fn vector_in_hand(&mut self, hand: &Hand, base: clif::Value, entry: usize) -> clif::Value {
        let (scalar, _) = hand.entries[entry];
        let wide = self.in_hand(hand, base, entry);
        self.vectors(scalar, &wide)[0]
    }

    fn address_of_place(&mut self, shelf: Shelf, base: clif::Value, slot: clif::Value) -> clif::Value {
        let distance = self.one.builder.ins().imul_imm_s(slot, size(shelf.scalar) as i64);
        self.one.builder.ins().iadd(base, distance)
    }
}
