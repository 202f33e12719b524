//! Gradient descent, Adam and AdamW against the tables of `references/make.py`.

use warp::optim::{Adam, AdamW, FirstOrder, Sgd, Stop};

use crate::{START, valley};

/// The points of a case, step by step.
pub(crate) fn expected(name: &str) -> Vec<[f64; 3]> {
    let lines = include_str!("references/steps.txt").lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let rows = lines.filter(|words| words[0] == name);
    let points: Vec<[f64; 3]> = rows.map(|words| [2, 3, 4].map(|k| words[k].parse().expect("a number"))).collect();
    assert_eq!(points.len(), 10, "{name}");
    points
}

fn check(name: &str, method: impl FirstOrder) {
    let mut x = START.to_vec();
    let mut steps = method.steps(3);
    for (t, expected) in expected(name).iter().enumerate() {
        let gradient = valley(&x).1;
        steps.take(&mut x, &gradient);
        for (found, expected) in x.iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-13 * expected.abs().max(1.0), "{name} {}: {x:?} {expected}", t + 1);
        }
    }
    let found = method.minimize(&START, &Stop::after(10), valley);
    assert_eq!((found.iterations, found.evaluations, found.history.len()), (10, 11, 11));
    assert_eq!(found.history[10].loss, valley(&x).0, "{name}");
}

#[test]
fn ten_steps_of_each_are_the_published_ones() {
    check("sgd", Sgd::new(0.05));
    check("sgd-decay", Sgd::new(0.05).weight_decay(0.3));
    check("momentum", Sgd::new(0.02).momentum(0.9));
    check("dampened", Sgd::new(0.02).momentum(0.9).dampening(0.4).weight_decay(0.1));
    check("nesterov", Sgd::new(0.02).momentum(0.8).nesterov());
    check("adam", Adam::new(0.1));
    check("adam-betas", Adam::new(0.3).betas(0.6, 0.8).epsilon(1e-3));
    check("adam-decay", Adam::new(0.1).weight_decay(0.5));
    check("adamw", AdamW::new(0.1));
    check("adamw-decay", AdamW::new(0.1).weight_decay(2.0));
}

/// On `a x² / 2` a step of descent multiplies x by `1 - rate a`.
#[test]
fn descent_of_a_parabola_is_a_geometric_series() {
    let found = Sgd::new(0.25)
        .minimize(&[3.0f32, -8.0], &Stop::after(20), |x| (x[0] * x[0] + 0.5 * x[1] * x[1], vec![2.0 * x[0], x[1]]));
    assert_eq!(found.x, [3.0 * 0.5f32.powi(20), -8.0 * 0.75f32.powi(20)]);
}

#[test]
fn they_find_the_minimum_of_the_valley() {
    let stop = Stop { iterations: 5000, gradient: 1e-9, ..Stop::default() };
    let quadratic =
        |x: &[f64]| ((x[0] - 2.0).powi(2) + 0.5 * (x[1] + 1.0).powi(2), vec![2.0 * (x[0] - 2.0), x[1] + 1.0]);
    let near = |found: warp::optim::Minimum<f64>| {
        assert!(found.status.converged(), "{found}");
        assert!((found.x[0] - 2.0).abs() < 1e-8 && (found.x[1] + 1.0).abs() < 1e-8, "{found}");
    };
    near(Sgd::new(0.1).momentum(0.8).minimize(&[0.0, 0.0], &stop, quadratic));
    near(Adam::new(0.05).minimize(&[0.0, 0.0], &stop, quadratic));
    near(AdamW::new(0.05).weight_decay(0.0).minimize(&[0.0, 0.0], &stop, quadratic));
}
