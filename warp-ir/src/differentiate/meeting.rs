//! Launches whose threads meet: two threads, and what has to hold for both to go there, which the launch decides.

use serde::{Deserialize, Serialize};

use super::{Adjoint, Refusal};
use crate::builtins::Builtin;
use crate::ir::*;

/// Launches in which one thread provably writes what another one reads or writes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Overlap {
    /// The coordinates of the thread that writes, and those of the other one.
    pub threads: [Vec<u64>; 2],
    /// Whether all pairs of threads meet that are as far from each other: then these two are the first.
    pub alike: bool,
    /// What the conditions are computed from; each step reads steps before it.
    pub steps: Vec<Step>,
    /// What has to hold in each of the two threads: the conditions that its access stands under.
    pub conditions: [Vec<Condition>; 2],
    /// What to say of them.
    pub refusal: Refusal,
}

/// One value on the way to a condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// What it is.
    pub of: StepOf,
    /// Its type.
    pub scalar: Scalar,
}

/// What a step is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StepOf {
    /// These bits.
    Const(u64),
    /// A constant of the user's crate, by slot.
    Slot(u32),
    /// A scalar parameter of the primal, by position.
    Param(u32),
    /// The thread's coordinate.
    Tid(u8),
    /// The length of a dimension of an array of the primal.
    Extent(ArrayId, u8),
    /// A builtin of earlier steps.
    Pure(Builtin, Vec<u32>),
}

/// A step that has to be true, or false.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Condition {
    /// The step.
    pub step: u32,
    /// What it has to be.
    pub holds: bool,
}

/// What a launch was given, as far as that decides which threads meet.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// The launch's dimensions.
    pub dims: &'a [u64],
    /// Bits of the scalar parameters.
    pub scalars: &'a [u64],
    /// Bits of the user's constants, by slot.
    pub slots: &'a [u64],
    /// The length of a dimension of an array.
    pub extent: &'a dyn Fn(ArrayId, u8) -> u64,
}

impl Adjoint {
    /// Threads of this launch that touch each other's elements, so that it has no gradient.
    pub fn overlap(&self, given: &Given<'_>) -> Option<&Overlap> {
        self.overlaps.iter().find(|overlap| overlap.concerns(given))
    }
}

/// How many threads at each end of what conditions leave are tried, by the launch's dimensions.
const ENDS: [i128; 5] = [0, 4, 2, 2, 1];

/// From one coordinate to another, both of them possible.
type Range = (i128, i128);

impl Overlap {
    /// Launches have two such threads from so many in each dimension on.
    pub(super) fn least(&self) -> Vec<u64> {
        let [one, other] = &self.threads;
        one.iter().zip(other).map(|(a, b)| a.max(b).saturating_add(1)).collect()
    }

    /// Whether threads of this launch meet for certain: whatever conditions they stand under are computed as threads do,
    /// so that no launch is meant without two such threads.
    fn concerns(&self, given: &Given<'_>) -> bool {
        if self.least().iter().zip(given.dims).any(|(least, dim)| dim < least) {
            return false;
        }
        if self.conditions.iter().all(Vec::is_empty) {
            return true;
        }
        if !self.alike {
            return (0..2).all(|side| self.goes(given, side, &self.threads[side]));
        }
        let [one, other] = &self.threads;
        let shift: Vec<i128> = one.iter().zip(other).map(|(&a, &b)| i128::from(b) - i128::from(a)).collect();
        let meet = |thread: &[u64]| {
            let other: Vec<u64> = thread.iter().zip(&shift).map(|(&t, s)| (i128::from(t) + s) as u64).collect();
            self.goes(given, 0, thread) && self.goes(given, 1, &other)
        };
        candidates(&self.promising(given, &shift)).iter().any(|thread| meet(thread))
    }

    /// Whether the accesses of one side are made by a thread.
    fn goes(&self, given: &Given<'_>, side: usize, thread: &[u64]) -> bool {
        if self.conditions[side].is_empty() {
            return true;
        }
        let mut values: Vec<Option<u64>> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match &step.of {
                StepOf::Tid(dim) => thread.get(*dim as usize).copied(),
                StepOf::Pure(builtin, args) => self.pure(step, *builtin, args, |k| values[k as usize]),
                _ => given.value(&step.of),
            };
            values.push(value);
        }
        self.conditions[side].iter().all(|c| values[c.step as usize] == Some(u64::from(c.holds)))
    }

    fn pure(&self, step: &Step, builtin: Builtin, args: &[u32], value: impl Fn(u32) -> Option<u64>) -> Option<u64> {
        let bits: Vec<u64> = args.iter().map(|&k| value(k)).collect::<Option<_>>()?;
        let scalars: Vec<Scalar> = args.iter().map(|&k| self.steps[k as usize].scalar).collect();
        builtin.eval(&scalars, step.scalar, &bits)
    }

    /// Where threads of the first side are that conditions let pass, as far as comparisons of sums tell.
    fn promising(&self, given: &Given<'_>, shift: &[i128]) -> Vec<Range> {
        let [one, other] = &self.threads;
        let whole = one.iter().zip(other).zip(given.dims);
        let whole: Vec<Range> = whole
            .map(|((&a, &b), &dim)| (i128::from(a), i128::from(dim) - 1 - i128::from(b.saturating_sub(a))))
            .collect();
        let mut narrow = Narrow { overlap: self, readings: self.readings(given), ranges: whole.clone() };
        let stay = vec![0; shift.len()];
        for (conditions, shift) in self.conditions.iter().zip([&stay[..], shift]) {
            conditions.iter().for_each(|c| narrow.by(c.step, c.holds, shift));
        }
        // Sums that wrapped may have told otherwise than they are.
        if narrow.ranges.iter().all(|(low, high)| low <= high) { narrow.ranges } else { whole }
    }

    fn readings(&self, given: &Given<'_>) -> Vec<Reading> {
        let mut readings: Vec<Reading> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let reading = match &step.of {
                StepOf::Tid(dim) => Reading::Sum(Sum::of_thread(*dim)),
                StepOf::Pure(builtin, args) => {
                    let fixed = |k: u32| match readings[k as usize] {
                        Reading::Fixed(bits) => Some(bits),
                        _ => None,
                    };
                    match self.pure(step, *builtin, args, fixed) {
                        Some(bits) => Reading::Fixed(bits),
                        None => self.sum(*builtin, args, &readings).map_or(Reading::Open, Reading::Sum),
                    }
                }
                of => given.value(of).map_or(Reading::Open, Reading::Fixed),
            };
            readings.push(reading);
        }
        readings
    }

    fn sum(&self, builtin: Builtin, args: &[u32], readings: &[Reading]) -> Option<Sum> {
        let part = |k: usize| args.get(k).and_then(|&at| self.sum_at(at, readings));
        match builtin {
            Builtin::Add => part(0)?.plus(&part(1)?, 1),
            Builtin::Sub => part(0)?.plus(&part(1)?, -1),
            Builtin::Mul => {
                let (a, b) = (part(0)?, part(1)?);
                match (a.known(), b.known()) {
                    (_, Some(factor)) => a.times(factor),
                    (Some(factor), _) => b.times(factor),
                    _ => None,
                }
            }
            Builtin::Shl => part(0)?.times(1 << (part(1)?.known()? & 63)),
            Builtin::Cast => part(0),
            _ => None,
        }
    }

    /// A step as a sum, where it is one.
    fn sum_at(&self, at: u32, readings: &[Reading]) -> Option<Sum> {
        let scalar = self.steps[at as usize].scalar;
        match readings[at as usize] {
            Reading::Fixed(bits) if scalar.is_int() => {
                let unused = 64 - scalar.bits();
                // Words wrap, so that their upper half stands for what is below zero.
                let signed = scalar.is_signed() || scalar == Scalar::U64;
                let value = if signed { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits) };
                Sum::default().plus(&Sum { constant: value, ..Sum::default() }, 1)
            }
            Reading::Sum(sum) => Some(sum),
            _ => None,
        }
    }

    /// Says what does not fit the primal.
    pub(super) fn fits(&self, primal: &Kernel) -> Result<(), String> {
        let (function, rank) = (&primal.function, primal.rank as usize);
        let missing = || Err("a condition of its threads has no meaning".into());
        if self.threads.iter().any(|thread| thread.len() != rank) || self.threads[0] == self.threads[1] {
            return Err("threads that meet are not in its launch".into());
        }
        for (k, step) in self.steps.iter().enumerate() {
            let word = step.scalar == Scalar::U64;
            let sound = match &step.of {
                StepOf::Const(bits) => bits & !step.scalar.mask() == 0,
                StepOf::Slot(slot) => *slot < function.slots,
                StepOf::Param(at) => {
                    function.params.get(*at as usize).is_some_and(|p| function.scalar(p.value) == step.scalar)
                }
                StepOf::Tid(dim) => word && *dim < primal.rank,
                StepOf::Extent(array, dim) => {
                    word && function.arrays.get(array.0 as usize).is_some_and(|a| *dim < a.rank)
                }
                StepOf::Pure(builtin, args) => {
                    let scalars: Option<Vec<Scalar>> =
                        args.iter().map(|&at| self.steps[..k].get(at as usize).map(|s| s.scalar)).collect();
                    scalars.is_some_and(|scalars| builtin.row().check(&scalars, step.scalar).is_ok())
                }
            };
            if !sound {
                return missing();
            }
        }
        let is_bool = |c: &Condition| self.steps.get(c.step as usize).is_some_and(|s| s.scalar == Scalar::Bool);
        if self.conditions.iter().flatten().all(is_bool) { Ok(()) } else { missing() }
    }
}

impl Given<'_> {
    /// The bits of what is the same in all threads.
    fn value(&self, of: &StepOf) -> Option<u64> {
        match of {
            StepOf::Const(bits) => Some(*bits),
            StepOf::Slot(slot) => self.slots.get(*slot as usize).copied(),
            StepOf::Param(at) => self.scalars.get(*at as usize).copied(),
            StepOf::Extent(array, dim) => Some((self.extent)(*array, *dim)),
            StepOf::Tid(_) | StepOf::Pure(..) => None,
        }
    }
}

/// A few threads at the ends of each range.
fn candidates(ranges: &[Range]) -> Vec<Vec<u64>> {
    let ends = ENDS[ranges.len().min(4)];
    ranges.iter().fold(vec![vec![]], |threads, &(low, high)| {
        let up = (low..=high).take(ends as usize);
        let down = (low.saturating_add(ends).max(high - ends + 1)..=high).rev();
        let ends: Vec<u64> = up.chain(down).map(|t| t as u64).collect();
        threads.iter().flat_map(|thread: &Vec<u64>| ends.iter().map(move |&t| [&thread[..], &[t]].concat())).collect()
    })
}

/// What is known of a step in all threads.
#[derive(Clone, Copy)]
enum Reading {
    /// It is the same in all of them.
    Fixed(u64),
    /// It is this, unless it wraps.
    Sum(Sum),
    Open,
}

/// `sum of scale * coordinate + constant`.
#[derive(Clone, Copy, Default)]
struct Sum {
    scales: [i128; 4],
    constant: i128,
}

/// Bounds of sums, so that what is made of them fits.
const SUM: i128 = 1 << 60;

impl Sum {
    fn of_thread(dim: u8) -> Sum {
        let mut sum = Sum::default();
        sum.scales[dim as usize & 3] = 1;
        sum
    }

    fn plus(mut self, other: &Sum, factor: i128) -> Option<Sum> {
        self.scales.iter_mut().zip(other.scales).for_each(|(a, b)| *a += factor * b);
        self.constant += factor * other.constant;
        self.bounded()
    }

    fn times(self, factor: i128) -> Option<Sum> {
        if factor.abs() >= SUM {
            return None;
        }
        Sum { scales: self.scales.map(|s| s * factor), constant: self.constant * factor }.bounded()
    }

    fn known(&self) -> Option<i128> {
        (self.scales == [0; 4]).then_some(self.constant)
    }

    fn bounded(self) -> Option<Sum> {
        (self.scales.iter().chain([&self.constant]).all(|s| s.abs() < SUM)).then_some(self)
    }
}

/// Ranges that conditions narrow.
struct Narrow<'a> {
    overlap: &'a Overlap,
    readings: Vec<Reading>,
    ranges: Vec<Range>,
}

impl Narrow<'_> {
    /// By a condition in the thread that is so far away.
    fn by(&mut self, step: u32, holds: bool, shift: &[i128]) {
        let StepOf::Pure(builtin, args) = &self.overlap.steps[step as usize].of else { return };
        let [a, b] = match (builtin, &args[..], holds) {
            (Builtin::Not, &[a], _) => return self.by(a, !holds, shift),
            (Builtin::And, &[a, b], true) | (Builtin::Or, &[a, b], false) => {
                self.by(a, holds, shift);
                return self.by(b, holds, shift);
            }
            (_, &[a, b], _) => [a, b].map(|at| self.overlap.sum_at(at, &self.readings)),
            _ => return,
        };
        let (Some(a), Some(b)) = (a, b) else { return };
        match (builtin, holds) {
            (Builtin::Lt, true) => self.below(&a, &b, 1, shift),
            (Builtin::Lt, false) => self.below(&b, &a, 0, shift),
            (Builtin::Le, true) => self.below(&a, &b, 0, shift),
            (Builtin::Le, false) => self.below(&b, &a, 1, shift),
            (Builtin::Eq, true) | (Builtin::Ne, false) => {
                self.below(&a, &b, 0, shift);
                self.below(&b, &a, 0, shift);
            }
            _ => {}
        }
    }

    /// By `a + by <= b`, where it is about one coordinate alone.
    fn below(&mut self, a: &Sum, b: &Sum, by: i128, shift: &[i128]) {
        let Some(gap) = b.plus(a, -1) else { return };
        let [dim] = (0..self.ranges.len()).filter(|&k| gap.scales[k] != 0).collect::<Vec<_>>()[..] else { return };
        let scale = gap.scales[dim];
        let (low, high) = &mut self.ranges[dim];
        // The gap has to be at least `by`.
        let rest = gap.constant - by + scale * shift[dim];
        match scale > 0 {
            true => *low = (*low).max(-rest.div_euclid(scale)),
            false => *high = (*high).min(rest.div_euclid(-scale)),
        }
    }
}
