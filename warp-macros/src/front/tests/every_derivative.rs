//! The derivative of every library function that has one, against differences. The texts say which functions there are,
//! and their declarations how to call them.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use warp_ir::library::reference::{Entry, Kind, entries};
use warp_ir::library::{OWN_TYPES, Text, matrix_shape, texts};

use super::derivatives::{Map, samples};

/// A call of a library function: how it is written in a kernel from `x` to `y`, and how many numbers it takes and gives.
struct Call {
    title: String,
    body: String,
    inputs: usize,
    outputs: usize,
}

/// What lies between commas, but not inside of brackets.
fn parts(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, vec![]);
    for (at, c) in list.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                found.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(list[start..].trim());
    found.into_iter().filter(|part| !part.is_empty()).collect()
}

/// Element and length of `[f64; 3]`.
fn array(ty: &str) -> Option<(&str, usize)> {
    let (element, length) = ty.strip_prefix('[')?.strip_suffix(']')?.rsplit_once("; ")?;
    Some((element, length.parse().ok()?))
}

/// The fields of a struct of the library in double precision.
fn fields(ty: &str) -> Option<Vec<(&'static str, String)>> {
    let (_, fields) = OWN_TYPES.iter().find(|(own, _)| ty.strip_prefix('D') == Some(own))?;
    let double = |of: &str| match of {
        "f32" => "f64".to_string(),
        "u32" => "u32".to_string(),
        of => format!("D{of}"),
    };
    Some(fields.iter().map(|(name, of)| (*name, double(of))).collect())
}

/// A value of a type, made of the next inputs; none for types that are not of double precision.
fn argument(ty: &str, inputs: &mut usize) -> Option<String> {
    let ty = ty.trim_start_matches('&');
    let mut list = |of: &str, count: usize| -> Option<String> {
        Some((0..count).map(|_| argument(of, inputs)).collect::<Option<Vec<_>>>()?.join(", "))
    };
    if let Some((element, length)) = array(ty) {
        return Some(format!("[{}]", list(element, length)?));
    }
    if let Some((rows, columns)) = matrix_shape(ty).filter(|_| ty.starts_with('D')) {
        return Some(format!("{ty}::from_rows([{}])", list(&format!("[f64; {columns}]"), rows)?));
    }
    if let Some(fields) = fields(ty) {
        let fields = fields.into_iter().map(|(name, of)| Some(format!("{name}: {}", argument(&of, inputs)?)));
        return Some(format!("{ty} {{ {} }}", fields.collect::<Option<Vec<_>>>()?.join(", ")));
    }
    Some(match ty {
        "f64" => {
            *inputs += 1;
            format!("x[{}]", *inputs - 1)
        }
        "DVec2" | "DVec3" | "DVec4" => format!("{ty}::new({})", list("f64", ty[4..].parse().ok()?)?),
        "DMat2" | "DMat3" | "DMat4" => {
            let columns: usize = ty[4..].parse().ok()?;
            format!("{ty}::from_cols_array(&[{}])", list("f64", columns * columns)?)
        }
        "DQuat" => format!("DQuat::from_xyzw({})", list("f64", 4)?),
        "usize" | "u32" | "i32" => "1".into(),
        "bool" => "true".into(),
        "EulerRot" => "EulerRot::XYZ".into(),
        _ => return None,
    })
}

/// Statements that write the numbers of a value behind each other.
fn results(ty: &str, value: &str, outputs: &mut usize) -> String {
    let of = |ty: &str, part: String, outputs: &mut usize| results(ty, &format!("{value}{part}"), outputs);
    if let Some((element, length)) = array(ty) {
        return (0..length).map(|k| of(element, format!("[{k}]"), outputs)).collect();
    }
    if let Some((rows, columns)) = matrix_shape(ty).filter(|_| ty.starts_with('D')) {
        let places = (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
        return places.map(|(r, c)| of("f64", format!("[({r}, {c})]"), outputs)).collect();
    }
    if let Some(fields) = fields(ty) {
        return fields.iter().map(|(name, ty)| of(ty, format!(".{name}"), outputs)).collect();
    }
    if let Some(inner) = ty.strip_prefix('(').and_then(|ty| ty.strip_suffix(')')) {
        return parts(inner).iter().enumerate().map(|(k, ty)| of(ty, format!(".{k}"), outputs)).collect();
    }
    if let Some(inner) = ty.strip_prefix("Option<").and_then(|ty| ty.strip_suffix('>')) {
        let name = format!("some{outputs}");
        let inner = results(inner, &name, outputs);
        return if inner.is_empty() { inner } else { format!("if let Some({name}) = {value} {{ {inner} }}") };
    }
    match ty {
        "f64" => {
            *outputs += 1;
            format!("y[{}] = {value};", *outputs - 1)
        }
        "DVec2" | "DVec3" | "DVec4" | "DQuat" => {
            let count = if ty == "DQuat" { 4 } else { ty[4..].parse().unwrap_or(0) };
            "xyzw"[..count].chars().map(|c| of("f64", format!(".{c}"), outputs)).collect()
        }
        "DMat2" | "DMat3" | "DMat4" => {
            let count: usize = ty[4..].parse().unwrap_or(0);
            ["x_axis", "y_axis", "z_axis", "w_axis"][..count]
                .iter()
                .map(|axis| of(&format!("DVec{count}"), format!(".{axis}"), outputs))
                .collect()
        }
        _ => String::new(),
    }
}

/// How an operator is applied, if it takes and gives numbers of double precision.
fn operation(entry: &Entry) -> Option<Call> {
    let (mut inputs, mut outputs) = (0, 0);
    let written = match entry.name.split(' ').collect::<Vec<_>>()[..] {
        [left, sign, ..] => {
            let right = &entry.name[left.len() + sign.len() + 2..];
            format!("{} {sign} {}", argument(left, &mut inputs)?, argument(right, &mut inputs)?)
        }
        _ => format!("-({})", argument(entry.name.strip_prefix('-')?, &mut inputs)?),
    };
    let body = format!("let r = {written}; {}", results(&entry.declaration, "r", &mut outputs));
    (inputs > 0 && outputs > 0).then_some(Call { title: entry.name.clone(), body, inputs, outputs })
}

/// How a function is called, if it takes and gives numbers of double precision.
fn call(entry: &Entry, is_primitive: bool) -> Option<Call> {
    let (head, result) = entry.declaration.split_once(") -> ")?;
    let (_, parameters) = head.split_once('(')?;
    let (mut inputs, mut outputs, mut arguments, mut receiver) = (0, 0, vec![], None);
    for parameter in parts(parameters) {
        match parameter.split_once(": ") {
            None => receiver = Some(argument(entry.owner.as_deref()?, &mut inputs)?),
            Some(("x", ty)) if is_primitive => receiver = Some(argument(ty, &mut inputs)?),
            Some((_, ty)) => arguments.push(argument(ty, &mut inputs)?),
        }
    }
    let arguments = arguments.join(", ");
    let written = match (&receiver, &entry.owner) {
        (Some(_), _) => format!("on.{}({arguments})", entry.name),
        (None, Some(owner)) => format!("{owner}::{}({arguments})", entry.name),
        (None, None) => format!("{}({arguments})", entry.name),
    };
    let receiver = receiver.map(|on| format!("let mut on = {on}; ")).unwrap_or_default();
    let body = format!("{receiver}let r = {written}; {}", results(result, "r", &mut outputs));
    let of = entry.owner.iter().chain([&entry.name]).cloned().collect::<Vec<_>>().join("::");
    (inputs > 0 && outputs > 0).then_some(Call { title: of, body, inputs, outputs })
}

/// Every function and operator of double precision; of small matrices those of two shapes.
fn calls() -> Vec<Call> {
    let shown = |text: &&Text| {
        let is_matrix = text.source.name.starts_with("matrix");
        let shapes = text.owners.iter().filter_map(|owner| matrix_shape(owner)).any(|s| s == (2, 3) || s == (3, 3));
        !is_matrix || shapes
    };
    let mut seen = BTreeSet::new();
    texts()
        .iter()
        .filter(shown)
        .flat_map(|text| entries(text.text()).into_iter().map(|entry| (entry, text.is_primitive())))
        .filter_map(|(entry, is_primitive)| match entry.kind {
            Kind::Function => call(&entry, is_primitive),
            Kind::Operator => operation(&entry),
            _ => None,
        })
        .filter(|call| seen.insert(call.body.clone()))
        .collect()
}

/// What is wrong with a derivative; nothing where it agrees with differences at a point or more.
fn fault(call: &Call) -> Option<String> {
    let words = |panic: Box<dyn std::any::Any + Send>| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast_ref::<&str>().unwrap_or(&"a panic").to_string(),
    };
    let map = match catch_unwind(|| Map::plain(&call.body, call.outputs)) {
        Ok(map) => map,
        Err(panic) => return Some(words(panic)),
    };
    let mut rising: Vec<f64> = samples(5, call.inputs).iter().map(|x| x.abs() * 0.45 + 0.05).collect();
    rising.sort_by(f64::total_cmp);
    let mut compared = 0;
    for x in [samples(1, call.inputs), rising] {
        let value = catch_unwind(AssertUnwindSafe(|| map.value(&x)));
        // Beyond its domain a function faults or has no value.
        if !value.is_ok_and(|y| y.iter().all(|y| y.is_finite())) {
            continue;
        }
        match catch_unwind(AssertUnwindSafe(|| compare(&map, &x))) {
            Ok(Ok(count)) => compared += count,
            Ok(Err(text)) => return Some(text),
            Err(panic) => return Some(words(panic)),
        }
    }
    (compared < call.outputs).then(|| format!("only {compared} derivatives could be compared"))
}

/// How many derivatives agree with differences at a point, where two differences agree with each other: across a jump or a
/// kink, or where a matrix is close to singular, they do not, and say nothing.
fn compare(map: &Map, x: &[f64]) -> Result<usize, String> {
    let mut count = 0;
    for by in 0..x.len() {
        let (wide, narrow) = (map.difference(x, by, 2e-4), map.difference(x, by, 5e-5));
        for (k, found) in map.derivative(x, by).into_iter().enumerate() {
            let (expected, size) = (narrow[k], 1.0 + narrow[k].abs());
            let doubt = (wide[k] - expected).abs();
            let (is_known, is_near) = (doubt < 1e-3 * size, (found - expected).abs() <= 1e-7 * size + doubt);
            if !is_known {
                continue;
            }
            if !is_near {
                return Err(format!("y[{k}] by x[{by}]: {found}, expected {expected} at {x:?}"));
            }
            count += 1;
        }
    }
    Ok(count)
}

#[test]
fn every_function_has_the_derivative_of_its_value() {
    let calls = calls();
    let faults: Vec<String> = calls
        .iter()
        .filter_map(|call| fault(call).map(|words| format!("{}: {words}\n    {}", call.title, call.body)))
        .collect();
    // The neighbours of a number are found by its bits, and say so: they have no derivative.
    let none = ["next_up", "next_down"];
    let faults: Vec<String> = faults.into_iter().filter(|text| !none.iter().any(|f| text.starts_with(f))).collect();
    assert!(faults.is_empty(), "{} of {}\n{}", faults.len(), calls.len(), faults.join("\n"));
    assert!(calls.len() > 400, "only {} functions", calls.len());
}
