//! One op.

use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use warp_core::backend::BackendError;
use warp_ir::ir::{CheckKind, Mem, Op, PrintId, SourceId, Value};
use warp_ir::planted::{self, Bug};

use super::Lowering;
use crate::fault::CheckSite;
use crate::runtime;

impl Lowering<'_, '_> {
    pub(super) fn op(&mut self, op: &Op) -> Result<(), BackendError> {
        match op {
            Op::Const { bits, result } => {
                let is = self.constant(self.scalar(*result), *bits);
                self.set(*result, is);
            }
            Op::Slot { slot, .. } => {
                let name = &self.function().name;
                return Err(BackendError(format!("kernel `{name}` reads user constant {slot}, which was not given")));
            }
            Op::Tid { dim, result } => self.set(*result, self.tids[*dim as usize]),
            Op::Extent { array, dim, result } => {
                let word = self.words.arrays[array.0 as usize].extents + *dim as usize;
                self.set(*result, self.argument(word));
            }
            Op::Stride { array, dim, result } => {
                let is = match self.words.arrays[array.0 as usize].strides {
                    Some(strides) => self.argument(strides + *dim as usize),
                    None => self.packed_stride(*array, *dim),
                };
                self.set(*result, is);
            }
            Op::Pure { builtin, args, result } => {
                let args: Vec<_> = args.iter().map(|arg| (self.get(*arg), self.scalar(*arg))).collect();
                let is = self.pure(*builtin, &args, self.scalar(*result))?;
                self.set(*result, is);
            }
            Op::Table { table, index, result } => self.table(*table, *index, *result),
            Op::Load { mem, index, leaf, result } => {
                let is = self.load(*mem, *index, *leaf, self.motion.is_free(*result));
                self.set(*result, is);
            }
            Op::Store { mem, index, leaf, value } => self.store(*mem, *index, *leaf, *value),
            Op::Fill { local, leaf, value } => self.fill(*local, *leaf, *value),
            Op::Atomic { kind, mem, index, leaf, value, compare, result } => {
                let place = self.place(*mem, *index, *leaf);
                self.atomic(*kind, place, *value, *compare, *result)?;
            }
            Op::Check { cond, kind, operands, source } => self.check(*cond, kind, operands, *source)?,
            Op::Print { site, args } => self.print(*site, args)?,
            Op::Call { callee, .. } => {
                let name = &self.function().callees[callee.0 as usize].name;
                return Err(BackendError(format!(
                    "kernel `{}` is not linked: it calls `{name}`",
                    self.function().name
                )));
            }
            Op::If { cond, then, otherwise, results } => self.branch(*cond, then, otherwise, results)?,
            Op::Loop { inits, cond, body, results } => self.repeat(inits, cond, body, results)?,
            Op::Custom { .. } => return Err(BackendError("a derivative is left, which no backend runs".into())),
        }
        Ok(())
    }

    pub(super) fn argument(&self, word: usize) -> clif::Value {
        self.arguments[word].expect("the survey has seen this use")
    }

    /// A failed check reports and leaves the compiled function; the runtime comes back with the next thread. So
    /// nothing is live across the call, and the loop keeps its registers.
    fn check(
        &mut self,
        cond: Value,
        kind: &CheckKind,
        operands: &[Value],
        source: SourceId,
    ) -> Result<(), BackendError> {
        let cond = self.get(cond);
        if self.constant_bits(cond) == Some(1) {
            return Ok(());
        }
        let site = self.sites.len() as i64;
        self.sites.push(CheckSite {
            kind: self.in_the_program(kind),
            source: self.function().sources[source.0 as usize].clone(),
            operands: operands.iter().map(|value| self.scalar(*value)).collect(),
        });
        let [passed, failed] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.set_cold_block(failed);
        self.builder.ins().brif(cond, passed, &[], failed, &[]);
        self.builder.switch_to_block(failed);
        let operands = self.report_words(operands);
        let site = self.builder.ins().iconst(types::I64, site);
        let thread = self.thread_number();
        let next = if matches!(kind, CheckKind::Assert { .. }) && planted::is(Bug::CpuIgnoresFault) {
            self.builder.ins().iadd_imm_u(thread, 1)
        } else {
            self.call(runtime::FAULT, &[self.context(), site, thread, operands], types::I64)?
        };
        self.builder.ins().return_(&[next]);
        self.builder.switch_to_block(passed);
        Ok(())
    }

    /// The kind with the local array's number in the program's kernel, which its name tells.
    fn in_the_program(&self, kind: &CheckKind) -> CheckKind {
        let mut kind = kind.clone();
        if let CheckKind::Index { mem: Mem::Local(local), .. } | CheckKind::SliceRange { mem: Mem::Local(local) } =
            &mut kind
        {
            let name = &self.function().locals[local.0 as usize].name;
            local.0 = name.parse().unwrap_or(local.0);
        }
        kind
    }

    fn print(&mut self, site: PrintId, args: &[Value]) -> Result<(), BackendError> {
        let words = self.report_words(args);
        let site = self.builder.ins().iconst(types::I64, i64::from(site.0));
        let thread = self.thread_number();
        let count = self.builder.ins().iconst(types::I64, args.len() as i64);
        let function = self.runtime(runtime::PRINT, &[types::I64; 5], None)?;
        let context = self.context();
        self.builder.ins().call(function, &[context, site, thread, words, count]);
        Ok(())
    }

    /// Writes values to the report slot and gives its address.
    fn report_words(&mut self, values: &[Value]) -> clif::Value {
        let Some(slot) = self.report.filter(|_| !values.is_empty()) else {
            return self.builder.ins().iconst(types::I64, 0);
        };
        let address = self.builder.ins().stack_addr(types::I64, slot, 0);
        let flags = MemFlagsData::new().with_notrap().with_aligned();
        for (number, value) in values.iter().enumerate() {
            let word = self.word(*value);
            self.builder.ins().store(flags, word, address, 8 * number as i32);
        }
        address
    }
}
