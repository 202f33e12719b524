//! A test of the tests: backends with one mistake each, all found out by what every backend must do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use warp_conformance::{ALL, Rig};
use warp_core::backend::{Address, Backend, BackendError, Call, Executable, LaunchStop, Printer, Program};
use warp_cpu::Cpu;
use warp_ir::builtins::Builtin;
use warp_ir::ir::{Op, PrintSite, Region};

/// A mistake of a backend.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Mistake {
    /// One builtin in place of another.
    Takes(Builtin, Builtin),
    /// The first store of a kernel is left out.
    DropsAStore,
    /// Tables are empty of all but zeros.
    ForgetsTables,
    /// Memory is not zero when it is handed out.
    LeavesMemory,
    /// The last byte of a copy within the device is left out.
    CopiesTooLittle,
    /// The last row of a launch does not run.
    LeavesARowOut,
    /// The last scalar argument is taken for zero.
    ForgetsAParameter,
    /// The thread behind the one that failed is reported.
    MisnamesThreads,
    /// One failed thread is counted, however many there are.
    CountsOneFault,
    /// A fault is not told.
    SwallowsFaults,
    /// Lines of odd threads are lost.
    LosesLines,
    /// The bits of printed arguments are cut to 32.
    CutsArguments,
    /// Anything is compiled.
    TakesBadPrograms,
}

use Mistake::*;

const MISTAKES: [Mistake; 22] = [
    Takes(Builtin::Add, Builtin::Sub),
    Takes(Builtin::Mul, Builtin::Add),
    Takes(Builtin::Min, Builtin::Max),
    Takes(Builtin::Lt, Builtin::Le),
    Takes(Builtin::Eq, Builtin::Ne),
    Takes(Builtin::Floor, Builtin::Ceil),
    Takes(Builtin::Sqrt, Builtin::Abs),
    Takes(Builtin::And, Builtin::Or),
    Takes(Builtin::RotateLeft, Builtin::RotateRight),
    Takes(Builtin::LeadingZeros, Builtin::TrailingZeros),
    DropsAStore,
    ForgetsTables,
    LeavesMemory,
    CopiesTooLittle,
    LeavesARowOut,
    ForgetsAParameter,
    MisnamesThreads,
    CountsOneFault,
    SwallowsFaults,
    LosesLines,
    CutsArguments,
    TakesBadPrograms,
];

/// The CPU with a mistake.
struct Broken {
    cpu: Cpu,
    mistake: Option<Mistake>,
}

// SAFETY: memory is the CPU backend's own, and all that is said of it holds: no mistake touches addresses or lengths.
unsafe impl Backend for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn host_memory(&self) -> bool {
        self.cpu.host_memory()
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        let address = self.cpu.allocate(bytes)?;
        if self.mistake == Some(LeavesMemory) && bytes > 0 {
            // SAFETY: the address is valid for so many bytes.
            unsafe { self.cpu.upload(address, &vec![0xcc; bytes]) }?;
        }
        Ok(address)
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        // SAFETY: as the caller says.
        unsafe { self.cpu.free(address, bytes) }
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { self.cpu.upload(to, from) }
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        // SAFETY: as the caller says.
        unsafe { self.cpu.download(from, to) }
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        let missing = usize::from(self.mistake == Some(CopiesTooLittle));
        // SAFETY: as the caller says, and not more.
        unsafe { self.cpu.copy(from, to, bytes.saturating_sub(missing)) }
    }

    fn compile(&self, program: &Program) -> Result<Arc<dyn Executable>, BackendError> {
        let mut program = program.clone();
        match self.mistake {
            Some(Takes(right, wrong)) => swap(&mut program.kernel.function.body, right, wrong),
            Some(DropsAStore) => drop_a_store(&mut program.kernel.function.body),
            Some(ForgetsTables) => program.kernel.function.tables.iter_mut().for_each(|(_, bits)| bits.fill(0)),
            _ => {}
        }
        // What a mistake made invalid must be told from what the check itself makes invalid.
        let inner = match self.cpu.compile(&program) {
            Err(_) if self.mistake == Some(TakesBadPrograms) => None,
            inner => Some(inner?),
        };
        Ok(Arc::new(BrokenProgram { inner, mistake: self.mistake, scalars: program.kernel.function.params.len() }))
    }
}

fn swap(region: &mut Region, right: Builtin, wrong: Builtin) {
    for op in &mut region.ops {
        match op {
            Op::Pure { builtin, .. } if *builtin == right => *builtin = wrong,
            Op::If { then: one, otherwise: two, .. } | Op::Loop { cond: one, body: two, .. } => {
                swap(one, right, wrong);
                swap(two, right, wrong);
            }
            _ => {}
        }
    }
}

fn drop_a_store(region: &mut Region) {
    if let Some(at) = region.ops.iter().position(|op| matches!(op, Op::Store { .. })) {
        region.ops.remove(at);
    }
}

struct BrokenProgram {
    inner: Option<Arc<dyn Executable>>,
    mistake: Option<Mistake>,
    scalars: usize,
}

impl Executable for BrokenProgram {
    unsafe fn launch(&self, call: &Call<'_>) -> Result<(), LaunchStop> {
        let Some(inner) = &self.inner else { return Ok(()) };
        let mut words = call.words.to_vec();
        if self.mistake == Some(ForgetsAParameter)
            && self.scalars > 0
            && let Some(last) = words.last_mut()
        {
            *last = 0;
        }
        let mut dims = call.dims.to_vec();
        if self.mistake == Some(LeavesARowOut) && dims[0] > 1 {
            dims[0] -= 1;
        }
        let printer = BrokenPrinter { inner: call.printer, mistake: self.mistake };
        // SAFETY: as the caller says; fewer threads, and another number for a scalar, are covered by checks as well.
        let result = unsafe { inner.launch(&Call { words: &words, dims: &dims, printer: &printer, ..*call }) };
        match result {
            Err(LaunchStop::Fault { .. }) if self.mistake == Some(SwallowsFaults) => Ok(()),
            Err(LaunchStop::Fault { thread, kind, source, operands, count }) => Err(LaunchStop::Fault {
                thread: thread + u64::from(self.mistake == Some(MisnamesThreads)),
                count: if self.mistake == Some(CountsOneFault) { 1 } else { count },
                kind,
                source,
                operands,
            }),
            other => other,
        }
    }
}

struct BrokenPrinter<'a> {
    inner: &'a dyn Printer,
    mistake: Option<Mistake>,
}

impl Printer for BrokenPrinter<'_> {
    fn print(&self, thread: u64, site: &PrintSite, args: &[u64]) {
        if self.mistake == Some(LosesLines) && !thread.is_multiple_of(2) {
            return;
        }
        let cut = if self.mistake == Some(CutsArguments) { u64::from(u32::MAX) } else { u64::MAX };
        self.inner.print(thread, site, &args.iter().map(|arg| arg & cut).collect::<Vec<_>>());
    }
}

/// The first check that a backend with this mistake fails. The next ones might run for ever: a loop that counts wrongly
/// need not end.
fn failed(mistake: Option<Mistake>) -> Option<&'static str> {
    let fails = |check: &&warp_conformance::Check| {
        let rig = Rig::new(Broken { cpu: Cpu::with_threads(1), mistake });
        catch_unwind(AssertUnwindSafe(|| (check.run)(&rig))).is_err()
    };
    ALL.iter().find(fails).map(|check| check.name)
}

#[test]
fn every_mistake_is_found() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let outcomes: Vec<_> = MISTAKES.iter().map(|mistake| (mistake, failed(Some(*mistake)))).collect();
    let without = failed(None);
    std::panic::set_hook(hook);
    assert_eq!(without, None, "the same backend without a mistake");
    let missed: Vec<_> = outcomes.iter().filter(|(_, failed)| failed.is_none()).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
    outcomes.iter().for_each(|(mistake, failed)| println!("{mistake:?}: {}", failed.unwrap_or_default()));
}
