//! Launches: checks what is asked, lays out shared memory, and runs the blocks.

use super::block::Surroundings;
use super::bytes::Bytes;
use super::constant::Constancy;
use super::space::FIRST;
use super::thread::Thread;
use crate::code::{Op, Program};
use crate::counts::Counts;
use crate::decode::MOST_SHARED;
use crate::error::Fault;
use crate::memory::Memory;
use crate::module::{Entry, Module};
use crate::random::Random;

/// How a machine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Shuffles the order of blocks, the order of threads, and how many instructions each runs before the next has its
    /// turn. None: blocks and threads in their order, each thread until it exits or waits, or for 65,536 instructions.
    pub seed: Option<u64>,
    /// The most instructions of all threads of a launch together, so that an endless loop ends.
    pub limit: u64,
}

impl Default for Config {
    /// No seed, and 10^10 instructions.
    fn default() -> Self {
        Self { seed: None, limit: 10_000_000_000 }
    }
}

/// What a launch is given beside the entry.
#[derive(Debug, Clone, Copy)]
pub struct Grid<'a> {
    /// Blocks: x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block: x, y and z.
    pub block: [u32; 3],
    /// Bytes of shared memory behind the variables of the text.
    pub shared: u32,
    /// The bytes of all parameters, as [`Entry::params`] lays them out.
    pub params: &'a [u8],
}

/// Runs entries of modules.
#[derive(Debug, Clone, Default)]
pub struct Machine {
    config: Config,
}

const MOST_THREADS: u64 = 1024;

impl Machine {
    /// A machine that runs as `config` says.
    pub fn new(config: Config) -> Self {
        Self { config }
    }

    /// Runs all threads of an entry, and counts what they executed.
    pub fn launch(
        &self,
        module: &Module,
        entry: &str,
        grid: Grid<'_>,
        memory: &mut dyn Memory,
    ) -> Result<Counts, Fault> {
        let Some(entry) = module.entry(entry) else {
            let names: Vec<&str> = module.entries().iter().map(Entry::name).collect();
            return Err(Fault::of_launch(format!("no entry `{entry}`; the module has {}.", names.join(", "))));
        };
        check_shape(entry, &grid)?;
        if grid.params.len() != entry.params_size() {
            return Err(Fault::of_launch(format!(
                "`{}` takes {} bytes of parameters, found {}.",
                entry.name(),
                entry.params_size(),
                grid.params.len()
            )));
        }
        if !module.globals().is_empty() && module.base.is_none() {
            return Err(Fault::of_launch(
                "the module's variables in global memory have no place yet: `Module::place`.",
            ));
        }
        let mut surroundings = surroundings(module, entry, &grid, memory)?;
        surroundings.left = self.config.limit;
        surroundings.limit = self.config.limit;
        surroundings.random = self.config.seed.map(Random::new);
        run_blocks(&mut surroundings)?;
        let mut counts = surroundings.counts;
        for (&times, &class) in surroundings.hits.iter().zip(&module.program.classes) {
            counts.add(class, times);
        }
        Ok(counts)
    }
}

/// Refuses what a driver refuses.
fn check_shape(entry: &Entry, grid: &Grid<'_>) -> Result<(), Fault> {
    let refuse = |message: String| Err(Fault::of_launch(message));
    let (blocks, [x, y, z]) = (grid.grid, grid.block);
    let threads = u64::from(x) * u64::from(y) * u64::from(z);
    if blocks.contains(&0) || threads == 0 {
        return refuse(format!("a grid of {blocks:?} blocks of {:?} threads is empty.", grid.block));
    }
    if blocks[0] > i32::MAX as u32 || blocks[1] > 65535 || blocks[2] > 65535 {
        return refuse(format!("a grid of {blocks:?} blocks is too large: 2^31-1, 65535 and 65535 are the most."));
    }
    if threads > MOST_THREADS || z > 64 {
        return refuse(format!(
            "a block of {:?} threads is too large: 1024 threads, 64 in z, are the most.",
            grid.block
        ));
    }
    if entry.most_threads().is_some_and(|most| threads > most) {
        return refuse(format!(
            "`{}` promises at most {:?} threads a block, by .maxntid.",
            entry.name, entry.threads.most
        ));
    }
    if entry.threads.required.is_some_and(|required| required != grid.block) {
        let required = entry.threads.required.unwrap_or_default();
        return refuse(format!("`{}` requires blocks of {required:?} threads, by .reqntid.", entry.name));
    }
    Ok(())
}

/// Where each shared variable lies that the entry and the functions it calls use, and the bytes of all of them.
fn lay_out_shared(program: &Program, function: usize) -> (Vec<u64>, u64) {
    let mut reached = vec![function];
    let mut at = 0;
    while let Some(&next) = reached.get(at) {
        for &callee in &program.functions[next].callees {
            if !reached.contains(&callee) {
                reached.push(callee);
            }
        }
        at += 1;
    }
    let mut places = vec![0; program.shared.len()];
    let mut size = 0;
    let uses = |k: &usize| reached.iter().any(|&f| program.functions[f].shared.contains(k));
    let used: Vec<usize> = (0..program.shared.len()).filter(uses).collect();
    for &k in used.iter().filter(|&&k| !program.shared[k].dynamic) {
        let begin = u64::next_multiple_of(size, program.shared[k].align);
        places[k] = FIRST + begin;
        size = begin + program.shared[k].size;
    }
    let dynamic: Vec<usize> = used.into_iter().filter(|&k| program.shared[k].dynamic).collect();
    let align = dynamic.iter().map(|&k| program.shared[k].align).max().unwrap_or(1);
    size = size.next_multiple_of(align);
    for k in dynamic {
        places[k] = FIRST + size;
    }
    (places, size)
}

fn surroundings<'a>(
    module: &'a Module,
    entry: &Entry,
    grid: &Grid<'a>,
    memory: &'a mut dyn Memory,
) -> Result<Surroundings<'a>, Fault> {
    let program = &module.program;
    let (shared_places, fixed) = lay_out_shared(program, entry.function);
    let total = fixed + u64::from(grid.shared);
    if total > MOST_SHARED {
        return Err(Fault::of_launch(format!(
            "{total} bytes of shared memory are too many: {MOST_SHARED} are the most."
        )));
    }
    let constant = |op: &Op| matches!(op, Op::Load { constant: true, .. });
    let promises = program.instructions.iter().any(|instruction| constant(&instruction.op));
    Ok(Surroundings {
        program,
        function: entry.function,
        params: grid.params,
        memory,
        grid: grid.grid,
        shape: grid.block,
        block: [0; 3],
        globals: module.base.unwrap_or(0),
        shared_places,
        dynamic_shared: grid.shared,
        total_shared: total as u32,
        shared: Bytes::default(),
        constancy: promises.then(Constancy::default),
        counts: Counts::default(),
        hits: vec![0; program.instructions.len()],
        limit: 0,
        left: 0,
        random: None,
        spare: Vec::new(),
    })
}

fn run_blocks(surroundings: &mut Surroundings<'_>) -> Result<(), Fault> {
    let [x, y, z] = surroundings.grid.map(u64::from);
    let blocks = x * y * z;
    let mut threads: Vec<Thread> = Thread::all(surroundings.shape);
    surroundings.counts.threads = blocks * threads.len() as u64;
    // A step that shares no factor with the number of blocks visits each once, in an order that looks arbitrary.
    let (mut at, step) = match &mut surroundings.random {
        None => (0, 1),
        Some(random) => (random.below(blocks), coprime(random.next(), blocks)),
    };
    for _ in 0..blocks {
        surroundings.block = [(at % x) as u32, (at / x % y) as u32, (at / x / y) as u32];
        surroundings.run_block(&mut threads)?;
        at = ((u128::from(at) + u128::from(step)) % u128::from(blocks)) as u64;
    }
    Ok(())
}

/// A number next to `start` that shares no factor with `count`.
fn coprime(start: u64, count: u64) -> u64 {
    let divisor = |mut a: u64, mut b: u64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (start % count..).find(|&step| divisor(step, count) == 1).unwrap_or(1)
}
