//! Gradients against differences.

mod arguments;
mod leaves;
mod memories;
mod plain;
mod program;
mod report;
mod steps;

use std::collections::HashMap;

use crate::error::Error;
use crate::tape::{Backward, First, Tape};
use arguments::Argument;
use leaves::{Known, Leaf, Precision, mix};
use memories::Memories;
use program::{Number, Of, Program};
use steps::By;

pub use report::{Compared, GradEntry, GradReport, ResultEntry, Unlike};

/// Compares the gradients of what `body` launches with differences.
///
/// The launches, copies and writes of `body` are recorded, and run again in double precision with one number changed at
/// a time; a sum of all that launches and copies wrote, with weights, takes the place of a loss. What a kernel marked
/// `no_adjoint` wrote last does not count, if others wrote anything. Where a kernel cannot
/// be promoted to double precision, all run in their own, with wider steps and a wider tolerance; the report says so.
///
/// ```
/// # use warp_core::prelude::*;
/// # fn launch(x: &Array<f32>, y: &mut Array<f32>) -> Result<(), Error> { Ok(()) }
/// fn my_kernel_has_the_right_gradient(x: &Array<f32>, y: &mut Array<f32>) -> Result<(), Error> {
///     let report = warp_core::grad_check(|| launch(x, y))?;
///     assert!(report.passes(), "{report}");
///     Ok(())
/// }
/// ```
///
/// Each number is changed in two or four runs of all launches: check small sizes.
///
/// Compared are the gradients by all floats that launches and copies met, at most 200 an array, and by the scalar
/// arguments that kernels ask for, `#[kernel(grad(dt))]`, in at most 200 launches each. What is read detached counts as a
/// constant for both sides. Numbers at which the sum has a kink are counted and left out.
///
/// Beside gradients, results are compared, number by number: what arrays hold when `body` is over against what the same
/// run gives in double precision, which finds a kernel whose results are those of rounding, and against what it gives when
/// the kernels run as plain Rust on the host, thread by thread, as `my_kernel::plain` does: of floats with the same
/// tolerance, of all else to the bit. Those runs print once more. Where they say nothing about the launches, as an integer
/// overflows in a build that checks for it, or old values of atomics are read, the report says so and the gradients count.
/// A race of threads is a difference.
///
/// Afterwards `grad()` of the arrays is the gradient of the weighted sum.
pub fn grad_check(body: impl FnOnce() -> Result<(), Error>) -> Result<GradReport, Error> {
    GradCheck::new().run(body)
}

/// How gradients are compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GradCheck {
    tolerance: Option<f64>,
    entries: usize,
}

impl Default for GradCheck {
    fn default() -> GradCheck {
        GradCheck::new()
    }
}

impl GradCheck {
    /// 200 numbers an array. Allowed is, relative to the largest gradient of the array, or of one field of its elements, 1e-3 where there are numbers of
    /// single precision, 2e-2 where there are halves, 1e-6 where all are of double precision, and 5e-2 where differences
    /// are of single precision themselves. Of results it is 1e-2, 1e-1 and 1e-6, relative to the largest of the array.
    pub fn new() -> GradCheck {
        GradCheck { tolerance: None, entries: 200 }
    }

    /// Allows another error.
    pub fn tolerance(self, tolerance: f64) -> GradCheck {
        GradCheck { tolerance: Some(tolerance), ..self }
    }

    /// Looks at so many numbers of an array at most; they are spread over it, ends included.
    pub fn entries(self, most: usize) -> GradCheck {
        GradCheck { entries: most.max(1), ..self }
    }

    /// Compares the gradients of what `body` launches, as [`grad_check`].
    pub fn run(&self, body: impl FnOnce() -> Result<(), Error>) -> Result<GradReport, Error> {
        let (tape, first) = Tape::record_witnessed(body)?;
        let (precision, single) = match program::widest(&tape)? {
            None => (Precision::Double, None),
            Some(why) => (Precision::Own, Some(why)),
        };
        let memories = Memories::new(&tape, &first, precision)?;
        let program = Program::new(&tape, &memories, By::Devices(vec![]))?;
        let results = program.results(&memories)?;
        let worst_result = memories.worst_result(&results, Leaf::is_float);
        let (worst_plain, without_plain) = match plain::incomparable(&tape) {
            Some(why) => (None, Some(why)),
            None => by_functions(&tape, &first)?,
        };
        let seeds = memories.outputs().map(|(number, m)| (m.memory.clone(), m.seed(number))).collect::<Vec<_>>();
        let mut found = tape.back_from(&seeds)?;
        let mut report = GradReport {
            compared: 0,
            kinks: 0,
            unresolved: 0,
            worst: None,
            worst_small: None,
            tolerance: self.tolerance.unwrap_or_else(|| memories.tolerance()),
            not_finite: memories.not_finite(&results),
            primal: worst_result.as_ref().map_or(0.0, |worst| worst.error),
            worst_result,
            plain: worst_plain.as_ref().map_or(0.0, |worst| worst.error),
            worst_plain,
            without_plain,
            primal_tolerance: memories.tolerance_of_results(),
            detaching: program::detaching(&tape)?,
            without_adjoint: memories.without_adjoint(),
            single,
        };
        for (k, memory) in memories.list.iter().enumerate().filter(|(_, memory)| memory.is_input()) {
            self.compare_array(&mut found, &memories, &program, (k, memory), &mut report)?;
        }
        for argument in Argument::all(&tape, precision)? {
            self.compare_argument(&found, &memories, &program, &argument, &mut report)?;
        }
        Ok(report)
    }

    fn compare_array(
        &self,
        found: &mut Backward,
        memories: &Memories,
        program: &Program,
        (k, memory): (usize, &Known),
        report: &mut GradReport,
    ) -> Result<(), Error> {
        let gradient = memory.floats_in(&found.gradient_of(&memory.memory)?);
        let chosen = self.choose(gradient.len());
        let (first, places) = (memory.floats_there(&memory.first), memory.places_of_floats());
        let number = |&float: &usize| {
            let (at, scalar) = places[float];
            Number { of: Of::Memory { number: k, at }, scalar, x: first[float] }
        };
        let numbers: Vec<Number> = chosen.iter().map(number).collect();
        let gradients: Vec<f64> = chosen.iter().map(|&float| gradient[float]).collect();
        let differences = program.differences(memories, &numbers, &gradients)?;
        let fields = memory.layout.fields();
        let field = |k: usize| memory.float(chosen[k]).map_or(0, |leaf| fields[leaf.leaf]);
        for of in 0..=fields.iter().copied().max().unwrap_or(0) {
            let own: Vec<usize> = (0..chosen.len()).filter(|&k| field(k) == of).collect();
            let numbers: Vec<_> = own.iter().map(|&k| (gradients[k], differences[k])).collect();
            report.compare(&numbers, memories.rounding(), |k| {
                let (name, leaf) = (memory.name.clone(), memory.float(chosen[own[k]])?);
                let of = if name.copied { Compared::Copied } else { Compared::Array };
                Some((of, name.kernel, name.array, leaf.element, leaf.leaf))
            });
        }
        Ok(())
    }

    fn compare_argument(
        &self,
        found: &Backward,
        memories: &Memories,
        program: &Program,
        argument: &Argument,
        report: &mut GradReport,
    ) -> Result<(), Error> {
        let gradient = argument.gradients(found);
        let chosen = self.choose(gradient.len());
        let numbers: Vec<Number> = chosen.iter().map(|&k| argument.launches[k].number).collect();
        let gradients: Vec<f64> = chosen.iter().map(|&k| gradient[k]).collect();
        let differences = program.differences(memories, &numbers, &gradients)?;
        let numbers: Vec<_> = gradients.into_iter().zip(differences).collect();
        report.compare(&numbers, memories.rounding(), |k| {
            let launch = argument.launches[chosen[k]].launch;
            Some((Compared::Scalar, argument.kernel().into(), argument.name.clone(), launch, 0))
        });
        Ok(())
    }

    /// The numbers to look at, of so many: the first and the last, and one at random of each stretch between, so that no
    /// component of vectors and no column of matrices is passed over.
    fn choose(&self, count: usize) -> Vec<usize> {
        let most = self.entries.min(count);
        let one_of = |k: usize| match k {
            0 => 0,
            k if k + 1 == most => count - 1,
            k => {
                let (start, end) = (k * count / most, (k + 1) * count / most);
                start + (mix(k as u64) % (end - start) as u64) as usize
            }
        };
        (0..most).map(one_of).collect()
    }
}

/// The result of plain functions that is farthest off that of the launches; or why there is nothing to compare with.
fn by_functions(tape: &Tape, first: &First) -> Result<(Option<ResultEntry>, Option<Unlike>), Error> {
    let memories = Memories::new(tape, first, Precision::Own)?;
    let program = Program::new(tape, &memories, By::Functions)?;
    let results = program.results(&memories)?;
    Ok(match program.fault() {
        Some(why) => (None, Some(why)),
        None => (memories.worst_result(&results, |_| true), None),
    })
}

/// The memory of each buffer by its key.
type Places = HashMap<usize, usize>;
