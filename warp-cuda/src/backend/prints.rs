//! Print rings: what threads print, from the device to the printer.

use warp_core::backend::Printer;
use warp_ir::emit::ptx::abi::PrintRing;
use warp_ir::ir::PrintSite;

use crate::error::Error;
use crate::memory::Memory;
use crate::stream::Stream;

/// Words for the records of a launch, 8 MiB: as many short lines as a launch shows at most.
const LAYOUT: PrintRing = PrintRing { capacity: 1 << 20 };

/// A ring on the device.
pub(crate) struct Ring {
    memory: Memory,
}

impl Ring {
    pub(super) fn new(stream: &Stream) -> Result<Ring, Error> {
        let memory = stream.allocate(8 * LAYOUT.words())?;
        let mut ring = Ring { memory };
        ring.empty(stream)?;
        Ok(ring)
    }

    pub(super) fn address(&self) -> u64 {
        self.memory.address()
    }

    fn empty(&mut self, stream: &Stream) -> Result<(), Error> {
        let quiet: Vec<u8> = LAYOUT.quiet().iter().flat_map(|word| word.to_le_bytes()).collect();
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
