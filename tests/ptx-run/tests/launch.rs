//! Whole kernels: parameters, grids, branches, counts, and what a launch refuses.

mod support;

use ptx_run::{Config, Grid, Machine, Module, SimpleMemory};
use support::{HEADER, parse, run_over};

const SAXPY: &str = r#"
.visible .entry saxpy(
	.param .u64 x,
	.param .u64 y,
	.param .f32 a,
	.param .u32 n
)
.maxntid 256, 1, 1
{
	.reg .pred %p<2>;
	.reg .b32 %r<6>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<8>;

	ld.param.u64 %rd1, [x];
	ld.param.u64 %rd2, [y];
	ld.param.f32 %f1, [a];
	ld.param.u32 %r2, [n];
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mov.u32 %r5, %tid.x;
	mad.lo.s32 %r1, %r3, %r4, %r5;
	setp.ge.u32 %p1, %r1, %r2;
	@%p1 bra DONE;
	cvta.to.global.u64 %rd3, %rd1;
	mul.wide.u32 %rd4, %r1, 4;
	add.s64 %rd5, %rd3, %rd4;
	cvta.to.global.u64 %rd6, %rd2;
	add.s64 %rd7, %rd6, %rd4;
	ld.global.nc.f32 %f2, [%rd5];
	ld.global.f32 %f3, [%rd7];
	fma.rn.f32 %f4, %f1, %f2, %f3;
	st.global.f32 [%rd7], %f4;
DONE:
	ret;
}
"#;

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn saxpy_gives_the_same_bits_as_rust() {
    let module = parse(&format!("{HEADER}{SAXPY}"));
    let count = 1000;
    let x: Vec<f32> = (0..count).map(|k| (k as f32).sin()).collect();
    let y: Vec<f32> = (0..count).map(|k| (k as f32).cos()).collect();
    let mut memory = SimpleMemory::new();
    let (to_x, to_y) = (memory.allocate_from(&floats(&x)), memory.allocate_from(&floats(&y)));
    let mut params = Vec::new();
    params.extend(to_x.to_le_bytes());
    params.extend(to_y.to_le_bytes());
    params.extend(0.3f32.to_le_bytes());
    params.extend(1000u32.to_le_bytes());
    let grid = Grid { grid: [8, 1, 1], block: [128, 1, 1], shared: 0, params: &params };
    let counts = Machine::default().launch(&module, "saxpy", grid, &mut memory).expect("no fault");
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 0.3f32.mul_add(*x, *y)).collect();
    assert_eq!(memory.bytes(to_y), Some(floats(&expected).as_slice()));
    // 10 instructions for each of 1024 threads, 10 more for 1000 of them, where the branch was not taken.
    assert_eq!(counts.threads, 1024);
    assert_eq!(counts.skipped, 1000);
    assert_eq!(counts.total, 1024 * 9 + 24 + 1000 * 9 + 1024);
    assert_eq!(counts.most_in_a_thread, 19);
    assert_eq!((counts.fp32, counts.fp64), (1000, 0));
    assert_eq!((counts.global.loads, counts.global.stores), (2000, 1000));
    assert_eq!((counts.global.bytes_loaded, counts.global.bytes_stored), (8000, 4000));
    assert_eq!(counts.param.loads, 4096);
    assert_eq!(counts.control, 1024 + 24);
}

#[test]
fn parameters_lie_as_their_types_want() {
    let text =
        format!("{HEADER}.entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 c[20], .param .f32 d) {{ ret; }}");
    let module = parse(&text);
    let entry = module.entry("k").expect("the entry");
    let laid: Vec<(&str, usize, usize, usize)> =
        entry.params().iter().map(|p| (p.name.as_str(), p.offset, p.size, p.align)).collect();
    assert_eq!(laid, [("a", 0, 1, 1), ("b", 8, 8, 8), ("c", 16, 20, 16), ("d", 36, 4, 4)]);
    assert_eq!(entry.params_size(), 40);
}

#[test]
fn loops_end_and_endless_ones_are_stopped() {
    let sum = "mov.u32 %r0, 0; mov.u32 %r1, 0;\nL: add.u32 %r0, %r0, %r1; add.u32 %r1, %r1, 1;\n\
               setp.le.u32 %p0, %r1, 100; @%p0 bra L; st.global.u32 [%rd9], %r0;";
    assert_eq!(run_over(sum, 1, &[0]).expect("no fault"), [5050]);
    let text = format!("{HEADER}.entry k() {{\nL:\n bra L;\n}}");
    let module = Module::parse(&text).expect("a module");
    let machine = Machine::new(Config { limit: 1000, ..Config::default() });
    let grid = Grid { grid: [1; 3], block: [1; 3], shared: 0, params: &[] };
    let fault = machine.launch(&module, "k", grid, &mut SimpleMemory::new()).expect_err("an endless loop");
    assert_eq!(
        fault.to_string(),
        "PTX line 6: thread (0, 0, 0) of block (0, 0, 0): the launch ran 1000 instructions, the limit of this \
         machine; a loop may never end."
    );
}

#[test]
fn launches_that_a_driver_refuses_are_refused() {
    let module = parse(&format!("{HEADER}{SAXPY}"));
    let refusal = |entry: &str, grid: [u32; 3], block: [u32; 3], shared: u32, params: usize| {
        let params = vec![0; params];
        let grid = Grid { grid, block, shared, params: &params };
        let fault = Machine::default().launch(&module, entry, grid, &mut SimpleMemory::new());
        fault.expect_err("a refusal").to_string()
    };
    assert!(refusal("nobody", [1; 3], [1; 3], 0, 24).contains("no entry `nobody`; the module has saxpy."));
    assert!(refusal("saxpy", [0, 1, 1], [1; 3], 0, 24).contains("is empty"));
    assert!(refusal("saxpy", [1, 65536, 1], [1; 3], 0, 24).contains("too large"));
    assert!(refusal("saxpy", [1; 3], [1025, 1, 1], 0, 24).contains("too large"));
    assert!(refusal("saxpy", [1; 3], [1, 1, 65], 0, 24).contains("too large"));
    assert!(refusal("saxpy", [1; 3], [512, 1, 1], 0, 24).contains("at most"));
    assert!(refusal("saxpy", [1; 3], [1; 3], 300_000, 24).contains("shared memory"));
    assert!(refusal("saxpy", [1; 3], [1; 3], 0, 20).contains("takes 24 bytes of parameters, found 20"));
}
