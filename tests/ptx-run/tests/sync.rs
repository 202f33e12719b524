//! Barriers of blocks, and what happens where threads do not meet.

mod support;

use support::{HEADER, REGISTERS, kernel, refused, run_over, run_over_seeded, run_seeded};

use ptx_run::SimpleMemory;

/// Reverses the numbers of a block by shared memory: right with a barrier alone.
fn reverse(barrier: &str) -> String {
    format!(
        ".shared .align 4 .b32 cells[64]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 4; add.u64 %rd1, %rd9, %rd0;
         ld.global.u32 %r1, [%rd1]; mov.u32 %r2, cells; shl.b32 %r3, %r0, 2; add.u32 %r4, %r2, %r3;
         st.shared.u32 [%r4], %r1; {barrier}
         sub.u32 %r5, 252, %r3; add.u32 %r5, %r2, %r5; ld.shared.u32 %r6, [%r5]; st.global.u32 [%rd1], %r6;"
    )
}

#[test]
fn barriers_order_shared_memory() {
    let words: Vec<u32> = (0..64).map(|k| k * k).collect();
    let expected: Vec<u32> = words.iter().rev().copied().collect();
    for barrier in ["bar.sync 0;", "barrier.sync 3;", "bar.sync 1, 64;", "barrier.sync.aligned 2;", "bar.cta.sync 0;"] {
        for seed in [None, Some(1), Some(2)] {
            let found = run_over_seeded(&reverse(barrier), 1, 64, &words, seed).expect("no fault");
            assert_eq!(found, expected, "{barrier}");
        }
    }
    let fault = run_over(&reverse(""), 64, &words).expect_err("no barrier");
    assert!(fault.message.contains("in shared memory are read and were never written"), "{fault}");
}

#[test]
fn barriers_reduce() {
    let body = "mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 10;
         bar.red.popc.u32 %r1, 0, %p0; bar.red.and.pred %p1, 0, %p0; bar.red.or.pred %p2, 0, !%p0;
         barrier.red.popc.aligned.u32 %r4, 1, 64, !%p0;
         selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 1, 0, %p2;
         mul.wide.u32 %rd0, %r0, 16; add.u64 %rd0, %rd9, %rd0; st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};";
    let found = run_over(body, 64, &[0; 256]).expect("no fault");
    assert_eq!(found, [10, 0, 1, 54].repeat(64));
}

#[test]
fn parts_of_a_block_meet_by_themselves() {
    // The second warp alone meets twice at barrier 1, the first never does.
    let body = "mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 32; @%p0 bra FIRST;
         bar.sync 1, 32; bar.sync 1, 32; red.global.add.u32 [%rd9], 1; bra.uni ALL;
         FIRST: red.global.add.u32 [%rd9+4], 1;
         ALL: bar.sync 0;";
    assert_eq!(run_over(body, 64, &[0, 0]).expect("no fault"), [32, 32]);
}

#[test]
fn threads_that_wait_for_ever_are_reported() {
    let body = "mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 5;\n@%p0 exit;\nbar.sync 0;";
    let fault = run_over(body, 32, &[0]).expect_err("a deadlock");
    assert_eq!(
        fault.to_string(),
        "PTX line 15: thread (5, 0, 0) of block (0, 0, 0): the threads of the block wait for each other for ever: \
         27 threads at the barrier in line 15, 5 threads exited."
    );
    let body = "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;\n@%p0 bra ONE;\nbar.sync 0;\nbra DONE;\nONE:\nbar.sync 1;\nDONE:\n";
    let fault = run_over(body, 32, &[0]).expect_err("a deadlock");
    assert!(
        fault.message.ends_with("31 threads at the barrier in line 15, 1 thread at the barrier in line 18."),
        "{fault}"
    );
    let fault = run_over("mov.u32 %r0, 31; bar.sync 0, %r0;", 32, &[0]).expect_err("no multiple of 32");
    assert!(fault.message.contains("must be a multiple of 32"), "{fault}");
    let fault = run_over("mov.u32 %r0, 16; bar.sync %r0;", 32, &[0]).expect_err("no such barrier");
    assert!(fault.message.contains("there is no barrier 16"), "{fault}");
}

#[test]
fn fences_and_waits_change_nothing() {
    let body = "membar.gl; membar.cta; membar.sys; fence.acq_rel.gpu; fence.sc.sys; nanosleep.u32 100;
         st.global.u32 [%rd9], 1;";
    assert_eq!(run_over(body, 1, &[0]).expect("no fault"), [1]);
}

#[test]
fn blocks_have_shared_memory_of_their_own() {
    let text = format!(
        "{HEADER}.visible .entry k(.param .u64 out) {{ {REGISTERS}
         .shared .align 4 .b32 cell;
         ld.param.u64 %rd9, [out]; mov.u32 %r0, %ctaid.x; setp.gt.u32 %p0, %r0, 0; @%p0 bra READ;
         st.shared.u32 [cell], 1; READ: ld.shared.u32 %r1, [cell]; ret; }}"
    );
    let mut memory = SimpleMemory::new();
    let fault = run_seeded(&text, [2, 1, 1], [1, 1, 1], &0u64.to_le_bytes(), &mut memory, None).expect_err("unwritten");
    assert_eq!(fault.thread.expect("a thread").block, [1, 0, 0]);
    assert!(fault.message.contains("never written"), "{fault}");
}

#[test]
fn other_forms_are_refused() {
    let refuse = |line: &str, why: &str| {
        let message = refused(&kernel(line));
        assert!(message.contains(why), "{line}: {message}");
    };
    refuse("bar.sync 0, 31;", "must be a multiple of 32");
    refuse("bar.sync 16;", "numbered from 0 to 15");
    refuse("bar.arrive 0, 64;", "are handled");
    refuse("barrier.cluster.arrive;", "are handled");
    refuse("membar;", "a scope is missing");
    refuse("fence.sc.cluster;", "`.cluster` is not handled here");
    refuse("fence.proxy.alias;", "`.proxy` is not handled here");
    refuse("mbarrier.init.shared.b64 [%rd0], 1;", "not handled");
}
