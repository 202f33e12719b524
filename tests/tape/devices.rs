//! Tapes on a device whose memory the host does not see, and what is compiled for them.

use std::sync::{Arc, Mutex};

use super::*;
use warp::backend::{Address, Backend, BackendError, Executable, Program};

/// The CPU as a device of its own that keeps its memory to itself, and remembers what it compiled.
pub struct Far {
    cpu: Device,
    compiled: Mutex<Vec<String>>,
}

impl Far {
    fn new() -> Arc<Far> {
        Arc::new(Far { cpu: Device::cpu(), compiled: Mutex::default() })
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
        self.cpu.backend().allocate(bytes)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
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
