//! Types of operators.

use warp_ir::ir::Scalar;

use super::*;
use crate::front::library;

/// What is known of an operand.
enum Side {
    /// A primitive type or a literal.
    Primitive,
    Vector(Ty),
    Other,
    Unknown,
}

impl Infer<'_> {
    pub(super) fn unary(&mut self, id: ExprId, op: Unary, value: ExprId, expect: Expect) -> Ty {
        self.expr(value, expect);
        self.waiting(id, Pending::Unary { id, op, value })
    }

    pub(super) fn settle_unary(&mut self, id: ExprId, op: Unary, value: ExprId) -> bool {
        let ty = self.type_of(value);
        match self.side(&ty) {
            Side::Unknown => return false,
            Side::Primitive | Side::Vector(_) => self.gives(id, &ty),
            Side::Other if ty == Ty::Never => self.gives(id, &ty),
            Side::Other => {
                let name = if op == Unary::Neg { "neg" } else { "not" };
                self.operator_function(id, &ty, name);
            }
        }
        true
    }

    fn operator_function(&mut self, id: ExprId, owner: &Ty, name: &str) {
        match self.find_method(owner, name, self.span(id)) {
            Some(function) => {
                let result = self.operator_use(id, function, &[owner]);
                self.gives(id, &result);
            }
            None => self.unknown_operator(id, owner),
        }
    }

    fn unknown_operator(&mut self, id: ExprId, ty: &Ty) {
        if self.asks.is_empty() {
            let message = format!("kernels do not have this operator on {}", self.show(ty));
            self.errors.defer(self.span(id), message);
        }
        let any = self.fresh();
        self.gives(id, &any);
    }

    pub(super) fn binary(&mut self, id: ExprId, op: Binary, left: ExprId, right: ExprId) -> Ty {
        self.plain(left);
        self.plain(right);
        self.waiting(id, Pending::Binary { id, op, left, right })
    }

    fn side(&self, ty: &Ty) -> Side {
        match self.unifier.kind(ty) {
            Some(VarKind::Any) => return Side::Unknown,
            Some(_) => return Side::Primitive,
            None => {}
        }
        match ty {
            ty if ty.scalar().is_some() => Side::Primitive,
            ty => match library::vector(ty) {
                Some((component, _)) => Side::Vector(component),
                None => Side::Other,
            },
        }
    }

    pub(super) fn settle_binary(&mut self, id: ExprId, op: Binary, left: ExprId, right: ExprId) -> bool {
        let (l, r) = (self.type_of(left), self.type_of(right));
        if l == Ty::Never || r == Ty::Never {
            let any = self.fresh();
            self.gives(id, &any);
            return true;
        }
        if op.is_comparison() {
            return self.settle_comparison(id, op, right, &l, &r);
        }
        match (self.side(&l), self.side(&r)) {
            (Side::Unknown, _) | (_, Side::Unknown) => false,
            (Side::Primitive, Side::Primitive) => {
                if !op.is_shift() {
                    self.equal(self.span(right), &r, &l);
                }
                self.check_primitive(id, op, &l);
                self.gives(id, &l);
                true
            }
            (Side::Vector(_), Side::Vector(_)) => {
                self.equal(self.span(right), &r, &l);
                self.gives(id, &l);
                true
            }
            (Side::Vector(component), Side::Primitive) => {
                if !op.is_shift() {
                    self.equal(self.span(right), &r, &component);
                }
                self.gives(id, &l);
                true
            }
            (Side::Primitive, Side::Vector(component)) => {
                self.equal(self.span(left), &l, &component);
                self.gives(id, &r);
                true
            }
            _ => self.settle_operator(id, op.function(), &l, &r),
        }
    }

    /// What Rust does not have on primitives: reported, as no other phase would.
    fn check_primitive(&mut self, id: ExprId, op: Binary, ty: &Ty) {
        use Binary::*;
        let fits = match self.unifier.shallow(ty) {
            Ty::Scalar(Scalar::Bool) => matches!(op, And | Or | Xor),
            ty if ty.is_float() || self.unifier.kind(&ty) == Some(VarKind::Float) => {
                matches!(op, Add | Sub | Mul | Div | Rem)
            }
            _ => true,
        };
        if !fits {
            let message = format!("there is no `{}` on {}", op.symbol(), self.show(ty));
            self.errors.defer(self.span(id), message);
        }
    }

    /// An operator of a matrix, a quaternion, or a user's struct.
    pub(super) fn settle_operator(&mut self, id: ExprId, name: &str, l: &Ty, r: &Ty) -> bool {
        match self.operator_of(id, name, l, r) {
            Lookup::Found(function) => {
                let result = self.operator_use(id, *function, &[l, r]);
                self.gives(id, &result);
                true
            }
            Lookup::Asked => {
                let any = self.fresh();
                self.gives(id, &any);
                true
            }
            Lookup::Later => false,
            Lookup::Missing => {
                self.unknown_operator(id, if matches!(self.side(l), Side::Other) { l } else { r });
                true
            }
        }
    }

    /// The function of an operator on these operands; gives the type of its result.
    fn operator_use(&mut self, id: ExprId, function: FunctionUse, operands: &[&Ty]) -> Ty {
        let instance = self.instance(&function, &[]);
        if function.owner.is_some() {
            for (param, operand) in function.params.iter().zip(operands) {
                self.equal(self.span(id), operand, &Ty::of(param, &instance));
            }
        }
        let result = Ty::of(&function.result, &instance);
        self.functions.insert(id, function);
        if !instance.is_empty() {
            self.instances.insert(id, instance);
        }
        result
    }

    fn operator_of(&mut self, id: ExprId, name: &str, l: &Ty, r: &Ty) -> Lookup {
        let is_user = |ty: &Ty| match ty {
            Ty::Struct(owner, _) => !library::types().contains_key(owner),
            _ => false,
        };
        // Which operator is meant depends on the arguments of a generic struct, unless both operands are that struct.
        let waits = |infer: &Self, ty: &Ty| is_user(ty) && !infer.unifier.is_known(ty);
        if (waits(self, l) || waits(self, r)) && l.key() != r.key() {
            return Lookup::Later;
        }
        // A literal takes the type that the other operand's operator wants.
        let literal = |infer: &Self, ty: &Ty| infer.unifier.kind(ty);
        if let (true, Some(kind)) = (is_user(l), literal(self, r)) {
            return self.beside_user(id, (l, r), kind, r, |infer, ty| infer.operator_of(id, name, l, &ty));
        }
        if let (true, Some(kind)) = (is_user(r), literal(self, l)) {
            return self.beside_user(id, (l, r), kind, l, |infer, ty| infer.operator_of(id, name, &ty, r));
        }
        if let Some(kind) = literal(self, r) {
            return self.with_literal(kind, r, |infer, scalar| infer.operator_of(id, name, l, &scalar));
        }
        if let Some(kind) = literal(self, l) {
            return self.with_literal(kind, l, |infer, scalar| infer.operator_of(id, name, &scalar, r));
        }
        if is_user(l) {
            let keys = operator_keys(name, &self.unifier.resolve(l), &self.unifier.resolve(r));
            return self.user_operator(id, name, &keys, l, &[l, r]);
        }
        if is_user(r) {
            let keys = [format!("{name} {} Self", l.key())];
            return self.user_operator(id, name, &keys, r, &[l, r]);
        }
        // So do the literals of an array, which is a column beside a matrix.
        if let Ty::Array(element, length) = self.unifier.shallow(r)
            && let Some(kind) = literal(self, &element)
        {
            return self.with_literal(kind, &element, |infer, scalar| {
                infer.operator_of(id, name, l, &Ty::Array(Box::new(scalar), length))
            });
        }
        match library::function(&l.name(), &format!("{name} {}", self.unifier.resolve(r).name())) {
            Some(function) => Lookup::Found(Box::new(function)),
            None => Lookup::Missing,
        }
    }

    fn with_literal(&mut self, kind: VarKind, literal: &Ty, find: impl Fn(&mut Self, Ty) -> Lookup) -> Lookup {
        let candidates: &[Ty] = match kind {
            VarKind::Float => &[Ty::F32, Ty::F64],
            VarKind::Int => &[Ty::I32, Ty::U32, Ty::Usize],
            VarKind::Any => return Lookup::Later,
        };
        let before = self.asks.len();
        for scalar in candidates {
            let found = find(self, scalar.clone());
            if let Lookup::Found(_) = found {
                self.asks.truncate(before);
                self.unifier.unify(literal, scalar);
                return found;
            }
        }
        Lookup::Missing
    }

    /// The first of these methods that is known to take the operands; else the first that is not known is asked.
    fn user_operator(&mut self, id: ExprId, name: &str, keys: &[String], owner: &Ty, operands: &[&Ty]) -> Lookup {
        let Ty::Struct(type_id, arguments) = owner else { return Lookup::Missing };
        let methods = &self.names.env.methods;
        let is_known = |key: &str| methods.contains_key(&(type_id.clone(), key.to_string()));
        let unknown = keys.iter().find(|key| !is_known(key));
        let mut known: Vec<String> = keys.iter().filter(|key| is_known(key)).cloned().collect();
        if !arguments.is_empty() {
            // Rust has one operator at most for two types, whatever the instance that it was asked for.
            let of_owner = methods.keys().filter(|(other, key)| other == type_id && !keys.contains(key));
            let same = |key: &&String| {
                key.split_once(' ').is_some_and(|(other, right)| other == name && !right.ends_with(" Self"))
            };
            let mut others: Vec<String> = of_owner.map(|(_, key)| key).filter(same).cloned().collect();
            others.sort();
            known.extend(others);
        }
        for key in known {
            if let Some(function) = self.find_method(owner, &key, self.span(id))
                && self.takes(&function, operands)
            {
                return Lookup::Found(Box::new(function));
            }
        }
        match unknown {
            Some(key) => {
                self.ask(type_id.clone(), key.clone(), self.span(id));
                Lookup::Asked
            }
            None => Lookup::Missing,
        }
    }

    /// Whether an operator of a generic struct is one for these operands.
    fn takes(&mut self, function: &FunctionUse, operands: &[&Ty]) -> bool {
        if function.owner.is_none() {
            return true;
        }
        let before = self.unifier.clone();
        let instance = self.instance(function, &[]);
        let both = function.params.iter().zip(operands);
        let fits = both.fold(true, |fits, (param, ty)| fits & self.unifier.unify(&Ty::of(param, &instance), ty));
        self.unifier = before;
        fits
    }

    pub(super) fn settle_compound(&mut self, id: ExprId, op: Binary, place: ExprId, value: ExprId) -> bool {
        let (l, r) = (self.type_of(place), self.type_of(value));
        if r == Ty::Never {
            return true;
        }
        match (self.side(&l), self.side(&r)) {
            (Side::Unknown, _) | (_, Side::Unknown) => false,
            (Side::Primitive, Side::Primitive) => {
                if !op.is_shift() {
                    self.equal(self.span(value), &r, &l);
                }
                self.check_primitive(id, op, &l);
                true
            }
            (Side::Vector(_), Side::Vector(_)) => {
                self.equal(self.span(value), &r, &l);
                true
            }
            (Side::Vector(component), Side::Primitive) => {
                self.equal(self.span(value), &r, &component);
                true
            }
            _ => self.settle_assigning(id, op, &l, &r),
        }
    }

    /// `a += b` on a struct: `add_assign` of a user's type; the library's are `a = a + b`.
    fn settle_assigning(&mut self, id: ExprId, op: Binary, l: &Ty, r: &Ty) -> bool {
        let library_type = matches!(l, Ty::Struct(owner, _) if library::types().contains_key(owner));
        let name = match library_type {
            true => op.function().to_string(),
            false => format!("{}_assign", op.function()),
        };
        match self.operator_of(id, &name, l, r) {
            Lookup::Found(function) => {
                self.operator_use(id, *function, &[l, r]);
                true
            }
            Lookup::Asked => true,
            Lookup::Later => false,
            Lookup::Missing => {
                self.unknown_operator(id, l);
                true
            }
        }
    }
}

/// Under which names an operator of a user's type stands. One whose right operand has the type of an argument of the
/// left one is named after that argument, so that it is the same for all instances.
fn operator_keys(name: &str, l: &Ty, r: &Ty) -> Vec<String> {
    let Ty::Struct(_, arguments) = l else { return vec![] };
    let number = arguments.iter().position(|argument| matches!(argument, Argument::Type(ty) if ty == r));
    let by_argument = number.map(|number| format!("{name} #{number}"));
    by_argument.into_iter().chain([format!("{name} {}", r.key())]).collect()
}

pub(super) enum Lookup {
    Found(Box<FunctionUse>),
    /// Its signature was asked for.
    Asked,
    /// The operands are not known well enough.
    Later,
    Missing,
}
