//! What a comparison of gradients found.

use std::fmt;

use super::leaves::Known;
use super::program::Difference;

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
    /// How far the results in double precision are off those of the launches, relative to the largest result.
    pub primal: f64,
    /// What was allowed.
    pub tolerance: f64,
    /// Why differences were not taken in double precision, where they were not.
    pub single: Option<String>,
}

/// The gradient by one number.
#[derive(Clone, PartialEq, Debug)]
pub struct GradEntry {
    /// The first kernel that takes the array, and the array's name there.
    pub kernel: String,
    /// The array's name there.
    pub array: String,
    /// The element, in memory's order.
    pub index: usize,
    /// The number's place in the element: 2 for the z of a vector.
    pub leaf: usize,
    /// The tape's gradient.
    pub gradient: f64,
    /// The difference quotient.
    pub difference: f64,
    /// How far they are apart, relative to the largest difference quotient of the array.
    pub error: f64,
}

/// Rounding hides a slope from this part of the largest one on.
const HIDDEN: f64 = 0.5;

impl GradReport {
    pub(super) fn new(tolerance: f64, primal: f64, single: Option<String>) -> GradReport {
        GradReport { compared: 0, kinks: 0, unresolved: 0, worst: None, primal, tolerance, single }
    }

    /// Whether something was compared and nothing hidden by rounding, all gradients are right, and the results of both precisions belong together.
    pub fn passes(&self) -> bool {
        let right = self.worst.as_ref().is_some_and(|worst| worst.error <= self.tolerance);
        right && self.unresolved == 0 && self.primal <= self.tolerance.max(1e-2)
    }

    pub(super) fn compare(&mut self, known: &Known, gradient: &[f64], chosen: &[usize], differences: &[Difference]) {
        let slopes = differences.iter().filter_map(|difference| match difference {
            Difference::Slope(slope, _) => Some(slope.abs()),
            Difference::Kink => None,
        });
        let largest = slopes.fold(0.0, f64::max);
        let gradients = chosen.iter().map(|&float| gradient[float].abs()).filter(|g| g.is_finite());
        let said = gradients.fold(largest, f64::max);
        for (&float, difference) in chosen.iter().zip(differences) {
            let &Difference::Slope(slope, noise) = difference else {
                self.kinks += 1;
                continue;
            };
            // A gradient that is no number is wrong whatever differences say.
            if noise > HIDDEN * said && gradient[float].is_finite() {
                self.unresolved += 1;
                continue;
            }
            self.compared += 1;
            let off = ((gradient[float] - slope).abs() - noise).max(0.0);
            // NaN stays what it is, and is worst.
            let off = if gradient[float].is_finite() { off } else { f64::INFINITY };
            let error = if off == 0.0 { 0.0 } else { off / largest.max(noise).max(f64::MIN_POSITIVE) };
            if self.worst.as_ref().is_none_or(|worst| error > worst.error)
                && let Some(leaf) = known.float(float)
            {
                self.worst = Some(GradEntry {
                    kernel: known.kernel.clone(),
                    array: known.array.clone(),
                    index: leaf.element,
                    leaf: leaf.leaf,
                    gradient: gradient[float],
                    difference: slope,
                    error,
                });
            }
        }
    }
}

impl fmt::Display for GradReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.passes() { "right" } else { "WRONG" };
        write!(f, "gradients are {verdict}: {} compared, {} at kinks", self.compared, self.kinks)?;
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
                "; the worst is by `{}[{}]`{} (kernel `{}`): the gradient is {:e}, differences say {:e}, off by {:.1e} of the array's largest, allowed are {:.0e}",
                worst.array,
                worst.index,
                if worst.leaf > 0 { format!(", number {} in it", worst.leaf) } else { String::new() },
                worst.kernel,
                worst.gradient,
                worst.difference,
                worst.error,
                self.tolerance
            )?,
        }
        write!(f, "; results in both precisions differ by {:.1e}", self.primal)?;
        match &self.single {
            Some(why) => write!(f, "; differences are not of double precision: {why}"),
            None => Ok(()),
        }
    }
}
