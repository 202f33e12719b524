//! Runs one thread, instruction by instruction.

use super::block::Surroundings;
use super::space::{from_generic, to_generic};
use super::thread::{Checked, State, Thread, trouble};
use crate::arithmetic::convert::{convert, low_bytes};
use crate::code::{ALWAYS, Comparison, Op};

impl Surroundings<'_> {
    /// Runs a thread for at most `turn` instructions, or until it exits or must wait for others.
    /// Gives the number of instructions that it passed.
    pub(super) fn run(&mut self, thread: &mut Thread, turn: u64) -> Checked<u64> {
        let program = self.program;
        for passed in 0..turn {
            let instruction = &program.instructions[thread.at];
            if instruction.guard != ALWAYS && (thread.get(instruction.guard)? != 0) == instruction.negated {
                self.counts.skipped += 1;
                thread.at += 1;
                continue;
            }
            thread.executed += 1;
            self.hits[thread.at] += 1;
            self.step(thread, &instruction.op)?;
            if thread.state != State::Ready {
                return Ok(passed + 1);
            }
        }
        Ok(turn)
    }

    /// Executes one instruction and goes to the next.
    #[inline(always)]
    fn step(&mut self, thread: &mut Thread, op: &Op) -> Checked<()> {
        match op {
            Op::Move { d, a } => thread.set(*d, thread.get(*a)?),
            Op::Unary { f, d, a } => thread.set(*d, f(thread.get(*a)?)),
            Op::Binary { f, d, a, b } => thread.set(*d, f(thread.get(*a)?, thread.get(*b)?)),
            Op::Ternary { f, d, a, b, c } => thread.set(*d, f(thread.get(*a)?, thread.get(*b)?, thread.get(*c)?)),
            Op::Compare { f, d, a, b } => thread.set(*d, u64::from(f(thread.get(*a)?, thread.get(*b)?))),
            Op::Select { d, a, b, p } => {
                let chosen = if thread.holds(*p)? { *a } else { *b };
                thread.copy(*d, chosen);
            }
            Op::Load { .. } => self.load(thread, op)?,
            Op::Store { .. } => self.store(thread, op)?,
            Op::Branch { target } => {
                thread.at = *target as usize;
                return Ok(());
            }
            Op::Return => {
                self.leave(thread);
                return Ok(());
            }
            Op::Exit => {
                thread.state = State::Exited;
                return Ok(());
            }
            Op::Call { site } => return self.call(thread, *site as usize),
            // The block lets them go on together, and moves them to the next instruction then.
            Op::Barrier(_) => {
                thread.state = State::AtBarrier;
                return Ok(());
            }
            Op::Warp(_) => {
                thread.state = State::AtWarp;
                return Ok(());
            }
            _ => self.rarer(thread, op)?,
        }
        thread.at += 1;
        Ok(())
    }

    /// Instructions that need more work, or that programs hold few of.
    fn rarer(&mut self, thread: &mut Thread, op: &Op) -> Checked<()> {
        match op {
            Op::Convert { how, d, a } => thread.set(*d, convert(*how, thread.get(*a)?)),
            Op::Quaternary { f, d, operands: [a, b, c, e] } => {
                thread.set(*d, f(thread.get(*a)?, thread.get(*b)?, thread.get(*c)?, thread.get(*e)?));
            }
            Op::Then { first, d, f } => {
                self.step_within(thread, first)?;
                thread.set(*d, f(thread.get(*d)?));
            }
            Op::CompareWith(comparison) => compare(thread, comparison)?,
            Op::Set { f, d, a, b, truth } => {
                let holds = f(thread.get(*a)?, thread.get(*b)?);
                thread.set(*d, if holds { *truth } else { 0 });
            }
            Op::Carry { f, d, operands: [a, b, c], takes, gives } => {
                let carry = match thread.carry {
                    Some(carry) => *takes && carry,
                    None if *takes => return trouble("the carry is read, and no instruction with `.cc` came before."),
                    None => false,
                };
                let (result, out) = f(thread.get(*a)?, thread.get(*b)?, thread.get(*c)?, carry);
                thread.set(*d, result);
                if *gives {
                    thread.carry = Some(out);
                }
            }
            Op::Pack { d, parts, bits } => {
                let mut packed = 0;
                for (k, part) in parts.iter().enumerate() {
                    packed |= thread.get(*part)? << (k as u32 * bits);
                }
                thread.set(*d, packed);
            }
            Op::Unpack { parts, a, bits } => {
                let whole = thread.get(*a)?;
                for (k, part) in parts.iter().enumerate() {
                    thread.set(*part, low_bytes(whole >> (k as u32 * bits), *bits as usize / 8));
                }
            }
            Op::Atomic(atomic) => self.atomic(thread, atomic)?,
            Op::ToGeneric { space, d, a } => thread.set(*d, to_generic(*space, thread.get(*a)?)?),
            Op::FromGeneric { space, d, a } => thread.set(*d, from_generic(*space, thread.get(*a)?)?),
            Op::Trap => return trouble("the program trapped."),
            _ => {}
        }
        Ok(())
    }

    /// The first half of an operation in two, which does not go on to the next instruction.
    fn step_within(&mut self, thread: &mut Thread, op: &Op) -> Checked<()> {
        match op {
            Op::Binary { f, d, a, b } => thread.set(*d, f(thread.get(*a)?, thread.get(*b)?)),
            Op::Ternary { f, d, a, b, c } => thread.set(*d, f(thread.get(*a)?, thread.get(*b)?, thread.get(*c)?)),
            other => self.rarer(thread, other)?,
        }
        Ok(())
    }
}

/// `setp` in full.
fn compare(thread: &mut Thread, comparison: &Comparison) -> Checked<()> {
    let holds = (comparison.f)(thread.get(comparison.a)?, thread.get(comparison.b)?);
    let combined = match comparison.with {
        None => [u64::from(holds), u64::from(!holds)],
        Some((combine, condition)) => {
            let other = u64::from(thread.holds(condition)?);
            [combine(u64::from(holds), other), combine(u64::from(!holds), other)]
        }
    };
    thread.set(comparison.p, combined[0]);
    if let Some(q) = comparison.q {
        thread.set(q, combined[1]);
    }
    Ok(())
}
