//! Names that the source file shows to be plain: functions without `#[func]`, types without a derive of ours.
//!
//! Who is asked and has no face is an error of rustc's about a missing macro, in words that say little. So the file of
//! the asking item is read: where it shows beyond doubt what a name means and that it is plain, that is said instead, and
//! nobody is asked. Names that it does not settle (other files, other crates, macros of the user's) are asked as ever.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use proc_macro2::Ident;
use quote::ToTokens;

use super::argument_types::written;
use super::names;
use super::scope::{Meaning, Scopes};

/// One sentence for each path that is plain, at the path. `asker` is the name of the item that uses them.
pub(super) fn sentences<'a>(paths: impl IntoIterator<Item = &'a syn::Path>, asker: &Ident) -> Vec<syn::Error> {
    let Some(source) = Source::of(asker) else { return vec![] };
    let paths: Vec<&syn::Path> = paths.into_iter().filter(|path| source.may_be_plain(path)).collect();
    if paths.is_empty() {
        return vec![];
    }
    // Only a file with a mistake in it is parsed.
    let Ok(file) = syn::parse_file(&source.text) else { return vec![] };
    let Some(scopes) = Scopes::around(&file, &asker.to_string()) else { return vec![] };
    let told = |path: &&syn::Path| {
        let place = path.segments.last()?.ident.span();
        Some(syn::Error::new(place, sentence(path, &scopes.meaning(path)?)?))
    };
    paths.iter().filter_map(told).collect()
}

fn sentence(path: &syn::Path, meaning: &Meaning<'_>) -> Option<String> {
    let name = path.to_token_stream().to_string().replace(' ', "");
    // A type hides no function of its name, nor a function a type: who is called in small letters is no type.
    let is_type = path.segments.last()?.ident.to_string().starts_with(char::is_uppercase);
    let of_types = matches!(meaning, Meaning::Item(syn::Item::Struct(_) | syn::Item::Enum(_) | syn::Item::Type(_)));
    if of_types && !is_type {
        return None;
    }
    Some(match meaning {
        Meaning::Std(full) => crate::front::missing::std_function(full),
        Meaning::Item(syn::Item::Fn(function)) if has(&function.attrs, "kernel") => format!(
            "`{name}` is a kernel, and kernels are launched, not called: move what both do into a `#[func]`, and call that"
        ),
        Meaning::Item(syn::Item::Fn(function)) if is_plain(&function.attrs) => {
            format!("`{name}` is a plain function, and kernels call functions with `#[func]`: put `#[func]` on it")
        }
        Meaning::Item(syn::Item::Struct(item))
            if is_plain(&item.attrs) && item.generics.lifetimes().next().is_some() =>
        {
            format!("kernels do not know the struct `{name}`: put `#[derive(Args)]` on it, as it holds references")
        }
        Meaning::Item(syn::Item::Struct(item)) if is_plain(&item.attrs) => format!(
            "kernels do not know the struct `{name}`: put `#[derive(Clone, Copy, Struct)]` and `#[repr(C)]` on it"
        ),
        Meaning::Item(syn::Item::Enum(item)) if is_plain(&item.attrs) => format!(
            "kernels do not know the enum `{name}`: put `#[derive(Clone, Copy, Struct)]` and `#[repr(u8)]` on it"
        ),
        Meaning::Item(syn::Item::Type(item)) if is_plain(&item.attrs) => {
            format!("kernels do not see through the alias `{name}`: write `{}`", written(&item.ty))
        }
        Meaning::Item(syn::Item::Const(item)) if is_plain(&item.attrs) => format!(
            "kernels lay arrays out before rustc evaluates constants: put `#[func]` on `{name}`, so that it may be a length"
        ),
        _ => return None,
    })
}

/// Whether an attribute of this name is among them.
fn has(attributes: &[syn::Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == name))
}

/// Whether no attribute can bring a face: those of rustc's that change nothing here, and its own derives.
fn is_plain(attributes: &[syn::Attribute]) -> bool {
    const HARMLESS: [&str; 14] = [
        "doc",
        "inline",
        "allow",
        "warn",
        "deny",
        "expect",
        "must_use",
        "cold",
        "track_caller",
        "deprecated",
        "repr",
        "rustfmt",
        "non_exhaustive",
        "no_mangle",
    ];
    attributes.iter().all(|attribute| match attribute.path().get_ident() {
        Some(name) if name == "derive" => only_rusts_derives(attribute),
        Some(name) => HARMLESS.contains(&name.to_string().as_str()),
        None => false,
    })
}

fn only_rusts_derives(attribute: &syn::Attribute) -> bool {
    let parse = syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
    attribute.parse_args_with(parse).is_ok_and(|list| {
        list.iter().all(|path| path.get_ident().is_some_and(|name| names::is_macro_of_rust(&name.to_string())))
    })
}

/// A source file.
struct Source {
    text: String,
    /// Names of items that look plain, and names that come from the standard library.
    candidates: HashSet<String>,
}

impl Source {
    /// The file that an identifier stands in, read once while it does not change.
    fn of(place: &Ident) -> Option<Arc<Source>> {
        type Read = HashMap<PathBuf, (SystemTime, Arc<Source>)>;
        static READ: LazyLock<Mutex<Read>> = LazyLock::new(Default::default);
        let path = place.span().local_file()?;
        let changed = std::fs::metadata(&path).ok()?.modified().ok()?;
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, source)) = read.get(&path)
            && *at == changed
        {
            return Some(source.clone());
        }
        let text = std::fs::read_to_string(&path).ok()?;
        let source = Arc::new(Source { candidates: candidates(&text), text });
        read.insert(path, (changed, source.clone()));
        Some(source)
    }

    fn may_be_plain(&self, path: &syn::Path) -> bool {
        let last = path.segments.last().map(|last| last.ident.to_string());
        // Of names that nobody may have something else is said.
        let free = |name: &String| !names::is_of_the_language(name) && !names::is_macro_of_rust(name);
        last.is_some_and(|name| self.candidates.contains(&name) && free(&name))
    }
}

/// A first look, without a parser, that may find too much: names behind the words that define items, where no attribute
/// of ours is near, and all words of imports from the standard library.
fn candidates(text: &str) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut marked = false;
    for line in text.lines().map(str::trim) {
        let words: Vec<&str> =
            line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
        marked |= line.contains("#[") && words.iter().any(|word| ["func", "Struct", "Args"].contains(word));
        let defined = words.windows(2).filter(|pair| DEFINING.contains(&pair[0])).map(|pair| pair[1]);
        if words.windows(2).any(|pair| pair[0] == "use" && ["std", "core", "alloc"].contains(&pair[1])) {
            found.extend(words.iter().skip(2).map(ToString::to_string));
        } else if !marked {
            found.extend(defined.map(ToString::to_string));
        }
        if line.ends_with(['}', ';', '{']) || line.is_empty() {
            marked = false;
        }
    }
    found
}

/// The words in front of the names of items.
const DEFINING: [&str; 5] = ["fn", "struct", "enum", "type", "const"];

#[cfg(test)]
mod tests {
    use super::*;

    fn told(file: &str, asker: &str, path: &str) -> Option<String> {
        let (file, path) = (syn::parse_file(file).unwrap(), syn::parse_str::<syn::Path>(path).unwrap());
        let scopes = Scopes::around(&file, asker)?;
        sentence(&path, &scopes.meaning(&path)?)
    }

    #[test]
    fn plain_items_are_told_with_the_way_out() {
        let file = "
            use std::mem::swap;
            /// Words.
            #[inline] fn f() {}
            #[derive(Clone, Debug)] struct S { x: f32 }
            struct B<'a> { x: &'a [f32] }
            enum E { A }
            type Real = f32;
            const N: usize = 3;
            #[kernel] fn other() {}
            #[kernel] fn k() {}
        ";
        for (path, words) in [
            ("f", "`#[func]`"),
            ("S", "`#[repr(C)]`"),
            ("B", "`#[derive(Args)]`"),
            ("E", "`#[repr(u8)]`"),
            ("Real", "write `f32`"),
            ("N", "may be a length"),
            ("other", "is a kernel"),
            ("swap", "`std::mem::swap`"),
        ] {
            let sentence = told(file, "k", path).unwrap_or_default();
            assert!(sentence.contains(words), "{path}: {sentence}");
        }
    }

    #[test]
    fn what_may_have_a_face_is_asked() {
        let file = "
            #[func] fn f() {}
            #[cfg(x)] fn g() {}
            #[ours::device] fn h() {}
            #[derive(Clone, warp::Struct)] struct S { x: f32 }
            #[derive(Mine)] struct T { x: f32 }
            #[func] const N: usize = 3;
            #[kernel] fn k() {}
        ";
        for path in ["f", "g", "h", "S", "T", "N", "unknown"] {
            assert_eq!(told(file, "k", path), None, "{path}");
        }
    }

    #[test]
    fn the_first_look_finds_what_is_unmarked() {
        let text = "
            #[func]
            pub fn marked(x: f32) {
                1
            }
            #[derive(Clone, Copy, Struct)]
            #[repr(C)]
            struct Marked {
                x: f32,
            }
            pub(crate) fn plain() {}
            #[func] fn also_marked() {}
            struct Plain;
            use std::mem::{self, swap as exchange};
        ";
        let found = candidates(text);
        for name in ["plain", "Plain", "swap", "exchange"] {
            assert!(found.contains(name), "{name}");
        }
        for name in ["marked", "Marked", "also_marked"] {
            assert!(!found.contains(name), "{name}");
        }
    }
}
