//! Who an item is: by definition, not by content.
//!
//! Two functions with equal tokens may mean different things (a private constant of their modules), so the identity
//! covers crate, file name, tokens, and how many items with these tokens came before. It covers no line or column: moving
//! code changes no name.

use std::collections::{HashMap, HashSet, hash_map::DefaultHasher};
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::format_ident;

/// The identity of a definition: 16 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Identity(String);

impl Identity {
    /// A new identity for an item, given its kind and its tokens.
    pub(crate) fn new(kind: &str, tokens: &TokenStream, place: Span) -> Identity {
        static SEEN: LazyLock<Mutex<HashMap<u64, u32>>> = LazyLock::new(Default::default);
        // Folders are left out, so that the same source gives the same names wherever it lies.
        let file = place.file().rsplit(['/', '\\']).next().map(str::to_owned);
        let hash = hash(&(kind, crate_id(), file, tokens.to_string()));
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        let count = seen.entry(hash).or_insert(0);
        *count += 1;
        Identity(format!("{:016x}", self::hash(&(hash, *count))))
    }

    /// An identity that came with a chain of macros.
    pub(crate) fn from_text(text: String) -> Identity {
        Identity(text)
    }

    /// The digits.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// The same as a number.
    pub(crate) fn number(&self) -> Literal {
        number(&self.0)
    }

    /// A name that belongs to this item alone.
    pub(crate) fn name(&self, role: &str) -> Ident {
        format_ident!("__warp_{}_{}", role, self.0)
    }
}

/// An identity as a number: it is 16 hexadecimal digits.
pub(crate) fn number(id: &str) -> Literal {
    Literal::u64_unsuffixed(u64::from_str_radix(id, 16).unwrap_or(0))
}

/// The name of the macro that answers for a method, known to everyone who knows the type.
///
/// rustc prints it when there is no such method, so it is a sentence; two long numbers in it keep rustc from
/// suggesting similar names.
pub(crate) fn method_macro(owner: &str, method: &str) -> Ident {
    let hash = hash(&(owner, method));
    let words: String = method.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let again = self::hash(&hash);
    match words.starts_with("eq_") {
        true => format_ident!("__{hash:016x}_kernels_find_no_PartialEq_derived_or_under_methods_{again:016x}"),
        false => format_ident!("__{hash:016x}_kernels_find_no_method_{words}_under_methods_{again:016x}"),
    }
}

/// The name of the macro that holds a function's body. rustc prints it when that function had no body.
pub(crate) fn body_macro(identity: &Identity, function: &str) -> Ident {
    let again = hash(&identity.0);
    format_ident!("__{}_kernels_cannot_call_{}_{:016x}", identity.0, function, again)
}

/// The crate that is being compiled, as far as Cargo tells. Documentation tests can be equal to their library here.
///
/// Nothing depends on a program, so programs share one name, and only libraries need their own.
pub(crate) fn crate_id() -> String {
    let var = |name| std::env::var(name).unwrap_or_default();
    let name = match std::env::var_os("CARGO_BIN_NAME") {
        Some(_) => "a program".to_string(),
        None => var("CARGO_CRATE_NAME"),
    };
    format!("{:016x}", hash(&(var("CARGO_PKG_NAME"), var("CARGO_PKG_VERSION"), name)))
}

static MADE_HERE: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Default::default);

/// Remembers a root macro of this compilation.
pub(crate) fn made_here(name: &Ident) {
    MADE_HERE.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_string());
}

/// Whether a root macro of this name belongs to these tokens alone; others of this compilation came first if not.
pub(crate) fn made_once(name: &Ident, tokens: &TokenStream) -> bool {
    static OWNERS: LazyLock<Mutex<HashMap<String, u64>>> = LazyLock::new(Default::default);
    let mut owners = OWNERS.lock().unwrap_or_else(PoisonError::into_inner);
    let own = hash(&tokens.to_string());
    *owners.entry(name.to_string()).or_insert(own) == own
}

/// Whether a root macro was made by this compilation; a wrong "no" only costs a longer path.
pub(crate) fn is_made_here(name: &Ident) -> bool {
    MADE_HERE.lock().unwrap_or_else(PoisonError::into_inner).contains(&name.to_string())
}

fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Whether a type's identity is that of a user's definition, not the name of a library type.
pub(crate) fn is_definition(id: &str) -> bool {
    id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Where the numbers of the types that a method names start.
pub(crate) fn part_number(owner: &str, method: &str) -> u64 {
    hash(&("part", owner, method)) << 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_of_one_file_are_two() {
        let tokens: TokenStream = "pub struct M { pub x: f32 }".parse().unwrap();
        let new = || Identity::new("struct", &tokens, Span::call_site());
        let all: HashSet<_> = [new(), new(), new()].into_iter().collect();
        assert_eq!(all.len(), 3);
        assert!(all.iter().all(|identity| is_definition(identity.text())));
    }
}
