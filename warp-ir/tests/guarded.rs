//! Which kernels are shown to be memory safe, and which are turned away.

use warp_ir::builtins::Builtin;
use warp_ir::ir::*;
use warp_ir::planted::{self, Bug};
use warp_ir::validate::{Valid, guarded};

/// A kernel in the making: one op after another into the body.
struct Build {
    function: Function,
}

impl Build {
    fn new() -> Build {
        Build { function: Function { name: "k".into(), sources: vec![Source::default()], ..Function::default() } }
    }

    fn array(&mut self, rank: u8, strided: bool) -> ArrayId {
        self.function.arrays.push(ArrayParam {
            name: "a".into(),
            leaves: vec![Scalar::F32],
            rank,
            strided,
            access: Access::Write,
            storage: Storage::Elements,
        });
        ArrayId(self.function.arrays.len() as u32 - 1)
    }

    fn local(&mut self, len: u32) -> Mem {
        self.function.locals.push(LocalArray { name: "l".into(), leaves: vec![Scalar::F32], len });
        Mem::Local(LocalId(self.function.locals.len() as u32 - 1))
    }

    fn op(&mut self, scalar: Scalar, op: impl FnOnce(Value) -> Op) -> Value {
        let value = self.function.value(scalar);
        self.function.body.ops.push(op(value));
        value
    }

    fn param(&mut self, scalar: Scalar) -> Value {
        let value = self.function.value(scalar);
        self.function.params.push(Param { name: "p".into(), value });
        value
    }

    fn constant(&mut self, scalar: Scalar, bits: u64) -> Value {
        self.op(scalar, |result| Op::Const { bits, result })
    }

    fn extent(&mut self, array: ArrayId, dim: u8) -> Value {
        self.op(Scalar::U64, |result| Op::Extent { array, dim, result })
    }

    fn stride(&mut self, array: ArrayId, dim: u8) -> Value {
        self.op(Scalar::U64, |result| Op::Stride { array, dim, result })
    }

    fn pure(&mut self, builtin: Builtin, args: &[Value]) -> Value {
        use Builtin::*;
        let scalar = match builtin {
            Lt | Le | Eq | Ne => Scalar::Bool,
            _ => self.function.scalar(args[0]),
        };
        self.op(scalar, |result| Op::Pure { builtin, args: args.to_vec(), result })
    }

    fn check(&mut self, cond: Value) {
        let kind = CheckKind::Assert { message: vec![] };
        self.function.body.ops.push(Op::Check { cond, kind, operands: vec![], source: SourceId(0) });
    }

    fn check_below(&mut self, a: Value, b: Value) {
        let cond = self.pure(Builtin::Lt, &[a, b]);
        self.check(cond);
    }

    fn load(&mut self, mem: Mem, index: Value) -> Value {
        self.op(Scalar::F32, |result| Op::Load { mem, index, leaf: 0, result })
    }

    fn store(&mut self, mem: Mem, index: Value) {
        let value = self.constant(Scalar::F32, 0);
        self.function.body.ops.push(Op::Store { mem, index, leaf: 0, value });
    }

    fn fill(&mut self, mem: Mem) {
        let value = self.constant(Scalar::F32, 0);
        let Mem::Local(local) = mem else { panic!("a local array") };
        self.function.body.ops.push(Op::Fill { local, leaf: 0, value });
    }

    /// Moves the ops after the first `from` into a region.
    fn since(&mut self, from: usize) -> Region {
        Region { ops: self.function.body.ops.split_off(from), ..Region::default() }
    }

    fn shown(self) -> Result<(), String> {
        let kernel = Kernel { function: self.function, rank: 1, ..Kernel::default() };
        let kernel = Valid::<Kernel>::new(kernel).expect("valid apart from guards");
        guarded(&kernel).map_err(|e| e.message)
    }
}

#[test]
fn an_index_needs_a_check_against_its_own_array() {
    for (checked, against, shown) in [(false, 0, false), (true, 0, true), (true, 1, false)] {
        let mut b = Build::new();
        let (a, other) = (b.array(1, false), b.array(1, false));
        let i = b.param(Scalar::U64);
        let extent = b.extent(if against == 0 { a } else { other }, 0);
        if checked {
            b.check_below(i, extent);
        }
        b.store(Mem::Array(a), i);
        assert_eq!(b.shown().is_ok(), shown, "checked {checked} against {against}");
    }
}

#[test]
fn a_check_after_the_access_or_in_a_branch_is_no_evidence() {
    let mut b = Build::new();
    let a = b.array(1, false);
    let i = b.param(Scalar::U64);
    let extent = b.extent(a, 0);
    b.load(Mem::Array(a), i);
    b.check_below(i, extent);
    assert!(b.shown().is_err());

    let mut b = Build::new();
    let a = b.array(1, false);
    let (i, c) = (b.param(Scalar::U64), b.param(Scalar::Bool));
    let extent = b.extent(a, 0);
    let from = b.function.body.ops.len();
    b.check_below(i, extent);
    let then = b.since(from);
    b.function.body.ops.push(Op::If { cond: c, then, otherwise: Region::default(), results: vec![] });
    b.load(Mem::Array(a), i);
    assert!(b.shown().is_err());
}

#[test]
fn the_condition_of_an_if_is_evidence_in_its_branch_alone() {
    for in_then in [true, false] {
        let mut b = Build::new();
        let a = b.array(1, false);
        let i = b.param(Scalar::U64);
        let extent = b.extent(a, 0);
        let cond = b.pure(Builtin::Lt, &[i, extent]);
        let from = b.function.body.ops.len();
        b.load(Mem::Array(a), i);
        let (mut then, mut otherwise) = (b.since(from), Region::default());
        if !in_then {
            std::mem::swap(&mut then, &mut otherwise);
        }
        b.function.body.ops.push(Op::If { cond, then, otherwise, results: vec![] });
        assert_eq!(b.shown().is_ok(), in_then);
    }
}

/// `let found = if i < len { x } else { true }; if !found { a[i] }`, and the wordings that show nothing.
#[test]
fn a_constant_that_only_one_arm_yields_tells_which_arm_ran() {
    for (yielded, wanted, arm_is_then, shown) in [
        (1, false, false, true),
        (0, true, false, true),
        (1, true, false, false),
        (0, false, false, false),
        (1, false, true, false),
    ] {
        let mut b = Build::new();
        let a = b.array(1, false);
        let (i, x) = (b.param(Scalar::U64), b.param(Scalar::Bool));
        let extent = b.extent(a, 0);
        let cond = b.pure(Builtin::Lt, &[i, extent]);
        let constant = b.constant(Scalar::Bool, yielded);
        let arm = |value| Region { yields: vec![value], ..Region::default() };
        let (then, otherwise) = if arm_is_then { (arm(constant), arm(x)) } else { (arm(x), arm(constant)) };
        let found = b.op(Scalar::Bool, |found| Op::If { cond, then, otherwise, results: vec![found] });
        let from = b.function.body.ops.len();
        b.load(Mem::Array(a), i);
        let (mut then, mut otherwise) = (b.since(from), Region::default());
        if !wanted {
            std::mem::swap(&mut then, &mut otherwise);
        }
        b.function.body.ops.push(Op::If { cond: found, then, otherwise, results: vec![] });
        assert_eq!(b.shown().is_ok(), shown, "{yielded} {wanted} {arm_is_then}");
    }
}

#[test]
fn conjunctions_and_negations_are_seen_through() {
    let mut b = Build::new();
    let a = b.array(1, false);
    let (i, j) = (b.param(Scalar::U64), b.param(Scalar::U64));
    let extent = b.extent(a, 0);
    let below = b.pure(Builtin::Lt, &[i, extent]);
    let beyond = b.pure(Builtin::Le, &[extent, j]);
    let within = b.pure(Builtin::Not, &[beyond]);
    let both = b.pure(Builtin::And, &[below, within]);
    b.check(both);
    b.load(Mem::Array(a), i);
    b.load(Mem::Array(a), j);
    assert_eq!(b.shown(), Ok(()));

    let mut b = Build::new();
    let a = b.array(1, false);
    let (i, j) = (b.param(Scalar::U64), b.param(Scalar::U64));
    let extent = b.extent(a, 0);
    let (p, q) = (b.pure(Builtin::Lt, &[i, extent]), b.pure(Builtin::Lt, &[j, extent]));
    let either = b.pure(Builtin::Or, &[p, q]);
    b.check(either);
    b.load(Mem::Array(a), i);
    assert!(b.shown().is_err());
}

#[test]
fn signed_comparisons_are_no_evidence() {
    let mut b = Build::new();
    let a = b.array(1, false);
    let i = b.param(Scalar::U64);
    let extent = b.extent(a, 0);
    let cast =
        |b: &mut Build, v| b.op(Scalar::I64, |result| Op::Pure { builtin: Builtin::Cast, args: vec![v], result });
    let (i_signed, e_signed) = (cast(&mut b, i), cast(&mut b, extent));
    b.check_below(i_signed, e_signed);
    b.load(Mem::Array(a), i);
    assert!(b.shown().is_err());
}

#[test]
fn a_constant_index_needs_an_extent_above_it() {
    for (index, bound, shown) in [(3, 3, true), (2, 3, true), (4, 3, false)] {
        let mut b = Build::new();
        let a = b.array(1, false);
        let extent = b.extent(a, 0);
        let bound = b.constant(Scalar::U64, bound);
        b.check_below(bound, extent);
        let extent_again = b.extent(a, 0);
        assert_ne!(extent, extent_again);
        let index = b.constant(Scalar::U64, index);
        b.load(Mem::Array(a), index);
        assert_eq!(b.shown().is_ok(), shown);
    }
}

#[test]
fn local_arrays_take_constant_masked_and_checked_indices_once_filled() {
    for (mask, filled, shown) in [(7, true, true), (8, true, false), (7, false, false)] {
        let mut b = Build::new();
        let local = b.local(8);
        let i = b.param(Scalar::U64);
        if filled {
            b.fill(local);
        }
        let mask = b.constant(Scalar::U64, mask);
        let index = b.pure(Builtin::And, &[i, mask]);
        b.load(local, index);
        assert_eq!(b.shown().is_ok(), shown);
    }
    let mut b = Build::new();
    let local = b.local(8);
    let i = b.param(Scalar::U64);
    b.fill(local);
    let len = b.constant(Scalar::U64, 8);
    b.check_below(i, len);
    b.load(local, i);
    assert_eq!(b.shown(), Ok(()));
}

#[test]
fn stores_to_every_element_or_in_both_branches_give_contents() {
    for stores in 0..=3 {
        let mut b = Build::new();
        let local = b.local(3);
        let i = b.param(Scalar::U64);
        for k in 0..stores {
            let k = b.constant(Scalar::U64, k);
            b.store(local, k);
        }
        let len = b.constant(Scalar::U64, 3);
        b.check_below(i, len);
        b.load(local, i);
        assert_eq!(b.shown().is_ok(), stores == 3);
    }
    for both in [false, true] {
        let mut b = Build::new();
        let local = b.local(3);
        let c = b.param(Scalar::Bool);
        let from = b.function.body.ops.len();
        b.fill(local);
        let then = b.since(from);
        if both {
            b.fill(local);
        }
        let otherwise = b.since(from);
        b.function.body.ops.push(Op::If { cond: c, then, otherwise, results: vec![] });
        let k = b.constant(Scalar::U64, 1);
        b.load(local, k);
        assert_eq!(b.shown().is_ok(), both);
    }
}

#[test]
fn views_need_each_dimension_checked() {
    for checked in [[true, true], [true, false], [false, true]] {
        let mut b = Build::new();
        let a = b.array(2, true);
        let index = [b.param(Scalar::U64), b.param(Scalar::U64)];
        let mut products = vec![];
        for dim in 0..2 {
            let extent = b.extent(a, dim);
            if checked[dim as usize] {
                b.check_below(index[dim as usize], extent);
            }
            let stride = b.stride(a, dim);
            products.push(b.pure(Builtin::Mul, &[index[dim as usize], stride]));
        }
        let flat = b.pure(Builtin::Add, &products);
        b.load(Mem::Array(a), flat);
        assert_eq!(b.shown().is_ok(), checked == [true, true]);
    }
}

#[test]
fn views_do_not_take_one_stride_twice() {
    let mut b = Build::new();
    let a = b.array(2, true);
    let (i, j) = (b.param(Scalar::U64), b.param(Scalar::U64));
    let (e0, e1) = (b.extent(a, 0), b.extent(a, 1));
    b.check_below(i, e0);
    b.check_below(j, e1);
    let zero = b.constant(Scalar::U64, 0);
    b.check_below(zero, e1);
    let stride = b.stride(a, 0);
    let (p, q) = (b.pure(Builtin::Mul, &[i, stride]), b.pure(Builtin::Mul, &[j, stride]));
    let flat = b.pure(Builtin::Add, &[p, q]);
    b.load(Mem::Array(a), flat);
    assert!(b.shown().is_err());
}

#[test]
fn contiguous_arrays_take_horners_form() {
    for right in [true, false] {
        let mut b = Build::new();
        let a = b.array(3, false);
        let index: Vec<Value> = (0..3).map(|_| b.param(Scalar::U64)).collect();
        let extents: Vec<Value> = (0..3).map(|d| b.extent(a, d)).collect();
        for d in 0..3 {
            b.check_below(index[d], extents[d]);
        }
        let row = b.pure(Builtin::Mul, &[index[0], extents[if right { 1 } else { 2 }]]);
        let row = b.pure(Builtin::Add, &[row, index[1]]);
        let flat = b.pure(Builtin::Mul, &[extents[2], row]);
        let flat = b.pure(Builtin::Add, &[index[2], flat]);
        b.load(Mem::Array(a), flat);
        assert_eq!(b.shown().is_ok(), right);
    }
}

#[test]
fn parts_of_parts_are_in_range() {
    for leave_out in [None, Some(0), Some(1), Some(2), Some(3), Some(4)] {
        let mut b = Build::new();
        let a = b.array(1, false);
        let p: Vec<Value> = (0..5).map(|_| b.param(Scalar::U64)).collect();
        let (start, end, start2, end2, i) = (p[0], p[1], p[2], p[3], p[4]);
        let extent = b.extent(a, 0);
        let len = b.pure(Builtin::Sub, &[end, start]);
        let len2 = b.pure(Builtin::Sub, &[end2, start2]);
        let orders = [
            (Builtin::Le, start, end),
            (Builtin::Le, end, extent),
            (Builtin::Le, start2, end2),
            (Builtin::Le, end2, len),
            (Builtin::Lt, i, len2),
        ];
        for (k, (builtin, x, y)) in orders.into_iter().enumerate() {
            if leave_out != Some(k) {
                let cond = b.pure(builtin, &[x, y]);
                b.check(cond);
            }
        }
        let inner = b.pure(Builtin::Add, &[start2, i]);
        let index = b.pure(Builtin::Add, &[start, inner]);
        b.load(Mem::Array(a), index);
        assert_eq!(b.shown().is_ok(), leave_out.is_none(), "without {leave_out:?}");
    }
}

/// The first element of a part: no addition is left of `start + 0`.
#[test]
fn the_start_of_a_part_that_is_not_empty_is_in_range() {
    for leave_out in [None, Some(0), Some(1), Some(2)] {
        let mut b = Build::new();
        let a = b.array(1, false);
        let (start, end) = (b.param(Scalar::U64), b.param(Scalar::U64));
        let extent = b.extent(a, 0);
        let len = b.pure(Builtin::Sub, &[end, start]);
        let zero = b.constant(Scalar::U64, 0);
        let orders = [(Builtin::Le, start, end), (Builtin::Le, end, extent), (Builtin::Lt, zero, len)];
        for (k, (builtin, x, y)) in orders.into_iter().enumerate() {
            if leave_out != Some(k) {
                let cond = b.pure(builtin, &[x, y]);
                b.check(cond);
            }
        }
        b.load(Mem::Array(a), start);
        assert_eq!(b.shown().is_ok(), leave_out.is_none(), "without {leave_out:?}");
    }
}

/// A part that ends at a number: only its start is compared with that.
#[test]
fn a_part_may_end_at_a_number_inside_the_array() {
    for (end, checked, shown) in [(3, true, true), (4, true, true), (5, true, false), (3, false, false)] {
        let mut b = Build::new();
        let l = b.local(4);
        b.fill(l);
        let (start, i) = (b.param(Scalar::U64), b.param(Scalar::U64));
        let end_value = b.constant(Scalar::U64, end);
        let len = b.pure(Builtin::Sub, &[end_value, start]);
        if checked {
            let ordered = b.pure(Builtin::Le, &[start, end_value]);
            b.check(ordered);
        }
        b.check_below(i, len);
        let index = b.pure(Builtin::Add, &[start, i]);
        b.load(l, index);
        assert_eq!(b.shown().is_ok(), shown, "up to {end}, checked {checked}");
    }
}

#[test]
fn division_needs_a_divisor_that_is_not_zero() {
    for checked in [false, true] {
        let mut b = Build::new();
        let (n, d) = (b.param(Scalar::U32), b.param(Scalar::U32));
        let zero = b.constant(Scalar::U32, 0);
        if checked {
            let cond = b.pure(Builtin::Ne, &[d, zero]);
            b.check(cond);
        }
        b.pure(Builtin::Rem, &[n, d]);
        assert_eq!(b.shown().is_ok(), checked);
    }
    for (divisor, shown) in [(0, false), (7, true), (0xffff_ffff, false)] {
        let mut b = Build::new();
        let n = b.param(Scalar::I32);
        let d = b.constant(Scalar::I32, divisor);
        b.pure(Builtin::Div, &[n, d]);
        assert_eq!(b.shown().is_ok(), shown, "i32 by {divisor:#x}");
    }
}

/// What an `If` gave tells which arm ran, and so its condition, which speaks of a value.
#[test]
fn a_result_of_a_branch_tells_its_condition() {
    for (told, shown) in [(false, true), (true, false)] {
        let mut b = Build::new();
        let (n, d, p) = (b.param(Scalar::I32), b.param(Scalar::I32), b.param(Scalar::Bool));
        let zero = b.constant(Scalar::I32, 0);
        let divisible = b.pure(Builtin::Ne, &[d, zero]);
        b.check(divisible);
        let yes = b.constant(Scalar::Bool, 1);
        let cond = b.pure(Builtin::Eq, &[n, zero]);
        let (then, otherwise) =
            (Region { yields: vec![p], ..Region::default() }, Region { yields: vec![yes], ..Region::default() });
        let result = b.function.value(Scalar::Bool);
        b.function.body.ops.push(Op::If { cond, then, otherwise, results: vec![result] });
        let from = b.function.body.ops.len();
        b.pure(Builtin::Rem, &[n, d]);
        let divides = b.since(from);
        let (then, otherwise) = if told { (divides, Region::default()) } else { (Region::default(), divides) };
        b.function.body.ops.push(Op::If { cond: result, then, otherwise, results: vec![] });
        assert_eq!(b.shown().is_ok(), shown, "where the result is {told}");
    }
}

#[test]
fn signed_division_needs_the_overflow_excluded_in_any_wording() {
    for wording in 0..4 {
        assert_eq!(signed_division(wording).is_ok(), wording != 0, "wording {wording}");
    }
    planted::set(Some(Bug::GuardForgetsOverflow));
    assert!(signed_division(0).is_ok(), "the test above finds a guard that forgets overflow");
    planted::set(None);
}

/// A division whose divisor is not zero, with the other check in one of several wordings.
fn signed_division(wording: u32) -> Result<(), String> {
    let mut b = Build::new();
    let (n, d) = (b.param(Scalar::I8), b.param(Scalar::I8));
    let (zero, min, minus) = (b.constant(Scalar::I8, 0), b.constant(Scalar::I8, 0x80), b.constant(Scalar::I8, 0xff));
    let cond = b.pure(Builtin::Ne, &[d, zero]);
    b.check(cond);
    match wording {
        0 => {}
        1 => {
            let (p, q) = (b.pure(Builtin::Ne, &[n, min]), b.pure(Builtin::Ne, &[d, minus]));
            let either = b.pure(Builtin::Or, &[p, q]);
            b.check(either);
        }
        2 => {
            let (p, q) = (b.pure(Builtin::Eq, &[n, min]), b.pure(Builtin::Eq, &[d, minus]));
            let both = b.pure(Builtin::And, &[p, q]);
            let not = b.pure(Builtin::Not, &[both]);
            b.check(not);
        }
        _ => {
            let positive = b.pure(Builtin::Lt, &[zero, d]);
            b.check(positive);
        }
    }
    b.pure(Builtin::Div, &[n, d]);
    b.shown()
}

#[test]
fn a_table_index_is_bounded_by_construction() {
    for (mask, shown) in [(3, true), (4, false)] {
        let mut b = Build::new();
        b.function.tables.push((Scalar::F32, vec![0; 4]));
        let i = b.param(Scalar::U64);
        let mask = b.constant(Scalar::U64, mask);
        let index = b.pure(Builtin::And, &[i, mask]);
        b.op(Scalar::F32, |result| Op::Table { table: 0, index, result });
        assert_eq!(b.shown().is_ok(), shown);
    }
}

/// Hostile: every fact is about one value, and every op asks about it. The work stays linear.
#[test]
fn many_facts_about_one_value_cost_little() {
    let mut b = Build::new();
    let a = b.array(1, false);
    let i = b.param(Scalar::U64);
    for k in 0..20_000 {
        let k = b.constant(Scalar::U64, k);
        b.check_below(i, k);
        b.check_below(k, i);
    }
    for _ in 0..20_000 {
        b.op(Scalar::U64, |result| Op::Pure { builtin: Builtin::Add, args: vec![i, i], result });
    }
    b.load(Mem::Array(a), i);
    let start = std::time::Instant::now();
    assert!(b.shown().is_err());
    assert!(start.elapsed().as_secs() < 10);
}

/// `if i < extent {} else { stop }`, with what the else arm stops by; then a store at `i`.
fn stopped_unless_inside(stop: impl FnOnce(&mut Build, Value)) -> Result<(), String> {
    let mut b = Build::new();
    let a = b.array(1, false);
    let i = b.param(Scalar::U64);
    let extent = b.extent(a, 0);
    let cond = b.pure(Builtin::Lt, &[i, extent]);
    let from = b.function.body.ops.len();
    stop(&mut b, cond);
    let otherwise = b.since(from);
    b.function.body.ops.push(Op::If { cond, then: Region::default(), otherwise, results: vec![] });
    b.store(Mem::Array(a), i);
    b.shown()
}

#[test]
fn who_gets_past_an_arm_that_stops_came_through_the_other_one() {
    let stops = |b: &mut Build, _| {
        let never = b.constant(Scalar::Bool, 0);
        b.check(never);
    };
    assert_eq!(stopped_unless_inside(stops), Ok(()));
    let goes_on = |b: &mut Build, _| {
        let always = b.constant(Scalar::Bool, 1);
        b.check(always);
    };
    assert!(stopped_unless_inside(goes_on).is_err());
    let may_stop = |b: &mut Build, _| {
        let maybe = b.param(Scalar::Bool);
        b.check(maybe);
    };
    assert!(stopped_unless_inside(may_stop).is_err());
}
