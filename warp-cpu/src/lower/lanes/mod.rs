//! From the IR to CLIF that runs several neighbouring threads at once, in the lanes of vectors.
//!
//! A group is [`LANES`] threads that are neighbours in the last dimension of the launch. Values that differ between
//! them are [`Wide`]; those that do not are lowered as for a single thread, by the [`Lowering`] that this one drives.
//!
//! **Several groups, a bundle, go side by side** where registers suffice (`bundle.rs`), so that one of them computes while
//! another waits for what it has computed. An op is lowered for one group after the other; branches, loops and what all
//! threads agree on are those of the whole bundle.
//!
//! **Bundles that cannot go on together go on apart.** Where a thread of the bundle would fail a check, or where its
//! threads part at a branch, the compiled function returns the number of the bundle's first thread, and the caller has the code for single threads run them (see `run.rs`). So this code reports no faults. It follows that a
//! bundle must not have changed memory before it has come past the last place where it may give up: writes are held back
//! (`effects.rs`) until then. A kernel where that is impossible is refused, as is one with an op that has no form here; it
//! then runs thread by thread.
//!
//! **Threads that part** at the edge of a grid go through one arm after the other under a mask (`region.rs`), and those that
//! leave a loop at different turns through all turns of the longest of them (`repeat.rs`), or their lanes take up other
//! threads meanwhile (`refill.rs`).
//!
//! Of one bundle's writes to an array, those that may meet happen thread by thread, as they would without lanes.

mod bundle;
mod check;
mod effects;
mod expression;
mod frame;
mod instruction;
mod leaving;
mod memory;
mod op;
mod own;
mod parts;
mod pressure;
mod refill;
mod region;
mod repeat;
mod rows;
mod shelf;
mod shuffle;
mod take_up;
mod wide;

use std::collections::{HashMap, HashSet};

use cranelift_codegen::ir as clif;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::Module;
use warp_core::backend::BackendError;
use warp_ir::ir::{ArrayId, Value};
use warp_ir::uniformity::{Kind, Uniformity};

use super::survey::Survey;
use super::{Input, Lowered, Lowering, Motion};
use effects::Held;
pub(crate) use pressure::{MOST_GROUPS, groups};
use wide::Wide;

/// A mask for each group.
type Masks = Vec<clif::Value>;

/// Threads in a group.
pub(crate) const LANES: usize = 4;

/// Why there is no code for groups.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The kernel has something that has no form here. What, for people.
    Refused(String),
    /// The backend failed.
    Failed(BackendError),
}

impl From<BackendError> for Stop {
    fn from(error: BackendError) -> Stop {
        Stop::Failed(error)
    }
}

fn refused<T>(what: &str) -> Result<T, Stop> {
    Err(Stop::Refused(what.to_owned()))
}

/// How threads are put together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Groups in a bundle.
    pub groups: usize,
    /// Whether threads that part at an edge go on under masks. Some kernels can be lowered without alone.
    pub masked_branches: bool,
    /// Whether lanes whose thread has left the kernel's loop go on with another thread.
    pub refills: bool,
}

/// Fills `function`, whose signature is that of [`Entry`](crate::context::Entry): it runs threads from `lo` on, and
/// gives back the first that it did not run, which is `hi` or one whose bundle is to be run thread by thread. `shape`
/// says how.
pub(crate) fn lower(
    input: &Input<'_>,
    shape: Shape,
    motion: Motion,
    module: &mut dyn Module,
    function: &mut clif::Function,
    context: &mut FunctionBuilderContext,
) -> Result<Lowered, Stop> {
    if input.kernel.function.values.len() > MOST_VALUES {
        return refused("it is so long that code for groups would take long to make");
    }
    if input.layouts.iter().any(|layout| layout.size > LARGEST_ELEMENT) {
        return refused("the elements of an array are very large");
    }
    let kinds = Uniformity::of(input.kernel);
    let survey = Survey::of(input);
    let builder = FunctionBuilder::new(function, context);
    let mut lanes = Lanes::new(Lowering::new(input, survey, motion, module, builder), kinds, shape);
    lanes.thread_loop()?;
    let (in_order, apart) = (lanes.in_order, lanes.apart);
    let config = lanes.one.module.target_config();
    let Lowering { mut builder, tables, motion, .. } = lanes.one;
    builder.seal_all_blocks();
    builder.finalize(config);
    Ok(Lowered { sites: vec![], scratch: 0, tables: tables.into_values().collect(), motion, in_order, apart })
}

/// Longer kernels, by their values, have code for single threads alone.
const MOST_VALUES: usize = 100_000;
/// Bytes from one element to the next, so that distances between the elements of a group fit instructions.
const LARGEST_ELEMENT: usize = 1 << 24;

/// The state of lowering one function.
struct Lanes<'a, 'f> {
    /// Lowers what is the same for all threads of a bundle.
    one: Lowering<'a, 'f>,
    kinds: Uniformity,
    /// How many groups are a bundle.
    groups: usize,
    /// Whether threads that part at an edge go on under masks. Else the bundle gives up.
    masked_branches: bool,
    /// Whether lanes whose thread has left the kernel's loop go on with another thread.
    refills: bool,
    /// The group that is being lowered.
    group: usize,
    /// For each group, values that differ between the threads of a bundle, as far as they are defined.
    values: Vec<Vec<Option<Wide>>>,
    /// The extents of arrays.
    extents: HashSet<clif::Value>,
    /// For each group, a mask of the threads that are still in a loop which others have left, or in an arm which others do
    /// not take. At least one is.
    live: Option<Masks>,
    /// Where a bundle that gives up goes.
    give_up: Option<clif::Block>,
    /// Places so far where a bundle may give up.
    exits: usize,
    /// Whether memory may have been changed by the bundle here.
    committed: bool,
    /// A mask of the checks that have not been tested yet.
    untested: Option<clif::Value>,
    /// Writes that have not been made yet, in order.
    pending: Vec<Held>,
    /// How many of these were held back outside of the region that is being lowered.
    held_outside: usize,
    /// Whether floats have been added to an array.
    summed: bool,
    /// Whether sums of floats are those of one thread after the other so far.
    in_order: bool,
    /// Whether there are loops that threads leave at different turns.
    apart: bool,
    /// How many arms and bodies of loops the op that is being lowered stands in.
    depth: usize,
    /// Leaves that came with another leaf of the same element, for each group, while memory is as it was.
    elements: HashMap<(ArrayId, Value, usize), Vec<clif::Value>>,
    /// How many leaves of the elements at an index are loaded.
    loads: HashMap<(ArrayId, Value), usize>,
    /// Arrays of threads' own.
    own: own::Own,
    /// The bits of constants.
    constants: HashMap<Value, u64>,
    /// For results of branches: an arm whose value does for both.
    decided: HashMap<Value, usize>,
    /// Vectors that are the negative of another one.
    negatives: HashMap<clif::Value, clif::Value>,
}

impl<'a, 'f> Lanes<'a, 'f> {
    fn new(one: Lowering<'a, 'f>, kinds: Uniformity, shape: Shape) -> Lanes<'a, 'f> {
        let Shape { groups, masked_branches, refills } = shape;
        let loads = memory::leaves_loaded(&one.function().body);
        let constants = leaving::constants(&one.function().body);
        Lanes {
            values: vec![vec![None; one.function().values.len()]; groups],
            one,
            kinds,
            groups,
            masked_branches,
            refills,
            group: 0,
            extents: HashSet::new(),
            live: None,
            give_up: None,
            exits: 0,
            committed: false,
            untested: None,
            pending: Vec::new(),
            held_outside: 0,
            summed: false,
            in_order: true,
            apart: false,
            depth: 0,
            elements: HashMap::new(),
            loads,
            own: own::Own::default(),
            constants,
            decided: HashMap::new(),
            negatives: HashMap::new(),
        }
    }

    /// The value of an IR value in the lanes of this group. The kernel is valid, so it has been defined.
    fn get(&self, value: Value) -> Wide {
        match &self.values[self.group][value.0 as usize] {
            Some(wide) => wide.clone(),
            None => Wide::Same(self.one.get(value)),
        }
    }

    /// Sets a value in this group, or in all of them if it has one form for all.
    fn set(&mut self, value: Value, wide: Wide) {
        if self.kinds.kind(value) == Kind::Uniform {
            let scalar = self.one.scalar(value);
            let is = self.scalars(scalar, &wide)[0];
            return self.one.set(value, is);
        }
        match wide.is_of_all_groups() {
            true => self.values.iter_mut().for_each(|values| values[value.0 as usize] = Some(wide.clone())),
            false => self.values[self.group][value.0 as usize] = Some(wide),
        }
    }
}
