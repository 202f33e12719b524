//! Reads XML as robot files have it, which is not always as the standard has it.
//!
//! Prefixes that nobody declared are part of names, and bytes of zero after the end are nothing. What it reads is a tree of
//! elements with the lines where they begin.

use super::ImportError;

/// Elements inside elements, at most: deeper files are mistakes or attacks.
const DEPTH: usize = 256;

/// An element with all that is in it.
#[derive(Clone, Debug, Default)]
pub struct Element {
    /// Its name, with its prefix if it has one.
    pub name: String,
    /// In the order of the file.
    pub attributes: Vec<(String, String)>,
    /// The elements in it.
    pub children: Vec<Element>,
    /// The file that it is in.
    pub file: String,
    /// The line where it begins, from 1.
    pub line: usize,
}

impl Element {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The first element of this name in it.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All elements of this name in it.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// How messages call it.
    pub fn called(&self) -> String {
        match self.get("name") {
            Some(name) => format!("<{} name=\"{name}\">", self.name),
            None => format!("<{}>", self.name),
        }
    }

    /// What is wrong with it.
    pub fn wrong(&self, what: impl Into<String>) -> ImportError {
        ImportError::Wrong { file: self.file.clone(), line: self.line, element: self.called(), what: what.into() }
    }
}

/// The root of a text, and the first prefix that nobody declared, with its line.
pub fn read(text: &str, file: &str) -> Result<(Element, Option<(String, usize)>), ImportError> {
    let text = text.trim_start_matches('\u{feff}').trim_end_matches(['\0', '\r', '\n', ' ', '\t']);
    let mut reader = Reader { rest: text, line: 1, file };
    let mut open: Vec<Element> = vec![];
    let mut root: Option<Element> = None;
    let mut prefixes = Prefixes::default();
    while !reader.rest.is_empty() {
        let Some(at) = reader.rest.find('<') else {
            reader.only_space(reader.rest, open.last())?;
            break;
        };
        let between = &reader.rest[..at];
        reader.only_space(between, open.last())?;
        reader.skip(at);
        if reader.rest.starts_with("<!--") {
            reader.past("-->", "a comment")?;
        } else if reader.rest.starts_with("<![CDATA[") {
            reader.past("]]>", "a CDATA section")?;
        } else if reader.rest.starts_with("<?") {
            reader.past("?>", "a processing instruction")?;
        } else if reader.rest.starts_with("<!") {
            reader.past_doctype()?;
        } else if reader.rest.starts_with("</") {
            let name = reader.end_tag()?;
            let Some(done) = open.pop() else {
                return Err(reader.malformed(format!("</{name}> ends what was not begun")));
            };
            if done.name != name {
                let (begun, line) = (&done.name, done.line);
                return Err(reader.malformed(format!("</{name}> stands where <{begun}> of line {line} has to end")));
            }
            place(done, &mut open, &mut root, &reader)?;
        } else {
            let (element, closed) = reader.start_tag()?;
            prefixes.look(&element);
            if open.len() >= DEPTH {
                return Err(reader.malformed(format!("elements are nested deeper than {DEPTH}")));
            }
            if closed {
                place(element, &mut open, &mut root, &reader)?;
            } else {
                open.push(element);
            }
        }
    }
    if let Some(left) = open.last() {
        return Err(reader.malformed(format!("<{}> of line {} has no end", left.name, left.line)));
    }
    let root = root.ok_or_else(|| reader.malformed("there is no element".to_owned()))?;
    Ok((root, prefixes.strange))
}

/// Puts a whole element where it belongs.
fn place(
    element: Element,
    open: &mut [Element],
    root: &mut Option<Element>,
    reader: &Reader<'_>,
) -> Result<(), ImportError> {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None if root.is_none() => *root = Some(element),
        None => return Err(reader.malformed(format!("<{}> stands behind the end of the root", element.name))),
    }
    Ok(())
}

/// Prefixes of names, and which of them were declared.
#[derive(Default)]
struct Prefixes {
    declared: Vec<String>,
    strange: Option<(String, usize)>,
}

impl Prefixes {
    fn look(&mut self, element: &Element) {
        let declared = element.attributes.iter().filter_map(|(name, _)| name.strip_prefix("xmlns:"));
        self.declared.extend(declared.map(str::to_owned));
        let names = element.attributes.iter().map(|(name, _)| name).chain([&element.name]);
        for prefix in names.filter_map(|name| Some(name.split_once(':')?.0)) {
            let known = matches!(prefix, "xml" | "xmlns") || self.declared.iter().any(|own| own == prefix);
            if !known && self.strange.is_none() {
                self.strange = Some((prefix.to_owned(), element.line));
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    file: &'a str,
}

impl<'a> Reader<'a> {
    fn malformed(&self, what: String) -> ImportError {
        ImportError::Malformed { file: self.file.to_owned(), line: self.line, what }
    }

    fn skip(&mut self, bytes: usize) {
        self.line += self.rest[..bytes].matches('\n').count();
        self.rest = &self.rest[bytes..];
    }

    fn past(&mut self, end: &str, what: &str) -> Result<(), ImportError> {
        let at = self.rest.find(end).ok_or_else(|| self.malformed(format!("{what} has no end")))?;
        self.skip(at + end.len());
        Ok(())
    }

    /// Past a declaration, which may have others in brackets.
    fn past_doctype(&mut self) -> Result<(), ImportError> {
        let mut depth = 0usize;
        for (at, c) in self.rest.char_indices() {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                '>' if depth == 0 => {
                    self.skip(at + 1);
                    return Ok(());
                }
                _ => {}
            }
        }
        Err(self.malformed("a declaration has no end".to_owned()))
    }

    /// Text between elements is of no use to robots, but text outside of the root is a mistake.
    fn only_space(&self, text: &str, open: Option<&Element>) -> Result<(), ImportError> {
        let stray = text.trim_matches(['\0', ' ', '\t', '\r', '\n']);
        match stray.is_empty() || open.is_some() {
            true => Ok(()),
            false => Err(self.malformed(format!("`{}` stands outside of all elements", short(stray)))),
        }
    }

    fn name(&mut self) -> Result<String, ImportError> {
        let end = |c: char| c.is_whitespace() || matches!(c, '>' | '/' | '=' | '<' | '"' | '\'' | '\0');
        let at = self.rest.find(end).unwrap_or(self.rest.len());
        if at == 0 {
            return Err(self.malformed(format!("a name has to stand before `{}`", short(self.rest))));
        }
        let name = self.rest[..at].to_owned();
        self.skip(at);
        Ok(name)
    }

    fn space(&mut self) {
        let at = self.rest.find(|c: char| !c.is_whitespace()).unwrap_or(self.rest.len());
        self.skip(at);
    }

    fn end_tag(&mut self) -> Result<String, ImportError> {
        self.skip(2);
        let name = self.name()?;
        self.space();
        match self.rest.starts_with('>') {
            true => self.skip(1),
            false => return Err(self.malformed(format!("</{name} lacks its `>`"))),
        }
        Ok(name)
    }

    /// An element's beginning, and whether that is all of it.
    fn start_tag(&mut self) -> Result<(Element, bool), ImportError> {
        let line = self.line;
        self.skip(1);
        let name = self.name()?;
        let mut element = Element { name, file: self.file.to_owned(), line, ..Element::default() };
        loop {
            self.space();
            if self.rest.starts_with("/>") {
                self.skip(2);
                return Ok((element, true));
            }
            if self.rest.starts_with('>') {
                self.skip(1);
                return Ok((element, false));
            }
            if self.rest.is_empty() {
                return Err(self.malformed(format!("<{}> of line {line} lacks its `>`", element.name)));
            }
            let attribute = self.name()?;
            let value = self.value(&attribute)?;
            if element.get(&attribute).is_some() {
                return Err(self.malformed(format!("<{}> has the attribute `{attribute}` twice", element.name)));
            }
            element.attributes.push((attribute, value));
        }
    }

    fn value(&mut self, attribute: &str) -> Result<String, ImportError> {
        self.space();
        if !self.rest.starts_with('=') {
            return Err(self.malformed(format!("the attribute `{attribute}` has no value")));
        }
        self.skip(1);
        self.space();
        let quote = self.rest.chars().next().filter(|c| matches!(c, '"' | '\''));
        let Some(quote) = quote else {
            return Err(self.malformed(format!("the value of `{attribute}` has to stand in quotes")));
        };
        self.skip(1);
        let end = self.rest.find(quote);
        let end = end.ok_or_else(|| self.malformed(format!("the value of `{attribute}` has no end")))?;
        let value = self.unescaped(&self.rest[..end])?;
        self.skip(end + 1);
        Ok(value)
    }

    fn unescaped(&self, text: &str) -> Result<String, ImportError> {
        let mut parts = text.split('&');
        let mut value = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let unknown = || self.malformed(format!("`&{}` is no entity", short(part)));
            let (entity, rest) = part.split_once(';').ok_or_else(unknown)?;
            let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
            let c = match entity {
                "lt" => Some('<'),
                "gt" => Some('>'),
                "amp" => Some('&'),
                "quot" => Some('"'),
                "apos" => Some('\''),
                _ => match (entity.strip_prefix("#x"), entity.strip_prefix('#')) {
                    (Some(digits), _) => number(digits, 16),
                    (_, Some(digits)) => number(digits, 10),
                    _ => None,
                },
            };
            value.push(c.ok_or_else(unknown)?);
            value.push_str(rest);
        }
        Ok(value)
    }
}

fn short(text: &str) -> String {
    text.chars().take(20).collect()
}
