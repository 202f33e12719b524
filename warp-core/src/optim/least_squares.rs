//! Sums of squares: Gauss-Newton and Levenberg-Marquardt.

use std::convert::Infallible;

use super::first_order::distance;
use super::orthogonal::solve;
use super::real::{Real, largest, moved};
use super::report::{Log, Minimum};
use super::stop::{Status, Stop};

/// Residuals at a point, and how they change: the loss is half the sum of their squares.
#[derive(Clone, PartialEq, Debug)]
pub struct Residuals<T> {
    /// The residuals.
    pub values: Vec<T>,
    /// Their derivatives, one row a residual, one column a parameter, row after row.
    pub jacobian: Vec<T>,
}

/// Gauss-Newton: each step solves the linear least squares problem, and is halved until it lowers the loss. Fast near a
/// solution with small residuals; a Jacobian whose columns depend on each other ends it.
///
/// Linear algebra is in `f64`, whatever the parameters' type, by a QR decomposition of the Jacobian.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GaussNewton;

/// Levenberg-Marquardt: Gauss-Newton with a damping that grows after bad steps and shrinks after good ones (Nielsen's
/// rule). Works from farther away, and with Jacobians of dependent columns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LevenbergMarquardt {
    damping: f64,
}

/// Times that a step of Gauss-Newton is halved.
const HALVINGS: usize = 40;
/// Times that the damping grows for one step.
const RAISES: usize = 60;

impl GaussNewton {
    /// Minimises half the sum of squares from `start`.
    pub fn minimize<T: Real>(&self, start: &[T], stop: &Stop, mut f: impl FnMut(&[T]) -> Residuals<T>) -> Minimum<T> {
        match self.try_minimize(start, stop, |x| Ok::<_, Infallible>(f(x))) {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }

    /// The same with a function that may fail; its first error ends the minimisation.
    pub fn try_minimize<T: Real, E>(
        &self,
        start: &[T],
        stop: &Stop,
        f: impl FnMut(&[T]) -> Result<Residuals<T>, E>,
    ) -> Result<Minimum<T>, E> {
        run(start, stop, f, |walk, f| {
            let Some(along) = walk.here.newton(0.0) else { return Ok(Err(Status::Singular)) };
            let slope: f64 = along.iter().zip(&walk.here.gradient).map(|(h, g)| h * g).sum();
            let mut by = 1.0;
            for _ in 0..HALVINGS {
                let there = match walk.look(f, by, &along)? {
                    Err(Status::NotFinite) => None,
                    Err(status) => return Ok(Err(status)),
                    Ok(there) => Some(there),
                };
                if let Some(there) = there.filter(|there| there.1.loss <= walk.here.loss + 1e-4 * by * slope) {
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
    /// Starts with a damping of 1e-3 times the largest diagonal entry of the normal equations.
    pub fn new() -> LevenbergMarquardt {
        LevenbergMarquardt { damping: 1e-3 }
    }

    /// Starts with another damping: 1e-6 where the start is thought to be good, 1 where nothing is known.
    pub fn damping(self, damping: f64) -> LevenbergMarquardt {
        LevenbergMarquardt { damping }
    }

    /// Minimises half the sum of squares from `start`.
    pub fn minimize<T: Real>(&self, start: &[T], stop: &Stop, mut f: impl FnMut(&[T]) -> Residuals<T>) -> Minimum<T> {
        match self.try_minimize(start, stop, |x| Ok::<_, Infallible>(f(x))) {
            Ok(found) => found,
            Err(never) => match never {},
        }
    }

    /// The same with a function that may fail; its first error ends the minimisation.
    pub fn try_minimize<T: Real, E>(
        &self,
        start: &[T],
        stop: &Stop,
        f: impl FnMut(&[T]) -> Result<Residuals<T>, E>,
    ) -> Result<Minimum<T>, E> {
        let (mut damping, mut growth) = (None, 2.0);
        run(start, stop, f, |walk, f| {
            let mut mu = *damping.get_or_insert_with(|| self.damping * walk.here.largest_column());
            let mut slope = 0.0;
            for _ in 0..RAISES {
                let along = match walk.here.newton(mu) {
                    Some(along) => along,
                    // Without damping dependent columns have no single solution.
                    None => {
                        mu = walk.here.raised(mu, growth);
                        growth *= 2.0;
                        continue;
                    }
                };
                slope = along.iter().zip(&walk.here.gradient).map(|(h, g)| h * g).sum();
                // The decrease that the linear model promises: h (mu h - g) / 2.
                let promised = 0.5 * (mu * along.iter().map(|h| h * h).sum::<f64>() - slope);
                let there = match walk.look(f, 1.0, &along)? {
                    Err(Status::NotFinite) => None,
                    Err(status) => return Ok(Err(status)),
                    Ok(there) => Some(there),
                };
                let gain = there.as_ref().map_or(-1.0, |there| (walk.here.loss - there.1.loss) / promised);
                if let Some(there) = there.filter(|_| gain > 0.0) {
                    damping = Some(mu * (1.0 - (2.0 * gain - 1.0).powi(3)).max(1.0 / 3.0));
                    growth = 2.0;
                    return Ok(Ok(there));
                }
                mu = walk.here.raised(mu, growth);
                growth *= 2.0;
            }
            Ok(Err(walk.stuck(slope)))
        })
    }
}

/// Everything at one point.
struct Place {
    loss: f64,
    values: Vec<f64>,
    jacobian: Vec<f64>,
    gradient: Vec<f64>,
}

impl Place {
    /// The residuals' loss and its gradient, or why there are none.
    fn new<T: Real>(given: &Residuals<T>, columns: usize) -> Result<Place, Status> {
        let (expected, found) = (given.values.len() * columns, given.jacobian.len());
        if expected != found {
            return Err(Status::WrongLength { expected, found });
        }
        if !largest(&given.values).is_finite() || !largest(&given.jacobian).is_finite() {
            return Err(Status::NotFinite);
        }
        let wide = |list: &[T]| list.iter().map(|v| (*v).into()).collect::<Vec<f64>>();
        let (values, jacobian) = (wide(&given.values), wide(&given.jacobian));
        let mut gradient = vec![0.0; columns];
        for (row, r) in values.iter().enumerate() {
            gradient.iter_mut().zip(&jacobian[row * columns..]).for_each(|(g, j)| *g += j * r);
        }
        let loss = 0.5 * values.iter().map(|r| r * r).sum::<f64>();
        if !loss.is_finite() || gradient.iter().any(|g| !g.is_finite()) {
            return Err(Status::NotFinite);
        }
        Ok(Place { loss, values, jacobian, gradient })
    }

    /// The step that minimises `|J h + r|² + mu |h|²`.
    fn newton(&self, mu: f64) -> Option<Vec<f64>> {
        let n = self.gradient.len();
        let mut right: Vec<f64> = self.values.iter().map(|r| -r).collect();
        let mut left = self.jacobian.clone();
        if mu > 0.0 {
            let damped = (0..n * n).map(|k| if k / n == k % n { mu.sqrt() } else { 0.0 });
            left.extend(damped);
            right.extend(std::iter::repeat_n(0.0, n));
        }
        solve(left, right, n)
    }

    /// More damping, also where there was none.
    fn raised(&self, mu: f64, growth: f64) -> f64 {
        (mu * growth).max(f64::EPSILON * self.largest_column().max(f64::MIN_POSITIVE))
    }

    /// The largest diagonal entry of the normal equations.
    fn largest_column(&self) -> f64 {
        let n = self.gradient.len();
        let squares = |c: usize| self.jacobian.iter().skip(c).step_by(n).map(|j| j * j).sum::<f64>();
        (0..n).map(squares).fold(0.0, f64::max)
    }
}

/// Where a minimisation is.
struct Walk<T> {
    x: Vec<T>,
    here: Place,
    log: Log<T>,
}

impl<T: Real> Walk<T> {
    /// The place a step away.
    fn look<E>(
        &mut self,
        f: &mut impl FnMut(&[T]) -> Result<Residuals<T>, E>,
        by: f64,
        along: &[f64],
    ) -> Result<Result<(Vec<T>, Place), Status>, E> {
        let there = moved(&self.x, by, along);
        let given = f(&there)?;
        self.log.evaluations += 1;
        Ok(Place::new(&given, there.len()).map(|place| (there, place)))
    }

    /// Why no step of this slope lowers the loss.
    fn stuck(&self, slope: f64) -> Status {
        if slope.abs() <= 8.0 * T::EPSILON * self.here.loss { Status::Rounding } else { Status::SearchFailed }
    }
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
    let mut walk = Walk { x: start.to_vec(), here, log };
    loop {
        if largest(&walk.here.gradient) <= stop.gradient {
            return Ok(walk.log.end(Status::GradientSmall));
        }
        if walk.log.iterations() >= stop.iterations {
            return Ok(walk.log.end(Status::IterationsUsed));
        }
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
