//! Cuts a text into tokens.

use crate::error::ParseError;

/// One token, with what it says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token<'a> {
    /// A name: of an instruction, register, variable or label.
    Word(&'a str),
    /// A dot and what follows: a directive or a modifier, without the dot, with all parts of `shared::cta`.
    Dotted(&'a str),
    /// A whole number. Numbers with more than 64 bits are refused.
    Integer(u64),
    /// `0f` and the bits.
    Single(u32),
    /// `0d` and the bits, or a decimal fraction.
    Double(u64),
    /// What stands between quotation marks.
    Text(&'a str),
    /// A mark of one character.
    Mark(char),
    /// Behind the last token.
    End,
}

impl Token<'_> {
    /// The token in an error message.
    pub(crate) fn said(&self) -> String {
        match self {
            Self::Word(word) => format!("`{word}`"),
            Self::Dotted(word) => format!("`.{word}`"),
            Self::Integer(value) => format!("the number {value}"),
            Self::Single(bits) => format!("the number {}", f32::from_bits(*bits)),
            Self::Double(bits) => format!("the number {}", f64::from_bits(*bits)),
            Self::Text(text) => format!("\"{text}\""),
            Self::Mark(mark) => format!("`{mark}`"),
            Self::End => "the end of the text".to_owned(),
        }
    }
}

/// All tokens with their lines, and [`Token::End`] at last.
pub(crate) fn tokens(text: &str) -> Result<Vec<(Token<'_>, usize)>, ParseError> {
    // Compilers end their texts with a NUL byte, as the driver takes them.
    let mut lexer = Lexer { rest: text.trim_end_matches('\0'), line: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks()?;
        let line = lexer.line;
        let token = lexer.token()?;
        let end = token == Token::End;
        tokens.push((token, line));
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

fn begins_word(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '%')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$')
}

impl<'a> Lexer<'a> {
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::new(self.line, message))
    }

    fn skip_blanks(&mut self) -> Result<(), ParseError> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.take(blanks);
            if self.rest.starts_with("//") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                match self.rest.find("*/") {
                    Some(end) => self.take(end + 2),
                    None => return self.wrong("this comment is never closed with `*/`."),
                };
            } else {
                return Ok(());
            }
        }
    }

    /// How many bytes the characters at the start take that `belongs` accepts, from byte `from` on.
    fn span(&self, from: usize, belongs: impl Fn(char) -> bool) -> usize {
        self.rest[from..].find(|c| !belongs(c)).map_or(self.rest.len(), |n| n + from)
    }

    fn token(&mut self) -> Result<Token<'a>, ParseError> {
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        let second = self.rest[first.len_utf8()..].chars().next().unwrap_or(' ');
        if begins_word(first) {
            return Ok(Token::Word(self.take(self.span(1, is_word))));
        }
        if first == '.' && begins_word(second) && second != '%' {
            return Ok(Token::Dotted(&self.dotted()[1..]));
        }
        if first.is_ascii_digit() || (first == '.' && second.is_ascii_digit()) {
            return self.number();
        }
        if first == '"' {
            let Some(length) = self.rest[1..].find(['"', '\n']).filter(|&n| self.rest[n + 1..].starts_with('"')) else {
                return self.wrong("this text is not closed with `\"` on its line.");
            };
            let quoted = self.take(length + 2);
            return Ok(Token::Text(&quoted[1..=length]));
        }
        if ",;:{}[]()<>+-!@|=~*".contains(first) {
            self.take(1);
            return Ok(Token::Mark(first));
        }
        self.wrong(format!("the character `{}` begins nothing of this language.", first.escape_default()))
    }

    /// `.name`, with all further parts of a name such as `shared::cta`.
    fn dotted(&mut self) -> &'a str {
        let mut end = self.span(1, is_word);
        while self.rest[end..].starts_with("::") {
            end = self.span(end + 2, is_word);
        }
        self.take(end)
    }

    fn number(&mut self) -> Result<Token<'a>, ParseError> {
        let lower = |c: char| c.to_ascii_lowercase();
        let kind = self.rest.chars().nth(1).map_or(' ', lower);
        if self.rest.starts_with('0') && matches!(kind, 'f' | 'd') {
            return self.float_bits(if kind == 'f' { 8 } else { 16 });
        }
        if self.rest.starts_with('0') && matches!(kind, 'x' | 'b') {
            let end = self.span(2, |c| c.is_ascii_hexdigit());
            let digits = &self.rest[2..end];
            return self.integer(digits, if kind == 'x' { 16 } else { 2 }, end);
        }
        let mut end = self.span(0, |c| c.is_ascii_digit());
        let whole = &self.rest[..end];
        if self.rest[end..].starts_with(['.', 'e', 'E']) {
            if self.rest[end..].starts_with('.') {
                end = self.span(end + 1, |c| c.is_ascii_digit());
            }
            if self.rest[end..].starts_with(['e', 'E']) {
                let sign = usize::from(self.rest[end + 1..].starts_with(['+', '-']));
                end = self.span(end + 1 + sign, |c| c.is_ascii_digit());
            }
            let digits = &self.rest[..end];
            let Ok(value) = digits.parse::<f64>() else { return self.wrong(format!("`{digits}` is no number.")) };
            self.take(end);
            return Ok(Token::Double(value.to_bits()));
        }
        let octal = whole.len() > 1 && whole.starts_with('0');
        self.integer(whole, if octal { 8 } else { 10 }, end)
    }

    /// The number that `digits` say, which end at byte `end`; a `U` may follow.
    fn integer(&mut self, digits: &str, radix: u32, end: usize) -> Result<Token<'a>, ParseError> {
        let Ok(value) = u64::from_str_radix(digits, radix) else {
            return self.wrong(format!("`{}` is no whole number of at most 64 bits.", &self.rest[..end]));
        };
        let end = end + usize::from(self.rest[end..].starts_with('U'));
        if self.rest[end..].starts_with(is_word) {
            return self.wrong(format!("letters follow the number `{}`.", &self.rest[..end]));
        }
        self.take(end);
        Ok(Token::Integer(value))
    }

    fn float_bits(&mut self, digits: usize) -> Result<Token<'a>, ParseError> {
        let end = self.span(2, is_word);
        let bits = u64::from_str_radix(&self.rest[2..end], 16).ok().filter(|_| end == digits + 2);
        let Some(bits) = bits else {
            let all = &self.rest[..end];
            return self
                .wrong(format!("`{all}` must have {digits} hexadecimal digits after its first two characters."));
        };
        self.take(end);
        Ok(if digits == 8 { Token::Single(bits as u32) } else { Token::Double(bits) })
    }
}
