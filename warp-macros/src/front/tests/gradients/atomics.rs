//! Atomics: sums, and maxima of which one thread wins.

use super::super::harness::Source;
use super::{f, gives, refused, seeded, zeros};

#[test]
fn the_winner_of_a_maximum_takes_the_gradient() {
    let text = "fn k(x: &[f32], w: &[f32], best: &mut [f32]) {
        let i = tid();
        let v = x[i] * w[i];
        atomic_max(&mut best[0], v);
    }";
    let arrays = |best| [f(&[1., 4., 2., 3.]), f(&[2., 1., 0.5, 1.5]), f(&[best])];
    // Of the loss best²: 2 best is the seed.
    let seeds = |best: f32| [None, None, Some(f(&[2. * best]))];
    seeded(
        text,
        &[4],
        &arrays(-1e30),
        &[],
        &seeds(4.5),
        &[(2, &[4.5])],
        &[(0, &[0., 0., 0., 13.5]), (1, &[0., 0., 0., 27.]), (2, &[0.])],
    );
    // What stood there before wins, and keeps the gradient.
    seeded(
        text,
        &[4],
        &arrays(100.),
        &[],
        &seeds(100.),
        &[(2, &[100.])],
        &[(0, &[0.; 4]), (1, &[0.; 4]), (2, &[200.])],
    );
}

#[test]
fn one_of_equal_winners_takes_all() {
    let text = "fn k(x: &[f32], best: &mut [f32]) { atomic_min(&mut best[0], x[tid()]); }";
    let arrays = [f(&[3., 1., 1., 2.]), f(&[9.])];
    let (_, found) = Source::new(text).backward(&[4], &arrays, &[], &[]).unwrap();
    assert_eq!(found[0].iter().sum::<f64>(), 1.0, "{found:?}");
    assert_eq!((found[0][0], found[0][3], found[1][0]), (0., 0., 0.));
    // A thread wins over what stood there before.
    let arrays = [f(&[3., 1., 2.]), f(&[1.])];
    gives(text, &[3], &arrays, &[], &[(1, &[1.])], &[(0, &[0., 1., 0.]), (1, &[0.])]);
}

#[test]
fn a_constant_that_wins_drops_the_gradient() {
    let text = "fn k(x: &[f32], best: &mut [f32]) {
        atomic_max(&mut best[0], x[tid()]);
        atomic_max(&mut best[0], 2.0);
    }";
    gives(text, &[2], &[f(&[1., -1.]), f(&[0.])], &[], &[(1, &[2.])], &[(0, &[0., 0.]), (1, &[0.])]);
    gives(text, &[2], &[f(&[1., 5.]), f(&[0.])], &[], &[(1, &[5.])], &[(0, &[0., 1.]), (1, &[0.])]);
}

#[test]
fn bounds_of_points_in_loops_and_branches() {
    let text = "struct Bounds { low: f32, high: f32 }
    fn k(x: &[f32], first: &[u32], bounds: &mut [Bounds]) {
        let i = tid();
        for j in first[i]..first[i + 1] {
            let v = x[j as usize] * x[j as usize];
            if v < 50.0 {
                atomic_min(&mut bounds[i / 2].low, v);
                atomic_max(&mut bounds[i / 2].high, v);
            }
        }
    }";
    let first = super::arr(&[0u32, 2, 3, 3, 6]);
    let arrays = [f(&[1., -3., 2., 5., 8., -4.]), first, f(&[1e9, -1e9, 1e9, -1e9])];
    let seeds = [None, None, Some(f(&[1., 10., 100., 1000.]))];
    seeded(
        text,
        &[4],
        &arrays,
        &[],
        &seeds,
        &[(2, &[1., 9., 16., 25.])],
        &[(0, &[2., -60., 0., 10_000., 0., -800.]), (2, &[0.; 4])],
    );
}

#[test]
fn atomics_on_local_arrays_are_reads_and_writes() {
    let text = "fn k(x: &[f32], y: &mut [f32]) {
        let i = tid();
        let mut a = [0.5; 3];
        for j in 0..x.len() {
            let v = x[j] * (i + 1) as f32;
            atomic_max(&mut a[0], v);
            let old = atomic_exchange(&mut a[1 + j % 2], v * v);
            atomic_add(&mut a[0], old * 0.25);
        }
        y[i] = a[0] + a[1] * a[2];
    }";
    let x = [1., 2., -1.];
    let y = |x: [f64; 3], scale: f64| {
        let mut a = [0.5f64; 3];
        for (j, x) in x.into_iter().enumerate() {
            let v = x * scale;
            a[0] = a[0].max(v);
            let old = std::mem::replace(&mut a[1 + j % 2], v * v);
            a[0] += old * 0.25;
        }
        a[0] + a[1] * a[2]
    };
    let slope = |k: usize| {
        let at = |step: f64| {
            let mut moved = x;
            moved[k] += step;
            y(moved, 1.) + y(moved, 2.)
        };
        (at(1e-5) - at(-1e-5)) / 2e-5
    };
    let arrays = [f(&[1., 2., -1.]), zeros(2)];
    gives(text, &[2], &arrays, &[], &[(1, &[y(x, 1.), y(x, 2.)])], &[(0, &[slope(0), slope(1), slope(2)])]);
}

#[test]
fn atomics_without_a_gradient() {
    let of = |body: &str| {
        let text = format!("fn k(x: &[f32], y: &mut [f32], z: &mut [f32]) {{ let i = tid(); {body} }}");
        refused(&text, &[2], &[f(&[1., 2.]), zeros(2), zeros(2)], &[])
    };
    let maximum = "`y` holds the maximum of what threads find, and is also written in another way, so that what won cannot \
        be told. Use a separate array for the maximum";
    for other in ["y[1] = x[i];", "atomic_add(&mut y[1], x[i]);", "atomic_min(&mut y[1], x[i]);"] {
        let (words, at) = of(&format!("atomic_max(&mut y[0], x[i]); {other}"));
        assert!(words == maximum || words == maximum.replace("maximum", "minimum"), "{words}");
        assert_eq!(at.as_deref(), Some("y[1]"), "{other}");
    }
    let order = "what this atomic on `y` returns depends on the order of threads; its derivative is undefined. Split the \
        kernel in two, or wrap the value in `detach(..)` if a derivative of zero is meant";
    let place = Some("y[0]".to_string());
    assert_eq!(of("z[i] = atomic_add(&mut y[0], x[i]);"), (order.into(), place));
    let kind = "an atomic exchange on the floats of `y` has no derivative, as it depends on the order of threads. Use \
        atomic additions, maxima or minima, or mark the kernel `no_adjoint`";
    let place = Some("y[0]".to_string());
    assert_eq!(of("atomic_exchange(&mut y[0], x[i]);"), (kind.into(), place));
    let kind = kind.replace("an atomic exchange", "an atomic compare-exchange");
    let place = Some("y[0]".to_string());
    assert_eq!(of("atomic_compare_exchange(&mut y[0], 0.0, x[i]);"), (kind, place));
    let read = "`y` is added to by other threads and read in the same kernel, so that what is read depends on their order. \
        Use two kernels";
    assert_eq!(of("atomic_add(&mut y[0], x[i]); z[i] = y[i] * y[i];"), (read.into(), Some("y[i]".into())));
    // The value is not carried on, and decides what is: it depends on the order all the same.
    let read = read.replace("added to", "written");
    let (words, _) = of("if x[i] > y[0] { atomic_max(&mut y[0], x[i]); }");
    assert_eq!(words, read);
}
