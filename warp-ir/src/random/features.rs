//! What a kernel makes use of: so that a test can show that random kernels make use of everything.

use crate::ir::{Kernel, Mem, Op, Region, Scalar};

/// Features of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Features {
    pub loops: bool,
    /// Loops whose condition reads a flag.
    pub breaks: bool,
    /// An `If` in an `If`.
    pub nested_ifs: bool,
    pub local_arrays: bool,
    /// Array parameters with elements of several leaves.
    pub structs: bool,
    /// A load and a later store at the same element of an array parameter.
    pub updates: bool,
    pub atomics: bool,
    pub casts: bool,
    pub prints: bool,
    /// More than one launch dimension.
    pub dimensions: bool,
    pub strides: bool,
    pub planes: bool,
}

impl Features {
    /// The features of a kernel.
    pub fn of(kernel: &Kernel) -> Features {
        let function = &kernel.function;
        let mut features = Features {
            local_arrays: !function.locals.is_empty(),
            structs: function.arrays.iter().any(|a| a.leaves.len() > 1),
            dimensions: kernel.rank > 1,
            strides: function.arrays.iter().any(|a| a.strided),
            planes: function.arrays.iter().any(|a| a.storage == crate::ir::Storage::Planes),
            ..Features::default()
        };
        features.region(&function.body, false);
        features
    }

    fn region(&mut self, region: &Region, in_if: bool) {
        for (at, op) in region.ops.iter().enumerate() {
            match op {
                Op::Loop { cond, .. } => {
                    self.loops = true;
                    self.breaks |= cond.ops.iter().any(|op| {
                        matches!(op, Op::Pure { builtin: crate::builtins::Builtin::Not, args, .. } if cond.params.contains(&args[0]))
                    });
                }
                Op::If { .. } => self.nested_ifs |= in_if,
                Op::Atomic { .. } => self.atomics = true,
                Op::Print { .. } => self.prints = true,
                Op::Pure { builtin: crate::builtins::Builtin::Cast, .. } => self.casts = true,
                Op::Store { mem: mem @ Mem::Array(_), index, leaf, .. } => {
                    self.updates |= region.ops[..at].iter().any(|earlier| {
                        matches!(earlier, Op::Load { mem: m, index: i, leaf: l, .. } if (m, i, l) == (mem, index, leaf))
                    });
                }
                _ => {}
            }
            let in_if = in_if || matches!(op, Op::If { .. });
            op.shape().regions.into_iter().for_each(|nested| self.region(nested, in_if));
        }
    }

    /// The features by name.
    pub fn list(self) -> [(&'static str, bool); 12] {
        [
            ("loops", self.loops),
            ("breaks", self.breaks),
            ("nested ifs", self.nested_ifs),
            ("local arrays", self.local_arrays),
            ("structs", self.structs),
            ("updates", self.updates),
            ("atomics", self.atomics),
            ("casts", self.casts),
            ("prints", self.prints),
            ("dimensions", self.dimensions),
            ("strides", self.strides),
            ("planes", self.planes),
        ]
    }

    /// The types of a kernel's values.
    pub fn scalars(kernel: &Kernel) -> Vec<Scalar> {
        Scalar::ALL.into_iter().filter(|s| kernel.function.values.contains(s)).collect()
    }
}
