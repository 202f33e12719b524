//! Tests made from the table of builtins.

mod accuracy;
mod adjoint;
mod docs;
mod expansion;
mod half;
mod meaning;
mod samples;
mod soft;
mod special;
mod table;
