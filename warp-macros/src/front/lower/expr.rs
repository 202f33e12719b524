//! Expressions as values.

use warp_ir::ir::{CheckKind, Scalar, Value};

use super::Lower;
use super::place::Place;
use crate::front::ast::*;
use crate::front::types::Ty;
use crate::front::walk::arguments;

/// The two sides of an `assert_eq!`.
#[derive(Clone, Copy)]
struct Sides<'a> {
    ty: &'a Ty,
    left: &'a [Value],
    right: &'a [Value],
}

impl Lower<'_> {
    /// Lowers an expression by its kind.
    pub(super) fn kind(&mut self, id: ExprId) -> Vec<Value> {
        let body = self.body;
        let expr = body.expr(id);
        match &expr.kind {
            Kind::Int { value, .. } => self.integer(id, *value),
            Kind::Float { text, .. } => self.float(id, text),
            Kind::Bool(b) => vec![self.b.bool(*b)],
            Kind::Bits { ty, bits } => vec![self.b.const_(ty.scalar().unwrap_or(Scalar::Bool), *bits)],
            Kind::Unit | Kind::Text(_) | Kind::Bad | Kind::Closure { .. } | Kind::Range { .. } => vec![],
            Kind::Constant { tokens, .. } => self.constant(id, tokens),
            // Operators on vectors and on types of the user's are no constant expressions in Rust; parts of constants are.
            Kind::Folded { tokens, inner } => match self.ty(id).scalar().is_some() || body.is_part(*inner) {
                true => self.constant(id, tokens),
                false => self.expr(*inner),
            },
            Kind::Variant { value, ty } => {
                let scalar = self.leaves(ty).first().copied().unwrap_or(Scalar::I32);
                vec![self.b.const_(scalar, *value as u64)]
            }
            Kind::None => {
                let ty = self.ty(id).clone();
                self.zeros(&ty)
            }
            Kind::Some(value) => {
                let Ty::Option(inner) = self.ty(id).clone() else { return vec![] };
                let values = self.value(*value, &inner);
                let mut all = vec![self.b.bool(true)];
                all.extend(values);
                all
            }
            Kind::Ascribed { value, .. } => {
                let ty = self.ty(id).clone();
                self.value(*value, &ty)
            }
            Kind::Unary { op, value } => self.unary(id, *op, *value),
            Kind::Binary { op, left, right } => self.binary(id, *op, *left, *right),
            Kind::Logic { and, left, right } => self.logic(*and, *left, *right),
            Kind::Assign { place, value } => self.assign(*place, *value),
            Kind::Compound { op, place, value } => self.compound(id, *op, *place, *value),
            Kind::Cast { value, to } => self.cast(*value, to),
            Kind::Var(_) | Kind::Field { .. } | Kind::Index { .. } | Kind::Deref(_) => {
                let place = self.place(id);
                self.read(&place)
            }
            Kind::Borrow { place, .. } => self.expr(*place),
            Kind::Call { callee, args, .. } => self.call(id, callee, args),
            Kind::Method { receiver, name, args, .. } => self.method(id, *receiver, name, args),
            Kind::Struct { fields, base, .. } => {
                let ty = self.ty(id).clone();
                self.struct_literal(&ty, fields, *base)
            }
            Kind::Tuple(list) => {
                let Ty::Tuple(types) = self.ty(id).clone() else { return vec![] };
                list.iter().zip(types).flat_map(|(&e, ty)| self.value(e, &ty)).collect()
            }
            Kind::List(list) => {
                let Ty::Array(element, _) = self.ty(id).clone() else { return vec![] };
                list.iter().flat_map(|&e| self.value(e, &element)).collect()
            }
            Kind::Repeat { value, len } => {
                let Ty::Array(element, _) = self.ty(id).clone() else { return vec![] };
                let one = self.value(*value, &element);
                one.iter().copied().cycle().take(one.len() * *len as usize).collect()
            }
            Kind::If { .. } => self.if_(id),
            Kind::Let { pat, value } => {
                let ty = self.ty(*value).clone();
                let place = self.referred(*value);
                let values = match &place {
                    Some(place) => self.read(place),
                    None => self.value(*value, &ty),
                };
                let matched = self.matches(*pat, &ty, &values);
                self.bind_to(*pat, &ty, &values, place.as_ref());
                vec![matched.unwrap_or_else(|| self.b.bool(true))]
            }
            Kind::Match { value, arms } => self.match_(id, *value, arms),
            Kind::Block { stmts, tail, label } => self.block(id, stmts, *tail, *label),
            Kind::While { cond, body, target } => self.while_(id, *cond, *body, *target),
            Kind::Loop { body, target } => self.loop_(id, *body, *target),
            Kind::For { pat, iter, body, target } => self.for_(id, *pat, iter, *body, *target),
            Kind::Break { target, value } => {
                self.break_(*target, *value);
                vec![]
            }
            Kind::Continue { target } => {
                self.continue_(*target);
                vec![]
            }
            Kind::Return(value) => {
                self.return_(*value);
                vec![]
            }
            Kind::Assert { cond, message } => {
                let cond = self.scalar(*cond);
                self.assert(id, cond, message, None);
                vec![]
            }
            Kind::AssertEq { equal, left, right, message } => self.assert_eq(id, *equal, *left, *right, message),
            Kind::Panic { message } => {
                let never = self.b.bool(false);
                self.assert(id, never, message, None);
                vec![]
            }
            Kind::Print { pieces, newline } => {
                self.print(pieces, *newline);
                vec![]
            }
        }
    }

    /// Stops the thread unless `cond` holds. Arguments of the message that do more than name values are evaluated only
    /// then, as in Rust; `sides` are the two values that an `assert_eq!` shows.
    fn assert(&mut self, id: ExprId, cond: Value, message: &[Piece], sides: Option<Sides<'_>>) {
        for value in arguments(message) {
            if self.effects.leaves(value) && !matches!(self.body.expr(id).kind, Kind::Panic { .. }) {
                let sentence = "what an assertion says is a value: kernels cannot leave a loop or function here";
                self.errors.refuse(self.body.expr(value).span, sentence);
                return;
            }
        }
        if arguments(message).all(|value| self.effects.is_simple(value)) {
            return self.failed_unless(id, cond, message, sides);
        }
        self.either(
            cond,
            &Ty::Unit,
            |_| vec![],
            |lower| {
                let never = lower.b.bool(false);
                lower.failed_unless(id, never, message, sides);
                vec![]
            },
        );
    }

    fn failed_unless(&mut self, id: ExprId, cond: Value, message: &[Piece], sides: Option<Sides<'_>>) {
        let mut said = self.said(message);
        if let Some(Sides { ty, left, right }) = sides {
            said.text(" (left: ");
            self.shown(id, ty, "?", left, 0, &mut said);
            said.text(", right: ");
            self.shown(id, ty, "?", right, 0, &mut said);
            said.text(")");
        }
        let source = self.source(id);
        self.b.check(cond, CheckKind::Assert { message: said.pieces }, &said.args, source);
    }

    fn assert_eq(&mut self, id: ExprId, equal: bool, left: ExprId, right: ExprId, message: &[Piece]) -> Vec<Value> {
        let ty = self.ty(left).clone();
        let (l, r) = (self.value(left, &ty), self.value(right, &ty));
        let same = self.equal(&ty, &l, &r);
        let cond = if equal { same } else { self.b.not(same) };
        self.assert(id, cond, message, Some(Sides { ty: &ty, left: &l, right: &r }));
        vec![]
    }

    fn integer(&mut self, id: ExprId, value: u128) -> Vec<Value> {
        let scalar = self.ty(id).scalar().unwrap_or(Scalar::I32);
        if value > scalar.mask() as u128 {
            let message = format!("the number {value} is too large for `{}`", scalar.name());
            self.errors.defer(self.body.expr(id).span, message);
        }
        vec![self.b.const_(scalar, value as u64)]
    }

    fn float(&mut self, id: ExprId, text: &str) -> Vec<Value> {
        let value = match self.ty(id).scalar() {
            Some(Scalar::F64) => self.b.f64(text.parse().unwrap_or(f64::NAN)),
            _ => self.b.f32(text.parse().unwrap_or(f32::NAN)),
        };
        vec![value]
    }

    fn struct_literal(&mut self, ty: &Ty, fields: &[(String, ExprId)], base: Option<ExprId>) -> Vec<Value> {
        let parts: Vec<(String, Vec<Value>)> = fields
            .iter()
            .map(|(name, e)| {
                let field = self.field(ty, name).map_or(Ty::Unit, |(_, t)| t);
                (name.clone(), self.value(*e, &field))
            })
            .collect();
        let mut all = match base {
            Some(base) => self.value(base, ty),
            None => self.zeros_for(ty, fields.len()),
        };
        for (name, values) in parts {
            if let Some((at, _)) = self.field(ty, &name) {
                let end = at + values.len();
                if end <= all.len() {
                    all[at..end].copy_from_slice(&values);
                }
            }
        }
        all
    }

    /// Placeholders that the fields of a literal replace.
    fn zeros_for(&mut self, ty: &Ty, given: usize) -> Vec<Value> {
        let known = self.names.field_count(ty);
        if given == known { vec![Value(u32::MAX); self.count(ty)] } else { self.zeros(ty) }
    }

    fn assign(&mut self, place: ExprId, value: ExprId) -> Vec<Value> {
        let ty = self.ty(place).clone();
        if let Kind::Var(var) = self.body.expr(place).kind
            && self.effects.references.is_reference(self.body, place)
        {
            let name = &self.body.vars[var.0 as usize].name;
            let message = format!(
                "`{name}` is a reference, and kernels do not make it one to something else: to change what it stands \
                 for, assign to `*{name}`"
            );
            self.errors.defer(self.body.expr(place).span, message);
            return vec![];
        }
        if self.refuse_other_memory(place) {
            return vec![];
        }
        if self.assign_array(place, value) {
            return vec![];
        }
        let values = self.value(value, &ty);
        let target = self.place(place);
        self.assigned(place, &target, &values);
        vec![]
    }

    /// Writes to a place that must be one.
    pub(super) fn assigned(&mut self, id: ExprId, place: &Place, values: &[Value]) {
        if let Place::Value { .. } = place {
            let span = self.body.expr(id).span;
            self.errors.refuse(span, "kernels cannot assign to this: it is a value, not a variable or an element");
        }
        self.write(place, values);
    }

    /// A place that holds nothing but a value.
    pub(super) fn temporary(&mut self, id: ExprId) -> Place {
        let ty = self.ty(id).clone();
        Place::Value { leaves: self.value(id, &ty), ty }
    }
}
