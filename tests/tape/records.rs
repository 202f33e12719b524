//! Launches that write down what their way back cannot compute again.

use super::*;

#[kernel]
fn compact(x: &[f32], counter: &mut [u32], out: &mut [f32], from: &mut [u32]) {
    let i = tid();
    if x[i] > 0.0 {
        let slot = atomic_add(&mut counter[0], 1) as usize;
        out[slot] = x[i] * x[i];
        from[slot] = i as u32;
    }
}

#[kernel]
fn weigh(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * (i + 1) as f32;
}

#[on_every_device]
fn places_that_an_atomic_gave_are_found_again() {
    const N: usize = 5000;
    let values: Vec<f32> = (0..N).map(|k| if k % 3 == 0 { -1.0 } else { 1.0 + (k % 7) as f32 }).collect();
    for checkpointed in [false, true] {
        let mut x = array(&values);
        let mut out = array(&[0.0; N]);
        let mut counter = Array::from_slice(x.device(), &[0u32]).unwrap();
        let mut from = Array::from_slice(x.device(), &[0u32; N]).unwrap();
        let mut weighed = array(&[0.0; N]);
        let (loss, tape) = record(checkpointed, || {
            compact::launch(N, &x, &mut counter, &mut out, &mut from)?;
            weigh::launch(N, &out, &mut weighed)?;
            x.fill(0.0)?;
            counter.fill(0)?;
            total(&weighed)
        });
        assert!(tape.snapshot_bytes() >= 4 * N, "what it wrote down is counted");
        tape.backward(&loss).unwrap();
        let from = from.to_vec().unwrap();
        let mut expected = vec![0.0; N];
        let kept = values.iter().filter(|x| **x > 0.0).count();
        (0..kept).for_each(|slot| {
            let at = from[slot] as usize;
            expected[at] = 2.0 * values[at] * (slot + 1) as f32;
        });
        assert_eq!(x.grad().unwrap().to_vec().unwrap(), expected);
    }
}

#[kernel]
fn walk(a: &mut [f32], turns: &[u32]) {
    let i = tid() * 4;
    let mut k = 0;
    while k < turns[tid()] as usize {
        let at = i + k % 3;
        a[at + 1] = a[at] * 0.5 + a[at + 1] * a[at + 1] * 0.25;
        k += 1;
    }
}

/// The same for one thread, with a derivative.
fn walked(mut a: [f64; 4], along: usize, turns: u32) -> [f64; 4] {
    let mut d = [0.0; 4];
    d[along] = 1.0;
    for k in 0..turns as usize {
        let at = k % 3;
        d[at + 1] = d[at] * 0.5 + 2.0 * a[at + 1] * d[at + 1] * 0.25;
        a[at + 1] = a[at] * 0.5 + a[at + 1] * a[at + 1] * 0.25;
    }
    d
}

#[on_every_device]
fn loops_over_memory_are_taken_back_however_long_they_are() {
    const THREADS: usize = 50;
    let values: Vec<f32> = (0..4 * THREADS).map(|k| 0.2 + (k * 37 % 100) as f32 / 60.0).collect();
    let turns: Vec<u32> = (0..THREADS as u32).map(|t| if t % 10 == 9 { 900 } else { t % 13 }).collect();
    let of_device = Array::from_slice(&device(), &turns).unwrap();
    let mut grads = vec![];
    for checkpointed in [false, true] {
        let mut a = array(&values);
        let (loss, tape) = record(checkpointed, || {
            walk::launch(THREADS, &mut a, &of_device)?;
            total(&a)
        });
        tape.backward(&loss).unwrap();
        let end = a.to_vec().unwrap();
        tape.backward(&loss).unwrap();
        assert_eq!(a.to_vec().unwrap(), end);
        grads.push(a.grad().unwrap().to_vec().unwrap());
    }
    assert_eq!(grads[0], grads[1]);
    for (thread, &turns) in turns.iter().enumerate() {
        let start: [f64; 4] = std::array::from_fn(|k| values[4 * thread + k] as f64);
        for k in 0..4 {
            let expected: f64 = walked(start, k, turns).iter().sum();
            let found = grads[0][4 * thread + k] as f64;
            assert!((found - expected).abs() < 1e-4 * (1.0 + expected.abs()), "{thread}, {k}: {found} for {expected}");
        }
    }
}

#[kernel]
fn smear(a: &mut [f32]) {
    let i = tid();
    a[i] = a[i + 1] * 2.0;
}
/// The line of its store.
const SMEAR: u32 = line!() - 3;

// Its threads race, which may end in any way elsewhere.
#[on_the_cpu]
fn threads_that_touch_each_others_elements_have_no_gradient() {
    let mut a = array(&[1.0; 4]);
    let tape = Tape::record(|| smear::launch(3, &mut a)).unwrap();
    let error = tape_error(tape.backward_with([(&a, &array(&[1.0; 4]))]));
    let TapeError::Refused { kernel, position, place, reason } = error else { panic!("{error}") };
    assert_eq!((kernel.as_str(), position.as_str()), ("smear", "1st"));
    assert_eq!(place, format!("tests/tape/records.rs:{SMEAR}, `a[i]`"));
    assert!(reason.contains("`a`"), "{reason}");
    // One thread alone meets nobody.
    let mut a = array(&[1.0; 4]);
    let tape = Tape::record(|| smear::launch(1, &mut a)).unwrap();
    tape.backward_with([(&a, &array(&[1.0; 4]))]).unwrap();
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [0.0, 3.0, 1.0, 1.0]);
}

#[kernel]
fn smear_between(a: &mut [f32], mut grid: ViewMut2<f32>, from: u32, parity: u32) {
    let i = tid();
    if i >= from as usize && i + LAST < a.len() {
        a[i] = a[i + 1] * grid[(0, 0)];
    }
    if i < grid.rows() && i as u32 % 2 == parity {
        grid[(i, 0)] += 1.0;
    }
}

const LAST: usize = 2;

/// What decides is what the launch was given: extents behind those of other arrays, scalars, constants.
// Its threads race, which may end in any way elsewhere.
#[on_the_cpu]
fn threads_meet_under_conditions_that_the_launch_decides() {
    let device = device();
    let told = |len: usize, from: u32| {
        let mut a = array(&vec![1.0; len]);
        let mut grid = Array::full(&device, (3, 1), 2.0f32).unwrap();
        let tape = Tape::record(|| smear_between::launch(len, &mut a, &mut grid, from, 1)).unwrap();
        let gone = tape.backward_with([(&a, &array(&vec![1.0; len]))]);
        if gone.is_ok() {
            return None;
        }
        match tape_error(gone) {
            TapeError::Refused { reason, .. } => Some(reason),
            other => panic!("{other}"),
        }
    };
    let words = "threads i and i+1 touch the same element of `a`; write to a second array";
    // Of five threads, 2 alone goes there, of six 2 and 3.
    assert_eq!(told(5, 2), None);
    assert_eq!(told(6, 2).as_deref(), Some(words));
    assert_eq!(told(6, 3), None);
    assert_eq!(told(6, u32::MAX), None);
    assert_eq!(told(900, 896), Some(words.into()));
    assert_eq!(told(900, 897), None);
}

#[kernel]
fn compact_all(x: View2<f32>, counter: &mut [u32], out: &mut [f32], from: &mut [u32]) {
    let (i, j) = tid2();
    let slot = atomic_add(&mut counter[0], 1) as usize;
    out[slot] = x[(i, j)] * x[(i, j)];
    from[slot] = (i * 3 + j) as u32;
}

#[on_every_device]
fn launches_of_two_dimensions_write_down_as_well() {
    let device = device();
    let x = Array::from_fn(&device, (4, 3), |[i, j]| (3 * i + j + 1) as f32).unwrap();
    for checkpointed in [false, true] {
        let mut out = array(&[0.0; 12]);
        let mut counter = Array::from_slice(&device, &[0u32]).unwrap();
        let mut from = Array::from_slice(&device, &[0u32; 12]).unwrap();
        let mut weighed = array(&[0.0; 12]);
        let (loss, tape) = record(checkpointed, || {
            compact_all::launch((4, 3), &x, &mut counter, &mut out, &mut from)?;
            weigh::launch(12, &out, &mut weighed)?;
            total(&weighed)
        });
        tape.backward(&loss).unwrap();
        let mut expected = vec![0.0; 12];
        for (slot, &at) in from.to_vec().unwrap().iter().enumerate() {
            expected[at as usize] = 2.0 * (at + 1) as f32 * (slot + 1) as f32;
        }
        assert_eq!(x.grad().unwrap().to_vec().unwrap(), expected);
    }
}

#[on_every_device]
fn nested_tapes_go_back_at_the_same_time() {
    const THREADS: usize = 40;
    let values: Vec<f32> = (0..4 * THREADS).map(|k| 0.2 + (k * 37 % 100) as f32 / 60.0).collect();
    let turns = Array::from_slice(&device(), &[300u32; THREADS]).unwrap();
    let mut a = array(&values);
    let mut inner = None;
    let (loss, outer) = Tape::record_with(|| {
        let (loss, tape) = Tape::record_with(|| {
            walk::launch(THREADS, &mut a, &turns)?;
            total(&a)
        })?;
        inner = Some(tape);
        Ok::<_, warp::Error>(loss)
    })
    .unwrap();
    let inner = inner.unwrap();
    outer.backward(&loss).unwrap();
    let expected = outer.grad(&a).unwrap().to_vec().unwrap();
    let start = std::sync::Barrier::new(2);
    std::thread::scope(|scope| {
        for tape in [&outer, &inner] {
            let (a, loss, start, expected) = (&a, &loss, &start, &expected);
            scope.spawn(move || {
                let mut wrong = 0;
                for _ in 0..if loss.device().host_memory() { 50 } else { 5 } {
                    start.wait();
                    tape.backward(loss).unwrap();
                    wrong += usize::from(tape.grad(a).unwrap().to_vec().unwrap() != *expected);
                }
                assert_eq!(wrong, 0, "passes that found something else");
            });
        }
    });
}

/// As `walk`, with little memory for what it overwrites.
#[kernel(undo_bytes = 12_000)]
fn stroll(a: &mut [f32], turns: &[u32]) {
    let i = tid() * 4;
    let mut k = 0;
    while k < turns[tid()] as usize {
        let at = i + k % 3;
        a[at + 1] = a[at] * 0.5 + a[at + 1] * a[at + 1] * 0.25;
        k += 1;
    }
}
/// The line of its store.
const STROLL: u32 = line!() - 5;

#[kernel(undo_bytes = 1_000)]
fn pace(a: &mut [f32], b: &mut [f64], turns: &[u32]) {
    let mut k = 0;
    while k < turns[0] as usize {
        a[k % 3 + 1] *= a[k % 3];
        b[k % 3 + 1] *= b[k % 3];
        k += 1;
    }
}

/// An index takes eight bytes, and an element of `f32` four.
#[on_every_device]
fn a_kernel_says_how_much_memory_its_loops_may_be_taken_back_with() {
    let turns = |n: u32| Array::from_slice(&device(), &[n]).unwrap();
    let values = [0.7, 0.4, 1.1, 0.9];
    for checkpointed in [false, true] {
        let mut grads = vec![];
        for limited in [true, false] {
            let (mut a, turns) = (array(&values), turns(1000));
            let (loss, tape) = record(checkpointed, || {
                match limited {
                    true => stroll::launch(1, &mut a, &turns)?,
                    false => walk::launch(1, &mut a, &turns)?,
                }
                total(&a)
            });
            tape.backward(&loss).unwrap();
            grads.push(a.grad().unwrap().to_vec().unwrap());
        }
        assert_eq!(grads[0], grads[1]);
        let (mut a, turns) = (array(&values), turns(1001));
        let (loss, tape) = record(checkpointed, || {
            stroll::launch(1, &mut a, &turns)?;
            total(&a)
        });
        assert_eq!(
            tape.backward(&loss).unwrap_err().to_string(),
            format!(
                "going back through launch `stroll` (1st on the tape) has to take back what its loops overwrite, above all in \
                 `a` (tests/tape/records.rs:{STROLL}): 12012 bytes, and the limit is 12000. Raise it, \
                 `#[kernel(undo_bytes = 12012)]`, or write to another array than is read"
            )
        );
        assert_eq!(tape_error(a.grad()), TapeError::NoGradient);
    }
}

#[on_every_device]
fn what_a_launch_overwrites_is_limited_in_all() {
    let turns = |n: u32| Array::from_slice(&device(), &[n]).unwrap();
    let tape_of = |n: u32| {
        let (mut a, mut b) = (array(&[1.0; 4]), Array::full(&device(), 4, 1.0f64).unwrap());
        let turns = turns(n);
        Tape::record_with(|| {
            pace::launch(1, &mut a, &mut b, &turns)?;
            total(&a)
        })
        .unwrap()
    };
    // 12 bytes a turn for the one, and 16 for the other.
    let (loss, tape) = tape_of(35);
    tape.backward(&loss).unwrap();
    let (loss, tape) = tape_of(36);
    let TapeError::LogTooLarge { array, bytes, limit, .. } = tape_error(tape.backward(&loss)) else { panic!() };
    assert_eq!((array.as_str(), bytes, limit), ("b", 36 * 28, 1000));
}

// So many turns would take an interpreter minutes.
#[on_the_cpu]
fn loops_may_be_taken_back_with_256_mib_unless_a_kernel_says_otherwise() {
    let (mut a, turns) = (array(&[0.7, 0.4, 1.1, 0.9]), Array::from_slice(&device(), &[22_369_622u32]).unwrap());
    let (loss, tape) = Tape::record_with(|| {
        walk::launch(1, &mut a, &turns)?;
        total(&a)
    })
    .unwrap();
    let TapeError::LogTooLarge { bytes, limit, .. } = tape_error(tape.backward(&loss)) else { panic!() };
    assert_eq!((bytes, limit), (22_369_622 * 12, 256 << 20));
}
