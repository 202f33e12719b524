//! Assignments. Those that take a value apart are what Rust makes of them: a `let` of parts, then one assignment for each.

use syn::spanned::Spanned;

use super::path::strip;
use super::{Parser, unraw};
use crate::front::ast::*;

/// The parts of a value, and where they go, in the order of the source.
type Parts = Vec<(ExprId, VarId)>;

impl Parser<'_> {
    pub(super) fn assign(&mut self, e: &syn::ExprAssign) -> ExprId {
        let span = e.eq_token.span();
        if !takes_apart(&e.left) {
            let (place, value) = (self.target_place(&e.left), self.expr(&e.right));
            return self.push(span, Kind::Assign { place, value });
        }
        let value = self.expr(&e.right);
        let mut parts = vec![];
        let pat = self.assigned_pat(&e.left, &mut parts);
        let mut stmts = vec![Stmt::Let { pat, ty: None, init: Some(value), otherwise: None }];
        for (place, part) in parts {
            let value = self.push(self.body.expr(place).span, Kind::Var(part));
            stmts.push(Stmt::Expr(self.push(span, Kind::Assign { place, value })));
        }
        self.push(span, Kind::Block { stmts, tail: None, label: None })
    }

    /// The left side of an assignment.
    pub(super) fn target_place(&mut self, expr: &syn::Expr) -> ExprId {
        let deref = |e: &syn::ExprUnary| matches!(e.op, syn::UnOp::Deref(_));
        match strip(expr) {
            syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_) => self.expr(expr),
            syn::Expr::Unary(e) if deref(e) => self.expr(expr),
            _ => self.bad(expr.span(), "kernels assign to variables, fields and elements, and to patterns of these"),
        }
    }

    /// The pattern that the left side of an assignment stands for.
    fn assigned_pat(&mut self, expr: &syn::Expr, parts: &mut Parts) -> PatId {
        let span = expr.span();
        let kind = match strip(expr) {
            syn::Expr::Infer(_) => PatKind::Wild,
            syn::Expr::Range(_) => PatKind::Rest,
            syn::Expr::Tuple(e) if e.elems.is_empty() => PatKind::Wild,
            syn::Expr::Tuple(e) => PatKind::Tuple(e.elems.iter().map(|e| self.assigned_pat(e, parts)).collect()),
            syn::Expr::Array(e) => PatKind::List(e.elems.iter().map(|e| self.assigned_pat(e, parts)).collect()),
            syn::Expr::Struct(e) => self.assigned_struct(e, parts),
            syn::Expr::Call(e) => self.assigned_tuple_struct(e, parts),
            place => {
                let target = self.target_place(place);
                let var = self.unnamed("part", span);
                parts.push((target, var));
                PatKind::Bind { var, sub: None }
            }
        };
        self.push_pat(span, kind)
    }

    fn assigned_struct(&mut self, e: &syn::ExprStruct, parts: &mut Parts) -> PatKind {
        let found = self.names.path_type(&e.path);
        let Some(ty) = self.named(found) else { return PatKind::Bad };
        let fields = e.fields.iter().map(|field| {
            let name = match &field.member {
                syn::Member::Named(ident) => unraw(ident),
                syn::Member::Unnamed(index) => index.index.to_string(),
            };
            (name, self.assigned_pat(&field.expr, parts))
        });
        PatKind::Struct { fields: fields.collect(), ty }
    }

    fn assigned_tuple_struct(&mut self, e: &syn::ExprCall, parts: &mut Parts) -> PatKind {
        let syn::Expr::Path(path) = strip(&e.func) else {
            self.errors
                .refuse(e.func.span(), "kernels assign to variables, fields and elements, and to patterns of these");
            return PatKind::Bad;
        };
        let found = self.names.path_type(&path.path);
        let Some(ty) = self.named(found) else { return PatKind::Bad };
        let rest = e.args.iter().position(|e| matches!(strip(e), syn::Expr::Range(_)));
        let numbers = self.numbered(&ty, e.args.len(), rest);
        let mut fields = vec![];
        for (element, number) in e.args.iter().zip(numbers) {
            if let Some(number) = number {
                fields.push((number.to_string(), self.assigned_pat(element, parts)));
            }
        }
        PatKind::Struct { ty, fields }
    }
}

/// Whether the left side of an assignment is a pattern rather than one place.
fn takes_apart(left: &syn::Expr) -> bool {
    matches!(
        strip(left),
        syn::Expr::Infer(_) | syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Struct(_) | syn::Expr::Call(_)
    )
}
