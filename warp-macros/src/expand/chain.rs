//! Asking other items' macros, at expansion time, for what they know.
//!
//! A face has one rule: it appends its payload and passes on to the next name of a list. The last name is a macro of
//! the asker, which hands everything to one step of ours. A chain nests one expansion a name and rustc stops at 128,
//! so long lists go in batches, each of which ends in a *stash*: a macro that holds the batch's payloads.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::identity::Identity;
use crate::paths::Root;

/// Names asked in one go.
pub(crate) const BATCH: usize = 32;

/// A question to several macros, and what comes after the answers.
pub(crate) struct Chain<'a> {
    /// Makes the names of helper macros unique, together with `part`.
    pub identity: &'a Identity,
    /// Tells apart the chains of one item.
    pub part: String,
    pub root: &'a Root,
    /// A token of the user's source that comes from outside any macro of ours (or `$origin`, which stands for it): it
    /// gives all tokens their place, see [`place`].
    pub origin: TokenStream,
    /// Paths of the macros to ask.
    pub asks: Vec<TokenStream>,
    /// The step that gets the answers.
    pub step: &'static str,
    /// What the step needs besides.
    pub state: TokenStream,
    /// Names asked in one go: how many expansions nest.
    pub batch: usize,
}

impl Chain<'_> {
    /// The items that ask.
    pub(crate) fn ask(&self) -> TokenStream {
        let (definitions, calls) = self.parts();
        quote!(#definitions #calls)
    }

    /// The same in two parts: macros of the asker, which cannot stand inside another macro's body, and calls.
    pub(crate) fn parts(&self) -> (TokenStream, TokenStream) {
        let end = self.name("end");
        let end_macro = self.end_macro(&end, self.step, &self.state);
        if self.asks.len() <= self.batch {
            return (end_macro, call(&self.asks, &end, &self.origin));
        }
        let (mut definitions, mut calls) = (end_macro, TokenStream::new());
        let mut stashes = Vec::new();
        for (number, batch) in self.asks.chunks(self.batch).enumerate() {
            let stash = self.name(&format!("stash{number}"));
            let batch_end = self.name(&format!("end{number}"));
            definitions.extend(self.end_macro(&batch_end, "stash", &quote!(#stash)));
            calls.extend(call(batch, &batch_end, &self.origin));
            stashes.push(stash.to_token_stream());
        }
        calls.extend(call(&stashes, &end, &self.origin));
        (definitions, calls)
    }

    fn name(&self, role: &str) -> Ident {
        format_ident!("__warp_{}_{}_{}", role, self.part, self.identity.text())
    }

    fn end_macro(&self, name: &Ident, step: &str, state: &TokenStream) -> TokenStream {
        let (private, root) = (self.root.private(), self.root.tokens());
        let step = format_ident!("{}", step);
        quote! {
            #[allow(unused_macros)]
            macro_rules! #name {
                ([] $($answers:tt)*) => { #private::step! { #step {#root} {#state} $($answers)* } };
            }
        }
    }
}

fn call(asks: &[TokenStream], end: &Ident, origin: &TokenStream) -> TokenStream {
    // A macro of the user's that stands in the way of a face stumbles over this group.
    let place = origin.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let origin = quote_spanned!(place=> {#origin});
    match asks.split_first() {
        Some((first, rest)) => quote!(#first ! { [ #({#rest})* {#end} ] #origin }),
        None => quote!(#end ! { [] #origin }),
    }
}

/// A macro whose one rule appends `payload` and passes on.
pub(crate) fn answering_macro(name: &Ident, exported: bool, payload: &TokenStream) -> TokenStream {
    let export = exported.then(|| quote!(#[macro_export]));
    quote! {
        #export
        #[doc(hidden)]
        #[allow(unused_macros, non_local_definitions)]
        macro_rules! #name {
            ([{$($next:tt)*} $($more:tt)*] $($answers:tt)*) => {
                $($next)* ! { [$($more)*] $($answers)* #payload }
            };
        }
    }
}

/// What a step gets.
pub(crate) struct Step {
    pub word: String,
    pub root: Root,
    pub state: View,
    /// The token that travelled outside all macro bodies.
    pub origin: Ident,
    pub answers: Vec<Group>,
}

impl Step {
    /// Takes the input of `step!` apart; `None` when somebody else made it.
    pub(crate) fn parse(input: TokenStream) -> Option<Step> {
        let mut tokens = input.into_iter();
        let Some(TokenTree::Ident(word)) = tokens.next() else { return None };
        let mut groups = tokens.map(|token| match token {
            TokenTree::Group(group) => Some(group),
            _ => None,
        });
        let root = groups.next()??.stream();
        let state = groups.next()??.stream();
        let origin = groups.next()??.stream().into_iter().next()?;
        let TokenTree::Ident(origin) = origin else { return None };
        let answers = groups.collect::<Option<Vec<_>>>()?;
        let state = View::new(place(state, origin.span()));
        let root = Root::from_tokens(place(root, origin.span()));
        Some(Step { word: word.to_string(), root, state, origin, answers })
    }
}

/// Tokens by position.
pub(crate) struct View(Vec<TokenTree>);

impl View {
    fn new(tokens: TokenStream) -> View {
        View(tokens.into_iter().collect())
    }

    /// What is in the group at a position.
    pub(crate) fn group(&self, position: usize) -> TokenStream {
        match self.0.get(position) {
            Some(TokenTree::Group(group)) => group.stream(),
            _ => TokenStream::new(),
        }
    }

    /// The same, by position.
    pub(crate) fn inner(&self, position: usize) -> View {
        View::new(self.group(position))
    }

    /// The identifier at a position.
    pub(crate) fn ident(&self, position: usize) -> Option<&Ident> {
        match self.0.get(position) {
            Some(TokenTree::Ident(ident)) => Some(ident),
            _ => None,
        }
    }

    /// The string literal at a position.
    pub(crate) fn text(&self, position: usize) -> Option<String> {
        self.0.get(position).and_then(string)
    }

    /// The string literal at a position, as a number.
    pub(crate) fn number(&self, position: usize) -> Option<usize> {
        self.text(position)?.parse().ok()
    }
}

/// The value of a string literal token.
pub(crate) fn string(token: &TokenTree) -> Option<String> {
    match token {
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            // Our own literals hold no escapes; the lexer need not be asked.
            if let Some(inner) = text.strip_prefix('"').and_then(|t| t.strip_suffix('"'))
                && !inner.contains('\\')
            {
                return Some(inner.to_string());
            }
            syn::parse_str::<syn::LitStr>(&text).ok().map(|literal| literal.value())
        }
        _ => None,
    }
}

/// Gives tokens that waited in a macro's body the context of `origin`, so that rustc reports errors at them as if
/// there were no macro. `$crate` keeps its own: it means another crate.
pub(crate) fn place(tokens: TokenStream, origin: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            match &mut token {
                TokenTree::Group(group) => {
                    let span = group.span().resolved_at(origin);
                    let mut placed = Group::new(group.delimiter(), place(group.stream(), origin));
                    placed.set_span(span);
                    return TokenTree::Group(placed);
                }
                TokenTree::Ident(ident) if *ident == "$crate" => {}
                other => other.set_span(other.span().resolved_at(origin)),
            }
            token
        })
        .collect()
}

/// The step `stash`: a macro that holds a batch's answers.
pub(crate) fn stash(step: &Step) -> TokenStream {
    let Some(name) = step.state.ident(0) else { return TokenStream::new() };
    let answers: TokenStream = step.answers.iter().map(ToTokens::to_token_stream).collect();
    answering_macro(name, false, &answers)
}
