//! `WARP_DUMP=ir,adjoint,clif,asm,ptx`: what the compiler made of each kernel, as files, at its first launch.

use std::path::PathBuf;
use std::sync::OnceLock;

use warp_ir::differentiate::Reverse;
use warp_ir::ir::Kernel;
use warp_ir::text::print_kernel;

use crate::kernel::Spec;

/// What files there are.
const KINDS: [&str; 5] = ["ir", "adjoint", "clif", "asm", "ptx"];

/// What `WARP_DUMP` asks for, and where it goes.
struct Wanted {
    kinds: Vec<String>,
    folder: PathBuf,
}

fn wanted() -> &'static Wanted {
    static WANTED: OnceLock<Wanted> = OnceLock::new();
    WANTED.get_or_init(|| {
        let kinds = kinds(&std::env::var("WARP_DUMP").unwrap_or_default());
        for unknown in kinds.iter().filter(|kind| !KINDS.contains(&kind.as_str())) {
            eprintln!("warp: WARP_DUMP knows {}, not `{unknown}`; it is ignored", KINDS.join(", "));
        }
        Wanted { kinds, folder: std::env::var_os("WARP_DUMP_DIR").map_or_else(|| "warp-dump".into(), PathBuf::from) }
    })
}

/// What a value of `WARP_DUMP` lists.
fn kinds(list: &str) -> Vec<String> {
    list.split(',').map(|kind| kind.trim().to_ascii_lowercase()).filter(|kind| !kind.is_empty()).collect()
}

/// Whether `WARP_DUMP` asks for files of this kind: `ir`, `adjoint`, `clif`, `asm`, `ptx`.
pub fn wants(kind: &str) -> bool {
    wanted().kinds.iter().any(|k| k == kind)
}

/// Writes `<folder>/<kernel>.<kind>` if that kind is asked for. A file that cannot be written is told on stderr, and
/// changes nothing else.
pub fn file(kernel: &str, kind: &str, text: impl FnOnce() -> String) {
    if !wants(kind) {
        return;
    }
    let folder = &wanted().folder;
    let name: String = kernel.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '.' }).collect();
    let path = folder.join(format!("{name}.{kind}"));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text()));
    if let Err(why) = written {
        eprintln!("warp: WARP_DUMP could not write {}: {why}", path.display());
    }
}

pub(crate) fn ir(spec: &Spec, kernel: &Kernel) {
    file(spec.name, "ir", || format!("{}\n{}", place(spec), print_kernel(kernel)));
}

/// The kernel that brings gradients back, or the sentence that says why there is none.
pub(crate) fn adjoint(spec: &Spec, kernel: &Kernel) {
    file(spec.name, "adjoint", || {
        let text = match Reverse::from_bytes(spec.adjoint, kernel) {
            Ok(Reverse::Adjoint(adjoint)) => print_kernel(&adjoint.kernel),
            Ok(Reverse::Refused(refusal)) => format!("// has no gradient: {refusal}\n"),
            Ok(Reverse::LeftOut) => "// has no gradient: it is marked `no_adjoint`\n".into(),
            Err(error) => format!("// has no gradient: {error}\n"),
        };
        format!("{}\n{text}", place(spec))
    });
}

fn place(spec: &Spec) -> String {
    format!("// {} in {}, {}:{}", spec.name, spec.module, spec.file, spec.line)
}
