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
    /// A struct of the user's or of the library, by value.
    Struct(TypeId),
    /// A fieldless enum.
    Enum(TypeId),
    Tuple(Vec<Type>),
    Array(Box<Type>, u64),
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

/// What a type identity stands for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum TypeDef {
    Struct { name: String, fields: Vec<(String, Type)>, tuple: bool },
    Bundle { name: String, fields: Vec<(String, Type)> },
    Enum { name: String, repr: Scalar, variants: Vec<(String, i128)> },
}

/// The signature of a `#[func]` or method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Signature {
    /// Identity of the definition.
    pub id: String,
    pub name: String,
    /// Type parameters with the trait that bounds them (`Float`, `Int`, `Scalar`), const parameters with `usize`.
    pub generics: Vec<(String, String)>,
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
