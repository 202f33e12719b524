//! Kernels, and a backend to run them on.

use std::sync::{Arc, Mutex};

use fake_cuda::Fake;
use warp_core::backend::{Backend, BackendError, Call, ElementLayout, Executable, How, LaunchStop, Printer, Program};
use warp_cuda::{Cuda, Driver, Error};
use warp_ir::builder::Builder;
use warp_ir::ir::{Access, Kernel, Mem, PrintPiece, PrintSite, Scalar, Source};

pub fn open(fake: &Fake) -> Result<(Driver, Cuda), Error> {
    // SAFETY: the library has the driver's functions.
    let driver = unsafe { Driver::open(fake.path().as_os_str()) }?;
    let cuda = Cuda::new(&driver.device(0)?)?;
    Ok((driver, cuda))
}

/// `out[i] = out[i] + 1`, and prints the old number.
pub fn increment(name: &str) -> Kernel {
    let mut b = Builder::new(name);
    let out = b.slice("out", Scalar::U32, Access::Write);
    let pieces = vec![PrintPiece::Text("was ".into()), PrintPiece::Arg { scalar: Scalar::U32, spec: String::new() }];
    let site = b.print_site(PrintSite { pieces, newline: true });
    let at = b.source(Source { file: "kernels.rs".into(), line: 7, column: 5, text: "out[i] += 1".into() });
    let i = b.tid(0);
    b.check_index(Mem::Array(out), 0, i, at);
    let old = b.load(Mem::Array(out), i, 0);
    b.print(site, &[old]);
    let one = b.const_(Scalar::U32, 1);
    let new = b.add(old, one);
    b.store(Mem::Array(out), i, 0, new);
    b.finish_kernel(1)
}

/// `out[i] = out[i] + 1`, and no word of it.
pub fn silent(name: &str) -> Kernel {
    let mut b = Builder::new(name);
    let out = b.slice("out", Scalar::U32, Access::Write);
    let at = b.source(Source { file: "kernels.rs".into(), line: 9, column: 5, text: "out[i] += 1".into() });
    let i = b.tid(0);
    b.check_index(Mem::Array(out), 0, i, at);
    let old = b.load(Mem::Array(out), i, 0);
    let one = b.const_(Scalar::U32, 1);
    let new = b.add(old, one);
    b.store(Mem::Array(out), i, 0, new);
    b.finish_kernel(1)
}

pub fn program(kernel: Kernel) -> Program {
    let layouts =
        kernel.function.arrays.iter().map(|_| ElementLayout { size: 4, align: 4, offsets: vec![0] }).collect();
    Program { kernel, slots: vec![], layouts }
}

/// An array that goes when it is no longer used.
pub struct Buffer<'a> {
    backend: &'a Cuda,
    pub address: u64,
    bytes: usize,
}

impl Buffer<'_> {
    pub fn new<'a>(backend: &'a Cuda, values: &[u32]) -> Result<Buffer<'a>, BackendError> {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let buffer = Buffer { backend, address: backend.allocate(bytes.len())?, bytes: bytes.len() };
        // SAFETY: there are so many bytes.
        unsafe { backend.upload(buffer.address, &bytes) }?;
        Ok(buffer)
    }

    pub fn read(&self) -> Result<Vec<u32>, BackendError> {
        let mut bytes = vec![0; self.bytes];
        // SAFETY: there are so many bytes.
        unsafe { self.backend.download(self.address, &mut bytes) }?;
        Ok(bytes.as_chunks().0.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect())
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: it was allocated with these bytes, and launches wait for their end.
        unsafe { self.backend.free(self.address, self.bytes) }
    }
}

/// Lines that threads printed, and how many the device lost.
#[derive(Default)]
pub struct Lines {
    pub printed: Mutex<Vec<(u64, Vec<u64>)>>,
    pub lost: Mutex<u64>,
}

impl Printer for Lines {
    fn print(&self, thread: u64, _: &PrintSite, args: &[u64]) {
        self.printed.lock().unwrap().push((thread, args.to_vec()));
    }

    fn lost(&self, count: u64) {
        *self.lost.lock().unwrap() += count;
    }
}

pub fn launch(
    executable: &Arc<dyn Executable>,
    n: u64,
    words: &[u64],
    block: Option<u32>,
    printer: &Lines,
) -> Result<(), LaunchStop> {
    // SAFETY: the tests' words name their buffers, and the kernels are guarded.
    unsafe {
        executable.launch(&Call { words, dims: &[n], how: How { block, ..How::default() }, printer, queued: None })
    }
}
