//! Which statement of the user's each value comes from.

use warp_ir::ir::{Function, Op, Region};

use super::harness::Source;

/// The statements that ops come from, in the order of the ops; one that follows itself once.
fn statements(function: &Function) -> Vec<String> {
    fn visit(function: &Function, region: &Region, found: &mut Vec<String>) {
        for op in &region.ops {
            let text = function.statement(op).map(|at| function.sources[at.0 as usize].text.clone());
            // A check has the place of its expression.
            let text = text.filter(|text| !matches!(op, Op::Check { .. }) && found.last() != Some(text));
            found.extend(text);
            op.shape().regions.into_iter().for_each(|inner| visit(function, inner, found));
        }
    }
    let mut found = vec![];
    visit(function, &function.body, &mut found);
    found
}

const SOURCE: &str = "
fn pull(x: f32, by: f32) -> f32 {
    let far = x.abs() * by;
    far + 1.0
}
fn k(a: &[f32], out: &mut [f32], n: usize) {
    let i = tid();
    let mut x: f32 = a[i] * 3.0;
    for (j, y) in a.iter().enumerate().take(n) {
        x += *y / (j as f32 + 1.0);
    }
    if x > 7.0 {
        x *= pull(x, 0.5);
    }
    out[i] = x.cosh();
}";

#[test]
fn values_come_from_statements_of_the_function_that_they_are_computed_in() {
    let lowered = Source::new(SOURCE).kernel();
    let found = statements(&lowered.function);
    let wanted = [
        "let i = tid()",
        "let mut x: f32 = a[i] * 3.0",
        "for (j, y) in a.iter().enumerate().take(n)",
        "x += *y / (j as f32 + 1.0)",
        "if x > 7.0",
        "let far = x.abs() * by",
        "far + 1.0",
        "x *= pull(x, 0.5)",
        "out[i] = x.cosh()",
    ];
    let mut rest = found.iter();
    for statement in wanted {
        assert!(rest.any(|text| text == statement), "{statement} is missing in its place: {found:#?}");
    }
    // Nothing else is there: what the library does for `cosh` is the work of the statement that calls it.
    assert!(found.iter().all(|text| wanted.contains(&text.as_str())), "{found:#?}");
}

#[test]
fn the_way_back_goes_through_the_same_statements() {
    let (_, adjoint) = Source::new(SOURCE).adjoint();
    let found = statements(&adjoint.unwrap_or_else(|e| panic!("{e}")).kernel.function);
    let last =
        |text: &str| found.iter().rposition(|found| found == text).unwrap_or_else(|| panic!("{text}: {found:#?}"));
    assert!(last("out[i] = x.cosh()") < last("let far = x.abs() * by"), "{found:#?}");
    assert!(last("let far = x.abs() * by") < last("let mut x: f32 = a[i] * 3.0"), "{found:#?}");
}
