//! Single precision in double: a kernel with every float an `f64`, whose differences are exact enough to compare
//! gradients with.

use super::replace::Replacements;
use crate::builtins::Builtin;
use crate::differentiate::Refusal;
use crate::ir::*;
use crate::validate::Valid;

/// A kernel in which every `f32`, `f16` and `bf16` is an `f64`: scalar parameters, elements of arrays, local arrays,
/// constants, tables, values and what is printed. Its arguments are those of the kernel with the same numbers as `f64`; the
/// bits of the user's constants stay those of their own types.
///
/// A kernel of doubles alone comes back as it is. Bits of a float are refused: those of the wider one are others.
pub fn promote_floats(kernel: &Valid<Kernel>) -> Result<Valid<Kernel>, Refusal> {
    let mut wide = Kernel::clone(kernel);
    let function = &mut wide.function;
    let narrow = function.values.clone();
    function.values.iter_mut().for_each(widen);
    function.arrays.iter_mut().for_each(|array| array.leaves.iter_mut().for_each(widen));
    function.locals.iter_mut().for_each(|local| local.leaves.iter_mut().for_each(widen));
    function.prints.iter_mut().for_each(|site| pieces(&mut site.pieces));
    for (scalar, elements) in &mut function.tables {
        elements.iter_mut().for_each(|bits| *bits = wide_bits(*scalar, *bits));
        widen(scalar);
    }
    let mut body = std::mem::take(&mut function.body);
    let to = Replacements::new(narrow.len());
    Widen { function, narrow, to }.region(&mut body)?;
    wide.function.body = body;
    Valid::<Kernel>::new(wide).map_err(|e| Refusal {
        source: None,
        message: format!("this kernel in double precision meets a gap in the compiler ({e}). Please report it"),
    })
}

fn is_narrow(scalar: Scalar) -> bool {
    scalar == Scalar::F32 || scalar.is_half()
}

fn widen(scalar: &mut Scalar) {
    if is_narrow(*scalar) {
        *scalar = Scalar::F64;
    }
}

/// The bits of the same number as a double.
fn wide_bits(scalar: Scalar, bits: u64) -> u64 {
    match is_narrow(scalar) {
        true => Builtin::Cast.eval(&[scalar], Scalar::F64, &[bits]).unwrap_or(bits),
        false => bits,
    }
}

fn pieces(pieces: &mut [PrintPiece]) {
    for piece in pieces {
        match piece {
            PrintPiece::Text(_) => {}
            PrintPiece::Arg { scalar, .. } => widen(scalar),
            PrintPiece::Choice { scalar, cases } => {
                cases.iter_mut().for_each(|(value, _)| *value = wide_bits(*scalar, *value));
                widen(scalar);
            }
        }
    }
}

struct Widen<'f> {
    function: &'f mut Function,
    /// The types before.
    narrow: Vec<Scalar>,
    /// Casts between floats are gone.
    to: Replacements,
}

impl Widen<'_> {
    fn region(&mut self, region: &mut Region) -> Result<(), Refusal> {
        for mut op in std::mem::take(&mut region.ops) {
            self.to.operands(&mut op);
            for inner in op.regions_mut() {
                self.region(inner)?;
            }
            self.op(op, &mut region.ops)?;
        }
        self.to.all(&mut region.yields);
        Ok(())
    }

    fn was_narrow(&self, value: Value) -> bool {
        self.narrow.get(value.0 as usize).is_some_and(|&scalar| is_narrow(scalar))
    }

    fn op(&mut self, mut op: Op, out: &mut Vec<Op>) -> Result<(), Refusal> {
        match &mut op {
            Op::Const { bits, result } => *bits = wide_bits(self.narrow[result.0 as usize], *bits),
            Op::Slot { result, .. } if self.was_narrow(*result) => {
                let wide = std::mem::replace(result, self.narrow_value(*result));
                return self.cast(op, wide, out);
            }
            Op::Pure { builtin: Builtin::Cast, args, result }
                if self.function.scalar(args[0]) == self.function.scalar(*result)
                    && (self.was_narrow(args[0]) || self.was_narrow(*result)) =>
            {
                self.to.set(*result, args[0]);
                return Ok(());
            }
            Op::Pure { builtin: Builtin::Bitcast, args, result } => {
                if self.was_narrow(args[0]) {
                    return Err(self.bits(args[0], *result));
                }
                if self.was_narrow(*result) {
                    let wide = std::mem::replace(result, self.narrow_value(*result));
                    return self.cast(op, wide, out);
                }
            }
            Op::Check { kind: CheckKind::Assert { message }, .. } => pieces(message),
            _ => {}
        }
        out.push(op);
        Ok(())
    }

    /// A value of the type that `value` had.
    fn narrow_value(&mut self, value: Value) -> Value {
        self.function.value(self.narrow[value.0 as usize])
    }

    /// An op with a narrow result, and the wide one.
    fn cast(&mut self, op: Op, wide: Value, out: &mut Vec<Op>) -> Result<(), Refusal> {
        let narrow = op.shape().results[0];
        out.push(op);
        out.push(Op::Pure { builtin: Builtin::Cast, args: vec![narrow], result: wide });
        Ok(())
    }

    fn bits(&self, float: Value, result: Value) -> Refusal {
        let span = |value: Value| self.function.spans.get(value.0 as usize).copied().flatten();
        let name = self.narrow[float.0 as usize].name();
        let message = format!(
            "this kernel takes the bits of an `{name}`, which are others in the double precision that its gradient is \
             compared in. Compute with the number itself (`abs`, `copysign`, `signum`), or leave the kernel unchecked"
        );
        Refusal { source: span(result).or(span(float)), message }
    }
}
