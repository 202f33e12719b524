//! Random calls of functions that write through references.

use super::Maker;
use crate::program::{Expr, Stmt, Ty};

impl Maker {
    /// Own elements, or an array of its own, are given to a function.
    pub(super) fn lent(&mut self) -> Vec<Stmt> {
        let by = self.small();
        let arrays = self.visible(|v| v.ty == Ty::ArrI && v.mutable);
        let results = self.visible(|v| v.ty == Ty::I32 && v.mutable);
        let result = if results.is_empty() { "ia[i]".into() } else { self.random.pick(&results) };
        let array = if arrays.is_empty() { None } else { Some(self.random.pick(&arrays)) };
        // Part of the array, or all of it.
        let low = self.random.below(4);
        let text = match (self.random.below(6), array) {
            (0, Some(array)) => format!("add_all(&mut {array}, {by})"),
            (1, Some(array)) => format!("add_all(&mut {array}[{low}..], {by})"),
            (2, Some(array)) => format!("{result} = turned(&mut {array}, {by})"),
            (3, Some(array)) => format!("{result} ^= mixed(&mut {array}[{low}..], {by})"),
            (4, _) => format!("{result} -= stepped({result}, {by})"),
            _ => "add_all(&mut ia[i..=i], 5)".into(),
        };
        vec![Stmt::Expr(Expr::Name(text))]
    }

    /// A number or a variable.
    fn small(&mut self) -> String {
        let ints = self.visible(|v| v.ty == Ty::I32);
        match ints.is_empty() || self.random.chance(50) {
            true => (self.random.below(9) as i32 - 4).to_string(),
            false => self.random.pick(&ints),
        }
    }
}
