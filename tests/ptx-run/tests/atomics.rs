//! `atom` and `red`: what they write, what they give, and sums of many threads.

mod support;

use support::{kernel, refused, run_over, run_over_seeded};

/// Old value, operand, and what must be in memory and in the register after.
fn each(form: &str, old: u32, operand: u32, new: u32) {
    let operand_text = if form.ends_with("f32") { format!("0f{operand:08X}") } else { format!("0x{operand:x}") };
    let register = if form.ends_with("f32") { "%f0" } else { "%r0" };
    let body = format!("atom.global.{form} {register}, [%rd9], {operand_text}; st.global.b32 [%rd9+4], {register};");
    let found = run_over(&body, 1, &[old, 0]).expect("no fault");
    assert_eq!(found, [new, old], "{form} of {old:x} and {operand:x}");
    // The same in shared memory, by a generic address, and without a result.
    let body = format!(
        ".shared .align 4 .b32 cell; cvta.shared.u64 %rd1, cell; ld.global.b32 %r1, [%rd9]; st.shared.b32 [cell], %r1;
         atom.{form} {register}, [%rd1], {operand_text}; ld.shared.b32 %r2, [cell];
         st.global.b32 [%rd9], %r2; st.global.b32 [%rd9+4], {register};"
    );
    assert_eq!(run_over(&body, 1, &[old, 0]).expect("no fault"), [new, old], "shared {form}");
    if !form.starts_with("exch") {
        let body = format!("red.global.{form} [%rd9], {operand_text};");
        assert_eq!(run_over(&body, 1, &[old]).expect("no fault"), [new], "red {form}");
    }
}

#[test]
fn operations_of_32_bits() {
    each("add.u32", 0xffff_ffff, 2, 1);
    each("add.s32", 5, 0xffff_fffe, 3);
    each("min.u32", 5, 0xffff_fffe, 5);
    each("min.s32", 5, 0xffff_fffe, 0xffff_fffe);
    each("max.u32", 5, 0xffff_fffe, 0xffff_fffe);
    each("max.s32", 5, 0xffff_fffe, 5);
    each("and.b32", 0b1100, 0b1010, 0b1000);
    each("or.b32", 0b1100, 0b1010, 0b1110);
    each("xor.b32", 0b1100, 0b1010, 0b0110);
    each("exch.b32", 1, 2, 2);
    each("inc.u32", 4, 5, 5);
    each("inc.u32", 5, 5, 0);
    each("inc.u32", 9, 5, 0);
    each("dec.u32", 4, 5, 3);
    each("dec.u32", 0, 5, 5);
    each("dec.u32", 9, 5, 5);
    each("add.f32", 1.5f32.to_bits(), 2.25f32.to_bits(), 3.75f32.to_bits());
}

#[test]
fn operations_of_64_bits() {
    let body = "atom.global.add.u64 %rd0, [%rd9], 1; atom.global.max.s64 %rd1, [%rd9+8], -1;
         atom.global.min.u64 %rd2, [%rd9+16], 7; atom.global.exch.b64 %rd3, [%rd9+24], %rd2;
         atom.relaxed.gpu.global.and.b64 %rd4, [%rd9+32], 0xff00000000; atom.acq_rel.sys.add.f64 %d0, [%rd9+40], 0.5;";
    let words = |values: [u64; 6]| values.iter().flat_map(|v| [*v as u32, (*v >> 32) as u32]).collect::<Vec<_>>();
    let before = words([u64::from(u32::MAX), 1 << 63, 1 << 40, 3, 0x12_3456_789a, 0.25f64.to_bits()]);
    let after = words([1 << 32, u64::MAX, 7, 1 << 40, 0x12_0000_0000, 0.75f64.to_bits()]);
    assert_eq!(run_over(body, 1, &before).expect("no fault"), after);
}

#[test]
fn swaps_compare() {
    let body = "atom.global.cas.b32 %r0, [%rd9], 5, 9; atom.global.cas.b32 %r1, [%rd9+4], 5, 9;
         atom.cas.b64 %rd0, [%rd9+8], %rd9, 1; st.global.v2.u32 [%rd9+16], {%r0, %r1};";
    assert_eq!(run_over(body, 1, &[5, 6, 7, 8, 0, 0]).expect("no fault"), [9, 6, 7, 8, 5, 6]);
}

#[test]
fn small_singles_are_flushed_in_global_memory_alone() {
    let small = 1u32;
    let body = ".shared .align 4 .f32 cell; ld.global.f32 %f0, [%rd9]; st.shared.f32 [cell], %f0;
         red.shared.add.f32 [cell], %f0; red.global.add.f32 [%rd9], %f0; ld.shared.f32 %f1, [cell];
         st.global.f32 [%rd9+4], %f1;";
    assert_eq!(run_over(body, 1, &[small, 0]).expect("no fault"), [0, 2]);
}

#[test]
fn sums_lose_nothing_in_any_order() {
    let body = "mov.u32 %r0, %tid.x; red.global.add.u32 [%rd9], %r0; atom.global.max.u32 _, [%rd9+4], %r0;
         red.relaxed.cta.global.add.u32 [%rd9+8], 1;";
    for seed in [None, Some(1), Some(2)] {
        let found = run_over_seeded(body, 3, 100, &[0, 0, 0], seed).expect("no fault");
        assert_eq!(found, [3 * 4950, 99, 300]);
    }
}

/// A counter that is read and written without an atomic operation loses counts in some orders and in none of them
/// where each thread runs to its end.
#[test]
fn seeds_show_races() {
    let body = "ld.global.u32 %r0, [%rd9]; add.u32 %r0, %r0, 1; add.u32 %r1, %r0, 0; add.u32 %r1, %r1, 0;
         st.global.u32 [%rd9], %r0;";
    assert_eq!(run_over(body, 64, &[0]).expect("no fault"), [64]);
    let seeded: Vec<u32> =
        (0..8).map(|seed| run_over_seeded(body, 1, 64, &[0], Some(seed)).expect("no fault")[0]).collect();
    assert!(seeded.iter().any(|&count| count < 64), "{seeded:?}");
    // The order of threads shows in who writes last.
    let last = "mov.u32 %r0, %tid.x; st.global.u32 [%rd9], %r0;";
    let mut seeded: Vec<u32> =
        (0..8).map(|seed| run_over_seeded(last, 1, 64, &[0], Some(seed)).expect("no fault")[0]).collect();
    assert_eq!(seeded[3], run_over_seeded(last, 1, 64, &[0], Some(3)).expect("no fault")[0]);
    seeded.sort_unstable();
    seeded.dedup();
    assert!(seeded.len() > 2, "{seeded:?}");
}

/// Every thread draws a ticket; the first one goes to a late thread of a late block only if both are shuffled.
#[test]
fn seeds_shuffle_threads_and_blocks() {
    let body = "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r0, %r1, 64, %r0;
         atom.global.add.u32 %r2, [%rd9], 1; mul.wide.u32 %rd0, %r2, 4; add.u64 %rd0, %rd9, %rd0;
         st.global.u32 [%rd0+4], %r0;";
    let drawn = |seed| run_over_seeded(body, 8, 64, &[0; 513], seed).expect("no fault")[1..].to_vec();
    let in_order: Vec<u32> = (0..512).collect();
    assert_eq!(drawn(None), in_order);
    let seeded: Vec<Vec<u32>> = (0..12).map(|seed| drawn(Some(seed))).collect();
    for drawn in &seeded {
        let mut all = drawn.clone();
        all.sort_unstable();
        assert_eq!(all, in_order);
    }
    assert!(seeded.iter().any(|drawn| drawn[0] % 64 >= 32), "threads");
    assert!(seeded.iter().any(|drawn| drawn[0] / 64 >= 4), "blocks");
}

/// A thread that waits for another to write goes on once that had its turn.
#[test]
fn threads_that_wait_for_others_get_on() {
    let body = "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 1; @%p0 bra GIVE;
         WAIT: ld.volatile.global.u32 %r1, [%rd9]; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;
         st.global.u32 [%rd9+4], %r1; ret;
         GIVE: st.volatile.global.u32 [%rd9], 42;";
    for seed in [None, Some(5)] {
        assert_eq!(run_over_seeded(body, 1, 2, &[0, 0], seed).expect("no fault"), [42, 42]);
    }
}

#[test]
fn other_forms_are_refused() {
    let refuse = |line: &str, why: &str| {
        let message = refused(&kernel(line));
        assert!(message.contains(why), "{line}: {message}");
    };
    refuse("atom.global.add.noftz.f16x2 %r0, [%rd1], %r1;", "`.noftz` is not handled here");
    refuse("atom.global.add.s64 %rd0, [%rd1], %rd2;", "no such form");
    refuse("atom.global.min.f32 %f0, [%rd1], %f1;", "no such form");
    refuse("atom.global.inc.s32 %r0, [%rd1], %r1;", "no such form");
    refuse("atom.global.exch.u32 %r0, [%rd1], %r1;", "no such form");
    refuse("red.global.exch.b32 [%rd1], %r1;", "no such form");
    refuse("atom.global.cas.b32 %r0, [%rd1], %r1;", "a wrong number of operands");
    refuse("atom.local.add.u32 %r0, [%rd1], %r1;", "not handled");
    refuse("atom.global.v2.f32.add {%f0, %f1}, [%rd1], {%f2, %f3};", "not handled");
}
