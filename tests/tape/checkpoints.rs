//! Tapes that run steps again.

use super::*;

#[kernel]
fn step(a: &mut [f32], drive: &[f32]) {
    let i = tid();
    a[i] = a[i] * a[i] * 0.25 + drive[i];
}

const N: usize = 64;
const STEPS: usize = 1000;
const STATE: usize = N * size_of::<f32>();

fn bits(a: &Array<f32>) -> Vec<u32> {
    a.to_vec().unwrap().iter().map(|x| x.to_bits()).collect()
}

fn start() -> (Array<f32>, Array<f32>) {
    let of = |scale: f32| array(&(0..N).map(|k| scale * (0.5 + k as f32 / N as f32)).collect::<Vec<_>>());
    (of(0.9), of(0.4))
}

#[on_every_device]
fn a_thousand_steps_in_the_memory_of_seventy() {
    let run = |checkpointed: bool| {
        let (mut a, drive) = start();
        let body = || {
            (0..STEPS).try_for_each(|_| step::launch(N, &mut a, &drive))?;
            total(&a)
        };
        let (loss, tape) = record(checkpointed, body);
        let end = bits(&a);
        tape.backward(&loss).unwrap();
        tape.backward(&loss).unwrap();
        assert_eq!(bits(&a), end, "the user's array is as it was");
        (bits(&a.grad().unwrap()), bits(&drive.grad().unwrap()), tape)
    };
    let (a, drive, plain) = run(false);
    let (a_again, drive_again, tape) = run(true);
    assert_eq!((a, drive), (a_again, drive_again));
    assert_eq!(plain.peak_snapshot_bytes(), STEPS * STATE);
    let peak = tape.peak_snapshot_bytes();
    assert!(peak < 70 * STATE && peak > 30 * STATE, "{} states", peak as f64 / STATE as f64);
    assert!(tape.snapshot_bytes() <= 64 * STATE, "what a pass takes it gives back");
}

#[on_every_device]
fn what_the_host_wrote_is_kept() {
    let run = |checkpointed: bool| {
        let (mut a, mut drive) = start();
        let mut force = array(&[0.0; N]);
        let body = || {
            for k in 0..40 {
                step::launch(N, &mut a, &drive)?;
                force.fill(k as f32 / 80.0)?;
                step::launch(N, &mut force, &a)?;
                if k % 7 == 3 {
                    drive.copy_from(&force)?;
                    drive.slice_mut(3..9)?.copy_from_slice(&[0.1 * k as f32; 6])?;
                    a.set(5, 0.5)?;
                }
                if k % 5 == 2 {
                    warp::record_fn(
                        "shrink",
                        (&force,),
                        (&mut a,),
                        |(f,), (a,)| a.copy_from_slice(&f.to_vec()?.iter().map(|x| x.tanh()).collect::<Vec<_>>()),
                        |back| {
                            let (y, dy) = (back.outputs.0.to_vec()?, back.output_gradients.0.to_vec()?);
                            let dx: Vec<f32> = y.iter().zip(&dy).map(|(y, dy)| (1.0 - y * y) * dy).collect();
                            back.input_gradients.0.copy_from_slice(&dx)
                        },
                    )?;
                }
            }
            total(&a)
        };
        let (loss, tape) = record(checkpointed, body);
        tape.backward(&loss).unwrap();
        [a, drive, force].map(|array| bits(&tape.grad(&array).unwrap()))
    };
    assert_eq!(run(false), run(true));
}

#[on_every_device]
fn states_that_change_places_and_slices_of_one_array() {
    let run = |checkpointed: bool| {
        let (mut a, drive) = start();
        let mut b = array(&[0.0; N]);
        let body = || {
            for k in 0..100 {
                step::launch(N / 2, &mut *a.slice_mut(N / 4..3 * N / 4)?, &drive)?;
                b.copy_from(&a)?;
                std::mem::swap(&mut a, &mut b);
                if k % 10 == 0 {
                    step::launch(N, &mut b, &a)?;
                }
            }
            total(&a)
        };
        let (loss, tape) = record(checkpointed, body);
        tape.backward(&loss).unwrap();
        [a, b, drive].map(|array| bits(&tape.grad(&array).unwrap()))
    };
    assert_eq!(run(false), run(true));
}

#[on_every_device]
fn the_end_may_be_overwritten_and_what_is_only_read_may_not() {
    let (mut a, mut drive) = start();
    let (loss, tape) = Tape::checkpointed_with(|| {
        (0..10).try_for_each(|_| step::launch(N, &mut a, &drive))?;
        total(&a)
    })
    .unwrap();
    tape.backward(&loss).unwrap();
    let grad = bits(&a.grad().unwrap());
    drive.set(0, 3.0).unwrap();
    let gone = TapeError::Gone { argument: "drive".into(), kernel: "step".into(), position: "9th".into() };
    assert_eq!(tape_error(tape.backward(&loss)), gone);
    assert_eq!(bits(&a.grad().unwrap()), grad, "the gradient of the last pass that ended");
}

#[kernel]
fn draw(counter: &mut [u32], ticket: &mut [u32]) {
    ticket[tid()] = atomic_add(&mut counter[0], 1);
}

#[kernel]
fn number(counter: &mut [u32], ticket: &mut [u32]) {
    atomic_add(&mut counter[0], 1);
    ticket[tid()] = tid() as u32;
}

/// Which thread draws which number is another matter each time, also where no float is in sight: what was drawn is kept.
#[on_every_device]
fn what_depends_on_the_order_of_threads_is_kept() {
    let kept = |draws: bool| {
        let (mut counter, mut ticket) = (Array::zeros(&device(), 1).unwrap(), Array::zeros(&device(), N).unwrap());
        let body = || match draws {
            true => draw::launch(N, &mut counter, &mut ticket),
            false => number::launch(N, &mut counter, &mut ticket),
        };
        Tape::checkpointed(body).unwrap().snapshot_bytes()
    };
    assert_eq!(kept(true) - kept(false), (N + 1) * size_of::<u32>());
}
