//! Guards of gradients are tested together.
//!
//! A guard is `select(dr == 0 && x != x, 0, x)`: where no adjoint comes in, what is not a number counts as zero. Gradients
//! are full of them, and hardly ever does one find a NaN. So a stretch of them is computed as if none did; a NaN lives on
//! in what is made of it, so that tests of a few numbers at the end tell whether one did. If so, the stretch is computed
//! again out of the way, guard by guard.

use std::collections::{HashMap, HashSet};

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{self as clif, InstBuilder};
use warp_core::backend::BackendError;
use warp_ir::builtins::{Builtin, Form};
use warp_ir::ir::{Op, Value};
use warp_ir::planted::{self, Bug};

use super::Lowering;

/// Ops of one stretch, at most: they are compiled twice.
const LONGEST: usize = 128;

/// Ops in a row that compute, with guards among them, as far as the last one.
struct Stretch<'o> {
    ops: &'o [Op],
    /// Which op gives each value.
    made_by: HashMap<Value, &'o Op>,
    /// What the guards test.
    tested: HashSet<Value>,
}

impl Lowering<'_, '_> {
    /// Lowers a stretch that starts with the first of the ops, if there is one. `done` says of each op whether it has
    /// been lowered.
    pub(super) fn guards(&mut self, ops: &[Op], done: &mut [bool]) -> Result<(), BackendError> {
        if self.seldom || !matches!(ops[0], Op::Pure { builtin: Builtin::Eq | Builtin::Ne, .. }) {
            return Ok(());
        }
        let Some(stretch) = self.stretch(ops, done) else { return Ok(()) };
        let before = done[..stretch.ops.len()].to_vec();
        self.without_guards(&stretch, done)?;
        let conditions = self.conditions(&stretch);
        let live: Vec<Value> = stretch.live(&self.survey.uses, &before);
        let [rare, after] = std::array::from_fn(|_| self.builder.create_block());
        self.builder.set_cold_block(rare);
        let plain: Vec<clif::Value> = live.iter().map(|&value| self.get(value)).collect();
        self.unless_any_of(&conditions, rare, plain, after);
        self.builder.switch_to_block(rare);
        let outer = std::mem::replace(&mut self.seldom, true);
        for (op, _) in stretch.ops.iter().zip(&before).filter(|(_, before)| !**before) {
            self.op(op)?;
        }
        self.seldom = outer;
        let guarded: Vec<clif::BlockArg> = live.iter().map(|&value| self.get(value).into()).collect();
        self.builder.ins().jump(after, &guarded);
        self.builder.switch_to_block(after);
        let params = self.builder.block_params(after).to_vec();
        live.iter().zip(params).for_each(|(&value, param)| self.set(value, param));
        Ok(())
    }

    /// The stretch that starts here, if there are guards enough. A guard that has been lowered before keeps no NaN, and so
    /// tells of none.
    fn stretch<'o>(&self, ops: &'o [Op], done: &[bool]) -> Option<Stretch<'o>> {
        let (mut made_by, mut tested, mut end) = (HashMap::new(), HashSet::new(), 0);
        for (at, op) in ops.iter().enumerate().take(LONGEST) {
            match op {
                Op::Const { .. } => {}
                Op::Pure { .. } if done[at] => continue,
                Op::Pure { result, .. } if self.is_plain(op) => drop(made_by.insert(*result, op)),
                _ => break,
            }
            if let Some(number) = guard(op, &made_by) {
                tested.insert(number);
                end = at + 1;
            }
        }
        (tested.len() > 1).then_some(Stretch { ops: &ops[..end], made_by, tested })
    }

    /// Whether an op is an instruction, so that there is no harm in a second one.
    fn is_plain(&self, op: &Op) -> bool {
        let Op::Pure { builtin, args, result } = op else { return false };
        let scalars: Vec<_> = args.iter().map(|&arg| self.scalar(arg)).collect();
        matches!(builtin.row().clif(&scalars, self.scalar(*result)), Some(Form::Inst(_)))
    }

    fn without_guards(&mut self, stretch: &Stretch<'_>, done: &mut [bool]) -> Result<(), BackendError> {
        for (at, op) in stretch.ops.iter().enumerate() {
            if !done[at] {
                self.divisions(&stretch.ops[at..], &mut done[at..stretch.ops.len()])?;
            }
            if std::mem::replace(&mut done[at], true) {
                continue;
            }
            match op {
                Op::Pure { result, .. } => match guard(op, &stretch.made_by) {
                    Some(number) => {
                        let number = self.get(number);
                        self.set(*result, number);
                    }
                    None => self.op(op)?,
                },
                _ => self.op(op)?,
            }
        }
        Ok(())
    }

    /// Comparisons of which one holds if a guard has met a NaN. One tells of two numbers.
    fn conditions(&mut self, stretch: &Stretch<'_>) -> Vec<clif::Value> {
        let mut tests: Vec<clif::Value> = stretch.tests().into_iter().map(|value| self.get(value)).collect();
        if planted::is(Bug::CpuTestsFirstGuard) {
            tests.truncate(1);
        }
        tests.sort_by_key(|&test| self.value_type(test).bits());
        let chunks: Vec<Vec<clif::Value>> = tests
            .chunk_by(|&a, &b| self.value_type(a) == self.value_type(b))
            .flat_map(|same| same.chunks(2).map(<[_]>::to_vec))
            .collect();
        let compare =
            |pair: Vec<clif::Value>| self.builder.ins().fcmp(FloatCC::Unordered, pair[0], pair[pair.len() - 1]);
        chunks.into_iter().map(compare).collect()
    }
}

impl Stretch<'_> {
    /// What is used outside, of what was not lowered before.
    fn live(&self, uses: &[u32], before: &[bool]) -> Vec<Value> {
        let mut left: HashMap<Value, u32> = HashMap::new();
        for operand in self.ops.iter().flat_map(|op| op.shape().operands) {
            *left.entry(operand).or_default() += 1;
        }
        let fresh = self.ops.iter().zip(before).filter(|(_, before)| !**before);
        fresh
            .filter_map(|(op, _)| op.shape().results.first().copied())
            .filter(|result| uses[result.0 as usize] > left.get(result).copied().unwrap_or(0))
            .collect()
    }

    /// Numbers of which one is NaN if one of the tested ones is: the last that are made of these.
    fn tests(&self) -> Vec<Value> {
        let (mut left, mut tests) = (self.tested.clone(), vec![]);
        for op in self.ops.iter().rev() {
            let Op::Pure { result, .. } = op else { continue };
            if left.is_empty() {
                break;
            }
            let mut parts = HashSet::new();
            self.add_parts(*result, &mut parts);
            let before = left.len();
            left.retain(|tested| !parts.contains(tested));
            if left.len() < before {
                tests.push(*result);
            }
        }
        tests
    }

    /// Adds a number and what it is made of by operations that make NaN of NaN.
    fn add_parts(&self, value: Value, parts: &mut HashSet<Value>) {
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            if !parts.insert(value) {
                continue;
            }
            let Some(op @ Op::Pure { builtin, args, .. }) = self.made_by.get(&value) else { continue };
            use Builtin::*;
            match (guard(op, &self.made_by), builtin) {
                (Some(number), _) => waiting.push(number),
                (None, Add | Sub | Mul | Div | Neg | Fma | Sqrt) => waiting.extend(args),
                _ => {}
            }
        }
    }
}

/// What an op guards, if it is a guard.
fn guard(op: &Op, made_by: &HashMap<Value, &Op>) -> Option<Value> {
    let Op::Pure { builtin: Builtin::Select, args, .. } = op else { return None };
    let Op::Pure { builtin: Builtin::And, args: parts, .. } = made_by.get(&args[0])? else { return None };
    let is_tested = |part: &&Value| match made_by.get(part) {
        Some(Op::Pure { builtin: Builtin::Ne, args: compared, .. }) => compared[..] == [args[2]; 2],
        _ => false,
    };
    parts.iter().find(is_tested).map(|_| args[2])
}
