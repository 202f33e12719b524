//! Examples in documentation: a paragraph that begins with `Example:`, which tests run.
//!
//! There are three forms: `left` is `right`, which compares by `==`; `left` is about `right`, within rounding; and
//! `condition` holds. In front of them may stand where `name` is `value`, once or more. The paragraph may go on after
//! that.

use crate::library::{own_type_names, type_names};

/// An example, as a condition in Rust that is also one in kernels.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Of what: `Vec3::dot`, `clamp`, `fma`.
    pub of: String,
    /// What must hold.
    pub condition: String,
}

/// How far apart two numbers may be that are about the same, in f32 and in f64.
const ABOUT: &str = "1e-5";

/// The conditions of all examples in a documentation. One that is in none of the forms is the error.
pub fn conditions(doc: &str) -> Result<Vec<String>, String> {
    paragraphs(doc).filter_map(|text| text.strip_prefix("Example: ").map(condition)).collect()
}

/// Paragraphs, each on one line.
pub fn paragraphs(doc: &str) -> impl Iterator<Item = String> {
    doc.split("\n\n").map(|text| text.lines().map(str::trim).collect::<Vec<_>>().join(" "))
}

fn condition(text: &str) -> Result<String, String> {
    if let Some(text) = text.strip_prefix("where ")
        && let ["", name, " is ", value, between, rest] = text.splitn(6, '`').collect::<Vec<_>>()[..]
        && [", ", ", where "].contains(&between)
    {
        let inner = condition(&format!("{}`{rest}", &between[2..]))?;
        return Ok(format!("{{ let {name} = {value}; {inner} }}"));
    }
    let parts: Vec<&str> = text.split('`').collect();
    match parts[..] {
        ["", left, " is ", right, ..] => Ok(format!("({left}) == ({right})")),
        ["", left, " is about ", right, ..] if is_composite(right) => {
            Ok(format!("({left}).abs_diff_eq({right}, {ABOUT})"))
        }
        ["", left, " is about ", right, ..] => Ok(format!("(({left}) - ({right})).abs() < {ABOUT}")),
        ["", condition, rest, ..] if rest.starts_with(" holds") => Ok(condition.into()),
        _ => Err(format!(
            "the example {text:?} is in none of the forms: \"`left` is `right`\", \"`left` is about `right`\", \
             \"`condition` holds\", behind \"where `name` is `value`, \" or not"
        )),
    }
}

/// Whether a value is written by a constructor of a type with `abs_diff_eq`.
fn is_composite(value: &str) -> bool {
    let Some((name, rest)) = value.split_once("::") else { return false };
    let ends = rest.ends_with(')') || rest.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    ends && (type_names().iter().any(|known| known == name) || own_type_names().iter().any(|known| known == name))
}

/// Whole numbers of floats as integers: what is written for `Vec3` is an example for `IVec3` too.
pub(super) fn of_integers(condition: &str) -> String {
    let mut out = String::with_capacity(condition.len());
    let mut rest = condition;
    while let Some(at) = rest.find(".0") {
        let digit_before = rest[..at].ends_with(|c: char| c.is_ascii_digit());
        let digit_behind = rest[at + 2..].starts_with(|c: char| c.is_ascii_digit());
        out.push_str(&rest[..at]);
        if !digit_before || digit_behind {
            out.push_str(".0");
        }
        rest = &rest[at + 2..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_become_conditions() {
        let doc = "What it is.\n\nExample: `a + 1` is\n`b`.\n\nExample: `a` is about `2.0`.\n\n\
                   Example: `v` is about `Vec3::new(1.0, 2.0, 3.0)`, as\nit should.\n\nExample: `x < y` holds.\n\n\
                   Example: where `a` is `1`, `a + 1` is `2`.\n\nExample: where `a` is `1`, where `b` is `a`, `a < b` holds.";
        let expected = [
            "(a + 1) == (b)",
            "((a) - (2.0)).abs() < 1e-5",
            "(v).abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-5)",
            "x < y",
            "{ let a = 1; (a + 1) == (2) }",
            "{ let a = 1; { let b = a; a < b } }",
        ];
        assert_eq!(conditions(doc).unwrap(), expected);
        assert!(conditions("Example: a is b.").unwrap_err().contains("none of the forms"));
        assert_eq!(conditions("Such an Example: `a`."), Ok(vec![]));
    }

    #[test]
    fn whole_numbers_become_integers() {
        assert_eq!(of_integers("Vec3::new(1.0, 20.0, 3.05).0 == x.0"), "Vec3::new(1, 20, 3.05).0 == x.0");
    }
}
