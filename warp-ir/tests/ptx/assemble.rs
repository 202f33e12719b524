//! NVIDIA's assembler takes what is emitted. It is looked for in `PTXAS` and on the path; where `WARP_NEEDS_PTXAS` is set it
//! has to be there.

use std::path::PathBuf;
use std::process::Command;

use warp_ir::abi::ElementLayout;
use warp_ir::emit::ptx::{Elements, Input, Module, emit, emit_early};
use warp_ir::evaluate::Inputs;
use warp_ir::ir::Kernel;
use warp_ir::random::{count, inputs, kernel, search};
use warp_ir::text::print_kernel;
use warp_ir::validate::Valid;

/// The layouts of random inputs, as rustc would have found them.
pub(crate) fn layouts(kernel: &Kernel, inputs: &Inputs) -> Vec<ElementLayout> {
    let arrays = kernel.function.arrays.iter().zip(&inputs.arrays);
    let of = |(param, array): (&warp_ir::ir::ArrayParam, &warp_ir::evaluate::Array)| ElementLayout {
        size: array.layout.size,
        align: param.leaves.iter().map(|leaf| leaf.size()).max().unwrap_or(1),
        offsets: array.layout.offsets.clone(),
    };
    arrays.map(of).collect()
}

/// What is known when a text is made; all else is put into it later.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Known {
    /// Layouts and user constants.
    All,
    /// Layouts.
    Layouts,
    /// What the kernel says by itself.
    Nothing,
}

pub(crate) fn emitted(kernel: &Valid<Kernel>, inputs: &Inputs, known: Known) -> Result<Module, String> {
    let layouts = layouts(kernel, inputs);
    let module = match known {
        Known::Nothing => {
            let elements: Vec<Elements> = (0..layouts.len() as u32).map(Elements::Later).collect();
            emit_early(kernel, &elements)
        }
        _ => emit(&Input { kernel, layouts: &layouts, slots: (known == Known::All).then_some(&inputs.slots[..]) }),
    };
    module.map_err(|error| error.to_string())
}

/// The assembler, if it is wanted or there.
pub(crate) fn ptxas() -> Option<PathBuf> {
    let named = std::env::var_os("PTXAS").map(PathBuf::from);
    let path = named.unwrap_or_else(|| "ptxas".into());
    let there = Command::new(&path).arg("--version").output().is_ok_and(|output| output.status.success());
    if !there {
        assert!(std::env::var_os("WARP_NEEDS_PTXAS").is_none(), "ptxas is wanted and was not found at {path:?}");
        eprintln!("not checked: ptxas was not found at {path:?}; PTXAS names it");
    }
    there.then_some(path)
}

/// What the assembler has to say against a text for a device.
pub(crate) fn assemble(ptxas: &PathBuf, name: &str, text: &str, device: &str) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("warp-ptx-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (file, cubin) = (folder.join(format!("{name}.ptx")), folder.join(format!("{name}.{device}.cubin")));
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let output = Command::new(ptxas)
        .args(["-warn-spills", "-Werror"])
        .arg(format!("-arch={device}"))
        .arg(&file)
        .arg("-o")
        .arg(&cubin)
        .output();
    let output = output.map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[test]
fn random_kernels_assemble() {
    let Some(ptxas) = ptxas() else { return };
    let property = |seed: u64| {
        let kernel = kernel(seed);
        let inputs = inputs(&kernel, seed);
        let module = emitted(&kernel, &inputs, [Known::All, Known::Layouts, Known::Nothing][seed as usize % 3])?;
        let text = module.filled(&inputs.slots, &layouts(&kernel, &inputs)).ok_or("something is missing")?;
        let device = ["sm_90", "sm_75", "sm_120"][seed as usize / 3 % 3];
        assemble(&ptxas, &format!("random{seed}"), &text, device).map_err(|e| format!("{e}\n{text}"))
    };
    if let Err((seed, message)) = search(0, count(40), property) {
        panic!("random kernel {seed}: {message}\n{}", print_kernel(&kernel(seed)));
    }
}
