//! Type inference over a whole body, as rustc does it: both directions, literals by variables with a fallback, methods
//! once their receiver is known.

mod call;
mod compare;
mod expr;
mod fallback;
mod field;
mod iter;
mod literal;
mod method;
mod operator;
mod option;
mod pat;
mod scalar;
mod stmt;

use std::collections::HashMap;

use proc_macro2::Span;

use super::ast::*;
use super::errors::Errors;
use super::names::Names;
use super::types::{Argument, LENGTH_HOLE, Ty, Unifier, VarKind};
use crate::env::{CallUse, LiteralUse, MethodAsk, Parameter, Type, TypeId};

pub(crate) use method::{swizzle, vector_method};
pub(crate) use pat::tuple_positions;
pub(crate) use scalar::method as scalar_method;

/// What inference found out.
pub(crate) struct Typed {
    /// Type of each expression.
    pub exprs: Vec<Ty>,
    /// Type of each variable.
    pub vars: Vec<Ty>,
    /// Functions that calls, methods and operators go to; natively lowered ones are not in it.
    pub functions: HashMap<ExprId, FunctionUse>,
    /// `next` of the structs that loops walk over, by the loop.
    pub nexts: HashMap<ExprId, FunctionUse>,
    /// Enums that are compared by the numbers of their variants, with a place each.
    pub compared: Vec<(TypeId, Span)>,
    /// Literals that got their type from an operator of a user's type.
    pub literals: Vec<LiteralUse>,
}

/// A function that is called.
#[derive(Clone, Debug)]
pub(crate) struct FunctionUse {
    /// Identity of the instance.
    pub id: String,
    pub name: String,
    /// Parameters of a generic function, as [`Signature::generics`] has them.
    ///
    /// [`Signature::generics`]: crate::env::Signature::generics
    pub generics: Vec<Parameter>,
    /// How many of them are those of the `impl` block.
    pub of_block: usize,
    /// The type of a generic block.
    pub owner: Option<Type>,
    pub params: Vec<Type>,
    pub result: Type,
    pub how: CallUse,
}

/// What came of it.
pub(crate) enum Inferred {
    Typed(Typed),
    Need(Vec<MethodAsk>),
    Failed(Errors),
}

/// What the surroundings expect of an expression.
#[derive(Clone, Debug)]
enum Expect {
    Nothing,
    /// It is, or coerces to, this type.
    Has(Ty),
    /// It will be cast to this type: a hint for literals.
    Cast(Ty),
}

/// Something that waits for a type.
#[derive(Debug)]
enum Pending {
    Binary { id: ExprId, op: Binary, left: ExprId, right: ExprId },
    Compound { id: ExprId, op: Binary, place: ExprId, value: ExprId },
    Unary { id: ExprId, op: Unary, value: ExprId },
    Field { id: ExprId },
    Index { id: ExprId },
    Method { id: ExprId },
}

impl Pending {
    fn id(&self) -> ExprId {
        match self {
            Pending::Binary { id, .. }
            | Pending::Compound { id, .. }
            | Pending::Unary { id, .. }
            | Pending::Field { id }
            | Pending::Index { id }
            | Pending::Method { id } => *id,
        }
    }
}

struct Infer<'a> {
    names: &'a Names<'a>,
    body: &'a Body,
    unifier: Unifier,
    exprs: Vec<Option<Ty>>,
    vars: Vec<Ty>,
    functions: HashMap<ExprId, FunctionUse>,
    /// Type arguments of calls of generic functions, completed at the end.
    instances: HashMap<ExprId, Vec<(String, Argument)>>,
    nexts: HashMap<ExprId, FunctionUse>,
    /// The same of `next` methods.
    next_instances: HashMap<ExprId, Vec<(String, Argument)>>,
    pending: Vec<Pending>,
    asks: Vec<MethodAsk>,
    errors: Errors,
    /// The type that breaks of a target hand over, and whether there is one.
    breaks: HashMap<Target, (Ty, bool)>,
    /// Whether control cannot get past this point.
    diverges: bool,
    /// Values that are compared part by part: where, their type, and whether by order.
    compared: Vec<(ExprId, Ty, bool)>,
    literals: Vec<LiteralUse>,
    /// Constants whose type their place must decide, and larger constant expressions.
    constants: Vec<ExprId>,
}

/// Infers all types of a body.
pub(crate) fn infer(names: &Names<'_>, body: &Body) -> Inferred {
    let mut infer = Infer {
        names,
        body,
        unifier: Unifier::default(),
        exprs: vec![None; body.exprs.len()],
        vars: vec![],
        functions: HashMap::new(),
        instances: HashMap::new(),
        nexts: HashMap::new(),
        next_instances: HashMap::new(),
        pending: vec![],
        asks: vec![],
        errors: Errors::default(),
        breaks: HashMap::new(),
        diverges: false,
        constants: vec![],
        compared: vec![],
        literals: vec![],
    };
    infer.vars = body.vars.iter().map(|_| infer.unifier.fresh(VarKind::Any)).collect();
    infer.function();
    infer.finish()
}

impl Infer<'_> {
    fn function(&mut self) {
        for parameter in &self.body.params {
            let ty = self.open(&parameter.ty);
            self.pat(parameter.pat, &ty);
        }
        let result = self.open(&self.body.result);
        self.coerced(self.body.root, &result);
    }

    /// The type of an expression that was visited.
    fn type_of(&self, id: ExprId) -> Ty {
        match &self.exprs[id.0 as usize] {
            Some(ty) => self.unifier.shallow(ty),
            None => Ty::Unit,
        }
    }

    /// The type, after everything that can be settled has been.
    fn settled(&mut self, id: ExprId) -> Ty {
        let ty = self.type_of(id);
        if self.unifier.kind(&ty) != Some(VarKind::Any) || self.pending.is_empty() {
            return ty;
        }
        self.solve();
        self.type_of(id)
    }

    fn fresh(&mut self) -> Ty {
        self.unifier.fresh(VarKind::Any)
    }

    /// A type as it is written: a generic struct whose arguments are left out, or are `_`, has some that are not known
    /// yet.
    fn open(&mut self, ty: &Ty) -> Ty {
        let mut inner = |ty: &Ty| Box::new(self.open(ty));
        match ty {
            Ty::Struct(id, given) if given.is_empty() => {
                let parameters = self.names.parameters(id);
                Ty::Struct(id.clone(), parameters.iter().map(|(_, bound)| self.fresh_argument(bound)).collect())
            }
            Ty::Struct(id, given) => {
                let arguments = given.iter().map(|argument| match argument {
                    Argument::Length(LENGTH_HOLE) => Argument::Length(self.unifier.fresh_length()),
                    Argument::Type(ty) => Argument::Type(self.open(ty)),
                    known => known.clone(),
                });
                Ty::Struct(id.clone(), arguments.collect())
            }
            hole if *hole == Ty::HOLE => self.fresh(),
            Ty::Tuple(list) => Ty::Tuple(list.iter().map(|ty| self.open(ty)).collect()),
            Ty::Array(element, len) => Ty::Array(inner(element), *len),
            Ty::Option(of) => Ty::Option(inner(of)),
            other => other.clone(),
        }
    }

    fn fresh_argument(&mut self, bound: &str) -> Argument {
        match bound {
            "usize" => Argument::Length(self.unifier.fresh_length()),
            _ => Argument::Type(self.fresh()),
        }
    }

    fn span(&self, id: ExprId) -> Span {
        self.body.expr(id).span
    }

    fn show(&self, ty: &Ty) -> String {
        match self.unifier.kind(ty) {
            Some(VarKind::Int) => "an integer".into(),
            Some(VarKind::Float) => "a float".into(),
            Some(VarKind::Any) => "an unknown type".into(),
            None => format!("`{}`", self.names.display(&self.unifier.resolve(ty))),
        }
    }

    /// Visits an expression and makes it fit `ty`.
    fn coerced(&mut self, id: ExprId, ty: &Ty) -> Ty {
        let found = self.expr(id, Expect::Has(ty.clone()));
        self.coerce(id, &found, ty);
        found
    }

    /// A value of type `found` stands where `wanted` is needed.
    fn coerce(&mut self, id: ExprId, found: &Ty, wanted: &Ty) {
        if self.unifier.shallow(found) == Ty::Never {
            return;
        }
        self.equal(self.span(id), found, wanted);
    }

    fn equal(&mut self, span: Span, found: &Ty, wanted: &Ty) -> bool {
        let fits = self.unifier.unify(wanted, found);
        if !fits {
            let message = format!("expected {}, found {}", self.show(wanted), self.show(found));
            self.errors.defer(span, message);
        }
        fits
    }

    /// Settles what waits, as far as possible.
    fn solve(&mut self) {
        loop {
            let before = (self.unifier.steps, self.pending.len());
            for pending in std::mem::take(&mut self.pending) {
                if !self.settle(&pending) {
                    self.pending.push(pending);
                }
            }
            if (self.unifier.steps, self.pending.len()) == before {
                return;
            }
        }
    }

    /// Tries one; true when it is done (also with an error).
    fn settle(&mut self, pending: &Pending) -> bool {
        match *pending {
            Pending::Binary { id, op, left, right } => self.settle_binary(id, op, left, right),
            Pending::Compound { id, op, place, value } => self.settle_compound(id, op, place, value),
            Pending::Unary { id, op, value } => self.settle_unary(id, op, value),
            Pending::Field { id } => self.settle_field(id),
            Pending::Index { id } => self.settle_index(id),
            Pending::Method { id } => self.settle_method(id),
        }
    }

    /// Tries at once, else waits.
    fn await_(&mut self, pending: Pending) {
        if !self.settle(&pending) {
            self.pending.push(pending);
        }
    }

    fn ask(&mut self, owner: String, method: String, at: Span) {
        if !self.asks.iter().any(|a| a.owner == owner && a.method == method) {
            self.asks.push(MethodAsk { owner, method, at });
        }
    }
}
