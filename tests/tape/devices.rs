//! Tapes on a device whose memory the host does not see, and what is compiled for them.

use super::*;
use warp_test_devices::Far;

/// Such a device.
pub fn far() -> Device {
    Device::new(Far::new())
}

#[kernel]
fn weigh(a: &[f32], b: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = a[i] * b[i];
}

#[test]
fn gradients_that_overlap_are_added_to_atomically() {
    let far = Far::new();
    let device = Device::new(far.clone());
    let a = Array::from_slice(&device, &[1.0f32, 2.0, 3.0, 4.0]).unwrap();
    let mut out = Array::zeros(&device, 2).unwrap();
    let seed = Array::from_slice(&device, &[1.0f32, 10.0]).unwrap();
    for (from, atomic) in [(2, false), (1, true), (0, true)] {
        let tape = Tape::record(|| weigh::launch(2, &*a.slice(..2)?, &*a.slice(from..)?, &mut out)).unwrap();
        tape.backward_with([(&out, &seed)]).unwrap();
        let atomics = far.count_in_last("Atomic");
        assert_eq!(atomics > 0, atomic, "from {from}: {atomics} atomics");
        let mut expected = [0.0; 4];
        for (i, seed) in [1.0, 10.0].into_iter().enumerate() {
            expected[i] += seed * (from + i + 1) as f32;
            expected[from + i] += seed * (i + 1) as f32;
        }
        assert_eq!(a.grad().unwrap().to_vec().unwrap(), expected);
    }
    // Nothing flows through one of them, so that nothing overlaps.
    let tape = Tape::record(|| weigh::launch(2, &*a.slice(..2)?, &a.detach(), &mut out)).unwrap();
    tape.backward_with([(&out, &seed)]).unwrap();
    let programs = far.compiled();
    assert_eq!(programs, 3, "the kernel, and its adjoint of both sorts");
    assert_eq!(a.grad().unwrap().to_vec().unwrap(), [1.0, 20.0, 0.0, 0.0]);
}

#[test]
fn parts_of_one_array_are_copied_in_far_memory() {
    let device = far();
    let mut m = Array::from_fn(&device, (3, 2), |[i, j]| (2 * i + j) as f32).unwrap();
    let mut half = Array::<warp::bf16>::zeros(&device, 3).unwrap();
    let tape = Tape::record(|| {
        let column = m.column(0)?.try_clone()?;
        m.column_mut(1)?.copy_from(&column)?;
        m.slice_mut(2..)?.fill(3.0)?;
        half.set(1, warp::bf16::from_f32(1.0))
    })
    .unwrap();
    let seed = Array::from_fn(&device, (3, 2), |[i, j]| (1 + 2 * i + j) as f32).unwrap();
    let halves = Array::full(&device, 3, warp::bf16::from_f32(2.0)).unwrap();
    tape.backward_with([warp::tape::Seed::from((&m, &seed)), (&half, &halves).into()]).unwrap();
    assert_eq!(m.to_vec().unwrap(), [0.0, 0.0, 2.0, 2.0, 3.0, 3.0]);
    assert_eq!(m.grad().unwrap().to_vec().unwrap(), [3.0, 0.0, 7.0, 0.0, 0.0, 0.0]);
    let found: Vec<f32> = half.grad().unwrap().to_vec().unwrap().iter().map(|x| x.to_f32()).collect();
    assert_eq!(found, [2.0, 0.0, 2.0]);
}

#[kernel]
fn twice(a: &[f32], out: &mut [f32]) {
    let i = tid();
    out[i] = 2.0 * a[i];
}

/// Doubles or squares an array in steps, with another array for each result.
fn rollout(a: &Array<f32>, steps: usize, squares: bool) -> Result<Array<f32>, warp::Error> {
    let mut now = a.try_clone()?;
    for _ in 0..steps {
        let mut next = Array::zeros(a.device(), a.len())?;
        match squares {
            true => weigh::launch(a.len(), &now, &now, &mut next)?,
            false => twice::launch(a.len(), &now, &mut next)?,
        }
        now = next;
    }
    total(&now)
}

#[test]
fn gradients_of_arrays_that_are_gone_go() {
    const N: usize = 1024;
    const STEPS: usize = 40;
    for (checkpointed, squares) in [(false, false), (false, true), (true, false), (true, true)] {
        let far = Far::new();
        let device = Device::new(far.clone());
        let a = Array::from_slice(&device, &[1.0f32; N]).unwrap();
        let (loss, tape) = record(checkpointed, || rollout(&a, STEPS, squares));
        let before = far.in_use();
        let most = far.most_in_use(|| tape.backward(&loss).unwrap()) - before;
        // Of `a`, two steps and the loss; and on a tape with checkpoints memory in which about sqrt(40) steps run again.
        let arrays = if checkpointed { 24 } else { 5 };
        assert!(most <= arrays * 4 * N, "{squares} {checkpointed}: {} arrays", most / (4 * N));
        let left = far.in_use() - before;
        assert!(left <= 2 * 4 * N, "{squares} {checkpointed}: {} arrays", left / (4 * N));
        // Squares of ones have the slope 2, too.
        assert_eq!(a.grad().unwrap().get(0).unwrap(), 2f32.powi(STEPS as i32));
    }
}

#[test]
fn tangents_of_arrays_that_are_gone_go() {
    const N: usize = 1024;
    let far = Far::new();
    let device = Device::new(far.clone());
    let (a, ones) = (Array::from_slice(&device, &[1.0f32; N]).unwrap(), Array::from_slice(&device, &[1.0; N]).unwrap());
    let mut along = warp::Tangents::new();
    along.seed(&a, &ones).unwrap();
    let (before, mut loss) = (far.in_use(), None);
    let most = far.most_in_use(|| loss = Some(along.run(|| rollout(&a, 40, true)).unwrap()));
    assert!(most - before <= 16 * 4 * N, "{} arrays", (most - before) / (4 * N));
    assert!(far.in_use() - before <= 4 * N, "{} bytes", far.in_use() - before);
    // The loss is the sum of a^(2^40), which has the slope 2^40 by each of its 1,024 numbers.
    assert_eq!(along.of(&loss.unwrap()).unwrap().get(0).unwrap(), 2f32.powi(50));
}
