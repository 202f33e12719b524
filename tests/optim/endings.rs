//! How minimisations end, and what they say.

use warp::optim::{Adam, FirstOrder, GaussNewton, Lbfgs, LevenbergMarquardt, Residuals, Sgd, Status, Stop};

use crate::{START, rosenbrock, valley};

#[test]
fn a_loss_that_is_no_number_ends_each_of_them() {
    let stop = Stop::default();
    // Falls until x drops below 1, where there is no number.
    let cliff = |x: &[f64]| if x[0] < 1.0 { (f64::NAN, vec![f64::NAN]) } else { (x[0], vec![1.0]) };
    for found in [Sgd::new(0.75).minimize(&[3.0], &stop, cliff), Adam::new(0.75).minimize(&[3.0], &stop, cliff)] {
        assert!(found.status.failed() && found.status == Status::NotFinite, "{found}");
        assert!(found.x[0] >= 1.0 && found.loss == found.x[0], "{found}");
    }
    let nan = |x: &[f64]| (x[0], vec![f64::INFINITY]);
    assert_eq!(Lbfgs::new().minimize(&[3.0], &stop, nan).status, Status::NotFinite);
    let residual = |x: &[f64]| Residuals { values: vec![x[0].sqrt()], jacobian: vec![1.0] };
    assert_eq!(GaussNewton.minimize(&[-1.0], &stop, residual).status, Status::NotFinite);
    assert_eq!(LevenbergMarquardt::new().minimize(&[-1.0], &stop, residual).status, Status::NotFinite);
}

#[test]
fn a_gradient_of_the_wrong_sign_or_length_is_told() {
    let stop = Stop::default();
    let upward = |x: &[f64]| (x[0] * x[0], vec![-2.0 * x[0]]);
    let found = Lbfgs::new().minimize(&[3.0], &stop, upward);
    assert_eq!((found.status, found.x[0]), (Status::SearchFailed, 3.0), "{found}");
    assert!(found.to_string().contains("compare the gradient with differences"), "{found}");
    let backward = |x: &[f64]| Residuals { values: vec![x[0] - 3.0], jacobian: vec![-1.0] };
    for found in [
        GaussNewton.minimize(&[0.0], &stop, backward),
        LevenbergMarquardt::new().minimize(&[0.0], &stop, backward),
        LevenbergMarquardt::new().damping(0.0).minimize(&[0.0], &stop, backward),
    ] {
        assert_eq!((found.status, found.x[0], found.loss), (Status::SearchFailed, 0.0, 4.5), "{found}");
        assert!(found.evaluations < 50, "{found}");
    }
    let expected = Status::WrongLength { expected: 1, found: 2 };
    assert_eq!(Lbfgs::new().minimize(&[3.0f64], &stop, |_| (0.0, vec![1.0, 2.0])).status, expected);
    assert_eq!(Sgd::new(0.1).minimize(&[3.0f64], &stop, |_| (0.0, vec![1.0, 2.0])).status, expected);
    let expected = Status::WrongLength { expected: 2, found: 3 };
    let residuals = |_: &[f64]| Residuals { values: vec![1.0, 2.0], jacobian: vec![1.0; 3] };
    assert_eq!(GaussNewton.minimize(&[3.0], &stop, residuals).status, expected);
    assert_eq!(expected.to_string(), "failed: 2 numbers were expected from the function, and 3 came");
}

/// A loss without a minimum: each method ends, and says that it did not find one.
#[test]
fn a_loss_that_falls_forever_ends() {
    let stop = Stop { iterations: 30, ..Stop::default() };
    let found = Lbfgs::new().minimize(&[3.0f64], &stop, |x| (x[0], vec![1.0]));
    assert!(!found.status.converged(), "{found}");
    let found = Sgd::new(1.0).minimize(&[3.0f64], &stop, |x| (x[0], vec![1.0]));
    assert_eq!((found.status, found.loss), (Status::IterationsUsed, -27.0));
}

/// A loss that falls up to an edge, and has no value beyond: the result lies at the edge, and did not converge.
#[test]
fn an_edge_is_reached_and_told() {
    let inside = |x: f64, value: f64| if x < 1.0 { value } else { f64::NAN };
    let loss = |x: &[f64]| (inside(x[0], -x[0]), vec![-1.0]);
    let residual = |x: &[f64]| Residuals { values: vec![inside(x[0], x[0] - 3.0)], jacobian: vec![1.0] };
    let stop = Stop::default();
    for found in [
        Lbfgs::new().minimize(&[0.0], &stop, loss),
        GaussNewton.minimize(&[0.0], &stop, residual),
        LevenbergMarquardt::new().minimize(&[0.0], &stop, residual),
    ] {
        assert_eq!(found.status, Status::NotFinite, "{found}");
        assert!(found.x[0] < 1.0 && found.x[0] > 1.0 - 1e-9, "{found}");
    }
    let single = |x: &[f32]| if x[0] < 1.0 { (-x[0], vec![-1.0]) } else { (f32::NAN, vec![f32::NAN]) };
    let found = Lbfgs::new().minimize(&[0.0f32], &stop, single);
    assert!(found.status == Status::NotFinite && found.x[0] > 1.0 - 1e-5, "{found}");
}

/// A derivative of the wrong length ends a search where it comes, also within a step.
#[test]
fn a_wrong_length_is_told_at_once() {
    let mut calls = 0;
    let found = Lbfgs::new().minimize(&[3.0f64], &Stop::default(), |x| {
        calls += 1;
        (x[0] * x[0], vec![2.0 * x[0]; calls])
    });
    assert_eq!((found.status, found.evaluations), (Status::WrongLength { expected: 1, found: 2 }, 2), "{found}");
}

#[test]
fn each_rule_ends_a_minimisation() {
    let bowl = |x: &[f64]| (x[0] * x[0] + 1.0, vec![2.0 * x[0]]);
    let off = Stop { gradient: 0.0, ..Stop::default() };
    let end = |stop: Stop| Sgd::new(0.25).minimize(&[1.0], &stop, bowl);
    let small = end(Stop { gradient: 1e-3, ..off });
    // The gradient is 2^(1 - t) after t steps.
    assert_eq!((small.status, small.iterations), (Status::GradientSmall, 11));
    let step = end(Stop { step: 0.4, ..off });
    assert_eq!(step.status, Status::IterationsUsed, "each step halves x, so it is never below 0.4 of x");
    assert_eq!(end(Stop { step: 0.5, ..off }).status, Status::StepSmall);
    assert_eq!(end(Stop { decrease: 1e-6, ..off }).status, Status::DecreaseSmall);
    assert_eq!(end(Stop { iterations: 3, ..off }).iterations, 3);
    assert_eq!(end(Stop { iterations: 0, ..off }).x, [1.0]);
}

/// A step that overshoots is in the history, but not the result.
#[test]
fn the_best_point_is_the_result() {
    let found = Sgd::new(1.1).minimize(&[1.0f64], &Stop::after(3), |x| (x[0] * x[0], vec![2.0 * x[0]]));
    assert_eq!((found.x[0], found.loss, found.history.len()), (1.0, 1.0, 4));
    assert!(found.history[3].loss > 1.0);
}

#[test]
fn errors_of_the_function_come_out() {
    let mut calls = 0;
    let mut failing = |x: &[f64]| {
        calls += 1;
        if calls == 4 { Err("the fourth call failed") } else { Ok(rosenbrock(x)) }
    };
    let found = Lbfgs::new().try_minimize(&[-1.2, 1.0], &Stop::default(), &mut failing);
    assert_eq!(found.unwrap_err(), "the fourth call failed");
    let found = Adam::new(0.1).try_minimize(&[-1.2, 1.0], &Stop::default(), |_| Err("the first call failed"));
    assert_eq!(found.unwrap_err(), "the first call failed");
}

#[test]
fn a_result_prints_its_history() {
    let found = Lbfgs::new().minimize(&START, &Stop { gradient: 0.1, ..Stop::default() }, valley);
    let text = found.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].split_whitespace().eq(["iteration", "evaluations", "loss", "gradient", "step"]), "{text}");
    assert_eq!(lines.len(), found.history.len() + 2);
    assert!(lines.last().unwrap().starts_with("converged: the gradient is small; loss "), "{text}");
    let long = Sgd::new(1e-3).minimize(&START, &Stop::after(500), valley).to_string();
    assert!((20..26).contains(&long.lines().count()) && long.contains("\n      500         501 "), "{long}");
}
