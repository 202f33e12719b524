//! From a kernel to the forms of it that become entries: the fewer checks, the more is asked of a launch.

use std::collections::HashMap;

use super::EmitError;
use super::abi::{Condition, Width};
use super::elements::Elements;
use crate::abi::ArgWords;
use crate::ir::{Kernel, Storage};
use crate::passes;
use crate::validate::Valid;

/// A kernel after the passes, and for which launches it is right.
pub(super) struct Form {
    pub(super) suffix: &'static str,
    pub(super) kernel: Valid<Kernel>,
    pub(super) width: Width,
    pub(super) conditions: Vec<Condition>,
    /// Alignment of addresses that the conditions promise: bytes, by argument word.
    pub(super) aligned: HashMap<usize, u64>,
}

/// The forms of a kernel, the best first.
pub(super) fn forms(
    kernel: &Valid<Kernel>,
    elements: &[Elements],
    slots: Option<&[u64]>,
) -> Result<Vec<Form>, EmitError> {
    let whole = whole(kernel, slots);
    let words = ArgWords::of(&whole.function);
    let small = small(&whole, &words);
    let (best, more) = best(&whole, &words);
    let aligned = alignments(&best, elements, &words);
    let mut forms = vec![];
    if !more.is_empty() || !aligned.is_empty() || best != whole {
        let asked = aligned.iter().map(|(&word, &to)| Condition::Aligned { word, to });
        let mut conditions: Vec<Condition> = small.iter().cloned().chain(more).chain(asked).collect();
        conditions.sort_by_key(|condition| match condition {
            Condition::Aligned { word, .. } => (1, *word),
            _ => (0, 0),
        });
        forms.push(Form { suffix: "narrow", kernel: valid(best)?, width: Width::Narrow, conditions, aligned });
    }
    let suffix = if forms.is_empty() { "narrow" } else { "checked" };
    let aligned = HashMap::new;
    let kernel = valid(whole)?;
    forms.push(Form { suffix, kernel: kernel.clone(), width: Width::Narrow, conditions: small, aligned: aligned() });
    forms.push(last(kernel));
    Ok(forms)
}

/// The form alone that is right for every launch.
pub(super) fn wide(kernel: &Valid<Kernel>, _: &[Elements], slots: Option<&[u64]>) -> Result<Vec<Form>, EmitError> {
    Ok(vec![last(valid(whole(kernel, slots))?)])
}

fn last(kernel: Valid<Kernel>) -> Form {
    Form { suffix: "wide", kernel, width: Width::Wide, conditions: vec![], aligned: HashMap::new() }
}

/// The kernel after the passes that ask nothing of a launch.
fn whole(kernel: &Valid<Kernel>, slots: Option<&[u64]>) -> Kernel {
    let mut whole = kernel.clone().into_inner();
    // The passes number local arrays anew; reports speak of the kernel's own numbers.
    for (number, local) in whole.function.locals.iter_mut().enumerate() {
        local.name = number.to_string();
    }
    passes::specialize(&mut whole, slots.unwrap_or_default());
    passes::elide(&mut whole);
    whole
}

/// What an entry asks for that counts elements in 32 bits.
fn small(kernel: &Kernel, words: &ArgWords) -> Vec<Condition> {
    let arrays = kernel.function.arrays.iter().zip(&words.arrays);
    let conditions = arrays.flat_map(|(param, words)| {
        let (extents, count) = (words.extents, param.rank as usize);
        let near = words.strides.map(|strides| Condition::Near { extents, strides, count });
        [Some(Condition::Small { first: extents, count }), near]
    });
    conditions.flatten().collect()
}

/// The form with the fewest checks, and what it asks of a launch for that.
fn best(whole: &Kernel, words: &ArgWords) -> (Kernel, Vec<Condition>) {
    let extent = |(array, dim): passes::Dimension| words.arrays[array.0 as usize].extents + dim as usize;
    let mut conditions = vec![];
    let mut best = whole.clone();
    if let Some((covered, covers)) = passes::cover(&best) {
        best = covered;
        conditions.extend(
            covers.iter().map(|cover| Condition::Reaches {
                dim: cover.tid_dim as usize,
                word: extent((cover.array, cover.dim)),
            }),
        );
    }
    if let Some((even, lengths)) = passes::compare_lengths(&best) {
        best = even;
        conditions.extend(lengths.iter().map(|l| Condition::AtMost { word: extent(l.short), other: extent(l.long) }));
    }
    for array in passes::pack(&mut best) {
        if let Some(strides) = words.arrays[array.0 as usize].strides {
            let last = best.function.arrays[array.0 as usize].rank as usize - 1;
            conditions.push(Condition::SideBySide { word: strides + last });
        }
    }
    passes::stride(&mut best);
    (best, conditions)
}

/// Arrays whose elements could be moved in larger pieces than their types' alignment allows, as whole arrays are aligned
/// better: the parts of a slice start at elements, so that it is enough to ask for the start.
fn alignments(kernel: &Kernel, elements: &[Elements], words: &ArgWords) -> HashMap<usize, u64> {
    let mut aligned = HashMap::new();
    for ((param, elements), words) in kernel.function.arrays.iter().zip(elements).zip(&words.arrays) {
        let layout = elements.guessed(&param.leaves);
        let to = [16u64, 8].into_iter().find(|&to| (layout.size as u64).is_multiple_of(to)).unwrap_or(1);
        let pairs = param.leaves.iter().filter(|leaf| leaf.size() == 4 || leaf.size() == 8).count() > 1;
        if param.storage == Storage::Elements && pairs && layout.size > 0 && to > layout.align as u64 {
            aligned.insert(words.address, to);
        }
    }
    aligned
}

fn valid(kernel: Kernel) -> Result<Valid<Kernel>, EmitError> {
    Valid::<Kernel>::new(kernel).map_err(|error| EmitError(error.to_string()))
}
