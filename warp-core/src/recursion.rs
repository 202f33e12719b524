//! That functions do not call themselves, which rustc finds where they are defined, while it evaluates constants.

use crate::__private::Exp;

/// How long a way of calls may be that is followed; kernels allow 40.
const DEPTH: usize = 64;

/// Places for functions that were seen, of which three quarters are filled at most.
const SEEN: usize = 256;

/// Refuses to be evaluated where the function calls itself.
///
/// Of the functions of a cycle, the one that comes first in its file speaks. Cycles over more functions than are looked
/// at here are found by the kernels that call them.
///
/// # Panics
/// When the function calls itself: in a constant, that is the error at the function's name.
#[track_caller]
pub const fn refuse_recursion(own: &'static Exp) {
    let mut walk = Walk { target: own.id, path: [own; DEPTH], seen: [0; SEEN], count: 0 };
    let length = walk.back(own, 1);
    if length == 0 || !walk.is_first(length) {
        return;
    }
    let mut text = Text { bytes: [0; 512], len: 0 };
    text.push("device functions cannot recurse: ");
    let mut k = 0;
    while k < length {
        text.push(walk.path[k].name);
        text.push(" -> ");
        k += 1;
    }
    text.push(own.name);
    text.push("; write a loop");
    match core::str::from_utf8(text.bytes.split_at(text.len).0) {
        Ok(sentence) => panic!("{}", sentence),
        Err(_) => panic!("device functions cannot recurse; write a loop"),
    }
}

struct Walk {
    /// The function that is looked for.
    target: u64,
    /// The way to where the walk is.
    path: [&'static Exp; DEPTH],
    /// Functions that were visited: a hash table of identities, which are hashes themselves.
    seen: [u64; SEEN],
    count: usize,
}

impl Walk {
    /// The length of a cycle through the target, with its functions in `path`; 0 when there is none.
    const fn back(&mut self, from: &'static Exp, depth: usize) -> usize {
        let mut k = 0;
        while k < from.calls.len() - from.derivatives {
            let callee = from.calls[k].exp();
            k += 1;
            if callee.id == self.target {
                return depth;
            }
            if callee.calls.is_empty() || depth == DEPTH || !self.is_new(callee.id) {
                continue;
            }
            self.path[depth] = callee;
            let length = self.back(callee, depth + 1);
            if length > 0 {
                return length;
            }
        }
        0
    }

    const fn is_new(&mut self, id: u64) -> bool {
        let mut place = (id % SEEN as u64) as usize;
        while self.seen[place] != 0 {
            if self.seen[place] == id {
                return false;
            }
            place = (place + 1) % SEEN;
        }
        if self.count == SEEN / 4 * 3 {
            return false;
        }
        self.seen[place] = id;
        self.count += 1;
        true
    }

    /// Whether no other function of the cycle stands before its first one.
    const fn is_first(&self, length: usize) -> bool {
        let own = self.path[0];
        let mut k = 1;
        while k < length {
            let other = self.path[k];
            if other.line < own.line || other.line == own.line && other.id < own.id {
                return false;
            }
            k += 1;
        }
        true
    }
}

/// A sentence that is being made. What does not fit is left out.
struct Text {
    bytes: [u8; 512],
    len: usize,
}

impl Text {
    const fn push(&mut self, words: &str) {
        let words = words.as_bytes();
        if self.len + words.len() > self.bytes.len() {
            return;
        }
        let mut k = 0;
        while k < words.len() {
            self.bytes[self.len] = words[k];
            self.len += 1;
            k += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::__private::Link;

    const fn function(name: &'static str, id: u64, calls: &'static [Link]) -> Exp {
        Exp { name, id, line: id as u32, calls, ..Exp::EMPTY }
    }

    static LEAF: Exp = function("leaf", 1, &[]);
    static LEFT: Exp = function("left", 2, &[Link::to(&LEAF)]);
    static RIGHT: Exp = function("right", 3, &[Link::to(&LEAF), Link::to(&LEFT), Link::NOTHING]);
    static TOP: Exp = function("top", 4, &[Link::to(&LEFT), Link::to(&RIGHT), Link::to(&FIRST)]);
    // The identities of these fall on one place of the table.
    static FIRST: Exp = function("first", 256, &[Link::to(&LEAF), Link::to(&SECOND)]);
    static SECOND: Exp = function("second", 512, &[Link::to(&LEFT), Link::to(&THIRD)]);
    static THIRD: Exp = function("third", 768, &[Link::to(&SECOND), Link::to(&FIRST)]);

    #[test]
    fn calls_that_meet_are_no_recursion() {
        refuse_recursion(&RIGHT);
    }

    #[test]
    fn who_calls_a_recursion_is_silent() {
        refuse_recursion(&TOP);
    }

    #[test]
    fn the_others_of_a_cycle_are_silent() {
        refuse_recursion(&THIRD);
    }

    #[test]
    #[should_panic(expected = "device functions cannot recurse: first -> second -> third -> first; write a loop")]
    fn the_first_of_a_cycle_names_it() {
        refuse_recursion(&FIRST);
    }
}
