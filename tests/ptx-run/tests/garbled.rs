//! Texts that were garbled by chance are refused or run; nothing panics, and nothing runs for ever.

mod support;

use ptx_run::{Config, Grid, Machine, Module, SimpleMemory};
use support::HEADER;

/// Some of everything.
const SAMPLE: &str = r#"
.const .align 4 .u32 table[4] = {10, 20, 30};
.global .align 8 .u64 pointer[2] = {5, 6};
.extern .shared .align 16 .b8 dynamic[];
.func (.param .b32 result) square(.param .b32 x) {
 .reg .u32 %r<3>; .local .align 8 .b8 depot[16];
 ld.param.u32 %r1, [x]; mul.lo.u32 %r2, %r1, %r1; st.local.u32 [depot+4], %r2; st.param.u32 [result], %r2; ret; }
.func (.reg .u32 %sum) add(.reg .u32 %a, .reg .u32 %b) { add.u32 %sum, %a, %b; ret; }
.visible .entry k(.param .u64 out, .param .align 8 .b8 pad[12]) .maxntid 64, 1, 1 {
 .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<6>; .reg .f64 %d<4>;
 .shared .align 8 .b32 cells[64];
 ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, cells; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3;
 st.shared.u32 [%r2], %r1; bar.sync 0; ld.shared.u32 %r4, [%r2]; mul.wide.u32 %rd2, %r1, 8; add.u64 %rd1, %rd1, %rd2;
 mov.pred %p3, 1; mov.f64 %d1, 2.0; mov.f32 %f1, 1.0; mov.u32 %r6, 9; mov.u32 %r7, 0;
 setp.lt.and.u32 %p1|%p2, %r4, 7, %p3; @%p1 bra $L1;
 cvt.rn.f32.u32 %f1, %r4; fma.rn.f32 %f2, %f1, 0f3F000000, %f1; div.rz.f32 %f3, %f2, %f1; cvt.rzi.s32.f32 %r5, %f3;
 mov.b64 {%r6, %r7}, %rd2; mov.b64 %rd3, {%r6, %r7}; bfi.b32 %r5, %r6, %r5, 3, 4; prmt.b32 %r5, %r5, %r6, 0x3210;
$L1:
 { .param .b32 p0; .param .b32 r0; st.param.b32 [p0], %r4; call.uni (r0), square, (p0); ld.param.b32 %r5, [r0]; }
 call (%r6), add, (%r5, 3); add.cc.u32 %r6, %r6, %r5; addc.u32 %r7, 0, 0;
 shfl.sync.down.b32 %r8|%p3, %r6, 1, 31, -1; vote.sync.ballot.b32 %r7, %p3, -1; selp.b32 %r6, %r6, %r7, %p3;
 st.global.v2.u32 [%rd1], {%r6, %r7}; ld.global.v2.u32 {%r6, %r7}, [%rd1]; atom.global.add.u32 %r5, [%rd1], 1;
 cvta.shared.u64 %rd4, cells; ld.u32 %r5, [%rd4+4]; ld.const.u32 %r6, [table+8]; red.global.max.u32 [%rd1+4], %r6;
 cvt.rn.f16.f32 %h1, %f1; sqrt.rm.f64 %d1, %d1; rem.s32 %r5, %r6, %r7; activemask.b32 %r5; exit; }
"#;

/// The pieces of a text: words, numbers and marks.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for c in text.chars() {
        let joins = c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
        match pieces.last_mut() {
            Some(last)
                if joins && last.ends_with(|l: char| l.is_ascii_alphanumeric() || matches!(l, '_' | '$' | '%')) =>
            {
                last.push(c);
            }
            _ => pieces.push(c.to_string()),
        }
    }
    pieces
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

#[test]
fn garbled_texts_do_no_harm() {
    let original = pieces(SAMPLE);
    let strange =
        ["18446744073709551615", "0", "-", "1048576", "0f7FC00000", "{", "}", "[", "_", "!", "|", ".u8", ".v4", "é"];
    let mut dice = Dice(1);
    let (mut accepted, mut finished) = (0, 0);
    for round in 0..6000 {
        let mut text = original.clone();
        for _ in 0..if round == 0 { 0 } else { 1 + dice.below(2) } {
            let at = dice.below(text.len());
            match dice.below(5) {
                0 => drop(text.remove(at)),
                1 => text[at] = strange[dice.below(strange.len())].to_owned(),
                2 => {
                    let other = dice.below(text.len());
                    text.swap(at, other);
                }
                3 => text.truncate(at.max(text.len() - 40)),
                _ => text[at] = original[dice.below(original.len())].clone(),
            }
        }
        let text = format!("{HEADER}{}", text.concat());
        let Ok(mut module) = Module::parse(&text) else { continue };
        accepted += 1;
        support::keep(&text);
        let mut memory = SimpleMemory::new();
        let address = memory.allocate_from(&[0; 64 * 8]);
        module.place(address);
        let Some(entry) = module.entries().first() else { continue };
        let mut params = address.to_le_bytes().to_vec();
        params.resize(entry.params_size(), 1);
        let grid = Grid { grid: [2, 1, 1], block: [64, 1, 1], shared: 64, params: &params };
        let machine = Machine::new(Config { seed: Some(accepted), limit: 50_000 });
        let result = machine.launch(&module, entry.name(), grid, &mut memory);
        assert!(round > 0 || result.is_ok(), "the text itself: {result:?}");
        finished += u64::from(result.is_ok());
    }
    // Some texts must get through, or this tests the front alone.
    assert!(accepted > 200 && finished > 200, "{accepted} {finished}");
}
