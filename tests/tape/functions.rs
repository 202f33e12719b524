//! Functions of the host on a tape.

use super::*;

/// Solves `m x = b` for two unknowns.
fn solve(m: &Array<f32, 2>, b: &Array<f32>, x: &mut Array<f32>) -> Result<(), warp::Error> {
    let solved = |m: &[f32], b: &[f32]| {
        let det = m[0] * m[3] - m[1] * m[2];
        [(m[3] * b[0] - m[1] * b[1]) / det, (m[0] * b[1] - m[2] * b[0]) / det]
    };
    warp::record_fn(
        "solve",
        (m, b),
        (x,),
        move |(m, b), (x,)| x.copy_from_slice(&solved(&m.to_vec()?, &b.to_vec()?)),
        move |back| {
            let (m, x, dx) = (back.inputs.0.to_vec()?, back.outputs.0.to_vec()?, back.output_gradients.0.to_vec()?);
            let db = solved(&[m[0], m[2], m[1], m[3]], &dx);
            let (to_m, to_b) = back.input_gradients;
            to_m.copy_from_slice(&[-db[0] * x[0], -db[0] * x[1], -db[1] * x[0], -db[1] * x[1]])?;
            to_b.copy_from_slice(&db)
        },
    )
}

#[on_every_device]
fn a_solver_goes_back() {
    let device = device();
    let m = Array::from_shaped(&device, (2, 2), &[2.0f32, 1.0, 0.0, 4.0]).unwrap();
    for overwritten in [false, true] {
        let (mut b, mut x) = (array(&[3.0, 8.0]), array(&[0.0; 2]));
        gradient_of_sum(|| {
            solve(&m, &b, &mut x)?;
            let out = x.try_clone()?;
            if overwritten {
                square_plus_one::launch(2, &mut b)?;
                x.fill(0.0)?;
            }
            Ok(out)
        });
        // x = (1/2, 2); the adjoint of b solves m^T db = (1, 1): (1/2, 1/8).
        assert_eq!(b.grad().unwrap().to_vec().unwrap(), [0.5, 0.125]);
        assert_eq!(m.grad().unwrap().to_vec().unwrap(), [-0.25, -1.0, -0.0625, -0.25]);
    }
}

#[on_every_device]
fn without_a_tape_it_just_runs() {
    let device = device();
    let m = Array::from_shaped(&device, (2, 2), &[2.0f32, 1.0, 0.0, 4.0]).unwrap();
    let (b, mut x) = (array(&[3.0, 8.0]), array(&[0.0; 2]));
    solve(&m, &b, &mut x).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0.5, 2.0]);
}

// Guards are for memory of the host.
#[on_the_cpu]
fn what_runs_inside_is_its_own() {
    let (a, mut b) = (array(&[3.0, 5.0]), array(&[0.0; 2]));
    // Its launches are not followed, it may use guards, and its way back may launch, too.
    let (_, tape) = gradient_of_sum(|| {
        warp::record_fn(
            "square",
            (&a,),
            (&mut b,),
            |(a,), (b,)| {
                b.copy_from(a)?;
                square_plus_one::launch(2, b)?;
                b.write()?.iter_mut().for_each(|x| *x -= 1.0);
                Ok(())
            },
            |back| {
                let x = back.inputs.0.to_vec()?;
                let dy = back.output_gradients.0.read()?;
                back.input_gradients.0.write()?.iter_mut().zip(x).zip(&*dy).for_each(|((d, x), dy)| *d += 2.0 * x * dy);
                Ok(())
            },
        )?;
        b.try_clone()
    });
    assert_eq!(b.to_vec().unwrap(), [9.0, 25.0]);
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [6.0, 10.0]);
    assert!(tape.to_string().contains("function `square`"), "{tape}");
}

#[on_every_device]
fn parts_planes_and_detached_inputs() {
    let device = device();
    let (a, mut b) = (array(&[1.0, 2.0, 3.0, 4.0]), array(&[9.0; 4]));
    let planes = SoaArray::from_slice(&device, &[Vec2::new(2.0, 10.0), Vec2::new(3.0, 20.0)]).unwrap();
    let body = || {
        warp::record_fn(
            "weigh",
            (&*a.slice(1..3)?, &planes, &*a.detach()),
            (&mut *b.slice_mut(2..)?,),
            |(a, planes, _), (b,)| {
                let both = a.to_vec()?.into_iter().zip(planes.to_vec()?);
                b.copy_from_slice(&both.map(|(a, p)| a * p.x).collect::<Vec<_>>())
            },
            |back| {
                let (a, planes) = (back.inputs.0.to_vec()?, back.inputs.1.to_vec()?);
                let dy = back.output_gradients.0.to_vec()?;
                let (to_a, to_planes, to_rest) = back.input_gradients;
                to_a.copy_from_slice(&[dy[0] * planes[0].x, dy[1] * planes[1].x])?;
                to_planes.copy_from_slice(&[Vec2::new(dy[0] * a[0], 0.0), Vec2::new(dy[1] * a[1], 0.0)])?;
                to_rest.fill(1000.0)
            },
        )
    };
    let tape = Tape::record(body).unwrap();
    let seed = array(&[1.0, 2.0, 3.0, 4.0]);
    tape.backward_with([(&b, &seed)]).unwrap();
    assert_eq!(b.to_vec().unwrap(), [9.0, 9.0, 4.0, 9.0]);
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [0.0, 6.0, 12.0, 0.0]);
    assert_eq!(planes.grad().unwrap().to_vec().unwrap(), [Vec2::new(6.0, 0.0), Vec2::new(12.0, 0.0)]);
    assert_eq!(b.grad().unwrap().to_vec().unwrap(), [1.0, 2.0, 0.0, 0.0], "the written part had no use before");
}

#[on_every_device]
fn errors_of_either_way_come_out() {
    let (a, mut b) = (array(&[1.0]), array(&[0.0]));
    let no = || warp::Error::Unavailable("not today".into());
    let failed = Tape::record(|| warp::record_fn("f", (&a,), (&mut b,), |_, _| Err(no()), |_| Ok(())));
    assert_eq!(failed.unwrap_err().to_string(), "not today");
    let tape = Tape::record(|| warp::record_fn("f", (&a,), (&mut b,), |_, _| Ok(()), move |_| Err(no()))).unwrap();
    let said = tape.backward(&b).unwrap_err().to_string();
    assert!(
        said.starts_with("on the way back through function `") && said.ends_with(" on the tape): not today"),
        "{said}"
    );
    let mut a = a;
    a.set(0, 2.0).unwrap();
    let gone = TapeError::GoneSource { step: "function `f`".into(), position: "1st".into() };
    assert_eq!(tape_error(tape.backward(&b)), gone);
}

// Guards are for memory of the host.
#[on_the_cpu]
fn memory_that_a_function_still_writes_is_not_read() {
    let (a, mut b) = (array(&[1.0]), array(&[0.0]));
    // A guard that lasts stands for another thread that writes.
    let guard = |b: &mut Array<f32>| b.write().map(std::mem::forget);
    let failed = Tape::checkpointed(|| warp::record_fn("f", (&a,), (&mut b,), |_, (b,)| guard(b), |_| Ok(())));
    assert!(matches!(failed, Err(warp::Error::Busy { write: false })), "{failed:?}");
    let mut b = array(&[0.0]);
    let back = move |back: warp::tape::Pullback<'_, (Array<f32>,), (Array<f32>,)>| guard(&mut back.input_gradients.0);
    let tape = Tape::record(|| warp::record_fn("f", (&a,), (&mut b,), |_, _| Ok(()), back)).unwrap();
    let failed = tape.backward(&b);
    assert!(matches!(failed, Err(warp::Error::Busy { write: false })), "{failed:?}");
}

#[on_every_device]
fn a_panic_that_is_caught_leaves_no_gradient() {
    for checkpointed in [false, true] {
        let (a, mut b) = (array(&[1.0, 2.0]), array(&[0.0; 2]));
        let (loss, tape) = record(checkpointed, || {
            let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                warp::record_fn(
                    "half",
                    (&a,),
                    (&mut b,),
                    |_, (b,)| {
                        b.set(0, 7.0)?;
                        panic!("half way")
                    },
                    |_| Ok(()),
                )
            }));
            assert!(caught.is_err());
            total(&b)
        });
        let failed = TapeError::Failed { step: "function `half`".into(), position: "1st".into() };
        assert_eq!(tape_error(tape.backward(&loss)), failed);
    }
}

#[on_every_device]
fn a_way_back_does_not_wait_for_itself() {
    use std::sync::{Arc, OnceLock, mpsc};
    let (answer, answered) = mpsc::channel();
    let device = device();
    std::thread::spawn(move || {
        let (a, mut b) = on_device(&device, || (array(&[1.0]), array(&[2.0])));
        let shared: Arc<OnceLock<Tape>> = Arc::default();
        let own = shared.clone();
        let tape = Tape::record(|| {
            warp::record_fn(
                "f",
                (&a,),
                (&mut b,),
                |_, _| Ok(()),
                move |back| {
                    let tape = own.get().expect("the tape that goes back");
                    assert_eq!(
                        tape_error(tape.grad(&back.outputs.0)),
                        TapeError::NotOnTape { array: "this array", ran: false }
                    );
                    tape.backward(&back.outputs.0)
                },
            )
        });
        let tape = shared.get_or_init(|| tape.unwrap());
        let refused = tape.backward(&b).map_err(|error| error.to_string());
        // What follows is as if nothing had been.
        let again = tape.backward_with([(&a, &b)]).map(|()| a.grad().unwrap().to_vec().unwrap());
        answer.send((refused, again.unwrap())).unwrap();
    });
    let (refused, again) = answered.recv_timeout(std::time::Duration::from_secs(20)).expect("it ends");
    let refused = refused.unwrap_err();
    let said = "on the way back through function `f` (1st on the tape): `backward` of this tape runs already";
    assert!(refused.starts_with(said), "{refused}");
    assert_eq!(again, [2.0]);
}

/// Records when it goes.
struct Parting;

impl Drop for Parting {
    fn drop(&mut self) {
        let mut a = array(&[1.0]);
        Tape::record(|| square_plus_one::launch(1, &mut a)).unwrap();
    }
}

#[on_every_device]
fn what_a_function_captured_may_record_when_it_goes() {
    let (a, mut b) = (array(&[1.0]), array(&[0.0]));
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let parting = Parting;
        let back = move |_: warp::tape::Pullback<'_, (Array<f32>,), (Array<f32>,)>| {
            let _ = &parting;
            Ok(())
        };
        let _ = Tape::record(|| {
            warp::record_fn("f", (&a,), (&mut b,), |_, _| Ok(()), back)?;
            panic!("inside")
        });
    }));
    assert!(caught.is_err());
}

/// e to the power of each element.
fn exp_of(x: &Array<f32>) -> Result<Vec<f32>, warp::Error> {
    Ok(x.to_vec()?.iter().map(|x| x.exp()).collect())
}

/// The gradient that a way back gives of `exp`.
fn back_of_exp(back: &warp::tape::Pullback<'_, (Array<f32>,), (Array<f32>,)>) -> Result<Vec<f32>, warp::Error> {
    let (y, dy) = (back.outputs.0.to_vec()?, back.output_gradients.0.to_vec()?);
    Ok(y.iter().zip(&dy).map(|(y, dy)| y * dy).collect())
}

#[on_every_device]
fn an_output_may_be_another_array_afterwards() {
    let x = array(&[0.0, 1.0, -2.0]);
    for (checkpointed, overwritten) in [(false, false), (false, true), (true, false), (true, true)] {
        // Its length may change, too.
        let mut y = array(&[0.0]);
        let (loss, tape) = record(checkpointed, || {
            warp::record_fn(
                "exp",
                (&x,),
                (&mut y,),
                |(x,), (y,)| {
                    *y = Array::from_slice(x.device(), &exp_of(x)?)?;
                    Ok(())
                },
                |back| back.input_gradients.0.copy_from_slice(&back_of_exp(&back)?),
            )?;
            let loss = total(&y)?;
            if overwritten {
                y.fill(0.0)?;
            }
            Ok(loss)
        });
        tape.backward(&loss).unwrap();
        assert_eq!(x.grad().unwrap().to_vec().unwrap(), [0.0f32.exp(), 1.0f32.exp(), (-2.0f32).exp()]);
    }
}

#[on_every_device]
fn outputs_may_change_places() {
    let (x, mut y, mut z) = (array(&[3.0]), array(&[0.0]), array(&[0.0]));
    let tape = Tape::record(|| {
        warp::record_fn(
            "five and seven",
            (&x,),
            (&mut y, &mut z),
            |(x,), (y, z)| {
                std::mem::swap(y, z);
                y.set(0, 5.0 * x.get(0)?)?;
                z.set(0, 7.0 * x.get(0)?)
            },
            |back| {
                let (dy, dz) = (back.output_gradients.0.get(0)?, back.output_gradients.1.get(0)?);
                back.input_gradients.0.set(0, 5.0 * dy + 7.0 * dz)
            },
        )
    })
    .unwrap();
    for (of, slope) in [(&y, 5.0), (&z, 7.0)] {
        tape.backward(of).unwrap();
        assert_eq!(x.grad().unwrap().to_vec().unwrap(), [slope]);
    }
}

#[on_every_device]
fn a_gradient_of_an_input_may_be_another_array() {
    let device = device();
    let (x, mut y) = (array(&[0.0, 1.0, -2.0, 5.0]), array(&[0.0; 3]));
    let planes = SoaArray::from_slice(&device, &[Vec2::new(2.0, 3.0)]).unwrap();
    let tape = Tape::record(|| {
        warp::record_fn(
            "exp",
            (&*x.slice(0..3)?, &planes),
            (&mut y,),
            |(x, _), (y,)| y.copy_from_slice(&exp_of(x)?),
            |back| {
                let device = back.inputs.0.device();
                let (y, dy) = (back.outputs.0.to_vec()?, back.output_gradients.0.to_vec()?);
                let dx: Vec<f32> = y.iter().zip(&dy).map(|(y, dy)| y * dy).collect();
                back.input_gradients.0 = Array::from_slice(device, &dx)?;
                back.input_gradients.1 = SoaArray::from_slice(device, &[Vec2::new(11.0, 13.0)])?;
                Ok(())
            },
        )
    })
    .unwrap();
    tape.backward_with([(&y, &array(&[1.0, 2.0, 3.0]))]).unwrap();
    let expected = [0.0f32.exp(), 2.0 * 1.0f32.exp(), 3.0 * (-2.0f32).exp(), 0.0];
    assert_eq!(x.grad().unwrap().to_vec().unwrap(), expected);
    assert_eq!(planes.grad().unwrap().to_vec().unwrap(), [Vec2::new(11.0, 13.0)]);
}

#[on_every_device]
fn a_gradient_of_another_shape_is_refused() {
    let (x, w, mut y) = (array(&[1.0, 2.0]), array(&[1.0]), array(&[0.0; 2]));
    let tape = Tape::record(|| {
        warp::record_fn(
            "f",
            (&w, &x),
            (&mut y,),
            |_, _| Ok(()),
            |back| {
                back.input_gradients.1 = Array::zeros(back.inputs.0.device(), 3)?;
                Ok(())
            },
        )
    })
    .unwrap();
    let refused = tape.backward_with([(&y, &array(&[1.0, 1.0]))]).unwrap_err();
    let said = "the way back of function `f`: expected a gradient of shape 2 for input 1, as that has, found shape 3";
    assert_eq!(refused.to_string(), said);
}
