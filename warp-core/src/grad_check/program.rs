//! A recording that runs again and again, with one number changed.

use warp_ir::ir::{Op, Region, Scalar};
use warp_ir::passes::promote_floats;

use super::leaves::{Precision, download, upload};
use super::memories::Memories;
use super::report::Unlike;
use super::steps::{By, Run, validated};
use crate::adjoint::place;
use crate::error::Error;
use crate::layout::{read_float, write_float};
use crate::tape::{Step, Tape};

/// The steps of a recording, each with its place on the tape.
pub(super) struct Program {
    runs: Vec<(usize, Run)>,
}

/// A number that may be changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub of: Of,
    /// Its type in the run.
    pub scalar: Scalar,
    /// What it is.
    pub x: f64,
}

/// What a number is a part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Of {
    /// What memory holds at first, so many bytes from its start.
    Memory { number: usize, at: usize },
    /// The words of the launch that has this place on the tape.
    Launch { position: usize, word: usize },
}

/// A difference of the sum of results, or why there is none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Difference {
    /// The slope, and how exact the sum's own rounding lets it be.
    Slope(f64, f64),
    /// Slopes on both sides differ.
    Kink,
}

/// Why not everything runs in double precision, if it does not.
pub(super) fn widest(tape: &Tape) -> Result<Option<String>, Error> {
    for entry in tape.entries() {
        let Step::Launch(launch) = &*entry.step else { continue };
        let spec = &launch.definition.spec;
        let kernel = validated(spec)?;
        if let Err(refusal) = promote_floats(&kernel) {
            return Ok(Some(format!(
                "kernel `{}` ({}): {}",
                spec.name,
                place(spec, &kernel, &refusal),
                refusal.message
            )));
        }
    }
    Ok(None)
}

/// The kernels that count values of their own as constants, which a difference does not.
pub(super) fn detaching(tape: &Tape) -> Result<Vec<String>, Error> {
    let mut found: Vec<String> = Vec::new();
    for entry in tape.entries() {
        let Step::Launch(launch) = &*entry.step else { continue };
        let name = launch.definition.name();
        if !found.iter().any(|known| known == name) && detaches(&validated(&launch.definition.spec)?.function.body) {
            found.push(name.into());
        }
    }
    Ok(found)
}

fn detaches(region: &Region) -> bool {
    region.ops.iter().any(|op| match op {
        Op::Custom { by, .. } if by.is_empty() => true,
        _ => op.shape().regions.into_iter().any(detaches),
    })
}

impl Program {
    pub fn new(tape: &Tape, memories: &Memories, mut by: By) -> Result<Program, Error> {
        let mut runs = Vec::new();
        for (position, entry) in tape.entries().iter().enumerate() {
            runs.extend(Run::of(entry, position, memories, &mut by)?.map(|run| (position, run)));
        }
        Ok(Program { runs })
    }

    /// What all memories hold after a run from the recorded start.
    pub fn results(&self, memories: &Memories) -> Result<Vec<Vec<u8>>, Error> {
        self.run(memories, None)?;
        memories.list.iter().map(|known| download(&known.buffer)).collect()
    }

    /// Why the results of plain functions are none, if one of them faulted.
    pub fn fault(&self) -> Option<Unlike> {
        self.runs.iter().find_map(|(_, run)| match run {
            Run::Function(launch) => launch.fault().cloned(),
            _ => None,
        })
    }

    /// How the weighted sum changes with each of some numbers, of which `gradients` says the same.
    pub fn differences(
        &self,
        memories: &Memories,
        numbers: &[Number],
        gradients: &[f64],
    ) -> Result<Vec<Difference>, Error> {
        let here = self.weighted(memories, None)?;
        let each = numbers.iter().zip(gradients);
        each.map(|(number, &gradient)| self.difference(memories, &here, number, gradient)).collect()
    }

    fn difference(
        &self,
        memories: &Memories,
        here: &[f64],
        number: &Number,
        gradient: f64,
    ) -> Result<Difference, Error> {
        let wide = self.sides(memories, here, (number, gradient), 1.0)?;
        let near_enough = 0.1 * memories.tolerance() * wide.slope.abs() + wide.noise;
        if wide.agree() && (wide.slope - gradient).abs() <= near_enough {
            return Ok(Difference::Slope(wide.slope, wide.noise));
        }
        // A kink may lie between, which nearer by does not; and across a jump slopes grow without end.
        let near = self.sides(memories, here, (number, gradient), 1e-2)?;
        let jump = near.slope.abs() > 10.0 * wide.slope.abs() + 10.0 * near.noise;
        let smooth = near.agree() || near.apart() <= 0.1 * wide.apart();
        if jump || !smooth {
            return Ok(Difference::Kink);
        }
        // Far off it is the curvature that spoils a slope, and near by the rounding; a wrong gradient is neither.
        let off = |sides: &Sides| (sides.slope - gradient).abs();
        let best = if wide.agree() && off(&wide) <= off(&near) { wide } else { near };
        Ok(Difference::Slope(best.slope, best.noise))
    }

    /// Slopes above and below a number, up to `nearer` times the usual distance; `gradient` says how results should change.
    fn sides(
        &self,
        memories: &Memories,
        here: &[f64],
        (number, gradient): (&Number, f64),
        nearer: f64,
    ) -> Result<Sides, Error> {
        let &Number { of, scalar, x } = number;
        let wide = x.abs().max(1.0) * nearer * if scalar == Scalar::F64 { 1e-5 } else { 4e-3 };
        let (more, less) = (rounded(scalar, x + wide), rounded(scalar, x - wide));
        let above = Change::between(here, &self.weighted(memories, Some((of, scalar, more)))?);
        let below = Change::between(here, &self.weighted(memories, Some((of, scalar, less)))?);
        // Where nothing changes that should, the largest result may have swallowed it.
        let size = match above.size + below.size {
            0.0 if gradient != 0.0 => here.iter().fold(0.0, |size: f64, v| size.max(v.abs())),
            size => size,
        };
        Ok(Sides {
            right: above.sum / (more - x),
            left: below.sum / (less - x),
            slope: (above.sum - below.sum) / (more - less),
            noise: rounding(memories, scalar) * size / wide,
        })
    }

    /// All results, each times its weight.
    fn weighted(&self, memories: &Memories, change: Option<(Of, Scalar, f64)>) -> Result<Vec<f64>, Error> {
        self.run(memories, change)?;
        let mut all = Vec::new();
        for (number, known) in memories.outputs() {
            let floats = known.floats_there(&download(&known.buffer)?);
            all.extend(known.weights(number).zip(floats).map(|(weight, v)| weight * v));
        }
        Ok(all)
    }

    /// Runs all steps from the recorded start, with a number of another value. Where there is none such, what launches
    /// read detached is kept for the runs to come, in which it counts as constant.
    fn run(&self, memories: &Memories, change: Option<(Of, Scalar, f64)>) -> Result<(), Error> {
        for (k, known) in memories.list.iter().enumerate() {
            match change {
                Some((Of::Memory { number, at }, scalar, value)) if number == k => {
                    let mut bytes = known.first.clone();
                    write_float(scalar, value, &mut bytes[at..]);
                    upload(&known.buffer, &bytes)?;
                }
                _ => upload(&known.buffer, &known.first)?,
            }
        }
        for (position, run) in &self.runs {
            let word = match change {
                Some((Of::Launch { position: of, word }, scalar, value)) if of == *position => {
                    let mut bits = [0; 8];
                    write_float(scalar, value, &mut bits);
                    Some((word, u64::from_le_bytes(bits)))
                }
                _ => None,
            };
            run.run(memories, word, change.is_none())?;
        }
        Ok(())
    }
}

/// Slopes on both sides of a number.
struct Sides {
    right: f64,
    left: f64,
    /// From one side to the other.
    slope: f64,
    /// How exact they are.
    noise: f64,
}

impl Sides {
    fn apart(&self) -> f64 {
        (self.right - self.left).abs()
    }

    fn agree(&self) -> bool {
        self.apart() <= 0.02 * self.right.abs().max(self.left.abs()) + 4.0 * self.noise
    }
}

/// How results differ from others. Those that stay say nothing, and add no rounding.
struct Change {
    sum: f64,
    /// Of all that changed, whose rounding is in the sum.
    size: f64,
}

impl Change {
    fn between(here: &[f64], there: &[f64]) -> Change {
        let changed = here.iter().zip(there).filter(|(a, b)| a != b && !(a.is_nan() && b.is_nan()));
        changed.fold(Change { sum: 0.0, size: 0.0 }, |Change { sum, size }, (a, b)| Change {
            sum: sum + (b - a),
            size: size + a.abs().max(b.abs()),
        })
    }
}

/// The nearest number of the type.
fn rounded(scalar: Scalar, value: f64) -> f64 {
    let mut bytes = [0; 8];
    write_float(scalar, value, &mut bytes);
    read_float(scalar, &bytes)
}

/// Rounding of the sum, relative to its size.
fn rounding(memories: &Memories, scalar: Scalar) -> f64 {
    match (memories.precision, scalar) {
        (Precision::Double, _) | (_, Scalar::F64) => 1e-14,
        _ => 1e-6,
    }
}
