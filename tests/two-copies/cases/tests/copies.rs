//! Items made for one copy of the runtime are never mixed with another: rustc or the macros say so.
//!
//! They stand apart from the other errors, where rustc would name the second copy in its suggestions.

#[test]
fn copies_are_never_mixed() {
    trybuild::TestCases::new().compile_fail("copies/*.rs");
}
