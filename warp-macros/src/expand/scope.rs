//! What a name means in one file, as far as the file alone settles it.

use syn::{Ident, Item, Path, Stmt, UseTree};

/// Imports that lead to imports, at most.
const IMPORTS: usize = 4;

/// What a path means.
pub(super) enum Meaning<'f> {
    /// An item of this file.
    Item(&'f Item),
    /// Something of the standard library, by its full path.
    Std(Path),
}

/// The scopes around an item.
pub(super) struct Scopes<'f> {
    /// The modules around it, the file itself first.
    modules: Vec<&'f [Item]>,
    /// The items in the blocks around it, the innermost last.
    blocks: Vec<Vec<&'f Item>>,
}

impl<'f> Scopes<'f> {
    /// The scopes around the one item of this name that an attribute or a derive marks as ours; `None` where it does not
    /// stand in the file as such (a macro made it), or several do.
    pub(super) fn around(file: &'f syn::File, name: &str) -> Option<Scopes<'f>> {
        let mut search = Search { name, found: vec![] };
        search.items(&file.items.iter().collect::<Vec<_>>(), &[&file.items], &[]);
        let one = search.found.len() == 1;
        search.found.pop().filter(|_| one)
    }

    /// What a path means there.
    pub(super) fn meaning(&self, path: &Path) -> Option<Meaning<'f>> {
        let names: Vec<&Ident> = path.segments.iter().map(|segment| &segment.ident).collect();
        if path.leading_colon.is_some() {
            return None;
        }
        let lone = names.len() == 1;
        for block in self.blocks.iter().rev().filter(|_| lone) {
            let mut defining = block.iter().filter(|item| defines(item, names[0]));
            if let Some(item) = defining.next() {
                return defining.next().is_none().then_some(Meaning::Item(item));
            }
            if block.iter().any(|item| imports_perhaps(item, names[0])) {
                return None;
            }
        }
        resolve(&self.modules, &names, IMPORTS)
    }
}

struct Search<'n, 'f> {
    name: &'n str,
    found: Vec<Scopes<'f>>,
}

impl<'f> Search<'_, 'f> {
    fn items(&mut self, items: &[&'f Item], modules: &[&'f [Item]], blocks: &[Vec<&'f Item>]) {
        for &item in items {
            let found = match item {
                Item::Fn(f) => f.sig.ident == self.name && marked(&f.attrs),
                Item::Struct(s) => s.ident == self.name && marked(&s.attrs),
                Item::Enum(e) => e.ident == self.name && marked(&e.attrs),
                Item::Const(c) => c.ident == self.name && marked(&c.attrs),
                Item::Impl(i) => marked(&i.attrs) && self.is_in_impl(i),
                _ => false,
            };
            if found {
                self.found.push(Scopes { modules: modules.to_vec(), blocks: blocks.to_vec() });
            }
            match item {
                Item::Mod(module) => {
                    if let Some((_, inside)) = &module.content
                        && is_as_written(module)
                    {
                        let all: Vec<&Item> = inside.iter().collect();
                        self.items(&all, &[modules, &[&inside[..]]].concat(), &[]);
                    }
                }
                Item::Fn(function) => {
                    let inside: Vec<&Item> = items_of(&function.block);
                    self.items(&inside, modules, &[blocks, std::slice::from_ref(&inside)].concat());
                }
                _ => {}
            }
        }
    }

    /// A method of the block, or the type of the block, which the whole goes by.
    fn is_in_impl(&self, block: &syn::ItemImpl) -> bool {
        let own = |item: &syn::ImplItem| matches!(item, syn::ImplItem::Fn(f) if f.sig.ident == self.name);
        let of = matches!(&*block.self_ty, syn::Type::Path(p) if p.path.segments.last().is_some_and(|l| l.ident == self.name));
        of || block.items.iter().any(own)
    }
}

fn items_of(block: &syn::Block) -> Vec<&Item> {
    let mut items = vec![];
    for stmt in &block.stmts {
        if let Stmt::Item(item) = stmt {
            items.push(item);
        }
    }
    items
}

/// Whether an attribute says that our macros look at the item.
fn marked(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let name = attribute.path().segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let derives = || match &attribute.meta {
            syn::Meta::List(list) => crate::front::identifiers(list.tokens.clone()),
            _ => Default::default(),
        };
        match name.as_str() {
            "kernel" | "func" | "methods" => true,
            "derive" => derives().contains("Struct") || derives().contains("Args"),
            _ => false,
        }
    })
}

/// What a path means in the last of `modules`; each stands inside the one before.
fn resolve<'f>(modules: &[&'f [Item]], path: &[&Ident], imports: usize) -> Option<Meaning<'f>> {
    let (here, (&first, rest)) = (*modules.last()?, path.split_first()?);
    if first == "self" {
        return resolve(modules, rest, imports);
    }
    if first == "super" {
        return resolve(&modules[..modules.len() - 1], rest, imports);
    }
    if first == "crate" {
        return None;
    }
    let mut defining = here.iter().filter(|item| defines(item, first));
    if let Some(item) = defining.next() {
        // Items of two namespaces are not told apart.
        if defining.next().is_some() {
            return None;
        }
        return match item {
            Item::Mod(module) => {
                let (_, inside) = module.content.as_ref().filter(|_| is_as_written(module))?;
                resolve(&[modules, &[&inside[..]]].concat(), rest, imports)
            }
            _ => rest.is_empty().then_some(Meaning::Item(item)),
        };
    }
    imported(modules, first, rest, imports)
}

/// What a name means that a `use` brings: one that names it, else all that bring everything of a module in this file.
fn imported<'f>(modules: &[&'f [Item]], name: &Ident, rest: &[&Ident], imports: usize) -> Option<Meaning<'f>> {
    let fewer = imports.checked_sub(1)?;
    let mut all = vec![];
    for item in *modules.last()? {
        if let Item::Use(import) = item {
            flatten(&import.tree, &mut vec![], &mut all);
        }
    }
    if let Some((path, _)) = all.iter().find(|(_, bound)| bound.as_ref().is_some_and(|bound| bound == name)) {
        let whole: Vec<&Ident> = path.iter().chain(rest.iter().copied()).collect();
        let std = whole.first().is_some_and(|first| ["std", "core", "alloc"].contains(&first.to_string().as_str()));
        return match std {
            true => Some(Meaning::Std(syn::parse_quote!(#(#whole)::*))),
            false => resolve(modules, &whole, fewer),
        };
    }
    all.iter().filter(|(_, bound)| bound.is_none()).find_map(|(path, _)| {
        let whole: Vec<&Ident> = path.iter().chain([name]).chain(rest.iter().copied()).collect();
        match resolve(modules, &whole, fewer)? {
            Meaning::Std(_) => None,
            item => Some(item),
        }
    })
}

/// The paths that a `use` names, each with the name that it binds; `None` for `*`.
fn flatten(tree: &UseTree, path: &mut Vec<Ident>, all: &mut Vec<(Vec<Ident>, Option<Ident>)>) {
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.clone());
            flatten(&inner.tree, path, all);
            path.pop();
        }
        UseTree::Name(name) if name.ident == "self" => all.push((path.clone(), path.last().cloned())),
        UseTree::Name(name) => {
            let whole = [&path[..], std::slice::from_ref(&name.ident)].concat();
            all.push((whole, Some(name.ident.clone())));
        }
        UseTree::Rename(name) => {
            let whole = [&path[..], std::slice::from_ref(&name.ident)].concat();
            all.push((whole, Some(name.rename.clone())));
        }
        UseTree::Glob(_) => all.push((path.clone(), None)),
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, path, all)),
    }
}

/// Whether no attribute macro changes what is inside a module.
fn is_as_written(module: &syn::ItemMod) -> bool {
    const HARMLESS: [&str; 9] = ["doc", "cfg", "path", "allow", "warn", "deny", "expect", "deprecated", "rustfmt"];
    module.attrs.iter().all(|attribute| {
        attribute.path().segments.first().is_some_and(|first| HARMLESS.contains(&first.ident.to_string().as_str()))
    })
}

/// Whether a `use` in a block may bring the name.
fn imports_perhaps(item: &Item, name: &Ident) -> bool {
    let Item::Use(import) = item else { return false };
    let mut all = vec![];
    flatten(&import.tree, &mut vec![], &mut all);
    all.iter().any(|(_, bound)| bound.as_ref().is_none_or(|bound| bound == name))
}

/// Whether an item has this name.
fn defines(item: &Item, name: &Ident) -> bool {
    let own = match item {
        Item::Fn(f) => &f.sig.ident,
        Item::Struct(s) => &s.ident,
        Item::Enum(e) => &e.ident,
        Item::Type(t) => &t.ident,
        Item::Const(c) => &c.ident,
        Item::Static(s) => &s.ident,
        Item::Trait(t) => &t.ident,
        Item::Union(u) => &u.ident,
        Item::Mod(m) => &m.ident,
        _ => return false,
    };
    own == name
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The body of the function that a path means, or the path in the standard library.
    fn meaning(file: &str, path: &str) -> Option<String> {
        let (file, path) = (syn::parse_file(file).unwrap(), syn::parse_str::<Path>(path).unwrap());
        let scopes = Scopes::around(&file, "k")?;
        Some(match scopes.meaning(&path)? {
            Meaning::Item(Item::Fn(f)) => quote::quote!(#f).to_string(),
            Meaning::Item(_) => "another item".into(),
            Meaning::Std(path) => quote::quote!(#path).to_string().replace(' ', ""),
        })
    }

    #[test]
    fn names_are_those_of_the_own_module() {
        let file = "fn f() { 1 } mod m { #[kernel] fn k() {} pub fn g() { 2 } mod n { fn h() { 3 } } }";
        assert_eq!(meaning(file, "f"), None);
        assert_eq!(meaning(file, "g").unwrap(), "pub fn g () { 2 }");
        assert_eq!(meaning(file, "super::f").unwrap(), "fn f () { 1 }");
        assert_eq!(meaning(file, "self::n::h").unwrap(), "fn h () { 3 }");
        assert_eq!(meaning(file, "::m::g"), None);
    }

    #[test]
    fn imports_are_followed() {
        let file = "
            mod m { use super::f as again; pub fn f() { 1 } fn g() { 2 } pub use self::g as h; }
            use m::{f, self as other};
            use std::mem::swap;
            use elsewhere::{i, *};
            mod tests { use super::*; #[kernel] fn k() {} }
        ";
        assert_eq!(meaning(file, "f").unwrap(), "pub fn f () { 1 }");
        assert_eq!(meaning(file, "super::other::h").unwrap(), "fn g () { 2 }");
        assert_eq!(meaning(file, "super::swap").unwrap(), "std::mem::swap");
        assert_eq!(meaning(file, "i"), None);
        assert_eq!(meaning(file, "super::m::again").unwrap(), "pub fn f () { 1 }");
    }

    #[test]
    fn imports_in_a_circle_end() {
        assert_eq!(meaning("use self::a as b; use self::b as a; #[kernel] fn k() {}", "a"), None);
    }

    #[test]
    fn blocks_hide_what_is_outside() {
        let file = "fn f() { 1 } fn g() { 2 } fn outer() { use x::g; fn f() { 3 } #[warp::kernel] fn k() {} }";
        assert_eq!(meaning(file, "f").unwrap(), "fn f () { 3 }");
        assert_eq!(meaning(file, "g"), None);
    }

    #[test]
    fn items_that_a_macro_makes_are_not_found() {
        assert_eq!(meaning("fn f() {} make! { #[kernel] fn k() {} }", "f"), None);
        assert_eq!(meaning("fn f() {} mod a { #[kernel] fn k() {} } mod b { #[kernel] fn k() {} }", "f"), None);
    }
}
