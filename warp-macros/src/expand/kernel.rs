//! `#[kernel]`.

use std::collections::HashSet;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ItemFn;
use syn::ext::IdentExt;
use warp_ir::differentiate::{Reverse, grad_scalars};
use warp_ir::encode::Encode;
use warp_ir::ir::{Function, Kernel, LocalArray};
use warp_ir::passes;
use warp_ir::validate::{Invalid, Valid, guarded, limits};

use super::answers::Known;
use super::attributes::Options;
use super::constants::Constants;
use super::groups::Ungrouped;
use super::hygiene::Apart;
use super::identity::Identity;
use super::job::{Job, Kind};
use super::{argument_types, body, func, generic, launch, names, plain, ptx, pull, types, unmarked};
use crate::env::Lowered;
use crate::errors::Errors;
use crate::paths::Root;

/// The attribute.
pub(crate) fn attribute(arguments: TokenStream, input: TokenStream) -> TokenStream {
    let item: ItemFn = match syn::parse2(input.clone()).map(ItemFn::ungrouped) {
        Ok(item) => item,
        Err(_) => return unreadable(input),
    };
    let mut errors = Errors::new();
    let options = Options::of_kernel(arguments.clone(), &mut errors);
    check_signature(&item, &mut errors);
    generic::check(&item, options.instances.as_ref(), &mut errors);
    let plain = plain_item(&item);
    if !errors.is_empty() {
        let (errors, silent) = (errors.to_items(), launch::silent(&item.sig, &item.vis, &options.root));
        return quote!(#plain #silent #errors);
    }
    let companion = launch::companion(&item, &options);
    let item = item.apart();
    let chains: TokenStream = match &options.instances {
        None => {
            let carrier = item.sig.ident.clone();
            start(item, carrier, arguments, options.root)
        }
        Some((parameter, types)) => types
            .iter()
            .enumerate()
            .map(|(number, ty)| match generic::instance(&item, parameter, ty) {
                Ok(instance) => {
                    let carrier = generic::carrier(&item.sig.ident, number);
                    start(instance, carrier, arguments.clone(), options.root.clone())
                }
                Err(error) => error.to_compile_error(),
            })
            .collect(),
    };
    quote!(#plain #companion #chains)
}

/// What is no function, or has an error in its syntax that rustc has told.
fn unreadable(input: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    if let Some((vis, signature)) = func::signature_of_broken(&input) {
        names::check(&signature.ident, &mut errors);
        let (silent, errors) = (launch::silent(&signature, &vis, &Root::facade()), errors.to_items());
        return quote!(#input #silent #errors);
    }
    if func::is_function(&input) {
        return input;
    }
    errors.at_span(Span::call_site(), "`#[kernel]` stands on a function: `#[kernel] fn name(..) { .. }`");
    let errors = errors.to_items();
    quote!(#input #errors)
}

fn start(item: ItemFn, carrier: Ident, attribute: TokenStream, root: Root) -> TokenStream {
    let identity = Identity::new("kernel", &item.to_token_stream(), item.sig.ident.span());
    body::start(&Job { kind: Kind::Kernel { attribute, carrier }, identity, root, item })
}

/// The function as plain Rust.
pub(super) fn plain_item(item: &ItemFn) -> TokenStream {
    let mut plain = item.clone();
    plain::rewrite(&mut plain.block);
    // Bundles and views are passed by value. Rust has methods of our names, `erf` among them, that are not stable yet and
    // mean the same.
    quote! {
        #[allow(clippy::too_many_arguments, clippy::needless_pass_by_value, unstable_name_collisions)]
        #plain
    }
}

fn check_signature(item: &ItemFn, errors: &mut Errors) {
    let signature = &item.sig;
    names::check(&signature.ident, errors);
    names::check_qualifiers(signature, errors);
    if let syn::ReturnType::Type(_, ty) = &signature.output
        && !matches!(&**ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty())
    {
        errors.at(ty, "a kernel returns nothing: write results to a `&mut [T]` parameter");
    }
    let mut types = Vec::new();
    for input in &signature.inputs {
        match input {
            syn::FnArg::Receiver(receiver) => {
                errors.at(receiver, "a kernel is a free function, not a method: pass the value as a parameter");
            }
            syn::FnArg::Typed(typed) => {
                errors.take(argument_types::check(&typed.ty));
                types.push(&*typed.ty);
            }
        }
    }
    // The host's side of a launch cannot be written down with these.
    let unmarked = unmarked::sentences(&types::asks(types, &HashSet::new()), &signature.ident);
    unmarked.into_iter().for_each(|error| errors.push(error));
}

/// A kernel that was lowered: its constants, and the search for its callees.
pub(super) fn done(
    job: &Job,
    attribute: &TokenStream,
    carrier: &Ident,
    lowered: Lowered,
    known: &Known,
    depth: usize,
) -> TokenStream {
    let mut errors = Errors::new();
    let options = Options::of_kernel(attribute.clone(), &mut errors);
    for name in &options.grad {
        if let Err(refusal) = grad_scalars(&lowered.function, &[name.unraw().to_string()]) {
            errors.at(name, refusal.message);
        }
    }
    if !errors.is_empty() {
        return errors.to_items();
    }
    let constants = match Constants::of(&lowered, known, &job.root, None) {
        Ok(constants) => constants.tokens(job),
        Err(message) => {
            errors.at(job.name(), message);
            return errors.to_items();
        }
    };
    let checks = func::checks(job, &lowered, known);
    let kernel = Kernel { function: lowered.function, rank: lowered.rank, attributes: options.attributes };
    let arrays = launch::arrays(&job.item, known, &job.root);
    let wish = ptx::Wish { asked: options.ptx, elements: launch::alike(&arrays) };
    let layouts = arrays.iter().map(|array| &array.layout);
    let hoisted = body::hoisted(&job.item);
    let private = job.root.private();
    let (link, target, list) = (job.identity.name("link"), job.identity.name("kernel"), job.identity.name("arrays"));
    let names = pull::Target { link: &link, kernel: &target, arrays: &list, wish };
    let next = pull::start(job, kernel, &lowered.calls, known, &names, depth);
    // Nothing but hashed names is used below the last line: a glob of the crate's root may be in sight there.
    quote! {
        const _: () = {
            #hoisted
            #checks
            #constants
            #[allow(non_upper_case_globals, dead_code)]
            const #link: #private::Link = #private::Link::to(&__WARP_EXP);
            #[allow(non_camel_case_types, dead_code)]
            type #target = #carrier;
            #[allow(non_upper_case_globals, dead_code, elided_lifetimes_in_paths)]
            const #list: &[&#private::Layout] = &[#(#layouts),*];
            #next
        };
    }
}

/// The sentence about a kernel that is larger than the validator takes, its functions included.
fn too_large(function: &Function) -> Option<String> {
    if let Some(array) = function.arrays.iter().find(|array| array.leaves.len() > limits::LEAVES) {
        return Some(format!(
            "an element of `{}` holds {} numbers, more than the {} that kernels take: keep long lists in arrays of their own",
            array.name,
            array.leaves.len(),
            limits::LEAVES
        ));
    }
    let bytes = |local: &LocalArray| local.leaves.iter().map(|l| l.size() as u64).sum::<u64>() * u64::from(local.len);
    let locals: u64 = function.locals.iter().map(bytes).sum();
    (locals > limits::LOCALS_BYTES).then(|| {
        format!(
            "the local arrays of this kernel and of the functions that it calls take {locals} bytes in each thread, more \
             than the {} that kernels allow: pass an array of the host and give each thread a part of it",
            limits::LOCALS_BYTES
        )
    })
}

/// What the kernel's type gets in the end.
pub(super) fn late(
    kernel: Kernel,
    slots: &[TokenStream],
    origin: &Ident,
    root: &Root,
    target: &pull::Target<'_>,
) -> TokenStream {
    let too_large = too_large(&kernel.function);
    let kernel = match checked(kernel) {
        Ok(kernel) => kernel,
        Err(invalid) => {
            let mut errors = Errors::new();
            errors.at(
                origin,
                too_large.unwrap_or_else(|| {
                    format!("the macros made wrong code of this kernel, which is their fault: {invalid}")
                }),
            );
            return errors.to_items();
        }
    };
    let private = root.private();
    let bytes = Literal::byte_string(&Kernel::to_bytes(&kernel));
    let reverse = Reverse::of(&kernel);
    let texts = ptx::constants(&kernel, &reverse, &ptx::Place { target, origin, root });
    let adjoint = Literal::byte_string(&reverse.to_bytes());
    let (kernel_type, arrays) = (target.kernel, target.arrays);
    let count = slots.len();
    quote! {
        #texts
        impl #kernel_type {
            #[doc(hidden)]
            pub const __WARP_KERNEL: #private::LateKernel = #private::LateKernel {
                ir: #bytes,
                adjoint: #adjoint,
                slots: {
                    const SLOTS: [u64; #count] = [#(#slots),*];
                    &SLOTS
                },
                arrays: #arrays,
            };
        }
    }
}

/// Shows that the linked kernel is valid and touches memory under its checks only, then simplifies it. Safety is shown
/// before simplification, on the checks as lowering wrote them: a pass may drop one that it proves.
fn checked(kernel: Kernel) -> Result<Valid<Kernel>, Invalid> {
    let kernel = Valid::<Kernel>::new(kernel)?;
    guarded(&kernel)?;
    let mut kernel = kernel.into_inner();
    passes::simplify(&mut kernel);
    Valid::<Kernel>::new(kernel)
}
