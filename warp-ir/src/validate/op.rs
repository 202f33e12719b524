//! What each op may name and which types it takes. Scope is the business of `region.rs`.

use super::region::Role;
use crate::ir::{
    Access, ArrayArg, ArrayId, ArrayParam, AtomicKind, CheckKind, Function, Mem, Op, PrintPiece, Scalar, Source,
    SourceId, Value,
};
use crate::planted::{self, Bug};

type Checked = Result<(), String>;

/// The place in the user's source that the op carries, or that its first result has.
pub(super) fn source(function: &Function, op: &Op) -> Option<Box<Source>> {
    let id = match op {
        Op::Check { source, .. } | Op::Call { source, .. } => Some(*source),
        _ => op.shape().results.first().and_then(|v| function.spans.get(v.0 as usize).copied().flatten()),
    };
    id.and_then(|id| function.sources.get(id.0 as usize).cloned().map(Box::new))
}

/// Checks handles and types of the op itself. All its values exist.
pub(super) fn check_op(function: &Function, role: Role, op: &Op) -> Checked {
    let check = Check { function, role };
    match op {
        Op::Const { bits, result } => check.constant(*bits, *result),
        Op::Slot { slot, .. } => handle("slot", *slot, function.slots as usize),
        Op::Tid { dim, result } => check.tid(*dim, *result),
        Op::Extent { array, dim, result } => {
            check.dim(*array, *dim)?;
            check.typed("an extent", *result, Scalar::U64)
        }
        Op::Stride { array, dim, result } => {
            check.dim(*array, *dim)?;
            check.typed("a stride", *result, Scalar::U64)
        }
        Op::Pure { builtin, args, result } => {
            let args: Vec<Scalar> = args.iter().map(|&v| function.scalar(v)).collect();
            builtin.row().check(&args, function.scalar(*result))
        }
        Op::Table { table, index, result } => {
            handle("table", *table, function.tables.len())?;
            check.typed("an index", *index, Scalar::U64)?;
            check.typed("an element of the table", *result, function.tables[*table as usize].0)
        }
        Op::Load { mem, index, leaf, result } => check.access(*mem, *index, *leaf, *result),
        Op::Store { mem, index, leaf, value } => {
            check.writable(*mem)?;
            check.access(*mem, *index, *leaf, *value)
        }
        Op::Fill { local, leaf, value } => {
            let leaf = check.leaf(Mem::Local(*local), *leaf)?;
            check.typed("the value of a fill", *value, leaf)
        }
        Op::Atomic { .. } => check.atomic(op),
        Op::Check { cond, kind, operands, source } => {
            check.typed("the condition of a check", *cond, Scalar::Bool)?;
            check.source(*source)?;
            check.kind(kind, operands)
        }
        Op::Print { site, args } => check.print(site.0, args),
        Op::Call { callee, arrays, source, .. } => {
            if role != Role::Function {
                return Err("a kernel has no calls left after linking".into());
            }
            handle("callee", callee.0, function.callees.len())?;
            check.source(*source)?;
            arrays.iter().try_for_each(|a| check.array_arg(a))
        }
        Op::If { cond, .. } => check.typed("the condition of an if", *cond, Scalar::Bool),
        Op::Loop { .. } => Ok(()),
        Op::Custom { values, .. } if values.is_empty() => Err("a custom derivative has no results".into()),
        Op::Custom { .. } => Ok(()),
    }
}

fn handle(what: &str, number: u32, count: usize) -> Checked {
    if (number as usize) < count { Ok(()) } else { Err(format!("{what}{number} does not exist; there are {count}")) }
}

struct Check<'f> {
    function: &'f Function,
    role: Role,
}

impl<'f> Check<'f> {
    fn typed(&self, what: &str, value: Value, expected: Scalar) -> Checked {
        let found = self.function.scalar(value);
        if found == expected {
            return Ok(());
        }
        Err(format!("{what} (v{}) is {}, expected {}", value.0, found.name(), expected.name()))
    }

    fn constant(&self, bits: u64, result: Value) -> Checked {
        let scalar = self.function.scalar(result);
        if bits & !scalar.mask() == 0 {
            return Ok(());
        }
        Err(format!("the bits {bits:#x} are more than {} has", scalar.name()))
    }

    fn tid(&self, dim: u8, result: Value) -> Checked {
        let rank = match self.role {
            Role::Function => 4,
            Role::Kernel { rank } => rank,
        };
        if dim >= rank {
            return Err(format!("the launch has {rank} dimensions, and this is number {dim}"));
        }
        self.typed("a thread's coordinate", result, Scalar::U64)
    }

    fn array(&self, array: ArrayId) -> Result<&'f ArrayParam, String> {
        handle("array", array.0, self.function.arrays.len())?;
        Ok(&self.function.arrays[array.0 as usize])
    }

    fn dim(&self, array: ArrayId, dim: u8) -> Result<&'f ArrayParam, String> {
        let param = self.array(array)?;
        if dim < param.rank {
            return Ok(param);
        }
        Err(format!("array{} has {} dimensions, and this asks for number {dim}", array.0, param.rank))
    }

    /// Dimensions of a memory.
    fn rank(&self, mem: Mem) -> Result<u8, String> {
        match mem {
            Mem::Array(array) => Ok(self.array(array)?.rank),
            Mem::Local(local) => handle("local", local.0, self.function.locals.len()).map(|()| 1),
        }
    }

    /// Type of a leaf of a memory's elements.
    fn leaf(&self, mem: Mem, leaf: u16) -> Result<Scalar, String> {
        self.rank(mem)?;
        let leaves = match mem {
            Mem::Array(array) => &self.function.arrays[array.0 as usize].leaves,
            Mem::Local(local) => &self.function.locals[local.0 as usize].leaves,
        };
        leaves.get(leaf as usize).copied().ok_or(format!("leaf {leaf} does not exist; there are {}", leaves.len()))
    }

    fn writable(&self, mem: Mem) -> Checked {
        match mem {
            _ if planted::is(Bug::ValidateIgnoresAccess) => Ok(()),
            Mem::Array(array) if self.array(array)?.access == Access::Read => {
                Err(format!("array{} (`{}`) is for reading only", array.0, self.function.arrays[array.0 as usize].name))
            }
            _ => Ok(()),
        }
    }

    /// A load or store of `value`.
    fn access(&self, mem: Mem, index: Value, leaf: u16, value: Value) -> Checked {
        let leaf = self.leaf(mem, leaf)?;
        self.typed("an index", index, Scalar::U64)?;
        self.typed("the value of the leaf", value, leaf)
    }

    fn atomic(&self, op: &Op) -> Checked {
        let Op::Atomic { kind, mem, index, leaf, value, compare, result } = op else { return Ok(()) };
        self.writable(*mem)?;
        self.access(*mem, *index, *leaf, *value)?;
        let scalar = self.function.scalar(*value);
        self.typed("the old value", *result, scalar)?;
        let suits = match kind {
            AtomicKind::Add | AtomicKind::Sub | AtomicKind::Min | AtomicKind::Max => {
                scalar.is_int() || scalar.is_float()
            }
            AtomicKind::And | AtomicKind::Or | AtomicKind::Xor => scalar.is_int() || scalar == Scalar::Bool,
            AtomicKind::Exchange | AtomicKind::CompareExchange => true,
        };
        if !suits {
            return Err(format!("there is no atomic {kind:?} of {}", scalar.name()));
        }
        match (kind, compare) {
            (AtomicKind::CompareExchange, Some(compare)) => self.typed("the compared value", *compare, scalar),
            (AtomicKind::CompareExchange, None) => Err("a compare-exchange needs a value to compare with".into()),
            (_, Some(_)) => Err(format!("an atomic {kind:?} compares with nothing")),
            (_, None) => Ok(()),
        }
    }

    fn source(&self, source: SourceId) -> Checked {
        handle("source", source.0, self.function.sources.len())
    }

    /// What the report of a check prints, by kind.
    fn kind(&self, kind: &CheckKind, operands: &[Value]) -> Checked {
        let lengths = |n: usize| {
            if operands.len() != n {
                return Err(format!("the report of {kind:?} prints {n} operands, found {}", operands.len()));
            }
            operands.iter().try_for_each(|&v| self.typed("an operand of the report", v, Scalar::U64))
        };
        match kind {
            CheckKind::Index { mem, dim } => {
                let rank = self.rank(*mem)?;
                if *dim >= rank {
                    return Err(format!("the memory has {rank} dimensions, and this checks number {dim}"));
                }
                lengths(2)
            }
            CheckKind::SliceRange { mem } => {
                self.rank(*mem)?;
                lengths(3)
            }
            CheckKind::DivideByZero | CheckKind::DivideOverflow | CheckKind::StepZero => lengths(0),
            CheckKind::ClampBounds => match operands {
                &[low, high] => self.typed("the upper bound", high, self.function.scalar(low)),
                _ => Err(format!("the report of ClampBounds prints 2 operands, found {}", operands.len())),
            },
            CheckKind::Unwrap { .. } => Ok(()),
            CheckKind::Assert { message } => self.pieces("the message", message, operands),
        }
    }

    fn print(&self, site: u32, args: &[Value]) -> Checked {
        handle("print", site, self.function.prints.len())?;
        self.pieces("the site", &self.function.prints[site as usize].pieces, args)
    }

    /// The arguments of a print site or message, one for each piece that takes one.
    fn pieces(&self, what: &str, pieces: &[PrintPiece], args: &[Value]) -> Checked {
        let expected: Vec<Scalar> = pieces.iter().filter_map(PrintPiece::argument).collect();
        if expected.len() != args.len() {
            return Err(format!("{what} prints {} arguments, found {}", expected.len(), args.len()));
        }
        let what = format!("an argument of {what}");
        args.iter().zip(expected).try_for_each(|(&v, scalar)| self.typed(&what, v, scalar))
    }

    fn array_arg(&self, arg: &ArrayArg) -> Checked {
        let rank = self.rank(arg.mem)?;
        let Some((start, len)) = arg.part else { return Ok(()) };
        if rank != 1 {
            return Err(format!("a part of an array with {rank} dimensions is handed over"));
        }
        self.typed("the start of a part", start, Scalar::U64)?;
        self.typed("the length of a part", len, Scalar::U64)
    }
}
