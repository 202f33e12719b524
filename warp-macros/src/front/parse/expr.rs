//! Expressions.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;

use super::{Parser, unraw};
use crate::front::ast::*;
use crate::front::text::one_line;
use crate::front::types::Ty;

impl Parser<'_> {
    /// An expression. Closures are refused unless the caller has just allowed one.
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> ExprId {
        let closure_allowed = std::mem::take(&mut self.closure_allowed);
        let borrow_allowed = std::mem::take(&mut self.borrow_allowed);
        let span = expr.span();
        match expr {
            syn::Expr::Paren(syn::ExprParen { expr: inner, .. }) | syn::Expr::Group(syn::ExprGroup { expr: inner, .. }) => {
                (self.closure_allowed, self.borrow_allowed) = (closure_allowed, borrow_allowed);
                self.expr(inner)
            }
            syn::Expr::Lit(e) => self.lit(&e.lit),
            syn::Expr::Path(e) => self.path(e),
            syn::Expr::Unary(_) | syn::Expr::Binary(_) | syn::Expr::Cast(_) | syn::Expr::Field(_)
                if self.is_constant(expr) =>
            {
                let inner = self.operator(expr);
                self.folded(expr, span, inner)
            }
            syn::Expr::Unary(_) | syn::Expr::Binary(_) | syn::Expr::Cast(_) | syn::Expr::Field(_) => {
                self.operator(expr)
            }
            syn::Expr::Assign(e) => self.assign(e),
            syn::Expr::Index(e) => {
                let text = one_line(expr.to_token_stream());
                let (base, index) = (self.expr(&e.expr), self.expr(&e.index));
                self.push_text(span, text, Kind::Index { base, index })
            }
            syn::Expr::Range(e) => {
                let start = e.start.as_deref().map(|e| self.expr(e));
                let end = e.end.as_deref().map(|e| self.expr(e));
                let inclusive = matches!(e.limits, syn::RangeLimits::Closed(_));
                self.push(span, Kind::Range { start, end, inclusive })
            }
            syn::Expr::Reference(e) if e.mutability.is_some() && !borrow_allowed => self.bad(
                e.and_token.span(),
                "kernels keep no references in values: pass `&mut place` directly as an argument, or assign to the place",
            ),
            syn::Expr::Reference(e) => {
                let place = self.expr(&e.expr);
                self.push(span, Kind::Borrow { mutable: e.mutability.is_some(), place })
            }
            syn::Expr::Call(e) => self.call(e, one_line(expr.to_token_stream())),
            syn::Expr::MethodCall(e) => self.method(e, one_line(expr.to_token_stream())),
            syn::Expr::Struct(e) => self.struct_literal(e),
            syn::Expr::Tuple(e) if e.elems.is_empty() => self.push(span, Kind::Unit),
            syn::Expr::Tuple(e) => {
                let list = e.elems.iter().map(|e| self.expr(e)).collect();
                self.push(span, Kind::Tuple(list))
            }
            syn::Expr::Array(e) => {
                let list = e.elems.iter().map(|e| self.expr(e)).collect();
                self.push(span, Kind::List(list))
            }
            syn::Expr::Repeat(e) => {
                let value = self.expr(&e.expr);
                let found = self.names.length(&e.len);
                match self.named(found) {
                    Some(len) => self.push(span, Kind::Repeat { value, len }),
                    None => self.push(span, Kind::Bad),
                }
            }
            syn::Expr::If(e) => self.if_(e),
            syn::Expr::Let(e) => {
                let value = self.borrowing(&e.expr);
                let pat = self.refutable_pat(&e.pat);
                self.push(span, Kind::Let { pat, value })
            }
            syn::Expr::Match(e) => self.match_(e),
            syn::Expr::Block(e) => self.block_expr(e),
            syn::Expr::While(e) => self.while_(e),
            syn::Expr::Loop(e) => {
                let target = self.new_target();
                let label = label(&e.label);
                let body = self.inside_target(label, target, true, |p| p.block(&e.body, None));
                self.push(e.loop_token.span(), Kind::Loop { body, target })
            }
            syn::Expr::ForLoop(e) => self.for_(e),
            syn::Expr::Break(e) => self.break_(e),
            syn::Expr::Continue(e) => match self.find_target(e.continue_token.span(), &e.label, true) {
                Some(target) => self.push(span, Kind::Continue { target }),
                None => self.push(span, Kind::Bad),
            },
            syn::Expr::Return(e) if self.in_closure => {
                self.bad(e.return_token.span(), "a closure in a kernel gives its value at its end, without `return`")
            }
            syn::Expr::Return(e) => {
                let value = e.expr.as_deref().map(|e| self.expr(e));
                self.push(span, Kind::Return(value))
            }
            syn::Expr::Macro(e) => self.macro_call(&e.mac),
            syn::Expr::Closure(e) if closure_allowed => self.closure(e),
            other => self.refused(other),
        }
    }

    /// Operators and fields.
    fn operator(&mut self, expr: &syn::Expr) -> ExprId {
        let span = expr.span();
        match expr {
            syn::Expr::Unary(e) => {
                let value = self.borrowing(&e.expr);
                match e.op {
                    syn::UnOp::Deref(_) => self.push(span, Kind::Deref(value)),
                    syn::UnOp::Not(_) => self.push(span, Kind::Unary { op: Unary::Not, value }),
                    _ => self.push(span, Kind::Unary { op: Unary::Neg, value }),
                }
            }
            syn::Expr::Binary(e) => self.binary(e),
            syn::Expr::Cast(e) => {
                let value = self.expr(&e.expr);
                let to = self.ty(&e.ty);
                self.push(e.as_token.span(), Kind::Cast { value, to })
            }
            syn::Expr::Field(e) => {
                let base = self.expr(&e.base);
                let (name, name_span) = match &e.member {
                    syn::Member::Named(ident) => (unraw(ident), ident.span()),
                    syn::Member::Unnamed(index) => (index.index.to_string(), index.span),
                };
                self.push(span, Kind::Field { base, name, name_span })
            }
            other => self.expr(other),
        }
    }

    fn binary(&mut self, e: &syn::ExprBinary) -> ExprId {
        use syn::BinOp as B;
        let (op, compound) = match e.op {
            B::And(_) | B::Or(_) => {
                let and = matches!(e.op, B::And(_));
                let (left, right) = (self.expr(&e.left), self.expr(&e.right));
                return self.push(e.op.span(), Kind::Logic { and, left, right });
            }
            B::Add(_) => (Binary::Add, false),
            B::Sub(_) => (Binary::Sub, false),
            B::Mul(_) => (Binary::Mul, false),
            B::Div(_) => (Binary::Div, false),
            B::Rem(_) => (Binary::Rem, false),
            B::BitXor(_) => (Binary::Xor, false),
            B::BitAnd(_) => (Binary::And, false),
            B::BitOr(_) => (Binary::Or, false),
            B::Shl(_) => (Binary::Shl, false),
            B::Shr(_) => (Binary::Shr, false),
            B::Eq(_) => (Binary::Eq, false),
            B::Lt(_) => (Binary::Lt, false),
            B::Le(_) => (Binary::Le, false),
            B::Ne(_) => (Binary::Ne, false),
            B::Ge(_) => (Binary::Ge, false),
            B::Gt(_) => (Binary::Gt, false),
            B::AddAssign(_) => (Binary::Add, true),
            B::SubAssign(_) => (Binary::Sub, true),
            B::MulAssign(_) => (Binary::Mul, true),
            B::DivAssign(_) => (Binary::Div, true),
            B::RemAssign(_) => (Binary::Rem, true),
            B::BitXorAssign(_) => (Binary::Xor, true),
            B::BitAndAssign(_) => (Binary::And, true),
            B::BitOrAssign(_) => (Binary::Or, true),
            B::ShlAssign(_) => (Binary::Shl, true),
            B::ShrAssign(_) => (Binary::Shr, true),
            _ => return self.bad(e.op.span(), "kernels do not have this operator"),
        };
        let divides = matches!(op, Binary::Div | Binary::Rem);
        let text = if divides { one_line(e.to_token_stream()) } else { String::new() };
        let left = if compound { self.target_place(&e.left) } else { self.expr(&e.left) };
        let right = self.expr(&e.right);
        if compound && crate::expand::right_first(e) {
            self.body.hoisted.insert(right);
        }
        let kind = match compound {
            true => Kind::Compound { op, place: left, value: right },
            false => Kind::Binary { op, left, right },
        };
        self.push_text(e.op.span(), text, kind)
    }

    pub(super) fn lit(&mut self, lit: &syn::Lit) -> ExprId {
        let span = lit.span();
        match lit {
            // Patterns have their sign inside the literal.
            syn::Lit::Int(n) if n.base10_digits().starts_with('-') => {
                let value = self.lit(&syn::Lit::Int(syn::LitInt::new(n.to_string().trim_start_matches('-'), span)));
                self.push(span, Kind::Unary { op: Unary::Neg, value })
            }
            syn::Lit::Float(n) if n.base10_digits().starts_with('-') => {
                let value = self.lit(&syn::Lit::Float(syn::LitFloat::new(n.to_string().trim_start_matches('-'), span)));
                self.push(span, Kind::Unary { op: Unary::Neg, value })
            }
            syn::Lit::Int(n) => {
                let suffix = self.suffix(n.suffix(), span);
                if suffix.as_ref().is_some_and(Ty::is_float) {
                    return self.push(span, Kind::Float { text: n.base10_digits().into(), suffix });
                }
                match n.base10_parse::<u128>() {
                    Ok(value) => self.push(span, Kind::Int { value, suffix }),
                    Err(_) => self.bad(span, "this number is too large"),
                }
            }
            syn::Lit::Float(n) => {
                let suffix = self.suffix(n.suffix(), span);
                self.push(span, Kind::Float { text: n.base10_digits().into(), suffix })
            }
            syn::Lit::Bool(b) => self.push(span, Kind::Bool(b.value)),
            syn::Lit::Byte(b) => self.push(span, Kind::Int { value: b.value() as u128, suffix: Ty::primitive("u8") }),
            syn::Lit::Str(_) | syn::Lit::ByteStr(_) | syn::Lit::CStr(_) => {
                self.bad(span, "kernels have no strings: text may stand only in `println!`, `assert!` and `panic!`")
            }
            syn::Lit::Char(_) => self.bad(span, "kernels have no `char`: use `u8` (`b'a'`) or `u32`"),
            _ => self.bad(span, "kernels do not have this kind of literal"),
        }
    }

    fn suffix(&mut self, suffix: &str, span: proc_macro2::Span) -> Option<Ty> {
        if suffix.is_empty() {
            return None;
        }
        let ty = Ty::primitive(suffix);
        if ty.is_none() {
            self.errors.refuse(span, format!("kernels do not have the type `{suffix}`"));
        }
        ty
    }

    /// An expression where `&mut place` may stand.
    pub(super) fn borrowing(&mut self, expr: &syn::Expr) -> ExprId {
        self.borrow_allowed = true;
        self.expr(expr)
    }

    /// An argument of a call, where a borrow may stand.
    pub(super) fn argument(&mut self, expr: &syn::Expr) -> ExprId {
        self.borrowing(expr)
    }

    fn method(&mut self, e: &syn::ExprMethodCall, text: String) -> ExprId {
        let receiver = self.borrowing(&e.receiver);
        let name = unraw(&e.method);
        let args = e
            .args
            .iter()
            .map(|a| {
                if let (syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }), "expect") = (a, name.as_str()) {
                    return self.push(s.span(), Kind::Text(s.value()));
                }
                (self.closure_allowed, self.borrow_allowed) = (true, true);
                self.expr(a)
            })
            .collect();
        let generics = e.turbofish.as_ref().map(|list| self.generics(list)).unwrap_or_default();
        let name_span = e.method.span();
        self.push_text(name_span, text, Kind::Method { receiver, name, name_span, generics, args })
    }

    fn closure(&mut self, e: &syn::ExprClosure) -> ExprId {
        let outer = std::mem::take(&mut self.targets);
        let outside = std::mem::replace(&mut self.in_closure, true);
        let (params, body) = self.scoped(|p| {
            let params = e.inputs.iter().map(|pat| p.pat(pat)).collect();
            (params, p.expr(&e.body))
        });
        self.targets = outer;
        self.in_closure = outside;
        self.push(e.inputs_begin.span(), Kind::Closure { params, body })
    }

    fn struct_literal(&mut self, e: &syn::ExprStruct) -> ExprId {
        let span = e.path.span();
        let found = self.names.path_type(&e.path);
        let ty = self.named(found);
        let fields = e
            .fields
            .iter()
            .map(|f| {
                let name = match &f.member {
                    syn::Member::Named(ident) => unraw(ident),
                    syn::Member::Unnamed(index) => index.index.to_string(),
                };
                (name, self.expr(&f.expr))
            })
            .collect();
        let base = e.rest.as_deref().map(|r| self.expr(r));
        match ty {
            Some(ty) => self.push(span, Kind::Struct { ty, fields, base }),
            None => self.push(span, Kind::Bad),
        }
    }

    fn if_(&mut self, e: &syn::ExprIf) -> ExprId {
        let (cond, then) = self.scoped(|p| (p.expr(&e.cond), p.block(&e.then_branch, None)));
        let otherwise = e.else_branch.as_ref().map(|(_, e)| self.expr(e));
        self.push(e.if_token.span(), Kind::If { cond, then, otherwise })
    }

    fn match_(&mut self, e: &syn::ExprMatch) -> ExprId {
        let value = self.borrowing(&e.expr);
        let arms = e
            .arms
            .iter()
            .map(|arm| {
                self.scoped(|p| {
                    let (pat, guard) = match &arm.pat {
                        syn::Pat::Guard(g) => (p.refutable_pat(&g.pat), Some(p.expr(&g.guard))),
                        pat => (p.refutable_pat(pat), None),
                    };
                    let cases = p.guarded_cases(pat, guard);
                    Arm { pat, cases, guard, body: p.expr(&arm.body) }
                })
            })
            .collect();
        self.push(e.match_token.span(), Kind::Match { value, arms })
    }

    fn block_expr(&mut self, e: &syn::ExprBlock) -> ExprId {
        let Some(name) = label(&e.label) else { return self.block(&e.block, None) };
        let target = self.new_target();
        self.inside_target(Some(name), target, false, |p| p.block(&e.block, Some(target)))
    }

    fn while_(&mut self, e: &syn::ExprWhile) -> ExprId {
        let target = self.new_target();
        let (cond, body) = self
            .scoped(|p| p.inside_target(label(&e.label), target, true, |p| (p.expr(&e.cond), p.block(&e.body, None))));
        self.push(e.while_token.span(), Kind::While { cond, body, target })
    }

    fn for_(&mut self, e: &syn::ExprForLoop) -> ExprId {
        let iter = self.iter(&e.expr);
        let target = self.new_target();
        let (pat, body) = self.scoped(|p| {
            let pat = p.pat(&e.pat);
            (pat, p.inside_target(label(&e.label), target, true, |p| p.block(&e.body, None)))
        });
        self.push_text(e.for_token.span(), one_line(e.expr.to_token_stream()), Kind::For { pat, iter, body, target })
    }

    fn break_(&mut self, e: &syn::ExprBreak) -> ExprId {
        let value = e.expr.as_deref().map(|e| self.expr(e));
        match self.find_target(e.break_token.span(), &e.label, e.label.is_none()) {
            Some(target) => self.push(e.break_token.span(), Kind::Break { target, value }),
            None => self.push(e.break_token.span(), Kind::Bad),
        }
    }

    /// What is reported where there is none waits for rustc, which says it better.
    fn find_target(&mut self, at: Span, label: &Option<syn::Lifetime>, loops_only: bool) -> Option<Target> {
        let wanted = label.as_ref().map(|l| unraw(&l.ident));
        let found = self.targets.iter().rev().find(|t| match &wanted {
            Some(name) => t.label.as_ref() == Some(name),
            None => !loops_only || t.is_loop,
        });
        let found = found.map(|t| t.target);
        if found.is_none() {
            let span = label.as_ref().map_or(at, |l| l.span());
            self.errors.defer(span, "there is no such loop around this");
        }
        found
    }

    fn refused(&mut self, expr: &syn::Expr) -> ExprId {
        let span = expr.span();
        let message = match expr {
            syn::Expr::Try(_) => "kernels have no `?`: match on the `Option`, or use `let .. else`",
            syn::Expr::Async(_) | syn::Expr::Await(_) => "kernels have no async code: every thread runs to its end",
            syn::Expr::Unsafe(_) => "kernels need no `unsafe`, and have none: every access is checked",
            syn::Expr::Closure(_) => {
                "in kernels a closure may stand only as a direct argument of a method such as `map`: write a `#[func]`"
            }
            syn::Expr::RawAddr(_) => "kernels have no raw pointers: index the array",
            syn::Expr::Const(_) => "kernels have no const blocks: write a `const` item",
            syn::Expr::Yield(_) => "kernels have no coroutines",
            syn::Expr::Infer(_) => "`_` may stand only in patterns",
            _ => "kernels do not have this kind of expression",
        };
        self.bad(span, message)
    }
}

fn label(label: &Option<syn::Label>) -> Option<String> {
    label.as_ref().map(|l| unraw(&l.name.ident))
}
