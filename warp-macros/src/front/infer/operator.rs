//! Types of operators.

use warp_ir::ir::Scalar;

use super::*;
use crate::front::library;

/// What is known of an operand.
enum Side {
    /// A primitive type or a literal.
    Primitive,
    Vector(Ty),
    Other,
    Unknown,
}

impl Infer<'_> {
    pub(super) fn unary(&mut self, id: ExprId, op: Unary, value: ExprId, expect: Expect) -> Ty {
        self.expr(value, expect);
        self.waiting(id, Pending::Unary { id, op, value })
    }

    pub(super) fn settle_unary(&mut self, id: ExprId, op: Unary, value: ExprId) -> bool {
        let ty = self.type_of(value);
        match self.side(&ty) {
            Side::Unknown => return false,
            Side::Primitive | Side::Vector(_) => self.gives(id, &ty),
            Side::Other if ty == Ty::Never => self.gives(id, &ty),
            Side::Other => {
                let name = if op == Unary::Neg { "neg" } else { "not" };
                self.operator_function(id, &ty, name);
            }
        }
        true
    }

    fn operator_function(&mut self, id: ExprId, owner: &Ty, name: &str) {
        match self.find_method(owner, name, self.span(id)) {
            Some(function) => {
                self.gives(id, &Ty::from_type(&function.result));
                self.functions.insert(id, function);
            }
            None => self.unknown_operator(id, owner),
        }
    }

    fn unknown_operator(&mut self, id: ExprId, ty: &Ty) {
        if self.asks.is_empty() {
            let message = format!("kernels do not have this operator on {}", self.show(ty));
            self.errors.defer(self.span(id), message);
        }
        let any = self.fresh();
        self.gives(id, &any);
    }

    pub(super) fn binary(&mut self, id: ExprId, op: Binary, left: ExprId, right: ExprId) -> Ty {
        self.plain(left);
        self.plain(right);
        self.waiting(id, Pending::Binary { id, op, left, right })
    }

    fn side(&self, ty: &Ty) -> Side {
        match self.unifier.kind(ty) {
            Some(VarKind::Any) => return Side::Unknown,
            Some(_) => return Side::Primitive,
            None => {}
        }
        match ty {
            ty if ty.scalar().is_some() => Side::Primitive,
            ty => match library::vector(ty) {
                Some((component, _)) => Side::Vector(component),
                None => Side::Other,
            },
        }
    }

    pub(super) fn settle_binary(&mut self, id: ExprId, op: Binary, left: ExprId, right: ExprId) -> bool {
        let (l, r) = (self.type_of(left), self.type_of(right));
        if l == Ty::Never || r == Ty::Never {
            let any = self.fresh();
            self.gives(id, &any);
            return true;
        }
        if op.is_comparison() {
            return self.settle_comparison(id, op, right, &l, &r);
        }
        match (self.side(&l), self.side(&r)) {
            (Side::Unknown, _) | (_, Side::Unknown) => false,
            (Side::Primitive, Side::Primitive) => {
                if !op.is_shift() {
                    self.equal(self.span(right), &r, &l);
                }
                self.check_primitive(id, op, &l);
                self.gives(id, &l);
                true
            }
            (Side::Vector(_), Side::Vector(_)) => {
                self.equal(self.span(right), &r, &l);
                self.gives(id, &l);
                true
            }
            (Side::Vector(component), Side::Primitive) => {
                if !op.is_shift() {
                    self.equal(self.span(right), &r, &component);
                }
                self.gives(id, &l);
                true
            }
            (Side::Primitive, Side::Vector(component)) => {
                self.equal(self.span(left), &l, &component);
                self.gives(id, &r);
                true
            }
            _ => self.settle_operator(id, op.function(), &l, &r),
        }
    }

    /// What Rust does not have on primitives: reported, as no other phase would.
    fn check_primitive(&mut self, id: ExprId, op: Binary, ty: &Ty) {
        use Binary::*;
        let fits = match self.unifier.shallow(ty) {
            Ty::Scalar(Scalar::Bool) => matches!(op, And | Or | Xor),
            ty if ty.is_float() || self.unifier.kind(&ty) == Some(VarKind::Float) => {
                matches!(op, Add | Sub | Mul | Div | Rem)
            }
            _ => true,
        };
        if !fits {
            let message = format!("there is no `{}` on {}", op.symbol(), self.show(ty));
            self.errors.defer(self.span(id), message);
        }
    }

    /// An operator of a matrix, a quaternion, or a user's struct.
    pub(super) fn settle_operator(&mut self, id: ExprId, name: &str, l: &Ty, r: &Ty) -> bool {
        match self.operator_of(id, name, l, r) {
            Lookup::Found(function) => {
                self.gives(id, &Ty::from_type(&function.result));
                self.functions.insert(id, *function);
                true
            }
            Lookup::Asked => {
                let any = self.fresh();
                self.gives(id, &any);
                true
            }
            Lookup::Later => false,
            Lookup::Missing => {
                self.unknown_operator(id, if matches!(self.side(l), Side::Other) { l } else { r });
                true
            }
        }
    }

    fn operator_of(&mut self, id: ExprId, name: &str, l: &Ty, r: &Ty) -> Lookup {
        let is_user = |ty: &Ty| match ty {
            Ty::Struct(owner) => !library::types().contains_key(owner),
            _ => false,
        };
        // A literal takes the type that the other operand's operator wants.
        let literal = |infer: &Self, ty: &Ty| infer.unifier.kind(ty);
        if let (true, Some(kind)) = (is_user(l), literal(self, r)) {
            return self.beside_user(id, (l, r), kind, r, |infer, ty| infer.operator_of(id, name, l, &ty));
        }
        if let (true, Some(kind)) = (is_user(r), literal(self, l)) {
            return self.beside_user(id, (l, r), kind, l, |infer, ty| infer.operator_of(id, name, &ty, r));
        }
        if let Some(kind) = literal(self, r) {
            return self.with_literal(kind, r, |infer, scalar| infer.operator_of(id, name, l, &scalar));
        }
        if let Some(kind) = literal(self, l) {
            return self.with_literal(kind, l, |infer, scalar| infer.operator_of(id, name, &scalar, r));
        }
        if is_user(l) {
            return self.user_operator(id, l, format!("{name} {}", r.name()));
        }
        if is_user(r) {
            return self.user_operator(id, r, format!("{name} {} Self", l.name()));
        }
        match library::function(&l.name(), &format!("{name} {}", r.name())) {
            Some(function) => Lookup::Found(Box::new(function)),
            None => Lookup::Missing,
        }
    }

    fn with_literal(&mut self, kind: VarKind, literal: &Ty, find: impl Fn(&mut Self, Ty) -> Lookup) -> Lookup {
        let candidates: &[Ty] = match kind {
            VarKind::Float => &[Ty::F32, Ty::F64],
            VarKind::Int => &[Ty::I32, Ty::U32, Ty::Usize],
            VarKind::Any => return Lookup::Later,
        };
        let before = self.asks.len();
        for scalar in candidates {
            let found = find(self, scalar.clone());
            if let Lookup::Found(_) = found {
                self.asks.truncate(before);
                self.unifier.unify(literal, scalar);
                return found;
            }
        }
        Lookup::Missing
    }

    fn user_operator(&mut self, id: ExprId, owner: &Ty, method: String) -> Lookup {
        match self.find_method(owner, &method, self.span(id)) {
            Some(function) => Lookup::Found(Box::new(function)),
            None => Lookup::Asked,
        }
    }

    pub(super) fn settle_compound(&mut self, id: ExprId, op: Binary, place: ExprId, value: ExprId) -> bool {
        let (l, r) = (self.type_of(place), self.type_of(value));
        if r == Ty::Never {
            return true;
        }
        match (self.side(&l), self.side(&r)) {
            (Side::Unknown, _) | (_, Side::Unknown) => false,
            (Side::Primitive, Side::Primitive) => {
                if !op.is_shift() {
                    self.equal(self.span(value), &r, &l);
                }
                self.check_primitive(id, op, &l);
                true
            }
            (Side::Vector(_), Side::Vector(_)) => {
                self.equal(self.span(value), &r, &l);
                true
            }
            (Side::Vector(component), Side::Primitive) => {
                self.equal(self.span(value), &r, &component);
                true
            }
            _ => self.settle_assigning(id, op, &l, &r),
        }
    }

    /// `a += b` on a struct: `add_assign` of a user's type; the library's are `a = a + b`.
    fn settle_assigning(&mut self, id: ExprId, op: Binary, l: &Ty, r: &Ty) -> bool {
        let library_type = matches!(l, Ty::Struct(owner) if library::types().contains_key(owner));
        let name = match library_type {
            true => op.function().to_string(),
            false => format!("{}_assign", op.function()),
        };
        match self.operator_of(id, &name, l, r) {
            Lookup::Found(function) => {
                self.functions.insert(id, *function);
                true
            }
            Lookup::Asked => true,
            Lookup::Later => false,
            Lookup::Missing => {
                self.unknown_operator(id, l);
                true
            }
        }
    }
}

pub(super) enum Lookup {
    Found(Box<FunctionUse>),
    /// Its signature was asked for.
    Asked,
    /// The operands are not known well enough.
    Later,
    Missing,
}
