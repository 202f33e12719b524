//! Comparisons. Greater-than forms are these with operands exchanged.

rows! {
    topic "comparison", module compare, names compare_names, result r, adjoint dr;

    /// `a == b`. False where either is NaN; -0 equals +0.
    ///
    /// Example: `0.0 == -0.0` holds.
    ///
    /// Example: `f32::NAN == f32::NAN` is `false`.
    Eq = eq(a: C, b: C) -> Bool {
        host: int |a, b| a == b, float |a, b| a == b, bool |a, b| a == b;
        adjoint: none { "piecewise constant" };
        clif: int IcmpEq, float FcmpEq, bool IcmpEq;
        ptx: int "setp.eq.{t} {r}, {a}, {b};", float "setp.eq.{t} {r}, {a}, {b};", bool emitter;
        ulp: 0;
    }

    /// `a != b`. True where either is NaN.
    ///
    /// Example: `f32::NAN != f32::NAN` holds.
    Ne = ne(a: C, b: C) -> Bool {
        host: int |a, b| a != b, float |a, b| a != b, bool |a, b| a != b;
        adjoint: none { "piecewise constant" };
        clif: int IcmpNe, float FcmpNe, bool IcmpNe;
        ptx: int "setp.ne.{t} {r}, {a}, {b};", float "setp.neu.{t} {r}, {a}, {b};", bool emitter;
        ulp: 0;
    }

    /// `a < b`. False where either is NaN; false lies below true.
    ///
    /// Example: `2 < 3` holds.
    Lt = lt(a: C, b: C) -> Bool {
        host: int |a, b| a < b, float |a, b| a < b, bool |a: bool, b: bool| !a & b;
        adjoint: none { "piecewise constant" };
        clif: signed IcmpSlt, unsigned IcmpUlt, float FcmpLt, bool IcmpUlt;
        ptx: int "setp.lt.{t} {r}, {a}, {b};", float "setp.lt.{t} {r}, {a}, {b};", bool emitter;
        ulp: 0;
    }

    /// `a <= b`. False where either is NaN; false lies below true.
    ///
    /// Example: `3 <= 3` holds.
    Le = le(a: C, b: C) -> Bool {
        host: int |a, b| a <= b, float |a, b| a <= b, bool |a: bool, b: bool| !a | b;
        adjoint: none { "piecewise constant" };
        clif: signed IcmpSle, unsigned IcmpUle, float FcmpLe, bool IcmpUle;
        ptx: int "setp.le.{t} {r}, {a}, {b};", float "setp.le.{t} {r}, {a}, {b};", bool emitter;
        ulp: 0;
    }
}
