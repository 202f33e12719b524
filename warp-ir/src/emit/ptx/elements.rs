//! How elements of arrays lie in memory: known when the text is made, or a number that is put into it later.

use std::borrow::Cow;

use crate::abi::ElementLayout;
use crate::ir::Scalar;

/// Distances that stand in an address are smaller than this.
const FARTHEST: i64 = 1 << 30;
/// As many elements may lie between an address and the one it is counted from, where nobody knows yet how large they are.
const FARTHEST_STEPS: u64 = 1 << 10;

/// How the elements of an array parameter lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Elements {
    /// It is known.
    Known(ElementLayout),
    /// It will be: the text has [`Measure`]s of a layout with this number. Arrays with one type of elements share one.
    Later(u32),
}

/// A number of bytes that is put into the text once layouts are known: `steps` elements and the offset of a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// The layout, by the number in [`Elements::Later`].
    pub elements: u32,
    /// The leaf whose offset is added, if any.
    pub leaf: Option<u16>,
    /// The elements. A negative number means a distance back, whose size is written without its sign.
    pub steps: i64,
}

/// How elements could lie that come later. Where they do, the text moves neighbours in them together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guess {
    /// The layout, by the number in [`Elements::Later`].
    pub elements: u32,
    /// What it is compared with.
    pub layout: ElementLayout,
}

impl Guess {
    /// Whether elements lie so. They may be aligned better.
    pub fn holds(&self, found: &ElementLayout) -> bool {
        let ElementLayout { size, align, offsets } = &self.layout;
        (size, offsets) == (&found.size, &found.offsets) && *align <= found.align
    }
}

impl Measure {
    /// The number to be written, for an element that takes `size` bytes with the leaf at `offset`. Texts hold none of 2^30
    /// or more.
    pub const fn bytes(&self, size: usize, offset: usize) -> Option<u64> {
        if size as u64 >= FARTHEST as u64 || offset > size {
            return None;
        }
        let bytes = (self.steps * size as i64 + offset as i64).unsigned_abs();
        if bytes < FARTHEST as u64 { Some(bytes) } else { None }
    }
}

/// The size of an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Size {
    Bytes(usize),
    /// That of a layout which comes later.
    Later(u32),
}

/// How far something lies from an address.
#[derive(Clone, Copy, Debug)]
pub(super) enum Distance {
    Bytes(i64),
    Later(Measure),
}

impl Elements {
    pub(super) fn known(&self) -> Option<&ElementLayout> {
        match self {
            Elements::Known(layout) => Some(layout),
            Elements::Later(_) => None,
        }
    }

    /// How they lie, or else would if nothing but their scalars' own alignment kept these apart.
    pub(super) fn guessed(&self, leaves: &[Scalar]) -> Cow<'_, ElementLayout> {
        match self {
            Elements::Known(layout) => Cow::Borrowed(layout),
            Elements::Later(_) => Cow::Owned(side_by_side(leaves)),
        }
    }

    pub(super) fn size(&self) -> Size {
        match self {
            Elements::Known(layout) => Size::Bytes(layout.size),
            Elements::Later(elements) => Size::Later(*elements),
        }
    }

    /// Where a leaf lies in its element.
    pub(super) fn offset(&self, leaf: u16) -> Distance {
        match self {
            Elements::Known(layout) => Distance::Bytes(layout.offsets[leaf as usize] as i64),
            &Elements::Later(elements) => Distance::Later(Measure { elements, leaf: Some(leaf), steps: 0 }),
        }
    }
}

impl Distance {
    /// So many elements further; `None` where that is too far to stand in an address.
    pub(super) fn further(self, steps: i64, size: Size) -> Option<Distance> {
        match (self, size) {
            (Distance::Bytes(bytes), Size::Bytes(size)) => {
                let there = steps.checked_mul(size as i64)?.checked_add(bytes)?;
                (there.abs() < FARTHEST).then_some(Distance::Bytes(there))
            }
            (Distance::Later(measure), _) => {
                let steps = measure.steps.checked_add(steps)?;
                (steps.unsigned_abs() <= FARTHEST_STEPS).then_some(Distance::Later(Measure { steps, ..measure }))
            }
            (Distance::Bytes(_), Size::Later(_)) => None,
        }
    }
}

fn side_by_side(leaves: &[Scalar]) -> ElementLayout {
    let align = leaves.iter().map(|leaf| leaf.size()).max().unwrap_or(1);
    let mut size = 0usize;
    let place = |leaf: &Scalar| {
        let at = size.next_multiple_of(leaf.size());
        size = at + leaf.size();
        at
    };
    let offsets = leaves.iter().map(place).collect();
    ElementLayout { size: size.next_multiple_of(align), align, offsets }
}
