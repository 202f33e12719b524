//! Optimisers against published recurrences, closed forms and certified values.

mod arrays;
mod endings;
mod first_order;
mod memory;
mod smooth;
mod squares;

/// The loss of `references/make.py`.
fn valley(p: &[f64]) -> (f64, Vec<f64>) {
    let [x, y, z] = [p[0], p[1], p[2]];
    let loss = 0.5 * x * x + 5.0 * y * y + (x * y).sin() + z.powi(4) / 4.0;
    (loss, vec![x + y * (x * y).cos(), 10.0 * y + x * (x * y).cos(), z.powi(3)])
}

/// Where `valley` is entered.
const START: [f64; 3] = [1.5, -0.75, 2.0];

/// Rosenbrock's valley of any length: 0 at (1, 1, .., 1).
fn rosenbrock(x: &[f64]) -> (f64, Vec<f64>) {
    let (mut loss, mut gradient) = (0.0, vec![0.0; x.len()]);
    for k in 0..x.len() - 1 {
        let (a, b) = (1.0 - x[k], x[k + 1] - x[k] * x[k]);
        loss += a * a + 100.0 * b * b;
        gradient[k] += -2.0 * a - 400.0 * b * x[k];
        gradient[k + 1] += 200.0 * b;
    }
    (loss, gradient)
}
