//! Sums of squares: Gauss-Newton and Levenberg-Marquardt.

use std::convert::Infallible;

use super::first_order::distance;
use super::orthogonal::Factor;
use super::real::{Real, largest, moved};
use super::report::{Log, Minimum};
use super::residuals::{Place, Residuals};
use super::stop::{Status, Stop};

/// Gauss-Newton: each step solves the linear least squares problem, and is halved until it lowers the loss. Fast near a
/// solution with small residuals. A Jacobian whose columns depend on each other ends it by [`Status::Singular`]; from far
/// away, or where that happens, take [`LevenbergMarquardt`].
///
/// Linear algebra is in `f64`, whatever the parameters' type, by a QR decomposition of the Jacobian. Units of parameters do
/// not matter to it. The Jacobian is dense: a step of `m` residuals and `n` parameters takes some `2 m n²` operations, so
/// for thousands of parameters take [`Lbfgs`](super::Lbfgs).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GaussNewton;

/// Levenberg-Marquardt: Gauss-Newton with a damping that grows after bad steps and shrinks after good ones (Nielsen's
/// rule). Works from farther away, and with Jacobians of dependent columns, also with fewer residuals than parameters; it
/// then finds one solution of many.
///
/// The damping is the same for all parameters, so give them units in which they are of like size. The Jacobian is decomposed
/// once a step, whatever the number of dampings that are tried; its cost is that of [`GaussNewton`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LevenbergMarquardt {
    damping: f64,
}

/// Times that a step of Gauss-Newton is halved.
const HALVINGS: usize = 40;
/// Times that the damping grows for one step.
const RAISES: usize = 60;

impl GaussNewton {
    /// Minimises half the sum of squares from `start`. What goes wrong is the result's [`status`](Minimum::status).
    pub fn minimize<T: Real>(&self, start: &[T], stop: &Stop, mut f: impl FnMut(&[T]) -> Residuals<T>) -> Minimum<T> {
        match self.try_minimize(start, stop, |x| Ok::<_, Infallible>(f(x))) {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }

    /// The same with a function that may fail; its first error ends the minimisation.
    ///
    /// # Errors
    /// What the function gave; the points before are lost then.
    pub fn try_minimize<T: Real, E>(
        &self,
        start: &[T],
        stop: &Stop,
        f: impl FnMut(&[T]) -> Result<Residuals<T>, E>,
    ) -> Result<Minimum<T>, E> {
        run(start, stop, f, |walk, f| {
            let Some(along) = walk.here.factor().solve() else { return Ok(Err(Status::Singular)) };
            let slope = walk.here.slope(&along);
            let mut by = 1.0;
            for _ in 0..HALVINGS {
                let there = match walk.look(f, by, &along)? {
                    Looked::Ended(status) => return Ok(Err(status)),
                    Looked::Same => break,
                    Looked::Wall => None,
                    Looked::Place(there) => Some(there),
                };
                // Where the decrease that is asked for is lost in rounding, the loss has to fall all the same.
                let enough = |loss: f64| loss < walk.here.loss && loss <= walk.here.loss + 1e-4 * by * slope;
                if let Some(there) = there.filter(|there| enough(there.1.loss)) {
                    return Ok(Ok(there));
                }
                by *= 0.5;
            }
            Ok(Err(walk.stuck(slope)))
        })
    }
}

impl Default for LevenbergMarquardt {
    fn default() -> LevenbergMarquardt {
        LevenbergMarquardt::new()
    }
}

impl LevenbergMarquardt {
    /// Starts with a damping of 1e-3 times the square of the Jacobian's longest column.
    pub fn new() -> LevenbergMarquardt {
        LevenbergMarquardt { damping: 1e-3 }
    }

    /// Starts with another damping, as a share of the same square: 1e-6 where the start is thought to be good, 1 where nothing
    /// is known, 0 for steps of Gauss-Newton until one fails.
    pub fn damping(self, damping: f64) -> LevenbergMarquardt {
        LevenbergMarquardt { damping }
    }

    /// Minimises half the sum of squares from `start`. What goes wrong is the result's [`status`](Minimum::status).
    pub fn minimize<T: Real>(&self, start: &[T], stop: &Stop, mut f: impl FnMut(&[T]) -> Residuals<T>) -> Minimum<T> {
        match self.try_minimize(start, stop, |x| Ok::<_, Infallible>(f(x))) {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }

    /// The same with a function that may fail; its first error ends the minimisation.
    ///
    /// # Errors
    /// What the function gave; the points before are lost then.
    pub fn try_minimize<T: Real, E>(
        &self,
        start: &[T],
        stop: &Stop,
        f: impl FnMut(&[T]) -> Result<Residuals<T>, E>,
    ) -> Result<Minimum<T>, E> {
        // The damping's root, which does not overflow where its square does.
        let (mut damping, mut growth) = (None, 2.0f64);
        run(start, stop, f, |walk, f| {
            let longest = walk.here.longest_column();
            let least = (f64::EPSILON.sqrt() * longest).max(f64::MIN_POSITIVE);
            let factor = walk.here.factor();
            let mut mu = *damping.get_or_insert_with(|| self.damping.max(0.0).sqrt() * longest);
            for _ in 0..RAISES {
                // Without damping dependent columns have no single solution.
                let along = if mu > 0.0 { factor.damped(mu) } else { factor.solve() };
                if let Some(along) = along {
                    // The decrease that the linear model promises: h (mu² h - g) / 2.
                    let weight: f64 = along.iter().map(|h| (mu * h).powi(2)).sum();
                    let promised = 0.5 * (weight - walk.here.slope(&along));
                    let there = match walk.look(f, 1.0, &along)? {
                        Looked::Ended(status) => return Ok(Err(status)),
                        Looked::Same => break,
                        Looked::Wall => None,
                        Looked::Place(there) => Some(there),
                    };
                    let gain = there.as_ref().map_or(-1.0, |there| (walk.here.loss - there.1.loss) / promised);
                    if let Some(there) = there.filter(|_| gain > 0.0) {
                        damping = Some(mu * (1.0 - (2.0 * gain - 1.0).powi(3)).max(1.0 / 3.0).sqrt());
                        growth = 2.0;
                        return Ok(Ok(there));
                    }
                    // Smaller steps change nothing that a loss could show.
                    if promised <= 0.125 * f64::EPSILON * walk.here.loss {
                        break;
                    }
                }
                mu = (mu * growth.sqrt()).max(least);
                growth *= 2.0;
            }
            let found = walk.boldest(f, &factor, least)?;
            (damping, growth) = (Some(least), 2.0);
            Ok(found)
        })
    }
}

/// Where a minimisation is.
struct Walk<T> {
    x: Vec<T>,
    here: Place,
    log: Log<T>,
    /// Whether looks from here met a higher place, and one without a number.
    met: (bool, bool),
}

impl<T: Real> Walk<T> {
    /// The place a step away.
    fn look<E>(
        &mut self,
        f: &mut impl FnMut(&[T]) -> Result<Residuals<T>, E>,
        by: f64,
        along: &[f64],
    ) -> Result<Looked<T>, E> {
        let there = moved(&self.x, by, along);
        if there == self.x {
            return Ok(Looked::Same);
        }
        let given = f(&there)?;
        self.log.evaluations += 1;
        Ok(match Place::new(&given, there.len()) {
            Ok(place) => {
                self.met.0 |= place.loss > self.here.loss;
                Looked::Place((there, place))
            }
            Err(Status::NotFinite) => {
                self.met.1 = true;
                Looked::Wall
            }
            Err(status) => Looked::Ended(status),
        })
    }

    /// The last that Levenberg-Marquardt tries: a damping that is too large for some parameters hides that the loss could
    /// still fall, so the step with the least damping says whether it could, and is tried too.
    fn boldest<E>(
        &mut self,
        f: &mut impl FnMut(&[T]) -> Result<Residuals<T>, E>,
        factor: &Factor,
        least: f64,
    ) -> Result<Result<(Vec<T>, Place), Status>, E> {
        let Some(along) = factor.solve().or_else(|| factor.damped(least)) else { return Ok(Err(Status::SearchFailed)) };
        let slope = self.here.slope(&along);
        if self.stuck(slope) == Status::Rounding {
            return Ok(Err(Status::Rounding));
        }
        Ok(match self.look(f, 1.0, &along)? {
            Looked::Place(there) if there.1.loss < self.here.loss => Ok(there),
            Looked::Ended(status) => Err(status),
            _ => Err(self.stuck(slope)),
        })
    }

    /// Why no step along a direction of this slope lowers the loss.
    fn stuck(&self, slope: f64) -> Status {
        match self.met {
            _ if slope.abs() <= 4.0 * self.here.noise(&self.x) => Status::Rounding,
            (false, true) => Status::NotFinite,
            _ => Status::SearchFailed,
        }
    }
}

/// What lies a step away.
enum Looked<T> {
    Place((Vec<T>, Place)),
    /// No number.
    Wall,
    /// The point itself: the step is lost in its rounding.
    Same,
    /// Nothing that could be gone on with.
    Ended(Status),
}

/// The loop of both methods; `step` finds the next place.
fn run<T: Real, E, F: FnMut(&[T]) -> Result<Residuals<T>, E>>(
    start: &[T],
    stop: &Stop,
    mut f: F,
    mut step: impl FnMut(&mut Walk<T>, &mut F) -> Result<Result<(Vec<T>, Place), Status>, E>,
) -> Result<Minimum<T>, E> {
    let mut log = Log::new(start);
    let given = f(start)?;
    log.evaluations += 1;
    let here = match Place::new(&given, start.len()) {
        Ok(here) => here,
        Err(status) => return Ok(log.end(status)),
    };
    log.reached(start, here.loss, largest(&here.gradient), 0.0);
    let mut walk = Walk { x: start.to_vec(), here, log, met: (false, false) };
    loop {
        if stop.flat(largest(&walk.here.gradient)) {
            return Ok(walk.log.end(Status::GradientSmall));
        }
        if walk.log.iterations() >= stop.iterations {
            return Ok(walk.log.end(Status::IterationsUsed));
        }
        walk.met = (false, false);
        let (there, place) = match step(&mut walk, &mut f)? {
            Ok(found) => found,
            Err(status) => return Ok(walk.log.end(status)),
        };
        let (step, size, before) = (distance(&there, &walk.x), largest(&walk.x), walk.here.loss);
        (walk.x, walk.here) = (there, place);
        walk.log.reached(&walk.x, walk.here.loss, largest(&walk.here.gradient), step);
        if let Some(status) = stop.after_step(step, size, before, walk.here.loss) {
            return Ok(walk.log.end(status));
        }
    }
}
