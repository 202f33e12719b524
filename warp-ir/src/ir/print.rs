//! `println!` in a kernel: the site is data, the thread records argument bits, the host formats.

use serde::{Deserialize, Serialize};

use super::Scalar;

/// A print site, by position in [`Function::prints`](super::Function::prints).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct PrintId(pub u32);

/// One `println!` or `print!`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct PrintSite {
    /// Text and arguments in order; composite arguments are already taken apart into text and scalars.
    pub pieces: Vec<PrintPiece>,
    /// Whether a line end follows.
    pub newline: bool,
}

/// A piece of a print site, or of what a failed assertion says.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum PrintPiece {
    /// Literal text.
    Text(String),
    /// The next argument.
    Arg {
        /// Its type.
        scalar: Scalar,
        /// What stands after the colon in Rust's format string: ``, `?`, `.3`, `>8`, `08x`.
        spec: String,
    },
    /// The next argument picks which of the pieces that follow appear: the name of an enum's variant, what an `Option`
    /// holds. All of them take their arguments, shown or not.
    Choice {
        /// Type of the argument.
        scalar: Scalar,
        /// A value, and how many of the pieces that follow are its own; in order, one case behind the other.
        cases: Vec<(u64, u32)>,
    },
}

impl PrintPiece {
    /// The type of the argument that the piece takes.
    pub fn argument(&self) -> Option<Scalar> {
        match self {
            PrintPiece::Text(_) => None,
            PrintPiece::Arg { scalar, .. } | PrintPiece::Choice { scalar, .. } => Some(*scalar),
        }
    }

    /// For each of `pieces`, whether it appears when these are the arguments, and the argument that it takes; arguments
    /// that are missing count as 0.
    pub fn shown<'a>(pieces: &'a [PrintPiece], args: &[u64]) -> Vec<(&'a PrintPiece, u64)> {
        let mut args = args.iter().copied();
        let mut hidden: Vec<std::ops::Range<usize>> = vec![];
        let mut shown = vec![];
        for (at, piece) in pieces.iter().enumerate() {
            let bits = piece.argument().map_or(0, |_| args.next().unwrap_or(0));
            if hidden.iter().any(|range| range.contains(&at)) {
                continue;
            }
            shown.push((piece, bits));
            if let PrintPiece::Choice { cases, .. } = piece {
                let mut start = at + 1;
                for (value, count) in cases {
                    let end = start.saturating_add(*count as usize);
                    if *value != bits {
                        hidden.push(start..end);
                    }
                    start = end;
                }
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_hides_the_pieces_of_other_cases() {
        let text = |words: &str| PrintPiece::Text(words.into());
        let number = || PrintPiece::Arg { scalar: Scalar::I32, spec: "?".into() };
        let option = |inner: u32| PrintPiece::Choice { scalar: Scalar::Bool, cases: vec![(0, 1), (1, inner)] };
        // `Option<Option<i32>>`, and a number behind it.
        let mut pieces = vec![option(7), text("None"), text("Some("), option(3), text("None")];
        pieces.extend([text("Some("), number(), text(")"), text(")"), text("; "), number()]);
        let said = |args: &[u64]| -> String {
            let words = PrintPiece::shown(&pieces, args).into_iter().map(|(piece, bits)| match piece {
                PrintPiece::Text(words) => words.clone(),
                PrintPiece::Arg { .. } => bits.to_string(),
                PrintPiece::Choice { .. } => String::new(),
            });
            words.collect()
        };
        assert_eq!(said(&[0, 1, 7, 9]), "None; 9");
        assert_eq!(said(&[1, 0, 7, 9]), "Some(None); 9");
        assert_eq!(said(&[1, 1, 7, 9]), "Some(Some(7)); 9");
    }
}
