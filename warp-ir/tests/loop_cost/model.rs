//! The turns that the scheme of checkpoints makes, counted without any kernel.

/// Turns for each turn, of the analysis: of the scheme, and of the best schedule that knows the number of turns.
pub const ANALYSIS: [(u64, [f64; 3], [f64; 3]); 5] = [
    (10, [1.5, 1.0, 1.0], [1.0, 0.9, 0.9]),
    (100, [2.7, 2.0, 1.9], [2.5, 1.8, 1.7]),
    (1000, [4.6, 3.1, 2.6], [4.3, 2.9, 2.4]),
    (10_000, [7.7, 4.6, 3.4], [6.9, 4.4, 3.3]),
    (1_000_000, [17.4, 8.4, 5.6], [15.0, 7.9, 5.5]),
];

/// The binomial rule: how far from a stored turn the next one is stored, with `turns` to go and `free` slots.
fn spacing(turns: u64, free: u64) -> u64 {
    let room = free + 1;
    if free == 0 {
        return turns;
    }
    if turns <= room {
        return 1;
    }
    let (mut r, mut ways) = (0, 1);
    while ways < turns {
        r += 1;
        ways = ways * (room + r) / r;
    }
    (turns * r / (room + r)).max(1)
}

/// Turns that run to reach the state of each of `turns`, with so many slots.
pub fn model(turns: u64, slots: u64) -> u64 {
    let full = (slots * 3 / 4) as usize & !1;
    let (mut stored, mut stride) = (vec![], 1u64);
    for turn in 0..turns {
        if turn % stride == 0 && stored.len() == full {
            stored = stored.into_iter().step_by(2).collect();
            stride *= 2;
        }
        if turn % stride == 0 {
            stored.push(turn);
        }
    }
    let mut run = turns;
    for left in (1..=turns).rev() {
        let turn = left - 1;
        let mut at = *stored.last().expect("turn 0 is stored");
        let next_after = |at: u64, filled: usize| at + spacing(left - at, slots - filled as u64);
        let mut next = next_after(at, stored.len());
        while at < turn {
            run += 1;
            at += 1;
            if at == next && at < turn {
                stored.push(at);
                next = next_after(at, stored.len());
            }
        }
        if stored.last() == Some(&turn) {
            stored.pop();
        }
    }
    run
}
