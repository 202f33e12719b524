//! Values of one buffer that are in place, found by the bytes that they share with others.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use super::value::Value;
use crate::array::borrow::Span;

/// Values by where they lie, one for each span. Those of about the same length lie together: where many of one length
/// lie side by side, few of them have to be looked at, whatever others there are.
#[derive(Default, Debug)]
pub(super) struct Open {
    /// By the logarithm of their lengths, then by where they start and end.
    lengths: BTreeMap<u32, BTreeMap<(usize, usize), Weak<Value>>>,
    /// How many there may be before those that nobody needs any more are looked for.
    room: usize,
}

impl Open {
    /// The value of a span.
    pub(super) fn find(&self, span: Span) -> Option<Arc<Value>> {
        self.lengths.get(&length(span))?.get(&(span.start, span.end))?.upgrade()
    }

    /// Takes up a value, in the place of another of its span, which is none any more.
    pub(super) fn put(&mut self, value: &Arc<Value>) {
        let span = value.span;
        self.lengths.entry(length(span)).or_default().insert((span.start, span.end), Arc::downgrade(value));
        if self.len() > self.room {
            self.lengths.values_mut().for_each(|all| all.retain(|_, value| value.strong_count() > 0));
            self.room = 2 * self.len() + 16;
        }
    }

    /// Takes out the values that share bytes with a span.
    pub(super) fn take(&mut self, span: Span) -> Vec<Arc<Value>> {
        let met: Vec<Span> = self.near(span).filter(|near| near.overlaps(span)).collect();
        let take = |met: Span| self.lengths.get_mut(&length(met))?.remove(&(met.start, met.end))?.upgrade();
        met.into_iter().filter_map(take).collect()
    }

    /// The spans of all values that may share bytes with a span.
    fn near(&self, span: Span) -> impl Iterator<Item = Span> {
        self.lengths.iter().flat_map(move |(&length, all)| {
            let longest = 2usize.saturating_pow(length + 1);
            let starts = (span.start.saturating_sub(longest), 0)..(span.end, 0);
            let starts = (starts.start < starts.end).then_some(starts);
            starts.into_iter().flat_map(|starts| all.range(starts)).map(|(&(start, end), _)| Span { start, end })
        })
    }

    fn len(&self) -> usize {
        self.lengths.values().map(BTreeMap::len).sum()
    }
}

fn length(span: Span) -> u32 {
    (span.end - span.start).checked_ilog2().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::buffer::Buffer;
    use crate::tape::blank::blank;

    /// Random values, taken and found, against a list that is looked through.
    #[test]
    fn values_are_found_as_in_a_list() {
        const SIZE: usize = 64;
        let home = Buffer::zeroed(&blank(), SIZE).unwrap();
        let (mut open, mut list): (Open, Vec<Arc<Value>>) = Default::default();
        let mut state = 11u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let (mut taken, mut gone) = (0, 0);
        for _ in 0..20_000 {
            let start = random(SIZE);
            let span = Span { start, end: start + random(SIZE - start + 1) / (1 + random(8)) };
            match random(5) {
                0 => {
                    let (mut met, left) = list.into_iter().partition::<Vec<_>, _>(|value| value.span.overlaps(span));
                    list = left;
                    let mut found = open.take(span);
                    taken += found.len();
                    met.sort_by_key(|value| (value.span.start, value.span.end));
                    found.sort_by_key(|value| (value.span.start, value.span.end));
                    assert!(met.iter().map(Arc::as_ptr).eq(found.iter().map(Arc::as_ptr)), "{span:?}");
                }
                1 if !list.is_empty() => {
                    gone += 1;
                    list.swap_remove(random(list.len()));
                }
                _ => {
                    let known = list.iter().find(|value| value.span == span).map(Arc::as_ptr);
                    assert_eq!(open.find(span).as_ref().map(Arc::as_ptr), known);
                    list.retain(|value| value.span != span);
                    let value = Arc::new(Value::now(&home, span));
                    open.put(&value);
                    list.push(value);
                }
            }
        }
        assert!(taken > 1000 && gone > 1000, "{taken} taken, {gone} gone");
    }

    #[test]
    fn of_many_parts_few_are_looked_at() {
        const PARTS: usize = 20_000;
        let home = Buffer::zeroed(&blank(), 4 * PARTS).unwrap();
        let part = |k: usize| Span { start: 4 * k, end: 4 * k + 4 };
        let all: Vec<Arc<Value>> =
            [home.span()].into_iter().chain((0..PARTS).map(part)).map(|s| Arc::new(Value::now(&home, s))).collect();
        let mut open = Open::default();
        all.iter().for_each(|value| open.put(value));
        let looked_at: usize = (0..PARTS).map(|k| open.near(part(k)).count()).sum();
        assert!((2 * PARTS..=8 * PARTS).contains(&looked_at), "{looked_at}");
        // What nobody needs any more does not stay.
        let mut open = Open::default();
        (0..PARTS).for_each(|k| open.put(&Arc::new(Value::now(&home, part(k)))));
        assert!(open.len() < 100, "{}", open.len());
    }
}
