//! What expansion knows of the names that an item uses: the contract between gathering (`expand/`) and the front end
//! (`front/`).

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use warp_ir::ir::Scalar;

/// Identity of a user's struct, enum or bundle: the definition id. Library types (`Vec3`) use their plain name.
pub(crate) type TypeId = String;

/// A type as signatures and fields carry it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Type {
    Unit,
    Never,
    /// `U64` and `I64` are `u64` and `i64` proper.
    Scalar(Scalar),
    Usize,
    Isize,
    /// A struct of the user's or of the library, by value; a generic one with its arguments.
    Struct(TypeId, Vec<Argument>),
    /// A fieldless enum.
    Enum(TypeId),
    Tuple(Vec<Type>),
    Array(Box<Type>, u64),
    /// `[T; N]` with a length parameter of a generic function.
    ArrayOf(Box<Type>, String),
    Option(Box<Type>),
    /// `&[T]`, `&mut [T]`.
    Slice {
        element: Box<Type>,
        mutable: bool,
    },
    /// `&Soa<T>`, `&mut Soa<T>`.
    Planes {
        element: Box<Type>,
        mutable: bool,
    },
    /// `View2<T>` .. `ViewMut4<T>`.
    View {
        element: Box<Type>,
        rank: u8,
        mutable: bool,
    },
    /// A `#[derive(Args)]` struct.
    Bundle(TypeId),
    /// `&mut T`, of a function's parameter only: copied in and out.
    MutRef(Box<Type>),
    /// `&T`, of a function's parameter only: by value.
    Ref(Box<Type>),
    /// A type or length parameter of a generic function.
    Param(String),
}

/// An argument of a generic struct, in the order of its parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Argument {
    Type(Type),
    Length(u64),
    /// A length parameter of what names the struct.
    LengthOf(String),
}

impl Type {
    /// A struct without parameters.
    pub(crate) fn plain(id: impl Into<TypeId>) -> Type {
        Type::Struct(id.into(), vec![])
    }
}

/// Name and bound of a parameter: `Float`, `Int`, `Scalar` or `Copy`, nothing for a type parameter of a struct without
/// such a bound, and `usize` for a length.
pub(crate) type Parameter = (String, String);

/// What a type identity stands for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum TypeDef {
    Struct { name: String, generics: Vec<Parameter>, fields: Vec<(String, Type)>, tuple: bool, derived: Derived },
    Bundle { name: String, fields: Vec<(String, Type)> },
    Enum { name: String, repr: Scalar, variants: Vec<(String, i128)>, derived: Derived },
}

/// The comparisons that a type is known to derive: those in one list with `Struct`, and in lists below it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Derived {
    /// `PartialEq`.
    pub equal: bool,
    /// `PartialOrd`.
    pub ordered: bool,
}

/// The signature of a `#[func]` or method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Signature {
    /// Identity of the definition.
    pub id: String,
    pub name: String,
    /// Of a method, first those of its `impl` block.
    pub generics: Vec<Parameter>,
    /// How many of them are those of the block.
    pub of_block: usize,
    /// The type of the block, in its parameters; only where it has some, or names an instance of a generic struct.
    pub owner: Option<Type>,
    /// For a method, `self` is the first.
    pub params: Vec<(String, Type)>,
    pub result: Type,
}

/// What a name stands for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Face {
    /// A builtin free function (`tid`, `atomic_add`, ..), by its original name.
    Builtin(String),
    Func(Signature),
    /// A struct, enum or bundle.
    Type(TypeId),
    /// A constant that may be the length of an array.
    Length(u64),
}

/// What a face hands over: self-contained.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct FacePayload {
    pub format: u16,
    pub face: Face,
    /// Definitions of all types that the face reaches.
    pub types: Vec<(TypeId, TypeDef)>,
}

/// All that is known when an item is lowered.
#[derive(Clone, Default, Debug)]
pub(crate) struct Env {
    /// Answers, by the path's tokens as written (`forces :: push`).
    pub faces: HashMap<String, Face>,
    /// All types reached.
    pub types: HashMap<TypeId, TypeDef>,
    /// Methods and operators of user types that have answered: `(type, "energy")`, `(type, "add Vec3")`.
    pub methods: HashMap<(TypeId, String), Signature>,
}

impl Env {
    /// The value of the constant that a path names, when its face gave one.
    pub(crate) fn length(&self, path: &syn::Path) -> Option<u64> {
        match self.faces.get(&quote::ToTokens::to_token_stream(path).to_string()) {
            Some(Face::Length(value)) => Some(*value),
            _ => None,
        }
    }
}

/// What the front end lowers.
#[derive(Clone, Copy)]
pub(crate) enum Item<'a> {
    /// `#[kernel] fn`.
    Kernel(&'a syn::ItemFn),
    /// `#[func] fn`.
    Func(&'a syn::ItemFn),
    /// A method of `#[methods] impl`, with the type that stands for `Self`; of a generic one an instance.
    Method {
        owner: &'a syn::Type,
        method: &'a syn::ImplItemFn,
        types: &'a [(String, Type)],
        lengths: &'a [(String, u64)],
    },
    /// An instance of a generic function: its parameters by name, `T` a type, `N` a length.
    Instance { item: &'a syn::ItemFn, types: &'a [(String, Type)], lengths: &'a [(String, u64)] },
}

/// A path whose face an item needs.
#[derive(Clone)]
pub(crate) struct Ask {
    /// The path as written, without generic arguments: its tokens are the key of [`Env::faces`].
    pub path: syn::Path,
}

/// A method or operator of a user type whose signature is needed.
#[derive(Clone)]
pub(crate) struct MethodAsk {
    /// The type of the receiver, or of the left operand when it is a user's type; else of the right operand.
    pub owner: TypeId,
    /// `energy`; operators by their function and the right-hand type: `add Vec3`; `mul f32 Self` when the owner stands
    /// on the right.
    pub method: String,
    /// The token that an error is about.
    pub at: proc_macro2::Span,
}

/// What became of an item.
pub(crate) enum Outcome {
    Done(Box<Lowered>),
    /// These must be asked; then `lower` is called again with more in [`Env::methods`].
    Need(Vec<MethodAsk>),
    /// What `ErrorKind::Refused` says is reported at once; the rest when rustc finds no error in the body.
    Failed(Vec<crate::front::Error>),
}

/// A lowered item.
pub(crate) struct Lowered {
    pub function: warp_ir::ir::Function,
    /// Dimensions of the launch; 0 unless the item is a kernel.
    pub rank: u8,
    /// In the order of `Op::Slot` numbers.
    pub slots: Vec<SlotUse>,
    /// In the order of `function.callees`.
    pub calls: Vec<CallUse>,
    /// How many of the calls, the last ones, are those of the function's own derivative: they may lead back to it.
    pub derivatives: usize,
    /// Enums whose variants are compared by their numbers, which is right where `PartialEq` is derived; with a place
    /// each.
    pub compared: Vec<(TypeId, proc_macro2::Span)>,
    /// Literals that got their type from an operator of a user's type.
    pub literals: Vec<LiteralUse>,
    /// The variables of the body with the types that inference found.
    pub bindings: Vec<Binding>,
}

/// A literal without a type of its own beside a user's type: rustc takes the one that the type's operators allow, and
/// has to agree with the one that was taken here.
#[derive(Clone)]
pub(crate) struct LiteralUse {
    /// The user's type.
    pub owner: Type,
    /// Whether the user's type stands left of the operator.
    pub owner_first: bool,
    /// As the source writes it: `*`, `+=`.
    pub operator: String,
    /// The name of the primitive type that was taken.
    pub taken: String,
    /// Whether it is written as a float.
    pub float: bool,
    /// The operator's place.
    pub at: proc_macro2::Span,
}

impl LiteralUse {
    /// Whether one question to rustc is enough for both.
    pub(crate) fn asks_the_same(&self, other: &LiteralUse) -> bool {
        let key = |of: &LiteralUse| (of.owner.clone(), of.owner_first, of.operator.clone(), of.taken.clone());
        key(self) == key(other)
    }
}
/// A variable of a body.
pub(crate) struct Binding {
    pub name: String,
    /// Where it is bound.
    pub at: proc_macro2::Span,
    pub ty: Type,
}

/// A leaf of a constant of the user's crate.
pub(crate) struct SlotUse {
    /// The constant expression.
    pub expression: proc_macro2::TokenStream,
    /// Its Rust type as tokens, when known: rustc checks it.
    pub rust_type: Option<proc_macro2::TokenStream>,
    /// Which scalar of it.
    pub leaf: u16,
}

/// How the source named a callee.
#[derive(Clone, Debug)]
pub(crate) enum CallUse {
    /// By a path: the key of [`Env::faces`]; with the instance's arguments for a generic one.
    Path { path: syn::Path, types: Vec<(String, Type)>, lengths: Vec<(String, u64)> },
    /// As a method or operator: the key of [`Env::methods`]; with the instance's arguments for a generic one.
    Method { owner: TypeId, method: String, types: Vec<(String, Type)>, lengths: Vec<(String, u64)> },
    /// A function of the library: the callee's id names it.
    Library,
}
