//! Shuffles, votes, matches and reductions of warps.

mod support;

use support::{kernel, refused, run_over, run_over_seeded};

/// Runs 32 threads of which each stores `%r1` and `%p1`, after `%r0` is its lane and `%r2` the square of it.
fn lanes(body: &str) -> Vec<[u32; 2]> {
    let body = format!(
        "mov.u32 %r0, %laneid; mul.lo.u32 %r2, %r0, %r0; setp.eq.u32 %p1, %r0, %r0; {body}
         selp.u32 %r9, 1, 0, %p1; mul.wide.u32 %rd0, %r0, 8; add.u64 %rd0, %rd9, %rd0;
         st.global.v2.u32 [%rd0], {{%r1, %r9}};"
    );
    let found = run_over(&body, 32, &[0; 64]).expect("no fault");
    assert_eq!(run_over_seeded(&body, 1, 32, &[0; 64], Some(9)).expect("no fault"), found);
    found.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Checks a shuffle of squares: where each lane's value comes from, and whether that lies within the segment.
fn shuffle(form: &str, source: impl Fn(u32) -> (u32, bool)) {
    let found = lanes(&format!("shfl.sync.{form}, 0xffffffff;"));
    for (lane, found) in found.into_iter().enumerate() {
        let (from, inside) = source(lane as u32);
        assert_eq!(found, [from * from, u32::from(inside)], "{form} in lane {lane}");
    }
}

#[test]
fn shuffles() {
    shuffle("up.b32 %r1|%p1, %r2, 3, 0", |k| if k >= 3 { (k - 3, true) } else { (k, false) });
    shuffle("down.b32 %r1|%p1, %r2, 5, 31", |k| if k + 5 < 32 { (k + 5, true) } else { (k, false) });
    shuffle("bfly.b32 %r1|%p1, %r2, 6, 31", |k| (k ^ 6, true));
    shuffle("idx.b32 %r1|%p1, %r2, 7, 31", |_| (7, true));
    // Segments of eight lanes: the mask 24 in bits 8 to 12.
    shuffle("down.b32 %r1|%p1, %r2, 3, 6175", |k| if k % 8 + 3 < 8 { (k + 3, true) } else { (k, false) });
    shuffle("up.b32 %r1|%p1, %r2, 2, 6144", |k| if k % 8 >= 2 { (k - 2, true) } else { (k, false) });
    shuffle("idx.b32 %r1|%p1, %r2, 9, 6175", |k| (k / 8 * 8 + 1, true));
    // A clamp below the segment's end.
    shuffle("idx.b32 %r1|%p1, %r2, 20, 9", |k| (k, false));
    // The distance may differ from lane to lane, as an index does here.
    shuffle("idx.b32 %r1|%p1, %r2, %r0, 31", |k| (k, true));
}

#[test]
fn shuffles_of_floats_sum_a_warp() {
    let body = "cvt.rn.f32.u32 %f0, %r0;
         shfl.sync.bfly.b32 %f1, %f0, 16, 31, -1; add.f32 %f0, %f0, %f1;
         shfl.sync.bfly.b32 %f1, %f0, 8, 31, -1; add.f32 %f0, %f0, %f1;
         shfl.sync.bfly.b32 %f1, %f0, 4, 31, -1; add.f32 %f0, %f0, %f1;
         shfl.sync.bfly.b32 %f1, %f0, 2, 31, -1; add.f32 %f0, %f0, %f1;
         shfl.sync.bfly.b32 %f1, %f0, 1, 31, -1; add.f32 %f0, %f0, %f1; mov.b32 %r1, %f0;";
    assert_eq!(lanes(body), [[496f32.to_bits(), 1]; 32]);
}

#[test]
fn votes() {
    let ballot = "setp.lt.u32 %p2, %r0, 5; vote.sync.ballot.b32 %r1, %p2, 0xffffffff;";
    assert_eq!(lanes(ballot), [[0b11111, 1]; 32]);
    let negated = "setp.lt.u32 %p2, %r0, 5; vote.sync.ballot.b32 %r1, !%p2, 0xffffffff;";
    assert_eq!(lanes(negated), [[!0b11111, 1]; 32]);
    for (form, limit, expected) in
        [("all", 32, 1), ("all", 31, 0), ("any", 1, 1), ("any", 0, 0), ("uni", 32, 1), ("uni", 0, 1), ("uni", 7, 0)]
    {
        let body = format!("mov.u32 %r1, 0; setp.lt.u32 %p2, %r0, {limit}; vote.sync.{form}.pred %p1, %p2, -1;");
        assert_eq!(lanes(&body), [[0, expected]; 32], "{form} below {limit}");
    }
}

#[test]
fn matches_and_reductions() {
    let any = lanes("and.b32 %r3, %r0, 3; match.any.sync.b32 %r1, %r3, -1;");
    for (lane, found) in any.into_iter().enumerate() {
        assert_eq!(found[0], 0x1111_1111 << (lane % 4));
    }
    assert_eq!(lanes("mov.u64 %rd1, 5; match.all.sync.b64 %r1|%p1, %rd1, -1;"), [[u32::MAX, 1]; 32]);
    assert_eq!(lanes("match.all.sync.b32 %r1|%p1, %r0, -1;"), [[0, 0]; 32]);
    assert_eq!(lanes("redux.sync.add.u32 %r1, %r2, -1;"), [[10416, 1]; 32]);
    assert_eq!(lanes("neg.s32 %r3, %r0; redux.sync.min.s32 %r1, %r3, -1;"), [[(-31i32) as u32, 1]; 32]);
    assert_eq!(lanes("redux.sync.max.u32 %r1, %r2, -1;"), [[961, 1]; 32]);
    assert_eq!(lanes("redux.sync.or.b32 %r1, %r0, -1;"), [[31, 1]; 32]);
    assert_eq!(lanes("redux.sync.and.b32 %r1, %r0, -1;"), [[0, 1]; 32]);
    assert_eq!(lanes("redux.sync.xor.b32 %r1, %r0, -1;"), [[0, 1]; 32]);
}

#[test]
fn parts_of_a_warp_meet_by_their_masks() {
    // Both halves run the same instruction with different masks, after branches that part them.
    let body = "mov.u32 %r1, 0; setp.lt.u32 %p2, %r0, 16; selp.b32 %r3, 0x0000ffff, 0xffff0000, %p2;
         @%p2 bra LOW; mov.u32 %r4, 1; LOW: vote.sync.ballot.b32 %r1, %p1, %r3; bar.warp.sync -1;";
    for (lane, found) in lanes(body).into_iter().enumerate() {
        assert_eq!(found[0], if lane < 16 { 0xffff } else { 0xffff_0000 });
    }
    // The threads of each side of a branch are active together, and all are behind it.
    let body = "setp.lt.u32 %p2, %r0, 5; @%p2 bra LOW; activemask.b32 %r1; bra BOTH;
         LOW: activemask.b32 %r1; BOTH: bar.warp.sync -1; activemask.b32 %r3; setp.eq.u32 %p1, %r3, -1;";
    for (lane, found) in lanes(body).into_iter().enumerate() {
        assert_eq!(found, [if lane < 5 { 0b11111 } else { !0b11111 }, 1]);
    }
}

#[test]
fn threads_that_have_exited_are_not_waited_for() {
    let body = "mov.u32 %r0, %tid.x; setp.ge.u32 %p0, %r0, 4; @%p0 exit; setp.lt.u32 %p1, %r0, 9;
         vote.sync.ballot.b32 %r1, %p1, -1; mul.wide.u32 %rd0, %r0, 4; add.u64 %rd0, %rd9, %rd0;
         st.global.u32 [%rd0], %r1;";
    assert_eq!(run_over(body, 32, &[0; 4]).expect("no fault"), [0b1111; 4]);
}

#[test]
fn what_no_lane_gives_is_not_read() {
    let body = "mov.u32 %r0, %tid.x; shfl.sync.down.b32 %r1, %r0, 4, 31, -1;\nadd.u32 %r1, %r1, 0;";
    let fault = run_over(body, 8, &[0]).expect_err("lane 4 has no partner");
    assert_eq!(fault.thread.expect("a thread").thread, [4, 0, 0]);
    assert_eq!(fault.message, "the register `%r1` is read and was never written.");
}

#[test]
fn wrong_masks_are_faults() {
    let fault = run_over("bar.warp.sync 0xfe;", 8, &[0]).expect_err("lane 0 is not in the mask");
    assert_eq!(fault.message, "the thread, lane 0, is not in its own mask 0x000000fe.");
    let body = "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;\n@%p0 bra ONE;\nbar.warp.sync -1;\nONE: bar.sync 0;";
    let fault = run_over(body, 32, &[0]).expect_err("lane 0 never comes");
    assert!(
        fault
            .message
            .ends_with("31 threads at what the warp does together in line 15, 1 thread at the barrier in line 16."),
        "{fault}"
    );
}

#[test]
fn other_forms_are_refused() {
    let refuse = |line: &str, why: &str| {
        let message = refused(&kernel(line));
        assert!(message.contains(why), "{line}: {message}");
    };
    refuse("shfl.up.b32 %r0, %r1, 1, 0;", "without `.sync`");
    refuse("shfl.sync.up.b32 _|%p0, %r1, 1, 0, -1;", "cannot be discarded");
    refuse("vote.ballot.b32 %r0, %p0;", "without `.sync`");
    refuse("shfl.sync.up.b64 %rd0, %rd1, 1, 0, -1;", "the type is .b32");
    refuse("match.any.sync.b32 %r0|%p0, %r1, -1;", "no predicate beside");
    refuse("redux.sync.and.u32 %r0, %r1, -1;", "no such form");
    refuse("redux.sync.min.f32 %f0, %f1, -1;", "no such form");
    refuse("elect.sync %r0|%p0, -1;", "not handled");
}
