//! Two devices in step.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fake_cuda::Fake;
use warp_core::backend::{Address, Backend, BackendError, Call, Executable, LaunchStop, Printer, Program};
use warp_cpu::Cpu;
use warp_cuda::{Cuda, Driver};
use warp_ir::abi::{ArgWords, ElementLayout};
use warp_ir::ir::{Access, ArrayParam, Function, PrintSite, Scalar, Storage};

use crate::compare::{Elements, Line, same_end, same_prints};
use crate::memory::{Block, Blocks, Place};
use crate::order::order_counts;

/// A CUDA device beside a CPU that runs thread after thread on one core. All memory and all launches exist on both.
///
/// What the runtime gets is the CUDA device's. After each launch the arrays that it writes, what it printed and how it
/// ended are compared, and a difference is a panic. Exceptions:
///
/// * A NaN is a NaN: which bits the hardware gives it is left open by both. Where it differs the CPU gets the bits of the
///   CUDA device, so that the two stay in step.
/// * After a fault each array holds old or written values, and which of them is left open. The CPU gets those of the CUDA
///   device.
/// * Sums of floats and old values of atomics depend on the order of threads. On the driver that needs no GPU threads of
///   such kernels run in their order on both, and are compared; those of other kernels run in an order that changes with
///   each launch. On a real GPU nobody chooses the order, so arrays of such launches are not compared.
/// * The CUDA device makes zeros of denormals where it adds to an `f32` in memory, as the hardware does, and the CPU does
///   not. No test adds up denormals.
/// * Lines that a device has no room for are not compared: which ones these are is left open.
pub struct Twins(Arc<Both>);

struct Both {
    cpu: Cpu,
    cuda: Cuda,
    /// Decides the order of threads, where the device is not real.
    fake: Option<Fake>,
    blocks: Mutex<Blocks>,
    /// Launches are one after another, so that a seed is that of the launch that it was chosen for.
    launches: Mutex<u64>,
}

impl Twins {
    /// A CUDA device of a driver of its own, which needs no GPU.
    pub fn new() -> Twins {
        let (cuda, fake) = interpreted();
        Twins::of(cuda, Some(fake))
    }

    /// A CUDA device that orders threads as it likes.
    pub fn beside(cuda: Cuda) -> Twins {
        Twins::of(cuda, None)
    }

    fn of(cuda: Cuda, fake: Option<Fake>) -> Twins {
        let cpu = Cpu::with_threads(1).scalar();
        Twins(Arc::new(Both { cpu, cuda, fake, blocks: Mutex::default(), launches: Mutex::default() }))
    }
}

/// A CUDA device of a driver of its own, which needs no GPU.
pub(crate) fn interpreted() -> (Cuda, Fake) {
    let fake = Fake::new();
    // SAFETY: the library has the driver's functions.
    let driver = unsafe { Driver::open(fake.path().as_os_str()) }.expect("the driver starts");
    (driver.device(0).and_then(|device| Cuda::new(&device)).expect("the device opens"), fake)
}

impl Default for Twins {
    fn default() -> Twins {
        Twins::new()
    }
}

impl Both {
    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place of an address that is used.
    fn find(&self, address: Address) -> Place {
        self.blocks().find(address).unwrap_or_else(|| panic!("address {address:#x} lies in no block of memory"))
    }

    /// What a block holds, on the CPU and on the CUDA device.
    fn contents(&self, block: &Block) -> [Vec<u8>; 2] {
        let (mut cpu, mut cuda) = (vec![0; block.bytes], vec![0; block.bytes]);
        // SAFETY: the blocks have so many bytes, and launches have ended when they return.
        unsafe {
            self.cpu.download(block.cpu, &mut cpu).expect("the CPU gives its bytes");
            self.cuda.download(block.cuda, &mut cuda).expect("the CUDA device gives its bytes");
        }
        [cpu, cuda]
    }
}

// SAFETY: memory lies where the two backends give it; addresses are translated by `Blocks`, which leaves gaps between
// blocks that are larger than what is readable past their ends.
unsafe impl Backend for Twins {
    fn name(&self) -> &str {
        "cuda beside cpu"
    }

    fn host_memory(&self) -> bool {
        false
    }

    fn allocate(&self, bytes: usize) -> Result<Address, BackendError> {
        let cuda = self.0.cuda.allocate(bytes)?;
        let cpu = self.0.cpu.allocate(bytes).inspect_err(|_| {
            // SAFETY: it was just taken.
            unsafe { self.0.cuda.free(cuda, bytes) };
        })?;
        Ok(self.0.blocks().add(bytes, cpu, cuda))
    }

    unsafe fn free(&self, address: Address, bytes: usize) {
        let block = self.0.blocks().remove(address);
        // SAFETY: the caller's contract.
        unsafe {
            self.0.cuda.free(block.cuda, bytes);
            self.0.cpu.free(block.cpu, bytes);
        }
    }

    unsafe fn upload(&self, to: Address, from: &[u8]) -> Result<(), BackendError> {
        let to = self.0.find(to);
        // SAFETY: the caller's contract.
        unsafe { self.0.cuda.upload(to.cuda(), from).and_then(|()| self.0.cpu.upload(to.cpu(), from)) }
    }

    unsafe fn download(&self, from: Address, to: &mut [u8]) -> Result<(), BackendError> {
        let from = self.0.find(from);
        let mut beside = vec![0; to.len()];
        // SAFETY: the caller's contract.
        unsafe { self.0.cuda.download(from.cuda(), to).and_then(|()| self.0.cpu.download(from.cpu(), &mut beside)) }?;
        assert!(beside == to, "the CPU and the CUDA device hold different bytes, and no launch has written there");
        Ok(())
    }

    unsafe fn copy(&self, from: Address, to: Address, bytes: usize) -> Result<(), BackendError> {
        let (from, to) = (self.0.find(from), self.0.find(to));
        // SAFETY: the caller's contract.
        unsafe {
            self.0.cuda.copy(from.cuda(), to.cuda(), bytes)?;
            self.0.cpu.copy(from.cpu(), to.cpu(), bytes)
        }
    }

    fn check(&self) -> Result<(), BackendError> {
        self.0.cuda.check()
    }

    fn compile(&self, program: &Program) -> Result<Arc<dyn Executable>, BackendError> {
        let (cuda, cpu) = (self.0.cuda.compile(program), self.0.cpu.compile(program));
        match (cuda, cpu) {
            (Ok(cuda), Ok(cpu)) => Ok(Arc::new(Pair {
                cuda,
                cpu,
                words: ArgWords::of(&program.kernel.function),
                order_counts: order_counts(&program.kernel.function),
                function: program.kernel.function.clone(),
                layouts: program.layouts.clone(),
                both: self.0.clone(),
            })),
            (Err(error), Err(_)) => Err(error),
            (cuda, cpu) => panic!(
                "one of the devices refuses kernel `{}`: CUDA says {:?}, the CPU {:?}",
                program.kernel.function.name,
                cuda.err(),
                cpu.err()
            ),
        }
    }
}

/// A program on both devices.
struct Pair {
    cuda: Arc<dyn Executable>,
    cpu: Arc<dyn Executable>,
    function: Function,
    layouts: Vec<ElementLayout>,
    words: ArgWords,
    /// What threads leave depends on their order.
    order_counts: bool,
    both: Arc<Both>,
}

impl Executable for Pair {
    unsafe fn launch(&self, call: &Call<'_>) -> Result<(), LaunchStop> {
        let mut launches = self.both.launches.lock().unwrap_or_else(PoisonError::into_inner);
        *launches += 1;
        if let Some(fake) = &self.both.fake {
            fake.seed(if self.order_counts { 0 } else { *launches });
        }
        // SAFETY: the caller's contract; the addresses are those of the same places.
        let (cuda_end, printed) = unsafe { self.run(&*self.cuda, call, Place::cuda) };
        if let Err(LaunchStop::Backend(error)) = &cuda_end {
            panic!("the CUDA device fails in kernel `{}`: {error}", self.function.name);
        }
        // SAFETY: as above.
        let (cpu_end, beside) = unsafe { self.run(&*self.cpu, call, Place::cpu) };
        let same = same_end(&cpu_end, &cuda_end)
            .and_then(|()| match printed.lost {
                0 => same_prints(&beside.lines, &printed.lines),
                _ => Ok(()),
            })
            .and_then(|()| self.compare(call, cuda_end.is_ok() && !(self.order_counts && self.both.fake.is_none())));
        if let Err(difference) = same {
            panic!("kernel `{}` over {:?}: {difference}", self.function.name, call.dims);
        }
        printed.lines.iter().for_each(|(thread, site, args)| call.printer.print(*thread, site, args));
        if printed.lost > 0 {
            call.printer.lost(printed.lost);
        }
        cuda_end
    }
}

impl Pair {
    /// Launches on one of the devices; gives what it printed.
    ///
    /// # Safety
    /// As [`Executable::launch`], for addresses that `place` gives.
    unsafe fn run(
        &self,
        program: &dyn Executable,
        call: &Call<'_>,
        place: fn(&Place) -> Address,
    ) -> (Result<(), LaunchStop>, Printed) {
        let mut words = call.words.to_vec();
        for at in self.addresses().flat_map(|(_, at)| at) {
            // Memory of arrays that a kernel takes and never touches may be gone.
            words[at] = self.both.blocks().find(words[at]).map_or(words[at], |found| place(&found));
        }
        let keep = Keep::default();
        // SAFETY: the caller's contract.
        let end = unsafe { program.launch(&Call { words: &words, printer: &keep, queued: None, ..*call }) };
        let mut printed = keep.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        printed.lines.sort_by_key(|line| line.0);
        (end, printed)
    }

    /// The arrays with the words of their addresses.
    fn addresses(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
        let count = |array: &ArrayParam| if array.storage == Storage::Planes { array.leaves.len() } else { 1 };
        let arrays = self.function.arrays.iter().zip(&self.words.arrays).enumerate();
        arrays.map(move |(k, (array, words))| (k, words.address..words.address + count(array)))
    }

    /// Compares what the launch may have written, where that is decided; then the CPU gets what the CUDA device has.
    fn compare(&self, call: &Call<'_>, decided: bool) -> Result<(), String> {
        for (k, at) in self.addresses() {
            let array = &self.function.arrays[k];
            if array.access != Access::Write {
                continue;
            }
            for (leaf, word) in at.enumerate() {
                let Some(place) = self.both.blocks().find(call.words[word]) else { continue };
                let [cpu, cuda] = self.both.contents(&place.block);
                let elements = self.elements(k, leaf, place.offset);
                if !decided || !elements.same(&cpu, &cuda)? {
                    // SAFETY: the block has so many bytes, and the launch has ended.
                    unsafe { self.both.cpu.upload(place.block.cpu, &cuda) }.map_err(|error| error.to_string())?;
                }
            }
        }
        Ok(())
    }

    fn elements(&self, array: usize, leaf: usize, at: u64) -> Elements<'_> {
        let (param, layout) = (&self.function.arrays[array], &self.layouts[array]);
        let name = &param.name;
        match param.storage {
            Storage::Planes => {
                let scalar: Scalar = param.leaves[leaf];
                Elements { size: scalar.size(), at, leaves: vec![(0, scalar)], name }
            }
            Storage::Elements => {
                let leaves = layout.offsets.iter().copied().zip(param.leaves.iter().copied()).collect();
                Elements { size: layout.size, at, leaves, name }
            }
        }
    }
}

/// What a launch printed.
#[derive(Default)]
struct Printed {
    /// Sorted by thread.
    lines: Vec<Line>,
    /// Lines that the device had no room for.
    lost: u64,
}

/// Keeps what is printed.
#[derive(Default)]
struct Keep(Mutex<Printed>);

impl Printer for Keep {
    fn print(&self, thread: u64, site: &PrintSite, args: &[u64]) {
        let line = (thread, site.clone(), args.to_vec());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).lines.push(line);
    }

    fn lost(&self, count: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).lost += count;
    }
}
