//! Builtins, by the Cranelift column of their rows: an instruction, an expansion over other builtins, or a function of
//! the runtime. A few have a form here that is faster and gives the same bits.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, InstBuilder, MemFlagsData, types};
use warp_core::backend::BackendError;
use warp_ir::builtins::{Builtin, Clif, Expression, Form, Graph, Node, Step, Table};
use warp_ir::ir::Scalar;
use warp_ir::planted::{self, Bug};

use super::{Definition, Lowering, clif_type};
use crate::runtime;

/// An operand: its value and type.
pub(super) type Operand = (clif::Value, Scalar);

impl Lowering<'_, '_> {
    /// A pure builtin.
    pub(super) fn pure(
        &mut self,
        builtin: Builtin,
        args: &[Operand],
        result: Scalar,
    ) -> Result<clif::Value, BackendError> {
        if let Some(is) = self.faster(builtin, args) {
            return Ok(is);
        }
        let scalars: Vec<Scalar> = args.iter().map(|arg| arg.1).collect();
        match builtin.row().clif(&scalars, result) {
            Some(Form::Inst(instruction)) => self.instruction(instruction, args, result),
            Some(Form::Expand(expand)) => self.expression(&Graph::expand(&scalars, result, expand), args),
            Some(Form::Helper) => self.helper(builtin, args),
            None => Err(no_form(builtin, &scalars)),
        }
    }

    /// The one output of an expression.
    fn expression(&mut self, expression: &Expression, args: &[Operand]) -> Result<clif::Value, BackendError> {
        let mut values: Vec<Option<clif::Value>> = vec![None; expression.nodes.len()];
        self.steps(expression, &expression.steps(), args, &mut values)?;
        let output = expression.outputs.first().copied().flatten();
        output.and_then(|at| values[at]).ok_or_else(|| BackendError("an expansion has no output".into()))
    }

    /// The nodes of an expression in their order. What is seldom needed lies in a block of its own, out of the way.
    fn steps(
        &mut self,
        expression: &Expression,
        steps: &[Step],
        args: &[Operand],
        values: &mut [Option<clif::Value>],
    ) -> Result<(), BackendError> {
        for step in steps {
            let (Step::Node(at) | Step::Seldom(at, _)) = step;
            let (node, scalar) = &expression.nodes[*at];
            let operands = node.operands().iter().map(|&o| Some((values[o]?, expression.nodes[o].1)));
            values[*at] = Some(match (step, node) {
                (Step::Seldom(_, seldom), _) => {
                    let [cond, taken, other] = *node.operands() else {
                        return Err(BackendError("only a select has an operand that is seldom needed".into()));
                    };
                    let conditions = alternatives(expression, cond, values);
                    let (Some(conditions), Some(other)) = (conditions, values[other]) else { return Err(early()) };
                    let [rare, after] = std::array::from_fn(|_| self.builder.create_block());
                    self.builder.set_cold_block(rare);
                    self.unless_any_of(&conditions, rare, vec![other], after);
                    self.builder.switch_to_block(rare);
                    let outer = std::mem::replace(&mut self.seldom, true);
                    self.steps(expression, seldom, args, values)?;
                    self.seldom = outer;
                    self.builder.ins().jump(after, &[values[taken].ok_or_else(early)?.into()]);
                    self.builder.switch_to_block(after);
                    self.builder.block_params(after)[0]
                }
                (_, Node::Input(input)) => args[*input].0,
                (_, Node::Literal(bits)) => self.constant(*scalar, *bits),
                (_, Node::Op(builtin, _)) => {
                    let operands: Vec<Operand> = operands.collect::<Option<_>>().ok_or_else(early)?;
                    self.pure(*builtin, &operands, *scalar)?
                }
                (_, Node::Table(table, index)) => {
                    let index = values[*index].ok_or_else(early)?;
                    self.look_up(table, index)
                }
            });
        }
        Ok(())
    }

    /// Goes to `rare` where one of the conditions holds, else with values to `after`, which gets parameters for them. They
    /// are handed from branch to branch, so that all of their computation stays before the first.
    pub(super) fn unless_any_of(
        &mut self,
        conditions: &[clif::Value],
        rare: clif::Block,
        mut values: Vec<clif::Value>,
        after: clif::Block,
    ) {
        for (k, cond) in conditions.iter().enumerate() {
            let last = k + 1 == conditions.len();
            let next = if last { after } else { self.builder.create_block() };
            let args: Vec<clif::BlockArg> = values.iter().map(|&value| value.into()).collect();
            for value in &mut values {
                let ty = self.value_type(*value);
                *value = self.builder.append_block_param(next, ty);
            }
            self.builder.ins().brif(*cond, rare, &[], next, &args);
            self.builder.switch_to_block(next);
        }
    }

    /// A word of a table that lies in the program itself, as long as it runs.
    pub(super) fn look_up(&mut self, table: &'static Table, index: clif::Value) -> clif::Value {
        let base = self.builder.ins().iconst(types::I64, table.words.as_ptr() as i64);
        let last = self.builder.ins().iconst(types::I64, table.words.len() as i64 - 1);
        let size = self.builder.ins().iconst(types::I64, 8);
        let index = self.builder.ins().band(index, last);
        let offset = self.builder.ins().imul(index, size);
        let address = self.builder.ins().iadd(base, offset);
        let flags = MemFlagsData::new().with_notrap().with_aligned().with_readonly();
        self.builder.ins().load(types::I64, flags, address, 0)
    }

    /// Forms that are better than the row's.
    fn faster(&mut self, builtin: Builtin, args: &[Operand]) -> Option<clif::Value> {
        match (builtin, args) {
            (Builtin::Select, &[(cond, _), (a, scalar), (b, _)]) if scalar.is_float() => Some(self.choose(cond, a, b)),
            (Builtin::Min, &[(a, scalar), (b, _)]) if scalar.is_float() && planted::is(Bug::CpuMinTakesNan) => {
                Some(self.builder.ins().fmin(a, b))
            }
            (Builtin::Min | Builtin::Max, &[(a, scalar), (b, _)]) if scalar.is_float() => {
                Some(self.extremum(builtin, scalar, a, b))
            }
            (Builtin::Add, &[(a, scalar), (b, _)]) if scalar.is_float() => self.add_negative(a, b),
            (Builtin::Round, &[(a, scalar)]) => Some(self.round(scalar, a)),
            (Builtin::And | Builtin::Or, &[(a, Scalar::Bool), (b, _)]) => {
                Some(self.logic(builtin == Builtin::And, a, b))
            }
            (Builtin::Not, &[(a, Scalar::Bool)]) => self.constant_bits(a).map(|bits| self.truth(bits == 0)),
            _ => None,
        }
    }

    /// A sum with a negative as a difference, which has the same bits: contributions to gradients are often negated.
    fn add_negative(&mut self, a: clif::Value, b: clif::Value) -> Option<clif::Value> {
        let negative = |value| match self.definitions.get(&value) {
            Some(&Definition::Negative(of)) => Some(of),
            _ => None,
        };
        let (from, take) = match (negative(a), negative(b)) {
            (_, Some(of)) => (a, of),
            (Some(of), None) => (b, of),
            (None, None) => return None,
        };
        Some(self.builder.ins().fsub(from, take))
    }

    /// `And` and `Or` of booleans; selects look through them. An operand may be known, as it is in the arms that end a
    /// loop's body.
    fn logic(&mut self, and: bool, a: clif::Value, b: clif::Value) -> clif::Value {
        let (known, other) = match (self.constant_bits(a), self.constant_bits(b)) {
            (Some(bits), _) => (bits == 1, b),
            (_, Some(bits)) => (bits == 1, a),
            _ => {
                let holds = if and { self.builder.ins().band(a, b) } else { self.builder.ins().bor(a, b) };
                let definition = if and { Definition::Both(a, b) } else { Definition::Either(a, b) };
                self.definitions.insert(holds, definition);
                return holds;
            }
        };
        if known == and { other } else { self.truth(known) }
    }

    fn instruction(
        &mut self,
        instruction: Clif,
        args: &[Operand],
        result: Scalar,
    ) -> Result<clif::Value, BackendError> {
        let a = args[0].0;
        Ok(match (instruction, args) {
            (Clif::Convert, _) => self.convert(args[0].1, result, a),
            (Clif::Bitcast, _) => self.reinterpret(result, a),
            (Clif::Select, &[_, (yes, _), (no, _)]) => self.builder.ins().select(a, yes, no),
            (Clif::Fma, &[_, (b, _), (c, _)]) => self.builder.ins().fma(a, b, c),
            (_, [_]) => self.unary(instruction, a),
            (_, &[_, (b, _)]) => self.binary(instruction, a, b),
            _ => {
                let scalars: Vec<Scalar> = args.iter().map(|arg| arg.1).collect();
                return Err(BackendError(format!("{instruction:?} does not take operands {scalars:?}")));
            }
        })
    }

    fn unary(&mut self, instruction: Clif, a: clif::Value) -> clif::Value {
        let ins = self.builder.ins();
        match instruction {
            Clif::Ineg => ins.ineg(a),
            Clif::Iabs => ins.iabs(a),
            Clif::Fneg => {
                let negative = ins.fneg(a);
                self.definitions.insert(negative, Definition::Negative(a));
                negative
            }
            Clif::Fabs => ins.fabs(a),
            Clif::Sqrt => ins.sqrt(a),
            Clif::Floor => ins.floor(a),
            Clif::Ceil => ins.ceil(a),
            Clif::Trunc => ins.trunc(a),
            Clif::Nearest => ins.nearest(a),
            Clif::Bnot => ins.bnot(a),
            Clif::Bitrev => ins.bitrev(a),
            Clif::Bswap => ins.bswap(a),
            Clif::Popcnt | Clif::Clz | Clif::Ctz => {
                let count = match instruction {
                    Clif::Popcnt => ins.popcnt(a),
                    Clif::Clz => ins.clz(a),
                    _ => ins.ctz(a),
                };
                self.u32_of(count)
            }
            Clif::Nothing => a,
            _ => unreachable!("no row gives {instruction:?} one operand"),
        }
    }

    fn binary(&mut self, instruction: Clif, a: clif::Value, b: clif::Value) -> clif::Value {
        let is_small = self.value_type(a).bits() < 64;
        let ins = self.builder.ins();
        match instruction {
            Clif::Iadd => ins.iadd(a, b),
            Clif::Isub => ins.isub(a, b),
            Clif::Imul => ins.imul(a, b),
            Clif::Sdiv => ins.sdiv(a, b),
            Clif::Udiv => ins.udiv(a, b),
            Clif::Srem => ins.srem(a, b),
            Clif::Urem => ins.urem(a, b),
            Clif::Smin => ins.smin(a, b),
            Clif::Umin => ins.umin(a, b),
            Clif::Smax => ins.smax(a, b),
            Clif::Umax => ins.umax(a, b),
            Clif::Fadd => ins.fadd(a, b),
            Clif::Fsub => ins.fsub(a, b),
            Clif::Fmul => ins.fmul(a, b),
            Clif::Fdiv => ins.fdiv(a, b),
            Clif::Fcopysign => ins.fcopysign(a, b),
            Clif::Band => ins.band(a, b),
            Clif::Bor => ins.bor(a, b),
            Clif::Bxor => ins.bxor(a, b),
            Clif::Ishl if planted::is(Bug::CpuForgetsShiftMask) => self.unmasked_shift(a, b),
            Clif::Ishl => ins.ishl(a, b),
            Clif::Sshr if planted::is(Bug::CpuShiftsLogically) => ins.ushr(a, b),
            Clif::Sshr => ins.sshr(a, b),
            Clif::Ushr => ins.ushr(a, b),
            Clif::Rotl => ins.rotl(a, b),
            Clif::Rotr => ins.rotr(a, b),
            Clif::IcmpEq => ins.icmp(IntCC::Equal, a, b),
            Clif::IcmpNe => ins.icmp(IntCC::NotEqual, a, b),
            Clif::IcmpSlt => ins.icmp(IntCC::SignedLessThan, a, b),
            Clif::IcmpUlt if is_small && planted::is(Bug::CpuComparesSigned) => ins.icmp(IntCC::SignedLessThan, a, b),
            Clif::IcmpUle if is_small && planted::is(Bug::CpuComparesSigned) => {
                ins.icmp(IntCC::SignedLessThanOrEqual, a, b)
            }
            Clif::IcmpUlt => ins.icmp(IntCC::UnsignedLessThan, a, b),
            Clif::IcmpSle => ins.icmp(IntCC::SignedLessThanOrEqual, a, b),
            Clif::IcmpUle => ins.icmp(IntCC::UnsignedLessThanOrEqual, a, b),
            Clif::FcmpEq => self.compare(FloatCC::Equal, a, b),
            Clif::FcmpNe => self.compare(FloatCC::NotEqual, a, b),
            Clif::FcmpLt => self.compare(FloatCC::LessThan, a, b),
            Clif::FcmpLe => self.compare(FloatCC::LessThanOrEqual, a, b),
            _ => unreachable!("no row gives {instruction:?} two operands"),
        }
    }

    /// A planted mistake: a shift of a small integer as wide integers shift.
    fn unmasked_shift(&mut self, a: clif::Value, b: clif::Value) -> clif::Value {
        let ty = self.value_type(a);
        if ty.bits() >= 32 {
            return self.builder.ins().ishl(a, b);
        }
        let (a, b) = (self.builder.ins().uextend(types::I32, a), self.builder.ins().uextend(types::I32, b));
        let wide = self.builder.ins().ishl(a, b);
        self.builder.ins().ireduce(ty, wide)
    }

    /// A comparison of floats; selects look through it.
    fn compare(&mut self, condition: FloatCC, a: clif::Value, b: clif::Value) -> clif::Value {
        let holds = self.builder.ins().fcmp(condition, a, b);
        self.definitions.insert(holds, Definition::Compare(condition, a, b));
        holds
    }

    /// Rows without a form in code.
    fn helper(&mut self, builtin: Builtin, args: &[Operand]) -> Result<clif::Value, BackendError> {
        match (builtin, args) {
            (Builtin::Rem, &[(a, Scalar::F32), (b, _)]) => self.call(runtime::REM_F32, &[a, b], types::F32),
            (Builtin::Rem, &[(a, Scalar::F64), (b, _)]) => self.call(runtime::REM_F64, &[a, b], types::F64),
            _ => Err(no_form(builtin, &args.iter().map(|arg| arg.1).collect::<Vec<_>>())),
        }
    }

    /// Nearest, ties away from zero: the largest value below one half is added, with the sign, and the rest cut off.
    fn round(&mut self, scalar: Scalar, a: clif::Value) -> clif::Value {
        let below_half = match scalar {
            Scalar::F32 => u64::from(0.5f32.next_down().to_bits()),
            _ => 0.5f64.next_down().to_bits(),
        };
        let below_half = self.constant(scalar, below_half);
        let shift = self.builder.ins().fcopysign(below_half, a);
        let moved = self.builder.ins().fadd(a, shift);
        self.builder.ins().trunc(moved)
    }

    fn u32_of(&mut self, count: clif::Value) -> clif::Value {
        match self.value_type(count).bits() {
            32 => count,
            64 => self.builder.ins().ireduce(types::I32, count),
            _ => self.builder.ins().uextend(types::I32, count),
        }
    }

    fn reinterpret(&mut self, to: Scalar, a: clif::Value) -> clif::Value {
        let ty = clif_type(to);
        if self.value_type(a) == ty { a } else { self.builder.ins().bitcast(ty, MemFlagsData::new(), a) }
    }
}

/// The conditions of which a condition holds if any does, each for a branch of its own: a comparison and its branch are
/// one instruction, while a truth that is put together takes several. `None` where one has no value yet.
fn alternatives(expression: &Expression, cond: usize, values: &[Option<clif::Value>]) -> Option<Vec<clif::Value>> {
    match &expression.nodes[cond].0 {
        Node::Op(Builtin::Or, operands) => {
            let parts = operands.iter().map(|&operand| alternatives(expression, operand, values));
            parts.collect::<Option<Vec<_>>>().map(|parts| parts.concat())
        }
        _ => values[cond].map(|value| vec![value]),
    }
}

/// A node before one that it reads.
fn early() -> BackendError {
    BackendError("an expansion reads a value before its definition".into())
}

fn no_form(builtin: Builtin, scalars: &[Scalar]) -> BackendError {
    BackendError(format!("`{}` has no form for operands {scalars:?} on this device", builtin.name()))
}
