//! Whole numbers that solve linear equations: which threads meet.

use std::collections::BTreeSet;

/// `sum of scale * unknown = total`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Equation {
    pub(super) scales: [i64; 4],
    pub(super) total: i64,
}

/// The largest scales and totals in a system whose sums stay far from what 128 bits hold.
pub(super) const LARGEST: i64 = 1 << 47;

/// How far from zero unknowns are tried, by the number of unknowns that hang together.
const WINDOWS: [i64; 5] = [0, 0, 64, 16, 4];

/// The solutions in `unknowns` numbers, none of them below zero unless `negative` says so.
///
/// What an equation determines is solved for, however large. Of several unknowns that hang together all but one are
/// tried near zero, whichever they are, and the last one is solved for. Unknowns that no equation knows are zero or one.
pub(super) fn solutions(equations: &[Equation], unknowns: usize, negative: bool) -> BTreeSet<Vec<i64>> {
    let mut search = Search { equations, unknowns, window: None, negative, found: BTreeSet::new() };
    search.fill([None; 4]);
    search.found
}

type Known = [Option<i64>; 4];

struct Search<'e> {
    equations: &'e [Equation],
    unknowns: usize,
    /// How far from zero unknowns are tried, once it is known how many hang together.
    window: Option<i64>,
    negative: bool,
    found: BTreeSet<Vec<i64>>,
}

impl Search<'_> {
    fn fill(&mut self, mut known: Known) {
        if !self.settle(&mut known) {
            return;
        }
        let (linked, free): (Vec<usize>, Vec<usize>) = (0..self.unknowns)
            .filter(|&k| known[k].is_none())
            .partition(|&k| self.equations.iter().any(|equation| equation.scales[k] != 0));
        if linked.is_empty() {
            for choice in 0..1usize << free.len() {
                free.iter().enumerate().for_each(|(bit, &k)| known[k] = Some((choice >> bit & 1) as i64));
                self.found.insert(known.iter().flatten().copied().collect());
            }
            return;
        }
        let window = *self.window.get_or_insert(WINDOWS[linked.len()]);
        for k in linked {
            for value in if self.negative { -window } else { 0 }..=window {
                known[k] = Some(value);
                self.fill(known);
            }
            known[k] = None;
        }
    }

    /// Solves for what follows from an equation; whether there may be a solution at all.
    fn settle(&self, known: &mut Known) -> bool {
        loop {
            let mut settled = false;
            for equation in self.equations {
                let open = (0..self.unknowns).filter(|&k| known[k].is_none() && equation.scales[k] != 0);
                let common = open.clone().fold(0, |common, k| divisor(common, equation.scales[k]));
                let sum = |k: usize| i128::from(equation.scales[k]) * i128::from(known[k].unwrap_or(0));
                let rest = i128::from(equation.total) - (0..self.unknowns).map(sum).sum::<i128>();
                let fits = if common == 0 { rest == 0 } else { rest % i128::from(common) == 0 };
                if !fits {
                    return false;
                }
                let [single] = open.collect::<Vec<_>>()[..] else { continue };
                let value = rest / i128::from(equation.scales[single]);
                match i64::try_from(value).ok().filter(|v| v.abs() < LARGEST && (self.negative || *v >= 0)) {
                    Some(value) => known[single] = Some(value),
                    None => return false,
                }
                settled = true;
            }
            if !settled {
                return true;
            }
        }
    }
}

/// The greatest common divisor.
pub(super) fn divisor(a: i64, b: i64) -> i64 {
    if b == 0 { a.wrapping_abs() } else { divisor(b, a.wrapping_rem(b)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All solutions near zero of many small systems, against trying all numbers there.
    #[test]
    fn small_systems_have_all_their_solutions() {
        let scales: [&[[i64; 4]]; 7] = [
            &[[2, 0, 0, 0]],
            &[[1, 4, 0, 0]],
            &[[-3, 2, 0, 0]],
            &[[6, 4, 0, 0], [0, 1, 0, 0]],
            &[[4, 2, 1, 0]],
            &[[3, 1, 0, 0], [0, 1, 5, 0]],
            &[[1, 1, 0, 0], [1, -1, 0, 0]],
        ];
        for rows in scales {
            let unknowns = rows.iter().flat_map(|row| (0..4).filter(|&k| row[k] != 0)).max().unwrap_or(0) + 1;
            for totals in 0..81 {
                let total = |row: usize| [totals % 9, totals / 9][row.min(1)] - 4;
                let system: Vec<Equation> =
                    (0..rows.len()).map(|r| Equation { scales: rows[r], total: total(r) }).collect();
                for negative in [false, true] {
                    let low: i64 = if negative { -4 } else { 0 };
                    let side = 5 - low;
                    let all = (0..side.pow(unknowns as u32))
                        .map(|n| -> Vec<i64> { (0..unknowns as u32).map(|k| n / side.pow(k) % side + low).collect() });
                    let holds = |x: &Vec<i64>| {
                        let sum = |e: &Equation| x.iter().zip(e.scales).map(|(x, s)| x * s).sum::<i64>();
                        system.iter().all(|e| sum(e) == e.total)
                    };
                    let expected: BTreeSet<Vec<i64>> = all.filter(holds).collect();
                    let mut found = solutions(&system, unknowns, negative);
                    assert!(found.iter().all(holds), "{system:?}: {found:?}");
                    found.retain(|x| x.iter().all(|v| (low..=4).contains(v)));
                    assert_eq!(found, expected, "{system:?}");
                }
            }
        }
    }

    #[test]
    fn what_an_equation_determines_may_be_large() {
        let far = Equation { scales: [3, 0, 0, 0], total: 3_000_000_000_000 };
        assert_eq!(solutions(&[far], 1, false), BTreeSet::from([vec![1_000_000_000_000]]));
        assert_eq!(solutions(&[Equation { total: 3_000_000_000_001, ..far }], 1, false), BTreeSet::new());
        let row = Equation { scales: [1 << 20, 1, 0, 0], total: 0 };
        assert!(solutions(&[row], 2, true).contains(&vec![1, -(1 << 20)]));
        // Nobody knows the second one.
        assert_eq!(
            solutions(&[far], 2, false),
            BTreeSet::from([vec![1_000_000_000_000, 0], vec![1_000_000_000_000, 1]])
        );
    }
}
