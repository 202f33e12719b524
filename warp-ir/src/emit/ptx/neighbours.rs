//! Neighbours in an element, which are moved together: where they lie side by side and are aligned, by what is known of their
//! layout, or for the case that it turns out so.

use std::collections::{HashMap, HashSet};

use super::elements::{Elements, Guess};
use super::emitter::{Emitter, Val};
use super::memory::{Place, alone, memory_type};
use super::text::Class;
use crate::ir::{Access, ArrayId, Mem, Op, Scalar, Storage, Value};

/// How far ahead neighbours are looked for.
const WINDOW: usize = 64;

/// Accesses of a region that are made together.
#[derive(Default)]
pub(super) struct Groups {
    /// The op at which a group is loaded or stored, and its ops by offset.
    pub(super) at: HashMap<usize, Vec<usize>>,
    /// Ops that are part of a group of another op.
    pub(super) part: HashSet<usize>,
}

impl Emitter<'_, '_> {
    /// The accesses of a region that are made together: leaves of one element that lie side by side, where vectors of
    /// them are aligned.
    pub(super) fn groups(&self, ops: &[Op]) -> Groups {
        let mut groups = Groups::default();
        for at in 0..ops.len() {
            if groups.part.contains(&at) || groups.at.contains_key(&at) {
                continue;
            }
            let Some(members) = self.group(ops, at) else { continue };
            let stores = matches!(ops[at], Op::Store { .. });
            let free = |k: &usize| !groups.part.contains(k) && !groups.at.contains_key(k);
            if !members.iter().all(free) {
                continue;
            }
            let leader = if stores { members.iter().copied().max().unwrap_or(at) } else { at };
            groups.part.extend(members.iter().copied().filter(|&k| k != leader));
            groups.at.insert(leader, members);
        }
        groups
    }

    /// The ops of the largest vector that an access is a part of, by offset.
    fn group(&self, ops: &[Op], at: usize) -> Option<Vec<usize>> {
        let (array, index, leaf) = access(&ops[at])?;
        let param = &self.function().arrays[array.0 as usize];
        let scalar = param.leaves[leaf as usize];
        if param.storage != Storage::Elements || scalar.size() < 4 || scalar.size() > 8 {
            return None;
        }
        let layout = self.elements[array.0 as usize].guessed(&param.leaves);
        let lanes = self.neighbours(ops, at, (array, &layout.offsets), index, scalar);
        let word = self.words.arrays[array.0 as usize].address;
        let aligned = (layout.align as u64).max(self.aligned.get(&word).copied().unwrap_or(1));
        for count in [4usize, 2] {
            let bytes = count * scalar.size();
            if bytes > 16 || !layout.size.is_multiple_of(bytes) || !aligned.is_multiple_of(bytes as u64) {
                continue;
            }
            let start = layout.offsets[leaf as usize] / bytes * bytes;
            let members: Option<Vec<usize>> =
                (0..count).map(|k| lanes.get(&(start + k * scalar.size())).copied()).collect();
            if members.is_some() {
                return members;
            }
        }
        None
    }

    /// Later accesses to the same element, and this one, by offset, that may be made together with it.
    fn neighbours(
        &self,
        ops: &[Op],
        at: usize,
        (array, offsets): (ArrayId, &[usize]),
        index: Value,
        scalar: Scalar,
    ) -> HashMap<usize, usize> {
        let param = &self.function().arrays[array.0 as usize];
        let loads = matches!(ops[at], Op::Load { .. });
        let mut lanes = HashMap::new();
        for (k, op) in ops.iter().enumerate().skip(at).take(WINDOW) {
            let same = access(op).filter(|found| (found.0, found.1) == (array, index));
            match (op, same) {
                (Op::Load { result, .. }, Some((.., leaf))) if loads => {
                    let free = k == at || !self.targets.contains_key(result);
                    if free && param.leaves[leaf as usize] == scalar {
                        lanes.entry(offsets[leaf as usize]).or_insert(k);
                    }
                }
                (Op::Store { .. }, Some((.., leaf)))
                    if !loads
                        && param.leaves[leaf as usize] == scalar
                        && !lanes.contains_key(&offsets[leaf as usize]) =>
                {
                    lanes.insert(offsets[leaf as usize], k);
                }
                _ if loads && !passes_load(op, array, param.access) => break,
                _ if !loads && !op.is_pure() => break,
                _ => {}
            }
        }
        lanes
    }

    /// A group at its leader.
    pub(super) fn vector(&mut self, ops: &[Op], members: &[usize]) {
        let Some((array, ..)) = access(&ops[members[0]]) else { return };
        let name = self.memory_name(Mem::Array(array));
        let (mut places, mut texts) = (vec![], vec![]);
        for &k in members {
            let Some((_, index, leaf)) = access(&ops[k]) else { return };
            let place = self.array_place(array, index, leaf);
            texts.push(match &ops[k] {
                Op::Load { result, .. } => {
                    let reg = self.register(*result, Class::of(place.scalar), &name);
                    self.set(*result, Val::Reg(reg.clone()));
                    reg.to_string()
                }
                Op::Store { value, .. } => {
                    let operand = self.operand(*value);
                    self.text(&operand)
                }
                _ => return,
            });
            places.push(place);
        }
        let loads = matches!(ops[members[0]], Op::Load { .. });
        let together = together(loads, &places[0], &texts);
        let &Elements::Later(elements) = &self.elements[array.0 as usize] else { return self.ins(together) };
        // What is known later decides which lines are there.
        let layout = self.elements[array.0 as usize].guessed(&self.function().arrays[array.0 as usize].leaves);
        let [holds, fails] = self.shared.guess(Guess { elements, layout: layout.into_owned() });
        self.ins_behind(&holds, together);
        for (place, text) in places.iter().zip(&texts) {
            self.ins_behind(&fails, alone(loads, place, text));
        }
    }
}

/// The instruction that moves neighbours; the first place is that of all.
fn together(loads: bool, place: &Place, registers: &[String]) -> String {
    let (count, ty, lanes) = (registers.len(), memory_type(place.scalar), registers.join(", "));
    match loads {
        true => format!("ld.global{}.v{count}.{ty} {{{lanes}}}, [{}];", place.cache(), place.address),
        false => format!("st.global.v{count}.{ty} [{}], {{{lanes}}};", place.address),
    }
}

/// The array, index and leaf of a load or store of an array parameter.
fn access(op: &Op) -> Option<(ArrayId, Value, u16)> {
    match op {
        Op::Load { mem: Mem::Array(array), index, leaf, .. }
        | Op::Store { mem: Mem::Array(array), index, leaf, .. } => Some((*array, *index, *leaf)),
        _ => None,
    }
}

/// Whether a load of an array may be made before an op. That it is in range has been seen to already.
fn passes_load(op: &Op, array: ArrayId, access: Access) -> bool {
    match op {
        Op::Store { mem, .. } => access == Access::Read || *mem != Mem::Array(array),
        Op::Load { .. } | Op::Fill { .. } | Op::Check { .. } | Op::Print { .. } => true,
        _ => op.is_pure(),
    }
}
