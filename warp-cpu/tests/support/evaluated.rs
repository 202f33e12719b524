//! Running a kernel as the evaluator does, and comparing the two.

use std::sync::Mutex;

use warp_core::backend::{Backend, Call, ElementLayout, LaunchStop, Printer, Program};
use warp_cpu::Cpu;
use warp_ir::evaluate::{self, Array, Fault, Inputs, Outcome, Printed};
use warp_ir::ir::{Function, Kernel, PrintId, PrintSite, Scalar, SourceId, Storage};
use warp_ir::random;
use warp_ir::validate::Valid;

/// The buffers of an array argument in aligned memory.
struct Memory(Vec<Vec<u128>>);

impl Memory {
    fn of(array: &Array) -> Memory {
        let align = |bytes: &Vec<u8>| {
            let mut words = vec![0u128; bytes.len().div_ceil(16) + 1];
            bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
            words
        };
        Memory(array.buffers.iter().map(align).collect())
    }

    /// The words of the argument block.
    fn words(&mut self, array: &Array) -> Vec<u64> {
        let address = |words: &mut Vec<u128>| words.as_mut_ptr().expose_provenance() as u64;
        let mut block: Vec<u64> = self.0.iter_mut().map(address).collect();
        if let [only] = &mut block[..] {
            *only += array.start as u64;
        }
        block.extend(&array.extents);
        block.extend(&array.strides);
        block
    }

    fn write_back(&self, array: &mut Array) {
        for (words, bytes) in self.0.iter().zip(&mut array.buffers) {
            let length = bytes.len();
            bytes.copy_from_slice(&bytemuck::cast_slice(words)[..length]);
        }
    }
}

/// Keeps printed lines; sites are known by their contents.
struct Prints<'a> {
    function: &'a Function,
    lines: Mutex<Vec<Printed>>,
}

impl Printer for Prints<'_> {
    fn print(&self, thread: u64, site: &PrintSite, args: &[u64]) {
        let site = first_like(self.function, site);
        self.lines.lock().unwrap().push(Printed { thread, site, args: args.to_vec() });
    }
}

fn first_like(function: &Function, site: &PrintSite) -> PrintId {
    let at = function.prints.iter().position(|known| known == site).expect("the kernel has this site");
    PrintId(at as u32)
}

fn layout(array: &Array, leaves: &[Scalar], storage: Storage) -> ElementLayout {
    match storage {
        Storage::Elements => ElementLayout {
            size: array.layout.size,
            align: leaves.iter().map(|leaf| leaf.size()).max().unwrap_or(1),
            offsets: array.layout.offsets.clone(),
        },
        Storage::Planes => super::layout(leaves),
    }
}

/// Runs a kernel as the evaluator does: arrays change in place.
fn run(cpu: &Cpu, kernel: &Valid<Kernel>, inputs: &mut Inputs, launches: usize) -> Result<Outcome, String> {
    let function = &kernel.function;
    let layouts = function.arrays.iter().zip(&inputs.arrays).map(|(p, a)| layout(a, &p.leaves, p.storage)).collect();
    let kernel = (**kernel).clone();
    let executable =
        cpu.compile(&Program { kernel, slots: inputs.slots.clone(), layouts }).map_err(|e| e.to_string())?;
    let mut outcome = Outcome::default();
    let mut memory = Vec::new();
    for _ in 0..launches {
        memory = inputs.arrays.iter().map(Memory::of).collect();
        let mut words: Vec<u64> = Vec::new();
        memory.iter_mut().zip(&inputs.arrays).for_each(|(memory, array)| words.extend(memory.words(array)));
        words.extend(&inputs.scalars);
        let printer = Prints { function, lines: Mutex::default() };
        let call = Call { words: &words, dims: &inputs.dims, threads: None, printer: &printer };
        // SAFETY: the words name memory of this function, laid out as the inputs say; the kernel is guarded.
        let stop = unsafe { executable.launch(&call) };
        let mut prints = printer.lines.into_inner().unwrap();
        prints.sort_by_key(|line| line.thread);
        let (fault, faults) = fault(function, stop)?;
        outcome = Outcome { fault, faults, prints };
    }
    memory.iter().zip(&mut inputs.arrays).for_each(|(memory, array)| memory.write_back(array));
    Ok(outcome)
}

fn fault(function: &Function, stop: Result<(), LaunchStop>) -> Result<(Option<Fault>, u64), String> {
    match stop {
        Ok(()) => Ok((None, 0)),
        Err(LaunchStop::Backend(error)) => Err(error.to_string()),
        Err(LaunchStop::Fault { thread, kind, source, operands, count }) => {
            let at = function.sources.iter().position(|known| *known == source).expect("the kernel has this source");
            Ok((Some(Fault { thread, kind, source: SourceId(at as u32), operands }), count))
        }
    }
}

/// Sites and sources that are alike in the kernel's tables count as the first of them.
fn by_contents(function: &Function, mut outcome: Outcome) -> Outcome {
    for line in &mut outcome.prints {
        line.site = first_like(function, &function.prints[line.site.0 as usize]);
    }
    if let Some(fault) = &mut outcome.fault {
        let source = &function.sources[fault.source.0 as usize];
        let at = function.sources.iter().position(|known| known == source).expect("it is there");
        fault.source = SourceId(at as u32);
    }
    outcome
}

/// Whether compiled code does what the evaluator does, on random inputs.
pub fn agrees(cpu: &Cpu, kernel: &Valid<Kernel>, seed: u64, launches: usize) -> Result<(), String> {
    let inputs = random::inputs(kernel, seed);
    let mut expected_inputs = inputs.clone();
    let expected = evaluate::run(kernel, &mut expected_inputs, random::STEPS).map_err(|trouble| trouble.to_string())?;
    let expected = by_contents(&kernel.function, expected);
    let mut found_inputs = inputs;
    let found = run(cpu, kernel, &mut found_inputs, launches)?;
    random::same(kernel, (&expected_inputs, &expected), (&found_inputs, &found))
}
