//! Decodes the body of a function: declarations, labels, and instructions in their order.

use std::collections::HashMap;

use super::control::Branching;
use super::feature;
use super::scope::{At, ModuleScope, Place, Symbol};
use super::shared;
use super::signature::{PassedIn, Signature};
use crate::code::{ALWAYS, Class, Fixed, FunctionCode, Instruction, Op, Program, Slot, Transfer};
use crate::error::ParseError;
use crate::text::syntax::{self, Function, Statement, Variable};
use crate::types::{Space, Type};

/// A function while it is decoded.
pub(super) struct Body<'a> {
    pub module: &'a ModuleScope,
    pub program: &'a mut Program,
    function: &'a Function,
    pub signature: &'a Signature,
    /// What names mean, the innermost block last.
    scopes: Vec<HashMap<String, Symbol>>,
    code: FunctionCode,
    fixed: HashMap<Fixed, Slot>,
    /// Where fixed values are counted from until the number of registers is known.
    fixed_start: Slot,
    pub branching: Branching,
}

/// Slots from here on stand for fixed values while a function is decoded, since registers may still be declared.
const FIXED: Slot = 1 << 30;

impl<'a> Body<'a> {
    pub(super) fn new(
        module: &'a ModuleScope,
        program: &'a mut Program,
        function: &'a Function,
        signature: &'a Signature,
    ) -> Self {
        let start = program.instructions.len();
        let code = FunctionCode { start, ..FunctionCode::default() };
        Self {
            module,
            program,
            function,
            signature,
            scopes: vec![HashMap::new()],
            code,
            fixed: HashMap::new(),
            fixed_start: FIXED,
            branching: Branching::default(),
        }
    }

    /// All of the function.
    pub(super) fn decode(mut self) -> Result<FunctionCode, ParseError> {
        self.code.param_size = self.signature.param_size;
        self.declare_signature()?;
        let function = self.function;
        self.statements(function.body.as_deref().unwrap_or_default())?;
        // Running off the end is returning.
        let end = Instruction { guard: ALWAYS, negated: false, op: Op::Return };
        self.push(end, Class::Control, function.line);
        self.branching.resolve(self.program)?;
        self.renumber_fixed();
        self.code.end = self.program.instructions.len();
        Ok(self.code)
    }

    fn declare_signature(&mut self) -> Result<(), ParseError> {
        let space = if self.signature.is_entry { Space::EntryParam } else { Space::Param };
        for passed in self.signature.results.iter().chain(&self.signature.parameters) {
            match passed.place {
                PassedIn::Register(_) => {
                    self.declare_register(passed.line, passed.name.clone(), passed.kind)?;
                }
                PassedIn::Bytes { offset, size, .. } => {
                    let place = Place { space, size: Some(size as u64), at: At::Offset(offset as u64) };
                    self.declare(passed.line, &passed.name, Symbol::Variable(place))?;
                }
            }
        }
        Ok(())
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<(), ParseError> {
        for statement in statements {
            if let Statement::Label { line, name } = statement {
                let label = self.branching.new_label();
                self.declare(*line, name, Symbol::Label(label))?;
            }
        }
        for statement in statements {
            match statement {
                Statement::Registers { line, kind, names } => self.registers(*line, *kind, names)?,
                Statement::Variable(variable) => self.variable(variable)?,
                Statement::Label { name, .. } => {
                    if let Some(Symbol::Label(label)) = self.find(name) {
                        self.branching.place(label, self.program.instructions.len());
                    }
                }
                Statement::Block(inner) => {
                    self.scopes.push(HashMap::new());
                    self.statements(inner)?;
                    self.scopes.pop();
                }
                Statement::Instruction(instruction) => self.instruction(instruction)?,
            }
        }
        Ok(())
    }

    fn declare(&mut self, line: usize, name: &str, symbol: Symbol) -> Result<(), ParseError> {
        let scope = self.scopes.last_mut().expect("the function's own scope");
        if scope.insert(name.to_owned(), symbol).is_some() {
            return Err(ParseError::new(line, format!("`{name}` is declared twice.")));
        }
        Ok(())
    }

    /// What a name means here, innermost first.
    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        let local = self.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned();
        local.or_else(|| self.module.variable(name).map(Symbol::Variable))
    }

    fn registers(&mut self, line: usize, kind: Type, names: &[(String, Option<u32>)]) -> Result<(), ParseError> {
        for (name, count) in names {
            match count {
                None => self.declare_register(line, name.clone(), kind)?,
                Some(count) => {
                    for k in 0..*count {
                        self.declare_register(line, format!("{name}{k}"), kind)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn declare_register(&mut self, line: usize, name: String, kind: Type) -> Result<(), ParseError> {
        let slot = self.code.names.len() as Slot;
        if slot >= FIXED {
            return Err(ParseError::new(line, "too many registers."));
        }
        self.declare(line, &name, Symbol::Register { slot, kind })?;
        self.code.names.push(name);
        Ok(())
    }

    /// A slot for results that nobody wants.
    pub(super) fn sink(&mut self) -> Slot {
        self.code.names.push("_".to_owned());
        self.code.names.len() as Slot - 1
    }

    fn variable(&mut self, variable: &Variable) -> Result<(), ParseError> {
        let after = |end: usize| end.next_multiple_of(variable.align as usize);
        let place = match variable.space {
            Space::Shared => shared::place(variable, self.program)?,
            Space::Local | Space::Param if variable.count.is_some() && variable.size() < 1 << 24 => {
                let end = match variable.space {
                    Space::Local => &mut self.code.local_size,
                    // Parameters of an entry lie elsewhere, so those of calls may begin at zero.
                    _ => &mut self.code.param_size,
                };
                let offset = after(*end);
                *end = offset + variable.size() as usize;
                Place { space: variable.space, size: Some(variable.size()), at: At::Offset(offset as u64) }
            }
            _ => {
                let text = format!(
                    "the variable `{}` is not handled: in a function, variables of the spaces shared, local and param \
                     with a length below 16 MiB are.",
                    variable.name
                );
                return Err(ParseError::new(variable.line, text));
            }
        };
        self.declare(variable.line, &variable.name, Symbol::Variable(place))
    }

    /// The slot of a value that is known before a thread runs.
    pub(super) fn fixed(&mut self, value: Fixed) -> Slot {
        if let Fixed::Shared(variable, _) = value
            && !self.code.shared.contains(&variable)
        {
            self.code.shared.push(variable);
        }
        let next = self.fixed_start + self.fixed.len() as Slot;
        let slot = *self.fixed.entry(value).or_insert(next);
        if slot == next {
            self.code.fixed.push((slot, value));
        }
        slot
    }

    /// Remembers that this function calls another.
    pub(super) fn calls(&mut self, callee: usize) {
        if !self.code.callees.contains(&callee) {
            self.code.callees.push(callee);
        }
    }

    /// Moves the fixed values behind the registers.
    fn renumber_fixed(&mut self) {
        let registers = self.code.names.len() as Slot;
        let renumber = |slot: &mut Slot| {
            if *slot >= FIXED && *slot != ALWAYS {
                *slot = *slot - FIXED + registers;
            }
        };
        for instruction in &mut self.program.instructions[self.code.start..] {
            renumber(&mut instruction.guard);
            instruction.op.slots(&mut |slot| renumber(slot));
        }
        for site in self.branching.sites() {
            self.program.sites[site].inputs.iter_mut().for_each(|transfer| {
                if let Transfer::Register { from, .. } | Transfer::Value { from, .. } = transfer {
                    renumber(from);
                }
            });
        }
        self.code.fixed.iter_mut().for_each(|(slot, _)| renumber(slot));
    }

    pub(super) fn push(&mut self, instruction: Instruction, class: Class, line: usize) {
        self.program.instructions.push(instruction);
        self.program.classes.push(class);
        self.program.lines.push(line as u32);
    }

    fn instruction(&mut self, instruction: &syntax::Instruction) -> Result<(), ParseError> {
        let (guard, negated) = match &instruction.guard {
            None => (ALWAYS, false),
            Some((name, negated)) => match self.find(name) {
                Some(Symbol::Register { slot, kind: Type::Pred }) => (slot, *negated),
                _ => return Err(ParseError::new(instruction.line, format!("the guard `{name}` is no predicate."))),
            },
        };
        let (op, class) = self.operation(instruction)?;
        feature::check(instruction, self.module.level)?;
        self.push(Instruction { guard, negated, op }, class, instruction.line);
        Ok(())
    }

    fn operation(&mut self, instruction: &syntax::Instruction) -> Result<(Op, Class), ParseError> {
        match instruction.root.as_str() {
            "mov" | "ld" | "ldu" | "st" | "cvta" | "selp" => self.data(instruction),
            "cvt" => self.conversion(instruction),
            "setp" | "set" | "testp" => self.question(instruction),
            "atom" | "red" => self.atomic(instruction),
            "bra" | "call" | "ret" | "exit" | "trap" => self.control(instruction),
            "bar" | "barrier" | "membar" | "fence" | "nanosleep" => self.synchronisation(instruction),
            "shfl" | "vote" | "match" | "redux" | "activemask" => self.warp_operation(instruction),
            "add" | "sub" | "mul" | "mad" | "fma" | "div" | "min" | "max" | "neg" | "abs" | "sqrt" | "rcp"
            | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" | "copysign" => {
                // The type, which stands last, tells whose instruction it is.
                let kind = instruction.modifiers.last().and_then(|part| Type::named(part));
                if kind.is_some_and(Type::is_float) { self.float(instruction) } else { self.integer(instruction) }
            }
            _ => self.integer(instruction),
        }
    }
}

impl Op {
    /// Calls `visit` with all slots.
    fn slots(&mut self, visit: &mut impl FnMut(&mut Slot)) {
        match self {
            Self::Move { d, a } | Self::Unary { d, a, .. } | Self::Convert { d, a, .. } => {
                [d, a].into_iter().for_each(visit);
            }
            Self::ToGeneric { d, a, .. } | Self::FromGeneric { d, a, .. } => [d, a].into_iter().for_each(visit),
            Self::Binary { d, a, b, .. } | Self::Compare { d, a, b, .. } | Self::Set { d, a, b, .. } => {
                [d, a, b].into_iter().for_each(visit);
            }
            Self::Ternary { d, a, b, c, .. } => [d, a, b, c].into_iter().for_each(visit),
            Self::Select { d, a, b, p } => [d, a, b, &mut p.slot].into_iter().for_each(visit),
            Self::Quaternary { d, operands, .. } => operands.iter_mut().chain([d]).for_each(visit),
            Self::Carry { d, operands, .. } => operands.iter_mut().chain([d]).for_each(visit),
            Self::Then { first, d, .. } => {
                visit(d);
                first.slots(visit);
            }
            Self::CompareWith(compare) => {
                [&mut compare.p, &mut compare.a, &mut compare.b]
                    .into_iter()
                    .chain(&mut compare.q)
                    .for_each(&mut *visit);
                if let Some((_, condition)) = &mut compare.with {
                    visit(&mut condition.slot);
                }
            }
            Self::Pack { d: other, parts, .. } | Self::Unpack { a: other, parts, .. } => {
                parts.iter_mut().chain([other]).for_each(visit);
            }
            Self::Load { access, parts, .. } | Self::Store { access, parts } => {
                let used = usize::from(access.count);
                parts[..used].iter_mut().chain([&mut access.base]).for_each(visit);
            }
            Self::Atomic(atomic) => {
                let fixed = [&mut atomic.access.base, &mut atomic.b];
                fixed.into_iter().chain(&mut atomic.d).chain(&mut atomic.c).for_each(visit);
            }
            Self::Barrier(barrier) => {
                [&mut barrier.number].into_iter().chain(&mut barrier.count).for_each(&mut *visit);
                if let Some((d, condition, _)) = &mut barrier.reduction {
                    [d, &mut condition.slot].into_iter().for_each(visit);
                }
            }
            Self::Warp(op) => op.slots(visit),
            _ => {}
        }
    }
}
