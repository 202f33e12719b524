//! What NVIDIA's assembler makes of a text: registers, and instructions of the machine on the way that no fault leaves.

use std::path::Path;
use std::process::Command;

/// The machine code of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Code {
    /// Registers of a thread.
    pub(crate) registers: usize,
    /// Instructions, without what fills up the end.
    pub(crate) instructions: usize,
}

/// Bytes of an instruction, and the bits of its first word that tell which it is.
const INSTRUCTION: usize = 16;
const OPCODE: u64 = 0xfff;
/// Fills up the end of the code.
const NOP: u64 = 0x918;
/// Behind the last instruction lies a branch to itself.
const BRA: u64 = 0x947;

/// The code of an entry of a text.
pub(crate) fn code(ptxas: &Path, text: &str, entry: &str, device: &str) -> Result<Code, String> {
    let folder = std::env::temp_dir().join(format!("warp-ptx-code-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (file, cubin) = (folder.join(format!("{entry}.ptx")), folder.join(format!("{entry}.cubin")));
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let arch = format!("-arch={device}");
    let output = Command::new(ptxas).args(["-v", &arch, "-o"]).arg(&cubin).arg(&file).output();
    let output = output.map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(told.into_owned());
    }
    let file = std::fs::read(&cubin).map_err(|error| error.to_string())?;
    let code = section(&file, &format!(".text.{entry}")).ok_or("the entry has no code")?;
    Ok(Code { registers: registers(&told, entry).ok_or(told.into_owned())?, instructions: instructions(code) })
}

/// The text of an entry alone, without what runs only after a check has failed: checks leave the kernel. `None` where the
/// text has no such entry.
pub(crate) fn without_faults(text: &str, entry: &str) -> Option<String> {
    let head = text.split(".visible .entry").next()?;
    let from = text.find(&format!(".visible .entry {entry}("))?;
    let to = from + text[from..].find("\n    ret;\n")?;
    let kept: String = text[from..to].lines().map(|line| leave_where_a_check_fails(line) + "\n").collect();
    Some(format!("{head}{kept}    ret;\n}}\n"))
}

/// A line that goes to what a failed check does goes to the end instead.
fn leave_where_a_check_fails(line: &str) -> String {
    match line.find("bra failed_") {
        Some(at) => format!("{}bra done;", &line[..at]),
        None => line.to_owned(),
    }
}

/// What the assembler says of an entry's registers.
fn registers(told: &str, entry: &str) -> Option<usize> {
    let mut lines = told.lines().skip_while(|line| !line.contains(&format!("entry function '{entry}'")));
    let used = lines.find_map(|line| line.split_once("Used "))?.1;
    used.split_once(" registers")?.0.parse().ok()
}

/// A section of an object file of 64 bits, by name.
fn section<'f>(file: &'f [u8], wanted: &str) -> Option<&'f [u8]> {
    let number = |at: usize, bytes: usize| -> Option<usize> {
        let mut word = [0; 8];
        word[..bytes].copy_from_slice(file.get(at..at + bytes)?);
        usize::try_from(u64::from_le_bytes(word)).ok()
    };
    let (table, size, count, names) = (number(0x28, 8)?, number(0x3a, 2)?, number(0x3c, 2)?, number(0x3e, 2)?);
    let place = |header: usize| Some((number(header + 0x18, 8)?, number(header + 0x20, 8)?));
    let (names, _) = place(table + names * size)?;
    (0..count).find_map(|k| {
        let header = table + k * size;
        let name = file.get(names + number(header, 4)?..)?;
        let (at, bytes) = place(header)?;
        (name.split(|&byte| byte == 0).next()? == wanted.as_bytes()).then(|| file.get(at..at + bytes))?
    })
}

fn instructions(code: &[u8]) -> usize {
    let opcode = |chunk: &[u8]| chunk[..8].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)) & OPCODE;
    let all: Vec<u64> = code.chunks_exact(INSTRUCTION).map(opcode).collect();
    let filled = all.iter().rposition(|&opcode| opcode != NOP).map_or(0, |last| last + 1);
    filled - usize::from(all[..filled].last() == Some(&BRA))
}

#[test]
fn what_runs_after_a_failed_check_is_left_out() {
    let text = ".version 7.0\n\n.visible .entry a(\n)\n{\n    @!%p bra failed_1; // x[i]\ndone:\n    ret;\nfailed_1:\n}\n\n.visible .entry b(\n)\n{\ndone:\n    ret;\n}\n";
    let cut = without_faults(text, "a").expect("it is there");
    assert_eq!(cut, ".version 7.0\n\n.visible .entry a(\n)\n{\n    @!%p bra done;\ndone:\n    ret;\n}\n");
    assert_eq!(without_faults(text, "c"), None);
}
