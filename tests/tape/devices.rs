//! Tapes on a device whose memory the host does not see, and what is compiled for them.

use std::sync::{Arc, Mutex};

use super::*;
use warp::backend::{Address, Backend, BackendError, Executable, Program};

/// The CPU as a device of its own that keeps its memory to itself, and remembers what it compiled and gave.
pub struct Far {
    cpu: Device,
    compiled: Mutex<Vec<String>>,
    memory: Mutex<InUse>,
}

/// Bytes that are in use, and the most that have been.
#[derive(Clone, Copy, Default)]
struct InUse {
    now: usize,
    most: usize,
}

impl Far {
    fn new() -> Arc<Far> {
        Arc::new(Far { cpu: Device::cpu(), compiled: Mutex::default(), memory: Mutex::default() })
    }

    fn in_use(&self) -> usize {
        self.memory.lock().unwrap().now
    }

    /// The most bytes that were in use at once while `body` ran.
    fn most_in_use(&self, body: impl FnOnce()) -> usize {
        let now = self.in_use();
        self.memory.lock().unwrap().most = now;
        body();
        self.memory.lock().unwrap().most
    }

    /// How often a word stands in what was compiled last.
    fn count_in_last(&self, word: &str) -> usize {
        self.compiled.lock().unwrap().last().unwrap().matches(word).count()
    }
}

/// Such a device.
pub fn far() -> Device {
    Device::new(Far::new())
}

// SAFETY: all is the CPU's.
unsafe impl Backend for Far {
    fn name(&self) -> &str {
        "far"
    }

    fn host_memory(&self) -> bool {
        false
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        let address = self.cpu.backend().allocate(bytes)?;
        let mut memory = self.memory.lock().unwrap();
        memory.now += bytes;
        memory.most = memory.most.max(memory.now);
        Ok(address)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        self.memory.lock().unwrap().now -= bytes;
        // SAFETY: as the caller says.
        unsafe { self.cpu.backend().free(address, bytes) }
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { self.cpu.backend().upload(to, from) }
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { self.cpu.backend().download(from, to) }
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { self.cpu.backend().copy(from, to, bytes) }
    }

    fn compile(&self, program: &Program) -> Result<Arc<dyn Executable>, BackendError> {
        self.compiled.lock().unwrap().push(format!("{:?}", program.kernel));
        self.cpu.backend().compile(program)
    }
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
    let programs = far.compiled.lock().unwrap().len();
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
