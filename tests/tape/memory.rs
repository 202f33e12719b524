//! What a tape keeps.

use super::*;

#[kernel]
fn integrate(pos: &mut [f32], vel: &mut [f32], force: &[f32], dt: f32) {
    let i = tid();
    vel[i] += force[i] * dt;
    pos[i] += vel[i] * dt;
}

#[on_every_device]
fn a_linear_rollout_keeps_nothing() {
    const STEPS: usize = 1000;
    let (n, dt) = (8, 1.0 / 64.0f32);
    let (mut pos, mut vel) = (array(&vec![1.0; n]), array(&vec![2.0; n]));
    let force = array(&vec![0.5; n]);
    let (loss, tape) = Tape::record_with(|| {
        for _ in 0..STEPS {
            integrate::launch(n, &mut pos, &mut vel, &force, dt)?;
        }
        total(&pos)
    })
    .unwrap();
    assert_eq!(tape.snapshot_bytes(), 0);
    tape.backward(&loss).unwrap();
    assert_eq!(tape.peak_snapshot_bytes(), 0);
    let steps = STEPS as f32;
    assert_eq!(pos.grad().unwrap().to_vec().unwrap(), vec![1.0; n]);
    assert_eq!(vel.grad().unwrap().to_vec().unwrap(), vec![steps * dt; n]);
    // Step k of n moves the end by dt^2 (n - k).
    assert_eq!(force.grad().unwrap().to_vec().unwrap(), vec![dt * dt * steps * (steps + 1.0) / 2.0; n]);
}

#[on_every_device]
fn a_nonlinear_step_keeps_one_array() {
    const STEPS: usize = 20;
    let mut a = array(&[0.25; 16]);
    let (_, tape) = Tape::record_with(|| {
        for _ in 0..STEPS {
            square_plus_one::launch(16, &mut a)?;
        }
        total(&a)
    })
    .unwrap();
    assert_eq!(tape.snapshot_bytes(), STEPS * 16 * 4);
}

#[kernel]
fn product(a: &[f32], b: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * b[i];
}

#[on_every_device]
fn what_is_read_stays_in_place_until_it_is_overwritten() {
    let (mut a, b) = (array(&[2.0; 4]), array(&[3.0; 4]));
    let mut out = array(&[0.0; 4]);
    let (loss, tape) = Tape::record_with(|| {
        let mut loss = array(&[0.0]);
        for _ in 0..5 {
            product::launch(4, &a, &b, &mut out)?;
            sum::launch(4, &out, &mut loss)?;
        }
        Ok::<_, warp::Error>(loss)
    })
    .unwrap();
    assert_eq!(tape.snapshot_bytes(), 0);
    tape.backward(&loss).unwrap();
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [15.0; 4]);
    // A recorded write copies once for all that need it.
    let (loss, tape) = Tape::record_with(|| {
        let mut loss = array(&[0.0]);
        for _ in 0..5 {
            product::launch(4, &a, &b, &mut out)?;
            sum::launch(4, &out, &mut loss)?;
        }
        a.set(0, 100.0)?;
        a.set(1, 100.0)?;
        Ok::<_, warp::Error>(loss)
    })
    .unwrap();
    assert_eq!(tape.snapshot_bytes(), 16);
    tape.backward(&loss).unwrap();
    assert_eq!(b.grad().unwrap().to_vec().unwrap(), [10.0; 4]);
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [15.0; 4]);
    drop(tape);
}

// Guards are for memory of the host.
#[on_the_cpu]
fn a_write_outside_the_tape_is_found() {
    for write in [
        (|a| a.set(2, 5.0)) as fn(&mut Array<f32>) -> Result<(), warp::Error>,
        |a| a.fill(1.0),
        |a| a.copy_from_slice(&[0.0; 4]),
        |a| a.copy_from(&array(&[1.0; 4])),
        |a| square_plus_one::launch(4, a),
        |a| square_plus_one::launch(1, &mut *a.slice_mut(3..)?),
        |a| a.write().map(drop),
    ] {
        let (mut a, b) = (array(&[2.0; 4]), array(&[3.0; 4]));
        let (loss, tape) = Tape::record_with(|| {
            let mut out = array(&[0.0; 4]);
            product::launch(4, &a, &b, &mut out)?;
            total(&out)
        })
        .unwrap();
        tape.backward(&loss).unwrap();
        write(&mut a).unwrap();
        let error = tape.backward(&loss).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`a`: the value that launch `product` (1st on the tape) read is gone; it was written outside the tape. Call \
             `backward` before, or write to a copy of the array"
        );
        drop(b);
    }
}

#[on_every_device]
fn other_parts_may_be_written_outside() {
    let (mut a, b) = (array(&[2.0; 8]), array(&[3.0; 4]));
    let (loss, tape) = Tape::record_with(|| {
        let mut out = array(&[0.0; 4]);
        product::launch(4, &*a.slice(..4)?, &b, &mut out)?;
        total(&out)
    })
    .unwrap();
    a.slice_mut(4..).unwrap().fill(9.0).unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(b.grad().unwrap().to_vec().unwrap(), [2.0; 4]);
    // Read or written after it is watched no more, it is as any other.
    drop(tape);
    a.fill(1.0).unwrap();
}

#[on_every_device]
fn memory_that_nobody_needs_may_go() {
    let a = array(&[1.0; 4]);
    let (loss, tape) = Tape::record_with(|| {
        let mut b = a.try_clone()?;
        for _ in 0..3 {
            let mut next = array(&[0.0; 4]);
            product::launch(4, &b, &a, &mut next)?;
            b = next;
        }
        total(&b)
    })
    .unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [4.0; 4]);
}
