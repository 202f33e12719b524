//! Texts that are refused, with their lines.

mod support;

use support::{HEADER, REGISTERS, kernel, refused};

/// A line of a kernel's body is refused for this reason.
fn refuse(line: &str, why: &str) {
    let message = refused(&kernel(line));
    assert!(message.starts_with("PTX line 12: "), "{line}: {message}");
    assert!(message.contains(why), "{line}: {message}");
}

/// A text behind the header is refused for this reason.
fn refuse_text(text: &str, line: usize, why: &str) {
    let message = refused(&format!("{HEADER}{text}"));
    assert!(message.starts_with(&format!("PTX line {line}: ")), "{text}: {message}");
    assert!(message.contains(why), "{text}: {message}");
}

#[test]
fn names_must_be_known() {
    refuse("add.u32 %r0, %r1, %x;", "`add.u32`: `%x` is not declared.");
    refuse("add.u32 %r0, %r1, %r10;", "`%r10` is not declared.");
    refuse("ld.global.u32 %r0, [nowhere];", "`nowhere` is not declared.");
    refuse("mov.u32 %r0, %clock;", "`%clock` is not declared.");
    refuse("mov.u32 %r0, %smid.x;", "not declared, or a special register that is not handled");
    refuse("@%r0 mov.u32 %r0, 1;", "the guard `%r0` is no predicate");
    refuse("frobnicate.u32 %r0, %r1;", "`frobnicate.u32`: this instruction is not handled.");
}

#[test]
fn types_of_registers_must_fit() {
    refuse("add.u32 %r0, %r1, %rd0;", "the register `%rd0` has type .b64; .u32 is wanted.");
    refuse("add.s32 %f0, %r1, %r2;", "the register `%f0` has type .f32; .s32 is wanted.");
    refuse("mov.u32 %r0, %f0;", "has type .f32; .u32 is wanted");
    refuse("mov.f32 %d0, %f0;", "has type .f64; .f32 is wanted");
    refuse("add.f32 %f0, %f1, %p0;", "has type .pred; .f32 is wanted");
    refuse("shl.b64 %rd0, %rd1, %rd2;", "has type .b64; .u32 is wanted");
    refuse("ld.global.u32 %h0, [%rd0];", "has type .b16; .u32 is wanted");
    refuse("ld.global.f32 %d0, [%rd0];", "has type .f64; .f32 is wanted");
    refuse("ld.global.u32 %f0, [%rd0];", "has type .f32; .u32 is wanted");
    refuse("ld.global.u32 %r0, [%r1];", "cannot hold a global address");
    refuse("ld.global.u32 %r0, [%d1];", "cannot hold a global address");
    refuse("mul.wide.u32 %r0, %r1, %r2;", "has type .b32; .u64 is wanted");
    refuse("popc.b64 %rd0, %rd1;", "has type .b64; .b32 is wanted");
    refuse("setp.eq.u32 %r0, %r1, %r2;", "has type .b32; .pred is wanted");
    refuse("mov.u64 %rd0, %tid.x;", "special registers have 32 bits");
    refuse("add.u32 %r0, %tid.x, 1;", "is read by mov and cvt alone");
}

#[test]
fn forms_must_exist() {
    refuse("add.b32 %r0, %r1, %r2;", "no such form");
    refuse("and.u32 %r0, %r1, %r2;", "no such form");
    refuse("not.u32 %r0, %r1;", "no such form");
    refuse("shl.u32 %r0, %r1, 1;", "no such form");
    refuse("neg.u32 %r0, %r1;", "no such form");
    refuse("mul.wide.u64 %rd0, %rd1, %rd2;", "no such form");
    refuse("mul.s32 %r0, %r1, %r2;", ".lo, .hi or .wide is missing");
    refuse("add.sat.u32 %r0, %r1, %r2;", "no such form");
    refuse("setp.lt.b32 %p0, %r1, %r2;", "no such form");
    refuse("setp.lo.s32 %p0, %r1, %r2;", "no such form");
    refuse("setp.ltu.s32 %p0, %r1, %r2;", "no such form");
    refuse("setp.eq.pred %p0, %p1, %p2;", "no such form");
    refuse("setp.eq.f16 %p0, %h1, %h2;", "no such form");
    refuse("selp.f16 %h0, %h1, %h2, %p0;", "no such form");
    refuse("add.u32 %r0, %r1;", "takes 3 operands, found 2");
    refuse("add.wrong.u32 %r0, %r1, %r2;", "`.wrong` is not handled here");
    refuse("add.u32.wrong %r0, %r1, %r2;", "`.wrong` is not handled here");
    refuse("add %r0, %r1, %r2;", "a type is missing");
    refuse("mov.b64 %rd0, {%r0, %r1, %r2};", "packs two halves");
    refuse("mov.u64 %rd0, {%r0, %r1};", "packs two halves");
    refuse("mov.b128 %rd0, %rd1;", "`.b128` is not handled here");
    refuse("ld.global.v8.b32 {%r0}, [%rd0];", "`.v8` is not handled here");
    refuse("ld.global.v4.u64 {%rd0, %rd1, %rd2, %rd3}, [%rd4];", "no such form");
    refuse("ld.global.v2.u32 %r0, [%rd0];", "in braces is wanted");
    refuse("ld.global.v2.u32 {%r0, %r1, %r2}, [%rd0];", "a vector of 2 registers");
    refuse("ld.global.v2.u8 {%h0, %r1}, [%rd0];", "must be of one size");
    refuse("st.global.v2.u32 [%rd0], {%r0, %rd1};", "must be of one size");
    refuse("ld.shared.nc.u32 %r0, [%r1];", "`.nc` is for global memory");
    refuse("ld.release.gpu.global.u32 %r0, [%rd1];", "does not release");
    refuse("ld.relaxed.global.u32 %r0, [%rd1];", "a scope is missing");
    refuse("st.const.u32 [%rd0], 1;", "const memory is not written");
    refuse("ld.global.L1::evict_last.u32 %r0, [%rd0];", "`.L1::evict_last` is not handled here");
    refuse("lop3.b32 %r0, %r1, %r2, %r3, %r4;", "the table is a number");
    refuse("vadd.u32.u32.u32 %r0, %r1, %r2;", "not handled");
    refuse("wmma.load.a.sync.aligned.m16n16k16.global.row.f16 {%r0}, [%rd0];", "not handled");
}

#[test]
fn numbers_must_fit() {
    refuse("add.s16 %h0, %h1, 70000;", "70000 does not fit into .s16");
    refuse("mov.u32 %r0, 4294967296;", "does not fit into .u32");
    refuse("mov.s32 %r0, -2147483649;", "-2147483649 does not fit into .s32");
    refuse("mov.f32 %f0, 1;", "a whole number stands where .f32 is wanted");
    refuse("mov.u32 %r0, 0f3F800000;", "in the form 0f stands where .u32 is wanted");
    refuse("mov.u64 %rd0, 1.5;", "a fraction");
    refuse("mov.u64 %rd0, 18446744073709551616;", "no whole number of at most 64 bits");
    refuse("mov.f32 %f0, 0f3F8;", "must have 8 hexadecimal digits");
    refuse("mov.u32 %r0, 12ab;", "letters follow the number `12`");
}

#[test]
fn variables_are_where_they_are() {
    refuse(".shared .b32 s; ld.global.u32 %r0, [s];", "`s` lies in shared memory; this reaches global memory");
    refuse(".shared .b32 s; ld.u32 %r0, [s];", "`s` lies in shared memory; this reaches generic memory");
    refuse(".shared .b32 s; ld.shared.u32 %r0, [s+4];", "4 bytes from byte 4 on do not lie within `s`");
    refuse(".shared .b32 s; add.u32 %r0, s, 1;", "`s` is a variable; a register or a number is wanted");
    refuse(".local .b32 s; cvta.global.u64 %rd0, s;", "`s` lies in local memory");
    refuse(".shared .b32 s = 5;", "a .shared variable has no initial value");
    refuse(".global .b32 g;", "the variable `g` is not handled");
    refuse("mov.u32 %r0, %r1+4;", "`%r1` is no variable");
    refuse_text(
        ".entry k(.param .u32 a) {\n.reg .u32 %r;\nst.param.u32 [a], 5;\n}",
        6,
        "parameters of an entry are not written",
    );
    refuse_text(".entry k(.param .u32 a) {\n.reg .u64 %r;\nld.param.u64 %r, [a];\n}", 6, "do not lie within `a`");
    refuse_text(".global .u32 g[2] = {1, 2, 3};", 4, "3 initial values for 2 elements");
    refuse_text(".global .u8 g = 256;", 4, "256 does not fit into .u8");
    refuse_text(".global .u32 g;\n.global .u32 g;", 5, "the variable `g` is defined twice");
    refuse_text(".extern .global .u32 g;", 4, "is defined in another text");
    refuse_text(".global .u64 g = later;\n.global .u32 later;", 4, "the initial value `later` is not handled");
    refuse("st.global.u32 [16], 1;", "a number in local memory alone");
    refuse("ld.global.u32 %r0, [%rd0-4];", "expected `]`, found `-`");
    refuse_text(".global .u64 g = nobody;", 4, "the initial value `nobody` is not handled");
    refuse_text(".global .b32 m[2][2] = {{1, 2}, {3, 4}};", 4, "nested braces");
}

#[test]
fn the_text_must_be_well_formed() {
    let all = |text: &str, why: &str| {
        let message = refused(text);
        assert!(message.contains(why), "{text}: {message}");
    };
    all("", "PTX line 1: the text begins with `.version major.minor`, found the end of the text.");
    all(".version 7.0\n.entry k() {}", "PTX line 2: `.target sm_NN` follows the version, found `.entry`.");
    all(".version 7.0 .target sm_70 .address_size 32", "addresses of 32 bits are not handled");
    all(".version 7.0 .target riscv .address_size 64", "the target `riscv` is not handled");
    all(".version 7.0 .target sm_60 .address_size 64", "the target sm_60 is not handled");
    all(".version 6.2 .target sm_70 .address_size 64", "the version 6.2 is not handled");
    all(".version 7.7 .target sm_90a .address_size 64", "the target sm_90 needs the version 7.8 or later, found 7.7");
    refuse_text(".entry k() {\n ret;\n", 6, "a `}` is missing");
    refuse_text(".entry k() { ret }", 4, "expected an operand, found `}`.");
    refuse_text("/* never closed", 4, "never closed");
    refuse_text(".entry k() { .reg .u32 %r; .reg .f32 %r; }", 4, "`%r` is declared twice");
    refuse_text(".entry k() { L: ret; L: ret; }", 4, "`L` is declared twice");
    refuse_text(".entry k() { ret; }\n.entry k() { ret; }", 5, "`k` is defined twice");
    refuse_text(".entry k() { .reg .u8 %r; }", 4, "registers of type .u8 are not handled");
    refuse_text(".entry k() { .reg .bf16 %r; }", 4, "registers of type .bf16 are not handled");
    refuse_text(".entry k() { .reg .u32 _; }", 4, "expected the name of a register, found `_`");
    refuse_text(".entry k() { .reg .v2 .f32 %r; }", 4, "the type `.v2` is not handled");
    refuse_text(".texref t;", 4, "the directive `.texref` is not handled");
    refuse_text(
        ".entry k() .maxclusterrank 8 { ret; }",
        4,
        "the directive `.maxclusterrank` of a function is not handled",
    );
    refuse_text(".entry k() .maxntid 0 { ret; }", 4, "0 is no number of threads");
    refuse_text(".entry k() { é }", 4, "begins nothing of this language");
    refuse_text(".entry k(.reg .u32 %a) { ret; }", 4, "must be a `.param`");
    refuse("add.u32 %r0, %r1, [%rd0];", "a register or a number is wanted here");
    refuse("st.global.u32 %rd0, %r0;", "an address in brackets is wanted");
    refuse("mov.u32 _, %r0;", "this result cannot be discarded");
    refuse("mov.b64 {_, _}, %rd0;", "all parts are discarded");
    refuse(";", "expected an instruction, found `;`");
    refuse("prmt.b32.%r0, %r1, %r2, 0;", "begins nothing of this language");
    refuse("bfe.u32 %r0, %r1, 256, 4;", "a number from 0 to 255");
    refuse("bfi.b32 %r0, %r1, %r2, 3, 256;", "a number from 0 to 255");
    refuse("mov.f32 %f0, -0f3F800000;", "is one of its bits");
    refuse_text(".global .u32 g[2] = {1, };", 4, "expected an operand, found `}`");
    refuse_text(".global .u32 g[0];", 4, "an array without elements");
    refuse("add.u32 5, %r0, %r1;", "the result goes to a register");
}

#[test]
fn targets_and_versions_must_have_the_instruction() {
    let at = |version: &str, target: u32, line: &str| {
        let header = format!(".version {version}\n.target sm_{target}\n.address_size 64\n");
        kernel(line).replace(HEADER, &header)
    };
    let cases = [
        ("redux.sync.add.u32 %r0, %r1, -1;", 80, "7.0"),
        ("min.NaN.f32 %f0, %f1, %f2;", 80, "7.0"),
        ("tanh.approx.f32 %f0, %f1;", 75, "7.0"),
        ("cvt.rn.bf16.f32 %h0, %f1;", 80, "7.0"),
        ("cvt.f32.bf16 %f0, %h1;", 80, "7.1"),
        ("cvt.rzi.s32.bf16 %r0, %h1;", 90, "7.8"),
        ("bar.cta.sync 0;", 70, "7.8"),
        ("ld.shared::cta.u32 %r0, [%rd1];", 70, "7.8"),
    ];
    for (line, target, version) in cases {
        support::parse(&at(version, target, line));
        if target > 70 {
            let message = refused(&at("9.5", if target == 75 { 70 } else { 75 }, line));
            assert!(message.contains(&format!("needs the target sm_{target} or later")), "{line}: {message}");
        }
        if version != "7.0" {
            let message = refused(&at("7.0", target.min(80), line));
            assert!(message.contains("needs the "), "{line}: {message}");
        }
    }
    let message = refused(&at("6.5", 75, "tanh.approx.f32 %f0, %f1;"));
    assert!(message.contains("needs the version 7.0 or later; the text has 6.5."), "{message}");
    support::parse(&at("6.3", 75, "activemask.b32 %r0;"));
}

#[test]
fn what_compilers_write_around_is_passed_over() {
    let text = format!(
        "//\n// by a compiler\n//\n{HEADER}\t// .globl k\n.file 1 \"a.cu\"\n.visible .entry k(\n\t.param .u64 .ptr .global .align 4 a\n)\n\
         .maxntid 128, 2, 1 .minnctapersm 2 .maxnreg 64 .pragma \"nounroll\";\n{{\n{REGISTERS}\
         .loc 1 2 3\n\tmov.u32 \t%r1, 0; /* and\n so on */\n.pragma \"nounroll\";\n$L__BB0_1:\n\t.loc 1 4 0, function_name L, inlined_at 1 2 3\n\tret;\n\n}}\n\
         .section .debug_str {{\nL:\n.b8 1, 2\n}}\n\0"
    );
    support::parse(&text);
}
