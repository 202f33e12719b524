//! Quotients by square roots, as in `d / d.length()`.

use super::tree::Tree;
use crate::builtins::{Builtin, Expression, Node, literal_bits};
use crate::ir::*;

/// The rule of a quotient by a square root with products by the root's reciprocal in place of quotients.
///
/// The reciprocal is there long before the adjoint that the rule waits for, and serves all components of a vector. It is
/// as large and as small as the root allows: a root of a number in range is far from both ends of it, so that its
/// reciprocal neither overflows nor loses digits, which is why other quotients keep their rule.
pub(super) fn by_reciprocal(tree: &Tree<'_>, op: &Op, rule: Expression) -> Expression {
    match op {
        Op::Pure { builtin: Builtin::Div, args, .. } if matches!(tree.pure(args[1]), Some((Builtin::Sqrt, _))) => {
            multiplied(rule, 1)
        }
        _ => rule,
    }
}

/// The expression with `x * (1 / input)` for each `x / input`.
fn multiplied(rule: Expression, input: usize) -> Expression {
    let mut nodes: Vec<(Node, Scalar)> = vec![];
    let mut moved = vec![];
    for (node, scalar) in &rule.nodes {
        let mut push = |node: Node| {
            nodes.push((node, *scalar));
            nodes.len() - 1
        };
        let at = match node {
            Node::Op(Builtin::Div, operands) if rule.nodes[operands[1]].0 == Node::Input(input) => {
                let one = push(Node::Literal(literal_bits(*scalar, 1.0)));
                let reciprocal = push(Node::Op(Builtin::Div, vec![one, moved[operands[1]]]));
                push(Node::Op(Builtin::Mul, vec![moved[operands[0]], reciprocal]))
            }
            Node::Op(builtin, operands) => push(Node::Op(*builtin, operands.iter().map(|&o| moved[o]).collect())),
            Node::Table(table, index) => push(Node::Table(table, moved[*index])),
            Node::Input(_) | Node::Literal(_) => push(node.clone()),
        };
        moved.push(at);
    }
    let outputs = rule.outputs.iter().map(|output| output.map(|at| moved[at])).collect();
    Expression { nodes, outputs, rare: rule.rare.iter().map(|&at| moved[at]).collect() }
}
