//! What a `for` walks over: a range or elements with adaptors, else a value.

use super::Parser;
use super::path::strip;
use crate::front::ast::*;

impl Parser<'_> {
    pub(super) fn iter(&mut self, expr: &syn::Expr) -> Iter {
        match strip(expr) {
            syn::Expr::Range(syn::ExprRange { start: Some(start), end, limits, .. }) => {
                let start = self.expr(start);
                let end = end.as_deref().map(|end| self.expr(end));
                Iter::Range { start, end, inclusive: matches!(limits, syn::RangeLimits::Closed(_)) }
            }
            syn::Expr::Reference(r) => Iter::Elements { place: self.expr(&r.expr), mutable: r.mutability.is_some() },
            syn::Expr::MethodCall(call) => self.adaptor(call),
            other => Iter::Value(self.expr(other)),
        }
    }

    fn adaptor(&mut self, call: &syn::ExprMethodCall) -> Iter {
        let name = super::unraw(&call.method);
        let inner = |p: &mut Self| Box::new(p.iter(&call.receiver));
        match (name.as_str(), call.args.len()) {
            ("rev", 0) => Iter::Rev(inner(self)),
            ("enumerate", 0) => Iter::Enumerate(inner(self)),
            ("copied" | "cloned" | "into_iter", 0) => *inner(self),
            ("step_by", 1) => Iter::StepBy(inner(self), self.expr(&call.args[0])),
            ("take", 1) => Iter::Take(inner(self), self.expr(&call.args[0])),
            ("skip", 1) => Iter::Skip(inner(self), self.expr(&call.args[0])),
            ("zip", 1) => Iter::Zip(inner(self), Box::new(self.iter(&call.args[0]))),
            ("iter" | "iter_mut", 0) => {
                Iter::Elements { place: self.expr(&call.receiver), mutable: name == "iter_mut" }
            }
            ("chunks_exact" | "chunks_exact_mut", 1) => Iter::Chunks {
                place: self.expr(&call.receiver),
                size: self.expr(&call.args[0]),
                mutable: name == "chunks_exact_mut",
            },
            _ => Iter::Value(self.expr(&syn::Expr::MethodCall(call.clone()))),
        }
    }
}
