//! What can go wrong with a model or a step, as sentences.

use thiserror::Error;

use crate::import::ImportError;
use crate::model::ModelError;
use crate::solver::Unsupported;

/// Why a model could not be made, or a step not be taken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The description of the model is wrong; the sentence names the body, shape, spring or particle.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The model has something that the solver does not do.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
    /// A file could not be read.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// Curves that cannot be plotted.
    #[error("`{title}` cannot be plotted: {why}")]
    Plot {
        /// The title.
        title: String,
        /// What is wrong.
        why: String,
    },
    /// A frame that is not after the last one, or whose time is no number.
    #[error("frames come one after the other, and one at {0} s does not come after the last")]
    BadFrame(f64),
    /// A picture or a film could not be written.
    #[error("the file {file} cannot be written: {why}")]
    Record {
        /// Its path.
        file: String,
        /// What is wrong.
        why: String,
    },
    /// A state, a mask or gravity has another size than the model.
    #[error("{what} was made for another model: {expected} {unit} are expected, and it has {found}")]
    OtherModel {
        /// What does not fit: the state, the mask.
        what: &'static str,
        /// What is counted: bodies, particles.
        unit: &'static str,
        /// How many the model has.
        expected: usize,
        /// How many were found.
        found: usize,
    },
    /// A parameter's array was replaced by one of another length.
    #[error("`{name}` has {found} values: it takes {row}, shared by all worlds, or {all}, one world after the other")]
    ParameterLength {
        /// The parameter.
        name: &'static str,
        /// How many all worlds may share.
        row: usize,
        /// How many there are where each world has its own.
        all: usize,
        /// How many were found.
        found: usize,
    },
    /// A step of no length, backwards, or not a number.
    #[error("a step takes a time above zero, and {0} s is none")]
    BadStep(f32),
    /// A number of a state is not finite: `check` has found it.
    #[error("{what} of {label}{} is not finite", of_world(*.world))]
    NotFinite {
        /// The array's name.
        what: &'static str,
        /// The body or particle.
        label: String,
        /// Its world, where there are several.
        world: Option<usize>,
    },
    /// The runtime's own error: memory, a device, a launch.
    #[error(transparent)]
    Runtime(#[from] warp::Error),
}

fn of_world(world: Option<usize>) -> String {
    world.map(|world| format!(" in world {world}")).unwrap_or_default()
}
