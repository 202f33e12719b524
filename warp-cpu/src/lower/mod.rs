//! From the IR to CLIF: one function a variant, with the loop over threads inside.
//!
//! `thread_loop` makes the frame and walks the threads, `region` the structure of one thread, `op` each op with the
//! help of `builtin`, `cast`, `extremum`, `memory` and `atomic`. What the whole kernel needs to know beforehand is
//! gathered in `survey`. `divider` packs divisions, `guards` tests guards of gradients together, `motion` lets loads move to
//! their uses.

mod atomic;
mod builtin;
mod cast;
mod divider;
mod extremum;
mod guards;
pub(crate) mod lanes;
mod memory;
mod motion;
mod op;
mod region;
mod survey;
mod thread_loop;

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{self as clif, AliasRegion, FuncRef, InstBuilder, StackSlot, Type, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{Linkage, Module};
use warp_core::backend::{BackendError, ElementLayout};
use warp_ir::abi::ArgWords;
use warp_ir::ir::{Function, Kernel, Scalar, Value};
use warp_ir::validate::Valid;

use crate::fault::CheckSite;
pub(crate) use motion::Motion;
use survey::Survey;

/// What is lowered, and how.
pub(crate) struct Input<'a> {
    /// The kernel, without slots. A local array's name is its number in the program's kernel.
    pub kernel: &'a Valid<Kernel>,
    /// Element layouts of the array parameters.
    pub layouts: &'a [ElementLayout],
    /// What atomics become.
    pub atomics: Atomics,
}

/// What the atomics of a kernel become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Atomics {
    /// Plain reads and writes: the launch runs on one machine thread.
    Plain,
    /// Atomic instructions.
    Shared,
}

/// What lowering gives beside the code.
pub(crate) struct Lowered {
    /// The checks, by site number.
    pub sites: Vec<CheckSite>,
    /// Bytes of scratch memory for local arrays that a machine thread needs.
    pub scratch: usize,
    /// Constant tables, whose addresses are in the code: they live as long as it does.
    pub tables: Vec<TableWords>,
    /// The loads that were made free to move.
    pub motion: Motion,
    /// Whether sums of floats are those of one thread after the other, where the launch runs on one machine thread.
    pub in_order: bool,
    /// Whether threads go through turns of loops that others have left.
    pub apart: bool,
}

/// The elements of a constant table in memory.
pub(crate) type TableWords = Box<[u64]>;

/// Fills `function`, whose signature is that of [`Entry`](crate::context::Entry).
pub(crate) fn lower(
    input: &Input<'_>,
    motion: Motion,
    module: &mut dyn Module,
    function: &mut clif::Function,
    context: &mut FunctionBuilderContext,
) -> Result<Lowered, BackendError> {
    let survey = Survey::of(input);
    let builder = FunctionBuilder::new(function, context);
    let mut lowering = Lowering::new(input, survey, motion, module, builder);
    lowering.thread_loop()?;
    let config = lowering.module.target_config();
    let Lowering { mut builder, sites, locals, tables, motion, .. } = lowering;
    builder.seal_all_blocks();
    builder.finalize(config);
    Ok(Lowered {
        sites,
        scratch: locals.scratch,
        tables: tables.into_values().collect(),
        motion,
        in_order: true,
        apart: false,
    })
}

/// How a value is defined.
#[derive(Clone, Copy, Debug)]
enum Definition {
    /// A constant's bits.
    Constant(u64),
    /// A comparison of floats.
    Compare(FloatCC, clif::Value, clif::Value),
    /// The negative of a float.
    Negative(clif::Value),
    /// Both of two booleans.
    Both(clif::Value, clif::Value),
    /// One of two booleans.
    Either(clif::Value, clif::Value),
}

/// The state of lowering one function.
struct Lowering<'a, 'f> {
    input: &'a Input<'a>,
    survey: Survey,
    motion: Motion,
    words: ArgWords,
    module: &'a mut dyn Module,
    builder: FunctionBuilder<'f>,
    /// CLIF values of IR values that are defined so far.
    values: Vec<Option<clif::Value>>,
    /// Argument words that the kernel uses, loaded at entry.
    arguments: Vec<Option<clif::Value>>,
    /// The thread's coordinates.
    tids: Vec<clif::Value>,
    /// The launch's extents, for kernels of more than one dimension.
    dims: Vec<clif::Value>,
    /// False and true.
    truths: [Option<clif::Value>; 2],
    /// The pointer to the `Context`.
    context: Option<clif::Value>,
    locals: memory::Locals,
    /// One alias region for each array parameter.
    regions: Vec<AliasRegion>,
    /// How CLIF values are defined, where instruction selection looks at it.
    definitions: HashMap<clif::Value, Definition>,
    /// Whether what is lowered now is seldom needed.
    seldom: bool,
    /// Constant tables that the code reads, by number.
    tables: HashMap<u32, TableWords>,
    sites: Vec<CheckSite>,
    /// Holds the operands of the one check or print that is being reported.
    report: Option<StackSlot>,
}

impl<'a, 'f> Lowering<'a, 'f> {
    fn new(
        input: &'a Input<'a>,
        survey: Survey,
        motion: Motion,
        module: &'a mut dyn Module,
        builder: FunctionBuilder<'f>,
    ) -> Lowering<'a, 'f> {
        let function = &input.kernel.function;
        let words = ArgWords::of(function);
        Lowering {
            input,
            words,
            module,
            builder,
            values: vec![None; function.values.len()],
            arguments: Vec::new(),
            tids: Vec::new(),
            dims: Vec::new(),
            truths: [None; 2],
            context: None,
            locals: memory::Locals::default(),
            regions: Vec::new(),
            definitions: HashMap::new(),
            seldom: false,
            tables: HashMap::new(),
            sites: Vec::new(),
            report: None,
            survey,
            motion,
        }
    }

    fn function(&self) -> &'a Function {
        &self.input.kernel.function
    }

    fn scalar(&self, value: Value) -> Scalar {
        self.function().scalar(value)
    }

    /// The CLIF value of an IR value. The kernel is valid, so it has been defined.
    fn get(&self, value: Value) -> clif::Value {
        self.values[value.0 as usize].expect("a valid kernel defines values before their use")
    }

    fn set(&mut self, value: Value, is: clif::Value) {
        self.values[value.0 as usize] = Some(is);
    }

    /// A constant of a scalar type, from its bits.
    fn constant(&mut self, scalar: Scalar, bits: u64) -> clif::Value {
        if scalar == Scalar::Bool {
            return self.truth(bits & 1 == 1);
        }
        let is = match scalar {
            Scalar::F32 => self.builder.ins().f32const(clif::immediates::Ieee32::with_bits(bits as u32)),
            Scalar::F64 => self.builder.ins().f64const(clif::immediates::Ieee64::with_bits(bits)),
            _ => self.builder.ins().iconst(clif_type(scalar), (bits & scalar.mask()) as i64),
        };
        self.definitions.insert(is, Definition::Constant(bits & scalar.mask()));
        is
    }

    /// A constant of type `bool`. There is one of each, so that loops which carry it are seen to carry a constant.
    fn truth(&mut self, truth: bool) -> clif::Value {
        self.truths[usize::from(truth)].expect("set on entry")
    }

    /// The bits of a value that is a constant.
    fn constant_bits(&self, value: clif::Value) -> Option<u64> {
        match self.definitions.get(&value) {
            Some(Definition::Constant(bits)) => Some(*bits),
            _ => None,
        }
    }

    /// The bits of a value as a zero-extended 64-bit word.
    fn word(&mut self, value: Value) -> clif::Value {
        let is = self.get(value);
        let bits = self.bits_of(is);
        match self.builder.func.dfg.value_type(bits) {
            types::I64 => bits,
            _ => self.builder.ins().uextend(types::I64, bits),
        }
    }

    /// A float's bits as an integer of the same width; integers stay.
    fn bits_of(&mut self, value: clif::Value) -> clif::Value {
        let ty = self.builder.func.dfg.value_type(value);
        if !ty.is_float() {
            return value;
        }
        self.builder.ins().bitcast(ty.as_int(), clif::MemFlagsData::new(), value)
    }

    /// The inverse of [`Lowering::bits_of`] for a value of type `ty`.
    fn of_bits(&mut self, ty: Type, bits: clif::Value) -> clif::Value {
        if !ty.is_float() {
            return bits;
        }
        self.builder.ins().bitcast(ty, clif::MemFlagsData::new(), bits)
    }

    /// Declares a function of the runtime for a call.
    fn runtime(&mut self, name: &str, params: &[Type], result: Option<Type>) -> Result<FuncRef, BackendError> {
        let mut signature = self.module.make_signature();
        signature.params.extend(params.iter().map(|ty| clif::AbiParam::new(*ty)));
        signature.returns.extend(result.map(clif::AbiParam::new));
        let id = self
            .module
            .declare_function(name, Linkage::Import, &signature)
            .map_err(|error| BackendError(format!("runtime function {name}: {error}")))?;
        Ok(self.module.declare_func_in_func(id, self.builder.func))
    }

    /// Calls a function of the runtime that has a result.
    fn call(&mut self, name: &str, args: &[clif::Value], result: Type) -> Result<clif::Value, BackendError> {
        let params: Vec<Type> = args.iter().map(|arg| self.builder.func.dfg.value_type(*arg)).collect();
        let function = self.runtime(name, &params, Some(result))?;
        let call = self.builder.ins().call(function, args);
        Ok(self.builder.inst_results(call)[0])
    }

    fn value_type(&self, value: clif::Value) -> Type {
        self.builder.func.dfg.value_type(value)
    }
}

/// The CLIF type that holds a scalar. Half floats travel as their bits.
fn clif_type(scalar: Scalar) -> Type {
    use Scalar::*;
    match scalar {
        Bool | I8 | U8 => types::I8,
        I16 | U16 | F16 | BF16 => types::I16,
        I32 | U32 => types::I32,
        I64 | U64 => types::I64,
        F32 => types::F32,
        F64 => types::F64,
    }
}
