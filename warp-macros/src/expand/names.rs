//! Names and shapes that a function's signature may have.

use proc_macro2::Ident;
use syn::Signature;
use syn::ext::IdentExt;

use crate::errors::Errors;

/// Macros of the standard prelude: a hidden macro of the same name would be ambiguous to rustc.
const STANDARD_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
    "is_x86_feature_detected",
    "global_asm",
    "asm",
    "addr_of",
    "derive",
    "test",
    "global_allocator",
    "cfg_select",
];

const PRIMITIVE_TYPES: &[&str] = &[
    "bool", "char", "str", "f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
    "u64", "u128", "usize",
];

/// Functions of the prelude: a function of the same name would hide them for everyone who calls both.
pub(crate) const PRELUDE: &[&str] = &[
    "tid",
    "tid2",
    "tid3",
    "tid4",
    "atomic_add",
    "atomic_sub",
    "atomic_min",
    "atomic_max",
    "atomic_and",
    "atomic_or",
    "atomic_xor",
    "atomic_exchange",
    "atomic_compare_exchange",
    "detach",
];

/// Whether a function of ours may have this name.
pub(crate) fn check(name: &Ident, errors: &mut Errors) {
    let text = name.unraw().to_string();
    if STANDARD_MACROS.contains(&text.as_str()) {
        errors.at(name, format!("`{text}` is a macro of Rust's prelude, and a kernel function brings a macro of its own name: choose another name"));
    } else if PRIMITIVE_TYPES.contains(&text.as_str()) {
        errors.at(
            name,
            format!("`{text}` is a type, and a kernel function brings a type of its own name: choose another name"),
        );
    } else if PRELUDE.contains(&text.as_str()) {
        errors.at(name, format!("`{text}` is a function of the kernel language: choose another name"));
    }
}

/// Whether a name is that of a macro of the standard prelude, so that no item of ours can be asked under it.
pub(crate) fn is_macro_of_rust(name: &str) -> bool {
    STANDARD_MACROS.contains(&name) || STANDARD_DERIVES.contains(&name)
}

/// Whether a name is that of a primitive type, so that no type of ours may stand beside a function of that name.
pub(crate) fn is_primitive_type(name: &str) -> bool {
    PRIMITIVE_TYPES.contains(&name)
}

/// Whether a name is that of a function of the kernel language.
pub(crate) fn is_of_the_language(name: &str) -> bool {
    PRELUDE.contains(&name)
}

/// What neither kernels nor functions may be.
pub(crate) fn check_qualifiers(signature: &Signature, errors: &mut Errors) {
    if let Some(token) = &signature.asyncness {
        errors.at(token, "kernels cannot be `async`: a launch runs a function to its end");
    }
    if let syn::Safety::Unsafe(token) = &signature.safety {
        errors.at(token, "kernels cannot be `unsafe`: all they do is checked");
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "kernels have Rust's own calling convention: remove `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, "kernels have a fixed number of parameters");
    }
}

/// Derive macros of the standard prelude.
const STANDARD_DERIVES: &[&str] =
    &["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];

/// Whether a type of ours may have this name.
pub(crate) fn check_type(name: &Ident, errors: &mut Errors) {
    let text = name.unraw().to_string();
    if STANDARD_DERIVES.contains(&text.as_str()) || STANDARD_MACROS.contains(&text.as_str()) {
        errors.at(
            name,
            format!("`{text}` is a macro of Rust's prelude, and a kernel type brings a macro of its own name: choose another name"),
        );
    }
}
