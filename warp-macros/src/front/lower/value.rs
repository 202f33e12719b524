//! How values are taken apart: their scalars in declaration order, depth first.

use warp_ir::ir::{Scalar, Value};

use super::state::Held;
use super::{Cell, Lower};
use crate::env::TypeDef;
use crate::front::ast::*;
use crate::front::names::Names;
use crate::front::planted::{self, Bug};
use crate::front::types::Ty;

/// The scalars of a type. Slices and bundles have none: they are memory.
pub(crate) fn leaves(names: &Names<'_>, ty: &Ty) -> Vec<Scalar> {
    let mut all = vec![];
    collect(names, ty, &mut all);
    all
}

fn collect(names: &Names<'_>, ty: &Ty, all: &mut Vec<Scalar>) {
    match ty {
        Ty::Scalar(s) => all.push(*s),
        Ty::Usize => all.push(Scalar::U64),
        Ty::Isize => all.push(Scalar::I64),
        Ty::Struct(..) => {
            for (_, field) in names.fields(ty).unwrap_or_default() {
                collect(names, &field, all);
            }
        }
        Ty::Enum(id) => {
            if let Some(TypeDef::Enum { repr, .. }) = names.definition(id) {
                all.push(*repr);
            }
        }
        Ty::Tuple(list) => list.iter().for_each(|t| collect(names, t, all)),
        Ty::Array(element, len) => {
            let one = leaves(names, element);
            for _ in 0..*len {
                all.extend(&one);
            }
        }
        Ty::Option(inner) => {
            all.push(Scalar::Bool);
            collect(names, inner, all);
        }
        _ => {}
    }
}

impl Lower<'_> {
    /// How many scalars a type has.
    pub(super) fn count(&self, ty: &Ty) -> usize {
        match ty {
            Ty::Array(element, len) => self.count(element) * *len as usize,
            ty if ty.scalar().is_some() => 1,
            _ => self.leaves(ty).len(),
        }
    }

    /// The first scalar and the type of a field.
    pub(super) fn field(&self, ty: &Ty, name: &str) -> Option<(usize, Ty)> {
        let list: Vec<(String, Ty)> = match ty {
            Ty::Tuple(list) => list.iter().enumerate().map(|(k, t)| (k.to_string(), t.clone())).collect(),
            _ => self.names.fields(ty)?.into_iter().map(|(n, t)| (n.to_string(), t)).collect(),
        };
        let mut at = 0;
        for (field, ty) in list {
            if field == name {
                return Some((at, ty));
            }
            at += self.count(&ty);
            if matches!(ty, Ty::Struct(..)) && planted::is(Bug::FieldForgetsNestedScalar) {
                at -= 1;
            }
        }
        None
    }

    pub(super) fn uninit(&self, ty: &Ty) -> Held {
        Held::Uninit(self.leaves(ty))
    }

    /// The value of an expression where `ty` is needed: code that cannot get here gives zeros.
    pub(super) fn value(&mut self, id: ExprId, ty: &Ty) -> Vec<Value> {
        let values = self.expr(id);
        if values.len() == self.count(ty) {
            return values;
        }
        // A value that is needed and missing is no zero, unless nobody gets here.
        if self.errors.is_empty() && !self.effects.leaves(id) && !self.ends(id) {
            self.errors.refuse(
                self.body.expr(id).span,
                "kernels cannot find out the type of a part of this: write it at a `let`, and use that here",
            );
        }
        self.zeros(ty)
    }

    /// Whether nothing follows an expression.
    fn ends(&self, id: ExprId) -> bool {
        matches!(self.ty(id), Ty::Never | Ty::Var(_) | Ty::Unit)
    }

    /// The only scalar of an expression.
    pub(super) fn scalar(&mut self, id: ExprId) -> Value {
        let values = self.expr(id);
        match values.first() {
            Some(&value) => value,
            None => self.b.bool(false),
        }
    }

    /// The values that a cell holds; zeros while it has none.
    pub(super) fn held(&mut self, cell: Cell) -> Vec<Value> {
        match self.state.get(cell).clone() {
            Held::Values(values) => values,
            Held::Uninit(scalars) => scalars.into_iter().map(|s| self.b.zero(s)).collect(),
            Held::Known(flag) => vec![self.b.bool(flag)],
            Held::Nothing => vec![],
        }
    }
}
