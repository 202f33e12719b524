//! Leaving early: `return`, `break` and `continue` set flags, and what follows runs only where none is set.

use warp_ir::ir::Value;

use super::state::Held;
use super::{Cell, Lower};
use crate::front::ast::*;
use crate::front::planted::{self, Bug};
use crate::front::types::Ty;

/// Whether control is here.
pub(super) enum Live {
    Yes,
    No,
    /// Where this holds.
    If(Value),
}

impl Lower<'_> {
    /// The flags that, when set, mean that control has left this point.
    fn exit_cells(&self) -> Vec<Cell> {
        let mut cells = vec![Cell::Returned];
        for &target in &self.enclosing {
            cells.push(Cell::broken(target));
            cells.push(Cell::continued(target));
        }
        cells
    }

    pub(super) fn live(&mut self) -> Live {
        let cells = self.exit_cells();
        self.live_by(&cells)
    }

    /// Whether none of these flags is set.
    pub(super) fn live_by(&mut self, cells: &[Cell]) -> Live {
        let mut left: Option<Value> = None;
        let mut seen = vec![];
        for &cell in cells {
            match self.state.get(cell).clone() {
                Held::Known(true) => return Live::No,
                Held::Values(values) => seen.extend(values),
                _ => {}
            }
        }
        for value in seen {
            left = Some(match left {
                None => value,
                Some(other) => self.b.or(other, value),
            });
        }
        match left {
            None => Live::Yes,
            Some(left) => Live::If(self.b.not(left)),
        }
    }

    pub(super) fn dead(&self) -> bool {
        self.exit_cells().into_iter().any(|cell| *self.state.get(cell) == Held::Known(true))
    }

    /// Runs `rest` only where control still is; gives values of `ty`.
    pub(super) fn guarded(&mut self, ty: &Ty, rest: impl FnOnce(&mut Self) -> Vec<Value>) -> Vec<Value> {
        match self.live() {
            Live::Yes => {
                let values = rest(self);
                if values.len() == self.count(ty) { values } else { self.zeros(ty) }
            }
            Live::No => self.zeros(ty),
            Live::If(_) if planted::is(Bug::GuardForgetsReturn) => self.staying(rest),
            Live::If(live) => self.either(live, ty, |lower| lower.staying(rest), |lower| lower.zeros(ty)),
        }
    }

    /// Runs `rest` where no flag is set; those that it leaves alone keep what they hold outside.
    fn staying(&mut self, rest: impl FnOnce(&mut Self) -> Vec<Value>) -> Vec<Value> {
        let cells = self.exit_cells().into_iter();
        let held: Vec<(Cell, Held)> = cells.map(|cell| (cell, self.state.get(cell).clone())).collect();
        let held: Vec<(Cell, Held)> = held.into_iter().filter(|(_, held)| matches!(held, Held::Values(_))).collect();
        for (cell, _) in &held {
            self.state.set(*cell, Held::Known(false));
        }
        let values = rest(self);
        for (cell, outside) in held {
            if *self.state.get(cell) == Held::Known(false) {
                self.state.set(cell, outside);
            }
        }
        values
    }

    pub(super) fn return_(&mut self, value: Option<ExprId>) {
        let ty = self.body.result.clone();
        let values = match value {
            Some(value) => self.value(value, &ty),
            None => vec![],
        };
        // The value may itself have left, in some threads: those keep the exit that they took.
        self.guarded(&Ty::Unit, |lower| {
            lower.leave(Cell::Returned, Some((Cell::Result, values)));
            vec![]
        });
    }

    pub(super) fn break_(&mut self, target: Target, value: Option<ExprId>) {
        let held = match value {
            Some(value) => {
                let ty = self.ty(value).clone();
                let values = self.value(value, &ty);
                Some((Cell::break_value(target), values))
            }
            None => None,
        };
        self.guarded(&Ty::Unit, |lower| {
            lower.leave(Cell::broken(target), held);
            vec![]
        });
    }

    pub(super) fn continue_(&mut self, target: Target) {
        let flag = if planted::is(Bug::ContinueBreaks) { Cell::broken(target) } else { Cell::continued(target) };
        self.leave(flag, None);
    }

    fn leave(&mut self, flag: Cell, value: Option<(Cell, Vec<Value>)>) {
        if let Some((cell, values)) = value
            && !values.is_empty()
        {
            self.state.set(cell, Held::Values(values));
        }
        self.state.set(flag, Held::Known(true));
    }

    /// What the function gives: the body's value where control came to its end, else what was returned.
    pub(super) fn joined_result(&mut self, value: Vec<Value>, ty: &Ty) -> Vec<Value> {
        match self.state.get(Cell::Returned).clone() {
            Held::Known(true) => self.sized(Cell::Result, ty),
            Held::Values(flag) => {
                let returned = self.sized(Cell::Result, ty);
                self.choose(flag[0], &returned, &value)
            }
            _ => value,
        }
    }

    /// A cell's values, zeros where it holds none of that type.
    pub(super) fn sized(&mut self, cell: Cell, ty: &Ty) -> Vec<Value> {
        let values = self.held(cell);
        if values.len() == self.count(ty) { values } else { self.zeros(ty) }
    }

    /// `if cond { yes } else { no }` on values that are there.
    pub(super) fn choose(&mut self, cond: Value, yes: &[Value], no: &[Value]) -> Vec<Value> {
        yes.iter().zip(no).map(|(&y, &n)| if y == n { y } else { self.b.select(cond, y, n) }).collect()
    }
}
