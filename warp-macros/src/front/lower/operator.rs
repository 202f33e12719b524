//! Operators: primitives and vectors here, all others by functions.

use warp_ir::builtins::Builtin;
use warp_ir::ir::{CheckKind, Scalar, Value};

use super::Lower;
use crate::front::ast::*;
use crate::front::library;
use crate::front::planted::{self, Bug};
use crate::front::types::Ty;

impl Lower<'_> {
    pub(super) fn unary(&mut self, id: ExprId, op: Unary, value: ExprId) -> Vec<Value> {
        if self.typed.functions.contains_key(&id) {
            return self.function_of(id, &[value]);
        }
        let ty = self.ty(value).clone();
        if op == Unary::Neg
            && let Some(literal) = self.negative_literal(value, &ty)
        {
            return vec![literal];
        }
        let values = self.value(value, &ty);
        let (builtin, sign) = if op == Unary::Neg { (Builtin::Neg, '-') } else { (Builtin::Not, '!') };
        let takes =
            |scalar: Scalar| scalar.is_half() && op == Unary::Neg || builtin.row().check(&[scalar], scalar).is_ok();
        if !values.iter().all(|v| takes(self.b.scalar(*v))) {
            self.errors.defer(self.body.expr(id).span, format!("there is no `{sign}` on `{}`", ty.name()));
            return values;
        }
        values.into_iter().map(|v| self.on_half(v, |l, v| l.b.pure(builtin, &[v]))).collect()
    }

    /// `-5` is one constant.
    fn negative_literal(&mut self, value: ExprId, ty: &Ty) -> Option<Value> {
        let scalar = ty.scalar().filter(|s| !s.is_half())?;
        match &self.body.expr(value).kind {
            Kind::Int { value, .. } if scalar.is_int() => Some(self.b.const_(scalar, (*value as u64).wrapping_neg())),
            Kind::Float { text, .. } => Some(match scalar {
                Scalar::F64 => self.b.f64(-text.parse::<f64>().ok()?),
                _ => self.b.f32(-text.parse::<f32>().ok()?),
            }),
            _ => None,
        }
    }

    /// Half floats compute as `f32`.
    fn on_half(&mut self, v: Value, run: impl FnOnce(&mut Self, Value) -> Value) -> Value {
        let scalar = self.b.scalar(v);
        if !scalar.is_half() {
            return run(self, v);
        }
        let wide = self.b.cast(Scalar::F32, v);
        let result = run(self, wide);
        self.b.cast(scalar, result)
    }

    pub(super) fn binary(&mut self, id: ExprId, op: Binary, left: ExprId, right: ExprId) -> Vec<Value> {
        if self.typed.functions.contains_key(&id) {
            let values = self.function_of(id, &[left, right]);
            return match op {
                Binary::Ne => values.into_iter().map(|equal| self.b.not(equal)).collect(),
                _ => values,
            };
        }
        let (l, r) = (self.ty(left).clone(), self.ty(right).clone());
        let a = self.value(left, &l);
        let b = self.value(right, &r);
        if op.is_comparison() {
            return vec![self.compare(op, &l, &a, &b)];
        }
        self.componentwise(id, op, &a, &b)
    }

    /// An operator on primitives or vectors; a primitive meets each component.
    pub(super) fn componentwise(&mut self, id: ExprId, op: Binary, a: &[Value], b: &[Value]) -> Vec<Value> {
        let n = a.len().max(b.len());
        if a.is_empty() || b.is_empty() {
            return vec![];
        }
        let at = |list: &[Value], k: usize| if list.len() == 1 { list[0] } else { list[k] };
        (0..n).map(|k| self.primitive(id, op, at(a, k), at(b, k))).collect()
    }

    fn primitive(&mut self, id: ExprId, op: Binary, a: Value, b: Value) -> Value {
        let scalar = self.b.scalar(a);
        if scalar.is_half() {
            let (wide_a, wide_b) = (self.b.cast(Scalar::F32, a), self.b.cast(Scalar::F32, b));
            let result = self.primitive(id, op, wide_a, wide_b);
            return self.b.cast(scalar, result);
        }
        let builtin = match op {
            Binary::Add => Builtin::Add,
            Binary::Sub => Builtin::Sub,
            Binary::Mul => Builtin::Mul,
            Binary::Div => Builtin::Div,
            Binary::Rem => Builtin::Rem,
            Binary::And => Builtin::And,
            Binary::Or => Builtin::Or,
            Binary::Xor => Builtin::Xor,
            Binary::Shl => Builtin::Shl,
            _ => Builtin::Shr,
        };
        let shift = matches!(builtin, Builtin::Shl | Builtin::Shr);
        let other = if shift && self.b.scalar(b).is_int() { scalar } else { self.b.scalar(b) };
        if builtin.row().check(&[scalar, other], scalar).is_err() {
            let (symbol, b) = (op.symbol(), self.b.scalar(b).name());
            let message = format!("there is no `{symbol}` of `{}` and `{b}`", scalar.name());
            self.errors.defer(self.body.expr(id).span, message);
            return self.b.zero(scalar);
        }
        if matches!(builtin, Builtin::Div | Builtin::Rem) {
            self.check_division(id, a, b);
        }
        let b = if shift { self.b.cast(scalar, b) } else { b };
        self.b.pure(builtin, &[a, b])
    }

    /// The checks of an integer division: none on floats, and none that a literal divisor makes needless.
    pub(super) fn check_division(&mut self, id: ExprId, a: Value, b: Value) {
        let scalar = self.b.scalar(a);
        if !scalar.is_int() {
            return;
        }
        let literal = self.divisor(id);
        let source = self.source(id);
        if literal.is_none() {
            self.check_zero(id, b);
        }
        if scalar.is_signed() && literal != Some(false) {
            let overflow = self.overflows(a, b);
            let fine = self.b.not(overflow);
            self.b.check(fine, CheckKind::DivideOverflow, &[], source);
        }
    }

    pub(super) fn check_zero(&mut self, id: ExprId, b: Value) {
        let scalar = self.b.scalar(b);
        let zero = self.b.zero(scalar);
        let cond = self.b.ne(b, zero);
        let source = self.source(id);
        self.b.check(cond, CheckKind::DivideByZero, &[], source);
    }

    /// `MIN / -1`.
    pub(super) fn overflows(&mut self, a: Value, b: Value) -> Value {
        let scalar = self.b.scalar(a);
        let min = self.b.const_(scalar, (scalar.mask() >> 1) + 1);
        let minus_one = self.b.const_(scalar, u64::MAX);
        let (smallest, negative) = (self.b.eq(a, min), self.b.eq(b, minus_one));
        self.b.and(smallest, negative)
    }

    /// Whether the divisor is a literal other than zero: then, whether it may be -1.
    fn divisor(&self, id: ExprId) -> Option<bool> {
        let divisor = match &self.body.expr(id).kind {
            Kind::Binary { right, .. } => *right,
            Kind::Compound { value, .. } => *value,
            _ => return None,
        };
        match self.body.expr(divisor).kind {
            Kind::Int { value, .. } if value != 0 => Some(false),
            Kind::Unary { op: Unary::Neg, value } => match self.body.expr(value).kind {
                Kind::Int { value: 2.., .. } => Some(false),
                Kind::Int { value: 1, .. } => Some(true),
                _ => None,
            },
            _ => None,
        }
    }

    /// `place op= value`: what stands at the place is read after both sides were evaluated.
    pub(super) fn compound(&mut self, id: ExprId, op: Binary, place: ExprId, value: ExprId) -> Vec<Value> {
        let right = self.ty(value).clone();
        let early = self.place_first(place, value).then(|| self.place(place));
        let values = self.value(value, &right);
        let target = match early {
            Some(target) => target,
            None => self.place(place),
        };
        let old = self.read(&target);
        let new = match self.typed.functions.get(&id).cloned() {
            Some(function) => {
                let source = self.source(id);
                let mut args = old.clone();
                args.extend(&values);
                // `add_assign` gives back `self`; the library's operators give the new value.
                self.emit_call(&function, &args, vec![], source)
            }
            None if op == Binary::Sub && planted::is(Bug::CompoundSubtractsBackwards) => {
                self.componentwise(id, op, &values, &old)
            }
            None => self.componentwise(id, op, &old, &values),
        };
        self.assigned(place, &target, &new);
        vec![]
    }

    pub(super) fn cast(&mut self, value: ExprId, to: &Ty) -> Vec<Value> {
        let from = self.scalar(value);
        match to.scalar() {
            Some(to) if Builtin::Cast.row().check(&[self.b.scalar(from)], to).is_ok() => vec![self.b.cast(to, from)],
            Some(scalar) => {
                let (ty, span) = (self.ty(value).name(), self.body.expr(value).span);
                self.errors.defer(span, format!("`as` does not take `{ty}` to `{}`", to.name()));
                vec![self.b.zero(scalar)]
            }
            None => vec![from],
        }
    }

    /// The components of a library vector, for methods.
    pub(super) fn is_vector(&self, ty: &Ty) -> bool {
        library::vector(ty).is_some()
    }
}
