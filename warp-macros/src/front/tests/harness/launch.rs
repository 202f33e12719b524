//! Launches of kernels and of their adjoints, in the evaluator.

use warp_ir::differentiate::{Adjoint, Given, Options, Refusal, differentiate};
use warp_ir::evaluate::{self, Array, Inputs};
use warp_ir::ir::{ArrayId, Kernel};
use warp_ir::validate::Valid;

use super::data::{Bits, Data, fill, floats, number, ones};
use super::{Source, show};

/// What a launch left.
#[derive(Debug)]
pub struct Report {
    arrays: Vec<Vec<u64>>,
    pub outcome: evaluate::Outcome,
    pub kernel: Kernel,
}

impl Report {
    pub fn get<T: Bits>(&self, array: usize) -> Vec<T> {
        self.arrays[array].iter().map(|&b| T::of(b)).collect()
    }

    /// The fault's kind, message and operands, as one line.
    pub fn fault(&self) -> Option<String> {
        let fault = self.outcome.fault.as_ref()?;
        let kind = format!("{:?}", fault.kind);
        let kind = kind.split([' ', '{', '(']).next().unwrap_or("").to_string();
        let operands: Vec<u64> = fault.operands.iter().map(|(_, b)| *b).collect();
        let source = &self.kernel.function.sources[fault.source.0 as usize];
        Some(format!("{kind} {operands:?} `{}`", source.text))
    }
}

impl Source {
    /// The simplified kernel, and its adjoint.
    pub fn adjoint(&self) -> (Valid<Kernel>, Result<Adjoint, Refusal>) {
        let mut kernel = self.kernel();
        warp_ir::passes::simplify(&mut kernel);
        let kernel = Valid::<Kernel>::new(kernel).unwrap_or_else(|e| panic!("{e}"));
        let adjoint = differentiate(&kernel, &Options::of(&kernel));
        (kernel, adjoint)
    }

    /// Runs the simplified kernel and its adjoint: what the launch left, and the gradient of each array (empty where it
    /// has none), then of each scalar of `#[grad(..)]`. A seed that is missing is one for every float of an array that the kernel writes, else zero.
    pub fn backward(
        &self,
        dims: &[u64],
        arrays: &[Data],
        scalars: &[u64],
        seeds: &[Option<Data>],
    ) -> Result<(Report, Vec<Vec<f64>>), Refusal> {
        let report = self.run_with(dims, arrays, scalars, &[]);
        assert!(report.outcome.fault.is_none(), "{:?}", report.fault());
        let (kernel, adjoint) = self.adjoint();
        let adjoint = adjoint?;
        let params = &kernel.function.arrays;
        let given: Vec<Array> = params.iter().zip(arrays).map(|(param, data)| fill(param, data)).collect();
        let extent = |array: ArrayId, dim: u8| given[array.0 as usize].extents[dim as usize];
        if let Some(overlap) = adjoint.overlap(&Given { dims, scalars, slots: &[], extent: &extent }) {
            return Err(overlap.refusal.clone());
        }
        if let Some(detached) = adjoint.detached.first() {
            return Err(detached.refusal.clone());
        }
        let mut inputs = Inputs { dims: dims.into(), scalars: scalars.into(), slots: vec![], arrays: given };
        let seeds: Vec<Option<Array>> = params
            .iter()
            .zip(arrays)
            .enumerate()
            .map(|(k, (param, data))| {
                adjoint.arrays[k].gradient?;
                Some(fill(param, seeds.get(k).and_then(Option::as_ref).unwrap_or(&ones(param, data))))
            })
            .collect();
        let reversed = evaluate::reverse(&kernel, &adjoint, &mut inputs, &seeds, 1 << 26)
            .unwrap_or_else(|e| panic!("{e}\n{}", show(&adjoint.kernel)));
        assert_eq!(reversed.backward.fault, None, "{}", show(&adjoint.kernel));
        let mut found: Vec<Vec<f64>> = params
            .iter()
            .zip(&reversed.gradients)
            .map(|(param, gradient)| gradient.as_ref().map_or(vec![], |array| floats(param, array)))
            .collect();
        for (of, bits) in adjoint.scalars.iter().zip(reversed.scalars) {
            let leaf = adjoint.kernel.function.arrays[of.gradient.0 as usize].leaves[0];
            found.push(vec![number(leaf, bits)]);
        }
        Ok((report, found))
    }

    pub fn run_with(&self, dims: &[u64], arrays: &[Data], scalars: &[u64], slots: &[u64]) -> Report {
        let kernel = self.kernel();
        let valid = Valid::<Kernel>::new(kernel.clone()).unwrap_or_else(|e| panic!("{e:?}\n{}", show(&kernel)));
        let function = &kernel.function;
        assert_eq!(arrays.len(), function.arrays.len(), "array arguments");
        let slots = slots[..slots.len().min(function.slots as usize)].to_vec();
        let mut given = vec![];
        for (param, data) in function.arrays.iter().zip(arrays) {
            given.push(fill(param, data));
        }
        let mut inputs = Inputs { dims: dims.into(), scalars: scalars.into(), slots, arrays: given };
        let outcome = evaluate::run(&valid, &mut inputs, 1 << 24).unwrap_or_else(|e| panic!("{e}\n{}", show(&kernel)));
        let arrays = function
            .arrays
            .iter()
            .zip(&inputs.arrays)
            .map(|(param, array)| {
                let count: u64 = array.extents.iter().product();
                (0..count)
                    .flat_map(|i| (0..param.leaves.len() as u16).map(move |leaf| (i, leaf)))
                    .map(|(i, leaf)| array.get(param, i, leaf).unwrap())
                    .collect()
            })
            .collect();
        Report { arrays, outcome, kernel }
    }
}

/// Runs `k` of a source over `threads`.
pub fn run(text: &str, threads: u64, arrays: &[Data]) -> Report {
    Source::new(text).run_with(&[threads], arrays, &[], &[])
}
