//! Minimisation: gradient descent, Adam, L-BFGS and least squares, on `f32` and `f64`.
//!
//! | method | for | published in |
//! |---|---|---|
//! | [`Sgd`] | noisy or cheap gradients | Sutskever et al., ICML 2013, in PyTorch's form |
//! | [`Adam`] | the same, steps scaled entry by entry | Kingma and Ba, ICLR 2015, algorithm 1 |
//! | [`AdamW`] | Adam with decay apart from the gradient | Loshchilov and Hutter, ICLR 2019, in PyTorch's form |
//! | [`Lbfgs`] | smooth losses, exact gradients | Nocedal and Wright, *Numerical Optimization*, 2006, algorithms 7.4, 7.5, 3.5, 3.6 |
//! | [`GaussNewton`] | sums of squares, near the solution | the same book, section 10.3 |
//! | [`LevenbergMarquardt`] | sums of squares, from farther away | Madsen, Nielsen and Tingleff, 2004, algorithm 3.16 |
//!
//! All take a start and a function that gives the loss and its gradient (or residuals and their Jacobian), and return a
//! [`Minimum`]: the best point, why it ended, and the history, which prints as a table. The function runs what it likes,
//! kernels under a tape for instance; its own errors come out of `try_minimize`.
//!
//! ```
//! use warp_core::optim::{Lbfgs, Stop};
//!
//! // (x - 3)² + 10 (y + 1)²
//! let found = Lbfgs::new().minimize(&[0.0f64, 0.0], &Stop::default(), |p| {
//!     let (a, b) = (p[0] - 3.0, p[1] + 1.0);
//!     (a * a + 10.0 * b * b, vec![2.0 * a, 20.0 * b])
//! });
//! assert!(found.status.converged(), "{found}");
//! assert!((found.x[0] - 3.0).abs() < 1e-6 && (found.x[1] + 1.0).abs() < 1e-6);
//! ```
//!
//! The methods of the first three rows also step arrays where they are, without a copy to the host:
//! [`FirstOrder::for_array`].
//!
//! A loss or a gradient that is no number, a search that finds no lower loss, and a Jacobian whose columns depend on each
//! other are a [`Status`], never a panic; `x` is then the best point that was met before.

mod adam;
mod arrays;
mod first_order;
mod lbfgs;
mod least_squares;
mod line_search;
mod orthogonal;
mod real;
mod report;
mod residuals;
mod sgd;
mod stop;

pub use adam::{Adam, AdamW};
pub use arrays::ArraySteps;
pub use first_order::{FirstOrder, Rule, Steps};
pub use lbfgs::Lbfgs;
pub use least_squares::{GaussNewton, LevenbergMarquardt};
pub use real::Real;
pub use report::{Minimum, Record};
pub use residuals::Residuals;
pub use sgd::Sgd;
pub use stop::{Status, Stop};
