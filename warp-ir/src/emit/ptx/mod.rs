//! PTX: the text that NVIDIA's driver compiles.
//!
//! [`emit`] is a pure function of a kernel and of what is known of its arguments' layout. The passes that are a backend's
//! own run here, then each form of the kernel becomes an entry: `entry` is its frame, `thread` finds the thread's
//! coordinates, `region` makes labels and jumps of branches and loops, `op` writes each op with the help of `builtin`,
//! `logic`, `integer`, `cast`, `remainder`, `memory`, `neighbours`, `local`, `atomic`, `check` and `print`. `range` tells
//! which indices fit in 32 bits, `emitter` is the state of all that, and [`abi`] what launches have to know.
//!
//! The text is the same wherever the kernel stands in its file: line numbers are in a table beside it. Arithmetic on floats
//! is written with its rounding, so that the driver's compiler fuses nothing by itself, and gives the bits of the CPU.

pub mod abi;
mod atomic;
mod builtin;
mod cast;
mod check;
mod elements;
mod emitter;
mod entry;
mod forms;
mod head;
mod integer;
mod local;
mod logic;
mod memory;
mod name;
mod neighbours;
mod op;
mod print;
mod range;
mod region;
mod remainder;
mod shared;
mod slot;
mod text;
mod thread;

use std::fmt;

use crate::abi::ElementLayout;
use crate::ir::{CheckKind, Function, Kernel, PrintSite, Scalar, Source};
use crate::validate::{Valid, guarded};
pub use elements::{Elements, Guess, Measure};
pub use shared::LOWEST_TARGET;
use shared::Shared;
pub use slot::{Fill, Hole, stitch};
use text::{Counts, Line, Text};

/// What is emitted.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// The kernel, linked. An adjoint is one, too.
    pub kernel: &'a Valid<Kernel>,
    /// How the elements of each array parameter lie in memory.
    pub layouts: &'a [ElementLayout],
    /// Bits of the user's constants, one for each slot; without them the text has [`Module::slots`].
    pub slots: Option<&'a [u64]>,
}

/// An emitted kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    /// The text.
    pub text: String,
    /// The entries, the best first; the last one is right for every launch.
    pub entries: Vec<abi::Entry>,
    /// Where the words of a launch lie.
    pub words: abi::LaunchWords,
    /// The fault block that the entries write.
    pub fault: abi::FaultBlock,
    /// The checks, by number.
    pub sites: Vec<Site>,
    /// The print sites, by number. A kernel without any needs no print ring.
    pub prints: Vec<PrintSite>,
    /// Where user constants and measures that are not known yet have to be put into the text.
    pub slots: Vec<Hole>,
    /// How many user constants the kernel reads.
    pub constants: usize,
    /// The measures, in the order of the holes' numbers behind those of the user's constants.
    pub measures: Vec<Measure>,
    /// What decides between lines of the text, in the order of the holes' numbers behind those of the measures.
    pub guesses: Vec<Guess>,
    /// For each line of the text, from the first, the place in the user's source that it comes from.
    pub lines: Vec<Option<Source>>,
}

/// A check of an emitted kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// What it guards; `Mem` refers to the kernel that was given.
    pub kind: CheckKind,
    /// The user's expression.
    pub source: Source,
    /// Types of its operands.
    pub operands: Vec<Scalar>,
}

/// Why a kernel cannot become PTX, in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmitError(pub String);

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EmitError {}

/// The PTX of a kernel.
pub fn emit(input: &Input<'_>) -> Result<Module, EmitError> {
    let elements: Vec<Elements> = input.layouts.iter().cloned().map(Elements::Known).collect();
    module(input.kernel, &elements, input.slots, forms::forms)
}

/// The PTX of a kernel whose user constants are not known yet, nor how all of its elements lie. What is put in later
/// changes nothing else: the text is as long, and right, for all of them.
pub fn emit_early(kernel: &Valid<Kernel>, elements: &[Elements]) -> Result<Module, EmitError> {
    module(kernel, elements, None, forms::forms)
}

/// As [`emit_early`], with the entry alone that is right for every launch: a third of the text, and of the time that it takes.
pub fn emit_early_wide(kernel: &Valid<Kernel>, elements: &[Elements]) -> Result<Module, EmitError> {
    module(kernel, elements, None, forms::wide)
}

/// Makes the forms of a kernel that become entries.
type Forms = fn(&Valid<Kernel>, &[Elements], Option<&[u64]>) -> Result<Vec<forms::Form>, EmitError>;

fn module(
    kernel: &Valid<Kernel>,
    elements: &[Elements],
    slots: Option<&[u64]>,
    forms: Forms,
) -> Result<Module, EmitError> {
    let function = &kernel.function;
    let refused = |why: String| EmitError(format!("kernel `{}` cannot become PTX: {why}", function.name));
    check_shape(function, elements, slots).map_err(refused)?;
    // The passes of a backend drop checks that they prove. What arrives must be safe by its checks alone.
    guarded(kernel).map_err(|error| refused(error.to_string()))?;
    let forms = forms(kernel, elements, slots)?;
    let mut shared = Shared::default();
    let (mut entries, mut bodies): (Vec<abi::Entry>, Vec<Body<'_>>) = (vec![], vec![]);
    for form in &forms {
        let name = format!("{}_{}", name::identifier(&function.name), form.suffix);
        let input =
            entry::Input { kernel: &form.kernel, elements, width: form.width, name: &name, aligned: &form.aligned };
        let lines = entry::write(&input, &mut shared).map_err(refused)?;
        let entry = abi::Entry { name, width: form.width, conditions: form.conditions.clone() };
        bodies.push((head::conditions(&entry, kernel), lines, &form.kernel.function));
        entries.push(entry);
    }
    let operands = shared.sites.iter().map(|site| site.operands.len()).max().unwrap_or(0);
    let fault = abi::FaultBlock { operands };
    let head = head::words(kernel, &fault);
    let text = assemble(head, function.slots, &shared, &bodies);
    Ok(Module {
        text: text.text,
        entries,
        words: abi::LaunchWords::of(kernel),
        fault,
        sites: shared.sites,
        prints: shared.prints,
        slots: text.holes,
        constants: function.slots as usize,
        measures: shared.measures,
        guesses: shared.guesses,
        lines: text.lines,
    })
}

/// What is said of an entry, its lines, and the function that these come from.
type Body<'f> = (Vec<String>, Vec<Line>, &'f Function);

/// The module: its head, constant tables, and the entries.
fn assemble(head: Vec<String>, slots: u32, shared: &Shared, bodies: &[Body<'_>]) -> Text {
    let counts = Counts { slots, measures: shared.measures.len() as u32 };
    let mut text = Text { counts, ..Text::default() };
    let (major, minor) = shared.needs.version;
    head.iter().for_each(|line| text.plain(line));
    text.plain(&format!(".version {major}.{minor}"));
    text.plain(&format!(".target sm_{}", shared.needs.target));
    text.plain(".address_size 64");
    for (name, (scalar, elements)) in &shared.tables {
        text.plain("");
        local::declare_table(name, *scalar, elements).iter().for_each(|line| text.plain(line));
    }
    for (said, lines, function) in bodies {
        text.plain("");
        said.iter().for_each(|line| text.plain(line));
        lines.iter().for_each(|line| text.push(line, &function.sources));
    }
    text
}

/// The parts of the input that lie outside the IR fit it.
fn check_shape(function: &Function, elements: &[Elements], slots: Option<&[u64]>) -> Result<(), String> {
    let given = slots.map_or(usize::MAX, <[u64]>::len);
    if given < function.slots as usize {
        return Err(format!("it reads {} user constants, {given} were given", function.slots));
    }
    if elements.len() != function.arrays.len() {
        let (wanted, given) = (function.arrays.len(), elements.len());
        return Err(format!("it has {wanted} array parameters, {given} layouts were given"));
    }
    for (array, elements) in function.arrays.iter().zip(elements) {
        let Some(layout) = elements.known() else { continue };
        let planes = array.storage == crate::ir::Storage::Planes;
        let fits = layout.offsets.len() == array.leaves.len()
            && array.leaves.iter().zip(&layout.offsets).all(|(leaf, offset)| offset + leaf.size() <= layout.size);
        if (!fits && !planes) || layout.size > i32::MAX as usize {
            return Err(format!("the layout of `{}` does not hold its {} scalars", array.name, array.leaves.len()));
        }
    }
    let bytes = function.locals.iter().flat_map(|local| local.leaves.iter().map(|leaf| (local.len, leaf.size())));
    let bytes: u64 = bytes.map(|(len, size)| u64::from(len) * size as u64).sum();
    if bytes > local::MOST_BYTES {
        let most = local::MOST_BYTES;
        return Err(format!("its local arrays take {bytes} bytes a thread, a device has {most}; make them smaller"));
    }
    Ok(())
}
