//! What a text says to whoever launches it by hand, in comments: the words of `args`, and what each entry takes for granted.

use super::abi::{Condition, Entry, FaultBlock, LaunchWords, Width};
use super::name::identifier;
use crate::abi::ArgWords;
use crate::ir::{Kernel, Storage};

/// The kernel's name, and the words, a line for each.
pub(super) fn words(kernel: &Kernel, fault: &FaultBlock) -> Vec<String> {
    let launch = LaunchWords::of(kernel);
    let mut names = of_arguments(kernel);
    names.resize(launch.total, String::new());
    names[launch.fault] = format!("address of the fault block, which has {} words", fault.words());
    names[launch.prints] = "address of the print ring, or 0".into();
    for dim in 0..launch.rank {
        names[launch.dims + dim] = format!("extent {dim} of the launch");
    }
    names[launch.threads] = "threads of the launch".into();
    for dim in 1..launch.rank {
        let at = launch.divisors + 2 * (dim - 1);
        names[at] = format!("magic number of extent {dim}");
        names[at + 1] = format!("shift of extent {dim}");
    }
    if let Some(at) = launch.narrow_divisor {
        names[at] = "magic number of extent 1, in 32 bits".into();
        names[at + 1] = "shift of extent 1, in 32 bits".into();
    }
    let how = if launch.by_address() { "the address of these words" } else { "these words" };
    let head =
        [format!("// Kernel `{}`.", identifier(&kernel.function.name)), format!("// `args` is {how}, 64 bits each:")];
    let lines = names.iter().enumerate().map(|(word, name)| format!("// {word:4}  {name}"));
    head.into_iter().chain(lines).collect()
}

/// The words of the arguments.
fn of_arguments(kernel: &Kernel) -> Vec<String> {
    let function = &kernel.function;
    let mut names = vec![];
    for array in &function.arrays {
        let name = identifier(&array.name);
        match array.storage {
            Storage::Elements => names.push(format!("{name}: address")),
            Storage::Planes => names
                .extend(array.leaves.iter().enumerate().map(|(leaf, _)| format!("{name}: address of plane {leaf}"))),
        }
        match array.rank {
            1 => names.push(format!("{name}: elements")),
            rank => names.extend((0..rank).map(|dim| format!("{name}: extent {dim}"))),
        }
        if array.strided {
            names.extend((0..array.rank).map(|dim| format!("{name}: stride {dim}, in elements")));
        }
    }
    names.extend(function.params.iter().map(|param| {
        let scalar = function.scalar(param.value).name();
        format!("{}: {scalar}", identifier(&param.name))
    }));
    names
}

/// What an entry takes for granted.
pub(super) fn conditions(entry: &Entry, kernel: &Kernel) -> Vec<String> {
    let names = of_arguments(kernel);
    let words = ArgWords::of(&kernel.function);
    let name = |word: usize| names.get(word).map_or("", String::as_str);
    let array = |word: usize| {
        let mut arrays = words.arrays.iter().zip(&kernel.function.arrays);
        arrays.rfind(|(words, _)| words.address <= word).map_or_else(String::new, |(_, array)| identifier(&array.name))
    };
    let grid = match entry.width {
        Width::Wide => vec!["// right for every launch: blocks and threads along x alone".into()],
        Width::Narrow => vec!["// where the launch has fewer than 2^31 threads, its last dimension along x".into()],
    };
    let of = |condition: &Condition| match *condition {
        Condition::Small { first, .. } => format!("// where `{}` has fewer than 2^31 elements", array(first)),
        Condition::Reaches { dim, word } => format!("// where extent {dim} of the launch is at most `{}`", name(word)),
        Condition::AtMost { word, other } => format!("// where `{}` is at most `{}`", name(word), name(other)),
        Condition::Near { extents, .. } => {
            let array = array(extents);
            format!(
                "// where strides of `{array}` are not negative, and its last element lies less than 2^31 elements in"
            )
        }
        Condition::SideBySide { word } => format!("// where `{}`, is 1", name(word)),
        Condition::Aligned { word, to } => format!("// where `{}` is a multiple of {to}", name(word)),
    };
    grid.into_iter().chain(entry.conditions.iter().map(of)).collect()
}
