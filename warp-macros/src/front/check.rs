//! What valid Rust kernels do not have, found before anything is parsed: one `check_*` for each rule.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::errors::Errors;

/// Checks a function's form; all refusals at once.
pub(crate) fn check(signature: &syn::Signature, block: &syn::Block) -> Errors {
    let mut errors = Errors::default();
    check_not_async(signature, &mut errors);
    check_not_unsafe(signature, &mut errors);
    check_result_is_a_value(signature, &mut errors);
    let mut attributes = Attributes { errors };
    attributes.visit_block(block);
    attributes.errors
}

/// A kernel runs to its end.
fn check_not_async(signature: &syn::Signature, errors: &mut Errors) {
    if let Some(token) = signature.asyncness {
        errors.refuse(token.span(), "kernels have no async code: every thread runs to its end");
    }
}

/// Launches are safe, and so are kernels.
fn check_not_unsafe(signature: &syn::Signature, errors: &mut Errors) {
    if let syn::Safety::Unsafe(token) = signature.safety {
        errors.refuse(token.span(), "a kernel is never `unsafe`: every access is checked");
    }
}

/// What a function gives is a value: a reference would stand for memory that its caller cannot name.
fn check_result_is_a_value(signature: &syn::Signature, errors: &mut Errors) {
    struct References<'e>(&'e mut Errors);
    impl<'ast> Visit<'ast> for References<'_> {
        fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
            self.0.refuse(
                reference.and_token.span(),
                "functions of kernels give values, not references: give the value, or an index into the array",
            );
        }
    }
    References(errors).visit_return_type(&signature.output);
}

/// Attributes inside the body: `#[cfg]` is not yet evaluated where a macro sees it, so that parts which rustc drops
/// would run in the kernel.
struct Attributes {
    errors: Errors,
}

impl<'ast> Visit<'ast> for Attributes {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        // Of `rustfmt::skip` the tool.
        let name = attribute.path().segments.first().map(|s| s.ident.to_string()).unwrap_or_default();
        match name.as_str() {
            "cfg" | "cfg_attr" => self.errors.refuse(
                attribute.span(),
                "kernels have no `#[cfg]` inside their bodies: put it on whole functions and call one of them",
            ),
            // Lints and documentation change nothing.
            "allow" | "warn" | "deny" | "expect" | "doc" | "rustfmt" | "inline" | "cold" => {}
            _ => self.errors.refuse(attribute.span(), "kernels have no attributes of this kind inside their bodies"),
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}

    fn visit_block(&mut self, block: &'ast syn::Block) {
        visit::visit_block(self, block);
    }
}
