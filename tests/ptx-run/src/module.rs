//! A module: a text that was read and checked, with its entries and variables.

use crate::code::Program;
use crate::decode;
use crate::error::ParseError;
use crate::text;

/// A module that can run.
#[derive(Debug)]
pub struct Module {
    pub(crate) program: Program,
    pub(crate) entries: Vec<Entry>,
    pub(crate) globals: Globals,
    /// Where the variables in global memory lie, once that is decided.
    pub(crate) base: Option<u64>,
}

/// The variables in global memory.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    pub variables: Vec<Global>,
    /// What they hold at first.
    pub image: Vec<u8>,
    /// Where the image holds addresses: bytes of the image, to which the address of its own begin is added.
    pub relocations: Vec<usize>,
}

/// A kernel of a module.
#[derive(Debug, Clone)]
pub struct Entry {
    pub(crate) name: String,
    pub(crate) function: usize,
    pub(crate) params: Vec<Param>,
    pub(crate) threads: BlockShape,
}

/// What the text promises of the threads of a block.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BlockShape {
    /// The most, by `.maxntid`: their product counts.
    pub most: Option<[u32; 3]>,
    /// The one shape that is allowed, by `.reqntid`.
    pub required: Option<[u32; 3]>,
}

/// A parameter of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Its name in the text.
    pub name: String,
    /// Where it begins in the bytes of all parameters.
    pub offset: usize,
    /// Its bytes.
    pub size: usize,
    /// What its offset is a multiple of.
    pub align: usize,
}

/// A variable in global memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    /// Its name in the text.
    pub name: String,
    /// Where it begins, from [`Module::place`]'s address on.
    pub offset: u64,
    /// Its bytes.
    pub size: u64,
}

impl Module {
    /// Reads a text and checks it; NUL bytes at the end are passed over.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        decode::module(text::parse(text)?)
    }

    /// The kernels, in the order of the text.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The kernel of that name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// The variables in global memory, in the order of the text.
    pub fn globals(&self) -> &[Global] {
        &self.globals.variables
    }

    /// Bytes of all variables in global memory together; they want an address that is a multiple of 256.
    pub fn globals_size(&self) -> usize {
        self.globals.image.len()
    }

    /// Decides where the variables in global memory lie, and returns what the caller must write there.
    /// A module whose variables were never placed does not run; one without variables needs no place.
    pub fn place(&mut self, address: u64) -> Vec<u8> {
        self.base = Some(address);
        let mut image = self.globals.image.clone();
        for &at in &self.globals.relocations {
            let bytes = &mut image[at..at + 8];
            let distance = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
            bytes.copy_from_slice(&address.wrapping_add(distance).to_le_bytes());
        }
        image
    }
}

impl Entry {
    /// Its name in the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its parameters in order.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// Most threads of a block, where the text promises so by `.maxntid`.
    pub fn most_threads(&self) -> Option<u64> {
        self.threads.most.map(|most| most.iter().map(|&n| u64::from(n)).product())
    }

    /// Bytes of all parameters together, with the gaps that alignment makes.
    pub fn params_size(&self) -> usize {
        self.params.last().map_or(0, |last| last.offset + last.size)
    }
}
