//! Variables of one name that a user's `macro_rules!` keeps apart: its own, and those that its caller handed over.
//!
//! To rustc these are different variables. We find variables by their names, so what is lowered has another name for each
//! of them. The plain function stays as it was written.

use std::collections::HashMap;

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, ExprCall, ExprPath, FieldPat, FieldValue, ImplItem, Item, ItemFn, ItemImpl, Macro, Member, Pat,
    PatIdent,
};
use syn::{Signature, token};

/// An item in which no two variables of different macros share a name.
pub(crate) trait Apart {
    fn apart(&self) -> Self;
}

impl Apart for ItemFn {
    fn apart(&self) -> ItemFn {
        let mut item = self.clone();
        keep_apart(&mut item.sig, &mut item.block);
        item
    }
}

impl Apart for ItemImpl {
    fn apart(&self) -> ItemImpl {
        let mut item = self.clone();
        for part in &mut item.items {
            if let ImplItem::Fn(method) = part {
                keep_apart(&mut method.sig, &mut method.block);
            }
        }
        item
    }
}

fn keep_apart(signature: &mut Signature, block: &mut Block) {
    let mut bound = Bound::default();
    bound.visit_signature(signature);
    bound.visit_block(block);
    let mut names = Names(bound.names());
    if !names.0.is_empty() {
        names.visit_signature_mut(signature);
        names.visit_block_mut(block);
    }
}

/// Which expansion a token comes from. Only the text of a span tells; where it does not, all come from one.
fn origin(span: Span) -> String {
    let text = format!("{span:?}");
    text.split(' ').next().filter(|first| first.starts_with('#')).unwrap_or_default().to_string()
}

/// The names that patterns bind, each with the origins of those who bind it.
#[derive(Default)]
struct Bound(HashMap<String, Vec<String>>);

impl Bound {
    /// New names for all variables of a name but the first ones.
    fn names(self) -> HashMap<(String, String), String> {
        let mut names = HashMap::new();
        for (name, origins) in &self.0 {
            for (k, origin) in origins.iter().enumerate().skip(1) {
                let mut new = format!("{}_{}", name.trim_start_matches("r#"), k + 1);
                while self.0.contains_key(&new) {
                    new.push('_');
                }
                names.insert((name.clone(), origin.clone()), new);
            }
        }
        names
    }
}

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        // Names in capitals may be constants, which macros do not keep apart.
        if !pat.ident.unraw().to_string().starts_with(char::is_uppercase) {
            let (origins, origin) = (self.0.entry(pat.ident.to_string()).or_default(), origin(pat.ident.span()));
            if !origins.contains(&origin) {
                origins.push(origin);
            }
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

struct Names(HashMap<(String, String), String>);

impl Names {
    fn new_name(&self, name: &str, span: Span) -> Option<&String> {
        self.0.get(&(name.to_string(), origin(span)))
    }

    fn rename(&self, ident: &mut Ident) {
        if let Some(new) = self.new_name(&ident.to_string(), ident.span()) {
            *ident = Ident::new(new, ident.span());
        }
    }

    /// The arguments of a macro: variables, but no fields.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut dots = 0;
        tokens
            .into_iter()
            .map(|token| {
                let behind = std::mem::take(&mut dots);
                match token {
                    TokenTree::Ident(mut ident) if behind != 1 => {
                        self.rename(&mut ident);
                        TokenTree::Ident(ident)
                    }
                    TokenTree::Group(group) => {
                        let mut changed = proc_macro2::Group::new(group.delimiter(), self.tokens(group.stream()));
                        changed.set_span(group.span());
                        TokenTree::Group(changed)
                    }
                    TokenTree::Literal(literal) => TokenTree::Literal(self.format(literal)),
                    TokenTree::Punct(punct) => {
                        dots = if punct.as_char() == '.' { behind + 1 } else { 0 };
                        TokenTree::Punct(punct)
                    }
                    other => other,
                }
            })
            .collect()
    }

    /// `"{x}"` names a variable.
    fn format(&self, literal: Literal) -> Literal {
        // `{{` is no beginning of a name.
        let (mut text, own) = (literal.to_string().replace("{{", "\u{1}"), origin(literal.span()));
        for ((name, origin), new) in &self.0 {
            if *origin == own {
                text = text.replace(&format!("{{{name}}}"), &format!("{{{new}}}"));
                text = text.replace(&format!("{{{name}:"), &format!("{{{new}:"));
            }
        }
        let Ok(mut changed) = text.replace('\u{1}', "{{").parse::<Literal>() else { return literal };
        changed.set_span(literal.span());
        changed
    }
}

impl VisitMut for Names {
    fn visit_pat_ident_mut(&mut self, pat: &mut PatIdent) {
        self.rename(&mut pat.ident);
        visit_mut::visit_pat_ident_mut(self, pat);
    }

    fn visit_field_pat_mut(&mut self, field: &mut FieldPat) {
        visit_mut::visit_field_pat_mut(self, field);
        if let (Member::Named(name), Pat::Ident(pat), None) = (&field.member, &*field.pat, field.colon_token)
            && *name != pat.ident
        {
            field.colon_token = Some(token::Colon::default());
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut FieldValue) {
        visit_mut::visit_field_value_mut(self, field);
        if let (Member::Named(name), Expr::Path(value), None) = (&field.member, &field.expr, field.colon_token)
            && !value.path.is_ident(name)
        {
            field.colon_token = Some(token::Colon::default());
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        if path.qself.is_none() && path.path.get_ident().is_some() {
            self.rename(&mut path.path.segments[0].ident);
        }
        visit_mut::visit_expr_path_mut(self, path);
    }

    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        // Functions are found by their names alone.
        if !matches!(*call.func, Expr::Path(_)) {
            self.visit_expr_mut(&mut call.func);
        }
        call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        mac.tokens = self.tokens(std::mem::take(&mut mac.tokens));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
