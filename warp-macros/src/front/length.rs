//! Lengths of arrays: numbers, constants whose value is known, and arithmetic on them.

use std::collections::HashMap;

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::Visit;

use super::names::Named;
use super::parse::unraw;

/// What a length may be.
pub(crate) const SENTENCE: &str = "the length of an array in a kernel is a number, a const parameter, or a constant with `#[func]` \
     (`#[func] const N: usize = 8;`), or arithmetic on these: kernels lay arrays out before rustc evaluates constants";

/// The value of a length; `known` gives those of paths.
pub(crate) fn value(expr: &syn::Expr, known: &dyn Fn(&syn::Path) -> Option<u64>) -> Named<u64> {
    let fail = || Err((expr.span(), SENTENCE.to_string()));
    match expr {
        syn::Expr::Lit(lit) => match &lit.lit {
            syn::Lit::Int(n) => n.base10_parse().map_err(|_| (expr.span(), "this length is too large".into())),
            _ => fail(),
        },
        syn::Expr::Paren(e) => value(&e.expr, known),
        syn::Expr::Group(e) => value(&e.expr, known),
        syn::Expr::Block(b) if b.block.stmts.len() == 1 => match &b.block.stmts[0] {
            syn::Stmt::Expr(e, None) => value(e, known),
            _ => fail(),
        },
        syn::Expr::Path(p) if p.qself.is_none() => known(&p.path).map_or_else(fail, Ok),
        syn::Expr::Binary(b) => {
            let (l, r) = (value(&b.left, known)?, value(&b.right, known)?);
            arithmetic(&b.op, l, r, expr.span())
        }
        _ => fail(),
    }
}

fn arithmetic(op: &syn::BinOp, l: u64, r: u64, span: Span) -> Named<u64> {
    let value = match op {
        syn::BinOp::Add(_) => l.checked_add(r),
        syn::BinOp::Sub(_) => l.checked_sub(r),
        syn::BinOp::Mul(_) => l.checked_mul(r),
        syn::BinOp::Div(_) => l.checked_div(r),
        syn::BinOp::Rem(_) => l.checked_rem(r),
        syn::BinOp::Shl(_) => u32::try_from(r).ok().and_then(|r| l.checked_mul(1u64.checked_shl(r)?)),
        _ => return Err((span, SENTENCE.into())),
    };
    value.ok_or_else(|| (span, "this length overflows".into()))
}

/// The paths in a length that may name constants: those are asked. Members of types (`Self::N`) are not.
pub(crate) fn paths(expr: &syn::Expr) -> Vec<syn::Path> {
    let mut found = vec![];
    collect(expr, &mut found);
    found
}

fn collect(expr: &syn::Expr, found: &mut Vec<syn::Path>) {
    match expr {
        syn::Expr::Paren(e) => collect(&e.expr, found),
        syn::Expr::Group(e) => collect(&e.expr, found),
        syn::Expr::Block(b) => {
            for stmt in &b.block.stmts {
                if let syn::Stmt::Expr(e, None) = stmt {
                    collect(e, found);
                }
            }
        }
        syn::Expr::Binary(b) => {
            collect(&b.left, found);
            collect(&b.right, found);
        }
        syn::Expr::Path(p) if p.qself.is_none() && is_free(&p.path) && !found.contains(&p.path) => {
            found.push(p.path.clone());
        }
        _ => {}
    }
}

/// Whether a path names a constant of a module, as far as its form tells.
fn is_free(path: &syn::Path) -> bool {
    let owner = path.segments.iter().rev().nth(1).map(|segment| unraw(&segment.ident));
    owner.is_none_or(|owner| !super::parse::path::is_camel(&owner) && super::types::Ty::primitive(&owner).is_none())
}

/// The constants that a body defines itself, by name, with the value of those that may be a length anywhere in it: a
/// `usize` of the outermost block, and no other of its name.
pub(crate) fn local_constants(block: &syn::Block) -> HashMap<String, Option<syn::Expr>> {
    struct Constants(HashMap<String, Option<syn::Expr>>);
    impl<'ast> Visit<'ast> for Constants {
        fn visit_item(&mut self, item: &'ast syn::Item) {
            if let syn::Item::Const(item) = item {
                self.0.insert(unraw(&item.ident), None);
            }
        }
    }
    let mut constants = Constants(HashMap::new());
    block.stmts.iter().filter(|stmt| !matches!(stmt, syn::Stmt::Item(_))).for_each(|stmt| constants.visit_stmt(stmt));
    for stmt in &block.stmts {
        if let syn::Stmt::Item(syn::Item::Const(item)) = stmt {
            let value = (item.ty.to_token_stream().to_string() == "usize").then(|| (*item.expr).clone());
            constants.0.entry(unraw(&item.ident)).or_insert(value);
        }
    }
    constants.0
}
