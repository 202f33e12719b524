//! Functions and kernels.

use serde::{Deserialize, Serialize};

use super::{ArrayParam, LocalArray, Op, PrintSite, Region, Scalar, Source, SourceId};

/// An SSA value, by position in [`Function::values`]. Defined once: as a parameter, by an op, or by a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Value(pub u32);

/// A callee, by position in [`Function::callees`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct CalleeId(pub u32);

/// A scalar parameter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Param {
    /// The user's name; `p.mass` for a leaf of a struct.
    pub name: String,
    /// The value inside the function.
    pub value: Value,
}

/// A function that is called, until linking.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Callee {
    /// Identity of the definition, and of the instance for a generic one (`id<f32,3>`).
    pub id: String,
    /// The user's name, for messages.
    pub name: String,
}

/// A function: what `#[func]` and methods lower to, and the body of a kernel.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Function {
    /// The user's name.
    pub name: String,
    /// Scalar parameters, composite ones taken apart, in order. `&mut T` arguments come back as further results.
    pub params: Vec<Param>,
    /// Array parameters, in order; bundles taken apart.
    pub arrays: Vec<ArrayParam>,
    /// Local arrays.
    pub locals: Vec<LocalArray>,
    /// The body; it has no region parameters, and yields the function's results (none for a kernel).
    pub body: Region,
    /// Type of each value.
    pub values: Vec<Scalar>,
    /// Where each value comes from: parallel to `values`, or empty when not kept.
    #[serde(with = "super::runs::spans")]
    pub spans: Vec<Option<SourceId>>,
    /// Places in the user's source.
    #[serde(with = "super::runs::sources")]
    pub sources: Vec<Source>,
    /// Print sites.
    pub prints: Vec<PrintSite>,
    /// Functions called, until linking.
    pub callees: Vec<Callee>,
    /// Constant tables: type and bits of each element.
    pub tables: Vec<(Scalar, Vec<u64>)>,
    /// How many slots of user constants it reads; `Op::Slot` numbers are below it.
    pub slots: u32,
}

impl Function {
    /// A fresh value of type `scalar`.
    pub fn value(&mut self, scalar: Scalar) -> Value {
        self.values.push(scalar);
        if !self.spans.is_empty() {
            self.spans.push(None);
        }
        Value(self.values.len() as u32 - 1)
    }

    /// The statement that an op comes from, where that is known: of a store that of what it writes.
    pub fn statement(&self, op: &Op) -> Option<SourceId> {
        let value = match op {
            Op::Store { value, .. } | Op::Fill { value, .. } => Some(value),
            _ => op.shape().results.first(),
        };
        value.and_then(|value| self.spans.get(value.0 as usize).copied().flatten())
    }

    /// The type of a value.
    pub fn scalar(&self, value: Value) -> Scalar {
        self.values[value.0 as usize]
    }
}

/// A kernel: a function without results that runs once a thread.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Kernel {
    /// The body. No calls are left in it after linking.
    pub function: Function,
    /// Dimensions of the launch, 1 to 4: `tid()` is 1, `tid2()` 2. `Op::Tid { dim }` is below it.
    pub rank: u8,
    /// What the attribute asked for.
    pub attributes: Attributes,
}

/// Options of `#[kernel(..)]`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Attributes {
    /// Approximate instructions are allowed.
    pub fast_math: bool,
    /// Products and sums are not contracted to fused multiply-adds.
    pub no_fma: bool,
    /// No adjoint is wanted.
    pub no_adjoint: bool,
    /// Bytes of loop checkpoints a thread, when given.
    pub checkpoint_bytes: Option<u32>,
    /// Bytes of all logs of overwritten elements of a launch that goes back, when given.
    pub undo_bytes: Option<u64>,
    /// Scalar parameters whose gradient is asked for, by name.
    pub grad: Vec<String>,
    /// On devices that have blocks, threads of a block; launches in larger ones are not possible.
    pub block: Option<u32>,
    /// Blocks that a multiprocessor is to hold at once.
    pub min_blocks: Option<u32>,
}
