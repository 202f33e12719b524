//! Moves, loads, stores, variables and addresses.

mod support;

use ptx_run::{Grid, Machine, Memory, SimpleMemory};
use support::{HEADER, REGISTERS, check, kernel_at, parse, run, run_over};

#[test]
fn moves_pack_and_unpack() {
    check(
        "mov.b64 %rd0, {%r1, %r2};",
        &[("%r1", 0x1111_2222), ("%r2", 0x3333_4444)],
        &[("%rd0", 0x3333_4444_1111_2222)],
    );
    check("mov.b32 %r0, {%h1, %h2};", &[("%h1", 0xabcd), ("%h2", 0x1234)], &[("%r0", 0x1234_abcd)]);
    check(
        "mov.b64 %rd0, {%h1, %h2, %h3, %h4};",
        &[("%h1", 1), ("%h2", 2), ("%h3", 3), ("%h4", 4)],
        &[("%rd0", 0x0004_0003_0002_0001)],
    );
    check(
        "mov.b64 {%r0, %r1}, %rd1;",
        &[("%rd1", 0x0123_4567_89ab_cdef)],
        &[("%r0", 0x89ab_cdef), ("%r1", 0x0123_4567)],
    );
    check("mov.b64 {_, %r1}, %rd1;", &[("%rd1", 0x0123_4567_89ab_cdef)], &[("%r1", 0x0123_4567)]);
    check("mov.b32 {%h0, %h1}, %r1;", &[("%r1", 0x1234_abcd)], &[("%h0", 0xabcd), ("%h1", 0x1234)]);
    check("mov.b64 %d0, {%r1, %r2};", &[("%r1", 0), ("%r2", 0x3ff0_0000)], &[("%d0", 1f64.to_bits())]);
    check("mov.b32 %r0, %f1;", &[("%f1", 0x3f80_0000)], &[("%r0", 0x3f80_0000)]);
    check("mov.f32 %f0, 0f3FC00000;", &[], &[("%f0", 1.5f32.to_bits().into())]);
    check("mov.f32 %f0, 1.5;", &[], &[("%f0", 1.5f32.to_bits().into())]);
    check("mov.f32 %f0, -1.5e1;", &[], &[("%f0", (-15f32).to_bits().into())]);
    check("mov.f64 %d0, 0dBFF0000000000000;", &[], &[("%d0", (-1f64).to_bits())]);
    check("mov.b32 %r0, 0f3F800000;", &[], &[("%r0", 0x3f80_0000)]);
    check(
        "mov.u32 %r0, 0x10; mov.u32 %r1, 010; mov.u32 %r2, 0b101; mov.u32 %r3, 7U;",
        &[],
        &[("%r0", 16), ("%r1", 8), ("%r2", 5), ("%r3", 7)],
    );
    check(
        "mov.s64 %rd0, -9223372036854775808; mov.u64 %rd1, 18446744073709551615;",
        &[],
        &[("%rd0", 1 << 63), ("%rd1", u64::MAX)],
    );
    check("mov.pred %p0, %p1; mov.pred %p2, 1;", &[("%p1", 0)], &[("%p0", 0), ("%p2", 1)]);
}

#[test]
fn special_registers() {
    let text = kernel_at(
        "mov.u32 %r1, %tid.y; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r0, %r1, %r2, %r3;
         mov.u32 %r4, %ctaid.z; mov.u32 %r5, %nctaid.y; mov.u32 %r6, %ctaid.y; mad.lo.u32 %r4, %r4, %r5, %r6;
         mov.u32 %r5, %nctaid.x; mov.u32 %r6, %ctaid.x; mad.lo.u32 %r4, %r4, %r5, %r6;
         mad.lo.u32 %r4, %r4, 40, %r0;
         mul.wide.u32 %rd1, %r4, 16; add.u64 %rd9, %rd9, %rd1;
         mov.u32 %r5, %laneid; mov.u32 %r6, %warpid; mov.u32 %r7, %lanemask_lt; mov.u32 %r8, %lanemask_ge;
         st.global.v4.b32 [%rd9], {%r5, %r6, %r7, %r8};",
    );
    let mut memory = SimpleMemory::new();
    let address = memory.allocate(40 * 12 * 16);
    let params = address.to_le_bytes();
    let grid = Grid { grid: [2, 3, 2], block: [8, 5, 1], shared: 0, params: &params };
    Machine::default().launch(&parse(&text), "k", grid, &mut memory).expect("no fault");
    let bytes = memory.bytes(address).expect("the allocation");
    for (k, words) in bytes.chunks_exact(16).enumerate() {
        let words: Vec<u32> = words.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().expect("four"))).collect();
        let (thread, lane) = (k as u32 % 40, k as u32 % 40 % 32);
        let below = (1u64 << lane) as u32 - 1;
        assert_eq!(words, [lane, thread / 32, below, !below], "thread {thread}");
    }
    check(
        "mov.u32 %r0, %lanemask_eq; mov.u32 %r1, %lanemask_le; mov.u32 %r2, %lanemask_gt;",
        &[],
        &[("%r0", 1), ("%r1", 1), ("%r2", 0xffff_fffe)],
    );
    check("mov.u32 %r0, %nctaid.z; mov.u32 %r1, %ntid.y;", &[], &[("%r0", 1), ("%r1", 1)]);
}

#[test]
fn narrow_values_are_extended_by_their_type() {
    let words = [0x8081_8283, 0x9091_9293];
    let loads = "ld.global.s8 %r0, [%rd9]; ld.global.u8 %r1, [%rd9+1]; ld.global.s16 %r2, [%rd9+2];
         ld.global.u16 %h3, [%rd9]; cvt.u32.u16 %r3, %h3; ld.global.s8 %h4, [%rd9+3]; cvt.s32.s16 %r4, %h4;
         ld.global.s32 %rd1, [%rd9+4]; shr.u64 %rd1, %rd1, 32; cvt.u32.u64 %r5, %rd1;
         ld.global.b8 %rd2, [%rd9+7]; cvt.u32.u64 %r6, %rd2;
         st.global.v2.u32 [%rd9+8], {%r0, %r1}; st.global.v4.u32 [%rd9+16], {%r2, %r3, %r4, %r5};
         st.global.u32 [%rd9+32], %r6;";
    let mut memory = [0u32; 9];
    memory[..2].copy_from_slice(&words);
    let found = run_over(loads, 1, &memory).expect("no fault");
    let expected = [0xffff_ff83, 0x82, 0xffff_8081, 0x8283, 0xffff_ff80, 0xffff_ffff, 0x90];
    assert_eq!(found[2..], expected);
    let stores = "mov.u32 %r0, 0x11223344; st.global.u8 [%rd9+1], %r0; mov.u64 %rd1, 0xaabbccdd;
         st.global.u16 [%rd9+2], %rd1; st.global.u8 [%rd9], 0xee;";
    assert_eq!(run_over(stores, 1, &[0]).expect("no fault"), [0xccdd_44ee]);
}

#[test]
fn vectors_and_hints() {
    let body = "ld.global.nc.v4.f32 {%f0, %f1, %f2, %f3}, [%rd9]; ld.volatile.global.v2.b64 {%rd0, %rd1}, [%rd9];
         ld.relaxed.gpu.global.u32 %r0, [%rd9+4]; ld.global.cg.u32 %r1, [%rd9+8]; ld.acquire.sys.global.b32 %r2, [%rd9];
         st.global.v4.f32 [%rd9+16], {%f3, %f2, %f1, %f0}; st.volatile.global.v2.u64 [%rd9+32], {%rd1, %rd0};
         st.release.gpu.global.u32 [%rd9+48], %r0; st.global.wb.u32 [%rd9+52], %r1; st.relaxed.sys.global.u32 [%rd9+56], %r2;
         ld.global.v2.u16 {%h0, %h1}, [%rd9]; st.global.v2.u16 [%rd9+60], {%h1, %h0};";
    let mut words = vec![1, 2, 3, 4];
    words.resize(16, 0);
    let found = run_over(body, 1, &words).expect("no fault");
    assert_eq!(found, [1, 2, 3, 4, 4, 3, 2, 1, 3, 4, 1, 2, 2, 3, 1, 0x0001_0000]);
}

#[test]
fn shared_local_and_const_variables() {
    let text = format!(
        "{HEADER}.const .align 4 .u32 table[4] = {{10, 20, 30}};
         .shared .align 8 .b8 first[12];
         .visible .entry k(.param .u64 out) {{
         {REGISTERS}
         .shared .align 16 .b32 second[4];
         .local .align 8 .b8 depot[16];
         .reg .b64 %sp, %spl;
         ld.param.u64 %rd9, [out];
         mov.u64 %spl, depot; cvta.local.u64 %sp, %spl;
         mov.u32 %r0, 111; st.local.u32 [%spl+4], %r0; ld.u32 %r1, [%sp+4];
         mov.u32 %r2, 222; st.u32 [%sp], %r2; ld.local.u32 %r3, [depot];
         mov.u32 %r4, second; mov.u32 %r5, 333; st.shared.u32 [%r4+8], %r5;
         cvta.shared.u64 %rd1, second; ld.u32 %r5, [%rd1+8]; ld.shared.u32 %r6, [second+8];
         cvta.to.shared.u64 %rd2, %rd1; cvt.u32.u64 %r7, %rd2; sub.u32 %r7, %r7, %r4;
         mov.u32 %r8, first; st.shared.u32 [%r8], 5; and.b32 %r8, %r4, 15;
         ld.const.u32 %r2, [table+8]; mov.u64 %rd3, table; ld.const.u32 %r4, [%rd3+4];
         cvta.const.u64 %rd4, %rd3; ld.u32 %r0, [%rd4]; ld.const.u32 %r9, [table+12];
         st.global.v4.u32 [%rd9], {{%r1, %r3, %r5, %r6}};
         st.global.v4.u32 [%rd9+16], {{%r7, %r8, %r2, %r4}};
         st.global.v2.u32 [%rd9+32], {{%r0, %r9}};
         ret; }}"
    );
    let mut memory = SimpleMemory::new();
    let address = memory.allocate(40);
    let counts = run(&text, 1, &address.to_le_bytes(), &mut memory).expect("no fault");
    let bytes = memory.bytes(address).expect("the allocation");
    let words: Vec<u32> = bytes.chunks_exact(4).map(|w| u32::from_le_bytes(w.try_into().expect("four"))).collect();
    assert_eq!(words, [111, 222, 333, 333, 0, 0, 30, 20, 10, 0]);
    assert_eq!((counts.local.loads, counts.local.stores), (2, 2));
    assert_eq!((counts.shared.loads, counts.shared.stores), (2, 2));
    assert_eq!((counts.constant.loads, counts.global.loads), (4, 0));
}

#[test]
fn variables_in_global_memory() {
    let text = format!(
        "{HEADER}.global .align 4 .f32 half = 0f3F000000;
         .global .align 4 .u32 counter[2] = {{7, 9}};
         .visible .global .align 8 .u64 pointer = counter + 4;
         .global .align 1 .b8 name[4] = {{119, 97, 0x72, 112}};
         .global .align 4 .u32 zero;
         .visible .entry k(.param .u64 out) {{
         {REGISTERS}
         ld.param.u64 %rd9, [out];
         ld.global.f32 %f0, [half]; ld.global.u64 %rd0, [pointer]; ld.u32 %r0, [%rd0];
         ld.global.b32 %r1, [name]; mov.u64 %rd1, counter; atom.global.add.u32 %r2, [%rd1], 1; ld.global.u32 %r3, [zero];
         st.global.f32 [%rd9], %f0; st.global.u32 [%rd9+4], %r0; st.global.u32 [%rd9+8], %r1;
         st.global.v2.u32 [%rd9+16], {{%r2, %r3}};
         ret; }}"
    );
    let mut module = parse(&text);
    let mut memory = SimpleMemory::new();
    let address = memory.allocate(24);
    let params = address.to_le_bytes();
    let grid = Grid { grid: [1; 3], block: [1; 3], shared: 0, params: &params };
    let machine = Machine::default();
    let fault = machine.launch(&module, "k", grid, &mut memory).expect_err("no place");
    assert!(fault.message.contains("have no place yet"), "{fault}");
    let base = memory.allocate(module.globals_size());
    let image = module.place(base);
    memory.write(base, &image).expect("within the allocation");
    let names: Vec<&str> = module.globals().iter().map(|global| global.name.as_str()).collect();
    assert_eq!(names, ["half", "counter", "pointer", "name", "zero"]);
    // What a launch leaves there the next one finds.
    for round in 0..2 {
        machine.launch(&module, "k", grid, &mut memory).expect("no fault");
        let bytes = memory.bytes(address).expect("the allocation");
        assert_eq!(bytes[..12], [0, 0, 0, 0x3f, 9, 0, 0, 0, 119, 97, 114, 112]);
        assert_eq!(bytes[16..], [7 + round, 0, 0, 0, 0, 0, 0, 0]);
    }
}

#[test]
fn dynamic_shared_memory_lies_behind_the_rest() {
    let text = format!(
        "{HEADER}.extern .shared .align 16 .b8 dynamic[];
         .visible .entry k(.param .u64 out) {{
         {REGISTERS}
         .shared .align 4 .b8 fixed[20];
         ld.param.u64 %rd9, [out];
         mov.u32 %r0, dynamic; mov.u32 %r1, fixed; sub.u32 %r2, %r0, %r1; mov.u32 %r3, %dynamic_smem_size;
         st.shared.u32 [%r0+60], 1; st.shared.u8 [fixed], 1;
         st.global.v2.u32 [%rd9], {{%r2, %r3}};
         ret; }}"
    );
    let mut memory = SimpleMemory::new();
    let address = memory.allocate(8);
    let params = address.to_le_bytes();
    let launch = |shared: u32, memory: &mut SimpleMemory| {
        let grid = Grid { grid: [1; 3], block: [1; 3], shared, params: &params };
        Machine::default().launch(&parse(&text), "k", grid, memory)
    };
    launch(64, &mut memory).expect("no fault");
    assert_eq!(memory.bytes(address), Some([32, 0, 0, 0, 64, 0, 0, 0].as_slice()));
    let fault = launch(60, &mut memory).expect_err("four bytes too few");
    assert!(fault.message.contains("4 bytes at 0x45c in shared memory are out of bounds"), "{fault}");
}
