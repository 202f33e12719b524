//! Builtins, by the PTX column of their rows: an instruction, an expansion over other builtins, or several instructions
//! that are chosen here and beside.

use super::emitter::{Emitted, Emitter, Operand, Val};
use super::text::{Class, Reg};
use crate::builtins::{Builtin, Expression, Graph, Node, Ptx, Step};
use crate::ir::{Scalar, Value};
use crate::planted::{self, Bug};

impl Emitter<'_, '_> {
    /// A pure op.
    pub(super) fn pure(&mut self, builtin: Builtin, args: &[Value], result: Value) -> Emitted {
        if self.join(builtin, args, result) {
            return Ok(());
        }
        let operands: Vec<Operand> = args.iter().map(|&arg| self.operand(arg)).collect();
        let val = self.compute(builtin, &operands, self.scalar(result), Some(result))?;
        self.set(result, val);
        Ok(())
    }

    /// A builtin of operands, in the register of `value` where there is one.
    pub(super) fn compute(
        &mut self,
        builtin: Builtin,
        operands: &[Operand],
        result: Scalar,
        value: Option<Value>,
    ) -> Emitted<Val> {
        if let Some(bits) = folded(builtin, operands, result) {
            return Ok(self.constant(value, result, bits));
        }
        let scalars: Vec<Scalar> = operands.iter().map(|operand| operand.1).collect();
        let row = builtin.row();
        if self.kernel.attributes.fast_math
            && let Some(form) = row.fast(result)
        {
            return self.form(builtin, form, operands, result, value);
        }
        let form = row.ptx(&scalars, result).ok_or_else(|| {
            let name = builtin.name();
            format!("`{name}` has no form for operands {scalars:?} in PTX")
        })?;
        self.form(builtin, form, operands, result, value)
    }

    fn form(
        &mut self,
        builtin: Builtin,
        form: Ptx,
        operands: &[Operand],
        result: Scalar,
        value: Option<Value>,
    ) -> Emitted<Val> {
        match form {
            Ptx::Text(text) => self.instruction(builtin, text, operands, result, value),
            Ptx::Expand(expand) => {
                let scalars: Vec<Scalar> = operands.iter().map(|operand| operand.1).collect();
                self.expression(&Graph::expand(&scalars, result, expand), operands, value)
            }
            Ptx::Emitter => self.several(builtin, operands, result, value),
        }
    }

    /// A constant in the place of a result; a register only where one is wanted.
    fn constant(&mut self, value: Option<Value>, scalar: Scalar, bits: u64) -> Val {
        match value {
            Some(value) => self.alias(value, &(Val::Bits(bits), scalar)),
            None => Val::Bits(bits),
        }
    }

    /// An instruction of a row.
    fn instruction(
        &mut self,
        builtin: Builtin,
        text: &str,
        operands: &[Operand],
        result: Scalar,
        value: Option<Value>,
    ) -> Emitted<Val> {
        let row = builtin.row();
        let scalar = operands[row.deciding()].1;
        let short = value.is_some_and(|value| self.ranges.is_short(value)) || result == Scalar::Bool;
        let half = value.is_some_and(|value| self.ranges.is_half(value));
        let halves = scalar == Scalar::U64 && (half || short && operands.iter().all(fits_in_half));
        // Of 64 bits that fit in 32 the lower half is computed, where the operands are such, too, or where that is enough.
        let (scalar, texts): (Scalar, Vec<String>) = match halves {
            true => (Scalar::U32, operands.iter().map(|operand| self.low(operand)).collect()),
            false => (scalar, operands.iter().map(|operand| self.text(operand)).collect()),
        };
        let is = self.result(value, result, row.name);
        let (Val::Reg(reg) | Val::Short(reg) | Val::Pred(reg, _)) = &is else { return Ok(is) };
        let cut = matches!(is, Val::Short(_)) && !halves && scalar == Scalar::U64;
        let to = if cut { self.fresh(Class::B64, row.name) } else { reg.clone() };
        let (typed, bits, into) = (suffix(scalar), untyped(scalar), suffix(result));
        let fill = |slot: &str| match slot {
            "r" => Some(&*to),
            "t" => Some(typed),
            "bits" => Some(bits),
            "to" => Some(into),
            name => row.params.iter().position(|p| p.name == name).map(|k| texts[k].as_str()),
        };
        let line =
            Ptx::render(text, fill).ok_or_else(|| format!("the PTX form of `{}` has an unknown slot", row.name))?;
        self.ins(line);
        if cut {
            self.ins(format!("cvt.u32.u64 {reg}, {to};"));
        }
        if !keeps_extension(builtin) {
            self.extend(result, &reg.clone());
        }
        Ok(is)
    }

    /// Brings a result of 8 or 16 bits back into its range.
    pub(super) fn extend(&mut self, scalar: Scalar, reg: &Reg) {
        match scalar {
            _ if planted::is(Bug::PtxLeavesOverflow) => {}
            Scalar::I8 => self.ins(format!("cvt.s32.s8 {reg}, {reg};")),
            Scalar::I16 => self.ins(format!("cvt.s32.s16 {reg}, {reg};")),
            Scalar::U8 => self.ins(format!("and.b32 {reg}, {reg}, 255;")),
            Scalar::U16 | Scalar::F16 | Scalar::BF16 => self.ins(format!("and.b32 {reg}, {reg}, 65535;")),
            _ => {}
        }
    }

    /// The one output of an expression.
    pub(super) fn expression(
        &mut self,
        expression: &Expression,
        args: &[Operand],
        value: Option<Value>,
    ) -> Emitted<Val> {
        let mut values: Vec<Option<Val>> = vec![None; expression.nodes.len()];
        let output = expression.outputs.first().copied().flatten().ok_or("an expansion has no output")?;
        self.steps(expression, &expression.steps(), args, &mut values, (output, value))?;
        let is = values[output].clone().ok_or("an expansion has no output")?;
        Ok(match value {
            Some(value) if self.values[value.0 as usize].as_ref() != Some(&is) => {
                self.alias(value, &(is, expression.nodes[output].1))
            }
            _ => is,
        })
    }

    /// The nodes of an expression in their order. What is seldom needed lies out of the way.
    fn steps(
        &mut self,
        expression: &Expression,
        steps: &[Step],
        args: &[Operand],
        values: &mut [Option<Val>],
        (output, value): (usize, Option<Value>),
    ) -> Emitted {
        let early = || "an expansion reads a value before its definition".to_owned();
        for step in steps {
            let (Step::Node(at) | Step::Seldom(at, _)) = step;
            let (node, scalar) = &expression.nodes[*at];
            let wanted = value.filter(|_| *at == output);
            let operands = node.operands().iter().map(|&o| Some((values[o].clone()?, expression.nodes[o].1)));
            let operands: Option<Vec<Operand>> = operands.collect();
            values[*at] = Some(match (step, node) {
                (Step::Seldom(_, seldom), _) => {
                    let [cond, taken, other] = *node.operands() else {
                        return Err("only a select has an operand that is seldom needed".into());
                    };
                    let cond = values[cond].clone().ok_or_else(early)?;
                    let other = (values[other].clone().ok_or_else(early)?, *scalar);
                    self.seldom(&cond, other, *scalar, wanted, |e| {
                        e.steps(expression, seldom, args, values, (output, None))?;
                        Ok((values[taken].clone().ok_or_else(early)?, *scalar))
                    })?
                }
                (_, Node::Input(input)) => args[*input].0.clone(),
                (_, Node::Literal(bits)) => Val::Bits(*bits),
                (_, Node::Op(builtin, _)) => self.compute(*builtin, &operands.ok_or_else(early)?, *scalar, wanted)?,
                (_, Node::Table(table, _)) => {
                    let index = operands.ok_or_else(early)?.remove(0);
                    self.look_up(table, &index)
                }
            });
        }
        Ok(())
    }

    /// A value that is `other`, but for the seldom case that a condition holds.
    fn seldom(
        &mut self,
        cond: &Val,
        other: Operand,
        scalar: Scalar,
        value: Option<Value>,
        rare: impl FnOnce(&mut Self) -> Emitted<Operand>,
    ) -> Emitted<Val> {
        let is = self.result(value, scalar, "usual");
        let (seldom, back) = (self.fresh_label("seldom"), self.fresh_label("usual"));
        self.assign(&is, &other);
        self.branch_if(cond, true, &seldom);
        self.place(&back);
        let to = is.clone();
        self.out_of_line(|e| {
            e.place(&seldom);
            let taken = rare(e)?;
            e.assign(&to, &taken);
            e.ins(format!("bra.uni {back};"));
            Ok(())
        })?;
        Ok(is)
    }

    /// `cond ? a : b` as a value.
    pub(super) fn select(&mut self, result: Value, operands: &[Operand]) -> Emitted {
        let scalar = self.scalar(result);
        let val = self.several(Builtin::Select, operands, scalar, Some(result))?;
        self.set(result, val);
        Ok(())
    }

    /// Builtins that are more than one instruction, or one that depends on more than types.
    fn several(
        &mut self,
        builtin: Builtin,
        operands: &[Operand],
        result: Scalar,
        value: Option<Value>,
    ) -> Emitted<Val> {
        match builtin {
            Builtin::Cast => self.cast(&operands[0], result, value),
            Builtin::Bitcast => Ok(self.bitcast(&operands[0], result, value)),
            Builtin::Select if result == Scalar::Bool => Ok(self.select_truth(operands, value)),
            Builtin::Select => Ok(self.select_value(operands, result, value)),
            Builtin::Rem => self.remainder(operands, result, value),
            Builtin::Shl | Builtin::Shr => Ok(self.shift(builtin, operands, result, value)),
            Builtin::CountOnes | Builtin::LeadingZeros => Ok(self.count_bits(builtin, &operands[0], value)),
            Builtin::ReverseBits | Builtin::SwapBytes => self.reverse(builtin, &operands[0], value),
            Builtin::And
            | Builtin::Or
            | Builtin::Xor
            | Builtin::Not
            | Builtin::Eq
            | Builtin::Ne
            | Builtin::Lt
            | Builtin::Le => Ok(self.logic(builtin, operands, value)),
            _ => Err(format!("`{}` has no form of several instructions in PTX", builtin.name())),
        }
    }

    fn select_value(&mut self, operands: &[Operand], result: Scalar, value: Option<Value>) -> Val {
        let (reg, negated) = match &operands[0].0 {
            Val::Bits(bits) => {
                let taken = &operands[if bits & 1 == 1 { 1 } else { 2 }];
                return match value {
                    Some(value) => self.alias(value, taken),
                    None => taken.0.clone(),
                };
            }
            Val::Pred(reg, negated) => (reg.clone(), *negated),
            Val::Reg(reg) | Val::Short(reg) => (reg.clone(), false),
        };
        let (yes, no) = if negated { (&operands[2], &operands[1]) } else { (&operands[1], &operands[2]) };
        let short = value.is_some_and(|value| self.ranges.is_short(value));
        let (yes, no) = if short { (self.low(yes), self.low(no)) } else { (self.text(yes), self.text(no)) };
        let is = self.result(value, result, "select");
        let (Val::Reg(to) | Val::Short(to) | Val::Pred(to, _)) = &is else { return is };
        let class = if short { Class::B32 } else { Class::of(result) };
        self.ins(format!("selp.{} {to}, {yes}, {no}, {reg};", class.name()));
        is
    }
}

/// The bits of a builtin of constants, where it is defined for them.
fn folded(builtin: Builtin, operands: &[Operand], result: Scalar) -> Option<u64> {
    let bits = |operand: &Operand| match operand.0 {
        Val::Bits(bits) => Some(bits),
        _ => None,
    };
    let all: Option<Vec<u64>> = operands.iter().map(bits).collect();
    let scalars: Vec<Scalar> = operands.iter().map(|operand| operand.1).collect();
    builtin.eval(&scalars, result, &all?)
}

/// Whether an operand of 64 bits is known to fit in 32.
fn fits_in_half(operand: &Operand) -> bool {
    match operand.0 {
        Val::Bits(bits) => bits <= u64::from(u32::MAX),
        Val::Short(_) => true,
        _ => false,
    }
}

/// Whether small integers in 32 bits give a result that is extended as they are.
fn keeps_extension(builtin: Builtin) -> bool {
    use Builtin::*;
    matches!(builtin, And | Or | Xor | Min | Max | Div | Rem | Select)
}

/// The type of instructions on a scalar: small integers are computed in 32 bits.
pub(super) fn suffix(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 | Scalar::I16 => "s32",
        Scalar::U8 | Scalar::U16 => "u32",
        other => Ptx::typed(other),
    }
}

/// The same without a sign.
pub(super) fn untyped(scalar: Scalar) -> &'static str {
    match scalar {
        s if s != Scalar::Bool && s.size() < 4 => "b32",
        other => Ptx::untyped(other),
    }
}
