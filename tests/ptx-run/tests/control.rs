//! Branches, calls, returns, exits and traps.

mod support;

use support::{HEADER, REGISTERS, kernel_at, refused, run, run_over};

use ptx_run::SimpleMemory;

/// Runs a whole text whose `k` has one address as its parameter.
fn words(text: &str, count: usize) -> Vec<u32> {
    let mut memory = SimpleMemory::new();
    let address = memory.allocate_from(&vec![0; 4 * count]);
    if let Err(fault) = run(text, 1, &address.to_le_bytes(), &mut memory) {
        panic!("{fault}");
    }
    let bytes = memory.bytes(address).expect("the allocation");
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
}

#[test]
fn branches_by_predicates() {
    let body = "mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1; setp.eq.u32 %p0, %r1, 0;
         mul.wide.u32 %rd0, %r0, 4; add.u64 %rd0, %rd9, %rd0;
         @%p0 bra EVEN;
         mul.lo.u32 %r2, %r0, 10;
         bra.uni DONE;
         EVEN: add.u32 %r2, %r0, 100;
         DONE: st.global.u32 [%rd0], %r2; @!%p0 exit; st.global.u32 [%rd0], 7;";
    let found = run_over(body, 6, &[0; 6]).expect("no fault");
    assert_eq!(found, [7, 10, 7, 30, 7, 50]);
}

#[test]
fn labels_belong_to_their_block() {
    let body = "mov.u32 %r0, 0;
         { .reg .u32 %inner; L: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 3; @%p0 bra L; mov.u32 %inner, %r0; }
         { .reg .u64 %inner; L: add.u32 %r0, %r0, 10; setp.lt.u32 %p0, %r0, 30; @%p0 bra L; }
         st.global.u32 [%rd9], %r0;";
    assert_eq!(run_over(body, 1, &[0]).expect("no fault"), [33]);
    let outside = kernel_at("{ L: mov.u32 %r0, 0; } bra L;");
    assert!(refused(&outside).contains("the label `L` is not in reach"));
}

#[test]
fn calls_by_parameters_and_by_registers() {
    let text = format!(
        "{HEADER}
         .func (.param .b32 result) square(.param .b32 x);
         .func (.reg .u32 %sum, .reg .u32 %difference) both(.reg .u32 %a, .reg .u32 %b)
         {{ add.u32 %sum, %a, %b; sub.u32 %difference, %a, %b; ret; }}
         .func (.param .b32 result) square(.param .b32 x)
         {{
           .reg .u32 %r<3>;
           ld.param.u32 %r1, [x]; mul.lo.u32 %r2, %r1, %r1; st.param.u32 [result], %r2;
           ret;
         }}
         .func (.param .align 4 .b8 result[12]) scaled(.param .align 4 .b8 v[12], .param .f32 s)
         {{
           .reg .f32 %f<8>;
           ld.param.f32 %f1, [v]; ld.param.f32 %f2, [v+4]; ld.param.f32 %f3, [v+8]; ld.param.f32 %f4, [s];
           mul.f32 %f5, %f1, %f4; mul.f32 %f6, %f2, %f4; mul.f32 %f7, %f3, %f4;
           st.param.f32 [result], %f5; st.param.f32 [result+4], %f6; st.param.f32 [result+8], %f7;
           ret;
         }}
         .func store(.param .b64 p, .param .b32 x)
         {{ .reg .b64 %q; .reg .b32 %y; ld.param.b64 %q, [p]; ld.param.b32 %y, [x]; st.global.b32 [%q], %y; }}
         .visible .entry k(.param .u64 out) {{
         {REGISTERS}
         ld.param.u64 %rd9, [out];
         {{ .param .b32 param0; .param .b32 retval0; st.param.b32 [param0], 12;
            call.uni (retval0), square, (param0); ld.param.b32 %r0, [retval0]; }}
         call (%r1, %r2), both, (%r0, 4);
         {{ .param .align 4 .b8 param0[12]; .param .b32 param1; .param .align 4 .b8 retval0[12];
            st.param.f32 [param0], 0f3F800000; st.param.f32 [param0+4], 0f40000000; st.param.f32 [param0+8], 0f40400000;
            st.param.f32 [param1], 0f41200000;
            call.uni (retval0), scaled, (param0, param1);
            ld.param.f32 %f0, [retval0+8]; cvt.rzi.u32.f32 %r3, %f0; }}
         {{ .param .b64 param0; .param .b32 param1; st.param.b64 [param0], %rd9; st.param.b32 [param1], %r3;
            call.uni store, (param0, param1); }}
         add.u64 %rd8, %rd9, 16; call store, (%rd8, 77);
         st.global.u32 [%rd9+4], %r0; st.global.u32 [%rd9+8], %r1; st.global.u32 [%rd9+12], %r2;
         ret; }}"
    );
    assert_eq!(words(&text, 5), [30, 144, 148, 140, 77]);
}

#[test]
fn recursion_has_a_frame_for_each_call() {
    let text = format!(
        "{HEADER}
         .func (.reg .u32 %result) sum(.reg .u32 %n)
         {{
           .reg .pred %p; .reg .u32 %m;
           .local .align 4 .b32 kept;
           mov.u32 %result, 0; setp.eq.u32 %p, %n, 0; @%p ret;
           st.local.u32 [kept], %n; sub.u32 %m, %n, 1;
           call (%result), sum, (%m);
           ld.local.u32 %m, [kept]; add.u32 %result, %result, %m;
           ret;
         }}
         .visible .entry k(.param .u64 out) {{
         {REGISTERS}
         ld.param.u64 %rd9, [out]; call (%r0), sum, (100); st.global.u32 [%rd9], %r0; ret; }}"
    );
    assert_eq!(words(&text, 1), [5050]);
    let endless = format!("{HEADER}.func f() {{ call f; ret; }}\n.entry k(.param .u64 out) {{ call f; ret; }}");
    let mut memory = SimpleMemory::new();
    let fault = run(&endless, 1, &0u64.to_le_bytes(), &mut memory).expect_err("an endless recursion");
    assert!(fault.message.contains("nested deeper than"), "{fault}");
}

#[test]
fn local_variables_end_with_their_function() {
    let text = format!(
        "{HEADER}
         .func (.reg .u64 %where) leak()
         {{ .local .align 8 .b64 kept; mov.u64 %where, kept; st.local.u64 [kept], 7; ret; }}
         .visible .entry k(.param .u64 out) {{
         {REGISTERS}
         call (%rd0), leak; ld.local.u64 %rd1, [%rd0]; ret; }}"
    );
    let fault = run(&text, 1, &0u64.to_le_bytes(), &mut SimpleMemory::new()).expect_err("a variable that is gone");
    assert!(fault.message.contains("in local memory are out of bounds"), "{fault}");
}

#[test]
fn exits_end_the_thread_from_within_functions() {
    let text = format!(
        "{HEADER}.func f() {{ exit; }}
         .visible .entry k(.param .u64 out) {{
         {REGISTERS}
         ld.param.u64 %rd9, [out]; st.global.u32 [%rd9], 1; call f; st.global.u32 [%rd9], 2; ret; }}"
    );
    assert_eq!(words(&text, 1), [1]);
}

#[test]
fn traps_are_faults() {
    let fault = run_over("mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 3; @%p0 trap;", 8, &[0]).expect_err("a trap");
    assert_eq!(fault.thread.expect("a thread").thread, [3, 0, 0]);
    assert_eq!(fault.message, "the program trapped.");
    assert_eq!(fault.line, Some(13));
}

#[test]
fn wrong_calls_are_refused() {
    let refuse = |body: &str, why: &str| {
        let text = format!(
            "{HEADER}.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);
             .func (.reg .u32 %r) id(.reg .u32 %a) {{ mov.u32 %r, %a; ret; }}
             .entry other() {{ ret; }}
             .entry k() {{ {REGISTERS} {body} ret; }}"
        );
        let message = refused(&text);
        assert!(message.contains(why), "{body}: {message}");
    };
    refuse("call (%r0), nobody, (%r1);", "no function `nobody` is declared");
    refuse("call (%r0), id, (%r1, %r2);", "gives 1 results and takes 1 arguments; the call has 1 and 2");
    refuse("call (%r0), id, (%rd1);", "has type .b64; .u32 is wanted");
    refuse("call other;", "is an entry");
    refuse("{ .param .b32 a; .param .b64 b; .param .b64 c; call (a), vprintf, (b, c); }", "has no body in this text");
    refuse("bra NOWHERE;", "the label `NOWHERE` is not in reach");
    refuse("bra %r0;", "the label `%r0` is not in reach");
    refuse("brkpt;", "this instruction is not handled");
}
