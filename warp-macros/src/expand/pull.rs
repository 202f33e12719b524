//! How a kernel gets its whole call tree: in rounds.
//!
//! Each round asks the body macros of the functions that are new. Its chain ends in the step `pull`, which puts the
//! bodies into a stash, lowers instances of generic functions, and defines the macro of the next round, whose call
//! waits beside the chain: so nesting grows by one a round, not by one a function. When nothing is new, a last chain
//! over the stashes ends in the step `link`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use warp_ir::ir::{Function, Kernel};
use warp_ir::link::{self, DEPTH_LIMIT, LinkError};

use super::answers::{BodyRef, Known};
use super::bodies::{Arguments, Body, Callee, Header};
use super::body::Imports;
use super::chain::{Chain, Step, answering_macro};
use super::constants::named;
use super::func::reached;
use super::identity::Identity;
use super::job::Job;
use super::ptx::Wish;
use super::{ascii, instance, kernel};
use crate::env::CallUse;
use crate::errors::Errors;
use crate::front;
use crate::paths::Root;

/// Names that a round asks in one go, so that rounds nest little.
const ROUND: usize = 8;

/// Nested expansions that a round of a thousand names takes.
const COST: usize = 36;

/// Nested expansions up to which rounds go inside each other: what is left of rustc's 128 is for the rounds that do
/// not, one level each, and a last chain.
const ROOM: usize = 128 - (DEPTH_LIMIT + 2) - COST;

/// Functions below a kernel up to which its functions find every recursion among them.
const RECURSION: usize = 64;

/// Whether the round after one of this depth waits beside it. Only then is its macro called in advance, since a chain
/// that dies leaves such a macro undefined, which rustc would report.
fn waits(depth: usize) -> bool {
    depth + ROUND + 4 > ROOM
}

/// Names of the items that a kernel left in the user's scope for the end.
pub(super) struct Target<'a> {
    pub link: &'a Ident,
    pub kernel: &'a Ident,
    pub arrays: &'a Ident,
    /// What is known of the kernel's PTX.
    pub wish: Wish,
}

/// Something that a round must ask for.
struct Want {
    callee: Callee,
    body: BodyRef,
}

/// What all rounds of one kernel carry along.
struct Tree<'a> {
    identity: Identity,
    root: &'a Root,
    origin: Ident,
    target: TokenStream,
    /// The kernel's own header and IR.
    own: (String, String),
    /// Identities that were asked so far.
    seen: Vec<String>,
    round: usize,
    /// How many expansions the round is nested in, at most.
    depth: usize,
}

/// The callees of a lowered item, with the places of their bodies.
pub(super) fn callees(
    function: &Function,
    calls: &[CallUse],
    known: &Known,
) -> Result<(Vec<Callee>, Vec<BodyRef>), String> {
    let mut all = (Vec::new(), Vec::new());
    for (link, (callee, call)) in function.callees.iter().zip(calls).enumerate() {
        let id = callee.id.clone();
        let (body, arguments) = match call {
            CallUse::Library => {
                let arguments = Arguments::default();
                all.0.push(Callee { id, arguments, types: vec![], link: link as u32, library: true });
                continue;
            }
            CallUse::Path { path, types, lengths } => (
                known.bodies.get(&super::body::path_key(path)),
                Arguments { types: types.clone(), lengths: lengths.clone() },
            ),
            CallUse::Method { owner, method, types, lengths } => (
                known.method_bodies.get(&(owner.clone(), method.clone())),
                Arguments { types: types.clone(), lengths: lengths.clone() },
            ),
        };
        let body = body.ok_or_else(|| format!("`{}` has no body to be found", callee.name))?;
        let mut parts = Vec::new();
        arguments.types.iter().for_each(|(_, ty)| named(ty, &mut parts));
        let types = reached(&parts, known);
        all.0.push(Callee { id, arguments, types, link: link as u32, library: false });
        all.1.push(body.clone());
    }
    Ok(all)
}

/// Callees that have bodies to be asked, with the places of these.
fn wants(callees: Vec<Callee>, bodies: Vec<BodyRef>) -> impl Iterator<Item = Want> {
    callees.into_iter().filter(|callee| !callee.library).zip(bodies).map(|(callee, body)| Want { callee, body })
}

/// The first round of a kernel.
pub(super) fn start(
    job: &Job,
    kernel: Kernel,
    calls: &[CallUse],
    known: &Known,
    target: &Target<'_>,
    depth: usize,
) -> TokenStream {
    let mut errors = Errors::new();
    let (callees, bodies) = match callees(&kernel.function, calls, known) {
        Ok(found) => found,
        Err(message) => {
            errors.at(job.name(), message);
            return errors.to_items();
        }
    };
    if bodies.is_empty() {
        let root = Node { header: Header::poison("", ""), function: Function::default() };
        return finish(kernel, &[root], job.name(), &job.root, target);
    }
    let header = Header {
        id: String::new(),
        name: kernel.function.name.clone(),
        poison: false,
        callees: callees.clone(),
        slots: vec![],
        generic: None,
    };
    let Target { link, kernel: kernel_type, arrays, wish } = target;
    let wish = ascii::encode(wish);
    let mut tree = Tree {
        identity: job.identity.clone(),
        root: &job.root,
        origin: job.name().clone(),
        target: quote!(#link #kernel_type #arrays #wish),
        own: (ascii::encode(&header), ascii::encode(&kernel)),
        seen: vec![],
        round: 0,
        depth,
    };
    let wants = wants(callees, bodies).collect();
    let origin = job.name().to_token_stream();
    let (definitions, calls) = tree.round_parts(wants, &origin);
    quote!(const _: () = { #definitions #calls };)
}

impl Tree<'_> {
    /// A round: the macros of its chain; and its imports, its calls, and the call of the next round's macro.
    fn round_parts(&mut self, wants: Vec<Want>, origin: &TokenStream) -> (TokenStream, TokenStream) {
        let wants: Vec<Want> = wants.into_iter().filter(|want| self.is_new(&want.callee.id)).collect();
        if wants.is_empty() {
            return self.last_parts(origin);
        }
        let mut imports = Imports::default();
        let mut asks = Vec::new();
        let mut asked = TokenStream::new();
        for Want { callee, body } in &wants {
            let span = body.name.span().resolved_at(self.origin.span());
            let name = format_ident!("{}", body.name, span = span);
            asks.push(imports.path(&body.hub, &name));
            let callee = ascii::encode(callee);
            asked.extend(quote!(#callee));
        }
        self.depth += nesting(wants.len());
        let state = self.state(&asked);
        let (definitions, calls) = Chain {
            identity: &self.identity,
            part: format!("round{}", self.round),
            root: self.root,
            origin: origin.clone(),
            batch: batch(wants.len()),
            asks,
            step: "pull",
            state,
        }
        .parts();
        let imports = imports.tokens();
        let next = waits(self.depth).then(|| {
            let next = self.round_name(self.round + 1);
            quote!(#next!{ #origin })
        });
        (definitions, quote!(#imports #calls #next))
    }

    fn last_parts(&self, origin: &TokenStream) -> (TokenStream, TokenStream) {
        let asks = (0..self.round).map(|round| self.stash_name(round).to_token_stream()).collect();
        let state = self.state(&TokenStream::new());
        Chain {
            identity: &self.identity,
            part: "link".into(),
            root: self.root,
            origin: origin.clone(),
            batch: ROUND,
            asks,
            step: "link",
            state,
        }
        .parts()
    }

    fn is_new(&mut self, id: &str) -> bool {
        let new = self.seen.iter().all(|other| other != id);
        if new {
            self.seen.push(id.to_string());
        }
        new
    }

    fn state(&self, asked: &TokenStream) -> TokenStream {
        let (identity, target, (header, kernel), seen) = (self.identity.text(), &self.target, &self.own, &self.seen);
        let (round, depth) = (self.round.to_string(), self.depth.to_string());
        quote!(#identity #round { #target } { #header #kernel } { #(#seen)* } { #asked } #depth)
    }

    fn parse(step: &Step) -> Option<Tree<'_>> {
        let state = &step.state;
        let own = state.inner(3);
        let seen = state.group(4).into_iter().filter_map(|token| super::chain::string(&token)).collect();
        Some(Tree {
            identity: Identity::from_text(state.text(0)?),
            root: &step.root,
            origin: step.origin.clone(),
            target: state.group(2),
            own: (own.text(0)?, own.text(1)?),
            seen,
            round: state.number(1)?,
            depth: state.number(6)?,
        })
    }

    fn round_name(&self, round: usize) -> Ident {
        self.identity.name(&format!("next{round}"))
    }

    fn stash_name(&self, round: usize) -> Ident {
        self.identity.name(&format!("bodies{round}"))
    }

    /// The next round: inside this expansion while there is room, since errors look best so; else in the macro whose
    /// call waits beside.
    fn next_round(&mut self, stash: &TokenStream, wants: Vec<Want>, errors: &mut Errors) -> TokenStream {
        let stash = answering_macro(&self.stash_name(self.round), false, stash);
        self.round += 1;
        let waiting = self.round;
        if self.round > DEPTH_LIMIT + 1 && !wants.is_empty() {
            too_deep(self, errors);
            self.round -= 1;
            return self.no_next_round();
        }
        if !waits(self.depth) {
            let origin = self.origin.to_token_stream();
            let (definitions, calls) = self.round_parts(wants, &origin);
            return quote!(#stash #definitions #calls);
        }
        let (definitions, calls) = self.round_parts(wants, &quote!($origin));
        let next = self.define_next(waiting, &calls);
        quote!(#stash #definitions #next)
    }

    /// What stands for a round that is not to be.
    fn no_next_round(&self) -> TokenStream {
        match waits(self.depth) {
            true => self.define_next(self.round + 1, &TokenStream::new()),
            false => TokenStream::new(),
        }
    }

    /// The macro of a round, which is called exactly once.
    fn define_next(&self, round: usize, items: &TokenStream) -> TokenStream {
        let name = self.round_name(round);
        quote! {
            #[allow(unused_macros)]
            macro_rules! #name {
                ($origin:ident) => { #items };
            }
        }
    }
}

/// The step `pull`: the bodies of a round have come.
pub(super) fn pull(step: &Step) -> TokenStream {
    let Some(mut tree) = Tree::parse(step) else { return TokenStream::new() };
    let mut errors = Errors::new();
    let items = match pull_round(step, &tree, &mut errors) {
        Some((stash, wants)) => tree.next_round(&stash, wants, &mut errors),
        None => tree.no_next_round(),
    };
    let errors = errors.to_items();
    quote!(#items #errors)
}

/// How many expansions a round over `names` names nests.
fn nesting(names: usize) -> usize {
    batch(names).min(names) + 4
}

/// How many of `names` names to ask in one go: about as many batches as names in a batch.
fn batch(names: usize) -> usize {
    ROUND.max(names.isqrt() + 1)
}

fn too_deep(tree: &Tree<'_>, errors: &mut Errors) {
    errors.at(
        &tree.origin,
        format!("calls of this kernel nest deeper than {DEPTH_LIMIT} functions: join some of them, or write a loop"),
    );
}

/// The bodies for the stash, and what they want in turn; `None` when one of them is known to have failed.
fn pull_round(step: &Step, tree: &Tree<'_>, errors: &mut Errors) -> Option<(TokenStream, Vec<Want>)> {
    let asked = step.state.group(5).into_iter().filter_map(|token| super::chain::string(&token));
    let mut stash = TokenStream::new();
    let mut new = Vec::new();
    for (callee, group) in asked.zip(&step.answers) {
        let body = ascii::decode::<Callee>(&callee).and_then(|callee| {
            let body = Body::parse(group)?;
            Ok((callee, body))
        });
        let (callee, body) = match body {
            Ok(found) => found,
            Err(message) => {
                errors.at(&tree.origin, message);
                return None;
            }
        };
        if body.header.poison {
            return None;
        }
        let body = match &body.template {
            Some(template) => match instance::lower(&body.header, template, &callee, tree.origin.span()) {
                Ok(body) => body,
                Err(list) => {
                    list.into_iter().for_each(|error| errors.push(error));
                    return None;
                }
            },
            None => body,
        };
        stash.extend(body.stashed());
        new.extend(wants(body.header.callees, body.callees));
    }
    Some((stash, new))
}

/// The step `link`: all bodies are here.
pub(super) fn link(step: &Step) -> TokenStream {
    let Some(tree) = Tree::parse(step) else { return TokenStream::new() };
    let target = step.state.inner(2);
    let (Some(link), Some(kernel_type), Some(arrays)) = (target.ident(0), target.ident(1), target.ident(2)) else {
        return TokenStream::new();
    };
    let wish = target.text(3).map_or(Ok(Wish::default()), |text| ascii::decode(&text));
    let read = wish.and_then(|wish| Ok((Target { link, kernel: kernel_type, arrays, wish }, read_tree(step, &tree)?)));
    match read {
        Ok((target, (kernel, bodies))) => finish(kernel, &bodies, &tree.origin, tree.root, &target),
        Err(message) => {
            let mut errors = Errors::new();
            errors.at(&tree.origin, message);
            errors.to_items()
        }
    }
}

/// A function of the tree, with what leads to its constants.
struct Node {
    header: Header,
    function: Function,
}

fn read_tree(step: &Step, tree: &Tree<'_>) -> Result<(Kernel, Vec<Node>), ascii::Unread> {
    let kernel = ascii::decode::<Kernel>(&tree.own.1)?;
    let mut nodes = vec![Node { header: ascii::decode(&tree.own.0)?, function: Function::default() }];
    for group in &step.answers {
        let body = Body::parse(group)?;
        let function = body.function()?;
        nodes.push(Node { header: body.header, function });
    }
    Ok((kernel, nodes))
}

/// Inlines all calls, and gives the kernel's type what the launch needs.
fn finish(mut kernel: Kernel, nodes: &[Node], origin: &Ident, root: &Root, target: &Target<'_>) -> TokenStream {
    let find = |id: &str| nodes.iter().find(|node| node.header.id == id);
    let lookup = |id: &str| match find(id) {
        Some(node) => Some(&node.function),
        None => front::library_function(id),
    };
    let linked = match kernel.attributes.no_adjoint {
        true => link::link_plain(&kernel.function, lookup),
        false => link::link(&kernel.function, lookup),
    };
    let mut errors = Errors::new();
    let linked = match linked {
        Ok(linked) => linked,
        // The functions of the cycle say it where they are: `refuse_recursion` of the runtime looks that far.
        Err(LinkError::Recursion { .. }) if nodes.len() <= RECURSION => return TokenStream::new(),
        Err(error) => {
            errors.at(origin, sentence(&error));
            return errors.to_items();
        }
    };
    let mut slots = Vec::new();
    for block in &linked.slots {
        let (path, header) = follow(&block.path, nodes, target.link);
        for number in 0..block.count as usize {
            let number = match header {
                Some(header) if !header.slots.is_empty() => header.slots.get(number).copied().unwrap_or(0) as usize,
                _ => number,
            };
            slots.push(quote!(#path.slot(#number)));
        }
    }
    kernel.function = linked.function;
    kernel::late(kernel, &slots, origin, root, target)
}

/// The expression that leads from the kernel's constants to those of a callee, and that callee.
fn follow<'a>(path: &[u32], nodes: &'a [Node], link: &Ident) -> (TokenStream, Option<&'a Header>) {
    let mut expression = link.to_token_stream();
    let mut at = nodes.first().map(|node| &node.header);
    for &step in path {
        let Some(callee) = at.and_then(|header| header.callees.get(step as usize)) else { break };
        let number = callee.link as usize;
        expression = quote!(#expression.call(#number));
        at = nodes.iter().find(|node| node.header.id == callee.id).map(|node| &node.header);
    }
    (expression, at)
}

fn sentence(error: &LinkError) -> String {
    match error {
        LinkError::Recursion { cycle } => {
            format!("device functions cannot recurse: {}; write a loop", cycle.join(" -> "))
        }
        other => other.to_string(),
    }
}
