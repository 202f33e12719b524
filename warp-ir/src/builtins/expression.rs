//! Expressions over builtins: the notation of adjoint rules and expansions.
//!
//! A rule is ordinary Rust over [`Val`]: operators and methods append nodes to a [`Graph`]. The finished
//! [`Expression`] is a list of nodes in order of evaluation, which passes and emitters walk.

use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Shl, Shr, Sub};

use super::Builtin;
use super::value::{Table, literal_bits};
use crate::ir::Scalar;

/// A finished expression: nodes in order of evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// The nodes; an operand is the position of an earlier one.
    pub nodes: Vec<(Node, Scalar)>,
    /// Position of each output's node; `None` for an output that is nothing.
    pub outputs: Vec<Option<usize>>,
    /// Positions of `select` nodes whose second operand is seldom the one that is taken.
    pub rare: Vec<usize>,
}

/// A node of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// An input, by position.
    Input(usize),
    /// A literal's bits.
    Literal(u64),
    /// A builtin of earlier nodes.
    Op(Builtin, Vec<usize>),
    /// The word (U64) of a table at the index (U64) that an earlier node gives, modulo the table's length.
    Table(&'static Table, usize),
}

impl Node {
    /// The positions of the nodes that it reads.
    pub fn operands(&self) -> &[usize] {
        match self {
            Node::Op(_, operands) => operands,
            Node::Table(_, index) => std::slice::from_ref(index),
            Node::Input(_) | Node::Literal(_) => &[],
        }
    }
}

/// What to do next in an expression; see [`Expression::steps`].
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// Compute the node at this position.
    Node(usize),
    /// Compute the `select` at this position, where the steps are needed only if its condition holds, which is seldom.
    Seldom(usize, Vec<Step>),
}

impl Expression {
    /// Walks the nodes that the outputs need, in order, and gives the outputs: `input`, `literal` and `op` turn a node
    /// into a value of the walker's own kind.
    pub fn walk<V: Copy>(&self, mut visit: impl FnMut(&Node, &[V], Scalar) -> V) -> Vec<Option<V>> {
        let needed = self.needed(&self.outputs);
        let mut values: Vec<Option<V>> = vec![None; self.nodes.len()];
        for (at, (node, scalar)) in self.nodes.iter().enumerate().filter(|(at, _)| needed[*at]) {
            let operands: Vec<V> = node.operands().iter().filter_map(|&o| values[o]).collect();
            values[at] = Some(visit(node, &operands, *scalar));
        }
        self.outputs.iter().map(|output| output.and_then(|at| values[at])).collect()
    }

    /// Whether an output reads an input. For adjoints: what has to be kept for the reverse sweep.
    pub fn reads(&self, output: usize, input: usize) -> bool {
        let needed = self.needed(&self.outputs[output..=output]);
        self.nodes.iter().zip(needed).any(|((node, _), needed)| needed && *node == Node::Input(input))
    }

    /// The value of each output on the host, from the inputs' bits. An output is `None` where it is nothing, or where
    /// an op is undefined.
    pub fn eval(&self, inputs: &[u64]) -> Vec<Option<u64>> {
        let values = self.walk(|node, operands: &[(Option<u64>, Scalar)], scalar| {
            let value = match node {
                Node::Input(input) => inputs.get(*input).copied(),
                Node::Literal(bits) => Some(*bits),
                Node::Op(builtin, _) => {
                    let scalars: Vec<Scalar> = operands.iter().map(|o| o.1).collect();
                    let bits: Option<Vec<u64>> = operands.iter().map(|o| o.0).collect();
                    bits.and_then(|bits| builtin.eval(&scalars, scalar, &bits))
                }
                Node::Table(table, _) => operands[0].0.map(|index| table.word(index)),
            };
            (value, scalar)
        });
        values.into_iter().map(|value| value.and_then(|v| v.0)).collect()
    }

    /// The nodes that the outputs need, in an order of evaluation, with those apart that are seldom needed. For
    /// backends that can branch; the others take [`Expression::walk`], which computes all.
    pub fn steps(&self) -> Vec<Step> {
        let needed = self.needed(&self.outputs);
        // For each node the last rare select without which nothing would need it: the innermost one, since of two
        // that are nested the inner one comes first.
        let mut owners: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut rare: Vec<usize> = self.rare.iter().copied().filter(|&at| needed[at]).collect();
        rare.sort_unstable_by(|a, b| b.cmp(a));
        for &select in &rare {
            let without = self.needed_but(&self.outputs, Some(select));
            (0..select).filter(|&at| needed[at] && !without[at]).for_each(|at| owners[at] = Some(select));
        }
        self.steps_of(None, &needed, &owners, &rare)
    }

    fn steps_of(&self, owner: Option<usize>, needed: &[bool], owners: &[Option<usize>], rare: &[usize]) -> Vec<Step> {
        let own = (0..self.nodes.len()).filter(|&at| needed[at] && owners[at] == owner);
        own.map(|at| match rare.contains(&at) {
            true => Step::Seldom(at, self.steps_of(Some(at), needed, owners, rare)),
            false => Step::Node(at),
        })
        .collect()
    }

    fn needed(&self, outputs: &[Option<usize>]) -> Vec<bool> {
        self.needed_but(outputs, None)
    }

    /// What the outputs need; of one `select` without the second operand.
    fn needed_but(&self, outputs: &[Option<usize>], select: Option<usize>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        outputs.iter().flatten().for_each(|&at| needed[at] = true);
        for at in (0..self.nodes.len()).rev() {
            if needed[at] {
                let operands = self.nodes[at].0.operands().iter().enumerate();
                operands.filter(|(k, _)| Some(at) != select || *k != 1).for_each(|(_, &o)| needed[o] = true);
            }
        }
        needed
    }
}

/// How a row is written in other builtins: from operands and the type of the result.
pub type Expand = for<'g> fn(&[Val<'g>], Scalar) -> Val<'g>;

/// Where an expression grows.
#[derive(Debug, Default)]
pub struct Graph {
    nodes: RefCell<Vec<(Node, Scalar)>>,
    inputs: RefCell<usize>,
    rare: RefCell<Vec<usize>>,
}

impl Graph {
    /// The next input.
    pub fn input(&self, scalar: Scalar) -> Val<'_> {
        let number = self.inputs.replace_with(|n| *n + 1);
        self.push(Node::Input(number), scalar)
    }

    /// The expression so far, with these outputs.
    pub fn finish(&self, outputs: &[Option<Val<'_>>]) -> Expression {
        Expression {
            nodes: self.nodes.borrow().clone(),
            outputs: outputs.iter().map(|o| o.map(|v| v.at)).collect(),
            rare: self.rare.borrow().clone(),
        }
    }

    /// The expansion of a row for operands of types `args` and this result: inputs are the operands, the one output is the result.
    pub fn expand(args: &[Scalar], result: Scalar, expand: Expand) -> Expression {
        let graph = Graph::default();
        let operands: Vec<Val<'_>> = args.iter().map(|&s| graph.input(s)).collect();
        let output = expand(&operands, result);
        graph.finish(&[Some(output)])
    }

    /// Equal nodes are made once.
    fn push(&self, node: Node, scalar: Scalar) -> Val<'_> {
        let mut nodes = self.nodes.borrow_mut();
        let at = nodes.iter().position(|n| n.0 == node && n.1 == scalar).unwrap_or_else(|| {
            nodes.push((node, scalar));
            nodes.len() - 1
        });
        Val { graph: self, at }
    }
}

/// A value in a growing expression. Operators and methods append builtins; a number on the right of an operator is a
/// literal of the left side's type. Rows that are expansions are methods too.
#[derive(Clone, Copy, Debug)]
pub struct Val<'g> {
    graph: &'g Graph,
    at: usize,
}

impl<'g> Val<'g> {
    /// Its type.
    pub fn scalar(self) -> Scalar {
        self.graph.nodes.borrow()[self.at].1
    }

    /// A literal of this value's type (F16 to F64, or a whole number for an integer).
    pub fn lit(self, value: f64) -> Val<'g> {
        let scalar = self.scalar();
        self.graph.push(Node::Literal(literal_bits(scalar, value)), scalar)
    }

    /// A builtin of values, of which there is at least one.
    pub(super) fn op(builtin: Builtin, args: &[Val<'g>], scalar: Scalar) -> Val<'g> {
        args[0].graph.push(Node::Op(builtin, args.iter().map(|a| a.at).collect()), scalar)
    }

    /// The word of a table at this index (U64), modulo its length.
    pub(super) fn look_up(self, table: &'static Table) -> Val<'g> {
        self.graph.push(Node::Table(table, self.at), Scalar::U64)
    }

    /// For a Bool: `seldom` where it holds, which it seldom does, else `otherwise`.
    pub(super) fn rarely(self, seldom: Val<'g>, otherwise: Val<'g>) -> Val<'g> {
        let value = self.select(seldom, otherwise);
        let mut rare = self.graph.rare.borrow_mut();
        if !rare.contains(&value.at) {
            rare.push(value.at);
        }
        value
    }

    /// A literal of an integer type by its bits.
    pub fn bits(self, scalar: Scalar, bits: u64) -> Val<'g> {
        self.graph.push(Node::Literal(bits & scalar.mask()), scalar)
    }

    /// `builtin(self)`, of this value's type.
    pub(super) fn unary(self, builtin: Builtin) -> Val<'g> {
        self.graph.push(Node::Op(builtin, vec![self.at]), self.scalar())
    }

    /// `builtin(self, other)`, of this value's type.
    pub(super) fn binary(self, builtin: Builtin, other: impl Operand<'g>) -> Val<'g> {
        let other = other.operand(self);
        self.graph.push(Node::Op(builtin, vec![self.at, other.at]), self.scalar())
    }

    fn compare(self, builtin: Builtin, other: impl Operand<'g>) -> Val<'g> {
        let other = other.operand(self);
        self.graph.push(Node::Op(builtin, vec![self.at, other.at]), Scalar::Bool)
    }

    /// The magnitude.
    pub fn abs(self) -> Val<'g> {
        self.unary(Builtin::Abs)
    }

    /// The square root.
    pub fn sqrt(self) -> Val<'g> {
        self.unary(Builtin::Sqrt)
    }

    /// Rounded toward zero.
    pub fn trunc(self) -> Val<'g> {
        self.unary(Builtin::Trunc)
    }

    /// Rounded to the nearest whole number, halves to the even one.
    pub fn round_even(self) -> Val<'g> {
        self.unary(Builtin::RoundEven)
    }

    /// Rounded down.
    pub fn floor(self) -> Val<'g> {
        self.unary(Builtin::Floor)
    }

    /// The number of leading zero bits (U32).
    pub fn leading_zeros(self) -> Val<'g> {
        self.graph.push(Node::Op(Builtin::LeadingZeros, vec![self.at]), Scalar::U32)
    }

    /// The bits in reverse order.
    pub fn reverse_bits(self) -> Val<'g> {
        self.unary(Builtin::ReverseBits)
    }

    /// This magnitude with the other's sign.
    pub fn copysign(self, sign: impl Operand<'g>) -> Val<'g> {
        self.binary(Builtin::Copysign, sign)
    }

    /// The smaller.
    pub fn min(self, other: impl Operand<'g>) -> Val<'g> {
        self.binary(Builtin::Min, other)
    }

    /// The larger.
    pub fn max(self, other: impl Operand<'g>) -> Val<'g> {
        self.binary(Builtin::Max, other)
    }

    /// `self * b + c`, rounded once.
    pub fn mul_add(self, b: impl Operand<'g>, c: impl Operand<'g>) -> Val<'g> {
        let (b, c) = (b.operand(self), c.operand(self));
        self.graph.push(Node::Op(Builtin::Fma, vec![self.at, b.at, c.at]), self.scalar())
    }

    /// `self == other` (Bool).
    pub fn eq(self, other: impl Operand<'g>) -> Val<'g> {
        self.compare(Builtin::Eq, other)
    }

    /// `self != other` (Bool).
    pub fn ne(self, other: impl Operand<'g>) -> Val<'g> {
        self.compare(Builtin::Ne, other)
    }

    /// `self < other` (Bool).
    pub fn lt(self, other: impl Operand<'g>) -> Val<'g> {
        self.compare(Builtin::Lt, other)
    }

    /// `self <= other` (Bool).
    pub fn le(self, other: impl Operand<'g>) -> Val<'g> {
        self.compare(Builtin::Le, other)
    }

    /// For a Bool: `then` where it holds, else `otherwise`, which decides the type.
    pub fn select(self, then: impl Operand<'g>, otherwise: Val<'g>) -> Val<'g> {
        let then = then.operand(otherwise);
        self.graph.push(Node::Op(Builtin::Select, vec![self.at, then.at, otherwise.at]), otherwise.scalar())
    }

    /// `self as scalar`.
    pub fn cast(self, scalar: Scalar) -> Val<'g> {
        match scalar == self.scalar() {
            true => self,
            false => self.graph.push(Node::Op(Builtin::Cast, vec![self.at]), scalar),
        }
    }

    /// The bits as another type of the same size.
    pub fn bitcast(self, scalar: Scalar) -> Val<'g> {
        match scalar == self.scalar() {
            true => self,
            false => self.graph.push(Node::Op(Builtin::Bitcast, vec![self.at]), scalar),
        }
    }
}

/// What may stand on the right of an operator: a value, or a number that becomes a literal of the left side's type.
pub trait Operand<'g> {
    #[allow(missing_docs)]
    fn operand(self, left: Val<'g>) -> Val<'g>;
}

impl<'g> Operand<'g> for Val<'g> {
    fn operand(self, _left: Val<'g>) -> Val<'g> {
        self
    }
}

impl<'g> Operand<'g> for f64 {
    fn operand(self, left: Val<'g>) -> Val<'g> {
        left.lit(self)
    }
}

/// Bits of an integer.
impl<'g> Operand<'g> for u64 {
    fn operand(self, left: Val<'g>) -> Val<'g> {
        left.bits(left.scalar(), self)
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $builtin:ident),+) => {$(
        impl<'g, O: Operand<'g>> $trait<O> for Val<'g> {
            type Output = Val<'g>;
            fn $method(self, other: O) -> Val<'g> {
                self.binary(Builtin::$builtin, other)
            }
        }
    )+};
}
operators!(Add add Add, Sub sub Sub, Mul mul Mul, Div div Div, BitAnd bitand And, BitOr bitor Or, BitXor bitxor Xor);
operators!(Shl shl Shl, Shr shr Shr);

impl<'g> Neg for Val<'g> {
    type Output = Val<'g>;
    fn neg(self) -> Val<'g> {
        self.unary(Builtin::Neg)
    }
}

impl<'g> Not for Val<'g> {
    type Output = Val<'g>;
    fn not(self) -> Val<'g> {
        self.unary(Builtin::Not)
    }
}
