//! Types of calls.

use super::*;
use crate::env::{Face, Signature};
use crate::front::library;
use crate::front::lower::builtin;

impl Infer<'_> {
    pub(super) fn call(&mut self, id: ExprId, callee: &Callee, generics: &[Generic], args: &[ExprId]) -> Ty {
        match callee {
            Callee::Func { key, span, tokens } => match self.names.env.faces.get(key) {
                Some(Face::Func(signature)) => {
                    let path = syn::parse2(tokens.clone()).expect("the tokens of a path are a path");
                    let how = CallUse::Path { path, types: vec![], lengths: vec![] };
                    self.function_call(id, FunctionUse::of(signature, how), None, generics, args)
                }
                _ => match library::function("", key) {
                    Some(function) => self.function_call(id, function, None, generics, args),
                    None => self.no_function(*span, key, args),
                },
            },
            Callee::Builtin { name, span } => self.builtin(id, name, *span, args),
            Callee::Assoc { ty, name, span } => {
                let ty = self.open(ty);
                self.assoc(id, &ty, name, *span, generics, args)
            }
        }
    }

    fn no_function(&mut self, span: Span, name: &str, args: &[ExprId]) -> Ty {
        for &arg in args {
            self.plain(arg);
        }
        self.errors.defer(span, format!("kernels do not know the function `{name}`"));
        self.fresh()
    }

    /// A call of a function, generic or not; `owner` is the type in front of an associated one.
    pub(super) fn function_call(
        &mut self,
        id: ExprId,
        function: FunctionUse,
        owner: Option<&Ty>,
        generics: &[Generic],
        args: &[ExprId],
    ) -> Ty {
        self.instance_call(id, function, owner, generics, 0, args)
    }

    /// A call of a method whose receiver, its first parameter, is known.
    pub(super) fn method_call(
        &mut self,
        id: ExprId,
        function: FunctionUse,
        receiver: &Ty,
        generics: &[Generic],
        args: &[ExprId],
    ) -> Ty {
        self.instance_call(id, function, Some(receiver), generics, 1, args)
    }

    fn instance_call(
        &mut self,
        id: ExprId,
        function: FunctionUse,
        owner: Option<&Ty>,
        generics: &[Generic],
        known: usize,
        args: &[ExprId],
    ) -> Ty {
        let instance = self.instance(&function, generics);
        if let (Some(of_block), Some(owner)) = (&function.owner, owner) {
            self.equal(self.span(id), owner, &Ty::of(of_block, &instance));
        }
        let params: Vec<Ty> = function.params.iter().skip(known).map(|t| Ty::of(t, &instance)).collect();
        self.arguments(id, &function.name, &params, args);
        let result = Ty::of(&function.result, &instance);
        if result == Ty::Never {
            self.diverges = true;
        }
        self.functions.insert(id, function);
        if !instance.is_empty() {
            self.instances.insert(id, instance);
        }
        result
    }

    /// The parameters of a generic function: as written out, and else to be found out.
    pub(super) fn instance(&mut self, function: &FunctionUse, generics: &[Generic]) -> Vec<(String, Argument)> {
        let mut instance: Vec<(String, Argument)> = vec![];
        for (k, (name, bound)) in function.generics.iter().enumerate() {
            let argument = self.fresh_argument(bound);
            // Those of a block are written, if at all, behind the name of its type.
            let written = k.checked_sub(function.of_block).and_then(|k| generics.get(k));
            match (&argument, written) {
                (Argument::Type(var), Some(Generic::Type(given))) => {
                    let given = self.open(given);
                    self.unifier.unify(var, &given);
                }
                (Argument::Length(var), Some(Generic::Length(given))) => {
                    self.unifier.unify_lengths(*var, *given);
                }
                _ => {}
            }
            instance.push((name.clone(), argument));
        }
        instance
    }

    pub(super) fn arguments(&mut self, id: ExprId, name: &str, params: &[Ty], args: &[ExprId]) {
        if params.len() != args.len() {
            let message = format!("`{name}` takes {} arguments, found {}", params.len(), args.len());
            self.errors.defer(self.span(id), message);
        }
        for (k, &arg) in args.iter().enumerate() {
            match params.get(k) {
                Some(param) => self.argument(arg, param),
                None => {
                    self.plain(arg);
                }
            }
        }
    }

    pub(super) fn argument(&mut self, arg: ExprId, param: &Ty) {
        let Ty::Slice { element, .. } = param else {
            self.coerced(arg, param);
            return;
        };
        self.plain(arg);
        // An array becomes a slice of itself.
        match self.settled(arg) {
            Ty::Array(found, _) => {
                self.equal(self.span(arg), &found, element);
            }
            found => self.coerce(arg, &found, param),
        }
    }

    fn builtin(&mut self, id: ExprId, name: &str, span: Span, args: &[ExprId]) -> Ty {
        let Some(row) = builtin::free(name) else {
            return self.no_function(span, name, args);
        };
        match row {
            builtin::Free::Tid(1) => Ty::Usize,
            builtin::Free::Tid(n) => Ty::Tuple(vec![Ty::Usize; n as usize]),
            builtin::Free::Detach => {
                let [value] = args else { return self.no_function(span, name, args) };
                self.plain(*value)
            }
            builtin::Free::ClampBounds => {
                let [low, high] = args else { return self.no_function(span, name, args) };
                let ty = self.plain(*low);
                self.coerced(*high, &ty);
                Ty::Unit
            }
            builtin::Free::Atomic(kind) => {
                let Some((&place, rest)) = args.split_first() else { return self.no_function(span, name, args) };
                let ty = self.plain(place);
                if rest.len() != builtin::atomic_operands(kind) {
                    let wanted = builtin::atomic_operands(kind) + 1;
                    self.errors.defer(self.span(id), format!("`{name}` takes {wanted} arguments"));
                }
                for &arg in rest {
                    self.coerced(arg, &ty);
                }
                ty
            }
        }
    }

    /// `Type::function(..)`.
    fn assoc(&mut self, id: ExprId, ty: &Ty, name: &str, span: Span, generics: &[Generic], args: &[ExprId]) -> Ty {
        if let Some((params, result)) = super::scalar::associated(ty, name) {
            self.arguments(id, name, &params, args);
            return result;
        }
        if let Some(result) = self.conversion(ty, name, args) {
            return result;
        }
        if let Some(params) = constructor(ty, name) {
            self.arguments(id, name, &params, args);
            return ty.clone();
        }
        // A method by its path: `f32::max(a, b)`.
        if ty.scalar().is_some()
            && let Some(&first) = args.first()
            && let Some((params, result)) = super::scalar::method(ty, name)
        {
            self.coerced(first, ty);
            self.arguments(id, name, &params, &args[1..]);
            return result;
        }
        let Some(function) = self.find_method(ty, name, span) else {
            for &arg in args {
                self.plain(arg);
            }
            if self.asks.is_empty() {
                let message = format!("kernels do not know `{}::{name}`", self.names.display(ty));
                self.errors.defer(span, message);
            }
            return self.fresh();
        };
        self.function_call(id, function, Some(ty), generics, args)
    }

    /// `f32::from(x)` and the conversions of the numeric traits.
    fn conversion(&mut self, ty: &Ty, name: &str, args: &[ExprId]) -> Option<Ty> {
        ty.scalar()?;
        let from = match name {
            "from" => None,
            _ => Some(Ty::primitive(name.strip_prefix("from_")?)?),
        };
        let [arg] = args else { return None };
        match from {
            Some(from) => {
                self.coerced(*arg, &from);
            }
            None => {
                self.plain(*arg);
            }
        }
        Some(ty.clone())
    }

    /// Finds a function of a type: of the library, or of a user's type, which may have to be asked.
    pub(super) fn find_method(&mut self, owner: &Ty, name: &str, at: Span) -> Option<FunctionUse> {
        let id = match owner {
            Ty::Struct(id, _) | Ty::Enum(id) => id.clone(),
            other => return library::function(&other.name(), name),
        };
        if library::types().contains_key(&id) {
            return library::function(&id, name);
        }
        match self.names.env.methods.get(&(id.clone(), name.to_string())) {
            Some(signature) => {
                let how = CallUse::Method { owner: id, method: name.into(), types: vec![], lengths: vec![] };
                Some(FunctionUse::of(signature, how))
            }
            None => {
                self.ask(id, name.into(), at);
                None
            }
        }
    }
}

impl FunctionUse {
    /// A function of the user's, as its signature has it.
    pub(super) fn of(signature: &Signature, how: CallUse) -> FunctionUse {
        FunctionUse {
            id: signature.id.clone(),
            name: signature.name.clone(),
            generics: signature.generics.clone(),
            of_block: signature.of_block,
            owner: signature.owner.clone(),
            params: signature.params.iter().map(|(_, t)| t.clone()).collect(),
            result: signature.result.clone(),
            how,
        }
    }
}

/// Functions of vectors that only put components together.
fn constructor(ty: &Ty, name: &str) -> Option<Vec<Ty>> {
    let (component, n) = library::vector(ty)?;
    match name {
        "new" => Some(vec![component; n]),
        "splat" => Some(vec![component]),
        "from_array" => Some(vec![Ty::Array(Box::new(component), n as u64)]),
        _ => None,
    }
}
