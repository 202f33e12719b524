//! Types of expressions.

use super::*;
use crate::front::walk::arguments;

impl Infer<'_> {
    /// Visits an expression; gives and keeps its type.
    pub(super) fn expr(&mut self, id: ExprId, expect: Expect) -> Ty {
        let ty = self.kind(id, expect);
        self.exprs[id.0 as usize] = Some(ty.clone());
        ty
    }

    pub(super) fn plain(&mut self, id: ExprId) -> Ty {
        self.expr(id, Expect::Nothing)
    }

    fn kind(&mut self, id: ExprId, expect: Expect) -> Ty {
        let body = self.body;
        match &body.expr(id).kind {
            Kind::Int { suffix: Some(ty), .. } | Kind::Float { suffix: Some(ty), .. } => ty.clone(),
            Kind::Int { .. } => self.literal(VarKind::Int, &expect),
            Kind::Float { .. } => self.literal(VarKind::Float, &expect),
            Kind::Bool(_) => Ty::BOOL,
            Kind::Bits { ty, .. } | Kind::Variant { ty, .. } => ty.clone(),
            Kind::Unit => Ty::Unit,
            Kind::Var(var) => self.vars[var.0 as usize].clone(),
            Kind::Constant { ty, .. } => self.constant(id, ty.as_ref()),
            Kind::Folded { inner, .. } => {
                let ty = self.expr(*inner, expect);
                self.constants.push(id);
                ty
            }
            Kind::None => Ty::Option(Box::new(self.fresh())),
            Kind::Some(value) => self.some(*value, &expect),
            Kind::Ascribed { value, ty } => {
                let ty = self.open(ty);
                self.coerced(*value, &ty);
                ty
            }
            Kind::Unary { op, value } => self.unary(id, *op, *value, expect),
            Kind::Binary { op, left, right } => self.binary(id, *op, *left, *right),
            Kind::Logic { left, right, .. } => self.logic(*left, *right),
            Kind::Assign { place, value } => {
                let ty = self.plain(*place);
                self.coerced(*value, &ty);
                Ty::Unit
            }
            Kind::Compound { op, place, value } => {
                self.plain(*place);
                self.plain(*value);
                self.await_(Pending::Compound { id, op: *op, place: *place, value: *value });
                Ty::Unit
            }
            Kind::Cast { value, to } => {
                self.expr(*value, Expect::Cast(to.clone()));
                to.clone()
            }
            Kind::Field { base, .. } => {
                self.plain(*base);
                self.waiting(id, Pending::Field { id })
            }
            Kind::Index { base, index } => self.index(id, *base, *index),
            Kind::Range { start, end, .. } => {
                let ty = self.fresh();
                for bound in [start, end].into_iter().flatten() {
                    self.coerced(*bound, &ty);
                }
                Ty::Range(Box::new(ty))
            }
            Kind::Borrow { place, .. } => self.expr(*place, expect),
            Kind::Deref(value) => self.expr(*value, expect),
            Kind::Call { callee, generics, args } => self.call(id, callee, generics, args),
            Kind::Method { receiver, args, .. } => self.method(id, *receiver, args),
            Kind::Struct { ty, fields, base } => self.struct_literal(id, ty, fields, *base),
            Kind::Tuple(list) => self.tuple(list, &expect),
            Kind::List(list) => self.list(list, &expect),
            Kind::Repeat { value, len } => {
                let element = match self.expected(&expect) {
                    Some(Ty::Array(element, _)) => *element,
                    _ => self.fresh(),
                };
                self.coerced(*value, &element);
                Ty::Array(Box::new(element), *len)
            }
            Kind::If { cond, then, otherwise } => self.if_(*cond, *then, *otherwise, &expect),
            Kind::Let { pat, value } => {
                let ty = self.plain(*value);
                self.pat(*pat, &ty);
                Ty::BOOL
            }
            Kind::Match { value, arms } => self.match_(*value, arms, &expect),
            Kind::Block { stmts, tail, label } => self.block(id, stmts, *tail, *label, expect),
            Kind::While { cond, body, target } => self.while_(*cond, *body, *target),
            Kind::Loop { body, target } => self.loop_(*body, *target, &expect),
            Kind::For { pat, iter, body, target } => self.for_(id, *pat, iter, *body, *target),
            Kind::Break { target, value } => self.break_(id, *target, *value),
            Kind::Continue { .. } => {
                self.diverges = true;
                Ty::Never
            }
            Kind::Return(value) => {
                let result = self.body.result.clone();
                match value {
                    Some(value) => {
                        self.coerced(*value, &result);
                    }
                    None => {
                        self.equal(self.span(id), &Ty::Unit, &result);
                    }
                }
                self.diverges = true;
                Ty::Never
            }
            Kind::Assert { cond, message } => {
                self.coerced(*cond, &Ty::BOOL);
                self.said(message);
                Ty::Unit
            }
            Kind::AssertEq { left, right, message, .. } => {
                let ty = self.plain(*left);
                self.coerced(*right, &ty);
                self.compared.push((id, ty, false));
                self.said(message);
                Ty::Unit
            }
            Kind::Panic { message } => {
                self.said(message);
                self.diverges = true;
                Ty::Never
            }
            Kind::Print { pieces, .. } => {
                self.said(pieces);
                Ty::Unit
            }
            Kind::Closure { .. } | Kind::Text(_) | Kind::Bad => self.fresh(),
        }
    }

    /// The arguments of a format string have types of their own.
    fn said(&mut self, pieces: &[Piece]) {
        for value in arguments(pieces) {
            self.plain(value);
        }
    }

    /// The expected type, as far as known.
    pub(super) fn expected(&self, expect: &Expect) -> Option<Ty> {
        match expect {
            Expect::Has(ty) => Some(self.unifier.shallow(ty)),
            _ => None,
        }
    }

    fn literal(&mut self, kind: VarKind, expect: &Expect) -> Ty {
        if let Expect::Has(ty) | Expect::Cast(ty) = expect {
            let ty = self.unifier.shallow(ty);
            let fits = match kind {
                VarKind::Int => ty.is_int() || self.unifier.kind(&ty) == Some(VarKind::Int),
                _ => ty.scalar().is_some_and(|s| s.is_float()) || self.unifier.kind(&ty) == Some(VarKind::Float),
            };
            if fits {
                return ty;
            }
        }
        self.unifier.fresh(kind)
    }

    fn constant(&mut self, id: ExprId, ty: Option<&Ty>) -> Ty {
        match ty {
            Some(ty) => ty.clone(),
            None => {
                self.constants.push(id);
                self.fresh()
            }
        }
    }

    fn some(&mut self, value: ExprId, expect: &Expect) -> Ty {
        let inner = match self.expected(expect) {
            Some(Ty::Option(inner)) => {
                self.coerced(value, &inner);
                return Ty::Option(inner);
            }
            _ => self.plain(value),
        };
        Ty::Option(Box::new(inner))
    }

    fn logic(&mut self, left: ExprId, right: ExprId) -> Ty {
        self.coerced(left, &Ty::BOOL);
        let diverged = self.diverges;
        self.coerced(right, &Ty::BOOL);
        // The right side may not run.
        self.diverges = diverged;
        Ty::BOOL
    }

    fn tuple(&mut self, list: &[ExprId], expect: &Expect) -> Ty {
        let wanted = match self.expected(expect) {
            Some(Ty::Tuple(wanted)) if wanted.len() == list.len() => wanted,
            _ => vec![],
        };
        let types = list.iter().enumerate().map(|(k, &e)| match wanted.get(k) {
            Some(ty) => {
                let found = self.expr(e, Expect::Has(ty.clone()));
                if found == Ty::Never { ty.clone() } else { found }
            }
            None => self.plain(e),
        });
        Ty::Tuple(types.collect())
    }

    fn list(&mut self, list: &[ExprId], expect: &Expect) -> Ty {
        let element = match self.expected(expect) {
            Some(Ty::Array(element, _)) => *element,
            _ => self.fresh(),
        };
        for &e in list {
            self.coerced(e, &element);
        }
        Ty::Array(Box::new(element), list.len() as u64)
    }

    /// An expression whose type is settled later: a variable for now.
    pub(super) fn waiting(&mut self, id: ExprId, pending: Pending) -> Ty {
        let ty = self.fresh();
        self.exprs[id.0 as usize] = Some(ty.clone());
        self.await_(pending);
        self.unifier.shallow(&ty)
    }

    /// Settles the type of a waiting expression.
    pub(super) fn gives(&mut self, id: ExprId, ty: &Ty) {
        let waiting = self.type_of(id);
        self.equal(self.span(id), ty, &waiting);
    }
}
