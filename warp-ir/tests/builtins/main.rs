//! Tests made from the table of builtins.

mod adjoint;
mod docs;
mod edges;
mod expansion;
mod half;
mod meaning;
mod soft;
mod table;
