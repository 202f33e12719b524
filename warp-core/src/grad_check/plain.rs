//! A recorded launch once more, by the kernel's plain function on the host.

use std::cell::OnceCell;

use super::leaves::{Known, download, upload};
use super::memories::Memories;
use super::report::Unlike;
use crate::adjoint::places;
use crate::error::Error;
use crate::fault::{Fault, FaultKind};
use crate::host::arguments::{Arguments, Plain};
use crate::tape::{Launch, Step, Tape};

/// A launch with all its words.
pub(super) struct ByFunction {
    plain: Plain,
    dims: Vec<u64>,
    words: Vec<Word>,
    values: Vec<u64>,
    /// The memories that it takes, and whether it writes them.
    memories: Vec<(usize, bool)>,
    /// What a fault of the function says, which the launch did not have.
    fault: OnceCell<Unlike>,
}

/// A word of an array.
enum Word {
    /// A place in one of the launch's memories: which of them, and how far from its start.
    Place(usize, usize),
    /// Extents and strides.
    Number(u64),
}

/// Why plain functions cannot be compared with the launches of a recording, if they cannot.
pub(super) fn incomparable(tape: &Tape) -> Option<Unlike> {
    if cfg!(panic = "abort") {
        return Some(Unlike::Abort);
    }
    tape.entries().iter().find_map(|entry| {
        let Step::Launch(launch) = &*entry.step else { return None };
        let kernel = || launch.definition.name().to_string();
        match launch.definition.spec.plain {
            None => Some(Unlike::NoFunction { kernel: kernel() }),
            Some(_) if entry.step.depends_on_order() => Some(Unlike::Order { kernel: kernel() }),
            Some(_) => None,
        }
    })
}

/// What a fault of a plain function says where the launch had none. Integers of kernels wrap, those of Rust panic in a
/// build with overflow checks.
fn unlike(fault: Box<Fault>) -> Unlike {
    match &fault.kind {
        FaultKind::Panic { message } if message.ends_with("with overflow") => Unlike::Overflow { fault },
        _ => Unlike::Fault { fault },
    }
}

impl ByFunction {
    /// The launch on memories of its own precision; none where its kernel has no such function, or memory is missing.
    pub fn new(launch: &Launch, known: &Memories) -> Result<Option<ByFunction>, Error> {
        let (Some(plain), Some(first)) = (launch.definition.spec.plain, launch.args.first()) else { return Ok(None) };
        let function = &launch.definition.load(&first.memory.device)?.program.kernel.function;
        let (mut words, mut memories) = (Vec::new(), Vec::new());
        for (place, arg) in places(function).iter().zip(&launch.args) {
            let Some(&memory) = known.places.get(&arg.memory.key()) else { return Ok(None) };
            let number = meet(&mut memories, memory, arg.kind.write);
            for (at, &word) in launch.words[place.words.clone()].iter().enumerate() {
                words.push(match at < place.addresses {
                    true => Word::Place(number, known.list[memory].away(word, at)),
                    false => Word::Number(word),
                });
            }
        }
        let (dims, values) = (launch.dims.clone(), launch.values.clone());
        Ok(Some(ByFunction { plain, dims, words, values, memories, fault: OnceCell::new() }))
    }

    /// What a fault of its run says, if there was one.
    pub fn fault(&self) -> Option<&Unlike> {
        self.fault.get()
    }

    pub fn run(&self, memories: &Memories) -> Result<(), Error> {
        let of = |memory: usize| &memories.list[memory];
        let block = |&(memory, _): &(usize, bool)| Ok(Block::new(&download(&of(memory).buffer)?));
        let mut blocks = self.memories.iter().map(block).collect::<Result<Vec<Block>, Error>>()?;
        let starts: Vec<u64> = blocks.iter_mut().map(Block::address).collect();
        let words = self.words.iter().map(|word| match *word {
            Word::Place(memory, away) => starts[memory] + away as u64,
            Word::Number(number) => number,
        });
        let words: Vec<u64> = words.collect();
        let mut arguments = Arguments::new(&self.dims, &words, &self.values);
        // SAFETY: the words are those of a launch of this kernel that was allowed, with blocks of the same contents and
        // size in the place of its buffers: all that indices reach is inside them, and what is written lies apart.
        unsafe {
            if let Err(fault) = (self.plain)(&mut arguments) {
                self.fault.get_or_init(|| unlike(fault));
            }
            arguments.finish();
        }
        for (&(memory, _), block) in self.memories.iter().zip(&blocks).filter(|((_, write), _)| *write) {
            upload(&of(memory).buffer, &block.leaves(of(memory)))?;
        }
        Ok(())
    }
}

/// The number of a memory among those of a launch.
fn meet(memories: &mut Vec<(usize, bool)>, memory: usize, write: bool) -> usize {
    let known = memories.iter().position(|(of, _)| *of == memory);
    let number = known.unwrap_or(memories.len());
    if known.is_none() {
        memories.push((memory, false));
    }
    memories[number].1 |= write;
    number
}

/// Memory of the host that holds what a buffer holds, and is aligned as buffers are.
struct Block(Vec<Line>);

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl Block {
    fn new(bytes: &[u8]) -> Block {
        let line = |part: &[u8]| {
            let mut line = Line([0; 64]);
            line.0[..part.len()].copy_from_slice(part);
            line
        };
        Block(bytes.chunks(64).map(line).collect())
    }

    /// The address of its first byte, for words.
    fn address(&mut self) -> u64 {
        self.0.as_mut_ptr().expose_provenance() as u64
    }

    /// The scalars that it holds now. What lies between them a plain function may have left without a value.
    fn leaves(&self, known: &Known) -> Vec<u8> {
        let mut bytes = vec![0; known.first.len()];
        let start = self.0.as_ptr().cast::<u8>();
        for leaf in &known.leaves {
            let size = leaf.scalar.size();
            // SAFETY: leaves lie inside the memory, which the block is as large as, and hold values.
            unsafe { start.add(leaf.at).copy_to_nonoverlapping(bytes[leaf.at..leaf.at + size].as_mut_ptr(), size) };
        }
        bytes
    }
}
