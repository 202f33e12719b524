//! Tapes inside tapes, on several threads, and after errors and panics.

use super::*;

#[kernel]
pub(super) fn scale(w: &[f32], x: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = w[i] * x[i];
}

#[on_every_device]
fn both_tapes_see_what_the_inner_one_records() {
    let mut a = array(&[2.0]);
    let (mut inner, mut middle) = (None, None);
    let (loss, outer) = Tape::record_with(|| {
        square_plus_one::launch(1, &mut a)?;
        let (loss, tape) = Tape::record_with(|| {
            square_plus_one::launch(1, &mut a)?;
            a.try_clone()
        })?;
        (inner, middle) = (Some(tape), Some(loss));
        square_plus_one::launch(1, &mut a)?;
        total(&a)
    })
    .unwrap();
    inner.unwrap().backward(middle.as_ref().unwrap()).unwrap();
    // By the value at the start of the inner recording, 5.
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [10.0]);
    outer.backward(&loss).unwrap();
    // 5, 26: 2 * 26 * 2 * 5 * 2 * 2.
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [52.0 * 10.0 * 4.0]);
    assert_eq!(outer.snapshot_bytes(), 3 * 4);
}

// Guards are for memory of the host.
#[on_the_cpu]
fn a_recording_ends_with_an_error_or_a_panic() {
    let mut a = array(&[2.0]);
    let failed = Tape::record(|| {
        square_plus_one::launch(1, &mut a)?;
        Err(warp::Error::Unavailable("no more".into()))
    });
    assert_eq!(failed.unwrap_err().to_string(), "no more");
    a.write().unwrap()[0] = 3.0; // not recorded any more, so guards are allowed
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = Tape::record(|| {
            square_plus_one::launch(1, &mut a)?;
            panic!("inside")
        });
    }));
    assert!(panicked.is_err());
    assert_eq!(a.write().unwrap()[0], 10.0);
    let (outer, inner) = (array(&[2.0]), array(&[0.0]));
    let tape = Tape::record(|| {
        let failed: Result<((), Tape), &str> = Tape::record_with(|| Err("inner"));
        assert_eq!(failed.err(), Some("inner"));
        let mut inner = inner.try_clone()?;
        inner.copy_from(&outer)
    });
    assert!(tape.unwrap().to_string().contains("2 times"), "the outer tape goes on");
}

#[on_every_device]
fn threads_share_arrays() {
    const THREADS: usize = 8;
    let (device, w) = (device(), array(&[2.0, 3.0]));
    std::thread::scope(|scope| {
        for t in 0..THREADS {
            let (device, w) = (&device, &w);
            scope.spawn(move || {
                for round in 0..50 {
                    let x = Array::from_slice(device, &[t as f32, round as f32]).unwrap();
                    let mut out = Array::zeros(device, 2).unwrap();
                    let (loss, tape) = Tape::record_with(|| {
                        scale::launch(2, w, &x, &mut out)?;
                        square_plus_one::launch(2, &mut out)?;
                        total(&out)
                    })
                    .unwrap();
                    tape.backward(&loss).unwrap();
                    let (t, r) = (t as f32, round as f32);
                    assert_eq!(tape.grad(w).unwrap().to_vec().unwrap(), [2.0 * 2.0 * t * t, 2.0 * 3.0 * r * r]);
                    assert_eq!(x.grad().unwrap().to_vec().unwrap(), [2.0 * 4.0 * t, 2.0 * 9.0 * r]);
                }
            });
        }
    });
    w.grad().unwrap();
}

#[on_every_device]
fn another_thread_is_not_recorded() {
    let mut a = array(&[2.0]);
    let (loss, tape) = Tape::record_with(|| {
        square_plus_one::launch(1, &mut a)?;
        let copy = total(&a)?;
        std::thread::scope(|scope| scope.spawn(|| square_plus_one::launch(1, &mut a)).join().unwrap())?;
        Ok::<_, warp::Error>(copy)
    })
    .unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [4.0], "by the start; the other thread's write came later");
}

#[on_every_device]
fn a_value_that_another_thread_overwrote_is_not_copied_later() {
    for checkpointed in [false, true] {
        let (mut w, x, mut out) = (array(&[2.0]), array(&[3.0]), array(&[0.0]));
        let ((), tape) = record(checkpointed, || {
            scale::launch(1, &w, &x, &mut out)?;
            std::thread::scope(|scope| scope.spawn(|| w.fill(9.0)).join().unwrap())?;
            w.fill(0.0)
        });
        let gone = TapeError::Gone { argument: "w".into(), kernel: "scale".into(), position: "1st".into() };
        assert_eq!(tape_error(tape.backward_with([(&out, &x)])), gone);
    }
}

#[on_every_device]
fn a_tape_goes_to_another_thread() {
    let mut a = array(&[2.0]);
    let (loss, tape) = Tape::record_with(|| {
        square_plus_one::launch(1, &mut a)?;
        total(&a)
    })
    .unwrap();
    std::thread::scope(|scope| {
        (0..4).for_each(|_| {
            scope.spawn(|| tape.backward(&loss).unwrap());
        });
    });
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [4.0]);
}

#[on_every_device]
fn a_backward_inside_a_recording_is_a_constant_or_refused() {
    let mut a = array(&[2.0]);
    let b = array(&[3.0]);
    let mut out = array(&[0.0]);
    let tape = Tape::record(|| {
        let (loss, inner) = Tape::record_with(|| {
            square_plus_one::launch(1, &mut a)?;
            total(&a)
        })?;
        inner.backward(&loss)?;
        scale::launch(1, &a.grad()?, &b, &mut out)
    })
    .unwrap();
    let position = "3rd".into();
    assert_eq!(tape_error(tape.backward(&out)), TapeError::SecondOrder { position });
    // Detached, it is a constant.
    let mut a = array(&[2.0]);
    let tape = Tape::record(|| {
        let (loss, inner) = Tape::record_with(|| {
            square_plus_one::launch(1, &mut a)?;
            total(&a)
        })?;
        inner.backward(&loss)?;
        scale::launch(1, &a.grad()?.detach(), &b, &mut out)
    })
    .unwrap();
    tape.backward(&out).unwrap();
    assert_eq!(b.grad().unwrap().to_vec().unwrap(), [4.0]);
}

#[on_every_device]
fn jacobians_on_several_threads_are_their_own() {
    let (w, x) = (array(&[2.0, 3.0]), array(&[5.0, 7.0]));
    let mut out = array(&[0.0; 2]);
    let tape = Tape::record(|| scale::launch(2, &w, &x, &mut out)).unwrap();
    let seed = array(&[100.0, 100.0]);
    tape.backward_with([(&out, &seed)]).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..100 {
                    assert_eq!(tape.jacobian(&out, &w).unwrap().values, [5.0, 0.0, 0.0, 7.0]);
                    assert_eq!(tape.jacobian(&out, &x).unwrap().values, [2.0, 0.0, 0.0, 3.0]);
                }
            });
        }
    });
    assert_eq!(tape.grad(&w).unwrap().to_vec().unwrap(), [500.0, 700.0], "what was found before stays");
    assert_eq!(w.grad().unwrap().to_vec().unwrap(), [500.0, 700.0]);
}
