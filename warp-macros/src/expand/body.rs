//! From an item and the answers of all it names to IR: the part that kernels, functions and methods share.
//!
//! The first answers are those of the names in the body. Types found by inference may then have methods and operators,
//! whose macros are asked in further turns: their names follow from the type and the method.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::answers::{Hub, Known, groups};
use super::chain::{BATCH, Chain, Step, string};
use super::job::Job;
use super::{gradient, identity, refused};
use crate::env::{MethodAsk, Outcome, TypeId};
use crate::errors::Errors;
use crate::front;

/// How deep the turns of one body may nest; rustc's own limit is 128.
const NESTING: usize = 100;

/// Key of the answer for a path.
pub(crate) fn path_key(path: &syn::Path) -> String {
    let mut path = path.clone();
    path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
    path.to_token_stream().to_string()
}

/// The `use` items and constants of a body's own block, which hold in all of it: names that the body uses may come from
/// there.
pub(crate) fn hoisted(item: &syn::ItemFn) -> TokenStream {
    let items = item.block.stmts.iter().filter_map(|stmt| match stmt {
        syn::Stmt::Item(item @ (syn::Item::Use(_) | syn::Item::Const(_))) => Some(item),
        _ => None,
    });
    quote!(#(#[allow(unused_imports, dead_code)] #items)*)
}

/// Starts the chain over all that `job`'s item names.
pub(crate) fn start(job: &Job) -> TokenStream {
    let state = job.tokens();
    let asks = front::asks(&job.item());
    let hoisted = hoisted(&job.item);
    if let Some(users) = refused::users(asks.iter().map(|ask| &ask.path), job.name(), &job.root) {
        let silenced = job.silenced();
        return quote!(const _: () = { #hoisted #users }; #silenced);
    }
    let asks = asks.into_iter().map(|ask| ask.path.to_token_stream()).collect();
    let chain = Chain {
        identity: &job.identity,
        part: "body".into(),
        root: &job.root,
        origin: job.name().to_token_stream(),
        batch: BATCH,
        asks,
        step: "lower",
        state: quote!({ #state } {} {} {}),
    }
    .ask();
    match hoisted.is_empty() {
        true => chain,
        false => quote!(const _: () = { #hoisted #chain };),
    }
}

/// The step `lower`: state is the job, the answers of names, the answers of methods so far, and the methods asked now.
pub(crate) fn lower(step: &Step) -> TokenStream {
    let job = match Job::parse(step) {
        Ok(job) => job,
        Err(error) => return error.to_compile_error(),
    };
    match gather(step, &job) {
        // What failed was told where it is.
        Ok(gathered) if gathered.known.poisoned => job.silenced(),
        Ok(gathered) => turn(step, &job, gathered),
        Err(error) => job.failed(&Errors::from(error)),
    }
}

/// What a step has at hand.
struct Gathered {
    known: Known,
    faces: TokenStream,
    methods: TokenStream,
    /// Methods that were asked so far.
    count: usize,
    /// How many expansions the step is nested in, at most.
    depth: usize,
}

fn gather(step: &Step, job: &Job) -> syn::Result<Gathered> {
    let asked = keys(step.state.group(3));
    let mut known = Known::default();
    let first = asked.is_empty();
    let face_groups = if first { step.answers.clone() } else { groups(step.state.group(1)) };
    let asks = front::asks(&job.item());
    if asks.len() != face_groups.len() {
        let (asked, answered) = (asks.len(), face_groups.len());
        let sentence = format!("{asked} names were asked and {answered} answered: a fault of the macros");
        return Err(syn::Error::new_spanned(job.name(), sentence));
    }
    for (ask, group) in asks.iter().zip(&face_groups) {
        known.add_face(&ask.path, group)?;
    }
    let mut methods = step.state.group(2);
    if !first {
        for ((owner, method), group) in asked.into_iter().zip(&step.answers) {
            methods.extend(quote!(#owner #method #group));
        }
    }
    let entries = method_entries(methods.clone());
    for (method_key, group) in &entries {
        let added = known.add_method(method_key.clone(), group);
        added.map_err(|sentence| syn::Error::new_spanned(job.name(), sentence))?;
    }
    let faces = face_groups.iter().map(ToTokens::to_token_stream).collect();
    let depth = asks.len().min(BATCH) + 6 + 4 * entries.len();
    Ok(Gathered { known, faces, methods, count: entries.len(), depth })
}

fn turn(step: &Step, job: &Job, gathered: Gathered) -> TokenStream {
    let item = job.item();
    match gradient::lower(&item, &gathered.known.env) {
        Outcome::Done(lowered) => {
            job.done(*lowered, &gathered.known, &gathered.faces, &gathered.methods, gathered.depth)
        }
        Outcome::Need(asks) if gathered.depth < NESTING => ask_methods(step, job, &gathered, &asks),
        Outcome::Need(_) => {
            let mut errors = Errors::new();
            errors.at(
                job.name(),
                "this function calls too many different methods, one after the other's result: cut it in two",
            );
            job.failed(&errors)
        }
        Outcome::Failed(list) => job.rejected(&list),
    }
}

/// Asks the macros of methods. Those of this crate are in its root, and are asked through a module that has the root in
/// sight: the glob import must not reach the user's names, which the next turn means. Who is asked in vain ends the
/// chain, so that a missing method is one error, at the call.
fn ask_methods(step: &Step, job: &Job, gathered: &Gathered, asks: &[MethodAsk]) -> TokenStream {
    let part = format!("turn{}", gathered.count);
    // rustc prints this name when there is no such method.
    let module = job.identity.name(&format!("methods{}", gathered.count));
    let mut errors = Errors::new();
    let mut paths = Vec::new();
    let mut imports = Imports::default();
    for ask in asks {
        let span = ask.at.resolved_at(step.origin.span());
        let name = format_ident!("{}", identity::method_macro(&ask.owner, &ask.method), span = span);
        match gathered.known.type_hubs.get(&ask.owner) {
            Some(hub) if hub.may_be_here() => {
                imports.path(hub, &name);
                let module = format_ident!("{}", module, span = span);
                paths.push(quote_spanned!(span=> #module::#name));
            }
            Some(hub) => paths.push(imports.path(hub, &name)),
            None => errors.at_span(ask.at, format!("kernels do not know the method `{}` of this type", ask.method)),
        }
    }
    if !errors.is_empty() {
        return job.failed(&errors);
    }
    let keys: TokenStream = asks.iter().map(|MethodAsk { owner, method, .. }| quote!(#owner #method)).collect();
    let (state, faces, methods) = (job.tokens(), &gathered.faces, &gathered.methods);
    let chain = Chain {
        identity: &job.identity,
        part,
        root: &job.root,
        origin: step.origin.to_token_stream(),
        batch: BATCH,
        asks: paths,
        step: "lower",
        state: quote!({ #state } { #faces } { #methods } { #keys }),
    }
    .ask();
    let imports = imports.exported();
    let module = (!imports.is_empty()).then(|| {
        quote! {
            #[doc(hidden)]
            mod #module { #imports }
        }
    });
    quote!(#module #chain)
}

/// The imports under which macros in crate roots are asked.
#[derive(Default)]
pub(crate) struct Imports {
    root: bool,
    others: Vec<(String, TokenStream)>,
}

impl Imports {
    /// The path of a macro, and its import remembered.
    pub(crate) fn path(&mut self, hub: &Hub, name: &Ident) -> TokenStream {
        let (path, import) = hub.path_of(name);
        self.root |= hub.may_be_here();
        if let Some(import) = import
            && self.others.iter().all(|(id, _)| id != hub.crate_id())
        {
            self.others.push((hub.crate_id().to_string(), import));
        }
        path
    }

    /// The `use` items. Only items of our own may be named under them.
    pub(crate) fn tokens(&self) -> TokenStream {
        self.with(&TokenStream::new())
    }

    /// The same, in sight of the module outside.
    fn exported(&self) -> TokenStream {
        self.with(&quote!(pub(super)))
    }

    fn with(&self, vis: &TokenStream) -> TokenStream {
        let root = self.root.then(|| quote!(#[allow(unused_imports, ambiguous_glob_reexports)] #vis use crate::*;));
        let others = self.others.iter().map(|(_, token)| quote!(#[allow(unused_imports)] #vis use #token::*;));
        quote!(#root #(#others)*)
    }
}

fn keys(tokens: TokenStream) -> Vec<(TypeId, String)> {
    let texts: Vec<String> = tokens.into_iter().filter_map(|token| string(&token)).collect();
    texts.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// The methods in a state: owner, method, answer.
pub(crate) fn method_entries(tokens: TokenStream) -> Vec<((TypeId, String), Group)> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens
        .chunks_exact(3)
        .filter_map(|entry| match entry {
            [owner, method, TokenTree::Group(group)] => Some(((string(owner)?, string(method)?), group.clone())),
            _ => None,
        })
        .collect()
}
