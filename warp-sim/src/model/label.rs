//! Names of bodies, shapes, joints and particles, and the numbers that they stand for.

use std::collections::HashMap;

use super::ModelError;

/// A body of a world, by its number there. The same in all worlds that were replicated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyId(pub(crate) u32);

/// A particle of a world, by its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParticleId(pub(crate) u32);

/// A spring of a world, by its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpringId(pub(crate) u32);

/// A joint of a world, by its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JointId(pub(crate) u32);

macro_rules! index {
    ($($id:ident)*) => {$(
        impl $id {
            /// Its number in its world, from zero, in the order in which things were described.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}
index! { BodyId ParticleId SpringId JointId }

/// The names of one kind of thing in one world; an empty name is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Labels {
    /// The number of one more thing, and what is wrong with its name.
    pub fn add(&mut self, kind: &'static str, label: &str) -> (u32, Option<ModelError>) {
        let number = self.names.len() as u32;
        let taken = !label.is_empty() && self.numbers.insert(label.to_owned(), number).is_some();
        self.names.push(label.to_owned());
        (number, taken.then(|| ModelError::SameLabel { kind, label: label.to_owned() }))
    }

    pub fn find(&self, kind: &'static str, label: &str) -> Result<u32, ModelError> {
        self.numbers.get(label).copied().ok_or_else(|| ModelError::NoSuchLabel {
            kind,
            label: label.to_owned(),
            near: self.nearest(label),
        })
    }

    /// How a message calls it: by its name, else by its number.
    pub fn call(&self, kind: &'static str, number: usize) -> String {
        match self.names.get(number) {
            Some(name) if !name.is_empty() => format!("{kind} `{name}`"),
            _ => format!("{kind} {number}"),
        }
    }

    pub fn of(&self, number: usize) -> &str {
        self.names.get(number).map_or("", String::as_str)
    }

    /// The name that shares the longest beginning with a wrong one, to be offered.
    fn nearest(&self, label: &str) -> Option<String> {
        let common =
            |name: &str| name.chars().zip(label.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
        let best = self.names.iter().max_by_key(|name| common(name))?;
        (common(best) > 0).then(|| best.clone())
    }
}
