//! The user's tokens as one line of text, the way people write them.

use std::collections::HashSet;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

const LONGEST: usize = 80;

/// One line, cut where it is long.
pub(crate) fn one_line(tokens: TokenStream) -> String {
    let mut printer = Printer::default();
    printer.stream(tokens);
    if printer.out.len() <= LONGEST {
        return printer.out;
    }
    let mut cut = LONGEST - 3;
    while !printer.out.is_char_boundary(cut) {
        cut -= 1;
    }
    format!("{}...", &printer.out[..cut])
}

/// The identifiers among tokens.
pub(crate) fn identifiers(tokens: TokenStream) -> HashSet<String> {
    let mut found = HashSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => found.extend([ident.to_string()]),
            TokenTree::Group(group) => found.extend(identifiers(group.stream())),
            _ => {}
        }
    }
    found
}

#[derive(Default)]
struct Printer {
    out: String,
    /// Whether the last token could end an operand.
    operand: bool,
    word: bool,
    /// Whether the last token was a closing bracket.
    closed: bool,
}

impl Printer {
    fn stream(&mut self, tokens: TokenStream) {
        let mut punct = String::new();
        for token in tokens {
            if self.out.len() > LONGEST * 2 {
                return;
            }
            match token {
                TokenTree::Punct(p) => {
                    punct.push(p.as_char());
                    if p.spacing() == Spacing::Alone || !continues(&punct) {
                        self.punct(&std::mem::take(&mut punct));
                    }
                }
                other => {
                    if !punct.is_empty() {
                        self.punct(&std::mem::take(&mut punct));
                    }
                    self.tree(other);
                }
            }
        }
        if !punct.is_empty() {
            self.punct(&punct);
        }
    }

    fn tree(&mut self, token: TokenTree) {
        let TokenTree::Group(group) = token else {
            let text = token.to_string();
            if self.word || self.closed {
                self.out.push(' ');
            }
            self.closed = false;
            self.operand = !matches!(
                text.as_str(),
                "as" | "return" | "if" | "else" | "for" | "while" | "in" | "match" | "let" | "mut"
            );
            self.word = true;
            self.out.push_str(&text);
            return;
        };
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Brace => (" { ", " }"),
            Delimiter::None => ("", ""),
        };
        if self.word && !self.operand {
            self.out.push(' ');
        }
        self.out.push_str(if self.operand { open } else { open.trim_start() });
        (self.operand, self.word, self.closed) = (false, false, false);
        self.stream(group.stream());
        self.out.push_str(close);
        (self.operand, self.word) = (true, false);
        self.closed = true;
    }

    fn punct(&mut self, text: &str) {
        match text {
            "," | ";" | ":" => {
                self.out.push_str(text);
                self.out.push(' ');
                self.operand = false;
            }
            "." | ".." | "..=" | "::" | "!" | "?" | "#" | "'" => {
                if self.word && text == "!" && !self.operand {
                    self.out.push(' ');
                }
                self.out.push_str(text);
                self.operand = text == "?";
            }
            _ if self.operand => {
                self.out.push(' ');
                self.out.push_str(text);
                self.out.push(' ');
                self.operand = false;
            }
            _ => self.out.push_str(text),
        }
        (self.word, self.closed) = (false, false);
    }
}

fn continues(text: &str) -> bool {
    matches!(
        text,
        "+" | "-" | "*" | "/" | "%" | "^" | "!" | "&" | "|" | "=" | "<" | ">" | "<<" | ">>" | ":" | "." | ".."
    )
}

#[cfg(test)]
mod tests {
    use super::one_line;

    fn shown(text: &str) -> String {
        one_line(text.parse().unwrap())
    }

    #[test]
    fn text_reads_as_written() {
        for text in [
            "src[idx[i] as usize]",
            "a + b * -c",
            "f(x, &mut y[i])",
            "p[i].vel.x",
            "a[(i, j)]",
            "x <= 3 && !b",
            "m::f(1.0)",
            "let mut c: f32 = u[(i, j)]",
            "for (k, x) in a.iter().enumerate()",
            "while (a - b) > 1.0",
            "*total += -x",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn long_text_is_cut() {
        let text = shown("abc + ".repeat(40).trim_end_matches(" + "));
        assert!(text.len() <= 80 && text.ends_with("..."));
    }
}
