//! What rustc says of programs that are wrong: one file for each rule, in folders of `ui` by theme.
//!
//! `TRYBUILD=overwrite cargo test -p warp-messages` writes the expected messages anew; read the difference before committing it.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}
