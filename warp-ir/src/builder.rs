//! Building functions op by op: what the front end, the passes and the tests use.
//!
//! ```
//! use warp_ir::builder::Builder;
//! use warp_ir::ir::{Access, Mem, Scalar};
//!
//! let mut b = Builder::new("double");
//! let a = b.slice("a", Scalar::F32, Access::Write);
//! let (i, n) = (b.tid(0), b.extent(a, 0));
//! let inside = b.lt(i, n);
//! b.if_then(inside, |b| {
//!     let x = b.load(Mem::Array(a), i, 0);
//!     let twice = b.add(x, x);
//!     b.store(Mem::Array(a), i, 0, twice);
//! });
//! let kernel = b.finish_kernel(1);
//! assert_eq!(kernel.function.body.ops.len(), 4);
//! ```
//!
//! Regions are either closures (`if_`, `if_then`, `loop_`, `counted`) or, where a closure is in the way, a stack:
//! `open`, any ops, `close`, then `push_if` or `push_loop`.
//!
//! The builder panics when its caller breaks the rules of types; that is a mistake in the compiler, not in a user's kernel.

mod effect;
mod pure;
mod region;
mod value;

use std::collections::HashMap;

use crate::ir::*;

/// A function under construction.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    function: Function,
    /// Open regions, the innermost last; the first is the body.
    open: Vec<Region>,
    /// The place that new values come from.
    current: Option<SourceId>,
    known_sources: HashMap<Source, SourceId>,
}

/// The whole function.
impl Builder {
    /// An empty function.
    pub fn new(name: &str) -> Builder {
        let function = Function { name: name.into(), ..Function::default() };
        Builder { function, open: vec![Region::default()], ..Builder::default() }
    }

    /// The function so far; its body is still open.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Closes the body, which yields `results`.
    pub fn finish(mut self, results: &[Value]) -> Function {
        assert_eq!(self.open.len(), 1, "a region of `{}` is still open", self.function.name);
        self.function.body = self.close(results);
        self.function
    }

    /// Closes the body of a kernel with default attributes.
    pub fn finish_kernel(self, rank: u8) -> Kernel {
        Kernel { function: self.finish(&[]), rank, attributes: Attributes::default() }
    }

    /// The type of a value.
    pub fn scalar(&self, value: Value) -> Scalar {
        self.function.scalar(value)
    }

    /// A new scalar parameter.
    pub fn param(&mut self, name: &str, scalar: Scalar) -> Value {
        let value = self.value(scalar);
        self.function.params.push(Param { name: name.into(), value });
        value
    }

    /// A new array parameter.
    pub fn array(&mut self, array: ArrayParam) -> ArrayId {
        self.function.arrays.push(array);
        ArrayId(self.function.arrays.len() as u32 - 1)
    }

    /// A new array parameter of scalars in one dimension, `&[scalar]` or `&mut [scalar]`.
    pub fn slice(&mut self, name: &str, scalar: Scalar, access: Access) -> ArrayId {
        self.elements(name, &[scalar], access)
    }

    /// The same of elements with these leaves.
    pub fn elements(&mut self, name: &str, leaves: &[Scalar], access: Access) -> ArrayId {
        let (name, leaves) = (name.into(), leaves.to_vec());
        self.array(ArrayParam { name, leaves, rank: 1, strided: false, access, storage: Storage::Elements })
    }

    /// A new local array. It has no contents yet: fill it.
    pub fn local(&mut self, name: &str, leaves: &[Scalar], len: u32) -> LocalId {
        self.function.locals.push(LocalArray { name: name.into(), leaves: leaves.into(), len });
        LocalId(self.function.locals.len() as u32 - 1)
    }

    /// A function to call; the same one for the same identity.
    pub fn callee(&mut self, id: &str, name: &str) -> CalleeId {
        let known = self.function.callees.iter().position(|c| c.id == id);
        let at = known.unwrap_or_else(|| {
            self.function.callees.push(Callee { id: id.into(), name: name.into() });
            self.function.callees.len() - 1
        });
        CalleeId(at as u32)
    }

    /// A constant table.
    pub fn table(&mut self, scalar: Scalar, bits: Vec<u64>) -> u32 {
        self.function.tables.push((scalar, bits));
        self.function.tables.len() as u32 - 1
    }

    /// A print site.
    pub fn print_site(&mut self, site: PrintSite) -> PrintId {
        self.function.prints.push(site);
        PrintId(self.function.prints.len() as u32 - 1)
    }

    /// The number of a place; the same one for the same place.
    pub fn source(&mut self, source: Source) -> SourceId {
        if let Some(&id) = self.known_sources.get(&source) {
            return id;
        }
        let id = SourceId(self.function.sources.len() as u32);
        self.function.sources.push(source.clone());
        self.known_sources.insert(source, id);
        id
    }

    /// Sets the place that values defined from now on come from; gives the one before, to be set again.
    pub fn at(&mut self, source: Option<SourceId>) -> Option<SourceId> {
        if source.is_some() && self.function.spans.is_empty() {
            self.function.spans = vec![None; self.function.values.len()];
        }
        std::mem::replace(&mut self.current, source)
    }

    /// The place that values come from at present.
    pub fn place(&self) -> Option<SourceId> {
        self.current
    }

    /// A fresh value at the current place, for `push`.
    pub fn value(&mut self, scalar: Scalar) -> Value {
        let value = self.function.value(scalar);
        if let Some(span) = self.function.spans.last_mut() {
            *span = self.current;
        }
        value
    }

    /// Appends an op as it is.
    pub fn push(&mut self, op: Op) {
        self.open.last_mut().expect("the body is open until `finish`").ops.push(op);
    }

    fn leaf(&self, mem: Mem, leaf: u16) -> Scalar {
        let leaves = match mem {
            Mem::Array(a) => &self.function.arrays[a.0 as usize].leaves,
            Mem::Local(l) => &self.function.locals[l.0 as usize].leaves,
        };
        leaves[leaf as usize]
    }
}

#[cfg(test)]
mod tests;
