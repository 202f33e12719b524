//! The way back through a kernel: its adjoint, compiled for a device.

use std::ops::Range;
use std::sync::Arc;

use warp_ir::abi::ArgWords;
use warp_ir::differentiate::{Adjoint, Options, Refusal, Reverse as Carried, differentiate};
use warp_ir::ir::{ArrayId, ArrayParam, Function, Kernel, Scalar, Storage};
use warp_ir::validate::Valid;

use crate::backend::{Address, ElementLayout, Executable, Program};
use crate::device::Device;
use crate::error::Error;
use crate::kernel::Spec;
use crate::program;

/// Whether and how a kernel goes back.
pub(crate) enum Reverse {
    /// By this adjoint.
    Adjoint(Box<Adjoint>),
    /// Not at all.
    Refused {
        /// Where the reason lies: file and line, and the expression where it is known.
        place: String,
        /// The reason, and the way out.
        reason: String,
    },
}

/// Which way back.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Variant {
    /// For gradients that overlap: all additions to them are atomic.
    pub overlapping: bool,
    /// For gradients of zero that may meet something infinite: all products are guarded.
    pub guarded: bool,
}

impl Variant {
    /// How many there are.
    pub const COUNT: usize = 4;

    /// Its place among all.
    pub fn number(self) -> usize {
        usize::from(self.overlapping) + 2 * usize::from(self.guarded)
    }
}

/// The way back through a kernel.
pub(crate) fn reverse(spec: &Spec, variant: Variant) -> Result<Reverse, Error> {
    let bad = |reason: String| Error::BadKernel { kernel: spec.name.into(), reason };
    let kernel = Valid::<Kernel>::new(program::program(spec)?.kernel).map_err(|e| bad(e.to_string()))?;
    let found = Carried::from_bytes(spec.adjoint, &kernel).map_err(|e| bad(e.to_string()))?;
    // The binary carries the variant for gradients that lie apart, without the guards that few passes need.
    let found = match found {
        Carried::Adjoint(carried) if variant != Variant::default() => {
            let Variant { overlapping, guarded } = variant;
            let options = Options { all_shared: overlapping, guarded, ..Options::of(&kernel) };
            match differentiate(&kernel, &options) {
                Ok(adjoint) if same_needs(&adjoint, &carried) => Carried::Adjoint(Box::new(adjoint)),
                Ok(_) => return Err(bad("its gradient is that of other code".into())),
                Err(refusal) => Carried::Refused(refusal),
            }
        }
        found => found,
    };
    Ok(match found {
        Carried::Adjoint(adjoint) => Reverse::Adjoint(adjoint),
        Carried::Refused(refusal) => {
            Reverse::Refused { place: place(spec, &kernel, &refusal), reason: refusal.message }
        }
        Carried::LeftOut => {
            let place = format!("{}:{}", spec.file, spec.line);
            Reverse::Refused { place, reason: LEFT_OUT.into() }
        }
    })
}

const LEFT_OUT: &str = "it is marked `no_adjoint`. Take the mark away, or hand the array over that brings the gradient there as \
    `.detach()` if a gradient of zero is meant";

/// Whether two adjoints of a kernel read the same of its launch: a tape keeps what one of them reads, and may give it to
/// the other.
fn same_needs(one: &Adjoint, other: &Adjoint) -> bool {
    let records = |of: &Adjoint| of.recording.as_ref().map(|recording| recording.records.clone());
    (&one.arrays, &one.scalars, &one.logs) == (&other.arrays, &other.scalars, &other.logs)
        && records(one) == records(other)
}

/// Where the reason for a refusal lies: file and line, and the expression where it is known.
pub(crate) fn place(spec: &Spec, kernel: &Kernel, refusal: &Refusal) -> String {
    let source = refusal.source.and_then(|id| kernel.function.sources.get(id.0 as usize));
    match source {
        Some(source) if !source.file.is_empty() && !source.text.is_empty() => {
            format!("{}:{}, `{}`", source.file, source.line, source.text)
        }
        Some(source) if !source.file.is_empty() => format!("{}:{}", source.file, source.line),
        _ => format!("{}:{}", spec.file, spec.line),
    }
}

/// An adjoint, or the variant of a kernel that writes records, on a device.
pub(crate) struct Loaded {
    pub executable: Arc<dyn Executable>,
    pub program: Program,
    /// What each of its arrays is.
    pub roles: Vec<Role>,
    /// Where the words of each array lie among those of the primal's launch.
    pub words: Vec<ArrayPlace>,
}

/// What an array argument of an adjoint is, and which one of its sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The primal's array.
    Primal(usize),
    /// Its gradient.
    Gradient(usize),
    /// The gradient of a scalar: one `f64`.
    Scalar(usize),
    /// What the launch wrote down: an element for each thread.
    Record(usize),
    /// Where each thread's part of a log starts: an element for each thread.
    Starts(usize),
    /// The indices in a log.
    Indices(usize),
    /// The values in a log.
    Values(usize),
}

/// The words of an array argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ArrayPlace {
    /// All of them.
    pub words: Range<usize>,
    /// Those at the front that are addresses.
    pub addresses: usize,
}

/// The words of an array whose elements lie one after another.
pub(crate) fn dense_words(array: &ArrayParam, address: Address, extents: &[u64]) -> Vec<u64> {
    let mut words = vec![address];
    words.extend_from_slice(extents);
    if array.strided {
        words.extend((0..extents.len()).map(|d| extents[d + 1..].iter().product::<u64>()));
    }
    words
}

/// Compiles an adjoint, after a look at whether it fits the kernel that it was made from.
pub(crate) fn load(spec: &Spec, adjoint: &Adjoint, device: &Device) -> Result<Loaded, Error> {
    let mut roles = vec![None; adjoint.kernel.function.arrays.len()];
    let fits = adjoint_roles(adjoint, &mut roles);
    fit(spec, &adjoint.kernel, fits.and(roles.into_iter().collect()), &Kinds::of(adjoint), device)
}

/// Compiles the variant of a kernel that writes what its adjoint cannot compute again; none where there is none.
pub(crate) fn load_recording(spec: &Spec, adjoint: &Adjoint, device: &Device) -> Result<Option<Loaded>, Error> {
    let Some(recording) = &adjoint.recording else { return Ok(None) };
    let records = (0..recording.records.len()).map(Role::Record);
    let roles = (0..adjoint.arrays.len()).map(Role::Primal).chain(records).collect();
    fit(spec, &recording.kernel, Some(roles), &Kinds::of(adjoint), device).map(Some)
}

/// The scalars that arrays of a derived kernel have beyond those of the primal's arrays.
struct Kinds {
    records: Vec<Scalar>,
    /// The array and the leaf that each log is of.
    logs: Vec<(usize, usize)>,
}

impl Kinds {
    fn of(adjoint: &Adjoint) -> Kinds {
        let recording = adjoint.recording.iter();
        Kinds {
            records: recording.flat_map(|r| r.records.iter().map(|record| record.scalar)).collect(),
            logs: adjoint.logs.iter().map(|log| (log.of.0.0 as usize, log.of.1 as usize)).collect(),
        }
    }
}

/// Says what each array of an adjoint is; none when one would be two things.
fn adjoint_roles(adjoint: &Adjoint, roles: &mut [Option<Role>]) -> Option<()> {
    let mut play = |at: ArrayId, role: Role| {
        let free = roles.get_mut(at.0 as usize).filter(|role| role.is_none())?;
        *free = Some(role);
        Some(())
    };
    for (k, need) in adjoint.arrays.iter().enumerate() {
        play(ArrayId(k as u32), Role::Primal(k))?;
        if let Some(gradient) = need.gradient {
            play(gradient, Role::Gradient(k))?;
        }
    }
    for (k, of) in adjoint.scalars.iter().enumerate() {
        play(of.gradient, Role::Scalar(k))?;
    }
    for (k, record) in adjoint.recording.iter().flat_map(|r| &r.records).enumerate() {
        play(record.array, Role::Record(k))?;
    }
    for (k, log) in adjoint.logs.iter().enumerate() {
        play(log.starts, Role::Starts(k))?;
        play(log.indices, Role::Indices(k))?;
        play(log.values, Role::Values(k))?;
    }
    Some(())
}

/// Compiles a kernel that was derived from another, after a look at whether it takes what there is for it.
fn fit(
    spec: &Spec,
    kernel: &Kernel,
    roles: Option<Vec<Role>>,
    kinds: &Kinds,
    device: &Device,
) -> Result<Loaded, Error> {
    let bad = |reason: &str| Error::BadKernel { kernel: spec.name.into(), reason: format!("its gradient {reason}") };
    let primal = program::program(spec)?;
    let (function, of) = (&kernel.function, &primal.kernel.function);
    let roles = roles.filter(|roles| roles.len() == function.arrays.len());
    let roles = roles.ok_or_else(|| bad("has other arrays than its code"))?;
    if !same_values(function, of) || kernel.rank != primal.kernel.rank {
        return Err(bad("takes other values than its code"));
    }
    let mut layouts = Vec::with_capacity(roles.len());
    for (array, role) in function.arrays.iter().zip(&roles) {
        let layout = layout_of(array, *role, &primal, kinds);
        layouts.push(layout.ok_or_else(|| bad("has an array of another kind than its code"))?);
    }
    let words = places(of);
    let program = Program { kernel: kernel.clone(), slots: primal.slots, layouts };
    let executable = device
        .backend()
        .compile(&program)
        .map_err(|source| device.failed(&format!("compiling the gradient of kernel `{}`", spec.name), source))?;
    Ok(Loaded { executable, program, roles, words })
}

/// How elements of an array lie; none when it is not what its role asks for.
fn layout_of(array: &ArrayParam, role: Role, primal: &Program, kinds: &Kinds) -> Option<ElementLayout> {
    let function = &primal.kernel.function;
    let own = |scalar: Scalar, rank: u8| {
        let fits = array.leaves == [scalar] && array.rank == rank && array.storage == Storage::Elements;
        let size = scalar.size();
        fits.then(|| ElementLayout { size, align: size, offsets: vec![0] })
    };
    match role {
        Role::Primal(k) | Role::Gradient(k) => {
            let of = function.arrays.get(k)?;
            let same = (&array.leaves, array.rank, array.strided, array.storage)
                == (&of.leaves, of.rank, of.strided, of.storage);
            same.then(|| primal.layouts[k].clone())
        }
        Role::Scalar(_) => own(Scalar::F64, 1),
        Role::Record(k) => own(kinds.records[k], primal.kernel.rank),
        Role::Starts(_) => own(Scalar::U64, primal.kernel.rank),
        Role::Indices(_) => own(Scalar::U64, 1),
        Role::Values(k) => {
            let (of, leaf) = kinds.logs[k];
            own(*function.arrays.get(of)?.leaves.get(leaf)?, 1)
        }
    }
}

fn same_values(a: &Function, b: &Function) -> bool {
    let scalars = |f: &Function| -> Vec<Scalar> { f.params.iter().map(|p| f.scalar(p.value)).collect() };
    scalars(a) == scalars(b) && a.slots <= b.slots
}

/// Where the words of each array of a function lie.
pub(crate) fn places(function: &Function) -> Vec<ArrayPlace> {
    let words = ArgWords::of(function);
    let ends = words.arrays.iter().skip(1).map(|next| next.address).chain([words.scalars]);
    let ranges = words.arrays.iter().zip(ends).map(|(array, end)| array.address..end);
    let addresses = |array: &ArrayParam| match array.storage {
        Storage::Elements => 1,
        Storage::Planes => array.leaves.len(),
    };
    let arrays = function.arrays.iter().zip(ranges);
    arrays.map(|(array, words)| ArrayPlace { words, addresses: addresses(array) }).collect()
}

#[cfg(test)]
mod tests {
    use warp_ir::builder::Builder;
    use warp_ir::encode::Encode;
    use warp_ir::ir::{Access, AtomicKind, Mem, Source};

    use super::*;
    use crate::element::Element;
    use crate::layout::Layout;

    /// Squares, each stored where one of two counters says; the other one counts as well.
    fn compaction(by_wide: bool) -> Valid<Kernel> {
        let mut b = Builder::new("compaction");
        let x = Mem::Array(b.slice("x", Scalar::F32, Access::Read));
        let wide = Mem::Array(b.slice("wide", Scalar::U64, Access::Write));
        let narrow = Mem::Array(b.slice("narrow", Scalar::U32, Access::Write));
        let y = Mem::Array(b.slice("y", Scalar::F32, Access::Write));
        let source = b.source(Source::default());
        let (i, zero) = (b.tid(0), b.u64(0));
        b.check_index(x, 0, i, source);
        b.check_index(wide, 0, zero, source);
        b.check_index(narrow, 0, zero, source);
        let (one, short_one) = (b.u64(1), b.const_(Scalar::U32, 1));
        let by_wide_one = b.atomic(AtomicKind::Add, wide, zero, 0, one);
        let by_narrow_one = b.atomic(AtomicKind::Add, narrow, zero, 0, short_one);
        let at = if by_wide { by_wide_one } else { b.cast(Scalar::U64, by_narrow_one) };
        let value = b.load(x, i, 0);
        let value = b.mul(value, value);
        b.check_index(y, 0, at, source);
        b.store(y, at, 0, value);
        let mut kernel = b.finish_kernel(1);
        warp_ir::passes::simplify(&mut kernel);
        Valid::<Kernel>::new(kernel).unwrap()
    }

    fn spec(kernel: &Valid<Kernel>, carried: &Valid<Kernel>) -> Spec {
        const LAYOUTS: [&Layout; 4] = [&f32::LAYOUT, &u64::LAYOUT, &u32::LAYOUT, &f32::LAYOUT];
        Spec {
            name: "compaction",
            module: "tests",
            file: "tests.rs",
            line: 1,
            ir: Kernel::to_bytes(kernel).leak(),
            adjoint: Carried::of(carried).to_bytes().leak(),
            slots: &[],
            arrays: &LAYOUTS,
            plain: None,
        }
    }

    /// An adjoint of other code may take the same arguments, and write down four bytes a thread where eight are read.
    #[test]
    fn all_variants_read_the_same_of_a_launch() {
        let of = |overlapping, guarded| Variant { overlapping, guarded };
        let others = [of(true, false), of(false, true), of(true, true)];
        let (wide, narrow) = (compaction(true), compaction(false));
        for kernel in [&wide, &narrow] {
            for variant in others.into_iter().chain([Variant::default()]) {
                let found = reverse(&spec(kernel, kernel), variant);
                assert!(matches!(found, Ok(Reverse::Adjoint(adjoint)) if adjoint.recording.is_some()));
            }
        }
        for (kernel, carried) in [(&wide, &narrow), (&narrow, &wide)] {
            for variant in others {
                let refused = reverse(&spec(kernel, carried), variant).err().expect("it is the adjoint of other code");
                assert!(refused.to_string().contains("its gradient is that of other code"), "{refused}");
            }
        }
    }
}
