//! What takes a state one step on.

mod featherstone;
pub mod integrate;
mod semi_implicit;

use thiserror::Error as Sentence;

use crate::Error;
use crate::model::{Control, Model, State};

pub use self::featherstone::Featherstone;
pub use self::semi_implicit::SemiImplicit;

/// A way to take a state one step on.
///
/// A step never writes to the state that it starts from, so a tape can record any number of steps between states of their
/// own, and `backward` brings gradients to the first state, to forces and to the model's parameters.
pub trait Solver {
    /// Its name in messages.
    fn name(&self) -> &'static str;

    /// Whether it does all that the model has. A part that it does not do is refused and named, never left out.
    fn supports(&self, model: &Model) -> Result<(), Unsupported>;

    /// Writes to `state_out` where things are `dt` seconds after `state_in`. Forces from outside are those of `state_in`, and
    /// those of `state_out` stay as they are. `control` says what drives go to.
    fn step(
        &self,
        model: &Model,
        state_in: &State,
        state_out: &mut State,
        control: &Control,
        dt: f32,
    ) -> Result<(), Error>;
}

/// Whether a step may take so many seconds.
pub(crate) fn check_time(dt: f32) -> Result<(), Error> {
    if dt > 0.0 && dt.is_finite() { Ok(()) } else { Err(Error::BadStep(dt)) }
}

/// What a model has and a solver does not do.
#[derive(Clone, Debug, PartialEq, Eq, Sentence)]
#[error("{solver} does not do {feature}: {what} has it. {instead}")]
pub struct Unsupported {
    /// The solver's name.
    pub solver: &'static str,
    /// What it does not do.
    pub feature: &'static str,
    /// Who has it, by name.
    pub what: String,
    /// The way out.
    pub instead: &'static str,
}
