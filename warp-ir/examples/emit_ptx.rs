//! Writes the PTX of kernels in text form, as `WARP_DUMP=ir,adjoint` has them, beside them: `kernel.ir` gives `kernel.ir.ptx`.
//! The scalars of an element are taken to lie side by side.

use std::error::Error;

use warp_ir::abi::ElementLayout;
use warp_ir::emit::ptx::{Input, emit};
use warp_ir::ir::Scalar;
use warp_ir::text::parse_kernel;

fn main() -> Result<(), Box<dyn Error>> {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
        if text.lines().any(|line| line.starts_with("// has no gradient")) {
            continue;
        }
        let kernel = parse_kernel(&text).map_err(|error| format!("{path}: {error}"))?;
        let layouts: Vec<_> = kernel.function.arrays.iter().map(|param| side_by_side(&param.leaves)).collect();
        let module = emit(&Input { kernel: &kernel, layouts: &layouts, slots: None })?;
        std::fs::write(format!("{path}.ptx"), module.text)?;
    }
    Ok(())
}

fn side_by_side(leaves: &[Scalar]) -> ElementLayout {
    let align = leaves.iter().map(|leaf| leaf.size()).max().unwrap_or(1);
    let mut size = 0usize;
    let offsets = leaves.iter().map(|leaf| {
        let at = size.next_multiple_of(leaf.size());
        size = at + leaf.size();
        at
    });
    let offsets = offsets.collect();
    ElementLayout { size: size.next_multiple_of(align), align, offsets }
}
