//! Accesses: finds the memory that an address lies in, and checks alignment and bounds.

use super::block::Surroundings;
use super::bytes::Bytes;
use super::thread::{Checked, Thread, trouble};
use crate::code::{Access, Atomic, Op, Update};
use crate::types::Space;

/// Where shared and local variables begin in their spaces, so that an address of zero is none of theirs.
pub(super) const FIRST: u64 = 1024;

/// Where generic addresses of shared, local and const memory begin: one gigabyte each.
const SHARED_WINDOW: u64 = 0x7fe0_0000_0000;
const LOCAL_WINDOW: u64 = 0x7fe0_4000_0000;
const CONST_WINDOW: u64 = 0x7fe0_8000_0000;
const WINDOW: u64 = 0x4000_0000;

/// The begin of a space's window of generic addresses; global addresses are generic as they are.
fn window(space: Space) -> u64 {
    match space {
        Space::Shared => SHARED_WINDOW,
        Space::Local => LOCAL_WINDOW,
        Space::Const => CONST_WINDOW,
        _ => 0,
    }
}

/// A generic address of an address in a space.
pub(super) fn to_generic(space: Space, address: u64) -> Checked<u64> {
    if space != Space::Global && address >= WINDOW {
        return trouble(format!("{address:#x} is no address in {} memory.", space.name()));
    }
    Ok(address.wrapping_add(window(space)))
}

/// The address in a space of a generic one.
pub(super) fn from_generic(space: Space, address: u64) -> Checked<u64> {
    let (found, inner) = resolve(address);
    if found != space {
        let (space, found) = (space.name(), found.name());
        return trouble(format!("the generic address {address:#x} lies in {found} memory, not in {space} memory."));
    }
    Ok(inner)
}

/// The space that a generic address lies in, and the address there.
fn resolve(address: u64) -> (Space, u64) {
    match address.wrapping_sub(SHARED_WINDOW) {
        inner @ 0..WINDOW => (Space::Shared, inner),
        inner if inner < 2 * WINDOW => (Space::Local, inner - WINDOW),
        inner if inner < 3 * WINDOW => (Space::Const, inner - 2 * WINDOW),
        _ => (Space::Global, address),
    }
}

/// Where an access goes: a space that is not generic, and an address there, aligned as it must be.
fn target(thread: &Thread, access: Access) -> Checked<(Space, u64)> {
    let address = thread.get(access.base)?.wrapping_add_signed(access.offset);
    let (space, inner) = if access.space == Space::Generic { resolve(address) } else { (access.space, address) };
    let size = u64::from(access.size) * u64::from(access.count);
    if !address.is_multiple_of(size) {
        return trouble(format!(
            "the address {address:#x} in {} memory is misaligned: an access of {size} bytes needs a multiple of {size}.",
            space.name()
        ));
    }
    Ok((space, inner))
}

/// The first byte of an access in memory of `length` bytes whose addresses begin at `first`.
fn within(address: u64, first: u64, length: usize, size: usize, space: Space) -> Checked<usize> {
    let offset = address.wrapping_sub(first);
    if offset > length as u64 || offset + size as u64 > length as u64 {
        return trouble(format!(
            "{size} bytes at {address:#x} in {} memory are out of bounds: it has {length} bytes from {first:#x} on.",
            space.name()
        ));
    }
    Ok(offset as usize)
}

/// Reads bytes that must have been written.
fn read_known(memory: &Bytes, at: usize, bytes: &mut [u8], address: u64, space: Space) -> Checked<()> {
    match memory.read(at, bytes) {
        Some(()) => Ok(()),
        None => trouble(format!(
            "{} bytes at {address:#x} in {} memory are read and were never written.",
            bytes.len(),
            space.name()
        )),
    }
}

impl Surroundings<'_> {
    fn read(&mut self, thread: &Thread, space: Space, address: u64, bytes: &mut [u8]) -> Checked<()> {
        let size = bytes.len();
        match space {
            Space::Generic | Space::Global => {
                self.memory.read(address, bytes).or_else(|why| trouble(format!("a read of global memory: {why}")))
            }
            Space::Shared => {
                let at = within(address, FIRST, self.shared.len(), size, space)?;
                read_known(&self.shared, at, bytes, address, space)
            }
            Space::Local => {
                let at = within(address, FIRST, thread.locals.len(), size, space)?;
                read_known(&thread.locals, at, bytes, address, space)
            }
            Space::Param => {
                let begin = thread.frame.params;
                let at = within(address, 0, thread.params.len() - begin, size, space)?;
                read_known(&thread.params, begin + at, bytes, address, space)
            }
            Space::Const | Space::EntryParam => {
                let source = if space == Space::Const { &self.program.constants } else { self.params };
                let at = within(address, 0, source.len(), size, space)?;
                bytes.copy_from_slice(&source[at..at + size]);
                Ok(())
            }
        }
    }

    fn write(&mut self, thread: &mut Thread, space: Space, address: u64, bytes: &[u8]) -> Checked<()> {
        let size = bytes.len();
        match space {
            Space::Generic | Space::Global => {
                self.memory.write(address, bytes).or_else(|why| trouble(format!("a write to global memory: {why}")))?;
                self.keep_promise(thread, address, size, true)
            }
            Space::Shared => {
                let at = within(address, FIRST, self.shared.len(), size, space)?;
                self.shared.write(at, bytes);
                Ok(())
            }
            Space::Local => {
                let at = within(address, FIRST, thread.locals.len(), size, space)?;
                thread.locals.write(at, bytes);
                Ok(())
            }
            Space::Param => {
                let begin = thread.frame.params;
                let at = within(address, 0, thread.params.len() - begin, size, space)?;
                thread.params.write(begin + at, bytes);
                Ok(())
            }
            Space::Const | Space::EntryParam => trouble("const memory and parameters of entries are not written."),
        }
    }

    /// Sees that no byte is both read by `.nc` and written in one launch.
    fn keep_promise(&mut self, thread: &Thread, address: u64, size: usize, writes: bool) -> Checked<()> {
        let Some(constancy) = &mut self.constancy else { return Ok(()) };
        let Some(other) = constancy.touch(address, size, thread.at, writes) else { return Ok(()) };
        let line = self.program.lines[other];
        let (now, before) = if writes { ("written", "read by `.nc`") } else { ("read by `.nc`", "written") };
        trouble(format!(
            "{size} bytes at {address:#x} in global memory are {now}, and line {line} has {before} some of them in the \
             same launch."
        ))
    }

    /// `ld`.
    pub(super) fn load(&mut self, thread: &mut Thread, op: &Op) -> Checked<()> {
        let Op::Load { access, parts, extend, constant } = op else { return Ok(()) };
        let (space, address) = target(thread, *access)?;
        let (size, count) = (usize::from(access.size), usize::from(access.count));
        if *constant {
            self.keep_promise(thread, address, size * count, false)?;
        }
        let mut buffer = [0; 16];
        let bytes = &mut buffer[..size * count];
        self.read(thread, space, address, bytes)?;
        let counts = self.counts.of(space);
        counts.loads += 1;
        counts.bytes_loaded += bytes.len() as u64;
        for (slot, element) in parts.iter().zip(bytes.chunks_exact(size)) {
            thread.set(*slot, extend(number(element)));
        }
        Ok(())
    }

    /// `st`.
    pub(super) fn store(&mut self, thread: &mut Thread, op: &Op) -> Checked<()> {
        let Op::Store { access, parts } = op else { return Ok(()) };
        let (space, address) = target(thread, *access)?;
        let (size, count) = (usize::from(access.size), usize::from(access.count));
        let mut buffer = [0; 16];
        let bytes = &mut buffer[..size * count];
        for (slot, element) in parts.iter().zip(bytes.chunks_exact_mut(size)) {
            element.copy_from_slice(&thread.get(*slot)?.to_le_bytes()[..size]);
        }
        self.write(thread, space, address, bytes)?;
        let counts = self.counts.of(space);
        counts.stores += 1;
        counts.bytes_stored += bytes.len() as u64;
        Ok(())
    }

    /// `atom` and `red`.
    pub(super) fn atomic(&mut self, thread: &mut Thread, atomic: &Atomic) -> Checked<()> {
        let (space, address) = target(thread, atomic.access)?;
        if !matches!(space, Space::Global | Space::Shared) {
            return trouble(format!("there are no atomic operations in {} memory.", space.name()));
        }
        let b = thread.get(atomic.b)?;
        let c = atomic.c.map(|c| thread.get(c)).transpose()?;
        let size = usize::from(atomic.access.size);
        let mut buffer = [0; 8];
        self.read(thread, space, address, &mut buffer[..size])?;
        let old = number(&buffer[..size]);
        let new = match (atomic.update, c) {
            (Update::Function { global, .. }, _) if space == Space::Global => global(old, b),
            (Update::Function { elsewhere, .. }, _) => elsewhere(old, b),
            (Update::CompareAndSwap, Some(c)) if old == b => c,
            (Update::CompareAndSwap, _) => old,
        };
        self.write(thread, space, address, &new.to_le_bytes()[..size])?;
        self.counts.of(space).atomics += 1;
        if let Some(d) = atomic.d {
            thread.set(d, old);
        }
        Ok(())
    }
}

/// The number that bytes say, the lowest first.
fn number(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}
