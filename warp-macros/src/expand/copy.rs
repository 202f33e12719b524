//! A hidden copy of the plain function, never called, in which rustc compares our types with its own.
//!
//! The kernel runs with the types that our inference found, the plain function with those that rustc finds. In the copy
//! a question stands behind each binding: is the variable of this type? It leaves rustc's own inference alone, so a
//! disagreement is an error at the binding, and never two programs.
//!
//! Methods that come from traits are asked about by having our traits in sight too: another trait's method of the same
//! name is ambiguous then.
//!
//! A generic function is compared for the arguments that it is lowered with where it is defined. Variables that are
//! slices or views are not compared: their elements' types come from the signature. Nor are those of types that the
//! body cannot name.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, FnArg, GenericParam, Pat, Stmt, parse_quote};

use super::agreement::at;
use super::answers::Known;
use super::failure::{receiver_parameter, without_self_value};
use super::job::{Job, Kind};
use super::plain;
use super::written::type_tokens;
use crate::env::{Binding, Type};
use crate::paths::Root;

/// The copy of a lowered item.
pub(super) fn items(job: &Job, bindings: &[Binding], known: &Known) -> TokenStream {
    let owner = match &job.kind {
        Kind::Method(method) => Some(&method.owner),
        _ => None,
    };
    let mut questions = Questions::new(bindings, |ty| type_tokens(ty, known, &job.root, owner), &job.root);
    let mut item = job.item.clone();
    questions.visit_block_mut(&mut item.block);
    if questions.asked == 0 && !questions.methods {
        return TokenStream::new();
    }
    plain::rewrite(&mut item.block);
    let lifetimes = item.sig.generics.params.iter().filter(|p| matches!(p, GenericParam::Lifetime(_)));
    let aliases = job.arguments().map(|arguments| arguments.aliases(&job.root));
    let parameters = item.sig.inputs.iter().map(|input| match input {
        FnArg::Receiver(receiver) => receiver_parameter(receiver, owner),
        FnArg::Typed(typed) => typed.to_token_stream(),
    });
    let (output, block, root, private) = (&item.sig.output, &item.block, job.root.tokens(), job.root.private());
    let function = quote!(fn __warp_copy<#(#lifetimes),*>(#(#parameters),*) #output #block);
    let function = match owner {
        Some(owner) => without_self_value(function, owner),
        None => function,
    };
    quote! {
        #[allow(
            warnings, arithmetic_overflow, unconditional_panic, overflowing_literals, clippy::all, clippy::pedantic,
            clippy::nursery
        )]
        const _: () = {
            #[allow(unused_imports)]
            use #root::{Float as _, Int as _, Scalar as _};
            #[allow(unused_imports)]
            use #private::methods::*;
            #aliases
            #function
        };
    }
}

/// Where a variable is bound. A user's macro may bind several at one place.
type Place = (String, usize, usize);

fn place(name: String, span: Span) -> Place {
    let start = span.start();
    (name, start.line, start.column)
}

/// Puts a question behind each binding.
struct Questions {
    /// Types that are left to ask for, in order of appearance.
    left: HashMap<Place, Vec<TokenStream>>,
    asked: usize,
    /// Whether methods are called.
    methods: bool,
    private: TokenStream,
}

impl Questions {
    fn new(bindings: &[Binding], tokens: impl Fn(&Type) -> Option<TokenStream>, root: &Root) -> Questions {
        let mut left: HashMap<Place, Vec<TokenStream>> = HashMap::new();
        for binding in bindings.iter().rev() {
            if let Some(tokens) = tokens(&binding.ty) {
                left.entry(place(binding.name.clone(), binding.at)).or_default().push(tokens);
            }
        }
        Questions { left, asked: 0, methods: false, private: root.private() }
    }

    /// The questions about the variables of a pattern.
    fn about(&mut self, pat: &Pat) -> Vec<Stmt> {
        let mut variables = Variables(vec![]);
        variables.visit_pat(pat);
        let mut questions = Vec::new();
        for variable in variables.0 {
            if let Some(ty) =
                self.left.get_mut(&place(variable.unraw().to_string(), variable.span())).and_then(Vec::pop)
            {
                let (private, span) = (at(self.private.clone(), variable.span()), variable.span());
                let question = quote_spanned!(span=> #private::inferred::<#ty>(&#variable););
                questions.push(parse_quote!(#question));
                self.asked += 1;
            }
        }
        questions
    }

    fn at_start(&mut self, pat: &Pat, block: &mut Block) {
        let questions = self.about(pat);
        block.stmts.splice(0..0, questions);
    }

    fn before(&mut self, pat: &Pat, expr: &mut Expr) {
        let questions = self.about(pat);
        if !questions.is_empty() {
            *expr = parse_quote!({ #(#questions)* #expr });
        }
    }

    /// The variables of `let` conditions, which are in sight in the block behind them.
    fn of_condition(&mut self, condition: &Expr, block: &mut Block) {
        match condition {
            Expr::Let(binding) => self.at_start(&binding.pat, block),
            Expr::Binary(binary) if matches!(binary.op, syn::BinOp::And(_)) => {
                self.of_condition(&binary.left, block);
                self.of_condition(&binary.right, block);
            }
            Expr::Paren(paren) => self.of_condition(&paren.expr, block),
            Expr::Group(group) => self.of_condition(&group.expr, block),
            _ => {}
        }
    }
}

impl VisitMut for Questions {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for stmt in std::mem::take(&mut block.stmts) {
            // A variable without a value yet cannot be asked.
            let questions = match &stmt {
                Stmt::Local(local) if local.init.is_some() => self.about(&local.pat),
                _ => vec![],
            };
            stmts.push(stmt);
            stmts.extend(questions);
        }
        block.stmts = stmts;
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::If(branch) => {
                let condition = (*branch.cond).clone();
                self.of_condition(&condition, &mut branch.then_branch);
            }
            Expr::While(turn) => {
                let condition = (*turn.cond).clone();
                self.of_condition(&condition, &mut turn.body);
            }
            Expr::ForLoop(turn) => {
                let pat = (*turn.pat).clone();
                self.at_start(&pat, &mut turn.body);
            }
            Expr::Match(of) => of.arms.iter_mut().for_each(|arm| {
                let pat = arm.pat.clone();
                self.before(&pat, &mut arm.body);
            }),
            Expr::MethodCall(_) => self.methods = true,
            Expr::Closure(closure) => closure.inputs.clone().iter().for_each(|pat| self.before(pat, &mut closure.body)),
            _ => {}
        }
    }

    // Items inside the body are not ours.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The names that a pattern binds, each once.
struct Variables(Vec<Ident>);

impl<'ast> Visit<'ast> for Variables {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        if self.0.iter().all(|other| *other != pat.ident) {
            self.0.push(pat.ident.clone());
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr(&mut self, _: &'ast Expr) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::{Env, Face, Item, Outcome};
    use crate::front;

    /// A kernel with its questions, and how many were left.
    fn asked(source: &str, wrong: Option<(&str, Type)>) -> (String, usize) {
        let mut item: syn::ItemFn = syn::parse_str(source).unwrap();
        let mut env = Env::default();
        env.faces.insert("tid".into(), Face::Builtin("tid".into()));
        let mut bindings = match front::lower(&Item::Kernel(&item), &env) {
            Outcome::Done(lowered) => lowered.bindings,
            Outcome::Failed(list) => panic!("{:?}", list.iter().map(|e| &e.message).collect::<Vec<_>>()),
            Outcome::Need(_) => panic!("there are no methods"),
        };
        if let Some((name, ty)) = wrong {
            bindings.iter_mut().filter(|binding| binding.name == name).for_each(|binding| binding.ty = ty.clone());
        }
        let (known, root) = (Known::default(), Root::facade());
        let mut questions = Questions::new(&bindings, |ty| type_tokens(ty, &known, &root, None), &root);
        questions.visit_block_mut(&mut item.block);
        (item.block.to_token_stream().to_string(), questions.left.values().map(Vec::len).sum())
    }

    #[test]
    fn every_binding_is_asked_about_where_it_is_known() {
        let (block, left) = asked(
            "fn k(a: &mut [f32], flag: bool) {
                let i = tid();
                let (x, [y, _]) = (a[i], [1, 2u8]);
                let x = { let x = x as f64; x + 1.0 };
                for (j, v) in a.iter().enumerate() { let _ = *v; let _ = j; }
                for n in 0..3u16 { let _ = n; }
                let o = if flag { Some((x, y)) } else { None };
                if let Some((p, q)) = o && q > 1 { let _ = p; }
                let mut w = o;
                while let Some(r) = w { w = None; let _ = r.1; }
                let m = match y { 0 => 1i64, n if n > 3 => n as i64, other => -(other as i64) };
                let late;
                late = m;
                a[i] = late as f32;
            }",
            None,
        );
        assert_eq!(left, 2, "of `flag`, a parameter, and `late`, which has no value where it is bound: {block}");
        for question in [
            "usize > (& i)",
            "f32 > (& x)",
            "u8 > (& y)",
            "f64 > (& x) ; x + 1.0",
            "usize > (& j)",
            "{ :: warp :: __private :: inferred :: < :: core :: primitive :: u16 > (& n)",
            "Option < (:: core :: primitive :: f64 , :: core :: primitive :: u8 ,) > > (& o)",
            "f64 > (& p)",
            "u8 > (& q) ; let _ = p",
            "(& r)",
            "u8 > (& n) ; n as i64 }",
            "i64 > (& m)",
        ] {
            assert!(block.contains(question), "{question} in {block}");
        }
    }

    #[test]
    fn what_inference_found_is_what_is_asked() {
        let kernel = "fn k(a: &mut [f32]) { let n = 7; a[0] = n as f32; }";
        assert!(asked(kernel, None).0.contains("i32 > (& n)"));
        let planted = Type::Scalar(warp_ir::ir::Scalar::U8);
        assert!(asked(kernel, Some(("n", planted))).0.contains("u8 > (& n)"));
    }
}
