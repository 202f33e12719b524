//! Writes during a recording that the tape does not see: they count as constants.

use super::*;

#[kernel]
fn double(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = 2.0 * x[i];
}

#[kernel]
fn square(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i] * x[i];
}

fn elsewhere<T: Send>(body: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(body).join().unwrap())
}

type Write = fn(&mut Array<f32>) -> Result<(), warp::Error>;

/// Ways to set element 1 of an array of three, and 1 and 2 with the first.
const WRITES: [Write; 3] = [
    |y| elsewhere(|| y.slice_mut(1..)?.fill(7.0)),
    |y| elsewhere(|| y.write().map(|mut y| y[1] = 7.0)),
    |y| warp::record_fn("other", (&array(&[1.0]),), (&mut array(&[0.0]),), |_, _| y.fill(7.0), |_| Ok(())),
];

/// Elements of an array that are constant after each of these: a guard may have written all.
const CONSTANT: [[bool; 3]; 3] = [[false, true, true], [true; 3], [true; 3]];

fn kept(constant: [bool; 3], x: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|k| if constant[k] { 0.0 } else { x[k] })
}

// Guards are for memory of the host.
#[on_the_cpu]
fn no_gradient_flows_through_what_was_overwritten_unseen() {
    for checkpointed in [false, true] {
        for (write, constant) in WRITES.into_iter().zip(CONSTANT) {
            let (x, mut y) = (array(&[3.0; 3]), array(&[0.0; 3]));
            let (loss, tape) = record(checkpointed, || {
                double::launch(3, &x, &mut y)?;
                write(&mut y)?;
                total(&y)
            });
            tape.backward(&loss).unwrap();
            assert_eq!(x.grad().unwrap().to_vec().unwrap(), kept(constant, [2.0; 3]));
            assert_eq!(y.grad().unwrap().to_vec().unwrap(), [0.0; 3], "all of it was overwritten");
        }
    }
}

// Guards are for memory of the host.
#[on_the_cpu]
fn what_was_written_unseen_is_what_the_way_back_reads() {
    for checkpointed in [false, true] {
        for (write, constant) in WRITES.into_iter().zip(CONSTANT) {
            let (x, mut y, mut z) = (array(&[3.0; 3]), array(&[0.0; 3]), array(&[0.0; 3]));
            let (mut seen, scale) = (vec![], array(&[1.0; 3]));
            let (loss, tape) = record(checkpointed, || {
                double::launch(3, &x, &mut y)?;
                write(&mut y)?;
                seen = y.to_vec()?;
                // The gradient by `scale` is the second power of what was found in `y`; that by `y` is twice it.
                square::launch(3, &y, &mut z)?;
                y.copy_from(&z)?;
                several::scale::launch(3, &scale, &y, &mut z)?;
                y.fill(0.0)?;
                total(&z)
            });
            tape.backward(&loss).unwrap();
            let squares: Vec<f32> = seen.iter().map(|y| y * y).collect();
            assert_eq!(scale.grad().unwrap().to_vec().unwrap(), squares);
            // d(2x)^2 = 8x.
            assert_eq!(x.grad().unwrap().to_vec().unwrap(), kept(constant, [24.0; 3]));
        }
    }
}

#[on_every_device]
fn what_is_written_unseen_after_its_last_use_is_no_result() {
    for checkpointed in [false, true] {
        let (x, mut y, ones) = (array(&[3.0; 3]), array(&[0.0; 3]), array(&[1.0; 3]));
        let ((), tape) = record(checkpointed, || {
            double::launch(3, &x, &mut y)?;
            elsewhere(|| y.slice_mut(..2)?.fill(7.0))
        });
        tape.backward_with([(&y, &ones)]).unwrap();
        assert_eq!(x.grad().unwrap().to_vec().unwrap(), [0.0, 0.0, 2.0]);
        assert!(tape.to_string().contains("`a write outside the tape`"), "{tape}");
    }
}

/// Of two tapes each has the writes that it did not see, and of those before its first use none.
#[on_every_device]
fn each_tape_has_the_writes_that_it_did_not_see() {
    for checkpointed in [false, true] {
        let (x, mut y) = (array(&[3.0; 3]), array(&[0.0; 3]));
        let (mut inner, mut loss) = (None, None);
        let ((), outer) = record(checkpointed, || {
            double::launch(3, &x, &mut y)?;
            elsewhere(|| y.fill(7.0))?;
            let (total, tape) = record(checkpointed, || total(&y));
            (inner, loss) = (Some(tape), Some(total));
            Ok(())
        });
        let loss = loss.unwrap();
        inner.unwrap().backward(&loss).unwrap();
        assert_eq!(y.grad().unwrap().to_vec().unwrap(), [1.0; 3]);
        outer.backward(&loss).unwrap();
        assert_eq!(x.grad().unwrap().to_vec().unwrap(), [0.0; 3]);
    }
}

/// As in rollouts of many steps, with writes to a part between some of them.
#[on_every_device]
fn a_long_rollout_with_writes_from_elsewhere() {
    const STEPS: usize = 60;
    let run = |checkpointed: bool, seen: bool| {
        let (mut a, mut b, w) = (array(&[0.9, 0.8, 0.7]), array(&[0.0; 3]), array(&[1.01, 1.02, 0.99]));
        let (loss, tape) = record(checkpointed, || {
            for k in 0..STEPS {
                several::scale::launch(3, &w, &a, &mut b)?;
                a.copy_from(&b)?;
                if k % 9 == 4 {
                    let value = 0.4 + 0.001 * k as f32;
                    match seen {
                        true => a.slice_mut(1..2)?.fill(value)?,
                        false => elsewhere(|| a.slice_mut(1..2)?.fill(value))?,
                    }
                }
            }
            total(&a)
        });
        tape.backward(&loss).unwrap();
        [a, w].map(|array| tape.grad(&array).unwrap().to_vec().unwrap())
    };
    // A write by this thread says the same.
    let expected = run(false, true);
    // The last write is before the last step.
    assert_eq!((expected[0][1], expected[1][1]), (0.0, 0.4 + 0.001 * 58.0));
    for (checkpointed, seen) in [(true, true), (true, false), (false, false)] {
        assert_eq!(run(checkpointed, seen), expected);
    }
}
