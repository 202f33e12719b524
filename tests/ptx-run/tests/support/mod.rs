//! Writes small kernels around the instructions under test, runs them, and gives back what they computed.

#![allow(dead_code, reason = "each test file uses its part")]

use std::sync::atomic::{AtomicUsize, Ordering};

use ptx_run::{Config, Counts, Fault, Grid, Machine, Memory, Module, SimpleMemory};

/// What every text begins with.
pub const HEADER: &str = ".version 8.7\n.target sm_90\n.address_size 64\n";

/// Registers of all types, by their letters.
pub const REGISTERS: &str = "\t.reg .pred %p<10>;\n\t.reg .b16 %h<10>;\n\t.reg .b32 %r<10>;\n\t.reg .b64 %rd<10>;\n\t.reg .f32 %f<10>;\n\t.reg .f64 %d<10>;\n";

/// Reads a text that must be right. `PTX_RUN_TEXTS=folder` keeps all texts that were accepted, to be assembled by hand.
pub fn parse(text: &str) -> Module {
    keep(text);
    Module::parse(text).unwrap_or_else(|error| panic!("{error}\n{}", numbered(text)))
}

/// Writes a text that was accepted into the folder that `PTX_RUN_TEXTS` names, if it does.
pub fn keep(text: &str) {
    if let Ok(folder) = std::env::var("PTX_RUN_TEXTS") {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = format!("{folder}/{}_{number}.ptx", std::process::id());
        std::fs::write(file, text).expect("a folder that can be written");
    }
}

/// The text with its lines' numbers, for messages.
pub fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(k, line)| format!("{:4} {line}\n", k + 1)).collect()
}

/// Why a text is refused: its line and message.
pub fn refused(text: &str) -> String {
    match Module::parse(text) {
        Ok(_) => panic!("accepted:\n{}", numbered(text)),
        Err(error) => error.to_string(),
    }
}

/// A kernel `k` without parameters around a body.
pub fn kernel(body: &str) -> String {
    format!("{HEADER}.visible .entry k()\n{{\n{REGISTERS}{body}\n\tret;\n}}\n")
}

/// A kernel `k` with one parameter, an address in global memory, which is in `%rd9`.
pub fn kernel_at(body: &str) -> String {
    format!(
        "{HEADER}.visible .entry k(.param .u64 out)\n{{\n{REGISTERS}\tld.param.u64 %rd9, [out];\n{body}\n\tret;\n}}\n"
    )
}

/// Runs `k` with one block.
pub fn run(text: &str, threads: u32, params: &[u8], memory: &mut dyn Memory) -> Result<Counts, Fault> {
    run_seeded(text, [1, 1, 1], [threads, 1, 1], params, memory, None)
}

/// Runs `k`.
pub fn run_seeded(
    text: &str,
    grid: [u32; 3],
    block: [u32; 3],
    params: &[u8],
    memory: &mut dyn Memory,
    seed: Option<u64>,
) -> Result<Counts, Fault> {
    let machine = Machine::new(Config { seed, limit: 100_000_000 });
    machine.launch(&parse(text), "k", Grid { grid, block, shared: 0, params }, memory)
}

/// Runs `k` of [`kernel_at`] over `words` of 32 bits, which it may change.
pub fn run_over(body: &str, threads: u32, words: &[u32]) -> Result<Vec<u32>, Fault> {
    run_over_seeded(body, 1, threads, words, None)
}

/// The same with a seed and several blocks.
pub fn run_over_seeded(
    body: &str,
    blocks: u32,
    threads: u32,
    words: &[u32],
    seed: Option<u64>,
) -> Result<Vec<u32>, Fault> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut memory = SimpleMemory::new();
    let address = memory.allocate_from(&bytes);
    run_seeded(&kernel_at(body), [blocks, 1, 1], [threads, 1, 1], &address.to_le_bytes(), &mut memory, seed)?;
    let bytes = memory.bytes(address).expect("the allocation");
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect())
}

/// The type by which a register is loaded and stored.
fn width(register: &str) -> &'static str {
    let letters = register.trim_start_matches('%').trim_end_matches(|c: char| c.is_ascii_digit());
    match letters {
        "h" => "b16",
        "r" => "b32",
        "f" => "f32",
        "rd" => "b64",
        "d" => "f64",
        other => panic!("no register {other}"),
    }
}

/// Runs `body` in one thread for each of the rows of values, which `inputs` take; gives what `outputs` hold then.
pub fn apply(body: &str, inputs: &[&str], rows: &[Vec<u64>], outputs: &[&str]) -> Vec<Vec<u64>> {
    let mut text = String::from("\tmov.u32 %index, %tid.x;\n\tmov.u32 %count, %ntid.x;\n\tmov.u32 %block, %ctaid.x;\n");
    text.push_str(
        "\tmad.lo.u32 %index, %block, %count, %index;\n\tld.param.u64 %from, [from];\n\tld.param.u64 %to, [to];\n",
    );
    text.push_str(&format!(
        "\tmul.wide.u32 %distance, %index, {};\n\tadd.u64 %from, %from, %distance;\n",
        8 * inputs.len().max(1)
    ));
    text.push_str(&format!(
        "\tmul.wide.u32 %distance, %index, {};\n\tadd.u64 %to, %to, %distance;\n",
        8 * outputs.len()
    ));
    for (k, register) in inputs.iter().enumerate() {
        if register.starts_with("%p") {
            text.push_str(&format!(
                "\tld.global.u32 %block, [%from+{}];\n\tsetp.ne.u32 {register}, %block, 0;\n",
                8 * k
            ));
        } else {
            text.push_str(&format!("\tld.global.{} {register}, [%from+{}];\n", width(register), 8 * k));
        }
    }
    text.push_str(&format!("\t{body}\n"));
    for (k, register) in outputs.iter().enumerate() {
        if register.starts_with("%p") {
            text.push_str(&format!("\tselp.u32 %block, 1, 0, {register};\n\tst.global.u32 [%to+{}], %block;\n", 8 * k));
        } else {
            text.push_str(&format!("\tst.global.{} [%to+{}], {register};\n", width(register), 8 * k));
        }
    }
    let text = format!(
        "{HEADER}.visible .entry k(.param .u64 from, .param .u64 to)\n{{\n{REGISTERS}\t.reg .b32 %index, %count, %block;\n\t.reg .b64 %from, %to, %distance;\n{text}\tret;\n}}\n"
    );
    let mut memory = SimpleMemory::new();
    let mut values: Vec<u8> = rows.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
    values.resize(values.len().max(8), 0);
    let from = memory.allocate_from(&values);
    let to = memory.allocate_from(&vec![0; rows.len() * outputs.len() * 8]);
    let params: Vec<u8> = [from, to].iter().flat_map(|address| address.to_le_bytes()).collect();
    // One thread a block, so that no number of rows is wrong.
    let grid = [rows.len() as u32, 1, 1];
    if let Err(fault) = run_seeded(&text, grid, [1, 1, 1], &params, &mut memory, None) {
        panic!("{fault}\n{}", numbered(&text));
    }
    let words: Vec<u64> = memory
        .bytes(to)
        .expect("the allocation")
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
        .collect();
    words.chunks_exact(outputs.len()).map(<[u64]>::to_vec).collect()
}

/// Checks one instruction for one row: `given` are registers and their values, `gives` what must come out.
pub fn check(body: &str, given: &[(&str, u64)], gives: &[(&str, u64)]) {
    let (inputs, row): (Vec<&str>, Vec<u64>) = given.iter().copied().unzip();
    let (outputs, expected): (Vec<&str>, Vec<u64>) = gives.iter().copied().unzip();
    let found = apply(body, &inputs, &[row], &outputs);
    assert_eq!(found[0], expected, "{body} with {given:x?} gives {:x?}, expected {expected:x?}", found[0]);
}
