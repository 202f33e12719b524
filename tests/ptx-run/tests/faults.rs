//! What the assembler does not see and running does: unwritten values, bounds, alignment, wrong spaces.

mod support;

use ptx_run::{Memory, SimpleMemory};
use support::{HEADER, REGISTERS, run, run_over};

/// The message of the fault that a body over four words meets.
fn fault(body: &str) -> String {
    match run_over(body, 1, &[1, 2, 3, 4]) {
        Ok(found) => panic!("{body} gave {found:?}"),
        Err(fault) => fault.message,
    }
}

#[test]
fn unwritten_registers() {
    let message = "the register `%r1` is read and was never written.";
    for body in [
        "add.u32 %r0, %r1, 1;",
        "mov.u32 %r0, %r1;",
        "st.global.u32 [%rd9], %r1;",
        "setp.eq.u32 %p0, %r1, 0;",
        "mov.b64 %rd0, {%r1, %r1};",
        "atom.global.add.u32 %r0, [%rd9], %r1;",
        "mad.lo.u32 %r0, 1, 2, %r1;",
        "cvt.u64.u32 %rd0, %r1;",
        "bfi.b32 %r0, 1, 2, 3, %r1;",
    ] {
        assert_eq!(fault(body), message, "{body}");
    }
    let selected = "mov.pred %p0, 0; selp.u32 %r0, 5, %r1, %p0; add.u32 %r2, %r0, 1;";
    assert_eq!(fault(selected), "the register `%r0` is read and was never written.");
    assert_eq!(fault("@%p3 mov.u32 %r0, 1;"), "the register `%p3` is read and was never written.");
    assert_eq!(fault("ld.global.u32 %r0, [%rd3];"), "the register `%rd3` is read and was never written.");
    assert!(fault("addc.u32 %r0, 1, 2;").contains("the carry is read"));
    // What is written in some threads alone, or not chosen, is no fault where it is not read.
    let body = "mov.pred %p0, 1; selp.u32 %r0, 5, %r1, %p0; st.global.u32 [%rd9], %r0;";
    assert_eq!(run_over(body, 1, &[0]).expect("no fault"), [5]);
}

#[test]
fn the_line_and_the_thread_are_named() {
    let body = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p0, %r0, 3;\n@%p0 mov.u32 %r1, 1;\nadd.u32 %r2, %r1, 1;";
    let fault = run_over(body, 8, &[0]).expect_err("an unwritten register");
    assert_eq!(
        fault.to_string(),
        "PTX line 16: thread (3, 0, 0) of block (0, 0, 0): the register `%r1` is read and was never written."
    );
}

#[test]
fn bounds_of_global_memory() {
    assert!(fault("ld.global.u32 %r0, [%rd9+16];").contains("4 bytes at 0x700000000010 are out of bounds"));
    assert!(fault("ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%rd9+16];").contains("out of bounds"));
    assert!(fault("st.global.u8 [%rd9+16], 0;").contains("has 16 bytes, so the access begins at its byte 16"));
    assert!(fault("ld.global.u32 %r0, [%rd9+-4];").contains("no allocation holds"));
    assert!(fault("mov.u64 %rd0, 0; ld.u32 %r0, [%rd0];").contains("a read of global memory: no allocation"));
    assert!(fault("atom.global.add.u32 %r0, [%rd9+400], 1;").contains("out of bounds"));
    let mut memory = SimpleMemory::new();
    let address = memory.allocate_from(&[1, 2, 3, 4]);
    memory.free(address).expect("it was allocated");
    assert!(memory.free(address).expect_err("freed twice").contains("freed before"));
    let text = format!(
        "{HEADER}.entry k(.param .u64 out) {{ {REGISTERS} ld.param.u64 %rd9, [out]; ld.global.u32 %r0, [%rd9]; ret; }}"
    );
    let fault = run(&text, 1, &address.to_le_bytes(), &mut memory).expect_err("freed");
    assert!(fault.message.contains("was freed"), "{fault}");
    let unwritten = memory.allocate(8);
    memory.write(unwritten, &[0; 3]).expect("within");
    let fault = run(&text, 1, &unwritten.to_le_bytes(), &mut memory).expect_err("the fourth byte is unwritten");
    assert!(fault.message.contains("never written"), "{fault}");
}

#[test]
fn alignment() {
    assert!(fault("ld.global.u32 %r0, [%rd9+2];").contains("an access of 4 bytes needs a multiple of 4"));
    assert!(fault("ld.global.v2.u32 {%r0, %r1}, [%rd9+4];").contains("an access of 8 bytes needs a multiple of 8"));
    assert!(fault("st.global.u64 [%rd9+4], 0;").contains("misaligned"));
    assert!(fault("atom.global.add.u64 %rd0, [%rd9+4], 1;").contains("misaligned"));
    assert!(fault(".shared .b8 s[8]; ld.shared.u16 %h0, [s+1];").contains("misaligned"));
    assert!(fault(".local .align 4 .b8 s[8]; st.local.u32 [s+2], 0;").contains("misaligned"));
}

#[test]
fn bounds_and_unwritten_bytes_of_other_spaces() {
    let shared = ".shared .align 4 .b8 s[8]; mov.u32 %r0, s;";
    assert!(fault(&format!("{shared} st.shared.u32 [%r0+8], 0;")).contains("it has 8 bytes from 0x400 on"));
    assert!(fault(&format!("{shared} st.shared.u32 [%r0+-4], 0;")).contains("out of bounds"));
    assert!(fault(&format!("{shared} st.shared.u8 [%r0], 0; ld.shared.u16 %h0, [%r0];")).contains("never written"));
    let local = ".local .align 8 .b8 d[8]; mov.u64 %rd0, d;";
    assert!(fault(&format!("{local} st.local.u32 [%rd0+8], 0;")).contains("in local memory are out of bounds"));
    assert!(fault(&format!("{local} ld.local.u32 %r0, [%rd0];")).contains("in local memory are read and were never"));
    let text = format!(
        "{HEADER}.func (.param .b32 result) f() {{ ret; }}
         .entry k() {{ {REGISTERS} {{ .param .b32 got; call (got), f; ld.param.b32 %r0, [got]; }} ret; }}"
    );
    let fault = run(&text, 1, &[], &mut SimpleMemory::new()).expect_err("a result that was never written");
    assert!(fault.message.contains("in param memory are read and were never"), "{fault}");
}

#[test]
fn addresses_of_one_space_are_none_of_another() {
    let local = ".local .align 8 .b8 d[8]; mov.u64 %rd0, d;";
    assert!(fault(&format!("{local} st.global.u32 [%rd0], 0;")).contains("no allocation"));
    assert!(fault("cvta.to.shared.u64 %rd0, %rd9;").contains("lies in global memory, not in shared memory"));
    assert!(
        fault(&format!("{local} cvta.local.u64 %rd1, %rd0; cvta.to.global.u64 %rd1, %rd1;")).contains("lies in local")
    );
    assert!(fault("cvta.shared.u64 %rd0, %rd9;").contains("is no address in shared memory"));
    assert!(
        fault(&format!("{local} cvta.local.u64 %rd1, %rd0; red.add.u32 [%rd1], 1;")).contains("no atomic operations")
    );
    assert!(
        fault(".shared .align 4 .b32 s; cvta.shared.u64 %rd1, s; cvta.to.local.u64 %rd2, %rd1;")
            .contains("lies in shared memory, not in local memory")
    );
}

/// Whichever comes first, and in whichever thread: `.nc` promises that nobody writes there in this launch.
#[test]
fn what_is_read_as_constant_is_not_written() {
    let read_first = "ld.global.nc.u32 %r0, [%rd9+4];\nst.global.u8 [%rd9+7], 0;";
    let fault_of = |body: &str, threads: u32| run_over(body, threads, &[1, 2, 3, 4]).expect_err(body);
    let found = fault_of(read_first, 1);
    assert_eq!(
        (found.line, found.message.as_str()),
        (
            Some(14),
            "1 bytes at 0x700000000007 in global memory are written, and line 13 has read by `.nc` some of them in the same \
             launch."
        )
    );
    let found = fault_of("st.global.v2.u32 [%rd9], {1, 2};\nld.global.nc.u32 %r0, [%rd9+4];", 1);
    assert!(found.message.contains("read by `.nc`, and line 13 has written"), "{found}");
    for write in ["atom.global.add.u32 %r1, [%rd9], 1;", "red.global.add.u32 [%rd9], 1;", "st.u32 [%rd9], 1;"] {
        let body = format!("ld.global.nc.u32 %r0, [%rd9];\n{write}");
        assert!(fault_of(&body, 1).message.contains("line 13 has read"), "{write}");
    }
    // Thread 0 reads what thread 1 writes.
    let apart = "mov.u32 %r0, %tid.x;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 ld.global.nc.u32 %r1, [%rd9+8];\n\
                 @!%p0 st.global.u32 [%rd9+8], %r0;";
    let found = fault_of(apart, 2);
    assert_eq!(found.thread.map(|thread| thread.thread), Some([1, 0, 0]));
    assert!(found.message.contains("line 15 has read"), "{found}");
    assert_eq!(run_over(apart, 1, &[1, 2, 3, 4]).expect("one thread reads"), [1, 2, 3, 4]);
    // Neighbours are no matter, nor loads that promise nothing, nor the next launch.
    let beside = "ld.global.nc.v2.u32 {%r0, %r1}, [%rd9];\nst.global.u32 [%rd9+8], %r1;\nld.global.u32 %r2, [%rd9+8];";
    assert_eq!(run_over(beside, 1, &[1, 2, 3, 4]).expect("no fault"), [1, 2, 2, 4]);
    let text = support::kernel_at("ld.global.nc.u32 %r0, [%rd9];");
    let mut memory = SimpleMemory::new();
    let address = memory.allocate_from(&[1, 2, 3, 4]);
    for _ in 0..2 {
        run(&text, 1, &address.to_le_bytes(), &mut memory).expect("no fault");
        run(&support::kernel_at("st.global.u32 [%rd9], 7;"), 1, &address.to_le_bytes(), &mut memory).expect("no fault");
    }
}
