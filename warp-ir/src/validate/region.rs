//! Scope and structure: where values are defined and visible, and what regions take and yield.

use super::custom::carries;
use super::tables::check_tables;
use super::{Invalid, custom, limits, op};
use crate::ir::{Function, Op, Region, Scalar, Value};
use crate::planted::{self, Bug};
use crate::text;

/// What a function is used as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Callable, and may call.
    Function,
    /// Runs once a thread.
    Kernel { rank: u8 },
}

/// Checks all of a function.
pub(super) fn check_function(function: &Function, role: Role) -> Result<(), Invalid> {
    let mut checker = Checker {
        function,
        role,
        state: vec![State::Undefined; function.values.len()],
        visible: Vec::new(),
        ops: 0,
        depth: 0,
    };
    checker.check().map_err(|fault| Invalid {
        function: function.name.clone(),
        op: fault.op.map(|op| text::first_line(function, op)).unwrap_or_default(),
        source: fault.op.and_then(|op| op::source(function, op)),
        message: fault.message,
    })
}

/// A broken rule, with the innermost op that breaks it.
struct Fault<'f> {
    op: Option<&'f Op>,
    message: String,
}

impl From<String> for Fault<'_> {
    fn from(message: String) -> Self {
        Fault { op: None, message }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Undefined,
    Visible,
    /// Defined in a region that has ended.
    Hidden,
}

struct Checker<'f> {
    function: &'f Function,
    role: Role,
    state: Vec<State>,
    /// Values visible now, in order of definition; a region's end cuts it back.
    visible: Vec<Value>,
    ops: usize,
    depth: usize,
}

impl<'f> Checker<'f> {
    fn check(&mut self) -> Result<(), Fault<'f>> {
        check_tables(self.function)?;
        for param in &self.function.params {
            self.define(param.value)?;
        }
        let body = &self.function.body;
        if let Role::Kernel { rank } = self.role {
            if !(1..=4).contains(&rank) {
                return Err(format!("a kernel has 1 to 4 launch dimensions, not {rank}").into());
            }
            if !body.yields.is_empty() {
                return Err(format!("a kernel has no results, and this one yields {}", body.yields.len()).into());
            }
        }
        self.region(body, &[], None)?;
        custom::check_locals(self.function).map_err(Fault::from)
    }

    /// Checks a region that takes `params` and, where `results` is given, yields values of those types.
    fn region(&mut self, region: &'f Region, params: &[Scalar], results: Option<&[Scalar]>) -> Result<(), Fault<'f>> {
        self.depth += 1;
        if self.depth > limits::DEPTH {
            return Err(format!("regions are nested deeper than the limit of {}", limits::DEPTH).into());
        }
        let scope = self.visible.len();
        for &param in &region.params {
            self.define(param)?;
        }
        self.same_types("parameters of a region", &region.params, params)?;
        for op in &region.ops {
            self.op(op).map_err(|fault| Fault { op: fault.op.or(Some(op)), ..fault })?;
        }
        self.visible_all(&region.yields)?;
        if let Some(results) = results {
            self.same_types("yields of a region", &region.yields, results)?;
        }
        for value in self.visible.drain(scope..) {
            self.state[value.0 as usize] = State::Hidden;
        }
        self.depth -= 1;
        Ok(())
    }

    fn op(&mut self, op: &'f Op) -> Result<(), Fault<'f>> {
        self.ops += 1;
        if self.ops > limits::OPS {
            return Err(format!("there are more ops than the limit of {}", limits::OPS).into());
        }
        let shape = op.shape();
        self.visible_all(&shape.operands)?;
        // The results' types are needed below; they become visible only after the op.
        self.in_table(shape.results)?;
        op::check_op(self.function, self.role, op)?;
        match op {
            Op::If { then, otherwise, results, .. } => {
                let results = self.types(results);
                self.region(then, &[], Some(&results))?;
                self.region(otherwise, &[], Some(&results))?;
            }
            Op::Loop { inits, cond, body, results } => {
                let carried = self.types(inits);
                if let Some(effect) = cond.ops.iter().find(|op| !op.is_pure()) {
                    let message = "an effect or a nested region stands in the condition of a loop".to_string();
                    return Err(Fault { op: Some(effect), message });
                }
                self.region(cond, &carried, Some(&[Scalar::Bool]))?;
                self.region(body, &carried, Some(&carried))?;
                self.same_types("results of a loop", results, &carried)?;
            }
            Op::Custom { values, by, gradient, results } => {
                let types = self.types(values);
                self.same_types("results of a custom derivative", results, &types)?;
                custom::check_gradient(self.function, by, gradient).map_err(|(op, message)| Fault { op, message })?;
                let adjoints: Vec<Scalar> = types.into_iter().filter(|&s| carries(s)).collect();
                let by = self.types(by);
                self.region(gradient, &adjoints, Some(&by))?;
            }
            _ => {}
        }
        for &result in shape.results {
            self.define(result)?;
        }
        Ok(())
    }

    fn define(&mut self, value: Value) -> Result<(), String> {
        self.in_table(&[value])?;
        match self.state[value.0 as usize] {
            State::Undefined => {
                self.state[value.0 as usize] = State::Visible;
                self.visible.push(value);
                Ok(())
            }
            _ => Err(format!("v{} is defined a second time", value.0)),
        }
    }

    fn visible_all(&self, values: &[Value]) -> Result<(), String> {
        self.in_table(values)?;
        for &value in values {
            match self.state[value.0 as usize] {
                State::Visible => {}
                State::Undefined => return Err(format!("v{} is used before it is defined", value.0)),
                State::Hidden if planted::is(Bug::ValidateIgnoresScope) => {}
                State::Hidden => return Err(format!("v{} is used outside the region that defines it", value.0)),
            }
        }
        Ok(())
    }

    fn in_table(&self, values: &[Value]) -> Result<(), String> {
        match values.iter().find(|v| v.0 as usize >= self.function.values.len()) {
            Some(value) => Err(format!("v{} does not exist; there are {}", value.0, self.function.values.len())),
            None => Ok(()),
        }
    }

    fn types(&self, values: &[Value]) -> Vec<Scalar> {
        values.iter().map(|&v| self.function.scalar(v)).collect()
    }

    fn same_types(&self, what: &str, values: &[Value], expected: &[Scalar]) -> Result<(), String> {
        if values.len() != expected.len() {
            return Err(format!("{what}: found {}, expected {}", values.len(), expected.len()));
        }
        for (&value, &expected) in values.iter().zip(expected) {
            let found = self.function.scalar(value);
            if found != expected {
                return Err(format!("{what}: v{} is {}, expected {}", value.0, found.name(), expected.name()));
            }
        }
        Ok(())
    }
}
