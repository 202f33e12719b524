//! Which version of the language and which target an instruction needs at least, beyond what every text has here.

use super::modifiers::Modifiers;
use crate::error::ParseError;
use crate::text::syntax::{Instruction, Level};

/// The lowest version that each target has, from this target on.
const TARGETS: [(u32, (u32, u32)); 14] = [
    (70, (6, 0)),
    (75, (6, 3)),
    (80, (7, 0)),
    (86, (7, 1)),
    (87, (7, 4)),
    (88, (9, 0)),
    (89, (7, 8)),
    (90, (7, 8)),
    (100, (8, 6)),
    (103, (8, 8)),
    (107, (9, 4)),
    (110, (9, 0)),
    (120, (8, 7)),
    (121, (8, 8)),
];

/// What every text must have: targets whose threads go on by themselves, and a language with all that concerns them.
const LEAST: Level = Level { version: (6, 3), target: 70 };

/// Refuses a version and a target that are too old, or do not belong together.
pub(super) fn check_level(level: Level) -> Result<(), ParseError> {
    let wrong = |message: String| Err(ParseError::new(1, message));
    let ((major, minor), target) = (level.version, level.target);
    if target < LEAST.target {
        return wrong(format!("the target sm_{target} is not handled: sm_70 and later ones are."));
    }
    if level.version < LEAST.version {
        return wrong(format!("the version {major}.{minor} is not handled: 6.3 and later ones are."));
    }
    let first = TARGETS.iter().rev().find(|(known, _)| *known <= target).map(|(_, version)| *version);
    if let Some((a, b)) = first.filter(|first| level.version < *first) {
        return wrong(format!("the target sm_{target} needs the version {a}.{b} or later, found {major}.{minor}."));
    }
    Ok(())
}

/// Refuses an instruction that the version or the target of the text does not have.
pub(super) fn check(instruction: &Instruction, level: Level) -> Result<(), ParseError> {
    let needed = needed(instruction);
    let m = Modifiers::of(instruction);
    if level.target < needed.target {
        return m.wrong(format!("needs the target sm_{} or later; the text has sm_{}.", needed.target, level.target));
    }
    if level.version < needed.version {
        let ((a, b), (c, d)) = (needed.version, level.version);
        return m.wrong(format!("needs the version {a}.{b} or later; the text has {c}.{d}."));
    }
    Ok(())
}

fn needed(instruction: &Instruction) -> Level {
    let has = |part: &str| instruction.modifiers.iter().any(|modifier| modifier == part);
    let ends = |parts: [&str; 2]| instruction.modifiers.ends_with(&parts.map(str::to_owned));
    let level = |target, version| Level { version, target };
    match instruction.root.as_str() {
        "redux" => level(80, (7, 0)),
        "min" | "max" if has("NaN") => level(80, (7, 0)),
        "tanh" => level(75, (7, 0)),
        "cvt" if ends(["bf16", "f32"]) => level(80, (7, 0)),
        "cvt" if ends(["f32", "bf16"]) => level(80, (7, 1)),
        "cvt" if has("bf16") => level(90, (7, 8)),
        "bar" | "barrier" if has("cta") => level(70, (7, 8)),
        _ if has("shared::cta") => level(70, (7, 8)),
        _ => LEAST,
    }
}
