//! Parameters: scalars one by one, arrays as they are, bundles field by field.

use warp_ir::ir::{Access, ArrayParam, Mem, Storage, Value};

use super::memory::{Field, Memory};
use super::{Alias, Lower};
use crate::front::ast::*;
use crate::front::types::Ty;

impl Lower<'_> {
    /// Declares all parameters; gives the variables that are handed back.
    pub(super) fn parameters(&mut self) -> Vec<VarId> {
        let body = self.body;
        let mut outputs = vec![];
        for parameter in &body.params {
            match self.parameter(&parameter.name, &parameter.ty) {
                Field::Values(values) => self.bind(parameter.pat, &parameter.ty, &values),
                Field::Memory(memory) => {
                    if let PatKind::Bind { var, .. } = body.pat(parameter.pat).kind {
                        self.aliases.insert(var, Alias::Memory(memory));
                    }
                }
            }
            if parameter.passing == Passing::InOut {
                match body.pat(parameter.pat).kind {
                    PatKind::Bind { var, .. } => outputs.push(var),
                    _ => self.errors.refuse(parameter.span, "a `&mut` parameter of a kernel function is a single name"),
                }
            }
        }
        outputs
    }

    fn parameter(&mut self, name: &str, ty: &Ty) -> Field {
        match ty {
            Ty::Slice { element, mutable } => {
                Field::Memory(self.array_parameter(name, element, 1, *mutable, Storage::Elements))
            }
            Ty::Planes { element, mutable } => {
                Field::Memory(self.array_parameter(name, element, 1, *mutable, Storage::Planes))
            }
            Ty::View { element, rank, mutable } => {
                Field::Memory(self.array_parameter(name, element, *rank, *mutable, Storage::Elements))
            }
            Ty::Bundle(_) => {
                let fields = self.names.fields(ty).unwrap_or_default();
                let fields = fields
                    .into_iter()
                    .map(|(field, of)| (field.to_string(), self.parameter(&format!("{name}.{field}"), &of)))
                    .collect();
                Field::Memory(Memory::Bundle(fields))
            }
            _ => {
                let mut values = vec![];
                self.scalar_parameters(name, ty, &mut values);
                Field::Values(values)
            }
        }
    }

    fn array_parameter(&mut self, name: &str, element: &Ty, rank: u8, mutable: bool, storage: Storage) -> Memory {
        let array = self.b.array(ArrayParam {
            name: name.into(),
            leaves: super::value::leaves(self.names, element),
            rank,
            strided: rank > 1,
            access: if mutable { Access::Write } else { Access::Read },
            storage,
        });
        Memory::Whole { mem: Mem::Array(array), len: None }
    }

    fn scalar_parameters(&mut self, name: &str, ty: &Ty, values: &mut Vec<Value>) {
        match ty {
            Ty::Struct(..) => {
                for (field, of) in self.names.fields(ty).unwrap_or_default() {
                    self.scalar_parameters(&format!("{name}.{field}"), &of, values);
                }
            }
            Ty::Tuple(list) => {
                for (k, of) in list.iter().enumerate() {
                    self.scalar_parameters(&format!("{name}.{k}"), of, values);
                }
            }
            Ty::Array(element, len) => {
                for k in 0..*len {
                    self.scalar_parameters(&format!("{name}[{k}]"), element, values);
                }
            }
            Ty::Option(inner) => {
                values.push(self.b.param(&format!("{name}.is_some"), warp_ir::ir::Scalar::Bool));
                self.scalar_parameters(&format!("{name}.value"), inner, values);
            }
            other => {
                for scalar in self.leaves(other) {
                    values.push(self.b.param(name, scalar));
                }
            }
        }
    }
}
