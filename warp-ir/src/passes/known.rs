//! What is known of values while a pass walks forward: constants, defining ops, and what conditions imply.

use crate::builtins::Builtin;
use crate::ir::{Function, Scalar, Value};

/// How far a condition is looked into: conditions may be chains as long as a function.
const DEPTH: u32 = 64;

/// Facts by value. What is learned inside a region is forgotten when it is left.
pub(super) struct Known {
    facts: Vec<Fact>,
    /// Values whose bits were learned from a condition, to be forgotten.
    trail: Vec<(Value, Option<u64>)>,
}

#[derive(Clone, Copy)]
struct Fact {
    scalar: Scalar,
    bits: Option<u64>,
    /// The bits are known everywhere, from the op that defines the value.
    constant: bool,
    def: Def,
}

/// How a value is defined, as far as that helps.
#[derive(Clone, Copy)]
pub(super) enum Def {
    /// Not known, or not helpful.
    Other,
    /// By a builtin of up to three operands.
    Pure(Builtin, [Value; 3], u8),
    /// As a result of an `If`, with the constants that its arms yield.
    Joined { cond: Value, then: Option<u64>, otherwise: Option<u64> },
}

/// A point to come back to.
#[derive(Clone, Copy)]
pub(super) struct Scope(usize);

impl Known {
    pub(super) fn new(function: &Function) -> Known {
        let facts = function
            .values
            .iter()
            .map(|&scalar| Fact { scalar, bits: None, constant: false, def: Def::Other })
            .collect();
        Known { facts, trail: vec![] }
    }

    /// Takes a value in that was made after `new`.
    pub(super) fn add(&mut self, value: Value, scalar: Scalar) {
        debug_assert_eq!(value.0 as usize, self.facts.len());
        self.facts.push(Fact { scalar, bits: None, constant: false, def: Def::Other });
    }

    pub(super) fn scalar(&self, value: Value) -> Scalar {
        self.facts[value.0 as usize].scalar
    }

    /// The bits that a value has here for certain.
    pub(super) fn bits(&self, value: Value) -> Option<u64> {
        self.facts[value.0 as usize].bits
    }

    /// The truth that a `Bool` has here for certain.
    pub(super) fn truth(&self, value: Value) -> Option<bool> {
        self.bits(value).map(|b| b & 1 == 1)
    }

    /// The builtin and operands that define a value.
    pub(super) fn pure(&self, value: Value) -> Option<(Builtin, &[Value])> {
        match &self.facts[value.0 as usize].def {
            Def::Pure(builtin, args, count) => Some((*builtin, &args[..*count as usize])),
            _ => None,
        }
    }

    /// A value is a constant wherever it is visible.
    pub(super) fn set_constant(&mut self, value: Value, bits: u64) {
        let fact = &mut self.facts[value.0 as usize];
        (fact.bits, fact.constant) = (Some(bits), true);
    }

    /// Whether the bits of a value are known from a condition, not from its definition.
    pub(super) fn only_here(&self, value: Value) -> bool {
        let fact = &self.facts[value.0 as usize];
        fact.bits.is_some() && !fact.constant
    }

    /// A value is defined by a builtin.
    pub(super) fn set_pure(&mut self, value: Value, builtin: Builtin, args: &[Value]) {
        if args.len() <= 3 {
            let mut three = [Value(0); 3];
            three[..args.len()].copy_from_slice(args);
            self.facts[value.0 as usize].def = Def::Pure(builtin, three, args.len() as u8);
        }
    }

    /// A value is a result of an `If`.
    pub(super) fn set_joined(&mut self, value: Value, cond: Value, then: Option<u64>, otherwise: Option<u64>) {
        if then.is_some() || otherwise.is_some() {
            self.facts[value.0 as usize].def = Def::Joined { cond, then, otherwise };
        }
    }

    pub(super) fn enter(&self) -> Scope {
        Scope(self.trail.len())
    }

    /// Forgets what was learned since.
    pub(super) fn leave(&mut self, scope: Scope) {
        for (value, bits) in self.trail.drain(scope.0..).rev() {
            self.facts[value.0 as usize].bits = bits;
        }
    }

    /// Learns the bits of a value, and what they imply, until the scope is left.
    pub(super) fn learn(&mut self, value: Value, bits: u64) {
        self.learn_within(value, bits, DEPTH);
    }

    fn learn_within(&mut self, value: Value, bits: u64, depth: u32) {
        let fact = &mut self.facts[value.0 as usize];
        if fact.bits == Some(bits) {
            return;
        }
        self.trail.push((value, fact.bits));
        fact.bits = Some(bits);
        let (scalar, def) = (fact.scalar, fact.def);
        if scalar == Scalar::Bool && depth > 0 {
            self.imply(def, bits & 1 == 1, depth - 1);
        }
    }

    fn imply(&mut self, def: Def, truth: bool, depth: u32) {
        let bits = truth as u64;
        match def {
            Def::Pure(Builtin::Not, [a, ..], _) => self.learn_within(a, !truth as u64, depth),
            Def::Pure(Builtin::And, [a, b, _], _) => self.imply_both(a, b, truth, true, depth),
            Def::Pure(Builtin::Or, [a, b, _], _) => self.imply_both(a, b, truth, false, depth),
            Def::Pure(Builtin::Eq, [a, b, _], _) if truth => self.imply_equal(a, b, depth),
            Def::Pure(Builtin::Ne, [a, b, _], _) if !truth => self.imply_equal(a, b, depth),
            Def::Joined { cond, then, otherwise } => {
                if then.is_some_and(|t| t != bits) {
                    self.learn_within(cond, 0, depth);
                } else if otherwise.is_some_and(|o| o != bits) {
                    self.learn_within(cond, 1, depth);
                }
            }
            _ => {}
        }
    }

    /// `a && b` holds both when true, `a || b` neither when false; otherwise one of them may tell the other.
    fn imply_both(&mut self, a: Value, b: Value, truth: bool, both_when: bool, depth: u32) {
        let bits = truth as u64;
        if truth == both_when {
            self.learn_within(a, bits, depth);
            self.learn_within(b, bits, depth);
        } else if self.truth(a) == Some(both_when) {
            self.learn_within(b, bits, depth);
        } else if self.truth(b) == Some(both_when) {
            self.learn_within(a, bits, depth);
        }
    }

    /// Equal integers share their bits; floats do not (zeros).
    fn imply_equal(&mut self, a: Value, b: Value, depth: u32) {
        if self.scalar(a).is_float() || self.scalar(a).is_half() {
            return;
        }
        match (self.bits(a), self.bits(b)) {
            (Some(bits), None) => self.learn_within(b, bits, depth),
            (None, Some(bits)) => self.learn_within(a, bits, depth),
            _ => {}
        }
    }
}
