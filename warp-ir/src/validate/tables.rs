//! The tables of a function: everything beside its body.

use super::limits;
use crate::ir::{ArrayParam, Function, LocalArray, Storage};

/// Checks sizes and tables; the message of the first rule broken.
pub(super) fn check_tables(function: &Function) -> Result<(), String> {
    check_sizes(function)?;
    for array in &function.arrays {
        check_array(array).map_err(|e| format!("array parameter `{}` {e}", array.name))?;
    }
    check_locals(&function.locals)?;
    for (k, (scalar, elements)) in function.tables.iter().enumerate() {
        if elements.is_empty() {
            return Err(format!("table{k} is empty"));
        }
        if elements.iter().any(|bits| bits & !scalar.mask() != 0) {
            return Err(format!("table{k} holds bits that {} does not have", scalar.name()));
        }
    }
    if !function.spans.is_empty() && function.spans.len() != function.values.len() {
        return Err(format!("{} spans for {} values", function.spans.len(), function.values.len()));
    }
    match function.spans.iter().flatten().find(|s| s.0 as usize >= function.sources.len()) {
        Some(span) => Err(format!("a span names source{}, of {} sources", span.0, function.sources.len())),
        None => Ok(()),
    }
}

fn check_sizes(function: &Function) -> Result<(), String> {
    let tables = function.tables.iter().map(|t| t.1.len()).sum::<usize>();
    let sizes = [
        ("values", function.values.len(), limits::VALUES),
        ("scalar parameters", function.params.len(), limits::PARAMS),
        ("array parameters", function.arrays.len(), limits::PARAMS),
        ("local arrays", function.locals.len(), limits::PARAMS),
        ("table elements", tables, limits::TABLE_ELEMENTS),
        ("slots", function.slots as usize, limits::SLOTS as usize),
    ];
    match sizes.into_iter().find(|(_, size, limit)| size > limit) {
        Some((what, size, limit)) => Err(format!("{size} {what} are more than the limit of {limit}")),
        None => Ok(()),
    }
}

fn check_array(array: &ArrayParam) -> Result<(), String> {
    if !(1..=4).contains(&array.rank) {
        return Err(format!("has {} dimensions, expected 1 to 4", array.rank));
    }
    if array.leaves.len() > limits::LEAVES {
        return Err(format!("has {} leaves, more than the limit of {}", array.leaves.len(), limits::LEAVES));
    }
    if array.storage == Storage::Planes && (array.rank != 1 || array.strided) {
        return Err("lies in planes, which have one dimension and no strides".into());
    }
    Ok(())
}

fn check_locals(locals: &[LocalArray]) -> Result<(), String> {
    let mut total = 0u64;
    for local in locals {
        if local.len == 0 || local.leaves.len() > limits::LEAVES {
            return Err(format!(
                "local array `{}` has {} elements, {} leaves",
                local.name,
                local.len,
                local.leaves.len()
            ));
        }
        let bytes = local.leaves.iter().map(|l| l.size() as u64).sum::<u64>() * u64::from(local.len);
        if bytes > limits::LOCAL_BYTES {
            let limit = limits::LOCAL_BYTES;
            return Err(format!("local array `{}` takes {bytes} bytes, more than the limit of {limit}", local.name));
        }
        total += bytes;
    }
    if total > limits::LOCALS_BYTES {
        return Err(format!("local arrays take {total} bytes, more than the limit of {}", limits::LOCALS_BYTES));
    }
    Ok(())
}
