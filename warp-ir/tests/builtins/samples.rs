//! Random operands for tests of the table.

/// A small generator, so that samples are the same on every run.
pub(crate) struct Samples(pub(crate) u64);

impl Samples {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mixed = (self.0 ^ (self.0 >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 29)
    }

    /// Uniform in a range.
    pub(crate) fn within(&mut self, range: &std::ops::Range<f64>) -> f64 {
        range.start + (range.end - range.start) * ((self.word() >> 11) as f64 / (1u64 << 53) as f64)
    }
}
