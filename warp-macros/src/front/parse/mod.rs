//! From `syn` to the tree of [`ast`](super::ast): names become variables, sugar goes away, refusals are collected.

mod assign;
mod consts;
mod expr;
mod iter;
mod macros;
mod pat;
pub(crate) mod path;
mod stmt;

use std::collections::HashMap;

use proc_macro2::Span;
use syn::spanned::Spanned;

use super::ast::*;
use super::errors::Errors;
use super::names::{Named, Names};
use super::types::Ty;

pub(crate) use consts::primitive_constant;

/// The parser of one item.
pub(crate) struct Parser<'a> {
    pub names: &'a Names<'a>,
    pub errors: Errors,
    body: Body,
    /// Variables by name; `None` where a constant of a block hides one.
    scopes: Vec<HashMap<String, Option<VarId>>>,
    /// The constants that stand in the blocks around this point, the outermost first: those of the function's own block
    /// are seen by rustc anyway.
    constants: Vec<Vec<syn::ItemConst>>,
    targets: Vec<Enclosing>,
    /// Whether a closure may stand here: as an argument only.
    closure_allowed: bool,
    /// Whether `&mut place` may stand here.
    borrow_allowed: bool,
    in_closure: bool,
    /// Whether the pattern may fail to match: then rustc may read a bare name as a variant or constant.
    refutable: bool,
}

/// What encloses an expression and can be left.
struct Enclosing {
    label: Option<String>,
    target: Target,
    /// A loop, not a labelled block.
    is_loop: bool,
}

/// Parses a function; `inside` are the names in its body. Errors are in the parser.
pub(crate) fn function<'a>(
    names: &'a Names<'a>,
    inside: &'a Names<'a>,
    signature: &syn::Signature,
    block: &syn::Block,
) -> (Body, Errors) {
    let mut parser = Parser {
        names,
        errors: Errors::default(),
        body: Body::default(),
        scopes: vec![HashMap::new()],
        constants: vec![],
        targets: vec![],
        closure_allowed: false,
        borrow_allowed: false,
        in_closure: false,
        refutable: false,
    };
    parser.signature(signature);
    if !parser.errors.is_empty() {
        // The body follows from it.
        return (parser.body, parser.errors);
    }
    parser.names = inside;
    let root = parser.block(block, None);
    parser.body.root = root;
    (parser.body, parser.errors)
}

/// An identifier's name without `r#`.
pub(crate) fn unraw(ident: &syn::Ident) -> String {
    syn::ext::IdentExt::unraw(ident).to_string()
}

impl Parser<'_> {
    fn signature(&mut self, signature: &syn::Signature) {
        for input in &signature.inputs {
            let parameter = match input {
                syn::FnArg::Receiver(receiver) => self.receiver(receiver),
                syn::FnArg::Typed(typed) => self.parameter(typed),
            };
            self.body.params.push(parameter);
        }
        self.body.result = match &signature.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) if matches!(**ty, syn::Type::Never(_)) => Ty::Never,
            syn::ReturnType::Type(_, ty) => self.ty(ty),
        };
    }

    fn receiver(&mut self, receiver: &syn::Receiver) -> Parameter {
        let span = receiver.self_token.span;
        let var = self.declare("self", span);
        let pat = self.push_pat(span, PatKind::Bind { var, sub: None });
        let by_mut_reference = match &receiver.kind {
            syn::ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
            syn::ReceiverKind::Typed(_, ty) => matches!(&**ty, syn::Type::Reference(r) if r.mutability.is_some()),
            _ => false,
        };
        let passing = if by_mut_reference { Passing::InOut } else { Passing::Value };
        let ty = self.names.owner.clone().unwrap_or(Ty::Unit);
        Parameter { name: "self".into(), pat, ty, passing, span }
    }

    fn parameter(&mut self, typed: &syn::PatType) -> Parameter {
        let ty = self.ty(&typed.ty);
        let memory = matches!(ty, Ty::Slice { .. } | Ty::Planes { .. } | Ty::View { .. } | Ty::Bundle(_));
        let passing = match &*typed.ty {
            syn::Type::Reference(r) if r.mutability.is_some() && !memory => Passing::InOut,
            _ => Passing::Value,
        };
        let name = match &*typed.pat {
            syn::Pat::Ident(p) => unraw(&p.ident),
            _ => format!("parameter {}", self.body.params.len()),
        };
        let pat = self.pat(&typed.pat);
        Parameter { name, pat, ty, passing, span: typed.pat.span() }
    }

    /// A type of the source; an error is reported and stands for `()`.
    fn ty(&mut self, ty: &syn::Type) -> Ty {
        let found = self.names.ty(ty);
        self.named(found).unwrap_or(Ty::Unit)
    }

    fn named<T>(&mut self, result: Named<T>) -> Option<T> {
        result.map_err(|(span, message)| self.errors.refuse(span, message)).ok()
    }

    fn push(&mut self, span: Span, kind: Kind) -> ExprId {
        self.push_text(span, String::new(), kind)
    }

    fn push_text(&mut self, span: Span, text: String, kind: Kind) -> ExprId {
        self.body.exprs.push(Expr { span, text, kind });
        ExprId(self.body.exprs.len() as u32 - 1)
    }

    fn push_pat(&mut self, span: Span, kind: PatKind) -> PatId {
        self.body.pats.push(Pat { span, kind });
        PatId(self.body.pats.len() as u32 - 1)
    }

    fn bad(&mut self, span: Span, message: impl Into<String>) -> ExprId {
        self.errors.refuse(span, message);
        self.push(span, Kind::Bad)
    }

    /// A new variable, visible from here to the end of the innermost scope.
    fn declare(&mut self, name: &str, span: Span) -> VarId {
        let var = self.unnamed(name, span);
        self.scopes.last_mut().expect("a scope is open").insert(name.into(), Some(var));
        var
    }

    /// A new variable that no name means.
    fn unnamed(&mut self, shown: &str, span: Span) -> VarId {
        self.body.vars.push(Variable { name: shown.into(), span });
        VarId(self.body.vars.len() as u32 - 1)
    }

    fn lookup(&self, name: &str) -> Option<VarId> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied()).flatten()
    }

    fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        let result = inside(self);
        self.scopes.pop();
        result
    }

    fn new_target(&mut self) -> Target {
        self.body.targets += 1;
        Target(self.body.targets - 1)
    }

    fn inside_target<T>(
        &mut self,
        label: Option<String>,
        target: Target,
        is_loop: bool,
        inside: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.targets.push(Enclosing { label, target, is_loop });
        let result = inside(self);
        self.targets.pop();
        result
    }
}
