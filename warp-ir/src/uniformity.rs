//! How values differ between neighbouring threads, for backends that run several threads side by side.
//!
//! Threads are neighbours if they differ in the last dimension of the launch alone. A value is *uniform* if neighbours
//! that compute it all have the same one, *linear* if it rises by a constant from one to the next (modulo its type), and
//! *varying* otherwise. What threads compute in the arms of a condition that varies may be uniform there; after it,
//! where some went one way and some the other, it varies. So do the values that leave a loop which threads leave at
//! different turns, and all that such a loop carries.
//!
//! Loads are uniform where the index is and the kernel writes nothing to the array.

use std::fmt;

use crate::builtins::Builtin;
use crate::ir::*;

/// How a value differs between neighbouring threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Not at all.
    Uniform,
    /// By this much from one to the next, modulo the type, which is an integer of 64 bits.
    Linear(i64),
    /// In any way.
    Varying,
}

/// The kinds of a kernel's values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uniformity {
    kinds: Vec<Kind>,
}

impl Uniformity {
    /// Finds the kinds of all values of a kernel.
    pub fn of(kernel: &Kernel) -> Uniformity {
        let function = &kernel.function;
        let mut written = vec![false; function.arrays.len()];
        note_written(&function.body, &mut written);
        let count = function.values.len();
        let mut analysis = Analysis {
            function,
            last: kernel.rank.max(1) - 1,
            written,
            kinds: vec![Kind::Uniform; count],
            constants: vec![None; count],
        };
        analysis.region(&function.body);
        Uniformity { kinds: analysis.kinds }
    }

    /// The kind of a value.
    pub fn kind(&self, value: Value) -> Kind {
        self.kinds[value.0 as usize]
    }

    /// Takes what a region makes to vary where it rises from thread to thread: for lanes whose threads are not neighbours.
    pub fn let_vary(&mut self, region: &Region) {
        self.let_vary_all(&region.params);
        for op in &region.ops {
            let shape = op.shape();
            self.let_vary_all(shape.results);
            shape.regions.into_iter().for_each(|inner| self.let_vary(inner));
        }
    }

    fn let_vary_all(&mut self, values: &[Value]) {
        for value in values {
            if let Kind::Linear(_) = self.kind(*value) {
                self.kinds[value.0 as usize] = Kind::Varying;
            }
        }
    }

    /// Whether a value is uniform.
    pub fn is_uniform(&self, value: Value) -> bool {
        self.kind(value) == Kind::Uniform
    }
}

impl fmt::Display for Uniformity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, kind) in self.kinds.iter().enumerate() {
            match kind {
                Kind::Uniform => writeln!(f, "v{number} uniform")?,
                Kind::Linear(stride) => writeln!(f, "v{number} linear {stride}")?,
                Kind::Varying => writeln!(f, "v{number} varying")?,
            }
        }
        Ok(())
    }
}

impl Kind {
    /// What a value is that is one of two, where all threads take the same.
    fn join(self, other: Kind) -> Kind {
        if self == other { self } else { Kind::Varying }
    }

    fn stride(self) -> Option<i64> {
        match self {
            Kind::Uniform => Some(0),
            Kind::Linear(stride) => Some(stride),
            Kind::Varying => None,
        }
    }

    fn with_stride(stride: Option<i64>) -> Kind {
        match stride {
            Some(0) => Kind::Uniform,
            Some(stride) => Kind::Linear(stride),
            None => Kind::Varying,
        }
    }
}

struct Analysis<'f> {
    function: &'f Function,
    /// The last dimension of the launch.
    last: u8,
    /// Which arrays the kernel writes.
    written: Vec<bool>,
    kinds: Vec<Kind>,
    constants: Vec<Option<u64>>,
}

impl Analysis<'_> {
    fn region(&mut self, region: &Region) {
        region.ops.iter().for_each(|op| self.op(op));
    }

    fn set(&mut self, value: Value, kind: Kind) {
        self.kinds[value.0 as usize] = kind;
    }

    fn kind(&self, value: Value) -> Kind {
        self.kinds[value.0 as usize]
    }

    fn all_uniform(&self, values: &[Value]) -> Kind {
        let uniform = values.iter().all(|value| self.kind(*value) == Kind::Uniform);
        if uniform { Kind::Uniform } else { Kind::Varying }
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Const { bits, result } => {
                self.constants[result.0 as usize] = Some(*bits);
                self.set(*result, Kind::Uniform);
            }
            Op::Tid { dim, result } => {
                self.set(*result, if *dim == self.last { Kind::Linear(1) } else { Kind::Uniform });
            }
            Op::Pure { builtin, args, result } => {
                let kind = self.pure(*builtin, args, *result);
                self.set(*result, kind);
            }
            Op::Table { index, result, .. } => {
                let kind = self.all_uniform(&[*index]);
                self.set(*result, kind);
            }
            Op::Load { mem, index, result, .. } => {
                let kind = match mem {
                    Mem::Array(array) if !self.written[array.0 as usize] => self.all_uniform(&[*index]),
                    _ => Kind::Varying,
                };
                self.set(*result, kind);
            }
            Op::Atomic { result, .. } => self.set(*result, Kind::Varying),
            Op::If { cond, then, otherwise, results } => {
                self.region(then);
                self.region(otherwise);
                for (k, result) in results.iter().enumerate() {
                    let joined = self.kind(then.yields[k]).join(self.kind(otherwise.yields[k]));
                    let agree = self.kind(*cond) == Kind::Uniform;
                    self.set(*result, if agree { joined } else { Kind::Varying });
                }
            }
            Op::Loop { inits, cond, body, results } => self.repeat(inits, cond, body, results),
            // Their results are none, or do not differ.
            Op::Slot { .. } | Op::Extent { .. } | Op::Stride { .. } => {}
            Op::Store { .. } | Op::Fill { .. } | Op::Check { .. } | Op::Print { .. } => {}
            Op::Call { results, .. } | Op::Custom { results, .. } => {
                results.iter().for_each(|result| self.set(*result, Kind::Varying));
            }
        }
    }

    /// Starts from what goes into the loop, and takes back until a turn changes nothing. Kinds only rise, and each of the
    /// carried values at most twice.
    fn repeat(&mut self, inits: &[Value], cond: &Region, body: &Region, results: &[Value]) {
        let mut carried: Vec<Kind> = inits.iter().map(|init| self.kind(*init)).collect();
        loop {
            for (k, kind) in carried.iter().enumerate() {
                self.set(cond.params[k], *kind);
                self.set(body.params[k], *kind);
            }
            self.region(cond);
            self.region(body);
            let agree = self.kind(cond.yields[0]) == Kind::Uniform;
            let next: Vec<Kind> = carried
                .iter()
                .zip(&body.yields)
                .map(|(kind, next)| if agree { kind.join(self.kind(*next)) } else { Kind::Varying })
                .collect();
            if next == carried {
                break;
            }
            carried = next;
        }
        for (result, kind) in results.iter().zip(carried) {
            self.set(*result, kind);
        }
    }

    fn pure(&self, builtin: Builtin, args: &[Value], result: Value) -> Kind {
        if let Kind::Uniform = self.all_uniform(args) {
            return Kind::Uniform;
        }
        let is_wide = |value: &Value| matches!(self.function.scalar(*value), Scalar::I64 | Scalar::U64);
        if !is_wide(&result) || !args.iter().all(is_wide) {
            return Kind::Varying;
        }
        let stride = |at: usize| self.kind(args[at]).stride();
        let constant = |at: usize| self.constants[args[at].0 as usize];
        let stride = match builtin {
            Builtin::Add => stride(0).zip(stride(1)).map(|(a, b)| a.wrapping_add(b)),
            Builtin::Sub => stride(0).zip(stride(1)).map(|(a, b)| a.wrapping_sub(b)),
            Builtin::Mul => match (constant(0), constant(1)) {
                (_, Some(factor)) => stride(0).map(|stride| stride.wrapping_mul(factor as i64)),
                (Some(factor), None) => stride(1).map(|stride| stride.wrapping_mul(factor as i64)),
                (None, None) => None,
            },
            Builtin::Cast | Builtin::Bitcast => stride(0),
            _ => None,
        };
        Kind::with_stride(stride)
    }
}

fn note_written(region: &Region, written: &mut [bool]) {
    for op in &region.ops {
        if let Op::Store { mem: Mem::Array(array), .. } | Op::Atomic { mem: Mem::Array(array), .. } = op {
            written[array.0 as usize] = true;
        }
        op.shape().regions.into_iter().for_each(|region| note_written(region, written));
    }
}
