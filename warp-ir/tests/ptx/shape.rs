//! What holds of every text, and what is refused.

use warp_ir::abi::ElementLayout;
use warp_ir::builder::Builder;
use warp_ir::emit::ptx::{Input, Module, emit};
use warp_ir::evaluate::{Array, Inputs, Layout, run};
use warp_ir::ir::{Access, Kernel, LocalArray, Mem, Scalar, Source};
use warp_ir::random::same;
use warp_ir::validate::Valid;

use crate::run::{How, Ready};

fn floats(count: usize) -> Vec<ElementLayout> {
    vec![ElementLayout { size: 4, align: 4, offsets: vec![0] }; count]
}

fn module(kernel: &Valid<Kernel>, layouts: &[ElementLayout]) -> Module {
    emit(&Input { kernel, layouts, slots: Some(&[]) }).unwrap_or_else(|error| panic!("{error}"))
}

fn source(line: u32, text: &str) -> Source {
    Source { file: "src/lib.rs".into(), line, column: 5, text: text.into() }
}

/// `out[i] = x` at a line, over a number of dimensions.
fn store(line: u32, rank: u8) -> Valid<Kernel> {
    let mut b = Builder::new("store");
    let out = b.slice("out", Scalar::F32, Access::Write);
    let x = b.param("x", Scalar::F32);
    let mut i = b.tid(0);
    for dim in 1..rank {
        let next = b.tid(dim);
        i = b.add(i, next);
    }
    let place = b.source(source(line, "out[i] = x"));
    b.check_index(Mem::Array(out), 0, i, place);
    b.store(Mem::Array(out), i, 0, x);
    Valid::<Kernel>::new(b.finish_kernel(rank)).expect("the kernel is valid")
}

#[test]
fn moving_code_changes_no_text() {
    let [here, there] = [7, 99].map(|line| module(&store(line, 1), &floats(1)));
    assert_eq!(here.text, there.text);
    let lines = |module: &Module| module.lines.iter().flatten().map(|source| source.line).collect::<Vec<_>>();
    assert_eq!(here.lines.len(), here.text.lines().count());
    assert!(!lines(&here).is_empty() && lines(&here).iter().all(|&line| line == 7));
    assert!(lines(&there).iter().all(|&line| line == 99));
    let told = here.text.lines().zip(&here.lines).find(|(text, _)| text.contains("// out[i] = x"));
    assert_eq!(told.and_then(|(_, source)| source.as_ref()).map(|source| source.line), Some(7));
}

/// `let x = a[i] * k; b[i] = x; c[i] = x;`, whose last statement computes nothing.
#[test]
fn statements_stand_over_their_instructions() {
    let mut b = Builder::new("scale");
    let [a, two, three] = ["a", "b", "c"].map(|name| {
        let access = if name == "a" { Access::Read } else { Access::Write };
        b.slice(name, Scalar::F32, access)
    });
    let k = b.param("k", Scalar::F32);
    let place = b.source(source(1, "a[i]"));
    let i = b.tid(0);
    [a, two, three].into_iter().for_each(|array| b.check_index(Mem::Array(array), 0, i, place));
    let statement = b.source(source(2, "let x = a[i] * k; // of b"));
    b.at(Some(statement));
    let x = b.load(Mem::Array(a), i, 0);
    let x = b.mul(x, k);
    b.store(Mem::Array(two), i, 0, x);
    b.store(Mem::Array(three), i, 0, x);
    let kernel = Valid::<Kernel>::new(b.finish_kernel(1)).expect("the kernel is valid");
    let module = module(&kernel, &floats(3));
    let lines: Vec<&str> = module.text.lines().collect();
    let at = lines.iter().position(|line| *line == "    // let x = a[i] * k; // of b").expect("the statement is there");
    // The store to `b` is taken for a part of it; that to `c` is not, and says nothing.
    let body: Vec<_> = lines[at + 1..].iter().take_while(|line| **line != "done:").collect();
    assert!(
        body.iter().any(|line| line.contains("mul.rn.f32")) && !body.iter().any(|line| line.contains("//")),
        "{body:?}"
    );
    assert_eq!(module.lines[at].as_ref().map(|source| source.line), Some(2));
    let line_of = |store: &str| {
        let at =
            lines.iter().position(|line| line.contains(store)).unwrap_or_else(|| panic!("{store}: {}", module.text));
        module.lines[at].as_ref().map(|source| source.line)
    };
    assert_eq!((line_of("st.global.f32 [%b_at"), line_of("st.global.f32 [%c_at")), (Some(2), None));
}

#[test]
fn coordinates_take_no_division() {
    for rank in 1..=4 {
        let text = module(&store(1, rank), &floats(1)).text;
        assert!(!text.contains("div.") && !text.contains("rem."), "{text}");
    }
}

#[test]
fn many_words_go_through_a_buffer() {
    let mut b = Builder::new("many");
    let out = b.slice("out", Scalar::F32, Access::Write);
    let params: Vec<_> = (0..600).map(|k| b.param(&format!("p{k}"), Scalar::F32)).collect();
    let place = b.source(source(1, "out[i]"));
    let i = b.tid(0);
    b.check_index(Mem::Array(out), 0, i, place);
    let sum = params.iter().step_by(7).copied().reduce(|a, p| b.add(a, p)).expect("there are some");
    b.store(Mem::Array(out), i, 0, sum);
    let kernel = Valid::<Kernel>::new(b.finish_kernel(1)).expect("the kernel is valid");
    let module = module(&kernel, &floats(1));
    assert!(module.words.by_address());
    let layout = Layout { size: 4, offsets: vec![0] };
    let array = Array { buffers: vec![vec![0; 40]], start: 0, extents: vec![10], strides: vec![], layout };
    let scalars: Vec<u64> = (0..600u16).map(|k| u64::from((f32::from(k) * 0.37).to_bits())).collect();
    for dims in [10, 12] {
        let inputs = Inputs { dims: vec![dims], scalars: scalars.clone(), slots: vec![], arrays: vec![array.clone()] };
        let mut expected = inputs.clone();
        let outcome = run(&kernel, &mut expected, 100_000).expect("the kernel runs");
        assert_eq!(outcome.faults, dims - 10);
        let mut ready = Ready::new(&module).unwrap_or_else(|error| panic!("{error}"));
        let mut ran = 0;
        for entry in &module.entries {
            let mut found = inputs.clone();
            let launched = ready.launch(entry, &kernel, &mut found, How { block: 32, seed: None });
            let Some((told, _)) = launched.unwrap_or_else(|error| panic!("{error}")) else { continue };
            ran += 1;
            same(&kernel, (&expected, &outcome), (&found, &told)).unwrap_or_else(|error| panic!("{error}"));
        }
        assert!(ran > 0);
    }
}

#[test]
fn what_no_device_takes_is_refused_in_words() {
    let refused = |kernel: &Valid<Kernel>, layouts: &[ElementLayout], slots| {
        emit(&Input { kernel, layouts, slots }).expect_err("it is refused").to_string()
    };
    let kernel = store(1, 1);
    assert_eq!(
        refused(&kernel, &[], None),
        "kernel `store` cannot become PTX: it has 1 array parameters, 0 layouts were given"
    );
    let mut large = store(1, 1).into_inner();
    let local = |k| LocalArray { name: format!("local{k}"), leaves: vec![Scalar::F64], len: 8000 };
    large.function.locals = (0..9).map(local).collect();
    let large = Valid::<Kernel>::new(large).expect("the kernel is valid");
    assert_eq!(
        refused(&large, &floats(1), None),
        "kernel `store` cannot become PTX: its local arrays take 576000 bytes a thread, a device has 524288; make them smaller"
    );
    let unguarded = {
        let mut b = Builder::new("unguarded");
        let out = b.slice("out", Scalar::F32, Access::Write);
        let (i, x) = (b.tid(0), b.f32(1.0));
        b.store(Mem::Array(out), i, 0, x);
        Valid::<Kernel>::new(b.finish_kernel(1)).expect("the kernel is valid")
    };
    assert!(refused(&unguarded, &floats(1), None).starts_with("kernel `unguarded` cannot become PTX: "));
}
