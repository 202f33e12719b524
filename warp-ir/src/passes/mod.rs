//! Passes: kernel in, kernel out, same meaning.
//!
//! [`simplify`] runs while the user's crate compiles, and again in a backend once the user's constants are known.
//! [`elide`], [`cover`] and [`compare_lengths`] are for backends alone, since what they make is safe by range facts and no longer by its
//! checks. With `WARP_VERIFY=1`, and in tests, each pass's result is validated.

mod compact;
mod constants;
mod contract;
mod copy;
mod cost;
mod cover;
mod cse;
mod dead_code;
mod elide;
mod facts;
mod fold;
mod forget;
mod forward;
mod hoist;
mod identity;
mod known;
mod lengths;
mod pack;
mod promote;
mod replace;
mod strides;
mod thread;
mod unroll;
mod widen;

use crate::builtins::Builtin;
use crate::ir::{ArrayId, Kernel, Op, Scalar, Value};

pub use cost::{additions, cost};
pub use cover::Cover;
pub use lengths::{AtLeast, Dimension};
pub use widen::promote_floats;

/// Rounds of folding, threading and unrolling, each of which may make room for another.
const ROUNDS: usize = 6;

/// The passes that a kernel goes through on its way into the binary.
pub fn simplify(kernel: &mut Kernel) {
    reduce(kernel);
    run(kernel, "contract", |k| {
        if !k.attributes.no_fma {
            contract::contract(&mut k.function);
        }
    });
    clean(kernel);
}

/// [`simplify`] without contraction: for kernels made of kernels, whose sums and products have to round as there.
pub fn tidy(kernel: &mut Kernel) {
    reduce(kernel);
    clean(kernel);
}

/// The part of [`tidy`] that makes a kernel small: for kernels that are kept until a backend simplifies them.
pub(crate) fn trim(kernel: &mut Kernel) {
    changed(kernel, "fold", |k| fold::fold(&mut k.function));
    run(kernel, "eliminate common subexpressions", |k| cse::eliminate_common(&mut k.function));
    run(kernel, "forward", |k| forward::forward(&mut k.function));
    clean(kernel);
}

/// Puts the user's constants in, and simplifies what follows from them. Derivatives of the user's own go. Nothing is
/// contracted again, so that every backend rounds alike.
pub fn specialize(kernel: &mut Kernel, slots: &[u64]) {
    run(kernel, "forget", |k| forget::forget(&mut k.function));
    run(kernel, "substitute", |k| substitute(&mut k.function.body, slots));
    reduce(kernel);
    clean(kernel);
}

/// Drops the checks that range facts prove. For a backend's own use: see the head of this module.
pub fn elide(kernel: &mut Kernel) {
    run(kernel, "elide", |k| drop(elide::elide_checks(&mut k.function, vec![])));
    reduce(kernel);
    clean(kernel);
}

/// A variant of an elided kernel with fewer checks, for launches that keep all of the conditions. None where the
/// conditions would save nothing.
pub fn cover(kernel: &Kernel) -> Option<(Kernel, Vec<Cover>)> {
    let mut variant = kernel.clone();
    let covers = cover::cover_checks(&mut variant.function)?;
    reduce(&mut variant);
    clean(&mut variant);
    Some((variant, covers))
}

/// A variant of an elided kernel, or of one that [`cover`] made, with fewer checks: for launches whose arrays keep all of
/// the conditions. None where the conditions would save nothing.
pub fn compare_lengths(kernel: &Kernel) -> Option<(Kernel, Vec<AtLeast>)> {
    let mut variant = kernel.clone();
    let lengths = lengths::compare_lengths(&mut variant.function);
    if lengths.is_empty() {
        return None;
    }
    reduce(&mut variant);
    clean(&mut variant);
    Some((variant, lengths))
}

/// Takes neighbours in the last dimension of views to lie side by side, as they do in whole arrays. The kernel is then
/// right only for launches where that holds of the arrays that come back.
pub fn pack(kernel: &mut Kernel) -> Vec<ArrayId> {
    let packed = pack::pack_strides(&mut kernel.function);
    if !packed.is_empty() {
        reduce(kernel);
        clean(kernel);
    }
    packed
}

/// Takes several turns of short loops between two tests of their limit: for emitters whose own compiler counts tests and
/// addresses.
pub fn stride(kernel: &mut Kernel) {
    if changed(kernel, "stride", |k| strides::stride(&mut k.function)) {
        clean(kernel);
    }
}

/// Computes less, by rounds until nothing changes.
fn reduce(kernel: &mut Kernel) {
    for _ in 0..ROUNDS {
        let folded = changed(kernel, "fold", |k| fold::fold(&mut k.function));
        run(kernel, "eliminate common subexpressions", |k| cse::eliminate_common(&mut k.function));
        let threaded = changed(kernel, "thread", |k| thread::thread(&mut k.function));
        let unrolled = changed(kernel, "unroll", |k| unroll::unroll(&mut k.function));
        let promoted = changed(kernel, "promote", |k| promote::promote(&mut k.function));
        run(kernel, "forward", |k| forward::forward(&mut k.function));
        run(kernel, "remove dead code", |k| dead_code::remove_dead(&mut k.function));
        if !(folded | threaded | unrolled | promoted) {
            break;
        }
    }
    run(kernel, "hoist", |k| hoist::hoist(&mut k.function));
}

/// Tidies up: no value that nothing reads, no entry of a side table that nothing names.
fn clean(kernel: &mut Kernel) {
    run(kernel, "eliminate common subexpressions", |k| cse::eliminate_common(&mut k.function));
    run(kernel, "remove dead code", |k| dead_code::remove_dead(&mut k.function));
    run(kernel, "compact", |k| compact::compact(&mut k.function));
}

fn run(kernel: &mut Kernel, name: &str, pass: impl FnOnce(&mut Kernel)) {
    pass(kernel);
    verify(kernel, name);
}

fn changed(kernel: &mut Kernel, name: &str, pass: impl FnOnce(&mut Kernel) -> bool) -> bool {
    let changed = pass(kernel);
    verify(kernel, name);
    changed
}

/// Validates a pass's result, where that is wanted.
fn verify(kernel: &Kernel, name: &str) {
    if verifies()
        && let Err(error) = crate::validate::Valid::<Kernel>::new(kernel.clone())
    {
        let text = crate::text::print_kernel(kernel);
        panic!("the pass `{name}` broke the kernel `{}`: {error}\n{text}", kernel.function.name);
    }
}

fn verifies() -> bool {
    use std::sync::OnceLock;
    static WANTED: OnceLock<bool> = OnceLock::new();
    cfg!(any(test, feature = "testing"))
        || *WANTED.get_or_init(|| std::env::var_os("WARP_VERIFY").is_some_and(|v| v == "1"))
}

/// Constants in the place of slots.
fn substitute(region: &mut crate::ir::Region, slots: &[u64]) {
    for op in &mut region.ops {
        if let Op::Slot { slot, result } = op
            && let Some(&bits) = slots.get(*slot as usize)
        {
            *op = Op::Const { bits, result: *result };
        }
        op.regions_mut().into_iter().for_each(|r| substitute(r, slots));
    }
}

/// Whether an op may be computed where its guard does not hold: it is pure, and defined for all operands.
fn may_speculate(op: &Op, bits: impl Fn(Value) -> Option<u64>, scalar: impl Fn(Value) -> Scalar) -> bool {
    match op {
        Op::Table { index, .. } => bits(*index).is_some(),
        Op::Pure { builtin: Builtin::Div | Builtin::Rem, args, result } if scalar(*result).is_int() => {
            let minus_one = scalar(*result).mask();
            bits(args[1]).is_some_and(|d| d != 0 && (d != minus_one || !scalar(*result).is_signed()))
        }
        _ => op.is_pure(),
    }
}

/// Keeps the entries that are marked.
fn retain_marked<T>(list: &mut Vec<T>, keep: &[bool]) {
    let mut marks = keep.iter();
    list.retain(|_| *marks.next().unwrap_or(&true));
}

#[cfg(test)]
mod tests;
