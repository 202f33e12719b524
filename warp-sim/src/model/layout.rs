//! Where the things of each world stand in arrays.

use std::ops::Range;

use super::ModelError;

/// How one kind of thing lies in arrays: world after world.
///
/// Where all worlds have the same number of them, kernels run on a grid of worlds by things, and parameters may be stored
/// once for all worlds. Else there is one row with all of them.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Offsets of worlds, and the number of all at the end.
    start: Vec<u32>,
    alike: bool,
}

impl Layout {
    pub fn new(unit: &'static str, counts: impl Iterator<Item = usize>, alike: bool) -> Result<Layout, ModelError> {
        let mut start = vec![0u32];
        let mut sum = 0usize;
        for count in counts {
            sum += count;
            let most = i32::MAX as usize;
            if sum > most {
                return Err(ModelError::TooMany { unit, count: sum, most });
            }
            start.push(sum as u32);
        }
        Ok(Layout { start, alike })
    }

    pub fn worlds(&self) -> usize {
        self.start.len() - 1
    }

    /// The number in all worlds.
    pub fn all(&self) -> usize {
        self.start[self.worlds()] as usize
    }

    /// Where those of a world are. It is one of the worlds.
    pub fn of(&self, world: usize) -> Range<usize> {
        self.start[world] as usize..self.start[world + 1] as usize
    }

    /// Where each world begins, and the number of all at the end.
    pub fn starts(&self) -> &[u32] {
        &self.start
    }

    /// The number in the world that has most.
    pub fn most(&self) -> usize {
        (0..self.worlds()).map(|world| self.of(world).len()).max().unwrap_or(0)
    }

    /// The world of a thing, and its number there. It is one of all.
    pub fn find(&self, thing: usize) -> (usize, usize) {
        let world = self.start.partition_point(|&start| start as usize <= thing) - 1;
        (world, thing - self.start[world] as usize)
    }

    /// The grid that kernels run on: rows, and things in a row.
    pub fn grid(&self) -> (usize, usize) {
        if self.alike { (self.worlds(), self.of(0).len()) } else { (1, self.all()) }
    }

    /// Whether each row is a world.
    pub fn is_alike(&self) -> bool {
        self.alike
    }
}
