//! One entry: its head, the thread that it is, the kernel's body, and what is seldom reached.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::abi::{LaunchWords, Width};
use super::elements::Elements;
use super::emitter::{Emitted, Emitter, Scope, Val};
use super::local;
use super::range::Ranges;
use super::shared::Shared;
use super::text::{Class, Line, Registers};
use crate::abi::ArgWords;
use crate::ir::{Kernel, Mem, Op, Region};

/// What an entry is made of.
pub(super) struct Input<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) elements: &'a [Elements],
    pub(super) width: Width,
    pub(super) name: &'a str,
    /// What is known of the alignment of addresses beside the elements' layouts: bytes, by argument word.
    pub(super) aligned: &'a HashMap<usize, u64>,
}

/// The lines of an entry.
pub(super) fn write(input: &Input<'_>, shared: &mut Shared) -> Emitted<Vec<Line>> {
    shared.changing.clear();
    let mut emitter = new(input, shared);
    emitter.scopes.push(Scope::default());
    let thread = emitter.thread();
    emitter.bind_params();
    emitter.region_ops(&input.kernel.function.body.ops)?;
    emitter.out.push(Line::new("done:".into(), None));
    emitter.source = None;
    emitter.ins("ret;");
    Ok(assemble(emitter, input.name, thread))
}

fn new<'a, 's>(input: &Input<'a>, shared: &'s mut Shared) -> Emitter<'a, 's> {
    let function = &input.kernel.function;
    let (mut uses, mut index_uses) = (vec![0; function.values.len()], vec![0; function.values.len()]);
    count_uses(&function.body, &mut uses, &mut index_uses);
    Emitter {
        kernel: input.kernel,
        elements: input.elements,
        words: ArgWords::of(function),
        launch: LaunchWords::of(input.kernel),
        width: input.width,
        aligned: input.aligned,
        ranges: Ranges::of(function, input.width),
        shared,
        prologue: vec![],
        out: vec![],
        cold: vec![],
        registers: Registers::default(),
        names: HashMap::new(),
        labels: 0,
        values: vec![None; function.values.len()],
        uses,
        index_uses,
        sums: HashMap::new(),
        left_out: HashSet::new(),
        targets: HashMap::new(),
        loaded: HashMap::new(),
        scopes: vec![],
        source: None,
        beside: false,
        statement: None,
        coordinates: vec![],
        tails: BTreeMap::new(),
    }
}

fn count_uses(region: &Region, uses: &mut [u32], index_uses: &mut [u32]) {
    for op in &region.ops {
        if let Op::Load { mem: Mem::Array(_), index, .. }
        | Op::Store { mem: Mem::Array(_), index, .. }
        | Op::Atomic { mem: Mem::Array(_), index, .. } = op
        {
            index_uses[index.0 as usize] += 1;
        }
        let shape = op.shape();
        shape.operands.iter().for_each(|value| uses[value.0 as usize] += 1);
        // The region of a derivative of the user's own does not run.
        if !matches!(op, Op::Custom { .. }) {
            shape.regions.into_iter().for_each(|nested| count_uses(nested, uses, index_uses));
        }
    }
    region.yields.iter().for_each(|value| uses[value.0 as usize] += 1);
}

impl Emitter<'_, '_> {
    /// Scalar parameters that are used, loaded before everything else.
    fn bind_params(&mut self) {
        for (number, param) in self.function().params.iter().enumerate() {
            if self.uses[param.value.0 as usize] > 0 {
                let val = self.param(self.words.scalars + number, self.scalar(param.value), &param.name);
                self.set(param.value, val);
            }
        }
    }
}

/// Head, declarations, then the lines in the order in which they run, those seldom reached last.
fn assemble(mut emitter: Emitter<'_, '_>, name: &str, thread: Vec<Line>) -> Vec<Line> {
    let tails = emitter.fault_tails();
    let mut lines: Vec<Line> = vec![];
    let mut plain = |text: String| lines.push(Line::new(text, None));
    plain(format!(".visible .entry {name}("));
    match emitter.launch.by_address() {
        true => plain("    .param .u64 args".into()),
        false => plain(format!("    .param .align 8 .b8 args[{}]", 8 * emitter.launch.total)),
    }
    plain(")".into());
    let attributes = &emitter.kernel.attributes;
    attributes.block.iter().for_each(|threads| plain(format!(".maxntid {threads}, 1, 1")));
    attributes.min_blocks.iter().for_each(|blocks| plain(format!(".minnctapersm {blocks}")));
    plain("{".into());
    let mut body = thread;
    body.extend(emitter.prologue);
    body.extend(emitter.out);
    body.extend(emitter.cold.into_iter().flatten());
    body.extend(tails);
    lines.extend(emitter.registers.declare(&body));
    lines.extend(local::declare(&emitter.kernel.function));
    if emitter.launch.by_address() {
        lines.push(Line::new("    .reg .b64 %words;".into(), None));
        lines.push(Line::new("    ld.param.u64 %words, [args];".into(), None));
    }
    lines.extend(body);
    lines.push(Line::new("}".into(), None));
    lines
}

impl Emitter<'_, '_> {
    /// A scalar parameter.
    fn param(&mut self, word: usize, scalar: crate::ir::Scalar, name: &str) -> Val {
        use crate::ir::Scalar;
        let name = super::name::identifier(name);
        match scalar {
            // A host type that is only called `bool` may hold any byte.
            Scalar::Bool => {
                let byte = self.narrow_word(word, "u8", &name);
                let truth = self.fresh(Class::Pred, &name);
                self.prologue.push(Line::new(format!("    setp.ne.u32 {truth}, {byte}, 0;"), None));
                Val::Pred(truth, false)
            }
            Scalar::I8 => Val::Reg(self.narrow_word(word, "s8", &name)),
            Scalar::I16 => Val::Reg(self.narrow_word(word, "s16", &name)),
            Scalar::U8 => Val::Reg(self.narrow_word(word, "u8", &name)),
            Scalar::U16 | Scalar::F16 | Scalar::BF16 => Val::Reg(self.narrow_word(word, "u16", &name)),
            _ => Val::Reg(self.word(word, Class::of(scalar), &name)),
        }
    }

    /// The low bytes of a word, extended to 32 bits.
    fn narrow_word(&mut self, word: usize, ty: &str, name: &str) -> super::text::Reg {
        let reg = self.fresh(Class::B32, name);
        let load = self.load_word(word, Class::B32, &reg).replace(".b32", &format!(".{ty}"));
        self.prologue.push(Line::new(load, None));
        reg
    }
}
