//! Runs launches that standard input describes, and prints for each what its threads executed and what memory holds after
//! it, as JSON. A description is lines of
//!
//! ```text
//! file PATH            the text
//! buffer NAME HEX      memory with these bytes
//! params HEX..         the bytes of the parameters; @NAME is the address of a buffer
//! launch ENTRY GX GY GZ BX BY BZ
//! ```
//!
//! where a launch takes what stood before it, and buffers and parameters are gone after it.

use std::collections::BTreeMap;
use std::io::Read;

use ptx_run::{Config, Counts, Grid, Machine, Memory, Module, SimpleMemory};

/// Instructions of a launch at most.
const LIMIT: u64 = 1 << 32;

fn main() -> Result<(), String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    let mut next = Launch::default();
    for (number, line) in text.lines().enumerate() {
        next.line(line).map_err(|error| format!("line {}: {error}", number + 1))?;
    }
    Ok(())
}

/// What has been said of the next launch.
#[derive(Default)]
struct Launch {
    module: Option<Module>,
    memory: SimpleMemory,
    buffers: BTreeMap<String, u64>,
    params: Vec<u8>,
}

impl Launch {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => Ok(()),
            ["file", path] => {
                let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
                let module = Module::parse(text.trim_end_matches('\0')).map_err(|error| format!("{path}: {error}"))?;
                self.module = Some(module);
                Ok(())
            }
            ["buffer", name, hex] => {
                let address = self.memory.allocate_from(&bytes(hex)?);
                self.buffers.insert(name.to_owned(), address);
                Ok(())
            }
            ["params", ref parts @ ..] => {
                for part in parts {
                    match part.strip_prefix('@') {
                        Some(name) => {
                            let address = self.buffers.get(name).ok_or_else(|| format!("no buffer `{name}`"))?;
                            self.params.extend(address.to_le_bytes());
                        }
                        None => self.params.extend(bytes(part)?),
                    }
                }
                Ok(())
            }
            ["launch", entry, ref shape @ ..] => {
                let shape: Option<Vec<u32>> = shape.iter().map(|n| n.parse().ok()).collect();
                let Some(&[gx, gy, gz, bx, by, bz]) = shape.as_deref() else {
                    return Err("a launch has six extents".into());
                };
                self.launch(entry, [gx, gy, gz], [bx, by, bz])
            }
            _ => Err(format!("not understood: {line}")),
        }
    }

    fn launch(&mut self, entry: &str, grid: [u32; 3], block: [u32; 3]) -> Result<(), String> {
        let module = self.module.as_mut().ok_or("no file yet")?;
        if module.globals_size() > 0 {
            let place = self.memory.allocate(module.globals_size());
            let image = module.place(place);
            self.memory.write(place, &image)?;
        }
        let launch = Grid { grid, block, shared: 0, params: &self.params };
        let machine = Machine::new(Config { seed: None, limit: LIMIT });
        let counts = machine.launch(module, entry, launch, &mut self.memory).map_err(|fault| fault.to_string())?;
        println!("{}", self.told(entry, &counts));
        self.memory = SimpleMemory::new();
        self.buffers.clear();
        self.params.clear();
        Ok(())
    }

    fn told(&self, entry: &str, counts: &Counts) -> String {
        let hex = |address: &u64| self.memory.bytes(*address).unwrap_or_default().iter().map(|b| format!("{b:02x}"));
        let buffers =
            self.buffers.iter().map(|(name, address)| format!("\"{name}\": \"{}\"", hex(address).collect::<String>()));
        let buffers: Vec<String> = buffers.collect();
        let Counts { total, skipped, threads, memory, atomics, .. } = counts;
        format!(
            "{{\"entry\": \"{entry}\", \"executed\": {}, \"threads\": {threads}, \"memory\": {memory}, \"atomics\": {atomics}, \
             \"global\": {}, \"buffers\": {{{}}}}}",
            total + skipped,
            counts.global.loads + counts.global.stores + counts.global.atomics,
            buffers.join(", ")
        )
    }
}

fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    let digits = hex.as_bytes().chunks(2);
    let byte = |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
    digits.map(byte).collect::<Option<_>>().ok_or_else(|| format!("not bytes: {hex}"))
}
