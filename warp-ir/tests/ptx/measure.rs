//! The kernels of the yardstick, as they leave the front end (`kernels/`): what their PTX computes, how many instructions a
//! thread executes where nothing fails, and the text itself. `BLESS=1` renews the texts.

use warp_ir::abi::ElementLayout;
use warp_ir::emit::ptx::{Input, Module, emit};
use warp_ir::evaluate::{Array, Inputs, Layout, run};
use warp_ir::ir::{Kernel, Scalar};
use warp_ir::random::{Rng, same};
use warp_ir::text::parse_kernel;
use warp_ir::validate::Valid;

use crate::assemble::{assemble, ptxas};
use crate::code::{Code, code, without_faults};
use crate::run::{How, Ready, numbered};

/// A kernel, and what a thread of its best entry may take at most.
struct Case {
    name: &'static str,
    text: &'static str,
    /// Extents of the launch.
    dims: &'static [u64],
    /// Instructions of the text that it executes where nothing fails.
    executed: u64,
    /// Instructions of the machine (sm_90) that are there for that.
    machine: usize,
    registers: usize,
}

macro_rules! case {
    ($name:literal, $file:literal, $dims:expr, $executed:literal, $machine:literal, $registers:literal) => {
        Case {
            name: $name,
            text: include_str!(concat!("kernels/", $file)),
            dims: &$dims,
            executed: $executed,
            machine: $machine,
            registers: $registers,
        }
    };
}

const CASES: [Case; 10] = [
    case!("saxpy", "saxpy.ir", [256], 18, 24, 16),
    case!("saxpy_adjoint", "saxpy.adjoint", [256], 22, 24, 16),
    case!("gravity", "gravity.ir", [256], 60, 56, 26),
    case!("gravity_adjoint", "gravity.adjoint", [256], 96, 96, 32),
    case!("nbody", "nbody.ir", [256], 5200, 416, 36),
    case!("nbody_adjoint", "nbody.adjoint", [64], 5600, 336, 40),
    case!("spring", "spring.ir", [256], 80, 260, 30),
    case!("spring_adjoint", "spring.adjoint", [256], 180, 390, 40),
    case!("heat", "heat.ir", [16, 16], 62, 64, 22),
    case!("heat_adjoint", "heat.adjoint", [16, 16], 65, 68, 22),
];

fn kernel(case: &Case) -> Valid<Kernel> {
    let mut kernel = parse_kernel(case.text).expect("the text is a kernel").into_inner();
    kernel.function.name = case.name.into();
    Valid::<Kernel>::new(kernel).expect("the kernel is valid")
}

/// Elements side by side, as rustc lays them out.
fn layouts(kernel: &Kernel) -> Vec<ElementLayout> {
    let of = |leaves: &Vec<Scalar>| {
        let align = leaves.iter().map(|leaf| leaf.size()).max().unwrap_or(1);
        let mut at = 0;
        let place = |leaf: &Scalar| {
            at += leaf.size();
            at - leaf.size()
        };
        let offsets = leaves.iter().map(place).collect();
        ElementLayout { size: at, align, offsets }
    };
    kernel.function.arrays.iter().map(|param| of(&param.leaves)).collect()
}

/// As many elements as threads, of numbers around 1 and of indices in range; lengths are those of a side.
fn inputs(kernel: &Kernel, dims: &[u64]) -> Inputs {
    let threads: u64 = dims.iter().product();
    let strides: Vec<u64> = (0..dims.len()).map(|dim| dims[dim + 1..].iter().product()).collect();
    let mut rng = Rng::new(7);
    let mut bits = |scalar: Scalar| match scalar {
        Scalar::F32 => u64::from((0.5 + rng.below(1000) as f32 / 1000.0).to_bits()),
        Scalar::F64 => (0.5 + rng.below(1000) as f64 / 1000.0).to_bits(),
        Scalar::U64 => dims[0],
        _ => rng.below(threads),
    };
    let function = &kernel.function;
    let scalars = function.params.iter().map(|param| bits(function.scalar(param.value))).collect();
    let arrays = function.arrays.iter().zip(layouts(kernel)).map(|(param, layout)| {
        let layout = Layout { size: layout.size, offsets: layout.offsets };
        let buffers = vec![vec![0; layout.size * threads as usize]];
        let strides = if param.strided { strides.clone() } else { vec![] };
        let mut array = Array { buffers, start: 0, extents: dims.to_vec(), strides, layout };
        for index in 0..threads {
            for (leaf, &scalar) in param.leaves.iter().enumerate() {
                array.set(param, index, leaf as u16, bits(scalar)).expect("the index is in range");
            }
        }
        array
    });
    Inputs { dims: dims.to_vec(), scalars, slots: vec![], arrays: arrays.collect() }
}

fn module(kernel: &Valid<Kernel>) -> Module {
    emit(&Input { kernel, layouts: &layouts(kernel), slots: Some(&[]) }).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn threads_execute_few_instructions_and_give_the_bits_of_the_evaluator() {
    let mut over = vec![];
    for case in &CASES {
        let kernel = kernel(case);
        let module = module(&kernel);
        let inputs = inputs(&kernel, case.dims);
        let mut expected = inputs.clone();
        let outcome = run(&kernel, &mut expected, 100_000_000).expect("the kernel runs");
        assert_eq!(outcome.fault, None, "{}", case.name);
        let mut ready = Ready::new(&module).unwrap_or_else(|error| panic!("{error}"));
        for (k, entry) in module.entries.iter().enumerate() {
            let mut found = inputs.clone();
            let launched = ready.launch(entry, &kernel, &mut found, How { block: 128, seed: None });
            let (told, counts) =
                launched.unwrap_or_else(|e| panic!("{e}")).expect("each entry is right for the launch");
            let alike = same(&kernel, (&expected, &outcome), (&found, &told));
            alike.unwrap_or_else(|e| panic!("{}: {e}\n{}", entry.name, numbered(&module.text)));
            let each = (counts.total + counts.skipped) as f64 / case.dims.iter().product::<u64>() as f64;
            println!("{:24} {each:8.2} instructions a thread", entry.name);
            if k == 0 && each > case.executed as f64 {
                over.push(format!("{}: {each:.2} of {}", case.name, case.executed));
            }
        }
    }
    assert!(over.is_empty(), "{over:?}");
}

#[test]
fn texts_are_those_that_are_kept() {
    for case in &CASES {
        let found = module(&kernel(case)).text;
        let path = format!("{}/tests/ptx/kernels/{}.ptx", env!("CARGO_MANIFEST_DIR"), case.name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &found).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(kept == found, "{path} differs; BLESS=1 renews it.\n{found}");
    }
}

#[test]
fn texts_assemble_without_spills_and_warnings() {
    let Some(ptxas) = ptxas() else { return };
    for case in &CASES {
        for device in ["sm_75", "sm_90", "sm_120"] {
            let text = module(&kernel(case)).text;
            assemble(&ptxas, case.name, &text, device).unwrap_or_else(|error| panic!("{}: {error}\n{text}", case.name));
        }
    }
}

/// Registers are those of the whole text; of the machine's instructions those count that are there where nothing fails.
#[test]
fn machine_code_is_small() {
    let Some(ptxas) = ptxas() else { return };
    let mut over = vec![];
    for case in &CASES {
        let module = module(&kernel(case));
        let entry = &module.entries[0].name;
        let bare = without_faults(&module.text, entry).expect("the entry is there");
        let code = |text| code(&ptxas, text, entry, "sm_90").unwrap_or_else(|error| panic!("{entry}: {error}"));
        let found = Code { registers: code(&module.text).registers, ..code(&bare) };
        println!("{entry:24} {} registers, {} instructions of the machine", found.registers, found.instructions);
        if found.registers > case.registers || found.instructions > case.machine {
            over.push(format!("{}: {found:?} of {} and {}", case.name, case.registers, case.machine));
        }
    }
    assert!(over.is_empty(), "{over:?}");
}
