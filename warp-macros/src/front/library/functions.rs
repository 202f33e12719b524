//! Functions of the library: their texts are read once a process, each function is lowered when it is first called.
//!
//! What is kept between expansions is plain data: tokens and spans do not outlive the macro that made them.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use quote::{ToTokens, format_ident};
use warp_ir::ir::Function;

use crate::env::{CallUse, Env, Lowered, Outcome, Type};
use crate::front::derivative;
use crate::front::infer::FunctionUse;
use crate::front::names::Names;
use crate::front::parse::unraw;
use crate::front::types::Ty;

/// A function as the library's text has it.
struct Entry {
    name: String,
    /// `Self`, for methods and operators.
    owner: Option<Ty>,
    params: Vec<Type>,
    result: Type,
    /// Its text, of an item or of a method.
    text: String,
    lowered: OnceLock<Option<Function>>,
}

/// Entries by owner and name; an owner is there once its texts were read.
type Index = HashMap<String, HashMap<String, &'static Entry>>;

fn index() -> &'static Mutex<Index> {
    static INDEX: OnceLock<Mutex<Index>> = OnceLock::new();
    INDEX.get_or_init(Mutex::default)
}

/// The function of the library with this owner and name: a method (`Vec3`, `dot`), an operator (`Mat3`, `mul Vec3`),
/// or a free function (no owner, `vec3`).
pub(crate) fn function(owner: &str, name: &str) -> Option<FunctionUse> {
    let entry = find(owner, name)?;
    Some(FunctionUse {
        generics: vec![],
        of_block: 0,
        owner: None,
        id: identity(owner, name),
        name: entry.name.clone(),
        params: entry.params.clone(),
        result: entry.result.clone(),
        how: CallUse::Library,
    })
}

/// The lowered function of an id that [`function`] gave.
pub(crate) fn lowered(id: &str) -> Option<&'static Function> {
    let (owner, name) = id.split_once("::").unwrap_or(("", id));
    let entry = find(owner, name)?;
    entry.lowered.get_or_init(|| lower(entry)).as_ref()
}

fn identity(owner: &str, name: &str) -> String {
    if owner.is_empty() { name.into() } else { format!("{owner}::{name}") }
}

fn find(owner: &str, name: &str) -> Option<&'static Entry> {
    // A free function, and an operator whose left operand is primitive, stand with the struct that they are about.
    let home = match (owner, name.split_once(' ')) {
        ("", _) => warp_ir::library::function_owner(name)?,
        (_, Some((_, right))) if Ty::primitive(owner).is_some() => right.to_string(),
        _ => owner.to_string(),
    };
    read(&home);
    let index = index().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    index.get(owner)?.get(name).copied()
}

/// Reads the texts of an owner, once.
fn read(home: &str) {
    static READ: OnceLock<Mutex<std::collections::HashSet<String>>> = OnceLock::new();
    // Held until the functions are in the index: nobody may look for them before.
    let mut done = READ.get_or_init(Mutex::default).lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !done.insert(home.to_string()) {
        return;
    }
    let mut found = vec![];
    for text in warp_ir::library::texts_of(home) {
        let Ok(file) = syn::parse_file(text.text()) else { continue };
        for item in &file.items {
            collect(item, home, text.is_primitive(), &mut found);
        }
    }
    let mut index = index().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for (owner, name, entry) in found {
        index.entry(owner).or_default().entry(name).or_insert_with(|| Box::leak(Box::new(entry)));
    }
}

fn collect(item: &syn::Item, home: &str, primitive: bool, found: &mut Vec<(String, String, Entry)>) {
    match item {
        syn::Item::Fn(f) => {
            let name = unraw(&f.sig.ident);
            let owner = if primitive { home } else { "" };
            if let Some(entry) = entry(&name, None, &f.sig, f.to_token_stream().to_string()) {
                found.push((owner.into(), name, entry));
            }
        }
        syn::Item::Impl(block) => collect_impl(block, found),
        _ => {}
    }
}

fn collect_impl(block: &syn::ItemImpl, found: &mut Vec<(String, String, Entry)>) {
    let env = Env::default();
    let names = library_names(&env, None);
    let Ok(owner) = names.ty(&block.self_ty) else { return };
    let operand = block.trait_.as_ref().and_then(|(path, _)| {
        let segment = path.segments.last()?;
        let given = crate::front::names::type_arguments(segment).first().and_then(|t| names.ty(t).ok());
        Some(given.unwrap_or_else(|| owner.clone()))
    });
    for item in &block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        let plain = unraw(&method.sig.ident);
        let name = match &operand {
            Some(operand) if method.sig.inputs.len() == 2 => format!("{plain} {}", operand.name()),
            _ => plain.clone(),
        };
        let text = method.to_token_stream().to_string();
        if let Some(entry) = entry(&plain, Some(owner.clone()), &method.sig, text) {
            found.push((owner.name(), name, entry));
        }
    }
}

fn entry(name: &str, owner: Option<Ty>, signature: &syn::Signature, text: String) -> Option<Entry> {
    let env = Env::default();
    let names = library_names(&env, owner.clone());
    let mut params = vec![];
    for input in &signature.inputs {
        let (ty, in_place) = match input {
            syn::FnArg::Receiver(receiver) => {
                let in_place = matches!(receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
                (owner.clone()?.to_type()?, in_place)
            }
            syn::FnArg::Typed(typed) => (names.ty(&typed.ty).ok()?.to_type()?, false),
        };
        params.push(if in_place { Type::MutRef(Box::new(ty)) } else { ty });
    }
    let result = match &signature.output {
        syn::ReturnType::Default => Type::Unit,
        syn::ReturnType::Type(_, ty) => names.ty(ty).ok()?.to_type()?,
    };
    Some(Entry { name: name.into(), owner, params, result, text, lowered: OnceLock::new() })
}

fn library_names(env: &Env, owner: Option<Ty>) -> Names<'_> {
    let mut names = Names::new(env);
    names.owner = owner;
    names.library = true;
    names
}

fn lower(entry: &Entry) -> Option<Function> {
    let env = Env::default();
    let names = library_names(&env, entry.owner.clone());
    let outcome = match &entry.owner {
        Some(_) => {
            let method: syn::ImplItemFn = syn::parse_str(&entry.text).ok()?;
            crate::front::lower_function(&names, &method.sig, &method.block, false)
        }
        None => {
            let item: syn::ItemFn = syn::parse_str(&entry.text).ok()?;
            crate::front::lower_function(&names, &item.sig, &item.block, false)
        }
    };
    match outcome {
        Outcome::Done(mut lowered) => {
            if let Some(bridge) = bridge(entry, &names) {
                derivative::graft(&mut lowered, bridge, &[0]).ok()?;
            }
            Some(lowered.function)
        }
        #[cfg(test)]
        Outcome::Failed(errors) => panic!("`{}` of the library: {}", entry.name, errors[0].message),
        _ => None,
    }
}

/// The way to the derivative of a method, which is the method of its name and `_grad`: it takes the receiver and the
/// adjoints of the results.
fn bridge(entry: &Entry, names: &Names<'_>) -> Option<Lowered> {
    let own = format_ident!("{}_grad", entry.name);
    find(&entry.owner.as_ref()?.name(), &own.to_string())?;
    let method: syn::ImplItemFn = syn::parse_str(&entry.text).ok()?;
    let (owner, argument) = (format_ident!("{}", entry.owner.as_ref()?.name()), derivative::argument(0));
    let argument = format_ident!("{}", argument);
    let results: Vec<syn::Type> = match &method.sig.output {
        syn::ReturnType::Type(_, ty) => match &**ty {
            syn::Type::Tuple(list) => list.elems.iter().cloned().collect(),
            one => vec![one.clone()],
        },
        syn::ReturnType::Default => return None,
    };
    let adjoints: Vec<_> = (0..results.len()).map(|k| format_ident!("result{}", k)).collect();
    let item: syn::ItemFn = syn::parse_quote! {
        fn bridge(#argument: #owner #(, #adjoints: #results)*) -> #owner { #argument.#own(#(#adjoints),*) }
    };
    match crate::front::lower_function(names, &item.sig, &item.block, false) {
        Outcome::Done(bridge) => Some(*bridge),
        #[cfg(test)]
        Outcome::Failed(errors) => panic!("`{own}` of the library: {}", errors[0].message),
        _ => None,
    }
}

/// Lowers every function of the library, for tests: the ids of all.
#[cfg(test)]
pub(crate) fn all() -> Vec<String> {
    for name in warp_ir::library::type_names().into_iter().chain(warp_ir::library::own_type_names()) {
        read(&name);
    }
    for name in ["f32", "f64", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"] {
        read(name);
    }
    let index = index().lock().unwrap();
    index.iter().flat_map(|(owner, names)| names.keys().map(|name| identity(owner, name))).collect()
}
