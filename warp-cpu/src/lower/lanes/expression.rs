//! Builtins in lanes: by instructions on vectors where there are such, by the row's expansion, or lane by lane.

use cranelift_codegen::ir::{self as clif, InstBuilder};
use warp_core::backend::BackendError;
use warp_ir::builtins::{Builtin, Expression, Form, Graph, Node, Step};
use warp_ir::ir::Scalar;

use super::wide::{Wide, canonical_types};
use super::{Lanes, Stop};

/// A value in the lanes, and its type.
pub(super) type Operand = (Wide, Scalar);

impl Lanes<'_, '_> {
    /// A pure builtin.
    pub(super) fn pure(&mut self, builtin: Builtin, args: &[Operand], result: Scalar) -> Result<Wide, Stop> {
        let same: Option<Vec<(clif::Value, Scalar)>> = args
            .iter()
            .map(|(wide, scalar)| match wide {
                Wide::Same(is) => Some((*is, *scalar)),
                _ => None,
            })
            .collect();
        if let (Builtin::Not, Some([(is, Scalar::Bool)])) = (builtin, same.as_deref())
            && let Some(bits) = self.one.constant_bits(*is)
        {
            return Ok(Wide::Same(self.one.truth(bits == 0)));
        }
        if let Some(same) = same {
            return Ok(Wide::Same(self.one.pure(builtin, &same, result)?));
        }
        if let Some(is) = self.special(builtin, args, result) {
            return Ok(is);
        }
        let scalars: Vec<Scalar> = args.iter().map(|arg| arg.1).collect();
        match builtin.row().clif(&scalars, result) {
            Some(Form::Inst(instruction)) => {
                if let Some(is) = self.instruction(instruction, args, result) {
                    self.note_negative(builtin, &args[0].0, &is);
                    return Ok(is);
                }
            }
            Some(Form::Expand(expand)) => {
                let expression = Graph::expand(&scalars, result, expand);
                return self.expression(&expression, args);
            }
            Some(Form::Helper) | None => {}
        }
        self.one_by_one(builtin, args, result)
    }

    /// Lane by lane.
    fn one_by_one(&mut self, builtin: Builtin, args: &[Operand], result: Scalar) -> Result<Wide, Stop> {
        let columns: Vec<_> = args.iter().map(|(wide, scalar)| self.scalars(*scalar, wide)).collect();
        let mut lanes = columns[0];
        for (lane, is) in lanes.iter_mut().enumerate() {
            let args: Vec<_> = columns.iter().zip(args).map(|(column, arg)| (column[lane], arg.1)).collect();
            *is = self.one.pure(builtin, &args, result)?;
        }
        Ok(Wide::Scalars(lanes))
    }

    fn expression(&mut self, expression: &Expression, args: &[Operand]) -> Result<Wide, Stop> {
        let mut values: Vec<Option<Wide>> = vec![None; expression.nodes.len()];
        self.steps(expression, &expression.steps(), args, &mut values)?;
        let output = expression.outputs.first().copied().flatten();
        let output = output.and_then(|at| values[at].take());
        output.ok_or_else(|| Stop::Failed(BackendError("an expansion has no output".into())))
    }

    fn steps(
        &mut self,
        expression: &Expression,
        steps: &[Step],
        args: &[Operand],
        values: &mut [Option<Wide>],
    ) -> Result<(), Stop> {
        for step in steps {
            let (Step::Node(at) | Step::Seldom(at, _)) = step;
            let (node, scalar) = &expression.nodes[*at];
            let operand = |values: &[Option<Wide>], o: usize| -> Result<Operand, Stop> {
                values[o].clone().map(|wide| (wide, expression.nodes[o].1)).ok_or_else(early)
            };
            let is = match (step, node) {
                (Step::Seldom(_, seldom), _) => self.seldom(expression, *at, seldom, args, values)?,
                (_, Node::Input(input)) => args[*input].0.clone(),
                (_, Node::Literal(bits)) => Wide::Same(self.one.constant(*scalar, *bits)),
                (_, Node::Op(builtin, operands)) => {
                    let operands: Vec<Operand> =
                        operands.iter().map(|&o| operand(values, o)).collect::<Result<_, Stop>>()?;
                    self.pure(*builtin, &operands, *scalar)?
                }
                (_, Node::Table(table, index)) => match operand(values, *index)?.0 {
                    Wide::Same(index) => Wide::Same(self.one.look_up(table, index)),
                    index => {
                        let lanes = self.scalars(Scalar::U64, &index);
                        Wide::Scalars(lanes.map(|index| self.one.look_up(table, index)))
                    }
                },
            };
            values[*at] = Some(is);
        }
        Ok(())
    }

    /// A choice whose first value is seldom needed: it is computed only if a lane needs it.
    fn seldom(
        &mut self,
        expression: &Expression,
        at: usize,
        steps: &[Step],
        args: &[Operand],
        values: &mut [Option<Wide>],
    ) -> Result<Wide, Stop> {
        let (node, scalar) = &expression.nodes[at];
        let [cond, taken, other] = *node.operands() else {
            let what = "only a select has an operand that is seldom needed";
            return Err(Stop::Failed(BackendError(what.into())));
        };
        let (Some(cond), Some(other)) = (values[cond].clone(), values[other].clone()) else { return Err(early()) };
        let [rare, after] = std::array::from_fn(|_| self.one.builder.create_block());
        self.one.builder.set_cold_block(rare);
        for ty in canonical_types(*scalar) {
            self.one.builder.append_block_param(after, ty);
        }
        let usual: Vec<clif::BlockArg> = self.canonical(*scalar, &other).into_iter().map(Into::into).collect();
        let none = self.none_of_group(&cond);
        self.one.builder.ins().brif(none, after, &usual, rare, &[]);
        self.one.builder.switch_to_block(rare);
        let outer = std::mem::replace(&mut self.one.seldom, true);
        self.steps(expression, steps, args, values)?;
        self.one.seldom = outer;
        let taken = values[taken].clone().ok_or_else(early)?;
        let chosen = self.select(&cond, &taken, &other, *scalar)?;
        let chosen: Vec<clif::BlockArg> = self.canonical(*scalar, &chosen).into_iter().map(Into::into).collect();
        self.one.builder.ins().jump(after, &chosen);
        self.one.builder.switch_to_block(after);
        let params = self.one.builder.block_params(after).to_vec();
        Ok(self.of_canonical(&params))
    }

    /// `cond ? a : b`.
    pub(super) fn select(&mut self, cond: &Wide, a: &Wide, b: &Wide, scalar: Scalar) -> Result<Wide, Stop> {
        let args = [(cond.clone(), Scalar::Bool), (a.clone(), scalar), (b.clone(), scalar)];
        self.pure(Builtin::Select, &args, scalar)
    }
}

/// A node before one that it reads.
fn early() -> Stop {
    Stop::Failed(BackendError("an expansion reads a value before its definition".into()))
}
