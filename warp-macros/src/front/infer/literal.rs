//! Literals without a type beside a user's type: rustc takes the type that the operators of that type allow. These are
//! not known here, as no one lists them; so the type of the struct's own numbers is taken, and rustc asked whether it
//! takes the same.

use warp_ir::ir::Scalar;

use super::operator::Lookup;
use super::*;

impl Infer<'_> {
    /// The operator of a user's type and a literal; `operands` are both in order.
    pub(super) fn beside_user(
        &mut self,
        id: ExprId,
        operands: (&Ty, &Ty),
        kind: VarKind,
        literal: &Ty,
        find: impl Fn(&mut Self, Ty) -> Lookup,
    ) -> Lookup {
        let owner_first = operands.1 == literal;
        let owner = if owner_first { operands.0 } else { operands.1 };
        let choices: &[Ty] = match kind {
            VarKind::Any => return Lookup::Later,
            VarKind::Float => &[Ty::F32, Ty::F64],
            VarKind::Int => &INTEGERS,
        };
        let taken = self.known_choice(choices, &find).unwrap_or_else(|| self.likely(owner, choices));
        let found = find(self, taken.clone());
        if let (Lookup::Found(_), Some(owner)) = (&found, self.unifier.resolve(owner).to_type()) {
            let operator = match self.body.expr(id).kind {
                Kind::Compound { op, .. } => format!("{}=", op.symbol()),
                Kind::Binary { op, .. } => op.symbol().to_string(),
                _ => return found,
            };
            let (taken, float, at) = (taken.name(), taken.is_float(), self.span(id));
            self.literals.push(LiteralUse { owner, owner_first, operator, taken, float, at });
        }
        if let Lookup::Found(_) = found {
            self.unifier.unify(literal, &taken);
        }
        found
    }

    /// In a generic item, the only one of `choices` whose operator has answered: instances take what the definition took.
    fn known_choice(&mut self, choices: &[Ty], find: &impl Fn(&mut Self, Ty) -> Lookup) -> Option<Ty> {
        if self.names.types.is_empty() && self.names.lengths.is_empty() {
            return None;
        }
        let before = self.asks.len();
        let mut known = vec![];
        for choice in choices {
            if let Lookup::Found(_) = find(self, choice.clone()) {
                known.push(choice.clone());
            }
            self.asks.truncate(before);
        }
        known.pop().filter(|_| known.is_empty())
    }

    /// The only one of `choices` among the numbers of a type; Rust's usual one, the first, where that says nothing.
    fn likely(&self, owner: &Ty, choices: &[Ty]) -> Ty {
        let mut numbers = vec![];
        self.numbers(owner, &mut numbers);
        let fitting: Vec<&Ty> = choices.iter().filter(|choice| numbers.contains(choice)).collect();
        match fitting[..] {
            [only] => only.clone(),
            _ => choices[0].clone(),
        }
    }

    fn numbers(&self, ty: &Ty, found: &mut Vec<Ty>) {
        match ty {
            Ty::Struct(..) => {
                for (_, field) in self.names.fields(ty).unwrap_or_default() {
                    self.numbers(&self.unifier.shallow(&field), found);
                }
            }
            Ty::Tuple(list) => list.iter().for_each(|ty| self.numbers(ty, found)),
            Ty::Array(ty, _) | Ty::Option(ty) => self.numbers(ty, found),
            number => found.push(number.clone()),
        }
    }
}

/// Rust's usual one first.
const INTEGERS: [Ty; 10] = [
    Ty::I32,
    Ty::Scalar(Scalar::I8),
    Ty::Scalar(Scalar::I16),
    Ty::Scalar(Scalar::I64),
    Ty::Scalar(Scalar::U8),
    Ty::Scalar(Scalar::U16),
    Ty::U32,
    Ty::Scalar(Scalar::U64),
    Ty::Usize,
    Ty::Isize,
];
