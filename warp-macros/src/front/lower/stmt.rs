//! Blocks and statements.

use warp_ir::ir::Value;

use super::arms::piece;
use super::exits::Live;
use super::order::Step;
use super::state::Held;
use super::{Cell, Lower};
use crate::front::ast::*;
use crate::front::types::Ty;

impl Lower<'_> {
    pub(super) fn block(
        &mut self,
        id: ExprId,
        stmts: &[Stmt],
        tail: Option<ExprId>,
        label: Option<Target>,
    ) -> Vec<Value> {
        let statement = self.b.place();
        let values = self.labelled(id, stmts, tail, label);
        self.b.at(statement);
        values
    }

    fn labelled(&mut self, id: ExprId, stmts: &[Stmt], tail: Option<ExprId>, label: Option<Target>) -> Vec<Value> {
        let ty = self.ty(id).clone();
        let Some(target) = label else { return self.stmts(stmts, tail, &ty) };
        self.state.set(Cell::broken(target), Held::Known(false));
        let held = self.uninit(&ty);
        self.state.set(Cell::break_value(target), held);
        self.enclosing.push(target);
        let values = self.stmts(stmts, tail, &ty);
        self.enclosing.pop();
        match self.state.get(Cell::broken(target)).clone() {
            Held::Known(true) => self.sized(Cell::break_value(target), &ty),
            Held::Values(flag) => {
                let broken = self.sized(Cell::break_value(target), &ty);
                self.choose(flag[0], &broken, &values)
            }
            _ => values,
        }
    }

    /// Statements, each where control still is, then the value. What follows a statement that may leave stands in a
    /// branch of its own, so a long row of them is cut into pieces.
    fn stmts(&mut self, stmts: &[Stmt], tail: Option<ExprId>, ty: &Ty) -> Vec<Value> {
        let Some(cut) = self.cut_row(stmts) else { return self.row(stmts, tail, ty) };
        let (first, rest) = stmts.split_at(cut);
        let mut declared = vec![];
        for stmt in first {
            if let Stmt::Let { pat, .. } = stmt {
                declared.extend(self.declare(*pat));
            }
        }
        self.row(first, None, &Ty::Unit);
        self.undeclare(&declared);
        self.guarded(ty, |lower| lower.stmts(rest, tail, ty))
    }

    /// Where the first piece of a row ends that is too long to nest.
    fn cut_row(&self, stmts: &[Stmt]) -> Option<usize> {
        let leaving: Vec<usize> = (0..stmts.len()).filter(|k| self.statement_leaves(&stmts[*k])).collect();
        let cut = *leaving.get(piece(leaving.len()))?;
        // Names for parts of a place do not outlive the branch that they are made in.
        let named = |stmt: &Stmt| matches!(stmt, Stmt::Let { init: Some(init), .. } if self.names_part(*init));
        (!stmts[..cut].iter().any(named)).then_some(cut)
    }

    fn statement_leaves(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Expr(e) => self.effects.leaves(*e),
            Stmt::Let { init, otherwise, .. } => {
                [init, otherwise].into_iter().flatten().any(|e| self.effects.leaves(*e))
            }
        }
    }

    fn row(&mut self, stmts: &[Stmt], tail: Option<ExprId>, ty: &Ty) -> Vec<Value> {
        for (k, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[k + 1..];
            stmt.evaluates().into_iter().for_each(|expr| self.begin_statement(expr));
            if let Some(values) = self.guard_clause(stmt, rest, tail, ty) {
                return values;
            }
            if let Stmt::Let { init: Some(init), .. } = stmt
                && self.effects.leaves(*init)
                && self.names_part(*init)
            {
                let steps = self.naming_steps(*init);
                return self.row_behind(&steps, stmt, rest, tail, ty);
            }
            self.stmt(stmt);
            match self.live() {
                Live::Yes => {}
                Live::No => return self.zeros(ty),
                Live::If(_) => return self.guarded(ty, |lower| lower.row(rest, tail, ty)),
            }
        }
        match tail {
            Some(tail) => {
                self.begin_statement(tail);
                self.value(tail, ty)
            }
            None => self.zeros(ty),
        }
    }

    /// Whether `let name = init;` makes a name for a part of something, rather than a value.
    fn names_part(&self, init: ExprId) -> bool {
        let memory = matches!(self.ty(init), Ty::Slice { .. }) && !matches!(self.body.expr(init).kind, Kind::Var(_));
        memory || self.is_split(init) || self.effects.references.is_reference(self.body, init)
    }

    /// A name for a part whose bounds or index may leave, then what follows: the steps are taken one after another.
    fn row_behind(&mut self, steps: &[Step], stmt: &Stmt, rest: &[Stmt], tail: Option<ExprId>, ty: &Ty) -> Vec<Value> {
        let Some((&step, more)) = steps.split_first() else {
            self.stmt(stmt);
            return self.row(rest, tail, ty);
        };
        self.take_step(step);
        let values = self.guarded(ty, |lower| lower.row_behind(more, stmt, rest, tail, ty));
        self.forget_step(step);
        values
    }

    /// `if cond { leave }` and `let .. else { leave }`: what follows goes into the other branch, without flags.
    fn guard_clause(&mut self, stmt: &Stmt, rest: &[Stmt], tail: Option<ExprId>, ty: &Ty) -> Option<Vec<Value>> {
        match stmt {
            Stmt::Expr(e) => {
                let Kind::If { cond, then, otherwise: None } = self.body.expr(*e).kind else { return None };
                if !self.leaves_always(then) || self.effects.leaves(cond) {
                    return None;
                }
                let cond = self.condition(cond);
                let leave = |l: &mut Self| {
                    l.expr(then);
                    l.zeros(ty)
                };
                Some(self.either(cond, ty, leave, |l| l.row(rest, tail, ty)))
            }
            Stmt::Let { pat, init: Some(init), otherwise: Some(otherwise), .. } => {
                let of = self.let_type(stmt, *init);
                let place = self.referred(*init);
                let values = match &place {
                    Some(place) => self.read(place),
                    None => self.value(*init, &of),
                };
                Some(self.guarded(ty, |lower| {
                    let Some(cond) = lower.matches(*pat, &of, &values) else {
                        lower.bind_to(*pat, &of, &values, place.as_ref());
                        return lower.row(rest, tail, ty);
                    };
                    let run = |l: &mut Self| {
                        l.bind_to(*pat, &of, &values, place.as_ref());
                        l.row(rest, tail, ty)
                    };
                    let leave = |l: &mut Self| {
                        l.expr(*otherwise);
                        l.zeros(ty)
                    };
                    lower.either(cond, ty, run, leave)
                }))
            }
            _ => None,
        }
    }

    /// Whether control cannot get past an expression.
    fn leaves_always(&self, id: ExprId) -> bool {
        *self.ty(id) == Ty::Never
    }

    fn let_type(&self, stmt: &Stmt, init: ExprId) -> Ty {
        match stmt {
            // What is written says not all.
            Stmt::Let { ty: Some(ty), .. } if self.names.is_open(ty) => self.ty(init).clone(),
            Stmt::Let { ty: Some(ty), .. }
                if super::value::leaves(self.names, ty).len() == self.count(self.ty(init)) =>
            {
                self.ty(init).clone()
            }
            Stmt::Let { ty: Some(ty), .. } => ty.clone(),
            _ => self.ty(init).clone(),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(e) => {
                self.expr(*e);
            }
            Stmt::Let { pat, init: Some(init), .. } => {
                if self.memory_renamed(*pat, *init) {
                    return;
                }
                if let Some(place) = self.referred(*init) {
                    let ty = self.ty(*init).clone();
                    self.bind_place(*pat, &ty, &place);
                    return;
                }
                if self.array_variable(*pat, *init) {
                    return;
                }
                let ty = self.let_type(stmt, *init);
                let values = self.value(*init, &ty);
                self.bind(*pat, &ty, &values);
            }
            Stmt::Let { pat, init: None, .. } => {
                for var in self.pattern_vars(*pat) {
                    let ty = self.var_type(var);
                    if self.in_memory.contains(&var) {
                        self.memory_of_array(var, &ty);
                    } else {
                        let held = self.uninit(&ty);
                        self.state.set(Cell::var(var), held);
                    }
                }
            }
        }
    }
}
