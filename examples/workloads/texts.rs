//! The PTX of the measured kernels, as files: NVIDIA's assembler shows without a GPU what becomes of them.

use std::fs;
use std::path::Path;

use warp_examples_support::failure::{Failure, Outcome};

use crate::{arrays, cloth, cloth_grad, functions, heat, heat_control, mandelbrot, nbody, particles, planes};

/// The way forward and the way back of kernels, by the names of their files.
macro_rules! ways {
    ($($name:literal: $($kernel:ident)::+),* $(,)?) => {
        &[$(($name, $($kernel)::+::PTX), (concat!($name, "_adjoint"), $($kernel)::+::PTX_ADJOINT)),*]
    };
}

const TEXTS: &[(&str, &str)] = ways! {
    "w1_scale_and_add": arrays::scale_and_add,
    "w2_step": particles::step,
    "w2_step_in_planes": planes::step_in_planes,
    "w3_step": nbody::step,
    "w4_pull": cloth::pull,
    "w4_advance": cloth::advance,
    "w4_miss": cloth_grad::miss,
    "w5_spread": heat::spread,
    "w5_miss": heat_control::miss,
    "w8_blended": functions::blended,
    "w9_add": arrays::add,
    "w14_rows": mandelbrot::rows,
    "w14_ordered": mandelbrot::ordered,
    "w15_sin": functions::sin,
    "w15_cos": functions::cos,
    "w15_exp": functions::exp,
    "w15_log": functions::log,
    "w15_pow": functions::pow,
    "w15_atan2": functions::atan2,
    "w15_sqrt": functions::sqrt,
    "w15_div": functions::div,
};

/// Writes them into a folder, which is made where there is none.
pub fn write(folder: &Path) -> Outcome {
    let failed = |why| Failure::of_file(folder, "written", why);
    fs::create_dir_all(folder).map_err(failed)?;
    for (name, text) in TEXTS {
        let path = folder.join(format!("{name}.ptx"));
        fs::write(&path, text).map_err(|why| Failure::of_file(&path, "written", why))?;
    }
    Ok(())
}
