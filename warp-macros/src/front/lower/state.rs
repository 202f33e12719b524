//! What variables and flags hold at a point of the program, with a trail that branches roll back along.

use std::collections::{BTreeMap, HashMap};

use warp_ir::ir::{Scalar, Value};

use crate::front::ast::{Target, VarId};

/// Something that holds values and may change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Cell {
    Var(u32),
    /// Whether the function has returned.
    Returned,
    /// What it returns.
    Result,
    /// Whether a loop or labelled block was left by `break`.
    Broken(u32),
    /// What it was left with.
    BreakValue(u32),
    /// Whether the rest of a loop's turn is skipped.
    Continued(u32),
}

impl Cell {
    pub(crate) fn var(var: VarId) -> Cell {
        Cell::Var(var.0)
    }

    pub(crate) fn broken(target: Target) -> Cell {
        Cell::Broken(target.0)
    }

    pub(crate) fn break_value(target: Target) -> Cell {
        Cell::BreakValue(target.0)
    }

    pub(crate) fn continued(target: Target) -> Cell {
        Cell::Continued(target.0)
    }
}

/// What a cell holds.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) enum Held {
    /// Not in scope.
    #[default]
    Nothing,
    /// Declared, without a value yet.
    Uninit(Vec<Scalar>),
    Values(Vec<Value>),
    /// A flag whose value is known.
    Known(bool),
}

#[derive(Debug)]
pub(crate) struct State {
    cells: HashMap<Cell, Held>,
    trail: Vec<(Cell, Held)>,
}

/// What a branch changed.
pub(crate) type Changes = BTreeMap<Cell, Held>;

impl State {
    pub(crate) fn new(vars: usize) -> State {
        State { cells: HashMap::with_capacity(vars + 8), trail: vec![] }
    }

    pub(crate) fn get(&self, cell: Cell) -> &Held {
        const NOTHING: &Held = &Held::Nothing;
        self.cells.get(&cell).unwrap_or(NOTHING)
    }

    pub(crate) fn set(&mut self, cell: Cell, held: Held) {
        let old = self.cells.insert(cell, held).unwrap_or_default();
        self.trail.push((cell, old));
    }

    /// A point to roll back to.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes all changes since `mark`, and gives them.
    pub(crate) fn roll_back(&mut self, mark: usize) -> Changes {
        let mut changes = Changes::new();
        for (cell, old) in self.trail.split_off(mark).into_iter().rev() {
            let new = self.cells.insert(cell, old).unwrap_or_default();
            // Going backwards, the first one seen is the last one set.
            changes.entry(cell).or_insert(new);
        }
        changes.retain(|cell, held| self.cells.get(cell) != Some(held));
        changes
    }
}
