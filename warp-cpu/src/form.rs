//! From a program to forms of its kernel that are ready to be lowered, and their machine code.

use std::sync::OnceLock;

use warp_core::backend::{BackendError, Call, ElementLayout, Program};
use warp_ir::abi::ArgWords;
use warp_ir::ir::Kernel;
use warp_ir::passes;
use warp_ir::sums::AtomicUse;
use warp_ir::validate::{Valid, guarded};

use crate::jit::{self, Code, Compiled};
use crate::lower::lanes::{self, LANES};
use crate::lower::{Atomics, Input};
use crate::program::Settings;
use crate::sums::Sums;

/// The forms of a kernel.
pub(crate) struct Forms {
    /// Runs any launch.
    whole: Form,
    /// Have fewer checks, the first ones least; each runs launches that keep all of its conditions.
    special: Vec<(Form, Vec<Condition>)>,
    layouts: Vec<ElementLayout>,
    /// What atomics the kernel has.
    pub atomics: AtomicUse,
    /// The arrays that it adds to, where these can be made in parts.
    pub sums: Option<Sums>,
    settings: Settings,
    /// How many groups of threads run side by side.
    side_by_side: OnceLock<usize>,
}

/// In shorter rows groups run one at a time.
const FEWEST_BUNDLES: u64 = 4;

/// A kernel after the passes, and its code for launches on one machine thread and on more, made when first wanted.
pub(crate) struct Form {
    name: &'static str,
    /// The kernel.
    pub kernel: Valid<Kernel>,
    plain: Variant,
    shared: Variant,
}

/// The code of a form for one kind of atomics.
#[derive(Default)]
struct Variant {
    compiled: OnceLock<Result<Compiled, BackendError>>,
    /// For bundles of groups of threads, or why there is none.
    bundles: OnceLock<Result<Result<Code, String>, BackendError>>,
    /// For one group of threads at a time.
    groups: OnceLock<Result<Result<Code, String>, BackendError>>,
    /// For bundles whose lanes take up other threads where theirs has left the kernel's loop.
    refilled: OnceLock<Result<Result<Code, String>, BackendError>>,
}

/// What the arguments of a launch must keep.
enum Condition {
    /// An extent of the launch is at most an argument word.
    Reaches { dim: usize, word: usize },
    /// An argument word is at most another one.
    AtMost { word: usize, other: usize },
    /// Neighbours in the last dimension of a view lie side by side: the word of that stride is 1.
    SideBySide { word: usize },
}

impl Condition {
    fn holds(&self, call: &Call<'_>) -> bool {
        match *self {
            Condition::Reaches { dim, word } => call.dims[dim] <= call.words[word],
            Condition::AtMost { word, other } => call.words[word] <= call.words[other],
            Condition::SideBySide { word } => call.words[word] == 1,
        }
    }
}

impl Forms {
    /// Checks a program and runs the passes that need the user's constants, or are the backend's own.
    pub(crate) fn new(program: &Program, settings: Settings) -> Result<Forms, BackendError> {
        check_shape(program)?;
        let kernel = valid(program.kernel.clone())?;
        // The passes below drop checks that they prove. What arrives must be safe by its checks alone.
        guarded(&kernel).map_err(|error| BackendError(error.to_string()))?;
        let mut kernel = kernel.into_inner();
        // The passes number local arrays anew; reports speak of the program's numbers.
        for (number, local) in kernel.function.locals.iter_mut().enumerate() {
            local.name = number.to_string();
        }
        passes::specialize(&mut kernel, &program.slots);
        passes::elide(&mut kernel);
        Ok(Forms {
            atomics: AtomicUse::of(&kernel),
            sums: Sums::of(&kernel, &program.layouts),
            special: special_forms(&kernel)?,
            whole: Form::new("whole", valid(kernel)?),
            layouts: program.layouts.clone(),
            settings,
            side_by_side: OnceLock::new(),
        })
    }

    /// The form that runs for any arguments.
    pub(crate) fn whole(&self) -> &Valid<Kernel> {
        &self.whole.kernel
    }

    /// That form.
    pub(crate) fn whole_form(&self) -> &Form {
        &self.whole
    }

    /// The best form for a launch, whose words and extents have been counted.
    pub(crate) fn choose(&self, call: &Call<'_>) -> &Form {
        let fits = |(_, conditions): &&(Form, Vec<Condition>)| conditions.iter().all(|c| c.holds(call));
        self.special.iter().find(fits).map_or(&self.whole, |(form, _)| form)
    }

    /// The code of a form.
    pub(crate) fn code<'a>(&'a self, form: &'a Form, atomics: Atomics) -> Result<&'a Compiled, BackendError> {
        let (variant, atomics, name) = self.variant(form, atomics);
        let code = match variant.compiled.get() {
            Some(code) => code,
            None => {
                variant.compiled.get_or_init(|| jit::compile(&self.input(form, atomics), &name(), self.settings.verify))
            }
        };
        code.as_ref().map_err(BackendError::clone)
    }

    /// The code of a form for groups of threads, where `row` of them are neighbours, or why there is none.
    pub(crate) fn groups<'a>(
        &'a self,
        form: &'a Form,
        atomics: Atomics,
        row: u64,
    ) -> Result<Result<&'a Code, &'a str>, BackendError> {
        let variant = self.variant(form, atomics).0;
        let most = self.side_by_side();
        // What is left of a row runs thread by thread.
        let long = self.settings.groups.is_some() || row >= FEWEST_BUNDLES * (most * LANES) as u64;
        let (place, groups) = if long { (&variant.bundles, most) } else { (&variant.groups, 1) };
        self.lanes(form, atomics, place, groups, false)
    }

    /// The same, where lanes take up other threads when theirs has left the kernel's loop.
    pub(crate) fn refilled<'a>(
        &'a self,
        form: &'a Form,
        atomics: Atomics,
    ) -> Result<Result<&'a Code, &'a str>, BackendError> {
        self.lanes(form, atomics, &self.variant(form, atomics).0.refilled, self.side_by_side(), true)
    }

    fn side_by_side(&self) -> usize {
        *self.side_by_side.get_or_init(|| self.settings.groups.unwrap_or_else(|| lanes::groups(self.whole())))
    }

    fn lanes<'a>(
        &self,
        form: &Form,
        atomics: Atomics,
        place: &'a OnceLock<Result<Result<Code, String>, BackendError>>,
        groups: usize,
        refills: bool,
    ) -> Result<Result<&'a Code, &'a str>, BackendError> {
        let (_, atomics, name) = self.variant(form, atomics);
        let code = match place.get() {
            Some(code) => code,
            None => place.get_or_init(|| {
                jit::compile_groups(&self.input(form, atomics), groups, refills, &name(), self.settings.verify)
            }),
        };
        match code {
            Ok(code) => Ok(code.as_ref().map_err(String::as_str)),
            Err(error) => Err(error.clone()),
        }
    }

    /// Where the code of a form is kept, what its atomics are, and its name in dumps.
    fn variant<'a>(&self, form: &'a Form, atomics: Atomics) -> (&'a Variant, Atomics, impl Fn() -> String) {
        let shared = atomics == Atomics::Shared && self.atomics != AtomicUse::None;
        let (variant, atomics) = if shared { (&form.shared, Atomics::Shared) } else { (&form.plain, Atomics::Plain) };
        let name = form.name;
        (variant, atomics, move || if shared { format!("{name}.shared") } else { name.to_owned() })
    }

    fn input<'a>(&'a self, form: &'a Form, atomics: Atomics) -> Input<'a> {
        Input { kernel: &form.kernel, layouts: &self.layouts, atomics }
    }
}

/// The forms with fewer checks, and what they need of a launch.
fn special_forms(kernel: &Kernel) -> Result<Vec<(Form, Vec<Condition>)>, BackendError> {
    let words = ArgWords::of(&kernel.function);
    let extent = |(array, dim): passes::Dimension| words.arrays[array.0 as usize].extents + dim as usize;
    let mut forms = vec![];
    let covered = passes::cover(kernel);
    let (base, covers) = covered.as_ref().map_or((kernel, &[][..]), |(covered, covers)| (covered, covers));
    let reaches = |cover: &passes::Cover| Condition::Reaches {
        dim: cover.tid_dim as usize,
        word: extent((cover.array, cover.dim)),
    };
    if let Some((even, lengths)) = passes::compare_lengths(base) {
        let at_most =
            |lengths: &passes::AtLeast| Condition::AtMost { word: extent(lengths.short), other: extent(lengths.long) };
        let conditions = covers.iter().map(reaches).chain(lengths.iter().map(at_most)).collect();
        forms.push(packed("even", even, &words, conditions)?);
    }
    if let Some((covered, covers)) = &covered {
        forms.push(packed("covered", covered.clone(), &words, covers.iter().map(reaches).collect())?);
    }
    Ok(forms)
}

/// A form for views whose neighbours lie side by side, too.
fn packed(
    name: &'static str,
    mut kernel: Kernel,
    words: &ArgWords,
    mut conditions: Vec<Condition>,
) -> Result<(Form, Vec<Condition>), BackendError> {
    let side_by_side = passes::pack(&mut kernel)
        .into_iter()
        .filter_map(|array| Some((array, words.arrays[array.0 as usize].strides?)))
        .map(|(array, strides)| strides + kernel.function.arrays[array.0 as usize].rank as usize - 1)
        .map(|word| Condition::SideBySide { word });
    conditions.extend(side_by_side);
    Ok((Form::new(name, valid(kernel)?), conditions))
}

impl Form {
    fn new(name: &'static str, kernel: Valid<Kernel>) -> Form {
        Form { name, kernel, plain: Variant::default(), shared: Variant::default() }
    }
}

fn valid(kernel: Kernel) -> Result<Valid<Kernel>, BackendError> {
    Valid::<Kernel>::new(kernel).map_err(|error| BackendError(error.to_string()))
}

/// The parts of a program that lie outside the IR fit it.
fn check_shape(program: &Program) -> Result<(), BackendError> {
    let function = &program.kernel.function;
    let name = &function.name;
    let slots = program.slots.len();
    if slots < function.slots as usize {
        return Err(BackendError(format!(
            "kernel `{name}` reads {} user constants, {slots} were given",
            function.slots
        )));
    }
    if program.layouts.len() != function.arrays.len() {
        let (wanted, given) = (function.arrays.len(), program.layouts.len());
        return Err(BackendError(format!("kernel `{name}` has {wanted} array parameters, {given} layouts were given")));
    }
    for (array, layout) in function.arrays.iter().zip(&program.layouts) {
        let fits = layout.offsets.len() == array.leaves.len()
            && array.leaves.iter().zip(&layout.offsets).all(|(leaf, offset)| offset + leaf.size() <= layout.size);
        if !fits || layout.size > i32::MAX as usize {
            return Err(BackendError(format!(
                "kernel `{name}`: the layout of `{}` does not hold its {} scalars",
                array.name,
                array.leaves.len()
            )));
        }
    }
    Ok(())
}
