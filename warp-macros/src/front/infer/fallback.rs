//! The end of inference: defaults, and what remains unknown.

use super::*;
use crate::front::library;
use crate::front::types::UNKNOWN_LENGTH;

impl Infer<'_> {
    pub(super) fn finish(mut self) -> Inferred {
        self.solve();
        // What waits for an answer has its type from there, and from no guess.
        if !self.asks.is_empty() {
            return Inferred::Need(self.asks);
        }
        self.default_constants();
        self.report_constants();
        self.default_literals();
        self.solve();
        self.default_literals();
        if !self.asks.is_empty() {
            return Inferred::Need(self.asks);
        }
        let pending: Vec<ExprId> = self.pending.iter().map(Pending::id).collect();
        for id in pending {
            if self.errors.is_empty() && !self.inside_whole_constant(id) {
                self.errors.defer(self.span(id), "kernels cannot find out the type of this: write it at a `let`");
            }
        }
        self.complete_instances();
        let compared = self.report_comparisons();
        self.report_variables();
        if !self.errors.is_empty() {
            return Inferred::Failed(self.errors);
        }
        let exprs = self.exprs.iter().map(|t| t.as_ref().map_or(Ty::Unit, |t| self.unifier.resolve(t))).collect();
        let vars = self.vars.iter().map(|t| self.unifier.resolve(t)).collect();
        Inferred::Typed(Typed {
            exprs,
            vars,
            functions: self.functions,
            nexts: self.nexts,
            compared,
            literals: self.literals,
        })
    }

    /// A constant beside a known operand takes the likeliest type; rustc checks it.
    fn default_constants(&mut self) {
        loop {
            let before = self.unifier.steps;
            let mut waiting = vec![];
            let mut results = vec![];
            for pending in &self.pending {
                match *pending {
                    Pending::Binary { id, op, left, right } => {
                        waiting.push((op, left, right));
                        results.push((id, Some((op, left, right)), left));
                    }
                    Pending::Compound { op, place, value, .. } => waiting.push((op, place, value)),
                    Pending::Unary { id, value, .. } => results.push((id, None, value)),
                    _ => {}
                }
            }
            for (id, binary, value) in results {
                self.default_by_result(id, binary, value);
            }
            if self.unifier.steps != before {
                self.solve();
                continue;
            }
            for (op, left, right) in waiting {
                self.default_operand(op, left, right);
            }
            if self.unifier.steps == before {
                return;
            }
            self.solve();
        }
    }

    fn default_operand(&mut self, op: Binary, left: ExprId, right: ExprId) {
        let (l, r) = (self.type_of(left), self.type_of(right));
        let any = |infer: &Self, ty: &Ty| infer.unifier.kind(ty) == Some(VarKind::Any);
        let (unknown, known) = match (any(self, &l), any(self, &r)) {
            // What is shifted has its own type, whatever that of the amount.
            (true, false) if op.is_shift() => return,
            (true, false) => (l, r),
            (false, true) => (r, l),
            _ => return,
        };
        if self.unifier.kind(&known).is_some() {
            return;
        }
        let scaled = matches!(op, Binary::Mul | Binary::Div | Binary::Rem);
        let guess = match library::vector(&known) {
            Some((component, _)) if scaled => component,
            _ if known.scalar().is_some() || library::vector(&known).is_some() => known,
            _ => return,
        };
        self.unifier.unify(&unknown, &guess);
    }

    /// Constants that a vector is made of: `-UP`, `UP * 2.0`, `UP - DOWN` where the place says that it is a vector.
    fn default_by_result(&mut self, id: ExprId, binary: Option<(Binary, ExprId, ExprId)>, value: ExprId) {
        let result = self.type_of(id);
        if library::vector(&result).is_none() {
            return;
        }
        let unknown = |infer: &Self, e: ExprId| infer.unifier.kind(&infer.type_of(e)) == Some(VarKind::Any);
        let scalar = |infer: &Self, e: ExprId| {
            let ty = infer.type_of(e);
            ty.scalar().is_some() || matches!(infer.unifier.kind(&ty), Some(VarKind::Int | VarKind::Float))
        };
        let operands = match binary {
            None => vec![value],
            Some((Binary::Add | Binary::Sub, left, right)) => vec![left, right],
            // Beside a vector stands a number more often than another vector.
            Some((Binary::Mul, left, right)) if scalar(self, right) => vec![left],
            Some((Binary::Mul, left, right)) if scalar(self, left) => vec![right],
            Some((Binary::Div | Binary::Rem, left, right)) if scalar(self, right) => vec![left],
            Some(_) => vec![],
        };
        for operand in operands {
            if unknown(self, operand) {
                let ty = self.type_of(operand);
                self.unifier.unify(&ty, &result);
            }
        }
    }

    /// Constants whose place does not say their type.
    fn report_constants(&mut self) {
        let constants = std::mem::take(&mut self.constants);
        for &id in &constants {
            let ty = self.type_of(id);
            let reported_around = constants.iter().any(|&outer| {
                outer != id && self.unifier.kind(&self.type_of(outer)).is_some() && self.contains(outer, id)
            });
            if self.unifier.kind(&ty).is_none() || reported_around || self.inside_known(id, &constants) {
                continue;
            }
            let (Kind::Constant { tokens, .. } | Kind::Folded { tokens, .. }) = &self.body.expr(id).kind else {
                continue;
            };
            let text = crate::front::text::one_line(tokens.clone());
            let name = text.rsplit([':', '.']).next().unwrap_or("c").to_lowercase();
            let name: String = name.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
            let likely = if self.unifier.kind(&ty) == Some(VarKind::Int) { "i32" } else { "f32" };
            self.errors.refuse(
                self.span(id),
                format!(
                    "the place of the constant `{text}` does not say its type: write `let {name}: {likely} = {text};` \
                     (with its type) and use that"
                ),
            );
        }
        self.constants = constants;
    }

    /// Whether a larger constant expression around it is known, and rustc evaluates that as a whole.
    fn inside_known(&self, id: ExprId, constants: &[ExprId]) -> bool {
        constants.iter().any(|&outer| {
            let Kind::Folded { inner, .. } = self.body.expr(outer).kind else { return false };
            let ty = self.type_of(outer);
            let whole = ty.scalar().is_some() || self.body.is_part(inner);
            outer != id && self.unifier.kind(&ty).is_none() && whole && self.contains(outer, id)
        })
    }

    fn inside_whole_constant(&self, id: ExprId) -> bool {
        self.inside_known(id, &self.constants)
    }

    /// Whether `inner` stands inside the constant expression `outer`.
    fn contains(&self, outer: ExprId, inner: ExprId) -> bool {
        if outer == inner {
            return true;
        }
        match &self.body.expr(outer).kind {
            Kind::Folded { inner: next, .. } => self.contains(*next, inner),
            Kind::Unary { value, .. } | Kind::Cast { value, .. } => self.contains(*value, inner),
            Kind::Binary { left, right, .. } => self.contains(*left, inner) || self.contains(*right, inner),
            Kind::Field { base, .. } => self.contains(*base, inner),
            _ => false,
        }
    }

    /// Rust's fallback: `i32` and `f64`.
    fn default_literals(&mut self) {
        self.unifier.default_literals();
    }

    fn complete_instances(&mut self) {
        for (id, instance) in std::mem::take(&mut self.instances) {
            let Some(mut function) = self.functions.remove(&id) else { continue };
            self.complete(id, &mut function, instance);
            self.functions.insert(id, function);
        }
        for (id, instance) in std::mem::take(&mut self.next_instances) {
            let Some(mut function) = self.nexts.remove(&id) else { continue };
            self.complete(id, &mut function, instance);
            self.nexts.insert(id, function);
        }
    }

    /// Gives a generic function the arguments that were found.
    fn complete(&mut self, id: ExprId, function: &mut FunctionUse, instance: Vec<(String, Argument)>) {
        let resolved = instance.into_iter().map(|(name, argument)| (name, self.unifier.resolve_argument(&argument)));
        let instance: Vec<(String, Argument)> = resolved.collect();
        let (mut types, mut lengths, mut names) = (vec![], vec![], vec![]);
        for (name, argument) in &instance {
            match argument {
                Argument::Type(ty) => {
                    names.push(ty.name());
                    types.extend(ty.to_type().map(|t| (name.clone(), t)));
                }
                Argument::Length(len) => {
                    names.push(len.to_string());
                    lengths.extend((*len < UNKNOWN_LENGTH).then(|| (name.clone(), *len)));
                }
            }
        }
        if types.len() + lengths.len() != instance.len() {
            let sentence = "kernels cannot find out for which types this generic function is called";
            self.errors.defer(self.span(id), sentence);
            return;
        }
        function.id = format!("{}<{}>", function.id, names.join(","));
        for param in &mut function.params {
            *param = substitute(param, &instance);
        }
        function.result = substitute(&function.result, &instance);
        match &mut function.how {
            CallUse::Path { types: all_types, lengths: all_lengths, .. }
            | CallUse::Method { types: all_types, lengths: all_lengths, .. } => {
                (*all_types, *all_lengths) = (types, lengths);
            }
            CallUse::Library => {}
        }
    }

    /// Variables whose type remained unknown, unless something was said already.
    fn report_variables(&mut self) {
        if !self.errors.is_empty() {
            return;
        }
        for (k, ty) in self.vars.iter().enumerate() {
            let known = self.unifier.resolve(ty);
            if self.unifier.kind(&known) == Some(VarKind::Any) {
                continue; // Never met by a value: a pattern in code that cannot run.
            }
            if !self.unifier.is_known(&known) {
                let var = &self.body.vars[k];
                self.errors.defer(var.span, format!("kernels cannot find out the type of `{}`: write it", var.name));
            }
        }
    }
}

/// A type of a signature for one instance, which keeps how arguments are passed.
fn substitute(ty: &Type, instance: &[(String, Argument)]) -> Type {
    let inner = |t: &Type| Box::new(substitute(t, instance));
    match ty {
        Type::MutRef(t) => Type::MutRef(inner(t)),
        Type::Ref(t) => Type::Ref(inner(t)),
        other => Ty::of(other, instance).to_type().unwrap_or(Type::Unit),
    }
}
