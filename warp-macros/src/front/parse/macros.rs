//! The few macros that kernels have: assertions, panics and prints.

use proc_macro2::Span;
use quote::ToTokens;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;

use super::{Parser, unraw};
use crate::front::ast::*;
use crate::front::text::one_line;
use crate::front::types::Ty;

impl Parser<'_> {
    pub(super) fn macro_call(&mut self, mac: &syn::Macro) -> ExprId {
        let span = mac.path.span();
        let name = mac.path.segments.last().map(|s| unraw(&s.ident)).unwrap_or_default();
        let text = one_line(mac.to_token_stream());
        if name == "matches" {
            return self.matches(mac, span);
        }
        let args = Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated.parse2(mac.tokens.clone());
        let args: Vec<syn::Expr> = match args {
            Ok(list) => list.into_iter().collect(),
            Err(_) => return self.unknown_macro(span, &name),
        };
        match (name.as_str(), args.as_slice()) {
            ("assert" | "debug_assert", [cond, rest @ ..]) => {
                let said = one_line(cond.to_token_stream());
                let cond = self.expr(cond);
                let message = self.message(rest, &said);
                let check = self.push_text(span, text, Kind::Assert { cond, message });
                self.in_debug_builds(&name, check)
            }
            ("assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne", [left, right, rest @ ..]) => {
                let equal = name.ends_with("eq");
                let sign = if equal { "==" } else { "!=" };
                let said = format!("{} {sign} {}", one_line(left.to_token_stream()), one_line(right.to_token_stream()));
                let (left, right) = (self.expr(left), self.expr(right));
                let message = self.message(rest, &said);
                let check = self.push_text(span, text, Kind::AssertEq { equal, left, right, message });
                self.in_debug_builds(&name, check)
            }
            ("panic", rest) => {
                let message = self.message(rest, "explicit panic");
                self.push_text(span, text, Kind::Panic { message })
            }
            ("unreachable", rest) => {
                let mut message = self.message(rest, "");
                let lead = if message.is_empty() { "entered unreachable code" } else { "entered unreachable code: " };
                message.insert(0, Piece::Text(lead.into()));
                self.push_text(span, text, Kind::Panic { message })
            }
            ("todo" | "unimplemented", rest) => {
                let mut message = self.message(rest, "");
                let word = if name == "todo" { "not yet implemented" } else { "not implemented" };
                let lead = if message.is_empty() { word.to_string() } else { format!("{word}: ") };
                message.insert(0, Piece::Text(lead));
                self.push_text(span, text, Kind::Panic { message })
            }
            ("println" | "print", rest) => self.print(span, rest, name == "println"),
            ("eprintln" | "eprint", _) => {
                self.bad(span, "kernels print with `println!`: the host decides where it goes")
            }
            _ => self.unknown_macro(span, &name),
        }
    }

    /// `debug_assert!` and its relatives check where the user's crate is built with debug assertions: rustc knows.
    fn in_debug_builds(&mut self, name: &str, check: ExprId) -> ExprId {
        if !name.starts_with("debug_") {
            return check;
        }
        let span = self.body.expr(check).span;
        let tokens = quote::quote!(::core::cfg!(debug_assertions));
        let cond = self.push(span, Kind::Constant { tokens, ty: Some(Ty::BOOL) });
        self.push(span, Kind::If { cond, then: check, otherwise: None })
    }

    fn unknown_macro(&mut self, span: Span, name: &str) -> ExprId {
        match name {
            "matches" => self.bad(span, "write this `matches!` as a `match`"),
            "vec" | "format" => self.bad(
                span,
                format!("kernels have no heap, and so no `{name}!`: use a fixed array `[T; N]`, or arrays of the host"),
            ),
            "cfg" => self.bad(span, "kernels have no `cfg!` in their bodies: choose between whole functions"),
            _ => self.bad(
                span,
                format!(
                    "of macros, kernels know assertions, `matches!`, `panic!` and `println!` only: make `{name}!` a `#[func]`"
                ),
            ),
        }
    }

    /// `matches!(value, pattern if guard)` is a match with two arms.
    fn matches(&mut self, mac: &syn::Macro, span: Span) -> ExprId {
        let parse = |input: syn::parse::ParseStream| {
            let value: syn::Expr = input.parse()?;
            input.parse::<syn::Token![,]>()?;
            let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
            let guard = match input.parse::<Option<syn::Token![if]>>()? {
                Some(_) => Some(input.parse::<syn::Expr>()?),
                None => None,
            };
            input.parse::<Option<syn::Token![,]>>()?;
            Ok((value, pat, guard))
        };
        let Ok((value, pat, guard)) = parse.parse2(mac.tokens.clone()) else {
            return self.unknown_macro(span, "matches");
        };
        let value = self.expr(&value);
        let yes = self.scoped(|p| {
            let pat = p.refutable_pat(&pat);
            let guard = guard.as_ref().map(|g| p.expr(g));
            let cases = p.guarded_cases(pat, guard);
            Arm { pat, cases, guard, body: p.push(span, Kind::Bool(true)) }
        });
        let (pat, body) = (self.push_pat(span, PatKind::Wild), self.push(span, Kind::Bool(false)));
        let no = Arm { pat, cases: vec![], guard: None, body };
        self.push(span, Kind::Match { value, arms: vec![yes, no] })
    }

    /// What an assertion says: its format string and the arguments, or else `otherwise`.
    fn message(&mut self, args: &[syn::Expr], otherwise: &str) -> Vec<Piece> {
        let Some((format, rest)) = args.split_first() else {
            return if otherwise.is_empty() { vec![] } else { vec![Piece::Text(otherwise.into())] };
        };
        self.format(format, rest, "the message of an assertion in a kernel is a string literal")
    }

    fn print(&mut self, span: Span, args: &[syn::Expr], newline: bool) -> ExprId {
        let pieces = match args.split_first() {
            Some((first, rest)) => self.format(first, rest, "the format of `println!` in a kernel is a string literal"),
            None => vec![],
        };
        self.push(span, Kind::Print { pieces, newline })
    }

    /// The pieces of a format string and its arguments; `sentence` says that it must be a literal.
    fn format(&mut self, format: &syn::Expr, args: &[syn::Expr], sentence: &str) -> Vec<Piece> {
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(format), .. }) = format else {
            self.errors.refuse(format.span(), sentence);
            return vec![];
        };
        self.format_pieces(&format.value(), format.span(), args).unwrap_or_else(|message| {
            self.errors.refuse(format.span(), message);
            vec![]
        })
    }

    fn format_pieces(&mut self, format: &str, span: Span, args: &[syn::Expr]) -> Result<Vec<Piece>, String> {
        let mut named = vec![];
        let mut positional = vec![];
        for arg in args {
            match arg {
                syn::Expr::Assign(a) => {
                    let name = a.left.to_token_stream().to_string();
                    named.push((name, self.expr(&a.right)));
                }
                other => positional.push(self.expr(other)),
            }
        }
        let mut pieces = vec![];
        let mut text = String::new();
        let mut next = 0;
        let mut rest = format;
        while let Some(at) = rest.find(['{', '}']) {
            text.push_str(&rest[..at]);
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if let Some(tail) = rest.strip_prefix(brace) {
                text.push_str(brace);
                rest = tail;
                continue;
            }
            let end = rest.find('}').filter(|_| brace == "{").ok_or("this format string has an unmatched brace")?;
            let (name, spec) = rest[..end].split_once(':').unwrap_or((&rest[..end], ""));
            rest = &rest[end + 1..];
            if widths(spec).contains(['$', '*']) {
                return Err("widths and precisions in kernels' formats are numbers, not arguments".into());
            }
            let value = match (name.trim(), name.trim().parse::<usize>()) {
                ("", _) => {
                    next += 1;
                    positional.get(next - 1).copied().ok_or("this format string has more braces than arguments")?
                }
                (_, Ok(k)) => *positional.get(k).ok_or("this format string names an argument that is not there")?,
                (name, _) => match named.iter().find(|(n, _)| n == name) {
                    Some((_, value)) => *value,
                    None => match syn::parse_str::<syn::Ident>(name) {
                        Ok(mut ident) => {
                            ident.set_span(span);
                            self.expr(&syn::parse_quote!(#ident))
                        }
                        Err(_) => return Err(format!("`{name}` is no name: write the value behind the format string")),
                    },
                },
            };
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(Piece::Arg { value, spec: spec.trim().into() });
        }
        text.push_str(rest);
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        Ok(pieces)
    }
}

/// What follows fill and alignment in the format of an argument. Any character fills.
fn widths(spec: &str) -> &str {
    let mut chars = spec.chars();
    match (chars.next(), chars.next()) {
        (Some(fill), Some('<' | '^' | '>')) => &spec[fill.len_utf8()..],
        _ => spec,
    }
}
