//! What a text of the library declares: read line by line, as its files are laid out.

/// Something that a page speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// The type in whose `impl` it stands, or whose field it is; none for free functions and types.
    pub owner: Option<String>,
    /// Its name; an operator's is how it is written, `Vec3 * f32`.
    pub name: String,
    /// Its declaration without `pub` and body; an operator's result type.
    pub declaration: String,
    /// Its documentation: lines without their marks.
    pub doc: String,
}

/// The kinds of entries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A struct.
    Type,
    /// A field of a struct.
    Field,
    /// A constant of a type.
    Constant,
    /// A function, or a method where its first parameter is `self`.
    Function,
    /// An operator.
    Operator,
}

/// An `impl` block that is being read.
struct Block {
    owner: String,
    /// The operator's sign, and the type of the right operand.
    operator: Option<(&'static str, String)>,
    /// What stands before it, which is about the operator.
    doc: String,
}

const SIGNS: [(&str, &str); 13] = [
    ("Add", "+"),
    ("Sub", "-"),
    ("Mul", "*"),
    ("Div", "/"),
    ("Rem", "%"),
    ("BitAnd", "&"),
    ("BitOr", "|"),
    ("BitXor", "^"),
    ("Shl", "<<"),
    ("Shr", ">>"),
    ("Neg", "-"),
    ("Not", "!"),
    ("Index", "[]"),
];

/// All public entries of a text, in its order.
pub fn entries(text: &str) -> Vec<Entry> {
    let (mut found, mut doc, mut block, mut structure) = (vec![], vec![], None::<Block>, None::<String>);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        if let Some(words) = trimmed.strip_prefix("///") {
            doc.push(words.strip_prefix(' ').unwrap_or(words));
            continue;
        }
        if trimmed.starts_with("#[") {
            continue;
        }
        let words = std::mem::take(&mut doc).join("\n");
        if let Some(head) = line.strip_prefix("impl ") {
            block = Some(Block { doc: words, ..block_of(head.trim_end_matches(" {")) });
        } else if line == "}" {
            (block, structure) = (None, None);
        } else if let (Some(of), Some((name, _))) = (&structure, trimmed.split_once(": ")) {
            let declaration = trimmed.trim_start_matches("pub ").trim_end_matches(',').to_string();
            let name = name.trim_start_matches("pub ").to_string();
            found.push(Entry { kind: Kind::Field, owner: Some(of.clone()), name, declaration, doc: words });
        } else if let Some((Block { owner, operator: Some((sign, right)), doc }, result)) =
            block.as_ref().zip(trimmed.strip_prefix("type Output = "))
        {
            let name = if right.is_empty() { format!("{sign}{owner}") } else { format!("{owner} {sign} {right}") };
            let declaration = result.trim_end_matches(';').to_string();
            found.push(Entry { kind: Kind::Operator, owner: Some(owner.clone()), name, declaration, doc: doc.clone() });
        } else if let Some((kind, rest)) = declared(trimmed) {
            let owner = block.as_ref().map(|block| block.owner.clone());
            let declaration = whole(rest, &mut lines);
            let name = declaration.split(|c: char| !c.is_alphanumeric() && c != '_').nth(1).unwrap_or("").to_string();
            structure = (kind == Kind::Type).then(|| name.clone());
            found.push(Entry { kind, owner, name, declaration, doc: words });
        }
    }
    found
}

/// The kind of a public item, and its text from the keyword on.
fn declared(line: &str) -> Option<(Kind, &str)> {
    let rest = line.strip_prefix("pub ")?;
    let rest = rest.strip_prefix("const ").filter(|rest| rest.starts_with("fn ")).unwrap_or(rest);
    let kinds = [("fn ", Kind::Function), ("const ", Kind::Constant), ("struct ", Kind::Type)];
    kinds.into_iter().find(|(word, _)| rest.starts_with(word)).map(|(_, kind)| (kind, rest))
}

/// A declaration up to its body or value, on one line.
fn whole<'t>(first: &str, rest: &mut impl Iterator<Item = &'t str>) -> String {
    let mut text = first.to_string();
    while !text.contains(" {") && !text.contains(" = ") && !text.ends_with(';') {
        let Some(line) = rest.next() else { break };
        let line = line.trim();
        if !text.ends_with('(') && !line.starts_with(')') {
            text.push(' ');
        }
        text.push_str(line);
    }
    let end = [" {", " = "].iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    text.truncate(end);
    text.trim_end_matches(';').replace(",)", ")")
}

fn block_of(head: &str) -> Block {
    let Some((name, owner)) = head.split_once(" for ") else {
        return Block { owner: head.into(), operator: None, doc: String::new() };
    };
    let owner = owner.to_string();
    let (name, right) = match name.split_once('<') {
        Some((name, right)) => (name, right.trim_end_matches('>').to_string()),
        None if name == "Neg" || name == "Not" => (name, String::new()),
        None => (name, owner.clone()),
    };
    let sign = SIGNS.iter().find(|(known, _)| *known == name).map(|(_, sign)| *sign);
    Block { owner, operator: sign.map(|sign| (sign, right)), doc: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_read() {
        let text = "// Head.\n\n/// A thing.\n#[derive(Clone)]\npub struct Thing {\n    /// A part.\n    pub part: f32,\n}\n\n\
                    impl Thing {\n    /// Nothing.\n    pub const ZERO: Thing = Thing { part: 0.0 };\n\n    /// Both.\n    ///\n    /// More.\n    \
                    pub fn both(\n        self,\n        rhs: Thing,\n    ) -> f32 {\n        self.part\n    }\n\n    fn hidden(self) {}\n}\n\n\
                    impl Mul<f32> for Thing {\n    type Output = Thing;\n    fn mul(self, rhs: f32) -> Thing {\n        self\n    }\n}\n\n\
                    /// Turned.\nimpl Neg for Thing {\n    type Output = Thing;\n}\n\n/// Free.\npub fn thing(part: f32) -> Thing {\n}\n";
        let entries = entries(text);
        let found: Vec<_> = entries.iter().map(|e| (e.name.as_str(), e.declaration.as_str(), e.doc.as_str())).collect();
        let expected = [
            ("Thing", "struct Thing", "A thing."),
            ("part", "part: f32", "A part."),
            ("ZERO", "const ZERO: Thing", "Nothing."),
            ("both", "fn both(self, rhs: Thing) -> f32", "Both.\n\nMore."),
            ("Thing * f32", "Thing", ""),
            ("-Thing", "Thing", "Turned."),
            ("thing", "fn thing(part: f32) -> Thing", "Free."),
        ];
        assert_eq!(found, expected);
        assert_eq!(entries[3].owner.as_deref(), Some("Thing"));
        assert_eq!(entries[6].owner, None);
    }
}
