//! PTX: its text, the tool that assembles it, and what it does when it runs.

mod address;
mod assemble;
mod code;
mod early;
mod measure;
mod random;
mod rows;
mod run;
mod shape;
mod vector;
