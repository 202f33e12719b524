//! The interpreter: reading modules and running launches.

use std::ffi::CStr;

use ptx_run::{Config, Grid, Machine, Memory, Module};

use crate::state::memory::View;
use crate::state::work::Launch;

/// Instructions that the threads of a launch may execute together, before it counts as one that does not end.
const LIMIT: u64 = 20_000_000_000;

/// A text that was read, with its variables in place.
pub struct Program {
    module: Module,
}

/// A parameter of an entry: its place among all bytes of parameters.
pub struct Param {
    pub offset: usize,
    pub size: usize,
}

impl Program {
    /// Reads a text; an error is the log of a compiler.
    pub fn read(text: &CStr, capability: i32) -> Result<Program, String> {
        let text = text.to_str().map_err(|_| log(1, "the text is no UTF-8"))?;
        if let Some((line, target)) = target(text)
            && target > capability
        {
            return Err(log(
                line,
                &format!("SM version specified by .target (sm_{target}) is higher than the device's, sm_{capability}"),
            ));
        }
        Module::parse(text).map(|module| Program { module }).map_err(|error| log(error.line, &error.message))
    }

    /// Bytes of its variables.
    pub fn globals_size(&self) -> usize {
        self.module.globals_size()
    }

    /// Decides where its variables lie; gives what they hold.
    pub fn place(&mut self, address: u64) -> Vec<u8> {
        self.module.place(address)
    }

    /// A variable: its distance from the first one, and its bytes.
    pub fn global(&self, name: &str) -> Option<(u64, u64)> {
        self.module.globals().iter().find(|global| global.name == name).map(|global| (global.offset, global.size))
    }

    /// Most threads of a block that an entry promises to be launched with.
    pub fn most_threads(&self, entry: &str) -> Option<u32> {
        self.module.entry(entry)?.most_threads().and_then(|most| u32::try_from(most).ok())
    }

    /// Parameters of an entry, and bytes of all together; none where there is no such entry.
    pub fn parameters(&self, entry: &str) -> Option<(Vec<Param>, usize)> {
        let entry = self.module.entry(entry)?;
        let params = entry.params().iter().map(|param| Param { offset: param.offset, size: param.size }).collect();
        Some((params, entry.params_size()))
    }
}

/// The number behind `.target sm_`, and its line.
fn target(text: &str) -> Option<(usize, i32)> {
    let (line, rest) =
        text.lines().enumerate().find_map(|(k, line)| Some((k + 1, line.trim().strip_prefix(".target")?)))?;
    let digits: String = rest.trim().strip_prefix("sm_")?.chars().take_while(char::is_ascii_digit).collect();
    Some((line, digits.parse().ok()?))
}

fn log(line: usize, message: &str) -> String {
    format!(
        "ptxas application ptx input, line {line}; error   : {message}\nptxas fatal   : Ptx assembly aborted due to errors"
    )
}

/// Threads that a launch may have, so that nobody waits minutes for one.
const THREADS: u64 = 1 << 26;

/// Runs all threads of a launch; gives how many instructions they executed, or what a thread did wrong.
pub fn launch(launch: &Launch, seed: Option<u64>, memory: &mut View<'_>) -> Result<u64, String> {
    let threads = launch.grid.iter().chain(&launch.block).fold(1, |n: u64, extent| n.saturating_mul((*extent).into()));
    if threads > THREADS {
        return Err(format!(
            "a launch of {threads} threads would take this interpreter minutes, so it is refused; {THREADS} are the most."
        ));
    }
    let machine = Machine::new(Config { seed, limit: LIMIT });
    let grid = Grid { grid: launch.grid, block: launch.block, shared: launch.shared, params: &launch.params };
    let counts =
        machine.launch(&launch.program.module, &launch.entry, grid, memory).map_err(|fault| fault.to_string())?;
    Ok(counts.total)
}

impl Memory for View<'_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), String> {
        View::read(self, address, bytes)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
        View::write(self, address, bytes)
    }
}
