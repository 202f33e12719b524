//! States of loops: how many a thread has, and what is told where memory does not hold them.

use warp_ir::differentiate::{Adjoint, Refusal, tangent};
use warp_ir::validate::limits::{LOCAL_BYTES, LOCALS_BYTES};

use super::super::harness::Source;
use super::{close, f, gives, zeros};

/// The kernel under a budget.
fn under(checkpoint_bytes: u32, text: &str) -> Source {
    Source::new(&format!("#[checkpoint_bytes({checkpoint_bytes})] {text}"))
}

/// Its adjoint.
fn with_bytes(text: &str, checkpoint_bytes: u32) -> Result<Adjoint, Refusal> {
    under(checkpoint_bytes, text).adjoint().1
}

/// What a kernel is told under a budget, and the expression that it is told of.
#[track_caller]
fn told(text: &str, checkpoint_bytes: u32) -> (String, String) {
    let (kernel, adjoint) = under(checkpoint_bytes, text).adjoint();
    let refusal = adjoint.expect_err("it has a gradient");
    let place = refusal.source.map(|id| kernel.function.sources[id.0 as usize].text.clone());
    (refusal.message, place.unwrap_or_default())
}

/// The length of each local array of checkpoints.
fn slots(adjoint: &Adjoint) -> Vec<(&str, u32)> {
    let locals = adjoint.kernel.function.locals.iter().filter(|local| local.name.starts_with("checkpoints"));
    locals.map(|local| (local.name.splitn(3, ' ').nth(2).unwrap_or(""), local.len)).collect()
}

/// Numbers that a loop of so many turns carries, more ops than are unrolled.
fn carrying(numbers: usize, turns: usize) -> String {
    let lines = |line: &dyn Fn(usize) -> String| (0..numbers).map(line).collect::<String>();
    let start = lines(&|k| format!("let mut a{k} = x[i] + {k} as f32 * 0.01;"));
    let turn = lines(&|k| format!("a{k} = a{k} * a{} + 0.25;", (k + 1) % numbers));
    format!("fn k(x: &[f32], y: &mut [f32]) {{ let i = tid(); {start} for _ in 0..{turns} {{ {turn} }} y[i] = a0; }}")
}

/// The same, with its derivative.
fn carried(numbers: usize, turns: usize, x: f64) -> [f64; 2] {
    let mut a: Vec<[f64; 2]> = (0..numbers).map(|k| [x + k as f64 * 0.01, 1.0]).collect();
    for k in (0..turns).flat_map(|_| 0..numbers) {
        let ([v, dv], [w, dw]) = (a[k], a[(k + 1) % numbers]);
        a[k] = [v * w + 0.25, dv * w + v * dw];
    }
    a[0]
}

#[test]
fn a_loop_of_few_turns_has_a_slot_for_each() {
    // 4 states of 136 bytes: eight would not fit.
    let text = carrying(32, 4);
    let [y, dx] = carried(32, 4, 0.5);
    gives(&text, &[1], &[f(&[0.5]), zeros(1)], &[], &[(1, &[y])], &[(0, &[dx])]);
    let adjoint = with_bytes(&text, 4 * 136).unwrap();
    assert_eq!(slots(&adjoint).iter().map(|(_, len)| *len).collect::<Vec<_>>(), [4]);

    let words = "a loop keeps 136 bytes a turn for its gradient, and the states of its 4 turns do not fit the 543 bytes \
        that a thread has. Raise `checkpoint_bytes` to 544, or make what the loop carries smaller";
    let (found, place) = told(&text, 543);
    assert_eq!(found, words);
    // The loop has no check that could tell where it is; its values know their statement.
    assert_eq!(place, "for _ in 0..4");
    // Of any number of turns it takes eight.
    let words = "a loop keeps 136 bytes a turn for its gradient, and eight such states do not fit the 1024 bytes that a \
        thread has. Raise `checkpoint_bytes` to 1088, or make what the loop carries smaller";
    assert_eq!(told(&carrying(32, 9), 1024).0, words);
}

#[test]
fn no_loop_has_more_slots_than_turns() {
    for (turns, bytes, len) in [(17, 1024, 17), (85, 1024, 85), (86, 1024, 64), (86, 86 * 12, 86), (100, 1024, 64)] {
        let text = format!(
            "fn k(x: &[f32], y: &mut [f32]) {{
                let i = tid();
                let mut v = x[i];
                for _ in 0..{turns} {{ v = v - v * v * 0.01; }}
                y[i] = v;
            }}"
        );
        assert_eq!(slots(&with_bytes(&text, bytes).unwrap()), [("", len)], "{turns} turns, {bytes} bytes");
        let (mut v, mut d) = (1.7f64, 1.0f64);
        for _ in 0..turns {
            d *= 1.0 - 0.02 * v;
            v -= v * v * 0.01;
        }
        let gradients = under(bytes, &text).backward(&[1], &[f(&[1.7]), zeros(1)], &[], &[]).unwrap().1;
        assert!((gradients[0][0] - d).abs() < 1e-4 * d, "{turns}: {} {d}", gradients[0][0]);
    }
}

/// Squares of the elements of an array, over and over; each turn starts from all of it.
fn table(len: usize) -> String {
    format!(
        "fn k(x: &[f32], n: u32, y: &mut [f32]) {{
            let i = tid();
            let mut w = [0.5; {len}];
            w[i] = x[i];
            let mut t = 0;
            while t < n {{
                w[(t as usize * 7) % {len}] = w[(t as usize * 3) % {len}] * w[i] + 0.25;
                t += 1;
            }}
            y[i] = w[0] + w[7];
        }}"
    )
}

/// The same for thread 0, with its derivative.
fn tabled(len: usize, n: usize, x: f64) -> [f64; 2] {
    let mut w = vec![[0.5, 0.0]; len];
    w[0] = [x, 1.0];
    for t in 0..n {
        let ([a, da], [b, db]) = (w[(t * 3) % len], w[0]);
        w[(t * 7) % len] = [a * b + 0.25, da * b + a * db];
    }
    [w[0][0] + w[7][0], w[0][1] + w[7][1]]
}

#[test]
fn copies_of_a_local_array_are_as_many_as_it_may_have() {
    // 64 copies of 1200 bytes are more than one local array may have; 54 are not.
    let adjoint = with_bytes(&table(300), 100_000).unwrap();
    assert_eq!(slots(&adjoint), [("", 54), ("of w", 54 * 300)]);
    let source = under(100_000, &table(300));
    let (report, gradients) = source.backward(&[1], &[f(&[1.25]), zeros(1)], &[40], &[]).unwrap();
    let [y, dx] = tabled(300, 40, 1.25);
    close("out", 1, &report.get::<f32>(1).into_iter().map(f64::from).collect::<Vec<_>>(), &[y]);
    close("gradient of", 0, &gradients[0], &[dx]);

    let words = "the gradient of this loop keeps `w` as it is before 8 of its turns, 8196 bytes each, and 65536 bytes are \
        the most that a thread has for it, whatever `checkpoint_bytes` says. Make it smaller, pass an array of the host \
        and give each thread a part of it, or mark the kernel `no_adjoint`";
    let (found, place) = told(&table(2049), 1 << 20);
    assert_eq!(found, words);
    assert!(place.starts_with("w["), "{place}");
    // It is told at once, and not after the bytes have been raised.
    assert_eq!(told(&table(2049), 1024).0, words);
    assert_eq!(slots(&with_bytes(&table(2048), 1 << 20).unwrap())[1], ("of w", 8 * 2048));
    assert_eq!(8 * 2048 * 4, LOCAL_BYTES);
}

/// So many loops, each with a table of its own.
fn tables(count: usize, len: usize) -> String {
    let lines = |line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let start = lines(&|k| format!("let mut w{k} = [0.5; {len}]; w{k}[i] = x[i];"));
    let loops = lines(&|k| format!("for t in 0..n {{ w{k}[(t * 7) % {len}] = w{k}[(t * 3) % {len}] * w{k}[i]; }}"));
    let sum = lines(&|k| format!("+ w{k}[i]"));
    format!("fn k(x: &[f32], n: usize, y: &mut [f32]) {{ let i = tid(); {start} {loops} y[i] = 0.0 {sum}; }}")
}

#[test]
fn loops_share_what_a_thread_has() {
    // Each could have 64 slots of 1000 bytes; all together have to fit beside 20 local arrays and their adjoints.
    let adjoint = with_bytes(&tables(20, 250), 64_000).unwrap();
    let bytes = |len: u64| len * 1008 * 20 + 2 * 20 * 1000;
    let len = slots(&adjoint)[0].1;
    assert_eq!(slots(&adjoint).len(), 40);
    assert!(slots(&adjoint).iter().all(|&(of, l)| l == if of.is_empty() { len } else { len * 250 }));
    assert!(bytes(len.into()) <= LOCALS_BYTES && bytes(len as u64 + 2) > LOCALS_BYTES, "{len}");

    let words = "the loops of this kernel keep 1048800 bytes in each thread for its gradient at the least, this one the \
        largest states of them, and 917576 bytes are left beside local arrays. Make it smaller, pass an array of the host \
        and give each thread a part of it, or mark the kernel `no_adjoint`";
    let (found, place) = told(&tables(19, 1725), 1 << 20);
    // 19 loops with 8 states of 6908 bytes, beside twice 19 arrays of 6900 bytes.
    let (least, left) = (19 * 8 * 6908, LOCALS_BYTES - 2 * 19 * 6900);
    assert_eq!(found, words.replace("1048800", &least.to_string()).replace("917576", &left.to_string()));
    assert!(place.starts_with('w'), "{place}");
}

#[test]
fn adjoints_of_local_arrays_need_room_too() {
    // 600,000 bytes fit a kernel, and with their adjoints do not.
    let many = tables(10, 15_000).replace("for t in 0..n", "for t in 0..2");
    let words = "the arrays in this kernel and their derivatives take 1200000 bytes in each thread, more than the \
        1048576 that kernels allow. Make it smaller, pass an array of the host and give each thread a part of it, or mark the \
        kernel `no_adjoint`";
    let (found, place) = told(&many, 1024);
    assert_eq!(found, words);
    assert!(place.starts_with('w'), "{place}");
    let (kernel, _) = Source::new(&many).adjoint();
    assert_eq!(tangent(&kernel).unwrap_err().message, words);

    let halves = "fn k(x: &[f16], y: &mut [f16]) {
        let i = tid();
        let mut w = [x[i]; 20000];
        w[i] = f16::from_f32(w[i + 1].to_f32() * x[i].to_f32());
        y[i] = w[i];
    }";
    let words = "the derivatives of `w` take 80000 bytes in each thread, as those of halves are in single precision, and \
        65536 bytes are the most that an array in a kernel may have. Make it smaller, pass an array of the host and give each \
        thread a part of it, or mark the kernel `no_adjoint`";
    let (found, place) = told(halves, 1024);
    assert_eq!(found, words);
    assert!(place.starts_with("w["), "{place}");
    let (kernel, _) = Source::new(halves).adjoint();
    assert_eq!(tangent(&kernel).unwrap_err().message, words);
}
