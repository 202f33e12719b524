//! Invisible groups, which a user's `macro_rules!` puts around an expression that it takes: `$e * 2` with `1 + 2` for `$e`
//! is `(1 + 2) * 2`.
//!
//! rustc drops such a group where a procedural macro hands it back. So expressions go without: what prints a tree writes
//! parentheses where its shape needs them.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ItemConst, ItemFn, ItemImpl, Macro};

/// An item whose expressions have no invisible groups any more.
pub(crate) trait Ungrouped {
    fn ungrouped(self) -> Self;
}

impl Ungrouped for ItemFn {
    fn ungrouped(mut self) -> ItemFn {
        Groups.visit_item_fn_mut(&mut self);
        self
    }
}

impl Ungrouped for ItemImpl {
    fn ungrouped(mut self) -> ItemImpl {
        Groups.visit_item_impl_mut(&mut self);
        self
    }
}

impl Ungrouped for ItemConst {
    fn ungrouped(mut self) -> ItemConst {
        Groups.visit_item_const_mut(&mut self);
        self
    }
}

struct Groups;

impl VisitMut for Groups {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        while let Expr::Group(group) = expr {
            *expr = (*group.expr).clone();
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        mac.tokens = parenthesised(std::mem::take(&mut mac.tokens));
    }
}

/// Arguments of a macro, which have no tree: groups of several parts become parentheses.
fn parenthesised(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Group(group) => {
                let delimiter = match group.delimiter() {
                    Delimiter::None if has_operator(&group) => Delimiter::Parenthesis,
                    other => other,
                };
                let mut changed = Group::new(delimiter, parenthesised(group.stream()));
                changed.set_span(group.span());
                TokenTree::Group(changed)
            }
            other => other,
        })
        .collect()
}

fn has_operator(group: &Group) -> bool {
    let operators = |expr: Expr| {
        matches!(
            expr,
            Expr::Binary(_) | Expr::Unary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Reference(_) | Expr::Closure(_)
        )
    };
    syn::parse2::<Expr>(group.stream()).is_ok_and(operators)
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};

    use super::*;

    fn invisible(tokens: TokenStream) -> TokenTree {
        TokenTree::Group(Group::new(Delimiter::None, tokens))
    }

    #[test]
    fn what_a_macro_took_stays_one_operand() {
        let sum = invisible(quote!(1 + 2));
        let name = invisible(quote!(x));
        let item: ItemFn = syn::parse_quote!(
            fn f() {
                let y = #sum * 2 - -#sum;
                let z = #name * #sum as u8;
                assert!(#sum * 2 == #name, "{}", #sum);
            }
        );
        let item = item.ungrouped();
        let expected: ItemFn = syn::parse_quote!(
            fn f() {
                let y = (1 + 2) * 2 - -(1 + 2);
                let z = x * (1 + 2) as u8;
                assert!((1 + 2) * 2 == x, "{}", (1 + 2));
            }
        );
        let text = |item: &ItemFn| item.to_token_stream().to_string();
        assert_eq!(text(&item), text(&expected));
    }
}
