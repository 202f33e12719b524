//! The order of evaluation where a part of an expression may leave: the parts are evaluated one after another, each only
//! where those before it stayed, and the expression itself from what they gave.

use warp_ir::ir::Value;

use super::Lower;
use super::memory::Memory;
use super::place::Place;
use crate::env::Type;
use crate::front::ast::*;
use crate::front::library;
use crate::front::types::Ty;
use crate::front::walk::arguments;

/// A part of an expression that is evaluated before it.
#[derive(Clone, Copy)]
pub(super) enum Step {
    Value(ExprId),
    /// An element: its index is checked now, what stands there is read later.
    Place(ExprId),
    /// A part of a slice: its bounds are checked now.
    Memory(ExprId),
}

impl Step {
    fn expr(self) -> ExprId {
        let (Step::Value(id) | Step::Place(id) | Step::Memory(id)) = self;
        id
    }
}

/// What a step gave.
#[derive(Clone)]
pub(super) enum Ready {
    Values(Vec<Value>),
    Place(Place),
    Memory(Option<Memory>),
}

impl Lower<'_> {
    /// The scalars of an expression's value.
    pub(super) fn expr(&mut self, id: ExprId) -> Vec<Value> {
        match self.ready.get(&id).cloned() {
            Some(Ready::Values(values)) => return values,
            Some(Ready::Place(place)) => return self.read(&place),
            _ => {}
        }
        if self.effects.leaves(id) {
            let mut steps = vec![];
            self.steps(id, &mut steps);
            if steps.iter().any(|step| self.effects.leaves(step.expr())) {
                return self.strict(id, &steps);
            }
        }
        self.kind(id)
    }

    /// Takes the steps one after another, each only where the ones before did not leave; then the expression.
    fn strict(&mut self, id: ExprId, steps: &[Step]) -> Vec<Value> {
        let Some((&step, rest)) = steps.split_first() else { return self.kind(id) };
        let ty = self.ty(id).clone();
        self.take_step(step);
        let values = self.guarded(&ty, |lower| lower.strict(id, rest));
        self.forget_step(step);
        values
    }

    pub(super) fn take_step(&mut self, step: Step) {
        let ready = match step {
            Step::Value(e) => Ready::Values(self.expr(e)),
            Step::Place(e) => Ready::Place(self.place(e)),
            Step::Memory(e) => Ready::Memory(self.memory(e)),
        };
        self.ready.insert(step.expr(), ready);
    }

    pub(super) fn forget_step(&mut self, step: Step) {
        self.ready.remove(&step.expr());
    }

    /// The steps of an expression that a `let` makes a name for.
    pub(super) fn naming_steps(&self, id: ExprId) -> Vec<Step> {
        let mut steps = vec![];
        match self.is_split(id) {
            true => self.steps(id, &mut steps),
            false => self.place_steps(id, &mut steps),
        }
        steps
    }

    /// What is always evaluated before anything else of an expression is done, in Rust's order.
    fn steps(&self, id: ExprId, steps: &mut Vec<Step>) {
        match &self.body.expr(id).kind {
            Kind::Some(e)
            | Kind::Ascribed { value: e, .. }
            | Kind::Unary { value: e, .. }
            | Kind::Cast { value: e, .. }
            | Kind::Repeat { value: e, .. }
            | Kind::Assert { cond: e, .. } => steps.push(Step::Value(*e)),
            Kind::Binary { left, right, .. } | Kind::AssertEq { left, right, .. } => {
                steps.extend([Step::Value(*left), Step::Value(*right)]);
            }
            Kind::Let { value, .. } | Kind::Match { value, .. } => {
                match self.effects.references.is_reference(self.body, *value) {
                    true => self.place_steps(*value, steps),
                    false => steps.push(Step::Value(*value)),
                }
            }
            Kind::Assign { place, value } => {
                steps.push(Step::Value(*value));
                self.place_steps(*place, steps);
            }
            Kind::Compound { place, value, .. } if self.place_first(*place, *value) => {
                self.place_steps(*place, steps);
                steps.push(Step::Value(*value));
            }
            Kind::Compound { place, value, .. } => {
                steps.push(Step::Value(*value));
                self.place_steps(*place, steps);
            }
            Kind::Index { .. } | Kind::Field { .. } | Kind::Deref(_) => self.place_steps(id, steps),
            Kind::Call { callee, args, .. } => self.call_steps(id, callee, args, steps),
            Kind::Method { receiver, name, args, .. } => self.method_steps(id, *receiver, name, args, steps),
            Kind::Struct { fields, base, .. } => {
                steps.extend(fields.iter().map(|(_, e)| *e).chain(*base).map(Step::Value));
            }
            Kind::Tuple(list) | Kind::List(list) => steps.extend(list.iter().copied().map(Step::Value)),
            Kind::Print { pieces, .. } | Kind::Panic { message: pieces } => {
                steps.extend(arguments(pieces).map(Step::Value));
            }
            Kind::For { iter, .. } => self.iter_steps(iter, steps),
            _ => {}
        }
    }

    /// Whether `place op= value` evaluates its place first: Rust does so unless both are primitive, and the plain
    /// function unless the value names the same array.
    pub(super) fn place_first(&self, place: ExprId, value: ExprId) -> bool {
        let primitive = |id: ExprId| self.ty(id).scalar().is_some_and(|s| !s.is_half());
        !(primitive(place) && primitive(value) || self.body.hoisted.contains(&value))
    }

    /// The indexes and bounds of a place, from the outside in.
    fn place_steps(&self, id: ExprId, steps: &mut Vec<Step>) {
        match &self.body.expr(id).kind {
            Kind::Var(_) => {}
            Kind::Deref(e) | Kind::Borrow { place: e, .. } => self.place_steps(*e, steps),
            Kind::Field { base, .. } => self.place_steps(*base, steps),
            Kind::Method { receiver, args, .. } if self.is_column(id) => {
                self.place_steps(*receiver, steps);
                steps.extend([Step::Value(args[0]), Step::Place(id)]);
            }
            Kind::Index { base, index } => {
                self.place_steps(*base, steps);
                match &self.body.expr(*index).kind {
                    Kind::Range { start, end, .. } => {
                        steps.extend([*start, *end].into_iter().flatten().map(Step::Value));
                        steps.push(Step::Memory(id));
                    }
                    _ => steps.extend([Step::Value(*index), Step::Place(id)]),
                }
            }
            _ => steps.push(Step::Value(id)),
        }
    }

    fn call_steps(&self, id: ExprId, callee: &Callee, args: &[ExprId], steps: &mut Vec<Step>) {
        let params = self.typed.functions.get(&id).map(|f| &f.params[..]);
        let place = matches!(callee, Callee::Builtin { .. }) && !args.is_empty();
        for k in self.order_of(args) {
            match params {
                Some(params) => self.argument_steps(args[k], params.get(k), steps),
                // An atomic's first argument is its place.
                None if place && k == 0 => self.place_steps(args[0], steps),
                None => steps.push(Step::Value(args[k])),
            }
        }
    }

    /// The order in which arguments are evaluated: what the plain function evaluates before a leading `&mut place` is
    /// first, else from left to right.
    pub(super) fn order_of(&self, args: &[ExprId]) -> Vec<usize> {
        let hoisted = |k: &usize| self.body.hoisted.contains(&args[*k]);
        let (mut order, rest): (Vec<usize>, Vec<usize>) = (0..args.len()).partition(hoisted);
        order.extend(rest);
        order
    }

    fn argument_steps(&self, arg: ExprId, param: Option<&Type>, steps: &mut Vec<Step>) {
        match param {
            Some(Type::MutRef(_) | Type::Slice { .. } | Type::Planes { .. } | Type::View { .. } | Type::Bundle(_)) => {
                self.place_steps(arg, steps);
            }
            Some(Type::Ref(inner)) => self.argument_steps(arg, Some(inner), steps),
            _ => steps.push(Step::Value(arg)),
        }
    }

    fn method_steps(&self, id: ExprId, receiver: ExprId, name: &str, args: &[ExprId], steps: &mut Vec<Step>) {
        if let Some(function) = self.typed.functions.get(&id) {
            for (k, &arg) in std::iter::once(&receiver).chain(args).enumerate() {
                self.argument_steps(arg, function.params.get(k), steps);
            }
            return;
        }
        match self.ty(receiver) {
            _ if self.is_column(id) => self.place_steps(receiver, steps),
            Ty::Slice { .. } | Ty::Planes { .. } | Ty::View { .. } | Ty::Array(..) => self.place_steps(receiver, steps),
            Ty::Option(_) if name == "take" => self.place_steps(receiver, steps),
            _ => steps.push(Step::Value(receiver)),
        }
        let is_value = |e: &&ExprId| !matches!(self.body.expr(**e).kind, Kind::Closure { .. });
        steps.extend(args.iter().filter(is_value).copied().map(Step::Value));
    }

    fn iter_steps(&self, iter: &Iter, steps: &mut Vec<Step>) {
        match iter {
            Iter::Range { start, end, .. } => steps.extend(std::iter::once(*start).chain(*end).map(Step::Value)),
            Iter::Rev(inner) | Iter::Enumerate(inner) => self.iter_steps(inner, steps),
            Iter::StepBy(inner, n) | Iter::Take(inner, n) | Iter::Skip(inner, n) => {
                self.iter_steps(inner, steps);
                steps.push(Step::Value(*n));
            }
            Iter::Zip(a, b) => {
                self.iter_steps(a, steps);
                self.iter_steps(b, steps);
            }
            Iter::Elements { place, .. } => self.place_steps(*place, steps),
            Iter::Chunks { place, size, .. } => {
                self.place_steps(*place, steps);
                steps.push(Step::Value(*size));
            }
            Iter::Value(value) => match self.ty(*value) {
                Ty::Struct(..) if library::vector(self.ty(*value)).is_none() => steps.push(Step::Value(*value)),
                _ => self.place_steps(*value, steps),
            },
        }
    }
}
