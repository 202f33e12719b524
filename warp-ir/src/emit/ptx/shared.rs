//! What the entries of a module share.

use std::collections::{BTreeMap, HashSet};

use super::Site;
use super::elements::{Guess, Measure};
use super::text::{self, Reg};
use crate::ir::{PrintSite, Scalar};

/// Checks, print sites, tables and needs of all entries so far.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) sites: Vec<Site>,
    pub(super) prints: Vec<PrintSite>,
    /// Constant tables by name: type, and bits of each element.
    pub(super) tables: BTreeMap<String, (Scalar, Vec<u64>)>,
    /// Registers of this entry that are written more than once.
    pub(super) changing: HashSet<Reg>,
    /// Version and target that the instructions need.
    pub(super) needs: Needs,
    /// Numbers of bytes that are not known yet.
    pub(super) measures: Vec<Measure>,
    /// Layouts that elements may turn out to have.
    pub(super) guesses: Vec<Guess>,
}

/// The lowest device that any text is for: ten times its major compute capability, and its minor one.
pub const LOWEST_TARGET: u32 = 70;

/// The lowest version of the language, and the lowest device, that has all that is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Needs {
    pub(super) version: (u32, u32),
    pub(super) target: u32,
}

impl Default for Needs {
    fn default() -> Needs {
        Needs { version: (7, 0), target: LOWEST_TARGET }
    }
}

impl Shared {
    /// The number of a check.
    pub(super) fn site(&mut self, site: Site) -> usize {
        position(&mut self.sites, site)
    }

    /// What stands in a line for a number of bytes that is not known yet.
    pub(super) fn measure(&mut self, measure: Measure) -> String {
        text::measure(position(&mut self.measures, measure))
    }

    /// What stands before a line that is there only if a guess holds, and before one that is there only if not.
    pub(super) fn guess(&mut self, guess: Guess) -> [String; 2] {
        text::either(position(&mut self.guesses, guess))
    }

    /// The number of a print site.
    pub(super) fn print(&mut self, site: &PrintSite) -> usize {
        position(&mut self.prints, site.clone())
    }
}

/// Where a thing stands in a list, at its end if it was not there.
fn position<T: PartialEq>(list: &mut Vec<T>, thing: T) -> usize {
    list.iter().position(|known| *known == thing).unwrap_or_else(|| {
        list.push(thing);
        list.len() - 1
    })
}
