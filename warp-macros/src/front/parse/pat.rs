//! Patterns.

use syn::spanned::Spanned;

use super::{Parser, unraw};
use crate::front::ast::*;
use crate::front::types::Ty;
use crate::front::walk::binds_by_alternatives;

/// Choices of alternatives that one guard is tried for.
const MOST_CASES: usize = 64;

impl Parser<'_> {
    /// A pattern; its names are declared in the innermost scope.
    pub(super) fn pat(&mut self, pat: &syn::Pat) -> PatId {
        let span = pat.span();
        let kind = match pat {
            syn::Pat::Wild(_) => PatKind::Wild,
            syn::Pat::Rest(_) => PatKind::Rest,
            syn::Pat::Paren(p) => return self.pat(&p.pat),
            syn::Pat::Reference(p) => PatKind::Reference(self.pat(&p.pat)),
            syn::Pat::Ident(p) => self.ident_pat(p),
            syn::Pat::Type(p) => {
                let ty = self.ty(&p.ty);
                PatKind::Typed(self.pat(&p.pat), ty)
            }
            syn::Pat::Lit(p) => PatKind::Value(self.lit(&p.lit)),
            syn::Pat::Path(p) => self.path_pat(&p.path),
            syn::Pat::Range(p) => PatKind::Range {
                start: p.start.as_deref().map(|e| self.expr(e)),
                end: p.end.as_deref().map(|e| self.expr(e)),
                inclusive: matches!(p.limits, syn::RangeLimits::Closed(_)),
            },
            syn::Pat::Tuple(p) if p.elems.is_empty() => PatKind::Wild,
            syn::Pat::Tuple(p) => PatKind::Tuple(p.elems.iter().map(|p| self.pat(p)).collect()),
            syn::Pat::Slice(p) => PatKind::List(p.elems.iter().map(|p| self.pat(p)).collect()),
            syn::Pat::Struct(p) => self.struct_pat(p),
            syn::Pat::TupleStruct(p) => self.tuple_struct_pat(p),
            syn::Pat::Or(p) => PatKind::Or(self.alternatives(p)),
            syn::Pat::Guard(p) => {
                self.errors.refuse(p.if_token.span(), "a guard stands after the whole pattern of a match arm");
                PatKind::Bad
            }
            // Negative numbers: older syntax trees wrap them.
            syn::Pat::Verbatim(tokens) => match syn::parse2::<syn::Expr>(tokens.clone()) {
                Ok(e) => PatKind::Value(self.expr(&e)),
                Err(_) => self.bad_pat(span),
            },
            _ => self.bad_pat(span),
        };
        self.push_pat(span, kind)
    }

    /// A pattern that may fail to match: an arm's, that of `if let` and the like.
    pub(super) fn refutable_pat(&mut self, pat: &syn::Pat) -> PatId {
        let outer = std::mem::replace(&mut self.refutable, true);
        let id = self.pat(pat);
        self.refutable = outer;
        id
    }

    /// Rust tries a guard for each alternative that matches, with the variables of that alternative: the patterns
    /// without alternatives that such a pattern stands for. None where the alternatives bind nothing.
    pub(super) fn guarded_cases(&mut self, pat: PatId, guard: Option<ExprId>) -> Vec<PatId> {
        let Some(guard) = guard else { return vec![] };
        if !binds_by_alternatives(&self.body, pat) {
            return vec![];
        }
        let cases = self.cases(pat);
        if cases.len() > MOST_CASES {
            let span = self.body.expr(guard).span;
            let sentence = format!(
                "this pattern stands for more than {MOST_CASES} alternatives that bind variables, and its guard for as \
                 many: write an arm for each"
            );
            self.errors.refuse(span, sentence);
            return vec![];
        }
        cases
    }

    /// All choices of the alternatives that bind variables, in Rust's order.
    fn cases(&mut self, pat: PatId) -> Vec<PatId> {
        if !binds_by_alternatives(&self.body, pat) {
            return vec![pat];
        }
        let (span, kind) = (self.body.pat(pat).span, self.body.pat(pat).kind.clone());
        let kinds: Vec<PatKind> = match kind {
            PatKind::Or(list) => return list.into_iter().flat_map(|p| self.cases(p)).collect(),
            PatKind::Tuple(list) => self.choices(&list).into_iter().map(PatKind::Tuple).collect(),
            PatKind::List(list) => self.choices(&list).into_iter().map(PatKind::List).collect(),
            PatKind::Struct { ty, fields } => {
                let (names, list): (Vec<String>, Vec<PatId>) = fields.into_iter().unzip();
                let fields = |list: Vec<PatId>| names.iter().cloned().zip(list).collect();
                let choices = self.choices(&list).into_iter();
                choices.map(|list| PatKind::Struct { ty: ty.clone(), fields: fields(list) }).collect()
            }
            PatKind::Bind { var, sub: Some(p) } => {
                self.cases(p).into_iter().map(|p| PatKind::Bind { var, sub: Some(p) }).collect()
            }
            PatKind::Some(p) => self.cases(p).into_iter().map(PatKind::Some).collect(),
            PatKind::Reference(p) => self.cases(p).into_iter().map(PatKind::Reference).collect(),
            PatKind::Typed(p, ty) => self.cases(p).into_iter().map(|p| PatKind::Typed(p, ty.clone())).collect(),
            _ => return vec![pat],
        };
        kinds.into_iter().map(|kind| self.push_pat(span, kind)).collect()
    }

    /// All choices of several patterns side by side; those of the last one change first.
    fn choices(&mut self, list: &[PatId]) -> Vec<Vec<PatId>> {
        let mut all = vec![vec![]];
        for &part in list {
            let cases = self.cases(part);
            all = all.iter().flat_map(|one| cases.iter().map(move |case| [&one[..], &[*case]].concat())).collect();
            all.truncate(MOST_CASES + 1);
        }
        all
    }

    fn bad_pat(&mut self, span: proc_macro2::Span) -> PatKind {
        self.errors.refuse(span, "kernels do not have this kind of pattern");
        PatKind::Bad
    }

    fn ident_pat(&mut self, p: &syn::PatIdent) -> PatKind {
        let name = unraw(&p.ident);
        if name == "None" {
            return PatKind::None;
        }
        // Where a pattern must match, a name is a variable, whatever its letters: rustc refuses constants there.
        let named = self.refutable && super::path::is_screaming(&name);
        if p.subpat.is_none() && p.by_ref.is_none() && p.mutability.is_none() && named {
            // A variable of that name is not meant: Rust looks for constants alone.
            let tokens = self.standing_alone(quote::ToTokens::to_token_stream(&p.ident));
            let ty = self.block_constant(&name);
            return PatKind::Value(self.push(p.ident.span(), Kind::Constant { tokens, ty }));
        }
        let capital = name.chars().next().is_some_and(char::is_uppercase);
        if self.refutable && capital && p.subpat.is_none() {
            self.errors.refuse(
                p.ident.span(),
                "kernels cannot tell this name from a variable: write `Type::Variant`, or a variable in small letters",
            );
            return PatKind::Bad;
        }
        if let (Some(by_ref), Some(_)) = (p.by_ref, p.mutability) {
            self.errors.refuse(by_ref.span(), "kernels keep no references in variables: assign to the place itself");
        }
        if let Some((_, sub)) = &p.subpat
            && matches!(**sub, syn::Pat::Rest(_))
        {
            self.errors.refuse(
                p.ident.span(),
                "kernels do not bind what `..` stands for: name the elements, or index the array",
            );
            return PatKind::Bad;
        }
        let sub = p.subpat.as_ref().map(|(_, sub)| self.pat(sub));
        let var = self.declare(&name, p.ident.span());
        PatKind::Bind { var, sub }
    }

    fn path_pat(&mut self, path: &syn::Path) -> PatKind {
        if super::path::names_option(path, "None") {
            return PatKind::None;
        }
        let value = self.path(&syn::ExprPath { attrs: vec![], qself: None, path: path.clone() });
        PatKind::Value(value)
    }

    fn struct_pat(&mut self, p: &syn::PatStruct) -> PatKind {
        let found = self.names.path_type(&p.path);
        let ty = self.named(found).unwrap_or(Ty::Unit);
        let fields = p
            .fields
            .iter()
            .map(|f| {
                let name = match &f.member {
                    syn::Member::Named(ident) => unraw(ident),
                    syn::Member::Unnamed(index) => index.index.to_string(),
                };
                (name, self.pat(&f.pat))
            })
            .collect();
        PatKind::Struct { ty, fields }
    }

    fn tuple_struct_pat(&mut self, p: &syn::PatTupleStruct) -> PatKind {
        if super::path::names_option(&p.path, "Some") && p.elems.len() == 1 {
            return PatKind::Some(self.pat(&p.elems[0]));
        }
        if p.path.get_ident().is_some_and(|name| name == "Ok" || name == "Err") {
            self.no_result(p.path.span());
            return PatKind::Bad;
        }
        let found = self.names.path_type(&p.path);
        let Some(ty) = self.named(found) else { return PatKind::Bad };
        let rest = p.elems.iter().position(|e| matches!(e, syn::Pat::Rest(_)));
        let numbers = self.numbered(&ty, p.elems.len(), rest);
        let mut fields = vec![];
        for (element, number) in p.elems.iter().zip(numbers) {
            if let Some(number) = number {
                fields.push((number.to_string(), self.pat(element)));
            }
        }
        PatKind::Struct { ty, fields }
    }

    /// Which field of a tuple struct each of `given` patterns meets, around one `..` at `rest`.
    pub(super) fn numbered(&self, ty: &Ty, given: usize, rest: Option<usize>) -> Vec<Option<usize>> {
        let count = self.names.field_count(ty);
        (0..given)
            .map(|k| match rest {
                Some(rest) if k == rest => None,
                Some(rest) if k > rest => Some(count.saturating_sub(given - k)),
                _ => Some(k),
            })
            .collect()
    }

    /// The same name in each alternative is one variable.
    fn alternatives(&mut self, p: &syn::PatOr) -> Vec<PatId> {
        let mut cases = vec![];
        let mut first: Option<Vec<(String, VarId)>> = None;
        for case in &p.cases {
            self.scopes.push(Default::default());
            cases.push(self.pat(case));
            let scope = self.scopes.pop().expect("pushed above");
            let mut bound: Vec<(String, VarId)> =
                scope.into_iter().filter_map(|(name, var)| Some((name, var?))).collect();
            bound.sort();
            match &first {
                None => first = Some(bound),
                Some(known) => {
                    let pairs: Vec<(VarId, VarId)> = bound
                        .iter()
                        .filter_map(|(name, var)| {
                            known.iter().find(|(n, _)| n == name).map(|(_, target)| (*var, *target))
                        })
                        .collect();
                    self.rename(*cases.last().expect("pushed above"), &pairs);
                }
            }
        }
        let scope = self.scopes.last_mut().expect("a scope is open");
        scope.extend(first.into_iter().flatten().map(|(name, var)| (name, Some(var))));
        cases
    }

    fn rename(&mut self, pat: PatId, pairs: &[(VarId, VarId)]) {
        let children: Vec<PatId> = match &mut self.body.pats[pat.0 as usize].kind {
            PatKind::Bind { var, sub } => {
                if let Some((_, to)) = pairs.iter().find(|(from, _)| from == var) {
                    *var = *to;
                }
                sub.iter().copied().collect()
            }
            PatKind::Tuple(list) | PatKind::List(list) | PatKind::Or(list) => list.clone(),
            PatKind::Struct { fields, .. } => fields.iter().map(|(_, p)| *p).collect(),
            PatKind::Some(p) | PatKind::Typed(p, _) | PatKind::Reference(p) => vec![*p],
            _ => vec![],
        };
        for child in children {
            self.rename(child, pairs);
        }
    }
}
