//! NVIDIA's assembler takes what is emitted. It is looked for in `PTXAS` and on the path; where `WARP_NEEDS_PTXAS` is set it
//! has to be there.

use std::path::PathBuf;
use std::process::Command;

use warp_ir::abi::ElementLayout;
use warp_ir::emit::ptx::{Input, Module, emit};
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

pub(crate) fn emitted(kernel: &Valid<Kernel>, inputs: &Inputs, known: bool) -> Result<Module, String> {
    let layouts = layouts(kernel, inputs);
    let slots = known.then_some(&inputs.slots[..]);
    emit(&Input { kernel, layouts: &layouts, slots }).map_err(|error| error.to_string())
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
        let module = emitted(&kernel, &inputs(&kernel, seed), seed.is_multiple_of(2))?;
        let device = ["sm_90", "sm_75", "sm_120"][seed as usize % 3];
        assemble(&ptxas, &format!("random{seed}"), &module.text, device).map_err(|e| format!("{e}\n{}", module.text))
    };
    if let Err((seed, message)) = search(0, count(40), property) {
        panic!("random kernel {seed}: {message}\n{}", print_kernel(&kernel(seed)));
    }
}
