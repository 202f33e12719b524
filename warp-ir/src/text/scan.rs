//! Reading words, numbers, strings and marks off the text.

use super::parse::ParseError;

/// A place in the text.
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
}

type Read<T> = Result<T, ParseError>;

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Scan<'t> {
        Scan { text, at: 0 }
    }

    /// An error at the current line.
    pub(super) fn error<T>(&self, message: impl Into<String>) -> Read<T> {
        let before = &self.text.as_bytes()[..self.at.min(self.text.len())];
        let line = before.iter().filter(|c| **c == b'\n').count() + 1;
        Err(ParseError { line, message: message.into() })
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("//") {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    /// Whether the text is at its end.
    pub(super) fn at_end(&mut self) -> bool {
        self.skip_space();
        self.rest().is_empty()
    }

    /// Takes a mark, if it comes next.
    pub(super) fn takes(&mut self, mark: char) -> bool {
        self.skip_space();
        let there = self.rest().starts_with(mark);
        if there {
            self.at += mark.len_utf8();
        }
        there
    }

    pub(super) fn mark(&mut self, mark: char) -> Read<()> {
        if self.takes(mark) { Ok(()) } else { self.error(format!("expected `{mark}`{}", self.found())) }
    }

    /// Whether a mark comes next.
    pub(super) fn is_at(&mut self, mark: char) -> bool {
        self.skip_space();
        self.rest().starts_with(mark)
    }

    /// Where the next token is looked for, to go back to.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn go_back(&mut self, position: usize) {
        self.at = position;
    }

    /// The next word, without taking it; empty where a mark comes next.
    pub(super) fn peek(&mut self) -> &'t str {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    }

    /// Takes a word: letters, digits and underscores.
    pub(super) fn word(&mut self) -> Read<&'t str> {
        let word = self.peek();
        if word.is_empty() {
            return self.error(format!("expected a word{}", self.found()));
        }
        self.at += word.len();
        Ok(word)
    }

    /// Takes this word, if it comes next.
    pub(super) fn takes_word(&mut self, word: &str) -> bool {
        let there = self.peek() == word;
        if there {
            self.at += word.len();
        }
        there
    }

    pub(super) fn keyword(&mut self, word: &str) -> Read<()> {
        if self.takes_word(word) { Ok(()) } else { self.error(format!("expected `{word}`{}", self.found())) }
    }

    /// Takes a decimal number.
    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Read<T> {
        let word = self.word()?;
        match word.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.error(format!("expected a number in range, found `{word}`")),
        }
    }

    /// Takes a numbered entity: `handle("array")` reads `array3` as 3.
    pub(super) fn handle(&mut self, prefix: &str) -> Read<u32> {
        let word = self.word()?;
        match word.strip_prefix(prefix).and_then(|n| n.parse().ok()) {
            Some(number) => Ok(number),
            None => self.error(format!("expected `{prefix}` with a number, found `{word}`")),
        }
    }

    /// Takes everything up to the next space, comma or bracket: a constant.
    pub(super) fn literal(&mut self) -> &'t str {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == ',' || c == ']').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes a string.
    pub(super) fn string(&mut self) -> Read<String> {
        self.mark('"')?;
        let mut out = String::new();
        let mut chars = self.rest().char_indices();
        while let Some((k, c)) = chars.next() {
            match c {
                '"' => {
                    self.at += k + 1;
                    return Ok(out);
                }
                '\\' => match chars.next() {
                    Some((_, 'u')) => {
                        let code: String =
                            chars.by_ref().map(|c| c.1).skip(1).take(8).take_while(|c| *c != '}').collect();
                        match u32::from_str_radix(&code, 16).ok().and_then(char::from_u32) {
                            Some(c) => out.push(c),
                            None => return self.error("a string holds an unknown character"),
                        }
                    }
                    Some((_, c @ ('"' | '\\'))) => out.push(c),
                    _ => return self.error("a string holds an unknown escape"),
                },
                c => out.push(c),
            }
        }
        self.error("a string has no end")
    }

    /// Items between `open` and `close`, with commas between.
    pub(super) fn list<T>(
        &mut self,
        open: char,
        close: char,
        mut item: impl FnMut(&mut Self) -> Read<T>,
    ) -> Read<Vec<T>> {
        self.mark(open)?;
        let mut items = Vec::new();
        if self.takes(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.takes(close) {
                return Ok(items);
            }
            self.mark(',')?;
        }
    }

    fn found(&self) -> String {
        match self.rest().split_whitespace().next() {
            Some(word) => format!(", found `{}`", word.chars().take(40).collect::<String>()),
            None => ", found the end".into(),
        }
    }
}
