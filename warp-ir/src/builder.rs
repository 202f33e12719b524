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

use std::collections::HashMap;

use crate::builtins::Builtin;
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
        let leaves = vec![scalar];
        self.array(ArrayParam {
            name: name.into(),
            leaves,
            rank: 1,
            strided: false,
            access,
            storage: Storage::Elements,
        })
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

/// Regions.
impl Builder {
    /// Opens a region with parameters of these types; ops go into it until `close`.
    pub fn open(&mut self, params: &[Scalar]) -> Vec<Value> {
        let params: Vec<Value> = params.iter().map(|&s| self.value(s)).collect();
        self.open.push(Region { params: params.clone(), ..Region::default() });
        params
    }

    /// Closes the innermost region.
    pub fn close(&mut self, yields: &[Value]) -> Region {
        let mut region = self.open.pop().expect("`close` without `open`");
        region.yields = yields.into();
        region
    }

    /// Appends an `If` of two closed regions with as many yields.
    pub fn push_if(&mut self, cond: Value, then: Region, otherwise: Region) -> Vec<Value> {
        assert_eq!(then.yields.len(), otherwise.yields.len(), "the arms of an `If` yield alike");
        let scalars: Vec<Scalar> = then.yields.iter().map(|&v| self.scalar(v)).collect();
        let results: Vec<Value> = scalars.into_iter().map(|s| self.value(s)).collect();
        self.push(Op::If { cond, then, otherwise, results: results.clone() });
        results
    }

    /// Appends a `Loop` of two closed regions.
    pub fn push_loop(&mut self, inits: &[Value], cond: Region, body: Region) -> Vec<Value> {
        assert_eq!(body.yields.len(), inits.len(), "the body of a `Loop` yields what it carries");
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.scalar(v)).collect();
        let results: Vec<Value> = scalars.into_iter().map(|s| self.value(s)).collect();
        self.push(Op::Loop { inits: inits.into(), cond, body, results: results.clone() });
        results
    }

    /// An `If` with values.
    pub fn if_(
        &mut self,
        cond: Value,
        then: impl FnOnce(&mut Builder) -> Vec<Value>,
        otherwise: impl FnOnce(&mut Builder) -> Vec<Value>,
    ) -> Vec<Value> {
        let then = self.region(then);
        let otherwise = self.region(otherwise);
        self.push_if(cond, then, otherwise)
    }

    /// An `If` without values and without an else.
    pub fn if_then(&mut self, cond: Value, then: impl FnOnce(&mut Builder)) {
        let then = self.region(|b| {
            then(b);
            vec![]
        });
        self.push_if(cond, then, Region::default());
    }

    /// `while cond(carried) { carried = body(carried) }`; gives the carried values after it.
    pub fn loop_(
        &mut self,
        inits: &[Value],
        cond: impl FnOnce(&mut Builder, &[Value]) -> Value,
        body: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.scalar(v)).collect();
        let carried = self.open(&scalars);
        let go = cond(self, &carried);
        let cond = self.close(&[go]);
        let carried = self.open(&scalars);
        let next = body(self, &carried);
        let body = self.close(&next);
        self.push_loop(inits, cond, body)
    }

    /// `for t in 0..count`, with carried values: the canonical form, whose counter is the first carried value.
    /// The body takes `t` and the carried values; gives the carried values after the loop.
    pub fn counted(
        &mut self,
        count: Value,
        inits: &[Value],
        body: impl FnOnce(&mut Builder, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let mut all = vec![self.int(self.scalar(count), 0)];
        all.extend(inits);
        let results = self.loop_(
            &all,
            |b, carried| b.lt(carried[0], count),
            |b, carried| {
                let next = body(b, carried[0], &carried[1..]);
                let one = b.int(b.scalar(count), 1);
                let mut yields = vec![b.add(carried[0], one)];
                yields.extend(next);
                yields
            },
        );
        results[1..].to_vec()
    }

    fn region(&mut self, fill: impl FnOnce(&mut Builder) -> Vec<Value>) -> Region {
        self.open(&[]);
        let yields = fill(self);
        self.close(&yields)
    }
}

/// Values from nowhere.
impl Builder {
    /// A literal by its bits, zero-extended.
    pub fn const_(&mut self, scalar: Scalar, bits: u64) -> Value {
        let result = self.value(scalar);
        self.push(Op::Const { bits: bits & scalar.mask(), result });
        result
    }

    /// An integer literal of any integer type.
    pub fn int(&mut self, scalar: Scalar, number: i64) -> Value {
        assert!(scalar.is_int());
        self.const_(scalar, number as u64)
    }

    /// A `bool` literal.
    pub fn bool(&mut self, truth: bool) -> Value {
        self.const_(Scalar::Bool, truth as u64)
    }

    /// A `usize` literal.
    pub fn u64(&mut self, number: u64) -> Value {
        self.const_(Scalar::U64, number)
    }

    /// An `i32` literal.
    pub fn i32(&mut self, number: i32) -> Value {
        self.const_(Scalar::I32, number as u32 as u64)
    }

    /// An `f32` literal.
    pub fn f32(&mut self, number: f32) -> Value {
        self.const_(Scalar::F32, number.to_bits() as u64)
    }

    /// An `f64` literal.
    pub fn f64(&mut self, number: f64) -> Value {
        self.const_(Scalar::F64, number.to_bits())
    }

    /// The zero of any type.
    pub fn zero(&mut self, scalar: Scalar) -> Value {
        self.const_(scalar, 0)
    }

    /// The next slot for a constant of the user's crate.
    pub fn slot(&mut self, scalar: Scalar) -> Value {
        let slot = self.function.slots;
        self.function.slots += 1;
        self.slot_again(slot, scalar)
    }

    /// A slot that was made before.
    pub fn slot_again(&mut self, slot: u32, scalar: Scalar) -> Value {
        let result = self.value(scalar);
        self.push(Op::Slot { slot, result });
        result
    }

    /// The thread's coordinate.
    pub fn tid(&mut self, dim: u8) -> Value {
        let result = self.value(Scalar::U64);
        self.push(Op::Tid { dim, result });
        result
    }

    /// Length of a dimension of an array parameter.
    pub fn extent(&mut self, array: ArrayId, dim: u8) -> Value {
        let result = self.value(Scalar::U64);
        self.push(Op::Extent { array, dim, result });
        result
    }

    /// Stride of a dimension of an array parameter.
    pub fn stride(&mut self, array: ArrayId, dim: u8) -> Value {
        let result = self.value(Scalar::U64);
        self.push(Op::Stride { array, dim, result });
        result
    }

    /// Length of any memory, in its first dimension.
    pub fn len(&mut self, mem: Mem) -> Value {
        match mem {
            Mem::Array(a) => self.extent(a, 0),
            Mem::Local(l) => self.u64(self.function.locals[l.0 as usize].len as u64),
        }
    }

    /// An element of a constant table.
    pub fn lookup(&mut self, table: u32, index: Value) -> Value {
        let result = self.value(self.function.tables[table as usize].0);
        self.push(Op::Table { table, index, result });
        result
    }
}

/// Effects.
impl Builder {
    /// Reads a leaf.
    pub fn load(&mut self, mem: Mem, index: Value, leaf: u16) -> Value {
        let result = self.value(self.leaf(mem, leaf));
        self.push(Op::Load { mem, index, leaf, result });
        result
    }

    /// Writes a leaf.
    pub fn store(&mut self, mem: Mem, index: Value, leaf: u16, value: Value) {
        self.push(Op::Store { mem, index, leaf, value });
    }

    /// Writes a leaf of all elements of a local array.
    pub fn fill(&mut self, local: LocalId, leaf: u16, value: Value) {
        self.push(Op::Fill { local, leaf, value });
    }

    /// An atomic without comparison; gives the old value.
    pub fn atomic(&mut self, kind: AtomicKind, mem: Mem, index: Value, leaf: u16, value: Value) -> Value {
        let result = self.value(self.leaf(mem, leaf));
        self.push(Op::Atomic { kind, mem, index, leaf, value, compare: None, result });
        result
    }

    /// Writes `value` where `compare` stands; gives the old value.
    pub fn compare_exchange(&mut self, mem: Mem, index: Value, leaf: u16, compare: Value, value: Value) -> Value {
        let result = self.value(self.leaf(mem, leaf));
        let kind = AtomicKind::CompareExchange;
        self.push(Op::Atomic { kind, mem, index, leaf, value, compare: Some(compare), result });
        result
    }

    /// Stops the thread unless `cond` holds.
    pub fn check(&mut self, cond: Value, kind: CheckKind, operands: &[Value], source: SourceId) {
        self.push(Op::Check { cond, kind, operands: operands.into(), source });
    }

    /// Checks `index` against a dimension of an array parameter, or the length of a local array.
    pub fn check_index(&mut self, mem: Mem, dim: u8, index: Value, source: SourceId) {
        let extent = match mem {
            Mem::Array(a) => self.extent(a, dim),
            Mem::Local(_) => self.len(mem),
        };
        let cond = self.lt(index, extent);
        self.check(cond, CheckKind::Index { mem, dim }, &[index, extent], source);
    }

    /// Prints.
    pub fn print(&mut self, site: PrintId, args: &[Value]) {
        self.push(Op::Print { site, args: args.into() });
    }

    /// Calls a function that gives values of these types.
    pub fn call(
        &mut self,
        callee: CalleeId,
        args: &[Value],
        arrays: Vec<ArrayArg>,
        results: &[Scalar],
        source: SourceId,
    ) -> Vec<Value> {
        let results: Vec<Value> = results.iter().map(|&s| self.value(s)).collect();
        self.push(Op::Call { callee, args: args.into(), arrays, results: results.clone(), source });
        results
    }
}

/// Pure ops.
impl Builder {
    /// A builtin whose result's type follows from its operands: all but `Cast` and `Bitcast`.
    pub fn pure(&mut self, builtin: Builtin, args: &[Value]) -> Value {
        let scalar = self.result_of(builtin, args);
        self.pure_as(scalar, builtin, args)
    }

    /// A builtin with a result of this type.
    pub fn pure_as(&mut self, scalar: Scalar, builtin: Builtin, args: &[Value]) -> Value {
        let result = self.value(scalar);
        self.push(Op::Pure { builtin, args: args.into(), result });
        result
    }

    fn result_of(&self, builtin: Builtin, args: &[Value]) -> Scalar {
        use Builtin::*;
        match builtin {
            Eq | Ne | Lt | Le => Scalar::Bool,
            CountOnes | LeadingZeros | TrailingZeros => Scalar::U32,
            Select => self.scalar(args[1]),
            Cast | Bitcast => panic!("{builtin:?} does not follow from its operand: use `cast` or `bitcast`"),
            _ => self.scalar(args[0]),
        }
    }

    /// Rust's `as`; the value itself when it has the type already.
    pub fn cast(&mut self, to: Scalar, value: Value) -> Value {
        if self.scalar(value) == to { value } else { self.pure_as(to, Builtin::Cast, &[value]) }
    }

    /// The same bits as another type of the same size.
    pub fn bitcast(&mut self, to: Scalar, value: Value) -> Value {
        if self.scalar(value) == to { value } else { self.pure_as(to, Builtin::Bitcast, &[value]) }
    }

    /// `a > b`.
    pub fn gt(&mut self, a: Value, b: Value) -> Value {
        self.lt(b, a)
    }

    /// `a >= b`.
    pub fn ge(&mut self, a: Value, b: Value) -> Value {
        self.le(b, a)
    }

    /// `if cond { a } else { b }` without control flow.
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        self.pure(Builtin::Select, &[cond, a, b])
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, a: Value, b: Value, c: Value) -> Value {
        self.pure(Builtin::Fma, &[a, b, c])
    }
}

macro_rules! unary {
    ($($name:ident $builtin:ident $doc:literal)*) => {
        /// Pure ops of one operand.
        impl Builder {
            $(#[doc = $doc]
            pub fn $name(&mut self, a: Value) -> Value {
                self.pure(Builtin::$builtin, &[a])
            })*
        }
    };
}

unary! {
    neg Neg "`-a`, wrapping."
    not Not "`!a`."
    abs Abs "Magnitude, wrapping."
    sqrt Sqrt "Square root."
    floor Floor "Largest integer not above."
    ceil Ceil "Smallest integer not below."
}

macro_rules! binary {
    ($($name:ident $builtin:ident $doc:literal)*) => {
        /// Pure ops of two operands.
        impl Builder {
            $(#[doc = $doc]
            pub fn $name(&mut self, a: Value, b: Value) -> Value {
                self.pure(Builtin::$builtin, &[a, b])
            })*
        }
    };
}

binary! {
    add Add "`a + b`, wrapping."
    sub Sub "`a - b`, wrapping."
    mul Mul "`a * b`, wrapping."
    div Div "`a / b`; integers need a check."
    rem Rem "`a % b`; integers need a check."
    min Min "The smaller one."
    max Max "The larger one."
    and And "`a & b`."
    or Or "`a | b`."
    xor Xor "`a ^ b`."
    shl Shl "`a << b`, the amount masked."
    shr Shr "`a >> b`, the amount masked."
    eq Eq "`a == b`."
    ne Ne "`a != b`."
    lt Lt "`a < b`."
    le Le "`a <= b`."
}

#[cfg(test)]
mod tests;
