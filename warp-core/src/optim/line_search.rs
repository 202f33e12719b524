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
pub(super) enum Found<P> {
    /// A place that is lower, or as low in this precision and flatter. It satisfies both conditions, or is the lowest of
    /// those that satisfy the first.
    Lower(P),
    /// No place is lower, and the decrease that the slopes promise is lost in the rounding of the loss.
    Rounding,
    /// No place is lower before a step from which on the loss is no number.
    Edge,
    /// No place is lower.
    Nothing,
}

/// What `at` gives for a step: the point and its place, or nothing where the loss is no number.
type Looked<P, E> = Result<Option<(Point, P)>, E>;

struct Search<'a, P, E> {
    at: &'a mut dyn FnMut(f64) -> Looked<P, E>,
    start: Point,
    left: usize,
    /// The place of the lowest point so far that satisfies the first condition.
    lowest: Option<P>,
    /// The decrease that the start and the first point let expect.
    promised: Option<f64>,
    /// The shortest step where the loss was no number.
    wall: f64,
}

/// Looks for a step length, first at 1. Differences of the loss up to `noise` are those of its rounding.
pub(super) fn search<P, E>(start: Point, noise: f64, at: &mut dyn FnMut(f64) -> Looked<P, E>) -> Result<Found<P>, E> {
    let mut search = Search { at, start, left: MOST, lowest: None, promised: None, wall: f64::INFINITY };
    let found = search.bracket()?;
    let lost = search.promised.is_none_or(|promised| promised <= noise);
    Ok(match found {
        Found::Nothing if lost && search.wall.is_finite() => Found::Edge,
        Found::Nothing if lost => Found::Rounding,
        found => found,
    })
}

impl<P, E> Search<'_, P, E> {
    fn low_enough(&self, p: Point) -> bool {
        p.loss <= self.start.loss + DECREASE * p.step * self.start.slope
    }

    fn flat_enough(&self, p: Point) -> bool {
        p.slope.abs() <= -SLOPE * self.start.slope
    }

    fn look(&mut self, step: f64) -> Looked<P, E> {
        self.left -= 1;
        let looked = (self.at)(step)?;
        match &looked {
            Some((p, _)) => _ = self.promised.get_or_insert_with(|| promised(self.start, *p)),
            None => self.wall = self.wall.min(step),
        }
        Ok(looked)
    }

    /// Algorithm 3.5: longer and longer steps, until a minimum lies between two. Where the loss is no number, the step
    /// was too long, and a shorter one is tried.
    fn bracket(&mut self) -> Result<Found<P>, E> {
        let (mut before, mut step) = (self.start, 1.0);
        while self.left > 0 {
            let Some((p, place)) = self.look(step)? else {
                step = before.step + 0.25 * (step - before.step);
                continue;
            };
            if !self.low_enough(p) || (before.step > 0.0 && p.loss >= before.loss) {
                return self.zoom(before, p);
            }
            if self.flat_enough(p) {
                return Ok(Found::Lower(place));
            }
            self.lowest = Some(place);
            if p.slope >= 0.0 {
                return self.zoom(p, before);
            }
            before = p;
            step = if self.wall.is_finite() { 0.5 * (step + self.wall) } else { 2.0 * step };
        }
        Ok(self.end(before, if self.wall.is_finite() { Found::Edge } else { Found::Nothing }))
    }

    /// Algorithm 3.6: `low` is the lowest point so far that satisfies the first condition, and a step between both
    /// satisfies the two.
    fn zoom(&mut self, mut low: Point, mut high: Point) -> Result<Found<P>, E> {
        while self.left > 0 {
            let step = between(low, high);
            if step == low.step || step == high.step {
                break;
            }
            let Some((p, place)) = self.look(step)? else {
                high = Point { step, loss: f64::INFINITY, slope: f64::NAN };
                continue;
            };
            if !self.low_enough(p) || p.loss >= low.loss {
                high = p;
                continue;
            }
            if self.flat_enough(p) {
                return Ok(Found::Lower(place));
            }
            self.lowest = Some(place);
            if p.slope * (high.step - low.step) >= 0.0 {
                high = low;
            }
            low = p;
        }
        Ok(self.end(low, Found::Nothing))
    }

    /// A lower point is progress, even where no step was found whose slope is flat.
    fn end(&mut self, low: Point, otherwise: Found<P>) -> Found<P> {
        self.lowest.take().filter(|_| low.loss < self.start.loss).map_or(otherwise, Found::Lower)
    }
}

/// How much a parabola with the slopes of both points falls at least: from the start to its minimum, or to the point, if
/// that is nearer.
fn promised(start: Point, p: Point) -> f64 {
    let curved = p.slope - start.slope;
    let share = if curved > -start.slope { -start.slope / curved } else { 1.0 };
    0.5 * share * p.step * start.slope.abs()
}

/// The minimum of the cubic through both points and slopes, kept off the ends; else the middle.
fn between(a: Point, b: Point) -> f64 {
    let width = b.step - a.step;
    let d = a.slope + b.slope - 3.0 * (b.loss - a.loss) / width;
    // Divided by the largest of them, no square overflows.
    let most = d.abs().max(a.slope.abs()).max(b.slope.abs());
    let root = most * ((d / most).powi(2) - (a.slope / most) * (b.slope / most)).sqrt() * width.signum();
    let at = b.step - width * (b.slope + root - d) / (b.slope - a.slope + 2.0 * root);
    let (least, most) = (a.step.min(b.step), a.step.max(b.step));
    let margin = 0.1 * (most - least);
    if at.is_finite() { at.clamp(least + margin, most - margin) } else { 0.5 * (a.step + b.step) }
}
