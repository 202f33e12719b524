//! A backend under test: compiling kernels from the IR's builder, and launching them.

use std::sync::{Arc, Mutex};

use bytemuck::{AnyBitPattern, NoUninit};
use warp::Device;
use warp::backend::{Backend, BackendError, Call, ElementLayout, Executable, How, LaunchStop, Printer, Program};
use warp_ir::builder::Builder;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{CheckKind, Kernel, PrintSite, Scalar, Source, SourceId, Value};

use crate::buffer::Buffer;

/// A backend under test.
pub struct Rig {
    backend: Arc<dyn Backend>,
}

impl Rig {
    /// A rig for a backend.
    pub fn new(backend: impl Backend) -> Rig {
        Rig { backend: Arc::new(backend) }
    }

    /// The backend.
    pub fn backend(&self) -> &Arc<dyn Backend> {
        &self.backend
    }

    /// The backend as a device, for typed launches.
    pub fn device(&self) -> Device {
        Device::new(self.backend.clone())
    }

    /// A copy of host memory on the device.
    pub fn buffer<T: NoUninit + AnyBitPattern>(&self, values: &[T]) -> Buffer<T> {
        Buffer::new(&self.backend, values)
    }

    /// Compiles a kernel without user constants, its elements laid out as `repr(C)` does.
    pub fn compile(&self, kernel: Kernel) -> Compiled {
        self.compile_with(kernel, Vec::new())
    }

    /// Compiles a kernel with user constants.
    pub fn compile_with(&self, kernel: Kernel, slots: Vec<u64>) -> Compiled {
        let layouts = kernel.function.arrays.iter().map(|array| layout(&array.leaves)).collect();
        self.try_compile(&Program { kernel, slots, layouts }).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Compiles a program.
    pub fn try_compile(&self, program: &Program) -> Result<Compiled, BackendError> {
        self.backend.compile(program).map(Compiled)
    }
}

/// A program that a backend has compiled.
pub struct Compiled(Arc<dyn Executable>);

impl Compiled {
    /// Launches on argument words that name buffers.
    pub fn launch(&self, dims: &[u64], words: &[u64]) -> Result<(), LaunchStop> {
        self.launch_on(dims, words, None)
    }

    /// Launches on at most so many machine threads.
    pub fn launch_on(&self, dims: &[u64], words: &[u64], threads: Option<usize>) -> Result<(), LaunchStop> {
        self.launch_so(dims, words, How { threads, ..How::default() })
    }

    /// Launches in this way.
    pub fn launch_so(&self, dims: &[u64], words: &[u64], how: How) -> Result<(), LaunchStop> {
        self.call(&Call { words, dims, how, printer: &Lines::default(), queued: None })
    }

    /// Launches and collects what threads print.
    pub fn launch_printing(&self, dims: &[u64], words: &[u64]) -> Vec<Line> {
        let lines = Lines::default();
        self.call(&Call { words, dims, how: How::default(), printer: &lines, queued: None })
            .unwrap_or_else(|stop| panic!("{stop:?}"));
        lines.0.into_inner().expect("no printer panics")
    }

    /// Launches.
    pub fn call(&self, call: &Call<'_>) -> Result<(), LaunchStop> {
        // SAFETY: backends refuse kernels that are not guarded, and checks pass words of buffers that they hold and that
        // no other launch writes meanwhile.
        unsafe { self.0.launch(call) }
    }
}

/// A line that a thread printed: its number and the arguments.
pub type Line = (u64, Vec<u64>);

/// Lines that threads printed.
#[derive(Default)]
pub struct Lines(pub Mutex<Vec<Line>>);

impl Printer for Lines {
    fn print(&self, thread: u64, _site: &PrintSite, args: &[u64]) {
        self.0.lock().expect("no printer panics").push((thread, args.to_vec()));
    }
}

/// The `repr(C)` layout of a struct with these fields.
pub fn layout(leaves: &[Scalar]) -> ElementLayout {
    let align = leaves.iter().map(|leaf| leaf.size()).max().unwrap_or(1);
    let mut end: usize = 0;
    let mut offsets = Vec::new();
    for leaf in leaves {
        let offset = end.next_multiple_of(leaf.size());
        offsets.push(offset);
        end = offset + leaf.size();
    }
    ElementLayout { size: end.next_multiple_of(align), align, offsets }
}

/// A source to name in checks.
pub fn source(b: &mut Builder, text: &str) -> SourceId {
    b.source(Source { file: "test.rs".into(), line: 1, column: 1, text: text.into() })
}

/// Numbers without a pattern.
pub fn noise(seed: u32, n: usize) -> Vec<u32> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..n).map(|_| next()).collect()
}

/// The number of the thread in a launch of these extents.
pub fn number(b: &mut Builder, dims: &[u64]) -> Value {
    let first = b.tid(0);
    (1..dims.len()).fold(first, |number, dim| {
        let (extent, tid) = (b.u64(dims[dim]), b.tid(dim as u8));
        let rows = b.mul(number, extent);
        b.add(rows, tid)
    })
}

/// The checks that an integer division needs.
pub fn check_division(b: &mut Builder, dividend: Value, divisor: Value, source: SourceId) {
    let scalar = b.scalar(divisor);
    let zero = b.zero(scalar);
    let fine = b.pure(Builtin::Ne, &[divisor, zero]);
    b.check(fine, CheckKind::DivideByZero, &[], source);
    if scalar.is_signed() {
        let (min, minus_one) = (b.const_(scalar, 1 << (scalar.bits() - 1)), b.const_(scalar, scalar.mask()));
        let (not_min, not_minus_one) =
            (b.pure(Builtin::Ne, &[dividend, min]), b.pure(Builtin::Ne, &[divisor, minus_one]));
        let fine = b.pure(Builtin::Or, &[not_min, not_minus_one]);
        b.check(fine, CheckKind::DivideOverflow, &[], source);
    }
}
