//! The item as plain Rust: the user's tokens, with the two changes that the borrow checker asks for.
//!
//! In a kernel `a[i] += a[j] * m[(i, j)]` and `atomic_add(&mut f[j], f[i])` are everyday lines; in Rust the place on the
//! left is borrowed before the right side is read. So, where the right side names the same array, it is evaluated
//! first. All else stays as the user wrote it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Block, Expr, parse_quote, parse_quote_spanned};

use crate::front;

/// Rewrites a body in place.
pub(crate) fn rewrite(block: &mut Block) {
    Rewriter { next: 0 }.visit_block_mut(block);
}

/// Whether the right side of a compound assignment is evaluated before the place.
pub(crate) fn right_first(binary: &syn::ExprBinary) -> bool {
    is_compound(&binary.op) && indexed_root(&binary.left).is_some_and(|root| mentions(&binary.right, &root))
}

/// Which arguments of a call are evaluated before its first one, a `&mut place`.
pub(crate) fn evaluated_first(call: &syn::ExprCall) -> Vec<bool> {
    let root = match call.args.first() {
        Some(Expr::Reference(first)) if first.mutability.is_some() => place_root(&first.expr),
        _ => None,
    };
    let early = |(k, argument)| k > 0 && root.as_ref().is_some_and(|root| mentions(argument, root));
    call.args.iter().enumerate().map(early).collect()
}

fn is_compound(op: &BinOp) -> bool {
    use BinOp::*;
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

struct Rewriter {
    next: u32,
}

impl Rewriter {
    fn name(&mut self, at: Span) -> Ident {
        self.next += 1;
        // Mixed-site names cannot meet a name of the user's.
        format_ident!("__warp_{}", self.next, span = Span::mixed_site().located_at(at))
    }

    fn compound(&mut self, expr: &mut Expr) {
        let Expr::Binary(binary) = expr else { return };
        if !right_first(binary) {
            return;
        }
        let name = self.name(binary.right.span());
        let (attrs, left, op, right) = (&binary.attrs, &binary.left, &binary.op, &binary.right);
        *expr = parse_quote! { { let #name = #right; #(#attrs)* { #left #op #name } } };
    }

    fn call(&mut self, expr: &mut Expr) {
        let Expr::Call(call) = expr else { return };
        let early = evaluated_first(call);
        let mut lets = TokenStream::new();
        for (argument, early) in call.args.iter_mut().zip(early) {
            if early {
                let name = self.name(argument.span());
                let stays = std::mem::replace(argument, parse_quote_spanned!(argument.span()=> #name));
                lets.extend(quote::quote!(let #name = #stays;));
            }
        }
        if !lets.is_empty() {
            *expr = parse_quote! { { #lets #call } };
        }
    }
}

impl VisitMut for Rewriter {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        self.compound(expr);
        self.call(expr);
    }

    // Items inside the body are not ours.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The variable of `a[i].x[j]`, when the place is indexed at all.
fn indexed_root(place: &Expr) -> Option<Ident> {
    match place {
        Expr::Index(index) => place_root(&index.expr),
        Expr::Field(field) => indexed_root(&field.base),
        Expr::Paren(paren) => indexed_root(&paren.expr),
        Expr::Group(group) => indexed_root(&group.expr),
        _ => None,
    }
}

/// The variable of a place; fields of a bundle count as one variable.
fn place_root(place: &Expr) -> Option<Ident> {
    match place {
        Expr::Index(index) => place_root(&index.expr),
        Expr::Field(field) => place_root(&field.base),
        Expr::Paren(paren) => place_root(&paren.expr),
        Expr::Group(group) => place_root(&group.expr),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => place_root(&unary.expr),
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    }
}

fn mentions(expr: &Expr, name: &Ident) -> bool {
    front::identifiers(expr.to_token_stream()).contains(&name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(block: &str) -> String {
        let mut block: Block = syn::parse_str(block).unwrap();
        rewrite(&mut block);
        block.to_token_stream().to_string()
    }

    #[test]
    fn the_right_side_comes_first_where_it_reads_the_same_array() {
        assert_eq!(
            rewritten("{ a[(i, j)] += a[(0, j)] * 2.0; }"),
            "{ { let __warp_1 = a [(0 , j)] * 2.0 ; { a [(i , j)] += __warp_1 } } ; }"
        );
        assert_eq!(rewritten("{ a[i] += b[j]; x += x * x; }"), "{ a [i] += b [j] ; x += x * x ; }");
    }

    #[test]
    fn later_arguments_come_before_a_borrowed_place() {
        assert_eq!(
            rewritten("{ atomic_add(&mut f[j], f[i].x + 1.0); }"),
            "{ { let __warp_1 = f [i] . x + 1.0 ; atomic_add (& mut f [j] , __warp_1) } ; }"
        );
        assert_eq!(rewritten("{ atomic_add(&mut f[j], v[i]); }"), "{ atomic_add (& mut f [j] , v [i]) ; }");
    }
}
