//! Runs kernels from Rust source: a small stand-in for expansion, then linking and the evaluator.

use std::cell::RefCell;
use std::collections::HashMap;

use quote::ToTokens;
use warp_ir::differentiate::{Adjoint, Given, Options, Refusal, differentiate};
use warp_ir::evaluate::{self, Array, Inputs, Layout};
use warp_ir::ir::{Access, ArrayId, ArrayParam, Attributes, Function, Kernel, Scalar};
use warp_ir::validate::{Valid, guarded};

use crate::env::{CallUse, Derived, Env, Face, Item, Lowered, Outcome, Signature, Type, TypeDef};
use crate::front::names::{Names, type_arguments};
use crate::front::types::Ty;
use crate::front::{Error, library_function, lower};

/// A scalar of the host.
pub(super) trait Bits: Copy {
    fn bits(self) -> u64;
    fn of(bits: u64) -> Self;
}

macro_rules! ints {
    ($($t:ident $unsigned:ident),*) => {$(
        impl Bits for $t {
            fn bits(self) -> u64 { self as $unsigned as u64 }
            fn of(bits: u64) -> Self { bits as $t }
        }
    )*};
}
ints!(i8 u8, i16 u16, i32 u32, i64 u64, u8 u8, u16 u16, u32 u32, u64 u64, usize u64);

impl Bits for f32 {
    fn bits(self) -> u64 {
        self.to_bits() as u64
    }
    fn of(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
    fn of(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

impl Bits for bool {
    fn bits(self) -> u64 {
        self as u64
    }
    fn of(bits: u64) -> bool {
        bits != 0
    }
}

/// The scalars of an array, leaf by leaf, element by element; with extents for views.
#[derive(Clone, Debug)]
pub(super) struct Data {
    leaves: Vec<u64>,
    extents: Option<Vec<u64>>,
}

pub(super) fn arr<T: Bits>(values: &[T]) -> Data {
    Data { leaves: values.iter().map(|v| v.bits()).collect(), extents: None }
}

pub(super) fn view<T: Bits>(extents: &[u64], values: &[T]) -> Data {
    Data { extents: Some(extents.into()), ..arr(values) }
}

/// What a launch left.
#[derive(Debug)]
pub(super) struct Report {
    arrays: Vec<Vec<u64>>,
    pub outcome: evaluate::Outcome,
    pub kernel: Kernel,
}

impl Report {
    pub(super) fn get<T: Bits>(&self, array: usize) -> Vec<T> {
        self.arrays[array].iter().map(|&b| T::of(b)).collect()
    }

    /// The fault's kind, message and operands, as one line.
    pub(super) fn fault(&self) -> Option<String> {
        let fault = self.outcome.fault.as_ref()?;
        let kind = format!("{:?}", fault.kind);
        let kind = kind.split([' ', '{', '(']).next().unwrap_or("").to_string();
        let operands: Vec<u64> = fault.operands.iter().map(|(_, b)| *b).collect();
        let source = &self.kernel.function.sources[fault.source.0 as usize];
        Some(format!("{kind} {operands:?} `{}`", source.text))
    }
}

/// What comes of a kernel and the functions that it calls.
pub(super) enum Linked {
    /// The kernel, with all of them inside.
    Kernel(Box<Valid<Kernel>>),
    /// One of them is refused, or asks for what is not there; users read about it at that function.
    Refused(String),
}

/// A linked kernel from source: the function named `k`; all else are types and functions that it may use.
pub(super) struct Source {
    file: syn::File,
    env: RefCell<Env>,
}

impl Source {
    pub(super) fn new(text: &str) -> Source {
        let file = syn::parse_file(text).unwrap_or_else(|e| panic!("{e}: {text}"));
        let source = Source { file, env: RefCell::default() };
        source.gather();
        source
    }

    fn gather(&self) {
        let mut env = self.env.borrow_mut();
        for name in BUILTINS {
            env.faces.insert((*name).into(), Face::Builtin((*name).into()));
        }
        for name in warp_ir::library::type_names() {
            let constructor = name.to_lowercase();
            env.faces.insert(constructor.clone(), Face::Builtin(constructor));
        }
        for item in &self.file.items {
            if let Some(name) = type_name(item) {
                env.faces.insert(name.clone(), Face::Type(name.clone()));
                let placeholder = match item {
                    syn::Item::Enum(e) => TypeDef::Enum {
                        name: name.clone(),
                        repr: Scalar::I32,
                        variants: e
                            .variants
                            .iter()
                            .enumerate()
                            .map(|(k, v)| (v.ident.to_string(), k as i128))
                            .collect(),
                        derived: derived(item),
                    },
                    _ => TypeDef::Struct {
                        name: name.clone(),
                        generics: vec![],
                        fields: vec![],
                        tuple: false,
                        derived: derived(item),
                    },
                };
                env.types.insert(name, placeholder);
            }
        }
        for item in &self.file.items {
            if let syn::Item::Struct(s) = item {
                let bundle = s.generics.lifetimes().next().is_some();
                let name = s.ident.to_string();
                let fields: Vec<(String, Type)> = s
                    .fields
                    .iter()
                    .enumerate()
                    .map(|(k, f)| {
                        let name = f.ident.as_ref().map_or_else(|| k.to_string(), |i| i.to_string());
                        (name, type_of(&env, None, &f.ty))
                    })
                    .collect();
                let tuple = matches!(s.fields, syn::Fields::Unnamed(_));
                let def = match bundle {
                    true => TypeDef::Bundle { name: name.clone(), fields },
                    false => {
                        TypeDef::Struct { name: name.clone(), generics: vec![], fields, tuple, derived: derived(item) }
                    }
                };
                env.types.insert(name, def);
            }
        }
        for item in &self.file.items {
            match item {
                syn::Item::Fn(f) if f.sig.ident != "k" => {
                    let signature = signature(&env, None, &f.sig, &f.sig.ident.to_string());
                    env.faces.insert(f.sig.ident.to_string(), Face::Func(signature));
                }
                syn::Item::Impl(block) => gather_impl(&mut env, block),
                _ => {}
            }
        }
    }

    fn item_fn(&self, name: &str) -> Option<&syn::ItemFn> {
        self.file.items.iter().find_map(|i| match i {
            syn::Item::Fn(f) if f.sig.ident == name => Some(f),
            _ => None,
        })
    }

    /// The scalars that `#[grad(..)]` on the kernel names.
    fn grad(&self) -> Vec<String> {
        let attributes = self.item_fn("k").map_or(&[][..], |item| &item.attrs);
        let lists = attributes.iter().filter(|a| a.path().is_ident("grad")).filter_map(|a| a.meta.require_list().ok());
        let words = lists.flat_map(|list| list.tokens.clone());
        words.map(|word| word.to_string()).filter(|word| word != ",").collect()
    }

    /// What `#[checkpoint_bytes(..)]` on the kernel says.
    fn checkpoint_bytes(&self) -> Option<u32> {
        let attributes = &self.item_fn("k")?.attrs;
        let given = attributes.iter().find(|a| a.path().is_ident("checkpoint_bytes"))?;
        given.parse_args::<syn::LitInt>().ok()?.base10_parse().ok()
    }

    /// Lowers the kernel alone.
    pub(super) fn outcome(&self) -> Outcome {
        self.outcome_of(self.item_fn("k").expect("the kernel is named `k`"))
    }

    /// Lowers another function as the kernel, among the same types and functions.
    pub(super) fn outcome_of(&self, kernel: &syn::ItemFn) -> Outcome {
        lower(&Item::Kernel(kernel), &self.env.borrow())
    }

    pub(super) fn errors(&self) -> Vec<Error> {
        self.errors_in(self.outcome())
    }

    /// What is wrong with a function that is no kernel; nothing where it is lowered.
    pub(super) fn errors_of(&self, name: &str) -> Vec<Error> {
        let item = self.item_fn(name).unwrap_or_else(|| panic!("no function `{name}`"));
        match lower(&Item::Instance { item, types: &[], lengths: &[] }, &self.env.borrow()) {
            Outcome::Done(_) => vec![],
            failed => self.errors_in(failed),
        }
    }

    fn errors_in(&self, outcome: Outcome) -> Vec<Error> {
        match outcome {
            Outcome::Failed(errors) => errors,
            Outcome::Need(asks) => {
                panic!("asks for {:?}", asks.iter().map(|a| (&a.owner, &a.method)).collect::<Vec<_>>())
            }
            Outcome::Done(_) => panic!("it was lowered"),
        }
    }

    pub(super) fn lowered(&self) -> Box<Lowered> {
        match self.outcome() {
            Outcome::Done(lowered) => lowered,
            Outcome::Failed(errors) => panic!("{:#?}", errors.iter().map(|e| &e.message).collect::<Vec<_>>()),
            Outcome::Need(asks) => {
                panic!("asks for {:?}", asks.iter().map(|a| (&a.owner, &a.method)).collect::<Vec<_>>())
            }
        }
    }

    /// Lowers a function and all that it calls; the error is what a user would read.
    fn lower_callee(&self, how: &CallUse, functions: &mut HashMap<String, Function>, id: &str) -> Result<(), String> {
        if functions.contains_key(id) {
            return Ok(());
        }
        let env = self.env.borrow();
        let outcome = match how {
            CallUse::Library => {
                let function = library_function(id).unwrap_or_else(|| panic!("no `{id}` in the library")).clone();
                let callees = function.callees.clone();
                functions.insert(id.into(), function);
                for callee in callees {
                    self.lower_callee(&CallUse::Library, functions, &callee.id)?;
                }
                return Ok(());
            }
            CallUse::Path { path, types, lengths } => {
                let name = path.to_token_stream().to_string();
                let item = self.item_fn(&name).unwrap_or_else(|| panic!("no function `{name}`"));
                lower(&Item::Instance { item, types, lengths }, &env)
            }
            CallUse::Method { owner, method, types, lengths } => {
                let (owner, method) = self.method(owner, method);
                lower(&Item::Method { owner, method, types, lengths }, &env)
            }
        };
        match outcome {
            Outcome::Done(lowered) => {
                assert!(lowered.slots.is_empty(), "constants in tests stand in the kernel");
                let callees = lowered.function.callees.clone();
                functions.insert(id.into(), lowered.function);
                for (callee, how) in callees.iter().zip(&lowered.calls) {
                    self.lower_callee(how, functions, &callee.id)?;
                }
                Ok(())
            }
            Outcome::Failed(errors) => Err(format!("{id}: {}", errors[0].message)),
            Outcome::Need(asks) => Err(format!("{id} asks for {:?} {:?}", asks[0].owner, asks[0].method)),
        }
    }

    fn method(&self, owner: &str, key: &str) -> (&syn::Type, &syn::ImplItemFn) {
        for item in &self.file.items {
            let syn::Item::Impl(block) = item else { continue };
            for item in &block.items {
                let syn::ImplItem::Fn(method) = item else { continue };
                if method_key(&self.env.borrow(), block, method) == (owner.to_string(), key.to_string()) {
                    return (&block.self_ty, method);
                }
            }
        }
        panic!("no method {owner} {key}")
    }

    /// The kernel with everything that it calls inside.
    pub(super) fn kernel(&self) -> Kernel {
        match self.link(*self.lowered()) {
            Ok(Linked::Kernel(kernel)) => kernel.into_inner(),
            Ok(Linked::Refused(words)) | Err(words) => panic!("{words}"),
        }
    }

    /// A lowered kernel with everything that it calls inside, valid and guarded.
    pub(super) fn link(&self, lowered: Lowered) -> Result<Linked, String> {
        let mut functions = HashMap::new();
        for (callee, how) in lowered.function.callees.iter().zip(&lowered.calls) {
            if let Err(words) = self.lower_callee(how, &mut functions, &callee.id) {
                return Ok(Linked::Refused(words));
            }
        }
        let linked = warp_ir::link::link(&lowered.function, |id| functions.get(id)).map_err(|e| format!("{e:?}"))?;
        let attributes =
            Attributes { grad: self.grad(), checkpoint_bytes: self.checkpoint_bytes(), ..Attributes::default() };
        let kernel = Kernel { function: linked.function, rank: lowered.rank, attributes };
        let text = show(&kernel);
        let valid = Valid::<Kernel>::new(kernel).map_err(|e| format!("{e:?}\n{text}"))?;
        guarded(&valid).map_err(|e| format!("{e:?}\n{text}"))?;
        Ok(Linked::Kernel(Box::new(valid)))
    }

    /// The simplified kernel, and its adjoint.
    pub(super) fn adjoint(&self) -> (Valid<Kernel>, Result<Adjoint, Refusal>) {
        let mut kernel = self.kernel();
        warp_ir::passes::simplify(&mut kernel);
        let kernel = Valid::<Kernel>::new(kernel).unwrap_or_else(|e| panic!("{e}"));
        let adjoint = differentiate(&kernel, &Options::of(&kernel));
        (kernel, adjoint)
    }

    /// Runs the simplified kernel and its adjoint: what the launch left, and the gradient of each array (empty where it
    /// has none), then of each scalar of `#[grad(..)]`. A seed that is missing is one for every float of an array that the kernel writes, else zero.
    pub(super) fn backward(
        &self,
        dims: &[u64],
        arrays: &[Data],
        scalars: &[u64],
        seeds: &[Option<Data>],
    ) -> Result<(Report, Vec<Vec<f64>>), Refusal> {
        let report = self.run_with(dims, arrays, scalars, &[]);
        assert!(report.outcome.fault.is_none(), "{:?}", report.fault());
        let (kernel, adjoint) = self.adjoint();
        let adjoint = adjoint?;
        let params = &kernel.function.arrays;
        let given: Vec<Array> = params.iter().zip(arrays).map(|(param, data)| fill(param, data)).collect();
        let extent = |array: ArrayId, dim: u8| given[array.0 as usize].extents[dim as usize];
        if let Some(overlap) = adjoint.overlap(&Given { dims, scalars, slots: &[], extent: &extent }) {
            return Err(overlap.refusal.clone());
        }
        if let Some(detached) = adjoint.detached.first() {
            return Err(detached.refusal.clone());
        }
        let mut inputs = Inputs { dims: dims.into(), scalars: scalars.into(), slots: vec![], arrays: given };
        let seeds: Vec<Option<Array>> = params
            .iter()
            .zip(arrays)
            .enumerate()
            .map(|(k, (param, data))| {
                adjoint.arrays[k].gradient?;
                Some(fill(param, seeds.get(k).and_then(Option::as_ref).unwrap_or(&ones(param, data))))
            })
            .collect();
        let reversed = evaluate::reverse(&kernel, &adjoint, &mut inputs, &seeds, 1 << 26)
            .unwrap_or_else(|e| panic!("{e}\n{}", show(&adjoint.kernel)));
        assert_eq!(reversed.backward.fault, None, "{}", show(&adjoint.kernel));
        let mut found: Vec<Vec<f64>> = params
            .iter()
            .zip(&reversed.gradients)
            .map(|(param, gradient)| gradient.as_ref().map_or(vec![], |array| floats(param, array)))
            .collect();
        for (of, bits) in adjoint.scalars.iter().zip(reversed.scalars) {
            let leaf = adjoint.kernel.function.arrays[of.gradient.0 as usize].leaves[0];
            found.push(vec![number(leaf, bits)]);
        }
        Ok((report, found))
    }

    pub(super) fn run_with(&self, dims: &[u64], arrays: &[Data], scalars: &[u64], slots: &[u64]) -> Report {
        let kernel = self.kernel();
        let valid = Valid::<Kernel>::new(kernel.clone()).unwrap_or_else(|e| panic!("{e:?}\n{}", show(&kernel)));
        let function = &kernel.function;
        assert_eq!(arrays.len(), function.arrays.len(), "array arguments");
        let slots = slots[..slots.len().min(function.slots as usize)].to_vec();
        let mut given = vec![];
        for (param, data) in function.arrays.iter().zip(arrays) {
            given.push(fill(param, data));
        }
        let mut inputs = Inputs { dims: dims.into(), scalars: scalars.into(), slots, arrays: given };
        let outcome = evaluate::run(&valid, &mut inputs, 1 << 24).unwrap_or_else(|e| panic!("{e}\n{}", show(&kernel)));
        let arrays = function
            .arrays
            .iter()
            .zip(&inputs.arrays)
            .map(|(param, array)| {
                let count: u64 = array.extents.iter().product();
                (0..count)
                    .flat_map(|i| (0..param.leaves.len() as u16).map(move |leaf| (i, leaf)))
                    .map(|(i, leaf)| array.get(param, i, leaf).unwrap())
                    .collect()
            })
            .collect();
        Report { arrays, outcome, kernel }
    }
}

pub(super) fn show(kernel: &Kernel) -> String {
    warp_ir::text::print_kernel(kernel)
}

/// Runs `k` of a source over `threads`.
pub(super) fn run(text: &str, threads: u64, arrays: &[Data]) -> Report {
    Source::new(text).run_with(&[threads], arrays, &[], &[])
}

fn float_bits(scalar: Scalar, number: f64) -> u64 {
    match scalar {
        Scalar::F32 => u64::from((number as f32).to_bits()),
        Scalar::F64 => number.to_bits(),
        _ => 0,
    }
}

/// The floats of an array, element by element; zero for what is none.
fn floats(param: &warp_ir::ir::ArrayParam, array: &Array) -> Vec<f64> {
    let count: u64 = array.extents.iter().product();
    let places = (0..count).flat_map(|i| (0..param.leaves.len()).map(move |leaf| (i, leaf)));
    places
        .map(|(i, leaf)| {
            let bits = array.get(param, i, leaf as u16).expect("in range");
            number(param.leaves[leaf], bits)
        })
        .collect()
}

/// A float of these bits; zero for what is none.
fn number(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::F64 => f64::from_bits(bits),
        _ => 0.0,
    }
}

/// One for every float of an array that the kernel writes, else zero.
fn ones(param: &ArrayParam, data: &Data) -> Data {
    let one = if param.access == Access::Write { 1.0 } else { 0.0 };
    let leaves = param.leaves.iter().cycle().take(data.leaves.len());
    Data { leaves: leaves.map(|&leaf| float_bits(leaf, one)).collect(), extents: data.extents.clone() }
}

pub(super) fn fill(param: &warp_ir::ir::ArrayParam, data: &Data) -> Array {
    let leaves = param.leaves.len();
    let count = data.leaves.len() / leaves.max(1);
    let mut offsets = vec![];
    let mut size: usize = 0;
    for leaf in &param.leaves {
        size = size.next_multiple_of(leaf.size());
        offsets.push(size);
        size += leaf.size();
    }
    let size = size.next_multiple_of(8);
    let extents = data.extents.clone().unwrap_or_else(|| vec![count as u64]);
    let strides = match param.strided {
        true => (0..extents.len()).map(|d| extents[d + 1..].iter().product()).collect(),
        false => vec![],
    };
    let buffers = match param.storage {
        warp_ir::ir::Storage::Elements => vec![vec![0; size * count]],
        warp_ir::ir::Storage::Planes => param.leaves.iter().map(|s| vec![0; s.size() * count]).collect(),
    };
    let mut array = Array { buffers, start: 0, extents, strides, layout: Layout { size, offsets } };
    for (k, &bits) in data.leaves.iter().enumerate() {
        array.set(param, (k / leaves) as u64, (k % leaves) as u16, bits).expect("in range");
    }
    array
}

const BUILTINS: &[&str] = &[
    "tid",
    "tid2",
    "tid3",
    "tid4",
    "atomic_add",
    "atomic_sub",
    "atomic_min",
    "atomic_max",
    "atomic_and",
    "atomic_or",
    "atomic_xor",
    "atomic_exchange",
    "atomic_compare_exchange",
    "detach",
];

/// The comparisons in the derives of a type.
fn derived(item: &syn::Item) -> Derived {
    let (syn::Item::Struct(syn::ItemStruct { attrs, .. }) | syn::Item::Enum(syn::ItemEnum { attrs, .. })) = item else {
        return Derived::default();
    };
    let list: String = attrs.iter().map(|attribute| attribute.to_token_stream().to_string()).collect();
    Derived { equal: list.contains("PartialEq"), ordered: list.contains("PartialOrd") }
}

fn type_name(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Struct(s) => Some(s.ident.to_string()),
        syn::Item::Enum(e) => Some(e.ident.to_string()),
        _ => None,
    }
}

fn type_of(env: &Env, owner: Option<&Ty>, ty: &syn::Type) -> Type {
    let mut names = Names::new(env);
    names.owner = owner.cloned();
    if let syn::Type::Path(p) = ty
        && let Some(ident) = p.path.get_ident()
        && ident.to_string().len() == 1
        && !env.faces.contains_key(&ident.to_string())
    {
        return Type::Param(ident.to_string());
    }
    let inner = |t: &syn::Type| Box::new(type_of(env, owner, t));
    match ty {
        syn::Type::Array(t) if matches!(&t.len, syn::Expr::Path(_)) => {
            Type::ArrayOf(inner(&t.elem), t.len.to_token_stream().to_string())
        }
        syn::Type::Tuple(t) if !t.elems.is_empty() => {
            Type::Tuple(t.elems.iter().map(|t| type_of(env, owner, t)).collect())
        }
        syn::Type::Reference(r) if !matches!(&*r.elem, syn::Type::Slice(_)) => {
            let plain = names.ty(ty).unwrap_or_else(|(_, m)| panic!("{m}")).to_type().unwrap();
            match (&plain, r.mutability.is_some()) {
                (Type::Planes { .. } | Type::View { .. } | Type::Bundle(_), _) => plain,
                (_, true) => Type::MutRef(inner(&r.elem)),
                (_, false) => Type::Ref(inner(&r.elem)),
            }
        }
        _ => names.ty(ty).unwrap_or_else(|(_, m)| panic!("{m}")).to_type().unwrap(),
    }
}

fn signature(env: &Env, owner: Option<&Ty>, sig: &syn::Signature, id: &str) -> Signature {
    let params = sig.inputs.iter().map(|input| match input {
        syn::FnArg::Receiver(r) => {
            let own = owner.expect("a method has an owner").to_type().unwrap();
            let by_mut = matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
            ("self".to_string(), if by_mut { Type::MutRef(Box::new(own)) } else { own })
        }
        syn::FnArg::Typed(t) => (t.pat.to_token_stream().to_string(), type_of(env, owner, &t.ty)),
    });
    let generics = sig
        .generics
        .params
        .iter()
        .filter_map(|p| match p {
            syn::GenericParam::Type(t) => Some((t.ident.to_string(), "Scalar".to_string())),
            syn::GenericParam::Const(c) => Some((c.ident.to_string(), "usize".to_string())),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    Signature {
        id: id.into(),
        name: sig.ident.to_string(),
        generics,
        of_block: 0,
        owner: None,
        params: params.collect(),
        result: match &sig.output {
            syn::ReturnType::Default => Type::Unit,
            syn::ReturnType::Type(_, ty) => type_of(env, owner, ty),
        },
    }
}

fn method_key(env: &Env, block: &syn::ItemImpl, method: &syn::ImplItemFn) -> (String, String) {
    let names = Names::new(env);
    let owner = names.ty(&block.self_ty).unwrap();
    let plain = method.sig.ident.to_string();
    let Some((path, _)) = &block.trait_ else { return (owner.name(), plain) };
    if method.sig.inputs.len() < 2 {
        return (owner.name(), plain);
    }
    let operand = type_arguments(path.segments.last().unwrap()).first().map_or(owner.clone(), |t| names.ty(t).unwrap());
    match (&owner, &operand) {
        (left, Ty::Struct(right, _)) if left.scalar().is_some() => {
            (right.clone(), format!("{plain} {} Self", left.name()))
        }
        _ => (owner.name(), format!("{plain} {}", operand.name())),
    }
}

fn gather_impl(env: &mut Env, block: &syn::ItemImpl) {
    for item in &block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        let key = method_key(env, block, method);
        let owner = Names::new(env).ty(&block.self_ty).unwrap();
        let id = format!("{} {}", key.0, key.1);
        let signature = signature(env, Some(&owner), &method.sig, &id);
        env.methods.insert(key, signature);
    }
}

/// An array by the bits of its scalars.
pub(super) fn raw(leaves: Vec<u64>) -> Data {
    Data { leaves, extents: None }
}
