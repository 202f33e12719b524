//! Running a kernel's plain function over all threads of a launch, one after another.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use super::thread::Index;
use crate::array::advance;
use crate::fault::{Fault, FaultKind};
use crate::kernel::Definition;

/// Runs `body` once for each thread, in row-major order, with `tid()` and its relatives set.
///
/// A panic stops its thread alone, as a fault does on a device; the first one is told, with the number of all. It needs
/// unwinding panics: with `panic = "abort"` the first one prints itself and ends the program.
pub fn run<const R: usize>(
    definition: &'static Definition,
    dims: [usize; R],
    mut body: impl FnMut(),
) -> Result<(), Box<Fault>> {
    all(definition, &dims, &mut [0; R], &mut body)
}

/// As `run`, and compiled once for all kernels.
fn all(
    definition: &'static Definition,
    dims: &[usize],
    index: &mut [usize],
    body: &mut dyn FnMut(),
) -> Result<(), Box<Fault>> {
    let index_guard = Index::enter();
    let quiet = Quiet::enter();
    let mut first: Option<Box<Fault>> = None;
    if dims.contains(&0) {
        return Ok(());
    }
    let mut thread = 0u64;
    loop {
        index_guard.set(index);
        if let Err(payload) = catch_unwind(AssertUnwindSafe(&mut *body)) {
            let place = quiet.place();
            match &mut first {
                Some(fault) => fault.count += 1,
                None => first = Some(Box::new(fault(definition, thread, index, place, &*payload))),
            }
        }
        thread += 1;
        advance(index, dims);
        if index.iter().all(|&i| i == 0) {
            break;
        }
    }
    first.map_or(Ok(()), Err)
}

fn fault(
    definition: &Definition,
    thread: u64,
    index: &[usize],
    place: Option<(String, u32)>,
    payload: &(dyn Any + Send),
) -> Fault {
    let words = payload.downcast_ref::<&str>().map(|s| s.to_string());
    let message = words.or_else(|| payload.downcast_ref::<String>().cloned());
    let (file, line) = place.unwrap_or_else(|| (definition.spec.file.into(), definition.spec.line));
    Fault {
        kernel: definition.name().into(),
        file,
        line,
        text: String::new(),
        kind: FaultKind::Panic { message: message.unwrap_or_else(|| "the plain function panicked".into()) },
        thread,
        index: index.iter().map(|&i| i as u64).collect(),
        count: 1,
    }
}

thread_local! {
    /// While a plain run lasts on this thread: where it panicked last.
    static PLACE: RefCell<Option<Option<(String, u32)>>> = const { RefCell::new(None) };
}

/// While it lasts, panics of this thread are noted instead of printed.
struct Quiet {
    outer: Option<Option<(String, u32)>>,
}

impl Quiet {
    fn enter() -> Quiet {
        static HOOK: Once = Once::new();
        // A thread that panics already may not touch the hook. It then stays as it is, which only prints more.
        if !std::thread::panicking() {
            HOOK.call_once(|| {
                let before = take_hook();
                set_hook(Box::new(move |info| {
                    if !note(info) {
                        before(info);
                    }
                }));
            });
        }
        Quiet { outer: PLACE.replace(Some(None)) }
    }

    fn place(&self) -> Option<(String, u32)> {
        PLACE.with_borrow_mut(|place| place.as_mut().and_then(Option::take))
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        PLACE.set(self.outer.take());
    }
}

/// Notes a panic of a plain run; false when there is none on this thread, and where nobody would tell it afterwards.
fn note(info: &PanicHookInfo<'_>) -> bool {
    if cfg!(panic = "abort") {
        return false;
    }
    let noted = PLACE.try_with(|place| {
        let mut place = place.try_borrow_mut().ok()?;
        *place.as_mut()? = info.location().map(|at| (at.file().to_string(), at.line()));
        Some(())
    });
    matches!(noted, Ok(Some(())))
}
