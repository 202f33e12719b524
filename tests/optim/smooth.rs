//! L-BFGS on losses whose minimum is known.

use warp::optim::{Lbfgs, Status, Stop};

use crate::{START, rosenbrock, valley};

#[test]
fn rosenbrocks_valley() {
    let stop = Stop { gradient: 1e-8, ..Stop::default() };
    for n in [2, 10, 50] {
        let start: Vec<f64> = (0..n).map(|k| if k % 2 == 0 { -1.2 } else { 1.0 }).collect();
        let found = Lbfgs::new().minimize(&start, &stop, rosenbrock);
        assert_eq!(found.status, Status::GradientSmall, "{found}");
        assert!(found.x.iter().all(|x| (x - 1.0).abs() < 1e-7), "{n}: {found}");
        assert!(found.iterations < 60 + 10 * n && found.evaluations < 3 * found.iterations, "{n}: {found}");
    }
}

/// The strong Wolfe conditions make each step lower, and each search ends.
#[test]
fn every_step_lowers_the_loss() {
    for memory in [0, 1, 3, 20] {
        let stop = Stop { gradient: 1e-3, ..Stop::default() };
        let found = Lbfgs::new().memory(memory).minimize(&START, &stop, valley);
        assert!(found.status.converged(), "{memory}: {found}");
        assert!(found.history.windows(2).all(|pair| pair[1].loss < pair[0].loss), "{memory}: {found}");
    }
}

/// In n dimensions a quadratic has a closed-form minimum; f32 ends where its rounding does.
#[test]
fn quadratics_of_single_floats() {
    let scales: Vec<f32> = (0..20).map(|k| 1.0 + (k * k) as f32).collect();
    let found = Lbfgs::new().minimize(&[1.0f32; 20], &Stop { gradient: 0.0, ..Stop::default() }, |x| {
        let off: Vec<f32> = x.iter().enumerate().map(|(k, x)| x - k as f32).collect();
        let loss = off.iter().zip(&scales).map(|(d, s)| 0.5 * s * d * d).sum::<f32>() + 3.0;
        (loss, off.iter().zip(&scales).map(|(d, s)| d * s).collect())
    });
    assert!(found.status.converged(), "{found}");
    assert!(found.x.iter().enumerate().all(|(k, x)| (x - k as f32).abs() < 2e-3), "{found}");
}

/// A far start, where the loss is flat: steps grow until they reach the bowl. And a wall: beyond it there is no number.
#[test]
fn flat_losses_and_walls() {
    let flat = |x: &[f64]| (-(-1e-6 * x[0] * x[0]).exp(), vec![2e-6 * x[0] * (-1e-6 * x[0] * x[0]).exp()]);
    let found = Lbfgs::new().minimize(&[900.0], &Stop { gradient: 1e-12, ..Stop::default() }, flat);
    assert!(found.status.converged() && found.x[0].abs() < 1e-5, "{found}");
    // -ln(1 - x) - 5 x has its minimum at 0.8, and no value from 1 on.
    let walled = |x: &[f64]| (-(1.0 - x[0]).ln() - 5.0 * x[0], vec![1.0 / (1.0 - x[0]) - 5.0]);
    let found = Lbfgs::new().minimize(&[-3.0], &Stop::default(), walled);
    assert!(found.status.converged() && (found.x[0] - 0.8).abs() < 1e-6, "{found}");
}

/// A gradient's size says nothing of how far the minimum is: losses of any scale are the same problem. Squares of the
/// largest gradient here are infinite, and those of the smallest are zero.
#[test]
fn losses_of_any_scale() {
    for scale in [1e-200, 1e-100, 1e-9, 1e9, 1e100, 1e200, 1e290] {
        let stop = Stop { gradient: 1e-6 * scale, ..Stop::default() };
        let found = Lbfgs::new().minimize(&[0.1, 0.2, 0.3, 0.4], &stop, |x| {
            let slopes: Vec<f64> = x.iter().zip([1.0, 2.0, 10.0, 50.0]).map(|(x, a)| a * scale * (x - 3.0)).collect();
            (x.iter().zip(&slopes).map(|(x, g)| 0.5 * g * (x - 3.0)).sum(), slopes)
        });
        assert_eq!(found.status, Status::GradientSmall, "{scale}: {found}");
        assert!(found.x.iter().all(|x| (x - 3.0).abs() <= 1e-6), "{scale}: {found}");
        assert!(found.iterations < 30, "{scale}: {found}");
    }
    let found = Lbfgs::new().minimize(&[1.0f64; 20], &Stop::default(), |x| (x[0], vec![1.7e308; 20]));
    assert_eq!(found.status, Status::NotFinite, "{found}");
}

/// Half the squares of `a exp(-b t) + c sin(0.3 t)` less such a curve. The minimum is 0, so no loss is large enough for its
/// own rounding to stop the search: that of the point does.
#[test]
fn an_exact_fit_ends_in_rounding() {
    let fit = |p: &[f64]| {
        let (mut loss, mut gradient) = (0.0, vec![0.0; 3]);
        for t in (0..20).map(|k| 0.1 * f64::from(k)) {
            let (fall, wave) = ((-p[1] * t).exp(), (0.3 * t).sin());
            let off = p[0] * fall + p[2] * wave - (2.7 * (-1.3 * t).exp() + 0.7 * wave);
            loss += 0.5 * off * off;
            [fall, -p[0] * t * fall, wave].iter().zip(&mut gradient).for_each(|(d, g)| *g += off * d);
        }
        (loss, gradient)
    };
    for start in [[2.0, 1.0, 0.5], [1.0, 0.5, 0.0], [3.0, 2.0, 1.0]] {
        let found = Lbfgs::new().minimize(&start, &Stop { gradient: 0.0, ..Stop::default() }, fit);
        assert!(found.status.converged(), "{found}");
        assert!(found.x.iter().zip([2.7, 1.3, 0.7]).all(|(x, exact)| (x - exact).abs() < 1e-13), "{found}");
    }
}
