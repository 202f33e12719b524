//! What Rust has and kernels have not, by name: each with the way out.

use quote::ToTokens;

use super::parse::unraw;

/// What to write where a kernel names a type of Rust's that it cannot have; `None` for other names.
pub(crate) fn sentence(name: &str) -> Option<String> {
    Some(match name {
        "String" | "str" | "Cow" | "OsString" | "CString" => {
            format!("kernels have no `{name}`: text stays on the host, and kernels get numbers")
        }
        "Vec" | "VecDeque" | "Box" | "Rc" | "Arc" | "HashMap" | "HashSet" | "BTreeMap" | "BTreeSet" => format!(
            "kernels have no heap, and so no `{name}`: use fixed arrays `[T; N]`, or arrays that the host passes as slices"
        ),
        "Result" => "kernels have no `Result`: return an `Option`, or a tuple with a flag".into(),
        "char" => "kernels have no `char`: use `u8` (`b'a'`) or `u32`".into(),
        "i128" | "u128" => format!("kernels have no `{name}`: their integers have at most 64 bits"),
        _ => return None,
    })
}

/// Modules of the standard library whose functions programs call by path.
const MODULES: [&str; 12] =
    ["array", "cmp", "convert", "env", "fs", "hint", "io", "iter", "mem", "process", "ptr", "thread"];

/// Whether a path names a function of the standard library. A module of the user's may be called `core`, so the module
/// inside counts too.
pub(crate) fn is_of_std(path: &syn::Path) -> bool {
    let mut names = path.segments.iter().map(|segment| unraw(&segment.ident));
    names.next().is_some_and(|name| ["std", "core", "alloc"].contains(&name.as_str()))
        && names.next().is_some_and(|name| MODULES.contains(&name.as_str()))
        && names.next().is_some()
}

/// What to say of a call of such a function.
pub(crate) fn std_function(path: &syn::Path) -> String {
    let path = super::names::bare_path(path).to_token_stream().to_string().replace(' ', "");
    format!(
        "kernels cannot call `{path}`: of the standard library they know methods of numbers, slices and `Option`, such as \
         `a.max(b)`"
    )
}
