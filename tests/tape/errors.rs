//! Every sentence of a tape.

use super::*;

#[on_every_device]
fn a_loss_is_one_float() {
    let a = array(&[1.0, 2.0]);
    let counts = Array::from_slice(&device(), &[3u32]).unwrap();
    let tape = Tape::record(|| Ok(())).unwrap();
    assert_eq!(tape_error(tape.backward(&a)), TapeError::Loss { found: "2 elements".into() });
    assert_eq!(tape_error(tape.backward(&counts)), TapeError::NoFloats { doing: "`backward`" });
    let v = Array::from_slice(&device(), &[Vec3::ONE]).unwrap();
    assert_eq!(
        tape.backward(&v).unwrap_err().to_string(),
        "`backward` starts from an array of one float, the loss, and this one has 1 element of 3 scalars; sum it up in a \
         kernel, or use `backward_with` and say the gradient of each element"
    );
}

#[kernel(no_adjoint)]
fn unmarked(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i];
}

#[kernel]
fn old_values(a: &mut [f32], out: &mut [f32]) {
    let i = tid();
    out[i] = atomic_add(&mut a[0], 1.0);
}

#[kernel]
fn gather(a: &[f32], at: &[u32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[at[i] as usize];
}

#[on_every_device]
fn kernels_without_a_gradient_are_named_when_it_reaches_them() {
    let (mut a, mut out) = (array(&[1.0]), array(&[0.0]));
    let (loss, tape) = Tape::record_with(|| {
        unmarked::launch(1, &a, &mut out)?;
        total(&out)
    })
    .unwrap();
    let said = tape.backward(&loss).unwrap_err().to_string();
    assert!(
        said.starts_with(
            "the gradient has to go back through launch `unmarked` (1st on the tape), whose kernel has none ("
        ),
        "{said}"
    );
    assert!(
        said.contains("errors.rs:") && said.ends_with(
                "): it is marked `no_adjoint`. Take the mark away, or hand the array over that brings the gradient there as \
                 `.detach()` if a gradient of zero is meant"
            ),
        "{said}"
    );
    let (loss, tape) = Tape::record_with(|| {
        square_plus_one::launch(1, &mut a)?;
        old_values::launch(1, &mut a, &mut out)?;
        total(&out)
    })
    .unwrap();
    let said = tape.backward(&loss).unwrap_err().to_string();
    let start = "the gradient has to go back through launch `old_values` (2nd on the tape), whose kernel has none (";
    assert!(
        said.starts_with(start) && said.contains("): what this atomic on `a` returns depends on the order"),
        "{said}"
    );
    // Where no gradient comes by, they are as good as any.
    let other = array(&[2.0]);
    let (loss, tape) = Tape::record_with(|| {
        unmarked::launch(1, &a, &mut out)?;
        out.fill(0.0)?;
        total(&other)
    })
    .unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(other.grad().unwrap().to_vec().unwrap(), [1.0]);
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [0.0]);
}

#[kernel]
fn queue(x: &[f32], turns: usize, counter: &mut [u32], out: &mut [f32]) {
    let i = tid();
    for _ in 0..turns {
        let slot = atomic_add(&mut counter[0], 1) as usize;
        out[slot] = x[i] * x[i];
    }
}
/// The line of its atomic.
const QUEUE: u32 = line!() - 5;

#[on_every_device]
fn places_that_an_atomic_gives_in_a_loop_are_refused() {
    let (x, mut out) = (array(&[2.0]), array(&[0.0; 3]));
    let mut counter = Array::from_slice(x.device(), &[0u32]).unwrap();
    let (loss, tape) = Tape::record_with(|| {
        queue::launch(1, &x, 3, &mut counter, &mut out)?;
        total(&out)
    })
    .unwrap();
    let TapeError::Refused { place, reason, .. } = tape_error(tape.backward(&loss)) else { panic!() };
    assert!(place.starts_with(&format!("tests/tape/errors.rs:{QUEUE}, `")), "{place}");
    assert_eq!(
        reason,
        "what this atomic on `counter` returns depends on the order of threads, and in a loop it cannot be computed again \
         on the way back. Move it out of the loop, or mark the kernel `no_adjoint`"
    );
}

#[on_every_device]
fn a_launch_that_failed_leaves_no_gradient() {
    let a = array(&[1.0, 2.0]);
    let at = Array::from_slice(&device(), &[0u32, 7]).unwrap();
    for checkpointed in [false, true] {
        let (loss, tape) = record(checkpointed, || {
            let mut out = array(&[0.0; 2]);
            let fault = gather::launch(2, &a, &at, &mut out).unwrap_err();
            assert!(fault.to_string().contains("index 7 is out of range for `a` of length 2"), "{fault}");
            total(&out)
        });
        assert_eq!(
            tape.backward(&loss).unwrap_err().to_string(),
            "launch `gather` (1st on the tape) failed when it was recorded, so what follows has no gradient"
        );
        assert_eq!(tape_error(tape.grad(&a)), TapeError::NotOnTape { array: "this array", ran: false });
    }
}

#[on_every_device]
fn guards_are_refused_while_a_tape_records() {
    let mut a = array(&[1.0]);
    let refused = Tape::record(|| a.write().map(drop));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "`write()` while a tape records or tangents are computed: what the host does to the array cannot be followed back. Use `copy_from_slice`, \
         `set` or `fill` for values that count as constants, and `warp::record_fn` for a computation with a gradient"
    );
    assert_eq!(a.to_vec().unwrap(), [1.0]);
}

#[on_every_device]
fn gradients_that_are_not_there() {
    let a = array(&[1.0]);
    assert_eq!(
        a.grad().unwrap_err().to_string(),
        "this array has no gradient: it is on no tape whose `backward` has run; launches count from `Tape::record`'s \
         closure, on the thread that runs it"
    );
    let mut b = array(&[1.0]);
    let (loss, tape) = Tape::record_with(|| {
        square_plus_one::launch(1, &mut b)?;
        total(&b)
    })
    .unwrap();
    assert_eq!(
        tape.grad(&b).unwrap_err().to_string(),
        "this array has no gradient on this tape: `backward` has not run, or failed"
    );
    let said = tape_error(tape.value_grads::<old_values, f32>("x")).to_string();
    assert!(said.starts_with("kernel `old_values` has no gradient by `x`: it has no gradient ("), "{said}");
    assert!(said.contains("): what this atomic on `a` returns depends on the order of threads"), "{said}");
    tape.backward(&loss).unwrap();
    assert_eq!(tape.grad(&a).unwrap_err().to_string(), NOT_MET);
    let counts = Array::from_slice(&device(), &[3u32]).unwrap();
    let no_floats = "`grad`: the elements of this array hold no floats, so they have no gradient";
    assert_eq!(counts.grad().unwrap_err().to_string(), no_floats);
    assert_eq!(tape.grad(&counts).unwrap_err().to_string(), no_floats);
    let planes = SoaArray::from_slice(&device(), &[3u32]).unwrap();
    assert_eq!(planes.grad().unwrap_err().to_string(), no_floats);
}

const NOT_MET: &str = "this array is not on this tape: no launch, copy or write that it recorded used it. A tape records what \
                       its closure does, on the thread that runs it; and a copy of an array is another array";

/// One rule for all that names an array of a tape, be it to start from or to ask for.
#[on_every_device]
fn arrays_that_were_never_met_are_refused() {
    let (mut a, other, empty) = (array(&[3.0]), array(&[1.0]), array(&[]));
    for checkpointed in [false, true] {
        let ((), tape) = record(checkpointed, || square_plus_one::launch(1, &mut a));
        let never = |array| TapeError::NotOnTape { array, ran: true };
        assert_eq!(tape.backward(&other).unwrap_err().to_string(), NOT_MET.replace("this array is", "the loss is"));
        let start = never("an array that `backward_with` starts from");
        assert_eq!(tape_error(tape.backward_with([(&other, &other)])), start);
        assert_eq!(tape_error(tape.backward_with([(&empty, &empty)])), start);
        assert_eq!(tape_error(tape.jacobian(&other, &a)), never("the output"));
        assert_eq!(tape_error(tape.jacobian(&a, &other)), never("the input"));
        assert_eq!(tape_error(tape.jacobian(&empty, &a)), never("the output"));
        tape.backward(&a).unwrap();
        assert_eq!(tape_error(tape.grad(&other)), never("this array"));
        assert_eq!(tape_error(tape.grad(&empty)), never("this array"));
        assert_eq!(tape.grad(&a).unwrap().get(0).unwrap(), 2.0 * if checkpointed { 10.0 } else { 3.0 });
    }
}

/// Nothing to copy is a copy all the same.
#[on_every_device]
fn empty_arrays_that_were_copied_are_met() {
    let (from, mut to) = (array(&[]), array(&[]));
    for checkpointed in [false, true] {
        let ((), tape) = record(checkpointed, || to.copy_from(&from));
        tape.backward_with([(&to, &to)]).unwrap();
        assert_eq!(tape.grad(&from).unwrap().to_vec().unwrap(), [0.0; 0]);
        assert_eq!(tape.jacobian(&to, &from).unwrap().values, [0.0; 0]);
    }
}

#[on_every_device]
fn seeds_fit_their_arrays() {
    let (a, short) = (array(&[1.0, 2.0]), array(&[1.0]));
    let tape = Tape::record(|| Ok(())).unwrap();
    assert_eq!(
        tape.backward_with([(&a, &short)]).unwrap_err().to_string(),
        "`backward_with`: expected a gradient of shape 2, as its array's, found shape 1"
    );
    let counts = Array::from_slice(&device(), &[3u32]).unwrap();
    assert_eq!(tape_error(tape.backward_with([(&counts, &counts)])), TapeError::NoFloats { doing: "`backward_with`" });
}

// Guards are for memory of the host.
#[on_the_cpu]
fn arrays_in_use_are_said_to_be() {
    let mut seed = array(&[1.0]);
    let mut a = array(&[2.0]);
    let tape = Tape::record(|| square_plus_one::launch(1, &mut a)).unwrap();
    // Safe code can have two handles on an array: swapped out of a slice.
    let mut other = array(&[0.0]);
    std::mem::swap(&mut *seed.slice_mut(..).unwrap(), &mut other);
    let guard = other.write().unwrap();
    assert!(matches!(tape.backward_with([(&a, &seed)]), Err(warp::Error::Busy { write: false })));
    drop(guard);
    tape.backward_with([(&a, &other)]).unwrap();
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [4.0]);
}

/// What was refused did not happen, and stands in nobody's way.
// Guards are for memory of the host.
#[on_the_cpu]
fn a_write_that_found_its_array_in_use_is_not_on_the_tape() {
    let x = array(&[3.0; 2]);
    for checkpointed in [false, true] {
        let (mut y, mut stray) = (array(&[0.0; 2]), array(&[0.0; 2]));
        std::mem::swap(&mut *y.slice_mut(..).unwrap(), &mut stray);
        let mut planes = SoaArray::from_slice(x.device(), &[Vec2::ONE]).unwrap();
        let (loss, tape) = record(checkpointed, || {
            y.copy_from(&x)?;
            let reading = stray.read()?;
            let busy = |done: Result<(), warp::Error>| assert!(matches!(done, Err(warp::Error::Busy { write: true })));
            busy(y.fill(7.0));
            busy(y.set(1, 7.0));
            busy(y.copy_from_slice(&[7.0; 2]));
            busy(y.copy_from(&x));
            drop(reading);
            planes.copy_from_slice(&[Vec2::ZERO])?;
            total(&y)
        });
        assert_eq!(
            tape.to_string().lines().next().map(|line| line.contains("a tape of 3 steps")),
            Some(true),
            "{tape}"
        );
        tape.backward(&loss).unwrap();
        assert_eq!(x.grad().unwrap().to_vec().unwrap(), [1.0; 2]);
    }
}

#[on_every_device]
fn arrays_of_two_devices_are_not_recorded() {
    let (a, other) = (array(&[1.0, 2.0]), Device::cpu_with_threads(1));
    let mut far = Array::<f32>::zeros(&other, 2).unwrap();
    let mut back = array(&[0.0; 2]);
    let (loss, tape) = Tape::record_with(|| {
        let mixed = gather::launch(2, &a, &Array::zeros(a.device(), 2)?, &mut far).unwrap_err().to_string();
        assert!(mixed.contains("argument `out` is on device cpu#"), "{mixed}");
        far.copy_from(&a)?;
        square_plus_one::launch(2, &mut far)?;
        back.copy_from(&far)?;
        total(&back)
    })
    .unwrap();
    tape.backward(&loss).unwrap();
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [2.0, 4.0]);
    assert_eq!(far.grad().unwrap().device(), &other);
}

#[on_every_device]
fn rare_errors_are_sentences_too() {
    let fault = warp::Fault {
        kernel: "step".into(),
        file: "src/main.rs".into(),
        line: 3,
        text: "a[i]".into(),
        kind: warp::FaultKind::Index { array: "a".into(), dim: None, index: 7, extent: 2 },
        thread: 7,
        index: vec![7],
        count: 1,
    };
    let position = || "2nd".to_string();
    for (error, sentence) in [
        (
            TapeError::Fault { position: position(), fault: Box::new(fault) },
            "on the way back through the launch that is 2nd on the tape, kernel `step` (src/main.rs:3): index 7 is out of range for \
             `a` of length 2, in thread 7: `a[i]`",
        ),
        (
            TapeError::LogTooLarge {
                kernel: "step".into(),
                position: position(),
                array: "a".into(),
                place: " (src/main.rs:5)".into(),
                bytes: 300,
                limit: 256,
            },
            "going back through launch `step` (2nd on the tape) has to take back what its loops overwrite, above all in `a` \
             (src/main.rs:5): 300 bytes, and the limit is 256. Raise it, `#[kernel(undo_bytes = 300)]`, or write to another \
             array than is read",
        ),
        (
            TapeError::GoneSource { step: "`copy_from`".into(), position: position() },
            "the value that `copy_from` (2nd on the tape) read is gone; it was written outside the tape. Call `backward` \
             before, or write to a copy of the array",
        ),
        (
            TapeError::SecondOrder { position: position() },
            "the gradient has to go back through a `backward` that ran inside the recording (2nd on the tape), and \
             a gradient of a gradient is not found that way; second derivatives come from `hvp`, or from a tape around \
             `Tangents::run`. Or detach what \
             depends on its gradients",
        ),
    ] {
        assert_eq!(error.to_string(), sentence);
        assert_eq!(warp::Error::from(error).to_string(), sentence);
    }
}

#[on_every_device]
fn functions_of_the_host_have_no_tangent() {
    let (a, mut b) = (array(&[1.0]), array(&[0.0]));
    let mut along = warp::Tangents::new();
    along.seed(&a, &a).unwrap();
    let refused = along.run(|| warp::record_fn("double", (&a,), (&mut b,), |_, _| Ok(()), |_| Ok(())));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "function `double` runs where tangents are computed, and `record_fn` brings a way back alone; write it as kernels, \
         or call it outside `Tangents::run`"
    );
}

#[on_every_device]
fn a_jacobian_beyond_all_memory_is_refused() {
    // 2^44 numbers, more than any address space has room for.
    let n = 1 << 22;
    let device = device();
    let (x, y) = (Array::<f32>::zeros(&device, n).unwrap(), Array::<Vec2>::zeros(&device, n / 2).unwrap());
    let tape = Tape::record(|| Ok(())).unwrap();
    let refused = tape_error(tape.jacobian(&y, &x));
    assert_eq!(refused, TapeError::JacobianTooLarge { rows: n, columns: n });
}
