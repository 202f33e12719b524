//! The programs of the page on these crates and of the modules' own pages, which stand here word for word.

use std::path::Path;

use warp::Error;

use crate::cases;
use crate::driver::Driver;

cases! {
    the_program_with_cust_runs => |_: &Driver| with_cust().unwrap();
    the_program_with_rustacuda_runs => |_: &Driver| with_rustacuda().unwrap();
    the_program_with_cudarc_runs => |_: &Driver| with_cudarc().unwrap();
}

#[rustfmt::skip]
fn with_cust() -> Result<(), Error> {
    use cust::memory::{CopyDestination, DeviceBuffer};
    use warp::prelude::*;

    let device = Device::cuda(0)?;
    let _context = warp::cust::context(&device)?;
    let ours = Array::from_slice(&device, &[1.0f32, 2.0, 3.0])?;
    let mut numbers = [0.0; 3];
    // SAFETY: the buffer is only used inside, and not put elsewhere.
    let copied = unsafe { warp::cust::lend(&ours, None, |buffer| buffer.copy_to(&mut numbers)) }?;
    copied.expect("cust copies");

    let theirs = DeviceBuffer::from_slice(&numbers).expect("cust allocates");
    let ours = warp::cust::adopt(&device, theirs)?;
    assert_eq!(ours.to_vec()?, [1.0, 2.0, 3.0]);
    Ok(())
}

#[rustfmt::skip]
fn with_rustacuda() -> Result<(), Error> {
    use rustacuda::memory::{CopyDestination, DeviceBuffer};
    use warp::prelude::*;

    let device = Device::cuda(0)?;
    let _context = warp::rustacuda::context(&device)?;
    let mut ours = Array::zeros(&device, 3)?;
    let copied = warp::rustacuda::lend_mut(&mut ours, |slice| slice.copy_from(&[1.0f32, 2.0, 3.0]));
    copied?.expect("rustacuda copies");

    let theirs = DeviceBuffer::from_slice(&[4.0f32]).expect("rustacuda allocates");
    let found = warp::rustacuda::borrow(&device, &theirs, |array| array.to_vec())??;
    assert_eq!((ours.to_vec()?, found), (vec![1.0, 2.0, 3.0], vec![4.0]));
    Ok(())
}

#[rustfmt::skip]
fn with_cudarc() -> Result<(), Error> {
    use warp::prelude::*;

    #[kernel]
    fn double(numbers: &mut [f32]) {
        numbers[tid()] *= 2.0;
    }

    let device = Device::cuda(0)?;
    let stream = warp::cudarc::context(&device)?.new_stream().expect("cudarc makes a stream");
    let mut ours = Array::zeros(&device, 3)?;
    let copied = warp::cudarc::lend_mut(&mut ours, &stream, |mut view| stream.memcpy_htod(&[1.0f32, 2.0, 3.0], &mut view));
    copied?.expect("cudarc copies");
    double::launch(3, &mut ours)?;

    let theirs = warp::cudarc::release(ours, &stream)?;
    assert_eq!(stream.clone_dtoh(&theirs).expect("cudarc copies"), [2.0, 4.0, 6.0]);
    Ok(())
}

/// The types are right; neither cuBLAS nor NCCL is here.
const _: fn() -> Result<(), Error> = with_cublas_and_nccl;

#[rustfmt::skip]
fn with_cublas_and_nccl() -> Result<(), Error> {
    use cudarc::cublas::{CudaBlas, Gemm, GemmConfig, sys::cublasOperation_t::CUBLAS_OP_N};
    use cudarc::nccl::{Comm, ReduceOp};
    use warp::prelude::*;

    let device = Device::cuda(0)?;
    let stream = warp::cudarc::context(&device)?.new_stream().expect("cudarc makes a stream");
    let a = Array::<f32, 2>::from_fn(&device, (2, 3), |[i, j]| (i + j) as f32)?;
    let b = Array::<f32, 2>::from_fn(&device, (3, 4), |[i, j]| (i * j) as f32)?;
    let mut c = Array::<f32, 2>::zeros(&device, (2, 4))?;

    // cuBLAS takes matrices by columns, so it sees those of an array transposed: the product of b and a is that of a and b.
    let blas = CudaBlas::new(stream.clone()).expect("cuBLAS is installed");
    let (transa, transb, m, n, k) = (CUBLAS_OP_N, CUBLAS_OP_N, 4, 2, 3);
    let shape = GemmConfig { transa, transb, m, n, k, alpha: 1.0, lda: m, ldb: k, beta: 0.0, ldc: m };
    let product = warp::cudarc::lend_all((&a, &b, &mut c), &stream, |(a, b, mut c)| {
        // SAFETY: the sizes are those of the arrays.
        unsafe { blas.gemm(shape, b, a, &mut c) }
    });
    product?.expect("cuBLAS multiplies");

    let comms = Comm::from_devices(vec![stream.clone()]).expect("NCCL is installed");
    let summed = warp::cudarc::lend_mut(&mut c, &stream, |mut c| comms[0].all_reduce_in_place(&mut c, &ReduceOp::Sum).map(drop));
    summed?.expect("NCCL sums");
    Ok(())
}

/// Lines without what stands before and behind them, and without empty ones.
fn lines<'a>(text: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    text.map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The programs of a text, fenced in.
fn programs<'a>(text: &[&'a str], fence: &str) -> Vec<Vec<&'a str>> {
    let parts = text.split(|line| line.starts_with("```")).collect::<Vec<_>>();
    let fences = text.iter().filter(|line| line.starts_with("```"));
    let inside = parts.into_iter().skip(1).zip(fences).filter(|(_, opening)| **opening == fence);
    inside.map(|(part, _)| part.iter().copied().filter(|line| !line.starts_with("# ")).collect()).collect()
}

#[test]
fn pages_have_these_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("the file is there");
    let here = read("tests/interop/tests/pages.rs");
    let here = lines(here.lines());
    let mut found = 0;
    let page = read("docs/with-cuda-crates.md");
    let mut all = programs(&lines(page.lines()), "```rust");
    let modules = ["cust", "rustacuda", "cudarc"].map(|module| read(&format!("src/{module}.rs")));
    for module in &modules {
        let comments = module.lines().filter_map(|line| line.strip_prefix("//!"));
        all.extend(programs(&lines(comments), "```no_run"));
    }
    for program in all {
        assert!(here.windows(program.len()).any(|part| part == program), "no case runs this:\n{}", program.join("\n"));
        found += 1;
    }
    assert_eq!(found, 7);
}
