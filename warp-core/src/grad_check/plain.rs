//! A recorded launch once more, by the kernel's plain function on the host.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

use super::leaves::{download, upload};
use super::memories::Memories;
use super::report::Unlike;
use crate::adjoint::places;
use crate::error::Error;
use crate::host::arguments::{Arguments, Plain};
use crate::program;
use crate::tape::{Arg, Launch, Step, Tape, TapeError};

/// A launch with all its words.
pub(super) struct ByFunction {
    plain: Plain,
    dims: Vec<u64>,
    words: Vec<Word>,
    values: Vec<u64>,
    memories: Vec<Taken>,
}

/// A memory that the launch takes.
struct Taken {
    memory: usize,
    write: bool,
    /// The largest alignment of the elements that it is taken for.
    align: usize,
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

impl ByFunction {
    /// The launch on memories of its own precision; none where its kernel has no such function.
    pub fn new(launch: &Launch, known: &Memories) -> Result<Option<ByFunction>, Error> {
        let Some(plain) = launch.definition.spec.plain else { return Ok(None) };
        let function = program::program(&launch.definition.spec)?.kernel.function;
        let mut again = ByFunction {
            plain,
            dims: launch.dims.clone(),
            words: vec![],
            values: launch.values.clone(),
            memories: vec![],
        };
        for (place, arg) in places(&function).iter().zip(&launch.args) {
            let memory = known.places.get(&arg.memory.key()).map(|&k| (k, again.meet(k, arg)));
            for (at, &word) in launch.words[place.words.clone()].iter().enumerate() {
                again.words.push(match memory {
                    Some((k, number)) if at < place.addresses => Word::Place(number, known.list[k].away(word, at)),
                    _ => Word::Number(word),
                });
            }
        }
        Ok(Some(again))
    }

    /// The number of a memory among those of the launch.
    fn meet(&mut self, memory: usize, arg: &Arg) -> usize {
        let known = self.memories.iter().position(|taken| taken.memory == memory);
        let number = known.unwrap_or(self.memories.len());
        if known.is_none() {
            self.memories.push(Taken { memory, write: false, align: 1 });
        }
        let taken = &mut self.memories[number];
        taken.write |= arg.kind.write;
        taken.align = taken.align.max(arg.kind.layout.align);
        number
    }

    pub fn run(&self, memories: &Memories) -> Result<(), Error> {
        let of = |memory: usize| &memories.list[memory];
        let block = |&Taken { memory, align, .. }: &Taken| Ok(Block::new(&download(&of(memory).buffer)?, align));
        let blocks = self.memories.iter().map(block).collect::<Result<Vec<Block>, Error>>()?;
        let starts: Vec<u64> = blocks.iter().map(Block::address).collect();
        let words = self.words.iter().map(|word| match *word {
            Word::Place(memory, away) => starts[memory] + away as u64,
            Word::Number(number) => number,
        });
        let words: Vec<u64> = words.collect();
        let mut arguments = Arguments::new(&self.dims, &words, &self.values);
        // SAFETY: the words are those of a launch of this kernel that was allowed, with blocks of the same contents and
        // size in the place of its buffers: all that indices reach is inside them, and what is written lies apart.
        unsafe {
            (self.plain)(&mut arguments).map_err(|fault| TapeError::PlainFault { fault })?;
            arguments.finish();
        }
        let mut written = self.memories.iter().zip(&blocks).filter(|(taken, _)| taken.write);
        let back = |(taken, block): (&Taken, &Block)| {
            let buffer = &of(taken.memory).buffer;
            upload(buffer, block.bytes(buffer.bytes()))
        };
        written.try_for_each(back)
    }
}

/// Memory of the host that holds what a buffer holds, aligned for its elements.
struct Block {
    start: NonNull<u8>,
    layout: Layout,
}

impl Block {
    fn new(bytes: &[u8], align: usize) -> Block {
        // A block of no bytes cannot be asked for. Contents and alignment are those of memory that there is.
        let layout = Layout::from_size_align(bytes.len().max(1), align).unwrap_or(Layout::new::<u8>());
        // SAFETY: the size is not zero.
        let Some(start) = NonNull::new(unsafe { alloc_zeroed(layout) }) else { handle_alloc_error(layout) };
        // SAFETY: the block is new, and as large.
        unsafe { start.as_ptr().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len().min(layout.size())) };
        Block { start, layout }
    }

    /// The address of its first byte, for words.
    fn address(&self) -> u64 {
        self.start.as_ptr().expose_provenance() as u64
    }

    /// What it holds now.
    fn bytes(&self, len: usize) -> &[u8] {
        // SAFETY: all bytes were written when it was made, and the plain function is over.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), len.min(self.layout.size())) }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and goes once.
        unsafe { dealloc(self.start.as_ptr(), self.layout) }
    }
}
