//! Modules and functions.

use std::ffi::c_void;

use warp_cuda::sys::CUresult;
use warp_cuda::{Error, Grid, JitOptions, Module, Optimization};

use super::rig::{KERNELS, filled, launch, module, numbers, rig};

#[test]
fn a_kernel_runs() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let values: Vec<u32> = (0..200).collect();
    let memory = filled(&stream, &values).unwrap();
    let function = module(&device).unwrap().function("add").unwrap();
    launch(&function, &stream, &memory, 5, 150).unwrap();
    let expected: Vec<u32> = values.iter().map(|&k| if k < 150 { k + 5 } else { k }).collect();
    assert_eq!(numbers(&stream, &memory).unwrap(), expected);
}

/// A module that goes while its kernel has not run yet waits for it.
#[test]
fn a_module_may_go_before_its_kernel_has_run() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let memory = filled(&stream, &[1, 2]).unwrap();
    launch(&module(&device).unwrap().function("add").unwrap(), &stream, &memory, 5, 2).unwrap();
    assert_eq!(numbers(&stream, &memory).unwrap(), [6, 7]);
}

/// The last line of the text, counted by hand, holds nonsense.
#[test]
fn wrong_text_is_told_with_its_line() {
    let rig = rig();
    let text = format!("{KERNELS}.visible .entry broken() {{\n    nonsense.u32 %r1, %r2;\n}}\n");
    let line = KERNELS.lines().count() + 2;
    // SAFETY: it is not loaded.
    let error = unsafe { Module::load(&rig.device(), text.as_bytes(), &JitOptions::new()) }.unwrap_err();
    assert_eq!(error.code(), Some(CUresult::INVALID_PTX));
    let words = error.to_string();
    assert!(words.contains(&format!("line {line}; error")) && words.contains("cuModuleLoadDataEx failed"), "{words}");
}

#[test]
fn text_for_a_newer_gpu_is_refused_by_the_driver() {
    let rig = rig();
    let text = KERNELS.replace("sm_70", "sm_120");
    // SAFETY: it is not loaded.
    let error = unsafe { Module::load(&rig.device(), text.as_bytes(), &JitOptions::new()) }.unwrap_err();
    assert!(error.to_string().contains("(sm_120) is higher than the device's, sm_90"), "{error}");
}

#[test]
fn options_are_taken_and_the_log_is_kept() {
    let rig = rig();
    let options = JitOptions::new().max_registers(64).optimization(Optimization::Full).line_info().verbose();
    // SAFETY: nothing of it runs.
    let module = unsafe { Module::load(&rig.device(), KERNELS.as_bytes(), &options) }.unwrap();
    assert_eq!(module.log(), "ptxas info    : 0 bytes gmem");
}

#[test]
fn a_function_that_is_not_there_is_an_error() {
    let rig = rig();
    let module = module(&rig.device()).unwrap();
    let missing = module.function("subtract").unwrap_err();
    assert!(missing.is(CUresult::NOT_FOUND));
    assert!(missing.to_string().starts_with("the module has no function `subtract`: cuModuleGetFunction failed"));
    let missing = module.global("size").unwrap_err();
    assert!(missing.to_string().starts_with("the module has no variable `size`: "), "{missing}");
    assert!(matches!(module.function("a\0b"), Err(Error::Refused(_))));
}

#[test]
fn a_function_says_what_it_takes() {
    let rig = rig();
    let function = module(&rig.device()).unwrap().function("add").unwrap();
    let attributes = function.attributes().unwrap();
    assert_eq!((attributes.block_threads, attributes.ptx, attributes.binary), (1024, (7, 0), (9, 0)));
    assert_eq!(function.best_block(0, 0), Ok((1024, 16)));
    assert_eq!(function.best_block(0, 300), Ok((288, 56)));
    assert_eq!(function.resident_blocks(256, 0), Ok(8));
    assert!(function.allow_shared(100 << 10).is_ok());
    assert!(function.allow_shared(1 << 20).is_err());
}

#[test]
fn a_form_that_no_device_has_is_told() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let function = module(&device).unwrap().function("count").unwrap();
    for grid in [
        Grid::linear(0, 32),
        Grid::linear(1, 2048),
        Grid { blocks: [1, 65536, 1], threads: [1; 3], shared: 0 },
        Grid { blocks: [1; 3], threads: [1, 1, 65], shared: 0 },
        Grid { blocks: [1; 3], threads: [1; 3], shared: 50 << 10 },
    ] {
        // SAFETY: the function has no parameters.
        let words = unsafe { function.launch(&stream, &grid, &mut []) }.unwrap_err().to_string();
        assert!(words.starts_with("`count` cannot be launched on ["), "{words}");
    }
}

#[test]
fn variables_of_a_module_are_its_own() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let modules = [module(&device).unwrap(), module(&device).unwrap()];
    let function = modules[0].function("count").unwrap();
    // SAFETY: the function has no parameters, and uses its variable.
    unsafe { function.launch(&stream, &Grid::linear(3, 5), &mut []) }.unwrap();
    for (module, expected) in modules.iter().zip([7 + 15, 7]) {
        let (address, size) = module.global("counter").unwrap();
        assert_eq!(size, 4);
        let mut found = [0u8; 4];
        // SAFETY: the variable has four bytes.
        unsafe { stream.download_raw(found.as_mut_ptr(), address, 4) }.unwrap();
        stream.synchronize().unwrap();
        assert_eq!(u32::from_le_bytes(found), expected);
    }
}

/// The buffer form of parameters, as other libraries use it, must have the right size.
#[test]
fn parameters_of_a_wrong_size_are_refused() {
    let rig = rig();
    let device = rig.device();
    let stream = device.stream().unwrap();
    let memory = filled(&stream, &[1, 2]).unwrap();
    let module = module(&device).unwrap();
    let function = module.function("add").unwrap();
    let mut words = [memory.address(), 10 | 2 << 32];
    for (bytes, fine) in [(16usize, true), (12, false), (24, false)] {
        let mut bytes = bytes;
        let tag = std::ptr::without_provenance_mut::<c_void>;
        let mut extra = [tag(1), words.as_mut_ptr().cast(), tag(2), (&raw mut bytes).cast(), tag(0)];
        let none = std::ptr::null_mut();
        // SAFETY: the list is as the driver wants it, and the memory holds two numbers.
        let done = unsafe {
            let raw = function.raw();
            rig.driver.table().cuLaunchKernel(raw, 1, 1, 1, 2, 1, 1, 0, stream.raw(), none, extra.as_mut_ptr())
        };
        assert_eq!(done.is_ok(), fine);
    }
    assert_eq!(numbers(&stream, &memory).unwrap(), [11, 12]);
}
