//! Places for variables in shared memory, of modules and of functions.

use super::scope::{At, Place};
use crate::code::{Program, SharedVariable};
use crate::error::ParseError;
use crate::text::syntax::Variable;
use crate::types::Space;

/// The most shared memory that a block of any device has.
pub(crate) const MOST_SHARED: u64 = 227 << 10;

/// Adds a variable in shared memory to the program. One that is declared `.extern` has no length, and all such ones
/// begin where what the launch adds begins.
pub(super) fn place(variable: &Variable, program: &mut Program) -> Result<Place, ParseError> {
    let dynamic = variable.count.is_none();
    if dynamic != variable.external {
        let text =
            format!("the shared variable `{}` must either have a length or be `.extern` and have none.", variable.name);
        return Err(ParseError::new(variable.line, text));
    }
    let size = variable.size();
    if size > MOST_SHARED {
        let text = format!("the shared variable `{}` has more than {MOST_SHARED} bytes.", variable.name);
        return Err(ParseError::new(variable.line, text));
    }
    program.shared.push(SharedVariable { size, align: variable.align, dynamic });
    let at = At::Shared(program.shared.len() - 1);
    Ok(Place { space: Space::Shared, size: (!dynamic).then_some(size), at })
}
