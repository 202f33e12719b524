//! Blocks and statements.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

use super::Parser;
use crate::front::ast::*;
use crate::front::text::one_line;

impl Parser<'_> {
    /// A block, which is a scope.
    pub(super) fn block(&mut self, block: &syn::Block, label: Option<Target>) -> ExprId {
        let span = block.brace_token.span.open();
        let (stmts, tail) = self.scoped(|p| p.with_constants(&block.stmts, |p| p.stmts(&block.stmts)));
        self.push(span, Kind::Block { stmts, tail, label })
    }

    fn stmts(&mut self, list: &[syn::Stmt]) -> (Vec<Stmt>, Option<ExprId>) {
        let mut stmts = vec![];
        let mut tail = None;
        for (k, stmt) in list.iter().enumerate() {
            let last = k + 1 == list.len();
            let count = stmts.len();
            match stmt {
                syn::Stmt::Local(local) => stmts.push(self.local(local)),
                syn::Stmt::Item(item) => self.item(item),
                // A semicolon alone.
                syn::Stmt::Expr(syn::Expr::Verbatim(tokens), _) if tokens.is_empty() => {}
                syn::Stmt::Expr(expr, None) if last => tail = Some(self.expr(expr)),
                syn::Stmt::Expr(expr, _) => {
                    let expr = self.expr(expr);
                    stmts.push(Stmt::Expr(expr));
                }
                syn::Stmt::Macro(mac) => {
                    let expr = self.macro_call(&mac.mac);
                    match last && mac.semi_token.is_none() {
                        true => tail = Some(expr),
                        false => stmts.push(Stmt::Expr(expr)),
                    }
                }
            }
            if let Some(expr) = stmts[count..].first().and_then(Stmt::evaluates).or(tail) {
                self.say(expr, stmt);
            }
        }
        (stmts, tail)
    }

    /// Keeps the text of a statement. Those of the library's sources are nobody's.
    fn say(&mut self, expr: ExprId, stmt: &syn::Stmt) {
        let text = if self.names.library { String::new() } else { headline(stmt) };
        if !text.is_empty() {
            self.body.statements.insert(expr, (stmt.span(), text));
        }
    }

    fn local(&mut self, local: &syn::Local) -> Stmt {
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(self.ty(&typed.ty))),
            other => (other, None),
        };
        // The new names are not yet visible in the initialiser and the else block.
        let init = local.init.as_ref().map(|init| self.borrowing(&init.expr));
        let otherwise = local.init.as_ref().and_then(|init| init.diverge.as_ref()).map(|(_, e)| self.expr(e));
        let pat = if otherwise.is_some() { self.refutable_pat(pat) } else { self.pat(pat) };
        Stmt::Let { pat, ty, init, otherwise }
    }

    fn item(&mut self, item: &syn::Item) {
        match item {
            // Constants go along with what names them, see `with_constants`.
            syn::Item::Const(_) => {}
            // At the beginning of a body it is resolved where faces are asked; further inside, it would be seen by all.
            syn::Item::Use(_) if self.constants.len() <= 1 => {}
            syn::Item::Use(u) => self.errors.refuse(
                u.use_token.span(),
                "kernels have no `use` in inner blocks: move it to the beginning of the function's body",
            ),
            syn::Item::Fn(f) => self.errors.refuse(
                f.sig.fn_token.span(),
                "a function inside a kernel's body cannot be called by the kernel: move it out and mark it `#[func]`",
            ),
            other => self.errors.refuse(
                other.span(),
                "kernels have no items of this kind inside their bodies: move it out of the function",
            ),
        }
    }
}

/// A statement on one line, of one with a body what stands before that.
fn headline(stmt: &syn::Stmt) -> String {
    let tokens = match stmt {
        syn::Stmt::Expr(expr, _) => head(expr),
        other => other.to_token_stream(),
    };
    one_line(tokens).trim_end_matches([';', ' ']).to_owned()
}

fn head(expr: &syn::Expr) -> TokenStream {
    match expr {
        syn::Expr::If(syn::ExprIf { cond, .. }) => quote!(if #cond),
        syn::Expr::While(syn::ExprWhile { cond, .. }) => quote!(while #cond),
        syn::Expr::ForLoop(syn::ExprForLoop { pat, expr, .. }) => quote!(for #pat in #expr),
        syn::Expr::Match(syn::ExprMatch { expr, .. }) => quote!(match #expr),
        syn::Expr::Loop(_) => quote!(loop),
        syn::Expr::Block(_) => TokenStream::new(),
        other => other.to_token_stream(),
    }
}
