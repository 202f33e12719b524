//! `#[kernel]`, `#[func]`, `#[methods]`, `derive(Struct)`, `derive(Args)`: entry points only.

mod env;
