//! Loops: what the body writes is carried; leaving early is a carried flag that starts false in each turn.

use warp_ir::ir::{CheckKind, Scalar, Value};

use super::exits::Live;
use super::iter::Sequence;
use super::state::Held;
use super::{Cell, Lower};
use crate::front::ast::*;
use crate::front::types::Ty;

impl Lower<'_> {
    pub(super) fn while_(&mut self, id: ExprId, cond: ExprId, body: ExprId, target: Target) -> Vec<Value> {
        if self.effects.is_simple(cond) {
            let run = |l: &mut Self, _: &[Value]| {
                l.expr(body);
                vec![]
            };
            self.turns(id, target, &[], false, |l, _| Some(l.scalar(cond)), run);
            return vec![];
        }
        self.turns(
            id,
            target,
            &[],
            true,
            |_, _| None,
            |l, _| {
                let go = l.condition(cond);
                l.guarded(&Ty::Unit, |l| {
                    l.either(
                        go,
                        &Ty::Unit,
                        |l| {
                            l.expr(body);
                            vec![]
                        },
                        |l| {
                            l.state.set(Cell::broken(target), Held::Known(true));
                            vec![]
                        },
                    )
                });
                vec![]
            },
        );
        vec![]
    }

    pub(super) fn loop_(&mut self, id: ExprId, body: ExprId, target: Target) -> Vec<Value> {
        let ty = self.ty(id).clone();
        let held = self.uninit(&ty);
        self.state.set(Cell::break_value(target), held);
        self.turns(
            id,
            target,
            &[],
            false,
            |_, _| None,
            |l, _| {
                l.expr(body);
                vec![]
            },
        );
        self.sized(Cell::break_value(target), &ty)
    }

    pub(super) fn for_(&mut self, id: ExprId, pat: PatId, iter: &Iter, body: ExprId, target: Target) -> Vec<Value> {
        if let Iter::Value(value) = iter
            && self.typed.nexts.contains_key(&id)
        {
            return self.walk(id, pat, *value, body, target);
        }
        let Some(Sequence { count, item, .. }) = self.sequence(id, iter) else { return vec![] };
        let zero = self.b.u64(0);
        self.turns(
            id,
            target,
            &[zero],
            false,
            |l, counter| Some(l.b.lt(counter[0], count)),
            |l, counter| {
                l.bind_item(id, pat, &item, counter[0]);
                l.expr(body);
                let one = l.b.u64(1);
                vec![l.b.add(counter[0], one)]
            },
        );
        vec![]
    }

    /// `for pat in iterator`, where `iterator` is a struct with `next`.
    fn walk(&mut self, id: ExprId, pat: PatId, value: ExprId, body: ExprId, target: Target) -> Vec<Value> {
        let ty = self.ty(value).clone();
        let behind = self.referred(value);
        let inits = match &behind {
            Some(place) => self.read(place),
            None => self.value(value, &ty),
        };
        let function = self.typed.nexts[&id].clone();
        let item = match Ty::from_type(&function.result) {
            Ty::Option(item) => *item,
            other => other,
        };
        let count = self.count(&item);
        let left = self.turns(
            id,
            target,
            &inits,
            true,
            |_, _| None,
            |l, state| {
                let source = l.source(id);
                let mut results = l.emit_call(&function, state, vec![], source);
                let next = results.split_off((1 + count).min(results.len()));
                let some = results[0];
                let values = results[1..].to_vec();
                l.either(
                    some,
                    &Ty::Unit,
                    |l| {
                        l.bind(pat, &item, &values);
                        l.expr(body);
                        vec![]
                    },
                    |l| {
                        l.state.set(Cell::broken(target), Held::Known(true));
                        vec![]
                    },
                );
                next
            },
        );
        // Rust advances the iterator itself where it is a `&mut`.
        if let Some(place) = behind {
            self.write(&place, &left);
        }
        vec![]
    }

    /// The turns of a loop. `own` are values that it carries beside variables and flags: `cond` and `body` get them,
    /// `body` gives the next ones. A loop whose condition is `None` ends by its flags. `breaks`: whether the lowering
    /// of the body itself sets the loop's flag.
    fn turns(
        &mut self,
        id: ExprId,
        target: Target,
        own: &[Value],
        breaks: bool,
        cond: impl FnOnce(&mut Self, &[Value]) -> Option<Value>,
        body: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        self.state.set(Cell::broken(target), Held::Known(false));
        let (cells, flags) = self.carried(id, target, breaks);
        let mut inits = own.to_vec();
        let mut sizes = vec![];
        for &cell in &cells {
            let values = self.held(cell);
            sizes.push(values.len());
            inits.extend(values);
        }
        let scalars: Vec<Scalar> = inits.iter().map(|&v| self.b.scalar(v)).collect();

        let params = self.b.open(&scalars);
        let mark = self.state.mark();
        self.enter(&cells, &sizes, &params[own.len()..]);
        let go = cond(self, &params[..own.len()]);
        let go = self.loop_condition(go, &flags);
        let cond = self.b.close(&[go]);
        self.state.roll_back(mark);

        let params = self.b.open(&scalars);
        self.enter(&cells, &sizes, &params[own.len()..]);
        for &flag in &flags {
            // The condition implies it.
            self.state.set(flag, Held::Known(false));
        }
        self.state.set(Cell::continued(target), Held::Known(false));
        self.enclosing.push(target);
        let mut next = body(self, &params[..own.len()]);
        self.enclosing.pop();
        for (&cell, &size) in cells.iter().zip(&sizes) {
            let mut values = self.held(cell);
            values.truncate(size);
            next.extend(values);
        }
        let body = self.b.close(&next);
        self.state.roll_back(mark);

        let results = self.b.push_loop(&inits, cond, body);
        self.enter(&cells, &sizes, &results[own.len()..]);
        results[..own.len()].to_vec()
    }

    /// What a loop carries: variables that it writes, flags that it may set, and values that go with them.
    fn carried(&self, id: ExprId, target: Target, breaks: bool) -> (Vec<Cell>, Vec<Cell>) {
        let in_scope = |cell: &Cell| !matches!(self.state.get(*cell), Held::Nothing);
        let mut cells: Vec<Cell> = self.effects.written(id).into_iter().map(Cell::var).filter(in_scope).collect();
        let mut flags: Vec<Cell> = self.effects.exits(id).to_vec();
        let own = Cell::broken(target);
        if breaks || self.effects.sets(self.body, id, own) {
            flags.push(own);
        }
        for &flag in &flags {
            let value = match flag {
                Cell::Returned => Cell::Result,
                Cell::Broken(t) => Cell::BreakValue(t),
                _ => continue,
            };
            if in_scope(&value) {
                cells.push(value);
            }
        }
        cells.extend(&flags);
        (cells, flags)
    }

    /// Cells take the values of a region's parameters or of a loop's results.
    fn enter(&mut self, cells: &[Cell], sizes: &[usize], values: &[Value]) {
        let mut at = 0;
        for (&cell, &size) in cells.iter().zip(sizes) {
            self.state.set(cell, Held::Values(values[at..at + size].to_vec()));
            at += size;
        }
    }

    fn loop_condition(&mut self, go: Option<Value>, flags: &[Cell]) -> Value {
        let stays = match self.live_by(flags) {
            Live::If(live) => Some(live),
            _ => None,
        };
        match (go, stays) {
            (Some(go), Some(stays)) => self.b.and(go, stays),
            (Some(go), None) => go,
            (None, Some(stays)) => stays,
            (None, None) => self.b.bool(true),
        }
    }

    /// Checks the step of `step_by`.
    pub(super) fn check_step(&mut self, id: ExprId, step: Value) {
        let zero = self.b.u64(0);
        let cond = self.b.ne(step, zero);
        let source = self.source(id);
        self.b.check(cond, CheckKind::StepZero, &[], source);
    }
}
