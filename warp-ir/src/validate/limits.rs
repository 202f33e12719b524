//! Bounds on what the validator takes. Generous for programs, small enough that no pass, recursion or per-thread
//! allocation gets out of hand.

/// Ops of a function, nested ones included.
pub const OPS: usize = 1 << 20;
/// Values of a function.
pub const VALUES: usize = 1 << 22;
/// Regions inside regions; the body is at depth 1. Every pass recurses over regions.
pub const DEPTH: usize = 128;
/// Scalar and array parameters, each.
pub const PARAMS: usize = 1 << 14;
/// Leaves of an element.
pub const LEAVES: usize = 1 << 12;
/// Bytes of one local array.
pub const LOCAL_BYTES: u64 = 64 << 10;
/// Bytes of all local arrays of a thread.
pub const LOCALS_BYTES: u64 = 1 << 20;
/// Elements of all constant tables.
pub const TABLE_ELEMENTS: usize = 1 << 20;
/// Slots of user constants.
pub const SLOTS: u32 = 1 << 20;
/// Bytes of an encoded function or kernel.
pub const ENCODED_BYTES: usize = 64 << 20;
