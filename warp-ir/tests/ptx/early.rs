//! Texts that are made before layouts and user constants are known.

use warp_ir::abi::ElementLayout;
use warp_ir::builder::Builder;
use warp_ir::emit::ptx::{Elements, Measure, emit_early};
use warp_ir::ir::{Access, ArrayParam, Kernel, Mem, Op, Scalar, Source, Storage};
use warp_ir::validate::Valid;

/// `to[i] = from[i - 1].1 + from[i + 2].0 + slot`, where both arrays hold a byte and a float.
fn neighbours() -> Valid<Kernel> {
    let mut b = Builder::new("neighbours");
    let leaves = vec![Scalar::U8, Scalar::F32];
    let array = |name: &str, access| ArrayParam {
        name: name.into(),
        access,
        storage: Storage::Elements,
        rank: 1,
        strided: false,
        leaves: leaves.clone(),
    };
    let (from, to) = (b.array(array("from", Access::Read)), b.array(array("to", Access::Write)));
    let (from, to) = (Mem::Array(from), Mem::Array(to));
    let source = b.source(Source::default());
    let (i, one, two) = (b.tid(0), b.u64(1), b.u64(2));
    let (before, after) = (b.sub(i, one), b.add(i, two));
    for (mem, index) in [(from, before), (from, after), (to, i)] {
        b.check_index(mem, 0, index, source);
    }
    let (x, y) = (b.load(from, before, 1), b.load(from, after, 0));
    let (y, z) = (b.cast(Scalar::F32, y), b.value(Scalar::F32));
    b.push(Op::Slot { slot: 0, result: z });
    let sum = b.add(x, y);
    let sum = b.add(sum, z);
    b.store(to, i, 1, sum);
    let mut kernel = b.finish_kernel(1);
    kernel.function.slots = 1;
    Valid::<Kernel>::new(kernel).expect("the kernel is valid")
}

#[test]
fn what_comes_later_has_its_place_and_changes_nothing_else() {
    let kernel = neighbours();
    let module = emit_early(&kernel, &[Elements::Later(0), Elements::Later(0)]).expect("there is a text");
    let (slots, packed, wide) = (
        [u64::from(1.5f32.to_bits())],
        ElementLayout { size: 8, align: 4, offsets: vec![0, 4] },
        ElementLayout { size: 48, align: 16, offsets: vec![32, 16] },
    );
    let texts =
        [&packed, &wide].map(|layout| module.filled(&slots, std::slice::from_ref(layout)).expect("all is there"));
    for (text, [size, back, on, at]) in texts.iter().zip([[8, 4, 16, 4], [48, 32, 128, 16]]) {
        // In the wide entry nothing is known of the index, so that one address is counted from another.
        let wide = &text[text.find("neighbours_wide").expect("there is such an entry")..];
        for place in [
            format!(", 0x{size:08X}, "),
            format!("+-0x{back:08X}]"),
            format!("+0x{on:08X}]"),
            format!("+0x{at:08X}]"),
            "0f3FC00000;".into(),
        ] {
            assert!(wide.contains(&place), "no {place} in\n{text}");
        }
    }
    let in_hole = |at: usize| module.slots.iter().any(|hole| (hole.at..hole.at + hole.fill.width()).contains(&at));
    let [one, other] = texts.each_ref().map(|text| text.as_bytes());
    assert_eq!(one.len(), other.len());
    assert!((0..one.len()).all(|at| one[at] == other[at] || in_hole(at)));
    assert!((0..one.len()).all(|at| one[at] == module.text.as_bytes()[at] || in_hole(at)));
}

#[test]
fn what_is_missing_or_too_large_gives_no_text() {
    let kernel = neighbours();
    let module = emit_early(&kernel, &[Elements::Later(0), Elements::Later(0)]).expect("there is a text");
    let layout = |size| ElementLayout { size, align: 4, offsets: vec![0, 4] };
    let slots = [0];
    assert!(module.filled(&slots, &[layout(8)]).is_some());
    assert_eq!(module.filled(&[], &[layout(8)]), None);
    assert_eq!(module.filled(&slots, &[]), None);
    assert_eq!(module.filled(&slots, &[layout(1 << 30)]), None);
    let measure = Measure { elements: 0, leaf: Some(1), steps: -3 };
    assert_eq!(measure.bytes(8, 4), Some(20));
    assert_eq!(Measure { steps: 2, ..measure }.bytes(8, 4), Some(20));
    assert_eq!(Measure { steps: 1 << 10, ..measure }.bytes(1 << 20, 0), None);
}
