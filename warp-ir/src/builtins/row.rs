//! What a row is, and the macro that rows are written in.

use std::ops::Range;

use super::{Builtin, Class, Expression, Form, Graph, Ptx, Scalars, Val};
use crate::ir::Scalar;

/// All about a builtin.
#[derive(Debug)]
pub struct Row {
    /// Which.
    pub builtin: Builtin,
    /// Its name in the text form.
    pub name: &'static str,
    /// The group it stands in.
    pub topic: &'static str,
    /// What it computes, in Markdown.
    pub doc: &'static str,
    /// Its parameters.
    pub params: &'static [Param],
    /// Its result.
    pub result: Class,
    /// Its derivative.
    pub adjoint: Adjoint,
    /// Its Cranelift forms by operand type.
    pub clif: &'static [(Scalars, Form)],
    /// Its PTX forms by operand type.
    pub ptx: &'static [(Scalars, Ptx)],
    /// Its PTX form for F32 where approximations are allowed.
    pub fast: Option<Ptx>,
    /// Largest distance of a device's result from the host's, in units of the last place; 0 means the same bits.
    pub ulp: u32,
    /// For a function that is not exact: the largest distance from the true value, in units of the last place, for F32
    /// and for F64.
    pub accuracy: Option<[f64; 2]>,
    /// Of such a function: the value at 0, infinity and NaN, beyond its domain and where it is exact, to the sign of a
    /// zero. Those of C99's Annex F.
    pub values: &'static [Value],
    /// Where tests sample each operand: smooth places, away from the kinks. Empty where there is no derivative.
    pub domain: &'static [Range<f64>],
    /// Gradients at kinks and singular points, by decision.
    pub fixed: &'static [FixedGradient],
    pub(super) host: fn(&[Scalar], Scalar, &[u64], usize) -> Option<u64>,
}

/// A parameter of a builtin.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name: in docs, PTX slots and adjoint rules.
    pub name: &'static str,
    /// Its type.
    pub class: Class,
}

/// The derivative of a builtin.
#[derive(Clone, Copy, Debug)]
pub enum Adjoint {
    /// None, with the reason.
    None(&'static str),
    /// What each operand's adjoint receives. Every rule is linear in `dr`, so that forward mode reads it as well: the
    /// tangent of the result is the sum over the operands of the operand's contribution with its tangent as `dr`.
    Rule {
        /// Whether a zero adjoint always gives zero contributions for finite operands without a guard. The others are
        /// guarded by [`Row::adjoint`]: where `dr` is zero, no contribution is NaN.
        bounded: bool,
        /// Builds the contributions from operands, result and the result's adjoint.
        rule: for<'g> fn(&[Val<'g>], Val<'g>, Val<'g>) -> Vec<Contribution<'g>>,
        /// The rule as it is written.
        text: &'static str,
    },
}

/// What an operand's adjoint receives.
#[derive(Clone, Copy, Debug)]
pub enum Contribution<'g> {
    /// Nothing: the operand carries no gradient.
    Inactive,
    /// This.
    Value(Val<'g>),
}

impl<'g> From<Val<'g>> for Contribution<'g> {
    fn from(value: Val<'g>) -> Contribution<'g> {
        Contribution::Value(value)
    }
}

/// The value that a row gives at one point.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The operands.
    pub at: &'static [f64],
    /// The result.
    pub value: f64,
}

/// What special operands and values are called in rows.
pub(super) const INF: f64 = f64::INFINITY;
pub(super) const NAN: f64 = f64::NAN;

/// The gradient that a row gives at one point for an adjoint of 1.
#[derive(Clone, Copy, Debug)]
pub struct FixedGradient {
    /// The operands.
    pub at: &'static [f64],
    /// The gradient by each operand.
    pub gradient: &'static [f64],
}

impl Row {
    /// Whether it is a function of floats that is written in other builtins: a method of `f32` and `f64` in kernels,
    /// and a function of [`math`](super::math) on the host.
    pub fn is_function(&self) -> bool {
        self.accuracy.is_some()
    }

    /// The result's type for operands of types `args`; `wanted` decides where the operands do not (casts). `None` when
    /// the builtin does not take such operands.
    pub fn result_type(&self, args: &[Scalar], wanted: Scalar) -> Option<Scalar> {
        let result = match self.result {
            Class::Exactly(scalar) => scalar,
            Class::Free => wanted,
            class => args[self.params.iter().position(|p| p.class == class).filter(|&i| i < args.len())?],
        };
        self.check(args, result).ok().map(|()| result)
    }

    /// Whether the builtin takes operands of types `args` and gives `result`; the error is a sentence.
    pub fn check(&self, args: &[Scalar], result: Scalar) -> Result<(), String> {
        let name = self.name;
        if args.len() != self.params.len() {
            return Err(format!("`{name}` takes {} operands, not {}", self.params.len(), args.len()));
        }
        // The first operand of a class says which of its types all of them have. This is asked for each op of every kernel
        // that is read, and allocates nothing.
        let bound = |class: Class| self.params.iter().position(|param| param.class == class).map(|first| args[first]);
        for (param, &scalar) in self.params.iter().zip(args) {
            if !param.class.members().contains(scalar) {
                let (operand, class, found) = (param.name, param.class.describe(), scalar.name());
                return Err(format!("operand `{operand}` of `{name}` must be {class}, not {found}"));
            }
            if let Some(first) = bound(param.class).filter(|first| *first != scalar) {
                let (first, found) = (first.name(), scalar.name());
                return Err(format!("operands of `{name}` must be of one type, not {first} and {found}"));
            }
        }
        let expected = match self.result {
            Class::Free => None,
            Class::Exactly(scalar) => Some(scalar),
            class => bound(class),
        };
        if let Some(expected) = expected.filter(|&e| e != result) {
            return Err(format!("`{name}` gives {}, not {}", expected.name(), result.name()));
        }
        match self.builtin {
            Builtin::Cast => super::convert::check_cast(args[0], result),
            Builtin::Bitcast => super::convert::check_bitcast(args[0], result),
            _ => Ok(()),
        }
    }

    /// The value on the host; see [`Builtin::eval`].
    pub fn eval(&self, args: &[Scalar], result: Scalar, bits: &[u64]) -> Option<u64> {
        if bits.len() != args.len() || self.check(args, result).is_err() {
            return None;
        }
        (self.host)(args, result, bits, self.deciding())
    }

    /// The operand whose type chooses between the forms of a row: the first whose type is not fixed.
    pub fn deciding(&self) -> usize {
        self.params.iter().position(|p| !matches!(p.class, Class::Exactly(_))).unwrap_or(0)
    }

    /// The Cranelift form for operands of types `args` and this result.
    pub fn clif(&self, args: &[Scalar], result: Scalar) -> Option<Form> {
        pick(self.clif, self.form_key(args, result))
    }

    /// The PTX form for operands of types `args` and this result.
    pub fn ptx(&self, args: &[Scalar], result: Scalar) -> Option<Ptx> {
        pick(self.ptx, self.form_key(args, result))
    }

    /// The PTX form for this result where approximations are allowed, if there is one that is faster.
    pub fn fast(&self, result: Scalar) -> Option<Ptx> {
        self.fast.filter(|_| result == Scalar::F32)
    }

    /// The type that chooses a form: a cast to a half goes the half's way as one from it does.
    fn form_key(&self, args: &[Scalar], result: Scalar) -> Scalar {
        match self.result == Class::Free && result.is_half() {
            true => result,
            false => args[self.deciding()],
        }
    }

    /// The contributions to the operands' adjoints, for operands of types `args`. Inputs of the expression are the
    /// operands, then the result `r`, then its adjoint `dr` (of the result's type); it has one output an operand,
    /// `None` where nothing flows. `None` when nothing flows at all: no rule, or a result that is not a float.
    ///
    /// With `guard`, or for an unbounded row, a contribution is zero wherever `dr` is: products of a result that nobody may
    /// use need that. Only what is not a number already is replaced, so that the derivative of the contribution itself
    /// still knows how it changes with `dr`.
    pub fn adjoint(&self, args: &[Scalar], result: Scalar, guard: bool) -> Option<Expression> {
        let Adjoint::Rule { bounded, rule, .. } = self.adjoint else { return None };
        let carries = |s: Scalar| s.is_float() || s.is_half();
        if !carries(result) {
            return None;
        }
        let graph = Graph::default();
        let operands: Vec<Val<'_>> = args.iter().map(|&s| graph.input(s)).collect();
        let (r, dr) = (graph.input(result), graph.input(result));
        let outputs = rule(&operands, r, dr).into_iter().zip(args).map(|(contribution, &scalar)| match contribution {
            Contribution::Value(value) if carries(scalar) => Some(match !bounded || guard {
                true => (dr.eq(0.0) & value.ne(value)).select(value.lit(0.0), value),
                false => value,
            }),
            _ => None,
        });
        let outputs: Vec<Option<Val<'_>>> = outputs.collect();
        outputs.iter().any(Option::is_some).then(|| graph.finish(&outputs))
    }
}

fn pick<T: Copy>(forms: &[(Scalars, T)], scalar: Scalar) -> Option<T> {
    forms.iter().find(|(set, _)| set.contains(scalar)).map(|(_, form)| *form)
}

/// Writes rows. `result` and `adjoint` in the head name the result and its adjoint inside rules.
///
/// ```text
/// /// Documentation.
/// Name = name(param: Class, ..) -> Class {
///     expand: function;                              // its meaning in operations on floats, for `host`, `clif` and
///                                                    // `ptx`, which are then left out, as `ulp` is; or
///     host: int |a, b| .., float |a, b| ..;          // by type of the deciding operand; or: bits function
///     adjoint: bounded { param: expression, .. };    // a struct literal: one field a parameter; or
///     adjoint: none { "reason" };
///     clif: int Iadd, float expand(function);        // an instruction, an expansion or `helper`
///     ptx: int "add.{t} {r}, {a}, {b};";             // text, an expansion or `emitter`
///     fast: "ex2.approx.f32 {r}, {a};";              // of F32 in kernels with `fast_math`: text or an expansion
///     ulp: 0;
///     accuracy: 1.2, 0.9;                            // of functions that are not exact: units of the last place,
///     values: [0.0] => 1.0, [INF] => NAN;            // and operands => value, where something is special
///     domain: -4.0..4.0, -4.0..4.0;                  // one range a parameter; for rows with an adjoint
///     fixed: [0.0] => [0.0];                         // operands => gradient, at kinks and singular points
/// }
/// ```
macro_rules! rows {
    (topic $topic:literal, module $module:ident, names $names:ident, result $r:ident, adjoint $dr:ident; $(
        $(#[doc = $doc:literal])+
        $name:ident = $text:ident $params:tt -> $result:ident {
            $(expand: $expand:path;)?
            $(host: $($host_key:ident $host:expr),+;)?
            adjoint: $kind:ident $rule:tt;
            $(clif: $($clif_key:ident $clif:ident $(($clif_expand:ident))?),+;)?
            $(ptx: $($ptx_key:ident $ptx:tt $(($ptx_expand:ident))?),+;)?
            $(fast: $fast:tt $(($fast_expand:ident))?;)?
            $(ulp: $ulp:literal;)?
            $(accuracy: $single:literal, $double:literal; values: $($value_at:expr => $value:expr),+;)?
            $(domain: $($domain:expr),+;)?
            $(fixed: $($at:expr => $gradient:expr),+;)?
        }
    )+) => {
        row_names! { ($) $names, $module, [$($name),+] }

        /// The rows that are expansions, as functions of the host: the bits of every device.
        #[allow(clippy::module_inception)]
        pub mod functions {
            #[allow(unused_imports)]
            use super::*;
            $(host_function! { $(#[doc = $doc])+ $text $params $(expand $expand)? })+
        }
        $(value_method! { $name $text $params $(expand $expand)? })+
        $(
        $(#[doc = $doc])+
        #[allow(non_upper_case_globals)]
        pub(super) static $name: $crate::builtins::Row = $crate::builtins::Row {
            builtin: $crate::builtins::Builtin::$name,
            name: stringify!($text),
            topic: $topic,
            doc: concat!($($doc, "\n"),+),
            params: params!($params),
            result: class!($result),
            adjoint: adjoint!($kind $rule $params $r $dr),
            clif: &[
                $($((scalars!($clif_key), clif_form!($clif $($clif_expand)?))),+)?
                $(($crate::builtins::Scalars::FLOAT, $crate::builtins::Form::Expand(expansion!($expand))))?
            ],
            ptx: &[
                $($((scalars!($ptx_key), ptx_form!($ptx $($ptx_expand)?))),+)?
                $(($crate::builtins::Scalars::FLOAT, $crate::builtins::Ptx::Expand(expansion!($expand))))?
            ],
            fast: fast!($($fast $($fast_expand)?)?),
            ulp: 0 $(+ $ulp)?,
            accuracy: accuracy!($($single, $double)?),
            values: &[$($($crate::builtins::Value { at: &$value_at, value: $value }),+)?],
            domain: &[$($($domain),+)?],
            fixed: &[$($($crate::builtins::FixedGradient { at: &$at, gradient: &$gradient }),+)?],
            host: {
                #[allow(unused_variables, unreachable_code, clippy::unnecessary_cast)]
                fn host(
                    args: &[$crate::ir::Scalar],
                    result: $crate::ir::Scalar,
                    bits: &[u64],
                    deciding: usize,
                ) -> Option<u64> {
                    let scalar = args[deciding];
                    $($(host!($host_key, args, result, scalar, bits, $params, $host);)+)?
                    $(match scalar {
                        $crate::ir::Scalar::F32 => {
                            return $crate::builtins::word::apply($crate::ir::Scalar::F32, bits, |a| $expand(a, $crate::ir::Scalar::F32));
                        }
                        $crate::ir::Scalar::F64 => {
                            return $crate::builtins::word::apply($crate::ir::Scalar::F64, bits, |a| $expand(a, $crate::ir::Scalar::F64));
                        }
                        _ => {}
                    })?
                    None
                }
                host
            },
        };
    )+};
}

/// A macro that hands the names of a module's rows on, behind what it is given. `mod.rs` calls those of all modules in
/// a row and has the list of all builtins then.
macro_rules! row_names {
    (($d:tt) $names:ident, $module:ident, [$($name:ident),+]) => {
        macro_rules! $names {
            ([$d($d next:ident)*] $d($d seen:tt)*) => {
                all_names! { [$d($d next)*] $d($d seen)* $module: $($name),+; }
            };
        }
    };
}

/// A generic function on a row of wrappers, with a lifetime that the context chooses.
macro_rules! expansion {
    ($expand:path) => {{
        fn expansion<'g>(args: &[$crate::builtins::Val<'g>], result: $crate::ir::Scalar) -> $crate::builtins::Val<'g> {
            $expand(args, result)
        }
        expansion
    }};
}

macro_rules! accuracy {
    () => {
        None
    };
    ($single:literal, $double:literal) => {
        Some([$single, $double])
    };
}

macro_rules! host_function {
    ($(#[doc = $doc:literal])+ $text:ident ($($param:ident: $class:ident),+)) => {};
    ($(#[doc = $doc:literal])+ $text:ident ($($param:ident: $class:ident),+) expand $expand:path) => {
        $(#[doc = $doc])+
        pub fn $text<F: $crate::builtins::HostFloat>($($param: F),+) -> F {
            F::from_word($expand(&[$($param.word()),+], F::SCALAR))
        }
    };
}

/// What rules and expansions call it.
macro_rules! value_method {
    ($name:ident $text:ident $params:tt) => {};
    ($name:ident $text:ident ($x:ident: $class:ident) expand $expand:path) => {
        impl<'g> $crate::builtins::Val<'g> {
            #[doc = concat!("The builtin `", stringify!($text), "` of this value.")]
            pub fn $text(self) -> $crate::builtins::Val<'g> {
                self.unary($crate::builtins::Builtin::$name)
            }
        }
    };
    ($name:ident $text:ident ($x:ident: $class:ident, $y:ident: $other:ident) expand $expand:path) => {
        impl<'g> $crate::builtins::Val<'g> {
            #[doc = concat!("The builtin `", stringify!($text), "` of this value and another.")]
            pub fn $text(self, other: impl $crate::builtins::Operand<'g>) -> $crate::builtins::Val<'g> {
                self.binary($crate::builtins::Builtin::$name, other)
            }
        }
    };
}

macro_rules! params {
    (($($param:ident: $class:ident),+)) => {
        &[$($crate::builtins::Param { name: stringify!($param), class: class!($class) }),+]
    };
}

macro_rules! class {
    (S) => {
        $crate::builtins::Class::Arithmetic
    };
    (I) => {
        $crate::builtins::Class::Integer
    };
    (F) => {
        $crate::builtins::Class::Float
    };
    (L) => {
        $crate::builtins::Class::Logical
    };
    (C) => {
        $crate::builtins::Class::Comparable
    };
    (T) => {
        $crate::builtins::Class::Any
    };
    (R) => {
        $crate::builtins::Class::Free
    };
    ($scalar:ident) => {
        $crate::builtins::Class::Exactly($crate::ir::Scalar::$scalar)
    };
}

macro_rules! scalars {
    (int) => {
        $crate::builtins::Scalars::INT
    };
    (int8) => {
        $crate::builtins::Scalars::INT8
    };
    (signed) => {
        $crate::builtins::Scalars::SIGNED
    };
    (unsigned) => {
        $crate::builtins::Scalars::UNSIGNED
    };
    (int32) => {
        $crate::builtins::Scalars::INT32
    };
    (int64) => {
        $crate::builtins::Scalars::INT64
    };
    (float) => {
        $crate::builtins::Scalars::FLOAT
    };
    (half) => {
        $crate::builtins::Scalars::HALF
    };
    (bool) => {
        $crate::builtins::Scalars::BOOL
    };
    (bf16) => {
        $crate::builtins::Scalars::BF16
    };
    (any) => {
        $crate::builtins::Scalars::ANY
    };
}

macro_rules! clif_form {
    (expand $expand:ident) => {
        $crate::builtins::Form::Expand($expand)
    };
    (helper) => {
        $crate::builtins::Form::Helper
    };
    ($inst:ident) => {
        $crate::builtins::Form::Inst($crate::builtins::Clif::$inst)
    };
}

macro_rules! fast {
    () => {
        None
    };
    ($($form:tt)+) => {
        Some(ptx_form!($($form)+))
    };
}

macro_rules! ptx_form {
    (expand $expand:ident) => {
        $crate::builtins::Ptx::Expand($expand)
    };
    (emitter) => {
        $crate::builtins::Ptx::Emitter
    };
    ($text:literal) => {
        $crate::builtins::Ptx::Text($text)
    };
}

/// The rule becomes a struct literal, so that a forgotten or invented parameter is an error of rustc at the row.
macro_rules! adjoint {
    (none { $reason:literal } $params:tt $r:ident $dr:ident) => { $crate::builtins::Adjoint::None($reason) };
    (bounded $rule:tt $params:tt $r:ident $dr:ident) => { adjoint!(@rule true $rule $params $r $dr) };
    (unbounded $rule:tt $params:tt $r:ident $dr:ident) => { adjoint!(@rule false $rule $params $r $dr) };
    (@rule $bounded:literal { $($field:ident: $value:expr),+ $(,)? } ($($param:ident: $class:ident),+) $r:ident $dr:ident) => {
        $crate::builtins::Adjoint::Rule {
            bounded: $bounded,
            rule: {
                #[allow(unused_variables)]
                fn rule<'g>(
                    args: &[$crate::builtins::Val<'g>],
                    $r: $crate::builtins::Val<'g>,
                    $dr: $crate::builtins::Val<'g>,
                ) -> Vec<$crate::builtins::Contribution<'g>> {
                    #[allow(non_snake_case)]
                    struct Rule<'g> { $($param: $crate::builtins::Contribution<'g>),+ }
                    let [$($param),+] = args else { return vec![] };
                    $(let $param = *$param;)+
                    let rule = Rule { $($field: $crate::builtins::Contribution::from($value)),+ };
                    vec![$(rule.$param),+]
                }
                rule
            },
            text: concat!($(stringify!($field), ": ", stringify!($value), "\n"),+),
        }
    };
}

macro_rules! host {
    (bits, $args:ident, $result:ident, $scalar:ident, $bits:ident, $params:tt, $host:expr) => {
        return $host($args, $result, $bits)
    };
    (signed, $args:ident, $result:ident, $scalar:ident, $bits:ident, $params:tt, $host:expr) => {
        host!(@types $scalar, $bits, $params, $host, [I8 i8] [I16 i16] [I32 i32] [I64 i64])
    };
    (unsigned, $args:ident, $result:ident, $scalar:ident, $bits:ident, $params:tt, $host:expr) => {
        host!(@types $scalar, $bits, $params, $host, [U8 u8] [U16 u16] [U32 u32] [U64 u64])
    };
    (int, $($rest:tt)*) => { host!(signed, $($rest)*); host!(unsigned, $($rest)*) };
    (float, $args:ident, $result:ident, $scalar:ident, $bits:ident, $params:tt, $host:expr) => {
        host!(@types $scalar, $bits, $params, $host, [F32 f32] [F64 f64])
    };
    (bool, $args:ident, $result:ident, $scalar:ident, $bits:ident, $params:tt, $host:expr) => {
        host!(@types $scalar, $bits, $params, $host, [Bool bool])
    };
    (@types $scalar:ident, $bits:ident, $params:tt, $host:expr, $([$variant:ident $type:ident])+) => {
        match $scalar {
            $($crate::ir::Scalar::$variant => return host!(@apply $params $type, $host, $bits),)+
            _ => {}
        }
    };
    (@apply ($an:ident: $a:ident) $type:ident, $host:expr, $bits:ident) => {
        $crate::builtins::host::unary::<host!(@type $a $type), _>($host, $bits)
    };
    (@apply ($an:ident: $a:ident, $bn:ident: $b:ident) $type:ident, $host:expr, $bits:ident) => {
        $crate::builtins::host::binary::<host!(@type $a $type), host!(@type $b $type), _>($host, $bits)
    };
    (@apply ($an:ident: $a:ident, $bn:ident: $b:ident, $cn:ident: $c:ident) $type:ident, $host:expr, $bits:ident) => {
        $crate::builtins::host::ternary::<
            host!(@type $a $type), host!(@type $b $type), host!(@type $c $type), _
        >($host, $bits)
    };
    (@type U32 $type:ident) => { u32 };
    (@type Bool $type:ident) => { bool };
    (@type $class:ident $type:ident) => { $type };
}
