//! Random array parameters and local arrays, and accesses to them.

use super::statement::Maker;
use crate::builtins::Builtin;
use crate::ir::{
    Access, ArrayId, ArrayParam, AtomicKind, CheckKind, LocalId, Mem, Op, PrintPiece, Scalar, Storage, Value,
};

/// How threads use an array parameter, so that their order cannot be seen.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    /// Read anywhere.
    Input,
    /// Each thread reads and writes the element at its coordinates.
    Own,
    /// Updated anywhere by atomics of one kind.
    Shared(AtomicKind),
}

const COMMUTING: [AtomicKind; 6] =
    [AtomicKind::Add, AtomicKind::Min, AtomicKind::Max, AtomicKind::And, AtomicKind::Or, AtomicKind::Xor];
const ANY_KIND: [AtomicKind; 9] = [
    AtomicKind::Add,
    AtomicKind::Sub,
    AtomicKind::Min,
    AtomicKind::Max,
    AtomicKind::And,
    AtomicKind::Or,
    AtomicKind::Xor,
    AtomicKind::Exchange,
    AtomicKind::CompareExchange,
];

/// Declarations.
impl Maker {
    pub(super) fn array(&mut self, role: Role) {
        let rank = match role {
            Role::Own => self.rank,
            _ if self.rng.chance(65) => 1,
            _ => self.rng.range(1, 3) as u8,
        };
        let count = if self.rng.chance(40) { 1 } else { self.rng.range(2, 4) };
        let leaves = (0..count).map(|_| self.leaf(role)).collect();
        let planes = rank == 1 && self.rng.chance(25);
        self.b.array(ArrayParam {
            name: format!("a{}", self.roles.len()),
            leaves,
            rank,
            strided: !planes && self.rng.chance(if rank == 1 { 10 } else { 60 }),
            access: if role == Role::Input { Access::Read } else { Access::Write },
            storage: if planes { Storage::Planes } else { Storage::Elements },
        });
        self.roles.push(role);
    }

    fn leaf(&mut self, role: Role) -> Scalar {
        match role {
            Role::Shared(_) => self.rng.pick(&[Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64]),
            _ if self.rng.chance(20) => self.rng.pick(&Scalar::ALL),
            _ => self.rng.pick(&self.palette.clone()),
        }
    }

    pub(super) fn shared_role(&mut self) -> Role {
        Role::Shared(self.rng.pick(&COMMUTING))
    }

    /// A new local array with contents, visible from here on.
    pub(super) fn local(&mut self) {
        let len = self.rng.pick(&[1, 2, 3, 4, 4, 5, 8]);
        let count = self.rng.pick(&[1, 1, 2, 3]);
        let leaves: Vec<Scalar> = (0..count).map(|_| self.rng.pick(&self.palette.clone())).collect();
        let local = self.b.local(&format!("l{}", self.b.function().locals.len()), &leaves, len);
        for (leaf, &scalar) in leaves.iter().enumerate() {
            if self.rng.chance(75) {
                let value = self.value(scalar);
                self.b.fill(local, leaf as u16, value);
            } else {
                for k in 0..len {
                    let (index, value) = (self.b.u64(u64::from(k)), self.value(scalar));
                    self.b.store(Mem::Local(local), index, leaf as u16, value);
                }
            }
        }
        self.locals.push(local);
    }
}

/// Accesses to local arrays.
impl Maker {
    pub(super) fn local_access(&mut self) {
        if self.locals.is_empty() || self.rng.chance(10) {
            self.local();
        }
        let local = self.rng.pick(&self.locals.clone());
        let leaves = self.b.function().locals[local.0 as usize].leaves.clone();
        let leaf = self.rng.below(leaves.len() as u64) as usize;
        let scalar = leaves[leaf];
        let leaf = leaf as u16;
        match self.rng.below(8) {
            0 => {
                let value = self.value(scalar);
                self.b.fill(local, leaf, value);
            }
            1 if scalar.is_int() => {
                let index = self.local_index(local);
                self.any_atomic(Mem::Local(local), index, leaf, scalar);
            }
            2..=4 => {
                let index = self.local_index(local);
                let value = self.b.load(Mem::Local(local), index, leaf);
                self.pool.add(scalar, value);
            }
            _ => {
                let value = self.computed(scalar);
                let index = self.local_index(local);
                self.b.store(Mem::Local(local), index, leaf, value);
            }
        }
    }

    fn local_index(&mut self, local: LocalId) -> Value {
        let len = u64::from(self.b.function().locals[local.0 as usize].len);
        let raw = self.value(Scalar::U64);
        match self.rng.below(4) {
            0 => self.b.u64(self.rng.below(len)),
            1 if len.is_power_of_two() => {
                let mask = self.b.u64(len - 1);
                self.b.and(raw, mask)
            }
            2 => {
                let len = self.b.u64(len);
                self.b.rem(raw, len)
            }
            3 if self.takes_risk() => {
                let source = self.source();
                self.b.check_index(Mem::Local(local), 0, raw, source);
                raw
            }
            _ => {
                let limit = if self.takes_risk() { len + 1 } else { len };
                let limit = self.b.u64(limit);
                let index = self.b.rem(raw, limit);
                let source = self.source();
                self.b.check_index(Mem::Local(local), 0, index, source);
                index
            }
        }
    }
}

/// Accesses to array parameters.
impl Maker {
    /// An array parameter whose role is accepted.
    fn array_with(&mut self, accept: impl Fn(Role) -> bool) -> Option<ArrayId> {
        let fitting: Vec<u32> = (0..self.roles.len() as u32).filter(|&k| accept(self.roles[k as usize])).collect();
        if fitting.is_empty() { None } else { Some(ArrayId(self.rng.pick(&fitting))) }
    }

    fn param(&self, array: ArrayId) -> ArrayParam {
        self.b.function().arrays[array.0 as usize].clone()
    }

    /// A load from an element of the thread, or anywhere from an input.
    pub(super) fn load(&mut self) {
        let Some(array) = self.array_with(|role| !matches!(role, Role::Shared(_))) else { return };
        let param = self.param(array);
        let leaf = self.rng.below(param.leaves.len() as u64) as u16;
        let scalar = param.leaves[leaf as usize];
        let indices = self.indices(array, &param);
        let loaded =
            self.guarded(array, &indices, &[scalar], |maker, flat| vec![maker.b.load(Mem::Array(array), flat, leaf)]);
        self.pool.add(scalar, loaded[0]);
    }

    /// A store to an element of the thread; with `update`, of something made from what stood there.
    pub(super) fn store(&mut self, update: bool) {
        let Some(array) = self.array_with(|role| role == Role::Own) else { return };
        let param = self.param(array);
        let leaf = self.rng.below(param.leaves.len() as u64) as u16;
        let scalar = param.leaves[leaf as usize];
        let value = self.computed(scalar);
        let indices = self.indices(array, &param);
        let atomically = scalar.is_int() && self.rng.chance(15);
        self.guarded(array, &indices, &[], |maker, flat| {
            let mem = Mem::Array(array);
            if atomically {
                maker.any_atomic(mem, flat, leaf, scalar);
            } else if update {
                let old = maker.b.load(mem, flat, leaf);
                let new = maker.combined(scalar, old, value);
                maker.b.store(mem, flat, leaf, new);
            } else {
                maker.b.store(mem, flat, leaf, value);
            }
            vec![]
        });
    }

    fn combined(&mut self, scalar: Scalar, old: Value, value: Value) -> Value {
        let builtin = match scalar {
            Scalar::Bool => Builtin::Xor,
            _ if scalar.is_half() => {
                let (a, b) = (self.b.cast(Scalar::F32, old), self.b.cast(Scalar::F32, value));
                let sum = self.b.add(a, b);
                return self.b.cast(scalar, sum);
            }
            _ => self.rng.pick(&[Builtin::Add, Builtin::Sub, Builtin::Mul, Builtin::Min, Builtin::Max]),
        };
        self.b.pure(builtin, &[old, value])
    }

    /// An atomic on a shared array; the old value depends on the order of threads and is not used.
    pub(super) fn shared_atomic(&mut self) {
        let Some(array) = self.array_with(|role| matches!(role, Role::Shared(_))) else { return };
        let Role::Shared(kind) = self.roles[array.0 as usize] else { return };
        let param = self.param(array);
        let leaf = self.rng.below(param.leaves.len() as u64) as u16;
        let value = self.value(param.leaves[leaf as usize]);
        let indices = self.indices(array, &param);
        self.guarded(array, &indices, &[], |maker, flat| {
            maker.b.atomic(kind, Mem::Array(array), flat, leaf, value);
            vec![]
        });
    }

    /// An atomic on memory that other threads leave alone.
    fn any_atomic(&mut self, mem: Mem, index: Value, leaf: u16, scalar: Scalar) {
        let kind = self.rng.pick(&ANY_KIND);
        let value = self.value(scalar);
        let old = if kind == AtomicKind::CompareExchange {
            let compare = self.value(scalar);
            self.b.compare_exchange(mem, index, leaf, compare, value)
        } else {
            self.b.atomic(kind, mem, index, leaf, value)
        };
        self.pool.add(scalar, old);
    }

    /// An index for each dimension: the thread's coordinates for its own element, anything for the others.
    fn indices(&mut self, array: ArrayId, param: &ArrayParam) -> Vec<Value> {
        if self.roles[array.0 as usize] == Role::Own {
            return self.tid.clone();
        }
        (0..param.rank).map(|dim| self.index(array, dim)).collect()
    }

    /// An index into a dimension; in range, unless the kernel takes risks or the dimension has no extent.
    fn index(&mut self, array: ArrayId, dim: u8) -> Value {
        let raw = self.value(Scalar::U64);
        if self.takes_risk() {
            let mask = self.b.u64(15);
            return self.b.and(raw, mask);
        }
        let (extent, one) = (self.b.extent(array, dim), self.b.u64(1));
        if self.rng.chance(50) {
            let last = self.b.sub(extent, one);
            return self.b.min(raw, last);
        }
        let divisor = self.b.max(extent, one);
        let (zero, source) = (self.b.u64(0), self.source());
        let cond = self.b.ne(divisor, zero);
        self.b.check(cond, CheckKind::DivideByZero, &[], source);
        self.b.rem(raw, divisor)
    }

    /// An access that stands under checks, or in an `If`, that say that each index is in range. Gives its values, or
    /// others where the `If` does not run.
    fn guarded(
        &mut self,
        array: ArrayId,
        indices: &[Value],
        scalars: &[Scalar],
        access: impl FnOnce(&mut Maker, Value) -> Vec<Value>,
    ) -> Vec<Value> {
        let mem = Mem::Array(array);
        if self.rng.chance(60) {
            for (dim, &index) in indices.iter().enumerate() {
                let source = self.source();
                self.b.check_index(mem, dim as u8, index, source);
            }
            let flat = self.flat(array, indices);
            return access(self, flat);
        }
        let mut cond = None;
        for (dim, &index) in indices.iter().enumerate() {
            let extent = self.b.extent(array, dim as u8);
            let inside = self.b.lt(index, extent);
            cond = Some(cond.map_or(inside, |cond| self.b.and(cond, inside)));
        }
        let others: Vec<Value> = scalars.iter().map(|&s| self.value(s)).collect();
        let mark = self.pool.mark();
        self.b.open(&[]);
        let flat = self.flat(array, indices);
        let values = access(self, flat);
        let then = self.b.close(&values);
        self.pool.cut(mark);
        self.b.open(&[]);
        let otherwise = self.b.close(&others);
        let cond = cond.unwrap_or_else(|| self.b.bool(true));
        self.b.push_if(cond, then, otherwise)
    }

    /// The flat index of an element.
    fn flat(&mut self, array: ArrayId, indices: &[Value]) -> Value {
        let param = self.param(array);
        if !param.strided && (param.rank == 1 || self.rng.chance(50)) {
            let mut flat = indices[0];
            for (dim, &index) in indices.iter().enumerate().skip(1) {
                let extent = self.b.extent(array, dim as u8);
                let row = self.b.mul(flat, extent);
                flat = self.b.add(row, index);
            }
            return flat;
        }
        let mut flat = None;
        for (dim, &index) in indices.iter().enumerate() {
            let stride = self.b.stride(array, dim as u8);
            let part = self.b.mul(index, stride);
            flat = Some(flat.map_or(part, |flat| self.b.add(flat, part)));
        }
        flat.unwrap_or(indices[0])
    }

    pub(super) fn print(&mut self) {
        let (pieces, args) = self.said();
        let site = self.b.print_site(crate::ir::PrintSite { pieces, newline: self.rng.chance(80) });
        self.b.push(Op::Print { site, args });
    }

    /// Pieces of text and values, and the values.
    pub(super) fn said(&mut self) -> (Vec<PrintPiece>, Vec<Value>) {
        let mut pieces = vec![PrintPiece::Text("it is ".into())];
        for _ in 0..self.rng.below(3) {
            let scalar = self.liked();
            let spec = if self.rng.chance(50) { String::new() } else { "?".into() };
            pieces.push(match self.rng.chance(20) {
                true => PrintPiece::Choice { scalar, cases: vec![(0, 0), (1, 1)] },
                false => PrintPiece::Arg { scalar, spec },
            });
        }
        pieces.push(PrintPiece::Text(".".into()));
        let scalars: Vec<Scalar> = pieces.iter().filter_map(PrintPiece::argument).collect();
        (pieces, scalars.into_iter().map(|s| self.value(s)).collect())
    }
}
