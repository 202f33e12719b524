//! Print rings: what threads print, from the device to the printer.

use warp_core::PRINT_LIMIT;
use warp_core::backend::Printer;
use warp_ir::emit::ptx::abi::PrintRing;
use warp_ir::ir::{PrintPiece, PrintSite};

use crate::error::Error;
use crate::memory::Memory;
use crate::stream::Stream;

/// What a line costs besides its text, of the limit of a launch.
const LINE: usize = 32;

/// A ring on the device.
pub(crate) struct Ring {
    memory: Memory,
    layout: PrintRing,
}

impl Ring {
    /// Words for as many records as a launch shows at most. An argument takes a byte of the text at least, and its word.
    pub(super) fn room(sites: &[PrintSite]) -> usize {
        let words = sites.iter().map(|site| {
            let args = site.pieces.iter().filter(|piece| matches!(piece, PrintPiece::Arg { .. })).count();
            (2 + args) * PRINT_LIMIT.div_ceil(LINE + args)
        });
        words.max().unwrap_or(0)
    }

    pub(super) fn new(stream: &Stream, capacity: usize) -> Result<Ring, Error> {
        let layout = PrintRing { capacity };
        let memory = stream.allocate(8 * layout.words())?;
        let mut ring = Ring { memory, layout };
        ring.empty(stream)?;
        Ok(ring)
    }

    pub(super) fn capacity(&self) -> usize {
        self.layout.capacity
    }

    pub(super) fn address(&self) -> u64 {
        self.memory.address()
    }

    fn empty(&mut self, stream: &Stream) -> Result<(), Error> {
        let quiet: Vec<u8> = self.layout.quiet().iter().flat_map(|word| word.to_le_bytes()).collect();
        stream.upload(&mut self.memory, 0, &quiet)
    }

    /// Hands what a launch that is done has left to the printer, and empties the ring.
    pub(super) fn deliver(&mut self, stream: &Stream, sites: &[PrintSite], printer: &dyn Printer) -> Result<(), Error> {
        let mut head = [0; PrintRing::RECORDS];
        head.copy_from_slice(&self.words(stream, PrintRing::RECORDS)?);
        let words = self.words(stream, PrintRing::used(head))?;
        let prints = PrintRing::read(&words);
        for printed in &prints.printed {
            if let Some(site) = sites.get(printed.site) {
                printer.print(printed.thread, site, &printed.args);
            }
        }
        if prints.lost > 0 {
            printer.lost(prints.lost);
        }
        self.empty(stream)
    }

    /// The first words of the ring.
    fn words(&self, stream: &Stream, count: usize) -> Result<Vec<u64>, Error> {
        let mut bytes = vec![0; 8 * count];
        stream.download(&self.memory, 0, &mut bytes)?;
        Ok(bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }
}
