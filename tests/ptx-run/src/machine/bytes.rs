//! Memory of a block or a thread, which knows which of its bytes were written.

/// Bytes, and for each whether it was written.
#[derive(Debug, Default)]
pub(super) struct Bytes {
    data: Vec<u8>,
    written: Vec<bool>,
}

impl Bytes {
    pub(super) fn len(&self) -> usize {
        self.data.len()
    }

    /// All unwritten.
    pub(super) fn clear(&mut self, size: usize) {
        self.data.clear();
        self.written.clear();
        self.resize(size);
    }

    /// New bytes are unwritten.
    pub(super) fn resize(&mut self, size: usize) {
        self.data.resize(size, 0);
        self.written.resize(size, false);
    }

    /// The bytes from `at` on; none where one of them was never written. They must lie within.
    pub(super) fn read(&self, at: usize, bytes: &mut [u8]) -> Option<()> {
        let range = at..at + bytes.len();
        if self.written[range.clone()].contains(&false) {
            return None;
        }
        bytes.copy_from_slice(&self.data[range]);
        Some(())
    }

    pub(super) fn write(&mut self, at: usize, bytes: &[u8]) {
        let range = at..at + bytes.len();
        self.data[range.clone()].copy_from_slice(bytes);
        self.written[range].fill(true);
    }

    /// Copies within, unwritten bytes as such.
    pub(super) fn copy(&mut self, from: usize, to: usize, size: usize) {
        self.data.copy_within(from..from + size, to);
        self.written.copy_within(from..from + size, to);
    }
}
