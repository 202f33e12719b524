//! What is written beside the launches of a run.

use super::*;

#[kernel]
fn squares(x: &[f64], y: &mut [f64]) {
    let i = tid();
    y[i] = x[i] * x[i];
}

type Write = fn(&mut Array<f64>) -> Result<(), Error>;

/// Ways for somebody else to set element 1 of three, and whether all elements count as written.
const WRITES: [(Write, bool); 4] = [
    (|x| x.slice_mut(1..2)?.fill(5.0), false),
    (|x| x.set(1, 5.0), false),
    (|x| x.write().map(|mut x| x[1] = 5.0), true),
    (|x| std::thread::scope(|scope| scope.spawn(|| x.slice_mut(1..2)?.fill(5.0)).join().unwrap()), false),
];

/// What is written between two runs, or unseen in one, is a constant: it has no tangent, whoever reads it next.
///
/// On the CPU, as guards are for memory of the host.
#[on_the_cpu]
fn what_is_written_outside_has_no_tangent() -> Result<(), Error> {
    let device = device();
    let array = |values: &[f64]| Array::from_slice(&device, values);
    for (k, (write, all)) in WRITES.into_iter().enumerate() {
        for copied in [false, true] {
            let (mut x, mut y, mut between) = (array(&[2.0, 3.0, 4.0])?, array(&[0.0; 3])?, array(&[0.0; 3])?);
            let mut along = Tangents::new();
            along.seed(&x, &array(&[1.0, 10.0, 100.0])?)?;
            along.run(|| squares::launch(3, &x, &mut y))?;
            assert_eq!(along.of(&y)?.to_vec()?, [4.0, 60.0, 800.0]);
            write(&mut x)?;
            // Tangents are those of what the last run left.
            assert_eq!(along.of(&x)?.to_vec()?, [1.0, 10.0, 100.0]);
            let tape = Tape::record(|| {
                along.run(|| {
                    match copied {
                        true => between.copy_from(&x)?,
                        false => squares::launch(3, &x, &mut between)?,
                    }
                    squares::launch(3, &between, &mut y)
                })
            })?;
            let kept = |k: usize| if all || k == 1 { 0.0 } else { [1.0, 10.0, 100.0][k] };
            let slope = |k: usize, x: f64| if copied { 2.0 * x } else { [32.0, 0.0, 256.0][k] };
            let expected: Vec<f64> = x.to_vec()?.into_iter().enumerate().map(|(k, x)| kept(k) * slope(k, x)).collect();
            assert_eq!(along.of(&y)?.to_vec()?, expected, "write {k}");
            assert_eq!(along.of(&x)?.to_vec()?, [0, 1, 2].map(kept), "write {k}");
            // The tape goes back through the same.
            let ones = array(&[1.0; 3])?;
            tape.backward_with([(&along.of(&y)?, &ones)])?;
            let curvature = |k: usize, x: f64| if copied { 2.0 } else { 12.0 * x * x } * kept(k);
            let expected: Vec<f64> = x.to_vec()?.into_iter().enumerate().map(|(k, x)| curvature(k, x)).collect();
            assert_eq!(tape.grad(&x)?.to_vec()?, expected, "write {k}");
            // What runs write themselves goes on.
            along.run(|| squares::launch(3, &y, &mut between))?;
            let (y, dy) = (y.to_vec()?, along.of(&y)?.to_vec()?);
            let expected: Vec<f64> = y.iter().zip(&dy).map(|(y, dy)| 2.0 * y * dy).collect();
            assert_eq!(along.of(&between)?.to_vec()?, expected, "write {k}");
        }
    }
    Ok(())
}

/// A write by another thread while a run is going on.
#[on_every_device]
fn what_another_thread_writes_during_a_run_has_no_tangent() -> Result<(), Error> {
    let device = device();
    let (x, mut y, mut z) =
        (Array::from_slice(&device, &[2.0, 3.0])?, Array::zeros(&device, 2)?, Array::zeros(&device, 2)?);
    let mut along = Tangents::new();
    along.seed(&x, &Array::from_slice(&device, &[1.0, 10.0])?)?;
    along.run(|| {
        squares::launch(2, &x, &mut y)?;
        std::thread::scope(|scope| scope.spawn(|| y.slice_mut(..1)?.fill(7.0)).join().unwrap())?;
        squares::launch(2, &y, &mut z)
    })?;
    assert_eq!(z.to_vec()?, [49.0, 81.0]);
    // d (x x)^2 = 4 x^3.
    assert_eq!(along.of(&z)?.to_vec()?, [0.0, 4.0 * 27.0 * 10.0]);
    Ok(())
}
