//! From CLIF to machine code in memory.

use std::sync::{Mutex, OnceLock};

use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_codegen::{CodegenResult, CompiledCode, Context, ir as clif};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, ModuleReloc, default_libcall_names};
use warp_core::backend::BackendError;
use warp_core::dump;

use crate::context::Entry;
use crate::fault::CheckSite;
use crate::halves;
use crate::lower::lanes::{self, LANES, Shape, Stop};
use crate::lower::{self, Input, Lowered, Motion, TableWords};
use crate::runtime;
use crate::weight::weight;

/// A kernel in machine code, thread by thread.
pub(crate) struct Compiled {
    /// The code.
    pub code: Code,
    /// Its checks, by site number.
    pub sites: Vec<CheckSite>,
    /// Number of operands of each check.
    pub operands: Vec<usize>,
    /// Bytes of memory that a machine thread needs for local arrays beside the stack.
    pub scratch: usize,
}

/// Machine code.
pub(crate) struct Code {
    /// Where it starts; valid as long as `self`.
    pub entry: Entry,
    /// What a turn of its loop takes, in times of an addition.
    pub weight: f64,
    /// Threads that a turn runs.
    pub threads: usize,
    /// Whether sums of floats are those of one thread after the other, where the launch runs on one machine thread.
    pub in_order: bool,
    /// Whether threads go through turns of loops that others have left.
    pub apart: bool,
    /// Constant tables that the machine code reads.
    _tables: Vec<TableWords>,
    /// Owns the machine code.
    module: Mutex<Option<JITModule>>,
}

/// Codes are close to each other where a thread of one has more than this part of the weight that one of the other has.
const CLOSE: f64 = 0.3;

impl Code {
    /// The weight of a thread, in times of what it has in another code.
    pub(crate) fn weight_beside(&self, other: &Code) -> f64 {
        self.weight * other.threads as f64 / (self.threads as f64 * other.weight)
    }

    /// Whether this code for groups and another one for single threads give the same bits, and weigh nearly the same.
    pub(crate) fn is_close_to(&self, single: &Code) -> bool {
        self.in_order && !self.apart && self.weight_beside(single) > CLOSE
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(|poison| poison.into_inner());
        if let Some(module) = module.take() {
            // SAFETY: `entry` is called through a borrow of `self` only, so no code of the module runs any more.
            unsafe { module.free_memory() };
        }
    }
}

/// Compiles a kernel thread by thread; `variant` names its form in dumps.
pub(crate) fn compile(input: &Input<'_>, variant: &str, verify: bool) -> Result<Compiled, BackendError> {
    let (code, sites, scratch) = generate(input, Motion::of(input.kernel), variant, verify, 1, &lower::lower)?;
    let operands = sites.iter().map(|site| site.operands.len()).collect();
    Ok(Compiled { code, sites, operands, scratch })
}

/// Compiles a kernel for bundles of so many groups of threads, where that is possible; else says why not. Lanes whose
/// threads have left the kernel's loop wait for the others, or take up other threads if the code `refills` them.
pub(crate) fn compile_groups(
    input: &Input<'_>,
    groups: usize,
    refills: bool,
    variant: &str,
    verify: bool,
) -> Result<Result<Code, String>, BackendError> {
    let (variant, threads) =
        (format!("{variant}.{}{groups}", if refills { "refilled" } else { "lanes" }), groups * LANES);
    let mut why = String::new();
    for masked_branches in [true, false] {
        let shape = Shape { groups, masked_branches, refills };
        let lower: &Lower<'_, Stop> =
            &|input, motion, module, function, context| lanes::lower(input, shape, motion, module, function, context);
        match generate(input, Motion::of(input.kernel), &variant, verify, threads, lower) {
            Ok((code, ..)) => return Ok(Ok(code)),
            Err(Stop::Refused(what)) => why = what,
            Err(Stop::Failed(error)) => return Err(error),
        }
    }
    Ok(Err(why))
}

/// Fills a function with a kernel.
type Lower<'l, E> = dyn Fn(&Input<'_>, Motion, &mut dyn Module, &mut clif::Function, &mut FunctionBuilderContext) -> Result<Lowered, E>
    + 'l;

/// Makes machine code of what `lower` fills a function with, whose loop runs so many `threads` a turn.
fn generate<E: From<BackendError>>(
    input: &Input<'_>,
    motion: Motion,
    variant: &str,
    verify: bool,
    threads: usize,
    lower: &Lower<'_, E>,
) -> Result<(Code, Vec<CheckSite>, usize), E> {
    let kernel = &input.kernel.function.name;
    let fail = |what: String| BackendError(format!("kernel `{kernel}` did not compile for this processor: {what}"));
    let mut module = module(verify)?;
    let mut context = module.make_context();
    let pointer = module.target_config().pointer_type();
    for _ in 0..4 {
        context.func.signature.params.push(clif::AbiParam::new(pointer));
    }
    context.func.signature.returns.push(clif::AbiParam::new(pointer));
    let id = module
        .declare_function("kernel", Linkage::Export, &context.func.signature)
        .map_err(|error| fail(error.to_string()))?;
    let lowered = lower(input, motion.clone(), &mut module, &mut context.func, &mut FunctionBuilderContext::new())?;
    dump::file(&format!("{kernel}.{variant}"), "clif", || context.func.display().to_string());
    context.optimize(module.isa(), &mut ControlPlane::default()).map_err(|error| fail(error.to_string()))?;
    if !lowered.motion.stayed_inside(&context.func) {
        return generate(input, Motion::default(), variant, verify, threads, lower);
    }
    let machine = machine_code(module.isa(), &mut context).map_err(|error| fail(format!("{error:?}")))?;
    dump::file(&format!("{kernel}.{variant}"), "asm", || machine.vcode.clone().unwrap_or_default());
    let relocs: Vec<ModuleReloc> =
        machine.buffer.relocs().iter().map(|reloc| ModuleReloc::from_mach_reloc(reloc, &context.func, id)).collect();
    module
        .define_function_bytes(id, u64::from(machine.buffer.alignment), machine.code_buffer(), &relocs)
        .map_err(|error| fail(error.to_string()))?;
    module.finalize_definitions().map_err(|error| fail(error.to_string()))?;
    let address = module.get_finalized_function(id);
    // SAFETY: the function was declared with the signature of `Entry` in the platform's calling convention.
    let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
    let weight = weight(&context);
    let code = Code {
        entry,
        weight,
        threads,
        in_order: lowered.in_order,
        apart: lowered.apart,
        _tables: lowered.tables,
        module: Mutex::new(Some(module)),
    };
    Ok((code, lowered.sites, lowered.scratch))
}

/// Machine code of an optimised function.
fn machine_code(isa: &dyn TargetIsa, context: &mut Context) -> CodegenResult<CompiledCode> {
    halves::take_out(&mut context.func);
    context.verify_if(isa)?;
    let (registers, plain) = (&mut Default::default(), &mut ControlPlane::default());
    let code = isa.compile_function(&context.func, &context.domtree, registers, dump::wants("asm"), plain)?;
    Ok(code.apply_params(&context.func.params))
}

/// An empty module for this machine.
fn module(verify: bool) -> Result<JITModule, BackendError> {
    static PLAIN: OnceLock<Result<OwnedTargetIsa, BackendError>> = OnceLock::new();
    static VERIFYING: OnceLock<Result<OwnedTargetIsa, BackendError>> = OnceLock::new();
    let isa = if verify { &VERIFYING } else { &PLAIN }.get_or_init(|| isa(verify)).clone()?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    builder.symbols(runtime::symbols());
    Ok(JITModule::new(builder))
}

/// The code generator for this machine, with all that its processor has.
fn isa(verify: bool) -> Result<OwnedTargetIsa, BackendError> {
    let fail = |what: String| BackendError(format!("no code can be generated for this processor: {what}"));
    let mut flags = settings::builder();
    for (name, value) in [
        ("opt_level", "speed"),
        ("is_pic", "false"),
        ("use_colocated_libcalls", "false"),
        ("enable_probestack", "true"),
        ("probestack_strategy", "inline"),
        ("unwind_info", "false"),
        ("enable_verifier", if verify { "true" } else { "false" }),
    ] {
        flags.set(name, value).map_err(|error| fail(error.to_string()))?;
    }
    let builder = cranelift_native::builder().map_err(|what| fail(what.to_owned()))?;
    builder.finish(settings::Flags::new(flags)).map_err(|error| fail(error.to_string()))
}
