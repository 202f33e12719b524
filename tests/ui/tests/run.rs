//! Each case is a program that does not compile; beside it stands what rustc says, word for word.
//!
//! `TRYBUILD=overwrite cargo test -p warp-test-ui` renews the texts; read the difference before you keep it.

#[test]
fn errors_are_sentences_at_the_users_token() {
    let cases = trybuild::TestCases::new();
    for theme in [
        "attributes",
        "bundles",
        "constants",
        "deferred",
        "faces",
        "launches",
        "lengths",
        "limits",
        "methods",
        "names",
        "patterns",
        "recursion",
        "refused",
        "signatures",
        "syntax",
        "texts",
        "types",
        "agreement",
    ] {
        cases.compile_fail(format!("{theme}/*.rs"));
    }
}
