//! `#[kernel]`, `#[func]`, `#[methods]`, `derive(Struct)`, `derive(Args)`: entry points only.
//!
//! Use them through the facade crate, which re-exports them.

mod env;
mod errors;
mod expand;
mod front;
mod paths;

use proc_macro::TokenStream;

/// Makes a function a kernel: it runs once for each point of a launch.
///
/// The function stays what it is, plain Rust, and beside it comes a type of the same name with `launch`, `on` and
/// `plain`. The kernel that brings gradients back is made as well, while the crate compiles. So is the text of both for
/// NVIDIA's driver, `PTX` and `PTX_ADJOINT`, constants that cost a program nothing unless it names them. How to launch them
/// by hand stands in their head, and in `docs/ptx.md`. A generic kernel has functions for constants instead: `ptx::<f32>()`
/// and `ptx_adjoint::<f32>()`. Options:
///
/// * `grad(dt)`: scalar parameters that gradients are wanted of, by name; a struct or vector for all floats in it. Arrays
///   need no word. A parameter that nobody names costs nothing.
/// * `no_adjoint`: no gradient is wanted, and none is made.
/// * `checkpoint_bytes = 1024`: how much memory each thread has for the states of a loop that runs backwards. More makes
///   long loops faster, up to 64 states, or one for each turn where their number is a constant.
/// * `undo_bytes = 268_435_456`: how much memory all threads of a launch may have for elements that they overwrote in
///   loops and read again. A launch that needs more has no gradient, and the error tells how much it needs.
/// * `ptx`: the texts are wanted, however large the kernel. Else a large one has none, and naming it is an error.
/// * `block = 128`: the number of threads of a block on devices that have blocks. The driver's compiler counts on it when it
///   shares out registers, and launches never use larger blocks. `min_blocks = 4` beside it: how many such blocks a
///   multiprocessor is to hold at once, for which threads get fewer registers.
/// * `no_fma`: products and sums are not fused. `fast_math`: approximate instructions are allowed.
/// * `T = [f32, f64]`: the types that a generic kernel is made for.
/// * `crate = path`: where the library is, when it has another name.
#[proc_macro_attribute]
pub fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    guarded(item, |item| expand::kernel(arguments.into(), item))
}

/// Makes a function callable from kernels and from other such functions, or a constant known as a length.
///
/// On a constant, `#[func] const N: usize = 8;`, it makes the value known to kernels, so that it may be the length of an
/// array there: in fields, signatures and bodies. It may be made of numbers and other such constants. Constants that
/// kernels only read need no attribute.
///
/// `grad = f_grad` names a derivative of one's own: another `#[func]`. It takes the arguments of `f`, and then the adjoint
/// of each result that holds floats (the result itself, or the elements of a tuple). It returns the adjoints of the
/// arguments that hold floats: one value, or a tuple in the order of the arguments. An adjoint has the type of what it
/// belongs to, `Vec3` for a `Vec3`; integers, slices and views have none. So for `fn f(x: f32, n: u32, v: Vec3) -> f32`
/// it is `fn f_grad(x: f32, n: u32, v: Vec3, adjoint: f32) -> (f32, Vec3)`.
///
/// Gradients then take it at its word, wherever `f` is called. It may read slices and views, and call `f`, but writes
/// nothing; elements that `f` reads of slices and views get no adjoint from it. Of an array inside the kernel it has the
/// elements as they were at the call, 256 numbers at most. What it returns counts for adjoints that
/// are not zero; a NaN for an adjoint of zero is taken for zero. Forward mode takes it at its word, too: adjoints of
/// arguments are multiples of those of results, so that it runs once for each float of the results, with an adjoint of one
/// there, and what it gives is how that float changes with the arguments.
#[proc_macro_attribute]
pub fn func(arguments: TokenStream, item: TokenStream) -> TokenStream {
    guarded(item, |item| expand::func(arguments.into(), item))
}

/// Makes the functions of an `impl` block callable from kernels: methods, associated functions, operators.
///
/// They and the block may be generic over types bounded by `Float`, `Int`, `Scalar` or `Copy`, and over lengths, as
/// functions with `#[func]`. A function of a generic struct is found by the struct's name and its own, whatever the
/// instance: `impl<T: Float> Pair<T>` gives all instances one `norm`, and two blocks for `Pair<f32>` and `Pair<f64>` cannot
/// each have one.
#[proc_macro_attribute]
pub fn methods(arguments: TokenStream, item: TokenStream) -> TokenStream {
    guarded(item, |item| expand::methods(arguments.into(), item))
}

/// Makes a struct or a fieldless enum a type that kernels know and arrays hold.
///
/// A struct may be generic over types and lengths, `struct Ring<T, const N: usize> { data: [T; N], at: u32 }`: each
/// instance is a type of its own, with a layout of its own. `#[warp(crate = path)]` beside it says where the library is,
/// where it has another name.
#[proc_macro_derive(Struct, attributes(warp))]
pub fn derive_struct(item: TokenStream) -> TokenStream {
    guarded(TokenStream::new(), |_| expand::derive_struct(item.into()))
}

/// Makes a struct of slices, views, values and other such structs one argument of a kernel.
///
/// Beside `Mesh` comes `MeshArrays` for the host: the same fields, with arrays in the place of slices.
/// `#[warp(crate = path)]` beside it says where the library is, where it has another name.
#[proc_macro_derive(Args, attributes(warp))]
pub fn derive_args(item: TokenStream) -> TokenStream {
    guarded(TokenStream::new(), |_| expand::derive_args(item.into()))
}

/// The types and methods of the library that glam lacks; the runtime calls it once.
#[doc(hidden)]
#[proc_macro]
pub fn library_items(_: TokenStream) -> TokenStream {
    guarded(TokenStream::new(), |_| expand::library_items())
}

/// What the other macros call when names have answered.
#[doc(hidden)]
#[proc_macro]
pub fn step(input: TokenStream) -> TokenStream {
    guarded(TokenStream::new(), |_| expand::step(input.into()))
}

/// Runs a macro; a panic in it, which would be a fault of ours, leaves the item as it is and says so.
fn guarded(
    item: TokenStream,
    expand: impl FnOnce(proc_macro2::TokenStream) -> proc_macro2::TokenStream,
) -> TokenStream {
    let kept = item.clone();
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| expand(item.into()))) {
        Ok(tokens) => tokens.into(),
        Err(panic) => {
            let words = panic.downcast_ref::<&str>().map(ToString::to_string);
            let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            let message = format!("the kernel macros failed, which is their fault and not yours: {words}");
            let error = syn::Error::new(proc_macro2::Span::call_site(), message).to_compile_error();
            [kept, error.into()].into_iter().collect()
        }
    }
}
