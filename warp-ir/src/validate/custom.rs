//! Derivatives of the user's own: what may stand in the region of a `Custom`.

use crate::ir::{Function, LocalId, Mem, Op, Region, Scalar, Value};

/// Whether values of this type have adjoints.
pub(super) fn carries(scalar: Scalar) -> bool {
    scalar.is_float() || scalar.is_half()
}

/// Checks what a derivative is by, and that its region only reads what it is not the owner of.
pub(super) fn check_gradient<'f>(
    function: &Function,
    by: &[Value],
    gradient: &'f Region,
) -> Result<(), (Option<&'f Op>, String)> {
    if let Some(value) = by.iter().find(|&&v| !carries(function.scalar(v))) {
        return Err((None, format!("a derivative is by v{}, which is no float", value.0)));
    }
    reads_only(gradient).map_err(|(op, message)| (Some(op), message.into()))
}

fn reads_only(region: &Region) -> Result<(), (&Op, &'static str)> {
    for op in &region.ops {
        match op {
            Op::Custom { .. } => return Err((op, "a derivative stands inside another one")),
            Op::Store { mem: Mem::Array(_), .. } | Op::Atomic { mem: Mem::Array(_), .. } => {
                return Err((op, "a derivative writes to an array parameter"));
            }
            _ => {}
        }
        op.shape().regions.into_iter().try_for_each(reads_only)?;
    }
    Ok(())
}

/// Checks that no local array is used both inside and outside of such regions.
pub(super) fn check_locals(function: &Function) -> Result<(), String> {
    let mut uses = Uses { inside: vec![false; function.locals.len()], outside: vec![false; function.locals.len()] };
    uses.region(&function.body, false);
    match (0..function.locals.len()).find(|&k| uses.inside[k] && uses.outside[k]) {
        Some(k) => Err(format!("local{k} is used inside and outside of a custom derivative")),
        None => Ok(()),
    }
}

struct Uses {
    inside: Vec<bool>,
    outside: Vec<bool>,
}

impl Uses {
    fn region(&mut self, region: &Region, in_gradient: bool) {
        for op in &region.ops {
            for local in locals(op) {
                let uses = if in_gradient { &mut self.inside } else { &mut self.outside };
                uses[local.0 as usize] = true;
            }
            let in_gradient = in_gradient || matches!(op, Op::Custom { .. });
            op.shape().regions.into_iter().for_each(|region| self.region(region, in_gradient));
        }
    }
}

/// The local arrays that an op itself uses.
fn locals(op: &Op) -> Vec<LocalId> {
    let of = |mem: &Mem| match mem {
        Mem::Local(local) => Some(*local),
        Mem::Array(_) => None,
    };
    match op {
        Op::Load { mem, .. } | Op::Store { mem, .. } | Op::Atomic { mem, .. } => of(mem).into_iter().collect(),
        Op::Fill { local, .. } => vec![*local],
        Op::Call { arrays, .. } => arrays.iter().filter_map(|a| of(&a.mem)).collect(),
        _ => vec![],
    }
}
