//! The type that stands beside a kernel: ways to launch it.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{FnArg, ItemFn, Pat, PathArguments, Type};

use super::answers::Known;
use super::attributes::Options;
use super::{generic, names, ptx, types};
use crate::paths::Root;

/// How the host passes an argument.
enum Passing {
    /// `&[T]`, `&mut [T]`.
    Slice { element: Type, mutable: bool },
    /// `&Soa<T>`, `&mut Soa<T>`.
    Planes { element: Type, mutable: bool },
    /// `View2<T>` .. `ViewMut4<T>`.
    View { element: Type, rank: usize, mutable: bool },
    /// A scalar, vector or array.
    Value,
    /// A type of the user's: a struct, an enum, or a bundle of arrays.
    Named,
}

/// A parameter of a kernel.
pub(super) struct Parameter {
    name: Ident,
    ty: Type,
    passing: Passing,
}

/// The parameters of a kernel, as far as tokens tell.
pub(super) fn parameters(item: &ItemFn) -> Vec<Parameter> {
    let typed = item.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    typed
        .enumerate()
        .map(|(number, typed)| {
            let mut name = match &*typed.pat {
                Pat::Ident(ident) => ident.ident.clone(),
                _ => format_ident!("argument{number}"),
            };
            // Names of parameters must not meet names of ours.
            name.set_span(Span::mixed_site().located_at(name.span()));
            Parameter { name, passing: passing(&typed.ty), ty: (*typed.ty).clone() }
        })
        .collect()
}

/// The dimensions of a launch, from the words `tid`, `tid2`, `tid3`, `tid4` in the body.
pub(super) fn rank(item: &ItemFn) -> usize {
    fn most(tokens: TokenStream) -> usize {
        tokens
            .into_iter()
            .map(|token| match token {
                TokenTree::Group(group) => most(group.stream()),
                TokenTree::Ident(ident) => match ident.to_string().as_str() {
                    "tid2" => 2,
                    "tid3" => 3,
                    "tid4" => 4,
                    _ => 1,
                },
                _ => 1,
            })
            .max()
            .unwrap_or(1)
    }
    most(item.block.to_token_stream())
}

/// The kernel's type, its launches, and its place for what expansion finds out later.
pub(super) fn companion(item: &ItemFn, options: &Options) -> TokenStream {
    let (instances, root) = (options.instances.as_ref(), &options.root);
    let (name, vis) = (&item.sig.ident, &item.vis);
    let (tokens, private) = (root.tokens(), root.private());
    let text = syn::ext::IdentExt::unraw(name).to_string();
    let on = format_ident!("__warp_on_{}", text);
    let rank = rank(item);
    let parameters = parameters(item);
    let taken = |word: &str| parameters.iter().any(|parameter| parameter.name == word);
    let dims = Ident::new(if taken("dims") { "launch_dims" } else { "dims" }, Span::mixed_site());
    let launcher = Ident::new("__warp_launcher", Span::mixed_site());
    let names: Vec<_> = parameters.iter().map(|parameter| &parameter.name).collect();
    let hosts: Vec<_> = parameters.iter().map(|parameter| parameter.host_type(root, &quote!('_))).collect();
    let plain_types: Vec<_> = parameters.iter().map(|parameter| &parameter.ty).collect();
    let plain_arguments = parameters.iter().map(|parameter| parameter.again(None, root));
    let pushes = parameters.iter().map(|parameter| parameter.push(&launcher, None, root));
    let docs: Vec<_> = item.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect();
    let about = format!("The kernel `{text}`: ways to launch it.");
    let generics = generic::launch_generics(item, instances);
    let definition = match instances {
        None => quote!(<#name as #private::Kernel>::definition()),
        Some((parameter, _)) => {
            let of = generic::instances_trait(name);
            quote!(<#parameter as #of>::__warp_definition())
        }
    };
    let kernels = match instances {
        None => kernel_impl(name, &text, &plain_run(item, None, root), root),
        Some((parameter, types)) => generic::kernels(item, (parameter, types), &text, root),
    };
    let texts = texts(item, options);
    quote! {
        #[doc = #about]
        #[doc = ""]
        #(#docs)*
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #name {}

        #[allow(dead_code)]
        impl #name {
            /// Runs the kernel, once for each point of `dims`, on the device of its arrays. On the CPU it waits for the end; on a
            /// GPU the launch is queued, and a fault is told by the next call that waits.
            #[allow(clippy::too_many_arguments)]
            #vis fn launch #generics(#dims: impl #private::Dims<#rank> #(, #names: #hosts)*)
                -> ::core::result::Result<(), #tokens::Error>
            {
                Self::on(#private::Options::new()).launch(#dims #(, #names)*)
            }

            /// Options of a launch: its device, and how it runs there.
            #vis fn on(target: impl ::core::convert::Into<#private::Options>) -> #on {
                #on(target.into())
            }

            /// Runs the kernel as plain Rust on the host, thread by thread.
            // A launch of a deprecated kernel is deprecated, and not its definition.
            #[allow(clippy::too_many_arguments, deprecated)]
            #vis fn plain #generics(#dims: impl #private::Dims<#rank> #(, #names: #plain_types)*)
                -> ::core::result::Result<(), ::std::boxed::Box<#tokens::Fault>>
            {
                #(#[allow(unused_mut)] let mut #names = #names;)*
                #private::plain(
                    #definition,
                    #dims.extents(),
                    || #name(#(#plain_arguments),*),
                )
            }
        }

        /// A launch that is being set up.
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #on(#private::Options);

        #[allow(dead_code)]
        impl #on {
            /// Threads of a block, on devices that have blocks.
            #vis fn block(self, n: u32) -> Self {
                Self(self.0.block(n))
            }

            /// What atomics leave has the same bits each time and on every machine, here and in gradients of the launch;
            /// GPUs refuse kernels where it depends on the order of threads.
            #vis fn deterministic(self) -> Self {
                Self(self.0.deterministic())
            }

            /// The stream that the launch goes into, in place of the one of this thread.
            #vis fn stream(self, stream: &#tokens::Stream) -> Self {
                Self(self.0.stream(stream))
            }

            /// An upper bound on the threads of the machine that take part.
            #vis fn threads(self, n: usize) -> Self {
                Self(self.0.threads(n))
            }

            /// Runs the kernel, once for each point of `dims`. On the CPU it waits for the end; on a GPU the launch is
            /// queued, and a fault is told by the next call that waits.
            #[allow(clippy::too_many_arguments)]
            #vis fn launch #generics(&self, #dims: impl #private::Dims<#rank> #(, #names: #hosts)*)
                -> ::core::result::Result<(), #tokens::Error>
            {
                // SAFETY: the arguments below follow the signature that the definition was lowered from.
                let mut #launcher =
                    unsafe { #private::Launcher::new(#definition, &self.0) };
                #(#pushes)*
                #launcher.run(#dims.extents())
            }
        }

        #texts
        #kernels
    }
}

/// The kernel's text for NVIDIA's driver, by its names for users.
fn texts(item: &ItemFn, options: &Options) -> TokenStream {
    let (name, vis, private) = (&item.sig.ident, &item.vis, options.root.private());
    let all = [
        ("PTX", "ptx", "__WARP_TEXT", "The kernel"),
        ("PTX_ADJOINT", "ptx_adjoint", "__WARP_BACK", "The adjoint of the kernel"),
    ];
    let wanted = all.into_iter().take(if options.attributes.no_adjoint { 1 } else { 2 });
    let items = wanted.map(|(constant, function, late, what)| {
        let [constant, function, late] = [constant, function, late].map(|name| format_ident!("{}", name));
        let doc = format!(
            "{what} as PTX, for NVIDIA's driver. How it is launched stands in its head; see `#[kernel]` for more."
        );
        match &options.instances {
            None => {
                let text = ptx::named_only(&quote!({
                    #[allow(unused_imports)]
                    use #private::Late as _;
                    <#name>::#late.named()
                }));
                quote! {
                    #[doc = #doc]
                    #vis const #constant: &'static str = #text;
                }
            }
            Some((parameter, _)) => {
                let of = generic::instances_trait(name);
                quote! {
                    #[doc = #doc]
                    #vis const fn #function<#parameter: #of>() -> &'static str {
                        const { <#parameter as #of>::#late.named() }
                    }
                }
            }
        }
    });
    quote! {
        #[allow(dead_code)]
        impl #name { #(#items)* }
    }
}

/// What stands for the launches of a kernel that was refused: they take anything, so that nobody else complains.
pub(super) fn silent(signature: &syn::Signature, vis: &syn::Visibility, root: &Root) -> TokenStream {
    let (name, tokens, private) = (&signature.ident, root.tokens(), root.private());
    let text = syn::ext::IdentExt::unraw(name).to_string();
    if names::is_primitive_type(&text) {
        return TokenStream::new();
    }
    let on = format_ident!("__warp_on_{}", text);
    let any: Vec<_> = (0..signature.inputs.len()).map(|number| format_ident!("A{number}")).collect();
    let sentence = format!("the kernel `{text}` was refused when this program was compiled");
    let result = quote!(-> ::core::result::Result<(), #tokens::Error> { ::core::panic!(#sentence) });
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #name {}

        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis struct #on(());

        #[allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]
        impl #name {
            #vis const PTX: &'static str = "";
            #vis const PTX_ADJOINT: &'static str = "";
            #vis fn launch<D #(, #any)*>(_: D #(, _: #any)*) #result
            #vis fn on(_: impl ::core::convert::Into<#private::Options>) -> #on { #on(()) }
            #vis fn plain<D #(, #any)*>(_: D #(, _: #any)*)
                -> ::core::result::Result<(), ::std::boxed::Box<#tokens::Fault>> { ::core::panic!(#sentence) }
        }

        #[allow(dead_code, missing_docs, clippy::all, clippy::pedantic)]
        impl #on {
            #vis fn block(self, _: u32) -> Self { self }
            #vis fn deterministic(self) -> Self { self }
            #vis fn stream(self, _: &#tokens::Stream) -> Self { self }
            #vis fn threads(self, _: usize) -> Self { self }
            #vis fn launch<D #(, #any)*>(&self, _: D #(, _: #any)*) #result
        }
    }
}

/// What the type of a kernel, or of an instance of one, gives to launches.
pub(super) fn kernel_impl(name: &Ident, text: &str, plain: &TokenStream, root: &Root) -> TokenStream {
    let private = root.private();
    quote! {
        // SAFETY: the definition is made of what these macros lowered.
        unsafe impl #private::Kernel for #name {
            fn definition() -> &'static #private::Definition {
                #[allow(unused_imports)]
                use #private::Late as _;
                const LATE: #private::LateKernel = <#name>::__WARP_KERNEL;
                const PLAIN: ::core::option::Option<#private::Plain> = #plain;
                // SAFETY: as above.
                static DEFINITION: #private::Definition = unsafe {
                    #private::Definition::new(#private::Spec {
                        name: #text,
                        module: ::core::module_path!(),
                        file: ::core::file!(),
                        line: ::core::line!(),
                        ir: LATE.ir,
                        adjoint: LATE.adjoint,
                        slots: LATE.slots,
                        arrays: LATE.arrays,
                        plain: PLAIN,
                    })
                };
                &DEFINITION
            }
        }
    }
}

/// The plain run on the arguments of a recorded launch, of a kernel or of its instance for a type.
pub(super) fn plain_run(item: &ItemFn, of: Option<&Type>, root: &Root) -> TokenStream {
    let (name, rank) = (&item.sig.ident, rank(item));
    let arguments = Ident::new("__warp_arguments", Span::mixed_site());
    let pulls = parameters(item).into_iter().map(|parameter| parameter.erased().pull(&arguments, root));
    let of = of.map(|ty| quote!(::<#ty>));
    let run = quote!(<#name>::plain #of(#arguments.dims::<#rank>() #(, #pulls)*));
    // SAFETY: the arguments are those of a launch of this kernel, and are taken off in the launch's order.
    let run = if item.sig.inputs.is_empty() { run } else { quote!(unsafe { #run }) };
    quote!(::core::option::Option::Some(|#arguments| #run))
}

/// An array parameter of the IR.
pub(super) struct ArrayOf {
    /// The layout of its elements, an expression of type `&'static Layout`.
    pub layout: TokenStream,
    /// Whether these are of a type of the language's own.
    pub builtin: bool,
}

/// The array parameters of the IR.
pub(super) fn arrays(item: &ItemFn, known: &Known, root: &Root) -> Vec<ArrayOf> {
    let private = root.private();
    let mut arrays = Vec::new();
    for parameter in parameters(item) {
        let builtin = types::asks([&parameter.ty], &HashSet::new()).is_empty();
        arrays.extend(parameter.layout(root).map(|layout| ArrayOf { layout, builtin }));
        if let Some((path, count)) = parameter.bundle(known) {
            let layout = |number| quote!(<#path as #private::Argument>::ARRAYS[#number]);
            arrays.extend((0..count).map(|number| ArrayOf { layout: layout(number), builtin: false }));
        }
    }
    arrays
}

/// For each array, the first one with the same type of elements; none where that is one of the language's own.
pub(super) fn alike(arrays: &[ArrayOf]) -> Vec<Option<u32>> {
    let texts: Vec<String> = arrays.iter().map(|array| array.layout.to_string()).collect();
    let first = |text: &String| texts.iter().position(|other| other == text).map(|at| at as u32);
    arrays.iter().zip(&texts).map(|(array, text)| if array.builtin { None } else { first(text) }).collect()
}

impl Parameter {
    /// A field of a bundle.
    pub(super) fn field(name: Ident, mut ty: Type) -> Parameter {
        // How the host passes it does not depend on lifetimes, and those of the bundle are not in sight everywhere.
        Lifetimes.visit_type_mut(&mut ty);
        Parameter { name, passing: passing(&ty), ty }
    }

    /// Whether it may be a bundle, which has a lifetime.
    pub(super) fn may_be_bundle(&self) -> bool {
        matches!(self.passing, Passing::Named) && self.ty.to_token_stream().to_string().contains('\'')
    }

    /// Whether it brings an array of its own.
    pub(super) fn is_array(&self) -> bool {
        !matches!(self.passing, Passing::Value | Passing::Named)
    }

    /// The layout of its elements, an expression of type `&'static Layout`.
    pub(super) fn layout(&self, root: &Root) -> Option<TokenStream> {
        let private = root.private();
        match &self.passing {
            Passing::Slice { element, .. } | Passing::Planes { element, .. } | Passing::View { element, .. } => {
                Some(quote!(&<#element as #private::Element>::LAYOUT))
            }
            Passing::Value | Passing::Named => None,
        }
    }

    /// The layouts of all that it brings: an expression of type `&'static [&'static Layout]`.
    pub(super) fn arrays(&self, root: &Root) -> Option<TokenStream> {
        let (private, ty) = (root.private(), &self.ty);
        match self.passing {
            Passing::Named => Some(quote!(<#ty as #private::Argument>::ARRAYS)),
            _ => self.layout(root).map(|layout| quote!(&[#layout])),
        }
    }

    /// If it is a bundle: its path and the number of its arrays.
    fn bundle(&self, known: &Known) -> Option<(TokenStream, usize)> {
        use crate::env::{Face, TypeDef};
        if !matches!(self.passing, Passing::Named) {
            return None;
        }
        let path = types::asks([&self.ty], &HashSet::new()).into_iter().next()?.to_token_stream();
        let Some(Face::Type(id)) = known.env.faces.get(&path.to_string()) else { return None };
        let TypeDef::Bundle { .. } = known.env.types.get(id)? else { return None };
        Some((path, count_arrays(id, known)))
    }

    /// How the host passes it.
    pub(super) fn host_type(&self, root: &Root, lifetime: &TokenStream) -> TokenStream {
        let (tokens, private, ty) = (root.tokens(), root.private(), &self.ty);
        match &self.passing {
            Passing::Slice { element, mutable: false } => quote!(&#lifetime #tokens::Array<#element>),
            Passing::Slice { element, mutable: true } => quote!(&#lifetime mut #tokens::Array<#element>),
            Passing::Planes { element, mutable: false } => quote!(&#lifetime #tokens::SoaArray<#element>),
            Passing::Planes { element, mutable: true } => quote!(&#lifetime mut #tokens::SoaArray<#element>),
            Passing::View { element, rank, mutable: false } => quote!(&#lifetime #tokens::Array<#element, #rank>),
            Passing::View { element, rank, mutable: true } => quote!(&#lifetime mut #tokens::Array<#element, #rank>),
            Passing::Value => ty.to_token_stream(),
            Passing::Named => quote!(<#ty as #private::Argument>::Host<#lifetime>),
        }
    }

    /// The statement that hands it to the launcher; `of` is the struct that it is a field of.
    pub(super) fn push(&self, launcher: &Ident, of: Option<&TokenStream>, root: &Root) -> TokenStream {
        let (name, ty, private) = (&self.name, &self.ty, root.private());
        let place = match of {
            Some(whole) => quote!(#whole.#name),
            None => name.to_token_stream(),
        };
        match &self.passing {
            Passing::Slice { mutable: false, .. } => quote!(#launcher.array(#place);),
            Passing::Slice { mutable: true, .. } => quote!(#launcher.array_mut(#place);),
            Passing::Planes { mutable: false, .. } => quote!(#launcher.planes(#place);),
            Passing::Planes { mutable: true, .. } => quote!(#launcher.planes_mut(#place);),
            Passing::View { mutable: false, .. } => quote!(#launcher.view(#place);),
            Passing::View { mutable: true, .. } => quote!(#launcher.view_mut(#place);),
            Passing::Value => quote!(#launcher.value(&#place);),
            // In a bundle the launcher is a reference already.
            Passing::Named if of.is_some() => quote!(<#ty as #private::Argument>::push(#place, #launcher);),
            Passing::Named => quote!(<#ty as #private::Argument>::push(#place, &mut #launcher);),
        }
    }

    /// The same parameter where its lifetimes have no names.
    fn erased(self) -> Parameter {
        Parameter::field(self.name, self.ty)
    }

    /// The expression that takes it off a recorded launch.
    pub(super) fn pull(&self, arguments: &Ident, root: &Root) -> TokenStream {
        let (ty, private) = (&self.ty, root.private());
        match &self.passing {
            Passing::Slice { element, mutable: false } => quote!(#arguments.slice::<#element>()),
            Passing::Slice { element, mutable: true } => quote!(#arguments.slice_mut::<#element>()),
            Passing::Planes { element, mutable: false } => quote!(#arguments.planes::<#element>()),
            Passing::Planes { element, mutable: true } => quote!(#arguments.planes_mut::<#element>()),
            Passing::View { element, rank, mutable: false } => {
                quote!(<#ty>::of_parts(#arguments.view::<#element, #rank>()))
            }
            Passing::View { element, rank, mutable: true } => {
                quote!(<#ty>::of_parts(#arguments.view_mut::<#element, #rank>()))
            }
            Passing::Value => quote!(#arguments.value::<#ty>()),
            Passing::Named => quote!(<#ty as #private::Argument>::pull(#arguments)),
        }
    }

    /// The expression that lends it once more.
    pub(super) fn again(&self, of: Option<&TokenStream>, root: &Root) -> TokenStream {
        let (name, private) = (&self.name, root.private());
        let place = match of {
            Some(whole) => quote!(#whole.#name),
            None => name.to_token_stream(),
        };
        match &self.passing {
            Passing::Slice { mutable: true, .. } | Passing::Planes { mutable: true, .. } => quote!(&mut *#place),
            Passing::View { mutable: true, .. } => quote!(#place.reborrow()),
            Passing::Named => quote!(#private::Argument::again(&mut #place)),
            _ => place,
        }
    }
}

/// How many arrays a bundle and those inside it bring.
fn count_arrays(id: &str, known: &Known) -> usize {
    use crate::env::{Type, TypeDef};
    let Some(TypeDef::Bundle { fields, .. }) = known.env.types.get(id) else { return 0 };
    let each = fields.iter().map(|(_, ty)| match ty {
        Type::Slice { .. } | Type::Planes { .. } | Type::View { .. } => 1,
        Type::Bundle(inner) => count_arrays(inner, known),
        _ => 0,
    });
    each.sum()
}

/// Makes all lifetimes `'static`.
struct Lifetimes;

impl VisitMut for Lifetimes {
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        lifetime.ident = Ident::new("static", lifetime.ident.span());
    }
}

fn passing(ty: &Type) -> Passing {
    match ty {
        Type::Paren(inner) => passing(&inner.elem),
        Type::Group(inner) => passing(&inner.elem),
        Type::Reference(reference) => {
            let mutable = reference.mutability.is_some();
            match &*reference.elem {
                Type::Slice(slice) => Passing::Slice { element: (*slice.elem).clone(), mutable },
                Type::Path(path) => match generic(&path.path) {
                    Some((name, Some(element))) if name == "Soa" => Passing::Planes { element, mutable },
                    _ => Passing::Value,
                },
                _ => Passing::Value,
            }
        }
        Type::Path(path) => match generic(&path.path) {
            Some((name, Some(element))) => match view_rank(&name) {
                Some((rank, mutable)) => Passing::View { element, rank, mutable },
                None => Passing::Named,
            },
            _ if types::asks([ty], &HashSet::new()).is_empty() => Passing::Value,
            _ => Passing::Named,
        },
        _ => Passing::Value,
    }
}

fn view_rank(name: &str) -> Option<(usize, bool)> {
    let (digits, mutable) = match name.strip_prefix("ViewMut") {
        Some(digits) => (digits, true),
        None => (name.strip_prefix("View")?, false),
    };
    match digits {
        "2" => Some((2, mutable)),
        "3" => Some((3, mutable)),
        "4" => Some((4, mutable)),
        _ => None,
    }
}

/// The last name of a path and its last type argument.
fn generic(path: &syn::Path) -> Option<(String, Option<Type>)> {
    let last = path.segments.last()?;
    let element = match &last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(ty.clone()),
                _ => None,
            })
            .last(),
        _ => None,
    };
    Some((last.ident.to_string(), element))
}
