//! Which paths an item needs answers for, by their form alone: called functions, types, enums.

use std::collections::HashSet;

use syn::visit::{self, Visit};

use super::derivative;
use super::length;
use super::library;
use super::missing;
use super::names::{bare_path, path_key};
use super::parse::path::{is_camel, is_screaming, is_type_name, prefix};
use super::parse::unraw;
use super::types::Ty;
use crate::env::{Ask, Item};

/// The paths whose faces an item needs, each once.
pub(crate) fn asks(item: &Item<'_>) -> Vec<Ask> {
    let mut asker = Asker::default();
    match item {
        Item::Kernel(f) | Item::Func(f) | Item::Instance { item: f, .. } => {
            asker.generics(&f.sig.generics);
            asker.visit_signature(&f.sig);
            asker.own.extend(length::local_constants(&f.block).into_keys());
            asker.visit_block(&f.block);
            derivative::named(f).iter().for_each(|path| asker.ask(path));
        }
        Item::Method { owner, method, types, lengths } => {
            // Those of the block are among them.
            asker
                .own
                .extend(types.iter().map(|(name, _)| name.clone()).chain(lengths.iter().map(|(name, _)| name.clone())));
            asker.visit_type(owner);
            asker.generics(&method.sig.generics);
            asker.visit_signature(&method.sig);
            asker.own.extend(length::local_constants(&method.block).into_keys());
            asker.visit_block(&method.block);
        }
    }
    asker.asks
}

#[derive(Default)]
struct Asker {
    asks: Vec<Ask>,
    seen: HashSet<String>,
    /// Names of parameters of the item: nobody is asked for them.
    own: HashSet<String>,
    /// Variables, and functions inside the body, by scope: to call them is an error that parsing tells.
    locals: Vec<HashSet<String>>,
}

/// Types that need no answer.
const KNOWN: [&str; 10] =
    ["Option", "Soa", "View2", "View3", "View4", "ViewMut2", "ViewMut3", "ViewMut4", "Self", "Some"];
/// Variants that need no answer either; those of `Result` are refused by parsing.
const VARIANTS: [&str; 3] = ["Ok", "Err", "None"];

impl Asker {
    fn generics(&mut self, generics: &syn::Generics) {
        for param in &generics.params {
            match param {
                syn::GenericParam::Type(t) => self.own.insert(unraw(&t.ident)),
                syn::GenericParam::Const(c) => self.own.insert(unraw(&c.ident)),
                syn::GenericParam::Lifetime(_) => false,
            };
        }
    }

    fn ask(&mut self, path: &syn::Path) {
        if self.seen.insert(path_key(path)) {
            self.asks.push(Ask { path: bare_path(path) });
        }
    }

    /// A path that names a type.
    fn ask_type(&mut self, path: &syn::Path) {
        let Some(last) = path.segments.last() else { return };
        let name = unraw(&last.ident);
        let lone = path.segments.len() == 1;
        let known = Ty::primitive(&name).is_some()
            || library::is_shared(&name)
            || KNOWN.contains(&name.as_str())
            || VARIANTS.contains(&name.as_str())
            || missing::sentence(&name).is_some()
            || lone && self.own.contains(&name);
        if !known {
            self.ask(path);
        }
    }

    /// The constants in the length of an array.
    fn ask_length(&mut self, expr: &syn::Expr) {
        for path in length::paths(expr) {
            if !path.get_ident().is_some_and(|name| self.own.contains(&unraw(name))) {
                self.ask(&path);
            }
        }
    }

    /// The owner of `Type::something`.
    fn ask_owner(&mut self, path: &syn::Path) {
        if path.segments.len() < 2 {
            return;
        }
        if is_type_name(&unraw(&path.segments[path.segments.len() - 2].ident)) {
            self.ask_type(&prefix(path));
        }
    }

    /// A path that names a struct before its fields, or a variant of an enum: then the enum is asked.
    fn ask_constructor(&mut self, path: &syn::Path) {
        let owner = path.segments.iter().rev().nth(1);
        match owner.is_some_and(|owner| is_type_name(&unraw(&owner.ident))) {
            true => self.ask_owner(path),
            false => self.ask_type(path),
        }
    }

    /// Whether a path in front of parentheses names nobody's face: a variable, or a function of the standard library.
    fn is_unasked(&self, path: &syn::Path) -> bool {
        let local = |name: &syn::Ident| self.locals.iter().any(|scope| scope.contains(&unraw(name)));
        path.get_ident().is_some_and(local) || missing::is_of_std(path)
    }

    /// The variables of a pattern, from here to the end of the innermost scope.
    fn declare(&mut self, pat: &syn::Pat) {
        struct Names<'s>(&'s mut HashSet<String>);
        impl<'ast> Visit<'ast> for Names<'_> {
            fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
                self.0.insert(unraw(&pat.ident));
                visit::visit_pat_ident(self, pat);
            }
        }
        if let Some(scope) = self.locals.last_mut() {
            Names(scope).visit_pat(pat);
        }
    }
}

impl<'ast> Visit<'ast> for Asker {
    fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
        if ty.qself.is_none() {
            self.ask_type(&ty.path);
        }
        visit::visit_type_path(self, ty);
    }

    fn visit_type_array(&mut self, ty: &'ast syn::TypeArray) {
        self.visit_type(&ty.elem);
        self.ask_length(&ty.len);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
        self.ask_length(&repeat.len);
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        match argument {
            syn::GenericArgument::Const(expr) => self.ask_length(expr),
            other => visit::visit_generic_argument(self, other),
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let syn::Expr::Path(p) = super::parse::path::strip(&call.func)
            && p.qself.is_none()
            && let Some(last) = p.path.segments.last()
        {
            let name = unraw(&last.ident);
            let owner = p.path.segments.len() >= 2 && {
                let owner = unraw(&p.path.segments[p.path.segments.len() - 2].ident);
                is_type_name(&owner) || Ty::primitive(&owner).is_some() || self.own.contains(&owner)
            };
            if self.is_unasked(&p.path) {
            } else if owner {
                self.ask_owner(&p.path);
            } else if is_camel(&name) || (is_screaming(&name) && name.len() == 1) {
                self.ask_type(&p.path);
            } else {
                self.ask(&p.path);
            }
            for segment in &p.path.segments {
                self.visit_path_segment(segment);
            }
            call.args.iter().for_each(|a| self.visit_expr(a));
            return;
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_struct(&mut self, e: &'ast syn::ExprStruct) {
        self.ask_type(&e.path);
        visit::visit_expr_struct(self, e);
    }

    fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
        if p.qself.is_some() {
            // `<Type as Trait>::CONSTANT`: rustc evaluates it, whatever the types are.
            return;
        }
        if let Some(last) = p.path.segments.last()
            && p.qself.is_none()
            && is_camel(&unraw(&last.ident))
        {
            self.ask_owner(&p.path);
        }
        visit::visit_expr_path(self, p);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.locals.push(HashSet::new());
        visit::visit_signature(self, signature);
        for input in &signature.inputs {
            if let syn::FnArg::Typed(typed) = input {
                self.declare(&typed.pat);
            }
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        let functions = block.stmts.iter().filter_map(|stmt| match stmt {
            syn::Stmt::Item(syn::Item::Fn(function)) => Some(unraw(&function.sig.ident)),
            _ => None,
        });
        self.locals.push(functions.collect());
        visit::visit_block(self, block);
        self.locals.pop();
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        visit::visit_local(self, local);
        // The new names are not yet visible in the initialiser.
        self.declare(&local.pat);
    }

    fn visit_pat_struct(&mut self, p: &'ast syn::PatStruct) {
        self.ask_type(&p.path);
        visit::visit_pat_struct(self, p);
    }

    fn visit_pat_tuple_struct(&mut self, p: &'ast syn::PatTupleStruct) {
        self.ask_constructor(&p.path);
        visit::visit_pat_tuple_struct(self, p);
    }

    // Constants inside a body are rustc's alone.
    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        // Arguments of assertions and prints are expressions; what is none is reported by parsing.
        use syn::parse::Parser;
        let parser = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(args) = parser.parse2(mac.tokens.clone()) {
            let (own, locals) = (self.own.clone(), self.locals.clone());
            let mut inner = Asker { own, locals, seen: self.seen.clone(), asks: vec![] };
            args.iter().for_each(|a| inner.visit_expr(a));
            self.seen = inner.seen;
            self.asks.extend(inner.asks);
        }
    }
}
