//! Damaged kernels: whatever stands there, the front end gives IR that is valid and guarded, or sentences at tokens of
//! the user's; it never panics. `WARP_MUTATIONS` says how many are tried, `WARP_MUTATIONS_SEED` where to start.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use proc_macro2::{Group, Literal, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

use super::harness::{Source, arr, run};
use crate::env::Outcome;
use crate::expand;
use crate::front::ErrorKind;

/// The same generator everywhere.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// A kernel that the front end takes, among its types and functions, and the tokens of all of them.
struct Case {
    source: Source,
    kernel: TokenStream,
    donors: Vec<TokenTree>,
}

/// The kernels of other tests and of examples: those in strings beside this file, and those that are compiled.
fn corpus() -> Vec<Case> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut texts = vec![];
    let strings_of_tests = [("src/front/tests", true)];
    let kernels_of = ["tests", "tests/language_cases", "tests/conformance/src", "tests/crates/app/src", "examples"];
    for (folder, in_strings) in strings_of_tests.into_iter().chain(kernels_of.map(|folder| (folder, false))) {
        let folder = if in_strings { here.join(folder) } else { here.join("..").join(folder) };
        let mut files: Vec<_> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .map(|entry| entry.expect("it can be listed").path())
            .collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs")) {
            let text = std::fs::read_to_string(file).expect("a file of text");
            match in_strings {
                true => strings(text.parse().expect("Rust"), &mut texts),
                false => kernels(&syn::parse_file(&text).expect("Rust"), &mut texts),
            }
        }
    }
    texts.iter().filter_map(|text| Case::new(text)).collect()
}

fn strings(tokens: TokenStream, texts: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => strings(group.stream(), texts),
            TokenTree::Literal(literal) => {
                texts.extend(syn::parse2::<syn::LitStr>(literal.to_token_stream()).ok().map(|text| text.value()));
            }
            _ => {}
        }
    }
}

fn kernels(file: &syn::File, texts: &mut Vec<String>) {
    for item in &file.items {
        if let syn::Item::Fn(function) = item
            && function.attrs.iter().any(|attribute| attribute.path().is_ident("kernel"))
        {
            let mut function = function.clone();
            function.attrs.clear();
            function.sig.ident = format_ident!("k");
            texts.push(function.to_token_stream().to_string());
        }
    }
}

impl Case {
    /// The case of a text, where it is one: other strings of the tests are messages, or refused on purpose.
    fn new(text: &str) -> Option<Case> {
        let file = syn::parse_file(text).ok()?;
        let kernel = file.items.iter().find(|item| matches!(item, syn::Item::Fn(f) if f.sig.ident == "k"))?;
        let mut donors = vec![];
        leaves(file.to_token_stream(), &mut donors);
        let kernel = kernel.to_token_stream();
        let source = catch_unwind(|| Source::new(text)).ok()?;
        let taken = catch_unwind(AssertUnwindSafe(|| source.outcome())).ok()?;
        matches!(taken, Outcome::Done(_)).then_some(Case { source, kernel, donors })
    }
}

fn leaves(tokens: TokenStream, list: &mut Vec<TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => leaves(group.stream(), list),
            other => list.push(other),
        }
    }
}

/// Values that lie on edges, and types that change what the rest means.
const STRANGE: [&str; 12] =
    ["0", "1", "255", "3.5", "1e39", "18446744073709551615", "-", "&", "u8", "f64", "mut", "{}"];

/// One change somewhere: a token less, twice, elsewhere, or another one in its place.
fn mutate(tokens: TokenStream, donors: &[TokenTree], rng: &mut Rng) -> TokenStream {
    let mut list: Vec<TokenTree> = tokens.into_iter().collect();
    let groups: Vec<usize> = (0..list.len()).filter(|at| matches!(list[*at], TokenTree::Group(_))).collect();
    if !groups.is_empty() && rng.below(100) < 85 {
        let at = *rng.pick(&groups);
        if let TokenTree::Group(old) = &list[at] {
            let mut new = Group::new(old.delimiter(), mutate(old.stream(), donors, rng));
            new.set_span(old.span());
            list[at] = new.into();
        }
        return list.into_iter().collect();
    }
    if list.is_empty() {
        return TokenStream::from(rng.pick(donors).clone());
    }
    let (at, other) = (rng.below(list.len()), rng.below(list.len()));
    match rng.below(10) {
        0 => drop(list.remove(at)),
        1 => list.insert(at, list[at].clone()),
        2 => list.swap(at, other),
        3 => list.insert(at, rng.pick(donors).clone()),
        4 => {
            let strange: TokenStream = rng.pick(&STRANGE).parse().expect("tokens");
            let span = list[at].span();
            list.splice(at..=at, strange).for_each(drop);
            list[at].set_span(span);
        }
        _ => {
            // Most tokens of another kind would not be Rust any more.
            let alike: Vec<&TokenTree> = donors.iter().filter(|donor| same_kind(donor, &list[at])).collect();
            if !alike.is_empty() {
                let span = list[at].span();
                list[at] = (*rng.pick(&alike)).clone();
                list[at].set_span(span);
            }
        }
    }
    list.into_iter().collect()
}

fn same_kind(a: &TokenTree, b: &TokenTree) -> bool {
    match (a, b) {
        (TokenTree::Ident(_), TokenTree::Ident(_)) => true,
        (TokenTree::Punct(a), TokenTree::Punct(b)) => a.spacing() == b.spacing(),
        (TokenTree::Literal(a), TokenTree::Literal(b)) => is_number(a) == is_number(b),
        _ => false,
    }
}

fn is_number(literal: &Literal) -> bool {
    literal.to_string().starts_with(|c: char| c.is_ascii_digit())
}

#[derive(Default, Debug)]
struct Tally {
    /// What rustc would not hand to a macro as a function.
    not_rust: u64,
    lowered: u64,
    refused: u64,
}

/// Whether the macros treat damaged tokens as they should.
fn treat(case: &Case, tokens: &TokenStream, tally: &mut Tally) -> Result<(), String> {
    let expanded = expand::kernel(TokenStream::new(), tokens.clone()).to_string();
    let Ok(function) = syn::parse2::<syn::ItemFn>(tokens.clone()) else {
        tally.not_rust += 1;
        // Broken syntax goes back to rustc, which tells it.
        let left_to_rustc = expanded.starts_with(&tokens.to_string());
        return match expanded.contains("compile_error") || left_to_rustc {
            true => Ok(()),
            false => Err(format!("the attribute says nothing: {expanded}")),
        };
    };
    let name = format!("fn {}", function.sig.ident);
    if !expanded.contains(&name) {
        return Err("the function is gone, so every use of it is an error too".into());
    }
    match case.source.outcome_of(&function) {
        Outcome::Need(asks) if asks.is_empty() => Err("it asks for nothing".into()),
        Outcome::Failed(errors) if errors.is_empty() => Err("it fails without a word".into()),
        Outcome::Need(_) => Ok(()),
        Outcome::Failed(errors) => {
            tally.refused += 1;
            let bad = errors.iter().find(|error| {
                let words = error.message.split_whitespace().count();
                words < 3 || error.span.source_text().is_none_or(|text| text.is_empty())
            });
            bad.map_or(Ok(()), |error| Err(format!("no sentence at a token: {:?} at {:?}", error.message, error.span)))
        }
        Outcome::Done(lowered) => {
            tally.lowered += 1;
            case.source.link(*lowered).map(drop)
        }
    }
}

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} must be a whole number, not `{text}`")),
        Err(_) => default,
    }
}

#[test]
fn damaged_kernels_give_ir_or_a_sentence() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let corpus = corpus();
    std::panic::set_hook(hook);
    assert!(corpus.len() > 60, "only {} kernels to damage", corpus.len());
    let (mut tally, mut troubles) = (Tally::default(), vec![]);
    let first = number("WARP_MUTATIONS_SEED", 0);
    for seed in first..first + number("WARP_MUTATIONS", 20_000) {
        let mut rng = Rng(seed);
        let case = rng.pick(&corpus);
        let mut tokens = case.kernel.clone();
        for _ in 0..=rng.below(3) {
            tokens = mutate(tokens, &case.donors, &mut rng);
        }
        let treated = catch_unwind(AssertUnwindSafe(|| treat(case, &tokens, &mut tally)));
        let trouble = match treated {
            Ok(Ok(())) => continue,
            Ok(Err(trouble)) => trouble,
            Err(_) => "it panics, as told above".into(),
        };
        troubles.push(format!("seed {seed}: {trouble}\n{tokens}\n"));
        if troubles.len() == 20 {
            break;
        }
    }
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
    println!("{tally:?}");
    let Tally { lowered, refused, .. } = tally;
    assert!(lowered > 300 && refused > 300, "too few get far enough to say anything: {tally:?}");
}

#[test]
fn arguments_of_attributes_are_refused_in_words() {
    let function: TokenStream = "fn k(a: &mut [f32]) { a[tid()] = 1.0; }".parse().expect("Rust");
    let arguments = quote!(no_fma, fast_math, grad(dt), checkpoint_bytes = 1024, T = [f32, f64], crate = a::b);
    let mut donors = vec![];
    leaves(arguments.clone(), &mut donors);
    leaves(function.clone(), &mut donors);
    for seed in 0..1000 {
        let mut rng = Rng(seed);
        let damaged = mutate(arguments.clone(), &donors, &mut rng);
        for attribute in [expand::kernel, expand::func] {
            let expanded = attribute(damaged.clone(), function.clone()).to_string();
            assert!(expanded.contains("fn k"), "{damaged}");
        }
    }
}

/// What damaged kernels have brought to light.
#[test]
fn findings_stay_mended() {
    // A semicolon too many is no mistake.
    let report =
        run("fn k(out: &mut [u32]) { let i = tid();; out[i] = 3; ; if i > 1 {; return;; } }", 2, &[arr(&[0u32; 2])]);
    assert_eq!(report.get::<u32>(0), [3, 3]);
    // A loop that is not there is told at the word.
    let errors = Source::new("fn k(out: &mut [u32]) { out[continue] = 3; }").errors();
    assert_eq!(errors[0].span.source_text().as_deref(), Some("continue"));
    // Writing to what is for reading is told at the parameter, when rustc has not told it at the line.
    for body in ["a[0] = 1.0;", "a[1].x += 1.0;", "atomic_add(&mut a[0], 1.0);", "fill(a);", "fill(&mut a[1..]);"] {
        let element = if body.contains(".x") { "Vec3" } else { "f32" };
        let text = format!("fn k(a: &[{element}]) {{ {body} }} fn fill(b: &mut [f32]) {{ b[0] = 2.0; }}");
        let errors = Source::new(&text).errors();
        assert!(errors[0].message.contains("`a` is for reading only: take it by `&mut`"), "{body}: {errors:?}");
        assert_eq!(errors[0].kind, ErrorKind::Deferred);
    }
    // Operators that a type has not.
    for (body, words) in [
        ("a[0] = !0.5;", "there is no `!` on `f32`"),
        ("a[0] = a[0] & 2.0;", "there is no `&` on `f32`"),
        ("a[0] = a[0] << 2u32;", "there is no `<<` on `f32`"),
        ("a[0] = (a[0] > 1.0) as f32;", "`as` does not take `bool` to `f32`"),
        ("a[0] = if 3 as bool { 1.0 } else { 2.0 };", "`as` does not take `i32` to `bool`"),
    ] {
        let errors = Source::new(&format!("fn k(a: &mut [f32]) {{ {body} }}")).errors();
        assert_eq!((&errors[0].message[..], errors[0].kind), (words, ErrorKind::Deferred));
    }
}
