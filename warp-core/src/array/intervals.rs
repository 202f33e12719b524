//! Ranges of bytes with something to say of each.

use std::collections::BTreeMap;

use super::borrow::Span;

/// Disjoint ranges of bytes, each with a value.
#[derive(Clone, Debug)]
pub(crate) struct Intervals<V> {
    /// From the start of a range to its end and value.
    ranges: BTreeMap<usize, (usize, V)>,
}

impl<V> Default for Intervals<V> {
    fn default() -> Self {
        Intervals { ranges: BTreeMap::new() }
    }
}

impl<V: Copy> Intervals<V> {
    /// Gives all bytes of `span` the value.
    pub(crate) fn set(&mut self, span: Span, value: V) {
        self.clear(span);
        if span.start < span.end {
            self.ranges.insert(span.start, (span.end, value));
        }
    }

    /// Takes all bytes of `span` out.
    pub(crate) fn clear(&mut self, span: Span) {
        let met: Vec<(Span, V)> = self.over(span).collect();
        for (range, value) in met {
            self.ranges.remove(&range.start);
            if range.start < span.start {
                self.ranges.insert(range.start, (span.start, value));
            }
            if span.end < range.end {
                self.ranges.insert(span.end, (range.end, value));
            }
        }
    }

    /// The ranges that share bytes with `span`, whole and in order.
    pub(crate) fn over(&self, span: Span) -> impl Iterator<Item = (Span, V)> {
        let before = self.ranges.range(..span.start).next_back().filter(|(_, (end, _))| *end > span.start);
        let inside = (span.start < span.end).then(|| self.ranges.range(span.start..span.end));
        let before = before.filter(|_| span.start < span.end);
        before
            .into_iter()
            .chain(inside.into_iter().flatten())
            .map(|(&start, &(end, value))| (Span { start, end }, value))
    }

    /// Whether some byte of `span` has a value.
    pub(crate) fn meets(&self, span: Span) -> bool {
        self.over(span).next().is_some()
    }

    /// The parts of `span` without a value.
    pub(crate) fn gaps(&self, span: Span) -> Vec<Span> {
        let (mut gaps, mut at) = (Vec::new(), span.start);
        for (range, _) in self.over(span) {
            if at < range.start {
                gaps.push(Span { start: at, end: range.start });
            }
            at = range.end;
        }
        if at < span.end {
            gaps.push(Span { start: at, end: span.end });
        }
        gaps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 40;

    /// Random changes and questions, against a value for each byte.
    #[test]
    fn ranges_are_what_bytes_say() {
        let mut ranges = Intervals::default();
        let mut bytes = [None; SIZE];
        let mut state = 7u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        for round in 0..20_000u64 {
            let start = random(SIZE);
            let span = Span { start, end: start + random(SIZE - start + 1) };
            let set = random(3) > 0;
            let of_bytes = &mut bytes[span.start..span.end];
            match set {
                true => ranges.set(span, round),
                false => ranges.clear(span),
            }
            of_bytes.fill(set.then_some(round));
            let start = random(SIZE);
            let asked = Span { start, end: start + random(SIZE - start + 1) };
            let mut seen = [None; SIZE];
            for (range, value) in ranges.over(asked) {
                assert!(range.start < range.end && range.overlaps(asked), "{range:?} for {asked:?}");
                seen[range.start..range.end].fill(Some(value));
            }
            let inside = asked.start..asked.end;
            assert_eq!(seen[inside.clone()], bytes[inside.clone()], "round {round}: {asked:?}");
            assert_eq!(ranges.meets(asked), bytes[inside.clone()].iter().any(Option::is_some));
            let mut gap = [false; SIZE];
            ranges.gaps(asked).iter().for_each(|g| gap[g.start..g.end].fill(true));
            for at in 0..SIZE {
                assert_eq!(gap[at], inside.contains(&at) && bytes[at].is_none(), "round {round}: byte {at}");
            }
        }
    }
}
