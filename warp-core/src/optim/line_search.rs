//! A step length that satisfies the strong Wolfe conditions: Nocedal and Wright, *Numerical Optimization* (2006),
//! algorithms 3.5 and 3.6 with the interpolation of equation 3.59.

/// How much of the promised decrease is asked for.
const DECREASE: f64 = 1e-4;
/// How much of the slope may be left.
const SLOPE: f64 = 0.9;
/// Points that a search looks at.
const MOST: usize = 40;

/// A point along the direction: step length, loss, and the loss's slope there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub step: f64,
    pub loss: f64,
    pub slope: f64,
}

/// How a search ended.
pub(super) enum Found<E> {
    /// A step that satisfies both conditions.
    Wolfe(f64),
    /// None; the differences it looked at were lost in the rounding of the loss.
    Rounding,
    /// None.
    Nothing,
    /// The function failed.
    Failed(E),
}

struct Search<'a, E> {
    at: &'a mut dyn FnMut(f64) -> Result<Option<Point>, E>,
    start: Point,
    left: usize,
    /// The loss's spacing of numbers near the start.
    noise: f64,
}

/// Looks for a step length, first at `first`. `at` gives the point of a step, or nothing where the loss is no number.
pub(super) fn search<E>(
    loss: f64,
    slope: f64,
    first: f64,
    epsilon: f64,
    at: &mut dyn FnMut(f64) -> Result<Option<Point>, E>,
) -> Found<E> {
    let start = Point { step: 0.0, loss, slope };
    let mut search = Search { at, start, left: MOST, noise: 4.0 * epsilon * loss.abs() };
    match search.bracket(first) {
        Ok(Some(step)) => Found::Wolfe(step),
        Ok(None) if first * slope.abs() <= search.noise => Found::Rounding,
        Ok(None) => Found::Nothing,
        Err(error) => Found::Failed(error),
    }
}

impl<E> Search<'_, E> {
    fn low_enough(&self, p: Point) -> bool {
        p.loss <= self.start.loss + DECREASE * p.step * self.start.slope
    }

    fn flat_enough(&self, p: Point) -> bool {
        p.slope.abs() <= -SLOPE * self.start.slope
    }

    /// Algorithm 3.5: longer and longer steps, until a minimum lies between two. Where the loss is no number, the step
    /// was too long, and a shorter one is tried.
    fn bracket(&mut self, first: f64) -> Result<Option<f64>, E> {
        let (mut before, mut step, mut wall) = (self.start, first, f64::INFINITY);
        while self.left > 0 {
            self.left -= 1;
            let Some(p) = (self.at)(step)? else {
                wall = step;
                step = before.step + 0.25 * (step - before.step);
                continue;
            };
            if !self.low_enough(p) || (before.step > 0.0 && p.loss >= before.loss) {
                return self.zoom(before, p);
            }
            if self.flat_enough(p) {
                return Ok(Some(step));
            }
            if p.slope >= 0.0 {
                return self.zoom(p, before);
            }
            before = p;
            step = if wall.is_finite() { 0.5 * (step + wall) } else { 2.0 * step };
        }
        Ok(None)
    }

    /// Algorithm 3.6: `low` is the lowest point so far that satisfies the first condition, and a step between both
    /// satisfies the two.
    fn zoom(&mut self, mut low: Point, mut high: Point) -> Result<Option<f64>, E> {
        while self.left > 0 {
            self.left -= 1;
            let step = between(low, high);
            if step == low.step || step == high.step {
                break;
            }
            let Some(p) = (self.at)(step)? else {
                high = Point { step, loss: f64::INFINITY, slope: f64::NAN };
                continue;
            };
            if !self.low_enough(p) || p.loss >= low.loss {
                high = p;
                continue;
            }
            if self.flat_enough(p) {
                return Ok(Some(step));
            }
            if p.slope * (high.step - low.step) >= 0.0 {
                high = low;
            }
            low = p;
        }
        // A lower point is progress, even where the slope would not become flat in this precision.
        Ok((low.step > 0.0 && low.loss < self.start.loss).then_some(low.step))
    }
}

/// The minimum of the cubic through both points and slopes, kept off the ends; else the middle.
fn between(a: Point, b: Point) -> f64 {
    let width = b.step - a.step;
    let d = a.slope + b.slope - 3.0 * (b.loss - a.loss) / width;
    let root = (d * d - a.slope * b.slope).sqrt() * width.signum();
    let at = b.step - width * (b.slope + root - d) / (b.slope - a.slope + 2.0 * root);
    let (least, most) = (a.step.min(b.step), a.step.max(b.step));
    let margin = 0.1 * (most - least);
    if at.is_finite() { at.clamp(least + margin, most - margin) } else { 0.5 * (a.step + b.step) }
}
