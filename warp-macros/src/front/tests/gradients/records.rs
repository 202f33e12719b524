//! What a launch writes down for its reverse: what atomics returned, and how much loops overwrite.

use super::super::harness::{Source, arr, view};
use super::{f, gives, refused, seeded, zeros};

#[test]
fn places_in_a_queue() {
    let text = "fn k(x: &[f32], counter: &mut [u32], y: &mut [f32]) {
        let i = tid();
        if x[i] > 0.0 {
            let place = atomic_add(&mut counter[0], 1);
            y[place as usize] = x[i] * x[i];
        }
    }";
    // The evaluator runs threads in order, and the counter starts at 1.
    let arrays = [f(&[3., -1., 2., 5.]), arr(&[1u32]), zeros(5)];
    let seeds = [None, None, Some(f(&[7., 1., 10., 100., 9.]))];
    let out: [(usize, &[f64]); 1] = [(2, &[0., 9., 4., 25., 0.])];
    seeded(text, &[4], &arrays, &[], &seeds, &out, &[(0, &[6., 0., 40., 1000.]), (2, &[7., 0., 0., 0., 9.])]);
    let adjoint = Source::new(text).adjoint().1.unwrap();
    assert_eq!(adjoint.recording.unwrap().records.len(), 1);
}

#[test]
fn old_values_of_launches_in_two_dimensions() {
    let text = "fn k(x: View2<f32>, counter: &mut [u32], y: &mut [f32]) {
        let (i, j) = tid2();
        let place = atomic_sub(&mut counter[i], 2);
        let turns = atomic_max(&mut counter[2], place);
        let mut v = x[(i, j)];
        for _ in 0..turns { v = v * v; }
        y[place as usize] = v;
    }";
    // Places 4, 2 and 5, 3; turns 1, 4, 4, 5 and so the powers 2, 16, 16, 32.
    let arrays = [view(&[2, 2], &[1.5f32, 0.9, 1.1, 0.8]), arr(&[4u32, 5, 1]), zeros(6)];
    let seeds = [None, None, Some(f(&[0., 0., 2., 3., 5., 7.]))];
    let power = |x: f64, n: i32| f64::from(n) * x.powi(n - 1);
    let dx = [5. * power(1.5, 2), 2. * power(0.9, 16), 7. * power(1.1, 16), 3. * power(0.8, 32)];
    seeded(text, &[2, 2], &arrays, &[], &seeds, &[], &[(0, &dx), (2, &[0.; 6])]);
}

#[test]
fn old_values_in_loops_are_refused() {
    let text = "fn k(x: &[f32], counter: &mut [u32], y: &mut [f32]) {
        for j in 0..x.len() {
            let place = atomic_add(&mut counter[0], 1);
            y[place as usize] = x[j] * x[j];
        }
    }";
    let words = "what this atomic on `counter` returns depends on the order of threads, and in a loop it cannot be computed \
        again on the way back. Move it out of the loop, or mark the kernel `no_adjoint`";
    let arrays = [f(&[3., -1.]), arr(&[0u32]), zeros(5)];
    assert_eq!(refused(text, &[1], &arrays, &[]), (words.into(), Some("counter[0]".into())));
    // Nothing depends on it.
    let text = text.replace("place as usize", "j");
    let grad: [(usize, &[f64]); 2] = [(0, &[6., -2.]), (2, &[0., 0., 1., 1., 1.])];
    gives(&text, &[1], &arrays, &[], &[], &grad);
}

/// `a[j] *= a[j - 1] + 0.5` along a long array: each turn reads what the one before it wrote.
#[test]
fn loops_overwrite_any_number_of_elements() {
    let text = "fn k(a: &mut [f32], n: usize) {
        let start = tid() * n;
        for j in start + 1..start + n { a[j] = a[j] * (a[j - 1] + 0.5); }
    }";
    let n = 3000;
    let start: Vec<f32> = (0..2 * n).map(|k| 0.6 + 0.3 * (k as f32).sin()).collect();
    let (mut out, mut grad) = (start.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>(), vec![1.0f64; 2 * n]);
    for first in [0, n] {
        for j in first + 1..first + n {
            out[j] *= out[j - 1] + 0.5;
        }
        // Backwards, with each element before and after its write.
        for j in (first + 1..first + n).rev() {
            grad[j - 1] += grad[j] * f64::from(start[j]);
            grad[j] *= out[j - 1] + 0.5;
        }
    }
    gives(text, &[2], &[f(&start)], &[n as u64], &[(0, &out)], &[(0, &grad)]);
    let adjoint = Source::new(text).adjoint().1.unwrap();
    assert_eq!((adjoint.logs.len(), adjoint.recording.unwrap().records.len()), (1, 1));
}

/// Rows of a view, sorted by exchanges that depend on the data.
#[test]
fn loops_overwrite_elements_of_views() {
    let text = "fn k(a: ViewMut2<f32>, n: usize) {
        let i = tid();
        for last in (1..n).rev() {
            for j in 0..last {
                if a[(i, j)] > a[(i, j + 1)] {
                    let larger = a[(i, j)];
                    a[(i, j)] = a[(i, j + 1)];
                    a[(i, j + 1)] = larger;
                }
            }
        }
    }";
    let rows = [[3f32, 1., 4., 1.5, 9., 2.], [6., 5., 3.5, -8., 0., 7.]];
    let (mut seeds, mut expected) = (vec![], vec![]);
    for row in rows {
        let mut sorted = row;
        sorted.sort_by(f32::total_cmp);
        seeds.extend((0..6).map(|rank| 10f32.powi(rank)));
        expected.extend(row.map(|x| 10f64.powi(sorted.iter().position(|&s| s == x).unwrap() as i32)));
    }
    let arrays = [view(&[2, 6], &rows.concat())];
    seeded(text, &[2], &arrays, &[6], &[Some(view(&[2, 6], &seeds))], &[], &[(0, &expected)]);
    let adjoint = Source::new(text).adjoint().1.unwrap();
    assert_eq!(adjoint.logs.len(), 1);
}

#[test]
fn short_logs_need_nothing_of_the_launch() {
    let text = "fn k(a: &mut [f32]) { for j in 1..9 { a[j] = a[j] * a[(j * 5) % 7]; } }";
    let adjoint = Source::new(text).adjoint().1.unwrap();
    assert_eq!((adjoint.logs.len(), adjoint.recording), (0, None));
    let start: Vec<f32> = (0..9).map(|k| 1.0 + 0.125 * k as f32).collect();
    let (mut a, mut steps) = (start.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>(), vec![]);
    for j in 1..9 {
        steps.push((a[j], a[(j * 5) % 7]));
        a[j] *= a[(j * 5) % 7];
    }
    let mut grad = vec![1.0; 9];
    for j in (1..9usize).rev() {
        let ((own, other), adjoint) = (steps[j - 1], std::mem::take(&mut grad[j]));
        grad[j] += adjoint * other;
        grad[(j * 5) % 7] += adjoint * own;
    }
    gives(text, &[1], &[f(&start)], &[], &[(0, &a)], &[(0, &grad)]);
}
