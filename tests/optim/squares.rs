//! Least squares: a line in closed form, and NIST's certified fit Misra1a.

use warp::optim::{GaussNewton, LevenbergMarquardt, Minimum, Residuals, Status, Stop};

/// NIST StRD, Misra1a: y and x.
const MISRA: [[f64; 2]; 14] = [
    [10.07, 77.6],
    [14.73, 114.9],
    [17.94, 141.1],
    [23.93, 190.8],
    [29.61, 239.9],
    [35.18, 289.0],
    [40.02, 332.8],
    [44.82, 378.4],
    [50.76, 434.8],
    [55.05, 477.3],
    [61.01, 536.8],
    [66.40, 593.1],
    [75.47, 689.1],
    [81.78, 760.0],
];

/// y = a (1 - exp(-b x)).
fn misra(p: &[f64]) -> Residuals<f64> {
    let [a, b] = [p[0], p[1]];
    Residuals {
        values: MISRA.iter().map(|[y, x]| a * (1.0 - (-b * x).exp()) - y).collect(),
        jacobian: MISRA.iter().flat_map(|[_, x]| [1.0 - (-b * x).exp(), a * x * (-b * x).exp()]).collect(),
    }
}

/// The certified parameters and residual sum of squares.
fn is_certified(found: &Minimum<f64>) {
    assert!(found.status.converged(), "{found}");
    let off = |found: f64, certified: f64| (found / certified - 1.0).abs();
    assert!(off(found.x[0], 2.3894212918E+02) < 1e-8 && off(found.x[1], 5.5015643181E-04) < 1e-8, "{found}");
    assert!(off(2.0 * found.loss, 1.2455138894E-01) < 1e-10, "{found}");
}

#[test]
fn a_certified_fit_from_both_starts() {
    let stop = Stop { gradient: 0.0, decrease: 1e-15, ..Stop::default() };
    for start in [[500.0, 1e-4], [250.0, 5e-4]] {
        is_certified(&LevenbergMarquardt::new().damping(1e-12).minimize(&start, &stop, misra));
    }
    is_certified(&GaussNewton.minimize(&[250.0, 5e-4], &stop, misra));
}

/// Without damping the first step from here misses by far: it has to find some by itself.
#[test]
fn no_damping_grows_all_the_same() {
    let start = [-1.2, 1.0];
    let found = LevenbergMarquardt::new().damping(0.0).minimize(
        &start,
        &Stop { gradient: 1e-9, ..Stop::default() },
        |p: &[f64]| Residuals {
            values: vec![10.0 * (p[1] - p[0] * p[0]), 1.0 - p[0]],
            jacobian: vec![-20.0 * p[0], 10.0, -1.0, 0.0],
        },
    );
    assert!(found.status.converged() && found.x.iter().all(|x| (x - 1.0).abs() < 1e-8), "{found}");
}

/// Residuals that are linear: one step leads to what the sums of the line say.
#[test]
fn a_line_takes_one_step() {
    let points: Vec<[f64; 2]> = (0..9).map(|k| [k as f64, 2.0 - 0.75 * k as f64 + [0.25, -0.5, 0.25][k % 3]]).collect();
    let mean = |c: usize| points.iter().map(|p| p[c]).sum::<f64>() / 9.0;
    let moment: f64 = points.iter().map(|p| (p[0] - mean(0)) * (p[1] - mean(1))).sum();
    let slope = moment / points.iter().map(|p| (p[0] - mean(0)).powi(2)).sum::<f64>();
    let offset = mean(1) - slope * mean(0);
    let line = |p: &[f64]| Residuals {
        values: points.iter().map(|[x, y]| p[0] + p[1] * x - y).collect(),
        jacobian: points.iter().flat_map(|[x, _]| [1.0, *x]).collect(),
    };
    let found = GaussNewton.minimize(&[50.0, -9.0], &Stop { gradient: 1e-10, ..Stop::default() }, line);
    assert_eq!((found.status, found.iterations), (Status::GradientSmall, 1), "{found}");
    assert!((found.x[0] - offset).abs() < 1e-12 && (found.x[1] - slope).abs() < 1e-12, "{found}");
}

/// The classic test of Levenberg-Marquardt: Rosenbrock's valley as two residuals, in single floats too.
#[test]
fn rosenbrock_as_residuals() {
    let found = LevenbergMarquardt::new().minimize(&[-1.2f32, 1.0], &Stop { gradient: 1e-5, ..Stop::default() }, |p| {
        Residuals {
            values: vec![10.0 * (p[1] - p[0] * p[0]), 1.0 - p[0]],
            jacobian: vec![-20.0 * p[0], 10.0, -1.0, 0.0],
        }
    });
    assert!(found.status.converged() && found.x.iter().all(|x| (x - 1.0).abs() < 1e-4), "{found}");
}

/// x and y count only in sum: Gauss-Newton says so, Levenberg-Marquardt finds a point of the line of solutions.
#[test]
fn parameters_that_residuals_do_not_tell_apart() {
    let sum = |p: &[f64]| Residuals {
        values: vec![p[0] + p[1] - 3.0, 2.0 * (p[0] + p[1]) - 6.0, 0.5 * (p[0] + p[1]) - 1.5],
        jacobian: vec![1.0, 1.0, 2.0, 2.0, 0.5, 0.5],
    };
    let singular = GaussNewton.minimize(&[5.0, 1.0], &Stop::default(), sum);
    assert_eq!((singular.status, singular.x.as_slice()), (Status::Singular, &[5.0, 1.0][..]));
    assert!(singular.to_string().contains("failed: the Jacobian's columns depend on each other"), "{singular}");
    let found = LevenbergMarquardt::new().minimize(&[5.0, 1.0], &Stop::default(), sum);
    assert!(found.status.converged() && (found.x[0] + found.x[1] - 3.0).abs() < 1e-6, "{found}");
}

/// Without a rule but an exact gradient, fits end where rounding does, with residuals left or none, and soon.
#[test]
fn fits_end_in_rounding() {
    let stop = Stop { gradient: 0.0, ..Stop::default() };
    for left in [0.0, 0.05] {
        let fit = |p: &[f64]| {
            let times = || (0..20).map(|k| 0.1 * f64::from(k));
            let noise = |t: f64| left * ((70.0 * t).round() % 5.0 - 2.0);
            Residuals {
                values: times().map(|t| p[0] * (-p[1] * t).exp() - 2.7 * (-1.3 * t).exp() + noise(t)).collect(),
                jacobian: times().flat_map(|t| [(-p[1] * t).exp(), -p[0] * t * (-p[1] * t).exp()]).collect(),
            }
        };
        let narrow = |p: &[f32]| {
            let wide = fit(&[f64::from(p[0]), f64::from(p[1])]);
            let rounded = |list: Vec<f64>| list.iter().map(|v| *v as f32).collect();
            Residuals { values: rounded(wide.values), jacobian: rounded(wide.jacobian) }
        };
        for start in [[2.0, 1.0], [1.0, 0.5], [3.0, 2.0], [2.5, 0.2]] {
            let gauss = GaussNewton.minimize(&start, &stop, fit);
            let damped = LevenbergMarquardt::new().minimize(&start, &stop, fit);
            let single = LevenbergMarquardt::new().minimize(&start.map(|v| v as f32), &stop, narrow);
            let halved = GaussNewton.minimize(&start.map(|v| v as f32), &stop, narrow);
            for (status, calls) in [
                (gauss.status, gauss.evaluations),
                (damped.status, damped.evaluations),
                (single.status, single.evaluations),
                (halved.status, halved.evaluations),
            ] {
                assert!(status.converged() && calls < 80, "{left} {start:?}: {status} after {calls} calls");
            }
            for k in 0..2 {
                assert!((gauss.x[k] - damped.x[k]).abs() < 1e-7, "{gauss}\n{damped}");
                assert!((gauss.x[k] - f64::from(single.x[k])).abs() < 1e-3, "{gauss}\n{single}");
            }
        }
    }
}

/// A parameter in other units scales its column, and the solution the other way: 1 and 2 / c.
#[test]
fn units_of_parameters_do_not_matter() {
    for c in [1e-200, 1e-150, 1e-15, 1e-6, 1e6, 1e160] {
        let fit = |p: &[f64]| Residuals {
            values: vec![p[0] - 1.0, p[0] + c * p[1] - 3.0, c * p[1] - 2.0],
            jacobian: vec![1.0, 0.0, 1.0, c, 0.0, c],
        };
        let stop = Stop { gradient: 0.0, ..Stop::default() };
        for found in
            [GaussNewton.minimize(&[0.0; 2], &stop, fit), LevenbergMarquardt::new().minimize(&[0.0; 2], &stop, fit)]
        {
            assert!(found.status.converged(), "{c}: {found}");
            assert!(
                (found.x[0] - 1.0).abs() < 1e-6 && (found.x[1] * c - 2.0).abs() < 1e-6,
                "{c}: {:?} {found}",
                found.x
            );
        }
    }
}

/// Fewer residuals than parameters: Gauss-Newton has no single step, and little damping leads to the nearest solution,
/// which is (1, 2) from the origin.
#[test]
fn fewer_residuals_than_parameters() {
    let line = |p: &[f64]| Residuals { values: vec![p[0] + 2.0 * p[1] - 5.0], jacobian: vec![1.0, 2.0] };
    let found = GaussNewton.minimize(&[0.0; 2], &Stop::default(), line);
    assert_eq!(found.status, Status::Singular, "{found}");
    let found = LevenbergMarquardt::new().damping(1e-9).minimize(&[0.0; 2], &Stop::default(), line);
    assert!(found.status.converged(), "{found}");
    assert!((found.x[0] - 1.0).abs() < 1e-6 && (found.x[1] - 2.0).abs() < 1e-6, "{found}");
}
