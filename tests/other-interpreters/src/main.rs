//! Emitted PTX in an interpreter that is not part of this project: ptoxide. Arrays, and reports of faults, must have the bits of
//! the evaluator. And a parser, which reads the texts.
//!
//! The interpreter rounds the product in a fused multiplication and addition, has neither division nor roots, no atomics, and
//! knows some instructions under other names. So the numbers here are such that all products and sums are exact, and texts
//! are spelled in its words first (`spell.rs`). What it cannot run is listed.

mod spell;

use std::panic::catch_unwind;

use ptoxide::{Argument, Context, LaunchParams};
use warp_ir::abi::{ArgWords, ElementLayout};
use warp_ir::emit::ptx::abi::{Entry, FaultBlock};
use warp_ir::emit::ptx::{Input, Module, emit};
use warp_ir::evaluate::{Array, Inputs, Layout, Outcome, run};
use warp_ir::ir::{Kernel, Scalar};
use warp_ir::random::Rng;
use warp_ir::text::parse_kernel;
use warp_ir::validate::Valid;

const KERNELS: [&str; 10] = [
    "saxpy.ir",
    "saxpy.adjoint",
    "gravity.ir",
    "gravity.adjoint",
    "heat.ir",
    "heat.adjoint",
    "nbody.ir",
    "nbody.adjoint",
    "spring.ir",
    "spring.adjoint",
];
/// Elements of arrays of one dimension; the sides of others.
const LENGTH: u64 = 96;
const SIDE: u64 = 8;

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut wrong = 0;
    println!("| kernel | entry | launch | ptoxide |\n|---|---|---|---|");
    let mut read = 0;
    for file in KERNELS {
        let path = format!("{}/../../warp-ir/tests/ptx/kernels/{file}", env!("CARGO_MANIFEST_DIR"));
        let kernel = kernel(&path);
        let module = module(&kernel);
        let spelled = spell::for_parser(&module.text);
        read += usize::from(ptx_ir::Module::from_ptx(&spelled, 0).is_ok());
        for more in [0, 5] {
            let inputs = inputs(&kernel, more);
            for entry in &module.entries {
                let told = match compared(&kernel, &module, entry, &inputs) {
                    Verdict::Equal(faults) => format!("equal bits, {faults} faults"),
                    Verdict::Unfit => continue,
                    Verdict::NotRun(why) => format!("not run: {why}"),
                    Verdict::Different(what) => {
                        wrong += 1;
                        format!("DIFFERENT: {what}")
                    }
                };
                println!("| {file} | {} | {:?} | {told} |", entry.name, inputs.dims);
            }
        }
    }
    println!("\nOf {} texts ptx-ir reads {read}.", KERNELS.len());
    std::process::exit(i32::from(wrong > 0));
}

fn kernel(path: &str) -> Valid<Kernel> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut kernel = parse_kernel(&text).expect("the text is a kernel").into_inner();
    kernel.function.name = kernel.function.name.replace(' ', "_");
    Valid::<Kernel>::new(kernel).expect("the kernel is valid")
}

/// Elements side by side.
fn layouts(kernel: &Kernel) -> Vec<ElementLayout> {
    let of = |leaves: &Vec<Scalar>| {
        let offsets = (0..leaves.len()).map(|k| k * leaves[0].size()).collect();
        ElementLayout { size: leaves.len() * leaves[0].size(), align: leaves[0].size(), offsets }
    };
    kernel.function.arrays.iter().map(|param| of(&param.leaves)).collect()
}

fn module(kernel: &Valid<Kernel>) -> Module {
    emit(&Input { kernel, layouts: &layouts(kernel), slots: Some(&[]) }).unwrap_or_else(|error| panic!("{error}"))
}

/// Small halves, quarters and eighths, whose products and sums are exact; `more` threads than elements in each dimension.
fn inputs(kernel: &Kernel, more: u64) -> Inputs {
    let extents = if kernel.rank == 2 { vec![SIDE, SIDE] } else { vec![LENGTH] };
    let count: u64 = extents.iter().product();
    let mut rng = Rng::new(3);
    let mut bits = |scalar: Scalar| match scalar {
        Scalar::F32 => u64::from(((rng.below(17) as f32 - 8.0) / 4.0).to_bits()),
        Scalar::U64 => extents[0],
        _ => rng.below(count),
    };
    let function = &kernel.function;
    let scalars = function.params.iter().map(|param| bits(function.scalar(param.value))).collect();
    let arrays = function.arrays.iter().zip(layouts(kernel)).map(|(param, layout)| {
        let layout = Layout { size: layout.size, offsets: layout.offsets };
        let buffers = vec![vec![0; layout.size * count as usize]];
        let strides = if param.strided { vec![SIDE, 1][2 - extents.len()..].to_vec() } else { vec![] };
        let mut array = Array { buffers, start: 0, extents: extents.clone(), strides, layout };
        for index in 0..count {
            for (leaf, &scalar) in param.leaves.iter().enumerate() {
                array.set(param, index, leaf as u16, bits(scalar)).expect("the index is in range");
            }
        }
        array
    });
    Inputs {
        arrays: arrays.collect(),
        dims: extents.iter().map(|extent| extent + more).collect(),
        scalars,
        slots: vec![],
    }
}

enum Verdict {
    /// With so many faults.
    Equal(u64),
    /// The entry is not meant for the launch.
    Unfit,
    NotRun(String),
    Different(String),
}

fn compared(kernel: &Valid<Kernel>, module: &Module, entry: &Entry, inputs: &Inputs) -> Verdict {
    let mut expected = inputs.clone();
    let outcome = run(kernel, &mut expected, 10_000_000).expect("the kernel runs");
    let launched = catch_unwind(|| launch(kernel, module, entry, inputs));
    let (arrays, faults) = match launched {
        Ok(Ok(Some(found))) => found,
        Ok(Ok(None)) => return Verdict::Unfit,
        Ok(Err(why)) => return Verdict::NotRun(why),
        Err(_) => return Verdict::NotRun("it does not know an instruction".into()),
    };
    for ((found, wanted), param) in arrays.iter().zip(&expected.arrays).zip(&kernel.function.arrays) {
        if let Some(at) = (0..found.len()).find(|&at| found[at] != wanted.buffers[0][at]) {
            return Verdict::Different(format!("`{}` from byte {at} on", param.name));
        }
    }
    match same_fault(module, &outcome, &faults) {
        true => Verdict::Equal(outcome.faults),
        false => Verdict::Different(format!("the report {faults:?}, expected {:?}", outcome.fault)),
    }
}

/// The text with one entry.
fn alone(text: &str, entry: &str) -> String {
    let mut parts = text.split("\n.visible .entry ");
    let head = parts.next().unwrap_or_default();
    let body = parts.find(|part| part.starts_with(&format!("{entry}("))).unwrap_or_default();
    format!("{head}\n.visible .entry {body}")
}

fn same_fault(module: &Module, outcome: &Outcome, words: &[u64]) -> bool {
    match (&outcome.fault, FaultBlock::read(words)) {
        (None, None) => true,
        (Some(wanted), Some(found)) => {
            let site = &module.sites[found.site];
            let operands: Vec<u64> = wanted.operands.iter().map(|&(_, bits)| bits).collect();
            (found.thread, found.count, &site.kind, found.operands)
                == (wanted.thread, outcome.faults, &wanted.kind, operands)
        }
        _ => false,
    }
}

/// What the arrays hold after a launch, and the words of the fault block.
type Launched = (Vec<Vec<u8>>, Vec<u64>);

fn launch(kernel: &Kernel, module: &Module, entry: &Entry, inputs: &Inputs) -> Result<Option<Launched>, String> {
    // Memory begins at 0 there, which no array does.
    let mut memory = vec![0u8; 64];
    let mut place = |bytes: &[u8]| {
        memory.resize(memory.len().next_multiple_of(64), 0);
        memory.extend(bytes);
        (memory.len() - bytes.len()) as u64
    };
    let layout = ArgWords::of(&kernel.function);
    let mut words = vec![0; layout.total];
    for (array, at) in inputs.arrays.iter().zip(&layout.arrays) {
        words[at.address] = place(&array.buffers[0]);
        words[at.extents..][..array.extents.len()].copy_from_slice(&array.extents);
        if let Some(strides) = at.strides {
            words[strides..][..array.strides.len()].copy_from_slice(&array.strides);
        }
    }
    words[layout.scalars..].copy_from_slice(&inputs.scalars);
    let Some(grid) = entry.fits(&inputs.dims, &words, 32) else { return Ok(None) };
    let quiet = module.fault.quiet();
    let faults = place(&quiet.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
    words.extend(module.words.fill(&inputs.dims, faults, 0));
    let params: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = spell::for_ptoxide(&alone(&module.text, &entry.name), grid.grid[0]);
    let mut context = Context::new_with_module(&text).map_err(|error| error.to_string())?;
    let start = context.alloc_raw(memory.len(), 64);
    context.write_raw(start, 0, &memory);
    let shape =
        LaunchParams::func(&entry.name).grid2d(grid.grid[0], grid.grid[1]).block2d(grid.block[0], grid.block[1]);
    context.run(shape, &[Argument::Bytes(&params)]).map_err(|error| error.to_string())?;
    let mut read = |at: u64, bytes: usize| {
        let mut data = vec![0; bytes];
        context.read_raw(start, at as usize, &mut data);
        data
    };
    let places = layout.arrays.iter().map(|at| words[at.address]);
    let arrays = places.zip(&inputs.arrays).map(|(at, array)| read(at, array.buffers[0].len())).collect();
    let told = read(faults, quiet.len() * 8);
    let told = told.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))).collect();
    Ok(Some((arrays, told)))
}
