//! What a comparison of gradients found.

use std::fmt;

use super::program::Difference;
use crate::fault::Fault;
use crate::tape::ordinal;

/// What a comparison of gradients with differences found. Prints what it is about.
#[derive(Clone, PartialEq, Debug)]
pub struct GradReport {
    /// Numbers whose gradients were compared.
    pub compared: usize,
    /// Numbers at which the results have a kink, so that there was nothing to compare with.
    pub kinks: usize,
    /// Numbers at which the results are so large that their rounding hides how they change.
    pub unresolved: usize,
    /// The largest error.
    pub worst: Option<GradEntry>,
    /// Of an array, or a field of its elements, most gradients of which are off by more than half of themselves, the one
    /// that is farthest off: each is small beside the largest, and together they cannot be rounding.
    pub worst_small: Option<GradEntry>,
    /// What was allowed of gradients.
    pub tolerance: f64,
    /// A result that is NaN or infinite in the run that gradients are compared with.
    pub not_finite: Option<ResultEntry>,
    /// How far the results of the run in double precision are off those of the launches, relative to the largest of
    /// their array; arrays that nobody has any more are left out.
    pub primal: f64,
    /// The result that is farthest off; none where all are the same.
    pub worst_result: Option<ResultEntry>,
    /// How far the results of the kernels' plain functions are off those of the launches, likewise.
    pub plain: f64,
    /// The result of a plain function that is farthest off; none where all are the same.
    pub worst_plain: Option<ResultEntry>,
    /// Why results were not compared with those of plain functions, where they were not.
    pub without_plain: Option<Unlike>,
    /// What was allowed of results.
    pub primal_tolerance: f64,
    /// Kernels with `detach(..)` in them: what they count as constant is in differences, and not in gradients.
    pub detaching: Vec<String>,
    /// Kernels marked `no_adjoint` that wrote results, which do not count then: no gradient comes from them.
    pub without_adjoint: Vec<String>,
    /// Why differences were not taken in double precision, where they were not.
    pub single: Option<String>,
}

/// The gradient by one number.
#[derive(Clone, PartialEq, Debug)]
pub struct GradEntry {
    /// What the number is a part of.
    pub of: Compared,
    /// The first kernel that takes the array, or the kernel of the scalar argument; `copy_from` where copies alone meet
    /// the array.
    pub kernel: String,
    /// The name that the array or the argument has there; `from` or `to` of a copy.
    pub array: String,
    /// The element, in memory's order; of a scalar argument, the launch among those of its kernel.
    pub index: usize,
    /// The number's place in the element: 2 for the z of a vector.
    pub leaf: usize,
    /// The tape's gradient.
    pub gradient: f64,
    /// The difference quotient.
    pub difference: f64,
    /// How far they are apart, relative to the largest difference quotient of the array, or of all launches.
    pub error: f64,
}

/// What a gradient is by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Compared {
    /// An array that launches take.
    Array,
    /// An array that copies alone meet.
    Copied,
    /// A scalar argument of a kernel.
    Scalar,
}

/// A number that launches wrote, and what they write when they run again.
#[derive(Clone, PartialEq, Debug)]
pub struct ResultEntry {
    /// The first kernel that takes the array, or `copy_from`.
    pub kernel: String,
    /// The array's name there.
    pub array: String,
    /// The element, in memory's order.
    pub index: usize,
    /// The number's place in the element.
    pub leaf: usize,
    /// What the launches wrote.
    pub launched: f64,
    /// What they write when they run again: in double precision, unless the report says otherwise; or what the plain
    /// functions write.
    pub again: f64,
    /// How far they are apart, relative to the largest number of the array.
    pub error: f64,
}

/// Why results cannot be compared with those of plain functions.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unlike {
    /// The threads of a kernel see what others left, so that another order gives other results.
    #[error("what kernel `{kernel}` gives depends on the order of its threads, by atomics")]
    Order {
        /// The kernel.
        kernel: String,
    },
    /// A launch that no function stands behind.
    #[error("kernel `{kernel}` has no plain function: it was made from other code")]
    NoFunction {
        /// The kernel.
        kernel: String,
    },
    /// An integer overflows. In kernels it wraps; in a build with overflow checks Rust panics.
    #[error("{fault}. In kernels integers wrap: say `wrapping_mul` and the like, and both do")]
    Overflow {
        /// Where, and in which thread.
        fault: Box<Fault>,
    },
    /// A plain function faults where its launch did not. Such a check does not pass.
    #[error("one faults where its launch did not: {fault}")]
    Fault {
        /// What happened, and in which thread.
        fault: Box<Fault>,
    },
    /// Where a panic ends the program, plain functions are not run.
    #[error("in a program that aborts on panics they are not run, as one that faults would end it")]
    Abort,
}

/// What an entry of a report is called: what it is of, kernel, array, element, number in it.
pub(super) type Called = (Compared, String, String, usize, usize);

/// Rounding hides a slope if it is so many times what is allowed: else a gradient that is off by as much would pass.
const HIDDEN: f64 = 10.0;

impl GradReport {
    /// Whether something was compared and nothing hidden by rounding, all gradients are right, and results are those of
    /// double precision and those of the plain functions, as far as these could be compared.
    pub fn passes(&self) -> bool {
        self.right_gradients() && self.right_results()
    }

    fn right_gradients(&self) -> bool {
        let right = self.worst.as_ref().is_some_and(|worst| worst.error <= self.tolerance);
        right && self.unresolved == 0 && self.worst_small.is_none()
    }

    /// Where results are no finite numbers, differences are none, and do not show that a gradient is wrong.
    fn wrong_gradients(&self) -> bool {
        let wrong = self.worst.as_ref().is_some_and(|worst| worst.error > self.tolerance);
        self.worst_small.is_some() || wrong && self.not_finite.is_none()
    }

    fn right_results(&self) -> bool {
        let faulty = matches!(self.without_plain, Some(Unlike::Fault { .. }));
        !faulty && self.primal.max(self.plain) <= self.tolerance.max(self.primal_tolerance)
    }

    /// Compares gradients by numbers that are of one kind: of a field of an array, or an argument. `called` says what they
    /// are called; gradients of such floats are exact to `rounding`.
    pub(super) fn compare(
        &mut self,
        numbers: &[(f64, Difference)],
        rounding: f64,
        called: impl Fn(usize) -> Option<Called>,
    ) {
        let slopes = numbers.iter().filter_map(|(_, difference)| match difference {
            Difference::Slope(slope, _) => Some(slope.abs()),
            Difference::Kink => None,
        });
        let largest = slopes.fold(0.0, f64::max);
        let said = numbers.iter().map(|(g, _)| g.abs()).filter(|g| g.is_finite()).fold(largest, f64::max);
        let entry = |k: usize, (gradient, difference): (f64, f64), error: f64| {
            let (of, kernel, array, index, leaf) = called(k)?;
            Some(GradEntry { of, kernel, array, index, leaf, gradient, difference, error })
        };
        let (mut compared, mut small, mut worst_small) = (0, 0, None::<(usize, f64, f64, f64)>);
        for (k, &(gradient, difference)) in numbers.iter().enumerate() {
            // A gradient that is no number is wrong whatever differences say.
            let (slope, noise) = match difference {
                Difference::Slope(slope, noise) => (slope, noise),
                Difference::Kink if gradient.is_finite() => {
                    self.kinks += 1;
                    continue;
                }
                Difference::Kink => (f64::NAN, 0.0),
            };
            if noise > (HIDDEN * self.tolerance).min(0.5) * said && gradient.is_finite() {
                self.unresolved += 1;
                continue;
            }
            compared += 1;
            let off = ((gradient - slope).abs() - noise).max(0.0);
            // NaN stays what it is, and is worst.
            let off = if gradient.is_finite() { off } else { f64::INFINITY };
            let error = if off == 0.0 { 0.0 } else { off / largest.max(noise).max(f64::MIN_POSITIVE) };
            if self.worst.as_ref().is_none_or(|worst| error > worst.error)
                && let Some(entry) = entry(k, (gradient, slope), error)
            {
                self.worst = Some(entry);
            }
            let of_itself = off / gradient.abs().max(slope.abs()).max(f64::MIN_POSITIVE);
            if of_itself > 0.5 && off > rounding * largest {
                small += 1;
                if worst_small.is_none_or(|(.., most)| error > most) {
                    worst_small = Some((k, gradient, slope, error));
                }
            }
        }
        self.compared += compared;
        // One that is small beside the largest may be all rounding. Most of them are not.
        if 2 * small > compared
            && let Some((k, gradient, slope, error)) = worst_small
        {
            self.worst_small = self.worst_small.take().or_else(|| entry(k, (gradient, slope), error));
        }
    }
}

impl fmt::Display for GradReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gradients = match (self.right_gradients(), self.wrong_gradients()) {
            (true, _) => "right",
            (_, true) => "WRONG",
            _ => "not shown to be right",
        };
        let results = if self.right_results() { "" } else { ", and results are WRONG" };
        let verdict = format!("gradients are {gradients}{results}");
        write!(f, "{verdict}: {} compared, {} at kinks", self.compared, self.kinks)?;
        if self.unresolved > 0 {
            write!(
                f,
                ", {} hidden by the rounding of large results (check in `f64`, or nearer to zero)",
                self.unresolved
            )?;
        }
        match &self.worst {
            None => write!(f, "; nothing that launches met had a gradient to compare")?,
            Some(worst) => write!(
                f,
                "; the worst is by {worst}: the gradient is {:e}, differences say {:e}, off by {:.1e} of the largest, allowed are {:.0e}",
                worst.gradient, worst.difference, worst.error, self.tolerance
            )?,
        }
        if let Some(small) = &self.worst_small {
            write!(
                f,
                "; most gradients of an array are off by more than half of themselves, and this is too much for rounding, \
                 although they are small beside its largest: the one by {small} is {:e}, differences say {:e}",
                small.gradient, small.difference
            )?;
        }
        if let Some(found) = &self.not_finite {
            write!(f, "; {found}, which is no finite number, and nothing is known of what leads there")?;
        }
        let allowed = self.tolerance.max(self.primal_tolerance);
        match &self.worst_result {
            None => write!(f, "; results are the same again")?,
            Some(worst) => write!(
                f,
                "; results differ most at {worst}, run again they are {:e}, off by {:.1e} of the largest, allowed are {allowed:.0e}",
                worst.again, worst.error
            )?,
        }
        match (&self.worst_plain, &self.without_plain) {
            (_, Some(why)) => write!(f, "; results were not compared with those of the plain functions: {why}")?,
            (None, None) => write!(f, "; those of the plain functions are the same")?,
            (Some(worst), None) => write!(
                f,
                "; those of the plain functions differ most at {worst}, they write {:e}, off by {:.1e}",
                worst.again, worst.error
            )?,
        }
        for kernel in &self.detaching {
            write!(
                f,
                "; kernel `{kernel}` has `detach(..)` in it, which gradients leave out and differences do not: compare it without"
            )?;
        }
        for kernel in &self.without_adjoint {
            write!(f, "; results of kernel `{kernel}`, which is marked `no_adjoint`, do not count")?;
        }
        match &self.single {
            Some(why) => write!(f, "; differences are not of double precision: {why}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for GradEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GradEntry { of, kernel, array, index, leaf, .. } = self;
        match of {
            Compared::Array => write!(f, "`{array}[{index}]`{} (kernel `{kernel}`)", number_in(*leaf)),
            Compared::Copied => write!(f, "`{array}[{index}]`{} (a `{kernel}` alone meets it)", number_in(*leaf)),
            Compared::Scalar => {
                write!(f, "the argument `{array}` of the {} launch of kernel `{kernel}`", ordinal(*index))
            }
        }
    }
}

impl fmt::Display for ResultEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResultEntry { kernel, array, index, leaf, launched, .. } = self;
        write!(f, "`{array}[{index}]`{} (`{kernel}`): launches wrote {launched:e}", number_in(*leaf))
    }
}

/// Which number of an element it is, where there are several.
fn number_in(leaf: usize) -> String {
    if leaf > 0 { format!(", number {leaf} in it") } else { String::new() }
}
