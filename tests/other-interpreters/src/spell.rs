//! Other spellings of emitted text, for programs that do not know all of the language. What an instruction does stays.

/// Registers that the new lines use.
const SPARE: &str = "    .reg .pred %spare_p;\n    .reg .pred %spare_q;\n    .reg .b32 %spare_a32;\n    .reg .b32 %spare_b32;\n    .reg .b64 %spare_a64;\n    \
                     .reg .b64 %spare_b64;\n    .reg .f32 %spare_af;\n    .reg .f32 %spare_bf;\n";

/// For the parser: one register a declaration, and `red` as an `atom` whose result nobody reads.
pub fn for_parser(text: &str) -> String {
    rewritten(text, |line| match Instruction::of(line) {
        Some(Instruction { name, operands, .. }) if name.starts_with("red.") => {
            let result = if name.ends_with(".f32") { "%spare_af" } else { "%spare_a64" };
            vec![format!("    {} {result}, {};", name.replacen("red", "atom", 1), operands.join(", "))]
        }
        _ => vec![line.to_owned()],
    })
}

/// For the interpreter: besides, what it has no instruction for in terms of those that it has. Threads run one after the
/// other there, so that an atomic is a load and a store. It does not tell the number of blocks, which stands in the text then.
pub fn for_ptoxide(text: &str, blocks: u32) -> String {
    let text = text.replace(".param .align 8 .b8 args", ".param .b8 args").replace("%nctaid.x", &blocks.to_string());
    rewritten(&text, |line| match Instruction::of(line) {
        Some(instruction) => instruction.lowered(),
        None => vec![line.to_owned()],
    })
}

fn rewritten(text: &str, rewrite: impl Fn(&str) -> Vec<String>) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line = line.split(" //").next().unwrap_or_default();
        if line == "{" {
            out += "{\n";
            out += SPARE;
            continue;
        }
        match line.strip_prefix("    .reg ").and_then(|rest| rest.split_once(' ')) {
            Some((class, names)) => {
                let names = names.trim_end_matches(';').split(", ");
                out.extend(names.map(|name| format!("    .reg {class} {name};\n")));
            }
            None => out.extend(rewrite(line).into_iter().map(|line| line + "\n")),
        }
    }
    out
}

/// `@guard name operands;`
struct Instruction<'l> {
    guard: &'l str,
    name: &'l str,
    operands: Vec<&'l str>,
}

impl<'l> Instruction<'l> {
    fn of(line: &'l str) -> Option<Instruction<'l>> {
        let line = line.strip_prefix("    ")?.strip_suffix(';')?;
        let (guard, line) = match line.starts_with('@') {
            true => line.split_once(' ')?,
            false => ("", line),
        };
        let (name, operands) = line.split_once(' ').unwrap_or((line, ""));
        (!name.starts_with('.')).then(|| Instruction { guard, name, operands: operands.split(", ").collect() })
    }

    fn lowered(&self) -> Vec<String> {
        let o = &self.operands;
        let parts: Vec<&str> = self.name.split('.').collect();
        let lines = match parts[..] {
            ["membar", _] => vec![],
            ["ld", "global", "nc", ty] | ["ld", "volatile", "global", ty] => {
                vec![format!("ld.global.{ty} {}, {}", o[0], o[1])]
            }
            ["st", "global", ty] | ["st", "volatile", "global", ty] => {
                let [a, _] = spare(ty);
                vec![format!("mov.{ty} {a}, {}", o[1]), format!("st.global.{ty} {}, {a}", o[0])]
            }
            ["mul", "rn", ty] => vec![format!("mul.lo.{ty} {}", o.join(", "))],
            [op @ ("add" | "sub"), "rn", ty] => vec![format!("{op}.{ty} {}", o.join(", "))],
            ["mad", "wide", "u32"] => {
                vec![
                    format!("mul.wide.u32 %spare_a64, {}, {}", o[1], o[2]),
                    format!("add.u64 {}, %spare_a64, {}", o[0], o[3]),
                ]
            }
            ["setp", question, op @ ("and" | "or"), ty] => {
                let name = format!("setp.{question}.{ty}");
                let asked = Instruction { guard: "", name: &name, operands: vec!["%spare_p", o[1], o[2]] };
                let mut lines = asked.lowered();
                let other = o[3].strip_prefix('!').map_or(o[3], |other| {
                    lines.push(format!("    not.pred %spare_q, {other};"));
                    "%spare_q"
                });
                lines.push(format!("    {op}.pred {}, %spare_p, {other};", o[0]));
                return lines;
            }
            // True as well where one is no number: the opposite of the opposite.
            ["setp", op @ ("neu" | "ltu" | "leu" | "gtu" | "geu"), ty] => {
                let not = [("neu", "eq"), ("ltu", "ge"), ("leu", "gt"), ("gtu", "le"), ("geu", "lt")];
                let (_, not) = not.into_iter().find(|(known, _)| *known == op).expect("it is one of these");
                vec![format!("setp.{not}.{ty} {}", o.join(", ")), format!("not.pred {}, {}", o[0], o[0])]
            }
            ["selp", ty] => {
                let [a, b] = spare(ty);
                vec![
                    format!("mov.{ty} {a}, {}", o[1]),
                    format!("mov.{ty} {b}, {}", o[2]),
                    format!("mov.{ty} {}, {b}", o[0]),
                    format!("@{} mov.{ty} {}, {a}", o[3], o[0]),
                ]
            }
            ["red", "global", "add", ty] => {
                let [a, _] = spare(ty);
                vec![
                    format!("ld.global.{ty} {a}, {}", o[0]),
                    format!("add.{ty} {a}, {a}, {}", o[1]),
                    format!("st.global.{ty} {}, {a}", o[0]),
                ]
            }
            ["atom", "global", "min", "u64"] => vec![
                format!("ld.global.u64 {}, {}", o[0], o[1]),
                format!("mov.u64 %spare_a64, {}", o[0]),
                format!("setp.lt.u64 %spare_p, {}, {}", o[2], o[0]),
                format!("@%spare_p mov.u64 %spare_a64, {}", o[2]),
                format!("st.global.u64 {}, %spare_a64", o[1]),
            ],
            ["atom", "global", "cas", "b64"] => vec![
                format!("ld.global.b64 {}, {}", o[0], o[1]),
                format!("mov.b64 %spare_a64, {}", o[0]),
                format!("mov.b64 %spare_b64, {}", o[3]),
                format!("setp.eq.u64 %spare_p, {}, {}", o[0], o[2]),
                "@%spare_p mov.b64 %spare_a64, %spare_b64".to_owned(),
                format!("st.global.b64 {}, %spare_a64", o[1]),
            ],
            ["atom", "global", "exch", "b64"] => vec![
                format!("mov.b64 %spare_a64, {}", o[2]),
                format!("ld.global.b64 {}, {}", o[0], o[1]),
                format!("st.global.b64 {}, %spare_a64", o[1]),
            ],
            _ => return vec![format!("    {} {} {};", self.guard, self.name, o.join(", "))],
        };
        lines.into_iter().map(|line| format!("    {line};")).collect()
    }
}

/// Two registers for values of a type.
fn spare(ty: &str) -> [&'static str; 2] {
    match ty {
        "f32" => ["%spare_af", "%spare_bf"],
        "b64" | "u64" | "s64" => ["%spare_a64", "%spare_b64"],
        _ => ["%spare_a32", "%spare_b32"],
    }
}
