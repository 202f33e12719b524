//! Launches of emitted kernels in the interpreter of PTX.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use ptx_run::{Config, Counts, Grid, Machine, Memory, SimpleMemory};
use warp_ir::abi::ArgWords;
use warp_ir::emit::ptx::abi::{Entry, FaultBlock, PrintRing};
use warp_ir::emit::ptx::{Module, Site};
use warp_ir::evaluate::{Fault, Inputs, Outcome, Printed};
use warp_ir::ir::{Kernel, PrintId, PrintSite, SourceId, Storage};
use warp_ir::planted;

/// Bytes that may be read past the end of an array.
const PAST: usize = 16;
/// Words for prints.
const RING: usize = 1 << 12;

/// How a launch goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// Threads of a block.
    pub(crate) block: u32,
    /// The order of threads; none: row-major.
    pub(crate) seed: Option<u64>,
}

/// A module that is ready to run.
pub(crate) struct Ready<'m> {
    module: &'m Module,
    parsed: ptx_run::Module,
}

impl<'m> Ready<'m> {
    pub(crate) fn new(module: &'m Module) -> Result<Ready<'m>, String> {
        if !planted::any() {
            keep(&module.text);
        }
        let parsed = ptx_run::Module::parse(&module.text).map_err(|e| format!("{e}\n{}", numbered(&module.text)))?;
        Ok(Ready { module, parsed })
    }

    /// Launches an entry, where it is right for these inputs; the arrays change in place.
    pub(crate) fn launch(
        &mut self,
        entry: &Entry,
        kernel: &Kernel,
        inputs: &mut Inputs,
        how: How,
    ) -> Result<Option<(Outcome, Counts)>, String> {
        let mut memory = SimpleMemory::new();
        let (mut words, buffers) = pass(&mut memory, kernel, inputs);
        let Some(grid) = entry.fits(&inputs.dims, &words, how.block) else { return Ok(None) };
        let faults = memory.allocate_from(&bytes(&self.module.fault.quiet()));
        let ring = PrintRing { capacity: RING };
        let mut blank = vec![0xdead_beef; ring.words()];
        blank[..PrintRing::RECORDS].copy_from_slice(&ring.quiet());
        let prints = if self.module.prints.is_empty() { 0 } else { memory.allocate_from(&bytes(&blank)) };
        words.extend(self.module.words.fill(&inputs.dims, faults, prints));
        assert_eq!(words.len(), self.module.words.total);
        let params = match self.module.words.by_address() {
            true => memory.allocate_from(&bytes(&words)).to_le_bytes().to_vec(),
            false => bytes(&words),
        };
        if self.parsed.globals_size() > 0 {
            let place = memory.allocate(self.parsed.globals_size());
            let image = self.parsed.place(place);
            memory.write(place, &image)?;
        }
        let machine = Machine::new(Config { seed: how.seed, limit: 200_000_000 });
        let launch = Grid { grid: grid.grid, block: grid.block, shared: 0, params: &params };
        let counts = machine
            .launch(&self.parsed, &entry.name, launch, &mut memory)
            .map_err(|e| format!("{}: {e}\n{}", entry.name, numbered(&self.module.text)))?;
        for (array, places) in inputs.arrays.iter_mut().zip(&buffers) {
            for (buffer, &place) in array.buffers.iter_mut().zip(places) {
                let now = memory.bytes(place).ok_or("an allocation is gone")?;
                buffer.copy_from_slice(&now[..now.len() - PAST]);
            }
        }
        let mut outcome = Outcome::default();
        if let Some(fault) = FaultBlock::read(&numbers(memory.bytes(faults).unwrap_or_default())) {
            outcome.faults = fault.count;
            outcome.fault = Some(told(kernel, &self.module.sites[fault.site], fault.thread, &fault.operands));
        }
        if prints != 0 {
            let told = PrintRing::read(&numbers(memory.bytes(prints).unwrap_or_default()));
            if told.lost > 0 {
                return Err(format!("{} prints found no room", told.lost));
            }
            outcome.prints = told.printed.into_iter().map(|p| self.printed(kernel, p)).collect();
        }
        Ok(Some((outcome, counts)))
    }

    fn printed(&self, kernel: &Kernel, p: warp_ir::emit::ptx::abi::Printed) -> Printed {
        Printed { thread: p.thread, site: first_of(kernel, &self.module.prints[p.site]), args: p.args }
    }
}

/// Writes a text to the folder that `WARP_KEEP_PTX` names, for the assembler. The same one has the same name.
fn keep(text: &str) {
    let Some(folder) = std::env::var_os("WARP_KEEP_PTX").map(PathBuf::from) else { return };
    let mut hash = DefaultHasher::new();
    text.hash(&mut hash);
    std::fs::create_dir_all(&folder).expect("the folder for texts can be made");
    std::fs::write(folder.join(format!("{:016x}.ptx", hash.finish())), text).expect("a text can be kept");
}

/// The first print site of a kernel that says this; there may be more.
pub(crate) fn first_of(kernel: &Kernel, site: &PrintSite) -> PrintId {
    let at = kernel.function.prints.iter().position(|known| known == site);
    PrintId(at.map_or(u32::MAX, |at| at as u32))
}

/// A fault in the words of the evaluator: sources are found by what they say.
fn told(kernel: &Kernel, site: &Site, thread: u64, operands: &[u64]) -> Fault {
    let id = kernel.function.sources.iter().position(|source| *source == site.source).unwrap_or(usize::MAX);
    let operands = site.operands.iter().copied().zip(operands.iter().copied()).collect();
    Fault { thread, kind: site.kind.clone(), source: SourceId(id as u32), operands }
}

/// Puts the arguments into memory: the words, and for each array where its buffers are.
fn pass(memory: &mut SimpleMemory, kernel: &Kernel, inputs: &Inputs) -> (Vec<u64>, Vec<Vec<u64>>) {
    let layout = ArgWords::of(&kernel.function);
    let mut words = vec![0; layout.total];
    let mut buffers = vec![];
    for ((param, array), at) in kernel.function.arrays.iter().zip(&inputs.arrays).zip(&layout.arrays) {
        let places: Vec<u64> = array.buffers.iter().map(|buffer| memory.allocate_from(&padded(buffer))).collect();
        let count = if param.storage == Storage::Planes { places.len() } else { 1 };
        for (k, place) in places.iter().enumerate().take(count) {
            words[at.address + k] = place + array.start as u64;
        }
        words[at.extents..][..array.extents.len()].copy_from_slice(&array.extents);
        if let Some(strides) = at.strides {
            words[strides..][..array.strides.len()].copy_from_slice(&array.strides);
        }
        buffers.push(places);
    }
    words[layout.scalars..].copy_from_slice(&inputs.scalars);
    (words, buffers)
}

fn padded(buffer: &[u8]) -> Vec<u8> {
    [buffer, &[0; PAST]].concat()
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn numbers(bytes: &[u8]) -> Vec<u64> {
    bytes.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("eight bytes"))).collect()
}

/// The text with line numbers, for messages.
pub(crate) fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(k, line)| format!("{:4} {line}\n", k + 1)).collect()
}
