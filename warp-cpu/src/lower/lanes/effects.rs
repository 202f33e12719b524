//! Writes to arrays. They are held back until the group cannot give up any more, or something reads what they write.

use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use warp_ir::builtins::Builtin;
use warp_ir::ir::{ArrayId, AtomicKind, Mem, Op, Region, Scalar, Value};
use warp_ir::planted::{self, Bug};

use super::super::Atomics;
use super::super::memory::Place;
use super::memory::{Places, Plane};
use super::wide::{Wide, vector_type};
use super::{LANES, Lanes, Stop};

/// A write that is held back.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub write: Write,
    pub array: ArrayId,
    pub index: Value,
    pub leaf: u16,
    pub scalar: Scalar,
    /// The index in the lanes of each group.
    pub at: Vec<Wide>,
    pub value: Vec<Wide>,
}

/// A write of one group.
#[derive(Debug)]
pub(super) struct Effect {
    pub write: Write,
    pub array: ArrayId,
    index: Value,
    pub at: Wide,
    pub leaf: u16,
    pub value: Wide,
    pub scalar: Scalar,
}

impl Held {
    fn of_group(&self, group: usize) -> Effect {
        let Held { write, array, index, leaf, scalar, .. } = *self;
        Effect { write, array, index, at: self.at[group].clone(), leaf, value: self.value[group].clone(), scalar }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Write {
    Store,
    /// Whose old value nobody wants.
    Atomic(AtomicKind),
}

impl Lanes<'_, '_> {
    /// Notes a write. A store takes the place of one to the same leaf of the same element.
    pub(super) fn hold_back(&mut self, effect: Held) {
        let same = |other: &Held| (other.array, other.leaf) == (effect.array, effect.leaf);
        if effect.write == Write::Store
            && let Some(last) = self.pending.iter().rposition(same)
            && last >= self.held_outside
            && self.pending[last].write == Write::Store
            && self.pending[last].index == effect.index
        {
            self.pending.remove(last);
        }
        self.pending.push(effect);
    }

    /// Makes the writes that a load of this leaf may see.
    pub(super) fn flush_before_load(&mut self, array: ArrayId, leaf: u16) -> Result<(), Stop> {
        let meets = self.pending.iter().any(|effect| (effect.array, effect.leaf) == (array, leaf));
        let meets = meets && !planted::is(Bug::CpuGroupsForgetWrites);
        if meets { self.flush(self.held_outside) } else { Ok(()) }
    }

    /// Makes the writes that what a region reads or writes may meet.
    pub(super) fn flush_before_region(&mut self, regions: &[&Region]) -> Result<(), Stop> {
        let meets =
            self.pending.iter().any(|effect| regions.iter().any(|region| touches(region, effect.array, effect.leaf)));
        if meets { self.flush(self.held_outside) } else { Ok(()) }
    }

    /// Makes the writes from a position on. None of those before is to the same leaf of an array.
    pub(super) fn flush(&mut self, from: usize) -> Result<(), Stop> {
        let effects = self.pending.split_off(from);
        if effects.is_empty() {
            return Ok(());
        }
        self.settle();
        self.committed = true;
        let mut arrays: Vec<ArrayId> = vec![];
        for effect in &effects {
            if !arrays.contains(&effect.array) {
                arrays.push(effect.array);
            }
        }
        for array in arrays {
            let own = effects.iter().filter(|effect| effect.array == array);
            let own: Vec<Vec<Effect>> =
                (0..self.groups).map(|group| own.clone().map(|effect| effect.of_group(group)).collect()).collect();
            self.note_sums(&own[0]);
            self.write_array(&own)?;
            self.elements.retain(|(other, ..), _| *other != array);
        }
        Ok(())
    }

    /// Writes to an array are made in the order of threads, of all that are made at one place of the kernel. So sums of
    /// floats are those of one thread after the other if all of them are made at one place, and not in an arm that other
    /// threads do not take, or in turns of a loop. Arrays may be gradients that overlap, so there must be only one.
    fn note_sums(&mut self, effects: &[Effect]) {
        if effects.iter().any(|effect| effect.write != Write::Store && effect.scalar.is_float()) {
            self.in_order &= self.depth == 0 && !self.summed;
            self.summed = true;
        }
    }

    /// All writes to one array, of each group.
    fn write_array(&mut self, effects: &[Vec<Effect>]) -> Result<(), Stop> {
        if self.live.is_none() && self.are_in_rows(&effects[0]) {
            return self.write_rows(effects);
        }
        self.each(|lanes| {
            let own = &effects[lanes.group];
            match lanes.live() {
                Some(_) if planted::is(Bug::CpuGroupsWriteUnmasked) => lanes.write_one_by_one(own),
                Some(live) => lanes.write_live(own, live),
                None if lanes.is_one_place(own) => own.iter().try_for_each(|effect| lanes.add_up(effect)),
                None => lanes.write_one_by_one(own),
            }
        })?;
        Ok(())
    }

    /// All writes of a group to one array, one thread after the other: they may meet.
    pub(super) fn write_one_by_one(&mut self, effects: &[Effect]) -> Result<(), Stop> {
        let elements: Vec<Element> = elements_of(effects).into_iter().map(|element| self.element(element)).collect();
        for lane in 0..LANES {
            let lane = if planted::is(Bug::CpuGroupsWriteBackwards) { LANES - 1 - lane } else { lane };
            for element in &elements {
                self.write_lane(element, lane)?;
            }
        }
        Ok(())
    }

    /// All writes of a group to one array, of the threads that are here: one after the other.
    fn write_live(&mut self, effects: &[Effect], live: clif::Value) -> Result<(), Stop> {
        let elements: Vec<Element> = elements_of(effects).into_iter().map(|element| self.element(element)).collect();
        for lane in 0..LANES {
            let [here, after] = std::array::from_fn(|_| self.one.builder.create_block());
            let is_here = self.one.builder.ins().extractlane(live, lane as u8);
            self.one.builder.ins().brif(is_here, here, &[], after, &[]);
            self.one.builder.switch_to_block(here);
            for element in &elements {
                self.write_lane(element, lane)?;
            }
            self.one.builder.ins().jump(after, &[]);
            self.one.builder.switch_to_block(after);
        }
        Ok(())
    }

    /// Whether all threads of the group add to one element, each leaf once.
    fn is_one_place(&self, effects: &[Effect]) -> bool {
        let plain = self.one.input.atomics == Atomics::Plain;
        let adds = |effect: &Effect| matches!(effect.write, Write::Atomic(AtomicKind::Add | AtomicKind::Sub));
        let same = |effect: &Effect| matches!(effect.at, Wide::Same(_)) && effect.index == effects[0].index;
        plain
            && elements_of(effects).len() == 1
            && effects.iter().all(|effect| adds(effect) && same(effect) && vector_type(effect.scalar).is_some())
    }

    /// Adds the values of all lanes to one leaf, one after the other.
    fn add_up(&mut self, effect: &Effect) -> Result<(), Stop> {
        let Write::Atomic(kind) = effect.write else { unreachable!("an addition") };
        let plane = self.plane(effect.array, effect.leaf);
        let places = self.places(plane, &effect.at);
        let (address, offset) = self.place_of(plane, &places, 0);
        let offset = offset + plane.offset;
        let values = self.scalars(effect.scalar, &effect.value);
        let old = self.load_scalar(plane, address, offset);
        let new = values.into_iter().fold(old, |sum, value| self.added(kind, sum, value));
        self.one.builder.ins().store(plane.flags, new, address, offset);
        Ok(())
    }

    pub(super) fn added(&mut self, kind: AtomicKind, old: clif::Value, value: clif::Value) -> clif::Value {
        let (add, float) = (kind == AtomicKind::Add, self.one.value_type(old).lane_type().is_float());
        let ins = self.one.builder.ins();
        match (add, float) {
            (true, true) => ins.fadd(old, value),
            (true, false) => ins.iadd(old, value),
            (false, true) => ins.fsub(old, value),
            (false, false) => ins.isub(old, value),
        }
    }

    pub(super) fn write_scalar(
        &mut self,
        write: Write,
        plane: Plane,
        places: &Places,
        lane: usize,
        value: clif::Value,
    ) -> Result<(), Stop> {
        let (address, offset) = self.place_of(plane, places, lane);
        let offset = offset + plane.offset;
        let place = Place { scalar: plane.scalar, address, offset, flags: plane.flags, shared: true };
        match write {
            Write::Store => self.one.store_place(place, value),
            Write::Atomic(kind) => drop(self.one.atomic_at(kind, place, value, None)?),
        }
        Ok(())
    }

    /// Takes an element's values apart for writing lane by lane.
    fn element(&mut self, element: &[Effect]) -> Element {
        let array = element[0].array;
        if let Some(element) = self.triples(element) {
            return element;
        }
        let values = element.iter().map(|effect| {
            let plane = self.plane(array, effect.leaf);
            (plane, self.places(plane, &effect.at), self.scalars(effect.scalar, &effect.value))
        });
        let values = values.collect();
        Element { write: element[0].write, values: Values::Leaves(values) }
    }

    /// Three floats side by side that are stored or added.
    fn triples(&mut self, element: &[Effect]) -> Option<Element> {
        let array = element[0].array;
        let floats = element.iter().all(|effect| effect.scalar == Scalar::F32);
        let plain = match element[0].write {
            Write::Store => true,
            Write::Atomic(kind) => {
                matches!(kind, AtomicKind::Add | AtomicKind::Sub) && self.one.input.atomics == Atomics::Plain
            }
        };
        if !floats || !plain || element.len() != 3 || !self.is_block(array) {
            return None;
        }
        let mut words = [None; 3];
        for effect in element {
            *words.get_mut(self.position(array, effect.leaf))? = Some(self.vectors(Scalar::F32, &effect.value)[0]);
        }
        let mut words: Vec<clif::Value> = words.into_iter().collect::<Option<_>>()?;
        // Adding negatives is subtracting, and what the one end gets is often what the other one loses.
        let negated: Option<Vec<clif::Value>> = words.iter().map(|word| self.negatives.get(word).copied()).collect();
        let write = match (element[0].write, negated) {
            (Write::Atomic(AtomicKind::Add), Some(negated)) => {
                words = negated;
                Write::Atomic(AtomicKind::Sub)
            }
            (write, _) => write,
        };
        let plane = self.plane(array, element[0].leaf);
        let places = self.places(plane, &element[0].at);
        let pairs = self.rows_of_leaves(&words[..2]);
        let lasts = self.scalars(Scalar::F32, &Wide::Vectors(vec![words[2]]));
        Some(Element { write, values: Values::Triples(Triples { plane, places, pairs, lasts }) })
    }

    fn write_lane(&mut self, element: &Element, lane: usize) -> Result<(), Stop> {
        let triples = match &element.values {
            Values::Triples(triples) => triples,
            Values::Leaves(leaves) => {
                for (plane, places, values) in leaves {
                    self.write_scalar(element.write, *plane, places, lane, values[lane])?;
                }
                return Ok(());
            }
        };
        let plane = triples.plane;
        let (address, offset) = self.place_of(plane, &triples.places, lane);
        let (mut pair, mut last) = (triples.pairs[lane], triples.lasts[lane]);
        // A write of 16 bytes would reach into the next element, and hold up the next load.
        if let Write::Atomic(kind) = element.write {
            let old = self.one.builder.ins().load(types::F64, plane.flags, address, offset);
            let old = self.one.builder.ins().scalar_to_vector(types::F64X2, old);
            let old = self.bits_as(types::F32X4, old);
            pair = self.added(kind, old, pair);
        }
        let pairs = self.bits_as(types::F64X2, pair);
        let pair = self.one.builder.ins().extractlane(pairs, 0);
        self.one.builder.ins().store(plane.flags, pair, address, offset);
        if let Write::Atomic(kind) = element.write {
            let old = self.one.builder.ins().load(types::F32, plane.flags, address, offset + 8);
            last = self.added(kind, old, last);
        }
        self.one.builder.ins().store(plane.flags, last, address, offset + 8);
        Ok(())
    }

    /// Whether a builtin is the negative of a float.
    pub(super) fn note_negative(&mut self, builtin: Builtin, of: &Wide, is: &Wide) {
        if let (Builtin::Neg, Wide::Vectors(of), Wide::Vectors(is)) = (builtin, of, is) {
            self.negatives.extend(is.iter().copied().zip(of.iter().copied()));
        }
    }
}

/// Runs of effects that write different leaves of one element in the same way.
pub(super) fn elements_of(effects: &[Effect]) -> Vec<&[Effect]> {
    let (mut elements, mut start) = (vec![], 0);
    for (at, effect) in effects.iter().enumerate() {
        let run = &effects[start..at];
        let fits = run
            .iter()
            .all(|other| other.index == effect.index && other.write == effect.write && other.leaf != effect.leaf);
        if !fits {
            elements.push(run);
            start = at;
        }
    }
    elements.push(&effects[start..]);
    elements
}

/// An element that is written lane by lane.
struct Element {
    write: Write,
    values: Values,
}

enum Values {
    /// Three floats side by side.
    Triples(Triples),
    /// Each leaf for itself.
    Leaves(Vec<(Plane, Places, [clif::Value; LANES])>),
}

/// Three floats side by side for each lane: the first two as the low lanes of a vector, and the last one.
struct Triples {
    plane: Plane,
    places: Places,
    pairs: [clif::Value; LANES],
    lasts: [clif::Value; LANES],
}

/// Whether a region reads or writes a leaf of an array.
fn touches(region: &Region, array: ArrayId, leaf: u16) -> bool {
    region.ops.iter().any(|op| match op {
        Op::Load { mem: Mem::Array(a), leaf: l, .. }
        | Op::Store { mem: Mem::Array(a), leaf: l, .. }
        | Op::Atomic { mem: Mem::Array(a), leaf: l, .. } => (*a, *l) == (array, leaf),
        _ => op.shape().regions.into_iter().any(|region| touches(region, array, leaf)),
    })
}

/// Whether a region writes to an array.
pub(super) fn writes(region: &Region) -> bool {
    region.ops.iter().any(|op| match op {
        Op::Store { .. } | Op::Atomic { .. } => true,
        _ => op.shape().regions.into_iter().any(writes),
    })
}
