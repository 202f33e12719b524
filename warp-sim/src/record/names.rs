//! Names as files have them.

use std::collections::BTreeSet;

/// Makes names that are letters, digits and underscores, each given once.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// A name like this one; `otherwise` where it is empty.
    pub fn like(&mut self, label: &str, otherwise: &str) -> String {
        let label = if label.is_empty() { otherwise } else { label };
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut name: String = label.chars().map(plain).collect();
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert(0, '_');
        }
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let free = std::iter::once(name.clone()).chain(numbered).find(|name| !self.taken.contains(name));
        let free = free.unwrap_or(name);
        self.taken.insert(free.clone());
        free
    }
}
