//! What faces answer, as tokens and as data.
//!
//! A face's payload is `{ "data" [hubs] body }`: the data is a [`FacePayload`]; the first hub is the crate that made the
//! face, the others those of the types that the data defines, in order; `body` names the macro that holds the function's
//! body. The face of a library function is `{ builtin name }`, that of a library type which glam lacks `{ library Name }`.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::ascii::{self, Unread};
use super::chain::string;
use super::identity;
use crate::env::{Env, Face, FacePayload, TypeId};

/// How to name a macro in the root of another crate, or of this one: the crate's `$crate` token and its identity.
#[derive(Clone)]
pub(crate) struct Hub {
    token: TokenStream,
    crate_id: String,
}

impl Hub {
    /// The hub of the crate that is being compiled, for use inside a `macro_rules!` body.
    pub(crate) fn here() -> Hub {
        let dollar = proc_macro2::Punct::new('$', proc_macro2::Spacing::Alone);
        let token = [TokenTree::Punct(dollar), TokenTree::Ident(Ident::new("crate", Span::call_site()))];
        Hub { token: token.into_iter().collect(), crate_id: identity::crate_id() }
    }

    fn parse(group: &Group) -> Option<Hub> {
        let mut tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        let crate_id = string(&tokens.pop()?)?;
        Some(Hub { token: tokens.into_iter().collect(), crate_id })
    }

    /// As a payload carries it.
    pub(crate) fn tokens(&self) -> TokenStream {
        let (token, id) = (&self.token, &self.crate_id);
        quote!({ #token #id })
    }

    /// The path of a macro in that crate's root, and the crate whose names the path needs besides `use crate::*`.
    ///
    /// rustc refuses `crate::name!` for a macro that a macro made, but not the bare name under a glob import.
    pub(crate) fn path_of(&self, name: &Ident) -> (TokenStream, Option<TokenStream>) {
        let token = &self.token;
        if self.crate_id != identity::crate_id() {
            return (quote!(#token::#name), None);
        }
        // A program, an integration test or a doc test can look like the library beside it.
        let import = (!identity::is_made_here(name)).then(|| token.clone());
        (name.to_token_stream(), import)
    }

    /// Whether the crate that is being compiled may be meant.
    pub(crate) fn may_be_here(&self) -> bool {
        self.crate_id == identity::crate_id()
    }

    /// Tells apart the hubs that need an import of their own.
    pub(crate) fn crate_id(&self) -> &str {
        &self.crate_id
    }
}

/// Where the body of a function is to be had.
#[derive(Clone)]
pub(crate) struct BodyRef {
    pub hub: Hub,
    pub name: Ident,
}

impl BodyRef {
    /// As a payload carries it.
    pub(crate) fn tokens(&self) -> TokenStream {
        let (hub, name) = (self.hub.tokens(), &self.name);
        quote!({ #hub #name })
    }

    /// The inverse of [`BodyRef::tokens`], given the inside of the group.
    pub(crate) fn parse(group: &Group) -> Option<BodyRef> {
        let mut tokens = group.stream().into_iter();
        let Some(TokenTree::Group(hub)) = tokens.next() else { return None };
        let Some(TokenTree::Ident(name)) = tokens.next() else { return None };
        Some(BodyRef { hub: Hub::parse(&hub)?, name })
    }
}

/// The answer of one face.
pub(crate) struct Answer {
    pub payload: FacePayload,
    /// The face's crate, then those of `payload.types`.
    pub hubs: Vec<Hub>,
    /// For a function.
    pub body: Option<Ident>,
}

impl Answer {
    fn parse(group: &Group) -> Result<Answer, Unread> {
        const DAMAGED: &str = "the answer of an item's hidden macro is damaged";
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        match tokens.as_slice() {
            [TokenTree::Ident(word), TokenTree::Ident(name)] if *word == "builtin" || *word == "library" => {
                let face = match *word == "builtin" {
                    true => Face::Builtin(name.to_string()),
                    false => Face::Type(name.to_string()),
                };
                Ok(Answer {
                    payload: FacePayload { format: ascii::FORMAT, face, types: vec![] },
                    hubs: vec![],
                    body: None,
                })
            }
            [TokenTree::Ident(word)] if *word == "poison" => Err(POISON.into()),
            [data, TokenTree::Group(hubs), body @ ..] => {
                let payload = ascii::decode(&string(data).ok_or(DAMAGED)?)?;
                let hubs = groups(hubs.stream()).iter().map(Hub::parse).collect::<Option<_>>().ok_or(DAMAGED)?;
                let body = match body {
                    [TokenTree::Ident(name)] => Some(name.clone()),
                    _ => None,
                };
                Ok(Answer { payload, hubs, body })
            }
            _ => Err(DAMAGED.into()),
        }
    }

    /// The tokens of a payload.
    pub(crate) fn tokens(payload: &FacePayload, hubs: &[Hub], body: Option<&Ident>) -> TokenStream {
        let data = ascii::encode(payload);
        let hubs = hubs.iter().map(Hub::tokens);
        quote!({ #data [ #(#hubs)* ] #body })
    }
}

/// The brace groups of a stream.
pub(crate) fn groups(stream: TokenStream) -> Vec<Group> {
    stream
        .into_iter()
        .filter_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group),
            _ => None,
        })
        .collect()
}

/// Where an error about a path stands: at its last name.
fn place(path: &syn::Path) -> Span {
    path.segments.last().map_or_else(Span::call_site, |last| last.ident.span())
}

/// What the face of an item says that failed.
const POISON: &str = "poison";

/// The face of an item that failed: who asks it stays silent.
pub(crate) fn poison() -> TokenStream {
    quote!({ poison })
}

/// All that an item's chain has brought.
#[derive(Default)]
pub(crate) struct Known {
    pub env: Env,
    /// Crates of the types in `env.types`.
    pub type_hubs: HashMap<TypeId, Hub>,
    /// Bodies of functions in `env.faces`, by the same key.
    pub bodies: HashMap<String, BodyRef>,
    /// Bodies of methods in `env.methods`, by the same key.
    pub method_bodies: HashMap<(TypeId, String), BodyRef>,
    /// The type that `Self` stands for.
    pub owner: Option<TypeId>,
    /// Something that answered has failed.
    pub poisoned: bool,
}

impl Known {
    /// Adds the answer that a path gave; an error is about the path.
    pub(crate) fn add_face(&mut self, path: &syn::Path, group: &Group) -> syn::Result<()> {
        let answer = match Answer::parse(group) {
            Err(sentence) if sentence == POISON => {
                self.poisoned = true;
                return Ok(());
            }
            answer => answer.map_err(|sentence| syn::Error::new(place(path), sentence))?,
        };
        let key = super::body::path_key(path);
        self.add_types(&answer);
        if let (Some(hub), Some(name)) = (answer.hubs.first(), &answer.body) {
            self.bodies.insert(key.clone(), BodyRef { hub: hub.clone(), name: name.clone() });
        }
        self.env.faces.insert(key, answer.payload.face);
        Ok(())
    }

    /// Adds the answer to a question for a method.
    pub(crate) fn add_method(&mut self, key: (TypeId, String), group: &Group) -> Result<(), Unread> {
        let answer = match Answer::parse(group) {
            Err(sentence) if sentence == POISON => {
                self.poisoned = true;
                return Ok(());
            }
            answer => answer?,
        };
        self.add_types(&answer);
        let Face::Func(signature) = answer.payload.face else { return Err("a method answered like a type".into()) };
        if let (Some(hub), Some(name)) = (answer.hubs.first(), &answer.body) {
            self.method_bodies.insert(key.clone(), BodyRef { hub: hub.clone(), name: name.clone() });
        }
        self.env.methods.insert(key, signature);
        Ok(())
    }

    fn add_types(&mut self, answer: &Answer) {
        for ((id, def), hub) in answer.payload.types.iter().zip(answer.hubs.iter().skip(1)) {
            self.env.types.insert(id.clone(), def.clone());
            self.type_hubs.insert(id.clone(), hub.clone());
        }
    }
}
