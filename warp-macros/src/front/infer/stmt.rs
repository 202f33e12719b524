//! Types of blocks, branches and loops.

use super::*;

impl Infer<'_> {
    pub(super) fn block(
        &mut self,
        id: ExprId,
        stmts: &[Stmt],
        tail: Option<ExprId>,
        label: Option<Target>,
        expect: Expect,
    ) -> Ty {
        let outer = std::mem::take(&mut self.diverges);
        if let Some(target) = label {
            let ty = self.expected(&expect).unwrap_or_else(|| self.fresh());
            self.breaks.insert(target, (ty, false));
        }
        for stmt in stmts {
            self.stmt(stmt);
        }
        let ty = match tail {
            Some(tail) => self.expr(tail, expect),
            None if self.diverges => Ty::Never,
            None => Ty::Unit,
        };
        self.diverges |= outer;
        let Some(target) = label else { return ty };
        let (joined, broke) = self.breaks.remove(&target).expect("inserted above");
        if !broke {
            return ty;
        }
        self.diverges = outer;
        self.coerce(id, &ty, &joined);
        joined
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(e) => {
                self.plain(*e);
            }
            Stmt::Let { pat, ty, init, otherwise } => {
                let ty = ty.as_ref().map(|ty| self.open(ty));
                let found = match (init, ty) {
                    (Some(init), Some(ty)) => {
                        self.argument(*init, &ty);
                        ty
                    }
                    (Some(init), None) => {
                        let found = self.plain(*init);
                        // A variable that is never reached may have any type.
                        if found == Ty::Never { self.fresh() } else { found }
                    }
                    (None, Some(ty)) => ty,
                    (None, None) => self.fresh(),
                };
                if let Some(otherwise) = otherwise {
                    let diverged = self.diverges;
                    self.plain(*otherwise);
                    self.diverges = diverged;
                }
                self.pat(*pat, &found);
            }
        }
    }

    pub(super) fn if_(&mut self, cond: ExprId, then: ExprId, otherwise: Option<ExprId>, expect: &Expect) -> Ty {
        self.coerced(cond, &Ty::BOOL);
        let before = self.diverges;
        let Some(otherwise) = otherwise else {
            let found = self.expr(then, Expect::Has(Ty::Unit));
            self.coerce(then, &found, &Ty::Unit);
            self.diverges = before;
            return Ty::Unit;
        };
        let mut joined = Ty::Never;
        let mut all = true;
        for branch in [then, otherwise] {
            self.diverges = false;
            self.join(branch, &mut joined, expect);
            all &= self.diverges;
        }
        self.diverges = before | all;
        joined
    }

    /// One more branch of a value.
    fn join(&mut self, branch: ExprId, joined: &mut Ty, expect: &Expect) {
        let expect = match (expect, &*joined) {
            (Expect::Nothing, Ty::Never) => Expect::Nothing,
            (Expect::Nothing, known) => Expect::Has(known.clone()),
            (other, _) => other.clone(),
        };
        let found = self.expr(branch, expect);
        match joined {
            Ty::Never => *joined = found,
            known => {
                let known = known.clone();
                self.coerce(branch, &found, &known);
            }
        }
    }

    pub(super) fn match_(&mut self, value: ExprId, arms: &[Arm], expect: &Expect) -> Ty {
        let ty = self.plain(value);
        let before = self.diverges;
        let mut joined = Ty::Never;
        let mut all = true;
        for arm in arms {
            self.pat(arm.pat, &ty);
            self.diverges = false;
            if let Some(guard) = arm.guard {
                self.coerced(guard, &Ty::BOOL);
                self.diverges = false;
            }
            self.join(arm.body, &mut joined, expect);
            all &= self.diverges;
        }
        self.diverges = before | all;
        joined
    }

    pub(super) fn while_(&mut self, cond: ExprId, body: ExprId, target: Target) -> Ty {
        self.coerced(cond, &Ty::BOOL);
        self.loop_body(body, target);
        Ty::Unit
    }

    /// A loop's body; what it breaks with is `()`.
    fn loop_body(&mut self, body: ExprId, target: Target) {
        let before = self.diverges;
        self.breaks.insert(target, (Ty::Unit, false));
        self.coerced(body, &Ty::Unit);
        self.breaks.remove(&target);
        self.diverges = before;
    }

    pub(super) fn loop_(&mut self, body: ExprId, target: Target, expect: &Expect) -> Ty {
        let before = self.diverges;
        let ty = self.expected(expect).unwrap_or_else(|| self.fresh());
        self.breaks.insert(target, (ty, false));
        self.coerced(body, &Ty::Unit);
        let (ty, broke) = self.breaks.remove(&target).expect("inserted above");
        self.diverges = before | !broke;
        if broke { ty } else { Ty::Never }
    }

    pub(super) fn break_(&mut self, id: ExprId, target: Target, value: Option<ExprId>) -> Ty {
        if let Some((ty, _)) = self.breaks.get(&target) {
            let ty = ty.clone();
            match value {
                Some(value) => {
                    self.coerced(value, &ty);
                }
                None => {
                    self.equal(self.span(id), &Ty::Unit, &ty);
                }
            }
        }
        if let Some((_, broke)) = self.breaks.get_mut(&target) {
            *broke = true;
        }
        self.diverges = true;
        Ty::Never
    }

    pub(super) fn for_(&mut self, id: ExprId, pat: PatId, iter: &Iter, body: ExprId, target: Target) -> Ty {
        let item = self.iter(id, iter);
        self.pat(pat, &item);
        self.loop_body(body, target);
        Ty::Unit
    }
}
