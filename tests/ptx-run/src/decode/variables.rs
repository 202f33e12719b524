//! Lays out the variables of a module and their initial values.

use super::operand::literal_bits;
use super::scope::{At, ModuleScope, Place};
use super::shared;
use crate::code::Program;
use crate::error::ParseError;
use crate::module::{Global, Globals};
use crate::text::syntax::{Initial, Variable};
use crate::types::Space;

/// Gives each variable its place, and finds what those in global and const memory hold.
pub(super) fn lay_out(
    variables: &[Variable],
    scope: &mut ModuleScope,
    program: &mut Program,
) -> Result<Globals, ParseError> {
    let mut globals = Globals::default();
    let (mut global_size, mut const_size) = (0, 0);
    for variable in variables {
        let place = match variable.space {
            Space::Global | Space::Const => {
                let size = sized(variable)?;
                let end = if variable.space == Space::Global { &mut global_size } else { &mut const_size };
                let offset = u64::next_multiple_of(*end, variable.align);
                *end = offset + size;
                if variable.space == Space::Global {
                    globals.variables.push(Global { name: variable.name.clone(), offset, size });
                }
                Place { space: variable.space, size: Some(size), at: At::Offset(offset) }
            }
            _ => shared::place(variable, program)?,
        };
        scope.define_variable(variable.line, &variable.name, place)?;
    }
    globals.image = vec![0; global_size as usize];
    program.constants = vec![0; const_size as usize];
    for (k, variable) in variables.iter().enumerate() {
        let bytes = match variable.space {
            Space::Global => &mut globals.image,
            _ => &mut program.constants,
        };
        fill(variable, &variables[..k], scope, bytes, &mut globals.relocations)?;
    }
    Ok(globals)
}

/// More than this is surely a slip of the pen.
const MOST_BYTES: u64 = 1 << 30;

fn sized(variable: &Variable) -> Result<u64, ParseError> {
    let problem = if variable.external {
        "is defined in another text, and other texts are not linked to it"
    } else if variable.count.is_none() {
        "needs a length"
    } else if variable.size() > MOST_BYTES {
        "is too large"
    } else {
        return Ok(variable.size());
    };
    Err(ParseError::new(variable.line, format!("the variable `{}` {problem}.", variable.name)))
}

/// Writes the initial values of a variable, which may name those before it.
fn fill(
    variable: &Variable,
    before: &[Variable],
    scope: &ModuleScope,
    bytes: &mut [u8],
    relocations: &mut Vec<usize>,
) -> Result<(), ParseError> {
    let (Some(values), Some(place)) = (&variable.values, scope.variable(&variable.name)) else { return Ok(()) };
    let At::Offset(begin) = place.at else { return Ok(()) };
    let size = variable.kind.size();
    for (k, value) in values.iter().enumerate() {
        let at = begin as usize + k * size;
        let bits = match value {
            Initial::Number(literal) => {
                literal_bits(*literal, variable.kind).map_err(|why| ParseError::new(variable.line, why))?
            }
            Initial::Address { name, generic, offset } => {
                let known = before.iter().any(|earlier| earlier.name == *name);
                let target = scope.variable(name).filter(|target| known && target.space == Space::Global && size == 8);
                let Some(Place { at: At::Offset(distance), .. }) = target else {
                    let text = format!(
                        "the initial value `{}` is not handled: the address of a variable in global memory, defined \
                         before, in 64 bits, is.",
                        if *generic { format!("generic({name})") } else { name.clone() }
                    );
                    return Err(ParseError::new(variable.line, text));
                };
                if variable.space != Space::Global {
                    return Err(ParseError::new(variable.line, "addresses in const memory are not handled."));
                }
                relocations.push(at);
                distance.wrapping_add_signed(*offset)
            }
        };
        bytes[at..at + size].copy_from_slice(&bits.to_le_bytes()[..size]);
    }
    Ok(())
}
