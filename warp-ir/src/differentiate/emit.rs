//! The adjoint kernel while it grows: names of primal values in it, and the ops that all sweeps write.

use std::collections::BTreeMap;

use super::activity::Activity;
use super::needs::Needs;
use super::place::Place;
use super::record::COUNTS;
use super::share::Shares;
use super::slots::Slots;
use super::sources::Sources;
use super::tree::{OpId, Tree, adjoint_scalar};
use super::undo::Log;
use super::{Options, Refusal, custom, refusal};
use crate::builder::Builder;
use crate::builtins::{Builtin, Expression, Node, Table};
use crate::ir::*;

/// Writes the adjoint kernel.
pub(super) struct Emit<'a, 'k> {
    pub(super) tree: &'a Tree<'k>,
    pub(super) activity: &'a Activity,
    pub(super) needs: &'a Needs,
    pub(super) places: &'a BTreeMap<OpId, Place>,
    pub(super) options: &'a Options,
    pub(super) b: Builder,
    /// The gradient of each array parameter that has one, and whether threads may meet in it.
    pub(super) grads: Vec<Option<(ArrayId, bool)>>,
    /// The adjoint twin of each local array that has one.
    pub(super) twins: Vec<Option<LocalId>>,
    /// What stands for a value of the primal here, and beyond those for the counts of loops.
    names: Vec<Option<Value>>,
    trail: Vec<(usize, Option<Value>)>,
    /// The adjoint so far of each primal value.
    pub(super) adjoints: BTreeMap<Value, Value>,
    /// How many checkpoints each loop has that has any.
    pub(super) shares: Shares,
    /// The checkpoints of each loop that has any.
    pub(super) slots: BTreeMap<OpId, Slots>,
    /// The log of each replayed leaf that is stored in loops.
    pub(super) logs: BTreeMap<(ArrayId, u16), Log>,
    /// The array with what each atomic returned that is asked for it.
    pub(super) returned: BTreeMap<OpId, ArrayId>,
    /// Dimensions of the launch.
    pub(super) rank: u8,
    /// Local arrays that are zero when the kernel starts.
    pub(super) zeroed: Vec<LocalId>,
    tables: Vec<(&'static Table, u32)>,
    sources: Sources,
    /// The place of checks that are the adjoint's own.
    pub(super) source: SourceId,
    /// The first thing that went wrong.
    failure: Option<Refusal>,
}

impl<'a, 'k> Emit<'a, 'k> {
    pub(super) fn new(
        tree: &'a Tree<'k>,
        activity: &'a Activity,
        needs: &'a Needs,
        places: &'a BTreeMap<OpId, Place>,
        options: &'a Options,
        rank: u8,
    ) -> Emit<'a, 'k> {
        let primal = tree.function;
        let mut b = Builder::new(&format!("{} adjoint", primal.name));
        let mut names = vec![None; primal.values.len() + COUNTS * tree.ops.len()];
        for param in &primal.params {
            names[param.value.0 as usize] = Some(b.param(&param.name, primal.scalar(param.value)));
        }
        for (k, array) in primal.arrays.iter().enumerate() {
            let writes = needs.replayed.iter().any(|(id, _)| id.0 as usize == k);
            let access = if writes { Access::Write } else { Access::Read };
            b.array(ArrayParam { access, ..array.clone() });
        }
        for local in &primal.locals {
            b.local(&local.name, &local.leaves, local.len);
        }
        for (scalar, bits) in &primal.tables {
            b.table(*scalar, bits.clone());
        }
        let sources = Sources::new(&mut b, primal);
        if custom::prints(tree) {
            for site in &primal.prints {
                b.print_site(site.clone());
            }
        }
        let source = b.source(primal.sources.first().cloned().unwrap_or_default());
        b.slots(primal.slots);
        Emit {
            tree,
            activity,
            needs,
            places,
            options,
            b,
            grads: vec![None; primal.arrays.len()],
            twins: vec![None; primal.locals.len()],
            names,
            trail: vec![],
            adjoints: BTreeMap::new(),
            shares: BTreeMap::new(),
            slots: BTreeMap::new(),
            logs: BTreeMap::new(),
            returned: BTreeMap::new(),
            rank,
            zeroed: vec![],
            tables: vec![],
            sources,
            source,
            failure: None,
        }
    }

    /// The kernel, with what has to be zero set at its start.
    pub(super) fn finish(mut self) -> Result<Function, Refusal> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.zeroed.sort_unstable();
        self.zeroed.dedup();
        let mut function = self.b.finish(&[]);
        let mut start = vec![];
        for local in self.zeroed {
            for (leaf, scalar) in function.locals[local.0 as usize].leaves.clone().into_iter().enumerate() {
                let value = function.value(scalar);
                start.push(Op::Const { bits: 0, result: value });
                start.push(Op::Fill { local, leaf: leaf as u16, value });
            }
        }
        start.append(&mut function.body.ops);
        function.body.ops = start;
        Ok(function)
    }

    pub(super) fn fail(&mut self, refusal: Refusal) {
        self.failure.get_or_insert(refusal);
    }

    pub(super) fn scalar(&self, value: Value) -> Scalar {
        self.tree.function.scalar(value)
    }

    pub(super) fn op(&self, id: OpId) -> &'k Op {
        self.tree.ops[id].op
    }
}

/// Names.
impl Emit<'_, '_> {
    /// A point to come back to with [`leave`](Emit::leave).
    pub(super) fn enter(&self) -> usize {
        self.trail.len()
    }

    /// Forgets the names that were given since.
    pub(super) fn leave(&mut self, scope: usize) {
        for (at, before) in self.trail.drain(scope..).rev() {
            self.names[at] = before;
        }
    }

    pub(super) fn name(&mut self, value: Value, to: Value) {
        let at = value.0 as usize;
        self.trail.push((at, self.names[at]));
        self.names[at] = Some(to);
    }

    /// What stands for a value here, if anything does yet.
    pub(super) fn known(&self, value: Value) -> Option<Value> {
        self.names[value.0 as usize]
    }

    /// What stands for a value here; what costs next to nothing is computed again.
    pub(super) fn get(&mut self, value: Value) -> Value {
        if let Some(known) = self.known(value) {
            return known;
        }
        if self.tree.is_again(value)
            && let super::tree::Def::Result(id, _) = self.tree.def(value)
        {
            self.copy(id);
            if let Some(known) = self.known(value) {
                return known;
            }
        }
        self.fail(refusal::gap(&format!("v{} is not kept", value.0)));
        self.b.zero(self.scalar(value))
    }

    /// What is made from now on comes from the statement of an op.
    pub(super) fn at_statement(&mut self, id: OpId) {
        self.sources.at(&mut self.b, self.tree.function, self.tree.ops[id].op);
    }

    /// A copy of an op without regions and memory.
    pub(super) fn copy(&mut self, id: OpId) {
        let mut op = self.op(id).clone();
        let operands: Vec<Value> = op.shape().operands.iter().map(|&v| self.get(v)).collect();
        let mut operands = operands.into_iter();
        op.map_operands(|v| *v = operands.next().unwrap_or(*v));
        let results: Vec<Value> = self.op(id).shape().results.to_vec();
        let fresh: Vec<Value> = results.iter().map(|&r| self.b.value(self.scalar(r))).collect();
        let mut names = fresh.iter();
        op.map_results(|r| *r = *names.next().unwrap_or(r));
        self.sources.rename(&mut op);
        self.defined(&op);
        self.b.push(op);
        results.into_iter().zip(fresh).for_each(|(r, f)| self.name(r, f));
    }

    /// Checks what makes an integer division or a table's element defined.
    fn defined(&mut self, op: &Op) {
        match op {
            Op::Pure { builtin: Builtin::Div | Builtin::Rem, args, .. } if self.b.scalar(args[0]).is_int() => {
                let scalar = self.b.scalar(args[0]);
                self.not_zero(args[1]);
                if scalar.is_signed() {
                    let least = self.b.const_(scalar, 1 << (scalar.bits() - 1));
                    let minus = self.b.const_(scalar, scalar.mask());
                    let (a, b) = (self.b.ne(args[0], least), self.b.ne(args[1], minus));
                    let either = self.b.or(a, b);
                    self.b.check(either, CheckKind::DivideOverflow, &[], self.source);
                }
            }
            Op::Table { table, index, .. } => {
                let len = self.b.u64(self.tree.function.tables[*table as usize].1.len() as u64);
                let inside = self.b.lt(*index, len);
                let message = vec![PrintPiece::Text("an index into a constant table".into())];
                self.b.check(inside, CheckKind::Assert { message }, &[], self.source);
            }
            _ => {}
        }
    }

    /// An unsigned quotient.
    pub(super) fn divide(&mut self, a: Value, b: Value) -> Value {
        self.not_zero(b);
        self.b.div(a, b)
    }

    fn not_zero(&mut self, divisor: Value) {
        let zero = self.b.zero(self.b.scalar(divisor));
        let other = self.b.ne(divisor, zero);
        self.b.check(other, CheckKind::DivideByZero, &[], self.source);
    }

    /// A check that an index is within a dimension.
    pub(super) fn inside(&mut self, mem: Mem, dim: u8, index: Value) {
        self.b.check_index(mem, dim, index, self.source);
    }
}

/// Adjoints.
impl Emit<'_, '_> {
    /// Adds to the adjoint of a value that has one.
    pub(super) fn add_adjoint(&mut self, value: Value, more: Value) {
        if !self.activity.of(value) {
            return;
        }
        let sum = match self.adjoints.get(&value) {
            Some(&before) => self.b.add(before, more),
            None => more,
        };
        self.adjoints.insert(value, sum);
    }

    /// The adjoint of a value, which is done with; none where nothing has come.
    pub(super) fn take_adjoint(&mut self, value: Value) -> Option<Value> {
        self.adjoints.remove(&value)
    }

    /// The adjoint of a value, zero where nothing has come.
    pub(super) fn take_or_zero(&mut self, value: Value) -> Value {
        let scalar = adjoint_scalar(self.scalar(value));
        self.take_adjoint(value).unwrap_or_else(|| self.b.zero(scalar))
    }

    /// The outputs of an expression.
    pub(super) fn expression(
        &mut self,
        expression: &Expression,
        mut input: impl FnMut(&mut Self, usize) -> Value,
    ) -> Vec<Option<Value>> {
        expression.walk(|node, operands: &[Value], scalar| match node {
            Node::Input(k) => input(self, *k),
            Node::Literal(bits) => self.b.const_(scalar, *bits),
            Node::Op(builtin, _) => self.b.pure_as(scalar, *builtin, operands),
            Node::Table(table, _) => {
                let number = self.table(table);
                let len = self.b.u64(table.len() as u64);
                let at = self.b.rem(operands[0], len);
                self.b.lookup(number, at)
            }
        })
    }

    fn table(&mut self, table: &'static Table) -> u32 {
        if let Some((_, number)) = self.tables.iter().find(|(known, _)| *known == table) {
            return *number;
        }
        let words = (0..table.len() as u64).map(|k| table.word(k)).collect();
        let number = self.b.table(Scalar::U64, words);
        self.tables.push((table, number));
        number
    }
}
