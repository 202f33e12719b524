//! Running a kernel as the evaluator does, and comparing the two.

use std::sync::{Arc, Mutex};

use warp::backend::{Backend, Call, ElementLayout, How, LaunchStop, Printer, Program};
use warp_ir::evaluate::{self, Array, Fault, Inputs, Outcome, Printed};
use warp_ir::ir::{Function, Kernel, PrintId, PrintSite, Scalar, SourceId, Storage};
use warp_ir::random;
use warp_ir::validate::Valid;

use crate::buffer::Buffer;
use crate::rig::{self, Rig};

/// Whether compiled code does what the evaluator does, on random inputs, each time that it is launched.
pub fn agrees(rig: &Rig, kernel: &Valid<Kernel>, seed: u64, launches: usize) -> Result<(), String> {
    agrees_on(rig, kernel, &random::inputs(kernel, seed), launches)
}

/// The same on inputs of one's own.
pub fn agrees_on(rig: &Rig, kernel: &Valid<Kernel>, inputs: &Inputs, launches: usize) -> Result<(), String> {
    let mut expected_inputs = inputs.clone();
    let steps = 10 * random::STEPS;
    let expected = evaluate::run(kernel, &mut expected_inputs, steps).map_err(|trouble| trouble.to_string())?;
    let expected = by_contents(&kernel.function, expected);
    let function = &kernel.function;
    let layouts = function.arrays.iter().zip(&inputs.arrays).map(|(p, a)| layout(a, &p.leaves, p.storage)).collect();
    let program = Program { kernel: (**kernel).clone(), slots: inputs.slots.clone(), layouts };
    let compiled = rig.try_compile(&program).map_err(|error| error.to_string())?;
    for _ in 0..launches {
        let mut found_inputs = inputs.clone();
        let found = run(rig, &compiled, function, &mut found_inputs)?;
        random::same(kernel, (&expected_inputs, &expected), (&found_inputs, &found))?;
    }
    Ok(())
}

/// Runs a kernel as the evaluator does: arrays change in place.
fn run(rig: &Rig, compiled: &rig::Compiled, function: &Function, inputs: &mut Inputs) -> Result<Outcome, String> {
    let memory: Vec<Memory> = inputs.arrays.iter().map(|array| Memory::of(rig.backend(), array)).collect();
    let mut words: Vec<u64> = Vec::new();
    memory.iter().zip(&inputs.arrays).for_each(|(memory, array)| words.extend(memory.words(array)));
    words.extend(&inputs.scalars);
    let printer = Prints { function, lines: Mutex::default() };
    let stop = compiled.call(&Call {
        words: &words,
        dims: &inputs.dims,
        how: How::default(),
        printer: &printer,
        queued: None,
    });
    let mut prints = printer.lines.into_inner().expect("no printer panics");
    prints.sort_by_key(|line| line.thread);
    let (fault, faults) = fault(function, stop)?;
    memory.iter().zip(&mut inputs.arrays).for_each(|(memory, array)| memory.write_back(array));
    Ok(Outcome { fault, faults, prints })
}

/// The buffers of an array argument on the device.
struct Memory(Vec<Buffer<u8>>);

impl Memory {
    fn of(backend: &Arc<dyn Backend>, array: &Array) -> Memory {
        Memory(array.buffers.iter().map(|bytes| Buffer::new(backend, bytes)).collect())
    }

    /// The words of the argument block.
    fn words(&self, array: &Array) -> Vec<u64> {
        let mut block: Vec<u64> = self.0.iter().map(Buffer::address).collect();
        if let [only] = &mut block[..] {
            *only += array.start as u64;
        }
        block.extend(&array.extents);
        block.extend(&array.strides);
        block
    }

    fn write_back(&self, array: &mut Array) {
        for (buffer, bytes) in self.0.iter().zip(&mut array.buffers) {
            *bytes = buffer.read();
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
        self.lines.lock().expect("no printer panics").push(Printed { thread, site, args: args.to_vec() });
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
        Storage::Planes => rig::layout(leaves),
    }
}

fn fault(function: &Function, stop: Result<(), LaunchStop>) -> Result<(Option<Fault>, u64), String> {
    match stop {
        Ok(()) => Ok((None, 0)),
        Err(LaunchStop::Backend(error)) => Err(error.to_string()),
        Err(LaunchStop::Fault { thread, kind, source, operands, count }) => {
            let known = function.sources.iter().position(|known| *known == source);
            let at = known.ok_or_else(|| format!("a fault names a source that the kernel has not: {source:?}"))?;
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
