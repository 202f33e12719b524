//! Methods of `Option`: a flag and a value.

use warp_ir::ir::{CheckKind, Value};

use super::Lower;
use crate::front::ast::*;
use crate::front::types::Ty;

impl Lower<'_> {
    pub(super) fn option_method(
        &mut self,
        id: ExprId,
        receiver: ExprId,
        inner: &Ty,
        name: &str,
        args: &[ExprId],
    ) -> Vec<Value> {
        let own_type = self.ty(receiver).clone();
        if name == "take" {
            let place = self.place(receiver);
            let old = self.read(&place);
            let none = self.zeros(&own_type);
            self.write(&place, &none);
            return old;
        }
        let own = self.value(receiver, &own_type);
        let (some, value) = (own[0], own[1..].to_vec());
        let result = self.ty(id).clone();
        match name {
            "is_some" => vec![some],
            "is_none" => vec![self.b.not(some)],
            "unwrap" | "expect" => {
                let message = self.expectation(args);
                let source = self.source(id);
                self.b.check(some, CheckKind::Unwrap { message }, &[], source);
                value
            }
            "unwrap_or_default" => {
                let zeros = self.zeros(inner);
                self.choose(some, &value, &zeros)
            }
            "unwrap_or" => {
                let default = self.value(args[0], inner);
                self.choose(some, &value, &default)
            }
            "unwrap_or_else" => self.either(some, inner, |_| value.clone(), |l| l.apply(args[0], &[], inner)),
            "or" => {
                let other = self.value(args[0], &own_type);
                self.choose(some, &own, &other)
            }
            "or_else" => self.either(some, &own_type, |_| own.clone(), |l| l.apply(args[0], &[], &own_type)),
            "and" => {
                let other = self.value(args[0], &result);
                let none = self.zeros(&result);
                self.choose(some, &other, &none)
            }
            "xor" => {
                let other = self.value(args[0], &own_type);
                let merged = self.choose(some, &value, &other[1..]);
                let mut all = vec![self.b.xor(some, other[0])];
                all.extend(merged);
                all
            }
            "zip" => {
                let ty = self.ty(args[0]).clone();
                let other = self.value(args[0], &ty);
                let mut all = vec![self.b.and(some, other[0])];
                all.extend(value);
                all.extend(&other[1..]);
                all
            }
            "map" => {
                let Ty::Option(to) = result.clone() else { return own };
                let run = |l: &mut Self| {
                    let mapped = l.apply(args[0], &[(inner, &value)], &to);
                    let mut all = vec![l.b.bool(true)];
                    all.extend(mapped);
                    all
                };
                self.either(some, &result, run, |l| l.zeros(&result))
            }
            "and_then" => {
                self.either(some, &result, |l| l.apply(args[0], &[(inner, &value)], &result), |l| l.zeros(&result))
            }
            "filter" => {
                let keep = self.test(some, args[0], inner, &value, false);
                let mut all = vec![keep];
                all.extend(value);
                all
            }
            "is_some_and" => vec![self.test(some, args[0], inner, &value, false)],
            "is_none_or" => vec![self.test(some, args[0], inner, &value, true)],
            "map_or" => {
                let default = self.value(args[0], &result);
                self.either(some, &result, |l| l.apply(args[1], &[(inner, &value)], &result), |_| default)
            }
            "map_or_else" => self.either(
                some,
                &result,
                |l| l.apply(args[1], &[(inner, &value)], &result),
                |l| l.apply(args[0], &[], &result),
            ),
            _ => own,
        }
    }

    /// What a closure says of the value that is there; `otherwise` where none is.
    fn test(&mut self, some: Value, closure: ExprId, inner: &Ty, value: &[Value], otherwise: bool) -> Value {
        let run = |l: &mut Self| l.apply(closure, &[(inner, value)], &Ty::BOOL);
        self.either(some, &Ty::BOOL, run, |l| vec![l.b.bool(otherwise)])[0]
    }

    /// A closure in place.
    fn apply(&mut self, closure: ExprId, given: &[(&Ty, &[Value])], result: &Ty) -> Vec<Value> {
        let body = self.body;
        let Kind::Closure { params, body: inner } = &body.expr(closure).kind else { return self.zeros(result) };
        for (param, (ty, values)) in params.iter().zip(given) {
            self.bind(*param, ty, values);
        }
        self.value(*inner, result)
    }

    fn expectation(&self, args: &[ExprId]) -> String {
        match args.first().map(|&e| &self.body.expr(e).kind) {
            Some(Kind::Text(text)) => text.clone(),
            _ => String::new(),
        }
    }
}
